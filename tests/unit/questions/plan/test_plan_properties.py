"""What must hold of any allocation of labels."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

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

shares = st.floats(0.0, 1.0)


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
