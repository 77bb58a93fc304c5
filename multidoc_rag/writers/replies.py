"""A reply that is being written: an iterator of text that can be timed, closed from anywhere and asked how it ended."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from multidoc_rag.errors import WriterTimeout

BEAT_SECONDS = 0.25
"""While a writer waits, its reply yields an empty piece this often, so that the reader can look whether to stop."""


class Reply(Iterator[str]):
    """Pieces of one reply as they are written; what every writer's `stream` returns. A piece may be empty.

    `finish_reason` is "" while it is being written, then "stop" (complete), "length" (cut by max_tokens, not an
    error) or "closed" (by us). `close()` may be called from any thread, also while another one waits for the
    next piece: that one then sees the end of the iteration. Iterating raises WriterError.
    """

    def __init__(self, write: Callable[[Ending], Iterator[str]]) -> None:
        self._ending = Ending()
        self._pieces = write(self._ending)
        self._reading = threading.Lock()

    def __next__(self) -> str:
        with self._reading:
            return next(self._pieces)

    def close(self) -> None:
        """Stop: closes the connection or ends the generation at once. Does nothing the second time."""
        self._ending.close()
        # Whoever reads now is woken by the line above and leaves by itself.
        if self._reading.acquire(blocking=False):
            try:
                self._pieces.close()  # type: ignore[attr-defined]
            finally:
                self._reading.release()

    def __enter__(self) -> Reply:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def finish_reason(self) -> str:
        """How the reply ended, "" while it has not."""
        return self._ending.reason


class Ending:
    """How a reply ends: shared by the reader, the writer and whoever closes. Holds no reference to the reply."""

    def __init__(self) -> None:
        self.reason = ""
        self.closed = threading.Event()
        self._lock = threading.Lock()
        self._actions: list[Callable[[], None]] = []

    def when_closed(self, action: Callable[[], None]) -> None:
        """Call `action` on close, at once if closed already."""
        with self._lock:
            if not self.closed.is_set():
                self._actions.append(action)
                return
        action()

    def finish(self, reason: str) -> None:
        """Note how the reply ended; the first to say so wins."""
        with self._lock:
            self.reason = self.reason or reason

    def close(self) -> None:
        """End the reply if it has not ended."""
        self.finish("closed")
        with self._lock:
            self.closed.set()
            actions, self._actions = self._actions, []
        for action in actions:
            action()


@dataclass(frozen=True, slots=True)
class Piece:
    """Something a model sent: text (may be empty: a sign of life) and, with the last one, why it ended."""

    text: str
    finish_reason: str = ""


@dataclass
class Source:
    """Runs `work` in a thread and hands on what it emits, within time limits that hold whatever the work does.

    `work(source)` calls `source.emit(piece)`, which answers False once nobody listens. It is told to stop
    through `when_stopped` (an action to take, such as shutting a socket down) or by looking at `stopped`.
    """

    work: Callable[[Source], None]
    stopped: threading.Event = field(default_factory=threading.Event)
    _items: queue.SimpleQueue[Piece | BaseException | None] = field(default_factory=queue.SimpleQueue)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _actions: list[Callable[[], None]] = field(default_factory=list)

    def emit(self, piece: Piece) -> bool:
        """Hand a piece to the reader; False when the reader is gone."""
        self._items.put(piece)
        return not self.stopped.is_set()

    def when_stopped(self, action: Callable[[], None]) -> None:
        """Call `action` on stop, at once if stopped already. It runs in another thread than the work."""
        with self._lock:
            if not self.stopped.is_set():
                self._actions.append(action)
                return
        action()

    def stop(self) -> None:
        """Tell the work to stop and wake the reader; does not wait for the work."""
        with self._lock:
            self.stopped.set()
            actions, self._actions = self._actions, []
        for action in actions:
            action()
        self._items.put(None)

    def pieces(self, name: str, *, first: float, between: float, deadline: float) -> Iterator[Piece]:
        """The pieces as they come; limits in seconds, `deadline` on time.monotonic's clock.

        Raises WriterTimeout, or whatever the work raised. Ends quietly when stopped.
        """
        threading.Thread(target=self._run, name="multidoc_rag writer", daemon=True).start()
        limit, wanted = first, "did not begin to answer"
        heard = time.monotonic()
        try:
            while True:
                now = time.monotonic()
                left, patience = deadline - now, heard + limit - now
                try:
                    item = self._items.get(timeout=max(0.0, min(patience, left, BEAT_SECONDS)))
                except queue.Empty:
                    if min(patience, left) > BEAT_SECONDS:
                        yield Piece("")
                        continue
                    if left <= patience:
                        raise WriterTimeout(
                            f"{name} had not finished when the time for the whole answer was over: "
                            "ask for a shorter answer or raise answer_seconds."
                        ) from None
                    raise WriterTimeout(
                        f"{name} {wanted} within {limit:g} s: try again, choose a faster model or raise "
                        "request_seconds."
                    ) from None
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                heard, limit, wanted = (
                    time.monotonic(),
                    between,
                    "fell silent in the middle of its answer and sent nothing more",
                )
                yield item
        finally:
            self.stop()

    def _run(self) -> None:
        try:
            self.work(self)
        except BaseException as error:  # handed to the reader, who raises it
            self._items.put(error)
        else:
            self._items.put(None)


class WithoutThoughts:
    """Takes a reasoning model's `<think>...</think>` off the front of a reply that comes in pieces.

    Only a block that opens the reply counts: the same tag further on may be quoted from a document.
    """

    _OPENING = ("<think>", "<thinking>")

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"

    @property
    def thinking(self) -> bool:
        """True while an opened block has not been closed."""
        return self._state == "thinking" and "</think" not in self._held

    def feed(self, piece: str) -> str:
        """The part of the reply that may be shown now."""
        if self._state == "answer":
            return piece
        self._held += piece
        if self._state == "start":
            text = self._held.lstrip()
            if any(text.startswith(tag) for tag in self._OPENING):
                self._state = "thinking"
            elif any(tag.startswith(text) for tag in self._OPENING):
                return ""
            else:
                self._state = "answer"
        if self._state == "thinking":
            closing = re.search(r"</think(?:ing)?>\s*(?=\S)", self._held)
            if closing is None:
                return ""
            self._held = self._held[closing.end() :]
            self._state = "answer"
        shown, self._held = self._held, ""
        return shown

    def finish(self) -> str:
        """What was held back only because it might have become a tag."""
        shown = self._held if self._state == "start" else ""
        self._held = ""
        return shown
