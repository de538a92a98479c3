"""Several small counts of a group in one sum: each has bits of its own.

An engine pays for every aggregate of every group. A unit's verdicts and ratings by option are small
numbers, so that one sum carries many of them.

A place may run over into the next one where far more rows fall on it than were expected. That never
goes unseen: `n` rows that run over count as fewer than `n` when the sum is taken apart, while the
group's own number of rows is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass

__all__ = ["PACK_BITS", "Held", "Slot", "digits", "packed", "unpacked"]

Held = npt.NDArray[np.integer[Any]]

#: Bits of a sum: a double holds it exactly, and engines add doubles faster than wide integers.
PACK_BITS = 52


@dataclass(frozen=True)
class Slot:
    """Which rows add to a place, what each of them adds, and how many bits the place has.

    The slots of one packing are exclusive: a row adds to one of them at most.
    """

    rows: nw.Expr
    adds: nw.Expr
    bits: int


def packed(slots: Sequence[Slot]) -> list[nw.Expr]:
    """What a row adds to each sum."""
    sums: list[nw.Expr] = []
    for slot, (number, shift) in zip(slots, _places(slots), strict=True):
        if number == len(sums):
            sums.append(nw.lit(0.0))
        adds = slot.adds.cast(nw.Float64) * float(1 << shift)
        sums[number] = nw.when(slot.rows).then(adds).otherwise(sums[number])
    return sums


def unpacked(slots: Sequence[Slot], sums: Sequence[npt.NDArray[np.int64]]) -> list[Held]:
    """What each place holds, from the sums; small numbers as such, there may be millions."""
    return [
        ((sums[number] >> shift) & ((1 << slot.bits) - 1)).astype(
            np.int16 if slot.bits < 15 else np.int64
        )
        for slot, (number, shift) in zip(slots, _places(slots), strict=True)
    ]


def digits(slots: Sequence[Slot], sums: Sequence[str]) -> Iterator[nw.Expr]:
    """What each place holds, asked of the engine; `sums` are the columns of the sums."""
    for slot, (number, shift) in zip(slots, _places(slots), strict=True):
        yield nw.col(sums[number]).cast(nw.Int64) // (1 << shift) % (1 << slot.bits)


def _places(slots: Sequence[Slot]) -> Iterator[tuple[int, int]]:
    number = shift = 0
    for slot in slots:
        if shift + slot.bits > PACK_BITS:
            number, shift = number + 1, 0
        yield number, shift
        shift += slot.bits
