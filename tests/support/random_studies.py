"""Small random studies that cross everything a table of ratings may have.

Each is a Polars frame, the engine that is quickest on a hundred rows, and the task that declares
it. The scales take turns, so that a few studies have all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

__all__ = ["RandomStudy", "random_study"]

SCALES = ("binary", "nominal", "binary", "ordinal", "pairwise", "binary", "continuous")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "binary": ("yes", "no"),
    "nominal": ("red", "green", "blue"),
    "ordinal": ("1", "2", "3", "4"),
    "pairwise": ("first", "second", "tie"),
    "continuous": (),
}


@dataclass(frozen=True)
class RandomStudy:
    """A table and its task; `number` makes the study again."""

    number: int
    frame: pl.DataFrame
    task: dict[str, Any]

    def __repr__(self) -> str:
        return f"random_study({self.number}): {self.task}"


@dataclass(frozen=True)
class _Unit:
    """What people and judges rate once: its columns, what is true of it, whether people rate it."""

    columns: Mapping[str, str]
    truth: int
    labelled: bool


def random_study(number: int) -> RandomStudy:
    """The study of a number: always the same one."""
    rng = np.random.default_rng([20260, number])
    scale = SCALES[number % len(SCALES)]
    task = _task(scale, rng)
    units = _units(scale, task, rng)
    rows = [row for unit in units for row in _ratings_by_people(unit, scale, number)]
    for index in range(int(rng.integers(1, 4))):
        rows += _ratings_by_judge(f"judge {index}", units, task, rng)
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
    return RandomStudy(number, frame, task)


def _chosen(rng: np.random.Generator, *values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _task(scale: str, rng: np.random.Generator) -> dict[str, Any]:
    options = OPTIONS[scale]
    task: dict[str, Any] = {
        "scale": scale,
        "confidence_level": _chosen(rng, 0.9, 0.95),
        "cluster": _chosen(rng, "item", "cluster"),
        "abstain": ["pass"],
        "invalid": ["garbled"],
        "goal": _chosen(rng, "prevalence", "filter"),
    }
    if options:
        task["options"] = list(options)
        task["abstentions"] = _chosen(rng, "exclude", "recode", "class")
        task["invalids"] = _chosen(rng, "exclude", "wrong", "class")
        task["reference"] = _chosen(rng, "each", "majority", "soft")
        if task["abstentions"] == "recode":
            task["recode_to"] = options[1]
    if scale == "binary" or (scale != "continuous" and rng.random() < 0.3):
        task["positive"] = options[int(rng.integers(2))]
    if scale == "ordinal":
        task["weights"] = _chosen(rng, "unweighted", "linear", "quadratic")
    if scale == "pairwise":
        task |= {"tie": "tie", "ties": _chosen(rng, "half", "exclude", "class")}
    if (design := _chosen(rng, None, "random", "by_verdict", "by_label", "separate")) is not None:
        task["calibration"] = design
    return task


def _units(scale: str, task: Mapping[str, Any], rng: np.random.Generator) -> list[_Unit]:
    size = len(OPTIONS[scale]) or 5
    criteria = _chosen(rng, [None], [None], ["clear", "true"])
    systems = _chosen(rng, [None], ["ash", "elm"], ["ash", "elm", "fir"])
    if scale == "pairwise":
        systems = ["ash", "elm", "fir"]
    pairs = [(one, two) for k, one in enumerate(systems) for two in systems[k + 1 :]]
    matches = pairs if scale == "pairwise" else [(one, None) for one in systems]
    split, weighted = task.get("calibration") == "separate", rng.random() < 0.2
    share, shares = _chosen(rng, 0.5, 0.8, 1.0), rng.dirichlet(np.full(size, 3.0))
    units = []
    for item in range(int(rng.integers(6, 14))):
        labelled = bool(item < 2 or rng.random() < share)
        for criterion in criteria:
            for system, opponent in matches:
                columns = {
                    "item": f"i{item}",
                    "cluster": f"c{item // 2}",
                    "criterion": criterion,
                    "system": system,
                    "opponent": opponent,
                    "split": ("calibration" if labelled else "test") if split else None,
                    "weight": f"{1 + item % 3}" if weighted else None,
                }
                filled = {name: cell for name, cell in columns.items() if cell is not None}
                units.append(_Unit(filled, int(rng.choice(size, p=shares)), labelled))
    return units


def _value(scale: str, truth: int, error: float, rng: np.random.Generator) -> str:
    """What somebody who errs so often says."""
    if scale == "continuous":
        return f"{truth + 3 * error * rng.standard_normal():.3f}"
    options = OPTIONS[scale]
    wrong = rng.random() < error
    return options[int(rng.integers(len(options))) if wrong else truth]


def _ratings_by_people(unit: _Unit, scale: str, number: int) -> Iterator[dict[str, str]]:
    if not unit.labelled:
        return
    # A stream of its own for each unit: who rates it does not move what judges say of others.
    key = [number, *"|".join(unit.columns.values()).encode()]
    rng = np.random.default_rng(key)
    people = number % 3 + 1
    for person in range(int(rng.integers(1, people + 1))):
        value = "pass" if rng.random() < 0.04 else _value(scale, unit.truth, 0.2, rng)
        yield {**unit.columns, "rater": f"person {person}", "kind": "human", "value": value}


def _ratings_by_judge(
    judge: str, units: list[_Unit], task: Mapping[str, Any], rng: np.random.Generator
) -> Iterator[dict[str, str]]:
    scale, error = task["scale"], rng.uniform(0.05, 0.9)
    abstains, garbles, fails = (_chosen(rng, 0.0, 0.1) for _ in range(3))
    samples, scored = _chosen(rng, 1, 1, 2), scale == "binary" and rng.random() < 0.4
    for unit in units:
        if rng.random() < 0.03:
            continue  # not judged at all
        for sample in range(samples):
            row = {**unit.columns, "rater": judge, "kind": "judge"}
            row |= {"sample": str(sample)} if samples > 1 else {}
            at = rng.random()
            if at < abstains:
                row["value"] = "pass"
            elif at < abstains + garbles:
                row["value"] = "garbled"
            elif at < abstains + garbles + fails:
                row |= {"value": "", "status": "failed"}
            else:
                row["value"] = value = _value(scale, unit.truth, error, rng)
                if scored:
                    says_positive = value == task["positive"]
                    row["score"] = f"{rng.beta(4, 2) if says_positive else rng.beta(2, 4):.3f}"
            yield row
