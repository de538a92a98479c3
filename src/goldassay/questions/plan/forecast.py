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
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
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
#: A part of a cluster's weight so small is a rounding error of its sum.
ROUNDING = 1e-9
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
    start = _cells(units, shape)
    rest = units.only(~units.labelled)
    effects = _ClusterEffects.of(units, clusters, len(known.pool.items), seed=known.seed)
    runs = int(np.clip(CLUSTER_STUDIES // max(clusters, 1), FEWEST, SOME))
    queues = [np.flatnonzero(rest.stratum == h) for h in range(len(known.pool.items))]
    # The same truths for every number of labels: what differs between two is the labels' doing.
    truths = effects.drawn(runs, np.random.default_rng(known.seed)) if len(rest.cluster) else None

    def taken(more: int | Ints, rng: np.random.Generator) -> Ints:
        if isinstance(more, int):
            return rng.choice(len(rest.cluster), more, replace=False)
        chosen = [
            rng.choice(queue, m, replace=False) for queue, m in zip(queues, more, strict=True)
        ]
        return np.concatenate(chosen).astype(np.int64)

    def studies(block: slice, more: int | Ints, rng: np.random.Generator) -> Array:
        """Cells [R, C, G, 3, V] of a block of studies: labels move from the last row to theirs."""
        size = block.stop - block.start
        cells = np.repeat(start[None], size, axis=0)
        if truths is None:
            return cells
        each = np.array([taken(more, rng) for _ in range(size)], np.int64)
        study = np.arange(size)[:, None]
        rates = truths.rates(study + block.start, rest.cluster[each], rest.stratum[each])
        positive = rng.random(each.shape) < rates
        place = (study * clusters + rest.cluster[each]) * shape[1] + rest.group[each]
        for verdict in range(shape[3]):
            amount = (rest.weight * rest.shares[:, verdict])[each]
            labels = np.bincount(
                (place * 2 + positive).ravel(), amount.ravel(), size * clusters * shape[1] * 2
            ).reshape(size, clusters, shape[1], 2)
            cells[..., :2, verdict] += labels
            left = cells[..., 2, verdict] - labels.sum(-1)
            # Sums of weights end near 0, on either side of it, where everything is labelled.
            cells[..., 2, verdict] = np.where(left > ROUNDING * start[..., 2, verdict], left, 0.0)
        return cells

    def lengths(more: int | Ints) -> Array:
        rng = np.random.default_rng([known.seed, 1])
        labels = more if isinstance(more, int) else int(more.sum())
        at_once = max(CELLS_AT_ONCE // max(start.size, labels, 1), 1)
        found = [
            known.rule.clustered_lengths(
                studies(slice(first, min(first + at_once, runs)), more, rng),
                known.sample.n_items,
                known.scale,
            )
            for first in range(0, runs, at_once)
        ]
        return np.concatenate(found)

    return lengths


def _cells(units: _Units, shape: tuple[int, ...]) -> Array:
    """Cells [C, G, 3, V] of units as they are."""
    place = units.cluster * shape[1] + units.group
    cells = np.empty((shape[0] * shape[1], *shape[2:]))
    for row in range(shape[2]):
        for verdict in range(shape[3]):
            amount = units.weight * units.references[:, row] * units.shares[:, verdict]
            cells[:, row, verdict] = np.bincount(place, amount, len(cells))
    return cells.reshape(shape)


@dataclass(frozen=True)
class _Truths:
    """Possible truths: a model of each, rates of a model by effect, a cluster's effect in each."""

    model: Ints  # [R]
    by_effect: Array  # [M, E, H]
    effect: NDArray[np.int8]  # [R, C]

    def rates(self, study: Ints, cluster: Ints, stratum: Ints) -> Array:
        """Shares of positive items where these are [...]."""
        effect = self.effect[study, cluster]
        return np.asarray(self.by_effect[self.model[study], effect, stratum])


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
            both = np.array([kinds.totals(share, times, moves) for share in shares])
            seen, told = both[:, 0], both[:, 1]
            # What verdicts alone say of the models, then what labels add to it.
            seen_first = seen - seen.max() + np.log(CLUSTER_PRIOR)
            seen_first -= np.log(np.exp(seen_first).sum())
            logs.append(seen_first + told - seen - as_drawn[:, None])
        every = np.array(logs)
        likely = np.exp(every - every.max()).reshape(-1)
        return replace(found, likely=likely / likely.sum(), shares=shares)

    def totals(self, share: Array, times: Ints, moves: bool) -> Array:
        """Log likelihoods by part [2, P], of verdicts and of labels too, all clusters together."""
        at_once = max(CELLS_AT_ONCE // (len(EFFECTS) * len(times)), 1)
        blocks = range(0, len(CLUSTER_SHARES), at_once)
        parts = [CLUSTER_SHARES[first : first + at_once] for first in blocks]
        found = [[_log_means(one) @ times for one in self.logs(share, p, moves)] for p in parts]
        return np.concatenate(found, axis=1)

    def logs(self, share: Array, parts: Array, moves: bool) -> tuple[Array, Array]:
        """Log likelihoods by part, cluster and effect [P, C, E]: of verdicts, and of labels too."""
        n, m, x = self.counts
        rate = self.rate(share)
        true = _true_rates(rate, parts)
        rates = _rates(share, true, rate)  # [P, E, H]
        verdicts = np.zeros((len(parts), len(n), len(EFFECTS)))
        if moves:
            called = share * true[..., None] / rate + (1 - share) * (1 - true[..., None]) / (
                1 - rate
            )
            verdicts = _by_cluster(n, np.log(called))
        labels = _by_cluster(x, np.log(rates)) + _by_cluster(m - x, np.log1p(-rates))
        return verdicts, verdicts + labels

    def rate(self, share: Array) -> float:
        items = self.counts[0].sum(0)
        return float(items @ share / items.sum())

    def drawn(self, runs: int, rng: np.random.Generator) -> _Truths:
        """Possible truths, as likely as the verdicts and labels so far make them."""
        models, model = np.unique(
            rng.choice(len(self.likely), runs, p=self.likely), return_inverse=True
        )
        by_effect = np.empty((len(models), len(EFFECTS), self.shares.shape[1]))
        effect = np.empty((runs, self.counts.shape[1]), np.int8)
        for number, found in enumerate(models):
            moves, row, column = np.unravel_index(found, (2, SHARES, len(CLUSTER_SHARES)))
            share, part = self.shares[row], CLUSTER_SHARES[[column]]
            logs = self.logs(share, part, bool(moves == 0))[1][0]
            weight = np.cumsum(np.exp(logs - logs.max(1, keepdims=True)), axis=1)
            for run in np.flatnonzero(model == number):
                above = rng.random((len(weight), 1)) * weight[:, -1:] > weight
                effect[run] = np.minimum(above.sum(1), len(EFFECTS) - 1)
            rate = self.rate(share)
            by_effect[number] = _rates(share, _true_rates(rate, part), rate)[0]
        return _Truths(model.reshape(-1), by_effect, effect)


def _by_cluster(counts: Array, logs: Array) -> Array:
    """Sums over strata [P, C, E] of counts [C, H] times logarithms [P, E, H]."""
    return np.asarray(counts @ np.swapaxes(logs, 1, 2))


def _log_means(logs: Array) -> Array:
    """log of the mean over effects [..., C, E] of what these are logarithms of."""
    top = logs.max(-1)
    return np.asarray(np.log(np.exp(logs - top[..., None]).mean(-1)) + top)


def _true_rates(rate: float, parts: Array) -> Array:
    """A cluster's true rate by part and effect [P, E], whose mean is `rate`."""
    from goldassay.formulas.compiled import ndtr, ndtri

    part = parts[:, None]
    true = ndtr((ndtri(rate) + np.sqrt(part) * EFFECTS) / np.sqrt(1 - part))
    return np.asarray(np.clip(true, 1e-6, 1 - 1e-6))


def _rates(share: Array, true: Array, rate: float) -> Array:
    """Shares of positive items by effect and stratum [P, E, H]: the odds move with the truth."""
    odds = (true * (1 - rate) / ((1 - true) * rate))[..., None]
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
