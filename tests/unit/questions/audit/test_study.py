"""The parts of an audit: which there are, and what they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from audit_counts import TASK, counted, judged
from scipy.stats import binomtest

from goldassay.counts import ElicitationPairs
from goldassay.questions.audit.definitions import Settings
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.populations import Groups
from goldassay.questions.audit.sensitivity import Hidden
from goldassay.questions.audit.study import AuditStudy, Given, RatersNeeded, study
from goldassay.questions.audit.words import warnings
from goldassay.results import Undefined

QUICK = Draws(resamples=100, panels=2)


def hidden_in(found: AuditStudy) -> Hidden:
    assert found.hidden is not None
    return found.hidden


def test_response_sets_alone_leave_forced_choice_undefined() -> None:
    rng = np.random.default_rng(0)
    sets = rng.integers(0, 4, (30, 3)) + np.array([1.0, 0.0, 0.0])
    judge = np.eye(2)[rng.integers(0, 2, 30)]
    found = study(counted(np.zeros((30, 2)), sets, j=judge), TASK, draws=QUICK)
    rows = {(row.result.name, row.about["aggregation"]): row.result for row in found.rows()}
    assert "single choices were not asked" in rows["jensen_shannon", "s/s"].reason  # type: ignore[union-attr]
    assert rows["mean_squared_error", "srs/srs"].value > 0  # type: ignore[union-attr]
    assert found.ceiling is None
    assert hidden_in(found).sweeps == ()


def test_a_judge_without_a_rated_verdict_is_named_and_left_out() -> None:
    rng = np.random.default_rng(3)
    forced = rng.multinomial(3, [0.6, 0.4], 20).astype(float)
    pairs = ElicitationPairs(("broken", "j"), np.zeros((2, 3)), np.zeros((2, 2, 3)))
    found = study(counted(forced, j=forced.copy()), TASK, draws=QUICK, given=Given(pairs))
    assert {row.about["judge"] for row in found.rows() if row.about["aggregation"]} == {"j"}
    assert found.silent == ("broken",)
    assert "without a rated verdict, and left out: `broken`" in warnings(found)
    assert found.rank_consistency is None  # one judge


def test_rows_are_every_definition_of_one_judge_after_the_other() -> None:
    found = study(judged(), TASK, draws=QUICK)
    rows = found.rows()
    number = len(found.performances)
    judges = [row.about["judge"] for row in rows]
    assert judges[: 2 * number] == ["good"] * number + ["bad"] * number
    more = [(row.result.name, row.about["judge"]) for row in rows[2 * number :]]
    assert more == [("selection_share", "good"), ("selection_share", "bad"), ("rater_error", None)]
    assert rows[number].result is found.performances[0].results[1]
    decided = next(row for row in rows if row.result.name == "decision_consistency")
    assert decided.about == {
        "judge": "good",
        "aggregation": "h/h",
        "option": "Yes",
        "threshold": "0.5",
    }


def test_the_goal_decides_which_sweep_comes_first() -> None:
    for goal, first in (("filter", "decision_consistency"), ("prevalence", "estimation_bias")):
        found = study(judged(), replace(TASK, goal=goal), draws=QUICK)
        sweeps = hidden_in(found).sweeps
        assert sweeps[0].target.label == f"{first} srs/srs Yes 0.5"
        assert len(sweeps) == 2


def test_prevalence_is_swept_around_a_single_threshold_or_at_those_given() -> None:
    one = hidden_in(study(judged(), TASK, draws=QUICK)).prevalence
    assert one is not None
    assert one.thresholds == (0.3, 0.5, 0.7)
    assert one.decided_at == 1
    settings = Settings(thresholds=(0.8, 0.2), betas=(0.0, 0.5))
    several = hidden_in(study(judged(), TASK, settings, QUICK)).prevalence
    assert several is not None
    assert several.thresholds == (0.8, 0.2)
    assert several.decided_at == 0
    assert several.values.shape == (2, 2)


def test_a_task_of_single_options_hides_nothing() -> None:
    task = replace(TASK, response_sets=(("Yes",), ("No",)))
    assert study(judged(task=task), task, draws=QUICK).hidden is None


def test_how_many_raters_decide_needs_items_with_two() -> None:
    few = study(judged(items=19), TASK, draws=QUICK)
    assert few.raters is None
    assert few.ceiling is None
    enough = study(judged(items=20), TASK, draws=QUICK)
    assert enough.raters is not None
    assert enough.ceiling is not None
    assert set(enough.ceiling.reached) == {
        "hit_rate h/h",
        "jensen_shannon s/s",
        "mean_squared_error s/s",
    }


def test_raters_needed_by_hand() -> None:
    found = RatersNeeded((1, 3, 5), np.array([0.7, 0.8, 0.92]), np.zeros(3), 4.0)
    assert found.consistency_here == pytest.approx(0.86)  # halfway from .8 to .92
    assert found.enough(0.9) == 5
    assert found.enough(0.95) is None
    # Two decide as three do not: what is advised must not be fewer than fall short.
    even = RatersNeeded((1, 2, 3, 4, 5), np.array([0.8, 0.9, 0.86, 0.93, 0.91]), np.zeros(5), 3.0)
    assert even.enough(0.9) == 4
    assert even.enough(0.7) == 1


def test_groups() -> None:
    given = judged(raters=4)
    none = np.zeros_like(given.human_sets)
    half = np.floor(given.human_forced / 2)
    groups = {"a": (half, none), "b": (given.human_forced - half, none)}
    found = study(replace(given, groups=groups), TASK, draws=QUICK).groups
    assert isinstance(found, Groups)
    assert set(found.values) == {"a", "b"}
    assert {one.aggregation for one in found.definitions} <= {"h/h", "s/s"}
    test = found.tests[0]
    values = [found.values[group][0, 0] for group in ("a", "b")]
    shared = (half.sum(-1) > 0) & ((given.human_forced - half).sum(-1) > 0)
    assert test.n_items == shared.sum()
    assert np.isfinite(values).all()
    assert test.adjusted >= test.p_value
    one = {"a": (given.human_forced, none), "b": (np.zeros_like(half), none)}
    undefined = study(replace(given, groups=one), TASK, draws=QUICK)
    assert isinstance(undefined.groups, Undefined)
    assert warnings(undefined)[0].startswith("Groups of raters are compared on single choices")
    assert study(given, TASK, draws=QUICK).groups is None


def test_betas_are_implied_at_the_task_s_level() -> None:
    """Of nine who chose No, three accept Yes too: the interval is that of 3 of 9 at the level."""
    task = replace(TASK, confidence_level=0.8)
    joint = np.array([[4.0, 0, 1], [0, 6, 3]])
    pairs = ElicitationPairs(("good", "bad"), joint, np.zeros((2, 2, 3)))
    found = study(judged(task=task), task, draws=QUICK, given=Given(pairs))
    (people,) = hidden_in(found).implied
    expected = binomtest(3, 9).proportion_ci(0.8, method="exact")
    assert (people.low, people.high) == pytest.approx((expected.low, expected.high))
    assert hidden_in(found).sweeps  # forced choices alone: what they hide is swept too
    assert hidden_in(found).prevalence is not None


def test_items_that_judges_share_are_counted() -> None:
    counts = judged(items=40)
    forced = counts.judge_forced.copy()
    forced[0, :6] = 0  # the first judge lacks six items, the second four others
    forced[1, 36:] = 0
    assert study(counts, TASK, draws=QUICK).shared is None
    assert study(replace(counts, judge_forced=forced), TASK, draws=QUICK).shared == 30


def test_a_judge_of_shared_items_has_one_number_and_another_that_of_its_own() -> None:
    """Drawn twice, the same items would have two intervals; more items are another number."""
    people = np.tile([[3.0, 0.0], [0.0, 3.0]], (20, 1))
    brief, whole = people.copy(), people.copy()
    brief[:4] = people[1:5]  # errs on 4 of the 20 items that it rated
    brief[20:] = 0
    whole[20:] = people[19:39]  # errs on none of these, and on all 20 others
    found = study(counted(people, brief=brief, whole=whole), TASK, draws=QUICK)
    for compared in found.compared:
        (own,) = (one for one in found.performances if one.definition == compared.definition)
        assert own.results[1] is compared.results[1]
        assert own.selects == compared.selects
    assert found.judges == ("whole", "brief")  # by how much they decide
    hits = next(one for one in found.performances if one.definition.name == "hit_rate")
    assert [one.n_items for one in hits.results] == [40, 20]
    assert [one.value for one in hits.results] == pytest.approx([0.5, 0.8])  # type: ignore[union-attr]
    assert hits.selects == "whole"  # on what both rated


def test_nothing_is_swept_where_every_item_has_response_sets_of_people() -> None:
    counts = judged()
    sets = np.zeros((40, 3))
    sets[:, 2] = 2
    sets[:, :2] = counts.human_forced
    everywhere = hidden_in(study(replace(counts, human_sets=sets), TASK, draws=QUICK))
    assert (everywhere.sweeps, everywhere.prevalence) == ((), None)
    sets[:20] = 0
    assert hidden_in(study(replace(counts, human_sets=sets), TASK, draws=QUICK)).sweeps


def test_judges_with_one_answer_per_item_are_named() -> None:
    rng = np.random.default_rng(5)
    forced = rng.multinomial(3, [0.6, 0.4], 30).astype(float)
    steady = np.tile([3.0, 0.0], (30, 1))
    wavers = steady.copy()
    wavers[4] = [2.0, 1.0]
    unrated = steady.copy()
    unrated[7] = 0  # an item that it did not rate says nothing against it
    counts = counted(forced, steady=steady, wavers=wavers, unrated=unrated)
    assert study(counts, TASK, draws=QUICK).one_answer == ("steady", "unrated")


def test_judges_are_put_in_order_by_definitions_that_want_more_or_less() -> None:
    """A bias is best at nought, on neither side of which it puts anybody."""
    found = study(judged(), TASK, draws=QUICK)
    assert found.rank_consistency is not None
    names = {one.name for one in found.rank_consistency.definitions}
    assert {"hit_rate", "jensen_shannon"} <= names
    assert not any(one.better == "zero" for one in found.rank_consistency.definitions)


def test_people_who_divide_evenly_decide_otherwise_from_panel_to_panel() -> None:
    needed = study(judged(items=60, raters=5), TASK, draws=QUICK).raters
    assert needed is not None
    assert needed.consistency[0] < 0.9
    assert needed.consistency[0] < needed.consistency[-1]
