"""Plain tables by their columns, read without a task."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path

from goldassay.proposals.draft import Draft
from goldassay.proposals.propose import guessed_ratings
from goldassay.ratings.table import Ratings

__all__ = ["again", "guessed", "labels"]


def guessed(folder: Path, columns: Mapping[str, Sequence[object]]) -> tuple[Ratings, Draft]:
    """A table of these columns under the task that it suggests."""
    path = folder / "ratings.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return guessed_ratings(str(path))


def again(labels_: Sequence[object], count: int) -> list[object]:
    """The labels one after another, again and again."""
    return list(islice(cycle(labels_), count))


def labels(options: Sequence[str], count: int, other: int = 0) -> list[str]:
    """What somebody says of so many items; another says otherwise of every fifth or so."""
    return [
        options[(n + (1 if other and n % (4 + other) == other else 0)) % len(options)]
        for n in range(count)
    ]
