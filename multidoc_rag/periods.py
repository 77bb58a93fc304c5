"""Dates and periods that a text names, with offsets: days, months, quarters, seasons, years and spans of years."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

Grain = Literal["day", "month", "quarter", "season", "year", "span"]


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time that text[start:end] names: first and last day, both included."""

    start: int
    end: int
    text: str
    first: date
    last: date
    grain: Grain

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
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
MONTH_AFTER = re.compile(rf"(?i)(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH}")
MONTH_BEFORE = re.compile(rf"(?i)\b{_MONTH}\s+$")
"""A number beside a month's name is a day."""
_YEAR = r"(?:1[89]|20)\d\d"
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 14)}
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_UNIT_AFTER = r"\s*(?:%|[€$£]|EUR|USD|GBP|[kMGT]?Wh?\b|kg\b|km\b|m²|[\w]+s\b\s+(?:of|per)\b)"
_PERIOD = re.compile(
    rf"\b(?P<iso>{_YEAR})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)\b"
    rf"|\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?(?P<month>{_MONTH}),?\s+(?:de\s+)?(?P<year>{_YEAR})\b"
    rf"|\b(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>{_YEAR})\b"
    rf"|\b(?P<month3>{_MONTH}),?\s+(?:of\s+|de\s+)?(?P<year3>{_YEAR})\b"
    rf"|\b(?:(?P<quarter>[1-4])Q|Q(?P<quarter2>[1-4])|(?P<quarter3>{'|'.join(_QUARTERS)})\s+quarter)"
    rf"(?:\s+of)?[\s,-]*(?P<year4>{_YEAR})\b"
    rf"|\b(?P<season>{'|'.join(_SEASONS)})(?:\s+of)?\s+(?P<year5>{_YEAR})\b"
    rf"|\b(?P<from>{_YEAR})(?:\s*[-–/]\s*|\s+(?:to|until)\s+)(?P<until>{_YEAR}|\d\d)(?!\d|-\d|\.\d)\b"
    rf"|(?<![\w.,/€$£-])(?P<year6>{_YEAR})(?!\d|[.,]\d|[-/]\d|{_UNIT_AFTER})\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def periods(text: str) -> tuple[Period, ...]:
    """The periods of `text` in order. A day or month without a year is left out: it does not say when."""
    found = []
    for match in _PERIOD.finditer(text):
        spanned = _span_of(match)
        if spanned is not None:
            found.append(Period(match.start(), match.end(), match.group(), *spanned))
    return tuple(found)


def _span_of(match: re.Match[str]) -> tuple[date, date, Grain] | None:
    part = match.groupdict()
    if part["iso"]:
        return _day(int(part["iso"]), int(part["iso_month"]), int(part["iso_day"]))
    for suffix in ("", "2"):
        if part["year" + suffix]:
            return _day(int(part["year" + suffix]), _month(part["month" + suffix]), int(part["day" + suffix]))
    if part["year3"]:
        return *_months(int(part["year3"]), _month(part["month3"])), "month"
    if part["year4"]:
        quarter = int(part["quarter"] or part["quarter2"] or _QUARTERS[part["quarter3"].casefold()])
        return *_months(int(part["year4"]), 3 * quarter - 2, 3 * quarter), "quarter"
    if part["year5"]:
        return *_months(int(part["year5"]), *_SEASONS[part["season"].casefold()]), "season"
    if part["from"]:
        first, last = int(part["from"]), int(part["until"])
        last += first // 100 * 100 if last < 100 else 0
        return (date(first, 1, 1), date(last, 12, 31), "span") if first <= last else None
    return date(int(part["year6"]), 1, 1), date(int(part["year6"]), 12, 31), "year"


def _month(name: str) -> int:
    return _MONTHS[name.casefold().rstrip(".")]


def _day(year: int, month: int, day: int) -> tuple[date, date, Grain] | None:
    if not (1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    return date(year, month, day), date(year, month, day), "day"


def _months(year: int, first: int, last: int | None = None) -> tuple[date, date]:
    last = first if last is None else last
    end_year, end_month = (year + 1, last - 12) if last > 12 else (year, last)
    return date(year, first, 1), date(end_year, end_month, calendar.monthrange(end_year, end_month)[1])
