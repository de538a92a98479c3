"""The same ranking within each label of a column: task, domain, language.

A slice is ranked as if its rows were all there are, so that each number is the one of a run on
the slice alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

import narwhals as nw
import numpy as np

from goldassay.counts.labels import encoded
from goldassay.errors import InputError, RatingsError
from goldassay.frozen import dataclass
from goldassay.inference.orders import joint_differences
from goldassay.questions.rank.judged import tau_ends
from goldassay.questions.rank.study import RankStudy
from goldassay.ratings.fetch import fetch
from goldassay.ratings.narrow_ratings import narrowed_ratings
from goldassay.ratings.narrowing import Narrowing
from goldassay.ratings.table import Ratings
from goldassay.results import Estimate, Interval, Row

__all__ = ["Slice", "SliceGap", "Slices", "slices_of"]

#: A column with more labels names rows rather than kinds of them.
MOST_SLICES = 50


@dataclass(frozen=True, slots=True)
class Slice:
    """The ranking within one label; None, and why, where there is none."""

    label: str
    study: RankStudy | None
    reason: str = ""

    def tau(self, judge: str) -> Estimate | None:
        """A judge's tau by the first aggregation; None where it has none here."""
        if self.study is None:
            return None
        for one in self.study.judges:
            if one.name == judge and isinstance(tau := one.tau(self.study.by), Estimate):
                return tau
        return None


@dataclass(frozen=True, slots=True)
class SliceGap:
    """A judge's tau where it is highest and where it is lowest, and the difference.

    The interval of the difference holds for all pairs of slices at once.
    """

    judge: str
    high: str
    low: str
    gap: Estimate


@dataclass(frozen=True, slots=True)
class Slices:
    """A column, its slices in order of label, and how far the best ranker's tau varies."""

    column: str
    slices: tuple[Slice, ...]
    gap: SliceGap | None

    def rows(self) -> list[Row]:
        """Every result of every slice, and the difference between slices."""
        found = [
            Row(row.result, {**row.about, self.column: one.label})
            for one in self.slices
            if one.study is not None
            for row in one.study.rows()
        ]
        if (gap := self.gap) is not None:
            found.append(Row(gap.gap, {"judge": gap.judge, "column": self.column}))
        return found


def slices_of(
    ratings: Ratings, column: str, leader: str | None, ask: Callable[[Ratings], RankStudy]
) -> Slices:
    """The slices of a column, each as `ask` ranks its rows; `leader` is the best ranker of all."""
    ratings.require(column)
    labels = _labels(ratings, column)
    found = []
    for label in labels:
        try:
            study = ask(narrowed_ratings(ratings, Narrowing({column: (label,)}, {})))
            found.append(Slice(label or "(none)", study))
        except InputError as error:
            found.append(Slice(label or "(none)", None, error.rule))
    return Slices(column, tuple(found), None if leader is None else _gap(found, leader))


def _labels(ratings: Ratings, column: str) -> tuple[str, ...]:
    distinct = ratings.frame.group_by(column).agg(nw.len().alias("(rows)")).select(column)
    labels = encoded(fetch(distinct, place=ratings.name)[column])[0]
    if len(labels) > MOST_SLICES:
        raise RatingsError(
            f"--by {column}",
            f"a column to slice by has at most {MOST_SLICES} labels",
            found=f"{len(labels)}",
            next_step="Name a coarser column, or look at some rows with --only",
        )
    return labels


def _gap(slices: Sequence[Slice], judge: str) -> SliceGap | None:
    """How far a judge's tau differs between slices.

    Square-and-add of intervals at a level shared out over all pairs of slices (Bonferroni). Slices
    of different prompts are independent; where they share prompts or people's order, they rise and
    fall together, and the interval is on the safe side.
    """
    taus = {one.label: tau for one in slices if (tau := one.tau(judge)) is not None}
    if len(taus) < 2:
        return None
    high = max(taus, key=lambda label: taus[label].value)
    low = min(taus, key=lambda label: taus[label].value)
    if high == low:  # all are equal
        low = next(label for label in taus if label != high)
    value, interval = taus[high].value - taus[low].value, None
    if (seen := taus[high].interval) is not None:
        level = seen.confidence_level
        pairs = len(list(combinations(taus, 2)))
        joint = 1 - (1 - level) / pairs
        studies: Mapping[str, RankStudy] = {
            one.label: one.study for one in slices if one.study is not None
        }
        ends = [_tau_ends(studies[label], judge, joint) for label in (high, low)]
        least, most = joint_differences(
            np.array([taus[high].value, taus[low].value]), np.array(ends)
        )
        method = "square-and-add of intervals joint over slices"
        interval = Interval(float(least[0, 1]), float(most[0, 1]), level, method)
    n_prompts = taus[high].n_items + taus[low].n_items
    n_clusters = taus[high].n_clusters + taus[low].n_clusters
    declared = {"high": high, "low": low}
    gap = Estimate("slice_difference", value, interval, n_prompts, n_clusters, declared)
    return SliceGap(judge, high, low, gap)


def _tau_ends(study: RankStudy, judge: str, level: float) -> tuple[float, float]:
    """Ends of a judge's tau in a slice at another level."""
    one = next(one for one in study.judges if one.name == judge)
    assert study.people is not None
    return tau_ends(one.aggregated[study.by], study.people.gold, study.contest.worth, level)
