"""The same draws as `coverage_compare`, told by ppi_py: PPI++ of the paired differences.

Runs where ppi-python is installed, which need not be where goldassay is:

    python benchmarks/compare_others.py --runs 2000
"""

from __future__ import annotations

import argparse

import numpy as np
from compare_draws import Setting, drawn, power, two_systems
from ppi_py import ppi_mean_ci


def told(setting: Setting, runs: int, seed: int) -> tuple[float, float]:
    """The share of studies with the true difference outside, and of those that tell it from 0."""
    rng = np.random.default_rng(seed)
    truth = setting.rates[1] - setting.rates[0]
    outside = apart = 0
    for _ in range(runs):
        true, called, labelled, _ = drawn(setting, rng)
        gap, judged = (np.subtract(x[:, 1], x[:, 0], dtype=float) for x in (true, called))
        known = labelled[:, 0]
        ends = ppi_mean_ci(gap[known], judged[known], judged[~known], alpha=0.05)
        low, high = (float(np.ravel(end)[0]) for end in ends)
        outside += not low <= truth <= high
        apart += low > 0 or high < 0
    return outside / runs, apart / runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for setting in (*two_systems(), *power()):
        if setting.same:
            outside, apart = told(setting, given.runs, given.seed)
            print(f"| {setting.name} | {outside:.3f} | {apart:.3f} |", flush=True)


if __name__ == "__main__":
    main()
