"""Juries: panels of judges, scored like a judge.

- `unanimous panel` of three or more: the verdict that all give; where they differ it abstains.
- `majority panel`: the verdict that most give; a tied vote is an abstention.
- `weighted panel`: votes weighted by the log-odds of each judge's accuracy.
- `closest panel`, where the task declares weights: the class with the most agreement, by the
  declared matrix, with all verdicts, so that a near miss is better than a far one.

Classes are those of the declared handling: an abstention is a vote where it is a class of its own.
Does the jury beat its best member? The members err together, so more of them is not more evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cluster_sums
from goldassay.inference.draw import Draw
from goldassay.inference.posterior import hedged_draws, hedged_tail
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.modes import Mode, Tables, resolved, resolved_each
from goldassay.questions.agree.panels import Handling, handling_of, one_verdict
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["Jury", "juries", "panel_codes", "panel_verdicts"]

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
    """The panels of judges whose verdicts are `codes` [P, J], scored like judges.

    The weighted panel gives each judge the log-odds of its accuracy, where errors are spread evenly
    over the other options (Nitzan and Paroush 1982), and no vote where it is no better than chance;
    learned on one half of the clusters and applied to the other.
    """
    handling, size = handling_of(reading.task, reading.mode), len(units.options)
    members, votes = _members(units, names, codes, reading.mode), _votes(codes, handling)
    found = [
        _jury(name, units, verdict, members, reading)
        for name, verdict in _counted(codes, votes, handling).items()
    ]
    folds, verdicts, said = [], [], []
    one, two = _halves(units, reading.draw)
    for learn, apply in ((one, two), (two, one)):
        weights = _log_odds(learn, codes, reading.mode)
        # A cluster is in one half; of units alone, each pattern may be in both.
        mine = (apply.n > 0) | units.single
        folds.append(apply.where(mine))
        verdicts.append(_weighted(codes[mine], votes[mine], weights, size))
        said.append(codes[mine])
    both = _joined(folds)
    members = _members(both, names, np.concatenate(said), reading.mode)
    weighted = _jury("weighted panel", both, np.concatenate(verdicts), members, reading)
    closest = [one for one in found if one.name == "closest panel"]
    return (*(one for one in found if one not in closest), weighted, *closest)


def panel_verdicts(units: Units, reading: Reading) -> dict[str, Ints]:
    """What each panel says of each pattern [P], as a code of `Units.verdict`; -1 for nothing.

    The weighted panel's votes are those that all labelled items teach: for items to come, not for
    telling how good it is, which `juries` does on halves.
    """
    handling, size = handling_of(reading.task, reading.mode), len(units.options)
    codes = panel_codes(units, handling)
    votes = _votes(codes, handling)
    weights = _log_odds(units, codes, reading.mode)
    weighted = {"weighted panel": _weighted(codes, votes, weights, size)} if weights.any() else {}
    return {**_counted(codes, votes, handling), **weighted}


def panel_codes(units: Units, handling: Handling) -> Ints:
    """One verdict of each judge [P, J], the commonest of its repeats; -1 where it has none."""
    return np.stack(
        [
            one_verdict(handling.codes(units.verdict[:, units.columns_of(name)]), handling.classes)
            for name in units.judge_names
        ],
        1,
    )


def _votes(codes: Ints, handling: Handling) -> Floats:
    """Votes [P, J, K] for the classes."""
    return np.asarray(np.eye(handling.classes)[np.clip(codes, 0, None)] * (codes >= 0)[..., None])


def _counted(codes: Ints, votes: Floats, handling: Handling) -> dict[str, Ints]:
    """The panels that need no labels to vote."""
    size = len(handling.options)
    found = {"majority panel": _most(votes.sum(1), size)}
    if codes.shape[1] > 2:  # of two judges the majority is unanimous
        found = {"unanimous panel": _unanimous(codes, size), **found}
    if handling.weights is not None:
        found["closest panel"] = _most((votes @ handling.weights.T).sum(1), size)
    return found


def _weighted(codes: Ints, votes: Floats, weights: Floats, size: int) -> Ints:
    voted = np.asarray((codes >= 0).any(1))
    return _most(np.einsum("pjk,j->pk", votes, weights), size, voted)


def _halves(units: Units, draw: Draw) -> tuple[Units, Units]:
    """Two halves of the clusters at random, each to learn from for the other."""
    rng = np.random.default_rng(draw.seed)
    if units.alike is not None and units.kinds is not None:
        # Each cluster falls on a side; of those that are alike, some on either.
        chosen = units.kinds[rng.integers(0, 2, len(units.kinds)) == 1]
        some = np.bincount(chosen[chosen >= 0], minlength=len(units.alike))
        each = units.n // units.alike[units.cluster]
        first, second = (
            replace(units, n=each * alike[units.cluster], alike=alike)
            for alike in (some, units.alike - some)
        )
        return first, second
    if units.single:
        half = rng.binomial(units.n, 0.5)
    else:
        side = rng.integers(0, 2, int(units.cluster.max(initial=-1)) + 1)[units.cluster] == 1
        half = np.where(side, units.n, 0)
    return replace(units, n=half), replace(units, n=units.n - half)


def _unanimous(codes: Ints, size: int) -> Ints:
    """What all judges say; an abstention where they differ or one has no verdict."""
    same = (codes == codes[:, :1]).all(1) & (codes[:, 0] >= 0)
    return np.where(same, codes[:, 0], np.where((codes >= 0).any(1), size, -1))


def _most(score: Floats, size: int, voted: npt.NDArray[np.bool_] | None = None) -> Ints:
    """The class with the highest score [P, K]; an abstention where two have it, -1 without vote."""
    best = score.max(1)
    tied = (score >= best[:, None] - 1e-9).sum(1) > 1
    some = score.any(1) if voted is None else voted
    return np.where(some, np.where(tied, size, score.argmax(1)), -1)


def _log_odds(units: Units, codes: Ints, mode: Mode) -> Floats:
    values = []
    for one in resolved_each(units, codes.T[..., None], mode):
        table = one.total
        hits, total = np.trace(table), table.sum()
        share = (hits + 1) / (total + 2)
        others = max(len(units.options) - 1, 1)  # of a single option all votes weigh the same
        values.append(np.log(others * share / (1 - share)))
    return np.asarray(np.maximum(np.array(values), 0.0))


def _joined(folds: Sequence[Units]) -> Units:
    first = folds[0]
    cluster, alike = [f.cluster for f in folds], [f.alike for f in folds if f.alike is not None]
    if alike:  # the clusters of a kind are in both folds, some in each
        cluster = [one + fold * len(alike[0]) for fold, one in enumerate(cluster)]
    by = {
        name: replace(one, codes=np.concatenate([f.by[name].codes for f in folds]))
        for name, one in first.by.items()
    }
    return replace(
        first,
        by=by,
        cluster=np.concatenate(cluster),
        alike=np.concatenate(alike) if alike else None,
        human=np.concatenate([f.human for f in folds]),
        verdict=np.concatenate([f.verdict for f in folds]),
        n=np.concatenate([f.n for f in folds]),
        weight=np.concatenate([f.weight for f in folds]),
        resolved=None
        if first.resolved is None
        else np.concatenate([f.resolved for f in folds if f.resolved is not None]),
        stands_for=None
        if first.stands_for is None
        else np.concatenate([f.stands_for for f in folds if f.stands_for is not None]),
    )


def _members(units: Units, names: Sequence[str], codes: Ints, mode: Mode) -> Mapping[str, Tables]:
    """The judges of a panel, by their verdicts [P, J]."""
    return dict(zip(names, resolved_each(units, codes.T[..., None], mode), strict=True))


def _jury(
    name: str, units: Units, verdict: Ints, members: Mapping[str, Tables], reading: Reading
) -> Jury:
    tables = resolved(units, verdict[:, None], reading.mode)
    best = _best(list(members.values()), units.n)
    gain = _gain(name, tables, list(members.values()), best, units, reading.draw)
    return Jury(name, tables, list(members)[best], gain)


def _best(members: Sequence[Tables], n: Ints) -> int:
    """The member that is right most often where all decide; of level ones, and where nothing is
    decided by all, the one that is right on most."""
    hits, sizes = np.stack([t.hits for t in members]), np.stack([t.sizes for t in members])
    every = (sizes > 0).all(0)
    shared = (hits[:, every] * n[every]).sum(1) / max(
        float((sizes[0, every] * n[every]).sum()), 1.0
    )
    right = (hits * n).sum(1)
    return int(np.lexsort((-right, -np.round(shared, 12)))[0])


def _paired(panel: Tables, member: Tables) -> Floats:
    """Three outcomes as a table [P, 2, 2]: only the panel is right, only the member, no difference.

    Only the units that both decide count.
    """
    right = [t.hits for t in (panel, member)]
    base = [t.sizes for t in (panel, member)]
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
    decided = _paired(panel, members[best]).any((1, 2))
    n_items = int(units.n[decided].sum())
    if not n_items:
        return Undefined(label, "no unit is decided by both", 0)

    def gain(t: Floats) -> Floats:
        return ratio(t[..., 0, 0] - t[..., 0, 1], t.sum((-1, -2)))

    cluster = None if panel.single else units.cluster
    # One member after another: the cells of all of them on every unit are never held at once.
    summed = [cluster_sums(_paired(panel, one), units.n, cluster, units.alike) for one in members]
    stack, times = np.stack([one for one, _ in summed], 1), summed[0][1]
    used = stack.any((1, 2, 3)) & (times > 0)
    stack, times = stack[used], times[used]
    clustered = bool((stack.sum((2, 3)) > 1 + 1e-9).any())
    drawn = hedged_draws(stack, times, draws=draw.draws, seed=draw.seed, clustered=clustered)
    value = float(gain(np.tensordot(times, stack, axes=1))[best])
    interval = None
    if not drawn.clustered or drawn.n_clusters > 1:  # one cluster says nothing of the spread
        tail = hedged_tail(drawn, draw.confidence_level)
        lower, upper = drawn.of(gain)
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
