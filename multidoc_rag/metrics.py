"""Every score that the evaluation and the benchmarks print. Pure functions over texts, names and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from multidoc_rag.language import fold, words


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and their harmonic mean, each 0..1."""

    precision: float
    recall: float
    f1: float


def f1(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall, 0.0 when both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def token_scores(predicted: Iterable[str], gold: Iterable[str]) -> Scores:
    """Token precision, recall and F1 between two collections of texts, as in SQuAD (Rajpurkar et al. 2016).

    Each side is one bag of words (casefolded, punctuation dropped); a word counts as often as it stands on both sides.
    Two empty sides agree (1.0).
    """
    ours, theirs = Counter(_bag(predicted)), Counter(_bag(gold))
    shared = sum((ours & theirs).values())
    if not ours and not theirs:
        return Scores(1.0, 1.0, 1.0)
    precision = shared / sum(ours.values()) if ours else 0.0
    recall = shared / sum(theirs.values()) if theirs else 0.0
    return Scores(precision, recall, f1(precision, recall))


def _bag(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in words(text)]


def facts_found(
    sentences: Iterable[tuple[str, Iterable[str]]], facts: Iterable[tuple[str, Sequence[str]]]
) -> list[bool]:
    """For each gold fact (document, needles): whether one answer sentence holds all needles and cites that document.

    `sentences` are (text, names of the documents cited). Needles are compared folded (`language.fold`).
    """
    said = [(fold(text), frozenset(documents)) for text, documents in sentences]
    return [
        any(document in documents and all(fold(needle) in text for needle in needles) for text, documents in said)
        for document, needles in facts
    ]


def coverage(cited: Iterable[str], expected: Iterable[str]) -> float:
    """Share of the expected documents that are cited; 1.0 when none is expected."""
    wanted = set(expected)
    return len(wanted & set(cited)) / len(wanted) if wanted else 1.0


def share(flags: Iterable[bool]) -> float:
    """Share of true values, 0.0 for none."""
    values = list(flags)
    return sum(values) / len(values) if values else 0.0


def mean(values: Iterable[float]) -> float:
    """Arithmetic mean, 0.0 for none."""
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0


def quantile(values: Iterable[float], q: float) -> float:
    """The q-quantile (0..1) by linear interpolation, 0.0 for no values."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    position = q * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def confusion(pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """How often each (true label, given label) pair occurs; pairs that never occur are absent."""
    return dict(Counter(pairs))


def precision_recall(pairs: Iterable[tuple[str, str]], label: str) -> tuple[float, float]:
    """Precision and recall of one label over (true label, given label) pairs; 0.0 where nothing can be counted."""
    kept = list(pairs)
    hits = sum(truth == guess == label for truth, guess in kept)
    given = sum(guess == label for _, guess in kept)
    true = sum(truth == label for truth, _ in kept)
    return (hits / given if given else 0.0), (hits / true if true else 0.0)
