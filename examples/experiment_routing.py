"""E1: do questions get the intent that people gave them?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from experiment import PAPER, Check, Outcome, Setting, gold_questions, table

from multidoc_rag.metrics import confusion, f1, precision_recall, share
from multidoc_rag.records import INTENTS

HELD_OUT_TARGET = 0.90
"""Accuracy to reach on the half that was labelled before the rules and never looked at while tuning."""


def run(setting: Setting) -> Outcome:
    """Routing on the report's five questions, the labelled sets and the gold questions."""
    classify = setting.reasoner.classify
    sets: dict[str, Sequence[tuple[str, str]]] = {"the paper's Q1-Q5": PAPER}
    sets["gold questions"] = [(question.text, question.intent) for question in gold_questions(setting.files)]
    tuning = sorted(setting.files.glob("routing_tune*.jsonl"))
    held_out = sorted(setting.files.glob("routing_heldout*.jsonl"))
    for path in (*tuning, *held_out):
        sets[path.stem] = labelled(path)
    for name, files in (("all tuning sets", tuning), ("all held-out sets", held_out)):
        if files:
            sets[name] = [row for path in files for row in labelled(path)]

    results, tables = [], []
    for name, rows in sets.items():
        pairs = [(intent, classify(text).name) for text, intent in rows]
        table_of = confusion(pairs)
        # a set of look-alikes has no row of one class: neither figure means anything for it
        scores: dict[str, tuple[float | None, float | None]] = {
            intent: precision_recall(pairs, intent) if any(truth == intent for truth, _ in pairs) else (None, None)
            for intent in INTENTS
        }
        results.append(
            {
                "set": name,
                "questions": len(pairs),
                "right": sum(truth == given for truth, given in pairs),
                "accuracy": share(truth == given for truth, given in pairs),
                "classes": [
                    {"intent": intent, "precision": p, "recall": r, "f1": None if p is None or r is None else f1(p, r)}
                    for intent, (p, r) in scores.items()
                ],
                "confusion": [
                    {"labelled": truth} | {f"routed {given}": table_of.get((truth, given), 0) for given in INTENTS}
                    for truth in INTENTS
                ],
            }
        )
        lines = [
            [f"  {truth}", *(table_of.get((truth, given), 0) for given in INTENTS), *scores[truth]] for truth in INTENTS
        ]
        tables.append(table([name, *(f"routed {given}" for given in INTENTS), "precision", "recall"], lines))
    summary = [[row["set"], row["questions"], row["right"], row["accuracy"]] for row in results]
    tables.insert(0, table(["set", "questions", "right", "accuracy"], summary))

    paper = [
        {
            "question": text,
            "intent": intent,
            "routed": routed.name,
            "confidence": routed.confidence,
            "reasons": list(routed.reasons),
        }
        for (text, intent), routed in ((row, classify(row[0])) for row in PAPER)
    ]
    checks = [
        Check(
            "E1 the paper's five questions are routed 5 of 5", results[0]["right"] == 5, f"{results[0]['right']} of 5"
        )
    ]
    for row in results:
        if row["set"] == "routing_heldout":
            detail = f"accuracy {row['accuracy']:.3f} on {row['questions']} questions"
            name = f"E1 held-out questions reach {HELD_OUT_TARGET:.2f}"
            checks.append(Check(name, float(str(row["accuracy"])) >= HELD_OUT_TARGET, detail, target=True))
    record = setting.stamp("E1", "Routing") | {
        "note": "Routing is by rules: no model takes part. Of held-out questions only aggregate figures are given.",
        "sets": results,
        "paper_questions": paper,
    }
    return Outcome("e1_routing", record, tuple(checks), tuple(tables))


def labelled(path: Path) -> list[tuple[str, str]]:
    """The (question, intent) rows of one JSON lines file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [(row["question"], row["intent"]) for row in rows]
