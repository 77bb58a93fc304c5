"""Where documents disagree: a block in an answer, and the ledger over the whole collection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from multidoc_rag.answers.markup import DIFFERENCES
from multidoc_rag.records import Progress
from multidoc_rag.ui.html import block, chips, escape, note, shorten
from multidoc_rag.ui.library_pane import comparing_html, counted

Conflict = Mapping[str, Any]

MOST = 200
"""Conflicts shown at once."""


def conflicts_block(conflicts: Sequence[Conflict], prefix: str) -> str:
    """The conflicts of one answer, real ones first; side j of conflict k opens by the pill `PREFIXk.j`."""
    if not conflicts:
        return ""
    numbered = sorted(enumerate(conflicts), key=lambda item: item[1]["kind"] != "conflict")
    real = sum(conflict["kind"] == "conflict" for conflict in conflicts)
    head = "The documents disagree" if real else "Different values, each with its reason"
    rows = "".join(f"<li>{_conflict(conflict, f'{prefix}{k}')}</li>" for k, conflict in numbered)
    return f'<div class="conflicts"><h4>{head}</h4><ul>{rows}</ul></div>'


def _conflict(conflict: Conflict, pill: str) -> str:
    kind = str(conflict["kind"])
    name, why = DIFFERENCES.get(kind, (kind, ""))
    # what is measured may be all there is of the subject
    named = dict.fromkeys(str(conflict.get(part, "")) for part in ("subject", "measure"))
    what = " · ".join(escape(part) for part in named if part)
    sides = "".join(_side(side, f"{pill}.{j}") for j, side in enumerate(conflict.get("sides", ())))
    label = chips([("bad" if kind == "conflict" else "", name, why)])
    # in words too: a hover is not for everybody, and most kinds say that there is no conflict
    said = "" if kind == "conflict" else f' <span class="meta">{escape(why)}</span>'
    return f'<p class="claim">{label}<b>{what}</b>{said}</p><ul class="sides">{sides}</ul>'


def _side(side: Mapping[str, Any], pill: str) -> str:
    document, page = str(side["document"]), side.get("page") or 1
    quote = escape(shorten(str(side.get("quote", "")), 260))
    return (
        f'<li><b class="value">{escape(side.get("value", ""))}</b> “{quote}” '
        f'<button type="button" class="cite" value="{escape(pill)}" title="{escape(document)}, page {escape(page)}">'
        f"{escape(shorten(document, 34))} <span>p.{escape(page)}</span></button></li>"
    )


# --- the ledger -------------------------------------------------------------------------------------


def state_html(step: Progress | None, busy: bool, uncompared: int, read_only: bool) -> str:
    """How far the documents are compared, where not all of them are: "" where there is nothing to say."""
    if step is not None:
        return f'<div class="sheet-page state">{comparing_html(step)}</div>'
    if not uncompared:
        return ""
    documents = counted(uncompared, "document")
    are = "is" if uncompared == 1 else "are"
    if read_only:
        said = note("warning", f"{documents} {are} not compared: the folder of this library cannot be written.")
    elif busy:
        said = '<p class="meta" role="status">Looking for conflicts begins in a moment…</p>'
    else:
        said = (
            f'<p class="meta" role="status">{documents} {are} not compared with the others yet. '
            '<button type="button" class="button small" data-do="retry">Compare now</button></p>'
        )
    return block(f'<div class="sheet-page state">{said}</div>')


def chosen_of(conflicts: Sequence[dict[str, Any]], kind: str, document: str) -> list[dict[str, Any]]:
    """The conflicts of one kind and one document ("" for all of them)."""
    return [
        conflict
        for conflict in conflicts
        if kind in ("", conflict["kind"]) and document in ("", *(side["document"] for side in conflict["sides"]))
    ]


def ledger_html(chosen: Sequence[Conflict], count: int, prefix: str) -> str:
    """The chosen of `count` conflicts of a collection; side j of the k-th of them opens by the pill `PREFIXk.j`."""
    if not count:
        return block(
            '<div class="empty"><h3>No conflicts found</h3><p>Where two documents give different values for the '
            "same thing, both stand here side by side.</p></div>"
        )
    if not chosen:
        return f'<div class="sheet-page">{note("info", "Nothing of that kind is found in that document.")}</div>'
    shown = chosen[:MOST]
    rows = "".join(f'<li class="group">{_conflict(conflict, f"{prefix}{k}")}</li>' for k, conflict in enumerate(shown))
    real = sum(conflict["kind"] == "conflict" for conflict in chosen)
    found = f"{counted(len(chosen), 'difference')}, {counted(real, 'conflict')} among them"
    of = f"; {count:,} in all" if len(chosen) < count else ""
    more = f" The first {MOST} are shown: choose a kind or a document." if len(chosen) > MOST else ""
    says = f'<p class="meta" role="status">{found}{of}.{more}</p>'
    return block(f'<div class="sheet-page conflicts">{says}<ul class="ledger">{rows}</ul></div>')


def kinds_of(conflicts: Iterable[Conflict]) -> list[tuple[str, str]]:
    """What can be chosen by kind: (words with a count, kind), all kinds first."""
    conflicts = list(conflicts)
    present = [kind for kind in DIFFERENCES if any(c["kind"] == kind for c in conflicts)]
    counted = [(f"{DIFFERENCES[kind][0]} ({sum(c['kind'] == kind for c in conflicts)})", kind) for kind in present]
    return [(f"Every kind ({len(conflicts)})", ""), *counted]


def documents_of(conflicts: Iterable[Conflict]) -> list[tuple[str, str]]:
    """What can be chosen by document: (words, name), all documents first."""
    names = sorted({str(side["document"]) for conflict in conflicts for side in conflict["sides"]})
    return [("Every document", ""), *((name, name) for name in names)]
