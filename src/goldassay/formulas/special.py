"""Distribution functions and quantiles of single numbers, without SciPy.

A question on a small table takes a handful of quantiles, and importing `scipy.special` for them
costs more than the question. These are SciPy's to 1e-12 of the value, or to 1e-16 (a test holds
it); arrays and very large parameters are SciPy's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "beta_quantile",
    "chi_square_tail",
    "in_bulk",
    "log_odds",
    "normal_cdf",
    "normal_quantile",
    "student_quantile",
]

Array = NDArray[np.float64]

_ROOT_2 = math.sqrt(2.0)
_ROOT_2_PI = math.sqrt(2.0 * math.pi)
#: Numbers up to which SciPy's import is dearer, and parameters up to which fractions end soon.
_FEW, _LARGE = 64, 1e4
_BULK: ContextVar[bool] = ContextVar("bulk", default=False)
#: Below this an exponential is 0.
_SMALLEST = -700.0
#: Stirling's series of log gamma, less its leading terms, in odd powers of 1/z.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)


@contextmanager
def in_bulk(many: bool = True) -> Iterator[None]:
    """Within it beta quantiles are SciPy's: where `many` come, its import is the cheaper."""
    before = _BULK.set(many)
    try:
        yield
    finally:
        _BULK.reset(before)


# --- the normal distribution ------------------------------------------------------------------


def normal_cdf(x: float) -> float:
    """P(Z <= x) of a standard normal Z."""
    return 0.5 * math.erfc(-x / _ROOT_2)


def normal_quantile(probability: float) -> float:
    """The standard normal quantile: Halley's iteration, from within the tail it lies in."""
    if not 0 < probability < 1:
        return math.inf * (1 if probability == 1 else -1) if probability in (0, 1) else math.nan
    if probability > 0.5:
        return (
            -normal_quantile(1 - probability)
            if probability > 0.75
            else _near_the_middle(probability)
        )
    if probability > 0.25:
        return _near_the_middle(probability)
    x = -math.sqrt(-2 * math.log(2 * probability))  # beyond the quantile, by less than 1
    for _ in range(20):
        below = normal_cdf(x)
        off = math.log(below / probability) * below * _ROOT_2_PI * math.exp(x * x / 2)
        x -= off
        if abs(off) < 1e-15 * abs(x):
            break
    return x


def _near_the_middle(probability: float) -> float:
    """The quantile where P(0 < Z < x) = probability - 1/2 is known without rounding."""
    inner, x = probability - 0.5, 0.0
    for _ in range(20):
        off = (0.5 * math.erf(x / _ROOT_2) - inner) * _ROOT_2_PI * math.exp(x * x / 2)
        off /= 1 + off * x / 2
        x -= off
        if abs(off) <= 1e-16 * abs(x):
            break
    return x


def log_odds(probability: float) -> float:
    """log(p / (1 - p)); infinite for 0 and 1."""
    if probability in (0, 1):
        return math.inf if probability else -math.inf
    return math.log(probability) - math.log1p(-probability)


# --- beta and Student's t ---------------------------------------------------------------------


def beta_quantile(a: ArrayLike, b: ArrayLike, probability: ArrayLike) -> Array:
    """The quantile of Beta(a, b), elementwise; NaN where a parameter is NaN."""
    given = np.broadcast_arrays(*(np.asarray(one, np.float64) for one in (a, b, probability)))
    first, second, share = given
    if _BULK.get() or first.size > _FEW or not ((first < _LARGE) & (second < _LARGE)).all():
        from scipy.special import betaincinv

        return np.asarray(betaincinv(first, second, share))
    cells = zip(first.flat, second.flat, share.flat, strict=True)
    found = [_beta_ends(float(x), float(y), float(p))[0] for x, y, p in cells]
    return np.array(found).reshape(first.shape)


def student_quantile(degrees: float, probability: float) -> float:
    """The quantile of Student's t; degrees of freedom may be a fraction."""
    if degrees >= _LARGE:  # the normal quantile, expanded (Abramowitz and Stegun 26.7.5)
        z = normal_quantile(probability)
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + (first + (second + third / degrees) / degrees) / degrees
    if probability > 0.5:
        return -student_quantile(degrees, 1 - probability)
    # df / (df + t^2) is beta distributed (Abramowitz and Stegun 26.7.1).
    near, far = _beta_ends(degrees / 2, 0.5, 2 * probability)
    return -math.inf if near == 0 else -math.sqrt(degrees * far / near)


def _beta_ends(a: float, b: float, probability: float) -> tuple[float, float]:
    """The quantile x of Beta(a, b) and 1 - x, either without cancellation.

    Newton's iteration for log I_x(a, b) in log x, which is concave: from the mean it falls short of
    the quantile at once and then approaches it from below. Above the mean it is 1 less the quantile
    of Beta(b, a).
    """
    if not (a > 0 and b > 0 and 0 <= probability <= 1):
        return math.nan, math.nan
    if probability in (0, 1):
        return probability, 1 - probability
    if _log_incomplete_beta(a, b, -math.log1p(b / a))[0] >= math.log(probability):
        return _beta_ends_below_mean(a, b, probability)
    return _beta_ends_below_mean(b, a, 1 - probability)[::-1]


def _beta_ends_below_mean(a: float, b: float, probability: float) -> tuple[float, float]:
    log_x, aim = -math.log1p(b / a), math.log(probability)
    for _ in range(100):
        log_below, slope = _log_incomplete_beta(a, b, log_x)
        step = (aim - log_below) / slope
        log_x = min(log_x + step, -1e-300)
        if log_x < _SMALLEST:
            return 0.0, 1.0
        if abs(step) <= 1e-15 * max(abs(log_x), 1e-3):
            break
    return math.exp(log_x), -math.expm1(log_x)


def _log_incomplete_beta(a: float, b: float, log_x: float) -> tuple[float, float]:
    """log I_x(a, b) and its derivative by log x, for x not far above the mean."""
    x, y = math.exp(log_x), -math.expm1(log_x)
    fraction = _continued_fraction(a, b, x)
    return _log_front(a, b, log_x) + math.log(fraction / a), a / (y * fraction)


def _log_front(a: float, b: float, log_x: float) -> float:
    """log of x^a (1 - x)^b / B(a, b), from how far x is from the mean (after Loader 2000)."""
    n = a + b
    x, y = math.exp(log_x), -math.expm1(log_x)
    away = x - a / n if x < y else b / n - y
    front = 0.5 * math.log(a / n * b) - math.log(_ROOT_2_PI)
    front += _stirling(n) - _stirling(a) - _stirling(b)
    return front - a * _log_loss(x * n / a, away * n / a) - b * _log_loss(y * n / b, -away * n / b)


def _log_loss(ratio: float, off: float) -> float:
    """off - log(ratio), where ratio = 1 + off is known both ways."""
    return off - (math.log1p(off) if abs(off) < 0.5 else math.log(ratio))


def _stirling(z: float) -> float:
    """log Gamma(z) less (z - 1/2) log z - z + log(2 pi) / 2."""
    if z < 10:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - math.log(_ROOT_2_PI)
    return sum(term / z ** (2 * k + 1) for k, term in enumerate(_STIRLING))


def _continued_fraction(a: float, b: float, x: float) -> float:
    """a B(a, b) I_x(a, b) / (x^a (1 - x)^b) by Lentz's method (Abramowitz and Stegun 26.5.8)."""
    tiny = 1e-300
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / (d if d else tiny)
    value, c = d, 1.0
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for part in (even, odd):
            d, c = 1 + part * d, 1 + part / c
            d, c = 1 / (d if d else tiny), c if c else tiny
            value *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return value


# --- chi-square -------------------------------------------------------------------------------


def chi_square_tail(degrees: int, value: float) -> float:
    """P(X > value) of a chi-square with whole degrees of freedom: a finite sum of Poisson terms."""
    if value <= 0 or math.isinf(value):
        return 1.0 if value <= 0 else 0.0
    half = value / 2
    odd = degrees % 2 == 1
    tail = math.erfc(math.sqrt(half)) if odd else 0.0
    at = 0.5 if odd else 0.0
    while at < degrees / 2:
        tail += math.exp(at * math.log(half) - half - math.lgamma(at + 1))
        at += 1
    return min(tail, 1.0)
