"""What the way of cutting costs or gains: dense token recall at 5 on chroma_chunking, 472 questions, 5 corpora.

    python benchmarks/chunk_retrieval.py [--sizes 800,400] [--json FILE]

Recall is the share of a question's gold characters that the five best chunks of all corpora hold together.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from multidoc_rag.config import Config
from multidoc_rag.files.chunking import chunk
from multidoc_rag.records import Chunk, Page, Reading
from multidoc_rag.vectors.embedding import load_embedder

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Question:
    """A question and where its answer stands: character spans in one corpus."""

    text: str
    corpus: str
    gold: tuple[tuple[int, int], ...]


def corpora(data: Path = DATA) -> dict[str, Reading]:
    """The five corpora, each a document of one page whose text is the file's, untouched."""
    found = {}
    for path in sorted((data / "chroma_chunking" / "corpora").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        found[path.stem] = Reading(sha256="", pages=(Page(1, text, text),), title=path.stem)
    return found


def questions(data: Path = DATA) -> list[Question]:
    """The 472 questions with their 790 gold excerpts."""
    with (data / "chroma_chunking" / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        return [
            Question(
                row["question"],
                row["corpus_id"],
                tuple((part["start_index"], part["end_index"]) for part in json.loads(row["references"])),
            )
            for row in csv.DictReader(file)
        ]


def recall(question: Question, found: Sequence[Chunk]) -> float:
    """Share of the question's gold characters that lie in the chunks found."""
    total = held = 0
    for start, end in question.gold:
        covered = np.zeros(end - start, dtype=bool)
        for piece in found:
            if piece.document_id == question.corpus:
                covered[max(piece.start - start, 0) : max(piece.end - start, 0)] = True
        total += end - start
        held += int(covered.sum())
    return held / total


def recalls(chunks: Sequence[Chunk], vectors: np.ndarray, asked: Sequence[Question], queries: np.ndarray) -> np.ndarray:
    """Recall at 5 of each question by cosine."""
    best = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :5]
    return np.array([recall(q, [chunks[i] for i in row]) for q, row in zip(asked, best, strict=True)])


def main() -> None:
    """Print recall for each size, strategy and context setting."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="800", help="chunk sizes, by commas; the overlap is 150/800 of each")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()

    embedder = load_embedder(Config.from_env())
    asked, documents = questions(), corpora()
    queries = np.stack([embedder.encode_query(question.text) for question in asked])
    rows = []
    for size in map(int, options.sizes.split(",")):
        for strategy in ("fixed", "sentence"):
            for context in (False, True):
                config = replace(Config(), chunk_size=size, chunk_overlap=size * 150 // 800, context=context)
                config = replace(config, chunk_strategy=strategy)
                by_document = [chunk(reading, name, name, config) for name, reading in documents.items()]
                vectors = np.vstack([embedder.encode([c.searchable for c in chunks]) for chunks in by_document])
                flat = [piece for chunks in by_document for piece in chunks]
                row = {
                    "size": size,
                    "strategy": strategy,
                    "context": context,
                    "chunks": len(flat),
                    "mean_length": round(float(np.mean([len(piece.text) for piece in flat]))),
                    "recall": round(float(recalls(flat, vectors, asked, queries).mean()), 4),
                }
                rows.append(row)
                print(row, flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
