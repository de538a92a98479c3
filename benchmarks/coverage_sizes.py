"""Intervals where how large a cluster is, or what an item weighs, goes with what it holds.

    python benchmarks/coverage_sizes.py [NAME ...] [--runs N] [--seed S] [--without]
    python benchmarks/coverage_sizes.py --held-out | --few | --steep | --silent | --many N

In other settings sizes and weights are drawn apart from truth and errors. Here long conversations
are harder than short ones, or hold more of the rare answer, and what weighs most is judged worst;
clusters differ by chance beside. Truth is that of the items of very many such clusters. A row is
one of `agree`, `estimate`, `compare`, `diff` and `select`. The figures are in
`docs/theory/figures.md`; `--without` has the intervals as they were when these settings were first
tried, which is why ends move where sizes tell: how far they move was chosen on these settings.
`--held-out` has six others, written down after that and before any of them was tried, and `--few`
has every verb with 12 to 20 clusters. `--steep` has sizes and slopes that were made steeper until
intervals of so few clusters fell short, to see of which numbers that must be said. `--silent` has
sizes that tell nothing: there, what moving an end costs. `--many 60` has steep settings of so many
clusters, others of very unequal sizes, some in which only the very largest clusters are of another
kind, and the same sizes telling nothing: how often a warning stands at the number there, and how
intervals without one cover.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from coverage_changes import STATISTICS, _change, joint_of
from coverage_estimate import labelled_of, sample_from, scored_mean
from coverage_probe import Judges, binary_setting, counted_of, table_intervals
from numpy.typing import NDArray
from scipy.special import expit

from goldassay.inference import cluster_spread
from goldassay.inference.areas import RocArea
from goldassay.inference.changes import change_limits
from goldassay.metrics.inputs import Given
from goldassay.metrics.registry import TABLE_METRICS
from goldassay.questions.cluster_sizes import (
    FEW_UNEQUAL_CLUSTERS,
    VERY_UNEQUAL_CLUSTERS,
    size_warnings_of_tables,
)
from goldassay.questions.estimate.binary import corrected
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings, headline
from goldassay.questions.estimate.systems import system_rates
from goldassay.results import Estimate, Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
#: Both ends and the truth between them, by name, and whether the number warns of sizes.
Found = Iterator[tuple[str, tuple[float, float] | None, float, bool]]

COEFFICIENTS = ("accuracy", "balanced_accuracy", "cohen_kappa", "f1")
BINARY = binary_setting((0.3, 0.7))
MANY = 40_000


@dataclass(frozen=True)
class World:
    """Clusters whose rate and whose judge's odds to be right move with the logarithm of size."""

    clusters: int
    #: Of lognormal sizes: the median and the spread of their logarithms; 0: lone items.
    median: float = 8.0
    spread: float = 0.8
    #: The logit of the rate and its slope by standard deviation of the log size.
    rate: tuple[float, float] = (-1.0, 0.0)
    #: The same of being right.
    right: tuple[float, float] = (2.0, 0.0)
    #: What clusters differ by beside, in logits.
    beside: float = 0.5
    #: The spread of log weights, which go with being wrong.
    weights: float = 0.0
    #: Sizes tell nothing but that clusters so many standard deviations above the middle of the log
    #: sizes are of another kind: the slopes are then how far these lie off.
    beyond: float | None = None

    def drawn(self, rng: Rng, clusters: int | None = None) -> Items:
        number = clusters or self.clusters
        large = rng.standard_normal(number)
        size = 1 + rng.poisson(self.median * np.exp(self.spread * large)) if self.median else None
        code = np.arange(number) if size is None else np.repeat(np.arange(number), size)
        told = large if self.beyond is None else (large > self.beyond).astype(float)
        level = (0.0 if size is None else told, *rng.normal(0, self.beside, (2, number)))
        heavy = rng.standard_normal(len(code)) if self.weights else np.zeros(len(code))
        rate, right = (
            (start + slope * level[0] + noise)
            for (start, slope), noise in zip((self.rate, self.right), level[1:], strict=True)
        )
        logit = np.broadcast_to(right, number)[code] - heavy
        true = rng.random(len(code)) < expit(np.broadcast_to(rate, number)[code])
        said = np.where(rng.random(len(code)) < expit(logit), true, ~true)
        return Items(code, true.astype(np.int64), said.astype(np.int64), heavy * self.weights)

    @property
    def population(self) -> Items:
        return _population(self)


@dataclass(frozen=True)
class Items:
    cluster: Ints
    true: Ints
    said: Ints
    #: Logarithms.
    weight: Floats

    @property
    def table(self) -> Floats:
        found = np.zeros((2, 2))
        np.add.at(found, (self.true, self.said), np.exp(self.weight))
        return found


@cache
def _population(world: World) -> Items:
    return world.drawn(np.random.default_rng(1), MANY)


@cache
def _table(world: World) -> Floats:
    return world.population.table


def ends(result: Result) -> tuple[float, float] | None:
    if not isinstance(result, Estimate) or result.interval is None:
        return None
    return result.interval.low, result.interval.high


def warned(result: Result) -> bool:
    told = result.warnings if isinstance(result, Estimate) else ()
    return FEW_UNEQUAL_CLUSTERS in told or VERY_UNEQUAL_CLUSTERS in told


def agree(world: World, rng: Rng) -> Found:
    items = world.drawn(rng)
    weight = np.exp(items.weight) if world.weights else None
    code = items.cluster if world.median else None
    tables = Given(items.true, items.said, None, [0, 1], code, weight).tables("sizes")
    counted = counted_of(tables, BINARY, int(rng.integers(1 << 30)))
    for name, one in table_intervals(counted, COEFFICIENTS).items():
        yield name, one, float(TABLE_METRICS[name].compute(_table(world), BINARY)), False


@dataclass(frozen=True)
class Labels:
    """Which items are labelled: a share of them, of clusters as a whole, or of each verdict."""

    share: float = 0.2
    whole: bool = False
    #: All flagged items and so many others.
    others: int = 0

    def of(self, items: Items, rng: Rng) -> NDArray[np.bool_]:
        if self.others:
            known = items.said == 1
            free = np.flatnonzero(~known)
            known[rng.permutation(free)[: self.others]] = True
            return known
        return labelled_of(rng, items.cluster, self.share, whole=self.whole)


def estimate(world: World, rng: Rng, labels: Labels) -> Found:
    items = world.drawn(rng)
    row = np.where(labels.of(items, rng), items.true, 2)
    sample = sample_from(items.cluster, 0 * row, row, items.said, 2)
    drawn = drawing("by_verdict" if labels.others else "random", apart=False)
    found = corrected(headline(drawn), sample, drawn, Settings())
    yield "prevalence", ends(found), float(world.population.true.mean()), warned(found)


def scored(items: Items, rng: Rng) -> Floats:
    """People's skewed scores: a cluster's level by its size, and lognormal noise."""
    size = np.bincount(items.cluster)[items.cluster]
    return 0.5 * np.log(size) + items.true + rng.lognormal(0, 0.6, len(size))


@cache
def _mean_score(world: World) -> float:
    return float(scored(world.population, np.random.default_rng(2)).mean())


def mean_score(world: World, rng: Rng, labels: Labels) -> Found:
    items = world.drawn(rng)
    people = scored(items, rng)
    judge = people + rng.normal(0, 0.5, len(people)) + 0.3 * (items.said - items.true)
    found = scored_mean(items.cluster, people, judge, labels.of(items, rng))
    yield "mean_score", ends(found), _mean_score(world), warned(found)


def compare(world: World, rng: Rng) -> Found:
    """Two systems on the same prompts, one worse on large clusters; own labels of a third."""
    worse = replace(world, rate=(world.rate[0] + 0.4, world.rate[1] + 0.4))
    seed = int(rng.integers(1 << 30))
    # The same draws: the same sizes, and prompts that are hard for both.
    both = [one.drawn(np.random.default_rng(seed)) for one in (world, worse)]
    known = labelled_of(rng, both[0].cluster, 0.33, whole=False)
    parts = [np.where(known, one.true, 2) for one in both]
    group = np.repeat([0, 1], len(known))
    cluster, row, said = (
        np.concatenate(one) for one in ([both[0].cluster] * 2, parts, [one.said for one in both])
    )
    found = system_rates(
        sample_from(cluster, group, row, said, 2),
        drawing("random", apart=False),
        shared=False,
        confidence_level=0.95,
    )
    assert found is not None
    rates = [float(one.population.true.mean()) for one in (world, worse)]
    for result, truth in zip(found.rates, rates, strict=True):
        yield "rate of a system", ends(result), truth, warned(result)
    (gap,), (told,) = found.differences, found.board.differences
    first, second = (rates[int(name[1:])] for name in (told.first, told.second))
    yield "difference", ends(gap), first - second, False


def two_versions(world: World, rng: Rng, number: int | None = None) -> Floats:
    """Counts [C, 2, 2, 2] of a judge and a new version, better on small clusters alone."""
    items = world.drawn(rng, number)
    size = np.bincount(items.cluster)[items.cluster]
    large = np.log(size / world.median) / world.spread
    if world.beyond is not None:
        large = np.where(large > world.beyond, 1.5, -0.5)
    wrong = items.said != items.true
    moved = rng.random(len(size)) < np.where(wrong, expit(-0.5 - large), expit(-3 + large))
    new = np.where(moved, 1 - items.said, items.said)
    found = np.zeros((int(items.cluster.max()) + 1, 2, 2, 2))
    np.add.at(found, (items.cluster, items.true, items.said, new), 1.0)
    return found


@cache
def _versions(world: World) -> Floats:
    total: Floats = two_versions(world, np.random.default_rng(1), MANY).sum(0)
    return total


def diff(world: World, rng: Rng) -> Found:
    joint = joint_of(two_versions(world, rng), clustered=True)
    for name in ("accuracy", "balanced_accuracy", "cohen_kappa"):
        limits = change_limits(joint, STATISTICS[name], confidence_level=0.95)
        truth = float(_change(STATISTICS[name], _versions(world)))
        yield f"change of {name}", (limits.low, limits.high), truth, limits.by_size is not None


def still(world: World, rng: Rng) -> Found:
    """Half of the errors mended and .07 of all verdicts turned, whatever the size."""
    items = world.drawn(rng)
    new = np.where(rng.random(len(items.said)) < 0.5, items.said, items.true)
    new = np.where(rng.random(len(new)) < 0.07, 1 - new, new)
    counts = np.zeros((world.clusters, 2, 2, 2))
    np.add.at(counts, (items.cluster, items.true, items.said, new), 1.0)
    limits = change_limits(
        joint_of(counts, clustered=True), STATISTICS["accuracy"], confidence_level=0.95
    )
    told = limits.by_size is not None
    yield "change of accuracy", (limits.low, limits.high), _still(world), told


@cache
def _still(world: World) -> float:
    right = float((world.population.said == world.population.true).mean())
    mended = 0.5 * right + 0.5
    return 0.93 * mended + 0.07 * (1 - mended) - right


#: The logit of being right and its slope by size, of each judge.
Rights = tuple[tuple[float, float], ...]
#: Two that cross, and one that is worse.
JUDGES: Rights = ((2.0, -0.5), (1.8, 0.3), (1.4, 0.0))


def judged(world: World, judges: Rights, rng: Rng, number: int | None = None) -> Floats:
    """Counts [C, J, 2, 2] of the judges on the same items."""
    seed = int(rng.integers(1 << 30))
    worlds = [replace(world, right=one) for one in judges]
    found = [one.drawn(np.random.default_rng(seed), number) for one in worlds]
    counts = np.zeros((int(found[0].cluster.max()) + 1, len(judges), 2, 2))
    for at, items in enumerate(found):
        np.add.at(counts, (items.cluster, at, items.true, items.said), 1.0)
    return counts


@cache
def _judged(world: World, judges: Rights) -> Floats:
    total: Floats = judged(world, judges, np.random.default_rng(1), MANY).sum(0)
    return total


def select(world: World, rng: Rng, judges: Rights = JUDGES) -> Found:
    counts = judged(world, judges, rng)
    first, second = np.triu_indices(len(judges), 1)
    each = np.ones(len(counts), np.int64)
    doubt = bool(size_warnings_of_tables(counts, each))
    told = Judges(1, 0.5, (0.5,) * len(judges), 0.0).told(counts, each)
    for name, limits in told.items():
        if limits is None:
            continue
        values = TABLE_METRICS[name].compute(_judged(world, judges), BINARY)
        low, high = (one - (values[second] - values[first]) for one in limits)
        # The pair that misses by most stands for all: 0 is held where every pair is.
        miss, length = float(np.maximum(low, -high).max()), float((high - low).mean())
        yield f"all differences of {name}", (miss, miss + length), 0.0, doubt


def scores(items: Items, rng: Rng) -> Floats:
    """The judge's scores, higher in large clusters."""
    size = np.bincount(items.cluster)[items.cluster]
    return items.said + 0.5 * np.log(size) + rng.normal(0, 0.7, len(size))


@cache
def _area(world: World) -> float:
    whole = world.population
    return RocArea.of(scores(whole, np.random.default_rng(2)), whole.true == 1, None).value


def area(world: World, rng: Rng) -> Found:
    items = world.drawn(rng)
    one = RocArea.of(scores(items, rng), items.true == 1, items.cluster).interval(0.95)
    yield "roc_auc", None if one is None else (one.low, one.high), _area(world), False


SETTINGS: Mapping[str, Callable[[Rng], Found]] = {
    "agree: 40 clusters, large ones harder": partial(
        agree, World(40, right=(2.2, -0.7), rate=(-0.8, 0.0))
    ),
    "agree: 25 clusters, large ones with fewer positives": partial(
        agree, World(25, 12.0, 0.6, rate=(-2.2, -0.6), right=(2.5, 0.3))
    ),
    "agree: 200 lone items, heavy ones harder": partial(
        agree, World(200, 0.0, rate=(-0.7, 0.0), weights=0.7)
    ),
    "agree: 50 clusters, large and heavy ones harder": partial(
        agree, World(50, 6.0, 0.7, right=(2.2, -0.5), weights=0.6)
    ),
    "agree: area, 30 clusters, scores higher in large ones": partial(
        area, World(30, rate=(-1.2, 0.5))
    ),
    "estimate: 60 clusters, large ones with more of a rare answer": partial(
        estimate, World(60, rate=(-2.8, 0.6), right=(2.2, -0.4)), labels=Labels(0.25)
    ),
    "estimate: a third of 60 clusters whole, large ones with more": partial(
        estimate, World(60, rate=(-1.8, 0.6), right=(2.2, -0.4)), labels=Labels(0.33, whole=True)
    ),
    "estimate: all flagged and 60 others, rare in large clusters": partial(
        estimate, World(60, rate=(-2.5, -0.6), right=(2.5, 0.3)), labels=Labels(others=60)
    ),
    "estimate: mean of skewed scores, higher in large clusters": partial(
        mean_score, World(50, rate=(-1.0, 0.4)), labels=Labels(0.3)
    ),
    "compare: two systems, 50 clusters, one worse on large ones": partial(
        compare, World(50, rate=(-0.8, 0.3))
    ),
    "diff: 30 clusters, small ones mended, large ones spoilt": partial(
        diff, World(30, right=(1.8, -0.3))
    ),
    "select: three judges, 30 clusters, one better on large ones": partial(
        select, World(30, rate=(-1.5, 0.3))
    ),
}


#: Other numbers, sizes and slopes than those that the ends were chosen on.
HELD_OUT: Mapping[str, Callable[[Rng], Found]] = {
    "agree: 20 clusters of about 15, large ones easier": partial(
        agree, World(20, 15.0, 0.5, rate=(-0.3, 0.0), right=(1.5, 0.6))
    ),
    "agree: 80 clusters of very unequal sizes, large ones harder": partial(
        agree, World(80, 5.0, 1.0, rate=(-1.0, 0.3), right=(2.0, -0.5))
    ),
    "diff: 60 clusters of about 5": partial(diff, World(60, 5.0, 0.7, right=(1.2, -0.2))),
    "diff: 15 clusters of about 20": partial(diff, World(15, 20.0, 0.6, right=(2.0, 0.0))),
    "select: three judges, 60 clusters of about 6": partial(
        select, World(60, 6.0, 0.6, rate=(-0.5, -0.3))
    ),
    "select: three judges, 20 clusters of very unequal sizes": partial(
        select, World(20, 12.0, 0.9, rate=(-1.0, 0.0))
    ),
}

#: Of every verb, so few clusters that many samples hold no large one.
FEW: Mapping[str, Callable[[Rng], Found]] = {
    "agree: 15 clusters of about 20, large ones harder": partial(
        agree, World(15, 20.0, 0.6, rate=(-0.5, 0.0), right=(2.2, -0.7))
    ),
    "agree: 12 clusters of very unequal sizes, large ones harder": partial(
        agree, World(12, 10.0, 0.9, rate=(-0.5, 0.2), right=(2.0, -0.5))
    ),
    "agree: area, 15 clusters of about 20, scores higher in large ones": partial(
        area, World(15, 20.0, 0.6, rate=(-1.0, 0.5))
    ),
    "estimate: 15 clusters of about 20, large ones with more": partial(
        estimate, World(15, 20.0, 0.6, rate=(-1.2, 0.7), right=(2.2, -0.4)), labels=Labels(0.3)
    ),
    "estimate: 12 of 20 clusters whole, large ones with more": partial(
        estimate,
        World(20, 15.0, 0.7, rate=(-1.2, 0.7), right=(2.2, -0.4)),
        labels=Labels(0.6, whole=True),
    ),
    "estimate: all flagged and 60 others of 15 clusters, large ones with more": partial(
        estimate, World(15, 20.0, 0.6, rate=(-1.5, 0.7), right=(2.5, 0.3)), labels=Labels(others=60)
    ),
    "estimate: mean of skewed scores, 15 clusters, higher in large ones": partial(
        mean_score, World(15, 20.0, 0.6, rate=(-1.0, 0.5)), labels=Labels(0.3)
    ),
    "compare: two systems, 15 clusters of about 20, one worse on large ones": partial(
        compare, World(15, 20.0, 0.6, rate=(-0.8, 0.3))
    ),
    "diff: 20 clusters of about 12, large ones spoilt": partial(
        diff, World(20, 12.0, 0.7, right=(1.8, -0.3))
    ),
    "select: three judges, 15 clusters of about 20": partial(
        select, World(15, 20.0, 0.6, rate=(-1.0, 0.2))
    ),
}

#: Sizes that differ more and tell more.
STEEP: Mapping[str, Callable[[Rng], Found]] = {
    "agree: 10 clusters of about 20": partial(
        agree, World(10, 20.0, 0.9, rate=(-0.5, 0.0), right=(2.5, -1.0))
    ),
    "agree: area, 12 clusters of about 15": partial(area, World(12, 15.0, 0.9, rate=(-1.0, 0.8))),
    "estimate: 12 clusters of about 15": partial(
        estimate, World(12, 15.0, 0.9, rate=(-1.2, 0.9), right=(2.2, -0.4)), labels=Labels(0.3)
    ),
    "estimate: 9 of 15 clusters whole": partial(
        estimate,
        World(15, 15.0, 0.8, rate=(-1.2, 0.9), right=(2.2, -0.4)),
        labels=Labels(0.6, whole=True),
    ),
    "estimate: all flagged and 60 others of 12 clusters": partial(
        estimate, World(12, 20.0, 0.8, rate=(-1.5, 0.9), right=(2.5, 0.3)), labels=Labels(others=60)
    ),
    "estimate: mean of skewed scores, 12 clusters": partial(
        mean_score, World(12, 15.0, 0.9, rate=(-1.0, 0.5)), labels=Labels(0.3)
    ),
    "estimate: mean of skewed scores, 9 of 15 clusters whole": partial(
        mean_score, World(15, 15.0, 0.8, rate=(-1.0, 0.5)), labels=Labels(0.6, whole=True)
    ),
    "compare: two systems, 12 clusters of about 15": partial(
        compare, World(12, 15.0, 0.9, rate=(-1.2, 0.9), right=(2.2, -0.4))
    ),
    "diff: 12 clusters of about 10": partial(diff, World(12, 10.0, 0.8, right=(2.0, 0.0))),
    "select: three judges, 12 clusters of about 15": partial(
        select, World(12, 15.0, 0.9, rate=(-1.0, 0.2))
    ),
}

#: Of the verbs whose ends move by size, where sizes tell nothing.
SILENT: Mapping[str, Callable[[Rng], Found]] = {
    "agree: 40 clusters": partial(agree, World(40, right=(2.2, 0.0), rate=(-0.8, 0.0))),
    "agree: 20 clusters of about 12": partial(
        agree, World(20, 12.0, 0.8, right=(1.8, 0.0), rate=(-0.8, 0.0))
    ),
    "select: three judges, 30 clusters": partial(
        select, World(30, rate=(-1.5, 0.0)), judges=((2.0, 0.0), (1.8, 0.0), (1.4, 0.0))
    ),
    "estimate: 40 clusters": partial(
        estimate, World(40, rate=(-0.5, 0.0), right=(2.2, 0.0)), labels=Labels(0.3)
    ),
    "diff: 40 clusters": partial(still, World(40, right=(1.8, 0.0))),
}


def many(clusters: int) -> Mapping[str, Callable[[Rng], Found]]:
    """Steep settings of so many clusters, heavier sizes, a step, and sizes that tell nothing."""
    steep = World(clusters, 15.0, 0.9, rate=(-1.2, 0.9), right=(2.2, -0.4))
    heavy = replace(steep, median=6.0, spread=1.2)
    step = replace(steep, beyond=1.5)
    found: dict[str, Callable[[Rng], Found]] = {}
    for kind, world in (("steep", steep), ("heavy", heavy), ("step", step)):
        scores, versions = (
            replace(world, rate=(-1.0, 0.5), right=(2.0, 0.0)),
            replace(world, rate=(-1.0, 0.0), right=(2.0, 0.0)),
        )
        found |= {
            f"{kind}: estimate, items": partial(estimate, world, labels=Labels(0.3)),
            f"{kind}: estimate, clusters whole": partial(
                estimate, world, labels=Labels(0.6, whole=True)
            ),
            f"{kind}: mean, items": partial(mean_score, scores, labels=Labels(0.3)),
            f"{kind}: mean, clusters whole": partial(
                mean_score, scores, labels=Labels(0.6, whole=True)
            ),
            f"{kind}: compare": partial(compare, world),
            f"{kind}: diff": partial(diff, versions),
            f"{kind}: select": partial(select, replace(world, rate=(-1.0, 0.2))),
        }
    for kind, world in (("steep", steep), ("heavy", heavy)):
        silent = replace(world, rate=(-1.2, 0.0), right=(2.2, 0.0))
        found |= {
            f"{kind}, sizes tell nothing: estimate, items": partial(
                estimate, silent, labels=Labels(0.3)
            ),
            f"{kind}, sizes tell nothing: diff": partial(still, silent),
            f"{kind}, sizes tell nothing: select": partial(
                select, silent, judges=((2.0, 0.0), (1.8, 0.0), (1.4, 0.0))
            ),
        }
    return found


#: Of one sample: held, the truth below it, the length, and whether it has a warning.
Sampled = tuple[bool, bool, float, bool]


def tallied(setting: Callable[[Rng], Found], runs: int, seed: int) -> dict[str, list[Sampled]]:
    """What came of each interval, by sample."""
    rng, found = np.random.default_rng(seed), dict[str, list[Sampled]]()
    for _ in range(runs):
        for of, one, truth, doubt in setting(rng):
            if one is not None:
                low, high = one
                told = low <= truth <= high, truth < low, high - low, doubt
                found.setdefault(of, []).append(told)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="settings whose name holds one of these")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--without", action="store_true", help="no end moves by sizes")
    parser.add_argument("--held-out", action="store_true", help="the settings held back")
    parser.add_argument("--few", action="store_true", help="settings of few clusters")
    parser.add_argument("--steep", action="store_true", help="few, and sizes that tell more")
    parser.add_argument("--silent", action="store_true", help="sizes that tell nothing")
    parser.add_argument("--many", type=int, help="so many clusters, and how often they warn")
    parser.add_argument("--heavy", type=float, help="how skewed sizes are that are warned of")
    asked = parser.parse_args()
    if asked.heavy is not None:
        cluster_spread.HEAVY_SIZES = asked.heavy
    if asked.without:
        cluster_spread.BY_SIZE = (1e9, 2e9)
    print("| Setting | Interval of | Coverage | Below | Mean length | Warned | Without a warning |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    parts = {"held_out": HELD_OUT, "few": FEW, "steep": STEEP, "silent": SILENT}
    chosen = next((one for name, one in parts.items() if getattr(asked, name)), SETTINGS)
    for name, setting in (many(asked.many) if asked.many else chosen).items():
        if asked.names and not any(part in name for part in asked.names):
            continue
        for of, rows in tallied(setting, asked.runs, asked.seed).items():
            every = np.array(rows, float)
            held, below, length, doubt = every.mean(0)
            rest = every[every[:, 3] == 0, 0]
            alone = f"{rest.mean():.3f}" if len(rest) else "-"
            figures = f"{held:.3f} | {below:.3f} | {length:.3f} | {doubt:.3f} | {alone}"
            print(f"| {name} | `{of}` | {figures} |", flush=True)


if __name__ == "__main__":
    main()
