"""Sentences of an answer held against its evidence: a verdict, a score and the reason in words for each.

A sentence is first held against what it cites; when that fails, against all evidence, and right evidence found
elsewhere is offered as a correction. The score is a small logistic combination of what `checking_features` measures,
its coefficients in `checking_weights`; what `disagreement` finds (another figure, a denial, roles swapped) is told in
the reason. Pure functions of text: the embedding model and the entailment model are passed in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from multidoc_rag.answers.markers import find_markers
from multidoc_rag.language import detect_language, words
from multidoc_rag.records import Embedder, Verdict
from multidoc_rag.verdicts.checking_features import FEATURES, Claim, Ground, Measured, Unit, content
from multidoc_rag.verdicts.checking_weights import ANSWER_CUT, BIAS, SUPPORT
from multidoc_rag.verdicts.claims_text import claims as joined
from multidoc_rag.verdicts.claims_text import sentences, unchecked_reason
from multidoc_rag.verdicts.denials import denied
from multidoc_rag.verdicts.directions import other_way
from multidoc_rag.verdicts.disagreement import (
    opposite,
    opposites,
    other_figure,
    other_row,
    stronger,
    swapped_figures,
    swapped_names,
    turned_contrast,
)
from multidoc_rag.verdicts.examining import Examined, examine

Entailment = Callable[[Sequence[tuple[str, str]]], np.ndarray]
"""(premise, hypothesis) pairs -> float (n, 3): probability of entailment, neutral, contradiction."""

CUT = 0.5
"""Score from which a sentence counts as supported, and answer score from which an answer counts as unsupported."""
MISSING = 0.34
"""The most that a sentence scores whose figures, or whose "all", the evidence does not give."""
VERBATIM = 0.95
"""The least that a sentence scores which stands in the evidence word for word."""
CONTRADICTED = 0.2
"""The most that a contradicted sentence scores."""
PARTLY = 0.3
"""Score from which a sentence that is not supported counts as partly supported."""
SAME_SUBJECT = 0.55
"""Share of a claim's words that a unit must have before their figures are compared as the same thing's."""
SAME_THING = 0.5
"""Share of a claim's words that a unit must have before the ways that things go in both are compared."""
SAME_STATEMENT = 0.75
"""Share of a claim's words that a unit must have before a denial is read into it."""


MADE_UP_PART = 0.45
"""The most that a sentence scores of whose joined claims one is made up."""
WEAKEST = 0.25
"""Share of a joined claim's words below which it counts as made up, however well the rest of the sentence does."""
SAMPLE = 1500
"""Characters of answer and evidence by which their language is told."""
AGREEING = 0.25
"""How much closer than any agreeing unit a denying one must be."""


_QUOTATION = re.compile(r"[“\"«„][^“”\"«»„]+[”\"»“]\W*")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one sentence.

    score: 0 (nothing bears it out) to 1; CUT and more is supported. reason: in words, "" where it is supported.
    quote: the sentence of the evidence closest to it, and `passage` the number (from 0) of the passage it stands in,
    -1 if there is none. correction: numbers of passages that support the sentence where the cited ones do not.
    """

    verdict: Verdict
    score: float
    reason: str = ""
    quote: str = ""
    passage: int = -1
    correction: tuple[int, ...] = ()


def check_sentence(
    sentence: str,
    cited: Sequence[str],
    others: Sequence[str] = (),
    *,
    embedder: Embedder | None = None,
    language: str = "",
    entailment: Entailment | None = None,
) -> Judgement:
    """One sentence against the passages it cites and, when those fail, the others.

    Passages are numbered from 0, the cited ones first.
    """
    cited_numbers = [tuple(range(len(cited)))] if cited else None
    return check_answer(
        [sentence], [*cited, *others], embedder, cited=cited_numbers, language=language, entailment=entailment
    )[0]


def check_answer(
    sentences: Sequence[str],
    passages: Sequence[str],
    embedder: Embedder | None = None,
    *,
    cited: Sequence[Sequence[int]] | None = None,
    names: Sequence[str] = (),
    language: str = "",
    entailment: Entailment | None = None,
) -> list[Judgement]:
    """Every sentence of an answer, in order.

    cited: for each sentence the numbers (from 0) of the passages it cites; without it, or where a sentence cites none,
    all passages are its evidence. names: what the document of each passage is called; a sentence may name it where the
    passage does not. Without an embedder the words alone decide.
    """
    language = language or detect_language(" ".join((*sentences[:20], *passages[:3]))[:SAMPLE]) or "en"
    examined = examine(sentences, passages, embedder, cited=cited, names=names, language=language)
    judged = []
    for sentence, case in zip(sentences, examined.cases, strict=True):
        if case is None:
            judged.append(Judgement("unchecked", 1.0, unchecked_reason(sentence, language)))
            continue
        judgement = _judge(case.claim, case.measured, examined.ground)
        if judgement.score < CUT and case.elsewhere is not None:
            other = _judge(case.claim, case.elsewhere, examined.ground)
            if other.score >= CUT:
                where = sorted({examined.ground.units[row].passage for row in case.elsewhere.best[:1]})
                judgement = replace(judgement, correction=tuple(where))
        judged.append(judgement)
    return judged if entailment is None else _entailed(judged, examined, entailment)


def check_text(
    answer: str,
    passages: Sequence[str],
    embedder: Embedder | None = None,
    *,
    names: Sequence[str] = (),
    entailment: Entailment | None = None,
) -> tuple[list[str], list[Judgement], float]:
    """An answer as any tool wrote it, against its passages: its sentences, their judgements, its score.

    A sentence that cites passages by their numbers (from 1, in the order given) or by their documents' `names` (one a
    passage) is held against these; one that does not, or whose marker points to nothing, against all.
    """
    language = detect_language(f"{answer[:SAMPLE]} {' '.join(passages[:3])[:SAMPLE]}") or "en"
    found = sentences(answer, language)
    cited = [_cited(sentence, names, len(passages)) for sentence in found]
    judgements = check_answer(
        found, passages, embedder, cited=cited, names=names, language=language, entailment=entailment
    )
    told = [
        replace(judged, reason=f"{judged.reason}; passage {judged.correction[0] + 1} says so")
        if judged.correction
        else judged
        for judged in judgements
    ]
    return found, told, unsupported_score(told)


def _cited(sentence: str, names: Sequence[str], passages: int) -> tuple[int, ...]:
    """The numbers (from 0) of the passages that a sentence's markers point to."""
    wanted = [reference for marker in find_markers(sentence, names, passages) for reference in marker.references]
    numbers = {reference.number - 1 for reference in wanted if 1 <= reference.number <= passages}
    cited = {reference.name.casefold() for reference in wanted if reference.name}
    return tuple(sorted(numbers | {n for n, name in enumerate(names) if name.casefold() in cited}))


def unsupported_score(judgements: Sequence[Judgement]) -> float:
    """0..1: how likely an answer states something its evidence does not bear out; from CUT on it is taken to.

    An answer is as good as its worst sentence (of what was tried, worst, worst two, mean, noisy-or, the worst alone
    told best); ANSWER_CUT is the score of the worst sentence that stands for 0.5.
    """
    scores = [
        judgement.score if not judgement.correction else CUT
        for judgement in judgements
        if judgement.verdict != "unchecked"
    ]
    return round(_logistic(_log_odds(ANSWER_CUT) - _log_odds(min(scores))), 4) if scores else 0.0


def _log_odds(score: float) -> float:
    score = min(max(score, 0.005), 0.995)
    return math.log(score / (1 - score))


# --- judging -----------------------------------------------------------------------------------


def support(values: np.ndarray) -> float:
    """0..1 from the FEATURES of one claim."""
    return _logistic(BIAS + float(np.dot(values, [SUPPORT[name] for name in FEATURES])))


def _judge(claim: Claim, measured: Measured, ground: Ground) -> Judgement:
    if not measured.best:
        return Judgement("unsupported", 0.0, "there is no evidence to hold it against")
    score = support(measured.values)
    closest = ground.units[measured.best[0]]
    if _verbatim(claim, measured, ground):
        return Judgement("supported", round(max(score, VERBATIM), 4), "", closest.text, closest.passage)
    reason, against = _disagreement(claim, measured, ground)
    verdict: Verdict
    if against:
        verdict, score = "contradicted", min(score, CONTRADICTED)
    elif measured.missing_figures:
        shown = ", ".join(figure.text.strip() for figure in measured.missing_figures[:3])
        reason, score = reason or f"the evidence does not give {shown}", min(score, MISSING)
        verdict = "partly" if score >= PARTLY else "unsupported"
    elif reason:
        score = min(score, MISSING)
        verdict = "partly" if score >= PARTLY else "unsupported"
    elif score >= CUT and measured.values[FEATURES.index("weakest")] >= WEAKEST:
        verdict = "supported"
    else:
        score = min(score, MADE_UP_PART) if score >= CUT else score
        verdict = "partly" if score >= PARTLY else "unsupported"
        if measured.missing_names:
            reason = f"the evidence does not mention {', '.join(_as_written(claim, measured.missing_names[:3]))}"
        else:
            lacking = _lacking(claim, measured, ground)
            reason = f"the evidence says nothing of {lacking}" if lacking else "no passage says this"
    return Judgement(verdict, round(score, 4), reason, closest.text, closest.passage)


def _verbatim(claim: Claim, measured: Measured, ground: Ground) -> bool:
    """Whether the claim is a whole sentence or row of one of its passages, or quotes words of one.

    What is not in quotation marks must be whole: the rest of a sentence may deny a part of it.
    """
    if measured.values[FEATURES.index("phrases")] < 1:
        return False
    if _QUOTATION.fullmatch(claim.text):
        stated = f" {' '.join(claim.words)} "
        return any(stated in f" {' '.join(words(ground.passages[number]))} " for number in measured.passages)
    return any(unit.words == claim.words and unit.passage in measured.passages for unit in ground.units)


def _disagreement(claim: Claim, measured: Measured, ground: Ground) -> tuple[str, bool]:
    """(reason, whether it contradicts) from the units closest to the claim."""
    written = [word for word in dict.fromkeys(claim.words) if not word[0].isdigit() and len(word) > 2]
    anchors = [word for word in written if content((word,), ground.language)]
    closest = [_Close.of(claim, ground, row) for row in measured.best]
    for close in closest[:3]:
        given = close.unit.text
        if reason := other_row(claim.text, claim.figures, given, anchors, ground.language):
            return reason, True
        if close.about < SAME_SUBJECT:
            continue
        same = close.about >= SAME_STATEMENT
        if measured.missing_figures and (
            reason := other_figure(claim.text, measured.missing_figures, given, dates=same, language=ground.language)
        ):
            return reason, True
        if len(claim.figures) > 1 and (reason := swapped_figures(claim.text, given, anchors, ground.language)):
            return reason, True
        known = [word for word in anchors if word.capitalize() in given or word.upper() in given]
        if len(known) > 1 and (reason := swapped_names(claim.text, given, known)):
            return reason, True
    reason, against = _polarity(claim, closest, ground)
    if reason or ground.language != "en":
        return reason, against
    near = [close for close in closest if close.shared >= SAME_THING]
    told = [close.unit.text for close in near]
    reason = (
        other_way(claim.text, [(close.unit.text, close.shared) for close in near])
        or turned_contrast(claim.text, told)
        or denied(claim.text, told)
    )
    return reason, bool(reason)


@dataclass(frozen=True, slots=True)
class _Close:
    """A unit close to a claim. Of the claim's words (those that only name the unit's document left out) `shared` is the
    share that it has, `about` the share of which it has the word or its opposite; `common` counts the latter."""

    unit: Unit
    shared: float
    about: float
    common: int

    @classmethod
    def of(cls, claim: Claim, ground: Ground, row: int) -> _Close:
        unit, wanted = ground.units[row], ground.apart_from_source(claim, [row])
        stems = set(unit.stems)
        has = sum(word in stems for word in wanted)
        # a word that stands against one of the claim's is about the same thing
        common = sum(word in stems or bool(opposites(word) & stems) for word in wanted)
        return cls(unit, has / max(1, len(wanted)), common / max(1, len(wanted)), common)


def _polarity(claim: Claim, closest: Sequence[_Close], ground: Ground) -> tuple[str, bool]:
    """A denial, an opposite or another quantifier in the unit closest to the claim, unless another unit that is about
    as close says the same as the claim."""
    nearest, found, agreeing = 0.0, ("", False), 0.0
    # of "covers A but not B" either half may be the one denied
    single = len(joined(claim.text, ground.language)) == 1
    for close in closest:
        reason, against = stronger(claim.text, close.unit.text, ground.language)
        if not reason and single:
            reason = opposite(claim.text, close.unit.text, ground.language)
            against = bool(reason)
        if not reason:
            agreeing = max(agreeing, close.shared)
        # a long sentence of the passage may speak of something else besides
        elif (
            close.about >= SAME_STATEMENT and close.about > nearest and close.common >= 0.5 * len(set(close.unit.stems))
        ):
            nearest, found = close.about, (reason, against)
    return found if agreeing < nearest - AGREEING else ("", False)


def _as_written(claim: Claim, missing: Sequence[str]) -> list[str]:
    # found in the text itself: casefolding it would move what stands behind a "ß"
    found = (re.search(re.escape(name).replace("ss", "(?:ss|ß)"), claim.text, re.IGNORECASE) for name in missing)
    return [match[0] for match in found if match]


def _lacking(claim: Claim, measured: Measured, ground: Ground) -> str:
    """Up to four of the claim's rarest words that its closest units do not have, as the sentence writes them."""
    seen = {each for row in measured.best for each in ground.units[row].stems}
    shown = []
    for word in claim.text.split():
        bare = word.strip(".,;:!?()[]\"'“”’")
        stems = content(words(bare), ground.language)
        if stems and not set(stems) & seen and bare not in shown:
            shown.append(bare)
    return ", ".join(f"“{word}”" for word in sorted(shown, key=lambda w: -ground.weight(w.casefold()))[:4])


def _entailed(judged: Sequence[Judgement], examined: Examined, entailment: Entailment) -> list[Judgement]:
    """The judgements with an entailment model's word on each sentence and its closest window averaged in."""
    asked = [
        (index, " ".join(examined.ground.units[row].text for row in sorted(case.measured.best[:3])), case.claim.text)
        for index, case in enumerate(examined.cases)
        if case is not None and case.measured.best
    ]
    result = list(judged)
    case_missing = [case is not None and bool(case.measured.missing_figures) for case in examined.cases]
    if not asked:
        return result
    for (index, _, _), (entails, _, denies) in zip(asked, entailment([pair[1:] for pair in asked]), strict=True):
        old = judged[index]
        score = round(0.5 * old.score + 0.5 * float(entails), 4)
        if old.verdict == "contradicted":
            continue
        if denies > max(entails, 0.6):
            result[index] = replace(
                old,
                verdict="contradicted",
                score=min(score, CONTRADICTED),
                reason="the entailment model reads a contradiction",
            )
        elif score >= CUT and not case_missing[index]:
            result[index] = replace(old, verdict="supported", score=score, reason="", correction=())
        else:
            verdict: Verdict = "partly" if score >= PARTLY else "unsupported"
            result[index] = replace(old, verdict=verdict, score=score, reason=old.reason or "no passage entails this")
    return result


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, value))))
