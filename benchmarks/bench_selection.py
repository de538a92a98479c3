"""The judge-selection simulation against the time of drawing its binomials alone.

Run it: python benchmarks/bench_selection.py
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from karat.selection.scenarios import Scenarios, simulate_choice


def _draws_only(settings: Scenarios) -> float:
    """Seconds for the same number of binomial draws with the same parameters, and nothing else."""
    rng = np.random.default_rng(0)
    shape = (settings.scenarios, settings.judges)
    sensitivity, false_positive_rate = rng.random((2, *shape))
    golden = rng.uniform(*settings.golden_prevalence, settings.scenarios)
    prevalence = rng.uniform(*settings.system_prevalence, (settings.systems, *shape[:1], 1))
    rate = false_positive_rate + (sensitivity - false_positive_rate) * prevalence
    start = perf_counter()
    positives = rng.binomial(settings.golden_items, golden)
    rng.binomial(positives[:, None], sensitivity)
    rng.binomial(settings.golden_items - positives[:, None], false_positive_rate)
    rng.binomial(settings.evaluation_items, rate)
    return perf_counter() - start


def run() -> list[dict[str, Any]]:
    settings = Scenarios(scenarios=100_000)
    simulate_choice(Scenarios(scenarios=1_000))
    ours, draws = [], []
    for _ in range(3):  # the best of three: other work on the machine only ever adds time
        start = perf_counter()
        simulate_choice(settings)
        ours.append(perf_counter() - start)
        draws.append(_draws_only(settings))
    return [
        {
            "work": "judge-selection simulation, 100,000 scenarios",
            "karat_seconds": min(ours),
            "peer": "drawing the same binomials, nothing else",
            "peer_seconds": min(draws),
            "ratio": min(draws) / min(ours),
            "target": 0.5,
        }
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
