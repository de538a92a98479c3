"""Nested JSON is a table: records within objects, columns within cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import SourceError
from goldassay.sources.files import open_files
from goldassay.sources.nested import one_object_each


def opened(folder: Path, content: Any, name: str = "t.json") -> Any:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return open_files(str(path))


def test_values_within_cells_are_columns_and_the_cell_stays(tmp_path: Path) -> None:
    rows = [{"id": 1, "a": {"b": {"c": "x"}, "d": [1, 2]}}, {"id": 2, "a": {"b": {"c": "y"}}}]
    found = opened(tmp_path, rows)
    assert found.columns == ("id", "a", "a.b.c", "a.d.1", "a.d.2")
    assert found.relation.project('"a.b.c", "a.d.2"').fetchall() == [("x", "2"), ("y", None)]


def test_messages_and_long_lists_stay_as_they_are(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "hi"}]
    found = opened(tmp_path, [{"id": 1, "talk": talk, "many": list(range(11)), "grid": [[1]]}])
    assert found.columns == ("id", "talk", "many", "grid")


def test_a_cell_that_is_no_json_ends_nothing(tmp_path: Path) -> None:
    """Only the first rows are looked at; what comes later may be anything."""
    lines = [f'{n},"{{""a"": {n}}}"' for n in range(2_000)] + ["2000,plain words"]
    found = opened(tmp_path, "\n".join(["id,cell", *lines]), "t.csv")
    assert found.columns == ("id", "cell", "cell.a")
    last = found.relation.filter("id = '2000'").project('"cell.a"').fetchall()
    assert last == [(None,)]


@pytest.mark.parametrize(
    "whole",
    [
        {"meta": {"n": 2}, "rows": [{"id": "a", "v": 1}, {"id": "b", "v": 2}]},
        {"id": ["a", "b"], "v": [1, 2]},
        {"id": {"0": "a", "1": "b"}, "v": {"0": 1, "1": 2}},
        {"a": {"v": 1}, "b": {"v": 2}},
        {"data": {"rows": [{"id": "a", "v": 1}, {"id": "b", "v": 2}]}, "version": 1},
    ],
    ids=["under a key", "columns", "columns of pandas", "by name", "deeper"],
)
def test_an_object_is_the_table_of_its_records(tmp_path: Path, whole: Any) -> None:
    found = opened(tmp_path, whole)
    assert found.relation.project("id, v").fetchall() == [("a", "1"), ("b", "2")]


def test_json_lines_under_another_name(tmp_path: Path) -> None:
    found = opened(tmp_path, '{"id": 1}\n{"id": 2}\n')
    assert found.relation.fetchall() == [("1",), ("2",)]


@pytest.mark.parametrize("whole", [{}, {"a": 1}, {"a": [1, 2], "b": [1]}])
def test_an_object_without_records_is_refused_in_words(tmp_path: Path, whole: Any) -> None:
    with pytest.raises(SourceError, match="must be a list of records, or an object with one"):
        opened(tmp_path, whole)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('{"a": ', "is not valid JSON"),
        ("null", "must be a list of records"),
        ('"words"', "must be a list of records"),
    ],
)
def test_what_is_no_table_is_said_in_words(tmp_path: Path, text: str, rule: str) -> None:
    with pytest.raises(SourceError, match=rule):
        opened(tmp_path, text)


def test_words_and_runs_around_a_list_are_columns_and_sums_are_none(tmp_path: Path) -> None:
    around = {"judge": "gpt-4", "seed": 7, "n": 2, "human_wins": 1, "kappa": 0.4}
    found = opened(tmp_path, {**around, "results": [{"id": "a", "v": "x"}, {"id": "b", "v": "y"}]})
    assert sorted(found.columns) == ["id", "judge", "seed", "v"]


def test_files_of_one_object_each_are_records(tmp_path: Path) -> None:
    for n in range(4):
        one = {"id": n, "human": {"tone": n % 3}, "judge": {"tone": n % 2}}
        (tmp_path / f"{n}.json").write_text(json.dumps(one))
    found = open_files(str(tmp_path / "*.json"))
    assert found.columns == ("id", "human", "judge", "human.tone", "judge.tone")
    assert len(found.relation.fetchall()) == 4
    assert found.told == ("each file is one record",)
    paths = sorted(tmp_path.glob("*.json"))
    assert one_object_each(paths)
    assert not one_object_each(paths[:2])
    paths[0].write_text(json.dumps([{"id": 1}]))
    assert not one_object_each(paths)
