"""How intervals are drawn."""

from __future__ import annotations

import numpy as np

from goldassay.frozen import dataclass

__all__ = ["Draw", "stream"]


def stream(seed: int, part: str) -> np.random.Generator:
    """Random numbers of a part's own: what is drawn in one part moves none in another.

    >>> stream(1, "halves").random() == stream(1, "halves").random()
    True
    >>> stream(1, "halves").random() == stream(1, "prompts").random()
    False
    """
    return np.random.default_rng([seed, *part.encode()])


@dataclass(frozen=True)
class Draw:
    """How intervals are drawn: number of draws, seed, confidence level."""

    draws: int
    seed: int
    confidence_level: float
