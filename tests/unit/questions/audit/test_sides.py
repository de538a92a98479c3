"""Both sides from counts: observed sets, sets through an estimated F', and assumed ones."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from audit_counts import TASK, counted

from goldassay.counts import ElicitationPairs, count_distributions, count_pairs
from goldassay.errors import RatingsError, UsageError
from goldassay.questions.audit.sides import Sides, both_sides
from goldassay.ratings.table import read_ratings


def test_sets_of_items_that_were_not_asked_come_from_those_that_were() -> None:
    forced = np.array([[2.0, 8.0], [5.0, 5.0]])
    sets = np.array([[2.0, 6.0, 2.0], [0.0, 0.0, 0.0]])
    joint = np.array([[2.0, 0, 0], [0, 6, 2]])  # of eight "No", two accept "Yes" too
    pairs = ElicitationPairs(("j",), joint, np.zeros((1, 2, 3)))
    sides = both_sides(counted(forced, sets, j=np.array([[1.0, 0], [0, 1]])), TASK, pairs=pairs)
    assert sides.human_sets == "observed for 1 of 2 items, else F' estimated from 10 pairs"
    np.testing.assert_allclose(sides.human.omega, [[0.4, 0.8], [0.5 + 0.25 * 0.5, 0.5]])
    assert sides.judge_sets == ("assumed, beta = 0",)


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


def test_where_nobody_gave_a_set_there_is_no_pair() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [("a", "p", "human", "No"), ("a", "j", "judge", "No"), ("a", "k", "judge", "Yes")]
    table = pandas.DataFrame(rows, columns=["item", "rater", "kind", "value"])
    pairs = count_pairs(read_ratings(table, TASK))
    assert pairs.judges == ("j", "k")
    np.testing.assert_array_equal(pairs.human, np.zeros((2, 3)))
    np.testing.assert_array_equal(pairs.judge, np.zeros((2, 2, 3)))


def test_refusals() -> None:
    good = counted(np.ones((3, 2)), j=np.ones((3, 2)))
    with pytest.raises(UsageError, match="above 0"):
        both_sides(good, TASK, threshold=0)
    with pytest.raises(RatingsError, match="no rating by people"):
        both_sides(counted(np.zeros((3, 2)), j=np.ones((3, 2))), TASK)


def test_ratings_and_answers_of_an_item() -> None:
    forced = np.array([[2.0, 1], [0, 0], [0, 1]])
    sets = np.array([[9.0, 0, 0], [1, 0, 1], [0, 0, 0]])  # used where nobody had to choose
    thrice, soft = np.array([[3.0, 0], [2, 1], [0, 0]]), np.array([[0.7, 0.3], [0.2, 0.8], [1, 0]])
    sides = both_sides(counted(forced, sets, thrice=thrice, soft=soft), TASK)
    assert sides.raters.tolist() == [3, 2, 1]
    assert sides.samples.tolist() == [3, 0]  # 0: probabilities


def _four_kinds(times: int) -> Sides:
    forced = np.array([[2.0, 1], [1, 2], [2, 1], [2, 1]])
    judge = np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]])
    return both_sides(counted(np.tile(forced, (times, 1)), j=np.tile(judge, (times, 1))), TASK)


def test_items_that_are_alike_are_one_unless_they_are_drawn_with_others() -> None:
    sides = _four_kinds(150)
    alike = sides.alike
    assert sorted(alike.items.tolist()) == [0, 1, 3]  # item 2 is item 0 again, item 3 is not
    assert alike.kind[2] == alike.kind[0] == alike.kind[4]
    assert alike.times.tolist() == [300 if one == 0 else 150 for one in alike.items]
    pairs = replace(sides.counted, cluster=np.arange(600) // 2, n_clusters=300)
    apart = replace(sides, counted=pairs).alike
    assert apart.items.tolist() == list(range(600))
    assert apart.made.tolist() == pairs.cluster.tolist()
    assert apart.kind.tolist() == list(range(300))


def test_items_of_a_small_table_stay_apart() -> None:
    alike = _four_kinds(1).alike
    assert alike.items.tolist() == alike.made.tolist() == alike.kind.tolist() == [0, 1, 2, 3]
    assert alike.times.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("rated", [3, 2])
def test_what_is_not_needed_any_more_is_freed_at_once(rated: int) -> None:
    forced = np.where(np.arange(3)[:, None] < rated, 1.0, 0.0) * [1, 1]
    sides = both_sides(counted(forced, j=np.ones((3, 2))), TASK)
    first = sides.rated
    assert first.raters.tolist() == [2.0] * rated
    assert sides.rated is first  # made once
    gone = weakref.ref(sides)
    del first
    gc.disable()
    try:
        del sides
        assert gone() is None
    finally:
        gc.enable()
