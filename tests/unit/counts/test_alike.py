"""Clusters with the same units are held once, and every number stays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import goldassay as ga
from goldassay.counts import alike, alike_clusters, count_units
from goldassay.inference import clusters
from goldassay.questions.agree import standing, unlike
from goldassay.results import Undefined

TASK = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "abstain": ["?"],
    "cluster": "thread",
}


def _table(items: int = 900, seed: int = 3) -> pl.DataFrame:
    """Threads of few items, three judges of whom one abstains and skips, two people."""
    rng = np.random.default_rng(seed)
    thread = np.sort(rng.integers(0, items, items))
    truth = rng.random(items) < 0.4
    rows = []
    for who, kind, wrong in (
        ("ann", "human", 0.05),
        ("ben", "human", 0.1),
        ("j1", "judge", 0.1),
        ("j2", "judge", 0.2),
        ("j3", "judge", 0.3),
    ):
        said = truth ^ (rng.random(items) < wrong)
        for item in range(items):
            if who in ("ben", "j3") and rng.random() < 0.1:
                continue
            value = "yes" if said[item] else "no"
            value = "?" if who == "j3" and rng.random() < 0.1 else value
            rows.append((f"i{item}", f"t{thread[item]:04}", who, kind, value))
    return pl.DataFrame(rows, ("item", "thread", "rater", "kind", "value"), orient="row")


def test_the_clusters_of_a_kind_have_its_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "MANY_CLUSTERS", 0)
    units = count_units(ga.read_ratings(_table(), ga.Task(**_declared())))
    held = alike_clusters(units)
    assert held.alike is not None
    assert held.kinds is not None
    assert held.alike.sum() == len(np.unique(units.cluster)) > 4 * len(held.alike) / 3
    assert held.n.sum() == units.n.sum()

    def said(one: Any, cluster: int, times: int) -> list[tuple[int, ...]]:
        mine = one.cluster == cluster
        columns = np.column_stack([one.human[mine], one.verdict[mine], one.n[mine] // times])
        return sorted(map(tuple, columns.tolist()))

    for cluster, kind in enumerate(held.kinds.tolist()):
        if kind < 0:
            assert not (units.cluster == cluster).any()
        else:
            assert said(units, cluster, 1) == said(held, kind, int(held.alike[kind]))


def test_every_number_of_agreement_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (standing, unlike):  # few clusters are drawn apart where none are merged
        monkeypatch.setattr(module, "MOST_APART", 1)
    table = _table()
    before = ga.agree(table, TASK, resamples=200)
    seen = []
    summed = clusters.cluster_sums
    monkeypatch.setattr(
        unlike, "cluster_sums", lambda *given: seen.append(given[3]) or summed(*given)
    )
    monkeypatch.setattr(alike, "MANY_CLUSTERS", 0)
    after = ga.agree(table, TASK, resamples=200)
    assert seen[0] is not None
    assert len(before.rows) == len(after.rows)
    for old, new in zip(before.rows, after.rows, strict=True):
        assert (old.result.name, old.about) == (new.result.name, new.about)
        if isinstance(old.result, Undefined) or isinstance(new.result, Undefined):
            assert old.result == new.result
            continue
        assert math.isclose(old.result.value, new.result.value, rel_tol=1e-9)
        assert (old.result.n_items, old.result.n_clusters) == (
            new.result.n_items,
            new.result.n_clusters,
        )
        if old.result.interval is None or new.result.interval is None:
            assert old.result.interval is new.result.interval
        else:
            assert math.isclose(old.result.interval.low, new.result.interval.low, abs_tol=1e-9)
            assert math.isclose(old.result.interval.high, new.result.interval.high, abs_tol=1e-9)


def _declared() -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in TASK.items()}
