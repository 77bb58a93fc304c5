"""What is heard in the middle pane: questions, stop, suggestions, what is done with an answer, conversations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gradio as gr

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import INTENTS
from multidoc_rag.ui.conversation import QUESTIONS, resumed, stream
from multidoc_rag.ui.front import Front
from multidoc_rag.ui.html import escape
from multidoc_rag.ui.sessions import ASKING, DIRECT, QUICK, session_key, told


def hear_conversation(front: Front, samples: Path) -> None:
    """Hang up the handlers of the conversation; `samples` is the folder of the sample library."""
    desk, addresses, parts = front.desk, front.addresses, front.parts
    told_of = [parts.chat, parts.box, parts.talks]

    def answer(question: str, wanted: str, request: gr.Request) -> Iterator[Any]:
        session = front.sessions.of(request)
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
        yield session.messages, idle, front.library_parts(session)[1]

    parts.box.submit(answer, [parts.box, parts.intent], told_of, **ASKING)

    def stop(request: gr.Request) -> None:
        desk.stop(session_key(request))

    parts.box.stop(stop, None, None, **DIRECT)

    @told
    def suggest(event: gr.EventData) -> Any:
        if event.which == "samples":
            files = sorted(samples.glob("*.pdf"))
            if not files:
                raise MultiDocError(
                    f"There are no sample documents in {samples}: `make samples` or the repository has them."
                )
            front.intake.add(files)
            return (gr.skip(), *front.watching())
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

    parts.bridge.suggest(suggest, None, [parts.box, parts.uploads, parts.ticker], **QUICK).then(
        answer_suggested, [parts.box, parts.intent], told_of, **ASKING
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

    parts.bridge.act(act, None, told_of, **ASKING)

    def begin_anew(request: gr.Request) -> Any:
        session = front.sessions.of(request)
        desk.stop(session_key(request))
        session.messages, session.opened, session.hits = [], {}, ()
        session.conversation, session.answer_id = "", ""
        return [], front.library_parts(session)[1]

    parts.talks.new(begin_anew, None, [parts.chat, parts.talks], **QUICK)

    @told
    def resume(event: gr.EventData, request: gr.Request) -> Any:
        session = front.sessions.of(request)
        session.messages = resumed(desk, addresses, str(event.id))
        session.conversation, session.answer_id, session.hits = str(event.id), "", ()
        return session.messages, front.library_parts(session)[1]

    @told
    def forget(event: gr.EventData, request: gr.Request) -> Any:
        session = front.sessions.of(request)
        desk.library().store.delete_conversation(str(event.id))
        if session.conversation == event.id:
            return begin_anew(request)
        return gr.skip(), front.library_parts(session)[1]

    parts.talks.resume(resume, None, [parts.chat, parts.talks], **QUICK)
    parts.talks.forget(forget, None, [parts.chat, parts.talks], **QUICK)
