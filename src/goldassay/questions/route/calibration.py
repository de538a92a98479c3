"""Sureness as a probability: how far it is from what comes true, before and after recalibration.

A score of the positive option is held against people's positive labels; every other signal says
how likely the verdict is right, and is held against whether it is. Recalibrated probabilities come
from fits to other clusters than the item's own (cross-fitting).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.frozen import dataclass
from goldassay.inference.calibration import (
    Forecasts,
    Reliability,
    brier_score,
    calibration_error,
    cross_fitted,
    mean_difference,
    reliability,
)
from goldassay.questions.route.signals import Signal
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["Calibrated", "Calibration", "calibration_of"]

Floats = npt.NDArray[np.float64]

#: Fewer labels say nothing of ten bins, nor of a curve.
LEAST_LABELS = 30
BRIER, ERROR = "brier_score", "calibration_error"
#: Up to so many clusters an interval falls short where what comes true hangs together within them
#: (docs/theory/figures.md).
FEW = {BRIER: 12, "brier_change": 12, ERROR: 30}
METHODS = {
    BRIER: "hedged, by effective size",
    ERROR: "draws of the bins' differences",
    "brier_change": "Student's t",
}


@dataclass(frozen=True)
class Calibrated:
    """Probabilities of one kind against what came true. `kind` is "" for the signal as given."""

    kind: str
    brier: Result
    error: Result
    bins: Reliability | None
    #: Change of the Brier score against the signal as given; None for itself.
    change: Result | None = None


@dataclass(frozen=True)
class Calibration:
    """The signal as a probability, as given and recalibrated."""

    #: What a probability is of: the positive option, or a right verdict.
    of: str
    given: Calibrated
    fits: tuple[Calibrated, ...]

    @property
    def best(self) -> Calibrated | None:
        """The recalibration with the least Brier score."""
        known = [one for one in self.fits if isinstance(one.brier, Estimate)]
        return min(known, key=_brier) if known else None


def _brier(one: Calibrated) -> float:
    return one.brier.value if isinstance(one.brier, Estimate) else 1.0


def calibration_of(
    signal: Signal, weight: Floats, confidence_level: float, *, seed: int
) -> Calibration | None:
    """The calibration of a judge's signal on its labelled units; None with hardly any."""
    used = signal.labelled
    if int(used.sum()) < LEAST_LABELS:
        return None
    positive = signal.name == "score"
    score = signal.score[used] if positive else signal.sure[used]
    outcome = signal.outcome[used] if positive else 1 - signal.error[used]
    cluster = np.arange(len(score)) if signal.cluster is None else signal.cluster[used]
    _, cluster = np.unique(cluster, return_inverse=True)
    data = Forecasts(score, outcome, weight[used], cluster.reshape(-1))
    given = _undefined("", "the score is no probability", len(score))
    if signal.probability:
        given = _calibrated("", data, confidence_level, seed)
    fitted = cross_fitted(score, data, odds=signal.probability, seed=seed) or {}
    fits = []
    for kind, probability in fitted.items():
        made = Forecasts(probability, outcome, data.weight, data.cluster)
        one = _calibrated(kind, made, confidence_level, seed)
        if signal.probability:
            value, ends = mean_difference(data, made.losses - data.losses, confidence_level)
            change = _estimate("brier_change", value, ends, made, confidence_level)
            one = Calibrated(kind, one.brier, one.error, one.bins, change)
        fits.append(one)
    of = signal.options[1] if positive else ""
    return Calibration(of, given, tuple(fits))


def _calibrated(kind: str, data: Forecasts, confidence_level: float, seed: int) -> Calibrated:
    brier, ends = brier_score(data, confidence_level)
    bins = reliability(data)
    error, around = calibration_error(bins, confidence_level, seed=seed)
    return Calibrated(
        kind,
        _estimate(BRIER, brier, ends, data, confidence_level),
        _estimate(ERROR, error, around, data, confidence_level),
        bins,
    )


def _undefined(kind: str, reason: str, labels: int) -> Calibrated:
    return Calibrated(
        kind, Undefined(BRIER, reason, labels), Undefined(ERROR, reason, labels), None
    )


def _estimate(
    name: str,
    value: float,
    ends: tuple[float, float] | None,
    data: Forecasts,
    confidence_level: float,
) -> Estimate:
    interval = None
    if ends is not None:
        interval = Interval(*ends, confidence_level, METHODS[name])
    labels, clusters = len(data.outcome), data.clusters
    warnings: tuple[str, ...] = ()
    if interval and clusters <= FEW[name] and clusters < labels:
        warnings = (f"its interval is of {clusters} clusters only, and may well be too short",)
    return Estimate(name, value, interval, labels, clusters, {}, (), warnings)
