"""What all people would decide, where a judge's errors do not follow how divided they are.

The panels of `raters` tie a judge to people's shares: it errs where they are divided. Here is the
other extreme: given what most of all people choose, a verdict says nothing more of their shares.
With M(c) = P(what most choose | the counts c), under a prior that no judge enters, a verdict then
has expectation B M(c) given the counts, with B = P(verdict | what most choose), and least squares
of verdicts on M(c) give B, as in the correction of misclassified regressors. An interval that holds
both extremes holds what lies between.

Where people split evenly, M(c) hardly depends on the counts of two or three raters, B is not
identified: with so few raters the majority of all people cannot be known. Then the bounds are those
that hold whatever it is, the whole range of the definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.distributions import Definition
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import blocks, resampled
from goldassay.questions.audit.evaluate import summing
from goldassay.questions.audit.grades import Family, Located, located
from goldassay.questions.audit.raters import Panel, concentration_ends, panel_families
from goldassay.questions.audit.sides import Alike, Sides

__all__ = ["Drawn", "Majority", "draw_shares", "majorities", "share_probabilities"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Measure = Callable[[Array], Array]

#: Drawn shares behind the probability that an option is the most chosen one.
DRAWN = 100
#: With more raters than this on the median item its majority is known well enough.
MANY = 20
#: People split evenly where the most chosen option leads by less than this on the mean item.
EVEN = 0.2
#: Of the normal equations, so that what is not identified is wild but finite.
RIDGE = 1e-9
#: Hits in a table of options: all of these are one number where both sides are hard.
HITS = frozenset(("hit_rate", "coverage", "recall", "precision"))


@dataclass(frozen=True, slots=True)
class Drawn:
    """Shares of all people given the counts, drawn from Dirichlet posteriors for each prior."""

    #: (draws, priors, patterns of counts, K), and the pattern of each item that was rated (U,).
    shares: Array
    pattern: Ints
    #: The priors (priors, K) and the patterns themselves.
    pseudo: Array
    patterns: Array

    def modes(self) -> Array:
        """P(option is the most chosen | counts), (priors, U, K)."""
        modes = self.shares.argmax(-1)
        found = np.stack([(modes == k).mean(0) for k in range(self.shares.shape[-1])], axis=-1)
        return np.asarray(found[:, self.pattern])

    def lead(self) -> float:
        """How far the most chosen option is ahead of the next, on the mean item."""
        ordered = np.sort(self.shares, axis=-1)
        next_one = ordered[..., -2] if ordered.shape[-1] > 1 else 0.0
        return self._mean(ordered[..., -1] - next_one)

    def off(self, options: tuple[int, ...], threshold: float) -> float:
        """How far the share of the options is off the threshold, twice, on the mean item."""
        return self._mean(2 * np.abs(self.shares[..., list(options)].sum(-1) - threshold))

    def reaching(self, options: tuple[int, ...], threshold: float) -> Array:
        """P(at least the threshold of all people chooses one of the options | counts), (D, U)."""
        found = share_probabilities(self.pseudo, self.patterns, options, threshold)
        return np.asarray(found[:, self.pattern])

    def _mean(self, found: Array) -> float:
        return float(found.mean((0, 1))[self.pattern].mean())


def draw_shares(pseudo: Array, counts: Array, rng: np.random.Generator) -> Drawn:
    """Posterior draws for counts (U, K) under Dirichlet priors (priors, K)."""
    patterns, which = np.unique(counts, axis=0, return_inverse=True)
    shape = pseudo[:, None] + patterns
    gamma = rng.standard_gamma(np.broadcast_to(shape, (DRAWN, *shape.shape))) + 1e-300
    shares = gamma / gamma.sum(-1, keepdims=True)
    return Drawn(shares, which.reshape(-1), pseudo, patterns)


def share_probabilities(
    pseudo: Array, counts: Array, options: tuple[int, ...], threshold: float
) -> Array:
    """P(at least the threshold of all people chooses one of the options | counts), (D, U)."""
    from goldassay.formulas.compiled import betainc

    inside = np.zeros(counts.shape[-1], bool)
    inside[list(options)] = True
    alpha = pseudo[:, None] + counts
    a, b = alpha[..., inside].sum(-1), alpha[..., ~inside].sum(-1)
    return np.asarray(1 - betainc(a, b, min(threshold, 1 - 1e-12)))


@dataclass(frozen=True, slots=True)
class Majority:
    """Replicates (B, D, J) under this model, NaN for definitions that it says nothing of."""

    replicates: Array
    #: Definitions whose majority cannot be known, for people split evenly, (D,).
    unknown: NDArray[np.bool_]


def majorities(
    sides: Sides,
    definitions: Sequence[Definition],
    draws: tuple[int, int],
    rng: np.random.Generator,
    grades: Sequence[Family] = (),
) -> Iterator[Majority]:
    """One for the fitted prior, and one for the most even splits that the counts allow.

    And one for each of the families of `grades`, which know of neighbours. `draws` are the refitted
    priors and the resamples of clusters for each.
    """
    counts = sides.counted.human_forced
    rated = counts.sum(-1) > 0
    if not rated.any() or np.median(counts.sum(-1)[rated]) > MANY:
        return
    nobody = np.ones((len(counts), 1))
    families = panel_families(nobody, counts, draws=draws[0], rng=rng)
    tied = [_tied(sides, one) for one in definitions]
    if not any(tied):
        return
    factors = [1.0]
    if len(families) == 1:
        first = Panel(families[0][0].pseudo_counts[0])
        _, most = concentration_ends(nobody, counts, first, level=sides.task.confidence_level)
        factors += [float(most.item())] if most.item() > 1 else []
    groups = _Groups.of(sides.alike, counts[sides.alike.items])
    for _, refitted in families:
        for factor in factors:
            pseudo = factor * refitted.pseudo_counts[..., 0, :]
            shares = draw_shares(pseudo, counts[rated], rng)
            yield _resampled(sides, definitions, shares, groups, draws[1], rng)
    for one in grades:
        where = located(one.shares, one.weights, counts[rated])
        yield _resampled(sides, definitions, where, groups, draws[1], rng)


def _tied(sides: Sides, one: Definition) -> bool:
    """Whether the definition is a function of the judge's verdict and people's majority."""
    plain = not sides.sets_asked and np.array_equal(
        sides.lambda_ @ sides.reverse, np.eye(len(sides.lambda_))
    )
    if one.counted is not None:
        return one.aggregation in ("h/h", "s/s") or (plain and one.aggregation == "srs/srs")
    if one.aggregation == "h/h":
        return one.of_table is not None or one.name in (*HITS, "mean_squared_error")
    return plain and (one.name, one.aggregation) == ("coverage", "h/hrs")


def _resampled(
    sides: Sides,
    definitions: Sequence[Definition],
    shares: Drawn | Located,
    groups: _Groups,
    each: int,
    rng: np.random.Generator,
) -> Majority:
    every, alike = sides.counted.human_forced, sides.alike
    found_modes = shares.modes()
    priors = len(found_modes)
    given = every.sum(-1) > 0
    modes = np.full((priors, *every.shape), np.nan)
    modes[:, given] = found_modes
    unknown = np.zeros(len(definitions), bool)
    # Counts tell a position on a scale much better than which of several names leads.
    names = isinstance(shares, Drawn)
    leads = names and shares.lead() < EVEN
    verdicts = sides.judge["h"][:, alike.items]
    weights = resampled(alike.times, priors * each, rng).reshape(priors, each, -1)
    first = alike.items[groups.first]
    modes = modes[:, first]
    out = np.full((priors * each, len(definitions), len(verdicts)), np.nan)
    tables: dict[object, Array] = {}

    def reaching(options: tuple[int, ...], tau: float) -> Array:
        share = np.full((priors, len(every)), np.nan)
        share[:, given] = shares.reaching(options, tau)
        return _both(share[:, first])

    def table(key: object, judge: Callable[[], Array], people: Callable[[], Array]) -> Array:
        if key not in tables:
            tables[key] = groups.tables(people(), groups.summed(key, judge), weights)
        return tables[key]

    for d, one in enumerate(definitions):
        if not _tied(sides, one):
            continue
        if one.counted is not None and one.aggregation != "h/h":
            options, tau = one.counted, float((one.declared or {})["threshold"])
            own = sides.judge.counted(one.judge, options)[:, alike.items]

            def decided(own: Array = own, tau: float = tau) -> Array:
                return _both(sides.decide(own, 0, tau))

            def people(options: tuple[int, ...] = options, tau: float = tau) -> Array:
                return reaching(options, tau)

            found = table((one.judge, options, tau), decided, people)
            out[:, d] = _decision(one, found, (0,))
            unknown[d] = names and shares.off(options, tau) < EVEN
        elif one.aggregation == "h/hrs":
            parts = []
            for k in range(every.shape[-1]):

                def accepted(k: int = k) -> Array:
                    return reaching((k,), sides.reading.threshold)

                def verdict(k: int = k) -> Array:
                    return _both(verdicts[..., k])

                parts.append(table(("accepts", k), verdict, accepted)[..., 0, 0])
            out[:, d] = np.sum(parts, axis=0)
            unknown[d] = leads
        else:
            found = table("modes", lambda: verdicts, lambda: modes)
            out[:, d] = _hard(one, found)
            unknown[d] = leads
    return Majority(out, unknown)


def _both(share: Array) -> Array:
    """A share and its complement as two classes."""
    return np.stack([share, 1 - share], axis=-1)


def _decision(one: Definition, table: Array, counted: tuple[int, ...]) -> Array:
    """Consistency or bias of decisions from tables (..., people, judge)."""
    inside = np.zeros(table.shape[-1], bool)
    inside[list(counted)] = True
    if one.name == "estimation_bias":
        return np.asarray(table[..., inside].sum((-1, -2)) - table[..., inside, :].sum((-1, -2)))
    same = table[..., inside, :][..., inside].sum((-1, -2))
    return np.asarray(same + table[..., ~inside, :][..., ~inside].sum((-1, -2)))


def _hard(one: Definition, table: Array) -> Array:
    if one.counted is not None:
        return _decision(one, table, one.counted)
    if one.of_table is not None:
        return one.of_table(table * 1.0)
    hits = np.asarray(np.trace(table, axis1=-2, axis2=-1))
    return 2 * (1 - hits) if one.name == "mean_squared_error" else hits


@dataclass(frozen=True, slots=True)
class _Groups:
    """The items of a cluster that people rated alike, as one, with the sum of their verdicts.

    M(c) and what least squares need of it are linear in the verdicts.
    """

    #: The first item of each group and its cluster, (G,), and the group of each item, (P,).
    first: Ints
    cluster: Ints
    group: Ints
    #: By what is looked at: the items (J, G) with a verdict, and the sum of these (J, V, G).
    said: dict[object, tuple[Array, Array]] = field(default_factory=dict)

    @classmethod
    def of(cls, alike: Alike, counts: Array) -> _Groups:
        """The groups of the items that stand for all, whose counts (P, K) people gave."""
        patterns, pattern = np.unique(counts, axis=0, return_inverse=True)
        key = alike.made * len(patterns) + pattern.reshape(-1)
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        return cls(first, alike.made[first], group.reshape(-1))

    def summed(self, key: object, judge: Callable[[], Array]) -> tuple[Array, Array]:
        """The verdicts (J, P, V) of groups, summed once for every prior."""
        if key not in self.said:
            found = judge()
            by_group = summing(self.group, len(self.first))
            known = np.asarray(np.isfinite(found).all(-1))
            verdicts = np.swapaxes(np.where(known[..., None], found, 0.0), -1, -2)
            self.said[key] = by_group(known), by_group(verdicts)
        return self.said[key]

    def tables(self, people: Array, said: tuple[Array, Array], weights: Array) -> Array:
        """Joint shares (D B, J, people, judge) from M (D, G, R) and resamples (D, B, C)."""
        by_cluster = summing(self.cluster, weights.shape[-1])
        items, verdicts = said
        known = np.isfinite(people).all(-1, keepdims=True)
        x = np.swapaxes(np.where(known, people, 0.0), -1, -2)
        regimes, classes = people.shape[-1], verdicts.shape[-2]
        width = regimes * (regimes + classes + 1)
        sums = np.empty((*weights.shape[:-1], len(items), width))
        start = 0
        for priors in blocks(len(people), width * len(self.first)):
            some = slice(start, start + priors)
            for j, (number, one) in enumerate(zip(items, verdicts, strict=True)):
                products = by_cluster(_products(x[some], one, number))
                sums[some, :, j] = weights[some] @ np.swapaxes(products, -1, -2)
            start += priors
        found = _joint(sums, regimes, classes)
        return found.reshape(-1, *found.shape[2:])


def _products(x: Array, v: Array, number: Array) -> Array:
    """What least squares of v (V, G) on x (..., R, G) need of each group: x x', x v' and x.

    `v` is the sum over the group's items, which are so many (G,).
    """
    each, flat = x * number, (*x.shape[:-2], -1, x.shape[-1])
    products = [each[..., None, :] * x[..., None, :, :], x[..., None, :] * v]
    return np.concatenate([one.reshape(flat) for one in products] + [each], axis=-2)


def _joint(total: Array, regimes: int, classes: int) -> Array:
    """P(people, verdict), (..., R, V): the mean of M times B, which least squares give.

    `total` are sums of `_products` over items. Least squares as they are have no bias, and B may
    lie beyond 0 and 1; cut to what probabilities can be, hits are too few for a judge that is
    nearly always right.
    """
    square = total[..., : regimes**2].reshape(*total.shape[:-1], regimes, regimes)
    cross = total[..., regimes**2 : regimes**2 + regimes * classes]
    share = total[..., -regimes:]
    size = np.maximum(share.sum(-1, keepdims=True), 1e-12)
    ridge = RIDGE * size[..., None] * np.eye(regimes)
    cross = cross.reshape(*total.shape[:-1], regimes, classes)
    given = np.linalg.solve(square + ridge, cross)
    return np.asarray((share / size)[..., None] * given)
