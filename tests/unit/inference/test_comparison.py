"""Paired draws, joint intervals, the chance of being best, and the items it would take."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from goldassay.formulas.agreement import accuracy, balanced_accuracy
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.clusters import few_cluster_factor
from goldassay.inference.comparison import (
    compare,
    items_needed,
    posterior_tables,
    square_and_add,
    widening,
)


def patterns(truth: np.ndarray, verdicts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct patterns of a binary task as counts [C, J, 2, 2], and how often each occurs."""
    distinct, times = np.unique(np.column_stack([truth, verdicts]), axis=0, return_counts=True)
    judges = verdicts.shape[1]
    counts = np.zeros((len(distinct), judges, 2, 2))
    for judge in range(judges):
        counts[np.arange(len(distinct)), judge, distinct[:, 0], distinct[:, judge + 1]] = 1
    return counts, times


def draw(counts: np.ndarray, times: np.ndarray, draws: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return posterior_tables(counts, exponential_weights(times, draws, rng), rng=rng)


def test_a_judges_recall_has_its_beta_posterior() -> None:
    """9 of 12 positives found, 2 added items evenly drawn: Beta(9 + 1, 3 + 1)."""
    truth = np.repeat([1, 0], [12, 8])
    verdict = np.concatenate([np.repeat([1, 0], [9, 3]), np.zeros(8, int)])
    tables = draw(*patterns(truth, verdict[:, None]), draws=40_000)
    recall = tables[:, 0, 1, 1] / tables[:, 0, 1].sum(-1)
    expected = stats.beta(10, 4)
    assert recall.mean() == pytest.approx(expected.mean(), abs=0.003)
    quantiles = np.quantile(recall, [0.025, 0.5, 0.975])
    assert quantiles == pytest.approx(expected.ppf([0.025, 0.5, 0.975]), abs=0.01)


def test_a_pair_has_its_dirichlet_posterior() -> None:
    """Two judges that never differed on 20 positives: discordance is Beta(1/2, 20 + 3/2)."""
    truth = np.ones(20, int)
    tables = draw(*patterns(truth, np.ones((20, 2), int)), draws=60_000)
    recall = tables[:, :, 1, 1] / tables[:, :, 1].sum(-1)
    difference = recall[:, 0] - recall[:, 1]
    cells = stats.dirichlet(np.array([20.5, 0.5, 0.5, 0.5])).rvs(60_000, random_state=1)
    expected = cells[:, 1] - cells[:, 2]
    assert difference.std() == pytest.approx(expected.std(), rel=0.05)
    assert abs(difference.mean()) < 0.001


def test_a_class_that_never_occurs_stays_empty() -> None:
    tables = draw(*patterns(np.ones(5, int), np.ones((5, 1), int)), draws=10)
    assert (tables[:, :, 0] == 0).all()


def test_judges_that_never_differed_are_not_equal_for_certain() -> None:
    truth = np.repeat([1, 0], 10)
    counts, times = patterns(truth, np.column_stack([truth, truth]))
    found = compare(np.ones(2), balanced_accuracy(draw(counts, times, 2000)), confidence_level=0.95)
    assert found.difference[0, 1] == 0
    assert found.low[0, 1] < -0.03
    assert found.high[0, 1] > 0.03


def test_comparison_is_antisymmetric_and_holds_the_estimates() -> None:
    rng = np.random.default_rng(2)
    values = np.array([0.9, 0.7, 0.65])
    found = compare(values, values + 0.03 * rng.standard_normal((500, 3)), confidence_level=0.9)
    assert found.low == pytest.approx(-found.high.T)
    assert (found.low <= found.difference).all()
    assert found.apart(0, 1)
    assert not found.apart(1, 2)
    assert found.apart(0, 2)


def test_more_judges_widen_the_intervals_at_most_as_bonferroni() -> None:
    rng = np.random.default_rng(3)
    draws = rng.standard_normal((20_000, 6))
    two = compare(np.zeros(2), draws[:, :2], confidence_level=0.95).critical
    six = compare(np.zeros(6), draws, confidence_level=0.95).critical
    assert two == pytest.approx(1.96, abs=0.03)
    assert six == pytest.approx(stats.studentized_range(6, np.inf).ppf(0.95) / np.sqrt(2), abs=0.05)
    assert six < stats.norm.ppf(1 - 0.05 / 2 / 15)
    even = compare(np.zeros(2), draws[:, :2], confidence_level=0.5).critical
    assert even == pytest.approx(stats.norm.ppf(0.75), abs=0.02)  # less than one standard error


def test_items_needed_follows_the_root_of_the_items() -> None:
    """At n' items the difference is 1.96 + 0.84 standard errors: the usual 80 % power."""
    n = items_needed(0.05, 0.04, 200, critical=1.96)
    assert n is not None
    error = 0.04 * np.sqrt(200 / n)
    assert 0.05 / error == pytest.approx(1.96 + 0.8416, abs=0.01)
    assert items_needed(0.0, 0.04, 200, critical=1.96) is None
    # The prior's two items of each class make the error, too: of few items it takes more.
    few, none = (items_needed(0.5, 0.25, 2, critical=2.0, classes=k) for k in (2, 0))
    assert (few, none) == (9, 5)


@pytest.mark.parametrize(
    ("items", "prevalence", "sensitivity", "specificity"),
    [
        (50, 0.1, (0.9, 0.8, 0.7), (0.9, 0.9, 0.9)),
        (100, 0.3, (0.95, 0.9, 0.6), (0.9, 0.95, 0.97)),
        (300, 0.05, (0.98, 0.9, 0.8), (0.95, 0.9, 0.8)),
    ],
)
def test_joint_intervals_cover(
    items: int, prevalence: float, sensitivity: tuple[float, ...], specificity: tuple[float, ...]
) -> None:
    """150 simulated golden sets; the interval claims .95 for all pairs at once."""
    rng = np.random.default_rng(5)
    true = (np.array(sensitivity) + specificity) / 2
    gaps = true[:, None] - true[None, :]
    covered = []
    for _ in range(150):
        truth = (rng.random(items) < prevalence).astype(int)
        right = np.where(truth[:, None] == 1, sensitivity, specificity)
        # Errors hang together: items share their difficulty.
        noise = np.sqrt(0.5) * (rng.standard_normal((items, 1)) + rng.standard_normal((items, 3)))
        hit = noise < stats.norm.ppf(right)
        verdicts = np.where(hit, truth[:, None], 1 - truth[:, None])
        if truth.min() == truth.max():
            continue
        counts, times = patterns(truth, verdicts)
        values = balanced_accuracy(np.tensordot(times, counts, axes=1))
        draws = balanced_accuracy(draw(counts, times, 500, seed=int(rng.integers(2**31))))
        found = compare(values, draws, confidence_level=0.95)
        covered.append(((found.low <= gaps + 1e-9) & (gaps <= found.high + 1e-9)).all())
    assert np.mean(covered) > 0.91


def test_unequal_clusters_stretch_joint_intervals_further_than_equal_ones() -> None:
    rng = np.random.default_rng(6)
    ones = np.ones(12, np.int64)

    def counts(sizes: np.ndarray) -> np.ndarray:
        made = np.zeros((12, 2, 2, 2))
        for j in range(2):
            made[:, j, 0, 0] = rng.binomial(sizes, 0.8)
            made[:, j, 0, 1] = sizes - made[:, j, 0, 0]
        return made

    equal = widening(accuracy, counts(np.full(12, 20)), ones, 0.95)
    assert equal == pytest.approx(few_cluster_factor(12, 0.95, resampling="bayesian"), rel=0.02)
    assert widening(accuracy, counts(np.repeat([200, 5], [1, 11])), ones, 0.95) > 1.1 * equal
    assert widening(accuracy, counts(np.full(12, 20))[:1], ones[:1], 0.95) == np.inf


def test_intervals_of_each_judge_are_squared_and_added() -> None:
    """Uncorrelated judges that reach .03 below and .04 above: .05 either way, by Pythagoras; the
    third gave the first's verdicts, the fourth has no interval, and both stay as they were."""
    rng = np.random.default_rng(5)
    sample = rng.normal([0.9, 0.8, 0.9, 0.7], 0.01, (4_000, 4))
    same = np.array([0, 1, 0, 3])
    plain = compare(
        np.array([0.9, 0.8, 0.9, 0.7]), sample, confidence_level=0.95, widen=1.2, same=same
    )
    reach = np.array([[0.03, 0.04], [0.03, 0.04], [0.03, 0.04], [np.nan, np.nan]])
    found = square_and_add(plain, sample, reach, same)
    assert found.low[0, 1] == pytest.approx(0.1 - 0.05, abs=2e-3)
    assert found.high[0, 1] == pytest.approx(0.1 + 0.05, abs=2e-3)
    np.testing.assert_allclose(found.low, -found.high.T, atol=1e-12)
    assert found.low[0, 2] == plain.low[0, 2]
    assert found.high[0, 3] == plain.high[0, 3]
    assert found.critical == plain.critical
    half = found.standard_error * found.critical
    assert half[0, 1] == pytest.approx((found.high[0, 1] - found.low[0, 1]) / 2)
    together = square_and_add(plain, sample[:, [0, 0, 0, 3]], reach, same)
    assert together.high[0, 1] - 0.1 == pytest.approx(0.01, abs=1e-9)  # .04 less .03


def test_the_level_of_each_is_that_of_the_joint_critical_value() -> None:
    plain = compare(
        np.array([0.9, 0.8]),
        np.random.default_rng(1).normal(0, 1, (200_000, 2)),
        confidence_level=0.95,
        widen=1.3,
    )
    assert plain.level_of_each(1.3) == pytest.approx(0.95, abs=2e-3)
    assert plain.level_of_each() > plain.level_of_each(1.3)
