"""The monitor of truescore on the streams of `coverage_monitor.py delays`.

    PYTHON_WITH_TRUESCORE benchmarks/tools_monitor.py [RUNS]

It defends a baseline that is given as a number: here the rate of the batches before the change, as
a user would have it, or the true one. Alarms are two-sided, with the defaults of its functions;
with windows of 1,000 verdicts its error is split over as many windows as the stream has.
"""

from __future__ import annotations

import sys

import numpy as np
from truescore.sequential import first_exclusion, windowed_exclusion

SEED, SIZE = 20260301, 100


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rng = np.random.default_rng(SEED)
    print("| change | batches before | baseline | cumulative | windows | alarm |")
    for change, after in ((0.0, 100), (0.05, 200), (0.1, 40), (0.2, 15)):
        for before in (20, 100):
            for known in (False, True):
                found: list[list[float]] = [[], []]
                for _ in range(runs):
                    baseline = 0.7 if known else rng.binomial(SIZE * before, 0.7) / (SIZE * before)
                    values = (rng.random(SIZE * after) < 0.7 - change).astype(float)
                    whole = first_exclusion(values, baseline, direction="two-sided")
                    parts = windowed_exclusion(values, baseline, window=1000, direction="two-sided")
                    for one, at in zip(found, (whole, parts), strict=True):
                        one.append(np.inf if at is None else np.ceil(at / SIZE))
                cells = [f"{np.median(one):.0f}" for one in found]
                ever = " / ".join(f"{100 * np.isfinite(one).mean():.0f} %" for one in found)
                name = "true" if known else "estimated"
                print(f"| {change} | {before} | {name} | {cells[0]} | {cells[1]} | {ever} |")


if __name__ == "__main__":
    main()
