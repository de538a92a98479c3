"""A row that sums a sheet up is no item, whether a word says so or its numbers do."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings

GRADES = [(f"i{n}", n % 5 + 1, (n * 3) % 5 + 1) for n in range(30)]
MARKS = [(name, int(one > 2), int(two > 3)) for name, one, two in GRADES]


def items_of(path: Path, lines: list[str], head: str = "id,human,judge") -> int:
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    ratings, _ = guessed_ratings(str(path))
    return len({*ratings.frame.collect(backend="pyarrow")["item"].to_list()})


def sums(rows: list[tuple[str, int, int]]) -> tuple[int, int]:
    return sum(row[1] for row in rows), sum(row[2] for row in rows)


def lines_of(rows: list[tuple[str, int, int]]) -> list[str]:
    return [",".join(map(str, row)) for row in rows]


@pytest.mark.parametrize(
    ("rows", "form"),
    [
        *((rows, form) for rows in (GRADES, MARKS) for form in ("{:.2f}", "{:.4f}", "sum")),
        (MARKS, "{:.1%}"),
    ],
)
def test_a_row_without_a_name_whose_numbers_sum_the_others_up(
    tmp_path: Path, rows: list[tuple[str, int, int]], form: str
) -> None:
    one, two = sums(rows)
    last = f",{one},{two}" if form == "sum" else f",{form.format(one / 30)},{form.format(two / 30)}"
    assert items_of(tmp_path / "table.csv", [*lines_of(rows), last]) == 30


def test_behind_an_empty_row_and_an_empty_text(tmp_path: Path) -> None:
    one, two = sums(GRADES)
    lines = [f"{name},text {name},{a},{b}" for name, a, b in GRADES]
    lines += [",,,", f",,{one / 30:.3f},{two / 30:.3f}"]
    assert items_of(tmp_path / "table.csv", lines, "id,text,human,judge") == 30


def test_a_row_without_a_name_that_sums_nothing_up_is_an_item(tmp_path: Path) -> None:
    assert items_of(tmp_path / "table.csv", [*lines_of(GRADES), ",5,1"]) == 31
