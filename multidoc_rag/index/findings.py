"""What SQLite holds of claims and of what documents disagree on: derived, made anew where missing."""

from __future__ import annotations

import json
import sqlite3
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multidoc_rag.disputes.claims import Claim
from multidoc_rag.disputes.editions import OPENING, edition
from multidoc_rag.disputes.subjects import NOTHING, Subject, subject
from multidoc_rag.index import schema
from multidoc_rag.index.database import Database
from multidoc_rag.records import PAGE_BREAK


@dataclass(frozen=True, slots=True)
class ClaimVectors:
    """One document's claims as they are compared: masks int64 (n,), vectors float16 (n, dimension), and its subject."""

    masks: np.ndarray
    vectors: np.ndarray
    about: Subject = NOTHING


class Findings:
    """The claims and findings of one collection; `Store` is one. Every two documents that have claims were compared."""

    _database: Database

    def compared(self, rules: str) -> set[str]:
        """Ids of the documents whose claims were kept under these rules, without looking at the claims."""
        with self._database.reading() as connection:
            if not _has_tables(connection):
                return set()
            rows = connection.execute(
                "SELECT d.id FROM claims c JOIN documents d ON d.number = c.document WHERE c.rules = ?", (rules,)
            )
            return {str(identity) for (identity,) in rows}

    def claimed(self, rules: str) -> dict[int, str]:
        """Numbers of the documents whose claims were kept under these rules, each with its id."""
        with self._database.reading() as connection:
            if not _has_tables(connection):
                return {}
            rows = connection.execute(
                "SELECT d.number, d.id FROM claims c JOIN documents d ON d.number = c.document WHERE c.rules = ? "
                "ORDER BY d.number",
                (rules,),
            )
            return dict(rows)

    def claim_vectors(self, number: int) -> ClaimVectors:
        """What one document's claims are compared by; none where it was removed meanwhile."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT spans, data FROM claims WHERE document = ?", (number,)).fetchone()
            name = connection.execute("SELECT name FROM documents WHERE number = ?", (number,)).fetchone()
            pages = connection.execute(
                "SELECT clean FROM pages WHERE document = ? AND start < ? ORDER BY number", (number, OPENING)
            ).fetchall()
        spans, data = row or ("[]", b"")
        opening = PAGE_BREAK.join(clean for (clean,) in pages)[:OPENING]
        about = subject(opening, name[0]) if name else NOTHING
        masks = np.array([span[-1] for span in json.loads(spans)], np.int64)
        vectors = np.frombuffer(data, "<f2").reshape(len(masks), len(data) // 2 // max(1, len(masks)))
        return ClaimVectors(masks, vectors, about)

    def kept_claims(self, number: int) -> tuple[Claim, ...]:
        """One document's claims, their texts cut from its clean text; none where it was removed meanwhile."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT spans FROM claims WHERE document = ?", (number,)).fetchone()
            if row is None:
                return ()
            document = schema.document_from_row(
                connection.execute(
                    f"SELECT {schema.DOCUMENT_COLUMNS} FROM documents WHERE number = ?", (number,)
                ).fetchone()
            )
            text = schema.read_text(connection, number)
        own, about = edition(text[:OPENING], document.name), subject(text[:OPENING], document.name)
        return tuple(
            Claim(document.id, document.name, start, end, text[start:end], context, table, document.language or "en",
                  tuple(cell) if cell else None, mask, own, about)
            for start, end, context, table, cell, mask in json.loads(row[0])
        )  # fmt: skip

    def keep_findings(
        self,
        document_id: str,
        rules: str,
        claims: Sequence[Claim],
        vectors: np.ndarray,
        compared_with: Collection[int],
        findings: Sequence[tuple[int, Mapping[str, Any]]],
    ) -> bool:
        """Keeps a document's claims and what they disagree on with others, (document number, finding), whole.

        `vectors` are float, shape (len(claims), dimension). False, with nothing kept, where the document is gone or
        documents other than `compared_with` have claims by now: compare again.
        """
        data = np.ascontiguousarray(vectors, dtype="<f2").tobytes()
        spans = json.dumps(
            [(c.start, c.end, c.context, c.table, c.cell, c.mask) for c in claims],
            ensure_ascii=False,
            separators=(",", ":"),
        )
        with self._database.writing() as connection:
            row = connection.execute("SELECT number FROM documents WHERE id = ?", (document_id,)).fetchone()
            there = {
                number for (number,) in connection.execute("SELECT document FROM claims WHERE rules = ?", (rules,))
            }
            if row is None or row[0] in there or not there <= set(compared_with):
                return False
            connection.execute("DELETE FROM claims WHERE document = ?", row)
            connection.execute(
                "INSERT INTO claims VALUES (?, ?, ?, ?, ?)", (row[0], rules, spans, data, zlib.crc32(data))
            )
            connection.executemany(
                "INSERT INTO findings (one, other, finding) VALUES (?, ?, ?)",
                (
                    (row[0], other, json.dumps(finding, ensure_ascii=False))
                    for other, finding in findings
                    if other in there
                ),
            )
        return True

    def drop_claims(self, rules: str) -> None:
        """Deletes claims kept under other rules or damaged, with all that was found by them."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT document, rules, data, crc FROM claims")
            stale = [(number,) for number, made_by, data, crc in rows if made_by != rules or zlib.crc32(data) != crc]
        if stale:
            with self._database.writing() as connection:
                connection.executemany("DELETE FROM claims WHERE document = ?", stale)

    def drop_all_claims(self) -> None:
        """Deletes all claims and findings: they are made anew when next asked for."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM claims")

    def kept_findings(
        self, rules: str, documents: Collection[str] | None = None
    ) -> list[tuple[str, str, dict[str, Any]]]:
        """(id of one document, id of the other, finding) of all that was found under these rules, between any two of
        `documents` (ids; all when None)."""
        between = (
            ""
            if documents is None
            else (" AND a.id IN (SELECT value FROM json_each(?)) AND b.id IN (SELECT value FROM json_each(?))")
        )
        ids = [] if documents is None else [json.dumps(sorted(documents))] * 2
        with self._database.reading() as connection:
            if not _has_tables(connection):
                return []
            rows = connection.execute(
                "SELECT a.id, b.id, f.finding FROM findings f JOIN documents a ON a.number = f.one "
                "JOIN documents b ON b.number = f.other JOIN claims c ON c.document = f.one WHERE c.rules = ?"
                f"{between} ORDER BY f.number",
                (rules, *ids),
            ).fetchall()
        return [(one, other, json.loads(finding)) for one, other, finding in rows]

    def quotes(
        self, document_id: str, spans: Collection[tuple[int, int]]
    ) -> dict[tuple[int, int], tuple[str, tuple[int, ...]]]:
        """The clean text between two offsets, and the numbers of the pages it lies on, for each of the spans; empty
        where the document was removed meanwhile."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT p.number, p.start, p.clean FROM pages p JOIN documents d ON d.number = p.document "
                "WHERE d.id = ? ORDER BY p.number",
                (document_id,),
            ).fetchall()
        if not rows:
            return {}
        text = PAGE_BREAK.join(clean for _, _, clean in rows)
        starts = [start for _, start, _ in rows]

        def pages(start: int, end: int) -> tuple[int, ...]:
            first, last = bisect_right(starts, start) - 1, bisect_left(starts, end)
            return tuple(number for number, _, _ in rows[first : max(first + 1, last)])

        return {(start, end): (text[start:end], pages(start, end)) for start, end in spans}


def damaged_claims(connection: sqlite3.Connection) -> list[str]:
    """Names of the documents whose kept claims do not match their checksum."""
    if not _has_tables(connection):
        return []
    rows = connection.execute("SELECT d.name, c.data, c.crc FROM claims c JOIN documents d ON d.number = c.document")
    return [name for name, data, crc in rows if zlib.crc32(data) != crc]


def _has_tables(connection: sqlite3.Connection) -> bool:
    # a collection that cannot be written keeps the format it was made with
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'claims'").fetchone() is not None
