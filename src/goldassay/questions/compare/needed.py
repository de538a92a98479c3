"""How many labels, or items, would tell a difference apart, were it as large as it looks.

The variance of a difference has a part that more labels take away, and one that only more items
do: clusters with labels, and those without, show which is which. With m labels of each system now
and m' then, V(m') = V_labels m / m' + V_items (n - m') / (n - m). A difference d is told with the
power 0.8 when (c + z)^2 V <= d^2, c the critical value of all differences at once.

V is itself known from few labels, and a V that looks too small costs more power than one that looks
too large gains. z is therefore not the normal quantile of 0.8, but such that studies planned from
pilots like this one tell the difference 8 times in 10 on average: with V as a chi-square of v
degrees of freedom the power is about Phi((c + z) sqrt(chi2 / v) - c), whose mean is 0.8 where
(c + z)(1 - 1/(4v)) = c + z_0.8 sqrt(1 + (c + z)^2 / (2v)); it aims a little higher.

With assurance: each part of V is taken as large as it would be in nine of ten studies that show
what was seen (its chi-square upper limit).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.clusters import effective_clusters
from goldassay.questions.estimate.together import Estimates

__all__ = ["ASSURANCE", "POWER", "Needed", "Spent", "Spread", "best_spent", "labels_needed"]

Array = NDArray[np.float64]

#: How often a true difference of the size seen would be told, and how surely that is promised.
POWER, ASSURANCE = 0.8, 0.9
#: What is aimed at so that the power is kept where normal theory is an approximation (few labels,
#: yes or no): chosen by simulation.
AIMED = 0.83
#: Steps after which the distance that is told no longer changes.
STEPS = 20


@dataclass(frozen=True, slots=True)
class Needed:
    """Labels of each system that would tell, plain and assured; None where no number does.

    `items` are those that it would take instead, with the same share of them labelled.
    """

    labels: int | None
    labels_assured: int | None
    items: int | None
    items_assured: int | None
    labels_now: int
    items_now: int
    #: Told apart from 0, or from the margin.
    apart_from: float
    #: Whether the two systems have other numbers of labels now, of which that is the mean.
    on_average: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "labels_of_each_system": self.labels,
            "labels_assured": self.labels_assured,
            "items": self.items,
            "items_assured": self.items_assured,
            "power": POWER,
            "assurance": ASSURANCE,
        }


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of a difference as its limits have it, from so many items and labels of each
    system, and the distance at which it is told."""

    variance: float
    items: float
    labels: float
    critical: float


@dataclass(frozen=True, slots=True)
class Spent:
    """Where one more label takes most of the variance away: a system, and a verdict of it."""

    system: str
    verdict: str | None
    #: How much more than the mean of all places where a label could go.
    gain: float


def best_spent(
    systems: Sequence[str], verdicts: Sequence[str], cells: Array, scores: Array
) -> Spent | None:
    """The system and verdict, of cells [S, K + 1, V], in which the next label tells most.

    A verdict with the share w of a system's items, m labels and the variance s^2 among them adds
    w^2 s^2 / m to the variance of the system's rate: one label more takes w^2 s^2 / m^2 of that
    away. Variances are those with one label more of the lowest and of the highest score.
    """
    known, pool = cells[:, :-1], cells.sum(1)
    share = pool / np.maximum(pool.sum(-1, keepdims=True), 1e-300)
    labels = known.sum(1)
    padded = known.copy()
    padded[:, [int(scores.argmin()), int(scores.argmax())]] += 0.5
    size = padded.sum(1)
    mean = np.einsum("skv,k->sv", padded, scores) / size
    spread = np.einsum("skv,k->sv", padded, scores**2) / size - mean**2
    open_ = cells[:, -1] > 0
    gain = np.where(open_, share**2 * spread / (labels + 1) ** 2, 0.0)
    if not gain.any():
        return None
    system, verdict = divmod(int(gain.argmax()), gain.shape[1])
    usual = float(gain[open_].mean())
    return Spent(systems[system], verdicts[verdict], float(gain.max()) / usual)


def labels_needed(
    estimates: Estimates,
    pair: tuple[int, int],
    difference: float,
    known: Spread,
    margin: float | None,
) -> Needed | None:
    """What would tell the difference of `pair` from 0, or from a loss of `margin`.

    None where nothing is known to vary.
    """
    items, labels, variance = known.items, known.labels, known.variance
    targets = [abs(difference)] if margin is None else [abs(difference), difference + margin]
    target = max(targets)
    a, b = pair
    moved = estimates.influence[:, a] - estimates.influence[:, b]
    shares = estimates.shares[:, a] + estimates.shares[:, b]
    has_labels = shares > 0
    squares = estimates.times * moved**2
    whole = float(squares.sum())
    if whole <= 0 or target <= 0 or labels <= 0 or not math.isfinite(variance):
        return None
    by_labels = variance * float(squares[has_labels].sum()) / whole
    by_items = variance - by_labels
    degrees = max(float(effective_clusters(shares, estimates.times)) - 1, 1.0)
    others = max(float(estimates.times[~has_labels].sum()) - 1, 1.0)
    together = variance**2 / (by_labels**2 / degrees + by_items**2 / others)

    def solved(of_labels: float, of_items: float, reach: float) -> tuple[int | None, int | None]:
        limit = (target / reach) ** 2
        more = _labels(of_labels, of_items, labels, items, limit)
        return more, math.ceil(items * (of_labels + of_items) / limit)

    plain = solved(by_labels, by_items, _reach(known.critical, together))
    assured = solved(
        by_labels * _upper(degrees),
        by_items * _upper(others),
        known.critical + NormalDist().inv_cdf(AIMED),
    )
    return Needed(
        plain[0],
        assured[0],
        plain[1],
        assured[1],
        round(labels),
        round(items),
        0.0 if margin is None or abs(difference) >= difference + margin else -margin,
    )


def _labels(
    of_labels: float, of_items: float, labels: float, items: float, limit: float
) -> int | None:
    """The smallest number of labels up to all items with a variance within the limit."""
    left = max(items - labels, 0.0)
    tried = _tried(max(labels, 1.0), max(items, labels, 1.0))
    rest = of_items * np.clip((items - tried) / left, 0, 1) if left > 0 else 0 * tried
    enough = of_labels * labels / tried + rest <= limit
    return int(tried[enough.argmax()]) if enough.any() else None


def _reach(critical: float, degrees: float) -> float:
    """Standard errors that a difference must be away to be told with the power, over pilots."""
    usual = NormalDist().inv_cdf(AIMED)
    found = critical + usual
    for _ in range(STEPS):
        more = min(found**2 / (2 * degrees), 1.0)  # a pilot of few clusters cannot be made up for
        found = (critical + usual * math.sqrt(1 + more)) / (1 - 1 / (4 * max(degrees, 4.0)))
    return found


@lru_cache(maxsize=64)  # most pairs of systems have as many items and labels
def _tried(least: float, most: float) -> Array:
    """Whole numbers of labels at which a variance is looked up."""
    found = np.unique(np.ceil(np.geomspace(least, most, 400)))
    found.flags.writeable = False
    return found


def _upper(degrees: float) -> float:
    """How many times larger a variance may be than it looks with so many degrees of freedom."""
    from goldassay.formulas.compiled import chdtri

    return degrees / float(chdtri(degrees, ASSURANCE))
