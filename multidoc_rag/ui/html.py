"""What the panes are made of: pills, verdict marks, chips, tables, notes, all as safe HTML (see `markup`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from multidoc_rag.answers.markup import block, escape, pieces_of, render_markdown, render_pieces, verdict_words
from multidoc_rag.records import Answer, Citation, Sentence

__all__ = [
    "answer_body", "block", "chips", "draft_body", "escape", "note", "pill", "render_markdown", "shorten",
    "shorten_front", "table", "verdict_mark",
]  # fmt: skip

_MARK = re.compile("\ue000(\\d+)\ue001")
_PRIVATE = re.compile("[\ue000\ue001]")
_LABEL = re.compile(r"\[([^\[\]\n]{2,200}? p\.\d+[^\[\]\n]{0,60})\]")


def answer_body(answer: Answer, pills: dict[int, str], titles: dict[str, str]) -> str:
    """The answer's text with a pill for each citation (its id by number in `pills`) and a mark for each verdict."""

    def shown(piece: Citation | Sentence) -> str:
        if isinstance(piece, Sentence):
            return verdict_mark(piece)
        return pill(pills.get(piece.n, ""), titles.get(piece.document_id, ""), piece)

    return render_pieces(pieces_of(answer), shown)


def verdict_mark(sentence: Sentence) -> str:
    """A small sign at a sentence's end; its words are the button's name, and are shown on hover and focus."""
    return (
        f'<button type="button" class="verdict {sentence.verdict}" value="verdict">'
        f'<span class="unseen">{escape(verdict_words(sentence))}</span></button>'
    )


def pill(value: str, title: str, citation: Citation) -> str:
    """A button that opens the cited page: the document's title (or name), the page, the quote on hover."""
    shown = shorten(title or citation.document, 34)
    hover = f"{citation.document}, page {citation.page}: “{shorten(citation.quote, 300)}”"
    return (
        f'<button type="button" class="cite" value="{escape(value)}" title="{escape(hover)}">'
        f"{escape(shown)} <span>p.{citation.page}</span></button>"
    )


def draft_body(text: str, passages: dict[str, str]) -> str:
    """An answer while it is written; a label naming a passage read (`name p.N` -> pill id) can be opened at once."""
    labels: list[str] = []

    def keep(match: re.Match[str]) -> str:
        labels.append(match[1])
        return f"\ue000{len(labels) - 1}\ue001"

    body = render_markdown(_LABEL.sub(keep, _PRIVATE.sub("", text)))
    return _MARK.sub(
        lambda match: _draft_pill(labels[int(match[1])], passages) if int(match[1]) < len(labels) else "", body
    )


def _draft_pill(label: str, passages: dict[str, str]) -> str:
    shown = escape(shorten(label, 42))
    if label in passages:
        value, hover = escape(passages[label]), escape(label)
        return f'<button type="button" class="cite" value="{value}" title="{hover}">{shown}</button>'
    return f'<span class="cite draft">{shown}</span>'


def shorten(text: str, limit: int) -> str:
    """`text` on one line, at most `limit` characters, cut after a word; a file name keeps its ending instead."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    suffix = re.search(r"\.\w{2,5}$", text)
    if suffix:
        tail = text[-(len(suffix[0]) + 6) :]
        return f"{text[: limit - len(tail) - 1].rstrip()}…{tail}"
    cut = text[: limit - 1]
    return f"{cut[: cut.rindex(' ')] if ' ' in cut[limit // 2 :] else cut}…".replace(" …", "…")


def shorten_front(text: str, limit: int) -> str:
    """The end of `text` on one line, at most `limit` characters, beginning with a word."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[-(limit - 1) :]
    return f"…{cut[cut.index(' ') + 1 :] if ' ' in cut[: limit // 2] else cut}"


def chips(items: Iterable[tuple[str, str, str]]) -> str:
    """Small labels: (class, text, explanation on hover)."""
    return "".join(
        f'<span class="chip {escape(kind)}" title="{escape(hover)}">{escape(text)}</span>'
        for kind, text, hover in items
    )


def table(headings: Iterable[str], rows: Iterable[Iterable[object]], *, caption: str = "") -> str:
    """A table whose cells are escaped; numbers are set right."""
    cells = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    head = f"<thead><tr>{cells}</tr></thead>" if cells else ""
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="table-scroll"><table class="grid">{title}{head}<tbody>{body}</tbody></table></div>'


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f'<td class="number">{value:.3f}</td>'
    if isinstance(value, int) and not isinstance(value, bool):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{escape(value)}</td>"


def note(kind: str, text: str) -> str:
    """A sentence that stands out: kind is `warning`, `error` or `info`."""
    role = "alert" if kind == "error" else "status"
    return f'<p class="note {kind}" role="{role}">{escape(text)}</p>'
