"""Cells that hold several labels are lists of them, where the task says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import SourceError, TaskError
from goldassay.ratings.task import Task
from goldassay.sources.form import Form
from goldassay.sources.frames import open_source

TABLE = "id,labels,gpt\n1,yes; no;yes,yes\n2,no;no; no,no\n3,,yes\n"


def test_members_are_columns(tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text(TABLE, encoding="utf-8")
    opened = open_source(str(file), None, Form(several=(("labels", ";"),)))
    frame = opened.frame.collect().to_native()
    names = [opened.renamed.get(f"labels.{n}", f"labels.{n}") for n in (1, 2, 3)]
    found = [frame[name].to_pylist() for name in names]
    assert found == [["yes", "no", None], ["no", "no", None], ["yes", "no", None]]


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text(TABLE, encoding="utf-8")
    with pytest.raises(SourceError, match="must have the columns votes"):
        open_source(str(file), None, Form(several=(("votes", ";"),)))


def test_the_declaration_is_kept_and_checked() -> None:
    said = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    task = Task.from_mapping(said | {"file": {"several": {"labels": ";"}}}, place="a task")
    assert task.to_json()["file"]["several"] == {"labels": ";"}
    assert Task.from_mapping(task.to_json()) == task
    with pytest.raises(TaskError, match="sign between their labels"):
        Task.from_mapping(said | {"file": {"several": "labels"}}, place="a task")
