"""Paired scores: each unit's reference and each judge's score, as they are.

Rank statistics and thresholds on real scores have no small sufficient statistic, so the pairs come
back whole, one column per unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from karat.counts.labels import encoded
from karat.counts.units import By, Units
from karat.fetch import fetch
from karat.ratings import Ratings
from karat.results import Exclusion

__all__ = ["PairedScores", "count_paired_scores", "count_scored", "scored_columns"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PairedScores:
    """One column per unit; NaN where there is no score.

    `judge[J, U]` is the mean over repeats, of which there are `repeats[J, U]`, with the variance
    `variance[J, U]` (NaN for a single one). `people[U]` is people's mean number (continuous), or
    the share of them that say positive (binary). `human_unit`, `human_score` are people's ratings
    one by one. `item[U]` tells which units are criteria of one item (of one system).
    """

    units: tuple[tuple[str, ...], ...]
    item: Ints
    cluster: Ints
    n_clusters: int
    by: Mapping[str, By]
    judges: tuple[str, ...]
    judge: Floats
    repeats: Floats
    variance: Floats
    people: Floats
    human_unit: Ints
    human_score: Floats
    humans: int
    #: Rows with a score whose unit has none of the other side.
    unpaired: tuple[Exclusion, ...] = ()

    @property
    def votes(self) -> Floats:
        """People's ratings of each unit of a binary task [U, 2]: the other option, the positive."""
        size = len(self.units)
        number = np.bincount(self.human_unit, minlength=size).astype(np.float64)
        positive = np.bincount(self.human_unit, weights=self.human_score, minlength=size)
        return np.stack([number - positive, positive], 1)


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
        # Equal scores are counted, not summed: engines add floats in different orders.
        .group_by(*keep, "scored")
        .agg(rows=nw.len()),
        place=ratings.name,
    )
    return _assembled(ratings, found, list(dict.fromkeys([*by, "criterion"])))


def count_scored(ratings: Ratings) -> PairedScores | None:
    """The scores of a binary task's judges; None when the table has no score of a judge."""
    task = ratings.task
    if "score" not in ratings.columns or task.scale != "binary" or task.positive is None:
        return None
    found = count_paired_scores(ratings)
    return found if found.judges else None


def scored_columns(units: Units, scores: PairedScores, names: Sequence[str]) -> Ints | None:
    """The column of `scores` of each pattern of `units`, -1 for none.

    `names` are the columns that name a unit; None where the patterns do not tell units apart.
    """
    if not set(names) <= set(units.by):
        return None
    at = {key: column for column, key in enumerate(scores.units)}
    labels = [np.array(units.by[name].labels, dtype=object)[units.by[name].codes] for name in names]
    return np.array([at.get(key, -1) for key in zip(*labels, strict=True)], dtype=np.int64)


def _assembled(
    ratings: Ratings, found: Mapping[str, npt.NDArray[Any]], by: Sequence[str]
) -> PairedScores:
    order = np.argsort(np.asarray(found["scored"], float), kind="stable")
    found = {name: column[order] for name, column in found.items()}
    keys, unit = _coded(found, ratings.unit)
    clusters, cluster_of_row = encoded(found[ratings.cluster])
    _, item_of_row = _coded(found, [name for name in ratings.unit if name != "criterion"])

    def of_unit(codes: Ints) -> Ints:
        out = np.zeros(len(keys), np.int64)
        out[unit] = codes
        return out

    columns = {}
    for name in by:
        if name in found:
            labels, codes = encoded(found[name])
            columns[name] = By(labels, of_unit(codes))
    people = np.asarray(found["kind"], dtype=object) == "human"
    rater = np.asarray(found["rater"], dtype=object)
    score, rows = (np.asarray(found[name], dtype=float) for name in ("scored", "rows"))
    judges, of_judge = encoded(rater[~people])
    repeats, judge, variance = _moments(
        (of_judge, unit[~people]), score[~people], rows[~people], (len(judges), len(keys))
    )
    everyone, person = encoded(rater[people])
    # A person's repeats of a unit are averaged, like a judge's.
    pair, owner = np.unique(unit[people] * max(len(everyone), 1) + person, return_inverse=True)
    _, own, _ = _moments((owner.reshape(-1),), score[people], rows[people], (len(pair),))
    human_unit = pair // max(len(everyone), 1)
    number, mean, _ = _moments((human_unit,), own, np.ones(len(own)), (len(keys),))
    return PairedScores(
        units=keys, item=of_unit(item_of_row), cluster=of_unit(cluster_of_row),
        n_clusters=len(clusters), by=columns, judges=judges, judge=judge, repeats=repeats,
        variance=variance, people=mean, human_unit=human_unit, human_score=own,
        humans=len(everyone),
        unpaired=_unpaired(rater, rows, people, number[unit] > 0, repeats.sum(0)[unit] > 0),
    )  # fmt: skip


def _coded(
    found: Mapping[str, npt.NDArray[Any]], names: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], Ints]:
    """The distinct combinations of columns, sorted, and the one of each row."""
    joined = ["\x1f".join(map(str, row)) for row in zip(*(found[n] for n in names), strict=True)]
    labels, codes = encoded(np.array(joined, dtype=object))
    return tuple(tuple(label.split("\x1f")) for label in labels), codes


def _moments(
    at: tuple[Ints, ...], score: Floats, rows: Floats, shape: tuple[int, ...]
) -> tuple[Floats, Floats, Floats]:
    """Number, mean and unbiased variance of the scores in each cell; NaN where there are none."""
    number, total, squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    np.add.at(number, at, rows)
    np.add.at(total, at, score * rows)
    mean = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    np.add.at(squares, at, rows * (score - mean[at]) ** 2)
    return number, mean, np.where(number > 1, squares / np.maximum(number - 1, 1), np.nan)


def _unpaired(
    rater: npt.NDArray[Any], rows: Floats, people: npt.NDArray[np.bool_],
    with_people: npt.NDArray[np.bool_], with_judge: npt.NDArray[np.bool_],
) -> tuple[Exclusion, ...]:  # fmt: skip
    out = []
    for reason, lost in (
        ("no human reference", ~people & ~with_people),
        ("no verdict of a judge", people & ~with_judge),
    ):
        names = rater[lost] if reason.startswith("no human") else np.full(lost.sum(), "people")
        who: dict[str, int] = {}
        for name, n in zip(names, rows[lost], strict=True):
            who[str(name)] = who.get(str(name), 0) + int(n)
        if who:
            out.append(Exclusion(reason, sum(who.values()), {"rater": dict(sorted(who.items()))}))
    return tuple(out)
