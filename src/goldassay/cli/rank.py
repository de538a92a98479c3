"""`goldassay rank`: does the judge rank systems as people do?"""

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
    from goldassay.counts import GoldFile, JudgesFile
    from goldassay.questions.rank import Options, Study
    from goldassay.questions.rank.aggregation import Aggregation
    from goldassay.ratings.table import Ratings
    from goldassay.results import Exclusion, Findings, Input

__all__ = ["GoldOption", "JudgesOption", "command", "find"]

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
TopOption = Annotated[int, typer.Option("--top", min=1, help="k of top-k agreement.")]
BattlesOption = Annotated[
    int, typer.Option("--min-battles", min=1, help="Untied gold comparisons that a pair must have.")
]


def command(
    ratings: RatingsArgument,
    task: TaskOption = None,
    gold: GoldOption = None,
    judges: JudgesOption = None,
    aggregation: AggregationOption = None,
    judge: JudgeOption = None,
    top: TopOption = 3,
    min_battles: BattlesOption = 10,
    as_json: JsonOption = False,
    out: OutOption = None,
    require: RequireOption = None,
    resamples: ResamplesOption = DEFAULT_RESAMPLES,
    seed: SeedOption = DEFAULT_SEED,
) -> None:
    """Does the judge rank systems as people do?

    Scores (or battles) of each judge become one score per system, by mean, median, win rate and
    Bradley-Terry; the ranking is held against people's. Prompts are resampled, never battles.

    Examples:

        goldassay rank ratings.csv --task task.toml

        goldassay rank ratings.csv --task task.toml --gold gold.csv --judges judges.csv

        goldassay rank ratings.csv --task task.toml --require 'kendall_tau>=0.7[aggregation=mean]'
    """
    from goldassay.counts import read_gold, read_judges
    from goldassay.questions.rank import Options
    from goldassay.ratings.table import read_ratings

    declared = required_task(task, ratings)
    chosen = _aggregations(aggregation)
    described = read_judges(judges) if judges else None
    people = read_gold(gold, tie=declared.tie) if gold else None
    table = read_ratings(ratings, declared)
    options = Options(
        aggregations=chosen,
        resamples=resamples,
        seed=seed,
        top=top,
        min_battles=min_battles,
        detailed=tuple(judge or ()),
        judges=described.about if described else {},
    )
    study, exclusions = _study(table)
    findings = _found(study, table, options, people)
    inputs: list[Input] = list(table.inputs)
    inputs += [one.input for one in (people, described) if one is not None]
    finish(
        "rank",
        findings,
        task=declared,
        inputs=inputs,
        rows=table.census.rows,
        exclusions=exclusions,
        seed=seed,
        as_json=as_json,
        out=out,
        require=require,
    )


def find(
    ratings: Ratings,
    *,
    seed: int,
    resamples: int,
    gold: GoldFile | None = None,
    judges: JudgesFile | None = None,
) -> Findings:
    """The verb with its default options, held against the gold of a file where there is one."""
    from goldassay.questions.rank import Options

    study, _ = _study(ratings)
    about = judges.about if judges else {}
    return _found(study, ratings, Options(resamples=resamples, seed=seed, judges=about), gold)


def _study(table: Ratings) -> tuple[Study, tuple[Exclusion, ...]]:
    from goldassay.counts import count_scores, count_wins
    from goldassay.questions.rank import study_of_scores, study_of_wins

    if table.task.scale == "pairwise":
        wins = count_wins(table)
        return study_of_wins(wins), wins.exclusions
    table.require("system")
    matrix = count_scores(table)
    return study_of_scores(matrix), matrix.exclusions


def _silent_judges(table: Ratings, study: Study) -> list[str]:
    """Words on judges that have rows, none of which can be used."""
    judges = {rater for kind, rater, _ in table.census.counts if kind == "judge"}
    return [
        f"The judge {name} has no usable rating; it is not ranked."
        for name in sorted(judges - set(study.judges))
    ]


def _found(study: Study, table: Ratings, options: Options, gold: GoldFile | None) -> Findings:
    from goldassay.questions.rank import rank_systems
    from goldassay.questions.rank.gold import aligned_battles, aligned_scores

    warnings: list[str] = []
    if gold is None:
        findings = rank_systems(study, table.task, options=options)
    elif gold.scores is not None:
        scores, warnings = aligned_scores(gold.scores, study.systems, place=gold.input.name)
        findings = rank_systems(study, table.task, gold_scores=scores, options=options)
    else:
        assert gold.battles is not None
        battles, warnings = aligned_battles(gold.battles, study.systems, place=gold.input.name)
        findings = rank_systems(study, table.task, gold_battles=battles, options=options)
    findings.warnings[:0] = warnings + _silent_judges(table, study)
    return findings


def _aggregations(names: list[str] | None) -> tuple[Aggregation, ...]:
    from goldassay.errors import UsageError, nearest
    from goldassay.questions.rank.aggregation import AGGREGATIONS

    chosen = []
    for name in names or AGGREGATIONS:
        match = next((known for known in AGGREGATIONS if known == name), None)
        if match is None:
            near = nearest(name, AGGREGATIONS)
            raise UsageError(
                f"--aggregation {name}",
                f"is one of {', '.join(AGGREGATIONS)}",
                next_step=f"Did you mean {near!r}?" if near else None,
            )
        chosen.append(match)
    return tuple(dict.fromkeys(chosen))
