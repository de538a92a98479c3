"""How often a judge and people say what of the items of a cluster, where they say few things.

A definition's value of an item is a function of the judge's vector and of people's. Verdicts of a
few options, rated by a few people, are few pairs of vectors over and over: each is evaluated once,
and the sum over a cluster is that of the values times how often they occur there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.rating_vectors import Side
from goldassay.frozen import dataclass

__all__ = ["Tally", "choices_tallied", "tallied"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Different vectors of a side up to which they are looked for.
FEW = 16


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs of vectors, M of a judge and of people, and how often each judge has them where."""

    #: Sides of M judges and M people with one item each.
    judge: Side
    human: Side
    #: (..., J, C, M); axes before J are drawn panels of people, where there are several.
    number: Array


def tallied(judge: Side, human: Side, cluster: Ints, n_clusters: int) -> Tally | None:
    """The tally of judges (J, U, K) and people (..., U, K); None where it would be no smaller."""
    if judge.forced.ndim != 3:
        return None
    units = len(cluster)
    most = units // max(n_clusters, 1)
    if most < 2:
        return None
    own, kinds = judge.kinds(min(FEW, most))
    if not len(own):
        return None
    theirs, which = human.kinds(min(FEW, most // len(own)))
    if not len(theirs):
        return None
    size = len(own) * len(theirs)
    place = cluster * size + which + kinds * len(theirs)
    rows = place.reshape(-1, units)
    number = np.stack([np.bincount(row, minlength=n_clusters * size) for row in rows])
    first, second = np.divmod(np.arange(size), len(theirs))
    return Tally(
        _at(judge, own[first]),
        _at(human, theirs[second]),
        number.reshape(*place.shape[:-1], n_clusters, size).astype(np.float64),
    )


def choices_tallied(judge: Side, human: Side, cluster: Ints, n_clusters: int) -> Tally | None:
    """The tally of what people chose alone, where their shares (..., J, U, K) are all different."""
    chosen = Side(human["h"], human["hrs"], human.threshold, human.ties)
    return tallied(judge, chosen, cluster, n_clusters)


def _at(side: Side, places: Ints) -> Side:
    """Vectors at these places, each the one item of a judge or of people."""
    at = np.unravel_index(places, side.forced.shape[:-1])
    forced, omega = (one[at][:, None] for one in (side.forced, side.omega))
    accepts = None if side.accepts is None else side.accepts[at][:, None]
    return Side(forced, omega, side.threshold, side.ties, accepts)
