"""The Evaluation tab: the tables that `examples/evaluation.py` wrote, as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from multidoc_rag.ui.html import block, escape, note, table

ROWS = 40
"""Rows shown of one list; the file has the rest."""
SKIPPED = frozenset({"evaluation_chunks.json"})
"""Raw exports that are no results."""


def evaluation_html(folder: Path) -> str:
    """Every result file under `folder`, newest run first, the reference results after."""
    files = sorted(path for path in folder.rglob("*.json") if path.name not in SKIPPED) if folder.is_dir() else []
    if not files:
        return block(
            '<div class="empty"><h3>No evaluation results yet</h3>'
            "<p>Run <code>python examples/evaluation.py</code>, and its tables appear here.</p></div>"
        )
    files.sort(key=lambda path: (len(path.relative_to(folder).parts), str(path)))
    return f'<div class="sheet-page">{"".join(_file(folder, path) for path in files)}</div>'


def _file(folder: Path, path: Path) -> str:
    name = str(path.relative_to(folder))
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return note("warning", f"{name} could not be read ({type(error).__name__}): run the evaluation again.")
    title = data.get("title") if isinstance(data, dict) else None
    about = f' <span class="meta">{escape(title)}</span>' if title else ""
    return block(f'<details class="result"><summary>{escape(name)}{about}</summary>{_show(data)}</details>')


def _show(data: Any, depth: int = 0) -> str:
    if isinstance(data, dict):
        plain = {key: value for key, value in data.items() if _is_plain(value)}
        parts = [table(["Measure", "Value"], ((key, _cell(value)) for key, value in plain.items()))] if plain else []
        if depth < 4:
            parts += [
                f"<h4>{escape(key)}</h4>{_show(value, depth + 1)}" for key, value in data.items() if key not in plain
            ]
        return "".join(parts)
    if isinstance(data, list) and data and all(isinstance(item, dict) for item in data):
        headings = list(dict.fromkeys(key for item in data[:ROWS] for key, value in item.items() if _is_plain(value)))
        rows = [[_cell(item.get(heading, "")) for heading in headings] for item in data[:ROWS]]
        more = f'<p class="meta">{len(data) - ROWS} more rows in the file.</p>' if len(data) > ROWS else ""
        return table(headings, rows) + more
    if isinstance(data, list):
        return f"<p>{escape(', '.join(map(str, data[:ROWS])))}</p>"
    return f"<p>{escape(data)}</p>"


def _cell(value: Any) -> Any:
    """Nothing to measure is a dash, as in the printed tables."""
    return "-" if value is None else value


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict | list) or (
        isinstance(value, list) and len(str(value)) < 80 and not any(isinstance(v, dict | list) for v in value)
    )
