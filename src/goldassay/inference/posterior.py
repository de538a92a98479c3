"""Intervals that cover what they claim, for functions of a table of counts.

**The hedged posterior.** The textbook intervals fail where judges are usually tested: few items, a
rare class, a nearly perfect judge. goldassay's own is the posterior of the table of counts under
two nearly empty priors, one for each end. The lower end is read under a prior that leans towards
disagreement (1 pseudo-count off the diagonal, 1/4 on it), the upper end under its mirror image. For
a proportion this is the hedged interval of `proportions`.

**Clusters.** Give every cluster a standard exponential weight (Rubin's Bayesian bootstrap); for
clusters of one decision the summed counts are then exactly the Dirichlet draw above, so one method
serves both. With clusters the pseudo-counts weigh as a design effect does (a cautious one where the
errors come from few clusters), and the tails are moved out for a small number of clusters as
Student's t does for a mean; one giant cluster among small ones is worth few. Which clusters (or
items of unequal weight) a coefficient hangs on is its own matter: recall knows the clusters with
positives alone (`spread_of`, `share_draws`).

`docs/intervals.md` holds the measured coverage, beside the textbook intervals'.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import Margins
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import blocks, exponential_weights, gamma_process, weighted_sums
from goldassay.inference.cells import MOST_OPTIONS, Cells, SparseRows, hits_and_sizes, margins
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.clusters import (
    cautious_design_effect_of_share,
    distinct_clusters,
    few_cluster_tail,
)
from goldassay.inference.proportions import COUNTER, LEAN
from goldassay.inference.quantiles import quantile
from goldassay.results import Interval

__all__ = [
    "Classes",
    "HedgedDraws",
    "Prior",
    "SharedWeights",
    "hedged_draws",
    "hedged_interval",
    "hedged_tail",
    "influences",
    "leaning_on_each_option",
    "share_draws",
    "spread_of",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Weights that are kept for tables to come: 128 MB of them.
MOST_WEIGHTS = 16_000_000
#: Cells off the diagonal on which pseudo-counts are drawn, of many options.
PSEUDO_ATOMS = 40
#: Step of the numerical derivative, in decisions.
STEP = 1e-4


@dataclass(frozen=True)
class HedgedDraws:
    """Draws of the table under the prior of the lower end and under that of the upper end.

    Whole tables, or, where there are many options, what coefficients read of them.
    """

    lower: Array | Margins
    upper: Array | Margins
    n_clusters: int
    clustered: bool
    #: Every cluster holds whole decisions, so that shares of them are binomial.
    whole: bool = True
    #: How well the clusters know their spread; None where they are taken to be of equal size.
    spread: ClusterSpread | None = None
    #: Where the draws are margins, the tables they are of, some draws at a time.
    tables: Callable[[], Iterator[tuple[Array, Array]]] | None = None
    #: Clusters with cases of a share of one margin; None: all.
    held: int | None = None

    def of(
        self, statistic: Callable[[Any], Array], *, every_cell: bool = False
    ) -> tuple[Array, Array]:
        """A statistic of the draws for the lower end and for the upper end, [B, ...] each.

        One that reads `every_cell` is given tables, another may be given their margins.
        """
        if self.tables is None or not every_cell:
            return statistic(self.lower), statistic(self.upper)
        values = [(statistic(low), statistic(high)) for low, high in self.tables()]
        lower, upper = (np.concatenate(end) for end in zip(*values, strict=True))
        return lower, upper

    @property
    def stratified(self) -> bool:
        """Whether decisions were labelled within strata of known size (`strata.py`)."""
        return False

    def leaning(self, statistic: Callable[[Array], Array]) -> HedgedDraws:
        """The draws as one statistic needs them: the same for all, unless strata make them up."""
        return self

    @property
    def method(self) -> str:
        draws = len(self.lower)
        if self.clustered:
            return f"hedged Bayesian cluster bootstrap ({draws} draws, {self.n_clusters} clusters)"
        return f"hedged posterior of the counts ({draws} draws)"


class Classes(Protocol):
    """What the classes of a table mean."""

    @property
    def size(self) -> int:
        """So many of them, the first ones, are options."""

    @property
    def weights(self) -> Array:
        """The agreement weights [K, K] of near misses."""


@dataclass(frozen=True)
class Prior:
    """What pseudo-counts are told of tables."""

    classes: Classes | None = None
    #: Whether groups are numbers of the same items (pairs of raters), as a pseudo-item then is too.
    shared: bool = False


NOTHING_TOLD = Prior()


def hedged_draws(
    counts: ArrayLike | Cells,
    multiplicity: ArrayLike,
    *,
    draws: int,
    seed: int,
    clustered: bool,
    prior: Prior = NOTHING_TOLD,
) -> HedgedDraws:
    """Draws of summed tables from cluster counts [C, ..., K, K], under both priors.

    `multiplicity[c]` clusters have the counts of c, equal clusters are drawn together. Axes between
    the first and the last two are groups (criteria): they share the clusters' weights, and each has
    pseudo-counts of its own; where the `prior` is shared, a pseudo-item is in the tables of all of
    them: drawn apart, what is not known would average out in their mean. Of more than
    `MOST_OPTIONS` options margins are drawn (of one group without an axis for it), with the sum
    that the agreement weights of its classes make of the cells. A class that is no option and no
    reference (abstained, invalid) has no pseudo-counts: a mean over the classes of the reference
    would count it.
    """
    classes, shared_prior = prior.classes, prior.shared
    weights = None if classes is None else classes.weights
    multiples = np.asarray(multiplicity, dtype=np.int64)
    if isinstance(counts, Cells):
        groups = counts.shape[1:2] if counts.shape[1] > 1 else ()
        if counts.size > MOST_OPTIONS:
            plan = _Plan(*counts.distinct(multiples), groups, draws, seed, weights, shared_prior)
            return plan.hedged(clustered=clustered)
        counts = counts.dense().reshape(counts.shape[0], *groups, counts.size, counts.size)
    table = np.asarray(counts, dtype=np.float64)
    if table.shape[-1] > MOST_OPTIONS:
        cells = Cells.of(table.reshape(len(table), -1, *table.shape[-2:]))
        groups = table.shape[1:-2]
        plan = _Plan(*cells.distinct(multiples), groups, draws, seed, weights, shared_prior)
        return plan.hedged(clustered=clustered)
    table, multiples = distinct_clusters(table, multiples)
    rng = np.random.default_rng(seed)
    summed = weighted_sums(table.reshape(len(table), -1), multiples, draws, rng)
    base, size = summed.reshape(draws, *table.shape[1:]), table.shape[-1]
    kept = np.arange(size) < (size if classes is None else classes.size)
    kept = kept | table.any((0, -1))
    shape = base.shape
    if shared_prior:
        shape, kept = _of_one(base.shape), np.asarray(kept.reshape(-1, size).any(0))
    low, high = (
        _pseudo(shape, on, off, rng, kept) for on, off in ((COUNTER, LEAN), (LEAN, COUNTER))
    )
    return _hedged(base, (low, high), table, multiples, clustered=clustered)


def _pseudo(
    shape: tuple[int, ...],
    on: float,
    off: float,
    rng: np.random.Generator,
    kept: NDArray[np.bool_] | None = None,
) -> Array:
    """Pseudo-counts of shape `on` on the diagonals of tables and `off` elsewhere, shared evenly.

    By the rows [..., K] that are `kept`, or all.
    """
    size = shape[-1]
    rows = np.ones(size, bool) if kept is None else kept
    number = rows.sum(-1)[..., None, None]
    share = np.where(np.eye(size, dtype=bool), on / number, off / (number * max(size - 1, 1)))
    return rng.standard_gamma(np.broadcast_to(share * rows[..., None], shape))


def _of_one(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape [B, ..., K, K] with one group for all."""
    return (shape[0], *(1 for _ in shape[1:-2]), *shape[-2:])


def _hedged(
    base: Array, pseudo: Sequence[Array], table: Array, times: Ints, *, clustered: bool
) -> HedgedDraws:
    """Draws of tables and of the pseudo-counts of each end, put together."""
    scale: float | Array = 1.0
    spread = None
    if clustered:  # a pseudo-count weighs as many decisions as are worth an independent one
        (hits, sizes), lone = hits_and_sizes(table), _lone(table)
        scale = _worth_of_one(hits, sizes, times, lone=lone)[..., None, None]
        together = tuple(range(1, hits.ndim))
        spread = ClusterSpread.of_share(hits.sum(together), sizes.sum(together), times, lone=lone)
    # Draws are next to each other in memory: sums over a small table are then sums of long rows.
    lower, upper = (np.asfortranarray(base + scale * one) for one in pseudo)
    whole = bool(np.all(table == np.round(table)))
    return HedgedDraws(lower, upper, int(times.sum()), clustered, whole, spread)


def _worth_of_one(hits: Array, sizes: Array, times: Ints, *, lone: bool) -> Array:
    """How many decisions are worth an independent one: the design effect, [...] of [C, ...].

    That of `lone` items is known, from their weights: Kish's.
    """
    if not lone:
        return np.asarray(cautious_design_effect_of_share(hits, sizes, times))
    of = np.maximum(np.tensordot(times, sizes, axes=1), 1e-300)
    return np.asarray(np.maximum(np.tensordot(times, sizes**2, axes=1) / of, 1.0))


class SharedWeights:
    """Draws of many tables of the same clusters, some tables at a time, with the same weights.

    Every cluster's weight is drawn. What is drawn is kept, unless there are too many clusters. All
    tables share the pseudo-counts, too, with a `shared_prior`.
    """

    def __init__(self, times: Ints, draws: int, seed: int, *, shared_prior: bool = False) -> None:
        self._times, self._draws, self._seed = times, draws, seed
        self._shared_prior = shared_prior
        self._rng = np.random.default_rng(seed)
        few = draws * len(times) <= MOST_WEIGHTS
        self._kept = list(self._weights(self._rng)) if few else None
        self._pseudo: dict[tuple[int, ...], tuple[Array, Array]] = {}

    def _weights(self, rng: np.random.Generator) -> Iterator[Array]:
        for rows in blocks(self._draws, len(self._times)):
            yield exponential_weights(self._times, rows, rng)

    def hedged(self, table: Array | Cells, *, clustered: bool) -> HedgedDraws:
        """`hedged_draws` of cluster counts [C, groups, K, K]."""
        if isinstance(table, Cells):
            groups = (table.shape[1],)
            one = self._shared_prior
            plan = _Plan(table, self._times, groups, self._draws, self._seed, None, one)
            return plan.hedged(clustered=clustered)
        rng, flat = copy.deepcopy(self._rng), table.reshape(len(table), -1)
        weights = self._weights(rng) if self._kept is None else self._kept
        shape = (self._draws, *table.shape[1:])
        base = np.concatenate([one @ flat for one in weights]).reshape(shape)
        shape = _of_one(shape) if self._shared_prior else shape
        if shape not in self._pseudo:
            ends = (_pseudo(shape, COUNTER, LEAN, rng), _pseudo(shape, LEAN, COUNTER, rng))
            self._pseudo[shape] = ends
        return _hedged(base, self._pseudo[shape], table, self._times, clustered=clustered)


@dataclass(frozen=True)
class _Plan:
    """What is drawn of tables with many options; the same draws whoever reads them."""

    cells: Cells
    times: Ints
    #: The axes between draws and options.
    groups: tuple[int, ...]
    draws: int
    seed: int
    weights: Array | None
    shared_prior: bool = False

    def hedged(self, *, clustered: bool) -> HedgedDraws:
        hits, sizes = self.cells.sums()
        scale, spread = np.ones(hits.shape[1]), None
        if clustered:  # as of whole tables
            lone = _lone(self.cells)
            scale = _worth_of_one(hits, sizes, self.times, lone=lone)
            spread = ClusterSpread.of_share(hits.sum(1), sizes.sum(1), self.times, lone=lone)
        size = self.cells.size
        lower, upper = (self._read(end) for end in zip(*self._drawn(scale), strict=True))
        value = self.cells.value

        def tables() -> Iterator[tuple[Array, Array]]:
            for low, high in self._drawn(scale, every_cell=True):
                shape = (len(low), *self.groups, size, size)
                yield low.reshape(shape), high.reshape(shape)

        whole, clusters = bool(np.all(value == np.round(value))), int(self.times.sum())
        return HedgedDraws(lower, upper, clusters, clustered, whole, spread, tables)

    def _read(self, parts: Sequence[Array]) -> Margins:
        read = np.concatenate(parts).reshape(self.draws, *self.groups, -1)
        return margins(read, self.cells.size, near=self.weights is not None)

    def _drawn(self, scale: Array, *, every_cell: bool = False) -> Iterator[tuple[Array, Array]]:
        """Some draws at a time, for the lower end and the upper one, as rows."""
        rng, (_, groups, size) = np.random.default_rng(self.seed), self.cells.shape
        more = np.random.default_rng([self.seed, size])  # apart, so that all share the weights

        def rows(cells: Cells) -> SparseRows:
            return cells.every_cell if every_cell else cells.read(self.weights)

        counted = rows(self.cells)
        widest = max(len(self.times), 3 * len(self.cells.value), groups * size * size)
        for draws in blocks(self.draws, widest):
            base = counted.under(exponential_weights(self.times, draws, rng))
            own = 1 if self.shared_prior else groups
            low, high = (
                rows(_pseudo_cells((draws, groups, size), on, off, scale, more, own))
                for on, off in ((COUNTER, LEAN), (LEAN, COUNTER))
            )
            yield base + low.dense(), base + high.dense()


def _pseudo_cells(
    shape: tuple[int, int, int],
    on: float,
    off: float,
    scale: Array,
    rng: np.random.Generator,
    own: int,
) -> Cells:
    """Gamma variates of shape `on` / K in each cell of the diagonal, off / (K (K - 1)) elsewhere.

    The thousands of the latter are a gamma process whose atoms fall on cells at random, of which
    the largest are drawn and the others hold a share of 2^-40. `own` groups have variates of their
    own: all, or 1 whose variates every group has.
    """
    draws, groups, size = shape
    tables, times = np.arange(draws * groups), groups // own

    def in_each(drawn: NDArray[Any]) -> NDArray[Any]:
        """Of draws x own tables, as of draws x groups."""
        return drawn.reshape(draws * own, -1).repeat(times, 0).reshape(-1)

    diagonal = in_each(rng.standard_gamma(on / size, draws * own * size))
    atoms = gamma_process(draws * own, off, PSEUDO_ATOMS, rng)
    row = in_each(rng.integers(size, size=atoms.size))
    column = (row + in_each(rng.integers(1, size, size=atoms.size))) % size
    atoms = in_each(atoms)
    place = np.concatenate([tables.repeat(size), tables.repeat(PSEUDO_ATOMS)])
    owner, group = np.divmod(place, groups)
    every = np.tile(np.arange(size), draws * groups)
    value = np.concatenate([diagonal, atoms]) * scale[group]
    return Cells(
        owner, group, np.concatenate([every, row]), np.concatenate([every, column]), value, shape
    )


def leaning_on_each_option(drawn: HedgedDraws) -> HedgedDraws:
    """Draws whose upper end leans towards agreement on every option, for a mean over options.

    The diagonal's pseudo-count is shared by K options, 1/K each: too little for the mean of numbers
    of which a rare option's has a handful of items. Here each has at least a half, as each of two
    options has. The lower end needs none of it.
    """
    upper = drawn.upper
    size = upper.size if isinstance(upper, Margins) else upper.shape[-1]
    missing = LEAN / 2 - LEAN / size
    if missing <= 0:
        return drawn
    rng = np.random.default_rng(size)  # the same for the same draws, whoever asks
    if isinstance(upper, Margins):
        more: Array = rng.standard_gamma(missing, upper.hits.shape)
        near = None if upper.near is None else upper.near + more.sum(-1)
        moved = Margins(upper.rows + more, upper.columns + more, upper.hits + more, near)
        return replace(drawn, upper=moved)
    more = rng.standard_gamma(missing, (*upper.shape[:-1], 1))
    return replace(drawn, upper=upper + more * np.eye(size))


def spread_of(
    drawn: HedgedDraws,
    statistic: Callable[[Array], Array],
    counts: Array | Cells,
    multiplicity: Ints,
) -> HedgedDraws:
    """The draws with the spread of the clusters [C, K, K] that a statistic hangs on.

    A cluster moves it by the sum of its decisions' influences, the derivatives at the smoothed
    table. By how much it would if its decisions were independent is taken from the reference's
    classes: where the few errors fell is chance. Lone decisions have what they have. Of many
    options the spread stays that of the decisions that agree.
    """
    if drawn.stratified:
        return drawn.leaning(statistic)
    if not drawn.clustered or isinstance(counts, Cells):
        return drawn
    times = multiplicity.astype(np.float64)
    cells, by_class = influences(statistic, np.tensordot(times, counts, axes=1))
    moves = np.tensordot(counts, cells, axes=2)
    lone = _lone(counts)
    amounts = counts.sum(2) @ (np.sqrt(by_class) if lone else by_class)
    if not (amounts > 0).any():
        return drawn
    sizes = None if lone else counts.sum((1, 2))
    spread = ClusterSpread.of_moves(moves, amounts, times, alike=lone, sizes=sizes)
    return replace(drawn, spread=replace(spread, lone=lone))


def influences(statistic: Callable[[Array], Array], table: Array) -> tuple[Array, Array]:
    """What one more decision of each cell [R, V] moves a statistic by, and its mean square by row.

    Derivatives at the smoothed table, centred so that as many more of each move nothing.
    """
    smooth = table + LEAN / table.size
    steps = STEP * np.eye(table.size).reshape(-1, *table.shape)
    slope = (statistic(smooth + steps) - statistic(smooth - steps)) / (2 * STEP)
    # Where the statistic is undefined on either side of a cell it has no slope there: taken as 0.
    cells = np.nan_to_num(slope.reshape(table.shape))
    cells -= float((smooth * cells).sum() / smooth.sum())
    return cells, (smooth * cells**2).sum(1) / smooth.sum(1)


def _lone(counts: Array | Cells) -> bool:
    """Whether every cluster [C, ..., K, K] has one cell alone: an item of some weight."""
    if isinstance(counts, Cells):
        return bool((np.bincount(counts.owner[counts.value > 0]) <= 1).all())
    return bool(((counts > 0).reshape(len(counts), -1).sum(1) <= 1).all())


def share_draws(
    drawn: HedgedDraws, share: Callable[[Array], tuple[Array, Array]], counts: Array, times: Ints
) -> HedgedDraws:
    """Draws of a share of one margin as tables [B, 2, 2] whose accuracy it is.

    Its clusters are those that have cases of the margin. Of its pseudo-counts the table's own draws
    hold half; the other half weighs as its own design effect does. A share of all decisions, whose
    pseudo-counts are the table's, needs none.
    """
    hits, cases = share(counts)
    held = cases > 0
    lone = _lone(counts)
    half = 0.0 if np.array_equal(cases, counts.sum((1, 2))) else 0.5
    scale = float(cautious_design_effect_of_share(hits, cases, times))
    spread = ClusterSpread.of_share(hits[held], cases[held], times[held], lone=lone)
    rng = np.random.default_rng(len(drawn.lower))  # the same for the same draws, whoever asks

    def with_more(tables: Array | Margins, on: float, off: float) -> Array:
        assert not isinstance(tables, Margins)  # of few options
        hit, of = share(tables)
        found = np.zeros((len(hit), 2, 2))
        found[:, 0, 0] = hit + scale * rng.standard_gamma(on * half, len(hit))
        found[:, 0, 1] = of - hit + scale * rng.standard_gamma(off * half, len(hit))
        return found

    return replace(
        drawn,
        lower=with_more(drawn.lower, COUNTER, LEAN),
        upper=with_more(drawn.upper, LEAN, COUNTER),
        held=max(int(times[held].sum()), 2),
        spread=spread,
    )


def hedged_interval(
    statistic: Callable[[Any], Array],
    drawn: HedgedDraws,
    value: float,
    *,
    confidence_level: float,
    every_cell: bool = False,
) -> Interval | None:
    """The interval of a statistic of the table, which grows with agreement; holds the estimate.

    None when the draws leave the statistic undefined, or there is one cluster only.
    """
    if drawn.clustered and drawn.n_clusters < 2:
        return None
    tail = hedged_tail(drawn, confidence_level)
    lower, upper = drawn.of(statistic, every_cell=every_cell)
    lower, upper = lower[np.isfinite(lower)], upper[np.isfinite(upper)]
    if min(len(lower), len(upper)) < max(20, len(drawn.lower) // 2):
        return None
    low = min(quantile(lower, tail), value)
    high = max(quantile(upper, 1 - tail), value)
    if drawn.clustered and drawn.spread is not None:
        down, up = drawn.spread.down, drawn.spread.up
        # No further than the furthest draw, which knows the statistic's own ends.
        low = min(low, max(value - down * (value - low), float(lower.min())))
        high = max(high, min(value + up * (high - value), float(upper.max())))
    return Interval(low, high, confidence_level, drawn.method)


def hedged_tail(drawn: HedgedDraws, confidence_level: float) -> float:
    """The probability left in each tail: less than asked for when clusters are few, or unequal.

    0 for one cluster, which says nothing of the spread.
    """
    if not drawn.clustered:
        return (1 - confidence_level) / 2
    if drawn.spread is not None and drawn.n_clusters > 1:
        return drawn.spread.tail(drawn.held or drawn.n_clusters, confidence_level)
    return few_cluster_tail(drawn.n_clusters, confidence_level, resampling="bayesian")
