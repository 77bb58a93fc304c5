"""The tables of one collection's SQLite file, and how rows become nouns.

`MIGRATIONS[v]` brings a file from `user_version` v to v + 1. Every id is AUTOINCREMENT: SQLite would otherwise
hand the id of a removed chunk to a new one, and a stale index would cite another text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any

from multidoc_rag.records import PAGE_BREAK, Chunk, Document, OffsetMap, Page, Reading, Section, Table

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

    CREATE TABLE documents (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        source_path TEXT NOT NULL,
        pages INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('ready', 'partial', 'unreadable')),
        added_at TEXT NOT NULL,
        author TEXT NOT NULL,
        created_at TEXT NOT NULL,
        modified_at TEXT NOT NULL,
        language TEXT NOT NULL,
        word_count INTEGER NOT NULL,
        reader TEXT NOT NULL,
        summary TEXT NOT NULL,
        unreadable_pages TEXT NOT NULL,
        warnings TEXT NOT NULL,
        file_size INTEGER NOT NULL,
        file_mtime_ns INTEGER NOT NULL,
        kept_file TEXT NOT NULL,
        first_chunk INTEGER NOT NULL,
        summary_vector BLOB
    ) STRICT;
    CREATE INDEX documents_by_path ON documents (source_path);

    CREATE TABLE pages (
        document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        start INTEGER NOT NULL,
        length INTEGER NOT NULL,
        raw TEXT NOT NULL,
        clean TEXT NOT NULL,
        clean_to_raw BLOB NOT NULL,
        raw_to_char BLOB NOT NULL,
        method TEXT NOT NULL CHECK (method IN ('text', 'ocr', 'unreadable', 'none')),
        width REAL NOT NULL,
        height REAL NOT NULL,
        rotation INTEGER NOT NULL,
        crop_left REAL NOT NULL,
        crop_bottom REAL NOT NULL,
        crop_right REAL NOT NULL,
        crop_top REAL NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (document, number)
    ) STRICT;

    CREATE TABLE sections (
        document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        title TEXT NOT NULL,
        level INTEGER NOT NULL,
        start INTEGER NOT NULL,
        PRIMARY KEY (document, ordinal)
    ) STRICT;

    CREATE TABLE found_tables (
        document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        rows TEXT NOT NULL,
        header_rows INTEGER NOT NULL,
        caption TEXT NOT NULL,
        PRIMARY KEY (document, ordinal)
    ) STRICT;

    CREATE TABLE chunks (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        page_start INTEGER NOT NULL,
        page_end INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('text', 'table')),
        section TEXT NOT NULL,
        text TEXT NOT NULL,
        context TEXT NOT NULL,
        UNIQUE (document, ordinal)
    ) STRICT;

    -- one row a document: float32, little-endian, the chunks in order
    CREATE TABLE vectors (
        document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
        data BLOB NOT NULL,
        crc INTEGER NOT NULL
    ) STRICT;

    -- documents whose embedding was begun: what is kept so far waits in pending_vectors
    CREATE TABLE unfinished (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        source_path TEXT NOT NULL,
        pages INTEGER NOT NULL,
        chunks INTEGER NOT NULL,
        begun_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE pending_vectors (
        hash BLOB PRIMARY KEY,
        document TEXT NOT NULL,
        data BLOB NOT NULL
    ) STRICT;
    CREATE INDEX pending_by_document ON pending_vectors (document);

    CREATE TABLE checkpoints (
        generation INTEGER PRIMARY KEY,
        epoch INTEGER NOT NULL,
        file TEXT NOT NULL,
        bytes INTEGER NOT NULL,
        crc INTEGER NOT NULL,
        documents TEXT NOT NULL
    ) STRICT;

    CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE answers (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        question TEXT NOT NULL,
        answer TEXT NOT NULL,
        asked_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX answers_by_conversation ON answers (conversation, number);

    CREATE TABLE feedback (
        answer TEXT PRIMARY KEY REFERENCES answers (id) ON DELETE CASCADE,
        value INTEGER NOT NULL CHECK (value IN (-1, 1)),
        given_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE replies (key TEXT PRIMARY KEY, text TEXT NOT NULL, kept_at TEXT NOT NULL) STRICT;
    """,
    """
    -- what a document states, and what two documents disagree on: derived, made anew where missing.
    -- data: float16, little-endian, a vector a claim; every two documents that have a row here were compared
    CREATE TABLE claims (
        document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
        rules TEXT NOT NULL,
        spans TEXT NOT NULL,
        data BLOB NOT NULL,
        crc INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE findings (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        one INTEGER NOT NULL REFERENCES claims (document) ON DELETE CASCADE,
        other INTEGER NOT NULL REFERENCES claims (document) ON DELETE CASCADE,
        finding TEXT NOT NULL
    ) STRICT;
    CREATE INDEX findings_by_one ON findings (one);
    CREATE INDEX findings_by_other ON findings (other);
    """,
)

VERSION = len(MIGRATIONS)

DOCUMENT_TABLES = ("documents", "pages", "sections", "found_tables", "chunks", "vectors")
"""The tables that hold documents, parents first."""

DOCUMENT_COLUMNS = (
    "id, name, title, source_path, pages, chunks, status, added_at, author, created_at, modified_at, language, "
    "word_count, reader, summary, unreadable_pages, warnings"
)
CHUNK_COLUMNS = (
    'c.id, d.id, d.name, c.ordinal, c.page_start, c.page_end, c.start, c."end", c.kind, c.section, c.text, c.context'
)
PAGE_COLUMNS = (
    "number, raw, clean, clean_to_raw, raw_to_char, method, width, height, rotation, "
    "crop_left, crop_bottom, crop_right, crop_top, label"
)


def read_manifest(connection: sqlite3.Connection) -> dict[str, str]:
    """The collection's own settings and counters."""
    return dict(connection.execute("SELECT key, value FROM manifest"))


def write_manifest(connection: sqlite3.Connection, **values: str | int) -> None:
    """Sets some of them."""
    rows = [(key, str(value)) for key, value in values.items()]
    connection.executemany("INSERT OR REPLACE INTO manifest VALUES (?, ?)", rows)


def advance(connection: sqlite3.Connection) -> None:
    """Begins the next generation: whoever searches sees that the documents changed."""
    write_manifest(connection, generation=int(read_manifest(connection).get("generation", "0")) + 1)


def document_from_row(row: Sequence[Any]) -> Document:
    """A Document from DOCUMENT_COLUMNS."""
    *plain, unreadable, warnings = row
    columns = (*plain, tuple(json.loads(unreadable)), tuple(json.loads(warnings)))
    return Document(*columns)


def page_from_row(row: Sequence[Any]) -> Page:
    """A Page from PAGE_COLUMNS."""
    number, raw, clean, clean_to_raw, raw_to_char, method, width, height, rotation, *crop, label = row
    left, bottom, right, top = crop
    maps = OffsetMap.from_bytes(clean_to_raw), OffsetMap.from_bytes(raw_to_char)
    return Page(number, raw, clean, *maps, method, width, height, rotation, (left, bottom, right, top), label)


def chunks_from_rows(rows: Iterable[Sequence[Any]]) -> tuple[Chunk, ...]:
    """Chunks from CHUNK_COLUMNS of `chunks c JOIN documents d`."""
    return tuple(starmap(Chunk, rows))


def insert_document(
    connection: sqlite3.Connection,
    document: Document,
    reading: Reading,
    chunks: Sequence[Chunk],
    *,
    file_size: int,
    file_mtime_ns: int,
    kept_file: str,
    summary_vector: bytes | None,
) -> int:
    """Writes a document with its pages, sections, tables and chunks; returns its number. Vectors are written apart."""
    values = [
        getattr(document, column)
        for column in DOCUMENT_COLUMNS.replace(" ", "").split(",")
        if column not in ("unreadable_pages", "warnings")
    ]
    values += [json.dumps(document.unreadable_pages), json.dumps(document.warnings, ensure_ascii=False)]
    values += [file_size, file_mtime_ns, kept_file, summary_vector]
    number = connection.execute(
        f"INSERT INTO documents ({DOCUMENT_COLUMNS}, file_size, file_mtime_ns, kept_file, summary_vector, first_chunk) "
        f"VALUES ({','.join('?' * len(values))}, 0)",
        values,
    ).lastrowid
    assert number is not None
    connection.executemany(
        f"INSERT INTO pages (document, start, length, {PAGE_COLUMNS}) VALUES ({','.join('?' * 17)})",
        (_page_values(number, start, page) for start, page in zip(reading.page_starts, reading.pages, strict=True)),
    )
    connection.executemany(
        "INSERT INTO sections VALUES (?, ?, ?, ?, ?)",
        ((number, i, s.title, s.level, s.start) for i, s in enumerate(reading.sections)),
    )
    connection.executemany(
        "INSERT INTO found_tables VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (number, i, t.start, t.end, json.dumps(t.rows), t.header_rows, t.caption)
            for i, t in enumerate(reading.tables)
        ),
    )
    connection.executemany(
        'INSERT INTO chunks (document, ordinal, page_start, page_end, start, "end", kind, section, text, context) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (number, c.ordinal, c.page_start, c.page_end, c.start, c.end, c.kind, c.section, c.text, c.context)
            for c in chunks
        ),
    )
    # one transaction is alone in handing out ids, so a document's are consecutive
    first = connection.execute("SELECT coalesce(min(id), 0) FROM chunks WHERE document = ?", (number,)).fetchone()[0]
    connection.execute("UPDATE documents SET first_chunk = ? WHERE number = ?", (first, number))
    return number


def _page_values(document: int, start: int, page: Page) -> tuple[Any, ...]:
    maps = page.clean_to_raw.to_bytes(), page.raw_to_char.to_bytes()
    shape = page.width, page.height, page.rotation, *page.crop
    return (document, start, len(page.clean), page.number, page.raw, page.clean, *maps, page.method, *shape, page.label)


def read_sections(connection: sqlite3.Connection, document: int) -> tuple[Section, ...]:
    """The sections of one document in order."""
    rows = connection.execute(
        "SELECT title, level, start FROM sections WHERE document = ? ORDER BY ordinal", (document,)
    )
    return tuple(starmap(Section, rows))


def read_tables(connection: sqlite3.Connection, document: int) -> tuple[Table, ...]:
    """The tables of one document in order."""
    rows = connection.execute(
        'SELECT start, "end", rows, header_rows, caption FROM found_tables WHERE document = ? ORDER BY ordinal',
        (document,),
    )
    return tuple(
        Table(start, end, tuple((a, b) for a, b in json.loads(spans)), header_rows, caption)
        for start, end, spans, header_rows, caption in rows
    )


def read_text(connection: sqlite3.Connection, document: int) -> str:
    """The clean text of one document."""
    rows = connection.execute("SELECT clean FROM pages WHERE document = ? ORDER BY number", (document,))
    return PAGE_BREAK.join(clean for (clean,) in rows)
