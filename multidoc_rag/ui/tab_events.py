"""What is heard in the other tabs: shown when they are opened, and the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gradio as gr

from multidoc_rag.ui import settings
from multidoc_rag.ui.evaluation_tab import evaluation_html
from multidoc_rag.ui.evidence_tab import evidence_html, prompt_html
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.sessions import DIRECT, QUICK, told


def hear_tabs(front: Front, results: Path) -> None:
    """Hang up the handlers of the tabs; `results` is the folder whose tables the Evaluation tab shows."""
    desk, parts, tab = front.desk, front.parts, front.parts.options

    def show_evidence(request: gr.Request) -> str:
        session = front.sessions.of(request)
        return evidence_html(desk.recent(session.answer_id), session.hits, older=bool(session.messages))

    def show_prompt(request: gr.Request) -> str:
        session = front.sessions.of(request)
        return prompt_html(desk.recent(session.answer_id), older=bool(session.messages))

    parts.evidence_tab.select(show_evidence, None, parts.evidence, **DIRECT)
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
