"""Sentences that were false or said nothing when read aloud on drawn tables of ten kinds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from lookup import some
from told_tables import BINARY, FEW, TRUTH, every_text, flipped, keys, rated_systems, said, table

import goldassay as ga
from goldassay import Estimate, InputError


def test_judges_with_the_same_rate_are_level_however_much_choices_hide() -> None:
    """`a` and `b` call as many items yes, on others; `c` calls fewer. Two people agree."""
    judges = {
        "a": flipped(TRUTH, [0, 2, 4]),
        "b": flipped(TRUTH, [6, 8, 10]),
        "c": flipped(TRUTH, range(0, 40, 2)),
    }
    people = {"ann": TRUTH, "bob": TRUTH}
    found = ga.audit(table(people, judges), BINARY, resamples=60)
    for key in ("audit.best_by_beta", "audit.lapses"):
        one = said(found, key)
        assert one.text.startswith("`a` and `b` have the rate nearest to people's, the same one,")
    two = {name: judges[name] for name in "ab"}
    alike = keys(ga.audit(table(people, two), BINARY, resamples=60))
    assert not alike & {"audit.best_by_beta", "audit.lapses"}


def test_what_a_judge_decides_alone_is_told_of_its_own_items() -> None:
    """`bold` decides 60 items, of which `shy` decides 54: the table is about these."""
    shy = ["-" if k < 6 else value for k, value in enumerate(TRUTH)]
    frame = table({"ann": TRUTH, "bob": TRUTH}, {"bold": flipped(TRUTH, range(9)), "shy": shy})
    found = ga.audit(frame, BINARY, resamples=60)
    texts = [said(found, "audit.downstream", judge=one).text for one in ("bold", "shy")]
    assert "of its own 60 items" in texts[0]
    assert "of its own 54 items" in texts[1]


def test_too_few_ratings_of_one_judge_are_too_few_of_the_other() -> None:
    judges = {"a": TRUTH[:9], "b": flipped(TRUTH[:9], [0, 1])}
    found = ga.replace(table({"ann": TRUTH[:9], "bob": TRUTH[:9]}, judges), BINARY)
    text = said(found, "replace.others").text
    assert "not shown" not in text
    assert "Nor are there enough to tell it of `b`." in text


def test_no_number_of_items_is_foretold_from_next_to_nothing() -> None:
    """The judge differs from people about as often as they may: what would show it is far away."""

    def erring(seed: int, error: float) -> np.ndarray:
        return truth != (np.random.default_rng(seed).random(120) < error)

    def words(yes: np.ndarray) -> list[str]:
        return np.where(yes, "yes", "no").tolist()

    truth = np.random.default_rng(9).random(120) < 0.5
    people = {one: words(erring(k, 0.1)) for k, one in enumerate(("ann", "bob", "cy"))}
    told = set()
    for seed in range(107, 119):
        judge = words(erring(seed, 0.1 + 0.15 * (seed - 100) / 12))
        facts = said(ga.replace(table(people, {"j": judge}), BINARY), "replace.verdict").facts
        if facts["items_needed"] and facts["items_needed"] > 120:
            far = facts["items_needed"] > 12_000
            told.add(far)
            assert ("more_than" in facts) == far
            assert far or len(str(facts["items_about"]).rstrip("0")) <= 2
    assert told == {False, True}


def test_a_judge_that_errs_on_no_prompt_may_err_on_the_next() -> None:
    rates = {"ash": 0.9, "elm": 0.5, "fir": 0.2}
    found = ga.rank(rated_systems({"people": rates, "j": rates}), BINARY, **FEW)
    (share,) = [row.result for row in found.rows_where(name="item_accuracy")]
    assert isinstance(share, Estimate)
    assert share.value == 1.0
    assert share.interval is not None
    # Of 40 prompts nearly all tell systems apart; 3 in 40 may be wrong yet never seen to be.
    assert 0.85 < share.interval.low < 0.95
    assert share.interval.high == 1.0


def test_a_report_of_scores_says_nothing_twice_and_nothing_against_itself() -> None:
    """Scores of two systems that are as good: single items tell the judges apart, orders do not."""
    rng = np.random.default_rng(2)
    truth = rng.normal(size=80)
    ratings = {"ann": 0.2, "near": 0.3, "far": 2.0}
    rows = [
        {
            "item": f"i{k // 2:02}",
            "system": "ab"[k % 2],
            "rater": rater,
            "kind": "human" if rater == "ann" else "judge",
            "value": f"{one + noise * rng.normal():.3f}",
        }
        for rater, noise in ratings.items()
        for k, one in enumerate(truth)
    ]
    frame = pl.DataFrame(rows)
    task = {"scale": "continuous", "calibration": "random"}
    agree, report = ga.agree(frame, task, **FEW), ga.report(frame, task, **FEW)
    assert "agrees more than `far`" in every_text(agree)
    texts = [one.text for one in report.answer]
    assert sum("in people's order" in one for one in texts) == 1
    assert any("the scores of `near` correlate with people's at" in one for one in texts)
    assert texts[0].startswith("`near` is the best of 2 judges by Pearson's r.")
    ranked = ga.report(frame, {**task, "goal": "ranking"}, **FEW)
    assert "orders systems better than" in said(ranked, "report.not_best").text


def test_nobody_asks_how_labels_were_drawn_where_people_rated_all_or_none() -> None:
    """Two people differ on 5 of 60 items, which they rated; the others are labelled."""
    people = {"ann": TRUTH, "bob": flipped(TRUTH, range(5))}
    judges = {"a": flipped(TRUTH, range(20, 26)), "b": flipped(TRUTH, range(40, 50))}
    frame = table(people, judges)
    for found in (ga.estimate(frame, BINARY), ga.route(frame, BINARY)):
        assert not any("drawn" in one for one in found.warnings)
    told = ga.estimate(frame, BINARY).warnings
    assert any(
        one.startswith("People rated every item and leave 5 without a label") for one in told
    )
    nobody = ga.estimate(table({}, judges), BINARY)
    assert not any("drawn" in one for one in nobody.warnings)
    some = {"ann": [v if k < 40 else "-" for k, v in enumerate(TRUTH)]}
    assert any("drawn" in one for one in ga.estimate(table(some, judges), BINARY).warnings)


def test_items_that_judges_dispute_have_verdicts() -> None:
    judges = {"a": TRUTH, "b": flipped(TRUTH, range(8))}
    (one,) = [w for w in ga.route(table({"ann": TRUTH}, judges), BINARY).warnings if "left" in w]
    assert one == "8 items on which the two do not say the same are left to people."


def test_judges_without_people_are_told_by_one_another() -> None:
    found = ga.agree(table({}, {"a": TRUTH, "b": flipped(TRUTH, range(6))}), BINARY, **FEW)
    one = said(found, "agree.no_people")
    assert one.facts["value"] == pytest.approx(found["judges_krippendorff_alpha"].value)
    assert "with one another they agree at" in one.text


def test_a_system_that_is_alone_has_a_column() -> None:
    frame = table({"ann": TRUTH}, {"j": TRUTH}, system=["bot"] * 60)
    summary = ga.check(frame, BINARY).summary
    assert summary is not None
    needs = {line.label: line.cells[1] for line in summary.lines}
    assert needs["rank"] == "ratings of a second system on the same prompts"
    assert needs["compare"] == "what rank needs"


def test_one_class_is_named_and_more_labels_are_asked_for() -> None:
    judges = {"a": TRUTH, "b": flipped(TRUTH, range(6))}
    text = said(ga.select(table({"ann": ["yes"] * 60}, judges), BINARY, **FEW), "select.undefined")
    assert "(`yes`)" in text.text
    assert text.text.endswith("Label items that people may call otherwise.")


def test_verdicts_of_other_judges_are_not_used_for_one() -> None:
    people = ["-" if k % 3 else value for k, value in enumerate(TRUTH)]
    frame = table({"ann": people}, {"a": TRUTH, "b": flipped(TRUTH, range(9))})
    found = ga.estimate(frame, {**BINARY, "calibration": "random"}, judge="a")
    reasons = {one.reason: one.rows for one in found.exclusions}
    assert reasons == {"verdict of a judge not asked about": 60}


def test_a_change_of_a_judge_comes_before_that_of_a_panel(tmp_path: Path) -> None:
    """Both judges are turned round, and so is every panel of them."""
    reports = []
    for name, turned in (("old", False), ("new", True)):
        said_ = flipped(TRUTH, range(60)) if turned else TRUTH
        judges = {"a": flipped(said_, range(6)), "b": flipped(said_, range(20, 29))}
        found = ga.report(table({"ann": TRUTH}, judges), BINARY, **FEW)
        found.save(tmp_path / f"{name}.json")
        reports.append(str(tmp_path / f"{name}.json"))
    found = ga.diff(*reports)
    first = [one for one in found.answer if one.key == "diff.change"]
    assert first
    assert all(one.about["judge"] in ("a", "b") for one in first)
    assert "(=" not in every_text(found)


def test_every_number_says_how_it_was_made() -> None:
    rates = {"ash": 0.9, "elm": 0.6}
    frame = rated_systems({"people": rates, "j": {"ash": 0.8, "elm": 0.5}, "k": rates})
    twice = pl.concat([frame, frame.filter(kind="human").with_columns(rater=pl.lit("bob"))])
    task = {**BINARY, "calibration": "random"}
    for verb in ("agree", "select", "estimate", "compare", "plan", "rank", "replace", "route"):
        found = getattr(ga, verb)(twice, task)
        bare = {
            row.result.name
            for row in found.rows
            if isinstance(row.result, Estimate) and not row.result.declared
        }
        assert not bare, verb


def test_decisions_are_not_called_items() -> None:
    """Two criteria of 30 items, rated by two people and two judges."""
    item = [f"q{k // 2}" for k in range(60)]
    people = {"ann": TRUTH, "bob": flipped(TRUTH, range(9))}
    judges = {"a": flipped(TRUTH, range(20)), "b": flipped(TRUTH, range(30, 40))}
    frame = table(people, judges, criterion=["clear", "true"] * 30)
    frame = frame.with_columns(item=pl.Series(item * 4))
    agree, audit = ga.agree(frame, BINARY, **FEW), ga.audit(frame, BINARY, resamples=60)
    assert "60 decisions that several rated" in said(agree, "agree.people").text
    assert "51 decisions that both decide" in said(agree, "agree.juries").text
    assert "items" not in said(audit, "audit.raters").text
    for told in (agree, audit):
        for one in some(x for x in (*told.answer, *told.notes) if x.key != "agree.methods"):
            assert " items" not in one.text, one


def test_a_number_on_the_same_items_is_one_number() -> None:
    """`shy` decides 54 of 60 items, on which both are compared: its own are these."""
    shy = ["-" if k < 6 else value for k, value in enumerate(flipped(TRUTH, range(9)))]
    people = {"ann": TRUTH, "bob": flipped(TRUTH, range(40, 44))}
    found = ga.audit(table(people, {"bold": TRUTH, "shy": shy}), BINARY, resamples=60)
    assert found.summary is not None
    cells = {line.label: line.cells[0] for line in found.summary.lines}
    facts = said(found, "audit.downstream", judge="shy").facts
    told = tuple(facts[f"decision_consistency{end}"] for end in ("", "_low", "_high"))
    assert isinstance(cells["shy"], Estimate)
    assert cells["shy"].interval is not None
    assert told == (cells["shy"].value, cells["shy"].interval.low, cells["shy"].interval.high)


def test_battles_to_be_ranked_are_no_matter_of_select() -> None:
    values = ["first", "second", "tie", "first"] * 10
    systems = {"system": ["ash", "elm"] * 20, "opponent": ["fir", "fir"] * 20}
    frame = table({"ann": values}, {"j": values, "k": values[::-1]}, **systems)
    task = {"scale": "pairwise", "options": ["first", "second", "tie"], "tie": "tie"}
    with pytest.raises(InputError, match="goldassay rank compares"):
        ga.select(frame, {**task, "goal": "ranking"})
    assert "select" in said(ga.check(frame, task), "check.answers").facts["now"]
    asked = said(ga.check(frame, {**task, "goal": "ranking"}), "check.answers").facts
    assert "select" in asked["not_yet"]
    assert "rank" in asked["now"]


@pytest.mark.xfail(
    strict=True,
    reason="estimate.option: where all items are labelled, of which the judge's rate is",
)
def test_a_rate_of_the_items_that_a_judge_decides_is_no_rate_of_all() -> None:
    """People label all 60; `shy` decides the first 50, of which fewer are blue."""
    people = ["red"] * 25 + ["green"] * 20 + ["blue"] * 15
    shy = [v if k < 50 else "-" for k, v in enumerate(people)]
    frame = table({"ann": people}, {"shy": shy, "wild": people[::-1]})
    task = {"scale": "nominal", "options": ["red", "green", "blue"]}
    found = ga.estimate(frame, task)
    text = said(found, "estimate.option", judge="shy").text
    assert text.startswith("On the 50 items that it decides, ")
    assert not said(found, "estimate.option", judge="wild").text.startswith("On the")
    report = said(ga.report(frame, task, **FEW), "report.may_rate")
    assert "50 items that `shy` decides, of 60 labelled by people" in report.text


def test_what_one_of_two_judges_leaves_open_is_no_difference_of_the_two() -> None:
    """`b` differs on 5 items and says nothing of 3 others: on 8 the two do not say the same."""
    judges = {"a": TRUTH, "b": ["-" if k in (20, 21, 22) else v for k, v in enumerate(TRUTH)]}
    judges["b"] = flipped(judges["b"], range(5))
    found = ga.route(table({"ann": TRUTH}, judges), BINARY)
    (one,) = [w for w in found.warnings if "left" in w]
    assert one == "8 items on which the two do not say the same are left to people."


def test_what_weighs_nothing_is_no_evidence() -> None:
    """Items of weight 0 are left out, and counted: all is as in the table without them."""
    frame = table({"ann": TRUTH}, {"gpt": flipped(TRUTH, range(6))}).to_dict(as_series=False)
    items = list(dict.fromkeys(frame["item"]))
    kept = set(items[: len(items) // 2])
    weighed = frame | {"weight": [str(int(item in kept)) for item in frame["item"]]}
    rows = [at for at, item in enumerate(frame["item"]) if item in kept]
    half = {name: [column[at] for at in rows] for name, column in frame.items()}
    for ask in (ga.agree, ga.estimate, ga.select):
        one, two = ask(weighed, BINARY), ask(half, BINARY)
        assert one.answer[0].text == two.answer[0].text
        out = {left.reason: left.rows for left in one.exclusions}
        assert out["of weight 0"] == len(frame["item"]) - len(rows)
    nothing = frame | {"weight": ["0" for _ in frame["item"]]}
    with pytest.raises(InputError, match="column weight: must be above 0 for some item"):
        ga.estimate(nothing, BINARY)


def test_a_table_that_agree_refuses_is_not_called_answerable() -> None:
    """One person has two scores for an item; a judge that only abstains has no verdict."""
    rows = {
        "item": ["1", "1", "1", "2", "2"],
        "rater": ["ann", "ann", "gpt", "ann", "gpt"],
        "kind": ["human", "human", "judge", "human", "judge"],
        "value": ["3", "4", "3", "2", "2"],
    }
    for ask in (ga.check, ga.agree):
        with pytest.raises(InputError, match="rate a unit once"):
            ask(rows, {"scale": "continuous"})
    silent = table({"ann": TRUTH}, {"gpt": ["dunno" for _ in TRUTH]})
    told = ga.check(silent, BINARY | {"abstain": ["dunno"]}).answer[1].text
    assert told.startswith("It answers no question yet") or "`agree`" in told.partition(" now")[2]
