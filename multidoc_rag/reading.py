"""A file of any kind to a `Reading`: pages with exact text, sections, tables, title, author, dates, language.

`Reader` owns the worker processes in which files are opened (`pdf_worker`); whatever a file does to them, the caller
gets a Reading or one DocumentRefused. Files without pages (docx, html, md, txt) become one page, number 1.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import threading
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from multidoc_rag import boxes as char_boxes
from multidoc_rag import layout
from multidoc_rag.config import Config
from multidoc_rag.errors import DocumentRefused, MissingExtra
from multidoc_rag.language import detect_language, words
from multidoc_rag.pdf_process import PdfProcess
from multidoc_rag.pdf_worker import Header
from multidoc_rag.reading_text import clean_text, inverse, inverse_span, is_readable, raw_text, vocabulary
from multidoc_rag.records import PAGE_BREAK, Box, OffsetMap, Page, PageMethod, Reading, Section, Table
from multidoc_rag.tables import tables as find_tables

SUFFIXES = frozenset({".pdf", ".docx", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text"})
"""File name endings (lower case) that can be read; what a file is, its content decides."""

OCR_MEMORY_MB = 8192
"""Address space of the OCR process: onnxruntime reserves far more than it uses."""

OnPage = Callable[[int, int], None]
"""Called with the number of pages read so far and in all."""


def file_sha256(path: str | os.PathLike[str]) -> str:
    """SHA-256 of a file's bytes in hexadecimal; raises DocumentRefused where it cannot be read."""
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise DocumentRefused(f"{Path(path).name} was not read: {error.strerror or error}.") from error
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class PageSize:
    """What a viewer needs to lay boxes over a page's picture.

    width, height: the page's visible part in points, unrotated; crop: that part in the page's own coordinates, which
    boxes are in too; rotation: degrees clockwise (0, 90, 180, 270) by which the picture shows it turned.
    """

    width: float
    height: float
    rotation: int
    crop: Box

    @property
    def shown(self) -> tuple[float, float]:
        """Width and height as shown, that is, with the rotation applied."""
        return (self.height, self.width) if self.rotation in (90, 270) else (self.width, self.height)

    def percent(self, box: Box) -> Box:
        """(left, top, width, height) of a box in per cent of the picture, from its upper left corner."""
        x0, y0 = (box[0] - self.crop[0]) / self.width, (box[1] - self.crop[1]) / self.height
        x1, y1 = (box[2] - self.crop[0]) / self.width, (box[3] - self.crop[1]) / self.height
        left, top, right, bottom = {
            0: (x0, 1 - y1, x1, 1 - y0),
            90: (y0, x0, y1, x1),
            180: (1 - x1, y0, 1 - x0, y1),
            270: (1 - y1, 1 - x1, 1 - y0, 1 - x0),
        }[self.rotation]
        return 100 * left, 100 * top, 100 * (right - left), 100 * (bottom - top)


@dataclass(slots=True)
class _RawPage:
    """A page on its way: text with its map, lines with their places."""

    header: Header
    raw: str
    raw_to_char: OffsetMap
    lines: list[layout.Line]
    method: PageMethod


class Reader:
    """Reads files; a context manager. Any number of threads may use it, one request at a time is served."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self._lock = threading.Lock()
        self._process = PdfProcess(self.config)
        self._ocr_process = PdfProcess(self.config, memory_mb=OCR_MEMORY_MB)
        self._boxes: tuple[tuple[object, ...], char_boxes.PageBoxes] | None = None

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker processes; a later request starts them again."""
        with self._lock:
            self._process.close()
            self._ocr_process.close()

    def read(
        self,
        path: str | os.PathLike[str],
        *,
        password: str | None = None,
        ocr: bool | None = None,
        on_page: OnPage | None = None,
    ) -> Reading:
        """The whole of one file. `ocr` (default `Config.ocr`): pages without readable text are recognised.

        `Reading.sha256` is the hash of the very bytes that were read. Raises DocumentRefused for a file that is
        missing, empty, of no known kind, damaged, over a bound of Config, or that changed meanwhile; PasswordNeeded
        for an encrypted one; MissingExtra when OCR is wanted and rapidocr is not installed.
        """
        path = Path(path)
        before = _stat(path, self.config)
        kind = _kind(path)
        with self._lock:
            if kind == "pdf":
                reading = self._read_pdf(path, password, self.config.ocr if ocr is None else ocr, on_page)
            else:
                reading = self._read_text(path, kind)
                if on_page is not None:
                    on_page(1, 1)
        after = _stat(path, self.config)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise DocumentRefused(f"{path.name} changed while it was being read; nothing of it was kept: add it again.")
        return reading

    def picture(
        self, path: str | os.PathLike[str], page: int, *, width: int = 1200, password: str | None = None
    ) -> bytes:
        """WebP picture of a page as a viewer shows it: cropped, rotated, `width` pixels wide, fewer where that would
        be more than `Config.picture_megapixels`. Raises DocumentRefused."""
        request = {"op": "picture", "page": page, "width": width, "megapixels": self.config.picture_megapixels}
        return self._one(path, password, request)[1]

    def page_size(self, path: str | os.PathLike[str], page: int, *, password: str | None = None) -> PageSize:
        """Size, rotation and visible part of a page of a PDF. Raises DocumentRefused."""
        header, _ = self._one(path, password, {"op": "page_size", "page": page})
        left, bottom, right, top = header["crop"]
        return PageSize(header["width"], header["height"], header["rotation"], (left, bottom, right, top))

    def boxes(
        self, path: str | os.PathLike[str], page: Page, start: int, end: int, *, password: str | None = None
    ) -> tuple[Box, ...]:
        """Boxes that hold exactly the visible characters of `page.clean[start:end]`: one a line, more where a strange
        character stands between.

        () where no such boxes can be had: on files without pages, on empty spans, where two characters lie on top of
        each other, where the page is not the one that was read. Pages read by OCR give the boxes of words,
        recognised anew (and kept in memory for the last page asked for).
        """
        if page.width == 0 or not 0 <= start < end <= len(page.clean) or _kind(Path(path)) != "pdf":
            return ()
        status = _stat(Path(path), self.config)
        key = (str(path), page.number, page.method, status.st_size, status.st_mtime_ns)
        with self._lock:
            if self._boxes is None or self._boxes[0] != key:
                self._boxes = key, self._page_boxes(path, page, password)
            shapes = self._boxes[1]
        visible = [page.raw_to_char(index) for index, shown in enumerate(page.raw) if not shown.isspace()]
        raw_start, raw_end = page.clean_to_raw.span(start, end)
        first, last = page.raw_to_char(raw_start), page.raw_to_char(raw_end - 1)
        wanted = visible[bisect_left(visible, first) : bisect_right(visible, last)]
        return char_boxes.runs(shapes, wanted, visible, page.rotation)

    # --- inside ----------------------------------------------------------------------------------

    def _one(self, path: str | os.PathLike[str], password: str | None, request: Header) -> tuple[Header, bytes]:
        path = Path(path)
        _stat(path, self.config)
        with self._lock:
            return self._process.one(request | {"path": str(path), "password": password})

    def _page_boxes(self, path: str | os.PathLike[str], page: Page, password: str | None) -> char_boxes.PageBoxes:
        request = {"path": str(path), "password": password, "page": page.number}
        if page.method == "ocr":
            header, _ = self._ocr_process.one(request | {"op": "ocr", "megapixels": self.config.picture_megapixels})
            return char_boxes.PageBoxes.from_words(header["words"])
        _, payload = self._process.one(request | {"op": "boxes"})
        return char_boxes.PageBoxes.from_bytes(payload)

    def _read_pdf(self, path: Path, password: str | None, ocr: bool, on_page: OnPage | None) -> Reading:
        request = {"op": "read", "path": str(path), "password": password, "max_pages": self.config.max_pages}
        messages = self._process.ask(request)
        document: Header = {}
        pages: list[_RawPage] = []
        warnings: list[str] = []
        for header, payload in messages:
            if header["kind"] == "document":
                document = header
                continue
            pages.append(self._raw_page(header, payload))
            if header.get("failed"):
                warnings.append(f"Page {header['number']} is damaged and could not be opened.")
            if on_page is not None:
                on_page(len(pages), document["pages"])
        if document["repaired"]:
            warnings.append("PDFium could not open the file; a copy rewritten by pypdf was read.")
        if ocr:
            self._recognise(path, password, pages, warnings)
        return _assemble(document, pages, warnings)

    def _raw_page(self, header: Header, payload: bytes) -> _RawPage:
        split = 4 * header["count"]
        raw, raw_to_char = raw_text(array("I", payload[:split]), header["outside"])
        # A scan may carry a page number or a stamp as its only text.
        method: PageMethod = "text" if raw.strip() and not header["scan"] else "none"
        if method == "text" and not is_readable(raw, self.config.unmappable_share):
            method = "unreadable"
        lines = layout.parse_lines(payload[split:], raw, raw_to_char) if method == "text" else []
        return _RawPage(header, raw, raw_to_char, lines, method)

    def _recognise(self, path: Path, password: str | None, pages: list[_RawPage], warnings: list[str]) -> None:
        """Read by OCR, in place, the pages that have no readable text. One that fails is left as it was and said."""
        for page in pages:
            number = page.header["number"]
            if page.method not in ("none", "unreadable") or page.header.get("failed"):
                continue
            request = {
                "op": "ocr",
                "path": str(path),
                "password": password,
                "page": number,
                "megapixels": self.config.picture_megapixels,
            }
            try:
                header, _ = self._ocr_process.one(request)
            except MissingExtra:
                raise
            except DocumentRefused as error:
                warnings.append(f"Page {number} could not be recognised by OCR: {error}")
                continue
            if header["text"].strip():
                page.raw, page.raw_to_char, page.method = header["text"], OffsetMap(), "ocr"
                page.lines = []

    def _read_text(self, path: Path, kind: str) -> Reading:
        request = {
            "op": "convert",
            "path": str(path),
            "password": None,
            "format": kind,
            "max_bytes": self.config.max_text_mb << 20,
        }
        header, _ = self._process.one(request)
        raw = header["text"]
        known = vocabulary([raw])
        starts = {cell for table in header["tables"] for cell in table["cells"]}
        clean, offsets = clean_text(raw, known, cell_starts=starts)
        page = Page(1, raw, clean, offsets, method="text" if clean else "none")
        sections = tuple(
            Section(title, level, inverse(offsets, start)) for title, level, start in header["sections"] if title
        )
        tables = tuple(
            _table(clean, [inverse_span(offsets, a, b) for a, b in table["rows"]], table) for table in header["tables"]
        )
        return Reading(
            sha256=header["sha256"],
            pages=(page,),
            sections=sections,
            tables=tuple(table for table in tables if table.rows),
            title=header["title"],
            author=header["author"],
            created_at=header["created"],
            modified_at=header["modified"],
            language=detect_language(clean) or header["language"],
            word_count=len(words(clean)),
            reader=header["reader"],
        )


# --- what kind of file ---------------------------------------------------------------------------


def _stat(path: Path, config: Config) -> os.stat_result:
    """The file's status, after refusing what is not to be opened at all."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise DocumentRefused(f"{path.name} is a folder, not a file: add the files in it.")
        if not stat.S_ISREG(status.st_mode):
            raise DocumentRefused(f"{path.name} was not read: it is no ordinary file.")
        if status.st_size == 0:
            raise DocumentRefused(f"{path.name} was not read: the file is empty.")
        if status.st_size > config.max_file_mb << 20:
            raise DocumentRefused(
                f"{path.name} was not read: its {status.st_size / 2**20:,.0f} MB are more than the "
                f"{config.max_file_mb} MB allowed (max_file_mb)."
            )
        return status
    except FileNotFoundError as error:
        raise DocumentRefused(f"{path.name} was not read: there is no such file.") from error
    except PermissionError as error:
        raise DocumentRefused(f"{path.name} was not read: you have no permission to read it.") from error
    except (OSError, ValueError) as error:
        raise DocumentRefused(f"{path.name} was not read: {error}.") from error


def _kind(path: Path) -> str:
    """pdf, docx, html, md or txt: by the first bytes, then by the suffix. Raises DocumentRefused for anything else."""
    try:
        with open(path, "rb") as file:
            head = file.read(4096)
    except PermissionError as error:
        raise DocumentRefused(f"{path.name} was not read: you have no permission to read it.") from error
    except OSError as error:
        raise DocumentRefused(f"{path.name} was not read: {error.strerror or error}.") from error
    suffix = path.suffix.lower()
    if b"%PDF" in head[:1024]:
        return "pdf"
    if suffix == ".pdf":
        # A PDF may have lost its first line; the worker decides. Text or a picture by that name is no PDF.
        if b" obj" in head or b"%%EOF" in head:
            return "pdf"
        raise DocumentRefused(f"{path.name} was not read: it is not a PDF, whatever its name says.")
    if head.startswith(b"PK\x03\x04"):
        if suffix == ".docx":
            return "docx"
        raise DocumentRefused(f"{path.name} was not read: zip archives are not read, only docx.")
    if suffix in (".html", ".htm", ".xhtml") or re.match(rb"\s*(<!doctype html|<html)", head, re.IGNORECASE):
        return "html"
    if suffix in (".md", ".markdown"):
        return "md"
    if suffix in (".txt", ".text"):
        return "txt"
    if suffix == ".docx":
        raise DocumentRefused(f"{path.name} was not read: it is not a docx file, whatever its name says.")
    known = ", ".join(sorted(SUFFIXES))
    raise DocumentRefused(f"{path.name} was not read: files of its kind are not ({known} are).")


# --- pages to a Reading --------------------------------------------------------------------------


def _assemble(document: Header, raw_pages: list[_RawPage], warnings: list[str]) -> Reading:
    """Clean texts, sections, tables and what is known about the document as a whole."""
    known = vocabulary(page.raw for page in raw_pages if page.method in ("text", "ocr"))
    body = layout.body_size(line for page in raw_pages for line in page.lines)
    pages: list[Page] = []
    tables: list[Table] = []
    spans: list[list[tuple[int, int]]] = []
    position = 0
    for page in raw_pages:
        found = find_tables(page.lines, page.raw)
        spans.append([table.span for table in found])
        clean, offsets = clean_text(
            page.raw,
            known,
            paragraph_ends=layout.paragraph_ends(page.lines, page.raw, spans[-1]),
            cell_starts={start for table in found for start in table.cell_starts},
        )
        for table in found:
            spans_clean = (inverse_span(offsets, *row) for row in table.rows)
            rows = [(position + start, position + end) for start, end in spans_clean]
            tables.append(Table(rows[0][0], rows[-1][1], tuple(rows), table.header_rows, table.caption))
        pages.append(_page(page, clean, offsets))
        position += len(clean) + len(PAGE_BREAK)
    title, title_span = _title(document["Title"], raw_pages, pages)
    readable = " ".join(page.clean for page in pages if page.method in ("text", "ocr"))
    return Reading(
        sha256=document["sha256"],
        pages=tuple(pages),
        sections=_sections(document, raw_pages, pages, body, spans, title_span),
        tables=tuple(tables),
        title=title,
        author=_tidy(document["Author"]),
        created_at=iso_date(document["CreationDate"]),
        modified_at=iso_date(document["ModDate"]),
        language=detect_language(readable),
        word_count=len(words(readable)),
        reader=document["reader"],
        warnings=tuple(warnings),
    )


def _page(page: _RawPage, clean: str, offsets: OffsetMap) -> Page:
    header = page.header
    left, bottom, right, top = header.get("crop", (0.0, 0.0, 0.0, 0.0))
    return Page(
        number=header["number"],
        raw=page.raw,
        clean=clean,
        clean_to_raw=offsets,
        raw_to_char=page.raw_to_char,
        method=page.method,
        width=header.get("width", 0.0),
        height=header.get("height", 0.0),
        rotation=header.get("rotation", 0),
        crop=(left, bottom, right, top),
        label=header["label"],
    )


def _sections(
    document: Header,
    raw_pages: list[_RawPage],
    pages: list[Page],
    body: float,
    spans: list[list[tuple[int, int]]],
    title_span: tuple[int, int] | None,
) -> tuple[Section, ...]:
    """From the outline where it has two entries or more that lead somewhere, else from headings found by layout."""
    lines, raws = [page.lines for page in raw_pages], [page.raw for page in raw_pages]
    found = list(layout.outline_headings(document["outline"], raws, lines))
    if len(found) < 2:
        found = layout.headings(lines, raws, body, spans, title_span)
    starts = Reading("", tuple(pages)).page_starts
    sections: dict[int, Section] = {}
    for heading in found:
        page = pages[heading.page]
        start = inverse(page.clean_to_raw, heading.start)
        if start < len(page.clean):
            place = starts[heading.page] + start
            sections.setdefault(place, Section(_tidy(heading.title), heading.level, place))
    return tuple(sections[start] for start in sorted(sections))


def _title(metadata: str, raw_pages: list[_RawPage], pages: list[Page]) -> tuple[str, tuple[int, int] | None]:
    """The title in the metadata if it is one, else the biggest text on the first page, with its offsets there."""
    title, span = _tidy(metadata), None
    if raw_pages and raw_pages[0].lines:
        span = layout.title_span(raw_pages[0].lines, raw_pages[0].raw)
    if is_title(title):
        return title, span
    if span is None:
        return "", None
    start, end = inverse_span(pages[0].clean_to_raw, *span) if span[1] > span[0] else (0, 0)
    return _tidy(pages[0].clean[start:end])[:300], span


_NO_TITLE = re.compile(
    r"microsoft (word|powerpoint|excel)\b|^untitled|^\(?anonymous\)?$|^(untitled )?document\d*$|^slide 1$|^title$"
    r"|^presentation\d*$|^layout \d+$"
    r"|\.(docx?|pdf|dvi|tex|indd|pptx?|xlsx?|odt|rtf|qxd|ps|eps|fm|html?)$|[/\\]\w+\.\w+$",
    re.IGNORECASE,
)


def is_title(text: str) -> bool:
    """Whether a metadata title is worth showing: not a file name, not a program's default, not a code."""
    letters = sum(map(str.isalpha, text))
    if " " not in text and re.search(r"[/\\_.:]", text):
        return False
    return letters >= 4 and letters >= 0.5 * len(text) and not _NO_TITLE.search(text) and "\ufffd" not in text


_DATE = re.compile(r"D?:?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([-+Zz])?(\d\d)?'?(\d\d)?")


def iso_date(text: str) -> str:
    """A PDF date ("D:20230307125551-08'00'") in ISO 8601, as far as it is given; "" for anything else."""
    match = _DATE.match(text.strip())
    if match is None:
        return ""
    year, month, day, hour, minute, second, sign, zone_hours, zone_minutes = match.groups()
    if not (month and 1 <= int(month) <= 12 and int(year) >= 1000):
        return year if int(year) >= 1000 else ""
    if not (day and 1 <= int(day) <= 31):
        return f"{year}-{month}"
    if not (hour and minute and int(hour) < 24 and int(minute) < 60):
        return f"{year}-{month}-{day}"
    zone = "" if sign is None else "Z" if sign in "Zz" else f"{sign}{zone_hours or '00'}:{zone_minutes or '00'}"
    return f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone}"


def _tidy(text: str) -> str:
    return " ".join(text.replace("\x00", "").split())


def _table(clean: str, rows: list[tuple[int, int]], header: Header) -> Table:
    kept = tuple((start, end) for start, end in rows if clean[start:end].strip())
    start, end = (kept[0][0], kept[-1][1]) if kept else (0, 0)
    return Table(start, end, kept, header["header_rows"], header["caption"])
