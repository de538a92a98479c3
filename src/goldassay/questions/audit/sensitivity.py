"""What forced choices may hide: conclusions as a function of beta.

beta = P(a hidden option is reasonable | the option chosen). The sweep recovers people's response
sets under F'(beta) for each beta and asks: which judge does each definition select, how much
decision consistency does that selection cost, and how does the prevalence move (Guerdan et al.
2025, section 7: figures 7 and 8, tables 3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.counts import ElicitationPairs
from goldassay.formulas.distributions import Decide, Definition, positive
from goldassay.formulas.rating_model import hiding_matrix, membership
from goldassay.formulas.rating_vectors import Reading, Side, side
from goldassay.frozen import dataclass
from goldassay.questions.audit.evaluate import columns, values
from goldassay.questions.audit.rank_consistency import best_judge
from goldassay.ratings.task import Task

__all__ = [
    "Family",
    "Hidden",
    "Hiding",
    "ImpliedBeta",
    "Judged",
    "Prevalence",
    "Sweep",
    "hidden_options",
    "implied_beta",
    "implied_betas",
    "prevalence_by_beta",
    "runs",
    "sweep",
    "swept_prevalence",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Shares at which people's prevalence is swept where only one threshold is asked for.
THRESHOLDS = (0.3, 0.5, 0.7)
#: Scores that are computed alike differ by less than this.
NEAR = 1e-12


@dataclass(frozen=True, slots=True)
class Family:
    """Reverse matrices F'(beta): which option may hide which (`rating_model.hiding_matrix`)."""

    options: Sequence[str]
    sets: Sequence[Sequence[str]]
    may_hide: Mapping[str, Sequence[str]]
    replaces: bool = False

    @property
    def membership(self) -> Array:
        return membership(self.options, self.sets)

    def matrix(self, beta: float) -> Array:
        return hiding_matrix(self.options, self.sets, self.may_hide, beta, replaces=self.replaces)

    def __str__(self) -> str:
        return "; ".join(
            f"who says {k} may accept {' or '.join(v)} too" for k, v in self.may_hide.items()
        )


@dataclass(frozen=True, slots=True)
class Hiding:
    """People's forced choices as shares (U, K), what they may hide, and how often: the betas."""

    forced: Array
    family: Family
    betas: tuple[float, ...]

    def people(self, reading: Reading | None = None) -> Iterator[Side]:
        """People with the response sets that each beta recovers."""
        how = reading or Reading(self.family.membership)
        for beta in self.betas:
            yield side(self.forced, None, self.family.matrix(beta), how)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Values (steps, definitions, judges), and what selecting by each definition leads to.

    A step is a beta, or a rate of lapses. The last of the values are those of the downstream
    target.
    """

    steps: tuple[float, ...]
    definitions: tuple[Definition, ...]
    target: Definition
    values: Array
    #: The judge that each definition selects, (steps, definitions); -1 where it is undefined,
    #: or all are alike by it.
    selected: Ints
    #: Target value of the judge selected, and of the best judge; what the selection costs.
    reached: Array
    best: Array
    #: Share of resamples in which the target's best judge stays the best, per step.
    stability: Array
    #: The best judge by the target at each step; -1 where it is undefined for a judge.
    winner: Ints

    @property
    def cost(self) -> Array:
        """How much worse than the best judge the selected one is, (steps, definitions)."""
        return self.best[:, None] - self.reached

    @property
    def level(self) -> NDArray[np.bool_]:
        """Which judges are as good as the best by the target, (steps, judges)."""
        score = self.target.score(self.values[:, -1])
        return np.asarray(score >= score.max(-1, keepdims=True) - NEAR)

    @property
    def contested(self) -> bool:
        """Whether there are judges to choose between, with a best one at every step."""
        return bool((self.winner >= 0).all()) and not bool(self.level.all())


@dataclass(frozen=True, slots=True)
class Judged:
    """The judges whose choice is swept, and resamples of clusters for how stable it is."""

    side: Side
    cluster: Ints
    #: How many clusters are each of them, (C,).
    times: Ints
    #: (B, C); None leaves the stability out.
    weights: Array | None = None

    @classmethod
    def alone(cls, side: Side) -> Judged:
        """Each item its own cluster, and no resamples."""
        items = side.forced.shape[-2]
        return cls(side, np.arange(items), np.ones(items, np.int64))


def sweep(
    steps: Sequence[float],
    people: Iterable[Side],
    judged: Judged,
    definitions: Sequence[Definition],
    target: Definition,
) -> Sweep:
    """Evaluate `definitions` and the downstream `target` for the people of every step.

    Judges keep their own response sets: what they were asked is not assumed.
    """
    judge, weights = judged.side, judged.weights
    clusters = (judged.cluster, judged.times)
    every = (*definitions, target)
    found = []
    stability = []
    for human in people:
        found.append(values(every, columns(every, judge, human, *clusters)))
        if weights is not None:
            only = columns((target,), judge, human, *clusters)
            again = best_judge(target.score(values((target,), only, weights))[:, 0])
            chosen = best_judge(target.score(found[-1][-1]))
            known = again >= 0
            stays = chosen >= 0 and known.any()
            stability.append(float((again[known] == chosen).mean()) if stays else np.nan)
    all_values = np.stack(found)
    score = np.stack([d.score(all_values[:, i]) for i, d in enumerate(definitions)], axis=1)
    # A definition by which all judges are alike selects none of them.
    alike = score.max(-1) - score.min(-1) < NEAR
    selected = np.where(alike, -1, best_judge(score))
    aim = target.score(all_values[:, -1])
    reached = np.take_along_axis(aim, np.maximum(selected, 0), axis=1)
    reached[selected < 0] = np.nan
    return Sweep(
        tuple(steps),
        tuple(definitions),
        target,
        all_values,
        selected,
        reached,
        aim.max(-1),
        np.array(stability),
        _kept(best_judge(aim), aim),
    )


def _kept(best: Ints, aim: Array) -> Ints:
    """The best judge of each step: the one before where it is as good as any other."""
    kept = best.copy()
    for step in range(1, len(kept)):
        before = kept[step - 1]
        if before >= 0 and best[step] >= 0 and aim[step, before] >= aim[step].max() - NEAR:
            kept[step] = before
    return kept


def runs(selected: ArrayLike) -> list[tuple[int, int]]:
    """Stretches of equal entries, as (first, last): where a selection holds before it flips."""
    chosen = np.asarray(selected)
    starts = np.flatnonzero(np.r_[True, chosen[1:] != chosen[:-1]])
    ends = np.r_[starts[1:], len(chosen)] - 1
    return [(int(first), int(last)) for first, last in zip(starts, ends, strict=True)]


def prevalence_by_beta(
    hiding: Hiding,
    *,
    counted: tuple[int, ...],
    thresholds: Sequence[float],
    decide: Decide = positive,
) -> Array:
    """People's prevalence of the counted options, (betas, thresholds): items at tau or above."""
    rated = replace(hiding, forced=hiding.forced[np.isfinite(hiding.forced).all(-1)])
    reading = Reading(hiding.family.membership, counted=counted)
    return np.array(
        [
            [np.mean(decide(people.counted("srs", counted), 0, tau)) for tau in thresholds]
            for people in rated.people(reading)
        ]
    )


@dataclass(frozen=True, slots=True)
class Prevalence:
    """People's prevalence of the counted options by beta and threshold, (betas, thresholds)."""

    options: tuple[str, ...]
    betas: tuple[float, ...]
    thresholds: tuple[float, ...]
    values: Array
    #: The place of the threshold that decisions are made at, or of the first.
    decided_at: int


def swept_prevalence(
    hiding: Hiding, counted: tuple[int, ...], thresholds: tuple[float, ...], decide: Decide
) -> Prevalence:
    """The prevalence at the thresholds asked for; around a single one, at others too."""
    shares = THRESHOLDS if len(thresholds) == 1 else thresholds
    return Prevalence(
        tuple(hiding.family.options[k] for k in counted),
        hiding.betas,
        shares,
        prevalence_by_beta(hiding, counted=counted, thresholds=shares, decide=decide),
        shares.index(thresholds[0]) if thresholds[0] in shares else 0,
    )


def implied_beta(pairs: ArrayLike, family: Family) -> tuple[int, int]:
    """(times the hidden option was in the set, times an option that may hide one was chosen).

    From (K, S) counts of ratings where the same rater gave a forced choice and a response set;
    their quotient estimates beta.
    """
    joint = np.asarray(pairs, dtype=np.float64)
    lambda_, index = family.membership, list(family.options).index
    hits, total = 0.0, 0.0
    for option, hidden in family.may_hide.items():
        row = joint[index(option)]
        for name in hidden:
            hits += float(row @ lambda_[index(name)])
            total += float(row.sum())
    return round(hits), round(total)


@dataclass(frozen=True, slots=True)
class ImpliedBeta:
    """How often the forced choices of a rater who gave both kinds of rating hid an option.

    The interval is Clopper and Pearson's, for independent choices. Those of one item are not, so
    that it is the least there is.
    """

    rater: str
    value: float
    low: float
    high: float
    n_choices: int


def implied_betas(
    pairs: ElicitationPairs, family: Family, *, confidence_level: float
) -> tuple[ImpliedBeta, ...]:
    """The betas of people and of each judge, where both kinds of rating were given."""
    if pairs.human.sum() + pairs.judge.sum() == 0:
        return ()
    from goldassay.formulas.compiled import betaincinv

    tail = (1 - confidence_level) / 2
    out = []
    for rater, joint in (("people", pairs.human), *zip(pairs.judges, pairs.judge, strict=True)):
        hits, total = implied_beta(joint, family)
        if not total:
            continue
        low = float(betaincinv(hits, total - hits + 1, tail)) if hits else 0.0
        high = float(betaincinv(hits + 1, total - hits, 1 - tail)) if hits < total else 1.0
        out.append(ImpliedBeta(rater, hits / total, low, high, total))
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Hidden:
    """What forced choices may hide: measured where both kinds of rating were given, else swept."""

    family: Family
    implied: tuple[ImpliedBeta, ...]
    #: One for each downstream measure, that of the task's goal first.
    sweeps: tuple[Sweep, ...] = ()
    prevalence: Prevalence | None = None


def hidden_options(task: Task, counted: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Which option may hide which: the task's `may_hide`, or the template of its scale.

    binary: the negative may hide the positive. ordinal: an option may hide the next higher one.
    pairwise: a win may hide a tie and a tie either win (without a tie, a win the other's). nominal:
    any option may hide those that are counted (`counted`, or the positive one).
    """
    if task.may_hide:
        return {option: tuple(hidden) for option, hidden in task.may_hide.items() if hidden}
    options = task.options
    if task.scale == "binary" and task.negative is not None and task.positive is not None:
        return {task.negative: (task.positive,)}
    if task.scale == "ordinal":
        return {low: (high,) for low, high in pairwise(options)}
    if task.scale == "pairwise":
        wins = [option for option in options if option != task.tie]
        if task.tie is not None:
            return {**dict.fromkeys(wins, (task.tie,)), task.tie: tuple(wins)}
        return {wins[0]: (wins[1],), wins[1]: (wins[0],)}
    hidden = tuple(counted) or ((task.positive,) if task.positive is not None else ())
    return {other: hidden for other in options if hidden and other not in hidden}
