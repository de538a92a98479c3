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

from goldassay.inference.contrasts import Recovered, cautious_correlation, family_of, pairs_of
from goldassay.questions.estimate import linear
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    NAIVE,
    ROGAN_GLADEN,
    Counts,
    Estimator,
    headline,
)
from goldassay.questions.estimate.sample import ClusterDesign, Sample
from goldassay.questions.estimate.shared import (
    LIKE_CHANCE,
    SHARED_ASSUMES,
    SharedLabels,
    shared_counts,
)
from goldassay.ratings.drawing import Shares, Stratum
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = [
    "Board",
    "Difference",
    "GroupRates",
    "SystemRates",
    "all_labelled",
    "assumed_of",
    "estimator_of",
    "functional",
    "label_shares",
    "labels_are_shared",
    "leaderboard",
    "rank_ranges",
    "ranks",
    "rate_of_all",
    "recovered",
    "system_rates",
]

Array = NDArray[np.float64]

#: Seed of the draws behind simultaneous differences.
SEED = 1
#: Labels of every system for it to be corrected by its own, and of each true label where error
#: rates are taken from them. Below about 15 labels the intervals of own ones are hardly of use.
OWN_LABELS, OF_EACH_LABEL = 15, 5


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
    #: Items that the judge decides, of which its own rate is.
    n_decided: Array
    n_labelled: Array
    correlation: Array
    differences: tuple[Difference, ...]
    shared: bool
    #: Shared labels that do not tell the judge from chance: no difference is bounded.
    like_chance: bool = False

    def is_drawn_by_system(self, units_in_cluster: float) -> bool:
        """Whether people labelled more of some systems than a random draw would."""
        numbers = zip(self.systems, self.n_decided, self.n_labelled, strict=True)
        counts: dict[Stratum, tuple[int, int]] = {
            ("", name): (round(n), min(round(m), round(n))) for name, n, m in numbers
        }
        return Shares.of(counts).is_unlike_random(units_in_cluster)

    @property
    def order(self) -> list[int]:
        """Systems by their corrected rate, highest first; those without one come last."""
        return [int(i) for i in np.argsort(-np.nan_to_num(self.value, nan=-1.0), kind="stable")]


def _counts(cells: Array, drawn: Drawing, *, shared: bool) -> Counts:
    """Counts by group from cells [..., G, K + 1, V]; `shared`: with the labels of all groups."""
    if shared:
        return shared_counts(cells, drawn)
    return Counts(cells[..., -1, :], cells[..., :-1, :], drawn.from_pool)


def estimator_of(drawn: Drawing, *, shared: bool, complete: bool = False) -> Estimator:
    """Rogan-Gladen for shared labels: what they share is P(verdict | label), not the rates.

    Where the labels are `complete` there is nothing to correct, as in the rate of all systems.
    """
    if shared:
        return ROGAN_GLADEN
    return CALIBRATION_ONLY if complete else headline(drawn)


def all_labelled(total: Array, drawn: Drawing) -> bool:
    """Whether people labelled every item of groups with these cells [G, K + 1, V]."""
    held = total[total.any((1, 2))]
    return drawn.from_pool and len(held) > 0 and bool((held[:, -1].sum(-1) <= 0).all())


def functional(drawn: Drawing, *, shared: bool, complete: bool = False) -> linear.Functional:
    """The corrected rate of every group from cells [..., G, K + 1, V], clipped to [0, 1]."""
    rate = estimator_of(drawn, shared=shared, complete=complete).rate
    return lambda cells: np.clip(rate(_counts(cells, drawn, shared=shared)), 0, 1)


@dataclass(frozen=True)
class GroupRates:
    """The rate of every group by one estimator, with limits at any level of confidence.

    Each group has its own design effect, taken from its own items (and, with shared labels, from
    everybody's labels).
    """

    estimator: Estimator
    counts: Counts
    designs: tuple[ClusterDesign, ...]

    @classmethod
    def of(
        cls, sample: Sample, drawn: Drawing, estimator: Estimator, *, shared: bool
    ) -> GroupRates:
        """`shared`: with the labels of all groups."""

        def rate(cells: Array) -> Array:
            found = estimator.rate(_counts(cells, drawn, shared=shared))
            return np.clip(found[..., 0], 0, 1)

        empty = np.logical_or(sample.independent, ~sample.cells.any(axis=(0, 2, 3)))
        designs = tuple(
            ClusterDesign(1.0, math.inf) if empty[g] else sample.part([g], rest=shared).design(rate)
            for g in range(len(sample.groups))
        )
        return cls(estimator, _counts(sample.total, drawn, shared=shared), designs)

    @property
    def value(self) -> Array:
        return np.clip(self.estimator.rate(self.counts), 0, 1)

    def limits(self, confidence_level: float) -> tuple[Array, Array]:
        """Low and high of every group."""
        scale = np.array([one.inflation(confidence_level) for one in self.designs])
        scale = np.where(np.isnan(scale), 1.0, scale)
        _, low, high, _ = self.estimator.corrected(self.counts, confidence_level, scale)
        value = np.nan_to_num(self.value)
        return np.minimum(low, value), np.maximum(high, value)


def label_shares(cells: Array, times: NDArray[np.int64]) -> Array:
    """The share of a group's labels that each cluster has [C, G], from cells [C, G, K + 1, V]."""
    labelled = cells[:, :, :-1].sum((2, 3))
    found: Array = labelled / np.maximum(times @ labelled, 1e-300)
    return found


def recovered(sample: Sample, rates: GroupRates, function: linear.Functional) -> Recovered:
    """The groups' rates with their correlation over clusters."""
    influences = np.nan_to_num(linear.influence(sample.cells, sample.multiplicity, function))
    correlation = cautious_correlation(influences, sample.multiplicity)
    return Recovered(np.nan_to_num(rates.value), rates.limits, correlation)


def leaderboard(
    sample: Sample,
    drawn: Drawing,
    *,
    listed: Sequence[int],
    shared: bool,
    whole: Sample | None = None,
    confidence_level: float = 0.95,
) -> Board:
    """The corrected rates of the `listed` groups and all differences between them.

    `whole` has all labelled items, also those on which the judge is silent (`complete_sample`): a
    rate is then of these, the judge's own of what it decides.

    Limits of a difference are recovered from those of the two rates and their correlation
    (`contrasts`); with shared labels they are Fieller's (`shared`). All differences hold at once.
    """
    decided = sample.counted
    naive = np.nan_to_num(NAIVE.rate(_counts(sample.total, drawn, shared=False)))
    sample = sample if shared or whole is None else whole
    complete = all_labelled(sample.total[list(listed)], drawn)
    function = functional(drawn, shared=shared, complete=complete)
    estimator = estimator_of(drawn, shared=shared, complete=complete)
    rates = GroupRates.of(sample, drawn, estimator, shared=shared)
    together = recovered(sample, rates, function)
    value = rates.value
    low, high = rates.limits(confidence_level)
    known = [g for g in listed if not np.isnan(value[g])]
    both = np.array(list(combinations(known, 2)), np.int64).reshape(-1, 2)
    pairs = pairs_of(both[:, 0], both[:, 1])
    family = family_of(pairs, together.covariance(confidence_level), seed=SEED)
    source = SharedLabels.of(sample, drawn) if shared else together
    level = family.level(confidence_level)
    ends = source.contrast_limits(pairs, level)
    differences = [
        Difference(
            sample.groups[a],
            sample.groups[b],
            float(value[a] - value[b]),
            min(float(ends[0][k]), float(value[a] - value[b])),
            max(float(ends[1][k]), float(value[a] - value[b])),
            naive=float(naive[a] - naive[b]),
        )
        for k, (a, b) in enumerate(both)
    ]
    kept = list(listed)
    return Board(
        tuple(sample.groups[g] for g in kept),
        naive[kept],
        value[kept],
        low[kept],
        high[kept],
        sample.counted[kept].sum(-1),
        decided[kept].sum(-1),
        sample.counted[kept, 1],
        together.correlation[np.ix_(kept, kept)],
        tuple(differences),
        shared,
        isinstance(source, SharedLabels) and source.like_chance(level),
    )


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
            own, items = float(self.board.naive[place]), round(self.board.n_decided[place])
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
    sample: Sample,
    drawn: Drawing,
    *,
    labels: str | None,
    confidence_level: float,
    whole: Sample | None = None,
) -> SystemRates | None:
    """The corrected rate of each group of a sample, and the differences; None for less than two.

    `labels` corrects a system with its "own" labels or with those of all ("shared"); by default
    with its own where every system has enough, or no item that is not labelled. `whole` is that of
    `leaderboard`.
    """
    # Labelled items of no system, or of one that is not in the test, only lend their labels.
    total = sample.total
    items = total[:, -1].sum(-1) if sample.apart else total.sum((-1, -2))
    listed = [g for g, name in enumerate(sample.groups) if name and items[g] > 0]
    if len(listed) < 2 or sample.n_labelled <= 0:
        return None
    own = (sample if whole is None else whole).total[listed]
    shared = labels_are_shared(own, drawn, labels)
    used = sample if shared or whole is None else whole
    complete = all_labelled(own, drawn)
    estimator = estimator_of(drawn, shared=shared, complete=complete)
    board = leaderboard(
        sample, drawn, listed=listed, shared=shared, whole=whole, confidence_level=confidence_level
    )
    method = f"{estimator.words}, {'labels of all systems' if shared else 'own labels'}"
    assumption = assumed_of(shared=shared, complete=complete)
    how = "Fieller" if shared else "MOVER with covariance"

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
            used.n_clusters,
            declared={"estimator": estimator.name, "labelled": float(board.n_labelled[index])},
            assumptions=(assumption,),
        )

    gaps = (
        Estimate(
            "prevalence_difference",
            one.value,
            Interval(one.low, one.high, confidence_level, f"{method}, {how}, simultaneous"),
            used.n_items,
            used.n_clusters,
            assumptions=(assumption,),
            warnings=(LIKE_CHANCE,) if board.like_chance else (),
        )
        for one in board.differences
    )
    return SystemRates(
        board, tuple(rate(index) for index in range(len(listed))), tuple(gaps), assumption
    )


def rate_of_all(sample: Sample, drawn: Drawing, *, confidence_level: float) -> Result:
    """The rate of all systems, with labels that tell the judge's errors alone: the systems' rates
    with shared labels, each by its items."""
    rates = GroupRates.of(sample, drawn, ROGAN_GLADEN, shared=True)
    one = Counts(rates.counts.test[0], rates.counts.calibration[0])
    if reason := ROGAN_GLADEN.impossible(one):
        return Undefined("prevalence", reason, sample.n_items)
    value = float(rates.value[0])
    if math.isnan(value):
        reason = "the judge carries no information here, or a label is missing"
        return Undefined("prevalence", reason, sample.n_items)
    low, high = (float(one[0]) for one in rates.limits(confidence_level))
    return Estimate(
        "prevalence",
        value,
        Interval(low, high, confidence_level, f"{ROGAN_GLADEN.words}, labels of all systems"),
        sample.n_items,
        sample.n_clusters,
        declared={
            "estimator": ROGAN_GLADEN.name,
            "calibration": drawn.declared,
            "labelled": sample.n_labels,
        },
        assumptions=(SHARED_ASSUMES,),
    )


def labels_are_shared(total: Array, drawn: Drawing, labels: str | None) -> bool:
    """Whether systems with these cells [G, K + 1, V] are corrected with the labels of all.

    As `labels` says, "own" or "shared"; else where some system has not enough of its own. What is
    labelled whole needs no others'.
    """
    if labels is not None or all_labelled(total, drawn):
        return labels == "shared"
    return not _own_labels(total, headline(drawn))


def assumed_of(*, shared: bool, complete: bool) -> str:
    """What the rates of systems assume."""
    if shared:
        return SHARED_ASSUMES
    return (
        "all items that count are labelled"
        if complete
        else "each system is corrected with its own labels"
    )


def _own_labels(total: Array, estimator: Estimator) -> bool:
    """Has every system enough labels of its own?

    Rates within verdicts need so many in all: a verdict without labels makes the interval longer,
    not wrong, while labels of other systems are right only where the judge errs alike on all.
    Error rates need some of each true label.
    """
    calibration = total[:, :-1]
    if estimator.within != "label":
        return bool((calibration.sum((-1, -2)) >= OWN_LABELS).all())
    by_class = calibration.sum(-1)
    seen = by_class.sum(0) > 0
    return bool((by_class[:, seen] >= OF_EACH_LABEL).all())
