"""Scores: correlations with people's scores, and how well a judge's probability ranks and fits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.formulas.probabilities import risk_curve
from goldassay.inference.draw import Draw
from goldassay.metrics.probabilities import ROC_AUC, KUIPER_CALIBRATION, KUIPER_CALIBRATION_P
from goldassay.metrics.registry import SCORE_METRICS
from goldassay.results import Result, Table

__all__ = ["auc", "correlation_results", "kuiper", "risk_coverage"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def correlation_results(x: Floats, y: Floats, cluster: Ints, draw: Draw) -> list[Result]:
    """Every correlation of people's scores x and a judge's y, resampled by cluster."""
    both = np.isfinite(x) & np.isfinite(y)
    x, y, cluster = x[both], y[both], cluster[both]
    return [metric.estimate(x, y, cluster, draw) for metric in SCORE_METRICS.values()]


# --- scores of a binary judge -----------------------------------------------------------------


def auc(score: Floats, share: Floats, cluster: Ints, draw: Draw) -> Result:
    """ROC AUC of a judge's score against people's majority."""
    used = np.isfinite(score) & np.isfinite(share)
    return ROC_AUC.estimate(score[used], share[used], cluster[used], draw.confidence_level)


def kuiper(score: Floats, share: Floats) -> tuple[Result, Result]:
    """Kuiper's calibration statistic of a judge's probabilities, and its p-value."""
    used = np.isfinite(score) & np.isfinite(share)
    s, y = score[used], share[used]
    alone = np.arange(len(s))
    return tuple(m.estimate(...))


def risk_coverage(score: Floats, share: Floats, *, points: int = 10) -> tuple[Table, float] | None:
    """Error among the surest verdicts, by the share of items kept; and the area under it."""
    used = np.isfinite(score) & np.isfinite(share) & (share != 0.5)
    s, positive = score[used], share[used] > 0.5
    if len(s) < 2 or s.min() < 0 or s.max() > 1:
        return None
    risk, sure = risk_curve(s, positive)
    rows = []
    for step in range(1, points + 1):
        kept = max(1, round(len(s) * step / points))
        rows.append((kept / len(s), float(risk[kept - 1]), float(sure[kept - 1] + 0.5), kept))
    table = Table(
        "Error among the verdicts the judge is surest of",
        ("coverage", "error", "probability at least", "items"),
        tuple(rows),
        ("sureness is the distance of the judge's probability from 1/2",),
    )
    return table, float(risk.mean())
