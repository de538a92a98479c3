"""Sentences that were false, or said too late, when all was read a second time."""

from __future__ import annotations

from pathlib import Path

import polars as pl
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


def test_people_who_are_counted_votes_are_said_to_be_so(tmp_path: Path) -> None:
    """Three votes an item, counted; whose they are nobody knows."""
    rows = [
        f"i{k},{(k % 3) + (k % 2)},{3 - (k % 3) - (k % 2)},{'yes' if k % 3 else 'no'}"
        for k in range(90)
    ]
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(["item,yes_votes,no_votes,gpt", *rows]) + "\n")
    found = ga.replace(str(path))
    one = said(found, "replace.counted_votes")
    assert one in found.answer
    assert one.facts["columns"] == ["yes_votes", "no_votes"]
    assert "made-up people" in one.text
    assert len(found.answer) <= 3


def test_a_tau_that_may_be_anything_is_said_to_tell_nothing() -> None:
    """Two systems that people and judges find as good as each other, but for an item."""
    people, near = {"ash": 0.5, "elm": 0.525}, {"ash": 0.55, "elm": 0.5}
    frame = rated_systems({"people": people, "near": near, "far": people})
    rank = ga.rank(frame, BINARY, **FEW)
    first = said(rank, "rank.kendall_tau")
    assert (first.facts["low"], first.facts["high"]) == (-1.0, 1.0)
    assert first.text.startswith(
        "These ratings do not tell the 2 systems apart, so that there is no "
    )
    assert "rank.items_and_systems" not in keys(rank)
    report = ga.report(frame, BINARY, **FEW)
    assert "report.other_ranker" not in keys(report)


def test_an_audit_counts_abstentions_that_are_a_class() -> None:
    """Three people abstain on 12 of 60 items, on which `bold` says yes and `shy` abstains too.

    `yes` counts on 24 of the 60; both judges are right elsewhere.
    """
    people = ["?" if k >= 48 else value for k, value in enumerate(TRUTH)]
    raters = dict.fromkeys(("ann", "bob", "cy"), people)
    judges = {"bold": ["yes" if value == "?" else value for value in people], "shy": people}
    frame = table(raters, judges)
    task = {**BINARY, "abstain": ["?"], "abstentions": "class"}
    found = ga.audit(frame, task, resamples=60)
    assert not found.exclusions
    told = {one: said(found, "audit.downstream", judge=one).facts for one in judges}
    assert {one: facts["n_items"] for one, facts in told.items()} == {"bold": 60, "shy": 60}
    assert told["bold"]["judge_rate"] == 36 / 60
    assert told["bold"]["people_rate"] == told["shy"]["judge_rate"] == 24 / 60
    assert told["bold"]["decision_consistency"] == 48 / 60
    assert told["shy"]["options"] == ["yes"]
    left = ga.audit(frame, {**task, "abstentions": "exclude"}, resamples=60)
    assert said(left, "audit.downstream", judge="shy").facts["n_items"] == 48
    recoded = ga.audit(frame, {**task, "abstentions": "recode", "recode_to": "no"}, resamples=60)
    assert said(recoded, "audit.downstream", judge="bold").facts["people_rate"] == 24 / 60
    assert said(recoded, "audit.downstream", judge="bold").facts["n_items"] == 60


def test_of_several_criteria_those_where_the_judge_misleads_come_first() -> None:
    """On `tone` the judge is right and the interval is short; on `fact` it says yes too often."""
    rows = []
    for k in range(200):
        truth = {"fact": "yes" if k % 2 else "no", "tone": "yes" if k % 20 else "no"}
        says = {"fact": "yes" if k % 2 or k % 8 == 0 else "no", "tone": truth["tone"]}
        for criterion in ("tone", "fact"):
            about = {"item": f"i{k:03}", "criterion": criterion}
            rows.append({**about, "rater": "j", "kind": "judge", "value": says[criterion]})
            if k < 80:
                rows.append({**about, "rater": "ann", "kind": "human", "value": truth[criterion]})
    found = ga.estimate(pl.DataFrame(rows), {**BINARY, "calibration": "random"})
    first, second = found.answer[:2]
    assert [one.about["criterion"] for one in (first, second)] == ["fact", "tone"]
    assert {first.key, second.key} == {"estimate.prevalence"}
    width = [one.facts["high"] - one.facts["low"] for one in (first, second)]
    assert width[0] > width[1]


def test_a_rate_says_of_which_decisions_it_is() -> None:
    """People rate 60 items, two thirds of the first 48 yes; the judge decides those 48."""
    people = ["yes" if k % 3 else "no" for k in range(48)] + ["no"] * 12
    other = ["yes" if k % 6 == 0 else value for k, value in enumerate(people)]
    frame = table({"ann": people, "bob": people, "cy": other}, {"j": [*people[:48], *["-"] * 12]})
    found = ga.audit(frame, BINARY, resamples=60)
    own, every = said(found, "audit.downstream"), said(found, "audit.prevalence_by_beta")
    assert own.facts["people_rate"] == 32 / 48
    assert "of the 48 items that it decides too" in own.text
    assert every.facts["prevalence"][0] == 32 / 60
    assert every.text.startswith("Of all 60 items that they rated, people count 53 %")
    assert "compared on 60" not in said(found, "audit.people").text


def test_a_rate_that_may_be_anything_is_nothing_to_write() -> None:
    """A separate set of 40, or of 4, labelled items; the judge's verdicts on 60 or 5 others."""
    for labelled, others, told in ((40, 60, True), (4, 5, False)):
        split = ["calibration"] * labelled + ["test"] * others
        people = ["yes", "no"] * (labelled // 2) + ["-"] * others
        right = [*people[:labelled], *(["yes", "no"] * others)[:others]]
        judge = flipped(right, range(0, labelled, 8 if told else 2))
        frame = table({"ann": people}, {"j": judge}, split=split)
        found = ga.report(frame, {**BINARY, "calibration": "separate"}, **FEW)
        assert ("report.may_rate" in keys(found)) == told
        if told:
            one = said(found, "report.may_rate")
            assert one.facts["judged"] == others
            assert "judge's verdicts on 60 items corrected by people's labels on 40" in one.text


def test_an_output_of_a_system_is_no_item() -> None:
    """40 items answered by three systems are 120 outputs; pairs of them are comparisons."""
    rates = {"ash": 0.9, "elm": 0.6, "fir": 0.3}
    frame = rated_systems({"people": rates, "j": {"ash": 0.8, "elm": 0.5, "fir": 0.4}})
    twice = pl.concat([frame, frame.filter(kind="human").with_columns(rater=pl.lit("bob"))])
    assert "of 120 outputs by" in said(ga.check(twice, BINARY), "check.read").text
    assert "of 120 outputs" in said(ga.agree(twice, BINARY, **FEW), "agree.accuracy").text
    assert "of the outputs" in said(ga.replace(twice, BINARY), "replace.advantage_probability").text
    assert "120 outputs" in said(ga.audit(twice, BINARY, resamples=60), "audit.people").text
    assert "of these 120 outputs" in said(ga.estimate(twice, BINARY), "estimate.all_labelled").text
    values = ["first", "second", "first", "second"] * 5
    pairs = {"system": ["ash", "ash", "elm", "elm"] * 5, "opponent": ["elm", "fir"] * 10}
    battles = table({"ann": values}, {"j": values}, **pairs)
    assert "of 20 comparisons" in said(ga.agree(battles, PAIRS, **FEW), "agree.accuracy").text


def test_a_definition_by_which_all_judges_are_alike_selects_none() -> None:
    """People say yes throughout: every kappa is 0, whichever judge is right more often."""
    judges = {"a": flipped(TRUTH, range(0, 60, 2)), "b": ["yes"] * 54 + ["no"] * 6}
    frame = table(dict.fromkeys(("ann", "bob"), ["yes"] * 60), judges)
    found = ga.audit(frame, BINARY, resamples=60)
    assert said(found, "audit.selection").about["judge"] == "b"
    assert "takes `a`" not in every_text(found)


def test_scores_by_criteria_are_decisions() -> None:
    rows = [
        {"item": f"i{k // 2:02}", "criterion": "ab"[k % 2], "rater": who, "kind": kind, "value": v}
        for k in range(60)
        for who, kind, v in (("ann", "human", f"{k % 7}"), ("j", "judge", f"{k % 5 + k % 7}"))
    ]
    found = ga.agree(pl.DataFrame(rows), {"scale": "continuous"}, **FEW)
    assert "over 60 decisions" in said(found, "agree.correlation").text


def test_an_option_that_no_item_has_as_a_whole_is_a_share_of_ratings() -> None:
    """One of five people says `maybe` on every item, and nobody else; the judge never does."""
    people = {f"p{n}": TRUTH for n in range(4)} | {"p4": ["maybe"] * 60}
    task = {"scale": "nominal", "options": ["yes", "no", "maybe"], "reference": "soft"}
    one = said(ga.agree(table(people, {"j": TRUTH}), task, **FEW), "agree.option", option="maybe")
    assert "which is 20 % of people's ratings" in one.text
    assert "items to which people give it" not in one.text
    whole = {**people, "p3": ["maybe"] * 60, "p2": ["maybe"] * 60}
    told = ga.agree(table(whole, {"j": TRUTH}), {**task, "reference": "majority"}, **FEW)
    assert not any("of people's ratings" in text.text for text in told.notes)
