"""P-values of orders, by counting permutations."""

from __future__ import annotations

import pytest

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
