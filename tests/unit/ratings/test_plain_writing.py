"""What spreadsheets leave around labels is no part of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings
from goldassay.ratings.plain_writing import plain_writing

GRADES = [(n % 5 + 1, (n * 3) % 5 + 1) for n in range(30)]


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("'3", "3"),
        ("'Yes", "Yes"),
        ('="3"', "3"),
        ("\ufeff3", "3"),
        ("3\u200b", "3"),
        ("\u22122", "-2"),
        ("don't know", "don't know"),
        ("'quoted'", "'quoted'"),
        ("a\u200db", "a\u200db"),
    ],
)
def test_signs_around_a_label(label: str, plain: str) -> None:
    assert plain_writing(label) == plain


@pytest.mark.parametrize("form", ["'{}", '"=""{}"""', "\ufeff{}", "{}\u200b", "\u00a0{}"])
@pytest.mark.parametrize("both", [True, False])
def test_grades_that_are_written_so_are_grades(tmp_path: Path, form: str, *, both: bool) -> None:
    rows = [
        f"i{n},{form.format(one)},{form.format(two) if both else two}"
        for n, (one, two) in enumerate(GRADES)
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["scale"] == "ordinal"
    assert draft.task["options"] == ["1", "2", "3", "4", "5"]
    assert (len(ratings.judges), len(ratings.humans)) == (1, 1)


def test_another_minus(tmp_path: Path) -> None:
    rows = [
        f"i{n},{str(one - 3).replace('-', chr(0x2212))},{two - 3}"
        for n, (one, two) in enumerate(GRADES)
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,human,judge", *rows]) + "\n", encoding="utf-8")
    assert guessed_ratings(str(path))[1].task["options"] == ["-2", "-1", "0", "1", "2"]
