"""Where a quote stands on a page's clean text: by its offsets where it has them, else by its words; and what became
of the document it was taken from."""

from __future__ import annotations

from typing import Literal

from multidoc_rag.library import Library
from multidoc_rag.records import Page


def what_became(library: Library, document_id: str, name: str) -> Literal["", "replaced", "removed"]:
    """What became of a cited document: "" for one that is still there with the bytes that were cited, "replaced" where
    another of its name has taken its place. Raises StoreError."""
    documents = library.documents()
    if any(document.id == document_id for document in documents):
        return ""
    return "replaced" if any(document.name == name for document in documents) else "removed"


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


def quote_on_page(
    library: Library, document_id: str, page: Page, quote: str, start: int = -1, end: int = -1
) -> tuple[int, int] | None:
    """Offsets of the quote, or of the part of it on this page, of several places with the same words the cited one.

    `start` and `end` are the quote's offsets in the document's clean text, where they are known; the words at that
    place must be the quote's, or it is looked for by its words.
    """
    if 0 <= start < end:
        for number, low, high in library.store.page_spans(document_id, start, end):
            part = page.clean[low:high]
            if number == page.number and part.strip() and part in quote:
                return low, high
    return span_on_page(page.clean, quote)
