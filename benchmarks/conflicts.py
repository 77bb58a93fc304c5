"""E6: the ledger of conflicts against planted ones: precision, recall, and how the rest is named.

    python benchmarks/conflicts.py [--also FOLDER] [--out FILE.json]

Two sets: `evaluation_files/` with `gold.json`: written by others, its pairs printed in halves (odd, even).
`conflicts_second.json`: eight short texts of other fields, written for this benchmark. A pair is found where both
documents match and each quote holds the other's or is held by it. Precision is over everything called a conflict; what
was not planted is printed to be read. `--also` prints the first twenty findings for a folder of one's own documents.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from multidoc_rag.language import fold_map  # noqa: E402
from multidoc_rag.library import Library  # noqa: E402

Pair = Mapping[str, Any]


def main() -> None:
    """Runs both sets and prints their figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also", type=Path, help="a folder whose first twenty findings are printed")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    options = parser.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        gold = json.loads((ROOT / "evaluation_files" / "gold.json").read_text("utf-8"))
        pairs = [{"kind": "conflict"} | pair for pair in gold["conflicts"]] + gold["near_conflicts"]
        found = ledger(sorted((ROOT / "evaluation_files").glob("*.pdf")), Path(folder), "evaluation")
        figures["evaluation_files"] = score("evaluation_files", found, pairs)
        for half in (1, 0):
            chosen = [pair for pair in pairs if int(pair["id"][1:]) % 2 == half]
            name = f"evaluation_files, {'odd' if half else 'even'} numbers"
            figures[name] = score(name, found, chosen, precision=False)

        second = json.loads((Path(__file__).parent / "conflicts_second.json").read_text("utf-8"))
        texts = Path(folder) / "second"
        texts.mkdir()
        for name, text in second["documents"].items():
            (texts / name).write_text(text, "utf-8")
        figures["second set"] = score("second set", ledger([texts], Path(folder), "second"), second["pairs"])
        if options.also:
            show(ledger([options.also], Path(folder), "also")[:20])
    if options.out:
        options.out.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def ledger(paths: Sequence[Path], folder: Path, collection: str) -> tuple[dict[str, Any], ...]:
    """The findings over some files, with the time they took once the files were indexed."""
    with Library.open(folder / "index", collection=collection) as library:
        library.add(list(paths))
        library.embedder.encode_query("warm")
        started = time.perf_counter()
        found = library.conflicts()
        first = time.perf_counter() - started
        started = time.perf_counter()
        library.conflicts()
        again = time.perf_counter() - started
        count = len(library.documents())
    kinds = ", ".join(f"{number} {kind}" for kind, number in Counter(finding["kind"] for finding in found).items())
    print(f"\n{collection}: {count} documents, {first:.1f} s the first time, {again:.2f} s again: {kinds}")
    return found


def score(
    name: str, found: Sequence[Mapping[str, Any]], pairs: Sequence[Pair], *, precision: bool = True
) -> dict[str, Any]:
    """Prints and returns recall and precision of conflicts, and how the others are named."""
    named: dict[str, set[str]] = {}
    unplanned = []
    for finding in found:
        identity = next((pair["id"] for pair in pairs if same(finding, pair)), "")
        named.setdefault(identity, set()).add(finding["kind"])
        if finding["kind"] == "conflict" and not identity:
            unplanned.append(finding)
    conflicts = [pair for pair in pairs if pair["kind"] == "conflict"]
    others = [pair for pair in pairs if pair["kind"] != "conflict"]
    hits = [pair["id"] for pair in conflicts if "conflict" in named.get(pair["id"], ())]
    wrong = [pair["id"] for pair in others if "conflict" in named.get(pair["id"], ())]
    right = [pair["id"] for pair in others if pair["kind"] in named.get(pair["id"], ())]
    figures: dict[str, Any] = {
        "recall": round(len(hits) / len(conflicts), 3),
        "missed": sorted({pair["id"] for pair in conflicts} - set(hits)),
        "near conflicts named rightly": f"{len(right)} of {len(others)}",
        "near conflicts called conflicts": wrong,
    }
    if precision:
        called = sum(finding["kind"] == "conflict" for finding in found)
        figures["precision"] = round((called - len(unplanned) - len(wrong)) / max(1, called), 3)
        figures["not planted"] = len(unplanned)
    print(f"  {name}: {json.dumps(figures)}")
    if precision:
        show(unplanned)
    return figures


def same(finding: Mapping[str, Any], pair: Pair) -> bool:
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


def show(findings: Sequence[Mapping[str, Any]]) -> None:
    """A finding in three lines."""
    for finding in findings:
        print(f"    {finding['kind']}: {finding['subject']} / {finding['measure']}")
        for side in finding["sides"]:
            print(f"      {side['document']} p.{side['page']}  {side['value']}  |  {' '.join(side['quote'].split())}")


if __name__ == "__main__":
    main()
