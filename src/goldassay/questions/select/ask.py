"""Which of my judges (or which threshold) should I use?"""

from __future__ import annotations

from typing import Any, Unpack

from goldassay.counts import (
    count_scored,
    count_scores,
    count_spending,
    count_units,
    pairing_exclusions,
    that_weigh,
)
from goldassay.errors import UsageError
from goldassay.findings import Findings
from goldassay.questions.asking import (
    RESAMPLES,
    SEED,
    CalibrationSource,
    Columns,
    Rated,
    TaskSource,
    Where,
    ground_of,
    made,
    one_of,
    ratings_of,
    require_judge,
)
from goldassay.questions.drawing import (
    declared_draw,
    draw_said,
    draw_warnings,
    strata_said,
    weighed_by_draw,
)
from goldassay.questions.ground import OF_STATUS
from goldassay.questions.select.charts import charts
from goldassay.questions.select.criteria import CRITERIA
from goldassay.questions.select.study import Settings, study
from goldassay.questions.select.tables import summary, tables
from goldassay.questions.select.words import answer, notes, warnings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.task import Goal

__all__ = ["select"]


def select(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    goal: Goal | None = None,
    panels: bool = False,
    thresholds: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    judge: Rated = (),
    **columns: Unpack[Columns],
) -> Findings:
    """The judges in order of merit for a goal, and which of them cannot be told apart.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    calibration
        How the labelled items were drawn (`random`, `by_verdict`, `by_label`, `separate`), as in
        the task; or a file of them, which is then a separate set.
    goal
        What the judge is for: prevalence (balanced accuracy decides), filter (decision
        consistency) or ranking (agreement with people's order of systems); else the task's goal.
    panels
        Majority panels of judges are candidates too.
    thresholds
        Judges' scores, cut where Youden's J is greatest (cross-fitted), are candidates too.
    resamples, seed
        Draws behind the comparison, and their seed.
    judge
        Whose ratings are a judge's, as `human` says whose are people's.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        Each candidate's criterion with its interval, and which cannot be told from the best.

    Notes
    -----
    What a judge is worth is what `agree` says of it; differences are paired by cluster, and their
    intervals hold for all at once. Clusters are taken to be drawn independently.

    References
    ----------
    Collot and others, "Balanced Accuracy: The Right Metric for Evaluating LLM Judges".

    Examples
    --------
    >>> import goldassay as ga
    >>> judges = {"keen": {"sensitivity": 0.95}, "dull": {"sensitivity": 0.6, "specificity": 0.6}}
    >>> ratings = ga.simulate({"prompts": 60, "judges": judges}).ratings()
    >>> found = ga.select(ratings, resamples=200)
    >>> [row.about["judge"] for row in found.rows_where(name="balanced_accuracy")]
    ['keen', 'dull']
    >>> [one.facts["better_than"] for one in found.answer if one.key == "select.told_apart"]
    [['dull']]
    """
    goal = None if goal is None else one_of(goal, tuple(CRITERIA), "--goal")
    ratings = ratings_of(
        source,
        task,
        only=only,
        exclude=exclude,
        calibration=calibration,
        columns={**columns, "judge": judge},
    )
    scored = count_scored(ratings)
    # Cut scores are compared with the judges item by item.
    apart = [name for name in ("item", "opponent") if name in ratings.columns]
    units = that_weigh(count_units(ratings, by=apart if thresholds and scored is not None else ()))
    require_judge(ratings, "the choice is among judges")
    drawn = declared_draw(units)
    units = weighed_by_draw(units, drawn)
    settings = Settings(goal, panels, thresholds, resamples, seed)
    by_system = (goal or ratings.task.goal) == "ranking" and "system" in ratings.columns
    if by_system and ratings.task.scale == "pairwise" and "score" not in ratings.columns:
        raise UsageError(
            'goal = "ranking"',
            "compares judges by their scores of systems, and battles have none",
            next_step="goldassay rank compares the judges' orders; or choose for another goal: "
            "--goal prevalence or filter",
        )
    found = study(
        units,
        settings,
        scored=scored,
        spending=count_spending(ratings),
        matrix=count_scores(ratings) if by_system else None,
    )
    return Findings(
        "select",
        rows=found.rows(),
        answer=answer(found),
        summary=summary(found),
        notes=(*notes(found), *weights_said(ratings, "select", used=not by_system)),
        tables=tables(found),
        pictures=charts(found),
        warnings=(*draw_warnings(ratings.task, drawn), *warnings(found)),
        **made(
            ratings,
            (*units.exclusions, *pairing_exclusions(units)),
            seed=seed,
            ground=ground_of(ratings, OF_STATUS),
            said=(
                *draw_said(ratings.task, drawn, scores=scored is not None),
                *strata_said(ratings),
            ),
        ),
    )
