"""The first screen of a document, and all of it."""

from __future__ import annotations

from typing import Any

import pytest

from goldassay.rendering.columns import width_of
from goldassay.rendering.full_text import render_full
from goldassay.rendering.ink import Ink
from goldassay.rendering.text import Screen, render_text


def result(name: str, value: float | None, low: float = 0.0, high: float = 1.0) -> dict[str, Any]:
    undefined = "no items" if value is None else None
    ends = {"low": None, "high": None} if value is None else {"low": low, "high": high}
    made = {"confidence_level": 0.95, "method": "Wilson", "n_items": 300, "n_clusters": 0}
    return {"name": name, "judge": "gpt", "value": value, **ends, **made, "undefined": undefined}


def a_document(lines: int = 3, **more: Any) -> dict[str, Any]:
    cells = [result("accuracy", 0.861, 0.83, 0.89), result("cohen_kappa", 0.7, 0.61, 0.78), 1200]
    return {
        "verb": "agree",
        "answer": ["`gpt` is strict.", "Second.", "Third.", "Fourth."],
        "summary": {
            "about": "judge",
            "columns": ["accuracy", "cohen_kappa", "items"],
            "lines": [
                {"label": f"judge {k}", "cells": cells, "tied": 0 < k < 3} for k in range(lines)
            ],
            "notes": [],
        },
        "results": [],
        "tables": {},
        "charts": [],
        "warnings": [],
        "sentences": [{"key": "k", "text": "A note."}],
        "rows": {"read": 1, "used": 1, "excluded": 0},
        "exclusions": [],
        "provenance": {"argv": ["agree", "ratings.csv"]},
        **more,
    }


def test_three_sentences_and_names_as_people_say_them() -> None:
    text = render_text(a_document())
    assert text.startswith("`gpt` is strict.\nSecond.\nThird.\n\n")
    assert "Fourth" not in text
    assert "Cohen's kappa" in text
    assert "86 % [83, 89]" in text
    assert "0.70 [0.61, 0.78]" in text
    assert "1,200" in text
    assert "1 rating read" in text
    assert "~ judge 1" in text
    assert "cannot be told from the first" in text


def test_the_strip_goes_before_a_column() -> None:
    assert "●" in render_text(a_document(), screen=Screen(100))
    narrow = render_text(a_document(), screen=Screen(60))
    assert "●" not in narrow
    assert "items" in narrow


def test_the_last_columns_go_before_the_ends_of_an_interval() -> None:
    text = render_text(a_document(), screen=Screen(40))
    assert text.count("86 % [83, 89]") == 3
    assert "no room for 2 columns (--full)" in text
    wider = render_text(a_document(), screen=Screen(42))
    assert "no room for: Cohen's kappa, items (--full)" in wider
    assert max(map(width_of, text.splitlines())) <= 40


@pytest.mark.parametrize(("lines", "most"), [(1, 30), (3, 30), (10, 30), (33, 50), (60, 50)])
def test_as_many_lines_as_allowed(lines: int, most: int) -> None:
    text = render_text(a_document(lines), screen=Screen(80, end=("next: x", "more: --full")))
    assert len(text.splitlines()) <= most
    hidden = [line for line in text.splitlines() if line.startswith("and ")]
    assert bool(hidden) == (lines == 60)  # as many lines of the table as there is room for


def test_what_was_assumed_is_said_and_the_first_line_says_provisional() -> None:
    text = render_text(a_document(assumed=["scale is binary", "`yes` is positive"]))
    assert text.startswith("Provisional: `gpt` is strict.")
    assert "assumed: scale is binary\nassumed: `yes` is positive\n" in text


def test_what_is_wrong_is_counted_and_its_first_said() -> None:
    undefined = [result("accuracy", None), result("cohen_kappa", None)]
    text = render_text(a_document(results=undefined, warnings=["Beware of `a`.", "And b."]))
    assert "! 2 results undefined; 2 warnings, the first: Beware of `a`." in text


def test_rows_left_out_are_told_by_reason() -> None:
    rows = {"read": 1200, "used": 1170, "excluded": 30}
    text = render_text(a_document(rows=rows, exclusions=[{"reason": "invalid", "rows": 30}]))
    assert "1,200 ratings read = 1,170 used + 30 left out: 30 invalid" in text


def test_colour_takes_no_room_and_names_lose_their_marks() -> None:
    plain = render_text(a_document(), screen=Screen(80))
    coloured = render_text(a_document(), screen=Screen(80, Ink(True)))
    assert "\x1b[36mgpt\x1b[39m" in coloured
    assert coloured.startswith("\x1b[1m")
    table = [line for line in plain.splitlines() if "judge 1" in line]
    assert table[0].split("  ")[0] in coloured
    assert "\x1b" not in plain


def test_a_document_without_a_summary_gets_one_line_per_judge_best_first() -> None:
    rows = [
        {**result("accuracy", value, value - 0.1, value + 0.1), "judge": judge}
        for judge, value in (("a", 0.5), ("b", 0.8))
    ]
    text = render_text(a_document(summary=None, results=rows))
    assert text.index("b  ") < text.index("\na  ")


def test_everything_with_how_each_group_was_made() -> None:
    declared = {"reference": "majority", "level": "micro"}
    row = {**result("cohen_kappa", 0.7, 0.6, 0.8), "declared": declared}
    text = render_full(a_document(results=[row]))
    assert "A note." in text
    assert "Fourth." in text
    assert "how: reference majority; level micro; interval: Wilson; goldassay agree" in text


def test_numbers_of_a_table_have_the_digits_of_their_column() -> None:
    rows = [["a", 75.5, 5.9e-04], ["b", 121.0, 0.25]]
    tables = {"t": {"title": "T", "columns": ["", "n", "x"], "rows": rows, "notes": []}}
    text = render_full(a_document(tables=tables))
    assert "75.5" in text
    assert "121.0" in text
    assert "e-04" not in text
