"""The ledger of conflicts beside the documents: never ahead of them, never behind for good, and never slow."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from stored import WordEmbedder

from multidoc_rag import Config, Library
from multidoc_rag.disputes import ledger
from multidoc_rag.records import Progress
from multidoc_rag.ui.desk import Desk
from multidoc_rag.ui.intake import COMPARING, Intake

ROOT = Path(__file__).resolve().parent.parent
FEE = "# Fees\n\nWelcome to all.\n\nThe fee for a house is EUR {} a year.\n\nBring a pen of your own.\n"


def write(folder: Path, name: str, fee: int) -> Path:
    path = folder / name
    path.write_text(f"{FEE.format(fee)}\nThis is {name}.\n", "utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    for name, fee in (("a.md", 400), ("b.md", 250), ("c.md", 400)):
        write(folder, name, fee)
    return folder


def opened(tmp_path: Path, embedder: WordEmbedder | None = None) -> Library:
    return Library.open(tmp_path / "index", embedder=embedder or WordEmbedder())


def sides(found: tuple[dict[str, Any], ...]) -> list[list[tuple[str, str]]]:
    return [[(side["document"], side["value"]) for side in finding["sides"]] for finding in found]


def kept(library: Library) -> list[list[tuple[str, str]]]:
    """What the ledger holds now, with nothing compared first."""
    return sides(library.conflicts(update=False))


def test_a_document_that_leaves_takes_its_findings_along_at_once(tmp_path: Path, files: Path) -> None:
    with opened(tmp_path) as library:
        library.add(files)
        library.conflicts()
        both = [[("b.md", "EUR 250 a year"), ("a.md", "EUR 400 a year")]]
        assert len(kept(library)) == 2

        (files / "c.md").unlink()
        library.add(files, sync=True)
        assert kept(library) == both

        write(files, "a.md", 250)
        assert [report.status for report in library.add(files / "a.md")] == ["replaced"]
        assert kept(library) == []
        assert [document.name for document in library.uncompared()] == ["a.md"]

        write(files, "a.md", 400)
        library.add(files / "a.md")
        library.conflicts()
        assert len(kept(library)) == 1
        library.reembed(embedder=WordEmbedder("other"))
        assert kept(library) == []
        assert library.compare() == 2
        assert len(kept(library)) == 1

        library.remove(["b.md"])
        assert kept(library) == []


def test_sides_name_their_document_and_place_also_for_two_of_one_name(tmp_path: Path, files: Path) -> None:
    (tmp_path / "other").mkdir()
    elsewhere = write(tmp_path / "other", "a.md", 333)
    with opened(tmp_path) as library:
        library.add([files / "a.md", elsewhere])
        (finding,) = library.conflicts(boxes=True)
        ids = {document.name: document.id for document in library.documents()}
        assert {side["document_id"] for side in finding["sides"]} == set(ids.values())
        assert set(ids) == {"a.md", "a (2).md"}
        for side in finding["sides"]:
            assert ids[side["document"]] == side["document_id"]
            assert library.text(side["document_id"])[side["start"] : side["end"]] == side["quote"]
            assert side["places"] == [{"page": 1, "boxes": []}]  # a file without pages has no boxes


def test_a_quote_of_a_pdf_has_its_boxes(tmp_path: Path) -> None:
    report = ROOT / "evaluation_files" / "annual-report-2024.pdf"
    with opened(tmp_path) as library:
        library.add(report)
        document = library.document("annual-report-2024.pdf")
        text = library.text(document.id)
        start = text.index("\n", len(text) // 2) + 1
        quote = text[start : start + 60]
        conflict = {
            "kind": "conflict",
            "sides": [
                {"document": document.name, "document_id": document.id, "page": 4, "quote": quote, "start": start,
                 "end": start + 60},
                {"document": "gone.pdf", "document_id": "0" * 64, "page": 7, "quote": "x", "start": 0, "end": 1},
            ],
        }  # fmt: skip
        (placed,) = library.placed([conflict])
        here, gone = placed["sides"]
        assert [place["page"] for place in here["places"]] == [library.page_of(document.id, start)]
        assert here["places"][0]["boxes"] == [
            list(box) for place in library.places(document.id, start, start + 60) for box in place.boxes
        ]
        assert here["places"][0]["boxes"]
        assert gone["places"] == [{"page": 7, "boxes": []}]


def test_however_many_say_the_same_a_claim_is_held_against_the_nearest(
    tmp_path: Path, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        write(files, f"d{number}.md", 500 + number)
    with opened(tmp_path) as library:
        library.add(files)
        assert len(library.conflicts()) == 9 * 8 // 2 - 1  # a.md and c.md agree
        library.store.drop_all_claims()
        monkeypatch.setattr(ledger, "NEAREST", 2)
        found = library.conflicts()
        # each new document is held against two others at most
        assert 0 < len(found) <= 2 * 8


def test_it_says_how_far_it_is_and_stops_between_two_documents(tmp_path: Path, files: Path) -> None:
    steps: list[Progress] = []
    with opened(tmp_path) as library:
        library.add(files)
        library.compare(on_progress=steps.append, cancelled=lambda: len(steps) == 2)
        assert [(step.path, step.stage, step.done, step.total) for step in steps] == [
            ("a.md", "comparing", 0.0, 3.0),
            ("b.md", "comparing", 1.0, 3.0),
        ]
        assert [document.name for document in library.uncompared()] == ["c.md"]
        assert len(library.conflicts()) == 2


def test_two_at_a_time_share_the_work(tmp_path: Path, files: Path) -> None:
    for number in range(9):
        write(files, f"d{number}.md", 400)
    one, other = WordEmbedder(), WordEmbedder()
    with opened(tmp_path, one) as library, opened(tmp_path, other) as second:
        library.add(files)
        one.encoded.clear()
        threads = [threading.Thread(target=each.compare) for each in (library, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # every document was read by one of them, and none by both
        assert len(one.encoded) + len(other.encoded) == 12
        assert library.uncompared() == ()
        assert len(library.conflicts()) == 11  # b.md against all the others


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path: Path, files: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from multidoc_rag import Library\n"
        "def dies(step):\n"
        "    if step.done == 2: os.kill(os.getpid(), signal.SIGKILL)\n"
        "with Library.open(sys.argv[1]) as library:\n"
        "    library.add(sys.argv[2])\n"
        "    library.compare(on_progress=dies)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "index"), str(files)],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=120,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL
    with Library.open(tmp_path / "index", config=Config()) as library:
        assert [document.name for document in library.uncompared()] == ["c.md"]
        assert len(kept(library)) == 1
        assert library.compare() == 1
        assert len(kept(library)) == 2
        assert library.doctor()["ok"]


def test_the_worker_compares_after_the_documents_can_be_searched(tmp_path: Path, files: Path) -> None:
    with Library.open(tmp_path / "index", config=Config()) as library:
        job = library.start_adding([files], compare=True)
        reports = job.wait(120)
        assert [report.status for report in reports] == ["added"] * 3
        assert job.error == job.not_compared == ""
        lines = [json.loads(line) for line in (library.folder / "jobs" / f"{job.id}.jsonl").read_text().splitlines()]
        done = next(n for n, line in enumerate(lines) if "reports" in line)
        assert [line["comparing"]["done"] for line in lines[done + 1 :]] == [0.0, 1.0, 2.0]
        assert library.uncompared() == ()
        assert len(kept(library)) == 2

        # nothing but comparing, as the app asks for what the command line added
        library.store.drop_all_claims()
        assert library.start_adding([], compare=True).wait(120) == ()
        assert len(kept(library)) == 2


def test_the_apps_next_files_go_before_the_search_for_conflicts(tmp_path: Path, files: Path) -> None:
    with Library.open(tmp_path / "index", config=Config()) as library:
        intake = Intake(Desk(tmp_path / "index", "default", Config(), library=library))

        def settled() -> None:
            while intake.busy:
                threading.Event().wait(0.05)

        intake.add([files / "a.md", files / "b.md"])
        settled()
        assert len(kept(library)) == 1
        library.store.drop_all_claims()
        intake.compare()
        first = intake._comparing
        assert first is not None
        intake.add([files / "c.md"])
        settled()
        assert not first.running
        assert library.uncompared() == ()
        assert len(kept(library)) == 2

        # cancelled, it says what is left, and goes on when it is asked for
        library.store.drop_all_claims()
        intake.compare()
        intake.cancel(COMPARING)
        assert not intake.busy
        assert len(library.uncompared()) > 0
        intake.compare()
        settled()
        assert len(kept(library)) == 2


def test_what_two_documents_disagree_on_stands_together_conflicts_first(tmp_path: Path) -> None:
    facts = (
        "The fee for a house is EUR {} a year.\n\nThe gap between all houses is {} m wide.\n\n"
        "In {} ships made {} calls."
    )
    for name, values in (("a.md", (400, 3, 2022, 90)), ("b.md", (250, 4, 2023, 80)), ("c.md", (190, 5, 2024, 70))):
        (tmp_path / name).write_text(f"# Notes\n\n{facts.format(*values)}\n", "utf-8")
    with opened(tmp_path) as library:
        library.add([tmp_path / name for name in ("a.md", "b.md", "c.md")])
        found = library.conflicts()
    kinds = [finding["kind"] for finding in found]
    assert kinds == ["conflict"] * 6 + ["other_period"] * 3
    pairs = ["".join(sorted(side["document"][0] for side in finding["sides"])) for finding in found[:6]]
    assert pairs[::2] == pairs[1::2]
    assert sorted(pairs[::2]) == ["ab", "ac", "bc"]


@pytest.mark.parametrize("letter_first", [True, False])
def test_the_one_about_the_same_thing_is_found_among_many_of_one_mould(tmp_path: Path, letter_first: bool) -> None:
    leases = [f"{number} Oak Street" for number in range(1, 41)]
    for number, address in enumerate(leases):
        text = f"# Lease of the Flat at {address}\n\nThe monthly rent is {700 + 10 * number} EUR.\n"
        (tmp_path / f"lease-{number}.md").write_text(text, "utf-8")
    (tmp_path / "letter.md").write_text("# Letter about 17 Oak Street\n\nThe monthly rent is 1,900 EUR.\n", "utf-8")
    files = [tmp_path / f"lease-{number}.md" for number in range(40)]
    with opened(tmp_path) as library:
        library.add([tmp_path / "letter.md", *files] if letter_first else [*files, tmp_path / "letter.md"])
        found = library.conflicts()
    assert [finding["kind"] for finding in found] == ["conflict"]
    assert {side["document"] for side in found[0]["sides"]} == {"lease-16.md", "letter.md"}
