"""Joint draws of all candidates: every draw weighs the same clusters anew for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.bootstrap import blocks, exponential_weights
from goldassay.inference.clusters import design_effect_of_share
from goldassay.inference.comparison import PRIOR_ITEMS, posterior_tables
from goldassay.questions.select.candidates import Candidates
from goldassay.questions.select.ordering import Orders, candidates_sums

__all__ = ["Drawn", "draw"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Drawn:
    """All candidates' tables in every draw [B, J, k, k], and their orders of the systems."""

    tables: Array
    orders: Orders | None = None


def draw(candidates: Candidates, *, draws: int, seed: int, systems: bool) -> Drawn:
    """Joint draws of all candidates, in blocks so that memory stays bounded."""
    rng = np.random.default_rng(seed)
    counts, times = candidates.counts, candidates.multiplicity
    prior: float | Array = PRIOR_ITEMS
    if candidates.clustered:
        hits = np.trace(counts, axis1=2, axis2=3)
        prior = PRIOR_ITEMS * design_effect_of_share(hits, counts.sum((2, 3)), times)
    tables, order = [], []
    sums, every = candidates_sums(candidates) if systems else (np.zeros((0, 0)), times[:0])
    clusters = len(sums)
    for rows in blocks(draws, max(len(times), clusters)):
        weights = exponential_weights(times, rows, rng)
        tables.append(posterior_tables(counts, weights, rng=rng, prior_items=prior))
        if systems:
            all_weights = exponential_weights(every, rows, rng)
            order.append((all_weights @ sums.reshape(clusters, -1)).reshape(rows, *sums.shape[1:]))
    if not systems:
        return Drawn(np.concatenate(tables))
    total = np.tensordot(every, sums, axes=1)
    return Drawn(np.concatenate(tables), Orders(total, np.concatenate(order), int(every.sum())))
