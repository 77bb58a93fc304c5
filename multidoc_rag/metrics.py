"""Every score that the evaluation and the benchmarks print. Pure functions over texts, names and numbers."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from multidoc_rag.language import content_words, fold, fold_map, words


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


# --- how an answer stands on its documents -------------------------------------------------------


def evenness(counts: Mapping[str, int], documents: int) -> float:
    """Pielou's evenness of citations over the documents that were read: Shannon entropy over its maximum, 0..1.

    1.0 when all `documents` are cited equally often, 0.0 when one has all the citations or there are none. A single
    document has nothing to share: 1.0 when it is cited.
    """
    total = sum(counts.values())
    if not total:
        return 0.0
    if documents < 2:
        return 1.0
    entropy = -sum(n / total * math.log(n / total) for n in counts.values() if n)
    return min(1.0, entropy / math.log(documents))


def largest_share(counts: Mapping[str, int]) -> float:
    """Share of the most frequent item (Berger and Parker's dominance), 0.0 for none."""
    total = sum(counts.values())
    return max(counts.values()) / total if total else 0.0


def needles_found(text: str, needles: Iterable[str]) -> list[bool]:
    """For each needle whether it stands anywhere in `text`, both folded (`language.fold`)."""
    folded = fold(text)
    return [fold(needle) in folded for needle in needles]


def holds_quote(text: str, quote: str) -> bool:
    """Whether `quote` stands in `text`, both without white space and hyphens (`language.fold_map`)."""
    return fold_map(quote)[0] in fold_map(text)[0]


def grounded_in(claim: str, source: str, *, least_shared: float = 0.5) -> bool:
    """A lexical proxy for "the source supports the claim", to stand in until claims are checked one by one.

    True when every number of the claim stands in the source and at least `least_shared` of the claim's content words
    (stemmed, without stop words) do. It sees neither negation nor who did what to whom, and takes a
    loose paraphrase for unsupported.
    """
    numbers = {word for word in words(claim) if any(character.isdigit() for character in word)}
    if numbers - set(words(source)):
        return False
    wanted = set(content_words(claim))
    return not wanted or len(wanted & set(content_words(source))) >= least_shared * len(wanted)


def headings_followed(text: str, wanted: Sequence[str]) -> float:
    """Share of the wanted headings that open a line of `text`, in the wanted order, each counted once.

    A line counts with or without Markdown marks and a closing colon ("### Shared themes", "**Shared themes:**"). Of
    headings out of order the longest run in order counts. 1.0 when none is wanted.
    """
    if not wanted:
        return 1.0
    openings = [fold(re.sub(r"^[\s#>*_-]+", "", line)) for line in text.split("\n")]
    # longest common subsequence of the wanted headings and the lines
    best = [0] * (len(openings) + 1)
    for heading in map(fold, wanted):
        previous = best.copy()
        for index, line in enumerate(openings, 1):
            match = re.match(rf"{re.escape(heading)}(?!\w)", line) is not None
            best[index] = max(previous[index], best[index - 1], previous[index - 1] + match)
    return best[-1] / len(wanted)


def relative_position(index: int, count: int) -> float:
    """Where item `index` (from 0) of `count` stands: 0.0 first, 1.0 last, 0.5 for a single one."""
    return index / (count - 1) if count > 1 else 0.5


def thirds(positions: Iterable[float]) -> tuple[float, float, float]:
    """Shares of positions (0..1) in the first third, the middle and the last third; zeros for none."""
    kept = list(positions)
    first, last = share(p < 1 / 3 for p in kept), share(p > 2 / 3 for p in kept)
    return (first, share(1 / 3 <= p <= 2 / 3 for p in kept), last)
