"""Lists within records as rows (`[file] rows`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import InputError
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.files import open_files
from goldassay.sources.form import Form


def opened(tmp_path: Path, records: list[dict[str, Any]], *rows: str) -> list[dict[str, str]]:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    found = open_files(path, form=Form(rows=rows))
    return [dict(zip(found.columns, row, strict=True)) for row in found.relation.fetchall()]


def test_lists_go_together_member_by_member(tmp_path: Path) -> None:
    rows = opened(
        tmp_path,
        [{"id": "a", "human": ["S", "NS"], "gpt": ["S", "S"]}, {"id": "b", "human": [], "gpt": []}],
        "human",
        "gpt",
    )
    assert [(r["id"], r["place"], r["human"], r["gpt"]) for r in rows] == [
        ("a", "1", "S", "S"),
        ("a", "2", "NS", "S"),
    ]


def test_a_path_goes_through_the_lists_on_its_way(tmp_path: Path) -> None:
    record = {
        "topic": "x",
        "annotations": [
            {"facts": [{"text": "one", "label": "S"}]},
            {"facts": [{"text": "two", "label": "NS"}, {"text": "three", "label": "IR"}]},
            {"facts": None},
        ],
    }
    rows = opened(tmp_path, [record], "annotations.facts")
    assert [(r["place"], r["annotations.facts.label"]) for r in rows] == [
        ("1", "S"),
        ("2", "NS"),
        ("3", "IR"),
    ]
    assert "annotations" not in rows[0]


def test_lists_of_different_length_are_refused_with_the_record(tmp_path: Path) -> None:
    records = [{"a": [1], "b": [1]}, {"a": [1, 2], "b": [1]}]
    with pytest.raises(InputError, match=r"record 2.*of one length.*2 in a, 1 in b"):
        opened(tmp_path, records, "a", "b")


def test_a_list_that_is_not_there_is_refused_with_what_is(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"record 1.*'labels' must be there.*human"):
        opened(tmp_path, [{"human": ["S"]}], "labels")


def test_lists_without_any_member_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must hold a member somewhere"):
        opened(tmp_path, [{"human": []}], "human")


def test_cells_of_a_table_may_hold_the_lists(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('id,human,judge\n1,"[\'S\', \'NS\']","[""S"", ""S""]"\n2,[\'S\'],[\'NS\']\n')
    found = open_files(path, form=Form(rows=("human", "judge")))
    rows = found.relation.project("id, place, human, judge").fetchall()
    assert rows == [("1", "1", "S", "S"), ("1", "2", "NS", "S"), ("2", "1", "S", "NS")]


def test_cells_without_lists_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,human\n1,yes\n2,no\n")
    with pytest.raises(InputError, match="the cells of human must hold lists"):
        open_files(path, form=Form(rows=("human",)))


def test_a_task_reads_nested_labels(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(
        "".join(
            json.dumps({"topic": t, "annotations": [{"facts": [{"label": "S"}, {"label": "NS"}]}]})
            + "\n"
            for t in "xyz"
        )
    )
    task = Task.from_mapping(
        {
            "scale": "nominal",
            "options": ["S", "NS"],
            "cluster": "topic",
            "columns": {"item": ["topic", "place"], "value": "annotations.facts.label"},
            "constants": {"rater": "people", "kind": "human"},
            "file": {"rows": ["annotations.facts"]},
        }
    )
    ratings = read_ratings(str(path), task)
    assert ratings.census.rows == 6
    assert task.to_json()["file"]["rows"] == ["annotations.facts"]
    assert "rows" in task.to_toml()


def test_what_records_on_the_way_say_is_kept(tmp_path: Path) -> None:
    record = {
        "id": "a",
        "parts": [{"text": "one", "said": ["yes", "no"]}, {"text": "two", "said": ["no"]}],
    }
    rows = opened(tmp_path, [record], "parts.said")
    assert [(r["parts.text"], r["parts.said"]) for r in rows] == [
        ("one", "yes"),
        ("one", "no"),
        ("two", "no"),
    ]
