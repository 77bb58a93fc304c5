"""The index store of one collection: SQLite is the truth, FAISS and tantivy follow it.

Any number of processes read while one adds. All computing (reading, embedding) happens before a write begins, every
write is one transaction, and every hit is looked up in SQLite: a document is there whole or not at all, and one that
was removed cannot be cited.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import filelock
import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.errors import DocumentRefused, ModelMismatch, StoreBusy, StoreError
from multidoc_rag.index import schema
from multidoc_rag.index.database import FILE_NAME, Database, explained, network_warning
from multidoc_rag.index.derived import DerivedIndexes
from multidoc_rag.index.documents import Documents, unknown_document
from multidoc_rag.index.findings import Findings
from multidoc_rag.index.history import History, timestamp
from multidoc_rag.records import Chunk, Document, Reading


class Store(Documents, History, Findings):
    """One collection; `Documents`, `History` and `Findings` are its parts. Safe to use from several threads."""

    def __init__(self, folder: Path, database: Database, indexes: DerivedIndexes, config: Config) -> None:
        self.folder, self.config, self.indexes = folder, config, indexes
        self.notices: tuple[str, ...] = ()
        self._database = database
        self._depth = 0
        self._model, self._fingerprint = "", ""

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        config: Config,
        model: str = "",
        fingerprint: str = "",
        dimension: int = 0,
        create: bool = True,
    ) -> Store:
        """Opens a collection's folder, or makes it. With `model` "" it opens whatever model it was made with.

        Raises ModelMismatch when it was embedded with another model, StoreError when it cannot be opened.
        """
        folder = Path(folder)
        database = Database.open(folder, create=create)
        self = cls(folder, database, DerivedIndexes(folder, database, config.checkpoint_share), config)
        try:
            warning = network_warning(folder)
            self.notices = (warning,) if warning else ()
            self._model, self._fingerprint = model, fingerprint
            if not database.read_only:
                self._describe(dimension)
            self.refresh()
        except BaseException:
            database.close()
            raise
        return self

    def close(self) -> None:
        """Closes the files; whatever was stored stays stored."""
        self.indexes.close()
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what the collection is ------------------------------------------------------------------

    @property
    def read_only(self) -> bool:
        """True where the folder cannot be written."""
        return self._database.read_only

    @property
    def model(self) -> str:
        """Name of the embedding model the collection was made with."""
        return self.indexes.snapshot.model

    @property
    def fingerprint(self) -> str:
        """Hash of that model's weights."""
        return self.indexes.snapshot.fingerprint

    @property
    def dimension(self) -> int:
        """Length of its vectors; 0 while none was stored."""
        return self.indexes.snapshot.dimension

    @property
    def generation(self) -> int:
        """Grows with every change of the documents."""
        return self.indexes.snapshot.generation

    def chunked_as(self, config: Config) -> Config:
        """`config` with the chunking settings the collection was made with: one collection, one way of chunking."""
        with self._database.reading() as connection:
            kept = json.loads(schema.read_manifest(connection).get("chunking", "{}"))
        return replace(config, **{name: value for name, value in kept.items() if name in _chunking(config)})

    def documents(self) -> tuple[Document, ...]:
        """The documents that can be searched, in the order they were added."""
        self.refresh()
        return tuple(self.indexes.snapshot.documents.values())

    def document(self, name_or_id: str) -> Document:
        """The document of this name or id (or at least eight leading digits of it); raises UnknownDocument."""
        documents = self.documents()
        for matches in (
            [document for document in documents if document.name == name_or_id],
            [document for document in documents if len(name_or_id) >= 8 and document.id.startswith(name_or_id)],
        ):
            if len(matches) == 1:
                return matches[0]
        raise unknown_document(name_or_id, [document.name for document in documents])

    # --- searching -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Sees what other processes have changed since; microseconds where nothing has.

        Raises ModelMismatch when the collection was re-embedded with another model meanwhile, StoreError.
        """
        self.indexes.refresh()
        made_with = self.indexes.snapshot
        if self._model and made_with.documents and made_with.fingerprint not in ("", self._fingerprint):
            raise ModelMismatch(self._mismatch(self._model))

    def search_vectors(
        self, query: np.ndarray, k: int, document_ids: Sequence[str] | None = None
    ) -> list[tuple[int, float]]:
        """(chunk id, cosine) of the k nearest chunks, best first; `query` is a unit vector, float32, (dimension,).

        `document_ids` restricts to these documents (all when None; ids that are not in the collection hold nothing).
        """
        self.refresh()
        if not self.dimension:
            return []
        if query.shape != (self.dimension,):
            raise ModelMismatch(self._mismatch(f"a model with {query.shape[-1]} dimensions"))
        return self.indexes.search_vectors(query, k, document_ids)

    def search_words(self, terms: str, k: int, document_ids: Sequence[str] | None = None) -> list[tuple[int, float]]:
        """(chunk id, BM25) of the k best chunks that share a word with `terms` (any text), best first."""
        self.refresh()
        return self.indexes.search_words(terms, k, document_ids)

    def vectors(self, chunk_ids: Iterable[int]) -> dict[int, np.ndarray]:
        """The chunks' unit vectors, float32, shape (dimension,) each; unknown ids are absent."""
        self.refresh()
        return self.indexes.vectors(list(chunk_ids)) if self.dimension else {}

    # --- writing ---------------------------------------------------------------------------------

    @contextmanager
    def writing(self, *, wait: float | None = 0.0) -> Iterator[None]:
        """Holds the collection's ingestion lock; `wait` in seconds for another owner, None for as long as it takes.

        Raises StoreBusy with the owner's process id, StoreError where the folder cannot be written.
        """
        self._refuse_read_only()
        owner = self.folder / "ingestion.pid"
        lock = filelock.FileLock(self.folder / "ingestion.lock", thread_local=False)
        try:
            lock.acquire(timeout=-1 if wait is None else wait)
        except filelock.Timeout:
            raise StoreBusy(_busy(owner, self.folder)) from None
        try:
            with explained(owner):
                owner.write_text(str(os.getpid()))
            # whoever opens the collection meanwhile leaves the lexical index to this process
            with self.indexes.lexical_lock:
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
                    self.indexes.settle_words()
                    self.indexes.checkpoint_when_due()
        finally:
            owner.unlink(missing_ok=True)
            lock.release()

    def begin(self, document: Document) -> None:
        """Notes that a long document's embedding begins; it is listed as unfinished until it is put."""
        with self._database.writing() as connection:
            values = (document.id, document.name, document.title, document.source_path, document.pages, document.chunks)
            connection.execute("INSERT OR REPLACE INTO unfinished VALUES (?, ?, ?, ?, ?, ?, ?)", (*values, timestamp()))

    def put(
        self,
        document: Document,
        reading: Reading,
        chunks: Sequence[Chunk],
        vectors: np.ndarray,
        *,
        replaces: str | None = None,
        file_size: int = 0,
        file_mtime_ns: int = 0,
        kept_file: str = "",
        summary_vector: np.ndarray | None = None,
    ) -> Document:
        """Stores a whole document in one transaction: all of it is there afterwards, or nothing.

        `vectors` are float32, shape (len(chunks), dimension); chunk ids are given here and never again. `replaces` is
        the id of the document whose place it takes in the same moment. Raises StoreError, also when the name or the
        content is there already.
        """
        matrix = np.ascontiguousarray(vectors, dtype="<f4")
        if len(matrix) != len(chunks) or (len(chunks) and (matrix.ndim != 2 or not np.isfinite(matrix).all())):
            raise StoreError(
                f"{document.name}: {len(chunks)} chunks came with vectors of shape {matrix.shape}, or not finite ones: "
                "nothing of it was stored."
            )
        document = replace(document, chunks=len(chunks), pages=len(reading.pages))
        data, old_file = matrix.tobytes(), ""
        with self._database.writing() as connection:
            if len(chunks):
                self._claim_dimension(connection, matrix.shape[1])
            if replaces is not None:
                old_file = _delete_rows(connection, replaces) or ""
            number = schema.insert_document(
                connection,
                document,
                reading,
                chunks,
                file_size=file_size,
                file_mtime_ns=file_mtime_ns,
                kept_file=kept_file,
                summary_vector=None if summary_vector is None else np.asarray(summary_vector, "<f4").tobytes(),
            )
            connection.execute("INSERT INTO vectors VALUES (?, ?, ?)", (number, data, zlib.crc32(data)))
            _forget(connection, document.id)
            if document.source_path:  # an unfinished attempt at an earlier version of the file is of no use any more
                for (begun,) in connection.execute(
                    "SELECT id FROM unfinished WHERE source_path = ?", (document.source_path,)
                ).fetchall():
                    _forget(connection, begun)
            schema.advance(connection)
        if old_file and old_file != kept_file:
            (self.folder / "files" / old_file).unlink(missing_ok=True)
        self.indexes.changed(len(chunks), more_to_come=self._depth > 0)
        return document

    def replace(
        self,
        old_id: str,
        document: Document,
        reading: Reading,
        chunks: Sequence[Chunk],
        vectors: np.ndarray,
        **more: Any,
    ) -> Document:
        """`put` in the place of another document: there is no moment with both or neither."""
        return self.put(document, reading, chunks, vectors, replaces=old_id, **more)

    def moved(self, document_id: str, source_path: str, *, file_size: int, file_mtime_ns: int) -> None:
        """Notes that a document's bytes now lie elsewhere."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE documents SET source_path = ?, file_size = ?, file_mtime_ns = ? WHERE id = ?",
                (source_path, file_size, file_mtime_ns, document_id),
            )
            schema.advance(connection)

    def delete(self, document_id: str) -> None:
        """Removes a document, finished or not, with its kept copy; raises UnknownDocument."""
        with self._database.writing() as connection:
            begun = connection.execute("SELECT 1 FROM unfinished WHERE id = ?", (document_id,)).fetchone()
            kept = _delete_rows(connection, document_id)
            if kept is None and not begun:
                raise unknown_document(document_id, ())
            _forget(connection, document_id)
            schema.advance(connection)
        if kept:
            (self.folder / "files" / kept).unlink(missing_ok=True)
        self.indexes.changed(0, more_to_come=self._depth > 0)

    def keep_file(self, path: Path, document_id: str) -> str:
        """Copies an upload into the collection, whole or not at all; returns its name there, for `put`."""
        self._refuse_read_only()
        target = self.folder / "files" / f"{document_id}{path.suffix.lower()}"
        try:
            source = path.open("rb")
        except OSError as error:
            raise DocumentRefused(
                f"{path.name} went away while it was added ({error.strerror}): add it again."
            ) from error
        with source, explained(self.folder / FILE_NAME):
            target.parent.mkdir(exist_ok=True)
            temporary = target.with_name(target.name + ".tmp")
            try:
                with temporary.open("wb") as file:
                    shutil.copyfileobj(source, file)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, target)
            except OSError:
                temporary.unlink(missing_ok=True)  # a full disk needs its space
                raise
        return target.name

    # --- vectors that wait for the rest of their document ------------------------------------------

    def cached_vectors(self, text_hashes: Collection[bytes]) -> dict[bytes, np.ndarray]:
        """Vectors that an interrupted attempt left, by `text_hash`; float32, shape (dimension,) each."""
        wanted = list(text_hashes)
        found: dict[bytes, np.ndarray] = {}
        with self._database.reading() as connection:
            for start in range(0, len(wanted), 500):
                part = wanted[start : start + 500]
                marks = ",".join("?" * len(part))
                rows = connection.execute(f"SELECT hash, data FROM pending_vectors WHERE hash IN ({marks})", part)
                found |= {key: np.frombuffer(data, "<f4").astype(np.float32) for key, data in rows}
        return found

    def keep_vectors(self, vectors: Mapping[bytes, np.ndarray], *, document_id: str = "") -> None:
        """Keeps vectors by `text_hash` until their document is put or deleted; raises StoreError."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO pending_vectors VALUES (?, ?, ?)",
                ((key, document_id, np.asarray(vector, "<f4").tobytes()) for key, vector in vectors.items()),
            )

    # --- another model, repair ---------------------------------------------------------------------

    def switch_model(
        self, model: str, fingerprint: str, dimension: int, vectors: Iterable[tuple[str, np.ndarray]]
    ) -> None:
        """Puts new vectors in the place of all old ones in one transaction: (document id, float32 (chunks, dimension)).

        Raises StoreError, with nothing changed, when a document is left out.
        """
        with self._database.writing() as connection:
            left = {identity for (identity,) in connection.execute("SELECT id FROM documents")}
            for identity, matrix in vectors:
                _set_vectors(connection, identity, matrix)
                left.discard(identity)
            if left:
                raise StoreError(f"{len(left)} documents came in between: nothing was switched; run `reembed` again.")
            epoch = int(schema.read_manifest(connection).get("epoch", "0")) + 1
            schema.write_manifest(connection, model=model, fingerprint=fingerprint, dimension=dimension, epoch=epoch)
            connection.execute("UPDATE documents SET summary_vector = NULL")
            connection.execute("DELETE FROM pending_vectors WHERE document = ?", (REEMBEDDING,))
            schema.advance(connection)
        self._model, self._fingerprint = model, fingerprint
        self.refresh()

    def mend_vectors(self, document_id: str, vectors: np.ndarray) -> None:
        """Puts freshly made vectors in the place of a document's damaged ones."""
        with self._database.writing() as connection:
            _set_vectors(connection, document_id, vectors)
            epoch = int(schema.read_manifest(connection).get("epoch", "0")) + 1
            schema.write_manifest(connection, epoch=epoch)
            schema.advance(connection)

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """One short read transaction on the collection's SQLite file, for the rooms of the store."""
        return self._database.reading()

    def drop_stray_vectors(self) -> None:
        """Deletes the kept vectors of documents that are neither unfinished nor being embedded anew."""
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM pending_vectors WHERE document NOT IN (SELECT id FROM unfinished) AND document != ?",
                (REEMBEDDING,),
            )

    def check(self, repair: bool = False) -> list[dict[str, Any]]:
        """What is wrong with the collection, [{"what", "repaired"}]; see `checkup.check`."""
        from multidoc_rag.index.checkup import check

        return check(self, repair=repair)

    # --- manifest --------------------------------------------------------------------------------

    def _describe(self, dimension: int) -> None:
        """Writes what an empty collection is going to be made with."""
        with self._database.reading() as connection:
            manifest = schema.read_manifest(connection)
            empty = not connection.execute("SELECT EXISTS (SELECT 1 FROM documents)").fetchone()[0]
        chunking = json.dumps(_chunking(self.config), sort_keys=True)
        wanted = {
            "model": self._model,
            "fingerprint": self._fingerprint,
            "dimension": str(dimension),
            "chunking": chunking,
        }
        if empty and self._model and any(manifest.get(key) != value for key, value in wanted.items()):
            with self._database.writing() as connection:
                schema.write_manifest(connection, **wanted)
                schema.advance(connection)

    def _claim_dimension(self, connection: sqlite3.Connection, dimension: int) -> None:
        known = int(schema.read_manifest(connection).get("dimension", "0"))
        if known and known != dimension:
            raise ModelMismatch(self._mismatch(f"a model with {dimension} dimensions"))
        if not known:
            schema.write_manifest(connection, dimension=dimension)

    def _mismatch(self, model: str) -> str:
        return (
            f"The collection {self.folder.name!r} was embedded with {self.model} ({self.fingerprint[:12]}), not with "
            f"{model} ({self._fingerprint[:12]}): nothing was changed; configure {self.model} again, or run "
            f"`python -m multidoc_rag reembed --model {self._model or 'MODEL'} --index {self.folder.parent} "
            f"--collection {self.folder.name}`."
        )

    def _refuse_read_only(self) -> None:
        if self.read_only:
            raise StoreError(f"The folder {self.folder} cannot be written: nothing was changed; searching still works.")


REEMBEDDING = "reembedding"
"""Stands for a document id in `keep_vectors` while a whole collection is embedded anew."""


def text_hash(text: str, fingerprint: str) -> bytes:
    """The key of a vector that waits: SHA-256 of the model's fingerprint and the text that was embedded."""
    return hashlib.sha256(f"{fingerprint}\0{text}".encode()).digest()


def _chunking(config: Config) -> dict[str, Any]:
    """The settings that shape chunks and their context."""
    names = (item.name for item in fields(config))
    return {name: getattr(config, name) for name in names if name.startswith(("chunk_", "table_")) or name == "context"}


def _delete_rows(connection: sqlite3.Connection, document_id: str) -> str | None:
    """Deletes a document; returns the name of its kept copy ("" without one), None where there was no document."""
    row = connection.execute("DELETE FROM documents WHERE id = ? RETURNING kept_file", (document_id,)).fetchone()
    return None if row is None else str(row[0])


def _forget(connection: sqlite3.Connection, document_id: str) -> None:
    connection.execute("DELETE FROM unfinished WHERE id = ?", (document_id,))
    connection.execute("DELETE FROM pending_vectors WHERE document = ?", (document_id,))


def _set_vectors(connection: sqlite3.Connection, document_id: str, vectors: np.ndarray) -> None:
    data = np.ascontiguousarray(vectors, dtype="<f4").tobytes()
    connection.execute(
        "UPDATE vectors SET data = ?, crc = ? WHERE document = (SELECT number FROM documents WHERE id = ?)",
        (data, zlib.crc32(data), document_id),
    )


def _busy(owner: Path, folder: Path) -> str:
    try:
        who = f"Another process (pid {int(owner.read_text())})"
    except (OSError, ValueError):
        who = "Another process"
    return (
        f"{who} is adding documents to the collection {folder.name!r}: nothing was changed; "
        "wait until it is done, then do it again."
    )
