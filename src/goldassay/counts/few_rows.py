"""Units of a table of few rows, in memory.

An engine plans, binds and starts every query anew: for a thousand rows that costs twenty times the
counting. So few rows are fetched once, as they are, and one row per unit is made of them here. It
is what `counting` asks of the engine for more rows, and `tests/unit/counts/test_few_rows.py` holds
the two equal. Only clean tables are counted here; what has to be explained is left to `counting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import combined, encoded, is_label
from goldassay.counts.packing import Held
from goldassay.counts.units import By
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch, filled
from goldassay.ratings.table import Ratings

__all__ = ["FEW_ROWS", "UnitRows", "is_small", "unit_rows"]

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Beyond so many rows the engine is faster.
FEW_ROWS = 10_000
#: What tells a judge's verdicts of one unit apart.
_REPEATS = ("sample", "order")


@dataclass(frozen=True)
class UnitRows:
    """One row per unit, under the names of `counting`'s patterns."""

    patterns: Mapping[str, npt.NDArray[Any]]
    #: People's ratings by code, each judge's verdict as its code + 2, then the resolution's.
    held: tuple[Held, ...]
    #: Judge, sample and order of each verdict.
    columns: tuple[tuple[str, str, str], ...]
    #: The labels of each carried column, sorted.
    labels: Mapping[str, tuple[str, ...]]
    #: Rows that are response sets, which are no part of the units.
    response_sets: int


def is_small(ratings: Ratings) -> bool:
    """Whether the rows may be fetched: few of them, and held by the embedded engine."""
    embedded = ratings.frame.implementation is nw.Implementation.DUCKDB
    return embedded and ratings.census.rows <= FEW_ROWS


def unit_rows(
    ratings: Ratings, frame: nw.LazyFrame[Any], human_codes: Sequence[int], carried: Sequence[str]
) -> UnitRows | None:
    """The units of the rows; None where a rater has two rows for one unit and repeat, or a carried
    column differs between the rows of a unit."""
    numbers = ["code", *(["weight"] if "weight" in ratings.columns else [])]
    texts = ["kind", "rater", *ratings.unit, *ratings.repeat, ratings.cluster, *carried]
    found = fetch(frame.select(*dict.fromkeys([*texts, *numbers])), place=ratings.name)
    cells = {name: By(*encoded(found[name])) for name in dict.fromkeys(texts)}
    code = np.asarray(found["code"], np.int64)
    reference = _is(cells["kind"], "reference")
    response_sets = np.zeros(len(code), bool)
    unit, size = _numbered([cells[name].codes for name in ratings.unit])
    if _twice(unit, cells, ("kind", "rater", *ratings.repeat)):
        return None
    if "elicitation" in cells:
        response_sets = _is(cells["elicitation"], "response_set") & ~reference
        cells = {name: By(one.labels, one.codes[~response_sets]) for name, one in cells.items()}
        code, reference = code[~response_sets], reference[~response_sets]
        unit, size = _numbered([cells[name].codes for name in ratings.unit])
    repeats = [name for name in _REPEATS if name in cells]
    if _twice(unit, cells, ("kind", "rater", *repeats)) or _twice(unit[reference], {}, ()):
        return None
    human, judge = (_is(cells["kind"], kind) for kind in ("human", "judge"))
    held: list[Held] = [
        np.bincount(unit[human & (code == one)], minlength=size) for one in human_codes
    ]
    columns = _verdict_columns(ratings, cells, judge)
    for names in columns:
        mine = judge
        for column, name in zip(("rater", *_REPEATS), names, strict=True):
            mine = mine & _is(cells[column], name) if column in cells else mine
        held.append(_verdict(unit[mine], code[mine], size))
    if ratings.resolved is not None:
        held.append(_verdict(unit[reference], code[reference], size))
    patterns: dict[str, npt.NDArray[Any]] = {"n": np.ones(size, np.int64)}
    for name in carried:
        one = cells[name]
        patterns[f"by {name}"] = highest = _highest(unit, one.codes, size)
        given = ~_is(one, "")
        if (highest[unit] != one.codes)[given].any():
            return None
    patterns["cluster number"] = _highest(unit, cells[ratings.cluster].codes, size)
    if "weight" in ratings.columns:
        weight: npt.NDArray[np.float64] = filled(found["weight"], np.nan, float)
        most = np.full(size, np.nan)
        np.fmax.at(most, unit, weight[~response_sets])
        patterns["weight"] = np.where(np.isnan(most), 1.0, most)
    labels = {name: cells[name].labels for name in carried}
    return UnitRows(patterns, tuple(held), columns, labels, int(response_sets.sum()))


def _is(column: By, label: str) -> Bools:
    return is_label((column.labels, column.codes), label)


def _numbered(keys: Sequence[Ints]) -> tuple[Ints, int]:
    """The number of each row's combination of keys, and how many there are."""
    code = combined(keys)
    return code, int(code.max(initial=-1)) + 1


def _twice(unit: Ints, cells: Mapping[str, By], names: Sequence[str]) -> bool:
    """Whether two rows of one unit have the same labels."""
    return _numbered([unit, *(cells[name].codes for name in names)])[1] < len(unit)


def _verdict_columns(
    ratings: Ratings, cells: Mapping[str, By], judge: Bools
) -> tuple[tuple[str, str, str], ...]:
    if not any(name in cells for name in _REPEATS):
        return tuple((name, "", "") for name in ratings.judges)
    rows = np.flatnonzero(judge)
    parts = [
        [cells[name].labels[at] for at in cells[name].codes[rows]]
        if name in cells
        else [""] * len(rows)
        for name in ("rater", *_REPEATS)
    ]
    return tuple(sorted(set(zip(*parts, strict=True))))


def _verdict(unit: Ints, code: Ints, size: int) -> Held:
    """The code + 2 of the one row that each unit has at most, else 0."""
    verdict = np.zeros(size, np.int64)
    verdict[unit] = code + 2
    return verdict


def _highest(unit: Ints, codes: Ints, size: int) -> Ints:
    most = np.zeros(size, np.int64)
    np.maximum.at(most, unit, codes)
    return most
