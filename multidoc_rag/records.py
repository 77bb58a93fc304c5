"""The nouns of the program: frozen dataclasses and two small Protocols, nothing that computes for long.

Offsets count Python characters (code points), start inclusive, end exclusive. Pages are numbered from 1.
Boxes are (left, bottom, right, top) in PDF points, unrotated, origin at the page's lower left corner.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

IntentName = Literal["synthesis", "comparison", "extraction"]
INTENTS: tuple[IntentName, ...] = ("synthesis", "comparison", "extraction")
PageMethod = Literal["text", "ocr", "unreadable", "none"]
DocumentStatus = Literal["ready", "partial", "unreadable", "unfinished"]
ChunkKind = Literal["text", "table"]
Strategy = Literal["flat", "structured"]
RetrievalMode = Literal["dense", "lexical", "rrf", "hybrid"]
Verdict = Literal["supported", "partly", "unsupported", "contradicted", "unchecked"]
Box = tuple[float, float, float, float]

PAGE_BREAK = "\n"
"""What stands between two pages' clean texts in the document's clean text."""


# --- reading -----------------------------------------------------------------------------------


class OffsetMap:
    """A sparse, piecewise linear map from positions in one text to positions in another.

    From `sources[i]` on, position p maps to `targets[i] + (p - sources[i])`. The identity is one
    breakpoint (0, 0); a ligature opened into two letters, a dropped hyphen or a skipped control
    character each add a breakpoint or two.
    """

    __slots__ = ("sources", "targets")

    def __init__(self, sources: Sequence[int] = (0,), targets: Sequence[int] = (0,)) -> None:
        if len(sources) != len(targets) or not sources or sources[0] != 0:
            raise ValueError("an offset map needs as many targets as sources, the first source being 0")
        self.sources = array("i", sources)
        self.targets = array("i", targets)

    @classmethod
    def from_positions(cls, positions: Sequence[int]) -> OffsetMap:
        """The map that sends i to `positions[i]`, breakpoints only where the run is broken."""
        sources, targets, expected = [0], [positions[0] if positions else 0], positions[0] if positions else 0
        for index, target in enumerate(positions):
            if target != expected:
                sources.append(index)
                targets.append(target)
            expected = target + 1
        return cls(sources, targets)

    def __call__(self, position: int) -> int:
        """The target position of one source position."""
        index = bisect_right(self.sources, position) - 1
        return self.targets[index] + position - self.sources[index]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Target start and end (exclusive) of a non-empty source span: first character to last character."""
        if end <= start:
            target = self(start)
            return target, target
        return self(start), self(end - 1) + 1

    def to_bytes(self) -> bytes:
        """A compact form for the store: int32 little-endian pairs, compressed."""
        pairs = np.array([self.sources, self.targets], dtype="<i4")
        return zlib.compress(pairs.tobytes(), 6)

    @classmethod
    def from_bytes(cls, data: bytes) -> OffsetMap:
        """Inverse of `to_bytes`."""
        pairs = np.frombuffer(zlib.decompress(data), dtype="<i4").reshape(2, -1)
        return cls(pairs[0].tolist(), pairs[1].tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OffsetMap) and (self.sources, self.targets) == (other.sources, other.targets)

    def __repr__(self) -> str:
        return f"OffsetMap({len(self.sources)} breakpoints)"


@dataclass(frozen=True, slots=True)
class Page:
    """One page: `raw` is the text as the file has it, `clean` the text that is chunked, searched and shown.

    `clean_to_raw` maps offsets in clean to offsets in raw, `raw_to_char` those to PDFium's character
    indices (files without pages: the identity). width, height and crop are in points, unrotated.
    """

    number: int
    raw: str
    clean: str
    clean_to_raw: OffsetMap = field(default_factory=OffsetMap)
    raw_to_char: OffsetMap = field(default_factory=OffsetMap)
    method: PageMethod = "text"
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    crop: Box = (0.0, 0.0, 0.0, 0.0)
    label: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and where its section starts in the document's clean text; level 1 is the top."""

    title: str
    level: int
    start: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table in the document's clean text: rows are line spans, the first `header_rows` of them headings."""

    start: int
    end: int
    rows: tuple[tuple[int, int], ...]
    header_rows: int = 0
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader makes of one file. The document's clean text is `text`: pages joined by PAGE_BREAK."""

    sha256: str
    pages: tuple[Page, ...]
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    title: str = ""
    author: str = ""
    created_at: str = ""
    modified_at: str = ""
    language: str = ""
    word_count: int = 0
    reader: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The document's clean text, which chunk, section and table offsets refer to."""
        return PAGE_BREAK.join(page.clean for page in self.pages)

    @property
    def page_starts(self) -> tuple[int, ...]:
        """Offset in `text` at which each page starts."""
        starts, position = [], 0
        for page in self.pages:
            starts.append(position)
            position += len(page.clean) + len(PAGE_BREAK)
        return tuple(starts)

    @property
    def unreadable_pages(self) -> tuple[int, ...]:
        """Numbers of the pages no text could be had from (garbled or without a text layer)."""
        return tuple(page.number for page in self.pages if page.method in ("unreadable", "none"))


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a collection, as `list` shows it. `id` is the SHA-256 of its bytes."""

    id: str
    name: str
    title: str
    source_path: str
    pages: int
    chunks: int
    status: DocumentStatus
    added_at: str
    author: str = ""
    created_at: str = ""
    modified_at: str = ""
    language: str = ""
    word_count: int = 0
    reader: str = ""
    summary: str = ""
    unreadable_pages: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


AddStatus = Literal["added", "unchanged", "replaced", "refused", "removed"]


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of one path given to `add`; `reason` is a sentence where there is something to say."""

    path: str
    document: str
    status: AddStatus
    pages: int = 0
    unreadable_pages: tuple[int, ...] = ()
    chunks: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of an ingestion: `done` of `total` units (bytes weighted by pages), seconds left when known.

    Stage `comparing` is the search for conflicts afterwards: `path` is a document's name, units are documents.
    """

    path: str
    stage: Literal["reading", "embedding", "storing", "done", "comparing"]
    file_index: int
    file_count: int
    done: float
    total: float
    seconds_left: float | None = None
    report: AddReport | None = None


# --- chunks and hits ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of one document: `text` is verbatim the document's clean text between start and end.

    `id` is 0 until the store gives it one. `context` is what is put in front when it is embedded and indexed.
    """

    id: int
    document_id: str
    document_name: str
    ordinal: int
    page_start: int
    page_end: int
    start: int
    end: int
    kind: ChunkKind
    section: str
    text: str
    context: str = ""

    @property
    def source_pdf(self) -> str:
        """The file the chunk comes from (the paper's metadata name)."""
        return self.document_name

    @property
    def chunk_id(self) -> int:
        """The chunk's id (the paper's metadata name)."""
        return self.id

    @property
    def page_range(self) -> str:
        """`3` or `3-4` (the paper's metadata name)."""
        return str(self.page_start) if self.page_start == self.page_end else f"{self.page_start}-{self.page_end}"

    @property
    def searchable(self) -> str:
        """The text that is embedded and indexed: the context, then the chunk."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that retrieval found. `score` is the mode's own (cosine for dense, BM25, or fused)."""

    chunk: Chunk
    score: float
    ranks: dict[str, int] = field(default_factory=dict)
    history: tuple[str, ...] = ()


# --- a question on its way ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intent:
    """The shape of answer a question wants; confidence in 0..1, reasons in words, the runner-up."""

    name: IntentName
    confidence: float
    reasons: tuple[str, ...] = ()
    second: IntentName | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """What a writer reads and cites: one chunk or several glued neighbours, cut to the passage limit."""

    document_id: str
    document_name: str
    page_start: int
    page_end: int
    start: int
    end: int
    text: str
    section: str
    score: float
    chunk_ids: tuple[int, ...]
    kind: ChunkKind = "text"

    @property
    def page_range(self) -> str:
        """`3` or `3-4`."""
        return str(self.page_start) if self.page_start == self.page_end else f"{self.page_start}-{self.page_end}"


@dataclass(frozen=True, slots=True)
class EvidenceGroup:
    """One document's passages, best first; empty passages mean nothing was found in it."""

    document_id: str
    document_name: str
    title: str
    passages: tuple[Passage, ...]

    @property
    def score(self) -> float:
        """The best passage's score, 0.0 without passages."""
        return max((passage.score for passage in self.passages), default=0.0)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages for one question, grouped by document, strongest document first.

    `focus` is the question less the names of the documents it names, where it names some.
    """

    question: str
    intent: Intent
    groups: tuple[EvidenceGroup, ...]
    focus: str = ""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages, group by group."""
        return tuple(passage for group in self.groups for passage in group.passages)

    @property
    def documents_with_evidence(self) -> tuple[str, ...]:
        """Names of the documents that have at least one passage."""
        return tuple(group.document_name for group in self.groups if group.passages)


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Exactly what a model is sent. `passages` in the order they stand in the prompt; `left_out` for space."""

    messages: tuple[Message, ...]
    evidence: Evidence
    strategy: Strategy
    passages: tuple[Passage, ...]
    tokens: int
    left_out: tuple[Passage, ...] = ()
    single_document: bool = False


# --- answers -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands: one page and its boxes (empty until exact boxes are known)."""

    page: int
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """One numbered reference to a document: a verbatim quote with its places."""

    n: int
    document: str
    document_id: str
    places: tuple[Place, ...]
    quote: str
    section: str = ""
    score: float = 0.0
    start: int = 0
    end: int = 0
    related: tuple[str, ...] = ()
    verdict: Verdict = "unchecked"

    @property
    def page(self) -> int:
        """The first page of the quote."""
        return self.places[0].page if self.places else 0

    @property
    def label(self) -> str:
        """`[name.pdf p.3]`."""
        return f"[{self.document} p.{self.page}]"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer and the numbers of the citations it stands on."""

    text: str
    citations: tuple[int, ...] = ()
    verdict: Verdict = "unchecked"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Names of the documents read, of those cited, and of those in which nothing was found."""

    read: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    nothing_found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with everything needed to check or repeat it.

    `text` is what is shown (citation labels normalised), `raw_text` what the writer gave; `trace` the steps
    taken, a line each; `seconds` per stage; `settings` the options that shaped it.
    """

    id: str
    question: str
    intent: Intent
    text: str
    raw_text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    evidence: Evidence
    coverage: Coverage
    model: str
    refused: bool = False
    conflicts: tuple[dict[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    fallbacks: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    config_fingerprint: str = ""
    trace: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    prompt: Prompt | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its stored answer (the JSON that `ask` prints)."""

    answer_id: str
    question: str
    answer: dict[str, Any]
    asked_at: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A kept conversation; `questions` counts its turns."""

    id: str
    title: str
    questions: int
    updated_at: str


# --- events: what `Assistant.ask` yields, in this order ----------------------------------------


@dataclass(frozen=True, slots=True)
class Searching:
    """The question was routed; these queries are searched now."""

    question: str
    intent: Intent
    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence and the exact prompt are ready."""

    evidence: Evidence
    hits: tuple[Hit, ...]
    prompt: Prompt
    seconds: float


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class FellBack:
    """A writer failed and the next in the chain takes over; what was streamed so far is void."""

    failed: str
    reason: str
    next: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence of the answer with its citations resolved (and, later, its verdict)."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Done:
    """The last event: the whole answer."""

    answer: Answer


Event = Searching | Retrieved | Token | FellBack | Checked | Done


# --- what strangers' objects must offer --------------------------------------------------------


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors."""

    name: str
    fingerprint: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of document texts, float32, shape (len(texts), dimension)."""
        ...

    def encode_query(self, text: str) -> np.ndarray:
        """Unit vector of one question, float32, shape (dimension,), computed in full precision."""
        ...


@runtime_checkable
class LLM(Protocol):
    """Writes text from chat messages."""

    @property
    def name(self) -> str:
        """What the answer says wrote it; never holds a key."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens the model reads, prompt and reply together."""
        ...

    def stream(self, messages: Sequence[Message], *, temperature: float, max_tokens: int) -> Iterator[str]:
        """Pieces of the reply as they come (empty ones are signs of life); raises WriterError, also in mid-stream."""
        ...
