"""Corrected rates: goldassay on counts against ppi_py on arrays, in the same run.

python benchmarks/bench_prevalence.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from goldassay.formulas import rates as points
from goldassay.inference import rates as limits
from goldassay.inference.bootstrap import multiplicities
from goldassay.lab.scenarios.rates import Scenario, draw
from goldassay.questions.estimate.estimators import ESTIMATORS, estimates

LABELLED, UNLABELLED, RESAMPLES = 500, 1_000_000, 1_000


def seconds(work: Callable[[], Any], repeats: int) -> float:
    """The fastest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    labels = (rng.random(LABELLED) < 0.4).astype(float)
    flipped = rng.random(LABELLED) < 0.2
    verdicts = np.where(flipped, 1 - labels, labels)
    return labels, verdicts, (rng.random(UNLABELLED) < 0.44).astype(float)


def counted(labels: np.ndarray, verdicts: np.ndarray, unlabelled: np.ndarray) -> np.ndarray:
    """Distinct items as cells [6, 3, 2] with multiplicities: labels, then not labelled."""
    table = np.zeros((3, 2))
    np.add.at(table, (labels.astype(int), verdicts.astype(int)), 1)
    table[2] = np.bincount(unlabelled.astype(int), minlength=2)
    return table


def bootstrap(table: np.ndarray) -> Any:
    """The percentile interval of PPI++ over resamples of labelled and of unlabelled items."""
    rng = np.random.default_rng(1)
    labelled, unlabelled = (
        np.concatenate(list(multiplicities(cells.ravel().astype(np.int64), RESAMPLES, rng)))
        for cells in (table[:2], table[2])
    )
    values = points.power_tuned(unlabelled, labelled.reshape(-1, 2, 2))
    return np.quantile(values, [0.025, 0.975])


def run() -> list[dict[str, Any]]:
    """The rows of the benchmark; the peer's column is empty where it is not installed."""
    labels, verdicts, unlabelled = data()
    table = counted(labels, verdicts, unlabelled)
    calibration, test = table[:2], table[2]
    rows = []
    ours = seconds(lambda: bootstrap(table), 5)
    closed = seconds(lambda: limits.ppi_normal(test, calibration), 20)
    all_estimators = seconds(_simulation, 1)
    try:
        import ppi_py
    except ImportError:
        peer_bootstrap = peer_closed = None
    else:
        shape = (labels[:, None], verdicts[:, None], unlabelled[:, None])
        peer_bootstrap = seconds(
            lambda: ppi_py.ppboot(np.mean, labels, verdicts, unlabelled, n_resamples=RESAMPLES), 1
        )
        peer_closed = seconds(lambda: ppi_py.ppi_mean_ci(*shape, alpha=0.05), 3)
    rows.append(
        _row(
            f"PPI++ interval, {RESAMPLES:,} resamples, {LABELLED} labelled, {UNLABELLED:,} not",
            ours,
            "ppi_py.ppboot",
            peer_bootstrap,
            1_000,
        )
    )
    rows.append(
        _row("PPI++ interval in closed form", closed, "ppi_py.ppi_mean_ci", peer_closed, 10)
    )
    rows.append(
        _row("Figure 5: 21 x 10,000 x 7 estimators with intervals", all_estimators, "", None, None)
    )
    return rows


def _simulation() -> None:
    rng = np.random.default_rng(1)
    for theta in np.linspace(0, 1, 21).tolist():
        scenario = Scenario(theta=theta, n=1000, m=200, q0=0.7, q1=0.9)
        test, calibration = draw(scenario, 10_000, rng)
        for name in ESTIMATORS:
            estimates(name, test, calibration)


def _row(
    work: str, goldassay: float, peer: str, peer_seconds: float | None, target: float | None
) -> dict[str, Any]:
    return {
        "work": work,
        "goldassay_seconds": goldassay,
        "peer": peer,
        "peer_seconds": peer_seconds,
        "ratio": None if peer_seconds is None else peer_seconds / goldassay,
        "target": target,
    }


if __name__ == "__main__":
    for row in run():
        print(row)
