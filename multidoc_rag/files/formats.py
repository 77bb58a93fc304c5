"""Files without pages: docx, html, markdown and plain text to one text with its headings and tables.

Runs inside the worker process (`pdf_worker`, operation "convert"), so a hostile file meets the same bounds of time and
memory as a PDF. Blocks are parted by a blank line, the cells of a table row by a tab, rows by a line break.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from multidoc_rag.files.pdf_document import Header, Refusal

Rows = list[list[str]]
_CAPTION = re.compile(r"(?:table|tab\.|tabelle|tableau|tabla|tabella|tabela|表)\s*[\dIVXA-Z]+\b", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass
class Extract:
    """A text that grows by blocks; offsets of sections (title, level, start) and tables are into it."""

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    language: str = ""
    reader: str = ""
    sections: list[tuple[str, int, int]] = field(default_factory=list)
    tables: list[Header] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    in_list: bool = False

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def block(self, text: str, mark: str = "") -> int | None:
        """Append a paragraph, with the mark of a list item in front; items follow one another without a blank line.

        Returns its offset, None for one without text.
        """
        text = _CONTROL.sub("\ufffd", text).strip()
        if not text:
            return None
        if self.blocks:
            between = "\n" if mark and self.in_list else "\n\n"
            self.pieces.append(between)
            self.length += len(between)
        self.in_list = bool(mark)
        start = self.length
        self.blocks.append(text)
        self.pieces.append(mark + text)
        self.length += len(mark) + len(text)
        return start

    def heading(self, text: str, level: int) -> None:
        """Append a heading, 1 being the top level."""
        text = " ".join(text.split())
        start = self.block(text)
        if start is not None:
            self.sections.append((text, level, start))

    def table(self, rows: Rows, header_rows: int, caption: str = "") -> None:
        """Append a table; one of a single column or row is laid out text and becomes paragraphs."""
        rows = [[" ".join(cell.split()) for cell in row] for row in rows]
        rows = [row for row in rows if any(row)]
        if len(rows) < 2 or max(map(len, rows)) < 2:
            for row in rows:
                for cell in row:
                    self.block(cell)
            return
        if not caption and self.blocks and _CAPTION.match(self.blocks[-1]):
            caption = " ".join(self.blocks[-1].split())
        lines = [_CONTROL.sub("\ufffd", "\t".join(cell or "–" for cell in row)) for row in rows]
        start = self.block("\n".join(lines))
        assert start is not None
        spans: list[tuple[int, int]] = []
        cells: list[int] = []
        for line in lines:
            spans.append((start, start + len(line)))
            cells.extend(start + match.end() for match in re.finditer("\t", line))
            start += len(line) + 1
        self.tables.append({"rows": spans, "header_rows": header_rows, "caption": caption, "cells": cells})


def convert(path: str, kind: str, max_bytes: int) -> Header:
    """The file as one message; raises Refusal (code "format") where it is not what it should be or too long."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        extract = _READERS[kind](data, max_bytes)
    except (Refusal, MemoryError):
        raise
    except RecursionError as error:
        raise Refusal("format", "its elements are nested too deeply") from error
    return {
        "kind": "converted",
        "sha256": hashlib.sha256(data).hexdigest(),
        "text": extract.text,
        "sections": extract.sections,
        "tables": extract.tables,
        "title": extract.title,
        "author": extract.author,
        "created": extract.created,
        "modified": extract.modified,
        "language": extract.language,
        "reader": extract.reader,
    }


def decode(data: bytes, max_bytes: int) -> str:
    """Text of bytes in UTF-8, UTF-16 or UTF-32 (by their mark, UTF-16 also by its zeros), else Windows-1252."""
    _bound(len(data), max_bytes)
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe\x00\x00", "utf-32"),
        (b"\x00\x00\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    sample = data[:4096]
    if b"\x00" in sample:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) > 0.3 * len(sample) / 2 > 3 * min(even, odd):
            return data.decode("utf-16-be" if even > odd else "utf-16-le", "replace")
        raise Refusal("format", "it holds binary data, not text")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        # Windows-1252 is what "Latin-1" files are in practice; its five unused codes are taken as Latin-1.
        return data.decode("cp1252") if not re.search(b"[\x81\x8d\x8f\x90\x9d]", data) else data.decode("latin-1")


def _bound(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise Refusal("format", f"it holds {size / 2**20:,.0f} MB of text, more than {max_bytes >> 20} (max_text_mb)")


# --- plain text and markdown ---------------------------------------------------------------------


def _read_txt(data: bytes, max_bytes: int) -> Extract:
    extract = Extract(reader="plain text")
    text = decode(data, max_bytes)
    # One block, verbatim: the offsets in raw text are those of the file.
    extract.pieces.append(_CONTROL.sub("\ufffd", text))
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(first) <= 120 and not first.endswith((".", ",", ";")):
        extract.title = first
    return extract


def _read_md(data: bytes, max_bytes: int) -> Extract:
    from importlib.metadata import version

    from markdown_it import MarkdownIt

    extract = Extract(reader=f"markdown-it-py {version('markdown-it-py')}")
    text = _front_matter(decode(data, max_bytes), extract)
    marker: list[str] = []
    mark = ""
    heading = 0
    rows: Rows = []
    header_rows = 0
    in_table = False
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        match token.type:
            case "heading_open":
                heading = int(token.tag[1])
            case "heading_close":
                heading = 0
            case "bullet_list_open":
                marker.append("•")
            case "ordered_list_open":
                marker.append(str(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                marker.pop()
            case "list_item_open":
                mark = _mark(marker)
            case "table_open":
                in_table, rows, header_rows = True, [], 0
            case "table_close":
                in_table = False
                extract.table(rows, header_rows)
            case "thead_close":
                header_rows = len(rows)
            case "tr_open":
                rows.append([])
            case "inline":
                words = _inline(token.children or [])
                if heading:
                    extract.heading(words, heading)
                    if heading == 1 and not extract.title:
                        extract.title = " ".join(words.split())
                elif in_table:
                    rows[-1].append(words)
                else:
                    extract.block(words, mark)
                    mark = ""
            case "fence" | "code_block":
                extract.block(token.content)
            case "html_block":
                inner = _read_html(token.content.encode(), max_bytes)
                for block in inner.blocks:
                    extract.block(block)
    return extract


def _mark(marker: list[str]) -> str:
    """The mark of the next list item; counts ordered ones on."""
    if marker[-1] == "•":
        return "• "
    number = int(marker[-1])
    marker[-1] = str(number + 1)
    return f"{number}. "


def _inline(tokens: Iterable[Any]) -> str:
    pieces = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            pieces.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            pieces.append("\n")
        elif token.type == "image":
            pieces.append(token.content)
    return "".join(pieces)


def _front_matter(text: str, extract: Extract) -> str:
    """Takes title, author and date out of a leading block between lines of three dashes."""
    match = re.match(r"---\r?\n(.*?)\r?\n---\r?\n", text, re.DOTALL)
    if match is None:
        return text
    values = dict(re.findall(r"^(title|author|date):\s*[\"']?(.*?)[\"']?\s*$", match[1], re.MULTILINE))
    extract.title, extract.author = values.get("title", ""), values.get("author", "")
    if re.match(r"\d{4}-\d\d-\d\d", values.get("date", "")):
        extract.created = values["date"]
    return text[match.end() :]


# --- html ----------------------------------------------------------------------------------------

_DROPPED = ["script", "style", "noscript", "template", "svg", "iframe", "object", "head"]
_BLOCK_NAMES = """
    address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header html hr legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def _read_html(data: bytes, max_bytes: int) -> Extract:
    from importlib.metadata import version

    from bs4 import BeautifulSoup
    from bs4.element import NavigableString, PreformattedString, Tag

    soup = BeautifulSoup(_decode_html(data, max_bytes), "lxml")
    extract = Extract(reader=f"beautifulsoup4 {version('beautifulsoup4')}")
    extract.title = " ".join(soup.title.get_text().split()) if soup.title else ""
    extract.language = str(soup.html.get("lang", "") if soup.html else "")[:2].lower()
    for meta in soup.find_all("meta"):
        name = str(meta.get("name") or meta.get("property") or "").lower()
        content = " ".join(str(meta.get("content", "")).split())
        if name == "author":
            extract.author = content
        elif name in ("date", "dcterms.created", "article:published_time") and re.match(r"\d{4}-\d\d-\d\d", content):
            extract.created = content
        elif name in ("dcterms.modified", "article:modified_time") and re.match(r"\d{4}-\d\d-\d\d", content):
            extract.modified = content
    for tag in soup(_DROPPED):
        tag.decompose()

    pieces: list[str] = []
    owner: Any = None

    def flush() -> None:
        text = "".join(pieces)
        pieces.clear()
        if owner is None or not text.strip():
            return
        if owner.name == "pre":
            extract.block(text)
        elif owner.name in _HEADINGS:
            extract.heading(text, _HEADINGS[owner.name])
        else:
            lines = [" ".join(line.split()) for line in text.split("\x00")]
            mark = "• " if owner.name == "li" else ""
            extract.block("\n".join(line for line in lines if line), mark)

    # By hand along the document, not by recursion: pages nest thousands deep.
    node: Any = soup.body or soup
    last = node._last_descendant()
    while node is not None:
        skip = False
        if isinstance(node, Tag):
            if node.name == "table" and _is_data_table(node):
                flush()
                rows, header_rows, caption = _html_rows(node)
                extract.table(rows, header_rows, caption)
                skip = True
            elif node.name == "br":
                pieces.append("\x00")
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            block = node.find_parent(lambda tag: tag.name in _BLOCKS)
            if block is not owner:
                flush()
                owner = block
            pieces.append(str(node))
        if node is last or (skip and (node._last_descendant() or node) is last):
            break
        node = (node._last_descendant() or node).next_element if skip else node.next_element
    flush()
    return extract


def _decode_html(data: bytes, max_bytes: int) -> str:
    """By the encoding the file declares, where it knows what it says, else as plain text is decoded."""
    from bs4.dammit import EncodingDetector

    _bound(len(data), max_bytes)
    declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    if declared and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode(declared)
        except (LookupError, UnicodeDecodeError):
            return decode(data, max_bytes)
    return decode(data, max_bytes)


def _is_data_table(table: Any) -> bool:
    """Whether a table holds data, not the page's layout: no table and no heading inside."""
    return not table.find(["table", "h1", "h2", "h3"]) and table.get("role") != "presentation"


def _html_rows(table: Any) -> tuple[Rows, int, str]:
    rows: Rows = []
    header_rows = 0
    for row in table.find_all("tr"):
        cells = row.find_all(["td", "th"])
        rows.append([cell.get_text(" ") for cell in cells])
        if cells and header_rows == len(rows) - 1 and all(cell.name == "th" for cell in cells):
            header_rows += 1
    caption = table.caption.get_text(" ") if table.caption else ""
    return rows, header_rows, " ".join(caption.split())


# --- docx ----------------------------------------------------------------------------------------


def _read_docx(data: bytes, max_bytes: int) -> Extract:
    from importlib.metadata import version

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            # Pictures are never unpacked; what is parsed must not blow up.
            _bound(
                sum(item.file_size for item in archive.infolist() if item.filename.endswith((".xml", ".rels"))),
                max_bytes,
            )
            if "word/document.xml" not in archive.namelist():
                raise Refusal("format", "it is a zip archive but no docx document")
    except zipfile.BadZipFile as error:
        raise Refusal("format", "the docx file is damaged") from error

    import docx
    from docx.table import Table
    from lxml.etree import LxmlError  # type: ignore[import-untyped]

    try:
        document = docx.Document(io.BytesIO(data))
    except (KeyError, ValueError, LxmlError, zipfile.BadZipFile) as error:
        raise Refusal("format", "the docx file is damaged") from error
    properties = document.core_properties
    extract = Extract(
        title=" ".join((properties.title or "").split()),
        author=" ".join((properties.author or "").split()),
        created=properties.created.isoformat() if properties.created else "",
        modified=properties.modified.isoformat() if properties.modified else "",
        reader=f"python-docx {version('python-docx')}",
    )
    for item in document.iter_inner_content():
        if isinstance(item, Table):
            rows = [_docx_cells(row) for row in item.rows]
            extract.table(rows, 1 if len(rows) > 1 and all(len(cell) <= 60 for cell in rows[0]) else 0)
            continue
        style = (item.style.name or "") if item.style is not None else ""
        level = re.fullmatch(r"[Hh]eading (\d)", style)
        if level:
            extract.heading(item.text, int(level[1]))
        elif style == "Title":
            extract.title = extract.title or " ".join(item.text.split())
            extract.block(item.text)
        else:
            extract.block(item.text, "• " if style.startswith("List Bullet") else "")
    return extract


def _docx_cells(row: Any) -> list[str]:
    """The row's texts; a cell merged over several columns comes once."""
    texts, seen = [], set()
    for cell in row.cells:
        if id(cell._tc) not in seen:
            seen.add(id(cell._tc))
            texts.append(cell.text)
    return texts


_READERS: dict[str, Callable[[bytes, int], Extract]] = {
    "txt": _read_txt,
    "md": _read_md,
    "html": _read_html,
    "docx": _read_docx,
}
