"""What the places of a page's lines say: paragraphs, headings and titles; `tables` is in its own room.

Works on lines, not characters: `pdf_worker` sends each line's box, size, weight and wide gaps. Coordinates are those of
the page turned so that its text runs to the right, y upwards; offsets are into the page's raw text. "Size" is the
height of the font's own box, about 1.2 times the point size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from multidoc_rag.files.pdf_document import BOLD, GAP, LINE, NAMELESS, Header
from multidoc_rag.files.reading_text import inverse
from multidoc_rag.language import fold_map
from multidoc_rag.records import OffsetMap

_HEADING_LENGTH = 120
_NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2})+|[IVX]{1,5}|[A-Z])[.)]?\s+(?=[^\W\d_])"
)
_NAMED = re.compile(
    r"(?:abstract|introduction|conclusions?|references|bibliography|acknowledge?ments?|appendix|summary|results|discussion"
    r"|methods?|related work|zusammenfassung|einleitung|literatur|résumé|references cited)\W*",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?:;。！？][\"'”’»)\]]*\s*$")


@dataclass(slots=True)
class Line:
    """One line of a page; `gaps` are (offset of the character after the gap, where it starts, where it ends).

    `nameless`: its font is a set of drawings (Type 3, as in old TeX files), whose sizes say little.
    """

    start: int
    end: int
    left: float
    bottom: float
    right: float
    top: float
    size: float
    bold: bool
    nameless: bool
    gaps: list[tuple[int, float, float]]

    @property
    def upright(self) -> bool:
        """Whether the line runs along the page's width (a single character counts)."""
        return self.right - self.left >= self.top - self.bottom or self.end - self.start < 3


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading on a page (index from 0), at an offset of its raw text."""

    page: int
    start: int
    title: str
    level: int


def parse_lines(data: bytes, raw: str, raw_to_char: OffsetMap) -> list[Line]:
    """The lines that `pdf_worker` found, their character indices turned into offsets of `raw`."""
    lines: list[Line] = []
    position = 0
    while position < len(data):
        first, last, left, bottom, right, top, size, weight, count = LINE.unpack_from(data, position)
        position += LINE.size
        gaps = [GAP.unpack_from(data, position + GAP.size * index) for index in range(count)]
        position += GAP.size * count
        start, end = inverse(raw_to_char, first), inverse(raw_to_char, last)
        if raw[start:end].strip():
            offsets = [(inverse(raw_to_char, index), begin, stop) for index, begin, stop in gaps]
            lines.append(Line(start, end, left, bottom, right, top, size, weight == BOLD, weight == NAMELESS, offsets))
    return lines


def body_size(lines: Iterable[Line]) -> float:
    """The size most characters have, 0.0 without lines."""
    characters: Counter[float] = Counter()
    for line in lines:
        characters[round(2 * line.size) / 2] += line.end - line.start
    return max(characters, key=lambda size: characters[size]) if characters else 0.0


# --- paragraphs ----------------------------------------------------------------------------------


def paragraph_ends(lines: Sequence[Line], raw: str, spans: Collection[tuple[int, int]] = ()) -> set[int]:
    """Offsets of the line ends that end a paragraph: more space below than usual, another size or weight, or an
    indented line after a sentence's end. `spans` are the page's tables: none inside, one on either side."""
    steps = [
        before.bottom - after.bottom
        for before, after in pairwise(lines)
        if 0 < before.bottom - after.bottom < 3 * before.size
    ]
    usual = median(steps) if steps else 0.0
    ends: set[int] = set()
    for before, after in pairwise(lines):
        line_end = raw.find("\r\n", before.end, after.start)
        if line_end < 0:
            continue
        inside = [span[0] <= before.start and after.end <= span[1] for span in spans]
        edge = any(before.end <= start <= after.start or before.start < end <= after.start for start, end in spans)
        if edge or (not any(inside) and _parts(before, after, usual, raw)):
            ends.add(line_end)
    return ends


def _parts(before: Line, after: Line, usual: float, raw: str) -> bool:
    step = before.bottom - after.bottom
    if step < -0.5 * before.size or abs(step) <= 0.3 * min(before.size, after.size):
        return False  # the next column, or the same visual line
    size = max(before.size, after.size)
    # Superscripts and formulas change the size too: only words of some length count.
    wordy = min(before.end - before.start, after.end - after.start) >= 4
    if wordy and (size > 1.15 * min(before.size, after.size) or before.bold != after.bold):
        return True
    local = max(usual, 0.9 * size)
    if step > 1.3 * local:
        return True
    indented = 0.7 * size < after.left - before.left < 5 * size
    return indented and bool(_SENTENCE_END.search(raw[before.start : before.end]))


# --- headings ------------------------------------------------------------------------------------


def outline_headings(
    outline: Sequence[Header], raws: Sequence[str], pages: Sequence[Sequence[Line]]
) -> Iterator[Heading]:
    """The outline's entries at the place of their words on their page; where these are not found, at the line the
    entry points to, else at the top of the page."""
    folded: dict[int, tuple[str, list[int]]] = {}
    for entry in outline:
        page = entry["page"] - 1
        title = " ".join(entry["title"].replace("\x00", "").split())
        if not title or not 0 <= page < len(raws):
            continue
        if page not in folded:
            folded[page] = fold_map(raws[page])
        text, indices = folded[page]
        key, _ = fold_map(title)
        places: list[int] = []
        at = text.find(key) if key else -1
        while at >= 0:
            places.append(indices[at])
            at = text.find(key, at + 1)
        lines = pages[page]
        height = entry["y"]
        starts = {line.start: line for line in lines}
        pointed = [line for line in lines if height is not None and line.top <= height + 0.5 * line.size]
        if places:
            # Of several places the best begins a line and lies nearest below the point the entry leads to.
            def rank(place: int, starts: dict[int, Line] = starts, height: float | None = height) -> tuple[bool, float]:
                line = starts.get(place)
                return line is None, abs(line.top - height) if line is not None and height is not None else 0.0

            start = min(places, key=rank)
        elif pointed:
            start = max(pointed, key=lambda line: line.top).start
        else:
            start = len(raws[page]) - len(raws[page].lstrip())
        yield Heading(page, start, title, entry["level"])


def headings(
    pages: Sequence[Sequence[Line]],
    raws: Sequence[str],
    body: float,
    spans: Sequence[Collection[tuple[int, int]]],
    title: tuple[int, int] | None = None,
) -> list[Heading]:
    """Headings by size, weight, numbering and place, with levels from 1: by numbering where there is one, else by size.

    `spans` are each page's tables, `title` the title's offsets on the first page; neither holds headings. Texts that
    stand on three pages and more are running heads.
    """
    found: list[tuple[int, Line, str]] = []
    seen: Counter[str] = Counter()
    bold_share = _bold_share(pages)
    for page, (lines, raw) in enumerate(zip(pages, raws, strict=True)):
        joined = -1
        for index, line in enumerate(lines):
            if index <= joined or any(start <= line.start < end for start, end in spans[page]):
                continue
            if page == 0 and title is not None and title[0] <= line.start < title[1]:
                continue
            text = raw[line.start : line.end].strip()
            before = lines[index - 1] if index else None
            if not _is_heading(line, before, text, body, bold_share):
                continue
            joined = index
            # A heading may run over several lines of one make.
            while joined + 1 < len(lines) and _goes_on(lines[joined], lines[joined + 1], line, body):
                joined += 1
                text = f"{text} {raw[lines[joined].start : lines[joined].end].strip()}"
            text = " ".join(text.replace("\xad", "").split())
            if len(text) <= _HEADING_LENGTH and not text.endswith((",", ";")):
                found.append((page, line, text))
                seen[re.sub(r"\d+", "", text).casefold()] += 1
    lines_in_all = sum(map(len, pages))
    found = [item for item in found if seen[re.sub(r"\d+", "", item[2]).casefold()] < 3 or _NAMED.fullmatch(item[2])]
    if len(found) > 0.4 * lines_in_all and lines_in_all > 10:
        return []
    sizes = sorted({_make(line) for _, line, _ in found}, reverse=True)
    return [Heading(page, line.start, text, _level(text, 1 + sizes.index(_make(line)))) for page, line, text in found]


def _make(line: Line) -> tuple[float, bool]:
    return round(line.size), line.bold


def _level(text: str, by_size: int) -> int:
    match = _NUMBERED.match(text)
    return match["number"].count(".") + 1 if match else min(by_size, 6)


def _bold_share(pages: Sequence[Sequence[Line]]) -> float:
    characters = bold = 0
    for lines in pages:
        for line in lines:
            characters += line.end - line.start
            bold += (line.end - line.start) * line.bold
    return bold / characters if characters else 0.0


def _is_heading(line: Line, before: Line | None, text: str, body: float, bold_share: float) -> bool:
    letters = sum(map(str.isalpha, text))
    if not line.upright or letters < 3 or letters < 0.5 * len(text.replace(" ", "")) or len(text) > _HEADING_LENGTH:
        return False
    if line.gaps and not _NUMBERED.match(text):
        return False
    match = _NUMBERED.match(text)
    first = text[match.end() :][:1] if match else text[:1]
    if first.islower() or text.endswith((".", ",", ";")) or first in "•–-*":
        return False
    apart = before is None or abs(before.bottom - line.bottom) > 1.15 * body or line.bottom > before.bottom
    if line.nameless:
        numbered = match is not None and match["number"][0].isdigit() and first.isupper()
        return apart and (numbered or _NAMED.fullmatch(text) is not None)
    bigger, bold = line.size >= 1.12 * body, line.bold and bold_share < 0.3
    if bigger:
        return apart or bold
    if bold:
        return apart and line.size >= 0.9 * body
    return bool(_NAMED.fullmatch(text)) and apart and line.size >= 0.9 * body


def _goes_on(last: Line, following: Line, first: Line, body: float) -> bool:
    if _make(following) != _make(first) or following.gaps or not following.upright:
        return False
    step = last.bottom - following.bottom
    return (first.bold or first.size >= 1.12 * body) and 0 < step < 1.35 * first.size and first.size > 0


# --- the title -----------------------------------------------------------------------------------


def title_span(lines: Sequence[Line], raw: str) -> tuple[int, int]:
    """Offsets of the biggest text on a page: the first lines of the greatest size that hold words. (0, 0) without.

    Lines in nameless fonts have no sizes to go by: there the topmost of the big ones is taken.
    """
    if not lines:
        return 0, 0
    floor = min(line.bottom for line in lines)
    floor += 0.25 * (max(line.top for line in lines) - floor)
    worded = [index for index, line in enumerate(lines) if line.bottom >= floor and _is_worded(line, raw)]
    if not worded:
        return 0, 0
    biggest = max(lines[index].size for index in worded)
    slack = 0.6 if any(lines[index].nameless for index in worded) else 0.93
    big = [index for index in worded if lines[index].size >= slack * biggest]
    first = max(big, key=lambda index: lines[index].top)
    last = first
    while last + 1 < len(lines) and last - first < 4 and _title_goes_on(lines[last], lines[last + 1], raw):
        last += 1
    return lines[first].start, lines[last].end


def _is_worded(line: Line, raw: str) -> bool:
    text = raw[line.start : line.end]
    letters = sum(map(str.isalpha, text))
    return line.upright and 4 <= letters >= 0.6 * len(text.replace(" ", "")) and len(text) < 200 and "@" not in text


def _title_goes_on(line: Line, following: Line, raw: str) -> bool:
    size = line.size
    alike = (abs(following.size - size) <= 0.07 * size or line.nameless) and following.bold == line.bold
    near = -0.2 * size < line.bottom - following.bottom < 1.8 * size
    aligned = abs(following.left - line.left) < size or (
        abs(following.left + following.right - line.left - line.right) < 2 * size
    )
    return alike and near and aligned and not _NUMBERED.match(raw[following.start : following.end])
