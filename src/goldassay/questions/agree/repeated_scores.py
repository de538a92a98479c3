"""A judge that scores an item several times: how much of its distance from people is noise.

For one score s of an item with mean t over endless repeats, and people's score y, the expected
squared difference is (t - y)^2 + v: the judge's opinion, which more samples do not change, and the
variance of its repeats, which they do.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.counts import PairedScores
from goldassay.formulas.correlation import pearson
from goldassay.frozen import dataclass
from goldassay.inference.clusters import shortfall_of_draws, student_reach
from goldassay.inference.draw import Draw
from goldassay.inference.jackknife import jackknife_error, left_out_groups
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["WORTH", "MeanCurve", "RepeatedScores", "repeated_scores"]

Floats = npt.NDArray[np.float64]

WORTH = 0.005  # of correlation, for which another sample is paid


@dataclass(frozen=True)
class MeanCurve:
    """What to expect of the mean of 1, 2, ... samples, and how many are worth paying for."""

    pearson: Floats
    reliability: Floats
    enough: int


@dataclass(frozen=True)
class RepeatedScores:
    """Variance and noise of a judge's repeats; no curve where it cannot be predicted."""

    results: tuple[Result, ...]
    curve: MeanCurve | None = None


def repeated_scores(pairs: PairedScores, judge: int, draw: Draw) -> RepeatedScores:
    """Within-item variance, noise share and the worth of more samples of one judge's scores."""
    mean, variance, number = (side[judge] for side in (pairs.judge, pairs.variance, pairs.repeats))
    asked = np.isfinite(variance)
    used = asked & np.isfinite(pairs.people)
    v, m, y, s = variance[used], number[used], pairs.people[used], mean[used]
    results = [
        _ratio(
            "within_item_variance",
            variance[asked],
            np.ones(int(asked.sum())),
            pairs.cluster[asked],
            draw,
        )
    ]
    apart = (s - y) ** 2 + v * (1 - 1 / np.maximum(m, 1))
    results.append(_ratio("noise_share", v, apart, pairs.cluster[used], draw))
    curve = _samples(s, y, float(v.mean()) if len(v) else 0.0, m)
    return RepeatedScores(tuple(results), curve)


def _ratio(
    name: str, top: Floats, base: Floats, cluster: npt.NDArray[np.int64], draw: Draw
) -> Result:
    """Sum of `top` over sum of `base`, with a cluster jackknife of its logarithm."""
    if not base.sum() > 0:
        return Undefined(name, "the judge never differs from people", len(top))
    value = float(top.sum() / base.sum())
    clusters = len(np.unique(cluster))
    if value == 0:
        warning = "no interval: every repeat gave the same score"
        return Estimate(name, 0.0, None, len(top), clusters, {}, (), (warning,))
    member, groups, what = left_out_groups(cluster, draw)
    tops = top.sum() - np.bincount(member, weights=top, minlength=groups)
    bases = base.sum() - np.bincount(member, weights=base, minlength=groups)
    interval = None
    if groups > 3 and (tops > 0).all() and (bases > 0).all():
        # As for any clusters: few of them know their own spread badly.
        error = jackknife_error(np.log(tops / bases)) * shortfall_of_draws(groups, "bayesian")
        reach = student_reach(groups, draw.confidence_level) * error
        low, high = value * np.exp(-reach), value * np.exp(reach)
        interval = Interval(float(low), float(high), draw.confidence_level, f"{what}, logarithm")
    warnings = () if interval else ("no interval: too few clusters",)
    return Estimate(name, value, interval, len(top), clusters, {}, (), warnings)


def _samples(s: Floats, y: Floats, within: float, m: Floats) -> MeanCurve | None:
    """The correlation with people to expect of the mean of k samples (Spearman and Brown)."""
    most = int(m.max(initial=0))
    found = pearson(s, y) if len(s) > 2 else float("nan")
    between = float(np.var(s, ddof=1)) - within / float(m.mean()) if len(s) > 2 else 0.0
    if np.isnan(found) or between <= 0 or most < 2:
        return None
    reliability = between / (between + within / np.arange(1, most + 1))
    expected = found * np.sqrt(reliability / (between / (between + within / float(m.mean()))))
    expected = np.clip(expected, -1.0, 1.0)
    enough = int(np.flatnonzero(np.abs(expected) >= np.abs(expected[-1]) - WORTH)[0]) + 1
    return MeanCurve(expected, reliability, enough)
