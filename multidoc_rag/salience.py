"""Which sentences of the evidence speak to the question, and how much: the extractive half of the quotes writer.

Passages are cut into units (whole sentences, list items, table rows) with their offsets in the document's clean text;
each unit is scored by a small weighted sum of readable features. Pure functions: vectors are passed in.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multidoc_rag.language import content_words, fold, sentence_spans
from multidoc_rag.records import ChunkKind, Evidence, EvidenceGroup, IntentName, Passage

LONGEST = 420
"""Characters of the longest quote; longer sentences are cut at list items and semicolons."""

# Weights of the features below. Directions and rough sizes come from a logistic regression on one half of the questions
# of benchmarks/quotes.py (chroma_chunking), rounded by hand and checked on the other half and on northwind_hr.
WEIGHTS = {
    "similarity": 1.0,
    "overlap": 1.3,
    "context": 0.7,
    "near": 0.35,
    "rank": 0.3,
    "kind": 0.2,
    "cue": 0.2,
    "central": 0.0,
    "dependent": -0.05,
    "fragment": -0.3,
    "question": -0.5,
}
GENERIC_WEIGHTS = WEIGHTS | {
    "similarity": 0.4,
    "overlap": 0.3,
    "context": 0.1,
    "near": 0.0,
    "central": 0.8,
    "dependent": -0.2,
}
"""For a question without a subject of its own ("Summarize the main ideas"): what is central to its document counts."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable piece of a document: `text` is verbatim its clean text between start and end.

    `rank` is the place (from 0) of its best passage among all passages, `context` the words around it that it is understood
    by (section, the sentence before, a table's header row), `page` the first page of its passage.
    """

    document_id: str
    document_name: str
    start: int
    end: int
    text: str
    kind: ChunkKind
    whole: bool
    section: str
    context: str
    rank: int
    score: float
    page: int
    words: frozenset[str]

    @property
    def shown(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())


# --- passages to units -------------------------------------------------------------------------


def units(evidence: Evidence, *, language: str = "en") -> list[Unit]:
    """The quotable sentences, list items and table rows of the evidence, in evidence order, no span twice.

    Headings, page furniture, reference-list entries and fragments are left out. A fragment (a sentence that the passage's
    edge cuts) is kept only where its passage holds nothing whole.
    """
    ranked = sorted(evidence.passages, key=lambda passage: -passage.score)
    rank = {id(passage): place for place, passage in reversed(list(enumerate(ranked)))}
    return [unit for group in evidence.groups for unit in _group_units(group, rank, language)]


@dataclass(frozen=True, slots=True)
class _Run:
    """Passages of one document that overlap or touch, joined."""

    start: int
    text: str
    passages: tuple[Passage, ...]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _runs(group: EvidenceGroup) -> list[_Run]:
    runs: list[_Run] = []
    for passage in sorted(group.passages, key=lambda passage: (passage.kind, passage.start, passage.end)):
        last = runs[-1] if runs else None
        if last and last.passages[0].kind == passage.kind and last.start <= passage.start <= last.end:
            text = last.text + passage.text[max(0, last.end - passage.start) :]
            runs[-1] = _Run(last.start, text, (*last.passages, passage))
        else:
            runs.append(_Run(passage.start, passage.text, (passage,)))
    return runs


def _group_units(group: EvidenceGroup, rank: dict[int, int], language: str) -> list[Unit]:
    found: list[Unit] = []
    for run in _runs(group):
        pieces = _rows(run.text) if run.passages[0].kind == "table" else _sentences(run, language)
        quotable = [(start, end, whole, context) for start, end, whole, context in pieces]
        if any(whole for _, _, whole, _ in quotable):
            quotable = [piece for piece in quotable if piece[2]]
        else:
            quotable = sorted(quotable, key=lambda piece: piece[0] - piece[1])[:1]
        for start, end, whole, context in quotable:
            at = run.start + start
            home = [p for p in run.passages if p.start <= at < p.end] or [run.passages[0]]
            best = min(home, key=lambda passage: rank[id(passage)])
            text = run.text[start:end]
            found.append(
                Unit(
                    group.document_id,
                    group.document_name,
                    at,
                    run.start + end,
                    text,
                    best.kind,
                    whole,
                    best.section,
                    f"{best.section} {context}".strip(),
                    rank[id(best)],
                    best.score,
                    best.page_start,
                    frozenset(content_words(text, language)),
                )
            )
    return sorted(found, key=lambda unit: (unit.rank, unit.start))


_BULLET = re.compile(r"\s*(?:[•◦▪●■□○‣⁃∙·*–—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+")
_ITEM_BREAK = re.compile(r"\n(?=\s*(?:[•◦▪●■□○‣⁃∙·]|[*–-]\s|\d{1,2}[.)]\s))")
_ENDS = re.compile(r"[.!?;:…。！？；：][\"'”’»)\]]*$")
_FURNITURE = re.compile(
    r"^(?:page|seite|p\.)\s*\d+|\bpage \d+ of \d+\b|\.{5,}|(?:\. ){4,}|^(?:https?://|www\.)\S+$|^©|\ball rights reserved\b"
    r"|^(?:copyright|doi:|issn|isbn|figure|fig\.|table)\s*[\d©:]",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"^\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}\.)?\s*(?:[A-ZÀ-Ý][\w'’-]+,?\s+(?:[A-Z]\.?[ ,-]*){1,3}(?:,|;|&|and|\(|\.)?\s*)+"
    r".*\b(?:19|20)\d\d\b"
)
_REFERENCE_MARKS = re.compile(
    r"\bpp?\.\s*\d|\bvol(?:ume)?\b|\bIn:? proc|\bproceedings\b|\bjournal\b|arxiv|\bdoi\b|\d+\s*[:(]\s*\d+",
    re.IGNORECASE,
)


def _sentences(run: _Run, language: str) -> list[tuple[int, int, bool, str]]:
    """(start, end, whole, what stands before) of the sentences of a run, in order."""
    text = run.text
    pieces: list[tuple[int, int, bool, str]] = []
    before = ""
    spans = [piece for span in sentence_spans(text, language) for piece in _items(text, *span)]
    for start, end in spans:
        raw = text[start:end]
        marked = _BULLET.match(raw) if len(raw) > 3 else None
        if marked and marked.end() < len(raw):
            start += marked.end()
        start += len(text[start:end]) - len(text[start:end].lstrip())
        end -= len(text[start:end]) - len(text[start:end].rstrip())
        piece = text[start:end]
        if is_quotable(piece, listed=marked is not None, language=language):
            cut_before = start == 0 and run.start > 0 and piece[:1].islower()
            cut_after = end >= len(text.rstrip()) and not _ENDS.search(piece)
            pieces.append((start, end, not (cut_before or cut_after), before))
        before = piece[-200:]
    return pieces


def _items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence cut where a new list item begins and, when it is very long, at semicolons and lines."""
    cuts = [start, *(start + m.start() for m in _ITEM_BREAK.finditer(text[start:end])), end]
    pieces = [(a, b) for a, b in zip(cuts, cuts[1:], strict=False) if text[a:b].strip()]
    result: list[tuple[int, int]] = []
    for a, b in pieces:
        while b - a > LONGEST:
            window = text[a : a + LONGEST]
            cut = max(window.rfind("; "), window.rfind("\n")) + 1
            if cut < 80:
                break
            result.append((a, a + cut))
            a += cut
        result.append((a, b))
    return result


def _rows(text: str) -> list[tuple[int, int, bool, str]]:
    """Lines of a table passage; the first line is the header the others are understood by."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text) if m[0].strip()]
    if not lines:
        return []
    header = text[slice(*lines[0])]
    body = lines[1:] if len(lines) > 1 and not re.search(r"\d", header) else lines
    return [(a, b, True, header) for a, b in body if re.search(r"\w", text[a:b])]


def is_quotable(text: str, *, listed: bool = False, language: str = "en") -> bool:
    """Whether `text` reads as a statement: no heading, furniture, reference entry or scrap. `listed`: it had a bullet."""
    flat = " ".join(text.split())
    letters = sum(character.isalpha() for character in flat)
    if len(flat) < 15 and not re.search(r"[\u3040-\u9fff]", flat) or letters < 0.5 * len(flat.replace(" ", "")):
        return False
    if _FURNITURE.search(flat) or (_REFERENCE.match(flat) and _REFERENCE_MARKS.search(flat)):
        return False
    if len(content_words(flat, language)) < 2:
        return False
    return listed or bool(_ENDS.search(flat)) or not _is_heading(flat)


def _is_heading(text: str) -> bool:
    tokens = [token for token in text.split() if token[:1].isalpha() and len(token) > 3]
    capital = sum(token[:1].isupper() for token in tokens)
    return len(text.split()) <= 14 and (len(text.split()) <= 5 or capital >= 0.6 * len(tokens))


# --- the question ------------------------------------------------------------------------------

_GENERIC = """document documents paper papers report reports text texts article articles source sources file files author authors main key
important idea ideas topic topics point points discuss discussed describe described mention mentioned summarize summarise summary compare
comparison differ different difference differences similar state stated say said according list find give explain overview provide provided
across concept methodology question answer information detail details aspect aspects regarding various identify extract major specific"""

_NUMBER = r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|half|twice|once|none|no)\b"
_DATE = (
    r"\b(?:1[89]|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday)\b|\b\d+\s+(?:\w+\s+)?(?:days?|weeks?|months?|years?|hours?)\b|\b(?:daily|weekly|monthly|"
    r"quarterly|annually|yearly)\b"
)
_NAME = r"(?-i:(?<=[a-z,;(] )[A-Z][\w'’.-]+(?:\s+[A-Z][\w'’.-]+)+|\b[A-Z][a-z]+\s+[A-Z][\w'’.-]+)"

_EXPECTED = [
    (r"\bhow (?:many|much|large|big|high|far|old|fast|deep|tall)\b|\b(?:percentage|proportion|share|rate|amount|price|cost|minimum|maximum|"
     r"threshold|ratio|number of|size|figures?|values?|length|limit)\b", _NUMBER),
    (r"\bwhen\b|\bhow (?:long|often|soon)\b|\b(?:dates?|years?|deadlines?|day|month|period|frequency|how frequently)\b", _DATE),
    (r"^\W*who\b|\bwhom\b|\bwhose\b|\bby who\b|\bwhich (?:person|company|team|author|people)\b|\bnames?\b", _NAME),
]  # fmt: skip
_CUES = [
    (r"\bassum|\bpremise|\bpresuppos", r"\bassum|\bpresum|\bsuppos|\bpremise|\bwe expect|\bis expected|\bare expected|\btaken to be|\bholds? (?:if|that|when)"),
    (r"\blimitation|\bcaveat|\brestrict|\bshortcoming|\bweakness|\blimits?\b",
     r"\blimit|\bcaveat|\brestrict|\bcannot\b|\bcould not\b|\bnot (?:cover|appl|includ|consider|able|measur|represent)|\bdoes not\b|\bdid not\b"
     r"|\bonly\b|\bexcept|\bexclud|\bbeyond the scope|\bsmall sample|\bunable|\buncertain"),
    (r"\boblig|\brequire|\bmust\b|\bdut(?:y|ies)\b|\bshall\b|\brules?\b|\bneed to\b|\bresponsib",
     r"\bmust\b|\bshall\b|\brequire|\bobliged?\b|\bhas to\b|\bhave to\b|\bresponsib|\bmay not\b|\bis to\b|\bare to\b|\bmandatory"),
    (r"\brisk|\bthreat|\bconcern|\bvulnerab|\bdanger",
     r"\brisk|\bthreat|\bexpos|\bvulnerab|\bdanger|\buncertain|\badverse|\bfail|\bcould\b|\bloss|\bshortage|\bdelay|\bbreach"),
    (r"\bdefin|\bmeaning of|\bwhat (?:is|are) (?:a|an|the term)\b|\bstand for\b|\bmeans?\b",
     r"\bmeans?\b|\bdefin|\brefers? to|\bis called|\bstands? for|\bis (?:a|an|the)\b|\bknown as"),
    (r"\bconclu|\bfinding|\bresult|\bimplication|\boutcome",
     r"\bconclu|\bwe (?:find|found|show)|\bfound that|\bshows? that|\bsuggests?\b|\bresults?\b|\boverall\b|\btherefore|\bimpl(?:y|ies)|\brecommend"),
    (r"\brecommend|\badvi[cs]e|\bshould\b|\btips?\b|\bsuggest", r"\brecommend|\bshould\b|\badvis|\bsuggest|\bbest to\b|\bconsider\b|\bmake sure"),
    (r"^\W*why\b|\bcauses?\b|\breasons?\b", r"\bbecause|\bdue to\b|\bas a result|\btherefore|\bcaused?\b|\bsince\b|\breason|\bin order to|\bso that\b"),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for: its own content words, and patterns an answer is likely to match.

    `generic`: no subject is left once words like "main ideas of the documents" are set aside. `direct`: it asks for one value.
    """

    words: frozenset[str]
    expected: tuple[re.Pattern[str], ...]
    cues: tuple[re.Pattern[str], ...]
    generic: bool
    direct: bool


_DIRECT = re.compile(
    r"^\W*(?:how (?:many|much|long|often|old|large|high|far|soon)|when\b|who\b|where\b|which\b|what(?:'s| is| was) the\b|is\b|are\b|does\b|do\b|can\b)"
    r"|\b(?:minimum|maximum|exact|how many|how much|how long|deadline)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:list|all|every|each|both|across|summari[sz]e|assumptions|limitations|risks|obligations|definitions|differences?|compare)\b",
    re.IGNORECASE,
)


def asked(question: str, intent: IntentName, *, language: str = "en") -> Asked:
    """Read the question: subject words, the type of thing asked for, cue words of what it names."""
    generic = frozenset(content_words(_GENERIC, language))
    words = frozenset(content_words(question, language))
    cues = [(re.compile(q, re.I), re.compile(s, re.I)) for q, s in _CUES]
    matched = [(q, s) for q, s in cues if q.search(question)]
    cued = frozenset(word for word in words if any(q.search(word) for q, _ in matched))
    subject = words - generic
    return Asked(
        words=subject or words,
        expected=tuple(re.compile(s, re.I) for q, s in _EXPECTED if re.search(q, question, re.I)),
        cues=tuple(s for _, s in matched),
        generic=not subject - cued,
        direct=intent == "extraction" and bool(_DIRECT.search(question)) and not _MANY.search(question),
    )


# --- scores ------------------------------------------------------------------------------------


def rarity(found: Sequence[Unit]) -> dict[str, float]:
    """Inverse document frequency of each content word over the units."""
    counts = Counter(word for unit in found for word in unit.words)
    return {word: math.log(1 + len(found) / count) for word, count in counts.items()}


def overlap(words: frozenset[str], wanted: frozenset[str], weight: dict[str, float]) -> float:
    """Share (by rarity) of the wanted words that are there, 0..1; a word found nowhere weighs as much as the rarest."""
    top = max(weight.values(), default=1.0)
    total = sum(weight.get(word, top) for word in wanted)
    return sum(weight.get(word, top) for word in wanted & words) / total if total else 0.0


def prefilter(found: Sequence[Unit], question: Asked, limit: int) -> list[Unit]:
    """At most `limit` units, by words shared with the question, kind, cues and passage rank, each document kept."""
    if len(found) <= limit:
        return list(found)
    weight = rarity(found)
    documents = max(1, len({unit.document_id for unit in found}))
    rough = [
        overlap(unit.words, question.words, weight)
        + 0.3 * _any(question.expected, unit.text)
        + 0.3 * _any(question.cues, unit.text)
        + 0.4 / (1 + unit.rank / documents)
        for unit in found
    ]
    order = sorted(range(len(found)), key=lambda i: -rough[i])
    floor, taken, kept = max(2, limit // (2 * documents)), Counter[str](), set[int]()
    for i in order:
        if taken[found[i].document_id] < floor and len(kept) < limit:
            kept.add(i)
            taken[found[i].document_id] += 1
    for i in order:
        if len(kept) >= limit:
            break
        kept.add(i)
    return [unit for i, unit in enumerate(found) if i in kept]


def features(found: Sequence[Unit], vectors: np.ndarray, query: np.ndarray, question: Asked) -> dict[str, np.ndarray]:
    """One array of shape (units,) for each name in WEIGHTS; vectors (units, dimension) and query are unit vectors."""
    weight = rarity(found)
    stems = [frozenset(content_words(unit.context)) for unit in found]
    own = np.array([overlap(unit.words, question.words, weight) for unit in found])
    both = np.array([overlap(u.words | stem, question.words, weight) for u, stem in zip(found, stems, strict=True)])
    similarity = vectors @ query
    central = np.zeros(len(found))
    for document in {unit.document_id for unit in found}:
        rows = [i for i, unit in enumerate(found) if unit.document_id == document]
        middle = vectors[rows].mean(axis=0)
        central[rows] = vectors[rows] @ (middle / max(float(np.linalg.norm(middle)), 1e-9))
    most = max((unit.rank for unit in found), default=0) + 1
    return {
        "similarity": similarity,
        "overlap": own,
        "context": both - own,
        "near": _near(found, similarity),
        "rank": np.array([1 - unit.rank / most for unit in found]),
        "kind": np.array([_any(question.expected, unit.text) for unit in found]),
        "cue": np.array([_any(question.cues, unit.text) for unit in found]),
        "central": central,
        "dependent": np.array([bool(_DEPENDENT.match(unit.text)) for unit in found], dtype=float),
        "fragment": np.array([not unit.whole for unit in found], dtype=float),
        "question": np.array([unit.text.rstrip().endswith("?") for unit in found], dtype=float),
    }


def _near(found: Sequence[Unit], similarity: np.ndarray) -> np.ndarray:
    """The higher similarity of the two neighbours of each unit in its document's text (0 where nothing stands close by)."""
    order = sorted(range(len(found)), key=lambda i: (found[i].document_id, found[i].start))
    near = np.zeros(len(found))
    for a, b in itertools.pairwise(order):
        if found[a].document_id == found[b].document_id and found[b].start - found[a].end < 200:
            near[a] = max(near[a], similarity[b])
            near[b] = max(near[b], similarity[a])
    return near


def salience(found: Sequence[Unit], vectors: np.ndarray, query: np.ndarray, question: Asked) -> np.ndarray:
    """Score of each unit for the question, shape (units,): the weighted sum of its features."""
    weights = GENERIC_WEIGHTS if question.generic else WEIGHTS
    parts = features(found, vectors, query, question)
    return np.asarray(sum(weights[name] * values for name, values in parts.items()), dtype=np.float64)


_DEPENDENT = re.compile(
    r"(?:this|that|these|those|it|its|they|their|such|he|she|however|but|and|also|moreover|furthermore|therefore|thus|in addition)\b", re.IGNORECASE
)  # fmt: skip


def _any(patterns: Sequence[re.Pattern[str]], text: str) -> float:
    return float(any(pattern.search(text) for pattern in patterns))


def polarity(text: str) -> bool:
    """Whether the text negates (not, no, never, cannot, without, except)."""
    return bool(re.search(r"\b(?:not|no|never|none|cannot|without|except|nor|neither)\b|n['’]t\b", text, re.IGNORECASE))


def numbers(text: str) -> frozenset[str]:
    """The figures of a text, thousands separators dropped."""
    return frozenset(re.sub(r"(?<=\d),(?=\d{3})", "", n) for n in re.findall(r"\d+(?:[.,]\d+)*", fold(text)))
