"""The charts of an agreement study, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from goldassay.results import Estimate, Row, Table

__all__ = ["dot_chart", "heat_map", "risk_chart"]

Floats = npt.NDArray[np.float64]


def dot_chart(rows: Sequence[Row]) -> dict[str, Any] | None:
    shown = [
        {
            "label": str(row.about.get("judge")),
            "value": row.result.value,
            "low": row.result.interval.low,
            "high": row.result.interval.high,
            "group": row.result.name,
        }
        for row in rows
        if isinstance(row.result, Estimate)
        and row.result.interval
        and row.result.name in ("accuracy", "cohen_kappa")
        and set(row.about) <= {"judge", "level"}
        and row.about.get("level") == "micro"
    ]
    if not shown:
        return None
    return {
        "kind": "dot_interval",
        "title": "Agreement with people",
        "x_label": "value",
        "rows": shown,
        "references": [],
        "alt": "Accuracy and Cohen's kappa of each judge with their intervals.",
    }


def heat_map(title: str, names: Sequence[str], values: Floats) -> dict[str, Any]:
    return {
        "kind": "heat_map",
        "title": title,
        "x_label": "judge",
        "y_label": "judge",
        "x_labels": list(names),
        "y_labels": list(names),
        "center": 0,
        "format": ".2f",
        "values": [[None if np.isnan(x) else float(x) for x in row] for row in values],
        "alt": f"{title}, {len(names)} by {len(names)}.",
    }


def risk_chart(judge: str, table: Table) -> dict[str, Any]:
    return {
        "kind": "line",
        "title": f"Error against coverage: {judge}",
        "x_label": "coverage",
        "y_label": "error",
        "references": [],
        "series": [
            {"label": judge, "x": [r[0] for r in table.rows], "y": [r[1] for r in table.rows]}
        ],
        "alt": f"Error of {judge} among its surest verdicts, as more of them are kept.",
    }
