"""Tables are pure functions of a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agree_studies import DRAW, by_hand, estimate, rubric

from goldassay.questions.agree.abstention import Dependence, MissingByJudge
from goldassay.questions.agree.disagreements import Disagreement, Disagreements
from goldassay.questions.agree.levels import CriterionAgreement
from goldassay.questions.agree.modes import declared_mode, modes_of
from goldassay.questions.agree.record import (
    JudgeAgreement,
    ModeAgreement,
    PanelAgreement,
    PartAgreement,
    PeopleAgreement,
    ProbabilityQuality,
    Square,
)
from goldassay.questions.agree.repeated_scores import MeanCurve, RepeatedScores
from goldassay.questions.agree.repeats import MajorityCurve, Repeats
from goldassay.questions.agree.scores import RiskCoverage
from goldassay.questions.agree.study import Extras, study
from goldassay.questions.agree.tables import tables
from goldassay.ratings.task import Task
from goldassay.results import Undefined

COUNTS = Square(("MET", "UNMET"), np.array([[3.0, 1.0], [0.5, 2.0]]))


def test_every_table_of_a_whole_study_in_order() -> None:
    found = study(rubric(judges=2, samples=2), draw=DRAW, by=("criterion",), extras=Extras(items=2))
    made = tables(found)
    of_judge = ("criteria", "confusion", "modes", "missing verdicts", "samples")
    assert list(made) == [
        *(f"{kind}: {judge}" for judge in ("j0", "j1") for kind in of_judge),
        "confusion by criterion: j0",
        "confusion by criterion: j1",
        "missing verdicts by judge",
        "judges: kappa",
        "judges: errors",
        "disagreements: j0",
        "disagreements: j1",
        "checklist",
    ]
    for table in made.values():
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_confusion_has_totals_and_whole_numbers_where_counts_are_whole() -> None:
    made = tables(by_hand(JudgeAgreement("j", confusion=COUNTS)))["confusion: j"]
    assert made.columns == ("", "judge: MET", "judge: UNMET", "total")
    assert made.rows == (
        ("people: MET", 3, 1, 4),
        ("people: UNMET", 0.5, 2, 2.5),
        ("total", 3.5, 3, 6.5),
    )
    assert isinstance(made.rows[0][1], int)
    nobody = PeopleAgreement(0, rated=False)
    assert list(tables(by_hand(JudgeAgreement("j", confusion=COUNTS), people=nobody))) == [
        "checklist"
    ]


def test_criteria_name_the_degenerate_ones() -> None:
    values = {"accuracy": 1.0, "cohen_kappa": None, "reference_rate": 0.0}
    flat = CriterionAgreement(
        "b", 40, values, Undefined("cohen_kappa", "", 40), "the same on 40 of 40"
    )
    made = tables(by_hand(JudgeAgreement("j", criteria=(flat,))))["criteria: j"]
    assert made.columns == ("criterion", "items", "accuracy", "kappa", "people's rate")
    assert made.rows == (("b", 40, 1.0, None, 0.0),)
    assert made.notes == ("b: undefined, a side uses a single option (the same on 40 of 40)",)


def test_each_handling_beside_the_declared_one() -> None:
    task = by_hand().task
    declared, recoded, _ = modes_of(task, abstained=True, invalid=False)
    judge = JudgeAgreement(
        "j",
        modes=(
            ModeAgreement(declared, 70, (estimate("accuracy", 0.7), estimate("f1", 0.75))),
            ModeAgreement(recoded, 100, (Undefined("accuracy", "0/0", 0),)),
        ),
    )
    made = tables(by_hand(judge))["modes: j"]
    assert made.rows[0][:5] == ("exclude (declared)", 70, 0.7, None, 0.75)
    assert made.rows[1] == ("recode", 100, None, None, None, recoded.estimand)
    assert declared == declared_mode(task)


def test_what_verdicts_are_missing_by() -> None:
    judge = JudgeAgreement("j", missing=(Dependence("topic", "a", 0.5, "b", 0.1, 0.3, 0.01),))
    made = tables(by_hand(judge))["missing verdicts: j"]
    assert made.rows == (("topic", "a", 0.5, "b", 0.1, 0.3, 0.01),)
    missing = MissingByJudge(("j", "k"), np.array([0.1, 0.0]), np.array([40.0, 30.0]), 0.2, 0.034)
    panel = PanelAgreement(("j", "k"), (estimate("alpha", 0.5),), missing=missing)
    made = tables(by_hand(panel=panel))["missing verdicts by judge"]
    assert made.rows == (("j", 0.1, 40), ("k", 0.0, 30))
    assert made.notes == ("chi-square p = 0.034, Cramér's V 0.20",)


def test_samples_of_verdicts_and_of_scores() -> None:
    curve = MajorityCurve(np.array([0.8, 0.9]), np.array([40.0, 39.6]), enough=2)
    made = tables(by_hand(JudgeAgreement("j", repeats=Repeats((), curve))))["samples: j"]
    assert made.rows == ((1, 0.8, 0.0, 40), (2, 0.9, pytest.approx(0.1), 40))
    assert made.notes[0].startswith("2 of them come within 0.5 points of the best")
    mean = RepeatedScores((), MeanCurve(np.array([0.5, 0.6]), np.array([0.2, 0.3]), 2))
    scored = JudgeAgreement("j", repeats=mean)
    made = tables(by_hand(scored, task=Task(scale="continuous")))["samples: j"]
    assert made.rows == ((1, 0.5, 0.2), (2, 0.6, 0.3))


def test_risk_and_coverage() -> None:
    risk = RiskCoverage(
        np.array([0.5, 1.0]), np.array([0.0, 0.25]), np.array([0.9, 0.5]), np.array([4, 8]), 0.1
    )
    judge = JudgeAgreement("j", probabilities=ProbabilityQuality((), risk))
    made = tables(by_hand(judge))["risk and coverage: j"]
    assert made.rows == ((0.5, 0.0, 0.9, 4), (1.0, 0.25, 0.5, 8))


def test_parts_with_other_classes_make_no_table() -> None:
    wide = Square(("MET", "UNMET", "invalid"), np.zeros((3, 3)))
    parts = (
        PartAgreement("topic", "a", "j", (), COUNTS),
        PartAgreement("topic", "b", "j", (), COUNTS),
    )
    made = tables(by_hand(parts=parts))["confusion by topic: j"]
    assert made.columns == ("topic", "people", "judge: MET", "judge: UNMET")
    assert [row[:2] for row in made.rows] == [
        ("a", "MET"),
        ("a", "UNMET"),
        ("b", "MET"),
        ("b", "UNMET"),
    ]
    uneven = (parts[0], replace(parts[1], confusion=wide))
    assert list(tables(by_hand(parts=uneven))) == ["checklist"]


@pytest.mark.parametrize(("people", "shown"), [(12, True), (13, False)])
def test_kappa_of_a_few_people_is_shown(people: int, shown: bool) -> None:
    square = Square(tuple(map(str, range(people))), np.full((people, people), np.nan))
    found = by_hand(people=PeopleAgreement(people, rated=True, several=True, kappa=square))
    assert ("people: kappa" in tables(found)) is shown


def test_disagreements_show_votes_and_an_excerpt() -> None:
    one = Disagreement(("i1",), (("MET", 1), ("UNMET", 2)), (("MET", 1),), 0.5, "a  b\n" * 90)
    listed = Disagreements(("item",), (one,), differ=3, rated=40, with_texts=True)
    made = tables(by_hand(JudgeAgreement("j", disagreements=listed)))["disagreements: j"]
    assert made.columns == ("item", "people", "j", "distance", "text")
    assert made.rows[0][:4] == ("i1", "UNMET x2, MET x1", "MET", 0.5)
    assert made.rows[0][4].startswith("a b a b")
    assert len(made.rows[0][4]) == 120
    assert made.notes == ("3 of 40 units differ; 1 are shown",)
