from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from goldassay.questions.estimate.means import moments, moments_of_counts, ppi_mean, stratified_mean


def test_ppi_of_binary_scores_is_that_of_ppi_py() -> None:
    """ppi_py 0.2: labels 11001010, verdicts 10011010, unlabelled 11010101."""
    labels, verdicts = np.array([1, 1, 0, 0, 1, 0, 1, 0]), np.array([1, 0, 0, 1, 1, 0, 1, 0])
    rest = np.array([1, 1, 0, 1, 0, 1, 0, 1])
    value, _, _, weight = ppi_mean(moments(labels, verdicts), moments(rest, rest))
    assert value == pytest.approx(0.5297619, abs=1e-7)
    assert ppi_mean(moments(labels, verdicts), moments(rest, rest), weight=1.0)[0] == 0.625
    assert 0 < weight < 1


def test_moments_of_counts_are_those_of_the_rows() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 9, 12)
    human, judge = rng.normal(size=12), rng.normal(size=12)
    rows = moments(np.repeat(human, counts), np.repeat(judge, counts))
    assert astuple(moments_of_counts(counts, human, judge)) == pytest.approx(astuple(rows))


def test_without_unlabelled_items_it_is_the_labelled_mean() -> None:
    labelled = moments([1.0, 2.0, 3.0], [2.0, 2.0, 4.0])
    value, low, high, weight = ppi_mean(labelled, moments([], []))
    assert (value, weight) == (2.0, 0.0)
    # Student's mean: 2 +- 4.3027 x 1 / sqrt(3)
    assert (low, high) == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-3)


def test_the_mean_by_verdict_weighs_verdicts_as_the_pool_does() -> None:
    # Verdict 0: labels 1, 1, 2; verdict 1: labels 2, 3. The pool has 30 and 10 of them.
    counts = np.array([[2, 0], [1, 1], [0, 1]])
    value, low, high = stratified_mean([30, 10], counts, [1, 2, 3])
    assert value == pytest.approx(0.75 * 4 / 3 + 0.25 * 2.5)
    assert low < value < high


def test_labels_drawn_by_verdict_do_not_bias_the_mean() -> None:
    rng = np.random.default_rng(1)
    joint = np.array([[0.3, 0.05], [0.1, 0.15], [0.05, 0.35]])  # label x verdict
    truth = float(joint.sum(1) @ [1, 2, 3])
    held, values = 0, []
    for _ in range(400):
        pool = rng.multinomial(500, joint.sum(0))
        counts = np.stack(
            [rng.multinomial(25, joint[:, v] / joint[:, v].sum()) for v in range(2)], axis=1
        )
        value, low, high = stratified_mean(pool, counts, [1, 2, 3])
        values.append(value)
        held += low <= truth <= high
    assert np.mean(values) == pytest.approx(truth, abs=0.02)
    assert held / 400 > 0.93
