"""The writer that needs no model: verbatim sentences of the evidence, chosen for the question, laid out by its intent.

Every bullet is a quote with the place it was taken from; headings and lead lines state no fact of their own.
Synthesis: themes that documents share, then what each adds. Comparison: common ground, differences side by side, what
only one says. Extraction: bullets by document, the best match first where one value is asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from rapidfuzz import fuzz

from multidoc_rag.answers.citations import labels
from multidoc_rag.answers.prompts import REFUSAL
from multidoc_rag.answers.quotable import TextBetween, Unit, units
from multidoc_rag.answers.salience import (
    asked,
    numbers,
    of_kind,
    polarity,
    prefilter,
    rarity,
    salience,
    shared_words,
    speaks,
)
from multidoc_rag.answers.themes import key_phrase
from multidoc_rag.config import Config
from multidoc_rag.language import detect_language, fold
from multidoc_rag.records import Citation, Embedder, Evidence, Place, Sentence

PageOf = Callable[[str, int], int]

NO_DIRECT_ANSWER = "Nothing in these documents seems to answer this directly. Nearest passages:"
"""Stands before the quotes when the evidence is on the subject but hardly on the question."""

ONE_DOCUMENT = "Only one document speaks to this."
"""Opens an answer that should have come from several documents."""

SAME = 93.0
"""Sentences whose folded texts are this alike (rapidfuzz ratio, 0..100) and hold the same numbers say the same."""
ROW = 0.40
"""Least relatedness of sentences of two documents that are shown together as being about the same thing."""
ALIKE = 0.55
"""Least relatedness at which a row without differing numbers or polarity is common ground."""
MARGIN = 1.1
"""How far below the best sentence's score one may fall in an answer from several documents (scores run from 0 to 3)."""
ROW_LENGTH = 4
"""Most sentences in a row."""
NEAREST = 6
"""Quotes shown under NO_DIRECT_ANSWER."""


@dataclass(frozen=True, slots=True)
class Composition:
    """An answer made of quotes: Markdown `text`, its sentences, their citations, whether it is a refusal."""

    text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    refused: bool


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """What one bullet says: the sentence quoted, and where other documents say it in nearly the same words."""

    unit: Unit
    vector: np.ndarray
    score: float
    others: tuple[Unit, ...] = ()

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of the documents that say it."""
        return tuple(dict.fromkeys(unit.document_id for unit in (self.unit, *self.others)))


def compose(
    evidence: Evidence,
    *,
    embedder: Embedder,
    config: Config,
    page_of: PageOf | None = None,
    text_between: TextBetween | None = None,
) -> Composition:
    """The answer in quotes for this evidence, at most `Config.quotes_sentences` sentences.

    `page_of(document_id, offset)` gives the page on which an offset of the document's clean text lies; without it a
    quote is cited with the first page of its passage. `text_between(document_id, start, end)` gives its clean text:
    sentences cut by a passage's edge are completed by it. Sentences are encoded in one call, at most
    `Config.quotes_candidates` of them.
    Refused (text is `prompts.REFUSAL`, no citations) when no sentence speaks to the question.
    """
    language = detect_language(" ".join(passage.text for passage in evidence.passages[:4])) or "en"
    # names of documents match every sentence of theirs: what is asked of them is what tells sentences apart
    wanted = evidence.focus or evidence.question
    question = asked(wanted, evidence.intent.name, language=language)
    found = prefilter(
        of_kind(units(evidence, language=language, text_between=text_between), question),
        question,
        config.quotes_candidates,
    )
    if not found:
        return refusal()
    vectors = embedder.encode([unit.shown for unit in found])
    query = embedder.encode_query(wanted)
    foreign = detect_language(evidence.question) not in ("", language)
    match = speaks(found, vectors, query, question, foreign=foreign)
    if match == "not":
        return refusal()
    points = _points(found, vectors, salience(found, vectors, query, question))
    page = _Page(page_of)
    if match == "hardly":
        page.line(NO_DIRECT_ANSWER)
        page.bullets(points[:NEAREST])
    elif question.direct:
        _look_up(page, points, config)
    elif len({document for point in points for document in point.documents}) == 1:
        if evidence.intent.name != "extraction" and len(evidence.groups) > 1:
            page.line(ONE_DOCUMENT)
        _one_document(page, points, evidence.intent.name == "synthesis", config)
    elif evidence.intent.name == "extraction":
        _extraction(page, points, config)
    elif evidence.intent.name == "comparison":
        _comparison(page, points, config)
    else:
        _synthesis(page, points, config)
    page.rest(evidence)
    return page.composition()


def refusal() -> Composition:
    """The one refusal sentence and nothing else."""
    return Composition(REFUSAL, (Sentence(REFUSAL),), (), True)


# --- choosing ----------------------------------------------------------------------------------


def _points(found: Sequence[Unit], vectors: np.ndarray, scores: np.ndarray) -> list[Point]:
    """Units as points, best first; near-identical sentences joined into one point that cites all of their documents."""
    points: list[Point] = []
    folded: list[str] = []
    for i in sorted(range(len(found)), key=lambda i: -scores[i]):
        text = fold(found[i].text)
        for at, known in enumerate(folded):
            if float(vectors[i] @ points[at].vector) > 0.85 and _says_the_same(text, known):
                if found[i].document_id not in points[at].documents:
                    points[at] = replace(points[at], others=(*points[at].others, found[i]))
                break
        else:
            points.append(Point(found[i], vectors[i], float(scores[i])))
            folded.append(text)
    return points


def _says_the_same(one: str, other: str) -> bool:
    same = (
        one == other
        or fuzz.ratio(one, other) >= SAME
        or (min(len(one), len(other)) > 40 and (one in other or other in one))
    )
    return same and numbers(one) == numbers(other) and polarity(one) == polarity(other)


def choose(points: Sequence[Point], limit: int, *, margin: float, fresh: float = 0.15, least: int = 3) -> list[Point]:
    """Greedy choice: score, less what resembles a chosen point, plus `fresh` for a document not heard yet.

    Past `least` points it stops where the score falls more than `margin` below the best one's. (Maximal marginal
    relevance, Carbonell and Goldstein 1998.)
    """
    chosen: list[Point] = []
    rest = list(points)
    while rest and len(chosen) < limit:
        heard = {document for point in chosen for document in point.documents}

        def gain(point: Point, heard: set[str] = heard) -> float:
            alike = max((float(point.vector @ other.vector) for other in chosen), default=0.0)
            return point.score - max(0.0, alike - 0.6) + fresh * (point.unit.document_id not in heard)

        best = max(rest, key=gain)
        if len(chosen) >= least and best.score < points[0].score - margin:
            new = [point for point in rest if point.score >= points[0].score - margin]
            if not new:
                break
            best = max(new, key=gain)
        chosen.append(best)
        rest.remove(best)
    return chosen


def rows(points: Sequence[Point], *, margin: float) -> tuple[list[list[Point]], list[Point]]:
    """Points of different documents that are about the same thing, side by side, and points that stand alone.

    A row holds at most one point of a document. Seeds are taken best first; each brings the most related sentence of
    every other document, if it is related enough to all that stand in the row.
    """
    able = [point for point in points if point.score >= points[0].score - margin]
    weight = rarity([point.unit for point in points])
    used: set[int] = set()
    together: list[list[Point]] = []
    alone: list[Point] = []
    for seed in able:
        if id(seed) in used:
            continue
        row, seen = [seed], set(seed.documents)
        close = [(relatedness(seed, point, weight), point) for point in able if id(point) not in used]
        for near, partner in sorted(close, key=lambda pair: -(pair[0] + 0.2 * pair[1].score)):
            if len(row) == ROW_LENGTH or near < ROW or seen & set(partner.documents):
                continue
            if all(relatedness(partner, other, weight) >= 0.75 * ROW for other in row):
                row.append(partner)
                seen |= set(partner.documents)
        used |= {id(point) for point in row}
        if len(seen) > 1:
            together.append(row)
        else:
            alone.append(seed)
    return together, alone


def relatedness(one: Point, other: Point, weight: dict[str, float]) -> float:
    """How far two sentences are about the same thing, 0..1: the mean of their cosine and their shared words by rarity.

    Names that every sentence holds push cosines up; rarity takes them out.
    """
    return (float(one.vector @ other.vector) + shared_words(one.unit.words, other.unit.words, weight)) / 2


# --- the layouts -------------------------------------------------------------------------------


def _look_up(page: _Page, points: list[Point], config: Config) -> None:
    several = len(_documents(points)) > 1
    chosen = choose(points, config.quotes_sentences, margin=0.6 if several else 0.35, least=6 if several else 1)
    page.heading("Best match")
    page.bullets(chosen[:1])
    if chosen[1:]:
        page.heading("Also relevant")
        page.bullets(chosen[1:])


def _one_document(page: _Page, points: list[Point], in_order: bool, config: Config) -> None:
    chosen = choose(points, config.quotes_sentences, margin=0.4, least=2)
    page.bullets(sorted(chosen, key=lambda point: point.unit.start) if in_order else chosen)


def _extraction(page: _Page, points: list[Point], config: Config) -> None:
    _by_document(page, choose(points, config.quotes_sentences, margin=MARGIN))


def _by_document(page: _Page, points: Sequence[Point]) -> None:
    for name in dict.fromkeys(point.unit.document_name for point in points):
        page.heading(name)
        page.bullets([point for point in points if point.unit.document_name == name])


def _comparison(page: _Page, points: list[Point], config: Config) -> None:
    shown = _within(*rows(points, margin=MARGIN), config.quotes_sentences, bonus=0.5)
    weight = rarity([point.unit for point in points])
    together = [row for row in shown if len(_documents(row)) > 1]
    common = [row for row in together if _agree(row, weight)]
    differences = [row for row in together if not _agree(row, weight)]
    single = [point for row in shown if len(_documents(row)) == 1 for point in row]
    if len(_documents([*itertools.chain(*shown)])) == 1:
        page.line(ONE_DOCUMENT)
    if common:
        page.heading("Common ground")
        page.rows(common, points)
    if differences:
        page.heading("Key differences, side by side")
        page.rows(differences, points)
    if single:
        page.heading("Edge cases and what only one document says")
        page.bullets(single)


def _synthesis(page: _Page, points: list[Point], config: Config) -> None:
    shown = _within(*rows(points, margin=MARGIN), config.quotes_sentences, bonus=0.2)
    themes = [row for row in shown if len(_documents(row)) > 1]
    single = [point for row in shown if len(_documents(row)) == 1 for point in row]
    count = len(_documents([*itertools.chain(*shown)]))
    page.line(f"{count} documents speak to this, in their own words:" if count > 1 else ONE_DOCUMENT)
    if themes:
        page.heading("Shared themes")
        page.rows(themes, points)
    if single:
        page.heading("What each document adds")
        _by_document_inline(page, single)


def _documents(points: Sequence[Point]) -> set[str]:
    return {document for point in points for document in point.documents}


def _by_document_inline(page: _Page, points: Sequence[Point]) -> None:
    for name in dict.fromkeys(point.unit.document_name for point in points):
        page.label(name)
        page.bullets([point for point in points if point.unit.document_name == name])


def _within(together: list[list[Point]], alone: list[Point], budget: int, *, bonus: float) -> list[list[Point]]:
    """Rows (preferred by `bonus`) and single points, best first, as many as the budget of sentences allows."""
    pool = [*together, *([point] for point in alone)]
    pool.sort(key=lambda row: -max(point.score for point in row) - bonus * (len(row) > 1))
    shown: list[list[Point]] = []
    left = budget
    for row in pool:
        if len(row) <= left:
            shown.append(row)
            left -= len(row)
    return shown


def _agree(row: Sequence[Point], weight: dict[str, float]) -> bool:
    figures = {numbers(point.unit.text) for point in row}
    closest = min((relatedness(a, b, weight) for a, b in itertools.combinations(row, 2)), default=1.0)
    return len(figures) == 1 and len({polarity(point.unit.text) for point in row}) == 1 and closest >= ALIKE


LISTED = 10
"""Documents named as not quoted; of a large library only their number is of use."""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:LISTED]) + (f" and {len(names) - LISTED} more" if len(names) > LISTED else "")


# --- writing it down ---------------------------------------------------------------------------


@dataclass
class _Page:
    """The Markdown under way, with its sentences and citations."""

    page_of: PageOf | None
    blocks: list[str] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)

    def line(self, text: str) -> None:
        self.blocks.append(text)

    def heading(self, text: str) -> None:
        self.blocks.append(f"### {text}")

    def label(self, text: str) -> None:
        self.blocks.append(f"**{text}**")

    def rows(self, rows: Sequence[Sequence[Point]], background: Sequence[Point]) -> None:
        for row in rows:
            phrase = key_phrase([point.unit for point in row], [point.unit for point in background])
            if phrase:
                self.label(phrase)
            self.bullets(row)

    def bullets(self, points: Sequence[Point]) -> None:
        self.blocks.append("\n".join(self._bullet(point) for point in points))

    def rest(self, evidence: Evidence) -> None:
        """Which documents were read and not quoted, and in which nothing was found."""
        quoted = {citation.document_id for citation in self.citations}
        read = [group.document_name for group in evidence.groups if group.passages and group.document_id not in quoted]
        empty = [group.document_name for group in evidence.groups if not group.passages]
        if read:
            self.blocks.append(f"Read, with nothing closer to the question: {_listed(read)}.")
        if empty:
            self.blocks.append(f"Nothing found in: {_listed(empty)}.")

    def composition(self) -> Composition:
        return Composition("\n\n".join(self.blocks), tuple(self.sentences), tuple(self.citations), False)

    def _bullet(self, point: Point) -> str:
        cited = [self._cite(unit) for unit in (point.unit, *point.others)]
        quote = f"“{point.unit.shown}”" if point.unit.whole else f"… “{point.unit.shown}” …"
        self.sentences.append(Sentence(quote, tuple(citation.n for citation in cited)))
        return f"- {quote} {labels(cited)}"

    def _cite(self, unit: Unit) -> Citation:
        citation = Citation(
            n=len(self.citations) + 1,
            document=unit.document_name,
            document_id=unit.document_id,
            places=self._places(unit),
            quote=unit.text,
            section=unit.section,
            score=unit.score,
            start=unit.start,
            end=unit.end,
        )
        self.citations.append(citation)
        return citation

    def _places(self, unit: Unit) -> tuple[Place, ...]:
        if self.page_of is None:
            return (Place(unit.page),)
        first, last = self.page_of(unit.document_id, unit.start), self.page_of(unit.document_id, unit.end - 1)
        return tuple(Place(number) for number in range(first, last + 1))
