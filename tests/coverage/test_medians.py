"""`rank`'s medians: few prompts, lone or in clusters, and how long the interval is."""

from __future__ import annotations

import numpy as np
import pytest
from internals import median_ends
from scipy.stats import binom

RUNS, LEVEL = 300, 0.95


def found(scores: np.ndarray, cluster: np.ndarray | None, worth: float) -> np.ndarray:
    """Ends (2, RUNS) of the medians of scores (prompts, RUNS), which lie between -99 and 99."""
    medians, ends = np.median(scores, axis=0), (-99.0, 99.0)
    return np.array(
        median_ends(scores, medians, cluster, ends, confidence_level=LEVEL, worth=worth)
    )


@pytest.mark.parametrize("prompts", [3, 6, 9, 17, 40, 120])
def test_lone_prompts(prompts: int) -> None:
    scores = np.exp(np.random.default_rng(prompts).normal(size=(prompts, RUNS)))
    low, high = found(scores, None, prompts)
    assert ((low <= 1) & (high >= 1)).mean() + 2 * np.sqrt(0.05 * 0.95 / RUNS) >= 0.95
    # The exact order statistics of the sign test, where there are such.
    first = int(binom.ppf((1 - LEVEL) / 2, prompts, 0.5))
    if prompts >= 6:
        ordered = np.sort(scores, axis=0)
        exact = ordered[prompts - first] - ordered[first - 1]
        assert (high - low).mean() <= 1.1 * exact.mean()


@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_prompts_in_clusters(correlation: float) -> None:
    rng, cluster = np.random.default_rng(8), np.repeat(np.arange(12), 6)
    shared = rng.normal(size=(12, RUNS))[cluster]
    own = rng.normal(size=(72, RUNS))
    scores = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
    low, high = found(scores, cluster, 12.0)
    assert ((low <= 0) & (high >= 0)).mean() + 2 * np.sqrt(0.05 * 0.95 / RUNS) >= 0.95
