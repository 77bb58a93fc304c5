"""The evaluation: a slice of the sample collection from end to end, and E3 and E4 with a scripted model."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))

import evaluation  # noqa: E402
import experiment_answers  # noqa: E402
import experiment_checking  # noqa: E402
import experiment_conflicts  # noqa: E402
import experiment_order  # noqa: E402
from experiment import PAPER, Fact, Question, Reply, Setting, gold_questions, spread_sample, table  # noqa: E402
from experiment_prompts import hand_made, text_of  # noqa: E402
from rating_sheet import Pair, rating_sheet, tally  # noqa: E402

from multidoc_rag import Config, Library, MultiDocReasoner, metrics  # noqa: E402
from multidoc_rag.answers.citations import resolve  # noqa: E402
from multidoc_rag.answers.prompts import REFUSAL  # noqa: E402
from multidoc_rag.errors import WriterTimeout  # noqa: E402
from multidoc_rag.records import Citation, Place  # noqa: E402
from multidoc_rag.ui.evaluation_tab import evaluation_html  # noqa: E402
from multidoc_rag.writers.llm import ScriptedLLM  # noqa: E402

REPORT, ASSESSMENT = "annual-report-2024.pdf", "economic-assessment.pdf"
ASKED = ("q33", "q42", "q43", "q59")
RATES = [("Compare the two plans.", "comparison"), ("List all deadlines.", "extraction"), ("Summarise.", "synthesis")]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two of the seven PDFs, the questions that they answer alone and one that nothing answers."""
    folder = tmp_path_factory.mktemp("files")
    for name in (REPORT, ASSESSMENT):
        shutil.copy(ROOT / "evaluation_files" / name, folder)
    gold = json.loads((ROOT / "evaluation_files" / "gold.json").read_text("utf-8"))
    gold["questions"] = [question for question in gold["questions"] if question["id"] in ASKED]
    (folder / "gold.json").write_text(json.dumps(gold), "utf-8")
    lines = [json.dumps({"question": question, "intent": intent}) for question, intent in RATES]
    for name in ("routing_tune.jsonl", "routing_heldout.jsonl"):
        (folder / name).write_text("\n".join(lines), "utf-8")
    return folder


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index store that all runs of this file share."""
    return tmp_path_factory.mktemp("index")


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labelled sets of our own in the form of wice, expertqa and scifact: pumps, and what is said of them."""
    folder = tmp_path_factory.mktemp("labelled")
    for name in ("wice", "expertqa", "scifact"):
        (folder / name).mkdir()
    wice, experts, claims = [], [], []
    for n in range(12):
        runs = f"Pump {n} runs for {n + 3} hours a day and is oiled in spring."
        built = f"The hall of pump {n} was built by Adler and Sons in {1900 + n}."
        said = f"Pump {n} runs for {n + 3} hours a day." if n % 2 else f"Pump {n} was sold to a circus in Lisbon."
        label = "supported" if n % 2 else "not_supported"
        wice.append({"meta": {"id": f"w{n}"}, "claim": said, "evidence": [runs, "Pumps move water."], "label": label})
        told = [
            (f"Pump {n} runs for {n + 3} hours a day.", runs, "Complete"),
            (f"Its hall was built by Adler and Sons in {1900 + n}.", built, "Complete"),
            ("Elephants swim better than horses do.", built, "Incomplete"),
        ]
        rows = [{"claim_string": c, "evidence": [f"[1] http://x\n\n{e}"], "support": s} for c, e, s in told]
        experts.append({"answers": {"rr_model": {"claims": rows}}})
        agrees = n % 3 > 0
        said = f"Pump {n} runs for {n + 3 if agrees else n + 50} hours a day."
        claims.append([n, said, "SUPPORT" if agrees else "CONTRADICT", n])
    (folder / "wice" / "oracle_chunks_dev.jsonl").write_text("\n".join(map(json.dumps, wice)), "utf-8")
    (folder / "expertqa" / "rand_val.jsonl").write_text("\n".join(map(json.dumps, experts)), "utf-8")
    with (folder / "scifact" / "claims_train.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "claim", "evidence_label", "evidence_doc_id"], *claims])
    with (folder / "scifact" / "corpus_train.csv").open("w", encoding="utf-8", newline="") as file:
        texts = [[n, f"Pump {n}", f"['Pump {n} runs for {n + 3} hours a day.']"] for n in range(12)]
        csv.writer(file).writerows([["doc_id", "title", "abstract"], *texts])
    return folder


@pytest.fixture(scope="module")
def run(files: Path, index: Path, labelled: Path) -> Callable[..., int]:
    """`python examples/evaluation.py` on the slice."""

    def call(out: Path, *more: str, among: Path = files) -> int:
        places = ["--index", str(index), "--files", str(among), "--labelled", str(labelled), "--out", str(out)]
        return evaluation.main([*places, *more])

    return call


@pytest.fixture
def setting(files: Path, index: Path, run: Callable[..., int], tmp_path: Path) -> Iterator[Setting]:
    """The indexed slice, for runs with a scripted model."""
    run(tmp_path, "--only", "E2")
    config = replace(Config(), temperature=0.0, max_tokens=300, context_tokens=4096)
    with Library.open(index, collection="evaluation", config=config) as library:
        yield Setting(library, config, files, limit=1)


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


# --- the whole command ---------------------------------------------------------------------------


def test_quotes_only_from_end_to_end(
    run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(tmp_path, "--date", "2026-01-02")
    names = ["e1_routing.json", "e2_prompts.json", "e3_answers.json", "e4_order.json"]
    names += ["e5_verification.json", "e6_conflicts.json", "evaluation_chunks.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    results = {name: read(tmp_path / name) for name in names}
    for name in names[:-1]:
        writer = "none" if name == "e6_conflicts.json" else "quotes"  # nobody writes the ledger
        assert (results[name]["model"], results[name]["date"]) == (writer, "2026-01-02")
        assert len(results[name]["config_fingerprint"]) == 12
        assert results[name]["collection"]["documents"] == 2
    checks = [check for name in names[:-1] for check in results[name]["checks"]]
    assert code == 0
    assert all(check["passed"] or check["target"] for check in checks)

    routing = {row["set"]: row for row in results["e1_routing.json"]["sets"]}
    assert (routing["the paper's Q1-Q5"]["right"], routing["the paper's Q1-Q5"]["questions"]) == (5, 5)
    assert routing["routing_heldout"]["questions"] == routing["all held-out sets"]["questions"] == 3
    assert not any(question in (tmp_path / "e1_routing.json").read_text("utf-8") for question, _ in RATES)

    prompts = results["e2_prompts.json"]
    assert prompts["groups"][0]["group"] == "the paper's four"
    assert [check["name"] for check in prompts["checks"] if not check["passed"]] == []
    assert [check["name"] for check in prompts["checks"]][:4] == [
        "E2 the synthesis prompt holds doc1.pdf",
        "E2 the synthesis prompt holds doc2.pdf",
        "E2 the comparison prompt groups passages by document",
        "E2 the extraction prompt speaks of assumptions",
    ]

    answers = results["e3_answers.json"]
    assert answers["flat against structured"] == "not applicable: quotes-only reads no prompt"
    assert [row["id"] for row in answers["answers"]] == list(ASKED)
    summary = answers["summary"]
    assert (summary["answerable questions"], summary["unanswerable questions"], summary["gold facts"]) == (3, 1, 3)
    by_id = {row["id"]: row for row in answers["answers"]}
    assert by_id["q43"]["facts_found"] == 1  # who chairs the board: the plainest of look-ups
    assert summary["sentences (most)"] <= 12

    places = results["e4_order.json"]["places"]
    variants = [(row["evidence"], row["strategy"], row["reorder"]) for row in places]
    assert variants == [
        (source, strategy, reorder)
        for source in ("dense", "selected")
        for strategy in ("flat", "structured")
        for reorder in (False, True)
    ]
    for row in places:
        assert row["first_third"] + row["middle_third"] + row["last_third"] == pytest.approx(1, abs=3e-4)
    assert len({row["gold"] for row in places[:4]}) == 1  # ordering loses no passage and adds none

    verified = results["e5_verification.json"]
    assert [(row["set"], row["claims"]) for row in verified["labelled_sets"]] == [
        ("wice", 12),
        ("expertqa", 36),
        ("scifact", 12),
    ]
    [summary] = verified["answers"]
    said = sum(row["sentences"] for row in answers["answers"] if not row["refused"])
    assert summary["sentences"] == summary["exact quotes"] == said > 0
    assert (summary["grounding rate"], summary["labels to nothing"], summary["citation precision"]) == (1.0, 0, 1.0)
    assert {row["passed"] for row in verified["checks"] if not row["target"]} == {True}

    conflicts = results["e6_conflicts.json"]
    assert conflicts["pairs left out"] == "43 of 55: a document of theirs is not in the collection"
    assert (conflicts["summary"]["planted conflicts"], conflicts["summary"]["recall"]) == (6, 1.0)
    assert conflicts["summary"]["look-alikes called a conflict"] == 0
    assert sum(row["planted"] for row in conflicts["near_conflicts"]) == conflicts["summary"]["look-alikes"] == 6

    chunks = results["evaluation_chunks.json"]
    assert chunks["retrieval"] == {"mode": "dense", "k": 6, "score": "cosine"}
    assert [row["id"] for row in chunks["questions"]] == ["Q1", "Q2", "Q3", "Q4", "Q5", *ASKED]
    assert [row["question"] for row in chunks["questions"]][:5] == [question for question, _ in PAPER]
    for row in chunks["questions"]:
        assert len(row["chunks"]) == 6
        assert all(sorted(c) == ["chunk_id", "page_range", "score", "source_pdf", "text"] for c in row["chunks"])
        scores = [chunk["score"] for chunk in row["chunks"]]
        assert scores == sorted(scores, reverse=True)
        assert {chunk["source_pdf"] for chunk in row["chunks"]} <= {REPORT, ASSESSMENT}

    printed = capsys.readouterr().out
    tab = evaluation_html(tmp_path)
    for shown in (
        "e5_verification.json",
        "Verdicts and grounding",
        "grounding rate",
        "e6_conflicts.json",
        "look-alike",
    ):
        assert shown in tab
    for line in ("the paper's Q1-Q5", "the paper's four         4       4", "gold facts found", "an end, any passage"):
        assert line in printed
    assert "checks and targets passed" in printed

    # the same run again: nothing is read anew, and every file is the same to the byte
    before = {name: (tmp_path / name).read_bytes() for name in names}
    assert run(tmp_path, "--date", "2026-01-02") == code
    assert "Collection evaluation: 2 unchanged" in capsys.readouterr().out
    assert {name: (tmp_path / name).read_bytes() for name in names} == before


def test_a_missed_target_is_reported_and_a_failed_check_ends_with_1(
    run: Callable[..., int], files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = read(files / "gold.json")
    for question in gold["questions"]:
        for fact in question["facts"]:
            fact["needles"] = ["words that stand nowhere"]
    folder = tmp_path / "files"
    shutil.copytree(files, folder)
    (folder / "gold.json").write_text(json.dumps(gold), "utf-8")
    assert run(tmp_path / "out", "--only", "e3", among=folder) == 0
    printed = capsys.readouterr().out
    assert "missed  E3 quotes-only finds 0.8 of the gold facts  0 of 3 = 0.000" in printed
    assert not (tmp_path / "out" / "e1_routing.json").exists()
    (folder / "damaged.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    assert run(tmp_path / "out", "--only", "e3", among=folder) == 1
    assert "FAILED  the sample collection is indexed" in capsys.readouterr().out


def test_wrong_usage_and_a_model_that_is_not_there(
    run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(tmp_path, "--only", "E1,E9")
    assert ended.value.code == 2
    assert "--only knows E1, E2, E3, E4, E5, E6, not E9" in capsys.readouterr().err
    assert run(tmp_path, "--questions", "q42,q999") == 1
    assert "gold.json has no question q999" in capsys.readouterr().err
    assert run(tmp_path, "--llm", "telepathy:me") == 1
    assert capsys.readouterr().err.startswith("The evaluation stopped: 'telepathy:me' does not name a language model")


# --- E3 with a model -----------------------------------------------------------------------------

QUESTION = Question(
    "g1",
    "Compare how different documents describe the same concept or methodology.",
    "comparison",
    (Fact("doc1.pdf", 1, "The reserve must cover 14 days.", ("14 days",)), Fact("doc2.pdf", 2, "", ("fell in 2022",))),
)
ANSWER = """### Common ground
- Both have a reserve to cover days [doc1.pdf p.1] [doc2.pdf p.1].
### Key differences
- The reserve must cover 14 days [doc1.pdf p.1], prices rose by 3.5 % [doc1.pdf p.2].
- Prices fell in 2022.
- The reserve must cover 99 days [doc1.pdf p.1].
- Demand is constant [doc7.pdf p.1]."""


def test_measures_of_one_answer() -> None:
    prompt = MultiDocReasoner(config=Config()).build_prompt(QUESTION.text, hand_made())
    row = experiment_answers.measured(Reply(ANSWER, resolve(ANSWER, prompt.evidence)), prompt, QUESTION)
    assert (row["documents_read"], row["documents_cited"]) == (3, 2)
    assert row["coverage"] == pytest.approx(2 / 3)
    assert (row["labels"], row["labels_valid"]) == (6, 5)
    assert row["citation_validity"] == pytest.approx(5 / 6)
    assert row["sentences"] == 5
    assert row["cited_sentences"] == pytest.approx(3 / 5)
    assert row["schema_followed"] == pytest.approx(2 / 3)  # contradictions are missing
    assert row["largest_share"] == pytest.approx(4 / 5)
    assert row["F1"] is True
    assert (row["facts"], row["facts_said"], row["facts_cited"]) == (2, 2, 1)
    assert (row["F3"], row["F3_of"]) == (1, 3)  # 99 stands in no passage
    assert row["refused"] is False


def test_measures_where_there_is_nothing_to_measure() -> None:
    prompt = MultiDocReasoner(config=Config()).build_prompt(QUESTION.text, hand_made())
    refusal = experiment_answers.measured(Reply(REFUSAL, resolve(REFUSAL, prompt.evidence)), prompt, QUESTION)
    assert refusal["refused"] is True
    assert (refusal["citation_validity"], refusal["F1"], refusal["evenness"], refusal["F3_of"]) == (None, None, 0.0, 0)
    failed = experiment_answers.measured(
        Reply("", resolve("", prompt.evidence), "WriterTimeout: late"), prompt, QUESTION
    )
    assert set(failed) == set(refusal)
    assert set(failed.values()) == {None}


def test_schema_headings_come_from_the_prompts_own_schema() -> None:
    reasoner = MultiDocReasoner(config=Config())
    headings = [
        experiment_answers.schema_headings(reasoner.build_prompt(question, hand_made()))
        for question, _ in (PAPER[0], PAPER[2], PAPER[3])
    ]
    assert headings[0] == ["Overview", "Shared themes", "What each document adds", "Combined summary"]
    assert headings[1] == ["Common ground", "Key differences", "Contradictions and edge cases"]
    assert sorted(headings[2]) == ["doc1.pdf", "doc2.pdf", "doc3.pdf"]
    assert experiment_answers.schema_headings(reasoner.build_prompt(PAPER[0][0], hand_made(["doc1.pdf"]))) == []


def test_e3_compares_designs_under_the_same_passages(setting: Setting) -> None:
    late = WriterTimeout("The server was late.")
    same = ["Salt is a risk.", "Salt is a risk."]
    # Q2, Q3, Q4 and a gold question, three designs each, two orders each
    replies: list[str | BaseException] = [*same, *same, *same] * 3
    replies += ["First answer here.", "Nothing alike whatsoever!", late, "An answer.", *same]
    model = ScriptedLLM(replies, name="scripted")
    outcome = experiment_answers.run_model(replace(setting, llm=model))
    assert [check.passed for check in outcome.checks] == [True]
    record = outcome.as_json()
    assert (record["model"], record["questions"], record["temperature"]) == ("scripted", 4, 0.0)
    arms = {arm["arm"]: arm for arm in record["arms"]}
    assert [arms[name]["F2 other order, other answer"] for name in ("C1", "C2", "C3")] == ["1 of 4", "0 of 3", "0 of 4"]
    assert [arms[name]["F4 failures"] for name in ("C1", "C2", "C3")] == ["0 of 8", "1 of 8", "0 of 8"]
    assert arms["C1"]["F1 one document dominates"] == "0 of 0"  # nothing was cited
    assert arms["C2"]["answers"] == 3
    assert record["answers"][10]["failures"] == ["WriterTimeout: The server was late."]

    # C1 and C2 read the same six passages, C3 more of them; the second prompt turns the first one's order around
    first = [message for asked in model.asked for message in asked if message.role == "user"]
    texts = [hit.chunk.text for hit in setting.paper_hits(PAPER[1][0])]
    assert first[0].content.index(texts[0]) < min(first[0].content.index(text[-200:]) for text in texts[1:])
    assert all(text[-200:] in first[2].content for text in texts)
    orders = [
        [line for line in message.content.splitlines() if line.startswith((f"[{REPORT}", f"[{ASSESSMENT}"))]
        for message in first[:2]
    ]
    assert len(orders[0]) > 2
    assert orders[1] == orders[0][::-1]
    passages = {row["arm"]: row["passages"] for row in record["answers"][:3]}
    assert passages["C1"] == passages["C2"] <= 6 < passages["C3"]

    # resumed: replies that came are kept, only the failed one is asked for again
    again = ScriptedLLM(["An answer."], name="scripted")
    resumed = experiment_answers.run_model(replace(setting, llm=again)).as_json()
    assert len(again.asked) == 1
    assert resumed["arms"][1]["F4 failures"] == "0 of 8"

    sheet = setting.files.parent
    evaluation.write_rating_sheet(outcome, sheet, seed=1)
    key = read(sheet / "rating_sheet.key")
    assert sorted(row["question"] for row in key["order"]) == ["Q2", "Q3", "Q4"]  # one answer of the fourth is missing


# --- E4 --------------------------------------------------------------------------------------------


def test_e4_puts_the_gold_passage_where_it_says(setting: Setting) -> None:
    tests = experiment_order.needle_tests(setting, 1)
    question, fact, gold, _ = tests[0]
    assert metrics.holds_quote(gold.chunk.text, fact.quote)
    assert not any(metrics.needles_found(question.text, fact.needles))  # an echo of the question finds nothing
    found = f"It is {' and '.join(fact.needles)}."
    model = ScriptedLLM([found, "I do not know.", found], name="reader")
    record = experiment_order.run(replace(setting, llm=model)).as_json()
    prompts = [asked[-1].content for asked in model.asked]
    assert [len(_places(text)) for text in prompts] == [9, 9, 9]
    held = [text.index(gold.chunk.text) for text in prompts]
    ranks = [sum(place < at for place in _places(text)) for text, at in zip(prompts, held, strict=True)]
    assert ranks == [1, 5, 9]  # labels that stand before the gold text: its own, and those in front of it
    assert [row["gold passage"] for row in record["positions"]] == ["start", "middle", "end"]
    assert [row["share"] for row in record["positions"]] == [1.0, 0.0, 1.0]
    assert [row["all needles found"] for row in record["positions"]] == [1.0, 0.0, 1.0]
    assert {row["id"] for row in record["answers"]} == {question.id}
    assert all(check["passed"] for check in record["checks"])


def _places(text: str) -> list[int]:
    """Where the labels over the passages stand."""
    return [match.start() for match in re.finditer(r"(?m)^\[\S+\.pdf p\.", text)]


# --- E5 --------------------------------------------------------------------------------------------


def test_labelled_sets_are_measured_as_shipped_and_held_out(run: Callable[..., int], tmp_path: Path) -> None:
    assert run(tmp_path, "--only", "E5") == 0
    assert [path.name for path in tmp_path.iterdir()] == ["e5_verification.json"]
    results = read(tmp_path / "e5_verification.json")
    rows = {row["set"]: row for row in results["labelled_sets"]}
    assert rows["wice"]["AUC"] == 1.0  # elsewhere than in a circus, plainly
    assert all(0.8 <= rows["wice"][f"{way}AUC"] <= 1 for way in ("held out, ", "alone, "))
    assert rows["scifact"]["held out, AUC"] is None  # nothing is fitted to it
    labels = [(row["set"], row["label"], row["claims"]) for row in results["verdicts_by_label"]]
    assert labels == [
        ("wice", "not_supported", 6),
        ("wice", "supported", 6),
        ("expertqa", "Complete", 24),
        ("expertqa", "Incomplete", 12),
        ("scifact", "CONTRADICT", 4),
        ("scifact", "SUPPORT", 8),
    ]
    contradicted, supported = results["scifact"]
    assert contradicted["called contradicted"] == 4
    assert (supported["called contradicted"], supported["no objection (missed)"]) == (0, 8)
    assert results["answers"] == "none: e3_answers.json is not in the folder of results: run E3 into it first"
    [missing] = [check for check in results["checks"] if "answers" in check["name"]]
    assert (missing["passed"], missing["target"]) == (False, True)


def test_absent_sets_and_unusable_answers_are_said(
    run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "--only", "E5", "--labelled", str(tmp_path / "nothing")) == 0
    results = read(tmp_path / "e5_verification.json")
    assert [row["claims"].partition(":")[0] for row in results["labelled_sets"]] == ["skipped"] * 3
    assert [check["name"] for check in results["checks"]] == ["E5 the answers of E3 are there"]
    printed = capsys.readouterr().out
    assert "oracle_chunks_dev.jsonl is not there" in printed
    assert "missed  E5 the answers of E3 are there" in printed
    (tmp_path / "e3_answers.json").write_text('{"experiment": "E3"', "utf-8")
    assert run(tmp_path, "--only", "E5") == 1
    assert "e3_answers.json is no JSON" in capsys.readouterr().err
    old = {"model": "quotes", "collection": {}, "config_fingerprint": "", "answers": [{"id": "q42", "answer": "x"}]}
    (tmp_path / "e3_answers.json").write_text(json.dumps(old), "utf-8")
    assert run(tmp_path, "--only", "E5") == 1
    assert "before answers were kept with their citations: run E3 into" in capsys.readouterr().err


def test_citations_are_looked_up_in_the_collection(setting: Setting) -> None:
    library = setting.library
    page = library.page(REPORT, 1)
    quote = page.clean[200:320].strip()

    def why(document: str, number: int, text: str) -> str:
        return experiment_checking.ungrounded(library, Citation(1, document, "", (Place(number),), text))

    assert why(REPORT, 1, quote) == ""
    assert why(REPORT, 1, f"  {quote.replace(' ', chr(10))} ") == ""  # white space is no word
    assert why(REPORT, 2, quote) == why(REPORT, 1, f"{quote} indeed") == "the page has no such words"
    assert why(REPORT, 1, " ") == "the page has no such words"
    assert why(REPORT, 99, quote) == "no page of this number"
    assert why("annual-report-2025.pdf", 1, quote) == "no document of this name"


def test_a_false_quote_ends_with_1(run: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, "--only", "E3", "--questions", "q43")
    answers = read(tmp_path / "e3_answers.json")
    row = answers["answers"][0]
    row["citations"][0]["quote"] += " Everybody agreed."
    (tmp_path / "e3_answers.json").write_text(json.dumps(answers), "utf-8")
    capsys.readouterr()
    assert run(tmp_path, "--only", "E5", "--labelled", str(tmp_path)) == 1
    printed = capsys.readouterr().out
    assert "FAILED  E5 every citation that is not marked as unknown stands on its page" in printed
    assert "FAILED  E5 every sentence of quotes-only is an exact quote" in printed
    [fault] = read(tmp_path / "e5_verification.json")["not_as_they_should_be"]
    assert (fault["what"], fault["why"], fault["id"]) == ("citation", "the page has no such words", "q43")


def test_a_models_replies_are_held_against_the_prompts_they_answered(setting: Setting, tmp_path: Path) -> None:
    board = next(question for question in gold_questions(setting.files) if question.id == "q43")
    evidence = experiment_answers.evidence_for(setting, board, 6)
    passage = evidence.passages[0]
    sentence = " ".join(passage.text.split(". ")[1].split())
    good = f"{sentence} [{passage.document_name} p.{passage.page_start}]."
    replies = [*["I cannot say."] * 6 * 3, good, good, "Whales sing in deep water [whales.pdf p.3].", "x.", good, good]
    config = replace(setting.config, context_tokens=3000)
    scripted = replace(setting, llm=ScriptedLLM(replies, name="reader of E5"), chosen=("q43",), config=config)
    outcome = experiment_answers.run_model(scripted)
    evaluation.save(tmp_path / "e3_answers.json", outcome.as_json())

    # without the model, and with another window in the settings
    checked = experiment_checking.run(setting, tmp_path, tmp_path / "nothing").as_json()
    assert checked["model"] == "reader of E5"
    arms = {row["arm"]: row for row in checked["answers"]}
    assert [arms[name]["answers"] for name in ("C1", "C2", "C3")] == [4, 4, 4]
    assert (arms["C1"]["labels"], arms["C1"]["grounding rate"], arms["C1"]["citation precision"]) == (1, 1.0, 1.0)
    assert (arms["C2"]["labels"], arms["C2"]["labels to nothing"], arms["C2"]["grounding rate"]) == (1, 1, 0.0)
    assert arms["C2"]["citation precision"] is None  # no citation, nothing to be precise about
    assert [check["passed"] for check in checked["checks"]] == [True, True]
    whales = [fault for fault in checked["not_as_they_should_be"] if "Whales" in fault["text"]]
    assert [(fault["arm"], fault["what"]) for fault in whales] == [("C2", "unsupported")]


# --- E6 --------------------------------------------------------------------------------------------


def _side(document: str, quote: str) -> dict[str, Any]:
    return {"document": document, "page": 1, "quote": quote, "value": ""}


def _pair(identity: str, kind: str, one: str, other: str) -> dict[str, Any]:
    sides = [_side("a.pdf", one), _side("b.pdf", other)]
    return {"id": identity, "kind": kind, "subject": "pump", "measure": identity, "sides": sides}


def test_conflicts_are_held_against_what_was_planted() -> None:
    pairs = [
        _pair("c1", "conflict", "It runs for 3 hours.", "It runs for 4 hours."),
        _pair("c2", "conflict", "It is red.", "It is blue."),
        _pair("n1", "rounding", "It weighs 12.46 kg.", "It weighs about 12 kg."),
        _pair("n2", "other_scope", "It holds 4 l.", "Both hold 8 l."),
        _pair("n3", "other_unit", "It is 1 m long.", "It is 100 cm long."),
    ]
    found: list[dict[str, Any]] = [
        # the other way around, broken over a line, and with the sentence's neighbour
        {
            "kind": "conflict",
            "sides": [_side("b.pdf", "It runs for 4\nhours."), _side("a.pdf", "Now: It runs for 3 hours.")],
        },
        {"kind": "conflict", "sides": [_side("a.pdf", "It holds 4 l."), _side("b.pdf", "Both hold 8 l.")]},
        {
            "kind": "rounding",
            "sides": [_side("a.pdf", "It weighs 12.46 kg."), _side("b.pdf", "It weighs about 12 kg.")],
        },
        {"kind": "superseded", "sides": [_side("a.pdf", "It is 1 m long."), _side("b.pdf", "It is 100 cm long.")]},
        {"kind": "conflict", "sides": [_side("a.pdf", "It is red."), _side("c.pdf", "It is blue.")]},
    ]
    result = experiment_conflicts.score(found, pairs)
    assert (result.right, result.wrong, result.called) == (1, 1, 3)
    assert (result.recall, result.precision) == (0.5, pytest.approx(1 / 3))
    assert [pair["id"] for pair in result.missed] == ["c2"]
    assert [pair["id"] for pair in result.mistaken] == ["n2"]
    assert result.unplanned == (found[4],)
    kinds = {row["look-alike"]: list(row.values())[2:] for row in experiment_conflicts.near_by_kind(result)}
    # named rightly, called a conflict, another name, nothing
    assert kinds == {"rounding": [1, 0, 0, 0], "other_scope": [0, 1, 0, 0], "other_unit": [0, 0, 1, 0]}
    nothing = experiment_conflicts.score([], [])
    assert (nothing.recall, nothing.precision) == (None, None)


# --- the rating sheet ------------------------------------------------------------------------------


def test_rating_sheet_hides_names_and_needs_nothing_from_outside() -> None:
    pairs = [
        Pair(
            f"g{n}",
            f"Is {n} < {n + 1}?",
            (("flat-design", f"<script>x{n}</script>"), ("ours-design", f"![](http://x/{n})")),
        )
        for n in range(8)
    ]
    page, key = rating_sheet(pairs, seed=3)
    assert "flat-design" not in page
    assert "ours-design" not in page
    assert "<script>x" not in page
    assert "&lt;script&gt;x0&lt;/script&gt;" in page
    assert page.count("<script>") == 1
    assert not any(mark in page for mark in ("src=", "<link", "@import", "url(", "<img", 'href="'))
    assert "default-src 'none'" in page
    assert page.count("<fieldset>") == 8 * 4
    assert rating_sheet(pairs, seed=3) == (page, key)
    assert rating_sheet(pairs, seed=4)[1]["order"] != key["order"]
    assert {row["left"] for row in key["order"]} == {"flat-design", "ours-design"}  # sides change

    # the key says truly what stands on the left
    first = key["order"][0]
    number = first["question"][1:]
    shown = {"flat-design": f"&lt;script&gt;x{number}", "ours-design": f"![](http://x/{number})"}
    assert page.index(shown[first["left"]]) < page.index(shown[first["right"]])


def test_ratings_are_opened_with_their_key_only() -> None:
    _, key = rating_sheet(
        [Pair("g1", "Q?", (("C1", "a"), ("C2", "b"))), Pair("g2", "R?", (("C1", "a"), ("C2", "b")))], seed=1
    )
    sides = {row["question"]: {row["left"]: "left", row["right"]: "right"} for row in key["order"]}
    ratings = [
        {"question": "g1", "criterion": "overall", "choice": sides["g1"]["C2"]},
        {"question": "g2", "criterion": "overall", "choice": sides["g2"]["C2"]},
        {"question": "g2", "criterion": "citations", "choice": "same"},
    ]
    assert tally(key, {"sheet": key["sheet"], "ratings": ratings}) == {"overall": {"C2": 2}, "citations": {"same": 1}}
    with pytest.raises(ValueError, match="ratings are of sheet other"):
        tally(key, {"sheet": "other", "ratings": ratings})


# --- metrics and small parts -----------------------------------------------------------------------


def test_evenness_and_dominance() -> None:
    assert metrics.evenness({"a": 2, "b": 2}, 2) == pytest.approx(1.0)
    assert metrics.evenness({"a": 4}, 2) == 0.0
    assert metrics.evenness({"a": 1, "b": 1}, 4) == pytest.approx(0.5)
    assert metrics.evenness({}, 3) == 0.0
    assert metrics.evenness({"a": 3}, 1) == 1.0
    assert metrics.largest_share({"a": 3, "b": 1}) == 0.75
    assert metrics.largest_share({}) == 0.0


@pytest.mark.parametrize(
    ("claim", "source", "grounded"),
    [
        ("The reserve must cover 14 days.", "A reserve covers 14 days of demand.", True),
        ("The reserve must cover 15 days.", "A reserve covers 14 days of demand.", False),
        ("It rose by 3.5 %.", "The price rose by 3.5 % that year.", True),
        ("Whales sing in deep water.", "The price rose by 3.5 % that year.", False),
    ],
)
def test_grounding_by_numbers_and_words(claim: str, source: str, grounded: bool) -> None:
    assert metrics.grounded_in(claim, source) is grounded


def test_headings_count_in_order_only() -> None:
    wanted = ["Common ground", "Key differences"]
    assert metrics.headings_followed("### Common ground\n- a\n**Key differences:** b", wanted) == 1.0
    assert metrics.headings_followed("### Key differences\n- a\n### Common ground\n- b", wanted) == 0.5
    assert metrics.headings_followed("There is common ground and there are key differences.", wanted) == 0.0
    assert metrics.headings_followed("anything", []) == 1.0


def test_quotes_are_found_across_line_ends_and_hyphens() -> None:
    assert metrics.holds_quote("was statis-\ntically  sound", "statistically sound")
    assert not metrics.holds_quote("was statistically sound", "statistically unsound")
    assert metrics.needles_found("It cost 3.1 °C and  MORE.", ["3.1 °C", "more.", "less"]) == [True, True, False]


def test_positions_and_thirds() -> None:
    assert [metrics.relative_position(i, 3) for i in range(3)] == [0.0, 0.5, 1.0]
    assert metrics.relative_position(0, 1) == 0.5
    assert metrics.thirds([0.0, 0.2, 0.5, 1.0]) == (0.5, 0.25, 0.25)
    assert metrics.thirds([]) == (0.0, 0.0, 0.0)


def test_samples_are_spread_and_tables_line_up() -> None:
    questions = [Question(str(n), "", "synthesis") for n in range(10)]
    assert [question.id for question in spread_sample(questions, 2)] == ["2", "7"]
    assert spread_sample(questions, None) == questions
    assert table(["name", "n"], [["a", 1], ["bcd", 0.5], ["e", None]]) == (
        "name      n\n----  -----\na         1\nbcd   0.500\ne         -"
    )
    assert (
        text_of(MultiDocReasoner(config=Config()).build_prompt("Summarise.", hand_made())).count("--- doc1.pdf ---")
        == 1
    )
