"""All definitions of performance at once: values per item, totals, and every resample of them.

`columns` reduces judges x items to a few columns per judge: sums of per-item values, numbers of
items behind them, and the tables of hard ratings. A value is a function of summed columns, so that
the bootstrap of all definitions is one matrix product per judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.distributions import Definition
from goldassay.formulas.rating_vectors import Side
from goldassay.inference.bootstrap import multiplicities

__all__ = ["Columns", "Draws", "Evaluation", "columns", "evaluate", "per_item", "summing", "values"]

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

    Axes before J are drawn panels of people, where there are several.

    sums, items  (..., J, C, D)     sums of per-item values and the number of items they exist for
    tables       (..., J, C, K, K)  hard ratings, rows = people, columns = judge
    infinite     (..., J, D)        items whose value is infinite (a logarithm of 0)
    """

    sums: Array
    items: Array
    tables: Array
    infinite: Ints


def per_item(definition: Definition, judge: Side, human: Side) -> Array:
    """Values (..., J, U) of a definition that is a mean over items; NaN where it does not exist."""
    assert definition.per_item is not None
    h = definition.human if definition.human != "-" else "s"
    if definition.counted is not None:
        vectors = (
            judge.counted(definition.judge, definition.counted),
            human.counted(h, definition.counted),
        )
    else:
        vectors = judge[definition.judge], human[h]
    return np.asarray(definition.per_item(*vectors))


def columns(
    definitions: Sequence[Definition], judge: Side, human: Side, cluster: Ints, n_clusters: int
) -> Columns:
    """The columns of all definitions, summed by cluster."""
    units, size = judge.forced.shape[-2:]
    lead = np.broadcast_shapes(judge.forced.shape[:-2], human.forced.shape[:-2])
    # Definitions come first in memory, so that each is written in one run.
    sums, items = (
        np.moveaxis(np.zeros((len(definitions), *lead, n_clusters)), 0, -1) for _ in range(2)
    )
    infinite = np.zeros((*lead, len(definitions)), np.int64)
    by_cluster = summing(cluster, n_clusters)
    for d, definition in enumerate(definitions):
        if definition.per_item is None:
            continue
        found = per_item(definition, judge, human)
        infinite[..., d] = np.isinf(found).sum(-1)
        finite = np.isfinite(found)
        sums[..., d] = by_cluster(np.where(finite, found, 0.0))
        items[..., d] = by_cluster(finite)
    tables = np.zeros((*lead, n_clusters, size, size))
    in_table = [d for d, definition in enumerate(definitions) if definition.of_table]
    if in_table:
        j, h = np.nan_to_num(judge["h"]), np.nan_to_num(human["h"])
        cells = (j[..., None, :] * h[..., :, None]).reshape(*lead, units, size * size)
        summed = np.swapaxes(by_cluster(np.swapaxes(cells, -1, -2)), -1, -2)
        tables = summed.reshape(*lead, n_clusters, size, size)
        items[..., in_table] = tables.sum((-1, -2))[..., None]
    return Columns(sums, items, tables, infinite)


def summing(cluster: Ints, n_clusters: int) -> Callable[[NDArray[np.generic]], Array]:
    """A function that sums the last axis, items, within clusters: (..., U) -> (..., C)."""
    if n_clusters == len(cluster) and bool(np.array_equal(cluster, np.arange(n_clusters))):
        return lambda found: np.asarray(found, dtype=np.float64)
    order = np.argsort(cluster, kind="stable")
    present, starts = np.unique(cluster[order], return_index=True)

    def summed(found: NDArray[np.generic]) -> Array:
        out = np.zeros((*found.shape[:-1], n_clusters))
        ordered = np.asarray(found, dtype=np.float64)[..., order]
        out[..., present] = np.add.reduceat(ordered, starts, axis=-1)
        return out

    return summed


def values(
    definitions: Sequence[Definition], counted: Columns, weights: Array | None = None
) -> Array:
    """Values (..., D, J), or (..., B, D, J) for weights (..., B, C) of clusters; NaN: undefined."""
    size = counted.tables.shape[-1]
    in_table = [d for d, one in enumerate(definitions) if one.of_table]
    in_mean = [d for d, one in enumerate(definitions) if one.per_item]
    # Definitions mostly exist for the same items: count each distinct set of items once.
    distinct, which = _distinct(np.moveaxis(counted.items, -1, 0)[in_mean])
    parts = [np.moveaxis(counted.sums, -1, 0)[in_mean], distinct]
    if in_table:
        tables = counted.tables.reshape(*counted.tables.shape[:-2], size * size)
        parts.append(np.moveaxis(tables, -1, 0))
    total = _weighted(np.concatenate(parts), weights)  # (E, ..., J, B)
    means = len(in_mean)
    out = np.full((len(definitions), *total.shape[1:]), np.nan)
    out[in_mean] = ratio(total[:means], total[means : means + len(distinct)][which])
    if in_table:
        cells = np.moveaxis(total[-size * size :], 0, -1)
        for d in in_table:
            formula = definitions[d].of_table
            assert formula is not None
            out[d] = formula(cells.reshape(*cells.shape[:-1], size, size))
    out[np.moveaxis(counted.infinite > 0, -1, 0)] = np.nan
    found = np.moveaxis(out, (-1, 0, -2), (-3, -2, -1))  # (D, ..., J, B) -> (..., B, D, J)
    return found[..., 0, :, :] if weights is None else found


def _weighted(columns: Array, weights: Array | None) -> Array:
    """Sums over clusters (E, ..., J, B) of columns (E, ..., J, C) under weights (..., B, C)."""
    if weights is None:
        return np.asarray(columns.sum(-1, keepdims=True))
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
    n_clusters: int,
    draws: Draws,
) -> Evaluation:
    """Every definition for every judge, and over resamples of clusters, the same for all judges."""
    judges = len(judge.forced)
    step = max(1, CELLS // (n_clusters * len(definitions)))
    found: list[tuple[Array, Array, Array, Ints]] = []
    ones = np.ones(n_clusters, np.int64)
    for start in range(0, judges, step):
        part = slice(start, start + step)
        some = judge.part(part)
        counted = columns(definitions, some, human, cluster, n_clusters)
        rng = np.random.default_rng(draws.seed)
        weights = multiplicities(ones, draws.resamples, rng)
        drawn = np.concatenate([values(definitions, counted, w) for w in weights])
        found.append(
            (values(definitions, counted), drawn, counted.items.sum(1).T, counted.infinite.T)
        )
    value, drawn, items, infinite = (
        np.concatenate(one, axis=-1) for one in zip(*found, strict=True)
    )
    return Evaluation(value, drawn, items, infinite)


def _distinct(items: Array) -> tuple[Array, Ints]:
    """The distinct parts (first axis) of an array and which of them each part is."""
    seen: dict[bytes, int] = {}
    which = np.array([seen.setdefault(one.tobytes(), len(seen)) for one in items], np.int64)
    first = [int(np.flatnonzero(which == code)[0]) for code in range(len(seen))]
    return items[first], which
