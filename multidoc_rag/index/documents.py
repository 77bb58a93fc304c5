"""Reading what SQLite holds of documents: texts, pages, sections, tables, chunks, sources."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from multidoc_rag.errors import UnknownDocument
from multidoc_rag.index import schema
from multidoc_rag.index.database import Database
from multidoc_rag.records import PAGE_BREAK, Chunk, Document, Page, Section, Table


@dataclass(frozen=True, slots=True)
class Source:
    """Where a document's bytes are: the path it was added from, or the copy kept in the collection."""

    path: Path | None
    kept: Path | None
    size: int
    mtime_ns: int


class Documents:
    """The documents of one collection, each question to SQLite in one short transaction; `Store` is one."""

    folder: Path
    _database: Database

    def unfinished(self) -> tuple[Document, ...]:
        """Documents whose embedding was begun and not ended (status `unfinished`); adding them again resumes."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, title, source_path, pages, chunks, begun_at FROM unfinished ORDER BY begun_at"
            ).fetchall()
        return tuple(
            Document(identity, name, title, path, pages, chunks, "unfinished", begun_at)
            for identity, name, title, path, pages, chunks, begun_at in rows
        )

    def find(
        self, *, id: str | None = None, name: str | None = None, source_path: str | None = None
    ) -> Document | None:
        """The document with this id, name or source path, straight from SQLite; None where there is none."""
        column, value = next(
            (c, v) for c, v in (("id", id), ("name", name), ("source_path", source_path)) if v is not None
        )
        with self._database.reading() as connection:
            row = connection.execute(
                f"SELECT {schema.DOCUMENT_COLUMNS} FROM documents WHERE {column} = ? ORDER BY number DESC", (value,)
            ).fetchone()
        return None if row is None else schema.document_from_row(row)

    def source(self, document_id: str) -> Source:
        """Where the document's own bytes are, and their size and time when they were read; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            path, kept, size, mtime = connection.execute(
                "SELECT source_path, kept_file, file_size, file_mtime_ns FROM documents WHERE number = ?", (number,)
            ).fetchone()
        return Source(Path(path) if path else None, self.folder / "files" / kept if kept else None, size, mtime)

    def text(self, document_id: str) -> str:
        """The clean text of one document; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            return schema.read_text(connection, number)

    def text_between(self, document_id: str, start: int, end: int) -> str:
        """The clean text between two offsets; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            pages = connection.execute(
                "SELECT start, clean FROM pages WHERE document = ? AND start <= ? AND start + length >= ? "
                "ORDER BY number",
                (number, end, start),
            ).fetchall()
        first = pages[0][0] if pages else 0
        return PAGE_BREAK.join(clean for _, clean in pages)[max(0, start - first) : max(0, end - first)]

    def page_of(self, document_id: str, offset: int) -> int:
        """Number of the page an offset of the clean text lies on; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            row = connection.execute(
                "SELECT number FROM pages WHERE document = ? AND start <= ? ORDER BY start DESC, number DESC",
                (number, offset),
            ).fetchone()
        return int(row[0]) if row else 1

    def page_spans(self, document_id: str, start: int, end: int) -> tuple[tuple[int, int, int], ...]:
        """(page number, start, end) of each page's part of a span of the clean text, offsets in the page's own clean
        text; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            rows = connection.execute(
                "SELECT number, start, length FROM pages WHERE document = ? AND start < ? AND start + length > ? "
                "ORDER BY number",
                (number, end, start),
            ).fetchall()
        return tuple((page, max(0, start - at), min(length, end - at)) for page, at, length in rows)

    def page(self, document_id: str, number: int) -> Page:
        """One page; raises UnknownDocument, also for a page the document does not have."""
        with self._document_number(document_id) as (connection, document):
            row = connection.execute(
                f"SELECT {schema.PAGE_COLUMNS} FROM pages WHERE document = ? AND number = ?", (document, number)
            ).fetchone()
        if row is None:
            raise UnknownDocument(f"The document {document_id[:12]} has no page {number}.")
        return schema.page_from_row(row)

    def pages(self, document_id: str) -> tuple[Page, ...]:
        """All pages in order; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            rows = connection.execute(
                f"SELECT {schema.PAGE_COLUMNS} FROM pages WHERE document = ? ORDER BY number", (number,)
            )
            return tuple(map(schema.page_from_row, rows))

    def sections(self, document_id: str) -> tuple[Section, ...]:
        """Sections in order; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            return schema.read_sections(connection, number)

    def tables(self, document_id: str) -> tuple[Table, ...]:
        """Tables in order; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            return schema.read_tables(connection, number)

    def chunks(self, document_id: str) -> tuple[Chunk, ...]:
        """The chunks of one document in order; raises UnknownDocument."""
        with self._document_number(document_id) as (connection, number):
            return schema.chunks_from_rows(
                connection.execute(
                    f"SELECT {schema.CHUNK_COLUMNS} FROM chunks c JOIN documents d ON d.number = c.document "
                    "WHERE c.document = ? ORDER BY c.ordinal",
                    (number,),
                ).fetchall()
            )

    def chunks_by_id(self, ids: Iterable[int]) -> dict[int, Chunk]:
        """Chunks by id, all from one moment; ids that are not (or no longer) in the collection are absent."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {schema.CHUNK_COLUMNS} FROM chunks c JOIN documents d ON d.number = c.document "
                "WHERE c.id IN (SELECT value FROM json_each(?))",
                (json.dumps([int(i) for i in ids]),),
            ).fetchall()
        return {chunk.id: chunk for chunk in schema.chunks_from_rows(rows)}

    @contextmanager
    def _document_number(self, document_id: str) -> Iterator[tuple[sqlite3.Connection, int]]:
        with self._database.reading() as connection:
            row = connection.execute("SELECT number FROM documents WHERE id = ?", (document_id,)).fetchone()
            if row is None:
                raise unknown_document(document_id, ())
            yield connection, int(row[0])


def unknown_document(name: str, known: Iterable[str]) -> UnknownDocument:
    """The error for a name or id that is not there, with the nearest name that is."""
    near = get_close_matches(name, list(known), n=1)
    shown = name if len(name) <= 100 else name[:99] + "…"
    return UnknownDocument(
        f"There is no document {shown!r} in this collection" + (f"; did you mean {near[0]!r}?" if near else ".")
    )
