"""Joint draws of all candidates: every draw weighs the same clusters anew for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.bootstrap import blocks, exponential_weights
from goldassay.inference.clusters import design_effect_of_share
from goldassay.inference.comparison import PRIOR_ITEMS, posterior_tables
from goldassay.questions.select.candidates import Candidates

__all__ = ["draw"]

Array = NDArray[np.float64]


def draw(candidates: Candidates, *, draws: int, seed: int) -> Array:
    """All candidates' tables in every draw [B, J, k, k], in blocks so that memory stays bounded."""
    rng = np.random.default_rng(seed)
    counts, times = candidates.counts, candidates.multiplicity
    prior: float | Array = PRIOR_ITEMS
    if candidates.clustered:
        hits = np.trace(counts, axis1=2, axis2=3)
        prior = PRIOR_ITEMS * design_effect_of_share(hits, counts.sum((2, 3)), times)
    tables = []
    for rows in blocks(draws, len(times)):
        weights = exponential_weights(times, rows, rng)
        tables.append(posterior_tables(counts, weights, rng=rng, prior_items=prior))
    return np.concatenate(tables)
