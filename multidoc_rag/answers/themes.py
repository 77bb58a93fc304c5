"""A name for sentences that belong together: a phrase of their own text, found by class-based TF-IDF."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from multidoc_rag.answers.quotable import Unit
from multidoc_rag.language import STOP_WORDS, stem

_EMPTY = frozenset(
    [
        *("currently", "especially", "finally", "generally", "particularly", "recently", "typically", "usually"),
        *("additionally", "also", "based", "first", "however", "like", "second", "therefore", "well", "within"),
        *("certain", "different", "general", "important", "many", "new", "one", "overall", "several", "three", "two"),
        *("able", "available", "given", "help", "helps", "include", "includes", "including", "make", "making", "may"),
        *("must", "need", "needs", "provide", "provided", "provides", "set", "sure", "take", "takes", "understand"),
        *("understanding", "use", "used", "using", "case", "cases", "order", "part", "various", "way", "ways"),
    ]
)
"""English words that name no theme."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def key_phrase(group: Sequence[Unit], background: Sequence[Unit], language: str = "en") -> str:
    """One to three neighbouring words of the group's text that its sentences share and the background has less of.

    Class-based TF-IDF (Grootendorst 2022, BERTopic): each stem weighs by the share of the group's sentences that hold
    it and by its rarity among all sentences. "" where the text has no content word.
    """
    common: Counter[str] = Counter(word for unit in background for word in unit.words)
    inside: Counter[str] = Counter(word for unit in group for word in unit.words)

    def weight(word: str) -> float:
        root = stem(word.casefold(), language)
        return inside[root] / len(group) * math.log(1 + len(background) / max(1, common[root]))

    best, best_score = "", 0.0
    for unit in group:
        tokens = list(_WORD.finditer(unit.shown))
        for i in range(len(tokens)):
            for j in range(i, min(i + 3, len(tokens))):
                phrase = unit.shown[tokens[i].start() : tokens[j].end()]
                words = [token[0] for token in tokens[i : j + 1]]
                if not re.fullmatch(r"[\w'’ -]+", phrase) or not _names_something(words[-1], language):
                    break
                if len(words[0]) < 3 or len(words[-1]) < 3:
                    continue
                score = sum(weight(word) for word in words) / len(words) ** 0.6
                if score > best_score + 1e-9:
                    best, best_score = phrase, score
    return best[:1].upper() + best[1:]


def _names_something(word: str, language: str) -> bool:
    low = word.casefold()
    return low not in STOP_WORDS.get(language, frozenset()) and low not in _EMPTY
