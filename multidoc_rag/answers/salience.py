"""Which sentences of the evidence speak to the question, and how much: the extractive half of the quotes writer.

A question is read for its subject words and for the kind of thing it asks for; each unit (quotable.py) is scored by a
small weighted sum of readable features. Pure functions: vectors are passed in.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multidoc_rag.answers.quotable import Unit
from multidoc_rag.language import content_words, fold
from multidoc_rag.records import IntentName

# Weights of the features below. Directions and rough sizes come from a logistic regression on one half of the questions
# of benchmarks/quotes.py (chroma_chunking), rounded by hand and checked on the other half and on northwind_hr.
WEIGHTS = {
    "similarity": 1.0,
    "overlap": 1.0,
    "context": 0.7,
    "near": 0.35,
    "rank": 0.3,
    "kind": 0.2,
    "cue": 0.2,
    "central": 0.0,
    "dependent": -0.05,
    "fragment": -0.3,
    "broken": -0.15,
    "question": -0.5,
    "example": -0.3,
}
CUED_WEIGHTS = WEIGHTS | {"overlap": 0.6, "context": 0.2, "cue": 0.5, "central": 0.2}
"""For a question whose only subject is a kind of statement ("What are the key assumptions?")."""
GENERIC_WEIGHTS = {
    "central": 1.0,
    "early": 0.4,
    "cue": 0.3,
    "rank": 0.3,
    "dependent": -0.2,
    "fragment": -0.3,
    "broken": -0.15,
    "question": -0.5,
}
"""For a question without a subject of its own ("Summarize the main ideas"): what is central to its document, stands
early in it or draws a conclusion counts, not what resembles the words of the question."""


HARDLY_BELOW = 0.50
"""Strength of evidence below which the answer opens with NO_DIRECT_ANSWER."""
NOT_BELOW = 0.35
"""Evidence strength below which the writer refuses. benchmarks/quotes.py prints what these cuts cost and save."""
UNRELATED = 0.27
"""Best cosine below which the writer refuses, whatever words are shared."""


# --- the question ------------------------------------------------------------------------------


def _words(text: str) -> str:
    """A pattern for any of the words in `text`: `*` stands for any ending, `_` for a blank."""
    forms = "|".join(re.escape(word).replace(r"\*", r"\w*").replace("_", r"\s+") for word in text.split())
    return rf"\b(?:{forms})\b"


_GENERIC = """
    document documents paper papers report reports text texts article articles source sources file files author authors
    main key important idea ideas topic topics point points discuss discussed describe described mention mentioned
    summarize summarise summary compare comparison differ different difference differences similar state stated say said
    according list find give explain overview provide provided across concept methodology question answer information
    detail details aspect aspects regarding various identify extract major specific minimum maximum number amount name
    names many much often long"""
"""Words of English questions that speak of the documents and the answer, not of a subject."""

_NUMBER = (
    r"\d|"
    + _words("one two three four five six seven eight nine ten eleven twelve hundred thousand million billion")
    + "|"
    + _words("half twice once none no")
)
_DATE = (
    r"\b(?:1[89]|20)\d\d\b|\b\d+\s+(?:\w+\s+)?(?:days?|weeks?|months?|years?|hours?|minutes?)\b|"
    + _words("january february march april may june july august september october november december")
    + "|"
    + _words("monday tuesday wednesday thursday friday saturday sunday daily weekly monthly quarterly annually yearly")
)
_NAME = r"(?-i:(?<=[a-z,;(] )[A-Z][\w'’.-]+(?:\s+[A-Z][\w'’.-]+)+|\b[A-Z][a-z]+\s+[A-Z][\w'’.-]+)"

_EXPECTED = (
    (
        r"\bhow (?:many|much|large|big|high|far|old|fast|deep|tall)\b|"
        + _words("percent* proportion share rate amount price cost minimum maximum threshold ratio number_of size")
        + "|"
        + _words("figure figures value values length limit"),
        _NUMBER,
    ),
    (
        r"\bhow (?:long|often|soon|frequently)\b|" + _words("when date* year* deadline* day month period frequency"),
        _DATE,
    ),
    (r"^\W*who\b|" + _words("whom whose by_who which_person which_company which_team which_author name names"), _NAME),
)
"""What a question asks for, and what an answer to it holds: a number, a date or span of time, a name."""

_CONCLUSIONS = (
    _words("conclu* finding* result* implication* outcome*"),
    _words("conclu* we_find we_found we_show found_that show_that shows_that suggest* result* overall therefore")
    + "|"
    + _words("implies imply implication* recommend*"),
)
_CUES = (
    (
        _words("assum* premise* presuppos*"),
        _words("assum* presum* suppos* premise* we_expect is_expected are_expected taken_to_be holds_if hold_if"),
    ),
    (
        _words("limitation* caveat* restrict* shortcoming* weakness* limit limits"),
        _words("limit* caveat* restrict* cannot could_not not_cover* not_appl* not_includ* not_consider*")
        + "|"
        + _words("not_able not_measur* does_not did_not only except* exclud* beyond_the_scope unable uncertain*"),
    ),
    (
        _words("oblig* require* must duty duties shall rule rules need_to responsib*"),
        _words("must shall requir* oblig* has_to have_to responsib* may_not is_to are_to mandatory"),
    ),
    (
        _words("risk* threat* concern* vulnerab* danger*"),
        _words("risk* threat* expos* vulnerab* danger* uncertain* adverse* fail* could loss* shortage* delay* breach*"),
    ),
    (
        _words("defin* meaning_of what_is_a what_is_an what_is_the_term stand_for mean means"),
        _words("mean means defin* refer_to refers_to is_called stands_for is_a is_an is_the known_as"),
    ),
    _CONCLUSIONS,
    (
        _words("recommend* advice advise* should tip tips suggest*"),
        _words("recommend* should advis* suggest* best_to consider make_sure"),
    ),
    (
        r"^\W*why\b|" + _words("cause causes reason reasons"),
        _words("because due_to as_a_result therefore cause caused since reason* in_order_to so_that"),
    ),
)
"""Kinds of statement a question names, and words by which a sentence shows that it is one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for: its own content words, and patterns an answer is likely to match.

    `generic`: no subject is left once words like "main ideas of the documents" are set aside; `cued`: its only
    subject is a kind of statement that `cues` recognise. `direct`: it asks for one value.
    """

    words: frozenset[str]
    expected: tuple[re.Pattern[str], ...]
    cues: tuple[re.Pattern[str], ...]
    generic: bool
    cued: bool
    direct: bool


_DIRECT = re.compile(
    r"^\W*(?:how (?:many|much|long|often|old|large|high|far|soon)|when|who|where|which|what(?:'s| is| was) the"
    r"|is|are|does|do|can|(?:at|on|in|by|for|from|above|below|until|under|to) (?:what|which|how))\b"
    r"|\b(?:minimum|maximum|exact|how (?:many|much|long)|deadline)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    _words("list all every both across summari* compare difference* assumptions limitations risks obligations"),
    re.IGNORECASE,
)


def asked(question: str, intent: IntentName, *, language: str = "en") -> Asked:
    """Read the question: subject words, the type of thing asked for, cue words of what it names."""
    words = frozenset(content_words(question, language))
    subject = words - frozenset(content_words(_GENERIC, language))
    matched = [(names, shows) for names, shows in _CUES if re.search(names, question, re.IGNORECASE)]
    tokens = re.findall(r"\w+", question.casefold())
    cued = {w for t in tokens if any(re.search(names, t) for names, _ in matched) for w in content_words(t, language)}
    return Asked(
        words=subject or words,
        expected=tuple(re.compile(holds, re.I) for names, holds in _EXPECTED if re.search(names, question, re.I)),
        cues=tuple(re.compile(shows, re.IGNORECASE) for _, shows in (matched if subject else [_CONCLUSIONS])),
        generic=not subject,
        cued=bool(subject) and subject <= cued,
        direct=intent == "extraction" and bool(_DIRECT.search(question)) and not _MANY.search(question),
    )


# --- scores ------------------------------------------------------------------------------------


def rarity(found: Sequence[Unit]) -> dict[str, float]:
    """Inverse document frequency of each content word over the units."""
    counts = Counter(word for unit in found for word in unit.words)
    return {word: math.log(1 + len(found) / count) for word, count in counts.items()}


def overlap(words: frozenset[str], wanted: frozenset[str], weight: dict[str, float]) -> float:
    """Share (by rarity) of the wanted words that are there, 0..1; a word found nowhere weighs as much as the rarest."""
    top = max(weight.values(), default=1.0)
    total = sum(weight.get(word, top) for word in wanted)
    return sum(weight.get(word, top) for word in wanted & words) / total if total else 0.0


def shared_words(one: frozenset[str], other: frozenset[str], weight: dict[str, float]) -> float:
    """Dice coefficient of two sets of words, each word weighted by its rarity, 0..1."""
    total = sum(weight.get(word, 0.0) for word in one) + sum(weight.get(word, 0.0) for word in other)
    return 2 * sum(weight.get(word, 0.0) for word in one & other) / total if total else 0.0


def of_kind(found: Sequence[Unit], question: Asked) -> list[Unit]:
    """For a question that asks for a kind of statement ("the assumptions"), the units of that kind; all if none is."""
    kind = [unit for unit in found if _any(question.cues, unit.text) or unit.words & question.words]
    return kind if question.cued and kind else list(found)


def prefilter(found: Sequence[Unit], question: Asked, limit: int) -> list[Unit]:
    """At most `limit` units, by words shared with the question, kind, cues and passage rank, each document kept."""
    if len(found) <= limit:
        return list(found)
    weight = rarity(found)
    documents = max(1, len({unit.document_id for unit in found}))
    rough = [
        overlap(unit.words, question.words, weight)
        + 0.3 * _any(question.expected, unit.text)
        + 0.3 * _any(question.cues, unit.text)
        + 0.4 / (1 + unit.rank / documents)
        for unit in found
    ]
    order = sorted(range(len(found)), key=lambda i: -rough[i])
    floor, taken, kept = max(2, limit // (2 * documents)), Counter[str](), set[int]()
    for i in order:
        if taken[found[i].document_id] < floor and len(kept) < limit:
            kept.add(i)
            taken[found[i].document_id] += 1
    for i in order:
        if len(kept) >= limit:
            break
        kept.add(i)
    return [unit for i, unit in enumerate(found) if i in kept]


EARLY = 4000
"""Characters from a document's start at which the feature `early` has fallen to a half: title page and abstract."""


def features(found: Sequence[Unit], vectors: np.ndarray, query: np.ndarray, question: Asked) -> dict[str, np.ndarray]:
    """One array of shape (units,) for each feature; vectors (units, dimension) and query are unit vectors."""
    weight = rarity(found)
    stems = [frozenset(content_words(unit.context)) for unit in found]
    own = np.array([overlap(unit.words, question.words, weight) for unit in found])
    both = np.array([overlap(u.words | stem, question.words, weight) for u, stem in zip(found, stems, strict=True)])
    similarity = vectors @ query
    central = np.zeros(len(found))
    for document in {unit.document_id for unit in found}:
        rows = [i for i, unit in enumerate(found) if unit.document_id == document]
        middle = vectors[rows].mean(axis=0)
        central[rows] = vectors[rows] @ (middle / max(float(np.linalg.norm(middle)), 1e-9))
    most = max((unit.rank for unit in found), default=0) + 1
    return {
        "similarity": similarity,
        "overlap": own,
        "context": both - own,
        "near": _near(found, similarity),
        "rank": np.array([1 - unit.rank / most for unit in found]),
        "kind": np.array([_any(question.expected, unit.text) for unit in found]),
        "cue": np.array([_any(question.cues, unit.text) for unit in found]),
        "central": central,
        "early": np.array([1 / (1 + unit.start / EARLY) for unit in found]),
        "dependent": np.array([bool(_DEPENDENT.match(unit.text)) for unit in found], dtype=float),
        "fragment": np.array([not unit.whole for unit in found], dtype=float),
        # a page's foot and head often stand between the halves of a sentence
        "broken": np.array(["\n\n" in unit.text for unit in found], dtype=float),
        "example": np.array([bool(_EXAMPLE.match(unit.text)) for unit in found], dtype=float),
        "question": np.array([unit.text.rstrip().endswith("?") for unit in found], dtype=float),
    }


def _near(found: Sequence[Unit], similarity: np.ndarray) -> np.ndarray:
    """The higher similarity of each unit's two neighbours in its document (0 where nothing stands close by)."""
    order = sorted(range(len(found)), key=lambda i: (found[i].document_id, found[i].start))
    near = np.zeros(len(found))
    for a, b in itertools.pairwise(order):
        if found[a].document_id == found[b].document_id and found[b].start - found[a].end < 200:
            near[a] = max(near[a], similarity[b])
            near[b] = max(near[b], similarity[a])
    return near


def salience(found: Sequence[Unit], vectors: np.ndarray, query: np.ndarray, question: Asked) -> np.ndarray:
    """Score of each unit for the question, shape (units,): the weighted sum of its features."""
    weights = GENERIC_WEIGHTS if question.generic else CUED_WEIGHTS if question.cued else WEIGHTS
    parts = features(found, vectors, query, question)
    return np.asarray(sum(weight * parts[name] for name, weight in weights.items()), dtype=np.float64)


_DEPENDENT = re.compile(
    _words(
        "this that these those it its they their such he she however but and also moreover furthermore therefore thus"
    ),
    re.IGNORECASE,
)


_EXAMPLE = re.compile(r"\W*" + _words("for_example for_instance suppose imagine say_that"), re.IGNORECASE)
"""A sentence that makes up a case: its figures are not the document's."""


def _any(patterns: Sequence[re.Pattern[str]], text: str) -> float:
    return float(any(pattern.search(text) for pattern in patterns))


def polarity(text: str) -> bool:
    """Whether the text negates (not, no, never, cannot, without, except)."""
    return bool(re.search(r"\b(?:not|no|never|none|cannot|without|except|nor|neither)\b|n['’]t\b", text, re.IGNORECASE))


def numbers(text: str) -> frozenset[str]:
    """The figures of a text, thousands separators dropped."""
    return frozenset(re.sub(r"(?<=\d),(?=\d{3})", "", n) for n in re.findall(r"\d+(?:[.,]\d+)*", fold(text)))


# --- does the evidence speak to the question? --------------------------------------------------


def speaks(found: Sequence[Unit], vectors: np.ndarray, query: np.ndarray, question: Asked, *, foreign: bool) -> str:
    """`yes`, `hardly` or `not`, by `strength_of_evidence`; `foreign`: question and evidence differ in language."""
    if question.generic or (question.cued and any(pattern.search(u.text) for pattern in question.cues for u in found)):
        return "yes"
    if foreign:
        # across languages neither words nor this model's vectors tell: show what is nearest rather than refuse
        return "hardly"
    similarity = vectors @ query
    strength = strength_of_evidence(found, similarity, question)
    if float(similarity.max()) < UNRELATED or strength < NOT_BELOW:
        return "not"
    return "hardly" if strength < HARDLY_BELOW else "yes"


def strength_of_evidence(found: Sequence[Unit], similarity: np.ndarray, question: Asked) -> float:
    """How well the best sentence matches the question, -0.5 to 2: its cosine plus the share of the question's words it
    holds, less half the share of them that stands nowhere in the evidence."""
    weight = rarity(found)
    best = max(float(s) + overlap(u.words, question.words, weight) for s, u in zip(similarity, found, strict=True))
    missing = question.words.difference(*(unit.words for unit in found))
    return best - 0.5 * len(missing) / max(1, len(question.words))
