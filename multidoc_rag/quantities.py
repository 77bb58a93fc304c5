"""Numbers, amounts with units, and dates in a text, and whether one states the same as another.

Pure functions. A value is held in the base unit of its dimension (metres, grams, seconds, ...); currencies are
dimensions of their own and are not converted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

Bound = Literal["", "about", "above", "below"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text, at [start, end). `value` is in the base unit of `dimension` ("" for a bare number).

    `step` is the precision it is given with (0.1 for "1.2", 100,000 for "1.2 million"), in the same unit; `bound` says
    whether it is called approximate, a lower or an upper limit.
    """

    start: int
    end: int
    text: str
    value: float
    dimension: str
    step: float
    bound: Bound = ""


@dataclass(frozen=True, slots=True)
class Date:
    """One date of a text, at [start, end); month or day 0 where it is not given. `other` is the second reading of a
    date like 03/05/2021, None where there is one reading only."""

    start: int
    end: int
    text: str
    year: int
    month: int = 0
    day: int = 0
    other: tuple[int, int, int] | None = None

    @property
    def readings(self) -> tuple[tuple[int, int, int], ...]:
        """(year, month, day) of every way to read it; a year of 0 is not given."""
        first = (self.year, self.month, self.day)
        return (first,) if self.other is None else (first, self.other)


Figure = Quantity | Date

# --- units -------------------------------------------------------------------------------------

_UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _names in {
    "length": "m metre metres meter meters=1 mm millimetre millimetres millimeter millimeters=.001 "
    "cm centimetre centimetres centimeter centimeters=.01 km kilometre kilometres kilometer kilometers=1000 "
    "nm nanometre nanometres nanometer nanometers=1e-9 µm μm um micron microns micrometre micrometer=1e-6 "
    "inch inches=.0254 ft foot feet=.3048 yd yard yards=.9144 mi mile miles=1609.344",
    "mass": "g gram grams gramme grammes=1 mg milligram milligrams=.001 µg μg mcg microgram micrograms=1e-6 "
    "kg kilo kilos kilogram kilograms=1000 t tonne tonnes=1e6 lb lbs pound pounds=453.59237 oz ounce ounces=28.349523",
    "time": "s sec secs second seconds=1 ms millisecond milliseconds=.001 min mins minute minutes=60 "
    "h hr hrs hour hours=3600 day days=86400 week weeks=604800 month months=2629800 year years yr yrs=31557600 "
    "decade decades=315576000",
    "volume": "l litre litres liter liters=1 ml millilitre millilitres milliliter milliliters=.001 "
    "dl=.1 gal gallon gallons=3.785411784 m³ m3=1000 pint pints=.473176 quart quarts=.946353",
    "area": "m² m2 sqm=1 km² km2=1e6 ha hectare hectares=10000 acre acres=4046.8564 sqft=.09290304",
    "power": "w watt watts=1 kw kilowatt kilowatts=1000 mw megawatt megawatts=1e6 gw gigawatt gigawatts=1e9",
    "energy": "j joule joules=1 kj=1000 mj=1e6 wh=3600 kwh=3.6e6 mwh=3.6e9 gwh=3.6e12 kcal=4184 "
    "cal calorie calories=4.184",
    "data": "byte bytes=1 kb=1e3 mb megabyte megabytes=1e6 gb gigabyte gigabytes=1e9 tb terabyte terabytes=1e12",
    "speed": "m/s=1 km/h kmh kph=.27777778 mph=.44704",
    "frequency": "hz hertz=1 khz=1e3 mhz=1e6 ghz=1e9",
    "pressure": "pa=1 kpa=1e3 mpa=1e6 bar=1e5 psi=6894.757 mmhg=133.322",
    "percent": "% percent pct=1 ‰=.1",
    "points": "pp percentage-point percentage-points=1 basis-point basis-points bps=.01",
    "celsius": "°c ℃=1",
    "fahrenheit": "°f ℉=1",
    "degree": "° degree degrees=1",
    "USD": "$ usd dollar dollars us$=1 cent cents=.01",
    "EUR": "€ eur euro euros=1",
    "GBP": "£ gbp sterling=1",
    "JPY": "¥ jpy yen=1",
    "INR": "₹ inr rupee rupees=1",
    "CHF": "chf francs=1",
}.items():
    _waiting: list[str] = []
    for _token in _names.split():
        _name, _, _factor = _token.partition("=")
        _waiting.append(_name)
        if _factor:
            for _each in _waiting:
                _UNITS[_each] = (_dimension, float(_factor))
            _waiting = []

_SCALES = {
    "hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "lakh": 1e5, "crore": 1e7,
    "mn": 1e6, "mln": 1e6, "bn": 1e9, "tn": 1e12, "dozen": 12.0,
}  # fmt: skip
_LETTER_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9}
_ONES = (  # noqa: SIM905
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TEN_NAMES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {name: 10 * (index + 2) for index, name in enumerate(_TEN_NAMES)}
_WORD_VALUES: dict[str, float] = {name: float(value) for value, name in enumerate(_ONES)} | {
    name: float(value) for name, value in _TENS.items()
}

_MONTH_WORDS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTHS = {name[:length]: number for number, name in enumerate(_MONTH_WORDS, 1) for length in {3, len(name)}} | {
    "sept": 9
}

# --- finding them ------------------------------------------------------------------------------

_UNIT_NAMES = "|".join(re.escape(name) for name in sorted(_UNITS, key=len, reverse=True) if name not in "$€£¥₹")
_SCALE_NAMES = "|".join(sorted(_SCALES, key=len, reverse=True))
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[ \u202f\u00a0]\d{3})+(?![\d.])|\d+(?:\.\d+)?|\.\d+"
_SPELLED = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_ONES[1:10])}))?|{'|'.join(sorted(_ONES, key=len, reverse=True))})"
)
_NUMBER = re.compile(
    rf"(?<![\w.,])(?P<sign>[-−])?(?P<currency>US\$|[$€£¥₹]|USD\s|EUR\s|GBP\s|CHF\s)?\s?"
    rf"(?P<number>{_DIGITS}|\b{_SPELLED}\b)"
    rf"(?P<ordinal>st|nd|rd|th)?(?![\d])(?:\s*(?P<letter>[kKmMbB])(?![\w²³/°]))?"
    rf"(?:[ \u00a0-]?(?P<scale>{_SCALE_NAMES})\b)?"
    rf"(?:[ \u00a0]?-?(?P<square>square |sq\.? |cubic )?"
    rf"(?P<unit>percentage[ -]points?|basis[ -]points?|per ?cent|{_UNIT_NAMES})"
    rf"(?![\w²³]|/[a-z]))?",
    re.IGNORECASE,
)
AROUND = 40
"""Characters that are looked at on either side of a number."""
_LABELLED = re.compile(
    r"(?:section|figure|fig\.?|table|chapter|appendix|page|p\.|pp\.|no\.|step|article|passage|source|document|part|type|"
    r"phase|version)\s*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s*(?:-|–|—|to|or|and|through)\s*", re.IGNORECASE)
_MONTH_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:1[0-9]|20)\d\d)"
_DATES = (
    re.compile(r"(?<![\d-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?![\d-])"),
    re.compile(r"(?<![\d./-])(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})(?!\d)"),
    re.compile(rf"\b{_DAY}(?:\s+of)?\s+(?P<name>{_MONTH_NAMES})\b\.?(?:,?\s+{_YEAR})?(?!\d)", re.IGNORECASE),
    re.compile(
        rf"\b(?P<name>{_MONTH_NAMES})\b\.?\s+{_DAY}(?!\d|\s*(?:%|percent))(?:\s*,?\s+{_YEAR})?(?!\d)", re.IGNORECASE
    ),
    re.compile(rf"\b(?P<name>{_MONTH_NAMES})\b\.?,?\s+(?:of\s+)?{_YEAR}(?!\d)", re.IGNORECASE),
    re.compile(
        rf"(?:(?<![\w$€£.,/-])|(?<=\b\d{{4}}[-–/]))(?:FY\s?)?{_YEAR}(?![\w%]|[.,]\d|\s?(?:%|{_UNIT_NAMES}|{_SCALE_NAMES})\b)"
    ),
)
_BOUND_WORDS: tuple[tuple[Bound, str], ...] = (
        ("above", r"more than|over|at least|above|exceed(?:s|ed|ing)?|greater than|no less than|minimum of|"
         "upwards of|>=?|≥"),
        ("below", r"less than|under|at most|below|fewer than|no more than|up to|maximum of|within|almost|nearly|<=?|≤"),
        ("about", r"about|around|approximately|roughly|some|circa|ca\.?|an estimated|estimated|close to|~|≈"),
)  # fmt: skip
_BOUNDS = tuple(
    (bound, re.compile(rf"(?:{words})\W*(?:an?\s+|the\s+)?$", re.IGNORECASE)) for bound, words in _BOUND_WORDS
)


@lru_cache(maxsize=4096)
def figures(text: str) -> tuple[Figure, ...]:
    """The quantities and dates of `text` in order; list numbers, ordinals and a lone "one" are none."""
    found: list[Figure] = []
    taken = [False] * (len(text) + 1)
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if not any(taken[match.start() : match.end()]):
                date = _date(match)
                if date is not None:
                    found.append(date)
                    taken[match.start() : match.end()] = [True] * (match.end() - match.start())
    for match in _NUMBER.finditer(text):
        if not any(taken[match.start("number") : match.end("number")]):
            quantity = _quantity(match, text)
            if quantity is not None:
                found.append(quantity)
    return tuple(_share_units(sorted(found, key=lambda figure: figure.start), text))


def _share_units(found: list[Figure], text: str) -> list[Figure]:
    """ "10-12 weeks", "5 or 6 %": the first number takes the unit of the second."""
    for index in range(len(found) - 2, -1, -1):
        one, other = found[index], found[index + 1]
        if isinstance(one, Quantity) and isinstance(other, Quantity) and not one.dimension and other.dimension:
            between = text[one.end : other.start]
            if _JOINED.fullmatch(between):
                factor = other.value / _bare(other.text) if _bare(other.text) else 1.0
                found[index] = replace(one, value=one.value * factor, step=one.step * factor, dimension=other.dimension)
    return found


def _bare(text: str) -> float:
    match = re.search(_DIGITS, text)
    return float(re.sub(r"[,\s]", "", match[0])) if match else 0.0


def _date(match: re.Match[str]) -> Date | None:
    parts = match.groupdict()
    year = int(parts.get("year") or 0)
    other = None
    if parts.get("first"):
        day, month = int(parts["first"]), int(parts["second"])
        if month > 12 or (parts["mark"] == "/" and day <= 12):
            day, month = month, day
        if parts["mark"] == "/" and day <= 12 and month <= 12 and day != month:
            other = (year, day, month)
    else:
        month = _MONTHS[parts["name"].lower().rstrip(".")] if parts.get("name") else int(parts.get("month") or 0)
        day = int(parts.get("day") or 0)
    if month > 12 or day > 31 or (parts.get("name", "").lower() == "may" and not year and not day):
        return None
    return Date(match.start(), match.end(), match[0], year, month, day, other)


def _quantity(match: re.Match[str], text: str) -> Quantity | None:
    number, scale, unit = match["number"].lower(), match["scale"], match["unit"]
    before, after = _around(text, match.start(), match.end("number"))
    if (match["ordinal"] and not unit) or re.match(r"[- ](?:half|halves|thirds?|quarters?|fifths?|tenths?)\b", after):
        return None
    if number[0].isdigit() or number[0] == ".":
        if not unit and not scale and not match["currency"] and _is_label(match, text):
            return None
        if number.isdigit() and unit and unit.lower() == "s" and after[:1] == "s":  # the 1990s
            unit = None
        plain = re.sub(r"[,\s\u202f\u00a0]", "", number)
        value = float(plain)
        step = 10.0 ** -len(plain.partition(".")[2]) if "." in plain else 1.0
    else:
        if number == "one" and not unit and not scale:
            return None
        value, step = _spelled(number), 1.0
    factor = _SCALES[scale.lower()] if scale else 1.0
    dimension = ""
    if match["letter"]:
        # "$3M", "5k": a scale; "5 m" without a currency is metres
        letter = match["letter"].lower()
        if match["currency"] or letter == "k" or (letter == "b" and match["letter"] == "B"):
            factor *= _LETTER_SCALES[letter]
        elif letter == "m":
            dimension, factor = ("length", 1.0) if match["letter"] == "m" else ("", 1e6)
    if match["currency"]:
        dimension, each = _UNITS[match["currency"].strip().lower()]
        factor *= each
    elif unit:
        name = re.sub(r"[ -]+", "-", unit.lower()) if "point" in unit.lower() else unit.lower()
        dimension, each = ("percent", 1.0) if name.startswith("per") and "point" not in name else _UNITS[name]
        power = 3 if (match["square"] or "").lower().startswith("cub") else 2 if match["square"] else 1
        if power > 1 and dimension == "length":
            dimension, each = ("area", each**2) if power == 2 else ("volume", each**3 * 1000)
        factor *= each
    value, step = value * factor, step * factor
    if dimension == "fahrenheit":
        dimension, value, step = "celsius", (value - 32) / 1.8, step / 1.8
    if match["sign"] and not re.search(r"[\w)]\s?$", before):
        value = -value
    bound: Bound = next((bound for bound, pattern in _BOUNDS if pattern.search(before[-24:])), "")
    return Quantity(match.start(), match.end(), match[0].strip(), value, dimension, step, bound)


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """The few characters before and after; a mark stands for what was left out in front."""
    return ("…" if start > AROUND else "") + text[max(0, start - AROUND) : start], text[end : end + AROUND]


def _is_label(match: re.Match[str], text: str) -> bool:
    """A number that counts a list item, a section, a figure or a footnote, or belongs to a name (COVID-19)."""
    before, after = _around(text, match.start("number"), match.end("number"))
    if re.search(r"[A-Za-z]-$|\b(?:1\d|20)\d\d[-–/]$", before) or (
        re.search(r"[\[(]$", before) and after[:1] in ("]",)
    ):
        return True
    if re.search(r"(?:^|\n)\s*[(\[]?$", before) and re.match(r"[.):]\s", after):
        return True
    return bool(_LABELLED.search(before[-16:]))


def _spelled(words: str) -> float:
    return sum(_WORD_VALUES[part.lower()] for part in re.split(r"[- ]+", words))


# --- comparing them ----------------------------------------------------------------------------


def agrees(stated: Figure, given: Figure) -> bool:
    """Whether `given` (in the evidence) bears out `stated` (in the sentence): equal after conversion, rounded to the
    precision stated, within a stated bound, or a date that `stated` gives less exactly."""
    if isinstance(stated, Date) or isinstance(given, Date):
        return _same_date(stated, given)
    if stated.dimension != given.dimension and not _mixable(stated, given):
        return False
    # a bound in the sentence asks for a value on its side; nearly equal ones pass whatever the bound
    tolerance = 0.501 * max(stated.step, 1e-12)
    if stated.bound:
        tolerance = max(tolerance, (0.1 if stated.bound == "about" else 0.02) * abs(given.value))
    elif _rounded(stated):
        tolerance = max(tolerance, 0.501 * _trailing(stated))
    elif stated.dimension and stated.text[-1:].isalpha() and _converted(stated, given):
        tolerance = max(tolerance, 0.02 * abs(given.value))
    if stated.bound == "above" and given.value >= stated.value and given.bound != "below":
        return not _far(given.value, stated.value, 1.0)
    if stated.bound == "below" and given.value <= stated.value and given.bound != "above":
        return not _far(given.value, stated.value, 1.0)
    # 12.4 in the sentence is not borne out by 12 in the passage, 12 is by 12.4
    if stated.step < given.step / 1.01 and not given.bound and stated.value != given.value:
        tolerance = min(tolerance, 1e-9 + 0.006 * abs(given.value))
    return abs(stated.value - given.value) <= tolerance + 1e-9 * abs(given.value)


def comparable(stated: Figure, given: Figure) -> bool:
    """Whether the two are of one kind, so that differing values may contradict each other."""
    if isinstance(stated, Date) or isinstance(given, Date):
        return isinstance(stated, Date) and isinstance(given, Date)
    return stated.dimension == given.dimension


def borne_out(stated: Figure, given: Sequence[Figure]) -> bool:
    """Whether any figure of the evidence agrees with `stated`."""
    return any(agrees(stated, figure) for figure in given)


def _same_date(stated: Figure, given: Figure) -> bool:
    if isinstance(stated, Date) and isinstance(given, Date):
        return any(
            all(s in (0, g) for s, g in zip(one, other, strict=True))
            for one in stated.readings
            for other in given.readings
        )
    # a bare number may be a year that was read as a count, or the other way round
    date, number = (stated, given) if isinstance(stated, Date) else (given, stated)
    return (
        isinstance(date, Date)
        and isinstance(number, Quantity)
        and not date.month
        and not number.dimension
        and number.value == date.year
    )


def _mixable(stated: Quantity, given: Quantity) -> bool:
    """One side without a unit: the other may have its unit elsewhere (a table's header). Points are not percent."""
    if {"percent", "points"} <= {stated.dimension, given.dimension}:
        return False
    return not stated.dimension or not given.dimension or {stated.dimension, given.dimension} == {"celsius", "degree"}


def _far(one: float, other: float, share: float) -> bool:
    return abs(one - other) > share * max(abs(other), 1e-12)


def _rounded(quantity: Quantity) -> bool:
    """Figures given in thousands or more with a scale word, or called approximate, are rounded."""
    return quantity.bound != "" or quantity.step >= 1000


def _trailing(quantity: Quantity) -> float:
    """The value of the last digit that is not a trailing zero, at least the step."""
    value = abs(quantity.value)
    if value == 0 or quantity.step < 1 or quantity.value % 1:
        return quantity.step
    power = 0
    while value % 10 ** (power + 1) == 0 and power < 15:
        power += 1
    return max(quantity.step, min(10.0**power, 10.0 ** math.floor(math.log10(value)) / 10.0))


def _converted(stated: Quantity, given: Quantity) -> bool:
    """Whether the two name different units (a conversion is rarely written out in full)."""
    return re.sub(r"[\d.,\s-]", "", stated.text.lower()) != re.sub(r"[\d.,\s-]", "", given.text.lower())
