"""`goldassay audit`: do my conclusions survive that people disagree?"""

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

if TYPE_CHECKING:
    from goldassay.ratings.table import Ratings
    from goldassay.results import Findings

__all__ = ["command", "find"]


def find(ratings: Ratings, *, seed: int, resamples: int) -> Findings:
    """The audit with its default options."""
    from goldassay.counts import count_distributions, count_pairs
    from goldassay.questions.audit import audit
    from goldassay.questions.audit.study import declare_sets

    declare_sets(ratings.task)
    counted = count_distributions(ratings)
    pairs = count_pairs(ratings)
    return audit(counted, ratings.task, pairs=pairs, resamples=resamples, seed=seed)


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    option: Annotated[
        str | None, typer.Option("--option", help="Option to decide on; default: the positive one.")
    ] = None,
    threshold: Annotated[
        list[float] | None,
        typer.Option("--threshold", help="Share of raters from which an item counts; repeatable."),
    ] = None,
    set_threshold: Annotated[
        float, typer.Option("--set-threshold", help="Share from which an option is in the set.")
    ] = 0.5,
    beta: Annotated[
        list[float] | None,
        typer.Option("--beta", help="How often forced choices hide an option; repeatable."),
    ] = None,
    smoothing: Annotated[
        float | None,
        typer.Option("--smoothing", help="Share of even ratings mixed in, for logarithms of 0."),
    ] = None,
    raters_by: Annotated[
        str | None, typer.Option("--raters-by", metavar="COLUMN", help="Compare groups of raters.")
    ] = None,
    panel_draws: Annotated[
        int,
        typer.Option("--panel-draws", min=0, max=1000, help="Drawn panels; 0: as if all rated."),
    ] = 20,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """Do my conclusions survive that people disagree?

    Every definition of performance for every judge, which judge each selects, what forced choices
    may hide, how many raters an item needs, and whether groups of raters differ.

    Examples:

        goldassay audit ratings.csv --task task.toml

        goldassay audit ratings.csv --task task.toml --option toxic --threshold 0.3 --smoothing 0.01

        goldassay audit ratings.csv --task task.toml --raters-by expertise --out audit.html
    """
    from goldassay.counts import count_distributions, count_pairs
    from goldassay.questions.audit.audit import BETAS, audit
    from goldassay.questions.audit.study import declare_sets
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    declare_sets(declared)
    table = read_ratings(ratings, declared)
    counted = count_distributions(table, raters_by=raters_by)
    findings = audit(
        counted,
        declared,
        pairs=count_pairs(table),
        option=option,
        thresholds=tuple(threshold or (0.5,)),
        set_threshold=set_threshold,
        smoothing=smoothing,
        betas=tuple(sorted(beta)) if beta else BETAS,
        resamples=resamples,
        panel_draws=panel_draws,
        seed=seed,
    )
    finish(
        "audit",
        findings,
        task=declared,
        inputs=table.inputs,
        rows=table.census.rows,
        exclusions=counted.exclusions,
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )
