"""E6: the ledger of conflicts held against planted conflicts, and against pairs that only look like conflicts.

`gold.json` plants both. A finding is a planted pair where both documents match and each quote holds the other's or is
held by it. Precision is over everything the ledger calls a conflict; what nobody planted counts against it, and is
printed to be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiment import Check, Outcome, Setting, rounded, table

from multidoc_rag.language import fold_map

PRECISION_TARGET, RECALL_TARGET = 0.9, 0.8

Pair = Mapping[str, Any]
Found = Mapping[str, Any]


@dataclass(frozen=True)
class Score:
    """Findings held against planted pairs.

    `named` has every kind that the findings of a pair were given; `right` and `wrong` count the findings called a
    conflict that are planted conflicts and planted look-alikes; `unplanned` are those that nobody planted.
    """

    pairs: tuple[Pair, ...]
    named: Mapping[str, tuple[str, ...]]
    right: int
    wrong: int
    unplanned: tuple[Found, ...]

    @property
    def conflicts(self) -> list[Pair]:
        """The planted conflicts."""
        return [pair for pair in self.pairs if pair["kind"] == "conflict"]

    @property
    def near(self) -> list[Pair]:
        """The planted look-alikes."""
        return [pair for pair in self.pairs if pair["kind"] != "conflict"]

    @property
    def called(self) -> int:
        """How many findings are called a conflict."""
        return self.right + self.wrong + len(self.unplanned)

    @property
    def precision(self) -> float | None:
        """Planted conflicts among all that is called a conflict; None where nothing is."""
        return self.right / self.called if self.called else None

    @property
    def recall(self) -> float | None:
        """Planted conflicts that are called one, among all planted ones; None where none is planted."""
        return 1 - len(self.missed) / len(self.conflicts) if self.conflicts else None

    @property
    def missed(self) -> list[Pair]:
        """Planted conflicts that no finding calls a conflict."""
        return [pair for pair in self.conflicts if not self.is_named(pair)]

    @property
    def mistaken(self) -> list[Pair]:
        """Planted look-alikes that a finding calls a conflict."""
        return [pair for pair in self.near if self.is_named(pair, "conflict")]

    def is_named(self, pair: Pair, kind: str = "") -> bool:
        """Whether some finding gives the pair this kind (its own where none is given)."""
        return (kind or pair["kind"]) in self.named.get(pair["id"], ())


def run(setting: Setting) -> Outcome:
    """The ledger of the collection against the pairs both of whose documents are in it."""
    there = {document.name for document in setting.library.documents()}
    every = planted(setting.files)
    pairs = [pair for pair in every if {side["document"] for side in pair["sides"]} <= there]
    result = score(setting.library.conflicts(), pairs)
    kinds = near_by_kind(result)
    summary = {
        "planted conflicts": len(result.conflicts),
        "found": len(result.conflicts) - len(result.missed),
        "recall": result.recall,
        "called a conflict": result.called,
        "precision": result.precision,
        "look-alikes": len(result.near),
        "look-alikes called a conflict": len(result.mistaken),
        "called a conflict, planted by nobody": len(result.unplanned),
    }
    named = [
        {
            "id": pair["id"],
            "what": what,
            "subject": pair["subject"],
            "measure": pair["measure"],
            "planted": pair["kind"],
        }
        | {"named": ", ".join(result.named.get(pair["id"], ())) or "nothing"}
        for what, part in (
            ("missed", result.missed),
            ("wrong", result.mistaken),
            ("other name", [pair for pair in result.near if not result.is_named(pair) and pair not in result.mistaken]),
        )
        for pair in part
    ]
    record = setting.stamp("E6", "Conflicts between documents") | {
        "model": "none",
        "definitions": {
            "recall": "planted conflicts that a finding calls a conflict / planted conflicts",
            "precision": "findings called a conflict that are planted conflicts / all findings called a conflict",
            "named": "what the ledger calls the pair; nothing: it says nothing about it, which for a look-alike is no "
            "error that a reader sees",
        },
        "pairs left out": f"{len(every) - len(pairs)} of {len(every)}: a document of theirs is not in the collection",
        "summary": summary,
        "near_conflicts": kinds,
        "not_as_planted": named,
        "unplanned": [
            {"subject": finding["subject"], "measure": finding["measure"]}
            | {
                "sides": [
                    {name: side[name] for name in ("document", "page", "quote", "value")} for side in finding["sides"]
                ]
            }
            for finding in result.unplanned
        ],
    }
    tables = [table(["E6 conflicts", ""], summary.items())]
    if kinds:
        tables.append(table(list(kinds[0]), [list(row.values()) for row in kinds]))
    if named:
        tables.append(table(list(named[0]), [list(row.values()) for row in named]))
    tables += [shown(finding) for finding in result.unplanned]
    return Outcome("e6_conflicts", rounded(record), _checks(result), tuple(tables))


def _checks(result: Score) -> tuple[Check, ...]:
    found = len(result.conflicts) - len(result.missed)
    precision = Check(
        f"E6 precision of conflicts is {PRECISION_TARGET} or better",
        (result.precision or 0.0) >= PRECISION_TARGET,
        f"{result.right} of {result.called}",
        target=True,
    )
    recall = Check(
        f"E6 recall of planted conflicts is {RECALL_TARGET} or better",
        (result.recall or 0.0) >= RECALL_TARGET,
        f"{found} of {len(result.conflicts)}",
        target=True,
    )
    return (precision, recall) if result.conflicts else ()


def planted(files: Path) -> list[Pair]:
    """The planted pairs of `gold.json`, conflicts first, each with its kind."""
    gold = json.loads((files / "gold.json").read_text(encoding="utf-8"))
    return [*({"kind": "conflict"} | pair for pair in gold["conflicts"]), *gold["near_conflicts"]]


def score(found: Sequence[Found], pairs: Sequence[Pair]) -> Score:
    """Holds findings (as `Library.conflicts` gives them) against planted pairs."""
    named: dict[str, list[str]] = {}
    kind_of = {pair["id"]: pair["kind"] for pair in pairs}
    unplanned = []
    right = wrong = 0
    for finding in found:
        identity = next((pair["id"] for pair in pairs if same(finding, pair)), "")
        if identity and finding["kind"] not in named.setdefault(identity, []):
            named[identity].append(finding["kind"])
        if finding["kind"] == "conflict":
            right += kind_of.get(identity) == "conflict"
            wrong += kind_of.get(identity, "conflict") != "conflict"
            if not identity:
                unplanned.append(finding)
    return Score(tuple(pairs), {name: tuple(kinds) for name, kinds in named.items()}, right, wrong, tuple(unplanned))


def near_by_kind(result: Score) -> list[dict[str, Any]]:
    """For each kind of look-alike: how many are planted, named as what they are, called a conflict, named otherwise,
    and not named at all."""
    rows = []
    for kind in dict.fromkeys(pair["kind"] for pair in result.near):
        part = [pair for pair in result.near if pair["kind"] == kind]
        silent = [pair for pair in part if pair["id"] not in result.named]
        wrong = [pair for pair in part if pair in result.mistaken]
        rightly = [pair for pair in part if result.is_named(pair) and pair not in wrong]
        row: dict[str, Any] = {"look-alike": kind, "planted": len(part), "named rightly": len(rightly)}
        row |= {"called a conflict": len(wrong), "another name": len(part) - len(silent) - len(wrong) - len(rightly)}
        rows.append(row | {"nothing": len(silent)})
    return rows


def same(finding: Found, pair: Pair) -> bool:
    """Whether a finding is the planted pair, its sides in either order."""
    return any(
        all(
            side["document"] == gold["document"] and overlap(side["quote"], gold["quote"])
            for side, gold in zip(sides, pair["sides"], strict=True)
        )
        for sides in (finding["sides"], finding["sides"][::-1])
    )


def overlap(one: str, other: str) -> bool:
    """Whether one text holds the other, whatever the white space and hyphens."""
    a, b = fold_map(one)[0], fold_map(other)[0]
    return a in b or b in a


def shown(finding: Found) -> str:
    """A finding in three lines."""
    lines = [f"{finding['kind']}: {finding['subject']} / {finding['measure']}"]
    for side in finding["sides"]:
        lines.append(f"  {side['document']} p.{side['page']}  {side['value']}  |  {' '.join(side['quote'].split())}")
    return "\n".join(lines)
