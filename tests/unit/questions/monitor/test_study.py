"""What moved between two halves of a stream, by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from goldassay.inference.sequential import candidate_moments, moment_fits
from goldassay.questions.monitor.streams import Anchors, Counted, Streams
from goldassay.questions.monitor.study import (
    Settings,
    _anchor_paths,
    _changes,
    _middle,
    _moved,
    _moved_anchors,
    _moved_by_errors,
    _named,
    _watched,
)


def counted(hits: list[float], trials: list[float]) -> Counted:
    return Counted("rate", None, np.array(hits), np.array(trials))


def streams(errors: tuple[Counted, ...] = (), labels: tuple[Counted, ...] = ()) -> Streams:
    verdicts = (counted([3, 1], [4, 4]),)
    return Streams("gpt", None, ("a", "b"), verdicts, (), errors, labels, 8, 0, 0)


def test_the_change_of_a_rate_and_its_variance() -> None:
    # 6 of 8 and then 1 of 2; with a hit and a miss more, 7 of 10 and 2 of 4.
    moved = _moved(counted([3, 3, 1], [4, 4, 2]), 2)
    assert moved == pytest.approx((1 / 2 - 6 / 8, 0.7 * 0.3 / 10 + 0.5 * 0.5 / 4))
    assert _moved(counted([3, 3, 0], [4, 4, 0]), 2) is None


def test_the_change_of_anchors_and_its_variance() -> None:
    # Three anchors in four batches; they move by -1, 0 and +.5 from the first two to the others.
    hits = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1]])
    moved = _moved_anchors(Anchors(hits, np.ones_like(hits)), 2)
    mean = (-1 + 0 + 0.5) / 3
    squares = (-1 - mean) ** 2 + mean**2 + (0.5 - mean) ** 2
    assert moved == pytest.approx((mean, (squares + 0.25) / 9))
    assert _moved_anchors(Anchors(hits[:1], np.ones_like(hits[:1])), 2) is None


def test_errors_move_verdicts_by_their_shares() -> None:
    # 30 positives and 10 negatives: three quarters of the change of sensitivity, less a quarter
    # of that of specificity, for which verdicts move the other way.
    sensitivity, specificity = counted([9, 12], [10, 20]), counted([4, 2], [5, 5])
    moved = _moved_by_errors(streams((sensitivity, specificity)), 1)
    assert moved is not None
    value = 0.75 * (12 / 20 - 9 / 10) - 0.25 * (2 / 5 - 4 / 5)
    first, second = (_moved(one, 1) for one in (sensitivity, specificity))
    assert first is not None
    assert second is not None
    assert moved == pytest.approx((value, 0.75**2 * first[1] + 0.25**2 * second[1]))


def test_a_moment_that_the_data_did_not_choose_costs_nothing() -> None:
    steady = replace(streams(), verdicts=(counted([31, 30], [40, 40]),))
    watched = _watched(steady, Settings(), 0.05, math.log(1 / 0.05))
    assert watched.begun is None  # no alarm: the middle is looked at
    assert watched.changes
    assert watched.changes == _changes(steady, 1, -math.log(0.05), 0.95)


def test_a_stream_without_a_trial_is_none() -> None:
    empty = counted([0, 0], [0, 0])
    assert _named(streams()) == ["verdicts"]
    assert _named(streams((empty, empty), (empty,))) == ["verdicts"]
    assert _named(streams((empty, counted([1, 0], [1, 0])))) == ["verdicts", "errors"]


@pytest.mark.parametrize(
    ("reference", "trials", "middle"),
    [
        (1, [4, 4, 4, 4], 1),  # what the reference ends with
        (3, [4, 4, 4, 4], 3),
        (4, [4, 4, 4, 4], 3),  # a batch is left to compare
        (0, [4, 4, 4, 4], 2),  # half of what was judged
        (0, [1, 1, 1, 9], 3),
        (0, [9, 1, 1, 1], 1),
        (0, [0, 0, 0, 0], 1),
    ],
)
def test_the_middle_of_a_stream(reference: int, trials: list[float], middle: int) -> None:
    verdicts = (counted([0] * 4, trials),)
    one = replace(streams(), batches=tuple("abcd"), verdicts=verdicts)
    assert _middle(one, reference) == middle


def test_anchors_that_are_always_judged_have_a_rate_too() -> None:
    trials = np.ones((3, 6), np.int64)
    moments = candidate_moments(6)
    assert len(_anchor_paths(Anchors(trials, trials), moments)) == 3  # flips, rate, turned
    trials = trials.copy()
    trials[:2, 3] = 0  # one alone is judged throughout: no rate of the same items
    assert len(_anchor_paths(Anchors(trials, trials), moments)) == 1


@pytest.mark.parametrize("reference", [0, 3])
def test_a_change_that_raised_an_alarm_began_at_the_latest_with_it(reference: int) -> None:
    """A rate that falls a little with every batch fits a step in the middle best."""
    trials = np.full(16, 150.0)
    falling = counted([150 * (0.85 - 0.03 * k) for k in range(16)], trials.tolist())
    names = tuple(f"{k:02d}" for k in range(16))
    one = Streams("gpt", None, names, (falling,), (), (), (), 2400, 0, 0)
    found = _watched(one, Settings(reference=reference), 0.05, math.log(20))
    (alarm,) = found.alarmed
    assert alarm.first is not None
    assert found.begun is not None
    assert found.begun[0] <= found.at <= found.begun[1] <= alarm.first
    assert int(moment_fits(falling.hits, trials).argmax()) + 1 > alarm.first
