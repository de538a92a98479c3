"""Are a judge's error rates the same on every system?

A judge's rate of a system is FPR + J x only with the same sensitivity and specificity for all. If
a judge is kinder to some systems (its own family, say), differences between systems are distorted
whatever its balanced accuracy. For each class of the reference the systems' hit rates are compared
by a score test whose distribution comes from giving the clusters' contributions random signs. It
holds its size with few items of a rare class and with prompts that all systems answer, where the
Wald test rejects up to a third of true hypotheses.

References: Collot et al., "Limitations"; Kline and Santos (2012), "A score based approach to wild
bootstrap inference".
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import blocks
from goldassay.inference.cells import Cells
from goldassay.questions.select.candidates import Candidates
from goldassay.questions.select.criteria import METRICS
from goldassay.ratings.task import Task
from goldassay.results import Undefined

__all__ = [
    "Distortion",
    "Homogeneity",
    "RandomSigns",
    "Stability",
    "distortions",
    "homogeneity",
    "stabilities",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Rates are said to differ at this level, shared out over all tests.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """A test that a hit rate is the same in all systems."""

    rates: Array  # [S], NaN for a system without items of the class
    sizes: Array  # [S]
    statistic: float
    p_value: float
    method: str


class RandomSigns:
    """For clusters that stand for m each, sums of m random signs; the same ones are drawn once."""

    def __init__(self, seed: int, draws: int = 2000) -> None:
        self.draws, self._seed = draws, seed
        self._held: tuple[Ints, Array] | None = None

    def blocks(self, multiplicity: Ints) -> Iterator[Array]:
        """Sums [b, C] in blocks of so many draws as may be held at once."""
        if self._held is not None and np.array_equal(self._held[0], multiplicity):
            yield self._held[1]
            return
        rng = np.random.default_rng(self._seed)
        for rows in blocks(self.draws, len(multiplicity)):
            signs = np.multiply(rng.binomial(multiplicity, 0.5, (rows, len(multiplicity))), 2.0)
            signs -= multiplicity
            if rows == self.draws:
                self._held = multiplicity, signs
            yield signs


def homogeneity(
    hits: Array, sizes: Array, multiplicity: Ints, signs: RandomSigns
) -> Homogeneity | Undefined:
    """Test equal hit rates over systems from counts by cluster and system, [C, S] each."""
    total_hits = multiplicity @ hits
    total = multiplicity @ sizes
    used = np.flatnonzero(total > 0)
    n_items = int(total.sum())
    rates = np.full(len(total), np.nan)
    rates[used] = total_hits[used] / total[used]
    if len(used) < 2:
        return Undefined("homogeneity", "fewer than two systems have items of this class", n_items)
    pooled = total_hits.sum() / total.sum()
    if pooled in (0.0, 1.0):
        return Homogeneity(rates, total, 0.0, 1.0, "all rates are equal")
    statistic, p_value = _score_test(hits[:, used], sizes[:, used], multiplicity, signs)
    return Homogeneity(rates, total, statistic, p_value, f"score test, {signs.draws} random signs")


def _score_test(
    hits: Array, sizes: Array, multiplicity: Ints, signs: RandomSigns
) -> tuple[float, float]:
    """The weighted spread of the rates, and how often random signs of the clusters exceed it.

    Under equal rates a cluster's contribution to each system's score, hits - rate x items (less
    what estimating the rate takes out), has mean 0, and is as likely to have the other sign.
    """
    total = multiplicity @ sizes
    pooled = float((multiplicity @ hits).sum() / total.sum())
    residual = hits - pooled * sizes
    influence = residual - residual.sum(1, keepdims=True) * (total / total.sum())
    scale = total * pooled * (1 - pooled)

    def spread(score: Array) -> Array:
        out: Array = (score**2 / scale).sum(-1)
        return out

    observed = float(spread(multiplicity @ residual))
    beyond = 0
    for some in signs.blocks(multiplicity):
        beyond += int((spread(some @ influence) >= observed - 1e-9).sum())
    return observed, (beyond + 1) / (signs.draws + 1)


@dataclass(frozen=True, slots=True)
class Stability:
    """Whether a judge's rate of right verdicts on one class is the same on every system."""

    judge: str
    #: sensitivity, specificity, or the recall of an option.
    rate: str
    systems: tuple[str, ...]
    found: Homogeneity | Undefined
    #: Whether the rates differ, at a level shared out over all candidates and classes.
    differs: bool


def stabilities(candidates: Candidates, *, seed: int) -> tuple[Stability, ...]:
    """The test for every judge and class; none with fewer than two systems."""
    units = candidates.units
    systems = units.by.get("system")
    if systems is None or len(systems.labels) < 2:
        return ()
    options = candidates.labels[: candidates.size]
    level = LEVEL / len(candidates.names) / len(options)
    out, signs = [], RandomSigns(seed)
    for index in candidates.judges:
        cells = candidates.tables(index).cells
        for code, option in enumerate(options):
            hits, sizes = _by_system(units, cells.where(cells.row == code), len(systems.labels))
            times = units.n if units.single else np.ones(len(hits), dtype=np.int64)
            found = homogeneity(hits, sizes, times, signs)
            differs = isinstance(found, Homogeneity) and found.p_value < level
            rate = _rate_name(units.task, option)
            out.append(
                Stability(candidates.names[index], rate, tuple(systems.labels), found, differs)
            )
    return tuple(out)


def _rate_name(task: Task, option: str) -> str:
    if task.scale != "binary":
        return f"recall_of_{option}"
    return "sensitivity" if option == task.positive else "specificity"


def _by_system(units: Units, cells: Cells, n_systems: int) -> tuple[Array, Array]:
    """Hits and items of a reference class, whose cells are given, by cluster and system, [C, S]."""
    clusters = len(units.n) if units.single else units.n_clusters
    where = np.arange(clusters) if units.single else units.cluster
    times = 1.0 if units.single else units.n
    out = np.zeros((2, clusters, n_systems))
    at = (where, units.by["system"].codes)
    for sums, one in zip(out, cells.sums(), strict=True):
        np.add.at(sums, at, one[:, 0] * times)
    return out[0], out[1]


@dataclass(frozen=True, slots=True)
class Distortion:
    """The line of a judge: for a true rate x it reports FPR + J x (Collot et al., 4.1)."""

    judge: str
    false_positive_rate: float
    sensitivity: float
    #: The option whose rate it reports.
    positive: str = ""

    @property
    def youden_j(self) -> float:
        return self.sensitivity - self.false_positive_rate


def distortions(candidates: Candidates) -> tuple[Distortion, ...]:
    """The line of every candidate of a binary task that has both error rates."""
    setting = candidates.setting
    if len(candidates.units.task.options) != 2 or setting.positive is None:
        return ()
    lines, option = [], candidates.units.task.options[setting.positive]
    for place, name in enumerate(candidates.names):
        total = candidates.tables(place).total
        rates = (METRICS[rate].compute(total, setting) for rate in ("specificity", "sensitivity"))
        negative, positive = map(float, rates)
        lines.append(Distortion(name, 1 - negative, positive, option))
    return tuple(one for one in lines if np.isfinite(one.youden_j))
