"""Labels as files: a ratings table in CSV or JSONL, Label Studio's JSON and Argilla's records.

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

__all__ = ["COLUMNS", "FORMATS", "exported", "label_rows"]

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
    "sides",
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
    "argilla.json": "application/json",
}
UNIT = ("item", "criterion", "system", "opponent")
Key = tuple[str, str, str, str]
#: What a question of Argilla's is called where there is one criterion.
QUESTION = "label"


def label_rows(
    connection: sqlite3.Connection, sides: tuple[str, str] | None = None
) -> list[dict[str, Any]]:
    """The current labels in the order in which they came, as rows of a ratings table.

    Resolutions are among them, of kind `reference`; their rater is who resolved. `sides` are the
    two fields that were shown where labels of pairs do not say so.
    """
    columns = ", ".join(f'"{name}"' for name in COLUMNS)
    cursor = connection.execute(f"SELECT {columns} FROM current_labels ORDER BY label")
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in cursor]
    if sides is not None:
        shown = {"system_first": sides, "opponent_first": sides[::-1]}
        for row in rows:
            if not row["sides"] and row["order"] in shown:
                row["sides"] = json.dumps(shown[row["order"]], ensure_ascii=False)
    return rows


def to_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    cells = ([row[name] for name in COLUMNS] for row in rows)
    return csv_text(COLUMNS, cells, line_end="\r\n")


def to_jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """One object for each label, absent cells left out."""
    lines = ({name: row[name] for name in COLUMNS if row[name] not in (None, "")} for row in rows)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def to_studio(rows: list[dict[str, Any]], texts: Texts, task: Task) -> str:
    people = [row for row in rows if row["kind"] == "human"]
    tasks = to_label_studio(
        people,
        _texts_of(people, texts),
        separator=task.separator,
        options=task.options,
        numbers=task.scale == "continuous",
    )
    return json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"


def to_argilla(rows: list[dict[str, Any]], texts: Texts, task: Task) -> str:
    """Argilla's records: an item and answer each, its criteria as questions, people's responses.

    In the form that `dataset.records.to_json()` writes, which `goldassay import argilla` reads; a
    rater's name stands where Argilla has the id of a user. An abstention is a response without a
    value.
    """
    people = [row for row in rows if row["kind"] == "human"]
    found = _texts_of(people, texts)
    records: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in people:
        item, criterion, system, opponent = (str(row[name] or "") for name in UNIT)
        named = {"system": system, "opponent": opponent}
        record = records.setdefault(
            (item, system, opponent),
            {
                "id": " / ".join(word for word in (item, system, opponent) if word),
                "fields": found[item, criterion, system, opponent] or {"item": item},
                "metadata": {"item": item, **{k: v for k, v in named.items() if v}},
                "suggestions": {},
                "responses": {},
                "vectors": {},
                "status": "completed",
            },
        )
        rated = row["status"] == "rated"
        answers = record["responses"].setdefault(criterion or QUESTION, [])
        value = _argilla_value(str(row["value"] or ""), row["elicitation"], task) if rated else None
        answers.append({"value": value, "user_id": str(row["rater"])})
        if row["comment"]:
            notes = record["responses"].setdefault(f"{criterion or QUESTION} comment", [])
            notes.append({"value": row["comment"], "user_id": str(row["rater"])})
    return json.dumps(list(records.values()), ensure_ascii=False, indent=1) + "\n"


def _argilla_value(value: str, elicitation: str | None, task: Task) -> Any:
    if elicitation == "response_set":
        return [value] if value in task.options else value.split(task.separator)
    if task.scale == "continuous":
        return float(value)
    return value


def _texts_of(rows: Iterable[Mapping[str, Any]], texts: Texts) -> dict[Key, dict[str, str]]:
    units = {tuple(str(row[name] or "") for name in UNIT) for row in rows}
    return {(a, b, c, d): texts.of(Unit(a, b, c, d)) for a, b, c, d in units}


def exported(name: str, rows: list[dict[str, Any]], texts: Texts, task: Task) -> str:
    """The labels as the file of that name (`FORMATS`)."""
    if name == "labels.csv":
        return to_csv(rows)
    if name == "labels.jsonl":
        return to_jsonl(rows)
    return (to_argilla if name == "argilla.json" else to_studio)(rows, texts, task)
