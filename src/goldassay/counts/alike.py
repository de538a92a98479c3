"""Clusters with the same units, held once with their number.

Of hundreds of thousands of small clusters most have the very units of others: two items, each with
one of some dozens of patterns. Such clusters are exchangeable, so that everything that is summed by
cluster is summed once for all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import combined
from goldassay.counts.units import Units

__all__ = ["alike_clusters"]

Ints = npt.NDArray[np.int64]

#: More clusters than this are drawn together where they are alike (`comparison.MOST_APART`), and
#: looked at here, where none has more patterns than that: larger ones are hardly ever alike.
MANY_CLUSTERS, MOST_IN_CLUSTER = 20_000, 32


def alike_clusters(units: Units) -> Units:
    """The units with each cluster held once that is like others in all its patterns.

    `n` counts the units of all of them, so that sums over patterns are those of before; `alike`
    says how many clusters there are of each kind, `kinds` the kind of each. Few clusters, those of
    one unit each, and those of which hardly two are alike, are left as they are.
    """
    if units.single or units.alike is not None or len(units.n) <= MANY_CLUSTERS:
        return units
    order = np.argsort(units.cluster, kind="stable")  # patterns of a cluster have one order
    labels, start, length = np.unique(units.cluster[order], return_index=True, return_counts=True)
    if len(labels) <= MANY_CLUSTERS or length.max() > MOST_IN_CLUSTER:
        return units
    kind = _kinds(combined(_keys(units))[order], start, length)
    _, first, number = np.unique(kind, return_index=True, return_counts=True)
    if 2 * len(first) > len(start):
        return units
    length = length[first]
    cluster = np.repeat(np.arange(len(first)), length)
    place = np.arange(len(cluster)) - (np.cumsum(length) - length)[cluster]
    held = units.where(order[start[first][cluster] + place])
    kinds = np.full(int(labels[-1]) + 1, -1)
    kinds[labels] = kind
    return replace(held, cluster=cluster, n=held.n * number[cluster], alike=number, kinds=kinds)


def _keys(units: Units) -> list[npt.NDArray[Any]]:
    """What two patterns have in common that are the same, but for their clusters."""
    keys = [one.codes for one in units.by.values()]
    keys += [*units.human.T, *units.verdict.T, units.n, units.weight.view(np.int64)]
    return keys if units.resolved is None else [*keys, units.resolved]


def _kinds(code: Ints, start: Ints, length: Ints) -> Ints:
    """A number [C] for each sequence of codes; a cluster's begin at `start` and are `length`."""
    base = int(code.max()) + 2
    kind = np.zeros(len(start), np.int64)
    for place in range(int(length.max())):
        # A sequence that has ended goes on with a 0 of its own.
        inside = place < length
        at = np.where(inside, start + place, 0)
        kind = kind * base + np.where(inside, code[at] + 1, 0)
        kind = np.unique(kind, return_inverse=True)[1].reshape(-1)
    return kind
