"""What the commands share: options, opening the library, printing JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multidoc_rag.config import Config
from multidoc_rag.language import one_line

if TYPE_CHECKING:
    from multidoc_rag.library import Library
    from multidoc_rag.records import Progress

Index = Annotated[Path, typer.Option("--index", help="Folder of the index store.")]
Collection = Annotated[str, typer.Option("--collection", help="Collection inside the index store.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Documents = Annotated[
    list[str] | None, typer.Option("--document", help="Only this document (name or id); may be repeated.")
]

STORE = Path("index_store")


def open_library(index: Path, collection: str, *, any_model: bool = False) -> Library:
    """The collection; `any_model` opens it whatever model it was made with: to list, remove, repair, embed anew."""
    from multidoc_rag.library import Library

    return Library.open(index, collection=collection, config=Config.from_env(), check_model=not any_model)


def print_json(value: Any) -> None:
    """The one JSON document of a command."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def progress_line(progress: Progress) -> None:
    """One line on the terminal that is written over: file, stage, share done, time left."""
    share = progress.done / progress.total if progress.total else 0.0
    left = "" if progress.seconds_left is None else f", about {progress.seconds_left:.0f} s left"
    name = one_line(Path(progress.path).name)
    line = f"{progress.file_index}/{progress.file_count} {progress.stage} {name} {share:.0%}{left}"
    sys.stderr.write(f"\r\033[K{line[:120]}")
    sys.stderr.flush()
