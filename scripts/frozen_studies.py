"""Random studies for `freeze.py`: canonical tables with complete tasks, made by NumPy alone.

Every column has the name that goldassay gives it and every rule is declared, so that neither the
reading of files nor a guess has a part in the numbers. A study is made by its number; below
`SMALL` they have few items. The generator must not change: a frozen record names studies by number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["SMALL", "Study", "study"]

#: Studies below this number are small: their values are committed.
SMALL = 30
SCALES = ("binary", "nominal", "binary", "ordinal", "pairwise", "binary", "continuous", "binary")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "binary": ("pass", "fail"),
    "nominal": ("red", "green", "blue"),
    "ordinal": ("1", "2", "3", "4", "5"),
    "pairwise": ("first", "second", "tie"),
    "continuous": (),
}
COLUMNS = (
    *("item", "cluster", "criterion", "system", "opponent", "topic", "week", "split", "weight"),
    *("rater", "kind", "sample", "value", "score", "status"),
)


@dataclass(frozen=True)
class Study:
    """A table, the same table after judge 0 changed, and the task of both."""

    number: int
    table: dict[str, list[str | None]]
    changed: dict[str, list[str | None]]
    task: dict[str, Any]

    @property
    def options(self) -> Mapping[str, Mapping[str, Any]]:
        """Verb -> what is asked beside the defaults."""
        more: dict[str, dict[str, Any]] = {"monitor": {"batch": "week"}}
        if "sample" not in self.table and self.number % 5 == 0:
            more["compare"] = {"margin": 0.1}
        return more


@dataclass(frozen=True)
class _Unit:
    """What is rated once: its columns, what is true of it, and whether people rate it."""

    columns: Mapping[str, str]
    truth: int
    labelled: bool


def study(number: int) -> Study:
    """The study of a number: always the same one."""
    rng = np.random.default_rng([70807, number])
    scale = SCALES[number % len(SCALES)]
    task = _task(scale, rng)
    units = _units(scale, task, rng, number < SMALL)
    people = [row for unit in units for row in _people(unit, scale, number)]
    judges = [list(_judge(f"judge {j}", units, task, rng)) for j in range(int(rng.integers(1, 4)))]
    judged = [row for rows in judges for row in rows]
    moved = [_moved(row, scale, rng) for row in judges[0]]
    rest = [row for rows in judges[1:] for row in rows]
    return Study(number, _columns(people + judged), _columns(people + moved + rest), task)


def _columns(rows: list[dict[str, str]]) -> dict[str, list[str | None]]:
    names = [name for name in COLUMNS if any(name in row for row in rows)]
    return {name: [row.get(name) for row in rows] for name in names}


def _one(rng: np.random.Generator, *values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _task(scale: str, rng: np.random.Generator) -> dict[str, Any]:
    options = OPTIONS[scale]
    task: dict[str, Any] = {
        "scale": scale,
        "confidence_level": _one(rng, 0.9, 0.95, 0.95),
        "cluster": _one(rng, "item", "cluster"),
        "abstain": ["cannot say"],
        "invalid": ["garbled"],
        "calibration": _one(rng, "random", "random", "by_verdict", "by_label", "separate"),
    }
    if options:
        task["options"] = list(options)
        task["abstentions"] = _one(rng, "exclude", "exclude", "recode", "class")
        task["invalids"] = _one(rng, "exclude", "exclude", "wrong", "class")
        task["reference"] = _one(rng, "each", "majority", "majority", "soft")
        if task["abstentions"] == "recode":
            task["recode_to"] = options[1]
    if scale == "binary" or (scale != "continuous" and rng.random() < 0.4):
        task["positive"] = options[int(rng.integers(len(options)))]
    if scale == "ordinal":
        task["weights"] = _one(rng, "unweighted", "linear", "quadratic")
    if scale == "pairwise":
        task |= {"tie": "tie", "ties": _one(rng, "half", "exclude", "class")}
    if task["calibration"] == "random" and rng.random() < 0.3:
        task["strata"] = ["topic"]
    return task


def _units(
    scale: str, task: Mapping[str, Any], rng: np.random.Generator, small: bool
) -> list[_Unit]:
    size = len(OPTIONS[scale]) or 6
    criteria = _one(rng, [None], [None], ["clear", "true"])
    systems = _one(rng, [None], ["ash", "elm"], ["ash", "elm", "fir"])
    if scale == "pairwise":
        systems = ["ash", "elm", "fir", "oak"]
    pairs = [(one, two) for k, one in enumerate(systems) for two in systems[k + 1 :]]
    matches = pairs if scale == "pairwise" else [(one, None) for one in systems]
    separate, weighted = task["calibration"] == "separate", rng.random() < 0.15
    share, shares = _one(rng, 0.4, 0.7, 1.0), rng.dirichlet(np.full(size, 4.0))
    units = []
    for item in range(int(rng.integers(8, 18) if small else rng.integers(20, 90))):
        topic = _one(rng, "code", "prose")
        for criterion in criteria:
            for place, (system, opponent) in enumerate(matches):
                tilted = shares.copy()
                tilted[0] += 0.2 * place
                labelled = bool(item < 3 or rng.random() < share)
                columns = {
                    "item": f"i{item}",
                    "cluster": f"c{item // 3}",
                    "criterion": criterion,
                    "system": system,
                    "opponent": opponent,
                    "topic": topic,
                    "week": str(1 + item // 6),
                    "split": ("calibration" if labelled else "test") if separate else None,
                    "weight": f"{1 + item % 3}" if weighted else None,
                }
                filled = {name: cell for name, cell in columns.items() if cell is not None}
                truth = int(rng.choice(size, p=tilted / tilted.sum()))
                units.append(_Unit(filled, truth, labelled))
    return units


def _value(scale: str, truth: int, error: float, rng: np.random.Generator) -> str:
    """What somebody says who errs so often."""
    if scale == "continuous":
        return f"{truth + 3 * error * rng.standard_normal():.3f}"
    options = OPTIONS[scale]
    return options[int(rng.integers(len(options))) if rng.random() < error else truth]


def _people(unit: _Unit, scale: str, number: int) -> Iterator[dict[str, str]]:
    if not unit.labelled:
        return
    rng = np.random.default_rng([number, *"|".join(unit.columns.values()).encode()])
    for person in range(int(rng.integers(1, number % 3 + 2))):
        value = "cannot say" if rng.random() < 0.03 else _value(scale, unit.truth, 0.2, rng)
        yield {**unit.columns, "rater": f"person {person}", "kind": "human", "value": value}


def _judge(
    judge: str, units: list[_Unit], task: Mapping[str, Any], rng: np.random.Generator
) -> Iterator[dict[str, str]]:
    scale, error = task["scale"], rng.uniform(0.05, 0.6)
    abstains, garbles, fails = (_one(rng, 0.0, 0.0, 0.08) for _ in range(3))
    samples, scored = _one(rng, 1, 1, 1, 2), scale == "binary" and rng.random() < 0.5
    for unit in units:
        for sample in range(samples):
            row = {**unit.columns, "rater": judge, "kind": "judge"}
            row |= {"sample": str(sample)} if samples > 1 else {}
            at = rng.random()
            if at < abstains:
                row["value"] = "cannot say"
            elif at < abstains + garbles:
                row["value"] = "garbled"
            elif at < abstains + garbles + fails:
                row |= {"value": "", "status": "failed"}
            else:
                row["value"] = value = _value(scale, unit.truth, error, rng)
                if scored:
                    high = value == task["positive"]
                    row["score"] = f"{rng.beta(4, 2) if high else rng.beta(2, 4):.3f}"
            yield row


def _moved(row: dict[str, str], scale: str, rng: np.random.Generator) -> dict[str, str]:
    """A verdict of the changed judge: one in six is said anew."""
    if rng.random() > 1 / 6 or not row["value"]:
        return row
    return {**row, "value": _value(scale, 0, 1.0, rng)}
