"""Cells of a wide table: cuts of scores, and empty cells that the task gives a meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.errors import TaskError
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

BINARY: dict[str, Any] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
SCORED: dict[str, Any] = {
    **BINARY,
    "columns": {"item": "id"},
    "cells": {
        "human": {"rater": "human", "kind": "human"},
        "score": {"rater": "gpt", "kind": "judge", "cut": ">= 0.5"},
    },
}
TABLE = "id,human,score\n1,yes,0.9\n2,no,0.5\n3,yes,0.49\n4,no,\n"


@pytest.mark.parametrize("engine", ["file", "frame"])
def test_a_cut_makes_verdicts_and_keeps_the_scores(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    source: Any = str(path) if engine == "file" else pl.read_csv(path)
    ratings = read_ratings(source, Task.from_mapping(SCORED))
    rows = fetch(ratings.frame.select("item", "rater", "value", "score"), place="")
    found = sorted(zip(*(rows[k].tolist() for k in ("item", "rater", "value")), strict=True))
    assert [row for row in found if row[1] == "gpt"] == [
        ("1", "gpt", "yes"), ("2", "gpt", "yes"), ("3", "gpt", "no"),
    ]  # fmt: skip
    scores = {r: s for r, who, s in zip(rows["item"], rows["rater"], rows["score"], strict=True)
              if who == "gpt"}  # fmt: skip
    assert {item: float(score) for item, score in scores.items()} == {"1": 0.9, "2": 0.5, "3": 0.49}


def test_a_cut_is_of_a_binary_task() -> None:
    wrong = {**SCORED, "scale": "nominal", "options": ["yes", "no", "maybe"]}
    del wrong["positive"]
    with pytest.raises(TaskError, match="must stand beside verdicts"):
        Task.from_mapping(wrong)


@pytest.mark.parametrize("engine", ["file", "frame"])
def test_empty_cells_count_where_the_task_gives_them_a_meaning(tmp_path: Path, engine: str) -> None:
    """Four rows, one empty cell of the judge: 8 ratings with it, 7 without."""
    path = tmp_path / "t.csv"
    path.write_text("id,human,judge\n1,yes,yes\n2,no,\n3,yes,no\n4,no,no\n")
    source: Any = str(path) if engine == "file" else pl.read_csv(path)
    wide = {**BINARY, "columns": {"item": "id"}, "wide": {"human": ["human"], "judge": ["judge"]}}
    plain = read_ratings(source, Task.from_mapping(wide))
    invalid = read_ratings(source, Task.from_mapping({**wide, "invalid": [""]}))
    abstained = read_ratings(source, Task.from_mapping({**wide, "abstain": [""]}))
    assert plain.census.rows == 7
    assert invalid.census.rows == abstained.census.rows == 8
    assert invalid.census.total(kind="judge", status="invalid") == 1
    assert abstained.census.total(kind="judge", status="abstained") == 1


def test_scores_beside_verdicts_are_answered_without_a_task(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "id,human,judge_score\n"
        + "".join(
            f"{n},{'yes' if n % 2 else 'no'},{(0.7 if n % 2 else 0.2) + n / 1000}\n"
            for n in range(20)
        )
    )
    found = ga.agree(str(path))
    assert found["accuracy", "judge_score"].value == 1.0
    assert any("at least 0.5" in one for one in found.assumed)


def test_a_score_beside_a_verdict_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("item,human,judge,p\n1,yes,yes,0.9\n2,no,yes,0.6\n3,no,no,0.1\n")
    cells = {
        "human": {"rater": "human", "kind": "human"},
        "judge": {"rater": "judge", "kind": "judge", "score": "p"},
    }
    declared = {**BINARY, "cells": cells}
    ratings = read_ratings(str(path), Task.from_mapping(declared))
    rows = ratings.frame.select("item", "rater", "value", "score").to_native().fetchall()
    assert sorted(rows)[:2] == [("1", "human", "yes", None), ("1", "judge", "yes", 0.9)]
    cells["judge"]["score"] = "q"
    with pytest.raises(TaskError, match=r"must be a column of .*its columns are item, human"):
        read_ratings(str(path), Task.from_mapping(declared))


@pytest.mark.parametrize("engine", ["file", "frame"])
def test_empty_cells_are_counted_and_told(tmp_path: Path, engine: str) -> None:
    """Four rows of two cells: 3 empty, of which 2 in one row."""
    path = tmp_path / "t.csv"
    path.write_text("id,human,judge\n1,yes,yes\n2,no,\n3,,\n4,no,no\n")
    source: Any = str(path) if engine == "file" else pl.read_csv(path)
    wide = {**BINARY, "columns": {"item": "id"}, "wide": {"human": ["human"], "judge": ["judge"]}}
    ratings = read_ratings(source, Task.from_mapping(wide))
    assert ratings.census.rows == 5
    said = "3 of 8 cells for ratings are empty; 1 row holds none at all."
    assert ratings.readings == (said,)


def test_a_file_that_lacks_a_column_has_no_empty_cells_of_it(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id,human\n1,yes\n2,no\n3,\n")
    (tmp_path / "model.csv").write_text("id,judge\n1,yes\n2,yes\n3,no\n")
    wide = {**BINARY, "columns": {"item": "id"}, "wide": {"human": ["human"], "judge": ["judge"]}}
    files = [str(tmp_path / name) for name in ("people.csv", "model.csv")]
    ratings = read_ratings(files, Task.from_mapping(wide))
    assert ratings.readings == ("1 of 6 cells for ratings is empty; 1 row holds none at all.",)


def test_a_column_of_wide_and_of_cells_is_as_cells_says(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,human,judge,sure\n1,yes,yes,0.9\n2,no,yes,0.6\n")
    wide = {**BINARY, "columns": {"item": "id"}, "wide": {"human": ["human"], "judge": ["judge"]}}
    cells = {"judge": {"rater": "gpt", "kind": "judge", "score": "sure"}}
    ratings = read_ratings(str(path), Task.from_mapping({**wide, "cells": cells}))
    assert (ratings.humans, ratings.judges) == (("human",), ("gpt",))
    assert "score" in ratings.columns
