"""Labels in answers: every way models write them, held against the evidence."""

import json
import re
import time
from pathlib import Path

import pytest

from multidoc_rag.answers.citations import resolve, segments
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


@pytest.mark.parametrize(
    "text",
    [
        "See [a link](http://example.invalid) and array[3].",
        "Published in [2019], at 10³ m² and 5 km².",
        "`values[1]` and ```\n[plan.pdf p.3]\n``` are code.",
        "[sic] and [the reserve] are the author's words.",
        "A range [1-9999] is none.",
    ],
)
def test_brackets_and_powers_that_are_no_source_stay_as_they_are(text: str) -> None:
    cited = resolve(text, EVIDENCE)
    assert cited.text == text
    assert cited.unknown == ()
    assert cited.citations == ()


@pytest.mark.parametrize(
    ("marker", "documents"),
    [
        ("[1]", ["plan.pdf"]),
        ("[2]", ["cost report.pdf"]),
        ("[1][2]", ["plan.pdf", "cost report.pdf"]),
        ("[1, 2]", ["plan.pdf", "cost report.pdf"]),
        ("[1-2]", ["plan.pdf", "cost report.pdf"]),
        ("[^2]", ["cost report.pdf"]),
        ("【2†source】", ["cost report.pdf"]),
        ("<sup>1,2</sup>", ["plan.pdf", "cost report.pdf"]),
        ("^1^", ["plan.pdf"]),
        ("²", ["cost report.pdf"]),
        ("(plan.pdf, p. 3)", ["plan.pdf"]),
        ('<cite doc="cost report.pdf" page="7"/>', ["cost report.pdf"]),
    ],
)
def test_numbers_superscripts_and_tags_point_to_the_passages_of_the_prompt(marker: str, documents: list[str]) -> None:
    cited = resolve(f"The reserve holds for two weeks{marker}.", EVIDENCE)
    assert [citation.document for citation in cited.citations] == documents
    assert cited.unknown == ()
    (sentence,) = cited.sentences
    assert (sentence.text, sentence.citations) == (
        "The reserve holds for two weeks.",
        tuple(range(1, len(documents) + 1)),
    )


def test_a_number_without_a_passage_is_marked() -> None:
    cited = resolve("It covers 14 days [7].", EVIDENCE)
    assert cited.text == "It covers 14 days [unknown source: 7]."
    assert cited.unknown == ("7",)


def test_quoted_words_in_a_cite_tag_are_the_quote_where_they_stand_in_the_document() -> None:
    text = 'Costs go up <cite doc="cost report.pdf" page="7">costs  rise by 3 %</cite> a year.'
    cited = resolve(text, EVIDENCE)
    assert cited.text == "Costs go up costs  rise by 3 % [cost report.pdf p.7] a year."
    assert cited.citations[0].quote == "Costs rise by 3 %"
    assert cited.sentences[0].text == "Costs go up costs rise by 3 % a year."


def test_quoted_words_that_are_not_in_the_document_are_never_shown_as_a_quote() -> None:
    cited = resolve('<cite doc="plan.pdf">The reserve covers 90 days</cite>.', EVIDENCE)
    assert cited.citations[0].quote == "The reserve covers 14 days."


def test_three_and_more_become_one_label_and_repeats_are_dropped() -> None:
    three = (
        *EVIDENCE.groups[:2],
        EvidenceGroup("id-x.pdf", "x.pdf", "X", (passage("x.pdf", 2, "Two weeks suffice."),)),
    )
    evidence = Evidence("question", INTENT, three)
    cited = resolve("All say two weeks [1][2] [3], [1]. Some add [x.pdf p.2].", evidence)
    assert cited.text == "All say two weeks [1-3: plan.pdf p.3, cost report.pdf p.7, x.pdf p.2]. Some add [x.pdf p.2]."
    assert [sentence.citations for sentence in cited.sentences] == [(1, 2, 3), (3,)]
    found = Answer("i", "q", INTENT, cited.text, "", cited.sentences, cited.citations, evidence, Coverage(), "m")
    assert [piece.n if isinstance(piece, Citation) else piece for piece in segments(found)] == [
        "All say two weeks ", 1, 2, 3, ". Some add ", 3, ".",
    ]  # fmt: skip


def test_markers_in_a_table_and_in_right_to_left_text_are_found() -> None:
    cited = resolve("| Item | Days |\n|---|---|\n| Reserve | 14 [1] |\n\nהמלאי מספיק לשבועיים [2].", EVIDENCE)
    assert [citation.document for citation in cited.citations] == ["plan.pdf", "cost report.pdf"]
    assert "| Reserve | 14 [plan.pdf p.3] |" in cited.text


def test_real_assistants_markers_are_all_parsed(shared_data: Path) -> None:
    checked = 0
    for line in (shared_data / "expertqa" / "rand_val.jsonl").read_text("utf-8").splitlines():
        for given in json.loads(line)["answers"].values():
            text = given["answer_string"]
            numbers = [int(number) for number in re.findall(r"\[(\d{1,2})\]", text)]
            if not numbers:
                continue
            passages = [passage(f"source {n}.pdf", n, f"Text of source {n}.") for n in range(1, max(numbers) + 1)]
            groups = tuple(EvidenceGroup(p.document_id, p.document_name, "", (p,)) for p in passages)
            cited = resolve(text, Evidence("question", INTENT, groups), passages=passages)
            assert re.search(r"\[\d{1,2}\]", cited.text) is None
            assert cited.unknown == ()
            assert {citation.document for citation in cited.citations} == {f"source {n}.pdf" for n in numbers}
            checked += len(numbers)
    assert checked > 1000


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


@pytest.mark.parametrize("name", ["report-2023.pdf", "report-2024 (2).pdf", "report-20244.pdf"])
def test_a_name_with_other_figures_is_another_document(name: str) -> None:
    report = passage("report-2024.pdf", 1, "The harbour earned 14 million euro.")
    evidence = Evidence("question", INTENT, (EvidenceGroup(report.document_id, report.document_name, "", (report,)),))
    cited = resolve(f"It earned 14 million euro [{name} p.1].", evidence)
    assert (cited.citations, cited.unknown) == ((), (f"{name} p.1",))
    misspelt = resolve("It earned 14 million euro [reprot-2024.pdf p.1].", evidence)
    assert [citation.document for citation in misspelt.citations] == ["report-2024.pdf"]


def test_two_documents_of_one_name_are_told_apart_however_they_are_written() -> None:
    first, second = (
        passage("lease.pdf", 1, "The rent is 900 euro."),
        passage("lease (2).pdf", 1, "The rent is 950 euro."),
    )
    groups = tuple(EvidenceGroup(p.document_id, p.document_name, "Lease", (p,)) for p in (first, second))
    evidence = Evidence("question", INTENT, groups)
    for written in (
        "[lease (2).pdf p.1]",
        "[lease (2) p.1]",
        "(lease (2).pdf, p. 1)",
        '<cite doc="lease (2).pdf"/>',
        "[2]",
    ):
        cited = resolve(f"The rent is 950 euro {written}.", evidence)
        assert [c.quote for c in cited.citations] == ["The rent is 950 euro."], written
        assert cited.text == "The rent is 950 euro [lease (2).pdf p.1]."
    cited = resolve("Rents differ [lease.pdf p.1; lease (2).pdf p.1].", evidence)
    assert [c.document_id for c in cited.citations] == ["id-lease.pdf", "id-lease (2).pdf"]


def test_reference_numbers_in_quoted_words_are_the_documents_own() -> None:
    paper = passage("paper.pdf", 4, "Older work [1] measured speed only, later work [2, 7] measured load.")
    evidence = Evidence("q", INTENT, (EvidenceGroup(paper.document_id, "paper.pdf", "", (paper,)), *EVIDENCE.groups))
    text = 'It says “Older work [1] measured speed only” [1] and "the reserve is small [2]".'
    cited = resolve(text, evidence)
    assert cited.text == (
        'It says “Older work [1] measured speed only” [paper.pdf p.4] and "the reserve is small [plan.pdf p.3]".'
    )
    assert cited.sentences[0].text == 'It says “Older work [1] measured speed only” and "the reserve is small".'
    tagged = resolve('<cite doc="paper.pdf" page="4">later work [2, 7] measured load</cite>.', evidence)
    assert tagged.text == "later work [2, 7] measured load [paper.pdf p.4]."
    assert tagged.citations[0].quote == "later work [2, 7] measured load"


def test_a_models_marker_inside_its_quoted_words_is_no_part_of_the_quote() -> None:
    cited = resolve('<cite doc="plan.pdf" page="3">The reserve covers 14 days [1]</cite>.', EVIDENCE)
    assert cited.text == "The reserve covers 14 days [plan.pdf p.3]."
    assert cited.citations[0].quote == "The reserve covers 14 days"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<cite doc="plan.pdf"> It covers 14 days.', "[plan.pdf p.3] It covers 14 days."),
        ("It covers 14 days.</cite>", "It covers 14 days."),
        (
            '<cite doc="plan.pdf">It covers <cite doc="cost report.pdf">two weeks</cite></cite>.',
            "[plan.pdf p.3]It covers two weeks [cost report.pdf p.7].",
        ),
        ('<cite doc="plan.pdf">14 < 20 days</cite>.', "14 < 20 days [plan.pdf p.3]."),
    ],
)
def test_tags_that_are_not_closed_or_closed_twice_leave_no_tag_behind(text: str, expected: str) -> None:
    assert resolve(text, EVIDENCE).text == expected


def test_code_headings_and_the_head_row_of_a_table_are_no_sentences() -> None:
    text = (
        "## Agreed in 2020 [1]\n\n```python\nx = a[1]  # [plan.pdf p.3]\n```\n\n| Item | Days |\n|---|--:|\n"
        "| Reserve | 14 [1] |\n| Cost | |\n\nUse `[plan.pdf p.3]` so. It was agreed in 2020 [1]."
    )
    cited = resolve(text, EVIDENCE)
    assert [(s.text, s.citations) for s in cited.sentences] == [
        ("Reserve | 14", (1, 2)),
        ("Cost", ()),
        ("Use `[plan.pdf p.3]` so.", ()),
        ("It was agreed in 2020.", (1,)),
    ]
    assert "x = a[1]  # [plan.pdf p.3]\n```" in cited.text
    # the label in code stays code, the one after it opens its own quote
    found = Answer("i", "q", INTENT, cited.text, text, cited.sentences, cited.citations, EVIDENCE, Coverage(), "m")
    pieces = list(segments(found))
    assert [piece.n for piece in pieces if isinstance(piece, Citation)] == [1, 2, 1]
    assert sum("[plan.pdf p.3]" in piece for piece in pieces if isinstance(piece, str)) == 2


def test_an_answer_without_markers_keeps_its_sentences_and_cites_nothing() -> None:
    cited = resolve("The reserve covers 14 days. Costs rise.", EVIDENCE)
    assert cited.text == "The reserve covers 14 days. Costs rise."
    assert [(s.text, s.citations) for s in cited.sentences] == [
        ("The reserve covers 14 days.", ()),
        ("Costs rise.", ()),
    ]
    assert (cited.citations, cited.unknown) == ((), ())


@pytest.mark.parametrize(
    "piece",
    [
        "word[1]",
        "[1][2] ",
        "[(",
        "<cite>",
        '<cite doc="plan.pdf">',
        "“a ",
        '"b [1]" ',
        "`",
        "```",
        "|-",
        "| a [1] |\n",
        "¹",
    ],
)
def test_fifty_thousand_characters_of_anything_take_seconds_at_most(piece: str) -> None:
    text = (piece * (50_000 // len(piece) + 1))[:50_000]
    began = time.process_time()
    resolve(text, EVIDENCE)
    assert time.process_time() - began < 10


def test_quoted_words_begin_a_sentence_of_their_own() -> None:
    cited = resolve(
        'Costs are low <cite doc="cost report.pdf" page="7">as costs rise by 3 %</cite>. '
        '<cite doc="gone.pdf" page="9">Nothing was agreed</cite>. '
        '<cite doc="plan.pdf" page="3">The reserve covers 14 days.',
        EVIDENCE,
    )
    assert [(s.text, s.citations) for s in cited.sentences] == [
        ("Costs are low as costs rise by 3 %.", (1,)),
        ("Nothing was agreed.", ()),
        ("The reserve covers 14 days.", (2,)),
    ]
    assert cited.unknown == ("gone.pdf p.9",)
    assert "".join(cited.text[start:end] for start, end in cited.spans) == cited.text


def test_a_sentence_does_not_hide_behind_a_word_that_looks_like_an_abbreviation() -> None:
    cited = resolve("The reserve is low. It covers 99 days [plan.pdf p.3]. See fig. A there [plan.pdf].", EVIDENCE)
    assert [s.text for s in cited.sentences] == ["The reserve is low.", "It covers 99 days.", "See fig. A there."]


def test_the_quote_says_what_the_sentence_says_not_its_denial_nor_a_heading() -> None:
    text = (
        "Coverage for emergencies\n\nThe Gannet plan offers more coverage than the Basic plan. This plan offers "
        "coverage for emergencies, both at home and abroad, as well as dental care. The Basic plan does not offer "
        "coverage for emergencies, dental care, or anything abroad."
    )
    groups = (EvidenceGroup("id-a.pdf", "a.pdf", "A", (passage("a.pdf", 1, text),)),)
    cited = resolve(
        "The Gannet plan covers emergencies, both at home and abroad [a.pdf]. "
        "The Basic plan excludes emergencies [a.pdf].",
        Evidence("question", INTENT, groups),
    )
    assert [citation.quote.split(",")[0] for citation in cited.citations] == [
        "This plan offers coverage for emergencies",
        "The Basic plan does not offer coverage for emergencies",
    ]
