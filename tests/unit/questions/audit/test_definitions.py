"""What is asked for: the option, shares in range, and which definitions are compared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from audit_counts import TASK, counted

from goldassay.errors import TaskError, UsageError
from goldassay.questions.audit.definitions import Settings, compared, definitions_of
from goldassay.questions.audit.sides import both_sides
from goldassay.ratings.task import Task


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"thresholds": (0.0,)}, "--threshold: lies above 0"),
        ({"thresholds": ()}, "--threshold"),
        ({"betas": (0.1, 1.2)}, "--beta: is a probability"),
        ({"smoothing": 1.0}, "--smoothing: lies between 0 and 1"),
    ],
)
def test_shares_out_of_range_are_refused(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        Settings(**given)


@pytest.mark.parametrize(
    ("declared", "option"),
    [
        ({"scale": "binary", "positive": "b"}, "b"),
        ({"scale": "ordinal"}, "b"),  # the highest
        ({"scale": "pairwise"}, "a"),
        ({"scale": "nominal"}, "a"),
    ],
)
def test_the_option_that_is_decided_on(declared: dict[str, Any], option: str) -> None:
    task = Task(options=("a", "b"), **declared)
    (only,) = Settings().counted_of(task)
    assert task.options[only] == option
    assert Settings(options=("b",)).counted_of(task) == (1,)
    assert Settings().assumes(task) is ("positive" not in declared)
    with pytest.raises(TaskError, match="must be one of the options a, b"):
        Settings(options=("c",)).counted_of(task)
    with pytest.raises(TaskError, match="some option is not counted"):
        Settings(options=("a", "b")).counted_of(task)


def test_of_grades_the_upper_half_is_counted_unless_declared() -> None:
    grades = {"scale": "ordinal", "options": ("1", "2", "3", "4", "5")}
    assert Settings().counted_of(Task(**grades)) == (3, 4)
    assert Settings().counted_of(Task(**grades, counted=("3", "5"))) == (2, 4)
    assert Settings().counted_of(Task(**grades, positive="5")) == (4,)
    with pytest.raises(TaskError, match="counted"):
        Task(**grades, counted=("6",))


def test_every_threshold_has_its_definitions() -> None:
    every = definitions_of(TASK, Settings(thresholds=(0.3, 0.7)))
    labels = [one.label for one in every if one.name == "estimation_bias"]
    assert labels[:2] == ["estimation_bias h/h Yes 0.3", "estimation_bias s/s Yes 0.3"]
    assert len(labels) == 6
    assert not any(one.name == "win_rate_bias" for one in every)
    pairwise = definitions_of(Task(scale="pairwise", options=("a", "b")), Settings())
    assert pairwise[-1].name == "win_rate_bias"


def test_without_response_sets_they_are_not_compared() -> None:
    forced, judge = np.ones((4, 2)), np.ones((4, 2))
    every = definitions_of(TASK, Settings())
    for sets, shown in ((None, False), (np.ones((4, 3)), True)):
        sides = both_sides(counted(forced, sets, j=judge), TASK)
        labels = {every[d].aggregation for d in compared(sides, every)}
        assert ("srs/srs" in labels) is shown
