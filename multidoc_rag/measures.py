"""Numbers with their units, as claims need them: ranges, rates, frequencies, bounds, offsets; and how two compare.

A quantity's `low` and `high` are in the base unit of its dimension (units.py), so that "16 MW" and "16,000 kW" compare.
`step` is the size of the last digit that was written: two values are the same at the coarser precision when they differ
by half of it or less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from multidoc_rag.periods import MONTH_AFTER, MONTH_BEFORE, periods
from multidoc_rag.units import CURRENCIES, MULTIPLES, NUMBER_WORDS, UNITS

Limit = Literal["", "min", "max", "about"]
Agreement = Literal["same", "other_unit", "rounding", "within", "different", "incomparable"]

COMMA_LANGUAGES = frozenset(
    ("de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "ro", "hu", "tr", "id", "ru", "uk")
)
"""Languages that write 1.234,5 where English writes 1,234.5."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number as text[start:end] states it, unit included; low < high only in a range.

    `dimension` is "power", "share" (per cent), "money:EUR", "interval" (every so often), "share/time" and the like,
    "count" for a number without a unit, "label" for one that only names something (clause 7, Table 3). `unit` is the
    unit as written, folded ("kw", "% / year"); for a label the word before it.
    """

    start: int
    end: int
    text: str
    low: float
    high: float
    step: float
    dimension: str
    unit: str = ""
    limit: Limit = ""


# --- patterns ----------------------------------------------------------------------------------


def _any(words: Sequence[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


# Symbols count with their case (MW is not mW), words without it.
_NAMES = [name for name in UNITS if re.fullmatch(r"[a-z][a-z -]{3,}|day|ton|mile|page", name)]
_SYMBOLS = sorted(set(UNITS) - set(_NAMES))
_UNIT = rf"(?:(?:{_any(_SYMBOLS)})|(?i:{_any(_NAMES)}))(?![\w²³])"
_CURRENCY = rf"(?:{_any(list(CURRENCIES))})"
_DIGITS = r"\d{1,3}(?:[,\u202f\u00a0 ’']\d{3})+(?!\d)(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d+(?:[.,]\d+)?"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_SPELLED = rf"\b(?i:(?:{_TENS})[- ](?:{_ONES})|{_any(list(NUMBER_WORDS))})\b"
_NUMBER = rf"(?:(?:(?<![\w)%])[-−+](?=\d))?(?:{_DIGITS})|{_SPELLED})"
_LONG = [name for name in MULTIPLES if len(name) > 3]
_MULTIPLE = rf"(?:(?i:{_any(_LONG)})|{_any([name for name in MULTIPLES if name not in _LONG])})\b"
_PER = rf"(?:\s*/\s*|\s+(?i:per|an?|each|every)\s+)(?:(?i:annum)\b|{_UNIT})"
_TO = r"(?:\s*[-–—]\s*|\s+(?i:to|and|bis|à|hasta)\s+)"
_WRITTEN = re.compile(
    rf"(?P<currency>{_CURRENCY}\s*)?(?<![\w.,])(?P<first>{_NUMBER})"
    rf"(?:\s*(?P<multiple0>{_MULTIPLE}))?(?:\s*(?P<unit0>{_UNIT}))?"
    rf"(?:(?P<to>{_TO})(?:{_CURRENCY}\s*)?(?P<second>{_NUMBER})(?!\w))?"
    rf"(?:[\s-]*(?P<multiple>{_MULTIPLE}))?"
    rf"(?:[\s-]?(?P<money>{_CURRENCY})(?!\w)|[\s-]*(?P<unit>{_UNIT}))?"
    rf"(?P<per>(?:{_PER}){{0,2}})"
)
_TIME_UNIT = r"(?i:second|minute|hour|day|week|fortnight|month|quarter|year|decade)s?\b"
_EVERY = re.compile(
    rf"\b(?i:every|once\s+(?:every|in(?:\s+every)?|an?|per)|(?:twice|two\s+times)\s+(?:an?|per|every|in\s+every)|"
    rf"(?P<times>{_NUMBER})\s+times\s+(?:an?|per|every))\s+(?P<number>{_NUMBER})?\s*(?P<unit>{_TIME_UNIT})"
)
_ADVERBS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "fortnightly": "fortnight", "monthly": "month",
    "quarterly": "quarter", "annually": "year", "yearly": "year", "biennially": "2 years", "half-yearly": "half year",
    "semi-annually": "half year",
}  # fmt: skip
_ADVERB_SECONDS = {"2 years": 2 * UNITS["year"][1], "half year": UNITS["year"][1] / 2}
_ADVERB = re.compile(rf"\b(?i:{_any(list(_ADVERBS))})\b")
_LABEL = re.compile(
    r"(?i)(?:\b(?P<word>clauses?|sections?|sec|articles?|art|tables?|figures?|fig|chapters?|appendix|annex|pages?|p|pp|nos?|"
    r"number|nr|notes?|steps?|items?|version|revision|rev|edition|volume|vol|issue|parts?|phases?|stages?|levels?|berths?|"
    r"rooms?|units?|cases?|groups?|class|grade|types?|models?|questions?|forms?|lines?|rows?|columns?|equation|eq|amendments?|"
    r"paragraphs?|para|schedule|exhibits?|lots?|zones?|tiers?|options?|containers?|kapitel|abschnitt|tabelle|abbildung|"
    r"seite|ziffer|tableau|página|sección)\b\.?|[§#])\s*$"
)
_OF = r"(?:(?:an?|the)\s+(?:[a-z]+\s+){0,3}of\s+|an?\s+)?"
_ABOUT = re.compile(
    r"(?i)\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|close to|rund|etwa|environ|"
    r"unos|cerca de)\s*(?:an?\s+)?$|[~≈]\s*$"
)
_AT_LEAST = re.compile(
    r"(?i)(?:\b(?:at least|(?:not|no|none) (?:less|fewer|closer|lower) than|not (?:be )?(?:\w+ )?below|more than|over|"
    r"above|exceed(?:s|ing)?|greater than|minimum(?: of)?|upwards of|mindestens|au moins)|[>≥])"
    rf"\s*{_OF}$"
)
_AT_MOST = re.compile(
    r"(?i)(?:\b(?:at most|(?:not|no) (?:more|later|longer|higher) than|not exceed(?:ing)?|up to|less than|fewer than|"
    r"under|below|within|maximum(?: of)?|not (?:be )?(?:\w+ )?above|höchstens|au plus)|[<≤])"
    rf"\s*{_OF}$"
)
_NOT_MORE = re.compile(
    r"(?i)\b(?:not?|none|never|nor)\b(?:\W+\w+){0,5}?\W+(?P<word>more|over|above|exceed\w*|below|less|under|fewer|closer)\b"
    r"(?:\W+(?:than|the|an?|[a-z]+ of)){0,4}\W*$"
)
_PART_OF = re.compile(
    r"(?i)\s+(?:of\s+(?:the|these|those|its|our|us|them|which)\b|another\b|or\s+(?:the\s+)?other\b|thing\b)"
)
_PRONOUN = re.compile(
    r"(?i)\b(?:no|this|that|the|which|every|any|each|new|first|last|earlier|older|other|latter|only)\s+$"
)


# --- finding -----------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def measures(text: str, language: str = "en") -> tuple[Measure, ...]:
    """Numbers with their units in order of appearance, in digits or English words; dates and years are `periods`.

    `language` decides "1.234": a thousand and some in languages with a decimal comma, else a decimal number.
    """
    taken = [(period.start, period.end) for period in periods(text)]
    found = []
    for measure in _intervals(text):
        taken.append((measure.start, measure.end))
        found.append(measure)
    position = 0
    while match := _WRITTEN.search(text, position):
        if any(start < match.end() and match.start("first") < end for start, end in taken):
            # "the figure for 12 to 2024": what is left of the date is looked at on its own
            position = _after(match, taken)
            shortened = _shortened(text, match, taken)
            if shortened is None:
                continue
            match = shortened
        measure_ = _measure(text, match, language)
        if measure_ is not None:
            found.append(measure_)
            position = max(measure_.end, match.end("first"))
        else:
            position = match.end("first")
    return tuple(sorted(found, key=lambda measure: measure.start))


def _after(match: re.Match[str], taken: Sequence[tuple[int, int]]) -> int:
    return max([match.end("first"), *(end for start, end in taken if start <= match.start("first") < end)])


def _shortened(text: str, match: re.Match[str], taken: Sequence[tuple[int, int]]) -> re.Match[str] | None:
    """The match again, in the text up to the date it ran into; None where the number itself is in the date."""
    if any(start <= match.start("first") < end for start, end in taken):
        return None
    limit = min(start for start, _ in taken if start > match.start("first"))
    return _WRITTEN.search(text, match.start(), limit)


def _intervals(text: str) -> Iterator[Measure]:
    for match in _EVERY.finditer(text):
        number = _number(match["number"], "en")[0] if match["number"] else 1.0
        times = _number(match["times"], "en")[0] if match["times"] else 1.0
        if re.search(r"(?i)\b(?:twice|two times)\b", match.group()):
            times = 2.0
        unit = match["unit"].casefold().rstrip("s")
        if number and times:
            seconds = number / times * UNITS[unit][1]
            yield Measure(match.start(), match.end(), match.group(), seconds, seconds, 0.0, "interval", unit)
    for match in _ADVERB.finditer(text):
        unit = _ADVERBS[match.group().casefold()]
        seconds = _ADVERB_SECONDS.get(unit) or UNITS[unit][1]
        yield Measure(match.start(), match.end(), match.group(), seconds, seconds, 0.0, "interval", unit)


def _measure(text: str, match: re.Match[str], language: str) -> Measure | None:
    written, start = match["first"], match.start("currency") if match["currency"] else match.start("first")
    before, after = text[max(0, start - 80) : start], text[match.end() : match.end() + 40]
    spelled = not any(character.isdigit() for character in written)
    plain = not (match["unit"] or match["unit0"] or match["currency"] or match["money"] or match["multiple"])
    if plain and not spelled and (re.search(r"\w[-/.]$", before) or re.match(r"[-/]?[A-Za-z_]|\.\d|/\d", after)):
        return None  # part of a code (TS-014) or a numbering
    if plain and not spelled and (MONTH_AFTER.match(after) or MONTH_BEFORE.search(before)):
        return None  # a day of no stated year
    pronoun = _PART_OF.match(after) or _PRONOUN.search(before) or not re.match(r"\s+\w", after)
    if plain and written.casefold() == "one" and pronoun:
        return None
    low, step = _number(written, language)
    high, end, unit, per = low, match.end(), match["unit"] or match["unit0"], match["per"]
    scale0 = _look_up(match["multiple0"], MULTIPLES) if match["multiple0"] else 1.0
    scale = _look_up(match["multiple"], MULTIPLES) if match["multiple"] else 1.0
    if match["second"]:
        second, second_step = _number(match["second"], language)
        both = match["to"].strip().casefold() == "and" and not re.search(r"(?i)\bbetween\s*$", before)
        if both or second * scale < low * scale0:
            # "two and three": two numbers, this is the first of them
            unit, scale, per = match["unit0"] or (unit if both else None), scale0, ""
            end = match.end("unit0") if match["unit0"] else match.end("multiple0" if match["multiple0"] else "first")
        else:
            high, step, scale = second, max(step, second_step), max(scale, scale0)
    else:
        scale *= scale0
    dimension, factor, offset, name = "count", 1.0, 0.0, ""
    label = _LABEL.search(before)
    if match["currency"] or match["money"]:
        name = CURRENCIES[(match["currency"] or match["money"]).strip()]
        dimension = f"money:{name}"
    elif unit:
        name = _form(unit, UNITS)
        dimension, factor, offset = UNITS[name]
    elif label:
        dimension, name = "label", (label["word"] or "§").casefold()
    limit = _limit(before)
    if limit == "about" and low == high == int(low) and low:
        # "about 6,000": the zeros at the end say how exact it is meant
        digits = str(int(abs(low)))
        step = max(step, 10.0 ** (len(digits) - len(digits.rstrip("0"))))
    low, high, step = low * scale * factor + offset, high * scale * factor + offset, step * scale * factor
    for part in re.findall(rf"(?:/|\b(?i:per|an?|each|every)\b)\s*((?i:annum)\b|{_UNIT})", per or ""):
        under = "year" if part.casefold() == "annum" else _form(part, UNITS)
        low, high, step = (number / UNITS[under][1] for number in (low, high, step))
        dimension, name = f"{dimension}/{UNITS[under][0]}", f"{name} / {under}"
    return Measure(start, end, text[start:end], low, high, step, dimension, name.casefold(), limit)


def _limit(before: str) -> Limit:
    if negated := _NOT_MORE.search(before):
        return "min" if negated["word"].casefold() in ("below", "less", "under", "fewer", "closer") else "max"
    for limit, pattern in (("about", _ABOUT), ("max", _AT_MOST), ("min", _AT_LEAST)):
        if pattern.search(before):
            return limit  # type: ignore[return-value]
    return ""


def _form(written: str, table: Mapping[str, Any]) -> str:
    form = " ".join(written.split())
    return form if form in table else form.casefold()


def _look_up(written: str, table: Mapping[str, float]) -> float:
    return table[_form(written, table)]


def _number(written: str, language: str) -> tuple[float, float]:
    """The value of digits or number words, and the size of the last digit."""
    folded = written.casefold().replace("−", "-")
    if not any(character.isdigit() for character in folded):
        return sum(NUMBER_WORDS[word] for word in re.split(r"[-\s]+", folded)), 1.0
    digits, comma = re.sub(r"[\s\u202f\u00a0’']", "", folded), language in COMMA_LANGUAGES
    if re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3})+,\d+|[-+]?\d{1,3}(?:\.\d{3}){2,}", digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits) and not (comma and digits.count(",") == 1):
        digits = digits.replace(",", "")
    elif comma and re.fullmatch(r"[-+]?\d{1,3}\.\d{3}", digits):
        digits = digits.replace(".", "")
    else:
        digits = digits.replace(",", ".")
    value, decimals = float(digits), len(digits.partition(".")[2])
    if decimals or not value:
        return value, 10.0**-decimals
    # 9,800 may stand for anything near it; 400,000 with its single digit is taken as it is
    bare = digits.lstrip("+-").lstrip("0")
    zeros = len(bare) - len(bare.rstrip("0"))
    return value, 10.0**zeros if zeros >= 2 and len(bare) - zeros >= 2 else 1.0


# --- comparing ---------------------------------------------------------------------------------


def agreement(one: Measure, other: Measure) -> Agreement:
    """How two measures stand to each other: the same, the same in another unit, the same at the coarser precision
    (`rounding`), one `within` the range of the other, different, or incomparable (another dimension)."""
    if one.dimension != other.dimension:
        return "incomparable"
    size = max(abs(one.low), abs(one.high), abs(other.low), abs(other.high))
    apart = max(abs(one.low - other.low), abs(one.high - other.high))
    exact = apart <= 1e-9 * size
    if exact or apart < max(one.step, other.step) / 2 * (1 - 1e-9):
        if one.unit.rstrip("s") != other.unit.rstrip("s") and one.dimension != "interval":
            return "other_unit"
        return "same" if exact else "rounding"
    if (one.low <= other.low and other.high <= one.high) or (other.low <= one.low and one.high <= other.high):
        return "within"
    return "different"
