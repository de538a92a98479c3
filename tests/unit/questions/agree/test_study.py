"""A study is put together from parts, and gives its results in a fixed order."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from agree_studies import BINARY, DRAW, by_hand, estimate, rubric
from small_units import BINARY as BINARY_UNITS
from small_units import units

import goldassay as ga
from goldassay.counts import count_paired_scores, count_statuses
from goldassay.questions.agree.continuous import study_scores
from goldassay.questions.agree.levels import CriterionAgreement
from goldassay.questions.agree.record import (
    JudgeAgreement,
    JuryAgreement,
    PanelAgreement,
    PartAgreement,
    SilentJudge,
    known,
)
from goldassay.questions.agree.study import Extras, _as_declared, _rated, study
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Undefined


def value(results: tuple, name: str) -> float:
    return known(results)[name]


def test_rows_stand_in_a_fixed_order() -> None:
    flat = Undefined("cohen_kappa", "one option", 9)
    judge = JudgeAgreement(
        "j",
        micro=(estimate("accuracy", 0.9),),
        criteria=(CriterionAgreement("c", 9, {"accuracy": 1.0}, flat, "9"),),
        macro=(estimate("accuracy", 0.8),),
        item=(estimate("accuracy", 0.7),),
        rates=(estimate("coverage", 1.0),),
        leanings=(estimate("length_log_odds", 0.1),),
    )
    jury = JuryAgreement("majority", "j", estimate("gain", 0.0), (estimate("accuracy", 0.6),))
    found = by_hand(
        judge,
        silent=(SilentJudge("s", 3, (estimate("coverage", 0.0),)),),
        parts=(PartAgreement("topic", "x", "j", (estimate("accuracy", 0.5),)),),
        panel=PanelAgreement(("j", "k"), (estimate("alpha", 0.4),), juries=(jury,)),
    )
    shown = [
        (row.result.name, row.about.get("judge"), row.about.get("level")) for row in found.rows()
    ]
    assert shown == [
        ("accuracy", "j", "micro"),
        ("accuracy", "j", "macro"),
        ("accuracy", "j", "item"),
        ("coverage", "j", "micro"),
        ("length_log_odds", "j", "micro"),
        ("coverage", "s", "micro"),
        ("accuracy", "j", "micro"),
        ("cohen_kappa", "j", "micro"),
        ("alpha", None, "micro"),
        ("accuracy", "majority", "micro"),
        ("gain", "majority", "micro"),
    ]
    assert dict(found.rows()[6].about) == {"judge": "j", "level": "micro", "topic": "x"}
    assert dict(found.rows()[7].about) == {"judge": "j", "level": "micro", "criterion": "c"}
    by_criterion = replace(
        found, parts=(PartAgreement("criterion", "c", "j", (estimate("accuracy", 1.0),)),)
    )
    assert flat not in [row.result for row in by_criterion.rows()]  # "c" has rows of its own
    assert found.degenerate == {"c": "9"}
    assert found.rates == {"j": {"coverage": 1.0}, "s": {"coverage": 0.0}}


def test_no_two_rows_are_about_the_same() -> None:
    found = study(rubric(), draw=DRAW, by=("criterion",), extras=Extras(items=3))
    about = [(row.result.name, *sorted(row.about.items())) for row in found.rows()]
    assert len(set(about)) == len(about) > 300


def test_parts_agree_with_the_counts() -> None:
    units = rubric()
    found = study(units, draw=DRAW, by=("criterion",), extras=Extras(items=4))
    judge = found.judges[0]
    total = judge.confusion.values
    assert value(judge.micro, "accuracy") == np.trace(total) / total.sum()
    # The two criteria make up the whole.
    mine = [part.confusion.values for part in found.parts if part.judge == "j0"]
    assert np.allclose(sum(mine), total)
    assert [one.label for one in judge.criteria] == ["clear", "true"]
    assert value(judge.macro, "accuracy") == pytest.approx(
        np.mean([one.values["accuracy"] for one in judge.criteria])
    )
    declared = judge.modes[0]
    assert (declared.mode.name, declared.n_items) == ("exclude", judge.micro[0].n_items)
    assert declared.results is judge.micro
    given = (units.verdict[:, :2] >= 0).sum(1)
    covered = ((units.verdict[:, :2] < 2) & (units.verdict[:, :2] >= 0)).sum(1)
    assert value(judge.rates, "coverage") == pytest.approx(float((covered / given).mean()))
    assert len(judge.disagreements.worst) == 4
    assert judge.disagreements.columns == ("item", "criterion")
    assert found.panel.missing.shares[0] == pytest.approx(1 - value(judge.rates, "coverage"))
    names = ["unanimous panel", "majority panel", "weighted panel"]
    assert [one.jury for one in found.panel.juries] == names


def test_a_part_does_not_depend_on_the_others() -> None:
    """A judge's numbers are the same whoever else is asked, and whatever else is asked for."""
    alone = study(rubric(judges=1), draw=DRAW).judges[0]
    among = study(rubric(judges=1), draw=DRAW, by=("criterion",), extras=Extras(items=2)).judges[0]
    assert (alone.micro, alone.macro, alone.rates) == (among.micro, among.macro, among.rates)
    assert study(rubric(judges=1), draw=DRAW).panel is None


def test_without_people_there_are_rates_and_the_judges_among_themselves() -> None:
    units = replace(rubric(), human=np.zeros((120, 5), np.int64))
    found = study(units, draw=DRAW)
    assert not found.people.rated
    assert all(judge.micro == judge.criteria == judge.modes == () for judge in found.judges)
    assert all(judge.rates for judge in found.judges)
    assert isinstance(found.panel.coefficients[0], Estimate)
    assert (found.panel.errors, found.panel.effective, found.panel.juries) == (None, None, ())


def test_tied_votes_are_counted() -> None:
    units = rubric()
    votes = units.human[:, :2]
    found = study(units, draw=DRAW).people
    assert found.tied == int((votes[:, 0] == votes[:, 1]).sum())
    assert found.units == 120


def test_scores_give_a_study_of_the_same_form(tmp_path) -> None:
    lines = ["item,criterion,rater,kind,value,sample"]
    rng = np.random.default_rng(1)
    for item in range(30):
        for criterion in ("clear", "flat"):
            true = rng.normal()
            person = 1.0 if criterion == "flat" else true
            lines += [f"i{item},{criterion},{who},human,{person:.3f},1" for who in ("ann", "bob")]
            for sample in (1, 2):
                noisy = true + 0.3 * rng.normal()
                lines.append(f"i{item},{criterion},gpt,judge,{noisy:.3f},{sample}")
            lines += [f"i{item},{criterion},llm,judge,{true:.3f},1"]
            lines += [f"i{item},{criterion},mum,judge,?,1"]
    (tmp_path / "ratings.csv").write_text("\n".join(lines) + "\n")
    task = Task(scale="continuous", abstain=("?",))
    ratings = read_ratings(str(tmp_path / "ratings.csv"), task)
    pairs = count_paired_scores(ratings, by=("criterion",))
    statuses = count_statuses(ratings)
    found = study_scores(pairs, task, draw=DRAW, statuses=statuses)
    assert [judge.judge for judge in found.judges] == ["gpt", "llm"]
    assert [(one.judge, one.ratings, known(one.rates)["coverage"]) for one in found.silent] == [
        ("mum", 60, 0.0)
    ]
    assert found.degenerate == {"flat": "30 items"}
    assert found.judges[0].repeats is not None
    assert found.judges[1].repeats is None
    assert {row.about.get("level") for row in found.rows()} == {"micro", "macro", "item"}
    assert [r.name for r in found.people.coefficients] == ["human_krippendorff_alpha"]
    assert [r.name for r in found.panel.coefficients] == ["judges_krippendorff_alpha"]
    parted = study_scores(pairs, task, draw=DRAW, by=("criterion",), statuses=statuses)
    assert [(p.label, p.judge) for p in parted.parts] == [
        ("clear", "gpt"),
        ("clear", "llm"),
        ("flat", "gpt"),
        ("flat", "llm"),
    ]


def test_the_task_of_a_study_is_the_units_task() -> None:
    assert study(rubric(), draw=DRAW).task is BINARY


@pytest.mark.parametrize("column", ["level", "results", "about"])
def test_a_column_may_have_any_name(column: str) -> None:
    part = PartAgreement(column, "x", "j", (estimate("accuracy", 0.5),))
    (row,) = by_hand(parts=(part,)).rows()
    assert row.about[column] == "x"


def test_how_often_people_are_unanimous_by_hand() -> None:
    """Of four items three have several raters, and two of these have one answer."""
    given = {"1": ["yes"] * 3, "2": ["yes", "yes", "no"], "3": ["no", "no"], "4": ["yes"]}
    rows = [
        {"item": item, "rater": f"person {k}", "kind": "human", "value": value}
        for item, values in given.items()
        for k, value in enumerate(values)
    ]
    rows += [{"item": item, "rater": "gpt", "kind": "judge", "value": "yes"} for item in given]
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    found = ga.agree(pl.DataFrame(rows), task, resamples=100)
    (rate,) = found.rows_where(name="human_unanimous_rate")
    assert rate.result.value == pytest.approx(2 / 3)
    assert rate.result.n_items == 3


def test_people_s_abstentions_count_and_are_recoded_where_that_is_declared() -> None:
    # Two patterns: a person says MET and another abstains; one person answers out of the options.
    counted = units(BINARY_UNITS, [[1, 0, 1], [0, 0, 0, 1]], [[0], [1]], [3, 2])
    assert _rated(counted)
    assert not _rated(counted.where(np.array([1])))
    assert _rated(units(BINARY_UNITS, [[0, 0, 1]], [[0]], [1]))  # an abstention alone
    recode = SimpleNamespace(abstentions="recode", recode_to="UNMET")
    assert _as_declared(counted, recode).human.tolist() == [[1, 1, 0, 0, 0], [0, 0, 0, 1, 0]]
    kept = SimpleNamespace(abstentions="exclude", recode_to=None)
    assert _as_declared(counted, kept) is counted
