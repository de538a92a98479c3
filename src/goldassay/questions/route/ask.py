"""Where may the judge decide alone?"""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np

from goldassay.counts import Units, count_units, only_divided
from goldassay.errors import RatingsError
from goldassay.findings import Findings
from goldassay.questions.asking import (
    SEED,
    CalibrationSource,
    Columns,
    Rated,
    TaskSource,
    Where,
    filtered,
    made,
    ratings_of,
    require_judge,
)
from goldassay.questions.drawing import declared_draw, draw_said, strata_of
from goldassay.questions.estimate.counting import estimate_exclusions
from goldassay.questions.facts import handled
from goldassay.questions.identities import JudgesSource
from goldassay.questions.route.charts import charts
from goldassay.questions.route.signals import signals_of
from goldassay.questions.route.study import JudgeRoute, Settings, study
from goldassay.questions.route.tables import summary, tables
from goldassay.questions.route.words import answer, notes, warnings
from goldassay.questions.standing import PassportSource, bound_to, with_passport
from goldassay.questions.weighing import weights_said
from goldassay.ratings.options import require_options
from goldassay.ratings.table import Ratings
from goldassay.sources.spreadsheet import csv_text
from goldassay.sources.writing import write_atomically

__all__ = ["route"]


def route(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    judge: Rated = (),
    signal: str | None = None,
    risk: float = 0.05,
    confidence: float | None = None,
    by_side: bool = False,
    next: str | None = None,
    seed: int = SEED,
    passport: PassportSource = None,
    judges: JudgesSource = None,
    **columns: Unpack[Columns],
) -> Findings:
    """The threshold of a judge's sureness beyond which its error is held at a limit.

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
    judge
        The judges to ask about; all of them if none is named.
    signal
        What tells how sure a verdict is: `score` (higher is more positive), `confidence` (the score
        says how sure the verdict is), `repeats` (the share of the judge's answers that agree) or
        `judges` (the share of judges that agree). Without it, what the table has, in this order.
    risk
        The largest error allowed among the items that the judge decides.
    confidence
        In what share of studies the limit is to be kept; the task's level without it.
    by_side
        A threshold for each verdict, so that the error within each is at most `risk`.
    next
        A file to write the items to that are left to people, the least sure first.
    seed
        Seed of the draws behind the interval of the share decided.
    passport, judges
        A passport of the judge (`certify`), and what says who the judges are now: whether it is
        fresh, stale, expired or unknown.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        For each judge `threshold`, `share_decided` and `error_beyond`, by verdict too. With
        `next`, `found.more["next"]` lists the items that are left to people.

    Notes
    -----
    Thresholds are tested from the surest on by exact binomial bounds until one fails, so that the
    limit is broken in at most 1 - `confidence` of studies, however scores and errors hang together.
    Labels are taken to be a random sample of the items to be decided, or of those with a verdict,
    as the task declares; clusters and strata count.

    References
    ----------
    Angelopoulos, Bates, Candès, Jordan and Lei (2021), "Learn then test: calibrating predictive
    algorithms to achieve risk control"; Geifman and El-Yaniv (2017), "Selective classification for
    deep neural networks"; Clopper and Pearson (1934).

    Examples
    --------
    >>> import goldassay as ga
    >>> import polars as pl
    >>> gpt = {"rater": "gpt", "kind": "judge", "value": "yes"}
    >>> ann = {"rater": "ann", "kind": "human"}
    >>> rows = [{"item": i, **gpt, "score": 1 - i / 400} for i in range(200)]
    >>> rows += [{"item": i, **ann, "value": "yes" if i < 150 else "no"} for i in range(200)]
    >>> task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    >>> found = ga.route(pl.DataFrame(rows), task)
    >>> found["threshold", "gpt"].value, found["share_decided", "gpt"].value
    (0.622, 0.76)
    """
    bound = bound_to(passport, judges)
    ratings = ratings_of(
        source,
        task,
        only=only,
        exclude=exclude,
        calibration=calibration,
        columns={**columns, "judge": judge},
    )
    judge = filtered(judge, columns)
    level = ratings.task.confidence_level if confidence is None else confidence
    settings = Settings(risk, level, by_side, seed)
    _check(ratings)
    units = count_units(ratings, by=ratings.unit)
    signals = signals_of(ratings, units, signal, judge)
    found = study(
        signals,
        ratings.task,
        settings,
        place=ratings.name,
        unit=units.word,
        divided=only_divided(units),
    )
    more = {}
    if next is not None:
        more["next"] = left = _left_to_people(found.judges[0], units, ratings)
        write_atomically(next, csv_text(left["columns"], left["rows"]))
    answered = Findings(
        "route",
        rows=handled(
            found.rows(), ratings.task, risk=settings.risk, confidence=settings.confidence
        ),
        answer=answer(found),
        summary=summary(found),
        notes=(*notes(found), *weights_said(ratings, "route", used=False)),
        tables=tables(found),
        pictures=charts(found),
        warnings=warnings(found),
        more=more,
        **made(
            ratings,
            (*units.exclusions, *estimate_exclusions(units)),
            seed=seed,
            said=draw_said(ratings.task, declared_draw(units), "within")
            if any(strata_of(units, one.judge) is not None for one in signals)
            else (),
        ),
    )
    return with_passport(answered, bound, source, ratings)


def _check(ratings: Ratings) -> None:
    """A judge, people and options, or an error that says which is missing."""
    require_options(ratings, "has no verdicts that could be right or wrong")
    require_judge(ratings, "must have a judge, whose error is held at a limit")
    if not ratings.humans and ratings.resolved is None:
        raise RatingsError(
            ratings.name,
            "must have people's labels, which tell the judge's errors",
            found="no rating of kind human",
            next_step="Have people label 60 items or more, drawn at random",
        )


def _left_to_people(first: JudgeRoute, units: Units, ratings: Ratings) -> dict[str, Any]:
    """Units without a label that are left to people, the least sure first."""
    columns = [np.array(units.by[n].labels, object)[units.by[n].codes] for n in ratings.unit]
    signal = first.signal
    left = signal.pool & ~signal.labelled & ~first.beyond
    rows = signal.row[left][np.argsort(signal.sure[left], kind="stable")]
    rows = np.concatenate([signal.unjudged_rows, rows])
    named = [list(row) for row in zip(*(column[rows] for column in columns), strict=True)]
    return {"columns": list(ratings.unit), "rows": named}
