"""Pictures of what a document holds, whatever that is."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import sample_documents
from hypothesis import given
from hypothesis import strategies as st

from goldassay.rendering.html import render_html
from goldassay.rendering.markdown import render_markdown
from goldassay.rendering.pictures import pictures
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
