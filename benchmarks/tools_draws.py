"""Draws on which the 95 % intervals of several tools are compared, and ours on them.

    python benchmarks/tools_draws.py --runs 1000 --out draws.npz     draws, our interval on each
    python benchmarks/tools_others.py draws.npz --out others.json    the others', where they live
    python benchmarks/tools_page.py draws.npz others.json            docs/tools.md and its picture

A draw is a pool of judged items with a known true rate, a part of it labelled at random. The true
rate that an interval must hold is that of the population the pool is drawn from.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.clusters import distinct_clusters
from goldassay.questions.estimate.binary import corrected
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.estimators import Settings, headline
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Estimate

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Setting:
    """What is true of the pool."""

    name: str
    words: str
    rate: float
    sensitivity: float
    specificity: float
    items: int
    labels: int
    #: Clusters of equal size whose rates vary with this correlation; 0: lone items.
    clusters: int = 0
    correlation: float = 0.0
    #: Whole clusters are labelled.
    whole: bool = False
    #: Several systems, each with items and labels of its own: their rates, in turn.
    systems: tuple[float, ...] = ()

    def true_rate(self, number: int) -> float:
        """The rate behind the draw of this number."""
        return self.systems[number % len(self.systems)] if self.systems else self.rate


SETTINGS = (
    Setting(
        "plain", "plain: rate .3, judge .85, 100 of 1,000 labelled", 0.3, 0.85, 0.85, 1_000, 100
    ),
    Setting("rare", "rare class: rate .02, judge .8/.95, 100 labels", 0.02, 0.8, 0.95, 1_000, 100),
    Setting("few", "few labels: rate .2, judge .8, 25 labels", 0.2, 0.8, 0.8, 1_000, 25),
    Setting(
        "clusters",
        "clusters: 40 of 25 items, correlation .2, 200 labels",
        0.4,
        0.85,
        0.85,
        1_000,
        200,
        40,
        0.2,
    ),
    Setting("good", "nearly perfect: rate .5, judge .98, 60 labels", 0.5, 0.98, 0.98, 1_000, 60),
    Setting("high", "high rate: .95, judge .9/.7, 80 labels", 0.95, 0.9, 0.7, 1_000, 80),
    Setting(
        "whole",
        "whole clusters: 10 of 60 labelled, 20 items each, correlation .2",
        0.4,
        0.85,
        0.85,
        1_200,
        200,
        60,
        0.2,
        whole=True,
    ),
    Setting(
        "systems",
        "four systems: rates .3 to .6, 250 items, 40 labels each",
        0.45,
        0.85,
        0.8,
        250,
        40,
        systems=(0.3, 0.4, 0.5, 0.6),
    ),
)


def drawn(setting: Setting, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Truth, verdict, labelled or not, cluster."""
    n = setting.items
    cluster, rate = np.arange(n), np.full(n, setting.rate)
    if setting.clusters:
        cluster = np.arange(n) * setting.clusters // n
        a = setting.rate * (1 / setting.correlation - 1)
        rate = rng.beta(a, a / setting.rate - a, setting.clusters)[cluster]
    truth = rng.random(n) < rate
    right = rng.random(n) < np.where(truth, setting.sensitivity, setting.specificity)
    labelled = np.zeros(n, bool)
    if setting.whole:
        taken = rng.choice(setting.clusters, setting.labels * setting.clusters // n, replace=False)
        labelled[np.isin(cluster, taken)] = True
    else:
        labelled[rng.choice(n, setting.labels, replace=False)] = True
    return truth, np.where(right, truth, ~truth), labelled, cluster


def ours(setting: Setting, draw: tuple[Array, Array, Array, Array]) -> tuple[float, float]:
    """The interval of `goldassay estimate`, calibration = "random"."""
    truth, verdict, labelled, cluster = draw
    row = np.where(labelled, truth.astype(int), 2)
    cells = np.zeros((int(cluster.max()) + 1, 1, 3, 2))
    np.add.at(cells, (cluster, 0, row, verdict.astype(int)), 1.0)
    merged, times = distinct_clusters(cells, np.ones(len(cells), np.int64))
    sample = Sample(
        options=("no", "yes"),
        verdicts=("no", "yes"),
        groups=("all",),
        cells=merged,
        multiplicity=times,
        n_items=len(truth),
        independent=not setting.clusters,
        apart=False,
        test_labels=np.zeros(2),
        without_verdict={},
        labels_without_verdict=np.zeros(2),
    )
    how = drawing("random", apart=False)
    found = corrected(headline(how), sample, how, Settings(), name="prevalence")
    if not isinstance(found, Estimate) or found.interval is None:
        return float("nan"), float("nan")
    return found.interval.low, found.interval.high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these settings")
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="draws.npz")
    options = parser.parse_args()
    kept: dict[str, NDArray[np.generic]] = {}
    for setting in SETTINGS:
        if options.names and setting.name not in options.names:
            continue
        rng = np.random.default_rng([options.seed, *setting.name.encode()])
        rates = np.array([setting.true_rate(k) for k in range(options.runs)])
        draws = [drawn(replace(setting, rate=float(rate)), rng) for rate in rates]
        for name, part in zip(
            ("truth", "verdict", "labelled"), zip(*draws, strict=True), strict=False
        ):
            kept[f"{setting.name}_{name}"] = np.packbits(np.array(part, dtype=bool), axis=1)
        kept[f"{setting.name}_cluster"] = draws[0][3]
        kept[f"{setting.name}_ours"] = np.array([ours(setting, draw) for draw in draws])
        found = kept[f"{setting.name}_ours"]
        covered = (found[:, 0] <= rates) & (rates <= found[:, 1])
        print(setting.name, covered.mean(), (found[:, 1] - found[:, 0]).mean(), flush=True)
        kept[f"{setting.name}_rates"] = rates
        kept[f"{setting.name}_about"] = np.array([setting.items, bool(setting.clusters)])
    np.savez_compressed(options.out, **kept)


if __name__ == "__main__":
    main()
