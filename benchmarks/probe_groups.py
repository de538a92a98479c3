"""Clusters of the settings that `coverage_probe` draws: how many, how unequal, how far alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator


@dataclass(frozen=True)
class Grouping:
    """Clusters of items: how many (0 for none), how unequal, how far items of one are alike.

    Sizes are equal, heavy-tailed, or one cluster has the share `giant` and the others the rest.
    """

    clusters: int = 0
    heavy: bool = False
    correlation: float = 0.0
    giant: float = 0.0

    @classmethod
    def drawn(cls, rng: Rng) -> Grouping:
        number = int(rng.choice([0, 0, 8, 20, 60]))
        if not number:
            return cls()
        return cls(number, bool(rng.random() < 0.4), float(rng.choice([0.0, 0.05, 0.2, 0.5])))

    @classmethod
    def unequal(cls, rng: Rng) -> Grouping:
        number, correlation = int(rng.choice([8, 20, 60])), float(rng.choice([0.0, 0.05, 0.2, 0.5]))
        heavy = bool(rng.random() < 0.5)
        giant = 0.0 if heavy else float(rng.choice([0.2, 0.4, 0.7, 0.85]))
        return cls(number, heavy, correlation, giant)

    def codes(self, n: int, rng: Rng) -> Ints:
        """The cluster of each of n items."""
        if not self.clusters:
            return np.arange(n)
        share = np.ones(self.clusters)
        if self.heavy:
            share = rng.pareto(1.5, self.clusters) + 0.2
        if self.giant:
            share[0] = self.giant / (1 - self.giant) * (self.clusters - 1)
        least = np.arange(min(self.clusters, n))
        rest = rng.choice(self.clusters, max(n - len(least), 0), p=share / share.sum())
        if not self.heavy and not self.giant:
            rest = np.arange(max(n - len(least), 0)) % self.clusters
        return np.sort(np.concatenate([least, rest]))

    def happens(self, probability: Floats | float, code: Ints, rng: Rng) -> NDArray[np.bool_]:
        """Events of these probabilities [n], alike within clusters: a beta rate for each."""
        p = np.clip(np.broadcast_to(np.asarray(probability, float), code.shape), 1e-6, 1 - 1e-6)
        if not self.clusters or not self.correlation:
            return rng.random(len(code)) < p
        rate = np.empty(len(code))
        more = 1 / self.correlation - 1
        for level in np.unique(p):
            of_cluster = rng.beta(level * more, (1 - level) * more, int(code.max()) + 1)
            rate = np.where(p == level, of_cluster[code], rate)
        return rng.random(len(code)) < rate

    def noise(self, code: Ints, rng: Rng, columns: int = 1) -> Floats:
        """Standard normal numbers [columns, n], alike within clusters."""
        part = self.correlation if self.clusters else 0.0
        shared = rng.standard_normal((columns, int(code.max()) + 1))[:, code]
        own = rng.standard_normal((columns, len(code)))
        return np.asarray(np.sqrt(part) * shared + np.sqrt(1 - part) * own)


@dataclass(frozen=True)
class Ranges:
    """What is drawn: anything, or clusters of unequal sizes alone, with weights at times."""

    unequal: bool = False

    def grouping(self, rng: Rng) -> Grouping:
        return Grouping.unequal(rng) if self.unequal else Grouping.drawn(rng)

    def weights(self, rng: Rng, grouping: Grouping, spreads: list[float]) -> float:
        """The spread of the logarithms of weights; without `unequal`, of lone items alone."""
        if self.unequal:
            return float(rng.choice([0.0, 0.8]))
        return 0.0 if grouping.clusters else float(rng.choice(spreads))
