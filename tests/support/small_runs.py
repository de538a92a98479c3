"""Judges, items and ratings of small runs."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from goldassay.judges.run import Outcome, run_judges
from goldassay.judges.spec import Judge, judge_from_mapping

__all__ = ["judge", "ratings", "run", "write_items"]


def judge(folder: Path, **raw: Any) -> Judge:
    return judge_from_mapping({"name": "j", **raw}, place="judge.toml", folder=str(folder))


def write_items(folder: Path, number: int = 4, **extra: Any) -> Path:
    path = folder / "items.jsonl"
    rows = [
        {"item": f"q{i}", "system": "s", "input": f"in {i}", "output": "x" * (i + 1), **extra}
        for i in range(number)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ratings(folder: Path, columns: str = "item, value, score, status, reason") -> list[Any]:
    connection = sqlite3.connect(folder / "r.db")
    rows = connection.execute(f"SELECT {columns} FROM ratings ORDER BY item, criterion").fetchall()
    connection.close()
    return rows


def run(folder: Path, one: Judge, number: int = 4, **extra: Any) -> Outcome:
    """Run one judge over new items into `r.db`."""
    return run_judges([one], write_items(folder, number, **extra), folder / "r.db")
