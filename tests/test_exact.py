"""Evidence is exact: chunk text, offsets, pages and characters of the file agree, on real PDFs."""

import random
import unicodedata
from pathlib import Path

import pytest

from multidoc_rag import Config, Reader, chunk
from multidoc_rag.records import Chunk, Reading

FOLDERS = ("northwind_hr", "scisumm")
CHUNKS = 1000


@pytest.fixture(scope="module")
def readings(shared_data: Path) -> list[tuple[Path, Reading]]:
    paths = sorted(path for folder in FOLDERS for path in (shared_data / folder).rglob("*.pdf"))
    with Reader(Config()) as reader:
        return [(path, reader.read(path)) for path in paths]


@pytest.fixture(scope="module")
def sample(readings: list[tuple[Path, Reading]]) -> list[tuple[Path, Reading, Chunk]]:
    """A thousand random chunks of them all, the same each time."""
    config = Config()
    all_chunks = [
        (path, reading, piece) for path, reading in readings for piece in chunk(reading, path.name, path.name, config)
    ]
    return random.Random(20261121).sample(all_chunks, CHUNKS)


def test_the_text_between_the_offsets_is_the_chunks_text(sample: list[tuple[Path, Reading, Chunk]]) -> None:
    texts = {path: reading.text for path, reading, _ in sample}
    for path, _, piece in sample:
        assert texts[path][piece.start : piece.end] == piece.text


def test_the_chunk_lies_on_the_pages_it_names(sample: list[tuple[Path, Reading, Chunk]]) -> None:
    for _, reading, piece in sample:
        starts = reading.page_starts
        first = max(page for page, start in enumerate(starts, 1) if start <= piece.start)
        last = max(page for page, start in enumerate(starts, 1) if start < piece.end)
        assert (first, last) == (piece.page_start, piece.page_end)


def test_every_letter_of_a_chunk_maps_back_to_that_letter_in_the_file(
    sample: list[tuple[Path, Reading, Chunk]],
) -> None:
    import pypdfium2 as pdfium

    checked = 0
    files: dict[Path, pdfium.PdfDocument] = {}
    pages: dict[tuple[Path, int], object] = {}
    for path, reading, piece in sample:
        starts = reading.page_starts
        for number in range(piece.page_start, piece.page_end + 1):
            page = reading.pages[number - 1]
            low = max(0, piece.start - starts[number - 1])
            high = min(len(page.clean), piece.end - starts[number - 1])
            if (path, number) not in pages:
                document = files.setdefault(path, pdfium.PdfDocument(path))
                pages[path, number] = document[number - 1].get_textpage()
            for position in range(low, high):
                letter = page.clean[position]
                if not letter.isalnum():
                    continue
                raw = page.clean_to_raw(position)
                assert unicodedata.normalize("NFKC", page.raw[raw]).find(unicodedata.normalize("NFKC", letter)) >= 0
                if checked % 7 == 0:  # asking the file for single characters is slow: every seventh letter
                    code = pdfium.raw.FPDFText_GetUnicode(pages[path, number], page.raw_to_char(raw))
                    exact = code == ord(page.raw[raw]) or ord(page.raw[raw]) > 0xFFFF
                    # TeX fonts give ligatures as control characters: the reader names them
                    assert exact or (code < 32 and page.raw[raw] in "ﬀﬁﬂﬃﬄ")
                checked += 1
    assert checked > 300_000
