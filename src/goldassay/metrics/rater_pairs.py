"""Numbers over all pairs of raters: the mean of their kappas, and how many independent ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import cohen_kappa, phi, ratio
from goldassay.formulas.reliability import error_pairs, errors, rating_pairs
from goldassay.frozen import dataclass
from goldassay.inference.cells import MOST_OPTIONS, Cells, hits_and_sizes, total_of
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.clusters import cluster_sums, effective_size
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import Prior, SharedWeights, hedged_draws, hedged_tail
from goldassay.metrics.describing import CONFIDENCE_LEVEL, DRAWS, SEED, describes
from goldassay.metrics.inputs import Labels, checked_draw
from goldassay.metrics.rater_inputs import GivenRatings, Rated, Ratings
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["effective_judges", "mean_pairwise_kappa"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Pairs of raters whose tables are drawn at a time.
PAIRS_AT_ONCE = 50
#: Tables drawn in all: of thousands of pairs, whose mean varies little, each has fewer draws.
TABLES_DRAWN = 4_000_000
FEWEST_DRAWS = 500


@dataclass(frozen=True)
class PairMetric:
    """A number of each pair's table [..., L, L], and one of the mean over all pairs."""

    name: str
    #: What gives tables [P, pairs, L, L] of pairs of raters.
    cells: Callable[[Rated], Callable[[Ints, Ints], Floats | Cells]]
    of_pair: Callable[[Any], Floats]
    #: From the mean of the pairs' numbers and the number of raters.
    of_mean: Callable[[Floats, int], Floats]
    undefined: str
    methods: tuple[str, ...] = ("hedged",)

    def of(self, given: GivenRatings, draw: Draw) -> Result:
        """The number for the ratings that a caller hands over."""
        checked_draw(self.name, draw)
        return self.estimate(given.rated(self.name), draw)

    def estimate(self, rated: Rated, draw: Draw) -> Result:
        """The number with the clusters' weights drawn; it is known who gave which rating.

        All pairs share the weights and the pseudo-counts, as an item more would be rated by all;
        the tables of a block of them are made at a time. Each end of
        the interval is the further of the two hedges: towards pairs that agree, and towards pairs
        that do not.
        """
        rated = rated.collapsed(by_rater=True)
        assert rated.codes is not None
        raters, alone = rated.codes.shape[1], rated.cluster is None
        pairs = np.stack(np.triu_indices(raters, 1))
        groups = len(rated.n) if rated.cluster is None else int(rated.cluster.max()) + 1
        times = rated.n if alone else np.ones(groups, np.int64)
        if rated.cluster is not None and rated.alike is not None:
            times = rated.alike[:groups]
        seen, covered = np.zeros(groups, bool), np.zeros(len(rated.n), bool)
        blocks = np.array_split(pairs, -(-pairs.shape[1] // PAIRS_AT_ONCE), axis=1)
        draws = min(draw.draws, max(FEWEST_DRAWS, TABLES_DRAWN // pairs.shape[1]))
        shared = None
        if len(blocks) > 1:
            shared = SharedWeights(times, draws, draw.seed, shared_prior=True)
        means, cells = [_Mean(), _Mean(), _Mean()], self.cells(rated)
        hits, decisions, clustered = np.zeros(groups), np.zeros(groups), False
        for block in blocks:
            found = cells(*block)
            covered |= hits_and_sizes(found)[1].any(1)
            if rated.cluster is not None:
                found = _by_cluster(found, rated.n // times[rated.cluster], rated.cluster, groups)
            right, sizes = hits_and_sizes(found)
            seen |= sizes.any(1)
            several = bool((sizes > 1 + 1e-9).any())
            hits, decisions = hits + right.sum(1), decisions + sizes.sum(1)
            clustered |= several
            if shared is None:
                drawn = hedged_draws(
                    found,
                    times,
                    draws=draws,
                    seed=draw.seed,
                    clustered=several,
                    prior=Prior(shared=True),
                )
            else:
                drawn = shared.hedged(found, clustered=several)
            tables = (total_of(found, times)[None], drawn.lower, drawn.upper)
            for mean, table in zip(means, tables, strict=True):
                values = self.of_pair(table)
                mean.add(values.reshape(len(values), -1))
        (value,), *both = (self.of_mean(mean.value, raters) for mean in means)
        value = float(value)
        n_items, clusters = int(rated.n[covered].sum()), int(times[seen].sum())
        if np.isnan(value):
            return Undefined(self.name, self.undefined, n_items)
        # Which block of pairs came last says nothing: clusters are those of all pairs.
        spread = ClusterSpread.of_share(hits, decisions, times) if clustered else None
        drawn = replace(drawn, n_clusters=clusters, clustered=clustered, spread=spread)
        interval = None
        if clusters > 1:
            tail = hedged_tail(drawn, draw.confidence_level)
            interval = Interval(
                min(value, *(float(np.nanquantile(x, tail)) for x in both)),
                max(value, *(float(np.nanquantile(x, 1 - tail)) for x in both)),
                draw.confidence_level,
                drawn.method,
            )
        declared = {"resampling_unit": rated.unit}
        return Estimate(self.name, value, interval, n_items, clusters, declared)


class _Mean:
    """The mean of the numbers that are not NaN, pairs added block by block."""

    def __init__(self) -> None:
        self._total: Floats | float = 0.0
        self._number: Floats | float = 0.0

    def add(self, values: Floats) -> None:
        """Numbers [..., pairs] of more pairs."""
        known = np.isfinite(values)
        self._total = self._total + np.where(known, values, 0.0).sum(-1)
        self._number = self._number + known.sum(-1)

    @property
    def value(self) -> Floats:
        return ratio(self._total, self._number)


def _by_cluster(found: Floats | Cells, n: Ints, cluster: Ints, groups: int) -> Floats | Cells:
    if isinstance(found, Cells):
        return found.summed(cluster, groups, n)
    return cluster_sums(found, n, cluster)[0]


def _ratings(rated: Rated) -> Callable[[Ints, Ints], Floats | Cells]:
    assert rated.codes is not None
    codes, size = rated.codes, rated.counts.shape[1]

    def of(first: Ints, second: Ints) -> Floats | Cells:
        if size <= MOST_OPTIONS:
            return rating_pairs(codes, size, first, second)
        one, two = codes[:, first], codes[:, second]
        unit, pair = np.nonzero((one >= 0) & (one < size) & (two >= 0) & (two < size))
        shape = (len(codes), len(first), size)
        return Cells(unit, pair, one[unit, pair], two[unit, pair], np.ones(len(unit)), shape)

    return of


def _errors(rated: Rated) -> Callable[[Ints, Ints], Floats | Cells]:
    assert rated.codes is not None
    assert rated.reference is not None
    return partial(error_pairs, errors(rated.codes, rated.reference))


MEAN_PAIRWISE_KAPPA = PairMetric(
    "mean_pairwise_kappa",
    _ratings,
    cohen_kappa,
    lambda kappa, raters: kappa,
    "no two raters use more than one option",
)


@describes(MEAN_PAIRWISE_KAPPA)
def mean_pairwise_kappa(
    ratings: Ratings,
    *,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """Cohen's kappa, averaged over all pairs of raters.

    Each pair counts the same, over the units that both rated; pairs whose kappa is undefined are
    left out of the mean.

    Examples
    --------
    >>> mean_pairwise_kappa([[1, 0, 1, 1, 0], [1, 0, 0, 1, 0], [1, 0, 1, 1, 1]])
    mean_pairwise_kappa = 0.4822 (-0.2532, 0.8782) 95% hedged posterior of the counts (2000 draws),
    5 items
    """
    given = GivenRatings(ratings, None, labels, clusters)
    return MEAN_PAIRWISE_KAPPA.of(given, Draw(draws, seed, confidence_level))


EFFECTIVE_JUDGES = PairMetric(
    "effective_judges",
    _errors,
    phi,
    lambda correlation, judges: effective_size(judges, correlation),
    "the errors of no two judges can be correlated",
)


@describes(EFFECTIVE_JUDGES)
def effective_judges(
    reference: Labels,
    ratings: Ratings,
    *,
    labels: Labels | None = None,
    clusters: Labels | None = None,
    confidence_level: float = CONFIDENCE_LEVEL,
    seed: int = SEED,
    draws: int = DRAWS,
) -> Estimate | Undefined:
    """How many independent judges several are worth whose errors go together.

    J / (1 + (J - 1) r) with r the mean correlation of two judges' errors: 1 where all err on the
    same items, at most J.

    Examples
    --------
    >>> people = [1, 1, 1, 0, 0, 0, 1, 0]
    >>> judges = [[1, 1, 0, 0, 0, 1, 1, 0], [1, 0, 0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0, 1, 0]]
    >>> effective_judges(people, judges)
    effective_judges = 1.65 (1.129, 3) 95% hedged posterior of the counts (2000 draws), 8 items
    """
    given = GivenRatings(ratings, None, labels, clusters, reference)
    return EFFECTIVE_JUDGES.of(given, Draw(draws, seed, confidence_level))


PAIR_RECORDS = (MEAN_PAIRWISE_KAPPA, EFFECTIVE_JUDGES)
