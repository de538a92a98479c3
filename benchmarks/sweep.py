"""An examiner's sweep: settings that nobody chose, of every default interval, by one seed.

    python benchmarks/sweep.py [NAME ...] [--settings N] [--runs N] [--again N] [--seed S]

Every family of `coverage_probe` (agreement, raters, correlations, areas, corrected rates and means,
judges, versions, decisions, scores of systems), the differences that `compare` makes on every
scale, orders, places and decisiveness of `rank`, and what `audit` says of people whom few raters
stand for. A few settings of each are drawn and run a little; what looks short is run again with
more, on other draws, and only that is told: "holds" when coverage and two Monte Carlo errors
reach .93. Lengths that `plan` assures and alarms of `monitor` are other promises and have
scripts of their own (`coverage_plan`, `coverage_monitor`).
"""

from __future__ import annotations

import argparse
import math
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import compare_scales
import coverage_compare
import coverage_probe
import coverage_rank
import coverage_splits
import numpy as np
from probe_groups import Ranges

Rng = np.random.Generator
#: Intervals of one setting, by name: how many held the truth, of how many.
Held = Mapping[str, tuple[int, int]]
#: A drawn setting, and what measures it: runs and a seed -> what held.
Drawn = tuple[str, Callable[[int, int], Held]]


def probed(family: str) -> Callable[[Rng], Drawn]:
    """A family of `coverage_probe`, with unequal clusters in half of the settings."""

    def draw(rng: Rng) -> Drawn:
        setting = coverage_probe.FAMILIES[family].drawn(rng, Ranges(bool(rng.random() < 0.5)))

        def held(runs: int, seed: int) -> Held:
            found = coverage_probe.measured(setting, runs, seed)
            return {name: (one.held, one.runs) for name, one in found.items()}

        return str(setting), held

    return draw


def compared(rng: Rng) -> Drawn:
    """All differences of systems at once, on any scale."""
    setting = compare_scales._any(int(rng.integers(4)), rng)

    def held(runs: int, seed: int) -> Held:
        draws = np.random.default_rng(seed)
        found = [
            coverage_compare.outcome(
                coverage_compare.study(setting, draws, beside_too=False), run
            ).outside.any()
            for run in range(runs)
        ]
        return {f"differences, {setting.scale}": (runs - int(np.sum(found)), runs)}

    return str(setting), held


def ranked(rng: Rng) -> Drawn:
    """Kendall's tau, places and differences, and decisiveness."""
    shapes = ("even", "uniform", "skewed", "heavy", "clumps", "three", "outlier", "normal")
    relations = ("same", "bent", "liked", "two liked", "reversed", "0.9", "0.6", "0.2", "-0.4")
    setting = coverage_rank.Setting(
        int(np.exp(rng.uniform(np.log(10), np.log(500)))),
        int(np.exp(rng.uniform(np.log(4), np.log(30)))),
        float(rng.choice([0.05, 0.1, 0.2, 0.4, 0.7])),
        str(rng.choice(shapes)),
        str(rng.choice(relations)),
        bool(rng.random() < 0.3),
        str(rng.choice(["normal", "normal", "binary", "unequal", "grades"])),
    )

    def held(runs: int, seed: int) -> Held:
        found = coverage_rank.tau(setting, runs, seed)
        if setting.noise in ("normal", "unequal"):  # the truth of places is that of scores
            found += coverage_rank.ranges(setting, runs, seed)
        if setting.noise == "normal":
            found += coverage_rank.shapes(setting, math.ceil(runs / 2), seed)
        return {one.name: (one.hits, one.runs) for one in found}

    return str(setting), held


def audited(rng: Rng) -> Drawn:
    """What all people would say, where some of them rate each item."""
    options = int(rng.choice([2, 2, 3, 4]))
    graded = bool(options > 2 and rng.random() < 0.5)
    cell = coverage_splits.Cell(
        int(rng.choice([40, 80, 150, 300])),
        int(rng.choice([2, 3, 5, 10])),
        spread=float(rng.choice([0.6, 1.5, 4.0])),
        options=options,
        around=float(rng.choice([0.3, 0.6, 1.0])) if graded else None,
        reads=bool(graded and rng.random() < 0.5),
    )

    def held(runs: int, seed: int) -> Held:
        share = coverage_splits.covered(cell, runs, seed=seed).share.min(-1)
        names = [f"{one.name} {one.aggregation}" for one in _definitions(cell)]
        pairs = zip(names, share, strict=True)
        return {name: (round(one * runs), runs) for name, one in pairs if np.isfinite(one)}

    return cell.words, held


def _definitions(cell: coverage_splits.Cell) -> tuple[Any, ...]:
    return coverage_splits.definitions(cell.positive)


EVERY: Mapping[str, Callable[[Rng], Drawn]] = {
    **{family: probed(family) for family in coverage_probe.FAMILIES},
    "compare": compared,
    "rank": ranked,
    "audit": audited,
}
#: What a run of these costs many times that of others: fewer settings, fewer runs.
SLOW = {"audit": 3, "rank": 2, "compare": 2, "systems": 2}


#: Fewer runs (of samples without a warning, say) tell nothing.
LEAST_RUNS = 50


def short(hits: int, runs: int) -> bool:
    return runs >= LEAST_RUNS and hits / runs + 2 * math.sqrt(0.05 * 0.95 / runs) < 0.93


def swept(name: str, given: argparse.Namespace) -> Iterator[tuple[str, str, int, int]]:
    """Setting, interval and how it did; what looks short once more with other draws."""
    rng = np.random.default_rng([given.seed, zlib.crc32(name.encode())])
    runs = math.ceil(given.runs / SLOW.get(name, 1))
    for _ in range(math.ceil(given.settings / SLOW.get(name, 1))):
        words, held = EVERY[name](rng)
        found = held(runs, int(rng.integers(1 << 30)))
        if given.again and any(short(*one) for one in found.values()):
            again = held(given.again, int(rng.integers(1 << 30)))
            found = {k: again.get(k, one) if short(*one) else one for k, one in found.items()}
        for interval, (hits, number) in found.items():
            yield words, interval, hits, number


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="some families; all, where none is named")
    parser.add_argument("--settings", type=int, default=6)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--again", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| Family | Intervals | Lowest | Mean | Short of .93 | Seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    told = []
    for name in given.names or EVERY:
        start = time.process_time()
        found = [one for one in swept(name, given) if one[3]]
        coverage = np.array([hits / runs for _, _, hits, runs in found])
        missed = [one for one in found if short(*one[2:])]
        told += [(name, *one) for one in missed]
        seconds = time.process_time() - start
        print(
            f"| {name} | {len(found)} | {coverage.min():.3f} | {coverage.mean():.3f} |"
            f" {len(missed)} | {seconds:.0f} |",
            flush=True,
        )
    for name, words, interval, hits, runs in told:
        print(f"- {name}, {interval}: {hits / runs:.3f} of {runs} ({words})")


if __name__ == "__main__":
    main()
