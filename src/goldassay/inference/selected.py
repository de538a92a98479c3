"""Raters who saw a selection of items: those on which the others differ, as an adjudicator does.

Their agreement with others says nothing of how far people agree, nor how close one is to another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass

__all__ = ["Selected", "raters_of_selections"]

Ints = npt.NDArray[np.int64]

#: A rater saw a selected subset if the others differ there oftener by this much, beyond chance at
#: this level shared out over the raters. (Less often they differ for having one rater fewer.)
UNLIKE, LEVEL = 0.25, 0.001


@dataclass(frozen=True)
class Selected:
    """A rater of a selected subset: how many units of it, and how often the others differ."""

    rater: str
    units: int
    differ: float
    differ_elsewhere: float


def raters_of_selections(
    verdict: Ints, n: Ints, raters: Sequence[str], options: int
) -> tuple[Selected, ...]:
    """Raters who rated less than half of what others did, and items on which these differ.

    `verdict` (P, R) is the option that each of the raters gave, or none that counts (negative, or
    `options` and more); the row stands for `n` (P,) units. Fisher's exact test.
    """
    found = []
    given = (verdict >= 0) & (verdict < options)
    votes = np.stack([(verdict == k).sum(1) for k in range(options)], 1)
    for column, rater in enumerate(raters):
        others = votes.copy()
        mine = given[:, column]
        others[np.flatnonzero(mine), verdict[mine, column]] -= 1
        several = others.sum(1) > 1
        differ = several & ((others > 0).sum(1) > 1)
        counts = [
            int(n[which].sum())
            for which in (several & mine, differ & mine, several & ~mine, differ & ~mine)
        ]
        rated, hits, unrated, misses = counts
        if not rated or rated >= unrated:
            continue
        here, elsewhere = hits / rated, misses / unrated
        chance = _as_unlike(hits, rated, misses, unrated)
        if here - elsewhere >= UNLIKE and chance < LEVEL / len(raters):
            found.append(Selected(rater, int(n[mine].sum()), here, elsewhere))
    return tuple(found)


def _as_unlike(hits: int, rated: int, misses: int, unrated: int) -> float:
    """Fisher's exact chance of so many hits among the rated, or more."""
    total, items = hits + misses, rated + unrated
    span = range(hits, min(rated, total) + 1)

    def log_choose(n: int, k: int) -> float:
        return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)

    every = log_choose(items, total)
    return math.fsum(
        math.exp(log_choose(rated, k) + log_choose(unrated, total - k) - every) for k in span
    )
