"""A plan from ratings or rates, as results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_tables import judged, ratings, units

from goldassay.counts import Units, list_unlabelled
from goldassay.errors import RatingsError, TaskError
from goldassay.questions.estimate.classes import JudgeOptions, option_designs
from goldassay.questions.estimate.counting import sample_of
from goldassay.questions.estimate.shift import shift_of
from goldassay.questions.estimate.study import JudgeRate, study
from goldassay.questions.plan.comparison import Goal
from goldassay.questions.plan.costs import Costs
from goldassay.questions.plan.interval import rule_of
from goldassay.questions.plan.pool import chosen_units, two_options
from goldassay.questions.plan.precision import JudgeRates
from goldassay.questions.plan.study import (
    PlanStudy,
    Unlisted,
    _criteria,
    _scale,
    _unlike_others,
    judge_to_plan_for,
    study_rates,
    study_ratings,
)
from goldassay.results import Undefined

from .conftest import pool_units

RATES = JudgeRates(0.2, 0.9, 0.7)


def test_the_judge_that_agrees_best_is_planned_for(tmp_path: Path) -> None:
    chosen = judge_to_plan_for(pool_units(tmp_path, judges=2))
    assert (chosen.judge, chosen.given, chosen.of) == ("j1", False, 2)
    assert chosen.best is not None
    assert chosen.best.value > 0.75


def test_a_judge_that_is_named_or_alone_is_given(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, judges=2)
    assert judge_to_plan_for(counted, "j0").judge == "j0"
    assert judge_to_plan_for(counted, "j0").given
    assert judge_to_plan_for(pool_units(tmp_path)).given
    with pytest.raises(TaskError, match="is not a judge"):
        judge_to_plan_for(counted, "j9")


def test_without_labels_the_first_judge_is_taken(tmp_path: Path) -> None:
    chosen = judge_to_plan_for(pool_units(tmp_path, judges=2, labelled=0))
    assert (chosen.judge, chosen.best) == ("j0", None)


def test_a_table_without_a_judge_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RatingsError, match="have no judge"):
        judge_to_plan_for(pool_units(tmp_path, judges=0))


def test_assured_labels_are_more_than_plain_ones(planned: PlanStudy) -> None:
    plan = planned.pool
    assert plan is not None
    assert plan.reach is not None
    assert plan.now is not None
    assert plan.plain is not None
    assert plan.way == "by_verdict"
    assert plan.reach.falls is not None
    assert plan.reach.falls.sum() == plan.reach.labels
    assert plan.reach.length <= 0.08 < plan.now
    assert 0 < plan.plain < plan.reach.labels
    assert plan.after is not None
    assert plan.everything is not None
    assert plan.everything.labels == 540
    assert plan.everything.length <= plan.reach.length
    rows = {row.result.name: row for row in planned.rows()}
    names = ["length_now", "labels_needed", "labels_for_even_chance", "length_after"]
    assert list(rows) == names
    assert rows["labels_needed"].result.value == plan.reach.labels
    assert rows["labels_needed"].about == {"judge": "j0"}


def test_the_length_now_is_that_of_estimate(tmp_path: Path) -> None:
    """Of lone items, in clusters, within strata, with verdicts that abstain."""
    for declared in ({}, {"cluster": "topic"}, {"strata": ["topic"]}, {"calibration": "random"}):
        counted = pool_units(tmp_path, topic=True, **declared)
        rate = study(counted, strata=counted.task.strata).judges[0]
        assert isinstance(rate, JudgeRate)
        whole = rate.rate if rate.strata is None else rate.strata.whole
        assert whole.interval is not None
        plan = study_ratings(counted, judge_to_plan_for(counted), Goal(0.08)).pool
        assert plan is not None
        assert plan.now == pytest.approx(whole.interval.length, rel=1e-12)


def test_a_declared_cluster_asks_for_more(tmp_path: Path) -> None:
    lone = pool_units(tmp_path, alike=True)
    clustered = pool_units(tmp_path, alike=True, cluster="topic")
    plans = [
        study_ratings(one, judge_to_plan_for(one), Goal(0.16)).pool for one in (lone, clustered)
    ]
    assert plans[0] is not None
    assert plans[1] is not None
    assert plans[0].reach is not None
    assert plans[1].reach is None or plans[1].reach.labels > plans[0].reach.labels


def clumped(folder: Path, *, labelled: int, options: str, positive: str = "a") -> Units:
    """Three options; ten items in a row are alike in whether they are b or c, not in being a."""
    rng = np.random.default_rng(1)
    topic = np.arange(600) // 10
    truth = np.where(rng.random(600) < 0.3, 0, 1 + topic % 2)
    verdict = np.where(rng.random(600) < 0.75, truth, rng.integers(0, 3, 600))
    rows = []
    for item, (label, given) in enumerate(zip(truth, verdict, strict=True)):
        base = {"item": f"i{item}", "topic": f"t{topic[item]}"}
        if item % (600 // labelled) == 0 if labelled else False:
            rows.append({**base, "rater": "p", "kind": "human", "value": options[label]})
        rows.append({**base, "rater": "j", "kind": "judge", "value": options[given]})
    named = list(dict.fromkeys(options))
    declared = {"scale": "nominal" if len(named) > 2 else "binary", "options": named}
    return units(folder, rows, **declared, positive=positive, cluster="topic")


def scale_of(counted: Units) -> float:
    patterns = two_options(counted, "j")
    sample = patterns.sample()
    return _scale(counted, "j", sample, rule_of(counted, sample))


def test_of_several_options_the_largest_design_effect_counts(tmp_path: Path) -> None:
    """As `estimate` has it: the items of a topic are alike in the options that are not counted."""
    three = clumped(tmp_path, labelled=200, options="abc")
    rate = study(three).judges[0]
    assert isinstance(rate, JudgeOptions)
    sample = two_options(three, "j").sample()
    own = sample.inflation(rule_of(three, sample).rate_of_cells, confidence_level=0.95)
    largest = max(one.inflation(0.95) for one in option_designs(sample_of(three, "j")))
    assert scale_of(three) == pytest.approx(largest / own)
    assert scale_of(three) > 1.5
    # The option that is most alike needs no more than its own.
    assert scale_of(clumped(tmp_path, labelled=200, options="abc", positive="b")) < scale_of(three)
    assert scale_of(clumped(tmp_path, labelled=200, options="abb")) == 1
    assert scale_of(clumped(tmp_path, labelled=0, options="abc")) == 1
    # One label says nothing of labels that are alike; the verdicts of all items still do.
    assert 1 <= scale_of(clumped(tmp_path, labelled=1, options="abc")) < 1.05
    two, all_three = (
        study_ratings(one, judge_to_plan_for(one), Goal(0.11)).pool
        for one in (clumped(tmp_path, labelled=200, options=options) for options in ("abb", "abc"))
    )
    assert two is not None
    assert two.reach is not None
    assert all_three is not None
    assert all_three.reach is None or all_three.reach.labels > two.reach.labels


def test_labels_declared_random_stay_random(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, calibration="random")
    plan = study_ratings(counted, judge_to_plan_for(counted), Goal(0.08)).pool
    assert plan is not None
    assert plan.way == "random"
    assert plan.reach is not None
    assert plan.reach.falls is None
    assert plan.by_verdict is not None
    assert 0 < plan.by_verdict.labels < plan.reach.labels


def test_one_label_makes_no_interval_longer_than_one(tmp_path: Path) -> None:
    plan = study_ratings(
        (counted := pool_units(tmp_path, labelled=1)), judge_to_plan_for(counted), Goal(0.1)
    ).pool
    assert plan is not None
    assert plan.now is not None
    assert 0.5 < plan.now <= 1


def test_more_assurance_asks_for_more(tmp_path: Path) -> None:
    counted = pool_units(tmp_path)
    needed = []
    for assurance in (0.6, 0.8, 0.95):
        goal = Goal(0.08, assurance=assurance)
        plan = study_ratings(counted, judge_to_plan_for(counted), goal).pool
        assert plan is not None
        assert plan.reach is not None
        needed.append(plan.reach.labels)
    assert needed == sorted(needed)
    assert needed[0] < needed[-1]


def test_a_length_that_is_reached_or_out_of_reach(tmp_path: Path) -> None:
    counted = pool_units(tmp_path)
    chosen = judge_to_plan_for(counted)
    reached = study_ratings(counted, chosen, Goal(0.5))
    assert [row.result.name for row in reached.rows()] == ["length_now"]
    beyond = study_ratings(counted, chosen, Goal(0.001))
    assert beyond.pool is not None
    assert beyond.pool.reach is None
    needed = beyond.rows()[1].result
    assert isinstance(needed, Undefined)
    assert "no number of labels can be assured: 540 more" in needed.reason


def test_more_labels_than_items_are_all_that_is_left(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, n=70)
    plan = study_ratings(counted, judge_to_plan_for(counted), Goal(0.001, 50)).pool
    assert plan is not None
    assert plan.after is not None
    assert plan.everything is not None
    assert plan.after.labels == 10
    assert plan.after.length == plan.everything.length


@pytest.mark.parametrize("design", ["separate", "by_label"])
def test_a_separate_set_is_planned_with_its_own_interval(tmp_path: Path, design: str) -> None:
    counted = pool_units(tmp_path, split=True, judges=2, labelled=200, calibration=design)
    plan = study_ratings(counted, judge_to_plan_for(counted, "j1"), Goal(0.15)).pool
    assert plan is not None
    assert plan.way == design
    assert plan.now is not None
    assert plan.reach is not None
    assert plan.reach.falls is None
    far = study_ratings(counted, judge_to_plan_for(counted, "j1"), Goal(0.02)).pool
    assert far is not None
    assert far.reach is None  # the unlabelled items' own chance remains


def test_every_criterion_has_a_plan(tmp_path: Path) -> None:
    counted = pool_units(tmp_path, criteria=("clear", "true"))
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.12))
    assert [plan.criterion for plan in found.pools] == ["clear", "true"]
    assert sum(plan.items for plan in found.pools) == 600
    assert {row.about["criterion"] for row in found.rows()} == {"clear", "true"}


def test_rates_alone_have_no_rows() -> None:
    found = study_rates(RATES, Goal(0.1, 200), items=1000)
    assert found.rows() == ()
    best = found.comparison.plans[0]
    assert best.design.name == "by_verdict"
    assert 170 < best.expected < best.labels < 220
    assert found.comparison.budget is not None
    algorithm = found.comparison.budget.algorithm_1
    assert algorithm is not None
    assert algorithm[0][:2] == (132, 68)  # the paper's code


def test_another_judge_is_told_apart() -> None:
    rates = JudgeRates(0.5, 0.9, 0.8)
    found = study_rates(rates, Goal(0.1), against=(0.8, 0.8)).against
    assert found is not None
    assert found.items == 895
    assert study_rates(rates, Goal(0.1)).against is None


def test_a_worthless_judge_has_no_corrected_budget() -> None:
    found = study_rates(JudgeRates(0.3, 0.5, 0.5), Goal(0.1, 100)).comparison
    assert found.budget is not None
    assert found.budget.algorithm_1 is None
    assert found.ratios.here["by_label"] == float("inf")


def test_the_region_is_for_free_verdicts() -> None:
    assert study_rates(JudgeRates(0.3, 0.9, 0.9), Goal(0.1)).comparison.ratios.region is not None
    priced = Goal(0.1, costs=Costs(1, 0.1))
    assert study_rates(JudgeRates(0.3, 0.9, 0.9), priced).comparison.ratios.region is None


def test_a_plan_is_of_the_rate_of_a_positive_option(tmp_path: Path) -> None:
    """Two options without an order are two options, if one is counted; without one, nothing is."""

    def plan(**declared: Any) -> PlanStudy:
        counted = pool_units(tmp_path, n=200, **declared)
        return study_ratings(counted, judge_to_plan_for(counted), Goal(0.2))

    binary, nominal = plan(), plan(scale="nominal", positive="yes")
    assert binary.pool is not None
    assert nominal.pool is not None
    assert nominal.pool.now == binary.pool.now
    with pytest.raises(TaskError, match="the rate of a positive option"):
        plan(scale="nominal", positive=None)


def test_a_criterion_that_was_judged_once_has_a_plan(tmp_path: Path) -> None:
    """Of a judge asked twice, the second answers may be of one criterion alone."""
    counted = pool_units(tmp_path, n=40, criteria=("clear", "true"))
    again = np.where(counted.by["criterion"].codes == 0, counted.verdict[:, 0], -1)
    twice = replace(
        counted,
        judges=("j0", "j0"),
        samples=("1", "2"),
        orders=("", ""),
        verdict=np.column_stack([counted.verdict[:, 0], again]),
    )
    assert _criteria(twice, "j0") == ("clear", "true")
    never = replace(twice, verdict=np.column_stack([again, again]))
    assert _criteria(never, "j0") == ("clear",)


def test_the_judge_that_refutes_the_draw_surest_is_named(tmp_path: Path) -> None:
    """Labels mostly of what `sure` calls yes; the tests of all three judges count."""
    rng = np.random.default_rng(5)
    sure = (rng.random(400) < 0.5).astype(int)
    other = np.where(rng.random(400) < 0.25, 1 - sure, sure)
    aside = (rng.random(400) < 0.5).astype(int)
    labelled = rng.random(400) < np.where(sure == 1, 0.5, 0.1)
    verdicts = {"aside": aside, "other": other, "sure": sure}
    rows = judged(np.where(labelled, sure, -1), verdicts)
    counted = units(tmp_path, rows, calibration="random")
    rule = rule_of(counted, two_options(counted, "sure").sample())
    found = _unlike_others(counted, rule)
    assert found is not None
    judge, shift = found
    each = {name: shift_of(two_options(counted, name).sample(), rule.drawn) for name in verdicts}
    assert (judge, shift.tests) == ("sure", 3)
    assert shift.p_value == min(one.p_value for one in each.values() if one is not None)


@pytest.mark.parametrize("calibration", ["random", "by_verdict"])
def test_the_next_items_fall_as_the_labels_are_drawn(tmp_path: Path, calibration: str) -> None:
    """At random whatever the judge said; by verdict as the allocation shares them out."""
    verdict = [1 if n % 5 < 2 else 0 for n in range(100)]
    rows = judged([*verdict[:20], *[-1] * 80], {"gpt": verdict})
    counted = units(tmp_path, rows, calibration=calibration)
    table = ratings(tmp_path, rows, calibration=calibration)
    unlisted = Unlisted(list_unlabelled(table, "gpt"), 30, seed=1)
    found = study_ratings(counted, judge_to_plan_for(counted), Goal(0.1), unlisted)
    assert found.following is not None
    (plan,) = found.pools
    falls = 30 if calibration == "random" else plan.pool.more(30)
    wanted = chosen_units(plan.pool, unlisted.units, falls, counted.task, seed=1)
    assert found.following.units == tuple(wanted)
