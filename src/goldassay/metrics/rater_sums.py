"""A coefficient among several raters: its record, and how its interval is made.

Everything is a function of sums over units (coincidences, pairs, each rater's own labels), so that
a draw of the units' weights is a row of sums. Intervals draw the clusters' weights (Bayesian
bootstrap), hedged by a pseudo-unit whose raters differ and one rated in unison, as
`goldassay.inference.posterior` does for a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from goldassay.errors import InputError
from goldassay.formulas.agreement import Counts
from goldassay.formulas.reliability import (
    Difference,
    krippendorff_alpha_of_scores,
    pair_sums,
    score_sums,
)
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import weighted_sums
from goldassay.inference.cells import MOST_OPTIONS, Cells, SparseRows, coincidence_cells, margins
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.clusters import cluster_sums, distinct_clusters
from goldassay.inference.draw import Draw
from goldassay.inference.proportions import normal_quantile
from goldassay.metrics.inputs import checked_draw, checked_method
from goldassay.metrics.rater_inputs import GivenRatings, Rated
from goldassay.metrics.tables import ClosedForm
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["GivenRatings", "Rated", "RaterMetric", "Sums", "drawn_sums", "interval_alpha"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NO_PAIR = "no unit has two ratings"


@dataclass(frozen=True)
class Layout:
    """Where the parts of a row of sums stand, and how far apart two options are."""

    size: int
    difference: Difference
    #: Agreement weights of the options, where some are declared.
    weights: Floats | None = None

    @property
    def every_cell(self) -> bool:
        """Whether all coincidences are held; else, of many options, their margins."""
        return self.size <= MOST_OPTIONS or self.difference != "nominal"

    @property
    def _square(self) -> int:
        return self.size**2 if self.every_cell else 3 * self.size + 1

    def rows(self, cells: Cells) -> SparseRows:
        """Coincidences as they stand in a row of sums."""
        return cells.every_cell if self.every_cell else cells.read(self.weights)

    def coincidences(self, sums: Floats) -> Counts:
        """Krippendorff's coincidences [..., K, K], or their margins."""
        found = sums[..., : self._square]
        if self.every_cell:
            return np.asarray(found.reshape(*sums.shape[:-1], self.size, self.size))
        return margins(found, self.size, near=self.weights is not None)

    def pairs(self, sums: Floats) -> Floats:
        """What `pair_sums` gives [..., K + 3]."""
        return np.asarray(sums[..., self._square : self._square + self.size + 3])

    def raters(self, sums: Floats) -> Floats:
        """Each rater's ratings by option [..., R, K]."""
        rest = sums[..., self._square + self.size + 3 :]
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
    #: Sums of the distinct clusters [C, ...], how many clusters have each, and their units.
    clusters: Floats
    times: Ints
    sizes: Floats


def drawn_sums(
    rated: Rated,
    difference: Difference,
    draw: Draw,
    *,
    by_rater: bool = False,
    weights: Floats | None = None,
) -> Sums:
    """The sums behind every coefficient among raters; some unit has two ratings.

    `by_rater` adds what each rater said, for coefficients that need to know it; `weights` are those
    of a weighted one.
    """
    rated = rated.collapsed(by_rater=by_rater)
    size = rated.counts.shape[1]
    layout = Layout(size, difference, weights)
    together = layout.rows(coincidence_cells(rated.counts)).dense()
    pairs = pair_sums(rated.counts)
    parts = [together, pairs]
    if rated.codes is not None:
        parts += [(rated.codes == k).astype(float) for k in range(size)]
    stack = np.concatenate(parts, 1)
    units = np.ones((len(stack), 1))
    stacked = np.concatenate([stack, units], 1)
    table, times = cluster_sums(stacked, rated.n, rated.cluster, rated.alike)
    used = table[:, :-1].any(1)
    table, times = distinct_clusters(table[used], times[used])
    table, sizes = table[:, :-1], table[:, -1]
    rng = np.random.default_rng(draw.seed)
    base = _sums_of_all(table, times, draw.draws, rng)
    # As in the hedged posterior of a table: a pseudo-unit in unison is spread over the diagonal,
    # one whose raters all differ over the rest.
    ratings = float((rated.n * rated.counts.sum(1))[rated.counts.sum(1) > 1].sum())
    ratings /= max(float((rated.n @ pairs)[1]), 1.0)
    apart = (1 - np.eye(size)) / max(size * (size - 1), 1)
    alike = Cells.of(np.stack([np.eye(size) / size, apart])[:, None])
    even, at = [1 / size] * size, together.shape[1]
    unison, split = np.full((2, stack.shape[1]), 1 / size)  # each rater's own rating of it
    unison[:at], split[:at] = ratings * layout.rows(alike).dense()
    unison[at : at + size + 3] = [1, 1, *even, 1]
    split[at : at + size + 3] = [0, 1, *even, 1]
    scale = max(1.0, float(rated.n.sum() / times.sum()))
    full = rng.standard_gamma(1.0, size=(2, draw.draws, 1)) * scale
    part = rng.standard_gamma(0.25, size=(2, draw.draws, 1)) * scale
    lower = np.asfortranarray(base + full[0] * split + part[0] * unison)
    upper = np.asfortranarray(base + full[1] * unison + part[1] * split)
    total = np.asarray(rated.n @ stack, np.float64)
    return Sums(rated, layout, total, lower, upper, int(times.sum()), table, times, sizes)


def _tail(left_out: Floats, value: float, sizes: Floats, times: Ints, level: float) -> float:
    """The probability in each tail of draws, from the values without each distinct cluster [C].

    Clusters of unequal sizes know their spread as few equal ones do.
    """
    clusters = float(times.sum())
    if clusters < 2:
        return 0.0
    moves = np.nan_to_num(value - left_out)
    return ClusterSpread.of_moves(moves, sizes, times, alike=False).tail(clusters, level)


def _sums_of_all(table: Floats, times: Ints, draws: int, rng: np.random.Generator) -> Floats:
    """Draws of sums over clusters whose weights together are the number of clusters.

    n in alpha's (n - 1) is the number of ratings: weights keep their sum.
    """
    drawn = weighted_sums(np.column_stack([table, np.ones(len(table))]), times, draws, rng)
    sums: Floats = drawn[:, :-1] * (times.sum() / drawn[:, -1:])
    return sums


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
            left_out = self.compute(sums.total - sums.clusters, sums.layout)
            level = draw.confidence_level
            tail = _tail(left_out, value, sums.sizes, sums.times, level)
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
        checked_method(self.name, method, self.methods)
        if method != "hedged" and (rated.cluster is not None or difference != "nominal"):
            raise InputError(
                f"{self.name}, method",
                "a closed form holds for units that stand alone, with the nominal difference",
                found=method,
                next_step="Take the default, hedged",
            )
        if not rated.n_items:
            return Undefined(self.name, NO_PAIR, 0)
        silent = rated.codes is not None and bool((rated.codes < 0).all(0).any())
        if self.by_rater and silent:
            return Undefined(self.name, "a rater gave no rating", rated.n_items)
        sums = drawn_sums(rated, difference, draw, by_rater=self.by_rater)
        return self.estimate(sums, draw, method=method)


# --- scores -----------------------------------------------------------------------------------


def interval_alpha(name: str, scores: Floats, cluster: Ints, draw: Draw) -> Result:
    """Interval alpha of scores [R, U], with a hedged Bayesian bootstrap of clusters.

    As for labels, a pseudo-unit in unison and one whose raters differ all they can lean each end
    away from the estimate; their scores vary as all scores do.
    """
    sums = score_sums(scores)
    n_items = int((sums[:, 0] > 1).sum())
    value = float(krippendorff_alpha_of_scores(sums.sum(0)))
    if np.isnan(value):
        return Undefined(name, "no two scores of a unit, or all scores equal", n_items)
    _, code = np.unique(cluster, return_inverse=True)
    table, times = cluster_sums(sums, np.ones(len(sums), np.int64), code)
    used = table[:, 0] > 0
    table, times = table[used], times[used]
    clusters = len(table)
    interval = None
    if clusters > 1:
        rng = np.random.default_rng(draw.seed)
        drawn = _sums_of_all(table, times, draw.draws, rng)
        unison, split = _pseudo_units(table.sum(0), float((sums[:, 0] > 1).sum()))
        scale = n_items / clusters
        full = rng.standard_gamma(1.0, size=(2, draw.draws, 1)) * scale
        part = rng.standard_gamma(0.25, size=(2, draw.draws, 1)) * scale
        lower = krippendorff_alpha_of_scores(drawn + full[0] * split + part[0] * unison)
        upper = krippendorff_alpha_of_scores(drawn + full[1] * unison + part[1] * split)
        left_out = krippendorff_alpha_of_scores(table.sum(0) - table)
        sizes = np.bincount(code, sums[:, 0] > 1).astype(np.float64)[used]
        tail = _tail(left_out, value, sizes, times, draw.confidence_level)
        low, high = np.nanquantile(lower, tail), np.nanquantile(upper, 1 - tail)
        method = f"hedged Bayesian cluster bootstrap ({draw.draws} draws)"
        interval = Interval(
            min(float(low), value), max(float(high), value), draw.confidence_level, method
        )
    return Estimate(name, value, interval, n_items, clusters, {"difference": "interval"})


def _pseudo_units(total: Floats, units: float) -> tuple[Floats, Floats]:
    """`score_sums` of a unit in unison and of one whose m raters differ, with the scores' spread.

    Both have as many ratings as a unit has on average, at mean and variance of all scores: none of
    that variance is within the first, and all of it, m^2 / (m - 1) times, within the second.
    """
    n, sum_of, squares, _ = total
    m, mean = max(n / units, 2.0), sum_of / n
    variance = max(squares / n - mean**2, 0.0)
    both = np.array([m, m * mean, m * (mean**2 + variance), 0.0])
    return both, both + np.array([0.0, 0.0, 0.0, 2 * m**2 * variance / (m - 1)])
