"""Does the judge agree with people, and how sure are we?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import narwhals as nw

from goldassay.counts import (
    PairedScores,
    Units,
    count_paired_scores,
    count_statuses,
    count_units,
    pairing_exclusions,
    that_weigh,
)
from goldassay.findings import Findings
from goldassay.inference.draw import Draw
from goldassay.inference.selected import Selected
from goldassay.questions.agree.ceiling import selected_raters
from goldassay.questions.agree.charts import charts
from goldassay.questions.agree.continuous import study_scores
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.methods import methods
from goldassay.questions.agree.modes import declared_mode
from goldassay.questions.agree.panel_file import check_panel_file, panel_columns, write_panels
from goldassay.questions.agree.record import AgreeStudy
from goldassay.questions.agree.study import Extras, study
from goldassay.questions.agree.tables import summary, tables
from goldassay.questions.agree.texts import read_texts
from goldassay.questions.agree.words import answer, notes, warnings
from goldassay.questions.asking import (
    RESAMPLES,
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
    several,
)
from goldassay.questions.drawing import (
    declared_draw,
    draw_said,
    draw_warnings,
    strata_said,
    weighed_by_draw,
)
from goldassay.questions.facts import handled
from goldassay.questions.ground import OF_STATUS, GroundOfRatings
from goldassay.questions.weighing import weights_said
from goldassay.ratings.drawing import Drawn
from goldassay.ratings.narrow_ratings import of_judges
from goldassay.ratings.table import Census, Ratings
from goldassay.results import Exclusion, Row, Sentence

__all__ = ["agree"]

#: Beyond so many people a matrix of pairs tells nothing.
MAX_PEOPLE = 40
#: Draws where a value alone is looked for.
LIGHT = 100


def agree(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    judge: Rated = (),
    by: Sequence[str] = (),
    items: int = 0,
    texts: str | None = None,
    panel_out: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    **columns: Unpack[Columns],
) -> Findings:
    """Agreement of every judge with people: accuracy, kappa, phi, alpha and more, with intervals.

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
        Only these judges; else all.
    by
        Columns; every number also within each label of them.
    items
        How many items on which judge and people differ are listed, worst first.
    texts
        An items table (`item`, and the texts): shown beside the items, and their lengths tested
        for bias.
    panel_out
        A file (.csv, .jsonl) for the verdicts of panels of the judges, as ratings: read it beside
        the table, and a jury is a judge like others.
    resamples, seed
        Draws behind the intervals, and their seed.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        A row for each metric, judge and level (micro, macro, item).

    Notes
    -----
    Estimated is how a judge would agree with people on all items like these; where labels were
    drawn by a judge's verdict (`calibration = "by_verdict"`), each counts for as many items as its
    verdict has. Clusters (the declared unit) are taken to be drawn independently. Intervals are
    posterior intervals hedged at both ends (`docs/intervals.md`).

    References
    ----------
    Rao and Callison-Burch (2026), "Agreement Metrics for LLM-as-Judge Evaluation", whose
    eleven-point checklist closes the findings.

    Examples
    --------
    >>> import goldassay as ga
    >>> ratings = ga.simulate(prompts=30).ratings()
    >>> found = ga.agree(ratings, resamples=200)
    >>> kappa = found["cohen_kappa", "judge"]
    >>> round(kappa.value, 2), kappa.n_items, kappa.n_clusters
    (0.65, 90, 30)
    """
    by = several(by)
    ratings = ratings_of(
        source,
        task,
        only=only,
        exclude=exclude,
        calibration=calibration,
        columns={**columns, "judge": judge},
    )
    judge = filtered(judge, columns)
    require_judge(ratings, "agreement is a judge's with people")
    n_judges = len(ratings.judges)
    ratings = of_judges(ratings, judge)
    draw = Draw(resamples, seed, ratings.task.confidence_level)
    drawn: Drawn | None = None
    asked: Callable[..., tuple[Row, ...]] | None = None
    counted: Units | PairedScores
    written: tuple[Sentence, ...] = ()
    if panel_out is not None:
        check_panel_file(panel_out, ratings)
    if ratings.task.scale == "continuous":
        found, exclusions, counted = _scores(ratings, draw, by)
    else:
        found, exclusions, drawn, counted = _verdicts(ratings, draw, by, items, texts)
        asked = partial(_rows, draw=draw, by=tuple(by))
    if panel_out is not None:
        panels = panel_columns(ratings)
        reading = Reading(ratings.task, declared_mode(ratings.task), draw)
        written = (write_panels(panel_out, count_units(ratings, by=panels), panels, reading),)
    from goldassay import __version__

    return Findings(
        "agree",
        rows=handled(found.rows(), ratings.task),
        answer=answer(found),
        summary=summary(found),
        notes=(
            *notes(found),
            *weights_said(ratings, "agree", used=ratings.task.scale != "continuous"),
            *written,
            methods(found, __version__),
        ),
        tables=tables(found),
        pictures=charts(found),
        warnings=(*draw_warnings(ratings.task, drawn), *warnings(found)),
        **made(
            ratings,
            exclusions,
            seed=seed,
            ground=GroundOfRatings(ratings, OF_STATUS, n_judges, counted, asked),
            said=(
                *draw_said(ratings.task, drawn, scores="score" in ratings.columns),
                *strata_said(ratings),
            ),
        ),
    )


def _scores(
    ratings: Ratings, draw: Draw, by: Sequence[str]
) -> tuple[AgreeStudy, tuple[Exclusion, ...], PairedScores]:
    pairs = count_paired_scores(ratings, by=by)
    found = study_scores(pairs, ratings.task, draw=draw, by=by, statuses=count_statuses(ratings))
    return found, (*pairs.exclusions, *pairs.unpaired), pairs


def _rows(units: Units, light: bool, *, draw: Draw, by: Sequence[str]) -> tuple[Row, ...]:
    """The results of units, of which some verdicts were filled in."""
    draw = replace(draw, draws=min(draw.draws, LIGHT)) if light else draw
    return study(units, draw=draw, by=by).rows()


def _verdicts(
    ratings: Ratings, draw: Draw, by: Sequence[str], items: int, texts: str | None
) -> tuple[AgreeStudy, tuple[Exclusion, ...], Drawn | None, Units]:
    several = "criterion" in ratings.columns
    named = bool(items or texts or (several and ratings.cluster != "item"))
    more = ["item"] if named else []
    more += ["opponent"] if several and "opponent" in ratings.columns else []
    by_all = list(dict.fromkeys([*by, *more]))
    units = that_weigh(count_units(ratings, by=by_all))
    drawn = declared_draw(units)
    units = weighed_by_draw(units, drawn)
    people = _people(ratings)
    selected = selected_raters(people) if people is not None else ()
    scored = "score" in ratings.columns and ratings.task.scale == "binary"
    extras = Extras(
        people=people,
        selected=selected,
        regular=weighed_by_draw(
            that_weigh(count_units(_without(ratings, selected), by=by_all)), drawn
        )
        if selected
        else None,
        pairs=count_paired_scores(ratings) if scored else None,
        texts=read_texts(texts, ratings.task) if texts else None,
        items=items,
    )
    found = study(units, draw=draw, by=by, extras=extras)
    return found, (*units.exclusions, *pairing_exclusions(units)), drawn, units


def _without(ratings: Ratings, selected: Sequence[Selected]) -> Ratings:
    """The table without the ratings of some people."""
    away = {one.rater for one in selected}
    theirs = (nw.col("kind") == nw.lit("human")) & nw.col("rater").is_in(sorted(away))
    kept = {
        key: n
        for key, n in ratings.census.counts.items()
        if key[0] != "human" or key[1] not in away
    }
    census = Census(sum(kept.values()), kept)
    return replace(ratings, frame=ratings.frame.filter(~theirs), census=census)


def _people(ratings: Ratings) -> Units | None:
    """People as raters, to compare them with one another."""
    if not 1 < len(ratings.humans) <= MAX_PEOPLE:
        return None
    human = ratings.frame.filter(nw.col("kind") == nw.lit("human"))
    counts = {("judge", r, s): n for (k, r, s), n in ratings.census.counts.items() if k == "human"}
    census = Census(sum(counts.values()), counts)
    recast = human.with_columns(kind=nw.lit("judge"))
    return count_units(replace(ratings, frame=recast, census=census))
