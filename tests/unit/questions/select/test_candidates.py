"""Joint counts of judges and panels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, ratings, units

import goldassay as ga
from goldassay.counts import confusion
from goldassay.questions.select.candidates import (
    Cut,
    gather,
    panel_shares,
    panel_verdicts,
    panels_of,
)
from goldassay.questions.select.study import Settings, study
from goldassay.questions.select.tables import SINGLE
from goldassay.results import Estimate

TRUTH = [1, 1, 1, 0, 0, 0]
VERDICTS = {"a": [1, 1, 0, 0, 0, 1], "b": [1, 0, 1, 0, 1, 0], "c": [1, 1, 1, 0, -1, 0]}


@pytest.mark.parametrize("cluster", ["item", "thread"])
def test_joint_counts_are_each_judges_confusion(tmp_path: Path, cluster: str) -> None:
    rows = judged(TRUTH, VERDICTS, thread=[0, 0, 1, 1, 2, 2])
    counted = units(tmp_path, rows, cluster=cluster)
    found = gather(counted)
    assert found.names == ("a", "b", "c")
    assert found.n_items.tolist() == [6, 6, 5]
    assert found.clustered == (cluster == "thread")
    assert found.n_clusters == (5 if cluster == "item" else 3)
    for index, judge in enumerate(found.names):
        own = found.tables(index).total
        assert own.tolist() == confusion(counted, judge).square.tolist()
    # Compared are they on the five items that c decides too: a and b both miss one there.
    assert (found.shared.n_items, found.shared.all_alike) == (5, False)
    assert found.totals.sum((1, 2)).tolist() == [5, 5, 5]
    assert found.totals[0].tolist() == [[2, 1], [1, 1]]


def test_two_judges_with_equal_verdicts_are_level_however_much_one_leaves_out(
    tmp_path: Path,
) -> None:
    truth = [i % 2 for i in range(200)]
    sure = [t ^ (i % 10 == 0) for i, t in enumerate(truth)]  # wrong on 20, right on 180
    careful = [-1 if i % 10 == 0 and i > 40 else v for i, v in enumerate(sure)]
    found = study(units(tmp_path, judged(truth, {"sure": sure, "careful": careful})))
    assert found.n_items == 185
    values = {one.name: one.comparable.value for one in found.merits}
    assert values["sure"] == values["careful"]
    assert found.merits[0].name == "sure"  # level, and decides more
    assert found.comparison is not None
    assert not found.comparison.apart(0, 1)


def test_a_panel_that_drops_its_ties_is_not_better_for_it(tmp_path: Path) -> None:
    """The fourth judge differs from the majority of three nowhere but where the panel ties."""
    rng = np.random.default_rng(0)
    truth = (np.arange(300) % 2).tolist()
    names = {j: [t ^ int(rng.random() < 0.25) for t in truth] for j in "abc"}
    names["d"] = [t ^ int(rng.random() < 0.25) for t in truth]
    found = study(units(tmp_path, judged(truth, names)), Settings(panels=True, draws=200))
    merits = {one.name: one for one in found.merits}
    four, three = merits["panel of all"], merits["panel(a, b, c)"]
    assert isinstance(four.coverage, Estimate)
    assert four.n_items < three.n_items == 300
    assert four.criterion.value > three.criterion.value  # on its own items
    # Where four judges do not tie, the three's majority is theirs.
    assert four.comparable.value == three.comparable.value


def test_a_panel_votes_and_a_tied_panel_abstains(tmp_path: Path) -> None:
    counted = units(tmp_path, judged(TRUTH, VERDICTS))
    found = gather(counted, panels=True)
    assert found.names[3] == "panel of all"
    # By hand: the votes are yes yes yes no tie no; the tie is excluded as an abstention.
    assert found.totals[3].tolist() == [[3, 0], [0, 2]]
    assert found.n_items[3] == 5


def test_panel_shares_ignore_states_unless_nobody_answers() -> None:
    yes, no, invalid, none = np.eye(5)[0], np.eye(5)[1], np.eye(5)[3], np.zeros(5)
    votes = panel_shares(
        [
            np.array([yes, yes, yes, invalid, none]),
            np.array([no, yes, invalid, invalid, none]),
            np.array([yes, no, no, invalid, none]),
        ]
    )
    assert votes.tolist() == [
        [1, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0],
    ]


def test_which_panels_are_tried() -> None:
    assert panels_of("ab") == []
    assert panels_of("abc") == [("a", "b", "c")]
    assert len(panels_of("abcde")) == 11
    assert panels_of("abcdefg") == [tuple("abcdefg")]


#: Of a judge `a`: 2 of 10 cells empty, 3 unreadable; `b` answers all.
CELLS = ["yes", "no", "yes", "no", "yes", "", "", "?", "?", "?"]


@pytest.mark.parametrize(("invalid", "covered"), [(["?"], 0.5), (["?", ""], 0.5)])
def test_every_verb_has_the_same_coverage(
    tmp_path: Path, invalid: list[str], covered: float
) -> None:
    """A place that was left empty is a verdict that is missing, whatever is asked."""
    truth = ["yes", "no"] * 5
    lines = ["item,ann,a,b", *(f"i{k},{truth[k]},{CELLS[k]},{truth[k]}" for k in range(10))]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(lines) + "\n")
    task = {
        "scale": "binary", "options": ["yes", "no"], "positive": "yes", "invalid": invalid,
        "cells": {
            "ann": {"rater": "ann", "kind": "human"},
            "a": {"rater": "a", "kind": "judge"},
            "b": {"rater": "b", "kind": "judge"},
        },
    }  # fmt: skip
    for verb in (ga.agree, ga.select):
        found = verb(str(path), task, resamples=100)
        own = found["coverage", "a"]
        assert (own.value, own.n_items) == (covered, 10), verb
        assert found["coverage", "b"].value == 1
    corrected = ga.estimate(str(path), task)
    own = next(r.result for r in corrected.rows if r.result.name == "prevalence_naive")
    assert own.n_items == 5
    shown = ga.report(str(path), task, resamples=100).document()
    rates = [  # `audit` calls something else so, which has an aggregation
        one["value"]
        for one in shown["results"]
        if (one["name"], one["judge"]) == ("coverage", "a") and "aggregation" not in one
    ]
    assert {*rates} == {covered}


def test_a_panel_is_asked_what_any_of_its_members_is(tmp_path: Path) -> None:
    """Of 4 labelled units `a` and `b` answer 2, `c` 1; a cut score is its judge's."""
    given = {"a": [1, 0, -1, -1], "b": [1, -1, 0, -1], "c": [1, -1, -1, -1]}
    counted = units(tmp_path, judged([1, 0, 1, 0], given))
    cut = Cut("cut", "a", np.zeros((len(counted.n), 5)))
    found = gather(counted, panels=True, cuts=[cut])
    assert [float(counted.n @ one) for one in found.asked] == [4, 4, 4, 4, 4]
    by_rows = replace(counted, by_rows=frozenset("abc"))
    found = gather(by_rows, panels=True, cuts=[cut])
    assert [float(counted.n @ one) for one in found.asked] == [2, 2, 1, 3, 2]
    found = gather(replace(counted, by_rows=frozenset("bc")), panels=True, cuts=[cut])
    assert [float(counted.n @ one) for one in found.asked] == [4, 2, 1, 4, 4]


def asked_again(truth: list[int], noise: float) -> list[dict[str, object]]:
    """Three judges, each asked three times, whose scores are at least .5 where they say yes."""
    rng = np.random.default_rng(5)
    rows = judged(truth, {})
    for item, label in enumerate(truth):
        for judge in "abc":
            for sample in range(3):
                yes = label ^ int(rng.random() < noise)
                score = round(0.5 * yes + 0.49 * rng.random(), 3)
                row = {"item": f"i{item:04}", "rater": judge, "kind": "judge", "sample": sample}
                rows.append({**row, "value": "yes" if yes else "no", "score": score})
    head = {"item": "", "rater": "", "kind": "", "value": "", "sample": "", "score": ""}
    return [{**head, **row} for row in rows]


def test_what_was_asked_more_often_is_not_ahead_for_it(tmp_path: Path) -> None:
    """A cut that changes no verdict changes no number, and a panel has one answer by each."""
    truth = [k % 2 for k in range(300)]
    rows = asked_again(truth, 0.2)
    table = ratings(tmp_path, rows)
    found = ga.select(table, panels=True, thresholds=True, resamples=200)
    worth = {
        row.about["judge"]: row.result.value for row in found.rows_where(name="balanced_accuracy")
    }
    cuts = {name.split()[0]: worth[name] for name in worth if "cut at" in name}
    assert set(cuts) == set("abc")
    for judge, value in cuts.items():
        assert value == pytest.approx(worth[judge], abs=0.01)
    right = []
    for sample in range(3):
        votes = np.zeros(300)
        for row in rows:
            if row["kind"] == "judge" and row["sample"] == sample:
                votes[int(str(row["item"])[1:])] += row["value"] == "yes"
        right.append(np.mean((votes >= 2) == np.array(truth)))
    assert worth["panel of all"] == pytest.approx(np.mean(right))
    assert SINGLE in found.document()["summary"]["notes"]


def test_a_judge_with_fewer_repeats_begins_again(tmp_path: Path) -> None:
    """`a` has two answers, `b` and `c` three: six panels, in which each answer counts alike."""
    given = {"a": "yn", "b": "yyn", "c": "nny"}
    word = {"y": "yes", "n": "no"}
    rows: list[dict[str, object]] = [
        {"item": "i", "rater": "person", "kind": "human", "value": "yes", "sample": ""}
    ]
    for judge, answers in given.items():
        rows += [
            {"item": "i", "rater": judge, "kind": "judge", "value": word[one], "sample": k}
            for k, one in enumerate(answers)
        ]
    (verdicts,) = panel_verdicts(units(tmp_path, rows), ["abc"])
    # By hand: yyn nyn yny nyn yyn nny.
    assert verdicts.tolist() == [pytest.approx([0.5, 0.5, 0, 0, 0])]
