"""Ratings of several raters, checked and counted by unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.errors import InputError
from goldassay.formulas.reliability import tally
from goldassay.frozen import dataclass
from goldassay.inference.clusters import distinct_clusters
from goldassay.metrics.inputs import (
    Distinct,
    Given,
    Labels,
    cluster_codes,
    coded,
    column,
    complete,
    missing_in,
    options_of,
    same_length,
    scores_of,
)

__all__ = ["GivenRatings", "Rated", "Ratings"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A sequence of labels for each rater; a frame counts as such by its columns.
Ratings = Mapping[Any, Labels] | Iterable[Labels]


@dataclass(frozen=True)
class Rated:
    """Patterns of units that several raters rated.

    `counts[P, K]` are the ratings of a unit by option, `n[P]` how many units have the pattern,
    `cluster[P]` their cluster (None where each unit stands alone), `codes[P, R]` each rater's
    option (-1 for none) where it is known who is who, `unit` what a cluster is called,
    `reference[P, K]` how often each option is a unit's reference, and `alike[C]` how many clusters
    have the units of each, which `n` counts in all of them (one each, where it is None).
    """

    counts: Ints
    n: Ints
    cluster: Ints | None = None
    codes: Ints | None = None
    unit: str = "item"
    reference: Floats | None = None
    alike: Ints | None = None

    def collapsed(self, *, by_rater: bool) -> Rated:
        """Equal patterns merged, in one order, so that sums do not depend on what else was counted.

        Patterns are equal by what each rater said, or else by how many said what.
        """
        cluster = np.zeros(len(self.n)) if self.cluster is None else self.cluster
        columns: list[NDArray[Any]] = [cluster[:, None], self.counts]
        known = by_rater and self.codes is not None
        if by_rater and self.codes is not None:
            columns.append(np.where(self.codes < self.counts.shape[1], self.codes, -1))
        if self.reference is not None:
            columns.append(self.reference)
        found, n = distinct_clusters(np.concatenate(columns, 1, dtype=np.float64), self.n)
        ends = np.cumsum([column.shape[1] for column in columns])[:-1]
        parts = np.split(found, ends, axis=1)
        return Rated(
            parts[1].astype(np.int64),
            n,
            None if self.cluster is None else parts[0][:, 0].astype(np.int64),
            parts[2].astype(np.int64) if known else None,
            self.unit,
            parts[-1] if self.reference is not None else None,
            self.alike,
        )

    @property
    def n_items(self) -> int:
        """Units with a pair of ratings."""
        return int(self.n[self.counts.sum(1) > 1].sum())


@dataclass(frozen=True)
class GivenRatings:
    """Labels of several raters, or each unit's votes by option."""

    ratings: Ratings | None = None
    votes: ArrayLike | None = None
    labels: Labels | None = None
    clusters: Labels | None = None
    reference: Labels | None = None

    def among(self, place: str, two: Given) -> bool:
        """Whether several raters' ratings are given, in place of a reference and verdicts."""
        several = self.ratings is not None or self.votes is not None
        others = (two.reference, two.verdicts, two.counts, two.sample_weight)
        if several and any(other is not None for other in others):
            rule = "takes two label sequences (or their counts), or ratings of several raters"
            raise InputError(place, rule, found="both")
        return several

    @cached_property
    def columns(self) -> list[Labels]:
        """Each rater's labels."""
        ratings: Any = self.ratings
        if isinstance(ratings, Mapping):
            return list(ratings.values())
        if hasattr(ratings, "columns"):  # a frame with a column for each rater
            return [ratings[name] for name in ratings.columns]
        return list(ratings)

    def rated(self, place: str) -> Rated:
        """The units, one by one."""
        if (self.ratings is None) == (self.votes is None):
            found = "none" if self.ratings is None else "both"
            raise InputError(place, "takes ratings or votes of several raters", found=found)
        if self.votes is not None:
            return self._of_votes(place, np.asarray(self.votes))
        arrays = self._arrays(place)
        missing = [missing_in(array) for array in arrays]
        given = [
            Distinct.of(f"{place}, rater {rater + 1}", array[~lost])
            for rater, (array, lost) in enumerate(zip(arrays, missing, strict=True))
        ]
        truth = []
        if self.reference is not None:
            array = complete(f"{place}, reference", self.reference)
            same_length(place, "reference and ratings", len(array), len(arrays[0]))
            truth = [Distinct.of(f"{place}, reference", array)]
        options = options_of(place, [*truth, *given], self.labels)
        codes = np.full((len(arrays[0]), len(arrays)), -1, np.int64)
        for rater, (side, lost) in enumerate(zip(given, missing, strict=True)):
            codes[~lost, rater] = coded(f"{place}, rater {rater + 1}", side, options)
        right = [coded(f"{place}, reference", side, options) for side in truth]
        reference = np.eye(len(options))[right[0]] if right else None
        return self._units(place, tally(codes.T, len(options)), codes, reference)

    def _arrays(self, place: str) -> list[NDArray[Any]]:
        arrays = [column(f"{place}, rater {r + 1}", one) for r, one in enumerate(self.columns)]
        lengths = sorted({len(array) for array in arrays})
        if len(arrays) < 2 or len(lengths) > 1 or not lengths[0]:
            sizes = " and ".join(f"{length:,}" for length in lengths)
            raise InputError(
                f"{place}, ratings",
                "has a value for each unit, None where there is none, of at least two raters",
                found=f"{len(arrays)} raters with {sizes or 'no'} values",
            )
        return arrays

    def _units(
        self, place: str, counts: Ints, codes: Ints | None = None, reference: Floats | None = None
    ) -> Rated:
        cluster = cluster_codes(place, self.clusters, len(counts))
        if cluster is not None and int(cluster.max(initial=-1)) + 1 == len(counts):
            cluster = None  # each unit is a cluster of its own
        unit = "item" if self.clusters is None else "cluster"
        return Rated(counts, np.ones(len(counts), np.int64), cluster, codes, unit, reference)

    def _of_votes(self, place: str, votes: NDArray[Any]) -> Rated:
        at = f"{place}, votes"
        whole = votes.dtype.kind in "iu" or (
            votes.dtype.kind == "f" and bool((np.mod(votes, 1) == 0).all())
        )
        if votes.ndim != 2 or not votes.size or not whole or (votes < 0).any():
            raise InputError(
                at,
                "has whole numbers, not below 0: a row for each unit, a column for each option",
                found=f"the shape {votes.shape} of {votes.dtype}",
            )
        if self.labels is not None:
            options = options_of(place, (), self.labels)
            if len(options) != votes.shape[1]:
                found = f"{len(options)} labels, {votes.shape[1]} columns"
                raise InputError(place, "labels name each column of votes", found=found)
        return self._units(place, votes.astype(np.int64))

    def scores(self, place: str) -> tuple[Floats, Ints]:
        """Numbers of raters x units, NaN where there is none, and the cluster of each unit."""
        if self.ratings is None:
            raise InputError(
                place,
                "the interval difference is of ratings that are numbers",
                next_step="Give them as ratings=[..., ...], one sequence for each rater",
            )
        arrays = self._arrays(place)
        matrix = np.full((len(arrays), len(arrays[0])), np.nan)
        for rater, array in enumerate(arrays):
            given = ~missing_in(array)
            matrix[rater, given] = scores_of(f"{place}, rater {rater + 1}", array[given])
        cluster = cluster_codes(place, self.clusters, matrix.shape[1])
        return matrix, np.arange(matrix.shape[1]) if cluster is None else cluster
