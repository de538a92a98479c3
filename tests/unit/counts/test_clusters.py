"""What a resample draws: prompts, or more, never less."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.counts.clusters import prompt_clusters


@pytest.mark.parametrize(
    ("prompt", "cluster", "unit"),
    [
        ([0, 1, 2], [0, 1, 2], [0, 1, 2]),  # each its own
        ([0, 1, 2, 3], [1, 1, 0, 0], [0, 0, 1, 1]),  # clusters of prompts
        ([0, 0, 1, 1], [0, 1, 2, 3], [0, 1]),  # clusters within prompts: the prompts
        ([0, 0, 1, 2, 3], [0, 1, 1, 2, 2], [0, 0, 1, 1]),  # across them: joined
        ([0, 1, 2], [0, 0, 0], [0, 0, 0]),
    ],
)
def test_units_hold_whole_prompts(prompt: list[int], cluster: list[int], unit: list[int]) -> None:
    found = prompt_clusters(np.array(prompt), np.array(cluster))
    assert found.tolist() == unit
