"""Highlights: are random sentences of real PDFs found on their pages, and do their boxes hold exactly their characters?

    python benchmarks/highlights.py [--sentences 2000] [--seed 3] [--folder ../shared/data] [--json FILE]

The way of the app: `Reader.read`, a sentence (or table row) of the document's clean text, `Reader.boxes` on each page
it touches. The other half never uses this program: PDFium by its own bindings gives every character of the page and
its box, the characters whose centres lie in the highlight boxes are put in a row, and both sides are folded here
(case, ligatures, quote marks; white space, hyphens and controls dropped). Sampled are sentences of all pages with a
text layer, and on top of them a hundred that run over a page's end. `--sentences 0` takes every sentence there is.
Exits 1 where fewer than 99.5 % are found or a single one shown is not exact.
"""

from __future__ import annotations

import argparse
import ctypes
import io
import json
import random
import re
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from multidoc_rag.config import Config
from multidoc_rag.errors import MultiDocError
from multidoc_rag.files.reading import Reader
from multidoc_rag.language import sentence_spans
from multidoc_rag.records import Box, Reading

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
CROSSING = 100
"""Sentences that run over a page's end, sampled on top of the others."""


@dataclass(frozen=True)
class Sampled:
    """A span of one document's clean text."""

    path: Path
    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Outcome:
    """What became of one: `found` and `exact` over all pages it touches, `why` where it fell short."""

    sampled: Sampled
    page: int
    quote: str
    found: bool
    exact: bool
    why: str = ""


# --- the half that does not use this program ---------------------------------------------------


class Strangers:
    """Characters and boxes of a file's pages by PDFium's own bindings; `rewritten` where pypdf had to mend the file."""

    def __init__(self, path: Path) -> None:
        self.rewritten = False
        try:
            self.document = pdfium.PdfDocument(path)
        except pdfium.PdfiumError:
            self.document, self.rewritten = pdfium.PdfDocument(_mended(path)), True
        self.pages: dict[int, tuple[list[str], np.ndarray]] = {}

    def inside(self, number: int, boxes: Iterable[Box]) -> str:
        """The page's characters, in the file's order, whose centres lie in one of the boxes."""
        characters, centres = self._characters(number)
        x, y = centres[:, 0], centres[:, 1]
        within = np.zeros(len(characters), dtype=bool)
        for left, bottom, right, top in boxes:
            within |= (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
        return "".join(characters[index] for index in np.flatnonzero(within))

    def _characters(self, number: int) -> tuple[list[str], np.ndarray]:
        """Each character that has a box, and their centres in points, shape (n, 2)."""
        if number in self.pages:
            return self.pages[number]
        text = self.document[number - 1].get_textpage()
        characters: list[str] = []
        centres: list[tuple[float, float]] = []
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        pointers = [ctypes.byref(value) for value in (left, right, bottom, top)]
        for index in range(text.count_chars()):
            character = chr(raw.FPDFText_GetUnicode(text, index))
            if "\udc00" <= character <= "\udfff" and characters and "\ud800" <= characters[-1] <= "\udbff":
                # the second half of a pair stands where the first does
                pair = (characters[-1] + character).encode("utf-16", "surrogatepass")
                characters[-1] = pair.decode("utf-16")
                continue
            if raw.FPDFText_GetCharBox(text, index, *pointers):
                characters.append(character)
                centres.append(((left.value + right.value) / 2, (bottom.value + top.value) / 2))
        self.pages[number] = characters, np.array(centres).reshape(-1, 2)
        return self.pages[number]


def _mended(path: Path) -> bytes:
    """What pypdf makes of a file that PDFium cannot open."""
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = pypdf.PdfReader(path, strict=False)
    if reader.is_encrypted:
        reader.decrypt("")
    writer = pypdf.PdfWriter()
    for page in reader.pages:
        writer.add_page(page)
    output = io.BytesIO()
    writer.write(output)
    return output.getvalue()


_QUOTES = str.maketrans("‘’‚‛′`´‹›“”„‟″«»", "'" * 9 + '"' * 7)
_TEX = {"\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl"}
"""Ligatures of TeX's text fonts, which have no character of their own in such files; in formulas these are letters."""
_DROPPED = ("Pd", "Cc", "Cf", "Cn", "Cs")


def folded(text: str) -> str:
    """Case, ligatures and quote marks folded; white space, hyphens, controls and replacement characters dropped."""
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold().translate(_QUOTES)
    return "".join(c for c in text if not c.isspace() and c != "\ufffd" and unicodedata.category(c) not in _DROPPED)


def same(inside: str, quote: str) -> bool:
    """Whether the file's characters fold to exactly the quote; a control is what TeX means by it, or nothing."""
    wanted, at = folded(quote), 0
    for run, control in re.findall("([^\x0b\x0c\x0e\x0f]*)([\x0b\x0c\x0e\x0f]?)", inside):
        if not wanted.startswith(folded(run), at):
            return False
        at += len(folded(run))
        if control and wanted.startswith(_TEX[control], at):
            at += len(_TEX[control])
    return at == len(wanted)


# --- the half that goes the app's way ------------------------------------------------------------


def spans_of(path: Path, reading: Reading) -> list[Sampled]:
    """Sentences of the clean text, and the rows of its tables; those without a letter or digit are left out."""
    text = reading.text
    found = [Sampled(path, start, end, "sentence") for start, end in sentence_spans(text, reading.language)]
    starts = reading.page_starts
    found = [
        Sampled(path, s.start, s.end, "crossing" if any(s.start < start < s.end for start in starts) else s.kind)
        for s in found
    ]
    found += [Sampled(path, *row, "row") for table in reading.tables for row in table.rows]
    readable = [page.method == "text" for page in reading.pages]
    return [
        sampled
        for sampled in found
        if folded(text[sampled.start : sampled.end])
        and any(map(str.isalnum, text[sampled.start : sampled.end]))
        and all(readable[number - 1] for number, _, _ in parts(reading, sampled))
    ]


def parts(reading: Reading, sampled: Sampled) -> list[tuple[int, int, int]]:
    """(page, start, end) with offsets in the page's clean text, for each page the span touches."""
    found = []
    for page, start in zip(reading.pages, reading.page_starts, strict=True):
        low, high = max(0, sampled.start - start), min(len(page.clean), sampled.end - start)
        if low < high and page.clean[low:high].strip():
            found.append((page.number, low, high))
    return found


def examined(reader: Reader, reading: Reading, sampled: Sampled, strangers: Strangers) -> Outcome:
    """One span, drawn and held against the file."""
    quote = reading.text[sampled.start : sampled.end]
    places = parts(reading, sampled)
    for number, low, high in places:
        page = reading.pages[number - 1]
        boxes = reader.boxes(sampled.path, page, low, high)
        if not boxes:
            if not folded(page.clean[low:high]):
                continue
            return Outcome(sampled, number, quote, False, False, "no boxes")
        got = strangers.inside(number, boxes)
        if not same(got, page.clean[low:high]):
            return Outcome(sampled, number, quote, True, False, f"its boxes hold {got!r}")
    return Outcome(sampled, places[0][0], quote, True, True)


# --- the run -------------------------------------------------------------------------------------


def main() -> None:
    """Read, sample, draw, check, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=2000, help="how many to sample; 0: every one")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=SHARED)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"{options.folder} is not there: nothing was measured.")

    readings: dict[Path, Reading] = {}
    refused: Counter[str] = Counter()
    with Reader(Config()) as reader:
        for path in sorted(options.folder.rglob("*.pdf")):
            try:
                readings[path] = reader.read(path)
            except MultiDocError:
                refused[_folder(path, options.folder)] += 1
        everything = [sampled for path, reading in readings.items() for sampled in spans_of(path, reading)]
        chosen = _sample(everything, options.sentences, options.seed)
        print(f"{len(readings)} files read, {sum(refused.values())} refused ({dict(refused)});", end=" ")
        pages = sum(page.method == "text" for reading in readings.values() for page in reading.pages)
        print(f"{pages} pages with text, {len(everything)} sentences and rows, {len(chosen)} of them tried", flush=True)

        outcomes: list[Outcome] = []
        seconds = 0.0
        strangers: tuple[Path, Strangers] | None = None
        for sampled in sorted(chosen, key=lambda sampled: (sampled.path, sampled.start, sampled.end)):
            if strangers is None or strangers[0] != sampled.path:
                strangers = sampled.path, Strangers(sampled.path)
            started = time.perf_counter()
            outcomes.append(examined(reader, readings[sampled.path], sampled, strangers[1]))
            seconds += time.perf_counter() - started

    for outcome in outcomes:
        if not outcome.exact:
            where = outcome.sampled.path.relative_to(options.folder)
            print(f"{'NOT FOUND' if not outcome.found else 'NOT EXACT'} {where} p.{outcome.page}: ", end="")
            print(f"{' '.join(outcome.quote.split())[:160]!r}: {outcome.why[:300]}")
    rows = _table(outcomes, options.folder)
    print(f"\n{'folder':44}{'tried':>8}{'found':>8}{'%':>8}{'exact of shown':>16}")
    for row in rows:
        share = f"{100 * row['found'] / row['tried']:.2f}"
        print(f"{row['of']:44}{row['tried']:8}{row['found']:8}{share:>8}{row['exact']:8} of {row['found']}")
    print(f"{1000 * seconds / max(1, len(outcomes)):.1f} ms each, the check included")
    if options.json:
        options.json.write_text(json.dumps({"seed": options.seed, "rows": rows}, indent=1) + "\n")
    short = [o for o in outcomes if not o.found]
    if any(o.found and not o.exact for o in outcomes) or len(short) > 0.005 * len(outcomes):
        sys.exit(1)


def _sample(everything: Sequence[Sampled], count: int, seed: int) -> list[Sampled]:
    if not count or count >= len(everything):
        return list(everything)
    chooser = random.Random(seed)
    chosen = chooser.sample(everything, count)
    crossing = [sampled for sampled in everything if sampled.kind == "crossing"]
    return list(dict.fromkeys([*chosen, *chooser.sample(crossing, min(CROSSING, len(crossing)))]))


def _folder(path: Path, root: Path) -> str:
    return "/".join(path.relative_to(root).parent.parts[:2])


def _table(outcomes: Sequence[Outcome], root: Path) -> list[dict[str, Any]]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[_folder(outcome.sampled.path, root)].append(outcome)
    for kind in ("sentence", "crossing", "row"):
        groups[f"({kind})"] = [outcome for outcome in outcomes if outcome.sampled.kind == kind]
    groups["all"] = list(outcomes)
    return [
        {"of": name, "tried": len(of), "found": sum(o.found for o in of), "exact": sum(o.exact for o in of)}
        for name, of in groups.items()
        if of
    ]


if __name__ == "__main__":
    main()
