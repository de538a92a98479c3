"""Scores: correlations with people's scores, and how well a judge's probability ranks and fits.

Intervals of correlations: a delete-one-cluster jackknife (groups of clusters, where many) on
Fisher's scale, with Student's t. ROC AUC: DeLong, DeLong and Clarke-Pearson (1988), on the logit
scale, by clusters (Obuchowski 1997). Calibration: Kuiper's statistic of cumulative differences
(Arrieta-Ibarra, Gujral, Tannen, Tygert and Xu 2022), which needs no bins.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from goldassay.formulas.correlation import (
    icc,
    kendall_tau_b,
    lin_concordance,
    pearson,
    ranks,
    spearman,
)
from goldassay.inference.clusters import student_reach
from goldassay.inference.jackknife import without_each
from goldassay.inference.proportions import normal_quantile
from goldassay.inference.significance import kendall_p_value, spearman_p_value
from goldassay.questions.agree.judges import Draw
from goldassay.results import Estimate, Interval, Result, Table, Undefined

__all__ = [
    "CORRELATIONS",
    "auc",
    "correlation_results",
    "delong",
    "jackknife_error",
    "kuiper",
    "left_out_groups",
    "risk_coverage",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

CORRELATIONS: dict[str, tuple[str, Callable[[Floats, Floats], float]]] = {
    "pearson": ("linear relation with people's scores", pearson),
    "spearman": ("monotone relation with people's scores", spearman),
    "kendall_tau_b": ("concordant less discordant pairs", kendall_tau_b),
    "lin_concordance": ("closeness to the line of equality", lin_concordance),
    "icc": ("intraclass correlation ICC(A,1), absolute agreement", icc),
}

P_VALUES = {"spearman": spearman_p_value, "kendall_tau_b": kendall_p_value}

#: Groups of clusters left out in turn. Student's t pays for fewer (2.02 for 1.97 standard errors
#: at 95 %), which is worth it where one correlation takes milliseconds.
GROUPS, GROUPS_OF_MANY, MANY_SCORES = 200, 40, 5_000


def correlation_results(x: Floats, y: Floats, cluster: Ints, draw: Draw) -> list[Result]:
    """Every correlation of people's scores x and a judge's y, resampled by cluster."""
    both = np.isfinite(x) & np.isfinite(y)
    x, y, cluster = x[both], y[both], cluster[both]
    out: list[Result] = []
    alone = len(np.unique(cluster)) == len(x)
    for name, (_, statistic) in CORRELATIONS.items():
        value = statistic(x, y)
        if np.isnan(value):
            reason = "one side's scores are equal"
            if len(x) < 2:
                number = "one item" if len(x) else "no item"
                reason = f"{number} has a score of people and of the judge"
            out.append(Undefined(name, reason, len(x)))
            continue
        interval = _jackknife(statistic, x, y, cluster, value, draw)
        clusters = len(np.unique(cluster))
        # A test of no association holds for scores that stand alone, not for clusters of them.
        declared = {"p_value": P_VALUES[name](x, y)} if name in P_VALUES and alone else {}
        out.append(Estimate(name, value, interval, len(x), clusters, declared))
    return out


def left_out_groups(cluster: Ints, draw: Draw) -> tuple[Ints, int, str]:
    """The group of clusters of each score, how many groups, and a name for the jackknife."""
    _, code = np.unique(cluster, return_inverse=True)
    clusters = int(code.max(initial=-1)) + 1
    groups = min(clusters, GROUPS if len(cluster) <= MANY_SCORES else GROUPS_OF_MANY)
    member = np.random.default_rng(draw.seed).permutation(clusters) % max(groups, 1)
    what = "cluster jackknife" if groups == clusters else f"jackknife of {groups} cluster groups"
    return member[code.reshape(-1)], groups, what


def jackknife_error(left_out: Floats) -> float:
    """The standard error of a statistic from its values without each group in turn."""
    size = len(left_out)
    return float(np.sqrt((size - 1) / size * ((left_out - left_out.mean()) ** 2).sum()))


def _jackknife(
    statistic: Callable[[Floats, Floats], float],
    x: Floats,
    y: Floats,
    cluster: Ints,
    value: float,
    draw: Draw,
) -> Interval | None:
    member, groups, what = left_out_groups(cluster, draw)
    if groups < 4 or abs(value) >= 1:
        return None
    left_out = without_each(statistic, x, y, member, groups)
    left_out = np.clip(left_out[np.isfinite(left_out)], -1 + 1e-12, 1 - 1e-12)
    if len(left_out) < groups // 2 or len(left_out) < 4:
        return None
    error = jackknife_error(np.arctanh(left_out))
    reach = student_reach(len(left_out), draw.confidence_level) * error
    low, high = np.tanh(np.arctanh(value) - reach), np.tanh(np.arctanh(value) + reach)
    return Interval(float(low), float(high), draw.confidence_level, f"{what}, Fisher's z")


# --- scores of a binary judge -----------------------------------------------------------------


def delong(score: Floats, positive: npt.NDArray[np.bool_], cluster: Ints) -> tuple[float, float]:
    """AUC and its standard error, by clusters. The higher score is the more positive: declared."""
    m, n = int(positive.sum()), int((~positive).sum())
    overall = ranks(score)
    placed_positive = (overall[positive] - ranks(score[positive])) / n
    placed_negative = 1 - (overall[~positive] - ranks(score[~positive])) / m
    area = float(placed_positive.mean())
    if m < 2 or n < 2:
        return area, float("nan")
    deviation = np.zeros(len(score))
    deviation[positive] = (placed_positive - area) / m
    deviation[~positive] = (placed_negative - area) / n
    _, code = np.unique(cluster, return_inverse=True)
    sums = np.bincount(code.reshape(-1), weights=deviation)
    # Decisions alone in their cluster: DeLong's own m/(m-1), n/(n-1); else clusters/(clusters-1).
    if len(sums) == len(score):
        variance = (deviation[positive] ** 2).sum() * m / (m - 1)
        variance += (deviation[~positive] ** 2).sum() * n / (n - 1)
    else:
        variance = (sums**2).sum() * len(sums) / max(len(sums) - 1, 1)
    return area, float(np.sqrt(variance))


def auc(score: Floats, share: Floats, cluster: Ints, draw: Draw) -> Result:
    """ROC AUC of a judge's score against people's majority."""
    from scipy.special import expit, logit

    used = np.isfinite(score) & np.isfinite(share) & (share != 0.5)
    score, positive, cluster = score[used], share[used] > 0.5, cluster[used]
    if not positive.any() or positive.all():
        kind = "positive" if positive.all() else "negative"
        return Undefined("roc_auc", f"every reference is {kind}", len(score))
    area, error = delong(score, positive, cluster)
    interval = None
    if 0 < area < 1 and np.isfinite(error) and error > 0:
        reach = float(normal_quantile((1 + draw.confidence_level) / 2)) * error
        reach /= area * (1 - area)
        low, high = expit(logit(area) - reach), expit(logit(area) + reach)
        interval = Interval(float(low), float(high), draw.confidence_level, "DeLong, logit scale")
    clusters = len(np.unique(cluster))
    declared = {"direction": "a higher score is more positive"}
    return Estimate("roc_auc", area, interval, len(score), clusters, declared)


def kuiper(score: Floats, share: Floats) -> tuple[Result, Result]:
    """Kuiper's calibration statistic of a judge's probabilities, and its p-value.

    The range of the cumulative difference between outcomes and scores, in order of the score. Under
    calibration, divided by its standard deviation it is the range of a Brownian motion.
    """
    used = np.isfinite(score) & np.isfinite(share)
    s, y = score[used], share[used]
    name = "kuiper_calibration"
    if len(s) == 0 or s.min() < 0 or s.max() > 1:
        reason = "scores are not probabilities" if len(s) else "there is no scored item"
        return Undefined(name, reason, len(s)), Undefined(f"{name}_p", reason, len(s))
    order = np.argsort(s, kind="stable")
    s, y = s[order], y[order]
    walk = np.cumsum(y - s) / len(s)
    # Equal scores have no order of their own: the walk is read at the end of each.
    ends = np.append(s[1:] != s[:-1], True)
    steps = np.concatenate([[0.0], walk[ends]])
    value = float(steps.max() - steps.min())
    deviation = float(np.sqrt((s * (1 - s)).sum()) / len(s))
    if deviation == 0:
        reason = "every score is 0 or 1"
        return Estimate(name, value, None, len(s), 0), Undefined(f"{name}_p", reason, len(s))
    p = _range_of_brownian_motion(value / deviation)
    return Estimate(name, value, None, len(s), 0), Estimate(f"{name}_p", p, None, len(s), 0)


def _range_of_brownian_motion(x: float) -> float:
    """P(range of Brownian motion on [0, 1] > x) (Feller 1951)."""
    from scipy.special import ndtr

    if x < 0.5:
        return 1.0
    k = np.arange(1, 60)
    tails = ndtr(-k * x)
    return float(np.clip(8 * ((-1.0) ** (k + 1) * k * tails).sum(), 0, 1))


def risk_coverage(score: Floats, share: Floats, *, points: int = 10) -> tuple[Table, float] | None:
    """Error among the surest verdicts, by the share of items kept; and the area under it.

    Sureness is the distance of the probability from 1/2; the verdict is positive above 1/2.
    """
    used = np.isfinite(score) & np.isfinite(share) & (share != 0.5)
    s, positive = score[used], share[used] > 0.5
    if len(s) < 2 or s.min() < 0 or s.max() > 1:
        return None
    sure = np.abs(s - 0.5)
    wrong = ((s > 0.5) != positive).astype(float)
    order = np.argsort(-sure, kind="stable")
    risk = np.cumsum(wrong[order]) / np.arange(1, len(s) + 1)
    rows = []
    for step in range(1, points + 1):
        kept = max(1, round(len(s) * step / points))
        rows.append(
            (kept / len(s), float(risk[kept - 1]), float(sure[order][kept - 1] + 0.5), kept)
        )
    table = Table(
        "Error among the verdicts the judge is surest of",
        ("coverage", "error", "probability at least", "items"),
        tuple(rows),
        ("sureness is the distance of the judge's probability from 1/2",),
    )
    return table, float(risk.mean())
