"""Figures in a text: numbers with their units, in digits or words, and dates, for verdicts and for conflicts.

Pure functions. One pass over the words of a text: only where a word or digits may begin a figure is anything looked at.
How two figures stand to each other is told by agreement.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from multidoc_rag.figures.measures import (
    LABELS,
    PLACES,
    TOKEN,
    UNIT,
    Bound,
    Quantity,
    Written,
    made,
    measure_at,
    plain,
    stands_alone,
)
from multidoc_rag.figures.numerals import COMMA_LANGUAGES, DIGITS, numeral_at
from multidoc_rag.figures.numerals import OPENERS as NUMERAL_OPENERS
from multidoc_rag.figures.periods import OPENERS as PERIOD_OPENERS
from multidoc_rag.figures.periods import Period, period_at
from multidoc_rag.figures.units import MONTH, NUMBER_WORDS, ORDINALS, PARTS, UNITS, YEAR

Figure = Quantity | Period

_ADVERBS = {
    "hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0, "fortnightly": 1209600.0,
    "monthly": MONTH, "quarterly": YEAR / 4, "yearly": YEAR, "annually": YEAR, "biennially": 2 * YEAR,
}  # fmt: skip
_EVERY = {"every": 1.0, "once": 1.0, "twice": 2.0, "thrice": 3.0}
_NO_FIGURE = frozenset((*_ADVERBS, "one", "once", "twice"))
_OPENERS = frozenset((*PERIOD_OPENERS, *NUMERAL_OPENERS, *ORDINALS, *_ADVERBS, *_EVERY, *PARTS, "fortnight"))
_INTERVAL = re.compile(
    r"(?:(?:once|twice|thrice)\s+(?:every|in(?:\s+every)?|an?|per|each)|every|times\s+(?:an?|per|every|in\s+every|each))\s+",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\s+(?=times\s+(?:an?|per|every|each|in\s+every)\s)", re.IGNORECASE)
_NOUN = re.compile(r"(?:\s|-)(?P<noun>[^\W\d_]+)")
_PART = re.compile(
    rf"(?:(?P<hyphen>-)|\s)(?P<part>{'|'.join(sorted(PARTS, key=len, reverse=True))})\b(?P<of>\s+of\b)?", re.IGNORECASE
)
_CLOCK = re.compile(
    r"(?P<h>[01]?\d|2[0-4])(?:(?::(?P<m>[0-5]\d)|\.(?P<m2>[0-5]\d)(?=\s?[ap]\.?m\b))(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    r"|\s?(?P<only>[ap])\.?m\b\.?)(?![\d:])",
    re.IGNORECASE,
)
_AT = re.compile(r"(?i)(?:\b(?:at|by|from|until|till|to|before|after|between|and|around|about|since)\s|[-–]\s?)$")
_SUFFIX = re.compile(r"(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
_HALVES = ("last", "latter", "other", "better", "upper", "lower")
"""Of which half there is talk: no share."""


# --- finding -------------------------------------------------------------------------------------


def read(text: str, language: str = "en") -> tuple[Figure, ...]:
    """The quantities and periods of a text, in order; a day without a year is a period that is not `dated`.

    `language` decides "1.234": a thousand and some in languages with a decimal comma, else a decimal number.
    """
    return _read(text, language if language in COMMA_LANGUAGES else "en")


@lru_cache(maxsize=8192)
def _read(text: str, language: str) -> tuple[Figure, ...]:
    found: list[Figure] = []
    done = 0
    for token in TOKEN.finditer(text):
        word = token[0].casefold()
        if word not in _OPENERS and not word[0].isdigit():
            continue
        start = token.start()
        if start < done:
            continue
        figure = period_at(text, start, word) or _quantity_at(text, start, word, language)
        if figure is not None:
            found.append(figure)
            done = figure.end
        elif word[0].isdigit() and (number := DIGITS.match(text, start)):
            done = number.end()
    return tuple(found)


def quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """The quantities among `read`: ranges whole, labels and ordinals among them."""
    return tuple(figure for figure in read(text, language) if isinstance(figure, Quantity))


def figures(text: str, language: str = "en") -> tuple[Figure, ...]:
    """The figures that a sentence can be held to: ranges as their two ends, room 5 as a number; without places in a
    text (Table 3), ordinals, "one" and words such as "monthly"."""
    return tuple(_single(read(text, language)))


def given_figures(text: str, language: str = "en") -> tuple[Figure, ...]:
    """The `figures` of evidence, and words such as "monthly": they bear out "once a month"."""
    found = read(text, language)
    often = (f for f in found if isinstance(f, Quantity) and f.text.casefold() in _ADVERBS)
    return (*_single(found), *often)


def _single(found: tuple[Figure, ...]) -> Iterator[Figure]:
    for figure in found:
        if isinstance(figure, Period):
            yield from figure.ends or (figure,)
        elif figure.dimension == "label" and figure.text[0].isdigit() and figure.unit not in PLACES:
            yield replace(figure, dimension="count")
        elif figure.dimension not in ("label", "ordinal") and figure.text.casefold() not in _NO_FIGURE:
            yield from figure.ends or (figure,)


# --- one quantity --------------------------------------------------------------------------------


def _quantity_at(text: str, start: int, word: str, language: str) -> Quantity | None:
    if word[0].isdigit():
        if not stands_alone(text, start):
            return None
        if clock := _CLOCK.match(text, start):
            return _clock(text, clock)
    elif start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return None
    elif word in _ADVERBS:
        half = text[max(0, start - 5) : start].casefold() in ("half-", "semi-")
        return _interval(text, start - 5 * half, start + len(word), _ADVERBS[word] * (0.5 if half else 1.0))
    elif word in _EVERY:
        return _every(text, start, start, _EVERY[word], language) or (
            plain(text, start, start + len(word), 2.0) if word == "twice" else None
        )
    elif word == "fortnight":
        return made(text, Written(start, start + len(word), 1.0, 1.0, 1.0, unit=UNITS["fortnight"], name=word))
    if part := _part_of_a_whole(text, start, word):
        return part
    if ordinal := _ordinal(text, start, word):
        return ordinal
    number = numeral_at(text, start, word, language)
    if number is None:
        return None
    if number.value and (times := _TIMES.match(text, number.end)):
        interval = _every(text, start, times.end(), number.value, language)
        if interval is not None:
            return interval
    return measure_at(text, start, number, language)


# --- intervals, clock times, ordinals, parts -------------------------------------------------------


def _interval(text: str, start: int, end: int, seconds: float) -> Quantity:
    return Quantity(start, end, text[start:end], seconds, seconds, 0.0, 0.0, "interval", factor=0.0)


def _every(text: str, start: int, at: int, times: float, language: str) -> Quantity | None:
    """ "every 6 months", "once a quarter", "three times a year" (`at` is where "times" stands)."""
    match = _INTERVAL.match(text, at)
    token = TOKEN.match(text, match.end()) if match else None
    if token is None:
        return None
    word, end, count = token[0].casefold(), token.start(), 1.0
    if word in ("other", "second"):
        count, end = 2.0, token.end() + 1
    elif number := numeral_at(text, token.start(), word, language):
        count, end = number.value, number.end
    found = UNIT.match(text, end)
    unit = UNITS.get(found["one"].casefold()) if found else None
    if found is None or unit is None or unit.dimension != "time" or len(found["one"]) < 3 or not count:
        return None
    return _interval(text, start, found.end("one"), count / times * unit.factor)


def _clock(text: str, clock: re.Match[str]) -> Quantity | None:
    """A time of day, in seconds from midnight; "3:16" only where a word says it is one."""
    half, minutes = clock["half"] or clock["only"], clock["m"] or clock["m2"] or "0"
    if not half and not _AT.search(text, max(0, clock.start() - 9), clock.start()):
        return replace(plain(text, clock.start(), clock.end(), float(clock["h"]) / (float(minutes) or 1.0)),
                       dimension="ratio")  # fmt: skip
    hour = int(clock["h"]) % 12 + 12 * (half.casefold() == "p") if half else int(clock["h"])
    value = 3600.0 * hour + 60.0 * int(minutes)
    return replace(plain(text, clock.start(), clock.end(), value), dimension="clock")


def _ordinal(text: str, start: int, word: str) -> Quantity | None:
    """ "third", "3rd": of what is numbered (phase, version) a label."""
    end, value = start + len(word), ORDINALS.get(word, 0)
    if word.isdigit() and _SUFFIX.match(text, end):
        end, value = end + 2, int(word) if len(word) < 6 else 0
    if not value:
        return None
    noun = _NOUN.match(text, end)
    name = noun["noun"].casefold() if noun else ""
    found = replace(plain(text, start, end, float(value)), dimension="ordinal", unit=name)
    return replace(found, dimension="label") if name in LABELS and text[end] != "-" else found


def _part_of_a_whole(text: str, start: int, word: str) -> Quantity | None:
    """ "two thirds", "a quarter of", "half of": a share, to the nearest per cent."""
    if word in PARTS:
        before = ["", "", *text[max(0, start - 16) : start].casefold().split()][-2:]
        half = word == "half" and before[1] not in ORDINALS and before[1] not in _HALVES
        by = before == ["by", "a"] or (half and before[1] == "by")
        if not by and not ((half or before[1] == "a") and text.startswith(" of ", start + len(word))):
            return None
        count, name, end = 1.0, word, start + len(word)
    elif word in NUMBER_WORDS and (part := _PART.match(text, start + len(word))):
        count, name, end = NUMBER_WORDS[word], part["part"].casefold(), part.end("part")
        if not (part["of"] or part["hyphen"]) and name.startswith(("quarter", "half")):
            return None
    else:
        return None
    share = 100.0 * count / PARTS[name]
    about: Bound = "about" if count == 1 else ""
    if not 0 < share < 100:
        return None
    return Quantity(start, end, text[start:end], share, share, 1.0, 1.0, "share", "%", about)
