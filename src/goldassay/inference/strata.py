"""Draws of a table whose decisions were labelled within strata of known size.

Where people label more of what a judge flags, a table of all items is put together from the strata
(Begg and Greenes 1983): T = sum over h of N_h C_h / n_h, with N_h items in the stratum, n_h of them
labelled, and C_h the counts of these. Its uncertainty is that of the labels within each stratum,
and of the strata's sizes among all items like these: not that of items of unequal weight, whose
sizes of strata would be drawn as if labels alone told them.

Clusters (or lone decisions) have standard exponential weights, as in `posterior`, and their items
without a label have them too. Each stratum is hedged by pseudo-counts, as a table of its own is.
How much of them it gets is a coefficient's own matter: errors among the flagged items tell nothing
of sensitivity, and where strata share the errors one pseudo-error in each would be too many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import weighted_sums
from goldassay.inference.cluster_spread import ClusterSpread
from goldassay.inference.clusters import cautious_design_effect_of_share, distinct_clusters
from goldassay.inference.posterior import HedgedDraws, influences
from goldassay.inference.proportions import COUNTER, LEAN

__all__ = ["MOST_CELLS", "Strata", "StratifiedDraws", "stratified_draws"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Cells of all strata that are drawn; of more, labels are decisions of unequal weight.
MOST_CELLS = 1_000


@dataclass(frozen=True)
class Strata:
    """Labelled decisions by stratum, and how many there are in all.

    Of each distinct cluster: `cells` [C, M], counts of the cells that occur; `rated` and `pool`
    [C, H], units that people rated and all. Cell m is of the stratum `stratum[m]` and stands in row
    and column of a table of `size` classes. A unit of stratum h counts `worth[h]` times.
    """

    cells: Array
    rated: Array
    pool: Array
    times: Ints
    stratum: Ints
    row: Ints
    column: Ints
    size: int
    worth: Array
    #: So many of the classes are options; None: all.
    options: int | None = None

    @property
    def of_stratum(self) -> Array:
        """Sums over cells as a product: [M, H]."""
        return np.asarray(self.stratum[:, None] == np.arange(len(self.worth)), np.float64)

    @property
    def of_table(self) -> Array:
        """The place of each cell in a table, [M, size x size]."""
        place = self.row * self.size + self.column
        return np.asarray(place[:, None] == np.arange(self.size**2), np.float64)

    def leans(self) -> tuple[Array, Array]:
        """Pseudo-counts of each cell for the lower end and for the upper one, [M] each.

        On what agrees in a stratum, and on what does not, as many as a table has; each is shared
        out by how common the verdicts are there.
        """
        verdicts = np.zeros((len(self.worth), self.size))
        np.add.at(verdicts, (self.stratum, self.column), self.times @ self.cells)
        known = np.maximum(verdicts.sum(1), 1e-300)
        share = (verdicts / known[:, None])[self.stratum, self.column]
        same = self.row == self.column
        # A class that is no option, and no label, has none.
        labels = np.bincount(self.row, self.times @ self.cells, self.size) > 0
        first = self.size if self.options is None else self.options
        kept = (labels | (np.arange(self.size) < first))[self.row]
        other = np.zeros((len(self.worth), self.size))
        np.add.at(other, (self.stratum[~same & kept], self.column[~same & kept]), 1.0)
        rows = np.maximum(other[self.stratum, self.column], 1.0)
        ends = ((COUNTER, LEAN), (LEAN, COUNTER))
        lower, upper = (kept * share * np.where(same, on, off / rows) for on, off in ends)
        return lower, upper

    @property
    def unsaid(self) -> Ints:
        """Options that no labelled unit's verdict is: no cell of any stratum tells of them."""
        options = self.size if self.options is None else self.options
        said = np.bincount(self.column, self.times @ self.cells, self.size) > 0
        return np.flatnonzero(~said[:options])


@dataclass(frozen=True)
class StratifiedDraws(HedgedDraws):
    """Draws of tables that strata make up; `leaning` has those of one statistic."""

    strata: Strata | None = None
    #: Draws of the cells [B, M], of the units that were rated and of all [B, H], and pseudo-counts
    #: of the cells for each end.
    drawn: tuple[Array, Array, Array] | None = None
    pseudo: tuple[Array, Array] | None = None
    #: Draws of a unit with each verdict that nobody was given [B, U], for each end.
    unsaid: tuple[Array, Array] | None = None

    @property
    def stratified(self) -> bool:
        return True

    @property
    def method(self) -> str:
        kind = "hedged posterior within strata of known size"
        if self.clustered:
            kind = "hedged Bayesian cluster bootstrap, strata of known size"
            return f"{kind} ({len(self.lower)} draws, {self.n_clusters} clusters)"
        return f"{kind} ({len(self.lower)} draws)"

    def leaning(self, statistic: Callable[[Array], Array]) -> StratifiedDraws:
        """The draws of a statistic: pseudo-counts where it hangs on the labels, and the spread of
        the clusters by what each moves it."""
        strata = self.strata
        assert strata is not None
        cells, rated, pool = (
            np.asarray(strata.times @ one) for one in (strata.cells, strata.rated, strata.pool)
        )
        each = np.where(rated > 0, pool / np.maximum(rated, 1e-300), 0.0) * strata.worth
        table = ((cells * each[strata.stratum]) @ strata.of_table).reshape(2 * (strata.size,))
        slopes = influences(statistic, table)[0]
        slope = slopes[strata.row, strata.column]
        # What a label of each cell moves it by, less what one of its stratum does on average.
        mean = ((cells * slope) @ strata.of_stratum) / np.maximum(cells @ strata.of_stratum, 1e-300)
        moved = (slope - mean[strata.stratum]) * each[strata.stratum]
        leans = [np.abs((lean * moved) @ strata.of_stratum) for lean in strata.leans()]
        ends = [one / max(float(np.sqrt((one**2).sum())), 1e-300) for one in leans]
        lower, upper = self._tables(*ends)
        self._with_unsaid(lower, upper, np.nan_to_num(slopes))
        found = replace(self, lower=lower, upper=upper)
        if not self.clustered:
            return found
        return replace(found, spread=self._spread(slope, each, moved))

    def _tables(self, low: Array, high: Array) -> tuple[Array, Array]:
        """Tables of both ends with so much of the pseudo-counts of each stratum [H]."""
        assert self.strata is not None
        assert self.drawn is not None
        assert self.pseudo is not None
        strata, (cells, rated, pool) = self.strata, self.drawn
        number = cells @ strata.of_stratum
        labels = float(strata.times @ strata.rated.sum(1))
        items = float((strata.times @ strata.pool) @ strata.worth)
        each = strata.worth * pool / np.maximum(rated, 1e-300) * (labels / max(items, 1e-300))

        def summed(pseudo: Array, lean: Array) -> Array:
            more = pseudo * lean[strata.stratum]
            kept = number / np.maximum(number + more @ strata.of_stratum, 1e-300)
            tables = ((cells + more) * (each * kept)[:, strata.stratum]) @ strata.of_table
            return np.asfortranarray(tables.reshape(len(tables), strata.size, strata.size))

        return summed(self.pseudo[0], low), summed(self.pseudo[1], high)

    def _with_unsaid(self, lower: Array, upper: Array, slopes: Array) -> None:
        """Adds a unit with each verdict that no unit has, where it moves the statistic most.

        Of no stratum, such a verdict is none that the labels or the strata's sizes tell of; but
        that none of n units has it leaves some 1/n of all units like these to have it.
        """
        assert self.strata is not None
        if self.unsaid is None:
            return
        verdicts = self.strata.unsaid
        for table, drawn, sign in zip((lower, upper), self.unsaid, (-1, 1), strict=True):
            moved = sign * slopes[:, verdicts]
            row, reach = moved.argmax(0), np.maximum(moved.max(0), 0.0)
            weight = reach / max(float(np.sqrt((reach**2).sum())), 1e-300)
            table[:, row, verdicts] += drawn * weight

    def _spread(self, slope: Array, each: Array, moved: Array) -> ClusterSpread | None:
        """How well the clusters know what they move the statistic by."""
        strata = self.strata
        assert strata is not None
        times, place = strata.times, strata.stratum
        cells, rated = times @ strata.cells, np.maximum(times @ strata.rated, 1e-300)
        mean = ((cells * slope) @ strata.of_stratum) / rated  # by unit that was rated
        of_size = strata.pool @ (strata.worth * mean)
        moves = (strata.cells * slope) @ (each[place]) - strata.rated @ (each * mean) + of_size
        within = ((cells * moved**2) @ strata.of_stratum) / rated
        amounts = strata.rated @ within + strata.pool @ (strata.worth * mean) ** 2
        if not (amounts > 0).any():
            return None
        labelled = strata.rated.sum(1)
        held = labelled > 0
        sizes = labelled if (labelled > 1).any() else None
        return ClusterSpread.of_moves(
            moves[held],
            amounts[held],
            times[held],
            alike=False,
            sizes=None if sizes is None else sizes[held],
        )


def stratified_draws(
    strata: Strata, *, draws: int, seed: int, clustered: bool, n_clusters: int
) -> StratifiedDraws:
    """Draws of the cells of all strata, and of how many units they are of."""
    rows = np.concatenate([strata.cells, strata.rated, strata.pool], 1)
    rows, times = distinct_clusters(rows, strata.times)
    ends = np.cumsum([strata.cells.shape[1], strata.rated.shape[1]])
    rng = np.random.default_rng(seed)
    sums = np.maximum(weighted_sums(rows, times, draws, rng), 0.0)
    cells, rated, pool = np.split(sums, ends, axis=1)
    scale = np.ones(len(strata.worth))
    if clustered:
        same = (strata.row == strata.column).astype(float)
        hits, sizes = (strata.cells * same) @ strata.of_stratum, strata.cells @ strata.of_stratum
        scale = np.asarray(cautious_design_effect_of_share(hits, sizes, strata.times))
        scale = np.where(np.isfinite(scale), np.maximum(scale, 1.0), 1.0)
    low, high = (
        rng.standard_gamma(np.broadcast_to(lean, cells.shape)) * scale[strata.stratum]
        for lean in strata.leans()
    )
    blank = np.empty((0, strata.size, strata.size))
    found = StratifiedDraws(
        blank,
        blank,
        n_clusters,
        clustered,
        whole=False,
        strata=strata,
        drawn=(cells, rated, pool),
        pseudo=(low, high),
        unsaid=_unsaid(strata, draws, seed, clustered=clustered),
    )
    whole = np.ones(len(strata.worth))
    lower, upper = found._tables(whole, whole)
    return replace(found, lower=lower, upper=upper)


def _unsaid(
    strata: Strata, draws: int, seed: int, *, clustered: bool
) -> tuple[Array, Array] | None:
    """Draws [B, U] of a unit with each verdict that no labelled unit has, in units of a table.

    Where strata are verdicts their sizes tell that no unit at all has it; elsewhere labels do, and
    then a unit stands for as many as the heaviest label. Units of a cluster are taken to be alike.
    """
    number = len(strata.unsaid)
    if not number:
        return None
    rated, pool = strata.times @ strata.rated, strata.times @ strata.pool
    verdicts = np.zeros((len(strata.worth), strata.size), bool)
    verdicts[strata.stratum, strata.column] = True
    held = rated > 0
    each = (
        strata.worth if (verdicts.sum(1) <= 1).all() else strata.worth * pool / np.maximum(rated, 1)
    )
    unit = float(each[held].max(initial=0.0)) * float(rated.sum())
    unit /= max(float(pool @ strata.worth), 1e-300)
    if clustered:
        sizes = strata.pool.sum(1)
        unit *= float(strata.times @ sizes**2) / max(float(strata.times @ sizes), 1e-300)
    rng = np.random.default_rng([seed, number])
    low, high = (rng.standard_gamma(COUNTER, (draws, number)) * unit for _ in range(2))
    return low, high
