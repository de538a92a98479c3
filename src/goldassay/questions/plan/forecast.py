"""Studies as they may end: the labels so far, and simulated ones on top of them.

What the labels so far do not settle is drawn anew in every simulated study: the share of positive
items within each verdict (from its posterior with Jeffreys' prior, so that a share seen at 0 or 1,
or known from a handful of labels, is planned over all that it may be), which items are labelled,
and their labels. In clusters labels hang together: a cluster's true rate moves with a normal effect
(a probit model; Agresti, "Categorical Data Analysis", chapter 13) and the odds of all its labels
with it, its verdicts too or not. The effect's share of the variance is drawn from its posterior,
and a cluster keeps what its verdicts and labels so far say of it. Each study is then given to the
interval of `estimate` (`interval`).

Three ways to go on, as labels were drawn so far: from the pool at random, from the pool by verdict,
or more items of a separate set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.proportions import normal_quantile
from goldassay.questions.estimate.counting import Patterns
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.plan.interval import Rule
from goldassay.questions.plan.pool import Pool, strata_of

__all__ = ["Forecast", "Known", "from_pool", "separate_set"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Simulated studies of lone items, which cost next to nothing, and of clusters.
MANY, SOME, FEWEST = 1_000, 150, 40
#: Clusters times studies that are simulated at once for one number of labels.
CLUSTER_STUDIES = 200_000
#: Cells of studies that are held at once.
CELLS_AT_ONCE = 2_000_000
#: Jeffreys' prior.
PRIOR = 0.5
#: Shares of the variance that a cluster may have, and how likely each is before any label.
CLUSTER_SHARES = np.linspace(0.0, 0.9, 10)
CLUSTER_PRIOR = 1 - CLUSTER_SHARES
#: Shares by verdict that are drawn, as if labels of one cluster were so far alike.
SHARES, WIDE = 32, 0.3
#: Equally likely values of a cluster's effect.
EFFECTS = normal_quantile((np.arange(31) + 0.5) / 31)

#: Lengths [R] after so many more labels, in all or by stratum.
Forecast = Callable[[int | Ints], Array]


@dataclass(frozen=True)
class Known:
    """All that is known before more labels are given; `scale` multiplies design effects."""

    patterns: Patterns
    sample: Sample
    pool: Pool
    rule: Rule
    scale: float
    seed: int


def from_pool(known: Known) -> Forecast:
    """Labels on more items of the pool: a number falls at random, an array [H] by stratum."""
    if known.sample.independent:
        return lambda more: _lone(known, more)
    return _clustered(known)


# --- lone items -------------------------------------------------------------------------------


def _lone(known: Known, more: int | Ints) -> Array:
    pool, rng = known.pool, np.random.default_rng(known.seed)
    runs, m, x = MANY, pool.labelled, pool.positives
    rates = rng.beta(x + PRIOR, m - x + PRIOR, (runs, len(m)))
    new = (
        rng.multivariate_hypergeometric(pool.items - m, more, runs)
        if isinstance(more, int)
        else np.broadcast_to(more, rates.shape)
    )
    positives = x + rng.binomial(new, rates)
    cells = np.zeros((runs, *known.sample.total.shape))
    for row, part in enumerate((m + new - positives, positives, pool.items - m - new)):
        cells[:, pool.group, row, pool.column] = part
    return known.rule.lengths(cells, np.ones(runs))


# --- clusters, weights ------------------------------------------------------------------------


@dataclass(frozen=True)
class _Units:
    """Units of the pool one by one: cluster, stratum, group, weight, verdicts [U, V]."""

    cluster: Ints
    stratum: Ints
    group: Ints
    weight: Array
    shares: Array
    references: Array

    @classmethod
    def of(cls, patterns: Patterns) -> _Units:
        rows = np.flatnonzero(patterns.used)
        _, stratum = strata_of(patterns)
        each = np.repeat(np.arange(len(rows)), patterns.n[rows])
        rows = rows[each]
        cluster = (
            np.arange(len(rows))
            if patterns.cluster is None
            else np.unique(patterns.cluster[rows], return_inverse=True)[1].reshape(-1)
        )
        return cls(
            cluster,
            stratum[each],
            patterns.group[rows],
            patterns.weight[rows],
            patterns.shares[rows],
            patterns.references[rows],
        )

    @property
    def labelled(self) -> NDArray[np.bool_]:
        known: NDArray[np.bool_] = self.references[:, -1] == 0
        return known

    def only(self, rows: NDArray[np.bool_] | Ints) -> _Units:
        return _Units(
            self.cluster[rows],
            self.stratum[rows],
            self.group[rows],
            self.weight[rows],
            self.shares[rows],
            self.references[rows],
        )


def _clustered(known: Known) -> Forecast:
    units = _Units.of(known.patterns)
    clusters = int(units.cluster.max(initial=-1)) + 1
    shape = (clusters, *known.sample.total.shape)
    start = _cells(units.only(units.labelled), units.references[units.labelled], shape)
    start += _cells(units.only(~units.labelled), units.references[~units.labelled], shape)
    rest = units.only(~units.labelled)
    effects = _ClusterEffects.of(units, clusters, len(known.pool.items), seed=known.seed)
    runs = int(np.clip(CLUSTER_STUDIES // max(clusters, 1), FEWEST, SOME))
    queues = [np.flatnonzero(rest.stratum == h) for h in range(len(known.pool.items))]

    def study(more: int | Ints, rng: np.random.Generator) -> Array:
        rates = effects.drawn(rng)
        taken = (
            rng.choice(len(rest.cluster), more, replace=False)
            if isinstance(more, int)
            else np.concatenate(
                [rng.choice(queue, m, replace=False) for queue, m in zip(queues, more, strict=True)]
            )
        )
        chosen = rest.only(taken.astype(np.int64))
        positive = rng.random(len(taken)) < rates[chosen.cluster, chosen.stratum]
        labels = np.stack([~positive, positive, np.zeros_like(positive)], axis=1).astype(float)
        return start + _cells(chosen, labels - chosen.references, shape)

    def lengths(more: int | Ints) -> Array:
        rng = np.random.default_rng(known.seed)
        at_once = max(CELLS_AT_ONCE // max(start.size, 1), 1)
        found = [
            known.rule.clustered_lengths(
                np.array([study(more, rng) for _ in range(min(at_once, runs - first))]),
                known.sample.n_items,
                known.scale,
            )
            for first in range(0, runs, at_once)
        ]
        return np.concatenate(found)

    return lengths


def _cells(units: _Units, references: Array, shape: tuple[int, ...]) -> Array:
    """Cells [C, G, 3, V] of units with these references."""
    place = units.cluster * shape[1] + units.group
    cells = np.empty((shape[0] * shape[1], *shape[2:]))
    for row in range(shape[2]):
        for verdict in range(shape[3]):
            amount = units.weight * references[:, row] * units.shares[:, verdict]
            cells[:, row, verdict] = np.bincount(place, amount, len(cells))
    return cells.reshape(shape)


@dataclass(frozen=True)
class _ClusterEffects:
    """What the pool so far says of how clusters hang together.

    A model is one of `CLUSTER_SHARES`, shares of positive items by stratum, and whether verdicts
    move with a cluster's true rate, as those of a judge that errs alike everywhere do, or not, as
    where it errs by cluster. The shares tell how well the judge knows, and so how far clusters
    whose verdicts differ must differ in truth: a pilot that flatters the judge hides what clusters
    share. So several shares are drawn, and each model is as likely [M] as its verdicts and labels.
    """

    likely: Array
    shares: Array
    #: Items, labels and positives by cluster and stratum [3, C, H].
    counts: Array

    @classmethod
    def of(cls, units: _Units, clusters: int, strata: int, *, seed: int) -> _ClusterEffects:
        place = units.cluster * strata + units.stratum
        known = units.labelled.astype(float)

        def by_cluster(amount: Array) -> Array:
            sums = np.bincount(place, amount, clusters * strata).astype(float)
            return sums.reshape(clusters, strata)

        amounts = (np.ones(len(place)), known, known * units.references[:, 1])
        counts = np.stack([by_cluster(one) for one in amounts])
        found = cls(np.empty(0), np.empty((0, strata)), counts)
        labels, positives = counts[1:].sum(1)
        # Drawn wider than lone labels would tell them, and weighed by what the labels say.
        size = np.divide((counts[1] ** 2).sum(0), labels, out=np.ones(strata), where=labels > 0)
        worth = 1 / (1 + np.maximum(size - 1, 0) * WIDE)
        rng = np.random.default_rng(seed)
        a, b = (one * worth + PRIOR for one in (positives, labels - positives))
        shares = np.clip(rng.beta(a, b, (SHARES, strata)), 1e-9, 1 - 1e-9)
        as_drawn = np.log(shares) @ (a - PRIOR) + np.log1p(-shares) @ (b - PRIOR)
        distinct, times = np.unique(np.moveaxis(counts, 1, 0), axis=0, return_counts=True)
        kinds = replace(found, counts=np.moveaxis(distinct, 0, 1))
        logs = list[Array]()
        for moves in (True, False):
            seen, told = (
                np.array(part).reshape(SHARES, -1)
                for part in zip(
                    *(
                        [times @ _log_means(one) for one in kinds.logs(share, part, moves)]
                        for share in shares
                        for part in CLUSTER_SHARES
                    ),
                    strict=True,
                )
            )
            # What verdicts alone say of the models, then what labels add to it.
            seen_first = seen - seen.max() + np.log(CLUSTER_PRIOR)
            seen_first -= np.log(np.exp(seen_first).sum())
            logs.append(seen_first + told - seen - as_drawn[:, None])
        every = np.array(logs)
        likely = np.exp(every - every.max()).reshape(-1)
        return replace(found, likely=likely / likely.sum(), shares=shares)

    def logs(self, share: Array, part: float, moves: bool) -> tuple[Array, Array]:
        """Log likelihoods by cluster and effect [C, E]: of verdicts, and of labels as well."""
        n, m, x = self.counts
        rate = self.rate(share)
        true = _true_rates(rate, part)
        rates = _rates(share, true, rate)  # [E, H]
        verdicts = np.zeros((len(n), len(EFFECTS)))
        if moves:
            called = share * true[:, None] / rate + (1 - share) * (1 - true[:, None]) / (1 - rate)
            verdicts = n @ np.log(called).T
        return verdicts, verdicts + x @ np.log(rates).T + (m - x) @ np.log1p(-rates).T

    def rate(self, share: Array) -> float:
        items = self.counts[0].sum(0)
        return float(items @ share / items.sum())

    def drawn(self, rng: np.random.Generator) -> Array:
        """Shares of positive items by cluster and stratum [C, H], of one possible truth."""
        model = int(rng.choice(len(self.likely), p=self.likely))
        moves, row, column = np.unravel_index(model, (2, SHARES, len(CLUSTER_SHARES)))
        share, part = self.shares[row], float(CLUSTER_SHARES[column])
        logs = self.logs(share, part, bool(moves == 0))[1]
        weight = np.cumsum(np.exp(logs - logs.max(1, keepdims=True)), axis=1)
        effect = (rng.random((len(weight), 1)) * weight[:, -1:] > weight).sum(1)
        rate = self.rate(share)
        rates = _rates(share, _true_rates(rate, part), rate)
        return np.asarray(rates[np.minimum(effect, len(EFFECTS) - 1)])


def _log_means(logs: Array) -> Array:
    """log of the mean over effects [C, E] of what these are logarithms of."""
    top = logs.max(1)
    return np.asarray(np.log(np.exp(logs - top[:, None]).mean(1)) + top)


def _true_rates(rate: float, part: float) -> Array:
    """A cluster's true rate by effect [E], whose mean is `rate`."""
    from goldassay.formulas.compiled import ndtr, ndtri

    true = ndtr((ndtri(rate) + np.sqrt(part) * EFFECTS) / np.sqrt(1 - part))
    return np.asarray(np.clip(true, 1e-6, 1 - 1e-6))


def _rates(share: Array, true: Array, rate: float) -> Array:
    """Shares of positive items by effect and stratum [E, H]: the odds move with the true rate."""
    odds = (true * (1 - rate) / ((1 - true) * rate))[:, None]
    return np.asarray(np.clip(share * odds / (1 - share + share * odds), 1e-12, 1 - 1e-12))


# --- a separate set ---------------------------------------------------------------------------


def separate_set(known: Known, *, by_label: bool) -> Forecast:
    """More items of a separate set, as those so far: as they come, or so many of each label.

    In clusters the design effect stays what it is, within what so many clusters can tell of it.
    """
    sample, rule = known.sample, known.rule
    total = sample.total
    calibration, test = total[:, :-1], total[:, -1]
    inflation = 1.0
    if not sample.independent:
        inflation = known.scale * sample.inflation(
            rule.rate_of_cells, confidence_level=rule.confidence_level
        )

    def lengths(more: int | Ints) -> Array:
        rng = np.random.default_rng(known.seed)
        runs = MANY
        labels = int(more if isinstance(more, int) else more.sum())
        cells = np.empty((runs, *total.shape))
        cells[:, :, -1] = test
        cells[:, :, :-1] = calibration + _more_of(calibration, labels, runs, by_label, rng)
        scale = np.full(runs, inflation)
        if not sample.independent:
            degrees = max(sample.n_clusters - 1, 1)
            scale = np.maximum(scale * degrees / rng.chisquare(degrees, runs), 1.0)
        return rule.lengths(cells, scale)

    return lengths


def _more_of(
    calibration: Array, labels: int, runs: int, by_label: bool, rng: np.random.Generator
) -> Array:
    """So many more labelled items [R, G, 2, V], drawn as those there are."""
    by_row = np.moveaxis(calibration, 1, 0).reshape(2, -1)
    if not by_label:
        rates = rng.dirichlet(by_row.reshape(-1) + PRIOR, runs)
        drawn = rng.multinomial(labels, rates).reshape(runs, 2, -1)
    else:
        positives = round(labels * float(by_row[1].sum() / max(by_row.sum(), 1e-300)))
        drawn = np.stack(
            [
                rng.multinomial(number, rng.dirichlet(row + PRIOR, runs))
                for number, row in zip((labels - positives, positives), by_row, strict=True)
            ],
            axis=1,
        )
    groups, _, verdicts = calibration.shape
    return np.moveaxis(drawn.reshape(runs, 2, groups, verdicts).astype(float), 1, 2)
