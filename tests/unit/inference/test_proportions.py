"""Intervals of a proportion: textbook values, edges, and the exact coverage of goldassay's own."""

import numpy as np
import pytest
from scipy import stats

from goldassay.inference.proportions import BinomialMethod, binomial, binomial_interval


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson"])
@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 1), (3, 17), (81, 263)])
def test_binomial_equals_scipy(method: BinomialMethod, k: int, n: int) -> None:
    low, high = binomial(k, n, method=method)
    theirs = stats.binomtest(k, n).proportion_ci(
        0.95, method="wilson" if method == "wilson" else "exact"
    )
    assert (float(low), float(high)) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
def test_hedged_lies_between_jeffreys_and_clopper_pearson(level: float) -> None:
    n = np.array([1, 2, 10, 30, 300])[:, None]
    k = np.minimum(np.arange(0, 301)[None, :], n)
    hedged, jeffreys, exact = (
        binomial(k, n, confidence_level=level, method=method)
        for method in ("hedged", "jeffreys", "clopper_pearson")
    )
    assert np.all(exact[0] <= hedged[0] + 1e-12)
    assert np.all(hedged[0] <= jeffreys[0] + 1e-12)
    assert np.all(exact[1] >= hedged[1] - 1e-12)
    assert np.all(hedged[1] >= jeffreys[1] - 1e-12)


def least_coverage(n: int, method: BinomialMethod) -> float:
    """The exact coverage where it is least: just beyond the end of an interval, which falls out."""
    x = np.arange(n + 1)
    low, high = binomial(x, n, method=method)
    share, own = np.concatenate([low, high]), np.concatenate([x, x])
    inner = (share > 1e-9) & (share < 1 - 1e-9)
    share, own = share[inner], own[inner]
    within = (low[:, None] <= share) & (share <= high[:, None])
    within[own, np.arange(len(own))] = False
    return float((stats.binom.pmf(x[:, None], n, share) * within).sum(0).min())


def test_hedged_covers_at_least_942_of_1000_for_every_share_and_number() -> None:
    assert all(least_coverage(n, "hedged") >= 0.942 for n in range(1, 301))


@pytest.mark.parametrize(("method", "least"), [("jeffreys", 0.866), ("wilson", 0.827)])
def test_others_fall_to_less(method: BinomialMethod, least: float) -> None:
    found = min(least_coverage(n, method) for n in range(3, 31))
    assert found == pytest.approx(least, abs=5e-4)


def test_binomial_edges() -> None:
    low, high = binomial([0, 5], [5, 5])
    assert low[0] == 0
    assert high[1] == 1
    assert np.isnan(binomial(0, 0)[0])
    with pytest.raises(ValueError, match="between 0 and"):
        binomial(6, 5)
    with pytest.raises(ValueError, match="is not a binomial interval"):
        binomial(1, 5, method="wald")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="confidence_level"):
        binomial(1, 5, confidence_level=95)


def test_the_interval_as_a_result_names_its_method() -> None:
    found = binomial_interval(3, 17, confidence_level=0.9, method="clopper_pearson")
    low, high = binomial(3, 17, confidence_level=0.9, method="clopper_pearson")
    assert (found.low, found.high) == (float(low), float(high))
    assert found.method == "clopper-pearson binomial"
