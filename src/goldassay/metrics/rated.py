"""A coefficient among several raters: its record, and how its interval is made.

Everything is a function of sums over units (coincidences, pairs, each rater's own labels), so that
a draw of the units' weights is a row of sums. Intervals draw the clusters' weights (Bayesian
bootstrap), hedged by a pseudo-unit whose raters differ and one rated in unison, as
`goldassay.inference.posterior` does for a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.errors import InputError, shown
from goldassay.formulas.reliability import (
    Difference,
    coincidences,
    krippendorff_alpha_of_scores,
    pair_sums,
    score_sums,
)
from goldassay.inference.bootstrap import blocks, exponential_weights
from goldassay.inference.clusters import cluster_sums, distinct_clusters, few_cluster_tail
from goldassay.inference.draw import Draw
from goldassay.inference.proportions import normal_quantile
from goldassay.metrics.inputs import (
    Given,
    Labels,
    checked_draw,
    cluster_codes,
    coded,
    column,
    missing_in,
    options_of,
    scores_of,
)
from goldassay.metrics.tables import ClosedForm
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "GivenRatings",
    "Rated",
    "RaterMetric",
    "Ratings",
    "Sums",
    "drawn_sums",
    "interval_alpha",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: A sequence of labels for each rater; a frame counts as such by its columns.
Ratings = Mapping[Any, Labels] | Iterable[Labels]

NO_PAIR = "no unit has two ratings"


@dataclass(frozen=True)
class Rated:
    """Patterns of units that several raters rated.

    `counts[P, K]` are the ratings of a unit by option, `n[P]` how many units have the pattern,
    `cluster[P]` their cluster (None where each unit stands alone), `codes[P, R]` each rater's
    option (-1 for none) where it is known who is who, and `unit` what a cluster is called.
    """

    counts: Ints
    n: Ints
    cluster: Ints | None = None
    codes: Ints | None = None
    unit: str = "item"

    @property
    def n_items(self) -> int:
        """Units with a pair of ratings."""
        return int(self.n[self.counts.sum(1) > 1].sum())


@dataclass(frozen=True)
class Layout:
    """Where the parts of a row of sums stand, and how far apart two options are."""

    size: int
    difference: Difference

    def coincidences(self, sums: Floats) -> Floats:
        """Krippendorff's coincidences [..., K, K]."""
        square = self.size**2
        return np.asarray(sums[..., :square].reshape(*sums.shape[:-1], self.size, self.size))

    def pairs(self, sums: Floats) -> Floats:
        """What `pair_sums` gives [..., K + 3]."""
        return np.asarray(sums[..., self.size**2 : self.size**2 + self.size + 3])

    def raters(self, sums: Floats) -> Floats:
        """Each rater's ratings by option [..., R, K]."""
        rest = sums[..., self.size**2 + self.size + 3 :]
        return np.moveaxis(rest.reshape(*sums.shape[:-1], self.size, -1), -1, -2)


@dataclass(frozen=True)
class Sums:
    """Sums over all units, and draws of them under the prior of each end."""

    rated: Rated
    layout: Layout
    total: Floats
    lower: Floats
    upper: Floats
    n_clusters: int


def drawn_sums(rated: Rated, difference: Difference, draw: Draw) -> Sums:
    """The sums behind every coefficient among raters; some unit has two ratings."""
    size = rated.counts.shape[1]
    together = coincidences(rated.counts).reshape(len(rated.counts), -1)
    pairs = pair_sums(rated.counts)
    parts = [together, pairs]
    if rated.codes is not None:
        parts += [(rated.codes == k).astype(float) for k in range(size)]
    stack = np.concatenate(parts, 1)
    table, times = cluster_sums(stack, rated.n, rated.cluster)
    used = table.any(1)
    table, times = distinct_clusters(table[used], times[used])
    rng, drawn = np.random.default_rng(draw.seed), []
    for rows in blocks(draw.draws, len(times)):
        weights = exponential_weights(times, rows, rng)
        # n in alpha's (n - 1) is the number of ratings: weights keep their sum.
        weights *= times.sum() / weights.sum(1, keepdims=True)
        drawn.append(weights @ table)
    base = np.concatenate(drawn)
    # As in the hedged posterior of a table: a pseudo-unit in unison is spread over the diagonal,
    # one whose raters all differ over the rest.
    ratings = float((rated.n @ together).sum() / max((rated.n @ pairs)[1], 1))
    diagonal, even, at = np.eye(size) / size, [1 / size] * size, together.shape[1]
    apart = (1 - np.eye(size)) / max(size * (size - 1), 1)
    unison, split = np.zeros(stack.shape[1]), np.zeros(stack.shape[1])
    unison[:at], split[:at] = (ratings * diagonal).ravel(), (ratings * apart).ravel()
    unison[at : at + size + 3] = [1, 1, *even, 1]
    split[at : at + size + 3] = [0, 1, *even, 1]
    scale = max(1.0, float(rated.n.sum() / times.sum()))
    full = rng.standard_gamma(1.0, size=(2, draw.draws, 1)) * scale
    part = rng.standard_gamma(0.25, size=(2, draw.draws, 1)) * scale
    lower = base + full[0] * split + part[0] * unison
    upper = base + full[1] * unison + part[1] * split
    layout = Layout(size, difference)
    return Sums(
        rated, layout, np.asarray(rated.n @ stack, np.float64), lower, upper, int(times.sum())
    )


@dataclass(frozen=True)
class RaterMetric:
    """A coefficient among raters: formula, what it needs, its interval, when it is undefined."""

    name: str
    compute: Callable[[Floats, Layout], Floats]
    #: Whether it needs to know who gave which rating.
    by_rater: bool = False
    undefined: str = "only one option is ever used"
    #: The closed-form standard error from ratings by option [U, K], nominal, for comparison.
    standard_error: Callable[[Ints], float] | None = None
    declares: Callable[[Layout], Mapping[str, object]] = lambda layout: {}

    @property
    def methods(self) -> tuple[str, ...]:
        """The ways to an interval; the first is goldassay's own."""
        return get_args(ClosedForm) if self.standard_error is not None else ("hedged",)

    def estimate(self, sums: Sums, draw: Draw, *, method: str = "hedged") -> Result:
        """The coefficient with its interval, or why there is none."""
        n_items = sums.rated.n_items
        value = float(self.compute(sums.total, sums.layout))
        if np.isnan(value):
            return Undefined(self.name, f"{self.undefined} ({n_items} units)", n_items)
        made = self._hedged if method == "hedged" else self._asymptotic
        interval, declared = made(sums, value, draw), self.declares(sums.layout)
        return Estimate(self.name, value, interval, n_items, sums.n_clusters, declared)

    def _hedged(self, sums: Sums, value: float, draw: Draw) -> Interval | None:
        low, high = (self.compute(x, sums.layout) for x in (sums.lower, sums.upper))
        if sums.n_clusters < 2 or not (np.isfinite(low).any() and np.isfinite(high).any()):
            return None
        tail = (1 - draw.confidence_level) / 2
        if sums.rated.cluster is not None:
            tail = few_cluster_tail(sums.n_clusters, draw.confidence_level, resampling="bayesian")
        return Interval(
            min(value, float(np.nanquantile(low, tail))),
            max(value, float(np.nanquantile(high, 1 - tail))),
            draw.confidence_level,
            f"hedged Bayesian bootstrap of {sums.rated.unit}s ({draw.draws} draws)",
        )

    def _asymptotic(self, sums: Sums, value: float, draw: Draw) -> Interval | None:
        assert self.standard_error is not None
        error = self.standard_error(np.repeat(sums.rated.counts, sums.rated.n, axis=0))
        if np.isnan(error):
            return None
        reach = float(normal_quantile((1 + draw.confidence_level) / 2)) * error
        return Interval(value - reach, value + reach, draw.confidence_level, "large-sample normal")

    def of(
        self,
        given: GivenRatings,
        draw: Draw,
        *,
        difference: Difference = "nominal",
        method: str = "hedged",
    ) -> Result:
        """The coefficient of the ratings that a caller hands over."""
        checked_draw(self.name, draw)
        rated = given.rated(self.name)
        if method not in self.methods:
            rule = f"is one of {', '.join(self.methods)}"
            raise InputError(f"{self.name}, method", rule, found=shown(method))
        if method != "hedged" and (rated.cluster is not None or difference != "nominal"):
            raise InputError(
                f"{self.name}, method",
                "a closed form holds for units that stand alone, with the nominal difference",
                found=method,
                next_step="Take the default, hedged",
            )
        if self.by_rater and rated.codes is None:
            reason = "a rater gave no rating" if given.votes is None else "nobody knows who voted"
            return Undefined(self.name, reason, rated.n_items)
        if not rated.n_items:
            return Undefined(self.name, NO_PAIR, 0)
        return self.estimate(drawn_sums(rated, difference, draw), draw, method=method)


# --- what a caller hands over -----------------------------------------------------------------


@dataclass(frozen=True)
class GivenRatings:
    """Labels of several raters, or each unit's votes by option."""

    ratings: Ratings | None = None
    votes: ArrayLike | None = None
    labels: Labels | None = None
    clusters: Labels | None = None

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
        """Patterns of units, in the order in which counting finds them."""
        if (self.ratings is None) == (self.votes is None):
            found = "none" if self.ratings is None else "both"
            raise InputError(place, "takes ratings or votes of several raters", found=found)
        if self.votes is not None:
            return self._of_votes(place, np.asarray(self.votes))
        arrays = self._arrays(place)
        missing = [missing_in(array) for array in arrays]
        given = [array[~lost] for array, lost in zip(arrays, missing, strict=True)]
        options = options_of(place, given, self.labels)
        codes = np.full((len(arrays[0]), len(arrays)), -1, np.int64)
        for rater, (array, lost) in enumerate(zip(given, missing, strict=True)):
            codes[~lost, rater] = coded(f"{place}, rater {rater + 1}", array, options)
        cluster, codes, n = self._patterns(place, codes)
        counts = np.stack([(codes == k).sum(1) for k in range(len(options))], 1)
        complete = codes if (codes >= 0).any(0).all() else None
        return Rated(counts, n, cluster, complete, self._unit)

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

    @property
    def _unit(self) -> str:
        return "item" if self.clusters is None else "cluster"

    def _patterns(self, place: str, rows: Ints) -> tuple[Ints | None, Ints, Ints]:
        """Distinct rows of each cluster: the cluster, the row, and how many units have it."""
        cluster = cluster_codes(place, self.clusters, len(rows))
        if cluster is not None and int(cluster.max(initial=-1)) + 1 == len(rows):
            cluster = None  # each unit is a cluster of its own
        if cluster is None:
            found, n = np.unique(rows, axis=0, return_counts=True)
            return None, found, n
        keyed = np.concatenate([cluster[:, None], rows], 1)
        found, n = np.unique(keyed, axis=0, return_counts=True)
        return found[:, 0], found[:, 1:], n

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
        cluster, counts, n = self._patterns(place, votes.astype(np.int64))
        return Rated(counts, n, cluster, None, self._unit)

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


# --- scores -----------------------------------------------------------------------------------


def interval_alpha(name: str, scores: Floats, cluster: Ints, draw: Draw) -> Result:
    """Interval alpha of scores [R, U], with a Bayesian bootstrap of clusters."""
    sums = score_sums(scores)
    n_items = int((sums[:, 0] > 1).sum())
    value = float(krippendorff_alpha_of_scores(sums.sum(0)))
    if np.isnan(value):
        return Undefined(name, "no two scores of a unit, or all scores equal", n_items)
    _, code = np.unique(cluster, return_inverse=True)
    table = np.zeros((int(code.max()) + 1, 4))
    np.add.at(table, code.reshape(-1), sums)
    table = table[table[:, 0] > 0]
    clusters = len(table)
    interval = None
    if clusters > 1:
        weights = np.random.default_rng(draw.seed).standard_exponential((draw.draws, clusters))
        weights *= clusters / weights.sum(1, keepdims=True)
        drawn = krippendorff_alpha_of_scores(weights @ table)
        tail = few_cluster_tail(clusters, draw.confidence_level, resampling="bayesian")
        low, high = np.nanquantile(drawn, [tail, 1 - tail])
        method = f"Bayesian cluster bootstrap ({draw.draws} draws)"
        interval = Interval(
            min(float(low), value), max(float(high), value), draw.confidence_level, method
        )
    return Estimate(name, value, interval, n_items, clusters, {"difference": "interval"})
