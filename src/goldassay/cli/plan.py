"""`goldassay plan`: how many human labels do I need, and on which items?"""

from __future__ import annotations

import re
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
    write_atomically,
)
from goldassay.errors import UsageError, shown

if TYPE_CHECKING:
    from goldassay.ratings.table import Ratings
    from goldassay.results import Findings

__all__ = ["command", "find"]

DEFAULT_LENGTH = 0.1


def find(ratings: Ratings, *, seed: int, resamples: int) -> Findings:
    """The plan for the judge that agrees best so far, to the default length."""
    import numpy as np

    from goldassay.counts import confusion, count_units
    from goldassay.formulas.agreement import balanced_accuracy
    from goldassay.questions.plan import judge_to_plan_for, plan_for_judges, plan_for_pool

    units = count_units(ratings)
    quality = {
        judge: np.nan_to_num(float(balanced_accuracy(confusion(units, judge).square)), nan=-1.0)
        for judge in units.judge_names
    }
    best = max(quality, key=lambda judge: quality[judge]) if quality else None
    findings = plan_for_pool(units, judge_to_plan_for(units, best), length=DEFAULT_LENGTH)
    plan_for_judges(findings, units)
    return findings


def command(
    ratings: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RATINGS...]", help="Tables of ratings; none to plan from rates alone."
        ),
    ] = None,
    task: TaskOption = None,
    judge: Annotated[str | None, typer.Option("--judge", help="The judge to plan for.")] = None,
    length: Annotated[
        float, typer.Option("--length", min=0.0001, max=1.0, help="Length of the interval wanted.")
    ] = DEFAULT_LENGTH,
    labels: Annotated[
        int | None, typer.Option("--labels", min=2, help="What so many (more) labels give.")
    ] = None,
    following: Annotated[
        int | None, typer.Option("--next", min=1, help="Write the next so many items to label.")
    ] = None,
    listing: Annotated[
        str, typer.Option("--list", metavar="FILE", help="Where --next writes them.")
    ] = "next.csv",
    positives: Annotated[
        float | None, typer.Option("--positives", min=0, help="Rates alone: called positive...")
    ] = None,
    of: Annotated[float | None, typer.Option("--of", min=1, help="...of so many items.")] = None,
    sensitivity: Annotated[
        str | None, typer.Option("--sensitivity", metavar="Q", help="As 0.9 or 180/200.")
    ] = None,
    specificity: Annotated[
        str | None, typer.Option("--specificity", metavar="Q", help="As 0.7 or 140/200.")
    ] = None,
    prevalence: Annotated[
        float | None,
        typer.Option("--prevalence", min=0, max=1, help="A guess of the true rate itself."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="Q,Q", help="Another judge's sensitivity,specificity."),
    ] = None,
    label_cost: Annotated[float, typer.Option("--label-cost", help="Price of a label.")] = 1.0,
    verdict_cost: Annotated[float, typer.Option("--verdict-cost", help="Of a verdict.")] = 0.0,
    confidence_level: Annotated[
        float, typer.Option("--confidence-level", help="For rates alone; a task declares its own.")
    ] = 0.95,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """How many human labels do I need, and on which items?

    From ratings, the labels so far say how many more are needed and on which verdicts; --next
    writes the list of items, for people to label anywhere or in `goldassay serve --order next.csv`.
    From rates alone, designs are compared before there is any data.

    Examples:

        goldassay plan ratings.csv --task task.toml --length 0.1

        goldassay plan ratings.csv --task task.toml --next 50 --list next.csv

        goldassay plan --prevalence 0.2 --sensitivity 0.9 --specificity 0.7 --of 1000 --length 0.1

        goldassay plan --prevalence 0.3 --sensitivity 0.9 --specificity 0.8 --against 0.85,0.8
    """
    from goldassay.questions.plan import Costs

    if not (label_cost > 0 and verdict_cost >= 0):
        raise UsageError(
            "--label-cost, --verdict-cost",
            "a label costs more than 0, a verdict 0 or more",
            found=f"{label_cost:g} and {verdict_cost:g}",
        )
    if not 0 < confidence_level < 1:
        raise UsageError(
            "--confidence-level", "lies between 0 and 1, as 0.95", found=f"{confidence_level:g}"
        )
    costs = Costs(label_cost, verdict_cost)
    rates = (positives, sensitivity, specificity, prevalence, against)
    if not ratings:
        _from_rates(
            positives=positives,
            of=of,
            sensitivity=sensitivity,
            specificity=specificity,
            prevalence=prevalence,
            against=against,
            length=length,
            labels=labels,
            costs=costs,
            confidence_level=confidence_level,
            following=following,
            as_json=as_json,
            out=out,
            require=require,
        )
        return
    if any(value is not None for value in rates) or of is not None:
        raise UsageError(
            "RATINGS and rates",
            "plan from a table of ratings, or from --prevalence, --sensitivity and --specificity",
            next_step="Give one of the two",
        )
    from goldassay.counts import count_units
    from goldassay.questions.plan import (
        judge_to_plan_for,
        plan_exclusions,
        plan_for_judges,
        plan_for_pool,
    )
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    table = read_ratings(ratings, declared)
    units = count_units(table)
    chosen = judge_to_plan_for(units, judge)
    budget = labels if labels is not None else following
    findings = plan_for_pool(units, chosen, length=length, labels=budget, costs=costs)
    plan_for_judges(findings, units)
    if following is not None:
        from goldassay.counts import list_unlabelled
        from goldassay.questions.plan import chosen_units, pool_of
        from goldassay.sources.spreadsheet import csv_text

        unlabelled = list_unlabelled(table, chosen, strata=declared.strata)
        pool = pool_of(units, chosen)
        following_units = chosen_units(pool, unlabelled, following, declared, seed=seed)
        write_atomically(listing, csv_text(unlabelled.columns, following_units))
        short = "" if len(following_units) == following else " (there are no more)"
        findings.answer.append(
            f"{len(following_units):,} items to label next are in {listing}{short}. Label all of "
            'them, then declare calibration = "by_verdict".'
        )
    finish(
        "plan",
        findings,
        task=declared,
        inputs=table.inputs,
        rows=table.census.rows,
        exclusions=(*units.exclusions, *plan_exclusions(units, chosen)),
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )


def _from_rates(
    *,
    positives: float | None,
    of: float | None,
    sensitivity: str | None,
    specificity: str | None,
    prevalence: float | None,
    against: str | None,
    length: float,
    labels: int | None,
    costs: object,
    confidence_level: float,
    following: int | None,
    as_json: bool,
    out: str | None,
    require: list[str] | None,
) -> None:
    import math

    from goldassay.questions.plan import Costs, JudgeRates, items_to_tell_apart, plan_for_rates

    assert isinstance(costs, Costs)
    if following is not None:
        raise UsageError("--next", "needs a table of ratings", next_step="Give RATINGS and --task")
    if sensitivity is None or specificity is None or (prevalence is None and positives is None):
        raise UsageError(
            "goldassay plan",
            "needs a table of ratings, or --sensitivity, --specificity and --prevalence (or "
            "--positives and --of)",
            next_step="See the examples of goldassay plan --help",
        )
    q1, q0 = _share(sensitivity, "--sensitivity"), _share(specificity, "--specificity")
    if prevalence is not None:
        rates = JudgeRates(prevalence, q1, q0)
    else:
        assert positives is not None
        if of is None or positives > of:
            raise UsageError(
                "--positives", "goes with --of, the number of items, and is not more than it"
            )
        if q0 + q1 <= 1:
            raise UsageError(
                "--sensitivity and --specificity",
                "must sum to more than 1 to find a true rate from --positives: this judge carries "
                "no information",
                found=f"{q1:g} + {q0:g}",
                next_step="Give a guess of the true rate: --prevalence",
            )
        rates = JudgeRates.from_verdicts(positives / of, q1, q0)
    findings = plan_for_rates(
        rates,
        items=of if of is not None else math.inf,
        length=length,
        labels=labels,
        costs=costs,
        confidence_level=confidence_level,
    )
    if against is not None:
        parts = [_share(part, "--against") for part in against.split(",")]
        if len(parts) != 2:
            raise UsageError(
                "--against", "is sensitivity,specificity, as 0.85,0.8", found=shown(against)
            )
        needed = items_to_tell_apart(
            (q1, q0),
            (parts[0], parts[1]),
            prevalence=rates.prevalence,
            confidence_level=confidence_level,
        )
        findings.answer.append(
            f"{needed:,} labelled items would tell the two judges apart by balanced accuracy "
            "(power 80 %, errors taken as independent)."
            if needed is not None
            else "No number of items would tell these two judges apart by balanced accuracy."
        )
    finish("plan", findings, as_json=as_json, out=out, require=require)


def _share(text: str, option: str) -> float:
    """A share as 0.9, 90% or 180/200."""
    match = re.fullmatch(r"\s*([\d.]+)\s*(?:/\s*([\d.]+)|(%))?\s*", text)
    try:
        if match is None:
            raise ValueError
        value = float(match[1]) / (float(match[2]) if match[2] else 100.0 if match[3] else 1.0)
        if not 0 <= value <= 1:
            raise ValueError
        return value
    except (ValueError, ZeroDivisionError):
        raise UsageError(
            option, "is a share between 0 and 1, as 0.9, 90% or 180/200", found=shown(text)
        ) from None
