"""Few rows are counted in memory, more of them by the engine: the same units, or the same error."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from goldassay.counts import Units, count_units, few_rows
from goldassay.errors import GoldassayError
from goldassay.ratings.table import read_ratings
from goldassay.ratings.task import Task
from goldassay.sources.engine import connect

TASK = Task(scale="nominal", options=("a", "b", "c"), abstain=("?",), invalid=("x",))
RATERS = [("human", "ann"), ("human", "bob"), ("human", "both"), ("judge", "both"), ("judge", "m")]


def rows(seed: int) -> tuple[list[str], list[tuple[str | None, ...]]]:
    """A random table: some of the optional columns, units that lack ratings, empty cells."""
    rng = np.random.default_rng(seed)
    optional = ["criterion", "system", "split", "weight", "cluster", "topic"]
    repeats = ["sample", "order", "elicitation"]
    more = [name for name in optional if rng.random() < 0.5]
    again = [name for name in repeats if rng.random() < 0.4]
    drawn: list[tuple[str | None, ...]] = []
    for item in range(int(rng.integers(1, 12))):
        for part in range(2):
            unit: dict[str, str | None] = {
                "criterion": f"k{part}",
                "system": f"s{item % 3}",
                "split": ["test", "calibration"][item % 2],
                "weight": [None, "1.5", "2"][item % 3],
                "cluster": f"c{item // 2}",
                "topic": ["", "law", "ärzte"][item % 3],
            }
            if part and "criterion" not in more:
                continue
            for kind, rater in RATERS:
                for sample in range(2 if "sample" in again and kind == "judge" else 1):
                    if rng.random() < 0.25:
                        continue
                    value = rng.choice(["a", "a", "a", "b", "b", "c", "c", "?", "x", ""])
                    set_of = rng.random() < 0.1
                    unit |= {"sample": str(sample), "order": "", "elicitation": "forced_choice"}
                    if set_of and "elicitation" in again:
                        unit["elicitation"] = "response_set"
                    blank = rng.random() < 0.2
                    cells = [None if blank and n == "topic" else unit[n] for n in (*more, *again)]
                    drawn.append((f"q{item}", rater, kind, str(value), *cells))
    spoilt = rng.random()
    if spoilt < 0.15:  # a second row of the same rater, equal or in conflict
        first = drawn[0]
        drawn.append(first if spoilt < 0.08 else (*first[:3], "b", *first[4:]))
    elif spoilt < 0.4 and "topic" in more:  # a column that differs within a unit
        at = 4 + more.index("topic")
        for label, place in (("law", 0), ("sports", 1)):
            drawn[place] = (*drawn[place][:at], label, *drawn[place][at + 1 :])
    rng.shuffle(drawn)  # type: ignore[arg-type]
    return ["item", "rater", "kind", "value", *more, *again], [tuple(row) for row in drawn]


def counted(columns: list[str], table: list[tuple[str | None, ...]], task: Task) -> Units | str:
    connection = connect()
    names = ", ".join(f'"{name}" VARCHAR' for name in columns)
    connection.execute(f"CREATE TABLE t ({names})")
    places = ", ".join("?" * len(columns))
    connection.executemany(f"INSERT INTO t VALUES ({places})", table)
    by = ["topic"] if "topic" in columns else []
    try:
        return count_units(read_ratings(connection.table("t"), task), by=by)
    except GoldassayError as error:
        return str(error)


def assert_equal(one: Any, other: Any) -> None:
    assert type(one) is type(other)
    if isinstance(one, Units):
        for field in fields(one):
            assert_equal(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for name in one:
            assert one[name].labels == other[name].labels
            np.testing.assert_array_equal(one[name].codes, other[name].codes)
    else:
        assert one == other


@pytest.mark.parametrize("seed", range(31))
def test_the_same_as_by_the_engine(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, table = rows(seed)
    task = replace(TASK, cluster="cluster" if "cluster" in columns else "item")
    if seed % 3 == 0:  # what was resolved, of some units; once twice
        task = replace(task, reference="adjudicated")
        units = {tuple(row[:1] + row[4:]): row for row in table if row[2] == "human"}
        resolved = [(row[0], "chair", "reference", "a", *row[4:]) for row in units.values()]
        table = table + resolved[::2] + ([("q0", "two", *resolved[0][2:])] if seed == 30 else [])
    in_memory = counted(columns, table, task)
    monkeypatch.setattr(few_rows, "FEW_ROWS", 0)
    assert_equal(in_memory, counted(columns, table, task))
