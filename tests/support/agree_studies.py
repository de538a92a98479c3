"""Studies of agreement: put together by hand, and made from small random tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from goldassay.counts import By, Units
from goldassay.inference.draw import Draw
from goldassay.questions.agree.record import AgreeStudy, JudgeAgreement, PeopleAgreement
from goldassay.ratings.task import Task
from goldassay.results import Estimate, Interval

DRAW = Draw(100, 1, 0.95)
BINARY = Task(scale="binary", options=("MET", "UNMET"), positive="MET", abstain=("?",))


def estimate(
    name: str, value: float, low: float | None = None, high: float | None = None
) -> Estimate:
    """An estimate of 40 items, with an interval where its ends are given."""
    interval = None if low is None or high is None else Interval(low, high, 0.95, "by hand")
    return Estimate(name, value, interval, 40, 40)


def by_hand(*judges: JudgeAgreement, **fields: Any) -> AgreeStudy:
    """A study of 40 units with two people; any field may be given."""
    plain = AgreeStudy(
        task=BINARY,
        draw=DRAW,
        n_units=40,
        n_clusters=40,
        judges=judges,
        people=PeopleAgreement(2, rated=True, several=True),
    )
    return replace(plain, **fields)


def rubric(
    judges: int = 3, samples: int = 2, *, people: int = 2, items: int = 60, seed: int = 0
) -> Units:
    """Two criteria of each item, people and judges who err, and judges who now and then abstain."""
    rng = np.random.default_rng(seed)
    criteria = np.tile([0, 1], items)
    truth = rng.random(2 * items) < 0.4
    human = np.zeros((2 * items, 5), np.int64)
    for _ in range(people):
        said = truth ^ (rng.random(2 * items) < 0.1)
        human[np.arange(2 * items), (~said).astype(int)] += 1
    columns = []
    for judge in range(judges):
        for _ in range(samples):
            said = truth ^ (rng.random(2 * items) < 0.1 + 0.1 * judge)
            columns.append(np.where(rng.random(2 * items) < 0.05, 2, (~said).astype(int)))
    names = tuple(f"j{k}" for k in range(judges) for _ in range(samples))
    item = np.repeat(np.arange(items), 2)
    return Units(
        options=BINARY.options,
        judges=names,
        samples=tuple(str(s) for _ in range(judges) for s in range(samples)),
        orders=("",) * len(names),
        cluster=item,
        n_clusters=items,
        single=False,
        by={
            "item": By(tuple(f"i{k:02}" for k in range(items)), item),
            "criterion": By(("clear", "true"), criteria),
        },
        human=human,
        verdict=np.stack(columns, 1),
        n=np.ones(2 * items, np.int64),
        weight=np.ones(2 * items),
        exclusions=(),
        rows=0,
        task=BINARY,
    )
