"""Choosing judges: the paper's simulation, and the paired comparison, in CPU seconds.

Run it: python benchmarks/bench_selection.py
"""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
from timing import carried_on, cpu, row

from goldassay.formulas.agreement import balanced_accuracy
from goldassay.inference.bootstrap import exponential_weights
from goldassay.inference.comparison import compare, posterior_tables
from goldassay.lab.scenarios.selection import Scenarios, simulate_choice

ITEMS, JUDGES, RESAMPLES = 200_000, 5, 1_000


def draws_only(settings: Scenarios) -> float:
    """Seconds for the same number of binomial draws with the same parameters, and nothing else."""
    rng = np.random.default_rng(0)
    shape = (settings.scenarios, settings.judges)
    sensitivity, false_positive_rate = rng.random((2, *shape))
    golden = rng.uniform(*settings.golden_prevalence, settings.scenarios)
    prevalence = rng.uniform(*settings.system_prevalence, (settings.systems, *shape[:1], 1))
    rate = false_positive_rate + (sensitivity - false_positive_rate) * prevalence
    start = process_time()
    positives = rng.binomial(settings.golden_items, golden)
    rng.binomial(positives[:, None], sensitivity)
    rng.binomial(settings.golden_items - positives[:, None], false_positive_rate)
    rng.binomial(settings.evaluation_items, rate)
    return process_time() - start


def golden_set() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = (rng.random(ITEMS) < 0.3).astype(np.int64)
    right = rng.random((ITEMS, JUDGES)) < np.linspace(0.7, 0.9, JUDGES)
    return truth, np.where(right, truth[:, None], 1 - truth[:, None])


def compare_on_counts(truth: np.ndarray, verdicts: np.ndarray) -> object:
    """From rows to the probability of being best and all joint intervals."""
    code = truth + (verdicts << np.arange(1, JUDGES + 1)).sum(1)
    seen, times = np.unique(code, return_counts=True)
    counts = np.zeros((len(seen), JUDGES, 2, 2))
    for judge in range(JUDGES):
        counts[np.arange(len(seen)), judge, seen & 1, seen >> (judge + 1) & 1] = 1
    rng = np.random.default_rng(0)
    weights = exponential_weights(times, RESAMPLES, rng)
    draws = balanced_accuracy(posterior_tables(counts, weights, rng=rng))
    values = balanced_accuracy(np.tensordot(times, counts, axes=1))
    return compare(values, draws, confidence_level=0.95)


def compare_on_rows(truth: np.ndarray, verdicts: np.ndarray, resamples: int) -> list[list[float]]:
    """The plain way: draw items with replacement, and score every judge on the drawn rows."""
    from sklearn.metrics import balanced_accuracy_score

    rng = np.random.default_rng(0)
    out = []
    for _ in range(resamples):
        drawn = rng.integers(0, len(truth), len(truth))
        rows, label = verdicts[drawn], truth[drawn]
        out.append([balanced_accuracy_score(label, rows[:, judge]) for judge in range(JUDGES)])
    return out


def run() -> list[dict[str, Any]]:
    settings = Scenarios(scenarios=100_000)
    simulate_choice(Scenarios(scenarios=1_000))
    ours = cpu(lambda: simulate_choice(settings))
    draws = min(draws_only(settings) for _ in range(3))
    truth, verdicts = golden_set()
    paired = cpu(lambda: compare_on_counts(truth, verdicts))
    compare_on_rows(truth[:100], verdicts[:100], 1)  # imports
    rows = carried_on(lambda times: compare_on_rows(truth, verdicts, times), RESAMPLES)
    return [
        row(
            "judge-selection simulation, 100,000 scenarios",
            ours,
            "drawing the same binomials, nothing else",
            draws,
            "at least 0.5",
        ),
        row(
            f"{JUDGES} judges compared on {ITEMS:,} items, {RESAMPLES:,} resamples",
            paired,
            "scikit-learn on resampled rows (from 2 and 6 resamples)",
            rows,
            "at least 100",
        ),
    ]


if __name__ == "__main__":
    for line in run():
        print(line)
