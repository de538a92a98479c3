"""Every question says what it did with the weights of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import goldassay as ga

TASK = {"scale": "binary", "options": ["yes", "no"], "positive": "yes", "calibration": "random"}


def table(*, weighted: bool) -> pl.DataFrame:
    rows = []
    for n in range(60):
        human, judge = ("yes" if n % 2 else "no"), ("yes" if n % 3 else "no")
        about = {"item": f"q{n // 2}", "system": "AB"[n % 2], "weight": 1 + n % 3 * weighted}
        rows.append(about | {"rater": "gpt", "kind": "judge", "value": judge})
        for who in ("ann", "ben"):
            if n < 40:
                rows.append(about | {"rater": who, "kind": "human", "value": human})
    return pl.DataFrame(rows)


SAYS = {
    "agree": (ga.agree, "Items count by the column `weight`"),
    "select": (ga.select, "Items count by the column `weight`"),
    "estimate": (ga.estimate, "Items count by the column `weight`"),
    "audit": (ga.audit, "The column `weight` is not used here"),
    "rank": (ga.rank, "The column `weight` is not used here"),
}


@pytest.mark.parametrize("verb", SAYS)
def test_weights_are_said_where_they_differ(verb: str) -> None:
    ask: Callable[..., Any] = SAYS[verb][0]
    said = {one.key: one.text for one in ask(table(weighted=True), TASK).notes}
    assert said[f"{verb}.weights"].startswith(SAYS[verb][1])
    plain = {one.key for one in ask(table(weighted=False), TASK).notes}
    assert f"{verb}.weights" not in plain
