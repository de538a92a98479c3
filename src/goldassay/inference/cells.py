"""Tables of counts with many options, held by the cells that are not 0.

A table of 100 options has 10,000 cells, of which an item fills one. Clusters' tables are therefore
held as entries (cluster, row, column, value); draws of them as what coefficients read, the margins
and the diagonal (`formulas.agreement.Margins`), or, for a coefficient that reads every cell, as
tables of a few draws at a time. Nothing here is as large as draws x options x options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import Margins
from goldassay.frozen import dataclass

__all__ = [
    "MOST_OPTIONS",
    "Cells",
    "SparseRows",
    "coincidence_cells",
    "hits_and_sizes",
    "joined",
    "margins",
    "outer_cells",
    "several_decisions",
    "total_of",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Up to so many options, tables are small enough to be held whole.
MOST_OPTIONS = 16


def _sums(place: Ints, value: Array, size: int) -> Array:
    """Sums [size] of the values at each place."""
    return np.bincount(place, value, size).astype(np.float64, copy=False)


@dataclass(frozen=True)
class SparseRows:
    """Numbers [rows, width] by those that are not 0; entries of the same place add up."""

    row: Ints
    column: Ints
    value: Array
    rows: int
    width: int

    @cached_property
    def _by_column(self) -> tuple[Ints, Array, Ints, Ints]:
        """Rows and values in order of the columns, the columns met, and where each begins."""
        order = np.argsort(self.column, kind="stable")
        met, start = np.unique(self.column[order], return_index=True)
        return self.row[order], self.value[order], met, start

    def under(self, weights: Array) -> Array:
        """Sums [B, width] of the rows under weights [B, rows]."""
        row, value, met, start = self._by_column
        sums = np.zeros((len(weights), self.width))
        if len(met):
            sums[:, met] = np.add.reduceat(weights[:, row] * value, start, axis=1)
        return sums

    def dense(self) -> Array:
        place = self.row * self.width + self.column
        return _sums(place, self.value, self.rows * self.width).reshape(self.rows, self.width)


@dataclass(frozen=True)
class Cells:
    """Tables [owners, groups, K, K] by their entries; entries of the same cell add up.

    An owner is what a table belongs to: a pattern of units, a cluster, a draw.
    """

    owner: Ints
    group: Ints
    row: Ints
    column: Ints
    value: Array
    #: Owners, groups, K.
    shape: tuple[int, int, int]

    @classmethod
    def of(cls, tables: Array) -> Cells:
        """Those of tables [owners, groups, K, K]."""
        owner, group, row, column = np.nonzero(tables)
        return cls(owner, group, row, column, tables[owner, group, row, column], tables.shape[:3])

    @property
    def size(self) -> int:
        return self.shape[2]

    def dense(self) -> Array:
        """Tables [owners, groups, K, K]."""
        owners, groups, size = self.shape
        return self.every_cell.dense().reshape(owners, groups, size, size)

    def sums(self) -> tuple[Array, Array]:
        """The sum of the diagonal, and of all cells, [owners, groups] each."""
        owners, groups, _ = self.shape
        at = self.owner * groups + self.group
        hits = np.where(self.row == self.column, self.value, 0.0)
        one, two = (_sums(at, x, owners * groups) for x in (hits, self.value))
        return one.reshape(owners, groups), two.reshape(owners, groups)

    def totals(self) -> Array:
        """The sum of all cells of an owner, [owners]: of many groups `sums` would be large."""
        return _sums(self.owner, self.value, self.shape[0])

    def sides(self) -> tuple[Array, Array]:
        """Both margins [owners, K] of tables of one group."""
        owners, _, size = self.shape
        one, two = (
            _sums(self.owner * size + at, self.value, owners * size)
            for at in (self.row, self.column)
        )
        return one.reshape(owners, size), two.reshape(owners, size)

    def summed(self, owner: Ints, owners: int, times: Ints | None = None) -> Cells:
        """Tables summed into others: `owner` is the new one of each old one, `times` its weight."""
        value = self.value if times is None else self.value * times[self.owner]
        return replace(self, owner=owner[self.owner], value=value, shape=(owners, *self.shape[1:]))

    def where(self, entries: NDArray[np.bool_]) -> Cells:
        """Some of the entries."""
        parts = (self.owner, self.group, self.row, self.column)
        owner, group, row, column = (one[entries] for one in parts)
        return Cells(owner, group, row, column, self.value[entries], self.shape)

    def only(self, owners: NDArray[np.bool_]) -> Cells:
        """The tables of some owners; those of the others are empty."""
        return self.where(owners[self.owner])

    def kept(self, owners: NDArray[np.bool_]) -> Cells:
        """The tables of some owners, numbered anew."""
        found, new = self.only(owners), np.cumsum(owners) - 1
        return replace(found, owner=new[found.owner], shape=(int(owners.sum()), *self.shape[1:]))

    def grouped(self, group: Ints, groups: int) -> Cells:
        """Tables of one group told apart by the group of their owners."""
        owners, _, size = self.shape
        return replace(self, group=group[self.owner], shape=(owners, groups, size))

    def distinct(self, times: Ints) -> tuple[Cells, Ints]:
        """Owners with equal tables merged, in one order, and how many have each; none empty.

        As `clusters.distinct_clusters` does with tables held whole.
        """
        _, groups, size = self.shape
        place = (self.group * size + self.row) * size + self.column
        width = groups * size * size
        code, inverse = np.unique(self.owner * width + place, return_inverse=True)
        value = np.bincount(inverse.reshape(-1), self.value, len(code))
        code, value = code[value != 0], value[value != 0]
        owner, place = np.divmod(code, width)
        found, start, number = np.unique(owner, return_index=True, return_counts=True)
        if (number == 1).all():
            order = np.lexsort((value, place))
            new = np.diff(place[order], prepend=-1) != 0
            new[1:] |= np.diff(value[order]) != 0
            first, same = order[new], np.empty(len(order), np.int64)
            same[order] = np.cumsum(new) - 1
        else:
            ends = zip(start.tolist(), (start + number).tolist(), strict=True)
            keys = [(*place[a:b].tolist(), *value[a:b].tolist()) for a, b in ends]
            known = {key: k for k, key in enumerate(sorted(set(keys)))}
            same = np.array([known[key] for key in keys], np.int64)
            first = np.unique(same, return_index=True)[1]
        merged = np.bincount(same, times[found], len(first)).astype(np.int64)
        length = number[first]
        entry = np.repeat(start[first] - np.cumsum(length) + length, length) + np.arange(
            length.sum()
        )
        rest, column = np.divmod(place[entry], size)
        group, row = np.divmod(rest, size)
        owner = np.repeat(np.arange(len(first)), length)
        shape = (len(first), groups, size)
        return Cells(owner, group, row, column, value[entry], shape), merged

    @cached_property
    def every_cell(self) -> SparseRows:
        """All cells as rows [owners, groups K K]."""
        owners, groups, size = self.shape
        place = (self.group * size + self.row) * size + self.column
        return SparseRows(self.owner, place, self.value, owners, groups * size * size)

    def read(self, weights: Array | None) -> SparseRows:
        """What `margins` takes apart as rows [owners, groups (3 K + 1)]."""
        owners, groups, size = self.shape
        width = 3 * size + 1
        hit = np.flatnonzero(self.row == self.column)
        places = [self.row, size + self.column, 2 * size + self.row[hit]]
        values = [self.value, self.value, self.value[hit]]
        entries = [np.arange(len(self.value)), np.arange(len(self.value)), hit]
        if weights is not None:
            places.append(np.full(len(self.value), 3 * size))
            values.append(self.value * weights[self.row, self.column])
            entries.append(entries[0])
        entry = np.concatenate(entries)
        place = self.group[entry] * width + np.concatenate(places)
        return SparseRows(self.owner[entry], place, np.concatenate(values), owners, groups * width)


def hits_and_sizes(tables: Array | Cells) -> tuple[Array, Array]:
    """The sums of the diagonals and of all cells of tables [C, ..., R, V], [C, ...] each."""
    if isinstance(tables, Cells):
        return tables.sums()
    # Sums over a small table are slow, and a product is not.
    rows, columns = tables.shape[-2:]
    flat = tables.reshape(*tables.shape[:-2], rows * columns)
    return flat @ np.eye(rows, columns).reshape(-1), flat @ np.ones(rows * columns)


def total_of(tables: Array | Cells, times: Ints) -> Array:
    """Tables [C, ..., K, K] summed over clusters, `times` of each."""
    if isinstance(tables, Cells):
        found: Array = tables.summed(np.zeros(len(times), np.int64), 1, times).dense()[0]
        return found
    return np.asarray(np.tensordot(times, tables, axes=1))


def several_decisions(tables: Array | Cells) -> bool:
    """Whether a cluster's table counts more than one decision."""
    return bool((hits_and_sizes(tables)[1] > 1 + 1e-9).any())


def outer_cells(first: Array, second: Array) -> Cells:
    """Products of every row of `first` [P, K] and that of `second`, as tables of one group."""
    (owner, row), (other, column) = (_not_zero(one) for one in (first, second))
    number = np.bincount(other, minlength=len(second))
    if (number == 1).all():  # one verdict of each: nothing is repeated
        column = column[owner]
    else:
        times, start = number[owner], np.cumsum(number) - number
        at = np.repeat(start[owner] - np.cumsum(times) + times, times) + np.arange(times.sum())
        owner, row, column = np.repeat(owner, times), np.repeat(row, times), column[at]
    value = first[owner, row] * second[owner, column]
    shape = (len(first), 1, max(first.shape[1], second.shape[1]))
    return Cells(owner, np.zeros(len(owner), np.int64), row, column, value, shape)


def _not_zero(table: Array) -> tuple[Ints, Ints]:
    """`np.nonzero` of a table, several times as fast on one that is long and narrow."""
    row, column = np.divmod(np.flatnonzero(table), table.shape[1])
    return row, column


def coincidence_cells(counts: Ints) -> Cells:
    """`formulas.reliability.coincidences` of ratings by option [U, K], by those that are not 0."""
    votes = counts.astype(np.float64)
    number = votes.sum(1)
    cells = outer_cells(votes, votes)
    own = np.where(cells.row == cells.column, votes[cells.owner, cells.row], 0.0)
    share = np.where(number > 1, 1 / np.maximum(number - 1, 1), 0.0)
    return replace(cells, value=(cells.value - own) * share[cells.owner])


def joined(parts: Sequence[Cells]) -> Cells:
    """Tables of the same owners as groups of one; classes that only some have come last."""
    return Cells(
        np.concatenate([one.owner for one in parts]),
        np.concatenate([np.full(len(one.value), k) for k, one in enumerate(parts)]),
        np.concatenate([one.row for one in parts]),
        np.concatenate([one.column for one in parts]),
        np.concatenate([one.value for one in parts]),
        (parts[0].shape[0], len(parts), max(one.size for one in parts)),
    )


def margins(read: Array, size: int, *, near: bool) -> Margins:
    """Margins of tables from what `Cells.read` gives [..., 3 K + 1]."""
    rows, columns, hits = (read[..., k * size : (k + 1) * size] for k in range(3))
    return Margins(rows, columns, hits, read[..., -1] if near else None)
