"""What a task says already, where it does not say all: the rest is guessed to go with it.

An answer to what cannot be guessed is such a task of one line. What it declares is fixed, and no
guess contradicts it; what was guessed beside it is said line by line as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field, replace
from typing import Any

from goldassay.errors import TaskError, listed, nearest, shown
from goldassay.frozen import dataclass
from goldassay.ratings.declaring import KINDS, READ, with_criteria
from goldassay.sources.form import Form
from goldassay.sources.frames import ROW, Source

__all__ = ["NOTHING", "Declared", "is_partial", "merged"]


def is_partial(raw: Mapping[str, Any]) -> bool:
    """Whether a task lacks what every task declares: its options, unless ratings are numbers."""
    return not raw.get("options") and raw.get("scale") != "continuous"


def merged(guessed: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """What was guessed, with what is declared in its place; tables key by key.

    >>> merged({"scale": "nominal", "columns": {"item": "a"}}, {"columns": {"rater": "b"}})
    {'scale': 'nominal', 'columns': {'item': 'a', 'rater': 'b'}}
    """
    made = dict(guessed)
    for key, value in declared.items():
        mine = made.get(key)
        both = isinstance(mine, Mapping) and isinstance(value, Mapping)
        made[key] = merged(mine, value) if both else value  # type: ignore[arg-type]
    return made


@dataclass(frozen=True)
class Declared:
    """A task as far as it goes; `place` is where it stands, for messages."""

    task: Mapping[str, Any] = field(default_factory=dict)
    place: str = "task"
    #: Whether it stands in a file, and not in the command itself.
    in_file: bool = False

    def __bool__(self) -> bool:
        return bool(self.task)

    @classmethod
    def of(cls, raw: Mapping[str, Any], place: str, *, in_file: bool = False) -> Declared:
        """The keys that are there, each held to its rule; those that need one another are held
        when all of them are known."""
        known = [key for key in READ if key != "positives"]
        raw = dict(with_criteria(raw))
        for key, value in raw.items():
            if key not in known:
                near = nearest(str(key), known)
                hint = f"Did you mean {near!r}?" if near else f"The keys are: {', '.join(known)}"
                raise TaskError(place, f"{key!r} is not a key of a task", next_step=hint)
            several = key == "positive" and isinstance(value, list)
            worded = key == "options" and isinstance(value, Mapping)
            if not several and not worded and key != "criteria":
                read = READ[key](value, f"{place}, {key}")
                if key in ("positive", "labels"):  # what guesses look at: a truth is a text there
                    raw[key] = read
        return cls(raw, place, in_file)

    def table(self, key: str) -> Mapping[str, Any]:
        """One of its tables; an empty one where it has none."""
        found = self.task.get(key, {})
        return found if isinstance(found, Mapping) else {}

    def beside(self, placed: Collection[str]) -> dict[str, Any]:
        """Its keys without those that have their place already."""
        return {key: value for key, value in self.task.items() if key not in placed}

    @property
    def form(self) -> Form | None:
        """How the files are written, as far as it is declared."""
        if not self.table("file"):
            return None
        form: Form = READ["file"](self.table("file"), f"{self.place}, file")
        return form

    def with_form(self, form: Form | None) -> Form | None:
        """A form that was guessed, with what is declared in its place."""
        mine = self.form
        if mine is None:
            return form
        return replace(form or Form(), **{key: getattr(mine, key) for key in self.table("file")})

    def columns(self, source: Source) -> dict[str, str | list[str]]:
        """goldassay's column -> its name here; each must be one of the file's."""
        return {
            ours: self._here(theirs, source, f"columns.{ours}")
            if isinstance(theirs, str)
            else [self._here(one, source, f"columns.{ours}") for one in theirs]
            for ours, theirs in self.table("columns").items()
        }

    def kinds(self, source: Source) -> dict[str, str]:
        """Column -> whose ratings it holds, as [wide] or [cells] say it."""
        found = {
            self._here(name, source, f"wide.{kind}"): kind
            for kind in KINDS
            for name in self.table("wide").get(kind, ())
        }
        cells = self.cells(source)
        return found | {name: cell["kind"] for name, cell in cells.items() if "kind" in cell}

    def cells(self, source: Source) -> dict[str, dict[str, str]]:
        """Column -> what is declared of its ratings."""
        return {
            self._here(name, source, _place_of(name, cell)): dict(cell)
            for name, cell in self.table("cells").items()
        }

    def kind_of_rater(self, name: str) -> str | None:
        """What [raters] says of a rater: who is not in a list is of the kind that has none."""
        raters = self.table("raters")
        if not raters:
            return None
        told = next((kind for kind in KINDS if name in raters.get(kind, ())), None)
        return told or ("judge" if "human" in raters and "judge" not in raters else "human")

    def _here(self, name: str, source: Source, key: str) -> str:
        here = source.renamed.get(name, name)
        if here in (*source.columns, ROW):
            return here
        near = nearest(name, source.own or source.columns)
        raise TaskError(
            f"{self.place}, {key}",
            f"must be a column of {source.name}; its columns are "
            f"{listed(source.own or source.columns)}",
            found=shown(name),
            next_step=f"Did you mean {near!r}?" if near else None,
        )


def _place_of(name: str, cell: Mapping[str, Any]) -> str:
    """Where a column of ratings was declared: in a list of criteria, or by itself."""
    return "columns.criterion" if cell.get("criterion") == name else "cells"


NOTHING = Declared()
