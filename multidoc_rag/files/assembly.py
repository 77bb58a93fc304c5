"""The pages of a PDF, as the worker sent them, to a `Reading`: clean texts, sections, tables, title, dates."""

from __future__ import annotations

import re
from dataclasses import dataclass

from multidoc_rag.files import layout
from multidoc_rag.files.pdf_document import Header
from multidoc_rag.files.reading_text import clean_text, inverse, inverse_span, vocabulary
from multidoc_rag.files.tables import tables as find_tables
from multidoc_rag.language import detect_language, words
from multidoc_rag.records import PAGE_BREAK, OffsetMap, Page, PageMethod, Reading, Section, Table


@dataclass(slots=True)
class RawPage:
    """A page on its way: text with its map, lines with their places."""

    header: Header
    raw: str
    raw_to_char: OffsetMap
    lines: list[layout.Line]
    method: PageMethod


def assemble(document: Header, raw_pages: list[RawPage], warnings: list[str]) -> Reading:
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


def _page(page: RawPage, clean: str, offsets: OffsetMap) -> Page:
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
    raw_pages: list[RawPage],
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


def _title(metadata: str, raw_pages: list[RawPage], pages: list[Page]) -> tuple[str, tuple[int, int] | None]:
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
