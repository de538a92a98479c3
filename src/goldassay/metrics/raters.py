"""Agreement of raters of one kind, two of them or more: Gwet, Krippendorff, Fleiss, Conger."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.errors import InputError, shown
from goldassay.formulas import agreement as f
from goldassay.formulas import reliability as r
from goldassay.inference.draw import Draw
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SEED, describes
from goldassay.metrics.inputs import Given, Labels, checked_draw
from goldassay.metrics.rater_inputs import GivenRatings, Ratings
from goldassay.metrics.rater_sums import RaterMetric, interval_alpha
from goldassay.metrics.tables import (
    ONE_OPTION,
    ORDINAL,
    ClosedForm,
    Setting,
    TableMetric,
    WeightsOption,
    weights_named,
)
from goldassay.results import Estimate, Undefined

__all__ = [
    "conger_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "krippendorff_alpha",
    "observed_agreement",
]

Floats = NDArray[np.float64]
DifferenceOption = Literal["nominal", "ordinal", "interval"]

GWET_AC1 = TableMetric("gwet_ac1", lambda t, s: f.gwet_ac(t), main=True)
GWET_AC1_OF_RATERS = RaterMetric("gwet_ac1", lambda x, at: r.gwet_ac1_of_many(at.pairs(x)))


@describes(GWET_AC1)
def gwet_ac1(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    ratings: Ratings | None = None,
    votes: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Gwet's AC1: agreement beyond chance that rare labels do not upset.

    Of reference and verdict, or with `ratings` or `votes` of several raters. A label that nobody
    uses still counts, so give `labels`.

    Examples
    --------
    >>> gwet_ac1(counts=[[90, 4], [3, 3]])
    gwet_ac1 = 0.9203 (0.8296, 0.9674) 95% hedged posterior of the counts (2000 draws), 100 items
    >>> gwet_ac1(ratings=[["a", "b", "a", "b"], ["a", "b", "b", "b"], ["a", None, "a", "b"]])
    gwet_ac1 = 0.6757 (-0.1805, 0.9813) 95% hedged Bayesian bootstrap of items (2000 draws), 4 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    several = GivenRatings(ratings, votes, labels, clusters)
    draw = Draw(draws, seed, confidence_level)
    if several.among("gwet_ac1", given):
        return GWET_AC1_OF_RATERS.of(several, draw)
    return GWET_AC1.of(given, draw)


GWET_AC2 = TableMetric(
    "gwet_ac2",
    lambda t, s: f.gwet_ac(t, s.weights),
    (),
    ("weights", "order"),
    declares=weights_named,
)


@describes(GWET_AC2)
def gwet_ac2(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    weights: WeightsOption = "linear",
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Gwet's AC2: AC1 with weights, so that near misses count in part.

    Weights are by the labels' positions, not their values.

    Examples
    --------
    >>> gwet_ac2([1, 2, 3, 3, 2], [1, 2, 3, 2, 3], weights="linear")
    gwet_ac2 = 0.5714 (-0.03389, 0.9359) 95% hedged posterior of the counts (2000 draws), 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return GWET_AC2.of(given, Draw(draws, seed, confidence_level), weights=weights)


def _of_table(t: Floats, s: Setting) -> Floats:
    """Alpha of two raters: each item has its pair and the pair's mirror image."""
    table = t[..., : s.size, : s.size]
    return r.krippendorff_alpha(table + np.swapaxes(table, -1, -2), s.difference)


KRIPPENDORFF_ALPHA = TableMetric(
    "krippendorff_alpha",
    _of_table,
    ORDINAL,
    ("difference",),
    undefined=ONE_OPTION,
    main=True,
    every_cell=True,
)
KRIPPENDORFF_ALPHA_OF_RATERS = RaterMetric(
    "krippendorff_alpha",
    lambda x, at: r.krippendorff_alpha(at.coincidences(x), at.difference),
    standard_error=r.krippendorff_alpha_standard_error,
    declares=lambda at: {"difference": at.difference},
)


@describes(KRIPPENDORFF_ALPHA_OF_RATERS)
def krippendorff_alpha(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    ratings: Ratings | None = None,
    votes: ArrayLike | None = None,
    labels: Labels | None = None,
    difference: DifferenceOption = "nominal",
    clusters: Labels | None = None,
    sample_weight: Labels | None = None,
    method: ClosedForm = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Krippendorff's alpha: 1 less the observed over the expected difference between ratings.

    Of reference and verdict, or with `ratings` or `votes` of several raters, any of which may be
    missing. Unlike kappa it takes raters to be exchangeable.

    Examples
    --------
    >>> krippendorff_alpha([1, 2, 3, 3, 2], [1, 2, 3, 2, 3], difference="ordinal")
    krippendorff_alpha = 0.6 (-0.3132, 0.962) 95% hedged posterior of the counts (2000 draws), 5
    items
    >>> raters = [["a", "b", "a", "b"], ["a", "b", "b", "b"], ["a", None, "a", "b"]]
    >>> krippendorff_alpha(ratings=raters)
    krippendorff_alpha = 0.6667 (-0.1866, 0.9728) 95% hedged Bayesian bootstrap of items (2000
    draws), 4 items
    >>> krippendorff_alpha(ratings=[[1.5, 2, 4, 3.5], [1, 2.5, 4, 3]], difference="interval")
    krippendorff_alpha = 0.9268 (0.2746, 0.9805) 95% Bayesian cluster bootstrap (2000 draws), 4
    items
    """
    name = "krippendorff_alpha"
    if difference not in get_args(DifferenceOption):
        rule = f"is one of {', '.join(get_args(DifferenceOption))}"
        raise InputError(f"{name}, difference", rule, found=shown(difference))
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    several = GivenRatings(ratings, votes, labels, clusters)
    draw = checked_draw(name, Draw(draws, seed, confidence_level))
    among_raters = several.among(name, given)
    if difference == "interval":
        if method != "hedged":
            rule = "a closed form is there for the nominal difference alone"
            raise InputError(f"{name}, method", rule, found=shown(method))
        return interval_alpha(name, *several.scores(name), draw)
    if among_raters:
        return KRIPPENDORFF_ALPHA_OF_RATERS.of(several, draw, difference=difference, method=method)
    return KRIPPENDORFF_ALPHA.of(given, draw, difference=difference, method=method)


FLEISS_KAPPA = RaterMetric(
    "fleiss_kappa",
    lambda x, at: r.fleiss_kappa(at.pairs(x)),
    standard_error=r.fleiss_kappa_standard_error,
)


@describes(FLEISS_KAPPA)
def fleiss_kappa(
    ratings: Ratings | None = None,
    *,
    votes: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    method: ClosedForm = "hedged",
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Fleiss' kappa: agreement of pairs of raters beyond chance, chance from the pooled rates.

    With missing ratings, pairs are averaged over units with a pair and options over all rated
    units, each unit counting once.

    Examples
    --------
    >>> fleiss_kappa(votes=[[3, 0], [2, 1], [0, 3], [0, 3], [1, 2]])
    fleiss_kappa = 0.4444 (-0.3164, 0.8764) 95% hedged Bayesian bootstrap of items (2000 draws), 5
    items
    >>> raters = {"ann": [1, 0, 1, 1], "ben": [1, 0, 0, 1], "cho": [1, 0, 1, None]}
    >>> fleiss_kappa(raters)
    fleiss_kappa = 0.625 (-0.319, 0.9729) 95% hedged Bayesian bootstrap of items (2000 draws), 4
    items
    """
    given = GivenRatings(ratings, votes, labels, clusters)
    return FLEISS_KAPPA.of(given, Draw(draws, seed, confidence_level), method=method)


OBSERVED_AGREEMENT = RaterMetric(
    "observed_agreement",
    lambda x, at: r.observed_agreement(at.pairs(x)),
    undefined="no unit has two ratings",
)


@describes(OBSERVED_AGREEMENT)
def observed_agreement(
    ratings: Ratings | None = None,
    *,
    votes: ArrayLike | None = None,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Share of pairs of raters of a unit that agree, averaged over units with a pair.

    Not corrected for chance: two who guess agree often where one label is common.

    Examples
    --------
    >>> observed_agreement([["a", "b", "a"], ["a", "b", "b"], ["a", None, "a"]])
    observed_agreement = 0.7778 (0.2988, 0.9864) 95% hedged Bayesian bootstrap of items (2000
    draws), 3 items
    """
    given = GivenRatings(ratings, votes, labels, clusters)
    return OBSERVED_AGREEMENT.of(given, Draw(draws, seed, confidence_level))


CONGER_KAPPA = RaterMetric(
    "conger_kappa", lambda x, at: r.conger_kappa(at.pairs(x), at.raters(x)), by_rater=True
)


@describes(CONGER_KAPPA)
def conger_kappa(
    ratings: Ratings,
    *,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Conger's kappa: Cohen's, of several raters; chance from each rater's own rates.

    With two raters and nothing missing its value is Cohen's kappa.

    Examples
    --------
    >>> conger_kappa([[1, 0, 1, 1, 0], [1, 0, 0, 1, 0], [1, 0, 1, 1, 1]])
    conger_kappa = 0.4737 (-0.2203, 0.8768) 95% hedged Bayesian bootstrap of items (2000 draws), 5
    items
    """
    given = GivenRatings(ratings, None, labels, clusters)
    return CONGER_KAPPA.of(given, Draw(draws, seed, confidence_level))


RECORDS = (GWET_AC1, GWET_AC2, KRIPPENDORFF_ALPHA)
RATER_RECORDS = (
    KRIPPENDORFF_ALPHA_OF_RATERS,
    FLEISS_KAPPA,
    GWET_AC1_OF_RATERS,
    OBSERVED_AGREEMENT,
    CONGER_KAPPA,
)
