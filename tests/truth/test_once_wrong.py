"""Sentences that were once false, each on a small table: what must not be said, and what must."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from internals import no_gold_labels as paper
from naive_ratings import NaiveStudy
from told_tables import (
    BINARY,
    FEW,
    GRADES,
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
from goldassay import Estimate, Findings, InputError, Undefined


def naive(frame: pl.DataFrame, task: Mapping[str, Any]) -> NaiveStudy:
    return NaiveStudy(frame.to_dicts(), task)


def test_judges_that_say_the_same_where_both_decide_are_level() -> None:
    """`bold` errs on 6 of 60; `shy` says the same, but nothing where `bold` errs."""
    bold = flipped(TRUTH, range(6))
    shy = ["-" if k < 6 else value for k, value in enumerate(bold)]
    found = ga.select(table({"ann": TRUTH}, {"bold": bold, "shy": shy}), BINARY, **FEW)
    best, apart = said(found, "select.best"), said(found, "select.told_apart")
    assert (best.facts["value"], best.facts["n_items"]) == (1.0, 54)
    assert "on the 54 items that both decide" in best.text
    assert len(apart.facts["cannot_be_told_from"]) == 1
    assert "better" not in every_text(found)


def test_a_report_names_no_best_of_level_judges() -> None:
    """Two judges with 6 and 7 errors in 60."""
    judges = {"a": flipped(TRUTH, range(6)), "b": flipped(TRUTH, range(30, 37))}
    found = ga.report(table({"ann": TRUTH}, judges), {**BINARY, "calibration": "random"}, **FEW)
    assert "is the best of" not in every_text(found)
    assert said(found, "report.trust").facts["rivals"] == ["b"]
    assert "report.may_best" not in keys(found)
    assert said(found, "report.not_best").facts["rivals"] == ["b"]


def test_a_report_counts_as_many_rivals_as_select() -> None:
    judges = {f"j{n:02}": flipped(TRUTH, range(n // 2)) for n in range(24)}
    frame = table({"ann": TRUTH}, judges)
    level = said(ga.select(frame, BINARY, **FEW), "select.told_apart").facts["cannot_be_told_from"]
    trust = said(ga.report(frame, BINARY, **FEW), "report.trust")
    assert sorted(trust.facts["rivals"]) == sorted(level)
    assert len(level) == len(judges) - 1
    assert f"The {len(judges)} judges cannot be told apart" in trust.text


def test_ties_that_count_half_are_said_and_people_are_held_to_the_same() -> None:
    """People call 20 of 50 ties; the judge none, and it is right on 25 of the other 30.

    25 + 20 halves of 50 are 70 %; with one person, and two people, by the same rule.
    """
    people = ["tie"] * 20 + ["first", "second"] * 15
    judge = ["first"] * 20 + people[20:45] + ["first", "second", "first", "second", "first"]
    assert sum(a == b for a, b in zip(people, judge, strict=True)) == 25
    systems = {"system": ["ash"] * 50, "opponent": ["elm"] * 50}
    found = ga.agree(table({"ann": people, "bob": people}, {"j": judge}, **systems), PAIRS, **FEW)
    first, beside = found.answer[0], said(found, "agree.beside_people")
    assert first.facts["value"] == pytest.approx(0.7)
    assert "a tie counts half; it calls 0 % ties, the majority 40 %" in first.text
    assert beside.facts["agreement_with_a_person"] == pytest.approx(0.7)
    assert beside.facts["agreement_of_two_people"] == pytest.approx(1.0)


def test_an_adjudicator_does_not_speak_for_how_far_people_agree() -> None:
    """Two people agree on 156 of 200 items; a third rates only the 44 disputed ones."""
    ann = ["yes", "no"] * 100
    bob = flipped(ann, range(44))
    cy = ["yes" if k < 44 else "-" for k in range(200)]
    found = ga.agree(table({"ann": ann, "bob": bob, "cy": cy}, {"j": ann}), BINARY, **FEW)
    people = said(found, "agree.people")
    assert people.facts["human_observed_agreement"] == pytest.approx(0.78)
    assert (people.facts["pairs"], people.facts["left_out"]) == (200, ["cy"])
    beside = said(found, "agree.beside_people")
    assert beside.facts["agreement_of_two_people"] == pytest.approx(0.78)
    assert "cannot be told" in beside.text or beside.facts["high"] < 0 or beside.facts["low"] > 0


def test_four_grades_are_held_against_guessing_among_four() -> None:
    """Right on half of 120 items in four even grades: more than the quarter that guessing has."""
    people = [str(k % 4 + 1) for k in range(120)]
    judge = [value if (k // 4) % 2 else str((k + 1) % 4 + 1) for k, value in enumerate(people)]
    found = ga.select(table({"ann": people}, {"a": judge, "b": judge}), GRADES, **FEW)
    assert said(found, "select.best").facts["value"] == pytest.approx(0.5)
    assert "select.guessing" not in keys(found)
    assert "coin" not in every_text(found)


def test_a_tau_that_medians_of_yes_and_no_leave_open_is_that_of_the_means() -> None:
    """Rates of 90, 75 and 60 %: every median is yes, and the order of the means is people's."""
    rates = {"ash": 0.9, "elm": 0.75, "fir": 0.6}
    frame = rated_systems({"people": rates, "j": rates})
    rank = said(ga.rank(frame, BINARY, **FEW), "rank.kendall_tau")
    assert (rank.facts["value"], rank.facts["aggregation"]) == (1.0, "mean")
    assert "undefined" not in "".join(one.text for one in ga.report(frame, BINARY, **FEW).answer)


def test_that_the_first_on_items_is_not_the_first_on_systems_is_said() -> None:
    """`near` decides nearly all as people do but turns two systems round; `far` shifts them all."""
    people = {"ash": 0.9, "elm": 0.75, "fir": 0.7}
    near, far = {"ash": 0.9, "elm": 0.7, "fir": 0.725}, {"ash": 0.6, "elm": 0.45, "fir": 0.4}
    rates = {"people": people, "near": near, "far": far}
    found = ga.rank(rated_systems(rates, items=400), BINARY, **FEW)
    one = said(found, "rank.items_and_systems")
    assert (one.about["judge"], one.facts["leader"]) == ("near", "far")
    assert one.facts["value"] > one.facts["leader_value"]
    assert one.facts["tau"] < one.facts["leader_tau"] == 1.0


def test_as_decisive_as_people_only_where_the_interval_says_so() -> None:
    """Eight battles tell nothing of decisiveness."""
    systems = {
        "system": ["ash", "ash", "elm", "ash"] * 2,
        "opponent": ["elm", "fir", "fir", "elm"] * 2,
    }
    values = ["first", "second", "first", "second", "first", "first", "second", "first"]
    judge = ["first", "first", "first", "second", "second", "first", "second", "first"]
    found = ga.rank(table({"ann": values}, {"j": judge}, **systems), PAIRS, **FEW)
    assert "twice as decisive" not in every_text(found)


def test_a_gap_of_nothing_is_not_told_apart_by_any_number_of_items() -> None:
    judge = flipped(TRUTH, range(6))
    found = ga.select(table({"ann": TRUTH}, {"a": judge, "b": judge}), BINARY, **FEW)
    assert said(found, "select.cannot_tell").facts["items_that_would_do"] is None
    assert "would do" not in every_text(found)


def test_votes_on_a_battle_count_as_the_reference_declares() -> None:
    """`ash` wins all ten battles with `elm` by two votes of three; `fir` wins seven by three.

    As votes `ash` has 20 of 30 and `fir` 24 of 30; by majority 10 of 10 and 7 of 10. The judge
    decides as the majority does.
    """
    systems = {"system": ["ash"] * 10 + ["fir"] * 10, "opponent": ["elm"] * 20}
    lost = ["first"] * 7 + ["second"] * 3
    votes = {"ann": ["first"] * 20, "bob": ["first"] * 10 + lost, "cy": ["second"] * 10 + lost}
    frame = table(votes, {"j": votes["bob"]}, **systems)
    taus = {}
    for reference in ("each", "majority"):
        found = ga.rank(frame, {**PAIRS, "reference": reference}, aggregation=["win_rate"], **FEW)
        taus[reference] = said(found, "rank.kendall_tau").facts["value"]
    assert taus == {"each": pytest.approx(1 / 3), "majority": pytest.approx(1.0)}


def test_a_separate_set_is_not_part_of_the_judges_own_rate() -> None:
    """Yes on 30 of 40 calibration items and on 20 of 60 test items: the rate used is a third."""
    split = ["calibration"] * 40 + ["test"] * 60
    judge = ["yes"] * 30 + ["no"] * 10 + ["yes"] * 20 + ["no"] * 40
    people = ["yes"] * 28 + ["no"] * 12 + ["-"] * 60
    task = {**BINARY, "calibration": "separate"}
    found = ga.estimate(table({"ann": people}, {"j": judge}, split=split), task)
    assert said(found, "estimate.prevalence").facts["called"] == pytest.approx(20 / 60)
    assert "calls 33 % `yes`" in found.answer[0].text


def test_where_all_is_labelled_the_rate_is_peoples() -> None:
    judges = {f"j{n}": flipped(TRUTH, range(n)) for n in range(11)}
    people = ["yes"] * 42 + ["no"] * 18
    found = ga.estimate(table({"ann": people}, judges), {**BINARY, "calibration": "random"})
    assert len(found.answer) == 1
    assert "All items are labelled: the rate of `yes` is people's, 70 %" in found.answer[0].text
    assert "cannot be told" not in every_text(found)


def test_the_headline_follows_the_declared_strata() -> None:
    """The judge calls all of `a` right and half of `b` wrong; most unlabelled items are of `b`."""
    topic = ["a"] * 60 + ["b"] * 140
    people = ["yes", "no"] * 15 + ["-"] * 30 + ["no"] * 20 + ["-"] * 120
    judge = ["yes", "no"] * 30 + ["yes", "no"] * 70
    frame = table({"ann": people}, {"j": judge}, topic=topic)
    found = ga.estimate(frame, {**BINARY, "calibration": "random"}, strata=["topic"])
    one = said(found, "estimate.prevalence")
    # Within `a` half of 60 items are yes, within `b` none of 140: 30 of 200, where labels alone
    # say 15 of 50.
    assert one.facts["value"] == pytest.approx(0.15, abs=0.01)
    assert one.facts["value"] == found["prevalence", "j"].value
    assert one.facts["strata"] == ["topic"]


def test_empty_verdicts_declared_invalid_are_no_verdicts() -> None:
    judge = ["" if k < 6 else value for k, value in enumerate(TRUTH)]
    task = {**BINARY, "invalid": [""], "calibration": "random"}
    frame = table({"ann": TRUTH}, {"j": judge})
    found = ga.agree(frame, task, **FEW)
    assert said(found, "agree.coverage").facts["missing"] == pytest.approx(0.1)
    some = ["-" if k % 10 == 9 else value for k, value in enumerate(TRUTH)]
    frame = table({"ann": some}, {"j": judge})
    rates = ga.estimate(frame, task)
    assert rates["prevalence", "j"].declared["without_verdict"] == 6
    assert said(rates, "estimate.over_all").facts["undecided"] == 6


def test_an_audit_says_what_never_counting_is_worth() -> None:
    """A judge that never gives the counted grades decides as people do where they do not either."""
    people = ["4"] * 6 + ["1", "2"] * 27
    judges = {"never": ["1", "2"] * 30, "often": ["4"] * 5 + ["1"] + ["1", "2"] * 27}
    task = {**GRADES, "counted": ["4"]}
    raters = dict.fromkeys(("ann", "bob"), people)
    found = ga.audit(table(raters, judges), task, resamples=60)
    first = said(found, "audit.downstream")
    assert first.about["judge"] == said(found, "audit.selection").about["judge"] == "often"
    assert first.facts["all_alike"] == pytest.approx(0.9)
    never = said(found, "audit.downstream", judge="never")
    assert "never counts one as `4` and so decides as people do on 90 % [" in never.text


def test_abstentions_that_are_a_class_are_one_among_judges_too() -> None:
    """Three judges that abstain on different items: alpha of three classes, over all items."""
    a = ["pass" if k % 5 == 0 else v for k, v in enumerate(TRUTH)]
    b = ["pass" if k % 7 == 0 else v for k, v in enumerate(flipped(TRUTH, range(9)))]
    task = {**BINARY, "abstain": ["pass"], "abstentions": "class"}
    found = ga.agree(table({"ann": TRUTH}, {"a": a, "b": b}), task, **FEW)
    alpha = found["judges_krippendorff_alpha"]
    assert isinstance(alpha, Estimate)
    assert (alpha.n_items, alpha.declared["abstentions"]) == (60, "class")
    # The same alpha, of the two judges as if they were people.
    people = table({"a": a, "b": b}, {"j": TRUTH})
    assert alpha.value == pytest.approx(naive(people, task).human_krippendorff_alpha())
    text = said(found, "agree.methods").text
    assert "over 60 items (abstentions class)" in text


def test_systems_are_ranked_by_the_declared_verdicts_of_repeated_runs() -> None:
    """Every verdict given twice: `no` is a verdict, and nothing advises to declare it invalid."""
    once = rated_systems({"people": {"ash": 0.9, "elm": 0.6}, "j": {"ash": 0.8, "elm": 0.5}})
    judged = once.filter(pl.col("kind") == "judge")
    again = [judged.with_columns(sample=pl.lit(str(k))) for k in range(2)]
    frame = pl.concat([once.filter(pl.col("kind") == "human"), *again], how="diagonal")
    found = ga.rank(frame, BINARY, **FEW)
    assert said(found, "rank.kendall_tau").facts["value"] == 1.0
    assert "invalid" not in every_text(found)


def several_realizations(tmp_path: Path) -> tuple[Path, pl.DataFrame]:
    """A store of a number, a grade in words, yes or no, and a comparison; and people's yes."""
    good = {"ash": 8, "elm": 5, "fir": 2}
    store, (judges, people) = tmp_path / "r.db", ([], [])
    for k, (system, of) in itertools.product(range(20), good.items()):
        place = (7 * k) % 10
        unit = {"item": f"q{k:02}", "system": system}
        grade = ("Bad", "Mediocre", "Good")[(of > 3) + (of > 6)]
        says = "yes" if place < of else "no"
        people.append({**unit, "rater": "ann", "kind": "human", "value": says})
        for rater, value, score in (
            ("number", str(of * 10 + place), of * 10.0 + place),
            ("grade", grade, {"Bad": 2.0, "Mediocre": 3.0, "Good": 4.0}[grade]),
            ("verdict", says, None),
        ):
            judges.append(
                {**unit, "opponent": None, "rater": rater, "value": value, "score": score}
            )
        if system != "fir":
            against = {"opponent": "fir", "rater": "anchor", "value": str(of // 4)}
            judges.append({**unit, **against, "score": float(of // 4)})
    with contextlib.closing(sqlite3.connect(store)) as connection:
        columns = ("item", "system", "opponent", "rater", "kind", "value", "score")
        connection.execute(f"CREATE TABLE ratings ({', '.join(columns)})")
        rows = [tuple({**row, "kind": "judge"}[c] for c in columns) for row in judges]
        connection.executemany("INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    return store, pl.DataFrame(people)


def test_a_store_of_several_realizations_ranks_with_every_judge(tmp_path: Path) -> None:
    """`yes` and `no` beside numbers and grades are 1 and 0: no verdict is lost."""
    store, people = several_realizations(tmp_path)
    people.write_csv(path := tmp_path / "people.csv")
    found = ga.rank([str(store), str(path)], **FEW)
    taus = found.rows_where(name="kendall_tau", aggregation="mean")
    assert {row.about["judge"] for row in taus} == {"anchor", "grade", "number", "verdict"}
    assert found.exclusions == ()
    level = said(found, "rank.kendall_tau")
    # Of two systems only, the comparison with the third is not level with the others.
    assert "anchor" not in [level.about["judge"], *level.facts["level_with"]]


def test_no_advice_loses_verdicts_of_several_realizations(tmp_path: Path) -> None:
    store, _ = several_realizations(tmp_path)
    for task in (BINARY, {"scale": "continuous"}):
        with pytest.raises(InputError) as caught:
            ga.rank(str(store), task, **FEW)
        assert "invalid = " not in str(caught.value)
        assert '"yes" = "1"' in str(caught.value)
        assert '"no" = "0"' in str(caught.value)


def test_equal_scores_have_no_first() -> None:
    """Medians of yes and no are all yes: no system is first."""
    rates = {"ash": 0.9, "elm": 0.75, "fir": 0.6}
    frame = rated_systems({"people": rates, "j": rates})
    top = said(ga.rank(frame, BINARY, aggregation=["median"], **FEW), "rank.top")
    assert sorted([top.facts["first"], *top.facts["level_with"]]) == ["ash", "elm", "fir"]
    assert "same score" in top.text
    assert " first" not in top.text


def test_a_panel_is_held_against_its_best_member_on_the_items_that_both_decide() -> None:
    judges = {n: flipped(TRUTH, range(5 * k, 5 * k + 5)) for k, n in enumerate("abc")}
    judges["a"] = ["-" if k > 49 else value for k, value in enumerate(judges["a"])]
    found = ga.agree(table({"ann": TRUTH}, judges), BINARY, **FEW)
    one = said(found, "agree.juries")
    for items, verdict, low, high in zip(
        *(one.facts[key] for key in ("items", "verdicts", "lows", "highs")), strict=True
    ):
        assert f"on the {items} items that both decide" in one.text
        assert verdict == (
            "beats" if low > 0 else "is worse than" if high < 0 else "cannot be told from"
        )


def test_a_chance_to_be_best_is_never_near_one_beside_a_level_judge() -> None:
    judges = {"a": flipped(TRUTH, range(6)), "b": flipped(TRUTH, range(30, 38))}
    found = ga.select(table({"ann": TRUTH}, judges), BINARY, **FEW)
    assert said(found, "select.told_apart").facts["cannot_be_told_from"] == ["b"]
    judged = found.tables["judges"]
    chances = [
        row[at]
        for at, name in enumerate(judged.columns)
        if "best" in name
        for row in judged.rows
        if isinstance(row[at], float)
    ]
    assert all(chance < 0.99 for chance in chances)


def test_grades_on_which_two_people_differ_are_told_at_once() -> None:
    """Two people one grade apart on half of 40 items: no majority there, and a median of both."""
    ann = [str(k % 4 + 1) for k in range(40)]
    bob = [str(min(int(v) + 1, 4)) if k % 2 == 0 else v for k, v in enumerate(ann)]
    divided = sum(a != b for a, b in zip(ann, bob, strict=True))
    frame = table({"ann": ann, "bob": bob}, {"j": ann})
    found = ga.agree(frame, {**GRADES, "reference": "majority"}, **FEW)
    assert f"people tie on {divided} more, which are left out" in found.answer[0].text
    median = ga.agree(frame, {**GRADES, "reference": "median"}, **FEW)
    assert median.answer[0].facts["n_items"] == 40
    assert "the median of people's ratings" in median.answer[0].text
    assert "tie on" not in median.answer[0].text


def weighted() -> Iterator[tuple[str, Findings]]:
    rates = {"ash": 0.9, "elm": 0.6}
    frame = rated_systems({"people": rates, "j": rates, "k": {"ash": 0.7, "elm": 0.5}})
    frame = frame.with_columns(
        weight=pl.when(pl.col("item") < "i20").then(pl.lit("1")).otherwise(pl.lit("3"))
    )
    task = {**BINARY, "calibration": "random"}
    for verb in ("agree", "select", "estimate", "plan", "rank", "audit"):
        few = {} if verb in ("estimate", "plan") else {"resamples": 60}
        yield verb, getattr(ga, verb)(frame, task, **few)


def test_every_question_says_what_it_does_with_weights() -> None:
    for verb, found in weighted():
        used = verb not in ("rank", "audit")
        assert said(found, f"{verb}.weights").facts["used"] is used, verb
        people = said(found, "audit.people") if verb == "audit" else None
        assert people is None or people.facts["ratings_per_item"] == 1.0


def test_items_without_a_verdict_are_counted_and_not_weighed() -> None:
    """Two of 60 items are blank; of weight 3 each they are two items all the same."""
    judge = ["pass" if k < 2 else value for k, value in enumerate(TRUTH)]
    weight = ["3" if k < 2 else "1" for k in range(60)]
    task = {**BINARY, "abstain": ["pass"], "calibration": "random"}
    people = ["-" if k in (0, 1, 58, 59) else value for k, value in enumerate(TRUTH)]
    found = ga.estimate(table({"ann": people}, {"j": judge}, weight=weight), task)
    bounds = said(found, "estimate.prevalence_bounds")
    assert bounds.facts["without_verdict"] == {"abstained": 2.0}
    # 29 of 58 judged items are yes; the blank ones weigh 6: (29 + 3) / 64 in the middle.
    assert bounds.facts["value"] == pytest.approx(32 / 64)
    assert "(2 abstained)" in bounds.text


def test_a_judge_silent_on_bad_outputs_of_one_system_does_not_make_it_better() -> None:
    """Half of each system's outputs are bad; of one system the judge leaves half of these out."""
    truth = ["yes", "no"] * 100
    judge = ["pass" if k % 2 and k < 100 and k % 4 == 1 else v for k, v in enumerate(truth)]
    people = [value if k % 20 < 12 else "-" for k, value in enumerate(truth)]
    system = ["ash" if k < 100 else "elm" for k in range(200)]
    frame = table({"ann": people}, {"j": judge}, system=system)
    task = {**BINARY, "abstain": ["pass"], "calibration": "random"}
    found = ga.compare(frame, task)
    assert found.answer[0].text.startswith("On what `j` decides, ")
    one = said(found, "compare.undecided")
    assert one.facts["undecided"] == {"ash": 25, "elm": 0}
    assert one.facts["asked"] == {"ash": 100, "elm": 100}
    whole = ga.compare(frame, {**task, "abstentions": "class"})
    assert whole.answer[0].facts["value"] == pytest.approx(0.0, abs=0.05)
    assert "decides" not in whole.answer[0].text
    ranked = [one.text for one in ga.rank(frame, task, **FEW).answer]
    assert [text for text in ranked if "by its own verdicts" in text]
    of_people = [text for text in ranked if "with people's labels" in text]
    assert not [text for text in of_people if not text.startswith("On what")]
    rates = ga.estimate(frame, task)
    assert said(rates, "estimate.prevalence").facts["of_decided"] is True
    over_all = said(rates, "estimate.over_all")
    assert (over_all.facts["n_items"], over_all.facts["undecided"]) == (200, 25)
    by_class = ga.estimate(frame, {**task, "abstentions": "class"})["prevalence", "j"]
    assert over_all.facts["value"] == pytest.approx(by_class.value)
    assert (over_all.facts["low"], over_all.facts["high"]) == pytest.approx(
        (by_class.interval.low, by_class.interval.high)
    )


def test_an_order_turned_round_is_no_success() -> None:
    """Two systems, and the judge's order is people's reversed."""
    rates = {"people": {"ash": 0.6, "elm": 0.5}, "j": {"ash": 0.5, "elm": 0.6}}
    found = ga.rank(rated_systems(rates), BINARY, **FEW)
    one = said(found, "rank.kendall_tau")
    assert one.facts["value"] == -1.0
    assert one.facts["agree"] in ("no", "unknown")
    for word in ("closest", "most like", "best ranker", "100 %"):
        assert word not in every_text(found)


def told_findings(losses: Any, gain: float = 0.0) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """What is said of panels by their (categorical, distributional) losses of consistency.

    Every rating after the first adds `gain` in all; four repetitions differ by hardly anything.
    """
    labels = [*paper.CATEGORICAL, *paper.DISTRIBUTIONAL]
    noise = np.array([-1e-4, 1e-4, -1e-4, 1e-4])

    def panel(categorical: float, distributional: float) -> SimpleNamespace:
        row = np.array(
            [0.9 - (categorical if x in paper.CATEGORICAL else distributional) for x in labels]
        )
        more = [0.0 if n == 1 else gain for n in paper.BUDGETS]
        runs = np.add.outer(noise, np.add.outer(more, row))
        return SimpleNamespace(runs=runs, correlation_runs=np.add.outer(noise, row))

    found: Any = {name: panel(*losses.get(name, (0.0, 0.0))) for name in paper.PANELS}
    consistency = np.full((4, 1, len(paper.THRESHOLDS)), 0.7) + noise[:, None, None]
    grid = {at: np.full((4, 2), 0.9) + noise[:, None] for at in ((0.0, 0.0), (0.4, 0.0))}
    under = np.full((3, 4), -0.1) + noise
    told = paper.check(found, labels, consistency, under, grid)
    return told, [name for name, (state, _) in told.items() if state == "no"]


def test_a_finding_holds_only_by_the_same_metrics_on_both_sides() -> None:
    """Lapses cost the categorical metrics .05 and asymmetric effects .02: lapses matter more.

    The distributional metrics lose nothing by lapses; beside these the statement would seem true.
    """
    _, _, asym, _, added = paper.PANELS
    told, failed = told_findings({asym: (0.02, 0.02), added: (0.07, 0.02)})
    assert "3, categorical metrics: lapses matter less than selection effects" in failed
    name = "3, distributional metrics: lapses matter less than selection effects"
    assert told[name][0] != "no"


def test_more_ratings_are_held_against_another_metric_and_not_against_effects_alone() -> None:
    """Three ratings add .03, symmetric effects .01, and a distributional metric .05."""
    _, sym, asym, _, _ = paper.PANELS
    told, failed = told_findings({sym: (0.05, 0.0), asym: (0.06, 0.01)}, gain=0.03)
    assert told["1a: three ratings instead of one help more than symmetric effects"][0] == "yes"
    name = "1a: three ratings instead of one help more than the metric"
    assert name in failed
    assert told[name][1].startswith("+0.030 from three ratings for categorical metrics, +0.050 ")


def test_judges_of_different_items_are_not_compared_and_share_no_rate() -> None:
    """`left` has the first 30 items and `right` the others, of which people call all `no`."""
    people = ["yes"] * 20 + ["no"] * 40
    left = [v if k < 30 else "-" for k, v in enumerate(people)]
    right = [v if k >= 30 else "-" for k, v in enumerate(flipped(people, range(50, 55)))]
    frame = table({"ann": people}, {"left": left, "right": right})
    assert "no item is decided by all of them" in every_text(ga.select(frame, BINARY, **FEW))
    by_rows = {**BINARY, "asked": "rows"}
    assert "All items are labelled" not in every_text(ga.estimate(frame, by_rows))


def test_a_grade_that_nobody_gives_does_not_stretch_the_others() -> None:
    """Two people give 1 or 2, at times one of each; 3 and 4 are declared and never given."""
    ann, bob = ["1", "2"] * 40, ["1", "2"] * 30 + ["1", "1"] * 10
    frame = table({"ann": ann, "bob": bob}, {"j": ann})
    wide = ga.estimate(frame, {**GRADES, "reference": "median"})
    narrow = ga.estimate(frame, {**GRADES, "options": ["1", "2", "3"], "reference": "median"})
    for found in (wide, narrow):
        (rate,) = [
            row.result
            for row in found.rows
            if row.result.name == "prevalence" and row.about.get("option") == "1"
        ]
        assert rate.value == pytest.approx(45 / 80)  # 40, and half of the ten that divide people
        assert rate.interval is not None
        assert 0.4 < rate.interval.low < rate.interval.high < 0.75


def test_where_all_options_are_labelled_the_rates_are_peoples_and_options_are_named() -> None:
    people = ["first"] * 30 + ["second"] * 20 + ["tie"] * 10
    judges = {"a": ["first"] * 40 + ["second"] * 20, "b": people}
    systems = {"system": ["ash"] * 60, "opponent": ["elm"] * 60}
    found = ga.estimate(table({"ann": people}, judges, **systems), PAIRS)
    assert "the rates are people's, 50 % `first`, 33 % `second` and 17 % `tie`" in str(
        found.answer[0].text
    )
    assert not any("drawn" in one for one in found.warnings)
    assert found.summary is not None
    assert found.summary.columns[0] == "option"


@pytest.mark.parametrize("silent", [(3,), (3, 4)])
def test_an_item_that_one_repeat_decides_is_no_item_without_a_verdict(
    silent: tuple[int, ...],
) -> None:
    """One of two verdicts on an item is invalid, both on another, and some items have no label."""
    rows = []
    for k, value in enumerate(TRUTH):
        rows += [(f"i{k:03}", "ann", "human", value, "")] if k < 50 else []
        rows += [(f"i{k:03}", "j", "judge", "?" if k == 4 and k in silent else value, "1")]
        rows += [(f"i{k:03}", "j", "judge", "?" if k in silent else value, "2")]
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value", "sample"], orient="row")
    task = {**BINARY, "invalid": ["?"], "calibration": "random"}
    found = ga.estimate(frame, task)
    bounds = [row.result for row in found.rows if row.result.name == "prevalence_bounds"]
    assert [one.n_items for one in bounds] == ([60] if len(silent) > 1 else [])  # as many as are
    text = " ".join(one.text for one in (*found.answer, *found.notes))
    assert ("the 1 without a verdict of `j` included" in text) == (len(silent) > 1)


def test_peoples_rate_of_one_criterion_does_not_stand_for_all() -> None:
    people = ["yes"] * 15 + ["no"] * 45
    criterion = ["a", "b", "c"] * 20
    found = ga.estimate(table({"ann": people}, {"j": TRUTH}, criterion=criterion), BINARY)
    assert found.summary is not None
    assert "people" not in [line.label for line in found.summary.lines]


def test_what_may_be_written_is_not_forbidden() -> None:
    """People call 310 of 500 items yes, of which the judge's own rate is one item more."""
    people = ["yes"] * 310 + ["no"] * 190
    judge = ["yes"] * 311 + ["no"] * 189
    found = ga.report(table({"ann": people}, {"j": judge}), BINARY, **FEW)
    assert "report.may_rate" in keys(found)
    assert "report.not_own_rate" not in keys(found)


def test_where_all_is_labelled_nobody_asks_how_labels_were_drawn_and_winners_come_first() -> None:
    rates = {"ash": 0.3, "elm": 0.6, "fir": 0.9}
    found = ga.compare(rated_systems({"people": rates, "j": rates}, items=80), BINARY)
    assert not any("drawn" in one for one in found.warnings)
    assert found.summary is not None
    values = [line.cells[0] for line in found.summary.lines]
    assert all(isinstance(one, Estimate) and one.value > 0 for one in values)
    told = [line.cells[1] for line in found.summary.lines]
    assert told == sorted(told)  # better, then cannot tell


def test_one_rater_an_item_is_no_even_split() -> None:
    found = ga.audit(table({"ann": TRUTH}, {"a": TRUTH, "b": flipped(TRUTH, range(9))}), BINARY)
    assert "split so evenly" not in every_text(found)


def test_one_option_has_no_rate_and_a_check_says_so() -> None:
    frame = table({"ann": ["tie"] * 20}, {"j": ["tie"] * 20})
    task = {"scale": "nominal", "options": ["tie"]}
    with pytest.raises(InputError, match="a rate is one of several options"):
        ga.estimate(frame, task)
    assert "estimate" in said(ga.check(frame, task), "check.answers").facts["not_yet"]


def test_one_class_is_nothing_to_select_by_and_a_check_says_so() -> None:
    judges = {"a": TRUTH, "b": flipped(TRUTH, range(6))}
    frame = table({"ann": ["yes"] * 60}, judges)
    asked = said(ga.check(frame, BINARY), "check.answers").facts
    assert (
        asked["not_yet"]["select"] == "labels of a second class: the reference is `yes` everywhere"
    )
    assert (
        "select"
        in said(ga.check(table({"ann": TRUTH}, judges), BINARY), "check.answers").facts["now"]
    )
    # The share of equal decisions needs no second class, and select gives it.
    other = {**BINARY, "goal": "filter"}
    assert "select" in said(ga.check(frame, other), "check.answers").facts["now"]
    assert "select.best" in keys(ga.select(frame, other, **FEW))


@pytest.mark.parametrize("left", ["blank", "absent"])
def test_where_all_is_labelled_the_rate_is_of_all_whatever_the_judge_left(left: str) -> None:
    """Twelve of 60 items without a verdict, eleven of which people call `yes`."""
    people = ["yes" if k < 12 or k % 3 == 0 else "no" for k in range(60)]
    people[5] = "no"
    silent = "?" if left == "blank" else "-"
    judge = [silent if k < 12 else value for k, value in enumerate(people)]
    task = {**BINARY, "invalid": ["?"]}
    found = ga.estimate(table({"ann": people}, {"j": judge}), task)
    told = said(found, "estimate.all_labelled")
    assert told.facts["value"] == pytest.approx(people.count("yes") / 60)
    assert told.facts["labelled"] == 60
    own = found.rows_where(name="prevalence_naive")[0].result
    assert isinstance(own, Estimate)
    assert own.value == pytest.approx(16 / 48)
    out = {one.reason: one.rows for one in found.exclusions}
    assert out == ({"judge's rating invalid": 12} if left == "blank" else {})


def test_grades_that_are_all_labelled_are_of_all_items() -> None:
    people = [str(k % 4 + 1) for k in range(80)]
    judge = ["?" if k % 4 == 3 else value for k, value in enumerate(people)]
    found = ga.estimate(table({"ann": people}, {"j": judge}), {**GRADES, "invalid": ["?"]})
    of_mean, of_rates = [
        one for one in (*found.answer, *found.notes) if one.key == "estimate.all_labelled"
    ]
    assert of_rates.facts["rates"] == pytest.approx(dict.fromkeys("1234", 0.25))
    assert of_mean.facts["means"] == pytest.approx({"": 2.5})
    own = said(found, "estimate.mean_score")
    assert own.text.startswith("`j` scores 2.00 on average of the 60 that it scores.")
    assert own.facts["called"] == pytest.approx(2.0)


def test_items_without_label_and_verdict_are_not_called_labelled() -> None:
    people = ["-" if k < 3 else "yes" if k % 2 else "no" for k in range(60)]
    judge = ["?" if k < 6 else value for k, value in enumerate(people)]
    task = {**BINARY, "invalid": ["?"]}
    found = ga.estimate(table({"ann": people}, {"j": judge}), task)
    assert said(found, "estimate.all_labelled").text.startswith("All items that are decided are")


def test_win_rates_that_are_all_won_tell_nothing_of_decisiveness() -> None:
    """People prefer one system in every battle: every curve goes there, and none is narrower."""
    rows = {"system": ["ash"] * 30 + ["elm"] * 30, "opponent": ["elm"] * 30 + ["fir"] * 30}
    judge = (["first"] * 9 + ["second"]) * 6
    found = ga.rank(table({"ann": ["first"] * 60}, {"j": judge}, **rows), PAIRS, **FEW)
    (row,) = found.rows_where(name="decisiveness")
    assert isinstance(row.result, Undefined)
    assert "every decisiveness fits" in row.result.reason
    assert "decisive than people" not in every_text(found)


def test_one_of_many_judges_that_seems_shifted_by_chance_says_nothing_of_labels() -> None:
    """Labels are every other item's, whatever it is; by one judge of 61 they look otherwise."""
    people = [("yes" if k % 4 < 2 else "no") if k % 2 else "-" for k in range(200)]
    even = ["yes" if k % 4 < 2 else "no" for k in range(200)]
    uneven = ["yes" if k % 2 and k < 72 else v for k, v in enumerate(even)]  # 68 and 50 of 100
    task = {**BINARY, "calibration": "random"}
    alone = ga.estimate(table({"ann": people}, {"odd": uneven}), task)
    among = {"odd": uneven} | {f"j{k:02}": even for k in range(60)}
    many = ga.estimate(table({"ann": people}, among), task)
    assert any("not a random draw" in one for one in alone.warnings)
    assert "if the labelled items are like the others" in alone.answer[0].text
    assert not any("not a random draw" in one for one in many.warnings)
    assert "like the others" not in many.answer[0].text
