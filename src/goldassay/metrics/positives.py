"""How often each side says positive, and which way they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.errors import InputError
from goldassay.formulas import agreement as f
from goldassay.formulas.special import log_odds
from goldassay.frozen import dataclass
from goldassay.inference.cells import Cells
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.clusters import design_effect_of_share, few_cluster_tail
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_tail
from goldassay.inference.proportions import BinomialMethod, binomial
from goldassay.inference.quantiles import quantile
from goldassay.inference.significance import mcnemar
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SEED, describes
from goldassay.metrics.inputs import Given, Labels, checked_method, one_of
from goldassay.metrics.tables import BINARY, Counted, TableMetric, items
from goldassay.results import Estimate, Interval, Undefined

__all__ = [
    "log_odds_strictness",
    "mcnemar_p",
    "positive_rate_difference",
    "reference_rate",
    "verdict_rate",
]

Floats = NDArray[np.float64]
McNemarMethod = Literal["exact", "corrected", "uncorrected"]

#: Tails below are as good as none.
SMALLEST_TAIL = 1e-12


def _tested(counted: Counted) -> Mapping[str, object]:
    """The test of no difference, which holds for decisions that stand alone."""
    if not counted.alone:
        return {}
    p_value = mcnemar(counted.table)
    return {"mcnemar_p": None if np.isnan(p_value) else p_value}


def _odds_of_a_share(counted: Counted, level: float) -> Interval:
    """The hedged interval of FN's share among the differences, as log-odds.

    Where one kind of difference never occurs it has no finite end on that side: the data do not
    bound how rare the kind is. Clusters (and weights) divide the counts by the design effect of the
    share, and reach as far as Student's t with the effective number of clusters that differ.
    """
    if counted.drawn.stratified:
        return _odds_within_strata(counted, level)
    assert not isinstance(counted.clusters, Cells)  # it is of two options
    _, fn, fp, _ = f.cells(counted.clusters, positive=counted.setting.at)
    effect, tail, method = 1.0, (1 - level) / 2, "hedged binomial, log-odds"
    if counted.drawn.clustered:
        differ = int(counted.times[fn + fp > 0].sum())
        effect = float(design_effect_of_share(fn, fn + fp, counted.times))
        spread = ClusterSpread.of_share(fn, fn + fp, counted.times)
        worth = max(min(differ, spread.degrees + 1), 2)
        tail = max(few_cluster_tail(worth, level), SMALLEST_TAIL)
        method += f" ({differ} clusters that differ)"
    strict, differing = (float(counted.times @ part) / effect for part in (fn, fn + fp))
    low, high = binomial(min(strict, differing), differing, confidence_level=1 - 2 * tail)
    return Interval(log_odds(float(low)), log_odds(float(high)), level, method)


def _odds_within_strata(counted: Counted, level: float) -> Interval:
    """The same of labels drawn within strata, where the two kinds of difference may be of two."""
    at = counted.setting.at

    def share(tables: Floats) -> Floats:
        _, fn, fp, _ = f.cells(tables, positive=at)
        return np.divide(fn, fn + fp, out=np.full_like(fn, np.nan), where=fn + fp > 0)

    drawn = counted.drawn.leaning(share)
    tail = hedged_tail(drawn, level)
    ends = [values[np.isfinite(values)] for values in drawn.of(share)]
    _, fn, fp, _ = (float(one) for one in f.cells(counted.table, positive=at))
    low = min(quantile(values, tail) for values in ends) if fn > 0 else 0.0
    high = max(quantile(values, 1 - tail) for values in ends) if fp > 0 else 1.0
    return Interval(log_odds(low), log_odds(high), level, f"{drawn.method}, log-odds")


REFERENCE_RATE = TableMetric(
    "reference_rate",
    lambda t, s: f.reference_rate(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.positive_references(t), items(t)),
    towards_agreement=False,
)


@describes(REFERENCE_RATE)
def reference_rate(
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
    """Share of items that people call positive.

    The true rate among these items, not of a population that they were not drawn from: that is the
    `prevalence` of `estimate`.

    Examples
    --------
    >>> reference_rate([1, 1, 1, 0, 0], [1, 1, 0, 0, 1])
    reference_rate = 0.6 (0.1663, 0.9316) 95% hedged binomial, 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return REFERENCE_RATE.of(
        given, Draw(draws, seed, confidence_level), positive=positive, method=method
    )


VERDICT_RATE = TableMetric(
    "verdict_rate",
    lambda t, s: f.verdict_rate(t, positive=s.at),
    BINARY,
    ("positive",),
    share=lambda t, s: (s.positive_verdicts(t), items(t)),
    towards_agreement=False,
)


@describes(VERDICT_RATE)
def verdict_rate(
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
    """Share of items that the judge calls positive.

    What a judge alone reports; its two kinds of error rarely cancel.

    Examples
    --------
    >>> verdict_rate([1, 1, 1, 0, 0], [1, 1, 0, 0, 1])
    verdict_rate = 0.6 (0.1663, 0.9316) 95% hedged binomial, 5 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return VERDICT_RATE.of(
        given, Draw(draws, seed, confidence_level), positive=positive, method=method
    )


POSITIVE_RATE_DIFFERENCE = TableMetric(
    "positive_rate_difference",
    lambda t, s: f.positive_rate_difference(t, positive=s.at),
    BINARY,
    ("positive",),
    towards_agreement=False,
    declares=_tested,
)


@describes(POSITIVE_RATE_DIFFERENCE)
def positive_rate_difference(
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
    """The judge's positive rate less people's: above 0 it says it more often.

    For items that stand alone `declared["mcnemar_p"]` has the exact p-value of no difference.

    Examples
    --------
    >>> found = positive_rate_difference(counts=[[45, 5], [15, 35]], positive=0)
    >>> found, round(found.declared["mcnemar_p"], 3)
    (positive_rate_difference = 0.1 (0.01213, 0.1929) 95% hedged posterior of the counts (2000
    draws), 100 items, 0.041)
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return POSITIVE_RATE_DIFFERENCE.of(
        given, Draw(draws, seed, confidence_level), positive=positive
    )


LOG_ODDS_STRICTNESS = TableMetric(
    "log_odds_strictness",
    lambda t, s: f.log_odds_strictness(t, positive=s.at),
    BINARY,
    ("positive",),
    towards_agreement=False,
    undefined="judge and people never differ",
    closed_form=_odds_of_a_share,
)


@describes(LOG_ODDS_STRICTNESS)
def log_odds_strictness(
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
    """Where judge and people differ, the log-odds that the judge is the stricter.

    log((FN + 1/2) / (FP + 1/2)): above 0 it withholds the positive label more often than it grants
    it in excess. The interval is of log(FN / FP) among all such items, without the halves: where
    one of the two never occurs, nothing bounds how rare it is and that end is infinite.

    Examples
    --------
    >>> log_odds_strictness(counts=[[45, 5], [15, 35]], positive=0)
    log_odds_strictness = -1.036 (-2.276, -0.05579) 95% hedged binomial, log-odds, 100 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    return LOG_ODDS_STRICTNESS.of(given, Draw(draws, seed, confidence_level), positive=positive)


@dataclass(frozen=True)
class TableTest:
    """A test on a table of two options: the p-value by each of its methods, no interval."""

    name: str
    p_value: Callable[[Floats, McNemarMethod], float]
    methods: tuple[str, ...]
    undefined: str

    def of(self, given: Given, *, positive: Any, method: McNemarMethod) -> Estimate | Undefined:
        """The p-value of what a caller hands over."""
        tables = given.tables(self.name, positive)
        checked_method(self.name, method, self.methods)
        if len(tables.options) > 2:
            if positive is None:
                raise InputError(f"{self.name}, positive", "is needed with more than two labels")
            at = one_of(f"{self.name}, positive", positive, tables.options)
            tables = tables.against_the_rest(at)
        if tables.clustered or (tables.stack % 1).any():
            raise InputError(
                self.name,
                "holds for whole decisions that stand alone",
                found="clusters or weights",
                next_step="Read the interval of positive_rate_difference instead",
            )
        if len(tables.options) < 2:
            return Undefined(self.name, self.undefined, tables.n_items)
        value = self.p_value(tables.total, method)
        if np.isnan(value):
            return Undefined(self.name, self.undefined, tables.n_items)
        declared = {"method": method}
        return Estimate(self.name, value, None, tables.n_items, tables.n_items, declared)


_METHOD = {"method": "How the p-value is made: 'exact', 'corrected' or 'uncorrected'."}
MCNEMAR_P = TableTest(
    "mcnemar_p",
    lambda t, method: mcnemar(t, method=method),
    get_args(McNemarMethod),
    "judge and people never differ",
)


@describes(MCNEMAR_P, _METHOD)
def mcnemar_p(
    reference: Labels | None = None,
    verdicts: Labels | None = None,
    *,
    counts: ArrayLike | None = None,
    labels: Labels | None = None,
    positive: Any = None,
    method: McNemarMethod = "exact",
) -> Estimate | Undefined:
    """McNemar's test that judge and people say positive equally often: the two-sided p-value.

    `method` is "exact" (the binomial test of the items on which they differ), "uncorrected" (the
    chi-square) or "corrected" (with Edwards' continuity correction). Items stand alone.

    Examples
    --------
    >>> mcnemar_p(counts=[[45, 5], [15, 35]])
    mcnemar_p = 0.04139, 100 items
    """
    given = Given(reference, verdicts, counts, labels)
    return MCNEMAR_P.of(given, positive=positive, method=method)


RECORDS = (REFERENCE_RATE, VERDICT_RATE, POSITIVE_RATE_DIFFERENCE, LOG_ODDS_STRICTNESS)
TESTS = (MCNEMAR_P,)
