"""From PDFium's code units to a page's raw text, and from raw text to the clean text that is read and searched.

Both steps keep an `OffsetMap`, so that every clean character leads back to a raw one and that to a character of the
file. In clean text lines end with one line break and paragraphs with two; the cells of a table row are parted by a
tab; nothing else is white space but single blanks.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from multidoc_rag.language import stop_word_share, words
from multidoc_rag.records import OffsetMap

REPLACEMENT = "\ufffd"
SOFT_HYPHEN = "\u00ad"

_SOLID = """
    airline airport almost alone along already also although always another anybody anyhow anymore anyone anything
    anyway anywhere background baseline because become before behind below beneath beside besides between beyond
    bookmark boundary breakdown breakfast broadcast cannot checklist classroom copyright crossover database dataset
    daytime deadline download downstream elsewhere everybody everyday everyone everything everywhere feedback
    firsthand footnote forever format formation framework furthermore goodwill guideline guidelines handbook handle
    handwritten hardware headline healthcare hereafter hereby herein however indeed indoor inform information
    infrastructure input inside insight instead intake into itself keyword keywords landlord landmark lifetime
    likewise mankind maybe meantime meanwhile midnight moreover myself network networks nevertheless newsletter
    nobody nonetheless notebook nothing notice notwithstanding nowadays nowhere offline offset online onto otherwise
    ourselves outcome outcomes outdoor outline outlook output outputs outside outstanding overall overcome overlap
    overlook overtime overview paperwork password payroll percent percentage perform performance perhaps
    policyholder pretext proceed program setup shareholder shortcut sideways software somebody somehow someone
    something sometimes somewhat somewhere spreadsheet stakeholder standalone subset teamwork textbook therapist
    thereafter thereby therefore throughout timeline timestamp today together toward towards trademark treatment
    typewriter undergo underground underlying understand understanding understood undertake underwriting upcoming
    update updated upgrade upload upon upright upstream upward viewpoint waterproof website weekday weekend whatever
    whatsoever whenever whereas whereby wherein wherever whichever whoever wholesale widespread withdraw withhold
    within without workflow workforce workload workplace workshop workstation worldwide yourself
"""
SOLID_WORDS = frozenset(_SOLID.split())
"""Words written solid although both halves may be words: for hyphens at line ends the document itself cannot settle."""

_BLANK = r"[^\S\r\n]"
_BREAK = rf"{_BLANK}*(?:\r\n|\r|\n)\s*"
_HYPHEN = rf"\u00ad(?:{_BLANK}*(?:\r\n|\r|\n))?{_BLANK}*|(?<=[^\W_])[-‐]{_BLANK}*(?:\r\n|\r|\n){_BLANK}*(?=\w)"
_CHANGES = re.compile(
    rf"(?P<hyphen>{_HYPHEN})|(?P<break>{_BREAK})|(?P<ligature>[\ufb00-\ufb06])"
    rf"|(?P<blank>{_BLANK}+)|(?P<drop>[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff])"
)
_FRAGMENT_BEFORE = re.compile(r"[^\W\d_]+$")
_FRAGMENT_AFTER = re.compile(r"[^\W\d_]+")
_COMPOUND = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_BROKEN = re.compile(rf"(?<![^\W_])[^\W_]+(?:{_HYPHEN})[^\W\d_]+")
_SPECIAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]|\r(?!\n)|(?<!\r)\n")
_UNMAPPABLE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_TEX_LIGATURES = {"\x0b": "ﬀ", "\x0c": "ﬁ", "\x0e": "ﬃ", "\x0f": "ﬄ"}
_LATIN = re.compile("[a-z\u00df-\u024f]+")
_VOWEL = re.compile("[aeiouyà-æè-ïò-öø-ýÿāăąēėęěīįıōőœūůűų]")
_CONSONANTS = re.compile("[bcdfghjklmnpqrstvwxz]{6}")


class _Builder:
    """A text put together from pieces, with the position each character comes from."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.sources: list[int] = []
        self.targets: list[int] = []

    def copy(self, text: str, start: int) -> None:
        """Append `text`, whose characters come from start, start + 1, ..."""
        if not text:
            return
        if not self.sources or self.targets[-1] + self.length - self.sources[-1] != start:
            self.sources.append(self.length)
            self.targets.append(start)
        self.pieces.append(text)
        self.length += len(text)

    def put(self, text: str, position: int) -> None:
        """Append `text`, whose characters all come from one position."""
        for character in text:
            self.copy(character, position)

    def finish(self) -> tuple[str, OffsetMap]:
        return "".join(self.pieces), OffsetMap(self.sources or [0], self.targets or [0])


def raw_text(codes: array[int], outside: Sequence[Sequence[int]]) -> tuple[str, OffsetMap]:
    """Raw text of a page and its map to PDFium's character indices.

    `codes` holds one UTF-16 unit (or code point) for each index, `outside` the runs [start, end) that lie outside the
    visible page and are left out. Surrogate pairs are joined; controls, lone surrogates and lone carriage returns and
    line feeds (glyph numbers, not line ends) become U+FFFD, except that glyphs 11, 12, 14 and 15 beside a letter are
    the ligatures that TeX's text fonts keep there.
    """
    characters = "".join(map(chr, codes))
    builder = _Builder()
    position = 0
    for start, end in [*outside, (len(characters), len(characters))]:
        _copy_readable(builder, characters, position, start)
        position = end
    return builder.finish()


def _copy_readable(builder: _Builder, characters: str, start: int, end: int) -> None:
    position = start
    for match in _SPECIAL.finditer(characters, start, end):
        index = match.start()
        if index < position:
            continue  # the second half of a surrogate pair
        builder.copy(characters[position:index], position)
        position = index + 1
        code, following = ord(characters[index]), characters[index + 1 : index + 2]
        if 0xD800 <= code < 0xDC00 and index + 1 < end and "\udc00" <= following <= "\udfff":
            builder.copy(chr(0x10000 + ((code - 0xD800) << 10) + ord(following) - 0xDC00), index)
            position = index + 2
        elif characters[index] in _TEX_LIGATURES and (following.islower() or characters[index - 1 : index].islower()):
            builder.copy(_TEX_LIGATURES[characters[index]], index)
        else:
            builder.copy(REPLACEMENT, index)
    builder.copy(characters[position:end], position)


def inverse(offsets: OffsetMap, target: int) -> int:
    """The first source position whose target is `target`, or the next one where that character was left out."""
    index = max(0, bisect_right(offsets.targets, target) - 1)
    while index and offsets.targets[index - 1] == offsets.targets[index] == target:
        index -= 1
    source = offsets.sources[index] + max(0, target - offsets.targets[index])
    return min(source, offsets.sources[index + 1]) if index + 1 < len(offsets.sources) else source


def inverse_span(offsets: OffsetMap, start: int, end: int) -> tuple[int, int]:
    """Source positions of a target span that is not empty, from its first to its last character."""
    return inverse(offsets, start), max(inverse(offsets, start), inverse(offsets, end - 1) + 1)


# --- clean text --------------------------------------------------------------------------------


def vocabulary(texts: Iterable[str]) -> Counter[str]:
    """Casefolded words of the raw texts with their numbers; compounds count whole and in parts, words broken at a
    line end not at all."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(_COMPOUND.findall(_BROKEN.sub(" ", text).casefold().replace("‐", "-")))
    for compound, number in list(counts.items()):
        if "-" in compound:
            for part in compound.split("-"):
                counts[part] += number
    return counts


def keeps_hyphen(before: str, after: str, known: Counter[str]) -> bool:
    """Whether a word broken after a hyphen is written with it: "in-" "network" yes, "statis-" "tical" no.

    The document's own words decide, then the list of solid words; two halves that are both words of the document
    (three letters and more for the second) keep the hyphen. `before` and `after` are the letters on either side.
    """
    if not before or not after or after[0].isupper():
        return True
    first, second = before.casefold(), after.casefold()
    solid, compound = known[first + second], known[f"{first}-{second}"]
    if solid or compound:
        return compound > solid
    if first + second in SOLID_WORDS:
        return False
    return len(second) >= 3 and known[first] > 0 and known[second] > 0


def clean_text(
    raw: str, known: Counter[str], *, paragraph_ends: Collection[int] = (), cell_starts: Collection[int] = ()
) -> tuple[str, OffsetMap]:
    """The clean text of one page and its map to `raw`.

    `known` is the document's `vocabulary`. A line break at a raw offset in `paragraph_ends` becomes two, as does one
    with blank lines after it. White space before a raw offset in `cell_starts` becomes a tab.
    """
    builder = _Builder()
    position = len(raw) - len(raw.lstrip())
    last = len(raw.rstrip())
    for match in _CHANGES.finditer(raw, position, last):
        index, end = match.span()
        kind = match.lastgroup
        if kind == "blank" and match.group() == " " and end not in cell_starts:
            continue
        builder.copy(raw[position:index], position)
        position = end
        if kind == "blank":
            builder.copy("\t" if end in cell_starts else " ", index)
        elif kind == "break":
            line_end = index + re.search(r"[\r\n]", match.group()).start()  # type: ignore[union-attr]
            breaks = len(re.findall(r"\r\n|\r|\n", match.group()))
            builder.copy("\n", line_end)
            if breaks > 1 or line_end in paragraph_ends:
                builder.copy("\n", line_end + (raw[line_end : line_end + 2] == "\r\n"))
        elif kind == "ligature":
            builder.put(unicodedata.normalize("NFKC", match.group()), index)
        elif kind == "hyphen":
            before = _FRAGMENT_BEFORE.search(raw, max(0, index - 40), index)
            after = _FRAGMENT_AFTER.match(raw, end)
            if keeps_hyphen(before.group() if before else "", after.group() if after else "", known):
                builder.copy("-", index)
    builder.copy(raw[position:last], position)
    return builder.finish()


# --- is it text at all? ------------------------------------------------------------------------


def is_readable(raw: str, unmappable_share: float) -> bool:
    """Whether a page's text says anything to a reader.

    No where more than `unmappable_share` of its characters have no meaning (U+FFFD, private use), unless they are the
    formulas of a page of prose (up to thrice the share, 30 words and more, every seventh a stop word). No where 30 or
    more words of Latin letters hold hardly a stop word of any known language and hardly look like words: tables, lists
    of names and references have few stop words too, but words with vowels.
    """
    visible = sum(map(len, raw.split()))
    unmappable = len(_UNMAPPABLE.findall(raw)) / max(1, visible)
    share = stop_word_share(raw, enough=1 / 7)
    if unmappable > unmappable_share:
        return unmappable <= 3 * unmappable_share and share >= 1 / 7 and len(words(raw)) >= 30
    if share >= 0.02:
        return True
    tokens = [word for word in words(raw) if len(word) > 1 and not word.isdigit()]
    latin = [word for word in tokens if _LATIN.match(word)]
    if len(latin) < 30 or len(latin) < 0.5 * len(tokens):
        return True
    plausible = sum(1 for word in latin if _VOWEL.search(word) and not _CONSONANTS.search(word))
    return plausible >= 0.75 * len(latin)
