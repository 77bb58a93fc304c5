"""Which way a sentence says that something goes: up, down, or no way.

"X reduces Y", "an increased risk of Y", "Y was not associated with X" each hold a `Mention`: a sign, and the theme, the
thing that goes that way. Two sentences contradict each other where one theme goes another way and the rest of what
they say is the same. English; pure functions of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, takewhile

from multidoc_rag.language import STOP_WORDS, stem, words

_UP = """
    increase increased increases increasing rise rises rose raise raised raises raising grow grows grew elevated
    elevates elevate elevation higher greater more larger boost boosts boosted enhance enhances enhanced enhancing
    promote promotes promoted promoting induce induces induced inducing activate activates activated activating
    stimulate stimulates stimulated upregulate upregulates upregulated upregulation encourage encourages encouraged
    facilitate facilitates facilitated exacerbate exacerbates exacerbated aggravate aggravates aggravated cause causes
    caused causing trigger triggers triggered drive drives drove accelerate accelerates accelerated amplify amplifies
    amplified expand expands expanded strengthen strengthens strengthened positively enable enables enabled gained
    heighten heightens heightened improve improves improved improving improvement extend extends extended
"""
_DOWN = """
    decrease decreased decreases decreasing reduce reduced reduces reducing reduction fall falls fell drop drops dropped
    decline declines declined lower lowers lowered lowering fewer less smaller diminish diminishes diminished inhibit
    inhibits inhibited inhibiting inhibition suppress suppresses suppressed suppressing suppression prevent prevents
    prevented preventing block blocks blocked blocking impair impairs impaired impairing deactivate deactivates
    deactivated inactivate inactivates inactivated downregulate downregulates downregulated downregulation repress
    represses repressed repressing attenuate attenuates attenuated attenuating abolish abolishes abolished impede
    impedes impeded hinder hinders hindered limit limits limited rescue rescues rescued alleviate alleviates alleviated
    ameliorate ameliorates ameliorated mitigate mitigates mitigated shrink shrinks shrank slow slows slowed delay delays
    delayed weaken weakens weakened discourage discourages negatively inversely worsen worsens worsened worsening
    eliminate eliminates eliminated halved curbed curbs shorten shortens shortened
"""
_SIGNS = dict.fromkeys(_UP.split(), 1) | dict.fromkeys(_DOWN.split(), -1)
_RELATED = frozenset(
    """
    associated linked correlated correlates correlate related affect affects affected influence influences
    influenced
    """.split()  # noqa: SIM905
)
_RELATIONS = frozenset(
    """
    association associations correlation correlations relation relationship effect effects impact influence
    difference differences evidence
    """.split()  # noqa: SIM905
)
_UNRELATED = frozenset("unrelated independent unaffected unchanged similar comparable".split())  # noqa: SIM905
_DENIES = frozenset("not no never nor neither without cannot fail fails failed lack lacks lacking little".split())  # noqa: SIM905
_BE = frozenset("is are was were be been being become becomes became remains remained".split())  # noqa: SIM905
_ASKS = frozenset("whether if hypothesis hypothesized hypothesised unknown unclear may might could".split())  # noqa: SIM905
_LEADS_ON = ("with", "to", "of")
SAME_THEME = 0.66
"""Share of a mention's nearest THEME words that another's theme must have to be about the same thing."""
THEME = 3
"""Words of a theme that tell it."""
REACH = 6
"""Content words beside a mention that are its theme."""
SPAN = 12
"""Words beside a mention among which its theme is looked for."""
DENIAL = 4
"""Words before a mention in which a denial of it stands."""
RELATED = 2
"""The sign of "associated with", whatever the way."""


@dataclass(frozen=True, slots=True)
class Mention:
    """sign: 1 up, -1 down, RELATED; denied: that it does not go that way; the word as written, casefolded; the stems
    of what is said to go that way, nearest first."""

    sign: int
    denied: bool
    word: str
    theme: tuple[str, ...]

    @property
    def said(self) -> str:
        """The word with its denial."""
        return f"not {self.word}" if self.denied and self.word not in _UNRELATED else self.word

    def against(self, other: Mention) -> bool:
        """Whether both cannot hold of one theme: up and down, or a direction and its denial."""
        if self.denied != other.denied:
            denial, claim = (self, other) if self.denied else (other, self)
            return denial.sign in (RELATED, claim.sign)
        return not self.denied and RELATED not in (self.sign, other.sign) and self.sign != other.sign

    def says_the_same(self, other: Mention) -> bool:
        """Whether both give the theme one direction, or deny it one."""
        return self.denied == other.denied and self.sign == other.sign


@lru_cache(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """Every mention of a direction that an English sentence states (not: asks), in order."""
    tokens = words(text)
    found: list[Mention] = []
    denied_until = -1
    for at, word in enumerate(tokens):
        sign = _SIGNS.get(word)
        if sign is None and word not in _RELATED and word not in _RELATIONS and word not in _UNRELATED:
            continue
        if any(each in _ASKS for each in tokens[max(0, at - SPAN) : at]):
            continue
        denied = at <= denied_until or any(
            each in _DENIES or each.endswith("n't") for each in tokens[max(0, at - DENIAL) : at]
        )
        if sign is None:
            if denied:
                denied_until = at + DENIAL + 1
            beside = {*tokens[max(0, at - 2) : at], *tokens[at + 1 : at + 5]}
            if beside & _SIGNS.keys() or (word in _RELATIONS and not denied):
                continue  # "associated with an increased risk": that word tells; "the effect of": says nothing
            sign = RELATED
            denied = denied != (word in _UNRELATED)
        theme = _theme(tokens, at)
        if theme:
            found.append(Mention(sign, denied, word, theme))
    return tuple(found)


def other_way(claim: str, evidence: Sequence[tuple[str, float]]) -> str:
    """What the evidence says goes another way than the claim has it, as a reason; "" if nothing does.

    evidence: sentences, each with the share (0..1) of the claim's words that it has. What says the same as the claim,
    as closely, outweighs what says the opposite.
    """
    for mention in mentions(claim):
        told = set(mention.theme[:THEME])
        against, agreeing, reason = 0.0, 0.0, ""
        for sentence, shared in evidence:
            for other in mentions(sentence):
                same = len(told.intersection(other.theme)) / len(told)
                if same < SAME_THEME:
                    continue
                if mention.against(other) and same * shared > against:
                    against = same * shared
                    reason = f"the passage says “{other.said}”, the sentence “{mention.said}”"
                elif mention.says_the_same(other):
                    agreeing = max(agreeing, same * shared)
        if against > agreeing:
            return reason
    return ""


def _theme(tokens: Sequence[str], at: int) -> tuple[str, ...]:
    right = _telling(tokens[at + 1 : at + 1 + SPAN])
    left = _telling(reversed(tokens[max(0, at - SPAN) : at]))
    before = next((t for t in reversed(tokens[:at]) if not t.endswith("ly") and t not in ("not", "also", "never")), "")
    follows = tokens[at + 1] if at + 1 < len(tokens) else ""
    # "Y is reduced", "Y is lower in"; but "is associated with Y", "is unrelated to Y"
    passive = before in _BE and follows not in _LEADS_ON
    return (left or right) if passive else (right or left)


def _telling(tokens: Iterable[str]) -> tuple[str, ...]:
    """Stems of the content words up to the next word that tells a direction."""
    stops = STOP_WORDS["en"]
    near = takewhile(lambda token: token not in _SIGNS, tokens)
    kept = (
        t for t in near
        if not (t in stops or t in _RELATED or t in _RELATIONS or t[0].isdigit() or t.endswith("ly"))
    )  # fmt: skip
    return tuple(stem(token) for token in islice(kept, REACH))
