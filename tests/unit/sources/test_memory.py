"""Rows of Python as ratings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import goldassay as ga
from goldassay.errors import SourceError
from goldassay.sources import memory
from goldassay.sources.frames import open_source

ROWS = [
    {"id": k, "human": "yes" if k % 3 else "no", "judge": "yes" if k % 4 else "no"}
    for k in range(60)
]


def test_records_and_columns_answer_as_their_frame() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    wanted = ga.agree(pandas.DataFrame(ROWS), resamples=200)
    for given in (ROWS, tuple(ROWS), columns, {n: np.array(c) for n, c in columns.items()}):
        found = ga.agree(given, resamples=200)
        assert found["cohen_kappa", "judge"] == wanted["cohen_kappa", "judge"]
        assert found.provenance.inputs[0].name == "records"


def test_cells_of_records_are_texts_as_they_stand() -> None:
    given = [
        {"item": np.int64(7), "score": "good", "note": ["a", "b"]},
        {"item": 8, "score": float("nan"), "extra": np.float64(0.5)},
    ]
    opened = open_source(given)
    assert opened.columns == ("item", "score", "note", "extra")
    assert opened.frame.to_native().fetchall() == [
        ("7", "good", '["a","b"]', None),
        ("8", None, None, "0.5"),
    ]


CELLS = [
    ("", ""),
    (None, None),
    (float("nan"), None),
    (1.0, "1.0"),
    (1e300, "1e+300"),
    (float("inf"), "Infinity"),
    (10**30, "1000000000000000000000000000000"),
    (np.bool_(True), "true"),
    (np.float32(0.1), "0.10000000149011612"),
    (np.datetime64("2020-01-01"), "2020-01-01"),
    (np.array([1, 2]), "[1,2]"),
    ({"a": [True, "é", None], "b": np.int64(3)}, '{"a":[true,"é",null],"b":3}'),
    ('NULL byte \x00, "quotes", \n\\', 'NULL byte \x00, "quotes", \n\\'),
    ("half a pair \ud800", "half a pair \\ud800"),
]


@pytest.mark.parametrize("beside", [[], ["a text", 7]], ids=["alone", "mixed"])
@pytest.mark.parametrize(("cell", "text"), CELLS)
def test_a_cell_is_the_text_that_json_has(
    cell: object, text: str | None, beside: list[Any]
) -> None:
    found = open_source({"a ' \"b": [cell, *beside]}).frame.to_native().fetchall()
    assert found == [(text,), *((str(one),) for one in beside)]


def test_columns_of_pandas_keep_what_they_lack() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {
        "id": pandas.Series([1, None], dtype="Int64"),
        "human": pandas.Series(["yes", pandas.NA], dtype="string"),
        3: pandas.Series([1.5, float("nan")]),
    }
    opened = open_source(columns)
    assert opened.columns == ("id", "human", "3")
    assert opened.frame.to_native().fetchall() == [("1", "yes", "1.5"), (None, None, None)]


@pytest.mark.parametrize(("rows", "letters"), [(2_000, 8_000_000), (3, 8_000_000), (2_000, 40)])
def test_rows_keep_their_order_whatever_the_blocks(
    rows: int, letters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "BLOCK_ROWS", rows)
    monkeypatch.setattr(memory, "BLOCK_LETTERS", letters)
    cells = [f"text {number} " * (number % 5) for number in range(50)]
    found = open_source({"id": range(50), "text": cells}).frame.to_native().fetchall()
    assert found == [(str(number), cell) for number, cell in enumerate(cells)]


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ([], "is neither a path nor a frame|at least one row"),
        ([{}], "at least one row"),
        ({"id": [1, 2], "human": ["yes"]}, "lists of one length; found id 2, human 1"),
        ({"id": "abc"}, "lists of one length"),
        ([{"Human": 1, "human": 2}], "a column name must occur once"),
        ([{1: "a", "1": "b"}], "a column name must occur once"),
        ({1: ["a"], "1": ["b"]}, "a column name must occur once"),
        ([{"id": 1}, 3], "neither a path nor a frame"),
    ],
)
def test_what_is_no_list_of_records_is_refused(given: object, rule: str) -> None:
    with pytest.raises(SourceError, match=rule):
        open_source(given)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_results_come_in_the_library_of_the_frame(library: str) -> None:
    module = pytest.importorskip(library)
    make = module.Table.from_pylist if library == "pyarrow" else module.DataFrame
    frame = ga.agree(make(ROWS), resamples=200).to_frame()
    assert type(frame).__module__.split(".")[0] == library


def test_one_column_of_a_frame_names_who_rated() -> None:
    found = ga.check([{"id": row["id"], "gpt": row["judge"]} for row in ROWS])
    assert "all ratings are by one judge, called `gpt`" in found.assumed
