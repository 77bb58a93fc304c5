"""Tables on a page, recognised from the places of its lines: rows of cells parted by wide gaps, columns aligned.

A table opens with a line of two cells and more and goes on as long as each cell lies in one column. A line of one cell
is a wrapped cell of the row above it, or, in the first column, a new row. Two-column prose, lists and tables of
contents have gaps too: `_is_table` tells them from tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from multidoc_rag.files.layout import Line

_CAPTION = re.compile(
    r"(?:(?i:table|tab\.|tabelle|tableau|tabla|tabella|tabela|exhibit)\s+|表\s*)(?:[\d.\-–]*\d|[IVX]+|[A-Z](?:\.\d+)?)(?![\w'’])"
)
_MARKER = re.compile(r"[•◦▪‣·●○–—*\-]|\(?[\dA-Za-z]{1,3}[.)]|\d{1,2}(?:\.\d{1,2}){0,3}\.?|\[\d+\]")
_NUMBER = re.compile(r"[\s$€£¥(+\-−–±~<>≤≥]*\d[\d.,:/\s]*[%)€$°kKmMbB]*\s*(?:\(.*\))?\*?|[-–—]|n/?a", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d[a-z*]?|[QH][1-4].*|FY.*")
_LEADERS = re.compile(r"(?:\.\s?){4,}")


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table in offsets of a page's raw text. `cell_starts` are the cells that another one precedes in their line."""

    rows: tuple[tuple[int, int], ...]
    header_rows: int
    caption: str
    cell_starts: tuple[int, ...]

    @property
    def span(self) -> tuple[int, int]:
        """First to last row."""
        return self.rows[0][0], self.rows[-1][1]


@dataclass(slots=True)
class _Cell:
    start: int
    end: int
    left: float
    right: float


@dataclass(slots=True)
class _Row:
    """Cells by column; `bottom` and `top` span all lines of the row."""

    bottom: float
    top: float
    bold: bool
    cells: dict[int, list[_Cell]] = field(default_factory=dict)

    @property
    def span(self) -> tuple[int, int]:
        cells = [cell for column in self.cells.values() for cell in column]
        return min(cell.start for cell in cells), max(cell.end for cell in cells)

    def text(self, column: int, raw: str) -> str:
        return " ".join(raw[cell.start : cell.end].strip() for cell in self.cells.get(column, ()))


def tables(lines: Sequence[Line], raw: str) -> list[FoundTable]:
    """The tables of one page in reading order."""
    found: list[FoundTable] = []
    index = 0
    while index < len(lines):
        if len(_cells(lines[index], raw)) < 2:
            index += 1
            continue
        candidate = _Candidate(raw)
        last = index
        while last < len(lines) and candidate.takes(lines[last]):
            last += 1
        table = candidate.finish()
        if table is None:
            index += 1
            continue
        caption = _caption(lines, raw, table.span)
        found.append(FoundTable(table.rows, table.header_rows, caption, table.cell_starts))
        index = max(index + 1, next((i for i in range(index, last) if lines[i].start >= table.span[1]), last))
    return found


def _cells(line: Line, raw: str) -> list[_Cell]:
    """The line's pieces between wide gaps; a list mark or a section number stays with what follows it."""
    edges = [(line.start, line.left, line.left), *line.gaps]
    ends = [*((offset, begin) for offset, begin, _ in line.gaps), (line.end, line.right)]
    cells = [_Cell(start, end, left, right) for (start, _, left), (end, right) in zip(edges, ends, strict=True)]
    texts = [raw[cell.start : cell.end].strip() for cell in cells]
    # A number before a number is a row of figures, not a list.
    if len(cells) == 2 and _MARKER.fullmatch(texts[0]) and not _NUMBER.fullmatch(texts[1]):
        return [_Cell(line.start, line.end, line.left, line.right)]
    return cells


class _Candidate:
    """A table in the making: rows so far and the interval each column takes up."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.rows: list[_Row] = []
        self.columns: list[list[float]] = []
        self.cell_starts: list[int] = []
        self.bottom = 0.0

    def takes(self, line: Line) -> bool:
        """Add a line if it fits; False ends the table."""
        cells = _cells(line, self.raw)
        if not line.upright:
            return False
        if self.rows:
            row = self.rows[-1]
            level = min(line.top, row.top) - max(line.bottom, row.bottom) > 0.5 * line.size
            if not level and not -0.6 * line.size < self.bottom - line.top < 2.0 * line.size:
                return False
        placed = self._place(cells)
        if placed is None:
            return False
        first_column = 0 in placed and (len(cells) > 1 or not self._level(line))
        opens = len(cells) > 1 or not self.rows or (first_column and not self._wraps(line))
        # Cells that the file keeps as lines of their own stand at one height.
        joins = self.rows and self._level(line) and not set(placed) & set(self.rows[-1].cells)
        if opens and not joins:
            self.rows.append(_Row(line.bottom, line.top, line.bold))
        row = self.rows[-1]
        row.bottom, row.top, row.bold = min(row.bottom, line.bottom), max(row.top, line.top), row.bold and line.bold
        for column, cell in zip(placed, cells, strict=True):
            row.cells.setdefault(column, []).append(cell)
        self.cell_starts.extend(cell.start for cell in cells[1:])
        self.bottom = line.bottom
        return True

    def _level(self, line: Line) -> bool:
        """Whether the line stands at the height of the current row's lines."""
        row = self.rows[-1]
        return min(line.top, row.top) - max(line.bottom, row.bottom) > 0.5 * line.size

    def _wraps(self, line: Line) -> bool:
        """Whether a line in the first column goes on with the row's first cell: nothing stood beside that yet."""
        row = self.rows[-1]
        return set(row.cells) == {0} and len(self.rows) > 1 and self.bottom - line.top < 0.2 * line.size

    def _place(self, cells: list[_Cell]) -> list[int] | None:
        """The column of each cell, widening and adding columns; None where a cell lies across two."""
        columns = [list(column) for column in self.columns]
        placed: list[int] = []
        added = False
        for cell in cells:
            over = [i for i, (left, right) in enumerate(columns) if cell.left < right and left < cell.right]
            if len(over) > 1:
                return None
            if over:
                columns[over[0]] = [min(columns[over[0]][0], cell.left), max(columns[over[0]][1], cell.right)]
            else:
                if self.rows and len(cells) == 1:
                    return None
                columns.append([cell.left, cell.right])
                over, added = [len(columns) - 1], True
            placed.append(over[0])
        if len(set(placed)) < len(placed):
            return None
        columns_sorted = sorted(columns)
        if any(left[1] > right[0] for left, right in pairwise(columns_sorted)):
            return None
        if added and self.rows:
            order = {old: columns_sorted.index(columns[old]) for old in range(len(columns))}
            for row in self.rows:
                row.cells = {order[column]: cells_ for column, cells_ in row.cells.items()}
            placed = [order[column] for column in placed]
        self.columns = columns_sorted if added else columns
        return placed

    def finish(self) -> FoundTable | None:
        """The table, if it is one; single cells in the first column at its end belong to what follows."""
        rows = self.rows
        while rows and set(rows[-1].cells) <= {0}:
            rows.pop()
        if not rows or not self._is_table():
            return None
        end = rows[-1].span[1]
        starts = tuple(start for start in self.cell_starts if start < end)
        return FoundTable(tuple(row.span for row in rows), self._header_rows(), "", starts)

    def _is_table(self) -> bool:
        rows, raw, width = self.rows, self.raw, len(self.columns)
        full = [row for row in rows if len(row.cells) > 1]
        if len(full) < 2 or len(rows) < (2 if width > 2 else 3) or len(full) < 0.5 * len(rows):
            return False
        filled = sum(len(row.cells) for row in rows) / (len(rows) * width)
        if filled < 0.4:
            return False
        texts = [[row.text(column, raw) for row in rows if column in row.cells] for column in range(width)]
        numeric = [
            sum(1 for text in column if _NUMBER.fullmatch(text)) / len(column) if column else 0.0 for column in texts
        ]
        # Prose in columns: two and more of long lines without figures.
        prose = [column for column, share in zip(texts, numeric, strict=True) if share < 0.3 and column]
        if len(prose) >= 2 and sum(median(map(len, column)) >= 25 for column in prose) >= 2:
            return False
        # A table of contents: titles, then page numbers that never fall.
        if width == 2 and numeric[1] > 0.9 and numeric[0] < 0.3:
            pages = [int(text) for text in texts[1] if text.isdigit()]
            if len(pages) >= 0.9 * len(texts[1]) and pages == sorted(pages) and median(map(len, texts[0])) > 12:
                return False
        if any(_LEADERS.search(text) for column in texts for text in column):
            return False
        # Formulas: hardly a word and hardly a plain number; two lines of text that happen to have gaps.
        cells = [text for column in texts for text in column]
        if len(rows) == 2:
            figures = sum(1 for column in rows[1].cells if _NUMBER.fullmatch(rows[1].text(column, raw)))
            if figures < 2 or max(map(len, cells)) > 40:
                return False
        signs = sum(1 for text in cells if "=" in text or "\ufffd" in text)
        worded = sum(1 for text in cells if _NUMBER.fullmatch(text) or re.search(r"[^\W\d_]{2}", text))
        return worded >= 0.6 * len(cells) and signs <= 0.25 * len(cells)

    def _header_rows(self) -> int:
        """Rows at the top without figures (years do not count) over rows with some; one over a table without any."""
        figures = [
            sum(
                1
                for column in row.cells
                if _NUMBER.fullmatch(row.text(column, self.raw)) and not _YEAR.fullmatch(row.text(column, self.raw))
            )
            for row in self.rows
        ]
        first = [self.rows[0].text(column, self.raw) for column in self.rows[0].cells]
        if not any(figures):
            return int(all(len(text) <= 40 for text in first))
        leading = next(index for index, count in enumerate(figures) if count)
        if leading == 0 and self.rows[0].bold and not self.rows[-1].bold:
            return 1
        return leading if leading <= 3 else 1


def _caption(lines: Sequence[Line], raw: str, span: tuple[int, int]) -> str:
    """A line "Table 3: ..." just above or below with what it goes on with, at most three lines; else ""."""
    above = [index for index, line in enumerate(lines) if line.end <= span[0]]
    below = [index for index, line in enumerate(lines) if line.start >= span[1]]
    for index in reversed(above[-3:]):
        if _CAPTION.match(raw[lines[index].start : lines[index].end].strip()):
            return " ".join(raw[lines[index].start : span[0]].replace("\xad", "").split())
    for index in below[:2]:
        if _CAPTION.match(raw[lines[index].start : lines[index].end].strip()):
            last = index
            while last + 1 < len(lines) and last - index < 2:
                step = lines[last].bottom - lines[last + 1].bottom
                if not 0 < step < 1.3 * lines[last].size or raw[: lines[last].end].endswith("."):
                    break
                last += 1
            return " ".join(raw[lines[index].start : lines[last].end].replace("\xad", "").split())
    return ""
