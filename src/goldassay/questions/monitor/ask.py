"""Did the systems change, or the judge?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from goldassay.counts.stream import Batches, StreamRows, count_stream, identities, no_rows
from goldassay.errors import RatingsError, UsageError, shown
from goldassay.findings import Findings
from goldassay.frozen import dataclass
from goldassay.questions.asking import TaskSource, Where, declared_task, made, ratings_of
from goldassay.questions.drawing import by_verdict, draw_said
from goldassay.questions.facts import handled
from goldassay.questions.identities import JudgesSource
from goldassay.questions.monitor.charts import charts
from goldassay.questions.monitor.scores import Measure, measures_of
from goldassay.questions.monitor.state import opened_state
from goldassay.questions.monitor.streams import Streams, check_anchors, not_counted, streams_of
from goldassay.questions.monitor.study import Settings, study
from goldassay.questions.monitor.tables import summary, tables
from goldassay.questions.monitor.words import answer, notes, warnings
from goldassay.questions.standing import PassportSource, bound_to, with_passport
from goldassay.questions.weighing import weights_said
from goldassay.ratings.narrowing import narrowing_of
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.results import Exclusion, Sentence

__all__ = ["monitor"]


def monitor(
    source: Any = None,
    task: TaskSource = None,
    *,
    only: Where = (),
    exclude: Where = (),
    batch: str = "",
    every: str = "day",
    anchors: str = "",
    reference: str = "",
    margin: float = 0.1,
    state: str | None = None,
    passport: PassportSource = None,
    judges: JudgesSource = None,
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
        How long a batch is where only the time is known: hour, day, week or month. All but the
        day, which goes without saying, cut the column that `batch` names too.
    anchors
        `COLUMN=VALUE` marks the rows of fixed items that are judged again; "none": there are none.
        Without it, items that a judge rated in several batches are taken for anchors.
    reference
        The last batch of a stretch that is known to be unchanged; without it any moment may be
        that of a change.
    margin
        The change that must be refuted before it is said that no change was found.
    state
        A store in which what was seen is kept: `source` is added to it, and the answer is about
        all of it. What is known already is passed over; without a source, nothing is added.
    passport, judges
        A passport of the judge (`certify`), and what says who the judges are now: whether it is
        fresh, stale, expired or unknown.

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
    ...     {
    ...         "item": str(i),
    ...         "rater": "gpt",
    ...         "kind": "judge",
    ...         "batch": str(i // 100),
    ...         "value": "yes" if i % 10 < (7 if i < 2000 else 4) else "no",
    ...     }
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
    if source is None and state is None:
        raise UsageError("source", "must be given where there is no state to look at")
    bound = bound_to(passport, judges)
    seen = _seen(source, task, batch, only=only, exclude=exclude)
    how = {"batch": batch, "every": every, "anchors": anchors, "reference": reference}
    looked_at = _looked_at(only, exclude)
    if state is None:
        new, left_out = seen.stream(how)
        found = _found(replace(seen, left_out=left_out, added=new), new, how, margin)
        return with_passport(found, bound, source, seen.ratings)
    with opened_state(state, looking=source is None) as kept:
        settings = {**how, **looked_at, **seen.meaning}
        kept.check(settings, seen.identities)
        new, left_out = seen.stream(how)
        rows, added = kept.with_new(new, seen.place)
        if known := len(new) - len(added):
            left_out = (*left_out, Exclusion("seen before", known))
        found = _found(replace(seen, left_out=left_out, added=added), rows, how, margin)
        found = with_passport(found, bound, source, seen.ratings)
        kept.add(added, settings, seen.identities)
    return found


@dataclass(frozen=True)
class _Seen:
    """What is looked at: a table, or nothing beside what was seen before."""

    task: Task
    ratings: Ratings | None = None
    identities: Mapping[tuple[str, str], str] = field(default_factory=dict)
    #: What is added to what was seen before, and what of the table is not.
    added: StreamRows = field(default_factory=no_rows)
    left_out: tuple[Exclusion, ...] = ()

    @property
    def place(self) -> str:
        return self.ratings.name if self.ratings else "the state"

    @property
    def meaning(self) -> dict[str, Any]:
        """What must not differ between two looks."""
        task = self.task
        names = ("scale", "options", "positive", "cluster", "reference", "calibration", "tie")
        told = {name: getattr(task, name) for name in (*names, "abstentions", "invalids")}
        told["options"] = list(task.options)
        told["confidence_level"] = task.confidence_level
        return {f"task {name}": value for name, value in told.items()}

    def stream(self, how: Mapping[str, str]) -> tuple[StreamRows, tuple[Exclusion, ...]]:
        if self.ratings is None:
            return no_rows(), ()
        batches = Batches.of(self.ratings, how["batch"], how["every"])
        return count_stream(self.ratings, batches, _anchor_label(how["anchors"]))


def _looked_at(only: Where, exclude: Where) -> dict[str, list[str]]:
    """The options that say which rows are looked at, in whatever way they are written."""
    chosen = narrowing_of(only, exclude)
    parts = {"only": chosen.only, "exclude": chosen.exclude}
    return {
        name: sorted(f"{column}={value}" for column, each in part.items() for value in each)
        for name, part in parts.items()
        if part
    }


def _seen(source: Any, task: TaskSource, batch: str, *, only: Where, exclude: Where) -> _Seen:
    if source is None:
        declared = declared_task(task)
        return _Seen(declared.as_two[0] if declared.as_two else declared)
    ratings = ratings_of(source, task, only=only, exclude=exclude)
    return _Seen(ratings.task, ratings, identities(ratings, besides=(batch,)))


def _found(seen: _Seen, rows: StreamRows, how: Mapping[str, str], margin: float) -> Findings:
    """What the rows tell."""
    task, place = seen.task, seen.place
    measures = measures_of(task)
    if not rows.judges:
        raise RatingsError(
            place,
            "verdicts of a judge are watched",
            found="no rating of kind judge",
            next_step='Name the judge in the task: [raters] judge = ["..."]',
        )
    check_anchors(rows, place=place)
    settings = Settings(margin, _reference(rows, how["reference"]))
    streams = streams_of(rows, task, measures, anchors=how["anchors"])
    _check_batches(rows, streams, place)
    found = study(streams, task, settings, measures[0].words)
    told = warnings(found, declared=bool(how["anchors"]))
    weights: tuple[Sentence, ...] = ()
    if seen.ratings is not None:
        weights = weights_said(seen.ratings, "monitor", used=False, unit="verdict")
    return Findings(
        "monitor",
        rows=handled(found.rows(), task, margin=settings.margin),
        answer=answer(found),
        summary=summary(found),
        notes=(*notes(found), *weights),
        tables=tables(found),
        pictures=charts(found),
        warnings=told,
        more={"seen": {"rows": len(rows), "batches": len(rows.batches)}},
        **_made(seen, rows, measures),
    )


def _made(seen: _Seen, rows: StreamRows, measures: tuple[Measure, ...]) -> dict[str, Any]:
    if seen.ratings is None:
        return {"task": seen.task.to_json()}
    ratings = seen.ratings
    return made(
        ratings,
        (*seen.left_out, *not_counted(seen.added, rows, measures)),
        said=draw_said(ratings.task, by_verdict(ratings), "watched"),
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


def _check_batches(rows: StreamRows, streams: tuple[Streams, ...], place: str) -> None:
    """A verdict that counts in every batch."""
    judged = sum(
        sum(one.trials for one in each.verdicts) + sum(one.trials.sum(0) for one in each.anchors)
        for each in streams
    )
    empty = np.flatnonzero(np.asarray(judged) <= 0)
    if len(empty):
        raise RatingsError(
            place,
            "every batch must have a verdict that counts",
            found=f"none in batch {shown(rows.batches[empty[0]])}",
            next_step="Judge it again, or leave it out: --exclude COLUMN=VALUE",
        )
