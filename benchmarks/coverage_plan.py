"""How often the length that `goldassay plan` assures is reached: plan, label as planned, estimate.

    python benchmarks/coverage_plan.py                       the table of docs/theory/figures.md
    python benchmarks/coverage_plan.py --runs 100 NAME ...   fewer runs, only settings so named
    python benchmarks/coverage_plan.py sizes                 clusters of unequal sizes
    python benchmarks/coverage_plan.py "strata "             by verdict within strata, small pilots

Each run draws a pool of judged items with a known truth and a pilot of labels, plans with an
assurance of .8, labels as many more items as the plan says, where it says, and looks at the
length of the interval that `estimate` then gives. Runs in which the plan promises nothing (no
number can be assured) or asks for nothing (the pilot's interval is short enough) are counted apart.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.counts.units import By
from goldassay.questions.plan.comparison import Goal
from goldassay.questions.plan.interval import length_of, rate_now
from goldassay.questions.plan.study import Chosen, PoolPlan, plan_pool
from goldassay.ratings.task import Task

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Rng = np.random.Generator
Mask = NDArray[np.bool_]

JUDGE = Chosen("judge", given=True, of=1, best=None)


#: How large clusters are, up to a factor.
SIZES: dict[str, Callable[[int, Rng], Floats]] = {
    "equal": lambda number, _: np.ones(number),
    "lognormal": lambda number, rng: rng.lognormal(0, 1, number),
    "Pareto": lambda number, rng: rng.pareto(1.5, number) + 0.3,
    "a third in one": lambda number, _: np.r_[number / 2, np.ones(number - 1)],
}


@dataclass(frozen=True)
class Setting:
    """What is true, how the pilot was drawn, and the length that is wanted."""

    name: str
    rate: float = 0.3
    sensitivity: float = 0.85
    specificity: float = 0.85
    items: int = 1_000
    pilot: int = 60
    length: float = 0.1
    calibration: str = "random"
    #: Clusters; 0: lone items. Their rates are Beta with this correlation; sizes as in `SIZES`.
    clusters: int = 0
    correlation: float = 0.2
    sizes: str = "equal"
    #: The pilot is of whole clusters, as many as hold about so many items.
    whole: bool = False
    #: Strata: the judge errs more in the second.
    strata: bool = False
    #: The share of verdicts on which the judge abstains, a class of its own.
    abstains: float = 0.0


def settings() -> list[Setting]:
    """The grid."""
    designs = ("random", "by_verdict")
    found = [
        Setting(
            f"{design}, rate {rate}, judge {q}, pilot {pilot}",
            rate=rate,
            sensitivity=q,
            specificity=q,
            items=2_000,
            pilot=pilot,
            length=length,
            calibration=design,
        )
        for design in designs
        for rate, length in ((0.02, 0.04), (0.1, 0.07), (0.4, 0.1))
        for q in (0.7, 0.95)
        for pilot in (20, 80)
    ]
    found += [
        Setting(
            f"{design}, pool of {items}", items=items, pilot=40, length=length, calibration=design
        )
        for design in designs
        for items, length in ((150, 0.16), (500, 0.12))
    ]
    found += [
        Setting(f"{design}, abstains", abstains=0.15, pilot=80, calibration=design)
        for design in designs
    ]
    found += [
        Setting(
            f"separate, judge {q}",
            rate=0.4,
            sensitivity=q,
            specificity=q,
            pilot=60,
            length=length,
            calibration="separate",
        )
        for q, length in ((0.8, 0.2), (0.95, 0.12))
    ]
    found += [
        Setting(f"{design}, strata", pilot=80, calibration=design, strata=True)
        for design in designs
    ]
    # Labels by verdict within two strata, after a pilot of so many labels, at this rate.
    found += [
        Setting(
            f"strata {pilot} {rate}",
            rate=rate,
            items=1_200,
            pilot=pilot,
            length=0.35 * math.sqrt(rate * (1 - rate)),
            calibration="by_verdict",
            strata=True,
        )
        for pilot in (20, 30, 60)
        for rate in (0.05, 0.2, 0.5)
    ]
    # A rare answer that few of the labelled clusters have.
    found += [
        Setting(
            f"rare {rate} in 60 clusters, correlation {rho}",
            rate=rate,
            items=1_200,
            pilot=pilot,
            length=length,
            clusters=60,
            correlation=rho,
        )
        for rate, rho, pilot, length in ((0.03, 0.3, 80, 0.08), (0.06, 0.1, 60, 0.1))
    ]
    found += [
        Setting(
            f"{design}, {clusters} clusters, correlation {rho}{', Pareto' if heavy else ''}",
            items=1_200,
            pilot=pilot,
            length=length,
            calibration=design,
            clusters=clusters,
            correlation=rho,
            sizes="Pareto" if heavy else "equal",
        )
        for design in designs
        for clusters, pilot, length in ((40, 60, 0.2), (200, 80, 0.12))
        for rho, heavy in ((0.0, False), (0.2, False), (0.4, True))
    ]
    found += [
        Setting(
            f"random, {sizes} sizes, rate {rate}, correlation {rho}{', whole' if whole else ''}",
            rate=rate,
            items=1_200,
            pilot=90 if whole else 60,
            length=length,
            clusters=60,
            correlation=rho,
            sizes=sizes,
            whole=whole,
        )
        for sizes in list(SIZES)[1:]
        for rate, rho, length, whole in (
            (0.05, 0.1, 0.12, False),
            (0.3, 0.05, 0.2, False),
            (0.3, 0.3, 0.3, False),
            (0.5, 0.1, 0.25, False),
            (0.3, 0.1, 0.25, True),
        )
    ]
    return found


@dataclass(frozen=True)
class Study:
    """Items one by one: what is true, the verdict (2: abstained), cluster, stratum."""

    setting: Setting
    truth: Ints
    verdict: Ints
    cluster: Ints
    stratum: Ints

    def units(self, labelled: Mask) -> Units:
        """The table in which these items are labelled."""
        one = self.setting
        task = Task(
            scale="binary",
            options=("no", "yes"),
            positive="yes",
            abstentions="class",
            calibration=one.calibration,
            strata=("part",) if one.strata else (),
        )
        truth, verdict, by = self.truth, self.verdict, {}
        human = np.zeros((len(truth), 5), np.int64)
        human[labelled, truth[labelled]] = 1
        if one.strata:
            by["part"] = By(("easy", "hard"), self.stratum)
        if one.calibration == "separate":
            by["split"] = By(("calibration", "test"), (~labelled).astype(np.int64))
        keys = np.column_stack(
            [self.cluster if one.clusters else 0 * truth, self.stratum, verdict, human]
        )
        _, first, n = np.unique(keys, axis=0, return_index=True, return_counts=True)
        units = Units(
            options=task.options,
            judges=("judge",),
            samples=("",),
            orders=("",),
            cluster=self.cluster,
            n_clusters=one.clusters or len(truth),
            single=not one.clusters,
            by=by,
            human=human,
            verdict=verdict[:, None],
            n=np.ones(len(truth), np.int64),
            weight=np.ones(len(truth)),
            exclusions=(),
            rows=0,
            task=task,
        )
        return replace(units.where(first), n=n)


def drawn(setting: Setting, items: int, rng: Rng) -> Study:
    """So many items."""
    cluster = np.arange(items)
    rate = np.full(items, setting.rate)
    if setting.clusters:
        size = SIZES[setting.sizes](setting.clusters, rng)
        cluster = rng.choice(setting.clusters, items, p=size / size.sum())
        rho = setting.correlation
        if rho:
            a = setting.rate * (1 / rho - 1)
            rate = rng.beta(a, a / setting.rate - a, setting.clusters)[cluster]
    truth = (rng.random(items) < rate).astype(np.int64)
    stratum = rng.integers(0, 2, items) if setting.strata else np.zeros(items, np.int64)
    worse = 0.15 * stratum
    right = np.where(truth == 1, setting.sensitivity, setting.specificity) - worse
    verdict = np.where(rng.random(items) < right, truth, 1 - truth)
    verdict = np.where(rng.random(items) < setting.abstains, 2, verdict)
    return Study(setting, truth, verdict, cluster, stratum)


def labelled_more(study: Study, labelled: Mask, plan: PoolPlan, rng: Rng) -> Mask:
    """The labels that the plan asks for, given."""
    assert plan.reach is not None
    found, free = labelled.copy(), np.flatnonzero(~labelled)
    if plan.way == "random":
        found[rng.choice(free, plan.reach.labels, replace=False)] = True
        return found
    assert plan.reach.falls is not None
    for h, number in enumerate(plan.reach.falls):
        mine = study.verdict[free] == plan.pool.column[h]
        mine &= study.stratum[free] == plan.pool.group[h]
        found[rng.choice(free[mine], number, replace=False)] = True
    return found


@dataclass(frozen=True)
class Run:
    """One run: was a number promised, kept, and which; was it kept by the plain number?"""

    promised: bool
    nothing: bool = False
    kept: bool = False
    labels: int = 0
    plain: int | None = None


def run(setting: Setting, seed: int) -> Run:
    rng = np.random.default_rng([seed, sum(setting.name.encode())])
    separate = setting.calibration == "separate"
    study = drawn(setting, setting.items + (setting.pilot if separate else 0), rng)
    labelled = np.zeros(len(study.truth), bool)
    if setting.calibration == "by_verdict":
        for verdict in np.unique(study.verdict):
            mine = np.flatnonzero(study.verdict == verdict)
            labelled[rng.permutation(mine)[: setting.pilot // 2]] = True
    elif setting.whole:
        for cluster in rng.permutation(np.unique(study.cluster)):
            if labelled.sum() < setting.pilot:
                labelled |= study.cluster == cluster
    else:
        labelled[rng.choice(len(labelled), setting.pilot, replace=False)] = True
    plan = plan_pool(study.units(labelled), JUDGE, Goal(setting.length), seed=seed)
    if plan.reach is None:
        return Run(False)
    if plan.reach.labels == 0:
        return Run(True, nothing=True)
    if separate:
        more = drawn(setting, plan.reach.labels, rng)
        study = replace(
            study,
            truth=np.concatenate([study.truth, more.truth]),
            verdict=np.concatenate([study.verdict, more.verdict]),
            cluster=np.arange(len(study.truth) + len(more.truth)),
            stratum=np.concatenate([study.stratum, more.stratum]),
        )
        labelled = np.concatenate([labelled, np.ones(len(more.truth), bool)])
    else:
        labelled = labelled_more(study, labelled, plan, rng)
    kept = length_of(rate_now(study.units(labelled), "judge")) <= setting.length
    return Run(True, kept=kept, labels=plan.reach.labels, plain=plan.plain)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first run")
    options = parser.parse_args()
    first = options.seed
    print("| Setting | length | reached | of | labels | plain | no promise | nothing to do |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for setting in settings():
        if options.names and not all(name in setting.name for name in options.names):
            continue
        runs = [run(setting, seed) for seed in range(first, first + options.runs)]
        asked = [one for one in runs if one.promised and not one.nothing]
        kept = np.mean([one.kept for one in asked]) if asked else np.nan
        labels = np.median([one.labels for one in asked]) if asked else np.nan
        plain = np.median([one.plain or 0 for one in asked]) if asked else np.nan
        none = np.mean([not one.promised for one in runs])
        nothing = np.mean([one.nothing for one in runs])
        print(
            f"| {setting.name} | {setting.length:.3g} | {kept:.3f} | {len(asked)} | {labels:.0f} | "
            f"{plain:.0f} | {none:.2f} | {nothing:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
