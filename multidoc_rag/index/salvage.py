"""Saving what can be read from a damaged collection: document by document into a new SQLite file.

The damaged file is kept beside it under another name. Ids stay as they were, and the counters from which new ones
come are never set back.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from multidoc_rag.errors import StoreError
from multidoc_rag.index.database import FILE_NAME, Database, explained, writable
from multidoc_rag.index.schema import DOCUMENT_TABLES, VERSION

_OTHER_TABLES = ("manifest", "conversations", "answers", "feedback", "replies")
_LOST_IDS = 1_000_000
"""How far the id counters are moved on where the damaged file no longer tells them."""

Finding = dict[str, Any]


def salvage(folder: Path, *, repair: bool) -> list[Finding]:
    """Nothing for a file that SQLite finds whole. Else what is wrong; with `repair`, a new file takes its place.

    Raises StoreError when the file cannot be read at all or the new one cannot be written.
    """
    path = folder / FILE_NAME
    if not writable(folder):  # what the store itself finds has to do
        return []
    fault = _fault(path)
    if not fault:
        return []
    if not repair:
        return [{"what": f"The SQLite file is damaged: {fault}; `--repair` saves what can be read.", "repaired": False}]
    with explained(path):
        fresh = folder / "salvage"
        fresh.mkdir(exist_ok=True)
        for old in fresh.iterdir():
            old.unlink()
        saved, lost = _copy(path, fresh)
        kept_as = _free_name(folder)
        for suffix in ("", "-wal", "-shm"):
            if (folder / f"{FILE_NAME}{suffix}").exists():
                os.replace(folder / f"{FILE_NAME}{suffix}", folder / f"{kept_as}{suffix}")
        os.replace(fresh / FILE_NAME, path)
        fresh.rmdir()
    what = f"The SQLite file was damaged ({fault}); {saved} documents were saved, the old file is kept as {kept_as}"
    findings: list[Finding] = [{"what": f"{what}.", "repaired": True}]
    findings += [{"what": f"{name} could not be saved: add it again.", "repaired": False} for name in lost]
    return findings


def _fault(path: Path) -> str:
    try:
        with closing(sqlite3.connect(path)) as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            lines = [line for (line,) in connection.execute("PRAGMA integrity_check(3)")]
            if lines != ["ok"]:
                return "; ".join(lines)
            if version:  # SQLite's own check does not look at the texts' characters
                for table in DOCUMENT_TABLES:
                    deque(connection.execute(f"SELECT * FROM {table}"), maxlen=0)
            return "" if version else "it holds no collection"
    except sqlite3.DatabaseError as error:
        return str(error)


def _copy(path: Path, fresh: Path) -> tuple[int, list[str]]:
    """Copies what is whole into a new file in `fresh`; (documents saved, names of those lost)."""
    database = Database.open(fresh)
    saved, lost = 0, []
    try:
        with closing(sqlite3.connect(path)) as old, database.writing() as new:
            with suppress(sqlite3.DatabaseError):
                if old.execute("PRAGMA user_version").fetchone()[0] > VERSION:
                    raise StoreError(
                        f"The damaged index {path} was made by a newer version: use that one to repair it."
                    )
            for number, name in _documents(old):
                new.execute("SAVEPOINT document")
                try:
                    for table in DOCUMENT_TABLES:
                        key = "number" if table == "documents" else "document"
                        _copy_rows(old, new, table, f"WHERE {key} = ?", (number,))
                    if not _whole(new, number):
                        raise sqlite3.DatabaseError("pages or chunks are missing")
                    new.execute("RELEASE document")
                    saved += 1
                except (sqlite3.DatabaseError, UnicodeDecodeError):
                    new.execute("ROLLBACK TO document")
                    new.execute("RELEASE document")
                    lost.append(name)
            for table in _OTHER_TABLES:
                # a page of history that cannot be read costs that history, not the documents
                with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
                    _copy_rows(old, new, table, "", ())
            _move_counters_on(old, new)
            new.execute("UPDATE manifest SET value = CAST(value AS INTEGER) + 1 WHERE key IN ('generation', 'epoch')")
    finally:
        database.close()
    return saved, lost


def _documents(old: sqlite3.Connection) -> list[tuple[int, str]]:
    """Number and name of every document row within reach, also from the table's end where its middle is broken."""
    found: dict[int, str] = {}
    for order in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            for number, name in old.execute(f"SELECT number, name FROM documents ORDER BY number {order}"):
                found[int(number)] = str(name)
    if not found:
        with suppress(sqlite3.DatabaseError):
            if old.execute("SELECT count(*) FROM documents").fetchone() == (0,):
                return []
        raise StoreError(
            "Nothing could be read from the damaged index, which was left as it is: move its folder away, then add the "
            "documents again."
        )
    return sorted(found.items())


def _copy_rows(
    old: sqlite3.Connection, new: sqlite3.Connection, table: str, where: str, values: tuple[int, ...]
) -> None:
    columns = [row[1] for row in new.execute(f"PRAGMA table_info({table})")]
    listed = ", ".join(f'"{column}"' for column in columns)
    marks = ", ".join("?" * len(columns))
    rows = old.execute(f"SELECT {listed} FROM {table} {where}", values)
    new.executemany(f"INSERT OR IGNORE INTO {table} ({listed}) VALUES ({marks})", rows)


def _whole(new: sqlite3.Connection, number: int) -> bool:
    row = new.execute(
        "SELECT d.pages = (SELECT count(*) FROM pages p WHERE p.document = d.number) "
        "AND d.chunks = (SELECT count(*) FROM chunks c WHERE c.document = d.number) "
        "AND EXISTS (SELECT 1 FROM vectors v WHERE v.document = d.number) FROM documents d WHERE d.number = ?",
        (number,),
    ).fetchone()
    return bool(row and row[0])


def _move_counters_on(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    known: dict[str, int] = {}
    with suppress(sqlite3.DatabaseError):
        known = dict(old.execute("SELECT name, seq FROM sqlite_sequence"))
    for table in ("documents", "chunks", "answers"):
        key = "id" if table == "chunks" else "number"
        highest = new.execute(f"SELECT coalesce(max({key}), 0) FROM {table}").fetchone()[0]
        counter = max(highest, known.get(table, highest + _LOST_IDS))
        new.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        new.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, counter))


def _free_name(folder: Path) -> str:
    number = 1
    while (folder / f"{FILE_NAME}.damaged-{number}").exists():
        number += 1
    return f"{FILE_NAME}.damaged-{number}"
