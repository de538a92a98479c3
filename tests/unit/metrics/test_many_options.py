"""Tables of more options than are held whole: clusters and weights as the verbs take them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay import metrics
from goldassay.inference.cells import MOST_OPTIONS
from goldassay.results import Estimate

OPTIONS = MOST_OPTIONS + 1


def decisions(items: int = 200) -> tuple[list[str], list[str], np.ndarray]:
    """Labels, verdicts of which seven in ten are right, and clusters of unequal size."""
    rng = np.random.default_rng(3)
    truth = rng.integers(OPTIONS, size=items)
    said = np.where(rng.random(items) < 0.7, truth, rng.integers(OPTIONS, size=items))
    cluster = np.where(np.arange(items) < 60, 0, np.arange(items) // 4)
    return [f"o{k:02}" for k in truth], [f"o{k:02}" for k in said], cluster


@pytest.mark.parametrize(
    "metric", ["accuracy", "balanced_accuracy", "cohen_kappa", "gwet_ac1", "macro_f1", "mcc"]
)
def test_clusters_and_weights_have_intervals(metric: str) -> None:
    truth, said, cluster = decisions()
    weights = np.random.default_rng(1).random(len(truth)) + 0.5
    alone = getattr(metrics, metric)(truth, said)
    for more in ({"clusters": cluster}, {"sample_weight": weights}):
        found = getattr(metrics, metric)(truth, said, **more)
        assert isinstance(found, Estimate)
        assert found.interval is not None
        assert found.interval.low < found.value < found.interval.high
        assert found.interval.length > 0.9 * alone.interval.length


def test_a_coefficient_is_the_verbs() -> None:
    truth, said, cluster = decisions()
    rows = [
        {"item": f"i{k}", "rater": who, "kind": kind, "value": value, "page": f"c{cluster[k]}"}
        for k in range(len(truth))
        for who, kind, value in (("ann", "human", truth[k]), ("gpt", "judge", said[k]))
    ]
    options = [f"o{k:02}" for k in range(OPTIONS)]
    task = {"scale": "nominal", "options": options, "cluster": "page"}
    found = ga.agree(pl.DataFrame(rows), task)
    for name in ("accuracy", "balanced_accuracy", "cohen_kappa"):
        own = getattr(metrics, name)(truth, said, clusters=cluster)
        assert found[name, "gpt"].interval.low == pytest.approx(own.interval.low, abs=1e-12)
        assert found[name, "gpt"].interval.high == pytest.approx(own.interval.high, abs=1e-12)


def test_pairs_of_raters_in_any_order() -> None:
    # 12 raters without a common item among 32: their pairs are the last block of 50, or the first.
    rng = np.random.default_rng(0)
    items, raters, few = 48, 32, 12
    cluster = np.arange(items) // 8
    truth = rng.integers(2, size=items)
    sound = rng.random((6, raters)) < 0.6
    given: list[list[int | None]] = [
        [
            int(
                truth[i] if rng.random() < (0.95 if sound[cluster[i], j] else 0.4) else 1 - truth[i]
            )
            for i in range(items)
        ]
        for j in range(raters)
    ]
    for j in range(raters - few, raters):
        given[j] = [v if i % few == j - (raters - few) else None for i, v in enumerate(given[j])]
    one, two = (
        metrics.mean_pairwise_kappa(order, clusters=cluster.tolist()).interval
        for order in (given, given[::-1])
    )
    assert one.method == two.method
    assert "6 clusters" in one.method
    assert one.low == pytest.approx(two.low, abs=0.05)
    assert one.high == pytest.approx(two.high, abs=0.05)


def test_alpha_of_far_grades_reads_every_cell() -> None:
    """Which grades were taken for which decides, and no margin tells that."""
    grades = np.arange(OPTIONS).repeat(6)
    rng = np.random.default_rng(5)
    near = np.clip(grades + rng.integers(-1, 2, len(grades)), 0, OPTIONS - 1)
    found = metrics.krippendorff_alpha(grades, near, difference="ordinal")
    both = metrics.krippendorff_alpha(ratings=[grades, near], difference="ordinal")
    assert found.value == pytest.approx(both.value)
    assert found.interval.low < found.value < found.interval.high
