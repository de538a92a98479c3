"""A column under a word for systems that says what raters say is a rater's."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from goldassay.proposals.draft import Draft
from goldassay.proposals.propose import guessed_ratings
from goldassay.ratings.table import Ratings


def read(
    tmp_path: Path, head: str, options: list[str], alike: float = 0.8
) -> tuple[Ratings, Draft]:
    """Raters who say one thing of an item in so many rows, and anything in the others."""
    draw = random.Random(5)
    rows = []
    for n in range(40):
        truth = draw.choice(options)
        said = [truth if draw.random() < alike else draw.choice(options) for _ in head.split(",")]
        rows.append(",".join([f"q{n}", *said[1:]]))
    path = tmp_path / "results.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return guessed_ratings(str(path))


@pytest.mark.parametrize("options", [["yes", "no"], ["1", "2", "3", "4", "5"]])
@pytest.mark.parametrize(
    ("head", "people", "judges"),
    [
        ("id,reviewer_1,reviewer_2,agent", 2, ("agent",)),
        ("id,baseline,candidate,human", 1, ("baseline", "candidate")),
        ("id,human,system", 1, ("system",)),
        ("id,annotator,system", 1, ("system",)),
        ("id,gold,system", 1, ("system",)),
        ("id,truth,system_1,system_2", 1, ("system_1", "system_2")),
    ],
)
def test_what_says_what_raters_say(
    head: str, people: int, judges: tuple[str, ...], options: list[str], tmp_path: Path
) -> None:
    ratings, draft = read(tmp_path, head, options)
    assert (len(ratings.humans), tuple(sorted(ratings.judges))) == (people, judges)
    assert "system" not in draft.task.get("columns", {})


def test_numbers_that_agree_no_more_than_by_chance_name_the_system(tmp_path: Path) -> None:
    ratings, _ = read(tmp_path, "id,human,dialogue_system", ["1", "2", "3", "4", "5"], alike=0.0)
    assert (len(ratings.humans), ratings.judges) == (1, ())
