"""The sentences of an audit: their facts are the results that they speak of."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from audit_counts import TASK, counted, judged

from goldassay.formulas.distributions import table_1
from goldassay.questions.audit.definitions import Settings
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.performance import Performance
from goldassay.questions.audit.populations import GroupDifference, Groups, GroupTest
from goldassay.questions.audit.sensitivity import ImpliedBeta
from goldassay.questions.audit.study import AuditStudy, RatersNeeded, study
from goldassay.questions.audit.words import answer, notes, warnings
from goldassay.results import Estimate, Sentence, Undefined
from goldassay.words import figure

HITS, KAPPA, *_ = table_1()


@pytest.fixture(scope="module")
def found() -> AuditStudy:
    return study(judged(items=60), TASK, draws=Draws(resamples=100, panels=2))


def said(found: AuditStudy, key: str) -> list[Sentence]:
    return [one for one in (*answer(found), *notes(found)) if one.key == key]


def test_every_kind_of_sentence_is_said_once_about_one_thing(found: AuditStudy) -> None:
    every = (*answer(found), *notes(found))
    seen = Counter((one.key, *sorted(one.about.items())) for one in every)
    assert set(seen.values()) == {1}
    assert all(one.key.startswith("audit.") for one in every)


def test_the_answer_is_short_and_about_the_judge_that_is_selected(found: AuditStudy) -> None:
    said = answer(found)
    assert len(said) <= 3
    assert [one.key for one in said][:2] == ["audit.selection", "audit.downstream"]
    assert {one.about["judge"] for one in said[:2]} == {found.choice.chosen} == {"good"}
    # The same with the order of the judges turned: not the first of a list.
    turned = study(
        judged(items=60, bad=0.45, good=0.05), TASK, draws=Draws(resamples=100, panels=2)
    )
    assert answer(turned)[1].about == {"judge": "good"}


def test_the_opening(found: AuditStudy) -> None:
    (one,) = said(found, "audit.people")
    assert one.text == (
        "2 judges are compared with people's single choices on 60 items, 3 ratings each (median)."
    )
    assert one.facts == {
        "n_judges": 2,
        "n_items": 60,
        "asked": ["single choices"],
        "ratings_per_item": 3.0,
    }


def test_what_is_said_of_a_judge_is_its_result(found: AuditStudy) -> None:
    rows = {
        (row.about["judge"], row.result.name): row.result
        for row in found.rows()
        if row.about.get("aggregation") == "s/s"
    }
    told = said(found, "audit.downstream")
    assert [one.about["judge"] for one in told] == ["good", "bad"]
    for one in told:
        for name in ("decision_consistency", "estimation_bias"):
            result = rows[one.about["judge"], name]
            assert isinstance(result, Estimate)
            assert result.interval is not None
            assert one.facts[name] == result.value
            assert one.facts[f"{name}_low"] == result.interval.low
            assert one.facts[f"{name}_high"] == result.interval.high
        assert f"on {figure(rows[one.about['judge'], 'decision_consistency'])} of" in one.text
        # The bias is the difference of the two rates, and the base rate stands beside.
        rates = one.facts["judge_rate"] - one.facts["people_rate"]
        assert rates == pytest.approx(one.facts["estimation_bias"])
        people = one.facts["people_rate"]
        assert one.facts["all_alike"] == max(people, 1 - people)


def test_a_judge_that_never_gives_what_is_counted_is_said_to_be_so() -> None:
    # People: 2 of 20 items Yes (all three raters); the judge says No throughout: 18 of 20 alike.
    people = np.array([[3.0, 0]] * 2 + [[0, 3.0]] * 18)
    always_no = np.array([[0.0, 1]] * 20)
    never = study(counted(people, never=always_no), TASK, draws=Draws(resamples=50, panels=2))
    (one,) = said(never, "audit.downstream")
    assert "`never` never counts one as `Yes` and so decides as people do on 90 %" in one.text
    assert (one.facts["judge_rate"], one.facts["all_alike"]) == (0.0, 0.9)


def performance(name: str, selects: str | None) -> Performance:
    definition = replace(HITS, name=name)
    return Performance(definition, (Estimate(name, 0.5), Estimate(name, 0.6)), selects)


def test_whom_the_definitions_select(found: AuditStudy) -> None:
    rest = tuple(one for one in found.compared if one.definition.declared)
    rest = tuple(replace(one, selects=None) for one in rest)
    both = (performance("hit_rate", "b"), performance("kappa", "a"), performance("alpha", "b"))
    choice = replace(found.choice, chosen="b", selected_by=(3, 9), n_definitions=12)
    several = replace(found, judges=("a", "b"), compared=(*both, *rest), choice=choice)
    (one,) = said(several, "audit.selection")
    # 9 of 12 definitions
    assert one.text == "`b` is selected by 9 of 12 definitions of agreement (75 %), `a` by 3."
    assert one.facts["judges"] == ["b", "a"]
    assert one.facts["definitions"] == [["hit_rate h/h", "alpha h/h"], ["kappa h/h"]]
    assert one.facts["share"] == 0.75
    alone = replace(choice, selected_by=(0, 12))
    (same,) = said(replace(several, choice=alone), "audit.selection")
    assert same.text == "All 12 definitions of agreement select `b`."
    assert not said(replace(several, choice=replace(choice, chosen=None)), "audit.selection")


def test_a_judge_without_a_value_is_passed_over(found: AuditStudy) -> None:
    compared = tuple(
        replace(one, results=(Undefined(one.definition.name, "no item"), one.results[1]))
        for one in found.performances
    )
    told = said(replace(found, performances=compared), "audit.downstream")
    assert [one.about["judge"] for one in told] == ["bad"]


def test_the_best_judge_by_beta_and_what_a_selection_costs(found: AuditStudy) -> None:
    hidden = found.hidden
    assert hidden is not None
    sweep = replace(
        hidden.sweeps[0],
        steps=(0.0, 0.1, 0.2),
        definitions=(HITS,),
        values=np.array([[[0.9, 0.8]], [[0.7, 0.8]], [[0.6, 0.9]]]),
        winner=np.array([0, 1, 1]),
        selected=np.array([[0], [0], [0]]),
        best=np.array([0.9, 0.8, 0.9]),
        reached=np.array([[0.9], [0.7], [0.6]]),
    )
    changed = replace(found, hidden=replace(hidden, sweeps=(sweep,)))
    (best,) = said(changed, "audit.best_by_beta")
    assert best.text.endswith("`bad` if 10 % of the time.")
    assert "(who says `No` may accept `Yes` too): `good` if never" in best.text
    assert best.facts["judges"] == ["good", "bad"]
    assert best.facts["from_betas"] == [0.0, 0.1]
    (cost,) = said(changed, "audit.selection_cost")
    # at beta = .2 the definition takes .6 where .9 is to be had
    assert cost.facts["cost"] == pytest.approx(0.3)
    assert cost.about == {"judge": "good"}
    assert cost.text == (
        "If raters accept more than they chose 20 % of the time, selecting by hit rate (by the "
        "most chosen option) takes `good`; on these items it decides 30 points fewer as people do "
        "than the best judge."
    )
    steady = replace(sweep, winner=np.array([1, 1, 1]), reached=np.array([[0.9], [0.8], [0.9]]))
    same = replace(found, hidden=replace(hidden, sweeps=(steady,)))
    (best,) = said(same, "audit.best_by_beta")
    assert best.text.startswith("`bad` has the highest decision consistency however often")
    assert not said(same, "audit.selection_cost")


@pytest.mark.parametrize("ties", ["exclude", "half"])
def test_two_answers_that_differ(ties: str) -> None:
    """A judge that says each option once on 30 items: a share of tau counts for either option, as
    in the paper; as half a decision it counts for neither."""
    rng = np.random.default_rng(5)
    yes = rng.binomial(1, 0.5, 60) * 3.0
    own = np.where(np.arange(60) < 30, 1.0, yes / 1.5)
    counts = counted(np.stack([yes, 3 - yes], 1), j=np.stack([own, 2 - own], 1))
    told = {}
    for option in TASK.options:
        settings = Settings(options=(option,))
        task = replace(TASK, reference_ties=ties)
        both = study(counts, task, settings=settings, draws=Draws(resamples=100, panels=2))
        (told[option],) = said(both, "audit.downstream")
        assert "50 % or more of its raters say so" in told[option].text
        assert ("by half where just so many do" in told[option].text) == (ties == "half")
    one, two = (told[option].facts for option in TASK.options)
    level, sure = 30 * (0.5 if ties == "half" else 1.0), (yes[30:] > 0).sum()
    assert one["judge_rate"] == pytest.approx((level + sure) / 60)
    assert two["judge_rate"] == pytest.approx((level + 30 - sure) / 60)
    alike = [
        30 + (0.5 * 30 if ties == "half" else people[:30].sum()) for people in (yes > 0, yes == 0)
    ]
    for facts, right in zip((one, two), alike, strict=True):
        assert facts["decision_consistency"] == pytest.approx(right / 60)


def test_what_is_said_of_lapses_names_what_it_rests_on(found: AuditStudy) -> None:
    """With response sets the best judge by these is not the best one of the table's measure."""
    assert "accept" not in said(found, "audit.lapses")[0].text
    rng = np.random.default_rng(2)
    yes, task = rng.binomial(3, rng.random(60)), replace(TASK, goal="prevalence")
    forced = np.stack([yes, 3 - yes], 1).astype(float)
    sets = np.zeros((60, len(TASK.sets)))
    own = [TASK.sets.index(one) for one in (("Yes",), ("No",), ("Yes", "No"))]
    sets[:, own] = np.stack([yes, np.zeros(60), 3 - yes], 1)  # who says No accepts both
    always, split = np.array([[1.0, 0.0]] * 60), (forced > 1).astype(float)
    with_sets = study(
        counted(forced, sets, task=task, lean=always, soft=split),
        task,
        draws=Draws(resamples=100, panels=2),
    )

    def nearest(way: str) -> str:
        results = next(
            one.results
            for one in with_sets.compared
            if (one.definition.name, one.definition.aggregation) == ("estimation_bias", way)
        )
        return with_sets.judges[int(np.argmin([abs(one.value) for one in results]))]  # type: ignore[union-attr]

    assert (nearest("s/s"), nearest("srs/srs")) == ("soft", "lean")
    (lapses,) = said(with_sets, "audit.lapses")
    assert lapses.facts["judge"] == nearest("srs/srs")
    assert lapses.facts["by_sets"]
    assert "nearest to people's (by the share of raters who accept each option)" in lapses.text


def test_implied_betas_and_how_prevalence_moves(found: AuditStudy) -> None:
    hidden = found.hidden
    assert hidden is not None
    assert hidden.prevalence is not None
    prevalence = replace(
        hidden.prevalence,
        betas=(0.0, 0.4),
        thresholds=(0.5,),
        values=np.array([[0.25], [0.5]]),
        decided_at=0,
    )
    implied = (ImpliedBeta("people", 0.25, 0.1, 0.4, 40),)
    changed = replace(found, hidden=replace(hidden, implied=implied, prevalence=prevalence))
    (beta,) = said(changed, "audit.implied_beta")
    assert beta.text.endswith("too this often: people 25 % [10, 40].")
    assert (beta.facts["betas"], beta.facts["n_choices"]) == ([0.25], [40])
    (moved,) = said(changed, "audit.prevalence_by_beta")
    assert moved.text == (
        "Of all 60 items that they rated, people count 25 % as `Yes` (from 50 % of the raters on) "
        "if they accept only what they chose, and 50 % if those who chose another option would "
        "accept it too 40 % of the time."
    )
    assert moved.facts["prevalence"] == [0.25, 0.5]
    still = replace(prevalence, values=np.array([[0.25], [0.25]]))
    same = replace(found, hidden=replace(hidden, prevalence=still))
    assert not said(same, "audit.prevalence_by_beta")


def test_how_many_raters(found: AuditStudy) -> None:
    raters = RatersNeeded((1, 3, 5), np.array([0.7, 0.8, 0.92]), np.zeros(3), 3.0)
    (one,) = said(replace(found, raters=raters), "audit.raters")
    assert one.text.endswith("on about 80 % of items; 5 ratings an item give 90 %.")
    said_of = {"ratings_per_item": 3.0, "same_decision": 0.8, "ratings_for_90": 5, "enough": 0.9}
    assert one.facts == said_of
    (there,) = said(replace(found, raters=replace(raters, here=5.0)), "audit.raters")
    assert there.text.endswith("92 % of items.")


def test_groups_that_rate_differently(found: AuditStudy) -> None:
    values = np.array([[0.5, 0.6]])
    pair = GroupDifference("crowd", "expert", 30, 0.125, 0.002, values, values)
    test = GroupTest("crowd", "expert", "good", HITS, -0.25, 0.002, 0.004, 30)
    groups = Groups(
        (HITS,),
        {"crowd": values, "expert": values},
        (pair,),
        (0.002,),
        (test, replace(test, judge="bad", adjusted=0.4)),
        499,
    )
    changed = replace(found, groups=groups)
    (one,) = said(changed, "audit.groups")
    assert one.about == {"group": "crowd", "other": "expert"}
    assert one.facts == {"differ": True, "divergence": 0.125, "p_value": 0.002, "n_items": 30}
    assert "rate differently (Jensen-Shannon 0.12 between them, p = 0.002" in one.text
    (other,) = said(changed, "audit.group_difference")
    assert other.about["judge"] == "good"
    assert other.facts["difference"] == -0.25
    assert "hit rate (by the most chosen option) by -0.25 (p = 0.0020)" in other.text
    alike = replace(found, groups=replace(groups, apart=(0.3,), tests=()))
    (one,) = said(alike, "audit.groups")
    assert one.facts["differ"] is False
    assert "show no difference in how they rate" in one.text


def test_warnings(found: AuditStudy) -> None:
    (first,) = warnings(found)
    assert first.startswith("A rater may accept several options ({Yes, No}) and chooses one")
    once = replace(
        found,
        people=replace(found.people, fewest=1.0, most=1.0),
        one_answer=("good",),
        without_sets=("bad",),
        silent=("mute",),
    )
    told = warnings(once)
    assert "One rating by people per item" in told[1]
    assert told[2].startswith("`good` gave one answer per item")
    assert told[3].startswith("`bad` was not asked for response sets")
    assert told[4] == "without a rated verdict, and left out: `mute`"
    uneven = replace(found, people=replace(found.people, fewest=2.0, most=5.0))
    assert "(2 to 5)" in warnings(uneven)[1]


def test_an_interval_is_said_only_where_there_is_one(found: AuditStudy) -> None:
    def bare(one: Performance) -> Performance:
        results = tuple(
            replace(r, interval=None) if isinstance(r, Estimate) else r for r in one.results
        )
        return replace(one, results=results)

    bared = tuple(map(bare, found.performances))
    told = said(replace(found, performances=bared), "audit.downstream")
    assert all("[" not in one.text for one in told)
    assert all(one.facts["decision_consistency_low"] is None for one in told)
