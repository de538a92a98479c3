"""A table of counts is as many items as it counts (`[file] times`)."""

from __future__ import annotations

from pathlib import Path

import pytest

import goldassay
from goldassay.errors import InputError
from goldassay.proposals.propose import guessed_ratings

COUNTS = "human,judge,count\nyes,yes,12\nyes,no,4\nno,yes,2\nno,no,22\n"


def _written(folder: Path, text: str) -> str:
    path = folder / "counts.csv"
    path.write_text(text)
    return str(path)


def test_each_row_stands_for_as_many_items(tmp_path: Path) -> None:
    path = _written(tmp_path, COUNTS)
    ratings, draft = guessed_ratings(path)
    assert draft.task["file"] == {"times": "count"}
    assert any("`count`" in line for line in ratings.assumed)
    found = goldassay.agree(path)
    assert found["accuracy"].value == (12 + 22) / 40
    rows = "".join(
        f"{human},{judge}\n" * times
        for human, judge, times in [("yes", "yes", 12), ("yes", "no", 4), ("no", "yes", 2)]
    )
    whole = _written(tmp_path, "human,judge\n" + rows + "no,no\n" * 22)
    again = goldassay.agree(whole)
    for name in ("accuracy", "cohen_kappa", "f1"):
        one, two = found[name], again[name]
        assert (one.value, one.interval) == (two.value, two.interval)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (COUNTS.replace("12", "1.5"), "whole numbers"),
        (COUNTS.replace("12", ""), "whole numbers"),
        (COUNTS.replace("12", "-1"), "whole numbers"),
        (COUNTS.replace("12", "99999999999"), "must stand for"),
    ],
)
def test_what_is_no_count_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        goldassay.agree(_written(tmp_path, text), task={"file": {"times": "count"}})


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must name a column.*Did you mean 'count'"):
        goldassay.agree(_written(tmp_path, COUNTS), task={"file": {"times": "counts"}})


def test_numbers_beside_items_are_no_counts(tmp_path: Path) -> None:
    rows = "".join(f"i{n},{'yes' if n % 2 else 'no'},yes,{n}\n" for n in range(30))
    _, draft = guessed_ratings(_written(tmp_path, "id,human,judge,count\n" + rows))
    assert "file" not in draft.task


def test_a_cross_table_is_asked_for_in_rows(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a row for each pair of labels"):
        guessed_ratings(_written(tmp_path, "human,yes,no\nyes,12,4\nno,2,22\n"))
