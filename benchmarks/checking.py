"""How good and how fast the verdicts are, with the coefficients as shipped (E5, verifier quality).

    python benchmarks/checking.py              labelled sets, then speed
    python benchmarks/checking.py --speed      speed alone

wice, scifact: each claim against its own evidence. expertqa: an answer's claims together, each citing its own passages.
The shipped coefficients were fitted to wice and expertqa, so what is printed for these is no held-out figure:
`examples/train_checker.py` prints the cross-validated and the cross-set ones. scifact was never fitted to. Speed is
told for answers of 4, 8 and 16 sentences over 15 passages, with everything that is embedded embedded anew.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from train_checker import SHARED, Example, expertqa, scifact, wice  # noqa: E402

from multidoc_rag.checking import CUT, Judgement, check_answer  # noqa: E402
from multidoc_rag.config import Config  # noqa: E402
from multidoc_rag.embedding import load_embedder  # noqa: E402
from multidoc_rag.records import Embedder  # noqa: E402

VERDICTS = ("supported", "partly", "unsupported", "contradicted", "unchecked")
PASSAGES, PASSAGE_CHARACTERS = 15, 1000


def judged(examples: list[Example], embedder: Embedder) -> list[Judgement]:
    """The judgement of each example, an answer's claims checked together."""
    answers: dict[str, list[int]] = {}
    for index, example in enumerate(examples):
        answers.setdefault(example.answer, []).append(index)
    found: dict[int, Judgement] = {}
    for members in answers.values():
        passages = list(dict.fromkeys(passage for index in members for passage in examples[index].passages))
        cited = [[passages.index(passage) for passage in examples[index].passages] for index in members]
        found.update(
            zip(
                members,
                check_answer([examples[i].claim for i in members], passages, embedder, cited=cited),
                strict=True,
            )
        )
    return [found[index] for index in range(len(examples))]


def quality(embedder: Embedder) -> dict[str, object]:
    """Prints and returns, for each set, verdicts by label, balanced accuracy at CUT, area under the curve."""
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score

    result: dict[str, object] = {}
    for name, examples in (("wice", wice()), ("expertqa", expertqa()), ("scifact", scifact())):
        judgements = judged(examples, embedder)
        good = np.array([example.good for example in examples])
        scores = np.array([judgement.score for judgement in judgements])
        area = float(roc_auc_score(good, scores))
        balanced = float(balanced_accuracy_score(good, scores >= CUT))
        print(f"\n{name}: {len(examples)} claims, area under the curve {area:.3f}, balanced accuracy {balanced:.3f}")
        print(f"  {'label':22}" + "".join(f"{verdict:>14}" for verdict in VERDICTS))
        table = {}
        for label in sorted({example.label for example in examples}):
            counts = Counter(str(j.verdict) for e, j in zip(examples, judgements, strict=True) if e.label == label)
            total = sum(counts.values())
            table[label] = {verdict: counts[verdict] for verdict in VERDICTS}
            print(f"  {label:22}" + "".join(f"{counts[v]:7} {counts[v] / total:5.0%} " for v in VERDICTS))
        result[name] = {"claims": len(examples), "auc": area, "balanced_accuracy": balanced, "verdicts": table}
    return result


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
    parser.add_argument("--speed", action="store_true", help="speed alone")
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    if not SHARED.is_dir():
        print(f"the labelled sets are not in {SHARED}: nothing was measured", file=sys.stderr)
        return 1
    embedder = load_embedder(Config())
    result: dict[str, object] = {"speed": speed(embedder, arguments.runs)}
    if not arguments.speed:
        result |= quality(embedder)
        target = ROOT / "benchmarks" / "results" / "checking.json"
        target.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
