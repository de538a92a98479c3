"""Groups of raters: does the audit come out the same for each, and do they differ at all?

Differences are tested by shuffling raters between two groups within each item: if the group does
not matter, any split of an item's raters is as likely as the one seen. The test needs no model, and
unequal numbers of raters per group do not disturb it, because the shuffled groups keep them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.distributions import jensen_shannon
from goldassay.formulas.rating_vectors import normalised
from goldassay.questions.audit.raters import split

__all__ = ["GroupDifference", "compare_groups", "holm"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """Two groups: how far apart their ratings are, and the difference of each statistic."""

    first: str
    second: str
    #: Items that both groups rated.
    n_items: int
    divergence: float
    divergence_p_value: float
    #: Statistic of the first group minus that of the second, and p-values, (M, J).
    difference: Array
    p_value: Array


def compare_groups(
    groups: dict[str, Array],
    statistic: Callable[[Array], Array],
    *,
    shuffles: int,
    rng: np.random.Generator,
) -> list[GroupDifference]:
    """Every two groups, on the items that both rated. `groups` holds counts (U, K).

    `statistic` maps counts (U, K) to values (M, J); NaN where a value does not exist.
    """
    out = []
    for first, second in combinations(groups, 2):
        a, b = groups[first].copy(), groups[second].copy()
        both = (a.sum(-1) > 0) & (b.sum(-1) > 0)
        a[~both], b[~both] = 0.0, 0.0
        if not both.any():
            continue
        whole = a + b

        def apart(one: Array, whole: Array = whole) -> tuple[float, Array]:
            other = whole - one
            divergence = np.nanmean(jensen_shannon(normalised(one), normalised(other)))
            return float(divergence), statistic(one) - statistic(other)

        divergence, difference = apart(a)
        size = a.sum(-1)
        shuffled = [apart(split(whole, size, rng)) for _ in range(shuffles)]
        drawn = np.array([one[1] for one in shuffled])
        further = np.sum([one[0] >= divergence - 1e-12 for one in shuffled])
        with np.errstate(invalid="ignore"):
            extreme = (np.abs(drawn) >= np.abs(difference) - 1e-12).sum(0)
        p_value = np.where(np.isnan(difference), np.nan, (1 + extreme) / (1 + shuffles))
        rare = float((1 + further) / (1 + shuffles))
        n = int(both.sum())
        out.append(GroupDifference(first, second, n, divergence, rare, difference, p_value))
    return out


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values: the chance of any false alarm stays below the level."""
    order = np.argsort(p_values)
    out = np.empty(len(p_values))
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - rank)))
        out[index] = highest
    return [float(p) for p in out]
