"""A quote is found at the very place that was cited, also where its words stand twice or run over a page's end; a
model's quotes of real files get boxes that hold exactly their characters."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pdf_samples import drawn, right_to_left, text_lines
from stored import WordEmbedder, made

from multidoc_rag import Assistant, ScriptedLLM, answer_json
from multidoc_rag.answers.export import export_answer
from multidoc_rag.answers.places import quote_on_page, span_on_page, what_became
from multidoc_rag.language import fold_map
from multidoc_rag.library import Library
from multidoc_rag.records import Answer, Done, Place

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


# --- whole flows: a file, an answer that quotes it, boxes held against the file -------------------


def answered(library: Library, question: str, reply: str) -> Answer:
    """What a model's reply becomes over the library's documents."""
    assistant = Assistant(library, llm=ScriptedLLM([reply]), config=replace(library.config, cache_replies=False))
    *_, done = assistant.ask(question)
    assert isinstance(done, Done)
    return done.answer


def asked(file: Path, question: str, reply: str) -> Answer:
    """The same over one file, in an index beside it."""
    with Library.open(file.parent / "index", embedder=WordEmbedder()) as library:
        assert [report.status for report in library.add([file])] == ["added"]
        return answered(library, question, reply)


def inside(path: Path, place: Place) -> str:
    """The characters of the file whose centres lie in the boxes, folded, by PDFium's own word."""
    import pypdfium2 as pdfium

    text = pdfium.PdfDocument(path)[place.page - 1].get_textpage()
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pointers = [ctypes.byref(value) for value in (left, right, bottom, top)]
    found = []
    for index in range(text.count_chars()):
        if pdfium.raw.FPDFText_GetCharBox(text, index, *pointers):
            x, y = (left.value + right.value) / 2, (bottom.value + top.value) / 2
            if any(a <= x <= c and b <= y <= d for a, b, c, d in place.boxes):
                found.append(chr(pdfium.raw.FPDFText_GetUnicode(text, index)))
    return folded("".join(found))


def folded(text: str) -> str:
    return fold_map(text)[0]


HEBREW = ("המלאי מספיק לשבועיים בלבד.", "העגורן מרים 40 טונות ביום.", "הנמל פתוח משש בבוקר ועד חצות.")
ARABIC = ("المخزون يكفي لأسبوعين فقط.", "ترفع الرافعة 40 طنا في اليوم.", "الميناء مفتوح من السادسة صباحا.")


@pytest.mark.parametrize("lines", [HEBREW, ARABIC], ids=["Hebrew", "Arabic"])
def test_a_quote_in_a_script_from_right_to_left_is_highlighted_exactly(tmp_path: Path, lines: tuple[str, ...]) -> None:
    path = right_to_left(tmp_path / "port.pdf", *lines)
    reply = f'<cite doc="port.pdf" page="1">{lines[1]}</cite> {lines[0]} [port.pdf p.1]'
    answer = asked(path, lines[1], reply)
    assert [citation.quote for citation in answer.citations] == [lines[1], lines[0]]
    assert answer.text == f"{lines[1]} [port.pdf p.1] {lines[0]} [port.pdf p.1]"
    for citation in answer.citations:
        (place,) = citation.places
        assert inside(path, place) == folded(citation.quote)
        assert all(right > left and top > bottom for left, bottom, right, top in place.boxes)


def test_a_quote_over_a_pages_end_is_highlighted_exactly_on_both(tmp_path: Path) -> None:
    path = drawn(
        tmp_path / "crane.pdf",
        text_lines("The crane stands on the quay.", "It was tested in May and lifts forty"),
        text_lines("tonnes a day at most.", "The crane is blue."),
    )
    quote = "It was tested in May and lifts forty tonnes a day at most."
    answer = asked(path, "What does the crane lift?", f'<cite doc="crane.pdf" page="1">{quote}</cite>')
    (citation,) = answer.citations
    assert citation.quote == quote.replace("forty ", "forty\n")
    assert [place.page for place in citation.places] == [1, 2]
    parts = [inside(path, place) for place in citation.places]
    assert parts == [folded("It was tested in May and lifts forty"), folded("tonnes a day at most.")]


def test_citations_in_a_document_of_a_thousand_pages(tmp_path: Path) -> None:
    pages = [
        text_lines(f"Berth {n} takes ships of {n + 3000} tonnes.", "Nothing else is said.") for n in range(1, 1001)
    ]
    path = drawn(tmp_path / "berths.pdf", *pages)
    with Library.open(tmp_path / "index", embedder=WordEmbedder()) as library:
        (report,) = library.add([path])
        assert report.pages == 1000
        identity = library.document("berths.pdf").id
        text = library.text(identity)
        began = time.process_time()
        for number in (1, 500, 987, 1000):
            quote = f"Berth {number} takes ships of {number + 3000} tonnes."
            start = text.index(quote)
            (place,) = library.places(identity, start, start + len(quote))
            assert place.page == number
            assert inside(path, place) == folded(quote)
        assert time.process_time() - began < 5
        reply = "Berth 987 takes them [berths.pdf p.987]. Berth 2 does not [berths.pdf p.1001]."
        answer = answered(library, "What ships does berth 987 take, of 3987 tonnes?", reply)
    (citation,) = answer.citations
    assert (citation.page, citation.quote) == (987, "Berth 987 takes ships of 3987 tonnes.")
    assert inside(path, citation.places[0]) == folded(citation.quote)
    assert "[unknown source: berths.pdf p.1001]" in answer.text


def test_two_files_of_one_name_are_cited_each_from_its_own_page(tmp_path: Path) -> None:
    for folder, rent in (("north", 900), ("south", 950)):
        (tmp_path / folder).mkdir()
        drawn(tmp_path / folder / "lease.pdf", text_lines("The tenant pays rent.", f"The rent is {rent} euro a month."))
    reply = "The rent is 900 euro [lease.pdf p.1] or 950 euro a month [lease (2).pdf p.1]."
    with Library.open(tmp_path / "index", embedder=WordEmbedder()) as library:
        library.add([tmp_path / "north" / "lease.pdf", tmp_path / "south" / "lease.pdf"])
        ids = [document.id for document in library.documents()]
        answer = answered(library, "What is the rent a month?", reply)
    assert [(c.document, c.document_id) for c in answer.citations] == [("lease.pdf", ids[0]), ("lease (2).pdf", ids[1])]
    for citation, folder in zip(answer.citations, ("north", "south"), strict=True):
        assert inside(tmp_path / folder / "lease.pdf", citation.places[0]) == folded(citation.quote)
    assert [citation.quote[12:15] for citation in answer.citations] == ["900", "950"]


@pytest.mark.parametrize("after", ["changed", "gone"])
def test_a_file_that_is_no_longer_what_was_added_gets_no_highlight(tmp_path: Path, after: str) -> None:
    path = drawn(tmp_path / "crane.pdf", text_lines("The crane is blue.", "It lifts forty tonnes."))
    with Library.open(tmp_path / "index", embedder=WordEmbedder()) as library:
        library.add([path])
        if after == "gone":
            path.unlink()
        else:
            drawn(path, text_lines("The crane was sold.", "It lifts forty cranes."))
        answer = answered(library, "What does the crane lift?", "It lifts forty tonnes [crane.pdf p.1].")
        page, _ = export_answer(answer_json(answer), "html", library)
    (citation,) = answer.citations
    assert citation.quote == "It lifts forty tonnes."
    assert citation.places == (Place(1),)
    assert "Its page cannot be shown: the file is gone, was changed or is encrypted." in page
    assert str(tmp_path) not in page


def test_an_answer_without_citations_or_with_false_ones_alone_says_so(library: Library) -> None:
    answer = answered(library, "What colour is the crane?", "The crane is blue. It flies.")
    assert answer.citations == ()
    assert "The model cited nothing: its sentences were held against all that was read." in answer.warnings
    assert "supported" not in {sentence.verdict for sentence in answer.sentences}
    answer = answered(library, "What colour is the crane?", "The crane is blue [mast.pdf p.2]. It lifts [99].")
    assert answer.text == "The crane is blue [unknown source: mast.pdf p.2]. It lifts [unknown source: 99]."
    assert "Citations that point to nothing that was read: 2 (mast.pdf p.2; 99)." in answer.warnings
    assert answer.citations == ()


def test_what_became_of_a_cited_document(library: Library) -> None:
    identity = library.document("crane.pdf").id
    assert what_became(library, identity, "crane.pdf") == ""
    assert what_became(library, "0" * 64, "crane.pdf") == "replaced"
    library.remove(["crane.pdf"])
    assert what_became(library, identity, "crane.pdf") == "removed"
