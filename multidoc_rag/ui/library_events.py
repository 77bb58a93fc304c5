"""What is heard in the left pane: files that arrive, documents chosen, opened and removed, the page itself loading."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.utils import get_upload_folder

from multidoc_rag.errors import MultiDocError
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.html import escape
from multidoc_rag.ui.page_view import empty_view
from multidoc_rag.ui.sessions import DIRECT, QUICK, QUIET, told

logger = logging.getLogger(__name__)

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


def hear_library(page: gr.Blocks, front: Front) -> None:
    """Hang up the handlers of the library pane and of the page's loading."""
    desk, intake, parts = front.desk, front.intake, front.parts
    pane = [parts.documents, parts.talks, parts.chat, parts.writer]

    def loaded(request: gr.Request) -> Any:
        session = front.sessions.of(request)
        parts = front.library_parts(session)
        try:
            intake.follow()
        except MultiDocError as error:
            logger.info("nothing to follow: %s", error)
        session.seen_uploads, session.seen_finished = intake.version, intake.finished
        now = desk.options
        return (
            *parts,
            front.uploads(),
            gr.Timer(active=True),
            now.llm,
            now.mode,
        )

    def ticked(request: gr.Request) -> Any:
        session = front.sessions.of(request)
        busy = intake.busy
        version, finished = intake.version, intake.finished
        parts: tuple[Any, ...] = (gr.skip(),) * 4
        if finished != session.seen_finished:
            parts = front.library_parts(session)
        shown: Any = gr.skip()
        ledger: tuple[Any, ...] = (gr.skip(),) * 4
        if version != session.seen_uploads:
            shown = front.uploads()
            # what is being read stays where it is until the search ends
            ledger = (front.ledger_state(), *ledger[1:]) if session.conflicts else front.ledger(session)
        if finished != session.seen_finished:
            ledger = front.ledger(session)
        session.seen_uploads, session.seen_finished = version, finished
        return (*parts, shown, *ledger, gr.Timer(active=busy))

    ledger = [parts.ledger_state, parts.ledger, parts.ledger_kind, parts.ledger_document]
    parts.ticker.tick(ticked, None, [*pane, parts.uploads, *ledger, parts.ticker], **DIRECT)

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
        return front.watching()

    def rejected(event: gr.EventData) -> None:
        for item in list(event.files)[:5]:
            sentence = REJECTED.get(str(item["why"]), REJECTED["sending"])
            gr.Warning(
                escape(sentence.format(name=item["name"], limit=desk.config.max_file_mb)),
                title="Not added",
                duration=15,
            )

    parts.drop.arrived(arrived, None, [parts.uploads, parts.ticker], **QUICK)
    parts.drop.rejected(rejected, None, None, **QUICK)

    @told
    def cancel(event: gr.EventData) -> Any:
        intake.cancel(event.key)
        return front.watching()

    @told
    def dismiss(event: gr.EventData) -> Any:
        keys = [event.key] if event.key else [upload.key for upload in intake.uploads()]
        for key in keys:
            intake.dismiss(key)
        return front.watching()

    @told
    def retry(event: gr.EventData) -> Any:
        intake.retry(event.key)
        return front.watching()

    @told
    def replace_old(event: gr.EventData) -> Any:
        intake.retry(event.key, replace_old=True)
        return front.watching()

    @told
    def unlock(event: gr.EventData) -> Any:
        intake.retry(event.key, password=str(event.password))
        return front.watching()

    parts.uploads.cancel(cancel, None, [parts.uploads, parts.ticker], **QUICK)
    parts.uploads.dismiss(dismiss, None, [parts.uploads, parts.ticker], **QUICK)
    parts.uploads.retry(retry, None, [parts.uploads, parts.ticker], **QUICK)
    parts.uploads.replace(replace_old, None, [parts.uploads, parts.ticker], **QUICK)
    parts.uploads.unlock(unlock, None, [parts.uploads, parts.ticker], **QUICK)

    @told
    def choose(event: gr.EventData, request: gr.Request) -> Any:
        session = front.sessions.of(request)
        if event.on:
            session.excluded.discard(str(event.id))
        else:
            session.excluded.add(str(event.id))
        return front.library_parts(session)[0]

    @told
    def choose_all(event: gr.EventData, request: gr.Request) -> Any:
        session = front.sessions.of(request)
        session.excluded = set() if event.on else {document.id for document in desk.library().documents()}
        return front.library_parts(session)[0]

    @told
    def remove(event: gr.EventData, request: gr.Request) -> Any:
        session = front.sessions.of(request)
        document = desk.library().document(str(event.id))
        desk.library().remove([document.id])
        shown: Any = gr.skip()
        if session.shown is not None and session.shown.target.document_id == document.id:
            session.shown, shown = None, empty_view()
        gr.Info(f"{escape(document.name)} was removed; answers that cited it keep their quotes.", title="Removed")
        return (*front.library_parts(session), shown)

    parts.documents.choose(choose, None, parts.documents, **QUICK)
    parts.documents.all(choose_all, None, parts.documents, **QUICK)
    parts.documents.remove(remove, None, [*pane, parts.viewer], **QUIET, concurrency_id="index")
    page.load(loaded, None, [*pane, parts.uploads, parts.ticker, parts.options.llm, parts.options.mode], **QUIET)
