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


def systems(scale: str) -> list[dict[str, str]]:
    """Three systems of which the first is the best, by people and two judges."""
    rows = []
    for k in range(60):
        a, b = [("ash", "elm"), ("elm", "fir"), ("ash", "fir")][k % 3]
        for rater, kind, off in (("ann", "human", 0), ("one", "judge", 1), ("two", "judge", 2)):
            turned = (k + off) % 7 == 0
            told = {"item": str(k), "rater": rater, "kind": kind, "system": a, "prompt": str(k)}
            if scale == "pairwise":
                told |= {"opponent": b, "value": "B" if turned else "A"}
            else:
                told["value"] = str(1 + {"ash": 3, "elm": 2, "fir": 1}[a] - turned)
            rows.append(told)
    return rows


def test_systems_that_were_compared_have_a_card_of_their_own() -> None:
    """Of comparisons how often a side wins is no system's: it is neither drawn nor written."""
    task = {"scale": "pairwise", "options": ["A", "B"], "calibration": "random"}
    found = ga.report(systems("pairwise"), task, resamples=100)
    titles = [card.title for card in cards(found.document())]
    assert "Which system is better" in titles
    charts = [card.chart for card in cards(found.document()) if card.chart]
    assert [one["x_label"] for one in charts if "win" in one["x_label"]] == ["true win rate"]
    assert not [title for title in titles if "True rate" in title]
    assert found.answer[1].key == "report.systems"
    assert "report.may_rate" not in [one["key"] for one in found.more["claims"]["may"]]


def test_each_system_of_grades_is_drawn_once() -> None:
    task = {"scale": "ordinal", "options": list("1234"), "calibration": "random"}
    document = ga.report(systems("ordinal"), task, resamples=100).document()
    (card,) = [one for one in cards(document) if one.title == "Which system is better"]
    assert card.chart is not None
    assert [row["label"] for row in card.chart["rows"]] == ["ash", "elm"]
