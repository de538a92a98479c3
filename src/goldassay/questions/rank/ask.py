"""Does the judge rank systems as people do?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

from goldassay.counts import GoldFile, JudgesFile, count_scores, count_wins, read_gold, read_judges
from goldassay.findings import Findings
from goldassay.formulas.comparisons import TieRule
from goldassay.questions.asking import (
    RESAMPLES,
    SEED,
    Columns,
    Rated,
    TaskSource,
    Where,
    filtered,
    ground_of,
    made,
    one_of,
    ratings_of,
    several,
)
from goldassay.questions.drawing import by_verdict, draw_said
from goldassay.questions.facts import handled
from goldassay.questions.rank.aggregation import AGGREGATIONS, Aggregation
from goldassay.questions.rank.attributes import read_attributes
from goldassay.questions.rank.charts import charts
from goldassay.questions.rank.contest import Contest, contest_of_scores, contest_of_wins
from goldassay.questions.rank.few_systems import pairs_told
from goldassay.questions.rank.gold import given_gold
from goldassay.questions.rank.juries import named_juries, with_juries
from goldassay.questions.rank.slices import slices_of
from goldassay.questions.rank.study import Options, RankStudy, study
from goldassay.questions.rank.tables import summary, tables
from goldassay.questions.rank.words import answer, notes, warnings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
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
    judge: Rated = (),
    jury: Sequence[str] = (),
    by: Sequence[str] = (),
    texts: Any = None,
    min_battles: int = 10,
    win_rate_ties: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    **columns: Unpack[Columns],
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
    jury
        Judges taken together, ranked beside the judges: `"a,b,c"`, `"name=a,b,c"`, or `"all"`.
    by
        Columns (task, domain, language): the same within each label, as of a run on its rows alone.
    texts
        The systems' texts (`item`, `system`, `text`), or numbers about them in columns of their
        own: whether length and style explain the bias towards systems.
    min_battles
        Untied comparisons by people that a pair of systems must have to count.
    win_rate_ties
        What a tie is for win rates: half, exclude or class; else the task's `ties`, but that equal
        scores win for neither (class) where `ties` is half, the rules of Gera and others.
    resamples, seed
        Resamples of prompts behind the intervals, and their seed.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

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
    aggregation, jury, by = several(aggregation), several(jury), several(by)
    ratings = ratings_of(
        source, task, only=only, exclude=exclude, columns={**columns, "judge": judge}
    )
    judge = filtered(judge, columns)
    chosen = _aggregations(aggregation)
    described = read_judges(judges) if isinstance(judges, str) else judges
    people = read_gold(gold, tie=ratings.task.tie) if isinstance(gold, str) else gold
    options = Options(
        aggregations=chosen,
        resamples=resamples,
        seed=seed,
        min_battles=min_battles,
        win_rate_ties=_tie_rule(win_rate_ties),
        detailed=tuple(judge),
        judges=described.about if described else {},
    )
    contest, exclusions = _contest(ratings)
    style = None if texts is None else read_attributes(texts, contest.systems)
    options = replace(options, attributes=style)
    found = _ranked(contest, ratings.task, people, jury, options)
    if found.people is not None and people is None:
        first, contest = found.people.standings[0].judge.name, found.contest
        if first not in contest.juries:
            told = pairs_told(ratings, first, len(contest.systems), seed)
            found = replace(found, people=replace(found.people, pairs=told))
    leader = found.people.standings[0].judge.name if found.people else None

    def part(rows: Ratings) -> RankStudy:
        here = tuple(one for one in options.detailed if one in rows.judges)
        fewer = replace(options, detailed=here)
        return _ranked(_contest(rows)[0], ratings.task, people, jury, fewer)

    slices = [slices_of(ratings, column, leader, part) for column in dict.fromkeys(by)]
    inputs = [one.input for one in (people, described, style) if one is not None]
    return Findings(
        "rank",
        rows=handled((*found.rows(), *(row for one in slices for row in one.rows())), ratings.task),
        answer=answer(found, slices),
        notes=(*notes(found, slices), *weights_said(ratings, "rank", used=False, parts=True)),
        summary=summary(found),
        tables=tables(found, slices),
        pictures=charts(found, slices),
        warnings=warnings(found, slices),
        **made(
            replace(ratings, inputs=(*ratings.inputs, *inputs)),
            exclusions,
            seed=seed,
            weighs_raters=False,
            ground=ground_of(ratings, ("gold_split_half_tau",)),
            said=draw_said(ratings.task, by_verdict(ratings), "once"),
        ),
    )


def _ranked(
    contest: Contest, task: Task, people: GoldFile | None, jury: Sequence[str], options: Options
) -> RankStudy:
    """The study of a contest, with juries, against people's order."""
    contest = with_juries(contest, named_juries(jury, contest.judges))
    given = None if people is None else given_gold(people, contest.systems)
    return study(contest, task, gold=given, options=options)


def _contest(ratings: Ratings) -> tuple[Contest, tuple[Exclusion, ...]]:
    """The ratings as a contest of systems; judges without a usable rating are named in it."""
    if ratings.task.scale == "pairwise":
        wins = count_wins(ratings)
        task = ratings.task
        contest = contest_of_wins(
            wins, reference=task.reference, reference_ties=task.reference_ties
        )
        exclusions = wins.exclusions
        if level := contest.n_level_ratings:
            by = {"rater": {"people": level}}
            exclusions = (*exclusions, Exclusion("people tied", level, by))
    else:
        ratings.require("system")
        matrix = count_scores(ratings)
        contest, exclusions = contest_of_scores(matrix), matrix.exclusions
    judges = {rater for kind, rater, _ in ratings.census.counts if kind == "judge"}
    scale = ratings.task.scale
    contest = replace(
        contest,
        silent=tuple(sorted(judges - set(contest.judges))),
        rates=scale == "binary",
        one_scale=scale == "ordinal",
    )
    return contest, exclusions


def _aggregations(names: Sequence[str]) -> tuple[Aggregation, ...]:
    chosen = [one_of(name, AGGREGATIONS, "--aggregation") for name in names or AGGREGATIONS]
    return tuple(dict.fromkeys(chosen))


def _tie_rule(name: str | None) -> TieRule | None:
    rules: tuple[TieRule, ...] = ("half", "exclude", "class")
    return None if name is None else one_of(name, rules, "--win-rate-ties")
