"""The corrected leaderboard: the true rate of every system, and the differences between them.

Systems answer the same items and often share their labels, so that their corrected rates are
correlated. The covariance comes from the influence of every cluster of items on every system's rate
(`linear`), and goes into the intervals of differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.contrasts import Contrasts, family_of, pairs_of
from goldassay.questions.estimate import linear
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import (
    CALIBRATION_ONLY,
    NAIVE,
    ROGAN_GLADEN,
    Counts,
    Estimator,
)
from goldassay.questions.estimate.label_use import OR_SHARED, LabelUse, Lengths
from goldassay.questions.estimate.sample import ClusterDesign, Sample
from goldassay.questions.estimate.shared import shared_counts
from goldassay.questions.estimate.together import Estimates, remembered
from goldassay.ratings.drawing import Shares, Stratum
from goldassay.results import Estimate, Interval, Result, Row, Undefined
from goldassay.words import named

__all__ = [
    "Board",
    "Difference",
    "GroupRates",
    "SystemRates",
    "corrected_rates",
    "functional",
    "group_rates",
    "leaderboard",
    "rank_ranges",
    "ranks",
    "rate_of_all",
    "system_rates",
]

Array = NDArray[np.float64]

#: Seed of the draws behind simultaneous differences.
SEED = 1
NOTHING_TOLD = "the judge carries no information here, or a label is missing"
NO_LABEL = f"no item of it is labelled; label some of each system, {OR_SHARED}"


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
    def told(self) -> bool:
        """It is not 0."""
        return self.low > 0 or self.high < 0

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
    #: Clusters with an item of each, and with one that the judge decides.
    n_clusters: NDArray[np.int64]
    n_decided_clusters: NDArray[np.int64]
    correlation: Array
    differences: tuple[Difference, ...]
    #: Whether systems are corrected with the labels of all.
    shared: bool

    def is_drawn_by_system(self, together: float) -> bool:
        """Whether people labelled more of some systems than a random draw would, of so many items
        together."""
        numbers = zip(self.systems, self.n_decided, self.n_labelled, strict=True)
        counts: dict[Stratum, tuple[int, int]] = {
            ("", name): (round(n), min(round(m), round(n))) for name, n, m in numbers
        }
        return Shares.of(counts).is_unlike_random(together)

    @property
    def order(self) -> list[int]:
        """Systems by their corrected rate, highest first; those without one come last."""
        return [int(i) for i in np.argsort(-np.nan_to_num(self.value, nan=-1.0), kind="stable")]


def _counts(cells: Array, drawn: Drawing, *, shared: bool) -> Counts:
    """Counts by group from cells [..., G, K + 1, V]; `shared`: with the labels of all groups."""
    if shared:
        return shared_counts(cells, drawn)
    return Counts(cells[..., -1, :], cells[..., :-1, :], drawn.from_pool)


def functional(estimator: Estimator, drawn: Drawing, *, shared: bool) -> linear.Functional:
    """The corrected rate of every group from cells [..., G, K + 1, V], clipped to [0, 1]."""
    return lambda cells: np.clip(estimator.rate(_counts(cells, drawn, shared=shared)), 0, 1)


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


def group_rates(
    sample: Sample,
    drawn: Drawing,
    estimator: Estimator,
    *,
    shared: bool = False,
    by: linear.Functional | None = None,
    within: Sample | None = None,
) -> Estimates:
    """The rate of every group by one estimator, with the influence of every cluster.

    `by` gives the rates of cells where that is not the estimator's clipped one; clusters are those
    of `within`, which may have more verdicts.
    """
    rates = GroupRates.of(sample, drawn, estimator, shared=shared)
    rate, over = by or functional(estimator, drawn, shared=shared), within or sample
    size = len(sample.verdicts)
    influence = linear.influence(
        over.cells, over.multiplicity, lambda cells: rate(cells[..., :size])
    )
    return Estimates(
        _known(rates.value, rates.counts, estimator),
        remembered(rates.limits),
        np.nan_to_num(influence),
        over.multiplicity,
        np.any(over.cells[:, :, :-1] if estimator is CALIBRATION_ONLY else over.cells, (2, 3)),
        label_shares(over.cells, over.multiplicity),
        further=np.array([(one.down, one.up) for one in rates.designs]).T
        if estimator.moves_by_size
        else None,
        jointly_told=shared,
    )


def _known(value: Array, counts: Counts, estimator: Estimator) -> Array:
    """No rate of a group that has nothing to tell it from."""
    needed = counts.judged.sum(-1) if estimator is NAIVE else counts.calibration.sum((-1, -2))
    return np.where(needed > 0, value, np.nan)


def corrected_rates(sample: Sample, use: LabelUse) -> Estimates:
    """The true rates of groups, corrected with the labels that are used."""
    return group_rates(sample, use.drawn, use.estimator, shared=use.shared)


def leaderboard(
    sample: Sample,
    use: LabelUse,
    *,
    listed: Sequence[int],
    whole: Sample | None = None,
    confidence_level: float = 0.95,
) -> Board:
    """The corrected rates of the `listed` groups and all differences between them.

    `whole` has all labelled items, also those on which the judge is silent (`complete_sample`): a
    rate that its own labels correct is then of these, the judge's own of what it decides.

    Limits of a difference are recovered from those of the two rates and their correlation
    (`contrasts`). All differences hold at once.
    """
    used = sample if use.shared or whole is None else whole
    naive = np.nan_to_num(NAIVE.rate(_counts(sample.total, use.drawn, shared=False)))
    rates = corrected_rates(used, use)
    value, (low, high) = rates.value, rates.alone(confidence_level)
    known = [g for g in listed if not np.isnan(value[g])]
    both = np.array(list(combinations(known, 2)), np.int64).reshape(-1, 2)
    pairs, together = pairs_of(both[:, 0], both[:, 1]), rates.recovered
    family = family_of(pairs, together.covariance(confidence_level), seed=SEED)
    least, most = together.contrast_limits(pairs, family.level(confidence_level))
    gap, own = (one[both[:, 0]] - one[both[:, 1]] for one in (value, naive))
    least, most = np.where(gap < least, gap, least), np.where(gap > most, gap, most)
    names = ([sample.groups[g] for g in side] for side in both.T)
    differences = map(Difference, *names, *(one.tolist() for one in (gap, least, most, own)))
    kept = list(listed)
    return Board(
        tuple(sample.groups[g] for g in kept),
        naive[kept],
        value[kept],
        low[kept],
        high[kept],
        used.counted[kept].sum(-1),
        sample.counted[kept].sum(-1),
        used.counted[kept, 1],
        used.multiplicity @ used.cells[:, kept].any((2, 3)),
        sample.multiplicity @ sample.cells[:, kept].any((2, 3)),
        together.correlation[np.ix_(kept, kept)],
        tuple(differences),
        use.shared,
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
    #: A difference of the board as a result: of many systems they are thousands, made when asked.
    difference: Callable[[Difference], Estimate]
    assumption: str
    #: The rate of all systems, where people labelled more of some than a random draw would.
    of_all: Result | None = None
    #: What labels of all systems would make of the rates' intervals, where own ones are used.
    lengths: Lengths | None = None
    #: Whether the differences are listed one by one.
    lists_differences: bool = True

    @property
    def differences(self) -> tuple[Estimate, ...]:
        """In the order of `board.differences`."""
        return tuple(self.difference(one) for one in self.board.differences)

    def rows(self, about: Mapping[str, str | None]) -> Iterator[Row]:
        for place, (system, rate) in enumerate(zip(self.board.systems, self.rates, strict=True)):
            yield Row(rate, {**about, "system": system})
            own, items = float(self.board.naive[place]), round(self.board.n_decided[place])
            naive = Estimate(
                NAIVE.result,
                own,
                n_items=items,
                n_clusters=int(self.board.n_decided_clusters[place]),
                declared={"estimator": NAIVE.name},
                assumptions=(NAIVE.assumes,),
            )
            yield Row(naive, {**about, "system": system})
        if self.lists_differences:
            for one, gap in zip(self.board.differences, self.differences, strict=True):
                yield Row(gap, {**about, "system": one.first, "opponent": one.second})


def system_rates(
    sample: Sample,
    drawn: Drawing,
    *,
    shared: bool,
    confidence_level: float,
    whole: Sample | None = None,
) -> SystemRates | None:
    """The corrected rate of each group of a sample, and the differences; None for less than two.

    A system is corrected with its own labels or, where they are `shared`, with those of all.
    `whole` is that of `leaderboard`.
    """
    # Labelled items of no system, or of one that is not in the test, only lend their labels.
    total = sample.total
    items = total[:, -1].sum(-1) if sample.apart else total.sum((-1, -2))
    listed = [g for g, name in enumerate(sample.groups) if name and items[g] > 0]
    if len(listed) < 2 or sample.n_labelled <= 0:
        return None
    every = sample if whole is None else whole
    use = LabelUse.of(every.total, drawn, shared=shared, asked=listed)
    used = sample if use.shared else every
    board = leaderboard(sample, use, listed=listed, whole=whole, confidence_level=confidence_level)

    def rate(index: int) -> Result:
        value, n_items = float(board.value[index]), round(board.n_items[index])
        if math.isnan(value):
            without = not use.shared and board.n_labelled[index] <= 0
            return Undefined("prevalence", NO_LABEL if without else NOTHING_TOLD, n_items)
        low, high, group = float(board.low[index]), float(board.high[index]), listed[index]
        return Estimate(
            "prevalence",
            value,
            Interval(low, high, confidence_level, use.method),
            n_items,
            int(board.n_clusters[index]),
            declared={"estimator": use.estimator.name, "labelled": float(board.n_labelled[index])},
            assumptions=(use.assumption,),
            warnings=used.part([group]).size_warnings,
        )

    def difference(one: Difference) -> Estimate:
        method = f"{use.method}, MOVER with covariance, simultaneous"
        return Estimate(
            "prevalence_difference",
            one.value,
            Interval(one.low, one.high, confidence_level, method),
            *_sizes(used, one),
            assumptions=(use.assumption,),
        )

    random = drawn.declared == "random" and not sample.apart and not use.complete
    uneven = random and board.is_drawn_by_system(labelled_together(sample))
    return SystemRates(
        board,
        tuple(rate(index) for index in range(len(listed))),
        difference,
        use.assumption,
        rate_of_all(used, use, confidence_level=confidence_level) if uneven else None,
        None
        if use.shared or use.complete
        else _lengths(sample, board, listed, use.drawn, confidence_level),
    )


def _sizes(sample: Sample, one: Difference) -> tuple[int, int]:
    """The items of two systems, and the clusters that have one."""
    both = [sample.groups.index(name) for name in (one.first, one.second)]
    clusters = sample.multiplicity[sample.cells[:, both].any((1, 2, 3))]
    return round(float(sample.counted[both].sum())), int(clusters.sum())


def _lengths(
    sample: Sample, board: Board, listed: Sequence[int], drawn: Drawing, confidence_level: float
) -> Lengths:
    """Lengths of the rates' intervals; of a rate that is not known it is 1."""
    shared = GroupRates.of(sample, drawn, ROGAN_GLADEN, shared=True)
    low, high = shared.limits(confidence_level)
    length = np.where(np.isnan(shared.value), 1.0, high - low)[list(listed)]
    own = np.where(np.isnan(board.value), 1.0, board.high - board.low)
    return Lengths(float(own.mean()), float(length.mean()))


def labelled_together(sample: Sample) -> float:
    """How many items of a group are labelled or not as one: the design effect of clusters on the
    numbers of labels.

    Of clusters that are labelled whole or not at all it is their size within a group; 1 where
    labels fall on single answers, though prompts be answered by every system.
    """
    labelled, size = sample.cells[:, :, :-1].sum((2, 3)), sample.cells.sum((2, 3))
    times = sample.multiplicity.astype(float)
    items = times @ size
    share = (times @ labelled).sum() / max(items.sum(), 1e-300)
    spread = float(times @ ((labelled - share * size) ** 2).sum(1))
    alone = float(items.sum() * share * (1 - share))
    return max(spread / alone, 1.0) if alone > 0 else 1.0


def rate_of_all(sample: Sample, use: LabelUse, *, confidence_level: float) -> Result:
    """The rate of all systems: the rates of each, by its items.

    Where all are corrected with the labels of all, it is Rogan-Gladen's of everything.
    """
    if use.shared:
        return _of_errors(sample, use, confidence_level)
    rates, weight = corrected_rates(sample, use), sample.total.sum((-1, -2))
    held = np.flatnonzero(weight > 0)
    if unknown := [sample.groups[g] for g in held if np.isnan(rates.value[g])]:
        return Undefined("prevalence", f"{named(unknown[0])}: {NO_LABEL}", sample.n_items)
    mean = Contrasts(held[None], (weight[held] / weight.sum())[None])
    # A mean of rates is no difference: its bounds are those of a rate.
    together = replace(rates.recovered, bounds=(-math.inf, math.inf))
    low, high = (
        float(np.clip(end[0], 0, 1)) for end in together.contrast_limits(mean, confidence_level)
    )
    return Estimate(
        "prevalence",
        float(mean.of(together.value)[0]),
        Interval(low, high, confidence_level, f"{use.method}, MOVER"),
        sample.n_items,
        sample.n_clusters,
        declared={
            "estimator": "by_system",
            "calibration": use.drawn.declared,
            "labelled": sample.n_labels,
        },
        assumptions=(use.assumption,),
    )


def _of_errors(sample: Sample, use: LabelUse, confidence_level: float) -> Result:
    """The rate of everything, with labels that tell the judge's errors alone."""
    sample = sample.summed
    rates = GroupRates.of(sample, use.drawn, ROGAN_GLADEN, shared=True)
    one = Counts(rates.counts.test[0], rates.counts.calibration[0])
    if reason := ROGAN_GLADEN.impossible(one):
        return Undefined("prevalence", reason, sample.n_items)
    value = float(rates.value[0])
    if math.isnan(value):
        return Undefined("prevalence", NOTHING_TOLD, sample.n_items)
    low, high = (float(one[0]) for one in rates.limits(confidence_level))
    return Estimate(
        "prevalence",
        value,
        Interval(low, high, confidence_level, use.method),
        sample.n_items,
        sample.n_clusters,
        declared={
            "estimator": ROGAN_GLADEN.name,
            "calibration": use.drawn.declared,
            "labelled": sample.n_labels,
            "shared_labels": True,
        },
        assumptions=(use.assumption,),
    )
