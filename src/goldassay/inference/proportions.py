"""Intervals of a proportion from counts, and the normal quantile they share.

The textbook intervals fail for few trials and shares near 0 or 1. goldassay's own, the hedged one,
reads each end under a nearly empty prior that leans away from it: the lower end from
Beta(x + 1/4, n - x + 1), the upper one from Beta(x + 1, n - x + 1/4). It lies between Jeffreys'
(1/2 and 1/2, which covers .88 in places) and Clopper and Pearson's (0 and 1, which never covers
less than it claims and is longer); its exact coverage is at least .942 for every n from 3 to 300.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import special
from goldassay.formulas.agreement import ratio
from goldassay.results import Interval

__all__ = ["COUNTER", "LEAN", "BinomialMethod", "binomial", "binomial_interval", "normal_quantile"]

Array = NDArray[np.float64]
BinomialMethod = Literal["hedged", "jeffreys", "clopper_pearson", "wilson", "agresti_coull"]

#: Pseudo-counts towards, and away from, the end in question.
LEAN, COUNTER = 1.0, 0.25


def normal_quantile(probability: ArrayLike) -> Array:
    """The quantile of the standard normal distribution, elementwise."""
    from goldassay.formulas.compiled import ndtri

    return np.asarray(ndtri(probability))


def binomial(
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: BinomialMethod = "hedged",
) -> tuple[Array, Array]:
    """Both ends of a two-sided interval for a proportion, elementwise.

    `hedged` is goldassay's own (see the module), `jeffreys` Brown, Cai and DasGupta's (2001; the
    end is 0 or 1 where the count is), `clopper_pearson` exact, `wilson` without continuity
    correction, `agresti_coull` adjusted Wald, cut to [0, 1]. NaN where there are no trials.
    """
    x, n = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    )
    if np.any(x < 0) or np.any(x > n):
        raise ValueError("successes lie between 0 and the number of trials")
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level lies between 0 and 1, not {confidence_level!r}")
    tail = (1 - confidence_level) / 2
    if method in _PRIORS:
        low, high = _beta(x, n, tail, *_PRIORS[method])
    elif method in ("wilson", "agresti_coull"):
        low, high = _score(x, n, float(normal_quantile(1 - tail)), adjusted=method != "wilson")
    else:
        raise ValueError(f"{method!r} is not a binomial interval; use one of {_METHODS}")
    empty = n == 0
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


#: Pseudo-counts (of the outcome, of the other) under which each end is read.
_PRIORS = {"hedged": (COUNTER, LEAN), "jeffreys": (0.5, 0.5), "clopper_pearson": (0.0, 1.0)}
_METHODS = "hedged, jeffreys, clopper_pearson, wilson, agresti_coull"


def _beta(x: Array, n: Array, tail: float, inside: float, outside: float) -> tuple[Array, Array]:
    none, every = x == 0, x == n  # their ends are 0 and 1, whatever the parameters
    low = special.beta_quantile(np.where(none, 1.0, x + inside), n - x + outside, tail)
    high = special.beta_quantile(x + outside, np.where(every, 1.0, n - x + inside), 1 - tail)
    return np.where(none, 0.0, low), np.where(every, 1.0, high)


def _score(x: Array, n: Array, z: float, *, adjusted: bool) -> tuple[Array, Array]:
    size = n + z**2
    centre = ratio(x + z**2 / 2, size)
    inner = centre * (1 - centre) * size if adjusted else ratio(x * (n - x), n) + z**2 / 4
    half = z / size * np.sqrt(np.maximum(inner, 0))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


@lru_cache(maxsize=4096)  # a table's shares, and many judges' rates, are often the same
def binomial_interval(
    successes: float, trials: float, *, confidence_level: float, method: BinomialMethod = "hedged"
) -> Interval:
    """The interval of one proportion as a result."""
    low, high = binomial(successes, trials, confidence_level=confidence_level, method=method)
    name = f"{method.replace('_', '-')} binomial"
    return Interval(float(low), float(high), confidence_level, name)
