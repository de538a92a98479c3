"""How many prompts, systems and judges a ranking needs before it stops changing.

Two disjoint sets of n prompts are two honest tries at the same ranking; their tau says how stable a
ranking from n prompts is. A subset against the whole it was taken from would flatter itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.orders import kendall_tau, ranks
from goldassay.frozen import dataclass
from goldassay.questions.rank.judged import Ranker
from goldassay.questions.rank.record import Judged

__all__ = [
    "Stability",
    "TauCurve",
    "disjoint_subsets",
    "judge_curve",
    "prompt_curve",
    "stability",
    "system_curve",
]

Floats = NDArray[np.float64]
Weights = NDArray[np.uint8]

#: Random sets of each size, and fewest clusters of prompts that are worth dividing.
REPEATS, MIN_CLUSTERS = 200, 20
#: Of more clusters than these only those that are used are drawn; to shuffle fewer is as fast.
SHUFFLED = 2_000


@dataclass(frozen=True, slots=True)
class TauCurve:
    """Mean and middle 80 % of tau over random subsets, by their size."""

    sizes: tuple[int, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Stability:
    """Tau of a judge's rankings by the number of prompts, systems, and judges averaged.

    `between` is tau of two sets of prompts that share none, the others are tau with people; None
    without gold, and `judges` with fewer than three.
    """

    judge: str
    between: TauCurve
    with_gold: TauCurve | None = None
    systems: TauCurve | None = None
    judges: TauCurve | None = None


def stability(
    ranker: Ranker, judges: Sequence[Judged], best: Judged, rng: np.random.Generator
) -> Stability | None:
    """How fast the ranking of the best judge settles; None with too few prompts to divide."""
    contest, by = ranker.contest, ranker.by
    if contest.n_clusters < MIN_CLUSTERS:
        return None
    index = contest.judges.index(best.name)
    compared = contest.comparisons(index)

    def aggregate(weights: Weights) -> Floats:
        return ranker.scores(by, index, compared, weights)

    gold = None if ranker.gold is None else ranker.gold.scores
    between, with_gold = prompt_curve(
        aggregate, contest.n_clusters, gold=gold, repeats=REPEATS, rng=rng
    )
    if gold is None:
        return Stability(best.name, between)
    observed = best.aggregated[by].observed
    systems = system_curve(observed, gold, repeats=REPEATS, rng=rng)
    averaged = None
    if len(judges) > 2:
        rankings = np.stack([ranks(one.aggregated[by].observed) for one in judges])
        averaged = judge_curve(rankings, gold, repeats=REPEATS, rng=rng)
    return Stability(best.name, between, with_gold, systems, averaged)


def _curve(sizes: Sequence[int], taus: Sequence[Floats]) -> TauCurve:
    kept = [(n, t[~np.isnan(t)]) for n, t in zip(sizes, taus, strict=True)]
    kept = [(n, t) for n, t in kept if len(t)]
    return TauCurve(
        tuple(n for n, _ in kept),
        tuple(float(t.mean()) for _, t in kept),
        tuple(float(np.quantile(t, 0.1)) for _, t in kept),
        tuple(float(np.quantile(t, 0.9)) for _, t in kept),
    )


def sizes_up_to(limit: int, *, start: int = 5, points: int = 10) -> tuple[int, ...]:
    """About `points` sizes from `start` to `limit`, evenly spaced on a logarithmic scale."""
    if limit < start:
        return (limit,) if limit >= 1 else ()
    return tuple(int(n) for n in np.unique(np.rint(np.geomspace(start, limit, points))))


def disjoint_subsets(
    n_clusters: int, size: int, repeats: int, rng: np.random.Generator
) -> tuple[Weights, Weights]:
    """Pairs of disjoint random sets of `size` clusters, as weights [repeats, C] twice."""
    first, second = (np.zeros((repeats, n_clusters), np.uint8) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        if n_clusters > SHUFFLED:
            order = rng.choice(n_clusters, 2 * size, replace=False)
        else:
            order = rng.permutation(n_clusters)
        one[order[:size]] = 1
        other[order[size : 2 * size]] = 1
    return first, second


def prompt_curve(
    aggregate: Callable[[Weights], Floats],
    n_clusters: int,
    *,
    gold: Floats | None,
    repeats: int,
    rng: np.random.Generator,
) -> tuple[TauCurve, TauCurve | None]:
    """Tau between rankings from two disjoint sets of n prompts, and of one such set with gold.

    `aggregate` maps weights [R, C] to scores [R, S].
    """
    sizes = sizes_up_to(n_clusters // 2)
    between, with_gold = [], []
    for size in sizes:
        first, second = disjoint_subsets(n_clusters, size, repeats, rng)
        scores = aggregate(first)
        between.append(kendall_tau(scores, aggregate(second)))
        if gold is not None:
            with_gold.append(kendall_tau(scores, gold))
    return _curve(sizes, between), _curve(sizes, with_gold) if gold is not None else None


def system_curve(
    scores: Floats, gold: Floats, *, repeats: int, rng: np.random.Generator
) -> TauCurve:
    """Tau with gold over random subsets of the systems, by their number."""
    known = np.flatnonzero(~(np.isnan(scores) | np.isnan(gold)))
    sizes = sizes_up_to(len(known), start=3, points=8)
    taus = []
    for size in sizes:
        picks = rng.permuted(np.tile(known, (repeats, 1)), axis=1)[:, :size]
        taus.append(kendall_tau(scores[picks], gold[picks]))
    return _curve(sizes, taus)


def judge_curve(
    rankings: Floats, gold: Floats, *, repeats: int, rng: np.random.Generator
) -> TauCurve:
    """Tau with gold of the mean rank over random sets of judges, by their number; ranks [J, S]."""
    sizes = sizes_up_to(len(rankings), start=1, points=8)
    taus = []
    for size in sizes:
        picks = rng.permuted(np.tile(np.arange(len(rankings)), (repeats, 1)), axis=1)[:, :size]
        taus.append(kendall_tau(-rankings[picks].mean(axis=1), gold))
    return _curve(sizes, taus)
