"""Abstentions as the task declares them, before ratings are spread over options.

A distribution has no place for "abstained" beside its options. Where abstentions are a class they
become an option of their own, which hides nothing and is never counted; where they are recoded,
the option that they stand for. Excluded ones stay out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw

from goldassay.questions.audit.definitions import Settings
from goldassay.questions.audit.sensitivity import hidden_options
from goldassay.ratings.census import Census
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task

__all__ = ["CLASS", "with_abstentions"]

#: What abstentions are called where they are a class, as in `counts/modes.py`.
CLASS = "abstained"


def with_abstentions(ratings: Ratings, settings: Settings) -> tuple[Ratings, Settings]:
    """The ratings with abstentions among the rated ones, and the same options counted."""
    task = ratings.task
    if task.abstentions == "exclude" or not ratings.census.total(status=CLASS):
        return ratings, settings
    if task.abstentions == "recode":
        return (_rated_as(ratings, task, task.recode_to) if task.recode_to else ratings), settings
    word = CLASS if CLASS not in task.options else f"({CLASS})"
    names = tuple(task.options[k] for k in settings.counted_of(task))
    counted = replace(settings, options=names, assumed=settings.assumes(task))
    return _rated_as(ratings, _with_class(task, word, names), word), counted


def _with_class(task: Task, word: str, counted: tuple[str, ...]) -> Task:
    """The task of one more option; its order or its two sides are told in other ways."""
    declared: dict[str, Any] = {
        "scale": "nominal",
        "options": (*task.options, word),
        "response_sets": (*task.response_sets, (word,)) if task.response_sets else (),
        "may_hide": hidden_options(task, counted),
        "abstentions": "exclude",
        "weights": "unweighted",
        "tie": None,
        "prevalence": {},
    }
    return replace(task, **declared)


def _rated_as(ratings: Ratings, task: Task, word: str) -> Ratings:
    gave_up = nw.col("status") == nw.lit(CLASS)
    frame = ratings.frame.with_columns(
        value=nw.when(gave_up).then(nw.lit(word)).otherwise(nw.col("value")),
        status=nw.when(gave_up).then(nw.lit("rated")).otherwise(nw.col("status")),
    )
    counts: dict[tuple[str, str, str], int] = {}
    for (kind, rater, state), rows in ratings.census.counts.items():
        key = (kind, rater, "rated" if state == CLASS else state)
        counts[key] = counts.get(key, 0) + rows
    census = Census(ratings.census.rows, counts)
    return replace(ratings, frame=frame, task=task, census=census)
