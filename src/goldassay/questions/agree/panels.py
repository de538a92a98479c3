"""Several judges, or several people: how far they agree, err together, and what a jury is worth.

On binary data Fleiss' kappa, Krippendorff's alpha and the mean pairwise phi are one number but for
a term of order 1/(NR) (Observation 2), so one is primary: alpha, with the scale's difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import accuracy, cohen_kappa, phi, ratio
from goldassay.formulas.reliability import (
    Difference,
    coincidences,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1_of_many,
    krippendorff_alpha,
    observed_agreement,
    pair_sums,
)
from goldassay.inference.bootstrap import blocks, exponential_weights
from goldassay.inference.clusters import (
    cluster_sums,
    distinct_clusters,
    effective_size,
    few_cluster_tail,
)
from goldassay.inference.posterior import hedged_draws, hedged_tail
from goldassay.questions.agree.judges import Draw
from goldassay.results import Estimate, Interval, Result, Table, Undefined

__all__ = [
    "difference_of",
    "effective_judges",
    "effective_number",
    "error_correlation",
    "error_pairs",
    "inter_rater",
    "matrix_table",
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
) -> list[tuple[Result, bool]]:
    """Coefficients among raters from ratings by option [P, K]; the flag marks the primary one.

    Intervals draw the clusters' weights (Bayesian bootstrap), hedged by a pseudo-unit whose raters
    differ and one rated in unison, as `goldassay.inference.posterior` does for a table.
    """
    task, size = units.task, len(units.options)
    paired = counts.sum(1) > 1
    n_items = int(units.n[paired].sum())
    difference = difference_of(task.scale)
    if not n_items:
        reason = "no unit has two ratings"
        return [(Undefined(f"{prefix}krippendorff_alpha", reason, 0), True)]
    together = coincidences(counts).reshape(len(counts), -1)
    sums = pair_sums(counts)
    margins = []
    if rater_codes is not None:
        margins = [(rater_codes == k).astype(float) for k in range(size)]
    parts = [together, sums, *margins]
    stack = np.concatenate(parts, 1)
    split = np.cumsum([part.shape[1] for part in parts])[:-1]
    lower, upper, clusters = _hedged_sums(stack, together, sums, units, draw, size)
    total = units.n @ stack

    def square(x: Floats) -> Floats:
        return x[..., : split[0]].reshape(*x.shape[:-1], size, size)

    def pairs(x: Floats) -> Floats:
        return x[..., split[0] : split[0] + size + 3]

    def raters(x: Floats) -> Floats:
        rest = x[..., split[0] + size + 3 :]
        return np.moveaxis(rest.reshape(*x.shape[:-1], size, -1), -1, -2)

    functions: dict[str, Callable[[Floats], Floats]] = {
        "krippendorff_alpha": lambda x: krippendorff_alpha(square(x), difference),
        "fleiss_kappa": lambda x: fleiss_kappa(pairs(x)),
        "gwet_ac1": lambda x: gwet_ac1_of_many(pairs(x)),
        "observed_agreement": lambda x: observed_agreement(pairs(x)),
    }
    if rater_codes is not None:
        functions["conger_kappa"] = lambda x: conger_kappa(pairs(x), raters(x))
    tail = (1 - draw.confidence_level) / 2
    if not units.single:
        tail = few_cluster_tail(clusters, draw.confidence_level, resampling="bayesian")
    out: list[tuple[Result, bool]] = []
    for name, function in functions.items():
        value = float(function(total))
        primary = name == "krippendorff_alpha"
        if np.isnan(value):
            reason = f"only one option is ever used ({n_items} units)"
            out.append((Undefined(prefix + name, reason, n_items), primary))
            continue
        declared = {"difference": difference} if primary else {}
        low, high = function(lower), function(upper)
        interval = None
        if clusters > 1 and np.isfinite(low).any() and np.isfinite(high).any():
            interval = Interval(
                min(value, float(np.nanquantile(low, tail))),
                max(value, float(np.nanquantile(high, 1 - tail))),
                draw.confidence_level,
                f"hedged Bayesian bootstrap of {units.task.cluster}s ({draw.draws} draws)",
            )
        out.append((Estimate(prefix + name, value, interval, n_items, clusters, declared), primary))
    return out


def _hedged_sums(
    stack: Floats, together: Floats, sums: Floats, units: Units, draw: Draw, size: int
) -> tuple[Floats, Floats, int]:
    table, times = cluster_sums(stack, units.n, None if units.single else units.cluster)
    used = table.any(1)
    table, times = distinct_clusters(table[used], times[used])
    rng, drawn = np.random.default_rng(draw.seed), []
    for rows in blocks(draw.draws, len(times)):
        weights = exponential_weights(times, rows, rng)
        # n in alpha's (n - 1) is the number of ratings: weights keep their sum.
        weights *= times.sum() / weights.sum(1, keepdims=True)
        drawn.append(weights @ table)
    base = np.concatenate(drawn)
    # As in the hedged posterior of a table: a pseudo-unit in unison is spread over the diagonal,
    # one whose raters all differ over the rest.
    pairs = float((units.n @ together).sum() / max((units.n @ sums)[1], 1))
    diagonal, even, at = np.eye(size) / size, [1 / size] * size, together.shape[1]
    apart = (1 - np.eye(size)) / max(size * (size - 1), 1)
    unison, split = np.zeros(stack.shape[1]), np.zeros(stack.shape[1])
    unison[:at], split[:at] = (pairs * diagonal).ravel(), (pairs * apart).ravel()
    unison[at : at + size + 3] = [1, 1, *even, 1]
    split[at : at + size + 3] = [0, 1, *even, 1]
    scale = max(1.0, float(units.n.sum() / times.sum()))
    full = rng.standard_gamma(1.0, size=(2, draw.draws, 1)) * scale
    part = rng.standard_gamma(0.25, size=(2, draw.draws, 1)) * scale
    lower = base + full[0] * split + part[0] * unison
    upper = base + full[1] * unison + part[1] * split
    return lower, upper, int(times.sum())


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
    return _over_pairs(
        "effective_judges",
        units,
        judges,
        draw,
        cells=lambda first, second: error_pairs(codes, reference, first, second),
        of_pair=phi,
        of_all=lambda values: effective_number(values, judges),
        undefined="the errors of no two judges can be correlated",
    )


def mean_pairwise_kappa(name: str, units: Units, codes: Ints, draw: Draw) -> Result:
    """Cohen's kappa, averaged over all pairs of raters, from codes [P, R]."""
    size = len(units.options)
    rated = (codes >= 0) & (codes < size)
    one = np.eye(size)[np.clip(codes, 0, size - 1)] * rated[..., None]
    return _over_pairs(
        name,
        units,
        codes.shape[1],
        draw,
        cells=lambda first, second: np.einsum("pik,pil->pikl", one[:, first], one[:, second]),
        of_pair=cohen_kappa,
        of_all=_mean_known,
        undefined="no two raters use more than one option",
    )


def _over_pairs(
    name: str,
    units: Units,
    raters: int,
    draw: Draw,
    *,
    cells: Callable[[Ints, Ints], Floats],
    of_pair: Callable[[Floats], Floats],
    of_all: Callable[[Floats], Floats],
    undefined: str,
) -> Result:
    """A statistic of the tables of all pairs of raters, with the clusters' weights drawn.

    All pairs share the weights; a block of them is drawn at a time. Each end of the interval is the
    further of the two hedges: towards pairs that agree, and towards pairs that do not.
    """
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
        found = cells(*block)
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
        return Undefined(name, undefined, n_items)
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
    return Estimate(name, value, interval, n_items, clusters, declared)


def matrix_table(title: str, names: Sequence[str], values: Floats, note: str = "") -> Table:
    """A square of numbers between raters; the diagonal is empty."""
    rows = [
        (name, *(None if np.isnan(x) else float(x) for x in values[i]))
        for i, name in enumerate(names)
    ]
    return Table(title, ("", *names), tuple(rows), (note,) if note else ())
