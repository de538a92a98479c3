"""Means whose influences are skewed: how far their ends lie, and where no end is far enough."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "LARGER_SKEW",
    "LEAST_SKEW",
    "SKEWED",
    "SKEWED_AT_AN_END",
    "SKEW_OF_SUMS",
    "skewed_reach",
    "skewness",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: How much more skewed numbers are taken to be than they look (a few grades, and sums over
#: clusters, hide less), and how many times further than Student's t the far end may lie; chosen by
#: simulated coverage.
LARGER_SKEW, SKEW_OF_SUMS, FURTHEST = 1.5, 0.75, 2.5
#: From this skewness of the estimate on, an interval of its mean may be too short all the same.
SKEWED = 0.25
#: The same in clusters, where half of the scores or more are the lowest or the highest of all: the
#: others then go one way alone, and clusters that all show few of them look the least skewed.
SKEWED_AT_AN_END = 0.15
#: Below this skewness the adjustment is not worth a word.
LEAST_SKEW = 0.02


def skewness(influence: Array, times: Ints | None = None) -> float:
    """The skewness of a sum of independent influences; `times` clusters are like each."""
    weight = np.ones(len(influence)) if times is None else times
    variance = float(weight @ influence**2)
    return float(weight @ influence**3) / variance**1.5 if variance > 0 else 0.0


def skewed_reach(t: float, gamma: float, larger: float = LARGER_SKEW) -> float:
    """How many standard errors from a mean the end on the side of the long tail lies.

    With gamma the skewness of the mean, |(3/g)((1 + g(x - g/6))^(1/3) - 1)| (Hall's 1992
    transformation of t) with g = 1.5 gamma (`larger`), since small samples show too little skew,
    and x = -t; between t and 2.5 t.
    """
    g = larger * abs(gamma)
    if g < 1e-6:
        return t
    reach = abs(3 / g * (np.cbrt(1 - g * (t + g / 6)) - 1))
    return min(max(float(reach), t), FURTHEST * t)
