"""Labels in answers: every way models write them, held against the evidence."""

import pytest

from multidoc_rag.citations import resolve, segments
from multidoc_rag.records import Answer, Citation, Coverage, Evidence, EvidenceGroup, Intent, Passage

INTENT = Intent("synthesis", 1.0)


def passage(name: str, page: int, text: str, start: int = 0) -> Passage:
    return Passage(f"id-{name}", name, page, page, start, start + len(text), text, "Section", 0.5, (1,))


EVIDENCE = Evidence(
    "question",
    INTENT,
    (
        EvidenceGroup(
            "id-plan.pdf",
            "plan.pdf",
            "The plan",
            (passage("plan.pdf", 3, "The reserve covers 14 days. It was agreed in 2020."),),
        ),
        EvidenceGroup(
            "id-cost report.pdf",
            "cost report.pdf",
            "Costs",
            (passage("cost report.pdf", 7, "The reserve must hold for two weeks. Costs rise by 3 %.", start=100),),
        ),
        EvidenceGroup("id-empty.pdf", "empty.pdf", "Empty", ()),
    ),
)


@pytest.mark.parametrize(
    "label",
    [
        "[plan.pdf p.3]",
        "[plan.pdf, p. 3]",
        "[plan.pdf page 3]",
        "[plan.pdf, pages 3-4]",
        "[plan.pdf pp.3–4]",
        "[plan.pdf#page=3]",
        "[PLAN.PDF p.3]",
        "[plan p.3]",
        "[plan.pdf]",
        "[plan.pdf (p. 3)]",
    ],
)
def test_every_way_to_write_a_label_becomes_the_same_citation(label: str) -> None:
    cited = resolve(f"The reserve covers 14 days {label}.", EVIDENCE)
    assert cited.text == "The reserve covers 14 days [plan.pdf p.3]."
    assert cited.unknown == ()
    assert [(s.text, s.citations) for s in cited.sentences] == [("The reserve covers 14 days.", (1,))]
    (citation,) = cited.citations
    assert (citation.document, citation.page, citation.quote) == ("plan.pdf", 3, "The reserve covers 14 days.")


@pytest.mark.parametrize(
    ("label", "unknown"),
    [
        ("[other.pdf p.3]", "other.pdf p.3"),
        ("[plan.pdf p.9]", "plan.pdf p.9"),
        ("[empty.pdf p.1]", "empty.pdf p.1"),
    ],
)
def test_a_label_that_points_to_nothing_is_marked_and_counted(label: str, unknown: str) -> None:
    cited = resolve(f"It covers 14 days {label}.", EVIDENCE)
    assert cited.text == f"It covers 14 days [unknown source: {unknown}]."
    assert cited.unknown == (unknown,)
    assert cited.citations == ()
    assert cited.sentences[0].citations == ()


def test_brackets_that_are_no_source_stay_as_they_are() -> None:
    text = "See [1], [a link](http://example.invalid) and array[3]."
    cited = resolve(text, EVIDENCE)
    assert cited.text == text
    assert cited.unknown == ()


def test_two_sources_in_one_bracket_are_two_citations() -> None:
    cited = resolve("Both expect two weeks [plan.pdf p.3; cost report.pdf p.7].", EVIDENCE)
    assert cited.text == "Both expect two weeks [plan.pdf p.3] [cost report.pdf p.7]."
    assert [(c.n, c.document, c.quote) for c in cited.citations] == [
        (1, "plan.pdf", "The reserve covers 14 days."),
        (2, "cost report.pdf", "The reserve must hold for two weeks."),
    ]


def test_a_label_after_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    cited = resolve("It was agreed in 2020. [plan.pdf p.3] Costs rise by 3 %. [cost report.pdf p.7]", EVIDENCE)
    assert [(s.text, s.citations) for s in cited.sentences] == [
        ("It was agreed in 2020.", (1,)),
        ("Costs rise by 3 %.", (2,)),
    ]


def test_the_quote_is_verbatim_with_offsets_in_the_document() -> None:
    cited = resolve("Costs go up by 3 % [cost report.pdf p.7].", EVIDENCE)
    citation = cited.citations[0]
    assert citation.quote == "Costs rise by 3 %."
    text = EVIDENCE.groups[1].passages[0].text
    assert text[citation.start - 100 : citation.end - 100] == citation.quote


def test_headings_are_not_sentences_and_lists_lose_their_marks() -> None:
    cited = resolve("### Shared themes\n- The reserve covers 14 days [plan.pdf p.3].\n2. Costs rise.", EVIDENCE)
    assert [s.text for s in cited.sentences] == ["The reserve covers 14 days.", "Costs rise."]


def answer(text: str) -> Answer:
    cited = resolve(text, EVIDENCE)
    return Answer(
        "id", "question", INTENT, cited.text, text, cited.sentences, cited.citations, EVIDENCE, Coverage(), "model"
    )


def test_segments_give_back_the_text_with_each_citation_in_its_place() -> None:
    text = "It covers 14 days [plan.pdf p.3]. It was agreed in 2020 [plan.pdf p.3]. End."
    pieces = list(segments(answer(text)))
    assert [piece.quote if isinstance(piece, Citation) else piece for piece in pieces] == [
        "It covers 14 days ",
        "The reserve covers 14 days.",
        ". It was agreed in 2020 ",
        "It was agreed in 2020.",
        ". End.",
    ]
    assert list(segments(answer("No labels at all."))) == ["No labels at all."]


def test_a_long_answer_full_of_brackets_is_resolved_in_linear_time() -> None:
    text = "[" * 2000 + "word " * 8000 + "]" * 2000 + " [plan.pdf p.3]"
    assert resolve(text, EVIDENCE).citations[0].document == "plan.pdf"
