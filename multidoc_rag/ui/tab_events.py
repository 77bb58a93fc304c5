"""What is heard in the other tabs: shown when they are opened, and the settings."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import Progress
from multidoc_rag.ui import settings
from multidoc_rag.ui.conflicts_view import chosen_of, documents_of, kinds_of, ledger_html
from multidoc_rag.ui.desk import Desk, Shown
from multidoc_rag.ui.evaluation_tab import evaluation_html
from multidoc_rag.ui.evidence_tab import evidence_html, prompt_html
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.html import note
from multidoc_rag.ui.sessions import DIRECT, QUICK, QUIET, Session, told

logger = logging.getLogger(__name__)


def hear_tabs(front: Front, results: Path) -> None:
    """Hang up the handlers of the tabs; `results` is the folder whose tables the Evaluation tab shows."""
    desk, parts, tab = front.desk, front.parts, front.parts.options

    def show_evidence(request: gr.Request) -> str:
        session = front.sessions.of(request)
        return evidence_html(desk.recent(session.answer_id), session.hits, older=bool(session.messages))

    def show_ledger(kind: str, document: str, request: gr.Request) -> Iterator[Any]:
        session = front.sessions.of(request)
        for step in found_conflicts(desk):
            if isinstance(step, str):
                yield step, gr.skip(), gr.skip()
                continue
            session.conflicts = step
            session.opened = {key: shown for key, shown in session.opened.items() if not key.startswith("l-")}
            kinds, documents = kinds_of(step), documents_of(step)
            kind = kind if kind in {value for _, value in kinds} else ""
            document = document if document in {value for _, value in documents} else ""
            yield (
                filtered(session, kind, document),
                gr.Dropdown(kinds, value=kind),
                gr.Dropdown(documents, value=document),
            )

    def filtered(session: Session, kind: str, document: str) -> str:
        chosen = chosen_of(session.conflicts, kind, document)
        prefix = f"l-{secrets.token_urlsafe(6)}."
        trail = desk.sides(chosen, prefix)
        session.opened |= {target.pill: Shown(target, trail, at) for at, target in enumerate(trail)}
        return ledger_html(chosen, len(session.conflicts), prefix)

    def filter_ledger(kind: str, document: str, request: gr.Request) -> str:
        return filtered(front.sessions.of(request), kind, document)

    def show_prompt(request: gr.Request) -> str:
        session = front.sessions.of(request)
        return prompt_html(desk.recent(session.answer_id), older=bool(session.messages))

    parts.evidence_tab.select(show_evidence, None, parts.evidence, **DIRECT)
    ledger = [parts.ledger, parts.ledger_kind, parts.ledger_document]
    parts.conflicts_tab.select(show_ledger, ledger[1:], ledger, **QUIET, concurrency_id="ledger", concurrency_limit=4)
    for choice in ledger[1:]:
        choice.input(filter_ledger, ledger[1:], parts.ledger, **QUICK)
    parts.prompt_tab.select(show_prompt, None, parts.prompt, **DIRECT)
    parts.evaluation_tab.select(lambda: evaluation_html(results), None, parts.evaluation, **DIRECT)

    @told
    def set_options(*values: Any) -> Any:
        settings.changed(desk, *values)
        return "", front.writer_line()

    for component in tab.inputs:
        event = (
            component.release
            if isinstance(component, gr.Slider)
            else component.blur
            if component is tab.key
            else component.change
        )
        event(set_options, tab.inputs, [tab.said, parts.writer], **QUICK)

    def test_model(*values: Any) -> str:
        settings.changed(desk, *values)
        return settings.tested(desk)

    tab.test.click(
        test_model, tab.inputs, tab.said, api_visibility="private", concurrency_id="test", concurrency_limit=2
    )


def found_conflicts(desk: Desk) -> Iterator[str | tuple[dict[str, Any], ...]]:
    """How far the search has got, as HTML, and the ledger last; a sentence alone where it failed.

    It runs in a thread of its own: leaving the page does not lose what was compared so far.
    """
    said: queue.SimpleQueue[Progress | MultiDocError | tuple[dict[str, Any], ...]] = queue.SimpleQueue()

    def work() -> None:
        try:
            said.put(tuple(desk.library().conflicts(on_progress=said.put)))
        except MultiDocError as error:
            said.put(error)
        except Exception as error:
            logger.exception("the documents could not be compared")
            said.put(MultiDocError(f"The program made an error ({type(error).__name__}); the library is as it was."))

    threading.Thread(target=work, name="ledger", daemon=True).start()
    yield '<p class="meta opening" role="status">Comparing what the documents say…</p>'
    while True:
        item = said.get()
        if isinstance(item, MultiDocError):
            yield note("error", str(item))
            return
        if isinstance(item, tuple):
            yield item
            return
        yield (
            '<p class="meta opening" role="status">Comparing what the documents say: '
            f"{item.done:.0f} of {item.total:.0f}…</p>"
        )
