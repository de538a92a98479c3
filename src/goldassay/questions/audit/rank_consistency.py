"""Do two definitions of performance put the judges in the same order?

Theorem 5.3 of Guerdan et al. (2025): two definitions that are not monotone transformations of one
another rank some judges differently. Here: how often they do so for the user's own judges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.frozen import dataclass
from goldassay.questions.audit.bounds import quantiles

__all__ = ["Orders", "best_judge", "compare_orders", "discordance", "same_best"]

Array = NDArray[np.float64]

#: Signs of pairs of judges that are held at once.
HELD = 500_000


def discordance(scores: ArrayLike) -> Array:
    """Share of pairs of judges that two definitions order differently, (..., D, D).

    `scores` (..., D, J), higher is better. A pair that one definition ties is not discordant. NaN
    where a definition is undefined for a judge.
    """
    s = np.asarray(scores, dtype=np.float64)
    first, second = np.triu_indices(s.shape[-1], 1)
    order = np.sign(np.round(s[..., first] - s[..., second], 12))
    known = np.asarray(~np.isnan(order).any(-1))
    signs = np.nan_to_num(order)
    compared = np.abs(signs) @ np.abs(signs).swapaxes(-1, -2)
    agree = signs @ signs.swapaxes(-1, -2)
    out = (compared - agree) / (2 * max(1, len(first)))
    out[~(known[..., :, None] & known[..., None, :])] = np.nan
    return np.asarray(out)


def best_judge(scores: ArrayLike) -> NDArray[np.int64]:
    """The judge with the highest score, (...) from (..., J); -1 where one has no score.

    Of equal ones the first: sums of the same numbers in another order differ in the last digits.
    """
    s = np.asarray(scores, dtype=np.float64)
    undefined = np.isnan(s).any(-1)
    known = np.where(np.isnan(s), -np.inf, s)
    return np.where(undefined, -1, (known >= known.max(-1, keepdims=True) - 1e-12).argmax(-1))


def same_best(scores: ArrayLike) -> Array:
    """Whether two definitions select a same judge, (..., D, D), 1.0 or 0.0.

    Judges that tie for the best are all selected. NaN where a definition is undefined for a judge:
    it selects nobody.
    """
    s = np.asarray(scores, dtype=np.float64)
    undefined = np.asarray(np.isnan(s).any(-1))
    best = np.where(undefined[..., None], 0.0, s >= s.max(-1, keepdims=True) - 1e-12)
    out = np.asarray(best @ best.swapaxes(-1, -2) > 0, dtype=np.float64)
    out[undefined[..., :, None] | undefined[..., None, :]] = np.nan
    return out


@dataclass(frozen=True, slots=True)
class Orders:
    """How far definitions order the judges differently, for every two of them, (D, D)."""

    #: Share of pairs of judges ordered differently, and its bounds over resamples.
    discordance: Array
    low: Array
    high: Array
    #: Share of resamples in which the two select different judges; NaN where never both do.
    otherwise: Array


def compare_orders(scores: Array, resampled: Array, *, confidence_level: float) -> Orders:
    """The orders by scores (D, J), higher is better, and over resamples of them (B, D, J)."""
    pairs = resampled.shape[1] * resampled.shape[2] ** 2 // 2
    step = max(1, HELD // max(pairs, 1))
    some = [discordance(resampled[at : at + step]) for at in range(0, len(resampled), step)]
    low, high = quantiles(np.concatenate(some), confidence_level)
    same = same_best(resampled)
    known = np.isfinite(same)
    number = known.sum(0)
    share = np.where(known, same, 0.0).sum(0) / np.maximum(number, 1)
    return Orders(discordance(scores), low, high, np.where(number > 0, 1 - share, np.nan))
