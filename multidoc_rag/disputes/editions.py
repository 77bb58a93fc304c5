"""Which of two documents is a later edition of the other, by what they say of themselves on their first page.

Pure functions of a document's opening and its file name: title, number and date of the edition, what it replaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from multidoc_rag.figures.periods import Day, periods

OPENING = 1500
"""Characters of a document that may speak of its edition."""
HEAD = 500
"""Characters in which its own number and date stand."""

LONGEST_TITLE = 150
"""Characters of a first line that may be a title."""

_NOUNS = r"version|edition|revision|issue|release|rev|ver|draft"
_NUMBER = r"\d+(?:\.\d+)*|[A-Z](?![\w'’])"
_COUNTED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_VERSION = re.compile(
    rf"\b(?i:{_NOUNS})\.?[\s:_-]*(?:(?i:no|number|of)\.?\s+)?(?P<after>{_NUMBER})"
    rf"|\b(?P<before>(?i:{'|'.join(_COUNTED)})|\d+(?=(?:st|nd|rd|th)?\s+(?i:{_NOUNS})\b))(?:st|nd|rd|th)?\s+(?i:{_NOUNS})\b"
    rf"|(?:\b|(?<=_))[vV]\.?\s?(?P<short>\d+(?:\.\d+)*)(?![\w])"
)
_REPLACES = re.compile(
    r"(?i)\b(?:supersed(?:es|ing)|replac(?:es|ing)|takes? the place of|in place of|"
    r"instead of the (?:former|previous|old)|revokes|repeals|cancels)\b(?P<what>(?:[^.!?\n]|\.(?=\S)|\n(?!\n))*)"
)
_REPLACED = re.compile(r"(?i)\b(?:superseded|replaced|withdrawn|obsolete|no longer (?:in force|valid))\b[^.!?\n]*")
_DATED = re.compile(
    r"(?i)\b(?:dated|dating|in force|in effect|effective|valid|version|edition|revision|issued?|published|updated|"
    r"revised|approved|adopted|signed|made|concluded|entered into|as of|as at|status|covers?|year|period|from|since)\b"
    r"[^.;]*$"
)
"""What stands before a document's own date."""
_EARLIER = re.compile(r"(?i)\b(?:all|any|the|its|every)?\s*(?:earlier|previous|prior|former|older|preceding|last)\b")
_IDENTIFIER = re.compile(r"\b[A-Z]{2,}(?:[-/ ][A-Z\d]+)*[-/ ]?\d[\d.-]*\b")
_PERIODICAL = frozenset(
    """
    report statement accounts minutes results review survey bulletin newsletter statistics budget forecast figures
    proceedings journal letter release entry
    """.split()  # noqa: SIM905
)
"""Kinds of documents of which another year's is another document."""
_NO_TITLE = frozenset(
    f"""{_NOUNS.replace("|", " ")} v final new old copy of the a an and for in on to from january february march april
    may june july august september october november december st nd rd th with by at ed""".split()
)


@dataclass(frozen=True, slots=True)
class Edition:
    """What a document says of itself: words of its title and of its file name, identifiers (HBP-TS-014), the number and
    the date of this edition, and of what it replaces (`earlier`: of whatever came before)."""

    title: frozenset[str] = frozenset()
    name: frozenset[str] = frozenset()
    identifiers: frozenset[str] = frozenset()
    version: tuple[int, ...] = ()
    date: Day | None = None
    last: Day | None = None
    replaces: frozenset[tuple[int, ...]] = frozenset()
    replaces_years: frozenset[int] = frozenset()
    earlier: bool = False
    gone: bool = False

    @property
    def span(self) -> tuple[tuple[Day, Day], ...]:
        """The first and the last day of its date, of a report its period; none where it has no date."""
        return ((self.date, self.last),) if self.date and self.last else ()


UNKNOWN = Edition()


@lru_cache(maxsize=1024)
def edition(opening: str, file_name: str) -> Edition:
    """What the opening of a document and its file name say of its edition."""
    opening = opening[:OPENING]
    what = " ".join(match["what"] for match in _REPLACES.finditer(opening))
    own = _REPLACED.sub(" ", _REPLACES.sub(" ", opening))[:HEAD]
    name = re.sub(r"(?<=[a-z])(?=[A-Z\d])|_", " ", file_name.rpartition(".")[0] or file_name)
    title = next((line for line in opening.splitlines() if re.search(r"[^\W\d_]{3}", line)), "").strip()
    title = "" if title.endswith((".", ";", "?", "!")) or len(title) > LONGEST_TITLE else title
    versions = _versions(own) or _versions(file_name)
    dates = [period for period in periods(own) if _dates_it(own, period.start)] + list(periods(name))
    return Edition(
        frozenset(title_words(title)),
        frozenset(title_words(name)),
        frozenset(_IDENTIFIER.findall(own)),
        versions[0] if versions else (),
        dates[0].first if dates else None,
        dates[0].last if dates else None,
        frozenset(_versions(what)),
        frozenset(period.first[0] for period in periods(what)),
        bool(_EARLIER.search(what)),
        bool(_REPLACED.search(opening[:HEAD])),
    )


def _dates_it(text: str, start: int) -> bool:
    """Whether the date that starts there is the document's own: in a line that is no sentence, or said to be."""
    first = text.rfind("\n", 0, start) + 1
    line = text[first:].partition("\n")[0].strip()
    sentence = line.endswith((".", ";", ",")) or (len(line) > LONGEST_TITLE // 2 and not line.startswith("#"))
    return not sentence or bool(_DATED.search(text[max(first, start - 60) : start]))


def editions_of_one(one: Edition, other: Edition, *, alike: bool) -> bool:
    """Whether two documents are an earlier and a later edition of one. `alike`: whether they share much of their text,
    asked for where neither says that it replaces the other."""
    related = bool(one.identifiers & other.identifiers) or any(
        mine and mine == yours for mine, yours in ((one.title, other.title), (one.name, other.name))
    )
    if not related:
        return False
    for newer, older in ((one, other), (other, one)):
        if older.version and older.version in newer.replaces and older.version != newer.version:
            return True
        if older.date and older.date[0] in newer.replaces_years and older.date != newer.date:
            return True
    told = one.earlier or other.earlier or one.gone or other.gone
    if one.version and other.version and one.version != other.version:
        return alike or told
    if not one.date or not other.date or one.date == other.date:
        return False
    return (alike or told) and not (one.title | one.name) & _PERIODICAL


def later(one: Edition, other: Edition) -> bool | None:
    """Whether the other is the later of two editions of one document; None where they are none or do not tell."""
    if not editions_of_one(one, other, alike=True):
        return None
    if one.version and other.version and one.version != other.version:
        return other.version > one.version
    if one.date and other.date and one.date != other.date:
        return other.date > one.date
    return None


def series_of_one(one: Edition, other: Edition) -> bool:
    """Whether two documents are of one series, for two periods: annual reports, minutes of one body."""
    if not one.date or not other.date or one.date == other.date:
        return False
    pairs = ((one.title, other.title), (one.name, other.name))
    return any(mine == yours and mine & _PERIODICAL for mine, yours in pairs)


def _versions(text: str) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for match in _VERSION.finditer(text):
        written = match["after"] or match["before"] or match["short"]
        if written.casefold() in _COUNTED:
            found.append((_COUNTED.index(written.casefold()) + 1,))
        elif written.isalpha():
            found.append((ord(written.upper()) - ord("A") + 1,))
        else:
            numbers = [int(part) for part in written.split(".")]
            while len(numbers) > 1 and not numbers[-1]:
                numbers.pop()  # 2.0 is 2
            found.append(tuple(numbers))
    return found


def title_words(text: str) -> tuple[str, ...]:
    """Words of a title or a file name in order, without those that only number, date or join."""
    return tuple(word for word in re.findall(r"[^\W\d_]+", text.casefold()) if word not in _NO_TITLE)
