"""Does the judge rank systems as people do?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from goldassay.counts import GoldFile, JudgesFile, count_scores, count_wins, read_gold, read_judges
from goldassay.errors import UsageError, nearest
from goldassay.findings import Findings
from goldassay.questions.asking import RESAMPLES, SEED, TaskSource, Where, made, ratings_of
from goldassay.questions.rank.aggregation import AGGREGATIONS, Aggregation
from goldassay.questions.rank.charts import charts
from goldassay.questions.rank.contest import Contest, contest_of_scores, contest_of_wins
from goldassay.questions.rank.gold import given_gold
from goldassay.questions.rank.study import Options, study
from goldassay.questions.rank.tables import summary, tables
from goldassay.questions.rank.words import answer, notes, warnings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion

__all__ = ["rank"]


def rank(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    gold: str | GoldFile | None = None,
    judges: str | JudgesFile | None = None,
    aggregation: Sequence[str] = (),
    judge: Sequence[str] = (),
    top: int = 3,
    min_battles: int = 10,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Findings:
    """Each judge's ranking of systems, and how far it agrees with people's.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    gold
        A file with people's ranking: `system, score`, or battles `system, opponent, winner`; else
        people's ratings in the table.
    judges
        A file about the judges: `judge`, and any of `model, realization, family, system`.
    aggregation
        Any of mean, median, win_rate, bradley_terry; else all.
    judge
        Judges whose systems are shown in full.
    top
        k of top-k agreement.
    min_battles
        Untied comparisons by people that a pair of systems must have to count.
    resamples, seed
        Resamples of prompts behind the intervals, and their seed.

    Returns
    -------
    Findings
        Kendall's tau and others by judge and aggregation; decisiveness; bias by system.

    Notes
    -----
    Estimated is how the judge's order of these systems agrees with people's on all prompts like
    these. Prompts (or their clusters) are taken to be drawn independently, and are resampled whole:
    never single battles.

    References
    ----------
    Gera and others (2025), "JuStRank: Benchmarking LLM Judges for System Ranking".

    Examples
    --------
    >>> import goldassay as ga
    >>> ratings = ga.simulate(prompts=30).ratings()
    >>> found = ga.rank(ratings, aggregation=["mean"], resamples=200)
    >>> tau = found.rows_where(name="kendall_tau", judge="judge")[0].result
    >>> round(tau.value, 2), tau.declared["systems"]
    (0.33, 3)
    """
    ratings = ratings_of(source, task, only=only, exclude=exclude)
    chosen = _aggregations(aggregation)
    described = read_judges(judges) if isinstance(judges, str) else judges
    people = read_gold(gold, tie=ratings.task.tie) if isinstance(gold, str) else gold
    options = Options(
        aggregations=chosen,
        resamples=resamples,
        seed=seed,
        top=top,
        min_battles=min_battles,
        detailed=tuple(judge),
        judges=described.about if described else {},
    )
    contest, exclusions = _contest(ratings)
    given = None if people is None else given_gold(people, contest.systems)
    found = study(contest, ratings.task, gold=given, options=options)
    inputs = [one.input for one in (people, described) if one is not None]
    return Findings(
        "rank",
        rows=found.rows(),
        answer=answer(found),
        notes=(*notes(found), *weights_said(ratings, "rank", used=False)),
        summary=summary(found),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        **made(ratings, exclusions, seed=seed, inputs=inputs),
    )


def _contest(ratings: Ratings) -> tuple[Contest, tuple[Exclusion, ...]]:
    """The ratings as a contest of systems; judges without a usable rating are named in it."""
    if ratings.task.scale == "pairwise":
        wins = count_wins(ratings)
        task = ratings.task
        contest = contest_of_wins(
            wins, reference=task.reference, reference_ties=task.reference_ties
        )
        exclusions = wins.exclusions
    else:
        ratings.require("system")
        matrix = count_scores(ratings)
        contest, exclusions = contest_of_scores(matrix), matrix.exclusions
    judges = {rater for kind, rater, _ in ratings.census.counts if kind == "judge"}
    return replace(contest, silent=tuple(sorted(judges - set(contest.judges)))), exclusions


def _aggregations(names: Sequence[str]) -> tuple[Aggregation, ...]:
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
