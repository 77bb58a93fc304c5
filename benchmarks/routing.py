"""Routing accuracy: the paper's five questions, the labelled sets, and comparison against look-alikes.

    python benchmarks/routing.py              everything but the held-out files
    python benchmarks/routing.py --heldout    and the held-out files (aggregate figures only; look seldom)

Masks of the comparative questions are filled with the masked text span of the same row, word pieces ("ham ##ster")
are joined, [CLS] and [SEP] dropped. They are shuffled by a seed: the first half was used while tuning, the second is
the test half. Questions of the held-out files are never printed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from multidoc_rag.metrics import confusion, precision_recall  # noqa: E402
from multidoc_rag.questions.routing import classify  # noqa: E402
from multidoc_rag.records import INTENTS  # noqa: E402

SEED = 2024
QUESTIONS = ROOT / "evaluation_files"
COMPARATIVE = ROOT.parent / "shared" / "data" / "comparative_questions"
PAPER = (
    ("Summarize the main ideas across the documents.", "synthesis"),
    ("What are the main sources of risk discussed?", "synthesis"),
    ("Compare how different documents describe the same concept or methodology.", "comparison"),
    ("What are the key assumptions and limitations?", "extraction"),
    ("How do the documents differ in conclusions or policy implications?", "comparison"),
)
Labelled = tuple[str, str]


def labelled(name: str) -> list[Labelled]:
    """The (question, intent) rows of one file of `evaluation_files`."""
    lines = (QUESTIONS / name).read_text(encoding="utf-8").splitlines()
    return [(row["question"], row["intent"]) for row in map(json.loads, lines)]


def comparative_questions(folder: Path = COMPARATIVE) -> list[str]:
    """The comparative questions with masks filled, in file order; see the module's docstring."""
    questions = []
    for name in ("animals.tsv", "basket.tsv"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines()[1:]:
            text, span = line.split("\t")[:2]
            for old, new in (("[CLS]", ""), ("[SEP]", ""), ("[MASK]", span), (" ##", "")):
                text = text.replace(old, new)
            questions.append(" ".join(text.split()))
    return questions


def halves(questions: Sequence[str]) -> tuple[list[str], list[str]]:
    """A seeded split: the half used for tuning, and the half for the final figure without what the first also holds."""
    shuffled = list(questions)
    random.Random(SEED).shuffle(shuffled)
    middle = len(shuffled) // 2
    known = set(shuffled[:middle])
    return shuffled[:middle], [question for question in shuffled[middle:] if question not in known]


def report(title: str, rows: Sequence[Labelled]) -> None:
    """Prints accuracy, precision and recall by class, and the confusion table; no question."""
    pairs = [(intent, classify(question).name) for question, intent in rows]
    table = confusion(pairs)
    right = sum(truth == guess for truth, guess in pairs)
    print(f"\n{title}: {right}/{len(pairs)} = {right / len(pairs):.3f}")
    print(f"  {'truth / routed':16}" + "".join(f"{name:>12}" for name in INTENTS) + f"{'precision':>12}{'recall':>9}")
    for truth in INTENTS:
        counts = "".join(f"{table.get((truth, guess), 0):>12}" for guess in INTENTS)
        precision, recall = precision_recall(pairs, truth)
        print(f"  {truth:16}{counts}{precision:>12.3f}{recall:>9.3f}")


def report_comparison(title: str, comparisons: Sequence[str], others: Sequence[Labelled]) -> None:
    """Precision and recall of comparison: as counted, and with both classes weighing the same."""
    hits = sum(classify(question).name == "comparison" for question in comparisons)
    false = sum(classify(question).name == "comparison" for question, _ in others)
    recall, false_rate = hits / len(comparisons), false / len(others)
    print(f"\n{title}: {len(comparisons)} comparisons, {len(others)} others")
    precision = hits / max(hits + false, 1)
    print(f"  recall {recall:.3f}   precision as counted {precision:.3f}   others routed as comparison {false}")
    print(f"  precision with both classes weighing the same {recall / max(recall + false_rate, 1e-9):.3f}")
    # The same by drawing: as many comparisons as there are others, 200 seeded draws.
    size = min(len(comparisons), len(others))
    found = [classify(question).name == "comparison" for question in comparisons]
    draws = [random.Random(seed).sample(found, size) for seed in range(200)]
    recalls = sorted(sum(draw) / size for draw in draws)
    precisions = sorted(sum(draw) / max(sum(draw) + false, 1) for draw in draws)
    for name, values in (("recall", recalls), ("precision", precisions)):
        middle, low, high = values[100], values[10], values[190]
        print(f"  {size} against {size}, 200 draws: {name} median {middle:.3f}, 5 % to 95 % {low:.3f}-{high:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Routing accuracy.")
    parser.add_argument("--heldout", action="store_true", help="run the held-out files too (aggregates only)")
    heldout = parser.parse_args().heldout

    report("the paper's five questions", PAPER)
    report("tuning half", labelled("routing_tune.jsonl"))
    report("further tuning questions", labelled("routing_tune_more.jsonl"))
    report("tuning questions that only look like comparisons", labelled("routing_tune_notcomparison.jsonl"))
    if heldout:
        report("held-out half", labelled("routing_heldout.jsonl"))
        report("held-out questions that only look like comparisons", labelled("routing_heldout_notcomparison.jsonl"))
    if COMPARATIVE.is_dir():
        tuning, test = halves(comparative_questions())
        report_comparison("comparative questions, tuning half", tuning, labelled("routing_tune_notcomparison.jsonl"))
        if heldout:
            report_comparison("comparative questions, test half", test, labelled("routing_heldout_notcomparison.jsonl"))
    else:
        print("\ncomparative questions: the folder ../shared/data/comparative_questions is absent, skipped")

    questions = [question for question, _ in labelled("routing_tune.jsonl")]
    times = []
    for question in questions:
        started = time.perf_counter()
        classify(question)
        times.append(time.perf_counter() - started)
    times.sort()
    print(f"\ntime a question: median {times[len(times) // 2] * 1e3:.2f} ms, slowest {times[-1] * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
