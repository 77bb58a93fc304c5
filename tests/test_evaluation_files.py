"""The sample collection: its gold says what its PDFs say, and building it again gives the same bytes."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pypdfium2 as pdfium
import pytest

ROOT = Path(__file__).resolve().parent.parent
FILES = ROOT / "evaluation_files"
GOLD: dict[str, Any] = json.loads((FILES / "gold.json").read_text(encoding="utf-8"))
INTENTS = ("synthesis", "comparison", "extraction")
SCANNED = {(row["document"], row["page"]) for row in GOLD["scanned"]}


def squeezed(text: str) -> str:
    """Text as one run of characters: no white space, no hyphens, ligatures taken apart."""
    return re.sub(r"[\s\u0002\ufffe\u00ad-]+", "", unicodedata.normalize("NFKC", text))


def folded(text: str) -> str:
    """Text in lower case with single spaces, as needles are compared."""
    return " ".join(text.casefold().split())


def texts_of(path: Path) -> list[str]:
    """The text of every page."""
    document = pdfium.PdfDocument(path)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


@pytest.fixture(scope="module")
def pages() -> dict[str, list[str]]:
    """Page texts by file name."""
    return {row["file"]: texts_of(FILES / row["file"]) for row in GOLD["documents"]}


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    """The build script as a module."""
    pytest.importorskip("reportlab")
    spec = importlib.util.spec_from_file_location("build_evaluation_files", ROOT / "examples/build_evaluation_files.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rebuilt(builder: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The collection built twice."""
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    for folder in folders:
        builder.build(folder)
    return folders


def quotes() -> list[tuple[str, int, str]]:
    """Every quote in the gold, as (document, page, quote)."""
    rows = [fact for question in GOLD["questions"] for fact in question["facts"]]
    rows += [side for pair in GOLD["conflicts"] + GOLD["near_conflicts"] for side in pair["sides"]]
    return sorted({(row["document"], row["page"], row["quote"]) for row in rows})


def test_every_quote_stands_on_its_page(pages: dict[str, list[str]]) -> None:
    missing = [row for row in quotes() if squeezed(row[2]) not in squeezed(pages[row[0]][row[1] - 1])]
    assert missing == []


def test_references_and_acronyms_stand_on_their_pages(pages: dict[str, list[str]]) -> None:
    for row in GOLD["references"]:
        assert squeezed(row["text"]) in squeezed(pages[row["source"]][row["page"] - 1]), row
        assert row["source"] != row["target"]
    for row in GOLD["acronyms"]:
        text = squeezed(pages[row["document"]][row["page"] - 1])
        assert squeezed(f"{row['expansion']} ({row['acronym']})") in text, row


def test_documents_are_long_and_dense(pages: dict[str, list[str]]) -> None:
    assert len(GOLD["documents"]) >= 7
    for row in GOLD["documents"]:
        texts = pages[row["file"]]
        assert len(texts) == row["pages"] >= 8, row["file"]
        words = [len(text.split()) for text in texts]
        assert sum(words) >= 3000, row["file"]
        assert sum(count >= 350 for count in words) >= 5, (row["file"], words)
        assert (FILES / row["file"]).stat().st_size < 1_000_000
    assert sorted(path.name for path in FILES.glob("*.pdf")) == sorted(row["file"] for row in GOLD["documents"])


def test_only_the_scanned_page_has_no_text(pages: dict[str, list[str]]) -> None:
    empty = {(name, n) for name, texts in pages.items() for n, text in enumerate(texts, 1) if not text.strip()}
    assert empty == SCANNED
    assert len(SCANNED) == 1
    assert len(GOLD["scanned"][0]["text"].split()) > 150


def test_pages_are_of_several_shapes(pages: dict[str, list[str]]) -> None:
    sizes, turned = set(), 0
    for name in pages:
        document = pdfium.PdfDocument(FILES / name)
        for page in document:
            sizes.add(tuple(round(side) for side in page.get_mediabox()[2:]))
            turned += page.get_rotation() == 90
        document.close()
    assert turned == 1
    assert any(width > height for width, height in sizes)
    assert len(sizes) == 3


def test_line_ends_are_hyphenated(pages: dict[str, list[str]]) -> None:
    broken = [name for name, texts in pages.items() if any("\u0002" in text or "\ufffe" in text for text in texts)]
    assert len(broken) >= 3


def test_metadata_and_outline() -> None:
    outlined = 0
    for row in GOLD["documents"]:
        document = pdfium.PdfDocument(FILES / row["file"])
        data = document.get_metadata_dict()
        assert data["Title"] == row["title"]
        assert data["Author"]
        assert re.fullmatch(r"D:20\d{12}Z", data["CreationDate"])
        assert data["ModDate"] >= data["CreationDate"]
        outlined += bool(list(document.get_toc()))
        document.close()
    assert outlined == len(GOLD["documents"]) - 1


def test_questions() -> None:
    answerable = [question for question in GOLD["questions"] if question["facts"]]
    intents = Counter(question["intent"] for question in answerable)
    assert all(intents[name] >= 12 for name in INTENTS)
    assert len(GOLD["questions"]) - len(answerable) >= 6
    assert len({question["id"] for question in GOLD["questions"]}) == len(GOLD["questions"])
    for question in GOLD["questions"]:
        assert question["documents"] == list(dict.fromkeys(fact["document"] for fact in question["facts"]))
        for fact in question["facts"]:
            assert fact["needles"]
            assert all(folded(needle) in folded(fact["quote"]) for needle in fact["needles"]), fact


def test_half_the_questions_are_plainly_worded() -> None:
    """Both wordings ask with every intent about every document, look-ups of one value among them."""
    answerable = [question for question in GOLD["questions"] if question["facts"]]
    counts = Counter((question["wording"], question["intent"]) for question in answerable)
    assert {wording for wording, _ in counts} == {"paraphrased", "plain"} == {q["wording"] for q in GOLD["questions"]}
    assert sum(counts["paraphrased", name] for name in INTENTS) == 58
    assert sum(counts["plain", name] for name in INTENTS) == 64
    assert all(counts["plain", name] >= 20 for name in INTENTS)
    for wording in ("paraphrased", "plain"):
        asked = {name for question in answerable if question["wording"] == wording for name in question["documents"]}
        assert asked == {row["file"] for row in GOLD["documents"]}
    plain = [question for question in answerable if question["wording"] == "plain"]
    assert sum(len(question["facts"]) == 1 for question in plain if question["intent"] == "extraction") >= 8
    assert all(1 <= len(question["facts"]) <= 5 for question in plain)
    assert all(len(question["facts"]) >= 2 for question in plain if question["intent"] != "extraction")


def test_plain_questions_are_not_copied() -> None:
    """A plain question shares no run of seven words with the passages that answer it."""

    def words(text: str) -> str:
        return " ".join(["", *re.findall(r"[^\W_]+", text.casefold()), ""])

    for question in GOLD["questions"]:
        if question["wording"] == "plain":
            asked = words(question["question"]).split()
            runs = {f" {' '.join(asked[n : n + 7])} " for n in range(len(asked) - 6)}
            quoted = "".join(words(fact["quote"]) for fact in question["facts"])
            assert not [run for run in runs if run in quoted], question["id"]


def test_conflicts_and_near_conflicts() -> None:
    assert len(GOLD["conflicts"]) >= 20
    assert len(GOLD["near_conflicts"]) >= 20
    for pair in GOLD["conflicts"] + GOLD["near_conflicts"]:
        assert len(pair["sides"]) == 2
        assert len({side["document"] for side in pair["sides"]}) == 2, pair["id"]
    kinds = {pair["kind"] for pair in GOLD["near_conflicts"]}
    assert kinds == {"other_period", "other_scope", "other_unit", "rounding", "superseded"}


def test_tables_have_captions(pages: dict[str, list[str]]) -> None:
    captions = re.findall(r"^Table \d+\. ", "\n".join(text for texts in pages.values() for text in texts), re.M)
    assert len(captions) >= 8


def test_building_twice_gives_the_same_bytes(rebuilt: tuple[Path, Path]) -> None:
    first, second = rebuilt
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted([*(row["file"] for row in GOLD["documents"]), "gold.json"])
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in names)


def test_committed_files_are_what_the_sources_give(rebuilt: tuple[Path, Path]) -> None:
    """Byte for byte, save for the file with the photograph: its JPEG may differ with the machine's encoder."""
    pictured = {document for document, _ in SCANNED}
    for path in rebuilt[0].iterdir():
        if path.name in pictured:
            assert texts_of(path) == texts_of(FILES / path.name)
        elif path.suffix == ".pdf":
            assert path.read_bytes() == (FILES / path.name).read_bytes(), path.name
        else:
            assert json.loads(path.read_text(encoding="utf-8")) == GOLD


def test_a_quote_that_is_nowhere_is_refused(builder: ModuleType) -> None:
    found = builder.Pages({"annual": (FILES / "annual-report-2024.pdf").read_bytes()})
    assert found.find("annual", "handed over to operations on 14 March 2022") == 1
    with pytest.raises(builder.SourceError, match="on no page"):
        found.find("annual", "handed over to operations on 15 March 2022")
    with pytest.raises(builder.SourceError, match="on pages"):
        found.find("annual", "Tern Quay")
    assert found.find("annual", "Tern Quay", hint=2) == 2
