"""Small counts for the tests of audits."""

from __future__ import annotations

from typing import Any

import numpy as np

from goldassay.counts import Distributions
from goldassay.ratings.task import Task

TASK = Task(scale="binary", options=("Yes", "No"), positive="Yes", goal="filter")


def counted(
    forced: np.ndarray, sets: np.ndarray | None = None, *, task: Task = TASK, **judges: np.ndarray
) -> Distributions:
    """People's counts (U, K) and (U, S), and the judges' forced choices (U, K) by name."""
    items, number = len(forced), len(task.sets)
    return Distributions(
        options=task.options,
        sets=task.sets,
        items=tuple(map(str, range(items))),
        cluster=np.arange(items),
        n_clusters=items,
        judges=tuple(judges),
        human_forced=forced,
        human_sets=np.zeros((items, number)) if sets is None else sets,
        judge_forced=np.stack(list(judges.values())),
        judge_sets=np.zeros((len(judges), items, number)),
        groups={},
        exclusions=(),
        rows=0,
    )


def judged(
    items: int = 40, raters: int = 3, seed: int = 0, task: Task = TASK, **noise: float
) -> Distributions:
    """People who divide over items, and judges sampled thrice that err with these rates."""
    rng = np.random.default_rng(seed)
    share = rng.random(items)
    yes = rng.binomial(raters, share)
    judges: dict[str, Any] = {}
    for judge, rate in (noise or {"good": 0.05, "bad": 0.45}).items():
        own = rng.binomial(3, share * (1 - rate) + (1 - share) * rate)
        judges[judge] = np.stack([own, 3 - own], 1).astype(float)
    return counted(np.stack([yes, raters - yes], 1).astype(float), task=task, **judges)
