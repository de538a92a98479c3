"""The pictures of a choice are functions of its study."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_tables import judged, units

from goldassay.charts import DotInterval, Line, Scatter
from goldassay.questions.select.charts import charts
from goldassay.questions.select.criteria import CRITERIA
from goldassay.questions.select.study import SelectStudy, Settings, study
from goldassay.questions.select.thresholds import CutScores, Threshold, roc
from goldassay.results import Estimate


@pytest.fixture
def found(tmp_path: Path) -> SelectStudy:
    """Sensitivity and specificity 1 and 1/2, and 1/2 and 1/4."""
    verdicts = {"poor": [1, 1, 0, 0, 1, 1, 1, 0], "good": [1, 1, 1, 1, 0, 0, 1, 1]}
    rows = judged([1, 1, 1, 1, 0, 0, 0, 0], verdicts)
    return study(units(tmp_path, rows), Settings(draws=100))


def test_judges_by_the_criterion(found: SelectStudy) -> None:
    dots = charts(found)[0]
    assert isinstance(dots, DotInterval)
    assert [(dot.label, dot.value) for dot in dots.rows] == [("good", 0.75), ("poor", 0.375)]
    for dot, merit in zip(dots.rows, found.merits, strict=True):
        assert merit.criterion.interval is not None
        assert (dot.low, dot.high) == (merit.criterion.interval.low, merit.criterion.interval.high)
    assert [one.value for one in dots.references] == [0.5]
    assert dots.alt == "good is highest at 75 %, poor lowest at 38 %."
    dots = charts(replace(found, n_options=4))[0]
    assert isinstance(dots, DotInterval)
    assert [one.value for one in dots.references] == [0.25]
    dots = charts(replace(found, criterion=CRITERIA["filter"]))[0]
    assert isinstance(dots, DotInterval)
    assert dots.references == []  # no one number that guessing reaches


def test_what_judges_report_for_a_true_rate(found: SelectStudy) -> None:
    line, plane = charts(found)[1:3]
    assert isinstance(line, Line)
    assert [(one.label, one.y) for one in line.series] == [
        ("good", [0.5, 1.0]),
        ("poor", [0.75, 0.5]),
    ]
    assert (line.diagonal, line.rates) == ("no distortion", "xy")
    assert "good is the steepest, with J 0.50" in line.alt
    assert isinstance(plane, Scatter)
    assert [(one.label, one.x, one.y) for one in plane.points] == [
        ("good", 0.5, 1.0),
        ("poor", 0.75, 0.5),
    ]
    assert [(one.x, one.y) for one in plane.curves] == [([0.5, 0.5], [0.5, 1.0])]


def test_roc_curves_are_thinned_and_marked_at_their_best(found: SelectStudy) -> None:
    positive = np.r_[np.ones(300), np.zeros(300)]
    scores = np.r_[np.arange(300) + 100.0, np.arange(300)]
    curve = roc(scores, positive, 1 - positive)
    empty = np.zeros(0)
    threshold = Threshold(200.0, 0.34, 0.3, empty, empty, (199.0, 201.0))
    cut = CutScores("good", Estimate("threshold_youden_j", 0.3), threshold, curve)
    picture = charts(replace(found, distortions=(), cut_scores=(cut,)))[1]
    assert isinstance(picture, Scatter)
    drawn, upright = picture.curves
    assert len(drawn.x) == 200
    assert (drawn.x[0], drawn.x[-1], drawn.y[-1]) == (0, 1, 1)
    assert upright.label == "J of good"
    # the highest point above the diagonal is where 100 positives, and no negative, are called
    assert upright.x[0] == upright.x[1] == upright.y[0]
    assert upright.y[1] - upright.y[0] == pytest.approx(1 / 3)
    assert "0.34 above the diagonal" in picture.alt


def test_nothing_to_draw(found: SelectStudy) -> None:
    assert charts(replace(found, comparison=None, distortions=())) == ()
