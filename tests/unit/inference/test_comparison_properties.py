"""What must hold of any comparison of judges."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from goldassay.formulas.agreement import balanced_accuracy
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.cells import Cells
from goldassay.inference.comparison import compare, joint_draws, posterior_tables, same_verdicts


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
