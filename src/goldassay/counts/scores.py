"""Score matrices: real scores have no small sufficient statistic, so they come as they are."""

from __future__ import annotations

import math

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.clusters import prompt_clusters
from goldassay.counts.labels import in_use, with_codes
from goldassay.counts.parts import PART, with_parts
from goldassay.errors import RatingsError
from goldassay.frozen import dataclass
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.scale import option_scores
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = ["ScoreMatrix", "count_scores", "mean_of_raters"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ScoreMatrix:
    """Scores by rater, item and system; NaN where there is none. Repeats are averaged.

    A rating that is shared out over several rows has the mean of their scores by its parts.

    The item axis is the prompt where the table has that column (systems answer the same prompts),
    otherwise the item. `cluster` gives the resampling unit of each item (`prompt_clusters`).
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

    @property
    def people(self) -> Floats | None:
        """People's mean score of each item and system [I, S]; None without people."""
        return mean_of_raters(self.human) if len(self.humans) else None


def mean_of_raters(scores: Floats) -> Floats:
    """Mean over raters of their scores [H, I, S], NaN where nobody scored."""
    known = ~np.isnan(scores)
    total, number = np.where(known, scores, 0.0).sum(axis=0), known.sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def count_scores(ratings: Ratings, *, criterion: str | None = None) -> ScoreMatrix:
    """Mean score of each rater on each item and system.

    The score is the row's `score`; without one, the value itself (continuous), the number that the
    option is (ordinal; 1, 2, ... in order where options are words), or 1 for the positive option
    (binary).
    """
    ratings = each_once(ratings, parts=True)
    task = ratings.task
    axis = "prompt" if "prompt" in ratings.columns else "item"
    frame = with_parts(ratings).filter(nw.col("status") == nw.lit("rated"))
    if criterion is not None:
        ratings.require("criterion")
        frame = frame.filter(nw.col("criterion") == nw.lit(criterion))
    score = nw.coalesce(nw.col("number"), *_worth_of_options(task))
    human = (nw.col("kind") == nw.lit("human")).cast(nw.Int64)
    frame = frame.with_columns(scored=score, is_human=human).filter(~nw.col("scored").is_null())
    axes = {"item_code": axis, "rater_code": "rater"}
    if "system" in ratings.columns:
        axes["system_code"] = "system"
    if ratings.cluster not in (axis, "system", "rater"):
        axes["cluster_code"] = ratings.cluster
    labels, places, frame = with_codes(frame, axes, every=ratings.frame, place=ratings.name)
    # Equal scores are counted, not summed: engines add floats in different orders.
    found = fetch(
        frame.group_by(*axes, "is_human", "scored", PART).agg(rows=nw.len()), place=ratings.name
    )
    if not len(found["rows"]):
        raise RatingsError(
            ratings.name, f"has no score for a {task.scale} task", next_step="Add a column score"
        )
    order = np.lexsort([np.asarray(found[name], dtype=float) for name in (PART, "scored")])
    # A column at a time, and gone where it was used: of scores there may be millions.
    found = {name: found.pop(name)[order] for name in [*found]}
    del order
    repeats = np.asarray(found.pop("rows"), dtype=float) * np.asarray(found.pop(PART), dtype=float)
    amount = np.asarray(found.pop("scored"), dtype=float) * repeats
    codes = {}
    for code in axes:
        named = places[code][np.asarray(found.pop(code), np.int64)]
        # A system that has no score is still one of the systems; the ranking says so.
        if code == "system_code":
            codes[code] = named
        else:
            labels[code], codes[code] = in_use(labels[code], named)
    items, item = labels["item_code"], codes["item_code"]
    systems, system = (
        labels.get("system_code", ("",)),
        codes.get("system_code", np.zeros_like(item)),
    )
    same = {axis: item, "system": system, "rater": codes["rater_code"]}
    cluster = prompt_clusters(item, codes.get("cluster_code", same.get(ratings.cluster, item)))
    people = np.asarray(found.pop("is_human"), np.int64) == 1
    everyone, rater = labels["rater_code"], codes["rater_code"]

    def cube(rows: npt.NDArray[np.bool_]) -> tuple[tuple[str, ...], Floats]:
        present, who = in_use(everyone, rater[rows])
        shape = (len(present), len(items), len(systems))
        at = np.ravel_multi_index((who, item[rows], system[rows]), shape)
        total, number = (
            np.bincount(at, values[rows], math.prod(shape)).reshape(shape)
            for values in (amount, repeats)
        )
        means = np.divide(total, number, out=np.full(shape, np.nan), where=number > 0)
        return present, means

    judges, judge = cube(~people)
    humans, human_scores = cube(people)
    return ScoreMatrix(
        judges,
        humans,
        items,
        systems,
        cluster,
        judge,
        human_scores,
        (*ratings.exclusions, *ratings.not_rated()),
        ratings.census.rows,
    )


def _worth_of_options(task: Task) -> list[nw.Expr]:
    """The score of a rating by each option, where the scale gives options one."""
    if task.scale == "ordinal":
        scores = option_scores(task.options)
    elif task.scale == "binary" and task.positive is not None:
        scores = tuple(float(option == task.positive) for option in task.options)
    else:
        return []
    code = nw.col("code")
    return [nw.when(code == nw.lit(k)).then(nw.lit(one)) for k, one in enumerate(scores)]
