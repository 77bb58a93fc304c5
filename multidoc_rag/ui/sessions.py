"""Who is looking, and how handlers are hung up: one Session for each open page, kept on the server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import gradio as gr

from multidoc_rag.errors import MultiDocError
from multidoc_rag.records import Hit
from multidoc_rag.ui.desk import Shown
from multidoc_rag.ui.html import escape

ChatMessage = dict[str, Any]

SESSIONS = 500
"""Open pages remembered at once; the one unused longest is forgotten first."""

QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
# a warning reaches the page only through the queue; what never warns goes past it
QUICK: dict[str, Any] = QUIET | {"trigger_mode": "multiple", "concurrency_id": "quick", "concurrency_limit": 16}
DIRECT: dict[str, Any] = QUIET | {"queue": False, "trigger_mode": "multiple"}
VIEWING: dict[str, Any] = QUIET | {"trigger_mode": "always_last", "concurrency_id": "view", "concurrency_limit": 8}
ASKING: dict[str, Any] = QUIET | {"concurrency_id": "answer", "concurrency_limit": 4}


@dataclass
class Session:
    """One open page: what it shows, what it asks, what it may open; kept on the server, never taken from it."""

    messages: list[ChatMessage] = field(default_factory=list)
    conversation: str = ""
    excluded: set[str] = field(default_factory=set)
    opened: dict[str, Shown] = field(default_factory=dict)
    answer_id: str = ""
    hits: tuple[Hit, ...] = ()
    shown: Shown | None = None
    conflicts: tuple[dict[str, Any], ...] = ()
    ledger: tuple[str, str] | None = None
    """The kind and document chosen in the Conflicts tab; None before it was opened."""
    seen_uploads: int = -1
    seen_finished: int = -1


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
