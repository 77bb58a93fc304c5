"""Which shape of answer a question wants: a synthesis, a comparison or an extraction. Floor 1, no model.

Rules first, as in the paper (keywords), but by construction rather than by single words, and weighed by place: what
stands where a request begins counts in full, background sentences and subordinate clauses less, quoted words not at
all. The rules are tables of named patterns (`routing_english`, `routing_languages`); every reason in the result is the
name of a rule that fired. A question without any sign is a synthesis, with low confidence.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from multidoc_rag.questions.routing_words import QUESTION_WORD, Row
from multidoc_rag.records import INTENTS, Intent, IntentName

from . import routing_english as english
from . import routing_languages as languages

_KEPT: Final = 1200  # characters read at the start and at the end of a very long question
_TEMPERATURE: Final = 1.7  # how far apart scores must be for a confident answer
_BACKGROUND: Final = 0.3  # weight of a sentence that asks nothing, beside one that asks
_SUBORDINATE: Final = 0.4  # weight of a clause hanging on a noun ("the study that compared ...")
_ACCENTS: Final = re.compile("[\u0300-\u036f\u00ad\u200b-\u200f]")
_PLAIN: Final = str.maketrans("’‘–—‐‑", "''----")
_KEPT_WORD: Final = re.compile(r"(?:what|which|how)(?: \w+)? ")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_NO_SIGN: Final = "no rule fired: without a sign a question is a synthesis"


@dataclass(frozen=True, slots=True)
class Rule:
    """A sign of one intent: its weight and its reason in words."""

    intent: IntentName
    weight: float
    reason: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Segment:
    """A sentence or fronted part of the question; `head` is where its request begins, after courtesies."""

    start: int
    head: int
    end: int
    weight: float


@dataclass(frozen=True, slots=True)
class _Language:
    """One language's rules, compiled."""

    deceptive: re.Pattern[str]
    lead_ins: re.Pattern[str]
    asks: re.Pattern[str]
    head: tuple[Rule, ...]
    anywhere: tuple[Rule, ...]


_FRONTED: Final = re.compile(
    rf"(?:[:,]| -|\.\.+)[ ¿]*(?={QUESTION_WORD}\b)|"
    r"\b(?:know|understand|wonder|wondering|learn|find out|see|hear|figure out|question is|tell me|ask)(?: about)?,? "
    r"(?=(?:what|which|who|whose|whom|where|when|why|how|if|whether)\b)"
)
_SENTENCE: Final = re.compile(r"[.!?;。！？；\n]+[\s.!?;]+|[。！？；\n]+")
_QUOTED: Final = re.compile(
    r"\"[^\"]{1,300}\"|«[^»]{1,300}»|„[^“\"]{1,300}[“\"]|“[^”]{1,300}”|(?<!\w)'[^']{2,80}'(?!\w)"
)
_OPINION: Final = (
    *("true", "think", "thinks", "say", "says", "said", "believe", "agree", "feel", "prove", "fact", "mean", "claim"),
    *("noticed", "realize", "realise", "convinced", "show", "rest"),
)
# A clause hanging on a noun; not after a verb of opinion ("... think that A is better"), nor "the points on which ...".
_RELATIVE: Final = re.compile(
    "".join(f"(?<!{word})" for word in (*_OPINION, ":", ",", " on", " in", " of"))
    + r" (?:that|which|who|whose|whom|because|although|if|when|whenever|unless|in case|provided) (?!or\b|one\b|ones\b)"
)


def _fold(question: str) -> str:
    """Lower case, no accents, straight quotes, single blanks (line ends kept); long questions cut to both ends."""
    if len(question) > 2 * _KEPT:
        question = question[:_KEPT] + "\n" + question[-_KEPT:]
    text = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", question)).casefold()
    text = _ACCENTS.sub("", text)
    text = text.translate(_PLAIN)
    text = re.sub(r" ?(?<=\w) ?' ?(?=(?:s|t|re|ve|ll|d|m)\b)", "'", text)
    return re.sub(r"[^\S\n]+", " ", text).strip()


def _blank(match: re.Match[str]) -> str:
    """Underlines instead of the phrase, a question word at its start kept: it still says what is asked for."""
    phrase = match.group()
    kept = _KEPT_WORD.match(phrase)
    return phrase[: kept.end()] + "_" * (len(phrase) - kept.end()) if kept else "_" * len(phrase)


@cache
def _rules(language: str) -> _Language:
    """The compiled rules of a language (a code of `routing_languages.TABLES`, or "en")."""
    tables = languages.TABLES.get(language, english.ENGLISH)

    def compiled(rows: tuple[Row, ...]) -> tuple[Rule, ...]:
        return tuple(Rule(intent, weight, reason, re.compile(pattern)) for intent, weight, reason, pattern in rows)

    return _Language(
        deceptive=re.compile(("" if language == "zh" else r"\b(?=\w)") + f"(?:{'|'.join(tables.deceptive)})"),
        lead_ins=re.compile("|".join(f"(?:{pattern})" for pattern in tables.lead_ins)),
        asks=re.compile(tables.asks),
        head=compiled(tables.head),
        anywhere=compiled(tables.anywhere),
    )


def _languages(text: str) -> list[str]:
    """Languages to try, likeliest first: Chinese by script, the others by their commonest words."""
    if len(_HAN.findall(text)) * 3 > len(re.findall(r"\w", text)):
        return ["zh"]
    tokens = re.findall(r"[\w'-]+", text)
    counts = {code: sum(token in markers for token in tokens) for code, markers in languages.MARKERS.items()}
    return sorted(counts, key=lambda code: -counts[code])


def _segments(text: str, rules: _Language) -> list[_Segment]:
    """Sentences and fronted parts, each with where its request begins and how much it counts."""
    cuts = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    spans: list[tuple[int, int]] = []
    fronts: set[int] = set()  # where a fronted part ("On consent, where do ...") begins: it belongs to its request
    for start, end in pairwise(cuts):
        fronted = None if rules.asks.match(text, start) else _FRONTED.search(text, start, end)
        if fronted:
            spans += [(start, fronted.end()), (fronted.end(), end)]
            fronts.add(start)
        elif end > start:
            spans.append((start, end))
    found = []
    for start, end in spans:
        head = start
        head += len(text[head:end]) - len(text[head:end].lstrip(" ¿¡*-\n\"'"))
        for _ in range(4):
            lead = rules.lead_ins.match(text, head, end)
            if not lead or lead.end() in (head, end):
                break
            head = lead.end()
        asks = bool(rules.asks.match(text, head, end)) or start in fronts or "?" in text[start:end]
        found.append(_Segment(start, head, end, 1.0 if asks else _BACKGROUND))
    if not any(segment.weight == 1.0 for segment in found):
        found = [_Segment(segment.start, segment.head, segment.end, 1.0) for segment in found]
    return found


def _scores(text: str, rules: _Language) -> dict[Rule, float]:
    """The rules that fire and what each is worth at its best place."""
    segments = _segments(text, rules)
    subordinate = [
        match.start() for segment in segments if (match := _RELATIVE.search(text, segment.head + 3, segment.end))
    ]

    def worth(position: int) -> float:
        for segment in segments:
            if segment.start <= position < segment.end:
                inside = any(segment.start <= start < position for start in subordinate)
                return segment.weight * (_SUBORDINATE if inside else 1.0)
        return 1.0

    fired: dict[Rule, float] = {}
    for rule in rules.head:
        weights = [
            # A contrast that only a subordinate clause completes counts as one in that clause.
            worth(match.end() - 1) if rule.intent == "comparison" and match.end() > match.start() else segment.weight
            for segment in segments
            if (match := rule.pattern.match(text, segment.head, segment.end))
        ]
        if weights:
            fired[rule] = rule.weight * max(weights)
    for rule in rules.anywhere:
        weights = [max(worth(match.start()), worth(match.end() - 1)) for match in rule.pattern.finditer(text)]
        if weights:
            fired[rule] = rule.weight * max(weights)
    return fired


def classify(question: str) -> Intent:
    """The intent of a question, with confidence in 0..1, reasons in words and the runner-up.

    Never raises: an empty question, or one without any sign, is a synthesis with confidence below 0.5.
    """
    text = _fold(question)
    unquoted = _QUOTED.sub(_blank, text)
    if not re.search(r"\w", unquoted.replace("_", "")):
        unquoted = text
    fired: dict[Rule, float] = {}
    for language in _languages(unquoted):
        rules = _rules(language)
        fired = _scores(rules.deceptive.sub(_blank, unquoted), rules)
        if fired:
            break
    totals: dict[IntentName, float] = dict.fromkeys(INTENTS, 0.0)
    best: dict[IntentName, float] = dict.fromkeys(INTENTS, 0.0)
    for rule, value in fired.items():
        totals[rule.intent] += value
        best[rule.intent] = max(best[rule.intent], value)
    # The strongest sign of an intent counts in full, further ones (often the same words seen twice) a third.
    scores = {name: best[name] + (totals[name] - best[name]) / 3 for name in INTENTS}
    if not fired:
        return Intent("synthesis", 0.4, (_NO_SIGN,), "extraction")
    ranked = sorted(INTENTS, key=lambda name: (-scores[name], INTENTS.index(name)))
    weights = [math.exp((scores[name] - scores[ranked[0]]) / _TEMPERATURE) for name in ranked]
    reasons = sorted((rule for rule in fired if rule.intent == ranked[0]), key=lambda rule: -fired[rule])
    second = ranked[1] if scores[ranked[1]] > 0 else None
    return Intent(ranked[0], round(1 / sum(weights), 3), tuple(dict.fromkeys(rule.reason for rule in reasons)), second)
