"""Sentences and table rows that state something checkable: a value, a date, a yes or a no.

Pure functions. A claim is a stretch of a document's clean text with what it is understood by: a table's caption and
heads, or the sentence before where it begins with a pronoun. What it states is parsed from the text when needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from zlib import crc32

from multidoc_rag.language import content_words, sentence_spans
from multidoc_rag.measures import COMMA_LANGUAGES, Measure, measures
from multidoc_rag.periods import Period, periods
from multidoc_rag.records import Table

VERSION = 1
"""Grows when claims are cut or read in another way: stored ones are then made anew."""

SHORTEST, LONGEST = 4, 90
"""Words of a sentence that is taken for a claim."""
MOST_CELLS = 12
"""Cells of a table row beyond which it is data to compute with, not a statement."""

_PRONOUN = re.compile(
    r"(?i)^(?:it|its|they|their|these|this|that|those|he|she|the (?:figure|number|rate|value|total)"
    r"(?!\s+(?:of|number|value))|the (?:same|former|latter))\b"
)
NEGATIVE = re.compile(
    r"(?i)\b(?:no|not(?!\s+(?:only|just|merely))|none|never|nobody|neither|nor|cannot|without|nothing|no one|"
    r"isn't|aren't|wasn't|weren't|doesn't|don't|didn't|won't|can't|nicht|kein\w*|nie|ne\s+\w+\s+pas|aucun\w*|ningún|"
    r"nunca)\b"
)
_NO_EVENT = re.compile(r"No(?=\s+[a-z]+\s+[a-z]+)(?!\s+(?:more|less|later|longer|fewer|other|doubt|one|such))")
_NAME = re.compile(r"\b[A-Z][\w'&-]*(?:\s+[A-Z][\w'&-]*)*")
_ROLES = (
    "contract|contractor|supplier|operator|owner|manufacturer|chair|chairman|chairwoman|chairperson|director|president|auditor|"
    "architect|insurer|landlord|tenant|designer|manager|sponsor|publisher|distributor|winner|editor|author|founder"
)
_PARTY = r"(?P<name>[A-Z][\w'&-]+(?:\s+[A-Z][\w'&-]+)+)"
_PARTIES = (
    re.compile(
        rf"{_PARTY}\s+(?:is|was|were|became|remains|remained|serves\s+as|acts\s+as|served\s+as|acted\s+as)\s+"
        rf"(?:the|its|our)\s+(?:[\w-]+\s+){{0,2}}?(?P<role>{_ROLES})\b"
    ),
    re.compile(
        rf"\b(?P<role>{_ROLES})\b[^.;,]{{0,60}}?\s(?:is|was|are|were|awarded\s+to|won\s+by|went\s+to|given\s+to)\s+{_PARTY}"
    ),
)
NONE_OF, PARTY = 1 << 60, 1 << 57
_NO_NAME = frozenset(
    re.split(
        r"\s+",
        "i the a an in on at of from to by for and or but if when while table figure section clause january february "
        "march april may june july august september october november december monday tuesday wednesday thursday friday "
        "saturday sunday eur usd gbp we our it its he she they this that these those no none nobody each every all",
    )
)
_BRACKETED = re.compile(r"\(([^()]{1,30})\)")
_NONE_AT_ALL = re.compile(r"(?i)\b(?:no(?!\s+(?:more|less|later|longer|fewer|other|doubt))|none|nobody|no one|never)\b")
_HEDGED = re.compile(
    r"(?i)\b(?:some|certain|most|many|might|could|sometimes|either|usually|generally|exceptions?|unless|whether|if|"
    r"what|which)\b"
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
_RULE = re.compile(r"(?i)\b(?:shall|must|may not|is required|are required|has to|have to|is to|are to|should)\b")
_DENIED = re.compile(r"(?i)\b(?:not|never|cannot|n't|no)(?:\s+\w+){0,3}\s+$")
_PROSE_END = re.compile(r"[.!?:;][\"”’)\]]*$")
_OPEN_END = re.compile(
    r"(?i)(?:\b(?:the|a|an|of|or|and|to|in|on|at|for|with|by|from|than|per|its|their|is|was|are|were)|,)$"
)
_LIST_MARK = re.compile(r"(?:\(?\d{1,2}[.)]|[•‣◦*–-]|\(?[a-z]\))\s")
_SPLIT = re.compile(r"(?<=[A-Za-z%°²³]\.)\s+(?=[A-Z][a-z]+\s)")

# pairs of words that say the opposite, by stem
_OPPOSITES = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        ("approv accept grant agre", "refus reject deni declin"),
        ("increas rise rose grew grow", "decreas declin fell fall fallen drop shrank"),
        ("permit allow", "prohibit forbid forbidden ban"),
        ("mandatori compulsori", "option voluntari"),
        ("includ cover", "exclud"),
        ("present instal fit", "absent miss remov"),
        ("open", "close shut"),
        ("safe", "unsaf danger"),
        ("complet finish", "unfinish incomplet"),
        ("success succeed", "fail failur unsuccess"),
        ("valid", "invalid void"),
        ("effect", "ineffect"),
        ("before", "after"),
    )
)
_OPPOSED = frozenset().union(*(side for pair in _OPPOSITES for side in pair))


@dataclass(frozen=True)
class Claim:
    """One sentence or table row of a document; `text` is verbatim its clean text between start and end.

    `context` is what it is understood by: the sentence before, or a table's caption and column head (with a tab
    between). `cell` is where in `text` a row's own value stands. The typed parts (measures, periods, ...) are read from
    the text on demand. `mask` has a bit for each kind of thing it states (`kinds`), all bits where that is not known.
    """

    document_id: str
    document_name: str
    start: int
    end: int
    text: str
    context: str = ""
    table: bool = False
    language: str = "en"
    cell: tuple[int, int] | None = None
    mask: int = -1

    @property
    def shown(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @property
    def embedded(self) -> str:
        """What is embedded: the sentence with what it is understood by; of a row its first cell, head and own cell."""
        if self.cell:
            value = " ".join(self.text[slice(*self.cell)].split())
            caption = f"{self.caption}: " if len(self.row_words) < 2 else ""
            return f"{caption}{' '.join(self.text.split(chr(9))[0].split())} {self.head} {value}"
        return f"{self.context} {self.shown}" if self.context else self.shown

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """Its numbers with units, labels (clause 7) left out; offsets are those of `text`. "No event" counts none."""
        found = [measure for measure in _measures(self.text, self.language) if measure.dimension != "label"]
        if self.cell:
            found = [measure for measure in found if self.cell[0] <= measure.start < self.cell[1]]
            return tuple(_with_unit(measure, self.text, self.context) for measure in found)
        if found and _LIST_MARK.match(self.text) and found[0].start < 3:
            found = found[1:]  # the number of a list item
        if none := _NO_EVENT.match(self.text):
            found.insert(0, Measure(none.start(), none.end(), none.group(), 0.0, 0.0, 1.0, "count"))
        return tuple(found)

    @property
    def caption(self) -> str:
        """A row's table caption."""
        return self.context.partition("\t")[0] if self.cell else ""

    @property
    def head(self) -> str:
        """The head of a row's column."""
        return self.context.partition("\t")[2] if self.cell else ""

    @cached_property
    def row_words(self) -> frozenset[str]:
        """Stems of what a row's first cell says."""
        return frozenset(stems(self.text.partition("\t")[0], self.language)) if self.cell else frozenset()

    @cached_property
    def caption_words(self) -> frozenset[str]:
        """Stems of a row's table caption."""
        return frozenset(stems(self.caption, self.language))

    @cached_property
    def pair_words(self) -> tuple[tuple[tuple[int, int], str, bool], ...]:
        """Its words that have an opposite: where, the stem, and whether it is denied ("not covered")."""
        return tuple(
            (match.span(), stem, bool(_DENIED.search(self.text[: match.start()])))
            for match in re.finditer(r"[^\W\d_]{3,}", self.text)
            for stem in stems(match.group(), self.language)
            if stem in _OPPOSED
        )

    @cached_property
    def labels(self) -> frozenset[tuple[str, float]]:
        """What it numbers: {("phase", 1.0), ("berth", 2.0)}."""
        found = _measures(self.text, self.language)
        return frozenset((measure.unit.rstrip("s"), measure.low) for measure in found if measure.dimension == "label")

    @cached_property
    def full_names(self) -> frozenset[tuple[str, ...]]:
        """Its proper names as folded words; a sentence's first word only as part of a longer name."""
        found = set()
        for match in _NAME.finditer(self.shown.replace("’", "'")):
            if match.start() or " " in match.group():
                name = (word.casefold().removesuffix("'s") for word in match.group().split())
                found.add(tuple(word for word in name if word not in _NO_NAME))
        return frozenset(found - {()})

    @cached_property
    def names(self) -> frozenset[str]:
        """The words of its proper names."""
        return frozenset(word for name in self.full_names for word in name)

    @cached_property
    def kinds(self) -> int:
        """A bit for each kind of thing stated: dimensions, dates, opposites, denials (held against anything)."""
        bits = sum({1 << (crc32(measure.dimension.encode()) % 56) for measure in self.measures})
        bits |= (1 << 56) if self.periods else 0
        bits |= (1 << 58) if any(self.words & (left | right) for left, right in _OPPOSITES) else 0
        bits |= PARTY if self.party else 0
        bits |= NONE_OF if self.measures and self.measures[0].low == 0 and self.measures[0].text == "No" else 0
        return bits | ((1 << 59) - 1) if self.negative and not self.cell else bits | (1 << 59)

    @cached_property
    def party(self) -> tuple[str, tuple[int, int]] | None:
        """A role that it gives to one name: the role's stem, and where in `text` the name stands."""
        found = [(match["role"], match.span("name")) for pattern in _PARTIES for match in pattern.finditer(self.text)]
        if len(found) != 1 or self.cell:
            return None
        role, place = found[0]
        return re.sub(r"(?:s|or|er|ors|ers|ed)$", "", role.casefold()), place

    @cached_property
    def hedged(self) -> bool:
        """Whether it speaks of some cases only."""
        return bool(_HEDGED.search(self.text))

    def denies(self, other: Claim) -> bool:
        """Whether it denies in words that the other has: what follows its "no", "not" or "never" is said there too."""
        for match in NEGATIVE.finditer(self.text):
            following = stems(" ".join(self.text[match.end() :].split()[:4]), self.language)
            opening = not self.text[: match.start()].split() and _NONE_AT_ALL.match(match.group())
            if opening or (following and following[0] in other.words):
                return True
        return False

    @cached_property
    def periods(self) -> tuple[Period, ...]:
        """The periods it names; of a row, those of its column head."""
        return periods(self.context if self.cell else self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of its content words, numbers left out; of a row also those of its caption and head."""
        text = f"{self.context} {self.text}" if self.cell else self.text
        taken: list[Measure | Period] = [*_measures(text, self.language), *periods(text)]
        for part in sorted(taken, key=lambda part: -part.start):
            text = f"{text[: part.start]} {text[part.end :]}"
        return frozenset(stems(text, self.language))

    @cached_property
    def negative(self) -> bool:
        """Whether it denies something."""
        return bool(NEGATIVE.search(self.text))

    @cached_property
    def denies_all(self) -> bool:
        """Whether it says none, nobody, never."""
        return bool(_NONE_AT_ALL.search(self.text))

    @cached_property
    def rule(self) -> bool:
        """Whether it states an obligation and not an observation."""
        return bool(_RULE.search(self.text))

    def near(self, measure: Measure, reach: int = 6) -> tuple[str, ...]:
        """Stems of the words around a measure, up to the next one on either side, `reach` words each way."""
        if self.cell:
            return tuple(stems(f"{self.context} {self.text}", self.language))
        before = [other.end for other in self.measures if other.end <= measure.start]
        after = [other.start for other in self.measures if other.start >= measure.end]
        left = self.text[max(before, default=0) : measure.start].split()[-reach:]
        right = self.text[measure.end : min(after, default=len(self.text))].split()[:reach]
        return tuple(stems(" ".join(left + right), self.language))

    def counted(self, measure: Measure) -> frozenset[str]:
        """Stems of what a plain number counts: the content words among the three words after it, up to a stop."""
        following = re.split(r"[,.;:()]|\b(?:of|in|on|at|for|with|to|and|or|by|from|than|were|was|are|is)\b",
                             self.text[measure.end :].lstrip("- "), maxsplit=1)[0]  # fmt: skip
        return frozenset(stems(" ".join(following.split()[:4]), self.language))


def opposed(one: Claim, other: Claim) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where two claims say the opposite of each other by a pair of antonyms; None where they do not.

    A denied word ("not covered") counts as its opposite; a claim that has both words says nothing by them.
    """
    if not (one.pair_words and other.pair_words):
        return None
    for left, right in _OPPOSITES:
        sides = []
        for claim in (one, other):
            found = [
                (place, (stem in left) != denied)
                for place, stem, denied in claim.pair_words
                if stem in left or stem in right
            ]
            sides.append(found if len({sign for _, sign in found}) == 1 else [])
        if sides[0] and sides[1] and sides[0][0][1] != sides[1][0][1]:
            return sides[0][0][0], sides[1][0][0]
    return None


# --- cutting a document into claims --------------------------------------------------------------


def claims(
    text: str,
    *,
    document_id: str,
    document_name: str,
    tables: Sequence[Table] = (),
    language: str = "en",
    offset: int = 0,
) -> tuple[Claim, ...]:
    """The claims of a document's clean text (or of a passage of it that starts at `offset`), in order.

    Only sentences and rows with something to hold against another document: a number, a date, a negation, a pair word
    such as "approved". Headings, list numbers and very long stretches are left out.
    """

    def made(start: int, end: int, context: str, table: bool) -> Claim:
        where = offset + start, offset + end
        return Claim(document_id, document_name, *where, text[start:end], context, table, language or "en")

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


def _with_unit(measure: Measure, row: str, context: str) -> Measure:
    """A table's bare number with the unit that its row's or column's head gives in brackets."""
    if measure.dimension != "count":
        return measure
    for written in _BRACKETED.findall(f"{row.partition(chr(9))[0]} {context.partition(chr(9))[2]} {context}"):
        money = re.fullmatch(r"([A-Z]{3}|[€$£])\s+(\w+)(?: at .*)?", written)
        unit = next(iter(_measures(f"{money[1]} 1 {money[2]}" if money else f"1 {written}", "en")), None)
        if unit is not None and unit.dimension != "count":
            step = measure.step * (unit.low or 1.0) if "temperature" not in unit.dimension else measure.step
            scale = unit.low if "temperature" not in unit.dimension else 1.0
            offset = unit.low - 1.0 if "temperature" in unit.dimension else 0.0
            values = measure.low * scale + offset, measure.high * scale + offset
            return replace(measure, low=values[0], high=values[1], step=step, dimension=unit.dimension, unit=unit.unit)
    return measure


def _is_claim(claim: Claim) -> bool:
    count = len(claim.shown.split())
    if not SHORTEST <= count <= LONGEST or len(claim.words) < (1 if claim.context else 2) or claim.shown.endswith("?"):
        return False
    if not _PROSE_END.search(claim.shown) and count < 8:
        return False  # a heading
    if (_NUMBERED_HEADING.match(claim.shown) and not _PROSE_END.search(claim.shown)) or _NUMBER_RUN.search(claim.shown):
        return False
    if "\ufffd" in claim.text or len(_FORMULA.findall(claim.text)) > 1:
        return False
    if _EXAMPLE.search(claim.text) or _REFERENCE.search(claim.shown):
        return False
    if any(left & claim.words or right & claim.words for left, right in _OPPOSITES):
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
    if _LIST_MARK.match(following) or last[1] - last[0] > 600:
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


# --- words -----------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _measures(text: str, language: str) -> tuple[Measure, ...]:
    return measures(text, language if language in COMMA_LANGUAGES else "en")


def stems(text: str, language: str) -> list[str]:
    return [word for word in content_words(text, language) if not word[0].isdigit()]
