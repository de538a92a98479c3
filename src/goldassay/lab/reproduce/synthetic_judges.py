"""Synthetic raters and judges: the experiments of Guerdan et al. (2025), section 6 and appendix D.

50 judges rate 100 items whose response-set distributions they see with noise. People's ratings pass
through lapses (E) and forced choice (F); each definition of performance selects a judge from n
ratings per item, and the judge's decisions are held against those of the people's stable response
sets. Everything is drawn for all repetitions, judges and items at once.

Where the paper leaves a choice open, it is made here and named in `docs/papers.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.distributions import Definition, positive, table_1
from goldassay.formulas.rating_model import lapses, membership
from goldassay.formulas.rating_vectors import Side
from goldassay.frozen import dataclass

__all__ = [
    "BUDGETS",
    "FULL",
    "PANELS",
    "SYMMETRIC",
    "THRESHOLDS",
    "Selection",
    "Setting",
    "World",
    "draw_world",
    "error_correlation",
    "finite_raters",
    "prevalence_bias",
    "selections",
    "shown_definitions",
]

Array = NDArray[np.float64]

THRESHOLDS = (0.3, 0.5, 0.7)
BUDGETS = (1, 3, 5, 10, 20, 100)
ITEMS, JUDGES = 100, 50
NOISE = (0.02, 0.4)
SMOOTHING = 1e-3

#: Metrics of figures 4, 5, 13 and 14: categorical, distributional, multi-label.
SHOWN = (
    ("hit_rate", "h/h"),
    ("cohen_kappa", "h/h"),
    ("krippendorff_alpha", "h/h"),
    ("kl_divergence", "s/s"),
    ("reverse_kl_divergence", "s/s"),
    ("jensen_shannon", "s/s"),
    ("mean_squared_error", "s/s"),
    ("coverage", "h/hrs"),
    ("mean_squared_error", "srs/srs"),
)


@dataclass(frozen=True, slots=True)
class Setting:
    """One panel of a figure: sizes, selection effects of people and judges, lapses."""

    options: int = 4
    sets: int = 10
    #: Gamma of people and of judges: how much likelier than chance the first option is taken.
    people: float = 1.0
    judges: float = 1.0
    error: float = 0.0
    skew: float = 0.0

    @property
    def fully_specified(self) -> bool:
        return self.options == self.sets


@dataclass(frozen=True, slots=True)
class World:
    """Populations of R repetitions: people (R, U, .) and judges (R, J, U, .)."""

    lambda_: Array
    stable: Array
    choices: Array
    #: Omega of people's stable sets, and with their lapses.
    omega_stable: Array
    omega: Array
    #: Lambda E'F' of every item, (R, U, K, K): Omega* from a forced-choice distribution.
    recover: Array
    judge_choices: Array
    judge_omega: Array
    extra: Mapping[str, Array] = field(default_factory=dict)


def response_sets(options: int, sets: int, rng: np.random.Generator) -> Array:
    """Lambda (K, S): every option alone, then other subsets drawn without repeats."""
    names = tuple(range(options))
    chosen = {(k,) for k in names}
    while len(chosen) < sets:
        size = int(rng.integers(2, options + 1))
        chosen.add(tuple(sorted(rng.choice(options, size, replace=False).tolist())))
    ordered = sorted(chosen, key=lambda one: (len(one), one))
    return membership([str(k) for k in names], [[str(k) for k in one] for one in ordered])


def forced_choice(lambda_: Array, strength: Array) -> Array:
    """F (..., K, S), proportional to exp(-gamma rank) within each set; gamma (...)."""
    rank = np.cumsum(lambda_, axis=0) * lambda_
    weight = np.where(lambda_ > 0, np.exp(-strength[..., None, None] * rank), 0.0)
    return np.asarray(weight / weight.sum(-2, keepdims=True))


def strength_of(lambda_: Array, effect: float) -> float:
    """gamma for which the first option is taken `effect` times as often as by chance.

    The mean over the sets with more than one option that hold the first one, of |S| P(first | S);
    the nearest strength where the effect is out of reach (pairs reach 2 at most).
    """
    several = (lambda_[0] > 0) & (lambda_.sum(0) > 1)
    if not several.any() or effect == 1:
        return 0.0
    grid = np.linspace(-8, 8, 641)
    size = lambda_.sum(0)
    reached = (forced_choice(lambda_, grid)[:, 0] * size)[:, several].mean(-1)
    return float(grid[np.argmin(np.abs(reached - effect))])


def simplex(points: Array) -> Array:
    """Euclidean projection onto the probability simplex, along the last axis."""
    ordered = -np.sort(-points, axis=-1)
    excess = (np.cumsum(ordered, axis=-1) - 1) / np.arange(1, points.shape[-1] + 1)
    last = (ordered > excess).sum(-1, keepdims=True) - 1
    return np.maximum(points - np.take_along_axis(excess, last, axis=-1), 0.0)


def draw_world(setting: Setting, repetitions: int, rng: np.random.Generator) -> World:
    """Populations of people and of 50 judges, on 100 items."""
    lambda_ = response_sets(setting.options, setting.sets, rng)
    sets = lambda_.shape[1]
    stable = rng.dirichlet(np.ones(sets), (repetitions, ITEMS))
    error = lapses(lambda_, setting.error, setting.skew)
    forced = forced_choice(lambda_, np.array(strength_of(lambda_, setting.people)))
    observed = stable @ error.T
    choices = observed @ forced.T
    # theta* = E'(F' O): joint probabilities normalised the other way round.
    to_set = forced.T[None, None] * observed[..., None]
    to_set /= np.maximum(to_set.sum(-2, keepdims=True), 1e-300)
    to_stable = error.T[None, None] * stable[..., None]
    to_stable /= np.maximum(to_stable.sum(-2, keepdims=True), 1e-300)
    recover = lambda_ @ to_stable @ to_set
    noise = rng.uniform(*NOISE, (repetitions, JUDGES, 1, 1))
    shift = rng.standard_normal((repetitions, JUDGES, ITEMS, sets)) * noise
    judged = simplex(stable[:, None] + shift)
    # Judges have effects of different strength on their side of chance.
    own = strength_of(lambda_, setting.judges) * rng.uniform(0, 1, (repetitions, JUDGES))
    judge_forced = forced_choice(lambda_, own)
    judge_choices = np.einsum("rjis,rjks->rjik", judged, judge_forced)
    return World(
        lambda_,
        stable,
        choices,
        stable @ lambda_.T,
        observed @ lambda_.T,
        recover,
        judge_choices,
        judged @ lambda_.T,
    )


def sampled(world: World, n: int | None, rng: np.random.Generator) -> Side:
    """People from n forced choices per item (None: all of them), Omega by the known E' and F'."""
    choices = world.choices if n is None else rng.multinomial(n, world.choices) / n
    omega = np.einsum("rikl,ril->rik", world.recover, choices)
    return _people(choices, omega)


def _people(choices: Array, omega: Array) -> Side:
    return Side(choices[:, None], np.clip(omega, 0, 1)[:, None], ties="first")


def judges_of(world: World) -> Side:
    return Side(world.judge_choices, np.clip(world.judge_omega, 0, 1), ties="first")


def shown_definitions() -> tuple[Definition, ...]:
    every = {(one.name, one.aggregation): one for one in table_1(smoothing=SMOOTHING)}
    return tuple(every[key] for key in SHOWN)


def scores(definitions: Sequence[Definition], judge: Side, human: Side) -> Array:
    """Higher-is-better values (D, R, J) of every definition."""
    out = []
    for one in definitions:
        if one.per_item is not None:
            found = one.per_item(judge[one.judge], human[one.human]).mean(-1)
        else:
            assert one.of_table is not None
            j, h = judge["h"], np.broadcast_to(human["h"], judge["h"].shape)
            found = one.of_table(np.einsum("rjik,rjil->rjlk", j, h))
        out.append(one.score(np.nan_to_num(found)))
    return np.stack(out)


def downstream_of(world: World) -> tuple[Array, Array]:
    """Decision consistency and |bias| of every judge, mean over thresholds, (R, J)."""
    consistency, bias = [], []
    for tau in THRESHOLDS:
        people = positive(np.clip(world.omega_stable, 0, 1), 0, tau)[:, None]
        judge = positive(np.clip(world.judge_omega, 0, 1), 0, tau)
        consistency.append((people == judge).mean(-1))
        bias.append(np.abs(judge.mean(-1) - people.mean(-1)))
    return np.mean(consistency, axis=0), np.mean(bias, axis=0)


def spearman(one: Array, two: Array) -> Array:
    """Rank correlation along the last axis (ties by position: the values are continuous)."""
    ranks = [np.argsort(np.argsort(x, axis=-1), axis=-1).astype(float) for x in (one, two)]
    centred = [r - r.mean(-1, keepdims=True) for r in ranks]
    top = (centred[0] * centred[1]).sum(-1)
    return np.asarray(top / np.sqrt((centred[0] ** 2).sum(-1) * (centred[1] ** 2).sum(-1)))


@dataclass(frozen=True, slots=True)
class Selection:
    """Figure 4 or 13: what the judges selected from n ratings per item do downstream, (n, D)."""

    consistency: Array
    bias: Array
    #: Figures 5 and 14: rank correlation of definitions with consistency and with -|bias|, (D,).
    correlation: Array
    bias_correlation: Array
    #: Consistency and its correlation in each repetition, (R, n, D) and (R, D).
    runs: Array
    correlation_runs: Array


def select(setting: Setting, repetitions: int, rng: np.random.Generator) -> Selection:
    """Judges selected by every definition at every budget."""
    definitions = shown_definitions()
    world = draw_world(setting, repetitions, rng)
    judge = judges_of(world)
    aim, bias = downstream_of(world)
    reached, biases = [], []
    for n in BUDGETS:
        found = scores(definitions, judge, sampled(world, n, rng))
        chosen = found.argmax(-1)
        reached.append(np.take_along_axis(aim, chosen.T, axis=1))
        biases.append(np.take_along_axis(bias, chosen.T, axis=1).mean(0))
    whole = scores(definitions, judge, sampled(world, None, rng))
    runs, alike = np.stack(reached, axis=1), spearman(whole, aim)
    return Selection(
        runs.mean(0),
        np.stack(biases),
        alike.mean(-1),
        spearman(whole, -bias).mean(-1),
        runs,
        alike.T,
    )


FULL = Setting(options=4, sets=4)
SYMMETRIC = Setting(people=2.0, judges=2.0)
ASYMMETRIC = Setting(people=2.0, judges=0.5)
PANELS: Mapping[str, Setting] = {
    "fully specified": FULL,
    "underspecified, symmetric": SYMMETRIC,
    "underspecified, asymmetric": ASYMMETRIC,
    "asymmetric, random error": replace(ASYMMETRIC, error=0.3),
    "asymmetric, additive error": replace(ASYMMETRIC, error=0.3, skew=1.0),
}


def over_sizes(setting: Setting) -> list[Setting]:
    """The setting at several numbers of options and sets (D.1: up to 10 and 30)."""
    if setting.fully_specified:
        return [replace(setting, options=k, sets=k) for k in (2, 4, 7, 10)]
    pairs = ((2, 3), (3, 7), (4, 10), (6, 20), (10, 30))
    return [replace(setting, options=k, sets=s) for k, s in pairs]


def selections(
    panels: Mapping[str, Setting], repetitions: int, rng: np.random.Generator
) -> dict[str, Selection]:
    """Every panel, averaged over the sizes."""
    out = {}
    for name, setting in panels.items():
        found = [select(one, repetitions, rng) for one in over_sizes(setting)]
        means = (np.mean([getattr(f, one.name) for f in found], axis=0) for one in fields(found[0]))
        out[name] = Selection(*means)
    return out


def finite_raters(
    setting: Setting, repetitions: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Figures 6 (left) and 15: decisions from n ratings against the population.

    The share that is the same, in each repetition (R, n, tau), and the bias (n, tau).
    """
    world = draw_world(setting, repetitions, rng)
    consistency = np.zeros((repetitions, len(BUDGETS), len(THRESHOLDS)))
    bias = np.zeros(consistency.shape[1:])
    for b, n in enumerate(BUDGETS):
        few = sampled(world, n, rng).omega[:, 0]
        for t, tau in enumerate(THRESHOLDS):
            seen, truth = positive(few, 0, tau), positive(world.omega_stable, 0, tau)
            consistency[:, b, t] = (seen == truth).mean(-1)
            bias[b, t] = seen.mean() - truth.mean()
    return consistency, bias


def prevalence_bias(
    settings: Sequence[Setting], repetitions: int, rng: np.random.Generator
) -> Array:
    """Figures 6 (right) and 12: prevalence from forced choices minus that from stable sets.

    In each repetition, (settings, R).
    """
    out = []
    for setting in settings:
        each = []
        for one in over_sizes(setting):
            world = draw_world(one, repetitions, rng)
            each.append(
                [
                    (positive(world.choices, 0, tau) - positive(world.omega_stable, 0, tau)).mean(
                        -1
                    )
                    for tau in THRESHOLDS
                ]
            )
        out.append(np.mean(each, axis=(0, 1)))
    return np.array(out)


def error_correlation(
    setting: Setting, repetitions: int, rng: np.random.Generator
) -> dict[str, float]:
    """Figure 11: rank correlation of judges against people with and without lapses."""
    definitions = shown_definitions()
    found = []
    for one in over_sizes(setting):
        world = draw_world(one, repetitions, rng)
        judge = judges_of(world)
        forced = forced_choice(world.lambda_, np.array(strength_of(world.lambda_, one.people)))
        clean = _people(world.stable @ forced.T, world.omega_stable)
        lapsed = _people(world.choices, world.omega)
        pairs = [scores(definitions, judge, human) for human in (clean, lapsed)]
        found.append(spearman(*pairs).mean(-1))
    means = np.mean(found, axis=0)
    return {one.label: float(v) for one, v in zip(definitions, means, strict=True)}
