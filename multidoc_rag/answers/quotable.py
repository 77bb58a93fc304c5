"""Passages cut into what can be quoted: whole sentences, list items and table rows, with their exact offsets.

Pure functions. Headings, page furniture, reference-list entries and sentences cut by a passage's edge are left out.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from multidoc_rag.language import content_words, sentence_spans
from multidoc_rag.records import ChunkKind, Evidence, EvidenceGroup, Passage

LONGEST = 420
"""Characters of the longest quote; longer sentences are cut at list items and semicolons."""


TextBetween = Callable[[str, int, int], str]
"""(document id, start, end) -> that part of the document's clean text, cut at its ends."""

EDGE = 15
"""Characters of a completed sentence that must stand in the passage itself."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable piece of a document: `text` is verbatim its clean text between start and end.

    `rank` is the place (from 0) of its best passage among all passages, `context` the words it is understood by (the
    document's title, section, the sentence before, a table's header row), `page` the first page of its passage.
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


def units(evidence: Evidence, *, language: str = "en", text_between: TextBetween | None = None) -> list[Unit]:
    """The quotable sentences, list items and table rows of the evidence, in evidence order, no span twice.

    Headings, page furniture, reference-list entries and fragments are left out. A fragment (a sentence that the
    passage's edge cuts) is completed by `text_between(document_id, start, end)`, the document's clean text; without it
    a fragment is kept only where its passage holds nothing whole.
    """
    ranked = sorted(evidence.passages, key=lambda passage: -passage.score)
    rank = {id(passage): place for place, passage in reversed(list(enumerate(ranked)))}
    return [unit for group in evidence.groups for unit in _group_units(group, rank, language, text_between)]


class _Piece(NamedTuple):
    """A stretch of a run's text: a sentence, an item or a row; `before` is what it is understood by."""

    start: int
    end: int
    whole: bool
    before: str


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


def _completed(run: _Run, document_id: str, language: str, text_between: TextBetween) -> tuple[_Run, list[_Piece]]:
    """The run with up to `LONGEST` characters of the document before and after it, and the pieces that stand in the
    run itself by `EDGE` characters or more: what only the widening brought in is not evidence."""
    before = text_between(document_id, max(0, run.start - LONGEST), run.start)
    after = text_between(document_id, run.end, run.end + LONGEST)
    if run.start > LONGEST:
        before = re.sub(r"^\S*", "", before)
    if len(after) == LONGEST:
        after = re.sub(r"\S*$", "", after)
    wide = _Run(run.start - len(before), before + run.text + after, run.passages)
    first, last = len(before) + EDGE, len(before) + len(run.text) - EDGE
    return wide, [piece for piece in _sentences(wide, language) if piece.end >= first and piece.start <= last]


def _group_units(
    group: EvidenceGroup, rank: dict[int, int], language: str, text_between: TextBetween | None
) -> list[Unit]:
    found: list[Unit] = []
    about = group.title or re.sub(r"[\W_]+", " ", group.document_name.rpartition(".")[0])
    for run in _runs(group):
        if text_between and run.passages[0].kind == "text":
            run, pieces = _completed(run, group.document_id, language, text_between)
        else:
            pieces = _rows(run.text) if run.passages[0].kind == "table" else _sentences(run, language)
        if any(piece.whole for piece in pieces):
            quotable = [piece for piece in pieces if piece.whole]
        else:
            quotable = sorted(pieces, key=lambda piece: piece.start - piece.end)[:1]
        for start, end, whole, context in quotable:
            at = run.start + start
            home = [p for p in run.passages if p.start < run.start + end and at < p.end] or [run.passages[0]]
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
                    f"{about} {best.section} {context}".strip(),
                    rank[id(best)],
                    best.score,
                    best.page_start,
                    frozenset(content_words(text, language)),
                )
            )
    # two widened runs may complete the same sentence
    by_span = {(unit.start, unit.end): unit for unit in sorted(found, key=lambda unit: -unit.rank)}
    return sorted(by_span.values(), key=lambda unit: (unit.rank, unit.start))


_MISSED_END = re.compile(r"(?<=[a-z0-9)])[a-z)]\.[”’\"]?\s+(?=[A-Z][a-z]*\s)")
_ABBREVIATED = re.compile(
    r"\b(?:al|approx|cf|co|corp|dept|dr|ed|eds|eq|esp|est|etc|fig|figs|inc|jr|ltd|mr|mrs|ms|no|nos|p|pp|prof|sec|sr|st|vol|vs)\.\W*$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"\s*(?:[•◦▪●■□○‣⁃∙·*–—-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])\s+")
_ITEM_BREAK = re.compile(r"\n(?=\s*(?:[•◦▪●■□○‣⁃∙·]|[*–-]\s|\d{1,2}[.)]\s))")
_ENDS = re.compile(r"[.!?;:…。！？；：][\"'”’»)\]]*$")
_FURNITURE = re.compile(
    r"^(?:page|seite|p\.)\s*\d+|\bpage \d+ of \d+\b|\.{5,}|(?:\. ){4,}|^(?:https?://|www\.)\S+$|^©"
    r"|\ball rights reserved\b|^(?:copyright|doi:|issn|isbn|figure|fig\.|table)\s*[\d©:]",
    re.IGNORECASE,
)
_AUTHORS = re.compile(
    r"^\s*(?:\[\d{1,3}\]|\(\d{1,3}\)|\d{1,3}\.)?\s*"
    r"(?:[A-ZÀ-Ý][\w'’-]+,?\s+(?:[A-Z]\.\s?-?){1,3}|(?:[A-Z]\.\s?-?){1,3}[A-ZÀ-Ý][\w'’-]+)[\s,;&.(]"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_VENUE = re.compile(
    r"\bpp?\.\s*\d|\bvol(?:ume)?\b|\bIn:? proc|\bproceedings\b|\bjournal\b|\barxiv|\bdoi\b|\d+\s*[:(]\s*\d+",
    re.IGNORECASE,
)


def _sentences(run: _Run, language: str) -> list[_Piece]:
    """The quotable sentences of a run, in order."""
    text = run.text
    pieces: list[_Piece] = []
    before = ""
    titles = [_title_pattern(title) for title in {passage.section for passage in run.passages if passage.section}]
    spans = [piece for span in sentence_spans(text, language) for piece in _items(text, *span)]
    for start, end in spans:
        raw = text[start:end]
        heading = next((found for title in titles if (found := title.match(raw))), None)
        if heading:
            # a heading without a full stop runs into the sentence after it
            start += heading.end()
            raw = text[start:end]
        marked = _BULLET.match(raw) if len(raw) > 3 else None
        if marked and marked.end() < len(raw):
            start += marked.end()
        start += len(text[start:end]) - len(text[start:end].lstrip())
        end -= len(text[start:end]) - len(text[start:end].rstrip())
        piece = text[start:end]
        if is_quotable(piece, listed=marked is not None, language=language):
            cut_before = start == 0 and run.start > 0 and piece[:1].islower()
            cut_after = end >= len(text.rstrip()) and not marked and not _ENDS.search(piece)
            pieces.append(_Piece(start, end, not (cut_before or cut_after), before))
        before = piece[-200:]
    return _with_lists(text, pieces)


def _title_pattern(title: str) -> re.Pattern[str]:
    """A section's title at the start of a text, with any white space in it, before a new line."""
    return re.compile(r"\s*" + r"\s+".join(map(re.escape, title.split())) + r"\s*\n\s*(?=\S)")


def _with_lists(text: str, pieces: list[_Piece]) -> list[_Piece]:
    """A lead-in that ends with a colon takes its list items along where the whole stays short; else it is dropped and
    the items are understood by it."""
    result: list[_Piece] = []
    index = 0
    while index < len(pieces):
        start, end, whole, before = pieces[index]
        index += 1
        if not text[start:end].endswith(":"):
            result.append(_Piece(start, end, whole, before))
            continue
        items = list(itertools.takewhile(lambda piece: _is_item(text, piece.start), pieces[index:]))
        if items and items[-1].end - start <= LONGEST:
            result.append(_Piece(start, items[-1].end, whole and items[-1].whole, before))
        else:
            lead = text[start:end]
            result += [item._replace(before=lead) for item in items]
        index += len(items)
    return result


def _is_item(text: str, start: int) -> bool:
    line = text.rfind("\n", 0, start) + 1
    return bool(_BULLET.fullmatch(text[line:start]))


def _items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence cut where a new list item begins and, when it is very long, at semicolons and lines."""
    cuts = [start, *(start + match.start() for match in _ITEM_BREAK.finditer(text[start:end])), end]
    for match in _MISSED_END.finditer(text, start, end):
        # the sentence splitter takes some short words for abbreviations ("in the hall. Its roof ...")
        if not _ABBREVIATED.search(text[start : match.end()]):
            cuts.append(match.end())
    pieces = [(a, b) for a, b in itertools.pairwise(sorted(set(cuts))) if text[a:b].strip()]
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


_NAMES = re.compile(r"[^\W\d_]{3,}|[\u3040-\u9fff]")


def _rows(text: str) -> list[_Piece]:
    """Lines of a table passage; the first line is the header the others are understood by."""
    lines = [(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text) if m[0].strip()]
    if not lines:
        return []
    header = text[slice(*lines[0])]
    body = lines[1:] if len(lines) > 1 and not re.search(r"\d", header) else lines
    return [_Piece(a, b, True, header) for a, b in body if len(_NAMES.findall(text[a:b])) > 1]


def is_quotable(text: str, *, listed: bool = False, language: str = "en") -> bool:
    """Whether `text` reads as a statement: no heading, furniture, reference entry, scrap. `listed`: it had a bullet."""
    flat = " ".join(text.split())
    letters = sum(character.isalpha() for character in flat)
    if letters < 0.5 * len(flat.replace(" ", "")) or (len(flat) < 15 and not re.search(r"[\u3040-\u9fff]", flat)):
        return False
    if _FURNITURE.search(flat) or (_AUTHORS.match(flat) and _YEAR.search(flat) and _VENUE.search(flat)):
        return False
    if len(content_words(flat, language)) < (2 if listed or re.search(r"\d", flat) else 3):
        return False
    return listed or bool(_ENDS.search(flat)) or not _is_heading(flat)


_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*|[A-Z]\.\d{1,2}(?:\.\d{1,2})*)\.?\s+[A-Z]")


def _is_heading(text: str) -> bool:
    if _NUMBERED.match(text) and len(text.split()) <= 14:
        return True
    tokens = [token for token in text.split() if token[:1].isalpha() and len(token) > 3]
    capital = sum(token[:1].isupper() for token in tokens)
    return len(text.split()) <= 14 and (len(text.split()) <= 5 or capital >= 0.6 * len(tokens))
