"""Paired scores: each unit's reference and each judge's score, as they are.

Rank statistics on real scores have no small sufficient statistic, so the pairs come back whole,
one row per unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from karat.counts.labels import encoded
from karat.counts.units import By
from karat.fetch import fetch
from karat.ratings import Ratings

__all__ = ["PairedScores", "count_paired_scores"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PairedScores:
    """One column per unit; NaN where there is no score.

    `judge[J, U]` is the mean over repeats. `people[U]` is people's mean number (continuous), or
    the share of them that say positive (binary). `human_unit`, `human_score` are people's ratings
    one by one.
    """

    units: tuple[str, ...]
    cluster: Ints
    n_clusters: int
    by: Mapping[str, By]
    judges: tuple[str, ...]
    judge: Floats
    people: Floats
    human_unit: Ints
    human_score: Floats
    humans: int


def count_paired_scores(ratings: Ratings, *, by: Sequence[str] = ()) -> PairedScores:
    """The scores of every unit: the value (continuous), or people's labels and judges' scores."""
    ratings.require(*by)
    task = ratings.task
    frame = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    is_human = nw.col("kind") == nw.lit("human")
    if task.scale == "continuous":
        scored = nw.col("number")
    else:
        at = task.options.index(task.positive) if task.positive in task.options else 0
        hit = nw.when(nw.col("code") == nw.lit(at)).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
        scored = nw.when(is_human).then(hit).otherwise(nw.col("number"))
    keep = list(dict.fromkeys([*ratings.unit, "kind", "rater", ratings.cluster, *by]))
    keep += ["criterion"] if "criterion" in ratings.columns and "criterion" not in keep else []
    found = fetch(
        frame.with_columns(scored=scored)
        .filter(~nw.col("scored").is_null())
        .group_by(*keep)
        .agg(total=nw.col("scored").sum(), rows=nw.len()),
        place=ratings.name,
    )
    return _assembled(ratings, found, list(dict.fromkeys([*by, "criterion"])))


def _assembled(
    ratings: Ratings, found: Mapping[str, npt.NDArray[Any]], by: Sequence[str]
) -> PairedScores:
    parts = [np.asarray(found[name], dtype=object) for name in ratings.unit]
    keys = np.array(["\x1f".join(map(str, row)) for row in zip(*parts, strict=True)], dtype=object)
    labels, unit = encoded(keys)
    clusters, cluster_of_row = encoded(found[ratings.cluster])
    cluster = np.zeros(len(labels), np.int64)
    cluster[unit] = cluster_of_row
    columns = {}
    for name in by:
        if name in found:
            names, codes = encoded(found[name])
            of_unit = np.zeros(len(labels), np.int64)
            of_unit[unit] = codes
            columns[name] = By(names, of_unit)
    people = np.asarray(found["kind"], dtype=object) == "human"
    rater = np.asarray(found["rater"], dtype=object)
    score = np.asarray(found["total"], float) / np.maximum(np.asarray(found["rows"], float), 1)
    judges = tuple(sorted(set(rater[~people])))
    index = {name: j for j, name in enumerate(judges)}
    judge = np.full((len(judges), len(labels)), np.nan)
    which = np.array([index[name] for name in rater[~people]], dtype=np.int64)
    judge[which, unit[~people]] = score[~people]
    number = np.bincount(unit[people], minlength=len(labels))
    total = np.bincount(unit[people], weights=score[people], minlength=len(labels))
    mean = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    return PairedScores(
        units=tuple(label.split("\x1f")[0] for label in labels), cluster=cluster,
        n_clusters=len(clusters), by=columns, judges=judges, judge=judge, people=mean,
        human_unit=unit[people], human_score=score[people], humans=len(set(rater[people])),
    )  # fmt: skip
