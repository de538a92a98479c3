"""Is system B better than A?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from goldassay.errors import RatingsError, UsageError, nearest, shown
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
    several,
)
from goldassay.questions.compare.charts import charts
from goldassay.questions.compare.gathering import Slicing, differences_by_judge, gathered, paired
from goldassay.questions.compare.record import Asked, CompareStudy, JudgeComparison
from goldassay.questions.compare.study import compared, with_unlike_labels
from goldassay.questions.compare.tables import summary, tables
from goldassay.questions.compare.words import answer, notes, warnings
from goldassay.questions.facts import handled
from goldassay.questions.identities import JudgesSource
from goldassay.questions.standing import PassportSource, bound_to, with_passport
from goldassay.questions.weighing import weights_said
from goldassay.ratings.declaring import read_margin
from goldassay.ratings.table import Ratings

__all__ = ["compare", "count_differences"]


def compare(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    calibration: CalibrationSource = None,
    judge: Rated = (),
    baseline: str | None = None,
    margin: float | None = None,
    by: Sequence[str] = (),
    passport: PassportSource = None,
    judges: JudgesSource = None,
    seed: int = SEED,
    **columns: Unpack[Columns],
) -> Findings:
    """The difference of true rates (means, win rates) between systems on the same prompts.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean, above all how the labelled items were drawn (`calibration`).
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    calibration
        How the labelled items were drawn (`random`, `by_verdict`, `by_label`, `separate`), as in
        the task; or a file of them, which is then a separate set.
    judge
        Only these judges.
    baseline
        The system that all others are held against; without it, every pair is compared.
    margin
        By how much a system may be worse and still be called no worse; the task's where not given.
    by
        Columns whose values are slices: the differences within each.
    passport, judges
        A passport of the judge (`certify`), and what says who the judges are now: whether it is
        fresh, stale, expired or unknown.
    seed
        Seed of the draws behind simultaneous intervals.
    columns
        What the source holds: `item`, `human`, `reference`, `rater`, `value`, `criterion`,
        `system`, `opponent`, `rows`, `votes`, `label` (docs/reading.md).

    Returns
    -------
    Findings
        For each judge and pair the `difference` (`system` less `opponent`), with the judge's own
        (`difference_naive`) and that of labels alone beside it; the document's `comparisons` hold
        p-values, verdicts and what would tell. A gate: `difference.low > -0.02`.

    Notes
    -----
    Each system's rate is that of `estimate`: corrected with its own labels, or with those of all
    where the task declares `shared_labels = true`. Systems are paired by
    prompt (or by the declared cluster). All differences of a judge hold at once, and so do all
    within slices. Two versions of a judge's prompt that grade the same outputs are a question for
    `diff`, not for `compare`.

    References
    ----------
    Lee and others (2026), "How to Correctly Report LLM-as-a-Judge Evaluations"; Zou and Donner
    (2008), "Construction of confidence limits about effect measures"; Hothorn, Bretz and Westfall
    (2008), "Simultaneous inference in general parametric models".

    Examples
    --------
    >>> import goldassay as ga
    >>> drawn = ga.simulate({"prompts": 300, "systems": {"A": 0.6, "B": 0.8}, "labelled": 0.3})
    >>> found = ga.compare(drawn.ratings())
    >>> gap = found["difference"]
    >>> gap.declared["verdict"], 0.2 in gap.interval
    ('better', True)
    """
    by = several(by)
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
    if margin is not None:
        margin = read_margin(margin, "--margin")
    _check(ratings, by)
    asked = Asked(
        ratings.task.confidence_level,
        ratings.task.margin if margin is None else margin,
        baseline,
        seed,
    )
    _check_margin(asked.margin, ratings)
    pairs = paired(ratings)
    found: list[JudgeComparison] = []
    every = gathered(pairs, tuple(judge), Slicing(tuple(by)))
    for subject, one in every.systems:
        if one is None:
            continue
        if baseline is not None and baseline not in one.systems:
            near = nearest(baseline, one.systems)
            raise UsageError(
                "--baseline",
                f"must be one of the systems {', '.join(one.systems)}",
                found=shown(baseline),
                next_step=f"Did you mean {near!r}?" if near else None,
            )
        found.append(compared(subject, one, asked))
    if not found:
        raise RatingsError(
            ratings.name,
            "two systems need verdicts of a judge, and people's labels of some of the judged items",
            found="no label of an item that a judge rated",
            next_step="Label 30 or more items of each system, drawn at random; goldassay plan says "
            "how many",
        )
    found = with_unlike_labels(found, ratings.task)
    best = every.best.judge if every.best else None
    found.sort(key=lambda one: (one.subject.judge != best, one.certainty))
    axis = "prompt" if pairs.cluster == "item" else pairs.cluster
    whole = CompareStudy(
        tuple(found),
        asked,
        ratings.task.calibration,
        axis,
        every.best,
        unrated=every.unrated,
        without_label=every.without_label,
    )
    told = Findings(
        "compare",
        rows=handled(whole.rows(), ratings.task, calibration=ratings.task.calibration),
        answer=answer(whole),
        summary=summary(whole),
        notes=(
            *notes(whole),
            *weights_said(ratings, "compare", used=ratings.task.scale != "continuous"),
        ),
        tables=tables(whole),
        pictures=charts(whole),
        warnings=warnings(whole),
        more={"comparisons": whole.comparisons()},
        **made(ratings, every.exclusions, seed=seed),
    )
    return with_passport(told, bound, source, ratings)


def count_differences(ratings: Ratings) -> dict[str, int]:
    """How many differences `compare` has of each judge that has any; refuses what it refuses."""
    _check(ratings, ())
    _check_margin(ratings.task.margin, ratings)
    return differences_by_judge(paired(ratings))


def _check(ratings: Ratings, by: Sequence[str]) -> None:
    """Two systems, a judge and people, or an error that says which is missing."""
    place = ratings.name
    ratings.require("system")
    require_judge(
        ratings, "systems are compared by a judge's verdicts, corrected by people's labels"
    )
    if not ratings.humans and ratings.resolved is None:
        raise RatingsError(
            place,
            "people's labels of some of the judged items correct the judge",
            found="no rating of kind human",
            next_step="Label 30 or more items of each system, drawn at random (goldassay serve)",
        )
    if ratings.task.scale == "nominal":
        raise UsageError(
            "scale = 'nominal'",
            "of several options without an order none is better",
            next_step="Say which are counted: positive = [...] in the task"
            if ratings.task.positive is None
            else "Of one option against all others: make these one by [labels], as b = "
            '"other", c = "other", with scale = "binary"',
        )
    if ratings.task.scale == "pairwise":
        ratings.require("opponent")
    ratings.require(*by)


def _check_margin(margin: float | None, ratings: Ratings) -> None:
    if margin is not None and margin >= 1 and ratings.task.scale in ("binary", "pairwise"):
        raise UsageError(
            "margin",
            "of a rate must be below 1: by how much a system may be worse and still be called no "
            "worse",
            found=shown(margin),
            next_step=f"For {margin:g} points write {margin / 100:g}" if margin < 100 else None,
        )
