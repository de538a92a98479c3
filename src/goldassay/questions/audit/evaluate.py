"""All definitions of performance at once: values per item, totals, and every resample of them.

`columns` reduces judges x items to a few columns per judge: sums of per-item values, numbers of
items behind them, and the tables of hard ratings. A value is a function of summed columns, so that
the bootstrap of all definitions is one matrix product per judge.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.distributions import Definition
from goldassay.formulas.rating_vectors import Side
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import multiplicities
from goldassay.questions.audit.tallies import Tally, choices_tallied, tallied

__all__ = [
    "Columns",
    "Draws",
    "Evaluation",
    "Parts",
    "columns",
    "evaluate",
    "per_item",
    "summing",
    "values",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Cells held at once: 40 MB for each of sums and items.
CELLS = 5_000_000


@dataclass(frozen=True, slots=True)
class Draws:
    """How much is drawn behind the intervals, and the seed of all of it."""

    resamples: int = 2000
    #: Drawn panels of raters; 0 takes the raters as if they were all there are.
    panels: int = 20
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Columns:
    """Per judge and cluster what every definition needs; sums over clusters give the values.

    Definitions that come to the same (the judge's vectors are equal under two aggregations, or they
    exist for the same items) share a column. Axes before J are drawn panels of people, where there
    are several.

    parts        (E, ..., J, C)   sums of per-item values, numbers of items, cells of the tables
    sums, items  D places of a definition's sum and of its number of items among the parts
    tables       K x K places of the cells of the hard ratings, rows = people, columns = judge
    infinite     (..., J, D)      items whose value is infinite (a logarithm of 0)
    times        (C,)             so many clusters are each of them
    """

    parts: Array
    sums: tuple[int, ...]
    items: tuple[int, ...]
    tables: tuple[int, ...]
    infinite: Ints
    times: Ints


def vectors(definition: Definition, judge: Side, human: Side) -> tuple[Array, Array]:
    """The rating vectors of both sides that a definition compares."""
    h = definition.human if definition.human != "-" else "s"
    if definition.counted is None:
        return judge[definition.judge], human[h]
    options = definition.counted
    return judge.counted(definition.judge, options), human.counted(h, options)


def per_item(definition: Definition, judge: Side, human: Side) -> Array:
    """Values (..., J, U) of a definition that is a mean over items; NaN where it does not exist."""
    assert definition.per_item is not None
    return np.asarray(definition.per_item(*vectors(definition, judge, human)))


def columns(
    definitions: Sequence[Definition], judge: Side, human: Side, cluster: Ints, times: Ints
) -> Columns:
    """The columns of all definitions, summed by cluster; `times` (C,) clusters are each of them."""
    if human.forced.ndim == 2:
        if (tally := tallied(judge, human, cluster, len(times))) is not None:
            return _of_tally(definitions, tally, times)
    elif (tally := choices_tallied(judge, human, cluster, len(times))) is not None:
        chosen = [d for d, one in enumerate(definitions) if one.human in ("h", "hrs", "-")]
        rest = [d for d in range(len(definitions)) if d not in chosen]
        first = _of_tally([definitions[d] for d in chosen], tally, times)
        second = _of_items([definitions[d] for d in rest], judge, human, cluster, times)
        return _put_together((chosen, first), (rest, second))
    return _of_items(definitions, judge, human, cluster, times)


def _of_items(
    definitions: Sequence[Definition], judge: Side, human: Side, cluster: Ints, times: Ints
) -> Columns:
    """The columns where every item is evaluated."""
    units, size = judge.forced.shape[-2:]
    lead = np.broadcast_shapes(judge.forced.shape[:-2], human.forced.shape[:-2])
    infinite = np.zeros((*lead, len(definitions)), np.int64)
    parts = Parts(summing(cluster, len(times)))
    sums, items = [-1] * len(definitions), [-1] * len(definitions)
    evaluated: dict[tuple[int, ...], int] = {}
    for d, definition in enumerate(definitions):
        if definition.per_item is None:
            continue
        both = vectors(definition, judge, human)
        same = evaluated.setdefault((id(definition.per_item), *map(id, both)), d)
        if same == d:
            found = np.broadcast_to(definition.per_item(*both), (*lead, units))
            sums[d], items[d], exist = parts.of(found)
            if not exist and (endless := np.isinf(found)).any():
                infinite[..., d] = endless @ times[cluster]
        else:
            sums[d], items[d], infinite[..., d] = sums[same], items[same], infinite[..., same]
    tables: list[int] = []
    if any(definition.of_table for definition in definitions):
        j, h = np.nan_to_num(judge["h"]), np.nan_to_num(human["h"])
        tables = [parts.add(h[..., r] * j[..., k]) for r in range(size) for k in range(size)]
        number = parts.add(h.sum(-1) * j.sum(-1))
        items = [number if one.of_table else items[d] for d, one in enumerate(definitions)]
    places = (tuple(sums), tuple(items), tuple(tables))
    made = np.stack(parts.columns) if parts.columns else np.empty((0, *lead, len(times)))
    return Columns(made, *places, infinite, times)


def _of_tally(definitions: Sequence[Definition], tally: Tally, times: Ints) -> Columns:
    """The columns where each pair of vectors is evaluated once."""
    one = np.ones(1, np.int64)
    each = _of_items(definitions, tally.judge, tally.human, one - 1, one)  # a judge for each pair
    lead, (clusters, pairs) = tally.number.shape[:-2], tally.number.shape[-2:]
    flat = tally.number.reshape(-1, pairs)
    parts = (each.parts[..., 0] @ flat.T).reshape(-1, *lead, clusters)
    infinite = np.round(np.einsum("...cm,c,md->...d", tally.number, times, each.infinite))
    places = (each.sums, each.items, each.tables)
    return Columns(parts, *places, infinite.astype(np.int64), times)


def _put_together(
    one: tuple[Sequence[int], Columns], two: tuple[Sequence[int], Columns]
) -> Columns:
    """The columns of all definitions from those of some, at their places, and of the others.

    Tables are among those of the first.
    """
    number = len(one[0]) + len(two[0])
    sums, items = [-1] * number, [-1] * number
    infinite = np.empty((*two[1].infinite.shape[:-1], number), np.int64)
    start = 0
    for places, found in (one, two):
        for d, total, exist in zip(places, found.sums, found.items, strict=True):
            sums[d] = total + start if total >= 0 else -1
            items[d] = exist + start if exist >= 0 else -1
        infinite[..., places] = found.infinite
        start += len(found.parts)
    parts = np.concatenate([one[1].parts, two[1].parts])
    return Columns(parts, tuple(sums), tuple(items), one[1].tables, infinite, one[1].times)


class Parts:
    """Columns (..., C) of sums over the items of each cluster."""

    def __init__(self, by_cluster: Callable[[NDArray[np.generic]], Array]) -> None:
        self.columns: list[Array] = []
        self._by_cluster = by_cluster
        self._existing: dict[bytes | None, int] = {}

    def add(self, found: NDArray[np.generic]) -> int:
        """The place of the sum of values (..., U)."""
        self.columns.append(self._by_cluster(found))
        return len(self.columns) - 1

    def of(self, found: Array) -> tuple[int, int, bool]:
        """The places of the sum of what is finite, and of the number of items that this is.

        Also whether all is.
        """
        finite = np.isfinite(found)
        whole = bool(finite.all())
        total = self.add(found if whole else np.where(finite, found, 0.0))
        exists = None if whole else finite.tobytes()
        if exists not in self._existing:  # mostly values exist for the same items
            self._existing[exists] = self.add(finite)
        return total, self._existing[exists], whole


def summing(cluster: Ints, n_clusters: int) -> Callable[[NDArray[np.generic]], Array]:
    """A function that sums the last axis, items, within clusters: (..., U) -> (..., C)."""
    if n_clusters == len(cluster) and bool(np.array_equal(cluster, np.arange(n_clusters))):
        return lambda found: np.asarray(found, dtype=np.float64)
    starts = np.flatnonzero(np.r_[True, np.diff(cluster) != 0])
    order = None
    if len(np.unique(cluster[starts])) < len(starts):  # its items do not stand together
        order = np.argsort(cluster, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(cluster[order]) != 0])
    present = cluster[starts] if order is None else cluster[order[starts]]

    def summed(found: NDArray[np.generic]) -> Array:
        out = np.zeros((*found.shape[:-1], n_clusters))
        together = found if order is None else found[..., order]
        if len(starts) == len(cluster):  # one item each, and clusters without one
            out[..., present] = together
            return out
        out[..., present] = np.add.reduceat(together, starts, axis=-1, dtype=np.float64)
        return out

    return summed


def values(
    definitions: Sequence[Definition], counted: Columns, weights: Array | None = None
) -> Array:
    """Values (..., D, J), or (..., B, D, J) for weights (..., B, C) of clusters; NaN: undefined."""
    in_mean = [d for d, one in enumerate(definitions) if one.per_item]
    if weights is None:
        total = (counted.parts * counted.times).sum(-1, keepdims=True)
    else:
        total = _weighted(counted.parts, weights)  # (E, ..., J, B)
    out = np.full((len(definitions), *total.shape[1:]), np.nan)
    sums, items = ([places[d] for d in in_mean] for places in (counted.sums, counted.items))
    out[in_mean] = ratio(total[sums], total[items])
    size = math.isqrt(len(counted.tables))
    cells = np.moveaxis(total[list(counted.tables)], 0, -1)
    for d, one in enumerate(definitions):
        if one.of_table is not None:
            out[d] = one.of_table(cells.reshape(*cells.shape[:-1], size, size))
    out[np.moveaxis(counted.infinite > 0, -1, 0)] = np.nan
    found = np.moveaxis(out, (-1, 0, -2), (-3, -2, -1))  # (D, ..., J, B) -> (..., B, D, J)
    return found[..., 0, :, :] if weights is None else found


def _weighted(columns: Array, weights: Array) -> Array:
    """Sums over clusters (E, ..., J, B) of columns (E, ..., J, C) under weights (..., B, C)."""
    if weights.ndim == 2:  # one product for all
        flat = columns.reshape(-1, columns.shape[-1]) @ weights.T
        return flat.reshape(*columns.shape[:-1], len(weights))
    # One product per panel: BLAS runs the batched one, of many small strided matrices, badly.
    out = np.empty((*columns.shape[:-1], weights.shape[-2]))
    for panel in np.ndindex(weights.shape[:-2]):
        at = (slice(None), *panel)
        flat = columns[at].reshape(-1, columns.shape[-1]) @ weights[panel].T
        out[at] = flat.reshape(out[at].shape)
    return out


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Values (D, J), their replicates (B, D, J), and the items behind them (D, J)."""

    value: Array
    replicates: Array
    items: Array
    #: Items whose value is infinite (a logarithm of 0), (D, J).
    infinite: Ints


def evaluate(
    definitions: Sequence[Definition],
    judge: Side,
    human: Side,
    cluster: Ints,
    times: Ints,
    draws: Draws,
) -> Evaluation:
    """Every definition for every judge, and over resamples of clusters, the same for all judges."""
    judges = len(judge.forced)
    step = max(1, CELLS // (len(times) * len(definitions)))
    found: list[tuple[Array, Array, Array, Ints]] = []
    for start in range(0, judges, step):
        part = slice(start, start + step)
        some = judge.part(part)
        counted = columns(definitions, some, human, cluster, times)
        rng = np.random.default_rng(draws.seed)
        weights = multiplicities(times, draws.resamples, rng)
        drawn = np.concatenate([values(definitions, counted, w) for w in weights])
        found.append((values(definitions, counted), drawn, _number(counted), counted.infinite.T))
    value, drawn, items, infinite = (
        np.concatenate(one, axis=-1) for one in zip(*found, strict=True)
    )
    return Evaluation(value, drawn, items, infinite)


def _number(counted: Columns) -> Array:
    """The items behind each definition's value, (D, J)."""
    return np.asarray((counted.parts[list(counted.items)] * counted.times).sum(-1))
