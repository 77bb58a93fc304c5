"""How fast the verdicts are: answers of 4, 8 and 16 sentences over 15 passages, everything embedded anew.

    python benchmarks/checking.py [--runs N]

How good they are is E5: `python examples/evaluation.py --only E5`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from labelled_sets import SHARED, expertqa  # noqa: E402

from multidoc_rag.config import Config  # noqa: E402
from multidoc_rag.records import Embedder  # noqa: E402
from multidoc_rag.vectors.embedding import load_embedder  # noqa: E402
from multidoc_rag.verdicts.checking import check_answer  # noqa: E402

PASSAGES, PASSAGE_CHARACTERS = 15, 1000


def speed(embedder: Embedder, runs: int) -> dict[str, object]:
    """Prints and returns milliseconds a sentence against PASSAGES passages of PASSAGE_CHARACTERS characters."""
    long = [example for example in expertqa() if example.good]
    text = " ".join(dict.fromkeys(passage for example in long for passage in example.passages))
    passages = [text[n * PASSAGE_CHARACTERS : (n + 1) * PASSAGE_CHARACTERS] for n in range(PASSAGES * (runs + 1))]
    result: dict[str, object] = {}
    print(f"\nmilliseconds a sentence against {PASSAGES} passages of {PASSAGE_CHARACTERS} characters")
    for size in (4, 8, 16):
        walls, cpus = [], []
        for run in range(runs + 1):
            said = [example.claim for example in long[run * size : (run + 1) * size]]
            given = passages[run * PASSAGES : (run + 1) * PASSAGES]
            started, used = time.perf_counter(), time.process_time()
            check_answer(said, given, embedder)
            walls.append((time.perf_counter() - started) / size * 1000)
            cpus.append((time.process_time() - used) / size * 1000)
        # the first run warms the tokenizer and the word lists
        wall, cpu, best = statistics.median(walls[1:]), statistics.median(cpus[1:]), min(walls[1:])
        print(f"  {size:2} sentences: median {wall:.1f} ms, best {best:.1f} ms, CPU {cpu:.1f} ms")
        result[f"{size} sentences"] = {"wall_ms": wall, "best_ms": best, "cpu_ms": cpu}
    return result


def main() -> int:
    """Measures, prints, and keeps the figures in benchmarks/results/checking.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    if not SHARED.is_dir():
        print(f"the labelled sets are not in {SHARED}: nothing was measured", file=sys.stderr)
        return 1
    embedder = load_embedder(Config())
    result = {"speed": speed(embedder, arguments.runs)}
    target = ROOT / "benchmarks" / "results" / "checking.json"
    target.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
