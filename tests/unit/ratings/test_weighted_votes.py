"""The majority of people's weights is the reference; every question says whether it takes it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.counts import count_units
from goldassay.counts.units import reference_weights
from goldassay.errors import TaskError
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

TASK: dict[str, Any] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def table(votes: list[tuple[str, str, str]]) -> pl.DataFrame:
    rows = []
    for n, said in enumerate(votes):
        for who, label in zip(("ann", "ben", "cat"), said, strict=True):
            if label:
                rows.append({"item": f"q{n:02}", "rater": who, "kind": "human", "value": label})
        judge = "yes" if n % 3 else "no"
        rows.append({"item": f"q{n:02}", "rater": "gpt", "kind": "judge", "value": judge})
    return pl.DataFrame(rows)


def references(votes: list[tuple[str, str, str]], **task: Any) -> dict[str, float]:
    """The number of units by what the reference says."""
    units = count_units(read_ratings(table(votes), Task.from_mapping({**TASK, **task})))
    weights, _, state = reference_weights(units)
    found = (weights * units.n[:, None]).sum(axis=0)
    tied = float(units.n[state == 2].sum())
    return {"yes": float(found[0]), "no": float(found[1]), "tied": tied}


VOTES = [("yes", "no", "no"), ("no", "yes", "yes"), ("yes", "yes", "no"), ("", "no", "yes")]


def test_weights_decide() -> None:
    assert references(VOTES) == {"yes": 2, "no": 1, "tied": 1}
    assert references(VOTES, rater_weights={"ann": 3}) == {"yes": 2, "no": 1, "tied": 1}
    by_ann = references(VOTES[:2], rater_weights={"ann": 3})
    assert by_ann == {"yes": 1, "no": 1, "tied": 0}
    assert references(VOTES[:1], rater_weights={"ann": 3}) == {"yes": 1, "no": 0, "tied": 0}


def test_level_weights_are_a_tie_by_the_rule_of_ties() -> None:
    level = {"rater_weights": {"ann": 2}}
    assert references(VOTES[:1], **level) == {"yes": 0, "no": 0, "tied": 1}
    with pytest.raises(TaskError, match="has no level votes by half"):
        references(VOTES[:1], reference_ties="half", **level)


def test_level_votes_are_half_a_reference_each_where_declared() -> None:
    assert references(VOTES) == {"yes": 2, "no": 1, "tied": 1}
    assert references(VOTES, reference_ties="half") == {"yes": 2.5, "no": 1.5, "tied": 0}


def test_equal_weights_change_nothing() -> None:
    votes = VOTES * 12
    same = {"ann": 2.0, "ben": 2.0, "cat": 2.0}
    plain = ga.agree(table(votes), TASK)
    weighted = ga.agree(table(votes), {**TASK, "rater_weights": same})
    assert [row.result for row in plain.rows] == [row.result for row in weighted.rows]


def test_all_weight_on_one_person_is_that_person() -> None:
    votes = [one for one in VOTES * 12 if one[0]]
    alone = table([(ann, "", "") for ann, _, _ in votes])
    weights = {"ann": 5.0}
    found = ga.agree(table(votes), {**TASK, "rater_weights": weights})
    other = ga.agree(alone, TASK)
    assert found["accuracy", "gpt"] == other["accuracy", "gpt"]


def test_a_rater_that_is_not_there_is_refused() -> None:
    with pytest.raises(TaskError, match="Did you mean 'ann'"):
        references(VOTES, rater_weights={"anne": 2})


@pytest.mark.parametrize(
    ("verb", "says"),
    [
        ("agree", "majority of people's weights"),
        ("select", "majority of people's weights"),
        ("estimate", "majority of people's weights"),
        ("audit", "are not used here"),
        ("replace", "are not used here"),
    ],
)
def test_every_question_says_what_it_does_with_them(verb: str, says: str) -> None:
    votes = [one for one in VOTES * 15 if one[0]]
    task = {**TASK, "rater_weights": {"ann": 3}, "calibration": "random"}
    found = getattr(ga, verb)(table(votes), task)
    assert any(says in line for line in found.readings)
