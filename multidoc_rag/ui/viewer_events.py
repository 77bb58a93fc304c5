"""What is heard in the right pane: citations opened, pages turned, the next citation, the page closed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gradio as gr

from multidoc_rag.ui.desk import Shown, Target
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.page_view import empty_view
from multidoc_rag.ui.sessions import QUICK, VIEWING, told


def hear_viewer(front: Front) -> None:
    """Hang up the handlers of the page viewer."""
    desk, parts, sessions = front.desk, front.parts, front.sessions

    @told
    def cite(event: gr.EventData, request: gr.Request) -> Any:
        session = sessions.of(request)
        pill = str(event.id)
        return front.show(session, session.opened.get(pill) or desk.shown(pill))

    @told
    def open_document(event: gr.EventData, request: gr.Request) -> Any:
        return front.show(sessions.of(request), Shown(Target(desk.library().document(str(event.id)).id, 1)))

    @told
    def go(event: gr.EventData, request: gr.Request) -> Any:
        session = sessions.of(request)
        if session.shown is None:
            return gr.skip()
        target = replace(session.shown.target, page=max(1, int(event.page)))
        return front.show(session, replace(session.shown, target=target))

    @told
    def step(event: gr.EventData, request: gr.Request) -> Any:
        session = sessions.of(request)
        if session.shown is None:
            return gr.skip()
        return front.show(session, session.shown.step(int(event.to)))

    def shut(request: gr.Request) -> str:
        sessions.of(request).shown = None
        return empty_view()

    parts.bridge.cite(cite, None, parts.viewer, **VIEWING)
    parts.documents.open(open_document, None, parts.viewer, **VIEWING)
    parts.viewer.open(open_document, None, parts.viewer, **VIEWING)
    parts.viewer.go(go, None, parts.viewer, **VIEWING)
    parts.viewer.step(step, None, parts.viewer, **VIEWING)
    parts.viewer.shut(shut, None, parts.viewer, **QUICK)
