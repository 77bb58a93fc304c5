"""Citation labels in an answer: found, held against the evidence, given a verbatim quote and a number.

What models write (`markers.py`) becomes `[name.pdf p.3]`, three and more side by side `[1-3: a.pdf p.5, b.pdf p.2,
c.pdf p.8]`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from rapidfuzz import fuzz

from multidoc_rag.answers.markers import Marker, Reference, find_markers
from multidoc_rag.language import answer_spans, content_words, fold, fold_map, sentence_spans, words
from multidoc_rag.records import Answer, Citation, Evidence, Passage, Place, Sentence

PageOf = Callable[[str, int], int]
"""(document id, offset in its clean text) -> page number."""

_UNKNOWN = "[unknown source: {}]"
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile('“[^“”\n]+”|«[^«»\n]+»|"[^"\n]+"')
_NUMBERED = re.compile(r"\s*\[\d[\d,;\s–-]*\]")
_TABLE_RULE = re.compile(r"\n[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Cited:
    """An answer's text with normalised labels, its sentences, its citations, and the labels that point to nothing.

    `spans` are the sentences' places in `text`, labels included.
    """

    text: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    unknown: tuple[str, ...]
    spans: tuple[tuple[int, int], ...] = ()


def resolve(text: str, evidence: Evidence, *, passages: Sequence[Passage] = (), page_of: PageOf | None = None) -> Cited:
    """Hold every marker in `text` against the evidence.

    A marker that names a document of the evidence, or the number of one of `passages` (as they stood in the prompt,
    from 1), becomes `[name.pdf p.N]` and a Citation. Its quote is the words the model quoted where they stand in the
    document, else the sentence of the cited passage (of that page where one is given) closest to the answer's
    sentence. What points to nothing becomes `[unknown source: ...]` and is listed in `unknown`; it is never silently
    dropped. Three and more side by side become one compact label (`labels`). Code is left alone, and so are numbers in
    brackets that belong to words quoted from the documents. Headings, the head row of a table and code are no
    sentences; what a heading cites, the sentence below it cites.
    """
    finder = _Finder(evidence, passages or evidence.passages, page_of or _pages_of(evidence))
    names = [group.document_name for group in evidence.groups if group.passages]
    markers = finder.own(text, find_markers(text, names, len(finder.numbered)))
    starts = [marker.start for marker in markers]
    fences = [match.span() for match in _FENCE.finditer(text)]
    sentences: list[Sentence] = []
    unknown: list[str] = []
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    above: list[int] = []
    written = 0
    for start, end in _spans(text, markers):
        first = len(pieces)
        inside = markers[bisect_left(starts, start) : bisect_left(starts, end)]
        bare = _words(text, start, end, inside)
        numbers: list[int] = []
        position, run = start, list[Citation]()

        def flush(run: list[Citation] = run) -> None:
            if run:
                pieces.append(labels(run))
                run.clear()

        for marker in inside:
            between = text[position : marker.start]
            if between.strip(" \t,;") or marker.kept:
                flush()
                pieces.append(between)
            elif not run:
                pieces.append(between)
            if marker.kept:
                pieces.append(f"{marker.kept} ")
            for reference in marker.references:
                citation = finder.citation(reference, bare)
                if citation is None:
                    flush()
                    unknown.append(reference.written)
                    pieces.append(_UNKNOWN.format(reference.written))
                elif citation not in run:
                    run.append(citation)
                    numbers.append(citation.n)
            position = marker.end
        flush()
        pieces.append(text[position:end])
        begun, written = written, written + sum(map(len, pieces[first:]))
        if re.search(r"\w", bare):
            if _is_frame(text, start, fences):
                above += numbers
            else:
                sentences.append(Sentence(bare, (*above, *numbers)))
                spans.append((begun, written))
                above = []
        elif numbers and sentences:
            sentences[-1] = replace(sentences[-1], citations=(*sentences[-1].citations, *numbers))
            spans[-1] = (spans[-1][0], written)
    return Cited("".join(pieces), tuple(sentences), tuple(finder.citations), tuple(unknown), tuple(spans))


def without(cited: Cited, dropped: Collection[int]) -> Cited:
    """The answer less the sentences with these numbers (from 0), and less the citations only they had."""
    text, position = "", 0
    for number, (start, end) in enumerate(cited.spans):
        if number in dropped:
            text += cited.text[position:start]
            # a bullet that loses its only sentence goes with it, its line break stays
            position = end - (len(cited.text[start:end]) - len(cited.text[start:end].rstrip("\n")))
    text = re.sub(r"(?m)^\s*(?:[>*+•-]|\d+[.)])?\s*$\n?(?=\s*(?:[>*+•-]\s|#|$))", "", text + cited.text[position:])
    kept = [number for number in range(len(cited.sentences)) if number not in dropped]
    sentences = tuple(cited.sentences[number] for number in kept)
    used = {n for sentence in sentences for n in sentence.citations}
    return Cited(
        text.strip(),
        sentences,
        tuple(citation for citation in cited.citations if citation.n in used),
        cited.unknown,
    )


def labels(citations: Sequence[Citation]) -> str:
    """`[a.pdf p.2] [b.pdf p.7]`; three and more as one: `[1-3: a.pdf p.2, b.pdf p.7, c.pdf p.1]`."""
    if len(citations) < 3:
        return " ".join(citation.label for citation in citations)
    numbers = sorted(citation.n for citation in citations)
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"[{shown}: {', '.join(c.label[1:-1] for c in sorted(citations, key=lambda c: c.n))}]"


def segments(answer: Answer) -> Iterator[str | Citation]:
    """The answer's text cut at its citation labels: pieces of Markdown and, in their places, the Citations."""
    by_number = {citation.n: citation for citation in answer.citations}
    queue = [by_number[n] for sentence in answer.sentences for n in sentence.citations if n in by_number]
    single = sorted({citation.label for citation in answer.citations}, key=len, reverse=True)
    if not single:
        yield answer.text
        return
    compact = r"\[(?P<numbers>\d+(?:[-,]\d+)*): (?:[^\[\]\n]|\[[^\[\]\n]*\])+\]"
    # what a model writes as code holds no labels; a verbatim quote may hold any sign
    code = "(?P<code>)(?!)" if answer.model == "quotes" else r"(?P<code>```(?s:.*?)(?:```|\Z)|`[^`\n]*`)"
    position = 0
    for match in re.finditer(f"{code}|{compact}|{'|'.join(map(re.escape, single))}", answer.text):
        found: list[Citation] = []
        if match["code"]:
            continue
        if match["numbers"]:
            found = [by_number[n] for n in _expanded(match["numbers"]) if n in by_number]
            if labels(found) != match[0]:
                continue
            for citation in found:
                if citation in queue:
                    queue.remove(citation)
        else:
            index = next((i for i, citation in enumerate(queue) if citation.label == match[0]), None)
            same = next(citation for citation in answer.citations if citation.label == match[0])
            found = [same if index is None else queue.pop(index)]
        if match.start() > position:
            yield answer.text[position : match.start()]
        yield from found
        position = match.end()
    if position < len(answer.text):
        yield answer.text[position:]


def _expanded(numbers: str) -> list[int]:
    ends = [[int(n) for n in part.split("-")] for part in numbers.split(",")]
    return [number for part in ends for number in range(part[0], part[-1] + 1)]


_DENIES = re.compile(
    r"\b(?:not|never|no|without|cannot|\w{1,20}n['’]t|exclud\w{1,3}|nicht|kein\w{0,2}|pas|jamais|nunca)\b",
    re.IGNORECASE,
)
OTHER_POLARITY = 0.1
"""What a sentence loses that denies something where the claim does not, or the reverse."""
IN_ORDER = 0.25
"""What all words of the claim in its order add to the share of its content words (0..1)."""


def best_quote(claim: str, passage: Passage, language: str = "en") -> tuple[int, int]:
    """Offsets, in the passage's text, of its sentence that shares most with `claim`: content words (F2: what
    it lacks of the claim weighs more than what it adds, lest headings win), words in order, and denials."""
    wanted = _read(claim, language)
    best, best_score = (0, len(passage.text)), -1.0
    for start, end, given in _sentences(passage.text, language):
        shared = len(wanted.content & given.content)
        score = 5 * shared / (4 * len(wanted.content) + len(given.content)) if wanted.content else 0.0
        if shared:
            score += IN_ORDER * len(wanted.pairs & given.pairs) / max(1, len(wanted.pairs))
            score -= OTHER_POLARITY * (wanted.denies != given.denies)
        if score > best_score:
            best, best_score = (start, end), score
    return best


@dataclass(frozen=True, slots=True)
class _Wording:
    """What two sentences are compared by."""

    content: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    denies: bool


# an answer asks the same of the same passages at every marker


@lru_cache(maxsize=64)
def _read(text: str, language: str = "en") -> _Wording:
    content = frozenset(content_words(text, language))
    return _Wording(content, frozenset(pairwise(words(text))), _DENIES.search(text) is not None)


@lru_cache(maxsize=256)
def _sentences(text: str, language: str) -> tuple[tuple[int, int, _Wording], ...]:
    """The sentences of a passage that have content words."""
    found = (
        (start, end, _read.__wrapped__(text[start:end], language)) for start, end in sentence_spans(text, language)
    )
    return tuple(sentence for sentence in found if sentence[2].content)


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, list[int]]:
    return fold_map(text)


class _Finder:
    """Looks up what references mean in one answer's evidence, and numbers the citations as they come."""

    def __init__(self, evidence: Evidence, numbered: Sequence[Passage], page_of: PageOf) -> None:
        self.evidence, self.numbered, self.page_of = evidence, numbered, page_of
        self.citations: list[Citation] = []
        self._found: dict[tuple[str, int, int], Citation] = {}

    def own(self, text: str, markers: Iterator[Marker]) -> list[Marker]:
        """The answer's own markers: numbers in brackets that belong to words quoted from a passage are none.

        Inside a `<cite>` they are cut out of the quoted words unless they stand in the passage.
        """
        quoted = [match.span() for match in _QUOTED.finditer(text)]
        opened = [start for start, _ in quoted]
        own: list[Marker] = []
        for marker in markers:
            if marker.kept:
                if not self._stands(marker.kept):
                    marker = replace(
                        marker,
                        kept=_NUMBERED.sub("", marker.kept),
                        references=tuple(replace(r, quote=_NUMBERED.sub("", r.quote)) for r in marker.references),
                    )
            elif marker.references and all(reference.number for reference in marker.references):
                index = bisect_right(opened, marker.start) - 1
                if index >= 0 and marker.end <= quoted[index][1]:
                    first = max(quoted[index][0] + 1, marker.start - 60)
                    if self._stands(text[first : marker.end]):
                        continue
            own.append(marker)
        return own

    def _stands(self, words: str) -> bool:
        """Whether one of the passages has these words, white space, hyphens and quote marks aside."""
        wanted, _ = fold_map(words)
        return len(wanted) >= _SHORTEST and any(wanted in _folded(passage.text)[0] for passage in self.numbered)

    def citation(self, reference: Reference, claim: str) -> Citation | None:
        """The citation a reference stands for, None when it points to nothing."""
        passages = self._passages(reference)
        if not passages:
            return None
        found = _verbatim(reference.quote, passages) if reference.quote else None
        words = f"{reference.quote} {claim}" if reference.quote else claim
        passage, start, end = found or self._closest(words, passages, reference.page)
        first, last = passage.start + start, passage.start + end
        known = self._found.get((passage.document_id, first, last))
        if known is not None:
            return known
        citation = Citation(
            n=len(self.citations) + 1,
            document=passage.document_name,
            document_id=passage.document_id,
            places=_places(passage.document_id, first, last, self.page_of),
            quote=passage.text[start:end],
            section=passage.section,
            score=passage.score,
            start=first,
            end=last,
        )
        self.citations.append(citation)
        self._found[passage.document_id, first, last] = citation
        return citation

    def _passages(self, reference: Reference) -> list[Passage]:
        if reference.number:
            return list(self.numbered[reference.number - 1 : reference.number])
        for group in self.evidence.groups:
            if group.document_name.casefold() == reference.name.casefold():
                return _on_page(group.passages, reference.page)
        # a model that misspells a long name by a letter still means it
        groups = [group for group in self.evidence.groups if group.passages and len(reference.name) >= 4]
        close = [g for g in groups if _alike(reference.name, g.document_name)]
        return _on_page(close[0].passages, reference.page) if len(close) == 1 else []

    def _closest(self, claim: str, passages: Sequence[Passage], page: int | None) -> tuple[Passage, int, int]:
        wanted = _read(claim).content
        candidates = []
        for passage in passages:
            start, end = best_quote(claim, passage)
            shared = len(wanted & _read(passage.text[start:end]).content)
            on_page = page is None or self.page_of(passage.document_id, passage.start + start) == page
            candidates.append((on_page, shared, passage.score, passage, start, end))
        return max(candidates, key=lambda c: c[:3])[3:]


ALIKE = 92.0
"""How alike (rapidfuzz ratio, 0..100) a written name must be to the only document it can mean."""
_SHORTEST = 8
"""Folded characters from which words count as quoted."""


def _alike(written: str, name: str) -> bool:
    """Whether a name may be a misspelling of another: the figures in it must agree, for "2023" is not "2024"."""
    same_figures = re.findall(r"\d+", written) == re.findall(r"\d+", name)
    return same_figures and fuzz.ratio(fold(written), fold(name)) >= ALIKE


def _verbatim(quote: str, passages: Sequence[Passage]) -> tuple[Passage, int, int] | None:
    """Where the quoted words stand in one of the passages, case, white space, hyphens and ligatures aside."""
    wanted, _ = fold_map(quote)
    if len(wanted) < _SHORTEST:
        return None
    for passage in passages:
        folded, positions = _folded(passage.text)
        at = folded.find(wanted)
        if at >= 0:
            return passage, positions[at], positions[at + len(wanted) - 1] + 1
    return None


def _spans(text: str, markers: Sequence[Marker]) -> Iterator[tuple[int, int]]:
    """The text cut into sentences, each keeping the markers that follow its full stop; nothing is lost between them."""
    # split the text as it reads without markers, then cut before the first character of each next sentence
    kept: list[int] = []
    opening: dict[int, int] = {}
    position = 0
    for marker in markers:
        # the blank before a marker that words follow, or are in, parts them from the sentence before
        between = text[position : marker.start]
        unclosed = not marker.kept and text[marker.start : marker.start + 5].casefold() == "<cite"
        opens = marker.kept or unclosed
        if unclosed:
            opening[marker.end] = marker.start  # it belongs to the words that it opens
        before = len(between if opens else between.rstrip(" \t"))
        kept.extend(range(position, position + before))
        position = marker.end
        if marker.kept:
            inner = text.find(marker.kept, marker.start, marker.end)
            # a sentence that begins with quoted words begins with their marker; none begins within them
            opening.update(dict.fromkeys(range(inner, inner + len(marker.kept)), marker.start))
            kept.extend(range(inner, inner + len(marker.kept)))
    kept.extend(range(position, len(text)))
    reading = "".join(text[index] for index in kept)
    cuts = {0, len(text)}
    offset = 0
    for line in reading.split("\n"):
        if offset:
            cuts.add(kept[offset - 1] + 1)
        cuts.update(opening.get(kept[offset + start], kept[offset + start]) for start, _ in answer_spans(line)[1:])
        offset += len(line) + 1
    return pairwise(sorted(cuts))


def _words(text: str, start: int, end: int, markers: Sequence[Marker]) -> str:
    """The sentence as it reads: without markers, list signs and doubled blanks."""
    parts, position = [], start
    for marker in markers:
        before = text[position : marker.start]
        if marker.kept:
            parts += [before, f" {marker.kept} "]
        else:
            parts += [before.rstrip(), " " if text[marker.end : marker.end + 1].isalnum() else ""]
        position = marker.end
    bare = "".join((*parts, text[position:end]))
    bare = re.sub(r"\s+(?=[.,;:!?](?:\s|$))", "", re.sub(r"\s+", " ", bare)).strip()
    if bare.startswith("|"):
        return " | ".join(cell for cell in map(str.strip, bare.split("|")) if cell)
    return re.sub(r"^(?:[>*+•-]\s+|\d+[.)]\s+)+", "", bare)


def _is_frame(text: str, start: int, fences: Sequence[tuple[int, int]]) -> bool:
    """Whether what begins at `start` states nothing by itself: a heading, a table's head row, code."""
    line = text.rfind("\n", 0, start) + 1
    if text[line : line + 1] == "#":
        return True
    index = bisect_right(fences, (start, len(text))) - 1
    if index >= 0 and start < fences[index][1]:
        return True
    end = text.find("\n", start)
    return end >= 0 and "|" in text[line:end] and _TABLE_RULE.match(text, end) is not None


def _pages_of(evidence: Evidence) -> PageOf:
    def page_of(document: str, offset: int) -> int:
        for passage in evidence.passages:
            if passage.document_id == document and passage.start <= offset < passage.end:
                return passage.page_start
        return 1

    return page_of


def _on_page(passages: Sequence[Passage], page: int | None) -> list[Passage]:
    return [p for p in passages if page is None or p.page_start <= page <= p.page_end]


def _places(document: str, start: int, end: int, page_of: PageOf) -> tuple[Place, ...]:
    first, last = page_of(document, start), page_of(document, max(start, end - 1))
    return tuple(Place(page) for page in range(first, last + 1))
