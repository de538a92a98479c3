"""Systems that share their labels, by hand arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from sample_cells import sample_of_cells

from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.shared import SHARED_ASSUMES, shared_counts
from goldassay.questions.estimate.systems import system_rates
from goldassay.results import Estimate, Undefined

RANDOM, BY_VERDICT = drawing("random", apart=False), drawing("by_verdict", apart=False)
#: Rows negative, positive, not labelled; columns called negative, called positive. The judge calls
#: 18 of 20 positives and 4 of 20 negatives positive: J = .9 - .2 = .7.
A = [[8, 2], [1, 9], [47, 33]]
B = [[8, 2], [1, 9], [23, 57]]


def test_shared_labels_share_the_errors_and_not_the_rates() -> None:
    found = system_rates(sample_of_cells(A, B), RANDOM, shared=True, confidence_level=0.95)
    assert found is not None
    # Called positive, labelled items included: 44 and 68 of 100. (.44 - .2) / .7, (.68 - .2) / .7.
    a, b = found.rates
    assert (a.value, b.value) == pytest.approx((0.24 / 0.7, 0.48 / 0.7))
    assert found.differences[0].value == pytest.approx(-0.24 / 0.7)
    assert a.interval is not None
    assert a.declared["estimator"] == "rogan_gladen"
    assert a.assumptions == (SHARED_ASSUMES,)
    assert "P(verdict | label)" in SHARED_ASSUMES


def test_an_abstention_is_not_a_positive() -> None:
    # 2 of 20 negatives called positive, 6 abstained: the false-positive rate is .1, not .4.
    third = [[12, 2, 6], [2, 16, 2], [50, 40, 10]]
    sample = sample_of_cells(third, third)
    shared = system_rates(sample, RANDOM, shared=True, confidence_level=0.95)
    own = system_rates(
        sample, drawing("separate", apart=False), shared=False, confidence_level=0.95
    )
    assert shared is not None
    assert own is not None
    # Called positive: 58 of 140, and 40 of the 100 test items; sensitivity .8.
    assert shared.rates[0].value == pytest.approx((58 / 140 - 0.1) / 0.7)
    assert own.rates[0].value == pytest.approx((0.4 - 0.1) / 0.7)


def test_labels_drawn_by_verdict_weigh_as_the_pool() -> None:
    # The pool has 300 and 100 of the verdicts; 20 and 40 labels: weights 15 and 2.5.
    cells = np.array([[[16.0, 10.0], [4.0, 30.0], [280.0, 60.0]]])
    counts = shared_counts(cells, BY_VERDICT)
    labels = counts.calibration[0]
    share = labels[:, 1] / labels.sum(-1)
    negatives, positives = 16 * 15 + 10 * 2.5, 4 * 15 + 30 * 2.5
    assert share == pytest.approx([25 / negatives, 75 / positives])
    # The worth of the positives' row: S / ((1 - x) w_1 + x w_0).
    x = 75 / positives
    assert labels[1].sum() == pytest.approx(positives / ((1 - x) * 2.5 + x * 15))
    # Drawn at random, labels count as they are.
    assert shared_counts(cells, RANDOM).calibration[0] == pytest.approx(cells[0, :2])


def test_labels_that_do_not_tell_the_judge_from_chance_tell_no_order() -> None:
    """The judge calls more of one system positive, which says which is better if it is any good."""
    many, few = [100, 900], [900, 100]

    def difference(labels: list[list[int]]) -> Estimate:
        sample = sample_of_cells([*labels, many], [[0, 0], [0, 0], few])
        found = system_rates(sample, RANDOM, shared=True, confidence_level=0.95)
        assert found is not None
        return found.differences[0]

    unsure, sure = difference([[1, 0], [8, 11]]), difference([[50, 0], [21, 29]])
    assert unsure.interval is not None
    assert sure.interval is not None
    assert unsure.interval.low < 0 < unsure.interval.high
    assert sure.interval.low > 0  # a hundred labels that say the same of its errors do tell


def test_a_label_class_that_nobody_has_leaves_the_rates_unknown() -> None:
    none = [[8, 2], [0, 0], [47, 33]]
    found = system_rates(sample_of_cells(none, none), RANDOM, shared=True, confidence_level=0.95)
    assert found is not None
    assert all(isinstance(rate, Undefined) for rate in found.rates)
    assert not any(isinstance(rate, Estimate) for rate in found.rates)
    assert found.differences == ()
