"""A finished answer as the conversation shows it: pills and marks, how it was checked, references, actions."""

from __future__ import annotations

from collections import Counter

from multidoc_rag.answers.export import scores
from multidoc_rag.answers.markup import VERDICTS, verdict_words
from multidoc_rag.records import INTENTS, Answer, Citation, Coverage, Intent
from multidoc_rag.ui.conflicts_view import conflicts_block
from multidoc_rag.ui.desk import Desk
from multidoc_rag.ui.html import answer_body, chips, escape, note, shorten
from multidoc_rag.ui.web import Addresses

TALLY = {
    "supported": "supported",
    "partly": "partly supported",
    "unsupported": "not supported",
    "contradicted": "contradicted",
}


def intent_chip(intent: Intent) -> str:
    """The intent with its reasons on hover."""
    reasons = "; ".join(intent.reasons) or "no signal in the question: synthesis is the default"
    second = f" Second choice: {intent.second}." if intent.second else ""
    return chips([("accent", intent.name, f"Confidence {intent.confidence:.2f}: {reasons}.{second}")])


def answer_html(desk: Desk, addresses: Addresses, answer: Answer) -> str:
    """A finished answer: intent, text with pills and marks, conflicts, notes, references, what was read, actions."""
    titles = _titles(desk, answer)
    pills = {citation.n: f"{answer.id}.{citation.n}" for citation in answer.citations}
    model = "verbatim quotes" if answer.model == "quotes" else answer.model
    seconds = answer.seconds.get("total")
    took = f"{seconds:.1f} s" if seconds is not None else ""
    facts = [("", model, "who wrote this answer"), *([("", took, "from question to answer")] if took else [])]
    notes = "".join(note("warning", text) for text in (*answer.fallbacks, *answer.warnings, *_gone(desk, answer)))
    refused = note("info", "The documents do not answer this; nothing was made up.") if answer.refused else ""
    return (
        f'<p class="chips">{intent_chip(answer.intent)}{chips(facts)}</p>{refused}'
        f'<div class="body">{answer_body(answer, pills, titles)}</div>'
        f"{conflicts_block(answer.conflicts, f'{answer.id}.c')}{notes}"
        f"{checked_html(answer)}{_coverage(answer.coverage)}{_references(answer, titles)}{_actions(addresses, answer)}"
    )


def _titles(desk: Desk, answer: Answer) -> dict[str, str]:
    """What each cited document is called: its title, or its file name where that tells it from another."""
    documents = desk.library().documents()
    shared = Counter(document.title.strip() for document in documents)
    titles = {
        document.id: document.title.strip() if shared[document.title.strip()] == 1 else document.name
        for document in documents
    }
    return {c.document_id: titles.get(c.document_id) or c.document for c in answer.citations}


def _gone(desk: Desk, answer: Answer) -> list[str]:
    """A sentence for each cited document, or side of a conflict, that was removed or replaced since."""
    documents = desk.library().documents()
    ids, names = {document.id for document in documents}, {document.name for document in documents}
    cited = [(c.document, c.document_id) for c in answer.citations]
    sides = [(s["document"], s["document_id"]) for c in answer.conflicts for s in c["sides"] if "document_id" in s]
    gone = dict.fromkeys(name for name, identity in (*cited, *sides) if identity not in ids)
    return [
        f"{name} was replaced after this answer was written: its quotes are from the earlier version."
        if name in names
        else f"{name} was removed after this answer was written: only its quotes are kept."
        for name in gone
    ]


# --- how it was checked -----------------------------------------------------------------------------


def checked_html(answer: Answer) -> str:
    """How many sentences hold, the citation precision, and the sentences to look at; "" where none was checked."""
    tally = Counter(sentence.verdict for sentence in answer.sentences)
    parts = [f"{_sign(verdict)}{tally[verdict]} {words}" for verdict, words in TALLY.items() if tally[verdict]]  # type: ignore[index]
    if not parts:
        return ""
    counted = "".join(f'<span class="tally">{part}</span>' for part in parts)
    measured = scores(answer)
    counted += "".join(
        f'<span class="tally" title="{escape(means)}">{escape(score)}</span>' for score, means in measured
    )
    doubtful = [s for s in answer.sentences if s.verdict in TALLY and s.verdict != "supported"]
    if not doubtful:
        return f'<p class="meta checked">{counted}</p>'
    rows = "".join(
        f"<li>{_sign(s.verdict)}{escape(shorten(s.text, 240))} "
        f'<span class="meta">{escape(verdict_words(s))}{"" if s.reason else "."}</span></li>'
        for s in doubtful
    )
    # a hover is not for everybody
    said = "".join(f"<dt>{escape(score)}</dt><dd>{escape(means)}</dd>" for score, means in measured)
    return f'<details class="checked"><summary>{counted}</summary><ul>{rows}</ul><dl>{said}</dl></details>'


def _sign(verdict: str) -> str:
    return f'<i class="sign {verdict}"></i>' if verdict in VERDICTS else ""


def _coverage(coverage: Coverage) -> str:
    if not coverage.read and not coverage.nothing_found:
        return ""
    uncited = [name for name in coverage.read if name not in coverage.cited]
    head = f"Documents read: {len(coverage.read)}, cited: {len(coverage.cited)}"
    head += f", nothing found in {len(coverage.nothing_found)}" if coverage.nothing_found else ""
    groups = (("Cited", coverage.cited), ("Read but not cited", uncited), ("Nothing found in", coverage.nothing_found))
    rows = "".join(f"<dt>{words}</dt><dd>{'<br>'.join(map(escape, names))}</dd>" for words, names in groups if names)
    return f'<details class="coverage"><summary>{head}</summary><dl>{rows}</dl></details>'


# --- references and actions -------------------------------------------------------------------------


def _references(answer: Answer, titles: dict[str, str]) -> str:
    if not answer.citations:
        return ""
    rows = "".join(
        f'<li><button type="button" class="cite" value="{escape(answer.id)}.{c.n}" title="Open the '
        f'page">p.{c.page}</button> '
        f"<b>{escape(titles[c.document_id])}</b>{_file(titles[c.document_id], c)}: "
        f"“{escape(shorten(c.quote, 260))}”{_mark(c)}</li>"
        for c in answer.citations
    )
    return (
        f'<details class="references"><summary>References ({len(answer.citations)})</summary><ol>{rows}</ol></details>'
    )


def _file(title: str, citation: Citation) -> str:
    return "" if title == citation.document else f' <span class="meta">{escape(citation.document)}</span>'


def _mark(citation: Citation) -> str:
    if citation.verdict not in VERDICTS:
        return ""
    words = {"supported": "supports its sentence", "partly": "supports a part of its sentence"}
    says = words.get(citation.verdict, f"{TALLY[citation.verdict]}: the quote does not bear its sentence out")
    return f' <span class="meta" title="{says}">{_sign(citation.verdict)}{TALLY[citation.verdict]}</span>'


def _actions(addresses: Addresses, answer: Answer) -> str:
    exports = "".join(
        f'<a class="act" href="{escape(addresses.export(answer.id, kind))}" title="Save as {name}" download>{name}</a>'
        for kind, name in (("md", "Markdown"), ("html", "HTML"), ("json", "JSON"))
    )
    again = "".join(
        f'<button type="button" class="act" value="again.{name}.{escape(answer.id)}" title="Ask again as '
        f'{name}">as {name}</button>'
        for name in INTENTS
        if name != answer.intent.name
    )
    return (
        '<div class="actions"><span><button type="button" class="act" value="copy" title="Copy the '
        'answer">Copy</button>'
        f'<button type="button" class="act" value="up.{escape(answer.id)}" title="This answer helped">Helpful</button>'
        f'<button type="button" class="act" value="down.{escape(answer.id)}" title="This answer did not '
        'help">Not helpful</button>'
        f"</span><span><i>Save as</i>{exports}</span><span><i>Ask again</i>{again}</span></div>"
    )
