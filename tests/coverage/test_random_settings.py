"""Coverage and length of the default intervals in settings of `benchmarks/coverage_probe.py`."""

from __future__ import annotations

from typing import Any

import coverage_probe as probe
import numpy as np
import pytest
from patience import seldom
from probe_estimates import Labelling

HEAVY = probe.Grouping(20, heavy=True, correlation=0.2)
#: Many clusters, of which a few large ones hold most decisions, and these are alike.
ALIKE = probe.Grouping(60, heavy=True, correlation=0.5)
GIANT = probe.Grouping(20, correlation=0.2, giant=0.6)
#: Clusters that share their luck, so that the rarer outcome comes to few of them.
#: Half of the clusters are labelled, one of which has most items; a quarter of the items.
WHOLE = Labelling(300, 0.5, True, probe.Grouping(20, correlation=0.4, giant=0.7))
SOME = Labelling(200, 0.25, False, HEAVY)
LABELS = Labelling(400, 0.25, False, HEAVY)
FORTY = Labelling(400, 0.1, False)
MEAN, WIN = "system score: mean", "system score: win rate"
#: A setting, and of each interval the longest mean length: the measured one and a twentieth.
CASES = [
    (probe.Binary(150, 0.4, 0.9, 0.85, weights=1.2), {"sensitivity": 0.3482, "accuracy": 0.2478}),
    (probe.Binary(300, 0.2, 0.85, 0.9, HEAVY), {"sensitivity": 0.5450}),
    (probe.Binary(300, 0.3, 0.75, 0.9, ALIKE, 0.8), {"positive_rate_difference": 0.2808}),
    (probe.Binary(400, 0.4, 0.8, 0.8, ALIKE), {"reference_rate": 0.3803}),
    (probe.Raters(120, 3, (0.5, 0.3, 0.2), 0.8, 0.0, HEAVY), {"fleiss_kappa nominal": 0.4695}),
    (probe.Paired(120, 3, 0.8, 0.9, 0.0), {"gap_to_people": 0.1213}),
    (probe.MeanScores(WHOLE, "normal", 0.3), {"mean score": 3.8844}),
    (probe.MeanScores(SOME, "rare", 0.8), {"mean score": 0.3609}),
    (
        probe.OptionRates(LABELS, (0.6, 0.3, 0.1), 0.8, "random", False),
        {"rate of the rarest": 0.4739, "rate of the commonest": 0.5422},
    ),
    (
        probe.Decisions(300, 0.1, 0.05, 0.2, 4, 3, GIANT),
        {
            "replace advantage": 0.5598,
            "replace share won": 0.3597,
            "route bound": 0.4422,
            "rank differences": 3.0440,
            "standing of scores": 0.7060,
        },
    ),
    (
        probe.Ceilings(FORTY, (0.06, 0.04, 0.08, 0.12, 0.7), 0.5, "random", False),
        {"mean of the options": 0.8001},
    ),
    (probe.SystemScores("right or wrong", 26, 4, 0.97), {MEAN: 0.1780, WIN: 0.1355}),
    # Five prompts look skewed by chance, and lognormal ones often do not: longer than Student's t.
    (probe.SystemScores("normal", 5, 3, 0.8), {MEAN: 5.1442, WIN: 0.8148}),
    (probe.SystemScores("normal", 80, 3, 0.8), {MEAN: 0.6591, WIN: 0.1897}),
]


@pytest.mark.parametrize(("setting", "longest"), seldom(CASES, 0, 4, 6, 9, 11))
def test_it_covers_and_is_not_longer_than_it_must_be(
    setting: Any, longest: dict[str, float]
) -> None:
    measured = probe.measured(setting, 100, seed=11)
    for name, length in longest.items():
        found = measured[name]
        assert found.coverage + 2 * np.sqrt(0.05 * 0.95 / found.runs) >= 0.93, name
        assert found.length / found.runs <= length, name


def test_all_differences_of_judges_hold_at_once_in_clusters_of_unequal_sizes() -> None:
    setting = probe.Judges(160, 0.5, (0.97, 0.94, 0.91, 0.88), 0.5, HEAVY)
    for found in probe.measured(setting, 100, seed=12).values():
        assert found.coverage >= 0.89  # two Monte Carlo errors below .93


def test_settings_are_drawn_within_their_ranges_and_short_ones_are_seen() -> None:
    rng = np.random.default_rng(0)
    for family in probe.FAMILIES.values():
        for unequal in (False, True):
            assert family.drawn(rng, probe.Ranges(unequal))  # never empty
    tally = probe.Tally()
    for k in range(100):
        tally.add((0.0, 1.0) if k < 85 else (2.0, 3.0), 0.5)
    assert tally.coverage == 0.85
    assert tally.short
    assert tally.below == 15
