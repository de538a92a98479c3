"""A jury of judges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from small_units import DRAW, units

import goldassay as ga
from goldassay.counts import Units
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.juries import Jury, juries
from goldassay.questions.agree.modes import declared_mode
from goldassay.questions.agree.unlike import unlike_judges
from goldassay.ratings.task import Task


def test_a_weighted_panel_votes_where_judges_beat_chance_among_many_options() -> None:
    task = Task(scale="nominal", options=("a", "b", "c", "d", "e"))
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 5, 600)
    codes = np.where(rng.random((600, 3)) < 0.4, truth[:, None], rng.integers(0, 5, (600, 3)))
    u = units(
        task,
        np.eye(5, dtype=int)[truth].tolist(),
        codes.tolist(),
        [1] * 600,
        judges=("x", "y", "z"),
    )
    _, _, weighted = juries(u, codes, ("x", "y", "z"), Reading(task, declared_mode(task), DRAW))
    assert weighted.tables.total.sum() > 500
    assert np.trace(weighted.tables.total) / weighted.tables.total.sum() > 0.45


NOMINAL = Task(scale="nominal", options=("a", "b", "c"))
#: Ten items: people, and the verdicts of three judges.
TEN = [
    ("a", "aaa"),
    ("a", "aab"),
    ("a", "abc"),
    ("b", "bbb"),
    ("b", "bba"),
    ("b", "aab"),
    ("c", "ccc"),
    ("c", "ccb"),
    ("c", "cba"),
    ("c", "aaa"),
]


def ten(task: Task) -> tuple[Units, np.ndarray]:
    codes = [[task.options.index(said) for said in judges] for _, judges in TEN]
    human = [[int(option == label) for option in task.options] for label, _ in TEN]
    return units(task, human, codes, [1] * 10, judges=("x", "y", "z")), np.array(codes)


def accuracy(panel: Jury) -> tuple[float, float]:
    """Right verdicts, and all that it gives."""
    return float(np.trace(panel.tables.total)), float(panel.tables.total.sum())


def test_unanimous_and_majority_panels_by_hand() -> None:
    counted, codes = ten(NOMINAL)
    reading = Reading(NOMINAL, declared_mode(NOMINAL), DRAW)
    found = {one.name: one for one in juries(counted, codes, ("x", "y", "z"), reading)}
    # All alike on items 1, 4, 7 and 10, of which 10 is wrong.
    assert accuracy(found["unanimous panel"]) == (3, 4)
    # Two of three on eight items: 6 and 10 are wrong; 3 and 9 are tied, and left out.
    assert accuracy(found["majority panel"]) == (6, 8)
    assert "closest panel" not in found


def test_the_closest_panel_takes_the_declared_matrix() -> None:
    """b lies between a and c: of a, b and c it is the nearest to all."""
    weights = ((1.0, 0.75, 0.0), (0.75, 1.0, 0.75), (0.0, 0.75, 1.0))
    task = Task(scale="nominal", options=("a", "b", "c"), weights=weights)
    counted, codes = ten(task)
    found = juries(counted, codes, ("x", "y", "z"), Reading(task, declared_mode(task), DRAW))
    closest = next(one for one in found if one.name == "closest panel")
    # By the matrix: aab is 2 + .75 for a, 1 + 1.5 for b; abc is 1.75 for a and c, 2.5 for b. So it
    # differs from the majority on items 3 and 9 alone, where it says b.
    assert accuracy(closest) == (6, 10)


def test_two_judges_have_no_unanimous_panel() -> None:
    counted, codes = ten(NOMINAL)
    two = replace(counted, judges=("x", "y"), verdict=codes[:, :2])
    reading = Reading(NOMINAL, declared_mode(NOMINAL), DRAW)
    names = [one.name for one in juries(two, codes[:, :2], ("x", "y"), reading)]
    assert names == ["majority panel", "weighted panel"]


def test_an_abstention_is_a_vote_where_it_is_a_class() -> None:
    options = {"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"}
    rows = [("CA", ["CA", "CA", "MET"]), ("MET", ["MET", "MET", "CA"])]
    frame = pl.DataFrame(
        [
            {"item": str(i), "rater": rater, "kind": kind, "value": value}
            for i, (label, said) in enumerate(rows * 5)
            for rater, kind, value in (
                ("ann", "human", label),
                *((f"j{k}", "judge", one) for k, one in enumerate(said)),
            )
        ]
    )
    task = {**options, "abstain": ["CA"], "abstentions": "class"}
    found = ga.agree(frame, task, resamples=100)
    (row,) = found.rows_where(name="accuracy", judge="majority panel")
    assert (row.result.value, row.result.n_items) == (1.0, 10)


def test_judges_that_are_not_interchangeable_are_said_to_be_so() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 300)
    codes = np.where(rng.random((300, 3)) < 0.8, truth[:, None], rng.integers(0, 3, (300, 3)))
    even = unlike_judges(
        units(NOMINAL, [[1, 0, 0]] * 300, codes.tolist(), [1] * 300, judges=("x", "y", "z")),
        codes,
        ("x", "y", "z"),
        NOMINAL.options,
        DRAW,
    )
    assert even is not None
    assert not even.told
    codes[:, 2] = np.where((codes[:, 2] == 1) & (rng.random(300) < 0.6), 0, codes[:, 2])
    lenient = unlike_judges(
        units(NOMINAL, [[1, 0, 0]] * 300, codes.tolist(), [1] * 300, judges=("x", "y", "z")),
        codes,
        ("x", "y", "z"),
        NOMINAL.options,
        DRAW,
    )
    assert lenient is not None
    assert lenient.told
    assert {"z"} < {lenient.often, lenient.seldom}
    rates = [(codes == NOMINAL.options.index(lenient.option)).mean(0)]
    assert lenient.difference.value == pytest.approx(float(np.ptp(rates[0])), abs=0.06)
    assert lenient.often_rate - lenient.seldom_rate == pytest.approx(lenient.difference.value)


def test_judges_with_equal_rates_are_rarely_called_unlike() -> None:
    """1 of 20 samples at the most, by chance, at 95 %; five judges of one true rate."""
    rng, wrong = np.random.default_rng(5), 0
    task = Task(scale="binary", options=("yes", "no"), positive="yes")
    for _ in range(60):
        codes = (rng.random((100, 5)) < 0.4).astype(int)
        one = unlike_judges(
            units(task, [[1, 0]] * 100, codes.tolist(), [1] * 100, judges=tuple("vwxyz")),
            codes,
            tuple("vwxyz"),
            task.options,
            DRAW,
        )
        wrong += one is not None and one.told
    assert wrong <= 7
