"""The table's rules, and rows in = rows used + rows excluded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldassay.counts import (
    confusion,
    count_distributions,
    count_scores,
    count_units,
    count_wins,
    pairing_exclusions,
)
from goldassay.errors import InputError, RatingsError, TaskError
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings, parse_response_set, read_ratings
from goldassay.ratings.task import Task

BINARY: dict[str, Any] = {
    "scale": "binary",
    "options": ["MET", "UNMET"],
    "positive": "MET",
    "abstain": ["?"],
    "invalid": ["garbage"],
}


def table(folder: Path, text: str, **task: Any) -> Ratings:
    path = folder / "ratings.csv"
    path.write_text(text.strip().replace(" ", "") + "\n")
    return read_ratings(path, Task.from_mapping({**BINARY, **task}))


SMALL = """
item,rater,kind,value
1,ann,human,MET
1,bob,human,MET
1,gpt,judge,MET
2,ann,human,UNMET
2,gpt,judge,MET
3,ann,human,MET
3,bob,human,UNMET
3,gpt,judge,MET
4,ann,human,?
4,gpt,judge,MET
5,ann,human,MET
5,gpt,judge,garbage
6,ann,human,MET
6,gpt,judge,
7,ann,human,UNMET
7,gpt,judge,?
8,gpt,judge,UNMET
"""


def test_patterns_and_confusion(tmp_path: Path) -> None:
    units = count_units(table(tmp_path, SMALL))
    assert units.judge_names == ("gpt",)
    assert units.single
    assert int(units.n.sum()) == units.n_clusters == 8
    # Items 1 and 2 have a reference and a verdict; 3 is tied, 4 has an abstained person,
    # 5 and 7 an invalid and an abstained verdict (kept in columns of their own).
    counted = confusion(units, "gpt")
    assert counted.square.tolist() == [[1, 0], [1, 0]]
    assert counted.total[0, 3] == 1  # MET by people, invalid by the judge
    assert counted.total[1, 2] == 1  # UNMET by people, abstained by the judge
    assert counted.n_items == 4


def test_rows_in_are_rows_used_and_excluded(tmp_path: Path) -> None:
    ratings = table(tmp_path, SMALL)
    units = count_units(ratings)
    excluded = {e.reason: e.rows for e in (*units.exclusions, *pairing_exclusions(units))}
    assert excluded == {
        "empty value": 1,
        "judge's rating abstained": 1,
        "judge's rating invalid": 1,
        "no human reference": 2,
        "people tied": 3,
        "person's rating abstained": 1,
        "no verdict of a judge": 3,
    }
    # Used: items 1 and 2, that is three people's and two judge's rows.
    assert ratings.census.rows - sum(excluded.values()) == 5


def test_status_column_overrules_the_value(tmp_path: Path) -> None:
    text = "item,rater,kind,value,status\n1,j,judge,MET,failed\n1,h,human,MET,\n2,j,judge,,invalid"
    census = table(tmp_path, text).census
    assert census.total(status="failed") == 1
    assert census.total(status="invalid") == 1
    assert census.total(status="rated") == 1


def test_equal_duplicates_count_once(tmp_path: Path) -> None:
    text = "item,rater,kind,value\n1,j,judge,MET\n1,j,judge,MET\n1,h,human,MET\n1,h,human,MET"
    units = count_units(table(tmp_path, text))
    assert confusion(units, "j").square.tolist() == [[1, 0], [0, 0]]
    assert [(e.reason, e.rows) for e in units.exclusions] == [("equal to another row", 2)]


@pytest.mark.parametrize("kind", ["human", "judge"])
def test_conflicting_duplicates_are_an_error_or_excluded(tmp_path: Path, kind: str) -> None:
    text = f"item,rater,kind,value\n1,x,{kind},MET\n1,x,{kind},UNMET\n2,x,{kind},MET\n2,y,judge,MET"
    with pytest.raises(RatingsError, match=r"1 conflict.*item '1'.*'MET' and 'UNMET'"):
        count_units(table(tmp_path, text))
    units = count_units(table(tmp_path, text, duplicates="exclude"))
    assert [(e.reason[:11], e.rows) for e in units.exclusions] == [("conflicting", 2)]
    assert int(units.n.sum()) == 1


def test_an_undeclared_label_is_named_with_its_count_and_the_nearest(tmp_path: Path) -> None:
    text = "item,rater,kind,value\n1,j,judge,MTE\n2,j,judge,MTE\n3,j,judge,what"
    with pytest.raises(RatingsError, match=r"'MTE' in 2 rows, 'what' in 1 row.*Did you mean 'MET'"):
        table(tmp_path, text)


def test_a_million_distinct_labels_are_one_message(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    with path.open("w") as stream:
        stream.write("item,rater,kind,value\n")
        stream.writelines(f"{i},j,judge,label{i}\n" for i in range(1_000_000))
    with pytest.raises(RatingsError, match="or more other labels") as caught:
        read_ratings(path, Task.from_mapping(BINARY))
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("weight", ["nan", "inf", "-1", "x"])
def test_a_weight_is_a_finite_number_from_0(tmp_path: Path, weight: str) -> None:
    with pytest.raises(RatingsError, match="column weight"):
        table(tmp_path, f"item,rater,kind,value,weight\n1,j,judge,MET,1\n2,j,judge,MET,{weight}")


def test_weights_scale_the_counts(tmp_path: Path) -> None:
    text = """item,rater,kind,value,weight
    1,j,judge,MET,2.5
    1,h,human,MET,
    2,j,judge,MET,
    2,h,human,UNMET,"""
    assert confusion(count_units(table(tmp_path, text)), "j").square.tolist() == [[2.5, 0], [1, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,rater,kind,value", "has no rating"),
        ("item,rater,value\n1,j,MET", "must have a column 'kind'"),
        ("itm,rater,kind,value\n1,j,judge,MET", r'\[columns\] item = "itm"'),
        (
            "item,rater,kind,value\n1,j,robot,MET",
            "must be human, judge or reference; found 'robot'",
        ),
        ("item,rater,kind,value\n,j,judge,MET", "must name the item"),
        ("item,rater,kind,value\n1,,judge,MET", "must name who rated"),
        ("item,rater,kind,value,split\n1,j,judge,MET,train", "must be one of test, calibration"),
        (
            "item,rater,kind,value,score\n1,j,judge,MET,high",
            "column score: must be a finite number",
        ),
    ],
)
def test_a_broken_table_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        table(tmp_path, text)


def test_columns_that_the_task_names_must_exist(tmp_path: Path) -> None:
    text = "item,rater,kind,value\n1,j,judge,MET"
    with pytest.raises(TaskError, match=r"cluster = 'thread': must be a column.*item, rater"):
        table(tmp_path, text, cluster="thread")
    with pytest.raises(TaskError, match="Did you mean 'value'"):
        table(tmp_path, text, columns={"item": "valu"})
    with pytest.raises(TaskError, match="strata"):
        table(tmp_path, text, strata=["topic"])
    with pytest.raises(TaskError, match="already"):
        table(tmp_path, text, constants={"kind": "judge"})


def test_a_column_that_a_question_needs(tmp_path: Path) -> None:
    small = table(tmp_path, SMALL)
    with pytest.raises(RatingsError, match=r"Add it, or map it .* \[columns\] system = "):
        small.require("system")
    with pytest.raises(RatingsError, match="Did you mean 'rater'"):
        small.require("ratter")


def test_columns_are_mapped_and_constants_filled(tmp_path: Path) -> None:
    text = "id,who,label\n1,j,MET\n2,j,UNMET"
    names = {"item": "id", "rater": "who", "value": "label"}
    ratings = table(tmp_path, text, columns=names, constants={"kind": "judge"})
    assert ratings.judges == ("j",)


def test_a_wide_table_is_the_long_one(tmp_path: Path) -> None:
    wide = "id,ann,bob,gpt\n1,MET,,MET\n2,UNMET,MET,MET"
    declared = {"columns": {"item": "id"}, "wide": {"human": ["ann", "bob"], "judge": ["gpt"]}}
    ratings = table(tmp_path, wide, **declared)
    assert ratings.census.rows == 5
    assert ratings.humans == ("ann", "bob")
    assert confusion(count_units(ratings), "gpt").square.tolist() == [[1, 0], [0, 0]]
    with pytest.raises(TaskError, match="Did you mean 'gpt'"):
        table(tmp_path, wide, **{**declared, "wide": {"judge": ["gtp"]}})


def test_a_column_may_have_dots_and_quotes_in_its_name(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text('"my.id",ann,"gpt-3.5","the ""new"" one"\n1,MET,MET,UNMET\n')
    task = {"columns": {"item": "my.id"}, "wide": {"human": ["ann"], "judge": ["gpt-3.5"]}}
    ratings = read_ratings(path, Task.from_mapping({**BINARY, **task}))
    assert ratings.judges == ("gpt-3.5",)
    assert confusion(count_units(ratings), "gpt-3.5").square.tolist() == [[1, 0], [0, 0]]


def test_equal_rows_count_once_in_every_count(tmp_path: Path) -> None:
    text = "item,rater,kind,value\n1,j,judge,MET\n1,j,judge,MET\n1,h,human,MET"
    ratings = table(tmp_path, text)
    assert count_distributions(ratings).judge_forced.tolist() == [[[1, 0]]]
    assert [e.rows for e in count_scores(ratings).exclusions] == [1]


def test_probabilities_are_parts_of_a_distribution_and_no_verdict(tmp_path: Path) -> None:
    text = """item,rater,kind,value,weight
    1,j,judge,MET,0.7
    1,j,judge,UNMET,0.3
    1,h,human,MET,"""
    ratings = table(tmp_path, text)
    assert count_distributions(ratings).judge_forced.tolist() == [[[0.7, 0.3]]]
    with pytest.raises(RatingsError, match="a rater must rate a unit once"):
        count_units(ratings)


def test_a_judge_without_overlap_has_no_counts(tmp_path: Path) -> None:
    units = count_units(table(tmp_path, "item,rater,kind,value\n1,j,judge,MET\n2,h,human,MET"))
    assert confusion(units, "j").n_items == 0
    reasons = [e.reason for e in pairing_exclusions(units)]
    assert reasons == ["no human reference", "no verdict of a judge"]


def test_repeats_share_a_units_weight(tmp_path: Path) -> None:
    text = """item,rater,kind,value,sample
    1,j,judge,MET,1
    1,j,judge,UNMET,2
    1,h,human,MET,"""
    units = count_units(table(tmp_path, text))
    assert units.samples == ("1", "2")
    assert confusion(units, "j").square.tolist() == [[0.5, 0.5], [0, 0]]


def test_clusters_are_collapsed_with_their_multiplicity(tmp_path: Path) -> None:
    lines = ["item,rater,kind,value,prompt"]
    for item in range(12):
        lines += [f"{item},j,judge,MET,p{item // 3}", f"{item},h,human,MET,p{item // 3}"]
    units = count_units(table(tmp_path, "\n".join(lines), cluster="prompt"))
    assert (units.n_clusters, units.single) == (4, False)
    counted = confusion(units, "j")
    assert counted.counts.shape[0] == 1
    assert counted.multiplicity.tolist() == [4]
    assert counted.square.tolist() == [[12, 0], [0, 0]]


def test_by_columns_are_constant_within_a_unit(tmp_path: Path) -> None:
    text = "item,rater,kind,value,topic\n1,j,judge,MET,a\n1,h,human,MET,b"
    with pytest.raises(RatingsError, match="the same in all rows of a unit; found 'a' and 'b'"):
        count_units(table(tmp_path, text), by=["topic"])
    text = "item,rater,kind,value,topic\n1,j,judge,MET,a\n1,h,human,MET,"
    units = count_units(table(tmp_path, text), by=["topic"])
    assert units.by["topic"].labels == ("a",)
    with pytest.raises(RatingsError, match="Did you mean 'topic'"):
        count_units(table(tmp_path, text), by=["topics"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("A", ("A",)),
        ("C|A", ("A", "C")),
        ('["A", "C"]', ("A", "C")),
        ("A|A", None),
        ("A|X", None),
        ("", None),
        ("[]", None),
        ("[1", None),
        ('{"A": 1}', None),
        ("A|", None),
        (" A | B ", ("A", "B")),
    ],
)
def test_response_sets_are_read_exactly(value: str, expected: tuple[str, ...] | None) -> None:
    task = Task.from_mapping({"scale": "nominal", "options": ["A", "B", "C"]})
    assert parse_response_set(value, task) == expected


def test_distributions(tmp_path: Path) -> None:
    text = """item,rater,kind,value,elicitation,weight
    1,ann,human,MET,forced_choice,
    1,bob,human,UNMET,forced_choice,
    1,ann,human,MET|UNMET,response_set,
    1,gpt,judge,MET,forced_choice,0.75
    1,gpt,judge,UNMET,forced_choice,0.25"""
    found = count_distributions(table(tmp_path, text))
    assert found.human_forced.tolist() == [[1, 1]]
    assert found.human_sets.tolist() == [[0, 0, 1]]
    assert found.judge_forced.tolist() == [[[0.75, 0.25]]]
    with pytest.raises(RatingsError, match="a forced choice names one option"):
        count_distributions(
            table(tmp_path, text.replace("UNMET,response_set", "UNMET,forced_choice"))
        )


def test_scores_average_repeats_and_follow_the_scale(tmp_path: Path) -> None:
    text = """item,rater,kind,value,system,prompt,sample
    a1,j,judge,1,s1,a,1
    a1,j,judge,2,s1,a,2
    a2,j,judge,4,s2,a,1
    b1,j,judge,3,s1,b,1"""
    task = {"scale": "continuous", "options": [], "positive": None, "invalid": [], "abstain": []}
    path = tmp_path / "r.csv"
    path.write_text(text.replace("    ", "") + "\n")
    declared = Task.from_mapping({k: v for k, v in task.items() if v})
    found = count_scores(read_ratings(path, declared))
    assert found.items == ("a", "b")
    np.testing.assert_array_equal(found.judge, [[[1.5, 4.0], [3.0, np.nan]]])


def test_wins(tmp_path: Path) -> None:
    text = """item,rater,kind,value,system,opponent
    1,j,judge,A,x,y
    2,j,judge,B,x,y
    2,j,judge,tie,y,x"""
    path = tmp_path / "r.csv"
    path.write_text(text.replace("    ", "") + "\n")
    task = Task.from_mapping({"scale": "pairwise", "options": ["A", "B", "tie"], "tie": "tie"})
    wins = count_wins(read_ratings(path, task))
    assert wins.systems == ("x", "y")
    # Both orders are one battle, which their verdicts share.
    assert wins.wins.tolist() == [[1, 0, 0], [0, 0.5, 0.5]]
    assert wins.given.tolist() == [1, 2]
    with pytest.raises(TaskError, match="pairwise"):
        count_wins(table(tmp_path, SMALL))


def test_criteria_in_columns_are_declared_by_a_list(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("id,tone,depth,note\nq1,1,2,x\nq2,2,2,y\n")
    about = {"scale": "ordinal", "options": ["1", "2", "3"]}
    whose = {"rater": "gpt", "kind": "judge"}
    named = {"item": "id", "criterion": ["tone", "depth"]}
    short = Task.from_mapping({**about, "columns": named, "constants": whose})
    cells = {name: {**whose, "criterion": name} for name in ("tone", "depth")}
    long = Task.from_mapping({**about, "columns": {"item": "id"}, "cells": cells})
    assert short == long
    read = read_ratings(path, short)
    assert read.judges == ("gpt",)
    assert read.census.rows == 4


@pytest.mark.parametrize("name", ["Status", "STATUS", "Code", "State", "Number"])
def test_a_column_in_capitals_is_none_that_is_made_here(tmp_path: Path, name: str) -> None:
    """The engine does not tell `Status` of the file from the status of a rating."""
    path = tmp_path / "jobs.csv"
    path.write_text(f"id,{name},human,gpt-4o\nq1,done,yes,no\nq2,open,no,no\nq3,done,n/a,yes\n")
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "abstain": ["n/a"]}
    wide = {"human": ["human"], "judge": ["gpt-4o"]}
    read = read_ratings(path, Task.from_mapping({**task, "wide": wide, "columns": {"item": "id"}}))
    found = fetch(read.frame.select("item", "status", "code").sort("item", "code"), place="")
    assert list(found["status"]) == ["rated"] * 5 + ["abstained"]
    assert list(found["code"]) == [0, 1, 1, 1, 0, 2]
    kept = fetch(read.frame.select(f"file_{name.lower()}"), place="")
    assert {*kept[f"file_{name.lower()}"]} == {"done", "open"}
    with pytest.raises(RatingsError, match=f"Did you mean 'file_{name.lower()}'"):
        read.require(name)
