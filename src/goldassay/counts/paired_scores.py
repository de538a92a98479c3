"""Paired scores: each unit's reference and each judge's score, as they are.

Rank statistics and thresholds on real scores have no small sufficient statistic, so the pairs come
back whole, one column per unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import narwhals as nw
import numpy as np
import numpy.typing as npt

from goldassay.counts.labels import encoded
from goldassay.counts.units import By, Units
from goldassay.frozen import dataclass
from goldassay.ratings.duplicates import each_once
from goldassay.ratings.fetch import fetch
from goldassay.ratings.table import STATUSES, Ratings
from goldassay.results import Exclusion

__all__ = ["PairedScores", "count_paired_scores", "count_scored", "judge_scores", "scored_columns"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PairedScores:
    """One column per unit; NaN where there is no score.

    `judge[J, U]` is the mean over repeats, of which there are `repeats[J, U]`, with the variance
    `variance[J, U]` (NaN for a single one); `answer_judge`, `answer_unit`, `answer_score` are its
    scores one by one, in the order of judges, units and scores. `people[U]` is people's mean
    number (continuous), or the share of them that say positive (binary). `human_unit`,
    `human_score` are people's ratings one by one. `item[U]` tells which units are criteria of one
    item (of one system).
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
    answer_judge: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    answer_unit: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    answer_score: Floats = field(default_factory=lambda: np.zeros(0))
    #: A judge's rows without a score [J, U, 3], of a continuous task: abstained, invalid, failed.
    without: Ints | None = None
    #: Judges that were asked about the units of their rows alone; others about all labelled ones.
    by_rows: frozenset[str] = frozenset()
    #: Rows that are no score, or a second time the same one.
    exclusions: tuple[Exclusion, ...] = ()
    #: Rows with a score whose unit has none of the other side.
    unpaired: tuple[Exclusion, ...] = ()

    @property
    def labelled(self) -> npt.NDArray[np.bool_]:
        """The units [U] that people scored; all, where they scored none."""
        found = np.isfinite(self.people)
        return np.asarray(found | ~found.any())

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """Which units each judge was asked about [J, U], as `Units.asked_of` has it."""
        given = np.asarray(~np.isnan(self.judge))
        if self.without is not None:
            given = given | self.without.any(2)
        every = np.array([judge not in self.by_rows for judge in self.judges], bool)
        return np.asarray(given | (every[:, None] & self.labelled))

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
    ratings = each_once(ratings, parts=False)
    task = ratings.task
    frame = ratings.frame.filter(nw.col("status") == nw.lit("rated"))
    is_human = nw.col("kind") == nw.lit("human")
    if task.scale == "continuous":
        scored = nw.col("number")
    else:
        at = task.options.index(task.positive) if task.positive in task.options else 0
        hit = nw.when(nw.col("code") == nw.lit(at)).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
        scored = nw.when(is_human).then(hit).otherwise(nw.col("number"))
    keep = dict.fromkeys([*ratings.unit, "rater", ratings.cluster, *by])
    keep |= dict.fromkeys(["criterion"] if "criterion" in ratings.columns else [])
    found = fetch(
        frame.with_columns(scored=scored, is_human=is_human.cast(nw.Int64))
        .filter(~nw.col("scored").is_null())
        .select(*keep, "is_human", "scored"),
        place=ratings.name,
    )
    # In order of the score: engines give rows in different orders, and sums of floats depend on it.
    order = np.argsort(np.asarray(found["scored"], float), kind="stable")
    coded = {}
    for name in keep:
        labels, codes = encoded(found[name])
        coded[name] = By(labels, codes[order])
    people = np.asarray(found["is_human"], np.int64)[order] == 1
    score = np.asarray(found["scored"], float)[order]
    paired = _assembled(
        ratings, coded, people, score, list(dict.fromkeys([*by, "criterion", "system"]))
    )
    return (
        replace(paired, without=_without_score(ratings, paired))
        if task.scale == "continuous"
        else paired
    )


def _without_score(ratings: Ratings, paired: PairedScores) -> Ints:
    """A judge's rows without a score by status [J, U, 3]; units that nobody scored are not looked
    at."""
    found = np.zeros((*paired.judge.shape, len(STATUSES) - 1), np.int64)
    if not ratings.not_rated():
        return found
    rows = fetch(
        ratings.frame.filter(
            (nw.col("status") != nw.lit("rated")) & (nw.col("kind") == nw.lit("judge"))
        ).select(*ratings.unit, "rater", "status"),
        place=ratings.name,
    )
    unit = {key: at for at, key in enumerate(paired.units)}
    judge = {name: at for at, name in enumerate(paired.judges)}
    told = (rows["rater"], rows["status"], *(rows[name] for name in ratings.unit))
    for rater, status, *key in zip(*told, strict=True):
        if rater in judge and tuple(key) in unit:
            found[judge[rater], unit[tuple(key)], STATUSES.index(status) - 1] += 1
    return found


def count_scored(ratings: Ratings) -> PairedScores | None:
    """The scores of a binary task's judges; None when the table has no score of a judge."""
    task = ratings.task
    if "score" not in ratings.columns or task.scale != "binary" or task.positive is None:
        return None
    found = count_paired_scores(ratings)
    return found if found.judges else None


def judge_scores(ratings: Ratings, units: Units) -> dict[str, Floats]:
    """Each judge's score of every pattern, the mean over repeats; NaN where there is none.

    `units` are counted by the columns that name a unit, so that a pattern is one of them. Judges
    without any score are left out.
    """
    if "score" not in ratings.columns:
        return {}
    frame = each_once(ratings, parts=False).frame.filter(
        (nw.col("status") == nw.lit("rated"))
        & (nw.col("kind") == nw.lit("judge"))
        & ~nw.col("score").is_null()
    )
    names = ratings.unit
    found = fetch(
        frame.group_by(*names, "rater").agg(mean=nw.col("score").mean()), place=ratings.name
    )
    place: dict[Any, int] = {}
    columns = [np.array(units.by[n].labels, dtype=object)[units.by[n].codes] for n in names]
    for row, key in enumerate(zip(*columns, strict=True)):
        place[key] = row
    at = [place[key] for key in zip(*(found[name] for name in names), strict=True)]
    raters, rater = encoded(found["rater"])
    scores = {name: np.full(len(units.n), np.nan) for name in raters}
    # Engines add in different orders: the last bits of a mean are not the data's.
    rows, means = np.array(at, np.int64), np.round(np.asarray(found["mean"], float), 12)
    for code, name in enumerate(raters):
        mine = rater == code
        scores[name][rows[mine]] = means[mine]
    return scores


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
    ratings: Ratings,
    found: Mapping[str, By],
    people: npt.NDArray[np.bool_],
    score: Floats,
    by: Sequence[str],
) -> PairedScores:
    keys, unit = _combined(found, ratings.unit)
    _, item_of_row = _combined(found, [name for name in ratings.unit if name != "criterion"])

    def of_unit(codes: Ints) -> Ints:
        out = np.zeros(len(keys), np.int64)
        out[unit] = codes
        return out

    columns = {
        name: By(found[name].labels, of_unit(found[name].codes)) for name in by if name in found
    }
    raters, rater = found["rater"].labels, found["rater"].codes
    judges, of_judge = np.unique(rater[~people], return_inverse=True)
    given = of_judge.reshape(-1), unit[~people]
    repeats, judge, variance = _moments(given, score[~people], (len(judges), len(keys)))
    one_by_one = np.lexsort((score[~people], given[1], given[0]))
    # A person's repeats of a unit are averaged, like a judge's.
    pair, owner = np.unique(unit[people] * len(raters) + rater[people], return_inverse=True)
    _, own, _ = _moments((owner.reshape(-1),), score[people], (len(pair),))
    human_unit = pair // max(len(raters), 1)
    number, mean, _ = _moments((human_unit,), own, (len(keys),))
    return PairedScores(
        units=keys,
        item=of_unit(item_of_row),
        cluster=of_unit(found[ratings.cluster].codes),
        n_clusters=len(found[ratings.cluster].labels),
        by=columns,
        judges=tuple(raters[code] for code in judges),
        judge=judge,
        repeats=repeats,
        variance=variance,
        people=mean,
        human_unit=human_unit,
        human_score=own,
        humans=len(np.unique(rater[people])),
        answer_judge=given[0][one_by_one],
        answer_unit=given[1][one_by_one],
        answer_score=score[~people][one_by_one],
        exclusions=(*ratings.exclusions, *ratings.not_rated()),
        by_rows=ratings.by_rows,
        unpaired=_unpaired(found["rater"], people, number[unit] > 0, repeats.sum(0)[unit] > 0),
    )


def _combined(
    found: Mapping[str, By], names: Sequence[str]
) -> tuple[tuple[tuple[str, ...], ...], Ints]:
    """The distinct combinations of columns, sorted, and the one of each row."""
    shape = tuple(max(len(found[name].labels), 1) for name in names)
    flat = np.ravel_multi_index(tuple(found[name].codes for name in names), shape)
    distinct, codes = np.unique(flat, return_inverse=True)
    parts = [
        [found[name].labels[code] for code in part]
        for name, part in zip(names, np.unravel_index(distinct, shape), strict=True)
    ]
    return tuple(zip(*parts, strict=True)), codes.reshape(-1)


def _moments(
    at: tuple[Ints, ...], score: Floats, shape: tuple[int, ...]
) -> tuple[Floats, Floats, Floats]:
    """Number, mean and unbiased variance of the scores in each cell; NaN where there are none."""
    cell, cells = np.ravel_multi_index(at, shape), int(np.prod(shape))
    number = np.bincount(cell, minlength=cells).reshape(shape).astype(np.float64)
    total = np.bincount(cell, weights=score, minlength=cells).reshape(shape)
    mean = np.where(number > 0, total / np.maximum(number, 1), np.nan)
    off = (score - mean[at]) ** 2
    squares = np.bincount(cell, weights=off, minlength=cells).reshape(shape)
    return number, mean, np.where(number > 1, squares / np.maximum(number - 1, 1), np.nan)


def _unpaired(
    rater: By,
    people: npt.NDArray[np.bool_],
    with_people: npt.NDArray[np.bool_],
    with_judge: npt.NDArray[np.bool_],
) -> tuple[Exclusion, ...]:
    alone = ~people & ~with_people
    counts = np.bincount(rater.codes[alone], minlength=len(rater.labels))
    judges = {name: int(n) for name, n in zip(rater.labels, counts, strict=True) if n}
    unseen = int((people & ~with_judge).sum())
    found = (
        ("no human reference", judges),
        ("no verdict of a judge", {"people": unseen} if unseen else {}),
    )
    return tuple(Exclusion(why, sum(who.values()), {"rater": who}) for why, who in found if who)
