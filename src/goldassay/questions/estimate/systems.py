"""The corrected leaderboard: the true rate of every system, and the differences between them.

Systems answer the same items and often share their labels, so that their corrected rates are
correlated. The covariance comes from the influence of every cluster of items on every system's rate
(`linear`), and goes into the intervals of differences.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.estimate import linear
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import NAIVE, ROGAN_GLADEN, Counts, Estimator, headline
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.shared import SHARED_ASSUMES, SharedLabels, shared_counts
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = [
    "Board",
    "Difference",
    "SystemRates",
    "leaderboard",
    "rank_ranges",
    "ranks",
    "system_rates",
]

Array = NDArray[np.float64]

#: Labels in every verdict (or true label) of every system for it to be corrected by its own.
OWN_LABELS = 5


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

    @property
    def turned(self) -> bool:
        """The judge ranks the two the wrong way round."""
        return (self.low > 0 > self.naive) or (self.high < 0 < self.naive)


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

    @property
    def order(self) -> list[int]:
        """Systems by their corrected rate, highest first; those without one come last."""
        return [int(i) for i in np.argsort(-np.nan_to_num(self.value, nan=-1.0), kind="stable")]


def _counts(cells: Array, drawn: Drawing, *, shared: bool) -> Counts:
    """Counts by group from cells [..., G, K + 1, V]; `shared`: with the labels of all groups."""
    if shared:
        return shared_counts(cells, drawn)
    return Counts(cells[..., -1, :], cells[..., :-1, :])


def estimator_of(drawn: Drawing, *, shared: bool) -> Estimator:
    """Rogan-Gladen for shared labels: what they share is P(verdict | label), not the rates."""
    return ROGAN_GLADEN if shared else headline(drawn)


def functional(drawn: Drawing, *, shared: bool) -> linear.Functional:
    """The corrected rate of every group from cells [..., G, K + 1, V], clipped to [0, 1]."""
    rate = estimator_of(drawn, shared=shared).rate
    return lambda cells: np.clip(rate(_counts(cells, drawn, shared=shared)), 0, 1)


def _component(function: linear.Functional, index: int) -> linear.Functional:
    return lambda cells: function(cells)[..., index]


def leaderboard(
    sample: Sample,
    drawn: Drawing,
    *,
    listed: Sequence[int],
    shared: bool,
    confidence_level: float = 0.95,
) -> Board:
    """The corrected rates of the `listed` groups and all differences between them.

    Limits of a difference are recovered from those of the two rates and their correlation
    (MOVER: Zou and Donner 2008); with shared labels they are Fieller's (`shared`).
    """
    total = sample.total
    function = functional(drawn, shared=shared)
    scale = np.array(
        [
            sample.inflation(_component(function, g), confidence_level=confidence_level)
            for g in range(len(sample.groups))
        ]
    )
    scale = np.where(np.isnan(scale), 1.0, scale)
    counts = _counts(total, drawn, shared=shared)
    value, low, high, _ = estimator_of(drawn, shared=shared).corrected(
        counts, confidence_level, scale
    )
    value = np.clip(value, 0, 1)
    influences = linear.influence(sample.cells, sample.multiplicity, function)
    covariance = linear.covariance(np.nan_to_num(influences), sample.multiplicity)
    spread = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    correlation = np.clip(covariance / np.outer(spread, spread), -1, 1)
    calibration = total[:, :-1]
    pool = total[:, -1] + calibration.sum(-2)
    naive = pool[:, 1] / np.maximum(pool.sum(-1), 1e-300)
    lent = SharedLabels.of(sample, drawn) if shared else None
    differences = []
    for a, b in combinations(listed, 2):
        if np.isnan(value[a]) or np.isnan(value[b]):
            continue
        gap = float(value[a] - value[b])
        ends = (
            _difference(
                value[[a, b]], low[[a, b]], high[[a, b]], float(np.nan_to_num(correlation[a, b]))
            )
            if lent is None
            else lent.difference(a, b, confidence_level=confidence_level)
        )
        differences.append(
            Difference(
                sample.groups[a],
                sample.groups[b],
                gap,
                min(ends[0], gap),
                max(ends[1], gap),
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


def ranks(values: Array) -> list[int | None]:
    """1 for the highest; equal values share a rank, and one that does not exist has none."""
    return [None if np.isnan(v) else int((values > v).sum()) + 1 for v in values]


@dataclass(frozen=True, slots=True)
class SystemRates:
    """The corrected rate of every system of a judge, as results."""

    board: Board
    rates: tuple[Result, ...]
    #: In the order of `board.differences`.
    differences: tuple[Estimate, ...]
    assumption: str

    def rows(self, about: Mapping[str, str | None]) -> Iterator[Row]:
        for place, (system, rate) in enumerate(zip(self.board.systems, self.rates, strict=True)):
            yield Row(rate, {**about, "system": system})
            own, items = float(self.board.naive[place]), round(self.board.n_items[place])
            naive = Estimate(
                NAIVE.result,
                own,
                n_items=items,
                declared={"estimator": NAIVE.name},
                assumptions=(NAIVE.assumes,),
            )
            yield Row(naive, {**about, "system": system})
        for one, gap in zip(self.board.differences, self.differences, strict=True):
            yield Row(gap, {**about, "system": one.first, "opponent": one.second})


def system_rates(
    sample: Sample, drawn: Drawing, *, labels: str | None, confidence_level: float
) -> SystemRates | None:
    """The corrected rate of each group of a sample, and the differences; None for less than two.

    `labels` corrects a system with its "own" labels or with those of all ("shared"); by default
    with its own where every system has enough.
    """
    # Labelled items of no system, or of one that is not in the test, only lend their labels.
    total = sample.total
    items = total[:, -1].sum(-1) if sample.apart else total.sum((-1, -2))
    listed = [g for g, name in enumerate(sample.groups) if name and items[g] > 0]
    if len(listed) < 2 or sample.n_labelled <= 0:
        return None
    shared = labels == "shared" or (
        labels is None and not _own_labels(total[listed], headline(drawn))
    )
    estimator = estimator_of(drawn, shared=shared)
    board = leaderboard(
        sample, drawn, listed=listed, shared=shared, confidence_level=confidence_level
    )
    method = f"{estimator.words}, {'labels of all systems' if shared else 'own labels'}"
    assumption = SHARED_ASSUMES if shared else "each system is corrected with its own labels"
    recovered = "Fieller" if shared else "MOVER with covariance"

    def rate(index: int) -> Result:
        value, n_items = float(board.value[index]), round(board.n_items[index])
        if math.isnan(value):
            reason = "the judge carries no information here, or a label is missing"
            return Undefined("prevalence", reason, n_items)
        low, high = float(board.low[index]), float(board.high[index])
        return Estimate(
            "prevalence",
            value,
            Interval(low, high, confidence_level, method),
            n_items,
            sample.n_clusters,
            declared={"estimator": estimator.name, "labelled": float(board.n_labelled[index])},
            assumptions=(assumption,),
        )

    gaps = (
        Estimate(
            "prevalence_difference",
            one.value,
            Interval(one.low, one.high, confidence_level, f"{method}, {recovered}"),
            sample.n_items,
            sample.n_clusters,
            assumptions=(assumption,),
        )
        for one in board.differences
    )
    return SystemRates(
        board, tuple(rate(index) for index in range(len(listed))), tuple(gaps), assumption
    )


def _own_labels(total: Array, estimator: Estimator) -> bool:
    """Has every system enough labels in each class that the estimator takes rates of?"""
    calibration = total[:, :-1]
    by_class = calibration.sum(-1) if estimator.within == "label" else calibration.sum(-2)
    seen = by_class.sum(0) > 0
    return bool((by_class[:, seen] >= OWN_LABELS).all())
