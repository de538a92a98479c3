"""Honest intervals of every definition of performance.

The interval covers two questions at once: the value for panels of the size that was asked (items
resampled; raters within items too when the task says so), and the value that the whole population
of raters would give. It is the hull of the bootstrap interval of the value, of that of its
jackknife-corrected twins, and of that over drawn panels (`raters.Panel`). With many raters per item
these coincide; with few, the hull is honestly wide.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karat.coefficients import ratio
from karat.indeterminacy.aggregation import Side, normalised, side
from karat.indeterminacy.evaluate import Evaluation, columns, evaluate, per_item, values
from karat.indeterminacy.metrics import Definition
from karat.indeterminacy.raters import Panel, identified, jackknife, panel_families
from karat.indeterminacy.rating_model import multi_label
from karat.indeterminacy.study import Study
from karat.resample import multiplicities

__all__ = ["Bounds", "asked", "bounds", "population"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Resamples in which raters are redrawn within items; each costs one evaluation of everything.
RATER_RESAMPLES = 300
#: Smooth in the people's shares: the jackknife applies.
SMOOTH = frozenset((
    "kl_divergence", "reverse_kl_divergence", "cross_entropy", "reverse_cross_entropy",
    "jensen_shannon", "mean_squared_error", "binary_cross_entropy",
))  # fmt: skip


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

    @property
    def value(self) -> Array:
        return self.found.value


def bounds(
    study: Study,
    definitions: Sequence[Definition],
    *,
    resamples: int,
    seed: int,
    panel_draws: int = 20,
) -> Bounds:
    """Every definition for every judge, with its interval (see the module's docstring)."""
    rng = np.random.default_rng(seed)
    counted = study.counted
    level = study.task.confidence_level
    found = evaluate(
        definitions, study.judge, study.human, counted.cluster, counted.n_clusters,
        resamples=resamples, seed=seed,
    )  # fmt: skip
    value = found.value
    low, high = _quantiles(found.replicates, level)
    method = f"cluster bootstrap (percentile, {resamples})"
    if study.task.resample_raters:
        spread = _rater_replicates(study, definitions, value, min(resamples, RATER_RESAMPLES), rng)
        low, high = _hull((low, high), _quantiles(spread, level))
        method += f", raters redrawn within items ({len(spread)})"
    population = value
    known = all(identified(counts) for counts in asked(study))
    if panel_draws:
        for corrected in _jackknifed(study, definitions, min(resamples, 1000), rng):
            low, high = _hull((low, high), _quantiles(corrected, level))
        families = list(_panel_values(study, definitions, panel_draws, resamples, rng))
        for _, drawn in families:
            low, high = _hull((low, high), _quantiles(drawn, level))
        population = np.mean([mean for mean, _ in families], axis=0)
        method += ", widened for few raters per item"
    # The value is inside its own interval, and the interval where values can be.
    least, most = (np.array([one.support[end] for one in definitions]) for end in (0, 1))
    low = np.maximum(np.fmin(low, value), least[:, None])
    high = np.minimum(np.fmax(high, value), most[:, None])
    return Bounds(found, low, high, population, method, known)


def _quantiles(replicates: Array, level: float) -> tuple[Array, Array]:
    """Percentile bounds over the first axis, NaN replicates left out."""
    tail = (1 - level) / 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # all-NaN: undefined, said elsewhere
        low, high = np.nanquantile(replicates, [tail, 1 - tail], axis=0)
    return low, high


def _hull(one: tuple[Array, Array], two: tuple[Array, Array]) -> tuple[Array, Array]:
    return np.fmin(one[0], two[0]), np.fmax(one[1], two[1])


def _rater_replicates(
    study: Study,
    definitions: Sequence[Definition],
    value: Array,
    number: int,
    rng: np.random.Generator,
) -> Array:
    """Items resampled and raters redrawn within them, centred on the value.

    Redrawn raters scatter around the observed shares, which scatter already: the shift that this
    adds on average is taken out again.
    """
    counted = study.counted
    ones = np.ones(counted.n_clusters, np.int64)
    weights = np.concatenate(list(multiplicities(ones, number, rng)))
    plain, out = [], []
    for b in range(number):
        human = _redrawn(study, rng)
        table = columns(definitions, study.judge, human, counted.cluster, counted.n_clusters)
        both = values(definitions, table, np.stack([np.ones(counted.n_clusters), weights[b]]))
        plain.append(both[0])
        out.append(both[1])
    shift = np.mean(plain, axis=0) - value
    return np.asarray(np.stack(out) - shift)


def _redrawn(study: Study, rng: np.random.Generator) -> Side:
    counted = study.counted
    forced, sets = (_multinomial(one, rng) for one in (counted.human_forced, counted.human_sets))
    return side(
        normalised(forced), normalised(sets), study.lambda_, study.reverse,
        threshold=study.threshold, ties=study.task.reference_ties,
    )  # fmt: skip


def _multinomial(counts: Array, rng: np.random.Generator) -> Array:
    shares = np.nan_to_num(normalised(counts), nan=1 / counts.shape[-1])
    number = np.round(counts.sum(-1)).astype(np.int64)
    return np.asarray(rng.multinomial(number, shares), dtype=np.float64)


def _jackknifed(
    study: Study,
    definitions: Sequence[Definition],
    resamples: int,
    rng: np.random.Generator,
) -> Iterator[Array]:
    """Replicates of the smooth definitions on soft human ratings, corrected for few raters.

    First order, second order, and as far beyond the second as it is beyond the first: what the
    orders still change bounds what they leave.
    """
    counted = study.counted
    units, judges = len(counted.items), len(counted.judges)
    forced, sets, used = counted.human_forced, counted.human_sets, counted.human_sets.sum(0) > 0
    found: dict[int, tuple[Array, Array, Array]] = {}
    for d, definition in enumerate(definitions):
        if definition.name not in SMOOTH or definition.human not in ("s", "srs"):
            continue
        on_sets = definition.human == "srs" and study.sets_asked
        counts = sets[:, used] if on_sets else forced
        whole = np.array_equal(counts, np.round(counts))
        if not whole:
            continue
        # Leaving out two raters costs K^2 evaluations; past this the first order must do.
        highest = 2 if counts.shape[1] ** 2 * units * judges <= 5_000_000 else 1
        if np.isinf(per_item(definition, study.judge, study.human)).any():
            continue

        def statistic(
            shares: Array, on_sets: bool = on_sets, definition: Definition = definition
        ) -> Array:
            if on_sets:
                omega = multi_label(study.lambda_[:, used], shares)
            else:
                omega = multi_label(study.lambda_, shares @ study.reverse.T)
            human = Side(shares if not on_sets else omega, np.minimum(omega, 1.0))
            return per_item(definition, study.judge, human)

        first = jackknife(statistic, counts, order=1)
        second = jackknife(statistic, counts, order=highest)
        # Items whose response sets were recovered, or that nobody rated, keep their own value.
        own = per_item(definition, study.judge, study.human)
        known = (counts.sum(-1) > 0) & np.isfinite(own) & np.isfinite(first) & np.isfinite(second)
        one, two = (np.where(known, corrected, own) for corrected in (first, second))
        found[d] = (one, two, 2 * two - one)
    which = sorted(found)
    for order in range(3 if found else 0):
        stacked = np.stack([found[d][order] for d in which], axis=-1)
        yield _mean_replicates(study, stacked, which, len(definitions), resamples, rng)


def _mean_replicates(
    study: Study,
    stacked: Array,
    which: list[int],
    number: int,
    resamples: int,
    rng: np.random.Generator,
) -> Array:
    """Replicates (B, D, J) of means over items of values (J, U, d) of the definitions `which`."""
    counted = study.counted
    judges = len(counted.judges)
    out = np.full((resamples, number, judges), np.nan)
    start = 0
    for w in multiplicities(np.ones(counted.n_clusters, np.int64), resamples, rng):
        per_unit = w[:, counted.cluster]
        for j in range(judges):
            exists = np.isfinite(stacked[j])
            total = per_unit @ np.where(exists, stacked[j], 0.0)
            out[start : start + len(w), which, j] = ratio(total, per_unit @ exists)
        start += len(w)
    return out


def _panel_values(
    study: Study,
    definitions: Sequence[Definition],
    draws: int,
    resamples: int,
    rng: np.random.Generator,
) -> Iterator[tuple[Array, Array]]:
    """Per family of panels: the mean value over draws (D, J), and replicates (B, D, J)."""
    counted = study.counted
    clusters = counted.n_clusters
    each = max(20, resamples // (2 * draws))
    for drawn in _panel_sides(study, draws, rng):
        means, found = [], []
        for human in drawn:
            table = columns(definitions, study.judge, human, counted.cluster, clusters)
            means.append(values(definitions, table))
            for w in multiplicities(np.ones(clusters, np.int64), each, rng):
                found.append(values(definitions, table, w))
        yield np.mean(means, axis=0), np.concatenate(found)


def asked(study: Study) -> list[Array]:
    """People's counts of what they were asked: options, the response sets that occur, or both."""
    counted = study.counted
    out = [counted.human_forced] if study.forced_asked else []
    if study.sets_asked:
        out.append(counted.human_sets[:, counted.human_sets.sum(0) > 0])
    return out


def population(study: Study, rng: np.random.Generator) -> Side:
    """One draw of the whole population's ratings, from a prior that no judge enters."""
    shares = []
    for counts in asked(study):
        nobody = np.ones((len(counts), 1))
        (panel, *_), *_ = panel_families(nobody, counts, draws=1, rng=rng)
        drawn = panel.draw(nobody, counts, rng)
        drawn[counts.sum(-1) == 0] = np.nan
        shares.append(drawn)
    return _panel_side(study, shares)


def _panel_sides(study: Study, draws: int, rng: np.random.Generator) -> Iterator[Iterator[Side]]:
    """Families of drawn panels: given the judge's verdict, given its distribution, and so on."""
    verdict, soft = study.judge["h"], study.judge["s"]
    if np.isnan(soft).all():
        soft = normalised(study.judge["srs"])
        verdict = soft
    variants = [verdict]
    if not np.array_equal(np.nan_to_num(verdict), np.nan_to_num(soft)):
        # People may be surer than a hesitant judge: its distribution, and the same sharpened.
        variants += [soft, normalised(soft**2)]
        if not all(identified(counts) for counts in asked(study)):
            # With one rating per item only the judge tells items apart: what it is sure of, too.
            sure = normalised(study.judge["hrs"])
            variants.append(np.where(np.isnan(sure), 1 / sure.shape[-1], sure))
    rated = asked(study)
    for x in variants:
        fitted = [
            [panel_families(one, counts, draws=draws, rng=rng) for one in x] for counts in rated
        ]
        for f in range(max(len(family) for kind in fitted for family in kind)):
            yield _drawn_sides(study, x, fitted, rated, f, draws, rng)


def _drawn_sides(
    study: Study,
    x: Array,
    fitted: list[list[list[list[Panel]]]],
    rated: list[Array],
    family: int,
    draws: int,
    rng: np.random.Generator,
) -> Iterator[Side]:
    for d in range(draws):
        shares = []
        for kind, counts in zip(fitted, rated, strict=True):
            drawn = [
                by_judge[min(family, len(by_judge) - 1)][d].draw(one, counts, rng)
                for by_judge, one in zip(kind, x, strict=True)
            ]
            stacked = np.stack(drawn)
            stacked[:, counts.sum(-1) == 0] = np.nan
            shares.append(stacked)
        yield _panel_side(study, shares)


def _panel_side(study: Study, shares: list[Array]) -> Side:
    """People as a whole population: drawn shares of options, of response sets, or of both."""
    used = study.counted.human_sets.sum(0) > 0
    lambda_ = study.lambda_
    if study.forced_asked:
        forced = shares[0]
        omega = multi_label(lambda_, forced @ study.reverse.T)
    else:
        forced = np.full((*shares[0].shape[:-1], lambda_.shape[0]), np.nan)
        omega = forced
    if study.sets_asked:
        observed = multi_label(lambda_[:, used], shares[-1])
        omega = np.where(np.isnan(observed), omega, observed)
    return Side(forced, np.minimum(omega, 1.0), study.threshold, study.task.reference_ties)
