"""How many labelled items tell two judges apart.

Balanced accuracy is a mean of recalls, so the difference between two judges on the same items is a
mean of paired differences within the classes. Its variance is

    1/4 [ v1 / (n pi) + v0 / (n (1 - pi)) ],   v_c = b_c + c_c - (b_c - c_c)^2

with b_c and c_c the shares of class-c items on which only the first, only the second judge is
right, and pi the share of positive items.
"""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units, declared_modes, resolved_tables, verdict_shares
from goldassay.frozen import dataclass

__all__ = ["GoldenSet", "Pair", "Sureness", "discordance", "golden_set", "items_to_tell_apart"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure to be of a difference: with several judges, `comparisons` of them are looked at."""

    confidence_level: float = 0.95
    power: float = 0.8
    comparisons: int = 1

    @property
    def quantile(self) -> float:
        """Standard errors by which the difference must lie off 0 (Bonferroni)."""
        normal = NormalDist()
        tail = (1 - self.confidence_level) / (2 * self.comparisons)
        return normal.inv_cdf(1 - tail) + normal.inv_cdf(self.power)


USUAL = Sureness()


def discordance(first: float, second: float, *, correlation: float = 0.0) -> float:
    """Variance of the paired difference of two judges' hits, given each one's chance of a hit.

    `correlation` is that of their hits within a class. Judges tend to fail on the same items
    (correlation above 0), which makes them easier to tell apart: 0 is the careful assumption.
    """
    spread = math.sqrt(first * (1 - first) * second * (1 - second))
    return first * (1 - first) + second * (1 - second) - 2 * correlation * spread


def items_to_tell_apart(
    first: tuple[float, float],
    second: tuple[float, float],
    *,
    prevalence: float,
    correlation: float = 0.0,
    sure: Sureness = USUAL,
) -> int | None:
    """Golden items needed so that the difference's interval excludes 0 with the power asked for.

    `first` and `second` are (sensitivity, specificity). None when the balanced accuracies are
    equal, or when one class never occurs: no number of items would do.

    >>> items_to_tell_apart((0.9, 0.8), (0.8, 0.8), prevalence=0.5)
    895
    """
    difference = (first[0] + first[1] - second[0] - second[1]) / 2
    if abs(difference) < 1e-12 or not 0 < prevalence < 1:
        return None
    positive = discordance(first[0], second[0], correlation=correlation)
    negative = discordance(first[1], second[1], correlation=correlation)
    per_item = (positive / prevalence + negative / (1 - prevalence)) / 4
    return math.ceil(sure.quantile**2 * per_item / difference**2)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges, the difference of their balanced accuracies, and items that would tell it."""

    first: str
    second: str
    #: None where a class has no item that both judged.
    difference: float | None
    #: None where no number of items would do.
    items: int | None


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """Labelled items that would tell each pair of judges apart by balanced accuracy."""

    pairs: tuple[Pair, ...]
    power: float


def golden_set(units: Units, *, power: float = 0.8) -> GoldenSet | None:
    """Every pair of a binary task's judges, if they are as they look so far; None for one judge."""
    task, names = units.task, units.judge_names
    if task.scale != "binary" or task.positive is None or len(names) < 2:
        return None
    hits = {judge: _hits(units, judge) for judge in names}
    pairs = list(combinations(names, 2))
    sure = Sureness(task.confidence_level, power, len(pairs))
    positive = task.options.index(task.positive)
    found = []
    for first, second in pairs:
        shares = _shares(units.n, hits[first], hits[second])
        found.append(
            Pair(first, second, None, None)
            if shares is None
            else Pair(first, second, shares.difference, shares.items(positive, sure))
        )
    return GoldenSet(tuple(found), power)


@dataclass(frozen=True, slots=True)
class _Hits:
    """Of one judge, by class and pattern [2, P]: the share judged, and of that the share right."""

    judged: Array
    right: Array


def _hits(units: Units, judge: str) -> _Hits:
    tables = resolved_tables(units, verdict_shares(units, judge), declared_modes(units.task))
    cells = tables.cells.dense()[:, 0]
    judged = np.ascontiguousarray(cells[:, :2].sum(-1).T)
    right = np.divide(
        cells[:, [0, 1], [0, 1]].T, judged, out=np.zeros_like(judged), where=judged > 0
    )
    return _Hits(judged, right)


@dataclass(frozen=True, slots=True)
class _Shares:
    """Items of each class [2] that both judged, shares that each gets right, and their hits'
    correlation within classes."""

    size: Array
    first: Array
    second: Array
    correlation: float

    @property
    def difference(self) -> float:
        return float((self.first.sum() - self.second.sum()) / 2)

    def items(self, positive: int, sure: Sureness) -> int | None:
        def rates(shares: Array) -> tuple[float, float]:
            return float(shares[positive]), float(shares[1 - positive])

        return items_to_tell_apart(
            rates(self.first),
            rates(self.second),
            prevalence=float(self.size[positive] / self.size.sum()),
            correlation=min(max(self.correlation, 0.0), 0.99),
            sure=sure,
        )


def _shares(n: NDArray[np.int64], first: _Hits, second: _Hits) -> _Shares | None:
    """None where a class has no item that both judged.

    An item counts in a class as much as both judged it there: its weight, and the share of people
    that put it in the class.
    """
    both = np.minimum(first.judged, second.judged)
    both *= n
    size = both.sum(1)
    if (size == 0).any():
        return None
    b = np.einsum("cp,cp->c", both, second.right) / size
    by_first = np.multiply(both, first.right, out=both)
    a = by_first.sum(1) / size
    together = np.einsum("cp,cp->c", by_first, second.right) / size
    spread = np.sqrt(a * (1 - a) * b * (1 - b))
    covariance = float(((together - a * b) * size).sum() / size.sum())
    correlation = covariance / max(float((spread * size).sum() / size.sum()), 1e-12)
    return _Shares(size, a, b, correlation)
