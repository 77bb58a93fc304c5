"""Search and selection over real PDFs: what each mode returns, in which order, and why."""

from dataclasses import replace
from pathlib import Path

import pytest

from multidoc_rag import Library
from multidoc_rag.errors import BadQuestion, UnknownDocument
from multidoc_rag.records import Chunk, Hit, Intent
from multidoc_rag.search.retrieval import select, spread

QUESTION = "How much did the insurance premium rise?"


def test_dense_is_cosine_in_falling_order(library: Library) -> None:
    hits = library.search(QUESTION, k=6, mode="dense")
    query = library.embedder.encode_query(QUESTION)
    vectors = library.store.vectors([hit.chunk.id for hit in hits])
    assert [hit.score for hit in hits] == pytest.approx([float(vectors[h.chunk.id] @ query) for h in hits], abs=1e-5)
    assert [hit.ranks for hit in hits] == [{"dense": rank} for rank in range(1, 7)]
    every = library.store.vectors([c.id for d in library.documents() for c in library.store.chunks(d.id)])
    assert hits[0].score == pytest.approx(max(float(vector @ query) for vector in every.values()), abs=1e-5)


def test_lexical_finds_words_and_stems(library: Library) -> None:
    for question in ("insurance premium", "insurances premiums"):
        assert "premium" in library.search(question, k=1, mode="lexical")[0].chunk.text.lower()
    assert library.search("zyzzyva", mode="lexical") == []


def test_rrf_is_the_sum_of_reciprocal_ranks(library: Library) -> None:
    hits = library.search(QUESTION, k=10, mode="rrf")
    for hit in hits:
        assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in hit.ranks.values()))
        assert set(hit.ranks) <= {"dense", "lexical"}
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


def test_each_hit_tells_its_history(library: Library) -> None:
    hit = library.search(QUESTION, k=3, mode="hybrid")[0]
    assert any(line.startswith("dense rank") and "cosine" in line for line in hit.history)
    assert any(line.startswith("lexical rank") and "BM25" in line for line in hit.history)
    assert any(line.startswith("fused rank") for line in hit.history)


@pytest.mark.parametrize("mode", ["dense", "lexical", "rrf", "hybrid"])
def test_restriction_to_documents_is_kept_and_reaches_deep(library: Library, mode: str) -> None:
    name = "operations-manual.pdf"
    hits = library.search(QUESTION, k=12, mode=mode, documents=[name])  # type: ignore[arg-type]
    assert {hit.chunk.document_name for hit in hits} == {name}
    assert len(hits) == 12
    with pytest.raises(UnknownDocument, match="nowhere"):
        library.search(QUESTION, documents=["nowhere.pdf"])


def test_the_same_text_is_returned_once(tmp_path: Path) -> None:
    text = "The lease of the northern warehouse ends on 31 March 2027 and is not renewed. " * 3
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(text + name)
    with Library.open(tmp_path / "store") as library:
        library.add([tmp_path / "a.txt", tmp_path / "b.txt"])
        (tmp_path / "d.md").write_text(text.upper() + "A.TXT")
        library.add([tmp_path / "d.md"])
        hits = library.search("When does the lease end?")
        assert len(hits) == 2
        assert any("same text in" in line for hit in hits for line in hit.history)


def test_one_document_weighs_less_with_each_further_passage() -> None:
    def hit(document: str, number: int, score: float) -> Hit:
        return Hit(Chunk(number, document, document, number, 1, 1, 0, 1, "text", "", str(number)), score)

    hits = [hit("a", 1, 1.0), hit("a", 2, 0.9), hit("a", 3, 0.8), hit("b", 4, 0.75)]
    assert [h.chunk.id for h in spread(hits, 4, decay=0.9)] == [1, 2, 4, 3]
    assert [h.chunk.id for h in spread(hits, 4, decay=1.0)] == [1, 2, 3, 4]
    assert [h.chunk.id for h in spread(hits, 2, decay=0.5)] == [1, 4]


def selected(library: Library, question: str, **options: object) -> dict[str, int]:
    config = replace(library.config, mode="hybrid")
    selection = select(
        library.store,
        library.embedder,
        question,
        Intent("synthesis", 1.0),
        searched=library.documents(),
        config=config,
        **options,  # type: ignore[arg-type]
    )
    return {group.document_name: sum(len(p.chunk_ids) for p in group.passages) for group in selection.evidence.groups}


def test_every_document_is_heard(library: Library) -> None:
    counts = selected(library, QUESTION)
    assert set(counts) == {"annual-report-2024.pdf", "economic-assessment.pdf", "operations-manual.pdf"}
    assert all(1 <= count <= 8 for count in counts.values())
    assert sum(counts.values()) <= 24


def test_a_document_that_the_question_names_gives_most(library: Library) -> None:
    counts = selected(library, "What does the operations manual say about the alarm?")
    assert counts["operations-manual.pdf"] == 8
    assert max(counts["annual-report-2024.pdf"], counts["economic-assessment.pdf"]) == 2


@pytest.mark.parametrize("question", ["", "   ", "?!", "\x00"])
def test_an_empty_question_is_refused(library: Library, question: str) -> None:
    with pytest.raises(BadQuestion, match="empty"):
        library.search(question)
