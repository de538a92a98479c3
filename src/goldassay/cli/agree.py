"""`goldassay agree`: does the judge agree with people, and how sure are we?"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from goldassay.cli.common import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    JsonOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    ResamplesOption,
    SeedOption,
    TaskOption,
    finish,
    required_task,
)
from goldassay.errors import RatingsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from goldassay.counts import Units
    from goldassay.questions.agree import Draw, Study, Texts
    from goldassay.ratings.table import Ratings
    from goldassay.results import Exclusion, Findings

__all__ = ["command", "find"]

#: Beyond so many people a matrix of pairs tells nothing.
MAX_PEOPLE = 40


class Form(StrEnum):
    """What is printed: the study, or a paragraph for a methods section."""

    text = "text"
    methods = "methods"


def find(ratings: Ratings, *, seed: int, resamples: int) -> Findings:
    """The study with its default options."""
    from goldassay.questions.agree import Draw

    _check_judges(ratings)
    draw = Draw(resamples, seed, ratings.task.confidence_level)
    if ratings.task.scale == "continuous":
        return _scores(ratings, draw, [])[0].findings
    return _options(ratings, draw, [], 0, None)[0].findings


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="COLUMN", help="Also within each label of a column."),
    ] = None,
    items: Annotated[
        int, typer.Option("--items", metavar="N", min=0, help="List N items on which they differ.")
    ] = 0,
    texts: Annotated[
        str | None,
        typer.Option(
            "--texts", metavar="FILE", help="Items table (item, text ...): texts, length bias."
        ),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="The study, or a methods paragraph.")] = (
        Form.text
    ),
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """Does the judge agree with people, and how sure are we?

    Ends with the eleven-point reporting checklist, answered from the data and the task.

    Examples:

        goldassay agree ratings.csv --task task.toml

        goldassay agree ratings.csv --task task.toml --by criterion --items 20 --texts items.csv

        goldassay agree ratings.csv --task task.toml --format methods

        goldassay agree ratings.csv --task task.toml --json --require 'cohen_kappa.low>=0.6'
    """
    from goldassay import __version__
    from goldassay.questions.agree import Draw, methods
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    table = read_ratings(ratings, declared)
    _check_judges(table)
    draw = Draw(resamples, seed, declared.confidence_level)
    columns = list(by or ())
    if declared.scale == "continuous":
        found, exclusions = _scores(table, draw, columns)
    else:
        found, exclusions = _options(table, draw, columns, items, texts)
    if form is Form.methods:
        found.findings.answer[:] = [
            methods(
                found.facts, found.findings.rows, seed=seed, draws=resamples, version=__version__
            )
        ]
        if not as_json and out is None:
            from goldassay.words import visible

            print(visible(found.findings.answer[0], limit=20_000))
            return
    finish(
        "agree",
        found.findings,
        task=declared,
        inputs=table.inputs,
        rows=table.census.rows,
        exclusions=exclusions,
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )


def _check_judges(table: Ratings) -> None:
    if not table.judges:
        raise RatingsError(
            table.name,
            "has no rating of kind judge",
            next_step='Agreement needs a judge: mark its rows with kind = "judge"',
        )


def _scores(table: Ratings, draw: Draw, columns: list[str]) -> tuple[Study, tuple[Exclusion, ...]]:
    from goldassay.counts import count_paired_scores, count_statuses
    from goldassay.questions.agree import study_scores

    pairs = count_paired_scores(table, by=columns)
    found = study_scores(pairs, table.task, draw=draw, by=columns, statuses=count_statuses(table))
    return found, (*pairs.exclusions, *pairs.unpaired)


def _options(
    table: Ratings, draw: Draw, columns: list[str], items: int, texts: str | None
) -> tuple[Study, tuple[Exclusion, ...]]:
    from goldassay.counts import count_paired_scores, count_units, pairing_exclusions
    from goldassay.questions.agree import Extras, study

    several = "criterion" in table.columns
    named = bool(items or texts or (several and table.cluster != "item"))
    more = ["item"] if named else []
    more += ["opponent"] if several and "opponent" in table.columns else []
    units = count_units(table, by=list(dict.fromkeys([*columns, *more])))
    scored = "score" in table.columns and table.task.scale == "binary"
    extras = Extras(
        people=_people(table),
        pairs=count_paired_scores(table) if scored else None,
        texts=_texts(texts, table) if texts else None,
    )
    found = study(units, draw=draw, by=columns, items=items, extras=extras)
    return found, (*units.exclusions, *pairing_exclusions(units))


def _people(table: Ratings) -> Units | None:
    """People as raters, to compare them with one another."""
    from dataclasses import replace

    import narwhals as nw

    from goldassay.counts import count_units
    from goldassay.ratings.table import Census

    if not 1 < len(table.humans) <= MAX_PEOPLE:
        return None
    human = table.frame.filter(nw.col("kind") == nw.lit("human"))
    counts = {("judge", r, s): n for (k, r, s), n in table.census.counts.items() if k == "human"}
    census = Census(sum(counts.values()), counts)
    recast = human.with_columns(kind=nw.lit("judge"))
    return count_units(replace(table, frame=recast, census=census))


def _texts(path: str, table: Ratings) -> Texts:
    """Each item's (and system's) text, and its length (of both sides, for a pairwise task)."""
    import numpy as np

    from goldassay.questions.agree import Texts
    from goldassay.ratings.fetch import fetch
    from goldassay.sources.frames import open_source

    source = open_source(path)
    if "item" not in source.columns:
        raise RatingsError(
            source.name,
            f"has no column 'item'; its columns are {', '.join(source.columns)}",
            next_step="An items table names each item once, beside its texts",
        )
    named = [name for name in ("item", "system") if name in source.columns]
    others = [name for name in source.columns if name not in named]
    sides = [option for option in table.task.options if option != table.task.tie]
    pairwise = table.task.scale == "pairwise"
    if pairwise and not set(sides) <= set(
        others
    ):  # as `goldassay import` and `goldassay run` name them
        sides = ["output", "output_b"]
    pairwise = pairwise and set(sides) <= set(others)
    one = next(([name] for name in ("text", "output") if name in others), others)
    measured = sides if pairwise else one
    found = fetch(source.frame.select(*named, *others), place=source.name)
    cells = {name: ["" if cell is None else str(cell) for cell in found[name]] for name in found}
    texts: dict[tuple[str, str], str] = {}
    lengths: dict[tuple[str, str], NDArray[np.float64]] = {}
    several = set()
    systems = cells.get("system", [""] * len(cells["item"]))
    for row, key in enumerate(zip(cells["item"], systems, strict=True)):
        text = " | ".join(cells[name][row] for name in measured)
        if key in texts:  # several outputs under one name: all are shown, and none is measured
            several.add(key)
            text = f"{texts[key]} | {text}"
        texts[key] = text
        size = [len(cells[name][row]) for name in measured]
        lengths[key] = np.array(size if pairwise else [sum(size)], dtype=float)
    for key in several:
        del lengths[key]
    return Texts(texts, lengths)
