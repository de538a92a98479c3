"""How often the joint intervals of all differences between judges hold the truth, as a table.

    python scripts/coverage_selection.py [--replications 2000] > table.md

Golden sets are drawn with judges whose errors hang together. Beside goldassay's joint intervals
stands what is usually done: a bootstrap percentile interval for each pair. The table is in
`docs/theory/figures.md`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from goldassay.formulas.agreement import balanced_accuracy
from goldassay.inference.clusters import distinct_clusters
from goldassay.inference.comparison import compare, joint_draws, same_verdicts, widening

LEVEL = 0.95


@dataclass(frozen=True)
class Setting:
    """Judges' sensitivities and specificities, and the golden set they are compared on."""

    items: int
    prevalence: float
    sensitivity: tuple[float, ...]
    specificity: tuple[float, ...]
    together: float = 0.5  # correlation of the judges' errors
    size: int = 1  # decisions in a cluster
    within: float = 0.0  # correlation of errors within a cluster

    @property
    def words(self) -> str:
        judges = ", ".join(
            f"{a:g}/{b:g}" for a, b in zip(self.sensitivity, self.specificity, strict=True)
        )
        clusters = f", clusters of {self.size}" if self.size > 1 else ""
        return f"{self.items} items, prevalence {self.prevalence:g}{clusters} | {judges}"


SETTINGS = (
    Setting(30, 0.5, (0.9, 0.7), (0.9, 0.9), 0.0),
    Setting(50, 0.1, (0.9, 0.8, 0.7), (0.9, 0.9, 0.9)),
    Setting(50, 0.5, (0.95, 0.95, 0.95), (0.98, 0.98, 0.98)),
    Setting(100, 0.1, (0.9, 0.9, 0.6), (0.9, 0.95, 0.97)),
    Setting(100, 0.3, (0.9, 0.8, 0.7, 0.6, 0.6), (0.9,) * 5, 0.3),
    Setting(300, 0.05, (0.98, 0.9, 0.8), (0.95, 0.9, 0.8)),
    Setting(300, 0.3, (0.98, 0.9, 0.8), (0.95, 0.9, 0.8), 0.8),
    Setting(200, 0.3, (0.9, 0.8, 0.8), (0.9, 0.9, 0.8), 0.3, size=10, within=0.3),
    Setting(300, 0.1, (0.9, 0.8, 0.8), (0.95, 0.9, 0.9), 0.5, size=6, within=0.3),
    Setting(1000, 0.2, (0.9, 0.85, 0.8, 0.7), (0.9, 0.85, 0.9, 0.9), 0.3, size=5, within=0.3),
)


def golden_set(setting: Setting, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Counts [C, J, 2, 2] of distinct clusters and their multiplicities."""
    from scipy.special import ndtri

    judges, n, size = len(setting.sensitivity), setting.items, setting.size
    cluster = np.arange(n) // size
    positive = rng.random(n) < setting.prevalence
    a, b = setting.within, setting.together
    shared = np.sqrt(b) * rng.standard_normal((n // size, 1))
    noise = np.sqrt(a) * (shared + np.sqrt(1 - b) * rng.standard_normal((n // size, judges)))
    noise = noise[cluster] + np.sqrt(1 - a) * (
        np.sqrt(b) * rng.standard_normal((n, 1)) + np.sqrt(1 - b) * rng.standard_normal((n, judges))
    )
    right = noise < ndtri(np.where(positive[:, None], setting.sensitivity, setting.specificity))
    verdict = np.where(right, positive[:, None], ~positive[:, None]).astype(int)
    counts = np.zeros((n // size, judges, 2, 2))
    for judge in range(judges):
        np.add.at(counts, (cluster, judge, positive.astype(int), verdict[:, judge]), 1)
    return distinct_clusters(counts, np.ones(len(counts), np.int64))


def measure(
    setting: Setting, replications: int, rng: np.random.Generator, draws: int = 1000
) -> tuple[float, float, float, float]:
    """Joint coverage and mean length, goldassay's and the pairwise percentile bootstrap's."""
    truth = (np.array(setting.sensitivity) + np.array(setting.specificity)) / 2
    first, second = np.array(list(combinations(range(len(truth)), 2))).T
    true = truth[first] - truth[second]
    ours, theirs, length, their_length = [], [], [], []
    while len(ours) < replications:
        counts, times = golden_set(setting, rng)
        total = np.tensordot(times, counts, axes=1)
        if (total.sum(-1) == 0).any():
            continue  # one class only: undefined, and said so
        found = compare(
            balanced_accuracy(total),
            joint_draws(balanced_accuracy, counts, times, draws=draws, seed=len(ours)),
            confidence_level=LEVEL,
            widen=widening(balanced_accuracy, counts, times, LEVEL),
            same=same_verdicts(counts),
            most=1.0,
        )
        low, high = found.low[first, second], found.high[first, second]
        ours.append(((low <= true + 1e-9) & (true <= high + 1e-9)).all())
        length.append((high - low).mean())
        resampled = rng.multinomial(times.sum(), times / times.sum(), draws).astype(float)
        sums = (resampled @ counts.reshape(len(counts), -1)).reshape(draws, *counts.shape[1:])
        drawn = balanced_accuracy(sums)
        low, high = np.nanquantile(drawn[:, first] - drawn[:, second], [0.025, 0.975], axis=0)
        theirs.append(((low <= true + 1e-9) & (true <= high + 1e-9)).all())
        their_length.append((high - low).mean())
    return tuple(float(np.mean(one)) for one in (ours, length, theirs, their_length))  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print(
        "| golden set | sensitivity/specificity of the judges | joint coverage | mean length | "
        "pairwise bootstrap, joint coverage | its mean length |"
    )
    print("| --- " * 6 + "|")
    for setting in SETTINGS:
        joint, length, theirs, their_length = measure(setting, options.replications, rng)
        print(
            f"| {setting.words} | {joint:.3f} | {length:.3f} | {theirs:.3f} | {their_length:.3f} |"
        )


if __name__ == "__main__":
    main()
