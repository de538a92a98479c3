"""Simulated coverage, and length, of strictness, ROC AUC, correlations and macro-F1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from internals import agreement
from patience import seldom
from scipy.stats import norm

from goldassay import Estimate, Interval, metrics

Sample = tuple[float, Interval]


def _held(samples: list[Sample]) -> tuple[float, float]:
    """How often the truth was covered, and the median length."""
    covered = np.mean([truth in interval for truth, interval in samples])
    return float(covered), float(np.median([interval.length for _, interval in samples]))


def _interval(found: object) -> Interval:
    assert isinstance(found, Estimate)
    assert found.interval is not None
    return found.interval


# --- log-odds of strictness -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "prevalence", "sensitivity", "specificity", "longest"),
    [(200, 0.02, 0.99, 0.6, np.inf), (300, 0.1, 0.7, 0.97, 2.4), (100, 0.3, 0.7, 0.8, 2.4)],
)
def test_strictness(
    items: int, prevalence: float, sensitivity: float, specificity: float, longest: float
) -> None:
    rng = np.random.default_rng(1)
    missed, granted = prevalence * (1 - sensitivity), (1 - prevalence) * (1 - specificity)
    shares = [prevalence - missed, missed, granted, 1 - prevalence - granted]
    truth = float(np.log(missed / granted))
    tables = rng.multinomial(items, shares, size=400).reshape(-1, 2, 2)
    samples = [
        (truth, _interval(metrics.log_odds_strictness(counts=table, positive=0, draws=100)))
        for table in tables
    ]
    covered, length = _held(samples)
    assert covered >= 0.93
    assert length <= longest


def test_strictness_of_clusters() -> None:
    """20 clusters of 10 whose rates vary; four fifths of the differences are misses."""
    rng = np.random.default_rng(2)
    shares = np.array([0.4, 0.16, 0.04, 0.4])
    samples = []
    for _ in range(300):
        rates = rng.dirichlet(4 * shares, size=20)
        tables = np.array([rng.multinomial(10, rate) for rate in rates]).reshape(-1, 2, 2)
        found = metrics.log_odds_strictness(counts=tables, positive=0, draws=100)
        samples.append((float(np.log(4)), _interval(found)))
    covered, length = _held(samples)
    assert covered >= 0.92
    assert length <= 4.5


# --- average precision ------------------------------------------------------------------------


def _true_precision(prevalence: float, apart: float) -> float:
    """Average precision of all items with normal scores, the positives' higher by `apart`."""
    x = np.linspace(-9, 9 + apart, 20_001)
    found, called = prevalence * norm.sf(x - apart), (1 - prevalence) * norm.sf(x)
    return float(np.trapezoid(found / (found + called) * norm.pdf(x - apart), x))


@pytest.mark.parametrize(
    ("items", "prevalence", "apart", "longest"),
    seldom(
        [(40, 0.05, 1.0, 0.9), (100, 0.2, 1.0, 0.5), (100, 0.9, 0.0, 0.2), (400, 0.3, 2.5, 0.15)],
        0,
        3,
    ),
)
def test_average_precision(items: int, prevalence: float, apart: float, longest: float) -> None:
    rng = np.random.default_rng(6)
    truth, samples = _true_precision(prevalence, apart), []
    while len(samples) < 400:
        positive = rng.random(items) < prevalence
        if positive.any() and not positive.all():
            score = rng.normal(size=items) + apart * positive
            samples.append((truth, _interval(metrics.average_precision(positive, score))))
    covered, length = _held(samples)
    assert covered >= 0.92
    assert length <= longest


# --- ROC AUC ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("items", "prevalence", "area", "longest"),
    seldom(
        [(200, 0.02, 0.8, 0.5), (50, 0.5, 0.98, 0.13), (300, 0.3, 0.8, 0.12), (60, 0.2, 0.5, 0.37)],
        0,
        1,
    ),
)
def test_area(items: int, prevalence: float, area: float, longest: float) -> None:
    rng = np.random.default_rng(3)
    apart = np.sqrt(2) * norm.ppf(area)
    samples = []
    for _ in range(400):
        positive = rng.random(items) < prevalence
        if positive.any():
            found = metrics.roc_auc(positive, rng.normal(size=items) + apart * positive)
            samples.append((area, _interval(found)))
    covered, length = _held(samples)
    assert covered >= 0.93
    assert length <= longest


@pytest.mark.parametrize(("clusters", "longest"), [(8, 0.32), (20, 0.18), (100, 0.1)])
def test_area_of_clusters(clusters: int, longest: float) -> None:
    """Clusters of 10 that share half of the error of their scores; the area is .8."""
    rng = np.random.default_rng(4)
    apart = np.sqrt(2) * norm.ppf(0.8)
    cluster = np.repeat(np.arange(clusters), 10)
    samples = []
    for _ in range(300):
        positive = rng.random(len(cluster)) < 0.3
        shared = rng.normal(size=clusters)[cluster] + rng.normal(size=len(cluster))
        found = metrics.roc_auc(positive, apart * positive + shared / np.sqrt(2), clusters=cluster)
        samples.append((0.8, _interval(found)))
    covered, length = _held(samples)
    assert covered >= 0.93
    assert length <= longest


# --- correlations -----------------------------------------------------------------------------

Scores = tuple[np.ndarray, np.ndarray, np.ndarray]


def _normal(rng: np.random.Generator, items: int) -> Scores:
    x = rng.normal(size=items)
    return x, 0.7 * x + np.sqrt(0.51) * rng.normal(size=items), np.arange(items)


def _skewed(rng: np.random.Generator, items: int) -> Scores:
    x, y, cluster = _normal(rng, items)
    return np.exp(x), np.exp(y), cluster


def _clustered(rng: np.random.Generator, items: int) -> Scores:
    """Eight clusters that share half of the variance of both."""
    cluster = np.arange(items) % 8
    x, noise = (
        (rng.normal(size=8)[cluster] + rng.normal(size=items)) / np.sqrt(2) for _ in range(2)
    )
    return x, 0.7 * x + np.sqrt(0.51) * noise, cluster


#: Pearson's r of exp(x), exp(y) for r(x, y) = .7, and Lin's, which are the same for equal margins.
SKEWED = (np.exp(0.7) - 1) / (np.e - 1)


@pytest.mark.parametrize(
    ("drawn", "items", "truth", "longest"),
    seldom([(_normal, 30, 0.7, 0.5), (_skewed, 100, SKEWED, 0.75), (_clustered, 80, 0.7, 0.6)], 2),
    ids=["normal", "lognormal", "8 clusters"],
)
def test_correlations(
    drawn: Callable[[np.random.Generator, int], Scores], items: int, truth: float, longest: float
) -> None:
    rng = np.random.default_rng(5)
    found: dict[str, list[Sample]] = {"pearson": [], "lin_concordance": [], "icc": []}
    for _ in range(400):
        x, y, cluster = drawn(rng, items)
        for name, samples in found.items():
            estimate = getattr(metrics, name)(x, y, clusters=cluster)
            samples.append((truth, _interval(estimate)))
    for name, samples in found.items():
        covered, length = _held(samples)
        assert covered >= 0.92, name  # two Monte Carlo errors below .945
        assert length <= longest, name


def test_where_an_interval_cannot_hold_the_data_say_so() -> None:
    """30 items, 5 % gross errors: all samples that show one are warned of, few others are."""
    rng = np.random.default_rng(6)
    warned, clean = [], []
    for _ in range(300):
        x, y, _ = _normal(rng, 30)
        clean.append(bool(metrics.pearson(x, y).warnings))
        gross = rng.random(30) < 0.05
        y = np.where(gross, 10 * rng.choice([-1, 1], 30), y)
        if gross.any():
            warned.append(bool(metrics.pearson(x, y).warnings))
    assert np.mean(warned) >= 0.95
    assert np.mean(clean) <= 0.05


# --- macro-F1 ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("items", "longest"), seldom([(100, 0.28), (300, 0.17)], 0))
def test_macro_f1_with_rare_options(items: int, longest: float) -> None:
    """Five options, two of them in one item of 20; the judge is right on 85 %."""
    rng = np.random.default_rng(7)
    judge = np.where(np.eye(5, dtype=bool), 0.85, 0.15 / 4)
    shares = np.array([0.5, 0.3, 0.15, 0.03, 0.02])[:, None] * judge
    truth = float(agreement.macro_f1(shares))
    tables = rng.multinomial(items, shares.ravel(), size=400).reshape(-1, 5, 5)
    covered, length = _held(
        [(truth, _interval(metrics.macro_f1(counts=table, draws=300))) for table in tables]
    )
    assert covered >= 0.93
    assert length <= longest
