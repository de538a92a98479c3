"""From a source's own columns to those of the ratings table: long, with constants and kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any, cast

import narwhals as nw

from goldassay.errors import RatingsError, TaskError, listed, nearest
from goldassay.ratings.cut import Cut
from goldassay.ratings.distinct import is_of_items
from goldassay.ratings.fetch import fetch
from goldassay.ratings.rewriting import MIRRORED
from goldassay.ratings.task import Task
from goldassay.ratings.vocabulary import MARKS
from goldassay.sources.engine import named, queried, quoted
from goldassay.sources.frames import FILE, Source, told_apart
from goldassay.sources.numbers import NUMBER
from goldassay.words import counted
from goldassay.words import named as named_

__all__ = [
    "REQUIRED",
    "MissingColumnError",
    "arranged",
    "check_declared_columns",
    "empty_cells",
    "said_of_empty",
]

REQUIRED = ("item", "rater", "kind", "value")
#: Column -> what its ratings are about (rater, kind, criterion, ...).
Cells = Mapping[str, Mapping[str, str]]


def arranged(opened: Source, task: Task) -> tuple[nw.LazyFrame[Any], tuple[str, ...]]:
    """The frame, long, with the declared constants and kinds of raters."""
    frame, columns = opened.frame, list(opened.columns)
    told = {key for cell in task.cells.values() for key in cell} | {*task.constants}
    if "system" not in told and _may_be_filled(opened, columns):
        frame = frame.with_columns(nw.col("system").max().over("item"))
        opened = replace(opened, frame=frame, unsaid={})
    for name, error in opened.unsaid.items():
        if name not in told:
            raise error
    if cells := _cells(task):
        opened, cells = _with_empty(opened, cells)
        opened, cells, scores = _with_cuts(opened, cells, task)
        frame, columns = _long(opened, cells, scores)
        if "" not in (*task.abstain, *task.invalid):  # else an empty cell says something
            frame = frame.filter(~nw.col("value").is_null())
    frame, columns = _with_files(frame, columns, task, opened)
    for name, value in task.constants.items():
        if name not in columns:
            frame = frame.with_columns(nw.lit(value).alias(name))
            columns.append(name)
        elif opened.parts or name in task.files:  # for the files that lack it
            frame = frame.with_columns(nw.col(name).fill_null(nw.lit(value)))
        else:
            raise TaskError(
                f"[constants] {name}",
                f"must not be a column of {opened.name} already",
                next_step=f"Drop it, or name the file's column otherwise: [columns] {name} = ...",
            )
    if task.raters is not None:
        frame, columns = _with_kinds(frame, columns, task, opened)
    made = {key for cell in cells.values() for key in cell} | ({"value"} if cells else set())
    made |= {"kind"} if task.raters else set()
    made |= set(task.constants) | {key for one in task.files.values() for key in one}
    for place, found in (*opened.parts, (opened.name, tuple(columns))):
        for name in REQUIRED:
            if name not in found and not (name in made and opened.parts):
                raise _lacking(name, opened, place, task)
    return frame, tuple(columns)


def _may_be_filled(opened: Source, columns: Sequence[str]) -> bool:
    """Whether a file lacks the system that others name, and each item is of one system."""
    lacks = any("system" not in names for _, names in opened.parts)
    here = {"item", "system"} <= {*columns} and {*opened.unsaid} <= {"system"}
    return lacks and here and is_of_items(opened, "item", "system")


def _cells(task: Task) -> dict[str, Mapping[str, str]]:
    """Columns that hold ratings: those of [cells], and of [wide], whose names are the raters. A
    column in both is as [cells] says, which says more."""
    found: dict[str, Mapping[str, str]] = {
        name: {MIRRORED if key == "mirrored" else key: said for key, said in cell.items()}
        for name, cell in task.cells.items()
    }
    if task.wide is not None:
        for name in task.wide.names:
            found.setdefault(name, {"rater": name, "kind": task.wide.kind_of(name)})
    return found


def empty_cells(opened: Source, task: Task) -> str:
    """How many cells that could hold a rating are empty, in a table with a column for each rater
    or criterion, in words; nothing where all are filled. A file that lacks a column has no cells
    of it."""
    # By these an empty cell says something.
    rated = [n for n, c in _cells(task).items() if not {"means", "empty", "empty_as"} & c.keys()]
    columns = list(dict.fromkeys(opened.renamed.get(name, name) for name in rated))
    if not columns or "" in (*task.abstain, *task.invalid):  # then an empty cell says something
        return ""
    one, zero = nw.lit(1), nw.lit(0)
    empty = {
        f"={at}": nw.when(nw.col(column).is_null()).then(one).otherwise(zero)
        for at, column in enumerate(columns)
    }
    nothing = nw.coalesce(*(nw.col(column) for column in columns)).is_null()
    empty["=all"] = nw.when(nothing).then(one).otherwise(zero)
    place = nw.col(FILE) if opened.parts else nw.lit("")
    by_file = opened.frame.select(**empty, place=place).group_by("place")
    found = fetch(
        by_file.agg(*(nw.col(key).sum() for key in empty), rows=nw.len()), place=opened.name
    )
    files = told_apart([place for place, _ in opened.parts])
    there = {file: set(part[1]) for file, part in zip(files, opened.parts, strict=True)}
    cells = none = 0
    for row, file in enumerate(found["place"]):
        mine = [at for at, c in enumerate(columns) if c in there.get(str(file), columns)]
        cells += len(mine) * int(found["rows"][row])
        none += sum(int(found[f"={at}"][row]) for at in mine)
    rows = int(found["=all"].sum())
    if not none:
        return ""
    said = f"{none:,} of {counted(cells, 'cell')} for ratings {'is' if none == 1 else 'are'} empty"
    hold = "holds" if rows == 1 else "hold"
    return f"{said}; {counted(rows, 'row')} {hold} none at all." if rows else f"{said}."


def said_of_empty(opened: Source, task: Task) -> list[str]:
    """What empty cells are read as, where the task says so, and how many the table has."""
    cells = {
        opened.renamed.get(name, name): cell
        for name, cell in task.cells.items()
        if {"empty", "empty_as"} & cell.keys()
    }
    here = [name for name in cells if name in opened.columns]
    if not here:
        return []
    empty = {
        f"={at}": nw.when(nw.col(name).is_null()).then(nw.lit(1)).otherwise(nw.lit(0))
        for at, name in enumerate(here)
    }
    sums = (one.sum().alias(key) for key, one in empty.items())
    found = fetch(opened.frame.select(*sums), place=opened.name)
    said = []
    for key, name in zip(empty, here, strict=True):
        if not (none := int(found[key][0] or 0)):
            continue
        number = counted(none, "empty cell")
        if "empty_as" in cells[name]:
            taken = f"the label of {named_(cells[name]['empty_as'])}"
            more = ": who saw that label first did not choose freely"
        else:
            taken, more = named_(cells[name]["empty"]), ""
        said.append(f"{number} of {named_(name)} read as {taken}{more}.")
    return said


def _with_empty(
    opened: Source, cells: dict[str, Mapping[str, str]]
) -> tuple[Source, dict[str, Mapping[str, str]]]:
    """Cells whose empty ones say something: a column for each with that label in them, or with the
    label of another column."""
    made: dict[str, Mapping[str, str]] = {}
    filled: dict[str, nw.Expr] = {}
    for name, cell in cells.items():
        column = opened.renamed.get(name, name)
        if not {"empty", "empty_as"} & cell.keys() or column not in opened.columns:
            made[name] = cell
            continue
        if "empty_as" in cell:
            other = opened.renamed.get(cell["empty_as"], cell["empty_as"])
            if other not in opened.columns:
                near = nearest(cell["empty_as"], opened.own or opened.columns)
                raise TaskError(
                    f"cells.{name}.empty_as",
                    f"must be a column of {opened.name}",
                    found=repr(cell["empty_as"]),
                    next_step=f"Did you mean {near!r}?" if near else None,
                )
            rest = nw.col(other)
        else:
            rest = nw.lit(cell["empty"])
        new = f"{column}, or {cell.get('empty_as', cell.get('empty'))}"
        filled[new] = nw.coalesce(nw.col(column), rest)
        made[new] = {k: said for k, said in cell.items() if k not in ("empty", "empty_as")}
    if not filled:
        return opened, cells
    frame = opened.frame.with_columns(*(e.alias(name) for name, e in filled.items()))
    return replace(opened, frame=frame, columns=(*opened.columns, *filled)), made


def _with_cuts(
    opened: Source, cells: Cells, task: Task
) -> tuple[Source, dict[str, Mapping[str, str]], dict[str, str]]:
    """Cells with scores that a cut makes verdicts: a column with the verdicts for each, and which
    column holds the scores, of these and of verdicts with a score beside them. What is no number
    stays as it is. A cell that is ticked is the option that it means; one that is not is none."""
    made: dict[str, Mapping[str, str]] = {}
    verdicts: dict[str, nw.Expr] = {}
    scores: dict[str, str] = {}
    for name, cell in cells.items():
        cut = Cut.of(cell["cut"]) if "cut" in cell else None
        column = opened.renamed.get(name, name)
        if "means" in cell and column in opened.columns:
            new = f"{column} means {cell['means']}"
            is_ticked = nw.col(column).str.strip_chars().str.to_lowercase().is_in(sorted(MARKS))
            verdicts[new] = nw.when(is_ticked).then(nw.lit(cell["means"]))
            made[new] = {key: said for key, said in cell.items() if key != "means"}
            continue
        if cut is None or column not in opened.columns:
            made[name] = {key: said for key, said in cell.items() if key != "score"}
            if "score" in cell:
                scores[name] = _score_of(cell["score"], name, opened)
            continue
        new, text = f"{column} {cut.yes}", nw.col(column)
        number = nw.when(text.str.contains(NUMBER)).then(text.str.strip_chars()).cast(nw.Float64)
        counts = {">=": number >= cut.bound, ">": number > cut.bound}
        counts |= {"<=": number <= cut.bound, "<": number < cut.bound}
        yes, no = nw.lit(task.positive), nw.lit(task.negative)
        verdict = nw.when(counts[cut.sign]).then(yes).otherwise(no)
        verdicts[new] = nw.when(text.str.contains(NUMBER)).then(verdict).otherwise(text)
        made[new] = {key: said for key, said in cell.items() if key != "cut"}
        scores[new] = column
    if not verdicts:
        return opened, made, scores
    frame = opened.frame.with_columns(*(e.alias(name) for name, e in verdicts.items()))
    return replace(opened, frame=frame, columns=(*opened.columns, *verdicts)), made, scores


def _score_of(score: str, cell: str, opened: Source) -> str:
    """What the column is called here that holds the score beside a cell."""
    column = opened.renamed.get(score, score)
    if column not in opened.columns:
        near = nearest(score, opened.own or opened.columns)
        raise TaskError(
            f"[cells] {cell}, score = {score!r}",
            f"must be a column of {opened.name}; its columns are {listed(opened.own)}",
            next_step=f"Did you mean {near!r}?" if near else None,
        )
    return column


class MissingColumnError(RatingsError):
    """A table without a column that every table of ratings has. Where the task does not say what it
    is called either (`undeclared`), another name may be guessed."""

    undeclared = False


def _lacking(name: str, opened: Source, place: str, task: Task) -> MissingColumnError:
    own = dict(opened.parts).get(place, opened.own or opened.columns)
    near = nearest(name, own)
    what = {"item": "names the item", "rater": "names who rated", "value": "holds the ratings"}
    theirs = [*task.column_names.get(name, ()), near or "..."]
    several = ", ".join(f'"{one}"' for one in theirs)
    several = f"[{several}]" if len(theirs) > 1 else several
    step = f"Say which column {what.get(name, 'it is')}: [columns] {name} = {several}"
    if name == "kind":
        step = 'Say who is a judge: [raters] judge = ["..."], or [constants] kind = "human"'
    error = MissingColumnError(
        place,
        f"must have a column {name!r}; its columns are {listed(own) or 'none'}",
        next_step=step + ', or one column per rater: [wide] human = ["..."]',
    )
    error.undeclared = name not in task.columns
    return error


def _with_files(
    frame: nw.LazyFrame[Any], columns: list[str], task: Task, opened: Source
) -> tuple[nw.LazyFrame[Any], list[str]]:
    """The constants of single files, by their names."""
    if not task.files:
        return frame, columns
    here = told_apart([place for place, _ in opened.parts]) or [Path(opened.name).name]
    for name in task.files:
        if name not in here:
            near = nearest(name, here)
            raise TaskError(
                f'[files."{name}"]',
                f"must name a file that is read; these are {listed(here)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    keys = dict.fromkeys(key for one in task.files.values() for key in one)
    for key in keys:
        by_file = {name: one[key] for name, one in task.files.items() if key in one}
        if opened.parts:
            given: nw.Expr = nw.lit(None, nw.String)
            for name, value in by_file.items():
                at = nw.col(FILE) == nw.lit(name)
                given = nw.when(at).then(nw.lit(value)).otherwise(given)
        else:
            given = nw.lit(next(iter(by_file.values())))
        if key in columns:
            given = nw.coalesce(nw.col(key), given)
        frame = frame.with_columns(given.alias(key))
        columns = columns if key in columns else [*columns, key]
    return frame, columns


def _with_kinds(
    frame: nw.LazyFrame[Any], columns: Sequence[str], task: Task, opened: Source
) -> tuple[nw.LazyFrame[Any], list[str]]:
    """`kind` by the rater's name, over what a column says; a rater that is not listed keeps the
    column's kind, and is a person (or, where only people are listed, a judge) without one."""
    raters = task.raters
    assert raters is not None
    if "rater" not in columns:
        raise _lacking("rater", opened, opened.name, task)
    if raters.human and (raters.judge or raters.reference):
        unlisted: nw.Expr = nw.lit("")
    else:
        unlisted = nw.lit("judge" if raters.human else "human")
    if "kind" in columns:
        unlisted = nw.coalesce(nw.col("kind"), unlisted)
    kind = reduce(
        lambda rest, name: (
            nw.when(nw.col("rater").is_in(list(getattr(raters, name))))
            .then(nw.lit(name))
            .otherwise(rest)
        ),
        [name for name in ("human", "judge", "reference") if getattr(raters, name)],
        unlisted,
    )
    return frame.with_columns(kind=kind), [*columns, *([] if "kind" in columns else ["kind"])]


def _long(
    opened: Source, cells: Cells, scores: Mapping[str, str]
) -> tuple[nw.LazyFrame[Any], list[str]]:
    """A row per rating, out of a column per rater, criterion or both. What a cell does not say,
    the row's own column says. `scores` names the column with the score beside a cell."""
    frame, columns = opened.frame, opened.columns
    there = {name: opened.renamed.get(name, name) for name in cells}
    for name, column in there.items():
        if column not in columns:
            own = opened.own or columns
            near = nearest(name, own)
            raise TaskError(
                "[wide]",
                f"{name!r} must be a column of {opened.name}; its columns are {listed(own)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
    keys = list(dict.fromkeys(key for cell in cells.values() for key in cell))
    # A column of the file's own stays where some cell does not say what it is about.
    said_by_all = [key for key in keys if all(key in cell for cell in cells.values())]
    for column in ("value", *said_by_all):
        if column in columns and column not in there.values():
            raise TaskError("[wide]", f"a wide table must have no column {column!r} of its own")
    index = [c for c in columns if c not in there.values()]
    hidden = [FILE] if opened.parts else []
    about = {k: [cells[name].get(k) for name in cells] for k in keys}
    keys += ["score"] if scores else []
    made = [*(c for c in index if c not in keys), *keys, "value"]
    if frame.implementation is nw.Implementation.DUCKDB:
        return _unpivoted(frame, [*index, *hidden], there, (about, scores)), made
    # One part per column, stacked: not every engine's unpivot gives the raters as text.
    parts = []
    for at, (name, column) in enumerate(there.items()):
        row = {
            key: nw.lit(said[at]) if said[at] is not None else _own(key, index)
            for key, said in about.items()
        }
        if scores:
            row["score"] = nw.col(scores[name]) if name in scores else _own("score", index)
        kept = [c for c in (*index, *hidden) if c not in keys]
        parts.append(frame.select(*kept, **row, value=nw.col(column)))
    return nw.concat(parts, how="vertical"), made


def _own(key: str, index: Sequence[str]) -> nw.Expr:
    return nw.col(key) if key in index else nw.lit(None, nw.String)


def _unpivoted(
    frame: nw.LazyFrame[Any],
    index: Sequence[str],
    there: Mapping[str, str],
    beside: tuple[Mapping[str, Sequence[str | None]], Mapping[str, str]],
) -> nw.LazyFrame[Any]:
    """The embedded engine's own way, in one pass over hundreds of columns.

    Not narwhals' `unpivot`, which runs on the engine's default connection only.
    """
    about, scores = beside
    kept = ", ".join(named(column) for column in index)
    cells = ", ".join(f"{named(c)} AS {named(f'={at}')}" for at, c in enumerate(there.values()))
    columns = ", ".join(named(f"={at}") for at in range(len(there)))
    said = []
    for key, values in about.items():
        own = named(key) if key in index else "NULL"
        by_cell = " ".join(
            f"WHEN '={at}' THEN {quoted(value)}"
            for at, value in enumerate(values)
            if value is not None
        )
        said.append(f'CASE "cell of" {by_cell} ELSE {own} END AS {named(key)}')
    if scores:
        own = named("score") if "score" in index else "NULL"
        by_cell = " ".join(
            f"WHEN '={at}' THEN {named(scores[name])}"
            for at, name in enumerate(there)
            if name in scores
        )
        said.append(f'CASE "cell of" {by_cell} ELSE {own} END AS "score"')
    made = {*about, *(["score"] if scores else [])}
    rest = ", ".join(named(column) for column in index if column not in made)
    native: Any = frame.to_native()
    long = queried(
        native.project(", ".join(part for part in (kept, cells) if part)),
        lambda rows: (
            f'SELECT {", ".join(part for part in (rest, *said) if part)}, "value" '
            f'FROM {rows} UNPIVOT INCLUDE NULLS ("value" FOR "cell of" IN ({columns}))'
        ),
    )
    return cast("nw.LazyFrame[Any]", nw.from_native(long))


def check_declared_columns(columns: Sequence[str], task: Task, opened: Source) -> None:
    """Refuse a task whose cluster or strata are not columns of the table."""
    own = opened.own or columns
    if task.cluster not in columns:
        near = nearest(task.cluster, own)
        raise TaskError(
            f"cluster = {task.cluster!r}",
            f"must be a column of {opened.name}; its columns are {listed(own)}",
            next_step=(f"Did you mean {near!r}? " if near else "")
            + "Name the column of what several ratings share (a prompt, a document); only where "
            'every item stands alone: cluster = "item"',
        )
    for column in task.strata:
        if column not in columns:
            raise TaskError(
                f"strata: {column!r}",
                f"must be a column of {opened.name}",
                next_step="Add it, or drop it",
            )
