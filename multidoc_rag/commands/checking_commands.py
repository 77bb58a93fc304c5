"""Commands that hold texts against each other: conflicts, check."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

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
from multidoc_rag.errors import MultiDocError

MOST = 200
"""Findings of a kind that are printed."""


def conflicts(index: Index = STORE, collection: Collection = "default", as_json: AsJson = False) -> None:
    """List where documents disagree, and what only looks like it; documents that are new are compared first."""
    with open_library(index, collection) as library:
        show = None if as_json or not sys.stderr.isatty() else progress_line
        found = library.conflicts(on_progress=show, boxes=as_json)
        if show:
            sys.stderr.write("\r\033[K")
    if as_json:
        print_json(list(found))
        return
    kinds = Counter(finding["kind"] for finding in found)
    printed: Counter[str] = Counter()
    for finding in found:
        printed[finding["kind"]] += 1
        if printed[finding["kind"]] > MOST:
            continue
        print(f"{finding['kind'].replace('_', ' ')}: {finding['subject']} / {finding['measure']}")
        for side in finding["sides"]:
            print(f"  {side['document']} p.{side['page']}  {side['value']}\n    {' '.join(side['quote'].split())}")
    if not found:
        print("no two documents disagree on anything that can be compared")
        return
    total = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in kinds.items())
    cut = f"; the first {MOST} of each kind are listed, --json has all" if max(kinds.values()) > MOST else ""
    print(f"{len(found):,} in all: {total}{cut}")


def check(
    file: Annotated[Path, typer.Option("--file", help='JSON lines: {"id", "answer", "passages": [{"text"}]}.')],
    as_json: AsJson = False,
) -> None:
    """Hold answers that any tool wrote against the passages they were written from.

    A sentence that cites passages, by number from 1 or by document, is held against these.
    """
    from multidoc_rag.vectors.embedding import load_embedder
    from multidoc_rag.verdicts.checking import CUT, check_text
    from multidoc_rag.verdicts.entailment import load_entailment

    try:
        with file.open(encoding="utf-8-sig") as source:
            rows = [_answer_row(line, number, file) for number, line in enumerate(source, 1) if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise MultiDocError(f"The answers in {file} could not be read: {error}") from error
    if not rows:
        raise MultiDocError(f"There are no answers in {file}; nothing was checked.")
    config = Config.from_env()
    embedder = load_embedder(config)
    entailment = load_entailment(config) if config.entailment_model else None
    checked = []
    for name, answer, passages, documents in rows:
        found = check_text(answer, passages, embedder, names=documents, entailment=entailment)
        sentences, judgements, unsupported = found
        checked.append(
            {
                "id": name,
                "unsupported": unsupported,
                "sentences": [
                    {"text": text, "verdict": judged.verdict, "score": judged.score, "reason": judged.reason}
                    for text, judged in zip(sentences, judgements, strict=True)
                ],
            }
        )
    if as_json:
        print_json(checked)
        return
    for each in checked:
        word = "unsupported" if each["unsupported"] >= CUT else "supported"
        print(f"{each['id']}: {word} ({each['unsupported']:.2f})")
        for sentence in each["sentences"]:
            why = f"  ({sentence['reason']})" if sentence["reason"] else ""
            print(f"  {sentence['verdict']:12} {sentence['score']:.2f}  {sentence['text']}{why}")


def _answer_row(line: str, number: int, file: Path) -> tuple[Any, str, list[str], list[str]]:
    """(id, answer, passages' texts, their documents' names) of one JSON line; raises MultiDocError naming the line."""
    try:
        row = json.loads(line)
        passages = [{"text": passage} if isinstance(passage, str) else passage for passage in row["passages"]]
        texts = [passage["text"] for passage in passages]
        if not isinstance(row["answer"], str) or not all(isinstance(text, str) for text in texts):
            raise TypeError("answer and passages must be text")
        return row.get("id", number), row["answer"], texts, [str(passage.get("document", "")) for passage in passages]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise MultiDocError(
            f"Line {number} of {file} is not an answer with passages ({type(error).__name__}: {error}); nothing was "
            'checked: write {"id", "answer", "passages": [{"document", "text"}]} on each line.'
        ) from error
