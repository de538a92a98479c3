"""The plan's sentences carry the study's numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldassay.questions.plan.comparison import Goal
from goldassay.questions.plan.costs import Costs
from goldassay.questions.plan.precision import JudgeRates
from goldassay.questions.plan.study import (
    NextItems,
    PlanStudy,
    judge_to_plan_for,
    study_rates,
    study_ratings,
)
from goldassay.questions.plan.words import answer, notes, warnings
from goldassay.results import Sentence

from .conftest import pool_units

RATES = JudgeRates(0.2, 0.9, 0.7)


def by_key(study: PlanStudy) -> dict[str, Sentence]:
    first, more = answer(study), notes(study)
    assert 1 <= len(first) <= 3
    found = {one.key: one for one in (*first, *more)}
    assert len(found) == len(first) + len(more)  # about one judge, every key comes once
    json.dumps([one.to_json() for one in (*first, *more)], allow_nan=False)
    return found


def test_facts_are_the_results(planned: PlanStudy) -> None:
    said = by_key(planned)
    rows = {row.result.name: row.result for row in planned.rows()}
    for name in ("length_now", "labels_needed", "length_after"):
        assert said[f"plan.{name}"].facts["value"] == rows[name].value  # type: ignore[union-attr]
        assert said[f"plan.{name}"].about == {"judge": "j0"}
    needed = said["plan.labels_needed"]
    falls = dict(needed.facts["strata"])
    assert sum(falls.values()) == needed.facts["value"]
    assert needed.text == (
        f"Label {needed.facts['value']} more items, {falls['no']} called `no` and {falls['yes']} "
        "called `yes`: with 80 % assurance the 95 % interval of the true rate behind `j0` is then "
        "at most 8 points long."
    )
    plain = said["plan.length_now"].facts["labels_for_even_chance"]
    assert f"{plain} more give an even chance of 8 points" in said["plan.length_now"].text
    assert "plan.judge" not in said


def test_labels_drawn_at_random(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, calibration="random")
    said = by_key(study_ratings(counted, judge_to_plan_for(counted), Goal(0.08)))
    needed = said["plan.labels_needed"]
    assert needed.text.startswith(
        f"Label {needed.facts['value']} more items drawn at random: with 80 % assurance the "
    )
    assert needed.facts["strata"] is None
    assert said["plan.by_verdict"].facts["labels"] < needed.facts["value"]


def test_nothing_more_to_label(tmp_path: Path) -> None:
    counted = pool_units(tmp_path)
    said = by_key(study_ratings(counted, judge_to_plan_for(counted), Goal(0.5)))
    assert said["plan.labels_needed"].text.startswith(
        "No more labels are needed: with the 60 so far the 95 % interval of the true rate behind "
        "`j0` is "
    )
    assert "plan.length_now" not in said


def test_a_judge_that_was_chosen_is_said_to_be(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, judges=2)
    said = by_key(study_ratings(counted, judge_to_plan_for(counted), Goal(0.1)))["plan.judge"]
    highest = "which has the highest balanced accuracy of 2 judges so far"
    assert said.text == f"Planned for `j1`, {highest}."
    best = judge_to_plan_for(counted).best
    assert best is not None
    assert said.facts["value"] == best.value
    named = study_ratings(counted, judge_to_plan_for(counted, "j1"), Goal(0.1))
    assert "plan.judge" not in by_key(named)


def test_no_label_says_that_nobody_is_best_yet(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, judges=2, labelled=0)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.2))
    text = by_key(found)["plan.judge"].text
    assert text == (
        "Planned for `j0`, the first of 2 judges: labels do not tell yet which agrees best."
    )
    assert "No item is labelled yet" in warnings(found)[0]


def test_what_cannot_be_assured_is_said_with_a_way_out(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, calibration="random")
    said = by_key(study_ratings(counted, judge_to_plan_for(counted), Goal(0.01)))
    needed = said["plan.labels_needed"]
    assert needed.facts["value"] is None
    assert needed.facts["most"] == 540
    assert needed.text.startswith("No number of labels assures an interval of 1 point for `j0`")
    assert needed.text.endswith("Enlarge the pilot or the pool, or label by verdict.")


def test_all_items_labelled_leave_nothing_to_list(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, n=60)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.001, 10))
    said = by_key(found)
    assert said["plan.labels_needed"].facts["value"] is None
    assert "Every item is labelled, and" in said["plan.labels_needed"].text


def test_several_criteria_are_planned_in_all(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, criteria=("clear", "true"))
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.12))
    first = answer(found)[0]
    in_all = sum(plan.reach.labels for plan in found.pools if plan.reach is not None)
    assert first.facts["value"] == in_all
    assert first.text.startswith(f"Label {in_all} more items in all, over 2 criteria: ")


def test_the_items_to_label_next(planned: PlanStudy) -> None:
    some = NextItems(("item",), (("i1",), ("i2",)), 2)
    said = by_key(PlanStudy(planned.comparison, planned.pools, following=some))["plan.next"]
    assert said.text.startswith("2 items to label next are listed. ")
    assert said.text.endswith('calibration = "by_verdict".')
    fewer = NextItems(("item",), (("i1",),), 2)
    said = by_key(PlanStudy(planned.comparison, planned.pools, following=fewer))["plan.next"]
    assert said.text.startswith("1 item to label next is listed (there are no more). ")


def test_rates_alone() -> None:
    found = study_rates(RATES, Goal(0.1, 200), items=1000, against=(0.8, 0.7))
    said = by_key(found)
    best = found.comparison.plans[0]
    assert best.shares is not None
    assert said["plan.design"].text == (
        f"Label {best.labels} items, {best.shares[0]} called negative and {best.shares[1]} called "
        "positive: with 80 % assurance the 95 % interval of the true rate is then at most 10 "
        f"points long ({best.expected} would do on average)."
    )
    assert said["plan.design"].facts["labels"] == best.labels
    people = next(plan for plan in found.comparison.plans if plan.design.name == "people")
    assert said["plan.people"].text == f"People alone would need {people.labels} labels."
    assert said["plan.budget"].facts["design"] == "by_verdict"
    assert "power 80 %" in said["plan.told_apart"].text
    assert said["plan.costs"].facts == found.comparison.ratios.here


@pytest.mark.parametrize(
    ("verdict", "length", "key", "words"),
    [
        (0.5, 0.05, "plan.people", "The judge does not pay for itself here."),
        (0.01, 0.05, "plan.design", " judged items, for "),
        (0.0, 0.05, "plan.design", "get as many verdicts as you can"),
    ],
)
def test_prices_decide(verdict: float, length: float, key: str, words: str) -> None:
    found = study_rates(RATES, Goal(length, costs=Costs(1, verdict)))
    assert words in by_key(found)[key].text


def test_a_worthless_judge_is_warned_of() -> None:
    found = study_rates(JudgeRates(0.2, 0.4, 0.5), Goal(0.1))
    assert "carries no information" in warnings(found)[0]
    assert "cannot reach it" in by_key(found)["plan.costs"].text
    assert by_key(found)["plan.costs"].facts["by_label"] is None
