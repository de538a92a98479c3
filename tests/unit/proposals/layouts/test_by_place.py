"""Lists of people's and a judge's ratings go together by place only where the data say so."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings


def ratings_of(n: int, places: bool) -> list[tuple[list[str], list[str]]]:
    """Three ratings each of people and of a judge for an item: of one thing in each place, or of
    one item."""
    draw = random.Random(n)

    def about(truth: str) -> str:
        return truth if draw.random() < 0.9 else draw.choice(["yes", "no"])

    rows = []
    for _ in range(n):
        one = draw.choice(["yes", "no"])
        truths = [draw.choice(["yes", "no"]) if places else one for _ in range(3)]
        rows.append((list(map(about, truths)), list(map(about, truths))))
    return rows


@pytest.mark.parametrize("names", [("human", "judge"), ("human_scores", "llm_scores")])
@pytest.mark.parametrize("places", [True, False])
def test_members_of_lists(places: bool, names: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "lists.jsonl"
    rows = enumerate(ratings_of(40, places))
    one, two = names
    records = (json.dumps({"id": f"q{n}", one: h, two: j}) for n, (h, j) in rows)
    path.write_text("\n".join(records), encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    criteria = {cell.get("criterion") for cell in draft.task.get("cells", {}).values()}
    assert criteria - {None} == ({"1", "2", "3"} if places else set())
    assert len(ratings.humans) == (1 if places else 3)
    assert any("go together by place" in one for one in draft.assumed) is places
    assert not any("hold ratings too" in one for one in draft.questions)


@pytest.mark.parametrize("places", [True, False])
def test_numbered_columns_are_people_and_the_doubt_is_asked(places: bool, tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    names = [f"{who}_{n}" for who in ("human", "judge") for n in (1, 2, 3)]
    rows = [",".join([f"q{n}", *h, *j]) for n, (h, j) in enumerate(ratings_of(40, places))]
    path.write_text("\n".join([",".join(["id", *names]), *rows]), encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert len(ratings.humans) == 3
    assert any(one.startswith("Do the numbers name what") for one in draft.questions) is places


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        ("id,h1,h2,j", "Is `j` a judge?"),
        ("id,h1,h2,j1,j2", "Are `j1` and `j2` judges?"),
        ("id,x,y,z", "Is `z` a judge?"),
        ("id,r1,r2,r3", None),
        ("id,maria,paul,chen", None),
    ],
)
def test_names_that_tell_two_kinds_apart(head: str, asked: str | None, tmp_path: Path) -> None:
    path = tmp_path / "columns.csv"
    said = [row[0] + row[1] for row in ratings_of(40, False)]
    rows = [",".join([f"q{n}", *one[: head.count(",")]]) for n, one in enumerate(said)]
    path.write_text("\n".join([head, *rows]), encoding="utf-8")
    _, draft = guessed_ratings(str(path))
    questions = [one for one in draft.questions if "judge" in one]
    assert any(one.startswith(asked) for one in questions) if asked else not questions
