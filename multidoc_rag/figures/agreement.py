"""How two figures stand to each other: whether evidence bears out a sentence, how two documents' values agree.

The two ask for different things. A sentence may be less exact than its evidence, not more (`agrees`); of two documents
neither is the measure of the other (`agreement`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from multidoc_rag.figures.measures import Quantity
from multidoc_rag.figures.periods import Period
from multidoc_rag.figures.quantities import Figure
from multidoc_rag.figures.units import unit_named

Agreement = Literal["same", "other_unit", "rounding", "within", "different", "incomparable"]

FEW = 13
"""Numbers below this occur for so many things that a unit is asked for."""
SAME_BOUND = 0.1
"""Share of a stated limit by which the one given, a limit too, may be tighter."""
ABOUT, CONVERTED = 0.1, 0.02
"""Share of a value by which one called approximate, and one given in another unit, may be off."""


# --- a sentence and its evidence -----------------------------------------------------------------


def agrees(stated: Figure, given: Figure) -> bool:
    """Whether `given` (in the evidence) bears out `stated` (in the sentence): equal after conversion, rounded to the
    precision stated, within a stated bound, or a date that `stated` gives less exactly."""
    if isinstance(stated, Period) and isinstance(given, Period):
        return _contains(stated, given)
    # a bare number may be a year that was read as a count, or the other way round
    if isinstance(stated, Period):
        return isinstance(given, Quantity) and _is_year(stated, given)
    if isinstance(given, Period):
        return _is_year(given, stated)
    value, other = stated.low, given.low
    if stated.dimension != given.dimension:
        if not _mixable(stated, given):
            return False
        return agrees(*_as_written(stated, given))
    # a bound in the sentence asks for a value on its side; nearly equal ones pass whatever the bound
    tolerance = 0.501 * max(stated.step, 1e-12)
    if stated.bound:
        tolerance = max(tolerance, (ABOUT if stated.bound == "about" else CONVERTED) * abs(other))
    elif stated.step >= 1000:
        tolerance = max(tolerance, 0.501 * _coarse(stated))
    elif stated.factor != given.factor and stated.unit[-1:].isalpha():
        tolerance = max(tolerance, CONVERTED * abs(other))
    # "up to 1,500" is not what "up to 1,000" says, though it follows from it
    near = abs(value - other) <= max(abs(value), 1e-12) * (SAME_BOUND if stated.bound == given.bound else 1)
    if stated.bound == "min" and other >= value and given.bound != "max":
        return near
    if stated.bound == "max" and other <= value and given.bound != "min":
        return near
    # 12.4 in the sentence is not borne out by 12 in the passage, 12 is by 12.4
    if stated.step < given.step / 1.01 and not given.bound and value != other:
        tolerance = min(tolerance, 1e-9 + 0.006 * abs(other))
    return abs(value - other) <= tolerance + 1e-9 * abs(other)


def comparable(stated: Figure, given: Figure) -> bool:
    """Whether the two are of one kind, so that differing values may contradict each other."""
    if isinstance(stated, Period) or isinstance(given, Period):
        return isinstance(stated, Period) and isinstance(given, Period)
    return stated.dimension == given.dimension


def borne_out(stated: Figure, given: Sequence[Figure]) -> bool:
    """Whether any figure of the evidence agrees with `stated`."""
    return any(agrees(stated, figure) for figure in given)


def _is_year(period: Period, number: Quantity) -> bool:
    return period.grain == "year" and number.dimension == "count" and number.low == period.first[0]


def _contains(stated: Period, given: Period) -> bool:
    if stated.grain == "season":  # when one begins depends on where it is, and on who says so
        return stated.first[0] in (given.first[0], given.last[0])
    readings = [(period.first, period.last) for period in (stated, given)]
    return any(
        _holds(one, other)
        for one in (readings[0], *([(stated.other,) * 2] if stated.other else []))
        for other in (readings[1], *([(given.other,) * 2] if given.other else []))
    )


def _holds(outer: tuple[tuple[int, int, int], ...], inner: tuple[tuple[int, int, int], ...]) -> bool:
    if not outer[0][0]:  # "5 March" of any year
        return outer[0][1:] == inner[0][1:] and outer[1][1:] == inner[1][1:]
    return bool(inner[0][0]) and outer[0] <= inner[0] and inner[1] <= outer[1]


def _mixable(stated: Quantity, given: Quantity) -> bool:
    """Whether one side may leave out what the other has: a unit (it may stand in a table's head), what a rate is per,
    "every". Points are not per cent."""
    one, other = (figure.dimension.partition("/")[0] for figure in (stated, given))
    pair = {one, other}
    if "count" in pair:  # "two" bears out no "two years", and "none" no "3 hours a day"
        return not any(figure.factor != 1 and abs(figure.low) < FEW * figure.factor for figure in (stated, given))
    return len(pair) == 1 or pair in ({"angle", "temperature"}, {"interval", "time"})


def _as_written(stated: Quantity, given: Quantity) -> tuple[Quantity, Quantity]:
    """Both in the numbers as they are written where one has no unit, else without what a rate is per."""
    counted = "count" in (stated.dimension, given.dimension)
    sizes = [1 / figure.factor if counted and figure.factor else figure.per for figure in (stated, given)]
    one, other = (
        replace(figure, low=figure.low * size, high=figure.high * size, step=figure.step * size,
                rounded=figure.rounded * size, dimension="count", factor=1.0)
        for figure, size in zip((stated, given), sizes, strict=True)
    )  # fmt: skip
    return one, other


def _coarse(quantity: Quantity) -> float:
    """The size of the last digit that is no zero, not more than a tenth of the first one's."""
    value = abs(quantity.low)
    return max(quantity.step, min(quantity.rounded, 10.0 ** math.floor(math.log10(value)) / 10)) if value else 0.0


# --- two documents -------------------------------------------------------------------------------


def agreement(one: Quantity, other: Quantity) -> Agreement:
    """How two measures stand to each other: the same, the same in another unit, the same at the coarser precision
    (`rounding`), one `within` the range of the other, different, or incomparable (another dimension)."""
    if one.dimension != other.dimension:
        return "incomparable"
    size = max(abs(one.low), abs(one.high), abs(other.low), abs(other.high))
    apart = max(abs(one.low - other.low), abs(one.high - other.high))
    exact = apart <= 1e-9 * size
    about = 1 + 1e-9 if "about" in (one.bound, other.bound) else 1 - 1e-9  # some 4,200 may be 4,150
    if exact or apart < max(_precision(one), _precision(other)) / 2 * about:
        if not _same_unit(one, other):
            return "other_unit"
        return "same" if exact else "rounding"
    if (one.low <= other.low and other.high <= one.high) or (other.low <= one.low and one.high <= other.high):
        return "within"
    return "different"


def _same_unit(one: Quantity, other: Quantity) -> bool:
    same = math.isclose(one.factor, other.factor, rel_tol=1e-6)
    return same and (one.dimension != "temperature" or unit_named(one.unit) == unit_named(other.unit))


def _precision(quantity: Quantity) -> float:
    """How exactly a value is meant: 9,800 may stand for anything near it; 400,000 with its single digit is taken as it
    is, unless it is called approximate."""
    digits = abs(quantity.low) / quantity.rounded if quantity.rounded else 0.0
    exact = quantity.rounded < 99 * quantity.step or digits < 10
    return quantity.step if exact and quantity.bound != "about" else quantity.rounded
