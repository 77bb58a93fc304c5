"""What the experiments share: questions, the setting they run in, a bounded and resumable reply, checks, tables."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from multidoc_rag import Config, Library, MultiDocReasoner
from multidoc_rag.answers.citations import Cited, resolve
from multidoc_rag.errors import WriterCutOff, WriterError
from multidoc_rag.records import LLM, Hit, Prompt

PAPER: tuple[tuple[str, str], ...] = (
    ("Summarize the main ideas across the documents.", "synthesis"),
    ("What are the main sources of risk discussed?", "synthesis"),
    ("Compare how different documents describe the same concept or methodology.", "comparison"),
    ("What are the key assumptions and limitations?", "extraction"),
    ("How do the documents differ in conclusions or policy implications?", "comparison"),
)
"""The report's five questions, Q1 to Q5, and their intents."""

PAPER_K = 6
"""Passages per question in the report: dense, cosine, top 6."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A gold fact: where it stands, word for word, and the needles that one sentence of an answer must hold."""

    document: str
    page: int
    quote: str
    needles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its labelled intent; no facts: the collection cannot answer it (or it is one of the report's)."""

    id: str
    text: str
    intent: str
    facts: tuple[Fact, ...] = ()
    gold: bool = True
    wording: str = ""


@dataclass(frozen=True)
class Setting:
    """One run: the collection, who writes (None: quotes-only), the folder of the questions, the date.

    `limit` bounds the gold questions that are answered, `chosen` names them instead.
    """

    library: Library
    config: Config
    files: Path
    llm: LLM | None = None
    limit: int | None = None
    chosen: tuple[str, ...] = ()
    date: str = ""
    say: Callable[[str], None] = field(default=lambda line: None, repr=False)

    @property
    def model(self) -> str:
        """Who writes the answers."""
        return self.llm.name if self.llm else "quotes"

    @property
    def reasoner(self) -> MultiDocReasoner:
        """The reasoning layer with this run's configuration."""
        return MultiDocReasoner(config=self.config)

    def stamp(self, experiment: str, title: str) -> dict[str, Any]:
        """What every result file begins with."""
        head: dict[str, Any] = {"experiment": experiment, "title": title, "model": self.model}
        head["config_fingerprint"] = self.config.fingerprint
        gold = (self.files / "gold.json").read_bytes()
        documents = self.library.documents()
        head["collection"] = {
            "documents": len(documents),
            "chunks": sum(document.chunks for document in documents),
            "gold_sha256": hashlib.sha256(gold).hexdigest()[:12],
        }
        return head | ({"date": self.date} if self.date else {})

    def answered(self, questions: Sequence[Question], default: int | None) -> list[Question]:
        """Those of the questions that this run answers: the chosen ones, or an even sample of them."""
        if self.chosen:
            return [question for question in questions if question.id in self.chosen]
        return spread_sample(questions, default if self.limit is None else self.limit)

    def paper_hits(self, question: str, k: int = PAPER_K) -> list[Hit]:
        """The report's retrieval: dense, cosine, the k best."""
        return self.library.search(question, k=k, mode="dense")


@dataclass(frozen=True, slots=True)
class Check:
    """A named statement; `detail` says what was seen. A `target` is a figure aimed at: missing it is reported and is no
    failure, as a broken contract is."""

    name: str
    passed: bool
    detail: str = ""
    target: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """One experiment's result file (`record`), its checks and the tables to print."""

    name: str
    record: dict[str, Any]
    checks: tuple[Check, ...] = ()
    tables: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The record with its checks."""
        return {**self.record, "checks": [asdict(check) for check in self.checks]}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model wrote for one prompt; `failure` is the error's class and sentence where nothing came."""

    text: str
    cited: Cited
    failure: str = ""
    finish_reason: str = ""


def gold_questions(files: Path) -> list[Question]:
    """The questions of `gold.json` in file order."""
    rows = json.loads((files / "gold.json").read_text(encoding="utf-8"))["questions"]
    return [
        Question(
            row["id"],
            row["question"],
            row["intent"],
            tuple(Fact(f["document"], f["page"], f["quote"], tuple(f["needles"])) for f in row["facts"]),
            wording=row.get("wording", ""),
        )
        for row in rows
    ]


def paper_questions(numbers: Iterable[int] = (1, 2, 3, 4, 5)) -> list[Question]:
    """The report's questions by number."""
    return [Question(f"Q{n}", *PAPER[n - 1], (), False) for n in numbers]


def spread_sample(questions: Sequence[Question], size: int | None) -> list[Question]:
    """`size` questions at even distances in the order given (all when None): the same ones in every run."""
    if size is None or size >= len(questions):
        return list(questions)
    return [questions[(2 * i + 1) * len(questions) // (2 * size)] for i in range(size)]


def write(setting: Setting, prompt: Prompt, max_tokens: int | None = None) -> Reply:
    """The model's reply to exactly this prompt, kept in the collection so that an interrupted run resumes.

    No other writer takes over: a failure is a result here (F4). A reply that came is kept with how it ended.
    """
    if setting.llm is None:
        raise ValueError("quotes-only reads no prompt")
    config, store = setting.config, setting.library.store
    limit = max_tokens or config.max_tokens
    sent: list[Any] = [setting.model, config.temperature, limit, [[m.role, m.content] for m in prompt.messages]]
    key = "evaluation-" + hashlib.sha256(json.dumps(sent).encode()).hexdigest()
    kept = store.cached_reply(key)
    if kept is None:
        started = time.perf_counter()
        try:
            stream = setting.llm.stream(prompt.messages, temperature=config.temperature, max_tokens=limit)
            text = "".join(stream).strip()
            if not text:
                raise WriterCutOff(f"{setting.model} answered with nothing.")
        except WriterError as error:
            setting.say(f"    failed: {error}")
            return Reply("", resolve("", prompt.evidence), f"{type(error).__name__}: {error}")
        kept = json.dumps({"text": text, "finish_reason": getattr(stream, "finish_reason", "")})
        store.keep_reply(key, kept)
        setting.say(
            f"    about {prompt.tokens} tokens read, {len(text)} characters written, "
            f"{time.perf_counter() - started:.1f} s"
        )
    reply = json.loads(kept)
    cited = resolve(reply["text"], prompt.evidence, page_of=setting.library.page_of)
    return Reply(reply["text"], cited, "", reply["finish_reason"])


def placed(hits: Sequence[Hit]) -> list[Hit]:
    """The hits with scores that fall in the order given, so that a prompt built without reordering keeps that order."""
    return [replace(hit, score=float(len(hits) - index)) for index, hit in enumerate(hits)]


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A plain text table: the first column to the left, the others to the right; numbers with three decimals."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *cells, strict=True)]
    lines = []
    for line in ([*headings], ["-" * width for width in widths], *cells):
        padded = (
            text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(line, widths, strict=True))
        )
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def rounded(value: Any) -> Any:
    """Floats in nested lists and dictionaries cut to four decimals, for files that are read and compared by people."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list | tuple) else value
