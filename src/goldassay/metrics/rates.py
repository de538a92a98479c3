"""Shares of decisions: how often the judge is right, over all items or all classes alike.

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
from goldassay.metrics.tables import Setting, TableMetric, items
from goldassay.results import Estimate, Undefined

__all__ = [
    "accuracy",
    "balanced_accuracy",
    "chance_agreement",
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
    "chance_agreement",
    lambda t, s: f.chance_agreement(t),
    towards_agreement=False,
    least_where_even=True,
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
    chance_agreement = 0.5 (0.4757, 0.5243) 95% hedged posterior of the counts (2000 draws), 100
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


RECORDS = (ACCURACY, CHANCE_AGREEMENT, BALANCED_ACCURACY, WEIGHTED_BALANCED_ACCURACY, YOUDEN_J)
