"""Does the judge rank systems as people do?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldassay.counts import GoldFile, JudgesFile, count_scores, count_wins, read_gold, read_judges
from goldassay.errors import UsageError, nearest
from goldassay.findings import Findings
from goldassay.questions.asking import RESAMPLES, SEED, TaskSource, made, ratings_of
from goldassay.questions.rank.aggregation import AGGREGATIONS, Aggregation
from goldassay.questions.rank.findings import Options, rank_systems
from goldassay.questions.rank.gold import aligned_battles, aligned_scores
from goldassay.questions.rank.study import Study, study_of_scores, study_of_wins
from goldassay.ratings.table import Ratings
from goldassay.results import Exclusion, Gathered

__all__ = ["rank"]


def rank(
    source: Any,
    task: TaskSource = None,
    *,
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
    Prompts are resampled, never battles. After Gera and others (2025), "JuStRank: Benchmarking LLM
    Judges for System Ranking".
    """
    ratings = ratings_of(source, task)
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
    study, exclusions = _study(ratings)
    gathered = _ranked(study, ratings, options, people)
    inputs = [one.input for one in (people, described) if one is not None]
    return Findings.of("rank", gathered, **made(ratings, exclusions, seed=seed, inputs=inputs))


def _study(ratings: Ratings) -> tuple[Study, tuple[Exclusion, ...]]:
    if ratings.task.scale == "pairwise":
        wins = count_wins(ratings)
        return study_of_wins(wins), wins.exclusions
    ratings.require("system")
    matrix = count_scores(ratings)
    return study_of_scores(matrix), matrix.exclusions


def _ranked(study: Study, ratings: Ratings, options: Options, gold: GoldFile | None) -> Gathered:
    warnings: list[str] = []
    if gold is None:
        gathered = rank_systems(study, ratings.task, options=options)
    elif gold.scores is not None:
        scores, warnings = aligned_scores(gold.scores, study.systems, place=gold.input.name)
        gathered = rank_systems(study, ratings.task, gold_scores=scores, options=options)
    else:
        assert gold.battles is not None
        battles, warnings = aligned_battles(gold.battles, study.systems, place=gold.input.name)
        gathered = rank_systems(study, ratings.task, gold_battles=battles, options=options)
    gathered.warnings[:0] = warnings + _silent_judges(ratings, study)
    return gathered


def _silent_judges(ratings: Ratings, study: Study) -> list[str]:
    """Words on judges that have rows, none of which can be used."""
    judges = {rater for kind, rater, _ in ratings.census.counts if kind == "judge"}
    return [
        f"The judge {name} has no usable rating; it is not ranked."
        for name in sorted(judges - set(study.judges))
    ]


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
