"""Tables of counts, and tables whose rows are numbered."""

from __future__ import annotations

from pathlib import Path

from plain_tables import guessed, labels


def test_a_number_of_every_row_counts_nothing(tmp_path: Path) -> None:
    said = {"human": labels(("up", "down"), 12), "judge": labels(("up", "down"), 12, 1)}
    ratings, draft = guessed(tmp_path, {"number": list(range(12)), **said})
    assert draft.task["columns"]["item"] == "number"
    assert ratings.census.rows == 24


def test_a_count_is_one(tmp_path: Path) -> None:
    said = {"human": ["up", "up", "down", "down"], "judge": ["up", "down"] * 2}
    ratings, _ = guessed(tmp_path, {**said, "number": [20, 4, 3, 11]})
    assert ratings.census.rows == 76
