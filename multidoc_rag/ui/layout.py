"""Where the panes and tabs stand; nothing here hears anything (see `page` and the rooms whose names end in _events)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

from multidoc_rag.records import INTENTS
from multidoc_rag.ui import settings
from multidoc_rag.ui.conflicts_view import documents_of, kinds_of
from multidoc_rag.ui.conversation import welcome_html
from multidoc_rag.ui.desk import Desk
from multidoc_rag.ui.evidence_tab import evidence_html, prompt_html
from multidoc_rag.ui.icons import icon
from multidoc_rag.ui.library_pane import drop_zone
from multidoc_rag.ui.page_view import empty_view
from multidoc_rag.ui.theme import static

BRAND = (
    '<div class="brand"><span class="logo" aria-hidden="true">m</span><strong>multidoc_rag</strong></div>'
    '<button type="button" class="tool theme-switch" data-theme-switch aria-label="Light or dark" '
    'title="Light or dark">'
    f"{icon('moon')}</button>"
)
PANES = (
    '<nav class="panes" aria-label="Panes">'
    f'<button type="button" data-pane="library">{icon("books")}Library</button>'
    f'<button type="button" data-pane="ask">{icon("chat")}Ask</button>'
    f'<button type="button" data-pane="page">{icon("page")}Page</button></nav>'
)


@dataclass(frozen=True)
class Parts:
    """The components that handlers read and write."""

    drop: Any
    uploads: Any
    documents: Any
    talks: Any
    chat: Any
    box: Any
    intent: Any
    writer: Any
    viewer: Any
    evidence_tab: Any
    evidence: Any
    prompt_tab: Any
    prompt: Any
    conflicts_tab: Any
    ledger_kind: Any
    ledger_document: Any
    ledger_state: Any
    ledger: Any
    evaluation_tab: Any
    evaluation: Any
    bridge: Any
    ticker: Any
    options: settings.SettingsTab


def make_parts(desk: Desk) -> Parts:
    """Build the components inside the current Blocks; nothing heavy is loaded and the library is not opened."""
    gr.HTML(BRAND, elem_id="brand", js_on_load=None, apply_default_css=False)
    with gr.Tabs(elem_id="tabs"):
        with gr.Tab("Ask", id="ask-tab"), gr.Row(elem_id="desk", equal_height=True):
            with gr.Column(elem_id="library", min_width=0):
                drop = gr.HTML(
                    drop_zone(desk.config.max_file_mb),
                    js_on_load=static("drop.js"),
                    elem_id="drop",
                    apply_default_css=False,
                )
                uploads = gr.HTML("", js_on_load=static("library.js"), elem_id="uploads", apply_default_css=False)
                documents = gr.HTML(
                    '<p class="meta opening">Opening the library…</p>',
                    js_on_load=static("library.js"),
                    elem_id="documents",
                    apply_default_css=False,
                )
                talks = gr.HTML("", js_on_load=static("library.js"), elem_id="talks", apply_default_css=False)
            with gr.Column(elem_id="ask", min_width=0):
                chat = gr.Chatbot(
                    elem_id="chat",
                    show_label=False,
                    container=False,
                    layout="panel",
                    height="100%",
                    placeholder=welcome_html(0),
                    latex_delimiters=[],
                    buttons=[],
                    feedback_options=None,
                    allow_file_downloads=False,
                    autoscroll=False,
                )
                with gr.Row(elem_id="box-row"):
                    box = gr.Textbox(
                        elem_id="box",
                        show_label=False,
                        label="Your question",
                        placeholder="Ask a question across your documents",
                        lines=1,
                        max_lines=6,
                        submit_btn=True,
                        stop_btn=False,
                        autofocus=True,
                        container=False,
                    )
                with gr.Row(elem_id="under-box"):
                    intent = gr.Dropdown(
                        [("Intent: automatic", "auto"), *((f"Intent: {name}", name) for name in INTENTS)],
                        value="auto",
                        show_label=False,
                        label="Intent",
                        container=False,
                        filterable=False,
                        elem_id="intent",
                        min_width=150,
                        scale=0,
                    )
                    writer = gr.HTML("", elem_id="writer", js_on_load=None, apply_default_css=False)
            with gr.Column(elem_id="page", min_width=0):
                viewer = gr.HTML(
                    empty_view(), js_on_load=static("viewer.js"), elem_id="viewer", apply_default_css=False
                )
            gr.HTML(PANES, elem_id="panes", js_on_load=None, apply_default_css=False)
        with gr.Tab("Evidence", id="evidence-tab") as evidence_tab:
            evidence = gr.HTML(evidence_html(None, ()), elem_id="evidence", js_on_load=None, apply_default_css=False)
        with gr.Tab("Prompt", id="prompt-tab") as prompt_tab:
            prompt = gr.HTML(prompt_html(None), elem_id="prompt", js_on_load=None, apply_default_css=False)
        with gr.Tab("Conflicts", id="conflicts-tab") as conflicts_tab:
            with gr.Row(elem_id="ledger-filter"):
                ledger_kind = gr.Dropdown(
                    kinds_of(()), value="", label="Kind", filterable=False, elem_id="ledger-kind", min_width=180
                )
                ledger_document = gr.Dropdown(
                    documents_of(()), value="", label="Document", elem_id="ledger-document", min_width=180
                )
            state = gr.HTML("", js_on_load=static("library.js"), elem_id="ledger-state", apply_default_css=False)
            ledger = gr.HTML("", elem_id="ledger", js_on_load=None, apply_default_css=False)
        with gr.Tab("Settings", id="settings-tab"):
            options = settings.make_settings(desk)
        with gr.Tab("Evaluation", id="evaluation-tab") as evaluation_tab:
            evaluation = gr.HTML("", elem_id="evaluation", js_on_load=None, apply_default_css=False)
    bridge = gr.HTML("", js_on_load=static("bridge.js"), elem_id="bridge", visible="hidden")
    ticker = gr.Timer(1.0, active=False)

    return Parts(
        drop,
        uploads,
        documents,
        talks,
        chat,
        box,
        intent,
        writer,
        viewer,
        evidence_tab,
        evidence,
        prompt_tab,
        prompt,
        conflicts_tab,
        ledger_kind,
        ledger_document,
        state,
        ledger,
        evaluation_tab,
        evaluation,
        bridge,
        ticker,
        options,
    )
