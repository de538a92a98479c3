"""What may be written of systems, and what may not."""

from __future__ import annotations

import pytest

import goldassay as ga

TASK = {"scale": "pairwise", "options": ["A", "B"], "calibration": "random"}


def battles(turned: dict[tuple[str, str], int], each: int = 60) -> list[dict[str, str]]:
    """Pairs of systems of which the second wins so many of the battles, by a person and a judge."""
    return [
        {
            "item": f"{a} {b} {k}",
            "rater": rater,
            "kind": kind,
            "system": a,
            "opponent": b,
            "value": "B" if k < wins else "A",
        }
        for (a, b), wins in turned.items()
        for k in range(each)
        for rater, kind in (("ann", "human"), ("bot", "judge"))
    ]


def keys(found: ga.Findings, which: str) -> dict[str, str]:
    return {one["key"]: one["text"] for one in found.more["claims"][which]}


def test_a_system_that_leads_may_be_called_better() -> None:
    won = {("ash", "elm"): 6, ("ash", "fir"): 3, ("elm", "fir"): 12}
    found = ga.report(battles(won), TASK, resamples=200)
    assert "`ash` leads" in keys(found, "may")["report.may_system"]
    assert "report.not_system" not in keys(found, "may_not")


@pytest.mark.parametrize("systems", [2, 3])
def test_systems_that_are_level_may_not(systems: int) -> None:
    won = {("ash", "elm"): 29, ("ash", "fir"): 30, ("elm", "fir"): 31}
    some = dict(list(won.items())[: 1 if systems == 2 else 3])
    found = ga.report(battles(some), TASK, resamples=200)
    assert "report.may_system" not in keys(found, "may")
    assert "cannot tell them apart" in keys(found, "may_not")["report.not_system"]


def test_of_several_criteria_the_mean_is_that_on_which_the_judge_is_furthest_off() -> None:
    rows = [
        {
            "item": str(k),
            "rater": rater,
            "kind": kind,
            "criterion": criterion,
            "value": str(min(5, 1 + k % 5 + off * (k % 2))),
        }
        for k in range(60)
        for criterion, more in (("fluency", 0), ("accuracy", 1))
        for rater, kind, off in (("ann", "human", 0), ("bot", "judge", more))
    ]
    task = {"scale": "ordinal", "options": list("12345"), "calibration": "random"}
    found = ga.report(rows, task, resamples=200)
    (mean,) = [one for one in found.answer if one.key == "report.mean_on_criterion"]
    assert mean.about == {"judge": "bot", "criterion": "accuracy"}
    assert "on average on `accuracy`; people's mean is likely" in mean.text
    assert "The mean score on `accuracy` is" in keys(found, "may")["report.may_mean"]
    assert found.document()["first"]["mean"] is None
