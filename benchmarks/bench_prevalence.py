"""Corrected rates: goldassay against ppi_py on the same arrays, in the same run.

Counting the arrays is part of goldassay's time; what remains after it does not grow with them.

python benchmarks/bench_prevalence.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
from timing import cpu, row

from goldassay.formulas import rates as points
from goldassay.inference import rates as limits
from goldassay.inference.bootstrap import multiplicities
from goldassay.lab.scenarios.rates import Scenario, draw
from goldassay.questions.estimate.estimators import ESTIMATORS, estimates

LABELLED, UNLABELLED, RESAMPLES = 500, 1_000_000, 1_000


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
    arrays = data()
    resampled = cpu(lambda: bootstrap(counted(*arrays)), 5)

    def in_closed_form() -> None:
        table = counted(*arrays)
        limits.ppi_normal(table[2], table[:2])

    closed = cpu(in_closed_form, 5)
    try:
        import ppi_py
    except ImportError:
        peer_resampled = peer_closed = None
    else:
        columns = [array[:, None] for array in arrays]
        peer_resampled = cpu(lambda: ppi_py.ppboot(np.mean, *arrays, n_resamples=RESAMPLES), 1)
        peer_closed = cpu(lambda: ppi_py.ppi_mean_ci(*columns, alpha=0.05))
    size = f"{LABELLED} labelled, {UNLABELLED:,} not"
    return [
        row(
            f"PPI++ interval, {RESAMPLES:,} resamples, {size}, counting included",
            resampled,
            "ppi_py.ppboot",
            peer_resampled,
            "at least 100",
        ),
        row(
            f"PPI++ interval in closed form, {size}, counting included",
            closed,
            "ppi_py.ppi_mean_ci",
            peer_closed,
            "at least 5",
        ),
        row("Figure 5: 21 x 10,000 x 7 estimators with intervals", cpu(_simulation, 1), "", None),
    ]


def _simulation() -> None:
    rng = np.random.default_rng(1)
    for theta in np.linspace(0, 1, 21).tolist():
        scenario = Scenario(theta=theta, n=1000, m=200, q0=0.7, q1=0.9)
        test, calibration = draw(scenario, 10_000, rng)
        for name in ESTIMATORS:
            estimates(name, test, calibration)


if __name__ == "__main__":
    for line in run():
        print(line)
