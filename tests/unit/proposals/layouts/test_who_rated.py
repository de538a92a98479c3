"""Who rated: by names in a record, by a column of names, and who was rated instead."""

from __future__ import annotations

import json
from pathlib import Path

from goldassay.proposals.propose import guessed_ratings


def test_a_record_names_who_gave_its_label(tmp_path: Path) -> None:
    """The record as a whole is a column too, and names nobody."""
    rows = [
        {
            "id": f"a{n}",
            "human": {"label": ("safe", "unsafe")[n % 2]},
            "judge": {"model": "gpt-4o", "label": ("safe", "unsafe")[n % 3 == 0], "why": "so"},
        }
        for n in range(24)
    ]
    path = tmp_path / "evals.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert ratings.judges == ("gpt-4o",)
    assert len(ratings.humans) == 1
    assert draft.task["columns"]["rater"] == "judge.model"


def test_respondents_rate_and_students_are_graded(tmp_path: Path) -> None:
    answers = ("Disagree", "Neutral", "Agree")
    rows = [f"{who},{n},{answers[n % 3]}" for n in range(12) for who in ("r1", "r2", "gpt-4")]
    survey = tmp_path / "survey.csv"
    survey.write_text("\n".join(("respondent,item,response", *rows)) + "\n")
    assert guessed_ratings(str(survey))[1].task["columns"]["rater"] == "respondent"

    rows = [f"s{n},q{k},{n * 5 % 100}%,{n * k * 5 % 100}%" for n in range(12) for k in (1, 2)]
    exam = tmp_path / "exam.csv"
    exam.write_text("\n".join(("student,exam_question,ta_grade,ai_grade", *rows)) + "\n")
    ratings, draft = guessed_ratings(str(exam))
    assert (len(ratings.judges), len(ratings.humans)) == (1, 1)
    assert "rater" not in draft.task.get("columns", {})


def test_a_column_of_kinds_tells_which_column_names_raters(tmp_path: Path) -> None:
    """Neither name says anything; what `role` says is one thing for everyone in `who`."""
    rows = [
        f"d{n},{who},{role},{'yes' if (n + place) % 3 else 'no'}"
        for n in range(12)
        for place, (who, role) in enumerate(
            [("ana", "annotator"), ("bo", "annotator"), ("gpt-5", "model")]
        )
    ]
    path = tmp_path / "roles.csv"
    path.write_text("\n".join(["doc,who,role,is_safe", *rows]) + "\n")
    ratings, draft = guessed_ratings(str(path))
    assert ratings.judges == ("gpt-5",)
    assert ratings.humans == ("ana", "bo")
    assert draft.task["columns"] == {"rater": "who", "value": "is_safe", "item": "doc"}


def _labels(path: Path, header: str, columns: int) -> Path:
    rows = [
        ",".join(
            [f"post {n}", *("hate" if (n * 7 + c) % 5 < 2 else "none" for c in range(columns))]
        )
        for n in range(20)
    ]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_whoever_is_called_otherwise_than_numbered_people_stands_with_the_judges(
    tmp_path: Path,
) -> None:
    table = _labels(tmp_path / "posts.csv", "post,ann1,ann2,ann3,baseline,llama", 5)
    ratings, draft = guessed_ratings(str(table))
    assert ratings.humans == ("ann1", "ann2", "ann3")
    assert ratings.judges == ("baseline", "llama")
    assert "`baseline` is a judge: people are numbered" in draft.assumed
    assert ratings.task.positive == "hate"


def test_a_name_among_names_of_people_is_a_persons(tmp_path: Path) -> None:
    ratings, _ = guessed_ratings(
        str(_labels(tmp_path / "posts.csv", "post,annotator_kim,annotator_lee,park,llama", 4))
    )
    assert "park" in ratings.humans


def test_numbers_with_decimals_are_nobodys_names(tmp_path: Path) -> None:
    """`judge_model` holds what a judge says here."""
    lines = [
        f"q{n},{n * 37 % 101 / 101:.2f},{n * 41 % 101 / 101:.2f},{n * 53 % 101 / 101:.2f}"
        for n in range(20)
    ]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["id,human_rater,qwen,judge_model", *lines]) + "\n")
    ratings, _ = guessed_ratings(str(path))
    assert (ratings.humans, ratings.judges) == (("human_rater",), ("judge_model", "qwen"))
