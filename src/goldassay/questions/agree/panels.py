"""Several judges, or several people: how far they agree, err together, and what a jury is worth.

On binary data Fleiss' kappa, Krippendorff's alpha and the mean pairwise phi are one number but for
a term of order 1/(NR) (Observation 2), so one is primary: alpha, with the scale's difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import accuracy, cohen_kappa, phi, ratio
from goldassay.formulas.reliability import Difference
from goldassay.inference.clusters import effective_size
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws, hedged_tail
from goldassay.metrics.rated import NO_PAIR, Rated, drawn_sums
from goldassay.metrics.registry import RATER_METRICS
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = [
    "difference_of",
    "effective_judges",
    "effective_number",
    "error_correlation",
    "error_pairs",
    "inter_rater",
    "mean_pairwise_kappa",
    "one_verdict",
    "pairwise",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Pairs of raters whose tables are drawn at a time.
PAIRS_AT_ONCE = 50


def difference_of(scale: str) -> Difference:
    """The difference function of alpha that fits a scale."""
    return "ordinal" if scale == "ordinal" else "nominal"


def one_verdict(verdict: Ints, size: int) -> Ints:
    """The commonest option of a judge's repeats [P, S]; -1 when none, or when two are commonest."""
    votes = np.stack([(verdict == k).sum(1) for k in range(size)], 1)
    best = votes.max(1)
    tied = (votes == best[:, None]).sum(1) > 1
    return np.where((best > 0) & ~tied, votes.argmax(1), -1)


# --- agreement among raters -------------------------------------------------------------------


def inter_rater(
    counts: Ints, units: Units, draw: Draw, *, prefix: str, rater_codes: Ints | None = None
) -> tuple[Result, ...]:
    """Coefficients among raters from ratings by option [P, K], the primary one (alpha) first."""
    cluster = None if units.single else units.cluster
    rated = Rated(counts, units.n, cluster, rater_codes, units.task.cluster)
    if not rated.n_items:
        return (Undefined(f"{prefix}krippendorff_alpha", NO_PAIR, 0),)
    sums = drawn_sums(rated, difference_of(units.task.scale), draw)
    results = (
        metric.estimate(sums, draw)
        for metric in RATER_METRICS.values()
        if rater_codes is not None or not metric.by_rater
    )
    return tuple(replace(result, name=prefix + result.name) for result in results)


def pairwise(codes: Ints, n: Ints, names: Sequence[str], size: int) -> tuple[Floats, Floats]:
    """Cohen's kappa and raw agreement of every two raters, from codes [P, R]."""
    raters = len(names)
    kappa, agree = np.full((raters, raters), np.nan), np.full((raters, raters), np.nan)
    for i in range(raters):
        for j in range(i + 1, raters):
            both = (codes[:, i] >= 0) & (codes[:, i] < size)
            both &= (codes[:, j] >= 0) & (codes[:, j] < size)
            table = np.zeros((size, size))
            np.add.at(table, (codes[both, i], codes[both, j]), n[both])
            kappa[i, j] = kappa[j, i] = cohen_kappa(table)
            agree[i, j] = agree[j, i] = accuracy(table)
    return kappa, agree


# --- errors -----------------------------------------------------------------------------------


def error_correlation(codes: Ints, reference: Floats, n: Ints) -> Floats:
    """Correlation (phi) of two judges' errors, from codes [P, J] and references [P, K]."""
    judges = codes.shape[1]
    out = np.full((judges, judges), np.nan)
    first, second = np.triu_indices(judges, 1)
    cells = error_pairs(codes, reference, first, second)
    out[first, second] = out[second, first] = phi(np.tensordot(n, cells, axes=1))
    return out


def error_pairs(codes: Ints, reference: Floats, first: Ints, second: Ints) -> Floats:
    """Errors of pairs of judges as tables [P, pairs, 2, 2]: both wrong, one, the other, neither.

    A judge errs by the share of the references that it does not match.
    """
    size, weight = reference.shape[1], reference.sum(1)
    rated = (codes >= 0) & (codes < size) & (weight > 0)[:, None]
    hit = np.take_along_axis(reference, np.clip(codes, 0, size - 1), 1)
    wrong = 1 - hit / np.maximum(weight, 1e-300)[:, None]
    a, b = wrong[:, first], wrong[:, second]
    cells = np.stack([a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b)], -1)
    cells *= (weight[:, None] * (rated[:, first] & rated[:, second]))[..., None]
    return np.asarray(cells.reshape(*a.shape, 2, 2))


def effective_number(correlation: Floats, judges: int) -> Floats:
    """How many independent judges J correlated ones are, by the mean correlation of their errors.

    From the correlations of all pairs [..., pairs]. NaN where no two judges' errors can be
    correlated.
    """
    return effective_size(judges, _mean_known(correlation))


def _mean_known(values: Floats) -> Floats:
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0.0).sum(-1), known.sum(-1))


def effective_judges(units: Units, codes: Ints, reference: Floats, draw: Draw) -> Result:
    """The effective number of independent judges, with the clusters' weights drawn."""
    judges = codes.shape[1]
    statistic = _PairStatistic(
        "effective_judges",
        cells=lambda first, second: error_pairs(codes, reference, first, second),
        of_pair=phi,
        of_all=lambda values: effective_number(values, judges),
        undefined="the errors of no two judges can be correlated",
    )
    return _over_pairs(statistic, units, judges, draw)


def mean_pairwise_kappa(name: str, units: Units, codes: Ints, draw: Draw) -> Result:
    """Cohen's kappa, averaged over all pairs of raters, from codes [P, R]."""
    size = len(units.options)
    rated = (codes >= 0) & (codes < size)
    one = np.eye(size)[np.clip(codes, 0, size - 1)] * rated[..., None]
    statistic = _PairStatistic(
        name,
        cells=lambda first, second: np.einsum("pik,pil->pikl", one[:, first], one[:, second]),
        of_pair=cohen_kappa,
        of_all=_mean_known,
        undefined="no two raters use more than one option",
    )
    return _over_pairs(statistic, units, codes.shape[1], draw)


@dataclass(frozen=True)
class _PairStatistic:
    """A number of each pair's table [..., L, L], and one of all pairs' numbers [..., pairs]."""

    name: str
    #: Tables [P, pairs, L, L] of pairs of raters.
    cells: Callable[[Ints, Ints], Floats]
    of_pair: Callable[[Floats], Floats]
    of_all: Callable[[Floats], Floats]
    undefined: str


def _over_pairs(statistic: _PairStatistic, units: Units, raters: int, draw: Draw) -> Result:
    """A statistic of the tables of all pairs of raters, with the clusters' weights drawn.

    All pairs share the weights; a block of them is drawn at a time. Each end of the interval is the
    further of the two hedges: towards pairs that agree, and towards pairs that do not.
    """
    of_pair, of_all = statistic.of_pair, statistic.of_all
    pairs = np.stack(np.triu_indices(raters, 1))
    groups = len(units.n) if units.single else int(units.cluster.max()) + 1
    group = np.arange(groups) if units.single else units.cluster
    times = units.n if units.single else np.ones(groups, np.int64)
    seen, covered = np.zeros(groups, bool), np.zeros(len(units.n), bool)
    whole: list[Floats] = []
    lower: list[Floats] = []
    upper: list[Floats] = []
    blocks = np.array_split(pairs, -(-pairs.shape[1] // PAIRS_AT_ONCE), axis=1)
    for block in blocks:
        found = statistic.cells(*block)
        covered |= found.any((1, 2, 3))
        table = np.zeros((groups, *found.shape[1:]))
        weight = 1 if units.single else units.n[:, None, None, None]
        np.add.at(table, group, found * weight)
        seen |= table.any((1, 2, 3))
        clustered = bool((table.sum((-1, -2)) > 1 + 1e-9).any())
        drawn = hedged_draws(
            table,
            times,
            draws=draw.draws,
            seed=draw.seed,
            clustered=clustered,
            merge=len(blocks) == 1,
        )
        whole.append(of_pair(np.tensordot(times.astype(float), table, axes=1)))
        lower.append(of_pair(drawn.lower))
        upper.append(of_pair(drawn.upper))
    value, n_items = float(of_all(np.concatenate(whole))), int(units.n[covered].sum())
    if np.isnan(value):
        return Undefined(statistic.name, statistic.undefined, n_items)
    clusters, interval = int(times[seen].sum()), None
    drawn = replace(drawn, n_clusters=clusters)
    if clusters > 1:
        tail = hedged_tail(drawn, draw.confidence_level)
        both = [of_all(np.concatenate(values, 1)) for values in (lower, upper)]
        interval = Interval(
            min(value, *(float(np.nanquantile(x, tail)) for x in both)),
            max(value, *(float(np.nanquantile(x, 1 - tail)) for x in both)),
            draw.confidence_level,
            drawn.method,
        )
    declared = {"resampling_unit": units.task.cluster}
    return Estimate(statistic.name, value, interval, n_items, clusters, declared)
