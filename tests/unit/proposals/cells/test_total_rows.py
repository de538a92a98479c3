"""A row that sums a sheet up is no item, whether a word says so or its numbers do."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.proposals.cells.total_rows import _by_a_word
from goldassay.proposals.propose import guessed_ratings
from goldassay.sources.frames import open_frame

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


@pytest.mark.parametrize("cell", ["Total", "\x0bTotal ", "  mean (of all)", "\u5408\u8a08"])
@pytest.mark.parametrize("before", [None, "", " \t", "\x0b", "x"])
def test_the_word_is_in_the_first_cell_that_is_filled(cell: str, before: str | None) -> None:
    """Whatever space is about it; a cell of two that is empty, or of space alone, is not filled."""
    rows = [{"id": f"i{n}", "text": f"x{n}", "human": n % 5} for n in range(30)]
    last = {"id": cell, "text": None} if before is None else {"id": before, "text": cell}
    source = open_frame([*rows, {**last, "human": "2.1"}])
    assert _by_a_word(source) == (() if before == "x" else (cell.strip(),))
