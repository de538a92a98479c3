"""Labels as files: a ratings table in CSV or JSONL, and Label Studio's JSON.

CSV is for spreadsheets, its cells neutral (`goldassay.sources.spreadsheet`); JSONL is exact, and
the file to read back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from goldassay.ratings.task import Task
from goldassay.sources.label_studio import to_label_studio
from goldassay.sources.spreadsheet import csv_text
from goldassay.web.cases import Texts, Unit

__all__ = ["COLUMNS", "FORMATS", "label_rows", "to_csv", "to_jsonl", "to_studio"]

COLUMNS = (
    "item",
    "rater",
    "kind",
    "value",
    "criterion",
    "system",
    "opponent",
    "prompt",
    "cluster",
    "stratum",
    "split",
    "elicitation",
    "order",
    "status",
    "weight",
    "time",
    "seconds",
    "comment",
)
#: The file names that a page offers, with the media type.
FORMATS = {
    "labels.csv": "text/csv; charset=utf-8",
    "labels.jsonl": "application/x-ndjson",
    "label-studio.json": "application/json",
}


def label_rows(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """The current labels in the order in which they came, as rows of a ratings table."""
    names = [name for name in COLUMNS if name != "kind"]
    columns = ", ".join(f'"{name}"' for name in names)
    cursor = connection.execute(f"SELECT {columns} FROM current_labels ORDER BY label")
    rows = [dict(zip(names, row, strict=True)) for row in cursor]
    return [{name: "human" if name == "kind" else row[name] for name in COLUMNS} for row in rows]


def to_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    cells = ([row[name] for name in COLUMNS] for row in rows)
    return csv_text(COLUMNS, cells, line_end="\r\n")


def to_jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """One object for each label, absent cells left out."""
    lines = ({name: row[name] for name in COLUMNS if row[name] not in (None, "")} for row in rows)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def to_studio(rows: list[dict[str, Any]], texts: Texts, task: Task) -> str:
    names = ("item", "criterion", "system", "opponent")
    units = {tuple(str(row[name] or "") for name in names) for row in rows}
    found = {(a, b, c, d): texts.of(Unit(a, b, c, d)) for a, b, c, d in units}
    tasks = to_label_studio(
        rows,
        found,
        separator=task.separator,
        options=task.options,
        numbers=task.scale == "continuous",
    )
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"
