"""Which judge is taken: the one that `select` names, on the items that all decide."""

from __future__ import annotations

import polars as pl
import pytest
from many_judges import many_judges

import goldassay as ga


@pytest.mark.parametrize("scale", ["binary", "ordinal", "pairwise"])
def test_compare_and_plan_take_the_judge_that_select_names(scale: str) -> None:
    frame, task = many_judges(scale, 5)
    # A judge that is silent on half of what it gets wrong looks better on its own items.
    silent = (pl.col("rater") == "judge 4") & (pl.col("item") < "i2")
    frame = frame.filter(~silent)
    named = ga.select(frame, task, resamples=60).answer[0]
    found = ga.compare(frame, task)
    (said,) = (one for one in found.notes if one.key == "compare.judge")
    assert said.about == named.about
    assert said.facts["value"] == pytest.approx(named.facts["value"])
    assert said.facts["of"] == named.facts["n_candidates"]
    assert found.answer[0].about["judge"] == said.about["judge"]
    assert found.summary is not None
    of = f"which has the highest balanced accuracy of {said.facts['of']} judges"
    assert of in found.summary.notes[0]
    if scale == "binary":
        plan = ga.plan(frame, task)
        (planned,) = (one for one in (*plan.answer, *plan.notes) if one.key == "plan.judge")
        assert planned.about == said.about


def test_of_scores_the_highest_correlation() -> None:
    frame, task = many_judges("continuous", 4)
    best = ga.agree(frame, task, resamples=60).answer[0]
    (said,) = (one for one in ga.compare(frame, task).notes if one.key == "compare.judge")
    assert said.about == best.about
    assert said.facts["name"].startswith("pearson")


def test_one_judge_or_a_named_one_needs_no_reason() -> None:
    frame, task = many_judges("binary", 3)
    found = ga.compare(frame, task, judge=["judge 2"])
    assert not [one for one in found.notes if one.key == "compare.judge"]
    assert found.answer[0].about["judge"] == "judge 2"
