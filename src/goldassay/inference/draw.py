"""How intervals are drawn."""

from __future__ import annotations

from goldassay.frozen import dataclass

__all__ = ["Draw"]


@dataclass(frozen=True)
class Draw:
    """How intervals are drawn: number of draws, seed, confidence level."""

    draws: int
    seed: int
    confidence_level: float
