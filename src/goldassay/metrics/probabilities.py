"""A judge's score or probability against a yes-or-no reference: does it rank, does it fit?

The reference is a label for each item, or the share of people who say positive: a number from 0 to
1. `outcome` below is that share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.probabilities import kuiper_statistic, range_of_brownian_motion, risk_curve
from goldassay.frozen import dataclass
from goldassay.inference.areas import PrecisionArea, RocArea
from goldassay.metrics.describing import CONFIDENCE_LEVEL, OUTCOMES, describes
from goldassay.metrics.inputs import Labels, checked_level, cluster_codes, outcomes, scores_of
from goldassay.results import Estimate, Result, Undefined

__all__ = [
    "average_precision",
    "kuiper_calibration",
    "kuiper_calibration_p",
    "risk_coverage_area",
    "roc_auc",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Scored:
    """Scores of items, their outcomes from 0 to 1, and their clusters (None where alone)."""

    score: Floats
    outcome: Floats
    cluster: Ints | None = None
    confidence_level: float = CONFIDENCE_LEVEL

    def decided(self) -> Scored:
        """Without the items on which people are evenly divided."""
        used = self.outcome != 0.5
        cluster = None if self.cluster is None else self.cluster[used]
        return replace(self, score=self.score[used], outcome=self.outcome[used], cluster=cluster)


@dataclass(frozen=True)
class ProbabilityMetric:
    """A number about a judge's scores of yes-or-no items, and when it is undefined."""

    name: str
    estimate: Callable[[Scored], Result]
    undefined: str
    methods: tuple[str, ...] = ()

    def of(
        self,
        reference: Labels,
        scores: Labels,
        *,
        positive: Any,
        clusters: Labels | None = None,
        confidence_level: float = CONFIDENCE_LEVEL,
    ) -> Result:
        """The number for what a caller hands over."""
        checked_level(self.name, confidence_level)
        score = scores_of(f"{self.name}, scores", scores)
        outcome = outcomes(self.name, reference, positive, len(score))
        cluster = cluster_codes(self.name, clusters, len(score))
        return self.estimate(Scored(score, outcome, cluster, confidence_level))


def _area_under_the_curve(scored: Scored) -> Result:
    return _area("roc_auc", scored, RocArea.of)


def _mean_precision(scored: Scored) -> Result:
    found = _area("average_precision", scored, PrecisionArea.of)
    if isinstance(found, Undefined):
        return found
    share = float((scored.decided().outcome > 0.5).mean())
    return replace(
        found,
        declared={**found.declared, "by_chance": share},
        assumptions=("positives are as common where it is used as among these items",),
    )


def _area(
    name: str,
    scored: Scored,
    area_of: Callable[[Floats, NDArray[np.bool_], Ints | None], RocArea | PrecisionArea],
) -> Result:
    """An area of the decided items, where both kinds occur."""
    used = scored.decided()
    positive, n_items = used.outcome > 0.5, len(used.score)
    if not positive.any() or positive.all():
        kind = "positive" if positive.all() else "negative"
        return Undefined(name, f"every reference is {kind}", n_items)
    area = area_of(used.score, positive, used.cluster)
    interval = area.interval(scored.confidence_level)
    declared = {"direction": "a higher score is more positive"}
    warned = [ALIKE] if _few_and_alike(used) else []
    if interval is None:
        warned = ["no interval: all positives or all negatives are one cluster's"]
    return Estimate(
        name, area.value, interval, n_items, len(area.positives), declared, (), tuple(warned)
    )


#: Up to so many clusters, from this correlation of scores within them on, areas fall short.
FEW, MUCH = 12, 0.4
ALIKE = (
    f"at most {FEW} clusters, whose scores are much alike within each: a few more could move this"
    " number, and its interval may cover less than it claims"
)


def _few_and_alike(scored: Scored) -> bool:
    """Whether the scores of few clusters go together within them: the correlation of two scores of
    one cluster, by the analysis of variance, apart from what positives have over negatives."""
    if scored.cluster is None:
        return False
    _, member, sizes = np.unique(scored.cluster, return_inverse=True, return_counts=True)
    groups, items = len(sizes), len(member)
    if not 1 < groups <= FEW or items == groups:
        return False
    positive = scored.outcome > 0.5
    usual = np.where(positive, scored.score[positive].mean(), scored.score[~positive].mean())
    apart = scored.score - usual
    means = np.bincount(member, apart) / sizes
    between = float(sizes @ means**2) / (groups - 1)
    within = float(((apart - means[member]) ** 2).sum()) / (items - groups)
    size = (items - float(sizes @ sizes) / items) / (groups - 1)
    spread = between + (size - 1) * within
    return bool(spread > 0 and (between - within) / spread > MUCH)


def _calibration(scored: Scored) -> Result:
    name, n_items = "kuiper_calibration", len(scored.score)
    if reason := _no_probabilities(scored.score):
        return Undefined(name, reason, n_items)
    value, _ = kuiper_statistic(scored.score, scored.outcome)
    return Estimate(name, value, None, n_items)


def _calibration_p(scored: Scored) -> Result:
    name, n_items = "kuiper_calibration_p", len(scored.score)
    if reason := _no_probabilities(scored.score):
        return Undefined(name, reason, n_items)
    value, deviation = kuiper_statistic(scored.score, scored.outcome)
    if deviation == 0:
        return Undefined(name, "every score is 0 or 1", n_items)
    return Estimate(name, range_of_brownian_motion(value / deviation), None, n_items)


def _area_under_the_risk(scored: Scored) -> Result:
    name, used = "risk_coverage_area", scored.decided()
    reason = _no_probabilities(used.score)
    if reason or len(used.score) < 2:
        return Undefined(name, reason or "there is one scored item", len(scored.score))
    risk, _ = risk_curve(used.score, used.outcome > 0.5)
    return Estimate(name, float(risk.mean()), None, len(scored.score))


def _no_probabilities(score: Floats) -> str:
    if not len(score):
        return "there is no scored item"
    return "scores are not probabilities" if score.min() < 0 or score.max() > 1 else ""


ROC_AUC = ProbabilityMetric(
    "roc_auc", _area_under_the_curve, "every reference is positive, or every one negative"
)


@describes(ROC_AUC, OUTCOMES)
def roc_auc(
    reference: Labels,
    scores: Labels,
    *,
    positive: Any = None,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Estimate | Undefined:
    """Chance that a positive item has a higher score than a negative one; ties count half.

    The area under the ROC curve. That a higher score is more positive is declared, never flipped.
    Items on which people are evenly divided (a share of 1/2) are left out.

    Examples
    --------
    >>> roc_auc([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.5, 0.3, 0.1])
    roc_auc = 0.8889 (0.401, 0.9884) 95% score interval, Hanley-McNeil, 6 items
    """
    return ROC_AUC.of(
        reference, scores, positive=positive, clusters=clusters, confidence_level=confidence_level
    )


AVERAGE_PRECISION = ProbabilityMetric(
    "average_precision", _mean_precision, "every reference is positive, or every one negative"
)


@describes(AVERAGE_PRECISION, OUTCOMES)
def average_precision(
    reference: Labels,
    scores: Labels,
    *,
    positive: Any = None,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
) -> Estimate | Undefined:
    """Mean precision at the positives' scores: the area under the precision-recall curve.

    The sum of precisions times steps of recall, without interpolation. It depends on how common
    positives are: a judge without information has their share, which stands in
    `declared["by_chance"]`. Few positives flatter it; the lower end allows for that. Items on which
    people are evenly divided are left out.

    Examples
    --------
    >>> average_precision([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.5, 0.3, 0.1])
    average_precision = 0.9167 (0.2394, 0.9952) 95% Wilson, of the positives, 6 items
    """
    return AVERAGE_PRECISION.of(
        reference, scores, positive=positive, clusters=clusters, confidence_level=confidence_level
    )


KUIPER_CALIBRATION = ProbabilityMetric(
    "kuiper_calibration", _calibration, "scores are not probabilities"
)


@describes(KUIPER_CALIBRATION, OUTCOMES)
def kuiper_calibration(
    reference: Labels, probabilities: Labels, *, positive: Any = None
) -> Estimate | Undefined:
    """Range of the cumulative difference between outcomes and probabilities; 0 is calibrated.

    In order of the probability, so that it needs no bins. It has no interval: its p-value is
    `kuiper_calibration_p`.

    Examples
    --------
    >>> kuiper_calibration([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1])
    kuiper_calibration = 0.1, 6 items
    """
    return KUIPER_CALIBRATION.of(reference, probabilities, positive=positive)


KUIPER_CALIBRATION_P = ProbabilityMetric(
    "kuiper_calibration_p", _calibration_p, "scores are not probabilities, or every one is 0 or 1"
)


@describes(KUIPER_CALIBRATION_P, OUTCOMES)
def kuiper_calibration_p(
    reference: Labels, probabilities: Labels, *, positive: Any = None
) -> Estimate | Undefined:
    """p-value of Kuiper's statistic, were the judge's probabilities calibrated.

    For items that stand alone, and many of them.

    Examples
    --------
    >>> kuiper_calibration_p([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1])
    kuiper_calibration_p = 1, 6 items
    """
    return KUIPER_CALIBRATION_P.of(reference, probabilities, positive=positive)


RISK_COVERAGE_AREA = ProbabilityMetric(
    "risk_coverage_area", _area_under_the_risk, "scores are not probabilities, or fewer than two"
)


@describes(RISK_COVERAGE_AREA, OUTCOMES)
def risk_coverage_area(
    reference: Labels, probabilities: Labels, *, positive: Any = None
) -> Estimate | Undefined:
    """Mean error of the judge's surest verdicts, over all shares of them that may be kept.

    Sureness is the distance of the probability from 1/2. Low where the judge knows what it does
    not know. It has no interval.

    Examples
    --------
    >>> risk_coverage_area([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.6, 0.3, 0.1])
    risk_coverage_area = 0.08889, 6 items
    """
    return RISK_COVERAGE_AREA.of(reference, probabilities, positive=positive)


PROBABILITY_RECORDS = (
    ROC_AUC,
    AVERAGE_PRECISION,
    KUIPER_CALIBRATION,
    KUIPER_CALIBRATION_P,
    RISK_COVERAGE_AREA,
)
