"""A question to hits: dense and lexical search, fusion, duplicates, balance between documents.

Modes: `dense` is the paper's baseline (cosine, top k); `lexical` is BM25 (Robertson and Zaragoza 2009); `rrf` is
plain reciprocal rank fusion (Cormack, Clarke and Büttcher 2009); `hybrid`, the default, fuses, drops duplicates and
keeps one document from filling the list. What each step did stands in each hit's history.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from multidoc_rag.config import Config
from multidoc_rag.errors import BadQuestion
from multidoc_rag.index.store import Store
from multidoc_rag.records import Document, Embedder, Evidence, Hit, Intent, RetrievalMode
from multidoc_rag.search import queries
from multidoc_rag.search.evidence import balanced, grouped, without_duplicates

SEEN = 4
"""Places per wanted hit that duplicates and balance look at."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What `ask` reads: the hits chosen, as evidence, and the queries that found them."""

    hits: tuple[Hit, ...]
    evidence: Evidence
    queries: tuple[str, ...]


def checked_question(question: str, config: Config) -> str:
    """The question without white space around it; raises BadQuestion when empty or too long."""
    question = question.replace("\x00", "").strip()
    if not any(character.isalnum() for character in question):
        raise BadQuestion("The question is empty: type what you want to know.")
    if len(question) > config.question_limit:
        raise BadQuestion(
            f"The question has {len(question):,} characters, more than the {config.question_limit:,} allowed: "
            "ask for the point itself, and add long texts as documents."
        )
    return question


def search(
    store: Store,
    embedder: Embedder,
    question: str,
    *,
    k: int,
    mode: RetrievalMode,
    documents: Sequence[str] | None = None,
    config: Config,
) -> list[Hit]:
    """The k best hits for the question, best first, among the documents with these ids (all when None)."""
    question = checked_question(question, config)
    # balance looks a few places past the k best, not at every chunk that was ranked
    seen = SEEN * k if mode == "hybrid" else k
    hits = candidates(store, embedder, question, k=k, mode=mode, documents=documents, config=config, limit=seen)
    if mode != "hybrid":
        return hits
    return spread(without_duplicates(hits, across_documents=True), k, decay=config.document_decay)


def select(
    store: Store,
    embedder: Embedder,
    question: str,
    intent: Intent,
    *,
    searched: Sequence[Document],
    chosen: Sequence[str] | None = None,
    config: Config,
    wordings: Sequence[str] = (),
) -> Selection:
    """The evidence for `ask` among the documents `searched`.

    In `hybrid` mode the question, its parts, the further `wordings` given and, inside each document that it names,
    the question less the names are searched and fused; the result is balanced over documents. In the other modes: the
    plain top `Config.k`. `chosen` are ids the user picked (None: all documents were meant); each keeps at least one
    passage where it has one.
    """
    question = checked_question(question, config)
    titles = {document.id: document.title for document in searched}
    names = {document.id: document.name for document in searched}

    vectors: dict[str, np.ndarray] = {}

    def found(wording: str, documents: Sequence[str] | None, k: int) -> list[Hit]:
        if wording not in vectors and config.mode != "lexical":
            vectors[wording] = embedder.encode_query(wording)
        vector = vectors.get(wording)
        mode = config.mode
        return candidates(store, embedder, wording, k=k, mode=mode, documents=documents, config=config, vector=vector)

    if config.mode != "hybrid":
        hits = found(question, chosen, config.k)[: config.k]
        evidence = grouped(question, intent, hits, config=config, titles=titles, searched=names)
        return Selection(tuple(hits), evidence, (question,))

    named = queries.named_documents(question, searched)
    asked = tuple(dict.fromkeys((question, *wordings, *queries.parts(question))))
    lists = {wording: found(wording, chosen, config.k) for wording in asked}
    inside = queries.without_names(question, named)
    for document in named:
        lists[f"{inside} (in {document.name})"] = found(inside, [document.id], config.k)
    hits = lists[question] if len(lists) == 1 else fused(lists, config)
    hits = without_duplicates(hits, across_documents=False)
    for missing in sorted(set(chosen or ()) - {hit.chunk.document_id for hit in hits}):
        # a chosen document is heard even when others crowd it out of the first hundred
        hits += found(question, [missing], 1)[:1]
    balance = balanced(
        hits, config=config, chosen=chosen or (), favoured=[document.id for document in named], intent=intent
    )
    focus = inside if named else ""
    evidence = grouped(question, intent, balance, config=config, titles=titles, searched=names, focus=focus)
    return Selection(tuple(balance), evidence, tuple(lists))


def candidates(
    store: Store,
    embedder: Embedder,
    question: str,
    *,
    k: int,
    mode: RetrievalMode,
    documents: Sequence[str] | None,
    config: Config,
    limit: int | None = None,
    vector: np.ndarray | None = None,
) -> list[Hit]:
    """Ranked hits before duplicates and balance: `k` of them in the single modes, up to 2 x `Config.fetch` when fused,
    at most `limit`. `vector` is the question's, shape (dimension,), where it is known already."""
    store.refresh()
    fetch = max(k, config.fetch) if mode in ("rrf", "hybrid") else k
    dense: list[tuple[int, float]] = []
    lexical: list[tuple[int, float]] = []
    if mode != "lexical":
        vector = embedder.encode_query(question) if vector is None else vector
        dense = store.search_vectors(vector, fetch, document_ids=documents)
    if mode != "dense":
        lexical = store.search_words(question, fetch, document_ids=documents)
    if mode in ("dense", "lexical"):
        found, measure = (dense, "cosine") if mode == "dense" else (lexical, "BM25")
        chunks = store.chunks_by_id(chunk_id for chunk_id, _ in found)
        return [
            Hit(chunks[chunk_id], score, {mode: rank}, (f"{mode} rank {rank} ({measure} {score:.3f})",))
            for rank, (chunk_id, score) in enumerate(found[:limit], 1)
            if chunk_id in chunks
        ]
    scores = _fusion_scores(dense, lexical, mode, config)
    order = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[:limit]
    chunks = store.chunks_by_id(order)
    ranks: dict[int, dict[str, int]] = {chunk_id: {} for chunk_id in order}
    notes: dict[int, list[str]] = {chunk_id: [] for chunk_id in order}
    for name, measure, found in (("dense", "cosine", dense), ("lexical", "BM25", lexical)):
        for rank, (chunk_id, score) in enumerate(found, 1):
            if chunk_id in ranks:
                ranks[chunk_id][name] = rank
                notes[chunk_id].append(f"{name} rank {rank} ({measure} {score:.3f})")
    return [
        Hit(chunks[i], scores[i], ranks[i], (*notes[i], f"fused rank {rank} ({scores[i]:.4f})"))
        for rank, i in enumerate(order, 1)
        if i in chunks
    ]


def spread(hits: Sequence[Hit], k: int, *, decay: float) -> list[Hit]:
    """The first k hits when each further passage of one document counts `decay` times less (1.0 keeps the order)."""
    waiting: dict[str, list[Hit]] = {}
    for hit in hits:
        waiting.setdefault(hit.chunk.document_id, []).append(hit)
    # (weighted score, place in the list to settle ties, document, passages taken)
    heap = [(-queue[0].score, place, document, 0) for place, (document, queue) in enumerate(waiting.items())]
    heapq.heapify(heap)
    result: list[Hit] = []
    while heap and len(result) < k:
        _, place, document, taken = heapq.heappop(heap)
        hit = waiting[document][taken]
        if taken:
            note = f"balance: weighed x {decay**taken:.2f} after others of this document"
            hit = replace(hit, history=(*hit.history, note))
        result.append(hit)
        if taken + 1 < len(waiting[document]):
            score = waiting[document][taken + 1].score * decay ** (taken + 1)
            heapq.heappush(heap, (-score, place, document, taken + 1))
    return result


def _fusion_scores(
    dense: Sequence[tuple[int, float]], lexical: Sequence[tuple[int, float]], mode: RetrievalMode, config: Config
) -> dict[int, float]:
    """Reciprocal rank fusion: the sum of 1 / (constant + rank) over the retrievers that found a chunk."""
    constant, weights = config.rrf_constant, (1.0, 1.0)
    if mode == "hybrid":
        constant, weights = config.fusion_constant, (1.0, config.lexical_weight)
    scores: dict[int, float] = {}
    for weight, found in zip(weights, (dense, lexical), strict=True):
        for rank, (chunk_id, _) in enumerate(found, 1):
            scores[chunk_id] = scores.get(chunk_id, 0.0) + weight / (constant + rank)
    return scores


def fused(lists: Mapping[str, Sequence[Hit]], config: Config) -> list[Hit]:
    """Several wordings' hits fused by reciprocal rank, each hit keeping its best wording's ranks."""
    scores: dict[int, float] = {}
    best: dict[int, Hit] = {}
    for wording, hits in lists.items():
        for rank, hit in enumerate(hits, 1):
            scores[hit.chunk.id] = scores.get(hit.chunk.id, 0.0) + 1 / (config.fusion_constant + rank)
            note = f"query {wording[:60]!r}: rank {rank}"
            known = best.get(hit.chunk.id, hit)
            best[hit.chunk.id] = replace(known, history=(*known.history, note))
    order = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))
    return [replace(best[chunk_id], score=scores[chunk_id]) for chunk_id in order]
