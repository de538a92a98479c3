"""Which numbers of two documents are held against each other, and on which items."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import goldassay as ga
from goldassay.questions.diff.study import Change, _judges
from goldassay.questions.report import ask
from goldassay.results import Estimate, Interval


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (0.1 + 0.2, 0.3, "the same"),  # which differ in the last digit
        (0.0, 0.0, "the same"),
        (1e-4, 2e-4, "cannot tell"),
        (0.3, 0.3 + 1e-6, "cannot tell"),
    ],
)
def test_what_rounding_leaves_is_no_change(old: float, new: float, told: str) -> None:
    interval = Interval(-0.1, 0.1, 0.95, "by hand")
    rows = [{"name": "accuracy", "value": value} for value in (old, new)]
    assert Change(*rows, Estimate("accuracy_change", new - old, interval)).direction == told


def document(options: list[str], wrong: int, judge: str = "gpt") -> dict[str, Any]:
    """A report on 40 items, of which the judge is wrong on the first so many."""
    rows = []
    for n in range(40):
        truth, other = ("yes", "no") if n % 2 else ("no", "yes")
        rows.append((f"q{n}", "ann", "human", truth))
        rows.append((f"q{n}", judge, "judge", other if n < wrong else truth))
    frame = pl.DataFrame(rows, schema=["item", "rater", "kind", "value"], orient="row")
    task = {"scale": "nominal", "options": options}
    found: dict[str, Any] = ga.report(frame, task, resamples=60).document()
    return found


def test_items_are_paired_where_the_options_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        ask, "QUESTIONS", {"agree": ask.QUESTIONS["agree"]}
    )  # a report alone holds verdicts
    two, three = ["yes", "no"], ["yes", "no", "unclear"]
    same = ga.diff(document(two, 8), document(two, 4))["accuracy_change", "gpt"]
    other = ga.diff(document(two, 8), document(three, 4))["accuracy_change", "gpt"]
    assert isinstance(same, ga.Estimate)
    assert isinstance(other, ga.Estimate)
    assert (same.value, other.value) == pytest.approx((0.1, 0.1))
    assert same.interval is not None
    assert other.interval is not None
    assert same.interval.method.startswith("paired")
    assert not other.interval.method.startswith("paired")  # as if the items were others
    assert other.interval.length > same.interval.length


def test_a_judge_that_was_renamed_is_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "QUESTIONS", {"agree": ask.QUESTIONS["agree"]})
    options = ["yes", "no"]
    old = document(options, 8, "gpt")
    kept = ga.diff(old, document(options, 4, "gpt"))["accuracy_change", "gpt"]
    moved = ga.diff(old, document(options, 4, "gpt 2"), judge={"gpt": "gpt 2"})
    assert moved["accuracy_change", "gpt 2"] == kept


def test_six_judges_of_a_document_are_named_in_a_message() -> None:
    results = [{"name": "accuracy", "judge": f"j{k}"} for k in (7, 3, 1, 2, 6, 5, 4, 1)]
    assert _judges({"results": [*results, {"name": "items"}]}) == "j1, j2, j3, j4, j5, j6"
    assert _judges({}) == "none"
