"""What a document is about, by what it says of itself at its head, and whether two are about different things.

A sentence such as "the monthly rent is 1,200 EUR" leaves to its document whose rent it is. Pure functions: names with a
kind (addresses, product codes, numbered things, departments, contract parties) are read from titles, file names, first
lines and sentences; two values of one kind are two things. Titles and persons tell documents apart only where these
share much of their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from multidoc_rag.disputes.editions import LONGEST_TITLE, title_words

HEAD = 1500
"""Characters of a document in which it names what it is about."""
FIRST_LINES = 500
"""Characters in which persons and numbers of contracts, flats and the like are its own."""
OWN_ADDRESSES = 2
"""Addresses (its own, its sender's) beyond which a document is a list of them."""

Names = Mapping[str, frozenset[str]]
Relation = Literal["same", "other", "unknown"]

_STREETS = (
    "street|st|road|rd|lane|ln|avenue|ave|row|terrace|drive|close|court|square|place|way|gardens|hill|crescent|"
    "boulevard|blvd|quay|mews|walk|grove|green|parade|wharf|highway"
)
_SHORT = {"st": "street", "rd": "road", "ln": "lane", "ave": "avenue", "blvd": "boulevard", "str": "strasse"}
_NUMBER = r"\d{1,5}\s?[a-zA-Z]?(?:[-/–]\d{1,4})?"
_ADDRESSES = (
    re.compile(rf"\b(?P<number>{_NUMBER}),?\s+(?:[A-Z][\w'’.-]*\s+){{0,2}}?(?P<name>[A-Z][\w'’-]+)\s+(?i:(?P<kind>{_STREETS}))\b"),
    re.compile(rf"\b(?P<name>[A-Z][\w'’-]+)\s+(?i:(?P<kind>{_STREETS}))\.?,?\s+(?i:no\.?\s*)?(?P<number>\d{{1,4}}[a-z]?)\b(?![.,]?\d)"),
    re.compile(
        r"\b(?P<name>[A-ZÄÖÜ][\wäöüß-]*?)-?\s?(?P<kind>[Ss]tra(?:ß|ss)e|[Ss]tr\.|[Ww]eg|[Aa]llee|[Pp]latz|[Gg]asse|[Uu]fer)"
        r"\s+(?P<number>\d{1,4}\s?[a-z]?)\b(?![.,]\d)"
    ),
    re.compile(
        r"\b(?P<number>\d{1,4}),?\s+(?P<kind>rue|avenue|boulevard|place|quai)\s+(?:(?:de|du|des|la|le|l['’])\s*)*"
        r"(?P<name>[A-Z][\w'’éèêàç-]+)"
    ),
    re.compile(
        r"\b(?P<kind>[Vv]ia|[Cc]alle|[Pp]iazza|[Pp]laza|[Cc]orso|[Aa]venida)\s+(?:(?:de|del|della|la|las|los|di)\s+)*"
        r"(?P<name>[A-Z][\w'’áéíóúñ-]+),?\s+(?P<number>\d{1,4})\b"
    ),
)  # fmt: skip
_CODE = re.compile(r"(?<![\w/-])(?P<letters>[A-Z]{1,5})[-‑ ]?(?P<digits>\d{1,5})(?P<tail>[A-Z]{0,2})(?![\w-])")
_NO_CODE = frozenset(
    """
    ISO IEC EN DIN BS NS VDE IEEE ANSI ASTM IP CO PM NO SO NH FY Q H A M R DN PN USB EU EC UN US UK EUR USD GBP CHF
    NOK SEK DKK COVID RFC GB MB KB HTTP UTF V REV ED NR VOL PT CH SEC FIG TAB DOC PAGE PART LEVEL STAGE PHASE TABLE
    TYPE CLASS STEP ITEM ANNEX JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC SCAN IMG FILE COPY DRAFT FINAL NOTE
    TEST PAGES YEAR MON TUE WED THU FRI SAT SUN T B C D E F G
    """.split()  # noqa: SIM905
)
_NUMBERED = re.compile(
    r"\b(?i:(?P<thing>flat|apartment|apt|suite|plot|lot|batch|berth|unit|room|well|house))\s+(?i:no\.?\s*|number\s+|#)?"
    r"(?P<number>[A-Z]?\d[\w/-]*)"
    r"|\b(?i:(?P<paper>contract|agreement|policy|order|invoice|account|case|patient|claim|lease|project|customer|tender))\s+"
    r"(?i:no\.?|number|nr\.?|id|#):?\s*(?P<code>[A-Z]*[-/]?\d[\w/-]*)"
)
_UNIT = re.compile(
    r"\b(?P<name>[A-Z][\w'’&-]+)\s+(?P<kind>Department|Division|Branch|Faculty|Ward|Clinic|Hospital|School|Hotel|Campus|Depot|"
    r"Warehouse|Team)\b"
    r"|\b(?P<of>Department|Division|Faculty|School)\s+of\s+(?:the\s+)?(?:[A-Z][\w'’&-]+\s+)*(?P<what>[A-Z][\w'’&-]+)"
)
_PERSON = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|Mlle|Sr|Sra)\.? (?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+){0,3})"
)
_BETWEEN = re.compile(
    r"\b(?:[Bb]etween|[Zz]wischen|[Ee]ntre)\s+(?P<one>[A-Z][^.;]{2,160}?)\s+(?:and|und|et|y)\s+(?P<other>[A-Z][^;(,]{2,80})"
)
_COMPANY = frozenset(
    """
    the ltd limited inc gmbh ag as asa ab llc plc sa co corp company mr mrs ms dr prof and of
    """.split()  # noqa: SIM905
)
_NO_PARTY = frozenset(
    """
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday
    """.split()  # noqa: SIM905
)
_KINDS = frozenset(
    """
    report manual specification policy guide handbook plan review assessment statement rules minutes letter note notes
    study summary schedule amendment addendum annex appendix agreement contract lease record sheet data catalogue
    brochure invoice protocol procedure instruction instructions installation operation operations maintenance
    press board news memo memorandum notice presentation slides survey inspection leaflet handover offer quotation
    application file dossier profile fact facts
    certificate overview description evaluation analysis technical economic annual independent safety user general
    """.split()  # noqa: SIM905
)
"""Words of a title that say what kind of document it is, not what it is about."""
_LEADS = frozenset(
    """
    the a an this that our its each every any of for at in on by to from with der die das den dem des le la les du
    el los il
    """.split()  # noqa: SIM905
)
_PLAIN = _LEADS | frozenset(
    """
    is are was were be been has have had will shall must may can not no and or than as it they which who that per up
    about least most over under more less only also then there
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a document says it is about.

    `names` by kind, from its title and file name where these name one, else from its first lines (`titled`: the kinds
    that the title or the file name names); the parties of a contract, each as its words; persons by their last name;
    words of its title and of its file name.
    """

    names: Names = field(default_factory=lambda: MappingProxyType({}))
    titled: frozenset[str] = frozenset()
    parties: tuple[frozenset[str], ...] = ()
    persons: frozenset[str] = frozenset()
    title: tuple[str, ...] = ()
    file: tuple[str, ...] = ()


NOTHING = Subject()


@lru_cache(maxsize=4096)
def subject(opening: str, file_name: str) -> Subject:
    """What a document with this opening (its first page, or more of it) and file name is about."""
    opening = opening[:HEAD]
    title = _title(opening)
    stem = file_name.rpartition(".")[0] or file_name
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\W]+", " ", stem).title()
    codes = re.findall(r"(?<![A-Za-z])([A-Za-z]{2,3})[-_ ]?(\d{1,4})(?![A-Za-z\d])", stem)
    in_file = named(words, codes=False) | {
        "code": frozenset(f"{a.upper()}{b}" for a, b in codes if a.upper() not in _NO_CODE and not _is_year(b))
    }
    in_title = named(title)
    short = " \n".join(line for line in opening[:300].splitlines() if len(line.split()) <= 6 and "," not in line)
    in_lines = {
        kind: values for kind, values in named(opening).items() if kind == "address" and len(values) <= OWN_ADDRESSES
    } | {kind: values for kind, values in named(opening[:FIRST_LINES], codes=False).items() if " no" in kind}
    in_lines |= {kind: values for kind, values in named(short).items() if kind == "code"}
    own: dict[str, frozenset[str]] = {}
    for source in (in_title, in_file, in_lines):
        for kind, values in source.items():
            if values:
                own.setdefault(kind, values)
    titled = frozenset(kind for kind in own if in_title.get(kind) or in_file.get(kind))
    return Subject(
        MappingProxyType(own),
        titled,
        _parties(opening),
        frozenset(_persons(opening[:FIRST_LINES])),
        _words(title),
        _words(stem),
    )


@lru_cache(maxsize=65536)
def named(text: str, codes: bool = True) -> dict[str, frozenset[str]]:
    """The names in a text that have a kind, folded: {"address": {"5 oak street"}, "code": {"PX200"},
    "flat no": {"3"}}; without `codes` no product codes."""
    found: dict[str, set[str]] = {}
    if any(character.isdigit() for character in text):
        for pattern in _ADDRESSES:
            for match in pattern.finditer(text):
                street = match["kind"].casefold().rstrip(".").replace("ß", "ss")
                number = re.sub(r"\s", "", match["number"]).casefold()
                found.setdefault("address", set()).add(
                    f"{number} {match['name'].casefold()} {_SHORT.get(street, street)}"
                )
        for match in _NUMBERED.finditer(text):
            kind, number = match["thing"] or match["paper"], match["number"] or match["code"]
            found.setdefault(f"{kind.casefold()} no", set()).add(number.casefold())
        for match in _CODE.finditer(text) if codes else ():
            if match["letters"] not in _NO_CODE and not _is_year(match["digits"]):
                found.setdefault("code", set()).add(f"{match['letters']}{match['digits']}{match['tail']}")
    for match in _UNIT.finditer(text):
        kind, name = match["kind"] or match["of"], match["name"] or match["what"]
        if name.casefold() not in _PLAIN:
            found.setdefault(kind.casefold(), set()).add(name.casefold())
    return {kind: frozenset(values) for kind, values in found.items()}


def addresses(text: str) -> list[tuple[int, int]]:
    """Where addresses stand in a text: (start, end) of each."""
    if not any(character.isdigit() for character in text):
        return []
    return [match.span() for pattern in _ADDRESSES for match in pattern.finditer(text)]


def relation(one: Subject, other: Subject) -> Relation:
    """Whether two documents name one thing at their heads, or two things of one kind."""
    shared = False
    for kind in one.names.keys() & other.names.keys():
        mine, yours = one.names[kind], other.names[kind]
        both_titled = kind in one.titled and kind in other.titled
        # a sender's address may stand in both: each has one of its own beside it
        if not mine & yours or (mine - yours and yours - mine and not both_titled):
            return "other"
        shared = shared or mine == yours or both_titled
    if one.parties and other.parties:
        strange = [not any(_one_party(party, each) for each in other.parties) for party in one.parties]
        stranger = [not any(_one_party(party, each) for each in one.parties) for party in other.parties]
        if any(strange) and any(stranger):
            return "other"
        shared = shared or not any(strange) or not any(stranger)
    return "same" if shared else "unknown"


def other_mould(one: Subject, other: Subject) -> bool:
    """Whether documents that share much of their text are about two things by their titles, file names or persons.

    "Standard Plan" and "Plus Plan" begin or end alike and have a word each that is no version, date, copy number or
    kind of document ("Manual of the Pump" and "Data Sheet of the Pump" are about one thing).
    """
    if one.persons and other.persons and not one.persons & other.persons:
        return True
    # a word that stands in the other's title or file name tells nothing apart
    mine, yours = {*one.file, *one.title}, {*other.file, *other.title}
    own, others = {*one.file} - yours - _KINDS, {*other.file} - mine - _KINDS
    if {*one.file} & {*other.file} and own and others:
        return True
    return bool(title_slots(one, other)[0])


def title_slots(one: Subject, other: Subject) -> tuple[frozenset[str], frozenset[str]]:
    """What two titles that are the same words around one place have there, each words of its own ("Notes on the pilot
    boat", "Notes on the slipway"); both empty where they are not such titles."""
    return _slots(one.title, other.title)


@lru_cache(maxsize=65536)
def _slots(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[frozenset[str], frozenset[str]]:
    head = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[head:], other[head:]
    tail = next((n for n, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=False)) if a != b), 0)
    mine, yours = frozenset(one[: len(one) - tail]), frozenset(other[: len(other) - tail])
    if not (head or tail) or not (mine - yours - _KINDS and yours - mine - _KINDS):
        return frozenset(), frozenset()
    return mine - yours, yours - mine


def said_of(one: str, own: Subject, other: str, others: Subject) -> Relation:
    """Whether two sentences name one thing or two things of one kind; what a sentence does not name, its document does.
    "unknown" where neither sentence names anything of a kind that both can be held to."""
    mine, yours = named(one), named(other)
    shared = False
    for kind in mine.keys() | yours.keys():
        ours, theirs = mine.get(kind) or own.names.get(kind), yours.get(kind) or others.names.get(kind)
        if ours and theirs:
            if not ours & theirs:
                return "other"
            shared = True
    persons = set(_persons(one)), set(_persons(other))
    if persons[0] and persons[1] and not persons[0] & persons[1]:
        return "other"
    return "same" if shared else "unknown"


def other_noun(
    one: str,
    other: str,
    *,
    alike: bool,
    titles: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
) -> bool:
    """Whether two sentences say the same of two things: one frame of words, with one noun for another behind an article
    or a preposition ("the crew of the pilot boat is", "the crew of the research vessel is").

    One writer's "plant" may be the other's "facility": so the documents must be alike, or both nouns of two words,
    or those in which the documents' titles differ (`title_slots`).
    """
    mine, yours = _frame(one), _frame(other)
    matcher = SequenceMatcher(None, mine, yours, autojunk=False)
    if sum(block.size for block in matcher.get_matching_blocks()) < 0.6 * max(len(mine), len(yours)):
        return False
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "replace" or not i1 or mine[i1 - 1] not in _LEADS or mine[i2 : i2 + 1] == ["#"]:
            continue
        left, right = mine[i1:i2], yours[j1:j2]
        if any(word in _PLAIN or word == "#" for word in left + right):
            continue
        if i1 and mine[i1 - 1] in ("to", "by") and i2 == len(mine):
            continue
        in_titles = not titles[0].isdisjoint(left) and not titles[1].isdisjoint(right)
        if alike or in_titles or min(len(left), len(right)) > 1:
            return True
    return False


def _frame(text: str) -> list[str]:
    """The words of a sentence, folded, with "#" for each number."""
    return [
        "#" if word[0].isdigit() else word.removesuffix("'s")
        for word in re.findall(r"\d[\d.,]*|[^\W\d_][\w'’-]*", text.casefold().replace("’", "'"))
    ]


def _title(opening: str) -> str:
    """The first line with words, and the next where it goes on there."""
    lines = opening.splitlines()
    for number, line in enumerate(lines):
        if re.search(r"[^\W\d_]{3}", line):
            title = line.strip(" #\t*")
            following = lines[number + 1].strip() if number + 1 < len(lines) else ""
            if title.endswith((".", ";", "?", "!")) or len(title) > LONGEST_TITLE:
                return ""
            goes_on = following and len(following.split()) <= 10 and not following.endswith((".", ";", ":"))
            return f"{title} {following}" if goes_on else title
    return ""


def _words(text: str) -> tuple[str, ...]:
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return title_words(parts)


def _persons(text: str) -> Iterator[str]:
    for match in _PERSON.finditer(text):
        yield match["name"].split()[-1].casefold().removesuffix("'s").removesuffix("’s")


def _parties(opening: str) -> tuple[frozenset[str], ...]:
    match = _BETWEEN.search(" ".join(opening.split()))
    if match is None:
        return ()
    found = []
    for written in (match["one"], match["other"]):
        name = re.split(r"[(,]|\.(?:\s|$)|\s(?:dated|of|on|for|about|concerning|is|are|was|in)\s", written)[0]
        words = frozenset(re.findall(r"[^\W\d_]+", name.casefold())) - _COMPANY
        if not words or words & _NO_PARTY:
            return ()
        found.append(words)
    return tuple(found)


def _one_party(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one or 2 * len(one & other) > min(len(one), len(other))


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[:2] in ("19", "20")
