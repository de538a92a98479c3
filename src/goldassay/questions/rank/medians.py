"""The interval of a system's median score: which values the shares of scores below them allow.

A value v is too low to be the median where surely less than half of all scores lie at it or below,
and too high where surely less than half lie at it or above (Woodruff 1952; for lone prompts about
the order statistics of the sign test). The shares have the hedged binomial interval of as many
independent prompts as the clusters are worth. Up to five prompts all on one side of a value do not
rule it out: then nothing but the range of the scores ends the interval. Resampled medians know
nothing of this: they never leave the scores that were seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import by_cluster
from goldassay.inference.clusters import (
    cautious_design_effect_of_share,
    design_effect_of_share,
    few_cluster_factor,
)
from goldassay.inference.proportions import binomial

__all__ = ["median_ends"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Clusters on the rarer side of the median that it takes to believe the design effect they show as
#: much as the largest possible one, as of `item_accuracy`: a share of prompts, too.
DOUBT = 1.0


def median_ends(
    scores: Floats,
    medians: Floats,
    cluster: Ints | None,
    ends: tuple[float, float],
    *,
    confidence_level: float,
    worth: float,
) -> tuple[Floats, Floats]:
    """Ends [S] of the medians of scores [I, S], which lie within `ends`; NaN where none is.

    `worth` is how many equal clusters would know their spread as well (`Contest.worth`).
    """
    low, high = np.full(len(medians), np.nan), np.full(len(medians), np.nan)
    for s in np.flatnonzero(~np.isnan(medians)):
        known = ~np.isnan(scores[:, s])
        values, codes = scores[known, s], None if cluster is None else cluster[known]
        effect = _design_effect(values, float(medians[s]), codes, confidence_level, worth)
        low[s] = _lower_end(values, ends[0], effect, confidence_level)
        high[s] = -_lower_end(-values, -ends[1], effect, confidence_level)
    return low, high


def _lower_end(values: Floats, least: float, effect: float, confidence_level: float) -> float:
    """The lowest value that not surely less than half of all scores lie at or below."""
    number = len(values)
    levels, count = np.unique(values, return_counts=True)
    below = np.concatenate([[0], count.cumsum()])
    _, most = binomial(below / effect, number / effect, confidence_level=confidence_level)
    first = int(np.argmax(most >= 0.5))
    return least if first == 0 else float(levels[first - 1])


def _design_effect(
    values: Floats, median: float, cluster: Ints | None, confidence_level: float, worth: float
) -> float:
    """Of the share of scores at the median or below, or above it, whichever varies more."""
    if cluster is None:
        return 1.0
    sizes = np.bincount(cluster).astype(np.float64)
    held = sizes > 0
    once = np.ones(int(held.sum()), np.int64)
    wider = few_cluster_factor(max(worth, 2.0), confidence_level) ** 2
    found = [1.0]
    for within in (values <= median, values < median):
        hits = by_cluster(within.astype(np.float64)[:, None], cluster)[held, 0]
        plain = wider * float(design_effect_of_share(hits, sizes[held], once))
        cautious = float(cautious_design_effect_of_share(hits, sizes[held], once, doubt=DOUBT))
        found.append(max(plain, cautious))
    return min(max(found), float(len(values)))
