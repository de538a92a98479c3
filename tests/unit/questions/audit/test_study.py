"""Both sides from counts: observed sets, sets through an estimated F', and assumed ones."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.counts import Distributions, ElicitationPairs, count_distributions, count_pairs
from goldassay.errors import RatingsError, UsageError
from goldassay.formulas.distributions import table_1
from goldassay.questions.audit.audit import audit
from goldassay.questions.audit.bounds import bounds
from goldassay.questions.audit.study import prepare
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASK = Task(scale="binary", options=("Yes", "No"), positive="Yes")


def counted(forced: np.ndarray, sets: np.ndarray, judge: np.ndarray) -> Distributions:
    items = len(forced)
    return Distributions(
        options=TASK.options,
        sets=TASK.sets,
        items=tuple(map(str, range(items))),
        cluster=np.arange(items),
        n_clusters=items,
        judges=("j",),
        human_forced=forced,
        human_sets=sets,
        judge_forced=judge[None],
        judge_sets=np.zeros((1, items, 3)),
        groups={},
        exclusions=(),
        rows=0,
    )


def test_sets_of_items_that_were_not_asked_come_from_those_that_were() -> None:
    forced = np.array([[2.0, 8.0], [5.0, 5.0]])
    sets = np.array([[2.0, 6.0, 2.0], [0.0, 0.0, 0.0]])
    joint = np.array([[2.0, 0, 0], [0, 6, 2]])  # of eight "No", two accept "Yes" too
    pairs = ElicitationPairs(("j",), joint, np.zeros((1, 2, 3)))
    study = prepare(counted(forced, sets, np.array([[1.0, 0], [0, 1]])), TASK, pairs=pairs)
    assert study.human_sets == "observed for 1 of 2 items, else F' estimated from 10 pairs"
    np.testing.assert_allclose(study.human.omega, [[0.4, 0.8], [0.5 + 0.25 * 0.5, 0.5]])
    assert study.judge_sets == ("assumed, beta = 0",)


def test_response_sets_alone_leave_forced_choice_undefined() -> None:
    rng = np.random.default_rng(0)
    sets = rng.integers(0, 4, (30, 3)) + np.array([1.0, 0.0, 0.0])
    judge = np.eye(2)[rng.integers(0, 2, 30)]
    found = audit(counted(np.zeros((30, 2)), sets, judge), TASK, resamples=100, panel_draws=2)
    rows = {(row.result.name, row.about["aggregation"]): row.result for row in found.rows}
    assert "forced choices were not asked" in rows["jensen_shannon", "s/s"].reason  # type: ignore[union-attr]
    assert rows["mean_squared_error", "srs/srs"].value > 0  # type: ignore[union-attr]


def test_the_interval_holds_its_value_and_stays_in_range() -> None:
    rng = np.random.default_rng(2)
    forced = rng.multinomial(3, [0.7, 0.3], 25).astype(float)
    study = prepare(counted(forced, np.zeros((25, 3)), forced.copy()), TASK)
    definitions = table_1(smoothing=0.1)
    found = bounds(study, definitions, resamples=100, seed=0, panel_draws=3)
    known = np.isfinite(found.value)
    assert (found.low <= found.value + 1e-12)[known].all()
    assert (found.value <= found.high + 1e-12)[known].all()
    squared = [d for d, one in enumerate(definitions) if one.name == "mean_squared_error"]
    assert (found.low[squared] >= 0).all()


def test_pairs_are_counted_by_rater_and_repeat() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [
        ("a", "p", "human", "No", "forced_choice", ""),
        ("a", "p", "human", "Yes|No", "response_set", ""),
        ("a", "q", "human", "Yes", "forced_choice", ""),  # no set: not a pair
        ("a", "j", "judge", "No", "forced_choice", "1"),
        ("a", "j", "judge", "No", "response_set", "1"),
        ("a", "j", "judge", '["No", "Yes"]', "response_set", "2"),  # no choice in this repeat
    ]
    names = ["item", "rater", "kind", "value", "elicitation", "sample"]
    ratings = read_ratings(pandas.DataFrame(rows, columns=names), TASK)
    pairs = count_pairs(ratings)
    np.testing.assert_array_equal(pairs.human, [[0, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(pairs.judge, [[[0, 0, 0], [0, 1, 0]]])
    found = count_distributions(ratings)
    np.testing.assert_array_equal(found.human_forced, [[1, 1]])
    np.testing.assert_array_equal(found.human_sets, [[0, 0, 1]])
    np.testing.assert_array_equal(found.judge_sets, [[[0, 1, 1]]])


def test_refusals() -> None:
    good = counted(np.ones((3, 2)), np.zeros((3, 3)), np.ones((3, 2)))
    with pytest.raises(UsageError, match="above 0"):
        prepare(good, TASK, threshold=0)
    with pytest.raises(RatingsError, match="no rating by people"):
        prepare(counted(np.zeros((3, 2)), np.zeros((3, 3)), np.ones((3, 2))), TASK)


def test_a_judge_without_a_rated_verdict_is_named_and_left_out() -> None:
    rng = np.random.default_rng(3)
    forced = rng.multinomial(3, [0.6, 0.4], 20).astype(float)
    pairs = ElicitationPairs(("broken", "j"), np.zeros((2, 3)), np.zeros((2, 2, 3)))
    found = audit(
        counted(forced, np.zeros((20, 3)), forced.copy()),
        TASK,
        pairs=pairs,
        resamples=50,
        panel_draws=2,
    )
    assert {row.about["judge"] for row in found.rows} == {"j"}
    assert "without a rated verdict, and left out: broken" in found.warnings
