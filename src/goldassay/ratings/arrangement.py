"""From a source's own columns to those of the ratings table: long, with constants and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import narwhals as nw

from goldassay.errors import RatingsError, TaskError, listed, nearest
from goldassay.ratings.task import Task, Wide
from goldassay.sources.engine import quoted
from goldassay.sources.frames import Source

__all__ = ["REQUIRED", "arranged", "check_declared_columns"]

REQUIRED = ("item", "rater", "kind", "value")


def arranged(opened: Source, task: Task) -> tuple[nw.LazyFrame[Any], tuple[str, ...]]:
    """The frame, long, with the declared constants and kinds of raters."""
    frame, columns = opened.frame, list(opened.columns)
    if task.wide is not None:
        frame, columns = _long(frame, columns, task, opened)
    for name, value in task.constants.items():
        if name not in columns:
            frame = frame.with_columns(nw.lit(value).alias(name))
            columns.append(name)
        elif opened.parts:  # for the files that lack it
            frame = frame.with_columns(nw.col(name).fill_null(nw.lit(value)))
        else:
            raise TaskError(f"[constants] {name}", f"is a column of {opened.name} already")
    if task.raters is not None:
        frame, columns = _with_kinds(frame, columns, task, opened)
    made = {"rater", "kind", "value"} if task.wide else {"kind"} if task.raters else set()
    made |= set(task.constants)
    for place, found in (*opened.parts, (opened.name, tuple(columns))):
        for name in REQUIRED:
            if name not in found and not (name in made and opened.parts):
                raise _lacking(name, found, place, task)
    return frame, tuple(columns)


def _lacking(name: str, columns: Sequence[str], place: str, task: Task) -> RatingsError:
    theirs = [*task.column_names.get(name, ()), nearest(name, columns) or "..."]
    several = ", ".join(f'"{one}"' for one in theirs)
    names = f"[{several}]" if len(theirs) > 1 else several
    step = f"Add it, or map it in the task file: [columns] {name} = {names}."
    if name == "kind":
        step += ' Or name the judges among the raters: [raters] judge = ["..."].'
    return RatingsError(
        place,
        f"has no column {name!r}; its columns are {listed(columns) or 'none'}",
        next_step=step + ' A table with one column per rater is declared by [wide] human = ["..."]',
    )


def _with_kinds(
    frame: nw.LazyFrame[Any], columns: Sequence[str], task: Task, opened: Source
) -> tuple[nw.LazyFrame[Any], list[str]]:
    """`kind` by the rater's name; where only one kind is listed, every other rater is the other."""
    raters = task.raters
    assert raters is not None
    if "rater" not in columns:
        raise _lacking("rater", columns, opened.name, task)
    if "kind" in columns and not opened.parts:
        raise TaskError("[raters]", f"kind is a column of {opened.name} already")
    rater = nw.col("rater")
    unlisted = "" if raters.human and raters.judge else "judge" if raters.human else "human"
    kind = (
        nw.when(rater.is_in(list(raters.judge)))
        .then(nw.lit("judge"))
        .otherwise(
            nw.when(rater.is_in(list(raters.human)))
            .then(nw.lit("human"))
            .otherwise(nw.lit(unlisted))
        )
    )
    if "kind" in columns:  # for the files that lack it
        return frame.with_columns(kind=nw.coalesce("kind", kind)), list(columns)
    return frame.with_columns(kind=kind), [*columns, "kind"]


def _long(
    frame: nw.LazyFrame[Any], columns: Sequence[str], task: Task, opened: Source
) -> tuple[nw.LazyFrame[Any], list[str]]:
    wide = task.wide
    assert wide is not None
    raters = {r: opened.renamed.get(r, r) for r in (*wide.human, *wide.judge)}
    for rater, column in raters.items():
        if column not in columns:
            near = nearest(rater, columns)
            raise TaskError(
                "[wide]",
                f"{rater!r} is not a column of {opened.name}; its columns are {listed(columns)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    index = [column for column in columns if column not in raters.values()]
    for column in ("rater", "kind", "value"):
        if column in index:
            raise TaskError("[wide]", f"a wide table has no column {column!r} of its own")
    if frame.implementation is nw.Implementation.DUCKDB:
        return _unpivoted(frame, index, raters, wide), [*index, "rater", "kind", "value"]
    # One part per rater, stacked: not every engine's unpivot gives the raters as text.
    parts = [
        frame.select(
            *index,
            rater=nw.lit(rater),
            kind=nw.lit("human" if rater in wide.human else "judge"),
            value=nw.col(column),
        )
        for rater, column in raters.items()
    ]
    long = nw.concat(parts, how="vertical").filter(~nw.col("value").is_null())
    return long, [*index, "rater", "kind", "value"]


def _unpivoted(
    frame: nw.LazyFrame[Any], index: Sequence[str], raters: Mapping[str, str], wide: Wide
) -> nw.LazyFrame[Any]:
    """The embedded engine's own way, in one pass over hundreds of raters; empty cells go.

    Not narwhals' `unpivot`, which runs on the engine's default connection only.
    """
    kept = ", ".join(_name(column) for column in index)
    named = ", ".join(f"{_name(column)} AS {_name(f'={r}')}" for r, column in raters.items())
    columns = ", ".join(_name(f"={rater}") for rater in raters)
    people = ", ".join(quoted(rater) for rater in wide.human) or "NULL"
    native: Any = frame.to_native()
    long = native.project(f"{kept}, {named}").query(
        "wide",
        f"SELECT {kept}, rater[2:] AS rater, "
        f"CASE WHEN rater[2:] IN ({people}) THEN 'human' ELSE 'judge' END AS kind, \"value\" "
        f'FROM (UNPIVOT wide ON {columns} INTO NAME rater VALUE "value")',
    )
    return cast("nw.LazyFrame[Any]", nw.from_native(long))


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def check_declared_columns(columns: Sequence[str], task: Task, name: str) -> None:
    """Refuse a task whose cluster or strata are not columns of the table."""
    if task.cluster not in columns:
        raise TaskError(
            f"cluster = {task.cluster!r}",
            f"is not a column of {name}; its columns are {listed(columns)}",
            next_step='Add it, or set cluster = "item" in the task file',
        )
    for column in task.strata:
        if column not in columns:
            raise TaskError(
                f"strata: {column!r}", f"is not a column of {name}", next_step="Add it, or drop it"
            )
