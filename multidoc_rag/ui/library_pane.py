"""The left pane: documents to choose from, files on their way in, kept conversations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from multidoc_rag.records import Conversation, Document, Progress
from multidoc_rag.ui.html import block, escape, note
from multidoc_rag.ui.icons import icon
from multidoc_rag.ui.intake import COMPARING, Upload

ACCEPTED = ".pdf,.docx,.md,.markdown,.html,.htm,.txt"
STATUS = {
    "ready": ("", ""),
    "partial": ("some pages unreadable", "Some pages have no readable text; the others are searched."),
    "unreadable": ("unreadable", "No page has readable text; install the OCR extra to have scanned pages read."),
    "unfinished": ("unfinished", "Adding it was interrupted; add the file again and it resumes where it stopped."),
}


def drop_zone(limit_mb: int) -> str:
    """Where files are dropped or chosen; the hidden inputs are opened by the buttons."""
    return block(f"""
    <div class="drop" data-limit="{limit_mb}">
      <input type="file" class="pick-files" multiple accept="{ACCEPTED}" aria-label="Choose files to add" tabindex="-1">
      <input type="file" class="pick-folder" webkitdirectory aria-label="Choose a folder to add" tabindex="-1">
      <button type="button" class="button primary" data-pick="files" id="add-files">{icon("upload")}Add files</button>
      <button type="button" class="button" data-pick="folder" id="add-folder">{icon("folder")}Folder</button>
      <p class="hint">or drop them here: PDF, Word, Markdown, HTML, text</p>
      <p class="sending" role="status" hidden></p>
    </div>""")


def comparing_html(step: Progress) -> str:
    """How far the search for conflicts has got, with a way to cancel it."""
    percent = round(100 * step.done / step.total) if step.total else 0
    left = f" · {remaining(step.seconds_left)} left" if step.seconds_left is not None else ""
    return block(
        '<div class="comparing"><div class="line"><span class="name">Looking for conflicts</span>'
        f'<button type="button" class="tool" data-do="cancel" data-key="{COMPARING}" '
        f'aria-label="Cancel looking for conflicts" title="Cancel">{icon("close")}</button></div>'
        f'<div class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}" '
        f'aria-label="Looking for conflicts"><i style="width:{percent}%"></i></div>'
        f'<p class="meta">{step.done:.0f} of {counted(round(step.total), "document")} compared{left}</p></div>'
    )


def uploads_html(
    uploads: Iterable[Upload], seconds_left: float | None = None, comparing: Progress | None = None
) -> str:
    """Files on their way, with progress, what became of them, and the search for conflicts after it; "" when there is
    nothing to say."""
    uploads = tuple(uploads)
    search = "" if comparing is None else comparing_html(comparing)
    if not uploads:
        return block(f'<section class="uploads" aria-label="Conflicts">{search}</section>') if search else ""
    active = [upload for upload in uploads if not upload.ended]
    done = sum(upload.state == "done" for upload in uploads)
    left = f" · {remaining(seconds_left)} left" if seconds_left is not None else ""
    if active:
        head = f"{len(uploads) - len(active)} of {len(uploads)} files done{left}"
    else:
        head = f"{done} of {len(uploads)} {'file' if len(uploads) == 1 else 'files'} added"
    action = "cancel-all" if active else "dismiss-all"
    button = f'<button type="button" class="link" data-do="{action}">{"Cancel all" if active else "Clear"}</button>'
    return block(
        f'<section class="uploads" aria-label="Files being added"><header><h3>{head}</h3>{button}</header>'
        f"{search}<ul>{''.join(map(_upload, uploads))}</ul></section>"
    )


def _upload(upload: Upload) -> str:
    key = escape(upload.key)
    name = f'<span class="name" title="{escape(upload.name)}">{escape(upload.name)}</span>'
    what, says = ("dismiss", "Clear this line") if upload.ended else ("cancel", f"Cancel adding {escape(upload.name)}")
    button = (
        f'<button type="button" class="tool" data-do="{what}" data-key="{key}" aria-label="{says}">'
        f"{icon('close')}</button>"
    )
    line = f'<div class="line">{name}{button}</div>'
    return f'<li class="upload {upload.state}" data-key="{key}">{line}{_state(upload)}</li>'


def _state(upload: Upload) -> str:
    key = escape(upload.key)
    if upload.state == "waiting":
        return '<p class="meta">Waiting</p>'
    if upload.state == "working":
        percent = round(100 * upload.share)
        return (
            f'<div class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow="{percent}" '
            f'aria-label="{escape(upload.name)}"><i style="width:{percent}%"></i></div>'
            f'<p class="meta">{escape(upload.stage)} · {percent} %</p>'
        )
    if upload.state == "cancelled":
        return f'<p class="meta">{escape(upload.sentence)}</p>{_retry(key)}'
    if upload.state == "refused":
        ask = ""
        if upload.asks_password:
            ask = (
                f'<form class="unlock" data-key="{key}"><input type="password" autocomplete="off" '
                'placeholder="Password" '
                f'aria-label="Password for {escape(upload.name)}"><button type="submit" class="button '
                'small">Unlock</button></form>'
            )
        return f'<p class="meta bad" role="alert">{escape(upload.sentence)}</p>{ask or _retry(key)}'
    report = upload.report
    assert report is not None
    words = {"added": "Added", "unchanged": "Already in the library", "replaced": "Replaced the earlier version"}
    parts = [words.get(report.status, report.status), counted(report.pages, "page"), counted(report.chunks, "passage")]
    if report.unreadable_pages:
        parts.append(f"{len(report.unreadable_pages)} unreadable")
    sentence = f'<p class="meta">{escape(report.reason)}</p>' if report.reason and not upload.same_name else ""
    offer = ""
    if upload.same_name:
        offer = (
            f'<p class="meta">Another document has this name, so it is kept as {escape(report.document)}.</p>'
            f'<button type="button" class="button small" data-do="replace" data-key="{key}">Replace the '
            "other one</button>"
        )
    return f'<p class="meta good">{escape(" · ".join(parts))}</p>{sentence}{offer}'


def _retry(key: str) -> str:
    return (
        f'<button type="button" class="button small" data-do="retry" data-key="{key}">{icon("retry")}Try again</button>'
    )


def counted(number: int, noun: str) -> str:
    """`1 page`, `2,000 pages`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def remaining(seconds: float) -> str:
    """Seconds in words: `12 s`, `3 min`, `1 h 5 min`."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def documents_html(
    documents: Sequence[Document], excluded: Collection[str], *, notices: Sequence[str] = (), error: str = ""
) -> str:
    """The documents with what to ask ticked; `excluded` holds the ids that are not asked."""
    if error:
        return note("error", error)
    said = "".join(note("warning", notice) for notice in notices)
    if not documents:
        return block(
            f'{said}<div class="empty">{icon("books")}<h3>No documents yet</h3>'
            "<p>Add your own files above, or open the sample library to look around.</p></div>"
        )
    asked = sum(document.id not in excluded for document in documents)
    pages = sum(document.pages for document in documents)
    rows = "".join(_document(document, document.id not in excluded) for document in documents)
    return block(f"""
    {said}<section class="documents" aria-label="Documents">
      <div class="tools">
        <input type="search" class="filter" aria-label="Filter documents"
          placeholder="Filter {len(documents)} documents">
        <label class="all"><input type="checkbox" data-do="all" {"checked" if asked == len(documents) else ""}
          data-some="{int(0 < asked < len(documents))}"> <span>Ask {asked} of {len(documents)}</span></label>
        <span class="meta">{pages:,} pages</span>
      </div>
      <ul>{rows}</ul>
      <p class="nothing meta" hidden>No document matches the filter.</p>
    </section>""")


def _document(document: Document, asked: bool) -> str:
    key, name = escape(document.id), escape(document.name)
    title = document.title.strip() or document.name
    label, why = STATUS[document.status]
    badge = f'<span class="badge {document.status}" title="{escape(why)}">{label}</span>' if label else ""
    file_line = f'<span class="file">{name}</span>' if title != document.name else ""
    counts = f"{counted(document.pages, 'page')} · {counted(document.chunks, 'passage')}"
    warnings = f' title="{escape(" ".join(document.warnings))}"' if document.warnings else ""
    search = escape(f"{title} {document.name} {document.author}".casefold())
    return f"""
    <li class="document" data-id="{key}" data-search="{search}">
      <input type="checkbox" data-do="choose" data-id="{key}" {"checked" if asked else ""} aria-label="Ask {name}">
      <button type="button" class="open" data-do="open" data-id="{key}" title="{escape(title)} ({name})">
        <span class="title">{escape(title)}</span>{file_line}
        <span class="meta"{warnings}>{counts} {badge}</span></button>
      <button type="button" class="tool" data-do="ask-remove" aria-label="Remove {name}" title="Remove">
        {icon("bin")}</button>
      <div class="confirm" role="group" aria-label="Confirm removal"><span>Remove this document from the library?</span>
        <button type="button" class="button small danger" data-do="remove" data-id="{key}">Remove</button>
        <button type="button" class="button small" data-do="keep">Keep</button></div>
    </li>"""


def conversations_html(conversations: Sequence[Conversation], current: str) -> str:
    """The kept conversations, newest first, and a button for a new one."""
    rows = "".join(
        f'<li class="{"current" if item.id == current else ""}"><button type="button" class="open" data-do="resume" '
        f'data-id="{escape(item.id)}" title="{escape(item.title)}"><span class="title">{escape(item.title)}</span>'
        f'<span class="meta">{item.questions} {"question" if item.questions == 1 else "questions"} · '
        f"{escape(item.updated_at[:10])}</span></button>"
        f'<button type="button" class="tool" data-do="ask-remove" '
        'aria-label="Delete this conversation" '
        f'title="Delete">{icon("bin")}</button>'
        '<div class="confirm" role="group" aria-label="Confirm deletion"><span>Delete this conversation?</span>'
        '<button type="button" class="button small danger" data-do="forget" '
        f'data-id="{escape(item.id)}">Delete</button>'
        '<button type="button" class="button small" data-do="keep">Keep</button></div></li>'
        for item in conversations
    )
    listing = f"<ul>{rows}</ul>" if rows else '<p class="meta">Conversations are kept here.</p>'
    return block(
        '<section class="conversations" aria-label="Conversations"><header><h2>Conversations</h2>'
        '<button type="button" class="button small" data-do="new" '
        f'id="new-conversation">{icon("add")}New</button></header>{listing}</section>'
    )
