"""The table and the store together: one ratings table as it is now, and the report made from it."""

from __future__ import annotations

import json
import logging
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from goldassay.errors import InputError, UsageError
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.rendering.html import fragment
from goldassay.rendering.markup import Markup
from goldassay.results import Input
from goldassay.web.cases import Unit
from goldassay.web.desk import Desk

__all__ = ["Live", "Made", "Reporter"]

LOG = logging.getLogger("goldassay.web")

#: From all ratings to the document of a report (the command `goldassay report` makes the same).
#: It tells the verb of each question as it is asked.
Reporter = Callable[[Ratings, Callable[[str], None]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Made:
    """A report as it is drawn, or why there is none; and the version of the labels behind it."""

    version: str
    report: Markup | None = None
    problem: str = ""


class Live:
    """All ratings of the moment, and the report of the moment, made once for each change.

    A report takes seconds, so that it is made and drawn beside the requests: `report` starts the
    making when there are new labels, and gives the latest that is ready. What fails there is told
    on the page and in the terminal; no request fails by it.
    """

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
        self._made: Made | None = None
        self._making: Thread | None = None
        self._stage, self._begun = "", 0.0

    def adopt(self, table: Ratings | None) -> None:
        """Go on with a table that was read again."""
        with self._lock:
            self._table = table

    def making(self) -> tuple[str, float] | None:
        """The question that a report which is being made is at, and its seconds so far."""
        with self._lock:
            if self._making is None or not self._making.is_alive():
                return None
            return self._stage, time.monotonic() - self._begun

    def _tell(self, verb: str) -> None:
        with self._lock:
            self._stage = verb

    def report(self, desk: Desk) -> Made | None:
        """The latest report that is ready, or None while the first is being made."""
        with self._lock:
            busy = self._making is not None and self._making.is_alive()
            if not busy and (self._made is None or self._made.version != desk.version()):
                self._stage, self._begun = "", time.monotonic()
                self._making = Thread(target=self.make, args=(desk,), daemon=True)
                self._making.start()
            return self._made

    def make(self, desk: Desk) -> None:
        """Make the report of the moment."""
        version = desk.version()
        try:
            if self._reporter is None:
                raise UsageError("this server", "was started without a way to make reports")
            with self.ratings(desk) as ratings:
                made = Made(version, fragment(self._reporter(ratings, self._tell)))
        except InputError as error:
            made = Made(version, problem=str(error))
        except Exception:
            LOG.exception("the report could not be made")
            made = Made(version, problem="the report could not be made; the terminal says why")
        with self._lock:
            self._made = made

    @contextmanager
    def ratings(self, desk: Desk) -> Iterator[Ratings]:
        """The checked table of everything rated so far.

        Its rows are the table's, under goldassay's own names, and the store's labels with the
        columns of their units; the inputs named are those that the person gave.
        """
        rows = [_with_unit(row, desk) for row in desk.label_rows()]
        inputs: tuple[Input, ...] = (Input(self._store.name, None, len(rows)),)
        if not rows and self._table is None:
            raise UsageError(self._store.name, "holds no label yet", next_step="Label some units")
        plain = replace(self._task, columns={}, wide=None, constants={})
        with tempfile.TemporaryDirectory(prefix="goldassay-serve-") as folder:
            if rows:
                _write(Path(folder) / "labels.jsonl", rows)
            if self._table is not None:
                _write(Path(folder) / "table.jsonl", _rows(self._table))
            found = self._read(f"{folder}/*.jsonl", plain)
            if self._table is None:
                yield replace(found, inputs=inputs, name=self._store.name)
                return
            left_out = sum(one.rows for one in self._table.exclusions)
            yield replace(
                found,
                inputs=self._table.inputs + inputs,
                name=self._table.name,
                exclusions=(*self._table.exclusions, *found.exclusions),
                census=replace(found.census, rows=found.census.rows + left_out),
            )

    def _read(self, pattern: str, task: Task) -> Ratings:
        """Read the files made here; an error names what the person gave, not our files."""
        try:
            return read_ratings(pattern, task)
        except InputError as error:
            given = self._table.name if self._table else self._store.name
            folder = re.escape(pattern.removesuffix("*.jsonl"))
            place = re.sub(rf"{folder}(\*|\w+)\.jsonl", lambda _: given, error.place)
            raise error.at(place) from None


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
    # A file has its column of values, though everybody may have abstained.
    return {**desk.cases.about.get(unit.key, {}), "value": "", **told}
