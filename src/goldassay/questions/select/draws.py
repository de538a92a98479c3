"""Joint draws of all candidates: every draw weighs the same clusters anew for all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.comparison import joint_tables
from goldassay.questions.select.candidates import Candidates

__all__ = ["draw"]

Array = NDArray[np.float64]


def draw(candidates: Candidates, *, draws: int, seed: int) -> Array:
    """All candidates' tables in every draw [B, J, k, k]."""
    return joint_tables(
        candidates.counts,
        candidates.multiplicity,
        clustered=candidates.clustered,
        draws=draws,
        seed=seed,
    )
