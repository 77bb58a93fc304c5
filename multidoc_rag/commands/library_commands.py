"""Commands that look after the library: add, list, remove, doctor, reembed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from multidoc_rag.commands.command_options import (
    STORE,
    AsJson,
    Collection,
    Index,
    open_library,
    print_json,
    progress_line,
)
from multidoc_rag.config import Config
from multidoc_rag.language import one_line

if TYPE_CHECKING:
    from multidoc_rag.records import AddReport


def add(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", readable=False)],
    include: Annotated[str | None, typer.Option(help="Files of a folder to take, as a glob: '**/*.pdf'.")] = None,
    sync: Annotated[
        bool, typer.Option("--sync", help="Remove documents whose files are gone from the folder.")
    ] = False,
    password: Annotated[str | None, typer.Option(help="Password of encrypted files.")] = None,
    ocr: Annotated[bool, typer.Option("--ocr", help="Read pages without readable text by OCR.")] = False,
    replace_named: Annotated[
        bool, typer.Option("--replace", help="Take the place of another document of the same name.")
    ] = False,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Read, chunk, embed and store documents; unchanged files are skipped."""
    with open_library(index, collection) as library:
        show = None if as_json or not sys.stderr.isatty() else progress_line
        reports = library.add(
            list(paths),
            include=include,
            sync=sync,
            password=password,
            ocr=ocr or None,
            replace=replace_named,
            on_progress=show,
        )
        if show:
            sys.stderr.write("\r\033[K")
    if as_json:
        print_json([_report_json(report) for report in reports])
    else:
        for report in reports:
            what = f"{report.pages} pages, {report.chunks} chunks" if report.status in ("added", "replaced") else ""
            unread = f"unreadable pages: {_page_list(report.unreadable_pages)}" if report.unreadable_pages else ""
            details = "; ".join(part for part in (what, unread, report.reason) if part)
            name = report.document or one_line(report.path)
            print(f"{report.status:9}  {name}" + (f"  ({details})" if details else ""))
        if not reports:
            print("nothing to add")
    if not reports or all(report.status == "refused" for report in reports):
        raise typer.Exit(1)


def list_documents(index: Index = STORE, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List the documents of the collection."""
    with open_library(index, collection, any_model=True) as library:
        documents = library.documents()
    if as_json:
        names = ("name", "id", "title", "pages", "chunks", "status", "added_at")
        print_json([{name: getattr(document, name) for name in names} for document in documents])
        return
    for document in documents:
        print(f"{document.name}  {document.pages} pages, {document.chunks} chunks, {document.status}  {document.title}")
    if not documents:
        print("no documents yet: add some with `python -m multidoc_rag add FOLDER`")


def remove(
    documents: Annotated[list[str], typer.Argument(help="Names or ids.")],
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Remove documents; they cannot be cited from then on."""
    with open_library(index, collection, any_model=True) as library:
        outcome = library.remove(documents)
    if as_json:
        print_json([{"document": name, "removed": removed} for name, removed in outcome])
    else:
        for name, removed in outcome:
            print(f"{'removed' if removed else 'not found'}  {name}")
    if not any(removed for _, removed in outcome):
        raise typer.Exit(1)


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended.")] = False,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Check the index store against itself, and mend it."""
    from multidoc_rag.library import examine

    outcome = examine(index, collection=collection, config=Config.from_env(), repair=repair)
    if as_json:
        print_json(outcome)
    else:
        for finding in outcome["findings"]:
            print(f"{'repaired' if finding['repaired'] else 'found'}: {finding['what']}")
        advice = "what is not said to be repaired needs you" if repair else "`doctor --repair` mends what it can"
        print("all is well" if outcome["ok"] else f"not well: {advice}")
    if not outcome["ok"]:
        raise typer.Exit(1)


def reembed(
    model: Annotated[str | None, typer.Option(help="SBERT model id or folder; the configured one by default.")] = None,
    index: Index = STORE,
    collection: Collection = "default",
    as_json: AsJson = False,
) -> None:
    """Embed every chunk anew, with another model if you name one."""
    with open_library(index, collection, any_model=True) as library:
        outcome = library.reembed(model=model)
    if as_json:
        print_json(outcome)
    else:
        print(f"{outcome['chunks']} chunks embedded with {outcome['model']} in {outcome['seconds']:.1f} s")


def _report_json(report: AddReport) -> dict[str, Any]:
    return asdict(replace(report, unreadable_pages=tuple(report.unreadable_pages)))


def _page_list(pages: Sequence[int]) -> str:
    shown = ", ".join(map(str, pages[:12]))
    return shown + (f" and {len(pages) - 12} more" if len(pages) > 12 else "")
