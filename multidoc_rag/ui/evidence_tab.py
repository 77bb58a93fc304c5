"""The Evidence and Prompt tabs: every score of the last answer, and exactly what its writer was sent."""

from __future__ import annotations

from collections.abc import Sequence

from multidoc_rag.records import Answer, Hit, Passage
from multidoc_rag.ui.html import block, chips, escape, note, shorten, table

NONE_YET = '<div class="empty"><h3>Nothing to show yet</h3><p>Ask a question, and {what} appears here.</p></div>'
OLDER = (
    "This answer was given in an earlier run: its text and citations are kept, its scores and prompt are not. "
    "Ask the question again to see them."
)


def evidence_html(answer: Answer | None, hits: Sequence[Hit], *, older: bool = False) -> str:
    """Passages by document with their scores, then each hit with its rank in every retriever and its history."""
    if answer is None:
        return note("info", OLDER) if older else NONE_YET.format(what="what was searched, found and chosen")
    groups = "".join(
        f'<section class="group"><h3>{escape(group.document_name)} <span '
        f'class="meta">{_found(group.passages)}</span></h3>'
        f'<ol class="passages">{"".join(map(_passage, group.passages))}</ol></section>'
        for group in answer.evidence.groups
    )
    retrievers = sorted({name for hit in hits for name in hit.ranks})
    rows = [
        [
            rank,
            hit.chunk.document_name,
            hit.chunk.page_range,
            hit.score,
            *(hit.ranks.get(name, "–") for name in retrievers),
            "; ".join(hit.history),
            shorten(hit.chunk.text, 160),
        ]
        for rank, hit in enumerate(hits, 1)
    ]
    headings = ["#", "Document", "Pages", "Score", *(f"{name} rank" for name in retrievers), "History", "Text"]
    seconds = " · ".join(f"{stage} {value:.2f} s" for stage, value in answer.seconds.items())
    trace = "".join(f"<li>{escape(line)}</li>" for line in answer.trace)
    return block(
        f'<div class="sheet-page"><h2>{escape(answer.question)}</h2><p class="meta">{escape(seconds)}</p>'
        f'<ol class="trace">{trace}</ol>{_reasons(answer)}<h2>Passages read</h2>{groups}'
        f"<h2>All hits</h2>{table(headings, rows)}</div>"
    )


def _reasons(answer: Answer) -> str:
    intent = answer.intent
    second = [("", f"second choice: {intent.second}", "")] if intent.second else []
    reasons = [("", reason, "") for reason in intent.reasons]
    return f"<p>{chips([('accent', f'{intent.name} {intent.confidence:.2f}', 'the intent'), *second, *reasons])}</p>"


def _found(passages: Sequence[Passage]) -> str:
    if not passages:
        return "nothing found"
    return f"{len(passages)} {'passage' if len(passages) == 1 else 'passages'} · best score {passages[0].score:.3f}"


def _passage(passage: Passage) -> str:
    where = f"p. {passage.page_range}" + (f" · {passage.section}" if passage.section else "")
    kind = " · table" if passage.kind == "table" else ""
    text = escape(shorten(passage.text, 1200))
    return f'<li><p class="meta">{escape(where)}{kind} · score {passage.score:.3f}</p><p>{text}</p></li>'


def prompt_html(answer: Answer | None, *, older: bool = False) -> str:
    """The exact messages, character for character, and what was left out for space."""
    if answer is None or answer.prompt is None:
        return note("info", OLDER) if older else NONE_YET.format(what="the exact prompt")
    prompt = answer.prompt
    facts = [
        ("accent", prompt.strategy, "how the passages are laid out"),
        ("", f"about {prompt.tokens:,} tokens", "an estimate"),
        ("", f"{len(prompt.passages)} passages", "in the order they stand below"),
        ("", f"{len(prompt.left_out)} left out for space", "the weakest go first"),
    ]
    unread = (
        note("info", "This answer was put together from verbatim quotes, so no model read this prompt.")
        if answer.model == "quotes"
        else ""
    )
    messages = "".join(
        f'<section class="message"><h3>{message.role}</h3><pre tabindex="0">{_pre(message.content)}</pre></section>'
        for message in prompt.messages
    )
    raw = (
        f'<section class="message"><h3>reply, as it came</h3><pre tabindex="0">{_pre(answer.raw_text)}</pre></section>'
    )
    return block(f'<div class="sheet-page"><p>{chips(facts)}</p>{unread}') + messages + raw + "</div>"


def _pre(text: str) -> str:
    return escape(text).replace("\n", "&#10;")
