"""What is heard in the other tabs: shown when they are opened, and the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr

from multidoc_rag.ui import settings
from multidoc_rag.ui.evaluation_tab import evaluation_html
from multidoc_rag.ui.evidence_tab import evidence_html, prompt_html
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.sessions import DIRECT, QUICK, QUIET, told


def hear_tabs(front: Front, results: Path) -> None:
    """Hang up the handlers of the tabs; `results` is the folder whose tables the Evaluation tab shows."""
    desk, parts, tab = front.desk, front.parts, front.parts.options

    def show_evidence(request: gr.Request) -> str:
        session = front.sessions.of(request)
        return evidence_html(desk.recent(session.answer_id), session.hits, older=bool(session.messages))

    def show_ledger(kind: str, document: str, request: gr.Request) -> Any:
        session = front.sessions.of(request)
        session.ledger = kind, document
        return (*front.ledger(session, search=True), gr.Timer(active=True))

    def look_again(request: gr.Request) -> Any:
        return (*front.ledger(front.sessions.of(request), search=True), gr.Timer(active=True))

    def cancel(event: gr.EventData, request: gr.Request) -> Any:
        front.intake.cancel(event.key)
        return front.ledger(front.sessions.of(request))[0]

    def filter_ledger(kind: str, document: str, request: gr.Request) -> str:
        session = front.sessions.of(request)
        session.ledger = kind, document
        return front.ledger_list(session)

    def show_prompt(request: gr.Request) -> str:
        session = front.sessions.of(request)
        return prompt_html(desk.recent(session.answer_id), older=bool(session.messages))

    parts.evidence_tab.select(show_evidence, None, parts.evidence, **DIRECT)
    chosen = [parts.ledger_kind, parts.ledger_document]
    ledger = [parts.ledger_state, parts.ledger, *chosen]
    parts.conflicts_tab.select(
        show_ledger, chosen, [*ledger, parts.ticker], **QUIET, concurrency_id="ledger", concurrency_limit=4
    )
    for choice in chosen:
        choice.input(filter_ledger, chosen, parts.ledger, **QUICK)
    parts.ledger_state.retry(look_again, None, [*ledger, parts.ticker], **QUICK)
    parts.ledger_state.cancel(cancel, None, parts.ledger_state, **QUICK)
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
