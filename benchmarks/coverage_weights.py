"""Coverage of the default intervals with unequal weights, and of coefficients among raters.

    python benchmarks/coverage_weights.py [--runs N]      two tables of docs/theory/figures.md

Weights are lognormal and tell nothing of the decisions: the truth is that of equal weights, and the
weights cost precision alone. Raters say an item's true option with a given probability, else any.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from coverage_probe import Binary, binary_setting, counted_of, table_intervals

from goldassay import metrics
from goldassay.results import Estimate, Result

NAMES = ("accuracy", "sensitivity", "balanced_accuracy", "cohen_kappa", "phi", "f1", "gwet_ac1")
#: Items, spread of the weights' logarithm.
WEIGHTS = ((40, 0.7), (40, 1.2), (150, 0.7), (150, 1.2), (600, 1.2))
#: Prevalence, sensitivity, specificity.
JUDGES = ((0.1, 0.8, 0.95), (0.4, 0.9, 0.85))
AMONG = ("fleiss_kappa", "conger_kappa", "mean_pairwise_kappa", "observed_agreement")


@dataclass(frozen=True)
class Panel:
    """Raters of items whose options are this common, and how often each says the true one."""

    items: int
    raters: int
    options: tuple[float, ...]
    right: float

    def drawn(self, rng: np.random.Generator, items: int | None = None) -> list[list[int]]:
        n, size = items or self.items, len(self.options)
        true = rng.choice(size, n, p=self.options)
        any_option = rng.integers(0, size, (self.raters, n))
        said = np.where(rng.random((self.raters, n)) < self.right, true, any_option)
        return [row.tolist() for row in said]


PANELS = tuple(
    Panel(items, *rest)
    for items in (30, 120)
    for rest in ((3, (0.95, 0.05), 0.9), (5, (0.6, 0.3, 0.1), 0.7), (2, (0.4, 0.3, 0.2, 0.1), 0.8))
)

#: Written down when pairs of raters were given pseudo-counts in common, and measured once.
AFTERWARDS = (
    Panel(20, 4, (0.9, 0.1), 0.85),
    Panel(60, 3, (0.97, 0.03), 0.9),
    Panel(40, 6, (0.5, 0.45, 0.05), 0.8),
)


def covered(results: Iterator[Result], truth: float) -> str:
    """Coverage (mean length)."""
    ends = [
        (one.interval.low, one.interval.high)
        for one in results
        if isinstance(one, Estimate) and one.interval is not None
    ]
    return _told(ends, truth)


def _told(ends: list[tuple[float, float]], truth: float) -> str:
    low, high = np.array(ends).T
    hit = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return f"{hit.mean():.3f} ({(high - low).mean():.2f})"


def weighted(items: int, spread: float, judge: tuple[float, float, float], runs: int) -> list[str]:
    """Coverage (mean length) of each of `NAMES`, on the same samples, whose draws they share."""
    setting = Binary(items, *judge, weights=spread)
    truth, rng = setting.truth(), np.random.default_rng([items, round(10 * spread)])
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in NAMES}
    for _ in range(runs):
        tables = setting.given(rng).tables("weights")
        counted = counted_of(tables, binary_setting((0.5, 0.5)), int(rng.integers(1 << 30)))
        for name, ends in table_intervals(counted, NAMES).items():
            if ends is not None:
                found[name].append(ends)
    return [_told(ends, truth[name]) for name, ends in found.items()]


def among(name: str, panel: Panel, runs: int) -> str:
    metric: Callable[..., Result] = getattr(metrics, name)
    labels, rng = list(range(len(panel.options))), np.random.default_rng([1, *name.encode()])
    truth = metric(panel.drawn(np.random.default_rng(0), 60_000), labels=labels, draws=100)
    assert isinstance(truth, Estimate)
    return covered((metric(panel.drawn(rng), labels=labels) for _ in range(runs)), truth.value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--raters", type=int, default=2_000, help="runs of the second table")
    parser.add_argument("--among", nargs="*", choices=AMONG, default=AMONG, help="its columns")
    asked = parser.parse_args()
    if asked.runs:
        among_items(asked.runs)
    if asked.raters:
        among_raters(asked.raters, asked.among)


def among_items(runs: int) -> None:
    print("| Items | spread | rate |", " | ".join(f"`{name}`" for name in NAMES), "|")
    print("| --- " * (3 + len(NAMES)) + "|")
    for items, spread in WEIGHTS:
        for judge in JUDGES:
            cells = weighted(items, spread, judge, runs)
            print(f"| {items} | {spread} | {judge[0]} |", " | ".join(cells), "|", flush=True)
    print()


def among_raters(runs: int, names: Sequence[str]) -> None:
    print("| Items | raters | options |", " | ".join(f"`{name}`" for name in names), "|")
    print("| --- " * (3 + len(names)) + "|")
    for panel in (*PANELS, *AFTERWARDS):
        cells = [among(name, panel, runs) for name in names]
        options = ", ".join(f"{share:g}" for share in panel.options)
        row = f"| {panel.items} | {panel.raters} | {options} |"
        print(row, " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
