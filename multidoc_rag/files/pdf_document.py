"""One PDF open in PDFium: its text by character index, lines, boxes, outline and pictures.

Used inside the worker process alone (`pdf_worker`). Only the standard library and pypdfium2's raw bindings are imported
at start; Pillow and pypdf when they are needed. Coordinates are PDF user space (points); those of lines are turned so
that most of the page's text runs to the right, whether that is by the page's own rotation or by its text's.
"""

from __future__ import annotations

import ctypes
import hashlib
import io
import math
import os
import re
import struct
from array import array
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

Header = dict[str, Any]
LINE = struct.Struct("<iiffffffi")
"""One line of a page: first and last character index (exclusive), left, bottom, right, top, size, weight, gaps."""
GAP = struct.Struct("<iff")
"""One wide gap of a line: index of the character after it, where the gap starts and ends."""
WIDE_GAP = 0.9
"""Gaps at least this wide, in heights of the line, are told; a blank is about a quarter."""

SCAN_CHARACTERS = 60
"""A page with fewer characters may be a scan (`OpenPage.is_picture`)."""
_MANY = 100
_LONGEST = 16_000
"""Pixels a side; WebP holds 16,383."""
_LINE_TEXT = re.compile(r"[^\r\n]*[^\r\n\s\x02\xad\ufffe][\x02\xad\ufffe]?")
_BLANKS = re.compile(r"[ \t\xa0]+")
_FORCE_BOLD = 1 << 18
_BOLD_NAME = re.compile(rb"bold|black|heavy|cmbx|-medi", re.IGNORECASE)
BOLD, NAMELESS = 1, 2
"""Bits of a line's weight: set where they are for its first and last character."""


class Refusal(Exception):
    """A request that cannot be met; `code` says why."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code


class OpenFile:
    """One document in PDFium, with the bytes it is made of (PDFium reads from them as long as it is open)."""

    def __init__(self, path: str, password: str | None) -> None:
        self.identity = identity(path, password)
        with open(path, "rb") as file:
            self.data = file.read()
        self.sha256 = hashlib.sha256(self.data).hexdigest()
        self.repaired = False
        key = None if password is None else password.encode()
        self.handle = pdfium.FPDF_LoadMemDocument64(self.data, len(self.data), key)
        if not self.handle:
            error = pdfium.FPDF_GetLastError()
            # What PDFium cannot open pypdf sometimes can: its rewritten copy is then read instead.
            self.data = _rewritten(self.data, password, wrong_password=error == pdfium.FPDF_ERR_PASSWORD)
            self.repaired = True
            self.handle = pdfium.FPDF_LoadMemDocument64(self.data, len(self.data), None)
            if not self.handle:
                raise Refusal("damaged")
        self.pages = pdfium.FPDF_GetPageCount(self.handle)
        self.forms: Any = None

    def close(self) -> None:
        if self.forms:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self.forms[0])
        if self.handle:
            pdfium.FPDF_CloseDocument(self.handle)


def identity(path: str, password: str | None) -> tuple[Any, ...]:
    """What must be unchanged for an open document to be used again."""
    status = os.stat(path)
    return path, password, status.st_size, status.st_mtime_ns, status.st_ino


def _rewritten(data: bytes, password: str | None, *, wrong_password: bool) -> bytes:
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(password or ""):
            raise Refusal("password")
        writer = pypdf.PdfWriter()
        for page in reader.pages:
            writer.add_page(page)
        if reader.metadata:
            writer.add_metadata(dict(reader.metadata))
        output = io.BytesIO()
        writer.write(output)
    except (Refusal, MemoryError):
        raise
    except Exception as error:  # pypdf raises all sorts on damaged files: each means it cannot read it either
        raise Refusal("password" if wrong_password else "damaged", str(error)) from error
    return output.getvalue()


class OpenPage:
    """A page and its text in PDFium; raises Refusal where PDFium cannot load it."""

    def __init__(self, file: OpenFile, index: int) -> None:
        self.handle = pdfium.FPDF_LoadPage(file.handle, index)
        if not self.handle:
            raise Refusal("page")
        self.text = pdfium.FPDFText_LoadPage(self.handle)
        self.count = max(0, pdfium.FPDFText_CountChars(self.text)) if self.text else 0

    def __enter__(self) -> OpenPage:
        return self

    def __exit__(self, *error: object) -> None:
        if self.text:
            pdfium.FPDFText_ClosePage(self.text)
        pdfium.FPDF_ClosePage(self.handle)

    def geometry(self) -> Header:
        """Visible part in user space (crop within media box), its unrotated size, rotation in degrees clockwise."""
        box = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(self.handle, ctypes.byref(box))
        crop = [box.left, box.bottom, box.right, box.top]
        rotation = 90 * (pdfium.FPDFPage_GetRotation(self.handle) % 4)
        return {"crop": crop, "width": crop[2] - crop[0], "height": crop[3] - crop[1], "rotation": rotation}

    def codes(self) -> array[int]:
        """One UTF-16 code unit (or code point) for each character index; line-end hyphens as U+00AD."""
        count = self.count
        buffer = (ctypes.c_ushort * (count + 1))()
        written = pdfium.FPDFText_GetText(self.text, 0, count, buffer) if count else 1
        if written - 1 == count:
            codes = array("I", buffer[:count])
        else:
            # The string leaves out control characters, so only the characters one by one are one to one.
            get = pdfium.FPDFText_GetUnicode
            codes = array("I", [get(self.text, index) for index in range(count)])
        for index, code in enumerate(codes):
            if code in (0x02, 0xFFFE) and pdfium.FPDFText_IsHyphen(self.text, index) == 1:
                codes[index] = 0xAD
        return codes

    def outside(self, crop: list[float]) -> list[list[int]]:
        """Runs [start, end) of characters whose centre lies outside the visible part of the page."""
        left, bottom, right, top = (ctypes.c_double() for _ in range(4))
        pointers = [ctypes.byref(value) for value in (left, right, bottom, top)]
        rectangles = pdfium.FPDFText_CountRects(self.text, 0, -1) if self.count else 0
        for index in range(max(0, rectangles)):
            pdfium.FPDFText_GetRect(
                self.text, index, ctypes.byref(left), ctypes.byref(top), ctypes.byref(right), ctypes.byref(bottom)
            )
            if left.value < crop[0] or bottom.value < crop[1] or right.value > crop[2] or top.value > crop[3]:
                break
        else:
            return []
        runs: list[list[int]] = []
        for index in range(self.count):
            if not pdfium.FPDFText_GetCharBox(self.text, index, *pointers):
                continue
            x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
            empty = right.value <= left.value and top.value <= bottom.value
            if not empty and not (crop[0] <= x <= crop[2] and crop[1] <= y <= crop[3]):
                if runs and runs[-1][1] == index:
                    runs[-1][1] += 1
                else:
                    runs.append([index, index + 1])
        return runs

    def is_picture(self, crop: list[float]) -> bool:
        """Whether what shows is not in the text: pictures over half of the visible part, a hundred small ones (each
        letter a picture), or a hundred pieces of text without known characters."""
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        pointers = [ctypes.byref(value) for value in (left, bottom, right, top)]
        covered, pictures, texts = 0.0, 0, 0
        for index in range(min(pdfium.FPDFPage_CountObjects(self.handle), 10_000)):
            shape = pdfium.FPDFPage_GetObject(self.handle, index)
            kind = pdfium.FPDFPageObj_GetType(shape)
            texts += kind == pdfium.FPDF_PAGEOBJ_TEXT
            pictures += kind == pdfium.FPDF_PAGEOBJ_IMAGE
            if kind == pdfium.FPDF_PAGEOBJ_IMAGE and pdfium.FPDFPageObj_GetBounds(shape, *pointers):
                width = min(right.value, crop[2]) - max(left.value, crop[0])
                height = min(top.value, crop[3]) - max(bottom.value, crop[1])
                covered += max(0.0, width) * max(0.0, height)
        area = (crop[2] - crop[0]) * (crop[3] - crop[1])
        return covered > 0.5 * area or pictures > _MANY or texts > _MANY

    def lines(self, codes: array[int]) -> bytes:
        """The page's lines as LINE and GAP records: three boxes a line and two a blank, never one a character."""
        records: list[bytes] = []
        characters = "".join(map(chr, codes))
        spans = [match.span() for match in _LINE_TEXT.finditer(characters)]
        rotation = self.direction([end - 1 for _, end in spans])
        for start, end in spans:
            while characters[start].isspace():
                start += 1
            middle = (start + end) // 2
            while characters[middle].isspace():
                middle += 1
            first, inner, last = self.box(start, rotation), self.box(middle, rotation), self.box(end - 1, rotation)
            gaps: list[bytes] = []
            # Footnote marks and big operators stand at one end of a line or the other.
            size = sorted(box[3] - box[1] for box in (first, inner, last))[1]
            for blank in _BLANKS.finditer(characters, start, end):
                if blank.start() > start and blank.end() < end:
                    before, after = self.box(blank.start() - 1, rotation)[2], self.box(blank.end(), rotation)[0]
                    if after - before >= WIDE_GAP * size:
                        gaps.append(GAP.pack(blank.end(), before, after))
            records.append(
                LINE.pack(
                    start,
                    end,
                    min(first[0], last[0]),
                    min(first[1], last[1]),
                    max(first[2], last[2]),
                    max(first[3], last[3]),
                    size,
                    self.weight(start) & self.weight(end - 1),
                    len(gaps),
                )
            )
            records.extend(gaps)
        return b"".join(records)

    def direction(self, indices: list[int]) -> int:
        """The way most of these characters run: 0 to the right, 90 up, 180 to the left, 270 down the page."""
        counts = [0, 0, 0, 0]
        for index in indices:
            # PDFium's angle is in radians, clockwise.
            counts[round(-pdfium.FPDFText_GetCharAngle(self.text, index) / (math.pi / 2)) % 4] += 1
        return 90 * counts.index(max(counts))

    def box(self, index: int, rotation: int) -> tuple[float, float, float, float]:
        """Box of one character by its font's height, turned so that text of this direction runs to the right."""
        box = pdfium.FS_RECTF()
        pdfium.FPDFText_GetLooseCharBox(self.text, index, ctypes.byref(box))
        if rotation == 90:
            return box.bottom, -box.right, box.top, -box.left
        if rotation == 180:
            return -box.right, -box.top, -box.left, -box.bottom
        if rotation == 270:
            return -box.top, box.left, -box.bottom, box.right
        return box.left, box.bottom, box.right, box.top

    def weight(self, index: int) -> int:
        """BOLD where the character's font is bold by its name or its flags, NAMELESS where it has no name (Type 3)."""
        name = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        if pdfium.FPDFText_GetFontInfo(self.text, index, name, 128, ctypes.byref(flags)) <= 1:
            return NAMELESS
        return BOLD if flags.value & _FORCE_BOLD or _BOLD_NAME.search(name.value) else 0

    def boxes(self) -> array[float]:
        """Left, bottom, right, top of every character's own shape; zeros where it has none."""
        left, bottom, right, top = (ctypes.c_double() for _ in range(4))
        arguments = [ctypes.byref(value) for value in (left, right, bottom, top)]
        values = array("f")
        for index in range(self.count):
            if pdfium.FPDFText_GetCharBox(self.text, index, *arguments):
                values.extend((left.value, bottom.value, right.value, top.value))
            else:
                values.extend((0.0, 0.0, 0.0, 0.0))
        return values


# --- pictures ---


def draw(file: OpenFile, page: OpenPage, wanted_width: int, megapixels: float) -> Any:
    """A page's visible part with its rotation, annotations and form fields, as a Pillow picture (RGB)."""
    from PIL import Image

    # These two are of the visible part, with the rotation applied.
    across, down = pdfium.FPDF_GetPageWidthF(page.handle), pdfium.FPDF_GetPageHeightF(page.handle)
    if across <= 0 or down <= 0:
        raise Refusal("page")
    scale = min(wanted_width / across, (megapixels * 1e6 / (across * down)) ** 0.5, _LONGEST / across, _LONGEST / down)
    width, height = max(1, int(across * scale)), max(1, int(down * scale))
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, None, 0)
    if not bitmap:
        raise Refusal("memory")
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page.handle, 0, 0, width, height, 0, pdfium.FPDF_ANNOT)
        _draw_forms(file, page, bitmap, width, height)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", stride, 1)


def _draw_forms(file: OpenFile, page: OpenPage, bitmap: Any, width: int, height: int) -> None:
    """Filled-in form fields, which the page itself does not hold."""
    if pdfium.FPDF_GetFormType(file.handle) == pdfium.FORMTYPE_NONE:
        return
    if file.forms is None:
        information = pdfium.FPDF_FORMFILLINFO(version=2)
        file.forms = pdfium.FPDFDOC_InitFormFillEnvironment(file.handle, information), information
    if file.forms[0]:
        pdfium.FORM_OnAfterLoadPage(page.handle, file.forms[0])
        pdfium.FPDF_FFLDraw(file.forms[0], bitmap, page.handle, 0, 0, width, height, 0, pdfium.FPDF_ANNOT)
        pdfium.FORM_OnBeforeClosePage(page.handle, file.forms[0])


# --- outline and properties ---


def outline(file: OpenFile, limit: int = 10_000) -> Iterator[Header]:
    """Outline entries in order: title, level from 1, page (0 without one) and height on the page where given."""
    seen: set[int] = set()
    stack = [(pdfium.FPDFBookmark_GetFirstChild(file.handle, None), 1)]
    while stack and len(seen) < limit:
        bookmark, level = stack.pop()
        address = ctypes.cast(bookmark, ctypes.c_void_p).value if bookmark else None
        # Damaged outlines can run in circles.
        if address is None or address in seen:
            continue
        seen.add(address)
        title = utf16(lambda b, n, mark=bookmark: pdfium.FPDFBookmark_GetTitle(mark, b, n))
        target = pdfium.FPDFBookmark_GetDest(file.handle, bookmark)
        page = pdfium.FPDFDest_GetDestPageIndex(file.handle, target) if target else -1
        yield {"title": title, "level": level, "page": page + 1, "y": _target_height(target) if target else None}
        stack.append((pdfium.FPDFBookmark_GetNextSibling(file.handle, bookmark), level))
        if level < 12:
            stack.append((pdfium.FPDFBookmark_GetFirstChild(file.handle, bookmark), level + 1))


def _target_height(target: Any) -> float | None:
    has_x, has_y, has_zoom = (ctypes.c_int() for _ in range(3))
    x, y, zoom = (ctypes.c_float() for _ in range(3))
    pointers = [ctypes.byref(value) for value in (has_x, has_y, has_zoom, x, y, zoom)]
    return y.value if pdfium.FPDFDest_GetLocationInPage(target, *pointers) and has_y.value else None


def utf16(get: Any) -> str:
    """The string of a PDFium function that fills (buffer, length in bytes) and returns the length needed."""
    needed = get(None, 0)
    if needed <= 2:
        return ""
    buffer = ctypes.create_string_buffer(needed)
    get(buffer, needed)
    return buffer.raw[: needed - 2].decode("utf-16-le", "replace")


def version() -> str:
    from pypdfium2.version import PDFIUM_INFO, PYPDFIUM_INFO

    return f"pypdfium2 {PYPDFIUM_INFO.version} (PDFium {PDFIUM_INFO.version})"
