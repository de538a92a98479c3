"""Grades have neighbours: shapes by hand, what is fitted, and intervals that hold a good judge."""

from __future__ import annotations

import numpy as np
import pytest
from audit_counts import counted

from goldassay.formulas.compiled import ndtr
from goldassay.formulas.distributions import table_1
from goldassay.questions.audit.bounds import bounds
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.grades import (
    DEVIATIONS,
    Located,
    Positions,
    fit_weights,
    grade_families,
    located,
    shapes,
)
from goldassay.questions.audit.sides import both_sides
from goldassay.ratings.task import Task

GRADES = tuple("12345")


def graded(items: int, raters: int, deviation: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts of five grades around items' own positions, and the grade that most would choose."""
    rng = np.random.default_rng(seed)
    own = rng.uniform(0.5, 5.5, items)[:, None]
    edges = np.r_[-np.inf, np.arange(1, 5) + 0.5, np.inf]
    shares = np.diff(ndtr((edges - own) / deviation), axis=1)
    return rng.multinomial(raters, shares).astype(float), shares.argmax(-1)


def test_shapes_are_normal_shares_between_half_grades() -> None:
    found = shapes(3, 1.0)
    np.testing.assert_allclose(found.sum(-1), 1)
    middle = found[len(found) // 2]  # at grade 2: half a deviation to either side
    np.testing.assert_allclose(middle, [0.30854, 0.38292, 0.30854], atol=1e-4)


def test_weights_rise_where_the_counts_are() -> None:
    chances = np.array([[1.0, 0.1], [0.1, 1.0]])
    # Three items of the first pattern, one of the other: w + (1 - w) / 10 = 3 / 4 of a likelihood
    # that the two patterns share as 1.1 says, so that w = (.75 x 1.1 - .1) / .9.
    weights = fit_weights(chances, np.array([3.0, 1.0]), np.array([0.5, 0.5]))
    assert weights[0] == pytest.approx((0.75 * 1.1 - 0.1) / 0.9, abs=0.01)
    kept = fit_weights(chances, np.zeros(2), np.array([0.3, 0.7]), borrowed=1.0)
    np.testing.assert_allclose(kept, [0.3, 0.7])  # a verdict that never occurs borrows all


def test_probabilities_of_positions() -> None:
    shares = np.array([[0.6, 0.4, 0.0], [0.0, 0.45, 0.55]])
    where = Located(shares, np.array([[[0.25, 0.75]]]), np.array([0, 0]))
    np.testing.assert_allclose(where.modes()[0, 0], [0.25, 0, 0.75])
    np.testing.assert_allclose(where.reaching((1, 2), 0.5), [[0.75, 0.75]])
    assert where.lead() == pytest.approx(0.25 * 0.2 + 0.75 * 0.1)
    assert where.off((2,), 0.5) == pytest.approx(0.25 * 1 + 0.75 * 0.1)
    given = located(shares, np.array([[0.5, 0.5]]), np.array([[0.0, 1, 1], [2, 0, 0]]))
    np.testing.assert_allclose(given.chances[0, given.pattern].argmax(-1), [1, 0])


def test_the_deviation_is_found_and_so_is_what_most_choose() -> None:
    counts, mode = graded(400, 3, 0.7, seed=1)
    verdicts = np.eye(5)[mode][None]
    families = grade_families(verdicts, counts, draws=3, level=0.95, rng=np.random.default_rng(0))
    assert families[0].deviation == pytest.approx(0.7, rel=0.2)
    assert all(one.deviation in DEVIATIONS for one in families)
    found = located(families[0].shares, families[0].weights, counts).modes().mean(0)
    # Said and right: where the mean chance of the likeliest grade is .7, it is right in .7.
    assert found.max(-1).mean() == pytest.approx((found.argmax(-1) == mode).mean(), abs=0.08)


def test_drawn_positions_follow_verdict_and_counts() -> None:
    shares = np.array([[0.9, 0.1, 0.0], [0.0, 0.1, 0.9]])
    weights = np.broadcast_to(np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]), (2, 1, 3, 2))
    x = np.eye(3)[None, [0, 1, 1, 2, 1]]
    counts = np.array([[0.0, 1, 0], [2, 0, 0], [0, 0, 2], [0, 1, 0], [0, 0, 0]])
    drawn = Positions(shares, weights).draw(x, counts, np.arange(2))
    assert drawn.shape == (2, 1, 5, 3)
    np.testing.assert_allclose(drawn[:, 0, :4], np.stack([shares[[0, 0, 1, 1]]] * 2))
    assert np.isnan(drawn[:, :, 4]).all()
    one = Positions(shares, weights).at(slice(1, 2), slice(None))
    assert one.weights.shape == (1, 1, 3, 2)


def test_a_good_judge_of_grades_is_held_and_names_of_options_have_no_neighbours() -> None:
    counts, mode = graded(200, 3, 0.7, seed=7)
    wrong = np.random.default_rng(7).random(200) < 0.1
    ordinal, nominal = (Task(scale=one, options=GRADES) for one in ("ordinal", "nominal"))
    data = counted(counts, task=ordinal, j=np.eye(5)[(mode + wrong) % 5])
    every = tuple(one for one in table_1() if one.name == "hit_rate")
    draws = Draws(resamples=1000, panels=10)
    ordered = bounds(both_sides(data, ordinal), every, draws)
    named = bounds(both_sides(data, nominal), every, draws)
    assert ordered.low[0, 0] <= 0.9 <= ordered.high[0, 0]  # it is right in nine of ten
    assert named.high[0, 0] < 0.9
    assert ordered.high[0, 0] - ordered.low[0, 0] < 0.5
