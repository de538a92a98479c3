"""Honest intervals of every definition of performance.

The interval covers two questions at once: the value for panels of the size that was asked (items
resampled; raters within items too when the task says so), and the value that the whole population
of raters would give. It is the hull of the bootstrap interval of the value, of that of its
jackknife-corrected twins, and of that over drawn panels (`raters.Panel`). With many raters per item
these coincide; with few, the hull is honestly wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.formulas.distributions import Definition
from goldassay.formulas.rating_model import multi_label
from goldassay.formulas.rating_vectors import Side, normalised, side
from goldassay.frozen import dataclass
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.draw import stream
from goldassay.questions.audit.evaluate import (
    CELLS,
    Draws,
    Evaluation,
    Parts,
    columns,
    evaluate,
    per_item,
    summing,
    values,
)
from goldassay.questions.audit.grades import Family, Positions, grade_families
from goldassay.questions.audit.majority import MANY, majorities
from goldassay.questions.audit.raters import (
    Panel,
    concentration_ends,
    identified,
    jackknife,
    panel_families,
)
from goldassay.questions.audit.sides import Sides

__all__ = ["Bounds", "asked", "bounds", "population", "quantiles"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Prior = Panel | Positions

#: Times that ratings are redrawn within items, and resamples of items for each of them.
REDRAWS, PER_REDRAW = 60, 5
#: Seeds of drawn panels are below this.
SEEDS = 2**63 - 1
#: Items of judges whose drawn panels are looked at together: so many stay in the processor's cache.
HELD = 150_000
#: Resamples that differ by less are alike.
ROUNDING = 1e-12
#: Replicates of definitions whose bounds are found together.
TOGETHER = 1_000_000
#: Smooth in the people's shares: the jackknife applies.
SMOOTH = frozenset(
    (
        "kl_divergence",
        "reverse_kl_divergence",
        "cross_entropy",
        "reverse_cross_entropy",
        "jensen_shannon",
        "mean_squared_error",
        "binary_cross_entropy",
    )
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Every definition for every judge: its interval, and the whole population's value, (D, J)."""

    found: Evaluation
    low: Array
    high: Array
    population: Array
    method: str
    #: Whether enough items have two raters, so that the population's value is an estimate.
    identified: bool
    #: Definitions, (D,), for which so few raters cannot tell the majority of all people.
    unknown: NDArray[np.bool_]

    @property
    def value(self) -> Array:
        return self.found.value


def bounds(sides: Sides, definitions: Sequence[Definition], draws: Draws) -> Bounds:
    """Every definition for every judge, with its interval (see the module's docstring)."""
    own_stream = partial(stream, draws.seed)
    alike = sides.alike
    judge, human = sides.judge.at(alike.items), sides.human.at(alike.items)
    found = evaluate(definitions, judge, human, alike.made, alike.times, draws)
    value = found.value
    told = [
        replace(one, per_item=None) if endless.all() else one
        for one, endless in zip(definitions, found.infinite > 0, strict=True)
    ]  # a value that is infinite for every judge is undefined, whatever panels would say
    ends = partial(_ends, sides, definitions, found, draws.seed)
    inside = [ends(found.replicates)]
    method = f"cluster bootstrap (percentile, {draws.resamples})"
    # The judge's side alone is no one's to redraw but the judge's.
    of_people = [one if one.human != "-" else replace(one, per_item=None) for one in told]
    if sides.task.resample_raters:
        rng = own_stream("raters redrawn")
        again = partial(_people_redrawn, sides.rated, rng)
        inside.append(ends(_redrawn(sides.rated, of_people, value, again, rng)))
        method += f", raters redrawn within items ({REDRAWS * PER_REDRAW})"
    if (sides.samples > 1).any():
        rng = own_stream("answers redrawn")
        again = partial(_judges_redrawn, sides, rng)
        inside.append(ends(_redrawn(sides, told, value, again, rng)))
        method += f", judges' answers redrawn within items ({REDRAWS * PER_REDRAW})"
    population = value
    known = all(identified(counts) for counts in asked(sides))
    unknown = np.zeros(len(definitions), bool)
    if draws.panels:
        fewer = min(draws.resamples, 1000)
        inside += map(ends, _jackknifed(sides, definitions, fewer, own_stream("jackknife")))
        means = []
        grades = _grades(sides, draws, own_stream("grades"))
        panels = own_stream("panels")
        for mean, drawn in _panel_values(sides.rated, of_people, draws, grades, panels):
            low, high = ends(drawn)
            # An estimated prior is noisier than the true one, and so are the panels drawn from it,
            # by as much as those of a refitted prior are noisier again: the basic bootstrap.
            inside += [(low, high), (2 * mean - high, 2 * mean - low)]
            means.append(mean)
        nobody = np.array([[one.human == "-"] for one in definitions])  # is asked here
        population = np.where(nobody, value, np.mean(means, axis=0))
        each = max(20, draws.resamples // (2 * draws.panels))
        drawn_majorities = majorities(
            sides, definitions, (draws.panels, each), own_stream("majorities"), grades
        )
        for one in drawn_majorities:
            inside.append(ends(one.replicates))
            unknown |= one.unknown
        method += ", widened for few raters per item"
    low = np.fmin.reduce([one for one, _ in inside])
    high = np.fmax.reduce([one for _, one in inside])
    # The value is inside its own interval, and the interval where values can be.
    least, most = _supports(sides, definitions)
    low, high = np.where(unknown[:, None], least, low), np.where(unknown[:, None], most, high)
    low = np.maximum(np.fmin(low, value), least)
    high = np.minimum(np.fmax(high, value), most)
    # All items alike (a judge that never strayed): of values without a bound nothing says how far.
    alike = np.ptp(found.replicates, axis=0) <= ROUNDING
    high = np.where(alike & ~np.isfinite(most), most, high)
    return Bounds(found, low, high, population, method, known, unknown)


def _supports(sides: Sides, definitions: Sequence[Definition]) -> tuple[Array, Array]:
    """The least and the largest value that each definition can take, (D, 1)."""
    both = np.array([one.support(len(sides.counted.options)) for one in definitions])
    return both[:, :1], both[:, 1:]


def _ends(
    sides: Sides, definitions: Sequence[Definition], found: Evaluation, seed: int, replicates: Array
) -> tuple[Array, Array]:
    """Percentile bounds (D, J), hedged against what did not happen to occur in the sample.

    Each resample gets one more cluster, with an exponential weight, whose value is the least
    possible for the lower end and the largest for the upper one: a judge that never failed in n
    clusters may fail in 3 / n of them. Left out where values have no bound.
    """
    level, counted = sides.task.confidence_level, sides.counted
    clusters = np.maximum(found.items * counted.n_clusters / len(counted.items), 1.0)
    extra = stream(seed, "one cluster more").standard_exponential((len(replicates), 1, 1))
    tail, found_ends = (1 - level) / 2, np.empty((2, *replicates.shape[1:]))
    step = max(1, TOGETHER // max(replicates[:, 0].size, 1))
    for start in range(0, replicates.shape[1], step):  # all together are a few copies too many
        part = slice(start, start + step)
        some, share = replicates[:, part], extra / (clusters[part] + extra)
        for k, end in enumerate(_supports(sides, definitions[part])):
            moved = some + share * np.where(np.isfinite(end), end - some, 0.0)
            found_ends[k, part] = _quantiles(moved, [tail if k == 0 else 1 - tail])[0]
    return found_ends[0], found_ends[1]


def quantiles(replicates: Array, level: float) -> tuple[Array, Array]:
    """Percentile bounds over the first axis, NaN replicates left out."""
    tail = (1 - level) / 2
    low, high = _quantiles(replicates, [tail, 1 - tail])
    return low, high


def _quantiles(replicates: Array, shares: Sequence[float]) -> Array:
    """Quantiles over the first axis, NaN left out: those at each share."""
    flat = replicates.reshape(len(replicates), -1)
    gaps = np.isnan(flat)
    if not gaps.any():
        return np.quantile(flat, shares, axis=0).reshape(-1, *replicates.shape[1:])
    out = np.full((len(shares), flat.shape[1]), np.nan)
    whole, some = ~gaps.any(0), gaps.any(0) & ~gaps.all(0)
    out[:, whole] = np.quantile(flat[:, whole], shares, axis=0)
    if some.any():
        out[:, some] = _known_quantiles(flat[:, some], shares)
    return out.reshape(-1, *replicates.shape[1:])


def _known_quantiles(flat: Array, shares: Sequence[float]) -> Array:
    """`np.nanquantile(flat, shares, axis=0)`, which is slow for being made column by column."""
    ordered, columns_ = np.sort(flat, axis=0), np.arange(flat.shape[1])  # NaN come last
    most = (~np.isnan(flat)).sum(0) - 1
    at = np.multiply.outer(np.asarray(shares), most)
    below = np.floor(at).astype(np.int64)
    left, right = ordered[below, columns_], ordered[np.minimum(below + 1, most), columns_]
    part = at - below
    step = right - left
    return np.asarray(np.where(part < 0.5, left + step * part, right - step * (1 - part)))


def _redrawn(
    sides: Sides,
    definitions: Sequence[Definition],
    value: Array,
    draw: Callable[[int], tuple[Side, Side]],
    rng: np.random.Generator,
) -> Array:
    """Replicates (B, D, J): ratings redrawn within resampled items, centred on the value.

    Redrawn ratings scatter around the observed shares, which scatter already: the shift that this
    adds on average is taken out again.
    """
    plain, found = [], []
    for size in _chunks(sides, definitions, REDRAWS):
        judge, human = draw(size)
        counted = columns(definitions, judge, human, sides.counted.cluster, sides.once)
        plain.append(values(definitions, counted))
        found.append(values(definitions, counted, _weights(sides, size, PER_REDRAW, rng)))
    shift = np.concatenate(plain).mean(0) - value
    return np.asarray(np.concatenate(found).reshape(-1, *value.shape) - shift)


def _people_redrawn(sides: Sides, rng: np.random.Generator, size: int) -> tuple[Side, Side]:
    """Other raters of the same population in the place of each item's."""
    counted = sides.counted
    forced, sets = (
        normalised(_multinomial(one, size, rng))[:, None]
        for one in (counted.human_forced, counted.human_sets)
    )
    return sides.judge, side(forced, sets, sides.reverse, sides.reading)


def _judges_redrawn(sides: Sides, rng: np.random.Generator, size: int) -> tuple[Side, Side]:
    """Other answers of the same judges, where they were sampled several times; for each judge the
    draws begin alike."""
    counted, sampled = sides.counted, np.flatnonzero(sides.samples > 1)
    drawn = []
    for counts in (counted.judge_forced, counted.judge_sets):
        again = np.broadcast_to(counts, (size, *counts.shape)).copy()
        seed = rng.integers(SEEDS)
        for judge in sampled[counts[sampled].any(axis=(1, 2))]:
            own = np.random.default_rng(seed)
            again[:, judge] = _multinomial(counts[judge], size, own)
        drawn.append(normalised(again))
    return side(drawn[0], drawn[1], sides.judge_reverse, sides.reading), sides.human


def _multinomial(counts: Array, size: int, rng: np.random.Generator) -> Array:
    shares = np.nan_to_num(normalised(counts), nan=1 / counts.shape[-1])
    number = np.round(counts.sum(-1)).astype(np.int64)
    return np.asarray(rng.multinomial(number, shares, size=(size, *number.shape)), dtype=np.float64)


def _chunks(sides: Sides, definitions: Sequence[Definition], draws: int) -> Iterator[int]:
    """Numbers of draws that fit into memory together."""
    cells = sides.judge.forced[..., 0].size * max(len(definitions), sides.lambda_.shape[1])
    step = max(1, CELLS // cells)
    for start in range(0, draws, step):
        yield min(step, draws - start)


def _blocks(sides: Sides) -> list[slice]:
    """Judges whose drawn panels are looked at together, in the order in which they are drawn.

    One panel is drawn at a time, and those of some judges are gone before the next judges' are.
    """
    judges, units = sides.judge.forced.shape[:2]
    if judges * units <= HELD:
        return [slice(None)]
    step = max(1, HELD // units)
    return [slice(start, start + step) for start in range(0, judges, step)]


def _weights(sides: Sides, size: int, each: int, rng: np.random.Generator) -> Array:
    """Resamples of clusters (size, each, C), other ones for each draw."""
    drawn = multiplicities(sides.once, size * each, rng)
    return np.concatenate(list(drawn)).reshape(size, each, -1)


def _jackknifed(
    sides: Sides, definitions: Sequence[Definition], resamples: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Replicates of the smooth definitions on soft human ratings, corrected for few raters.

    First order, second order, and as far beyond the second as it is beyond the first: what the
    orders still change bounds what they leave.
    """
    counted, items = sides.counted, sides.alike.items
    units, judges = len(counted.items), len(counted.judges)
    forced, sets = counted.human_forced[items], counted.human_sets[items]
    used = sets.sum(0) > 0
    judge, human = sides.judge.at(items), sides.human.at(items)
    orders = [Parts(summing(sides.alike.made, len(sides.alike.times))) for _ in range(3)]
    places: list[dict[int, tuple[int, int]]] = [{} for _ in orders]

    def keep(d: int, *corrected: Array) -> None:
        """The sums by cluster of each order's values (J, P), which all together are too many."""
        for parts, place, one in zip(orders, places, corrected, strict=True):
            place[d] = parts.of(one)[:2]

    for d, definition in enumerate(definitions):
        if definition.name not in SMOOTH or definition.human not in ("s", "srs"):
            continue
        on_sets = definition.human == "srs" and sides.sets_asked
        counts = sets[:, used] if on_sets else forced
        whole = np.array_equal(counts, np.round(counts))
        if not whole:
            continue
        # Leaving out two raters costs K^2 evaluations; past this the first order must do.
        highest = 2 if counts.shape[1] ** 2 * units * judges <= 5_000_000 else 1
        own = per_item(definition, judge, human)
        if np.isinf(own).any():
            continue

        def statistic(
            shares: Array, on_sets: bool = on_sets, definition: Definition = definition
        ) -> Array:
            if on_sets:
                omega = multi_label(sides.lambda_[:, used], shares)
            else:
                omega = multi_label(sides.lambda_, shares @ sides.reverse.T)
            people = Side(shares if not on_sets else omega, np.minimum(omega, 1.0))
            return per_item(definition, judge, people)

        if counts.sum(-1).max(initial=0.0) < 2:  # nobody can be left out
            keep(d, own, own, own)
            continue
        first = jackknife(statistic, counts, order=1)
        second = jackknife(statistic, counts, order=highest)
        # Items whose response sets were recovered, or that nobody rated, keep their own value.
        known = (counts.sum(-1) > 0) & np.isfinite(own) & np.isfinite(first) & np.isfinite(second)
        one, two = (np.where(known, corrected, own) for corrected in (first, second))
        keep(d, one, two, 2 * two - one)
    for parts, place in zip(orders, places, strict=True):
        if place:
            yield _mean_replicates(sides, parts, place, len(definitions), resamples, rng)


def _mean_replicates(
    sides: Sides,
    parts: Parts,
    places: Mapping[int, tuple[int, int]],
    number: int,
    resamples: int,
    rng: np.random.Generator,
) -> Array:
    """Replicates (B, D, J) of means over items, by the definition's place.

    `places` are those of a mean's sum and number of items among the parts.
    """
    sums, items = zip(*places.values(), strict=True)
    columns = np.concatenate(parts.columns)  # (E J, C)
    out = np.full((resamples, number, len(sides.counted.judges)), np.nan)
    start = 0
    for w in multiplicities(sides.alike.times, resamples, rng):
        total = (w @ columns.T).reshape(len(w), len(parts.columns), -1)
        out[start : start + len(w), list(places)] = ratio(total[:, sums], total[:, items])
        start += len(w)
    return out


def _panel_values(
    sides: Sides,
    definitions: Sequence[Definition],
    draws: Draws,
    grades: Sequence[Family],
    rng: np.random.Generator,
) -> Iterator[tuple[Array, Array]]:
    """Per family of panels: the mean value over draws (D, J), and replicates (B, D, J).

    The families: per feature of the judge the fitted prior, and the same at the ends of the
    concentrations that the counts allow (where one rating per item says nothing of it: all); and
    those of grades.
    """
    rated = asked(sides)
    each = max(20, draws.resamples // (2 * draws.panels))

    one_by_one = len(rated) == 1 and max(_chunks(sides, definitions, draws.panels)) == 1
    blocks = _blocks(sides) if one_by_one else [slice(None)]
    judges = [sides.judge if len(blocks) == 1 else sides.judge.part(one) for one in blocks]

    def drawn(x: Array, family: Sequence[tuple[Prior, Prior]]) -> tuple[Array, Array]:
        means, found, start = [], [], 0
        seeds = rng.integers(SEEDS, size=(2, len(rated), draws.panels))
        for size in _chunks(sides, definitions, draws.panels):
            now = slice(start, start + size)
            for refitted in (False, True):
                tables = []
                for part, judge in zip(blocks, judges, strict=True):
                    shares = [
                        pair[refitted].at(now, part).draw(x[part], c, own[now])
                        for pair, c, own in zip(family, rated, seeds[int(refitted)], strict=True)
                    ]
                    human = _panel_side(sides, shares)
                    where = (sides.counted.cluster, sides.once)
                    tables.append(columns(definitions, judge, human, *where))
                if refitted:
                    weights = _weights(sides, size, each, rng)
                    found.append([values(definitions, one, weights) for one in tables])
                else:
                    means.append([values(definitions, one) for one in tables])
            start += size
        mean, again = (
            np.concatenate([np.concatenate(some, axis=-1) for some in one])
            for one in (means, found)
        )
        return mean.mean(0), again.reshape(-1, *mean.shape[1:])

    fitted = []
    for x in _features(sides):
        kinds = [panel_families(x, counts, draws=draws.panels, rng=rng) for counts in rated]
        fitted.append((x, kinds))
        for f in range(max(map(len, kinds))):
            yield drawn(x, [families[min(f, len(families) - 1)] for families in kinds])
    for one in grades:
        yield drawn(_verdicts(sides), [(one.fitted, one.refitted)])
    level = sides.task.confidence_level
    for x, kinds in fitted:
        if any(len(families) > 1 for families in kinds):
            continue
        ends = [
            concentration_ends(x, counts, Panel(first.pseudo_counts[0]), level=level)
            for ((first, _),), counts in zip(kinds, rated, strict=True)
        ]
        for end in (0, 1):
            if all((one[end] == 1).all() for one in ends):
                continue
            yield drawn(
                x,
                [
                    (Panel(first.pseudo_counts * one[end]), Panel(again.pseudo_counts * one[end]))
                    for ((first, again),), one in zip(kinds, ends, strict=True)
                ],
            )


def _grades(sides: Sides, draws: Draws, rng: np.random.Generator) -> Sequence[Family]:
    """Priors that know of neighbours, where people gave one of three grades or more, some twice."""
    counts, level = sides.counted.human_forced, sides.task.confidence_level
    ordered = sides.task.scale == "ordinal" and counts.shape[-1] > 2
    if not ordered or sides.sets_asked or not identified(counts):
        return ()
    if np.median(counts.sum(-1)[counts.sum(-1) > 0]) > MANY:
        return ()
    return grade_families(_verdicts(sides), counts, draws=draws.panels, level=level, rng=rng)


def asked(sides: Sides) -> list[Array]:
    """People's counts of what they were asked: options, the response sets that occur, or both."""
    counted = sides.counted
    out = [counted.human_forced] if sides.forced_asked else []
    if sides.sets_asked:
        out.append(counted.human_sets[:, counted.human_sets.sum(0) > 0])
    return out


def population(sides: Sides, rng: np.random.Generator) -> Side:
    """One draw of the whole population's ratings, from a prior that no judge enters."""
    nobody = np.ones((len(sides.counted.items), 1))
    shares = []
    for counts in asked(sides):
        (_, panel), *_ = panel_families(nobody, counts, draws=1, rng=rng)
        shares.append(panel.draw(nobody, counts, rng.integers(SEEDS, size=1))[0])
    return _panel_side(sides, shares)


def _verdicts(sides: Sides) -> Array:
    """The judges' choices (J, U, K), or what they accept where they were not asked to choose."""
    if np.isnan(sides.judge["s"]).all():
        return normalised(sides.judge["srs"])
    return sides.judge["h"]


def _features(sides: Sides) -> Iterator[Array]:
    """What may tell items apart, (J, U, K): the judge's verdict, its distribution, and so on."""
    verdict, soft = _verdicts(sides), sides.judge["s"]
    if np.isnan(soft).all():
        soft = verdict
    yield verdict
    if np.array_equal(np.nan_to_num(verdict), np.nan_to_num(soft)):
        return
    # People may be surer than a hesitant judge: its distribution, and the same sharpened.
    yield soft
    yield normalised(soft**2)
    if not all(identified(counts) for counts in asked(sides)):
        # With one rating per item only the judge tells items apart: what it is sure of, too.
        sure = normalised(sides.judge["hrs"])
        yield np.where(np.isnan(sure), 1 / sure.shape[-1], sure)


def _panel_side(sides: Sides, shares: list[Array]) -> Side:
    """People as a whole population: drawn shares of options, of response sets, or of both."""
    used = sides.counted.human_sets.sum(0) > 0
    empty = np.full((*shares[0].shape[:-1], len(sides.lambda_)), np.nan)
    forced = shares[0] if sides.forced_asked else empty

    def accepted(lambda_: Array) -> Array:
        omega = np.asarray(forced @ (lambda_ @ sides.reverse).T)
        if not sides.sets_asked:
            return omega
        observed = multi_label(lambda_[:, used], shares[-1])
        return np.where(np.isnan(observed), omega, observed)

    return sides.reading.made(forced, accepted)
