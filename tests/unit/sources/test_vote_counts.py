"""Counts of votes are so many people, and no name stands for one option."""

from __future__ import annotations

from pathlib import Path

import pytest

import goldassay
from goldassay.errors import InputError
from goldassay.proposals.propose import guessed_ratings, propose

VOTES = {"yes_votes": "yes", "no_votes": "no"}


def written(folder: Path, *rows: str, header: str = "id,yes_votes,no_votes,gpt") -> str:
    path = folder / "votes.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return str(path)


def task(**more: object) -> dict[str, object]:
    said: dict[str, object] = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    people = ["person 1", "person 2", "person 3"]
    said |= {"columns": {"item": "id"}, "wide": {"human": people, "judge": ["gpt"]}}
    return said | {"file": {"votes": VOTES}} | more


def test_every_vote_is_a_rating(tmp_path: Path) -> None:
    path = written(tmp_path, "a,2,1,yes", "b,0,3,no", "c,,2,no", "d,1,0,yes")
    ratings, draft = guessed_ratings(path)
    assert draft.task["file"] == {"votes": VOTES}
    assert ratings.humans == ("person 1", "person 2", "person 3")
    found = goldassay.check(path)
    labels = {row[0]: row[1] for row in found.tables["options"].rows}
    assert labels == {"yes": 3, "no": 6}


def test_no_name_stands_for_one_option(tmp_path: Path) -> None:
    path = written(tmp_path, *(f"i{n},2,2,{'yes' if n % 2 else 'no'}" for n in range(40)))
    ratings, _ = guessed_ratings(path)
    by_rater = {row[0]: row[3] for row in goldassay.check(path).tables["raters"].rows}
    assert by_rater["person 1"] == by_rater["person 4"] == 40
    native = ratings.frame.to_native()
    said = dict(
        native.filter("rater = 'person 1'").aggregate("value, count(*)", "value").fetchall()
    )
    assert said == {"yes": 20, "no": 20}


def test_a_declared_task_is_read_the_same(tmp_path: Path) -> None:
    path = written(
        tmp_path, *(f"i{n},{n % 4},{3 - n % 4},{'yes' if n % 2 else 'no'}" for n in range(24))
    )
    guessed, declared = goldassay.agree(path), goldassay.agree(path, task())
    assert [row.result for row in guessed.rows] == [row.result for row in declared.rows]
    assert declared.task["file"]["votes"] == VOTES


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["a,2.5,1,yes", "b,1,1,no"], "counts must be whole numbers"),
        (["a,200,1,yes", "b,1,1,no"], "from 1 to 100 votes"),
    ],
)
def test_what_counts_no_votes_is_refused(tmp_path: Path, rows: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        goldassay.check(written(tmp_path, *rows), task())


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "a,1,yes", header="id,yes_votes,gpt")
    with pytest.raises(InputError, match="no_votes"):
        goldassay.check(path, task())


def test_ones_and_noughts_are_no_counts(tmp_path: Path) -> None:
    path = written(tmp_path, *(f"i{n},{n % 2},{1 - n % 2},yes" for n in range(12)))
    assert "file" not in propose(path).task


def test_a_count_without_the_other_votes_is_asked_about(tmp_path: Path) -> None:
    rows = [f"i{n},5,{n % 6},{n % 2}" for n in range(12)]
    path = written(tmp_path, *rows, header="id,num_annotators,num_yes,model_pred")
    assert propose(path).questions[0].startswith("Does `num_yes` count people's votes")
