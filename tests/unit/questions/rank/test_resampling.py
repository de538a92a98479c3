"""One draw of the prompts, and estimates under it."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.questions.rank.resampling import Draw, draw_prompts
from tests.support.contests import contest

DRAW = Draw(np.ones((10, 5)), 8, 0.9)


def test_clusters_are_drawn_whole_and_by_the_seed() -> None:
    one = contest(prompts=6, cluster=np.array([0, 0, 1, 1, 2, 2]), n_clusters=3)
    drawn = [
        draw_prompts(one, resamples=50, confidence_level=0.95, rng=np.random.default_rng(4))
        for _ in range(2)
    ]
    assert drawn[0].weights.shape == (50, 3)
    assert (drawn[0].weights.sum(axis=1) == 3).all()
    assert (drawn[0].weights == drawn[1].weights).all()
    assert drawn[0].weights.itemsize == 1  # all of them are held
    assert (drawn[0].n_prompts, drawn[0].n_clusters) == (6, 3)


def test_an_interval_is_widened_to_hold_the_value() -> None:
    found = DRAW.around(0.5, 0.6, 0.8)
    assert found is not None
    assert (found.low, found.high, found.confidence_level) == (0.5, 0.8, 0.9)
    assert found.method == "prompt bootstrap (expanded percentile, 10)"
    assert DRAW.around(0.5, np.nan, 0.8) is None
    open_ended = DRAW.around(0.5, 0.4, np.inf)
    assert open_ended is not None
    assert open_ended.high == np.inf


def test_an_estimate_rests_on_all_prompts() -> None:
    found = DRAW.estimate("kendall_tau", 0.5, declared={"systems": 3})
    assert (found.n_items, found.n_clusters, found.interval) == (8, 5, None)
    assert found.declared == {"systems": 3}
    assert DRAW.undefined("kendall_tau", "tied").n_items == 8


def test_ends_are_those_of_each_column() -> None:
    replicates = np.column_stack([np.linspace(0, 1, 2001), np.full(2001, np.nan)])
    low, high = Draw(np.ones((2001, 10_000)), 10_000, 0.9).ends(replicates)
    assert (low[0], high[0]) == pytest.approx((0.05, 0.95), abs=1e-3)
    assert np.isnan(low[1])


def test_ends_beyond_decisiveness_take_back_what_resamples_add() -> None:
    """Resamples that lie lower than the value: the upper end is mirrored, and stays within 1."""
    rng = np.random.default_rng(2)
    weights = rng.multinomial(400, np.full(400, 1 / 400), 2_000)
    draw = Draw(weights, 400, 0.9, more=rng.exponential(size=2_000))
    replicates = rng.normal(-0.1, 0.05, (2_000, 1))
    whole = np.ones(1)
    plain = draw.ends_of_biases(replicates, whole)
    low, high = draw.ends_beyond_decisiveness(np.zeros(1), replicates, whole)
    assert low == plain[0]
    assert high == pytest.approx(-plain[0])
    assert draw.ends_beyond_decisiveness(np.full(1, 0.9), replicates, whole)[1] == 1.0
    modelled = rng.normal(0.0, 0.2, (5_000, 1))
    both = draw.ends_beyond_decisiveness(np.zeros(1), replicates, whole, modelled)
    assert both[0] == draw.ends(modelled)[0] < low
    assert both[1] == draw.ends(modelled)[1] > high
    within = draw.ends_beyond_decisiveness(np.zeros(1), replicates, whole, modelled / 100)
    assert within == (low, high)
