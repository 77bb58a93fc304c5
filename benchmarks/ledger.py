"""The ledger of conflicts as a collection grows: seconds for each hundred documents, for one more, to remove one.

    python benchmarks/ledger.py [--documents 500] [--subjects 25] [--out FILE.json]

Short made-up texts, the same in every run: each states eight figures and dates of one of `--subjects` subjects, so
that the documents of one subject agree on some and disagree on others. `--subjects 1` is the hard case: every document
speaks of the same thing. Documents are added with the real model first; then the ledger is made, a hundred documents
at a time, as the app's worker does it. Linear growth shows as the same seconds for every hundred.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from multidoc_rag.library import Library  # noqa: E402

STEP = 100
THINGS = (
    "harbour crane", "night ferry", "cold store", "fish market", "pilot boat", "tide gauge", "grain silo", "dry dock",
    "customs shed", "bunker barge", "slipway", "ice plant", "rail spur", "container yard", "training centre",
    "research vessel", "breakwater", "lighthouse", "water tower", "solar roof", "heat pump", "bus depot",
    "cycle bridge", "school kitchen", "record office",
)  # fmt: skip
FACTS = (
    "The annual maintenance cost of the {thing} is EUR {a} thousand.",
    "The {thing} was handed over to its operator on {day} March 20{year}.",
    "The rated capacity of the {thing} is {b} tonnes per hour.",
    "The crew that operates the {thing} counts {c} trained people.",
    "The {thing} used {a} megawatt hours of electricity in 20{year}.",
    "Inspection of the {thing} is due every {c} months.",
    "The insurance premium paid for the {thing} amounts to EUR {b} thousand a year.",
    "The guarantee on the {thing} runs for {c} years from acceptance.",
)


def text(number: int, subjects: int) -> str:
    """The made-up document of this number."""
    chance = random.Random(number)
    thing = THINGS[number % subjects % len(THINGS)] + ("" if number % subjects < len(THINGS) else f" {number}")
    values = {"thing": thing, "day": chance.randint(1, 28), "year": chance.randint(15, 24), "c": chance.randint(2, 9)}
    values |= {"a": chance.randint(10, 99) * 10, "b": chance.randint(10, 99)}
    facts = [fact.format(**values) for fact in FACTS]
    return f"# Notes on the {thing}\n\nThis note, number {number}, was written for the file.\n\n" + "\n\n".join(facts)


def main() -> None:
    """Makes the collection and prints a line for each hundred documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--subjects", type=int, default=25)
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    options = parser.parse_args()
    figures: dict[str, Any] = {"documents": options.documents, "subjects": options.subjects, "hundreds": []}
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "index") as library:
        texts = Path(folder) / "texts"
        texts.mkdir()
        library.embedder.encode(["warm"])
        for start in range(0, options.documents, STEP):
            numbers = range(start, min(start + STEP, options.documents))
            for number in numbers:
                (texts / f"note-{number:04}.md").write_text(text(number, options.subjects), "utf-8")
            added = timed(lambda: library.add([texts]))
            compared = timed(library.compare)
            figures["hundreds"].append({"to": numbers[-1] + 1, "added": added, "compared": compared})
            print(f"{start + 1:4} to {numbers[-1] + 1:4}: added in {shown(added)}, compared in {shown(compared)}")
        (texts / "one-more.md").write_text(text(options.documents, options.subjects), "utf-8")
        library.add([texts / "one-more.md"])
        figures["one more"] = timed(library.compare)
        kinds = Counter(finding["kind"] for finding in library.conflicts())
        figures["findings"] = sum(kinds.values())
        figures["kinds"] = dict(kinds)
        figures["read"] = timed(library.conflicts)
        figures["remove one"] = timed(lambda: library.remove(["one-more.md"]))
    print(f"{figures['findings']} findings {figures['kinds']}")
    for name in ("one more", "read", "remove one"):
        print(f"{name}: {shown(figures[name])}")
    if options.out:
        options.out.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def timed(work: Any) -> tuple[float, float]:
    """Seconds that the call took by the clock, and of the processors (all threads): the machine may be shared."""
    started, used = time.perf_counter(), time.process_time()
    work()
    return round(time.perf_counter() - started, 2), round(time.process_time() - used, 2)


def shown(seconds: tuple[float, float]) -> str:
    """Both in words."""
    return f"{seconds[0]:.2f} s ({seconds[1]:.2f} s of CPU)"


if __name__ == "__main__":
    main()
