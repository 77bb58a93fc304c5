"""`python -m multidoc_rag.ingest.add_worker`: the process behind `Library.start_adding`, nicer than questions."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

import filelock

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError
from multidoc_rag.library import Library

NICE = 10
"""Beside it a search takes 5 ms instead of 8, and adding is as fast."""


def main(order: Mapping[str, Any], log: TextIO) -> None:
    """The process's work: waits for its turn, adds, writes a line a step and at the end the reports or the error.

    Then, where it is asked to, it compares what is new with the other documents: they can be searched by then.
    """

    def say(line: Mapping[str, Any]) -> None:
        log.write(json.dumps(line, ensure_ascii=False) + "\n")
        log.flush()

    say({"pid": os.getpid()})
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in order["config"].items()
    }
    folder = Path(order["folder"])
    try:
        with Library.open(folder.parent, collection=folder.name, config=Config(**settings)) as library:
            reports = library.add(
                order["paths"],
                password=order["password"],
                on_progress=lambda progress: say(asdict(progress)),
                wait=None,
                **order["options"],
            )
            say({"reports": [asdict(report) for report in reports]})
            if order["compare"]:
                compare(library, say)
    except MultiDocError as error:
        say({"error": str(error)})


def compare(library: Library, say: Callable[[Mapping[str, Any]], None]) -> None:
    """Brings the ledger of conflicts up to date; a failure there is told apart from one of adding."""
    try:
        library.compare(on_progress=lambda progress: say({"comparing": asdict(progress)}))
    except MultiDocError as error:
        say({"not_compared": str(error)})


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    _order = json.load(sys.stdin)
    _jobs = Path(_order["folder"]) / "jobs"
    with (
        filelock.FileLock(_jobs / f"{_order['job']}.lock"),
        (_jobs / f"{_order['job']}.jsonl").open("w", encoding="utf-8") as _log,
    ):
        main(_order, _log)
