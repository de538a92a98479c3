"""Several judges, or several people: how far they agree, err together, and what a jury is worth.

On binary data Fleiss' kappa, Krippendorff's alpha and the mean pairwise phi are one number but for
a term of order 1/(NR) (Observation 2), so one is primary: alpha, with the scale's difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import accuracy, cohen_kappa, phi
from goldassay.formulas.reliability import Difference, error_pairs
from goldassay.inference.draw import Draw
from goldassay.metrics.rater_inputs import Rated
from goldassay.metrics.rater_pairs import EFFECTIVE_JUDGES, MEAN_PAIRWISE_KAPPA
from goldassay.metrics.rater_sums import NO_PAIR, drawn_sums
from goldassay.metrics.registry import RATER_METRICS
from goldassay.results import Result, Undefined

__all__ = [
    "difference_of",
    "effective_judges",
    "error_correlation",
    "inter_rater",
    "mean_pairwise_kappa",
    "one_verdict",
    "pairwise",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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
    difference = difference_of(units.task.scale)
    sums = {known: drawn_sums(rated, difference, draw, by_rater=known) for known in (False, True)}
    results = (
        metric.estimate(sums[metric.by_rater], draw)
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


def effective_judges(units: Units, codes: Ints, reference: Floats, draw: Draw) -> Result:
    """The effective number of independent judges, with the clusters' weights drawn."""
    return EFFECTIVE_JUDGES.estimate(replace(_rated(units, codes), reference=reference), draw)


def mean_pairwise_kappa(name: str, units: Units, codes: Ints, draw: Draw) -> Result:
    """Cohen's kappa, averaged over all pairs of raters, from codes [P, R]."""
    return replace(MEAN_PAIRWISE_KAPPA.estimate(_rated(units, codes), draw), name=name)


def _rated(units: Units, codes: Ints) -> Rated:
    votes = np.stack([(codes == k).sum(1) for k in range(len(units.options))], 1)
    cluster = None if units.single else units.cluster
    return Rated(votes, units.n, cluster, codes, units.task.cluster)
