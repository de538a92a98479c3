"""All definitions of performance at once: values per item, totals, and every resample of them.

`columns` reduces judges x items to a few columns per judge: sums of per-item values, numbers of
items behind them, and the tables of hard ratings. A value is a function of summed columns, so that
the bootstrap of all definitions is one matrix product per judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.coefficients import ratio
from karat.indeterminacy.aggregation import Side
from karat.indeterminacy.metrics import Definition
from karat.resample import multiplicities

__all__ = ["Columns", "Evaluation", "columns", "evaluate", "per_item", "values"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Cells held at once: 40 MB for each of sums and items.
CELLS = 5_000_000


@dataclass(frozen=True, slots=True)
class Columns:
    """Per judge and cluster what every definition needs; sums over clusters give the values.

    sums, items  (J, C, D)     sums of per-item values and the number of items they exist for
    tables       (J, C, K, K)  hard ratings, rows = people, columns = judge
    infinite     (J, D)        items whose value is infinite (a logarithm of 0)
    """

    sums: Array
    items: Array
    tables: Array
    infinite: Ints


def per_item(definition: Definition, judge: Side, human: Side) -> Array:
    """Values (J, U) of a definition that is a mean over items; NaN where it does not exist."""
    assert definition.per_item is not None
    j = judge[definition.judge]
    h = human[definition.human] if definition.human != "-" else human["s"]
    return np.asarray(np.broadcast_arrays(definition.per_item(j, h), j[..., 0])[0])


def columns(
    definitions: Sequence[Definition], judge: Side, human: Side, cluster: Ints, n_clusters: int
) -> Columns:
    """The columns of all definitions, summed by cluster."""
    judges, units, size = judge.forced.shape
    shape = (judges, n_clusters, len(definitions))
    sums, items = np.zeros(shape), np.zeros(shape)
    infinite = np.zeros((judges, len(definitions)), np.int64)
    single = n_clusters == units and bool(np.array_equal(cluster, np.arange(units)))
    for d, definition in enumerate(definitions):
        if definition.per_item is None:
            continue
        found = per_item(definition, judge, human)
        infinite[:, d] = np.isinf(found).sum(1)
        finite = np.isfinite(found)
        kept = np.where(finite, found, 0.0)
        if single:
            sums[:, :, d], items[:, :, d] = kept, finite
        else:
            sums[:, :, d] = _by_cluster(kept, cluster, n_clusters)
            items[:, :, d] = _by_cluster(finite.astype(float), cluster, n_clusters)
    tables = np.zeros((judges, n_clusters, size, size))
    if any(definition.of_table for definition in definitions):
        j, h = np.nan_to_num(judge["h"]), np.nan_to_num(human["h"])
        cells = (j[..., None, :] * h[..., :, None]).reshape(judges, units, size * size)
        if not single:
            cells = np.stack([_by_cluster(one.T, cluster, n_clusters).T for one in cells])
        tables = cells.reshape(judges, n_clusters, size, size)
        counted = tables.sum((-1, -2))
        for d, definition in enumerate(definitions):
            if definition.of_table:
                items[:, :, d] = counted
    return Columns(sums, items, tables, infinite)


def _by_cluster(found: Array, cluster: Ints, n_clusters: int) -> Array:
    """Sums over the items of each cluster, (J, U) -> (J, C)."""
    out = np.zeros((n_clusters, len(found)))
    np.add.at(out, cluster, found.T)
    return out.T


def values(
    definitions: Sequence[Definition], counted: Columns, weights: Array | None = None
) -> Array:
    """Values (D, J), or (B, D, J) for weights (B, C) of the clusters; NaN where undefined."""
    judges, clusters, number = counted.sums.shape
    size = counted.tables.shape[-1]
    w = np.ones((1, clusters)) if weights is None else weights
    out = np.full((len(w), number, judges), np.nan)
    in_table = [d for d, one in enumerate(definitions) if one.of_table]
    in_mean = [d for d, one in enumerate(definitions) if one.per_item]
    for j in range(judges):
        # Definitions mostly exist for the same items: count each distinct set of items once.
        items = counted.items[j][:, in_mean]
        distinct, which = _distinct_columns(items)
        block = np.concatenate(
            [counted.sums[j][:, in_mean], distinct, counted.tables[j].reshape(clusters, -1)], axis=1
        )
        total = w @ block
        number_of = total[:, len(in_mean) : len(in_mean) + distinct.shape[1]][:, which]
        out[:, in_mean, j] = ratio(total[:, : len(in_mean)], number_of)
        if in_table:
            tables = total[:, -size * size :].reshape(len(w), size, size)
            for d in in_table:
                formula = definitions[d].of_table
                assert formula is not None
                out[:, d, j] = formula(tables)
    out[:, (counted.infinite > 0).T] = np.nan
    return out[0] if weights is None else out


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
    *,
    resamples: int,
    seed: int,
) -> Evaluation:
    """Every definition for every judge, and over resamples of clusters, the same for all judges."""
    judges = len(judge.forced)
    step = max(1, CELLS // (n_clusters * len(definitions)))
    found: list[tuple[Array, Array, Array, Ints]] = []
    ones = np.ones(n_clusters, np.int64)
    for start in range(0, judges, step):
        part = slice(start, start + step)
        some = Side(judge.forced[part], judge.omega[part], judge.threshold, judge.ties)
        counted = columns(definitions, some, human, cluster, n_clusters)
        rng = np.random.default_rng(seed)
        blocks = [values(definitions, counted, w) for w in multiplicities(ones, resamples, rng)]
        drawn = np.concatenate(blocks)
        found.append(
            (values(definitions, counted), drawn, counted.items.sum(1).T, counted.infinite.T)
        )
    value, drawn, items, infinite = (
        np.concatenate(one, axis=-1) for one in zip(*found, strict=True)
    )
    return Evaluation(value, drawn, items, infinite)


def _distinct_columns(items: Array) -> tuple[Array, Ints]:
    """The distinct columns of a matrix and which of them each column is."""
    seen: dict[bytes, int] = {}
    which = np.array(
        [seen.setdefault(np.ascontiguousarray(c).tobytes(), len(seen)) for c in items.T], np.int64
    )
    first = [int(np.flatnonzero(which == code)[0]) for code in range(len(seen))]
    return items[:, first], which
