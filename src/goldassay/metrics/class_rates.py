"""Shares of decisions within one class: of what people call so, or of what the judge does.

Records and functions stand side by side; formulas are in `goldassay.formulas.agreement`.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from goldassay.formulas import agreement as f
from goldassay.inference.draw import Draw
from goldassay.inference.proportions import BinomialMethod
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SEED, describes
from goldassay.metrics.inputs import Given, Labels
from goldassay.metrics.tables import BINARY, TableMetric, items
from goldassay.results import Estimate, Undefined

__all__ = [
    "f1",
    "macro_f1",
    "negative_predictive_value",
    "precision",
    "recall",
    "sensitivity",
    "specificity",
]


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


RECORDS = (SENSITIVITY, SPECIFICITY, PRECISION, RECALL, NEGATIVE_PREDICTIVE_VALUE, F1, MACRO_F1)
