"""Error rates by stratum: corrected within, put together, thin strata helped by the others.

A judge may err more on long answers than on short ones. Then the labelled rate within a verdict (or
the verdict rate within a label) differs between strata, and the correction is made within each:
the covariates of Lee et al. (2026), section 9. A thin stratum borrows from the others as much as
the strata are alike: a random-effects model, its between-strata variance by moments, whose price in
variance is carried into the interval.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.agreement import ratio
from goldassay.formulas.special import chi_square_tail
from goldassay.frozen import dataclass
from goldassay.inference import rates as limits
from goldassay.inference.proportions import normal_quantile
from goldassay.questions.estimate.design import ERRS_ALIKE
from goldassay.questions.estimate.estimators import Estimator
from goldassay.questions.estimate.linear import Functional
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "Homogeneity",
    "StrataRates",
    "homogeneity",
    "pooled_rates",
    "pooled_weights",
    "rogan_gladen_by",
    "strata_rates",
    "stratified_by",
    "whole_limits",
    "whole_of_cells",
]

Array = NDArray[np.float64]

#: Expected counts below which the chi-square approximation is replaced by random tables.
SPARSE = 5.0
#: The largest correlation within strata: a stratum without labels must still borrow.
MOST = 0.9
#: A Youden's J that is this small is rounding.
NOTHING = 1e-12
#: Below this p-value error rates are said to differ between strata.
DIFFERENT = 0.05


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """A test that strata share their rates, in one verdict (or label) after the other."""

    statistic: float
    degrees: int
    p_value: float
    method: str

    @property
    def differ(self) -> bool:
        return self.p_value < DIFFERENT


def homogeneity(
    positives: ArrayLike, labelled: ArrayLike, *, draws: int = 2_000, seed: int = 1
) -> Homogeneity | None:
    """Are the rates `positives[G, V] / labelled[G, V]` the same in all G strata, within each v?

    Pearson's statistic summed over v; its p-value by chi-square, or where an expected count is
    under 5 by random tables with the same margins. None where there is nothing to compare.
    """
    k, m = points.floats(positives), points.floats(labelled)
    statistic, degrees, sparse, usable = 0.0, 0, False, []
    for v in range(k.shape[1]):
        rows = m[:, v] > 0
        total, hits = m[rows, v].sum(), k[rows, v].sum()
        if rows.sum() < 2 or not 0 < hits < total:
            continue
        usable.append((m[rows, v], hits))
        statistic += float(_pearson(k[rows, v], m[rows, v], hits / total))
        degrees += int(rows.sum()) - 1
        sparse |= bool((m[rows, v].min() * min(hits, total - hits) / total) < SPARSE)
    if not degrees:
        return None
    if not sparse or any((sizes % 1).any() or hits % 1 for sizes, hits in usable):
        p_value = chi_square_tail(degrees, statistic)
        return Homogeneity(statistic, degrees, p_value, "chi-square")
    rng = np.random.default_rng(seed)
    null = np.zeros(draws)
    for sizes, hits in usable:
        tables = rng.multivariate_hypergeometric(sizes.astype(np.int64), int(hits), draws)
        null += _pearson(points.floats(tables), sizes, hits / sizes.sum())
    at_least = float((null >= statistic - 1e-9).sum())
    return Homogeneity(statistic, degrees, (1 + at_least) / (1 + draws), f"{draws} random tables")


def _pearson(k: Array, m: Array, rate: ArrayLike) -> Array:
    """Pearson's statistic of counts [..., G] with a common rate [...]; no labels say nothing."""
    expected = np.asarray(rate, dtype=float)[..., None]
    square = (k - m * expected) ** 2
    return np.asarray(np.nan_to_num(ratio(square, m * expected * (1 - expected))).sum(-1))


class Pooling(NamedTuple):
    """Rates [..., G] drawn towards their common one, and how far.

    A stratum's own rate counts `own` [..., G] and the common one the rest; `variance` [...] is
    that between strata.
    """

    rates: Array
    own: Array
    variance: Array


def pooled_rates(positives: Array, labelled: Array) -> Pooling:
    """Rates `positives / labelled` [..., G] of strata that may be alike.

    The between-strata variance is that of Pearson's statistic over its expectation (a
    beta-binomial by moments), plus one standard error of that statistic: few labels are no
    evidence that strata are alike.
    """
    total = labelled.sum(-1)
    common = ratio(positives.sum(-1), total)
    degrees = (labelled > 0).sum(-1) - 1
    told = (degrees > 0) & (common > 0) & (common < 1)
    rate = np.where(told, common, 0.5)
    over = _pearson(positives, labelled, rate) - degrees + np.sqrt(2 * np.maximum(degrees, 0))
    room = total - (labelled**2).sum(-1) / np.maximum(total, 1e-300) - degrees
    correlation = np.where(told, np.clip(over / np.maximum(room, 1.0), 0.0, MOST), 0.0)
    # The common rate counts for 1 / correlation - 1 labels, for all there is where that is 0.
    counted = labelled * correlation[..., None]
    own = counted / (counted + 1 - correlation[..., None])
    seen = np.where(labelled > 0, positives / np.maximum(labelled, 1e-300), 0.0)
    rates = own * seen + (1 - own) * common[..., None]
    return Pooling(rates, own, correlation * rate * (1 - rate))


def pooled_weights(shares: Array, positives: Array, labelled: Array) -> tuple[Array, Array]:
    """Weights [..., G, V] that strata's own rates get when thin ones borrow, and what that costs.

    An estimate from rates drawn towards the common one is linear in the strata's own rates, with
    these weights in place of the pool's shares. Borrowing from strata that differ costs the
    between-strata variance times the squared change of weight [...].
    """
    shares, k, m = (np.swapaxes(one, -1, -2) for one in (shares, positives, labelled))
    found = pooled_rates(k, m)
    total = m.sum(-1, keepdims=True)
    lent = (shares * (1 - found.own)).sum(-1, keepdims=True) * m / np.maximum(total, 1e-300)
    weights = np.where(total > 0, shares * found.own + lent, shares)
    cost = (found.variance * ((weights - shares) ** 2).sum(-1)).sum(-1)
    return np.swapaxes(weights, -1, -2), np.asarray(cost)


@dataclass(frozen=True, slots=True)
class Stratified:
    """Rates by stratum [G] with limits, and the whole as (value, low, high)."""

    value: Array
    low: Array
    high: Array
    whole: tuple[float, float, float]


def stratified_by(
    pool: ArrayLike,
    positives: ArrayLike,
    labelled: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: float = 1.0,
) -> Stratified:
    """The rate of a pool with rates by stratum and verdict, [G, V] each, and of every stratum.

    For labels drawn at random from the pool or within its verdicts.
    """
    pool, k, m = points.floats(pool), points.floats(positives), points.floats(labelled)
    parts = np.concatenate([np.eye(len(pool))[:, :, None] * pool, pool[None]])
    value, low, high = _of_part(parts, k, m, confidence_level=confidence_level, inflation=inflation)
    whole = float(value[-1]), float(low[-1]), float(high[-1])
    return Stratified(value[:-1], low[:-1], high[:-1], whole)


def _of_part(
    part: Array, k: Array, m: Array, *, confidence_level: float, inflation: ArrayLike
) -> tuple[Array, Array, Array]:
    """The rate of a part of the pool [..., G, V], with the labels of all strata to borrow from."""
    part, k, m = np.broadcast_arrays(part, k, m)
    flat = (*part.shape[:-2], -1)
    rate = np.where(m > 0, k / np.maximum(m, 1e-300), 0.0)
    weights, extra = pooled_weights(
        part / np.maximum(part.sum((-1, -2)), 1e-300)[..., None, None], k, m
    )
    low, high = limits.stratified_limits(
        part.reshape(flat),
        k.reshape(flat),
        m.reshape(flat),
        lending=limits.Lending(weights.reshape(flat), extra),
        confidence_level=confidence_level,
        inflation=inflation,
    )
    return np.asarray((weights * rate).sum((-1, -2))), low, high


def whole_limits(
    total: Array, *, by_label: bool, confidence_level: float, inflation: ArrayLike
) -> tuple[Array, Array, Array]:
    """Value and limits of the whole alone, from cells [..., G, 3, V] summed over clusters."""
    test, calibration = total[..., -1, :], total[..., :-1, :]
    if by_label:
        return rogan_gladen_by(
            test, calibration, confidence_level=confidence_level, inflation=inflation
        )[1:]
    labelled = calibration.sum(-2)
    return _of_part(
        test + labelled,
        calibration[..., 1, :],
        labelled,
        confidence_level=confidence_level,
        inflation=inflation,
    )


def whole_of_cells(*, by_label: bool) -> Functional:
    """The whole's rate as a function of cells [..., G, 3, V], for its variance over clusters."""
    return _by_label if by_label else _by_verdict


def rogan_gladen_by(
    test: ArrayLike,
    calibration: ArrayLike,
    *,
    confidence_level: float = 0.95,
    inflation: ArrayLike = 1.0,
) -> tuple[Array, Array, Array, Array]:
    """Rogan-Gladen within each stratum [..., G] (unclipped), and the whole [...] with its limits.

    `test[..., G, 2]` are the unlabelled verdicts, `calibration[..., G, 2, 2]` the labelled items.
    Error rates are drawn towards their common values (`pooled_rates`). The limits are normal,
    around the estimate moved into [0, 1]: the delta-method variance with two items added to every
    rate, the strata's shares and the price of borrowing included. NaN where the judge carries no
    information in some stratum of the test, or that has no item.
    """
    scale = points.floats(inflation)
    test = points.floats(test) / scale[..., None, None]
    calibration = points.floats(calibration) / scale[..., None, None, None]
    labels, n = np.swapaxes(calibration.sum(-1), -1, -2), test.sum(-1)  # [..., 2, G], [..., G]
    items = np.maximum(n.sum(-1), 1e-300)
    weight = n / items[..., None]
    # Right about a negative is every verdict but the positive one.
    negative = calibration[..., 0, :].sum(-1) - calibration[..., 0, 1]
    right = np.stack([negative, calibration[..., 1, 1]], -2)
    found = pooled_rates(right, labels)
    youden = found.rates.sum(-2) - 1
    tells, used = youden > NOTHING, weight > 0
    by = np.where(tells, youden, 1.0)
    value = np.where(tells, (ratio(test[..., 1], n) + found.rates[..., 0, :] - 1) / by, np.nan)
    whole = np.where(used, weight * value, 0.0).sum(-1)
    whole = np.where(used.any(-1), whole, np.nan)
    inside = np.clip(np.nan_to_num(value), 0, 1)
    slopes = np.stack([1 - inside, -inside], -2) / by[..., None, :]
    smooth_p, smooth = (test[..., 1] + 1) / (n + 2), (right + 1) / (labels + 2)
    variance = (weight**2 * smooth_p * (1 - smooth_p) / (n + 2) / by**2).sum(-1)
    variance += ((weight * inside**2).sum(-1) - (weight * inside).sum(-1) ** 2) / items
    direct = weight[..., None, :] * slopes
    total = np.maximum(labels.sum(-1, keepdims=True), 1e-300)
    lent = (direct * (1 - found.own)).sum(-1, keepdims=True) * labels / total
    moved = direct * found.own + lent
    variance += (moved**2 * smooth * (1 - smooth) / (labels + 2)).sum((-1, -2))
    variance += (found.variance * ((moved - direct) ** 2).sum(-1)).sum(-1)
    half = normal_quantile((1 + confidence_level) / 2) * np.sqrt(variance)
    known, centre = ~np.isnan(whole), np.clip(whole, 0.0, 1.0)
    low = np.where(known, np.maximum(0.0, centre - half), 0.0)
    return value, whole, low, np.where(known, np.minimum(1.0, centre + half), 1.0)


@dataclass(frozen=True, slots=True)
class StrataRates:
    """Rates corrected within strata [G], and put together."""

    columns: tuple[str, ...]
    strata: tuple[str, ...]
    items: Array
    labels: Array
    #: The judge's own rate of each stratum.
    judged: Array
    #: NaN where a stratum's rate does not exist; some estimators have no limits by stratum.
    value: Array
    low: Array | None
    high: Array | None
    whole: Result
    #: Do the judge's errors differ? None where labels are too few to tell.
    test: Homogeneity | None


def strata_rates(
    sample: Sample, estimator: Estimator, columns: tuple[str, ...], *, confidence_level: float
) -> StrataRates | None:
    """Rates corrected within the groups of a sample; None where there is but one, or no label.

    What the estimator takes to be alike among labelled items and the others is taken to be so
    within a stratum only.
    """
    if len(sample.groups) < 2 or sample.n_labelled <= 0:
        return None
    by_label = estimator.within == "label" and len(sample.verdicts) == 2
    within = _within_labels if by_label else _within_verdicts
    design = sample.design(whole_of_cells(by_label=by_label))
    inflation = design.inflation(confidence_level)
    total = sample.total
    test, calibration = total[:, -1], total[:, :-1]
    found = within(test, calibration, confidence_level, 1.0 if math.isnan(inflation) else inflation)
    if estimator.moves_by_size:
        found = found._replace(whole=(found.whole[0], *design.moved(*found.whole)))
    labelled = calibration.sum(-2)
    pool = test + labelled
    decided = pool[:, :-1] if sample.silent else pool
    return StrataRates(
        columns=columns,
        strata=sample.groups,
        items=pool.sum(-1),
        labels=labelled.sum(-1),
        judged=pool[:, 1] / np.maximum(decided.sum(-1), 1e-300),
        value=found.value,
        low=found.low,
        high=found.high,
        whole=_whole(sample, columns, found, confidence_level),
        test=found.test,
    )


class _Within(NamedTuple):
    """Rates by stratum, the whole with its limits, and the test that strata are alike."""

    value: Array
    low: Array | None
    high: Array | None
    whole: tuple[float, float, float]
    test: Homogeneity | None
    method: str
    assumptions: tuple[str, ...] = ("error rates are the same within a stratum only",)


def _within_labels(test: Array, calibration: Array, level: float, inflation: float) -> _Within:
    value, *ends = rogan_gladen_by(test, calibration, confidence_level=level, inflation=inflation)
    whole, low, high = (float(one) for one in ends)
    return _Within(
        np.clip(value, 0, 1),
        None,
        None,
        (whole, low, high),
        homogeneity(calibration[..., 1], calibration.sum(-1)),
        "Rogan-Gladen within strata, error rates partially pooled",
        (f"{ERRS_ALIKE} within each stratum: P(verdict | label) is the same",),
    )


def _within_verdicts(test: Array, calibration: Array, level: float, inflation: float) -> _Within:
    positives, labelled = calibration[:, 1], calibration.sum(-2)
    found = stratified_by(
        test + labelled, positives, labelled, confidence_level=level, inflation=inflation
    )
    return _Within(
        found.value,
        found.low,
        found.high,
        found.whole,
        homogeneity(positives, labelled),
        "stratified by verdict and stratum, partially pooled",
    )


def _by_label(cells: Array) -> Array:
    """Rogan-Gladen over all strata, without borrowing, from cells [..., G, 3, V]."""
    total = cells.sum(-3)
    return points.rogan_gladen(total[..., -1, :], total[..., :-1, :])


def _by_verdict(cells: Array) -> Array:
    """The stratified rate with strata by verdict and group, from cells [..., G, 3, V]."""
    calibration = cells[..., :-1, :]
    labelled = calibration.sum(-2)
    pool, positives, labels = (
        part.reshape(*part.shape[:-2], -1)
        for part in (cells[..., -1, :] + labelled, calibration[..., 1, :], labelled)
    )
    return points.stratified(pool, positives, labels)


def _whole(sample: Sample, columns: tuple[str, ...], found: _Within, level: float) -> Result:
    value, low, high = found.whole
    if math.isnan(value):
        reason = "in some stratum the judge carries no information"
        return Undefined("prevalence_by_strata", reason, sample.n_items)
    value = min(max(value, 0.0), 1.0)
    return Estimate(
        "prevalence_by_strata",
        value,
        Interval(min(low, value), max(high, value), level, found.method),
        sample.n_items,
        sample.n_clusters,
        declared={"strata": list(columns)},
        assumptions=found.assumptions,
        warnings=sample.size_warnings,
    )
