"""The index store: what goes in comes out, what is removed is gone, and damage costs nothing that can be made again."""

from __future__ import annotations

import errno
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from stored import DIMENSION, WordEmbedder, made, prose

from multidoc_rag.config import Config
from multidoc_rag.errors import ModelMismatch, MultiDocError, StoreBusy, StoreError, UnknownDocument
from multidoc_rag.index.store import Store, text_hash
from multidoc_rag.library import examine
from multidoc_rag.records import PAGE_BREAK, Page, Table

ROOT = Path(__file__).resolve().parent.parent
EMBEDDER = WordEmbedder()
SUBJECTS = ("zeppelins", "harpsichords", "glaciers", "accounting", "beekeeping", "volcanoes")


def opened(folder: Path, **changes: object) -> Store:
    embedder = WordEmbedder()
    return Store.open(
        folder,
        config=Config(**changes),  # type: ignore[arg-type]
        model=embedder.name,
        fingerprint=embedder.fingerprint,
        dimension=DIMENSION,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index" / "default"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with opened(folder) as store:
        yield store


def fill(store: Store, subjects: tuple[str, ...] = SUBJECTS) -> list[str]:
    """One document of two pages a subject; their ids."""
    with store.writing():
        return [store.put(*made(f"{s}.pdf", prose(s), prose(f"{s} abroad"))).id for s in subjects]


def found(store: Store, subject: str, k: int = 5) -> tuple[list[str], list[str]]:
    """Names of the documents that the words and the vectors of a subject lead to."""
    words = [i for i, _ in store.search_words(subject, k)]
    near = [i for i, _ in store.search_vectors(EMBEDDER.encode_query(f"explains how {subject} works"), k)]
    chunks = store.chunks_by_id([*words, *near])
    return [chunks[i].document_name for i in words], [chunks[i].document_name for i in near]


# --- what goes in comes out --------------------------------------------------------------------


def test_a_document_comes_back_as_it_was_put(store: Store, folder: Path) -> None:
    document, reading, chunks, vectors = made("naïve.pdf", prose("zeppelins"), "", prose("Zürich"), "x")
    reading = replace(reading, tables=(Table(3, 40, ((3, 20), (21, 40)), 1, "A caption"),))
    stored = store.put(document, reading, chunks, vectors)
    store.close()

    with opened(folder) as again:
        assert again.documents() == (stored,)
        assert stored == replace(document, chunks=len(chunks))
        assert again.pages(document.id) == reading.pages
        assert again.page(document.id, 3) == reading.pages[2]
        assert again.sections(document.id) == reading.sections
        assert again.tables(document.id) == reading.tables
        assert again.text(document.id) == reading.text
        kept = again.chunks(document.id)
        assert [replace(chunk, id=0) for chunk in kept] == list(chunks)
        assert len({chunk.id for chunk in kept}) == len(kept) > 8
        assert again.chunks_by_id([kept[1].id, 10**9]) == {kept[1].id: kept[1]}
        for chunk in kept:
            assert again.text_between(document.id, chunk.start, chunk.end) == chunk.text
            assert again.page_of(document.id, chunk.start) == chunk.page_start
            assert again.page_of(document.id, chunk.end - 1) == chunk.page_end
        returned = again.vectors([chunk.id for chunk in kept] + [10**9])
        assert np.array_equal(np.stack([returned[chunk.id] for chunk in kept]), vectors)


def test_text_between_any_two_offsets_is_the_text(store: Store) -> None:
    document, reading, chunks, vectors = made("a.pdf", "one", "", "two", "three")
    store.put(document, reading, chunks, vectors)
    text = reading.text
    assert text == PAGE_BREAK.join(("one", "", "two", "three"))
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            assert store.text_between(document.id, start, end) == text[start:end], (start, end)


def test_documents_are_found_by_name_id_and_the_start_of_an_id(store: Store) -> None:
    one, two = fill(store, SUBJECTS[:2])
    assert store.document("zeppelins.pdf").id == store.document(one).id == store.document(one[:8]).id == one
    for unknown in ("zepelins.pdf", one[:7], "", "%", two[:8] + "g"):
        with pytest.raises(UnknownDocument):
            store.document(unknown)
    with pytest.raises(UnknownDocument, match=re.escape("did you mean 'zeppelins.pdf'?")):
        store.document("zepelins.pdf")
    with pytest.raises(UnknownDocument, match="no page 3"):
        store.page(one, 3)
    for read in (store.text, store.pages, store.chunks, store.sections, store.source, store.delete):
        with pytest.raises(UnknownDocument):
            read("nothing")


def test_ids_are_never_used_twice(store: Store, folder: Path) -> None:
    seen: set[int] = set()
    document, reading, chunks, vectors = made("a.pdf", prose("zeppelins"))
    for _ in range(3):
        store.put(document, reading, chunks, vectors)
        ids = {chunk.id for chunk in store.chunks(document.id)}
        assert not ids & seen
        seen |= ids
        store.delete(document.id)
    store.close()
    with opened(folder) as again:
        again.put(document, reading, chunks, vectors)
        assert min(chunk.id for chunk in again.chunks(document.id)) > max(seen)


# --- searching ---------------------------------------------------------------------------------


def test_vector_search_is_exact_also_after_removals_and_restricted(store: Store) -> None:
    ids = fill(store)
    store.delete(ids[1])
    ids.append(store.put(*made("late.pdf", prose("lighthouses"))).id)
    store.delete(ids[3])
    left = [ids[0], ids[2], *ids[4:]]
    truth = {chunk.id: (document, chunk) for document in left for chunk in store.chunks(document)}
    vectors = store.vectors(truth)
    assert set(vectors) == set(truth)
    query = EMBEDDER.encode_query("how glaciers work in case 12")
    for chosen in (None, left, [ids[2]], [ids[2], ids[-1]], [ids[1]], []):
        allowed = [i for i in truth if chosen is None or truth[i][0] in chosen]
        expected = sorted(allowed, key=lambda i: -float(vectors[i] @ query))[:7]
        hits = store.search_vectors(query, 7, chosen)
        assert [i for i, _ in hits] == expected
        assert [score for _, score in hits] == pytest.approx([float(vectors[i] @ query) for i in expected], abs=1e-6)


def test_word_search_stems_restricts_and_takes_any_text(store: Store) -> None:
    ids = fill(store, ("zeppelins", "harpsichords"))
    third = store.put(
        *made("cjk.pdf", "密码长度至少为十二个字符。员工每月累积假期。", "The café's 3.5 rule is naïve here.")
    ).id

    def names(text: str, documents: list[str] | None = None) -> set[str]:
        hits = store.search_words(text, 50, documents)
        assert [score for _, score in hits] == sorted((score for _, score in hits), reverse=True)
        return {chunk.document_name for chunk in store.chunks_by_id([i for i, _ in hits]).values()}

    assert names("zeppelin") == {"zeppelins.pdf"}
    assert names("explained workings") == {"zeppelins.pdf", "harpsichords.pdf"}
    assert names("explained", [ids[1]]) == {"harpsichords.pdf"}
    assert names("zeppelin", [ids[1]]) == names("zeppelin", []) == names("zeppelin", ["unknown"]) == set()
    assert names("密码") == names("cafe") == names("CAFÉ'S 3.5") == {"cjk.pdf"}
    for odd in ('"', "a:b", "AND OR NOT", "zeppelins*", "(((", "[a TO", "\\", "^2", "'", "body:x", "", "?!", "\x00"):
        names(odd)
    assert names('"zeppelins" AND -explains^9 body:"') >= {"zeppelins.pdf"}
    store.delete(third)
    assert names("密码") == set()


def test_a_restriction_leaves_the_scores_alone(store: Store) -> None:
    ids = fill(store)
    everywhere = dict(store.search_words("glaciers abroad", 1000))
    for chunk_id, score in store.search_words("glaciers abroad", 1000, [ids[2]]):
        assert score == pytest.approx(everywhere[chunk_id], rel=1e-6)


def test_an_empty_collection_answers_with_nothing(store: Store) -> None:
    assert store.search_words("anything", 5) == store.search_vectors(EMBEDDER.encode_query("anything"), 5) == []
    assert store.vectors([1]) == store.chunks_by_id([1]) == {}


def test_threads_search_while_another_adds(store: Store) -> None:
    fill(store, SUBJECTS[:2])
    failures: list[BaseException] = []
    done = threading.Event()

    def search() -> None:
        try:
            while not done.is_set():
                words, near = found(store, "zeppelins")
                assert set(words) == {"zeppelins.pdf"}
                assert near
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    fill(store, SUBJECTS[2:])
    done.set()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(store.documents()) == len(SUBJECTS)


# --- refusals ----------------------------------------------------------------------------------


def test_half_a_character_is_refused_whole(store: Store) -> None:
    document, reading, chunks, vectors = made("a.pdf", prose("zeppelins"))
    broken = replace(reading, pages=(Page(1, "\ud83d", "text"),))
    with pytest.raises(StoreError, match=r"lone surrogate, U\+D83D"):
        store.put(document, broken, chunks, vectors)
    assert store.documents() == ()
    assert store.search_words("zeppelins", 5) == []
    store.put(document, reading, chunks, vectors)


@pytest.mark.parametrize("change", ["content", "name"])
def test_the_same_content_or_name_twice_is_refused(store: Store, change: str) -> None:
    document, reading, chunks, vectors = made("a.pdf", prose("zeppelins"))
    store.put(document, reading, chunks, vectors)
    other = replace(document, name="b.pdf") if change == "content" else replace(document, id="0" * 64)
    with pytest.raises(StoreError, match="Storing was refused"):
        store.put(other, reading, chunks, vectors)
    assert [d.name for d in store.documents()] == ["a.pdf"]
    assert set(found(store, "zeppelins")[0]) == {"a.pdf"}


def test_vectors_that_do_not_fit_are_refused(store: Store) -> None:
    document, reading, chunks, vectors = made("a.pdf", prose("zeppelins"))
    for wrong in (vectors[:-1], np.full_like(vectors, np.nan), vectors.ravel()[: len(chunks)]):
        with pytest.raises(StoreError, match="nothing of it was stored"):
            store.put(document, reading, chunks, wrong)
    with pytest.raises(ModelMismatch, match="32 dimensions"):
        store.put(document, reading, chunks, vectors[:, :32])
    assert store.documents() == ()


def test_another_model_is_refused_with_the_command_that_helps(store: Store, folder: Path) -> None:
    fill(store, SUBJECTS[:1])
    store.close()
    command = f"python -m multidoc_rag reembed --model other --index {folder.parent} --collection default"
    with pytest.raises(ModelMismatch, match=re.escape(command)):
        Store.open(folder, config=Config(), model="other", fingerprint="f" * 64, dimension=32)
    with Store.open(folder, config=Config()) as unchecked:
        assert unchecked.model == "words"
        with pytest.raises(ModelMismatch):
            unchecked.search_vectors(np.zeros(32, np.float32), 3)


def test_an_empty_collection_takes_the_model_it_is_opened_with(store: Store, folder: Path) -> None:
    store.close()
    with Store.open(folder, config=Config(chunk_size=500), model="other", fingerprint="f", dimension=32) as other:
        assert (other.model, other.dimension) == ("other", 32)
        assert other.chunked_as(Config()).chunk_size == 500


def test_a_newer_format_is_refused_and_left_alone(store: Store, folder: Path) -> None:
    store.close()
    with sqlite3.connect(folder / "collection.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer version of multidoc_rag"):
        opened(folder)


def test_a_full_disk_is_said_and_keeps_what_was_there(store: Store) -> None:
    fill(store, SUBJECTS[:2])
    with store._database.writing() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    store._database._writer.execute(f"PRAGMA max_page_count = {pages + 4}")  # type: ignore[union-attr]
    with pytest.raises(StoreError, match="The disk is full: the last step was not stored"):
        store.put(*made("big.pdf", *[prose(f"subject {n}", 200) for n in range(20)]))
    assert [d.name for d in store.documents()] == ["zeppelins.pdf", "harpsichords.pdf"]
    assert set(found(store, "zeppelins")[0]) == {"zeppelins.pdf"}


def test_a_full_disk_under_the_checkpoint_costs_only_the_checkpoint(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    fill(store, SUBJECTS[:2])
    monkeypatch.undo()
    assert not list(store.folder.glob("*.tmp"))
    assert set(found(store, "harpsichords")[0]) == {"harpsichords.pdf"}


def test_a_network_file_system_is_warned_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import psutil

    mounts = [
        SimpleNamespace(mountpoint="/", fstype="ext4"),
        SimpleNamespace(mountpoint=str(folder.parent), fstype="nfs4"),
    ]
    monkeypatch.setattr(psutil, "disk_partitions", lambda all: mounts)
    with opened(folder) as store:
        assert "network file system (nfs4)" in store.notices[0]


# --- several processes -------------------------------------------------------------------------

OTHER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from stored import made, prose
from test_store import fill, found, opened
folder = Path({folder!r})
"""


def other_process(folder: Path, script: str) -> subprocess.Popen[str]:
    """A process that prints a line at each step and waits for one before the next."""
    prelude = OTHER.format(tests=str(ROOT / "tests"), folder=str(folder))
    return subprocess.Popen(
        [sys.executable, "-c", prelude + script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_a_reader_sees_what_another_process_adds_and_removes_meanwhile(store: Store, folder: Path) -> None:
    fill(store, ("zeppelins",))
    assert found(store, "glaciers")[0] == []
    writer = other_process(
        folder,
        """
store = opened(folder)
with store.writing():
    put = store.put(*made("glaciers.pdf", prose("glaciers")))
    print("added", flush=True); input()
    store.delete(put.id); store.delete(store.document("zeppelins.pdf").id)
    print("removed", flush=True); input()
print("done", flush=True)
""",
    )
    try:
        assert line(writer) == "added"
        assert set(found(store, "glaciers")[0]) == {"glaciers.pdf"}
        assert found(store, "glaciers", k=1)[1] == ["glaciers.pdf"]
        with pytest.raises(StoreBusy, match=f"pid {writer.pid}"), store.writing():
            pass
        store.save_answer(None, "Asked meanwhile?", {"id": "a", "answer": "yes"})
        go(writer)
        assert line(writer) == "removed"
        assert [d.name for d in store.documents()] == []
        assert store.chunks_by_id([i for i, _ in store.search_words("glaciers zeppelins", 9)]) == {}
        assert store.search_vectors(EMBEDDER.encode_query("glaciers"), 9) == []
        go(writer)
        assert line(writer) == "done"
    finally:
        writer.kill()
        writer.wait()
    with store.writing():
        store.put(*made("zeppelins.pdf", prose("zeppelins")))


def test_the_lock_of_a_killed_writer_is_free(store: Store, folder: Path) -> None:
    writer = other_process(
        folder, "store = opened(folder)\nwith store.writing():\n    print('in', flush=True); input()\n"
    )
    assert line(writer) == "in"
    with pytest.raises(StoreBusy, match=f"pid {writer.pid}"), store.writing():
        pass
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    with store.writing():
        store.put(*made("a.pdf", prose("zeppelins")))


def test_the_same_process_cannot_write_twice_at_once(store: Store, folder: Path) -> None:
    with opened(folder) as second, store.writing():
        with pytest.raises(StoreBusy, match=f"pid {os.getpid()}"), second.writing():
            pass
        assert second.documents() == ()


def test_a_folder_that_cannot_be_written_is_searched(store: Store, folder: Path) -> None:
    fill(store)
    store.close()
    script = """
import os
from multidoc_rag.errors import StoreError
from multidoc_rag.library import examine
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
store = opened(folder)
assert examine(folder.parent) == examine(folder.parent, repair=True) == {"ok": True, "findings": []}
print(store.read_only, sorted(set(found(store, "glaciers")[0])), found(store, "glaciers", 1)[1], flush=True)
steps = [lambda: store.put(*made("a.pdf", "text")), lambda: store.save_answer(None, "q", {})]
for step in [*steps, lambda: store.writing().__enter__()]:
    try:
        step()
    except StoreError as error:
        print("cannot be written" in str(error), flush=True)
"""
    before = {path.name: path.stat().st_size for path in folder.iterdir()}
    parents = [parent for parent in folder.parents if str(parent).startswith("/tmp/")]
    modes = {path: path.stat().st_mode for path in (folder, *parents)}
    for parent in parents:
        parent.chmod(0o755)
    folder.chmod(0o555)
    try:
        reader = other_process(folder, script)
        output, _ = reader.communicate()
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert output.splitlines() == ["True ['glaciers.pdf'] ['glaciers.pdf']", "True", "True", "True"]
    assert {path.name: path.stat().st_size for path in folder.iterdir()} == before


# --- damage ------------------------------------------------------------------------------------


def flip(path: Path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 0x10
    path.write_bytes(data)


def checkpoint(folder: Path) -> Path:
    (path,) = folder.glob("vectors-*.faiss")
    return path


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.9, 0.999])
def test_a_flipped_bit_in_the_checkpoint_changes_no_answer(store: Store, folder: Path, share: float) -> None:
    fill(store)
    query = EMBEDDER.encode_query("how volcanoes work")
    expected = store.search_vectors(query, 20)
    store.close()
    path = checkpoint(folder)
    flip(path, int(share * path.stat().st_size))
    with opened(folder) as again:
        assert again.search_vectors(query, 20) == expected
        (finding,) = again.check()
        assert "checksum" in finding["what"]
        assert [f["repaired"] for f in again.check(repair=True)] == [True]
        assert again.check() == []


def test_a_missing_or_foreign_checkpoint_changes_no_answer(store: Store, folder: Path) -> None:
    fill(store)
    query = EMBEDDER.encode_query("how volcanoes work")
    expected = store.search_vectors(query, 20)
    store.close()
    path = checkpoint(folder)
    path.write_bytes(b"")
    with opened(folder) as again:
        assert again.search_vectors(query, 20) == expected
    path.unlink()
    with opened(folder) as again:
        assert again.search_vectors(query, 20) == expected


def test_the_checkpoint_is_written_when_a_tenth_has_changed(folder: Path) -> None:
    with opened(folder) as store:
        fill(store)
        total = sum(document.chunks for document in store.documents())
        first = checkpoint(folder).name
        with store.writing():
            store.put(*made("small.pdf", "A few words about herons. " * 3))
        assert checkpoint(folder).name == first
        assert total > 10
        with store.writing():
            store.put(*made("large.pdf", prose("osprey"), prose("osprey nests")))
        assert checkpoint(folder).name != first
        # rows after the checkpoint come from SQLite
        with store.writing():
            store.put(*made("late.pdf", "A few words about curlews. " * 3))
    with opened(folder) as again:
        hits = again.search_vectors(EMBEDDER.encode_query("A few words about curlews."), 1)
        assert again.chunks_by_id([hits[0][0]])[hits[0][0]].document_name == "late.pdf"


def lexical_files() -> list[str]:
    return ["idx", "term", "fast", "fieldnorm", "store", "meta.json"]


@pytest.mark.parametrize("damage", ["flip", "cut", "missing"])
@pytest.mark.parametrize("kind", lexical_files())
def test_a_damaged_lexical_index_changes_no_answer(store: Store, folder: Path, kind: str, damage: str) -> None:
    fill(store, SUBJECTS[:3])
    expected = store.search_words("glaciers abroad", 20)
    store.close()
    (path, *_) = sorted((folder / "lexical").glob(f"*{kind}"))
    if damage == "flip":
        # in meta.json: the id of the segment
        flip(path, path.stat().st_size // 2 if kind != "meta.json" else path.read_bytes().index(b"segment_id") + 14)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        path.unlink()
    with opened(folder) as again:
        hits = again.search_words("glaciers abroad", 20)
        assert [i for i, _ in hits] == [i for i, _ in expected]
        assert [score for _, score in hits] == pytest.approx([score for _, score in expected])
        assert again.check() == []


def test_doctor_names_and_mends_a_damaged_lexical_index(store: Store, folder: Path) -> None:
    fill(store, SUBJECTS[:2])
    store.close()
    (path, *_) = sorted((folder / "lexical").glob("*.idx"))
    flip(path, 20)
    with opened(folder) as again:
        (finding,) = again.check()
        assert "lexical index is damaged" in finding["what"]
        assert again.check(repair=True)[0]["repaired"]
        assert again.check() == []
        assert set(found(again, "zeppelins")[0]) == {"zeppelins.pdf"}


def test_damaged_vectors_are_noticed_and_only_their_document_suffers(store: Store, folder: Path) -> None:
    ids = fill(store, SUBJECTS[:3])
    store.close()
    checkpoint(folder).unlink()
    with sqlite3.connect(folder / "collection.sqlite") as connection:
        data = bytearray(connection.execute("SELECT data FROM vectors WHERE document = 2").fetchone()[0])
        data[7] ^= 1
        connection.execute("UPDATE vectors SET data = ? WHERE document = 2", (bytes(data),))
        connection.execute("DELETE FROM checkpoints")
    connection.close()
    with opened(folder) as again:
        assert set(found(again, "harpsichords", 50)[1]) == {"zeppelins.pdf", "glaciers.pdf"}
        assert set(found(again, "harpsichords")[0]) == {"harpsichords.pdf"}
        assert [f["what"] for f in again.check() if "harpsichords" in f["what"]]
        again.mend_vectors(ids[1], made("harpsichords.pdf", prose("harpsichords"), prose("harpsichords abroad"))[3])
        assert found(again, "harpsichords", 1)[1] == ["harpsichords.pdf"]
        chunks = again.chunks(ids[1])
        assert set(again.vectors([chunk.id for chunk in chunks])) == {chunk.id for chunk in chunks}


def test_a_file_that_is_no_database_is_said_and_left_alone(store: Store, folder: Path) -> None:
    fill(store, SUBJECTS[:1])
    store.close()
    path = folder / "collection.sqlite"
    path.write_bytes(b"not a database at all " * 500)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"is damaged .*doctor --repair --index .* --collection default"):
        opened(folder)
    assert examine(folder.parent)["ok"] is False
    with pytest.raises(StoreError, match="Nothing could be read from the damaged index"):
        examine(folder.parent, repair=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("left", [None, b""])
def test_a_lost_database_is_said_instead_of_starting_anew(store: Store, folder: Path, left: bytes | None) -> None:
    fill(store, SUBJECTS[:1])
    store.close()
    path = folder / "collection.sqlite"
    path.unlink()
    if left is not None:
        path.write_bytes(left)
    with pytest.raises(StoreError, match="is missing or empty, though documents were stored beside it"):
        opened(folder)
    if left is None:
        with pytest.raises(StoreError, match="is missing or empty"):
            examine(folder.parent)
        assert not path.exists()


@pytest.mark.parametrize(("table", "column"), [("documents", "summary"), ("chunks", "text")])
def test_a_text_that_is_no_utf8_costs_its_document_only(store: Store, folder: Path, table: str, column: str) -> None:
    fill(store, SUBJECTS[:2])
    store.close()
    with sqlite3.connect(folder / "collection.sqlite") as connection:
        key = "number" if table == "documents" else "document"
        connection.execute(f"UPDATE {table} SET {column} = CAST(x'41ff42' AS TEXT) WHERE {key} = 1")
    connection.close()
    with pytest.raises(StoreError, match="doctor --repair"), opened(folder) as broken:
        found(broken, SUBJECTS[0])
    report = examine(folder.parent, repair=True)
    assert [f["what"] for f in report["findings"] if not f["repaired"]] == [
        f"{SUBJECTS[0]}.pdf could not be saved: add it again."
    ]
    with opened(folder) as again:
        assert [document.name for document in again.documents()] == [f"{SUBJECTS[1]}.pdf"]


def test_what_can_be_read_of_a_damaged_database_is_saved(store: Store, folder: Path) -> None:
    ids = fill(store)
    conversation = store.save_answer(None, "What about glaciers?", {"id": "a1", "answer": "They move."})
    store.keep_reply("key", "reply")
    highest = max(chunk.id for chunk in store.chunks(ids[-1]))
    store.close()
    path = folder / "collection.sqlite"
    # overwrite the text of the pages of one document in the middle of the file
    data = bytearray(path.read_bytes())
    page = 4096
    at = data.index(b"explains how accounting abroad works in case 30.") // page * page
    data[at : at + page] = b"\xff" * page
    path.write_bytes(data)

    report = examine(folder.parent)
    assert not report["ok"]
    report = examine(folder.parent, repair=True)
    lost = [f["what"] for f in report["findings"] if not f["repaired"]]
    assert lost
    assert all("could not be saved: add it again" in what for what in lost)
    assert list(folder.glob("collection.sqlite.damaged-1"))
    with opened(folder) as again:
        names = [document.name for document in again.documents()]
        assert len(names) >= len(SUBJECTS) - len(lost) >= 3
        for name in names:
            subject = name.removesuffix(".pdf")
            assert set(found(again, subject)[0]) == {name}
            assert found(again, subject, 1)[1] == [name]
        assert again.check() == []
        assert again.turns(conversation)[0].answer == {"id": "a1", "answer": "They move."}
        assert again.cached_reply("key") == "reply"
        put = again.put(*made("new.pdf", prose("curlews")))
        assert min(chunk.id for chunk in again.chunks(put.id)) > highest


# --- waiting vectors, history ------------------------------------------------------------------


def test_kept_vectors_outlive_the_process_until_their_document_is_put(store: Store, folder: Path) -> None:
    document, reading, chunks, vectors = made("long.pdf", prose("zeppelins"))
    keys = [text_hash(chunk.searchable, EMBEDDER.fingerprint) for chunk in chunks]
    store.begin(document)
    store.keep_vectors(dict(zip(keys[:3], vectors[:3], strict=True)), document_id=document.id)
    store.close()
    with opened(folder) as again:
        (unfinished,) = again.unfinished()
        assert (unfinished.name, unfinished.status, unfinished.id) == ("long.pdf", "unfinished", document.id)
        assert again.documents() == ()
        kept = again.cached_vectors(set(keys))
        assert set(kept) == set(keys[:3])
        assert np.array_equal(np.stack([kept[key] for key in keys[:3]]), vectors[:3])
        again.put(document, reading, chunks, vectors)
        assert again.unfinished() == ()
        assert again.cached_vectors(set(keys)) == {}


def test_deleting_an_unfinished_document_forgets_its_vectors(store: Store) -> None:
    document, _, _, vectors = made("long.pdf", prose("zeppelins"))
    store.begin(document)
    store.keep_vectors({b"key": vectors[0]}, document_id=document.id)
    store.delete(document.id)
    assert store.unfinished() == ()
    assert store.cached_vectors({b"key"}) == {}


def test_conversations_answers_and_thumbs(store: Store, folder: Path) -> None:
    first = store.save_answer(None, "What  is\na lease?", {"id": "a1", "answer": "É"})
    store.save_answer(first, "And who pays?", {"answer": "x"}, answer_id="a2")
    second = store.save_answer(None, "z" * 200, {"id": "a3"})
    store.keep_feedback("a1", 1)
    store.keep_feedback("a1", -1)
    store.close()
    with opened(folder) as again:
        latest, earlier = again.conversations()
        assert (latest.id, latest.questions, len(latest.title)) == (second, 1, 80)
        assert (earlier.id, earlier.questions, earlier.title) == (first, 2, "What is a lease?")
        turns = again.turns(first)
        assert [(t.answer_id, t.question, t.answer) for t in turns] == [
            ("a1", "What  is\na lease?", {"id": "a1", "answer": "É"}),
            ("a2", "And who pays?", {"answer": "x"}),
        ]
        assert again.answer("a2") == {"answer": "x"}
        assert (again.feedback("a1"), again.feedback("a2")) == (-1, 0)
        again.rename_conversation(first, " Leases ")
        assert again.conversation(first).title == "Leases"
        again.delete_conversation(first)
        assert [c.id for c in again.conversations()] == [second]
        for step in (
            lambda: again.answer("a1"),
            lambda: again.turns(first),
            lambda: again.keep_feedback("a1", 1),
            lambda: again.keep_feedback("a3", 0),  # type: ignore[arg-type]
            lambda: again.save_answer("nothing", "q", {}),
            lambda: again.rename_conversation(first, "x"),
        ):
            with pytest.raises(MultiDocError):
                step()


def test_replies_are_kept_by_key(store: Store) -> None:
    assert store.cached_reply("k") is None
    store.keep_reply("k", "one")
    store.keep_reply("k", "two")
    assert store.cached_reply("k") == "two"


def test_a_closed_store_says_so(store: Store) -> None:
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.documents()
