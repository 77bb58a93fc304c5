"""Warm search at 40,000 chunks: milliseconds a question in each mode, everything included, and what opening costs.

    python benchmarks/search.py [--chunks 40000] [--questions 200] [--json FILE] [--keep DIR]

The chunks are made of real ones: the sentences of two chunks of the chroma_chunking corpora shuffled together, their
vectors those of a real chunk, turned a little at random (seeded). The questions are real. Beside the lexical mode, in
the same run, SQLite's FTS5 (porter stemming, bm25) over the same texts, which is what needs no further package.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import platform
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from multidoc_rag.config import Config
from multidoc_rag.files.chunking import chunk
from multidoc_rag.language import lexical_terms
from multidoc_rag.library import Library
from multidoc_rag.records import Chunk, Document, Embedder, Page, Reading, RetrievalMode

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "chroma_chunking"
CHUNKS_A_DOCUMENT = 100
REAL_CHUNKS = 1000
NOISE = 0.5
"""Length of the random vector added to a unit vector: cosine to the original about 0.9."""
FETCH = 100

OPENING = """
import sys, time
started = time.perf_counter()
from multidoc_rag.library import Library
imported = time.perf_counter()
library = Library.open(sys.argv[1])
opened = time.perf_counter()
library.search("What does the report say about revenue?", mode="lexical")
words = time.perf_counter()
library.search("What does the report say about revenue?", mode="hybrid")
done = time.perf_counter()
library.search("What does the report say about revenue?", mode="hybrid")
again = time.perf_counter()
print(imported - started, opened - imported, words - opened, done - words, again - done)
"""


def real_chunks(embedder: Embedder) -> tuple[list[str], np.ndarray]:
    """A seeded sample of the corpora's chunks, and their vectors, float32, shape (chunks, dimension)."""
    texts: list[str] = []
    for path in sorted((DATA / "corpora").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        reading = Reading(sha256="", pages=(Page(1, text, text),), title=path.stem)
        texts += [piece.text for piece in chunk(reading, "", path.name, Config())]
    random.Random(1).shuffle(texts)
    return texts[:REAL_CHUNKS], embedder.encode(texts[:REAL_CHUNKS])


def made_documents(
    texts: Sequence[str], vectors: np.ndarray, count: int
) -> Iterator[tuple[Document, Reading, tuple[Chunk, ...], np.ndarray]]:
    """Documents of CHUNKS_A_DOCUMENT chunks each, `count` chunks in all, as `Store.put` takes them."""
    chance, noise = random.Random(2), np.random.default_rng(2)
    for number in range(count // CHUNKS_A_DOCUMENT):
        chosen = [chance.randrange(len(texts)) for _ in range(CHUNKS_A_DOCUMENT)]
        bodies = []
        for index in chosen:
            sentences = f"{texts[index]} {texts[chance.randrange(len(texts))]}".split(". ")
            chance.shuffle(sentences)
            bodies.append(". ".join(sentences)[:800])
        text = "\n".join(bodies)
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        name, pieces, start = f"made-{number}.txt", [], 0
        for ordinal, body in enumerate(bodies):
            end = start + len(body)
            pieces.append(
                Chunk(0, sha256, name, ordinal, 1, 1, start, end, "text", "", body, f"Made document {number}")
            )
            start = end + 1
        turned = vectors[chosen] + noise.normal(size=(len(chosen), vectors.shape[1])) * NOISE / vectors.shape[1] ** 0.5
        turned /= np.linalg.norm(turned, axis=1, keepdims=True)
        document = Document(sha256, name, name, "", 1, len(pieces), "ready", "2026-01-01T00:00:00+00:00")
        reading = Reading(sha256=sha256, pages=(Page(1, text, text),), title=name)
        yield document, reading, tuple(pieces), turned.astype(np.float32)


def full_text_table(library: Library, path: Path) -> sqlite3.Connection:
    """An FTS5 table on disk of the library's chunks, context and text as columns."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIRTUAL TABLE words USING fts5 (context, body, tokenize = 'porter unicode61')")
    for document in library.documents():
        rows = ((piece.id, piece.context, piece.text) for piece in library.store.chunks(document.id))
        connection.executemany("INSERT INTO words (rowid, context, body) VALUES (?, ?, ?)", rows)
    connection.commit()
    return connection


def full_text_search(connection: sqlite3.Connection, question: str) -> list[tuple[int, float]]:
    """(chunk id, bm25) for any of the question's words."""
    terms = " OR ".join(f'"{term}"' for term in dict.fromkeys(lexical_terms(question).split()))
    query = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT ?"
    return connection.execute(query, (terms, FETCH)).fetchall()


def timed(ask: Callable[[str], object], questions: Sequence[str]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds over the questions, after ten to warm up."""
    for question in questions[:10]:
        ask(question)
    taken = []
    for question in questions:
        started = time.perf_counter()
        ask(question)
        taken.append(1000 * (time.perf_counter() - started))
    return {"median_ms": round(statistics.median(taken), 2), "p95_ms": round(float(np.percentile(taken, 95)), 2)}


def opening(index: Path) -> dict[str, float]:
    """Seconds in a fresh process: import, open, first lexical, first hybrid search (which loads model and vectors)."""
    names = ("import", "open", "first lexical search", "first hybrid search", "second hybrid search")
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-c", OPENING, str(index)]
    output = [subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout for _ in range(3)]
    runs = [[float(part) for part in line.split()] for line in output]
    return {
        name: round(statistics.median(values), 3) for name, values in zip(names, zip(*runs, strict=True), strict=True)
    }


def run(chunks: int, question_count: int, index: Path) -> dict[str, Any]:
    """Builds the collection, then measures; everything that is printed."""
    with (DATA / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file)]
    random.Random(3).shuffle(questions)
    questions = questions[:question_count]
    with Library.open(index, config=Config()) as library:
        embedder, store = library.embedder, library.store
        started = time.perf_counter()
        with store.writing():
            for made in made_documents(*real_chunks(embedder), chunks):
                store.put(*made)
        built = time.perf_counter() - started
        modes: dict[str, dict[str, float]] = {}
        for mode in get_args(RetrievalMode):
            modes[mode] = timed(lambda question, mode=mode: library.search(question, mode=mode), questions)  # type: ignore[misc]
        vectors = {question: embedder.encode_query(question) for question in questions}
        ids = [i for i, _ in store.search_words(questions[0], FETCH)]
        parts = {
            "embedding the question": timed(embedder.encode_query, questions),
            f"FAISS, {FETCH} best": timed(lambda question: store.search_vectors(vectors[question], FETCH), questions),
            f"tantivy, {FETCH} best": timed(lambda question: store.search_words(question, FETCH), questions),
            f"{FETCH} chunks from SQLite": timed(lambda question: store.chunks_by_id(ids), questions),
            "refresh": timed(lambda question: store.refresh(), questions),
        }
        with closing(full_text_table(library, index / "fts5.sqlite")) as connection:
            parts[f"SQLite FTS5, {FETCH} best"] = timed(lambda q: full_text_search(connection, q), questions)
        stored = sum(document.chunks for document in library.documents())
    size = sum(path.stat().st_size for path in (index / "default").rglob("*") if path.is_file())
    return {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "chunks": stored,
        "questions": len(questions),
        "build_seconds": round(built, 1),
        "megabytes": round(size / 2**20, 1),
        "modes": modes,
        "parts": parts,
        "opening_seconds": opening(index),
    }


def main() -> int:
    """Prints the tables; 0 when the median of `hybrid` is 10 ms or less."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=40_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", type=Path, help="also write the result there")
    parser.add_argument("--keep", type=Path, help="build the collection in this folder and leave it")
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"the corpora are not in {DATA}: nothing was measured", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        result = run(options.chunks, options.questions, options.keep or Path(folder) / "index")
    print(f"{result['chunks']:,} chunks, {result['questions']} questions, {result['megabytes']} MB on disk")
    for title, rows in (("search, everything included", result["modes"]), ("its parts", result["parts"])):
        print(f"\n{title:32}  median ms    p95 ms")
        for name, row in rows.items():
            print(f"{name:32}  {row['median_ms']:9.2f}  {row['p95_ms']:8.2f}")
    print("\nin a fresh process, seconds: " + ", ".join(f"{k} {v}" for k, v in result["opening_seconds"].items()))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if result["modes"]["hybrid"]["median_ms"] <= 10 else 1


if __name__ == "__main__":
    sys.exit(main())
