"""Who is called a rater has something that speaks for it; else it is taken back, or asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldassay.proposals.draft import OpenQuestionError
from goldassay.proposals.propose import guessed_ratings


def table(folder: Path, name: str, head: str, rows: list[str]) -> Path:
    path = folder / name
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_column_of_few_rows_is_nobodys(tmp_path: Path) -> None:
    rows = [
        f"p{i},{'ab'[i % 2]},{'ab'[i % 3 % 2]},{'ab'[i % 2] if i % 9 == 1 else ''}"
        for i in range(27)
    ]
    path = table(tmp_path, "places.csv", "place,label_auto,label,turned_out_as", rows)
    ratings, draft = guessed_ratings(path)
    assert ratings.humans == ("label",)
    assert any(one.startswith("Does `turned_out_as` hold ratings?") for one in draft.questions)


def test_a_few_rows_of_a_second_person_are_that_persons(tmp_path: Path) -> None:
    rows = [
        f"p{i},{'ab'[i % 2]},{'ab'[i % 3 % 2]},{'ab'[i % 2] if i < 9 else ''}" for i in range(27)
    ]
    path = table(tmp_path, "places.csv", "place,gpt4,maria,jonas", rows)
    assert guessed_ratings(path)[0].humans == ("jonas", "maria")


def test_what_says_whether_two_columns_are_equal_is_no_verdict(tmp_path: Path) -> None:
    rows = [f"q{i},{'ABC'[i % 3]},{'ABC'[i % 2]},{i % 3 == i % 2},{i % 5 > 1}" for i in range(24)]
    path = table(tmp_path, "answers.csv", "id,right,chosen,judge_verdict,human_verdict", rows)
    ratings, draft = guessed_ratings(path)
    assert not ratings.judges
    why = "It says in every row whether `right` and `chosen` are equal"
    assert any(why in one for one in draft.questions)


def test_a_pass_that_a_score_was_cut_into_is_held_against_nothing(tmp_path: Path) -> None:
    rows = [f"e{i},{i / 31:.3f},{i < 15}" for i in range(30)]
    path = table(tmp_path, "scores.csv", "example_id,score,pass", rows)
    with pytest.raises(OpenQuestionError, match="was `pass` made of `score`"):
        guessed_ratings(path)
