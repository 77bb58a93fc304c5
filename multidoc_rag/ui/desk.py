"""What one running app holds on its server: the library, the writer in use, the answers of this run, who asked to stop.

Nothing is trusted from the browser: it sends opaque ids, and what is not found here or in the store does not exist.
"""

from __future__ import annotations

import logging
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError, UnknownDocument
from multidoc_rag.records import Answer, RetrievalMode, Strategy

if TYPE_CHECKING:
    from multidoc_rag.answers.assistant import Assistant
    from multidoc_rag.library import Library

logger = logging.getLogger(__name__)

KEPT_ANSWERS = 200
"""Answers whose prompt and scores stay in memory for the Evidence and Prompt tabs."""

NO_CITATION = "That citation does not exist."
_PILL = re.compile(r"(?P<answer>[0-9A-Za-z_-]{1,64})\.(?:(?P<number>\d{1,6})|c(?P<conflict>\d{1,6})\.\d{1,6})")


@dataclass(frozen=True)
class Options:
    """What the Settings tab changes; the key is kept in memory only and never shown again."""

    llm: str
    mode: RetrievalMode
    k: int
    passages_total: int
    quotes_sentences: int
    temperature: float
    reorder: bool
    strict: bool = False
    strategy: Strategy = "structured"
    api_key: str = ""

    @classmethod
    def of(cls, config: Config) -> Options:
        """The options a config starts with."""
        return cls(
            config.llm,
            config.mode,
            config.k,
            config.passages_total,
            config.quotes_sentences,
            config.temperature,
            config.reorder,
            config.strict,
        )

    def applied_to(self, config: Config) -> Config:
        """`config` with these options; the key goes where the model's kind looks for it."""
        changed = replace(
            config,
            llm=self.llm,
            mode=self.mode,
            k=self.k,
            passages_total=self.passages_total,
            quotes_sentences=self.quotes_sentences,
            temperature=self.temperature,
            reorder=self.reorder,
            strict=self.strict,
        )
        if not self.api_key:
            return changed
        if self.llm.startswith("hf:"):
            return replace(changed, hf_token=self.api_key)
        return replace(changed, openai_api_key=self.api_key)


@dataclass(frozen=True)
class Target:
    """What a citation opens: a page of a document, and the quote to highlight there ("" for none).

    `start` and `end` are the quote's offsets in the document's clean text where they are known, `last_page` is where it
    ends; `document` is the name it was cited under, `pill` the id of its button.
    """

    document_id: str
    page: int
    quote: str = ""
    start: int = -1
    end: int = -1
    document: str = ""
    last_page: int = 0
    pill: str = ""


@dataclass(frozen=True)
class Shown:
    """What the page viewer shows: a target, and the trail of citations it is one of (`at` is its place, from 0)."""

    target: Target
    trail: tuple[Target, ...] = ()
    at: int = 0

    def step(self, to: int) -> Shown:
        """The citation at place `to` of the trail; this one again when there is none such."""
        return Shown(self.trail[to], self.trail, to) if 0 <= to < len(self.trail) else self


class Desk:
    """The app's state on the server; safe to use from several threads."""

    def __init__(self, folder: Path, collection: str, config: Config, *, library: Library | None = None) -> None:
        self.folder = folder
        self.collection = collection
        self.config = config
        self.options = Options.of(config)
        self._library = library
        self._assistant: tuple[Options, Assistant] | None = None
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._stops: dict[str, threading.Event] = {}
        self._passwords: dict[str, str] = {}
        self._lock = threading.Lock()
        self._opening = threading.Lock()

    def library(self) -> Library:
        """The library, opened at first use; raises StoreError (another model, damaged, not writable)."""
        with self._opening:
            if self._library is None:
                from multidoc_rag.library import Library

                self._library = Library.open(self.folder, collection=self.collection, config=self.config)
            return self._library

    def assistant(self) -> Assistant:
        """An assistant with the present options; raises MultiDocError where the model's name is not understood."""
        from multidoc_rag.answers.assistant import Assistant

        options, kept = self.options, self._assistant
        if kept is not None and kept[0] == options:
            return kept[1]
        # built outside the lock: nobody who only looks something up waits for what a writer has to import
        assistant = Assistant(self.library(), llm=options.llm, config=options.applied_to(self.config))
        self._assistant = (options, assistant)
        return assistant

    def warm(self) -> None:
        """Open the library and load the embedding model, so that the first question does not wait for it."""
        try:
            library = self.library()
            if library.documents():
                library.embedder.encode_query("warm")
        except MultiDocError as error:
            # the page shows the same sentence where the library would be
            logger.warning("%s", error)

    def close(self) -> None:
        """Close the library."""
        with self._opening:
            if self._library is not None:
                self._library.close()
                self._library = None

    # --- passwords, in memory only -------------------------------------------------------------

    def keep_password(self, document: str, password: str) -> None:
        """Remember an encrypted document's password until the program ends, so that its pages can be shown."""
        try:
            document_id = self.library().document(document).id
        except UnknownDocument:
            return
        with self._lock:
            self._passwords[document_id] = password

    def password(self, document_id: str) -> str | None:
        """The password of an encrypted document, where it was given in this run."""
        with self._lock:
            return self._passwords.get(document_id)

    # --- answers -------------------------------------------------------------------------------

    def remember(self, answer: Answer) -> None:
        """Keep an answer of this run with its prompt and evidence."""
        with self._lock:
            self._answers[answer.id] = answer
            while len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)

    def recent(self, answer_id: str) -> Answer | None:
        """An answer of this run, with prompt and evidence; None for older ones."""
        with self._lock:
            return self._answers.get(answer_id)

    def answer(self, answer_id: str) -> dict[str, Any]:
        """A stored answer as `ask` prints it; raises MultiDocError when there is none of that id."""
        recent = self.recent(answer_id)
        if recent is not None:
            from multidoc_rag.answers.assistant import answer_json

            return answer_json(recent)
        return self.library().store.answer(answer_id)

    def conversation_of(self, answer_id: str) -> str:
        """The conversation that an answer was kept in; "" when it was not kept (a library that cannot be written)."""
        store = self.library().store
        for conversation in store.conversations():
            if any(turn.answer_id == answer_id for turn in store.turns(conversation.id)):
                return conversation.id
        return ""

    def shown(self, pill: str) -> Shown:
        """Where a pill leads, with the other citations of its answer.

        `ANSWER.N` is citation N, `ANSWER.cK.J` side J of conflict K. Raises MultiDocError for a pill that was never
        given out.
        """
        found = _PILL.fullmatch(pill)
        if found is None:
            raise MultiDocError(NO_CITATION)
        try:
            answer = self.answer(found["answer"])
        except MultiDocError as error:
            raise MultiDocError(NO_CITATION) from error
        if found["conflict"] is None:
            trail = tuple(_cited(answer["id"], item) for item in answer.get("citations", ()))
        else:
            trail = self.sides(answer.get("conflicts", ()), f"{answer['id']}.c")
        at = next((index for index, target in enumerate(trail) if target.pill == pill), None)
        if at is None:
            raise MultiDocError(NO_CITATION)
        return Shown(trail[at], trail, at)

    def sides(self, conflicts: Iterable[Mapping[str, Any]], prefix: str) -> tuple[Target, ...]:
        """The places of conflicting statements, each with the pill `PREFIXk.j` of side j of conflict k."""
        ids: dict[str, str] = {}
        targets = []
        for k, conflict in enumerate(conflicts):
            for j, side in enumerate(conflict.get("sides", ())):
                name = str(side["document"])
                identity = str(side.get("document_id") or "")
                if not identity:
                    ids = ids or {document.name: document.id for document in self.library().documents()}
                    identity = ids.get(name, "")
                start, end = int(side.get("start", -1)), int(side.get("end", -1))
                page = int(side.get("page") or 1)
                last = max([page, *(int(place["page"]) for place in side.get("places", ()))])
                targets.append(
                    Target(identity, page, str(side.get("quote", "")), start, end, name, last, f"{prefix}{k}.{j}")
                )
        return tuple(targets)

    # --- stopping ------------------------------------------------------------------------------

    def starts(self, session: str) -> threading.Event:
        """A fresh stop flag for the answer that `session` begins now; an earlier one of that session is stopped."""
        with self._lock:
            earlier = self._stops.get(session)
            if earlier is not None:
                earlier.set()
            self._stops[session] = threading.Event()
            return self._stops[session]

    def stop(self, session: str) -> None:
        """Stop the answer that `session` is waiting for, if any."""
        with self._lock:
            flag = self._stops.get(session)
        if flag is not None:
            flag.set()

    def ended(self, session: str, flag: threading.Event) -> None:
        """Forget the flag of an answer that has ended."""
        with self._lock:
            if self._stops.get(session) is flag:
                del self._stops[session]


def _cited(answer_id: str, item: Mapping[str, Any]) -> Target:
    page = int(item["page"])
    return Target(
        item["document_id"],
        page,
        item["quote"],
        int(item.get("start", -1)),
        int(item.get("end", -1)),
        item["document"],
        max([page, *(int(place["page"]) for place in item.get("places", ()))]),
        f"{answer_id}.{item['n']}",
    )
