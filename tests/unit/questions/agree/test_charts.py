"""Charts are pure functions of a study."""

from __future__ import annotations

import numpy as np
from agree_studies import by_hand, estimate

from goldassay.charts import DotInterval, HeatMap, Line
from goldassay.questions.agree.charts import charts
from goldassay.questions.agree.record import (
    JudgeAgreement,
    JuryAgreement,
    PanelAgreement,
    ProbabilityQuality,
    Square,
)
from goldassay.questions.agree.scores import RiskCoverage
from goldassay.results import Undefined


def test_judges_and_juries_are_drawn_with_their_intervals() -> None:
    accuracy = estimate("accuracy", 0.9, 0.8, 0.95)
    judge = JudgeAgreement(
        "j", micro=(accuracy, estimate("phi", 0.7, 0.6, 0.8), Undefined("cohen_kappa", "", 0))
    )
    without = JudgeAgreement("k", micro=(estimate("accuracy", 0.5),))
    jury = JuryAgreement("panel", "j", estimate("gain", 0.0), (accuracy,))
    kappa = Square(("j", "k"), np.array([[np.nan, 0.4], [0.4, np.nan]]))
    panel = PanelAgreement(("j", "k"), (), kappa=kappa, juries=(jury,))
    dots, heat = charts(by_hand(judge, without, panel=panel))
    assert isinstance(dots, DotInterval)
    assert dots.rate
    assert [(d.label, d.value, d.low, d.high) for d in dots.rows] == [
        ("j", 0.9, 0.8, 0.95),
        ("panel", 0.9, 0.8, 0.95),
    ]
    assert isinstance(heat, HeatMap)
    assert heat.values == [[None, 0.4], [0.4, None]]
    assert heat.alt == "Cohen's kappa between judges, 2 by 2."


def test_risk_is_a_line_and_nothing_is_no_picture() -> None:
    curve = RiskCoverage(
        np.array([0.5, 1.0]), np.array([0.0, 0.2]), np.array([0.9, 0.5]), np.array([1, 2]), 0.1
    )
    (line,) = charts(by_hand(JudgeAgreement("j", probabilities=ProbabilityQuality((), curve))))
    assert isinstance(line, Line)
    assert (line.series[0].x, line.series[0].y) == ([0.5, 1.0], [0.0, 0.2])
    assert charts(by_hand(JudgeAgreement("j"))) == ()
