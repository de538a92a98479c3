"""Shares of decisions: how often the judge is right, over all items, or items of one kind.

Records and functions stand side by side; formulas are in `goldassay.formulas.agreement`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import agreement as f
from goldassay.inference.draw import Draw
from goldassay.inference.proportions import BinomialMethod
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SEED, describes
from goldassay.metrics.inputs import Given, Labels
from goldassay.metrics.tables import BINARY, Setting, TableMetric, items
from goldassay.results import Estimate, Undefined

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "chance_agreement",
    "f1",
    "macro_f1",
    "negative_predictive_value",
    "precision",
    "recall",
    "sensitivity",
    "specificity",
    "weighted_balanced_accuracy",
    "youden_j",
]

Floats = NDArray[np.float64]


ACCURACY = TableMetric(
    "accuracy",
    lambda t, s: f.accuracy(t),
    share=lambda t, s: (np.trace(t, axis1=-2, axis2=-1), items(t)),
    undefined="no item has both a verdict and a reference",
    main=True,
)


@describes(ACCURACY)
def accuracy(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: BinomialMethod = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Share of items on which judge and reference agree (p_o).

    It rewards the judge for the commoner label: read it beside `chance_agreement`, its floor.

    Examples
    --------
    >>> people = ["yes", "yes", "no", "yes", "no", "no", "yes", "no"]
    >>> judge = ["yes", "no", "no", "yes", "no", "yes", "yes", "no"]
    >>> accuracy(people, judge)
    accuracy = 0.75 (0.3625, 0.9582) 95% hedged binomial, 8 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return ACCURACY.of(given, Draw(draws, seed, confidence_level), method=method)


CHANCE_AGREEMENT = TableMetric(
    "chance_agreement", lambda t, s: f.chance_agreement(t), towards_agreement=False
)


@describes(CHANCE_AGREEMENT)
def chance_agreement(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Agreement expected of two independent raters with these rates (p_e), the floor of accuracy.

    The rates of each side are its own; `cohen_kappa` measures how far accuracy is above this.

    Examples
    --------
    >>> chance_agreement(counts=[[40, 10], [5, 45]])
    chance_agreement = 0.5 (0.4939, 0.5243) 95% hedged posterior of the counts (2000 draws), 100
    items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return CHANCE_AGREEMENT.of(given, Draw(draws, seed, confidence_level))


BALANCED_ACCURACY = TableMetric(
    "balanced_accuracy",
    lambda t, s: f.balanced_accuracy(t),
    undefined="the reference has fewer than two options",
    main=True,
)


@describes(BALANCED_ACCURACY)
def balanced_accuracy(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Mean recall over the labels that occur in the reference: accuracy were all equally common.

    It does not depend on how common a label is among the items at hand, and is J on another scale.

    Examples
    --------
    >>> balanced_accuracy(counts=[[40, 10], [5, 45]])
    balanced_accuracy = 0.85 (0.7684, 0.9131) 95% hedged posterior of the counts (2000 draws), 100
    items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return BALANCED_ACCURACY.of(given, Draw(draws, seed, confidence_level))


def _shares(setting: Setting) -> Floats:
    assert setting.prevalence is not None
    return setting.prevalence


WEIGHTED_BALANCED_ACCURACY = TableMetric(
    "weighted_balanced_accuracy",
    lambda t, s: f.weighted_balanced_accuracy(t, _shares(s)),
    needs=("prevalence",),
    undefined="the reference lacks an option that has a share",
)


@describes(
    WEIGHTED_BALANCED_ACCURACY,
    {"prevalence": "Label -> its share where the judge is used; shares sum to 1."},
)
def weighted_balanced_accuracy(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    prevalence: Mapping[Any, float],
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Mean recall weighted by declared shares of the labels: accuracy were they so common.

    With equal shares it is `balanced_accuracy`, with those of the reference `accuracy`. Recalls are
    taken to be the same where the labels have those shares.

    Examples
    --------
    >>> weighted_balanced_accuracy(counts=[[40, 10], [5, 45]], prevalence={0: 0.1, 1: 0.9})
    weighted_balanced_accuracy = 0.89 (0.7879, 0.9508) 95% hedged posterior of the counts (2000
    draws), 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return WEIGHTED_BALANCED_ACCURACY.of(
        given, Draw(draws, seed, confidence_level), weights=prevalence
    )


YOUDEN_J = TableMetric(
    "youden_j",
    lambda t, s: f.youden_j(t),
    undefined="the reference has fewer than two options",
    main=True,
)


@describes(YOUDEN_J)
def youden_j(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Youden's J = sensitivity + specificity - 1; macro-averaged beyond two labels.

    The share of a true difference between rates that survives in the judge's rates: 0 is a judge
    without information, and a negative one is worse than a coin.

    Examples
    --------
    >>> youden_j(counts=[[40, 10], [5, 45]])
    youden_j = 0.7 (0.5367, 0.8261) 95% hedged posterior of the counts (2000 draws), 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return YOUDEN_J.of(given, Draw(draws, seed, confidence_level))


SENSITIVITY = TableMetric(
    "sensitivity",
    lambda t, s: f.sensitivity(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.true_positives(t), s.positive_references(t)),
    undefined="no item's reference is positive",
)


@describes(SENSITIVITY)
def sensitivity(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: BinomialMethod = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Share of positive items that the judge calls positive: TP / (TP + FN).

    What the judge misses is the rest. It does not depend on how common positives are.

    Examples
    --------
    >>> people = ["yes", "yes", "no", "yes", "no", "no", "yes", "no"]
    >>> judge = ["yes", "no", "no", "yes", "no", "yes", "yes", "no"]
    >>> sensitivity(people, judge, positive="yes")
    sensitivity = 0.75 (0.2178, 0.9857) 95% hedged binomial, 8 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return SENSITIVITY.of(
        given, Draw(draws, seed, confidence_level), positive=positive, method=method
    )


SPECIFICITY = TableMetric(
    "specificity",
    lambda t, s: f.specificity(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.true_negatives(t), items(t) - s.positive_references(t)),
    undefined="no item's reference is negative",
)


@describes(SPECIFICITY)
def specificity(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: BinomialMethod = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Share of negative items that the judge calls negative: TN / (TN + FP).

    What the judge flags in vain is the rest. It does not depend on how common positives are.

    Examples
    --------
    >>> people = ["yes", "yes", "no", "yes", "no", "no", "yes", "no"]
    >>> judge = ["yes", "no", "no", "yes", "no", "yes", "yes", "no"]
    >>> specificity(people, judge, positive="yes")
    specificity = 0.75 (0.2178, 0.9857) 95% hedged binomial, 8 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return SPECIFICITY.of(
        given, Draw(draws, seed, confidence_level), positive=positive, method=method
    )


PRECISION = TableMetric(
    "precision",
    lambda t, s: f.precision(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.true_positives(t), s.positive_verdicts(t)),
    undefined="the judge never says positive",
)


@describes(PRECISION)
def precision(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: BinomialMethod = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Share of positive verdicts that are right: TP / (TP + FP).

    It depends on how common positives are among the items: it does not carry over to others.

    Examples
    --------
    >>> people = ["yes", "yes", "no", "yes", "no", "no", "yes", "no"]
    >>> judge = ["yes", "no", "no", "yes", "no", "yes", "yes", "no"]
    >>> precision(people, judge, positive="yes", method="wilson")
    precision = 0.75 (0.3006, 0.9544) 95% wilson binomial, 8 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return PRECISION.of(
        given, Draw(draws, seed, confidence_level), positive=positive, method=method
    )


RECALL = TableMetric(
    "recall",
    lambda t, s: f.recall(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.true_positives(t), s.positive_references(t)),
    undefined="no item's reference is positive",
)


@describes(RECALL)
def recall(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: BinomialMethod = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Sensitivity under its other name: TP / (TP + FN).

    Searchers say recall, physicians sensitivity; the number is the same.

    Examples
    --------
    >>> recall([1, 1, 1, 0, 0], [1, 1, 0, 0, 1])
    recall = 0.6667 (0.1194, 0.9812) 95% hedged binomial, 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return RECALL.of(given, Draw(draws, seed, confidence_level), positive=positive, method=method)


NEGATIVE_PREDICTIVE_VALUE = TableMetric(
    "negative_predictive_value",
    lambda t, s: f.negative_predictive_value(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.true_negatives(t), items(t) - s.positive_verdicts(t)),
    undefined="the judge never says negative",
)


@describes(NEGATIVE_PREDICTIVE_VALUE)
def negative_predictive_value(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: BinomialMethod = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Share of negative verdicts that are right: TN / (TN + FN).

    As precision it depends on how common positives are among the items.

    Examples
    --------
    >>> negative_predictive_value([1, 1, 1, 0, 0], [1, 1, 0, 0, 1])
    negative_predictive_value = 0.5 (0.02767, 0.9723) 95% hedged binomial, 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return NEGATIVE_PREDICTIVE_VALUE.of(
        given, Draw(draws, seed, confidence_level), positive=positive, method=method
    )


F1 = TableMetric(
    "f1",
    lambda t, s: f.f1(t, positive=s.at),
    BINARY,
    ("positive",),
    undefined="neither people nor judge say positive",
    main=True,
)


@describes(F1)
def f1(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Harmonic mean of precision and recall of the positive label: 2 TP / (2 TP + FP + FN).

    Blind to true negatives, and dependent on how common positives are.

    Examples
    --------
    >>> f1(counts=[[45, 5], [10, 40]])
    f1 = 0.8421 (0.7429, 0.9111) 95% hedged posterior of the counts (2000 draws), 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return F1.of(given, Draw(draws, seed, confidence_level), positive=positive)


MACRO_F1 = TableMetric("macro_f1", lambda t, s: f.macro_f1(t, s.size), main=True, over_options=True)


@describes(MACRO_F1)
def macro_f1(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Unweighted mean of the labels' F1, over the labels that reference or judge use.

    Each label counts the same however rare it is.

    Examples
    --------
    >>> macro_f1(["a", "b", "c", "a"], ["a", "b", "b", "a"], labels=["a", "b", "c"])
    macro_f1 = 0.5556 (0.2322, 0.9686) 95% hedged posterior of the counts (2000 draws), 4 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return MACRO_F1.of(given, Draw(draws, seed, confidence_level))


RECORDS = (
    ACCURACY,
    CHANCE_AGREEMENT,
    BALANCED_ACCURACY,
    WEIGHTED_BALANCED_ACCURACY,
    YOUDEN_J,
    SENSITIVITY,
    SPECIFICITY,
    PRECISION,
    RECALL,
    NEGATIVE_PREDICTIVE_VALUE,
    F1,
    MACRO_F1,
)
