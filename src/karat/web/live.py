"""The table and the store together: one ratings table as it is now, and the report made from it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from karat.errors import InputError
from karat.fetch import fetch
from karat.ratings import Ratings, read_ratings
from karat.results import Input
from karat.task import Task
from karat.web.cases import Unit
from karat.web.desk import Desk

__all__ = ["Live", "Reporter"]

#: From all ratings to the document of a report (the command `karat report` makes the same).
Reporter = Callable[[Ratings], Mapping[str, Any]]


class Live:
    """All ratings of the moment, and the report of the moment, made once for each change."""

    def __init__(
        self,
        task: Task,
        *,
        store: Path,
        table: Ratings | None = None,
        reporter: Reporter | None = None,
    ) -> None:
        self._task = task
        self._store = store
        self._table = table
        self._reporter = reporter
        self._lock = Lock()
        self._made: tuple[str, Mapping[str, Any]] | None = None

    def document(self, desk: Desk) -> Mapping[str, Any] | None:
        """The report's document, or None when this server cannot make reports."""
        if self._reporter is None:
            return None
        with self._lock:
            version = desk.version()
            if self._made is None or self._made[0] != version:
                with self.ratings(desk) as ratings:
                    self._made = version, self._reporter(ratings)
            return self._made[1]

    @contextmanager
    def ratings(self, desk: Desk) -> Iterator[Ratings]:
        """The checked table of everything rated so far.

        Its rows are the table's, under karat's own names, and the store's labels with the columns
        of their units; the inputs named are those that the person gave.
        """
        rows = [_with_unit(row, desk) for row in desk.label_rows()]
        inputs: tuple[Input, ...] = (Input(str(self._store), None, len(rows)),)
        plain = replace(self._task, columns={}, wide=None, constants={})
        with tempfile.TemporaryDirectory(prefix="karat-serve-") as folder:
            if rows or self._table is None:
                _write(Path(folder) / "labels.jsonl", rows)
            if self._table is not None:
                _write(Path(folder) / "table.jsonl", _rows(self._table))
            found = self._read(f"{folder}/*.jsonl", plain)
            if self._table is None:
                yield replace(found, inputs=inputs, name=str(self._store))
                return
            left_out = sum(one.rows for one in self._table.exclusions)
            yield replace(
                found, inputs=self._table.inputs + inputs, name=self._table.name,
                exclusions=(*self._table.exclusions, *found.exclusions),
                census=replace(found.census, rows=found.census.rows + left_out),
            )  # fmt: skip

    def _read(self, pattern: str, task: Task) -> Ratings:
        """Read the files made here; an error names what the person gave, not our files."""
        try:
            return read_ratings(pattern, task)
        except InputError as error:
            given = self._table.name if self._table else str(self._store)
            place = error.place.replace(pattern, given)
            raise type(error)(
                place, error.rule, found=error.found, next_step=error.next_step
            ) from None


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", errors="backslashreplace") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _rows(table: Ratings) -> list[dict[str, Any]]:
    columns = fetch(table.frame.select(*table.columns), place=table.name)
    names = list(columns)
    return [
        {name: str(cell) for name, cell in zip(names, cells, strict=True) if cell not in (None, "")}
        for cells in zip(*(columns[name].tolist() for name in names), strict=True)
    ]


def _with_unit(row: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    unit = Unit(*(str(row[name] or "") for name in ("item", "criterion", "system", "opponent")))
    told = {name: str(cell) for name, cell in row.items() if cell not in (None, "")}
    return {**desk.cases.about.get(unit.key, {}), **told}
