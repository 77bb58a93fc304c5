"""Verdicts on sentences: what is borne out, what is not, what is contradicted, and what is left alone."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

from multidoc_rag.cli import main
from multidoc_rag.config import Config
from multidoc_rag.errors import EmbeddingError
from multidoc_rag.figures.agreement import agrees
from multidoc_rag.figures.measures import Quantity
from multidoc_rag.figures.quantities import figures
from multidoc_rag.records import Citation, Embedder, Sentence
from multidoc_rag.verdicts.checking import CUT, Judgement, check_answer, check_sentence, check_text, unsupported_score
from multidoc_rag.verdicts.claims_text import claims, sentences, statement, unchecked_reason
from multidoc_rag.verdicts.verification import grounding


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    from multidoc_rag.vectors.embedding import load_embedder

    return load_embedder(Config())


PUMPS = (
    "The reserve lasts 14 days. It is refilled each spring from the northern well. Costs rose by 12 % in 2021, to 3.4 "
    "million dollars. All members must wear a badge in the hall.",
    "Alpha bought Beta on 5 March 2019. North has 5 pumps and South has 7 pumps. Smoking is prohibited in the hall. "
    "Some staff work at night. The pipe is 5 km long.",
    "Region | Sales\nNorth | 12\nSouth | 14",
)


@pytest.mark.parametrize(
    ("stated", "given", "same"),
    [
        ("5 km", "5000 m", True),
        ("5 km", "5000 km", False),
        ("3.1 miles", "5 km", True),
        ("68 °F", "20 °C", True),
        ("2 hours", "120 minutes", True),
        ("12 %", "12.4 %", True),
        ("12.4 %", "12 %", False),
        ("21 %", "12 %", False),
        ("12 percent", "12 %", True),
        ("2 percentage points", "2 %", False),
        ("1.2 million", "1,234,567", True),
        ("1.3 million", "1,234,567", False),
        ("about 1,200", "1,234", True),
        ("1,200", "1,234", False),
        ("more than 500", "523", True),
        ("more than 500", "480", False),
        ("up to 30 days", "a month", None),
        ("up to $1,500", "up to $1,000", False),
        ("up to $1,000", "up to $1,000", True),
        ("at most 5 %", "4 %", True),
        ("more than 400", "at least 412", True),
        ("at least 3 years", "at least 5 years", False),
        ("$3 million", "$3,000,000", True),
        ("$3 million", "€3 million", False),
        ("twenty-five", "25", True),
        ("5 March 2021", "2021-03-05", True),
        ("March 5, 2021", "05/03/2021", True),
        ("March 2021", "5 March 2021", True),
        ("5 March 2021", "March 2021", False),
        ("5 March 2021", "6 March 2021", False),
        ("2021", "5 March 2021", True),
    ],
)
def test_figures_agree_after_conversion_rounding_and_in_any_form(stated: str, given: str, same: bool | None) -> None:
    found = figures(given)
    if same is None:
        assert found == ()
    else:
        assert agrees(figures(stated)[0], found[0]) is same


def test_once_a_year_is_borne_out_by_annually(embedder: Embedder) -> None:
    passage = "Reviews of staff are held annually in March. Lamps are checked weekly."
    assert check_sentence("Reviews of staff are held once a year.", [passage], embedder=embedder).verdict == "supported"
    twice = check_sentence("Reviews of staff are held twice a year.", [passage], embedder=embedder)
    assert twice.verdict != "supported"


def test_school_years_are_years() -> None:
    assert [figure.text for figure in figures("during the 2018–19 and the 2020-2021 academic year")] == [
        "2018",
        "2020",
        "2021",
    ]


def test_a_range_shares_its_unit_and_labels_are_no_figures() -> None:
    low, high = figures("It takes 10-12 weeks.")
    assert isinstance(low, Quantity)
    assert isinstance(high, Quantity)
    assert (low.value, high.value, low.dimension) == (10 * 604800, 12 * 604800, "time")
    assert figures("See Section 3, Table 4 and passage 2 about COVID-19 [5], the third of one kind.") == ()


@pytest.mark.parametrize(
    ("sentence", "verdict", "reason"),
    [
        ("The reserve lasts 14 days [1].", "supported", ""),
        ("According to passage 1, the reserve lasts two weeks.", "supported", ""),
        ("Costs rose by 21 % in 2021.", "contradicted", "the passage says 12 %, the sentence 21 %"),
        ("The pipe is 5000 m long.", "supported", ""),
        ("The pipe is 6 km long.", "contradicted", "the passage says 5 km, the sentence 6 km"),
        ("Alpha bought Beta in March 2019.", "supported", ""),
        ("Alpha bought Beta on 2019-03-05.", "supported", ""),
        (
            "Alpha bought Beta on 6 March 2019.", "contradicted",
            "the passage says 5 March 2019, the sentence 6 March 2019",
        ),
        ("Beta bought Alpha in March 2019.", "contradicted", "the passage has alpha and beta the other way round"),
        ("Beta was bought by Alpha in March 2019.", "supported", ""),
        ("North has 7 pumps and South has 5 pumps.", "contradicted", "the passage gives 7 and 5 the other way round"),
        ("South has 7 pumps and North has 5 pumps.", "supported", ""),
        ("Smoking is allowed in the hall.", "contradicted", "the passage says “prohibited”, the sentence “allowed”"),
        ("Smoking is not prohibited in the hall.", "contradicted", "the sentence denies what the passage says"),
        ("Smoking is not allowed in the hall.", "supported", ""),
        ("All staff work at night.", "partly", "the passage says “Some”, the sentence all"),
        ("No staff work at night.", "contradicted", "the passage says “Some”, the sentence none"),
        ("Some staff work at night.", "supported", ""),
        ("Some members must wear a badge in the hall.", "supported", ""),
        ("Sales in South were 14.", "supported", ""),
        ("Sales in South were 12.", "contradicted", "the row “South” says 14, the sentence 12"),
        (
            "It is refilled each autumn from the northern well.", "contradicted",
            "the passage says “spring”, the sentence “autumn”",
        ),
        ("The reserve lasts 14 days and holds 900 litres.", "partly", "the evidence does not give 900 litres"),
    ],
)  # fmt: skip
def test_verdicts_with_their_reasons(embedder: Embedder, sentence: str, verdict: str, reason: str) -> None:
    judged = check_answer([sentence], PUMPS, embedder)[0]
    assert (judged.verdict, judged.reason) == (verdict, reason)
    assert (judged.score >= CUT) == (verdict == "supported")


def test_what_no_passage_speaks_of_is_unsupported_and_named(embedder: Embedder) -> None:
    said = "The chairman resigned after a scandal in Paris over stolen paintings."
    judged = check_answer([said], PUMPS, embedder)[0]
    assert judged.verdict == "unsupported"
    assert judged.reason == "the evidence does not mention Paris"


def test_several_claims_of_which_one_is_made_up(embedder: Embedder) -> None:
    text = "The reserve lasts 14 days, and the chief engineer receives a golden medal from the emperor."
    assert len(claims(text)) == 2
    judged = check_answer([text], PUMPS, embedder)[0]
    assert judged.verdict in ("partly", "unsupported")
    assert "golden" in judged.reason


def test_a_wrong_citation_is_corrected(embedder: Embedder) -> None:
    judged = check_answer(["The reserve lasts 14 days."], PUMPS, embedder, cited=[[1]])[0]
    assert judged.verdict != "supported"
    assert judged.correction == (0,)
    alone = check_sentence("The reserve lasts 14 days.", [PUMPS[1]], [PUMPS[0]], embedder=embedder)
    assert alone.correction == (1,)
    right = check_answer(["The reserve lasts 14 days."], PUMPS, embedder, cited=[[0]])[0]
    assert (right.verdict, right.correction, right.passage) == ("supported", (), 0)
    assert right.quote == "The reserve lasts 14 days."


@pytest.mark.parametrize(
    "sentence",
    [
        "## Findings", "**Key points**", "Here are the main points:", "What does it cover?", "In summary:", "Yes.",
        "Unable to answer based on given passages.", "The passages do not mention the price of the pump.",
        "I hope this helps!", "---", "[1][2]", "There is no information about salaries in the documents.",
    ],
)  # fmt: skip
def test_what_states_nothing_is_left_alone(sentence: str) -> None:
    assert unchecked_reason(sentence)
    assert check_answer([sentence], PUMPS)[0].verdict == "unchecked"


def test_lead_ins_markers_and_markup_are_no_part_of_the_statement() -> None:
    assert statement("1. **Cost:** According to passage 2, it is *cheap* [3][4-6].") == "Cost: it is cheap."
    assert statement("Based on the provided passages, dogs are loyal (Passage 1).") == "dogs are loyal."
    assert statement("The document states that water boils at 100 °C ².") == "water boils at 100 °C."
    assert sentences("# Title\n1. First point. Second point [1].\n\n| a | b |\n|---|---|\n") == [
        "# Title", "1. First point.", "Second point [1].", "| a | b | |---|---|",
    ]  # fmt: skip


def test_an_answer_is_as_good_as_its_worst_sentence(embedder: Embedder) -> None:
    good = "The reserve lasts 14 days. Some staff work at night. Smoking is prohibited in the hall."
    _, _, fine = check_text(good, PUMPS, embedder)
    _, judged, bad = check_text(good + " The emperor gave every engineer a golden medal in Vienna.", PUMPS, embedder)
    assert fine < CUT <= bad
    assert [each.verdict for each in judged[:3]] == ["supported"] * 3
    assert unsupported_score([Judgement("unchecked", 1.0)]) == unsupported_score([]) == 0.0


@pytest.mark.parametrize("passages", [(), ("",), ("  \n ",)])
def test_without_evidence_everything_is_unsupported(passages: tuple[str, ...]) -> None:
    judged = check_answer(["The reserve lasts 14 days."], passages)[0]
    assert (judged.verdict, judged.score, judged.passage) == ("unsupported", 0.0, -1)
    assert judged.reason == "there is no evidence to hold it against"


def test_right_to_left_and_other_scripts(embedder: Embedder) -> None:
    arabic = "يستمر الاحتياطي 14 يوما ويعاد ملؤه كل ربيع من البئر الشمالي."
    assert check_answer([arabic], [arabic], embedder)[0].verdict == "supported"
    wrong = check_answer([arabic.replace("14", "41")], [arabic], embedder)[0]
    assert wrong.verdict in ("partly", "contradicted", "unsupported")
    assert "41" in wrong.reason
    hebrew = "המאגר מספיק לארבעה עשר ימים בכל אביב."
    assert check_answer([hebrew], [hebrew], embedder)[0].verdict == "supported"
    german = "Die Reserve reicht 14 Tage und wird jeden Frühling aus dem nördlichen Brunnen gefüllt."
    assert check_answer([german], [german], embedder)[0].verdict == "supported"


def test_a_very_long_answer_takes_bounded_time() -> None:
    pattern = "Station {0} holds {1} pumps, and its keeper number {0} reports each spring."
    text = " ".join(pattern.format(number, number + 3) for number in range(700))
    assert len(text) > 50_000
    started = time.process_time()
    found, judged, _ = check_text(text, [" ".join(PUMPS)] * 15)
    assert len(found) == len(judged) == 700
    assert time.process_time() - started < 20
    blob = "a" * 50_000
    assert len(check_answer([blob, "1" * 50_000, "-" * 50_000, "(" * 20_000], PUMPS)) == 4


def test_the_same_answer_gets_the_same_verdicts(embedder: Embedder) -> None:
    said = ["The reserve lasts 14 days.", "Costs rose by 21 % in 2021.", "The emperor came."]
    assert check_answer(said, PUMPS, embedder) == check_answer(said, PUMPS, embedder)


# --- the entailment model -----------------------------------------------------------------------


@pytest.fixture
def tiny_model(tmp_path: Path) -> Path:
    """A cross-encoder of two layers with random weights, saved as a user would have it."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(0)
    folder = tmp_path / "tiny"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "reserve", "lasts", "14", "days", "."]
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        num_labels=3, id2label={0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_an_entailment_model_is_loaded_and_heard(tiny_model: Path, embedder: Embedder) -> None:
    from multidoc_rag.verdicts.entailment import load_entailment

    model = load_entailment(Config(entailment_model=str(tiny_model), model_downloads=False))
    pairs = [("The reserve lasts 14 days.", "The reserve lasts."), ("The reserve.", "14 days.")]
    shares = model(pairs)
    assert shares.shape == (2, 3)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(model(pairs[1:])[0], shares[1], atol=1e-5)
    assert model([]).shape == (0, 3)

    plain = check_answer(["The reserve lasts 14 days."], PUMPS, embedder)[0]
    heard = check_answer(["The reserve lasts 14 days."], PUMPS, embedder, entailment=model)[0]
    assert heard.score != plain.score

    def denies(pairs: list[tuple[str, str]]) -> np.ndarray:
        return np.tile([0.05, 0.05, 0.9], (len(pairs), 1))

    denied = check_answer(["The reserve lasts 14 days."], PUMPS, embedder, entailment=denies)[0]
    assert (denied.verdict, denied.reason) == ("contradicted", "the entailment model reads a contradiction")


def test_a_model_that_is_no_entailment_model_is_refused(tiny_model: Path) -> None:
    from multidoc_rag.verdicts.entailment import load_entailment

    settings = json.loads((tiny_model / "config.json").read_text())
    settings["id2label"] = {"0": "cat", "1": "dog", "2": "cow"}
    settings["label2id"] = {"cat": 0, "dog": 1, "cow": 2}
    (tiny_model / "config.json").write_text(json.dumps(settings))
    with pytest.raises(EmbeddingError, match="does not say which of its outputs means entailment"):
        load_entailment(Config(entailment_model=str(tiny_model), model_downloads=False))
    with pytest.raises(EmbeddingError, match="cannot be loaded"):
        load_entailment(Config(entailment_model=str(tiny_model / "nowhere"), model_downloads=False))


# --- the command line ---------------------------------------------------------------------------


def test_check_prints_the_contract(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    passages = [{"document": "plan.pdf", "text": text} for text in PUMPS]
    rows = [
        {"id": "a", "answer": "The reserve lasts 14 days.", "passages": passages},
        {"id": 7, "answer": "Here is the answer:\n- The reserve lasts 15 days.", "passages": passages},
        {"id": "c", "answer": "", "passages": []},
    ]
    file.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", encoding="utf-8")
    assert main(["check", "--file", str(file), "--json"]) == 0
    first, second, third = json.loads(capsys.readouterr().out)
    assert first["id"] == "a"
    assert first["unsupported"] < CUT
    assert {"text", "verdict", "score"} <= set(first["sentences"][0])
    assert second["id"] == 7
    assert second["unsupported"] >= CUT
    assert [each["verdict"] for each in second["sentences"]] == ["unchecked", "contradicted"]
    assert third == {"id": "c", "unsupported": 0.0, "sentences": []}

    assert main(["check", "--file", str(file)]) == 0
    assert "contradicted" in capsys.readouterr().out


@pytest.mark.parametrize(
    "line", ["nonsense", '{"answer": "x"}', '{"answer": 3, "passages": []}', "[]", '{"answer": "x", "passages": [3]}']
)
def test_check_names_the_line_it_cannot_read(capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": "a", "answer": "x", "passages": []}\n' + line + "\n", encoding="utf-8")
    assert main(["check", "--file", str(file), "--json"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Line 2 of ")
    assert err.count("\n") == 1
    assert main(["check", "--file", str(tmp_path / "none.jsonl"), "--json"]) == 1
    assert "could not be read" in capsys.readouterr().err


def test_what_stands_in_the_evidence_word_for_word_is_supported_whatever_stands_beside_it() -> None:
    rows = "Site | Pumps checked | Pumps replaced\nAlder | each | none\nBirch | each | 2"
    judgement = check_sentence("Alder | each | none", [rows])
    assert (judgement.verdict, judgement.score, judgement.reason) == ("supported", 0.95, "")
    assert check_sentence("Alder | each | 5", [rows]).verdict != "supported"


YARD = [
    "The north pump was replaced in 2019.",
    "The south pump runs for six hours a day.",
    "Valves are oiled in spring.",
]


@pytest.mark.parametrize("marker", ["[2]", "【2】", "²", "[south.pdf p.1]", '<cite doc="south.pdf">six hours</cite>'])
def test_a_foreign_answer_is_held_against_what_it_cites(marker: str) -> None:
    names = ["north.pdf", "south.pdf", "valves.pdf"]
    found, (judged,), unsupported = check_text(f"The south pump runs for six hours a day {marker}.", YARD, names=names)
    assert (judged.verdict, judged.passage, judged.correction) == ("supported", 1, ())
    assert (len(found), unsupported < 0.5) == (1, True)


def test_a_wrong_citation_of_a_foreign_answer_is_corrected_and_does_not_make_it_unsupported() -> None:
    _, (judged,), unsupported = check_text("The south pump runs for six hours a day [1].", YARD)
    assert (judged.verdict, judged.correction) == ("unsupported", (1,))
    assert judged.reason.endswith("; passage 2 says so")
    assert unsupported < 0.5


def test_a_marker_that_points_to_no_passage_leaves_all_of_them() -> None:
    _, (judged,), _ = check_text("The south pump runs for six hours a day [7].", YARD)
    assert (judged.verdict, judged.passage) == ("supported", 1)


def test_german_evidence_is_read_with_german_separators() -> None:
    passage = "Der Speicher fasst 1.500 Liter und wird jeden Herbst aus dem nördlichen Brunnen gefüllt."
    wrong = "Der Speicher fasst 2.500 Liter und wird jeden Herbst aus dem nördlichen Brunnen gefüllt."
    judgement = check_sentence(wrong, [passage])
    assert (judgement.verdict, judgement.reason) == (
        "contradicted",
        "the passage says 1.500 Liter, the sentence 2.500 Liter",
    )
    right = "Der Speicher fasst 1500 Liter und wird jeden Herbst aus dem nördlichen Brunnen gefüllt."
    assert check_sentence(right, [passage]).verdict == "supported"


COSTS = "The outturn capital cost of phase one was EUR 34.9 million. We arrived at this sum from the land register."


def test_a_sentence_may_name_the_document_where_its_passage_does_not() -> None:
    names = ["economic-assessment.pdf Economic Assessment of the Harbour"]
    said = "In the Economic Assessment the outturn capital cost of phase one was EUR {} million."
    [wrong] = check_answer([said.format("39.4")], [COSTS], names=names)
    assert (wrong.verdict, wrong.reason) == (
        "contradicted",
        "the passage says EUR 34.9 million, the sentence EUR 39.4 million",
    )
    [right] = check_answer([said.format("34.9")], [COSTS], names=names)
    [unnamed] = check_answer([said.format("34.9")], [COSTS])
    assert right.verdict == "supported"
    assert unnamed.score < right.score


def test_a_passage_cited_for_what_it_denies_too_counts_once_for_each_sentence() -> None:
    citation = Citation(1, "a.pdf", "id", (), "words", verdict="supported")
    sentences = [Sentence("One.", (1,), "supported"), Sentence("Two.", (1,), "contradicted"), Sentence("Three.")]
    found = grounding(sentences, [citation])
    assert (found.citation_precision, found.citation_recall, found.cited_sentences) == (0.5, 0.5, 1.0)


def test_words_out_of_a_longer_sentence_are_not_verbatim_evidence() -> None:
    passage = "It is not true that the plan covers glasses for children. The desk opens at nine."
    assert check_sentence("The plan covers glasses for children.", [passage]).score < 0.95
    assert check_sentence("The desk opens at nine.", [passage]).score == 0.95
    # a quotation says no more than that the words stand there
    assert check_sentence("“the plan covers glasses for children”", [passage]).score == 0.95
