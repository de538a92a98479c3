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


@pytest.mark.parametrize("seed", range(20))
def test_the_same_as_connected_components(seed: int) -> None:
    """Against SciPy, on links from none to nearly all, and on a chain through every prompt."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(2, 60)), int(rng.integers(1, 80))
    prompt = np.concatenate([np.arange(n), rng.integers(0, n, size=seed)])
    cluster = rng.integers(0, c, size=len(prompt))
    if seed == 0:  # 0 - 1 - 2 - ... in a random order of the prompts
        order = rng.permutation(n)
        prompt, cluster = np.repeat(order, 2)[1:-1], np.repeat(np.arange(n - 1), 2)
    links = coo_array((np.ones(len(prompt)), (prompt, n + cluster)), shape=(n + c + n, n + c + n))
    label = connected_components(links.tocsr(), directed=False)[1][:n]
    first = np.array([np.flatnonzero(label == one)[0] for one in label])
    assert (
        prompt_clusters(prompt, cluster).tolist()
        == np.unique(first, return_inverse=True)[1].tolist()
    )
