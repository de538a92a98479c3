"""The pictures of an audit are functions of its study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from audit_counts import TASK, judged

from goldassay.charts import DotInterval, HeatMap, Line
from goldassay.formulas.distributions import table_1
from goldassay.questions.audit.charts import charts
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.rank_consistency import Orders
from goldassay.questions.audit.study import AuditStudy, RankConsistency, study
from goldassay.results import Estimate


@pytest.fixture(scope="module")
def found() -> AuditStudy:
    return study(judged(), TASK, draws=Draws(resamples=100, panels=2))


def test_which_pictures_there_are(found: AuditStudy) -> None:
    assert [one.title for one in charts(found)] == [
        "Decision consistency with people",
        "Share of pairs of judges ordered differently",
        "Decision consistency as raters accept more than they chose",
        "Estimation bias as raters accept more than they chose",
        "Prevalence of Yes as raters accept more than they chose",
        "How many ratings an item needs",
    ]
    assert all(one.alt for one in charts(found))


def test_dots_are_results(found: AuditStudy) -> None:
    dots = charts(found)[0]
    assert isinstance(dots, DotInterval)
    (decided,) = (one for one in found.compared if one.definition.name == "decision_consistency")
    results = dict(zip(found.judges, decided.results, strict=True))
    values = [dot.value for dot in dots.rows]
    assert values == sorted(values, key=lambda value: -(value or 0.0))  # best first
    assert {dot.label for dot in dots.rows} == set(results)
    for dot in dots.rows:
        result = results[dot.label]
        assert isinstance(result, Estimate)
        assert result.interval is not None
        assert dot.group == "s/s"
        assert (dot.value, dot.low, dot.high) == (
            result.value,
            result.interval.low,
            result.interval.high,
        )


def test_a_result_without_an_interval_is_drawn_without_one() -> None:
    one_item = study(judged(items=1), TASK, draws=Draws(resamples=20, panels=2))
    dots = charts(one_item)[0]
    assert isinstance(dots, DotInterval)
    assert {(dot.low, dot.high) for dot in dots.rows} == {(None, None)}


def test_orders_as_a_heat_map(found: AuditStudy) -> None:
    hits, kappa, *_ = table_1()
    apart = np.array([[0.0, 1.0], [1.0, 0.0]])
    consistency = RankConsistency((hits, kappa), Orders(apart, apart, apart, apart))
    heat = charts(replace(found, rank_consistency=consistency))[1]
    assert isinstance(heat, HeatMap)
    assert heat.x_labels == heat.y_labels == ["hit_rate h/h", "cohen_kappa h/h"]
    assert heat.values == [[0.0, 1.0], [1.0, 0.0]]


def test_judges_by_beta(found: AuditStudy) -> None:
    assert found.hidden is not None
    sweep = found.hidden.sweeps[0]
    line = charts(found)[2]
    assert isinstance(line, Line)
    assert {one.label for one in line.series} == {"good", "bad"}
    assert line.series[0].y[0] >= line.series[1].y[0]  # best first
    (bad,) = (one for one in line.series if one.label == "bad")
    assert bad.x == list(sweep.steps)
    assert bad.y == sweep.values[:, -1, 1].tolist()
    gaps = sweep.values.copy()
    gaps[2, -1, 0] = np.nan  # a judge that is undefined at one beta has no line
    hidden = replace(found.hidden, sweeps=(replace(sweep, values=gaps),))
    line = charts(replace(found, hidden=hidden))[2]
    assert isinstance(line, Line)
    assert [one.label for one in line.series] == ["bad"]


def test_ratings_here_are_marked(found: AuditStudy) -> None:
    line = charts(found)[-1]
    assert isinstance(line, Line)
    assert [(one.axis, one.value) for one in line.references] == [("x", 3.0)]
