"""What `select` refuses before it counts."""

from __future__ import annotations

from typing import Any

import pytest

import goldassay as ga
from goldassay.errors import UsageError


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("nope", r"--goal nope: is one of prevalence, filter, ranking\."),
        ("filtre", "Did you mean 'filter'"),
        (["filter"], "is one of prevalence, filter, ranking"),
    ],
)
def test_a_goal_is_one_of_those_that_there_are(goal: Any, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        ga.select([], goal=goal)
