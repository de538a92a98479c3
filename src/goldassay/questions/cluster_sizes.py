"""What stands at a number of clusters of unequal sizes, in the same words everywhere.

Where large clusters are of another kind than small ones, a sample of few may hold none of the large
ones: nothing in it shows what is missing, and no interval that was tried holds the truth as often
as it claims (`docs/intervals.md`). More of them show it, and intervals hold unless sizes are so
unequal that the very largest decide. Which numbers that concerns was measured: changes between
versions, corrected means and differences of judges; rates with few clusters, or with one that holds
a third of the items; not agreement, nor differences of systems.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.cells import Cells, hits_and_sizes, several_decisions
from goldassay.inference.cluster_spread import ENOUGH_BY_SIZE, SizeDoubt, doubt_by_size

__all__ = [
    "FEW_UNEQUAL_CLUSTERS",
    "ONE_LARGE_CLUSTER",
    "VERY_UNEQUAL_CLUSTERS",
    "doubt_said",
    "of_differences",
    "size_warnings",
    "size_warnings_of_tables",
    "warnings_of_rates",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW_UNEQUAL_CLUSTERS = (
    "few clusters of unequal sizes: if large ones are of another kind than small ones, the "
    "interval may be too short"
)


VERY_UNEQUAL_CLUSTERS = (
    "clusters of very unequal sizes, of which large ones seem to be of another kind than small "
    "ones: the interval may be too short"
)


ONE_LARGE_CLUSTER = (
    "one cluster holds a third of the items or more: others as large may be unlike it, and the "
    "interval may be too short"
)
#: The share of the items from which on a cluster is large by itself.
LARGE = 1 / 3


def doubt_said(doubt: SizeDoubt | None) -> tuple[str, ...]:
    """A doubt as a warning."""
    said = {None: (), "few": (FEW_UNEQUAL_CLUSTERS,), "heavy": (VERY_UNEQUAL_CLUSTERS,)}
    return said[doubt]


def size_warnings(sizes: Floats, times: Ints, moves: Floats | None = None) -> tuple[str, ...]:
    """What is said of clusters of such `sizes` [C], so many of each, that move a number so."""
    return doubt_said(doubt_by_size(sizes, times, moves))


def warnings_of_rates(sides: Sequence[Floats], times: Ints) -> tuple[str, ...]:
    """What is said of clusters at a rate: of few of unequal sizes, and of one that is large.

    `sides` are their sizes [C] among labelled items and among others, where these are looked at
    apart; the few are so together.
    """
    large = any(one.max(initial=0.0) >= LARGE * (one @ times) > 0 for one in sides)
    several = float(times.sum()) >= ENOUGH_BY_SIZE  # of fewer it is said, whatever they hold
    said = size_warnings(np.sum(sides, axis=0), times)
    return said or ((ONE_LARGE_CLUSTER,) if large and several else ())


def size_warnings_of_tables(counts: Floats | Cells, times: Ints) -> tuple[str, ...]:
    """The same of judges' tables by cluster [C, J, R, V]; lone decisions have none.

    What tells judges apart is by how much more than others they are right on some clusters.
    """
    if not several_decisions(counts):
        return ()
    hits, sizes = hits_and_sizes(counts)
    right = (times @ hits) / np.maximum(times @ sizes, 1e-300)
    moves = hits - right * sizes
    return size_warnings(sizes.max(1), times, moves - moves.mean(1, keepdims=True))


def of_differences(warnings: tuple[str, ...]) -> tuple[str, ...]:
    """What is said at differences of judges, as warnings of the whole document."""
    return tuple(f"differences between judges come from {one}" for one in warnings)
