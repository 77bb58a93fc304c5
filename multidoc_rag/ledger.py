"""The ledger of conflicts over a whole collection, kept up to date as documents come and go.

A document's claims are read and embedded once and compared with those of every document compared before; both are kept,
and go with their document. So one document more costs its own claims and one comparison with each other document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from multidoc_rag import claims as claims_room
from multidoc_rag import conflicts as conflicts_room
from multidoc_rag.claims import claims
from multidoc_rag.conflicts import Finding, candidates, compare
from multidoc_rag.differences import KINDS
from multidoc_rag.findings import ClaimVectors
from multidoc_rag.records import Embedder, Passage, Progress
from multidoc_rag.store import Store

CLAIMS_IN_MEMORY = 64
"""Documents whose claims are held as texts at a time; vectors are held for all."""


def rules(fingerprint: str) -> str:
    """Under which rules claims are read, embedded and compared: another value means another ledger."""
    return f"{claims_room.VERSION}.{conflicts_room.VERSION} {fingerprint}"


def ledger(
    store: Store, embedder: Embedder, *, on_progress: Callable[[Progress], None] | None = None
) -> tuple[dict[str, Any], ...]:
    """All findings in the form of the `conflicts` command, conflicts first; documents new since are compared first.

    A collection that cannot be written shows what was found before. Raises StoreError, EmbeddingError.
    """
    if not store.read_only:
        update(store, embedder, on_progress=on_progress)
    return tuple(_shown(store, one, other, finding) for one, other, finding in _sorted(store, embedder.fingerprint))


def among(store: Store, fingerprint: str, passages: tuple[Passage, ...]) -> tuple[dict[str, Any], ...]:
    """The kept findings both sides of which stand in the passages; what was not compared yet is not there."""
    spans = [(passage.document_id, passage.start, passage.end) for passage in passages]

    def read(document: str, side: dict[str, Any]) -> bool:
        return any(d == document and start < side["end"] and side["start"] < end for d, start, end in spans)

    return tuple(
        _shown(store, one, other, finding)
        for one, other, finding in _sorted(store, fingerprint)
        if read(one, finding["sides"][0]) and read(other, finding["sides"][1])
    )


def update(store: Store, embedder: Embedder, *, on_progress: Callable[[Progress], None] | None = None) -> int:
    """Compares the documents that were not compared yet; returns how many there were."""
    made_by = rules(embedder.fingerprint)
    store.drop_claims(made_by)
    compared: dict[int, ClaimVectors] = {}

    kept = lru_cache(maxsize=CLAIMS_IN_MEMORY)(store.kept_claims)

    done = 0
    while True:
        there = store.claimed(made_by)
        waiting = [document for document in store.documents() if document.id not in set(there.values())]
        if not waiting:
            return done
        document = waiting[0]
        found = claims(
            store.text(document.id),
            document_id=document.id,
            document_name=document.name,
            tables=store.tables(document.id),
            language=document.language,
        )
        vectors = embedder.encode([claim.embedded for claim in found]) if found else np.empty((0, embedder.dimension))
        masks = [claim.mask for claim in found]
        findings = []
        for number in there:
            if number not in compared:
                compared[number] = store.claim_vectors(number)
            theirs = compared[number]
            if not len(theirs.masks) or not found:
                continue
            # as they will be kept, so that the order in which documents come makes no difference
            cosines = vectors.astype(np.float16).astype(np.float32) @ theirs.vectors.astype(np.float32).T
            if candidates(cosines, masks, theirs.masks):
                findings += [(number, _kept(finding)) for finding in compare(found, kept(number), cosines)]
        if store.keep_findings(document.id, made_by, found, vectors, there, findings):
            done += 1
            if on_progress is not None:
                total = float(done + len(waiting) - 1)
                on_progress(Progress(document.name, "storing", done, int(total), float(done), total))


def _kept(finding: Finding) -> dict[str, Any]:
    sides = [
        {"start": claim.start, "end": claim.end, "value": value}
        for claim, value in zip((finding.one, finding.other), finding.values, strict=True)
    ]
    return {
        "kind": finding.kind,
        "subject": finding.subject,
        "measure": finding.measure,
        "likeness": round(finding.likeness, 4),
        "sides": sides,
    }


def _sorted(store: Store, fingerprint: str) -> list[tuple[str, str, dict[str, Any]]]:
    found = store.kept_findings(rules(fingerprint))
    return sorted(found, key=lambda row: (KINDS.index(row[2]["kind"]), -row[2]["likeness"], row[0], row[1]))


def _shown(store: Store, one: str, other: str, finding: dict[str, Any]) -> dict[str, Any]:
    names = {document.id: document.name for document in store.indexes.snapshot.documents.values()}
    return {
        "kind": finding["kind"],
        "subject": finding["subject"],
        "measure": finding["measure"],
        "sides": [
            {
                "document": names.get(identity, identity),
                "page": store.page_of(identity, side["start"]),
                "quote": store.text_between(identity, side["start"], side["end"]),
                "value": side["value"],
            }
            for identity, side in zip((one, other), finding["sides"], strict=True)
        ],
    }
