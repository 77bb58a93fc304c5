"""What every handler needs at hand: the desk, the files on their way, the addresses, the sessions, the components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from multidoc_rag.errors import MultiDocError
from multidoc_rag.ui.conversation import welcome_html
from multidoc_rag.ui.desk import Desk, Shown
from multidoc_rag.ui.html import escape
from multidoc_rag.ui.intake import Intake
from multidoc_rag.ui.layout import Parts
from multidoc_rag.ui.library_pane import conversations_html, documents_html, uploads_html
from multidoc_rag.ui.page_view import view
from multidoc_rag.ui.sessions import Session, Sessions
from multidoc_rag.ui.web import Addresses


@dataclass(frozen=True)
class Front:
    """One page and what it stands on."""

    desk: Desk
    intake: Intake
    addresses: Addresses
    sessions: Sessions
    parts: Parts

    def library_parts(self, session: Session) -> tuple[str, str, Any, str]:
        """Documents, conversations, the welcome and the writer's line, as they are now."""
        desk = self.desk
        try:
            listed = desk.library().documents()
            kept = desk.library().store.conversations()
        except MultiDocError as error:
            return documents_html((), (), error=str(error)), "", gr.skip(), ""
        session.excluded &= {document.id for document in listed}
        return (
            documents_html(listed, session.excluded, notices=desk.library().notices),
            conversations_html(kept, session.conversation),
            gr.Chatbot(placeholder=welcome_html(len(listed))),
            self.writer_line(),
        )

    def writer_line(self) -> str:
        """Who writes the next answer."""
        model = self.desk.options.llm
        return f'<span class="meta">{"Verbatim quotes" if model == "quotes" else escape(model)}</span>'

    def uploads(self) -> str:
        """The files on their way, as they are now."""
        return uploads_html(self.intake.uploads(), self.intake.seconds_left)

    def watching(self) -> tuple[str, Any]:
        """The files on their way, and the clock that looks after them."""
        return self.uploads(), gr.Timer(active=True)

    def show(self, session: Session, shown: Shown) -> str:
        """Open a place in the viewer, and remember it for turning pages and stepping through citations."""
        session.shown = shown
        return view(self.desk, self.addresses, shown)
