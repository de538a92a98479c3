"""Scored units: a judge's real score of each unit beside people's reference.

Scores have no small sufficient statistic, so the units come one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from karat.counts.labels import encoded
from karat.fetch import fetch
from karat.ratings import Ratings

__all__ = ["Scored", "count_scored"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scored:
    """Scores of judges on units of a binary task with a reference.

    judges   tuple[str, ...]     those with any score
    score    float64[J, U]       mean over repeats, NaN where there is none
    people   float64[U, 2]       people's ratings: the other option, the positive one
    cluster  int64[U]            n_clusters of them
    """

    judges: tuple[str, ...]
    score: Floats
    people: Floats
    cluster: npt.NDArray[np.int64]
    n_clusters: int


def count_scored(ratings: Ratings) -> Scored | None:
    """The scores of a binary task's judges; None when the table has no score of a judge."""
    task = ratings.task
    if "score" not in ratings.columns or task.scale != "binary" or task.positive is None:
        return None
    rated = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    keys = list(dict.fromkeys([*ratings.unit, ratings.cluster]))
    judged = rated.filter((nw.col("kind") == nw.lit("judge")) & ~nw.col("number").is_null())
    scores = fetch(
        judged.group_by(*keys, "rater").agg(score=nw.col("number").mean()), place=ratings.name
    )
    if not len(scores["score"]):
        return None
    human = rated.filter(nw.col("kind") == nw.lit("human"))
    votes = fetch(human.group_by(*keys, "code").agg(rows=nw.len()), place=ratings.name)
    both = {name: np.concatenate([scores[name], votes[name]]) for name in keys}
    _, unit = encoded(_joined(both, ratings.unit))
    clusters, cluster_of_row = encoded(both[ratings.cluster])
    n_units, split = int(unit.max()) + 1, len(scores["score"])
    cluster = np.zeros(n_units, np.int64)
    cluster[unit] = cluster_of_row
    judges, judge = encoded(scores["rater"])
    score = np.full((len(judges), n_units), np.nan)
    score[judge, unit[:split]] = np.asarray(scores["score"], dtype=float)
    people = np.zeros((n_units, 2))
    positive = task.options.index(task.positive)
    code = np.asarray(votes["code"], dtype=np.int64)
    rows = np.asarray(votes["rows"], dtype=float)
    np.add.at(people, (unit[split:], (code == positive).astype(np.int64)), rows)
    return Scored(judges, score, people, cluster, len(clusters))


def _joined(columns: dict[str, npt.NDArray[Any]], names: tuple[str, ...]) -> npt.NDArray[Any]:
    rows = zip(*(columns[name] for name in names), strict=True)
    return np.array(["\x1f".join(map(str, row)) for row in rows], dtype=object)
