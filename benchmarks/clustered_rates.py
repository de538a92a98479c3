"""Corrected rates in clusters of unequal sizes: settings, draws, and named intervals beside ours.

A family of `lengths`. What `estimate` and `compare` give for a system, or for an option, is the
stratified rate with the design effect of its own clusters. Here many studies of a setting are drawn
and corrected at once, so that settings from wide ranges can be looked at: 8 to 200 clusters whose
sizes are equal, Poisson, lognormal, or one has a fifth or a half of all items; clusters alike or
not; labels of all items, of some at random, within verdicts, or of whole clusters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from goldassay.inference.clusters import LARGEST_SHARE, degrees_of
from goldassay.questions.estimate import linear
from goldassay.questions.estimate.estimators import CALIBRATION_ONLY, STRATIFIED, Counts
from goldassay.questions.estimate.sample import designs_of

Floats = NDArray[np.float64]
Rng = np.random.Generator

LEVEL = 0.95
#: Fewer labels are too few for a system of its own.
LEAST_LABELS = 15
#: How items are labelled, and the share of items or clusters, or the number in each verdict.
LABELS = (
    ("all", 1.0, 1.0),
    ("items", 0.15, 0.15),
    ("items", 0.5, 0.5),
    ("whole", 0.3, 0.3),
    ("whole", 0.6, 0.6),
    ("by verdict", 30.0, 30.0),
    ("by verdict", 60.0, 15.0),
)
NAMED = (
    "Student's t over clusters on the scale of the rate, on the logit scale, and as a score "
    "interval with the effective number of items, each with the plain sandwich and clusters - 1, "
    "with CR2 and with the jackknife, whose degrees of freedom are Satterthwaite's, those of the "
    "effective number of labelled clusters, or labelled clusters - 1"
)


@dataclass(frozen=True)
class Clustered:
    """One setting; `labels` as in `LABELS`."""

    clusters: int
    sizes: str
    mean: int
    alike: float
    rate: float
    right: tuple[float, float]
    labels: tuple[str, float, float]

    @classmethod
    def drawn(cls, rng: Rng) -> Clustered:
        clusters = int(rng.choice([8, 12, 20, 40, 80, 200]))
        kind, first, second = LABELS[int(rng.integers(len(LABELS)))]
        if kind == "whole" and clusters * first < 6:
            first = second = 0.8
        right = ((0.75, 0.8), (0.9, 0.9), (0.97, 0.95))[int(rng.integers(3))]
        return cls(
            clusters,
            str(rng.choice(["equal", "Poisson", "lognormal", "a fifth in one", "half in one"])),
            int(rng.choice([5, 12, 30])),
            float(rng.choice([0.0, 0.1, 0.3])),
            float(rng.choice([0.05, 0.3, 0.7])),
            right,
            (kind, first, second),
        )

    def _sizes(self, runs: int, rng: Rng) -> Floats:
        shape = (runs, self.clusters)
        if self.sizes == "equal":
            return np.full(shape, self.mean)
        if self.sizes == "lognormal":
            drawn = rng.lognormal(np.log(self.mean) - 0.5, 1.0, shape)
            return np.maximum(np.round(drawn), 1).astype(np.int64)
        found = 1 + rng.poisson(self.mean - 1, shape)
        if self.sizes != "Poisson":
            odds = {"a fifth in one": 0.25, "half in one": 1.0}[self.sizes]
            found[:, 0] = np.round(found[:, 1:].sum(1) * odds)
        return found

    def cells(self, runs: int, rng: Rng) -> Floats:
        """Studies [R, C, 1, 3, 2] that have enough labels."""
        sizes = self._sizes(runs, rng)

        def chance(rate: float) -> Floats:
            if not self.alike:
                return np.full(sizes.shape, rate)
            more = 1 / self.alike - 1
            return rng.beta(rate * more, (1 - rate) * more, sizes.shape)

        positive = rng.binomial(sizes, chance(self.rate))
        hits = rng.binomial(positive, chance(self.right[0]))
        alarms = rng.binomial(sizes - positive, chance(1 - self.right[1]))
        negative = sizes - positive
        every = np.stack([negative - alarms, alarms, positive - hits, hits], -1)
        every = every.reshape(*sizes.shape, 2, 2)
        known = self._labelled(every, rng)
        cells = np.zeros((*sizes.shape, 1, 3, 2))
        cells[:, :, 0, :2], cells[:, :, 0, 2] = known, (every - known).sum(-2)
        return cells[known.sum((1, 2, 3)) >= LEAST_LABELS]

    def _labelled(self, every: Floats, rng: Rng) -> Floats:
        kind, *amount = self.labels
        if kind == "all":
            return every
        if kind == "whole":
            number = max(round(amount[0] * self.clusters), 2)
            chosen = np.argsort(rng.random(every.shape[:2]), 1) < number
            return every * chosen[:, :, None, None]
        share = np.array(amount)
        if kind == "by verdict":
            share = np.minimum(share / np.maximum(every.sum((1, 2)), 1), 1.0)[:, None, None]
        return rng.binomial(every, np.broadcast_to(share, every.shape))

    def kind(self, cells: Floats) -> str:
        """How unequal clusters are, and whether the rarer label is on few items."""
        rarer = cells[:, :, 0, :2].sum((1, 3)).min(-1).mean()
        return f"{self.sizes}, {'fewer than 20' if rarer < 20 else '20 or more'} of the rarer label"


def rate_of(cells: Floats) -> Floats:
    return STRATIFIED.rate(Counts(cells[..., 0, -1, :], cells[..., 0, :-1, :], pooled=True))


def ours(cells: Floats) -> tuple[Floats, Floats]:
    """The limits that `estimate` gives, of many studies."""
    inflation = designs_of(cells, cells.sum((1, 2, 3, 4)), rate_of).inflations(LEVEL)
    total = cells.sum(1)[:, 0]
    counts = Counts(total[:, -1], total[:, :-1], pooled=True)
    estimator = STRATIFIED if counts.test.any() else CALIBRATION_ONLY  # as `main_estimator`
    value, low, high, _ = estimator.corrected(counts, LEVEL, np.nan_to_num(inflation, nan=1.0))
    return np.minimum(low, value), np.maximum(high, value)


def named(cells: Floats) -> Iterator[tuple[str, Floats, Floats]]:
    """The named intervals of many studies, not cut to 0 and 1."""
    total, clusters = cells.sum(1)[:, None], cells.shape[1]
    value = rate_of(total)[:, 0]
    moved = (rate_of(total) - rate_of(total - linear.STEP * cells)) / linear.STEP
    left_out = rate_of(total - cells) - value[:, None]
    labelled = cells[:, :, 0, :-1].sum((2, 3))
    share = labelled / labelled.sum(1, keepdims=True)
    kish = (share**2).sum(1) ** -1
    number = (labelled > 0).sum(1)
    satterthwaite = degrees_of(np.minimum(share, LARGEST_SHARE).T, np.ones((clusters, 1)))
    plain = (moved**2).sum(1) * clusters / (clusters - 1)
    cr2 = (moved**2 / np.maximum(1 - share, linear.LEAST_LEFT)).sum(1)
    jackknife = (left_out**2).sum(1) * (clusters - 1) / clusters
    for name, variance, degrees in (
        ("plain", plain, number - 1.0),
        ("CR2", cr2, number - 1.0),
        ("CR2, Satterthwaite", cr2, satterthwaite),
        ("CR2, effective", cr2, kish - 1),
        ("jackknife, Satterthwaite", jackknife, satterthwaite),
    ):
        t = stats.t.ppf((1 + LEVEL) / 2, np.maximum(degrees, 1.0))
        reach = t * np.sqrt(variance)
        yield name, value - reach, value + reach
        inside = np.clip(value, 1e-3, 1 - 1e-3)
        logit, spread = np.log(inside / (1 - inside)), reach / (inside * (1 - inside))
        yield f"{name}, logit", *(1 / (1 + np.exp(-(logit + s * spread))) for s in (-1, 1))
        size = inside * (1 - inside) / np.maximum(variance, 1e-12)
        centre = (inside + t**2 / 2 / size) / (1 + t**2 / size)
        half = t / (1 + t**2 / size) * np.sqrt(inside * (1 - inside) / size + (t / 2 / size) ** 2)
        yield f"{name}, score", centre - half, centre + half
