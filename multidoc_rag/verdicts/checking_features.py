"""What a claim and its evidence are measured by: shared words, shared word pairs, likeness, figures, names, polarity.

Pure functions; vectors are passed in. Evidence is prepared once per answer as `Ground`, every claim of the answer is
measured against it in a few matrix products.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multidoc_rag.figures.agreement import borne_out
from multidoc_rag.figures.quantities import Figure, figures, given_figures
from multidoc_rag.language import STOP_WORDS, sentence_spans, stem, words
from multidoc_rag.verdicts.claims_text import claims as joined
from multidoc_rag.verdicts.disagreement import opposites

LONGEST_UNIT = 600
"""Characters of evidence that are compared as one unit; longer sentences are cut at white space."""
ROOT = 5
"""Letters that two stems must share to count as of one root."""
RELATED = 0.7
"""What a word of the same root counts."""
BEST = 4
"""Units kept per claim for the closer look, and embedded for it."""

_NAME = re.compile(r"(?<![\w'’])[A-ZÀ-ÖØ-ÞΑ-ΩА-Я][\w'’&-]*[\w]|\b[A-Z]{2,}\d*\b")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, list item or table row of passage number `passage`; `stems` are its content words in order."""

    passage: int
    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement to be checked: its content words in order, what is a figure and what a name in it."""

    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    figures: tuple[Figure, ...]
    names: tuple[str, ...]


def content(tokens: Iterable[str], language: str, openings: frozenset[str] | None = None) -> tuple[str, ...]:
    """Content words of some `words` in order, stemmed, numbers left out (they are compared by value).

    openings: first two letters of the words that matter; others are left unstemmed, which is several times faster.
    """
    stops = STOP_WORDS.get(language, frozenset())
    kept = (word for word in tokens if word not in stops and not word[0].isdigit())
    return tuple(stem(word, language) if openings is None or word[:2] in openings else word for word in kept)


def read_claim(text: str, language: str = "en") -> Claim:
    """A statement read for checking."""
    tokens = tuple(words(text))
    return Claim(text, tokens, content(tokens, language), figures(text, language), names(text, language))


def names(text: str, language: str = "en") -> tuple[str, ...]:
    """Capitalised words that are not there for opening the sentence, casefolded; acronyms count anywhere."""
    found = []
    stops = STOP_WORDS.get(language, frozenset())
    for match in _NAME.finditer(text):
        word = match[0].removesuffix("'s").removesuffix("’s")
        opens = not re.search(r"[\w,;)%'’\"”]\s*$", text[: match.start()])
        if (opens and not (len(word) > 1 and word.isupper())) or word.casefold() in stops or language == "de":
            continue
        found.append(word.casefold())
    return tuple(dict.fromkeys(found))


def cut(passage: str, language: str = "en") -> list[str]:
    """A passage as units: sentences, list items, table rows."""
    units = []
    for start, end in sentence_spans(passage, language):
        text = " ".join(passage[start:end].split())
        while len(text) > LONGEST_UNIT:
            at = text.rfind(" ", 0, LONGEST_UNIT)
            at = at if at > LONGEST_UNIT // 2 else LONGEST_UNIT
            units.append(text[:at])
            text = text[at:].lstrip()
        if text:
            units.append(text)
    return units


FEATURES = (
    "unit", "window", "passage", "pairs", "phrases", "weakest", "gap", "like", "like_next", "near", "subject",
    "subject_capped", "subject_of_all", "figures_missing", "figures_found", "names_missing", "names_found", "length",
    "cited",
)  # fmt: skip
SUBJECT_CAP = 0.55
"""Cosine from which a passage surely deals with the answer's subject."""
"""What a claim is measured by, in order; each is described in `measure`."""


class Ground:
    """The evidence of one answer, prepared: units of all passages, in order, and what its claims ask of them."""

    def __init__(
        self, passages: Sequence[str], claims: Sequence[Claim], language: str = "en", names: Sequence[str] = ()
    ) -> None:
        self.language = language
        self.passages = tuple(passages)
        self.names = tuple(names) or ("",) * len(passages)
        self._called = tuple(frozenset(content(words(name), language)) for name in self.names)
        telling = {stem for claim in claims for stem in claim.stems}
        telling |= {other for stem in telling for other in opposites(stem)}
        openings = frozenset(stem[:2] for stem in telling)
        self.units = tuple(
            Unit(number, text, tokens, content(tokens, language, openings))
            for number, passage in enumerate(passages)
            for text in cut(passage, language)
            for tokens in (tuple(words(text)),)
        )
        asked = {pair for claim in claims for pair in itertools.pairwise(claim.stems)}
        self.pairs = _where(asked, ((unit.passage, unit.stems) for unit in self.units))
        asked = {pair for claim in claims for pair in itertools.pairwise(claim.words)}
        self.phrases = _where(asked, ((unit.passage, unit.words) for unit in self.units))
        self.passage_of = np.array([unit.passage for unit in self.units], dtype=np.int64)
        self.folded = tuple(f"{p} {name}".casefold() for p, name in zip(passages, self.names, strict=True))
        self._columns: dict[str, np.ndarray] = {}
        self._postings: dict[str, list[int]] = {}
        for row, unit in enumerate(self.units):
            for each in dict.fromkeys(unit.stems):
                self._postings.setdefault(each, []).append(row)
        self._roots: dict[str, list[str]] = {}
        for each in self._postings:
            if len(each) >= ROOT:
                self._roots.setdefault(each[:ROOT], []).append(each)

    @cached_property
    def figures(self) -> tuple[tuple[Figure, ...], ...]:
        """The figures of each unit."""
        return tuple(given_figures(unit.text, self.language) for unit in self.units)

    def apart_from_source(self, claim: Claim, rows: Iterable[int]) -> list[str]:
        """The claim's content words, each once, without those that some units (`rows`) lack but their documents are
        called by ("the annual report says ..."), if more than one word is left."""
        stated = list(dict.fromkeys(claim.stems))
        called = frozenset[str]().union(*(self._called[self.units[row].passage] for row in rows))
        told = called.intersection(stated)
        if not told:
            return stated
        present = {word for word in told if not set(self._postings.get(word, ())).isdisjoint(rows)}
        rest = [word for word in stated if word not in told or word in present]
        return rest if len(rest) > 1 else stated

    def weight(self, word: str) -> float:
        """How telling a word is: rare in this evidence, or absent from it."""
        return math.log(1 + (len(self.units) + 1) / (1 + len(self._postings.get(word, ()))))

    def incidence(self, vocabulary: Sequence[str]) -> np.ndarray:
        """float32 (units, vocabulary): 1 where the unit has the word, RELATED where it has one of the same root."""
        if not vocabulary:
            return np.zeros((len(self.units), 0), dtype=np.float32)
        return np.stack([self._column(word) for word in vocabulary], axis=1)

    def _column(self, word: str) -> np.ndarray:
        if word not in self._columns:
            column = np.zeros(len(self.units), dtype=np.float32)
            for other in self._roots.get(word[:ROOT], ()):
                if other != word and _same_root(word, other):
                    column[self._postings[other]] = RELATED
            column[self._postings.get(word, [])] = 1.0
            self._columns[word] = column
        return self._columns[word]


def _where(asked: set[tuple[str, str]], texts: Iterable[tuple[int, Sequence[str]]]) -> dict[tuple[str, str], set[int]]:
    """Those of the pairs that stand next to each other in some text, and the passages where they do."""
    found: dict[tuple[str, str], set[int]] = {}
    for passage, tokens in texts:
        for pair in asked.intersection(itertools.pairwise(tokens)):
            found.setdefault(pair, set()).add(passage)
    return found


def _share(pairs: set[tuple[str, str]], where: dict[tuple[str, str], set[int]], allowed: set[int]) -> float:
    """Share of `pairs` that some allowed passage has."""
    none: set[int] = set()
    return sum(not allowed.isdisjoint(where.get(pair, none)) for pair in pairs) / max(1, len(pairs))


def _same_root(one: str, other: str) -> bool:
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= ROOT and shared >= 0.65 * max(len(one), len(other))


@dataclass(frozen=True, slots=True)
class Measured:
    """One claim against some passages (numbers): the FEATURES, the units that share most with it (best first), and
    which of its figures and names are nowhere in them."""

    passages: tuple[int, ...]
    values: np.ndarray
    best: tuple[int, ...]
    missing_figures: tuple[Figure, ...]
    missing_names: tuple[str, ...]


def measure(
    claim: Claim, ground: Ground, allowed: Sequence[int], likeness: np.ndarray, subject: np.ndarray, near: np.ndarray
) -> Measured:
    """Holds one claim against the `allowed` passages (numbers).

    likeness: cosine of the claim to each unit, -1 where unknown; near: to each passage; subject: of the whole answer
    to each passage. The values: share of the claim's content words (weighted by rarity) in its best unit, best window
    of neighbouring units, best passage; share of its pairs of neighbouring content words and of all its word pairs in
    the evidence; the weakest joined claim's share; longest run of words the best passage lacks; likeness to the
    nearest unit and the next ones, to the nearest passage, of the answer to it (plain and capped) and to all passages;
    figures and names that are missing and found; length; how many passages it cites (0: it may rest on any).
    """
    rows = np.flatnonzero(np.isin(ground.passage_of, allowed))
    vocabulary = ground.apart_from_source(claim, rows.tolist())
    weights = np.array([ground.weight(word) for word in vocabulary], dtype=np.float32)
    matrix = ground.incidence(vocabulary)[rows]
    passage_of = ground.passage_of[rows]
    total = float(weights.sum()) or 1.0

    if len(rows) and vocabulary:
        by_unit = matrix @ weights / total
        windows = _windows(matrix, passage_of)
        by_window = windows @ weights / total
        groups = [matrix[passage_of == number].max(axis=0) for number in np.unique(passage_of)]
        by_passage = np.stack(groups) @ weights / total
        lacks = groups[int(by_passage.argmax())] < 0.5
        order = np.argsort(-by_unit, kind="stable")
        pieces = _pieces(claim, ground.language, vocabulary)
        weakest = min(
            (float((windows[:, ids] @ weights[ids]).max() / weights[ids].sum()) for ids in pieces), default=0.0
        )
        unit, window, passage = float(by_unit.max()), float(by_window.max()), float(by_passage.max())
    else:
        order, lacks = np.arange(len(rows)), np.ones(len(vocabulary), dtype=bool)
        unit = window = passage = weakest = 0.0

    within = set(allowed)
    pairs = _share(set(itertools.pairwise(claim.stems)), ground.pairs, within)
    phrases = _share(set(itertools.pairwise(claim.words)), ground.phrases, within)
    given = [figure for row in rows for figure in ground.figures[row]] if claim.figures else []
    missing = tuple(figure for figure in claim.figures if not borne_out(figure, given))
    strange = tuple(name for name in claim.names if not any(name in ground.folded[number] for number in allowed))
    like = np.sort(likeness[rows])[::-1]
    deals = float(max(subject[list(allowed)], default=0.0))
    values = (
        unit, window, passage,
        pairs, phrases,
        weakest, _longest_run(claim.stems, {word for word, absent in zip(vocabulary, lacks, strict=True) if absent}),
        float(like[0]) if len(like) else 0.0, float(like[:3].mean()) if len(like) else 0.0,
        float(max(near[list(allowed)], default=0.0)), deals, min(deals, SUBJECT_CAP),
        float(subject[subject != 0].mean()) if subject.any() else 0.0,
        min(2, len(missing)), min(2, len(claim.figures) - len(missing)),
        min(3, len(strange)), min(3, len(claim.names) - len(strange)),
        math.log(1 + len(claim.stems)), min(3, len(within)) if len(within) < len(ground.passages) else 0,
    )  # fmt: skip
    best = tuple(int(rows[index]) for index in order[:BEST])
    return Measured(tuple(allowed), np.array(values, dtype=np.float32), best, missing, strange)


def _windows(matrix: np.ndarray, passage_of: np.ndarray) -> np.ndarray:
    """Each row joined with the rows before and after it in the same passage."""
    joined = matrix.copy()
    same = (passage_of[1:] == passage_of[:-1])[:, None]
    joined[1:] = np.maximum(joined[1:], np.where(same, matrix[:-1], 0))
    joined[:-1] = np.maximum(joined[:-1], np.where(same, matrix[1:], 0))
    return joined


def _pieces(claim: Claim, language: str, vocabulary: Sequence[str]) -> list[list[int]]:
    column = {word: index for index, word in enumerate(vocabulary)}
    found = [
        sorted({column[word] for word in content(words(piece), language) if word in column})
        for piece in joined(claim.text, language)
    ]
    return [ids for ids in found if ids]


def _longest_run(stems: Sequence[str], absent: set[str]) -> float:
    """Share of the claim in the longest run of words that are absent."""
    longest = run = 0
    for word in stems:
        run = run + 1 if word in absent else 0
        longest = max(longest, run)
    return longest / max(1, len(stems))
