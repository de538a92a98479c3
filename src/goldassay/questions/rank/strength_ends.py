"""How far the win rate of a system leaves its Bradley-Terry strength open.

Resampled strengths know nothing of prompts that were not drawn: where all answers to three prompts
are level, every resample has all strengths at 0. A strength rises with the share of comparisons
that a system wins against opponents whose strengths stay (the likelihood's own equation), so the
strengths at which it would win as often as the ends of its hedged win rate say bound it as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Outcomes, Pairs, TieRule
from goldassay.formulas.strength import BradleyTerry

__all__ = ["strengths_at"]

Floats = NDArray[np.float64]

#: Halvings of the search, and how far from the opponents it looks; e^-40 is no share.
STEPS, FAR = 60, 40.0
#: The strength of an opponent that is infinitely strong, or weak: beyond all others.
BEYOND = 500.0


def strengths_at(
    fitted: BradleyTerry, pairs: Pairs, outcomes: Outcomes, rates: Floats, ties: TieRule
) -> Floats:
    """The strengths [S] at which systems would have these win rates, their opponents' as fitted.

    `outcomes` [P] say how often each met whom. Infinite for rates of 0 and 1, and NaN for systems
    without a finite strength or met opponents.
    """
    met = outcomes.wins + outcomes.losses
    if ties != "exclude":
        met = met + outcomes.ties
    found = np.full(len(rates), np.nan)
    for s in np.flatnonzero(np.isfinite(fitted.strengths)):
        of_first, of_second = pairs.first == s, pairs.second == s
        other = np.concatenate([pairs.second[of_first], pairs.first[of_second]])
        times = np.concatenate([met[of_first], met[of_second]])
        known = (times > 0) & ~np.isnan(fitted.strengths[other])
        if known.any() and not np.isnan(rates[s]):
            opponents = np.clip(fitted.strengths[other[known]], -BEYOND, BEYOND)
            found[s] = _strength(float(rates[s]), opponents, times[known], fitted.tie)
    return found


def _strength(rate: float, opponents: Floats, times: Floats, tie: float | None) -> float:
    """By halving: the share that a strength wins rises with it."""
    near = opponents[np.abs(opponents) < BEYOND]
    if not len(near):
        return np.nan
    least, most = float(near.min()) - FAR, float(near.max()) + FAR

    def share(strength: float) -> float:
        return float(_won(strength - opponents, tie) @ times / times.sum())

    if rate <= share(least) or rate >= share(most):
        return -np.inf if rate <= share(least) else np.inf
    low, high = least, most
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < rate else (low, middle)
    return (low + high) / 2


def _won(gap: Floats, tie: float | None) -> Floats:
    """The chance to win, ties by half, at these gaps; with Davidson's parameter of ties if any."""
    up, down = np.exp(gap / 2), np.exp(-gap / 2)
    level = 0.0 if tie is None else np.exp(tie)
    return np.asarray((up + level / 2) / (up + down + level))
