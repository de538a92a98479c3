"""Small tables of ratings for the tests of selection and planning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from goldassay.counts import Units, count_units
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task

BINARY = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}


def written(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """The rows as a CSV file; columns of the first row."""
    path = folder / "ratings.csv"
    columns = list(rows[0])
    lines = [",".join(columns)]
    lines += [",".join(str(row.get(column, "")) for column in columns) for row in rows]
    path.write_text("\n".join(lines) + "\n")
    return path


def judged(
    truth: Sequence[int], verdicts: Mapping[str, Sequence[int]], **columns: Any
) -> list[dict[str, Any]]:
    """A person's label and judges' verdicts of each item; 1 is yes, 0 no, -1 none.

    Other columns are given as one value for each item.
    """
    word = {1: "yes", 0: "no"}
    rows = []
    for index, label in enumerate(truth):
        extra = {name: values[index] for name, values in columns.items()}
        base = {"item": f"i{index:04}", **extra}
        if label >= 0:
            rows.append({**base, "rater": "person", "kind": "human", "value": word[label]})
        for judge, given in verdicts.items():
            if given[index] >= 0:
                rows.append({**base, "rater": judge, "kind": "judge", "value": word[given[index]]})
    return rows


def ratings(folder: Path, rows: Sequence[Mapping[str, Any]], **declared: Any) -> Ratings:
    return read_ratings(str(written(folder, rows)), Task.from_mapping({**BINARY, **declared}))


def units(folder: Path, rows: Sequence[Mapping[str, Any]], **declared: Any) -> Units:
    return count_units(ratings(folder, rows, **declared))
