"""kill -9 at random moments of adding many files: nothing that was finished is lost, nothing removed is ever cited."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stored import WordEmbedder

from multidoc_rag.config import Config
from multidoc_rag.library import Library

ROOT = Path(__file__).resolve().parent.parent
KILLS = 20
FILES = 24
CONFIG = Config(chunk_size=200, chunk_overlap=30, chunk_min=20, piece_chunks=8, checkpoint_share=0.1)

WORKER = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from stored import WordEmbedder
from test_crash import CONFIG
from multidoc_rag.library import Library

def tell(progress):
    if progress.report is not None:
        report = progress.report
        print(Path(report.path).name, report.status, report.document, sep="\\t", flush=True)
    else:
        print(progress.stage, flush=True)

with Library.open({index!r}, config=CONFIG, embedder=WordEmbedder()) as library:
    library.reader
    print("ready", flush=True)
    for report in library.add([{files!r}], sync=True, on_progress=tell):
        assert report.status != "refused", report
    print("end", flush=True)
"""


def content(number: int, version: int) -> str:
    """A text whose every sentence names the file and its version; every tenth file is long."""
    count = 150 if number % 10 == 0 else 12
    return "\n".join(
        f"Item{number}v{version} sentence {n} is about item{number}v{version} and the lease of house {n * number}."
        for n in range(count)
    )


def write(path: Path, number: int, version: int) -> None:
    text = content(number, version)
    if path.suffix == ".txt":
        path.write_text(text, encoding="utf-8")
        return
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=1)
    for row, line in enumerate(text.splitlines()):
        if row and row % 40 == 0:
            canvas.showPage()
        canvas.drawString(50, 800 - 15 * (row % 40), line)
    canvas.save()


class Files:
    """A folder that changes between the kills, and what it holds: {name: (number, version)}."""

    def __init__(self, folder: Path, randomness: random.Random) -> None:
        self.folder, self.random, self.held = folder, randomness, dict[str, tuple[int, int]]()
        self.gone: list[tuple[str, int, int]] = []
        folder.mkdir()
        for number in range(FILES):
            self.write(f"file{number}.{'pdf' if number % 3 == 0 else 'txt'}", number, 0)

    def write(self, name: str, number: int, version: int) -> None:
        write(self.folder / name, number, version)
        self.held[name] = (number, version)

    def change(self) -> None:
        """New bytes for some, one gone, one back that was gone."""
        for name in self.random.sample(sorted(self.held), 8):
            number, version = self.held[name]
            self.write(name, number, version + 1)
        name = self.random.choice(sorted(self.held))
        (self.folder / name).unlink()
        self.gone.append((name, *self.held.pop(name)))
        if len(self.gone) > 3:
            name, number, version = self.gone.pop(0)
            self.write(name, number, version + 1)


def start(index: Path, files: Path) -> subprocess.Popen[str]:
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER.format(tests=str(ROOT / "tests"), index=str(index), files=str(files))],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


def tokens(text: str) -> set[str]:
    return set(re.findall(r"item\d+v\d+", text.lower()))


def check(index: Path, finished: dict[str, str], held: dict[str, tuple[int, int]]) -> None:
    """The store after a kill: opens, finished documents are whole and answer, hits are true."""
    embedder = WordEmbedder()
    with Library.open(index, config=CONFIG, embedder=embedder) as library:
        store = library.store
        documents = {document.name: document for document in store.documents()}
        texts = {name: library.text(name) for name in documents}
        for name, text in texts.items():
            # one version of one file, whole: its first and its last sentence and all between
            assert len(tokens(text)) == 1, name
            (token,) = tokens(text)
            number, version = map(int, re.findall(r"\d+", token))
            assert text.split() == content(number, version).split(), name
            chunks = store.chunks(documents[name].id)
            assert len(chunks) == documents[name].chunks > 0
            assert set(store.vectors([chunk.id for chunk in chunks])) == {chunk.id for chunk in chunks}
            # it answers, by words and by vectors, and nothing else answers for it
            words = [i for i, _ in store.search_words(token, 50)]
            near = [i for i, _ in store.search_vectors(embedder.encode_query(chunks[0].searchable), 1)]
            hits = store.chunks_by_id([*words, *near])
            assert len(hits) == len({*words, *near}), "a hit names a removed document"
            assert {hits[i].document_name for i in words} == {name}
            assert hits[near[0]].document_name == name
            assert all(hit.text == text[hit.start : hit.end] for hit in hits.values())
        for name, token in finished.items():
            assert token in texts[name].lower(), f"{name} was finished with {token} and is not there"
        # what was removed or replaced before is not found any more
        alive = {token for text in texts.values() for token in tokens(text)}
        for number in range(FILES):
            for version in range(KILLS + 2):
                if f"item{number}v{version}" not in alive:
                    assert store.search_words(f"item{number}v{version}", 5) == []
        for hit in library.search("lease of the house", k=50, mode="rrf"):
            assert hit.chunk.text in texts[hit.chunk.document_name]
    assert set(finished) <= set(held) | set(documents)


@pytest.mark.slow
def test_kill_at_twenty_random_moments_of_an_add(tmp_path: Path) -> None:
    randomness = random.Random(20)
    files, index = Files(tmp_path / "files", randomness), tmp_path / "index"

    # how many steps a whole run takes, and how long a step, to spread the kills over all of it
    worker = start(tmp_path / "trial", files.folder)
    began = time.monotonic()
    assert worker.stdout is not None
    steps = worker.stdout.read().splitlines()
    a_step = (time.monotonic() - began) / len(steps)
    assert worker.wait() == 0
    assert steps[-1] == "end"

    finished: dict[str, str] = {}
    killed_amid = 0
    for _ in range(KILLS):
        worker = start(index, files.folder)
        assert worker.stdout is not None
        lines = [worker.stdout.readline().strip() for _ in range(randomness.randrange(int(0.9 * len(steps))))]
        time.sleep(randomness.uniform(0, 2 * a_step))  # a moment within a step
        worker.kill()
        lines += worker.stdout.read().splitlines()
        worker.wait()
        killed_amid += "end" not in lines
        for line in lines:
            if line.count("\t") == 2:
                name, status, document = line.split("\t")
                number, version = files.held[name]
                assert status in ("added", "replaced", "unchanged")
                assert document == name
                finished[name] = f"item{number}v{version}"
        check(index, finished, files.held)
        files.change()
        # what changed or went away may now be replaced or removed at any moment
        finished = {
            name: token
            for name, token in finished.items()
            if name in files.held and token == "item{}v{}".format(*files.held[name])
        }
    assert killed_amid >= KILLS // 2

    worker = start(index, files.folder)
    assert worker.stdout is not None
    assert worker.stdout.read().splitlines()[-1] == "end"
    assert worker.wait() == 0
    check(index, {name: "item{}v{}".format(*held) for name, held in files.held.items()}, files.held)
    with Library.open(index, config=CONFIG, embedder=WordEmbedder()) as library:
        assert {document.name for document in library.documents()} == set(files.held)
        assert library.doctor() == {"ok": True, "findings": []}


def test_a_long_document_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "files" / "long.txt"
    path.parent.mkdir()
    path.write_text("\n".join(content(10, version) for version in range(8)), encoding="utf-8")

    class Killed(WordEmbedder):
        """Ends the process, as a kill would, in the middle of the document."""

        def encode(self, texts):  # type: ignore[no-untyped-def]
            if len(self.encoded) >= 40:
                os._exit(9)
            return super().encode(texts)

    if (child := os.fork()) == 0:
        try:
            library = Library.open(tmp_path / "index", config=CONFIG, embedder=Killed())
            library.add([path])
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

    embedder = WordEmbedder()
    with Library.open(tmp_path / "index", config=CONFIG, embedder=embedder) as library:
        (unfinished,) = library.documents()
        assert (unfinished.name, unfinished.status) == ("long.txt", "unfinished")
        assert library.search("lease of the house", mode="rrf") == []
        assert "long.txt is unfinished" in library.doctor()["findings"][0]["what"]
        (report,) = library.add([path])
        assert (report.status, report.chunks) == ("added", unfinished.chunks)
        assert len(embedder.encoded) == len({chunk.searchable for chunk in library.store.chunks(unfinished.id)}) - 40
        assert [d.status for d in library.documents()] == ["ready"]
        expected = WordEmbedder().encode([chunk.searchable for chunk in library.store.chunks(unfinished.id)])
        kept = library.store.vectors([chunk.id for chunk in library.store.chunks(unfinished.id)])
        assert [row.tolist() for row in kept.values()] == [row.tolist() for row in expected]
