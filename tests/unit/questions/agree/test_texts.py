"""An items table as texts and lengths."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.errors import InputError
from goldassay.questions.agree.texts import read_texts
from goldassay.ratings.task import Task

BINARY = Task(scale="binary", options=("yes", "no"), positive="yes")
PAIRS = Task(scale="pairwise", options=("A", "B", "tie"), tie="tie")


def table(folder: Path, text: str) -> str:
    path = folder / "items.csv"
    path.write_text(text)
    return str(path)


def test_one_text_of_each_item_and_system(tmp_path: Path) -> None:
    found = read_texts(
        table(tmp_path, "item,system,input,output\ni,s,ask,four\ni,t,ask,to\n"), BINARY
    )
    assert found.texts == {("i", "s"): "four", ("i", "t"): "to"}
    assert {key: size.tolist() for key, size in found.lengths.items()} == {
        ("i", "s"): [4.0],
        ("i", "t"): [2.0],
    }


def test_an_empty_text_has_no_length(tmp_path: Path) -> None:
    found = read_texts(table(tmp_path, "item,text\ni,ab\nj,\n"), BINARY)
    assert found.texts["j", ""] == ""


def test_texts_without_a_known_name_are_taken_together(tmp_path: Path) -> None:
    found = read_texts(table(tmp_path, "item,question,answer\ni,ab,cde\n"), BINARY)
    assert found.texts == {("i", ""): "ab | cde"}
    assert found.lengths["i", ""].tolist() == [5.0]


@pytest.mark.parametrize("columns", ["A,B", "output,output_b"])
def test_the_two_sides_of_a_pair(tmp_path: Path, columns: str) -> None:
    found = read_texts(table(tmp_path, f"item,{columns}\ni,ab,cde\n"), PAIRS)
    assert found.lengths["i", ""].tolist() == [2.0, 3.0]
    assert found.texts["i", ""] == "ab | cde"


def test_several_outputs_under_one_name_are_shown_and_not_measured(tmp_path: Path) -> None:
    found = read_texts(table(tmp_path, "item,text\ni,ab\ni,cd\n"), BINARY)
    assert found.texts == {("i", ""): "ab | cd"}
    assert not found.lengths


def test_a_table_without_items_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no column 'item'; its columns are id, text"):
        read_texts(table(tmp_path, "id,text\ni,ab\n"), BINARY)
