"""How well the verdicts agree with people, on labelled sets: wice, expertqa and scifact.

wice, scifact: each claim against its own evidence. expertqa: an answer's claims together, each citing its own passages.
The shipped coefficients were fitted to wice and expertqa, so what they reach there is no held-out figure; the
cross-validated figures are (folds by the claim's or the question's group, as in `train_checker.py`). scifact was never
fitted to. No text of the sets is kept in a result.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from experiment import Check
from labelled_sets import Example, expertqa, scifact, wice, without_a_passage
from train_checker import FOR_EXPERTS, ROOT, SEEDS, WEIGHTS, Set, cross_validated

from multidoc_rag.metrics import mean
from multidoc_rag.records import Embedder
from multidoc_rag.verdicts.checking import CUT, Judgement, check_answer
from multidoc_rag.verdicts.checking_features import FEATURES

VERDICTS = ("supported", "partly", "unsupported", "contradicted", "unchecked")
WICE_TARGET, EXPERTQA_TARGET = 0.8, 0.68


class Remembered:
    """An embedder that keeps what it was asked for, so that the same claims are embedded once for two measures."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.fingerprint, self.dimension = embedder.name, embedder.fingerprint, embedder.dimension
        self.encode_query = embedder.encode_query
        self._encode = embedder.encode
        self._kept: dict[tuple[str, ...], np.ndarray] = {}

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """As the embedder's; whole calls are kept, since a vector depends a little on who shares its batch."""
        asked = tuple(texts)
        if asked not in self._kept:
            self._kept[asked] = self._encode(texts)
        return self._kept[asked]


def figures(embedder: Embedder, folder: Path, say: Callable[[str], None]) -> dict[str, Any]:
    """{set: its figures, or a sentence on why it was skipped}; verdicts, agreement as shipped and cross-validated."""
    found: dict[str, Any] = {}
    measured: dict[str, Set] = {}
    loaders = {"wice": wice, "expertqa": expertqa, "scifact": scifact}
    for name, load in loaders.items():
        try:
            examples = load(folder)
        except FileNotFoundError as error:
            place = os.path.relpath(error.filename, ROOT)
            found[name] = f"skipped: {place} is not there"
            continue
        say(f"  E5 {name}: {len(examples)} claims")
        kept = Remembered(embedder)
        found[name] = as_shipped(examples, judged(examples, kept))
        if name in WEIGHTS:
            measured[name] = Set.of(examples, kept)
        if name == "expertqa":
            measured["without a passage"] = Set.of(without_a_passage(examples), embedder)
    if measured.keys() >= WEIGHTS.keys():
        sets = {name: measured[name] for name in WEIGHTS}
        together = held_out(sets, WEIGHTS)
        for name in sets.keys() & found.keys():
            found[name] |= {"cross_validated": together[name]}
            columns = [FEATURES.index(each) for each in FOR_EXPERTS] if name == "expertqa" else None
            found[name] |= {"cross_validated_alone": held_out({name: sets[name]}, {name: 1.0}, columns)[name]}
    return found


def judged(examples: Sequence[Example], embedder: Embedder) -> list[Judgement]:
    """The judgement of each example, an answer's claims checked together."""
    answers: dict[str, list[int]] = {}
    for index, example in enumerate(examples):
        answers.setdefault(example.answer, []).append(index)
    found: dict[int, Judgement] = {}
    for members in answers.values():
        passages = list(dict.fromkeys(passage for index in members for passage in examples[index].passages))
        cited = [[passages.index(passage) for passage in examples[index].passages] for index in members]
        judgements = check_answer([examples[i].claim for i in members], passages, embedder, cited=cited)
        found.update(zip(members, judgements, strict=True))
    return [found[index] for index in range(len(examples))]


def as_shipped(examples: Sequence[Example], judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Agreement of the shipped verdicts with the labels, and the verdicts by label."""
    verdicts = []
    for label in sorted({example.label for example in examples}):
        counts = Counter(str(j.verdict) for e, j in zip(examples, judgements, strict=True) if e.label == label)
        verdicts.append({"label": label, "claims": counts.total()} | {verdict: counts[verdict] for verdict in VERDICTS})
    good = np.array([example.good for example in examples])
    agreement = _agreement(good, np.array([judgement.score for judgement in judgements]), CUT)
    return {"claims": len(examples), "as_shipped": agreement, "verdicts": verdicts}


def held_out(
    sets: dict[str, Set], weights: dict[str, float], columns: Sequence[int] | None = None
) -> dict[str, dict[str, float]]:
    """{set: agreement} where every fold is scored by coefficients fitted to the others, averaged over SEEDS."""
    runs = [cross_validated(sets, weights, columns, seed) for seed in range(SEEDS)]
    found = {}
    for name, each in sets.items():
        rows = [_agreement(each.good, scores[name], 0.5) for scores in runs]
        found[name] = {key: mean(row[key] for row in rows) for key in rows[0]}
    return found


def _agreement(good: np.ndarray, scores: np.ndarray, cut: float) -> dict[str, float]:
    from sklearn.metrics import balanced_accuracy_score, roc_auc_score

    balanced = float(balanced_accuracy_score(good, scores >= cut))
    return {"auc": float(roc_auc_score(good, scores)), "balanced_accuracy": balanced}


def outcomes(verdicts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """scifact's labels by what a reader sees: called contradicted, called unsupported, or no objection (missed)."""
    made = []
    for row in verdicts:
        called, doubted = row["contradicted"], row["unsupported"]
        made.append(
            {
                "scifact label": row["label"],
                "claims": row["claims"],
                "called contradicted": called,
                "called unsupported": doubted,
                "no objection (missed)": row["claims"] - called - doubted,
                "share called contradicted": called / row["claims"],
            }
        )
    return made


WAYS = {"as_shipped": "", "cross_validated": "held out, ", "cross_validated_alone": "alone, "}
"""Columns of the table: how the coefficients came about."""


def rows(found: dict[str, Any]) -> list[dict[str, Any]]:
    """A row for each set: its agreement in each of the WAYS, or why it was skipped."""
    made = []
    for name, each in found.items():
        skipped = isinstance(each, str)
        row: dict[str, Any] = {"set": name, "claims": each if skipped else each["claims"]}
        for way, title in WAYS.items():
            reached = {} if skipped else each.get(way, {})
            row |= {f"{title}AUC": reached.get("auc"), f"{title}bal. acc.": reached.get("balanced_accuracy")}
        made.append(row)
    return made


def verdicts_by_label(found: dict[str, Any]) -> list[dict[str, Any]]:
    """How often each verdict was given to claims of each label, set by set."""
    there = {name: each for name, each in found.items() if not isinstance(each, str)}
    return [{"set": name} | row for name, each in there.items() for row in each["verdicts"]]


def targets(found: dict[str, Any]) -> list[Check]:
    """What the figures should reach, cross-validated; nothing for a set that was skipped."""
    checks = []
    for name, key, least, what in (
        ("wice", "auc", WICE_TARGET, "area under the curve, cross-validated by claim,"),
        ("expertqa", "balanced_accuracy", EXPERTQA_TARGET, "balanced accuracy, cross-validated by question,"),
    ):
        if isinstance(found[name], str) or "cross_validated" not in found[name]:
            continue
        reached, alone = found[name]["cross_validated"][key], found[name]["cross_validated_alone"][key]
        detail = f"{reached:.3f}; fitted to this set alone {alone:.3f}"
        checks.append(Check(f"E5 {name}: {what} is {least} or better", reached >= least, detail, target=True))
    return checks
