"""Numbers as they are written: digits with separators of any language, English words, halves and parts of a whole."""

from __future__ import annotations

import re
from typing import NamedTuple

from multidoc_rag.figures.units import MULTIPLES, NUMBER_WORDS, SPELLED_MULTIPLES, UNITS

COMMA_LANGUAGES = frozenset(
    ("de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "ro", "hu", "tr", "id", "ru", "uk")
)
"""Languages that write 1.234,5 where English writes 1,234.5."""
OPENERS = frozenset((*NUMBER_WORDS, *SPELLED_MULTIPLES, "dozen", "half"))
"""Words, casefolded, that a number may begin with; "dozen" and "hundred" only after "a", "half" only before it."""

DIGITS = re.compile(
    r"\d{1,3}(?:[,\u202f\u00a0’']\d{3}){1,8}(?!\d)(?:\.\d+)?|\d{1,3}(?: \d{3}){1,8}(?![\d.,]\d|\d)(?:[.,]\d+)?"
    r"|\d{1,2}(?:,\d\d){1,8},\d{3}(?!\d)|\d{1,3}(?:\.\d{3}){1,8},\d+|\d{1,3}(?:\.\d{3}){2,8}|\d+(?:[.,·]\d+)?"
)
_HALVES = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_AND_HALF = re.compile(r"\s+and\s+a\s+half\b|\s?(?P<sign>[½¼¾])", re.IGNORECASE)
_NEXT = re.compile(r"(?:\s+(?P<and>and)\s+|-|\s+)(?P<word>[a-z]+)(?![^\W\d_])", re.IGNORECASE)
_ARTICLE = re.compile(r"(?i)(?<![^\W\d_])an?\s$")
_HALF_OF = re.compile(r"(?:-|\s+)an?\s+(?=(?P<word>[^\W\d_]+))|-(?=(?P<unit>[^\W\d_]+))")


class Numeral(NamedTuple):
    """A number up to text[:end], without sign and unit: its value, the size of the last digit written and of the last
    one that is no zero."""

    end: int
    value: float
    step: float
    rounded: float


def numeral_at(text: str, start: int, word: str, language: str = "en") -> Numeral | None:
    """The number that text[start:] begins with, None if there is none; `word` is the word, casefolded, or digits there.

    `language` decides "1.234": a thousand and some in languages with a decimal comma, else a decimal number.
    """
    if not word[0].isdigit():
        found = _spelled(text, start, word) if word in OPENERS else None
    else:
        match = DIGITS.match(text, start)
        found = Numeral(match.end(), *_value(match[0], language)) if match else None
        if found and start and text[start - 1] == "." and found.step == 1.0:
            size = 10.0 ** -(found.end - start)
            found = Numeral(found.end, found.value * size, size, size)  # ".5"
    if found and (half := _AND_HALF.match(text, found.end)):
        return Numeral(half.end(), found.value + _HALVES.get(half["sign"], 0.5), 0.5, 0.5)
    return found


def _value(written: str, language: str) -> tuple[float, float, float]:
    """The value of digits, the size of the last one and of the last one that is no zero."""
    digits, comma = re.sub(r"[\s’']", "", written).replace("·", "."), language in COMMA_LANGUAGES
    if "," in digits or "." in digits:
        if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}", digits):
            digits = digits.replace(".", "").replace(",", ".")
        elif re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d\d)+,\d{3}", digits) and not (
            comma and digits.count(",") == 1
        ):
            digits = digits.replace(",", "")
        elif comma and re.fullmatch(r"\d{1,3}\.\d{3}", digits):
            digits = digits.replace(".", "")
        else:
            digits = digits.replace(",", ".")
    value, decimals = float(digits), len(digits.partition(".")[2])
    if decimals or not value:
        return value, 10.0**-decimals, 10.0**-decimals
    return value, 1.0, 10.0 ** (len(digits) - len(digits.rstrip("0")))


def _spelled(text: str, start: int, word: str) -> Numeral | None:
    """The number in English words: "twenty-four", "one hundred and five thousand", "half a million", "a dozen"."""
    end = start + len(word)
    if word == "half":
        what = _HALF_OF.match(text, end)
        following = (what["word"] or what["unit"]).casefold() if what else ""
        unit = UNITS.get(following)
        timed = unit is not None and unit.dimension == "time" and len(following) > 2
        return Numeral(what.end(), 0.5, 0.0, 0.0) if what and (timed or following in MULTIPLES) else None
    total, group, least = 0.0, NUMBER_WORDS.get(word, 0.0), float("inf")
    if word not in NUMBER_WORDS:
        if not _ARTICLE.search(text, max(0, start - 4), start):
            return None
        if word in ("dozen", "hundred"):
            group = MULTIPLES[word]
        else:
            total = least = MULTIPLES[word]
    while following := _NEXT.match(text, end):
        word = following["word"].casefold()
        small, size = NUMBER_WORDS.get(word), SPELLED_MULTIPLES.get(word)
        if small is not None:
            tens = group % 100
            after_ten = tens >= 20 and tens % 10 == 0 and 0 < small < 10 and not following["and"]
            after_hundred = tens == 0 and small > 0 and group + total >= 100
            if not (after_ten or after_hundred):
                break
            group += small
        elif size == 100 and 0 < group < 100:
            group *= 100
        elif size and size > 100 and group and size < least:
            total, group, least = total + group * size, 0.0, size
        else:
            break
        end = following.end()
    value = total + group
    size = next((scale for scale in (1e12, 1e9, 1e6, 1e3) if value >= scale and value % scale == 0), 1.0)
    return Numeral(end, value, size, size)
