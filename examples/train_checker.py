"""Fits the few coefficients of `multidoc_rag/checking_weights.py` and says how well they do, within and across sets.

    python examples/train_checker.py             figures only
    python examples/train_checker.py --write     and writes the coefficients into the package

Labelled sets (../shared/data): expertqa (MIT), claims with passages, Complete against Partial and Incomplete; wice
(annotations ODC-BY), supported against the rest; scifact (claims CC BY 4.0), SUPPORT against CONTRADICT, only to
measure. No text of theirs is kept, only coefficients.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from multidoc_rag.records import Embedder  # noqa: E402

SHARED = ROOT.parent / "shared" / "data"


@dataclass(frozen=True)
class Example:
    """One labelled claim with its evidence; `group` is what cross-validation keeps together, `answer` its answer."""

    group: str
    answer: str
    claim: str
    passages: tuple[str, ...]
    label: str
    good: bool


def expertqa(folder: Path = SHARED) -> list[Example]:
    """Claims of real assistants whose evidence has text, with the experts' Complete, Partial or Incomplete."""
    examples = []
    for number, line in enumerate((folder / "expertqa" / "rand_val.jsonl").read_text("utf-8").splitlines()):
        for model, answer in json.loads(line)["answers"].items():
            for claim in answer["claims"]:
                # "[1] URL", a blank line, then the passage; a bare URL is no evidence
                parts = [str(entry).partition("\n\n")[2].strip() for entry in claim["evidence"]]
                passages = tuple(part for part in parts if part)
                if passages and claim["support"] in ("Complete", "Partial", "Incomplete"):
                    good = claim["support"] == "Complete"
                    key = f"{number}/{model}"
                    examples.append(Example(str(number), key, claim["claim_string"], passages, claim["support"], good))
    return examples


def wice(folder: Path = SHARED) -> list[Example]:
    """Claims of Wikipedia with sentences of the cited page: supported, partially_supported, not_supported."""
    examples = []
    for line in (folder / "wice" / "oracle_chunks_dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        group = row["meta"]["id"]
        passages = ("\n".join(row["evidence"]),)
        examples.append(Example(group, row["claim"], row["claim"], passages, row["label"], row["label"] == "supported"))
    return examples


def scifact(folder: Path = SHARED) -> list[Example]:
    """Scientific claims with the abstract that supports or contradicts them."""
    with (folder / "scifact" / "corpus_train.csv").open(encoding="utf-8", newline="") as file:
        abstracts = {row["doc_id"]: f"{row['title']}\n{_listed(row['abstract'])}" for row in csv.DictReader(file)}
    examples = []
    with (folder / "scifact" / "claims_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["evidence_label"] in ("SUPPORT", "CONTRADICT"):
                label = row["evidence_label"]
                passages = (abstracts[row["evidence_doc_id"]],)
                examples.append(Example(row["id"], row["id"], row["claim"], passages, label, label == "SUPPORT"))
    return examples


def _listed(text: str) -> str:
    """The sentences of a printed array of strings."""
    inside = text.strip().removeprefix("[").removesuffix("]").replace("\\n", " ")
    return " ".join(re.sub(r"""['"]\s+['"]""", " ", inside.strip("'\"")).split())


def measured(examples: Sequence[Example], embedder: Embedder | None) -> np.ndarray:
    """FEATURES of each example, an answer's claims examined together, each against its own passages; claims that
    the checker would leave alone get the features of evidence that says nothing."""
    from multidoc_rag.checking import examine
    from multidoc_rag.checking_features import FEATURES

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


@dataclass(frozen=True)
class Fit:
    """A logistic combination in the features' own units: share of probability = logistic(bias + weights . values)."""

    bias: float
    weights: tuple[float, ...]

    def __call__(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(1.0 / (1.0 + np.exp(-(values @ np.array(self.weights) + self.bias))))


def fit(sets: Sequence[tuple[np.ndarray, np.ndarray]], *, strength: float = 0.03) -> Fit:
    """Logistic regression in which every set, and in it either class, weighs the same: 0.5 is the balanced cut."""
    from sklearn.linear_model import LogisticRegression

    values = np.vstack([each for each, _ in sets])
    good = np.concatenate([labels for _, labels in sets])
    size = np.mean([len(labels) for _, labels in sets])
    weights = np.concatenate(
        [np.where(labels, 0.5 / labels.mean(), 0.5 / (1 - labels.mean())) * size / len(labels) for _, labels in sets]
    )
    centre, scale = values.mean(axis=0), values.std(axis=0) + 1e-9
    model = LogisticRegression(C=strength, max_iter=5000).fit((values - centre) / scale, good, sample_weight=weights)
    slopes = model.coef_[0] / scale
    return Fit(float(model.intercept_[0] - slopes @ centre), tuple(float(slope) for slope in slopes))


def folds(groups: Sequence[str], seed: int = 0, count: int = 10) -> np.ndarray:
    """A fold for each example, the same for all of one group."""
    names = sorted(set(groups))
    number = dict(zip(names, np.random.default_rng(seed).integers(0, count, len(names)).tolist(), strict=True))
    return np.array([number[group] for group in groups])


def cross_validated(
    values: np.ndarray, good: np.ndarray, groups: Sequence[str], others: Sequence[tuple[np.ndarray, np.ndarray]] = ()
) -> np.ndarray:
    """Held-out scores of each example; `others` are further sets that every fold trains on whole."""
    scores = np.zeros(len(good))
    fold = folds(groups)
    for each in np.unique(fold):
        held = fold == each
        scores[held] = fit([(values[~held], good[~held]), *others])(values[held])
    return scores
