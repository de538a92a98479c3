"""Declared tables: the three modes of abstention and of invalid outputs."""

from __future__ import annotations

import numpy as np
import pytest

from karat.counts import declared_classes, declared_tables
from karat.task import Abstentions, Invalids, Task

#: Rows yes, no, abstained; columns yes, no, abstained, invalid, failed.
COUNTS = np.array([[8, 2, 1, 3, 9], [1, 7, 2, 0, 9], [1, 0, 4, 1, 9]], dtype=float)


def task(abstentions: Abstentions, invalids: Invalids = "exclude") -> Task:
    return Task(
        scale="binary", options=("yes", "no"), positive="yes", abstentions=abstentions,
        invalids=invalids, recode_to="no",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("abstentions", "invalids", "expected"),
    [
        ("exclude", "exclude", [[8, 2], [1, 7]]),
        ("recode", "exclude", [[8, 3], [2, 13]]),
        ("class", "exclude", [[8, 2, 1], [1, 7, 2], [1, 0, 4]]),
        ("exclude", "wrong", [[8, 2, 3], [1, 7, 0], [0, 0, 0]]),
        ("class", "class", [[8, 2, 1, 3], [1, 7, 2, 0], [1, 0, 4, 1], [0, 0, 0, 0]]),
    ],
)
def test_modes(abstentions: Abstentions, invalids: Invalids, expected: list[list[int]]) -> None:
    declared = task(abstentions, invalids)
    assert declared_tables(COUNTS, declared).tolist() == expected
    assert len(declared_classes(declared)) == len(expected)


def test_leading_axes_are_kept() -> None:
    stack = np.stack([COUNTS, 2 * COUNTS])
    assert declared_tables(stack, task("recode")).tolist() == [
        [[8, 3], [2, 13]],
        [[16, 6], [4, 26]],
    ]
