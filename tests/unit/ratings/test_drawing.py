"""Which units people rated, by a judge's verdict."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

import goldassay as ga
from goldassay.ratings.drawing import Drawn, _tail, drawn_by, likeliest, shares_said
from goldassay.ratings.task import Task

TASK = Task(scale="binary", options=("yes", "no"), positive="yes")

COUNTS = st.dictionaries(
    st.tuples(st.sampled_from(["", "other"]), st.integers(0, 3)),
    st.tuples(st.integers(1, 60), st.integers(0, 60)).map(lambda n: (max(n), min(n))),
    min_size=1,
)


@given(COUNTS)
def test_labelled_units_stand_for_the_pool(counts: dict[tuple[str, int], tuple[int, int]]) -> None:
    """Weights are 1 on average, and verdicts have the shares among labels that they have among all
    units whose verdict has a label."""
    drawn = Drawn.of(counts, judges=("gpt",))
    if not drawn.weights:
        return
    labelled = sum(drawn.labelled.values())
    assert sum(w * drawn.labelled[k] for k, w in drawn.weights.items()) == pytest.approx(labelled)
    met = sum(drawn.judged[key] for key in drawn.weights)
    for key, weight in drawn.weights.items():
        assert weight * drawn.labelled[key] / labelled == pytest.approx(drawn.judged[key] / met)


@given(COUNTS)
def test_information_is_that_of_the_two_by_many_table(
    counts: dict[tuple[str, int], tuple[int, int]],
) -> None:
    drawn = Drawn.of(counts, judges=("gpt",))
    found = 0.0
    for criterion in {key[0] for key in drawn.judged}:
        rows = [(n, drawn.labelled[k]) for k, n in drawn.judged.items() if k[0] == criterion]
        units, rated = sum(n for n, _ in rows), sum(m for _, m in rows)
        found += sum(_log(m) + _log(n - m) - _log(n) for n, m in rows)
        found -= _log(rated) + _log(units - rated) - _log(units)
    assert drawn.information == pytest.approx(found, abs=1e-8)
    assert drawn.information >= -1e-8


def _log(n: int) -> float:
    return n * math.log(n) if n else 0.0


def test_equal_shares_weigh_nothing_and_a_random_draw_is_not_called_another() -> None:
    even = Drawn.of({("", 0): (100, 20), ("", 1): (300, 60)}, judges=("gpt",))
    assert not even.weights
    assert not even.is_uneven
    assert not even.is_unlike_random()
    chance = Drawn.of({("", 0): (100, 26), ("", 1): (300, 54)}, judges=("gpt",))
    assert chance.is_uneven
    assert not chance.is_unlike_random()


def test_a_draw_of_one_verdict_is_seen_unless_clusters_explain_it() -> None:
    flagged = Drawn.of({("", 0): (67, 67), ("", 1): (333, 0)}, judges=("gpt",))
    assert flagged.is_unlike_random()
    assert flagged.missed == {("", 1): 333}
    assert not flagged.is_unlike_random(units_in_cluster=50)


@pytest.mark.parametrize("degrees", [1, 2, 3, 6, 11])
def test_the_tail_of_a_random_draw_is_that_of_chi_square(degrees: int) -> None:
    for value in (0.3, 4.0, 24.0, 60.0):
        expected = float(chi2.sf(value, degrees))
        assert _tail(value, degrees) == pytest.approx(expected, rel=1e-9)
    assert _tail(5.0, 0) == 1.0


def test_the_judge_that_labels_follow_is_named() -> None:
    """Labels follow `keen`; `like` mostly says what it says, and explains less of them."""
    keen = Drawn.of({("", 0): (50, 50), ("", 1): (150, 10)}, judges=("keen",))
    like = Drawn.of({("", 0): (60, 45), ("", 1): (140, 15)}, judges=("like",))
    assert likeliest([like, keen]) is keen
    assert likeliest([]) is None


def _rows(number: int = 40) -> list[dict[str, str]]:
    rows = []
    for n in range(number):
        verdict = "yes" if n % 4 == 0 else "no"
        rows.append({"item": f"q{n}", "rater": "gpt", "kind": "judge", "value": verdict})
        if verdict == "yes" or n % 10 == 1:
            rows.append({"item": f"q{n}", "rater": "ann", "kind": "human", "value": "yes"})
    return rows


def test_shares_of_a_table() -> None:
    ratings = ga.read_ratings(pl.DataFrame(_rows()), TASK)
    drawn = drawn_by(ratings)
    assert drawn is not None
    assert drawn.judges == ("gpt",)
    assert drawn.judged == {("", 0): 10, ("", 1): 30}
    assert drawn.labelled == {("", 0): 10, ("", 1): 4}
    assert shares_said(drawn, ratings.task) == "4 of 30 `no` and 10 of 10 `yes`"


def test_repeats_count_once_and_criteria_without_labels_do_not() -> None:
    rows = [{**row, "criterion": "a", "sample": "1"} for row in _rows()]
    rows += [{**row, "sample": "2"} for row in rows if row["kind"] == "judge"]
    rows += [{**row, "criterion": "b"} for row in rows if row["kind"] == "judge"]
    drawn = drawn_by(ga.read_ratings(pl.DataFrame(rows), TASK))
    assert drawn is not None
    assert drawn.judged == {("a", 0): 10, ("a", 1): 30}
