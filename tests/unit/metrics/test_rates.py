"""Shares of decisions, by hand and beside scikit-learn and SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sklearn

from goldassay import metrics as m
from goldassay.results import Estimate, Undefined

#: Rows people, columns judge; the second label is the positive one: TN 50, FP 10, FN 5, TP 35.
COUNTS = [[50, 10], [5, 35]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("accuracy", 85 / 100),
        ("chance_agreement", 0.6 * 0.55 + 0.4 * 0.45),
        ("sensitivity", 35 / 40),
        ("recall", 35 / 40),
        ("specificity", 50 / 60),
        ("precision", 35 / 45),
        ("negative_predictive_value", 50 / 55),
        ("balanced_accuracy", (35 / 40 + 50 / 60) / 2),
        ("youden_j", 35 / 40 + 50 / 60 - 1),
        ("f1", 70 / 85),
        ("macro_f1", (70 / 85 + 100 / 115) / 2),
    ],
)
def test_by_hand(name: str, value: float) -> None:
    found = getattr(m, name)(counts=COUNTS)
    assert found.value == pytest.approx(value, rel=1e-14)
    assert found.value in found.interval
    assert (found.name, found.n_items, found.n_clusters) == (name, 100, 100)


@pytest.mark.parametrize("size", [2, 4])
def test_as_scikit_learn_has_them(size: int) -> None:
    rng = np.random.default_rng(size)
    truth, verdict = rng.integers(0, size, (2, 200))
    assert m.accuracy(truth, verdict).value == pytest.approx(sklearn.accuracy_score(truth, verdict))
    assert m.balanced_accuracy(truth, verdict).value == pytest.approx(
        sklearn.balanced_accuracy_score(truth, verdict)
    )
    assert m.macro_f1(truth, verdict).value == pytest.approx(
        sklearn.f1_score(truth, verdict, average="macro")
    )
    one = {"labels": [1], "average": None}
    for ours, theirs in (
        (m.precision, sklearn.precision_score),
        (m.recall, sklearn.recall_score),
        (m.f1, sklearn.f1_score),
    ):
        assert ours(truth, verdict, positive=1).value == pytest.approx(
            theirs(truth, verdict, **one)[0]
        )


@pytest.mark.parametrize(("method", "scipy"), [("wilson", "wilson"), ("clopper_pearson", "exact")])
def test_textbook_intervals_of_a_share(method: Any, scipy: str) -> None:
    found = m.accuracy(counts=COUNTS, method=method, confidence_level=0.9)
    low, high = stats.binomtest(85, 100).proportion_ci(0.9, method=scipy)
    assert isinstance(found, Estimate)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), rel=1e-9)
    assert found.interval.method == f"{method.replace('_', '-')} binomial"


def test_a_share_without_trials_is_undefined() -> None:
    found = m.precision([1, 1, 0], [0, 0, 0])
    assert found == Undefined(
        "precision", "the judge never says positive (both say the same on 1 of 3)", 3
    )
    assert isinstance(m.balanced_accuracy([1, 1], [1, 0]), Undefined)


@pytest.mark.parametrize(
    ("options", "items", "right", "even"), [(5, 200, 0.95, True), (3, 100, 0.8, False)]
)
def test_chance_agreement_is_held_where_it_is_least_and_elsewhere(
    options: int, items: int, right: float, even: bool
) -> None:
    """Five even options: draws lie above the estimate, as that does above the truth. Elsewhere the
    interval is hardly longer than the normal one whose standard error is known."""
    rng, runs = np.random.default_rng(5), 120
    share = np.ones(options) if even else np.arange(1.0, options + 1) ** 1.5
    share = share / share.sum()
    joint = share[:, None] * np.where(
        np.eye(options, dtype=bool), right, (1 - right) / (options - 1)
    )
    truth = float(joint.sum(1) @ joint.sum(0))
    held, length, values = 0, 0.0, []
    for _ in range(runs):
        found = m.chance_agreement(
            counts=rng.multinomial(items, joint.reshape(-1)).reshape(options, options), draws=400
        )
        assert isinstance(found, Estimate)
        assert found.interval is not None
        held += truth in found.interval
        length += (found.interval.high - found.interval.low) / runs
        values.append(found.value)
    assert held / runs > 0.95 - 2 * np.sqrt(0.05 * 0.95 / runs)
    if not even:
        assert length < 1.25 * 2 * 1.96 * np.std(values)


def test_a_share_of_an_option_that_the_reference_lacks_is_undefined() -> None:
    shares = {"a": 0.3, "b": 0.3, "c": 0.4}
    table = [[5, 0, 1], [1, 4, 0], [0, 0, 0]]
    found = m.weighted_balanced_accuracy(counts=table, labels=[*shares], prevalence=shares)
    assert isinstance(found, Undefined)
    assert found.reason.startswith("the reference lacks an option that has a share (")
