"""One chart of each kind, as verbs emit them, for the tests of drawing."""

from __future__ import annotations

import math
from typing import Any

JUDGES = (
    "gpt-4o-mini",
    "claude-haiku",
    "llama-3-8b",
    "a-judge-with-an-unusually-long-name-2026-11",
)


def dot_interval() -> dict[str, Any]:
    rows = [
        {"label": judge, "value": value, "low": value - 0.08, "high": value + 0.07}
        for judge, value in zip(JUDGES, (0.81, 0.78, 0.55, 0.69), strict=True)
    ]
    rows.append({"label": "no verdicts", "value": None, "low": None, "high": None})
    rows.append({"label": "undefeated", "value": 0.6, "low": 0.5, "high": None})
    return {
        "kind": "dot_interval",
        "title": "Agreement with people",
        "x_label": "Cohen's kappa",
        "rows": rows,
        "references": [
            {"value": 0.72, "label": "people with one another"},
            {"value": 0.75, "label": "required"},
        ],
        "alt": "gpt-4o-mini agrees best, llama-3-8b least.",
    }


def moves() -> dict[str, Any]:
    rows = [
        {"label": "alpha", "start": 0.58, "value": 0.72, "low": 0.68, "high": 0.75},
        {"label": "beta", "start": None, "value": 0.4, "low": None, "high": None},
        {
            "label": "gamma",
            "start": 0.5,
            "value": 0.5,
            "low": 0.4,
            "high": 0.6,
            "aside": [0.3, 0.7],
        },
    ]
    return {
        "kind": "moves",
        "title": "From the judge's rate to the corrected one",
        "x_label": "share of correct",
        "rows": rows,
        "names": ["judge itself", "corrected", "labels alone"],
        "alt": "Corrected rates are higher.",
    }


def grouped() -> dict[str, Any]:
    rows = [
        {"label": "PPI++", "value": 0.21, "low": 0.18, "high": 0.24, "group": "valid here"},
        {"label": "labels alone", "value": 0.2, "low": 0.14, "high": 0.26, "group": "valid here"},
        {"label": "naive", "value": 0.31, "low": 0.3, "high": 0.32, "group": "not valid"},
    ]
    return {
        "kind": "dot_interval",
        "title": "Estimators side by side",
        "x_label": "share of toxic answers",
        "rows": rows,
        "alt": "The naive rate lies above every valid interval.",
    }


def line() -> dict[str, Any]:
    labels = list(range(50, 1050, 50))
    series = [
        {
            "label": name,
            "x": labels,
            "y": [scale / math.sqrt(n) for n in labels],
            "low": [0.9 * scale / math.sqrt(n) for n in labels],
            "high": [1.1 * scale / math.sqrt(n) for n in labels],
        }
        for name, scale in (("PPI++", 1.2), ("labels alone", 2.0), ("Rogan-Gladen", 2.3))
    ]
    return {
        "kind": "line",
        "title": "Interval length against labels",
        "x_label": "human labels",
        "y_label": "interval length",
        "series": series,
        "references": [
            {"axis": "y", "value": 0.1, "label": "target: 0.10"},
            {"axis": "x", "value": 400, "label": "you have 400"},
        ],
        "alt": "PPI++ reaches the target with the fewest labels.",
    }


def scatter() -> dict[str, Any]:
    xs = [i / 50 for i in range(51)]
    return {
        "kind": "scatter",
        "title": "ROC with the J distance",
        "x_label": "false positive rate",
        "y_label": "sensitivity",
        "points": [
            {"label": judge, "x": 0.1 + 0.08 * i, "y": 0.7 + 0.05 * i, "group": "judge"}
            for i, judge in enumerate(JUDGES)
        ],
        "curves": [{"label": "scored judge", "x": xs, "y": [x**0.35 for x in xs]}],
        "diagonal": True,
        "quadrants": False,
        "alt": "All judges lie above the diagonal.",
    }


def heat_map(rows: int = 3, columns: int = 4) -> dict[str, Any]:
    values: list[list[float | None]] = [
        [math.sin(3 * i + j) / 4 for j in range(columns)] for i in range(rows)
    ]
    values[0][0] = None
    return {
        "kind": "heat_map",
        "title": "Bias",
        "x_label": "system",
        "y_label": "judge",
        "x_labels": [f"system-{j}" for j in range(columns)],
        "y_labels": [f"judge-{i}" for i in range(rows)],
        "values": values,
        "center": 0,
        "format": "+.2f",
        "alt": "Judges differ in which system they favour.",
    }


def distribution() -> dict[str, Any]:
    edges = [i / 20 for i in range(21)]
    return {
        "kind": "distribution",
        "title": "Scores",
        "x_label": "score",
        "series": [
            {
                "label": judge,
                "edges": edges,
                "counts": [round(100 * math.exp(-((x - centre) ** 2) / 0.03)) for x in edges[:-1]],
            }
            for judge, centre in zip(JUDGES, (0.3, 0.5, 0.7, 0.8), strict=True)
        ],
        "alt": "The judges' scores lie apart.",
    }


def all_kinds() -> list[dict[str, Any]]:
    return [dot_interval(), grouped(), line(), scatter(), heat_map(), distribution()]
