"""The library: what becomes of files added, changed, moved, renamed, removed; jobs, repairs, another model."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from stored import WordEmbedder, prose

from multidoc_rag.config import Config
from multidoc_rag.errors import BadQuestion, ModelMismatch, MultiDocError, StoreBusy, UnknownDocument
from multidoc_rag.index.database import FILE_NAME
from multidoc_rag.library import Library, collections, examine
from multidoc_rag.records import AddReport, Progress

CONFIG = Config(chunk_size=200, chunk_overlap=30, chunk_min=20, piece_chunks=8)


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


@pytest.fixture
def library(index: Path) -> Iterator[Library]:
    with Library.open(index, config=CONFIG, embedder=WordEmbedder()) as library:
        yield library


def text(path: Path, subject: str, sentences: int = 12) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(prose(subject, sentences), encoding="utf-8")
    return path


def pdf(path: Path, *pages: str) -> Path:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=1)
    for page in pages:
        for row, line in enumerate(page.splitlines()):
            canvas.drawString(50, 800 - 15 * row, line)
        canvas.showPage()
    canvas.save()
    return path


def told(reports: tuple[AddReport, ...]) -> list[tuple[str, str, str]]:
    return [(Path(report.path).name, report.document, report.status) for report in reports]


def answers(library: Library, subject: str) -> set[str]:
    return {hit.chunk.document_name for hit in library.search(subject, k=20, mode="lexical")}


# --- identity: bytes, path, name ---------------------------------------------------------------


def test_the_same_file_again_is_unchanged(library: Library, files: Path) -> None:
    path = text(files / "a.txt", "zeppelins")
    assert told(library.add([path])) == [("a.txt", "a.txt", "added")]
    before = library.documents()
    embedded = len(library.embedder.encoded)  # type: ignore[attr-defined]
    assert library.add(path) == (AddReport(str(path), "a.txt", "unchanged", 1, (), before[0].chunks),)
    assert told(library.add([files, path, files])) == [("a.txt", "a.txt", "unchanged")]
    assert library.documents() == before
    assert len(library.embedder.encoded) == embedded  # type: ignore[attr-defined]


def test_new_bytes_at_the_same_path_take_the_place(library: Library, files: Path) -> None:
    path = text(files / "a.txt", "zeppelins")
    library.add([path])
    old = library.document("a.txt")
    text(path, "glaciers")
    assert told(library.add([path])) == [("a.txt", "a.txt", "replaced")]
    (new,) = library.documents()
    assert new.id == hashlib.sha256(path.read_bytes()).hexdigest() != old.id
    assert answers(library, "zeppelins") == set()
    assert answers(library, "glaciers") == {"a.txt"}
    with pytest.raises(UnknownDocument):
        library.document(old.id)


def test_the_same_name_from_elsewhere_is_a_second_document(library: Library, files: Path) -> None:
    one, two, three = (
        text(files / f / "a.txt", s) for f, s in (("x", "zeppelins"), ("y", "glaciers"), ("z", "herons"))
    )
    library.add([one])
    second, third = library.add([two, three])
    assert (second.document, second.status) == ("a (2).txt", "added")
    assert second.reason == (
        "Another document is already called a.txt, so this one is listed as a (2).txt; "
        "if it is a new version, remove a.txt, or add it with `replace`."
    )
    assert third.document == "a (3).txt"
    assert answers(library, "glaciers") == {"a (2).txt"}
    # new bytes at the second's path replace the second, under its name
    text(two, "curlews")
    assert told(library.add([two])) == [("a.txt", "a (2).txt", "replaced")]
    assert answers(library, "curlews") == {"a (2).txt"}


def test_replace_takes_the_place_of_the_document_of_that_name(library: Library, files: Path) -> None:
    library.add([text(files / "x" / "a.txt", "zeppelins")])
    (report,) = library.add([text(files / "y" / "a.txt", "glaciers")], replace=True)
    assert (report.document, report.status) == ("a.txt", "replaced")
    assert [document.name for document in library.documents()] == ["a.txt"]
    assert answers(library, "zeppelins") == set()


def test_the_same_bytes_under_another_name_are_unchanged_and_known_by_the_first(library: Library, files: Path) -> None:
    one = text(files / "a.txt", "zeppelins")
    library.add([one])
    copy = Path(shutil.copy(one, files / "b.txt"))
    (report,) = library.add([copy])
    assert (report.document, report.status) == ("a.txt", "unchanged")
    assert report.reason == "The same bytes are already here as a.txt."
    assert library.original("a.txt") == one.resolve()


def test_twins_in_one_run_are_stored_once(library: Library, files: Path) -> None:
    one = text(files / "a.txt", "zeppelins")
    two = Path(shutil.copy(one, files / "b.txt"))
    assert told(library.add([one, two])) == [("a.txt", "a.txt", "added"), ("b.txt", "a.txt", "unchanged")]


def test_a_moved_file_is_known_again_where_it_went(library: Library, files: Path) -> None:
    one = text(files / "a.txt", "zeppelins")
    library.add([one])
    moved = one.rename(files / "b.txt")
    (report,) = library.add([files], sync=True)
    assert (report.document, report.status) == ("a.txt", "unchanged")
    assert report.reason == f"The file was moved here from {one.resolve()}; it is known as a.txt."
    assert library.original("a.txt") == moved.resolve()
    text(moved, "glaciers")
    assert told(library.add([moved])) == [("b.txt", "a.txt", "replaced")]


def test_a_file_that_becomes_the_twin_of_another_leaves_no_ghost(library: Library, files: Path) -> None:
    one, two = text(files / "a.txt", "zeppelins"), text(files / "b.txt", "glaciers")
    library.add([files])
    shutil.copy(one, two)
    (report,) = library.add([two])
    assert (report.document, report.status) == ("a.txt", "replaced")
    assert "its earlier version b.txt was removed" in report.reason
    assert [document.name for document in library.documents()] == ["a.txt"]
    assert answers(library, "glaciers") == set()


# --- folders -----------------------------------------------------------------------------------


def test_a_folder_is_searched_by_kind_or_by_glob(library: Library, files: Path) -> None:
    text(files / "a.txt", "zeppelins")
    text(files / "sub" / "b.md", "glaciers")
    text(files / "sub" / "c.py", "herons")
    text(files / ".hidden" / "d.txt", "ghosts")
    text(files / "~$e.txt", "ghosts")
    assert told(library.add([files], include="*.md")) == [("files", "", "refused")]
    assert told(library.add([files], include="**/*.md")) == [("b.md", "b.md", "added")]
    assert told(library.add([files])) == [("a.txt", "a.txt", "added"), ("b.md", "b.md", "unchanged")]
    with pytest.raises(MultiDocError, match="is not a pattern"):
        library.add([files], include="/etc/*")


def test_the_index_itself_is_never_added(files: Path) -> None:
    with Library.open(files / "index", config=CONFIG, embedder=WordEmbedder()) as library:
        library.add([text(files.parent / "up" / "u.txt", "herons")], keep_copy=True)
        text(files / "a.txt", "zeppelins")
        assert told(library.add([files])) == [("a.txt", "a.txt", "added")]


def test_gone_files_are_named_and_removed_only_on_sync(library: Library, files: Path) -> None:
    gone, kept = text(files / "gone.txt", "zeppelins"), text(files / "kept.txt", "glaciers")
    elsewhere = text(files.parent / "other" / "c.txt", "herons")
    library.add([files, elsewhere])
    gone.unlink()
    elsewhere.unlink()
    report = library.add([files])[-1]
    assert (report.document, report.status) == ("gone.txt", "unchanged")
    assert report.reason == "Its file is gone from the folder; add with `--sync` to remove it."
    assert answers(library, "zeppelins") == {"gone.txt"}
    assert told(library.add([files], include="**/*.md", sync=True)) == [("files", "", "refused")]
    assert told(library.add([files], sync=True)) == [
        ("kept.txt", "kept.txt", "unchanged"),
        ("gone.txt", "gone.txt", "removed"),
    ]
    assert {document.name for document in library.documents()} == {"kept.txt", "c.txt"}
    kept.unlink()
    shutil.rmtree(files)
    # a folder that is not there (an unplugged disk) removes nothing
    (report,) = library.add([files], sync=True)
    assert report.status == "refused"
    assert len(library.documents()) == 2


# --- refusals, statuses ------------------------------------------------------------------------


def test_refused_files_do_not_stop_the_others(library: Library, files: Path) -> None:
    good = text(files / "good.txt", "zeppelins")
    empty, fake = files / "empty.pdf", files / "fake.pdf"
    empty.write_bytes(b"")
    fake.write_bytes(b"plain words")
    reports = library.add([empty, files / "missing.pdf", good, fake])
    assert [report.status for report in reports] == ["refused", "refused", "added", "refused"]
    assert all(report.reason.endswith(".") for report in reports if report.status == "refused")
    assert [document.name for document in library.documents()] == ["good.txt"]


def test_a_refused_new_version_keeps_the_old_one(library: Library, files: Path) -> None:
    path = pdf(files / "a.pdf", prose("zeppelins", 20).replace(". ", ".\n"))
    library.add([path])
    path.write_bytes(b"")
    (report,) = library.add([path])
    assert report.status == "refused"
    assert report.reason.endswith("The version of a.pdf added before is kept.")
    assert answers(library, "zeppelins") == {"a.pdf"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_is_no_ordinary_file_is_refused_at_once(library: Library, files: Path) -> None:
    os.mkfifo(files / "pipe.txt")
    (files / "round.txt").symlink_to("about.txt")
    (files / "about.txt").symlink_to("round.txt")
    good = text(files / "good.txt", "zeppelins")
    paths = [files / "pipe.txt", "/dev/zero", files / "round.txt", files / ("long" * 100), good]
    reports = library.add(paths)
    assert [report.status for report in reports] == ["refused"] * 4 + ["added"]
    assert "no ordinary file" in reports[0].reason
    assert "no ordinary file" in reports[1].reason
    assert told(library.add([files])) == [("good.txt", "good.txt", "unchanged")]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are Unicode here")
def test_any_file_name_becomes_one_line_or_is_refused_alone(library: Library, files: Path) -> None:
    text(files / "two\nlines\x1b[31m\u202e.txt", "herons")
    bad = files / os.fsdecode(b"latin-\xe4.txt")
    text(bad, "glaciers")
    text(files / "plain.txt", "zeppelins")
    added, odd, refused = library.add([files])
    assert (added.document, odd.document) == ("plain.txt", "two\ufffdlines\ufffd[31m\ufffd.txt")
    assert odd.path == str(files / "two\nlines\x1b[31m\u202e.txt")
    assert (refused.status, refused.reason.count("\n")) == ("refused", 0)
    assert refused.path == str(files / "latin-\ufffd.txt")
    assert "rename it" in refused.reason
    assert answers(library, "herons") == {odd.document}
    assert told(library.add([files]))[1][1:] == (odd.document, "unchanged")


def test_pages_without_text_are_told(library: Library, files: Path) -> None:
    page = prose("zeppelins", 20).replace(". ", ".\n")
    partial, none = library.add([pdf(files / "partial.pdf", page, "", page), pdf(files / "none.pdf", "", "")])
    assert (partial.status, partial.pages, partial.unreadable_pages) == ("added", 3, (2,))
    assert partial.reason == "No text could be read on page 2; with OCR (`--ocr`) it may be."
    assert (none.status, none.unreadable_pages, none.chunks) == ("added", (1, 2), 0)
    assert "It has no text that can be read" in none.reason
    assert [document.status for document in library.documents()] == ["partial", "unreadable"]
    assert answers(library, "zeppelins") == {"partial.pdf"}
    assert told(library.add([files / "none.pdf"])) == [("none.pdf", "none.pdf", "unchanged")]


def test_no_paths_and_bad_names(library: Library, index: Path) -> None:
    assert library.add([]) == ()
    for name in ("../x", "", "a/b", ".", "x" * 65, "a."):
        with pytest.raises(MultiDocError, match="cannot name a collection"):
            Library.open(index, collection=name, config=CONFIG, embedder=WordEmbedder())
    with pytest.raises(BadQuestion):
        library.search("  ")
    with pytest.raises(UnknownDocument):
        library.search("zeppelins", documents=["nothing.pdf"])


# --- progress, cancelling, resuming ------------------------------------------------------------


def test_progress_grows_to_the_end_and_carries_the_reports(library: Library, files: Path) -> None:
    paths = [text(files / f"{n}.txt", f"subject{n}", 60 * (n + 1)) for n in range(3)]
    steps: list[Progress] = []
    reports = library.add(paths, on_progress=steps.append)
    assert [step.report for step in steps if step.report] == list(reports)
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    assert steps[-1].done == steps[-1].total == sum(path.stat().st_size for path in paths)
    assert [step.stage for step in steps if step.path == str(paths[0])][-3:] == ["embedding", "storing", "done"]
    assert {(step.file_index, step.file_count) for step in steps} == {(0, 3), (1, 3), (2, 3)}
    assert all(step.seconds_left is None or step.seconds_left >= 0 for step in steps)


def test_cancelling_keeps_what_is_done_and_goes_on_later(library: Library, files: Path) -> None:
    short, long = text(files / "short.txt", "zeppelins"), text(files / "long.txt", "glaciers", 100)
    pieces: list[Progress] = []

    def note(progress: Progress) -> None:
        if progress.path == str(long) and progress.stage == "embedding":
            pieces.append(progress)

    reports = library.add([short, long], on_progress=note, cancelled=lambda: len(pieces) == 3)
    assert told(reports) == [("short.txt", "short.txt", "added")]
    assert [(document.name, document.status) for document in library.documents()] == [
        ("short.txt", "ready"),
        ("long.txt", "unfinished"),
    ]
    assert answers(library, "glaciers") == set()
    embedder = library.embedder
    done = len(embedder.encoded)  # type: ignore[attr-defined]
    library.add([short, long])
    chunks = library.document("long.txt").chunks
    assert len(embedder.encoded) - done == chunks - 2 * CONFIG.piece_chunks  # type: ignore[attr-defined]
    assert [document.status for document in library.documents()] == ["ready", "ready"]


def test_an_unfinished_document_can_be_removed(library: Library, files: Path) -> None:
    long = text(files / "long.txt", "glaciers", 100)
    asked: list[Progress] = []
    library.add([long], on_progress=asked.append, cancelled=lambda: any(s.stage == "embedding" for s in asked[1:]))
    assert [document.status for document in library.documents()] == ["unfinished"]
    assert library.remove(["long.txt"]) == (("long.txt", True),)
    assert library.documents() == ()
    assert library.doctor() == {"ok": True, "findings": []}


def test_removing_by_name_and_id(library: Library, files: Path) -> None:
    library.add([text(files / "a.txt", "zeppelins"), text(files / "b.txt", "glaciers")])
    other = library.document("b.txt").id
    assert library.remove(["a.txt", "nothing", other]) == (("a.txt", True), ("nothing", False), (other, True))
    assert library.documents() == ()
    assert library.search("zeppelins", mode="rrf") == []


def test_a_second_ingestion_is_refused_while_one_runs(library: Library, index: Path, files: Path) -> None:
    path = text(files / "a.txt", "zeppelins")
    with library.store.writing(), Library.open(index, config=CONFIG, embedder=WordEmbedder()) as other:
        with pytest.raises(StoreBusy, match=f"pid {os.getpid()}"):
            other.add([path])
        assert other.search("zeppelins", mode="lexical") == []


# --- originals ---------------------------------------------------------------------------------


def test_an_upload_is_copied_in_and_goes_with_its_document(library: Library, index: Path, files: Path) -> None:
    upload = text(files / "tmp1" / "a.txt", "zeppelins")
    assert told(library.add([upload], keep_copy=True)) == [("a.txt", "a.txt", "added")]
    data = upload.read_bytes()
    upload.unlink()
    kept = library.original("a.txt")
    assert kept == index / "default" / "files" / f"{hashlib.sha256(data).hexdigest()}.txt"
    assert kept.read_bytes() == data
    assert library.document("a.txt").source_path == ""
    # another upload of that name: beside it, or in its place
    second = text(files / "tmp2" / "a.txt", "glaciers")
    assert told(library.add([second], keep_copy=True)) == [("a.txt", "a (2).txt", "added")]
    assert told(library.add([second], keep_copy=True)) == [("a.txt", "a (2).txt", "unchanged")]
    third = text(files / "tmp3" / "a.txt", "herons")
    assert told(library.add([third], keep_copy=True, replace=True)) == [("a.txt", "a.txt", "replaced")]
    assert not kept.exists()
    library.remove(["a.txt", "a (2).txt"])
    assert list((index / "default" / "files").iterdir()) == []


def test_an_original_that_changed_or_went_is_not_shown_for_what_was_indexed(library: Library, files: Path) -> None:
    path = text(files / "a.txt", "zeppelins")
    library.add([path])
    os.utime(path, (1, 1))
    assert library.original("a.txt") == path.resolve()
    text(path, "glaciers")
    with pytest.raises(MultiDocError, match=r"was changed after a\.txt was added"):
        library.original("a.txt")
    path.unlink()
    with pytest.raises(MultiDocError, match="no longer at"):
        library.original("a.txt")
    assert answers(library, "zeppelins") == {"a.txt"}


def test_pictures_and_boxes_come_from_the_original(library: Library, files: Path) -> None:
    library.add([pdf(files / "a.pdf", prose("zeppelins", 20).replace(". ", ".\n"))])
    page = library.page("a.pdf", 1)
    start = page.clean.index("zeppelins")
    assert library.picture("a.pdf", 1, width=300)[8:12] == b"WEBP"
    (box,) = library.boxes("a.pdf", 1, start, start + len("zeppelins"))
    left, bottom, right, top = box
    assert 50 < left < right < 300
    assert 780 < bottom < top < 820
    size = library.page_size("a.pdf", 1)
    assert (round(size.width), round(size.height)) == (round(page.width), round(page.height))


# --- jobs: the shipped model in a process of its own -------------------------------------------


@pytest.mark.slow
def test_a_job_adds_in_its_own_process(index: Path, files: Path) -> None:
    good, bad = text(files / "a.txt", "zeppelins"), files / "bad.pdf"
    bad.write_bytes(b"")
    with Library.open(index, config=CONFIG) as library:
        job = library.start_adding([good, bad], password="s3cret-password")
        if sys.platform == "linux":
            assert b"s3cret" not in Path(f"/proc/{job._process.pid}/cmdline").read_bytes()  # type: ignore[union-attr]
        reports = job.wait(120)
        assert told(reports) == [("a.txt", "a.txt", "added"), ("bad.pdf", "", "refused")]
        assert job.error == ""
        assert not job.running
        assert [step.stage for step in job.events()][-1] == "done"
        assert all("s3cret" not in path.read_text() for path in (index / "default" / "jobs").iterdir())
        assert answers(library, "zeppelins") == {"a.txt"}


@pytest.mark.slow
def test_jobs_wait_for_their_turn_are_found_again_and_can_be_cancelled(index: Path, files: Path) -> None:
    path = text(files / "a.txt", "zeppelins")
    with Library.open(index, config=CONFIG) as library:
        with library.store.writing():
            first, second = library.start_adding([path]), library.start_adding([text(files / "b.txt", "glaciers")])
            while len(library.jobs()) < 2:  # they take their own lock when they are up
                assert first.running
                assert second.running
            assert {job.id for job in library.jobs()} == {first.id, second.id}
            assert first.waiting
            (found,) = (job for job in library.jobs() if job.id == second.id)
            while not found._read():
                pass
            found.cancel()
            second.wait(60)
            assert "stopped before it was done" in second.error
        assert told(first.wait(120)) == [("a.txt", "a.txt", "added")]
        assert library.jobs() == ()
        assert [document.name for document in library.documents()] == ["a.txt"]


# --- health, another model ---------------------------------------------------------------------


def test_doctor_names_what_is_missing_and_clears_what_is_left_over(library: Library, index: Path, files: Path) -> None:
    path = text(files / "a.txt", "zeppelins")
    library.add([path])
    library.add([text(files / "u" / "u.txt", "herons")], keep_copy=True)
    assert library.doctor() == {"ok": True, "findings": []}
    path.unlink()
    folder = index / "default"
    (folder / "files" / "stray.pdf").write_bytes(b"x")
    (folder / "vectors-999.faiss.tmp").write_bytes(b"x")
    library.store.keep_vectors({b"k": np.ones(3, np.float32)}, document_id="nobody")
    library.original("u.txt").unlink()
    found = {finding["what"].split(":")[0]: finding["repaired"] for finding in library.doctor()["findings"]}
    assert len(found) == 5
    assert not any(found.values())
    outcome = library.doctor(repair=True)
    assert outcome["ok"] is False
    assert [f["what"].split(" is ")[0] for f in outcome["findings"] if not f["repaired"]] == [
        "The file of a.txt",
        "The kept copy of u.txt",
    ]
    assert not (folder / "files" / "stray.pdf").exists()
    assert len(library.doctor()["findings"]) == 2


def test_doctor_makes_damaged_vectors_anew(library: Library, files: Path) -> None:
    library.add([text(files / "a.txt", "zeppelins"), text(files / "b.txt", "glaciers")])
    with library.store._database.writing() as connection:
        connection.execute("UPDATE vectors SET data = zeroblob(length(data)) WHERE document = 2")
    assert library.doctor()["ok"] is False
    assert library.doctor(repair=True)["ok"] is True
    assert library.doctor() == {"ok": True, "findings": []}
    (hit,) = library.search("glaciers works in case 3", k=1, mode="dense")
    assert hit.chunk.document_name == "b.txt"


def test_reembed_switches_everything_at_once(library: Library, index: Path, files: Path) -> None:
    library.add([text(files / "a.txt", "zeppelins", 40), text(files / "b.txt", "glaciers")])
    chunks = sum(document.chunks for document in library.documents())
    new = WordEmbedder("other", 32)
    with Library.open(index, config=CONFIG, embedder=WordEmbedder()) as reader:
        assert reader.search("glaciers", k=1, mode="dense")
        outcome = library.reembed(embedder=new)
        assert (outcome["model"], outcome["chunks"]) == ("other", chunks)
        with pytest.raises(ModelMismatch, match="was embedded with other"):
            reader.search("glaciers", k=1, mode="dense")
    (hit,) = library.search("glaciers works in case 3", k=1, mode="dense")
    assert hit.chunk.document_name == "b.txt"
    assert library.doctor() == {"ok": True, "findings": []}
    with pytest.raises(ModelMismatch, match="reembed --model words"):
        Library.open(index, config=CONFIG, embedder=WordEmbedder())
    with Library.open(index, config=CONFIG, check_model=False) as unchecked:
        assert len(unchecked.documents()) == 2
    with Library.open(index, config=CONFIG, embedder=WordEmbedder("other", 32)) as again:
        assert again.search("glaciers", k=1, mode="hybrid")


def test_an_interrupted_reembed_goes_on(library: Library, files: Path) -> None:
    library.add([text(files / "a.txt", "zeppelins", 80)])
    chunks = library.documents()[0].chunks

    class Failing(WordEmbedder):
        def encode(self, texts):  # type: ignore[no-untyped-def]
            if len(self.encoded) >= 2 * CONFIG.piece_chunks:
                raise MultiDocError("interrupted")
            return super().encode(texts)

    with pytest.raises(MultiDocError, match="interrupted"):
        library.reembed(embedder=Failing("other", 32))
    assert library.search("zeppelins", k=1, mode="dense")
    whole = WordEmbedder("other", 32)
    library.reembed(embedder=whole)
    assert len(whole.encoded) == chunks - 2 * CONFIG.piece_chunks


def test_a_collection_keeps_its_way_of_chunking(library: Library, index: Path, files: Path) -> None:
    library.add([text(files / "a.txt", "zeppelins", 60)])
    with Library.open(index, config=Config(chunk_size=1000), embedder=WordEmbedder()) as other:
        assert other.config.chunk_size == CONFIG.chunk_size
        other.add([text(files / "b.txt", "glaciers", 60)])
        assert max(len(chunk.text) for chunk in other.store.chunks(other.document("b.txt").id)) <= CONFIG.chunk_size


def test_collections_are_apart(index: Path, files: Path) -> None:
    for name, subject in (("one", "zeppelins"), ("two", "glaciers")):
        with Library.open(index, collection=name, config=CONFIG, embedder=WordEmbedder()) as library:
            library.add([text(files / name / "a.txt", subject)])
            assert answers(library, "zeppelins") == ({"a.txt"} if name == "one" else set())
    assert collections(index) == ("one", "two")
    assert collections(index / "nothing") == ()
    assert examine(index, collection="one") == {"ok": True, "findings": []}


def test_summaries_are_the_documents_own_sentences(library: Library, files: Path) -> None:
    library.add([text(files / "a.txt", "zeppelins", 60)])
    (document,) = library.documents()
    assert 0 < len(document.summary) < 1000
    words = " ".join(library.text("a.txt").split())
    assert all(sentence.strip(". ") in words for sentence in document.summary.split(". "))


def test_nothing_is_printed(library: Library, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library.add([text(files / "a.txt", "zeppelins")])
    library.search("zeppelins", mode="rrf")
    json.dumps(library.doctor())
    assert capsys.readouterr() == ("", "")


def test_opening_loads_no_model(index: Path) -> None:
    with Library.open(index, config=CONFIG) as library:
        assert library._embedder is None
        assert library.search("anything", mode="lexical") == []
        assert library._embedder is None
    assert (index / "default" / FILE_NAME).exists()
