"""Text recognition of page pictures by rapidocr (an optional extra whose models are in its wheel).

Runs inside the worker process (`pdf_worker`, operation "ocr"), about 5 s a page.
"""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import Any

from multidoc_rag.files.pdf_document import Refusal

Word = tuple[int, int, tuple[float, float, float, float]]


def recognise_page(image: Any, crop: list[float], rotation: int) -> tuple[str, list[Word]]:
    """Text of a page picture in reading order, and its lines as (start, end, box in the page's own coordinates).

    `image` (Pillow, RGB) shows the part `crop` of a page turned by `rotation` degrees. Lines end with "\\r\\n",
    paragraphs with a blank line more. Raises Refusal ("extra") where rapidocr is not installed.
    """
    import numpy as np

    result = _engine()(np.asarray(image)[:, :, ::-1])
    if result.boxes is None:
        return "", []
    found = []
    for corners, text in zip(result.boxes, result.txts, strict=True):
        xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
        if text.strip():
            found.append(((min(xs), min(ys), max(xs), max(ys)), text.strip()))
    if not found:
        return "", []
    order = _reading_order([box for box, _ in found], list(range(len(found))))
    usual = median(bottom - top for (_, top, _, bottom), _ in found)

    text, words = "", []
    before: tuple[float, float, float, float] | None = None
    for index in order:
        box, line = found[index]
        if before is not None:
            level = min(box[3], before[3]) - max(box[1], before[1]) > 0.5 * min(box[3] - box[1], before[3] - before[1])
            apart = box[1] - before[3] > 0.8 * usual
            text += " " if level and box[0] > before[0] else "\r\n\r\n" if apart else "\r\n"
        words.append((len(text), len(text) + len(line), _to_page(box, image.size, crop, rotation)))
        text += line
        before = box
    return text, words


@cache
def _engine() -> Any:
    try:
        import rapidocr
    except ImportError as error:
        raise Refusal("extra") from error
    return rapidocr.RapidOCR(params={"Global.log_level": "error"})


def _reading_order(boxes: list[tuple[float, float, float, float]], indices: list[int]) -> list[int]:
    """Indices in reading order by cutting along white space: columns where a gutter runs through, else rows.

    The recursive X-Y cut (Nagy, Seth, Viswanathan 1992).
    """
    if len(indices) < 2:
        return indices
    height = median(boxes[i][3] - boxes[i][1] for i in indices)
    rows = _cut(boxes, indices, axis=1, gap=1.2 * height)
    columns = _cut(boxes, indices, axis=0, gap=0.6 * height)
    # A gutter parts columns only where both sides have several lines; a row of cells is read across.
    if len(columns) > 1 and min(len(part) for part in columns) >= 3:
        return [index for part in columns for index in _reading_order(boxes, part)]
    if len(rows) > 1:
        return [index for part in rows for index in _reading_order(boxes, part)]
    lines = _cut(boxes, indices, axis=1, gap=-0.4 * height)
    return [index for line in lines for index in sorted(line, key=lambda i: boxes[i][0])]


def _cut(boxes: list[tuple[float, float, float, float]], indices: list[int], axis: int, gap: float) -> list[list[int]]:
    """Groups of boxes parted by at least `gap` of nothing along an axis, in order."""
    parts: list[list[int]] = []
    reach = float("-inf")
    for index in sorted(indices, key=lambda i: boxes[i][axis]):
        if not parts or boxes[index][axis] - reach > gap:
            parts.append([])
            reach = float("-inf")
        parts[-1].append(index)
        reach = max(reach, boxes[index][axis + 2])
    return parts


def _to_page(
    box: tuple[float, float, float, float], size: tuple[int, int], crop: list[float], rotation: int
) -> tuple[float, float, float, float]:
    """A box in pixels from the picture's upper left corner to the page's own coordinates."""
    x0, y0, x1, y1 = box[0] / size[0], box[1] / size[1], box[2] / size[0], box[3] / size[1]
    left, bottom, right, top = {
        0: (x0, 1 - y1, x1, 1 - y0),
        90: (y0, x0, y1, x1),
        180: (1 - x1, y0, 1 - x0, y1),
        270: (1 - y1, 1 - x1, 1 - y0, 1 - x0),
    }[rotation]
    width, height = crop[2] - crop[0], crop[3] - crop[1]
    return crop[0] + left * width, crop[1] + bottom * height, crop[0] + right * width, crop[1] + top * height
