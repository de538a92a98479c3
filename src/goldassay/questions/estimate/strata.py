"""Error rates by stratum: corrected within, put together, thin strata helped by the others.

A judge may err more on long answers than on short ones. Then the labelled rate within a verdict (or
the verdict rate within a label) differs between strata, and the correction is made within each:
the covariates of Lee et al. (2026), section 9. A thin stratum borrows from the others as much as
the strata are alike: a random-effects model, its between-strata variance by moments, whose price in
variance is carried into the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas import rates as points
from goldassay.formulas.special import chi_square_tail
from goldassay.inference import rates as limits
from goldassay.inference.proportions import normal_quantile
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
        statistic += _pearson(k[rows, v], m[rows, v], hits / total)
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


def _pearson(k: Array, m: Array, rate: float) -> float:
    result: float = ((k - m * rate) ** 2 / (m * rate * (1 - rate))).sum(-1)
    return result


def pooled_rates(positives: Array, labelled: Array) -> tuple[Array, float, float]:
    """Rates [G] drawn towards their common one, how many labels it counts for, their variance.

    The between-strata variance is that of Pearson's statistic over its expectation (a
    beta-binomial by moments), plus one standard error of that statistic: few labels are no
    evidence that strata are alike.
    """
    total = labelled.sum()
    common = positives.sum() / total if total > 0 else np.nan
    used = labelled > 0
    strength, variance = np.inf, 0.0
    if used.sum() > 1 and 0 < common < 1:
        degrees = used.sum() - 1
        excess = _pearson(positives[used], labelled[used], common) - degrees + np.sqrt(2 * degrees)
        room = max(total - (labelled**2).sum() / total - degrees, 1.0)
        correlation = min(max(excess / room, 0.0), MOST)
        if correlation > 0:
            strength = 1 / correlation - 1
            variance = correlation * common * (1 - common)
    if np.isinf(strength):
        return np.full(len(labelled), common), strength, variance
    return (positives + strength * common) / (labelled + strength), strength, variance


def pooled_weights(
    shares: Array, positives: Array, labelled: Array
) -> tuple[Array, float, list[float]]:
    """Weights [G, V] that strata's own rates get when thin strata borrow, and the variance added.

    An estimate from rates drawn towards the common one is linear in the strata's own rates, with
    these weights in place of the pool's shares. Borrowing from strata that differ costs the
    between-strata variance times the squared change of weight. Third, the labels that the common
    rate counts for, by verdict.
    """
    weights, extra, strengths = np.array(shares), 0.0, []
    for v in range(shares.shape[1]):
        m = labelled[:, v]
        _, strength, variance = pooled_rates(positives[:, v], m)
        strengths.append(float(strength))
        if m.sum() <= 0:
            continue
        own = np.zeros_like(m) if np.isinf(strength) else m / (m + strength)
        lent = (shares[:, v] * (1 - own)).sum()
        weights[:, v] = shares[:, v] * own + lent * m / m.sum()
        extra += variance * float(((weights[:, v] - shares[:, v]) ** 2).sum())
    return weights, extra, strengths


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

    def limited(part: Array) -> tuple[float, float, float]:
        return _of_part(part, k, m, confidence_level=confidence_level, inflation=inflation)

    strata = np.eye(len(pool))[:, :, None] * pool
    value, low, high = np.array([limited(part) for part in strata]).T
    return Stratified(value, low, high, limited(pool))


def _of_part(
    part: Array, k: Array, m: Array, *, confidence_level: float, inflation: float
) -> tuple[float, float, float]:
    """The rate of a part of the pool, with the labels of all strata to borrow from."""
    rate = np.where(m > 0, k / np.maximum(m, 1e-300), 0.0)
    weights, extra, _ = pooled_weights(part / max(part.sum(), 1e-300), k, m)
    low, high = limits.stratified_limits(
        part.reshape(-1),
        k.reshape(-1),
        m.reshape(-1),
        lending=limits.Lending(weights.reshape(-1), extra),
        confidence_level=confidence_level,
        inflation=inflation,
    )
    return float((weights * rate).sum()), float(low), float(high)


def whole_limits(
    total: Array, *, by_label: bool, confidence_level: float, inflation: float
) -> tuple[float, float, float]:
    """Value and limits of the whole alone, from cells [G, 3, V] summed over clusters."""
    test, calibration = total[:, -1], total[:, :-1]
    if by_label:
        return rogan_gladen_by(
            test, calibration, confidence_level=confidence_level, inflation=inflation
        )[1:]
    labelled = calibration.sum(-2)
    return _of_part(
        test + labelled,
        calibration[:, 1],
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
    inflation: float = 1.0,
) -> tuple[Array, float, float, float]:
    """Rogan-Gladen within each stratum [G] (unclipped), and the whole with its limits.

    `test[G, 2]` are the unlabelled verdicts, `calibration[G, 2, 2]` the labelled items. Error rates
    are drawn towards their common values (`pooled_rates`). The limits are normal, around the
    estimate moved into [0, 1]: the delta-method variance with two items added to every rate, the
    strata's shares and the price of borrowing included. NaN where the judge carries no information
    in some stratum of the test.
    """
    test = points.floats(test) / inflation
    calibration = points.floats(calibration) / inflation
    labels = calibration.sum(-1)
    n = test.sum(-1)
    weight = n / n.sum()
    # Right about a negative is every verdict but the positive one.
    right = np.stack([np.delete(calibration[:, 0], 1, -1).sum(-1), calibration[:, 1, 1]], -1)
    rates, own, between = np.empty_like(labels), np.empty_like(labels), [0.0, 0.0]
    for r in range(2):
        rates[:, r], strength, between[r] = pooled_rates(right[:, r], labels[:, r])
        own[:, r] = 0.0 if np.isinf(strength) else labels[:, r] / (labels[:, r] + strength)
    youden = rates.sum(1) - 1
    p = np.where(n > 0, test[:, 1] / np.maximum(n, 1e-300), np.nan)
    value = np.where(youden > 0, (p + rates[:, 0] - 1) / np.where(youden > 0, youden, 1), np.nan)
    used = weight > 0
    whole = float((weight[used] * value[used]).sum())
    if np.isnan(whole):
        return value, float("nan"), 0.0, 1.0
    inside = np.clip(np.nan_to_num(value), 0, 1)
    slopes = np.stack([(1 - inside), -inside], -1) / np.where(youden > 0, youden, 1)[:, None]
    smooth_p = (test[:, 1] + 1) / (n + 2)
    smooth = (right + 1) / (labels + 2)
    variance = (
        weight**2 * smooth_p * (1 - smooth_p) / (n + 2) / np.where(used, youden, 1) ** 2
    ).sum()
    variance += ((weight * inside**2).sum() - (weight * inside).sum() ** 2) / n.sum()
    for r in range(2):
        direct = weight * slopes[:, r]
        lent = (direct * (1 - own[:, r])).sum() * labels[:, r] / max(labels[:, r].sum(), 1e-300)
        total = direct * own[:, r] + lent
        variance += (total**2 * smooth[:, r] * (1 - smooth[:, r]) / (labels[:, r] + 2)).sum()
        variance += between[r] * ((total - direct) ** 2).sum()
    half = float(normal_quantile((1 + confidence_level) / 2)) * float(np.sqrt(variance))
    centre = min(max(whole, 0.0), 1.0)
    return value, whole, max(0.0, centre - half), min(1.0, centre + half)


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
    inflation = sample.inflation(
        whole_of_cells(by_label=by_label), confidence_level=confidence_level
    )
    total = sample.total
    test, calibration = total[:, -1], total[:, :-1]
    found = within(test, calibration, confidence_level, 1.0 if math.isnan(inflation) else inflation)
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


def _within_labels(test: Array, calibration: Array, level: float, inflation: float) -> _Within:
    value, *whole = rogan_gladen_by(test, calibration, confidence_level=level, inflation=inflation)
    return _Within(
        np.clip(value, 0, 1),
        None,
        None,
        (whole[0], whole[1], whole[2]),
        homogeneity(calibration[..., 1], calibration.sum(-1)),
        "Rogan-Gladen within strata, error rates partially pooled",
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
        assumptions=("error rates are the same within a stratum only",),
    )
