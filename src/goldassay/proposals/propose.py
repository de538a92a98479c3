"""Draft a task for a table that has none, and read the table under it.

Every guess is one line that begins "assumed:", those that change conclusions first. What is
possible but unlikely is a question and is not taken; what cannot be guessed is asked for by name.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from goldassay.errors import InputError, SourceError
from goldassay.proposals.cells.vote_columns import lone_count
from goldassay.proposals.cells.within import read_within, tell_within
from goldassay.proposals.declared import NOTHING, Declared, merged
from goldassay.proposals.doubts import Doubts
from goldassay.proposals.draft import Answer, Draft, Weight
from goldassay.proposals.drawn import files_of_labels, how_labels_were_drawn, split_is_of_labelled
from goldassay.proposals.evidence import ask_of_machines
from goldassay.proposals.labels.declared_scale import draft_declared_scale
from goldassay.proposals.labels.named_winners import named_winners
from goldassay.proposals.labels.opposites import turn_opposites
from goldassay.proposals.layout import shape_of
from goldassay.proposals.layouts.paired_systems import ask_of_order, ask_of_sides
from goldassay.proposals.layouts.said_again import answers_read
from goldassay.proposals.layouts.scored_verdicts import ask_of_turned_scores
from goldassay.proposals.left_out import ask_of_left_out
from goldassay.proposals.opening import opened_as_written
from goldassay.proposals.profile import Column
from goldassay.proposals.second_look import second_look
from goldassay.proposals.shape import Shape, Table
from goldassay.proposals.units.keys import draft_keys
from goldassay.proposals.unknown_origin import of_unknown_origin
from goldassay.ratings.census import CHOICES, NUMBERS
from goldassay.ratings.narrowing import Narrowing
from goldassay.ratings.table import Ratings, read_ratings
from goldassay.ratings.task import Task
from goldassay.ratings.vocabulary import RESOLVED, are_splits, words
from goldassay.sources.form import Form
from goldassay.sources.frames import Source
from goldassay.sources.winners import sides_of
from goldassay.words import listed, named

__all__ = ["drafted_task", "guessed_ratings", "propose"]

#: Logs whose columns would be taken for raters and ratings.
_NEVER_TABLES = (
    *("promptfoo-csv", "promptfoo", "deepeval", "inspect", "openai-evals", "judge-bench"),
    *("langfuse", "label-studio"),
)
#: Keys of a task that are tables, in the order of a draft.
_TABLES = (
    *("columns", "wide", "cells", "raters", "references", "files", "file", "constants", "labels"),
)
#: Those of which what is declared has its place in the layout already.
_PLACED = ("columns", "wide", "cells", "raters", "files", "constants")
#: How often a reading is looked at again: each look takes something back.
_LOOKS = 4


def propose(source: Any, narrowing: Narrowing | None = None, declared: Declared = NOTHING) -> Draft:
    """Look at a table's columns and labels and draft the task they suggest, around what is
    declared."""
    return _proposed(source, narrowing, None, declared)[1]


def guessed_ratings(
    source: Any, narrowing: Narrowing | None = None, declared: Declared = NOTHING
) -> tuple[Ratings, Draft]:
    """The table under a drafted task, with every assumption; or an error that asks what is missing.

    What says too little as a table may be another tool's log: then it is read as that.
    """
    if log := declared.table("file").get("log"):
        return _from_log(source, narrowing, log, None, declared)
    if _log_of(source) in _NEVER_TABLES:
        return _from_log(source, narrowing, str(_log_of(source)), None, declared)
    try:
        ratings, draft = _guessed(source, narrowing, None, declared)
    except InputError as error:
        if (log := _log_of(source)) is None:
            raise
        return _from_log(source, narrowing, log, error, declared)
    if (ratings.judges and ratings.humans) or (log := _log_of(source)) is None:
        return ratings, draft
    return _from_log(source, narrowing, log, None, declared)


def _guessed(
    source: Any, narrowing: Narrowing | None, form: Form | None, declared: Declared
) -> tuple[Ratings, Draft]:
    """How the labelled items were drawn is known only when the table was read: where judges rated
    items that people did not, random is assumed, and said first."""
    opened, draft = _proposed(source, narrowing, form, declared)
    if draft.missing:
        _without_dead_ends(draft, source, narrowing, form, declared)
        raise draft.refusal(opened.name)
    task = Task.from_mapping(draft.task, place="the drafted task")
    ratings = read_ratings(opened, task, narrowing)
    if "calibration" not in draft.task and split_is_of_labelled(ratings, opened):
        draft.task = _with_own_split(draft.task)
        task = Task.from_mapping(draft.task, place="the drafted task")
        ratings = read_ratings(opened, task, narrowing)
    drawn = how_labels_were_drawn(ratings, draft, files_of_labels(opened, task))
    for key, value in drawn.items():
        draft.task = _with(draft.task, key, value)
    _together(ratings, draft)
    later: dict[str, Any] = {
        key: draft.task[key] for key in ("calibration", "reference") if key in draft.task
    }
    for key in ("strata", "drawn_by"):
        if key in draft.task:
            later[key] = tuple(draft.task[key])
    ratings = replace(ratings, task=replace(ratings.task, **later))
    assumed = draft.assumed or ("what the task does not declare is as the table suggests",)
    asked = tuple(draft.questions)
    return replace(ratings, assumed=assumed, asked=asked, declared=None), draft


def _with_own_split(task: Mapping[str, Any]) -> dict[str, Any]:
    """The task with the file's own column of splits, which are no calibration set and test."""
    columns = dict(task.get("columns", {}))
    columns["file_split"] = columns.pop("split", "split")
    return {**task, "columns": columns}


def _without_dead_ends(
    draft: Draft, source: Any, narrowing: Narrowing | None, form: Form | None, declared: Declared
) -> None:
    """The first question without those of its answers under which the table cannot be read, and
    nothing else is asked that can be answered; all of them where none is left."""

    def leads_on(answer: Answer) -> bool:
        if isinstance(answer, str):
            return True
        said = replace(declared, task=merged(declared.task, answer))
        try:
            opened, tried = _proposed(source, narrowing, form, said)
            if tried.missing:
                again = tried.missing[0]
                parts = [one for one in again.answers if not isinstance(one, str)]
                return again.question != draft.missing[0].question and bool(parts)
            read_ratings(opened, Task.from_mapping(tried.task, place="the answer"), narrowing)
        except InputError:
            return False
        return True

    first = draft.missing[0]
    kept = tuple(one for one in first.answers if leads_on(one))
    if any(not isinstance(one, str) for one in kept):
        draft.missing[0] = replace(first, answers=kept)


def _from_log(
    source: Any, narrowing: Narrowing | None, log: str, error: InputError | None, declared: Declared
) -> tuple[Ratings, Draft]:
    """The ratings in a log; where they are not of one scale, `import` picks among its criteria."""
    try:
        return _guessed(source, narrowing, Form(log=log), declared)
    except InputError as second:
        if error is not None and "no rating" in str(second):
            raise error from None
        if (second.next_step or "").startswith("Add --"):  # says by itself what to choose
            raise
        paths = [source] if isinstance(source, str | Path) else list(source)
        raise SourceError(
            str(paths[0]),
            f"holds {_reads(log)}, and as one table: {_brief(second).rstrip('.')}",
            next_step="Choose what to read: goldassay import "
            f"{shlex.quote(str(paths[0]))} --criterion NAME --out ratings.csv",
        ) from error


def _reads(log: str) -> str:
    from goldassay.sources.importers import IMPORTERS

    return IMPORTERS[log].reads


def _brief(error: InputError) -> str:
    return " ".join(str(error).split())[:200]


def _log_of(source: Any) -> str | None:
    """The tool whose log the files are; others may be plain tables. None where none is a log, or
    they are of several tools."""
    from goldassay.sources.importers import taken_for
    from goldassay.sources.logs.reading import LogFile

    given = [source] if isinstance(source, str | Path) else source
    if not isinstance(given, list | tuple) or not given:
        return None
    tools = set()
    for one in given:
        path = Path(one) if isinstance(one, str | Path) else None
        try:
            if path is None or not path.is_file():
                return None
        except OSError:  # a name that is too long: said when it was read as a table
            return None
        log = LogFile(path)
        try:
            tool = taken_for(log)
        except InputError:  # what is wrong with the file was said when it was read as a table
            return None
        # Pairs with a winner are a table as they stand, and no tool's own.
        plain = tool in ("mt-bench", "alpaca-eval") and log.form in ("csv", "tsv", "parquet")
        tools.add(None if plain else tool)
    tools -= {None}
    return tools.pop() if len(tools) == 1 else None


def drafted_task(
    source: Any, narrowing: Narrowing | None = None, declared: Declared = NOTHING
) -> Draft:
    """The draft, whole where the table can be read under it; else with the open line marked."""
    try:
        return guessed_ratings(source, narrowing, declared)[1]
    except InputError as error:
        draft = _proposed(source, narrowing, None, declared)[1]
        if not draft.missing:
            draft.lack(str(error), error.next_step or "mend the table")
        return draft


def _proposed(
    source: Any, narrowing: Narrowing | None, form: Form | None, declared: Declared
) -> tuple[Source, Draft]:
    draft = Draft(declared=declared)
    opening = opened_as_written(source, narrowing, form, draft)
    for line in opening.source.told:
        draft.assume(Weight.COLUMNS, line)
    sides, said = sides_of(opening.source.own), ""
    if sides:
        said = f"{listed([named(name) for name in sides])} say with a 1 who wins: read as `winner`"
        draft.assume(Weight.COLUMNS, said)
    columns, within = opening.columns, read_within(opening.columns)
    answers = answers_read(opening.looked, within)
    told = {n: columns[n] if n in answers else c for n, c in within.items()}
    table = Table(opening.looked, told)
    draft, shape = _meant(table, draft, counted=opening.counts_votes)
    if said and "winner" not in shape.rated:  # another column holds the ratings
        draft.take_back(said)
    if draft.task.get("scale") != "pairwise":
        _forget_pairs(shape, draft)
    _adjudicated(shape, draft)
    of_unknown_origin(table, shape, draft)
    draft.settle(shape.meaning)
    draft.task |= _tables(shape, draft.task)
    draft.task = merged(draft.task, declared.beside(_PLACED))
    plain = {k: v for k, v in draft.task.items() if k not in _TABLES}
    tables = {k: draft.task[k] for k in _TABLES if draft.task.get(k)}
    draft.task = {**_ordered(plain), **tables}
    _own_names(opening.source, draft)
    return opening.source, draft


def _meant(table: Table, draft: Draft, *, counted: bool) -> tuple[Draft, Shape]:
    """What a table means, with what a second look at the reading takes back; `counted` says that
    people's votes are counted already."""
    doubts = Doubts()
    for _ in range(_LOOKS):
        tried = draft.copied()
        tried.options_too = frozenset(doubts.options)
        left = Table(table.source, doubts.left(table.columns))
        shape = _first_meant(left, tried, counted=counted)
        more = second_look(left, shape, tried)
        if not more:
            break
        doubts |= more
    doubts.ask(tried)
    return tried, shape


def _first_meant(table: Table, draft: Draft, *, counted: bool) -> Shape:
    """The layout, the labels and the units of a table."""
    looked, columns = table.source, table.columns
    shape = shape_of(looked, columns, draft)
    if not counted:
        _of_one_count(columns, shape, draft)
    tell_within({n: c for n, c in columns.items() if n in shape.rated}, draft)
    _of_other_meaning(columns, shape, draft)
    if shape.used or shape.columns.get("value"):
        draft_keys(looked, columns, shape, draft)
        named_winners(table, shape, draft)
        draft_declared_scale(shape.used, draft, sides=shape.sides)
        turn_opposites(table, shape, draft)
        ask_of_turned_scores(table, shape, draft)
        ask_of_order(table, shape, draft)
        ask_of_sides(table, shape, draft)
        ask_of_machines(table, shape, draft)
        ask_of_left_out(table, shape, draft)
    return shape


def _of_one_count(columns: Mapping[str, Column], shape: Shape, draft: Draft) -> None:
    """Votes for one option beside the number of all: a count is no rating, and is asked about."""
    if (counts := lone_count(columns)) is None:
        return
    one, total = counts
    question = f"Does {named(one)} count people's votes, of {named(total)}?"
    if one not in shape.cells or draft.declared.table("wide"):
        both = "with the other votes in a column of their own, [file] votes reads both"
        draft.ask(f"{question} It is not read: {both}", left_out=[one])
        return
    wide: dict[str, list[str]] = {}
    for name, cell in shape.cells.items():
        wide.setdefault(cell["kind"], []).append(name)
    draft.lack(
        f"{question} Then the other votes are missing",
        "write the other votes into a column of their own, and both are read",
        {"wide": wide},
    )


def _adjudicated(shape: Shape, draft: Draft) -> None:
    """A label that was resolved where two or more people differ is the reference there."""
    people = [n for n, cell in shape.cells.items() if cell.get("kind") == "human"]
    keys = [n for n, cell in shape.cells.items() if cell.get("kind") == "reference"]
    resolved = [n for n in keys if set(words(n)) & RESOLVED]
    if len(people) < 2 or resolved != keys or len(keys) != 1:
        return
    if draft.task.get("scale") in ("binary", "nominal", "ordinal"):
        draft.task["reference"] = "adjudicated"
        draft.assume(
            Weight.UNITS, f"{named(keys[0])} is what was resolved where people differ (adjudicated)"
        )


def _own_names(opened: Source, draft: Draft) -> None:
    """The file's own names of columns that are called otherwise here (`gpt-3.5` as `gpt-3_5`)."""
    own = {here: theirs for theirs, here in opened.renamed.items()}
    if not own:
        return
    draft.task = _in_own_names(draft.task, own)
    draft.rename(own, partial(_in_own_names, own=own))


def _in_own_names(task: Mapping[str, Any], own: Mapping[str, str]) -> dict[str, Any]:
    """A task, or part of one, with the file's own names of columns."""
    made = dict(task)
    for table in ("columns", "wide"):
        if table in made:
            made[table] = {
                key: own.get(said, said) if isinstance(said, str) else [own.get(n, n) for n in said]
                for key, said in made[table].items()
            }
    if "cells" in made:
        made["cells"] = {
            own.get(name, name): {
                k: own.get(v, v) if k in ("rater", "score") else v for k, v in cell.items()
            }
            for name, cell in made["cells"].items()
        }
    return made


def _of_other_meaning(columns: Mapping[str, Column], shape: Shape, draft: Draft) -> None:
    """Columns that have a name of ours and hold something else: they keep it under another."""
    cells = list(shape.cells.values())
    of_cells = {"value", *set.intersection(*map(set, cells))} if cells else set()
    for name, column in columns.items():
        if name in of_cells:  # said of every column of ratings, and here of something else
            fits = False
        elif name == "split":
            fits = are_splits(column.labels) or set(column.labels) <= {*CHOICES[name]}
        elif name in CHOICES:
            fits = set(column.labels) <= {*CHOICES[name]}
        else:
            fits = name not in NUMBERS or column.numeric or not column.labels
        if not fits and name not in shape.taken:
            shape.columns[f"file_{name}"] = name
            draft.assume(
                Weight.COLUMNS,
                f"{named(name)} is a column of the file's own, here called {named(f'file_{name}')}",
            )


def _ordered(plain: Mapping[str, Any]) -> dict[str, Any]:
    first = ("scale", "options", "positive", "tie", "ties", "abstain", "invalid", "weights")
    keys = [*(key for key in first if key in plain), *(k for k in plain if k not in first)]
    return {key: plain[key] for key in keys}


def _forget_pairs(shape: Shape, draft: Draft) -> None:
    """Two systems in a row are a pair only where the ratings say who won; else nothing says which
    of them a rating is of."""
    if "opponent" in shape.columns and shape.columns["opponent"] != "opponent":
        other = shape.columns.pop("opponent")
        if "system" not in draft.declared.table("columns"):
            draft.ask(
                f"Which system is a rating of, {named(shape.columns.pop('system'))} or "
                f"{named(other)}? No rating says who won, and neither is read"
            )


def _tables(shape: Shape, task: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {o: t for o, t in shape.columns.items() if o != t}
    plain = shape.cells and all(
        set(cell) == {"rater", "kind"} and cell["rater"] == name
        for name, cell in shape.cells.items()
    )
    wide: dict[str, list[str]] = {}
    if plain:
        for name, cell in shape.cells.items():
            wide.setdefault(cell["kind"], []).append(name)
    return {
        "columns": made,
        "wide": wide,
        "cells": {} if plain else shape.cells,
        "raters": shape.raters,
        "references": task.get("references", {}),
        "files": shape.files,
        "file": task.get("file", {}),
        "constants": shape.constants,
        "labels": task.get("labels", {}),
    }


def _together(ratings: Ratings, draft: Draft) -> None:
    """Grades of several people: their median, because few of them agree to the grade."""
    if (
        ratings.task.scale == "ordinal"
        and len(ratings.humans) > 1
        and "reference" not in draft.task
    ):
        draft.task["reference"] = "median"
        said = 'the reference is the median of people\'s grades (reference = "median"; or "mean",'
        draft.assume(Weight.UNITS, f'{said} "majority", "each")')


def _with(task: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The key among the plain ones, which come before tables."""
    plain = {k: v for k, v in task.items() if k not in _TABLES}
    return {**plain, key: value, **{k: v for k, v in task.items() if k in _TABLES}}
