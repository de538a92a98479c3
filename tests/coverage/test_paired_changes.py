"""Simulated coverage of the paired interval of a change; the whole grid is slow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from goldassay.questions.diff.changes import Joint, paired_changes, statistics_of
from goldassay.ratings.task import Task
from goldassay.results import Estimate

TASK = Task(scale="binary", options=("yes", "no"), positive="yes")
NAMES = ("accuracy", "balanced_accuracy", "cohen_kappa", "phi", "f1")
STATISTICS = {name: one for name, one in statistics_of(TASK).items() if name in NAMES}
#: Share right of the old and the new version, for people's yes and no.
VERSIONS = {
    "same": ((0.8, 0.8), (0.8, 0.8)),
    "better": ((0.75, 0.85), (0.9, 0.85)),
    "excellent": ((0.97, 0.98), (0.99, 0.98)),
}
KINDS = list(np.ndindex(2, 2, 2))


def cells(prevalence: float, versions: str, together: float = 0.6) -> np.ndarray:
    """Probabilities [2, 2, 2]; `together` is the share of errors that both versions share."""
    probability = np.zeros((2, 2, 2))
    for reference, share in ((0, prevalence), (1, 1 - prevalence)):
        old, new = (version[reference] for version in VERSIONS[versions])
        least = min(old, new)
        apart = np.array([[old * new, old * (1 - new)], [(1 - old) * new, (1 - old) * (1 - new)]])
        bound = np.array([[least, old - least], [new - least, 1 - max(old, new)]])
        right = together * bound + (1 - together) * apart
        for o, n in np.ndindex(2, 2):
            verdicts = (
                reference if o == 0 else 1 - reference,
                reference if n == 0 else 1 - reference,
            )
            probability[(reference, *verdicts)] += share * right[o, n]
    return probability


def coverage(items: int, prevalence: float, versions: str, repetitions: int) -> dict[str, float]:
    rng = np.random.default_rng(20)
    probability = cells(prevalence, versions)
    size = (2, 2)
    old, new = probability.sum(axis=2).reshape(size), probability.sum(axis=1).reshape(size)
    truth = {name: float(one(new) - one(old)) for name, one in STATISTICS.items()}
    patterns = np.zeros((8, 2, 3, 3))
    for k, kind in enumerate(KINDS):
        patterns[k][kind] = 1
    hits = dict.fromkeys(STATISTICS, 0)
    defined = dict.fromkeys(STATISTICS, 0)
    for repetition in range(repetitions):
        times = rng.multinomial(items, probability.ravel())
        joint = Joint(patterns[times > 0], times[times > 0], items, False)
        found = paired_changes(joint, STATISTICS, draws=500, seed=repetition, confidence_level=0.95)
        for name, result in found.items():
            if isinstance(result, Estimate) and result.interval is not None:
                defined[name] += 1
                hits[name] += truth[name] in result.interval
    return {name: hits[name] / defined[name] for name in STATISTICS}


def test_a_small_grid_covers() -> None:
    for items, versions in ((50, "better"), (100, "same")):
        for name, share in coverage(items, 0.3, versions, 150).items():
            assert share >= 0.90, (items, versions, name)  # .93 less 1.5 Monte Carlo errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "prevalence", "versions"),
    list(product((30, 50, 100, 300), (0.1, 0.3, 0.5), VERSIONS)),
)
def test_the_grid_covers(items: int, prevalence: float, versions: str) -> None:
    for name, share in coverage(items, prevalence, versions, 1000).items():
        assert share >= 0.93, name
