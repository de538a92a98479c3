from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from goldassay.counts import Units, count_units
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task

BINARY: dict[str, Any] = {"scale": "binary", "options": ["MET", "UNMET"], "positive": "MET"}


@pytest.fixture
def units_of(tmp_path: Path) -> Callable[..., Units]:
    """Units of ratings given as dicts, under a task."""

    def make(rows: Iterable[dict[str, str]], **task: Any) -> Units:
        rows = list(rows)
        columns = list(dict.fromkeys(key for row in rows for key in row))
        path = tmp_path / "ratings.csv"
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, columns, restval="")
            writer.writeheader()
            writer.writerows(rows)
        declared = Task.from_mapping({**BINARY, **task})
        return count_units(read_ratings(str(path), declared))

    return make


def rated(
    item: str, verdict: str | None, label: str | None = None, **more: str
) -> list[dict[str, str]]:
    """A judge's row and, where there is a label, a person's."""
    rows = []
    if verdict is not None:
        status = verdict if verdict in ("abstained", "invalid", "failed") else "rated"
        value = verdict if status == "rated" else ""
        rows.append(
            {"item": item, "rater": "j", "kind": "judge", "value": value, "status": status, **more}
        )
    if label is not None:
        rows.append(
            {"item": item, "rater": "p", "kind": "human", "value": label, "status": "rated", **more}
        )
    return rows


def study(
    labelled: dict[tuple[str, str | None], int], unlabelled: dict[str | None, int], **more: str
) -> list[dict[str, str]]:
    """Rows with so many (label, verdict) items and so many unlabelled verdicts."""
    rows: list[dict[str, str]] = []
    tag = more.get("system", "")
    for (label, verdict), times in labelled.items():
        for index in range(times):
            rows += rated(f"{tag}l{label}{verdict}{index}", verdict, label, **more)
    for verdict, times in unlabelled.items():
        for index in range(times):
            rows += rated(f"{tag}u{verdict}{index}", verdict, **more)
    return rows
