"""Simulated coverage, and length, of strictness, ROC AUC and correlations where data are few."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay import metrics
from goldassay.results import Estimate, Interval

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
