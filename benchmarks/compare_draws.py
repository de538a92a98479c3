"""Studies of systems with known truths: what `coverage_compare` and `compare_others` draw."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Array = NDArray[np.float64]


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


GOOD, WEAK, BIASED = (0.9, 0.85), (0.75, 0.7), (0.97, 0.6)


def errors(kind: str, systems: int) -> tuple[tuple[float, float], ...]:
    """The judge's sensitivity and specificity on each system."""
    if kind == "equal":
        return (GOOD,) * systems
    return tuple((GOOD, WEAK, BIASED)[s % 3] for s in range(systems))


def two_systems() -> list[Setting]:
    """Two systems that are equally good."""
    return [
        Setting(
            f"{rate} | {labels} | {'the same' if same else 'its own'} | {kind}",
            (rate,) * 2,
            errors(kind, 2),
            labels=labels,
            same=same,
        )
        for rate in (0.5, 0.8, 0.95)
        for labels in (30, 100)
        for same, kind in ((True, "equal"), (False, "unequal"))
    ]


def many_systems() -> list[Setting]:
    """Several equally good systems, each corrected with its own labels."""
    return [
        Setting(
            f"{systems} | 0.7 | 50 | {'the same' if same else 'its own'} | {kind}",
            (0.7,) * systems,
            errors(kind, systems),
            labels=50,
            same=same,
        )
        for systems, same, kind in (
            (4, True, "unequal"),
            (4, False, "equal"),
            (8, True, "unequal"),
            (20, True, "unequal"),
            (20, False, "equal"),
        )
    ]


def clustered() -> list[Setting]:
    """Prompts that come in clusters, labels spread over them or on whole clusters."""
    return [
        Setting(
            f"{systems} | {clusters} of 10 | {'whole clusters' if whole else 'half of each'}",
            (0.7,) * systems,
            errors("unequal", systems),
            prompts=10 * clusters,
            labels=5 * clusters,
            cluster=10,
            within=0.3,
            prompt=0.2,
            whole=whole,
        )
        for systems, clusters in ((2, 15), (2, 40), (8, 15))
        for whole in (False, True)
    ]


def shared() -> list[Setting]:
    """One judge's errors for all systems, few labels of each."""
    return [
        Setting(
            f"{systems} | 0.8 | {labels}",
            (0.8,) * systems,
            errors("equal", systems),
            labels=labels,
            same=False,
            shared=True,
        )
        for systems, labels in ((2, 20), (4, 10), (8, 10), (20, 5))
    ]


def power() -> list[Setting]:
    """One system better by 0.1."""
    return [
        Setting(
            f"{labels} | {judge[0]}, {judge[1]}",
            (0.65, 0.75),
            (judge,) * 2,
            prompts=1000,
            labels=labels,
        )
        for judge in (GOOD, (0.97, 0.95))
        for labels in (50, 100, 400)
    ]


def beside_others() -> list[Setting]:
    """What other tools are asked too; labels on the same prompts, as they take them."""
    equal, unequal = errors("equal", 2), errors("unequal", 2)
    return [
        Setting("two at 0.5, 100 labels, equal errors", (0.5,) * 2, equal),
        Setting("two at 0.8, 100 labels, unequal errors", (0.8,) * 2, unequal),
        Setting("two at 0.95, 30 labels, equal errors", (0.95,) * 2, equal, labels=30),
        Setting("two at 0.95, 100 labels, unequal errors", (0.95,) * 2, unequal),
        Setting(
            "two at 0.7, 15 clusters of 10, half labelled, unequal errors",
            (0.7,) * 2,
            unequal,
            prompts=150,
            labels=75,
            cluster=10,
            within=0.3,
            prompt=0.2,
        ),
        Setting("0.65 and 0.75, 100 of 1,000 labelled", (0.65, 0.75), (GOOD,) * 2, prompts=1000),
    ]
