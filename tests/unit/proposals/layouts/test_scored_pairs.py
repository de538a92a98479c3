"""Scores of both sides by several reward models are a verdict of each."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from goldassay.proposals.propose import guessed_ratings

TWO = ("clarity", "depth")


def test_two_reward_models_in_one_record(tmp_path: Path) -> None:
    records = [
        {
            "id": n,
            "prompt": f"prompt {n}",
            "chosen": f"a text {n}",
            "rejected": f"another text {n}",
            "rm_scores": {
                "owl": {"chosen": n % 5 / 2, "rejected": n % 3 / 2},
                "kite": {"chosen": n % 7 / 2, "rejected": n % 4 / 2},
            },
        }
        for n in range(30)
    ]
    path = tmp_path / "preferences.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    ratings, draft = guessed_ratings(str(path))
    assert draft.task["scale"] == "pairwise"
    assert {*ratings.judges} == {"rm_scores_owl", "rm_scores_kite"}
    verdicts = ratings.frame.collect(backend="pyarrow")
    kite = [
        (int(item), value)
        for item, rater, value in verdicts.select("item", "rater", "value").iter_rows()
        if rater == "rm_scores_kite"
    ]
    for item, value in kite:
        one, two = item % 7, item % 4
        assert value == ("chosen" if one > two else "rejected" if one < two else "tie")


@pytest.mark.parametrize("ends", ["ab", "12"])
def test_sides_whose_systems_stand_in_the_row_are_asked_about(tmp_path: Path, ends: str) -> None:
    """A column of scores cannot say which of the row's systems it is of: that is told."""
    who = [f"{who}_score_{end}" for end in ends for who in ("human", "judge")]
    names = ("owl", "wren", "kite")
    rows = [
        f"q{n},{names[n % 3]},{names[(n + 1) % 3]},"
        + ",".join(str((n + k * k) % 5 + 1) for k in range(4))
        for n in range(20)
    ]
    path = tmp_path / "side_by_side.csv"
    path.write_text("\n".join([f"id,model_a,model_b,{','.join(who)}", *rows]) + "\n")
    ratings, draft = guessed_ratings(path)
    assert (len(ratings.judges), len(ratings.humans)) == (1, 1)
    assert {cell["system"] for cell in draft.task["cells"].values()} == {*ends}
    assert any(one.startswith("Which systems are ") for one in draft.questions)


def test_criteria_of_two_sides_beside_a_judges(tmp_path: Path) -> None:
    """`clarity_a` and `judge_clarity_a` are of one criterion and of one side."""
    names = [f"{who}{what}_{end}" for who in ("", "judge_") for what in TWO for end in "ab"]
    drawn = Random(3)
    rows = [f"q{n}," + ",".join(str(drawn.randint(1, 5)) for _ in names) for n in range(20)]
    path = tmp_path / "sides.csv"
    path.write_text("\n".join([f"id,{','.join(names)}", *rows]) + "\n")
    ratings, draft = guessed_ratings(path)
    assert (len(ratings.judges), len(ratings.humans)) == (1, 1)
    cell = draft.task["cells"]["judge_clarity_b"]
    assert (cell["criterion"], cell["system"]) == ("clarity", "b")
    assert {one["criterion"] for one in draft.task["cells"].values()} == {*TWO}
