"""What a sentence of an answer states: its bare statement, whether that can be checked, and the claims it joins.

Pure functions over text. Every writer's habits are met here: citation markers, lead-ins ("Based on the passages, ..."),
headings, list introductions, meta statements, refusals.
"""

from __future__ import annotations

import re

from multidoc_rag.language import content_words

_SOURCE = (
    r"(?:(?:(?:the|these|this|those|my|your|our)\s+)?(?:(?:provided|given|above|following|cited|supplied|retrieved|available|relevant|"
    r"first|second|third|fourth|fifth|last|same|other|two|three|all(?: of)?(?: the)?)\s+)*"
    r"(?:passages?|documents?|texts?|sources?|context|excerpts?|articles?|information|search results?|evidence|references?|extracts?)"
    r"(?:\s*(?:\(?(?:#|no\.?|number)?\s*\d+(?:\s*(?:,|and|&|-|–|to)\s*\d+)*\)?))?"
    r"(?:\s+(?:provided|given|above|below|you (?:provided|gave|shared)))?)"
)
_SOURCES = rf"{_SOURCE}(?:\s*(?:,|;|and|&)\s*{_SOURCE})*"
_MARKERS = re.compile(
    r"<cite\b[^>]*>|</?cite>|</?sup>|\[(?:\^?\d+(?:\s*[,;–-]\s*\^?\d+)*(?:\s*:[^\]]*)?)\](?:\([^)]*\))?"
    r"|[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?=[\s.,;]|$)(?<![a-z][²³])|【[^】]*】"
    r"|\[[^\[\]\n]{0,200}\.(?:pdf|docx?|md|html?|txt)[^\[\]\n]{0,40}\]"
    rf"|\((?:see\s+|from\s+|source:\s*)?{_SOURCES}\)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[>#*+•‣◦–-]+\s+|\(?\d{1,2}[.)]\s+|\(?[a-z][.)]\s+|#+\s*)+")
_LEAD_IN = re.compile(
    rf"^(?:(?:so|thus|therefore|hence|in summary|to summari[sz]e|overall|in conclusion|in short|to sum up|additionally|"
    r"furthermore|moreover|however|finally|lastly|also|in addition|note that|please note that|it is (?:also )?"
    r"(?:important|worth) (?:to note|noting|mentioning) that|(?:yes|no)(?=[,:.])|as a result|first(?:ly)?|second(?:ly)?|third(?:ly)?)\s*[,:.]?\s+"
    rf"|(?:based (?:up)?on|according to|as (?:stated|mentioned|described|noted|per|explained|reported|indicated|outlined|shown)?\s*"
    rf"(?:in|by)?|from|in|per|as per)\s+{_SOURCES}\s*(?:,|:)\s*"
    r"|the answer(?: to (?:the|this|your) question)? is (?:that )?"
    rf"|{_SOURCES}\s+(?:also\s+|further\s+)?(?:states?|says?|mentions?|suggests?|notes?|explains?|indicates?|describes?|reports?|"
    r"confirms?|shows?|adds?|reveals?|highlights?|lists?|specif(?:y|ies)|recommends?|points? out|advises?|clarif(?:y|ies))\s+(?:that\s+)?"
    r"|(?:it (?:is|was) (?:also )?(?:stated|mentioned|noted|suggested|reported|explained) that\s+))",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    rf",?\s*(?:according to|based on|as (?:stated|mentioned|described|noted|explained|reported|indicated|outlined|shown) (?:in|by)|per)\s+"
    rf"{_SOURCES}\s*(?=[.,;]|$)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")

_REFUSAL = re.compile(
    rf"\b(?:unable to (?:answer|provide|determine|find)|(?:cannot|can't|can ?not|could not|couldn't|not able to) (?:be )?"
    rf"(?:answer|determin|provid|find|found|locat|verif|confirm)\w*"
    rf"|{_SOURCE}\s+(?:(?:does|do|did|is|are|was|were)(?: not|n't)|contains? no|provides? no|offers? no|gives? no|includes? no|"
    rf"makes? no|lacks?|fails? to)\b"
    rf"|(?:there is|there's|there are|there was) (?:no|not enough|insufficient|not any) (?:\w+ ){{0,3}}?(?:information|mention|answer|detail|evidence|data|reference)"
    rf"|no (?:\w+ )?(?:information|mention|details?|answer) (?:is|was|are|on|about|regarding|could|can)|(?:is|are) not (?:\w+ )?"
    rf"(?:mentioned|specified|stated|provided|given|addressed|answered|found|discussed|explicitly \w+) (?:in|by) {_SOURCE}"
    rf"|not (?:enough|sufficient) information|insufficient information|i do not know|i don't know|do(?:es)? not contain the answer|"
    rf"not (?:directly |explicitly )?(?:mentioned|stated|specified|provided|answered) in)",
    re.IGNORECASE,
)
_META = re.compile(
    rf"^(?:here (?:is|are)\b|here's\b|below (?:is|are)\b|the following (?:is|are)\b|i hope\b|let me know|please (?:let|note that i|feel free|provide)|"
    r"sure\b|certainly\b|of course\b|i(?:'m| am) (?:sorry|happy|an? )|as an ai\b|i will\b|i'll\b|let us\b|let's\b|"
    r"in (?:this|the following) (?:section|answer|summary)|feel free|thank you|great question|to answer (?:your|the|this) question|"
    r"(?:the|my) answer is (?:as follows|based)|if you (?:have|need|want) (?:any|more|further)|would you like|note:? ?$|"
    rf"{_SOURCE}\s+(?:provides?|contains?|offers?|gives?|discuss(?:es)?|covers?|includes?|deals? with)\s+(?:\w+\s+){{0,4}}?"
    r"(?:information|details?|instructions|steps|guidance|insights?|an? overview|data|tips|advice)\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？]\s*[\"'”’)]*$")
_SPLIT = re.compile(
    r";\s+|(?<=\w)[,)]?\s+(?:but|while|whereas|although|though|however)\s+|,\s+(?:and|or|so|yet|which|who|where|with)\s+|\s+[–—]\s+"
    r"|(?<=\w),?\s+and\s+(?=(?:it|they|he|she|this|that|these|the|an?|its|their|his|her|is|are|was|were|has|have|had|can|"
    r"will|should|may|must|does|do)\b)|:\s+(?=\w)",
    re.IGNORECASE,
)
_FEWEST = 2
"""Content words that a clause needs to be a claim of its own."""


def statement(sentence: str) -> str:
    """The sentence without citation markers, markup, list bullets, lead-ins and trailers that only name the sources."""
    text = _MARKERS.sub(" ", sentence)
    text = _BULLET.sub("", _MARKUP.sub("", text)).strip()
    for _ in range(3):
        shorter = _LEAD_IN.sub("", text, count=1)
        if shorter == text or not shorter.strip():
            break
        text = shorter.strip()
    text = _TRAILER.sub("", text)
    return re.sub(r"\s+(?=[.,;:!?](?:\s|$))", "", " ".join(text.split()))


def unchecked_reason(sentence: str, language: str = "en") -> str:
    """Why a sentence states nothing that evidence could bear out, "" if it does state something."""
    text = statement(sentence)
    if not re.search(r"\w", text):
        return "it holds no words"
    if _QUESTION.search(text):
        return "it asks a question"
    if _REFUSAL.search(sentence):
        return "it says what the documents do not say"
    if _META.match(text):
        return "it speaks about the answer itself"
    content = content_words(text, language)
    if sentence.lstrip().startswith("#"):
        return "it is a heading"
    if text.endswith(":") and len(content) <= 12 and not re.search(r"\d", text):
        return "it introduces what follows"
    bare_heading = not re.search(r"[.!。！؟۔]\W*$", text) and len(content) <= 4 and not re.search(r"\d", text)
    if bare_heading and (re.match(r"\s*(?:\*\*|__)", sentence) or len(content) < 2):
        return "it is a heading"
    if len(content) < 2 and not re.search(r"\d", text):
        return "it states nothing that can be checked"
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
    return len(content_words(piece, language)) >= _FEWEST
