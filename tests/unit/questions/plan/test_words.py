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
from goldassay.questions.plan.words import sentences, warnings
from goldassay.results import Sentence

from .conftest import pool_units

RATES = JudgeRates(0.2, 0.9, 0.7)


def by_key(study: PlanStudy) -> dict[str, Sentence]:
    said = sentences(study)
    found = {one.key: one for one in said}
    assert len(found) == len(said)  # a plan is about one judge: every key comes once
    json.dumps([one.to_json() for one in said], allow_nan=False)
    return found


def test_facts_are_the_results(planned: PlanStudy) -> None:
    said = by_key(planned)
    rows = {row.result.name: row.result for row in planned.rows()}
    for name in ("length_now", "labels_needed", "length_after"):
        assert said[f"plan.{name}"].facts["value"] == rows[name].value  # type: ignore[union-attr]
        assert said[f"plan.{name}"].about == {"judge": "j0"}
    needed = said["plan.labels_needed"]
    assert sum(count for _, count in needed.facts["strata"]) == needed.facts["value"]
    assert needed.text.startswith(f"{needed.facts['value']} more labels bring it to 0.08: ")
    assert "plan.judge" not in said


def test_a_judge_that_was_chosen_is_said_to_be(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, judges=2)
    said = by_key(study_ratings(counted, judge_to_plan_for(counted), Goal(0.1)))["plan.judge"]
    assert said.text == "Planned for j1, the judge that agrees best so far."
    assert said.facts["value"] == judge_to_plan_for(counted).balanced_accuracy
    named = study_ratings(counted, judge_to_plan_for(counted, "j1"), Goal(0.1))
    assert "plan.judge" not in by_key(named)


def test_no_label_says_that_nobody_is_best_yet(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, judges=2, labelled=0)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.1))
    text = by_key(found)["plan.judge"].text
    assert text == "Planned for j0, the first of 2 judges: no label tells yet which agrees best."
    assert "No item is labelled yet" in warnings(found)[0]


def test_all_items_labelled_leave_nothing_to_list(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, n=60)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.001, 10))
    said = by_key(found)
    assert said["plan.labels_needed"].facts["value"] is None
    assert "out of reach" in said["plan.labels_needed"].text
    assert said["plan.length_after"].text.endswith(" long.")


def test_the_items_to_label_next(planned: PlanStudy) -> None:
    some = NextItems(("item",), (("i1",), ("i2",)), 2)
    said = by_key(PlanStudy(planned.comparison, planned.pool, following=some))["plan.next"]
    assert said.text.startswith("2 items to label next are listed. ")
    fewer = NextItems(("item",), (("i1",),), 2)
    said = by_key(PlanStudy(planned.comparison, planned.pool, following=fewer))["plan.next"]
    assert "(there are no more)" in said.text


def test_rates_alone() -> None:
    found = study_rates(RATES, Goal(0.1, 200), items=1000, against=(0.8, 0.7))
    said = by_key(found)
    assert said["plan.design"].text == (
        "For a 95% interval no longer than 0.1, label some of each verdict: 168 labels (63 on "
        "items called negative, 105 called positive)."
    )
    best = found.comparison.plans[0]
    assert said["plan.design"].facts["labels"] == best.labels
    assert said["plan.people"].text == "People alone would need 245 labels."
    assert said["plan.budget"].facts["design"] == "by_verdict"
    assert "power 80 %" in said["plan.told_apart"].text
    assert said["plan.costs"].facts == found.comparison.ratios.here


@pytest.mark.parametrize(
    ("verdict", "length", "key", "words"),
    [
        (0.5, 0.05, "plan.people", "The judge does not pay for itself here."),
        (0.01, 0.05, "plan.design", " judged items, for "),
        (0.0, 0.05, "plan.design", "as many verdicts as you can get."),
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


@pytest.mark.parametrize("design", ["separate", "by_label"])
def test_another_declared_design_is_a_warning(tmp_path: Path, design: str) -> None:
    counted = pool_units(tmp_path, calibration=design)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.1))
    assert f'calibration = "{design}"' in warnings(found)[0]
