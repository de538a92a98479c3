"""The first screen of a report."""

from __future__ import annotations

import goldassay as ga
from goldassay.examples import tables
from goldassay.rendering.first import cards


def test_grades_have_their_mean_as_the_large_number_over_their_rates() -> None:
    found = ga.report(tables.grades.path, tables.grades.task, resamples=100)
    document = found.document()
    first = cards(document)[0]
    mean = document["first"]["mean"]
    assert first.title == "People's mean score, and true rates, 5 options"
    assert first.number == f"{mean['true']['value']:.2f}"
    (said,) = first.said
    assert f"gives {mean['called']['value']:.2f} on average" in said
    assert first.chart is not None
    assert len(first.chart["rows"]) == 5


def test_a_rate_of_one_option_stands_alone() -> None:
    document = ga.report(tables.plain.path, tables.plain.task, resamples=100).document()
    assert document["first"]["mean"] is None
    assert cards(document)[0].title == "True rate of `pass`"
