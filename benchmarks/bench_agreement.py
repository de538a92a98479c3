"""Agreement and alpha against scikit-learn, evalica and krippendorff on the same data.

Run it: python benchmarks/bench_agreement.py
CPU seconds. Peers that take minutes are timed on a few resamples and carried on by the slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from timing import carried_on, cpu, row

from goldassay.formulas import agreement as c
from goldassay.formulas import reliability as rel
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.posterior import hedged_draws, hedged_interval

ONE = np.eye(4).reshape(4, 2, 2)
METRICS = (c.accuracy, c.cohen_kappa, c.phi, lambda t: c.f1(t, positive=0))


def agreement(y: np.ndarray, v: np.ndarray, draws: int) -> list[object]:
    table = np.bincount(2 * y + v, minlength=4).reshape(2, 2)
    drawn = hedged_draws(ONE, table.ravel(), draws=draws, seed=1, clustered=False)
    return [
        hedged_interval(metric, drawn, float(metric(table)), confidence_level=0.95)
        for metric in METRICS
    ]


def scikit_learn(y: np.ndarray, v: np.ndarray, resamples: int) -> None:
    from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef

    rng = np.random.default_rng(0)
    for _ in range(resamples):
        rows = rng.integers(0, len(y), len(y))
        a, b = y[rows], v[rows]
        for metric in (accuracy_score, cohen_kappa_score, matthews_corrcoef, f1_score):
            metric(a, b)


def clustered(cells: np.ndarray, draws: int) -> object:
    """50,000 items x 20 criteria: distinct tables of items, drawn together."""
    tables, times = distinct_clusters(cells, np.ones(len(cells), np.int64))
    drawn = hedged_draws(tables, times, draws=draws, seed=1, clustered=True)
    total = np.tensordot(times, tables, axes=1)
    return [hedged_interval(m, drawn, float(m(total)), confidence_level=0.95) for m in METRICS]


def rows_by_cluster(y: np.ndarray, v: np.ndarray, per: int, resamples: int) -> None:
    """The plain way: draw items, gather their rows, count."""
    rng = np.random.default_rng(0)
    items = len(y) // per
    for _ in range(resamples):
        picked = rng.integers(0, items, items)
        rows = (picked[:, None] * per + np.arange(per)).ravel()
        table = np.bincount(2 * y[rows] + v[rows], minlength=4).reshape(2, 2)
        for metric in METRICS:
            metric(table)


def patterns_of(codes: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The distinct units by their ratings, and how many units have each."""
    counts = rel.tally(codes, size)
    return distinct_clusters(counts, np.ones(len(counts), np.int64))


def alpha(codes: np.ndarray, size: int) -> float:
    patterns, times = patterns_of(codes, size)
    together = np.tensordot(times, rel.coincidences(patterns), axes=1)
    return float(rel.krippendorff_alpha(together))


def alpha_interval(codes: np.ndarray, size: int, draws: int) -> np.ndarray:
    patterns, times = patterns_of(codes, size)
    units = rel.coincidences(patterns).reshape(len(patterns), -1)
    weights = exponential_weights(times, draws, np.random.default_rng(1))
    drawn = rel.krippendorff_alpha((weights @ units).reshape(draws, size, size))
    return np.quantile(drawn, [0.025, 0.975])


def run() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    n = 1_000_000
    y = (rng.random(n) < 0.3).astype(np.int64)
    v = np.where(rng.random(n) < 0.85, y, 1 - y)
    agreement(y[:1000], v[:1000], 10)
    scikit_learn(y[:100], v[:100], 1)  # imports
    out = [
        row(
            "four metrics + 1,000 resamples, 1,000,000 decisions",
            cpu(lambda: agreement(y, v, 1000)),
            "scikit-learn on rows (from 1 and 3 resamples)",
            carried_on(lambda times: scikit_learn(y, v, times), 1000, (1, 3)),
            ">= 1000",
        )
    ]
    cells = np.zeros((50_000, 4))
    np.add.at(cells, (np.repeat(np.arange(50_000), 20), 2 * y + v), 1)
    out.append(
        row(
            "the same, clustered: 50,000 items x 20 criteria",
            cpu(lambda: clustered(cells.reshape(-1, 2, 2), 1000)),
            "NumPy on rows (from 2 and 6 resamples)",
            carried_on(lambda times: rows_by_cluster(y, v, 20, times), 1000),
            "",
        )
    )
    truth = rng.integers(0, 5, 200_000)
    codes = np.where(rng.random((10, 200_000)) < 0.7, truth, rng.integers(0, 5, (10, 200_000)))
    missing = rng.random(codes.shape) < 0.2
    ours = np.where(missing, -1, codes).astype(np.int8)
    scores = np.where(missing, np.nan, codes)
    alpha(ours[:, :100], 5)
    point = cpu(lambda: alpha(ours, 5))
    out += _alpha_peers(
        scores, alpha(ours, 5), point, cpu(lambda: alpha_interval(ours, 5, 1000), 2)
    )
    return out


def _alpha_peers(
    scores: np.ndarray, value: float, point: float, interval: float
) -> list[dict[str, Any]]:
    import evalica
    import krippendorff
    import pandas as pd

    frame = pd.DataFrame(scores)
    name = "Krippendorff's alpha, 10 x 200,000, 20 % missing"
    assert abs(evalica.alpha(frame, distance="nominal").alpha - value) < 1e-9
    seconds = cpu(lambda: evalica.alpha(frame, distance="nominal"), 2)
    out = [row(name, point, f"evalica {evalica.__version__}", seconds, ">= 2")]
    seconds = cpu(
        lambda: krippendorff.alpha(reliability_data=scores, level_of_measurement="nominal"), 2
    )
    out.append(row(name, point, "krippendorff", seconds, ">= 2"))
    seconds = carried_on(
        lambda times: evalica.alpha_bootstrap(frame, distance="nominal", n_resamples=times), 1000
    )
    peer = f"evalica {evalica.__version__} (from 2 and 6 resamples)"
    out.append(row(f"{name}, 1,000 resamples", interval, peer, seconds, ">= 100"))
    return out


if __name__ == "__main__":
    for one in run():
        target = f" (target {one['target']})" if one["target"] else ""
        print(
            f"{one['work']}: goldassay {one['goldassay_seconds']:.4f} s, {one['peer']}"
            f" {one['peer_seconds']:.3f} s, {one['ratio']:,.0f} x{target}"
        )
