"""Correlations of the judge's scores with people's, or of the order of their labels.

Of scores the interval is a jackknife of clusters on Fisher's scale, with a warning where a few far
scores carry the number; of labels in order it is the
posterior of their table, as for every coefficient of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import correlation as r
from goldassay.formulas.correlation import far_out
from goldassay.frozen import dataclass
from goldassay.inference.draw import Draw
from goldassay.inference.jackknife import PERFECT, fisher_spread, left_out_groups, perfect_interval
from goldassay.inference.significance import kendall_p_value, spearman_p_value
from goldassay.inference.skewed import SKEWED, skewness
from goldassay.metrics.beyond_chance import PHI
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SCORES, SEED, describes
from goldassay.metrics.inputs import Given, Labels, checked_draw, paired_scores
from goldassay.metrics.tables import CONSTANT, ORDINAL, Setting, TableMetric
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["icc", "kendall_tau_b", "lin_concordance", "pearson", "spearman"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Clusters that an interval takes.
FEWEST_CLUSTERS = 4
#: Degrees of freedom from which on far scores do not keep an interval from covering; measured.
ENOUGH_DEGREES = 12.0
#: The share of equal scores from which on ranks are those of two kinds of items.
MOSTLY = 0.75
SKEWED_SCORES = (
    "scores are so skewed that rare far ones, not among these, may move this number: its interval"
    " may cover less than it claims; spearman, of ranks, does not depend on them"
)


@dataclass(frozen=True)
class ScoreMetric:
    """A correlation of two raters' scores: formula, test, interval, and when it is undefined."""

    name: str
    statistic: Callable[[Floats, Floats], float]
    #: The test of no association, which holds for scores that stand alone, not for clusters.
    p_value: Callable[[Floats, Floats, float], float] | None = None
    #: Made of products, so that a few far scores can carry it; else of ranks, which none can.
    moments: bool = False
    #: Of pairs of items.
    of_pairs: bool = False
    undefined: str = "one side's scores are equal"
    methods: tuple[str, ...] = ()

    def estimate(self, x: Floats, y: Floats, cluster: Ints, draw: Draw) -> Result:
        """The correlation of people's scores x and a judge's y, with its interval."""
        value = self.statistic(x, y)
        if np.isnan(value):
            reason = self.undefined
            if len(x) < 2:
                number = "one item" if len(x) else "no item"
                reason = f"{number} has a score of people and of the judge"
            return Undefined(self.name, reason, len(x))
        clusters, level = int((np.bincount(cluster) > 0).sum()), draw.confidence_level
        interval, warnings = None, ["no interval: too few clusters"]
        # An intraclass correlation of few items may lie below -1, which is nothing perfect.
        if PERFECT <= abs(value) <= 1 + 1e-9 and clusters >= FEWEST_CLUSTERS:
            interval = perfect_interval(value, clusters, level, of_pairs=self.of_pairs)
            warnings = []
        elif spread := fisher_spread(
            self.statistic, x, y, left_out_groups(cluster, draw), moments=self.moments, value=value
        ):
            interval = spread.interval(level)
            warnings = self._warned(x, y, spread.degrees)
        if interval is not None and not self.moments and not self.of_pairs:
            together = None if clusters == len(x) else cluster
            interval = _of_two_kinds(interval, value, Given(x, y, clusters=together), draw)
        tested = self.p_value is not None and clusters == len(x)
        declared = {"p_value": self.p_value(x, y, value)} if tested and self.p_value else {}
        return Estimate(self.name, value, interval, len(x), clusters, declared, (), tuple(warnings))

    def _warned(self, x: Floats, y: Floats, degrees: float) -> list[str]:
        """What the data show of an interval that may not hold: far scores, seen or to come."""
        if not self.moments:
            return []
        far = int((far_out(x) | far_out(y) | far_out(y - x)).sum())
        if far and degrees < ENOUGH_DEGREES:
            return [
                f"{far} of {len(x)} items have scores far from the rest and carry this number: its"
                " interval may cover less than it claims; spearman, of ranks, does not depend on"
                " them"
            ]
        return [SKEWED_SCORES] if max(_skew(x), _skew(y)) > SKEWED else []

    def of(self, given: Given, draw: Draw) -> Result:
        """The correlation of the scores that a caller hands over."""
        checked_draw(self.name, draw)
        return self.estimate(*paired_scores(self.name, given), draw)


def _of_two_kinds(interval: Interval, value: float, given: Given, draw: Draw) -> Interval:
    """An interval that reaches towards 0 as far as phi's, where most scores are one number.

    Ranks of such scores say little more than which items have another one; where these happen to
    be the same items on both sides, no pair shows an error, as in a table without one.
    """
    others = [_other(np.asarray(one)) for one in (given.reference, given.verdicts)]
    if max(float(one.mean()) for one in others) > 1 - MOSTLY:
        return interval
    two = PHI.of(replace(given, reference=others[0], verdicts=others[1], labels=[0, 1]), draw)
    if not isinstance(two, Estimate) or two.interval is None:
        return interval
    if value > 0:
        return replace(interval, low=min(interval.low, value - (two.value - two.interval.low)))
    return replace(interval, high=max(interval.high, value + two.interval.high - two.value))


def _other(scores: Floats) -> Ints:
    """Which scores are not the commonest one."""
    _, code, times = np.unique(scores, return_inverse=True, return_counts=True)
    return np.asarray(code.reshape(-1) != np.argmax(times), dtype=np.int64)


def _skew(x: Floats) -> float:
    """How skewed the mean of these scores is, were they lone."""
    return abs(skewness(x - x.mean()))


def _either(
    on_table: TableMetric, on_scores: ScoreMetric, given: Given, draw: Draw
) -> Estimate | Undefined:
    """Of labels in order, where these or counts of them are given; else of scores."""
    if given.labels is None and given.counts is None:
        return on_scores.of(given, draw)
    return on_table.of(given, draw)


def _ordered(function: Callable[[Floats], Floats]) -> Callable[[Floats, Setting], Floats]:
    """A correlation of the options' order; classes that are no option have no place in it."""
    return lambda t, s: function(t[..., : s.size, : s.size])


PEARSON = ScoreMetric("pearson", r.pearson, moments=True)
PEARSON_OF_TABLE = TableMetric(
    "pearson",
    _ordered(r.pearson_of_table),
    ORDINAL,
    ("order",),
    undefined=CONSTANT,
    every_cell=True,
)


@describes(PEARSON, SCORES)
def pearson(
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
    """Pearson's r: how near the judge's scores are to a line in people's.

    Of numbers as they are; with `labels` (the options in order) or `counts`, of the options'
    positions 1, 2, ...

    Examples
    --------
    >>> pearson([1, 2, 3, 4, 5, 6], [1.5, 1, 3, 5, 4, 7])
    pearson = 0.9165 (0.3547, 0.9927) 95% cluster jackknife, Fisher's z, 6 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    draw = Draw(draws, seed, confidence_level)
    return _either(PEARSON_OF_TABLE, PEARSON, given, draw)


SPEARMAN = ScoreMetric("spearman", r.spearman, spearman_p_value)
SPEARMAN_OF_TABLE = TableMetric(
    "spearman",
    _ordered(r.spearman_of_table),
    ORDINAL,
    ("order",),
    undefined=CONSTANT,
    main=True,
    every_cell=True,
)


@describes(SPEARMAN, SCORES)
def spearman(
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
    """Spearman's rho: how near the judge's scores are to rising and falling with people's.

    Of numbers as they are; with `labels` (the options in order) or `counts`, of the options'
    order. Of scores that stand alone `declared["p_value"]` tests that there is no relation.

    Examples
    --------
    >>> spearman([1, 2, 3, 4, 5, 6], [1.5, 1, 3, 5, 4, 7])
    spearman = 0.8857 (0.3708, 0.9975) 95% cluster jackknife, Fisher's z, 6 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    draw = Draw(draws, seed, confidence_level)
    return _either(SPEARMAN_OF_TABLE, SPEARMAN, given, draw)


KENDALL_TAU_B = ScoreMetric("kendall_tau_b", r.kendall_tau_b, kendall_p_value, of_pairs=True)
KENDALL_TAU_B_OF_TABLE = TableMetric(
    "kendall_tau_b",
    _ordered(r.kendall_tau_b_of_table),
    ORDINAL,
    ("order",),
    undefined=CONSTANT,
    every_cell=True,
)


@describes(KENDALL_TAU_B, SCORES)
def kendall_tau_b(
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
    """Kendall's tau-b: concordant less discordant pairs of items, ties taken into account.

    Of numbers as they are; with `labels` (the options in order) or `counts`, of the options'
    order. Of scores that stand alone `declared["p_value"]` tests that there is no relation.

    Examples
    --------
    >>> kendall_tau_b([1, 2, 3, 4, 5, 6], [1.5, 1, 3, 5, 4, 7])
    kendall_tau_b = 0.7333 (-0.1613, 0.9664) 95% cluster jackknife, Fisher's z, 6 items
    >>> order = ["low", "mid", "high"]
    >>> kendall_tau_b(["low", "mid", "high", "mid"], ["low", "high", "high", "mid"], labels=order)
    kendall_tau_b = 0.8 (-0.2352, 0.9841) 95% hedged posterior of the counts (2000 draws), 4 items
    """
    given = Given(reference, verdicts, counts, labels, clusters, sample_weight)
    draw = Draw(draws, seed, confidence_level)
    return _either(KENDALL_TAU_B_OF_TABLE, KENDALL_TAU_B, given, draw)


LIN_CONCORDANCE = ScoreMetric("lin_concordance", r.lin_concordance, moments=True)


@describes(LIN_CONCORDANCE, SCORES)
def lin_concordance(
    reference: Labels,
    scores: Labels,
    *,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
) -> Estimate | Undefined:
    """Lin's concordance: how near the judge's scores are to people's, not only to a line.

    1 only where the scores are equal; a judge who is always one point higher has less.

    Examples
    --------
    >>> lin_concordance([1, 2, 3, 4, 5, 6], [1.5, 1, 3, 5, 4, 7])
    lin_concordance = 0.9006 (0.6371, 0.9867) 95% cluster jackknife, Fisher's z, 6 items
    """
    return LIN_CONCORDANCE.of(
        Given(reference, scores, clusters=clusters), Draw(DRAWS, seed, confidence_level)
    )


ICC = ScoreMetric("icc", r.icc, moments=True)


@describes(ICC, SCORES)
def icc(
    reference: Labels,
    scores: Labels,
    *,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
) -> Estimate | Undefined:
    """Intraclass correlation ICC(A,1): absolute agreement of single scores.

    Two-way, two raters (McGraw and Wong 1996); near Lin's concordance.

    Examples
    --------
    >>> icc([1, 2, 3, 4, 5, 6], [1.5, 1, 3, 5, 4, 7])
    icc = 0.9158 (0.6812, 0.9852) 95% cluster jackknife, Fisher's z, 6 items
    """
    return ICC.of(Given(reference, scores, clusters=clusters), Draw(DRAWS, seed, confidence_level))


RECORDS = (SPEARMAN_OF_TABLE, KENDALL_TAU_B_OF_TABLE, PEARSON_OF_TABLE)
SCORE_RECORDS = (PEARSON, SPEARMAN, KENDALL_TAU_B, LIN_CONCORDANCE, ICC)
