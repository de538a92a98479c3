"""What stands at a number of few clusters of unequal sizes, in the same words everywhere.

Where large clusters are of another kind than small ones, a sample of few may hold none of the large
ones: nothing in it shows what is missing, and no interval that was tried holds the truth as often
as it claims (`docs/intervals.md`). Which numbers that concerns was measured: changes between
versions, corrected rates and means, differences of judges; not agreement, nor differences of
systems.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.cells import Cells, hits_and_sizes, several_decisions
from goldassay.inference.cluster_spread import few_unequal

__all__ = ["FEW_UNEQUAL_CLUSTERS", "of_differences", "size_warnings", "size_warnings_of_tables"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW_UNEQUAL_CLUSTERS = (
    "few clusters of unequal sizes: if large ones are of another kind than small ones, the "
    "interval may be too short"
)


def size_warnings(sizes: Floats, times: Ints) -> tuple[str, ...]:
    """What is said of clusters of such `sizes` [C], so many of each."""
    return (FEW_UNEQUAL_CLUSTERS,) if few_unequal(sizes, times) else ()


def size_warnings_of_tables(counts: Floats | Cells, times: Ints) -> tuple[str, ...]:
    """The same of judges' tables by cluster [C, J, R, V]; lone decisions have none."""
    if not several_decisions(counts):
        return ()
    _, sizes = hits_and_sizes(counts)
    return size_warnings(sizes.max(1), times)


def of_differences(warnings: tuple[str, ...]) -> tuple[str, ...]:
    """What is said at differences of judges, as warnings of the whole document."""
    return tuple(f"differences between judges come from {one}" for one in warnings)
