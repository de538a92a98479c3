"""Votes of people who count more than others (`[rater_weights]`): the majority of weights.

The reference of a unit is the option with the largest sum of its raters' declared weights; a rater
who is not named has weight 1. The weights are constants of the declaration, as the rule "majority"
is, so that intervals which resample items hold for the weighted majority as they do for the plain
one; they say nothing of how the weights were found. Agreement among people, and whatever looks at
single persons, counts every person once.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw

from goldassay.errors import TaskError, listed, nearest, shown
from goldassay.ratings.census import Census
from goldassay.ratings.task import Task

__all__ = ["check_raters", "weighted_majority"]

#: Sums of weights that differ by less are level.
_LEVEL = 1e-9


def check_raters(task: Task, census: Census) -> None:
    """Refuse weights of raters who are no people of the table."""
    people = census.raters("human")
    for name in task.rater_weights:
        if name not in people:
            near = nearest(name, people)
            raise TaskError(
                f"[rater_weights] {name}",
                f"must be a person of the table; they are {listed(people) or 'none'}",
                found=shown(name),
                next_step=f"Did you mean {near!r}?" if near else None,
            )


def weighted_majority(
    frame: nw.LazyFrame[Any], task: Task, unit: tuple[str, ...]
) -> nw.LazyFrame[Any]:
    """One row of kind reference for each unit that people rated: the option with most weight, or
    (where several have it) an abstention."""
    size, columns = len(task.options), frame.collect_schema().names()
    code, votes = nw.col("code"), nw.col("votes")
    weight: nw.Expr = nw.lit(1.0)
    for name, given in task.rater_weights.items():
        weight = nw.when(nw.col("rater") == nw.lit(name)).then(nw.lit(given)).otherwise(weight)
    rated = (nw.col("kind") == nw.lit("human")) & (code >= 0) & (code < size)
    top = (
        frame.filter(rated)
        .with_columns(votes=weight)
        .with_columns(votes=votes.sum().over(*unit, "code"))
        .with_columns(best=votes.max().over(*unit))
        .filter(votes >= nw.col("best") - _LEVEL)
        .with_columns(low=code.min().over(*unit), high=code.max().over(*unit))
        .unique(subset=list(unit), keep="any")
    )
    level = nw.col("low") < nw.col("high")
    chosen = nw.when(level).then(nw.lit(size)).otherwise(nw.col("low"))
    value: nw.Expr = nw.lit("")
    for index, option in enumerate(task.options):
        value = nw.when(chosen == index).then(nw.lit(option)).otherwise(value)
    status = nw.when(chosen < size).then(nw.lit("rated")).otherwise(nw.lit("abstained"))
    made = top.with_columns(
        code=chosen.cast(frame.collect_schema()["code"]),
        value=value,
        status=status,
        kind=nw.lit("reference"),
        rater=nw.lit("weighted majority"),
    )
    return made.select(*columns)
