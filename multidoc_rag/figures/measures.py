"""A number with what stands by it: sign, currency, multiple, unit, rate, range, and the bound that words put on it.

Pure functions of a text and a place in it. A value is held in the base unit of its dimension (units.py), so that
"16 MW" and "16,000 kW" compare.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from multidoc_rag.figures.numerals import Numeral, numeral_at
from multidoc_rag.figures.periods import period_at
from multidoc_rag.figures.units import CURRENCIES, LETTER_MULTIPLES, MULTIPLES, UNITS, Unit, unit_named

Bound = Literal["", "about", "min", "max"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as text[start:end] states it, unit included, in base units; low < high only in a range.

    `dimension` is "power", "share" (per cent), "money:EUR", "interval" (every so often), "clock" (a time of day),
    "share/time" and the like, "count" for a number without a unit, "label" for one that only names something (clause 7,
    the third phase), "ordinal" for "third" in digits or words; `unit` is the unit as written, or the word that is
    numbered. `step` is the size of the last digit written, `rounded` of the last one that is no zero; `factor` the base
    units in one of its unit, `per` the base units a rate was divided by. `ends` are the two numbers of a range.
    """

    start: int
    end: int
    text: str
    low: float
    high: float
    step: float
    rounded: float
    dimension: str
    unit: str = ""
    bound: Bound = ""
    factor: float = 1.0
    per: float = 1.0
    ends: tuple[Quantity, ...] = ()

    @property
    def value(self) -> float:
        """The number, of a range the lower one."""
        return self.low


PLACES = frozenset(
    """
    clause clauses section sections sec article articles table tables figure figures fig chapter chapters appendix
    annex page pages p pp no nos nr note notes step steps item items version revision rev edition volume vol part parts
    phase phases type types question questions line lines row rows column columns equation eq amendment amendments
    paragraph paragraphs para schedule exhibit exhibits passage passages source sources document documents kapitel
    abschnitt tabelle abbildung seite ziffer tableau página sección § #
    """.split()  # noqa: SIM905
)
"""What is numbered in a text and of a thing: a number after one of these counts nothing."""
LABELS = PLACES | frozenset(
    """
    number issue stage stages level levels berth berths room rooms unit units case cases group groups class grade model
    models form forms lot lots zone zones tier tiers option options container containers
    """.split()  # noqa: SIM905
)
"""What is numbered at all: a number after one of these names it."""
_BOUNDS: dict[str, Bound] = {}
for _kind, _phrases in {
    "about": "about|around|approximately|approx|roughly|nearly|almost|some|circa|ca|close to|an estimated|estimated|"
    "in the region of|in the order of|just over|just under|rund|etwa|environ|unos|cerca de|~|≈",
    "min": "at least|more than|over|above|exceed|exceeds|exceeded|exceeding|greater than|higher than|longer than|"
    "older than|larger than|minimum|minimum of|upwards of|no less than|not less than|no fewer than|"
    "not fewer than|mindestens|au moins|al menos|>|≥",
    "max": "at most|less than|fewer than|up to|under|below|within|maximum|maximum of|lower than|shorter than|"
    "younger than|smaller than|closer than|no more than|not more than|no later than|not later than|no longer than|"
    "no higher than|höchstens|au plus|como máximo|<|≤",
}.items():
    for _phrase in _phrases.split("|"):
        _BOUNDS[_phrase] = _kind  # type: ignore[assignment]
_LAST_OF_BOUND = frozenset((*(phrase.rpartition(" ")[2] for phrase in _BOUNDS), "of", "a", "an"))
_NO = frozenset(("no", "not", "none", "never", "nor", "cannot"))
_OPPOSITE_BOUND: dict[Bound, Bound] = {"min": "max", "max": "min"}

TOKEN = re.compile(r"\d+|[^\W\d_]+")
"""What may begin a figure: digits or a word."""
_EACH = ("a", "an", "each", "every")
_ARTICLES = ("a", "an", "the")
_PRONOUN = frozenset(
    ("no", "this", "that", "the", "which", "every", "any", "each", "new", "first", "last", "earlier", "older", "other",
     "latter", "only")
)  # fmt: skip
_BEFORE = re.compile(r"[\w’'-]+|[^\w\s]")
_CODES, _SIGNS = ("|".join(sorted((re.escape(form) for form in CURRENCIES if form[-1].isalpha() is name), key=len,
                                  reverse=True)) for name in (True, False))  # fmt: skip
_CURRENCY_BEFORE = re.compile(rf"(?:(?<![^\W\d_])(?:{_CODES})|{_SIGNS})\s?$")
_CURRENCY_AFTER_JOIN = re.compile(rf"(?:{_CODES}|{_SIGNS})\s?(?=\d)")
_MINUS = re.compile(r"(?:(?<![\w)%])[-−]|(?<!\S)–|\b[Mm]inus\s)$")
_MULTIPLE = re.compile(r"[ \n\u00a0\u202f-]?(?P<word>[^\W\d_]+)(?![\w²³])(?:\.(?=\s?(?:[€$£]|EUR|Euro)))?")
UNIT = re.compile(
    r"[ \n\u00a0\u202f\u2009-]{0,2}(?P<one>[°º]\s?[CFK](?!\w)|[%‰€$£¥₹°℃℉º]|[^\W\d_]+(?:[²³]|[23](?!\d))?(?!\w))"
    r"(?:[ \n\u00a0-](?P<two>[^\W\d_]+[²³]?)(?!\w))?"
)
_PER = re.compile(
    r"(?:\s?(?P<slash>/)\s?|\s(?P<word>per|a|an|each|every|pro|par|por)\s)(?P<one>[^\W\d_]+[²³23]?)(?!\w)"
    r"(?:\s(?P<two>[^\W\d_]+)(?!\w))?",
    re.IGNORECASE,
)
_JOIN = re.compile(
    r"(?P<to>\s?[-–—]\s?|\s{1,3}(?:to|through|bis|à|hasta)\s{1,3})|\s{1,3}(?P<and>and|or|und|oder|et|ou|y|o)\s{1,3}",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(
    r"\s+(?:or|and)\s+(?:(?P<min>more|above|over|older|longer|higher|later|greater)|"
    r"(?:less|fewer|below|under|younger|shorter|lower|earlier|smaller))\b"
    r"|\s+(?:(?P<least>at (?:the )?(?:least|minimum)|minimum)|(?:at (?:the )?(?:most|maximum|latest)|maximum))\b",
    re.IGNORECASE,
)
_BELOW_ZERO = re.compile(r"\s+below\s+(?:zero|freezing)\b", re.IGNORECASE)
_NO_COUNT = re.compile(
    r"\s+(?:of\s+(?:the|these|those|its|our|us|them|which)\b|another\b|or\s+(?:the\s+)?other\b|thing\b)|(?!\s+\w)", re.I
)
_COUNTED_END = re.compile(r"[,.;:()]|\b(?:of|in|on|at|for|with|to|and|or|by|from|than|were|was|are|is)\b")
_OTHER_NAME = re.compile(
    r"\s*(?:\(|,\s)\s*(?:(?:also|otherwise|hereafter)\s+)?(?:(?:called|known as|or|i\.e\.|that is),?\s+)?"
    r"(?:the\s+|an?\s+)?[“\"'‘]?(?P<name>[a-z]+(?:[ -][a-z]+)?)[”\"'’]?(?=[),.;])",
    re.IGNORECASE,
)
_RATIO = re.compile(r"/(\d+)(?![\d/])")
_MARK_BEFORE = re.compile(r"\[[\d,–\s-]*$")
_LINE_START = re.compile(r"(?:\A|\n)\s*[(\[]?$")


class Written(NamedTuple):
    """A number with what stands by it, not yet in base units."""

    start: int
    end: int
    value: float
    step: float
    rounded: float
    multiple: float = 1.0
    unit: Unit | None = None
    name: str = ""
    dimension_per: str = ""
    per: float = 1.0
    bound: Bound = ""


def stands_alone(text: str, start: int) -> bool:
    """Whether digits are not part of a code (TS-014) or what follows a point in one (4.2.1)."""
    before, earlier = text[start - 1 : start], text[max(0, start - 2) : start - 1]
    if before.isalpha():
        return _CURRENCY_BEFORE.search(text, max(0, start - 4), start) is not None
    if before.isalnum() or before == "_":
        return False
    return not ((before in ("-", "–") and earlier.isalpha()) or (before in (".", ",", ":", "/") and earlier.isalnum()))


def measure_at(text: str, start: int, number: Numeral, language: str) -> Quantity | None:
    """The number that text[start:] begins with and what belongs to it; None for a code, a mark, "one of"."""
    one = _written(text, start, number)
    bare = one.unit is None and text[start].isdigit()
    if bare and (one.multiple == 1.0 or _word_before(text, one.start) in PLACES) and _is_code(text, start, number.end):
        return None
    if bare and one.multiple == 1.0 and (ratio := _RATIO.match(text, number.end)):
        value = number.value / float(ratio[1]) if float(ratio[1]) else 0.0
        return replace(plain(text, start, ratio.end(), value), dimension="ratio")
    join = _JOIN.match(text, one.end)
    second = _second(text, join.end(), language) if join else None
    between = bool(
        join and join["and"] and text[max(0, one.start - 12) : one.start].casefold().split()[-1:] == ["between"]
    )
    if join and second and (second.unit is None or one.unit is None or second.unit[0] == one.unit[0]):
        if one.unit is None:
            one = one._replace(unit=second.unit, name=second.name, per=second.per, dimension_per=second.dimension_per)
            one = one._replace(multiple=second.multiple if one.multiple == 1.0 else one.multiple)
        elif second.unit is None and one.name in CURRENCIES:
            second = second._replace(unit=one.unit, name=one.name)
            one = one._replace(multiple=second.multiple if one.multiple == 1.0 else one.multiple)
        low, high = made(text, one), made(text, second)
        if (join["to"] or between) and low.low < high.low and low.dimension == high.dimension:
            whole = replace(low, end=high.end, text=text[one.start : high.end], high=high.high, factor=high.factor)
            step, rounded = max(low.step, high.step), max(low.rounded, high.rounded)
            return replace(whole, step=step, rounded=rounded, ends=(low, replace(high, bound=low.bound)))
    if one.unit is None and one.multiple == 1.0:
        return _counted(text, one)
    return made(text, one)


def _counted(text: str, one: Written) -> Quantity | None:
    """A number without a unit: a count, a label, or nothing ("one of them")."""
    last = _word_before(text, one.start)
    if text[one.start : one.end].casefold() == "one" and (last in _PRONOUN or _NO_COUNT.match(text, one.end)):
        return None
    quantity = made(text, one)
    if last in LABELS and text[one.start - 1 : one.start].isspace() | (last in ("§", "#")):
        return replace(quantity, dimension="label", unit=last)
    return quantity


def _word_before(text: str, start: int) -> str:
    before = text[max(0, start - 24) : start].split()
    return before[-1].rstrip(".").casefold().lstrip("([") if before else ""


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether digits belong to a code (3D, 4.2.1), a footnote's mark ([5]) or a list's number."""
    after = text[end : end + 2]
    if after[:1] in ("-", "/") and after[1:].isalpha() and (after[:1] == "/" or after[1:].isupper()):
        return True  # 12-RSS, 10.1371/journal
    if after[:1].isalpha() or after[:1] == "_" or (after[:1] in (".", ",", ":") and after[1:].isdigit()):
        return True
    if after[:1] in ("]", ",", "-", "–") and _MARK_BEFORE.search(text, max(0, start - 12), start):
        return "]" in text[end : end + 12]
    return (
        after[:1] in (".", ")", ":")
        and after[1:].isspace()
        and bool(_LINE_START.search(text, max(0, start - 12), start))
    )


def _second(text: str, start: int, language: str) -> Written | None:
    """The number that a joining word leads to; no date."""
    if currency := _CURRENCY_AFTER_JOIN.match(text, start):
        start = currency.end()
    sign = start if text[start : start + 1] in ("-", "−", "–") else -1
    token = TOKEN.match(text, start + (sign >= 0))
    if token is None or period_at(text, token.start(), token[0].casefold()) is not None:
        return None
    number = numeral_at(text, token.start(), token[0].casefold(), language)
    if number is None or (token[0][0].isdigit() and text[number.end : number.end + 1].isalpha() and
                          text[number.end : number.end + 2] in ("st", "nd", "rd", "th")):  # fmt: skip
        return None
    return _written(text, token.start(), number)


def _written(text: str, start: int, number: Numeral) -> Written:
    """A number with its currency, sign, multiple, unit and what it is per."""
    begin, end, unit, name = start, number.end, None, ""
    bound: Bound = ""
    if (money := _CURRENCY_BEFORE.search(text, max(0, start - 5), start)) and text[start].isdigit():
        begin, name = money.start(), money[0].strip()
        unit = UNITS[name]
    sign = 1.0
    if text[start].isdigit() and (minus := _MINUS.search(text, max(0, begin - 8), begin)):
        sign, begin = -1.0, minus.start()
    if text[end : end + 1] == "+" and not text[end + 1 : end + 2].isalnum():
        end, bound = end + 1, "min"
    scale = 1.0
    if multiple := _MULTIPLE.match(text, end):
        word = multiple["word"]
        if word in LETTER_MULTIPLES:
            attached = multiple.start("word") == end
            if unit if word in "mb" else attached if word == "K" else True:
                scale = LETTER_MULTIPLES[word]
        else:
            scale = MULTIPLES.get(word.casefold(), 1.0)
        end = multiple.end() if scale != 1.0 else end
    if unit is None and (found := UNIT.match(text, end)):
        unit, name, end = _unit(found, end, attached=found.start("one") == number.end)
    dimension_per, per = "", 1.0
    while rate := _PER.match(text, end):
        under = unit_named(f"{rate['one']} {rate['two']}") if rate["two"] else None
        stop = rate.end() if under else rate.end("one")
        under = under or (UNITS["year"] if rate["one"].casefold() == "annum" else unit_named(rate["one"]))
        short = len(rate["one"]) < 3 and (unit is None or (rate["word"] or "").casefold() in _EACH)
        if under is None or short or dimension_per.count("/") == 2 or under.dimension in ("share", "times"):
            break
        dimension_per, per, end = f"{dimension_per}/{under.dimension}", per * under.factor, stop
    if unit and unit.dimension in ("angle", "temperature") and (below := _BELOW_ZERO.match(text, end)):
        sign, end = -1.0, below.end()
    return Written(begin, end, sign * number.value, number.step, number.rounded, scale, unit, name, dimension_per, per,
                    bound)  # fmt: skip


def _unit(found: re.Match[str], end: int, *, attached: bool) -> tuple[Unit | None, str, int]:
    one, two = found["one"], found["two"]
    if two and (unit := unit_named(f"{one} {two}")):
        return unit, f"{one} {two}", found.end()
    unit = unit_named(one)
    if unit is None or (one == "s" and attached):  # the 90s
        return None, "", end
    return unit, one, found.end("one")


def made(text: str, one: Written) -> Quantity:
    """In base units, with the bound that the words around it put on it."""
    dimension, factor, offset = one.unit or Unit("count", 1.0)
    bound, end = one.bound or _bound(text, one.start), one.end
    if after := _AFTERWARDS.match(text, end):
        bound = "min" if after["min"] or after["least"] else "max"
    factor /= one.per
    scale = one.multiple * factor
    value = one.value * scale + offset
    unit = one.name.casefold()
    return Quantity(one.start, end, text[one.start : end], value, value, one.step * scale, one.rounded * scale,
                    dimension + one.dimension_per, unit, bound, factor, one.per)  # fmt: skip


def counted(text: str, end: int) -> str:
    """The words for what a number up to `end` counts, and their other name where the sentence gives one ("24 containers
    (also called units)")."""
    following = text[end:].lstrip("- ")
    words = " ".join(_COUNTED_END.split(following, maxsplit=1)[0].split()[:4])
    other = _OTHER_NAME.match(following, len(words))
    return f"{words} {other['name']}" if other and words else words


def plain(text: str, start: int, end: int, value: float) -> Quantity:
    return Quantity(start, end, text[start:end], value, value, 1.0, 1.0, "count")


def _bound(text: str, start: int) -> Bound:
    """Whether the words in front call a number approximate, a lower or an upper limit."""
    before = text[max(0, start - 70) : start].casefold()
    last = before.rstrip(" \n([").rsplit(None, 1)[-1:]
    if not last or (last[0] not in _LAST_OF_BOUND and last[0][-1] not in _LAST_OF_BOUND):
        return ""
    words = _BEFORE.findall(before)[-9:]
    while words and words[-1] in ("a", "an", "(", "["):
        words.pop()
    if not words:
        return ""
    found = _named_bound(words)
    if not found and words[-1] == "of":
        # "a state of charge of 90 %"
        article = next((at for at in range(len(words) - 2, max(-1, len(words) - 6), -1) if words[at] in _ARTICLES), -1)
        found = _named_bound(words[:article]) if article >= 0 else ""
    return found


def _named_bound(words: list[str]) -> Bound:
    for count in range(min(4, len(words)), 0, -1):
        if bound := _BOUNDS.get(" ".join(words[-count:])):
            earlier = words[max(0, len(words) - count - 6) : len(words) - count]
            denied = bound != "about" and any(word in _NO or word.endswith("n't") for word in earlier)
            return _OPPOSITE_BOUND[bound] if denied else bound
    return ""
