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
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from multidoc_rag.config import Config
from multidoc_rag.errors import DocumentRefused, MissingExtra
from multidoc_rag.files import boxes as char_boxes
from multidoc_rag.files import layout
from multidoc_rag.files.assembly import RawPage, assemble
from multidoc_rag.files.pdf_document import Header
from multidoc_rag.files.pdf_process import PdfProcess
from multidoc_rag.files.reading_text import clean_text, inverse, inverse_span, is_readable, raw_text, vocabulary
from multidoc_rag.language import detect_language, words
from multidoc_rag.records import Box, OffsetMap, Page, PageMethod, Reading, Section, Table

SUFFIXES = frozenset({".pdf", ".docx", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text"})
"""File name endings (lower case) that can be read; what a file is, its content decides."""

OCR_MEMORY_MB = 8192
"""Address space of the OCR process: onnxruntime reserves far more than it uses."""

OCR_PAGES_KEPT = 200
"""Recognised pages whose words stay in memory: recognising one again takes seconds."""

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


class Reader:
    """Reads files; a context manager. Any number of threads may use it, one request at a time is served."""

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or Config()
        self._lock = threading.Lock()
        self._process = PdfProcess(self.config)
        self._ocr_process = PdfProcess(self.config, memory_mb=OCR_MEMORY_MB)
        self._boxes: tuple[tuple[object, ...], char_boxes.PageBoxes] | None = None
        self._recognised: OrderedDict[tuple[object, ...], char_boxes.PageBoxes] = OrderedDict()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the worker now, so that the first page does not wait for it; raises DocumentRefused."""
        with self._lock:
            self._process.start()

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

    def check(self, path: str | os.PathLike[str]) -> None:
        """Raises DocumentRefused for what must not even be opened: no ordinary file, empty, or too large."""
        _stat(Path(path), self.config)

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
        recognised anew (and kept in memory for the last `OCR_PAGES_KEPT` pages asked for).
        """
        if page.width == 0 or not 0 <= start < end <= len(page.clean) or _kind(Path(path)) != "pdf":
            return ()
        status = _stat(Path(path), self.config)
        key = (str(path), page.number, page.method, status.st_size, status.st_mtime_ns)
        with self._lock:
            if self._boxes is None or self._boxes[0] != key:
                self._boxes = key, self._recognised.get(key) or self._page_boxes(path, page, password)
            shapes = self._boxes[1]
            if page.method == "ocr":
                self._recognised[key] = shapes
                self._recognised.move_to_end(key)
                while len(self._recognised) > OCR_PAGES_KEPT:
                    self._recognised.popitem(last=False)
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
            # another version of the engine may have read the page differently: then nothing is known to be exact
            return char_boxes.PageBoxes.from_words(header["words"] if header["text"] == page.raw else [])
        _, payload = self._process.one(request | {"op": "boxes"})
        return char_boxes.PageBoxes.from_bytes(payload)

    def _read_pdf(self, path: Path, password: str | None, ocr: bool, on_page: OnPage | None) -> Reading:
        request = {"op": "read", "path": str(path), "password": password, "max_pages": self.config.max_pages}
        messages = self._process.ask(request)
        document: Header = {}
        pages: list[RawPage] = []
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
        return assemble(document, pages, warnings)

    def _raw_page(self, header: Header, payload: bytes) -> RawPage:
        split = 4 * header["count"]
        raw, raw_to_char = raw_text(array("I", payload[:split]), header["outside"])
        # A scan may carry a page number or a stamp as its only text.
        method: PageMethod = "text" if raw.strip() and not header["scan"] else "none"
        if method == "text" and not is_readable(raw, self.config.unmappable_share):
            method = "unreadable"
        lines = layout.parse_lines(payload[split:], raw, raw_to_char) if method == "text" else []
        return RawPage(header, raw, raw_to_char, lines, method)

    def _recognise(self, path: Path, password: str | None, pages: list[RawPage], warnings: list[str]) -> None:
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
    except OSError as error:
        raise DocumentRefused(f"{path.name} was not read: {error.strerror or error}.") from error
    except ValueError as error:
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


def _table(clean: str, rows: list[tuple[int, int]], header: Header) -> Table:
    kept = tuple((start, end) for start, end in rows if clean[start:end].strip())
    start, end = (kept[0][0], kept[-1][1]) if kept else (0, 0)
    return Table(start, end, kept, header["header_rows"], header["caption"])
