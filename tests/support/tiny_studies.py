"""Studies as small as they come: one to four items, raters and labels, in everything declared.

Nothing in them is likely: raters say what chance gives them, many say one thing only, a person or a
judge may be alone or absent, and any cell may be empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

__all__ = ["VERBS", "TinyStudy", "tiny_study"]

SCALES = {
    "binary": ("yes", "no"),
    "nominal": ("red", "green", "blue"),
    "ordinal": ("1", "2", "3", "4"),
    "pairwise": ("first", "second", "tie"),
    "continuous": ("0", "0.25", "1", "-3"),
}
#: Every question, and a few of the options that change what it computes.
VERBS: dict[str, tuple[dict[str, Any], ...]] = {
    "agree": ({}, {"by": ["criterion"]}),
    "select": ({}, {"thresholds": True}, {"panels": True}),
    "estimate": ({},),
    "compare": ({},),
    "plan": ({}, {"next": 2}),
    "audit": ({},),
    "replace": ({},),
    "route": ({}, {"risk": 0.5}),
    "rank": ({},),
    "monitor": ({},),
    "certify": ({},),
    "check": ({},),
    "report": ({},),
}


@dataclass(frozen=True)
class TinyStudy:
    """A table and its task (None: nothing is declared); `number` makes the study again."""

    number: int
    frame: pl.DataFrame
    task: dict[str, Any] | None


def tiny_study(number: int) -> TinyStudy:
    """The study of a number: always the same one."""
    rng = np.random.default_rng([777, number])
    scale = [*SCALES][number % len(SCALES)]
    labels = SCALES[scale][: int(rng.integers(1, len(SCALES[scale]) + 1))]
    extra = {name: bool(rng.random() < 0.25) for name in _COLUMNS}
    task = _task(scale, extra, rng)
    extra["system"] = extra["system"] or scale == "pairwise"
    extra["split"] = extra["split"] or task.get("calibration") == "separate"
    people, judges = (int(rng.integers(0 if rng.random() < 0.15 else 1, 5)) for _ in range(2))
    who = [(f"person {k}", "human") for k in range(people)]
    who += [(f"judge {k}", "judge") for k in range(judges)]
    says = {rater: labels if rng.random() < 0.6 else (_any(rng, labels),) for rater, _ in who}
    skips, odd = _any(rng, (0.0, 0.0, 0.3, 0.6)), _any(rng, (0.0, 0.0, 0.2))
    rows = []
    for item in range(int(rng.integers(1, 5))):
        for unit in _units(item, extra, rng, pairwise=scale == "pairwise"):
            for rater, kind in who:
                if rng.random() < skips:
                    continue
                value = _any(rng, says[rater])
                if rng.random() < odd:
                    value = _any(rng, ("pass", "garbled", ""))
                row = {**unit, "rater": rater, "kind": kind, "value": value}
                if extra["score"] and kind == "judge":
                    row["score"] = _any(rng, ("0", "0.5", "1", "0.99", ""))
                if extra["batch"]:
                    row["batch"] = _any(rng, ("1", "2", "3"))
                rows.append(row)
    names = ["item", "rater", "kind", "value"]
    names += [name for name in _COLUMNS if any(name in row for row in rows)]
    if scale == "pairwise":
        names.append("opponent")
    cells = {name: [row.get(name) for row in rows] for name in names}
    frame = pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String))
    return TinyStudy(number, frame, None if rng.random() < 0.15 else task)


_COLUMNS = ("criterion", "system", "cluster", "weight", "split", "stratum", "score", "batch")


def _any(rng: np.random.Generator, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _units(
    item: int, extra: dict[str, bool], rng: np.random.Generator, *, pairwise: bool
) -> list[dict[str, str]]:
    unit = {"item": f"i{item}"}
    made: dict[str, tuple[str, ...]] = {
        "cluster": ("a", "b"),
        "weight": ("1", "2", "0.5"),
        "split": ("calibration", "test"),
        "stratum": ("s", "t"),
    }
    unit |= {name: _any(rng, cells) for name, cells in made.items() if extra[name]}
    units = [unit]
    if extra["criterion"]:
        units = [{**one, "criterion": name} for one in units for name in ("clear", "true")]
    if extra["system"]:
        pairs = [("ash", "elm"), ("ash", "fir"), ("elm", "fir")][: int(rng.integers(1, 4))]
        if not pairwise:
            pairs = [(name, "") for name in dict.fromkeys(first for first, _ in pairs)]
        units = [{**one, "system": a, "opponent": b} for one in units for a, b in pairs]
    return units


def _task(scale: str, extra: dict[str, bool], rng: np.random.Generator) -> dict[str, Any]:
    options = SCALES[scale]
    task: dict[str, Any] = {"scale": scale, "abstain": ["pass"], "invalid": ["garbled"]}
    if rng.random() < 0.3:
        task["goal"] = _any(rng, ("prevalence", "filter", "ranking"))
    if extra["cluster"]:
        task["cluster"] = "cluster"
    if extra["stratum"]:
        task["strata"] = ["stratum"]
    if rng.random() < 0.7:
        task["calibration"] = _any(rng, ("random", "by_verdict", "by_label", "separate"))
    if scale == "continuous":
        return task
    task["options"] = list(options)
    task["abstentions"] = _any(rng, ("exclude", "exclude", "recode", "class"))
    if task["abstentions"] == "recode":
        task["recode_to"] = options[1]
    task["invalids"] = _any(rng, ("exclude", "wrong", "class"))
    task["reference"] = _any(rng, ("each", "majority", "soft"))
    if scale == "binary" or rng.random() < 0.4:
        task["positive"] = _any(rng, options[:2])
    if scale == "ordinal":
        task["weights"] = _any(rng, ("unweighted", "linear", "quadratic"))
        task["reference"] = _any(rng, ("each", "majority", "soft", "median", "mean"))
    if scale == "pairwise":
        task |= {"tie": "tie", "ties": _any(rng, ("half", "exclude", "class"))}
    return task
