"""The right pane: the cited page as a picture with the quote highlighted, or its text, and the passage in words."""

from __future__ import annotations

from multidoc_rag.errors import MultiDocError, PasswordNeeded
from multidoc_rag.records import Document, Page
from multidoc_rag.ui.desk import Desk, Target
from multidoc_rag.ui.html import block, escape, note, shorten, shorten_front
from multidoc_rag.ui.icons import icon
from multidoc_rag.ui.web import Addresses

WIDTH = 1400
"""Pixels across a page picture: sharp at twice the pane's width."""
TEXT_AROUND = 20_000
"""Characters shown before and after the quote where a file has no pages."""


def span_on_page(text: str, quote: str) -> tuple[int, int] | None:
    """Offsets in a page's clean text of `quote`, or of the part of it on this page; None where there is none."""
    from multidoc_rag.language import fold_map

    if not quote.strip():
        return None
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    page, positions = fold_map(text)
    wanted, _ = fold_map(quote)
    at = page.find(wanted) if wanted else -1
    if at >= 0:
        return positions[at], positions[at + len(wanted) - 1] + 1
    # a quote that runs over the page's end or begins on the page before
    for size in range(len(wanted) - 1, 11, -1):
        if page.endswith(wanted[:size]):
            return positions[len(page) - size], positions[-1] + 1
        if page.startswith(wanted[-size:]):
            return positions[0], positions[size - 1] + 1
    return None


def _span(desk: Desk, target: Target, page: Page) -> tuple[int, int] | None:
    """Where the quote stands on the page; of several places with the same words, the one that was cited."""
    if 0 <= target.start < target.end and page.clean.count(target.quote) > 1:
        text = desk.library().text(target.document_id)
        first = text.rfind(page.clean, 0, target.start + len(page.clean))
        start, end = target.start - first, target.end - first
        if first >= 0 and page.clean[start:end] == target.quote:
            return start, end
    return span_on_page(page.clean, target.quote)


def empty_view() -> str:
    """The pane before anything was opened."""
    return block(
        f'<section class="viewer none" aria-label="Page"><div class="empty">{icon("page")}<h3>The page '
        "behind the answer</h3>"
        "<p>Choose a citation, and the page it comes from opens here with the quote marked.</p></div></section>"
    )


def view(desk: Desk, addresses: Addresses, target: Target) -> str:
    """The viewer for one place; where the page cannot be drawn its text is shown, and a sentence says why."""
    try:
        library = desk.library()
        document = library.document(target.document_id)
        number = min(max(1, target.page), max(1, document.pages))
        page = library.page(document.id, number)
    except MultiDocError as error:
        return block(
            f'<section class="viewer" aria-label="Page"><header><h2>Page</h2>{_close()}</header>'
            f'<div class="scroll">{note("error", str(error))}</div></section>'
        )
    span = _span(desk, target, page)
    if not page.width:
        body = _text(page, span)
    else:
        try:
            body = _picture(desk, addresses, document, page, span)
        except PasswordNeeded:
            body = block(_password(document)) + _text(page, span)
        except MultiDocError as error:
            body = note("warning", str(error)) + _text(page, span)
    return block(_head(addresses, document, number)) + body + _passage(page, span, target.quote) + "</section>"


def _password(document: Document) -> str:
    return (
        '<form class="unlock page-unlock"><span>This file is encrypted; its text is shown. Give the '
        "password to see its "
        f'pages.</span><input type="password" autocomplete="off" aria-label="Password for {escape(document.name)}" '
        'placeholder="Password"><button type="submit" class="button small">Show pages</button></form>'
    )


def _head(addresses: Addresses, document: Document, number: int) -> str:
    title = document.title.strip() or document.name
    original = escape(addresses.original(document.id, document.name))
    return f"""<section class="viewer" aria-label="Page {number} of {escape(document.name)}" tabindex="-1"
      data-id="{escape(document.id)}" data-page="{number}" data-pages="{document.pages}">
      <header><div class="what"><h2 title="{escape(title)}">{escape(title)}</h2>
        <p class="meta" title="{escape(document.name)}">{escape(document.name)}</p></div>{_close()}</header>
      <div class="bar-tools" role="toolbar" aria-label="Page tools">
        <button type="button" class="tool" data-go="{number - 1}" aria-label="Previous page" title="Previous page (←)"
          {"disabled" if number <= 1 else ""}>{icon("previous")}</button>
        <span class="where">Page <b>{number}</b> of {max(1, document.pages)}</span>
        <button type="button" class="tool" data-go="{number + 1}" aria-label="Next page" title="Next page (→)"
          {"disabled" if number >= document.pages else ""}>{icon("next")}</button>
        <span class="gap"></span>
        <button type="button" class="tool" data-zoom="-1" aria-label="Smaller" title="Smaller (-)">
          {icon("minus")}</button>
        <button type="button" class="tool wide" data-zoom="0" aria-label="Fit the width" title="Fit the width (0)">
          Fit</button>
        <button type="button" class="tool" data-zoom="1" aria-label="Larger" title="Larger (+)">{icon("plus")}</button>
        <a class="tool" href="{original}#page={number}" target="_blank" rel="noopener"
          aria-label="Open the original file" title="Open the original file">{icon("open")}</a>
      </div>"""


def _close() -> str:
    return (
        '<button type="button" class="tool" data-close aria-label="Close the page" title="Close (Esc)">'
        f"{icon('close')}</button>"
    )


def _picture(desk: Desk, addresses: Addresses, document: Document, page: Page, span: tuple[int, int] | None) -> str:
    library, password = desk.library(), desk.password(document.id)
    size = library.page_size(document.id, page.number, password=password)
    boxes = library.boxes(document.id, page.number, *span, password=password) if span else ()
    marks = "".join(
        f'<i class="mark" style="left:{left:.3f}%;top:{top:.3f}%;width:{width:.3f}%;height:{height:.3f}%"></i>'
        for left, top, width, height in map(size.percent, boxes)
    )
    width, height = size.shown
    source = escape(addresses.picture(document.id, page.number, WIDTH))
    return block(
        '<div class="scroll" tabindex="0" aria-label="Picture of the page"><figure class="sheet" '
        f'style="aspect-ratio:{width:.1f}/{height:.1f}">'
        f'<img src="{source}" alt="Page {page.number} of {escape(document.name)}">{marks}</figure></div>'
    )


def _text(page: Page, span: tuple[int, int] | None) -> str:
    start, end = span or (0, 0)
    first, last = max(0, start - TEXT_AROUND), min(len(page.clean), end + TEXT_AROUND)
    text = page.clean
    middle = f'<mark class="mark">{escape(text[start:end])}</mark>' if span else ""
    before, after = escape(text[first:start]), escape(text[end:last])
    cut_before = '<p class="meta">Earlier text is left out here.</p>' if first else ""
    cut_after = '<p class="meta">Later text is left out here.</p>' if last < len(text) else ""
    return (
        f'<div class="scroll" tabindex="0" aria-label="Text of the document">{cut_before}'
        f'<div class="sheet text">{before}{middle}{after}</div>{cut_after}</div>'
    )


def _passage(page: Page, span: tuple[int, int] | None, quote: str) -> str:
    if page.method in ("unreadable", "none"):
        return note("warning", "This page has no readable text, so nothing of it can be searched or marked.")
    if not quote:
        return ""
    if span is None:
        return block(
            f'<aside class="passage" aria-label="Quote"><h3>Quote</h3><blockquote>{escape(quote)}</blockquote>'
            '<p class="meta">The quote is not on this page.</p></aside>'
        )
    start, end = span
    before = shorten_front(page.clean[max(0, start - 200) : start], 160)
    after = shorten(page.clean[end : end + 200], 160)
    return block(
        '<aside class="passage" aria-label="Quote in its '
        f'passage"><h3>Passage</h3><blockquote><span>{escape(before)}</span> '
        f"<mark>{escape(page.clean[start:end])}</mark> <span>{escape(after)}</span></blockquote></aside>"
    )
