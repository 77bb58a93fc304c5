"""The quotes writer on small evidence: verbatim, cited, laid out by intent, and silent where nothing is said."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from multidoc_rag.answers.prompts import REFUSAL
from multidoc_rag.answers.quotable import LONGEST, is_quotable, units
from multidoc_rag.answers.quotes import NO_DIRECT_ANSWER, ONE_DOCUMENT, Composition, compose
from multidoc_rag.answers.salience import asked
from multidoc_rag.answers.themes import key_phrase
from multidoc_rag.config import Config
from multidoc_rag.language import content_words
from multidoc_rag.records import Evidence, EvidenceGroup, Intent, IntentName, Passage

CONFIG = Config()


class BagOfWords:
    """An Embedder without a model: content words hashed into 512 places."""

    name, fingerprint, dimension = "bag", "bag", 512
    calls = 0

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.calls += 1
        vectors = np.full((len(texts), self.dimension), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in content_words(text):
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def encode_query(self, text: str) -> np.ndarray:
        return self.encode([text])[0]


def passage(name: str, text: str, *, start: int = 0, page: int = 1, score: float = 1.0, kind: str = "text") -> Passage:
    return Passage(name, name, page, page, start, start + len(text), text, "", score, (1,), kind)  # type: ignore[arg-type]


def evidence(question: str, intent: IntentName, documents: dict[str, list[Passage]]) -> Evidence:
    groups = tuple(EvidenceGroup(name, name, "", tuple(passages)) for name, passages in documents.items())
    return Evidence(question, Intent(intent, 1.0), groups)


def ask(question: str, intent: IntentName, **texts: str) -> Composition:
    documents = {f"{name}.pdf": [passage(f"{name}.pdf", text)] if text else [] for name, text in texts.items()}
    return compose(evidence(question, intent, documents), embedder=BagOfWords(), config=CONFIG)


# --- quotes are exact --------------------------------------------------------------------------

SITE = (
    "3 Site security\nVisitors to the site must sign the register at the gate. The gate is staffed by two guards at\n"
    "night. Passwords for the gate terminal must have at least 14 characters. Lunch is served at noon."
)


def test_a_quote_is_the_document_between_its_offsets_and_stands_in_the_text() -> None:
    document = "x" * 500 + SITE
    turn = document.index("\nnight")
    found = evidence(
        "Who staffs the gate at night?", "extraction", {"site.pdf": [passage("site.pdf", SITE, start=500)]}
    )
    answer = compose(found, embedder=BagOfWords(), config=CONFIG, page_of=lambda _, at: 7 if at < turn else 8)
    first = answer.citations[0]
    assert first.quote == document[first.start : first.end] == "The gate is staffed by two guards at\nnight."
    assert (first.n, first.document, first.document_id, first.page) == (1, "site.pdf", "site.pdf", 7)
    assert [place.page for place in first.places] == [7, 8]  # it begins on 7 and ends on 8
    assert "- “The gate is staffed by two guards at night.” [site.pdf p.7]" in answer.text
    for citation in answer.citations:
        assert citation.quote == document[citation.start : citation.end]
        assert " ".join(citation.quote.split()) in answer.text


def test_without_a_page_lookup_the_first_page_of_the_passage_is_cited() -> None:
    answer = ask("Who staffs the gate at night?", "extraction", site=SITE)
    assert answer.citations[0].label == "[site.pdf p.1]"


def test_labels_in_the_text_follow_the_numbers_of_the_sentences() -> None:
    answer = ask("Compare the reserve of the plants.", "comparison", a=PLANT_A, b=PLANT_B, c=PLANT_A)
    by_number = {citation.n: citation.label for citation in answer.citations}
    order = [by_number[n] for sentence in answer.sentences for n in sentence.citations]
    assert re.findall(r"[abc]\.pdf p\.\d+(?=[\],])", answer.text) == [label[1:-1] for label in order]
    assert sorted(by_number) == list(range(1, len(answer.citations) + 1))


def test_sentences_cut_by_the_passage_are_not_quoted_while_whole_ones_are_there() -> None:
    text = "ended the lease of the depot in March. The depot was sold to the port in May. The depot has a roof that"
    found = units(evidence("depot", "extraction", {"d.pdf": [passage("d.pdf", text, start=90)]}))
    assert [unit.text for unit in found] == ["The depot was sold to the port in May."]


def test_cut_sentences_are_completed_from_the_document_where_it_can_be_read() -> None:
    document = "The lease ended in March. The depot was sold to the port in May. "
    document += "The depot has a roof that leaks in storms. End of it."
    start = document.index("ended")
    cut = passage("d.pdf", document[start : document.index(" that leaks")], start=start)
    found = units(evidence("depot", "extraction", {"d.pdf": [cut]}), text_between=lambda _, a, b: document[a:b])
    assert [unit.text for unit in found] == [
        "The lease ended in March.",
        "The depot was sold to the port in May.",
        "The depot has a roof that leaks in storms.",
    ]
    assert all(document[unit.start : unit.end] == unit.text for unit in found)


def test_a_lone_fragment_is_quoted_with_its_ellipsis_outside_the_quote() -> None:
    text = "and the depot lease ends in March unless the port renews the depot lease before"
    found = evidence("When does the depot lease end?", "extraction", {"d.pdf": [passage("d.pdf", text, start=90)]})
    answer = compose(found, embedder=BagOfWords(), config=CONFIG)
    assert f"- … “{text}” … [d.pdf p.1]" in answer.text
    assert answer.citations[0].quote == text


def test_overlapping_passages_complete_each_others_sentences() -> None:
    document = "The old crane was sold. The new crane lifts forty tonnes at ten metres. It needs two operators."
    found = evidence(
        "crane",
        "extraction",
        {"c.pdf": [passage("c.pdf", document[:50]), passage("c.pdf", document[40:], start=40)]},
    )
    assert [unit.text for unit in units(found)] == [
        "The old crane was sold.",
        "The new crane lifts forty tonnes at ten metres.",
        "It needs two operators.",
    ]


def test_rows_of_a_table_are_quoted_one_by_one_and_understood_by_their_header() -> None:
    table = "Grade Holiday Notice\nJunior clerk 25 days 1 month\nSenior clerk 30 days 3 months"
    found = evidence(
        "How many days of holiday has a senior clerk?", "extraction", {"t.pdf": [passage("t.pdf", table, kind="table")]}
    )
    answer = compose(found, embedder=BagOfWords(), config=CONFIG)
    assert answer.citations[0].quote == "Senior clerk 30 days 3 months"
    assert all("Grade Holiday" not in citation.quote for citation in answer.citations)


def test_a_heading_that_runs_into_a_sentence_is_not_quoted_with_it() -> None:
    text = "What the neighbours\ntold us\nNobody on the row was asked before the site was chosen."
    one = replace(passage("r.pdf", text), section="What the neighbours told us")
    found = units(evidence("row", "extraction", {"r.pdf": [one]}))
    assert [unit.text for unit in found] == ["Nobody on the row was asked before the site was chosen."]


def test_a_lead_in_takes_its_list_along() -> None:
    text = "Before entry each diver must show:\n• a medical certificate\n• a dive log\n• a permit of the harbour\n"
    text += "Divers work in pairs."
    found = units(evidence("divers", "extraction", {"d.pdf": [passage("d.pdf", text)]}))
    assert (
        found[0].shown
        == "Before entry each diver must show: • a medical certificate • a dive log • a permit of the harbour"
    )


@pytest.mark.parametrize(
    "text",
    [
        "4.2 Results and Discussion",
        "6.6 Insurance and handing over of risk",
        "Page 3 of 12",
        "Introduction .................... 4",
        "Smith, J. and Jones, A. (2004). Cranes at work. Journal of Ports, vol. 3, pp. 12-19.",
        "[7] A. Miller, B. Young. 2001. Parsing. In Proceedings of ACL, pages 1-8.",
        "Copyright 2021 Harbour Ltd, all rights reserved.",
        "12 34.5 17 8 | 99.1",
    ],
)
def test_headings_furniture_and_references_are_not_quotable(text: str) -> None:
    assert not is_quotable(text)


@pytest.mark.parametrize(
    "text", ["The reserve is 14 days.", "we found that Miller (2001) underestimates losses by half."]
)
def test_statements_are_quotable(text: str) -> None:
    assert is_quotable(text)


def test_an_endless_sentence_is_cut_at_its_semicolons() -> None:
    text = (
        "The tenant shall " + "; ".join(f"keep the {n} berth and its fenders in good repair" for n in range(20)) + "."
    )
    found = units(evidence("tenant", "extraction", {"l.pdf": [passage("l.pdf", text)]}))
    assert len(found) > 2
    assert max(len(unit.text) for unit in found) <= LONGEST


# --- layouts -----------------------------------------------------------------------------------

HELMETS = "Staff wear helmets in the turbine hall at all times."
PLANT_A = f"The water plant keeps a fuel reserve of 14 days. The plant was painted blue. {HELMETS}"
PLANT_B = f"The power plant keeps a fuel reserve of 30 days. {HELMETS} Nobody smokes there."


def test_a_comparison_shows_shared_words_as_common_ground_and_other_figures_side_by_side() -> None:
    answer = ask("Compare the fuel reserve and the helmets of staff in the plants.", "comparison", a=PLANT_A, b=PLANT_B)
    common, differences = answer.text.split("### Key differences, side by side")
    assert re.search(r"“Staff wear helmets in the turbine hall at all times.” (\[[ab].pdf p.1\] ?){2}\n", common)
    assert differences.index("14 days") < differences.index("30 days")
    assert "### Common ground" in common


def test_a_sentence_two_documents_share_is_shown_once_and_cites_both() -> None:
    answer = ask("Which helmets do staff wear in the turbine hall?", "extraction", a=PLANT_A, b=PLANT_B)
    assert answer.text.count("Staff wear helmets") == 1
    cited = {citation.n: citation.document for citation in answer.citations}
    assert [cited[n] for n in answer.sentences[0].citations] == ["a.pdf", "b.pdf"]


def test_other_figures_are_never_joined_into_one_sentence() -> None:
    answer = ask(
        "What fuel reserve do the plants keep?",
        "extraction",
        a="Every plant of the group keeps a fuel reserve of 14 days.",
        b="Every plant of the group keeps a fuel reserve of 15 days.",
    )
    assert "14 days" in answer.text
    assert "15 days" in answer.text


def test_a_synthesis_has_shared_themes_and_what_each_document_adds() -> None:
    answer = ask(
        "What do the documents say about flood risk at the quay?",
        "synthesis",
        a="Flood risk at the quay rises with every storm surge. The quay pumps fail in a flood because fuel runs out.",
        b="A storm surge brings flood risk to the quay each winter. Insurance of the quay against flood ended in 2020.",
    )
    themes, adds = answer.text.split("### What each document adds")
    assert "### Shared themes" in themes
    assert "Flood risk at the quay rises" in themes
    assert "brings flood risk to the quay" in themes
    assert "Insurance of the quay" in adds


def test_extraction_groups_bullets_by_document() -> None:
    answer = ask(
        "List the assumptions.",
        "extraction",
        a="We assume that demand grows by 2 % a year. The cover is green.",
        b="The model assumes a fuel price of 80 dollars. Printing took a week.",
    )
    assert re.findall(r"### (\S+)", answer.text) == ["a.pdf", "b.pdf"] or re.findall(r"### (\S+)", answer.text) == [
        "b.pdf",
        "a.pdf",
    ]
    assert "demand grows" in answer.text
    assert "fuel price" in answer.text
    assert "cover is green" not in answer.text


def test_a_look_up_puts_the_best_match_first() -> None:
    answer = ask(
        "How many characters must passwords for the gate have?",
        "extraction",
        site=SITE,
        other="A password is a secret. Nobody shares it.",
    )
    assert answer.text.startswith(
        "### Best match\n\n- “Passwords for the gate terminal must have at least 14 characters.”"
    )


def test_one_document_gets_plain_bullets_and_says_so_where_two_were_wanted() -> None:
    answer = ask("Compare how the documents describe the fuel reserve.", "comparison", a=PLANT_A, b="")
    assert "###" not in answer.text
    assert answer.text.startswith(ONE_DOCUMENT)


def test_documents_without_passages_and_without_quotes_are_named() -> None:
    answer = ask(
        "What fuel reserve does the plant keep?",
        "extraction",
        a=PLANT_A,
        b="",
        c="The choir sings on Sundays in the hall.",
    )
    assert answer.text.endswith("Read, with nothing closer to the question: c.pdf.\n\nNothing found in: b.pdf.")


def test_never_more_sentences_than_the_config_allows_and_one_call_to_the_embedder() -> None:
    text = " ".join(f"Berth number {n} of the harbour takes {n * 7} ships a year." for n in range(40))
    embedder = BagOfWords()
    found = evidence("Summarize the berths.", "synthesis", {f"{x}.pdf": [passage(f"{x}.pdf", text)] for x in "ab"})
    answer = compose(found, embedder=embedder, config=CONFIG)
    assert 0 < len(answer.sentences) <= CONFIG.quotes_sentences
    assert embedder.calls == 2  # all sentences, then the question
    assert all(sentence.citations for sentence in answer.sentences)


def test_the_same_evidence_gives_the_same_answer() -> None:
    assert ask("Compare the plants.", "comparison", a=PLANT_A, b=PLANT_B) == ask(
        "Compare the plants.", "comparison", a=PLANT_A, b=PLANT_B
    )


# --- silence -----------------------------------------------------------------------------------


@pytest.mark.parametrize("texts", [{"a": ""}, {"a": PLANT_A, "b": PLANT_B}])
def test_refuses_what_the_evidence_does_not_speak_to(texts: dict[str, str]) -> None:
    answer = ask("What is the capital of France?", "extraction", **texts)
    assert answer.refused
    assert answer.text == REFUSAL
    assert answer.citations == ()


def test_a_question_in_another_language_is_met_with_the_nearest_passages() -> None:
    answer = ask("Wie lange reicht der Vorrat an Treibstoff in dem Kraftwerk?", "extraction", a=PLANT_A)
    assert not answer.refused
    assert answer.text.startswith(NO_DIRECT_ANSWER)


# --- reading the question ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "intent", "generic", "cued", "direct"),
    [
        ("Summarize the main ideas across the documents.", "synthesis", True, False, False),
        ("What are the key assumptions and limitations?", "extraction", False, True, False),
        ("What is the minimum password length?", "extraction", False, False, True),
        ("When does the lease end?", "extraction", False, False, True),
        ("At what wind speed may the cable not be lowered?", "extraction", False, False, True),
        ("List all deadlines of the tender.", "extraction", False, False, False),
        ("When does the lease end?", "comparison", False, False, False),
    ],
)
def test_what_a_question_asks_for(question: str, intent: IntentName, generic: bool, cued: bool, direct: bool) -> None:
    read = asked(question, intent)
    assert (read.generic, read.cued, read.direct) == (generic, cued, direct)


def test_a_theme_is_named_by_words_its_sentences_share() -> None:
    found = units(
        evidence(
            "x",
            "synthesis",
            {
                "a.pdf": [
                    passage(
                        "a.pdf",
                        "Additionally the shore power supply fails in winter. The port has nine berths for ferries.",
                    )
                ],
                "b.pdf": [
                    passage(
                        "b.pdf",
                        "Engineers doubt that shore power supply can grow. The port employs many people in town.",
                    )
                ],
            },
        )
    )
    theme = [unit for unit in found if "shore" in unit.text]
    assert key_phrase(theme, found) == "Shore power supply"
