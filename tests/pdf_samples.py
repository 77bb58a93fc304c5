"""Tiny PDFs and other files that the reading tests build for themselves."""

from __future__ import annotations

import io
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
