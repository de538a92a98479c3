"""Corrected rates in clusters of unequal sizes: they cover, and are not much longer than they must.

`python benchmarks/lengths.py clusters` measures drawn settings; these few hold both sides of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from internals import CALIBRATION_ONLY, STRATIFIED, Estimator, designs_of
from internals import RateCounts as Counts
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]
RUNS = 600


@dataclass(frozen=True)
class Setting:
    """Clusters with rates of their own; a share of the items, or of the clusters, is labelled."""

    sizes: tuple[int, ...]
    alike: float
    rate: float
    share: float
    whole: bool = False
    #: The most that the interval may be longer than the score interval over clusters.
    longest: float = 1.15

    def cells(self, rng: np.random.Generator) -> Floats:
        sizes = np.broadcast_to(self.sizes, (RUNS, len(self.sizes)))

        def chance(rate: float) -> Floats:
            more = 1 / self.alike - 1 if self.alike else 1e9
            return rng.beta(rate * more, (1 - rate) * more, sizes.shape)

        positive = rng.binomial(sizes, chance(self.rate))
        hits, alarms = (
            rng.binomial(n, chance(r)) for n, r in ((positive, 0.9), (sizes - positive, 0.1))
        )
        every = np.stack([sizes - positive - alarms, alarms, positive - hits, hits], -1)
        every = every.reshape(*sizes.shape, 2, 2)
        if self.whole:
            number = round(self.share * len(self.sizes))
            chosen = np.argsort(rng.random(sizes.shape), 1) < number
            known = every * chosen[:, :, None, None]
        else:
            known = rng.binomial(every, self.share)
        found = np.zeros((*sizes.shape, 1, 3, 2))
        found[:, :, 0, :2], found[:, :, 0, 2] = known, (every - known).sum(-2)
        return found


def rate_of(cells: Floats) -> Floats:
    return STRATIFIED.rate(Counts(cells[..., 0, -1, :], cells[..., 0, :-1, :], pooled=True))


def limits(cells: Floats, estimator: Estimator | None = None) -> tuple[Floats, Floats]:
    """As `estimate` has them: people's own rate where all is labelled."""
    scale = designs_of(cells, cells.sum((1, 2, 3, 4)), rate_of).inflations(0.95)
    total = cells.sum(1)[:, 0]
    counts = Counts(total[:, -1], total[:, :-1], pooled=True)
    estimator = estimator or (STRATIFIED if counts.test.any() else CALIBRATION_ONLY)
    found = estimator.corrected(counts, 0.95, scale)
    return found.low, found.high


def score_over_clusters(cells: Floats) -> tuple[Floats, Floats]:
    """Wilson's interval with the effective number of items by the jackknife over clusters, and
    Student's t for the effective number of labelled clusters."""
    total, clusters = cells.sum(1)[:, None], cells.shape[1]
    p = np.clip(rate_of(total)[:, 0], 1e-3, 1 - 1e-3)
    variance = ((rate_of(total - cells) - p[:, None]) ** 2).sum(1) * (clusters - 1) / clusters
    labelled = cells[:, :, 0, :2].sum((2, 3))
    worth = labelled.sum(1) ** 2 / (labelled**2).sum(1)
    t, size = stats.t.ppf(0.975, np.maximum(worth - 1, 1)), p * (1 - p) / variance
    centre = (p + t**2 / 2 / size) / (1 + t**2 / size)
    half = t / (1 + t**2 / size) * np.sqrt(p * (1 - p) / size + (t / 2 / size) ** 2)
    return centre - half, centre + half


PLACES = (np.arange(40) + 0.5) / 40
LOGNORMAL = tuple(int(n) for n in np.ceil(stats.lognorm(1.0, scale=8).ppf(PLACES)))
SETTINGS = {
    "eight equal clusters that are not alike": Setting((12,) * 8, 0.0, 0.3, 0.5),
    "twenty equal clusters, whole ones labelled": Setting((15,) * 20, 0.1, 0.7, 0.5, whole=True),
    "forty of lognormal sizes": Setting(LOGNORMAL, 0.1, 0.3, 0.5),
    "forty of lognormal sizes, alike, all labelled": Setting(LOGNORMAL, 0.3, 0.7, 1.0),
    "twelve equal ones, alike, all labelled": Setting((30,) * 12, 0.3, 0.3, 1.0),
    "one of forty has half, not alike": Setting((390, *(10,) * 39), 0.0, 0.7, 0.5),
    "one of forty has half, alike": Setting((390, *(10,) * 39), 0.1, 0.3, 0.5),
    "one of eighty has a fifth, rare": Setting((200, *(10,) * 79), 0.1, 0.05, 1.0),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_rates_in_unequal_clusters_cover_and_are_not_long(name: str) -> None:
    setting = SETTINGS[name]
    cells = setting.cells(np.random.default_rng(17))
    low, high = limits(cells)
    covered = np.mean((low <= setting.rate) & (setting.rate <= high))
    assert covered + 3 * np.sqrt(0.05 * 0.95 / RUNS) > 0.93
    bottom, top = score_over_clusters(cells)
    known = np.isfinite(bottom + top)
    assert known.mean() > 0.95
    ratio = (high - low)[known].mean() / (top - bottom)[known].mean()
    assert ratio < setting.longest
    assert ratio > 0.6  # an interval that has lost its clusters is far shorter


@pytest.mark.parametrize("name", [name for name, one in SETTINGS.items() if one.share == 1])
def test_the_last_label_does_not_lengthen_the_interval(name: str) -> None:
    """Where all is labelled the judge is not needed, and the interval is people's own."""
    cells = SETTINGS[name].cells(np.random.default_rng(18))
    own, corrected = (
        np.subtract(*limits(cells, one)[::-1]).mean() for one in (CALIBRATION_ONLY, STRATIFIED)
    )
    assert 0.9 < own / corrected < 1.03
