"""Two claims held against each other: what they differ in, and what explains it.

Taken that both speak of the same thing, their numbers, parties, dates or yes and no are compared; a difference that
period, scope, unit, rounding or version explains is called that. Pure functions over words and patterns.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Literal

from multidoc_rag.disputes.typed_claims import NEGATIVE, Claim, opposed
from multidoc_rag.figures.agreement import agreement
from multidoc_rag.figures.measures import Quantity
from multidoc_rag.figures.periods import Period
from multidoc_rag.figures.units import YEAR

Kind = Literal["conflict", "other_period", "other_scope", "other_unit", "rounding", "superseded"]
KINDS: tuple[Kind, ...] = ("conflict", "other_period", "other_scope", "other_unit", "rounding", "superseded")

YES_NO_WORDS = 4
"""Content words below which a claim says too little to be denied."""
FEW = 13
"""Counts below this occur for so many things that more likeness is asked."""


@dataclass(frozen=True, slots=True)
class Difference:
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
    r"hand(?:ed|over)|took over|taken (?:over|out of|into)|put (?:into|in|out of)|decommission\w*|dismantl\w+|"
    r"demolish\w+|complet\w+|commission\w+|start\w*|began|begin\w*|launch\w*|publish\w*|"
    r"adopt\w*|enter\w* into|expire\w*|ends?|ended|due|deadline|effective|approved|inaugurat\w+|acquired|merged|"
    r"elected|appointed|clos(?:ed|ure)|shut|introduced|install(?:ed|ation)|enacted|ratified|resigned|retired|"
    r"took place|held|cancell?ed|withdrawn|released|filed|registered|incorporated|ceased|moved|construct\w+|"
    r"deliver\w+)\b"
)
_A_YEAR = re.compile(
    r"(?i)\b(?:(?:the|a|that|this|last|each|calendar|financial) year|annual(?:ly)?|yearly|in (?:19|20)\d\d)\b"
)
_GENERAL = frozenset(("peopl", "person", "individu", "item", "piece"))
ROOT = 5
"""Letters that two stems must share to count as of one root."""
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


def read(one: Claim, other: Claim) -> Difference | None:
    """What two claims of two documents come to, taken that they speak of the same thing; None where they agree or
    cannot be compared."""
    if _own(one, other):
        return None
    reading = _numbers(one, other)
    if reading is None and not shares_value(one, other):
        reading = _parties(one, other) or _dates(one, other)
    return reading or _polarity(one, other)


def _own(one: Claim, other: Claim) -> bool:
    """Whether what they say holds for a study's own data and method only."""
    if _OWN_STUDY.search(one.text) and _OWN_STUDY.search(other.text):
        return not one.full_names & other.full_names or bool(_EVALUATION.search(f"{one.text} {other.text}"))
    return bool(_EVALUATION.search(one.text) or _EVALUATION.search(other.text))


def _numbers(one: Claim, other: Claim) -> Difference | None:
    pairs = []
    for ours in one.measures:
        for theirs in other.measures:
            a, b = _of_a_year(ours, theirs, other), _of_a_year(theirs, ours, one)
            alike = _alike(one, a, other, b)
            if alike is not None:
                pairs.append((alike, agreement(a, b), a, b))
    # what one says the other may say too: such a value is not what they differ in
    agreed = [measure for _, outcome, *both in pairs if outcome in ("same", "within") for measure in both]
    meant = tuple(agreed)
    agreed += [m for m in one.measures if any(agreement(m, other_m) == "same" for other_m in other.measures)]
    agreed += [m for m in other.measures if any(agreement(m, one_m) == "same" for one_m in one.measures)]
    pairs = [pair for pair in pairs if pair[2] not in agreed and pair[3] not in agreed]
    if not pairs or any(pair[2].dimension == measure.dimension for pair in pairs for measure in meant):
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
        same = len(one.counted(a) & other.counted(b)) >= 2 and bool(dated(one)) and bool(dated(other))
        basis = "none" if same else "amount"
    sizes = sorted((abs(a.low + a.high), abs(b.low + b.high)))
    factor = sizes[1] / sizes[0] if sizes[0] else 1.0
    return Difference(kind, values, ((a.start, a.end), (b.start, b.end)), basis, min(alike, 1.0), factor)


def _alike(one: Claim, a: Quantity, other: Claim, b: Quantity) -> float | None:
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
            return 0.5 if _said_elsewhere(counted, other) or _said_elsewhere(counted_other, one) else None
        # "1.6" and "two programmes" are not of one kind
        if (
            (a.step < 1 or b.step < 1)
            and counted & counted_other == frozenset()
            and bool(counted) != bool(counted_other)
        ):
            return None
        alike += 0.5 * bool(counted & counted_other)
    if a.bound and a.bound == b.bound:
        alike += 0.1
    # where numbers are many, the words around must tell which belongs to which
    if alike == 0 and len(one.measures) + len(other.measures) > 3:
        return None
    return alike


def _said_elsewhere(counted: frozenset[str], other: Claim) -> bool:
    """ "1,312 employees" against "employed 1,240 people": what is counted stands in the other's words, which counts
    nothing but people or pieces itself."""
    general = any(other.counted(measure) & _GENERAL for measure in other.measures)
    roots = {word[:ROOT] for word in other.words}
    return general and any(len(word) >= ROOT and word[:ROOT] in roots for word in counted)


def _of_a_year(a: Quantity, b: Quantity, other: Claim) -> Quantity:
    """ "96 MWh a year" as "96 MWh" where the other speaks of one year's ("81 MWh in the year", "in 2024")."""
    if a.dimension != f"{b.dimension}/time" or not math.isclose(a.per, YEAR) or not _A_YEAR.search(other.text):
        return a
    sizes = {name: getattr(a, name) * a.per for name in ("low", "high", "step", "rounded", "factor")}
    return replace(a, dimension=b.dimension, per=1.0, **sizes)


def shares_value(one: Claim, other: Claim) -> bool:
    """Whether they give two values of one kind, the same or not."""
    return any(agreement(a, b) != "incomparable" for a in one.measures for b in other.measures)


def _compatible(one: Claim, a: Quantity, other: Claim, b: Quantity) -> bool:
    """Whether a bound and a value that keeps it stand together ("at least 10" and "12"), or a rule and a report of how
    often something was done."""
    for claim, limit, against, value in ((one, a, other, b), (other, b, one, a)):
        both_rules = claim.rule and against.rule
        if limit.bound == "min" and value.bound in ("", "about") and value.low >= limit.low and not both_rules:
            return True
        if limit.bound == "max" and value.bound in ("", "about") and value.high <= limit.high and not both_rules:
            return True
        if limit.dimension == "interval" and claim.rule and not against.rule and _PAST.search(against.text):
            return True
    return False


def _explained(one: Claim, other: Claim, a: Quantity | None = None, b: Quantity | None = None) -> Kind | None:
    """Why the values may differ without a conflict: another version, period or scope; None where nothing says so."""
    versions = _versions(one), _versions(other)
    formerly = bool(_FORMERLY.search(one.text)), bool(_FORMERLY.search(other.text))
    if (versions[0] or versions[1]) and not versions[0] & versions[1]:
        return "superseded"
    if formerly[0] != formerly[1]:
        return "superseded"
    ours, theirs = dated(one), dated(other)
    if ours and theirs and not any(mine.overlaps(yours) for mine in ours for yours in theirs):
        return "other_period"
    if _other_scope(one, other, a, b):
        return "other_scope"
    return None


def _versions(claim: Claim) -> frozenset[str]:
    return frozenset(" ".join(match["which"].casefold().split()) for match in _VERSION.finditer(claim.text))


def dated(claim: Claim) -> tuple[Period, ...]:
    """The periods a claim's value is for: "until 2027" and the like bound something else."""
    return tuple(
        period
        for period in claim.periods
        if claim.cell
        or not re.search(r"(?i)\b(?:until|till|by|before|after|since|from)\s*$", claim.text[: period.start])
    )


def _other_scope(one: Claim, other: Claim, a: Quantity | None, b: Quantity | None) -> bool:
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


def _around(claim: Claim, measure: Quantity | None) -> frozenset[str]:
    text = f"{claim.context} {claim.text}" if claim.cell else claim.text
    return frozenset(re.findall(r"[\w’'-]+", text.casefold()))


def _parties(one: Claim, other: Claim) -> Difference | None:
    """Two names for one role, where both sentences share another name (of what the role belongs to)."""
    if one.party is None or other.party is None or one.party[0] != other.party[0]:
        return None
    places = one.party[1], other.party[1]
    names = [" ".join(claim.text[slice(*place)].split()) for claim, place in zip((one, other), places, strict=True)]
    words = [frozenset(name.casefold().split()) for name in names]
    if words[0] & words[1] or not (one.names - words[0]) & (other.names - words[1]):
        return None
    return Difference(_explained(one, other) or "conflict", (names[0], names[1]), places, "party")


def _dates(one: Claim, other: Claim) -> Difference | None:
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
    return Difference(kind, (ours[0].text, theirs[0].text), places, "date")


def _polarity(one: Claim, other: Claim) -> Difference | None:
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
    return Difference("conflict", values, places, "opposite" if contrary else "denial")


def _said(claim: Claim) -> tuple[int, int]:
    """Where a claim says none or some: the denial, the number, "every"; else the whole of it."""
    if denial := NEGATIVE.search(claim.text):
        return denial.span()
    if claim.measures:
        return claim.measures[0].start, claim.measures[0].end
    every = re.search(r"(?i)\b(?:every|each|all)\b", claim.text)
    return every.span() if every else (0, len(claim.text))
