"""Score matrices: real scores have no small sufficient statistic, so they come as they are."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals as nw
import numpy as np
import numpy.typing as npt

from karat.counts.labels import encoded
from karat.errors import RatingsError
from karat.fetch import fetch
from karat.ratings import Ratings
from karat.results import Exclusion

__all__ = ["ScoreMatrix", "count_scores"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores by rater, item and system; NaN where there is none. Repeats are averaged.

    The item axis is the prompt where the table has that column (systems answer the same prompts),
    otherwise the item. `cluster` gives the declared resampling unit of each item.
    """

    judges: tuple[str, ...]
    humans: tuple[str, ...]
    items: tuple[str, ...]
    systems: tuple[str, ...]
    cluster: npt.NDArray[np.int64]
    judge: Floats
    human: Floats
    exclusions: tuple[Exclusion, ...]
    rows: int


def count_scores(ratings: Ratings, *, criterion: str | None = None) -> ScoreMatrix:
    """Mean score of each rater on each item and system.

    The score is the row's `score`; without one, the value itself (continuous), the position of
    the option (ordinal), or 1 for the positive option (binary).
    """
    task = ratings.task
    axis = "prompt" if "prompt" in ratings.columns else "item"
    frame = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    if criterion is not None:
        ratings.require("criterion")
        frame = frame.filter(nw.col("criterion") == nw.lit(criterion))
    score = nw.col("number")
    if task.scale == "ordinal":
        score = nw.coalesce(score, nw.col("code").cast(nw.Float64))
    elif task.scale == "binary" and task.positive is not None:
        positive = nw.col("code") == nw.lit(task.options.index(task.positive))
        score = nw.coalesce(score, nw.when(positive).then(nw.lit(1.0)).otherwise(nw.lit(0.0)))
    frame = frame.with_columns(scored=score)
    keys = list(dict.fromkeys([axis, "kind", "rater", ratings.cluster]))
    keys += ["system"] if "system" in ratings.columns else []
    # Equal scores are counted, not summed: engines add floats in different orders.
    found = fetch(
        frame.filter(~nw.col("scored").is_null()).group_by(*keys, "scored").agg(rows=nw.len()),
        place=ratings.name,
    )
    order = np.argsort(np.asarray(found["scored"], dtype=float), kind="stable")
    found = {name: column[order] for name, column in found.items()}
    repeats = np.asarray(found["rows"], dtype=float)
    amount = np.asarray(found["scored"], dtype=float) * repeats
    if not len(found["rows"]):
        raise RatingsError(
            ratings.name, f"has no score for a {task.scale} task", next_step="Add a column score"
        )
    items, item = encoded(found[axis])
    blank = np.array([""] * len(item), dtype=object)
    systems, system = encoded(found.get("system", blank))
    _, cluster_of_row = encoded(found[ratings.cluster])
    cluster = np.zeros(len(items), np.int64)
    cluster[item] = cluster_of_row
    people = np.asarray(found["kind"], dtype=object) == "human"
    raters = np.asarray(found["rater"], dtype=object)

    def cube(rows: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], Floats]:
        names = tuple(sorted(set(raters[rows])))
        who = np.array(
            [names.index(r) if keep else 0 for r, keep in zip(raters, rows, strict=True)]
        )
        shape = (len(names), len(items), len(systems))
        total, number = np.zeros(shape), np.zeros(shape)
        at = (who[rows], item[rows], system[rows])
        np.add.at(total, at, amount[rows])
        np.add.at(number, at, repeats[rows])
        with np.errstate(invalid="ignore"):
            return names, np.where(number > 0, total / np.maximum(number, 1), np.nan)

    judges, judge = cube(~people)
    humans, human = cube(people)
    return ScoreMatrix(
        judges, humans, items, systems, cluster, judge, human,
        (*ratings.exclusions, *ratings.not_rated()), ratings.census.rows,
    )  # fmt: skip
