"""Scores: correlations with people's scores, and how well a judge's probability ranks and fits.

An item counts where people and the judge both have a score; the numbers are those of
`goldassay.metrics`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.formulas.probabilities import risk_curve
from goldassay.frozen import dataclass
from goldassay.inference.draw import Draw
from goldassay.metrics.probabilities import (
    AVERAGE_PRECISION,
    KUIPER_CALIBRATION,
    KUIPER_CALIBRATION_P,
    ROC_AUC,
    Scored,
)
from goldassay.metrics.registry import SCORE_METRICS
from goldassay.results import Result

__all__ = ["RiskCoverage", "areas", "correlation_results", "kuiper", "risk_coverage"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def correlation_results(x: Floats, y: Floats, cluster: Ints, draw: Draw) -> list[Result]:
    """Every correlation of people's scores x and a judge's y, resampled by cluster."""
    both = np.isfinite(x) & np.isfinite(y)
    x, y, cluster = x[both], y[both], cluster[both]
    return [metric.estimate(x, y, cluster, draw) for metric in SCORE_METRICS.values()]


# --- scores of a binary judge -----------------------------------------------------------------


def areas(score: Floats, share: Floats, cluster: Ints, draw: Draw) -> tuple[Result, Result]:
    """ROC AUC and average precision of a judge's score against people's majority."""
    used = np.isfinite(score) & np.isfinite(share)
    scored = Scored(score[used], share[used], cluster[used], draw.confidence_level)
    return ROC_AUC.estimate(scored), AVERAGE_PRECISION.estimate(scored)


def kuiper(score: Floats, share: Floats) -> tuple[Result, Result]:
    """Kuiper's calibration statistic of a judge's probabilities, and its p-value."""
    used = np.isfinite(score) & np.isfinite(share)
    scored = Scored(score[used], share[used])
    return KUIPER_CALIBRATION.estimate(scored), KUIPER_CALIBRATION_P.estimate(scored)


@dataclass(frozen=True)
class RiskCoverage:
    """Error among the surest verdicts: at each point, the share of items kept, and what is so."""

    coverage: Floats
    error: Floats
    #: The least probability of a verdict that is kept.
    probability: Floats
    items: Ints
    #: The mean error over all coverages.
    area: float


def risk_coverage(score: Floats, share: Floats, *, points: int = 10) -> RiskCoverage | None:
    """Error among the surest verdicts, by the share of items kept; and the area under it."""
    used = np.isfinite(score) & np.isfinite(share) & (share != 0.5)
    s, positive = score[used], share[used] > 0.5
    if len(s) < 2 or s.min() < 0 or s.max() > 1:
        return None
    risk, sure = risk_curve(s, positive)
    kept = np.array([max(1, round(len(s) * step / points)) for step in range(1, points + 1)])
    return RiskCoverage(
        coverage=kept / len(s),
        error=risk[kept - 1],
        probability=sure[kept - 1] + 0.5,
        items=kept,
        area=float(risk.mean()),
    )
