"""An examiner's sweep: settings that nobody chose, of every default interval, by one seed.

    python benchmarks/sweep.py [NAME ...] [--settings N] [--runs N] [--again N] [--seed S]

Every family of `coverage_probe` (agreement, raters, correlations, areas, corrected rates and means,
judges, versions, decisions, scores of systems), the differences that `compare` makes on every
scale, orders, places and decisiveness of `rank`, what `audit` says of people whom few raters
stand for, how often `monitor` is quiet where nothing changes, and how often a length that `plan`
assures is reached. A few settings of each are drawn and run a little; what looks short is run
again with more, on other draws, and only that is told: "holds" when coverage and two Monte Carlo
errors reach .93, of `plan` the assurance.
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
import coverage_plan
import coverage_probe
import coverage_rank
import coverage_splits
import numpy as np
from coverage_monitor import ALARM
from probe_groups import Ranges

from goldassay.inference.sequential import candidate_moments, change_path
from goldassay.questions.monitor.streams import Counted

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
            # How often something is said is no coverage.
            shown = {name: one for name, one in found.items() if not name.endswith(": said")}
            return {name: (one.held, one.runs) for name, one in shown.items()}

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


def watched(rng: Rng) -> Drawn:
    """No alarm of a rate that stays, in batches that vary by chance or more."""
    number, size = int(rng.choice([10, 20, 40, 80])), int(rng.choice([10, 30, 100, 300]))
    rate, spread = float(rng.uniform(0.05, 0.95)), float(rng.choice([1.0, 1.0, 2.0, 4.0]))

    def held(runs: int, seed: int) -> Held:
        draws, moments = np.random.default_rng(seed), candidate_moments(number)
        p = np.full((runs, number), rate)
        if spread > 1:
            strength = (size - 1) / (spread - 1) - 1
            p = draws.beta(p * strength, (1 - p) * strength)
        hits, trials = draws.binomial(size, p).astype(float), np.full(number, float(size))
        by = np.array([[Counted("rate", None, one, trials).between] for one in hits])
        quiet = change_path(hits / by, trials / by, moments).log_e.max(1) < ALARM
        return {"no false alarm": (int(quiet.sum()), runs)}

    return f"{number} batches of {size}, rate {rate:.2f}, {spread:g} x chance", held


def planned(rng: Rng) -> Drawn:
    """Lengths that are reached, of those that a plan promises."""
    clusters = int(rng.choice([0, 0, 40, 100]))
    rate = float(rng.choice([0.05, 0.1, 0.3, 0.5]))
    setting = coverage_plan.Setting(
        "drawn",
        rate=rate,
        sensitivity=float(rng.choice([0.7, 0.85, 0.95])),
        specificity=float(rng.choice([0.7, 0.85, 0.95])),
        items=int(rng.choice([600, 1200])),
        pilot=int(rng.choice([30, 60, 100])),
        length=float(rng.choice([0.5, 0.7]))
        * math.sqrt(rate * (1 - rate))
        / (1 if clusters else 2),
        calibration=str(rng.choice(["random", "by_verdict"])),
        clusters=clusters,
        correlation=float(rng.choice([0.0, 0.05, 0.2, 0.4])) if clusters else 0.0,
        sizes=str(rng.choice(list(coverage_plan.SIZES))),
        strata=bool(not clusters and rng.random() < 0.3),
        abstains=float(rng.choice([0.0, 0.0, 0.15])),
    )

    def held(runs: int, seed: int) -> Held:
        first = seed % 1_000_000
        found = [coverage_plan.run(setting, first + k) for k in range(runs)]
        asked = [one for one in found if one.promised and not one.nothing]
        return {"length that is promised": (sum(one.kept for one in asked), len(asked))}

    return str(setting), held


EVERY: Mapping[str, Callable[[Rng], Drawn]] = {
    **{family: probed(family) for family in coverage_probe.FAMILIES},
    "compare": compared,
    "rank": ranked,
    "audit": audited,
    "monitor": watched,
    "plan": planned,
}
#: What a run of these costs many times that of others: fewer settings, fewer runs, again too.
SLOW = {"audit": 3, "rank": 2, "compare": 2, "systems": 2, "plan": 4}
#: What must be reached with two Monte Carlo errors, what is claimed, and the fewest runs (of
#: samples without a warning, say, or of plans that promise) that tell anything.
RULE = (0.93, 0.95, 50)
RULES = {"plan": (0.8, 0.8, 10)}


def short(name: str, hits: int, runs: int) -> bool:
    least, claimed, fewest = RULES.get(name, RULE)
    error = math.sqrt(claimed * (1 - claimed) / max(runs, 1))
    return runs >= fewest and hits / runs + 2 * error < least


def swept(name: str, given: argparse.Namespace) -> Iterator[tuple[str, str, int, int]]:
    """Setting, interval and how it did; what looks short once more with other draws."""
    rng = np.random.default_rng([given.seed, zlib.crc32(name.encode())])
    runs = math.ceil(given.runs / SLOW.get(name, 1))
    for _ in range(math.ceil(given.settings / SLOW.get(name, 1))):
        words, held = EVERY[name](rng)
        found = held(runs, int(rng.integers(1 << 30)))
        if given.again and any(short(name, *one) for one in found.values()):
            more = math.ceil(given.again / SLOW.get(name, 1))
            again = held(more, int(rng.integers(1 << 30)))
            found = {k: again.get(k, one) if short(name, *one) else one for k, one in found.items()}
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
    print("| Family | Intervals | Lowest | Mean | Short | Seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    told = []
    for name in given.names or EVERY:
        start = time.process_time()
        found = [one for one in swept(name, given) if one[3]]
        coverage = np.array([hits / runs for _, _, hits, runs in found])
        missed = [one for one in found if short(name, *one[2:])]
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
