"""The page itself: where the panes and tabs stand, and which handler hears what."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.utils import get_upload_folder

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import INTENTS
from multidoc_rag.ui import settings
from multidoc_rag.ui.conversation import QUESTIONS, Session, resumed, stream, welcome_html
from multidoc_rag.ui.desk import Desk, Target
from multidoc_rag.ui.evaluation_tab import evaluation_html
from multidoc_rag.ui.evidence_tab import evidence_html, prompt_html
from multidoc_rag.ui.html import escape
from multidoc_rag.ui.icons import icon
from multidoc_rag.ui.intake import Intake
from multidoc_rag.ui.library_pane import conversations_html, documents_html, drop_zone, uploads_html
from multidoc_rag.ui.page_view import empty_view, view
from multidoc_rag.ui.theme import static
from multidoc_rag.ui.web import Addresses

logger = logging.getLogger(__name__)

SESSIONS = 500
"""Open pages remembered at once; the one unused longest is forgotten first."""

REJECTED = {
    "size": (
        "'{name}' is larger than {limit} MB and was not sent; the rest was. "
        "Split the file, or raise MULTIDOC_RAG_MAX_FILE_MB."
    ),
    "sending": (
        "'{name}' did not arrive (the connection broke or the file changed while it was read); "
        "nothing of it was kept. Send it again."
    ),
    "kind": "Files of other kinds, left out: {name}. PDF, Word, Markdown, HTML and text files are read.",
    "none": "There are no files in what was dropped; nothing was added.",
}

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


class Sessions:
    """Who is looking: one Session for each open page and user, found by what the server knows of the request."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, request: gr.Request) -> Session:
        """The session of this request, a fresh one at first."""
        key = session_key(request)
        with self._lock:
            session = self._kept.pop(key, None) or Session()
            self._kept[key] = session
            while len(self._kept) > SESSIONS:
                self._kept.popitem(last=False)
            return session


def session_key(request: gr.Request) -> str:
    """The user, when there is a login, and the page; another user's page never has the same key."""
    return f"{request.username or ''}\0{request.session_hash or ''}"


def told(handler: Callable[..., Any]) -> Callable[..., Any]:
    """`handler` with a MultiDocError shown as a warning; what is on the page then stays as it is."""

    @wraps(handler)
    def guarded(*args: Any, **named: Any) -> Any:
        try:
            return handler(*args, **named)
        except MultiDocError as error:
            gr.Warning(escape(error), title="Not done", duration=12)
            return gr.skip()

    return guarded


def make_page(desk: Desk, intake: Intake, addresses: Addresses, *, samples: Path, results: Path) -> gr.Blocks:
    """Build the Blocks: layout first, then handlers; nothing heavy is loaded and the library is not opened."""
    sessions = Sessions()
    quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
    # a warning reaches the page only through the queue; what never warns goes past it
    quick: dict[str, Any] = quiet | {"trigger_mode": "multiple", "concurrency_id": "quick", "concurrency_limit": 16}
    direct: dict[str, Any] = quiet | {"queue": False, "trigger_mode": "multiple"}

    with gr.Blocks(title="multidoc_rag", fill_width=True, fill_height=True, analytics_enabled=False) as page:
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
                evidence = gr.HTML(
                    evidence_html(None, ()), elem_id="evidence", js_on_load=None, apply_default_css=False
                )
            with gr.Tab("Prompt", id="prompt-tab") as prompt_tab:
                prompt = gr.HTML(prompt_html(None), elem_id="prompt", js_on_load=None, apply_default_css=False)
            with gr.Tab("Settings", id="settings-tab"):
                tab = settings.make_settings(desk)
            with gr.Tab("Evaluation", id="evaluation-tab") as evaluation_tab:
                evaluation = gr.HTML("", elem_id="evaluation", js_on_load=None, apply_default_css=False)
        bridge = gr.HTML("", js_on_load=static("bridge.js"), elem_id="bridge", visible="hidden")
        ticker = gr.Timer(1.0, active=False)

        # --- the library -----------------------------------------------------------------------

        def library_parts(session: Session) -> tuple[str, str, Any, str]:
            """Documents, conversations, the welcome and the writer's line, as they are now."""
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
                writer_line(),
            )

        def writer_line() -> str:
            model = desk.options.llm
            return f'<span class="meta">{"Verbatim quotes" if model == "quotes" else escape(model)}</span>'

        def loaded(request: gr.Request) -> Any:
            session = sessions.of(request)
            parts = library_parts(session)
            try:
                intake.follow()
            except MultiDocError as error:
                logger.info("nothing to follow: %s", error)
            session.seen_uploads, session.seen_finished = intake.version, intake.finished
            now = desk.options
            return (
                *parts,
                uploads_html(intake.uploads(), intake.seconds_left),
                gr.Timer(active=True),
                now.llm,
                now.mode,
            )

        page.load(loaded, None, [documents, talks, chat, writer, uploads, ticker, tab.llm, tab.mode], **quiet)

        def ticked(request: gr.Request) -> Any:
            session = sessions.of(request)
            busy = intake.busy
            version, finished = intake.version, intake.finished
            parts: tuple[Any, ...] = (gr.skip(),) * 4
            if finished != session.seen_finished:
                parts = library_parts(session)
            shown: Any = gr.skip()
            if version != session.seen_uploads:
                shown = uploads_html(intake.uploads(), intake.seconds_left)
            session.seen_uploads, session.seen_finished = version, finished
            return (*parts, shown, gr.Timer(active=busy))

        watched = [documents, talks, chat, writer, uploads, ticker]
        ticker.tick(ticked, None, watched, **direct)

        def watching() -> tuple[str, Any]:
            return uploads_html(intake.uploads(), intake.seconds_left), gr.Timer(active=True)

        @told
        def arrived(event: gr.EventData) -> Any:
            cache = Path(get_upload_folder()).resolve()
            files = []
            for item in event.files:
                path = Path(str(item["path"])).resolve()
                if not path.is_relative_to(cache) or not path.is_file():
                    raise MultiDocError("A file did not arrive and was not added: send it again.")
                files.append((path, str(item["name"])))
            intake.keep(files)
            return watching()

        def rejected(event: gr.EventData) -> None:
            for item in list(event.files)[:5]:
                sentence = REJECTED.get(str(item["why"]), REJECTED["sending"])
                gr.Warning(
                    escape(sentence.format(name=item["name"], limit=desk.config.max_file_mb)),
                    title="Not added",
                    duration=15,
                )

        drop.arrived(arrived, None, [uploads, ticker], **quick)
        drop.rejected(rejected, None, None, **quick)

        @told
        def add_samples() -> Any:
            files = sorted(samples.glob("*.pdf"))
            if not files:
                raise MultiDocError(
                    f"There are no sample documents in {samples}: `make samples` or the repository has them."
                )
            intake.add(files)
            return watching()

        @told
        def cancel(event: gr.EventData) -> Any:
            intake.cancel(event.key)
            return watching()

        @told
        def dismiss(event: gr.EventData) -> Any:
            keys = [event.key] if event.key else [upload.key for upload in intake.uploads()]
            for key in keys:
                intake.dismiss(key)
            return watching()

        @told
        def retry(event: gr.EventData) -> Any:
            intake.retry(event.key)
            return watching()

        @told
        def replace_old(event: gr.EventData) -> Any:
            intake.retry(event.key, replace_old=True)
            return watching()

        @told
        def unlock(event: gr.EventData) -> Any:
            intake.retry(event.key, password=str(event.password))
            return watching()

        uploads.cancel(cancel, None, [uploads, ticker], **quick)
        uploads.dismiss(dismiss, None, [uploads, ticker], **quick)
        uploads.retry(retry, None, [uploads, ticker], **quick)
        uploads.replace(replace_old, None, [uploads, ticker], **quick)
        uploads.unlock(unlock, None, [uploads, ticker], **quick)

        @told
        def choose(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            if event.on:
                session.excluded.discard(str(event.id))
            else:
                session.excluded.add(str(event.id))
            return library_parts(session)[0]

        @told
        def choose_all(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            session.excluded = set() if event.on else {document.id for document in desk.library().documents()}
            return library_parts(session)[0]

        @told
        def remove(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            document = desk.library().document(str(event.id))
            desk.library().remove([document.id])
            shown: Any = gr.skip()
            if session.shown is not None and session.shown.document_id == document.id:
                session.shown, shown = None, empty_view()
            gr.Info(f"{escape(document.name)} was removed; answers that cited it keep their quotes.", title="Removed")
            return (*library_parts(session), shown)

        documents.choose(choose, None, documents, **quick)
        documents.all(choose_all, None, documents, **quick)
        documents.remove(remove, None, [documents, talks, chat, writer, viewer], **quiet, concurrency_id="index")

        # --- the page viewer -------------------------------------------------------------------

        def shown(session: Session, target: Target) -> str:
            session.shown = target
            return view(desk, addresses, target)

        @told
        def cite(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            pill = str(event.id)
            return shown(session, session.passages.get(pill) or desk.target(pill))

        @told
        def open_document(event: gr.EventData, request: gr.Request) -> Any:
            return shown(sessions.of(request), Target(desk.library().document(str(event.id)).id, 1))

        @told
        def go(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            if session.shown is None:
                return gr.skip()
            return shown(session, replace(session.shown, page=max(1, int(event.page))))

        def shut(request: gr.Request) -> str:
            sessions.of(request).shown = None
            return empty_view()

        viewing: dict[str, Any] = quiet | {
            "trigger_mode": "always_last",
            "concurrency_id": "view",
            "concurrency_limit": 8,
        }
        bridge.cite(cite, None, viewer, **viewing)
        documents.open(open_document, None, viewer, **viewing)
        viewer.go(go, None, viewer, **viewing)
        viewer.shut(shut, None, viewer, **quick)

        # --- the conversation ------------------------------------------------------------------

        def answer(question: str, wanted: str, request: gr.Request) -> Iterator[Any]:
            session = sessions.of(request)
            idle = gr.Textbox(submit_btn=True, stop_btn=False)
            if not question.strip():
                gr.Warning("Type a question first; nothing was asked.", title="No question")
                yield gr.skip(), idle, gr.skip()
                return
            key = session_key(request)
            stopped = desk.starts(key)
            yield session.messages, gr.Textbox(value="", submit_btn=False, stop_btn=True), gr.skip()
            try:
                chosen = wanted if wanted in INTENTS else None
                for _ in stream(desk, addresses, session, question, chosen, stopped):
                    yield session.messages, gr.skip(), gr.skip()
            finally:
                stopped.set()
                desk.ended(key, stopped)
            yield session.messages, idle, library_parts(session)[1]

        asking: dict[str, Any] = quiet | {"concurrency_id": "answer", "concurrency_limit": 4}
        box.submit(answer, [box, intent], [chat, box, talks], **asking)

        def stop(request: gr.Request) -> None:
            desk.stop(session_key(request))

        box.stop(stop, None, None, **direct)

        @told
        def suggest(event: gr.EventData) -> Any:
            if event.which == "samples":
                return (gr.skip(), *add_samples())
            index = int(event.which)
            if not 0 <= index < len(QUESTIONS):
                return gr.skip()
            if not desk.library().documents():
                raise MultiDocError("There is nothing to ask yet: add files, or open the sample library first.")
            return QUESTIONS[index], gr.skip(), gr.skip()

        def answer_suggested(question: str, wanted: str, request: gr.Request) -> Iterator[Any]:
            if question in QUESTIONS:
                yield from answer(question, wanted, request)
            else:
                yield gr.skip(), gr.skip(), gr.skip()

        bridge.suggest(suggest, None, [box, uploads, ticker], **quick).then(
            answer_suggested, [box, intent], [chat, box, talks], **asking
        )

        def act(event: gr.EventData, request: gr.Request) -> Iterator[Any]:
            what, _, rest = str(event.what).partition(".")
            unchanged = (gr.skip(),) * 3
            try:
                if what in ("up", "down"):
                    desk.library().store.keep_feedback(str(desk.answer(rest)["id"]), 1 if what == "up" else -1)
                    yield unchanged
                elif what == "again":
                    wanted, _, answer_id = rest.partition(".")
                    yield from answer(str(desk.answer(answer_id)["question"]), wanted, request)
                else:
                    yield unchanged
            except MultiDocError as error:
                gr.Warning(escape(error), title="Not done")
                yield unchanged

        bridge.act(act, None, [chat, box, talks], **asking)

        def begin_anew(request: gr.Request) -> Any:
            session = sessions.of(request)
            desk.stop(session_key(request))
            session.messages, session.passages, session.hits = [], {}, ()
            session.conversation, session.answer_id = "", ""
            return [], library_parts(session)[1]

        talks.new(begin_anew, None, [chat, talks], **quick)

        @told
        def resume(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            session.messages = resumed(desk, addresses, str(event.id))
            session.conversation, session.answer_id, session.hits = str(event.id), "", ()
            return session.messages, library_parts(session)[1]

        @told
        def forget(event: gr.EventData, request: gr.Request) -> Any:
            session = sessions.of(request)
            desk.library().store.delete_conversation(str(event.id))
            if session.conversation == event.id:
                return begin_anew(request)
            return gr.skip(), library_parts(session)[1]

        talks.resume(resume, None, [chat, talks], **quick)
        talks.forget(forget, None, [chat, talks], **quick)

        # --- the other tabs --------------------------------------------------------------------

        def show_evidence(request: gr.Request) -> str:
            session = sessions.of(request)
            return evidence_html(desk.recent(session.answer_id), session.hits, older=bool(session.messages))

        def show_prompt(request: gr.Request) -> str:
            session = sessions.of(request)
            return prompt_html(desk.recent(session.answer_id), older=bool(session.messages))

        evidence_tab.select(show_evidence, None, evidence, **direct)
        prompt_tab.select(show_prompt, None, prompt, **direct)
        evaluation_tab.select(lambda: evaluation_html(results), None, evaluation, **direct)

        @told
        def set_options(*values: Any) -> Any:
            settings.changed(desk, *values)
            return "", writer_line()

        for component in tab.inputs:
            event = (
                component.release
                if isinstance(component, gr.Slider)
                else component.blur
                if component is tab.key
                else component.change
            )
            event(set_options, tab.inputs, [tab.said, writer], **quick)

        def test_model(*values: Any) -> str:
            settings.changed(desk, *values)
            return settings.tested(desk)

        tab.test.click(
            test_model, tab.inputs, tab.said, api_visibility="private", concurrency_id="test", concurrency_limit=2
        )
    return page
