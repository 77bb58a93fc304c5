"""Fits the coefficients of `multidoc_rag/verdicts/checking_weights.py` and says how well they do in and across sets.

    python examples/train_checker.py             figures only
    python examples/train_checker.py --write     and writes the coefficients into the package

Fitted to the claims of expertqa, Complete against Partial and Incomplete, of wice, supported against the rest, and of
expertqa's answers with a passage taken away (`labelled_sets.py`). No text of theirs is kept, only coefficients.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from labelled_sets import SHARED, Example, expertqa, wice, without_a_passage  # noqa: E402

from multidoc_rag.records import Embedder  # noqa: E402


def measured(examples: Sequence[Example], embedder: Embedder | None) -> np.ndarray:
    """FEATURES of each example, an answer's claims examined together, each against its own passages; claims that
    the checker would leave alone get the features of evidence that says nothing."""
    from multidoc_rag.verdicts.checking_features import FEATURES
    from multidoc_rag.verdicts.examining import examine

    values = np.zeros((len(examples), len(FEATURES)), dtype=np.float32)
    answers: dict[str, list[int]] = {}
    for index, example in enumerate(examples):
        answers.setdefault(example.answer, []).append(index)
    for members in answers.values():
        passages = list(dict.fromkeys(passage for index in members for passage in examples[index].passages))
        cited = [[passages.index(passage) for passage in examples[index].passages] for index in members]
        cases = examine([examples[index].claim for index in members], passages, embedder, cited=cited).cases
        for index, case in zip(members, cases, strict=True):
            if case is not None:
                values[index] = case.measured.values
    return values


# --- fitting -----------------------------------------------------------------------------------

WEIGHTS = {"without a passage": 1.0, "wice": 1.0, "expertqa": 0.2}
"""What the sets count in the fit; experts, at odds with the others, are lenient where a passage is on the subject."""
STRENGTH = 0.03
"""Inverse of the L2 penalty on standardised features."""
ANSWERS_WITH_ERRORS = 0.32
"""Share of answers with an unsupported sentence for which the answer's cut is set."""
SEEDS = 3
"""Ways of cutting the folds, over which figures are averaged."""
NEARLY = 0.02
"""F1 by which two cuts may differ and still be about as good."""
FOR_EXPERTS = (
    "pairs", "like_next", "subject", "subject_capped", "subject_of_all", "figures_missing", "names_missing", "cited",
)  # fmt: skip
"""The features of the small fit that shows how far the experts of expertqa can be followed."""


@dataclass(frozen=True)
class Set:
    """The examples of one labelled set, measured."""

    values: np.ndarray
    good: np.ndarray
    groups: tuple[str, ...]
    answers: tuple[str, ...]

    @classmethod
    def of(cls, examples: Sequence[Example], embedder: Embedder | None) -> Set:
        """Measures the examples."""
        return cls(
            measured(examples, embedder),
            np.array([example.good for example in examples]),
            tuple(example.group for example in examples),
            tuple(example.answer for example in examples),
        )

    def __getitem__(self, rows: np.ndarray) -> Set:
        chosen = np.flatnonzero(rows)
        return Set(
            self.values[rows],
            self.good[rows],
            tuple(self.groups[row] for row in chosen),
            tuple(self.answers[row] for row in chosen),
        )


@dataclass(frozen=True)
class Fit:
    """A logistic combination in the features' own units: logistic(bias + weights . values)."""

    bias: float
    weights: np.ndarray

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(1.0 / (1.0 + np.exp(-(values @ self.weights + self.bias))))


def fit(sets: Sequence[tuple[Set, float]], columns: Sequence[int] | None = None) -> Fit:
    """Logistic regression in which either class of a set weighs the same, so that 0.5 is the balanced cut."""
    from sklearn.linear_model import LogisticRegression

    values = np.vstack([each.values for each, _ in sets])
    good = np.concatenate([each.good for each, _ in sets])
    weights = np.concatenate(
        [
            np.where(each.good, 0.5 / each.good.mean(), 0.5 / (1 - each.good.mean())) * weight * 800 / len(each.good)
            for each, weight in sets
        ]
    )
    kept = list(range(values.shape[1])) if columns is None else list(columns)
    centre, scale = values[:, kept].mean(axis=0), values[:, kept].std(axis=0) + 1e-9
    model = LogisticRegression(C=STRENGTH, max_iter=5000)
    model.fit((values[:, kept] - centre) / scale, good, sample_weight=weights)
    slopes = np.zeros(values.shape[1])
    slopes[kept] = model.coef_[0] / scale
    return Fit(float(model.intercept_[0] - slopes[kept] @ centre), slopes)


def folds(groups: Sequence[str], seed: int, count: int = 10) -> np.ndarray:
    """A fold for each group name, the same in every set (questions are shared between two of them)."""
    import hashlib

    return np.array([hashlib.sha256(f"{seed} {group}".encode()).digest()[0] % count for group in groups])


def cross_validated(sets: dict[str, Set], weights: dict[str, float], columns: Sequence[int] | None, seed: int) -> Any:
    """{set: held-out scores}: every fold is scored by a fit to the other folds of the sets that have a weight."""
    fold = {name: folds(each.groups, seed) for name, each in sets.items()}
    scores = {name: np.zeros(len(each.good)) for name, each in sets.items()}
    for number in range(10):
        model = fit([(sets[name][fold[name] != number], weight) for name, weight in weights.items()], columns)
        for name, each in sets.items():
            scores[name][fold[name] == number] = model(each.values[fold[name] == number])
    return scores


def answer_cut(each: Set, whole: Set, scores: np.ndarray, whole_scores: np.ndarray) -> tuple[float, float, float]:
    """(score of the worst sentence that best tells whole answers from those that lost a passage, its F1, the AUC),
    at ANSWERS_WITH_ERRORS; answers that lost more than three sentences are left out."""
    from sklearn.metrics import roc_auc_score

    worst, bad = [], []
    for answers, good, values, broken in (
        (whole.answers, whole.good, whole_scores, False),
        (each.answers, each.good, scores, True),
    ):
        names = np.array(answers)
        for name in dict.fromkeys(answers):
            rows = names == name
            if not broken or 1 <= (~good[rows]).sum() <= 3:
                worst.append(values[rows].min())
                bad.append(broken)
    low, faulty = np.array(worst), np.array(bad)
    weight = np.where(faulty, ANSWERS_WITH_ERRORS / faulty.mean(), (1 - ANSWERS_WITH_ERRORS) / (1 - faulty.mean()))
    curve = []
    for cut in np.arange(0.2, 0.6, 0.01):
        hit = (weight * ((low < cut) & faulty)).sum()
        curve.append((2 * hit / ((weight * (low < cut)).sum() + (weight * faulty).sum()), float(cut)))
    best = max(curve)[0]
    # real errors are subtler than a passage taken away: of cuts that are about as good, the most suspicious one
    f1, cut = max((pair for pair in curve if pair[0] >= best - NEARLY), key=lambda pair: pair[1])
    return cut, f1, float(roc_auc_score(faulty, -low))


def main() -> int:
    """Fits, prints, and writes where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write multidoc_rag/verdicts/checking_weights.py")
    arguments = parser.parse_args()
    if not SHARED.is_dir():
        print(f"the labelled sets are not in {SHARED}: nothing was fitted", file=sys.stderr)
        return 1
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score

    from multidoc_rag.config import Config
    from multidoc_rag.vectors.embedding import load_embedder
    from multidoc_rag.verdicts.checking_features import FEATURES

    embedder = load_embedder(Config())
    experts = expertqa()
    read = [example for example in experts if "/rr_" in example.answer]
    examples = {"without a passage": without_a_passage(experts), "wice": wice(), "expertqa": experts}
    sets = {name: Set.of(each, embedder) for name, each in examples.items()}
    everything = {
        answer: tuple(dict.fromkeys(p for e in read if e.answer == answer for p in e.passages))
        for answer in {e.answer for e in read}
    }
    whole = Set.of([Example(e.group, e.answer, e.claim, everything[e.answer], "", True) for e in read], embedder)

    small = [FEATURES.index(name) for name in FOR_EXPERTS]
    runs: list[tuple[str, dict[str, float], list[int] | None]] = [("shipped", WEIGHTS, None)]
    runs += [(f"{name} only", {name: 1.0}, None) for name in sets]
    runs.append(("expertqa only, few features", {"expertqa": 1.0}, small))
    print(f"{'trained on':30}" + "".join(f"{name:>28}" for name in sets))
    print(" " * 30 + f"{'AUC':>14}{'bal. accuracy':>14}" * len(sets))
    for title, weights, columns in runs:
        figures = []
        for seed in range(SEEDS):
            scores = cross_validated(sets, weights, columns, seed)
            figures.append(
                [
                    (roc_auc_score(each.good, scores[name]), balanced_accuracy_score(each.good, scores[name] >= 0.5))
                    for name, each in sets.items()
                ]
            )
        mean = np.mean(figures, axis=0)
        print(f"{title:30}" + "".join(f"{area:14.3f}{accuracy:14.3f}" for area, accuracy in mean))

    told = [
        answer_cut(sets["without a passage"], whole, scores["without a passage"], scores["whole"])
        for scores in (cross_validated(sets | {"whole": whole}, WEIGHTS, None, seed) for seed in range(SEEDS))
    ]
    cut, f1, area = (float(np.mean(each)) for each in zip(*told, strict=True))
    print(f"answers by their worst sentence: AUC {area:.3f}, F1 {f1:.3f} at {cut:.2f}")
    model = fit([(sets[name], weight) for name, weight in WEIGHTS.items()])
    if arguments.write:
        _write(model, cut, {name: len(each.good) for name, each in sets.items()})
    return 0


def _write(model: Fit, cut: float, sizes: dict[str, int]) -> None:
    from multidoc_rag.verdicts.checking_features import FEATURES

    rows = "\n".join(f'    "{name}": {weight:.4f},' for name, weight in zip(FEATURES, model.weights, strict=True))
    text = f'''"""The coefficients of `checking.py`; written by `python examples/train_checker.py --write`, not by hand.

Fitted to {sizes["wice"]} claims of WiCE (oracle_chunks_dev; annotations ODC-BY, Kamoi et al. 2023), {sizes["expertqa"]}
claims of ExpertQA (rand_val; MIT, Malaviya et al. 2024; weight {WEIGHTS["expertqa"]}), and {sizes["without a passage"]}
claims of its answers written over passages, of which one was taken away. Only coefficients are kept.
"""

BIAS = {model.bias:.4f}
SUPPORT = {{
{rows}
}}
"""Of each of `checking_features.FEATURES`, in its own unit."""
ANSWER_CUT = {cut:.2f}
"""Score of an answer's worst sentence from which, downwards, the answer counts as unsupported."""
'''
    (ROOT / "multidoc_rag" / "verdicts" / "checking_weights.py").write_text(text, encoding="utf-8")
    print("written: multidoc_rag/verdicts/checking_weights.py")


if __name__ == "__main__":
    sys.exit(main())
