"""Charts: records made from the study, the figures of the paper among them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from goldassay.charts import Chart, Distribution, DotInterval, HeatMap, Scatter
from goldassay.inference import order_model
from goldassay.questions.rank.charts import charts
from goldassay.questions.rank.study import Options, RankStudy, study
from goldassay.ratings.task import Task
from tests.support.contests import contest

TASK = Task(scale="continuous")
DESCRIBED = {f"judge {j}": {"model": f"m{j % 3}", "realization": f"r{j // 3}"} for j in range(6)}


@pytest.fixture(scope="module")
def found() -> RankStudy:
    options = Options(resamples=200, judges=DESCRIBED)
    return study(contest(judges=6, noise=4.0), TASK, options=options)


def titled(drawn: Iterable[Chart], start: str) -> list[Chart]:
    return [chart for chart in drawn if chart.title.startswith(start)]


def test_the_figures_of_the_paper(found: RankStudy) -> None:
    drawn = charts(found)
    for title in (
        "Agreement with people's ranking (mean)",  # Figure 4
        "Bias towards systems, beyond decisiveness",  # 7, 10b
        "Agreement between rankings (tau, mean)",  # 9
    ):
        assert len(titled(drawn, title)) == 1, title
    assert len(titled(drawn, "Win rates of pairs of systems")) == 6  # 5, 11
    assert len(titled(drawn, "Scores that the judges give")) >= 2  # 12
    kinds = {type(chart) for chart in drawn}
    assert kinds == {DotInterval, Scatter, HeatMap, Distribution}
    assert all(chart.alt for chart in drawn)


def test_taus_are_grouped_by_realization(found: RankStudy) -> None:
    (chart,) = titled(charts(found), "Agreement with people's ranking")
    assert isinstance(chart, DotInterval)
    groups = [row.group for row in chart.rows]
    assert len(set(groups)) == 2
    assert groups in ([*["r0"] * 3, *["r1"] * 3], [*["r1"] * 3, *["r0"] * 3])
    assert found.people is not None
    best = found.people.standings[0].judge
    tau = best.tau("mean")
    assert [row.value for row in chart.rows if row.label == best.name] == [tau and tau.value]


def test_without_gold_there_are_ranks_and_scores() -> None:
    bare = study(contest(human_scores=None), TASK, options=Options(resamples=200))
    kinds = [type(chart) for chart in charts(bare)]
    assert kinds == [DotInterval, Distribution]  # two rankings make no map


def test_ranks_stand_in_order(found: RankStudy) -> None:
    (chart,) = titled(charts(found), "Ranks of the systems")
    assert isinstance(chart, DotInterval)
    values = [row.value for row in chart.rows]
    assert values == sorted(values, key=lambda value: value or 0)
    assert chart.alt.endswith(f"{chart.rows[0].label} comes first, {chart.rows[-1].label} last.")


def test_pairs_are_drawn_once_as_people_order_them(found: RankStudy) -> None:
    chart = titled(charts(found), "Win rates of pairs of systems")[0]
    assert isinstance(chart, Scatter)
    assert len(chart.points) == 15  # six systems make fifteen pairs
    assert all(point.x >= 0.5 for point in chart.points)
    assert len({frozenset(point.label.split(" over ")) for point in chart.points}) == 15


def test_few_scores_have_a_bar_each() -> None:
    scores = np.round(np.clip(contest().scores * 2, -2, 2))  # type: ignore[operator]
    likert = study(contest(scores=scores), TASK, options=Options(resamples=200))
    (chart,) = titled(charts(likert), "Scores that the judges give")
    assert isinstance(chart, Distribution)
    for series, values in zip(chart.series, scores, strict=True):
        known = [int((values == level).sum()) for level in (-2, -1, 0, 1, 2)]
        assert [count for count in series.counts if count] == known


def test_many_judges_and_systems_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many numbers are drawn does not depend on how well each is known."""
    monkeypatch.setattr(order_model, "DRAWS", 20)
    many = contest(judges=40, prompts=30, systems=45)
    options = Options(aggregations=("mean",), resamples=20)
    drawn = charts(study(many, TASK, options=options))
    maps = [chart for chart in titled(drawn, "Bias towards systems") if isinstance(chart, HeatMap)]
    cells = [len(chart.x_labels) * len(chart.y_labels) for chart in maps]
    assert sorted(cells) == [480, 1800]
    scatters = [chart for chart in drawn if isinstance(chart, Scatter)]
    assert len(scatters) == 1
    assert len(scatters[0].points) <= 2000


def test_a_missing_bias_is_an_empty_cell(found: RankStudy) -> None:
    judge = found.judges[0]
    assert judge.behaviour is not None
    assert judge.bias is not None
    corrected = judge.bias.corrected.copy()
    corrected[2] = np.nan
    bias = replace(judge.bias, corrected=corrected)
    changed = replace(judge, behaviour=replace(judge.behaviour, bias=bias))
    drawn = charts(replace(found, judges=(changed, *found.judges[1:])))
    (chart,) = titled(drawn, "Bias towards systems, beyond decisiveness")
    assert isinstance(chart, HeatMap)
    row = list(chart.y_labels).index(judge.name)
    assert chart.values[row][list(chart.x_labels).index("system 2")] is None
