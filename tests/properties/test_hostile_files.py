"""Damaged files of every kind: each is read, or refused in words; and no row is lost in silence.

The files are small, the damage is drawn with a fixed seed; `--slow` draws far more.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import narwhals as nw
import pytest
from hostile_files import TABLES, TASK, damaged, write_store, write_table
from internals import (
    IMPORTERS,
    fetch,
    label_rows,
    of_store,
    open_source,
    open_store,
    propose,
    read_items,
    read_judge,
    store_errors,
)
from tool_logs import every_log, inspect_log, inspect_samples, write_json

from goldassay import InputError, Task, agree, check, diff, read_log, read_ratings, read_task

SEED = 20_260
FEW, MANY = 10, 150

DECLARED = Task(**TASK)  # type: ignore[arg-type]
JUDGE = b"""name = "gpt"
model = "m-1"
base_url = "http://127.0.0.1:1/v1"
realization = "binary"
samples = 2

[criteria]
polite = "Is it polite?"
"""
TASK_FILE = b"""scale = "ordinal"
options = ["1", "2", "3"]
weights = [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
confidence_level = 0.9
levels = ["micro"]

[columns]
item = ["id", "name"]

[raters]
judge = ["gpt"]
"""
ITEMS = b"""{"item": "q1", "system": "s", "input": "in", "output": "out", "criteria": {"a": "b"}}
{"item": "q2", "system": "s", "input": "in", "output": "out", "weight": 2, "reference": "r"}
"""


def conserved(path: Path) -> None:
    """Rows read = rows of the table = rows by state; used + excluded = read."""
    ratings = read_ratings(str(path), DECLARED)
    held = fetch(open_source(str(path)).frame.select(n=nw.len()), place="held")
    census = ratings.census
    assert census.rows == int(held["n"][0]) == sum(census.counts.values())
    rows = check(ratings).document()["rows"]
    assert rows["read"] == census.rows
    assert 0 <= rows["excluded"] <= rows["read"]
    empty = sum(one.rows for one in ratings.exclusions)
    left = fetch(ratings.frame.select(n=nw.len()), place="left")
    assert int(left["n"][0]) + empty == census.rows


def of_labels(path: Path) -> None:
    with store_errors(path), closing(open_store(path)) as connection:
        label_rows(connection)


READERS: dict[str, Callable[[Path], Any]] = {
    **{f"table.{kind}": conserved for kind in TABLES},
    "drafted.csv": lambda path: propose(str(path)),
    "store.db": conserved,
    "labels.db": of_labels,
    "runs.db": lambda path: of_store(str(path)),
    "task.toml": read_task,
    "judge.toml": read_judge,
    "items.jsonl": lambda path: list(read_items(path)),
    "items.csv": lambda path: list(read_items(path)),
    "document.json": lambda path: diff(path, path),
    **{f"log of {tool}": lambda path: read_log(path).imported for tool in IMPORTERS},
    "log of inspect, JSON": lambda path: read_log(path).imported,
}


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, bytes]]:
    """The name and content of an undamaged file for each reader."""
    folder = tmp_path_factory.mktemp("whole")
    written = {f"table.{kind}": write_table(folder, kind) for kind in TABLES}
    written |= {f"log of {tool}": path for tool, path in every_log(folder / "logs").items()}
    inspected = write_json(folder / "inspect.json", inspect_log(*inspect_samples()))
    written |= {"log of inspect, JSON": inspected}
    written |= {"drafted.csv": written["table.csv"], "items.csv": written["table.csv"]}
    written |= dict.fromkeys(("store.db", "labels.db", "runs.db"), write_store(folder))
    found = {name: (path.name, path.read_bytes()) for name, path in written.items()}
    found |= {"task.toml": ("task.toml", TASK_FILE), "judge.toml": ("judge.toml", JUDGE)}
    agreed = agree(str(written["table.csv"]), DECLARED, resamples=100)
    document = agreed.to_json().encode()
    return found | {
        "items.jsonl": ("items.jsonl", ITEMS),
        "document.json": ("document.json", document),
    }


def cases(name: str, content: bytes, number: int) -> Iterator[bytes]:
    rng = random.Random(SEED + zlib.crc32(name.encode()))
    return (damaged(content, rng) for _ in range(number))


#: Published tables are read by the engine alone; each has a test of its own.
NAMES = [name for name in READERS if name not in ("log of justrank", "log of arena-battles")]


def hold(name: str, whole: dict[str, tuple[str, bytes]], folder: Path, number: int) -> None:
    """Success or `InputError`, and nothing else."""
    called, content = whole[name]
    path = folder / called
    path.write_bytes(content)
    READERS[name](path)  # undamaged, it is read
    for case, damage in enumerate(cases(name, content, number)):
        path.write_bytes(damage)
        try:
            READERS[name](path)
        except InputError:
            continue
        except Exception as error:
            error.add_note(f"{name}, case {case}: {damage[:2_000]!r}")
            raise


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_is_read_or_refused(
    name: str, whole: dict[str, tuple[str, bytes]], tmp_path: Path
) -> None:
    hold(name, whole, tmp_path, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_damaged_files_are_read_or_refused(
    name: str, whole: dict[str, tuple[str, bytes]], tmp_path: Path
) -> None:
    hold(name, whole, tmp_path, MANY)


def test_the_damage_is_the_same_every_time_and_is_damage() -> None:
    one, other = (list(cases("x", ITEMS, 50)) for _ in range(2))
    assert one == other
    assert len({*one, ITEMS}) > 40
