"""Files as the authors of the papers would have them, and how tests ask about them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from internals import command_line

import goldassay as ga

Row = Sequence[object]


def write(path: Path, header: str, rows: Iterable[Row]) -> Path:
    """A table with these columns, as a spreadsheet program writes it."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(header.split())
        writer.writerows(rows)
    return path


def drafted(path: Path) -> Path:
    """The task that `goldassay check --write-task` drafts for a table, beside it."""
    task = path.with_suffix(".toml")
    task.unlink(missing_ok=True)
    with redirect_stdout(StringIO()):
        assert command_line(["check", str(path), "--write-task", str(task)]) == 0
    return task


@dataclass(frozen=True)
class Asked:
    """What a verb found in a file, and what its first screen says."""

    found: ga.Findings

    @property
    def screen(self) -> str:
        return " ".join(str(self.found).split())

    def __call__(self, name: str, **about: Any) -> Any:
        """The one result of a name that is about this."""
        rows = self.found.rows_where(name=name, **about)
        assert len(rows) == 1, f"{len(rows)} rows of {name} about {about}"
        return rows[0].result


def both_ways(
    verb: Callable[..., ga.Findings], path: Path, **options: Any
) -> Iterable[tuple[str, Asked]]:
    """A verb's findings in a file without a task, and with the one that is drafted of it."""
    yield "no task", Asked(verb(str(path), **options))
    yield "drafted", Asked(verb(str(path), task=str(drafted(path)), **options))


def fewest(draws: int, level: float = 0.95) -> int:
    """So many of the intervals of a level hold the truth but once in 2,000 such tests."""
    from scipy.stats import binom

    return int(binom.ppf(0.0005, draws, level))
