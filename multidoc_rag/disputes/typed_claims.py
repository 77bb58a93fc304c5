"""What a sentence or a table row states, typed: measures, periods, labels, names, parties, polarity, opposites.

Pure functions. A claim is a stretch of a document's clean text with what it is understood by; its typed parts are read
from the text when they are first asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from zlib import crc32

from multidoc_rag.disputes.editions import UNKNOWN, Edition
from multidoc_rag.disputes.subjects import NOTHING, Subject, addresses
from multidoc_rag.figures.measures import Quantity, counted, plain
from multidoc_rag.figures.periods import Period, periods
from multidoc_rag.figures.quantities import quantities, read
from multidoc_rag.language import content_words

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
_RULE = re.compile(r"(?i)\b(?:shall|must|may not|is required|are required|has to|have to|is to|are to|should)\b")
_DENIED = re.compile(r"(?i)\b(?:not|never|cannot|n't|no)(?:\s+\w+){0,3}\s+$")
LIST_MARK = re.compile(r"(?:\(?\d{1,2}[.)]|[•‣◦*–-]|\(?[a-z]\))\s")

# pairs of words that say the opposite, by stem
OPPOSITES = tuple(
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
_OPPOSED = frozenset().union(*(side for pair in OPPOSITES for side in pair))


@dataclass(frozen=True)
class Claim:
    """One sentence or table row of a document; `text` is verbatim its clean text between start and end.

    `context` is what it is understood by: the sentence before, or a table's caption and column head (with a tab
    between). `cell` is where in `text` a row's own value stands. The typed parts (measures, periods, ...) are read from
    the text on demand. `mask` has a bit for each kind of thing it states (`kinds`), all bits where that is not known.
    `edition` is what the document says of its own edition, `about` what it says it is about.
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
    edition: Edition = UNKNOWN
    about: Subject = NOTHING

    @property
    def shown(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @property
    def told(self) -> str:
        """The text after what it is understood by."""
        return f"{self.context} {self.shown}" if self.context else self.shown

    @property
    def embedded(self) -> str:
        """What is embedded: the sentence with what it is understood by; of a row its first cell, head and own cell."""
        if self.cell:
            value = " ".join(self.text[slice(*self.cell)].split())
            caption = f"{self.caption}: " if len(self.row_words) < 2 else ""
            return f"{caption}{' '.join(self.text.split(chr(9))[0].split())} {self.head} {value}"
        return self.told

    @cached_property
    def measures(self) -> tuple[Quantity, ...]:
        """Its numbers with units, labels (clause 7) and house numbers left out; offsets are those of `text`. "No event"
        counts none."""
        found = [each for each in quantities(self.text, self.language) if each.dimension not in ("label", "ordinal")]
        if houses := addresses(self.text):
            found = [each for each in found if not any(start <= each.start < end for start, end in houses)]
        if self.cell:
            found = [measure for measure in found if self.cell[0] <= measure.start < self.cell[1]]
            return tuple(_with_unit(measure, self.text, self.context) for measure in found)
        if none := _NO_EVENT.match(self.text):
            found.insert(0, plain(self.text, *none.span(), 0.0))
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
        found = quantities(self.text, self.language)
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
        bits = sum({1 << (crc32(measure.dimension.partition("/")[0].encode()) % 56) for measure in self.measures})
        bits |= (1 << 56) if self.periods else 0
        bits |= (1 << 58) if any(self.words & (left | right) for left, right in OPPOSITES) else 0
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
        for figure in reversed(read(text, self.language)):
            if isinstance(figure, Period) or figure.dimension != "ordinal":
                text = f"{text[: figure.start]} {text[figure.end :]}"
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

    def near(self, measure: Quantity, reach: int = 6) -> tuple[str, ...]:
        """Stems of the words around a measure, up to the next one on either side, `reach` words each way."""
        if self.cell:
            return tuple(stems(f"{self.context} {self.text}", self.language))
        before = [other.end for other in self.measures if other.end <= measure.start]
        after = [other.start for other in self.measures if other.start >= measure.end]
        left = self.text[max(before, default=0) : measure.start].split()[-reach:]
        right = self.text[measure.end : min(after, default=len(self.text))].split()[:reach]
        return tuple(stems(" ".join(left + right), self.language))

    def counted(self, measure: Quantity) -> frozenset[str]:
        """Stems of what a plain number counts, by any name the sentence gives it."""
        return frozenset(stems(counted(self.text, measure.end), self.language))


def opposed(one: Claim, other: Claim) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where two claims say the opposite of each other by a pair of antonyms; None where they do not.

    A denied word ("not covered") counts as its opposite; a claim that has both words says nothing by them.
    """
    if not (one.pair_words and other.pair_words):
        return None
    for left, right in OPPOSITES:
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


def _with_unit(measure: Quantity, row: str, context: str) -> Quantity:
    """A table's bare number with the unit that its row's or column's head gives in brackets."""
    if measure.dimension != "count":
        return measure
    for written in _BRACKETED.findall(f"{row.partition(chr(9))[0]} {context.partition(chr(9))[2]} {context}"):
        money = re.fullmatch(r"([A-Z]{3}|[€$£])\s+(\w+)(?: at .*)?", written)
        one, two = (
            next(iter(quantities(f"{money[1]} {n} {money[2]}" if money else f"{n} {written}")), None) for n in (1, 2)
        )
        if one is not None and two is not None and one.dimension != "count":
            # what one more of the unit is in base units, and where it starts from
            size, origin = two.low - one.low, 2 * one.low - two.low
            return replace(
                one, start=measure.start, end=measure.end, text=measure.text, bound=measure.bound, ends=(),
                low=origin + size * measure.low, high=origin + size * measure.high,
                step=size * measure.step, rounded=size * measure.rounded,
            )  # fmt: skip
    return measure


def stems(text: str, language: str) -> list[str]:
    return [word for word in content_words(text, language) if not word[0].isdigit()]
