"""Numbers over all pairs of raters: the mean of their kappas, and how many independent ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import cohen_kappa, phi
from goldassay.formulas.reliability import error_pairs, mean_known, rating_pairs
from goldassay.inference.clusters import effective_size
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws, hedged_tail
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
    """A number of each pair's table [..., L, L], and one of all pairs' numbers [..., pairs]."""

    name: str
    #: Tables [P, pairs, L, L] of pairs of raters.
    cells: Callable[[Rated, Ints, Ints], Floats]
    of_pair: Callable[[Floats], Floats]
    #: From the pairs' numbers and the number of raters.
    of_all: Callable[[Floats, int], Floats]
    undefined: str
    methods: tuple[str, ...] = ("hedged",)

    def of(self, given: GivenRatings, draw: Draw) -> Result:
        """The number for the ratings that a caller hands over."""
        checked_draw(self.name, draw)
        return self.estimate(given.rated(self.name), draw)

    def estimate(self, rated: Rated, draw: Draw) -> Result:
        """The number with the clusters' weights drawn; it is known who gave which rating.

        All pairs share the weights; a block of them is drawn at a time. Each end of the interval is
        the further of the two hedges: towards pairs that agree, and towards pairs that do not.
        """
        rated = rated.collapsed(by_rater=True)
        assert rated.codes is not None
        raters, alone = rated.codes.shape[1], rated.cluster is None
        pairs = np.stack(np.triu_indices(raters, 1))
        group = np.arange(len(rated.n)) if rated.cluster is None else rated.cluster
        groups = int(group.max()) + 1
        times = rated.n if alone else np.ones(groups, np.int64)
        seen, covered = np.zeros(groups, bool), np.zeros(len(rated.n), bool)
        whole: list[Floats] = []
        lower: list[Floats] = []
        upper: list[Floats] = []
        blocks = np.array_split(pairs, -(-pairs.shape[1] // PAIRS_AT_ONCE), axis=1)
        draws = min(draw.draws, max(FEWEST_DRAWS, TABLES_DRAWN // pairs.shape[1]))
        for block in blocks:
            found = self.cells(rated, *block)
            covered |= found.any((1, 2, 3))
            table = np.zeros((groups, *found.shape[1:]))
            np.add.at(table, group, found * (1 if alone else rated.n[:, None, None, None]))
            seen |= table.any((1, 2, 3))
            drawn = hedged_draws(
                table,
                times,
                draws=draws,
                seed=draw.seed,
                clustered=bool((table.sum((-1, -2)) > 1 + 1e-9).any()),
                merge=len(blocks) == 1,
            )
            whole.append(self.of_pair(np.tensordot(times.astype(float), table, axes=1)))
            lower.append(self.of_pair(drawn.lower))
            upper.append(self.of_pair(drawn.upper))
        value = float(self.of_all(np.concatenate(whole), raters))
        n_items, clusters = int(rated.n[covered].sum()), int(times[seen].sum())
        if np.isnan(value):
            return Undefined(self.name, self.undefined, n_items)
        drawn, interval = replace(drawn, n_clusters=clusters), None
        if clusters > 1:
            tail = hedged_tail(drawn, draw.confidence_level)
            both = [self.of_all(np.concatenate(ends, 1), raters) for ends in (lower, upper)]
            interval = Interval(
                min(value, *(float(np.nanquantile(x, tail)) for x in both)),
                max(value, *(float(np.nanquantile(x, 1 - tail)) for x in both)),
                draw.confidence_level,
                drawn.method,
            )
        declared = {"resampling_unit": rated.unit}
        return Estimate(self.name, value, interval, n_items, clusters, declared)


def _ratings(rated: Rated, first: Ints, second: Ints) -> Floats:
    assert rated.codes is not None
    return rating_pairs(rated.codes, rated.counts.shape[1], first, second)


def _errors(rated: Rated, first: Ints, second: Ints) -> Floats:
    assert rated.codes is not None
    assert rated.reference is not None
    return error_pairs(rated.codes, rated.reference, first, second)


MEAN_PAIRWISE_KAPPA = PairMetric(
    "mean_pairwise_kappa",
    _ratings,
    cohen_kappa,
    lambda kappas, raters: mean_known(kappas),
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
    mean_pairwise_kappa = 0.4822 (-0.1356, 0.8451) 95% hedged posterior of the counts (2000 draws),
    5 items
    """
    given = GivenRatings(ratings, None, labels, clusters)
    return MEAN_PAIRWISE_KAPPA.of(given, Draw(draws, seed, confidence_level))


EFFECTIVE_JUDGES = PairMetric(
    "effective_judges",
    _errors,
    phi,
    lambda correlations, judges: effective_size(judges, mean_known(correlations)),
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
    effective_judges = 1.65 (1.158, 3) 95% hedged posterior of the counts (2000 draws), 8 items
    """
    given = GivenRatings(ratings, None, labels, clusters, reference)
    return EFFECTIVE_JUDGES.of(given, Draw(draws, seed, confidence_level))


PAIR_RECORDS = (MEAN_PAIRWISE_KAPPA, EFFECTIVE_JUDGES)
