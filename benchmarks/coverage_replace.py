"""How often `replace` says yes: at the boundary, where it must not, and of a judge like people.

    python benchmarks/coverage_replace.py               prints the tables of docs/replace.md
    python benchmarks/coverage_replace.py --runs 100    a quick look

At the boundary people always agree and the judge errs on a share epsilon of the items, so that it
is exactly epsilon worse than each of them; or people err on their own and the judge is worse by
epsilon against every one of them. Each yes is an error: at most 5 % of studies. The other judge is
right as often as each of the people (85 % of yes-or-no items).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Persons
from goldassay.questions.replace.study import Settings, study
from goldassay.ratings.task import Task

Ints = NDArray[np.int64]
TASK = Task.from_mapping({"scale": "binary", "options": ["y", "n"], "positive": "y"})
PEOPLE, ITEMS = (3, 5, 8, 12), (30, 50, 100, 200, 300)
#: Of the boundary, where every share is small, fewer.
FEW_PEOPLE, FEW_ITEMS = (3, 5, 12), (30, 100, 300)
#: A person is right so often where people err.
RIGHT = 0.85


def persons(people: Ints, judge: Ints, cluster: Ints) -> Persons:
    """Ratings [P, N] of people and [N] of a judge."""
    number, items = people.shape
    unit = np.arange(items)
    # Rows are in order of the unit.
    return Persons(
        tuple(f"p{k}" for k in range(number)),
        ("judge",),
        cluster,
        np.tile(np.arange(number), items),
        np.repeat(unit, number),
        people.T.reshape(-1).astype(float),
        np.zeros(items, np.int64),
        unit,
        judge.astype(float),
    )


Draw = Callable[[int, int, np.random.Generator], tuple[Ints, Ints]]


def agreeing(
    people: int, items: int, rng: np.random.Generator, *, epsilon: float
) -> tuple[Ints, Ints]:
    """People say the same; the judge says otherwise on a share epsilon of the items."""
    truth = (rng.random(items) < 0.5).astype(np.int64)
    return np.tile(truth, (people, 1)), truth ^ (rng.random(items) < epsilon)


def erring(
    people: int, items: int, rng: np.random.Generator, *, epsilon: float
) -> tuple[Ints, Ints]:
    """Everybody errs by themselves; the judge so often that it is worse by epsilon, or nearly.

    A person left out wins against the judge where the judge is farther from the others' votes, so
    that the difference of both shares is (right - right of the judge) times how often the others
    are not evenly split, and lean to what is right rather than to what is wrong.
    """
    others = people - 1
    lean = sum(
        math.comb(others, k) * RIGHT**k * (1 - RIGHT) ** (others - k) * np.sign(2 * k - others)
        for k in range(others + 1)
    )
    right = RIGHT - epsilon / lean
    truth = (rng.random(items) < 0.5).astype(np.int64)
    wrong = rng.random((people, items)) > RIGHT
    return truth ^ wrong, truth ^ (rng.random(items) > right)


def alike(people: int, items: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """The judge is a person like the others."""
    truth = (rng.random(items) < 0.5).astype(np.int64)
    wrong = rng.random((people + 1, items)) > RIGHT
    said = truth ^ wrong
    return said[:-1], said[-1]


def passed(draw: Draw, people: int, items: int, runs: int, settings: Settings) -> float:
    rng = np.random.default_rng([people, items])
    yes = 0
    for _ in range(runs):
        said, judge = draw(people, items, rng)
        if len(np.unique(said)) < 2:
            continue
        found = study(persons(said, judge, np.arange(items)), TASK, settings, place="drawn")
        yes += found.judges[0].verdict == "yes"
    return yes / runs


def table(name: str, draw: Draw, runs: int, settings: Settings, *, few: bool = False) -> None:
    digits, sizes, numbers = (1, FEW_ITEMS, FEW_PEOPLE) if few else (0, ITEMS, PEOPLE)
    print(f"\n{name}, {runs:,} studies each:\n")
    print(f"| People | {' | '.join(f'{n} items' for n in sizes)} |\n|{' --- |' * (len(sizes) + 1)}")
    for people in numbers:
        shares = [passed(draw, people, items, runs, settings) for items in sizes]
        print(f"| {people} | {' | '.join(f'{100 * s:.{digits}f} %' for s in shares)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--epsilon", type=float, default=0.15)
    given = parser.parse_args()
    settings = Settings(epsilon=given.epsilon)
    for name, draw in (
        ("At the boundary, people agree", partial(agreeing, epsilon=given.epsilon)),
        ("At the boundary, people err too", partial(erring, epsilon=given.epsilon)),
    ):
        table(name, draw, given.runs, settings, few=True)
    table("A judge like people", alike, given.runs, settings)


if __name__ == "__main__":
    main()
