"""Did the systems change, or the judge?"""

from __future__ import annotations

from typing import Any

import numpy as np

from goldassay.counts.stream import Batches, StreamRows, count_stream
from goldassay.errors import RatingsError, UsageError, shown
from goldassay.findings import Findings
from goldassay.questions.asking import TaskSource, Where, made, ratings_of
from goldassay.questions.monitor.charts import charts
from goldassay.questions.monitor.scores import measures_of
from goldassay.questions.monitor.streams import Streams, check_anchors, streams_of
from goldassay.questions.monitor.study import Settings, study
from goldassay.questions.monitor.tables import summary, tables
from goldassay.questions.monitor.words import answer, notes, warnings
from goldassay.ratings.table import Ratings
from goldassay.words import counted

__all__ = ["monitor"]


def monitor(
    source: Any,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    batch: str = "",
    every: str = "day",
    anchors: str = "",
    reference: str = "",
    margin: float = 0.1,
) -> Findings:
    """Whether verdicts changed over time, since when, and whether the systems did or the judge.

    Parameters
    ----------
    source
        A path, several paths, a frame of any library, or `Ratings`.
    task
        What the ratings mean: a path, a `Task` or a mapping of its keys.
    only, exclude
        Rows that are looked at, and rows that are not: `["topic=law"]` or `{"topic": "law"}`.
    batch
        The column that says in which batch a verdict was given; else `batch`, else `time`.
    every
        How long a batch is where only the time is known: hour, day, week or month.
    anchors
        `COLUMN=VALUE` marks the rows of fixed items that are judged again; "none": there are none.
        Without it, items that a judge rated in several batches are taken for anchors.
    reference
        The last batch of a stretch that is known to be unchanged; without it any moment may be
        that of a change.
    margin
        The change that must be refuted before it is said that nothing changed.

    Returns
    -------
    Findings
        For each judge and criterion `unchanged` (1, 0, or undefined: it cannot be told), the
        changes of rates with intervals, and the evidence of each stream.

    Notes
    -----
    The chance that any alarm is ever raised while nothing changes is at most 1 - confidence level,
    over all judges and criteria, however often one looks. Items (their clusters) are taken to be
    drawn independently, batch after batch, from one population; labelled items at random from the
    live ones.

    References
    ----------
    Ramdas, Grünwald, Vovk and Shafer (2023), "Game-theoretic statistics and safe anytime-valid
    inference"; Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by
    betting"; Wasserman, Ramdas and Balakrishnan (2020), "Universal inference".

    Examples
    --------
    >>> import goldassay as ga
    >>> rows = [
    ...     {"item": str(i), "rater": "gpt", "kind": "judge", "batch": str(i // 100),
    ...      "value": "yes" if i % 10 < (7 if i < 2000 else 4) else "no"}
    ...     for i in range(4000)
    ... ]
    >>> import polars as pl
    >>> task = {"scale": "binary", "options": ["yes", "no"], "positive": "yes"}
    >>> found = ga.monitor(pl.DataFrame(rows), task)
    >>> found["unchanged", "gpt"].value, found.answer[0].facts["since"]
    (0.0, '20')
    """
    if not 0 < margin < 1:
        raise UsageError("margin", "must be above 0 and below 1", found=shown(margin))
    ratings = ratings_of(source, task, only=only, exclude=exclude)
    if not ratings.judges:
        raise RatingsError(
            ratings.name,
            "verdicts of a judge are watched",
            found="no rating of kind judge",
            next_step='Name the judge in the task: [raters] judge = ["..."]',
        )
    measures = measures_of(ratings.task)
    rows, exclusions = count_stream(
        ratings, Batches.of(ratings, batch, every), _anchor_label(anchors)
    )
    check_anchors(rows, place=ratings.name)
    settings = Settings(margin, _reference(rows, reference))
    streams = streams_of(rows, ratings.task, measures, anchors=anchors)
    _check_batches(rows, streams, ratings)
    found = study(streams, ratings.task, settings, measures[0].words)
    told = warnings(found, declared=bool(anchors))
    if "weight" in ratings.columns:
        told += ("The column weight is not used here: every verdict counts once.",)
    return Findings(
        "monitor",
        rows=found.rows(),
        answer=answer(found),
        summary=summary(found),
        notes=notes(found),
        tables=tables(found),
        pictures=charts(found),
        warnings=told,
        **made(ratings, exclusions),
    )


def _anchor_label(anchors: str) -> tuple[str, str] | None:
    if anchors in ("", "none"):
        return None
    column, sign, value = anchors.partition("=")
    if not sign or not column.strip():
        raise UsageError(
            "anchors",
            "must be COLUMN=VALUE, or none",
            found=shown(anchors),
            next_step="As --anchors set=anchor",
        )
    return column.strip(), value.strip()


def _reference(rows: StreamRows, reference: str) -> int:
    """How many batches the reference has."""
    if not reference:
        return 0
    if reference not in rows.batches:
        few = ", ".join(shown(one) for one in rows.batches[:3])
        raise UsageError(
            "reference",
            "must be the name of a batch",
            found=shown(reference),
            next_step=f"The first batches are {few}",
        )
    if reference == rows.batches[-1]:
        raise UsageError(
            "reference",
            "must be followed by a batch to watch",
            found=f"{shown(reference)}, the last",
        )
    return rows.batches.index(reference) + 1


def _check_batches(rows: StreamRows, streams: tuple[Streams, ...], ratings: Ratings) -> None:
    """Two batches at least, and a verdict that counts in each."""
    if len(rows.batches) < 2:
        raise RatingsError(
            ratings.name,
            "a change needs two batches at least",
            found=counted(len(rows.batches), "batch", "batches"),
            next_step="Give the batches so far together, or shorter ones: --every hour",
        )
    judged = sum(
        sum(one.trials for one in each.verdicts) + sum(one.trials.sum(0) for one in each.anchors)
        for each in streams
    )
    empty = np.flatnonzero(np.asarray(judged) <= 0)
    if len(empty):
        raise RatingsError(
            ratings.name,
            "every batch must have a verdict that counts",
            found=f"none in batch {shown(rows.batches[empty[0]])}",
            next_step="Judge it again, or leave it out: --exclude COLUMN=VALUE",
        )
