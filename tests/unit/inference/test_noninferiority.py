"""Paired differences against a margin: by hand, against the likelihood, and never too bold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln

from goldassay.inference.noninferiority import (
    Differences,
    at_least,
    differences_of,
    false_discoveries,
    items_for,
)


def test_a_p_value_by_hand() -> None:
    # 10 items, 2 losses, 2 gains, margin 0.15: B = 20 (.15) - 4 = -1, the gains' share solves
    # 20 q^2 - q - 2 (.15)(.85) = 0: q = (1 + sqrt(1 + 20.4)) / 40 = .14065.
    seen = Differences(2, 2, 10, 10)
    variance = 2 * (1 + math.sqrt(21.4)) / 40 + 0.1275
    assert seen.variance_at(0.15) == pytest.approx(variance)
    # The mean is 0, .15 away; half an item (.05) is the continuity correction.
    expected = stats.t.cdf(-(0.15 - 0.05) / math.sqrt(variance / 10), 9)
    assert seen.below(0.15) == pytest.approx(expected)
    assert seen.below(0.15) == pytest.approx(0.316, abs=5e-4)


@pytest.mark.parametrize(("losses", "gains", "margin"), [(5, 2, 0.15), (0, 3, 0.1), (4, 4, -0.2)])
def test_the_variance_is_that_of_the_most_likely_shares(
    losses: int, gains: int, margin: float
) -> None:
    n = 30
    q = np.linspace(max(0.0, -margin) + 1e-6, (1 - margin) / 2 - 1e-6, 400_001)
    likelihood = losses * np.log(q + margin) + gains * np.log(q)
    likelihood += (n - losses - gains) * np.log(1 - margin - 2 * q)
    best = q[likelihood.argmax()]
    found = Differences(losses, gains, n, n).variance_at(margin)
    assert found == pytest.approx(2 * best + margin - margin**2, abs=1e-4)


def test_no_loss_at_all_is_not_proof_of_a_small_margin() -> None:
    # Of 30 items none is lost: with a loss in twenty that happens .95^30 = 21 % of the time.
    seen = Differences(0, 0, 30, 30)
    assert seen.below(0.05) == pytest.approx(0.95**30, abs=0.02)
    assert seen.interval(0.95)[1] > 0.1
    assert Differences(0, 0, 30, 30).below(0.0) >= 0.5


@pytest.mark.parametrize("n", [12, 30, 45])
@pytest.mark.parametrize("margin", [0.05, 0.15, 0.2])
def test_the_exact_error_is_never_above_the_level(n: int, margin: float) -> None:
    """Every outcome of n items, under every share of gains, at the margin itself."""
    cells = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    losses, gains = (np.array(side, dtype=np.float64) for side in zip(*cells, strict=True))
    p = np.array([Differences(b, c, n, n).below(margin) for b, c in cells])
    counts = (losses, gains, n - losses - gains)
    ways = gammaln(n + 1) - sum(gammaln(count + 1) for count in counts)
    for share in np.linspace(1e-9, (1 - margin) / 2 - 1e-9, 15):
        chance = losses * np.log(share + margin) + gains * np.log(share)
        chance = np.exp(ways + chance + (n - losses - gains) * np.log(1 - margin - 2 * share))
        assert chance.sum() == pytest.approx(1)
        for level in (0.05, 0.0273, 0.0131):
            assert chance[p <= level].sum() <= level


def test_an_interval_holds_what_is_not_refuted() -> None:
    seen = Differences(6, 3, 40, 40)
    low, high = seen.interval(0.95)
    assert low < seen.mean < high
    assert seen.above(low) == pytest.approx(0.025, abs=1e-6)
    assert seen.below(high) == pytest.approx(0.025, abs=1e-6)
    turned = Differences(3, 6, 40, 40).interval(0.95)
    assert turned == pytest.approx((-high, -low), abs=1e-8)
    assert Differences(3, 0, 3, 3).interval(0.95)[1] == 1.0


def test_equal_items_of_a_cluster_count_once() -> None:
    d = np.array([1.0, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0])
    alone = differences_of(d, np.arange(12))
    fivefold = differences_of(np.repeat(d, 5), np.repeat(np.arange(12), 5))
    assert alone.effect == 1
    assert fivefold.effect == pytest.approx(5, rel=0.1)
    assert fivefold.below(0.3) == pytest.approx(alone.below(0.3), rel=0.15)
    assert differences_of(np.zeros(6), np.zeros(6, np.int64)).below(0.9) == 1.0


def test_false_discoveries_by_hand() -> None:
    # m = 3: 1 + 1/2 + 1/3 = 11/6, so the steps at 5 % are .00909, .01818, .02727.
    assert false_discoveries([0.02, 0.001, 0.03], 0.05).tolist() == [False, True, False]
    assert false_discoveries([0.018, 0.001, 0.03], 0.05).tolist() == [True, True, False]
    assert false_discoveries([0.027, 0.027, 0.027], 0.05).all()
    assert not false_discoveries([], 0.05).size
    assert at_least([0.02, 0.001, 0.03], 2) == pytest.approx(0.04)
    assert at_least([0.9, 0.8], 1) == 1.0


def test_items_grow_as_the_margin_nears() -> None:
    seen = Differences(10, 10, 100, 100)
    near, far = (items_for(seen, margin, level=0.02) for margin in (0.05, 0.15))
    assert near > 5 * far > 0
    assert math.isinf(items_for(Differences(30, 0, 100, 100), 0.15, level=0.02))


def test_a_giant_cluster_leaves_fewer_degrees_of_freedom_than_equal_ones() -> None:
    d = np.tile([1.0, 0.0, -1.0, 0.0, 0.0, 0.0], 20)
    equal = differences_of(d, np.repeat(np.arange(20), 6))
    giant = differences_of(d, np.concatenate([np.zeros(101, np.int64), np.arange(1, 20)]))
    assert equal.worth == pytest.approx(20)
    assert giant.worth is not None
    assert giant.worth < 4
    low, high = equal.interval(0.95)
    wider = giant.interval(0.95)
    assert wider[0] < low
    assert high < wider[1]
