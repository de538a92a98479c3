"""Sentences that compared what cannot be: other items, other scores, other strata."""

from __future__ import annotations

import polars as pl
import pytest
from told_tables import (
    BINARY,
    FEW,
    PAIRS,
    TRUTH,
    every_text,
    flipped,
    keys,
    rated_systems,
    said,
    table,
)

import goldassay as ga


def test_an_audit_compares_judges_on_the_items_that_all_decide() -> None:
    """`bold` errs on 6 of 60; `shy` says the same, but nothing where `bold` errs.

    On each one's own items `shy` is right on all 54 and `bold` on 54 of 60.
    """
    bold = flipped(TRUTH, range(6))
    shy = ["-" if k < 6 else value for k, value in enumerate(bold)]
    weak = flipped(TRUTH, range(20, 40))
    frame = table({"ann": TRUTH, "bob": TRUTH}, {"bold": bold, "shy": shy, "weak": weak})
    found = ga.audit(frame, BINARY, resamples=60)
    one = said(found, "audit.selection")
    assert (one.facts["n_items"], one.facts["level"]) == (54, ["shy"])
    assert "on the 54 items that all 3 judges decide; `shy` scores the same" in one.text
    assert found.summary is not None
    values = {line.label: line.cells[0].value for line in found.summary.lines}
    assert values["bold"] == values["shy"] == 1.0
    assert [line.label for line in found.summary.lines if line.tied] == ["bold", "shy"]
    # What each judge's decisions are worth stays a matter of its own items.
    assert said(found, "audit.downstream", judge="bold").facts["n_items"] == 60
    report = ga.report(frame, BINARY, resamples=60)
    assert "depends on how agreement is measured" not in every_text(report)


def test_judges_that_share_no_item_are_not_audited_against_one_another() -> None:
    left = [v if k < 30 else "-" for k, v in enumerate(TRUTH)]
    right = [v if k >= 30 else "-" for k, v in enumerate(flipped(TRUTH, range(50, 55)))]
    frame = table({"ann": TRUTH, "bob": TRUTH}, {"left": left, "right": right})
    found = ga.audit(frame, BINARY, resamples=60)
    assert "audit.selection" not in keys(found)
    assert any("they are not compared" in one for one in found.warnings)
    assert {row.about["judge"] for row in found.rows if row.result.name == "hit_rate"} == {
        "left",
        "right",
    }


def test_an_abstention_that_is_a_class_is_an_answer() -> None:
    """`j` passes on 6 of 60 items: no usable verdict where these are left out, else an answer."""
    judge = ["pass" if k % 10 == 0 else v for k, v in enumerate(TRUTH)]
    frame = table({"ann": TRUTH}, {"j": judge})
    texts = {}
    for handling in ("exclude", "class"):
        task = {**BINARY, "abstain": ["pass"], "abstentions": handling}
        texts[handling] = said(ga.agree(frame, task, **FEW), "agree.coverage").text
    assert (
        texts["exclude"]
        == "`j` gives no usable verdict on 10 % of the 60 items that it was to rate."
    )
    assert (
        texts["class"]
        == "`j` abstains on 10 % of the 60 items that it saw, which counts as an answer."
    )


def test_who_rated_disputed_items_only_is_no_person_like_the_others() -> None:
    """`zed` rates the 40 of 120 items on which `ann` and `bob` differ, as an adjudicator does."""
    people = ["yes", "no"] * 60
    zed = [v if k < 40 else "-" for k, v in enumerate(people)]
    raters = {"ann": people, "bob": flipped(people, range(40)), "zed": zed}
    (told,) = [
        one
        for one in ga.replace(table(raters, {"j": people}), BINARY).warnings
        if "selection" in one
    ]
    assert told.startswith("`zed` rated 40 items, on 100 % of which the others differ (0 % else")


def test_a_decisiveness_where_the_search_ends_is_said_to_be_no_more_than_that() -> None:
    """The judge turns two systems round: its gaps are as little like people's as can be."""
    people, judge = (["first"] * one + ["second"] * (60 - one) for one in (48, 12))
    battles = {"system": ["ash"] * 60, "opponent": ["elm"] * 60}
    found = ga.rank(table({"ann": people}, {"j": judge}, **battles), PAIRS, **FEW)
    assert found.summary is not None
    assert "A decisiveness of 0.10 is that or less." in found.summary.notes


def test_tau_is_no_share_of_pairs_where_systems_are_level() -> None:
    """People rate `elm` and `fir` alike: of 3 pairs 2 are in people's order, and tau-b is .82."""
    rates = {
        "people": {"ash": 0.9, "elm": 0.5, "fir": 0.5},
        "j": {"ash": 0.9, "elm": 0.6, "fir": 0.3},
    }
    level = every_text(ga.report(rated_systems(rates, items=80), BINARY, **FEW))
    assert "of pairs of systems" not in level
    clear = {name: {"ash": 0.9, "elm": 0.5, "fir": 0.2} for name in ("people", "j")}
    found = ga.report(rated_systems(clear, items=80), BINARY, **FEW)
    assert "puts 100 % of pairs of systems in people's order" in every_text(found)


def test_a_report_compares_orders_by_the_same_scores() -> None:
    """`flat` grades 4, 1, 1 and 2, 2, 2: the same mean of both systems, and medians turned round.

    `rank` goes by means, so that there is no tau to speak of; that of the medians is none either.
    """
    rows = []
    for k in range(30):
        for system, people, own in (("ash", "3", "4" if k % 3 == 0 else "1"), ("elm", "2", "2")):
            rows.append((f"i{k:02}", system, "ann", "human", people))
            rows.append((f"i{k:02}", system, "flat", "judge", own))
    frame = pl.DataFrame(rows, schema=["item", "system", "rater", "kind", "value"], orient="row")
    task = {"scale": "ordinal", "options": ["1", "2", "3", "4"]}
    found = ga.report(frame, task, **FEW)
    assert not [one.text for one in (*found.answer, *found.notes) if "tau" in one.facts]


def test_a_rate_corrected_within_strata_has_no_other_beside_it() -> None:
    """Labels are of `a` mostly, where the judge is right; it errs on half of `b`."""
    topic = ["a"] * 60 + ["b"] * 240
    people = ["yes", "no"] * 20 + ["-"] * 20 + ["no"] * 20 + ["-"] * 220
    judge = ["yes", "no"] * 20 + ["yes"] * 20 + ["yes", "no"] * 120
    frame = table({"ann": people}, {"j": judge}, topic=topic)
    task = {**BINARY, "calibration": "random"}
    plain, within = (ga.estimate(frame, task, **more) for more in ({}, {"strata": ["topic"]}))
    assert "estimate.prevalence_of_pool" in keys(plain)
    assert "estimate.prevalence_of_pool" not in keys(within)


def test_what_strata_explain_is_no_reason_against_the_headline() -> None:
    """The judge calls most labelled items yes, as most are of `a`, and few of the others."""
    topic = ["a"] * 100 + ["b"] * 300
    people = ["yes"] * 70 + ["no"] * 20 + ["-"] * 10 + ["no"] * 25 + ["yes"] * 5 + ["-"] * 270
    judge = ["yes"] * 75 + ["no"] * 25 + ["no"] * 25 + ["yes"] * 15 + ["no"] * 260
    frame = table({"ann": people}, {"j": judge}, topic=topic)
    found = ga.estimate(frame, {**BINARY, "calibration": "random"}, strata=["topic"])
    shifted = [one for one in found.warnings if "not like the test items" in one]
    assert len(shifted) == 1
    assert shifted[0].endswith("The headline holds if within `topic` they are.")


def test_labels_of_a_separate_set_are_not_labels_of_the_items_judged() -> None:
    split = ["calibration"] * 40 + ["test"] * 60
    judge = ["yes"] * 26 + ["no"] * 14 + ["yes"] * 20 + ["no"] * 40
    people = ["yes"] * 28 + ["no"] * 12 + ["-"] * 60
    task = {**BINARY, "calibration": "separate"}
    found = ga.report(table({"ann": people}, {"j": judge}, split=split), task, **FEW)
    text = said(found, "report.may_rate").text
    assert "judge's verdicts on 60 items corrected by people's labels on 40 others" in text


def test_items_that_divide_people_are_said_beside_the_rate_without_them() -> None:
    """Two people differ on 20 of 60 items; the rate rests on the labels of the other 40."""
    people = {"ann": TRUTH, "bob": flipped(TRUTH, range(20))}
    found = ga.report(table(people, {"j": TRUTH}), BINARY, **FEW)
    one = said(found, "report.may_rate")
    assert one.facts["divided"] == 20
    assert one.text.endswith("people's labels on 40 of 60 items, people being divided on 20).”")


def test_a_judge_that_is_turned_round_is_not_merely_unproved() -> None:
    frame = table({"ann": TRUTH}, {"j": flipped(TRUTH, range(50))})
    text = said(ga.report(frame, BINARY, **FEW), "report.chance").text
    assert text == (
        "`j` agrees with people less than chance would: its verdicts may be turned round."
    )


def test_no_forecast_is_made_from_hardly_any_difference() -> None:
    """41 and 40 errors on 200 items of which people call 100 yes: a gap of half a point."""
    people = ["yes", "no"] * 100
    judges = {"a": flipped(people, range(40)), "b": flipped(people, range(100, 141))}
    found = ga.select(table({"ann": people}, judges), BINARY, **FEW)
    one = said(found, "select.told_apart")
    assert one.facts["items_that_would_do"] is None
    assert "would" not in one.text


def test_whom_more_items_would_tell_from_the_first_is_named_where_others_are_worse() -> None:
    people = ["yes", "no"] * 60
    errors = {"a": range(6), "b": range(20, 32), "c": range(40, 90)}
    judges = {name: flipped(people, at) for name, at in errors.items()}
    text = said(ga.select(table({"ann": people}, judges), BINARY, **FEW), "select.told_apart").text
    assert "is better than `c`" in text
    assert "items would tell it from `b`" in text


@pytest.mark.parametrize("weights", [{}, {"ann": 2.0}])
def test_raters_are_said_to_count_alike_only_where_they_do(weights: dict[str, float]) -> None:
    weight = ["1", "3"] * 30
    frame = table({"ann": TRUTH, "bob": TRUTH}, {"j": TRUTH}, weight=weight)
    task = {**BINARY, **({"rater_weights": weights} if weights else {})}
    text = said(ga.agree(frame, task, **FEW), "agree.weights").text
    assert ("raters count alike" in text) == (not weights)
