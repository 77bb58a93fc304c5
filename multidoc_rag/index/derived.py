"""The two derived indexes of a collection, followed from SQLite: FAISS for vectors, tantivy for words.

Each change of the documents advances a generation in SQLite. Whoever searches compares the documents an index holds
with those SQLite holds, and adds and removes the difference: no log of changes is needed, and nothing is missed
whatever was killed when. On disk the indexes are only a faster start.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import filelock
import numpy as np

from multidoc_rag.errors import StoreError
from multidoc_rag.index import schema
from multidoc_rag.index.database import Database
from multidoc_rag.index.lexical_index import LexicalIndex
from multidoc_rag.index.vector_index import Holding, VectorIndex
from multidoc_rag.records import Document

log = logging.getLogger(__name__)

LEXICAL_SECONDS = 1.0
"""While documents are being added, the lexical index is committed at most this often, and at the end."""
CHECKPOINT_ROWS = 1000
"""While documents are being added, fewer changed chunks than this are no reason for a checkpoint."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What SQLite held at one moment: its manifest, and the documents by number with the chunks each has."""

    generation: int = -1
    epoch: int = 0
    model: str = ""
    fingerprint: str = ""
    dimension: int = 0
    documents: Mapping[int, Document] = field(default_factory=dict)
    held: Mapping[int, Holding] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, connection: sqlite3.Connection, manifest: Mapping[str, str]) -> Snapshot:
        """The snapshot of the connection's transaction."""
        rows = connection.execute(
            f"SELECT number, first_chunk, {schema.DOCUMENT_COLUMNS} FROM documents ORDER BY number"
        ).fetchall()
        documents = {number: schema.document_from_row(row) for number, _, *row in rows}
        return cls(
            generation=int(manifest.get("generation", "0")),
            epoch=int(manifest.get("epoch", "0")),
            model=manifest.get("model", ""),
            fingerprint=manifest.get("fingerprint", ""),
            dimension=int(manifest.get("dimension", "0")),
            documents=documents,
            held={number: Holding(first, documents[number].chunks) for number, first, *_ in rows},
            numbers={document.id: number for number, document in documents.items()},
        )

    @property
    def counts(self) -> dict[int, int]:
        """Chunks by document number, documents without chunks left out."""
        return {number: holding.count for number, holding in self.held.items() if holding.count}


class DerivedIndexes:
    """What searches run on. Loaded when first needed; usable from several threads, one at a time."""

    def __init__(self, folder: Path, database: Database, checkpoint_share: float) -> None:
        self.folder = folder
        self.snapshot = Snapshot()
        self.lexical_lock = filelock.FileLock(folder / "lexical.lock", thread_local=False)
        self._database, self._checkpoint_share = database, checkpoint_share
        self._lock = threading.RLock()
        self._seen = -1
        self._vectors: VectorIndex | None = None
        self._lexical: LexicalIndex | None = None
        self._lexical_behind = False
        self._lexical_at = 0.0
        self._changed_rows = 0

    def refresh(self) -> bool:
        """Sees what anybody has committed since; True where the documents changed. Microseconds where nothing did."""
        with self._lock:
            version = self._database.data_version()
            changed = version != self._seen and self._load()
            self._seen = version
            if self._lexical is not None and (changed or self._lexical_behind):
                self._follow_lexical(self._lexical)
            return changed

    def search_vectors(self, query: np.ndarray, k: int, document_ids: Sequence[str] | None) -> list[tuple[int, float]]:
        """(chunk id, inner product), best first; `query` has shape (dimension,)."""
        with self._lock:
            self.refresh()
            return self._vector_index().search(query, k, self._numbers(document_ids))

    def search_words(self, text: str, k: int, document_ids: Sequence[str] | None) -> list[tuple[int, float]]:
        """(chunk id, BM25), best first."""
        with self._lock:
            self.refresh()
            index, numbers = self._lexical_index(), self._numbers(document_ids)
        return index.search(text, k, numbers)

    def vectors(self, chunk_ids: Sequence[int]) -> dict[int, np.ndarray]:
        """The vectors of the chunks there are, float32, shape (dimension,) each."""
        with self._lock:
            self.refresh()
            return self._vector_index().vectors(chunk_ids)

    def close(self) -> None:
        """Lets go of the indexes in memory."""
        with self._lock:
            self._vectors = self._lexical = None

    def _numbers(self, document_ids: Sequence[str] | None) -> list[int] | None:
        if document_ids is None:
            return None
        numbers = self.snapshot.numbers
        return sorted({numbers[identity] for identity in document_ids if identity in numbers})

    # --- following SQLite ------------------------------------------------------------------------

    def _load(self) -> bool:
        """Reads the list of documents where it changed, and follows it with the vectors; all of one moment."""
        with self._database.reading() as connection:
            manifest = schema.read_manifest(connection)
            known = (str(self.snapshot.generation), str(self.snapshot.epoch))
            if (manifest.get("generation", "0"), manifest.get("epoch", "0")) == known:
                return False
            snapshot = Snapshot.read(connection, manifest)
            if (snapshot.epoch, snapshot.dimension) != (self.snapshot.epoch, self.snapshot.dimension):
                self._vectors = None
            self.snapshot = snapshot
            if self._vectors is not None:
                self._follow_vectors(connection, self._vectors)
        return True

    def _vector_index(self) -> VectorIndex:
        if self._vectors is None:
            with self._database.reading() as connection:
                if self.snapshot.generation != int(schema.read_manifest(connection).get("generation", "0")):
                    self.snapshot = Snapshot.read(connection, schema.read_manifest(connection))
                index = self._from_checkpoint(connection) or VectorIndex(self.snapshot.dimension)
                self._follow_vectors(connection, index)
                self._vectors = index
        return self._vectors

    def _from_checkpoint(self, connection: sqlite3.Connection) -> VectorIndex | None:
        row = connection.execute(
            "SELECT file, bytes, crc, documents FROM checkpoints WHERE epoch = ? ORDER BY generation DESC",
            (self.snapshot.epoch,),
        ).fetchone()
        if row is None:
            return None
        file, size, crc, documents = row
        held = {number: Holding(first, count) for number, first, count in json.loads(documents)}
        dimension = self.snapshot.dimension
        try:
            return VectorIndex.from_checkpoint(self.folder / file, size=size, crc=crc, dimension=dimension, held=held)
        except (OSError, ValueError, RuntimeError) as error:
            log.warning("the vectors are read from SQLite instead of their checkpoint: %s", error)
            return None

    def _follow_vectors(self, connection: sqlite3.Connection, index: VectorIndex) -> None:
        """Applies to the vectors what was added and removed since they were loaded."""
        truth = self.snapshot.held
        index.remove([number for number, holding in index.held.items() if truth.get(number) != holding])
        new: dict[int, Holding] = {}
        missing = {number: holding for number, holding in truth.items() if number not in index.held}
        # one matrix for all of them: growing the index document by document would need up to three times the memory
        matrix = np.empty((sum(holding.count for holding in missing.values()), index.dimension), np.float32)
        filled = 0
        for number, holding in missing.items():
            row = connection.execute("SELECT data, crc FROM vectors WHERE document = ?", (number,)).fetchone()
            expected = holding.count * index.dimension * 4
            if row is None or len(row[0]) != expected or zlib.crc32(row[0]) != row[1]:
                name = self.snapshot.documents[number].name
                log.error(
                    "the vectors of %s are damaged: only its words are searched until `doctor --repair` has run", name
                )
                continue
            matrix[filled : filled + holding.count] = np.frombuffer(row[0], "<f4").reshape(
                holding.count, index.dimension
            )
            filled += holding.count
            new[number] = holding
        index.add(new, matrix[:filled])

    def _lexical_index(self) -> LexicalIndex:
        if self._lexical is None:
            self._lexical = self._open_lexical()
            self._follow_lexical(self._lexical)
        return self._lexical

    def _open_lexical(self) -> LexicalIndex:
        if self._database.read_only:
            return LexicalIndex(None)
        folder = self.folder / "lexical"
        try:
            return LexicalIndex(folder)
        except (OSError, ValueError, RuntimeError) as error:
            log.warning("the lexical index is built anew from SQLite: %s", error)
        try:
            with self.lexical_lock.acquire(timeout=0):
                return LexicalIndex.rebuilt(folder)
        except (filelock.Timeout, OSError, ValueError, RuntimeError) as error:
            log.warning("the lexical index is built in memory: %s", error)
            return LexicalIndex(None)

    def _follow_lexical(self, index: LexicalIndex) -> None:
        """Brings the words up to date, or sees what the process that is adding documents has committed so far."""
        self._lexical_behind = True
        try:
            if index.folder is None:
                index.catch_up(self.snapshot.counts, self._rows)
            else:
                index.reload()
                if index.counts() != self.snapshot.counts:
                    with self.lexical_lock.acquire(timeout=0):
                        self._load()
                        index.catch_up(self.snapshot.counts, self._rows)
            self._lexical_behind = False
        except filelock.Timeout:
            log.debug("another process is bringing the lexical index up to date")
        except (OSError, ValueError, RuntimeError) as error:
            log.warning("the lexical index could not be brought up to date (%s); it is tried again", error)

    def _rows(self, number: int) -> list[tuple[int, str, str]]:
        with self._database.reading() as connection:
            return connection.execute(
                "SELECT id, context, text FROM chunks WHERE document = ? ORDER BY ordinal", (number,)
            ).fetchall()

    # --- what is written to disk -----------------------------------------------------------------

    def changed(self, rows: int, *, more_to_come: bool) -> None:
        """After a write: the files follow at once, or now and then while more is to come."""
        self._changed_rows += rows
        if not more_to_come or time.monotonic() - self._lexical_at >= LEXICAL_SECONDS:
            self.settle_words()
        if more_to_come and self._changed_rows >= CHECKPOINT_ROWS:
            self.checkpoint_when_due()

    def settle_words(self) -> None:
        """Brings the lexical index on disk up to date."""
        with self._lock:
            self.refresh()
            if self.snapshot.counts or self._lexical is not None:
                self._lexical_index()
            self._lexical_at = time.monotonic()

    def words_behind(self) -> int:
        """Number of documents whose chunks on disk are not those of SQLite."""
        with self._lock:
            self.refresh()
            index = LexicalIndex(self.folder / "lexical")
            held, truth = index.counts(), self.snapshot.counts
        return sum(held.get(number) != truth.get(number) for number in {*held, *truth})

    def rebuild_words(self) -> None:
        """Builds the lexical index anew; raises OSError where another process is writing it."""
        with self._lock:
            try:
                with self.lexical_lock.acquire(timeout=0):
                    self._lexical = LexicalIndex.rebuilt(self.folder / "lexical")
                    self._follow_lexical(self._lexical)
            except filelock.Timeout as error:
                raise OSError("another process is adding documents") from error

    def rebuild_vectors(self) -> None:
        """Reads the vectors from SQLite and writes a new checkpoint."""
        with self._lock:
            self._vectors = None
            self.checkpoint()

    def checkpoint_when_due(self) -> None:
        """Writes a checkpoint of the vectors where the share of changed chunks asks for one."""
        with self._lock:
            self._changed_rows = 0
            self.refresh()
            with self._database.reading() as connection:
                query = "SELECT documents FROM checkpoints WHERE epoch = ? ORDER BY generation DESC"
                row = connection.execute(query, (self.snapshot.epoch,)).fetchone()
            held = {number: Holding(first, count) for number, first, count in json.loads(row[0])} if row else {}
            truth = self.snapshot.held
            changed = sum(holding.count for number, holding in truth.items() if held.get(number) != holding)
            changed += sum(holding.count for number, holding in held.items() if truth.get(number) != holding)
            if changed and changed >= self._checkpoint_share * sum(self.snapshot.counts.values()):
                self.checkpoint()

    def checkpoint(self) -> None:
        """Writes the vectors to a file that loads faster than SQLite's blobs; a failure costs that speed alone."""
        with self._lock:
            self.refresh()
            if not self.snapshot.counts:
                return
            index, snapshot = self._vector_index(), self.snapshot
            path = self.folder / f"vectors-{snapshot.generation}.faiss"
            documents = json.dumps([(number, holding.first, holding.count) for number, holding in index.held.items()])
            try:
                size, crc = index.write(path)
                with self._database.writing() as connection:
                    connection.execute("DELETE FROM checkpoints")
                    values = (snapshot.generation, snapshot.epoch, path.name, size, crc, documents)
                    connection.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)", values)
            except (OSError, StoreError) as error:
                log.warning("the checkpoint of the vectors was not written: %s", error)
                return
            for old in self.folder.glob("vectors-*.faiss*"):
                if old != path:
                    with suppress(OSError):
                        old.unlink()
