"""Clusters: merging loses nothing, design effects by hand, few clusters as Student and draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse, stats

from goldassay.inference.bootstrap import exponential_weights, multiplicities
from goldassay.inference.clusters import (
    Resampling,
    cautious_design_effect_of_share,
    cluster_sums,
    design_effect,
    design_effect_of_share,
    design_factor,
    distinct_clusters,
    distinct_rows,
    effective_clusters,
    effective_size,
    few_cluster_factor,
    few_cluster_tail,
    rao_scott_effect,
    shortfall_of_draws,
    student_quantile,
    student_reach,
    worth_in_equal_clusters,
)

ONES = np.ones(4, np.int64)

# --- sums and merging -------------------------------------------------------------------------


def test_sums_by_cluster_by_hand() -> None:
    values = np.array([[1.0, 0.0], [0.0, 2.0], [0.5, 0.5]])
    times = np.array([3, 1, 2])
    # clusters 1, 0, 1: cluster 0 has 1 x (0, 2), cluster 1 has 3 x (1, 0) + 2 x (.5, .5)
    sums, multiplicity = cluster_sums(values, times, np.array([1, 0, 1]))
    assert sums.tolist() == [[0.0, 2.0], [4.0, 1.0]]
    assert multiplicity.tolist() == [1, 1]


def test_units_that_are_their_own_clusters_are_left_as_patterns() -> None:
    values, times = np.eye(3), np.array([3, 1, 2])
    sums, multiplicity = cluster_sums(values, times, None)
    assert sums is values
    assert multiplicity is times


def test_a_cluster_without_units_has_a_row_of_zeros_and_no_units_have_no_rows() -> None:
    sums, multiplicity = cluster_sums(np.ones((2, 2, 2)), np.ones(2, np.int64), np.array([0, 2]))
    assert sums.shape == (3, 2, 2)
    assert not sums[1].any()
    assert len(multiplicity) == 3
    nothing = cluster_sums(np.ones((0, 2)), np.ones(0, np.int64), np.zeros(0, np.int64))
    assert nothing[0].shape == (0, 2)


@pytest.mark.parametrize("kind", ["counts", "shares", "wide"])
def test_equal_clusters_are_merged_in_order(kind: str) -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 3, (500, 2, 2)).astype(float)
    if kind == "shares":
        table /= 3
    if kind == "wide":  # more values than one number can code
        table = np.repeat(rng.integers(0, 2**19, (50, 2, 4)), 10, axis=0).astype(float)
    times = rng.integers(1, 4, 500)
    distinct, merged = distinct_clusters(table, times)
    flat, inverse = np.unique(table.reshape(500, -1), axis=0, return_inverse=True)
    np.testing.assert_array_equal(distinct.reshape(len(distinct), -1), flat)
    np.testing.assert_array_equal(merged, np.bincount(inverse.reshape(-1), times))
    np.testing.assert_allclose(
        np.tensordot(merged, distinct, axes=1), np.tensordot(times, table, axes=1)
    )


def test_merged_clusters_expand_to_the_same_ones() -> None:
    rng = np.random.default_rng(4)
    table = rng.integers(-1, 2, (60, 3)).astype(float)
    distinct, times = distinct_clusters(table, np.ones(60, np.int64))
    expanded = np.repeat(distinct, times, axis=0)
    assert sorted(map(tuple, expanded)) == sorted(map(tuple, table))
    again, same = distinct_clusters(distinct, times)  # merged already
    assert again is distinct
    assert same is times


def test_one_or_no_cluster_is_left_as_it_is() -> None:
    for clusters in (0, 1):
        distinct, times = distinct_clusters(np.ones((clusters, 2, 2)), np.ones(clusters, np.int64))
        assert distinct.shape == (clusters, 2, 2)
        assert len(times) == clusters


def test_a_few_clusters_can_be_left_apart() -> None:
    counts = np.ones((4, 2))
    assert len(distinct_clusters(counts, ONES, apart_up_to=4)[0]) == 4
    distinct, times = distinct_clusters(counts, ONES, apart_up_to=3)
    assert (len(distinct), times.tolist()) == (1, [4])


def test_equal_sparse_rows_keep_their_first_order_and_empty_ones_go() -> None:
    rows = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 0], [0, 2, 0], [2, 0, 0], [1, 0, 0]], float)
    kept, times = distinct_rows(sparse.csr_array(rows))
    assert kept.tolist() == [0, 1, 4]
    assert times.tolist() == [2, 2, 1]
    np.testing.assert_array_equal(times @ rows[kept], rows.sum(0))
    assert distinct_rows(sparse.csr_array((3, 5)))[0].tolist() == []


# --- design effects ---------------------------------------------------------------------------


def test_the_design_effect_is_at_least_one_and_at_most_the_largest() -> None:
    assert design_effect([0.5, 3.0, 9.0], 1.0, largest=4.0).tolist() == [1.0, 3.0, 4.0]
    assert design_effect([0.5, 3.0, 9.0], 1.0).tolist() == [1.0, 3.0, 9.0]


def test_where_nothing_varies_it_is_the_largest_or_one() -> None:
    assert float(design_effect(0.0, 0.0, largest=4.0)) == 4.0
    assert float(design_effect(0.0, 0.0)) == 1.0


def test_the_design_effect_of_a_share_by_hand() -> None:
    # Four clusters of 2: hits 2, 2, 0, 1; share 5/8. Residuals hits - 2 x 5/8 = .75, .75, -1.25,
    # -.25; their squares sum to 2.75. Over clusters 2.75 x 4/3, alone 8 x 5/8 x 3/8 = 1.875.
    hits, sizes = np.array([2.0, 2.0, 0.0, 1.0]), np.full(4, 2.0)
    assert float(design_effect_of_share(hits, sizes, ONES)) == pytest.approx(2.75 * 4 / 3 / 1.875)
    assert float(rao_scott_effect(hits, sizes, ONES)) == pytest.approx(2.75 / 1.875)


def test_merged_clusters_have_the_same_design_effect() -> None:
    hits, sizes = np.array([2.0, 2.0, 0.0, 1.0]), np.array([2.0, 2.0, 2.0, 3.0])
    (both, times) = distinct_clusters(np.stack([hits, sizes], 1), ONES)
    assert len(times) == 3
    for effect in (design_effect_of_share, rao_scott_effect, cautious_design_effect_of_share):
        apart = float(effect(hits, sizes, ONES))
        assert float(effect(both[:, 0], both[:, 1], times)) == pytest.approx(apart, rel=1e-14)


def test_single_decisions_have_the_design_effect_one() -> None:
    hits = np.array([1.0, 0.0, 0.0, 1.0])
    for effect in (design_effect_of_share, rao_scott_effect, cautious_design_effect_of_share):
        assert float(effect(hits, np.ones(4), ONES)) == 1.0


def test_it_is_1_for_free_and_the_size_for_equal_decisions_of_a_cluster() -> None:
    rng = np.random.default_rng(4)
    ones, sizes = np.ones(400, int), np.full((400, 2), 5.0)
    free = rng.binomial(5, 0.7, 400)
    bound = 5 * rng.binomial(1, 0.7, 400)
    effect = design_effect_of_share(np.stack([free, bound], 1).astype(float), sizes, ones)
    assert effect == pytest.approx([1, 5], abs=0.15)
    # copies of all decisions in their clusters say nothing new: the effect grows as they do
    doubled = design_effect_of_share(10.0 * bound, np.full(400, 50.0), ones)
    assert float(doubled) == pytest.approx(10 * effect[1], rel=0.01)


def test_where_all_are_hits_the_data_cannot_tell() -> None:
    sizes = np.full(4, 5.0)
    assert float(design_effect_of_share(sizes, sizes, ONES)) == 5.0
    assert float(cautious_design_effect_of_share(sizes, sizes, ONES)) == 5.0
    assert float(rao_scott_effect(sizes, sizes, ONES)) == 1.0
    rounded = sizes * (1 - 2**-52)  # thirds that add up to nearly one
    assert float(design_effect_of_share(rounded, sizes, ONES)) == 5.0


def test_a_group_without_decisions_has_no_effect() -> None:
    empty = np.zeros((4, 2))
    assert design_effect_of_share(empty, empty, ONES).tolist() == [1.0, 1.0]


def test_caution_lies_between_the_effect_and_the_largest_by_where_errors_are() -> None:
    sizes = np.full(40, 5.0)
    times = np.ones(40, np.int64)
    one, many = sizes.copy(), sizes.copy()
    one[0] -= 4.0  # four errors in one cluster
    many[:4] -= 1.0  # and in four
    for hits, errors_in in ((one, 1.0), (many, 4.0)):
        effect = float(design_effect_of_share(hits, sizes, times))
        caution = 4 / (4 + errors_in)
        expected = effect ** (1 - caution) * 5.0**caution
        found = float(cautious_design_effect_of_share(hits, sizes, times))
        assert found == pytest.approx(expected)
        assert effect <= found <= 5.0


def test_the_design_factor_is_a_mean_of_ratios() -> None:
    assert design_factor(np.array([2.0, 9.0, 1.0]), np.array([1.0, 0.0, 2.0])) == 1.25
    assert design_factor(np.ones(2), np.zeros(2)) is None


# --- effective numbers ------------------------------------------------------------------------


def test_the_effective_number_of_clusters() -> None:
    assert float(effective_clusters(np.full(4, 3.0), ONES)) == 4.0
    assert float(effective_clusters(np.array([0.0, 5.0, 0.0, 0.0]), ONES)) == 1.0
    assert float(effective_clusters(np.zeros(4), ONES)) == 0.0
    # (3 + 1)^2 / (9 + 1), and two clusters held once
    assert float(effective_clusters(np.array([3.0, 1.0]), np.ones(2))) == pytest.approx(1.6)
    assert float(effective_clusters(np.array([3.0]), np.array([2]))) == 2.0


def test_the_effective_size_of_correlated_ones() -> None:
    # 5 / (1 + 4 x 1/4) = 2.5; all alike are one; negative correlations are taken for none
    assert effective_size(5, [0.25, 1.0, 0.0, -0.2]).tolist() == [2.5, 1.0, 5.0, 5.0]


# --- few clusters -----------------------------------------------------------------------------


def test_student_against_scipy() -> None:
    assert student_quantile(4, 0.975) == pytest.approx(stats.t.ppf(0.975, 4), rel=1e-12)
    assert student_quantile(2.5, 0.9) == pytest.approx(stats.t.ppf(0.9, 2.5), rel=1e-9)
    assert student_reach(5, 0.95) == pytest.approx(2.7764451, abs=1e-6)
    assert student_reach(100_000, 0.95) == pytest.approx(1.96, abs=1e-3)


def test_the_reach_pays_for_what_draws_fall_short() -> None:
    assert shortfall_of_draws(5, "bootstrap") == pytest.approx(np.sqrt(5 / 4))
    assert shortfall_of_draws(5, "bayesian") == pytest.approx(np.sqrt(6 / 4))
    plain = student_reach(5, 0.95)
    assert student_reach(5, 0.95, resampling="bayesian") == pytest.approx(plain * np.sqrt(1.5))


@pytest.mark.parametrize("resampling", ["bootstrap", "bayesian"])
def test_the_shortfall_is_that_of_drawn_means(resampling: Resampling) -> None:
    rng = np.random.default_rng(8)
    values = rng.normal(size=6)
    ones = np.ones(6, np.int64)
    if resampling == "bootstrap":
        weights = np.concatenate(list(multiplicities(ones, 200_000, rng)))
    else:
        weights = exponential_weights(ones, 200_000, rng)
    drawn = weights @ values / weights.sum(1)
    error = values.std(ddof=1) / np.sqrt(6)
    assert error / drawn.std() == pytest.approx(shortfall_of_draws(6, resampling), rel=0.01)


def test_few_clusters_lengthen_and_many_do_not() -> None:
    for resampling in (None, "bootstrap", "bayesian"):
        factors = [few_cluster_factor(n, 0.95, resampling=resampling) for n in (3, 5, 30, 10_000)]
        assert factors == sorted(factors, reverse=True)
        assert factors[-1] == pytest.approx(1, abs=0.001)
    assert few_cluster_factor(5, 0.95) == pytest.approx(2.7764451 / 1.9599640, abs=1e-6)
    assert few_cluster_factor(1, 0.95) == np.inf


def test_the_tail_of_few_clusters_is_where_the_normal_reaches_as_far() -> None:
    for resampling in ("bootstrap", "bayesian"):
        tail = few_cluster_tail(8, 0.9, resampling=resampling)
        assert -stats.norm.ppf(tail) == pytest.approx(
            student_reach(8, 0.9, resampling=resampling), rel=1e-9
        )
        assert 0 < tail < 0.05
        assert few_cluster_tail(10**6, 0.9, resampling=resampling) == pytest.approx(0.05, rel=1e-4)
        assert few_cluster_tail(1, 0.9, resampling=resampling) == 0.0


def test_the_design_effect_of_weights_is_kishs() -> None:
    # n sum w^2 / (sum w)^2 at a half: (4 x 9 + 12 x 1) x 16 / 24^2 = 4/3; squares about the share.
    weights = np.repeat([3.0, 1.0], [4, 12])
    hits = np.where(np.arange(16) % 2 == 0, weights, 0.0)
    once = np.ones(16, np.int64)
    # Residuals are half the weights: 48/4 / 24^2 against .25/24, times 16/15.
    assert float(design_effect_of_share(hits, weights, once)) == pytest.approx(2 * 16 / 15, rel=0.1)
    assert float(design_effect_of_share(hits, weights, once)) <= (weights**2).sum() / 24 + 1e-9


def test_equal_clusters_are_worth_their_number_and_a_giant_among_small_ones_hardly_two() -> None:
    assert float(worth_in_equal_clusters(np.full(12, 5.0))) == pytest.approx(12)
    giant = np.array([900.0, *[1.0] * 50])
    assert 2 <= float(worth_in_equal_clusters(giant)) < 2.3
    assert float(worth_in_equal_clusters(np.array([7.0]))) == 1
    # Several at once, empty ones left out, equal ones merged.
    both = np.array([[4.0, 30.0], [4.0, 2.0], [4.0, 0.0]])
    alone = [float(worth_in_equal_clusters(both[:, k])) for k in range(2)]
    assert worth_in_equal_clusters(both) == pytest.approx(alone)
    merged = worth_in_equal_clusters(np.array([900.0, 1.0]), np.array([1, 50]))
    assert float(merged) == pytest.approx(float(worth_in_equal_clusters(giant)))
