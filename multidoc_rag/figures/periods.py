"""Dates and periods that a text names: days, months, quarters, half-years, seasons, years, decades, spans of them."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from multidoc_rag.figures.units import ORDINALS

Grain = Literal["day", "month", "quarter", "half", "season", "year", "decade", "century", "span"]
Day = tuple[int, int, int]
"""Year, month, day; the year is 0 where none is named."""


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time that text[start:end] names: first and last day, both included.

    `ends` are the two periods of a span that are written in full ("2020 to 2041"); `other` is the second reading of a
    day like 03/05/2021, None where there is one only.
    """

    start: int
    end: int
    text: str
    first: Day
    last: Day
    grain: Grain
    ends: tuple[Period, ...] = ()
    other: Day | None = None

    @property
    def dated(self) -> bool:
        """Whether its year is named."""
        return self.first[0] > 0

    def overlaps(self, other: Period) -> bool:
        """Whether they share a day."""
        return self.first <= other.last and other.first <= self.last


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio januari",
            "february feb februar février febrero febbraio februari",
            "march mar märz mars marzo maart", "april apr avril abril aprile", "may mai mayo maggio mei",
            "june jun juni juin junio giugno", "july jul juli juillet julio luglio", "august aug août agosto augustus",
            "september sep sept septembre septiembre settembre", "october oct oktober octobre octubre ottobre okt",
            "november nov novembre noviembre", "december dec dezember décembre diciembre dicembre dez",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 14)}
_COUNTED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_FISCAL = ("fy", "fiscal", "financial")
OPENERS = frozenset((*ORDINALS, *_MONTHS, *_SEASONS, *_COUNTED, *_FISCAL, "q", "h"))
"""Words, casefolded, and digits that a period may begin with."""

_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_YEAR = r"(?:1[0-9]|20)\d\d"
_OF = r"(?:\s+of|\s+de)?"
_TO = r"\s*(?:-|–|—|/|\bto\b|\buntil\b|\bthrough\b|\bbis\b|\band\b)\s*"
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.|º|er)?"
_FISCAL_YEAR = r"(?:FY|(?:fiscal|financial)(?:\s+year)?)"
_AFTER_YEAR = (
    r"(?![\w%]|[.,]\d|[-/]\d|\s?(?:%|‰|[€$£¥°]|(?:EUR|USD|GBP|CHF|[kMGT]?Wh?|kg|km|mm|cm|m²|m³|m|t|g|l|ha|h|hours|days|"
    r"kW|years|months|minutes|metres|meters|miles|tonnes|tons|litres|liters|percent|per cent|dollars|euros|pounds|"
    r"hundred|thousand|million|billion|mn|bn)\b)|\s\w+s\s(?:of|per)\b)"
)

# each alternative is tried where a word or number begins
_BY_DIGIT = re.compile(
    rf"(?<![\d.,/-])(?P<iso>\d{{4}})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)(?![\d-])"
    rf"|(?<![\d.,/-])(?P<one>\d{{1,2}})(?P<mark>[./-])(?P<two>\d{{1,2}})(?P=mark)(?P<year_n>\d{{4}})(?!\d)"
    rf"|(?<![\d.,])(?P<from_day>\d{{1,2}}){_TO}(?P<until_day>{_DAY}){_OF}\s+(?P<month_r>{_MONTH})(?:,?{_OF}\s+(?P<year_r>{_YEAR})\b)?"
    rf"|(?<![\d.,])(?P<day>{_DAY}){_OF}\s+(?P<month_d>{_MONTH})(?:,?{_OF}\s+(?P<year_d>{_YEAR})\b)?"
    rf"|(?P<year_q>{_YEAR})[\s-]?Q(?P<quarter>[1-4])\b"
    rf"|(?P<quarter_y>[1-4])Q[\s-]?(?P<year_y>{_YEAR})\b"
    rf"|(?P<decade>{_YEAR[:-2]}0)(?:'|’)?s\b"
    r"|(?P<century>\d{1,2})(?:st|nd|rd|th)[\s-]century\b"
    rf"|(?<![\w$€£.,/-])(?P<from>{_YEAR})(?P<to>{_TO})(?P<until>{_YEAR}|\d\d)(?!\d|[-/.,]\d){_AFTER_YEAR}"
    rf"|(?:(?<![\w$€£.,/-])|(?<=\d\d\d\d[-–/]))(?P<year>{_YEAR}){_AFTER_YEAR}",
    re.IGNORECASE,
)
_BY_WORD = re.compile(
    rf"(?P<month_s>{_MONTH}){_TO}(?P<month_e>{_MONTH}),?{_OF}\s+(?P<year_s>{_YEAR})\b"
    rf"|(?P<month_m>{_MONTH})\s+(?P<from_m>\d{{1,2}}){_TO}(?P<until_m>\d{{1,2}}),?\s+(?P<year_m>{_YEAR})\b"
    rf"|(?P<month>{_MONTH}),?{_OF}\s+(?P<year>{_YEAR}){_AFTER_YEAR}"
    rf"|(?P<month_d>{_MONTH})\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.,:]\d|\s?(?:%|percent))(?:\s*,?\s+(?P<year_d>{_YEAR})\b)?"
    rf"|(?:Q(?P<quarter>[1-4])|(?P<counted>{'|'.join(_COUNTED)})[\s-]quarter){_OF}[\s,-]*(?:{_FISCAL_YEAR}\s*)?(?P<year_q>{_YEAR})\b"
    rf"|(?:H(?P<half>[12])|(?P<counted_h>first|second)[\s-]half){_OF}[\s,-]*(?:{_FISCAL_YEAR}\s*)?(?P<year_h>{_YEAR})\b"
    rf"|(?P<century>{'|'.join(sorted(ORDINALS, key=len, reverse=True))})[\s-]century\b"
    rf"|(?P<season>{'|'.join(_SEASONS)}),?{_OF}\s+(?P<year_w>{_YEAR})\b(?:[-–/]\d\d(?:\d\d)?\b)?"
    rf"|{_FISCAL_YEAR}\s?(?P<from>{_YEAR})(?P<to>[-–/])(?P<until>{_YEAR}|\d\d)\b"
    rf"|{_FISCAL_YEAR}\s?(?P<fiscal>{_YEAR}|\d\d)(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def periods(text: str) -> tuple[Period, ...]:
    """The dated periods of `text` in order; a day without a year is left out: it does not say when."""
    found: list[Period] = []
    for token in re.finditer(r"\d+|[^\W\d_]+", text):
        if not found or token.start() >= found[-1].end:
            period = period_at(text, token.start(), token[0].casefold())
            found += [period] if period is not None else []
    return tuple(period for period in found if period.dated)


def period_at(text: str, start: int, token: str) -> Period | None:
    """The period that text[start:] begins with, None if there is none; `token` is the word, folded, or digits there."""
    digit = token[0].isdigit()
    if not digit and token not in OPENERS:
        return None
    if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return None
    match = (_BY_DIGIT if digit else _BY_WORD).match(text, start)
    made = match and (_by_digit(match) if digit else _by_word(match))
    if not (match and made):
        return None
    end = made.end or match.end()
    return replace(made, start=start, end=end, text=text[start:end])


def _by_digit(match: re.Match[str]) -> Period | None:
    part = match.groupdict()
    if part["iso"]:
        return _day(int(part["iso"]), int(part["iso_month"]), int(part["iso_day"]))
    if part["year_n"]:
        day, month, year = int(part["one"]), int(part["two"]), int(part["year_n"])
        if month > 12 or (part["mark"] == "/" and day <= 12):
            day, month = month, day  # the American order
        found = _day(year, month, day)
        both = part["mark"] == "/" and max(day, month) <= 12 and day != month
        return replace(found, other=(year, day, month)) if found and both else found
    if part["month_r"]:
        year = int(part["year_r"] or 0)
        return _days(match, year, part["month_r"], ("from_day", "until_day"))
    if part["month_d"]:
        return _day(int(part["year_d"] or 0), _month(part["month_d"]), _number(part["day"]))
    if part["year_q"] or part["year_y"]:
        return _quarter(int(part["year_q"] or part["year_y"]), int(part["quarter"] or part["quarter_y"]))
    if part["decade"]:
        year = int(part["decade"])
        return _years(year, year + 9, "decade") if year % 100 else _years(year, year + 99, "century")
    if part["century"]:
        return _years(100 * int(part["century"]) - 99, 100 * int(part["century"]), "century")
    if part["from"]:
        return _span_of_years(match)
    year, before = int(part["year"]), match.string[max(0, match.start() - 10) : match.start()]
    if before.endswith(("EUR ", "USD ", "GBP ", "CHF ")):
        return None
    if year < 1800 and not re.search(
        r"(?i)\b(?:in|since|until|till|by|around|circa|about|year|of|from|to|before|after|and|born|died|late|early)\s+$"
        r"|[-–(]$",
        before,
    ):
        return None  # "1240 people"
    return _years(year, year, "year")


def _by_word(match: re.Match[str]) -> Period | None:
    part = match.groupdict()
    if part["month_s"]:
        year, first, last = int(part["year_s"]), _month(part["month_s"]), _month(part["month_e"])
        if first > last:
            return None
        ends = tuple(
            replace(_months(year, month), start=match.start(name), end=match.end(name), text=match[0])
            for month, name in ((first, "month_s"), (last, "month_e"))
        )
        return replace(_months(year, first, last), grain="span", ends=ends)
    if part["month_m"]:
        return _days(match, int(part["year_m"]), part["month_m"], ("from_m", "until_m"))
    if part["month"]:
        return _months(int(part["year"]), _month(part["month"]))
    if part["month_d"]:
        if not part["year_d"] and match[0].startswith(("may", "mar ", "mars")):
            return None  # "it may 5 times"
        return _day(int(part["year_d"] or 0), _month(part["month_d"]), int(part["day"]))
    if part["year_q"]:
        return _quarter(int(part["year_q"]), int(part["quarter"] or _COUNTED[part["counted"].casefold()]))
    if part["year_h"]:
        half = int(part["half"] or _COUNTED[part["counted_h"].casefold()])
        return replace(_months(int(part["year_h"]), 6 * half - 5, 6 * half), grain="half")
    if part["century"]:
        number = ORDINALS[part["century"].casefold()]
        return _years(100 * number - 99, 100 * number, "century")
    if part["year_w"]:
        return replace(_months(int(part["year_w"]), *_SEASONS[part["season"].casefold()]), grain="season")
    if part["from"]:
        return _span_of_years(match)
    year = int(part["fiscal"])
    return _years(year if year > 99 else 2000 + year, year if year > 99 else 2000 + year, "year")


def _span_of_years(match: re.Match[str]) -> Period | None:
    first, last = int(match["from"]), int(match["until"])
    ends = ("from", "until") if last > 99 else ("from",)
    joined = match["to"].strip().casefold()
    last += first // 100 * 100 if last < 100 else 0
    between = re.search(r"(?i)\bbetween\s+$", match.string[max(0, match.start() - 9) : match.start()])
    if first >= last or (joined == "and" and not between) or (len(ends) == 1 and joined not in ("-", "–", "/")):
        # two years, this is the first of them
        return replace(_years(first, first, "year"), end=match.end("from")) if len(ends) == 2 else None
    parts = tuple(
        replace(_years(int(match[name]), int(match[name]), "year"), start=match.start(name), end=match.end(name),
                text=match[name])
        for name in ends
    )  # fmt: skip
    return replace(_years(first, last, "span"), ends=parts)


def _number(written: str) -> int:
    digits = re.match(r"\d+", written)
    return int(digits[0]) if digits else 0


def _month(name: str) -> int:
    return _MONTHS[name.casefold().rstrip(".")]


def _day(year: int, month: int, day: int) -> Period | None:
    if not (1 <= month <= 12 and 1 <= day <= (calendar.monthrange(year or 2000, month)[1])):
        return None
    return Period(0, 0, "", (year, month, day), (year, month, day), "day")


def _days(match: re.Match[str], year: int, month: str, names: tuple[str, str]) -> Period | None:
    first, last = (_day(year, _month(month), _number(match[name])) for name in names)
    if first is None or last is None or last.first <= first.first:
        return None
    ends = tuple(
        replace(day, start=match.start(name), end=match.end(name), text=match[0])
        for day, name in zip((first, last), names, strict=True)
    )
    return replace(first, last=last.last, grain="span", ends=ends)


def _months(year: int, first: int, last: int | None = None) -> Period:
    last = first if last is None else last
    end_year, end_month = (year + 1, last - 12) if last > 12 else (year, last)
    end = end_year, end_month, calendar.monthrange(end_year, end_month)[1]
    return Period(0, 0, "", (year, first, 1), end, "month")


def _quarter(year: int, quarter: int) -> Period:
    return replace(_months(year, 3 * quarter - 2, 3 * quarter), grain="quarter")


def _years(first: int, last: int, grain: Grain) -> Period:
    return Period(0, 0, "", (first, 1, 1), (last, 12, 31), grain)
