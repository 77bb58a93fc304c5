"""Balance, glue and order: the exact passages, in the exact order."""

from dataclasses import replace

from multidoc_rag.config import Config
from multidoc_rag.records import Chunk, Hit, Intent
from multidoc_rag.search.evidence import as_passages, balanced, ends_first, grouped, in_prompt_order, without_duplicates

CONFIG = Config()
SYNTHESIS, EXTRACTION = Intent("synthesis", 1.0), Intent("extraction", 1.0)


def hit(
    document: str, ordinal: int, score: float, *, text: str = "", start: int | None = None, kind: str = "text"
) -> Hit:
    start = ordinal * 1000 if start is None else start
    text = text or f"Text {ordinal} of document {document}."
    number = ord(document[0]) * 1000 + ordinal
    chunk = Chunk(number, document, f"{document}.pdf", ordinal, 1, 1, start, start + len(text), kind, "", text)  # type: ignore[arg-type]
    return Hit(chunk, score)


def names(hits: list[Hit]) -> list[str]:
    return [f"{h.chunk.document_id}{h.chunk.ordinal}" for h in hits]


def test_ends_first_puts_the_best_at_both_ends() -> None:
    assert ends_first([1, 2, 3, 4, 5]) == [1, 3, 5, 4, 2]
    assert ends_first([]) == []


def test_every_document_is_heard_before_the_best_passages_win() -> None:
    hits = [hit("a", i, 1 - i / 100) for i in range(20)] + [hit("b", 0, 0.3), hit("c", 0, 0.2)]
    chosen = balanced(hits, config=CONFIG)
    assert names(chosen) == ["a0", "b0", "c0", "a1", "a2", "a3", "a4", "a5", "a6", "a7"]
    assert chosen[1].history == ("balance: one for each document",)
    assert chosen[3].history == ("balance: by score",)


def test_after_each_was_heard_a_better_second_passage_beats_a_weaker_documents_second() -> None:
    config = replace(CONFIG, passages_total=4)
    hits = [hit("a", 0, 0.9), hit("a", 1, 0.8), hit("a", 2, 0.7), hit("b", 0, 0.6), hit("b", 1, 0.5)]
    assert names(balanced(hits, config=config)) == ["a0", "b0", "a1", "a2"]


def test_at_most_twenty_four_passages_of_which_eight_documents_are_sure_of_one() -> None:
    hits = [hit(d, i, 1 - i / 100) for i in range(3) for d in "abcdefghijkl"]
    chosen = balanced(hits, config=CONFIG)
    assert len(chosen) == 24
    assert names(chosen)[:8] == [f"{d}0" for d in "abcdefgh"]
    assert names(chosen)[8:12] == ["i0", "j0", "k0", "l0"]


def test_each_chosen_document_keeps_a_passage_even_beyond_the_total() -> None:
    documents = [f"{chr(97 + i)}" for i in range(20)]
    hits = [hit(d, 0, 1 - i / 100) for i, d in enumerate(documents)]
    config = replace(CONFIG, passages_total=16)
    assert len(balanced(hits, config=config)) == 16
    assert len(balanced(hits, config=config, chosen=documents)) == 20


def test_synthesis_gets_two_documents_with_two_passages_before_others_get_one() -> None:
    config = replace(CONFIG, passages_total=5)
    hits = [hit(d, i, 1 - i / 10) for i in range(2) for d in "abcdef"]
    assert names(balanced(hits, config=config, intent=SYNTHESIS)) == ["a0", "a1", "b0", "b1", "c0"]
    assert names(balanced(hits, config=config, intent=EXTRACTION)) == ["a0", "b0", "c0", "d0", "e0"]


def test_duplicates_within_a_document_go_and_across_documents_only_when_asked() -> None:
    same = "Exactly   the SAME text."
    hits = [hit("a", 0, 0.9, text=same), hit("a", 1, 0.8, text="exactly the same text."), hit("b", 0, 0.7, text=same)]
    assert names(without_duplicates(hits, across_documents=False)) == ["a0", "b0"]
    kept = without_duplicates(hits, across_documents=True)
    assert names(kept) == ["a0"]
    assert kept[0].history[-1] == "same text in b.pdf p.1, shown once"


def test_overlapping_neighbours_are_glued_into_one_verbatim_span() -> None:
    document = "One two three four five six seven eight nine ten."
    first = hit("a", 0, 0.5, text=document[:28], start=0)
    second = hit("a", 1, 0.9, text=document[14:], start=14)
    other = hit("a", 7, 0.1, text="Far away.", start=900)
    passages = as_passages([second, other, first], config=CONFIG)
    assert [(p.text, p.start, p.end, p.score) for p in passages] == [
        (document, 0, len(document), 0.9),
        ("Far away.", 900, 909, 0.1),
    ]
    assert passages[0].chunk_ids == (97000, 97001)


def test_tables_are_never_glued_and_long_text_is_cut_with_true_offsets() -> None:
    table = hit("a", 1, 0.5, text="row " * 400, start=10, kind="table")
    prose = hit("a", 0, 0.4, text="word " * 400, start=0)
    passages = {p.kind: p for p in as_passages([table, prose], config=CONFIG)}
    assert len(passages["table"].text) == 1600
    assert len(passages["text"].text) <= 1000
    assert passages["text"].end == passages["text"].start + len(passages["text"].text)


def test_documents_without_a_passage_are_named_last() -> None:
    evidence = grouped(
        "q",
        SYNTHESIS,
        [hit("b", 0, 0.2), hit("a", 0, 0.9)],
        config=CONFIG,
        searched={"a": "a.pdf", "b": "b.pdf", "z": "z.pdf"},
    )
    assert [(g.document_name, len(g.passages)) for g in evidence.groups] == [("a.pdf", 1), ("b.pdf", 1), ("z.pdf", 0)]
    assert evidence.documents_with_evidence == ("a.pdf", "b.pdf")


def order(strategy: str, reorder: bool) -> list[str]:
    scores = {"a": [0.9, 0.5], "b": [0.8, 0.4], "c": [0.7, 0.3]}
    hits = [hit(d, i, s) for d, values in scores.items() for i, s in enumerate(values)]
    groups = grouped("q", SYNTHESIS, hits, config=CONFIG).groups
    ordered = in_prompt_order(groups, strategy=strategy, reorder=reorder)  # type: ignore[arg-type]
    return [f"{p.document_id}{p.start // 1000}" for p in ordered]


def test_structured_order_opens_with_the_best_and_closes_with_the_second_strongest_documents_best() -> None:
    assert order("structured", True) == ["a0", "a1", "c0", "c1", "b1", "b0"]
    assert order("structured", False) == ["a0", "a1", "b0", "b1", "c0", "c1"]


def test_flat_order_interleaves_documents_with_the_strongest_at_both_ends() -> None:
    assert order("flat", True) == ["a0", "c0", "b1", "c1", "a1", "b0"]
    assert order("flat", False) == ["a0", "b0", "c0", "a1", "b1", "c1"]


def test_documents_the_question_names_give_more_and_the_others_one_each() -> None:
    hits = [hit(d, i, 1 - i / 100) for i in range(9) for d in "abcdef"]
    chosen = balanced(hits, config=CONFIG, favoured=["b", "e"])
    counts = {d: sum(h.chunk.document_id == d for h in chosen) for d in "abcdef"}
    assert counts == {"a": 1, "b": 8, "c": 1, "d": 1, "e": 8, "f": 1}
