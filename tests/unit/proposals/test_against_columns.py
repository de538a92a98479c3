"""Columns that hold no ratings are told by what they hold beside the ratings, and asked about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from goldassay.proposals.propose import guessed_ratings, propose


def _file(folder: Path, head: str, rows: Sequence[Sequence[object]], name: str = "table") -> str:
    path = folder / f"{name}.csv"
    lines = [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return str(path)


def _yes(n: int) -> str:
    return "yes" if n % 3 else "no"


@pytest.mark.parametrize("settings", [("on", "off"), ("on", "off", "half")])
def test_what_rows_are_crossed_by_is_no_rating(tmp_path: Path, settings: Sequence[str]) -> None:
    rows = [(f"q{n}", s, _yes(n + k)) for k, s in enumerate(settings) for n in range(12)]
    ratings, draft = guessed_ratings(_file(tmp_path, "query,state,solved", rows, "judge_runs"))
    assert draft.task["columns"]["value"] == "solved"
    assert len(ratings.judges) == 1


def test_two_columns_may_cross_it(tmp_path: Path) -> None:
    rows = [
        (m, s, t, (n + t) % 4)
        for n, m in enumerate(("kestrel", "merlin", "osprey"))
        for s in (1, 2)
        for t in (3, 6, 9, 12)
    ]
    draft = propose(_file(tmp_path, "model,story,turn_no,stance_score", rows))
    assert draft.task["columns"]["value"] == "stance_score"
    assert any(one.startswith("Does `story` hold ratings? Every") for one in draft.questions)


def test_a_column_that_is_called_a_rating_is_read_however_it_lies(tmp_path: Path) -> None:
    rows = [(f"q{n}", k, label, _yes(n + k)) for n in range(12) for k, label in enumerate("ab")]
    draft = propose(_file(tmp_path, "question,n,true_label,predicted_label", rows))
    assert not any("`true_label`" in one and "not read" in one for one in draft.questions)


def test_questions_of_one_judge_in_other_words_are_no_other_judges(tmp_path: Path) -> None:
    rows = [(n, ("left", "right", "far")[n % 3], ("calm", "angry")[n % 2]) for n in range(30)]
    ratings, draft = guessed_ratings(_file(tmp_path, "id,label_llm,mood_llm", rows))
    assert len(ratings.judges) == 1
    assert not ratings.humans
    assert any("`mood_llm`" in one for one in draft.questions)


def test_marks_beside_judges_are_no_people(tmp_path: Path) -> None:
    rows = [(n, ("left", "right", "far")[n % 3], n % 7 == 0) for n in range(30)]
    ratings, draft = guessed_ratings(_file(tmp_path, "id,label_llm,doubtful", rows))
    assert not ratings.humans
    assert any("`doubtful`" in one and "not read" in one for one in draft.questions)


def test_labels_that_mean_yes_and_no_are_compared(tmp_path: Path) -> None:
    rows = [(n, ("pass", "fail")[n % 2], n % 3 % 2) for n in range(30)]
    ratings, _ = guessed_ratings(_file(tmp_path, "id,human,judge", rows))
    assert (len(ratings.judges), len(ratings.humans)) == (1, 1)


@pytest.mark.parametrize(("again", "raters"), [(False, 0), (True, 3)])
def test_users_with_one_row_each_rated_nothing(tmp_path: Path, again: bool, raters: int) -> None:
    rows = [(f"r{n}", f"u{n % 3 if again else n}", _yes(n)) for n in range(30)]
    draft = propose(_file(tmp_path, "review_id,user_id,label", rows))
    assert ("rater" in draft.task["columns"]) == bool(raters)


def test_marks_are_not_taken_where_a_column_is_called_a_rating(tmp_path: Path) -> None:
    rows = [
        (n, ("clear", "vague", "none")[n % 3], n % 4 == 0, n % 5 == 0, "gpt-4o") for n in range(30)
    ]
    draft = propose(_file(tmp_path, "id,clarity,forwarded,doubtful,labeller", rows))
    assert draft.missing[0].question.startswith("Which column holds the ratings? `clarity`")
    assert draft.missing[0].answers[0] == {"columns": {"value": "clarity"}}


@pytest.mark.parametrize(("groups", "taken"), [(2, False), (3, False), (4, True), (6, True)])
def test_few_groups_are_no_clusters(tmp_path: Path, groups: int, taken: bool) -> None:
    rows = [(f"i{n}", f"d{n % groups}", _yes(n), _yes(n + (n % 5 == 0))) for n in range(24)]
    draft = propose(_file(tmp_path, "id,doc,human,judge", rows))
    assert draft.task["cluster"] == ("doc" if taken else "item")
    asked = any(one.startswith("Do ratings of one `doc` depend") for one in draft.questions)
    assert asked != taken


def test_people_who_write_a_number_with_its_meaning_are_people(tmp_path: Path) -> None:
    said = ("0 (calm)", "1 (cross)", "2 (rude)")
    rows = [(f"t{n}", said[n % 3], said[(n + n % 4 // 3) % 3], n % 3) for n in range(24)]
    ratings, _ = guessed_ratings(_file(tmp_path, "text,Lena_HS,Omar_HS,GPT_HS", rows))
    assert (len(ratings.judges), len(ratings.humans)) == (1, 2)
