"""The one table of a question: a row each, how a number was made beside the first hundred."""

from __future__ import annotations

from goldassay.rendering.standing import MOST_TOLD, summary_grid


def test_of_many_rows_the_first_say_how() -> None:
    cell = {"name": "accuracy", "value": 0.5, "low": 0.4, "high": 0.6, "n_items": 9}
    lines = [{"label": f"j{k}", "cells": [cell, 9], "tied": False} for k in range(MOST_TOLD + 5)]
    summary = {"about": "judge", "columns": ["accuracy", "items"], "lines": lines, "notes": []}
    rows = summary_grid(summary, {"results": []}, "agree").rows
    assert len(rows) == len(lines)
    assert [bool(row[1].how) for row in rows] == [True] * MOST_TOLD + [False] * 5
    assert {(row[1].text, row[1].aside) for row in rows} == {("50 %", "[40, 60]")}
    assert all(row[1].bar for row in rows)


def test_the_first_line_and_all_that_cannot_be_told_from_it_are_marked() -> None:
    cell = {"name": "accuracy", "value": 0.8, "low": 0.7, "high": 0.9, "n_items": 9}
    tied = (False, True, False, True)
    lines = [{"label": f"j{k}", "cells": [cell], "tied": one} for k, one in enumerate(tied)]
    summary = {"about": "judge", "columns": ["accuracy"], "lines": lines, "notes": []}
    assert summary_grid(summary, {"results": []}, "agree").tied == (True, True, False, True)
