"""The right pane: the cited page as a picture with the quote highlighted, or its text, and the passage in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from multidoc_rag.answers.places import quote_on_page, what_became
from multidoc_rag.errors import MultiDocError, PasswordNeeded, UnknownDocument
from multidoc_rag.records import Document, Page
from multidoc_rag.ui.desk import Desk, Shown, Target
from multidoc_rag.ui.html import block, escape, note, shorten, shorten_front
from multidoc_rag.ui.icons import icon
from multidoc_rag.ui.web import Addresses

WIDTH = 1400
"""Pixels across a page picture: sharp at twice the pane's width."""
TEXT_AROUND = 20_000
"""Characters shown before and after the quote where a file has no pages."""
MOST_OTHERS = 30
"""Other citations marked on one page at most."""


@dataclass(frozen=True)
class Mark:
    """A span of the page's clean text to highlight; `step` is the place in the trail of another citation, else -1."""

    start: int
    end: int
    step: int = -1


def empty_view() -> str:
    """The pane before anything was opened."""
    return block(
        f'<section class="viewer none" aria-label="Page"><div class="empty">{icon("page")}<h3>The page '
        "behind the answer</h3>"
        "<p>Choose a citation, and the page it comes from opens here with the quote marked.</p></div></section>"
    )


def view(desk: Desk, addresses: Addresses, shown: Shown) -> str:
    """The viewer for one place; where the page cannot be drawn its text is shown, and a sentence says why."""
    target = shown.target
    library = desk.library()
    try:
        document = library.document(target.document_id)
        number = min(max(1, target.page), max(1, document.pages))
        page = library.page(document.id, number)
    except UnknownDocument as error:
        return _gone(desk, shown) if target.document else _failed(str(error))
    except MultiDocError as error:
        return _failed(str(error))
    marks = _marks(desk, shown, document, page)
    main = next((mark for mark in marks if mark.step < 0), None)
    if not page.width:
        body = _text(page, marks)
    else:
        try:
            body = _picture(desk, addresses, document, page, marks)
        except PasswordNeeded:
            body = block(_password(document)) + _text(page, marks)
        except MultiDocError as error:
            body = note("warning", str(error)) + _text(page, marks)
    return (
        block(_head(addresses, document, number, shown))
        + body
        + _passage(page, main, target.quote, marks, _elsewhere(desk, target, number) if main else "")
        + "</section>"
    )


def _marks(desk: Desk, shown: Shown, document: Document, page: Page) -> tuple[Mark, ...]:
    """The quote, and the other citations of its trail that stand on this page."""
    library, target = desk.library(), shown.target
    span = quote_on_page(library, document.id, page, target.quote, target.start, target.end)
    marks = [Mark(*span)] if span else []
    seen = {span}
    for index, other in enumerate(shown.trail):
        on_page = other.page <= page.number <= max(other.page, other.last_page)
        if index == shown.at or other.document_id != document.id or not on_page:
            continue
        span = quote_on_page(library, document.id, page, other.quote, other.start, other.end)
        if span and span not in seen and len(marks) <= MOST_OTHERS:
            marks.append(Mark(*span, index))
            seen.add(span)
    return tuple(marks)


def _failed(sentence: str) -> str:
    return block(
        f'<section class="viewer" aria-label="Page"><header><div class="what"><h2>Page</h2></div>{_close()}</header>'
        f'<div class="scroll">{note("error", sentence)}</div></section>'
    )


def gone_sentence(desk: Desk, target: Target) -> str:
    """What became of a cited document that is no longer in the library; "" for one that is there."""
    became = what_became(desk.library(), target.document_id, target.document)
    if became == "replaced":
        return f"{target.document} was replaced after this answer was written: the quote is from the earlier version."
    if became == "removed":
        return f"{target.document} was removed from the library after this answer was written: only its quote is kept."
    return ""


def _gone(desk: Desk, shown: Shown) -> str:
    """A citation whose document was removed or replaced: its quote in words, and the way to the present version."""
    target = shown.target
    present = next((d for d in desk.library().documents() if d.name == target.document), None)
    link = (
        f'<button type="button" class="button small" data-open="{escape(present.id)}">Open the present version</button>'
        if present
        else ""
    )
    name = escape(target.document)
    return block(
        f'<section class="viewer gone" aria-label="{name}" tabindex="-1" data-pill="{escape(target.pill)}">'
        f'<header><div class="what"><h2 title="{name}">{name}</h2><p class="meta">page {target.page} of the version '
        f'that was cited</p></div>{_close()}</header><div class="bar-tools" role="toolbar" aria-label="Page tools">'
        f"{_steps(shown)}</div>"
        f'<div class="scroll" tabindex="0" aria-label="Quote">{note("warning", gone_sentence(desk, target))}'
        f'<div class="sheet text" dir="auto"><mark class="mark">{escape(target.quote)}</mark></div>{link}</div>'
        "</section>"
    )


def _password(document: Document) -> str:
    return (
        '<form class="unlock page-unlock"><span>This file is encrypted; its text is shown. Give the '
        "password to see its "
        f'pages.</span><input type="password" autocomplete="off" aria-label="Password for {escape(document.name)}" '
        'placeholder="Password"><button type="submit" class="button small">Show pages</button></form>'
    )


def _head(addresses: Addresses, document: Document, number: int, shown: Shown) -> str:
    title = document.title.strip() or document.name
    original = escape(addresses.original(document.id, document.name))
    return f"""<section class="viewer" aria-label="Page {number} of {escape(document.name)}" tabindex="-1"
      data-id="{escape(document.id)}" data-page="{number}" data-pages="{document.pages}"
      data-pill="{escape(shown.target.pill)}">
      <header><div class="what"><h2 title="{escape(title)}">{escape(title)}</h2>
        <p class="meta" title="{escape(document.name)}">{escape(document.name)}</p></div>{_close()}</header>
      <div class="bar-tools" role="toolbar" aria-label="Page tools">
        <button type="button" class="tool" data-go="{number - 1}" aria-label="Previous page" title="Previous page (←)"
          {"disabled" if number <= 1 else ""}>{icon("previous")}</button>
        <span class="where">Page <b>{number}</b> of {max(1, document.pages)}</span>
        <button type="button" class="tool" data-go="{number + 1}" aria-label="Next page" title="Next page (→)"
          {"disabled" if number >= document.pages else ""}>{icon("next")}</button>
        {_steps(shown)}
        <span class="gap"></span>
        <button type="button" class="tool" data-zoom="-1" aria-label="Smaller" title="Smaller (-)">
          {icon("minus")}</button>
        <button type="button" class="tool wide" data-zoom="0" aria-label="Fit the width" title="Fit the width (0)">
          Fit</button>
        <button type="button" class="tool" data-zoom="1" aria-label="Larger" title="Larger (+)">{icon("plus")}</button>
        <a class="tool" href="{original}#page={number}" target="_blank" rel="noopener"
          aria-label="Open the original file" title="Open the original file">{icon("open")}</a>
      </div>"""


def _steps(shown: Shown) -> str:
    """Previous and next citation; the count between them leads back to the quote after pages were turned."""
    count, at = len(shown.trail), shown.at
    if count < 2:
        return ""
    return (
        '<span class="steps" role="group" aria-label="Citations"><button type="button" class="tool" '
        f'data-step="{at - 1}" aria-label="Previous citation" title="Previous citation (k or [)" '
        f"{'disabled' if at <= 0 else ''}>{icon('up')}</button>"
        f'<button type="button" class="tool wide count" data-step="{at}" title="Back to this quote" '
        f'aria-label="Citation {at + 1} of {count}: back to its quote">{at + 1}/{count}</button>'
        f'<button type="button" class="tool" data-step="{at + 1}" aria-label="Next citation" '
        f'title="Next citation (j or ])" {"disabled" if at + 1 >= count else ""}>{icon("down")}</button></span>'
    )


def _close() -> str:
    return (
        '<button type="button" class="tool" data-close aria-label="Close the page" title="Close (Esc)">'
        f"{icon('close')}</button>"
    )


def _picture(desk: Desk, addresses: Addresses, document: Document, page: Page, marks: Iterable[Mark]) -> str:
    library, password = desk.library(), desk.password(document.id)
    size = library.page_size(document.id, page.number, password=password)
    drawn = []
    # the quote last, so that it lies over the lighter ones
    for mark in sorted(marks, key=lambda mark: mark.step < 0):
        boxes = library.boxes(document.id, page.number, mark.start, mark.end, password=password)
        what = 'class="mark"' if mark.step < 0 else f'class="mark other" {_other(mark)}'
        for left, top, width, height in map(size.percent, boxes):
            place = f"left:{left:.3f}%;top:{top:.3f}%;width:{width:.3f}%;height:{height:.3f}%"
            drawn.append(f'<i {what} style="{place}"></i>')
    width, height = size.shown
    source = escape(addresses.picture(document.id, page.number, WIDTH))
    return block(
        '<div class="scroll" tabindex="0" aria-label="Picture of the page"><figure class="sheet" '
        f'style="aspect-ratio:{width:.1f}/{height:.1f}">'
        f'<img src="{source}" alt="Page {page.number} of {escape(document.name)}">{"".join(drawn)}</figure></div>'
    )


def _other(mark: Mark) -> str:
    return f'data-step="{mark.step}" title="Citation {mark.step + 1}"'


def _text(page: Page, marks: Iterable[Mark]) -> str:
    text = page.clean
    main = next((mark for mark in marks if mark.step < 0), Mark(0, 0))
    first, last = max(0, main.start - TEXT_AROUND), min(len(text), main.end + TEXT_AROUND)
    parts, at = [], first
    # where two overlap the quote stays whole
    others = [m for m in marks if m.step >= 0 and (m.end <= main.start or m.start >= main.end)]
    for mark in sorted([*others, *([main] if main.end else [])], key=lambda mark: mark.start):
        if mark.start < at or mark.end > last:
            continue
        what = 'class="mark"' if mark.step < 0 else f'class="mark other" {_other(mark)}'
        parts.append(f"{escape(text[at : mark.start])}<mark {what}>{escape(text[mark.start : mark.end])}</mark>")
        at = mark.end
    parts.append(escape(text[at:last]))
    cut_before = '<p class="meta">Earlier text is left out here.</p>' if first else ""
    cut_after = '<p class="meta">Later text is left out here.</p>' if last < len(text) else ""
    return (
        f'<div class="scroll" tabindex="0" aria-label="Text of the document">{cut_before}'
        f'<div class="sheet text" dir="auto">{"".join(parts)}</div>{cut_after}</div>'
    )


def _elsewhere(desk: Desk, target: Target, number: int) -> str:
    """Where a quote that runs over this page's end begins and continues; "" for one that stands on it as a whole."""
    if target.start < 0:
        return ""
    spans = desk.library().store.page_spans(target.document_id, target.start, target.end)
    pages = [page for page, start, end in spans if start < end]
    if number not in pages:
        return ""
    ways = [("begins", number - 1)] * (number - 1 in pages) + [("continues", number + 1)] * (number + 1 in pages)
    return "".join(
        f'<p class="meta">The quote {where} on <button type="button" class="button small" data-go="{page}">'
        f"page {page}</button></p>"
        for where, page in ways
    )


def _passage(page: Page, mark: Mark | None, quote: str, marks: Iterable[Mark], elsewhere: str = "") -> str:
    if page.method in ("unreadable", "none"):
        return note("warning", "This page has no readable text, so nothing of it can be searched or marked.")
    others = sum(other.step >= 0 for other in marks)
    more = ""
    if others:
        cited = "1 other citation" if others == 1 else f"{others} other citations"
        more = f'<p class="meta">{cited} on this page, in a lighter tone.</p>'
    if not quote:
        return block(f'<aside class="passage">{more}</aside>') if more else ""
    if mark is None:
        return block(
            '<aside class="passage" aria-label="Quote"><h3>Quote</h3>'
            f'<blockquote dir="auto">{escape(quote)}</blockquote>'
            f'<p class="meta">The quote is not on this page.</p>{more}</aside>'
        )
    before = shorten_front(page.clean[max(0, mark.start - 200) : mark.start], 160)
    after = shorten(page.clean[mark.end : mark.end + 200], 160)
    return block(
        '<aside class="passage" aria-label="Quote in its '
        f'passage"><h3>Passage</h3><blockquote dir="auto"><span>{escape(before)}</span> '
        f"<mark>{escape(page.clean[mark.start : mark.end])}</mark> <span>{escape(after)}</span></blockquote>"
        f"{elsewhere}{more}</aside>"
    )
