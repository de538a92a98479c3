"""`goldassay rank`: does the judge rank systems as people do?"""

from __future__ import annotations

from typing import Annotated

import typer

from goldassay.cli.columns import NOTHING, with_columns
from goldassay.cli.common import (
    ExcludeOption,
    Form,
    FormOption,
    FullOption,
    JsonOption,
    OnlyOption,
    OutOption,
    RatingsArgument,
    RequireOption,
    ResamplesOption,
    SeedOption,
    TaskOption,
    WriteTaskOption,
    deliver,
    draft,
)
from goldassay.cli.following import Asked
from goldassay.cli.stages import stages
from goldassay.questions.asking import RESAMPLES, SEED, Columns
from goldassay.questions.rank.ask import rank

__all__ = ["GoldOption", "JudgesOption", "command"]


GoldOption = Annotated[
    str | None,
    typer.Option(
        "--gold",
        metavar="FILE",
        help="People's ranking: columns system,score, or battles system,opponent,winner.",
    ),
]
JudgesOption = Annotated[
    str | None,
    typer.Option(
        "--judges",
        metavar="FILE",
        help="About the judges: judge, and any of model, realization, family, system (its own).",
    ),
]
AggregationOption = Annotated[
    list[str] | None,
    typer.Option(
        "--aggregation",
        metavar="NAME",
        help="mean, median, win_rate, bradley_terry; all of them without it.",
    ),
]
JudgeOption = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="NAME", help="Show this judge's systems in full."),
]
JuryOption = Annotated[
    list[str] | None,
    typer.Option(
        "--jury", metavar="JUDGES", help="Also judges taken together: a,b,c, name=a,b,c, or all."
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="COLUMN", help="Also within each label of a column."),
]
TextsOption = Annotated[
    str | None,
    typer.Option(
        "--texts",
        metavar="FILE",
        help="The systems' texts (item, system, text): does their length or style explain bias?",
    ),
]
BattlesOption = Annotated[
    int, typer.Option("--min-battles", min=1, help="Untied gold comparisons that a pair must have.")
]
WinRateTiesOption = Annotated[
    str | None,
    typer.Option(
        "--win-rate-ties",
        metavar="RULE",
        help="half, exclude or class: ties of win rates, where not the task's.",
    ),
]


@with_columns
def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    only: OnlyOption = None,
    exclude: ExcludeOption = None,
    write_task: WriteTaskOption = None,
    gold: GoldOption = None,
    judges: JudgesOption = None,
    aggregation: AggregationOption = None,
    judge: JudgeOption = None,
    jury: JuryOption = None,
    by: ByOption = None,
    texts: TextsOption = None,
    min_battles: BattlesOption = 10,
    win_rate_ties: WinRateTiesOption = None,
    as_json: JsonOption = False,
    full: FullOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    form: FormOption = Form.text,
    resamples: ResamplesOption = RESAMPLES,
    seed: SeedOption = SEED,
    columns: Columns = NOTHING,
) -> None:
    """Does the judge rank systems as people do?

    Scores (or battles) of each judge become one score per system, by mean, median, win rate and
    Bradley-Terry; the ranking is held against people's. Prompts are resampled, never battles.

    Examples:

        goldassay rank ratings.csv --task task.toml

        goldassay rank ratings.csv --task task.toml --gold gold.csv --judges judges.csv

        goldassay rank ratings.csv --task task.toml --require 'kendall_tau>=0.7[aggregation=mean]'
    """
    draft(ratings, task, write_task, only=only, exclude=exclude)
    with stages("rank"):
        findings = rank(
            ratings,
            task,
            only=only or (),
            exclude=exclude or (),
            gold=gold,
            judges=judges,
            aggregation=aggregation or (),
            judge=judge or (),
            jury=jury or (),
            by=by or (),
            texts=texts,
            min_battles=min_battles,
            win_rate_ties=win_rate_ties,
            resamples=resamples,
            seed=seed,
            **columns,
        )
    deliver(
        findings,
        as_json=as_json,
        full=full,
        out=out,
        require=require,
        form=form,
        asked=Asked(
            ratings, task or write_task, only, exclude, gold=gold, judges=judges, columns=columns
        ),
    )
