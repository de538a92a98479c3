"""Intervals of the true rate, in closed form, over test *and* calibration uncertainty.

All are functions of counts with free leading axes and return arrays `(low, high)`. `inflation`
is the design effect of clusters and weights (`linear.inflation`), 1 for independent items: it
multiplies the variance, or divides every count. How each covers is tabulated in
`docs/theory/figures.md`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.rates import floats, naive, power_tuning, rogan_gladen
from goldassay.formulas.special import beta_quantile
from goldassay.frozen import dataclass
from goldassay.inference.proportions import binomial, normal_quantile

__all__ = [
    "Lending",
    "effective_size_limits",
    "finite_pool_limits",
    "jeffreys",
    "lang_reiczigel",
    "ppi_normal",
    "rogan_gladen_inversion",
    "rogan_gladen_limits",
    "stratified_limits",
]

Array = NDArray[np.float64]
Limits = tuple[Array, Array]

#: Labels of a class below which Lang-Reiczigel's normal approximation is not relied on.
ENOUGH_LABELS = 30
#: Labels of a stratum below which Jeffreys' interval is not relied on.
FEW_LABELS = 10


def jeffreys(
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    confidence_level: float = 0.95,
    hedged_below: float = 0,
) -> Limits:
    """Jeffreys' interval of a proportion, [0, 1] without trials; counts may be fractions.

    With fewer trials than `hedged_below`, where it covers .88 in places, the longer hedged one.
    Equal pairs, many in a simulation, are computed once.
    """
    k, m = np.broadcast_arrays(floats(successes), floats(trials))
    pairs, where = np.unique((k + 1j * m).reshape(-1), return_inverse=True)
    hits, size = np.minimum(pairs.real, pairs.imag), pairs.imag
    low, high = binomial(hits, size, confidence_level=confidence_level, method="jeffreys")
    if hedged_below:
        few = size < hedged_below
        low[few], high[few] = binomial(hits[few], size[few], confidence_level=confidence_level)
    low, high = np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=1.0)
    return low[where].reshape(k.shape), high[where].reshape(k.shape)


def _quantile(confidence_level: float) -> float:
    return float(normal_quantile((1 + confidence_level) / 2))


@dataclass(frozen=True)
class Lending:
    """Weights that strata's own rates get where strata lend one another labels, in place of their
    shares of the pool, and the variance that this adds."""

    weights: Array
    extra_variance: Array | float


def stratified_limits(
    pool: ArrayLike,
    positives: ArrayLike,
    labelled: ArrayLike,
    *,
    lending: Lending | None = None,
    confidence_level: float = 0.95,
    inflation: ArrayLike = 1.0,
) -> Limits:
    """The interval of `formulas.rates.stratified`, for labels drawn at random or within verdicts.

    Of the rate among all items like these; `finite_pool_limits` are those of the pool's own.

    Two approximations that fail in different places, and the wider end of both:

    - Variance recovered from the Jeffreys limits of each stratum (MOVER: Zou and Donner 2008;
      hedged limits for fewer than 10 labels) around Jeffreys' means, so that a nearly perfect
      judge's unseen errors of both kinds offset one another; it keeps the skewness of a stratum
      with few labels, but adds up strata in which rare positives are spread as if each were
      symmetric;
    - a Beta distribution with the effective sample size of the whole estimate (after Korn and
      Graubard 1998), which treats spread-out rare positives as one count, but takes its variance
      from strata that may hold hardly a label.

    A verdict without labels may have any rate between 0 and 1. That is ignorance, not random error:
    the lower end is that of the rest if the verdict's rate is 0, the upper one if it is 1 (Manski
    2003), and no luck of the draw shortens the way between them. With `lending`, strata lend one
    another labels.

    `inflation` divides the effective sample size of the whole. The limits recovered from verdicts
    are those of independent items all the same, and with them the interval is no shorter than
    theirs: what clusters share shows in the verdicts' shares before it does in a good judge's
    errors within them, and limits from labels that are divided by its effect are longer than they
    need be.
    """
    counts = tuple(floats(one) for one in (pool, positives, labelled))
    return _by_strata(
        counts,
        lending,
        finite=False,
        confidence_level=confidence_level,
        inflation=floats(inflation),
    )


def finite_pool_limits(
    pool: ArrayLike, positives: ArrayLike, labelled: ArrayLike, *, confidence_level: float = 0.95
) -> Limits:
    """`stratified_limits` of the rate among the items of the pool themselves.

    What is labelled is known: a verdict's variance is that of its unlabelled items (times 1 -
    labelled / pool: Cochran 1977, chapter 2), and the verdicts' shares are what they are. Where all
    is labelled the interval has no width.
    """
    counts = tuple(floats(one) for one in (pool, positives, labelled))
    return _by_strata(counts, None, finite=True, confidence_level=confidence_level)


def _by_strata(
    counts: tuple[Array, ...],
    lending: Lending | None,
    *,
    finite: bool,
    confidence_level: float,
    inflation: Array | float = 1.0,
) -> Limits:
    """The limits of `stratified_limits` or of `finite_pool_limits`."""
    pool, k, m = np.broadcast_arrays(*counts)
    total, strata = pool.sum(-1), pool.shape[-1]
    z = _quantile(confidence_level)

    overall = (k.sum(-1) / np.maximum(m.sum(-1), 1e-300))[..., None]
    share = pool / np.maximum(total, 1e-300)[..., None]
    weight = share if lending is None else lending.weights
    unknown = (m <= 0) & (weight > 0)
    # The verdicts' shares vary too: half an item in each verdict keeps that from vanishing.
    smooth = (pool + 0.5) / (total + strata / 2)[..., None]
    extra = 0.0 if lending is None else lending.extra_variance

    # What is left unknown of each verdict: all of it, or the items that nobody labelled.
    left = np.clip(1 - ratio(m, pool), 0, 1) if finite else np.ones_like(pool)
    left = np.nan_to_num(left, nan=1.0)

    def share_variance(rates: Array) -> Array:
        if finite:
            return np.zeros(rates.shape[:-1])
        mean = (smooth * rates).sum(-1)
        spread: Array = (smooth * rates**2).sum(-1) - mean**2
        variance: Array = np.maximum(spread, 0.0) / np.maximum(total, 1e-300)
        return variance

    def limits(supposed: float) -> Limits:
        """Both ends if every verdict without labels had this rate."""
        rate = np.where(m > 0, k / np.maximum(m, 1e-300), np.where(unknown, supposed, overall))
        value = (weight * rate).sum(-1)
        low, high = (np.where(unknown, supposed, end) for end in ends)
        rough = np.where(unknown, supposed, (k + 0.5) / (m + 1))
        middle = np.where(m > 0, rate + left * (rough - rate), rate)
        centre = (weight * middle).sum(-1)
        between = z * z * (share_variance(middle) + extra)
        mover_low = centre - np.sqrt(between + (weight**2 * left * (middle - low) ** 2).sum(-1))
        mover_high = centre + np.sqrt(between + (weight**2 * left * (high - middle) ** 2).sum(-1))

        lent = smooth if lending is None and not finite else weight
        within = (lent**2 * left * rough * (1 - rough) / (m + 1)).sum(-1)
        variance = inflation * (share_variance(rough) + within) + extra
        mean = (smooth * rough).sum(-1)
        effective = np.nan_to_num(ratio(mean * (1 - mean), variance))
        beta = effective_size_limits(value, effective, confidence_level=confidence_level)
        if finite:  # nothing is left to vary where all is labelled
            beta = (np.where(variance > 0, beta[0], value), np.where(variance > 0, beta[1], value))
        return (
            np.clip(np.minimum(mover_low, beta[0]), 0, 1),
            np.clip(np.maximum(mover_high, beta[1]), 0, 1),
        )

    ends = jeffreys(k, m, confidence_level=confidence_level, hedged_below=FEW_LABELS)
    low, high = limits(0.0)
    return low, (limits(1.0)[1] if unknown.any() else high)


def effective_size_limits(
    value: ArrayLike, effective: ArrayLike, *, confidence_level: float = 0.95
) -> Limits:
    """Jeffreys limits of a rate as if it came from an effective number of independent items."""
    rate, size = np.clip(floats(value), 0, 1), floats(effective)
    tail = (1 - confidence_level) / 2
    hits, misses = rate * size, (1 - rate) * size
    low = np.where(hits <= 0, 0.0, beta_quantile(hits + 0.5, misses + 0.5, tail))
    high = np.where(misses <= 0, 1.0, beta_quantile(hits + 0.5, misses + 0.5, 1 - tail))
    return low, high


def lang_reiczigel(
    test: ArrayLike, calibration: ArrayLike, *, confidence_level: float = 0.95
) -> Limits:
    """Lang and Reiczigel's (2014) interval of `points.rogan_gladen`; equations 6 to 8 of the paper.

    Clipped to [0, 1]; NaN where the adjusted q0 + q1 does not exceed 1.
    """
    test, calibration = floats(test), floats(calibration)
    z = _quantile(confidence_level)
    n = test.sum(-1) + z * z
    m0, m1 = calibration[..., 0, :].sum(-1) + 2, calibration[..., 1, :].sum(-1) + 2
    p = (test[..., 1] + z * z / 2) / n
    right = np.delete(calibration[..., 0, :], 1, -1).sum(-1)  # not called positive
    q0, q1 = (right + 1) / m0, (calibration[..., 1, 1] + 1) / m1
    youden = np.where(q0 + q1 > 1, q0 + q1 - 1, np.nan)
    theta = (p + q0 - 1) / youden
    v0, v1 = q0 * (1 - q0) / m0, q1 * (1 - q1) / m1
    shift = 2 * z * z * (theta * v1 - (1 - theta) * v0)
    half = z * np.sqrt(p * (1 - p) / n + (1 - theta) ** 2 * v0 + theta**2 * v1) / youden
    return np.clip(theta + shift - half, 0, 1), np.clip(theta + shift + half, 0, 1)


def rogan_gladen_inversion(
    test: ArrayLike, calibration: ArrayLike, *, confidence_level: float = 0.95
) -> Limits:
    """All rates that the verdicts do not contradict, given what the labels say of the judge.

    A rate t is kept when 0 lies in the interval of p - (1 - t)(1 - q0) - t q1, recovered from the
    Jeffreys limits of the three proportions: Fieller's idea with skewed limits, a quadratic in t.
    It holds for few labels, for none of a class (then that error rate may be anything), and is
    all of [0, 1] where the judge cannot be told from a coin. A verdict rate outside what the error
    rates allow is moved to the nearest that they do, so that the interval never vanishes.
    """
    test, calibration = floats(test), floats(calibration)
    n, m = test.sum(-1), calibration.sum(-1)
    hits = np.stack(
        np.broadcast_arrays(test[..., 1], calibration[..., 0, 1], calibration[..., 1, 1]), -1
    )
    trials = np.stack(np.broadcast_arrays(n, m[..., 0], m[..., 1]), -1)
    low, high = jeffreys(hits, trials, confidence_level=confidence_level)
    rate = np.where(trials > 0, hits / np.maximum(trials, 1e-300), 0.5)
    below, above = rate - low, high - rate
    p, f, q = rate[..., 0], rate[..., 1], rate[..., 2]
    youden = q - f
    p = np.clip(p, np.minimum(f, q), np.maximum(f, q))
    lower = _first_kept(p - f, youden, below[..., 0], above[..., 1], above[..., 2])
    upper = 1 - _first_kept(q - p, youden, above[..., 0], below[..., 2], below[..., 1])
    informative = youden > 0
    return np.where(informative, lower, 0.0), np.where(informative, upper, 1.0)


def _first_kept(gap: Array, slope: Array, a: Array, b: Array, c: Array) -> Array:
    """The smallest t in [0, 1] with gap - slope t <= sqrt(a^2 + (1 - t)^2 b^2 + t^2 c^2)."""
    constant = gap**2 - a**2 - b**2
    linear = 2 * (b**2 - gap * slope)
    square = slope**2 - b**2 - c**2
    root = np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0))
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = 2 * constant / (root - linear)
    rejected = (gap > 0) & (constant > 0)
    return np.where(rejected, np.clip(np.nan_to_num(crossing, nan=0.0), 0, 1), 0.0)


def rogan_gladen_limits(
    test: ArrayLike,
    calibration: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: ArrayLike = 1.0,
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Lang-Reiczigel where it is dependable, the inversion elsewhere; third, where it was used.

    Dependable: at least `ENOUGH_LABELS` labels of each class, and an estimate inside (0, 1).
    """
    scale = floats(inflation)
    test = floats(test) / scale[..., None]
    calibration = floats(calibration) / scale[..., None, None]
    low, high = lang_reiczigel(test, calibration, confidence_level=confidence_level)
    value = rogan_gladen(test, calibration)
    enough = calibration.sum(-1).min(-1) >= ENOUGH_LABELS
    dependable = enough & (value > 0) & (value < 1) & ~np.isnan(low)
    rest, lead = ~dependable, dependable.shape
    if rest.any():  # it costs many times as much
        low, high = np.array(low), np.array(high)
        low[rest], high[rest] = rogan_gladen_inversion(
            np.broadcast_to(test, (*lead, *test.shape[-1:]))[rest],
            np.broadcast_to(calibration, (*lead, *calibration.shape[-2:]))[rest],
            confidence_level=confidence_level,
        )
    return low, high, dependable


def ppi_normal(
    test: ArrayLike,
    calibration: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
    pseudo: float = 0.0,
) -> Limits:
    """The normal interval of PPI (`weight` 1) and PPI++ (tuned when no weight is given).

    Not clipped. With `pseudo` = 0 it is the published one, which covers badly near 0 and 1;
    with `pseudo` items added to every cell it is the adjusted one that goldassay prints.
    """
    test = floats(test) + 2 * pseudo
    calibration = floats(calibration) + pseudo
    weight = power_tuning(test, calibration) if weight is None else floats(weight)
    m, n = calibration.sum((-1, -2)), test.sum(-1)
    z, v = calibration[..., 1, :].sum(-1) / m, calibration[..., 1].sum(-1) / m
    both = calibration[..., 1, 1] / m
    rectifier = z * (1 - z) + weight**2 * v * (1 - v) - 2 * weight * (both - z * v)
    p = naive(test)
    variance = weight**2 * p * (1 - p) / n + np.maximum(rectifier, 0) / m
    centre = z + weight * (p - v)
    half = _quantile(confidence_level) * np.sqrt(variance)
    return centre - half, centre + half
