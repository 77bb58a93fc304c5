"""A question to hits: dense and lexical search, fusion, duplicates, balance between documents.

Modes: `dense` is the paper's baseline (cosine, top k); `lexical` is BM25 (Robertson and Zaragoza 2009); `rrf` is
plain reciprocal rank fusion (Cormack, Clarke and Büttcher 2009); `hybrid`, the default, fuses, drops duplicates and
keeps one document from filling the list. What each step did stands in each hit's history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from multidoc_rag import queries
from multidoc_rag.config import Config
from multidoc_rag.errors import BadQuestion
from multidoc_rag.evidence import balanced, grouped, without_duplicates
from multidoc_rag.records import Chunk, Document, Embedder, Evidence, Hit, Intent, RetrievalMode
from multidoc_rag.store import Store


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
    hits = candidates(store, embedder, question, k=k, mode=mode, documents=documents, config=config)
    if mode != "hybrid":
        return hits[:k]
    hits = without_duplicates(hits, across_documents=True)
    return spread(hits, decay=config.document_decay)[:k]


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

    def found(wording: str, documents: Sequence[str] | None, k: int) -> list[Hit]:
        mode = config.mode
        return candidates(store, embedder, wording, k=k, mode=mode, documents=documents, config=config)

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
    evidence = grouped(question, intent, balance, config=config, titles=titles, searched=names)
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
) -> list[Hit]:
    """Ranked hits before duplicates and balance: `k` of them in the single modes, up to 2 x `Config.fetch` when
    fused."""
    store.refresh()
    fetch = max(k, config.fetch) if mode in ("rrf", "hybrid") else k
    dense: list[tuple[int, float]] = []
    lexical: list[tuple[int, float]] = []
    if mode != "lexical":
        dense = store.search_vectors(embedder.encode_query(question), fetch, document_ids=documents)
    if mode != "dense":
        lexical = store.search_words(question, fetch, document_ids=documents)
    chunks = store.chunks_by_id({chunk_id for chunk_id, _ in (*dense, *lexical)})
    if mode == "dense":
        return _single("dense", "cosine", dense, chunks)
    if mode == "lexical":
        return _single("lexical", "BM25", lexical, chunks)
    ranks: dict[int, dict[str, int]] = {}
    notes: dict[int, list[str]] = {}
    for name, measure, found in (("dense", "cosine", dense), ("lexical", "BM25", lexical)):
        for rank, (chunk_id, score) in enumerate(found, 1):
            ranks.setdefault(chunk_id, {})[name] = rank
            notes.setdefault(chunk_id, []).append(f"{name} rank {rank} ({measure} {score:.3f})")
    scores = _fusion_scores(dense, lexical, mode, config)
    order = sorted(
        (chunk_id for chunk_id in scores if chunk_id in chunks), key=lambda chunk_id: (-scores[chunk_id], chunk_id)
    )
    return [
        Hit(chunks[i], scores[i], ranks[i], (*notes[i], f"fused rank {rank} ({scores[i]:.4f})"))
        for rank, i in enumerate(order, 1)
    ]


def spread(hits: Sequence[Hit], *, decay: float) -> list[Hit]:
    """Hits reordered so that each further passage of one document counts `decay` times less (1.0 leaves the order)."""
    waiting: dict[str, list[Hit]] = {}
    for hit in hits:
        waiting.setdefault(hit.chunk.document_id, []).append(hit)
    factor = dict.fromkeys(waiting, 1.0)
    result: list[Hit] = []
    while waiting:
        best = max(waiting, key=lambda document: waiting[document][0].score * factor[document])
        hit = waiting[best].pop(0)
        history = hit.history
        if factor[best] < 1.0:
            history = (*history, f"balance: weighed x {factor[best]:.2f} after others of this document")
        result.append(replace(hit, history=history))
        factor[best] *= decay
        if not waiting[best]:
            del waiting[best]
    return result


def _single(name: str, measure: str, found: Sequence[tuple[int, float]], chunks: Mapping[int, Chunk]) -> list[Hit]:
    return [
        Hit(chunks[chunk_id], score, {name: rank}, (f"{name} rank {rank} ({measure} {score:.3f})",))
        for rank, (chunk_id, score) in enumerate(found, 1)
        if chunk_id in chunks
    ]


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
