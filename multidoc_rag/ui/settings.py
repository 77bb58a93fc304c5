"""The Settings tab: who writes, how to search. The key stays in the server's memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, get_args

import gradio as gr

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import Message, RetrievalMode, Strategy
from multidoc_rag.ui.desk import Desk, Options
from multidoc_rag.ui.html import block, escape, note, table

MODES = {
    "hybrid": "Hybrid: meaning and words, balanced over documents",
    "rrf": "Meaning and words, fused",
    "dense": "Meaning only (the paper's baseline)",
    "lexical": "Words only (BM25)",
}


@dataclass(frozen=True)
class SettingsTab:
    """The components, in the order of `values`."""

    llm: gr.Dropdown
    key: gr.Textbox
    mode: gr.Dropdown
    k: gr.Slider
    passages: gr.Slider
    sentences: gr.Slider
    temperature: gr.Slider
    reorder: gr.Checkbox
    strategy: gr.Radio
    strict: gr.Checkbox
    said: gr.HTML
    test: gr.Button

    @property
    def inputs(self) -> list[Any]:
        """What a change is read from."""
        return [
            self.llm,
            self.key,
            self.mode,
            self.k,
            self.passages,
            self.sentences,
            self.temperature,
            self.reorder,
            self.strategy,
            self.strict,
        ]


def make_settings(desk: Desk) -> SettingsTab:
    """Build the tab's components inside the current Blocks."""
    from multidoc_rag.writers.llm import known_models

    now = desk.options
    suggestions = [(f"{model.title} ({model.spec})", model.spec) for model in known_models()]
    if now.llm not in {spec for _, spec in suggestions}:
        suggestions.insert(0, (now.llm, now.llm))
    with gr.Row(elem_classes="settings"):
        with gr.Column(min_width=300):
            gr.HTML(
                "<h2>Writer</h2><p class='meta'>Quotes need no key and no network. A hosted model sees your "
                "question and the passages found.</p>"
            )
            llm = gr.Dropdown(
                suggestions,
                value=now.llm,
                allow_custom_value=True,
                label="Model",
                info="quotes, hf:MODEL, openai:URL#MODEL or local:FOLDER",
                elem_id="setting-llm",
            )
            key = gr.Textbox(
                label="API key",
                type="password",
                placeholder="Only for hosted models",
                info="Kept in memory until the program ends; never written to disk or shown again.",
                elem_id="setting-key",
            )
            temperature = gr.Slider(0, 1, now.temperature, step=0.05, label="Temperature")
            sentences = gr.Slider(
                3, 30, now.quotes_sentences, step=1, label="Sentences quoted at most, without a model"
            )
            strict = gr.Checkbox(
                now.strict,
                label="Strict: leave out what does not hold",
                info="The model is asked once more for sentences that are not supported; those that still fail go.",
                elem_id="setting-strict",
            )
            test = gr.Button("Test the model", elem_id="setting-test", size="sm")
            said = gr.HTML("", elem_id="setting-said", js_on_load=None, apply_default_css=False)
        with gr.Column(min_width=300):
            gr.HTML("<h2>Search</h2><p class='meta'>How passages are found and laid out for the writer.</p>")
            mode = gr.Dropdown(
                [(MODES[m], m) for m in get_args(RetrievalMode)][::-1],
                value=now.mode,
                label="Retrieval",
                elem_id="setting-mode",
            )
            passages = gr.Slider(2, 40, now.passages_total, step=1, label="Passages read in all")
            k = gr.Slider(1, 40, now.k, step=1, label="Passages for plain top-k (dense, lexical)")
            strategy = gr.Radio(
                [("Grouped by document", "structured"), ("Flat list", "flat")],
                value=now.strategy,
                label="Layout of the prompt",
            )
            reorder = gr.Checkbox(
                now.reorder, label="Strongest passages first and last", info="Against getting lost in the middle"
            )
            gr.HTML(_fixed(desk), js_on_load=None, apply_default_css=False)
    return SettingsTab(llm, key, mode, k, passages, sentences, temperature, reorder, strategy, strict, said, test)


def changed(desk: Desk, *values: Any) -> Options:
    """Take over what the tab shows; an empty key field keeps the key there is."""
    llm, key, mode, k, passages, sentences, temperature, reorder, strategy, strict = values
    if mode not in get_args(RetrievalMode) or strategy not in get_args(Strategy):
        raise MultiDocError("That setting does not exist; the earlier ones are kept.")
    # a key is for one model's server: it does not travel to another
    key_kept = key or ("" if llm != desk.options.llm else desk.options.api_key)
    desk.options = replace(
        desk.options,
        llm=(llm or "quotes").strip(),
        api_key=key_kept,
        mode=mode,
        k=int(k),
        passages_total=int(passages),
        quotes_sentences=int(sentences),
        temperature=float(temperature),
        reorder=bool(reorder),
        strategy=strategy,
        strict=bool(strict),
    )
    return desk.options


def tested(desk: Desk) -> str:
    """Ask the chosen writer for one word and say how that went."""
    from multidoc_rag.writers.llm import open_writer

    options = desk.options
    if options.llm == "quotes":
        return note("info", "Quotes are taken from the documents themselves: nothing to test, no model is asked.")
    started = time.perf_counter()
    try:
        writer = open_writer(options.llm, options.applied_to(desk.config))
        reply = "".join(
            writer.stream([Message("user", "Answer with the single word: ready")], temperature=0.0, max_tokens=8)
        )
    except MultiDocError as error:
        return note("error", str(error))
    return note("info", f"{writer.name} answered “{reply.strip()[:60]}” in {time.perf_counter() - started:.1f} s.")


def _fixed(desk: Desk) -> str:
    config = desk.config
    rows = [
        ("Chunks", f"{config.chunk_size} characters, {config.chunk_overlap} overlap"),
        ("Embedding model", config.embedding_model),
        ("Index store", f"{desk.folder}, collection {desk.collection}"),
    ]
    return block(f"<h2>This library</h2>{table((), rows)}<p class='meta'>{escape('Set when the library is made.')}</p>")
