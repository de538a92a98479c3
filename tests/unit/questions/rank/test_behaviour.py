"""Decisiveness and bias."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import betainc

from goldassay.formulas.comparisons import pairs_of
from goldassay.questions.rank import behaviour
from goldassay.questions.rank.behaviour import (
    BOUNDS,
    at_lower_end,
    at_upper_end,
    beta_curve,
    bias_delta,
    decisiveness,
    decisiveness_resamples,
    paired_t_test,
    system_bias,
)
from goldassay.questions.rank.words import _decisiveness
from goldassay.results import Estimate, Interval


def rates(seed: int = 0, size: int = 120) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.05, 0.95, size)


@pytest.mark.parametrize("shape", [0.3, 1.0, 2.5, 40.0])
def test_the_shape_that_made_the_rates_is_found(shape: float) -> None:
    gold = rates()
    assert decisiveness(beta_curve(gold, shape), gold) == pytest.approx(shape, rel=1e-6)


def test_the_objective_of_appendix_f_is_minimised() -> None:
    rng = np.random.default_rng(1)
    gold = rates(1)
    judge = np.clip(beta_curve(gold, 3.0) + rng.normal(0, 0.08, len(gold)), 0, 1)

    def error(log_shape: float) -> float:
        fitted = betainc(np.exp(log_shape), np.exp(log_shape), gold)
        return float((np.abs(judge - 0.5) * np.abs(judge - fitted)).sum())

    best = min(
        (
            minimize_scalar(error, bounds=(low, low + 1), method="bounded")
            for low in np.arange(-2, 9)
        ),
        key=lambda found: found.fun,
    )
    shape = decisiveness(judge, gold)
    assert shape is not None
    assert error(np.log(shape)) <= best.fun + 1e-9


def test_judge_like_gold_has_shape_one_and_no_bias() -> None:
    gold = rates(size=45)
    assert decisiveness(gold, gold) == pytest.approx(1, abs=1e-8)
    bias = system_bias(pairs_of(10), gold, beta_curve(gold, 1.0))
    assert float(bias_delta(bias)) == pytest.approx(0, abs=1e-12)


def test_bounds_and_silence() -> None:
    extreme = np.array([1.0, 1.0, 0.0])
    shape = decisiveness(extreme, np.array([0.6, 0.7, 0.4]))
    assert shape is not None
    assert BOUNDS[0] <= shape <= BOUNDS[1]
    assert decisiveness(np.array([0.5, 0.5]), np.array([0.6, 0.7])) is None
    assert decisiveness(np.array([np.nan]), np.array([0.6])) is None


def test_swapping_a_pair_changes_nothing() -> None:
    gold, judge = rates(2), rates(3)
    swapped = np.where(np.arange(len(gold)) % 2, gold, 1 - gold)
    judged = np.where(np.arange(len(gold)) % 2, judge, 1 - judge)
    one, two = decisiveness(judge, gold), decisiveness(judged, swapped)
    assert one == pytest.approx(two, rel=1e-8)


@pytest.mark.parametrize("fixed", [True, False])
def test_resamples_follow_the_exact_fit(fixed: bool) -> None:
    rng = np.random.default_rng(4)
    gold = rates(4)
    judge = np.clip(beta_curve(gold, 2.0) + rng.normal(0, 0.05, (20, len(gold))), 0, 1)
    people = gold if fixed else np.clip(gold + rng.normal(0, 0.03, judge.shape), 0, 1)
    shapes, fitted = decisiveness_resamples(judge, people)
    exact = [
        decisiveness(row, people if fixed else one)
        for row, one in zip(judge, np.broadcast_to(people, judge.shape), strict=True)
    ]
    assert shapes == pytest.approx(np.array(exact, float), rel=0.012)
    expected = beta_curve(people, shapes[:, None])
    assert np.abs(fitted - expected).max() < 0.01


def test_bias_by_hand() -> None:
    # Pairs (0,1), (0,2), (1,2); the judge gives system 0 a tenth more against both others.
    gold = np.array([0.5, 0.6, 0.55])
    judge = gold + np.array([0.1, 0.1, 0.0])
    assert system_bias(pairs_of(3), judge, gold) == pytest.approx([0.1, -0.05, -0.05])
    unknown = system_bias(pairs_of(3), judge, np.array([0.5, np.nan, np.nan]))
    assert np.isnan(unknown[2])


def test_paired_t_needs_variation() -> None:
    assert paired_t_test(np.array([1.0, 2.0]), np.array([0.0, 1.0])) is None
    assert paired_t_test(np.array([1.0]), np.array([0.0])) is None


@pytest.mark.parametrize(
    ("shape", "ends", "said"),
    [
        (1.5, (1.2, 1.9), "1.50 [1.20, 1.90]"),
        (1.5, (0.0, 1.9), "1.50, at most 1.90 and with no lower limit"),
        (3.0, (1.2, math.inf), "3.00, at least 1.20 and with no upper limit"),
        (0.1, (0.0, 0.3), "0.10 or less, at most 0.30 and with no lower limit"),
        (1e4, (0.0, math.inf), "10,000 or more, with no limits"),
    ],
)
def test_an_end_of_the_search_is_told_as_open(
    shape: float, ends: tuple[float, float], said: str
) -> None:
    found = Estimate("decisiveness", shape, Interval(*ends, 0.95, "hull"), 50)
    told = _decisiveness("j", found)
    assert f"(decisiveness {said}; people: 1)" in told.text
    assert told.facts["no_upper_limit"] is math.isinf(ends[1])
    assert told.facts["high"] is None or math.isfinite(told.facts["high"])


def test_an_end_of_the_search_is_no_end_of_the_interval() -> None:
    assert at_lower_end(BOUNDS[0] * 1.01)
    assert not at_lower_end(0.12)
    assert at_upper_end(BOUNDS[1])
    assert not at_upper_end(503.0)


@pytest.mark.parametrize("given", [False, True])
def test_the_valley_is_the_lowest_of_some_curves(
    given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one block or in several, with people's rates sampled or given, as a loop finds it."""
    rng = np.random.default_rng(8)
    people = np.round(rng.random((60, 30)), 3)
    rates = (people > 0.5) * 0.5 + 0.25 + rng.normal(0, 0.2, people.shape)
    rates = np.clip(rates, 0.0, 1.0).astype(np.float32)
    if given:
        people = people[0]
    found = []
    for cached in (1, 5_000, 10**6):
        monkeypatch.setattr(behaviour, "CACHED", cached)
        ((_, _, near),) = behaviour._searches(rates, people)
        found.append(near)
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    shapes = np.exp(np.linspace(*np.log(BOUNDS), 1025))[::32]
    for row, near in enumerate(found[0]):
        at = people if given else people[row]
        curves = [beta_curve(at, shape) for shape in shapes]
        errors = [np.abs(rates[row] - 0.5) @ np.abs(curve - rates[row]) for curve in curves]
        assert errors[near // 32] == pytest.approx(min(errors), rel=0.01)  # a table
    assert len({*found[0].tolist()}) > 1


@pytest.mark.parametrize("given", [False, True])
def test_the_lowest_curve_and_its_neighbours_make_the_shape(
    given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neighbours that the search has met are not looked at again, and others are: to the bit."""
    rng = np.random.default_rng(10)
    people = np.round(rng.random((80, 30)), 3)
    rates = (people > 0.5) * 0.5 + 0.25 + rng.normal(0, 0.2, people.shape)
    people = people[0] if given else people
    ((_, search, near),) = behaviour._searches(np.clip(rates, 0.0, 1.0), people)
    looked_at: list[int] = []
    some_of = behaviour._Search.of

    def some(self: behaviour._Search, rows: NDArray[np.intp]) -> behaviour._Search:
        looked_at.append(len(rows))
        return some_of(self, rows)

    monkeypatch.setattr(behaviour._Search, "of", some)
    logs = np.linspace(*np.log(BOUNDS), 1025)
    for aside in (0, -100, 100):  # the lowest within the bracket, and beyond either end of it
        shapes, centre = search.lowest(near=near + aside)
        before, here, after = (search.errors(centre + k).astype(float) for k in (-1, 0, 1))
        bend = before - 2 * here + after
        shift = np.where(bend > 0, 0.5 * (before - after) / np.where(bend > 0, bend, 1), 0.0)
        found = np.exp(logs[centre] + np.clip(shift, -1, 1) * (logs[1] - logs[0]))
        assert np.array_equal(shapes, found)
    assert sum(looked_at) > len(rates) / 2
    assert looked_at[0] < len(rates)


@pytest.mark.parametrize("pairs", [30, 400])
def test_curves_are_the_same_however_they_are_read(
    pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row by row or all cells by their numbers, made whole or cell by cell: to the last bit."""
    rng = np.random.default_rng(9)
    people = rng.random((100, pairs))
    rates = np.clip(0.5 + 1.5 * (people - 0.5) + rng.normal(0, 0.1, people.shape), 0, 1)
    found = []
    for wide, few in ((1, 0), (10**6, 0), (10**6, 10**6)):
        monkeypatch.setattr(behaviour, "WIDE", wide)
        monkeypatch.setattr(behaviour, "FEW_CELLS", few)
        behaviour._table.cache_clear()  # so that each way makes its own
        found.append(decisiveness_resamples(rates, people))
    for shapes, fitted in found[1:]:
        assert np.array_equal(shapes, found[0][0])
        assert np.array_equal(fitted, found[0][1])
    assert np.isfinite(found[0][0]).all()
