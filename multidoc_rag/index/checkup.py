"""The doctor's look at one collection: SQLite's own integrity, then everything that follows from it.

Each finding is {"what": sentence, "repaired": bool}. A repair never touches what can still be read.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from multidoc_rag.index import lexical_index
from multidoc_rag.index.findings import damaged_claims

if TYPE_CHECKING:
    from multidoc_rag.index.store import Store

Finding = dict[str, Any]


def check(store: Store, *, repair: bool) -> list[Finding]:
    """All findings of one collection; with `repair`, what can be mended without its embedding model is.

    Raises StoreError where SQLite itself cannot be read (`salvage.salvaged` saves what there is).
    """
    store.refresh()
    findings: list[Finding] = []
    with store.reading() as connection:
        findings += [_finding(what) for what in _sqlite_faults(connection)]
        findings += [_finding(what) for what in _count_faults(connection)]
        findings += [
            _finding(f"The vectors of {name} are damaged; `doctor --repair` makes them anew.")
            for _, name in damaged_vectors(connection, store.dimension)
        ]
    findings += _claims_findings(store, repair)
    findings += _checkpoint_findings(store, repair)
    findings += _lexical_findings(store, repair)
    findings += _file_findings(store, repair)
    findings += [
        _finding(f"{document.name} is unfinished (interrupted); add it again to go on from there, or remove it.")
        for document in store.unfinished()
    ]
    return findings


def damaged_vectors(connection: sqlite3.Connection, dimension: int) -> list[tuple[str, str]]:
    """(id, name) of the documents whose vectors are missing, of the wrong size or against their checksum."""
    rows = connection.execute(
        "SELECT d.id, d.name, d.chunks, v.data, v.crc FROM documents d LEFT JOIN vectors v ON v.document = d.number"
    )
    return [
        (identity, name)
        for identity, name, chunks, data, crc in rows
        if data is None or len(data) != chunks * dimension * 4 or zlib.crc32(data) != crc
    ]


def _finding(what: str, repaired: bool = False) -> Finding:
    return {"what": what, "repaired": repaired}


def _sqlite_faults(connection: sqlite3.Connection) -> Iterator[str]:
    for (line,) in connection.execute("PRAGMA integrity_check(20)").fetchall():
        if line != "ok":
            yield f"The SQLite file is damaged: {line}."
    for table, *_ in connection.execute("PRAGMA foreign_key_check").fetchall():
        yield f"The table {table} has rows of a document that is not there."


def _count_faults(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT name, chunks, pages, (SELECT count(*) FROM chunks c WHERE c.document = d.number), "
        "(SELECT count(*) FROM pages p WHERE p.document = d.number) FROM documents d"
    ).fetchall()
    for name, chunks, pages, chunks_there, pages_there in rows:
        if (chunks, pages) != (chunks_there, pages_there):
            yield (
                f"{name} should have {pages} pages and {chunks} chunks and has {pages_there} and {chunks_there}: "
                "remove it and add it again."
            )


def _claims_findings(store: Store, repair: bool) -> Iterator[Finding]:
    with store.reading() as connection:
        damaged = damaged_claims(connection)
    if damaged:
        repaired = repair and not store.read_only and _done(store.drop_all_claims)
        what = f"The kept claims of {', '.join(damaged[:3])}{' and others' if len(damaged) > 3 else ''} are damaged"
        yield _finding(f"{what}; `conflicts` makes them anew.", repaired)


def _checkpoint_findings(store: Store, repair: bool) -> Iterator[Finding]:
    with store.reading() as connection:
        rows = connection.execute("SELECT file, bytes, crc FROM checkpoints").fetchall()
    damaged = ""
    for file, size, crc in rows:
        path = store.folder / file
        if not path.exists():
            damaged = f"The vector checkpoint {file} is missing"
        elif path.stat().st_size != size or zlib.crc32(path.read_bytes()) != crc:
            damaged = f"The vector checkpoint {file} is damaged (its checksum is wrong)"
    if damaged:
        repaired = repair and not store.read_only and _done(store.indexes.rebuild_vectors)
        yield _finding(f"{damaged}; searching reads the vectors from SQLite instead.", repaired)
    known = {file for file, *_ in rows}
    for path in sorted(store.folder.glob("vectors-*.faiss*")):
        if path.name not in known and path.exists():
            yield _finding(f"{path.name} is left over from an interrupted write.", repair and _done(path.unlink))


def _lexical_findings(store: Store, repair: bool) -> Iterator[Finding]:
    if store.read_only:
        return
    folder = store.folder / "lexical"
    fault = lexical_index.damage(folder)
    if not fault and not folder.exists() and store.indexes.snapshot.counts:
        fault = "it is missing"
    if fault:
        repaired = repair and _done(store.indexes.rebuild_words)
        yield _finding(f"The lexical index is damaged: {fault}; it is rebuilt from SQLite when next needed.", repaired)
    elif store.indexes.snapshot.counts:
        behind = store.indexes.words_behind()
        if behind:
            store.indexes.settle_words()
            yield _finding(f"The lexical index was behind by {behind} documents.", not store.indexes.words_behind())


def _file_findings(store: Store, repair: bool) -> Iterator[Finding]:
    with store.reading() as connection:
        rows = connection.execute("SELECT name, source_path, kept_file FROM documents ORDER BY number").fetchall()
        waiting = connection.execute(
            "SELECT count(*) FROM pending_vectors WHERE document NOT IN (SELECT id FROM unfinished) AND document != ?",
            ("reembedding",),
        ).fetchone()[0]
    from pathlib import Path

    for name, source_path, kept_file in rows:
        if kept_file and not (store.folder / "files" / kept_file).exists():
            yield _finding(f"The kept copy of {name} is missing: its pages cannot be shown; add the file again.")
        elif source_path and not kept_file and not Path(source_path).exists():
            yield _finding(
                f"The file of {name} is gone from {source_path}: it still answers, its pages cannot be shown."
            )
    kept = {kept_file for _, _, kept_file in rows}
    if (store.folder / "files").is_dir():
        for path in sorted((store.folder / "files").iterdir()):
            if path.name not in kept:
                yield _finding(f"files/{path.name} belongs to no document.", repair and _done(path.unlink))
    if waiting:
        yield _finding(f"{waiting} vectors wait for no document.", repair and _done(store.drop_stray_vectors))


def _done(step: Callable[[], object]) -> bool:
    """Whether a repair step went through."""
    with suppress(OSError):
        step()
        return True
    return False
