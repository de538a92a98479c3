"""Means over criteria where labels were drawn by verdict within criteria.

    python benchmarks/drawn_criteria.py [--runs N] [--seed S]    docs/intervals.md

A judge gives every item a verdict on each of several criteria, and people label all or some of what
it flags and some of the rest. A label then counts for as many units as it stands for; these means
know nothing of strata of known size. Counted is how often the interval of a mean over criteria
holds that of all criteria of this kind, and `these` that of these very criteria.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import By
from goldassay.counts.modes import LabelDraw, Tables
from goldassay.inference.cells import Cells
from goldassay.inference.draw import Draw
from goldassay.questions.agree import levels
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.modes import declared_mode
from goldassay.ratings.task import Task
from goldassay.results import Estimate

Floats = NDArray[np.float64]
DRAWS, LEVEL, MANY = 1_000, 0.95, 20_000
TASK = Task(scale="binary", options=("yes", "no"), positive="yes")


@dataclass(frozen=True)
class Rubric:
    """Criteria of which a judge flags so many, right in `right` and missing `missed` of the rest,
    both by a Beta distribution over criteria; the labels of each verdict on each criterion."""

    criteria: int
    items: int
    flagged: float
    right: float
    missed: float
    labels: tuple[int, int]
    strength: float = 30.0

    def kinds(self, number: int, rng: np.random.Generator) -> Floats:
        """Shares [Q, label, verdict] of criteria of this kind."""
        right, missed = (
            rng.beta(self.strength * one, self.strength * (1 - one), number)
            for one in (self.right, self.missed)
        )
        joint = np.zeros((number, 2, 2))
        joint[:, :, 0] = self.flagged * np.stack([right, 1 - right], 1)
        joint[:, :, 1] = (1 - self.flagged) * np.stack([missed, 1 - missed], 1)
        return joint

    def drawn(self, joint: Floats, rng: np.random.Generator) -> tuple[Tables, By]:
        """Units of all criteria as patterns; each unit is an item of its own."""
        columns = []
        for q, shares in enumerate(joint):
            counts = rng.multinomial(self.items, shares.reshape(-1)).reshape(2, 2)
            for verdict, most in enumerate(self.labels):
                units = int(counts[:, verdict].sum())
                n = min(most, units)
                yes = int(rng.hypergeometric(counts[0, verdict], counts[1, verdict], n)) if n else 0
                stands = units / max(n, 1)
                columns += [
                    (q, verdict, 0, True, yes, stands),
                    (q, verdict, 1, True, n - yes, stands),
                    (q, verdict, 0, False, units - n, 1.0),
                ]
        q, verdict, label, rated, n, stands = map(np.array, zip(*columns, strict=True))
        kept = n > 0
        q, verdict, label, rated, n, stands = (
            one[kept] for one in (q, verdict, label, rated, n, stands)
        )
        stands = stands * (n @ rated) / (n * rated @ stands)
        owner = np.flatnonzero(rated)
        cells = Cells(owner, 0 * owner, label[owner], verdict[owner], stands[owner], (len(n), 1, 2))
        draw = LabelDraw(2 * q + verdict, rated, np.where(rated, stands, 1.0))
        names = tuple(f"c{at}" for at in range(self.criteria))
        tables = Tables(("yes", "no"), 2, cells, n, np.arange(len(n)), True, draw=draw)
        return tables, By(names, q)


ALL = 10**9
GRID = (
    Rubric(5, 200, 0.2, 0.75, 0.05, (ALL, 15)),
    Rubric(5, 200, 0.2, 0.75, 0.05, (20, 20)),
    Rubric(12, 300, 0.3, 0.9, 0.1, (ALL, 20)),
    Rubric(12, 300, 0.1, 0.6, 0.03, (15, 30)),
    Rubric(3, 500, 0.4, 0.85, 0.1, (20, 60)),
)
NAMES = ("accuracy", "cohen_kappa")
# The other means are not looked at, and would take half of the time.
levels.MAIN = NAMES


def measured(one: Rubric, runs: int, seed: int) -> dict[str, tuple[int, int, float]]:
    """By coefficient: held, of how many, and the sum of lengths."""
    from goldassay.metrics.registry import TABLE_METRICS
    from goldassay.metrics.tables import Setting

    rng = np.random.default_rng(seed)
    setting = Setting("binary", 2, 0, np.eye(2), "unweighted")
    values = {name: lambda t, name=name: TABLE_METRICS[name].compute(t, setting) for name in NAMES}
    whole = one.kinds(MANY, np.random.default_rng(1))
    truth = {name: float(of(whole).mean()) for name, of in values.items()}
    found: dict[str, tuple[int, int, float]] = {}

    def add(name: str, low: float, high: float, true: float) -> None:
        held, number, length = found.get(name, (0, 0, 0.0))
        found[name] = held + (low <= true <= high), number + 1, length + high - low

    for run in range(runs):
        joint = one.kinds(one.criteria, rng)
        tables, criterion = one.drawn(joint, rng)
        reading = Reading(TASK, declared_mode(TASK), Draw(DRAWS, run, LEVEL))
        for result in levels.macro_results(tables, reading, criterion):
            if not isinstance(result, Estimate):
                continue
            if result.declared.get("criteria") != one.criteria or result.interval is None:
                continue
            ends = result.interval
            add(result.name, ends.low, ends.high, truth[result.name])
            these = float(values[result.name](joint).mean())
            add(f"{result.name}, these", *result.declared["these_criteria"], these)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0, help="so many of the first rubrics")
    given = parser.parse_args()
    heads = [f"{name}{which}" for name in NAMES for which in ("", ", these")]
    print(f"| criteria | items | flagged, right, missed | labels | {' | '.join(heads)} |")
    print("| --- " * (4 + len(heads)) + "|")
    for one in GRID[given.skip :]:
        found = measured(one, given.runs, given.seed)
        cells = [f"{h / n:.3f} ({length / n:.3f})" for h, n, length in map(found.get, heads)]
        labels = ", ".join("all" if n == ALL else str(n) for n in one.labels)
        kind = f"{one.flagged:g}, {one.right:g}, {one.missed:g}"
        told = " | ".join(cells)
        print(f"| {one.criteria} | {one.items} | {kind} | {labels} | {told} |", flush=True)


if __name__ == "__main__":
    main()
