"""What must hold of any comparison, allocation and threshold."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from goldassay.formulas.agreement import accuracy, balanced_accuracy, youden_j
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.cells import Cells
from goldassay.inference.comparison import compare, joint_draws, posterior_tables, same_verdicts
from goldassay.questions.plan.allocation import algorithm_1, next_labels
from goldassay.questions.plan.costs import FREE_VERDICTS, cost_ratio
from goldassay.questions.plan.designs import (
    BY_VERDICT,
    RANDOM,
    Purpose,
    expected_length,
    labels_for_length,
)
from goldassay.questions.plan.precision import JudgeRates
from goldassay.questions.select.frontier import frontier
from goldassay.questions.select.ordering import order_agreement
from goldassay.questions.select.thresholds import best_cut, roc

shares = st.floats(0.0, 1.0)
tables = hnp.arrays(np.int64, (2, 2), elements=st.integers(0, 50))
square = st.integers(2, 5).flatmap(
    lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(1, 50))
)


@given(square)
def test_balanced_accuracy_is_linear_in_j(counts: np.ndarray) -> None:
    k = len(counts)
    assert np.isclose(balanced_accuracy(counts), (k - 1) / k * youden_j(counts) + 1 / k)


@given(tables.filter(lambda t: t.sum(-1).min() > 0), st.integers(2, 9))
def test_j_ignores_prevalence_and_accuracy_does_not(counts: np.ndarray, times: int) -> None:
    """More of one class with the same error rates changes nothing for J."""
    more = counts * np.array([[times], [1]])
    assert np.isclose(youden_j(more), youden_j(counts))
    assert np.isclose(youden_j(counts[::-1, ::-1]), youden_j(counts))  # and neither the labels
    balanced = counts / counts.sum(-1, keepdims=True)
    assert np.isclose(accuracy(balanced), balanced_accuracy(counts))


@given(
    hnp.arrays(np.int64, (4, 3, 2, 2), elements=st.integers(0, 9)),
    st.permutations([0, 1, 2, 2, 1, 2]),
    st.integers(0, 99),
    st.booleans(),
)
def test_what_is_said_of_a_judge_is_said_of_its_twin(
    counts: np.ndarray, owners: list[int], seed: int, by_cells: bool
) -> None:
    """Judges with the same verdicts differ by 0, and from every other by the same interval."""
    tables = counts.astype(float)[:, owners] + 1
    times = np.ones(4, dtype=np.int64)
    held = Cells.of(tables) if by_cells else tables
    same = same_verdicts(held)
    distinct = np.unique(counts, axis=1).shape[1]
    assert len(np.unique(same)) == distinct
    draws = joint_draws(balanced_accuracy, tables, times, draws=60, seed=seed)
    values = balanced_accuracy(tables.sum(0))
    found = compare(values, draws, confidence_level=0.9, same=same)
    assert np.allclose(found.low, -found.high.T)
    for one in range(6):
        for two in np.flatnonzero(same == same[one]):
            assert found.difference[one, two] == 0
            assert not found.apart(one, two)
            others = np.flatnonzero(same != same[one])
            assert (found.low[one, others] == found.low[two, others]).all()
            assert (found.high[one, others] == found.high[two, others]).all()


@given(hnp.arrays(np.int64, (3, 3, 2, 2), elements=st.integers(0, 9)), st.integers(0, 99))
def test_comparison_is_antisymmetric_and_order_free(counts: np.ndarray, seed: int) -> None:
    counts = counts.astype(float) + 1
    values = balanced_accuracy(counts.sum(0))
    times = np.ones(3, dtype=np.int64)
    rng = np.random.default_rng(seed)
    weights = exponential_weights(times, 50, rng)
    draws = balanced_accuracy(posterior_tables(counts, weights, rng=rng))
    found = compare(values, draws, confidence_level=0.9)
    assert np.allclose(found.low, -found.high.T)
    swapped = compare(values[::-1], draws[:, ::-1], confidence_level=0.9)
    assert np.isclose(swapped.critical, found.critical)
    assert np.allclose(swapped.low, found.low[::-1, ::-1])


@given(
    hnp.arrays(np.int64, 4, elements=st.integers(0, 400)),
    hnp.arrays(np.float64, (2, 4), elements=shares),
    st.integers(1, 300),
)
def test_next_labels_spends_the_batch_within_the_strata(
    items: np.ndarray, parts: np.ndarray, batch: int
) -> None:
    labelled = np.floor(items * parts[0])
    positives = np.floor(labelled * parts[1])
    more = next_labels(items, labelled, positives, batch)
    assert (more >= 0).all()
    assert (labelled + more <= items).all()
    assert more.sum() == min(batch, (items - labelled).sum())


@given(st.integers(2, 2000), shares, shares, shares, st.integers(1, 50))
def test_algorithm_1_always_splits(
    labels: int, rate: float, specificity: float, sensitivity: float, pilot: int
) -> None:
    split = algorithm_1(labels, rate, specificity=specificity, sensitivity=sensitivity, pilot=pilot)
    assert split.negatives + split.positives == labels
    least = min(pilot, labels // 2)
    assert split.negatives >= least
    assert split.positives >= least


@given(shares, shares, shares)
def test_labels_from_the_pool_never_lose_to_people(
    theta: float, sensitivity: float, specificity: float
) -> None:
    random = cost_ratio(RANDOM, theta, sensitivity, specificity, costs=FREE_VERDICTS)
    by_verdict = cost_ratio(BY_VERDICT, theta, sensitivity, specificity, costs=FREE_VERDICTS)
    assert by_verdict <= random + 1e-9
    assert random <= 1 + 1e-9


@given(st.floats(0.05, 0.95), st.floats(0.6, 0.99), st.floats(0.6, 0.99), st.floats(0.05, 0.3))
def test_the_fewest_labels_reach_the_length(
    theta: float, sensitivity: float, specificity: float, length: float
) -> None:
    rates = JudgeRates(theta, sensitivity, specificity)
    labels = labels_for_length(BY_VERDICT, rates, Purpose(length))
    assert labels is not None
    assert expected_length(BY_VERDICT, rates, labels) <= length


@given(
    hnp.arrays(np.float64, 30, elements=st.integers(0, 8).map(float)),
    hnp.arrays(np.bool_, 30).filter(lambda a: 0 < a.sum() < 30),
)
def test_no_threshold_beats_the_best_cut(scores: np.ndarray, positive: np.ndarray) -> None:
    def youden(cut: float) -> float:
        called = scores >= cut
        return float(called[positive].mean() - called[~positive].mean())

    curve = roc(scores, positive.astype(float), (~positive).astype(float))
    best = youden(best_cut(curve))
    assert best >= max(youden(cut) for cut in np.append(np.unique(scores), 99)) - 1e-12


@given(hnp.arrays(np.float64, (5, 2), elements=st.integers(1, 20).map(float)))
def test_order_agreement_is_1_with_oneself_and_turns_round(scores: np.ndarray) -> None:
    people, judge = scores.T
    agreement = order_agreement(people, people)
    assert np.isnan(agreement) or agreement == 1
    straight = order_agreement(judge, people)
    assert np.isnan(straight) or np.isclose(straight + order_agreement(-judge, people), 1)


@given(st.lists(st.tuples(shares, st.floats(0, 9)), min_size=1, max_size=8))
def test_everyone_off_the_frontier_is_matched_by_someone_no_dearer(
    judges: list[tuple[float, float]],
) -> None:
    values, prices = [v for v, _ in judges], [p for _, p in judges]
    kept = frontier(values, prices)
    for i in set(range(len(judges))) - set(kept):
        assert any(prices[k] <= prices[i] and values[k] >= values[i] for k in kept)
