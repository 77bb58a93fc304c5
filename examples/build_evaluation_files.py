"""Build the sample collection: source text -> PDFs, and the gold file that says where every fact stands.

The sources are `evaluation_files/source/*.md`, in the small dialect described in `source/README.md`;
`source/gold_source.json` names the questions, conflicts and acronyms. The same sources give the same bytes:
fixed dates, seeded noise, no compression, fonts that every PDF viewer carries.

    python examples/build_evaluation_files.py [--out FOLDER]
"""

from __future__ import annotations

import argparse
import html
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import reportlab
from PIL import Image, ImageDraw, ImageFont
from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFInfo, PDFString
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BalancedColumns,
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

FILES = Path(__file__).resolve().parent.parent / "evaluation_files"
SCAN_SEED = 20240917
SCAN_DPI = 130
WIDTH, HEIGHT = A4

# ---------------------------------------------------------------------------------------------------------------
# The dialect
# ---------------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"\{([=@])([\w.-]+)\}|\{/\}")
_NOTE = re.compile(r"\[\^(\w+)\]")


class SourceError(ValueError):
    """The source text, or the gold source, says something that the built PDFs do not bear out."""


@dataclass(frozen=True)
class Mark:
    """A marked stretch of a block: a gold passage (`=`) or a reference to another document (`@`)."""

    kind: str
    key: str
    text: str
    around: str


@dataclass
class Block:
    """One block of a source file: heading, para, item, table, break, scan, columns, or a turned page."""

    kind: str
    text: str = ""
    level: int = 0
    rows: list[list[str]] = field(default_factory=list)
    children: list[Block] = field(default_factory=list)
    keep: bool = False


@dataclass
class Source:
    """A parsed source file."""

    stem: str
    meta: dict[str, str]
    blocks: list[Block]
    notes: dict[str, str]
    marks: list[Mark]


def plain(text: str) -> str:
    """The text of a block as a reader sees it: no emphasis signs, no note marks."""
    return re.sub(r"\*+", "", _NOTE.sub("", text)).strip()


def unmark(text: str, marks: list[Mark]) -> str:
    """Take the marks out of one block's text and append them to `marks`."""
    out: list[str] = []
    opened: list[tuple[str, str, int]] = []
    found: list[tuple[str, str, int, int]] = []
    last = size = 0
    for match in _MARK.finditer(text):
        out.append(text[last : match.start()])
        size += match.start() - last
        last = match.end()
        if match.group(1):
            opened.append((match.group(1), match.group(2), size))
        elif opened:
            kind, key, start = opened.pop()
            found.append((kind, key, start, size))
        else:
            raise SourceError(f"a mark is closed that was never opened: {text[:80]}")
    out.append(text[last:])
    if opened:
        raise SourceError(f"mark {opened[-1][1]} is never closed: {text[:80]}")
    clean = "".join(out)
    for kind, key, start, end in found:
        around = clean[max(0, start - 24) : end + 24]
        marks.append(Mark(kind, key, plain(clean[start:end]), plain(around)))
    return clean


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")]


def _blocks(lines: list[str], marks: list[Mark], notes: dict[str, str]) -> list[Block]:
    """Parse lines into blocks; marks and notes are collected on the way."""
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if not line:
            continue
        if line.startswith(":::"):
            end = at
            while lines[end].strip() != ":::":
                end += 1
            inner, name = lines[at:end], line[3:].strip()
            at = end + 1
            if name == "scan":
                blocks.append(Block("scan", "\n".join(inner).strip("\n")))
            else:
                blocks.append(Block(name, children=_blocks(inner, marks, notes)))
        elif line == r"\pagebreak":
            blocks.append(Block("break"))
        elif heading := re.match(r"(#+) (.*)", line):
            blocks.append(Block("heading", heading.group(2), level=len(heading.group(1))))
        elif note := re.match(r"\[\^(\w+)\]: (.*)", line):
            notes[note.group(1)] = unmark(note.group(2), marks)
        elif line.startswith("Table: "):
            table = Block("table", unmark(line[7:], marks))
            while at < len(lines) and "|" in lines[at]:
                row = lines[at].strip()
                at += 1
                key = re.match(r"\{=([\w.-]+)\}\s*", row)
                cells = _cells(row[key.end() :] if key else row)
                table.rows.append(cells)
                if key:
                    text = plain(" ".join(cell for cell in cells if cell))
                    marks.append(Mark("=", key.group(1), text, text))
            blocks.append(table)
        else:
            item = re.match(r"(- |\d+\. |\(\w\) )(.*)", line)
            parts = [item.group(2) if item else line]
            while at < len(lines) and lines[at].strip() and not re.match(r"\s*(- |\d+\. |:::|#|\(\w\) )", lines[at]):
                parts.append(lines[at].strip())
                at += 1
            joined = " ".join(parts)
            keep = joined.startswith("{keep}")
            body = unmark(joined.removeprefix("{keep}").strip(), marks)
            blocks.append(Block("item" if item else "para", body, keep=keep))
            if item:
                label = item.group(1).strip()
                blocks[-1].rows = [["\u2022" if label == "-" else label]]
    return blocks


def parse(path: Path) -> Source:
    """Read one source file: front matter between `---` lines, then blocks. Quotation marks become curly."""
    text = re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", path.read_text(encoding="utf-8")).replace("'", "\u2019")
    _, front, body = text.split("---\n", 2)
    meta = dict(line.split(": ", 1) for line in front.strip().splitlines())
    marks: list[Mark] = []
    notes: dict[str, str] = {}
    blocks = _blocks(body.splitlines(), marks, notes)
    return Source(path.stem, meta, blocks, notes, marks)


# ---------------------------------------------------------------------------------------------------------------
# The looks
# ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """How one body sets its documents."""

    body: str
    bold: str
    italic: str
    head: str
    size: float
    leading: float
    accent: Color
    margin: float
    justify: bool = False
    header: bool = True
    columns: int = 1
    ligatures: bool = False
    indent: float = 0.0
    page: tuple[float, float] = A4


_TIMES = ("Times-Roman", "Times-Bold", "Times-Italic")
_SANS = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique")
_LIGATED = ("Ligated-Roman", "Ligated-Bold", "Ligated-Italic")

LOOKS: dict[str, Look] = {
    "report": Look(*_SANS, "Helvetica-Bold", 10.6, 17.2, HexColor("#0b5563"), 31 * mm),
    "specification": Look(*_TIMES, "Helvetica-Bold", 11.4, 15.6, HexColor("#1f2933"), 30 * mm, justify=True),
    "review": Look(*_TIMES, "Times-Bold", 12, 17, HexColor("#6b1d1d"), 32 * mm, header=False),
    "economics": Look(*_TIMES, "Times-Bold", 11.6, 16.4, HexColor("#22407a"), 32 * mm, justify=True),
    "handbook": Look(*_SANS, "Helvetica-Bold", 10.5, 16.8, HexColor("#4a3b76"), 31 * mm),
    "manual": Look(*_SANS, "Helvetica-Bold", 10.4, 16.4, HexColor("#a4480a"), 30 * mm),
    "article": Look(
        *_LIGATED, "Ligated-Bold", 10.4, 13.8, HexColor("#111111"), 17 * mm, justify=True, columns=2, ligatures=True,
        indent=11, page=(170 * mm, 240 * mm),
    ),
}  # fmt: skip


def register_fonts() -> None:
    """The article's faces: the same Type 1 fonts, in the encoding that holds the fi and fl ligatures."""
    faces = dict(zip(_LIGATED, _TIMES, strict=True))
    for name, face in faces.items():
        pdfmetrics.registerFont(pdfmetrics.Font(name, face, "MacRomanEncoding"))
    for families in (_LIGATED, _TIMES, _SANS):
        regular, bold, italic = families
        pdfmetrics.registerFontFamily(regular, normal=regular, bold=bold, italic=italic, boldItalic=bold)


def load_hyphens(path: Path) -> dict[str, str]:
    """Words and the places where they may be broken, from lines such as `elec-tri-fi-ca-tion`."""
    words = path.read_text(encoding="utf-8").split()
    return {word.replace("-", ""): word.replace("-", "\u00ad") for word in words}


class Setter:
    """Turns the blocks of one source into flowables, in one look."""

    def __init__(self, source: Source, look: Look, hyphens: dict[str, str]) -> None:
        self.source = source
        self.look = look
        self.hyphens = hyphens if look.justify else {}
        self.tables = 0
        base = ParagraphStyle(
            "body",
            fontName=look.body,
            fontSize=look.size,
            leading=look.leading,
            alignment=TA_JUSTIFY if look.justify else TA_LEFT,
            spaceAfter=look.leading * (0.0 if look.indent else 0.5),
            firstLineIndent=look.indent,
            allowWidows=0,
            allowOrphans=0,
            embeddedHyphenation=0,
        )
        self.style = base
        self.opening = ParagraphStyle("opening", parent=base, firstLineIndent=0)
        self.boxed = ParagraphStyle(
            "boxed",
            parent=base,
            fontName=look.italic,
            leftIndent=10,
            rightIndent=10,
            firstLineIndent=0,
            backColor=HexColor("#f1f0f5"),
            borderPadding=(6, 8, 7, 8),
            spaceBefore=look.leading * 0.7,
            spaceAfter=look.leading * 1.1,
        )
        self.item = ParagraphStyle("item", parent=base, leftIndent=18, firstLineIndent=0, bulletIndent=2)
        self.item.spaceAfter = look.leading * 0.28
        self.small = ParagraphStyle(
            "small", parent=base, fontSize=look.size - 1.6, leading=look.leading - 3, firstLineIndent=0, spaceAfter=2
        )
        self.caption = ParagraphStyle(
            "caption", parent=self.small, fontName=look.bold, alignment=TA_LEFT, textColor=look.accent, spaceAfter=4
        )
        self.cell = ParagraphStyle("cell", parent=self.small, alignment=TA_LEFT, spaceAfter=0, allowOrphans=1)
        self.cell_head = ParagraphStyle("cell_head", parent=self.cell, fontName=look.bold)

    def heading_style(self, level: int) -> ParagraphStyle:
        """The style of a heading; the article's are small and sober."""
        step = (3.2, 1.2, 0.4) if self.look.columns == 1 else (1.0, 0.2, 0.0)
        size = self.look.size + step[min(level, 3) - 1]
        return ParagraphStyle(
            f"h{level}",
            fontName=self.look.head,
            fontSize=size,
            leading=size * 1.25,
            textColor=self.look.accent,
            spaceBefore=size * (0.9 if level == 1 else 0.7),
            spaceAfter=size * 0.42,
        )

    def markup(self, text: str, breakable: bool = True) -> str:
        """Dialect text to reportlab's inline markup, with soft hyphens and ligatures where the look has them."""
        if self.hyphens and breakable:
            # Not before emphasis: reportlab loses the space between a breakable word and a change of font.
            text = re.sub(r"[A-Za-z]{7,}(?!\S*\s*\*)", lambda word: self._soft(word.group()), text)
        if self.look.ligatures:
            text = text.replace("fi", "\ufb01").replace("fl", "\ufb02")
        text = html.escape(text, quote=False)
        text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)
        text = re.sub(r"\*(.+?)\*", r"<i>\1</i>", text)
        return _NOTE.sub(r'<super size="70%">\1</super><onDraw name="note_drawn" label="\1"/>', text)

    def _soft(self, word: str) -> str:
        known = self.hyphens.get(word.lower())
        if known is None:
            return word
        return word[0] + known[1:]

    def flow(self, blocks: list[Block]) -> list[Flowable]:
        """All flowables of a list of blocks."""
        out: list[Flowable] = []
        after_heading = True
        for block, following in zip(blocks, [*(later.kind for later in blocks[1:]), ""], strict=True):
            out.extend(self._one(block, after_heading))
            after_heading = block.kind == "heading"
            if block.kind == "item" and following != "item":
                out.append(Spacer(1, self.look.leading * 0.25))
        return out

    def _one(self, block: Block, opening: bool) -> Iterator[Flowable]:
        if block.kind == "heading":
            if not opening:
                yield CondPageBreak(self.look.leading * 6)
            heading = Paragraph(self.markup(block.text, breakable=False), self.heading_style(block.level))
            heading.outline = (block.text, block.level - 1)
            yield heading
        elif block.kind == "para":
            flush = opening or block.text.startswith("[")
            paragraph = Paragraph(self.markup(block.text), self.opening if flush else self.style)
            yield KeepTogether([paragraph]) if block.keep else paragraph
        elif block.kind == "item":
            item = Paragraph(self.markup(block.text), self.item, bulletText=block.rows[0][0])
            yield KeepTogether([item]) if block.keep else item
        elif block.kind == "table":
            yield self._table(block)
        elif block.kind == "break":
            yield PageBreak()
        elif block.kind == "columns":
            inner = self.flow(block.children)
            yield BalancedColumns(inner, 2, needed=60, leftPadding=0, rightPadding=0, innerPadding=16)
        elif block.kind in ("landscape", "rotated"):
            yield NextPageTemplate(block.kind)
            yield PageBreak()
            yield from self.flow(block.children)
            yield NextPageTemplate("body")
            yield PageBreak()
        elif block.kind == "scan":
            yield NextPageTemplate("scan")
            yield PageBreak()
            yield ScannedPage(block.text)
            yield NextPageTemplate("body")
            yield PageBreak()
        elif block.kind == "note":
            for child in block.children:
                yield Paragraph(self.markup(child.text), self.boxed)
        else:
            raise SourceError(f"{self.source.stem}: unknown block {block.kind}")

    def _table(self, block: Block) -> Flowable:
        self.tables += 1
        head, *rows = block.rows
        cells = [[Paragraph(self.markup(cell, breakable=False), self.cell_head) for cell in head]]
        for row in rows:
            if len(row) != len(head):
                raise SourceError(f"{self.source.stem}: a row of table '{block.text[:40]}' has {len(row)} cells")
            cells.append([Paragraph(self.markup(cell, breakable=False), self.cell) for cell in row])
        rule = TableStyle(
            [
                ("LINEABOVE", (0, 0), (-1, 0), 1.0, self.look.accent),
                ("LINEBELOW", (0, 0), (-1, 0), 0.6, self.look.accent),
                ("LINEBELOW", (0, 1), (-1, -2), 0.25, HexColor("#c3c8cc")),
                ("LINEBELOW", (0, -1), (-1, -1), 1.0, self.look.accent),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 3),
                ("RIGHTPADDING", (0, 0), (-1, -1), 5),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
            ]
        )
        fonts = (self.look.bold, self.cell.fontSize)
        longest = [max((word for row in block.rows for word in row[col].split()), key=len) for col in range(len(head))]
        least = [pdfmetrics.stringWidth(plain(word), *fonts) + 12 for word in longest]
        wishes = [max(len(row[col]) ** 0.75 for row in block.rows) for col in range(len(head))]
        table = FluidTable(cells, rule, least, wishes)
        caption = Paragraph(self.markup(block.text), self.caption)
        return KeepTogether([Spacer(1, 4), caption, table, Spacer(1, self.look.leading * 0.75)])

    def title_block(self) -> list[Flowable]:
        """Title, subtitle and the lines under it, at the head of the first page."""
        meta, look = self.source.meta, self.look
        middle = TA_CENTER if look.columns == 2 else TA_LEFT
        size = 17 if look.columns == 2 else 21
        title = ParagraphStyle(
            "title", fontName=look.head, fontSize=size, leading=size * 1.2,
            textColor=look.accent, alignment=middle, spaceAfter=6,
        )  # fmt: skip
        under = ParagraphStyle("under", parent=self.small, alignment=middle, fontSize=9.6, leading=13, spaceAfter=2)
        out: list[Flowable] = [Paragraph(self.markup(meta["title"], breakable=False), title)]
        for name in ("subtitle", "byline", "issued"):
            if name in meta:
                out.append(Paragraph(self.markup(meta[name]), under))
        out.append(Spacer(1, 10 if look.columns == 1 else 4))
        return out


class FluidTable(Table):  # type: ignore[misc]
    """A table whose columns share the width of the frame it lands in; its head row repeats."""

    def __init__(
        self, cells: list[list[Paragraph]], style: TableStyle, least: list[float], wishes: list[float]
    ) -> None:
        super().__init__(cells, style=style, repeatRows=1, hAlign="LEFT")
        self.least, self.wishes = least, wishes

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Each column gets room for its longest word, and shares the rest by the length of its text."""
        spare = max(0.0, width - sum(self.least)) / sum(self.wishes)
        self._argW = [least + spare * wish for least, wish in zip(self.least, self.wishes, strict=True)]
        self._colWidths = list(self._argW)
        taken: tuple[float, float] = super().wrap(width, height)
        return taken


# ---------------------------------------------------------------------------------------------------------------
# The scanned page
# ---------------------------------------------------------------------------------------------------------------


def scan_image(text: str) -> bytes:
    """A JPEG of typewritten text as an office scanner leaves it: slightly turned, grey, speckled. Seeded."""
    width, height = round(WIDTH / 72 * SCAN_DPI), round(HEIGHT / 72 * SCAN_DPI)
    page = Image.new("L", (width, height), 247)
    draw = ImageDraw.Draw(page)
    folder = Path(reportlab.__file__).parent / "fonts"
    font = ImageFont.truetype(str(folder / "Vera.ttf"), 20, layout_engine=ImageFont.Layout.BASIC)
    left, top, limit = 120, 130, width - 240
    for line in text.splitlines():
        words, row = line.split(), ""
        for word in words:
            longer = f"{row} {word}".strip()
            if draw.textlength(longer, font=font) > limit:
                draw.text((left, top), row, fill=38, font=font)
                top, row = top + 29, word
            else:
                row = longer
        draw.text((left, top), row, fill=38, font=font)
        top += 29 if row else 16
    page = page.rotate(0.7, resample=Image.Resampling.BICUBIC, fillcolor=247)
    noise = np.random.default_rng(SCAN_SEED)
    grey = np.asarray(page, dtype=np.float32)
    grey = grey + noise.normal(0, 3.5, grey.shape).astype(np.float32)
    specks = noise.random(grey.shape) < 0.00012
    grey[specks] = 70
    grey[:, :14] -= np.linspace(70, 0, 14, dtype=np.float32)
    out = io.BytesIO()
    Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=48)
    return out.getvalue()


class ScannedPage(Flowable):  # type: ignore[misc]
    """A picture over the whole page; the page has no text of its own."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.picture = scan_image(text)

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Takes whatever the frame has."""
        return width, height - 1

    def draw(self) -> None:
        """Draw over the full sheet, from the sheet's own origin."""
        self.canv.saveState()
        self.canv.resetTransforms()
        self.canv.drawImage(ImageReader(io.BytesIO(self.picture)), 0, 0, WIDTH, HEIGHT)
        self.canv.restoreState()


# ---------------------------------------------------------------------------------------------------------------
# Pages
# ---------------------------------------------------------------------------------------------------------------


class DatedInfo(PDFInfo):  # type: ignore[misc]
    """Document information with the document's own dates."""

    created = modified = ""

    def format(self, document: Any) -> bytes:
        """The information dictionary, with both dates replaced by ours."""
        data: bytes = super().format(document)
        for name, value in ((b"CreationDate", self.created), (b"ModDate", self.modified)):
            data = re.sub(
                rb"/" + name + rb" \(.*?\)",
                b"/" + name + b" " + PDFString(value).format(document),
                data,
            )
        return data


class Sheet(PageTemplate):  # type: ignore[misc]
    """A page with its running head and foot; frames give way to the notes that fall on the page."""

    def __init__(self, name: str, frames: list[Frame], size: tuple[float, float], typesetter: Typesetter) -> None:
        super().__init__(id=name, frames=frames, pagesize=size)
        self.rotation = 90 if name == "rotated" else 0
        self.typesetter = typesetter
        self.tall = [(frame._y1, frame._height) for frame in frames]

    def beforeDrawPage(self, canvas: Canvas, document: BaseDocTemplate) -> None:  # noqa: N802
        """Make room for the notes, draw header and page number."""
        reserved = self.typesetter.reserve(document.page)
        for frame, (bottom, height) in zip(self.frames, self.tall, strict=True):
            frame._y1, frame._height = bottom + reserved, height - reserved
            frame._geom()
        self.typesetter.dress(canvas, document.page, self)

    def afterDrawPage(self, canvas: Canvas, document: BaseDocTemplate) -> None:  # noqa: N802
        """Draw the notes that belong to the page."""
        self.typesetter.draw_notes(canvas, document.page, self)


class Typesetter(BaseDocTemplate):  # type: ignore[misc]
    """Sets one document. Notes need to know their page, so it is set again until no note moves."""

    def __init__(
        self,
        target: Any,
        source: Source,
        hyphens: dict[str, str],
        placed: dict[str, int],
        held: dict[int, set[str]],
    ) -> None:
        self.source, self.look = source, LOOKS[source.meta["look"]]
        self.setter = Setter(source, self.look, hyphens)
        self.placed, self.held, self.seen = placed, held, dict[str, int]()
        self.headings = 0
        size = self.look.page
        super().__init__(target, pagesize=size, invariant=1, pageCompression=0, lang="en-GB")
        margin, top, bottom = self.look.margin, 25 * mm, 24 * mm
        self.measure = width = size[0] - 2 * margin
        height = size[1] - top - bottom

        def frame(x: float, y: float, w: float, h: float) -> Frame:
            name = f"{x:.0f},{y:.0f},{w:.0f},{h:.0f}"
            return Frame(x, y, w, h, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0, id=name)

        gap = 7 * mm
        column = (width - gap) / 2
        if self.look.columns == 2:
            head = 132.0
            first = [
                frame(margin, bottom + height - head, width, head),
                frame(margin, bottom, column, height - head),
                frame(margin + column + gap, bottom, column, height - head),
            ]
            body = [frame(margin, bottom, column, height), frame(margin + column + gap, bottom, column, height)]
        else:
            first, body = [frame(margin, bottom, width, height)], [frame(margin, bottom, width, height)]
        sheets = [Sheet("first", first, size, self), Sheet("body", body, size, self)]
        wide = frame(25 * mm, 22 * mm, HEIGHT - 50 * mm, WIDTH - 44 * mm)
        sheets.append(Sheet("landscape", [wide], (HEIGHT, WIDTH), self))
        turned = frame(25 * mm, 22 * mm, HEIGHT - 50 * mm, WIDTH - 44 * mm)
        sheets.append(Sheet("rotated", [turned], (HEIGHT, WIDTH), self))
        sheets.append(Sheet("scan", [frame(margin, bottom, width, height)], A4, self))
        self.addPageTemplates(sheets)

    def beforeDocument(self) -> None:  # noqa: N802
        """Metadata: title, author, subject and both dates."""
        meta, info = self.source.meta, self.canv._doc.info
        info.__class__ = DatedInfo
        info.title, info.author, info.subject = meta["title"], meta["author"], meta["code"]
        info.keywords, info.creator = meta["code"], meta["body"]
        info.created, info.modified = (
            f"D:{date.fromisoformat(meta[name]):%Y%m%d}090000Z" for name in ("created", "modified")
        )

    def beforePage(self) -> None:  # noqa: N802
        """Let the page's paragraphs tell where their note marks fall."""
        self.canv.setNamedCB("note_drawn", self._note_drawn)

    def _note_drawn(self, canvas: Canvas, kind: str, label: str) -> None:
        self.seen[label] = canvas.getPageNumber()

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802
        """Headings become bookmarks, where the document has them."""
        outline = getattr(flowable, "outline", None)
        if outline is None or self.source.meta.get("outline") == "no":
            return
        text, level = outline
        self.headings += 1
        key = f"h{self.headings}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(text, key, level, closed=level > 0)

    def reserve(self, page: int) -> float:
        """Points held free for the notes that fell on a page in this setting or an earlier one, rule included."""
        notes = self._notes(self.held.get(page, set()))
        if not notes:
            return 0.0
        heights: list[float] = [note.wrap(self.measure, HEIGHT)[1] + 2 for note in notes]
        return 14.0 + sum(heights)

    def _notes(self, labels: set[str]) -> list[Paragraph]:
        markup = self.setter.markup
        style = ParagraphStyle("foot", parent=self.setter.small, fontSize=8.4, leading=10.4, spaceAfter=0)
        return [
            Paragraph(f'<super size="70%">{label}</super> {markup(self.source.notes[label])}', style)
            for label in sorted(labels)
        ]

    def draw_notes(self, canvas: Canvas, page: int, sheet: Sheet) -> None:
        """Draw the notes of a page between its text and its foot."""
        notes = self._notes({label for label, at in self.placed.items() if at == page})
        if not notes:
            return
        left = self.look.margin
        top = sheet.tall[-1][0] + self.reserve(page) - 8
        canvas.setLineWidth(0.5)
        canvas.line(left, top, left + 120, top)
        for note in notes:
            height = note.wrap(self.measure, HEIGHT)[1]
            top -= height + 2
            note.drawOn(canvas, left, top)

    def dress(self, canvas: Canvas, page: int, sheet: Sheet) -> None:
        """Running header and page number; a scanned page has neither."""
        if sheet.id == "scan":
            return
        if sheet.id == "rotated":
            canvas.transform(0, 1, -1, 0, WIDTH, 0)
        wide = sheet.id in ("landscape", "rotated")
        width, height = (HEIGHT, WIDTH) if wide else self.look.page
        margin = 25 * mm if wide else self.look.margin
        meta = self.source.meta
        canvas.setFont(self.look.italic if self.look.body == "Times-Roman" else "Helvetica", 8.4)
        canvas.setFillColor(HexColor("#4d555c"))
        if self.look.header and page > 1:
            canvas.drawString(margin, height - 15 * mm, meta.get("running", meta["title"]))
            canvas.drawRightString(width - margin, height - 15 * mm, meta["code"])
            canvas.setStrokeColor(HexColor("#b8bec4"))
            canvas.setLineWidth(0.4)
            canvas.line(margin, height - 16.6 * mm, width - margin, height - 16.6 * mm)
        canvas.drawCentredString(width / 2, 13 * mm, str(page))
        canvas.setFillColor(HexColor("#000000"))
        canvas.setStrokeColor(HexColor("#000000"))

    def story(self) -> list[Flowable]:
        """The whole document as flowables."""
        opening: list[Flowable] = [NextPageTemplate("body"), *self.setter.title_block()]
        return opening + self.setter.flow(self.source.blocks)


def set_document(source: Source, hyphens: dict[str, str]) -> bytes:
    """One source as a PDF. Set up to six times, until every note stands on the page of its mark."""
    placed: dict[str, int] = {}
    held: dict[int, set[str]] = {}
    for _ in range(6):
        out = io.BytesIO()
        typesetter = Typesetter(out, source, hyphens, placed, held)
        typesetter.build(typesetter.story())
        if typesetter.seen == placed:
            unused = set(source.notes) - set(placed)
            if unused:
                raise SourceError(f"{source.stem}: notes without a mark: {sorted(unused)}")
            return out.getvalue()
        placed = typesetter.seen
        for label, page in placed.items():
            held.setdefault(page, set()).add(label)
    raise SourceError(f"{source.stem}: the notes do not settle")


# ---------------------------------------------------------------------------------------------------------------
# Gold
# ---------------------------------------------------------------------------------------------------------------


def fold(text: str) -> str:
    """Text without white space, hyphens or ligatures: equal for a sentence and for its broken lines on a page."""
    text = unicodedata.normalize("NFKC", text)
    text = text.replace("\u2019", "'").replace("\u201c", '"').replace("\u201d", '"')
    return re.sub(r"[\s\u0002\ufffe\u00ad\u2010\u2011-]+", "", text)


def page_texts(data: bytes) -> list[str]:
    """The text of every page of a PDF, as PDFium reads it."""
    document = pdfium.PdfDocument(data)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


class Pages:
    """Finds on which page of a built document a quote stands."""

    def __init__(self, built: dict[str, bytes]) -> None:
        self.texts = {stem: page_texts(data) for stem, data in built.items()}
        self.folded = {stem: [fold(text) for text in texts] for stem, texts in self.texts.items()}

    def find(self, stem: str, quote: str, hint: int | None = None) -> int:
        """The one page (1-based) that holds `quote`; raises SourceError when it is on none, or on several."""
        wanted = fold(quote)
        pages = [n for n, text in enumerate(self.folded[stem], 1) if wanted in text]
        if hint in pages:
            return int(hint or 0)
        if len(pages) != 1:
            where = f"on pages {pages}" if pages else "on no page"
            raise SourceError(f"{stem}: {where}: {quote}")
        return pages[0]


def resolve_gold(gold: dict[str, Any], sources: list[Source], built: dict[str, bytes]) -> dict[str, Any]:
    """Gold with every passage's page looked up in the built PDFs; all failures are reported together."""
    pages = Pages(built)
    stems = {source.stem: source for source in sources}
    passages: dict[str, dict[str, Any]] = {}
    problems: list[str] = []
    references: list[dict[str, Any]] = []

    def look_up(stem: str, quote: str, hint: int | None = None) -> int:
        try:
            return pages.find(stem, quote, hint)
        except SourceError as error:
            problems.append(str(error))
            return 0

    for source in sources:
        file = f"{source.stem}.pdf"
        for mark in source.marks:
            if mark.kind == "=":
                if mark.key in passages:
                    problems.append(f"{source.stem}: passage {mark.key} is marked twice")
                page = look_up(source.stem, mark.text, gold["page_hints"].get(mark.key))
                passages[mark.key] = {"document": file, "page": page, "quote": mark.text}
            elif mark.key not in stems:
                problems.append(f"{source.stem}: reference to unknown document {mark.key}")
            else:
                page = look_up(source.stem, mark.around)
                references.append({"source": file, "target": f"{mark.key}.pdf", "page": page, "text": mark.text})

    used: set[str] = set()

    def passage(key: str) -> dict[str, Any]:
        used.add(key)
        if key not in passages:
            problems.append(f"no passage is marked {key}")
            return {"document": "", "page": 0, "quote": ""}
        return passages[key]

    def sides(pairs: list[list[str]]) -> list[dict[str, Any]]:
        return [{**passage(key), "value": value} for key, value in pairs]

    questions = []
    for question in gold["questions"]:
        facts = []
        for key, needles in question["facts"]:
            fact = {**passage(key), "needles": needles}
            facts.append(fact)
            quote = " ".join(fact["quote"].casefold().split())
            problems.extend(
                f"{question['id']}: needle '{needle}' is not in passage {key}"
                for needle in needles
                if " ".join(needle.casefold().split()) not in quote
            )
        documents = list(dict.fromkeys(fact["document"] for fact in facts))
        head = {name: question[name] for name in ("id", "question", "intent", "wording")}
        questions.append({**head, "documents": documents, "facts": facts})
    conflicts = [
        {"id": c["id"], "subject": c["subject"], "measure": c["measure"], "sides": sides(c["sides"])}
        for c in gold["conflicts"]
    ]
    near = [
        {"id": c["id"], "kind": c["kind"], "subject": c["subject"], "measure": c["measure"], "sides": sides(c["sides"])}
        for c in gold["near_conflicts"]
    ]
    acronyms = [
        {
            "acronym": short,
            "expansion": expansion,
            "document": f"{stem}.pdf",
            "page": look_up(stem, f"{expansion} ({short})"),
        }
        for short, expansion, stem in gold["acronyms"]
    ]
    scanned = []
    for source in sources:
        for block in source.blocks:
            if block.kind == "scan":
                empty = [n for n, text in enumerate(pages.texts[source.stem], 1) if not text.strip()]
                if len(empty) != 1:
                    problems.append(f"{source.stem}: pages without text: {empty}")
                text = " ".join(block.text.split())
                scanned.append({"document": f"{source.stem}.pdf", "page": (empty or [0])[0], "text": text})
    problems.extend(f"passage {key} is marked but never used" for key in sorted(set(passages) - used))
    if problems:
        raise SourceError("\n".join(problems))
    documents = [
        {
            "file": f"{source.stem}.pdf",
            "title": source.meta["title"],
            "code": source.meta["code"],
            "pages": len(pages.texts[source.stem]),
            "body": source.meta["body"],
        }
        for source in sources
    ]
    return {
        "documents": documents,
        "questions": questions,
        "conflicts": conflicts,
        "near_conflicts": near,
        "references": references,
        "acronyms": acronyms,
        "scanned": scanned,
    }


def build(out: Path, source_folder: Path = FILES / "source") -> dict[str, Any]:
    """Build every PDF and `gold.json` into `out`; returns the gold. Raises SourceError if a fact is not found."""
    rl_config.useA85 = 0
    register_fonts()
    hyphens = load_hyphens(source_folder / "hyphenation.txt")
    sources = [parse(path) for path in sorted(source_folder.glob("*.md")) if path.name != "README.md"]
    built = {source.stem: set_document(source, hyphens) for source in sources}
    out.mkdir(parents=True, exist_ok=True)
    for stem, data in built.items():
        (out / f"{stem}.pdf").write_bytes(data)
    gold_source = json.loads((source_folder / "gold_source.json").read_text(encoding="utf-8"))
    gold = resolve_gold(gold_source, sources, built)
    (out / "gold.json").write_text(json.dumps(gold, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return gold


def main() -> None:
    """Build, and report what was built in a few lines."""
    parser = argparse.ArgumentParser(description="Build the sample collection and its gold file.")
    parser.add_argument("--out", type=Path, default=FILES, help="folder for the PDFs and gold.json")
    gold = build(parser.parse_args().out)
    for document in gold["documents"]:
        print(f"{document['file']:42} {document['pages']:3} pages")
    print(", ".join(f"{len(gold[name])} {name.replace('_', ' ')}" for name in gold if name != "documents"))


if __name__ == "__main__":
    main()
