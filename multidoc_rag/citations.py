"""Citation labels in an answer: found, held against the evidence, given a verbatim quote and a number.

A label is `[name.pdf p.3]`; models also write `[name.pdf]`, `[name, page 3]`, `[a.pdf p.1; b.pdf p.2]` or
`[a.pdf#page=3]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz import fuzz

from multidoc_rag.language import content_words, fold, sentence_spans
from multidoc_rag.records import Answer, Citation, Evidence, Passage, Place, Sentence

PageOf = Callable[[str, int], int]
"""(document id, offset in its clean text) -> page number."""

_PAGE = r"(?:\s*(?:,|:|#page=|#)?\s*\(?(?:pages?|pp?|s|S)?\.?\s*(?P<page>\d{1,5})(?:\s*[-–]\s*\d{1,5})?\)?)?"
_BRACKET = re.compile(r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\]){2,300})\](?!\()")
_SUFFIX = re.compile(r"\.(pdf|docx?|md|markdown|html?|txt)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer's text with normalised labels, its sentences, its citations, and the labels that point to nothing."""

    text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    unknown: tuple[str, ...]


def resolve(text: str, evidence: Evidence, *, page_of: PageOf | None = None) -> Cited:
    """Hold every label in `text` against the evidence.

    A label that names a document of the evidence becomes `[name.pdf p.N]` and a Citation whose quote is the sentence
    of the cited passage (of that page where one is given) closest to the answer's sentence. Any other label that
    looks like a source becomes `[unknown source: ...]` and is listed in `unknown`; it is never silently dropped. The
    k-th label of `text` belongs to the k-th number in the sentences' citations, read in order (`segments` relies on
    it).
    """
    page_of = page_of or (lambda document, offset: _page_by_passage(evidence, document, offset))
    citations: list[Citation] = []
    sentences: list[Sentence] = []
    unknown: list[str] = []
    lines = []
    for line in text.split("\n"):
        pieces = []
        for piece in _claims(line):
            bare = _tidy(_BRACKET.sub(_blank, piece))
            numbers: list[int] = []

            def mend(match: re.Match[str], bare: str = bare, numbers: list[int] = numbers) -> str:
                found = [_find(part, evidence) for part in re.split(r"\s*[;]\s*|\s*,\s*(?=\S+\.\w{2,5}\b)", match[1])]
                if all(passages is None for passages, _ in found):
                    if not _looks_like_a_source(match[1]):
                        return match[0]
                    unknown.append(match[1])
                    return f"[unknown source: {match[1]}]"
                labels = []
                for (passages, page), part in zip(found, re.split(r";|,(?=\s*\S+\.\w{2,5}\b)", match[1]), strict=False):
                    if not passages:
                        unknown.append(part.strip())
                        labels.append(f"[unknown source: {part.strip()}]")
                        continue
                    citation = _number(_quote(bare, passages, page, page_of), citations)
                    numbers.append(citation.n)
                    labels.append(citation.label)
                return " ".join(labels)

            pieces.append(_BRACKET.sub(mend, piece))
            words = re.sub(r"^[\s>*+#-]+|^\d+[.)]\s+", "", bare).strip()
            if words and not line.lstrip().startswith("#") and re.search(r"\w", words):
                sentences.append(Sentence(words, tuple(numbers)))
            elif numbers and sentences:
                sentences[-1] = replace(sentences[-1], citations=(*sentences[-1].citations, *numbers))
        lines.append("".join(pieces))
    return Cited("\n".join(lines), tuple(sentences), tuple(citations), tuple(unknown))


def segments(answer: Answer) -> Iterator[str | Citation]:
    """The answer's text cut at its citation labels: pieces of Markdown and, in their places, the Citations."""
    by_number = {citation.n: citation for citation in answer.citations}
    queue = [by_number[n] for sentence in answer.sentences for n in sentence.citations if n in by_number]
    labels = sorted({citation.label for citation in answer.citations}, key=len, reverse=True)
    if not labels:
        yield answer.text
        return
    position = 0
    for match in re.finditer("|".join(map(re.escape, labels)), answer.text):
        if match.start() > position:
            yield answer.text[position : match.start()]
        index = next((i for i, citation in enumerate(queue) if citation.label == match[0]), None)
        if index is None:
            yield next(citation for citation in answer.citations if citation.label == match[0])
        else:
            yield queue.pop(index)
        position = match.end()
    if position < len(answer.text):
        yield answer.text[position:]


def best_quote(claim: str, passage: Passage, language: str = "en") -> tuple[int, int]:
    """Offsets, in the passage's text, of its sentence that shares most with `claim` (weighted by content words)."""
    wanted = set(content_words(claim, language))
    best, best_score = (0, len(passage.text)), -1.0
    for start, end in sentence_spans(passage.text, language):
        words = content_words(passage.text[start:end], language)
        if not words:
            continue
        shared = len(wanted & set(words))
        score = 2 * shared / (len(wanted) + len(set(words))) if wanted else 0.0
        if score > best_score:
            best, best_score = (start, end), score
    return best


def _claims(line: str) -> list[str]:
    """A line cut into sentences, each keeping the labels that follow its full stop; nothing is lost between them."""
    # split the line as it reads without labels, then cut before the first character of each next sentence
    kept: list[int] = []
    position = 0
    for match in re.finditer(rf"\s*{_BRACKET.pattern}", line):
        if _looks_like_a_source(match[1]):
            kept.extend(range(position, match.start()))
            position = match.end()
    kept.extend(range(position, len(line)))
    spans = sentence_spans("".join(line[index] for index in kept), "en")
    cuts = [0, *(kept[start] for start, _ in spans[1:]), len(line)]
    return [line[a:b] for a, b in pairwise(cuts)]


def _find(label: str, evidence: Evidence) -> tuple[list[Passage] | None, int | None]:
    """The passages of the document that `label` names (None: no such document) and the page it gives, if any."""
    label = label.strip().strip("`*_\"' ")
    for group in sorted(evidence.groups, key=lambda g: -len(g.document_name)):
        if not group.passages:
            continue
        for name in (group.document_name, _SUFFIX.sub("", group.document_name)):
            match = re.fullmatch(rf"{re.escape(name)}{_PAGE}", label, re.IGNORECASE)
            if match:
                return _on_page(group.passages, match["page"])
    match = re.fullmatch(rf"(?P<name>.+?){_PAGE}", label, re.IGNORECASE)
    if match and len(match["name"]) >= 4:
        # a model that misspells a long name by a letter still means it
        scored = [(fuzz.ratio(fold(match["name"]), fold(g.document_name)), g) for g in evidence.groups if g.passages]
        close = [group for score, group in scored if score >= 92]
        if len(close) == 1:
            return _on_page(close[0].passages, match["page"])
    return None, None


def _on_page(passages: Sequence[Passage], page: str | None) -> tuple[list[Passage], int | None]:
    if page is None:
        return list(passages), None
    number = int(page)
    return [passage for passage in passages if passage.page_start <= number <= passage.page_end], number


def _quote(claim: str, passages: Sequence[Passage], page: int | None, page_of: PageOf) -> Citation:
    candidates = []
    wanted = set(content_words(claim))
    for passage in passages:
        start, end = best_quote(claim, passage)
        shared = len(wanted & set(content_words(passage.text[start:end])))
        on_page = page is None or page_of(passage.document_id, passage.start + start) == page
        candidates.append((on_page, shared, passage.score, passage, start, end))
    _, _, _, passage, start, end = max(candidates, key=lambda c: c[:3])
    return Citation(
        n=0,
        document=passage.document_name,
        document_id=passage.document_id,
        places=_places(passage.document_id, passage.start + start, passage.start + end, page_of),
        quote=passage.text[start:end],
        section=passage.section,
        score=passage.score,
        start=passage.start + start,
        end=passage.start + end,
    )


def _places(document: str, start: int, end: int, page_of: PageOf) -> tuple[Place, ...]:
    first, last = page_of(document, start), page_of(document, max(start, end - 1))
    return tuple(Place(page) for page in range(first, last + 1))


def _page_by_passage(evidence: Evidence, document: str, offset: int) -> int:
    for passage in evidence.passages:
        if passage.document_id == document and passage.start <= offset < passage.end:
            return passage.page_start
    return 1


def _number(citation: Citation, citations: list[Citation]) -> Citation:
    """The citation with its number: an old one for a quote cited before, else the next."""
    for known in citations:
        if (known.document_id, known.start, known.end) == (citation.document_id, citation.start, citation.end):
            return known
    citation = replace(citation, n=len(citations) + 1)
    citations.append(citation)
    return citation


def _blank(match: re.Match[str]) -> str:
    """A source label leaves the sentence; other brackets ("see [1]") are part of what it says."""
    return " " if _looks_like_a_source(match[1]) else match[0]


def _tidy(text: str) -> str:
    return re.sub(r"\s+(?=[.,;:!?](?:\s|$))", "", re.sub(r"\s{2,}", " ", text)).strip()


def _looks_like_a_source(label: str) -> bool:
    return bool(re.search(r"\.(pdf|docx?|md|html?|txt)\b|\bpp?\.\s*\d|\bpage\s+\d|#page=", label, re.IGNORECASE))
