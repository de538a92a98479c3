"""The true rate (mean, win rate) of every system, in every slice, and what moves them together.

Numbers of a system are those of `estimate`: the same estimator, the same limits. What is added is
the influence of every cluster of prompts on every number, from which all differences follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import PairedScores
from goldassay.frozen import dataclass
from goldassay.inference.clusters import effective_clusters, student_quantile
from goldassay.questions.estimate import linear
from goldassay.questions.estimate.classes import (
    OptionMean,
    is_by_verdict,
    is_complete,
    largest_of,
    option_designs,
)
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import CALIBRATION_ONLY, NAIVE, Counts, Estimator
from goldassay.questions.estimate.label_use import LabelUse
from goldassay.questions.estimate.means import moments_of_counts, tuned_weight
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.scores import (
    ScoredItems,
    ScoredMean,
    labelled_units,
    score_sums,
    scored_part,
)
from goldassay.questions.estimate.systems import corrected_rates, group_rates, label_shares
from goldassay.questions.estimate.together import Estimates, chosen, remembered
from goldassay.results import Undefined

__all__ = ["Kinds", "mean_kinds", "rate_kinds", "score_kinds"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: Cells [N, K + 1, V] of groups, and which group each is of [N] -> a number of each [N].
ByGroup = Callable[[Array, Ints], Array]


@dataclass(frozen=True)
class Kinds:
    """Corrected estimates, the judge's own, and those of labels alone (None where they mislead).

    `items` and `labelled` [E] are how many stand behind each; `decided` those that the judge
    decides.
    """

    corrected: Estimates
    judge: Estimates
    labels: Estimates | None
    items: Array
    labelled: Array
    decided: Array

    def only(self, kept: Sequence[int]) -> Kinds:
        """Some of the estimates."""
        chosen = list(kept)
        return Kinds(
            self.corrected.only(chosen),
            self.judge.only(chosen),
            None if self.labels is None else self.labels.only(chosen),
            self.items[chosen],
            self.labelled[chosen],
            self.decided[chosen],
        )

    def settled(self, complete: Mask) -> Kinds:
        """With one answer where it is one question: of the estimates all of whose items are
        labelled, what the labels alone say is the corrected estimate, with its limits."""
        known = complete & ~np.isnan(self.corrected.value)
        if not known.any():
            return self
        if self.labels is None:  # however labels of some items were drawn, these are of all
            everywhere = bool((known | (self.items <= 0)).all())
            return replace(self, labels=self.corrected) if everywhere else self
        return replace(self, labels=chosen(known, self.corrected, self.labels))


def _complete(sample: Sample) -> Mask:
    """The groups all of whose items are labelled."""
    total = sample.total
    found: Mask = (total[:, -1].sum(-1) <= 0) & (total[:, :-1].sum((-1, -2)) > 0)
    return found


# --- two options ------------------------------------------------------------------------------


def rate_kinds(
    sample: Sample, use: LabelUse, *, decided: Sample | None = None, every: Sample | None = None
) -> Kinds:
    """The rates of the groups of a sample of two options.

    `decided` are the items that the judge decides, where the sample has others too, and `every` all
    that count for the labels alone, where the sample has fewer.
    """
    drawn = use.drawn
    random = drawn.declared in (None, "random")
    found = Kinds(
        corrected_rates(sample, use),
        group_rates(decided or sample, drawn, NAIVE, by=_alone(NAIVE, drawn)),
        group_rates(every or sample, drawn, CALIBRATION_ONLY, by=_alone(CALIBRATION_ONLY, drawn))
        if random
        else None,
        _items(sample, drawn),
        sample.counted[:, 1],
        _items(decided or sample, drawn),
    )
    # With labels of all systems, a system's rate is not that of its own.
    return found if use.shared or not drawn.from_pool else found.settled(_complete(sample))


def _alone(estimator: Estimator, drawn: Drawing) -> linear.Functional:
    return lambda cells: estimator.rate(_counts(cells, drawn))


def _counts(cells: Array, drawn: Drawing) -> Counts:
    return Counts(cells[..., -1, :], cells[..., :-1, :], drawn.from_pool)


def _items(sample: Sample, drawn: Drawing) -> Array:
    """The items of each group whose rate is wanted."""
    found: Array = sample.counted.sum(-1) if drawn.from_pool else sample.counted[:, 0]
    return found


# --- several options with scores --------------------------------------------------------------


def mean_kinds(
    sample: Sample, drawn: Drawing, scores: Array, *, decided: Sample | None = None
) -> Kinds:
    """The mean scores of the groups of a sample; options have `scores`, `decided` as for rates."""
    bounds, size = (float(scores.min()), float(scores.max())), len(scores)

    def of(function: ByGroup, sample: Sample = sample, rows: slice = slice(None)) -> Estimates:
        influence = _influence(sample, function)
        own = function(sample.total, np.arange(len(sample.groups)))
        sizes = sample.cells[:, :, rows].sum((2, 3))
        return _by_student(own, influence, sample.multiplicity, sizes, bounds)

    random = drawn.declared in (None, "random")
    found = Kinds(
        corrected_means(sample, drawn, scores),
        of(lambda cells, _: _mean(cells.sum(-2)[..., :size], scores), decided or sample),
        of(lambda cells, _: _mean(cells[..., :-1, :].sum(-1), scores), rows=slice(-1))
        if random
        else None,
        _items(sample, drawn),
        sample.counted[:, 1],
        _items(decided or sample, drawn),
    )
    return found.settled(_complete(sample)) if drawn.from_pool else found


def corrected_means(sample: Sample, drawn: Drawing, scores: Array) -> Estimates:
    """The true mean scores of the groups, as `estimate` has them."""
    bounds = (float(scores.min()), float(scores.max()))
    parts = [sample.part([g]) for g in range(len(sample.groups))]
    # Of labels of all items the mean within verdicts is their mean.
    by_verdict = is_by_verdict(sample, drawn) or is_complete(sample)
    means = [OptionMean.of(part, drawn, scores) for part in parts]
    # What clusters do to single options matters to means by verdict only.
    designs = [option_designs(part) if is_by_verdict(part, drawn) else () for part in parts]

    def corrected(confidence_level: float) -> Array:
        """Value, low and high of every group [E, 3]."""
        unknown = (np.nan, *bounds)
        return np.array(
            [
                unknown
                if isinstance(mean, Undefined)
                else mean.unmoved.limits(confidence_level, largest_of(design, confidence_level))
                for mean, design in zip(means, designs, strict=True)
            ]
        ).reshape(-1, 3)

    def limits(confidence_level: float) -> tuple[Array, Array]:
        _, low, high = corrected(confidence_level).T
        return low, high

    weight = np.array([_weight(cells, scores) for cells in sample.total])

    def rate(cells: Array, group: Ints) -> Array:
        return _by_verdict(cells, scores) if by_verdict else _powered(cells, scores, weight[group])

    return Estimates(
        corrected(0.95)[:, 0],
        remembered(limits),
        _influence(sample, rate),
        sample.multiplicity,
        np.any(sample.cells, (2, 3)),
        label_shares(sample.cells, sample.multiplicity),
        bounds,
    )


def _influence(sample: Sample, function: ByGroup) -> Array:
    """`linear.influence` of numbers that rest on their own group alone; 0 where there is none.

    A cluster has items of few groups where these are slices: only they are looked at.
    """
    cluster, group = np.nonzero(sample.cells.any((2, 3)))
    total = np.tensordot(sample.multiplicity.astype(float), sample.cells, axes=1)
    before = function(total, np.arange(len(total)))[group]
    after = function(total[group] - linear.STEP * sample.cells[cluster, group], group)
    found = np.zeros(sample.cells.shape[:2])
    found[cluster, group] = np.nan_to_num((before - after) / linear.STEP)
    return found


def _mean(counts: Array, scores: Array) -> Array:
    size = counts.sum(-1)
    return np.where(size > 0, counts @ scores / np.maximum(size, 1e-300), np.nan)


def _weight(cells: Array, scores: Array) -> float:
    """The weight of the judge that PPI++ gives these cells [K + 1, V]."""
    size = len(scores)
    known, rest = cells[:-1, :size], cells[-1, :size]
    human, machine = np.repeat(scores, size), np.tile(scores, size)
    labelled = moments_of_counts(known.reshape(-1), human, machine)
    return tuned_weight(labelled, moments_of_counts(rest, scores, scores))


def _powered(cells: Array, scores: Array, weight: Array) -> Array:
    """PPI++ with a given weight of each group."""
    size = len(scores)
    known, rest = cells[..., :-1, :size], cells[..., -1, :size]
    people, judge = _mean(known.sum(-1), scores), _mean(known.sum(-2), scores)
    others = np.where(rest.sum(-1) > 0, _mean(rest, scores), judge)
    found: Array = people + weight * (others - judge)
    return found


def _by_verdict(cells: Array, scores: Array) -> Array:
    """The labelled mean within each verdict, weighted by the pool's verdicts."""
    known = cells[..., :-1, :]
    labelled = known.sum(-2)
    pool = cells[..., -1, :] + labelled
    sums = np.einsum("...kv,k->...v", known, scores)
    overall = sums.sum(-1) / np.maximum(labelled.sum(-1), 1e-300)
    mean = np.where(labelled > 0, sums / np.maximum(labelled, 1e-300), overall[..., None])
    found: Array = (pool * mean).sum(-1) / np.maximum(pool.sum(-1), 1e-300)
    return found


# --- numbers ----------------------------------------------------------------------------------


def score_kinds(
    scores: PairedScores,
    judge: str,
    groups: Sequence[Mask],
    bounds: tuple[float, float],
    *,
    design: str | None = None,
) -> Kinds:
    """The mean scores of groups of units; `bounds` are those that a mean may have."""
    labelled = labelled_units(scores)
    parts = [scored_part(scores, judge, one, labelled, design=design) for one in groups]
    clusters, cluster = np.unique(scores.cluster, return_inverse=True)
    n = len(clusters)
    found = [_scored(scores, one.machine, one.both, one.rest) for one in parts]

    def summed(values: Array, where: Mask) -> Array:
        found: Array = np.bincount(cluster.reshape(-1)[where], values[where], n).astype(float)
        return found

    influence, shares = np.zeros((n, len(groups))), np.zeros((n, len(groups)))
    own, told = np.zeros_like(influence), np.zeros_like(influence)
    naive, only = np.full(len(groups), np.nan), np.full(len(groups), np.nan)
    sizes, held = np.zeros_like(influence), np.zeros(influence.shape, bool)
    for g, part in enumerate(parts):
        both, rest, machine = part.both, part.rest, part.machine
        m, u = int(both.sum()), int(rest.sum())
        held[:, g] = summed(np.ones(len(machine)), both | rest) > 0
        if (decided := int(part.own.sum())) > 0:
            naive[g] = machine[part.own].mean()
            own[:, g] = summed(machine - naive[g], part.own) / decided
            sizes[:, g] = summed(np.ones(len(machine)), part.own)
        if not m:
            continue
        only[g] = scores.people[both].mean()
        told[:, g] = summed(scores.people - only[g], both) / m
        shares[:, g] = summed(np.ones(len(machine)), both) / m
        weight = 0.0 if (mean := found[g]) is None else mean.weight
        gap = scores.people - weight * machine
        influence[:, g] = summed(gap - gap[both].mean(), both) / m
        if u and weight > 0:
            influence[:, g] += weight * summed(machine - machine[rest].mean(), rest) / u

    def limits(confidence_level: float) -> tuple[Array, Array]:
        # Of a mean that is not known no contrast is made.
        ends = [(0.0, 0.0) if one is None else one.unmoved.ends(confidence_level) for one in found]
        both = np.array(ends).reshape(-1, 2)
        return both[:, 0], both[:, 1]

    times = np.ones(n, np.int64)
    value = np.array([np.nan if one is None else one.value for one in found])
    kinds = Kinds(
        Estimates(value, remembered(limits), influence, times, held, shares, bounds),
        _by_student(naive, own, times, sizes, bounds),
        _by_student(only, told, times, shares, bounds),
        np.array([float((one.both | one.rest).sum()) for one in parts]),
        np.array([float(one.both.sum()) for one in parts]),
        np.array([float(one.own.sum()) for one in parts]),
    )
    return kinds.settled(np.array([bool(one.both.any() and not one.rest.any()) for one in parts]))


def _scored(scores: PairedScores, machine: Array, both: Mask, rest: Mask) -> ScoredMean | None:
    """The corrected mean of a group of units, as `estimate` has it; None where it is undefined."""
    if both.sum() < 2:
        return None
    sums = score_sums(scores, machine, both, rest)
    lone = len(sums.times) == int(both.sum() + rest.sum())
    if not lone and sums.labelled_clusters < 2:
        return None
    items = ScoredItems(scores.people[both], machine[both], machine[rest])
    return items.mean(None if lone else sums)


def _by_student(
    value: Array, influence: Array, times: Ints, sizes: Array, bounds: tuple[float, float]
) -> Estimates:
    """Estimates with Student's limits; degrees of freedom by the effective number of clusters."""
    variance = times @ influence**2
    effective = np.maximum(effective_clusters(sizes, times), 2.0)
    error = np.sqrt(variance * effective / (effective - 1))
    # One cluster does not say how clusters vary.
    lone = times @ (sizes > 0) < 2
    if not np.isfinite(bounds).all():
        value, lone = np.where(lone, np.nan, value), np.zeros_like(lone)

    def limits(confidence_level: float) -> tuple[Array, Array]:
        reach = np.array(
            [student_quantile(float(one) - 1, (1 + confidence_level) / 2) for one in effective]
        )
        middle = np.nan_to_num(value)
        # Where all are alike, so many of another kind might have been missed (Clopper-Pearson).
        unseen = (bounds[1] - bounds[0]) * (1 - ((1 - confidence_level) / 2) ** (1 / effective))
        reach = np.where((error > 0) | ~np.isfinite(unseen), reach * error, unseen)
        return (
            np.where(lone, bounds[0], middle - reach),
            np.where(lone, bounds[1], middle + reach),
        )

    return Estimates(value, limits, influence, times, sizes > 0, np.zeros_like(influence), bounds)
