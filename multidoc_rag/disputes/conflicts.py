"""Two documents' claims held against each other: what disagrees, and what only seems to.

Claims that are each other's nearest by sentence vectors are read for their type: the same thing measured, dated or
denied. A disagreement is a conflict only where period, scope, unit, rounding and version do not explain it. Pure
functions: vectors are passed in. The comparison of two documents depends on these two alone, so a ledger over many
grows and shrinks with them.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multidoc_rag.disputes.claims import claims
from multidoc_rag.disputes.differences import KINDS, Difference, Kind, dated, read, shares_value
from multidoc_rag.disputes.editions import editions_of_one, series_of_one
from multidoc_rag.disputes.subjects import Relation, Subject, other_mould, other_noun, relation, said_of, title_slots
from multidoc_rag.disputes.typed_claims import NONE_OF, Claim, stems
from multidoc_rag.records import Passage

VERSION = 4
"""Grows when claims are compared in another way: a kept ledger is then made anew."""


LEAST_COSINE = 0.45
"""Claims further apart than this are not looked at."""
NONE_COSINE = 0.30
"""The same where one says that there was none: the other must count the very thing."""
RIVALS = 3
"""Pairs are read only where each claim is among this many nearest of the other's document."""
WORDS_WEIGHT = 0.15
"""What the share of common content words adds to the cosine."""
NEAR_WEIGHT = 0.10
"""What the share of common words next to the two numbers adds."""
AMOUNTS_FROM, COUNTS_FROM, DATES_FROM, OPPOSITES_FROM, DENIALS_FROM = 0.71, 0.90, 0.80, 0.85, 0.60
"""Likeness from which a pair is taken to speak of the same thing: amounts (with a unit, or large), small counts, dates,
opposites, none against some (the last two ask for YES_NO_SHARE of the words in common besides)."""
PARTIES_FROM = 0.58
"""The same where two are named for one role, in sentences that share another name."""
YES_NO_SHARE = 0.7

SAME_FROM = 0.55
"""The same for amounts that agree in another unit or when rounded: that they agree speaks for the pair."""
MOULD, MOULD_SHARE = 0.75, 0.2
"""Documents of one mould: this share of either's claims has one in the other that is at least so near."""
FAR_APART, FAR_APART_FROM = 4.0, 0.90
"""Values that differ by more than this factor are rarely of one measure: more likeness is asked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Two claims of two documents that differ, why, and how alike they are (cosine and common words, 0..1.15)."""

    kind: Kind
    one: Claim
    other: Claim
    values: tuple[str, str]
    subject: str
    measure: str
    likeness: float


def compare(
    ours: Sequence[Claim],
    theirs: Sequence[Claim],
    cosines: np.ndarray,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> list[Finding]:
    """What two documents' claims disagree on, most alike first; `cosines` is float, shape (len(ours), len(theirs)).

    A claim is in conflict with its nearest of the other document only. What documents of one mould about different
    things (two plans, two sites) say differs in scope; where both name what they are about, two flats or two
    products, nothing is found at all. Of two editions of one document the earlier is superseded, and two reports of a
    series differ in period. Only `pairs` (row, column) are read, by default all `candidates`.
    """
    if not len(ours) or not len(theirs):
        return []
    between = _Between(ours[0], theirs[0], cosines)
    near = []
    if pairs is None:
        pairs = candidates(cosines, [claim.mask for claim in ours], [claim.mask for claim in theirs])
    for i, j in pairs:
        one, other = ours[i], theirs[j]
        if one.shown == other.shown or between.speak_of(one, other) == "other":
            continue
        shared = len(one.words & other.words) / max(1, min(len(one.words), len(other.words)))
        near.append((float(cosines[i, j]) + WORDS_WEIGHT * shared, shared, i, j))
    near.sort(key=lambda pair: (-pair[0], pair[2], pair[3]))
    findings = []
    taken: tuple[set[int], set[int]] = set(), set()
    for likeness, shared, i, j in near:
        one, other = ours[i], theirs[j]
        reading = read(one, other)
        likeness += NEAR_WEIGHT * reading.alike if reading else 0.0
        comparable = reading is not None or shares_value(one, other)
        nearest = i not in taken[0] and j not in taken[1]
        if comparable:
            # whoever agrees with its nearest has no quarrel with the next one
            taken[0].add(i)
            taken[1].add(j)
        if reading is None or likeness < _least(reading, shared):
            continue
        if not nearest and (reading.kind == "conflict" or one.cell or other.cell):
            continue
        kind = between.explained(one, other, reading) if reading.kind == "conflict" else reading.kind
        findings.append(Finding(kind, one, other, reading.values, *_named(one, other, reading), likeness))
    return findings


class _Between:
    """What two documents as wholes mean for their claims: about one thing or two, editions of one, of one series."""

    def __init__(self, one: Claim, other: Claim, cosines: np.ndarray) -> None:
        self._relation = relation(one.about, other.about)
        self._alike = _alike(cosines) >= MOULD_SHARE
        self._mould = self._relation == "unknown" and strangers(one.about, other.about, cosines)
        self._series = series_of_one(one.edition, other.edition)
        self._titles = title_slots(one.about, other.about)
        self._editions = (
            not self._series and not self._titles[0] and editions_of_one(one.edition, other.edition, alike=self._alike)
        )

    def speak_of(self, one: Claim, other: Claim) -> Relation:
        """Whether two claims speak of one thing: by what they name themselves, else by their documents."""
        said = said_of(one.told, one.about, other.told, other.about)
        return self._relation if said == "unknown" else said

    def explained(self, one: Claim, other: Claim, reading: Difference) -> Kind:
        """What a conflict between two claims is in view of their documents."""
        if self._editions:
            return "superseded"
        if self._series and _other_period(one, other, dates=reading.basis == "date"):
            return "other_period"
        if self._mould and self.speak_of(one, other) != "same":
            return "other_scope"
        if one.cell or other.cell:
            return "conflict"
        if other_noun(one.shown, other.shown, alike=self._alike, titles=self._titles):
            return "other_scope"
        return "conflict"


def _other_period(one: Claim, other: Claim, *, dates: bool) -> bool:
    """Whether the claims of two reports of a series are for different periods: each its own, or that of its report."""
    spans = []
    for claim in (one, other):
        own = () if dates else tuple((period.first, period.last) for period in dated(claim))
        spans.append(own or claim.edition.span)
    return not any(a[0] <= b[1] and b[0] <= a[1] for a in spans[0] for b in spans[1])


def strangers(one: Subject, other: Subject, cosines: np.ndarray) -> bool:
    """Whether two documents are about different things by what they name at their heads, or of one mould by titles and
    file names that differ: two flats, two products, two plans. `cosines` are those of all their claims."""
    named = relation(one, other)
    return named == "other" or (named == "unknown" and other_mould(one, other) and _alike(cosines) >= MOULD_SHARE)


def _alike(cosines: np.ndarray) -> float:
    """The share of either document's claims that have one like them in the other, whichever is less."""
    return min(float((cosines.max(axis=1) >= MOULD).mean()), float((cosines.max(axis=0) >= MOULD).mean()))


def candidates(
    cosines: np.ndarray, masks: Sequence[int] | np.ndarray, other_masks: Sequence[int] | np.ndarray
) -> list[tuple[int, int]]:
    """(row, column) of the pairs worth reading: near each other, and of one kind by their masks (`Claim.mask`)."""
    rows, columns = np.asarray(masks, np.int64)[:, None], np.asarray(other_masks, np.int64)
    # "no event" may be far from "the log shows two events": what they count is looked at instead
    none = (cosines >= NONE_COSINE) & (((rows & NONE_OF) != 0) ^ ((columns & NONE_OF) != 0))
    kept = cosines >= LEAST_COSINE
    if not (kept.any() or none.any()):
        return []
    one_kind = rows & columns
    kept &= (one_kind & ~((1 << 59) | NONE_OF)) != 0
    near = np.where(kept, cosines, -1.0)
    if cosines.shape[1] > RIVALS:
        kept &= near >= np.partition(near, -RIVALS, axis=1)[:, -RIVALS, None]
    if cosines.shape[0] > RIVALS:
        kept &= near >= np.partition(near, -RIVALS, axis=0)[-RIVALS]
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(kept | none), strict=True)]


def _least(reading: Difference, shared: float) -> float:
    """The likeness that a pair with this reading must have."""
    if reading.basis == "none":
        return NONE_COSINE
    if reading.basis in ("date", "party"):
        return DATES_FROM if reading.basis == "date" else PARTIES_FROM
    if reading.basis in ("denial", "opposite"):
        least = DENIALS_FROM if reading.basis == "denial" else OPPOSITES_FROM
        return least if shared >= YES_NO_SHARE else math.inf
    least = COUNTS_FROM if reading.basis == "count" else AMOUNTS_FROM
    if reading.kind in ("other_unit", "rounding"):
        return least - AMOUNTS_FROM + SAME_FROM
    return FAR_APART_FROM if reading.factor > FAR_APART else least


def _named(one: Claim, other: Claim, reading: Difference) -> tuple[str, str]:
    """Subject and measure in the words that both share: those near the value are the measure, others the subject."""
    place = reading.places[0]
    shared = [
        (match.start(), match.group())
        for match in re.finditer(r"[^\W\d_][\w'’-]*", one.text)
        if frozenset(stems(match.group(), one.language)) & other.words and not place[0] <= match.start() < place[1]
    ]
    names = [word for _, word in shared if word.casefold() in one.names & other.names]
    near = sorted((word for word in shared if word[1] not in names), key=lambda word: abs(word[0] - place[0]))[:4]
    measure = [word for start, word in sorted(near)]
    rest = [word for start, word in shared if word not in measure and word not in names]
    return " ".join(dict.fromkeys(names or rest or measure)), " ".join(dict.fromkeys(measure))


# --- among a question's passages -------------------------------------------------------------------


def conflicts_in(
    passages: Sequence[Passage],
    encode: Callable[[Sequence[str]], np.ndarray],
    *,
    page_of: Callable[[str, int], int] | None = None,
    opening_of: Callable[[str], str] | None = None,
    language: str = "en",
) -> tuple[dict[str, Any], ...]:
    """What the passages of different documents disagree on, in the form of the `conflicts` command, conflicts first.

    `encode` gives unit vectors, float32, shape (texts, dimension); `page_of(document id, offset)` the page of an offset
    (by default the passage's first); `opening_of(document id)` its first page, for what it says of its edition. Sides
    come in the order of the passages.
    """
    by_document: dict[str, dict[tuple[int, int], Claim]] = {}
    pages: dict[tuple[str, int], int] = {}
    for passage in passages:
        found = claims(
            passage.text,
            document_id=passage.document_id,
            document_name=passage.document_name,
            language=language,
            offset=passage.start,
            opening=opening_of(passage.document_id) if opening_of else None,
        )
        kept = by_document.setdefault(passage.document_id, {})
        for claim in found:
            kept.setdefault((claim.start, claim.end), claim)
            pages.setdefault((claim.document_id, claim.start), passage.page_start)
    groups = [list(group.values()) for group in by_document.values() if group]
    if len(groups) < 2:
        return ()
    vectors = [encode([claim.embedded for claim in group]) for group in groups]
    findings = [
        finding
        for i, j in itertools.combinations(range(len(groups)), 2)
        for finding in compare(groups[i], groups[j], vectors[i] @ vectors[j].T)
    ]

    def page(claim: Claim) -> int:
        return page_of(claim.document_id, claim.start) if page_of else pages[claim.document_id, claim.start]

    return tuple(as_json(finding, page) for finding in sorted(findings, key=order))


def order(finding: Finding) -> tuple[int, float]:
    """Sorts findings: conflicts first, then kind by kind, the most alike first."""
    return KINDS.index(finding.kind), -finding.likeness


def as_json(finding: Finding, page_of: Callable[[Claim], int]) -> dict[str, Any]:
    """A finding in the form of the `conflicts` command; quotes are verbatim the documents' clean text."""
    return {
        "kind": finding.kind,
        "subject": finding.subject,
        "measure": finding.measure,
        "sides": [
            {
                "document": claim.document_name,
                "document_id": claim.document_id,
                "page": page_of(claim),
                "quote": claim.text,
                "value": value,
                "start": claim.start,
                "end": claim.end,
            }
            for claim, value in zip((finding.one, finding.other), finding.values, strict=True)
        ],
    }
