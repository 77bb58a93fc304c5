"""Hits become evidence: duplicates removed, documents balanced, neighbours glued, grouped and put in order.

Pure functions. The order against lost-in-the-middle follows Liu et al. 2023: models use what stands at the
beginning and at the end of a long prompt best.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from multidoc_rag.config import Config
from multidoc_rag.records import Chunk, Evidence, EvidenceGroup, Hit, Intent, Passage, Strategy

T = TypeVar("T")


def without_duplicates(hits: Sequence[Hit], *, across_documents: bool) -> list[Hit]:
    """Hits whose text was not seen before, whatever its case and white space; the one kept says in its history where
    else the text stands.

    With `across_documents` false the same text in two documents stays twice: that both say it is itself evidence.
    """
    kept: dict[tuple[str, str], int] = {}
    result: list[Hit] = []
    for hit in hits:
        # case and white space alone: folding in full would cost more than the search
        text = " ".join(hit.chunk.text.casefold().split())
        key = (text, "" if across_documents else hit.chunk.document_id)
        if key in kept:
            first = result[kept[key]]
            note = f"same text in {hit.chunk.document_name} p.{hit.chunk.page_range}, shown once"
            result[kept[key]] = replace(first, history=(*first.history, note))
        else:
            kept[key] = len(result)
            result.append(hit)
    return result


def balanced(
    hits: Sequence[Hit],
    *,
    config: Config,
    chosen: Iterable[str] = (),
    favoured: Collection[str] = (),
    intent: Intent | None = None,
) -> list[Hit]:
    """The hits that evidence is made of: every strong document is heard, then the best passages win.

    In this order, up to `Config.passages_total`: one passage for each document the user chose (`chosen`, ids); for
    synthesis, `Config.synthesis_passages` for the first `Config.synthesis_documents` documents that have them; one for
    each of the first `Config.passages_documents` documents; then by score, at most `Config.passages_per_document` of
    one document. Where the question names documents (`favoured`, ids), the others add one passage at most.

    A strict round robin hears every document too, but gives away the place of better passages: `benchmarks/quotes.py
    gold` prints the share of the facts that reaches the evidence.
    """
    queues: dict[str, list[Hit]] = {}
    for hit in hits:
        queues.setdefault(hit.chunk.document_id, []).append(hit)
    total = max(config.passages_total, sum(document in queues for document in set(chosen)))
    taken: dict[str, int] = dict.fromkeys(queues, 0)
    result: list[Hit] = []

    def take(document: str, why: str) -> None:
        hit = queues[document][taken[document]]
        taken[document] += 1
        result.append(replace(hit, history=(*hit.history, f"balance: {why}")))

    for document in dict.fromkeys(chosen):
        if document in queues:
            take(document, "one for a chosen document")
    if intent is not None and intent.name == "synthesis":
        able = [document for document in queues if len(queues[document]) >= config.synthesis_passages]
        for document in able[: config.synthesis_documents]:
            while taken[document] < config.synthesis_passages and len(result) < total:
                take(document, "synthesis wants two passages here")
    for document in list(queues)[: config.passages_documents]:
        if not taken[document] and len(result) < total:
            take(document, "one for each document")
    for hit in hits:
        document = hit.chunk.document_id
        limit = config.passages_per_document if not favoured or document in favoured else 1
        # a document's passages are taken in order, so the next of its queue tells whether this one was taken already
        following = queues[document][taken[document] :][:1]
        if len(result) < total and taken[document] < limit and following == [hit]:
            take(document, "by score")
    return result


def as_passages(hits: Sequence[Hit], *, config: Config) -> list[Passage]:
    """One passage a hit, neighbours of one document that overlap or touch glued into one span.

    The text stays verbatim and the offsets exact. A passage of one chunk is cut to `Config.passage_characters`;
    tables are neither cut nor glued to prose.
    """
    best: dict[int, Hit] = {}
    for hit in hits:
        if hit.chunk.id not in best or hit.score > best[hit.chunk.id].score:
            best[hit.chunk.id] = hit
    runs: list[list[Hit]] = []
    for hit in sorted(best.values(), key=lambda h: (h.chunk.document_id, h.chunk.start, h.chunk.end)):
        last = runs[-1][-1].chunk if runs else None
        if last is not None and _touches(last, hit.chunk):
            runs[-1].append(hit)
        else:
            runs.append([hit])
    passages = [_passage(run, config.passage_characters) for run in runs]
    return sorted(passages, key=lambda passage: -passage.score)


def _touches(first: Chunk, second: Chunk) -> bool:
    same = first.document_id == second.document_id and first.kind == second.kind == "text"
    return same and second.start <= first.end


def _passage(run: Sequence[Hit], limit: int) -> Passage:
    first = run[0].chunk
    text, end, page_end = first.text, first.end, first.page_end
    for hit in run[1:]:
        if hit.chunk.end > end:
            text += hit.chunk.text[end - hit.chunk.start :]
            end, page_end = hit.chunk.end, hit.chunk.page_end
    if len(run) == 1 and first.kind == "text" and len(text) > limit:
        text = text[:limit].rstrip()
        end = first.start + len(text)
    return Passage(
        document_id=first.document_id,
        document_name=first.document_name,
        page_start=first.page_start,
        page_end=page_end,
        start=first.start,
        end=end,
        text=text,
        section=first.section,
        score=max(hit.score for hit in run),
        chunk_ids=tuple(hit.chunk.id for hit in run),
        kind=first.kind,
    )


def grouped(
    question: str,
    intent: Intent,
    hits: Sequence[Hit],
    *,
    config: Config,
    titles: Mapping[str, str] | None = None,
    searched: Mapping[str, str] | None = None,
    focus: str = "",
) -> Evidence:
    """Evidence grouped by document, strongest document first, each document's passages best first.

    `titles` maps document ids to titles. `searched` maps the ids of all documents that were searched to their names:
    those without a passage stand at the end with none ("nothing found").
    """
    titles = titles or {}
    by_document: dict[str, list[Passage]] = {}
    for passage in as_passages(hits, config=config):
        by_document.setdefault(passage.document_id, []).append(passage)
    groups = [
        EvidenceGroup(document, passages[0].document_name, titles.get(document, ""), tuple(passages))
        for document, passages in by_document.items()
    ]
    groups.sort(key=lambda group: -group.score)
    for document, name in (searched or {}).items():
        if document not in by_document:
            groups.append(EvidenceGroup(document, name, titles.get(document, ""), ()))
    return Evidence(question, intent, tuple(groups), focus)


def ends_first(items: Sequence[T]) -> list[T]:
    """Items given best first, laid out with the best at the start, the second best at the end, the weakest in the
    middle."""
    return [*items[::2], *reversed(items[1::2])]


def in_prompt_order(groups: Sequence[EvidenceGroup], *, strategy: Strategy, reorder: bool) -> tuple[Passage, ...]:
    """The passages as they stand in a prompt.

    structured: whole documents, strongest first; with `reorder` the second strongest document comes last, the weakest
    in the middle, the best passage opens the first block and the last block closes with its best. flat: by score;
    with `reorder` documents are interleaved and the strongest passages stand at both ends.
    """
    ranked = sorted((group for group in groups if group.passages), key=lambda group: -group.score)
    by_score = [sorted(group.passages, key=lambda passage: -passage.score) for group in ranked]
    if strategy == "flat":
        if not reorder:
            return tuple(sorted((p for passages in by_score for p in passages), key=lambda passage: -passage.score))
        longest = max((len(passages) for passages in by_score), default=0)
        turns = [passages[turn] for turn in range(longest) for passages in by_score if turn < len(passages)]
        return tuple(ends_first(turns))
    if not reorder:
        return tuple(passage for passages in by_score for passage in passages)
    blocks = ends_first(by_score)
    ordered: list[Passage] = []
    for index, passages in enumerate(blocks):
        if index == 0:
            # a single block has both ends to itself
            ordered += ends_first(passages) if len(blocks) == 1 else passages
        else:
            ordered += reversed(passages) if index == len(blocks) - 1 else ends_first(passages)
    return tuple(ordered)
