"""A stored answer (the JSON of `ask`) as a Markdown, HTML or JSON file."""

from __future__ import annotations

import json
from typing import Any

from multidoc_rag.errors import MultiDocError
from multidoc_rag.ui.html import escape, render_markdown


def export_answer(answer: dict[str, Any], kind: str) -> tuple[str, str]:
    """The file's text and media type; raises MultiDocError for a kind other than md, html, json."""
    if kind == "json":
        return json.dumps(answer, ensure_ascii=False, indent=2), "application/json"
    if kind == "md":
        return _markdown(answer), "text/markdown"
    if kind == "html":
        return _page(answer), "text/html"
    raise MultiDocError(f"Answers are exported as md, html or json, not {kind!r}.")


def _notes(answer: dict[str, Any]) -> list[str]:
    return [*answer.get("fallbacks", ()), *answer.get("warnings", ())]


def _markdown(answer: dict[str, Any]) -> str:
    lines = [f"# {answer['question']}", "", answer["answer"], ""]
    if answer.get("citations"):
        lines += ["## References", ""]
        lines += [f"{c['n']}. **{c['document']}**, page {c['page']}: “{c['quote']}”" for c in answer["citations"]]
        lines.append("")
    lines += [f"> {text}" for text in _notes(answer)]
    return "\n".join([*lines, f"Written by {answer.get('model', '')}.", ""])


def _page(answer: dict[str, Any]) -> str:
    references = "".join(
        f"<li value='{int(c['n'])}'><b>{escape(c['document'])}</b>, page {escape(c['page'])}: "
        f"<q>{escape(c['quote'])}</q></li>"
        for c in answer.get("citations", ())
    )
    notes = "".join(f"<p><em>{escape(text)}</em></p>" for text in _notes(answer))
    title = escape(answer["question"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        "<style>body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}"
        "li{margin:.5rem 0}q{color:#475569}</style>"
        f"<h1>{title}</h1>{render_markdown(answer['answer'])}<h2>References</h2><ol>{references}</ol>{notes}"
        f"<p><small>Written by {escape(answer.get('model', ''))}.</small></p></html>"
    )
