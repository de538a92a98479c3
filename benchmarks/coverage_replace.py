"""How often `replace` says yes: at the boundary, where it must not, and of a judge like people.

    python benchmarks/coverage_replace.py               prints the tables of docs/replace.md
    python benchmarks/coverage_replace.py --runs 100    a quick look

At the boundary the judge is worse than every person by exactly epsilon: people always agree and it
errs on a share epsilon of the items, alone or by clusters; or people err by themselves and it errs
so much more. Each yes is an error: at most 5 % of studies. The other judge is a person like the
rest: right on 85 % of yes-or-no items, or a grade or number as noisy.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from goldassay.counts import Persons
from goldassay.inference.noninferiority import Differences
from goldassay.questions.replace.study import Settings, study
from goldassay.ratings.task import Task

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
TASKS = {
    "binary": Task.from_mapping({"scale": "binary", "options": ["n", "y"], "positive": "y"}),
    "ordinal": Task.from_mapping({"scale": "ordinal", "options": ["1", "2", "3", "4", "5"]}),
    "continuous": Task.from_mapping({"scale": "continuous"}),
}
PEOPLE, ITEMS = (3, 5, 8, 12), (30, 50, 100, 200, 300)
#: At the boundary: people and items.
SIZES = ((3, 50), (5, 100), (8, 200), (12, 300))
#: A person is right so often where people err.
RIGHT = 0.85
#: The share of its ratings that each person gives where some are missing.
GIVEN = 0.7
# Intervals are not looked at here, and would take most of the time.
Differences.interval = lambda _, __: (-1.0, 1.0)  # type: ignore[method-assign]


@dataclass(frozen=True)
class Said:
    """Ratings [P, N] of people and [N] of a judge, and the cluster of each item [N]."""

    people: Array
    judge: Array
    cluster: Ints

    def persons(self, given: NDArray[np.bool_]) -> Persons:
        """What is counted; `given` [P, N] are the ratings that there are."""
        number, items = self.people.shape
        unit, person = np.nonzero(given.T)  # in order of the unit
        return Persons(
            tuple(f"p{k}" for k in range(number)),
            ("judge",),
            self.cluster,
            person,
            unit,
            self.people[person, unit].astype(float),
            np.zeros(items, np.int64),
            np.arange(items),
            self.judge.astype(float),
        )


Draw = Callable[[int, int, np.random.Generator], Said]


def agreeing(epsilon: float, size: int = 1, shared: float = 0.0) -> Draw:
    """People say the same; the judge otherwise on a share epsilon, alike within clusters."""

    def draw(people: int, items: int, rng: np.random.Generator) -> Said:
        truth = (rng.random(items) < 0.5).astype(np.int64)
        cluster = np.arange(items) // size
        common = rng.standard_normal(items)[cluster]
        luck = math.sqrt(shared) * common + math.sqrt(1 - shared) * rng.standard_normal(items)
        return Said(np.tile(truth, (people, 1)), truth ^ (luck < ndtri(epsilon)), cluster)

    return draw


def erring(epsilon: float) -> Draw:
    """Everybody errs by themselves; the judge so often that it is worse by epsilon.

    A person left out wins against the judge where the judge is farther from the others' votes, so
    that the difference of both shares is (right - right of the judge) times how often the others
    are not evenly split, and lean to what is right rather than to what is wrong.
    """

    def draw(people: int, items: int, rng: np.random.Generator) -> Said:
        others = people - 1
        lean = sum(
            math.comb(others, k) * RIGHT**k * (1 - RIGHT) ** (others - k) * np.sign(2 * k - others)
            for k in range(others + 1)
        )
        right = RIGHT - epsilon / lean
        truth = (rng.random(items) < 0.5).astype(np.int64)
        wrong = rng.random((people, items)) > RIGHT
        return Said(truth ^ wrong, truth ^ (rng.random(items) > right), np.arange(items))

    return draw


def alike(people: int, items: int, rng: np.random.Generator) -> Said:
    """The judge is a person like the others."""
    truth = (rng.random(items) < 0.5).astype(np.int64)
    said = truth ^ (rng.random((people + 1, items)) > RIGHT)
    return Said(said[:-1], said[-1], np.arange(items))


def noisy(epsilon: float, *, grades: bool) -> Draw:
    """People's grades (or numbers) vary by themselves; the judge's so much more."""

    def draw(people: int, items: int, rng: np.random.Generator) -> Said:
        return _noisy(people, items, rng, _noise(people, epsilon, grades), grades)

    return draw


def _noisy(people: int, items: int, rng: np.random.Generator, noise: float, grades: bool) -> Said:
    truth = rng.standard_normal(items)
    said = truth + 0.7 * rng.standard_normal((people, items))
    judge = truth + 0.7 * noise * rng.standard_normal(items)
    if grades:
        said, judge = (np.clip(np.round(x + 2), 0, 4) for x in (said, judge))
    return Said(said, judge, np.arange(items))


@lru_cache(maxsize=64)
def _noise(people: int, epsilon: float, grades: bool) -> float:
    """How many times noisier than a person a judge is that is worse by exactly epsilon."""
    low, high = 1.0, 20.0
    for _ in range(14 if epsilon else 0):
        middle = (low + high) / 2
        found = _noisy(people, 200_000, np.random.default_rng(1), middle, grades)
        others, person = found.people[1:], found.people[0]
        far, near = (((x - others) ** 2).mean(0) for x in (found.judge, person))
        short = float((near <= far).mean() - (far <= near).mean())
        low, high = (middle, high) if short < epsilon else (low, middle)
    return (low + high) / 2 if epsilon else 1.0


def passed(draw: Draw, size: tuple[int, int], runs: int, settings: Settings, **more: str) -> float:
    """The share of studies in which the judge may stand in."""
    people, items = size
    rng = np.random.default_rng([people, items])
    task, given = TASKS[more.get("scale", "binary")], GIVEN if "missing" in more else 1.0
    yes = 0
    for _ in range(runs):
        said = draw(people, items, rng)
        if len(np.unique(said.people)) < 2:
            continue
        there = rng.random(said.people.shape) < given
        found = study(said.persons(there), task, settings, place="drawn")
        yes += found.judges[0].verdict == "yes"
    return yes / runs


def boundary(runs: int, settings: Settings) -> None:
    """A row for each kind of study in which the judge is worse by exactly epsilon."""
    e = settings.epsilon
    rows: tuple[tuple[str, Draw, dict[str, str]], ...] = (
        ("yes or no, people agree", agreeing(e), {}),
        ("yes or no, people err too", erring(e), {}),
        ("grades, people err too", noisy(e, grades=True), {"scale": "ordinal"}),
        ("numbers, people err too", noisy(e, grades=False), {"scale": "continuous"}),
        ("people agree, clusters of 5, errors alike", agreeing(e, 5, 0.3), {}),
        ("people agree, clusters of 10, errors alike", agreeing(e, 10, 0.6), {}),
        ("people agree, 30 % of ratings missing", agreeing(e), {"missing": "yes"}),
        ("people err too, 30 % of ratings missing", erring(e), {"missing": "yes"}),
    )
    heads = [f"{people} people, {items} items" for people, items in SIZES]
    print(f"\nAt the boundary, {runs:,} studies each:\n")
    print(f"| Study | {' | '.join(heads)} |\n|{' --- |' * (len(heads) + 1)}")
    for name, draw, more in rows:
        shares = [passed(draw, size, runs, settings, **more) for size in SIZES]
        print(f"| {name} | {' | '.join(f'{100 * s:.1f} %' for s in shares)} |", flush=True)


def power(
    name: str, draw: Draw, runs: int, settings: Settings, everybody: Sequence[int], **more: str
) -> None:
    """How often a judge like people is let stand in, of so many people each."""
    print(f"\nA judge like people, {name}, {runs:,} studies each:\n")
    print(f"| People | {' | '.join(f'{n} items' for n in ITEMS)} |\n|{' --- |' * (len(ITEMS) + 1)}")
    for people in everybody:
        shares = [passed(draw, (people, items), runs, settings, **more) for items in ITEMS]
        print(f"| {people} | {' | '.join(f'{100 * s:.0f} %' for s in shares)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--epsilon", type=float, default=0.15)
    parser.add_argument("--only", choices=("boundary", "power", "numbers"))
    parser.add_argument("--people", type=int, nargs="*", default=PEOPLE, help="of power, numbers")
    given = parser.parse_args()
    settings, only = Settings(epsilon=given.epsilon), given.only
    if only in (None, "boundary"):
        boundary(given.runs, settings)
    if only in (None, "power"):
        power("yes or no", alike, given.runs, settings, given.people)
    if only in (None, "numbers"):
        draw = noisy(0.0, grades=False)
        power("numbers", draw, given.runs, settings, given.people, scale="continuous")


if __name__ == "__main__":
    main()
