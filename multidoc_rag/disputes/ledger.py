"""The ledger of conflicts over a whole collection, kept up to date as documents come and go.

A document's claims are read and embedded once and compared with the nearest claims of every document compared before;
both are kept, and go with their document. So one document more costs its own claims, whatever is there already (but
for one product of matrices). Each document is one piece: an end at any moment loses at most the one being compared.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import filelock
import numpy as np

from multidoc_rag.disputes import claims as claims_room
from multidoc_rag.disputes import conflicts as conflicts_room
from multidoc_rag.disputes.claims import claims
from multidoc_rag.disputes.conflicts import LEAST_COSINE, NONE_COSINE, Finding, candidates, compare, strangers
from multidoc_rag.disputes.differences import KINDS
from multidoc_rag.disputes.editions import OPENING, edition, later
from multidoc_rag.disputes.subjects import NOTHING, Subject, relation, subject, title_slots
from multidoc_rag.errors import UnknownDocument
from multidoc_rag.index.findings import ClaimVectors
from multidoc_rag.index.store import Store
from multidoc_rag.records import Document, Embedder, Passage, Place, Progress

CLAIMS_IN_MEMORY = 64
"""Documents whose claims are held as texts at a time; vectors are held for all."""
NEAREST = 24
"""A claim is held against so many of the nearest in the whole collection: however many documents say the same thing,
one more costs no more. Up to eight others (three each, `conflicts.RIVALS`) nothing is passed over."""
STRANGERS = 3
"""The same among documents about other things by what they name (other flats, other products): they have little to say
of one's own, and many of one mould must not take the places of the few about the same thing."""
LOOK_ALIKES = 3
"""Of what differs for a reason a claim keeps so many of each kind, the most alike; conflicts it keeps all."""
TOGETHER = 4096
"""Claims whose vectors are multiplied at a time."""


def rules(fingerprint: str) -> str:
    """Under which rules claims are read, embedded and compared: another value means another ledger."""
    return f"{claims_room.VERSION}.{conflicts_room.VERSION} {fingerprint}"


def ledger(store: Store, fingerprint: str) -> tuple[dict[str, Any], ...]:
    """All findings kept, in the form of the `conflicts` command, conflicts first. Raises StoreError."""
    return _shown(store, store.kept_findings(rules(fingerprint)))


def among(store: Store, fingerprint: str, passages: tuple[Passage, ...]) -> tuple[dict[str, Any], ...]:
    """The kept findings both sides of which stand in the passages; what was not compared yet is not there."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for passage in passages:
        spans.setdefault(passage.document_id, []).append((passage.start, passage.end))

    def read(document: str, side: dict[str, Any]) -> bool:
        return any(start < side["end"] and side["start"] < end for start, end in spans[document])

    found = store.kept_findings(rules(fingerprint), spans)
    return _shown(
        store,
        [row for row in found if read(row[0], row[2]["sides"][0]) and read(row[1], row[2]["sides"][1])],
    )


def waiting(store: Store, fingerprint: str) -> tuple[Document, ...]:
    """The documents that were not compared yet, in the order they were added."""
    compared = store.compared(rules(fingerprint))
    return tuple(document for document in store.documents() if document.id not in compared)


def update(
    store: Store,
    embedder: Embedder,
    *,
    on_progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> int:
    """Compares the documents that were not compared yet; returns how many of them this call did.

    Several may do so at once (the app's worker and a command): each document is done by one of them. `cancelled` is
    asked between documents. Raises StoreError, EmbeddingError.
    """
    made_by = rules(embedder.fingerprint)
    if store.read_only or not waiting(store, embedder.fingerprint):
        return 0
    store.drop_claims(made_by)
    held = _Held(store)
    done, started = 0, time.monotonic()
    lock = filelock.FileLock(store.folder / "comparing.lock", thread_local=False)
    while not (cancelled and cancelled()):
        with lock:
            left = waiting(store, embedder.fingerprint)
            if not left:
                break
            if on_progress is not None:
                seconds = (time.monotonic() - started) / done * len(left) if done else None
                total = done + len(left)
                on_progress(Progress(left[0].name, "comparing", done, total, float(done), float(total), seconds))
            done += _compared(store, embedder, left[0], held)
    return done


def _compared(store: Store, embedder: Embedder, document: Document, held: _Held) -> bool:
    """Compares one document with all compared before; False where it has left meanwhile."""
    made_by = rules(embedder.fingerprint)
    there = store.claimed(made_by)
    held.follow(there)
    found = claims(
        store.text(document.id),
        document_id=document.id,
        document_name=document.name,
        tables=store.tables(document.id),
        language=document.language,
    )
    vectors = embedder.encode([claim.embedded for claim in found]) if found else np.empty((0, embedder.dimension))
    # as they will be kept, so that the order in which documents come makes no difference
    about = found[0].about if found else NOTHING
    kept = ClaimVectors(np.array([claim.mask for claim in found], np.int64), vectors.astype(np.float16), about)
    every = [
        (number, finding)
        for number, cosines, pairs in held.near(kept)
        for finding in compare(found, held.claims(number), cosines, pairs)
    ]
    findings = [(number, _kept(finding)) for number, finding in _worth_keeping(every)]
    return store.keep_findings(document.id, made_by, found, vectors, there, findings)


def _worth_keeping(every: Sequence[tuple[int, Finding]]) -> Iterator[tuple[int, Finding]]:
    """The findings of one document, (number of the other, finding), without a claim's less alike LOOK_ALIKES."""
    taken: Counter[tuple[str, int, tuple[int, int] | None]] = Counter()
    for number, finding in sorted(every, key=lambda each: (-each[1].likeness, each[0])):
        of = finding.kind, finding.one.start, finding.one.cell
        taken[of] += 1
        if finding.kind == "conflict" or taken[of] <= LOOK_ALIKES:
            yield number, finding


class _Held:
    """The claims compared before, as vectors in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._vectors: dict[int, ClaimVectors] = {}
        self.claims = lru_cache(maxsize=CLAIMS_IN_MEMORY)(store.kept_claims)

    def follow(self, numbers: Iterable[int]) -> None:
        """Holds these documents, by number, and no others."""
        self._vectors = {
            number: self._vectors.get(number) or self._store.claim_vectors(number) for number in sorted(numbers)
        }

    def near(self, ours: ClaimVectors) -> Iterator[tuple[int, np.ndarray, list[tuple[int, int]]]]:
        """(number, cosines, pairs to read) of each document with a claim near one of ours, by number.

        Cosines are float32, shape (len(ours), its claims). Of all pairs worth reading each of our claims keeps its
        NEAREST, STRANGERS among documents about other things; those that only a "none" brings in are counted apart.
        """
        if not len(ours.masks):
            return
        mine = ours.vectors.astype(np.float32)
        pairs: list[tuple[bool, bool, float, int, int, int]] = []
        for numbers in self._together():
            both = mine @ np.concatenate([self._vectors[number].vectors for number in numbers]).astype(np.float32).T
            ends = list(itertools.accumulate(len(self._vectors[number].masks) for number in numbers))
            best = both.max(axis=0)
            for number, end in zip(numbers, ends, strict=True):
                masks = self._vectors[number].masks
                start = end - len(masks)
                if best[start:end].max() < min(LEAST_COSINE, NONE_COSINE):
                    continue
                cosines = both[:, start:end]
                strange = strangers(ours.about, self._vectors[number].about, cosines)
                for i, j in candidates(cosines, ours.masks, masks):
                    cosine = float(cosines[i, j])
                    pairs.append((strange, cosine < LEAST_COSINE, -cosine, i, number, j))
        chosen: dict[int, list[tuple[int, int]]] = {}
        taken: Counter[tuple[bool, bool, int]] = Counter()
        for strange, far, _, i, number, j in sorted(pairs):
            taken[strange, far, i] += 1
            if taken[strange, far, i] <= (STRANGERS if strange else NEAREST):
                chosen.setdefault(number, []).append((i, j))
        for number in sorted(chosen):
            yield number, mine @ self._vectors[number].vectors.astype(np.float32).T, sorted(chosen[number])

    def _together(self) -> Iterator[list[int]]:
        """Numbers of the documents that have claims, so many at a time that their vectors fit well in memory."""
        numbers, count = [], 0
        for number, held in self._vectors.items():
            if not len(held.masks):
                continue
            numbers.append(number)
            count += len(held.masks)
            if count >= TOGETHER:
                yield numbers
                numbers, count = [], 0
        if numbers:
            yield numbers


def placed(
    conflicts: Sequence[Mapping[str, Any]], places: Callable[[str, int, int], Sequence[Place]]
) -> tuple[dict[str, Any], ...]:
    """The conflicts with what `places(document id, start, end)` gives for each side, asked page by page; a side whose
    document was removed meanwhile keeps the pages it had."""
    found: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for key in sorted({(s["document_id"], s["start"], s["end"]) for c in conflicts for s in c["sides"]}):
        with suppress(UnknownDocument):
            found[key] = [{"page": p.page, "boxes": [list(box) for box in p.boxes]} for p in places(*key)]

    def with_places(side: Mapping[str, Any]) -> dict[str, Any]:
        known = found.get((side["document_id"], side["start"], side["end"]))
        return {**side, "places": known or side.get("places", [{"page": side["page"], "boxes": []}])}

    return tuple({**conflict, "sides": [with_places(side) for side in conflict["sides"]]} for conflict in conflicts)


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


def _settled(
    store: Store, rows: Sequence[tuple[str, str, dict[str, Any]]], names: Mapping[str, str]
) -> list[tuple[str, str, dict[str, Any]]]:
    """Kept findings, in view of the whole collection: what is a conflict between two documents may be none among three.

    A letter about one medicine is not in conflict with the leaflets of all, but with those only whose own word (where
    their titles differ) its title or file name has; where it has none, what it is about is not known. What an earlier
    edition says, and the later one says otherwise, is superseded for all others too.
    """
    partners: dict[tuple[str, int, int], dict[str, str]] = {}
    for one, other, finding in rows:
        if finding["kind"] == "conflict":
            (left, right) = finding["sides"]
            partners.setdefault((one, left["start"], left["end"]), {})[other] = right["value"]
            partners.setdefault((other, right["start"], right["end"]), {})[one] = left["value"]
    at_odds = {frozenset(pair[:2]) for pair in rows if pair[2]["kind"] == "conflict"}
    openings: dict[str, str] = {}

    def opening(identity: str) -> str:
        if identity not in openings:
            openings[identity] = ""
            with suppress(UnknownDocument):
                openings[identity] = store.text_between(identity, 0, OPENING)
        return openings[identity]

    def about(identity: str) -> Subject:
        return subject(opening(identity), names[identity])

    outdated = set()
    for one, other, finding in rows:
        if finding["kind"] == "superseded":
            newer = later(edition(opening(one), names[one]), edition(opening(other), names[other]))
            if newer is not None:
                left, right = finding["sides"]
                older = (one, left) if newer else (other, right)
                outdated.add((older[0], older[1]["start"], older[1]["end"]))

    def of_another(claim: tuple[str, int, int], partner: str) -> bool:
        rivals = partners[claim]
        for rival, value in rivals.items():
            if value == rivals[partner] or frozenset((rival, partner)) in at_odds:
                continue
            if relation(about(partner), about(rival)) == "other":
                if relation(about(claim[0]), about(partner)) != "same":
                    return True
            elif (own := title_slots(about(partner), about(rival))[0]) and own.isdisjoint(
                (*about(claim[0]).title, *about(claim[0]).file)
            ):
                return True
        return False

    settled = []
    for one, other, finding in rows:
        if finding["kind"] == "conflict":
            left, right = ((side["start"], side["end"]) for side in finding["sides"])
            if not outdated.isdisjoint(((one, *left), (other, *right))):
                finding = {**finding, "kind": "superseded"}
            elif of_another((one, *left), other) or of_another((other, *right), one):
                finding = {**finding, "kind": "other_scope"}
        settled.append((one, other, finding))
    return settled


def _shown(store: Store, found: Sequence[tuple[str, str, dict[str, Any]]]) -> tuple[dict[str, Any], ...]:
    """Kept findings in the form of the `conflicts` command: conflicts first, of a kind two documents' together."""
    names = {document.id: document.name for document in store.documents()}
    # a document may have been removed since its findings were read
    rows = [row for row in found if row[0] in names and row[1] in names]
    rows = _settled(store, rows, names)
    # what two documents disagree on stands together, most alike first
    best: dict[tuple[str, frozenset[str]], float] = {}
    for one, other, finding in rows:
        pair = finding["kind"], frozenset((one, other))
        best[pair] = max(best.get(pair, 0.0), finding["likeness"])

    def place(row: tuple[str, str, dict[str, Any]]) -> tuple[int, float, str, str, float]:
        one, other, finding = row
        first, second = sorted((one, other))
        alike = best[finding["kind"], frozenset((one, other))]
        return KINDS.index(finding["kind"]), -alike, first, second, -finding["likeness"]

    rows.sort(key=place)
    spans: dict[str, set[tuple[int, int]]] = {}
    for one, other, finding in rows:
        for identity, side in zip((one, other), finding["sides"], strict=True):
            spans.setdefault(identity, set()).add((side["start"], side["end"]))
    quoted = {identity: store.quotes(identity, wanted) for identity, wanted in spans.items()}
    return tuple(
        {
            "kind": finding["kind"],
            "subject": finding["subject"],
            "measure": finding["measure"],
            "sides": [
                _side(identity, names[identity], side, quoted[identity][side["start"], side["end"]])
                for identity, side in zip((one, other), finding["sides"], strict=True)
            ],
        }
        for one, other, finding in rows
        if one in quoted and other in quoted and quoted[one] and quoted[other]
    )


def _side(identity: str, name: str, side: dict[str, Any], quote: tuple[str, tuple[int, ...]]) -> dict[str, Any]:
    text, pages = quote
    return {
        "document": name,
        "document_id": identity,
        "page": pages[0],
        "quote": text,
        "value": side["value"],
        "start": side["start"],
        "end": side["end"],
        "places": [{"page": page, "boxes": []} for page in pages],
    }
