"""Distribution functions and quantiles of single numbers, and of betas.

They are SciPy's, loaded when the first of them is asked for (`compiled`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "beta_quantile",
    "chi_square_tail",
    "log_odds",
    "normal_cdf",
    "normal_quantile",
    "student_quantile",
]

Array = NDArray[np.float64]

_ROOT_2 = math.sqrt(2.0)


def normal_cdf(x: float) -> float:
    """P(Z <= x) of a standard normal Z."""
    return 0.5 * math.erfc(-x / _ROOT_2)


def normal_quantile(probability: float) -> float:
    """The standard normal quantile."""
    from goldassay.formulas.compiled import ndtri

    return float(ndtri(probability))


def log_odds(probability: float) -> float:
    """log(p / (1 - p)); infinite for 0 and 1."""
    if probability in (0, 1):
        return math.inf if probability else -math.inf
    return math.log(probability) - math.log1p(-probability)


def beta_quantile(a: ArrayLike, b: ArrayLike, probability: ArrayLike) -> Array:
    """The quantile of Beta(a, b), elementwise; NaN where a parameter is NaN."""
    from goldassay.formulas.compiled import betaincinv

    return np.asarray(betaincinv(a, b, probability))


def student_quantile(degrees: float, probability: float) -> float:
    """The quantile of Student's t; degrees of freedom may be a fraction."""
    from goldassay.formulas.compiled import stdtrit

    return float(stdtrit(degrees, probability))


def chi_square_tail(degrees: int, value: float) -> float:
    """P(X > value) of a chi-square with whole degrees of freedom."""
    from goldassay.formulas.compiled import chdtrc

    return float(chdtrc(degrees, max(value, 0.0)))
