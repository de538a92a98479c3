from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from goldassay.counts import Units, count_units
from goldassay.questions.estimate.study import EstimateStudy
from goldassay.questions.estimate.study import study as estimate
from goldassay.questions.estimate.words import answer, notes
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.results import Sentence

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


@pytest.fixture
def two_systems(units_of: Callable[..., Units]) -> EstimateStudy:
    """Two systems and two topics; the judge is lenient with `b`, which is truly worse than `a`."""
    a = {("MET", "MET"): 45, ("MET", "UNMET"): 5, ("UNMET", "MET"): 5, ("UNMET", "UNMET"): 45}
    b = {("MET", "MET"): 28, ("MET", "UNMET"): 2, ("UNMET", "MET"): 32, ("UNMET", "UNMET"): 38}
    rows = study(a, {"MET": 500, "UNMET": 500}, system="a")
    rows += study(b, {"MET": 600, "UNMET": 400}, system="b")
    rows = [{**row, "topic": "law" if row["item"][-1] in "02468" else "art"} for row in rows]
    units = units_of(rows, calibration="random", strata=["topic"])
    return estimate(units, strata=["topic"])


def sentences(found: Any) -> tuple[Sentence, ...]:
    """All that is said: the answer, then the notes."""
    return (*answer(found), *notes(found))


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
