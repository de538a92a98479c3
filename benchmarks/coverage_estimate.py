"""Coverage and length of the intervals of `goldassay estimate` beyond one rate of lone items.

    python benchmarks/coverage_estimate.py                 the table of docs/theory/figures.md
    python benchmarks/coverage_estimate.py --runs 200 NAME ...   fewer runs, only these
    python benchmarks/coverage_estimate.py --drawn 24 --runs 200   clustered rates that are drawn

Systems that share labels, mean scores in clusters, clusters labelled as a whole, and a verdict
without labels. Each setting draws data with a known truth and asks the code that the verb runs.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from strips import Row, picture

from goldassay.counts import PairedScores
from goldassay.inference.clusters import distinct_clusters
from goldassay.questions.estimate.binary import corrected, every_estimator, rate_of_pool
from goldassay.questions.estimate.classes import option_rates
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings, headline
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.scores import study_scores
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.systems import system_rates
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
#: What one run yields: the name of a quantity, its result and the truth.
Found = Iterator[tuple[str, Result, float]]


def sample_from(cluster: Ints, group: Ints, row: Ints, verdict: Ints, rows: int) -> Sample:
    """Items as a sample; `row` is the label, or the number of options for none."""
    clusters, groups = int(cluster.max()) + 1, int(group.max()) + 1
    verdicts = max(rows, int(verdict.max()) + 1)
    cells = np.zeros((clusters, groups, rows + 1, verdicts))
    np.add.at(cells, (cluster, group, row, verdict), 1.0)
    merged, times = distinct_clusters(cells, np.ones(clusters, np.int64))
    names = tuple(str(k + 1) for k in range(verdicts))
    return Sample(
        options=names[:rows],
        verdicts=names,
        groups=tuple(f"s{g}" for g in range(groups)),
        cells=merged,
        multiplicity=times,
        n_items=len(row),
        independent=clusters == len(row),
        apart=False,
        test_labels=np.zeros(rows),
        without_verdict={},
        labels_without_verdict=np.zeros(rows),
    )


# --- systems that share labels ----------------------------------------------------------------


def shared(
    rng: np.random.Generator,
    *,
    rates: tuple[float, ...],
    items: int,
    labels: int,
    judge: tuple[float, float] = (0.9, 0.2),
    paired: bool = True,
    by_verdict: bool = False,
    abstains: float = 0.0,
) -> Found:
    """`labels` of each system; P(called positive | positive) and P(the same | negative)."""
    size = len(rates)
    ease = rng.random((items, 1)) if paired else rng.random((items, size))
    label = ease < np.array(rates)
    verdict = (rng.random(label.shape) < np.where(label, *judge)).astype(np.int64)
    if abstains:
        verdict[rng.random(label.shape) < abstains] = 2
    known = np.zeros(label.shape, bool)
    if by_verdict:  # half of all labels in each verdict, whatever the system
        for v in (0, 1):
            cells = np.argwhere(verdict == v)
            known[tuple(rng.permutation(cells)[: labels * size // 2].T)] = True
    else:
        for s in range(size):
            known[rng.permutation(items)[:labels], s] = True
    item, system = (index.reshape(-1) for index in np.indices(label.shape))
    row = np.where(known, label, 2).reshape(-1)
    sample = sample_from(
        item if paired else np.arange(label.size), system, row, verdict.reshape(-1), 2
    )
    drawn = drawing("by_verdict" if by_verdict else "random", apart=False)
    found = system_rates(sample, drawn, shared=True, confidence_level=0.95)
    assert found is not None
    for rate, truth in zip(found.rates, rates, strict=True):
        yield "rates", rate, truth
    for gap, one in zip(found.differences, found.board.differences, strict=True):
        yield "differences", gap, rates[int(one.first[1:])] - rates[int(one.second[1:])]


# --- clusters ---------------------------------------------------------------------------------


def sizes_of(rng: np.random.Generator, clusters: int, size: int | tuple[int, int]) -> Ints:
    """Equal sizes, or sizes evenly spread between two."""
    if isinstance(size, int):
        return np.full(clusters, size)
    return rng.integers(size[0], size[1] + 1, clusters)


def labelled_of(rng: np.random.Generator, cluster: Ints, share: float, *, whole: bool) -> Mask:
    """A share of the items at random, or of the clusters as a whole (two of them at least)."""
    units = int(cluster.max()) + 1 if whole else len(cluster)
    chosen = np.zeros(units, bool)
    chosen[rng.permutation(units)[: max(round(share * units), 2)]] = True
    return chosen[cluster] if whole else chosen


def scored_mean(cluster: Ints, people: Floats, judge: Floats, known: Ints) -> Result:
    """The corrected mean of real scores; people's are those of the items that are known."""
    n = len(cluster)
    pairs = PairedScores(
        units=tuple((str(i),) for i in range(n)),
        item=np.arange(n),
        cluster=cluster,
        n_clusters=int(cluster.max()) + 1,
        by={},
        judges=("j",),
        judge=judge[None],
        repeats=np.ones((1, n)),
        variance=np.full((1, n), np.nan),
        people=np.where(known, people, np.nan),
        human_unit=np.flatnonzero(known),
        human_score=people[known],
        humans=1,
    )
    (found,) = study_scores(pairs, Task(scale="continuous", calibration="random")).means
    return found.mean


def scores(
    rng: np.random.Generator,
    *,
    clusters: int,
    size: int | tuple[int, int],
    share: float,
    within: float = 0.4,
    noise: float = 0.4,
    whole: bool = False,
) -> Found:
    """People's scores with the correlation `within` clusters; the judge adds noise of its own."""
    cluster = np.repeat(np.arange(clusters), sizes_of(rng, clusters, size))
    n = len(cluster)
    common, lone = rng.standard_normal(clusters)[cluster], rng.standard_normal(n)
    people = np.sqrt(within) * common + np.sqrt(1 - within) * lone
    judge = people + noise * rng.standard_normal(n) + 0.3
    known = labelled_of(rng, cluster, share, whole=whole)
    yield "mean", scored_mean(cluster, people, judge, known), 0.0


#: Scores of one kind, and their mean.
SKEWED = {
    "lognormal (1)": (lambda rng, n: rng.lognormal(0, 1, n), math.exp(0.5)),
    "lognormal (1.5)": (lambda rng, n: rng.lognormal(0, 1.5, n), math.exp(1.125)),
    "exponential": (lambda rng, n: rng.exponential(1, n), 1.0),
    "beta (8, 1)": (lambda rng, n: rng.beta(8, 1, n), 8 / 9),
    "normal": (lambda rng, n: rng.normal(5, 1, n), 5.0),
    "0 or 1, .03": (lambda rng, n: (rng.random(n) < 0.03).astype(float), 0.03),
    "0 or 1, .1": (lambda rng, n: (rng.random(n) < 0.1).astype(float), 0.1),
}


def lone_scores(rng: np.random.Generator, *, kind: str, labels: int, noise: float = 0.4) -> Found:
    """Independent items, 1,000 of them without a label; the judge adds noise of its own."""
    draw, mean = SKEWED[kind]
    n = labels + 1_000
    people = draw(rng, n)
    judge = people + noise * people.std() * rng.standard_normal(n)
    known = np.arange(n) < labels
    yield "mean", scored_mean(np.arange(n), people, judge, known), mean


def mostly_zero(
    rng: np.random.Generator, *, zero: float, labels: int, clusters: int, size: int = 1
) -> Found:
    """The share `zero` of the scores is 0, the others are lognormal (.8); the judge adds noise.

    Clusters of more than one item share .7 of what makes a score high.
    """
    cluster = np.repeat(np.arange(clusters), size)
    part = 0.7 if size > 1 else 0.0
    height = np.sqrt(part) * rng.standard_normal(clusters)[cluster]
    height += np.sqrt(1 - part) * rng.standard_normal(len(cluster))
    beyond = np.clip((ndtr(height) - zero) / (1 - zero), 1e-12, 1 - 1e-12)
    people = np.where(ndtr(height) > zero, np.exp(0.8 * ndtri(beyond)), 0.0)
    judge = people + 0.7 * people.std() * rng.standard_normal(len(cluster))
    known = np.zeros(len(cluster), bool)
    known[rng.permutation(len(cluster))[:labels]] = True
    yield "mean", scored_mean(cluster, people, judge, known), (1 - zero) * math.exp(0.32)


def lone_rate(
    rng: np.random.Generator, *, rate: float, items: int, labels: int, right: tuple[float, float]
) -> Found:
    """Independent items; the rate of all items like these, and that of the pool itself."""
    label = rng.random(items) < rate
    verdict = np.where(label, rng.random(items) < right[1], rng.random(items) >= right[0])
    row = np.where(np.arange(items) < labels, label, 2)
    sample = sample_from(
        np.arange(items), np.zeros(items, np.int64), row, verdict.astype(np.int64), 2
    )
    drawn = drawing("random", apart=False)
    main = every_estimator(sample, drawn, Settings())[0]
    yield "rate", main.result, rate
    own = rate_of_pool(sample, drawn, main, confidence_level=0.95)
    if own is not None:
        yield "rate of the pool", own, float(label.mean())


def ordinal(
    rng: np.random.Generator,
    *,
    clusters: int,
    size: int | tuple[int, int],
    share: float,
    within: float = 0.3,
    declared: str | None = "random",
    whole: bool = True,
) -> Found:
    """Four options, cut from a normal score; the judge is off by one in a quarter of items."""
    cluster = np.repeat(np.arange(clusters), sizes_of(rng, clusters, size))
    n = len(cluster)
    latent = np.sqrt(within) * rng.standard_normal(clusters)[cluster]
    latent += np.sqrt(1 - within) * rng.standard_normal(n)
    label = np.digitize(latent, (-1.0, 0.0, 1.0))
    step = np.where(rng.random(n) < 0.25, rng.choice((-1, 1), n), 0)
    verdict = np.clip(label + step, 0, 3)
    row = np.where(labelled_of(rng, cluster, share, whole=whole), label, 4)
    sample = sample_from(cluster, np.zeros(n, np.int64), row, verdict, 4)
    drawn = drawing(declared, apart=False)
    found = option_rates(Subject("j"), sample, drawn, Settings(), ordinal=True)
    assert found.mean is not None
    yield "mean", found.mean, 2.5


def two_kinds(
    rng: np.random.Generator, *, clusters: int, size: int, share: float, bad: float
) -> Found:
    """Five grades: a share `bad` of the clusters has mostly low ones, the others mostly the best.

    The judge is right on 75 %, else one grade off; whole clusters are labelled.
    """
    cluster = np.repeat(np.arange(clusters), size)
    shares = np.array([[0.02, 0.03, 0.1, 0.25, 0.6], [0.4, 0.3, 0.2, 0.07, 0.03]])
    kind = (rng.random(clusters) < bad).astype(np.int64)[cluster]
    label = (rng.random(len(cluster))[:, None] > shares[kind].cumsum(1)).sum(1).clip(0, 4)
    step = np.where(rng.random(len(label)) < 0.25, rng.choice((-1, 1), len(label)), 0)
    truth = float(np.array([1 - bad, bad]) @ shares @ np.arange(1, 6))
    known = labelled_of(rng, cluster, share, whole=True)
    yield from _graded(cluster, label, np.clip(label + step, 0, 4), known, truth)


def two_kinds_scored(
    rng: np.random.Generator, *, clusters: int, size: int, share: float, bad: float, apart: float
) -> Found:
    """Real scores: a share `bad` of the clusters lies `apart` lower; the judge adds noise."""
    cluster = np.repeat(np.arange(clusters), size)
    middle = 0.3 * rng.standard_normal(clusters) - apart * (rng.random(clusters) < bad)
    people = middle[cluster] + 0.7 * rng.standard_normal(len(cluster))
    judge = people + 0.5 * rng.standard_normal(len(cluster))
    known = labelled_of(rng, cluster, share, whole=True)
    yield "mean", scored_mean(cluster, people, judge, known), -apart * bad


def lenient(rng: np.random.Generator, *, items: int, labels: int, best: float) -> Found:
    """Five grades of lone items, the share `best` of them the best; the judge adds one to 40 %."""
    shares = np.append(np.array([0.1, 0.2, 0.3, 0.4]) * (1 - best), best)
    label = rng.choice(5, items, p=shares)
    verdict = np.clip(label + (rng.random(items) < 0.4), 0, 4)
    known = np.arange(items) < labels
    yield from _graded(np.arange(items), label, verdict, known, float(shares @ np.arange(1, 6)))


def _graded(cluster: Ints, label: Ints, verdict: Ints, known: Ints, truth: float) -> Found:
    row = np.where(known, label, 5)
    sample = sample_from(cluster, np.zeros(len(label), np.int64), row, verdict, 5)
    drawn = drawing("random", apart=False)
    found = option_rates(Subject("j"), sample, drawn, Settings(), ordinal=True)
    assert found.mean is not None
    yield "mean", found.mean, truth


def clustered_rate(
    rng: np.random.Generator,
    *,
    clusters: int,
    size: int | tuple[int, int],
    share: float,
    rate: float,
    within: float = 0.1,
    right: float = 0.9,
    whole: bool = True,
) -> Found:
    """The corrected rate; clusters' own rates are Beta with the correlation `within`."""
    cluster = np.repeat(np.arange(clusters), sizes_of(rng, clusters, size))
    n, strength = len(cluster), 1 / within - 1
    own = rng.beta(rate * strength, (1 - rate) * strength, clusters)[cluster]
    label = rng.random(n) < own
    verdict = np.where(rng.random(n) < right, label, ~label).astype(np.int64)
    row = np.where(labelled_of(rng, cluster, share, whole=whole), label, 2)
    sample = sample_from(cluster, np.zeros(n, np.int64), row, verdict, 2)
    drawn = drawing("random", apart=False)
    yield "rate", corrected(headline(drawn), sample, drawn, Settings()), rate


# --- a verdict without labels -----------------------------------------------------------------


def one_verdict(
    rng: np.random.Generator, *, items: int, flagged: float, labels: int, rates: tuple[float, float]
) -> Found:
    """Labels of flagged items alone; the rate among flagged and other items."""
    verdict = (rng.random(items) < flagged).astype(np.int64)
    label = rng.random(items) < np.where(verdict == 1, *rates)
    row = np.full(items, 2)
    chosen = rng.permutation(np.flatnonzero(verdict == 1))[:labels]
    row[chosen] = label[chosen]
    sample = sample_from(np.arange(items), np.zeros(items, np.int64), row, verdict, 2)
    drawn = drawing("by_verdict", apart=False)
    truth = flagged * rates[0] + (1 - flagged) * rates[1]
    yield "rate", corrected(headline(drawn), sample, drawn, Settings()), truth


Setting = Callable[[np.random.Generator], Found]
FOUR = (0.3, 0.4, 0.5, 0.6)
EIGHT = tuple(np.linspace(0.2, 0.8, 8))
SETTINGS: dict[str, Setting] = {
    "shared labels: 4 systems, 300 items, 20 labels each": partial(
        shared, rates=FOUR, items=300, labels=20
    ),
    "shared labels: 2 systems (.1, .5), 200 items each, 15 labels": partial(
        shared, rates=(0.1, 0.5), items=200, labels=15, judge=(0.8, 0.1), paired=False
    ),
    "shared labels: 8 systems (.2 to .8), 500 items, 12 labels, poor judge": partial(
        shared, rates=EIGHT, items=500, labels=12, judge=(0.75, 0.25)
    ),
    "shared labels: 4 systems, drawn by verdict": partial(
        shared, rates=FOUR, items=300, labels=20, by_verdict=True
    ),
    "shared labels: 4 systems, a tenth abstained": partial(
        shared, rates=FOUR, items=300, labels=20, abstains=0.1
    ),
    "scores: 20 clusters of 25, 100 labels": partial(scores, clusters=20, size=25, share=0.2),
    "scores: 8 clusters of 40, 64 labels": partial(scores, clusters=8, size=40, share=0.2),
    "scores: 100 clusters of 10, 200 labels": partial(scores, clusters=100, size=10, share=0.2),
    "scores: 30 clusters of 1 to 60, poor judge": partial(
        scores, clusters=30, size=(1, 60), share=0.15, noise=1.5
    ),
    "scores: 40 clusters of 1 to 30, 10 labelled whole": partial(
        scores, clusters=40, size=(1, 30), share=0.25, whole=True
    ),
    **{
        f"scores: {kind}, {labels} labels": partial(lone_scores, kind=kind, labels=labels)
        for kind in SKEWED
        for labels in (30, 60, 100)
    },
    **{
        f"scores, {zero:g} of them 0: {labels} of {items:,} labelled": partial(
            mostly_zero, zero=zero, labels=labels, clusters=items
        )
        for zero, labels, items in ((0.93, 13, 44), (0.93, 30, 1_000), (0.8, 16, 1_800))
    },
    **{
        f"scores, {zero:g} of them 0: {clusters} clusters of {size}, {labels} labels": partial(
            mostly_zero, zero=zero, labels=labels, clusters=clusters, size=size
        )
        for zero, labels, clusters, size in (
            (0.93, 89, 9, 12),
            (0.5, 56, 18, 100),
            (0.6, 80, 14, 60),
            (0.55, 60, 25, 20),
            (0.5, 120, 40, 30),
        )
    },
    **{
        f"rate {rate:g}: judge right on {right:g}, {labels} of {items} labelled": partial(
            lone_rate, rate=rate, items=items, labels=labels, right=(right, right)
        )
        for rate in (0.05, 0.3)
        for right in (0.8, 0.99)
        for labels, items in ((60, 1_060), (100, 200), (400, 500))
    },
    "ordinal: 20 clusters of 25, 6 labelled whole": partial(
        ordinal, clusters=20, size=25, share=0.3
    ),
    "ordinal: 60 clusters of 10, 18 labelled whole": partial(
        ordinal, clusters=60, size=10, share=0.3
    ),
    "ordinal: 40 clusters of 1 to 30, 12 labelled whole": partial(
        ordinal, clusters=40, size=(1, 30), share=0.3
    ),
    "ordinal: 30 clusters of 20, a fifth of items labelled": partial(
        ordinal, clusters=30, size=20, share=0.2, whole=False
    ),
    "ordinal: 40 clusters of 1 to 30, 12 whole, not declared": partial(
        ordinal, clusters=40, size=(1, 30), share=0.3, declared=None
    ),
    **{
        f"grades, two kinds ({bad:g} bad): {clusters} clusters of {size}, {whole} whole": partial(
            two_kinds, clusters=clusters, size=size, share=whole / clusters, bad=bad
        )
        for clusters, size, whole, bad in (
            (48, 10, 14, 0.1),
            (48, 10, 14, 0.2),
            (100, 6, 30, 0.1),
            (100, 6, 30, 0.2),
        )
    },
    **{
        f"real scores, two kinds ({bad:g} bad): {clusters} clusters of {size}, {whole} whole": (
            partial(
                two_kinds_scored,
                clusters=clusters,
                size=size,
                share=whole / clusters,
                bad=bad,
                apart=apart,
            )
        )
        for clusters, size, whole, bad, apart in (
            (48, 10, 14, 0.1, 2.5),
            (60, 8, 12, 0.05, 2.5),
            (30, 15, 10, 0.15, 1.5),
            (100, 6, 25, 0.03, 2.0),
            (48, 10, 14, 0.0, 0.0),
        )
    },
    **{
        f"grades, lenient judge: {labels} of 400 labelled, {best:g} the best": partial(
            lenient, items=400, labels=labels, best=best
        )
        for labels, best in ((40, 0.7), (40, 0.85), (80, 0.85))
    },
    "one verdict unlabelled: 5 % flagged, .002 elsewhere": partial(
        one_verdict, items=1000, flagged=0.05, labels=40, rates=(0.6, 0.002)
    ),
    "one verdict unlabelled: 70 % flagged, .95 elsewhere": partial(
        one_verdict, items=400, flagged=0.7, labels=60, rates=(0.8, 0.95)
    ),
    "one verdict unlabelled: 90 % flagged, .5 elsewhere": partial(
        one_verdict, items=300, flagged=0.9, labels=30, rates=(0.1, 0.5)
    ),
    "rate .05: 40 clusters of 1 to 50, 8 labelled whole": partial(
        clustered_rate, clusters=40, size=(1, 50), share=0.2, rate=0.05, within=0.2, right=0.8
    ),
    "rate .05: 40 clusters of 1 to 50, 20 labelled whole": partial(
        clustered_rate, clusters=40, size=(1, 50), share=0.5, rate=0.05, within=0.1
    ),
    "rate .02: 60 clusters of 1 to 50, 15 labelled whole": partial(
        clustered_rate, clusters=60, size=(1, 50), share=0.25, rate=0.02, within=0.2
    ),
    "rate .03: 100 clusters of 1 to 60, 25 labelled whole": partial(
        clustered_rate, clusters=100, size=(1, 60), share=0.25, rate=0.03, within=0.25, right=0.85
    ),
    "rate .03: the same, hardly any cluster divided": partial(
        clustered_rate, clusters=100, size=(1, 60), share=0.25, rate=0.03, within=0.5, right=0.95
    ),
    "rate .01: 40 clusters of 20, 12 labelled whole, items hardly alike": partial(
        clustered_rate, clusters=40, size=20, share=0.3, rate=0.01, within=0.01
    ),
    "rate .01: 30 clusters of 1 to 50, half of items labelled, hardly alike": partial(
        clustered_rate,
        clusters=30,
        size=(1, 50),
        share=0.5,
        rate=0.01,
        within=0.02,
        right=0.95,
        whole=False,
    ),
    "rate .03: 60 clusters of 1 to 60, 24 labelled whole": partial(
        clustered_rate, clusters=60, size=(1, 60), share=0.4, rate=0.03, within=0.25, right=0.75
    ),
    "rate .1: 45 clusters of 1 to 50, 22 labelled whole": partial(
        clustered_rate, clusters=45, size=(1, 50), share=0.5, rate=0.1, within=0.4, right=0.8
    ),
    "rate .3: 30 clusters of 20, 10 labelled whole": partial(
        clustered_rate, clusters=30, size=20, share=1 / 3, rate=0.3
    ),
    "rate .1: 100 clusters of 1 to 20, 25 labelled whole": partial(
        clustered_rate, clusters=100, size=(1, 20), share=0.25, rate=0.1, within=0.2, right=0.8
    ),
    "rate .2: 60 clusters of 10, a fifth of items labelled": partial(
        clustered_rate, clusters=60, size=10, share=0.2, rate=0.2, within=0.3, whole=False
    ),
}


def drawn_settings(number: int, seed: int = 2027) -> dict[str, Setting]:
    """Clustered rates that nobody chose: clusters, sizes, labels, rate, correlation and judge."""
    rng = np.random.default_rng(seed)
    found = {}
    for _ in range(number):
        clusters, largest = int(rng.choice([14, 28, 50, 90])), int(rng.choice([6, 20, 45, 80]))
        rate = float(rng.choice([0.02, 0.05, 0.1, 0.3, 0.6, 0.9, 0.96]))
        share, within, right = (float(rng.uniform(*ends)) for ends in DRAWN)
        whole = bool(rng.random() < 0.7)
        name = f"drawn: rate {rate:g}, {clusters} clusters of 1 to {largest}, {share:.2f} labelled"
        name += f"{' whole' * whole}, correlation {within:.2f}, judge right on {right:.2f}"
        found[name] = partial(
            clustered_rate,
            clusters=clusters,
            size=(1, largest),
            share=share,
            rate=rate,
            within=within,
            right=right,
            whole=whole,
        )
    return found


#: Shares of labels, correlations within clusters and shares of right verdicts that are drawn.
DRAWN = ((0.2, 0.7), (0.02, 0.4), (0.7, 0.97))
#: What no interval is known to cover. Here nearly all runs have a warning: the few others hold no
#: score that would show how skewed scores are, and are covered least.
SAID = ("scores: lognormal (1.5), 30 labels", "scores: lognormal (1.5), 100 labels")
#: The same where nearly all scores are one number.
HARDLY_SEEN = (
    "scores, 0.93 of them 0: 13 of 44 labelled",
    "scores, 0.93 of them 0: 30 of 1,000 labelled",
    "scores, 0.8 of them 0: 16 of 1,800 labelled",
    "scores, 0.93 of them 0: 9 clusters of 12, 89 labels",
)
#: Here many runs have one, and the others are covered.
WARNED = (
    "grades, two kinds (0.1 bad): 48 clusters of 10, 14 whole",
    "real scores, two kinds (0.1 bad): 48 clusters of 10, 14 whole",
)


class Measured(NamedTuple):
    """Coverage and mean length of the intervals, and the share of runs without one.

    `warned` is the share of runs whose result has a warning, `silent` the coverage of the others.
    """

    coverage: float
    length: float
    undefined: float
    warned: float
    silent: float | None


def measure(setting: Setting, runs: int, seed: int = 1) -> dict[str, Measured]:
    """What intervals of each quantity do in so many runs."""
    rng = np.random.default_rng(seed)
    seen: dict[str, list[tuple[bool, bool, float, bool]]] = {}
    for _ in range(runs):
        for name, result, truth in setting(rng):
            interval = result.interval
            known = interval is not None
            held = known and interval.low <= truth <= interval.high
            length = interval.high - interval.low if known else 0.0
            warned = isinstance(result, Estimate) and bool(result.warnings)
            seen.setdefault(name, []).append((known, held, length, warned))
    found = {}
    for name, rows in seen.items():
        known, held, length, warned = np.array(rows, dtype=float).T
        silent = (known > 0) & (warned == 0)
        found[name] = Measured(
            held.sum() / known.sum(),
            length.sum() / known.sum(),
            1 - known.mean(),
            warned.mean(),
            held[silent].mean() if silent.any() else None,
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of settings")
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument("--drawn", type=int, default=0, help="so many drawn settings instead")
    parser.add_argument("--plot", help="write a picture of the coverage to this SVG")
    arguments = parser.parse_args()
    drawn: dict[str, list[float]] = {}
    print("| Setting | Interval of | Coverage | Length | Undefined | Warned | Without a warning |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    settings = drawn_settings(arguments.drawn) if arguments.drawn else SETTINGS
    for name, setting in settings.items():
        if arguments.names and not name.startswith(tuple(arguments.names)):
            continue
        for quantity, found in measure(setting, arguments.runs).items():
            figures = (f"{figure:.3f}" for figure in found[:4])
            silent = "-" if found.silent is None else f"{found.silent:.3f}"
            row = " | ".join((quantity, *figures, silent))
            print(f"| {name} | {row} |", flush=True)
            drawn.setdefault(f"{name.split(':')[0].split(' ')[0]}: {quantity}", []).append(
                found.coverage
            )
    if arguments.plot:
        rows = [Row(label, shares) for label, shares in drawn.items()]
        picture(arguments.plot, f"goldassay estimate, {arguments.runs:,} runs a dot", rows)


if __name__ == "__main__":
    main()
