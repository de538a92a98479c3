"""How many units a label stands for, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from goldassay.errors import RatingsError
from goldassay.questions.route.signals import Signal
from goldassay.questions.route.study import Settings, design_weights, study
from goldassay.ratings.task import Task


def signal(verdict: list[int], labelled: list[int], stratum: list[int]) -> Signal:
    number = len(verdict)
    return Signal(
        judge="gpt",
        name="score",
        options=("yes", "no"),
        row=np.arange(number),
        verdict=np.array(verdict),
        sure=np.linspace(0.5, 1, number),
        error=np.where(np.array(labelled) == 1, 0.0, np.nan),
        pool=np.ones(number, bool),
        stratum=np.array(stratum),
        cluster=None,
        symmetric=True,
    )


def task(calibration: str) -> Task:
    return Task(scale="binary", options=("yes", "no"), positive="yes", calibration=calibration)


#: Of five units judged yes two are labelled, of three judged no one; the last is in a stratum of
#: its own, without a label.
VERDICT = [0, 0, 0, 0, 0, 1, 1, 1, 1]
LABELLED = [1, 1, 0, 0, 0, 1, 0, 0, 0]
STRATUM = [0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("calibration", "stratum", "groups", "weights"),
    [
        ("random", [0] * 9, 1, [1.0] * 9),  # every label counts once
        ("random", STRATUM, 2, [8 / 3] * 8 + [1.0]),
        ("by_verdict", [0] * 9, 2, [5 / 2] * 5 + [4.0] * 4),
        ("by_verdict", STRATUM, 3, [5 / 2] * 5 + [3.0] * 3 + [1.0]),
        # yes in the last stratum is no group with no in the first
        ("by_verdict", [2] * 5 + [0] * 4, 2, [5 / 2] * 5 + [4.0] * 4),
    ],
)
def test_a_label_stands_for_the_units_of_its_group(
    calibration: str, stratum: list[int], groups: int, weights: list[float]
) -> None:
    cell, found = design_weights(signal(VERDICT, LABELLED, stratum), task(calibration))
    assert len(np.unique(cell)) == groups
    assert found == pytest.approx(weights)


def test_why_nothing_can_be_routed() -> None:
    unlabelled = [signal(VERDICT, [0] * 9, [0] * 9)]
    with pytest.raises(RatingsError) as bare:
        study(unlabelled, task("random"), Settings(), place="here")
    assert "divided" not in str(bare.value)
    assert bare.value.next_step == "Have people label 60 items or more, drawn at random"
    with pytest.raises(RatingsError, match="divided on every item") as split:
        study(unlabelled, task("random"), Settings(), place="here", divided=True)
    assert split.value.next_step == 'reference = "each" in the task keeps all of their ratings'
