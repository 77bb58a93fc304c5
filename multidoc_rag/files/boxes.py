"""Highlight boxes: the boxes of a page's characters merged into runs that hold exactly the wanted ones.

PDFium's own rectangles take in neighbours on every seventh span; runs of character boxes, ended wherever the centre of
another character would fall inside, do not. Everything is in the page's own coordinates (points, unrotated).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from multidoc_rag.records import Box

_GAP = 3.0
"""A run ends at gaps wider than this many line heights: beyond lies another column or cell."""
_SLACK = 0.01
"""Points by which a box that holds a stranger's centre is drawn back behind it."""


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """Left, bottom, right, top of each character by index, float64, shape (n, 4); all zero where it has no shape."""

    values: NDArray[np.float64]

    @classmethod
    def from_bytes(cls, data: bytes) -> PageBoxes:
        """From the 32-bit floats that `pdf_worker.boxes` sends."""
        return cls(np.frombuffer(data, dtype=np.float32).reshape(-1, 4).astype(np.float64))

    @classmethod
    def from_words(cls, words: Sequence[tuple[int, int, Box]]) -> PageBoxes:
        """From recognised words (first character, end, box): a word's width is shared out evenly among its letters."""
        values = np.zeros((max((end for _, end, _ in words), default=0), 4))
        for start, end, (left, bottom, right, top) in words:
            edges = np.linspace(left, right, end - start + 1)
            values[start:end] = np.column_stack(
                (edges[:-1], np.full(end - start, bottom), edges[1:], np.full(end - start, top))
            )
        return cls(values)


def runs(boxes: PageBoxes, wanted: Sequence[int], visible: Sequence[int], rotation: int = 0) -> tuple[Box, ...]:
    """The fewest boxes, in reading order, that hold the centres of the `wanted` characters and of no other one.

    `wanted` and `visible` (all that show on the page) are character indices. A box never spans two lines. () where a
    wanted character shares its centre with a stranger. `rotation` is the page's, in degrees, for single characters.
    """
    values = boxes.values
    if not len(wanted) or max(wanted) >= len(values):
        return ()
    has_shape = (values[:, 2] > values[:, 0]) | (values[:, 3] > values[:, 1])
    # Turned so that the text runs to the right; what is given back is as the page has it.
    rotation = _direction(values[[index for index in wanted if has_shape[index]]], rotation)
    turned = _turn(values, rotation)
    strangers = np.zeros(len(values), dtype=bool)
    strangers[[index for index in visible if index < len(values)]] = True
    strangers[list(wanted)] = False
    centres = np.column_stack((turned[:, 0] + turned[:, 2], turned[:, 1] + turned[:, 3]))[strangers & has_shape] / 2

    found: list[tuple[float, float, float, float]] = []
    run: tuple[float, float, float, float] | None = None
    for index in wanted:
        if not has_shape[index]:
            continue
        left, bottom, right, top = (float(value) for value in turned[index])
        shape = (left, bottom, right, top)
        if run is not None and _continues(run, shape):
            union = min(run[0], left), min(run[1], bottom), max(run[2], right), max(run[3], top)
            if not _inside(union, centres).any():
                run = union
                continue
        if run is not None:
            found.append(run)
        run = _alone(shape, centres)
        if run is None:
            return ()
    if run is not None:
        found.append(run)
    return tuple(_turn_back(box, rotation) for box in found)


def _direction(shapes: NDArray[np.float64], rotation: int) -> int:
    """Which way most characters follow one another: 0 to the right, 90 up, 180 to the left, 270 down the page.

    `rotation` where a single character leaves it open: a page is most often turned so that its text stands upright.
    """
    steps = np.diff((shapes[:, :2] + shapes[:, 2:]) / 2, axis=0)
    if not len(steps):
        return rotation
    across = np.abs(steps[:, 0]) > np.abs(steps[:, 1])
    counts = {
        0: np.sum(across & (steps[:, 0] > 0)),
        90: np.sum(~across & (steps[:, 1] > 0)),
        180: np.sum(across & (steps[:, 0] < 0)),
        270: np.sum(~across & (steps[:, 1] < 0)),
    }
    return max(counts, key=lambda way: counts[way])


def _continues(run: Box, shape: Box) -> bool:
    """Whether a character goes on in the run's line: centre in its height or the other way round, no wide gap."""
    height = max(run[3] - run[1], shape[3] - shape[1])
    middle, run_middle = (shape[1] + shape[3]) / 2, (run[1] + run[3]) / 2
    level = run[1] - 0.1 * height <= middle <= run[3] + 0.1 * height or shape[1] <= run_middle <= shape[3]
    return level and run[0] - 0.5 * height <= shape[0] <= run[2] + _GAP * height


def _inside(box: Box, centres: NDArray[np.float64]) -> NDArray[np.bool_]:
    x, y = centres[:, 0], centres[:, 1]
    inside: NDArray[np.bool_] = (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])
    return inside


def _alone(shape: Box, centres: NDArray[np.float64]) -> Box | None:
    """One character's box, drawn back from the centres of strangers that lie in it; None where that cannot be done."""
    left, bottom, right, top = shape
    x, y = (left + right) / 2, (bottom + top) / 2
    for stranger_x, stranger_y in centres[_inside(shape, centres)]:
        away_x, away_y = stranger_x - x, stranger_y - y
        if max(abs(away_x), abs(away_y)) <= 2 * _SLACK:
            return None
        if abs(away_x) >= abs(away_y):
            left, right = (left, stranger_x - _SLACK) if away_x > 0 else (stranger_x + _SLACK, right)
        else:
            bottom, top = (bottom, stranger_y - _SLACK) if away_y > 0 else (stranger_y + _SLACK, top)
    return left, bottom, right, top


def _turn(values: NDArray[np.float64], rotation: int) -> NDArray[np.float64]:
    left, bottom, right, top = values.T
    columns = {
        0: (left, bottom, right, top),
        90: (bottom, -right, top, -left),
        180: (-right, -top, -left, -bottom),
        270: (-top, left, -bottom, right),
    }[rotation]
    return np.column_stack(columns)


def _turn_back(box: Box, rotation: int) -> Box:
    x0, y0, x1, y1 = (float(value) for value in box)
    return {
        0: (x0, y0, x1, y1),
        90: (-y1, x0, -y0, x1),
        180: (-x1, -y1, -x0, -y0),
        270: (y0, -x1, y1, -x0),
    }[rotation]
