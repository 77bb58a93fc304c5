"""What every handler needs at hand: the desk, the files on their way, the addresses, the sessions, the components."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import gradio as gr

from multidoc_rag.errors import MultiDocError
from multidoc_rag.ui.conflicts_view import MOST, chosen_of, documents_of, kinds_of, ledger_html, state_html
from multidoc_rag.ui.conversation import welcome_html
from multidoc_rag.ui.desk import Desk, Shown
from multidoc_rag.ui.html import escape, note
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
        name = "Verbatim quotes" if model == "quotes" else escape(model)
        return f'<span class="meta" title="{name}">{name}</span>'

    def uploads(self) -> str:
        """The files on their way, as they are now."""
        return uploads_html(self.intake.uploads(), self.intake.seconds_left, self.intake.comparing)

    def ledger(self, session: Session, *, search: bool = False) -> tuple[str, Any, Any, Any]:
        """The Conflicts tab as it is now: how far the search has got, the list, what can be chosen; with `search` the
        documents that were not compared yet are compared from now on."""
        if session.ledger is None:
            return (gr.skip(),) * 4
        try:
            if search:
                self.intake.compare()
            session.conflicts = self.desk.library().conflicts(update=False)
            state = self.ledger_state()
        except MultiDocError as error:
            return (note("error", str(error)), *(gr.skip(),) * 3)
        session.opened = {key: shown for key, shown in session.opened.items() if not key.startswith("l-")}
        kinds, documents = kinds_of(session.conflicts), documents_of(session.conflicts)
        kind, document = session.ledger
        session.ledger = (
            kind if kind in {value for _, value in kinds} else "",
            document if document in {value for _, value in documents} else "",
        )
        return (
            state,
            "" if state and not session.conflicts else self.ledger_list(session),
            gr.Dropdown(kinds, value=session.ledger[0]),
            gr.Dropdown(documents, value=session.ledger[1]),
        )

    def ledger_state(self) -> str:
        """How far the search for conflicts has got, and what came in its way."""
        library, intake = self.desk.library(), self.intake
        state = state_html(intake.comparing, intake.busy, len(library.uncompared()), library.store.read_only)
        return state + (note("error", intake.not_compared) if intake.not_compared else "")

    def ledger_list(self, session: Session) -> str:
        """The conflicts of the kind and document chosen; each side can be opened."""
        chosen = chosen_of(session.conflicts, *(session.ledger or ("", "")))
        prefix = f"l-{secrets.token_urlsafe(6)}."
        trail = self.desk.sides(chosen[:MOST], prefix)
        session.opened |= {target.pill: Shown(target, trail, at) for at, target in enumerate(trail)}
        return ledger_html(chosen, len(session.conflicts), prefix)

    def watching(self) -> tuple[str, Any]:
        """The files on their way, and the clock that looks after them."""
        return self.uploads(), gr.Timer(active=True)

    def show(self, session: Session, shown: Shown) -> str:
        """Open a place in the viewer, and remember it for turning pages and stepping through citations."""
        session.shown = shown
        return view(self.desk, self.addresses, shown)
