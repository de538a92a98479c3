"""What patterns of units say of people and judges."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from goldassay.counts import Units, count_units, few_rows, only_divided, pairing_exclusions
from goldassay.counts.units import SETS as SETS_LEFT_OUT
from goldassay.counts.units import reference_weights
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


def rated(*rows: str, **columns: list[object]) -> pl.DataFrame:
    """A row from "item rater value"; names of judges begin with j."""
    cells = [row.split() for row in rows]
    return pl.DataFrame(
        {
            "item": [item for item, _, _ in cells],
            "rater": [rater for _, rater, _ in cells],
            "kind": ["judge" if rater.startswith("j") else "human" for _, rater, _ in cells],
            "value": [value for _, _, value in cells],
            **columns,
        }
    )


def of_frame(frame: pl.DataFrame, engine: str, **declared: object) -> Units:
    """Of a frame counted where it is, or fetched from the embedded engine."""
    source = frame if engine == "frame" else frame.to_dicts()
    return count_units(read_ratings(source, Task.from_mapping({**BINARY, **declared})))


ENGINES = pytest.mark.parametrize("engine", ["frame", "embedded"])


@ENGINES
def test_units_that_are_alike_but_for_their_weight_stay_apart(engine: str) -> None:
    rows = [f"{item} {who} yes" for item in "abc" for who in ("ann", "judge")]
    units = of_frame(rated(*rows, weight=[1, 1, 3, 3, 3, 3]), engine)
    assert sorted(zip(units.weight.tolist(), units.n.tolist(), strict=True)) == [(1.0, 1), (3.0, 2)]


@ENGINES
def test_a_person_who_rates_again_and_again_counts_each_time(engine: str) -> None:
    rows = [*["a ann yes"] * 9, "a judge yes"]
    units = of_frame(rated(*rows, sample=[*map(str, range(9)), "0"]), engine)
    assert units.human[:, :2].tolist() == [[9, 0]]


def test_one_persons_label_is_a_whole_reference_however_it_is_shared_out() -> None:
    rows = rated("a ann yes", "a judge yes", "b ann yes", "b bob no", "b judge yes")
    weights, _, _ = reference_weights(of_frame(rows, "frame", reference="soft"))
    assert sorted(weights[:, :2].tolist()) == [[0.5, 0.5], [1.0, 0.0]]


def test_what_is_known_of_references_cannot_be_written_over() -> None:
    """It is kept for every judge: what one wrote there another would read."""
    units = of_frame(rated("a ann yes", "a judge yes"), "frame")
    assert not any(one.flags.writeable for one in reference_weights(units))


@pytest.mark.parametrize(
    ("grades", "place"), [("1 1 3", 0), ("1 3", 1), ("2 3 3", 2), ("1 2 3", 1), ("3", 2)]
)
def test_the_median_of_grades(grades: str, place: int) -> None:
    rows = [f"a p{k} {grade}" for k, grade in enumerate(grades.split())]
    task = Task.from_mapping(
        {"scale": "ordinal", "options": ["1", "2", "3"], "reference": "median"}
    )
    units = count_units(read_ratings(rated(*rows, "a judge 1"), task))
    weights, _, _ = reference_weights(units)
    assert weights.tolist() == [np.eye(4)[place].tolist()]


def test_a_persons_abstention_is_told_once_where_no_judge_says_anything() -> None:
    rows = rated("a ann yes", "a bob pass", "b ann yes", "b judge yes")
    task = {"abstain": ["pass"]}
    found = {one.reason: one.rows for one in pairing_exclusions(of_frame(rows, "frame", **task))}
    assert found == {"person's rating abstained": 1, "no verdict of a judge": 1}


#: One person, two judges: sets on either side, on both, beside an abstention, and beside nothing.
SETS = (
    ("x", "x", "x"),
    ("x", "x|y", "y"),
    ("y|z", "y", "y"),
    ("y|z", "x|y", "-"),
    ("z", "", "z"),
    ("", "x|z", "z"),
)


@pytest.mark.parametrize("few", [few_rows.FEW_ROWS, 0], ids=["in memory", "by the engine"])
def test_ratings_of_several_options_are_counted_and_told(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(few_rows, "FEW_ROWS", few)
    kinds = {"ann": "human", "j": "judge", "k": "judge"}
    rows = [
        (f"i{at}", rater, kinds[rater], value)
        for at, values in enumerate(SETS)
        for rater, value in zip(kinds, values, strict=True)
        if value
    ]
    task = {"scale": "nominal", "options": ["x", "y", "z"], "abstain": ["-"]}
    units = counted(task, rows)
    assert units.several == {"j": 3, "k": 2}
    (left,) = units.exclusions
    assert (left.reason, left.rows) == (SETS_LEFT_OUT, 5)
    assert left.by == {"rater": {"people": 2, "j": 3}}
    # Used are people's of i0, i1 and i4, j's of i0, and k's of these three.
    lost = sum(one.rows for one in pairing_exclusions(units))
    assert units.rows - left.rows - lost == 7


def test_a_table_without_sets_has_none_to_tell() -> None:
    units = counted(BINARY, [("a", "ann", "human", "yes"), ("a", "j", "judge", "no")])
    assert (units.several, units.exclusions) == ({}, ())
