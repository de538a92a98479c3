"""How well clusters of unequal sizes know their spread."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from goldassay.inference import cluster_spread
from goldassay.inference.cluster_spread import (
    LONGEST_BY_SIZE,
    ClusterSpread,
    doubt_by_size,
    reaches_by_size,
    reaches_by_sizes,
)
from goldassay.inference.clusters import worth_in_equal_clusters


def test_items_of_unequal_weight_know_their_spread_as_their_heaviest_do() -> None:
    # All hits or none: variances as the squares of the weights, df = (sum w^2)^2 / sum w^4.
    weights = np.array([3.0, 1.0, 1.0, 1.0])
    once = np.ones(4, np.int64)
    lone = ClusterSpread.of_share(weights * [1, 0, 1, 1], weights, once)
    assert lone.degrees == pytest.approx((9 + 3) ** 2 / (81 + 3))
    mixed = ClusterSpread.of_share(np.array([2.0, 0.0, 1.0, 1.0]), weights, once)
    assert mixed.degrees > lone.degrees
    equal = ClusterSpread.of_share(np.array([1.0, 0, 1, 1]), np.ones(4), once)
    assert equal.degrees == pytest.approx(4)


@pytest.mark.parametrize("clusters", [3, 10, 30])
def test_equal_clusters_know_their_spread_as_one_fewer(clusters: int) -> None:
    # h = 1 / C: 1/C + 1/(C-1)^2 - 1/(C (C-1)^2) = 1 / (C-1); residuals over 1 - h grow by C/(C-1).
    hits = np.tile([1.0, 2.0, 3.0], 10)[:clusters]
    found = ClusterSpread.of_share(hits, np.full(clusters, 4.0), np.ones(clusters, np.int64))
    assert found.degrees == pytest.approx(clusters - 1)
    assert found.stretch == pytest.approx(np.sqrt(clusters / (clusters - 1)))


def test_the_tail_of_equal_clusters_by_hand() -> None:
    # t with 29 degrees at .975 is 2.045230, times the roots of 30/29 and 31/30.
    found = ClusterSpread(29.0, np.sqrt(30 / 29)).tail(30, 0.95)
    assert found == pytest.approx(stats.norm.cdf(-2.045230 * np.sqrt(31 / 29)), rel=1e-5)


@pytest.mark.parametrize(("level", "usual"), [(0.95, 1.959964), (0.9, 1.644854)])
def test_no_tail_is_further_than_the_longest_reach(level: float, usual: float) -> None:
    # One degree of freedom would reach 12.7 errors; 100 equal clusters reach 2.0.
    found = ClusterSpread(1.0, 1.5).tail(100, level)
    assert found == pytest.approx(stats.norm.cdf(-2.8 * usual / 1.959964), rel=1e-5)


def test_weights_of_lone_items_cost_only_what_they_are_unequal_by() -> None:
    once, hits = np.ones(40, np.int64), np.arange(40) % 4 > 0
    equal = ClusterSpread.of_share(hits * 1.0, np.ones(40), once, lone=True)
    clusters = ClusterSpread.of_share(hits * 1.0, np.ones(40), once)
    assert clusters.reach(40, 0.95) > 1.01 * equal.reach(40, 0.95)
    # As the posterior of the counts: 1/df - 1/n is 0, and so is what a cluster draws towards it.
    assert equal.reach(40, 0.95) == pytest.approx(
        stats.norm.ppf(0.975) * np.sqrt(40 / 39), rel=1e-3
    )
    weights = np.where(np.arange(40) < 4, 6.0, 1.0)
    heavy = ClusterSpread.of_share(hits * weights, weights, once, lone=True)
    # df = (4 x 36 + 36)^2 / (4 x 1296 + 36) = 32400 / 5220.
    lost = 5220 / 32400 - 1 / 40
    assert heavy.reach(40, 0.95) == pytest.approx(
        min(stats.t.ppf(0.975, 1 / lost) * heavy.stretch, 2.8), rel=1e-6
    )
    clustered = ClusterSpread.of_share(hits * weights, weights, once)
    assert clustered.reach(40, 0.95) > stats.norm.ppf(0.975)


def test_the_factor_of_equal_clusters_is_students() -> None:
    found = ClusterSpread.of_moves(
        np.array([1.0, -1.0, 2.0, -2.0, 0.5, -0.5]), np.full(6, 10.0), np.ones(6), alike=False
    )
    expected = stats.t.ppf(0.975, 5) / stats.norm.ppf(0.975) * np.sqrt(6 / 5)
    assert found.factor(0.95) == pytest.approx(expected, rel=1e-6)
    giant = ClusterSpread.of_moves(
        np.array([3.0, -1, -1, -1]), np.array([30.0, 2, 2, 2]), np.ones(4), alike=False
    )
    assert giant.factor(0.95) > 2 * expected


def test_worth_is_one_more_than_the_degrees_of_the_spread() -> None:
    sizes = np.array([40.0, 10.0, 5.0, 5.0, 20.0])
    spread = ClusterSpread.of_moves(sizes, sizes, np.ones(5), alike=False)
    assert float(worth_in_equal_clusters(sizes)) == pytest.approx(1 + spread.degrees)
    assert spread.factor(0.95) == pytest.approx(spread.student(0.95) * spread.stretch)


def test_large_clusters_of_like_decisions_know_the_spread_worse() -> None:
    # Two of 20, ten of 2: with decisions that stand alone every cluster varies as its size; where
    # each cluster is all hits but one decision or none but one, nearly as the square of it.
    sizes, once = np.repeat([20.0, 2.0], [2, 10]), np.ones(12, np.int64)
    alone = ClusterSpread.of_share(sizes / 2, sizes, once)
    assert alone.degrees == pytest.approx(float(worth_in_equal_clusters(sizes)) - 1)
    alike = ClusterSpread.of_share(np.array([19.0, 1, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0]), sizes, once)
    assert alike.degrees < 0.75 * alone.degrees
    assert alike.student(0.95) > 1.2 * alone.student(0.95)


@pytest.mark.parametrize("power", [1.0, 2.0])
def test_degrees_and_bias_are_those_of_simulated_sums_of_squares(power: float) -> None:
    from goldassay.inference.cluster_spread import degrees_of_variances

    rng = np.random.default_rng(2)
    h = np.array([0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05])
    y = rng.normal(size=(100_000, len(h))) * np.sqrt(h**power)
    squares = ((y - h * y.sum(1, keepdims=True)) ** 2 / (1 - h)).sum(1)
    degrees, bias = degrees_of_variances(h, h**power, np.ones(len(h)))
    assert degrees == pytest.approx(2 * squares.mean() ** 2 / squares.var(), rel=0.03)
    assert bias == pytest.approx((h**power).sum() / squares.mean(), rel=0.01)


SIZES = np.array([2.0, 3, 4, 5, 6, 8, 10, 14, 20, 40])
EACH = np.ones(len(SIZES))


def by_size(rates: ArrayLike, sizes: np.ndarray = SIZES) -> tuple[float, float]:
    """The factors of both ends of a mean of these rates by cluster."""
    share = float(sizes @ np.asarray(rates)) / float(sizes.sum())
    return reaches_by_size(sizes * (np.asarray(rates) - share), sizes, EACH, 2.0)


def test_the_end_beyond_which_larger_clusters_lie_is_further() -> None:
    """The largest are worst: a larger one than those drawn would bring the mean down."""
    worse_by_size = 0.9 - 0.1 * np.log(SIZES)
    low, high = by_size(worse_by_size)
    assert 1.05 < low <= LONGEST_BY_SIZE
    assert high == 1
    assert by_size(1 - worse_by_size) == pytest.approx((1.0, low))
    assert by_size(0.9 - 0.2 * np.log(SIZES)) == pytest.approx((low, high))  # whatever the scale


def test_the_further_end_is_where_halls_polynomial_reaches() -> None:
    # Moves and sizes go together by more than 1.5 errors, sizes are unequal by more than .6: all
    # of the skewness counts. Hall's g(t) = t + S t^2 / 3 + S^2 t^3 / 27 + S / 6 is the reach there.
    sizes = np.repeat([1.0, 2.0, 6.0, 12.0], 10)
    moves = np.repeat([1.0, 1.0, 1.0, -3.0], 10)
    skewness = (30 - 270) / (30 + 90) ** 1.5
    low, high = reaches_by_size(moves, sizes, np.ones(40), 2.0, missing=0.0)
    end = 2.0 * low
    assert 1.05 < low < LONGEST_BY_SIZE - 0.05
    assert high == 1
    g = end + skewness * end**2 / 3 + skewness**2 * end**3 / 27 + skewness / 6
    assert g == pytest.approx(2.0)
    # A cluster that may be missing lies beyond that, on the same side.
    further, same = reaches_by_size(moves, sizes, np.ones(40), 2.0, missing=0.1)
    assert low < further < LONGEST_BY_SIZE
    assert same == 1


def test_a_spread_holds_the_factor_of_each_end() -> None:
    sizes, once = np.array([2.0, 3, 4, 5, 6, 8, 10, 14, 20, 40]), np.ones(10, np.int64)
    hits = np.array([2.0, 3, 3, 4, 5, 6, 7, 8, 9, 12])
    worse, better = (ClusterSpread.of_share(one, sizes, once) for one in (hits, sizes - hits))
    assert worse.down > 1.05
    assert (worse.up, better.down) == (1, 1)
    assert better.up == pytest.approx(worse.down)


def test_ends_stay_where_sizes_tell_nothing() -> None:
    turns = 0.8 + 0.1 * (-1.0) ** np.arange(len(SIZES))
    assert by_size(turns) == (1, 1)
    assert by_size(np.full(len(SIZES), 0.8)) == (1, 1)
    # Clusters of two and three hide no other kind, however rates go with them.
    nearly = np.where(np.arange(10) < 5, 2.0, 3.0)
    assert by_size(np.where(nearly > 2, 0.5, 0.9) - 0.01 * np.arange(10), nearly) == (1, 1)
    assert by_size(0.9 - 0.05 * np.arange(10), np.full(10, 4.0)) == (1, 1)


def test_equal_clusters_count_by_their_number() -> None:
    moves = SIZES * (0.5 - 0.1 * np.log(SIZES))
    moves -= SIZES * moves.sum() / SIZES.sum()
    twice = reaches_by_size(moves, SIZES, 2 * EACH, 2.0)
    both = reaches_by_size(np.tile(moves, 2), np.tile(SIZES, 2), np.ones(20), 2.0)
    assert twice == pytest.approx(both)


def test_many_studies_at_once_are_as_each_alone() -> None:
    rng = np.random.default_rng(4)
    sizes = rng.integers(1, 40, (20, 10)).astype(float)
    rates = 0.5 - 0.1 * np.log(sizes) * rng.choice([-1, 0, 1], (20, 1)) + rng.normal(0, 0.05)
    moves = sizes * (rates - (sizes * rates).sum(1, keepdims=True) / sizes.sum(1, keepdims=True))
    moves[3] = 0.0  # nothing moves
    reach = rng.uniform(2, 3, 20)
    down, up = reaches_by_sizes(moves, sizes, EACH, reach)
    alone = [reaches_by_size(m, s, EACH, r) for m, s, r in zip(moves, sizes, reach, strict=True)]
    np.testing.assert_allclose(np.stack([down, up], 1), alone)
    assert (np.maximum(down, up) > 1.05).sum() >= 5
    assert (down[3], up[3]) == (1, 1)


def test_what_the_largest_of_one_cluster_more_would_move_by_hand() -> None:
    """An item moves by 1 for each unit of log size, so that the line through moves is the truth."""
    from goldassay.inference.cluster_spread import _moved_by_next

    logs = np.log(SIZES)
    middle = float(SIZES @ logs) / float(SIZES.sum())
    moves = SIZES * (logs - middle)
    size = np.exp(logs.mean() + logs.std(ddof=1) * stats.norm.ppf(10 / 11))
    expected = size * (np.log(size) - middle)
    assert _moved_by_next(moves[None], SIZES[None], EACH) == pytest.approx([expected])
    # A cluster of nothing is none, and where sizes tell nothing none is missed.
    sizes, none = np.append(SIZES, 0.0), np.append(moves, 0.0)
    assert _moved_by_next(none[None], sizes[None], np.ones(11)) == pytest.approx([expected])
    assert _moved_by_next(0 * moves[None], SIZES[None], EACH) == pytest.approx([0.0])


def test_a_sample_without_its_largest_clusters_is_helped_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without the giant moves look hardly skewed: what may be missing moves the end, not skew."""
    sizes = np.exp(np.linspace(0.5, 3.5, 40))
    moves = sizes * (np.log(sizes) - float(sizes @ np.log(sizes)) / float(sizes.sum()))
    giant = np.append(sizes, 400.0)
    moved = giant * (np.log(giant) - float(giant @ np.log(giant)) / float(giant.sum()))
    reached = {}
    for missing in (0.0, cluster_spread.MISSING):
        monkeypatch.setattr(cluster_spread, "MISSING", missing)
        reached[missing] = [
            reaches_by_size(one, of, np.ones(len(of)), 2.0)[1]
            for one, of in ((moves, sizes), (moved, giant))
        ]
    (plain, cautious) = reached.values()
    assert cautious[0] - plain[0] > 0.1
    assert cautious[0] <= LONGEST_BY_SIZE
    assert cautious[1] - plain[1] < 0.5 * (cautious[0] - plain[0])


def unequal(spread: float, clusters: int = 60) -> np.ndarray:
    """Sizes as unequal as lognormal ones of such a spread of logarithms."""
    at = (np.arange(clusters) + 0.5) / clusters
    return 6 * np.exp(spread * stats.norm.ppf(at))


@pytest.mark.parametrize(
    ("sizes", "tells", "expected"),
    [
        (unequal(0.6, 29), False, "few"),
        (unequal(0.6, 30), True, None),
        (unequal(0.2, 29), True, None),
        (unequal(1.3), True, "heavy"),
        (unequal(1.3), False, None),
        (unequal(0.8), True, None),
        (unequal(1.3, 2_000), True, None),
    ],
    ids=["few", "enough", "equal", "heavy", "silent", "mild", "many"],
)
def test_doubt_by_size(sizes: np.ndarray, tells: bool, expected: str | None) -> None:
    each = np.ones(len(sizes))
    signs = np.tile([1.0, -1.0, -1.0, 1.0], len(sizes))[: len(sizes)]
    rates = np.log(sizes) + 0.5 * signs if tells else signs
    moves = sizes * (rates - float(sizes @ rates) / float(sizes.sum()))
    assert doubt_by_size(sizes, each, moves) == expected
    # Of several estimates one is enough; without moves only few are in doubt.
    still = sizes * signs
    both = np.stack([still - sizes * float(still.sum()) / float(sizes.sum()), moves], 1)
    assert doubt_by_size(sizes, each, both) == expected
    assert doubt_by_size(sizes, each) == (expected if expected == "few" else None)
