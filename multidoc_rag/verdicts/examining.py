"""Every sentence of an answer measured against its evidence, with few texts embedded: what `checking` judges by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multidoc_rag.records import Embedder
from multidoc_rag.verdicts.checking_features import Claim, Ground, Measured, measure, read_claim
from multidoc_rag.verdicts.claims_text import statement, unchecked_reason

EMBEDDED_UNITS = 2
"""Units of evidence embedded per sentence where there are more than SMALL_EVIDENCE."""
EMBEDDED_CHARACTERS = 240
"""Characters of a unit that are embedded; more of them tell no better."""
SMALL_EVIDENCE = 12
"""Units of evidence that are all embedded."""
PASSAGE_OPENING = 1000
"""Characters of a passage that are embedded for what it deals with."""
LONGEST_CLAIM = 2000
"""Characters of a sentence that are checked."""


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence that can be checked: what it states, measured against its evidence and, if it cites, all the rest."""

    claim: Claim
    measured: Measured
    elsewhere: Measured | None


@dataclass(frozen=True, slots=True)
class Examined:
    """The evidence of an answer, prepared, and a case for each sentence (None: nothing to check)."""

    ground: Ground
    cases: tuple[Case | None, ...]


def examine(
    sentences: Sequence[str],
    passages: Sequence[str],
    embedder: Embedder | None,
    *,
    cited: Sequence[Sequence[int]] | None = None,
    names: Sequence[str] = (),
    language: str = "en",
) -> Examined:
    """Measures every sentence; all that is embedded goes through the embedder in one call."""
    read = [
        None if unchecked_reason(sentence, language) else read_claim(statement(sentence)[:LONGEST_CLAIM], language)
        for sentence in sentences
    ]
    claims = [claim for claim in read if claim is not None]
    ground = Ground(passages, claims, language, names)
    everything = tuple(range(len(passages)))
    scopes = [
        tuple(n for n in (cited[index] if cited else ()) if 0 <= n < len(passages)) or everything
        for index, claim in enumerate(read)
        if claim is not None
    ]
    likeness, near, subject = _alike(claims, scopes, ground, embedder)
    measured = [
        Case(
            claim,
            measure(claim, ground, scope, likeness[row], subject, near[row]),
            measure(claim, ground, everything, likeness[row], subject, near[row]) if scope != everything else None,
        )
        for row, (claim, scope) in enumerate(zip(claims, scopes, strict=True))
    ]
    cases = iter(measured)
    return Examined(ground, tuple(None if claim is None else next(cases) for claim in read))


def _alike(
    claims: Sequence[Claim], scopes: Sequence[Sequence[int]], ground: Ground, embedder: Embedder | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cosines of claims to units (-1: not worth embedding) and to passages, and of the answer to passages."""
    likeness = np.full((len(claims), len(ground.units)), -1.0, dtype=np.float32)
    near = np.zeros((len(claims), len(ground.passages)), dtype=np.float32)
    subject = np.zeros(len(ground.passages), dtype=np.float32)
    if embedder is None or not claims or not ground.units:
        return likeness, near, subject
    rows = _worth_embedding(claims, scopes, ground)
    whole = _worth_reading_whole(claims, scopes, ground)
    vectors = embedder.encode(
        [
            *(claim.text for claim in claims),
            *(ground.units[row].text[:EMBEDDED_CHARACTERS] for row in rows),
            *(ground.passages[number][:PASSAGE_OPENING] for number in whole),
        ]
    )
    stated, given, opened = np.split(vectors, [len(claims), len(claims) + len(rows)])
    likeness[:, rows] = stated @ given.T
    answer = _unit(stated.mean(axis=0))
    passage_of = ground.passage_of[rows]
    for number in np.unique(passage_of):
        # a passage that was not embedded itself stands where its embedded units stand
        mean = _unit(given[passage_of == number].mean(axis=0))
        centre = opened[whole.index(number)] if number in whole else mean
        near[:, number], subject[number] = stated @ centre, answer @ centre
    return likeness, near, subject


def _worth_reading_whole(claims: Sequence[Claim], scopes: Sequence[Sequence[int]], ground: Ground) -> list[int]:
    """The passages that are embedded themselves: those that sentences cite, or all of them, while they are few."""
    cited = {number for scope in scopes if len(scope) < len(ground.passages) for number in scope}
    wanted = cited or set(range(len(ground.passages)))
    return sorted(wanted) if len(wanted) <= max(4, len(claims) if cited else 0) else []


def _worth_embedding(claims: Sequence[Claim], scopes: Sequence[Sequence[int]], ground: Ground) -> list[int]:
    """All units where they are few, else those that share most words with a claim, in the cited passages and in all."""
    if len(ground.units) <= max(SMALL_EVIDENCE, EMBEDDED_UNITS * len(claims)):
        return list(range(len(ground.units)))
    wanted: set[int] = set()
    for claim, scope in zip(claims, scopes, strict=True):
        vocabulary = list(dict.fromkeys(claim.stems))
        shared = ground.incidence(vocabulary) @ np.array([ground.weight(word) for word in vocabulary])
        inside = np.where(np.isin(ground.passage_of, scope), shared, -1.0)
        wanted.update(np.argsort(-inside, kind="stable")[:EMBEDDED_UNITS].tolist())
        if len(scope) < len(ground.passages):
            wanted.add(int(shared.argmax()))
    return sorted(wanted)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / (float(np.linalg.norm(vector)) or 1.0)
