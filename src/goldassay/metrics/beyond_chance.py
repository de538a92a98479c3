"""Agreement beyond chance, and association: kappa and its kin."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import agreement as f
from goldassay.inference.draw import Draw
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SEED, describes
from goldassay.metrics.inputs import Given, Labels
from goldassay.metrics.positives import POSITIVE_RATE_DIFFERENCE
from goldassay.metrics.tables import (
    BINARY,
    CONSTANT,
    ONE_OPTION,
    ClosedForm,
    TableMetric,
    WeightsOption,
    weights_named,
)
from goldassay.results import Estimate, Undefined

__all__ = ["cohen_kappa", "kappa_phi_gap", "mcc", "phi", "scott_pi", "weighted_kappa"]

Floats = NDArray[np.float64]


_PLAIN = "None for plain kappa; 'linear', 'quadratic' or a K x K matrix: `weighted_kappa`."
COHEN_KAPPA = TableMetric(
    "cohen_kappa",
    lambda t, s: f.cohen_kappa(t),
    undefined=ONE_OPTION,
    standard_error=lambda t, s: f.cohen_kappa_standard_error(t),
    main=True,
)


@describes(COHEN_KAPPA, {"weights": _PLAIN})
def cohen_kappa(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    weights: WeightsOption | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: ClosedForm = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Cohen's kappa: agreement beyond chance, chance from each side's own rates.

    With `weights` near misses count in part (`weighted_kappa`). 0 is chance, 1 perfect. It falls
    where a label is rare, however good the judge.

    Examples
    --------
    >>> people = ["yes", "yes", "no", "yes", "no", "no", "yes", "no"]
    >>> judge = ["yes", "no", "no", "yes", "no", "yes", "yes", "no"]
    >>> cohen_kappa(people, judge)
    cohen_kappa = 0.5 (-0.2345, 0.9087) 95% hedged posterior of the counts (2000 draws), 8 items
    >>> cohen_kappa(counts=[[40, 10], [5, 45]], method="asymptotic")
    cohen_kappa = 0.7 (0.5607, 0.8393) 95% large-sample normal, 100 items
    >>> cohen_kappa([1, 2, 3, 3, 2], [1, 2, 3, 2, 3], weights="linear")
    weighted_kappa = 0.5 (-0.2258, 0.9078) 95% hedged posterior of the counts (2000 draws), 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    draw = Draw(draws, seed, confidence_level)
    if weights is not None:
        return WEIGHTED_KAPPA.of(given, draw, weights=weights, method=method)
    return COHEN_KAPPA.of(given, draw, method=method)


WEIGHTED_KAPPA = TableMetric(
    "weighted_kappa",
    lambda t, s: f.cohen_kappa(t, s.weights),
    needs=("weights", "order"),
    undefined=ONE_OPTION,
    standard_error=lambda t, s: f.cohen_kappa_standard_error(t, s.weights),
    declares=weights_named,
    main=True,
)


@describes(WEIGHTED_KAPPA)
def weighted_kappa(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    weights: WeightsOption = "linear",
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: ClosedForm = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Cohen's kappa with weights, so that near misses count in part.

    Weights are by the labels' positions, not their values.

    Examples
    --------
    >>> weighted_kappa([1, 2, 3, 3, 2], [1, 2, 3, 2, 3], weights="quadratic")
    weighted_kappa = 0.6429 (-0.2198, 0.9379) 95% hedged posterior of the counts (2000 draws), 5
    items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return WEIGHTED_KAPPA.of(
        given, Draw(draws, seed, confidence_level), weights=weights, method=method
    )


PHI = TableMetric(
    "phi", lambda t, s: f.phi(t), BINARY, ("two options",), undefined=CONSTANT, main=True
)


@describes(PHI)
def phi(
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
    """Association of two binary ratings: phi = MCC = Pearson = Spearman = Kendall's tau-b.

    More than two labels have `mcc`.

    Examples
    --------
    >>> phi(counts=[[40, 10], [5, 45]])
    phi = 0.7035 (0.5412, 0.8259) 95% hedged posterior of the counts (2000 draws), 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return PHI.of(given, Draw(draws, seed, confidence_level))


MCC = TableMetric(
    "mcc", lambda t, s: f.phi(t), ("nominal", "ordinal", "pairwise"), undefined=CONSTANT, main=True
)


@describes(MCC)
def mcc(
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
    """Matthews correlation of two or more labels (Gorodkin 2004); phi where there are two.

    With more than two labels it is none of the rank correlations.

    Examples
    --------
    >>> mcc(["a", "b", "c", "a", "c"], ["a", "b", "b", "a", "c"])
    mcc = 0.75 (0.04496, 0.9805) 95% hedged posterior of the counts (2000 draws), 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return MCC.of(given, Draw(draws, seed, confidence_level))


KAPPA_PHI_GAP = TableMetric(
    "kappa_phi_gap",
    lambda t, s: f.kappa_phi_gap(t),
    BINARY,
    ("two options",),
    towards_agreement=False,
    undefined=CONSTANT,
    zero_with=(POSITIVE_RATE_DIFFERENCE, PHI),
)


@describes(KAPPA_PHI_GAP)
def kappa_phi_gap(
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
    """|phi| - |kappa|: what drifted positive rates cost kappa.

    0 when judge and people say positive equally often, and when the judge is at chance.

    Examples
    --------
    >>> kappa_phi_gap(counts=[[40, 10], [5, 45]])
    kappa_phi_gap = 0.003526 (0, 0.02073) 95% hedged posterior of the counts (2000 draws), 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return KAPPA_PHI_GAP.of(given, Draw(draws, seed, confidence_level))


SCOTT_PI = TableMetric("scott_pi", lambda t, s: f.scott_pi(t), undefined=ONE_OPTION)


@describes(SCOTT_PI)
def scott_pi(
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
    """Scott's pi: agreement beyond chance, chance from the pooled rates.

    The two sides count as two of a kind; `cohen_kappa` lets each have its own rates.

    Examples
    --------
    >>> scott_pi(counts=[[40, 10], [5, 45]])
    scott_pi = 0.6992 (0.5294, 0.8237) 95% hedged posterior of the counts (2000 draws), 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return SCOTT_PI.of(given, Draw(draws, seed, confidence_level))


RECORDS = (COHEN_KAPPA, WEIGHTED_KAPPA, PHI, MCC, KAPPA_PHI_GAP, SCOTT_PI)
