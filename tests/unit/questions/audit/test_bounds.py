"""Intervals of the definitions of performance."""

from __future__ import annotations

import numpy as np
import pytest
from audit_counts import TASK, counted

from goldassay.formulas.distributions import table_1
from goldassay.questions.audit import bounds as module
from goldassay.questions.audit import sides as both
from goldassay.questions.audit.bounds import bounds, quantiles
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.sides import both_sides


def test_the_interval_holds_its_value_and_stays_in_range() -> None:
    rng = np.random.default_rng(2)
    forced = rng.multinomial(3, [0.7, 0.3], 25).astype(float)
    sides = both_sides(counted(forced, j=forced.copy()), TASK)
    definitions = table_1(smoothing=0.1)
    found = bounds(sides, definitions, Draws(resamples=100, panels=3, seed=0))
    known = np.isfinite(found.value)
    assert (found.low <= found.value + 1e-12)[known].all()
    assert (found.value <= found.high + 1e-12)[known].all()
    squared = [d for d, one in enumerate(definitions) if one.name == "mean_squared_error"]
    assert (found.low[squared] >= 0).all()


def test_quantiles_leave_out_what_is_undefined() -> None:
    nan = np.nan
    drawn = np.array([[0.0, nan, nan], [1.0, 2.0, nan], [2.0, 4.0, nan]])
    low, high = quantiles(drawn, 0.5)  # the 25 % and 75 % points, by linear interpolation
    np.testing.assert_allclose(low, [0.5, 2.5, nan])
    np.testing.assert_allclose(high, [1.5, 3.5, nan])


def test_items_that_are_alike_may_be_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    forced = rng.multinomial(3, [0.6, 0.4], size=600).astype(float)
    verdicts = np.eye(2)[rng.integers(0, 2, 600)]
    verdicts[:7] = 0.0  # no verdict on some
    made = []
    for few in (500, 1_000):
        monkeypatch.setattr(both, "FEW", few)
        sides = both_sides(counted(forced, j=verdicts), TASK)
        assert len(sides.alike.items) == (600 if few == 1_000 else len(sides.alike.times))
        made.append(bounds(sides, table_1(), Draws(2000, 0)))
    merged, apart = made
    for name in ("value", "items", "infinite"):
        one, two = (getattr(each.found, name) for each in made)
        np.testing.assert_allclose(one, two, rtol=1e-12)
    # Other random numbers, the same distribution.
    length = apart.high - apart.low
    bounded = np.isfinite(length) & (length > 0)
    off = np.abs([merged.low - apart.low, merged.high - apart.high]).max(0)[bounded]
    assert (off < 0.15 * length[bounded]).all()


def test_panels_of_judges_in_blocks_are_those_of_all_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    forced = rng.multinomial(1, [0.6, 0.4], size=40).astype(float)
    judges = {name: np.eye(2)[rng.integers(0, 2, 40)] for name in "abc"}
    sides = both_sides(counted(forced, **judges), TASK)
    monkeypatch.setattr(module, "CELLS", 1)  # one panel at a time
    made = []
    for held in (1_000, 80, 1):
        monkeypatch.setattr(module, "HELD", held)
        assert len(module._blocks(sides)) == {1_000: 1, 80: 2, 1: 3}[held]
        made.append(bounds(sides, table_1(), Draws(100, 3)))
    for one in made[1:]:
        np.testing.assert_array_equal(one.low, made[0].low)
        np.testing.assert_array_equal(one.high, made[0].high)
        np.testing.assert_array_equal(one.population, made[0].population)


@pytest.mark.parametrize("answers", [1, 3])
def test_what_is_said_of_a_judge_hangs_on_no_other(answers: int) -> None:
    rng = np.random.default_rng(6)
    forced = rng.multinomial(2, [0.6, 0.4], size=60).astype(float)
    mine, theirs = rng.multinomial(answers, [0.5, 0.5], size=(2, 60)).astype(float)
    alone, beside = (
        bounds(both_sides(counted(forced, **judges), TASK), table_1(), Draws(100, 4))
        for judges in ({"a": mine}, {"b": theirs, "a": mine, "copy": mine})
    )
    for name in ("low", "high", "population"):
        one, several = getattr(alone, name)[:, 0], getattr(beside, name)
        np.testing.assert_allclose(several[:, 1], one, rtol=1e-6)
        np.testing.assert_allclose(several[:, 2], one, rtol=1e-6)


def test_what_is_infinite_for_every_judge_leaves_the_rest_as_it_is() -> None:
    rng = np.random.default_rng(5)
    forced = rng.multinomial(1, [0.6, 0.4], size=30).astype(float)
    sides = both_sides(counted(forced, j=np.eye(2)[rng.integers(0, 2, 30)]), TASK)
    found = bounds(sides, definitions := table_1(), Draws(100, 2))
    endless = (found.found.infinite > 0)[:, 0]
    names = {one.name for one, gone in zip(definitions, endless, strict=True) if gone}
    assert "kl_divergence" in names
    assert "jensen_shannon" not in names
    assert np.isfinite(found.population[~endless]).any()
    assert np.isnan(found.population[endless]).all()


def test_items_without_a_label_are_in_no_panel() -> None:
    """Half of the items have no label: they change what is about the judge alone, and no more."""
    rng = np.random.default_rng(6)
    size = 80
    share = rng.beta(2, 2, size)
    yes = rng.binomial(4, share)
    forced = np.stack([yes, 4 - yes], 1).astype(float)
    own = rng.binomial(2, share)
    verdicts = np.stack([own, 2 - own], 1).astype(float)
    unseen = np.stack([forced, np.zeros_like(forced)], 1).reshape(-1, 2)
    more = np.stack([verdicts, np.array([1.0, 1.0]) * np.ones((size, 1))], 1).reshape(-1, 2)
    few, many = (
        both_sides(counted(forced, j=verdicts), TASK),
        both_sides(counted(unseen, j=more), TASK),
    )
    assert few.rated is few
    np.testing.assert_array_equal(many.rated.counted.human_forced, forced)
    np.testing.assert_array_equal(many.rated.judge.forced, few.judge.forced)
    assert many.rated.counted.n_clusters == 2 * size  # those without a label are drawn too
    definitions = table_1(smoothing=0.1)
    one, two = (bounds(sides, definitions, Draws(400, 20)) for sides in (few, many))
    nobody = np.array([each.human == "-" for each in definitions])
    np.testing.assert_allclose(one.value[~nobody], two.value[~nobody])
    # Half as many labelled items in a resample on average: intervals are of one length, about.
    known = np.isfinite(one.high) & (one.high > one.low) & ~nobody[:, None]
    longer = ((two.high - two.low) / (one.high - one.low))[known]
    assert 0.8 < np.median(longer) < 1.25
    # What no person enters is not widened for few people: it is as without panels.
    plain = bounds(many, definitions, Draws(400, 0))
    for name in ("value", "low", "high", "population"):
        np.testing.assert_array_equal(getattr(two, name)[nobody], getattr(plain, name)[nobody])
    assert (two.population[nobody] != one.population[nobody]).all()
