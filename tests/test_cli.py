"""The command line as a program sees it: JSON on standard output, one line on standard error, exit codes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from multidoc_rag import Library
from multidoc_rag.cli import main
from multidoc_rag.index.database import FILE_NAME

ROOT = Path(__file__).parents[1]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "plan.txt").write_text(
        "The reserve lasts 14 days. It is refilled each spring from the northern well. " * 4
    )
    (folder / "costs.md").write_text(
        "# Costs\n\nCosts rise by three percent a year. The board reviews them in autumn.\n"
    )
    return folder


def test_from_folder_to_answer_in_json(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    store = ("--index", tmp_path / "store", "--json")
    code, out, err = run(capsys, "add", folder, *store)
    reports = json.loads(out)
    assert (code, err) == (0, "")
    assert [(r["document"], r["status"], r["pages"], r["unreadable_pages"]) for r in reports] == [
        ("costs.md", "added", 1, []),
        ("plan.txt", "added", 1, []),
    ]
    assert set(reports[0]) == {"path", "document", "status", "pages", "unreadable_pages", "chunks", "reason"}

    assert [r["status"] for r in json.loads(run(capsys, "add", folder, *store)[1])] == ["unchanged"] * 2

    listed = json.loads(run(capsys, "list", *store)[1])
    assert {"name", "id", "title", "pages", "chunks", "status", "added_at"} == set(listed[0])
    assert [d["name"] for d in listed] == ["costs.md", "plan.txt"]

    found = json.loads(run(capsys, "search", "How long does the reserve last?", "-k", 2, *store)[1])
    assert set(found) == {"question", "seconds", "hits"}
    assert set(found["hits"][0]) == {"rank", "score", "document", "pages", "chunk_id", "text", "ranks"}
    assert (found["hits"][0]["document"], found["hits"][0]["pages"]) == ("plan.txt", [1, 1])
    for mode in ("dense", "lexical", "rrf"):
        hits = json.loads(run(capsys, "search", "reserve", "--mode", mode, *store)[1])["hits"]
        assert hits[0]["document"] == "plan.txt"

    answer = json.loads(run(capsys, "ask", "How long does the reserve last?", *store)[1])
    assert "14 days" in answer["answer"]
    assert answer["citations"][0]["document"] == "plan.txt"
    assert answer["model"] == "quotes"

    prompt = json.loads(run(capsys, "prompt", "How long does the reserve last?", *store)[1])
    assert set(prompt) == {"intent", "strategy", "messages", "left_out"}
    assert "--- plan.txt ---" in prompt["messages"][1]["content"]

    assert json.loads(run(capsys, "doctor", *store)[1]) == {"ok": True, "findings": []}
    assert len(json.loads(run(capsys, "conversations", *store)[1])) == 1

    code, out, _ = run(capsys, "remove", "plan.txt", "nowhere.txt", *store)
    assert (code, json.loads(out)) == (
        0,
        [{"document": "plan.txt", "removed": True}, {"document": "nowhere.txt", "removed": False}],
    )
    hits = json.loads(run(capsys, "search", "How long does the reserve last?", *store)[1])["hits"]
    assert {hit["document"] for hit in hits} <= {"costs.md"}


def test_what_a_person_reads(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    store = ("--index", tmp_path / "store")
    _, out, _ = run(capsys, "add", folder, *store)
    assert "added" in out
    assert "plan.txt" in out
    _, out, _ = run(capsys, "ask", "How long does the reserve last?", *store)
    assert "[plan.txt p.1]" in out
    assert "References" in out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["ask", ""], 1, "The question is empty"),
        (["ask", "why " * 6000], 1, "more than the 4,000 allowed"),
        (["ask", "Why?"], 1, "There are no documents to ask yet"),
        (["search", "Why?", "--document", "nowhere.pdf"], 1, "nowhere.pdf"),
        (["add", "/nonexistent/file.pdf", "--collection", "x/y"], 1, "x/y"),
        (["search", "Why?", "--mode", "psychic"], 2, "psychic"),
        (["ask"], 2, "question"),
        (["dance"], 2, "dance"),
    ],
)
def test_errors_are_one_line_and_exit_codes_tell_them_apart(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], code: int, sentence: str
) -> None:
    options = [] if arguments[0] == "dance" else ["--index", str(tmp_path / "store"), "--json"]
    got, out, err = run(capsys, *arguments, *options)
    assert (got, out) == (code, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_add_of_nothing_readable_is_an_error_that_says_why(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "fake.pdf").write_text("not a pdf at all")
    (tmp_path / "empty.pdf").write_bytes(b"")
    code, out, _ = run(
        capsys, "add", tmp_path / "fake.pdf", tmp_path / "empty.pdf", "--index", tmp_path / "store", "--json"
    )
    reports = json.loads(out)
    assert code == 1
    assert [r["status"] for r in reports] == ["refused", "refused"]
    assert all(r["reason"].endswith(".") and "\n" not in r["reason"] for r in reports)


def test_route_reads_questions_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    questions = tmp_path / "questions.txt"
    questions.write_text("Summarize the main ideas across the documents.\n\nCompare both policies.\n")
    code, out, _ = run(capsys, "route", "--file", questions, "--json")
    assert code == 0
    assert [(r["question"], r["intent"]) for r in json.loads(out)] == [
        ("Summarize the main ideas across the documents.", "synthesis"),
        ("Compare both policies.", "comparison"),
    ]
    assert set(json.loads(out)[0]) == {"question", "intent", "confidence", "reasons", "second"}


def test_the_program_runs_as_a_module_and_knows_its_usage() -> None:
    result = subprocess.run([sys.executable, "-m", "multidoc_rag"], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 2
    assert "Usage: python -m multidoc_rag" in result.stderr


@pytest.mark.parametrize("command", [["list"], ["search", "Why?"], ["add", "README.md"]])
def test_an_index_that_can_be_no_folder_is_said(
    capsys: pytest.CaptureFixture[str], folder: Path, command: list[str]
) -> None:
    code, out, err = run(capsys, *command, "--index", folder / "plan.txt", "--json")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "plan.txt/default cannot be used" in err.replace("\\", "/")
    assert "--index" in err


@pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() == 0, reason="every file is readable here, for root and on Windows"
)
def test_a_file_without_permission_is_refused_alone(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    (folder / "costs.md").chmod(0)
    paths = (folder / "costs.md", folder / "plan.txt")
    code, out, _ = run(capsys, "add", *paths, "--index", tmp_path / "store", "--json")
    assert (code, [report["status"] for report in json.loads(out)]) == (0, ["refused", "added"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to one process")
def test_an_interrupted_add_says_so_and_keeps_what_was_done(folder: Path, tmp_path: Path) -> None:
    for number in range(1500):
        (folder / f"later{number:04}.txt").write_text(f"Notice {number} is about the pump of house {number}. " * 30)
    store = ("--index", str(tmp_path / "store"), "--json")
    command = [sys.executable, "-m", "multidoc_rag"]
    adding = subprocess.Popen(
        [*command, "add", str(folder), *store],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        # a test run in the background ignores the signal, and what it starts inherits that
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # seen in this process: starting another one to look would take longer than the rest of the add
    finished = 0
    while not finished:
        assert adding.poll() is None
        if (tmp_path / "store" / "default" / FILE_NAME).exists():
            with Library.open(tmp_path / "store") as library:
                finished = len(library.store.documents())
    adding.send_signal(signal.SIGINT)
    out, err = adding.communicate(timeout=60)
    assert (adding.returncode, out, err) == (1, "", "Stopped; what was finished is kept.\n")
    kept = json.loads(subprocess.run([*command, "list", *store], capture_output=True, text=True, cwd=ROOT).stdout)
    assert finished <= len(kept) < 1502
    assert {document["status"] for document in kept} == {"ready"}


@pytest.mark.slow
def test_every_awkward_pdf_in_one_command(
    capsys: pytest.CaptureFixture[str], shared_data: Path, tmp_path: Path
) -> None:
    """116 damaged, encrypted, empty and slow files: no crash, no hang, each refusal a sentence, good ones are in."""
    manifest = json.loads((shared_data / "pdf_robustness" / "manifest.json").read_text())
    folder = shared_data / "pdf_robustness"
    code, out, _ = run(
        capsys, "add", *[folder / entry["file"] for entry in manifest], "--index", tmp_path / "store", "--json"
    )
    reports = {r["path"]: r for r in json.loads(out)}
    assert code == 0
    assert len(json.loads(out)) == 116
    for report in reports.values():
        assert report["status"] in ("added", "refused", "unchanged")
        if report["status"] == "refused":
            assert report["reason"]
            assert "\n" not in report["reason"]
            assert "Traceback" not in report["reason"]
    for entry in manifest:
        report = reports[str(folder / entry["file"])]
        if entry["class_observed"] == "readable":
            assert report["status"] in ("added", "unchanged"), report
        if entry["class_observed"] == "encrypted_needs_password":
            # two of them PDFium opens without one
            assert report["status"] == "added" or "password" in report["reason"]
