"""The ledger of conflicts beyond E6: its time, halves of the planted pairs, a second set, a folder of one's own.

    python benchmarks/conflicts.py [--also FOLDER] [--out FILE.json]

`examples/evaluation.py --only E6` scores the planted pairs of `evaluation_files/`; here the same score is taken on
their halves (odd and even numbers), and on sets of short texts of other fields, written for this benchmark:
`conflicts_second.json`, `conflicts_third.json`, and `conflicts_alike.json`, three sets of documents of one mould about
different things (leases, data sheets, departments and contracts), where all that is not planted is no conflict.
`--also` prints the first twenty findings for a folder of one's own documents.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from experiment import rounded  # noqa: E402
from experiment_conflicts import Found, Pair, planted, score, shown  # noqa: E402

from multidoc_rag.library import Library  # noqa: E402


def main() -> None:
    """Runs every set and prints their figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also", type=Path, help="a folder whose first twenty findings are printed")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    options = parser.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        files = ROOT / "evaluation_files"
        pairs = planted(files)
        found = ledger(sorted(files.glob("*.pdf")), Path(folder), "evaluation")
        figures["evaluation_files"] = scored("evaluation_files", found, pairs)
        for half in (1, 0):
            chosen = [pair for pair in pairs if int(pair["id"][1:]) % 2 == half]
            name = f"evaluation_files, {'odd' if half else 'even'} numbers"
            # what the other half planted would count as planted by nobody
            figures[name] = scored(name, found, chosen, precision=False)

        for name, texts in sets().items():
            files = Path(folder) / name
            files.mkdir()
            for file, text in texts["documents"].items():
                (files / file).write_text(text, "utf-8")
            figures[name] = scored(name, ledger([files], Path(folder), name.replace(" ", "-")), texts["pairs"])
        if options.also:
            print("\n".join(shown(finding) for finding in ledger([options.also], Path(folder), "also")[:20]))
    if options.out:
        options.out.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def sets() -> dict[str, dict[str, Any]]:
    """The sets beside this file by name: {"documents": {file name: text}, "pairs": as in gold.json}."""
    here = Path(__file__).parent
    one_each = {f"{name} set": json.loads((here / f"conflicts_{name}.json").read_text("utf-8"))
                for name in ("second", "third")}  # fmt: skip
    alike = json.loads((here / "conflicts_alike.json").read_text("utf-8"))
    return one_each | {f"alike {name}": each for name, each in alike.items()}


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


def scored(name: str, found: Sequence[Found], pairs: Sequence[Pair], *, precision: bool = True) -> dict[str, Any]:
    """Prints and returns recall and precision of conflicts, and how the others are named."""
    result = score(found, pairs)
    figures: dict[str, Any] = {
        "recall": result.recall,
        "missed": [pair["id"] for pair in result.missed],
        "near conflicts named rightly": f"{sum(map(result.is_named, result.near))} of {len(result.near)}",
        "near conflicts called conflicts": [pair["id"] for pair in result.mistaken],
    }
    if precision:
        figures |= {"precision": result.precision, "not planted": len(result.unplanned)}
    figures = rounded(figures)
    print(f"  {name}: {json.dumps(figures)}")
    if precision:
        print("\n".join(shown(finding) for finding in result.unplanned))
    return figures


if __name__ == "__main__":
    main()
