"""What patterns of units say of people and judges."""

from __future__ import annotations

import polars as pl
import pytest

from goldassay.counts import Units, count_units, only_divided
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
PAIRED = {"scale": "nominal", "options": ["first", "second", "same"], "tie": "same"}


def counted(task: dict[str, object], rows: list[tuple[str, str, str, str]]) -> Units:
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")
    return count_units(read_ratings(frame, Task.from_mapping(task)))


@pytest.mark.parametrize(
    ("votes", "divided"),
    [
        ({"a": "yes no", "b": "no yes"}, True),
        ({"a": "yes no", "b": ""}, True),  # nobody rated b
        ({"a": "yes no", "b": "yes yes"}, False),
        ({"a": "no no", "b": ""}, False),
    ],
)
def test_people_are_divided_on_all_where_none_has_a_label(
    votes: dict[str, str], divided: bool
) -> None:
    rows = [(item, "gpt", "judge", "yes") for item in votes]
    for item, said in votes.items():
        rows += [(item, who, "human", one) for who, one in zip("xy", said.split(), strict=False)]
    assert only_divided(counted(BINARY, rows)) is divided


def test_a_judge_that_decides_once_says_not_only_ties() -> None:
    said = {"always": "same same same", "first": "same first same", "second": "second same same"}
    rows = [("abc"[k], "ann", "human", one) for k, one in enumerate(("first", "second", "same"))]
    for judge, verdicts in said.items():
        rows += [("abc"[k], judge, "judge", one) for k, one in enumerate(verdicts.split())]
    assert counted(PAIRED, rows).only_ties == ("always",)
