"""Pages to chunks: pieces of one document of about 800 characters that know their place exactly.

Text is cut before a heading, else at a paragraph, a line, a sentence, a word; a single word longer than a chunk is
cut hard. Tables are chunks of their own. Pages whose text cannot be read give none. Time is linear in the text.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from multidoc_rag.config import Config
from multidoc_rag.records import Chunk, Reading, Section, Table

_PARAGRAPH = re.compile(r"\n\s*\n")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?…]+[\"')\]”’»]*(?=\s)|[。！？]+[”’」』）]*")
_WORD = re.compile(r"\s+")
# Zero-width joiner, variation selectors, skin tones: none of them begins a character of its own.
_JOINED = frozenset("\u200d\ufe0e\ufe0f") | frozenset(map(chr, range(0x1F3FB, 0x1F400)))

Span = tuple[int, int]


def chunk(reading: Reading, document_id: str, document_name: str, config: Config) -> tuple[Chunk, ...]:
    """The chunks of one document in reading order, ids 0, ordinals from 0.

    Always `reading.text[c.start:c.end] == c.text`, without white space at either end, and the text lies on the
    pages `page_start` to `page_end`. Text chunks are at most `chunk_size` long and at least `chunk_min`, unless the
    readable stretch they come from is shorter; a table up to `table_size` is one chunk, a longer one is runs
    of whole rows. `context` is filled when `config.context`.
    """
    text = reading.text
    sections = sorted(reading.sections, key=lambda section: section.start)
    section_starts = [section.start for section in sections]
    page_starts = reading.page_starts
    title = reading.title.strip() or PurePath(document_name).stem

    chunks: list[Chunk] = []
    for block in _blocks(reading, text, config):
        if block.table is None:
            spans = _text_spans(text, block.start, block.end, section_starts, reading.language, config)
        else:
            spans = _table_spans(text, block, config)
        for start, end in (_trim(text, *span) for span in spans):
            if start == end:
                continue
            piece = Chunk(
                id=0,
                document_id=document_id,
                document_name=document_name,
                ordinal=len(chunks),
                page_start=reading.pages[bisect_right(page_starts, start) - 1].number,
                page_end=reading.pages[bisect_right(page_starts, end - 1) - 1].number,
                start=start,
                end=end,
                kind="text" if block.table is None else "table",
                section=_section_at(sections, section_starts, start),
                text=text[start:end],
            )
            if config.context:
                piece = replace(piece, context=_context(piece, title, text, block.table, config))
            chunks.append(piece)
    return tuple(chunks)


# --- what is chunked: stretches of readable text and the tables between them ---------------------


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    table: Table | None = None


def _blocks(reading: Reading, text: str, config: Config) -> list[_Block]:
    """Readable text and tables in order, white space trimmed; scraps beside a table belong to the table."""
    blocks: list[_Block] = []
    tables = sorted(reading.tables, key=lambda table: table.start)
    position = 0
    for start, end in _readable(reading):
        stretch: list[_Block] = []
        cursor = start
        while position < len(tables) and tables[position].start < end:
            table = tables[position]
            position += 1
            whole = table.start >= cursor and table.end <= end
            if whole and table.end - table.start >= config.chunk_min:  # a smaller one is better off in its text
                stretch += [_Block(cursor, table.start), _Block(table.start, table.end, table)]
                cursor = table.end
        stretch.append(_Block(cursor, end))
        trimmed = (
            replace(block, start=s, end=e) for block in stretch for s, e in [_trim(text, block.start, block.end)]
        )
        blocks += _join_scraps([block for block in trimmed if block.end > block.start], config.chunk_min)
    return blocks


def _readable(reading: Reading) -> Iterator[Span]:
    """Stretches of consecutive pages whose text can be read; what little a page without text has is a page number."""
    start: int | None = None
    end = 0
    for page, page_start in zip(reading.pages, reading.page_starts, strict=True):
        if page.method == "unreadable" or (page.method == "none" and page.clean.strip()):
            if start is not None:
                yield start, end
            start = None
        else:
            start = page_start if start is None else start
            end = page_start + len(page.clean)
    if start is not None:
        yield start, end


def _join_scraps(blocks: list[_Block], minimum: int) -> list[_Block]:
    """Text shorter than `minimum` joined to the table after it (it is often its heading), else the one before."""
    joined: list[_Block] = []
    for index, block in enumerate(blocks):
        previous = joined[-1] if joined else None
        if previous is not None and previous.table is None and previous.end - previous.start < minimum and block.table:
            joined[-1] = replace(block, start=previous.start)
        elif (
            block.table is None
            and block.end - block.start < minimum
            and previous is not None
            and previous.table is not None
            and index == len(blocks) - 1
        ):
            joined[-1] = replace(previous, end=block.end)
        else:
            joined.append(block)
    return joined


def _trim(text: str, start: int, end: int) -> Span:
    """The span without white space at either end."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


# --- running text ------------------------------------------------------------------------------


def _text_spans(
    text: str, start: int, end: int, section_starts: list[int], language: str, config: Config
) -> Iterator[Span]:
    """Overlapping spans of at most `chunk_size`, together covering the stretch from start to end."""
    size, overlap = config.chunk_size, config.chunk_overlap
    # The last piece keeps at least `minimum` characters of its own, so the cut before it comes early enough.
    minimum = min(config.chunk_min, size // 2)
    whole_sentences = config.chunk_strategy == "sentence"
    sentence_starts = _sentence_starts(text, start, end, language) if whole_sentences else []

    while end - start > size:
        high = min(start + size, end - minimum)
        low = min(start + max(size // 2, overlap + 1), high)
        cut = _last_of(sentence_starts, start + minimum, high) if whole_sentences else None
        if cut is None:
            cut = _cut(text, low, high, section_starts)
        yield start, cut

        # What follows begins up to `overlap` before the cut, where a sentence or at least a word begins. It never
        # reaches back over a heading: the section of a chunk is the one at its start.
        back = max(cut - overlap, start + 1)
        begin = _first_of(section_starts, back, cut)
        if begin is None and whole_sentences:
            begin = _first_of(sentence_starts, back, cut) or cut
        if begin is None:
            begin = _begin(text, back, cut)
        while begin < cut and text[begin].isspace():
            begin += 1
        start = begin
    yield start, end


def _cut(text: str, low: int, high: int, section_starts: list[int]) -> int:
    """The best place in [low, high] to end: before a heading, at a paragraph, line, sentence, word; else `high`."""
    heading = _last_of(section_starts, low, high)
    if heading is not None:
        return heading
    for pattern in (_PARAGRAPH, _LINE, _SENTENCE, _WORD):
        place = _last(pattern, text, low, high)
        if place is not None:
            return place
    return _between_characters(text, low, high)


def _begin(text: str, low: int, cut: int) -> int:
    """The best place in [low, cut] to begin the next piece; `low` where there is no blank at all."""
    for pattern in (_PARAGRAPH, _SENTENCE, _LINE, _WORD):
        match = pattern.search(text, low, cut)
        if match:
            return match.end()
    return _between_characters(text, low - 16, low)


def _last(pattern: re.Pattern[str], text: str, low: int, high: int) -> int | None:
    """Where the last match in [low, high] leaves off: before white space, after a sentence's end."""
    place = None
    for match in pattern.finditer(text, low, high + 1):
        position = match.end() if pattern is _SENTENCE else match.start()
        if position <= high:
            place = position
    return place


def _between_characters(text: str, low: int, high: int) -> int:
    """The last place in [low, high] that parts no character from its accents or an emoji from its modifiers."""
    for place in range(high, max(low, high - 32, 0), -1):
        if place >= len(text):
            return place
        following, before = text[place], text[place - 1]
        if not unicodedata.combining(following) and following not in _JOINED and before != "\u200d":
            return place
    return high


def _last_of(places: list[int], low: int, high: int) -> int | None:
    """The largest of the sorted places in [low, high]."""
    index = bisect_right(places, high) - 1
    return places[index] if index >= 0 and places[index] >= low else None


def _first_of(places: list[int], low: int, high: int) -> int | None:
    """The smallest of the sorted places in [low, high]."""
    index = bisect_left(places, low)
    return places[index] if index < len(places) and places[index] <= high else None


def _sentence_starts(text: str, start: int, end: int, language: str) -> list[int]:
    """Offsets in the document at which the stretch's sentences start."""
    from multidoc_rag.language import sentence_spans

    return [start + span[0] for span in sentence_spans(text[start:end], language or "en")]


# --- tables ------------------------------------------------------------------------------------


def _table_spans(text: str, block: _Block, config: Config) -> Iterator[Span]:
    """The table whole, or runs of whole rows of about `chunk_size`; a row longer than `table_size` is cut as text."""
    table = block.table
    assert table is not None
    if block.end - block.start <= config.table_size or not table.rows:
        yield from _row_spans(text, block.start, block.end, config)
        return
    # Rows end where the next begins, so that nothing between them is lost.
    bounds = [block.start, *(row[0] for row in table.rows[1:]), block.end]
    start = block.start
    for row_start, row_end in itertools.pairwise(bounds):
        too_long = row_end - start > config.chunk_size
        if too_long and row_start - start >= config.chunk_min and block.end - row_start >= config.chunk_min:
            yield from _row_spans(text, start, row_start, config)
            start = row_start
    yield from _row_spans(text, start, block.end, config)


def _row_spans(text: str, start: int, end: int, config: Config) -> Iterator[Span]:
    """The span itself unless it is longer than a table may be."""
    if end - start <= config.table_size:
        yield start, end
    else:
        yield from _text_spans(text, start, end, [], "", replace(config, chunk_strategy="fixed"))


# --- section and context -----------------------------------------------------------------------


def _section_at(sections: list[Section], starts: list[int], position: int) -> str:
    """Title of the section that `position` lies in, "" before the first."""
    index = bisect_right(starts, position) - 1
    return sections[index].title if index >= 0 else ""


def _context(piece: Chunk, title: str, text: str, table: Table | None, config: Config) -> str:
    """What is put in front of the chunk for the indexes: title and section, for a table also caption and header.

    Nothing the chunk itself begins with is said again. [1] lifts retrieval by a context written by a model; the
    title alone gave most of that on filings that differ in little else.

    [1]: https://www.anthropic.com/news/contextual-retrieval
    """
    beginning = _fold(piece.text[: 2 * config.context_size])
    labels: list[str] = []
    room = config.context_size
    for label in (_shorten(title, config.context_size * 6 // 10), piece.section):
        label = _shorten(label, room)
        if label and not beginning.startswith(_fold(label).rstrip("…")) and label not in labels:
            labels.append(label)
            room -= len(label) + 3
    lines = [" | ".join(labels)]
    if table is not None:
        header = text[table.start : table.rows[table.header_rows - 1][1]] if table.header_rows and table.rows else ""
        contained: Callable[[str], bool] = lambda part: _fold(part) in _fold(piece.text)  # noqa: E731
        lines += [
            _shorten(part, 2 * config.context_size) for part in (table.caption, header) if part and not contained(part)
        ]
    return "\n".join(line for line in lines if line)


def _shorten(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut at a word with an ellipsis."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    if limit < 12:
        return ""
    head = text[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head).rstrip() + "…"


def _fold(text: str) -> str:
    """Case and white space evened out, for comparing."""
    return " ".join(text.casefold().split())
