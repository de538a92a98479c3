"""The eleven points from a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agree_studies import BINARY, by_hand, estimate

from goldassay.questions.agree.abstention import Dependence, MissingByJudge
from goldassay.questions.agree.checklist import checklist
from goldassay.questions.agree.levels import CriterionAgreement
from goldassay.questions.agree.record import AgreeStudy, JudgeAgreement, PanelAgreement, Square
from goldassay.ratings.task import Task
from goldassay.results import Undefined

TWO = Square(("MET", "UNMET"), np.eye(2))


def judge(name: str, coverage: float = 1.0) -> JudgeAgreement:
    return JudgeAgreement(name, confusion=TWO, rates=(estimate("coverage", coverage),))


def points(found: AgreeStudy) -> dict[int, tuple[str, str]]:
    return {point.number: (point.status, point.text) for point in checklist(found)}


def test_every_point_can_be_missing_or_answered() -> None:
    task = Task(scale="ordinal", options=("1", "2", "3"), abstain=("NA",))
    status = points(by_hand(judge("a", 0.9), judge("b"), task=task))
    assert [number for number, (said, _) in status.items() if said == "missing"] == [8, 9, 11]
    done = points(by_hand(judge("a")))
    assert list(done) == list(range(1, 12))
    assert "missing" not in {said for said, _ in done.values()}
    assert points(by_hand())[7] == ("missing", "no verdict was counted")


@pytest.mark.parametrize("tested", ["items", "judges"])
def test_coverage_is_answered_once_it_is_tested(tested: str) -> None:
    test = Dependence("topic", "x", 0.5, "y", 0.1, 0.2, 0.01)
    by_judge = MissingByJudge(("a", "b"), np.array([0.1, 0]), np.array([9.0, 9]), 0.1, 0.2)
    found = by_hand(judge("a", 0.9), judge("b"))
    if tested == "items":
        found = replace(found, judges=(replace(judge("a", 0.9), missing=(test,)), judge("b")))
    else:
        found = replace(found, panel=PanelAgreement(("a", "b"), (), missing=by_judge))
        found = replace(found, panel=replace(found.panel, coefficients=(estimate("alpha", 0.5),)))
    assert points(found)[8] == (
        "answered",
        "coverage 90 % at the lowest; tested against the items' columns",
    )


def test_a_third_class_has_no_phi_and_no_excuse_for_weights() -> None:
    wide = Square(("MET", "UNMET", "abstained"), np.eye(3))
    plain = points(by_hand(judge("a")))
    assert plain[2][1].startswith("phi, once")
    assert plain[9] == ("does not apply", "two classes")
    third = points(by_hand(judge("a"), replace(judge("b"), confusion=wide)))
    assert third[2][1].startswith("more than two classes")
    assert third[9] == ("answered", "unweighted: every disagreement counts alike")


def test_degenerate_criteria_and_levels() -> None:
    flat = CriterionAgreement("b", 40, {}, Undefined("cohen_kappa", "", 40), "the same on 40 of 40")
    task = replace(BINARY, levels=("micro", "macro"))
    found = by_hand(replace(judge("a"), criteria=(flat,)), criteria=("a", "b"), task=task)
    said = points(found)
    assert said[5][1].endswith("with counts: b (the same on 40 of 40)")
    assert said[10][1] == "micro, macro over 2 criteria; intervals resample item (40)"
    assert points(replace(found, judges=(judge("a"),)))[5][1] == (
        "none of the 2 criteria is degenerate"
    )


def test_several_judges_have_one_statistic() -> None:
    alpha = estimate("judges_krippendorff_alpha", 0.5)
    found = by_hand(judge("a"), judge("b"), panel=PanelAgreement(("a", "b"), (alpha,)))
    assert points(found)[11][1] == (
        "Krippendorff's alpha is 0.50 over 40 items (abstentions exclude); a confusion matrix for "
        "each judge"
    )
    alone = PanelAgreement(("a", "b"), (Undefined("judges_krippendorff_alpha", "none", 0),))
    assert points(replace(found, panel=alone))[11] == ("missing", "no item was rated by two judges")


def test_ratings_of_several_options_are_no_option_and_not_ticked() -> None:
    found = points(replace(by_hand(judge("a")), several={"a": 33}))
    assert found[7] == (
        "missing",
        "on 33 items a rating names several options, and they are left out; `audit` counts them",
    )
    assert found[8] == ("missing", "coverage 100 % of the verdicts that are one option or none")
