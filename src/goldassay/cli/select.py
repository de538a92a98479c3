"""`goldassay select`: which of my judges (or which threshold) should I use?"""

from __future__ import annotations

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
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Goal
from goldassay.results import Findings

if TYPE_CHECKING:
    from goldassay.counts import Units

__all__ = ["command", "find"]


def find(ratings: Ratings, *, seed: int, resamples: int) -> Findings:
    """The choice with its default options."""
    return _found(ratings, seed=seed, resamples=resamples)[0]


def _found(
    ratings: Ratings,
    *,
    seed: int,
    resamples: int,
    goal: Goal | None = None,
    panels: bool = False,
    thresholds: bool = False,
) -> tuple[Findings, Units]:
    from goldassay.counts import count_scored, count_spending, count_units
    from goldassay.questions.select import select

    scored = count_scored(ratings)
    # Cut scores are compared with the judges item by item.
    apart = [name for name in ("item", "opponent") if name in ratings.columns]
    units = count_units(ratings, by=apart if thresholds and scored is not None else ())
    findings = select(
        units,
        goal=goal,
        panels=panels,
        thresholds=thresholds,
        draws=resamples,
        seed=seed,
        scored=scored,
        spending=count_spending(ratings),
    )
    return findings, units


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    goal: Annotated[
        Goal | None,
        typer.Option("--goal", help="What the judge is for; otherwise the task's goal."),
    ] = None,
    panels: Annotated[
        bool, typer.Option("--panels", help="Majority panels of judges are candidates too.")
    ] = False,
    thresholds: Annotated[
        bool,
        typer.Option("--thresholds", help="Scores, cut where J is greatest, are candidates too."),
    ] = False,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """Which of my judges (or which threshold) should I use?

    Judges are ranked by the criterion of the goal: balanced accuracy (prevalence), decision
    consistency (filter) or agreement with people's order of the systems (ranking), and compared on
    the same items, corrected for their number. Scores, systems, cost and latency are used where the
    table has them.

    Examples:

        goldassay select ratings.csv --task task.toml

        goldassay select ratings.csv --task task.toml --goal ranking --panels

        goldassay select ratings.csv --task task.toml --thresholds

        goldassay select ratings.csv -t task.toml --require 'balanced_accuracy.low>0.7[judge=gpt]'
    """
    from goldassay.counts import pairing_exclusions
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    table = read_ratings(ratings, declared)
    findings, units = _found(
        table, seed=seed, resamples=resamples, goal=goal, panels=panels, thresholds=thresholds
    )
    finish(
        "select",
        findings,
        task=declared,
        inputs=table.inputs,
        rows=table.census.rows,
        exclusions=(*units.exclusions, *pairing_exclusions(units)),
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )
