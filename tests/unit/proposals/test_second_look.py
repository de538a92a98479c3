"""What the data contradict of a reading is taken back, and asked about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import narwhals as nw
import pytest

from goldassay.proposals.declared import Declared
from goldassay.proposals.propose import drafted_task, guessed_ratings, propose
from goldassay.ratings.fetch import fetch
from goldassay.ratings.narrowing import narrowing_of
from goldassay.ratings.table import Ratings

_THREE = ("good", "fair", "bad")


def _file(folder: Path, head: str, rows: Sequence[Sequence[object]]) -> str:
    path = folder / "table.csv"
    lines = [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return str(path)


def _judged(n: int, said: Sequence[str]) -> str:
    """What a judge says that errs in every fifth item."""
    return said[(n + (n % 5 == 0)) % len(said)]


def test_names_of_people_beside_labels_are_no_labels(tmp_path: Path) -> None:
    rows = [(n, _THREE[n % 3], ("mk", "tj")[n % 2], _judged(n, _THREE)) for n in range(30)]
    path = _file(tmp_path, "id,label,annotator_a,adjudicated_label", rows)
    draft = propose(path)
    assert set(draft.task["options"]) == set(_THREE)
    assert any("`annotator_a`" in one and "not read" in one for one in draft.questions)


@pytest.mark.parametrize("word", ["unclear", "unknown"])
def test_a_word_for_no_rating_that_raters_share_is_an_option(tmp_path: Path, word: str) -> None:
    said = ("left", "right", word)
    rows = [(n, said[n % 3], _judged(n, said)) for n in range(45)]
    ratings, draft = guessed_ratings(_file(tmp_path, "id,human,judge", rows))
    assert word in draft.task["options"]
    assert "abstain" not in draft.task
    assert not ratings.not_rated()
    (answer,) = (one for one in draft.offered if "invalid" in one)
    again, other = guessed_ratings(str(tmp_path / "table.csv"), None, Declared.of(answer, "--task"))
    assert word not in other.task["options"]
    assert again.not_rated()


def test_a_word_for_no_rating_that_raters_do_not_share_is_none(tmp_path: Path) -> None:
    said = ("left", "right")
    rows = [
        (n, "unclear" if n % 9 == 0 else said[n % 2], "unclear" if n % 9 == 4 else said[n % 2])
        for n in range(45)
    ]
    draft = propose(_file(tmp_path, "id,human,judge", rows))
    assert draft.task["abstain"] == ["unclear"]


def test_not_applicable_is_no_third_grade_beside_yes_and_no(tmp_path: Path) -> None:
    said = ("yes", "no", "N/A")
    rows = [(n, said[n % 3], _judged(n, said)) for n in range(45)]
    draft = propose(_file(tmp_path, "id,human,judge", rows))
    assert (draft.task["scale"], draft.task["abstain"]) == ("binary", ["N/A"])


def test_a_property_of_the_item_is_no_rating_of_it(tmp_path: Path) -> None:
    rows = [
        (n, f"rev{k}", n % 3, (n + k * (n % 4 == 0)) % 3, (n + k * (n % 5 == 0)) % 3, n % 3)
        for n in range(30)
        for k in range(2)
    ]
    draft = propose(_file(tmp_path, "item,annotator_id,platform,respect,insult,status", rows))
    assert set(draft.task["cells"]) == {"respect", "insult"}
    (asked,) = (one for one in draft.questions if "`platform`" in one)
    assert "whoever rates it" in asked


def test_one_label_and_another_column_passed_over(tmp_path: Path) -> None:
    found = ("true_positive", "false_positive")
    rows = [
        (n, ("warning", "error")[n % 2], found[(n + k * (n % 4 == 0)) % 2], f"R{k}")
        for n in range(24)
        for k in range(2)
    ]
    draft = propose(_file(tmp_path, "finding_id,severity,disposition,reviewer", rows))
    assert draft.task["columns"]["value"] == "disposition"
    assert draft.task["positive"] == "true_positive"


def test_a_judge_who_repeats_a_person_is_none(tmp_path: Path) -> None:
    rows = [(n, _judged(n, _THREE), _THREE[n % 3], _THREE[n % 3]) for n in range(30)]
    ratings, draft = guessed_ratings(
        _file(tmp_path, "case_id,auto_label,human_label,analysis_label", rows)
    )
    assert ratings.judges == ("auto_label",)
    assert any("what `human_label` says" in one for one in draft.questions)


def test_what_else_was_measured_is_no_judge(tmp_path: Path) -> None:
    rows = [(f"case {n}", n % 5, n % 4, n % 3, n % 5 + 1, n % 5 + 1 + n % 2) for n in range(30)]
    ratings, draft = guessed_ratings(
        _file(tmp_path, "Incident,Egress,Detection,Intent,Rater_A,Rater_B", rows)
    )
    assert (ratings.judges, ratings.humans) == ((), ("Rater_A", "Rater_B"))
    assert any("`Egress`" in one for one in draft.questions)


def test_which_of_two_columns_is_the_judges_is_asked(tmp_path: Path) -> None:
    rows = [(n, n % 2, ("yes", "no")[n % 3 == 0], (n * 37) % 101) for n in range(60)]
    path = _file(tmp_path, "run_id,score_binarized,human_cheating,monitor_suspicion", rows)
    (open_,) = drafted_task(path).missing
    assert open_.question.startswith("Which column is a judge's, `score_binarized` or")
    for answer, judge in zip(open_.answers, ("score_binarized", "monitor_suspicion"), strict=True):
        assert not isinstance(answer, str)
        ratings, _ = guessed_ratings(path, None, Declared.of(answer, "--task"))
        assert ratings.judges == (judge,)


def test_rows_of_nobody_named_are_asked_about(tmp_path: Path) -> None:
    long = "A summary of the article in more words than a name would have"
    rows = [
        (f"{long} {n}", "lede", 1 + n % 5, 1 + (n + k) % 5) for n in range(12) for k in range(3)
    ]
    path = _file(tmp_path, "Summary,System,FluencyRating,CoherenceRating", rows)
    (open_,) = propose(path).missing
    assert "36 rows hold 12 different things" in open_.question


def test_what_is_declared_is_not_doubted(tmp_path: Path) -> None:
    rows = [(n, _judged(n, _THREE), _THREE[n % 3], _THREE[n % 3]) for n in range(30)]
    path = _file(tmp_path, "case_id,auto_label,human_label,analysis_label", rows)
    said = {"wide": {"judge": ["auto_label", "analysis_label"], "human": ["human_label"]}}
    ratings, _ = guessed_ratings(path, None, Declared.of(said, "--task"))
    assert ratings.judges == ("analysis_label", "auto_label")


def _said(ratings: Ratings) -> int:
    rows = ratings.frame.filter(~nw.col("value").is_null()).select(n=nw.len())
    return int(fetch(rows, place="")["n"][0])


def test_labels_that_are_there_only_where_they_differ_are_corrections(tmp_path: Path) -> None:
    turned = {"pass": "fail", "fail": "pass"}
    judged = [("pass", "fail")[n % 3 == 0] for n in range(60)]
    rows = [(n, one, turned[one] if n % 4 == 0 else "") for n, one in enumerate(judged)]
    path = _file(tmp_path, "id,llm_label,human_label", rows)
    draft = propose(path)
    assert "15 of 15 rows" in draft.missing[0].question
    taken = Declared.of(draft.missing[0].answers[0], "--task")  # type: ignore[arg-type]
    ratings, _ = guessed_ratings(path, None, taken)
    assert _said(ratings) == 120
    filled = "45 empty cells of `human_label` read as the label of `llm_label`"
    assert any(one.startswith(filled) for one in ratings.readings)
    some, _ = guessed_ratings(path, narrowing_of((), ["id=0"]), taken)
    assert any(one.startswith(filled) for one in some.readings)
    rows = [(n, one, turned[one] if n % 8 == 0 else one) for n, one in enumerate(judged)]
    rows = [(n, one, said if n % 2 == 0 else "") for n, one, said in rows]
    assert not propose(_file(tmp_path, "id,llm_label,human_label", rows)).missing


def test_marks_without_a_no_are_asked_about(tmp_path: Path) -> None:
    rows = [(n, "x" * (n % 3 == 0), "x" * (n % 4 == 0)) for n in range(48)]
    path = _file(tmp_path, "id,human_flag,model_flag", rows)
    draft = propose(path)
    assert draft.missing[0].question.startswith("Does an empty cell say no?")
    taken = Declared.of(draft.missing[0].answers[0], "--task")  # type: ignore[arg-type]
    ratings, again = guessed_ratings(path, None, taken)
    assert _said(ratings) == 96
    assert again.task["positive"] == "yes"


def test_whether_the_judge_is_right_is_no_verdict(tmp_path: Path) -> None:
    rows = [(n, ("pass", "fail")[n % 2], ("TRUE", "FALSE")[n % 5 == 0]) for n in range(40)]
    draft = propose(_file(tmp_path, "id,judge_verdict,judge_correct", rows))
    assert draft.missing[0].question.startswith("What did people say themselves?")
