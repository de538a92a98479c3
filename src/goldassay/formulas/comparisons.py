"""Who beat whom, prompt by prompt: the counts on which rankings and win rates rest.

Systems answer the same prompts, so the prompt (or the declared cluster of prompts) is what would
be drawn anew, not the single battle. `Comparisons` keeps the outcomes of every pair of systems per
cluster; the outcomes of all resamples are one matrix product with the resampling weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass

__all__ = [
    "Comparisons",
    "Outcomes",
    "Pairs",
    "TieRule",
    "battle_rows",
    "by_cluster",
    "comparisons_from_battles",
    "comparisons_from_rows",
    "comparisons_from_scores",
    "mean_per_system",
    "pairs_of",
    "resamples_held",
    "shared_in_cells",
    "shared_preferences",
    "untied_shares",
    "weighted",
    "whole_number_type",
    "win_rates",
]

#: So many numbers are added one by one.
_FEW = 1_000_000
#: Weights held at once: 32 MB of them.
_HELD = 4_000_000
#: Outcomes of pairs held at once, and of these come several, and of two judges. Resamples come in
#: whole numbers of those that strengths are fitted to together (`strength.BLOCK`).
_OUTCOMES = 500_000
WHOLE = 128
#: Numbers of pairs that are added at once, few enough for the processor's cache.
_CACHED = 125_000
#: More clusters than this are weighed in tiles of resamples and clusters, which stay in the
#: processor's cache.
_WIDE, _TILE = 16_384, (128, 2_048)
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: half: half a win to each side; exclude: as if not compared; class: a tie is no win.
TieRule = Literal["half", "exclude", "class"]

#: Cells (clusters x pairs) up to which the per-cluster outcomes are kept as dense arrays, and up to
#: which they are even when hardly any of them holds a battle.
DENSE_CELLS, FEW_CELLS = 20_000_000, 1_000_000
#: Share of cells with a battle below which larger outcomes stay sparse.
DENSE_SHARE = 0.05
#: Share of cells with a tie below which ties are added one by one.
FEW_TIES = 0.005


@dataclass(frozen=True, slots=True)
class Pairs:
    """The S (S - 1) / 2 unordered pairs of systems: `first[p] < second[p]`."""

    n_systems: int
    first: Ints
    second: Ints

    def __len__(self) -> int:
        return len(self.first)

    def incidence(self) -> Floats:
        """The [P, S] matrix with +1 at the first system of a pair and -1 at the second."""
        matrix = np.zeros((len(self), self.n_systems))
        rows = np.arange(len(self))
        matrix[rows, self.first] = 1.0
        matrix[rows, self.second] = -1.0
        return matrix

    def square(self, of_first: NDArray[Any], of_second: NDArray[Any]) -> NDArray[Any]:
        """A [..., S, S] matrix from a pair's value seen by its first and by its second system."""
        matrix = np.zeros((*of_first.shape[:-1], self.n_systems, self.n_systems), of_first.dtype)
        matrix[..., self.first, self.second] = of_first
        matrix[..., self.second, self.first] = of_second
        return matrix

    def per_system(self, of_first: Any, of_second: Any) -> Any:
        """Sums over each system's pairs: [..., P] seen by first and by second -> [..., S]."""
        return self._summed(of_first, of_second, np.add)

    def balance(self, of_first: Any) -> Any:
        """The same where the second system sees the first's value negated."""
        return self._summed(of_first, of_first, np.subtract)

    def gaps(self, scores: NDArray[Any], dtype: Any = np.float64) -> NDArray[Any]:
        """The first system's score less the second's: [..., S] -> [..., P]."""
        gaps = np.empty((*scores.shape[:-1], len(self)), dtype)
        for system, block in enumerate(self._blocks()):
            np.subtract(scores[..., [system]], scores[..., system + 1 :], out=gaps[..., block])
        return gaps

    def _summed(self, of_first: Any, of_second: Any, joined: np.ufunc) -> Any:
        """Pairs of a system stand together, as its first or in the order of their seconds; so many
        rows at a time that both stay in the processor's cache."""
        sums = np.zeros((*of_first.shape[:-1], self.n_systems), of_first.dtype)
        if not len(self):
            return sums
        every, firsts, seconds = (
            one.reshape(-1, one.shape[-1]) for one in (sums, of_first, of_second)
        )
        starts = [one.start for one in self._blocks()]
        order = np.argsort(self.second, kind="stable")
        ends = np.arange(self.n_systems - 1).cumsum()  # the k-th system is second in k pairs
        step = max(1, _CACHED // len(self))
        for low in range(0, len(every), step):
            rows = slice(low, low + step)
            every[rows, :-1] = np.add.reduceat(firsts[rows], starts, axis=-1)
            turned = seconds[rows].take(order, axis=-1, mode="clip")
            joined(every[rows, 1:], np.add.reduceat(turned, ends, axis=-1), out=every[rows, 1:])
        return sums

    def _blocks(self) -> list[slice]:
        """The pairs that each system is first in: they stand together, their seconds in order."""
        ends = np.cumsum(np.arange(self.n_systems - 1, 0, -1)).tolist()
        return [slice(*one) for one in pairwise([0, *ends])]


def pairs_of(n_systems: int) -> Pairs:
    """All unordered pairs of `n_systems` systems."""
    first, second = np.triu_indices(n_systems, 1)
    return Pairs(n_systems, first.astype(np.int64), second.astype(np.int64))


def mean_per_system(pairs: Pairs, leads: Floats) -> Floats:
    """Mean over each system's pairs of how far the first is ahead, [..., P] -> [..., S].

    NaN is a pair without a number, and a system without a pair.
    """
    missing = np.isnan(leads)
    if not missing.any():
        return np.asarray(pairs.balance(leads) / (pairs.n_systems - 1))
    counted = (~missing).astype(np.float32)
    return ratio(pairs.balance(np.where(missing, 0.0, leads)), pairs.per_system(counted, counted))


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Comparisons of each pair, [..., P]: the first system won, the second won, a tie."""

    wins: Floats
    losses: Floats
    ties: Floats

    @property
    def total(self) -> Floats:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True)
class _FewCells:
    """Numbers [C, P] by those that are not 0, in order of the columns met and of the rows."""

    row: Ints
    value: NDArray[Any]
    met: Ints
    start: Ints
    columns: int

    @classmethod
    def of(cls, dense: NDArray[Any]) -> _FewCells:
        column, row = np.nonzero(dense.T)
        met, start = np.unique(column, return_index=True)
        return cls(row, dense[row, column], met, start, dense.shape[1])

    def weighted(self, weights: NDArray[Any]) -> NDArray[Any]:
        """weights [B, C] @ the numbers, in their type."""
        sums = np.zeros((len(weights), self.columns), self.value.dtype)
        step = max(1, _HELD // max(len(self.row), 1))
        for first in range(0, len(weights), step):
            rows = slice(first, first + step)
            each = weights[rows][:, self.row] * self.value
            sums[rows, self.met] = np.add.reduceat(each, self.start, axis=1)
        return sums


@dataclass(frozen=True)
class Comparisons:
    """Outcomes of every pair of systems per cluster, [C, P] each (dense, or sparse when large).

    `multiplicity[c]` clusters have the very outcomes of row c, so that a million single battles
    are a few thousand rows. `n_clusters` is their sum.
    """

    pairs: Pairs
    multiplicity: Ints
    wins: Any
    losses: Any
    ties: Any

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    def observed(self) -> Outcomes:
        """The outcomes over all clusters, [P]."""
        one = self.resampled(self.multiplicity[None, :])
        wins, losses, ties = (
            np.asarray(values[0], np.float64) for values in (one.wins, one.losses, one.ties)
        )
        return Outcomes(wins, losses, ties)

    def in_blocks(self, weights: NDArray[Any]) -> Iterator[tuple[slice, Outcomes]]:
        """The outcomes of some of the resamples at a time; those of all may be gigabytes."""
        step = resamples_held(len(self.pairs))
        for start in range(0, len(weights), step):
            rows = slice(start, min(start + step, len(weights)))
            yield rows, self.resampled(weights[rows])

    def resampled(self, weights: NDArray[Any]) -> Outcomes:
        """The outcomes of resamples given as weights [B, C] on the rows, [B, P]."""
        wins = _product(weights, self.wins)
        each = self._each
        if each is not None and self._leads is not None:
            losses = wins - self.pairs.gaps(weighted(weights, self._leads), wins.dtype)
            ties = weights.sum(axis=1, dtype=each.dtype)[:, None] * each
            ties -= wins
            ties -= losses
            return Outcomes(wins, losses, ties)
        if not self._tied:
            ties = np.zeros_like(wins)
        elif self._few_ties is not None:
            ties = self._few_ties.weighted(weights)
        else:
            ties = _product(weights, self.ties)
        if each is None:
            return Outcomes(wins, _product(weights, self.losses), ties)
        losses = weights.sum(axis=1, dtype=each.dtype)[:, None] * each
        losses -= wins
        if self._tied:
            losses -= ties
        return Outcomes(wins, losses, ties)

    @cached_property
    def _tied(self) -> bool:
        return not isinstance(self.ties, np.ndarray) or bool(self.ties.any())

    @cached_property
    def _few_ties(self) -> _FewCells | None:
        """The ties, where hardly any cell has one and whole numbers add up in any order."""
        ties = self.ties
        if not isinstance(ties, np.ndarray) or ties.dtype != np.float32:
            return None
        return _FewCells.of(ties) if np.count_nonzero(ties) < FEW_TIES * ties.size else None

    @cached_property
    def _leads(self) -> NDArray[Any] | None:
        """Numbers [C, S] of systems whose differences are wins less losses, where ties are many.

        There are such numbers where outputs are good or bad and a good one wins over a bad one; a
        product over pairs of systems is then one over systems.
        """
        if not isinstance(self.wins, np.ndarray) or self.wins.dtype != np.float32:
            return None
        if not self._tied or self._few_ties is not None:
            return None
        leads = np.zeros((len(self.wins), self.pairs.n_systems), np.float32)
        leads[:, 1:] = (self.losses - self.wins)[:, : self.pairs.n_systems - 1]  # of the first
        for rows in (slice(1), slice(None)):  # what has no such numbers shows it at once
            lead = self.wins[rows] - self.losses[rows]
            if not np.array_equal(self.pairs.gaps(leads[rows], np.float32), lead):
                return None
        return leads

    @cached_property
    def _each(self) -> NDArray[Any] | None:
        """The comparisons of each pair [P] where every cluster has as many: a product less."""
        if not isinstance(self.wins, np.ndarray) or not len(self.wins):
            return None
        total = self.wins + self.losses + self.ties
        each: NDArray[Any] = total[0]
        return each if (total == each).all() else None


def resamples_held(pairs: int) -> int:
    """The resamples whose outcomes of so many pairs are held at once."""
    return max(WHOLE, _OUTCOMES // max(pairs, 1) // WHOLE * WHOLE)


def whole_number_type(n_items: int) -> type[np.floating[Any]]:
    """Whole numbers below 2**24 add without rounding in single precision, at half the cost."""
    return np.float32 if n_items < 1_000_000 else np.float64


def weighted(weights: NDArray[Any], counts: NDArray[Any]) -> Any:
    """weights [B, C] @ counts [C, K] in the type of the counts, which weights may be smaller than.

    Some rows at a time, so that small weights are never held in a larger type at once.
    """
    if weights.shape[1] > _WIDE:
        return _weighted_in_tiles(weights, counts)
    sums = np.empty((len(weights), *counts.shape[1:]), counts.dtype)
    step = max(1, _HELD // max(weights.shape[1], 1))
    for start in range(0, len(weights), step):
        rows = slice(start, start + step)
        sums[rows] = weights[rows].astype(counts.dtype) @ counts
    return sums


def _weighted_in_tiles(weights: NDArray[Any], counts: NDArray[Any]) -> Any:
    sums = np.zeros((len(weights), *counts.shape[1:]), counts.dtype)
    for first in range(0, weights.shape[1], _TILE[1]):
        clusters = slice(first, first + _TILE[1])
        for start in range(0, len(weights), _TILE[0]):
            rows = slice(start, start + _TILE[0])
            sums[rows] += weights[rows, clusters].astype(counts.dtype) @ counts[clusters]
    return sums


def _product(weights: NDArray[Any], counts: Any) -> Any:
    if isinstance(counts, np.ndarray):
        return weighted(weights, counts)
    return np.asarray((counts.T @ weights.T.astype(np.float64)).T)


def comparisons_from_scores(scores: Floats, cluster: Ints | None = None) -> Comparisons:
    """Comparisons implied by scores [I, S]: on each item the higher score wins, equal is a tie.

    A pair counts on the items where both systems have a score (NaN is none). `cluster` [I] says
    which items are drawn together; each item is its own cluster without it.
    """
    scores = np.asarray(scores, dtype=np.float64)
    n_items, n_systems = scores.shape
    pairs = pairs_of(n_systems)
    dtype = whole_number_type(n_items)
    wins, losses, ties = (np.empty((n_items, len(pairs)), dtype) for _ in range(3))
    start = 0
    for system in range(n_systems - 1):  # its pairs stand together
        left, right = scores[:, [system]], scores[:, system + 1 :]
        block = slice(start, start + right.shape[1])
        wins[:, block], losses[:, block], ties[:, block] = left > right, left < right, left == right
        start = block.stop
    if cluster is None:
        return Comparisons(pairs, np.ones(n_items, np.int64), wins, losses, ties)
    n_clusters = int(cluster.max()) + 1 if len(cluster) else 0
    sums = [by_cluster(values, cluster) for values in (wins, losses, ties)]
    return Comparisons(pairs, np.ones(n_clusters, np.int64), *sums)


def by_cluster(values: NDArray[Any], cluster: Ints) -> Any:
    """Sums of the rows [I, K] of each cluster, [C, K]."""
    if values.size <= _FEW:  # to import SciPy's sparse arrays takes longer than to add these
        sums = np.zeros((int(cluster.max()) + 1, values.shape[1]), values.dtype)
        np.add.at(sums, cluster, values)
        return sums
    from scipy import sparse

    ones = np.ones(len(cluster), values.dtype)
    member = sparse.csr_array((ones, (cluster, np.arange(len(cluster)))))
    return member @ values


def comparisons_from_battles(
    n_systems: int, first: Ints, second: Ints, wins: Floats, cluster: Ints, n_clusters: int
) -> Comparisons:
    """Comparisons from N battles: codes of both systems and counts [N, 3] (first, second, tie).

    Every cluster keeps its own row, so that judges can share one draw of clusters.
    """
    pairs = pairs_of(n_systems)
    ones = np.ones(n_clusters, np.int64)
    if n_clusters * len(pairs) <= FEW_CELLS:  # importing SciPy's sparse arrays would cost more
        pair, outcomes = _by_pair(n_systems, first, second, wins)
        dense = np.zeros((3, n_clusters, len(pairs)))
        for sums, values in zip(dense, outcomes, strict=True):
            np.add.at(sums, (cluster, pair), values)
        return Comparisons(pairs, ones, *dense)
    rows = battle_rows(n_systems, first, second, wins, cluster, n_clusters)
    return comparisons_from_rows(n_systems, rows, ones)


def _by_pair(
    n_systems: int, first: Ints, second: Ints, wins: Floats
) -> tuple[Ints, tuple[Floats, Floats, Floats]]:
    """The pair of each battle, and the wins of its first system, of its second, and the ties."""
    pairs = pairs_of(n_systems)
    code = np.full((n_systems, n_systems), -1, np.int64)
    code[pairs.first, pairs.second] = np.arange(len(pairs))
    turned = first > second
    low, high = np.where(turned, second, first), np.where(turned, first, second)
    of_first = np.where(turned, wins[:, 1], wins[:, 0])
    of_second = np.where(turned, wins[:, 0], wins[:, 1])
    return code[low, high], (of_first, of_second, wins[:, 2])


def battle_rows(
    n_systems: int, first: Ints, second: Ints, wins: Floats, cluster: Ints, n_clusters: int
) -> Any:
    """The outcomes of N battles by cluster: wins, losses and ties of all pairs, sparse [C, 3 P]."""
    from scipy import sparse

    pair, outcomes = _by_pair(n_systems, first, second, wins)
    shape = (n_clusters, len(pairs_of(n_systems)))
    blocks = [sparse.csr_array((values, (cluster, pair)), shape=shape) for values in outcomes]
    stacked = sparse.csr_array(sparse.hstack(blocks))
    stacked.sum_duplicates()
    stacked.eliminate_zeros()
    return stacked


def comparisons_from_rows(n_systems: int, rows: Any, multiplicity: Ints) -> Comparisons:
    """Comparisons from `battle_rows`, `multiplicity` clusters like each; dense unless too large."""
    pairs = pairs_of(n_systems)
    parts: list[Any] = [rows[:, k * len(pairs) : (k + 1) * len(pairs)] for k in range(3)]
    cells = len(multiplicity) * len(pairs)
    if cells <= FEW_CELLS or (cells <= DENSE_CELLS and rows.nnz >= DENSE_SHARE * cells):
        parts = [part.toarray() for part in parts]
    return Comparisons(pairs, multiplicity, *parts)


def untied_shares(outcomes: Outcomes) -> Floats:
    """The share of each pair's comparisons that are no tie, [..., P]; NaN for none."""
    return ratio(outcomes.wins + outcomes.losses, outcomes.total)


def shared_preferences(judge: Comparisons, people: Comparisons) -> tuple[Floats, Floats]:
    """People's preferences in each row, [C] twice: those that the judge shares, and all of those
    between answers that it compared. Ties of people do not count.

    Where several comparisons of a pair fall in one row each of people's preferences meets the
    judge's average verdict, in which a tie is half: rows are best single prompts.
    """
    clusters, step = len(judge.multiplicity), max(1, FEW_CELLS // max(len(judge.pairs), 1))
    agreed, compared = np.empty(clusters), np.empty(clusters)
    for start in range(0, clusters, step):
        rows = slice(start, start + step)
        wins, losses, ties = (_dense(one[rows]) for one in (judge.wins, judge.losses, judge.ties))
        first, second = _dense(people.wins[rows]), _dense(people.losses[rows])
        shared, every = shared_in_cells(wins, losses, ties, first, second)
        agreed[rows], compared[rows] = shared.sum(axis=1), every.sum(axis=1)
    return agreed, compared


def shared_in_cells(
    wins: Floats, losses: Floats, ties: Floats, first: Floats, second: Floats
) -> tuple[Floats, Floats]:
    """Of people's preferences for the `first` and the `second` in each cell those that the judge's
    average verdict shares (half of a tie), and all; none where the judge decided nothing."""
    decided = wins + losses + ties
    known = decided > 0
    share = np.divide(wins + ties / 2, decided, out=np.zeros_like(decided), where=known)
    shared = np.where(known, first * share + second * (1 - share), 0.0)
    return shared, np.where(known, first + second, 0.0)


def _dense(counts: Any) -> Floats:
    return np.asarray(counts if isinstance(counts, np.ndarray) else counts.toarray(), np.float64)


def win_rates(outcomes: Outcomes) -> Floats:
    """Win rate of each pair's first system among its untied comparisons, [..., P]; NaN for none.

    WR(a, b) of Gera et al. (2025), Appendix E; WR(b, a) = 1 - WR(a, b).
    """
    return ratio(outcomes.wins, outcomes.wins + outcomes.losses)
