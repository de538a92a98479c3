"""Some judges of a table: the others' verdicts are left out, and counted."""

from __future__ import annotations

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import InputError, UsageError
from goldassay.ratings.narrow_ratings import of_judges
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def ratings() -> Ratings:
    """`b` is a person too: a name does not say what one is."""
    raters = [("ann", "human", 1), ("b", "human", 2), ("a", "judge", 3), ("b", "judge", 4)]
    rows = [
        {"item": f"i{k:02}", "rater": rater, "kind": kind, "value": "yes" if k % of else "no"}
        for rater, kind, of in raters
        for k in range(24)
    ]
    return read_ratings(pl.DataFrame(rows), Task.from_mapping(TASK))


def test_other_judges_are_left_out_and_people_of_their_name_are_not() -> None:
    found = of_judges(ratings(), ["a"])
    assert (found.judges, found.humans) == (("a",), ("ann", "b"))
    (out,) = found.exclusions
    assert (out.reason, out.rows) == ("verdict of a judge not asked about", 24)
    assert out.by == {"rater": {"b": 24}}


def test_all_judges_are_asked_about_where_none_is_named() -> None:
    whole = ratings()
    assert of_judges(whole, []) is whole
    assert of_judges(whole, ["a", "b"]) is whole


def test_a_judge_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="its judges are a, b"):
        of_judges(ratings(), ["c"])


def test_agree_with_one_judge_has_the_numbers_that_it_has_among_all() -> None:
    alone = ga.agree(ratings(), judge="a", resamples=100)
    among = ga.agree(ratings(), resamples=100)
    assert {row.about.get("judge") for row in alone.rows} <= {"a", None}
    one, two = (found["cohen_kappa", "a"] for found in (alone, among))
    assert (one.value, one.interval) == (two.value, two.interval)  # type: ignore[union-attr]
    out = {one.reason: one.rows for one in alone.exclusions}
    assert out["verdict of a judge not asked about"] == 24


@pytest.mark.parametrize("option", ["only", "exclude"])
def test_an_unknown_column_is_refused_with_the_columns_of_the_file(option: str) -> None:
    """And not with those that goldassay makes of them; as `by` does it."""
    rows = {"id": list("abcd"), "topic": list("ttuu"), "human": ["yes", "no"] * 2}
    frame = pl.DataFrame(rows | {"judge": ["yes", "no", "no", "no"]})
    with pytest.raises(UsageError, match=r"its columns are id, topic, human, judge\."):
        ga.agree(frame, None, **{option: {"subject": "t"}})
    with pytest.raises(InputError, match=r"its columns are id, topic, human, judge\."):
        ga.agree(frame, None, by="subject")
