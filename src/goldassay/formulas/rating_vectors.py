"""From rating distributions to rating vectors: hard, soft, hard and soft response set.

The four aggregation functions of Guerdan et al. (2025), section 4, on `(..., K)` arrays. A row of
NaN is an item without such a rating; it stays NaN through every aggregation and metric.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.rating_model import multi_label

__all__ = ["AGGREGATIONS", "Side", "hard", "hard_response_set", "normalised", "side"]

Array = NDArray[np.float64]
Ties = Literal["exclude", "first"]

#: Abbreviation -> what it is called in full.
AGGREGATIONS = {
    "h": "hard (the most chosen option)",
    "s": "soft (the distribution of forced choices)",
    "hrs": "hard response set (options that enough raters find reasonable)",
    "srs": "soft response set (per option, the share of raters who find it reasonable)",
}

#: Shares are quotients of small integers and sums of these: equal up to rounding means equal.
ROUNDING = 1e-9


def normalised(counts: ArrayLike) -> Array:
    """Counts as distributions along the last axis; NaN where there is no rating."""
    values = np.asarray(counts, dtype=np.float64)
    total = values.sum(-1, keepdims=True)
    return np.asarray(np.where(total > 0, values / np.where(total > 0, total, 1.0), np.nan))


def hard(distribution: ArrayLike, *, ties: Ties = "exclude") -> Array:
    """One-hot mode. A tied mode is no hard rating (NaN), or the first of the tied options."""
    values = np.asarray(distribution, dtype=np.float64)
    mode = values >= values.max(-1, keepdims=True) - ROUNDING
    if ties == "first":
        mode &= mode.cumsum(-1) == 1
    out: Array = mode.astype(np.float64)
    out[np.isnan(values).any(-1) | (mode.sum(-1) != 1)] = np.nan
    return np.asarray(out)


def hard_response_set(omega: ArrayLike, *, threshold: float) -> Array:
    """1 for every option that at least `threshold` of the raters find reasonable."""
    values = np.asarray(omega, dtype=np.float64)
    out = (values >= threshold - ROUNDING).astype(np.float64)
    out[np.isnan(values).any(-1)] = np.nan
    return out


@dataclass(frozen=True, slots=True)
class Side:
    """People or judges: forced-choice distribution and multi-label vector of every item."""

    forced: Array
    omega: Array
    threshold: float = 0.5
    ties: Ties = "exclude"
    _made: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, aggregation: str) -> Array:
        """The rating vectors under an aggregation (h, s, hrs, srs), each made once."""
        if aggregation not in self._made:
            self._made[aggregation] = self._make(aggregation)
        return self._made[aggregation]

    def _make(self, aggregation: str) -> Array:
        if aggregation == "h":
            return hard(self.forced, ties=self.ties)
        if aggregation == "s":
            return self.forced
        if aggregation == "hrs":
            return hard_response_set(self.omega, threshold=self.threshold)
        if aggregation == "srs":
            return self.omega
        raise ValueError(f"an aggregation is one of {', '.join(AGGREGATIONS)}, not {aggregation!r}")


def side(
    forced: ArrayLike,
    sets: ArrayLike | None,
    lambda_: ArrayLike,
    reverse_forced: ArrayLike,
    *,
    threshold: float = 0.5,
    ties: Ties = "exclude",
) -> Side:
    """A `Side` from distributions over options and, where they were asked, over response sets.

    Items (or sides) without response-set ratings get Omega = Lambda F' O; each judge may have its
    own F', (J, S, K).
    """
    choices = np.asarray(forced, dtype=np.float64)
    through = np.asarray(lambda_, dtype=np.float64) @ np.asarray(reverse_forced, dtype=np.float64)
    omega = choices @ np.swapaxes(through, -1, -2)
    if sets is not None:
        asked = multi_label(lambda_, sets)
        omega = np.where(np.isnan(asked), omega, asked)
    return Side(choices, np.minimum(omega, 1.0), threshold, ties)
