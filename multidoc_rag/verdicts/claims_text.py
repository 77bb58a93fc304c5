"""What a sentence of an answer states: its bare statement, whether that can be checked, and the claims it joins.

Pure functions over text. Every writer's habits are met here: citation markers, lead-ins ("Based on the passages, ..."),
headings, list introductions, meta statements, refusals.
"""

from __future__ import annotations

import re

from multidoc_rag.language import answer_spans, content_words

_SOURCE = (
    r"(?>(?:(?:the|these|this|those|my|your|our)\s+)?(?:(?:provided|given|above|following|cited|supplied|retrieved|"
    r"available|relevant|first|second|third|fourth|fifth|last|same|other|two|three|all(?: of)?(?: the)?)\s+){0,6}"
    r"(?:passages?|documents?|texts?|sources?|context|excerpts?|articles?|information|search results?|evidence|"
    r"references?|extracts?)(?:\s*(?:#|no\.?|number)?\s*\d+(?:\s*(?:,|and|&|-|–|to)\s*\d+){0,12}|\s*\(\d{1,3}\))?"
    r"(?:\s+(?:provided|given|above|below|you (?:provided|gave|shared)))?)"
)
"""How writers name what they were given: "the provided passages", "passage 2", "documents 1 and 3"."""
_SOURCES = rf"(?>{_SOURCE}(?:\s*(?:,|;|and|&)\s*{_SOURCE}){{0,8}})"  # atomic: nothing to gain by going back

_MARKERS = re.compile(
    r"<cite\b[^>]*>|</?cite>|</?sup>"
    r"|\[\^?\d+(?:\s*[,;–-]\s*\^?\d+)*(?:\s*:[^\]]*)?\](?:\([^)]*\))?|【[^】]*】"
    r"|(?<![a-z])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?=[\s.,;]|$)|(?<=[.,;])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?=\s|$)"
    r"|\[[^\[\]\n]{0,200}\.(?:pdf|docx?|md|html?|txt)[^\[\]\n]{0,40}\]"
    rf"|\((?:see\s+|from\s+|source:\s*)?{_SOURCES}\)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[>#*+•‣◦–-]+\s+|\(?\d{1,2}[.)]\s+|\(?[a-z][.)]\s+|#+\s*)+")
_MARKUP = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")

_SAYS = (
    r"(?:states?|says?|mentions?|suggests?|notes?|explains?|indicates?|describes?|reports?|confirms?|shows?|adds?|"
    r"reveals?|highlights?|lists?|specif(?:y|ies)|recommends?|points? out|advises?|clarif(?:y|ies))"
)
_SAID = r"(?:stated|mentioned|described|noted|per|explained|reported|indicated|outlined|shown|suggested)"
_LEAD_IN = re.compile(
    r"^(?:(?:so|thus|therefore|hence|in summary|to summari[sz]e|overall|in conclusion|in short|to sum up|additionally|"
    r"furthermore|moreover|however|finally|lastly|also|in addition|note that|please note that|as a result|"
    r"it is (?:also )?(?:important|worth) (?:to note|noting|mentioning) that|(?:yes|no)(?=[,:.])|first(?:ly)?|"
    r"second(?:ly)?|third(?:ly)?)\s*[,:.]?\s+"
    rf"|(?:based (?:up)?on|according to|as {_SAID}?\s*(?:in|by)?|from|in|per|as per)\s+{_SOURCES}\s*(?:,|:)\s*"
    r"|the answer(?: to (?:the|this|your) question)? is (?:that )?"
    rf"|{_SOURCES}\s+(?:also\s+|further\s+)?{_SAYS}\s+(?:that\s+)?"
    rf"|it (?:is|was) (?:also )?{_SAID} that\s+)",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    rf",?\s*(?:according to|based on|as {_SAID} (?:in|by)|per)\s+{_SOURCES}\s*(?=[.,;]|$)", re.IGNORECASE
)

_REFUSAL = re.compile(
    r"\b(?:unable to (?:answer|provide|determine|find)"
    r"|(?:cannot|can't|can ?not|could not|couldn't|not able to) (?:be )?(?:answer|determin|provid|find|found|locat|"
    r"verif|confirm)\w*"
    rf"|{_SOURCE}\s+(?:(?:does|do|did|is|are|was|were)(?: not|n't)|(?:contains?|provides?|offers?|gives?|includes?|"
    r"makes?) no|lacks?|fails? to)\b"
    r"|(?:there is|there's|there are|there was) (?:no|not enough|insufficient|not any) (?:\w+ ){0,3}?"
    r"(?:information|mention|answer|detail|evidence|data|reference)"
    r"|no (?:\w+ )?(?:information|mention|details?|answer) (?:is|was|are|on|about|regarding|could|can)"
    rf"|(?:is|are) not (?:\w+ )?(?:mentioned|specified|stated|provided|given|addressed|answered|found|discussed|"
    rf"explicitly \w+) (?:in|by) {_SOURCE}"
    r"|not (?:enough|sufficient) information|insufficient information|i do not know|i don't know"
    r"|do(?:es)? not contain the answer|not (?:directly |explicitly )?(?:mentioned|stated|specified|provided|answered)"
    r" in)",
    re.IGNORECASE,
)
_META = re.compile(
    r"^(?:here (?:is|are)\b|here's\b|below (?:is|are)\b|the following (?:is|are)\b|i hope\b|let me know|"
    r"please (?:let|note that i|feel free|provide)|sure\b|certainly\b|of course\b|i(?:'m| am) (?:sorry|happy|an? )|"
    r"as an ai\b|i will\b|i'll\b|let us\b|let's\b|in (?:this|the following) (?:section|answer|summary)|feel free|"
    r"thank you|great question|to answer (?:your|the|this) question|(?:the|my) answer is (?:as follows|based)|"
    r"if you (?:have|need|want) (?:any|more|further)|would you like|note:? ?$"
    rf"|{_SOURCE}\s+(?:provides?|contains?|offers?|gives?|discuss(?:es)?|covers?|includes?|deals? with)\s+"
    r"(?:\w+\s+){0,4}?(?:information|details?|instructions|steps|guidance|insights?|an? overview|data|tips|advice)\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟]\s*[\"'”’)]*$")
_FULL_STOP = re.compile(r"[.!。！۔]\W*$")

_SPLIT = re.compile(
    r";\s+|[,)]?\s+(?:but|while|whereas|although|though|however)\s+|,\s+(?:and|or|so|yet|which|who|where|with)\s+"
    r"|,?\s+and\s+(?=(?:it|they|he|she|this|that|these|the|an?|its|their|his|her|is|are|was|were|has|have|had|can|"
    r"will|should|may|must|does|do)\b)|\s+[–—]\s+|:\s+(?=\w)",
    re.IGNORECASE,
)
LONGEST = 800
"""Characters of a sentence; longer ones are cut, and not searched for lead-ins and the like."""
FEWEST = 2
"""Content words that a clause needs to be a claim of its own."""


def sentences(answer: str, language: str = "en") -> list[str]:
    """The sentences, list items, headings and table rows of an answer, line by line, in order; verbatim."""
    found = []
    for line in answer.splitlines():
        if line.strip() and not line.lstrip().startswith("```"):
            spans = answer_spans(line, language)
            found += [line[start:end] for start, end in spans] if len(line) > 80 or len(spans) > 1 else [line.strip()]
    return _joined([piece for text in found for piece in _bounded(text)])


def _bounded(text: str) -> list[str]:
    """The text in pieces of at most LONGEST characters, cut at blanks where there are any."""
    pieces = []
    while len(text) > LONGEST:
        at = text.rfind(" ", LONGEST // 2, LONGEST) + 1 or LONGEST
        pieces.append(text[:at].strip())
        text = text[at:].lstrip()
    return [*pieces, text]


def _joined(pieces: list[str]) -> list[str]:
    """A bare list number or marker goes with what follows or precedes it."""
    joined: list[str] = []
    for piece in pieces:
        if (joined and re.fullmatch(r"\W*\d{1,2}[.)]\W*", joined[-1])) or (
            joined and not re.search(r"\w", _MARKERS.sub("", piece[:LONGEST]))
        ):
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    return joined


def statement(sentence: str) -> str:
    """The sentence without citation markers, markup, list bullets, lead-ins and trailers that only name the sources."""
    if len(sentence) > LONGEST:
        return " ".join(sentence.split())
    text = _MARKERS.sub(" ", sentence)
    text = _BULLET.sub("", _MARKUP.sub("", text)).strip()
    for _ in range(3):
        shorter = _LEAD_IN.sub("", text, count=1)
        if shorter == text or not shorter.strip():
            break
        text = shorter.strip()
    text = re.sub(r"([:;,])\s*,", r"\1", _TRAILER.sub("", text))
    return re.sub(r"\s+(?=[.,;:!?](?:\s|$))", "", " ".join(text.split()))


def unchecked_reason(sentence: str, language: str = "en") -> str:
    """Why a sentence states nothing that evidence could bear out, "" if it does state something."""
    text = statement(sentence)
    if not re.search(r"\w", text):
        return "it holds no words"
    if _QUESTION.search(text):
        return "it asks a question"
    if _REFUSAL.search(sentence[:LONGEST]):
        return "it says what the documents do not say"
    if _META.match(text[:LONGEST]):
        return "it speaks about the answer itself"
    if sentence.lstrip().startswith("#"):
        return "it is a heading"
    content = content_words(text, language)
    figure = re.search(r"\d", text)
    if text.endswith((":", "：")) and len(content) <= 12 and not figure:
        return "it introduces what follows"
    if not figure and (
        len(content) < FEWEST or (len(content) <= 6 and re.fullmatch(r"\s*(\*\*|__).*\1\W*", sentence[:LONGEST]))
    ):
        return "it is a heading" if not _FULL_STOP.search(text) else "it states nothing that can be checked"
    return ""


def claims(text: str, language: str = "en") -> list[str]:
    """The claims that a statement joins, in order; one claim where it does not come apart cleanly."""
    pieces: list[str] = []
    position = 0
    for match in _SPLIT.finditer(text):
        piece, rest = text[position : match.start()], text[match.end() :]
        if _stands(piece, language) and _stands(rest, language):
            pieces.append(piece.strip())
            position = match.end()
    pieces.append(text[position:].strip())
    return pieces


def _stands(piece: str, language: str) -> bool:
    return len(content_words(piece, language)) >= FEWEST
