"""Text to safe HTML, and an answer's text cut where its citations stand and its sentences end.

Everything that comes from a document or a model goes through here before a browser sees it: names and quotes are
escaped, Markdown is rendered with raw HTML, images and links turned off, and a message is one HTML block, so that no
Markdown parser looks at it again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from multidoc_rag.answers.citations import segments
from multidoc_rag.records import Answer, Citation, Sentence

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

VERDICTS = {
    "supported": "Supported by what it cites",
    "partly": "Partly supported by what it cites",
    "unsupported": "Not supported by what it cites",
    "contradicted": "Contradicted by what it cites",
}
"""What a sentence's verdict says in words; sentences that state nothing checkable have none."""

DIFFERENCES = {
    "conflict": ("Conflict", "The same thing, given differently."),
    "superseded": ("Superseded", "A later document replaces the earlier value."),
    "other_period": ("Other period", "The values are for different periods: no conflict."),
    "other_scope": ("Other scope", "The values are for different things or parts: no conflict."),
    "other_unit": ("Other unit", "The same value in different units: no conflict."),
    "rounding": ("Rounding", "The same value, rounded: no conflict."),
}
"""What a difference between documents is called, and what that means."""

_PRIVATE = re.compile("[\ue000\ue001]")
_PLACE = re.compile("\ue000(\\d+)\ue001")
_UNKNOWN = re.compile(r"\[unknown source: ([^\[\]\n]*)\]")
_VERBATIM = re.compile("“[^\n]*”")
_SIGNS = re.compile(r"[\\`*_\[\]<&|~]")
_AFTER = re.compile(rf"""(?:[.,;:!?…)\]"'»”’*_`~]| ?{_UNKNOWN.pattern})*""")


def escape(text: object) -> str:
    """`text` for use between tags and inside double-quoted attributes."""
    return html.escape(str(text), quote=True)


def block(markup: str) -> str:
    """`markup` without line breaks, which would let a Markdown parser take part of it for Markdown."""
    return re.sub(r"[ \t]*\n\s*", " ", markup)


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True}).enable("table")
    # a link or an image in an answer could carry what the documents say to somebody else's server
    return parser.disable(["image", "link", "autolink", "reference", "html_block", "html_inline"])


def render_markdown(text: str) -> str:
    """Markdown as one line of HTML: no raw HTML, no links, no images; line breaks in code become `&#10;`."""
    rendered = str(_markdown().render(text))
    rendered = re.sub(r"<pre>.*?</pre>", lambda m: m[0].replace("\n", "&#10;"), rendered, flags=re.DOTALL)
    rendered = re.sub(r"<(/?)h([1-6])>", lambda m: f"<{m[1]}h{min(6, int(m[2]) + 2)}>", rendered)
    return block(rendered)


def render_pieces(pieces: Iterator[str | Citation | Sentence], shown: Callable[[Citation | Sentence], str]) -> str:
    """Pieces of an answer as HTML: text as Markdown, everything else as what `shown` makes of it.

    A citation label that points to nothing becomes `<span class="cite broken">`.
    """
    source: list[str] = []
    others: list[str] = []

    def keep(markup: str, *, after: str = "") -> str:
        others.append(markup)
        return f"{after}\ue000{len(others) - 1}\ue001"

    def unknown(match: re.Match[str]) -> str:
        says = f"The answer cites {match[1]}, which was not read"
        return keep(f'<span class="cite broken" title="{escape(says)}">{escape(match[1])} ?</span>')

    for piece in pieces:
        if isinstance(piece, str):
            source.append(_UNKNOWN.sub(unknown, _PRIVATE.sub("", piece)))
        else:
            # the blank keeps a bold sentence closed: "**so.**" and a letter after it would not end
            source.append(keep(shown(piece), after="\u00a0" if isinstance(piece, Sentence) else ""))
    rendered = render_markdown("".join(source))
    return _PLACE.sub(lambda match: others[int(match[1])] if int(match[1]) < len(others) else "", rendered)


def verdict_words(sentence: Sentence) -> str:
    """A checked sentence's verdict and its reason; one that cites nothing was held against all that was read."""
    words = VERDICTS[sentence.verdict]
    if not sentence.citations:
        words = words.replace("what it cites", "what was read")
    return f"{words}: {sentence.reason}" if sentence.reason else words


def pieces_of(answer: Answer) -> Iterator[str | Citation | Sentence]:
    """The answer's text with each Citation in the place of its label and each checked Sentence behind its end.

    A sentence that has no verdict, or is not found in the text as it stands, is left out. The text is Markdown: signs
    in verbatim quotes that would mean something there are escaped.
    """
    pieces = list(segments(answer))
    ends = _sentence_ends(pieces, answer.sentences)
    written = _as_it_stands if answer.model == "quotes" else str.__getitem__
    for index, piece in enumerate(pieces):
        here = ends.get(index, [])
        if not isinstance(piece, str):
            yield piece
            yield from (sentence for _, sentence in here)
            continue
        at = 0
        for offset, sentence in here:
            if offset > at:
                yield written(piece, slice(at, offset))
            yield sentence
            at = offset
        if at < len(piece):
            yield written(piece, slice(at, len(piece)))


def _as_it_stands(piece: str, part: slice) -> str:
    """A part of a piece, with what stands in quotation marks there escaped for Markdown."""
    quoted = [match.span() for match in _VERBATIM.finditer(piece)]

    def sign(match: re.Match[str]) -> str:
        at = part.start + match.start()
        return f"\\{match[0]}" if any(start < at < end for start, end in quoted) else match[0]

    return _SIGNS.sub(sign, piece[part])


def _sentence_ends(
    pieces: list[str | Citation], sentences: tuple[Sentence, ...]
) -> dict[int, list[tuple[int, Sentence]]]:
    """Where each checked sentence ends: by piece, (offset in it, sentence) in order; found by letters and digits."""
    ends: dict[int, list[tuple[int, Sentence]]] = {}
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            text = _UNKNOWN.sub(lambda match: " " * len(match[0]), piece)
            for offset, character in enumerate(text):
                if character.isalnum():
                    letters.append(character)
                    places.append((index, offset))
    stream, position = "".join(letters), 0
    for sentence in sentences:
        words = "".join(character for character in sentence.text if character.isalnum())
        found = stream.find(words, position) if words else -1
        if found < 0:
            continue
        position = found + len(words)
        if sentence.verdict == "unchecked":
            continue
        (first, _), (index, offset) = places[found], places[position - 1]
        labels = len(sentence.citations) - sum(not isinstance(piece, str) for piece in pieces[first:index])
        end = _behind(pieces, index, offset + 1, labels)
        ends.setdefault(end[0], []).append((end[1], sentence))
    return ends


def _behind(pieces: list[str | Citation], index: int, offset: int, labels: int) -> tuple[int, int]:
    """The place behind the punctuation and the citation labels that belong to the sentence ending at `offset`."""
    end = index, offset
    while index < len(pieces):
        piece = pieces[index]
        if not isinstance(piece, str):
            if labels <= 0:
                break
            labels, end = labels - 1, (index, 0)
        else:
            closing = _AFTER.match(piece, offset)
            assert closing is not None  # it matches nothing as well
            if closing.end() > offset:
                end = index, closing.end()
            if piece[closing.end() :].strip(" \u00a0"):
                break
        index, offset = index + 1, 0
    return end
