"""Intervals drawn in a line of text, all on one scale: `···━━●━━···`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from goldassay.rendering.columns import Column, width_of
from goldassay.words import decimal, number, percent, points

__all__ = ["strip_column"]

#: The fewest cells in which an interval is worth drawing, and the most that help.
LEAST, MOST = 12, 40

Drawn = tuple[float | None, float, float | None] | None


def strip_column(
    drawn: Sequence[Drawn], room: int, *, rate: bool, in_points: bool = False, whole: bool = False
) -> Column | None:
    """A column of at most `room` cells; None where they do not fit or nothing is to be drawn.

    The axis is in the unit of the figures beside it: percent of a `rate`, plain numbers of
    differences of rates, which are `in_points`, whole ones of places, which are `whole`.

    >>> strip_column([(0.2, 0.5, 0.8), None], 16, rate=True).cells
    ('━━━━━━━●━━━━━━━━', '')
    >>> strip_column([(1, 2, 3), None], 16, rate=False, whole=True).head.split()
    ['1', '3']
    """
    known = [one for one in drawn if one is not None]
    size = min(room, MOST)
    ends = [x for one in known for x in one if x is not None and math.isfinite(x)]
    if size < LEAST or not any(low is not None or high is not None for low, _, high in known):
        return None
    left, right = _scale(min(ends), max(ends))
    if whole:
        left, right = math.floor(left), math.ceil(right)
    write = _points if in_points else percent if rate else _bound
    labels = (write(left), write(right))
    gap = size - width_of(labels[0]) - width_of(labels[1])
    if gap < 1:
        return None
    # A heading is wrapped at spaces; an axis is one word.
    axis = f"{labels[0]}{' ' * gap}{labels[1]}".replace(" ", "\u00a0")
    return Column(axis, tuple(_strip(one, left, right, size) for one in drawn))


def _points(value: float) -> str:
    """An end of an axis of points; the unit stands in every line beside it."""
    return points(value).partition(" ")[0]


def _bound(value: float) -> str:
    """An end of the axis; one beyond 10, or of whole numbers, needs no decimals."""
    whole = abs(value) >= 10 or value == 0 or isinstance(value, int)
    return number(round(value)) if whole else decimal(value)


def _scale(least: float, greatest: float) -> tuple[float, float]:
    """Round ends of an axis that holds everything."""
    span = max(greatest - least, 1e-3 * max(abs(greatest), abs(least), 1.0))
    power = 10.0 ** math.floor(math.log10(span))
    step = next(power * k for k in (0.2, 0.5, 1.0, 2.0) if span <= 5 * power * k)
    left = math.floor(least / step + 1e-9) * step
    return left, max(math.ceil(greatest / step - 1e-9) * step, left + step)


def _strip(one: Drawn, left: float, right: float, size: int) -> str:
    if one is None:
        return ""
    low, value, high = one

    def at(x: float | None, unbounded: int) -> int:
        if x is None or not math.isfinite(x):
            return unbounded
        return min(size - 1, max(0, round((x - left) / (right - left) * (size - 1))))

    cells = ["·"] * size
    if low is not None or high is not None:
        first, last = at(low, 0), at(high, size - 1)
        cells[first : last + 1] = ["━"] * (last + 1 - first)
    cells[at(value, 0)] = "●"
    return "".join(cells)
