"""Pictures of what a document holds, whatever that is."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import sample_charts
import sample_documents
from hypothesis import given
from hypothesis import strategies as st

from goldassay.rendering.blocks import Panels
from goldassay.rendering.html import render_html
from goldassay.rendering.markdown import render_markdown
from goldassay.rendering.pictures import families, pictures
from goldassay.rendering.text import render_text

RATES = ("coverage", "abstention_rate", "invalid_rate", "failed_rate")


def rates(judge: str, **values: float | None) -> list[dict[str, Any]]:
    return [
        sample_documents.row(name, value, "agree", judge=judge) for name, value in values.items()
    ]


def drawn(rows: list[dict[str, Any]], verb: str = "agree") -> list[dict[str, Any]]:
    found, _ = pictures({"verb": verb}, rows)
    return [dict(one.chart) for one in found]


def test_a_judge_that_never_answered_is_drawn_at_nought() -> None:
    """Every call failed: the coverage is 0, and a dot at 0 says so."""
    (chart,) = drawn(rates("down", coverage=0.0, failed_rate=1.0))
    assert [(row["label"], row["value"]) for row in chart["rows"]] == [("down", 0), ("down", 1)]
    assert "`down` does on 0 % of them" in chart["alt"]


def test_judges_that_always_answer_are_left_out() -> None:
    rows = rates("a", coverage=1.0, abstention_rate=0.0)
    rows += rates("b", coverage=0.9, abstention_rate=0.1, invalid_rate=0.0)
    (chart,) = drawn(rows)
    assert [(row["label"], row["value"]) for row in chart["rows"]] == [("b", 0.9), ("b", 0.1)]
    assert drawn(rows[:2]) == []


def test_the_coverage_of_an_audit_is_another_thing() -> None:
    """It says how often a judge's options are among people's, not how often it gave a verdict."""
    assert drawn(rates("j", coverage=0.4), verb="audit") == []


@pytest.mark.parametrize("render", [render_html, render_markdown, render_text])
@given(
    values=st.lists(
        st.sampled_from([None, 0.0, 0.5, 1.0]), min_size=len(RATES) * 2, max_size=len(RATES) * 2
    )
)
def test_any_rates_make_a_page(render: Any, values: list[float | None]) -> None:
    names = itertools.product(("a", "b"), RATES)
    rows = [
        sample_documents.row(name, value, "agree", judge=judge)
        for (judge, name), value in zip(names, values, strict=True)
    ]
    for verb in ("agree", "audit"):
        assert render({"verb": verb, "answer": [], "results": rows, "task": {}, "exclusions": []})


def _rate_of(judge: str, value: float) -> dict[str, Any]:
    row = {"label": "labels only", "value": value, "low": value - 0.1, "high": value + 0.1}
    return {
        "kind": "dot_interval",
        "title": f"The rate by every estimator ({judge})",
        "x_label": "rate",
        "rows": [row, row],
        "alt": "a",
    }


def test_pictures_of_one_kind_are_small_multiples_on_one_range() -> None:
    charts = [_rate_of(f"judge {k}", 0.2 + 0.05 * k) for k in range(9)]
    found, _ = pictures({"verb": "estimate", "charts": charts}, [])
    assert {one.chart["limits"] for one in found} == {found[0].chart["limits"]}
    low, high = found[0].chart["limits"]
    assert low <= 0.1
    assert high >= 0.7  # of the last judge: 0.2 + 0.4 + 0.1
    (panels,) = families(found)
    assert isinstance(panels, Panels)
    assert (len(panels.pictures), panels.more) == (6, 3)


def test_a_matrix_draws_twenty_rows_and_columns() -> None:
    chart = sample_charts.heat_map(48, 63)
    (one,), _ = pictures({"verb": "rank", "charts": [chart]}, [])
    assert [len(one.chart["values"]), len(one.chart["values"][0])] == [20, 20]
    assert one.chart["alt"].endswith("The first 20 of 48 rows and 20 of 63 columns are drawn.")
    assert len(one.grid.rows) == 48
    assert one.grid.notes == ("43 more columns are in the JSON document.",)
