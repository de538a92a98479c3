"""What forced choices may hide: conclusions as a function of beta.

beta = P(a hidden option is reasonable | the option chosen). The sweep recovers people's response
sets under F'(beta) for each beta and asks: which judge does each definition select, how much
decision consistency does that selection cost, and how does the prevalence move (Guerdan et al.
2025, section 7: figures 7 and 8, tables 3 and 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.distributions import Definition, positive
from goldassay.formulas.rating_model import hiding_matrix, membership
from goldassay.formulas.rating_vectors import Side, side
from goldassay.questions.audit.evaluate import columns, values
from goldassay.questions.audit.rank_consistency import best_judge
from goldassay.ratings.task import Task

__all__ = [
    "Family",
    "Sweep",
    "hidden_options",
    "implied_beta",
    "prevalence_by_beta",
    "runs",
    "sweep",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


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
        return "; ".join(f"{k} may hide {', '.join(v)}" for k, v in self.may_hide.items())


@dataclass(frozen=True, slots=True)
class Sweep:
    """Values (betas, definitions, judges), and what selecting by each definition leads to."""

    betas: tuple[float, ...]
    definitions: tuple[Definition, ...]
    values: Array
    #: The judge that each definition selects, (betas, definitions); -1 where it is undefined.
    selected: Ints
    #: Target value of the judge selected, and of the best judge; what the selection costs.
    reached: Array
    best: Array
    #: Share of resamples in which the target's best judge stays the best, per beta.
    stability: Array

    #: The best judge by the target at each beta; -1 where it is undefined for a judge.
    winner: Ints

    @property
    def cost(self) -> Array:
        """How much worse than the best judge the selected one is, (betas, definitions)."""
        return self.best[:, None] - self.reached


def sweep(
    forced: ArrayLike,
    judge: Side,
    definitions: Sequence[Definition],
    target: Definition,
    *,
    family: Family,
    betas: Sequence[float],
    weights: Array | None = None,
    cluster: Ints | None = None,
) -> Sweep:
    """Evaluate `definitions` and the downstream `target` at every beta.

    `forced` (U, K) are people's shares. Judges keep their own response sets: what they were asked
    is not assumed. `weights` (B, C) are resamples of clusters, for the stability of the selection.
    """
    choices = np.asarray(forced, dtype=np.float64)
    lambda_ = family.membership
    codes = np.arange(len(choices)) if cluster is None else cluster
    every = (*definitions, target)
    found = []
    stability = []
    for beta in betas:
        human = side(
            choices, None, lambda_, family.matrix(beta), threshold=judge.threshold, ties=judge.ties
        )
        counted = columns(every, judge, human, codes, int(codes.max()) + 1)
        found.append(values(every, counted))
        if weights is not None:
            only = columns((target,), judge, human, codes, int(codes.max()) + 1)
            again = best_judge(target.score(values((target,), only, weights))[:, 0])
            chosen = best_judge(target.score(found[-1][-1]))
            known = again >= 0
            stays = chosen >= 0 and known.any()
            stability.append(float((again[known] == chosen).mean()) if stays else np.nan)
    all_values = np.stack(found)
    score = np.stack([d.score(all_values[:, i]) for i, d in enumerate(definitions)], axis=1)
    selected = best_judge(score)
    aim = target.score(all_values[:, -1])
    reached = np.take_along_axis(aim, np.maximum(selected, 0), axis=1)
    reached[selected < 0] = np.nan
    return Sweep(
        tuple(betas),
        tuple(definitions),
        all_values,
        selected,
        reached,
        aim.max(-1),
        np.array(stability),
        best_judge(aim),
    )


def runs(selected: ArrayLike) -> list[tuple[int, int]]:
    """Stretches of equal entries, as (first, last): where a selection holds before it flips."""
    chosen = np.asarray(selected)
    starts = np.flatnonzero(np.r_[True, chosen[1:] != chosen[:-1]])
    ends = np.r_[starts[1:], len(chosen)] - 1
    return [(int(first), int(last)) for first, last in zip(starts, ends, strict=True)]


def prevalence_by_beta(
    forced: ArrayLike,
    *,
    option: int,
    family: Family,
    betas: Sequence[float],
    thresholds: Sequence[float],
) -> Array:
    """People's prevalence of an option, (betas, thresholds): share of items with Omega >= tau."""
    choices = np.asarray(forced, dtype=np.float64)
    rated = choices[np.isfinite(choices).all(-1)]
    out = np.empty((len(betas), len(thresholds)))
    for b, beta in enumerate(betas):
        omega = side(rated, None, family.membership, family.matrix(beta)).omega
        out[b] = [np.mean(positive(omega, option, threshold)) for threshold in thresholds]
    return out


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


def hidden_options(task: Task, option: str | None = None) -> dict[str, tuple[str, ...]]:
    """Which option may hide which: the task's `may_hide`, or the template of its scale.

    binary: the negative may hide the positive. ordinal: an option may hide the next higher one.
    pairwise: a win may hide a tie and a tie either win (without a tie, a win the other's). nominal:
    any option may hide the one that is counted (`option`, or the positive one).
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
    counted = option or task.positive
    if counted is None:
        return {}
    return {other: (counted,) for other in options if other != counted}
