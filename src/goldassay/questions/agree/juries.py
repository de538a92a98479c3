"""Juries: a majority panel and a weighted panel of judges, scored like a judge.

Does the jury beat its best member? The members err together, so more of them is not more evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import accuracy, ratio
from goldassay.inference.clusters import cluster_sums
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws, hedged_tail
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.modes import Mode, Tables, resolved
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["Jury", "juries"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Jury:
    """A panel's verdicts: tables like a judge's, and how it compares with its best member."""

    name: str
    tables: Tables
    best: str
    gain: Result


def juries(units: Units, codes: Ints, names: Sequence[str], reading: Reading) -> tuple[Jury, ...]:
    """A majority panel and a weighted panel, scored like judges.

    The weighted panel gives each judge the log-odds of its accuracy, where errors are spread evenly
    over the other options (Nitzan and Paroush 1982), and no vote where it is no better than chance;
    learned on one half of the clusters and applied to the other. A tied vote is an abstention.
    """
    size = len(units.options)
    rated = [(codes == k) for k in range(size)]
    majority = _vote(rated, np.ones((len(codes), codes.shape[1])), size)
    rng = np.random.default_rng(reading.draw.seed)
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
        votes = _log_odds(replace(units, n=learn), codes, reading.mode)
        folds.append(replace(units, n=apply))
        verdicts.append(_vote(rated, np.broadcast_to(votes, codes.shape), size))
    both = _joined(folds)
    weighted = np.concatenate(verdicts)
    twice = np.concatenate([codes, codes])
    return (
        _jury("majority panel", units, majority, _Members(names, codes), reading),
        _jury("weighted panel", both, weighted, _Members(names, twice), reading),
    )


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
        values.append(np.log((len(units.options) - 1) * share / (1 - share)))
    return np.asarray(np.maximum(np.array(values), 0.0))


def _joined(folds: Sequence[Units]) -> Units:
    first = folds[0]
    by = {
        name: replace(one, codes=np.concatenate([f.by[name].codes for f in folds]))
        for name, one in first.by.items()
    }
    return replace(
        first,
        by=by,
        cluster=np.concatenate([f.cluster for f in folds]),
        human=np.concatenate([f.human for f in folds]),
        verdict=np.concatenate([f.verdict for f in folds]),
        n=np.concatenate([f.n for f in folds]),
        weight=np.concatenate([f.weight for f in folds]),
    )


@dataclass(frozen=True)
class _Members:
    """The judges of a panel and their verdicts [P, J]."""

    names: Sequence[str]
    codes: Ints


def _jury(name: str, units: Units, verdict: Ints, judges: _Members, reading: Reading) -> Jury:
    tables = resolved(units, verdict[:, None], reading.mode)
    members = [
        resolved(units, judges.codes[:, [j]], reading.mode) for j in range(len(judges.names))
    ]
    scores = [float(accuracy(one.total)) for one in members]
    best = int(np.nanargmax(scores)) if np.isfinite(scores).any() else 0
    gain = _gain(name, tables, members, best, units, reading.draw)
    return Jury(name, tables, judges.names[best], gain)


def _paired(panel: Tables, member: Tables) -> Floats:
    """Three outcomes as a table [P, 2, 2]: only the panel is right, only the member, no difference.

    Only the units that both decide count.
    """
    right = [np.trace(t.cells, axis1=1, axis2=2) for t in (panel, member)]
    base = [t.cells.sum((1, 2)) for t in (panel, member)]
    more, less = (np.clip(right[a] - right[1 - a], 0, None) for a in (0, 1))
    cells = np.zeros((len(more), 2, 2))
    cells[:, 0, 0], cells[:, 0, 1] = more, less
    cells[:, 1, 1] = np.maximum(np.minimum(*base) - more - less, 0)
    return np.where(((base[0] > 0) & (base[1] > 0))[:, None, None], cells, 0.0)


def _gain(
    name: str, panel: Tables, members: Sequence[Tables], best: int, units: Units, draw: Draw
) -> Result:
    """Accuracy of the panel less its best member's.

    The best member is the one that looks best on the same items, which favours it. The interval is
    for the gain over the member that is best in truth, the smallest of all the members' gains: no
    larger than the smallest of upper ends that hold for all members at once, and no smaller than
    the smallest lower end.
    """
    label = "gain_over_best_judge"
    cells = np.stack([_paired(panel, member) for member in members], 1)
    decided = cells[:, best].any((1, 2))
    n_items = int(units.n[decided].sum())
    if not n_items:
        return Undefined(label, "no unit is decided by both", 0)

    def gain(t: Floats) -> Floats:
        return ratio(t[..., 0, 0] - t[..., 0, 1], t.sum((-1, -2)))

    stack, times = cluster_sums(cells, units.n, None if panel.single else units.cluster)
    used = stack.any((1, 2, 3)) & (times > 0)
    stack, times = stack[used], times[used]
    clustered = bool((stack.sum((2, 3)) > 1 + 1e-9).any())
    drawn = hedged_draws(stack, times, draws=draw.draws, seed=draw.seed, clustered=clustered)
    value = float(gain(np.tensordot(times, stack, axes=1))[best])
    interval = None
    if not drawn.clustered or drawn.n_clusters > 1:  # one cluster says nothing of the spread
        tail = hedged_tail(drawn, draw.confidence_level)
        lower, upper = gain(drawn.lower), gain(drawn.upper)
        low = min(value, float(np.quantile(lower, tail, axis=0).min()))
        high = max(value, float(_joint_upper(upper, tail).min()))
        interval = Interval(low, high, draw.confidence_level, drawn.method)
    return Estimate(
        label,
        value,
        interval,
        n_items,
        drawn.n_clusters,
        {"panel": name},
        ("the best judge was chosen on the same items, which favours it",),
    )


def _joint_upper(draws: Floats, tail: float) -> Floats:
    """Upper ends [J] that all columns of draws [B, J] stay below at once, but for `tail`."""
    ranks = draws.argsort(0).argsort(0)
    level = np.quantile(ranks.max(1), 1 - tail) / max(len(draws) - 1, 1)
    return np.array([np.quantile(column, level) for column in draws.T])
