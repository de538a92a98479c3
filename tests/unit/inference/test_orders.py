"""Percentile ends of replicates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from goldassay.inference.orders import percentile_ends


@pytest.mark.parametrize("clusters", [2, 3, 20])
def test_ends_of_few_clusters_are_those_of_the_expanded_tail(clusters: int) -> None:
    """Student's t times the root of C / (C - 1), as a share of the normal (Hesterberg 2015)."""
    replicates = np.linspace(0, 1, 100_001)
    low, high = percentile_ends(replicates, confidence_level=0.9, n_clusters=clusters)
    reach = stats.t(clusters - 1).ppf(0.95) * np.sqrt(clusters / (clusters - 1))
    assert float(low) == pytest.approx(stats.norm.sf(reach), abs=1e-5)
    assert float(high) == pytest.approx(1 - stats.norm.sf(reach), abs=1e-5)


def test_one_cluster_has_the_plain_percentiles() -> None:
    low, high = percentile_ends(np.linspace(0, 1, 1001), confidence_level=0.9, n_clusters=1)
    assert (float(low), float(high)) == pytest.approx((0.05, 0.95))
