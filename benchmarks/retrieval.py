"""Quality of each retrieval mode on labelled sets, in one run.

    python benchmarks/retrieval.py [--set chroma|scifact|northwind]... [--work FOLDER]

chroma     472 questions over five corpora: share of the gold characters inside the first five chunks (token-level
recall
           of Smith and Troynikov 2024), and their precision
scifact    nDCG@10 of the abstracts a claim rests on
northwind  201 questions over six PDFs, two of them near-twins: right document first, right page among the first six
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from multidoc_rag.config import Config
from multidoc_rag.files.chunking import chunk
from multidoc_rag.index.store import Store
from multidoc_rag.records import Document, Hit, Page, Reading, RetrievalMode
from multidoc_rag.search.retrieval import search
from multidoc_rag.vectors.embedding import SentenceEmbedder, load_embedder

DATA = Path(__file__).parents[2] / "shared" / "data"
MODES: tuple[RetrievalMode, ...] = ("dense", "lexical", "rrf", "hybrid")


def text_store(folder: Path, texts: dict[str, tuple[str, str]], embedder: SentenceEmbedder, config: Config) -> Store:
    """A collection of plain texts (name -> (title, text)) whose offsets are the files' own."""
    store = Store.open(
        folder, config=config, model=embedder.name, fingerprint=embedder.fingerprint, dimension=embedder.dimension
    )
    if len(store.documents()) == len(texts):
        return store
    with store.writing():
        for name, (title, text) in texts.items():
            reading = Reading(name, (Page(1, text, text),), title=title, language="en")
            pieces = chunk(reading, name, name, config)
            document = Document(name, name, title, "", 1, len(pieces), "ready", "2026-01-01T00:00:00Z")
            store.put(document, reading, pieces, embedder.encode([piece.searchable for piece in pieces]))
    return store


def chroma(work: Path, embedder: SentenceEmbedder, config: Config) -> Iterator[tuple[str, dict[str, float]]]:
    """Recall and precision of gold characters at five chunks, over the question's own corpus."""
    folder = DATA / "chroma_chunking"
    texts = {path.stem: (path.stem, path.read_text("utf-8")) for path in sorted((folder / "corpora").glob("*.md"))}
    store = text_store(work / "chroma", texts, embedder, config)
    with (folder / "questions_df.csv").open(encoding="utf-8") as file:
        rows = [(row["question"], json.loads(row["references"]), row["corpus_id"]) for row in csv.DictReader(file)]
    for mode in MODES:
        recalls, precisions, seconds = [], [], []
        for question, references, corpus in rows:
            started = time.perf_counter()
            hits = search(store, embedder, question, k=5, mode=mode, documents=[corpus], config=config)
            seconds.append(time.perf_counter() - started)
            gold = {i for r in references for i in range(r["start_index"], r["end_index"])}
            got = {i for hit in hits for i in range(hit.chunk.start, hit.chunk.end)}
            recalls.append(len(gold & got) / len(gold))
            precisions.append(len(gold & got) / max(1, len(got)))
        yield mode, {"recall@5": mean(recalls), "precision@5": mean(precisions), "ms": 1000 * median(seconds)}


def scifact(work: Path, embedder: SentenceEmbedder, config: Config) -> Iterator[tuple[str, dict[str, float]]]:
    """nDCG@10 over abstracts; an abstract counts once, at its best chunk."""
    folder = DATA / "scifact"
    csv.field_size_limit(10_000_000)
    with (folder / "corpus_train.csv").open(encoding="utf-8") as file:
        corpus = list(csv.DictReader(file))
    with (folder / "claims_train.csv").open(encoding="utf-8") as file:
        claims = list(csv.DictReader(file))
    texts = {row["doc_id"]: (row["title"], abstract(row)) for row in corpus}
    store = text_store(work / "scifact", texts, embedder, config)
    relevant: dict[str, set[str]] = {}
    for row in claims:
        if row["evidence_doc_id"]:
            relevant.setdefault(row["claim"], set()).add(row["evidence_doc_id"])
    for mode in MODES:
        scores, seconds = [], []
        for claim, wanted in relevant.items():
            started = time.perf_counter()
            hits = search(store, embedder, claim, k=30, mode=mode, documents=None, config=config)
            seconds.append(time.perf_counter() - started)
            ranked = list(dict.fromkeys(hit.chunk.document_id for hit in hits))[:10]
            gain = sum(1 / math.log2(rank + 1) for rank, name in enumerate(ranked, 1) if name in wanted)
            scores.append(gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(10, len(wanted)) + 1)))
        yield mode, {"nDCG@10": mean(scores), "ms": 1000 * median(seconds)}


def abstract(row: dict[str, str]) -> str:
    """The abstract's sentences as one text; the column holds them as a list of quoted strings."""
    text = row["abstract"].strip()
    sentences = re.findall(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", text) if text.startswith("[") else []
    return " ".join((a or b).strip() for a, b in sentences) or text


def northwind(work: Path, embedder: SentenceEmbedder, config: Config) -> Iterator[tuple[str, dict[str, float]]]:
    """Right document at rank 1, right page among six, over the six PDFs."""
    from multidoc_rag.library import Library

    folder = DATA / "northwind_hr"
    with Library.open(work / "northwind", config=config, embedder=embedder) as library:
        library.add([folder], include="*.pdf")
        rows = [json.loads(line) for line in (folder / "qa.jsonl").read_text("utf-8").splitlines()]
        for mode in MODES:
            first, page, seconds, asked = 0, 0, [], 0
            for row in rows:
                wanted = {(name, int(number)) for name, number in re.findall(r"\[([^\]#]+)#page=(\d+)\]", row["truth"])}
                if not wanted:
                    continue
                asked += 1
                started = time.perf_counter()
                hits = library.search(row["question"], k=6, mode=mode)
                seconds.append(time.perf_counter() - started)
                first += bool(hits) and hits[0].chunk.document_name in {name for name, _ in wanted}
                page += any(wanted & pages_of(hit) for hit in hits)
            yield (
                mode,
                {"document@1": first / asked, "page@6": page / asked, "ms": 1000 * median(seconds)},
            )


def pages_of(hit: Hit) -> set[tuple[str, int]]:
    """(document, page) pairs a hit touches."""
    return {(hit.chunk.document_name, page) for page in range(hit.chunk.page_start, hit.chunk.page_end + 1)}


def mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


SETS = {"chroma": chroma, "scifact": scifact, "northwind": northwind}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", choices=sorted(SETS), dest="sets")
    parser.add_argument("--work", type=Path, help="keep the indexes here for the next run")
    parser.add_argument("--config", action="append", default=[], metavar="NAME=NUMBER", help="vary a retrieval setting")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        sys.exit(f"The labelled sets are not at {DATA}; nothing was measured.")
    changes = {name: float(value) for name, _, value in (item.partition("=") for item in arguments.config)}
    config = replace(Config.from_env(), **changes)  # type: ignore[arg-type]
    embedder = load_embedder(config)
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or Path(temporary)
        for name in arguments.sets or sorted(SETS):
            for mode, figures in SETS[name](work, embedder, config):
                print(f"{name:10} {mode:8} " + "  ".join(f"{label} {value:.3f}" for label, value in figures.items()))


if __name__ == "__main__":
    main()
