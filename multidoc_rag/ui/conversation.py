"""The middle pane: events of `Assistant.ask` as chat messages, and stored answers shown again."""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections.abc import Iterator

from multidoc_rag.answers.export import answer_of
from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import Done, Event, Evidence, FellBack, Retrieved, Searching, Token
from multidoc_rag.ui.answer_view import answer_html, intent_chip
from multidoc_rag.ui.desk import Desk, Shown, Target
from multidoc_rag.ui.html import block, draft_body, escape, note, shorten
from multidoc_rag.ui.sessions import ChatMessage, Session
from multidoc_rag.ui.web import Addresses

logger = logging.getLogger(__name__)

QUESTIONS = (
    "Summarize the main ideas across the documents.",
    "What are the main sources of risk discussed?",
    "Compare how different documents describe the same concept or methodology.",
    "What are the key assumptions and limitations?",
    "How do the documents differ in conclusions or policy implications?",
)
"""The paper's five questions."""

REDRAW_SECONDS = 0.12
"""How often an answer being written is drawn: often enough to read along."""


def welcome_html(documents: int) -> str:
    """What stands where the conversation will be: what to do, and the five questions in one click."""
    if documents:
        lead = "Every answer shows where it comes from: choose a citation, and its page opens beside it."
    else:
        lead = "Add files on the left, or open the sample library, then ask across all of them."
    questions = "".join(
        f'<button type="button" class="suggest" value="{index}">{escape(question)}</button>'
        for index, question in enumerate(QUESTIONS)
    )
    samples = (
        ""
        if documents
        else '<button type="button" class="suggest start" value="samples">Open the sample library</button>'
    )
    return block(
        f'<div class="welcome"><h2>Ask across your documents</h2><p>{lead}</p><div '
        f'class="suggestions">{samples}{questions}</div></div>'
    )


def user_message(question: str) -> ChatMessage:
    """The question as it was asked; its text is not Markdown."""
    return {"role": "user", "content": f'<div class="asked">{escape(question.strip()).replace(chr(10), "<br>")}</div>'}


def assistant_message(markup: str) -> ChatMessage:
    """One safe HTML block as a message."""
    return {"role": "assistant", "content": f'<div class="answer">{block(markup)}</div>'}


def stream(
    desk: Desk, addresses: Addresses, session: Session, question: str, intent: str | None, stopped: threading.Event
) -> Iterator[None]:
    """Ask, and keep `session.messages` up to date; yields whenever there is something new to draw.

    The assistant works in a thread of its own, so that stopping does not wait for a slow model.
    """
    session.messages.append(user_message(question))
    waiting = {"role": "assistant", "content": "", "metadata": {"title": "Searching", "status": "pending"}}
    session.messages.append(waiting)
    place = len(session.messages)
    yield
    started = time.perf_counter()
    labels: dict[str, str] = {}
    draft, drawn, chip = "", 0.0, ""
    for event in _events(desk, session, question, intent, stopped):
        if isinstance(event, Searching):
            chip = intent_chip(event.intent)
            queries = "".join(f"<li>{escape(query)}</li>" for query in event.queries)
            waiting["content"] = f'<div class="found"><p>{chip}</p><ul class="queries">{queries}</ul></div>'
            yield
        elif isinstance(event, Retrieved):
            session.hits = event.hits
            labels = _open_passages(session, event.evidence)
            waiting["content"] = found_html(event, labels, chip)
            waiting["metadata"] = {"title": _found_title(event), "status": "done", "duration": round(event.seconds, 2)}
            session.messages[place:] = [
                assistant_message(f'<p class="chips">{chip}</p><p class="meta writing">Writing</p>')
            ]
            yield
        elif isinstance(event, FellBack):
            draft = ""
            fell = note("warning", f"{event.failed} gave no answer: {event.reason} {event.next} answers instead.")
            session.messages[place:] = [assistant_message(f'<p class="chips">{chip}</p>{fell}')]
            yield
        elif isinstance(event, Token):
            draft += event.text
            now = time.perf_counter()
            if now - drawn > REDRAW_SECONDS:
                drawn = now
                body = f'<p class="chips">{chip}</p><div class="body live">{draft_body(draft, labels)}</div>'
                session.messages[place:] = [assistant_message(body)]
                yield
        elif isinstance(event, Done):
            desk.remember(event.answer)
            session.answer_id = event.answer.id
            session.conversation = session.conversation or desk.conversation_of(event.answer.id)
            session.messages[place:] = [assistant_message(answer_html(desk, addresses, event.answer))]
            yield
            return
        elif isinstance(event, MultiDocError):
            session.messages[place - 1 :] = _ending(waiting, chip, draft, labels, note("error", str(event)))
            yield
            return
        elif event is None:
            sentence = f"Stopped after {time.perf_counter() - started:.0f} s; what was written so far is kept here."
            session.messages[place - 1 :] = _ending(waiting, chip, draft, labels, note("info", sentence))
            yield
            return


def _ending(waiting: ChatMessage, chip: str, draft: str, labels: dict[str, str], last: str) -> list[ChatMessage]:
    """The messages of an answer that did not finish: the search as far as it went, the draft, a sentence."""
    metadata = waiting["metadata"]
    kept = [waiting | {"metadata": metadata | {"status": "done"}}] if metadata["title"] != "Searching" else []
    body = f'<div class="body">{draft_body(draft, labels)}</div>' if draft else ""
    return [*kept, assistant_message(f'<p class="chips">{chip}</p>{body}{last}' if chip else f"{body}{last}")]


_Item = Event | MultiDocError | None


def _events(
    desk: Desk, session: Session, question: str, intent: str | None, stopped: threading.Event
) -> Iterator[_Item]:
    """The assistant's events from its thread; a MultiDocError last when it failed, None last when it was stopped."""
    items: queue.SimpleQueue[_Item] = queue.SimpleQueue()

    def work() -> None:
        try:
            library = desk.library()
            documents = None
            if session.excluded:
                listed = [document for document in library.documents() if document.status != "unfinished"]
                documents = [document.id for document in listed if document.id not in session.excluded]
                if not documents and listed:
                    raise MultiDocError("No document is chosen: tick at least one in the library, then ask again.")
            story = desk.assistant().ask(
                question,
                documents=documents,
                intent=intent,
                strategy=desk.options.strategy,
                conversation=session.conversation or None,
                cancelled=stopped.is_set,
            )
            for event in story:
                items.put(event)
                if stopped.is_set():
                    return
        except MultiDocError as error:
            items.put(error)
        except Exception as error:
            logger.exception("a question could not be answered")
            items.put(
                MultiDocError(
                    f"The program made an error ({type(error).__name__}) and could not answer; "
                    "the library is as it was and the details are in the terminal."
                )
            )

    threading.Thread(target=work, name="answer", daemon=True).start()
    while True:
        if stopped.is_set():
            yield None
            return
        try:
            item = items.get(timeout=0.1)
        except queue.Empty:
            continue
        if isinstance(item, MultiDocError) and stopped.is_set():
            item = None  # the assistant says in its own words that it was stopped
        yield item
        if item is None or isinstance(item, MultiDocError | Done):
            return


# --- the search, folded -----------------------------------------------------------------------------


def _open_passages(session: Session, evidence: Evidence) -> dict[str, str]:
    """Gives each passage an id that opens its page; returns the ids by citation label (`name p.N`)."""
    labels: dict[str, str] = {}
    for passage in evidence.passages:
        key = f"p-{secrets.token_urlsafe(8)}"
        target = Target(
            passage.document_id,
            passage.page_start,
            passage.text,
            passage.start,
            passage.end,
            passage.document_name,
            passage.page_end,
            key,
        )
        session.opened[key] = Shown(target)
        for page in range(passage.page_start, passage.page_end + 1):
            labels.setdefault(f"{passage.document_name} p.{page}", key)
    return labels


def _found_title(event: Retrieved) -> str:
    passages, names = len(event.evidence.passages), event.evidence.documents_with_evidence
    groups = len(event.evidence.groups)
    return f"Read {passages} {'passage' if passages == 1 else 'passages'} from {len(names)} of {groups} documents"


def found_html(event: Retrieved, labels: dict[str, str], chip: str) -> str:
    """What was read, document by document; each page opens."""
    items = []
    for group in event.evidence.groups:
        if not group.passages:
            items.append(
                f'<li class="none"><b>{escape(group.document_name)}</b> <span class="meta">nothing found</span></li>'
            )
            continue
        rows = "".join(
            '<li><button type="button" class="cite" '
            f'value="{escape(labels.get(f"{group.document_name} p.{p.page_start}", ""))}" '
            f'title="Open the page">p.{escape(p.page_range)}</button> <span class="meta">{p.score:.3f}</span> '
            f"{escape(shorten(p.text, 150))}</li>"
            for p in group.passages
        )
        items.append(f"<li><b>{escape(group.document_name)}</b><ul>{rows}</ul></li>")
    return f'<div class="found"><p>{chip}</p><ul>{"".join(items)}</ul></div>'


def resumed(desk: Desk, addresses: Addresses, conversation: str) -> list[ChatMessage]:
    """The messages of a kept conversation."""
    messages: list[ChatMessage] = []
    for turn in desk.library().store.turns(conversation):
        messages += [
            user_message(turn.question),
            assistant_message(answer_html(desk, addresses, answer_of(turn.answer))),
        ]
    return messages
