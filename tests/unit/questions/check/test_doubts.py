"""The doctor: what looks wrong in a table is said, and what looks right is not."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import RatingsError

TASK: dict[str, Any] = {"scale": "nominal", "options": ["good", "fair", "bad"]}
Row = tuple[str, str, str, str]


def checked(rows: list[Row], **keys: Any) -> str:
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")
    return "\n".join(ga.check(frame, {**TASK, **keys}).warnings)


def ratings(number: int, person: list[str], judge: list[str]) -> list[Row]:
    """Person and judge of `number` items, whose labels repeat."""
    return [
        row
        for n in range(number)
        for row in (
            (f"q{n}", "ann", "human", person[n % len(person)]),
            (f"q{n}", "gpt", "judge", judge[n % len(judge)]),
        )
    ]


def test_a_label_in_three_of_many_ratings_may_be_a_slip() -> None:
    rows = ratings(600, ["good", "bad"], ["good", "bad"])
    assert "slip" not in checked(rows)
    odd = [(i, r, k, "fair" if i in ("q1", "q2") and k == "human" else v) for i, r, k, v in rows]
    assert "`fair` stands in 2 of 1,200 ratings: is it a slip?" in checked(odd)
    # Of 40 ratings two are no slip, and four of 1,200 are too many for one.
    few = ratings(20, ["good", "bad"], ["good", "bad"])
    few[0] = ("q0", "ann", "human", "fair")
    assert "slip" not in checked(few)
    four = [(i, r, k, "fair" if i in ("q1", "q2") else v) for i, r, k, v in rows]
    assert "slip" not in checked(four)


def test_people_who_say_one_thing_of_every_item() -> None:
    rows = ratings(60, ["good"], ["good", "bad"])
    told = "All 60 of people's labels are `good`: what judges say of items that people call"
    assert told in checked(rows)
    assert "of people's labels are" not in checked(ratings(60, ["good", "bad"], ["good"]))


def test_a_judge_that_never_says_what_people_often_say() -> None:
    rows = ratings(60, ["good", "bad", "fair"], ["good", "bad"])
    assert "`gpt` never says `fair`, which is 33 % of people's labels" in checked(rows)
    assert "never says" not in checked(
        ratings(60, ["good", "bad", "fair"], ["fair", "good", "bad"])
    )
    # Ten verdicts say nothing about what a judge never does.
    assert "never says" not in checked(ratings(10, ["good", "bad", "fair"], ["good", "bad"]))


def disputes(extra: str) -> list[Row]:
    """40 items by two people who differ on six; a third rates those six, or others."""
    rows: list[Row] = []
    for n in range(40):
        differ = n < 6
        rows.append((f"q{n}", "ann", "human", "good"))
        rows.append((f"q{n}", "ben", "human", "bad" if differ else "good"))
        rows.append((f"q{n}", "gpt", "judge", "good"))
        if differ if extra == "disputed" else n % 7 == 0:
            rows.append((f"q{n}", "eve", "human", "good"))
    return rows


def test_a_rater_of_disputed_items_alone_is_an_adjudicator() -> None:
    said = checked(disputes("disputed"))
    assert "`eve` rated 6 items, all of which divide people" in said
    assert "adjudicator" not in checked(disputes("any"))


def test_conflicts_name_the_smallest_key_that_tells_rows_apart() -> None:
    rows = [
        (f"q{n}", who, kind, value, turn)
        for n in range(4)
        for turn, value in (("1", "good"), ("2", "bad"))
        for who, kind in (("ann", "human"), ("gpt", "judge"))
    ]
    schema = ["item", "rater", "kind", "value", "turn"]
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    with pytest.raises(RatingsError) as caught:
        ga.check(frame, TASK)
    assert "8 conflicts" in str(caught.value)
    assert "The column 'turn' tells them apart" in str(caught.value)
    assert '[columns] item = ["item", "turn"]' in str(caught.value)
    assert 'duplicates = "exclude"' not in str(caught.value)
