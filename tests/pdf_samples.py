"""Tiny PDFs and other files that the reading tests build for themselves."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pypdf
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Table

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data folder is absent")
_STYLES = getSampleStyleSheet()


def paragraph(text: str, style: str = "BodyText") -> Paragraph:
    return Paragraph(text, _STYLES[style])


def flowing(path: Path, story: Iterable[Flowable], **properties: str) -> Path:
    """A PDF set by reportlab's layout engine."""
    SimpleDocTemplate(str(path), pagesize=A4, **properties).build(list(story))
    return path


def drawn(path: Path, *pages: Callable[[Canvas], None], size: tuple[float, float] = A4) -> Path:
    """A PDF whose pages are drawn by functions of a canvas."""
    canvas = Canvas(str(path), pagesize=size)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return path


def text_lines(
    *lines: str, x: float = 72, y: float = 760, step: float = 14, size: float = 11
) -> Callable[[Canvas], None]:
    """A page of lines, one below the other."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", size)
        for index, line in enumerate(lines):
            canvas.drawString(x, y - index * step, line)

    return draw


def report(path: Path) -> Path:
    """Two pages: a title, numbered headings of two levels, prose, a table with a caption."""
    return flowing(
        path,
        [
            paragraph("A Study of Leases", "Title"),
            paragraph("1 Introduction", "Heading1"),
            paragraph("Leases bind both sides for years. They say who pays for what. " * 6),
            paragraph("2 Results", "Heading1"),
            paragraph("2.1 Costs", "Heading2"),
            paragraph("Costs differ between the plans, as the table shows. " * 4),
            paragraph("Table 1: Costs by plan"),
            Table([["Plan", "Premium", "Deductible"], ["Standard", "$20", "$500"], ["Health Plus", "$50", "$250"]]),
            paragraph("The text goes on after the table as it did before it. " * 5),
            PageBreak(),
            paragraph("3 Discussion", "Heading1"),
            paragraph("There is more to say about this than fits on a page. " * 20),
        ],
    )


def changed(path: Path, change: Callable[[pypdf.PdfWriter], None]) -> Path:
    """Rewrite a PDF in place by pypdf."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(path.read_bytes()))
    change(writer)
    with path.open("wb") as file:
        writer.write(file)
    return path


def right_to_left(path: Path, *lines: str) -> Path:
    """A page of lines in a script written from right to left, each given as it is read and drawn as it is seen.

    Helvetica with a /ToUnicode map: what the letters look like does not matter, and no font is needed.
    """
    letters = sorted(set("".join(lines)))
    codes = {letter: 33 + index for index, letter in enumerate(letters)}
    shown = []
    for line in lines:
        # figures keep their order among letters that run the other way
        seen = re.sub(r"\d+", lambda match: match[0][::-1], line)[::-1]
        shown.append("".join(f"{codes[letter]:02x}" for letter in seen))
    content = "BT /F1 12 Tf 72 760 Td 20 TL " + " T* ".join(f"<{line}> Tj" for line in shown) + " ET"
    pairs = "\n".join(f"<{code:02x}> <{ord(letter):04x}>" for letter, code in codes.items())
    meaning = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <ff> endcodespacerange\n{len(codes)} beginbfchar\n{pairs}\nendbfchar\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        f"<< /Length {len(meaning)} >>\nstream\n{meaning}\nendstream",
    ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    end = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer << /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    path.write_bytes(out + f"{end}startxref\n{len(out)}\n%%EOF\n".encode())
    return path
