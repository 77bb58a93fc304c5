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
from typing import Any, Literal

import numpy as np

from multidoc_rag.claims import NEGATIVE, NONE_OF, Claim, claims, opposed, stems
from multidoc_rag.measures import Measure, agreement
from multidoc_rag.periods import Period
from multidoc_rag.records import Passage

VERSION = 1
"""Grows when claims are compared in another way: a kept ledger is then made anew."""

Kind = Literal["conflict", "other_period", "other_scope", "other_unit", "rounding", "superseded"]
KINDS: tuple[Kind, ...] = ("conflict", "other_period", "other_scope", "other_unit", "rounding", "superseded")

LEAST_COSINE = 0.45
"""Claims further apart than this are not looked at."""
NONE_COSINE = 0.30
"""The same where one says that there was none: the other must count the very thing."""
RIVALS = 2
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
YES_NO_WORDS = 4
"""Content words below which a claim says too little to be denied."""
FEW = 13
"""Counts below this occur for so many things that more likeness is asked."""
SAME_FROM = 0.55
"""The same for amounts that agree in another unit or when rounded: that they agree speaks for the pair."""
MOULD, MOULD_SHARE = 0.75, 0.2
"""Documents of one mould: this share of either's claims has one in the other that is at least so near."""
FAR_APART, FAR_APART_FROM = 4.0, 0.90
"""Values that differ by more than this factor are rarely of one measure: more likeness is asked."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a pair of claims comes to: the kind, the two values as written and where in the claims' texts they stand.

    `basis` says what differs; `alike` how far the words next to two numbers agree (0..1), `factor` how many times one
    is the other.
    """

    kind: Kind
    values: tuple[str, str]
    places: tuple[tuple[int, int], tuple[int, int]]
    basis: Literal["amount", "count", "none", "party", "date", "opposite", "denial"]
    alike: float = 0.0
    factor: float = 1.0


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


def compare(ours: Sequence[Claim], theirs: Sequence[Claim], cosines: np.ndarray) -> list[Finding]:
    """What two documents' claims disagree on, most alike first; `cosines` is float, shape (len(ours), len(theirs)).

    A claim is in conflict with its nearest of the other document only. Documents of one mould about different things
    (`twins`: two plans, two sites) differ in scope.
    """
    if not len(ours) or not len(theirs):
        return []
    apart = twins(ours[0].document_name, theirs[0].document_name, cosines)
    pairs = []
    for i, j in candidates(cosines, [claim.mask for claim in ours], [claim.mask for claim in theirs]):
        one, other = ours[i], theirs[j]
        if one.shown == other.shown:
            continue
        shared = len(one.words & other.words) / max(1, min(len(one.words), len(other.words)))
        pairs.append((float(cosines[i, j]) + WORDS_WEIGHT * shared, shared, i, j))
    pairs.sort(key=lambda pair: (-pair[0], pair[2], pair[3]))
    findings = []
    taken: tuple[set[int], set[int]] = set(), set()
    for likeness, shared, i, j in pairs:
        one, other = ours[i], theirs[j]
        reading = read(one, other)
        likeness += NEAR_WEIGHT * reading.alike if reading else 0.0
        comparable = reading is not None or _shares_value(one, other)
        nearest = i not in taken[0] and j not in taken[1]
        if comparable:
            # whoever agrees with its nearest has no quarrel with the next one
            taken[0].add(i)
            taken[1].add(j)
        if reading is None or likeness < _least(reading, shared):
            continue
        if not nearest and (reading.kind == "conflict" or one.cell or other.cell):
            continue
        kind = "other_scope" if apart and reading.kind == "conflict" else reading.kind
        findings.append(Finding(kind, one, other, reading.values, *_named(one, other, reading), likeness))
    return findings


def twins(name: str, other_name: str, cosines: np.ndarray) -> bool:
    """Whether two documents are of one mould about different things: many sentences alike, and file names that share
    words and differ in others that are no version, date or copy number."""
    alike = min(float((cosines.max(axis=1) >= MOULD).mean()), float((cosines.max(axis=0) >= MOULD).mean()))
    own, others = _name_words(name), _name_words(other_name)
    return alike >= MOULD_SHARE and bool(own & others) and bool(own - others) and bool(others - own)


def _name_words(name: str) -> frozenset[str]:
    stem_ = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.rpartition(".")[0] or name)
    words = re.findall(r"[^\W\d_]+", stem_.casefold())
    versions = {
        "version",
        "rev",
        "revision",
        "edition",
        "draft",
        "final",
        "new",
        "old",
        "copy",
        "v",
        "ed",
        "of",
        "the",
        "and",
    }
    return frozenset(word for word in words if word not in versions)


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


def _least(reading: Reading, shared: float) -> float:
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


def _named(one: Claim, other: Claim, reading: Reading) -> tuple[str, str]:
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


# --- what a pair of claims comes to --------------------------------------------------------------

_CONTRASTS = tuple(
    tuple(frozenset(side.split()) for side in group.split("|"))
    for group in (
        "nominal rated nameplate gross installed | usable net effective",
        "ac | dc",
        "minimum least lowest | maximum most peak highest | average mean median typical",
        "target budget planned forecast expected guaranteed projected | actual outturn measured achieved",
        "alone only itself own | together combined whole total overall",
        "individual single | family couple",
        "in-network | out-of-network",
        "employee employees | employer dependents",
        "operator operators | contractor contractors contractors’ contractors'",
        "trainee trainees apprentice apprentices intern interns | employee employees staff | contractor contractors",
        "placebo control controls | treatment intervention active treated",
        "abroad foreign overseas | domestic inland",
        "full-time | part-time",
        "weekday weekdays | weekend weekends",
        "indoor indoors | outdoor outdoors",
        "inpatient | outpatient",
        "short-term | long-term",
        "generic | brand",
        "public | private",
        "upper | lower",
        "input | output",
        "summer | winter",
        "residential | commercial industrial",
        "men male | women female",
        "adults adult | children child",
        "domestic | international",
        "daytime day | night overnight",
        "new | existing",
        "import imports | export exports",
        "income revenue sales | cost costs expenditure",
        "charging charge | discharging discharge",
        "before | after",
        "direct | alternating",
    )
)
"""Words that set one scope against another: a difference in such a pair explains a difference in values."""
_VERSION = re.compile(
    r"(?i)\b(?P<which>(?:first|second|third|fourth|fifth|earlier|previous|prior|former|old|older|original|superseded|"
    r"withdrawn|draft|preliminary|\d{4})\s+(?:edition|version|revision|issue|release|draft|plan|policy|business case|"
    r"estimate|handbook|manual|standard|rules?|report|study|guideline|guidance|specification|contract|agreement)"
    r"|(?:revision|version|edition|issue|release|rev\.?)\s+(?:[A-Z]\b|\d+(?:\.\d+)*)"
    r"|(?:edition|version|revision|business case|draft|plan|study|estimate|forecast|handbook|manual|rules?|policy)\s+of"
    r"\s+(?:\w+\s+)?(?:19|20)\d\d)\b"
)
_FORMERLY = re.compile(
    r"(?i)\b(?:used to|formerly|previously|until (?:then|recently|(?:19|20)\d\d)|superseded|replaced by|"
    r"was (?:later )?(?:raised|lowered|changed|revised|amended|corrected|increased|reduced) (?:from|to)|"
    r"has since been|in last year.s report)\b"
)
_ONCE = re.compile(
    r"(?i)\b(?:found(?:ed|ation)|establish(?:ed|ment)|built|open(?:ed|s|ing)|born|died|sign(?:ed|ature)|award(?:ed)?|"
    r"hand(?:ed|over)|took over|taken over|complet\w+|commission\w+|start\w*|began|begin\w*|launch\w*|publish\w*|"
    r"adopt\w*|enter\w* into|expire\w*|ends?|ended|due|deadline|effective|approved|inaugurat\w+|acquired|merged|"
    r"elected|appointed|clos(?:ed|ure)|shut|introduced|install(?:ed|ation)|enacted|ratified|resigned|retired|"
    r"took place|held|cancell?ed|withdrawn|released|filed|registered|incorporated|ceased|moved|construct\w+|"
    r"deliver\w+)\b"
)
_OWN_STUDY = re.compile(
    r"(?i)\b(?:we|our)\b.{0,40}\b(?:appl|us(?:e|ed|ing)\b|experiment|train|test|evaluat|collect|recruit|sampl|select|"
    r"propos|obtain|achiev|implement|perform|conduct|cho(?:se|ose)|report|annotat|extract|compare)\w*"
    r"|\b(?:this|these|our) (?:data|data ?sets?|corpus|corpora|collection|experiments?|stud(?:y|ies)|papers?|articles?|"
    r"words|texts)\b"
    r"|\b(?:accurac(?:y|ies)|precision|recall|experiments)\b"
)
_EVALUATION = re.compile(
    r"(?i)\b(?:f-?(?:score|measure|1)|baselines?|cross.?validation|classifiers?|perplexity|language models?|"
    r"(?:training|test|testing|development|held.out) (?:data|sets?|corpus|corpora|sentences|examples|documents|words)|"
    r"learning algorithms?|reference translations?|corpus|corpora|vocabulary|error rates?|BLEU|m?WER|test sentences?)\b"
)
"""What a study says of itself: its method, data and scores are its own."""
_CITED = re.compile(r"\bet al\b|\([A-Z]\w+(?:,? (?:and|&) [A-Z]\w+)?,? (?:19|20)\d\d[a-z]?\)|\[\d+(?:, ?\d+)*\]")
_PAST = re.compile(r"(?i)\b(?:was|were|had|did)\b|\b[a-z]{3,}ed\b")


def read(one: Claim, other: Claim) -> Reading | None:
    """What two claims of two documents come to, taken that they speak of the same thing; None where they agree or
    cannot be compared."""
    if _own(one, other):
        return None
    reading = _numbers(one, other)
    if reading is None and not _shares_value(one, other):
        reading = _parties(one, other) or _dates(one, other)
    return reading or _polarity(one, other)


def _own(one: Claim, other: Claim) -> bool:
    """Whether what they say holds for a study's own data and method only."""
    if _OWN_STUDY.search(one.text) and _OWN_STUDY.search(other.text):
        return not one.full_names & other.full_names or bool(_EVALUATION.search(f"{one.text} {other.text}"))
    return bool(_EVALUATION.search(one.text) or _EVALUATION.search(other.text))


def _numbers(one: Claim, other: Claim) -> Reading | None:
    pairs = []
    for a in one.measures:
        for b in other.measures:
            alike = _alike(one, a, other, b)
            if alike is not None:
                pairs.append((alike, agreement(a, b), a, b))
    # what one says the other may say too: such a value is not what they differ in
    agreed = [measure for _, outcome, *both in pairs if outcome in ("same", "within") for measure in both]
    pairs = [pair for pair in pairs if pair[2] not in agreed and pair[3] not in agreed]
    if not pairs or any(pair[2].dimension == measure.dimension for pair in pairs for measure in agreed):
        return None
    alike, outcome, a, b = max(pairs, key=lambda pair: pair[0])
    if outcome in ("other_unit", "rounding"):
        kind: Kind = "other_unit" if outcome == "other_unit" else "rounding"
        if _explained(one, other, a, b) in ("other_period", "superseded"):
            return None
    else:
        if _compatible(one, a, other, b):
            return None
        kind = _explained(one, other, a, b) or "conflict"
    values = (" ".join(a.text.split()), " ".join(b.text.split()))
    few = a.dimension == "count" and min(a.low, b.low) < FEW and min(a.step, b.step) >= 1
    basis: Literal["amount", "count", "none"] = "count" if few else "amount"
    if "No" in (a.text, b.text):
        # the very same thing of two words and more, in the same named period
        same = len(one.counted(a) & other.counted(b)) >= 2 and bool(_dated(one)) and bool(_dated(other))
        basis = "none" if same else "amount"
    sizes = sorted((abs(a.low + a.high), abs(b.low + b.high)))
    factor = sizes[1] / sizes[0] if sizes[0] else 1.0
    return Reading(kind, values, ((a.start, a.end), (b.start, b.end)), basis, min(alike, 1.0), factor)


def _alike(one: Claim, a: Measure, other: Claim, b: Measure) -> float | None:
    """How well two measures belong together by the words around them (0..2); None where they cannot."""
    if a.dimension != b.dimension:
        return None
    if not (one.row_words <= other.words and other.row_words <= one.words):
        return None
    if (
        one.cell
        and other.cell
        and not (one.head and one.head == other.head and one.caption_words & other.caption_words)
    ):
        return None  # columns that may be of anything
    near, near_other = set(one.near(a)), set(other.near(b))
    alike = len(near & near_other) / max(1, min(len(near), len(near_other)))
    if a.dimension == "count":
        counted, counted_other = one.counted(a), other.counted(b)
        if (one.cell is None and other.cell is None) and (counted or counted_other) and not counted & counted_other:
            return None
        # "1.6" and "two programmes" are not of one kind
        if (
            (a.step < 1 or b.step < 1)
            and counted & counted_other == frozenset()
            and bool(counted) != bool(counted_other)
        ):
            return None
        alike += 0.5 * bool(counted & counted_other)
    if a.limit and a.limit == b.limit:
        alike += 0.1
    # where numbers are many, the words around must tell which belongs to which
    if alike == 0 and len(one.measures) + len(other.measures) > 3:
        return None
    return alike


def _shares_value(one: Claim, other: Claim) -> bool:
    return any(agreement(a, b) != "incomparable" for a in one.measures for b in other.measures)


def _compatible(one: Claim, a: Measure, other: Claim, b: Measure) -> bool:
    """Whether a bound and a value that keeps it stand together ("at least 10" and "12"), or a rule and a report of how
    often something was done."""
    for claim, limit, against, value in ((one, a, other, b), (other, b, one, a)):
        both_rules = claim.rule and against.rule
        if limit.limit == "min" and value.limit in ("", "about") and value.low >= limit.low and not both_rules:
            return True
        if limit.limit == "max" and value.limit in ("", "about") and value.high <= limit.high and not both_rules:
            return True
        if limit.dimension == "interval" and claim.rule and not against.rule and _PAST.search(against.text):
            return True
    return False


def _explained(one: Claim, other: Claim, a: Measure | None = None, b: Measure | None = None) -> Kind | None:
    """Why the values may differ without a conflict: another version, period or scope; None where nothing says so."""
    versions = _versions(one), _versions(other)
    formerly = bool(_FORMERLY.search(one.text)), bool(_FORMERLY.search(other.text))
    if (versions[0] or versions[1]) and not versions[0] & versions[1]:
        return "superseded"
    if formerly[0] != formerly[1]:
        return "superseded"
    ours, theirs = _dated(one), _dated(other)
    if ours and theirs and not any(mine.overlaps(yours) for mine in ours for yours in theirs):
        return "other_period"
    if _other_scope(one, other, a, b):
        return "other_scope"
    return None


def _versions(claim: Claim) -> frozenset[str]:
    return frozenset(" ".join(match["which"].casefold().split()) for match in _VERSION.finditer(claim.text))


def _dated(claim: Claim) -> tuple[Period, ...]:
    """The periods a claim's value is for: "until 2027" and the like bound something else."""
    return tuple(
        period
        for period in claim.periods
        if claim.cell
        or not re.search(r"(?i)\b(?:until|till|by|before|after|since|from)\s*$", claim.text[: period.start])
    )


def _other_scope(one: Claim, other: Claim, a: Measure | None, b: Measure | None) -> bool:
    for name in {label for label, _ in one.labels} & {label for label, _ in other.labels}:
        if not {n for label, n in one.labels if label == name} & {n for label, n in other.labels if label == name}:
            return True
    if one.names and other.names and (not one.names & other.names or _siblings(one, other)):
        return True
    if bool(_CITED.search(one.text)) != bool(_CITED.search(other.text)):
        return True
    mine, yours = _around(one, a), _around(other, b)
    for group in _CONTRASTS:
        left = [index for index, side in enumerate(group) if side & mine]
        right = [index for index, side in enumerate(group) if side & yours]
        if left and right and not set(left) & set(right):
            return True
    return False


def _siblings(one: Claim, other: Claim) -> bool:
    """Whether they name two things of one family ("Northwind Standard", "Northwind Health Plus") and share no name."""
    mine, yours = one.full_names - other.full_names, other.full_names - one.full_names
    if one.full_names & other.full_names:
        return False
    return any(a[0] == b[0] and not set(a) <= set(b) and not set(b) <= set(a) for a in mine for b in yours)


def _around(claim: Claim, measure: Measure | None) -> frozenset[str]:
    text = f"{claim.context} {claim.text}" if claim.cell else claim.text
    return frozenset(re.findall(r"[\w’'-]+", text.casefold()))


def _parties(one: Claim, other: Claim) -> Reading | None:
    """Two names for one role, where both sentences share another name (of what the role belongs to)."""
    if one.party is None or other.party is None or one.party[0] != other.party[0]:
        return None
    places = one.party[1], other.party[1]
    names = [" ".join(claim.text[slice(*place)].split()) for claim, place in zip((one, other), places, strict=True)]
    words = [frozenset(name.casefold().split()) for name in names]
    if words[0] & words[1] or not (one.names - words[0]) & (other.names - words[1]):
        return None
    return Reading(_explained(one, other) or "conflict", (names[0], names[1]), places, "party")


def _dates(one: Claim, other: Claim) -> Reading | None:
    """Two dates of the same event; days and months, years only for what happens once."""
    ours = [period for period in one.periods if period.grain in ("day", "month", "year")]
    theirs = [period for period in other.periods if period.grain in ("day", "month", "year")]
    if len(ours) != 1 or len(theirs) != 1 or one.cell or other.cell or ours[0].overlaps(theirs[0]):
        return None
    if not (_ONCE.search(one.text) and _ONCE.search(other.text)):
        return None
    if _versions(one) != _versions(other):
        return None
    kind: Kind = "other_scope" if _other_scope(one, other, None, None) else "conflict"
    places = (ours[0].start, ours[0].end), (theirs[0].start, theirs[0].end)
    return Reading(kind, (ours[0].text, theirs[0].text), places, "date")


def _polarity(one: Claim, other: Claim) -> Reading | None:
    """One says yes and the other no of the same thing: a pair of opposites, or none against some."""
    if one.cell or other.cell or one.hedged or other.hedged:
        return None
    contrary = opposed(one, other)
    denial = one.negative != other.negative and (one.denies(other) if one.negative else other.denies(one))
    if (contrary is None and not denial) or min(len(one.words), len(other.words)) < YES_NO_WORDS:
        return None
    if _explained(one, other):
        return None
    places = contrary or (_said(one), _said(other))
    values = one.text[slice(*places[0])], other.text[slice(*places[1])]
    return Reading("conflict", values, places, "opposite" if contrary else "denial")


def _said(claim: Claim) -> tuple[int, int]:
    """Where a claim says none or some: the denial, the number, "every"; else the whole of it."""
    if denial := NEGATIVE.search(claim.text):
        return denial.span()
    if claim.measures:
        return claim.measures[0].start, claim.measures[0].end
    every = re.search(r"(?i)\b(?:every|each|all)\b", claim.text)
    return every.span() if every else (0, len(claim.text))


# --- among a question's passages -------------------------------------------------------------------


def conflicts_in(
    passages: Sequence[Passage],
    encode: Callable[[Sequence[str]], np.ndarray],
    *,
    page_of: Callable[[str, int], int] | None = None,
    language: str = "en",
) -> tuple[dict[str, Any], ...]:
    """What the passages of different documents disagree on, in the form of the `conflicts` command, conflicts first.

    `encode` gives unit vectors, float32, shape (texts, dimension); `page_of(document id, offset)` the page of an offset
    (by default the passage's first). Sides come in the order of the passages.
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
            {"document": claim.document_name, "page": page_of(claim), "quote": claim.text, "value": value}
            for claim, value in zip((finding.one, finding.other), finding.values, strict=True)
        ],
    }
