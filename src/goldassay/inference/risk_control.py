"""How far down a list of decisions, surest first, their error stays within a limit.

Decisions are ordered by how sure they are. A **step** is a threshold: the decisions at least that
sure, among them some whose truth is known (labels). Wanted is the loosest step whose true error
is at most `risk`, in all but a share `level` of studies.

Steps are tested from the surest on, each at the full level, until one fails: a fixed sequence,
in which the first step that breaks the limit is passed by chance with probability `level` at most,
whatever comes before and after it, and whether or not error grows with doubt (Angelopoulos, Bates,
Candès, Jordan and Lei 2021, "Learn then test", section 3). A step is tested by Clopper and
Pearson's exact upper bound of a share. The order and the steps that are tested are chosen by
scores and numbers of labels alone, not by a step's own errors: at first those at which one error
more is allowed than at the last one, since between two of these a test only grows stricter. With
clusters, what labels are worth is learned from the errors of all of them, and so has a say in which
steps are tested: there the guarantee is approximate in this too.

Errors that come in clusters, or labels of unequal weight, are worth fewer independent ones: the
bound is that of as many (`inference/clusters.py`), which is no longer exact.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.special import beta_quantile
from goldassay.frozen import dataclass
from goldassay.inference.clusters import (
    LARGEST_SHARE,
    cautious_design_effect_of_share,
    design_effect,
    student_quantiles,
    worth_in_equal_clusters,
)

__all__ = [
    "FIRST_SHARE",
    "Steps",
    "fewest_labels",
    "labels_needed",
    "last_held",
    "least_risk",
    "sequence",
    "steps_of",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The share of the labels among which the first test is made, where so few could show anything:
#: starting with fewer, one error by chance ends the sequence; with more, a judge that is sure of
#: little decides nothing. Chosen by the share decided in simulated studies.
FIRST_SHARE = 0.25
#: More labels than anybody draws: beyond them a number of labels is no advice.
MOST_LABELS = 10**8
#: Up to this share of the labels only steps that allow one error more than the last are tested;
#: beyond it all, so that the sequence may end between two of these.
COARSE_SHARE = 0.6
#: Each step has so many times the labels of the last one.
GROWTH = 1.02
#: However unequal clusters are, they are worth so many equal ones, if there are as many: with a
#: giant among small ones a bound with fewer degrees of freedom says nothing, and covers no better.
LEAST_WORTH = 4.0


@dataclass(frozen=True)
class Steps:
    """Nested sets of labelled decisions, the surest set first; one entry for each of M.

    `at_least` is the sureness that a set begins with. `effective` is how many independent labels
    of equal weight its labels are worth, `clusters` how many clusters they come from; `upper` is
    the upper bound of its error, by itself, at the level `level`. `planned` is `effective` as far
    as the step's own errors have no say in it.
    """

    level: float
    at_least: Array
    labels: Ints
    errors: Array
    share: Array
    effective: Array
    clusters: Ints
    upper: Array
    planned: Array


def steps_of(sure: Array, error: Array, cluster: Ints | None, weight: Array, level: float) -> Steps:
    """The steps of labelled decisions: how sure, whether wrong (0 to 1), cluster and weight.

    `cluster` is None where every decision stands alone. Decisions equally sure are in the same
    steps. Of many steps those are kept whose number of labels grows by `GROWTH`.
    """
    order = np.argsort(-sure, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(sure[order])), len(sure) - 1) + 1
    ends = _thinned(ends)
    wrong, w = error[order], weight[order]
    sums, squares = np.cumsum(w)[ends - 1], np.cumsum(w**2)[ends - 1]
    # Labels may stand for nothing: then they are worth none.
    share = np.clip(np.cumsum(w * wrong)[ends - 1] / np.maximum(sums, 1e-300), 0.0, 1.0)
    effective = planned = sums**2 / np.maximum(squares, 1e-300)
    clusters = ends
    if cluster is not None:
        step = np.searchsorted(ends, np.arange(len(sure)), side="right")
        of_step = _ByCluster(step, cluster[order], len(ends))
        sizes, weighed = of_step.sums(np.ones(len(sure))), of_step.sums(w)
        clusters = (sizes > 0).sum(0)
        few = _few_clusters(weighed, clusters, level)
        shared = _shared_effect(of_step.sums(wrong), sizes)
        own = design_effect(
            _variance(of_step.sums(w * wrong), weighed, share), share * (1 - share) / effective
        )
        planned = effective / shared / few**2
        effective = effective / np.maximum(shared, own) / few**2
    return Steps(
        level,
        sure[order][ends - 1],
        ends.astype(np.int64),
        np.cumsum(wrong)[ends - 1],
        share,
        effective,
        np.asarray(clusters, np.int64),
        _upper_bounds(share, effective, level),
        planned,
    )


def _thinned(ends: Ints) -> Ints:
    kept, last = [], 0.0
    for end in ends.tolist():
        if end >= last * GROWTH or end == ends[-1]:
            kept.append(end)
            last = float(end)
    return np.array(kept, np.int64)


class _ByCluster:
    """Sums of each cluster up to each step [C, M]."""

    def __init__(self, step: Ints, cluster: Ints, steps: int) -> None:
        _, cluster = np.unique(cluster, return_inverse=True)
        self.shape = int(cluster.max(initial=-1)) + 1, steps
        self.cell = cluster.reshape(-1) * steps + step

    def sums(self, values: Array) -> Array:
        found = np.bincount(self.cell, weights=values, minlength=self.shape[0] * self.shape[1])
        return np.asarray(found.reshape(self.shape).cumsum(1), np.float64)


def _few_clusters(sizes: Array, clusters: Ints, level: float) -> Array:
    """How much further a bound reaches for clusters of these sizes [C, M] than for many: [M].

    By Student's t with the degrees of freedom of as many equal clusters as these are worth, at
    least `LEAST_WORTH`; infinite for one cluster.
    """
    worth = np.maximum(worth_in_equal_clusters(sizes), np.minimum(clusters, LEAST_WORTH))
    degrees = np.maximum(worth - 1, 1.0)
    factor = student_quantiles(degrees, 1 - level) / student_quantiles(1e9, 1 - level)
    return np.where(clusters > 1, factor, np.inf)


def _shared_effect(hits: Array, sizes: Array) -> Array:
    """What clusters cost at each step [M], as all labels tell: from sums of clusters [C, M].

    Where errors are rare they do not tell how they hang together. That is learned from all labels,
    cautiously, as the correlation of errors within a cluster. What a step's own errors show counts
    where it is more.
    """
    mean = (sizes**2).sum(0) / sizes.sum(0)
    once = np.ones(len(sizes))
    whole = float(cautious_design_effect_of_share(hits[:, -1], sizes[:, -1], once))
    together = min((whole - 1) / max(mean[-1] - 1, 1e-9), 1.0)
    return np.asarray(1 + (mean - 1) * together)


def _variance(hits: Array, sizes: Array, share: Array) -> Array:
    """The variance over clusters [C, M] of the share of errors at each step [M].

    A large cluster draws the share towards itself, so that its residual is too small: its square
    is divided by what the others have of all labels (Bell and McCaffrey 2002).
    """
    total = np.maximum(sizes.sum(0), 1e-300)
    left = 1 - np.minimum(sizes / total, LARGEST_SHARE)
    return np.asarray(((hits - share * sizes) ** 2 / left).sum(0) / total**2)


def _upper_bounds(share: Array, effective: Array, level: float) -> Array:
    """Clopper and Pearson's upper bound of shares among so many independent labels."""
    wrong = share * effective
    right = effective - wrong
    some = right > 1e-9
    bound = beta_quantile(wrong + 1, np.where(some, right, 1.0), 1 - level)
    return np.where(some, bound, 1.0)


def sequence(steps: Steps, risk: float) -> Ints:
    """The steps that are tested, in their order; none where no number of right ones would do."""
    allowed = _errors_allowed(steps.planned, risk, steps.level)
    allowed[steps.labels < FIRST_SHARE * steps.labels[-1]] = -1
    before = np.maximum.accumulate(np.concatenate([[-1], allowed[:-1]]))
    fine = steps.labels >= COARSE_SHARE * steps.labels[-1]
    return np.flatnonzero((allowed > before) | (fine & (allowed >= 0)))


def _errors_allowed(size: Array, risk: float, level: float) -> Ints:
    """The most errors among so many labels that show an error of at most `risk`; -1 for none.

    The largest c with P(X <= c) <= level for a binomial X of that size at the limit.
    """
    from goldassay.formulas.compiled import betainc

    low, high = np.full(len(size), -1), np.ceil(risk * size).astype(np.int64) + 1
    while (high - low).max() > 1:
        middle = (low + high) // 2
        inside = np.maximum(size - middle, 1e-9)
        passed = (middle < size) & (betainc(inside, middle + 1.0, 1 - risk) <= level)
        low, high = np.where(passed, middle, low), np.where(passed, high, middle)
        high = np.maximum(high, low + 1)
    return np.asarray(low, np.int64)


def last_held(steps: Steps, risk: float) -> int | None:
    """The loosest step whose error is shown to be at most `risk`; None where none is."""
    order = sequence(steps, risk)
    held = steps.upper[order] <= risk
    passed = len(held) if held.all() else int(np.argmin(held))
    return int(order[passed - 1]) if passed else None


def least_risk(steps: Steps, above: float) -> float | None:
    """The smallest limit above `above`, in steps of half a percent, that some step holds."""
    for half_percents in range(math.floor(200 * above + 1e-9) + 1, 100):
        risk = half_percents / 200
        if last_held(steps, risk) is not None:
            return risk
    return None


def fewest_labels(risk: float, level: float) -> int:
    """Labels without an error that show a share of at most `risk`: (1 - risk)^n <= level."""
    return math.ceil(math.log(level) / math.log1p(-risk) - 1e-9)


def labels_needed(risk: float, level: float, share: float) -> int | None:
    """Labels that show an error of at most `risk`, were the share of errors among them `share`.

    None where more than `MOST_LABELS` would not: that share is the limit, just under it, or above.
    """
    fewest = fewest_labels(risk, level)
    if share == 0:
        return fewest

    def held(n: int) -> bool:
        bound = beta_quantile(share * n + 1, n * (1 - share), 1 - level)
        return float(bound) <= risk

    low, high = fewest - 1, fewest
    while not held(high):
        low, high = high, 2 * high
        if high > MOST_LABELS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if held(middle) else (middle, high)
    return high
