"""Sentences and table rows that state something checkable: a value, a date, a yes or a no.

Pure functions. A claim is a stretch of a document's clean text with what it is understood by: a table's caption and
heads, or the sentence before where it begins with a pronoun. What it states is read in typed_claims.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from multidoc_rag.disputes.editions import OPENING, edition
from multidoc_rag.disputes.subjects import subject
from multidoc_rag.disputes.typed_claims import LIST_MARK, OPPOSITES, Claim
from multidoc_rag.language import sentence_spans
from multidoc_rag.records import Table

__all__ = ["VERSION", "Claim", "claims"]

VERSION = 4
"""Grows when claims are cut or read in another way: stored ones are then made anew."""

SHORTEST, LONGEST = 4, 90
"""Words of a sentence that is taken for a claim."""
MOST_CELLS = 12
"""Cells of a table row beyond which it is data to compute with, not a statement."""

_PRONOUN = re.compile(
    r"(?i)^(?:it|its|they|their|these|this|that|those|he|she|the (?:figure|number|rate|value|total)"
    r"(?!\s+(?:of|number|value))|the (?:same|former|latter))\b"
)
_REFERENCE = re.compile(
    r"\b\d+\s*(?:\(\d+[\d–-]*\))?\s*:\s*\d+\s*[–-]\s*\d+|\bpp?\.\s*\d+\s*[–-]|\bpages \d+\s*[–-]\s*\d+|"
    r"\b(?:Proceedings|Proc\.|Journal of|Transactions on|Annual Meeting of|arXiv|doi|vol\. \d)\b|"
    r"^[A-Z][\w.'’ -]+, [A-Z]\.|"
    r"^(?:Figure|Table|Fig\.) \d+[:.]|\bVolume \d+, (?:Number|Issue) \d+|"
    r"\b[A-Z]\. [A-Z][a-z]+(?:,| and)[^.]*\. (?:19|20)\d\d[a-z]?\."
)
"""An entry of a reference list, a caption."""
_NUMBERED_HEADING = re.compile(r"\d+(?:\.\d+)*\.?\s+[A-Z]")
_NUMBER_RUN = re.compile(r"(?:(?<!\S)[\d.,]+\s+){3}[\d.,]+(?!\S)")
_FORMULA = re.compile(r"[=<>{}|~^∑∏∫]")
_EXAMPLE = re.compile(r"(?i)\b(?:for example|for instance|e\.g\.|suppose|imagine|say,)|^such as\b")
_PROSE_END = re.compile(r"[.!?:;][\"”’)\]]*$")
_OPEN_END = re.compile(
    r"(?i)(?:\b(?:the|a|an|of|or|and|to|in|on|at|for|with|by|from|than|per|its|their|is|was|are|were)|,)$"
)
_SPLIT = re.compile(r"(?<=[A-Za-z%°²³]\.)\s+(?=[A-Z][a-z]+\s)")


# --- cutting a document into claims --------------------------------------------------------------


def claims(
    text: str,
    *,
    document_id: str,
    document_name: str,
    tables: Sequence[Table] = (),
    language: str = "en",
    offset: int = 0,
    opening: str | None = None,
) -> tuple[Claim, ...]:
    """The claims of a document's clean text (or of a passage of it that starts at `offset`), in order.

    Only sentences and rows with something to hold against another document: a number, a date, a negation, a pair word
    such as "approved". Headings, list numbers and very long stretches are left out. `opening` is the document's first
    page, which speaks of its edition and its subject; by default the text itself where it begins the document.
    """

    first = text[:OPENING] if opening is None and not offset else (opening or "")[:OPENING]
    own, about = edition(first, document_name), subject(first, document_name)

    def made(start: int, end: int, context: str, table: bool) -> Claim:
        where = offset + start, offset + end
        claim = Claim(document_id, document_name, *where, text[start:end], context, table, language or "en")
        return replace(claim, edition=own, about=about)

    found: list[Claim] = []
    for table in tables:
        heads = [text[a:b].split("\t") for a, b in table.rows[: table.header_rows]]
        for start, end in table.rows[table.header_rows :]:
            found.extend(_cells(made(start, end, "", True), table.caption, heads[-1] if heads else []))
    before = ""
    for start, end in _sentences(text, language, [(table.start, table.end) for table in tables]):
        sentence = made(start, end, before if _PRONOUN.match(text[start:end]) else "", False)
        before = sentence.shown if len(sentence.shown.split()) <= LONGEST else ""
        if _is_claim(sentence):
            found.append(sentence)
    return tuple(replace(claim, mask=claim.kinds) for claim in sorted(found, key=lambda claim: claim.start))


def _cells(row: Claim, caption: str, heads: Sequence[str]) -> Iterator[Claim]:
    """One claim for each value of a row, understood by the caption and its column's head."""
    cells = row.text.split("\t")
    if not 2 <= len(cells) <= MOST_CELLS or not re.search(r"[^\W\d]{3}", cells[0]):
        return
    position = len(cells[0]) + 1
    for number, cell in enumerate(cells[1:], 1):
        head = heads[number] if len(heads) == len(cells) else ""
        context = "\t".join(" ".join(part.split()).rstrip(".") for part in (caption, head))
        claim = replace(row, context=context, cell=(position, position + len(cell)))
        if claim.measures and len(claim.row_words) > 1:
            yield claim
        position += len(cell) + 1


def _is_claim(claim: Claim) -> bool:
    count = len(claim.shown.split())
    # "the rent is 1,200 EUR" is enough where the document says whose rent that is
    least = 1 if claim.context or claim.about.names or claim.about.parties or claim.about.title else 2
    if not SHORTEST <= count <= LONGEST or len(claim.words) < least or claim.shown.endswith("?"):
        return False
    if not _PROSE_END.search(claim.shown) and count < 8:
        return False  # a heading
    if (_NUMBERED_HEADING.match(claim.shown) and not _PROSE_END.search(claim.shown)) or _NUMBER_RUN.search(claim.shown):
        return False
    if "\ufffd" in claim.text or len(_FORMULA.findall(claim.text)) > 1:
        return False
    if _EXAMPLE.search(claim.text) or _REFERENCE.search(claim.shown):
        return False
    if any(left & claim.words or right & claim.words for left, right in OPPOSITES):
        return True
    return bool(
        claim.measures or claim.periods or claim.negative or re.search(r"(?i)\b(?:every|all|each)\b", claim.text)
    )


def _sentences(text: str, language: str, without: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentence spans outside the given stretches; halves that a line break cut apart are joined again."""
    spans: list[tuple[int, int]] = []
    for start, end in sentence_spans(text, language):
        if any(start < right and left < end for left, right in without):
            continue
        if spans and _goes_on(text, spans[-1], start, end):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return [piece for span in spans for piece in _halves(text, span)]


def _goes_on(text: str, last: tuple[int, int], start: int, end: int) -> bool:
    previous, gap, following = text[last[0] : last[1]], text[last[1] : start], text[start:end]
    if _PROSE_END.search(previous) or gap.count("\n") > 2 or len(previous.split()) < 3:
        return False
    if LIST_MARK.match(following) or last[1] - last[0] > 600:
        return False
    if following[0].islower() or _OPEN_END.search(previous):
        return True
    if gap.count("\n") > 1:
        return False
    if following[0].isdigit():
        return bool(re.match(r"\d[\d.,]*\s*(?:%|[^\W\d_])", following)) and not re.match(
            r"\d+(?:\.\d+)*\s+[A-Z][a-z]{2}", following
        )
    # a sentence that stops in the middle of a line's length, before a name
    return len(previous) > 30 and previous[0].isupper() and len(previous.split()) > 5 and len(following.split()) > 2


def _halves(text: str, span: tuple[int, int]) -> list[tuple[int, int]]:
    """A span cut where a unit's full stop ("298 K. The four ...") was taken for an abbreviation's."""
    start, end = span
    pieces = []
    for match in _SPLIT.finditer(text, start, end):
        word = text[max(start, match.start() - 12) : match.start()]
        if re.search(r"(?:\d\s?|\b)(?:[kMGµm]?[WVAmgs]h?|[kMG]?VA|K|[°º]C|%|m[²³]|ms|kg|km|Hz)\.$", word) and re.search(
            r"\d", word
        ):
            pieces.append((start, match.start()))
            start = match.end()
    return [*pieces, (start, end)]
