"""The corrected leaderboard: the true rate of every system, and the differences between them.

Systems answer the same items and often share their labels, so that their corrected rates are
correlated. The covariance comes from the influence of every cluster of items on every system's rate
(`linear`), and goes into the intervals of differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.estimate import linear
from goldassay.questions.estimate.design import POINTS, estimates
from goldassay.questions.estimate.sample import Sample

__all__ = ["Board", "Difference", "leaderboard", "rank_ranges"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """The corrected rate of one system less that of another."""

    first: str
    second: str
    value: float
    low: float
    high: float
    #: The judge's own rates, first less second.
    naive: float


@dataclass(frozen=True, slots=True)
class Board:
    """Corrected rates of systems [S] with limits; NaN where one does not exist."""

    systems: tuple[str, ...]
    naive: Array
    value: Array
    low: Array
    high: Array
    n_items: Array
    n_labelled: Array
    correlation: Array
    differences: tuple[Difference, ...]
    shared: bool


def functional(estimator: str, *, shared: bool) -> linear.Functional:
    """The corrected rate of every group from cells [..., G, K + 1, V], clipped to [0, 1].

    With `shared` every group is corrected with the labels of all of them.
    """

    def values(cells: Array) -> Array:
        calibration = cells[..., :-1, :]
        if not shared:
            return np.clip(POINTS[estimator](cells[..., -1, :], calibration), 0, 1)
        everything = np.broadcast_to(calibration.sum(-3, keepdims=True), calibration.shape)
        # A pool's own labelled items are part of it, whoever lends the rates.
        own = cells[..., -1, :]
        if estimator == "stratified":
            own = own + calibration.sum(-2) - everything.sum(-2)
        return np.clip(POINTS[estimator](own, everything), 0, 1)

    return values


def _component(function: linear.Functional, index: int) -> linear.Functional:
    return lambda cells: function(cells)[..., index]


def leaderboard(
    sample: Sample,
    estimator: str,
    *,
    listed: Sequence[int],
    shared: bool,
    confidence_level: float = 0.95,
) -> Board:
    """The corrected rates of the `listed` groups and all differences between them.

    Limits of a difference are recovered from those of the two rates and their correlation
    (MOVER: Zou and Donner 2008).
    """
    total = sample.total
    function = functional(estimator, shared=shared)
    calibration = total[:, :-1]
    used = calibration
    test = total[:, -1]
    if shared:
        used = np.broadcast_to(calibration.sum(0), calibration.shape)
        if estimator == "stratified":
            test = test + calibration.sum(-2) - used.sum(-2)
    scale = np.array(
        [
            sample.inflation(_component(function, g), confidence_level=confidence_level)
            for g in range(len(sample.groups))
        ]
    )
    scale = np.where(np.isnan(scale), 1.0, scale)
    value, low, high = estimates(
        estimator, test, used, confidence_level=confidence_level, inflation=scale
    )
    value = np.clip(value, 0, 1)
    influences = linear.influence(sample.cells, sample.multiplicity, function)
    covariance = linear.covariance(np.nan_to_num(influences), sample.multiplicity)
    spread = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    correlation = np.clip(covariance / np.outer(spread, spread), -1, 1)
    pool = total[:, -1] + calibration.sum(-2)
    naive = pool[:, 1] / np.maximum(pool.sum(-1), 1e-300)
    differences = []
    for a, b in combinations(listed, 2):
        if np.isnan(value[a]) or np.isnan(value[b]):
            continue
        ends = _difference(
            value[[a, b]], low[[a, b]], high[[a, b]], float(np.nan_to_num(correlation[a, b]))
        )
        differences.append(
            Difference(
                sample.groups[a],
                sample.groups[b],
                float(value[a] - value[b]),
                *ends,
                naive=float(naive[a] - naive[b]),
            )
        )
    kept = list(listed)
    return Board(
        tuple(sample.groups[g] for g in kept),
        naive[kept],
        value[kept],
        low[kept],
        high[kept],
        pool.sum(-1)[kept],
        calibration.sum((-1, -2))[kept],
        correlation[np.ix_(kept, kept)],
        tuple(differences),
        shared,
    )


def _difference(value: Array, low: Array, high: Array, correlation: float) -> tuple[float, float]:
    """Limits of value[0] - value[1]."""
    down, up = value - low, high - value

    def length(a: float, b: float) -> float:
        return float(np.sqrt(max(a * a + b * b - 2 * correlation * a * b, 0.0)))

    centre = float(value[0] - value[1])
    return (max(-1.0, centre - length(down[0], up[1])), min(1.0, centre + length(up[0], down[1])))


def rank_ranges(board: Board) -> list[tuple[int, int] | None]:
    """The best and worst rank of each system that its differences leave open."""
    better, worse = dict.fromkeys(board.systems, 0), dict.fromkeys(board.systems, 0)
    for one in board.differences:
        if one.low > 0:
            worse[one.first] += 1
            better[one.second] += 1
        elif one.high < 0:
            worse[one.second] += 1
            better[one.first] += 1
    defined = int((~np.isnan(board.value)).sum())
    return [
        None if np.isnan(value) else (1 + better[name], defined - worse[name])
        for name, value in zip(board.systems, board.value, strict=True)
    ]
