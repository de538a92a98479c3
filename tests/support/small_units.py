"""Small patterns of units for the tests of agreement, as arrays."""

from __future__ import annotations

import numpy as np

from goldassay.counts import Units
from goldassay.inference.draw import Draw
from goldassay.ratings.task import Task

DRAW = Draw(400, 1, 0.95)
BINARY = Task(scale="binary", options=("MET", "UNMET"), positive="MET")


def units(
    task: Task,
    human: list[list[int]],
    verdict: list[list[int]],
    n: list[int],
    judges: tuple[str, ...] = ("j",),
    orders: tuple[str, ...] | None = None,
    samples: tuple[str, ...] | None = None,
) -> Units:
    """People's votes [P, K] and verdict codes [P, columns] of patterns, `n` units of each."""
    rows = len(n)
    width = len(task.options) + 3
    full = [[*row, *[0] * (width - len(row))] for row in human]
    names = judges if len(judges) == len(verdict[0]) else judges * len(verdict[0])
    return Units(
        options=task.options,
        judges=names,
        samples=samples or ("",) * len(names),
        orders=orders or ("",) * len(names),
        cluster=np.zeros(rows, np.int64),
        n_clusters=sum(n),
        single=True,
        by={},
        human=np.array(full),
        verdict=np.array(verdict),
        n=np.array(n),
        weight=np.ones(rows),
        exclusions=(),
        rows=0,
        task=task,
    )
