"""Invariants that every estimator of a binary rate keeps, whatever the counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goldassay.questions.estimate.estimators import ESTIMATORS, Counts, estimates
from goldassay.questions.estimate.multinomial import unmixed
from goldassay.questions.estimate.strata import pooled_weights, stratified_by

COUNTS = st.integers(0, 60)
TEST = st.tuples(COUNTS, COUNTS).map(lambda c: np.array(c, float))
TABLE = st.tuples(COUNTS, COUNTS, COUNTS, COUNTS).map(lambda c: np.array(c, float).reshape(2, 2))


@pytest.mark.parametrize("name", ESTIMATORS)
@settings(deadline=None, max_examples=60)
@given(test=TEST, table=TABLE)
def test_limits_are_ordered_within_0_and_1_and_hold_the_clipped_estimate(name, test, table) -> None:  # type: ignore[no-untyped-def]
    if test.sum() == 0 or table.sum() == 0:
        return
    value, low, high = (float(part) for part in estimates(name, test, table))
    assert 0 <= low <= high <= 1
    if not np.isnan(value):
        if name != "rogan_gladen":  # Lang-Reiczigel is centred elsewhere; `corrected` mends it
            assert low - 1e-9 <= min(max(value, 0), 1) <= high + 1e-9
        assert low < high


@pytest.mark.parametrize("name", ESTIMATORS)
@settings(deadline=None, max_examples=60)
@given(test=TEST, table=TABLE)
def test_calling_the_other_option_positive_mirrors_everything(name, test, table) -> None:  # type: ignore[no-untyped-def]
    if test.sum() == 0 or table.sum() == 0:
        return
    value, low, high = (float(part) for part in estimates(name, test, table))
    turned = [float(part) for part in estimates(name, test[::-1], table[::-1, ::-1])]
    if np.isnan(value):
        assert np.isnan(turned[0])
        return
    assert turned == pytest.approx([1 - value, 1 - high, 1 - low], abs=1e-7)


@pytest.mark.parametrize("name", [n for n in ESTIMATORS if n != "power_tuned"])
@given(test=TEST, table=TABLE, times=st.integers(2, 5))
def test_more_of_the_same_changes_no_estimate(name, test, table, times) -> None:  # type: ignore[no-untyped-def]
    rate = ESTIMATORS[name].rate
    once, more = rate(Counts(test, table)), rate(Counts(times * test, times * table))
    np.testing.assert_allclose(once, more, atol=1e-12)


@pytest.mark.parametrize("name", ESTIMATORS)
@settings(deadline=None)
@given(positives=st.integers(1, 99))
def test_a_perfect_judge_is_left_alone(name, positives) -> None:  # type: ignore[no-untyped-def]
    share = np.array([100 - positives, positives], float)
    value, low, high = estimates(name, 10 * share, np.diag(share))
    assert float(value) == pytest.approx(positives / 100, abs=1e-9)
    assert low < high


@given(
    rates=st.lists(st.floats(0.05, 1), min_size=3, max_size=3),
    errors=st.lists(st.floats(0, 0.15), min_size=6, max_size=6),
)
@settings(deadline=None)
def test_unmixing_undoes_mixing(rates, errors) -> None:  # type: ignore[no-untyped-def]
    truth = np.array(rates) / sum(rates)
    off = np.array(errors).reshape(3, 2)
    confusion = np.array(
        [
            [1 - off[0].sum(), *off[0]],
            [off[1, 0], 1 - off[1].sum(), off[1, 1]],
            [*off[2], 1 - off[2].sum()],
        ]
    )
    np.testing.assert_allclose(unmixed(truth @ confusion, confusion), truth, atol=1e-6)


@given(st.integers(0, 2**16))
@settings(deadline=None, max_examples=40)
def test_unmixed_rates_lie_on_the_simplex(seed: int) -> None:
    rng = np.random.default_rng(seed)
    confusion = rng.dirichlet(np.ones(3), 3)
    verdicts = rng.dirichlet(np.ones(3) * 0.3)
    rates = unmixed(verdicts, confusion)
    assert rates.sum() == pytest.approx(1)
    assert (rates >= -1e-12).all()


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(1, 80), st.integers(1, 80), COUNTS, COUNTS), min_size=2, max_size=5
    ),
    st.integers(0, 2**16),
)
def test_strata_lend_weight_but_lose_none(rows, seed) -> None:  # type: ignore[no-untyped-def]
    table = np.array(rows, float)
    pool, labelled = table[:, :2], np.minimum(table[:, 2:], table[:, :2])
    if (labelled.sum(0) == 0).any():
        return
    hits = np.random.default_rng(seed).binomial(labelled.astype(int), 0.4).astype(float)
    shares = pool / pool.sum()
    weights, extra = pooled_weights(shares, hits, labelled)
    np.testing.assert_allclose(weights.sum(0), shares.sum(0))
    assert extra >= 0
    found = stratified_by(pool, hits, labelled)
    value, low, high = found.whole
    assert low - 1e-9 <= value <= high + 1e-9
