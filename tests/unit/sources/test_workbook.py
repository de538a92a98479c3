"""Workbooks as people make them: merged cells, notes on a sheet of their own, a sheet per rater."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from goldassay.proposals.propose import guessed_ratings
from goldassay.sources.files import open_files

openpyxl = pytest.importorskip("openpyxl")


def book(path: Path, merged: tuple[str, ...] = (), **sheets: list[list[Any]]) -> Path:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
    made.save(path)
    return path


def test_what_is_merged_over_rows_stands_in_each(tmp_path: Path) -> None:
    rows = [["topic", "id", "human"], ["law", 1, "yes"], [None, 2, "no"], ["art", 3, "no"]]
    path = book(tmp_path / "a.xlsx", ("A2:A3",), Sheet=rows)
    found = open_files(path).relation.fetchall()
    assert found == [("law", "1", "yes"), ("law", "2", "no"), ("art", "3", "no")]


def test_a_cell_that_is_merged_over_columns_alone_is_not_repeated(tmp_path: Path) -> None:
    rows = [["Round two", None, None], ["id", "human", "judge"], ["a", "yes", "no"]]
    opened = open_files(book(tmp_path / "a.xlsx", ("A1:C1",), Sheet=rows))
    assert opened.columns == ("id", "human", "judge")
    assert opened.told == ("the first line is a title, no names",)


@pytest.mark.parametrize("first", [None, "id"])
def test_merged_names_above_names(tmp_path: Path, first: str | None) -> None:
    """The upper line ends in a merged cell, and is shorter than the others."""
    lower = ["id" if first is None else None, "tone", "facts", "tone", "facts"]
    rows = [[first, "Human", None, "GPT-4", None], lower]
    rows += [[f"q{n}", "yes", "no", "yes", "no" if n % 2 else "yes"] for n in range(6)]
    merged = ("B1:C1", "D1:E1", *(["A1:A2"] if first else []))
    ratings, draft = guessed_ratings(str(book(tmp_path / "a.xlsx", merged, Sheet=rows)))
    assert (ratings.judges, ratings.humans) == (("GPT-4",), ("Human",))
    assert ratings.census.rows == 24
    assert draft.task["scale"] == "binary"


def test_a_cell_to_the_right_of_the_names_has_a_column(tmp_path: Path) -> None:
    rows = [["id", "human"], ["a", "yes"], ["b", "no", "sure?"], ["c", "no"]]
    opened = open_files(book(tmp_path / "a.xlsx", Sheet=rows))
    assert opened.columns == ("id", "human", "Unnamed: 2")
    assert opened.relation.fetchall()[1] == ("b", "no", "sure?")


def test_a_sheet_of_notes_is_no_table(tmp_path: Path) -> None:
    notes = [["What this is"], ["Ask Ann"]]
    table = [["id", "human"], ["a", "yes"], ["b", "no"]]
    opened = open_files(book(tmp_path / "a.xlsx", Notes=notes, Labels=table))
    assert opened.columns == ("id", "human")
    assert opened.told == ("of the sheets, `Labels` alone is a table",)


def test_a_sheet_for_each_rater(tmp_path: Path) -> None:
    people = [["id", "label"], ["a", "yes"], ["b", "no"], ["c", "no"]]
    judge = [["id", "label"], ["a", "yes"], ["b", "yes"], ["c", "no"]]
    path = book(tmp_path / "study.xlsx", **{"ann": people, "gpt-4o": judge})
    ratings, _ = guessed_ratings(str(path))
    assert (ratings.judges, ratings.humans) == (("gpt-4o",), ("ann",))
    named = guessed_ratings([f"{path}::ann", f"{path}::gpt-4o"])[0]
    assert (named.judges, named.humans) == (ratings.judges, ratings.humans)


def test_a_sheet_for_each_round(tmp_path: Path) -> None:
    rounds = {f"round {n}": [["id", "human", "judge"], [f"q{n}", "yes", "no"]] for n in range(3)}
    ratings, _ = guessed_ratings(str(book(tmp_path / "study.xlsx", **rounds)))
    assert (ratings.judges, ratings.humans) == (("judge",), ("human",))
    assert ratings.census.rows == 6


def test_a_hidden_sheet_is_told_and_not_read(tmp_path: Path) -> None:
    rows = [["id", "human"], [1, "yes"], [2, "no"]]
    path = book(tmp_path / "a.xlsx", Data=rows, Old=[["id", "human"], [3, "yes"], [4, "yes"]])
    made = openpyxl.load_workbook(path)
    made["Old"].sheet_state = "hidden"
    made.save(path)
    opened = open_files(path)
    assert opened.relation.fetchall() == [("1", "yes"), ("2", "no")]
    assert opened.told == ("`Old` is a hidden sheet and not read",)
    assert open_files(f"{path}::Old").relation.fetchall() == [("3", "yes"), ("4", "yes")]
