"""The metrics of `goldassay.metrics` that a task's scale has."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from goldassay.inference.posterior import HedgedDraws
from goldassay.metrics.registry import TABLE_METRICS as METRICS
from goldassay.metrics.tables import Counted, Setting, counts_shown, degenerate
from goldassay.metrics.tables import TableMetric as Metric
from goldassay.results import Result

__all__ = ["METRICS", "Metric", "Setting", "counts_shown", "degenerate", "estimate", "metrics_for"]

Floats = npt.NDArray[np.float64]


def metrics_for(setting: Setting) -> list[Metric]:
    """The metrics of a scale. A binary task with a third class is read as nominal."""
    nominal = setting.scale == "binary" and setting.positive is None
    scale = "nominal" if nominal else setting.scale
    if setting.scale == "pairwise" and setting.positive is not None and setting.size == 2:
        scale = "binary"  # ties resolved: the two sides are a binary outcome
    plain = setting.weights_name == "unweighted"
    return [
        metric
        for metric in METRICS.values()
        if scale in metric.scales and not (plain and "weights" in metric.needs)
    ]


def estimate(
    metric: Metric,
    table: Floats,
    setting: Setting,
    drawn: HedgedDraws,
    *,
    n_items: int,
    confidence_level: float,
    declared: Mapping[str, object],
) -> Result:
    """A metric of one table with its interval, or why there is none."""
    counted = Counted(table, setting, drawn, n_items)
    return metric.estimate(counted, confidence_level=confidence_level, declared=declared)
