"""Numbers of combinations of codes."""

from __future__ import annotations

import numpy as np

from goldassay.counts.labels import combined


def test_combinations_of_codes_are_numbered_in_their_order() -> None:
    first, second = np.array([0, 1, 0, 2, 1]), np.array([1, 0, 1, 0, 2])
    assert combined([first, second]).tolist() == [0, 1, 0, 3, 2]
    assert combined([first - 1, second * 2**40]).tolist() == [0, 1, 0, 3, 2]
    assert combined([first, *[second * 10**5] * 5]).tolist() == [0, 1, 0, 3, 2]
    assert combined([first[:0], second[:0]]).tolist() == []
    # As far apart as whole numbers are, on both sides of 0.
    assert combined([(first - 1) * 2**62, second]).tolist() == [0, 1, 0, 3, 2]
