"""Bradley-Terry strengths, for the data and for all resamples at once, and where there are none.

P(a beats b) = 1 / (1 + exp(strength[b] - strength[a])) (Bradley and Terry, 1952). A tie is half a
win to each side, left out, or an outcome of its own (Davidson, 1970), as declared.

Finite strengths exist only when every system can be reached from every other through wins (Ford,
1957). Otherwise the systems fall into components: those above the largest one have no finite upper
bound, those below it no lower one, those never linked no comparison. Such strengths are infinite or
NaN here, never a large number that depends on when a solver stopped.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import WHOLE, Outcomes, Pairs, TieRule
from goldassay.frozen import dataclass

__all__ = [
    "BradleyTerry",
    "Components",
    "components",
    "fit",
    "fit_resamples",
    "one_sided_gap",
    "separated",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TOLERANCE = 1e-9
#: Distance at which single precision gives way to double.
ROUGH = 1e-6
MAX_STEPS = 200
#: Digits that a solution has, of the data and of resamples: systems that are level in them are
#: level, whatever the order in which a solver added.
DIGITS, ROUGH_DIGITS = 12, 9
#: Steps with one shared Hessian before the resamples that have not converged get their own.
SHARED_STEPS = 25
#: Resamples solved together: few enough that a block stays in the processor's cache.
BLOCK = WHOLE
#: Pairs of systems of some resamples that stay in the processor's cache.
CACHED = 65_536


@dataclass(frozen=True, slots=True)
class Components:
    """Groups of systems within which strengths can be compared, highest first where known."""

    members: tuple[tuple[int, ...], ...]
    #: above[k][l]: component k has beaten (perhaps through others) l, and never the reverse.
    above: Bools
    #: Index of the largest component, to which infinite strengths refer.
    main: int

    @property
    def connected(self) -> bool:
        return len(self.members) == 1

    def of(self, system: int) -> int:
        return next(k for k, group in enumerate(self.members) if system in group)


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """Strengths (natural log odds, mean 0 over the main component), their components and errors.

    `tie` is Davidson's log tie parameter, None under the other rules. `battle_error` are standard
    errors that take every battle as independent: a yardstick for what clustering does, no more.
    """

    strengths: Floats
    components: Components
    tie: float | None
    battle_covariance: Floats


def fit(pairs: Pairs, outcomes: Outcomes, *, ties: TieRule = "half") -> BradleyTerry:
    """Maximum likelihood strengths of one set of outcomes [P], by Newton's method."""
    groups = components(pairs, outcomes, ties=ties)
    batch = Outcomes(outcomes.wins[None], outcomes.losses[None], outcomes.ties[None])
    inside = np.zeros((1, pairs.n_systems), bool)
    inside[0, list(groups.members[groups.main])] = True
    model = _model(pairs, batch, ties, inside)
    parameters = _newton(model, np.zeros((1, model.size)))
    strengths = np.round(_placed(parameters[0, : pairs.n_systems], groups), DIGITS)
    covariance = _inverse(model.information(parameters)[0])[: pairs.n_systems, : pairs.n_systems]
    tie = float(parameters[0, -1]) if model.size > pairs.n_systems else None
    return BradleyTerry(strengths, groups, tie, covariance)


def fit_resamples(
    pairs: Pairs, outcomes: Outcomes, start: BradleyTerry, *, ties: TieRule = "half"
) -> tuple[Floats, Bools]:
    """Strengths [B, S] of resampled outcomes [B, P], and which resamples were separated.

    Every resample starts from the data's strengths and shares its Hessian; the few that do not
    converge so get Newton steps of their own. Rows are centred over their main component.
    """
    n_resamples = len(outcomes.wins)
    strengths = np.empty((n_resamples, pairs.n_systems))
    apart = separated(pairs, outcomes, ties=ties)
    warm = np.where(np.isfinite(start.strengths), start.strengths, 0.0)
    together = np.flatnonzero(~apart)
    for low in range(0, len(together), BLOCK):
        rows = together[low : low + BLOCK]
        model = _model(pairs, _rows(outcomes, rows), ties, None)
        first = np.tile(warm, (len(rows), 1))
        if model.size > pairs.n_systems:
            tie = start.tie if start.tie is not None else 0.0
            first = np.column_stack([first, np.full(len(rows), tie)])
        strengths[rows] = _shared_hessian(model, first)[:, : pairs.n_systems]
    # Few battles, or none, leave few different resamples: each is fitted once.
    fitted: dict[bytes, Floats] = {}
    for row in np.flatnonzero(apart):
        one = Outcomes(outcomes.wins[row], outcomes.losses[row], outcomes.ties[row])
        key = np.concatenate([one.wins, one.losses, one.ties]).tobytes()
        if key not in fitted:
            fitted[key] = fit(pairs, one, ties=ties).strengths
        strengths[row] = fitted[key]
    return np.round(strengths, ROUGH_DIGITS), apart


def components(pairs: Pairs, outcomes: Outcomes, *, ties: TieRule = "half") -> Components:
    """The strongly connected components of "has beaten" (or tied with), highest first."""
    reaches = _beats(pairs, outcomes, ties) | np.eye(pairs.n_systems, dtype=bool)
    while True:  # squaring doubles the length of the paths
        further = (reaches.astype(np.float32) @ reaches.astype(np.float32)) > 0
        if np.array_equal(further, reaches):
            break
        reaches = further
    member = np.unique(reaches & reaches.T, axis=0)
    first = member.argmax(axis=1)
    above = reaches[np.ix_(first, first)] & ~np.eye(len(first), dtype=bool)
    order = np.lexsort((first, -above.sum(axis=1)))
    sizes = member.sum(axis=1)[order]
    groups = tuple(tuple(int(s) for s in np.flatnonzero(member[k])) for k in order)
    return Components(groups, above[np.ix_(order, order)], int(np.argmax(sizes)))


def separated(pairs: Pairs, outcomes: Outcomes, *, ties: TieRule = "half") -> Bools:
    """Which of the outcomes [B, P] have no finite strengths for all systems."""
    # Where every pair has been won by both, nobody is apart, and mostly that is so.
    least = [one.min(axis=-1, initial=np.inf) for one in (outcomes.wins, outcomes.losses)]
    suspect = np.flatnonzero(np.minimum(*least) <= 0)
    apart = np.zeros(len(outcomes.wins), bool)
    for low in range(0, len(suspect), BLOCK):
        rows = suspect[low : low + BLOCK]
        some = _rows(outcomes, rows)
        won, lost = some.wins > 0, some.losses > 0
        if ties != "exclude":
            tied = some.ties > 0
            won, lost = won | tied, lost | tied
        one_sided = ~(won & lost).all(axis=-1)
        beats = pairs.square(won[one_sided].astype(np.float32), lost[one_sided].astype(np.float32))
        reaches = _reached(beats) & _reached(beats.transpose(0, 2, 1))
        apart[rows[one_sided]] = ~reaches.all(axis=1)
    return apart


def _reached(beats: NDArray[np.float32]) -> Bools:
    """Systems that the first one reaches, [B, S], by breadth-first steps of all graphs at once."""
    reached = np.zeros(beats.shape[:2], np.float32)
    reached[:, 0] = 1
    while True:
        further = np.minimum(reached + np.matmul(reached[:, None, :], beats)[:, 0, :], 1)
        if np.array_equal(further > 0, reached > 0):
            return reached > 0
        reached = (further > 0).astype(np.float32)


def one_sided_gap(
    pairs: Pairs,
    outcomes: Outcomes,
    *,
    above: tuple[int, ...],
    below: tuple[int, ...],
    n_prompts: float,
    confidence_level: float = 0.95,
) -> float | None:
    """Lower bound of the gap between two components when one was never beaten by the other.

    `above` and `below` are the systems of the two. With g the distance of the components' centres
    and the strengths within each as fitted, the chance that no battle between them went the other
    way is prod P(win)^n; the bound is the g at which it falls to 1 - confidence_level (for one pair
    of systems: Clopper and Pearson's bound).
    Battles of one prompt are not independent, so they count no more than the prompts they come
    from. None when the two never met.
    """
    from scipy.optimize import brentq

    total = pairs.square(outcomes.total, outcomes.total)[np.ix_(above, below)]
    if not total.sum():
        return None
    inner = [_within(pairs, outcomes, group) for group in (above, below)]
    number = total * min(1.0, n_prompts / total.sum())
    distance = inner[0][:, None] - inner[1][None, :]

    def excess(gap: float) -> float:
        log_chance = -float((number * np.logaddexp(0, -(distance + gap))).sum())
        return log_chance - math.log(1 - confidence_level)

    return float(brentq(excess, -60.0, 60.0, xtol=1e-10))


def _within(pairs: Pairs, outcomes: Outcomes, group: tuple[int, ...]) -> Floats:
    """Strengths of one component's systems among themselves, centred."""
    inside = np.zeros((1, pairs.n_systems), bool)
    inside[0, list(group)] = True
    batch = Outcomes(outcomes.wins[None], outcomes.losses[None], outcomes.ties[None])
    model = _model(pairs, batch, "half", inside)
    return _newton(model, np.zeros((1, model.size)))[0, list(group)]


def _beats(pairs: Pairs, outcomes: Outcomes, ties: TieRule) -> Bools:
    won, lost = outcomes.wins > 0, outcomes.losses > 0
    if ties != "exclude":
        won, lost = won | (outcomes.ties > 0), lost | (outcomes.ties > 0)
    return pairs.square(won.astype(np.float64), lost.astype(np.float64)) > 0


def _rows(outcomes: Outcomes, rows: Ints) -> Outcomes:
    return Outcomes(outcomes.wins[rows], outcomes.losses[rows], outcomes.ties[rows])


def _placed(strengths: Floats, groups: Components) -> Floats:
    """Strengths with the systems outside the main component at their infinities."""
    placed = np.full(len(strengths), np.nan)
    for k, group in enumerate(groups.members):
        if k == groups.main:
            placed[list(group)] = strengths[list(group)] - strengths[list(group)].mean()
        elif groups.above[k, groups.main]:
            placed[list(group)] = np.inf
        elif groups.above[groups.main, k]:
            placed[list(group)] = -np.inf
    return placed


class _Model(Protocol):
    """A log-concave likelihood: gradient and information of B parameter vectors [B, K]."""

    @property
    def size(self) -> int: ...

    def gradient(self, parameters: Floats) -> Floats: ...

    def information(self, parameters: Floats) -> Floats: ...

    def take(self, rows: Ints) -> _Model: ...

    def single(self) -> _Model:
        """The same in single precision: steps far from the solution need no more."""
        ...

    def average(self) -> _Model:
        """One row with the mean of all; information is linear in the numbers of comparisons."""
        ...


def _model(pairs: Pairs, outcomes: Outcomes, ties: TieRule, inside: Bools | None) -> _Model:
    if inside is not None:  # only battles within the component say anything finite
        kept = inside[:, pairs.first] & inside[:, pairs.second]
        outcomes = Outcomes(outcomes.wins * kept, outcomes.losses * kept, outcomes.ties * kept)
    if ties == "class" and outcomes.ties.any(axis=-1).all():
        return _Davidson(pairs, outcomes, inside)
    surplus, total = outcomes.wins - outcomes.losses, outcomes.wins + outcomes.losses
    if ties != "exclude" and outcomes.ties.any():
        total = total + outcomes.ties
    if (total == total[0]).all():  # every system on every prompt: one matrix serves all rows
        total = total[:1]
    total = total.astype(np.float64)
    # A system's wins, ties by half, are half of its comparisons plus its surplus of wins.
    won = (pairs.per_system(total, total) + pairs.balance(surplus)) / 2
    return _Logistic(pairs, won, pairs.square(total, total), inside)


def _regular(laplacian: Floats, inside: Bools | None) -> Floats:
    """A Laplacian [B, S, S] from its off-diagonal, made regular along the free shift of all."""
    diagonal = np.arange(laplacian.shape[-1])
    laplacian[:, diagonal, diagonal] = 0
    degree = -laplacian.sum(axis=2)
    laplacian[:, diagonal, diagonal] = degree
    # The likelihood does not change when all strengths move together; fix their sum.
    scale = np.maximum(degree.mean(axis=1), 1e-300)[:, None, None] / laplacian.shape[-1]
    if inside is None:
        laplacian += scale
        return laplacian
    member = inside.astype(np.float64)
    laplacian += scale * member[:, :, None] * member[:, None, :]
    laplacian[:, diagonal, diagonal] += ~inside  # systems outside stay where they are
    return laplacian


@dataclass(frozen=True, slots=True)
class _Logistic:
    """Wins of each system [B, S] and comparisons of each pair [B or 1, S, S]."""

    pairs: Pairs
    won: Floats
    total: Floats
    inside: Bools | None

    @property
    def size(self) -> int:
        return self.pairs.n_systems

    def gradient(self, parameters: Floats) -> Floats:
        odds, share = np.exp(parameters), np.empty_like(parameters)
        # A product with ones adds the rows several times faster than a sum along the last axis.
        ones = np.ones(self.size, odds.dtype)
        step, alike = max(1, CACHED // self.size**2), len(self.total) == 1
        for low in range(0, len(odds), step):
            rows = slice(low, low + step)
            if low and alike and np.array_equal(odds[rows], odds[:step]):  # all begin at one place
                share[rows] = share[:step]
                continue
            both = odds[rows, :, None] + odds[rows, None, :]
            np.divide(self.total if alike else self.total[rows], both, out=both)
            share[rows] = (both.reshape(-1, self.size) @ ones).reshape(-1, self.size)
        return np.asarray(self.won - odds * share)

    def information(self, parameters: Floats) -> Floats:
        odds = np.exp(parameters)
        left, right = odds[:, :, None], odds[:, None, :]
        return _regular(-self.total * left * right / (left + right) ** 2, self.inside)

    def take(self, rows: Ints) -> _Logistic:
        inside = None if self.inside is None else self.inside[rows]
        total = self.total if len(self.total) == 1 else self.total[rows]
        return _Logistic(self.pairs, self.won[rows], total, inside)

    def single(self) -> _Logistic:
        won, total = _single(self.won), _single(self.total)
        return _Logistic(self.pairs, won, total, self.inside)

    def average(self) -> _Logistic:
        won, total = (values.mean(axis=0, keepdims=True) for values in (self.won, self.total))
        return _Logistic(self.pairs, won, total, None)


@dataclass(frozen=True, slots=True)
class _Davidson:
    """P(a beats b) : P(b beats a) : P(tie) = exp(u) : exp(-u) : exp(tie), u half the gap."""

    pairs: Pairs
    outcomes: Outcomes
    inside: Bools | None

    @property
    def size(self) -> int:
        return self.pairs.n_systems + 1

    def _shares(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        gap = parameters[:, self.pairs.first] - parameters[:, self.pairs.second]
        logs = np.stack([gap / 2, -gap / 2, np.broadcast_to(parameters[:, -1:], gap.shape)])
        shares = np.exp(logs - logs.max(axis=0))
        first, second, tied = shares / shares.sum(axis=0)
        return first, second, tied

    def gradient(self, parameters: Floats) -> Floats:
        first, second, tied = self._shares(parameters)
        total = self.outcomes.total
        surplus = (self.outcomes.wins - self.outcomes.losses - total * (first - second)) / 2
        of_tie = (self.outcomes.ties - total * tied).sum(axis=1)
        return np.column_stack([self.pairs.balance(surplus), of_tie])

    def information(self, parameters: Floats) -> Floats:
        first, second, tied = self._shares(parameters)
        total = self.outcomes.total
        lead = first - second
        curvature = total * (first + second - lead**2) / 4
        corner = _regular(self.pairs.square(-curvature, -curvature), self.inside)
        cross = -(total * lead * tied / 2) @ self.pairs.incidence()
        size = self.size
        matrix = np.zeros((len(parameters), size, size))
        matrix[:, :-1, :-1] = corner
        matrix[:, :-1, -1] = matrix[:, -1, :-1] = cross
        matrix[:, -1, -1] = (total * tied * (1 - tied)).sum(axis=1)
        return matrix

    def take(self, rows: Ints) -> _Davidson:
        inside = None if self.inside is None else self.inside[rows]
        return _Davidson(self.pairs, _rows(self.outcomes, rows), inside)

    def single(self) -> _Davidson:
        parts = (self.outcomes.wins, self.outcomes.losses, self.outcomes.ties)
        return _Davidson(self.pairs, Outcomes(*map(_single, parts)), self.inside)

    def average(self) -> _Davidson:
        parts = (self.outcomes.wins, self.outcomes.losses, self.outcomes.ties)
        mean = Outcomes(*(values.mean(axis=0, keepdims=True) for values in parts))
        return _Davidson(self.pairs, mean, None)


def _single(values: Floats) -> Any:
    return values.astype(np.float32)


def _newton(model: _Model, parameters: Floats) -> Floats:
    """Newton's method on all rows, steps bounded so that a far start cannot overshoot."""
    active = np.arange(len(parameters))
    for _ in range(MAX_STEPS):
        current = model.take(active)
        gradient = current.gradient(parameters[active])
        step = _solved(current.information(parameters[active]), gradient)
        largest = np.abs(step).max(axis=1)
        parameters[active] += step * np.minimum(1, 2 / np.maximum(largest, 1e-300))[:, None]
        active = active[largest > TOLERANCE]
        if not len(active):
            break
    return parameters


def _solved(information: Floats, gradient: Floats) -> Floats:
    """Newton steps [B, K]; none where the information is singular.

    With a parameter for ties a likelihood can rise without end although ties link all systems (one
    of them wins or ties with all others, which tie always). By then its order is settled.
    """
    try:
        return np.asarray(np.linalg.solve(information, gradient[..., None])[..., 0])
    except np.linalg.LinAlgError:
        step = np.zeros_like(gradient)
        regular = np.linalg.cond(information) < 1e15
        step[regular] = np.linalg.solve(information[regular], gradient[regular][..., None])[..., 0]
        return step


def _inverse(information: Floats) -> Floats:
    """The covariance; infinite where the information is singular (see `_solved`)."""
    try:
        return np.asarray(np.linalg.inv(information))
    except np.linalg.LinAlgError:
        return np.full_like(information, np.inf)


def _shared_hessian(model: _Model, parameters: Floats) -> Floats:
    """Steps with the mean information at the common start, then Newton for those not yet there."""
    try:
        shared = np.linalg.inv(model.average().information(parameters[:1])[0])
    except np.linalg.LinAlgError:  # no step for all rows (see `_solved`): each has its own
        return _newton(model, parameters)
    rough = parameters.astype(np.float32)
    _steps(model.single(), rough, shared.astype(np.float32), ROUGH)
    parameters = rough.astype(np.float64)
    late = _steps(model, parameters, shared, TOLERANCE)
    if len(late):
        parameters[late] = _newton(model.take(late), parameters[late])
    return parameters


def _steps(model: _Model, parameters: Any, shared: Any, tolerance: float) -> Ints:
    """Steps with one matrix for all rows, in place; the rows that have not converged."""
    previous = np.full(len(parameters), np.inf)
    for count in range(SHARED_STEPS):
        step = model.gradient(parameters) @ shared
        largest = np.abs(step).max(axis=1)
        small = largest <= tolerance
        if not (small | (largest < previous)).all():  # too far from the data for this matrix
            break
        parameters += step
        # Steps shrink at a steady rate r, so that after this one r / (1 - r) of it is left to go.
        there = small | (largest**2 <= tolerance * (previous - largest))
        if count and there.all():
            return np.empty(0, np.int64)
        previous = largest
    return np.flatnonzero(~(largest <= tolerance))
