"""Whether evidence denies what a claim says, or says what a claim denies, whatever else both sentences hold.

"The plan does not provide coverage for travel, dental care or glasses" denies "The plan covers glasses": one has the
subject that stands before the other's denial, and otherwise what stands after it. English; pure functions of words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from multidoc_rag.language import STOP_WORDS, stem, words
from multidoc_rag.verdicts.claims_text import statement

_NOT = re.compile(r"\b(?:(?:do|does|did|is|are|was|were|has|have|had|will|would|can|could|may|must|should)"
                  r"(?:\s+not|n['’]t)|cannot|never)\b", re.IGNORECASE)  # fmt: skip
_DENIES = re.compile(
    r"\b(?:not|(?<!at )no|never|none|nor|neither|without|cannot|excludes?|excluded|excluding|except|unless|lacks?|"
    r"fails?|failed|only|\w+n['’]t)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[;:()]|\s[–—-]\s|,?\s+\b(?:but|while|whereas|although|though|however|because|since)\b|,\s+(?:and|so)\s|\bthat\b"
)
_CONDITION = re.compile(
    r"\b(?:if|unless|except|until|when|where|may|might|could|some|certain|whether|even|yet|"
    r"above|below|over|under|beyond|exceeds?|than)\b",
    re.IGNORECASE,
)
_QUANTIFIERS = frozenset(
    "all every each any always entirely fully completely necessarily only just both exactly".split()  # noqa: SIM905
)
_LIGHT = frozenset(
    map(
        stem,
        """
    provide offer include contain give make take get available also currently any
    """.split(),  # noqa: SIM905
    )
)
_LABEL = re.compile(r"(?<=\w )([A-Z])(?![\w'’-])")
_ROOT = 5
"""Letters that words must share to be of one root ("covers", "coverage")."""
_REST = 0.66
"""Share of what one says of the subject that the other must have."""
_AGREES = 0.8
"""Share of a denying claim's words from which a sentence that denies something too says the same."""
_NEAREST = 3
"""Content words before "not" that tell what it speaks of."""
_FEWEST = 2
"""Content words that the subject, and what is said of it, must have together and each side one."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A clause with "not" in it: the stems before and after it, and the quantifier that it denies ("not all")."""

    subject: tuple[str, ...]
    denied: tuple[str, ...]
    quantifier: str


@lru_cache(maxsize=4096)
def denials(text: str) -> tuple[Denial, ...]:
    """The clauses of an English sentence that deny something of a subject they name, unless on a condition."""
    found = []
    opening: tuple[str, ...] = ()
    for clause in _CLAUSE.split(statement(text)):
        match = _NOT.search(clause)
        before = _stems(clause[: match.start()] if match else clause)
        opening = opening or before[:3]
        if match is None or _DENIES.search(clause, match.end()) or _CONDITION.search(clause):
            continue
        following = words(clause[match.end() :])
        quantifier = next((word for word in following[:4] if word in _QUANTIFIERS), "")
        subject, denied = before[-_NEAREST:] or opening, _stems(clause[match.end() :])
        if subject and denied and len(subject) + len(denied) > _FEWEST:
            found.append(Denial(subject, denied, quantifier))
    return tuple(found)


def denied(claim: str, evidence: Sequence[str]) -> str:
    """How the evidence (sentences) denies the claim or says what it denies, as a reason; "" if not.

    Evidence that says, or denies, the same as the claim outweighs what does not.
    """
    said, denies = denials(claim), bool(_DENIES.search(claim))
    stated = _stems(claim)
    against = ""
    for sentence in evidence:
        if said and _NOT.search(sentence) and _share(stated, _stems(sentence)) >= _AGREES:
            return ""
        plain = not _DENIES.search(sentence) and not _CONDITION.search(sentence)
        if plain and not denies and _share(stated, _stems(sentence)) == 1:
            return ""
        if not denies and any(_denies(denial, claim) for denial in denials(sentence)):
            against = against or "the passage denies it"
        elif plain and any(not each.quantifier and _denies(each, sentence, whole=False) for each in said):
            against = against or "the sentence denies what the passage says"
    return against


def _denies(denial: Denial, statement: str, *, whole: bool = True) -> bool:
    """Whether the statement says of the denial's subject what that denies.

    whole: whether all that the statement says must be denied, not only all that is denied be said.
    """
    stems = _stems(statement)
    if denial.quantifier and denial.quantifier not in words(statement):
        return False
    if _share(denial.subject, stems) < 1:
        return False
    rest = [word for word in stems if not _has(denial.subject, word)]
    if not rest:
        return False
    head = next((word for word in denial.denied if word not in _LIGHT), "")
    if not _has(rest, head):
        return False
    return (whole and _share(rest, denial.denied) >= _REST) or _share(denial.denied, rest) >= _REST


def _share(wanted: Sequence[str], stems: Sequence[str]) -> float:
    return sum(_has(stems, word) for word in wanted) / max(1, len(wanted))


def _stems(text: str) -> tuple[str, ...]:
    """Content words of a text; figures and labels tell subjects apart (phase 2, plan A)."""
    stops = STOP_WORDS["en"]
    kept = (stem(token) for token in words(_LABEL.sub(r"label\1", text)) if token not in stops)
    return tuple(word for word in kept if word not in _LIGHT)


def _has(stems: Sequence[str], word: str) -> bool:
    return word in stems or (
        len(word) >= _ROOT and not word.startswith("label") and any(each[:_ROOT] == word[:_ROOT] for each in stems)
    )
