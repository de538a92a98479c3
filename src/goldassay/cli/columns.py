"""The options that declare what files hold, the same on every verb that reads them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from goldassay.errors import UsageError
from goldassay.questions.asking import Columns

__all__ = ["NOTHING", "with_columns"]

#: Nothing is declared.
NOTHING: Columns = {}
#: Option -> what it names, and its help.
_SAID = {
    "item": ("A,B", "The key of an item; again, where another file names it otherwise."),
    "human": ("WHO", "Whose ratings: a column, a rater, a file, or WHO=COLUMN; again."),
    "judge": ("WHO", "The same of judges; again."),
    "reference": ("WHO", "The same of answer keys and adjudicated labels; again."),
    "rater": ("COLUMN", "The column that names who rated."),
    "value": ("COLUMN", "The column of ratings; several are criteria."),
    "criterion": ("COLUMN", "The column that names the criterion."),
    "system": ("COLUMN", "The column that names the rated system."),
    "opponent": ("COLUMN", "The column that names the other side of a pair."),
    "rows": ("PATH", "Where the rows of a nested file lie, as results.items."),
    "votes": ("A,B", "Columns are options, and their cells how many chose them."),
    "label": ("FROM=TO", "The same label, written otherwise; again."),
}


def with_columns(command: Callable[..., None]) -> Callable[..., None]:
    """A command with these options, handed on as `columns`; its own `--judge` stays."""
    taken = inspect.signature(command).parameters
    names = [name for name in _SAID if name not in taken]

    @wraps(command)
    def declared(**given: Any) -> None:
        said = {name: given.pop(name) for name in names}
        columns = {name: texts for name, texts in said.items() if texts}
        if columns and given.get("write_task"):
            raise UsageError(
                "--write-task", "drafts what a file says alone, and options declare this one"
            )
        if columns.get("rows"):
            columns["rows"] = columns["rows"][0] if len(columns["rows"]) == 1 else columns["rows"]
        command(**given, columns=columns)

    hints = get_type_hints(command, include_extras=True)
    own = [p.replace(annotation=hints[n]) for n, p in taken.items() if n != "columns"]
    parameters = [*own, *map(_option, names)]
    declared.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    declared.__annotations__ = {one.name: one.annotation for one in parameters}
    return declared


def _option(name: str) -> inspect.Parameter:
    value, said = _SAID[name]
    hint = Annotated[list[str] | None, typer.Option(f"--{name}", metavar=value, help=said)]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(name, kind, default=None, annotation=hint)
