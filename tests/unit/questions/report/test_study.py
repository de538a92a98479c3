"""What a report gathers from its questions."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

import goldassay as ga
from goldassay.questions.report.study import Part, ReportStudy, Shift, Use, _orderly
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval, Line, Sentence, Summary


def test_grades_on_criteria_have_a_rate_each_the_one_furthest_off(tmp_path: Path) -> None:
    """On one criterion the judge gives the top grade to all, on the other people's own grades."""
    rows = []
    for n in range(40):
        for criterion in ("clear", "true"):
            about = {"item": f"i{n}", "criterion": criterion}
            grade = str(1 + n % 4)
            own = "4" if criterion == "true" else grade
            rows.append(about | {"rater": "ann", "kind": "human", "value": grade})
            rows.append(about | {"rater": "judge", "kind": "judge", "value": own})
    task = {"scale": "ordinal", "options": ["1", "2", "3", "4"], "calibration": "random"}
    found = ga.report(pl.DataFrame(rows), task, resamples=40)
    strips = found.more["first"]["strips"]
    assert [one["criterion"] for one in strips] == ["clear", "true"]
    assert strips[1]["option"] == "4"
    assert strips[1]["called"]["value"] == 1.0
    (said,) = [one for one in found.answer if one.key == "report.mean_on_criterion"]
    assert said.text.startswith("`judge` scores 4.00 on average on `true`; people's mean is likely")
    claims = [one["text"] for one in found.more["claims"]["may"]]
    assert any(one.startswith("“25 % on `true` are `4`") for one in claims)
    assert found.more["first"]["strips_in_all"] == 2
    found.save(tmp_path / "report.html")
    assert "true: 4" in (tmp_path / "report.html").read_text()  # the first screen says which grade


def test_labels_that_were_chosen_say_nothing_alone() -> None:
    """All that the judge flags and a tenth of the rest: six in ten labels say yes, and one item."""
    rows = []
    for n in range(200):
        said = "yes" if n % 10 == 0 else "no"
        rows.append({"item": f"q{n}", "rater": "gpt", "kind": "judge", "value": said})
        if said == "yes" or n % 10 == n // 10 % 10:
            rows.append({"item": f"q{n}", "rater": "ann", "kind": "human", "value": said})
    task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    for design, drawn in (("by_verdict", False), ("random", True)):
        found = ga.report(pl.DataFrame(rows), {**task, "calibration": design}, resamples=200)
        (strip,) = found.document()["first"]["strips"]
        assert (strip["labels"] is not None) is drawn


def estimate(value: float, low: float = 0.0, high: float = 1.0) -> Estimate:
    return Estimate("accuracy", value, Interval(low, high, 0.95, "by hand"))


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.8, 0.9, "yes"),  # at least 0.8 is 0.8 too
        (0.79, 0.9, "cannot tell"),
        (0.7, 0.8, "cannot tell"),
        (0.7, 0.79, "no"),
    ],
)
def test_whether_a_use_is_served(low: float, high: float, word: str) -> None:
    assert Use("accuracy", 0.8, estimate(0.8, low, high)).word == word


def test_only_a_judge_that_orders_systems_better_is_told_beside_the_one_spoken_of() -> None:
    def told(first: float) -> object:
        lines = (Line("other", (estimate(first),)), Line("gpt", (estimate(0.5),)))
        found = SimpleNamespace(summary=Summary("judge", ("kendall_tau",), lines))
        return _orderly(found, "gpt", estimate(0.5))  # type: ignore[arg-type]

    assert told(0.6) == ("other", estimate(0.6))
    assert told(0.5) is None  # as well, and first by its name


def test_the_first_screen_has_the_best_system_and_those_level_with_it() -> None:
    names = [f"s{k:02}" for k in range(12)]
    shifts = tuple(Shift(name, estimate(0.9), None) for name in names)

    def shown(tied: list[str]) -> list[str]:
        leads = Sentence("compare.leaders", "", {"judge": "gpt"}, {"tied": tied})
        part = Part("compare", SimpleNamespace(answer=(leads,)), "")  # type: ignore[arg-type]
        told = ReportStudy(Task(scale="continuous"), (part,), ("gpt",), judge="gpt", shifts=shifts)
        return [one.system for one in told._shown_shifts]

    assert shown(names[9:11]) == [*names[:6], *names[9:11]]
    assert shown(names[2:]) == [names[0], *names[2:9]]  # no room for the second, which is behind
