"""How often `compare` is wrong where nothing differs, and how often it is right where it does.

Studies are drawn with known truths: prompts answered by 2 to 20 systems, a judge whose errors are
equal or not by system, people's labels on some of the prompts (the same for all systems, or each
its own), prompts alone or in clusters. Type I error is the share of studies in which two equal
systems are told apart, familywise error that in which any difference of all is outside its
interval. Power is that of the true difference, beside labels alone and the judge alone.

    python benchmarks/coverage_compare.py --runs 2000          # all tables, Markdown
    python benchmarks/coverage_compare.py --runs 200 --only type1
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.contrasts import family_of, pairs_of
from goldassay.questions.compare.estimates import Joint, rate_kinds
from goldassay.questions.estimate.design import drawing
from goldassay.questions.estimate.sample import Sample
from goldassay.questions.estimate.shared import SharedLabels

Array = NDArray[np.float64]
LEVEL = 0.95
DRAWS = 4_000


@dataclass(frozen=True)
class Setting:
    """One kind of study. `rates` are the systems' true rates, `errors` (sensitivity, specificity)
    of the judge by system."""

    name: str
    rates: tuple[float, ...]
    errors: tuple[tuple[float, float], ...]
    prompts: int = 400
    labels: int = 100
    #: Labels on the same prompts for all systems, or on each system's own.
    same: bool = True
    shared: bool = False
    #: Prompts of a cluster, and how much of what makes an answer good is the cluster's.
    cluster: int = 1
    within: float = 0.0
    #: How much of it is the prompt's.
    prompt: float = 0.4
    #: Labels come by whole clusters.
    whole: bool = False
    options: int = 2


def drawn(setting: Setting, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Truth [P, S], verdict [P, S], labelled [P, S] and cluster [P] of one study."""
    systems, prompts = len(setting.rates), setting.prompts
    cluster = np.arange(prompts) // setting.cluster
    of_cluster = rng.standard_normal(int(cluster.max()) + 1)[cluster]
    of_prompt = rng.standard_normal(prompts)
    own = rng.standard_normal((prompts, systems))
    left = max(1 - setting.within - setting.prompt, 0.0)
    latent = (
        math.sqrt(setting.within) * of_cluster[:, None]
        + math.sqrt(setting.prompt) * of_prompt[:, None]
        + math.sqrt(left) * own
    )
    from scipy.special import ndtri

    truth = latent < ndtri(np.array(setting.rates))
    errors = np.array(setting.errors)
    # A prompt that fools the judge fools it on several systems.
    luck = math.sqrt(0.3) * rng.standard_normal(prompts)[:, None] + math.sqrt(
        0.7
    ) * rng.standard_normal((prompts, systems))
    called = luck < ndtri(np.where(truth, errors[:, 0], 1 - errors[:, 1]))
    labelled = np.zeros((prompts, systems), bool)
    if setting.whole:
        order = rng.permutation(int(cluster.max()) + 1)
        kept = order[: max(2, setting.labels // setting.cluster)]
        labelled[np.isin(cluster, kept)] = True
    elif setting.same:
        labelled[rng.permutation(prompts)[: setting.labels]] = True
    else:
        for s in range(systems):
            labelled[rng.permutation(prompts)[: setting.labels], s] = True
    return truth, called, labelled, cluster


def sample_of(truth: Array, called: Array, labelled: Array, cluster: Array) -> Sample:
    """The cells of a study, each cluster once."""
    prompts, systems = truth.shape
    clusters = int(cluster.max()) + 1
    row = np.where(labelled, truth, 2).astype(np.int64)
    place = ((cluster[:, None] * systems + np.arange(systems)) * 3 + row) * 2 + called
    cells = np.bincount(place.reshape(-1), minlength=clusters * systems * 6)
    return Sample(
        options=("no", "yes"),
        verdicts=("no", "yes"),
        groups=tuple(f"s{k:02}" for k in range(systems)),
        cells=cells.reshape(clusters, systems, 3, 2).astype(float),
        multiplicity=np.ones(clusters, np.int64),
        n_items=prompts * systems,
        independent=False,
        apart=False,
        test_labels=np.zeros(2),
        without_verdict={},
        labels_without_verdict=np.zeros(2),
    )


@dataclass(frozen=True)
class Outcome:
    """Of one study: is every difference inside, and which true differences are told."""

    outside: Array
    told: Array
    length: Array
    beside: Mapping[str, tuple[Array, Array]]


def outcome(setting: Setting, sample: Sample, seed: int) -> Outcome:
    """All pairs of a study at once, as `compare` has them."""
    design = drawing("random", apart=False)
    kinds = rate_kinds(sample, design, shared=setting.shared)
    joint = SharedLabels.of(sample, design) if setting.shared else None
    systems = len(setting.rates)
    first, second = np.triu_indices(systems, 1)
    truth = np.array(setting.rates)[second] - np.array(setting.rates)[first]
    pairs = pairs_of(second, first)

    def limits(which: Any, source: Joint | None) -> tuple[Array, Array]:
        together = which.recovered
        covariance = together.covariance(LEVEL)
        family = family_of(pairs, covariance, seed=seed, draws=DRAWS)
        return (source or together).contrast_limits(pairs, family.level(LEVEL))

    low, high = limits(kinds.corrected, joint)
    gap = pairs.of(np.nan_to_num(kinds.corrected.value))
    low, high = np.minimum(low, gap), np.maximum(high, gap)
    outside = (truth < low) | (truth > high)
    told = np.sign(truth) * np.where(truth > 0, low, high) > 0
    beside = {}
    for name, which in (("labels", kinds.labels), ("judge", kinds.judge)):
        assert which is not None
        a, b = limits(which, None)
        beside[name] = ((truth < a) | (truth > b), np.sign(truth) * np.where(truth > 0, a, b) > 0)
    return Outcome(outside, told, high - low, beside)


GOOD, WEAK = (0.9, 0.85), (0.75, 0.7)


def type1() -> list[Setting]:
    """Two equal systems (type I error), several (familywise error)."""
    found = []
    for rate in (0.5, 0.8, 0.95):
        for labels in (30, 100):
            one = Setting(f"2 systems, rate {rate}, {labels} labels", (rate,) * 2, (GOOD,) * 2,
                          labels=labels)  # fmt: skip
            found += [
                one,
                replace(one, name=one.name + ", own prompts", same=False),
                replace(one, name=one.name + ", unequal errors", errors=(GOOD, WEAK)),
            ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for setting in type1():
        if given.only and given.only not in setting.name:
            continue
        rng = np.random.default_rng(given.seed)
        start = time.process_time()
        wrong, lengths, others = 0, 0.0, {"labels": 0, "judge": 0}
        for run in range(given.runs):
            found = outcome(setting, sample_of(*drawn(setting, rng)), run)
            wrong += bool(found.outside.any())
            lengths += float(found.length.mean())
            for name in others:
                others[name] += bool(found.beside[name][0].any())
        spent = time.process_time() - start
        print(
            f"{setting.name:55s} {wrong / given.runs:.3f} length {lengths / given.runs:.3f} "
            f"labels {others['labels'] / given.runs:.3f} judge {others['judge'] / given.runs:.3f} "
            f"{1000 * spent / given.runs:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
