"""A judge that gives no verdict on what people label so does not lead for that, in any question."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from naive_ratings import NaiveStudy
from patience import seldom
from sentence_truth import (
    Told,
    contradictions,
    sentences_of,
    wrong_comparisons,
    wrong_facts,
    wrong_numbers,
)

import goldassay as ga
from goldassay import Findings

TASK: dict[str, Any] = {
    "scale": "binary",
    "options": ["yes", "no"],
    "positive": "yes",
    "abstain": ["skip"],
}
FEW: dict[str, Any] = {"resamples": 200}
OPTIONS: dict[str, dict[str, Any]] = {
    "agree": FEW,
    "select": FEW,
    "estimate": {},
    "compare": {},
    "rank": FEW,
    "report": FEW,
}


def study(silent_on_yes: float, silent_on_no: float, *, among_hard: bool = False) -> pl.DataFrame:
    """`steady` is right on 88 %; `shy` on 95 % of what it decides."""
    rng = np.random.default_rng(7)
    rows = []
    for k in range(400):
        truth = "yes" if rng.random() < 0.4 else "no"
        wrong = "no" if truth == "yes" else "yes"
        hard = rng.random() < 0.25
        silent = rng.random() < (silent_on_yes if truth == "yes" else silent_on_no)
        if among_hard:
            silent = hard and truth == "yes"
        right = (0.6 if hard else 0.97) if among_hard else 0.88
        steady = truth if rng.random() < right else wrong
        shy = truth if rng.random() < (right if among_hard else 0.95) else wrong
        rows += [
            (f"i{k}", "ann", "human", truth, "abc"[k % 3]),
            (f"i{k}", "steady", "judge", steady, "abc"[k % 3]),
            (f"i{k}", "shy", "judge", "skip" if silent else shy, "abc"[k % 3]),
        ]
    return pl.DataFrame(rows, schema=["item", "rater", "kind", "value", "system"], orient="row")


def told_of(frame: pl.DataFrame) -> Told:
    ratings = ga.read_ratings(frame, ga.Task.from_mapping(TASK))
    found = {verb: getattr(ga, verb)(ratings, **few) for verb, few in OPTIONS.items()}
    return Told(NaiveStudy(frame.to_dicts(), TASK), found)


def text(found: Findings) -> str:
    return " ".join(one.text for one in found.answer)


@pytest.fixture(scope="module")
def left_out() -> Told:
    return told_of(study(0.85, 0.0))


def test_a_judge_that_leaves_out_a_label_leads_nowhere(left_out: Told) -> None:
    for verb in ("agree", "select", "report"):
        assert left_out.found[verb].answer[0].about["judge"] == "steady", verb
    for verb in ("agree", "select"):
        assert "cannot be told: `shy` decides" in text(left_out.found[verb])
        assert "of what people call `yes`" in text(left_out.found[verb])
    assert "best of" not in text(left_out.found["report"])
    taken = next(one for one in left_out.found["compare"].rows if one.about.get("judge"))
    assert taken.about["judge"] == "steady"


def test_an_audit_selects_none_where_one_leaves_out_a_label() -> None:
    ratings = ga.read_ratings(study(0.85, 0.0), ga.Task.from_mapping(TASK))
    found = ga.audit(ratings, resamples=60)
    assert any("far less of one of people's labels" in one for one in found.warnings)
    assert "select" not in text(found)


def test_silence_that_changes_who_is_first_is_said() -> None:
    told = told_of(study(0, 0, among_hard=True))
    found = told.sentence("select", "select.silent")
    assert found is not None
    assert found.about == {"judge": "shy", "other": "steady"}
    assert found in told.found["select"].answer
    assert "gives no usable verdict on" in text(told.found["agree"])
    assert "hangs on what no verdict is worth" in text(told.found["report"])


def test_silence_on_all_labels_alike_is_not_one_of_a_label() -> None:
    told = told_of(study(0.4, 0.4))
    assert told.sentence("agree", "agree.silent") is None
    best = told.sentence("select", "select.best")
    assert best is not None
    assert best.facts["n_candidates"] == 2


SILENT = [(0.85, 0.0, False), (0.0, 0.0, True), (0.4, 0.4, False)]


@pytest.mark.parametrize("number", seldom(range(3), 1))
def test_what_is_said_of_silence_is_true(number: int) -> None:
    bad, good, among_hard = SILENT[number]
    told = told_of(study(bad, good, among_hard=among_hard))
    wrong = list(contradictions(told))
    for found in told.found.values():
        for said in sentences_of(found):
            for part in (wrong_facts, wrong_numbers, wrong_comparisons):
                wrong += part(told, said)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("answers", [1, 2])
def test_a_report_says_of_which_items_its_agreement_is(answers: int) -> None:
    """What `agree` tells of items without a verdict is no less true where it is to be published."""
    frame = study(0.5, 0.2)
    if answers == 2:
        judges = study(0.2, 0.5).filter(pl.col("kind") == "judge")
        again = judges.with_columns(sample=pl.lit("2"))
        frame = pl.concat([frame.with_columns(sample=pl.lit("1")), again], how="diagonal")
    for table, silent in ((frame, True), (study(0.0, 0.0), False)):
        asked = told_of(table.filter(pl.col("rater") != "steady"))
        report = asked.found["report"]
        said = {one.key: one for one in sentences_of(report)}
        for key in ("report.trust", "report.may_agree"):
            assert ("outputs that both decide" in said[key].text) == silent
            assert ("no usable verdict" in said[key].text) == silent
            assert ("its answers to" in said[key].text) == (silent and answers == 2)
            assert not [*wrong_facts(asked, said[key]), *wrong_numbers(asked, said[key])]
        assert bool(report.more["first"]["agreement"].get("of_decided")) == silent
