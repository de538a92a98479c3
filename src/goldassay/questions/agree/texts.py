"""The texts that were rated: one for each item, or for each system's output on it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.errors import RatingsError
from goldassay.frozen import dataclass
from goldassay.ratings.fetch import fetch, texts_of
from goldassay.ratings.task import Task
from goldassay.sources.frames import open_source
from goldassay.sources.two_answers import answers_among

__all__ = ["Texts", "read_texts"]

Floats = npt.NDArray[np.float64]
Key = tuple[str, str]


@dataclass(frozen=True)
class Texts:
    """Texts and lengths by (item, system); the system is "" where a text is of the item alone.

    A length is one number, or two for the two sides of a pair. A key whose text is not one (several
    outputs under one name) has a text to show and no length.
    """

    texts: Mapping[Key, str]
    lengths: Mapping[Key, Floats]

    def text(self, units: Units, pattern: int) -> str:
        """The text of a pattern's unit; "" when there is none."""
        return next((self.texts[key] for key in _keys(units, pattern) if key in self.texts), "")

    def length(self, units: Units, pattern: int) -> Floats | None:
        """The length of a pattern's text."""
        keys = (key for key in _keys(units, pattern) if key in self.texts)
        return next((self.lengths.get(key) for key in keys), None)


def _keys(units: Units, pattern: int) -> list[Key]:
    item = units.by["item"].labels[units.by["item"].codes[pattern]]
    if "system" not in units.by:
        return [(item, "")]
    return [(item, units.by["system"].labels[units.by["system"].codes[pattern]]), (item, "")]


def read_texts(path: str, task: Task) -> Texts:
    """Each item's (and system's) text, and its length (of both sides, for a pairwise task)."""
    source = open_source(path)
    if "item" not in source.columns:
        raise RatingsError(
            source.name,
            f"has no column 'item'; its columns are {', '.join(source.columns)}",
            next_step="An items table names each item once, beside its texts",
        )
    named = [name for name in ("item", "system") if name in source.columns]
    others = [name for name in source.columns if name not in named]
    sides = _sides(task, others)
    one = next(([name] for name in ("text", "output") if name in others), others)
    measured = sides or one
    found = fetch(source.frame.select(*named, *others), place=source.name)
    cells = {name: texts_of(column) for name, column in found.items()}
    texts: dict[Key, str] = {}
    lengths: dict[Key, Floats] = {}
    several = set()
    systems = cells.get("system", [""] * len(cells["item"]))
    for row, key in enumerate(zip(cells["item"], systems, strict=True)):
        text = " | ".join(cells[name][row] for name in measured)
        if key in texts:  # several outputs under one name: all are shown, and none is measured
            several.add(key)
            text = f"{texts[key]} | {text}"
        texts[key] = text
        size = [len(cells[name][row]) for name in measured]
        lengths[key] = np.array(size if sides else [sum(size)], dtype=float)
    for key in several:
        del lengths[key]
    return Texts(texts, lengths)


def _sides(task: Task, columns: list[str]) -> list[str]:
    """The columns with the two sides of a pair; none where the task or the table has no sides."""
    if task.scale != "pairwise":
        return []
    found = answers_among(columns, [option for option in task.options if option != task.tie])
    return list(found[0]) if len(found) == 1 else []
