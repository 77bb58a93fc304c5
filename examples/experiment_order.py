"""E4: where the gold passages stand in the prompt, and what a model finds by where they stand.

After Liu et al. 2023, "Lost in the Middle": the same passages, the gold one at the start, in the middle, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from experiment import (
    PAPER_K,
    Check,
    Fact,
    Outcome,
    Question,
    Setting,
    gold_questions,
    placed,
    rounded,
    table,
    write,
)

from multidoc_rag.metrics import holds_quote, mean, needles_found, relative_position, share, thirds
from multidoc_rag.records import Evidence, Hit, Prompt, Strategy
from multidoc_rag.search.evidence import grouped
from multidoc_rag.search.retrieval import select

VARIANTS: tuple[tuple[Strategy, bool], ...] = (
    ("flat", False), ("flat", True), ("structured", False), ("structured", True),
)  # fmt: skip
POSITIONS = ("start", "middle", "end")
DISTRACTORS = 8
MODEL_QUESTIONS = 8
ANSWER_TOKENS = 120


def run(setting: Setting) -> Outcome:
    """The places of the gold passages and, with a model, the needles found by place."""
    questions = [question for question in gold_questions(setting.files) if question.facts]
    stands, tables = [], []
    for source in ("dense", "selected"):
        prompts: dict[tuple[Strategy, bool], list[tuple[Question, Prompt]]] = {variant: [] for variant in VARIANTS}
        for question in questions:
            evidence = _evidence(setting, question, source)
            for strategy, reorder in VARIANTS:
                prompt = setting.reasoner.build_prompt(question.text, evidence, strategy=strategy, reorder=reorder)
                prompts[strategy, reorder].append((question, prompt))
        stands += [_standing(source, strategy, reorder, made) for (strategy, reorder), made in prompts.items()]
    headings = ["evidence", "strategy", "reordered", "questions", "passages", "gold", "mean position"]
    headings += ["first third", "middle third", "last third", "an end", "an end, any passage"]
    tables.append(table(headings, [[row[name] for name in _COLUMNS] for row in stands]))
    record = setting.stamp("E4", "Order of the passages") | {
        "definitions": {
            "gold": "a passage of the fact's document that holds the fact's quote, white space and hyphens aside",
            "position": "0 the first passage in the prompt, 1 the last; prompts of one passage are left out",
            "evidence": f"dense: cosine, the {PAPER_K} best; selected: what `ask` reads ({setting.config.mode})",
            "needles": "those of the fact that the question itself does not hold",
            "an end": "share of gold passages in the first or last third; beside it the same for any passage",
        },
        "places": stands,
    }
    checks = [Check("E4 gold passages were found in the prompts", all(row["gold"] for row in stands))]
    if setting.llm is None:
        record["positions"] = "not applicable: quotes-only reads no prompt"
    else:
        by_place, replies = _by_position(setting)
        record |= {"positions": by_place, "distractors": DISTRACTORS, "max_tokens": ANSWER_TOKENS, "answers": replies}
        columns = ["gold passage", "questions", "failures", "needles", "found", "share", "all needles found"]
        tables.append(table(columns, [list(row.values()) for row in by_place]))
        same = len({row["questions"] for row in by_place}) == 1
        checks.append(Check("E4 every position was tried on the same questions", same and bool(replies)))
    return Outcome("e4_order", rounded(record), tuple(checks), tuple(tables))


_COLUMNS = (
    "evidence", "strategy", "reorder", "questions", "passages", "gold", "mean_position",
    "first_third", "middle_third", "last_third", "ends", "ends_any_passage",
)  # fmt: skip


def _evidence(setting: Setting, question: Question, source: str) -> Evidence:
    if source == "dense":
        return setting.reasoner.group(question.text, setting.paper_hits(question.text))
    library = setting.library
    intent = setting.reasoner.classify(question.text)
    documents = library.documents()
    selection = select(
        library.store, library.embedder, question.text, intent, searched=documents, config=setting.config
    )
    return selection.evidence


def _standing(
    source: str, strategy: Strategy, reorder: bool, made: Sequence[tuple[Question, Prompt]]
) -> dict[str, Any]:
    """Where gold passages stand over all questions, beside where passages stand anyhow."""
    gold: list[float] = []
    every: list[float] = []
    for question, prompt in made:
        count = len(prompt.passages)
        if count < 2:
            continue
        for index, passage in enumerate(prompt.passages):
            position = relative_position(index, count)
            every.append(position)
            if any(f.document == passage.document_name and holds_quote(passage.text, f.quote) for f in question.facts):
                gold.append(position)
    first, middle, last = thirds(gold)
    return {
        "evidence": source,
        "strategy": strategy,
        "reorder": reorder,
        "questions": len(made),
        "passages": len(every),
        "gold": len(gold),
        "mean_position": mean(gold),
        "first_third": first,
        "middle_third": middle,
        "last_third": last,
        "ends": first + last,
        "ends_any_passage": sum(thirds(every)[::2]),
    }


# --- with a model ------------------------------------------------------------------------------


def needle_tests(setting: Setting, size: int) -> list[tuple[Question, Fact, Hit, list[Hit]]]:
    """Questions with few facts, one fact's chunk, and the nearest chunks that hold no gold quote of the question."""
    found: list[tuple[Question, Fact, Hit, list[Hit]]] = []
    candidates = sorted((q for q in gold_questions(setting.files) if q.facts), key=lambda q: (len(q.facts), q.id))
    for question in candidates:
        if len(found) == size:
            break
        fact = question.facts[0]
        # a needle that the question holds shows nothing: an echo would count as found
        needles = tuple(n for n in fact.needles if not any(needles_found(question.text, [n])))
        if not needles:
            continue
        document = setting.library.document(fact.document)
        chunks = setting.library.store.chunks(document.id)
        gold = next((chunk for chunk in chunks if holds_quote(chunk.text, fact.quote)), None)
        if gold is None:  # the quote is cut in two by a chunk's border
            continue
        near = setting.paper_hits(question.text, k=4 * DISTRACTORS)
        others = [
            hit
            for hit in near
            if not any(all(needles_found(hit.chunk.text, f.needles)) for f in question.facts)
            and not any(holds_quote(hit.chunk.text, f.quote) for f in question.facts)
            and not (hit.chunk.document_id == gold.document_id and abs(hit.chunk.ordinal - gold.ordinal) < 2)
        ]
        found.append((question, replace(fact, needles=needles), Hit(gold, 0.0), _apart(others)[:DISTRACTORS]))
    return found


def _apart(hits: Sequence[Hit]) -> list[Hit]:
    """Hits no two of which are neighbours, so that none are glued and the number of passages stays what it is."""
    kept: list[Hit] = []
    for hit in hits:
        chunk = hit.chunk
        if not any(k.chunk.document_id == chunk.document_id and abs(k.chunk.ordinal - chunk.ordinal) < 2 for k in kept):
            kept.append(hit)
    return kept


def at_position(gold: Hit, distractors: Sequence[Hit], position: str) -> list[Hit]:
    """The gold hit at the start, in the middle or at the end of the distractors."""
    index = {"start": 0, "middle": (len(distractors) + 1) // 2, "end": len(distractors)}[position]
    return placed([*distractors[:index], gold, *distractors[index:]])


def _by_position(setting: Setting) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    replies: list[dict[str, Any]] = []
    tests = needle_tests(setting, MODEL_QUESTIONS if setting.limit is None else setting.limit)
    for number, (question, fact, gold, distractors) in enumerate(tests, 1):
        for position in POSITIONS:
            setting.say(f"  E4 {number}/{len(tests)} {question.id} gold passage at the {position}")
            hits = at_position(gold, distractors, position)
            intent = setting.reasoner.classify(question.text)
            evidence = grouped(question.text, intent, hits, config=setting.config)
            prompt = setting.reasoner.build_prompt(question.text, evidence, strategy="flat", reorder=False)
            reply = write(setting, prompt, ANSWER_TOKENS)
            found = needles_found(reply.text, fact.needles)
            row: dict[str, Any] = {"id": question.id, "question": question.text, "position": position}
            row |= {"passages": len(prompt.passages), "left_out": len(prompt.left_out)}
            row |= {"needles": list(fact.needles), "found": sum(found), "answer": reply.text, "failure": reply.failure}
            replies.append(row)
    summary = []
    for position in POSITIONS:
        part = [row for row in replies if row["position"] == position and not row["failure"]]
        needles, hits_found = sum(len(row["needles"]) for row in part), sum(row["found"] for row in part)
        summary.append(
            {
                "gold passage": position,
                "questions": len([row for row in replies if row["position"] == position]),
                "failures": len([row for row in replies if row["position"] == position and row["failure"]]),
                "needles": needles,
                "found": hits_found,
                "share": hits_found / needles if needles else None,
                "all needles found": share(row["found"] == len(row["needles"]) for row in part),
            }
        )
    return summary, replies
