"""Several judges, or several people: how far they agree, err together, and what a jury is worth.

On binary data Fleiss' kappa, Krippendorff's alpha and the mean pairwise phi are one number but for
a term of order 1/(NR) (Observation 2), so one is primary: alpha, with the scale's difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.agreement.judges import Draw
from karat.agreement.modes import Mode, Tables, resolved
from karat.coefficients import accuracy, cohen_kappa, phi, ratio
from karat.counts import Units
from karat.intervals import HedgedDraws, hedged_draws, hedged_tail
from karat.reliability import (
    Difference,
    coincidences,
    conger_kappa,
    fleiss_kappa,
    gwet_ac1_of_many,
    krippendorff_alpha,
    observed_agreement,
    pair_sums,
)
from karat.results import Estimate, Interval, Result, Table, Undefined

__all__ = [
    "Jury",
    "difference_of",
    "effective_number",
    "error_correlation",
    "inter_rater",
    "juries",
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
    counts: Ints,
    units: Units,
    draw: Draw,
    *,
    prefix: str,
    rater_codes: Ints | None = None,
) -> list[tuple[Result, bool]]:
    """Coefficients among raters from ratings by option [P, K]; the flag marks the primary one.

    Intervals draw the clusters' weights (Bayesian bootstrap), hedged by a pseudo-unit whose raters
    differ and one rated in unison, as `karat.intervals` does for a table.
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
    tail = hedged_tail(HedgedDraws(lower, upper, clusters, not units.single), draw.confidence_level)
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
        out.append((
            Estimate(prefix + name, value, interval, n_items, clusters, declared), primary
        ))  # fmt: skip
    return out


def _hedged_sums(
    stack: Floats, together: Floats, sums: Floats, units: Units, draw: Draw, size: int
) -> tuple[Floats, Floats, int]:
    if units.single:
        table, times = stack, units.n
    else:
        table = np.zeros((int(units.cluster.max()) + 1, stack.shape[1]))
        np.add.at(table, units.cluster, stack * units.n[:, None])
        times = np.ones(len(table), np.int64)
    used = table.any(1)
    table, times = table[used], times[used]
    rng = np.random.default_rng(draw.seed)
    weights = rng.standard_gamma(times.astype(float), size=(draw.draws, len(times)))
    # n in alpha's (n - 1) is the number of ratings: weights keep their sum.
    weights *= times.sum() / weights.sum(1, keepdims=True)
    base = weights @ table
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
    size = reference.shape[1]
    judges = codes.shape[1]
    weight = reference.sum(1)
    rated = (codes >= 0) & (codes < size) & (weight > 0)[:, None]
    hit = np.take_along_axis(reference, np.clip(codes, 0, size - 1), 1)
    wrong = 1 - hit / np.maximum(weight, 1e-300)[:, None]
    out = np.full((judges, judges), np.nan)
    for i in range(judges):
        for j in range(i + 1, judges):
            both = rated[:, i] & rated[:, j]
            a, b, w = wrong[both, i], wrong[both, j], (n * weight)[both]
            table = np.array([
                [(w * a * b).sum(), (w * a * (1 - b)).sum()],
                [(w * (1 - a) * b).sum(), (w * (1 - a) * (1 - b)).sum()],
            ])  # fmt: skip
            out[i, j] = out[j, i] = phi(table)
    return out


def effective_number(correlation: Floats) -> float:
    """J / (1 + (J - 1) mean correlation): how many independent judges J correlated ones are.

    Kish's formula for the variance of a mean; at most J, since chance negative correlations are
    no reason to believe in more judges than there are.
    """
    judges = len(correlation)
    pairs = correlation[np.triu_indices(judges, 1)]
    if not np.isfinite(pairs).any():
        return float("nan")
    mean = max(0.0, float(np.nanmean(pairs)))
    return judges / (1 + (judges - 1) * mean)


# --- juries -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Jury:
    """A panel's verdicts: tables like a judge's, and how it compares with its best member."""

    name: str
    tables: Tables
    best: str
    gain: Result


def juries(units: Units, codes: Ints, names: Sequence[str], mode: Mode, draw: Draw) -> list[Jury]:
    """A majority panel and a weighted panel, scored like judges.

    The weighted panel gives each judge the log-odds of its accuracy (Nitzan and Paroush 1982),
    learned on one half of the clusters and applied to the other. A tied vote is an abstention.
    """
    size = len(units.options)
    rated = [(codes == k) for k in range(size)]
    majority = _vote(rated, np.ones((len(codes), codes.shape[1])), size)
    out = [_jury("majority panel", units, majority, codes, names, mode, draw)]
    rng = np.random.default_rng(draw.seed)
    parts = []
    if units.single:
        first = rng.binomial(units.n, 0.5)
        parts = [(first, units.n - first), (units.n - first, first)]
    else:
        side = rng.integers(0, 2, int(units.cluster.max(initial=-1)) + 1)[units.cluster] == 1
        half = np.where(side, units.n, 0)
        parts = [(half, units.n - half), (units.n - half, half)]
    folds, verdicts = [], []
    for learn, apply in parts:
        votes = _log_odds(replace(units, n=learn), codes, mode)
        folds.append(replace(units, n=apply))
        verdicts.append(_vote(rated, np.broadcast_to(votes, codes.shape), size))
    both = _joined(folds)
    weighted = np.concatenate(verdicts)
    out.append(_jury(
        "weighted panel", both, weighted, np.concatenate([codes, codes]), names, mode, draw
    ))  # fmt: skip
    return out


def _vote(rated: list[npt.NDArray[np.bool_]], weights: Floats, size: int) -> Ints:
    score = np.stack([(hit * weights).sum(1) for hit in rated], 1)
    some = np.stack([hit.any(1) for hit in rated], 1).any(1)
    best = score.max(1)
    tied = (score >= best[:, None] - 1e-9).sum(1) > 1
    verdict = np.where(tied, size, score.argmax(1))
    return np.where(some, verdict, -1)


def _log_odds(units: Units, codes: Ints, mode: Mode) -> Floats:
    values = []
    for column in range(codes.shape[1]):
        table = resolved(units, codes[:, [column]], mode).total
        hits, total = np.trace(table), table.sum()
        share = (hits + 1) / (total + 2)
        values.append(np.log(share / (1 - share)))
    return np.asarray(np.maximum(np.array(values), 0.0))


def _joined(folds: Sequence[Units]) -> Units:
    first = folds[0]
    by = {
        name: replace(one, codes=np.concatenate([f.by[name].codes for f in folds]))
        for name, one in first.by.items()
    }
    return replace(
        first, by=by, cluster=np.concatenate([f.cluster for f in folds]),
        human=np.concatenate([f.human for f in folds]),
        verdict=np.concatenate([f.verdict for f in folds]),
        n=np.concatenate([f.n for f in folds]), weight=np.concatenate([f.weight for f in folds]),
    )  # fmt: skip


def _jury(
    name: str, units: Units, verdict: Ints, codes: Ints, names: Sequence[str], mode: Mode,
    draw: Draw,
) -> Jury:  # fmt: skip
    tables = resolved(units, verdict[:, None], mode)
    members = [resolved(units, codes[:, [j]], mode) for j in range(len(names))]
    scores = [float(accuracy(one.total)) for one in members]
    best = int(np.nanargmax(scores)) if np.isfinite(scores).any() else 0
    return Jury(name, tables, names[best], _gain(name, tables, members[best], units, draw))


def _gain(name: str, panel: Tables, member: Tables, units: Units, draw: Draw) -> Result:
    """Accuracy of the panel less its best member's, on the units that both decide."""
    label = "gain_over_best_judge"
    right = [np.trace(t.cells, axis1=1, axis2=2) for t in (panel, member)]
    base = [t.cells.sum((1, 2)) for t in (panel, member)]
    both = (base[0] > 0) & (base[1] > 0)
    if not (units.n[both] > 0).any():
        return Undefined(label, "no unit is decided by both", 0)
    # Three outcomes as a table: only the panel is right, only the member, no difference.
    more = np.where(both, np.clip(right[0] - right[1], 0, None), 0.0)
    less = np.where(both, np.clip(right[1] - right[0], 0, None), 0.0)
    same = np.where(both, np.minimum(base[0], base[1]) - more - less, 0.0)
    cells = np.zeros((len(both), 2, 2))
    cells[:, 0, 0], cells[:, 0, 1], cells[:, 1, 1] = more, less, np.maximum(same, 0)
    paired = replace(panel, cells=cells, labels=("a", "b"), size=2)
    stack, times = paired.clusters()
    clustered = bool((stack.sum((1, 2, 3)) > 1 + 1e-9).any())
    drawn = hedged_draws(stack[:, 0], times, draws=draw.draws, seed=draw.seed, clustered=clustered)

    def gain(t: Floats) -> Floats:
        return ratio(t[..., 0, 0] - t[..., 0, 1], t.sum((-1, -2)))

    value = float(gain(paired.total))
    n_items = int(units.n[both].sum())
    interval = None
    if not drawn.clustered or drawn.n_clusters > 1:  # one cluster says nothing of the spread
        tail = hedged_tail(drawn, draw.confidence_level)
        low = min(value, float(np.nanquantile(gain(drawn.lower), tail)))
        high = max(value, float(np.nanquantile(gain(drawn.upper), 1 - tail)))
        interval = Interval(low, high, draw.confidence_level, drawn.method)
    return Estimate(
        label, value, interval, n_items, drawn.n_clusters,
        {"panel": name}, ("the best judge was chosen on the same items, which favours it",),
    )  # fmt: skip


def matrix_table(title: str, names: Sequence[str], values: Floats, note: str = "") -> Table:
    """A square of numbers between raters; the diagonal is empty."""
    rows = [
        (name, *(None if np.isnan(x) else float(x) for x in values[i]))
        for i, name in enumerate(names)
    ]
    return Table(title, ("", *names), tuple(rows), (note,) if note else ())
