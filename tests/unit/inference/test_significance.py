"""P-values of orders, by counting permutations."""

from __future__ import annotations

import pytest
from scipy.stats import kendalltau

from goldassay.inference.significance import kendall_p_value


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ([1, 2, 3, 4], 2 / 24),  # one of 24 orders has no inversion, and one is turned round
        ([4, 3, 2, 1], 2 / 24),
        ([2, 1, 3, 4], 2 * (1 + 3) / 24),  # three orders have one inversion
        ([2, 1, 4, 3], 2 * (1 + 3 + 5) / 24),  # five have two
    ],
)
def test_inversions_of_four_are_counted(second: list[int], expected: float) -> None:
    assert kendall_p_value([1, 2, 3, 4], second) == pytest.approx(expected)


@pytest.mark.parametrize(("x", "y"), [([1, 2, 3, 4, 5, 6], [1, 1, 2, 3, 3, 4])])
def test_ties_on_one_side_alone_are_ties(x: list[int], y: list[int]) -> None:
    """Permutations of untied orders do not count there: the normal form of SciPy does."""
    assert kendall_p_value(x, y) == pytest.approx(kendalltau(x, y).pvalue)
    assert kendall_p_value(y, x) == pytest.approx(kendalltau(y, x).pvalue)
