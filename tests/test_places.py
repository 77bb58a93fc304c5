"""A quote is found at the very place that was cited, also where its words stand twice or run over a page's end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from stored import WordEmbedder, made

from multidoc_rag.library import Library
from multidoc_rag.places import quote_on_page, span_on_page

PAGES = ("The crane is blue. The crane is blue. It lifts forty", "tonnes a day. The crane is blue.")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "index", embedder=WordEmbedder()) as opened, opened.store.writing():
        opened.store.put(*made("crane.pdf", *PAGES))
        yield opened


@pytest.mark.parametrize(
    ("page", "quote", "start", "expected"),
    [
        (1, "The crane is blue.", 0, (0, 18)),
        (1, "The crane is blue.", 19, (19, 37)),
        (2, "The crane is blue.", len(PAGES[0]) + 15, (14, 32)),
        (1, "It lifts forty\ntonnes a day.", 38, (38, 52)),
        (2, "It lifts forty\ntonnes a day.", 38, (0, 13)),
        # offsets of another text: the words decide
        (1, "It lifts forty", 3, (38, 52)),
        (1, "It lifts forty", -1, (38, 52)),
        (2, "It lifts fifty", -1, None),
    ],
)
def test_the_cited_place(library: Library, page: int, quote: str, start: int, expected: tuple[int, int] | None) -> None:
    identity = library.document("crane.pdf").id
    end = start + len(quote) if start >= 0 else -1
    assert quote_on_page(library, identity, library.page(identity, page), quote, start, end) == expected


@pytest.mark.parametrize(
    ("page", "quote", "expected"),
    [
        ("The crane lifts 40 tonnes.", "lifts 40", (10, 18)),
        ("The crane\nlifts 40  tonnes.", "crane lifts 40 tonnes", (4, 26)),
        ("It begins here: the very long sentence", "the very long sentence goes on", (16, 38)),
        ("sentence goes on and ends.", "the very long sentence goes on", (0, 16)),
        ("Nothing of it.", "the very long sentence", None),
        ("Text.", "", None),
    ],
)
def test_a_quote_is_found_on_its_page_or_not_at_all(page: str, quote: str, expected: tuple[int, int] | None) -> None:
    assert span_on_page(page, quote) == expected
