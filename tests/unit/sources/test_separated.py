"""Separated values as their form says: thousands, decimal signs, merged cells of several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import InputError, TaskError
from goldassay.ratings.declaring import READ
from goldassay.sources.files import open_files
from goldassay.sources.form import Form
from goldassay.sources.frames import open_source


def cells(tmp_path: Path, text: str, form: Form) -> list[tuple[str, ...]]:
    path = tmp_path / "table.csv"
    path.write_text(text)
    return open_files(path, form=form).relation.fetchall()


def test_what_parts_thousands_goes(tmp_path: Path) -> None:
    text = 'id,human\na,"1,250"\nb,"12,000,000.5"\nc,"1,25"\nd,40\n'
    found = cells(tmp_path, text, Form(thousands=","))
    assert [row[1] for row in found] == ["1250", "12000000.5", "1,25", "40"]


def test_points_part_thousands_where_commas_are_decimal(tmp_path: Path) -> None:
    found = cells(
        tmp_path, "id;human\na;1.250,5\nb;0,5\nc;12.000\n", Form(decimal=",", thousands=".")
    )
    assert [row[1] for row in found] == ["1250.5", "0.5", "12000"]


def test_one_sign_cannot_be_both() -> None:
    with pytest.raises(TaskError, match="another sign than decimal"):
        READ["file"]({"decimal": ",", "thousands": ","}, "task, file")
    with pytest.raises(TaskError, match="must be one of"):
        READ["file"]({"thousands": ";"}, "task, file")


def test_merged_cells_are_filled_in_the_files_that_have_the_column(tmp_path: Path) -> None:
    people, judge = tmp_path / "people.csv", tmp_path / "judge.csv"
    people.write_text("doc,item,human\nd1,a,yes\n,b,no\nd2,c,yes\n")
    judge.write_text("item,judge\na,yes\nb,yes\nc,no\n")
    source = open_source([str(people), str(judge)], None, Form(fill=("doc",)))
    rows = source.frame.select("doc", "human").to_native().fetchall()
    assert sorted(doc for doc, human in rows if human) == ["d1", "d1", "d2"]


def test_a_column_to_fill_that_no_file_has_is_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("doc,item,human\nd1,a,yes\n,b,no\n")
    two.write_text("item,judge\na,yes\nb,yes\n")
    with pytest.raises(InputError, match="Did you mean 'doc'"):
        open_source([str(one), str(two)], None, Form(fill=("docs",)))


def test_notes_below_a_table_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("id,a,b\n1,x,y\n2,x,x\n3,y,y\n\nNote: x is good\nCoverage,3/3\n")
    found = open_files(path)
    assert found.relation.fetchall() == [("1", "x", "y"), ("2", "x", "x"), ("3", "y", "y")]
    assert any(line.startswith("the lines below the table") for line in found.told)


def test_a_row_that_was_cut_is_no_note(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv"
    path.write_text("id,a,b\n1,x,y\n2,x,x\n3,y,y\n4,y\n")
    with pytest.raises(InputError, match="every row must have as many cells"):
        open_files(path)
