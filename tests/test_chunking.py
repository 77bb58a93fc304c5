from __future__ import annotations

import itertools
import time
from dataclasses import replace
from pathlib import Path

import pytest

from multidoc_rag.config import Config
from multidoc_rag.files.chunking import chunk
from multidoc_rag.files.reading import Reader
from multidoc_rag.records import Chunk, Page, Reading, Section, Table

PLAIN = Config(context=False)


def reading(*pages: str, **details: object) -> Reading:
    unreadable = details.pop("unreadable", ())
    made = tuple(
        Page(number, text, text, method="unreadable" if number in unreadable else "text")  # type: ignore[operator]
        for number, text in enumerate(pages, start=1)
    )
    return Reading(sha256="0" * 64, pages=made, **details)  # type: ignore[arg-type]


def chunks_of(source: Reading, config: Config = PLAIN) -> tuple[Chunk, ...]:
    chunks = chunk(source, "d" * 64, "file.pdf", config)
    check(source, chunks)
    return chunks


def check(source: Reading, chunks: tuple[Chunk, ...]) -> None:
    """What holds for every document: exact text, true pages, order, no blank edges."""
    text, starts = source.text, source.page_starts
    for number, piece in enumerate(chunks):
        assert piece.ordinal == number
        assert piece.text == text[piece.start : piece.end] == piece.text.strip() != ""
        first, last = source.pages[piece.page_start - 1], source.pages[piece.page_end - 1]
        assert starts[first.number - 1] <= piece.start < starts[first.number - 1] + len(first.clean)
        assert starts[last.number - 1] < piece.end <= starts[last.number - 1] + len(last.clean)
    assert [piece.start for piece in chunks] == sorted(piece.start for piece in chunks)


def words(count: int, word: str = "word") -> str:
    return " ".join(f"{word}{number}" for number in range(count))


def uncovered(source: Reading, chunks: tuple[Chunk, ...]) -> str:
    """The document's characters that no chunk holds, white space left out."""
    held = bytearray(len(source.text))
    for piece in chunks:
        held[piece.start : piece.end] = b"\x01" * (piece.end - piece.start)
    return "".join(c for c, flag in zip(source.text, held, strict=True) if not flag and not c.isspace())


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \n\u3000"])
def test_a_document_without_text_has_no_chunks(text: str) -> None:
    assert chunks_of(reading(text)) == ()
    assert chunk(reading(), "d", "file.pdf", PLAIN) == ()


def test_a_tiny_document_is_one_chunk_with_the_papers_metadata() -> None:
    (piece,) = chunks_of(reading("  Leave is 25 days.\n"))
    assert (piece.text, piece.start, piece.end) == ("Leave is 25 days.", 2, 19)
    assert (piece.source_pdf, piece.page_range, piece.chunk_id, piece.kind) == ("file.pdf", "1", 0, "text")


@pytest.mark.parametrize("length", [799, 800, 801, 850, 899, 900, 901, 1500, 1650, 2400])
def test_lengths_around_the_limits(length: int) -> None:
    source = reading(words(400)[:length].rsplit(" ", 1)[0].ljust(length, "x"))
    chunks = chunks_of(source)
    assert len(chunks) == (1 if length <= 800 else 2 if length <= 1450 else 3 if length <= 2100 else 4)
    assert all(100 <= len(piece.text) <= 800 for piece in chunks)
    assert uncovered(source, chunks) == ""


SENTENCE = "This is one sentence of plain prose that says little. "


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (SENTENCE * 8 + "a paragraph\n\n" + SENTENCE * 2 + "a line\n" + SENTENCE * 9, "a paragraph"),
        (SENTENCE * 8 + "a line\nthen " + SENTENCE * 9, "a line"),
        (SENTENCE * 20, "says little."),
        (words(400), "word112"),
        ("x" * 2000, "x" * 800),
    ],
    ids=["paragraph", "line", "sentence", "word", "nothing"],
)
def test_where_text_is_cut(text: str, end: str) -> None:
    first = chunks_of(reading(text))[0].text
    assert first.endswith(end)
    assert len(first) > 400


def test_overlap_is_at_most_150_characters_and_starts_at_a_sentence_or_word() -> None:
    prose = " ".join(f"Sentence number {n} tells of the budget and of plan {n}." for n in range(120))
    for text, starts in ((prose, "Sentence"), (words(900), "word")):
        chunks = chunks_of(reading(text))
        overlaps = [left.end - right.start for left, right in itertools.pairwise(chunks)]
        assert all(0 < overlap <= 150 for overlap in overlaps)
        assert all(piece.text.startswith(starts) for piece in chunks)
    assert min(overlaps) >= 140  # word by word, nearly all of the 150 are used


def test_one_giant_word_is_cut_hard_with_the_overlap() -> None:
    source = reading("x" * 5000)
    chunks = chunks_of(source)
    assert [(piece.start, piece.end) for piece in chunks[:3]] == [(0, 800), (650, 1450), (1300, 2100)]
    assert uncovered(source, chunks) == ""
    assert all(len(piece.text) >= 100 for piece in chunks)


def test_chinese_is_cut_after_its_full_stops() -> None:
    source = reading("这是一个关于年假的句子，员工每年有二十五天。" * 100)
    chunks = chunks_of(source)
    assert all(piece.text.endswith("。") and piece.text.startswith("这") for piece in chunks)
    assert uncovered(source, chunks) == ""


@pytest.mark.parametrize("symbol", ["👩🏽‍🚀", "e\u0301", "👍🏿", "❤️"])
def test_no_emoji_or_accented_letter_is_parted(symbol: str) -> None:
    for shift in range(len(symbol) + 1):
        chunks = chunks_of(reading("a" * shift + symbol * 800))
        assert len(chunks) > 1
        for piece in chunks:
            assert piece.text.lstrip("a").startswith(symbol)
            assert piece.text.endswith(symbol)


def test_pages_are_true_for_the_text_in_the_chunk() -> None:
    source = reading(words(60, "one"), "", words(60, "three"), words(200, "four"))
    chunks = chunks_of(source)
    assert chunks[0].text.startswith("one0")
    assert (chunks[0].page_start, chunks[0].page_end) == (1, 3)
    assert chunks[0].page_range == "1-3"
    assert chunks[-1].page_range == "4"
    assert "three" not in chunks[-1].text
    for piece in chunks:
        assert ("one" in piece.text, "four" in piece.text) == (piece.page_start == 1, piece.page_end == 4)


def test_unreadable_pages_are_left_out_and_nothing_reaches_across_them() -> None:
    source = reading(words(30, "fine"), "\ufffd\x03gar" * 200, words(30, "good"), unreadable=(2,))
    first, second = chunks_of(source)
    assert (first.page_range, second.page_range) == ("1", "3")
    assert "gar" not in first.text + second.text


def test_a_page_number_on_a_scanned_page_is_no_text() -> None:
    pages = [Page(1, words(30), words(30)), Page(2, "", "", method="none"), Page(3, words(30), words(30))]
    blank = Reading(sha256="0" * 64, pages=tuple(pages))
    assert [piece.page_range for piece in chunks_of(blank)] == ["1-3"]  # an empty page parts nothing
    numbered = replace(blank, pages=(pages[0], replace(pages[1], raw="347", clean="347"), pages[2]))
    assert [piece.page_range for piece in chunks_of(numbered)] == ["1", "3"]
    only = replace(blank, pages=(replace(pages[1], raw="347", clean="347"),))
    assert chunks_of(only) == ()


def test_sections_begin_chunks_and_name_them() -> None:
    intro, leave = "Intro\n" + words(130, "a"), "Leave\n" + words(200, "b")
    sections = (Section("Intro", 1, 0), Section("Leave", 1, len(intro) + 1))
    chunks = chunks_of(reading(intro + "\n" + leave, sections=sections))
    assert [piece.section for piece in chunks] == ["Intro", "Leave", "Leave"]
    assert chunks[0].text == intro
    assert chunks[1].text.startswith("Leave\nb0")
    assert chunks_of(reading("before it " + intro, sections=(Section("Late", 1, 12),)))[0].section == ""


def test_whole_sentences_with_the_sentence_strategy() -> None:
    pytest.importorskip("multidoc_rag.language")
    sentences = [f"Clause {n} says that the tenant of unit {n} pays rent on day {n % 28 + 1}." for n in range(60)]
    config = replace(PLAIN, chunk_strategy="sentence")
    source = reading(" ".join(sentences))
    chunks = chunks_of(source, config)
    for piece in chunks:
        assert piece.text.startswith("Clause")
        assert piece.text.endswith(".")
        assert len(piece.text) <= 800
    assert uncovered(source, chunks) == ""
    long = reading(words(300) + ". " + " ".join(sentences))  # a sentence longer than a chunk is cut as elsewhere
    assert uncovered(long, chunks_of(long, config)) == ""
    assert max(len(p.text) for p in chunks_of(long, config)) <= 800


# --- tables ------------------------------------------------------------------------------------


def with_table(before: str, rows: list[str], after: str, **details: object) -> tuple[Reading, Table]:
    start = len(before)
    spans, position = [], start
    for row in rows:
        spans.append((position, position + len(row)))
        position += len(row) + 1
    table = Table(start, position - 1, tuple(spans), header_rows=1, caption="Table 4: Premiums")
    return reading(before + "\n".join(rows) + after, tables=(table,), **details), table


ROWS = ["Plan Deductible Premium", *(f"Plan {n} ${n * 100} ${n * 10} per month" for n in range(1, 20))]


def test_a_table_is_one_chunk_and_the_text_around_it_has_none_of_it() -> None:
    source, table = with_table(words(50, "before") + "\n\n", ROWS, "\n\n" + words(50, "after"))
    before, middle, after = chunks_of(source)
    assert (before.kind, middle.kind, after.kind) == ("text", "table", "text")
    assert (middle.start, middle.end) == (table.start, table.end)
    assert "Plan" not in before.text + after.text


def test_a_long_table_is_runs_of_whole_rows_with_header_and_caption_in_the_context() -> None:
    rows = [ROWS[0], *(f"Plan {n} costs ${n * 100} with ${n * 10} per month" for n in range(1, 90))]
    source, _ = with_table(words(50) + "\n\n", rows, "\n\n" + words(50), title="Benefits")
    tables = [piece for piece in chunks_of(source, Config()) if piece.kind == "table"]
    assert len(tables) > 3
    assert [line for piece in tables for line in piece.text.split("\n")] == rows
    assert all(len(piece.text) <= 800 for piece in tables[:-1])
    assert tables[0].context == "Benefits\nTable 4: Premiums"
    assert tables[1].context == "Benefits\nTable 4: Premiums\nPlan Deductible Premium"
    assert tables[1].searchable.startswith(tables[1].context + "\nPlan ")


def test_a_row_longer_than_a_chunk_is_cut_and_stays_a_table() -> None:
    source, _ = with_table("", ["A B", words(600), "C D"], "")
    chunks = chunks_of(source)
    assert {piece.kind for piece in chunks} == {"table"}
    assert uncovered(source, chunks) == ""
    assert all(100 <= len(piece.text) <= PLAIN.table_size for piece in chunks)


def test_scraps_beside_a_table_join_it() -> None:
    source, _ = with_table("Table 4: Premiums\n", ROWS, "\nSource: payroll")
    (piece,) = chunks_of(source)
    assert piece.kind == "table"
    assert piece.text == source.text
    small, _ = with_table(words(50) + "\n", ["A B", "1 2"], "\n" + words(50))
    (text,) = chunks_of(small)  # a table too small to stand alone stays in its text
    assert text.kind == "text"
    assert "A B\n1 2" in text.text


# --- context -----------------------------------------------------------------------------------


def test_context_names_title_and_section_and_repeats_nothing() -> None:
    body = words(20)
    sections = (Section("Annual leave", 1, 0),)

    def context(text: str, **details: object) -> str:
        return chunks_of(reading(text, **details), Config())[0].context

    assert context(body, title="Handbook", sections=sections) == "Handbook | Annual leave"
    assert context(body) == "file"  # the file's name where it has no title
    assert context("ANNUAL  LEAVE\n" + body, title="Handbook", sections=sections) == "Handbook"
    assert context("Handbook\n" + body, title="Handbook") == ""
    assert context(body, title="Same", sections=(Section("Same", 1, 0),)) == "Same"
    long = context(body, title="T " * 300, sections=(Section("S " * 300, 1, 0),))
    assert len(long) <= 120
    assert "T" in long
    assert "S" in long
    assert chunks_of(reading(body, title="Handbook"))[0].context == ""


# --- size --------------------------------------------------------------------------------------


def test_a_5000_page_document_is_chunked_in_seconds() -> None:
    page = "\n".join("The quick brown fox jumps over the lazy dog. And so it goes on and on." for _ in range(42))
    source = reading(*[page] * 5000, sections=tuple(Section(f"S{n}", 1, n * 30000) for n in range(400)))
    start = time.process_time()
    chunks = chunk(source, "d", "file.pdf", Config())
    assert time.process_time() - start < 10
    assert len(source.text) > 14_000_000
    assert chunks[-1].page_end == 5000


DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not on this computer")
@pytest.mark.parametrize("folder", ["northwind_hr", "scisumm/E09-2008/Documents_PDF"])
def test_real_documents(folder: str) -> None:
    with Reader(PLAIN) as reader:
        for path in sorted((DATA / folder).glob("*.pdf"))[:6]:
            source = reader.read(path)
            chunks = chunk(source, source.sha256, path.name, Config())
            check(source, chunks)
            assert all(len(piece.text) >= 100 for piece in chunks)
            assert all(len(piece.text) <= 800 for piece in chunks if piece.kind == "text")
            lost = uncovered(source, chunks)
            skipped = "".join(page.clean for page in source.pages if page.number in source.unreadable_pages)
            assert lost == "".join(skipped.split())
