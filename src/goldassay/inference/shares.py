"""The share of cases that are hits, of whatever: the one function that every such number asks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.formulas.agreement import accuracy
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws, hedged_interval
from goldassay.inference.proportions import binomial_interval
from goldassay.results import Estimate, Result, Undefined

__all__ = ["share"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def share(name: str, sums: Floats, times: Ints, cluster: str, draw: Draw) -> Result:
    """The share of hits among cases from both by cluster [C, 2], `times` clusters like each.

    Of lone cases the hedged binomial interval, of clusters the hedged Bayesian bootstrap.
    """
    hit, base = (float(x) for x in times @ sums)
    if base == 0:
        return Undefined(name, "there is no verdict", 0)
    used = sums[:, 1] > 0
    sums, times = sums[used], times[used]
    declared = {"resampling_unit": cluster}
    value, n_items, clusters = hit / base, round(base), int(times.sum())
    if sums[:, 1].max() <= 1 + 1e-9 and hit.is_integer():
        interval = binomial_interval(hit, base, confidence_level=draw.confidence_level)
        return Estimate(name, value, interval, n_items, clusters, declared)
    tables = np.zeros((len(sums), 2, 2))  # a share as the accuracy of a table
    tables[:, 0, 0] = sums[:, 0]
    tables[:, 0, 1] = sums[:, 1] - sums[:, 0]
    drawn = hedged_draws(tables, times, draws=draw.draws, seed=draw.seed, clustered=True)
    found = hedged_interval(accuracy, drawn, value, confidence_level=draw.confidence_level)
    return Estimate(name, value, found, n_items, clusters, declared)
