"""Do my conclusions survive that people disagree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from goldassay.counts import count_distributions, count_pairs, count_repeats
from goldassay.findings import Findings
from goldassay.questions.asking import (
    RESAMPLES,
    SEED,
    Columns,
    Rated,
    TaskSource,
    Where,
    declared_task,
    ground_of,
    made,
    partial_task,
    ratings_of,
    require_judge,
    several,
)
from goldassay.questions.audit.abstained import with_abstentions
from goldassay.questions.audit.charts import charts
from goldassay.questions.audit.definitions import BETAS, Settings
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.sides import declare_sets
from goldassay.questions.audit.study import Given, study
from goldassay.questions.audit.tables import summary, tables
from goldassay.questions.audit.words import answer, notes, warnings
from goldassay.questions.drawing import by_verdict, draw_said, strata_said
from goldassay.questions.weighing import weights_said
from goldassay.ratings.options import require_options
from goldassay.ratings.table import Ratings

__all__ = ["audit"]


def audit(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    option: Sequence[str] = (),
    threshold: Sequence[float] = (),
    set_threshold: float = 0.5,
    beta: Sequence[float] = (),
    rater_error: float | None = None,
    smoothing: float | None = None,
    raters_by: str | None = None,
    panel_draws: int = 20,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    judge: Rated = (),
    **columns: Unpack[Columns],
) -> Findings:
    """Every definition of performance for every judge, and which judge each definition selects.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    option
        The options that decisions count; else the task's `counted` or positive ones.
    threshold
        Shares of raters from which an item counts as having the option; else 0.5.
    set_threshold
        The share from which an option belongs to an item's response set.
    beta
        How often a forced choice hides another reasonable option; else a sweep from 0 to 0.4.
    rater_error
        How often raters give another answer than the one they hold; else it is estimated from
        people who answered twice, or bounded by how far raters agree.
    smoothing
        The share of even ratings mixed in, for logarithms of 0.
    raters_by
        A column of raters' groups to compare.
    panel_draws
        Drawn panels behind the intervals; 0 takes the raters as if they were all there are.
    resamples, seed
        Draws behind the intervals, and their seed.
    judge
        Whose ratings are a judge's, as `human` says whose are people's.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        A row for each definition and judge, with how far definitions order the judges alike.

    Notes
    -----
    People who disagree are not in error: estimated is what they would all say, from the few who
    were asked. Items' clusters and raters are taken to be drawn independently.

    References
    ----------
    Guerdan and others (2025), "Validating LLM-as-a-Judge Systems in the Absence of Gold Labels".

    Examples
    --------
    >>> import goldassay as ga
    >>> ratings = ga.simulate(prompts=20).ratings()
    >>> found = ga.audit(ratings, resamples=200)
    >>> hits = found.rows_where(name="hit_rate", aggregation="h/h")[0].result
    >>> round(hits.value, 2)
    0.95
    """
    if task is not None and not isinstance(source, Ratings) and partial_task(task) is None:
        task = declared_task(task, source)
        declare_sets(task)
    ratings = ratings_of(
        source, task, only=only, exclude=exclude, columns={**columns, "judge": judge}
    )
    require_judge(ratings, "an audit compares judges with people")
    require_options(ratings, "has no options, whose shares an audit compares")
    declare_sets(ratings.task)
    settings = Settings(
        several(option),
        tuple(threshold) or (0.5,),
        set_threshold,
        smoothing,
        tuple(sorted(beta)) or BETAS,
        rater_error,
    )
    rated, settings = with_abstentions(ratings, settings)
    counted = count_distributions(rated, raters_by=raters_by)
    draws = Draws(resamples, panel_draws, seed)
    given = Given(count_pairs(rated), count_repeats(rated))
    found = study(counted, rated.task, settings, draws, given)
    return Findings(
        "audit",
        rows=found.rows(),
        answer=answer(found),
        summary=summary(found),
        notes=(
            *notes(found),
            *weights_said(ratings, "audit", used=False, shared_out=True, unit=found.unit),
        ),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        **made(
            ratings,
            counted.exclusions,
            seed=seed,
            weighs_raters=False,
            ground=ground_of(ratings, ("rater_error",)),
            said=(*draw_said(ratings.task, by_verdict(ratings), "once"), *strata_said(ratings)),
        ),
    )
