"""goldassay's sequential allocation against Algorithm 1 at the same budget (figure 5's design)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from grids import fewest
from internals import (
    BY_VERDICT,
    JudgeRates,
    Purpose,
    label_in_batches,
    lang_reiczigel,
    length_of_shares,
    separate_set,
    stratified_limits,
)

JUDGES = ((0.7, 0.7), (0.7, 0.9), (0.9, 0.7), (0.9, 0.9))


def compared(
    theta: float, q0: float, q1: float, labels: int, replications: int
) -> tuple[float, float, float]:
    """Mean length, its ratio to Algorithm 1's, and coverage, with the intervals of estimate."""
    rates, rng = JudgeRates(theta, q1, q0), np.random.default_rng(round(1000 * theta))
    pools = label_in_batches(rates, items=1000, labels=labels, replications=replications, rng=rng)
    assert (pools.labelled.sum(-1) == labels).all()
    assert (pools.labelled <= pools.items).all()
    low, high = stratified_limits(pools.items, pools.positives, pools.labelled)
    sets = separate_set(rates, items=1000, labels=labels, replications=replications, rng=rng)
    assert (sets.calibration.sum((-1, -2)) == labels).all()
    their_low, their_high = lang_reiczigel(sets.test, sets.calibration)
    length = float((high - low).mean())
    negatives, positives = pools.labelled.mean(0)
    shares = (round(negatives), round(positives))
    planned = length_of_shares(BY_VERDICT, rates, shares, Purpose(0.1, 1000))
    assert 0.9 < planned / length < 1.15
    covered = float(((low <= theta) & (theta <= high)).mean())
    return length, length / float(np.nanmean(their_high - their_low)), covered


@pytest.mark.parametrize(("q0", "q1"), JUDGES)
@pytest.mark.parametrize("theta", [0.0, 0.05, 0.5, 1.0])
def test_shorter_than_algorithm_1_in_some_cells(theta: float, q0: float, q1: float) -> None:
    _, ratio, covered = compared(theta, q0, q1, 200, 500)
    assert ratio < 0.8
    assert covered > 0.91


@pytest.mark.slow
@pytest.mark.parametrize("labels", [200, 500])
def test_shorter_than_algorithm_1_in_every_cell(labels: int) -> None:
    """84 cells of 1,000 pools."""
    ratios = []
    for (q0, q1), theta in product(JUDGES, np.linspace(0, 1, 21).round(2)):
        _, ratio, covered = compared(float(theta), q0, q1, labels, 1000)
        assert ratio <= 1
        assert 1000 * covered >= fewest(1000)
        ratios.append(ratio)
    assert np.mean(ratios) < 0.5
