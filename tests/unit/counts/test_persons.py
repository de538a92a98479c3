"""Numbers of combinations of codes."""

from __future__ import annotations

import numpy as np

from goldassay.counts.persons import _numbered


def test_combinations_of_codes_are_numbered_in_their_order() -> None:
    first, second = np.array([0, 1, 0, 2, 1]), np.array([1, 0, 1, 0, 2])
    assert _numbered([first, second]).tolist() == [0, 1, 0, 3, 2]
