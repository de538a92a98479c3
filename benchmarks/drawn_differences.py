"""Joint intervals of all differences between judges where labels were drawn by one's verdict.

    python benchmarks/drawn_differences.py [--runs N] [--seed S]    docs/intervals.md

People label some of each verdict of the first judge, and it is counted how often all differences
of balanced accuracy are held at once. Ours is what `select` and `agree` give: each judge's own
interval within strata, squared and added at the joint level. Beside it are joint draws in which a
label weighs as many items as it stands for, and Bonferroni's normal interval of the stratified
estimates, whose variance is that within strata and of the strata's sizes. "x" is how many times as
long ours is as the shorter of the others that hold .93.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from goldassay.counts.modes import LabelDraw, Tables
from goldassay.formulas.agreement import balanced_accuracy
from goldassay.inference.cells import Cells
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.comparison import compare, joint_draws, same_verdicts, widening
from goldassay.inference.draw import Draw
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.metrics.tables import Setting
from goldassay.questions.agree.standing import within_strata

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVEL, DRAWS, POOL = 0.95, 1_000, 1_000
METRIC = TABLE_METRICS["balanced_accuracy"]
SETTING = Setting("binary", 2, 0, np.eye(2), "unweighted")
ALL = 10**9


@dataclass(frozen=True)
class Judges:
    """The rate of positives, what each judge gets right of either class, and the labels."""

    rate: float
    sensitivity: tuple[float, ...]
    specificity: tuple[float, ...]
    #: Labels of what the first judge flags, and of the rest.
    labels: tuple[int, int]

    @property
    def words(self) -> str:
        judges = ", ".join(
            f"{a:g}/{b:g}" for a, b in zip(self.sensitivity, self.specificity, strict=True)
        )
        few = ", ".join("all" if one == ALL else str(one) for one in self.labels)
        return f"{self.rate:g} | {judges} | {few}"

    def drawn(self, rng: np.random.Generator) -> tuple[Floats, Ints, Ints]:
        """Counts [n, J, 2, 2] of labelled items by weight, their strata [n], and all items [2]."""
        positive = rng.random(POOL) < self.rate
        right = rng.random((POOL, len(self.sensitivity))) < np.where(
            positive[:, None], self.sensitivity, self.specificity
        )
        verdict = (positive[:, None] == right).astype(int)
        stratum, pool = 1 - verdict[:, 0], np.bincount(1 - verdict[:, 0], minlength=2)
        counts, strata = [], []
        for h, n in enumerate(self.labels):
            chosen = rng.permutation(np.flatnonzero(stratum == h))[:n]
            one = np.zeros((len(chosen), len(self.sensitivity), 2, 2))
            for judge in range(one.shape[1]):
                one[np.arange(len(chosen)), judge, positive[chosen] * 1, verdict[chosen, judge]] = 1
            counts.append(one * pool[h] / max(len(chosen), 1))
            strata.append(np.full(len(chosen), h))
        found = np.concatenate(counts)
        return found * len(found) / POOL, np.concatenate(strata), pool


GRID = (
    Judges(0.1, (0.8, 0.7), (0.95, 0.9), (ALL, 30)),
    Judges(0.1, (0.8, 0.7), (0.95, 0.9), (60, 60)),
    Judges(0.3, (0.9, 0.75), (0.9, 0.9), (ALL, 30)),
    Judges(0.3, (0.9, 0.75), (0.9, 0.9), (60, 60)),
    Judges(0.3, (0.9, 0.8, 0.7, 0.7), (0.9, 0.9, 0.9, 0.8), (60, 60)),
    Judges(0.5, (0.95, 0.9, 0.9), (0.9, 0.95, 0.9), (20, 100)),
    Judges(0.5, (0.97, 0.95), (0.97, 0.95), (60, 60)),
    # Written down when the method stood, and measured once.
    Judges(0.05, (0.7, 0.6, 0.9), (0.97, 0.95, 0.9), (ALL, 60)),
    Judges(0.2, (0.85, 0.85), (0.85, 0.85), (30, 90)),
    Judges(0.7, (0.9, 0.8, 0.8), (0.8, 0.9, 0.7), (100, 25)),
)


def tables_of(counts: Floats, stratum: Ints, pool: Ints) -> Tables:
    """One judge's labelled items [n, 2, 2] and all others, as patterns of units."""
    label, verdict = np.divmod(counts.reshape(-1, 4).argmax(1), 2)
    keys = np.stack([stratum, label, verdict])
    (of, row, column), first, times = np.unique(keys, axis=1, return_index=True, return_counts=True)
    weight, owner = counts.sum((1, 2))[first], np.arange(len(of))
    others = pool - np.bincount(stratum, minlength=2)
    kept = np.r_[times, others] > 0
    cells = Cells(owner, 0 * owner, row, column, weight, (int(kept.sum()), 1, 2))
    rated = np.r_[np.ones(len(of), bool), np.zeros(2, bool)]
    draw = LabelDraw(np.r_[of, 0, 1][kept], rated[kept], np.r_[weight, 1, 1][kept])
    every = np.arange(kept.sum())
    return Tables(("yes", "no"), 2, cells, np.r_[times, others][kept], every, True, draw=draw)


def rival(counts: Floats, stratum: Ints, pool: Ints, pairs: Ints) -> Floats:
    """Ends [2, P] of the normal intervals at a level for all pairs."""
    total = counts.sum(0)
    value, step = balanced_accuracy(total), 1e-5
    cells = np.eye(4).reshape(4, 2, 2)
    slope = (balanced_accuracy(total[:, None] + step * cells) - value[:, None]) / step  # [J, 4]
    one = counts.reshape(*counts.shape[:2], 4)
    moves = np.einsum("njc,jc->nj", one, slope)
    gaps = moves[:, pairs[0]] - moves[:, pairs[1]]
    variance = np.zeros(pairs.shape[1])
    for h, items in enumerate(pool):
        mine = gaps[stratum == h]
        if len(mine) > 1:
            variance += len(mine) * mine.var(0, ddof=1) + mine.sum(0) ** 2 / items
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / pairs.shape[1])
    gap = value[pairs[0]] - value[pairs[1]]
    return np.stack([gap - z * np.sqrt(variance), gap + z * np.sqrt(variance)])


def measured(one: Judges, runs: int, seed: int) -> tuple[Floats, Floats]:
    """How often all differences are held, and mean length: ours, by weights and the normal one."""
    rng = np.random.default_rng([seed, *one.labels, round(100 * one.rate)])
    truth = (np.array(one.sensitivity) + np.array(one.specificity)) / 2
    pairs = np.array(list(combinations(range(len(truth)), 2))).T
    gaps = truth[pairs[0]] - truth[pairs[1]]
    held, length = np.zeros((runs, 3)), np.zeros((runs, 3))
    for run in range(runs):
        counts, stratum, pool = one.drawn(rng)
        merged, times = distinct_clusters(counts, np.ones(len(counts), np.int64))
        sample = joint_draws(balanced_accuracy, merged, times, draws=DRAWS, seed=run)
        widen = widening(balanced_accuracy, merged, times, LEVEL)
        values, same = balanced_accuracy(counts.sum(0)), same_verdicts(merged)
        weighed = compare(values, sample, confidence_level=LEVEL, widen=widen, same=same)
        tables = [tables_of(counts[:, j], stratum, pool) for j in range(len(truth))]
        how = METRIC, SETTING, Draw(DRAWS, run, LEVEL)
        ours = within_strata(weighed, sample, tables, how, widen, same)
        ends = [
            np.stack([end[pairs[0], pairs[1]] for end in (found.low, found.high)])
            for found in (ours, weighed)
        ]
        for way, (low, high) in enumerate((*ends, rival(counts, stratum, pool, pairs))):
            held[run, way] = ((low <= gaps) & (gaps <= high)).all()
            length[run, way] = (high - low).mean()
    return held.mean(0), length.mean(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--settings", type=int, nargs="*", default=range(len(GRID)))
    given = parser.parse_args()
    print("| rate | judges | labels | ours | by weights | normal | x |")
    print("| --- " * 7 + "|")
    for one in (GRID[at] for at in given.settings):
        held, length = measured(one, given.runs, given.seed)
        cells = " | ".join(f"{h:.3f} ({n:.3f})" for h, n in zip(held, length, strict=True))
        shortest = np.where(held[1:] >= 0.93, length[1:], np.inf).min()
        told = f"{length[0] / shortest:.2f}" if np.isfinite(shortest) else "-"
        print(f"| {one.words} | {cells} | {told} |", flush=True)


if __name__ == "__main__":
    main()
