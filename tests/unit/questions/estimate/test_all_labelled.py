"""Where people labelled every item their rates and means stand once, whoever judged."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.questions.estimate.all_labelled import furthest_of_each_judge
from goldassay.questions.estimate.scores import JudgeMean, MeansStudy, people_means
from goldassay.questions.estimate.subject import Subject
from goldassay.results import Estimate, Interval

SCORES = {"scale": "continuous"}


def scored(
    *, labelled: int = 20, only_people: bool = False, third: bool = False
) -> list[dict[str, Any]]:
    """Two systems by two judges, the first `labelled` items of each scored by a person."""
    rows: list[dict[str, Any]] = []
    for system, good in (("ash", 5.0), ("elm", 3.0)):
        for n in range(20):
            about = {"item": f"i{n}", "system": system}
            wobble = (n % 5) / 10
            for judge, off in (("kind", 1.0 if system == "elm" else 0.0), ("plain", 0.1)):
                if not (only_people and n == 0):
                    value = good + off + wobble
                    rows.append({**about, "rater": judge, "kind": "judge", "value": value})
            if n < labelled:
                rows.append({**about, "rater": "ann", "kind": "human", "value": good - wobble})
    if third:  # a system that nobody labelled
        rows += [
            {"item": f"i{n}", "system": "oak", "rater": "plain", "kind": "judge", "value": n / 7}
            for n in range(20)
        ]
    return rows


def said(found: ga.Findings) -> dict[str, list[str]]:
    out: dict[str, list[str]] = {}
    for one in (*found.answer, *found.notes):
        out.setdefault(one.key, []).append(one.text)
    return out


def test_a_mean_stands_once_for_each_system() -> None:
    found = ga.estimate(pl.DataFrame(scored()), SCORES)
    texts = said(found)
    (first,) = texts["estimate.all_labelled"]
    assert first.startswith(
        "All items are labelled: the mean scores of the 2 systems are people's, from 4.80"
    )
    assert found.answer[0].facts["means"] == {"ash": pytest.approx(4.8), "elm": pytest.approx(2.8)}
    # Of each judge the system on which it is furthest off, the furthest judge first.
    one, two = texts["estimate.mean_score"]
    assert one.startswith("`kind` is furthest off on `elm`: it scores 4.20 on average")
    assert two.startswith("`plain` is furthest off on `")
    assert not found.warnings  # how labels were drawn is no question
    summary = found.summary
    assert summary is not None
    assert [line.label for line in summary.lines] == ["ash", "elm"]
    assert summary.lines[1].cells[1] == "kind"
    assert [table.rows for name, table in found.tables.items() if name == "people's means"]
    assert len(found.tables["people's means"].rows) == 2
    own = [row for row in found.rows if row.result.name == "mean_score_naive"]
    assert len(own) == 4  # the judges' means are results
    means = [row for row in found.rows if row.result.name == "mean_score"]
    assert [row.about for row in means] == [{"system": "ash"}, {"system": "elm"}]  # no judge's
    assert "means" not in found.tables


def test_a_system_without_labels_is_said_to_be_left_out() -> None:
    found = ga.estimate(pl.DataFrame(scored(third=True)), SCORES)
    assert found.answer[0].text.startswith("All items of 2 of 3 systems are labelled: ")


def test_a_mean_that_is_corrected_has_a_sentence_for_each_judge() -> None:
    found = ga.estimate(pl.DataFrame(scored(labelled=12)), SCORES)
    assert "estimate.all_labelled" not in said(found)
    assert len(said(found)["estimate.mean_score"]) == 4
    assert list(found.tables) == ["means"]
    assert "declared: nothing" in found.warnings[0]


def test_items_that_people_alone_scored_are_behind_their_mean() -> None:
    """A judge of 19 of the 20 items that people scored does not change people's mean of all."""
    rows = scored(only_people=True)
    found = ga.estimate(pl.DataFrame(rows), SCORES)
    people = [float(r["value"]) for r in rows if r["kind"] == "human" and r["system"] == "ash"]
    told = found.answer[0]
    assert told.key == "estimate.all_labelled"
    assert told.facts["means"]["ash"] == pytest.approx(sum(people) / len(people))
    own = [one for one in said(found)["estimate.mean_score"] if "that it scores" in one]
    assert all("19 that it scores" in one and "(20 labels)" in one for one in own)


def test_the_furthest_is_of_the_distance_to_people() -> None:
    def mean(value: float) -> Estimate:
        return Estimate("mean_score", value, Interval(value - 1, value + 1, 0.95, "m"), 9)

    def judge(system: str, people: float, own: float) -> JudgeMean:
        judged = Estimate("mean_score_naive", own)
        return JudgeMean(Subject("j", None, system), mean(people), judged, 9, None, 9)

    study = MeansStudy(None, (judge("a", 5.0, 5.5), judge("b", 9.0, 7.9), judge("c", 2.0, 3.0)))
    (furthest,) = furthest_of_each_judge(people_means(study))
    assert furthest.subject.system == "b"


def test_rates_of_several_criteria_stand_once() -> None:
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    rows = []
    for criterion, every in (("clear", 2), ("true", 4)):
        for n in range(40):
            about = {"item": f"i{n}", "criterion": criterion}
            people = "yes" if n % every == 0 else "no"
            rows.append({**about, "rater": "ann", "kind": "human", "value": people})
            for judge, other in (("j", 3), ("k", 5)):
                value = "yes" if n % other == 0 else "no"
                rows.append({**about, "rater": judge, "kind": "judge", "value": value})
    found = ga.estimate(pl.DataFrame(rows), task)
    (only,) = found.answer
    assert only.facts["rates"] == {"clear": 0.5, "true": 0.25}
    assert "50 % [" in only.text
    assert only.text.startswith("All decisions are labelled: the rate of `yes` is people's, 50 %")
    assert found.summary is not None
    assert [line.label for line in found.summary.lines] == [
        "people · clear",
        "j · clear",
        "k · clear",
        "people · true",
        "k · true",  # 20 % where people have 25 %; j has 35 %
        "j · true",
    ]


def with_blanks(scale: str) -> list[dict[str, Any]]:
    """Two systems, all items labelled; one judge is silent on six good ones of the first."""
    rows: list[dict[str, Any]] = []
    for system, good in (("ash", 18), ("elm", 10)):
        for n in range(30):
            about = {"item": f"{system}{n}", "prompt": f"p{n}", "system": system}
            value = str(int(n < good)) if scale == "binary" else str((30 - n) / 10 + good)
            for judge in ("silent", "plain"):
                blank = judge == "silent" and system == "ash" and n < 6
                own = "" if blank else value
                rows.append({**about, "rater": judge, "kind": "judge", "value": own})
            rows.append({**about, "rater": "ann", "kind": "human", "value": value})
    return rows


@pytest.mark.parametrize("scale", ["binary", "continuous"])
def test_blanks_of_a_judge_leave_peoples_rates_of_systems_alone(scale: str) -> None:
    """Whatever a judge is silent on: people's rate of a system is that of all its items."""
    task = {"scale": scale, "invalid": [""], "cluster": "prompt", "calibration": "random"}
    if scale == "binary":
        task |= {"options": ["1", "0"], "positive": "1"}
    rows = with_blanks(scale)
    ash = [float(r["value"]) for r in rows if r["kind"] == "human" and r["system"] == "ash"]
    elm = [float(r["value"]) for r in rows if r["kind"] == "human" and r["system"] == "elm"]
    means = sum(ash) / 30, sum(elm) / 30
    name = "prevalence" if scale == "binary" else "mean_score"
    frame = pl.DataFrame(rows)
    for judge in ("silent", "plain"):
        compared = ga.compare(frame, task, judge=[judge])
        (gap,) = [row.result for row in compared.rows if row.result.name == "difference"]
        assert isinstance(gap, Estimate)
        assert abs(gap.value) == pytest.approx(means[0] - means[1])
        own = [row for row in compared.rows if row.result.name == name]
        assert sorted(row.result.value for row in own) == pytest.approx(sorted(means))
        assert "labels alone" not in " ".join(one.text for one in compared.answer)
    found = ga.estimate(frame, task)
    rates = [row for row in found.rows if row.result.name == name and row.about.get("system")]
    for row in rates:
        assert row.result.value == pytest.approx(means[row.about["system"] == "elm"])
        assert row.result.n_items == 30
    silent = [
        row.result
        for row in found.rows
        if row.result.name == f"{name}_naive"
        and (row.about.get("judge"), row.about.get("system")) == ("silent", "ash")
    ]
    assert [one.n_items for one in silent] == [24]  # its own is of what it decides


def test_a_few_labels_of_each_system_are_its_own_where_all_are_labelled() -> None:
    """Fewer labels than a correction takes from others: there is nothing to correct."""
    rows = [row for row in with_blanks("binary") if int(row["item"][3:]) % 3 == 0]
    task = {"scale": "binary", "options": ["1", "0"], "positive": "1", "invalid": [""]}
    found = ga.estimate(pl.DataFrame(rows), task)
    rates = {
        row.about["system"]: row.result
        for row in found.rows
        if row.result.name == "prevalence" and row.about.get("system")
    }
    assert rates["ash"].value == pytest.approx(0.6)
    assert rates["elm"].value == pytest.approx(0.4)


def test_shared_labels_are_no_part_of_a_judges_own_rate() -> None:
    """Labels of all systems correct each, and what the judge says of one is of its items alone."""
    rows = [row for row in with_blanks("binary") if row["rater"] == "plain"]
    rows += [
        {**row, "rater": "ann", "kind": "human"} for row in rows if int(row["item"][3:]) in (3, 29)
    ]
    task = {"scale": "binary", "options": ["1", "0"], "positive": "1", "calibration": "random"}
    found = ga.estimate(pl.DataFrame(rows), task)
    own = {
        row.about["system"]: row.result.value
        for row in found.rows
        if row.result.name == "prevalence_naive" and row.about.get("system")
    }
    assert own == {"ash": pytest.approx(18 / 30), "elm": pytest.approx(10 / 30)}
