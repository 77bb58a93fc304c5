"""A library: one collection of documents that can be added to, searched, looked at and kept healthy."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError, StoreError, UnknownDocument
from multidoc_rag.index.database import FILE_NAME, refuse_a_lost_file
from multidoc_rag.index.store import REEMBEDDING, Store, text_hash
from multidoc_rag.records import AddReport, Box, Document, Embedder, Hit, Page, Passage, Place, Progress, RetrievalMode
from multidoc_rag.search import retrieval

if TYPE_CHECKING:
    from multidoc_rag.files.reading import PageSize, Reader
    from multidoc_rag.ingest.jobs import AddJob

log = logging.getLogger(__name__)

_COLLECTION_NAME = re.compile(r"[\w][\w .-]{0,63}")


class Library:
    """One collection of an index store. The embedding model and the reader are started when first needed."""

    def __init__(self, folder: Path, store: Store, config: Config, embedder: Embedder | None) -> None:
        self.folder, self.store, self.config = folder, store, config
        self._embedder = embedder
        self._reader: Reader | None = None
        self._warming: threading.Thread | None = None
        self._lock = threading.RLock()

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] = "index_store",
        *,
        collection: str = "default",
        config: Config | None = None,
        embedder: Embedder | None = None,
        check_model: bool = True,
    ) -> Library:
        """Opens the collection, or makes it. The model is not loaded, only its weights' hash is looked at.

        With `check_model` False a collection made with another model opens too (to list, remove, repair, re-embed).
        Raises ModelMismatch, StoreError; MultiDocError for a collection's name that is no file name.
        """
        config = config or Config.from_env()
        folder = collection_folder(path, collection)
        model, fingerprint, dimension = "", "", 0
        if check_model:
            model, fingerprint, dimension = _model_of(config, embedder)
        store = Store.open(folder, config=config, model=model, fingerprint=fingerprint, dimension=dimension)
        return cls(folder, store, store.chunked_as(config), embedder)

    def warm(self) -> None:
        """Gets ready in the background what a question needs (model, vectors); does nothing the second time."""
        with self._lock:
            if self._warming is None:
                self._warming = threading.Thread(target=self._warm, name="warm", daemon=True)
                self._warming.start()

    def _warm(self) -> None:
        try:
            self.store.search_vectors(self.embedder.encode_query("warm"), 1)
            self.embedder.encode(["warm"])
            self.reader.start()
        except MultiDocError as error:
            # whoever asks next meets the same error and says it
            log.info("not warmed up: %s", error)

    def close(self) -> None:
        """Closes the store and ends the reader's process."""
        if self._warming is not None:
            self._warming.join()
        with self._lock:
            if self._reader is not None:
                self._reader.close()
                self._reader = None
        self.store.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def embedder(self) -> Embedder:
        """The embedding model, loaded at first use; raises EmbeddingError."""
        with self._lock:
            if self._embedder is None:
                from multidoc_rag.vectors.embedding import load_embedder

                self._embedder = load_embedder(self.config)
            return self._embedder

    @property
    def reader(self) -> Reader:
        """The reader of files, started at first use."""
        with self._lock:
            if self._reader is None:
                from multidoc_rag.files.reading import Reader

                self._reader = Reader(self.config)
            return self._reader

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences about this collection that its user should read (a network file system, a read-only folder)."""
        if self.store.read_only:
            return (
                *self.store.notices,
                f"The folder {self.folder} cannot be written: searching works, adding does not.",
            )
        return self.store.notices

    # --- adding and removing ---------------------------------------------------------------------

    def add(
        self,
        paths: Sequence[str | os.PathLike[str]] | str | os.PathLike[str],
        *,
        include: str | None = None,
        sync: bool = False,
        password: str | None = None,
        ocr: bool | None = None,
        replace: bool = False,
        keep_copy: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        wait: float | None = 0.0,
    ) -> tuple[AddReport, ...]:
        """Adds files and folders; one report for each file, refused ones with their reason.

        A file is known by its bytes: the same ones are unchanged, other ones at the same path take the old ones' place,
        other ones of the same name from elsewhere are a second document (or, with `replace`, take its place).
        `include` is a glob for folders; `sync` removes documents whose files are gone from them; `keep_copy` copies the
        files into the collection (uploads, which have no place of their own). `cancelled` is asked between pieces;
        what is stored by then stays, and the next `add` goes on from there. `wait`: see `Store.writing`.

        Raises StoreBusy, StoreError, EmbeddingError, ModelMismatch.
        """
        from multidoc_rag.ingest.ingestion import Ingestion, Options, gather, gone_files

        listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
        if not listed:
            return ()
        with self.store.writing(wait=wait):
            gathered = gather(listed, include, leave_out=self.folder.parent)
            ingestion = Ingestion(
                self.store,
                self.reader,
                lambda: self.embedder,
                config=self.config,
                options=Options(password, ocr, replace, keep_copy),
                on_progress=on_progress,
                cancelled=cancelled,
            )
            reports = [*ingestion.run(gathered.files), *gathered.refused]
            for document in gone_files(self.store, gathered.folders, include):
                what = "is gone from the folder"
                if sync:
                    self.store.delete(document.id)
                    reports.append(_gone(document, "removed", f"Its file {what}; it was removed."))
                else:
                    reports.append(_gone(document, "unchanged", f"Its file {what}; add with `--sync` to remove it."))
        return tuple(reports)

    def start_adding(
        self,
        paths: Sequence[str | os.PathLike[str]],
        *,
        include: str | None = None,
        sync: bool = False,
        password: str | None = None,
        ocr: bool | None = None,
        replace: bool = False,
        keep_copy: bool = False,
        compare: bool = False,
    ) -> AddJob:
        """`add` in a process of its own that waits for its turn, runs at nice 10 and outlives its caller.

        With `compare` it then brings the ledger of conflicts up to date, the documents being searchable by then;
        without any paths it does nothing else.
        """
        from multidoc_rag.ingest.jobs import AddJob

        options = {
            "include": include,
            "sync": sync,
            "ocr": ocr,
            "replace": replace,
            "keep_copy": keep_copy,
        }
        return AddJob.start(
            self.folder, self.config, [os.fspath(path) for path in paths], options, password, compare=compare
        )

    def jobs(self) -> tuple[AddJob, ...]:
        """Adding jobs of this collection that are running now, also those of an earlier run of the app."""
        from multidoc_rag.ingest.jobs import AddJob

        return AddJob.running_in(self.folder)

    def remove(self, names: Sequence[str]) -> tuple[tuple[str, bool], ...]:
        """Removes documents by name or id, (name as given, whether there was one); they cannot be cited any more."""
        outcome = []
        for name in names:
            try:
                self.store.delete(self.document(name).id)
                outcome.append((name, True))
            except UnknownDocument:
                outcome.append((name, False))
        return tuple(outcome)

    # --- looking ---------------------------------------------------------------------------------

    def documents(self) -> tuple[Document, ...]:
        """All documents in the order they were added, then those whose embedding was interrupted (`unfinished`)."""
        whole = self.store.documents()
        ids = {document.id for document in whole}
        return (*whole, *(document for document in self.store.unfinished() if document.id not in ids))

    def document(self, name_or_id: str) -> Document:
        """One document by name, id or at least eight leading digits of its id; raises UnknownDocument."""
        try:
            return self.store.document(name_or_id)
        except UnknownDocument:
            for document in self.store.unfinished():
                if name_or_id in (document.name, document.id):
                    return document
            raise

    def text(self, name: str) -> str:
        """The clean text of a document; raises UnknownDocument."""
        return self.store.text(self.document(name).id)

    def page(self, name: str, number: int) -> Page:
        """One page of a document; raises UnknownDocument, also for a page it does not have."""
        return self.store.page(self.document(name).id, number)

    def page_of(self, document_id: str, offset: int) -> int:
        """Number of the page on which an offset of the document's clean text lies; raises UnknownDocument."""
        return self.store.page_of(document_id, offset)

    def search(
        self,
        question: str,
        k: int | None = None,
        mode: RetrievalMode | None = None,
        documents: Sequence[str] | None = None,
    ) -> list[Hit]:
        """The best passages for a question, best first, among the named documents (all when None).

        `k` and `mode` default to Config. Raises BadQuestion, UnknownDocument, StoreError, EmbeddingError.
        """
        chosen = None if documents is None else [self.document(name).id for name in documents]
        return retrieval.search(
            self.store,
            cast(Embedder, _Lazily(self)),
            question,
            k=self.config.k if k is None else k,
            mode=mode or self.config.mode,
            documents=chosen,
            config=self.config,
        )

    def original(self, name: str) -> Path:
        """The file itself, the very bytes that were indexed; raises UnknownDocument, MultiDocError (gone, changed)."""
        document = self.document(name)
        source = self.store.source(document.id)
        path = source.kept or source.path
        if path is None:
            raise MultiDocError(f"{document.name} was added without a file: only its text can be shown.")
        try:
            status = path.stat()
        except OSError as error:
            raise MultiDocError(
                f"The file of {document.name} is no longer at {path}: its text still answers; "
                "add the file again to see its pages."
            ) from error
        if (status.st_size, status.st_mtime_ns) != (source.size, source.mtime_ns) and _sha256(path) != document.id:
            raise MultiDocError(
                f"{path} was changed after {document.name} was added: its text still answers; add the file again."
            )
        return path

    def picture(self, name: str, page: int, width: int = 1200, *, password: str | None = None) -> bytes:
        """A page as WebP, `width` pixels wide; raises UnknownDocument, MultiDocError (file gone or changed)."""
        return self.reader.picture(self.original(name), page, width=width, password=password)

    def page_size(self, name: str, page: int, *, password: str | None = None) -> PageSize:
        """What a viewer needs to lay boxes over that picture; raises as `picture` does."""
        return self.reader.page_size(self.original(name), page, password=password)

    def boxes(self, name: str, page: int, start: int, end: int, *, password: str | None = None) -> tuple[Box, ...]:
        """Exact boxes, in points, of the page's clean text between two offsets in it; raises as `picture` does."""
        path = self.original(name)
        return self.reader.boxes(path, self.page(name, page), start, end, password=password)

    def places(self, document_id: str, start: int, end: int) -> tuple[Place, ...]:
        """Pages and exact boxes of a span of a document's clean text; no boxes where the file cannot be shown (gone,
        changed, encrypted), which is logged. Raises UnknownDocument."""
        found = []
        for page, low, high in self.store.page_spans(document_id, start, end):
            boxes: tuple[Box, ...] = ()
            try:
                boxes = self.boxes(document_id, page, low, high)
            except UnknownDocument:
                raise
            except MultiDocError as error:
                log.info("no boxes for page %d of %s: %s", page, document_id[:12], error)
            found.append(Place(page, boxes))
        return tuple(found)

    # --- conflicts -------------------------------------------------------------------------------

    def conflicts(
        self,
        *,
        update: bool = True,
        boxes: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> tuple[dict[str, Any], ...]:
        """Where documents disagree, conflicts first: the ledger, with `update` brought up to date with the documents.

        {"kind", "subject", "measure", "sides": [{"document", "document_id", "page", "quote", "value", "start", "end",
        "places"}]}; quotes are verbatim the documents' clean text between start and end, places [{"page", "boxes"}]
        with exact boxes where `boxes` asks for them. A removed document's findings went with it. `cancelled` is asked
        between documents; what was compared by then is kept. Raises StoreError, EmbeddingError.
        """
        from multidoc_rag.disputes import ledger

        if update:
            self.compare(on_progress=on_progress, cancelled=cancelled)
        found = ledger.ledger(self.store, self.store.fingerprint)
        return self.placed(found) if boxes else found

    def compare(
        self,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> int:
        """Brings the ledger of conflicts up to date; how many documents were compared. Raises as `conflicts`."""
        from multidoc_rag.disputes import ledger

        if self.store.read_only or not self.uncompared():
            return 0  # without loading the model
        return ledger.update(self.store, self.embedder, on_progress=on_progress, cancelled=cancelled)

    def uncompared(self) -> tuple[Document, ...]:
        """The documents that are not in the ledger of conflicts yet, in the order they were added."""
        from multidoc_rag.disputes.ledger import waiting

        return waiting(self.store, self.store.fingerprint)

    def conflicts_among(self, passages: Sequence[Passage]) -> tuple[dict[str, Any], ...]:
        """What these passages disagree on, as `conflicts` gives it: from the ledger where all their documents are in
        it, else read from the passages now."""
        from multidoc_rag.disputes.conflicts import conflicts_in
        from multidoc_rag.disputes.editions import OPENING
        from multidoc_rag.disputes.ledger import among, rules

        documents = {passage.document_id for passage in passages}
        if len(documents) < 2:
            return ()
        if documents <= self.store.compared(rules(self.store.fingerprint)):
            return among(self.store, self.store.fingerprint, tuple(passages))

        def opening_of(document: str) -> str:
            return self.store.text_between(document, 0, OPENING)

        return conflicts_in(passages, self.embedder.encode, page_of=self.page_of, opening_of=opening_of)

    def placed(self, conflicts: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
        """The conflicts with the exact places of their quotes; each page is opened once. A document that was removed
        meanwhile keeps the pages it had."""
        from multidoc_rag.disputes.ledger import placed

        return placed(conflicts, self.places)

    # --- health ----------------------------------------------------------------------------------

    def doctor(self, repair: bool = False) -> dict[str, Any]:
        """{"ok", "findings": [{"what", "repaired"}]}; ok means that nothing is left to be done."""
        from multidoc_rag.index.checkup import damaged_vectors

        findings = self.store.check(repair=repair)
        if repair and not self.store.read_only:
            with self.store.reading() as connection:
                damaged = damaged_vectors(connection, self.store.dimension)
            for identity, name in damaged:
                texts = [piece.searchable for piece in self.store.chunks(identity)]
                self.store.mend_vectors(identity, self.embedder.encode(texts))
                for finding in findings:
                    if finding["what"].startswith(f"The vectors of {name} "):
                        finding["repaired"] = True
        return {"ok": all(finding["repaired"] for finding in findings), "findings": findings}

    def reembed(
        self,
        model: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        embedder: Embedder | None = None,
    ) -> dict[str, Any]:
        """Embeds every chunk anew, with `model` (default: the configured one), then switches in one transaction.

        Until then searches go on with the old vectors; interrupted, it goes on where it stopped.
        {"model", "chunks", "seconds"}. Raises StoreBusy, StoreError, EmbeddingError.
        """
        from multidoc_rag.vectors.embedding import load_embedder

        started = time.perf_counter()
        config = replace(self.config, embedding_model=model or self.config.embedding_model)
        new = embedder or load_embedder(config)
        with self.store.writing():
            documents = self.store.documents()
            total, done = sum(document.chunks for document in documents), 0
            for index, document in enumerate(documents):
                for piece in self._pieces(document):
                    known = self.store.cached_vectors({text_hash(text, new.fingerprint) for text in piece})
                    missing = {text_hash(text, new.fingerprint): text for text in piece}
                    missing = {key: text for key, text in missing.items() if key not in known}
                    if missing:
                        made = dict(zip(missing, new.encode(list(missing.values())), strict=True))
                        self.store.keep_vectors(made, document_id=REEMBEDDING)
                    done += len(piece)
                    if on_progress is not None:
                        seconds = time.perf_counter() - started
                        left = seconds / done * (total - done)
                        on_progress(
                            Progress(document.name, "embedding", index, len(documents), done, float(total), left)
                        )
            self.store.switch_model(new.name, new.fingerprint, new.dimension, self._kept(documents, new))
        with self._lock:
            self.config, self._embedder = config, new
        return {"model": new.name, "chunks": total, "seconds": round(time.perf_counter() - started, 3)}

    def _pieces(self, document: Document) -> Iterator[list[str]]:
        texts = [piece.searchable for piece in self.store.chunks(document.id)]
        size = self.config.piece_chunks
        return (texts[start : start + size] for start in range(0, len(texts), size))

    def _kept(self, documents: Sequence[Document], model: Embedder) -> Iterator[tuple[str, np.ndarray]]:
        for document in documents:
            keys = [text_hash(text, model.fingerprint) for piece in self._pieces(document) for text in piece]
            kept = self.store.cached_vectors(set(keys))
            empty = np.empty((0, model.dimension), np.float32)
            yield document.id, np.stack([kept[key] for key in keys]) if keys else empty


class _Lazily:
    """The library's embedder, loaded only where a search really asks for a vector (a lexical one does not)."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library.embedder, name)


def collection_folder(path: str | os.PathLike[str], collection: str) -> Path:
    """The folder of a collection; raises MultiDocError for a name that is no plain file name."""
    if not _COLLECTION_NAME.fullmatch(collection) or collection.rstrip(" .") != collection:
        raise MultiDocError(
            f"{collection!r} cannot name a collection: use up to 64 letters, digits, blanks, dots, dashes, underscores."
        )
    return Path(path) / collection


def collections(path: str | os.PathLike[str] = "index_store") -> tuple[str, ...]:
    """Names of the collections in an index store, in alphabetical order."""
    root = Path(path)
    return tuple(sorted(entry.parent.name for entry in root.glob(f"*/{FILE_NAME}"))) if root.is_dir() else ()


def examine(
    path: str | os.PathLike[str] = "index_store",
    *,
    collection: str = "default",
    config: Config | None = None,
    repair: bool = False,
) -> dict[str, Any]:
    """`Library.doctor`, also for a collection too damaged to open: `repair` then saves what can be read."""
    from multidoc_rag.index.salvage import salvage

    folder = collection_folder(path, collection)
    if not (folder / FILE_NAME).exists():
        refuse_a_lost_file(folder / FILE_NAME)
        raise StoreError(f"There is no collection {collection!r} in {path}: nothing to examine.")
    rescue = salvage(folder, repair=repair)
    if rescue and not repair:
        return {"ok": False, "findings": rescue}
    with Library.open(path, collection=collection, config=config, check_model=False) as library:
        outcome = library.doctor(repair=repair)
    findings = [*rescue, *outcome["findings"]]
    return {"ok": all(finding["repaired"] for finding in findings), "findings": findings}


def _model_of(config: Config, embedder: Embedder | None) -> tuple[str, str, int]:
    if embedder is not None:
        return embedder.name, embedder.fingerprint, embedder.dimension
    from multidoc_rag.vectors.embedding import model_fingerprint

    return config.embedding_model, model_fingerprint(config), 0


def _gone(document: Document, status: Any, reason: str) -> AddReport:
    return AddReport(document.source_path, document.name, status, document.pages, (), document.chunks, reason)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
