"""How often `route` breaks its limit, and how much it decides, beside a naive threshold.

Each study draws items whose truth, score and clusters come from a known population, labels of some
of them, finds the threshold as `goldassay route --risk 0.05` does (all verdicts together, and each
verdict by itself), and looks up the true error beyond it. A study breaks the limit where that is
above 5 %; at most 5 % of studies may. Labelled items are like the others: a shift that is found is
a false alarm, and what labels then weigh is part of the study. The naive threshold is the loosest
one whose observed error is at most 5 %, among at least 20 labels.

    python benchmarks/coverage_route.py                  a table of all settings, as Markdown
    python benchmarks/coverage_route.py --runs 200       a quick look
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.route.shift import shift_of
from goldassay.questions.route.signals import Signal
from goldassay.questions.route.thresholds import Limit, part_of

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

RISK, LEVEL = 0.05, 0.05
POPULATION = 200_000
#: Items of a study, for each that has a label.
POOL = 3


@dataclass(frozen=True)
class Setting:
    """A population and how much of it is labelled.

    `quality` is how many standard deviations the scores of positive and negative items are apart;
    None is a score that tells nothing of a judge whose error is `error` everywhere. `shared` is the
    part of the variance that items of a cluster have in common; clusters have `size` items, or
    sizes from 1 to 60, mostly small, where it is 0. `answers` makes the signal the share of so
    many answers that agree.
    """

    prevalence: float
    quality: float | None
    labels: int
    size: int = 1
    shared: float = 0.0
    answers: int = 0
    error: float = 0.0

    @property
    def score(self) -> str:
        if self.quality is None:
            return f"none; errs on {100 * self.error:.4g} %"
        return f"{self.quality:g}" + (f", {self.answers} answers" if self.answers else "")

    @property
    def clusters(self) -> str:
        return {0: "uneven", 1: "none"}.get(self.size, f"of {self.size}") + (
            f", {self.shared:g}" if self.shared else ""
        )


#: Just above the limit: every threshold breaks it, so that every pass is an error.
ABOVE = 0.0501


def settings() -> Iterator[Setting]:
    """Score quality and labels crossed, rarer positives, clusters; then what is hardest."""
    for quality, labels in product((1.0, 2.0, 3.0), (100, 300, 1000)):
        yield Setting(0.5, quality, labels)
    for prevalence, quality in ((0.1, 1.0), (0.1, 2.0), (0.02, 1.0)):
        yield Setting(prevalence, quality, 300)
    for (size, shared), quality in product(((5, 0.3), (20, 0.8), (0, 0.3)), (2.0, 3.0)):
        yield Setting(0.3, quality, 300 if quality > 2 else 1000, size, shared)
    for (size, shared), labels in product(((1, 0.0), (5, 0.3), (0, 0.5)), (100, 300)):
        yield Setting(0.5, None, labels, size, shared, error=ABOVE)
    yield Setting(0.5, None, 1000, error=ABOVE)
    for size, shared in ((1, 0.0), (5, 0.3)):
        yield Setting(0.2, 3.0, 600, size, shared, answers=5)


@dataclass(frozen=True)
class Drawn:
    """Items: how sure the verdict, whether it is wrong and positive, and the cluster."""

    sure: Array
    wrong: Array
    positive: NDArray[np.bool_]
    cluster: Ints


def draw(setting: Setting, items: int, rng: np.random.Generator) -> Drawn:
    """Items of the population, in clusters of the setting's size."""
    sizes = np.full(-(-items // max(setting.size, 1)), setting.size)
    if not setting.size:
        sizes = np.minimum(np.ceil(rng.pareto(1.2, items)).astype(np.int64), 60)
    cluster = np.repeat(np.arange(len(sizes)), sizes)[:items]
    clusters = int(cluster.max()) + 1

    def mixed() -> Array:
        common = rng.standard_normal(clusters)[cluster]
        own = rng.standard_normal(items)
        return np.sqrt(setting.shared) * common + np.sqrt(1 - setting.shared) * own

    from scipy.special import expit, ndtr

    truth = ndtr(mixed()) < setting.prevalence
    if setting.quality is None:
        wrong = ndtr(mixed()) < setting.error
        return Drawn(rng.random(items), wrong.astype(float), truth != wrong, cluster)
    d = setting.quality
    x = np.where(truth, d / 2, -d / 2) + mixed()
    score = expit(d * x + np.log(setting.prevalence / (1 - setting.prevalence)))
    if setting.answers:
        votes = rng.binomial(setting.answers, score) / setting.answers
        score = votes
    positive = score > 0.5
    sure = np.round(np.where(positive, score, 1 - score), 12)
    return Drawn(sure, (positive != truth).astype(float), positive, cluster)


@dataclass(frozen=True)
class Truth:
    """The true error, and share of all items, beyond any threshold."""

    sure: Array
    error: Array
    share: Array

    @classmethod
    def of(cls, drawn: Drawn, mine: NDArray[np.bool_]) -> Truth:
        order = np.argsort(-drawn.sure[mine], kind="stable")
        sure, wrong = drawn.sure[mine][order], drawn.wrong[mine][order]
        number = np.arange(1, len(sure) + 1)
        last = np.append(np.flatnonzero(np.diff(sure)), len(sure) - 1)
        share = number[last] / len(drawn.sure)
        return cls(-sure[last], np.cumsum(wrong)[last] / number[last], share)

    def beyond(self, least: float) -> tuple[float, float]:
        at = int(np.searchsorted(self.sure, -least, side="right")) - 1
        return (float(self.error[at]), float(self.share[at])) if at >= 0 else (0.0, 0.0)


def signal_of(drawn: Drawn, labels: int, *, clustered: bool) -> Signal:
    """The items of a study, of which the first `labels` are labelled: whole clusters, but one."""
    items = len(drawn.sure)
    error = np.where(np.arange(items) < labels, drawn.wrong, np.nan)
    return Signal(
        judge="judge",
        name="score",
        options=("no", "yes"),
        row=np.arange(items),
        verdict=drawn.positive.astype(np.int64),
        sure=drawn.sure,
        error=error,
        outcome=error,
        score=drawn.sure,
        pool=np.ones(items, bool),
        stratum=np.zeros(items, np.int64),
        cluster=drawn.cluster if clustered else None,
        symmetric=True,
    )


def naive(sure: Array, wrong: Array) -> float | None:
    """The loosest threshold with an observed error within the limit."""
    order = np.argsort(-sure, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(sure[order])), len(sure) - 1)
    ends = ends[ends >= 19]
    good = ends[np.cumsum(wrong[order])[ends] <= RISK * (ends + 1)]
    return float(sure[order][good[-1]]) if len(good) else None


@dataclass
class Tally:
    """Studies in which a limit was broken, and shares decided."""

    broken: int = 0
    #: Studies in which a shift was found, where there is none.
    alarms: int = 0
    sides_broken: int = 0
    naive_broken: int = 0
    decided: float = 0.0
    sides_decided: float = 0.0
    naive_decided: float = 0.0
    #: The largest share that may be decided, were the population known.
    possible: float = 0.0


def measure(setting: Setting, runs: int, seed: int) -> Tally:
    rng = np.random.default_rng([seed, setting.labels, setting.size, int(100 * setting.prevalence)])
    population = draw(setting, POPULATION, rng)
    everything = np.ones(POPULATION, bool)
    truth = Truth.of(population, everything)
    sides = [Truth.of(population, population.positive == side) for side in (False, True)]
    if setting.quality is None:  # known, and not what a draw of the population makes of it
        truth, *sides = (replace(t, error=np.full(len(t.sure), ABOVE)) for t in (truth, *sides))
    tally = Tally(possible=float(truth.share[truth.error <= RISK].max(initial=0.0)))
    for _ in range(runs):
        study = draw(setting, POOL * setting.labels, rng)
        signal = signal_of(study, setting.labels, clustered=setting.size != 1)
        weight, group = np.ones(len(study.sure)), np.zeros(len(study.sure), np.int64)
        shift = shift_of(signal, weight, within=group)
        if shift is not None and shift.found:
            tally.alarms += 1
            weight = shift.weight
        known = np.unique(signal.verdict[signal.labelled])
        judged = np.isin(signal.verdict, known)
        common = part_of(signal, judged, None, Limit(RISK, LEVEL), weight)
        if common.at_least is not None:
            error, share = truth.beyond(common.at_least)
            tally.broken += error > RISK
            tally.decided += share
        labelled = signal.labelled
        if (least := naive(study.sure[labelled], study.wrong[labelled])) is not None:
            error, share = truth.beyond(least)
            tally.naive_broken += error > RISK
            tally.naive_decided += share
        broken, given = False, np.unique(signal.verdict)
        for side in given:
            mine = signal.verdict == side
            part = part_of(signal, mine, "", Limit(RISK, LEVEL / len(given)), weight)
            if part.at_least is not None:
                error, share = sides[side].beyond(part.at_least)
                broken |= error > RISK
                tally.sides_decided += share
        tally.sides_broken += broken
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the setting to begin with")
    given = parser.parse_args()
    print(
        f"{given.runs:,} studies each; two Monte Carlo errors of 5 % are "
        f"{200 * (0.05 * 0.95 / given.runs) ** 0.5:.1f} points.\n"
    )
    heads = ("Score", "Positive", "Labels", "Clusters", *("Broken", "by side", "naive"))
    heads += ("Decided", "by side", "naive", "possible", "False alarms")
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for setting in islice(settings(), given.first, None):
        found = measure(setting, given.runs, given.seed)
        shares = [found.broken, found.sides_broken, found.naive_broken]
        decided = [found.decided, found.sides_decided, found.naive_decided]
        cells = [setting.score, f"{100 * setting.prevalence:g} %", f"{setting.labels:,}"]
        cells += [setting.clusters, *(f"{100 * n / given.runs:.1f} %" for n in shares)]
        cells += [f"{100 * d / given.runs:.0f} %" for d in decided]
        possible = 0.0 if setting.quality is None else found.possible
        cells += [f"{100 * possible:.0f} %", f"{100 * found.alarms / given.runs:.1f} %"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
