"""Citation markers as models really write them, found in an answer before anybody asks what they point to.

Understood: `[name.pdf p.3]` and its variants, `(name.pdf, p. 3)`, `[3]`, `[1-3]`, `[1,4-6]`, `[^3]`, `【3】`,
superscripts (`¹²`, `<sup>3</sup>`, `^3^`) and `<cite doc="name.pdf" page="3">quoted words</cite>`, also where it is
never closed. Code stays code: nothing in it is a marker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """One thing a marker points to: a document's name as written, or a number; a page and quoted words where given."""

    written: str
    name: str = ""
    number: int = 0
    page: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """Text from start to end that is a citation and no part of the sentence; `kept` are words inside it that are.

    A closing tag that closes nothing has no references.
    """

    start: int
    end: int
    references: tuple[Reference, ...]
    kept: str = ""


MOST = 50
"""Numbers a range such as [1-9999] may stand for; a longer one is no citation."""

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUFFIXES = r"\.(?:pdf|docx?|md|markdown|html?|txt)"
_NUMBERS = r"\^?\d{1,4}(?:\s*[-–—]\s*\d{1,4})?(?:\s*[,;]\s*\^?\d{1,4}(?:\s*[-–—]\s*\d{1,4})?)*"
_PAGE = r"(?:#page=|\(?\s*(?:pages?|pp?|s|S)\.?\s*)(?P<page>\d{1,5})(?:\s*[-–—]\s*\d{1,5})?\s*\)?"
_REFERENCE = re.compile(rf"(?P<name>.+?)[\s,:;#]*{_PAGE}", re.IGNORECASE | re.DOTALL)

_TOKEN = re.compile(
    rf"""
      (?P<code>```.*?(?:```|\Z)|`[^`\n]*`)
    | <cite\b(?P<attributes>[^<>]*?)(?:/>|>(?:(?P<anchor>(?:[^<]|<(?!/?cite\b))*+)</cite\s*>)?)
    | (?P<stray></cite\s*>)
    | <sup>\s*(?P<sup>{_NUMBERS})\s*</sup>
    | \^(?P<caret>{_NUMBERS})\^
    | (?P<digits>[⁰¹²³⁴-⁹]+(?:[,⁻][⁰¹²³⁴-⁹]+)*)
    | 【(?P<lens>[^【】\n]{{1,300}})】
    | \[(?P<bracket>(?:[^\[\]\n]|\[[^\[\]\n]*\]){{1,300}})\](?!\()
    | \((?P<round>(?:[^()\n]|\([^()\n]{{0,20}}\)){{2,200}}?{_SUFFIXES}(?:[^()\n]|\([^()\n]*\)){{0,60}})\)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def find_markers(text: str, names: Sequence[str], passages: int) -> Iterator[Marker]:
    """The markers of `text` in order. `names` are the documents' names, `passages` how many a number can mean."""
    known = {written.casefold(): name for name in names for written in (name, re.sub(rf"{_SUFFIXES}$", "", name))}
    for match in _TOKEN.finditer(text):
        if match["code"]:
            continue
        if match["stray"]:
            yield Marker(match.start(), match.end(), ())
            continue
        kept = ""
        if match["attributes"] is not None:
            references, kept = [_cite(match)], match["anchor"] or ""
        elif match["sup"] or match["caret"]:
            references = _numbers(match["sup"] or match["caret"])
        elif match["digits"]:
            marked = _is_footnote(text, match.start())
            references = _numbers(match["digits"].translate(_SUPERSCRIPT)) if marked else []
        else:
            inner = (match["lens"] or match["bracket"] or match["round"] or "").split("†")[0]
            references = _inside(inner, known, passages, after=text[max(0, match.start() - 1) : match.start()])
        if references:
            yield Marker(match.start(), match.end(), tuple(references), kept)


def looks_like_a_source(label: str) -> bool:
    """Whether bracketed words can hardly be anything but a source: a file name or a page."""
    return bool(re.search(rf"{_SUFFIXES}\b|\bpp?\.\s*\d|\bpages?\s+\d|#page=", label, re.IGNORECASE))


def _inside(inner: str, known: dict[str, str], passages: int, *, after: str) -> list[Reference]:
    if re.fullmatch(_NUMBERS, inner.strip()):
        references = _numbers(inner)
        inside = all(1 <= reference.number <= passages for reference in references)
        # "array[3]" and "[2019]" cite nothing unless there is such a passage
        if inside or (not after.isalnum() and all(reference.number < 1000 for reference in references)):
            return references
        return []
    references = []
    for part in re.split(rf";\s*|,\s*(?=[^,;]*{_SUFFIXES})|(?<=\d)\s*,\s*(?=\D)", inner):
        references += _named(part.strip(" \t`*_\"'"), known)
    if any(reference.name.casefold() in known for reference in references) or looks_like_a_source(inner):
        return references
    return []


def _named(part: str, known: dict[str, str]) -> list[Reference]:
    """`name.pdf p.3` as a reference; `[1-3: A p.5, B p.12]` parts lose their number."""
    part = re.sub(r"^\d[\d,\s–-]*:\s+", "", part)
    if not part:
        return []
    if part.casefold() in known:
        return [Reference(part, known[part.casefold()])]
    match = _REFERENCE.fullmatch(part)
    name, page = (match["name"].strip(), int(match["page"])) if match else (part, None)
    return [Reference(part, known.get(name.casefold(), name), page=page)]


def _cite(match: re.Match[str]) -> Reference:
    attributes = {
        name.casefold(): value
        for name, _, value in re.findall(r"""([\w-]+)\s*=\s*(["'])(.*?)\2""", match["attributes"] or "", re.DOTALL)
    }
    name = next((attributes[key] for key in ("doc", "document", "source", "file", "name") if key in attributes), "")
    page = re.search(r"\d{1,5}", next((attributes[key] for key in ("page", "pages", "p") if key in attributes), ""))
    anchor = " ".join((match["anchor"] or attributes.get("quote", "")).split())
    if name.strip().isdigit():
        return Reference(name, number=int(name), page=int(page[0]) if page else None, quote=anchor)
    written = f"{name} p.{page[0]}" if page else name
    return Reference(written or "cite", name.strip(), page=int(page[0]) if page else None, quote=anchor)


def _numbers(text: str) -> list[Reference]:
    found: list[Reference] = []
    for part in re.split(r"[,;]", text):
        ends = [int(number) for number in re.findall(r"\d+", part)]
        if not ends:
            continue
        low, high = ends[0], ends[-1]
        if not low <= high <= low + MOST:
            return []
        found += [Reference(str(number), number=number) for number in range(low, high + 1)]
    return found


def _is_footnote(text: str, start: int) -> bool:
    """A superscript after a word or a stop is a marker; after a unit or a figure (m², 10³) it is a power."""
    before = re.search(r"([^\W\d_]*)([\d.,;:!?)”\"’']?)$", text[max(0, start - 40) : start])
    if before is None or before[2].isdigit():
        return False
    return bool(before[2]) or len(before[1]) >= 4
