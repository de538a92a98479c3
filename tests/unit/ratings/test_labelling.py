"""Labels as people write them: matched and counted, or refused all at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from goldassay.errors import RatingsError, TaskError
from goldassay.proposals.propose import guessed_ratings
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task

BINARY = {"scale": "binary", "options": ["Yes", "No"], "positive": "Yes"}


def read(folder: Path, pairs: list[tuple[str, str]], **task: Any) -> Ratings:
    """A table of (people's, judge's) labels under a task."""
    path = folder / "t.csv"
    lines = [f'{n},"{h}","{j}"' for n, (h, j) in enumerate(pairs)]
    path.write_text("id,human,judge\n" + "\n".join(lines) + "\n", encoding="utf-8")
    wide = {"human": ["human"], "judge": ["judge"]}
    declared = {**BINARY, "columns": {"item": "id"}, "wide": wide, **task}
    return read_ratings(str(path), Task.from_mapping(declared))


def test_space_case_and_unicode_form_are_matched_and_said(tmp_path: Path) -> None:
    ratings = read(tmp_path, [("Yes", "yes "), ("No", "NO"), ("Yes", "Ｙｅｓ")])
    assert ratings.census.total(kind="judge", status="rated") == 3
    (said,) = ratings.readings
    assert said.startswith("3 labels written otherwise")
    assert "'yes '" in said


def test_a_number_in_another_form_is_said_to_be_that(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,human,judge\n1,4,4.0\n2,3,3.0\n3,4,3\n")
    wide = {"human": ["human"], "judge": ["judge"]}
    declared = {"scale": "ordinal", "options": ["3", "4"], "columns": {"item": "id"}, "wide": wide}
    ratings = read_ratings(str(path), Task.from_mapping(declared))
    assert ratings.readings == (
        "2 labels written otherwise (the same number in another form): "
        "'3.0' as `3` and '4.0' as `4`.",
    )


def test_aliases(tmp_path: Path) -> None:
    ratings = read(tmp_path, [("Yes", "1"), ("No", "0")], labels={"1": "Yes", "0": "No"})
    assert ratings.census.total(kind="judge", status="rated") == 2
    assert ratings.readings == (
        "2 labels read as another ([labels]): '0' as `No` and '1' as `Yes`.",
    )


def test_every_undeclared_label_is_listed_with_its_rows(tmp_path: Path) -> None:
    labels = [("Yes", "perhaps"), ("No", "perhaps"), ("Yes", "never"), ("No", "Yes")]
    with pytest.raises(RatingsError) as raised:
        read(tmp_path, labels)
    assert "'perhaps' in 2 rows, 'never' in 1 row" in str(raised.value)
    assert "must be one of the declared labels Yes, No" in str(raised.value)


def test_undeclared_labels_may_be_invalid(tmp_path: Path) -> None:
    ratings = read(tmp_path, [("Yes", "perhaps"), ("No", "No")], undeclared="invalid")
    assert ratings.census.total(kind="judge", status="invalid") == 1
    assert "taken as invalid" in ratings.readings[0]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Yes, the candidate says so.", "Yes"),
        ("**No.** It does not.", "No"),
        ("It is close. Final verdict: No, since it lacks a source", "No"),
        ("I looked at it. [[Yes]]", "Yes"),
    ],
)
def test_a_sentence_names_its_verdict(tmp_path: Path, text: str, meant: str) -> None:
    other = "No" if meant == "Yes" else "Yes"
    ratings = read(tmp_path, [(meant, text), (other, other)], reads="verdict")
    rows = ratings.frame.to_native().filter("kind = 'judge'").order("item").fetchall()
    names = ratings.frame.collect_schema().names()
    assert [dict(zip(names, row, strict=True))["value"] for row in rows] == [meant, other]


def test_two_verdicts_are_none(tmp_path: Path) -> None:
    text = "Verdict: Yes. On reflection, verdict: No"
    with pytest.raises(RatingsError, match="must be one of the declared labels"):
        read(tmp_path, [("Yes", text), ("No", "No")], reads="verdict")


def test_a_pattern(tmp_path: Path) -> None:
    ratings = read(tmp_path, [("Yes", "a=Yes;"), ("No", "a=No;")], reads="a=(\\w+);")
    assert ratings.census.total(kind="judge", status="rated") == 2


def test_people_and_judges_who_share_no_label_are_refused(tmp_path: Path) -> None:
    task = {"scale": "nominal", "options": ["a", "b", "x", "y"], "positive": None}
    with pytest.raises(RatingsError, match="people and judges must share labels"):
        read(tmp_path, [("a", "x"), ("b", "y")], **task)


def test_a_cut_makes_ordinal_ratings_binary(tmp_path: Path) -> None:
    task = {"scale": "ordinal", "options": ["1", "2", "3"], "positive": None, "cut": ">= 2"}
    ratings = read(tmp_path, [("1", "2"), ("3", "3"), ("2", "1")], **task)
    assert ratings.task.options == (">= 2", "< 2")
    assert ratings.task.positive == ">= 2"
    assert "is counted" in ratings.readings[0]
    assert ratings.declared is not None
    assert ratings.declared.scale == "ordinal"


def test_a_cut_of_numbers_keeps_them_as_scores(tmp_path: Path) -> None:
    task = {"scale": "continuous", "options": [], "positive": None, "cut": "> 0.5"}
    ratings = read(tmp_path, [("0.9", "0.5"), ("0.1", "0.51")], **task)
    names = ratings.frame.collect_schema().names()
    rows = [dict(zip(names, row, strict=True)) for row in ratings.frame.to_native().fetchall()]
    judged = {row["item"]: (row["value"], row["score"]) for row in rows if row["kind"] == "judge"}
    assert judged == {"0": ("<= 0.5", 0.5), "1": ("> 0.5", 0.51)}


def test_several_positive_options(tmp_path: Path) -> None:
    task = {"scale": "ordinal", "options": ["1", "2", "3", "4"], "positive": ["3", "4"]}
    ratings = read(tmp_path, [("1", "3"), ("4", "4"), ("2", "2")], **task)
    assert ratings.task.options == ("3 or 4", "1 or 2")
    assert ratings.declared is not None
    assert ratings.declared.to_json()["positive"] == ["3", "4"]
    assert Task.from_mapping(ratings.declared.to_json()) == ratings.declared


@pytest.mark.parametrize(
    ("task", "rule"),
    [
        ({"cut": "about 3"}, "must be a comparison"),
        ({"scale": "ordinal", "positive": None, "cut": ">= 3"}, "options that are numbers"),
        ({"labels": {"ja": "Ja"}}, "must be one of the declared labels"),
        ({"undeclared": "drop"}, "must be one of error, invalid"),
        ({"options": [1, 2]}, 'Write "1"'),
        ({"positive": ["Yes", "Maybe"]}, "must be one option on a binary scale"),
    ],
)
def test_declarations_that_say_nothing(tmp_path: Path, task: dict[str, Any], rule: str) -> None:
    with pytest.raises(TaskError, match=rule):
        read(tmp_path, [("Yes", "No")], **task)


def test_a_reference_is_no_person(tmp_path: Path) -> None:
    wide = {"reference": ["human"], "judge": ["judge"]}
    ratings = read(tmp_path, [("Yes", "Yes"), ("No", "Yes")], wide=wide)
    assert ratings.humans == ("human",)
    assert "not an independent person" in ratings.readings[0]
    declared = read(
        tmp_path, [("Yes", "Yes")], wide=wide, references={"human": "adjudicated"}
    ).readings
    assert "(adjudicated)" in declared[0]


def test_a_reference_beside_people_is_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,human,gold,judge\n1,Yes,No,Yes\n2,No,No,Yes\n")
    wide = {"human": ["human"], "reference": ["gold"], "judge": ["judge"]}
    task = Task.from_mapping({**BINARY, "columns": {"item": "id"}, "wide": wide})
    ratings = read_ratings(str(path), task)
    assert ratings.humans == ("human",)
    assert [(e.reason, e.rows) for e in ratings.exclusions] == [
        ("of a reference, kept apart from people", 2)
    ]
    assert ratings.census.rows == 6


def test_a_judge_in_another_case_on_three_options(tmp_path: Path) -> None:
    """A label that only the judge uses does not hide that the others are people's in capitals."""
    rows = [("red", "Red"), ("blue", "Blue"), ("red", "Green"), ("blue", "Blue"), ("blue", "Red")]
    file = tmp_path / "colours.csv"
    lines = [f"{k},{one},{two}" for k, (one, two) in enumerate(rows * 3)]
    file.write_text("\n".join(["id,human,judge", *lines]) + "\n", encoding="utf-8")
    ratings, _ = guessed_ratings(str(file))
    assert (ratings.judges, ratings.humans) == (("judge",), ("human",))
