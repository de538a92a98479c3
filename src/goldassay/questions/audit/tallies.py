"""How often a judge and people say what of the items of a cluster, where they say few things.

A definition's value of an item is a function of the judge's vector and of people's. Verdicts of a
few options, rated by a few people, are few pairs of vectors over and over: each is evaluated once,
and the sum over a cluster is that of the values times how often they occur there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.rating_vectors import Side

__all__ = ["Tally", "tallied"]

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
    #: (J, C, M)
    number: Array


def tallied(judge: Side, human: Side, cluster: Ints, n_clusters: int) -> Tally | None:
    """The tally of judges (J, U, K) and people (U, K); None where it would be no smaller."""
    if judge.forced.ndim != 3 or human.forced.ndim != 2:
        return None
    units = len(cluster)
    most = units // max(n_clusters, 1)
    if most < 2:
        return None
    theirs = _kinds(human, min(FEW, most))
    if theirs is None:
        return None
    own = _kinds(judge, min(FEW, most // len(theirs.first)))
    if own is None:
        return None
    size = len(own.first) * len(theirs.first)
    place = (cluster * len(own.first)) * len(theirs.first) + theirs.kind
    number = np.stack(
        [
            np.bincount(place + kind * len(theirs.first), minlength=n_clusters * size)
            for kind in own.kind
        ]
    )
    first, second = np.divmod(np.arange(size), len(theirs.first))
    return Tally(
        _at(judge, own.first[first]),
        _at(human, theirs.first[second]),
        number.reshape(len(own.kind), n_clusters, size).astype(np.float64),
    )


@dataclass(frozen=True, slots=True)
class _Kinds:
    """The place of the first vector of each kind, all axes before the last flattened; and the kind
    of each."""

    first: Ints
    kind: Ints


def _kinds(side: Side, most: int) -> _Kinds | None:
    """The different vectors of a side; None where there are more than so many."""
    columns = _columns(side)
    kind = np.full(columns[0].shape, -1, np.int64)
    rest = kind.reshape(-1)
    first: list[int] = []
    at = 0
    while at < len(rest):
        if len(first) == most:
            return None
        alike = np.ones(kind.shape, bool)
        for column in columns:
            value = column.reshape(-1)[at]
            alike &= np.isnan(column) if np.isnan(value) else column == value
        kind[alike] = len(first)
        first.append(at)
        after = rest[at:] < 0
        at = at + int(after.argmax()) if after.any() else len(rest)
    return _Kinds(np.array(first, np.int64), kind)


def _columns(side: Side) -> Sequence[Array]:
    parts = [side.forced, side.omega] if side.omega is not side.forced else [side.forced]
    columns = [np.ascontiguousarray(part[..., k]) for part in parts for k in range(part.shape[-1])]
    return columns if side.accepts is None else [*columns, np.ascontiguousarray(side.accepts)]


def _at(side: Side, places: Ints) -> Side:
    """Vectors at these places, each the one item of a judge or of people."""
    size = side.forced.shape[-1]
    forced, omega = (one.reshape(-1, size)[places][:, None] for one in (side.forced, side.omega))
    accepts = None if side.accepts is None else side.accepts.reshape(-1)[places][:, None]
    return Side(forced, omega, side.threshold, side.ties, accepts)
