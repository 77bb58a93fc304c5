"""Whether a passage's sentence says the opposite of a claim, or another value: figures, polarity, quantifiers, roles.

Pure functions of two sentences that are already known to speak of the same thing; each finding is a reason in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from multidoc_rag.figures.agreement import agrees, comparable
from multidoc_rag.figures.measures import Quantity, counted
from multidoc_rag.figures.periods import Period
from multidoc_rag.figures.quantities import Figure, figures
from multidoc_rag.language import STOP_WORDS, stem, words

_NEGATIONS = frozenset(
    """
    not no never none neither nor without cannot nobody nothing nowhere hardly lack lacks lacked lacking fail fails
    failed unable refuse refuses refused deny denies denied absence nicht kein keine keinen nie ohne ne pas jamais sans
    aucun aucune nunca sin ningún ninguna
    """.split()  # noqa: SIM905
)
_OPPOSITES = """
    increase/decrease increase/reduce increase/decline increase/fall increase/drop increase/lower increase/shrink
    rise/fall rise/decline rise/drop grow/shrink grow/decline grow/fall gain/lose gain/loss higher/lower high/low
    more/less more/fewer greater/less greater/smaller greater/fewer larger/smaller longer/shorter faster/slower
    above/below before/after earlier/later allow/prohibit allow/forbid allow/ban permit/prohibit permit/forbid
    permit/ban include/exclude mandatory/optional mandatory/voluntary required/optional accept/reject accept/decline
    approve/reject approve/deny positive/negative positively/negatively activate/inhibit activate/suppress
    promote/inhibit promote/suppress promote/prevent enhance/reduce enhance/impair enhance/inhibit enhance/suppress
    induce/suppress induce/inhibit induce/prevent stimulate/inhibit upregulate/downregulate improve/worsen
    improve/impair benefit/harm strengthen/weaken stronger/weaker better/worse best/worst success/failure succeed/fail
    win/lose won/lost buy/sell open/close begin/end start/stop start/end present/absent safe/unsafe safe/dangerous
    legal/illegal true/false possible/impossible likely/unlikely able/unable sensitive/resistant sensitive/insensitive
    dependent/independent necessary/unnecessary sufficient/insufficient significant/insignificant effective/ineffective
    stable/unstable equal/unequal visible/invisible minimum/maximum first/last early/late fast/slow hot/cold warm/cold
    north/south east/west male/female inside/outside internal/external public/private import/export profit/loss
    surplus/deficit always/never with/without everyone/nobody protect/damage susceptible/resistant support/oppose
    agree/disagree include/omit acute/chronic primary/secondary expand/contract lengthen/shorten accelerate/slow
    accelerate/delay deficient/sufficient deficient/rich major/minor common/rare majority/minority old/young
    older/younger harder/easier
""".split()  # noqa: SIM905
_ALTERNATIVES = """
    spring/summer/autumn/winter spring/summer/fall/winter monday/tuesday/wednesday/thursday/friday/saturday/sunday
    red/blue/green/yellow/black/white/orange/purple north/south/east/west northern/southern/eastern/western
    daily/weekly/monthly/quarterly/yearly daily/weekly/monthly/quarterly/annually morning/afternoon/evening
    breakfast/lunch/dinner first/second/third/fourth/fifth left/right
""".split()  # noqa: SIM905
"""Words of which a thing is one at a time."""
_OPPOSITE: dict[str, set[str]] = {}
for _group in (*_OPPOSITES, *_ALTERNATIVES):
    _stems = [stem(_word) for _word in _group.split("/")]
    for _one in _stems:
        _OPPOSITE.setdefault(_one, set()).update(_other for _other in _stems if _other != _one)


def opposites(word: str) -> set[str]:
    """The stems that say the opposite of, or an alternative to, an English stem."""
    return _OPPOSITE.get(word, set())


LONGEST_ROW_CLAIM = 8
"""Content words of a claim that may be read as one cell of a table."""

_ALL = re.compile(
    r"\b(?:all|every|each|always|entirely|everyone|everybody|everything|any|in every case)\b", re.IGNORECASE
)
_SOME = re.compile(
    r"\b(?:some|many|most|several|often|sometimes|usually|partly|a few|few|certain|occasionally|rarely|half|"
    r"a (?:majority|minority|number|part) of)\b",
    re.IGNORECASE,
)
_NONE = re.compile(r"\b(?:none|no one|nobody|never|neither|not (?:a single|any|one)|no)\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|got)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|ught|ade|ld|aid|und|ut|it)\b(?=.*\bby\b)"
)


def other_figure(
    claim: str, missing: Sequence[Figure], evidence: str, *, dates: bool = True, language: str = "en"
) -> str:
    """A figure that the sentence states and the passage gives with another value, as a reason; "" if there is none.

    dates: whether another date counts; of two events told alike only the date may differ.
    """
    given = figures(evidence, language)
    stated = figures(claim, language)
    for figure in missing:
        for candidate in given:
            if not comparable(figure, candidate) or any(agrees(each, candidate) for each in stated):
                continue
            if (
                isinstance(figure, Quantity)
                and figure.dimension == "count"
                and not _same_noun(claim, figure, evidence, candidate)
            ):
                continue
            if isinstance(figure, Period) and (not dates or agrees(candidate, figure)):
                continue
            return f"the passage says {_shown(candidate)}, the sentence {_shown(figure)}"
    return ""


def swapped_figures(claim: str, evidence: str, anchors: Sequence[str], language: str = "en") -> str:
    """Figures that both state but of each other's things ("A 5, B 7" against "A 7, B 5"), as a reason.

    anchors: words (casefolded) that name what the figures belong to; they must stand once in both texts.
    """
    one, other = claim.casefold(), evidence.casefold()
    places = [(_place(one, word), _place(other, word), word) for word in anchors]
    places = [place for place in places if place[0] >= 0 and place[1] >= 0]
    stated, given = figures(claim, language), figures(evidence, language)
    matched = []
    for figure in stated:
        same = [candidate for candidate in given if comparable(figure, candidate) and agrees(figure, candidate)]
        if len(same) == 1:
            matched.append((figure.start, same[0].start, figure))
    for (a, b, first), (c, d, second) in combinations(matched, 2):
        if b == d or not comparable(first, second) or agrees(first, second):
            continue
        for (e, f, left), (g, h, right) in combinations(places, 2):
            if left in right or right in left:
                continue
            # words on the same side of both figures tell nothing of which is whose
            if (a < e) + (c < e) == (a < g) + (c < g) or (b < f) + (d < f) == (b < h) + (d < h):
                continue
            if ((a < c) == (e < g)) != ((b < d) == (f < h)):
                return f"the passage gives {_shown(first)} and {_shown(second)} the other way round"
    return ""


def other_row(claim: str, stated: Sequence[Figure], row: str, anchors: Sequence[str], language: str = "en") -> str:
    """The value of the table row that a claim speaks of, where it is another one, as a reason; "" for plain text."""
    cells = [cell.strip() for cell in re.split(r"\s*\|\s*|\t|\s{3,}", row.strip().strip("|"))]
    given = [figure for cell in cells[1:] for figure in figures(cell, language)]
    if len(cells) < 2 or len(stated) != 1 or any(agrees(stated[0], figure) for figure in given):
        return ""
    given = [figure for figure in given if comparable(stated[0], figure)]
    if not given:
        return ""
    if len(anchors) > LONGEST_ROW_CLAIM or len(figures(row, language)) > 3:
        return ""
    if not any(_place(cells[0].casefold(), word) >= 0 for word in anchors):
        return ""
    return f"the row “{cells[0]}” says {', '.join(map(_shown, given))}, the sentence {_shown(stated[0])}"


def opposite(claim: str, evidence: str, language: str = "en") -> str:
    """A statement and its denial, or a word and its opposite, as a reason; "" where both or neither are turned."""
    said, given = words(claim), words(evidence)
    claim_stems, given_stems = {stem(word, language) for word in said}, {stem(word, language) for word in given}
    turned = ""
    count = 0
    for word in dict.fromkeys(said):
        root = stem(word, language)
        against = _OPPOSITE.get(root, set()) & given_stems
        if against and root not in given_stems and not against & claim_stems:
            count += 1
            shown = next(each for each in given if stem(each, language) in against)
            turned = f"the passage says “{shown}”, the sentence “{word}”"
    common = claim_stems & given_stems | {each for root in claim_stems for each in opposites(root) & given_stems}
    denied, denies = _negations(given, common, language), _negations(said, claim_stems, language)
    if (denied + denies + count) % 2 == 0:
        return ""
    if turned and denied == denies:
        return turned
    return "the passage denies it" if denied > denies else "the sentence denies what the passage says"


def stronger(claim: str, evidence: str, language: str = "en") -> tuple[str, bool]:
    """(reason, whether it contradicts) where the sentence says all or none and the passage some, or the reverse, of the
    same thing: the quantifiers stand before a word that both have."""
    about = {stem(word, language) for word in words(claim)} & {stem(word, language) for word in words(evidence)}

    def quantified(pattern: re.Pattern[str], text: str) -> str:
        for match in pattern.finditer(text):
            following = words(text[match.end() : match.end() + 60])[:3]
            if about.intersection(stem(word, language) for word in following if len(word) > 3):
                return match[0]
        return ""

    none, given_none = quantified(_NONE, claim), quantified(_NONE, evidence)
    every, given_every = quantified(_ALL, claim), quantified(_ALL, evidence)
    some, given_some = quantified(_SOME, claim), quantified(_SOME, evidence)
    if none and not given_none and (given_every or given_some):
        return f"the passage says “{given_every or given_some}”, the sentence none", True
    if given_none and not none and (every or some):
        return f"the passage says none, the sentence “{every or some}”", True
    if every and not given_every and given_some:
        return f"the passage says “{given_some}”, the sentence all", False
    return "", False


def swapped_names(claim: str, evidence: str, known: Sequence[str]) -> str:
    """Two names that trade places around the same verb ("A bought B" against "B bought A"), as a reason."""
    one, other = claim.casefold(), evidence.casefold()
    for first, second in combinations(known, 2):
        a, b, c, d = _place(one, first), _place(one, second), _place(other, first), _place(other, second)
        if min(a, b, c, d) < 0 or (a < b) == (c < d):
            continue
        middle, opposed = one[min(a, b) : max(a, b)], other[min(c, d) : max(c, d)]
        if _COORDINATED.search(middle) or _COORDINATED.search(opposed):
            continue
        between = set(map(stem, words(middle))) - {stem(first), stem(second)}
        against = set(map(stem, words(opposed))) - {stem(first), stem(second)}
        shared = {word for word in between & against if len(word) > 2 and word not in _LINKS}
        if shared and bool(_PASSIVE.search(claim)) == bool(_PASSIVE.search(evidence)):
            return f"the passage has {second if a < b else first} and {first if a < b else second} the other way round"
    return ""


_CONTRAST = re.compile(r"\bthan\b|\binstead of\b|\b(?:and|but) not\b", re.IGNORECASE)
_COMPARATIVE = re.compile(
    r"\b(?:rather|more|less|fewer|better|worse|(?!(?:oth|ov|und|aft|ev|nev|numb|ord|wint|summ|wat|pow|wheth)er\b)"
    r"[a-z]{3,}er)\b",
    re.IGNORECASE,
)
REACH = 60
"""Characters between a comparing word and its "than"."""
SIDE = 12
"""Words beside a contrast that are its sides."""


def turned_contrast(claim: str, evidence: Sequence[str]) -> str:
    """ "A rather than B", "A is larger than B" where a sentence of the evidence has B and A, as a reason."""
    for kind, one, other in _contrasts(claim):
        for sentence in evidence:
            for given, first, second in _contrasts(sentence):
                crossed = len(other & first) * 2 >= len(other) and len(one & second) * 2 >= len(second)
                if kind == given and crossed and not other & second:
                    shown = ("rather than" if kind == "rather" else f"{kind} than").strip()
                    return f"the passage has it the other way round (“{shown}”)"
    return ""


def _contrasts(text: str) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """(comparing word, stems of what stands before, stems of what it is set against) of each contrast in a text."""
    found = []
    for match in _CONTRAST.finditer(text):
        before = re.split(r"[.;:]", text[: match.start()])[-1].rstrip()
        comparing = [each for each in _COMPARATIVE.finditer(before) if len(before) - each.end() <= REACH]
        if match[0].casefold() == "than" and not comparing:
            continue
        kind = comparing[-1][0].casefold() if match[0].casefold() == "than" else "rather"
        after = re.split(r"[.,;:]", text[match.end() :], maxsplit=1)[0]
        one, other = _telling(words(before)[-SIDE:]) - {stem(kind)}, _telling(words(after)[:SIDE])
        if one - other and other - one:
            found.append((kind, one - other, other - one))
    return found


def _telling(tokens: Sequence[str]) -> frozenset[str]:
    return frozenset(stem(token) for token in tokens if token not in STOP_WORDS["en"] and len(token) > 1)


_LINKS = frozenset(
    {"and", "the", "was", "were", "are", "with", "for", "its", "than", "but", "from", "his", "her", "has", "had"}
)


_BOUNDS = frozenset("above below over under beyond exceed exceeds more less fewer longer later than".split())  # noqa: SIM905
BOUND = 5
"""Words after a negation among which a limit stands."""
_COORDINATED = re.compile(r"\b(?:and|or|while|but|und|et|y)\b|[,;|]")


def _negations(tokens: Sequence[str], about: set[str], language: str) -> int:
    """Parity of the negations that are followed closely by one of the words in question."""
    count = 0
    for index, token in enumerate(tokens):
        if token in _NEGATIONS or token.endswith("n't"):
            if _BOUNDS.intersection(tokens[index + 1 : index + 1 + BOUND]):
                continue  # "shall not be charged above 90 %" sets a limit, it denies nothing
            near = [stem(each, language) for each in tokens[index + 1 : index + 5] if len(each) > 3]
            count += bool(about.intersection(near))
    return count % 2


def _place(text: str, word: str) -> int:
    """Where `word` stands in `text` if it stands there once, else -1."""
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text)]
    return found[0] if len(found) == 1 else -1


def _same_noun(claim: str, figure: Figure, evidence: str, candidate: Figure) -> bool:
    """Whether a content word close to one number is close to the other too: what is counted is the same."""
    near = {stem(word) for word in words(claim[figure.end : figure.end + 30])[:2] if len(word) > 2}
    named = words(evidence[candidate.end : candidate.end + 30])[:2] + words(counted(evidence, candidate.end))
    return bool(near & {stem(word) for word in named})


def _shown(figure: Figure) -> str:
    return figure.text.strip()
