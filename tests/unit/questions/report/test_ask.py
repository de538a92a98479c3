"""A report holds as many differences of systems as a page can hold."""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from many_judges import many_judges

import goldassay as ga
from goldassay.counts import count_units
from goldassay.errors import ConflictError
from goldassay.questions.compare.ask import count_differences
from goldassay.questions.report import ask


def test_of_many_differences_those_of_the_best_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, task = many_judges("binary", 4)
    held = ga.compare(frame, task).rows_where(name="difference")
    assert len(held) == 12  # 4 judges, 3 pairs of 3 systems
    # The other questions have no say in it.
    few = {verb: ask.QUESTIONS[verb] for verb in ("agree", "compare")}
    monkeypatch.setattr(ask, "QUESTIONS", few)
    monkeypatch.setattr(ask, "MAX_DIFFERENCES", 12)
    whole = ga.report(frame, task, resamples=200)
    assert len(whole.rows_where(name="difference", verb="compare")) == 12
    monkeypatch.setattr(ask, "MAX_DIFFERENCES", 11)
    less = ga.report(frame, task, resamples=200)
    agreed = ga.agree(frame, task, resamples=200).summary
    assert agreed is not None
    first = agreed.lines[0].label
    shown = less.rows_where(name="difference", verb="compare")
    assert [row.result for row in shown] == [
        row.result for row in held if row.about["judge"] == first
    ]
    (part,) = [part for part in less.more["parts"] if part["verb"] == "compare"]
    alone = ga.compare(frame, task, judge=[first])
    assert part["answer"] == [one.text for one in alone.answer]
    assert part["command"].endswith(f"--judge '{first}'")
    (said,) = [one for one in part["sentences"] if one["key"] == "report.differences"]
    assert said["facts"] == {"n_judges": 4, "n_differences": 12}
    assert "By 4 judges there are 12 differences" in said["text"]


def test_of_estimates_differences_those_of_the_best_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, task = many_judges("binary", 4)
    few = {verb: ask.QUESTIONS[verb] for verb in ("agree", "estimate")}
    monkeypatch.setattr(ask, "QUESTIONS", few)
    monkeypatch.setattr(ask, "MAX_DIFFERENCES", 12)
    whole = ga.report(frame, task, resamples=200)
    assert len(whole.rows_where(name="prevalence_difference")) == 12
    monkeypatch.setattr(ask, "MAX_DIFFERENCES", 11)
    less = ga.report(frame, task, resamples=200)
    agreed = ga.agree(frame, task, resamples=200).summary
    assert agreed is not None
    first = agreed.lines[0].label
    kept = [
        row
        for row in whole.rows
        if row.result.name != "prevalence_difference" or row.about["judge"] == first
    ]
    assert list(less.rows) == kept
    tables, every = (
        next(part["tables"] for part in one.more["parts"] if part["verb"] == "estimate")
        for one in (less, whole)
    )
    assert [name for name in tables if name.startswith("differences")] == [f"differences {first}"]
    assert tables.items() <= every.items()
    assert len(every) - len(tables) == 3


@pytest.mark.parametrize("scale", ["binary", "pairwise", "continuous"])
def test_differences_are_counted_as_compare_makes_them(scale: str) -> None:
    frame, task = many_judges(scale, 4)
    made = ga.compare(frame, task).rows_where(name="difference")
    by_judge = Counter(str(row.about["judge"]) for row in made)
    assert count_differences(ga.read_ratings(frame, ga.Task.from_mapping(task))) == by_judge


def test_units_are_counted_once_however_often_they_are_asked_for() -> None:
    frame, task = many_judges("binary", 2)
    ratings = ga.read_ratings(frame, ga.Task.from_mapping(task))
    units = count_units(ratings)
    assert count_units(ratings) is units
    assert count_units(ratings, by=["item"]) is not units
    assert count_units(replace(ratings, name="another")) is not units


def test_no_question_leaves_what_holds_itself() -> None:
    """It would be freed when Python looks for such things, which may be after the next question."""
    frame, task = many_judges("binary", 2)
    ga.report(frame, task, resamples=60)  # what is made once for all reports is no matter
    gc.collect()
    gc.disable()
    try:
        ga.report(frame, task, resamples=60)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = {type(one) for one in gc.garbage if type(one).__module__.startswith("goldassay")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left


def test_a_table_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "ratings.csv"
    rows = ["1,a,human,yes", "1,a,human,no", "1,j,judge,yes", "2,a,human,no", "2,j,judge,no"]
    table.write_text("\n".join(["item,rater,kind,value", *rows]) + "\n")
    with pytest.raises(ConflictError, match="must rate a unit once for each sample; found 1"):
        ga.report(table)
