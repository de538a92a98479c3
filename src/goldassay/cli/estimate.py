"""`goldassay estimate`: what is the true rate behind the judge's rate?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from goldassay.cli.common import (
    DEFAULT_SEED,
    JsonOption,
    OutOption,
    RequireOption,
    SeedOption,
    TaskOption,
    finish,
    required_task,
)

if TYPE_CHECKING:
    from goldassay.ratings.table import Ratings
    from goldassay.results import Exclusion, Findings

__all__ = ["command", "find"]


def find(ratings: Ratings, *, seed: int, resamples: int) -> Findings:
    """The estimates with their default options; their draws have a number of their own."""
    return _found(ratings, [], [], None, seed)[0]


def command(
    ratings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RATINGS...]",
            help="CSV, TSV, JSONL, JSON, Parquet, DuckDB or SQLite files, or globs; FILE::TABLE. "
            "Several are one table; none for bare counts.",
        ),
    ] = None,
    task: TaskOption = None,
    judge: Annotated[
        list[str] | None, typer.Option("--judge", help="Only this judge; may be repeated.")
    ] = None,
    strata: Annotated[
        list[str] | None,
        typer.Option(
            "--strata", metavar="COLUMN", help="Correct within this column; may be repeated."
        ),
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            "--labels",
            metavar="own|shared",
            help="Correct a system with its own labels or with all.",
        ),
    ] = None,
    positives: Annotated[
        float | None, typer.Option("--positives", help="Bare counts: items called positive...")
    ] = None,
    of: Annotated[float | None, typer.Option("--of", help="...of so many items.")] = None,
    specificity: Annotated[
        str | None,
        typer.Option("--specificity", metavar="K/M", help="Right on K of M labelled negatives."),
    ] = None,
    sensitivity: Annotated[
        str | None,
        typer.Option("--sensitivity", metavar="K/M", help="Right on K of M labelled positives."),
    ] = None,
    confidence_level: Annotated[
        float | None,
        typer.Option("--confidence-level", help="For bare counts; a task declares its own."),
    ] = None,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """What is the true rate behind the judge's rate?

    Examples:

        goldassay estimate ratings.csv --task task.toml

        goldassay estimate ratings.csv --task task.toml --strata topic --json

        goldassay estimate --positives 400 --of 1000 --specificity 140/200 --sensitivity 180/200
    """
    from goldassay.errors import UsageError, shown

    counts = {
        "--positives": positives,
        "--of": of,
        "--specificity": specificity,
        "--sensitivity": sensitivity,
    }
    given = [name for name, value in counts.items() if value is not None]
    if labels not in (None, "own", "shared"):
        raise UsageError("--labels", "is own or shared", found=shown(labels))
    if not ratings:
        missing = [name for name in counts if name not in given]
        if not given:
            raise UsageError(
                "estimate",
                "needs a table of ratings or bare counts",
                next_step="Try: goldassay estimate ratings.csv --task task.toml",
            )
        if missing:
            raise UsageError("bare counts", f"need {', '.join(missing)} too")
        level = 0.95 if confidence_level is None else confidence_level
        if not 0 < level < 1:
            raise UsageError("--confidence-level", "lies between 0 and 1", found=shown(level))
        assert positives is not None
        assert of is not None
        from goldassay.questions.estimate.bare import estimate_counts

        found = estimate_counts(
            positives,
            of,
            specificity=_fraction("--specificity", specificity),
            sensitivity=_fraction("--sensitivity", sensitivity),
            confidence_level=level,
        )
        finish("estimate", found, as_json=as_json, out=out, require=require)
        return
    if given:
        raise UsageError(", ".join(given), "cannot be given together with a table of ratings")
    if confidence_level is not None:
        raise UsageError(
            "--confidence-level",
            "a table's level is declared in its task",
            next_step="Set confidence_level in the task file",
        )
    _of_ratings(ratings, task, judge or [], strata or [], labels, as_json, out, require, seed)


def _of_ratings(
    ratings: list[str],
    task: str | None,
    judges: list[str],
    strata: list[str],
    labels: str | None,
    as_json: bool,
    out: str | None,
    require: list[str] | None,
    seed: int,
) -> None:
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    table = read_ratings(ratings, declared)
    findings, exclusions = _found(table, judges, strata, labels, seed)
    finish(
        "estimate",
        findings,
        task=declared,
        inputs=table.inputs,
        rows=table.census.rows,
        exclusions=exclusions,
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )


def _found(
    table: Ratings, judges: list[str], strata: list[str], labels: str | None, seed: int
) -> tuple[Findings, tuple[Exclusion, ...]]:
    from goldassay.counts import count_paired_scores, count_units
    from goldassay.questions.estimate.counting import estimate_exclusions
    from goldassay.questions.estimate.scores import estimate_means
    from goldassay.questions.estimate.study import estimate

    if table.task.scale == "continuous":
        split = [name for name in ("system", "split") if name in table.columns]
        pairs = count_paired_scores(table, by=split)
        return estimate_means(pairs, table.task), pairs.exclusions
    columns = tuple(dict.fromkeys([*table.task.strata, *strata]))
    units = count_units(table, by=columns)
    findings = estimate(units, judges=judges, strata=columns, labels=labels, seed=seed)
    return findings, (*units.exclusions, *estimate_exclusions(units))


def _fraction(name: str, text: str | None) -> tuple[float, float]:
    from goldassay.errors import UsageError, shown

    try:
        hits, trials = (float(part) for part in str(text).split("/"))
    except ValueError:
        raise UsageError(name, "is written as 140/200", found=shown(text)) from None
    return hits, trials
