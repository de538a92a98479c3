"""Splits of labels: the paper's Algorithm 1, the best split, and the sequential allocation."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.inference.rates import stratified_limits
from goldassay.lab.scenarios.allocation import label_in_batches
from goldassay.questions.plan.allocation import algorithm_1, next_labels
from goldassay.questions.plan.designs import BY_LABEL, Purpose, length_of_shares
from goldassay.questions.plan.precision import JudgeRates


@pytest.mark.parametrize(
    ("labels", "verdict_rate", "expected"), [(200, 0.4, (136, 64)), (500, 0.5, (293, 207))]
)
def test_algorithm_1_gives_what_the_papers_code_gives(
    labels: int, verdict_rate: float, expected: tuple[int, int]
) -> None:
    split = algorithm_1(labels, verdict_rate, specificity=0.7, sensitivity=0.9, pilot=10)
    assert split == (*expected, ())


@pytest.mark.parametrize(("verdict_rate", "expected"), [(0, (190, 10)), (1, (10, 190))])
def test_algorithm_1_answers_a_judge_that_calls_all_alike(
    verdict_rate: float, expected: tuple[int, int]
) -> None:
    """The formula divides by p; its limits are used, and near them nothing jumps."""
    split = algorithm_1(200, verdict_rate, specificity=0.7, sensitivity=0.9)
    assert split[:2] == expected
    assert "item positive" in split.notes[0]
    near = algorithm_1(200, abs(verdict_rate - 1e-6), specificity=0.7, sensitivity=0.9)
    assert near[:2] == expected


def test_algorithm_1_shrinks_a_pilot_that_does_not_fit() -> None:
    split = algorithm_1(12, 0.4, specificity=0.7, sensitivity=0.9, pilot=10)
    assert split[:2] == (6, 6)
    assert "6 used" in split.notes[0]
    with pytest.raises(ValueError, match="at least 2 labels"):
        algorithm_1(1, 0.4, specificity=0.7, sensitivity=0.9)


def test_algorithm_1_survives_a_perfect_pilot() -> None:
    assert sum(algorithm_1(100, 0.5, specificity=1.0, sensitivity=1.0)[:2]) == 100


def test_next_labels_starts_in_proportion_and_then_follows_the_spread() -> None:
    assert next_labels([600, 400], [0, 0], [0, 0], 20).tolist() == [12, 8]
    # 30 labels in either stratum: half positive in the first, none in the second.
    more = next_labels([500, 500], [30, 30], [15, 0], 40)
    assert more.tolist() == [40, 0]


def test_next_labels_respects_what_a_stratum_holds() -> None:
    assert next_labels([3, 1000], [0, 0], [0, 0], 8).tolist() == [3, 5]
    assert next_labels([3, 4], [0, 0], [0, 0], 80).tolist() == [3, 4]
    assert next_labels([10, 0], [10, 0], [4, 0], 5).tolist() == [0, 0]


def test_next_labels_gives_a_new_stratum_its_pilot_first() -> None:
    assert next_labels([600, 400, 50], [200, 0, 0], [9, 0, 0], 10).tolist() == [0, 5, 5]


def test_next_labels_is_the_same_one_at_a_time_and_together() -> None:
    rng = np.random.default_rng(0)
    items = rng.integers(10, 500, (40, 3))
    labelled = rng.integers(0, items + 1)
    positives = rng.integers(0, labelled + 1)
    together = next_labels(items, labelled, positives, 25)
    for i in range(40):
        one = next_labels(items[i], labelled[i], positives[i], 25)
        assert one.tolist() == together[i].tolist()
        assert one.sum() == min(25, (items[i] - labelled[i]).sum())
        assert (one >= 0).all()
        assert (one + labelled[i] <= items[i]).all()


@pytest.mark.parametrize("theta", np.arange(0, 1.01, 0.25))
@pytest.mark.parametrize(("specificity", "sensitivity"), [(0.7, 0.9), (0.9, 0.9)])
def test_sequential_allocation_is_shorter_than_algorithm_1_and_covers(
    theta: float, specificity: float, sensitivity: float
) -> None:
    """Figure 5's design: 1,000 judged items, 200 labels."""
    rates = JudgeRates(theta, sensitivity, specificity)
    pools = label_in_batches(
        rates, items=1000, labels=200, replications=1000, rng=np.random.default_rng(1)
    )
    assert (pools.labelled.sum(-1) == 200).all()
    low, high = stratified_limits(pools.items, pools.positives, pools.labelled)
    covered = (low <= theta) & (theta <= high)
    split = algorithm_1(200, rates.verdict_rate, specificity=specificity, sensitivity=sensitivity)
    shares = (split.negatives, split.positives)
    theirs = length_of_shares(BY_LABEL, rates, shares, Purpose(0.1, 1000))
    assert (high - low).mean() < 0.8 * theirs
    assert covered.mean() > 0.925
