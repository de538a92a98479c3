"""Rows in the order of time."""

from __future__ import annotations

import numpy as np

from goldassay.counts.stream import no_rows, repeated


def test_a_stream_that_has_not_begun_has_no_row_in_any_column() -> None:
    columns = [one for one in vars(no_rows()).values() if isinstance(one, np.ndarray)]
    assert [len(one) for one in columns] == [0] * 9


def test_keys_that_occur_again_are_told_once_and_in_order() -> None:
    keys = np.array([7, 3, 9, 3, 7, 3, 1], np.uint64)
    assert repeated(keys).tolist() == [3, 7]
    assert repeated(keys[2:4]).tolist() == []
