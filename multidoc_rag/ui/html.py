"""Text to safe HTML: everything that comes from a document or a model goes through here before a browser sees it.

The page evaluates nothing that these functions return: names and quotes are escaped, Markdown is rendered with raw
HTML, images and links turned off, and a message is one HTML block, so that no Markdown parser looks at it again.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from multidoc_rag.records import Answer, Citation

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MARK = re.compile("\ue000(\\d+)\ue001")
_PRIVATE = re.compile("[\ue000\ue001]")
_LABEL = re.compile(r"\[([^\[\]\n]{2,200}? p\.\d+[^\[\]\n]{0,60})\]")


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


def answer_body(answer: Answer, pills: dict[int, str], titles: dict[str, str]) -> str:
    """The answer's text with each citation label as a pill; `pills` gives the pill's id by citation number."""
    from multidoc_rag.citations import segments

    source: list[str] = []
    cited: list[Citation] = []
    for piece in segments(answer):
        if isinstance(piece, str):
            source.append(_PRIVATE.sub("", piece))
        else:
            source.append(f"\ue000{len(cited)}\ue001")
            cited.append(piece)
    body = render_markdown("".join(source))
    return _MARK.sub(lambda match: _pill_at(int(match[1]), cited, pills, titles), body)


def _pill_at(index: int, cited: list[Citation], pills: dict[int, str], titles: dict[str, str]) -> str:
    if index >= len(cited):
        return ""
    citation = cited[index]
    return pill(pills.get(citation.n, ""), titles.get(citation.document_id, ""), citation)


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
