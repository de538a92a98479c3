"""How often the audit's intervals hold where people split evenly and two or three rate an item.

    python benchmarks/coverage_splits.py [--studies 1000] [--cells 0 1] [--last] [--grades]
        [--unordered]

Items' shares among all people come from a Dirichlet distribution, from "every item splits evenly"
to "most people agree on most items", or lie a little to either side of one half; two or three
people rate each item. Judges give the verdict of most people on 90 or 60 % of the items. The truth
is that of endlessly many items and raters; "said" is how often people were said to split evenly,
coverage is the lower of the two judges'. With `--grades` people choose grades around an item's own,
or split in other ways between neighbours, or anyhow, and judges may read an item's mean with noise,
so that they err where people are divided; `--unordered` takes the grades for options, without the
prior that knows of neighbours. The tables are in `docs/theory/figures.md`.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from goldassay.counts import Distributions
from goldassay.formulas.compiled import ndtr
from goldassay.formulas.distributions import Definition, downstream, table_1
from goldassay.questions.audit.bounds import bounds
from goldassay.questions.audit.evaluate import Draws
from goldassay.questions.audit.sides import Sides, both_sides
from goldassay.ratings.task import Task

NAMES = (
    ("hit_rate", "h/h"),
    ("cohen_kappa", "h/h"),
    ("decision_consistency", "s/s"),
    ("estimation_bias", "s/s"),
)
ACCURACIES = (0.9, 0.6)
RESAMPLES, PANELS = 200, 5


def _cut(own: np.ndarray, deviation: np.ndarray | float, grades: int) -> np.ndarray:
    edges = np.r_[-np.inf, np.arange(1, grades) + 0.5, np.inf]
    return np.diff(ndtr((edges - own[:, None]) / np.reshape(deviation, (-1, 1))), axis=1)


def _even(grades: int, deviation: float, items: int, rng: np.random.Generator) -> np.ndarray:
    return _cut(rng.uniform(0.5, grades + 0.5, items), deviation, grades)


def _varied(grades: int, deviation: float, items: int, rng: np.random.Generator) -> np.ndarray:
    own = rng.uniform(0.5, grades + 0.5, items)
    return _cut(own, deviation * np.exp(rng.normal(0, 0.5, items)), grades)


def _high(grades: int, deviation: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """Most items near the top, a logistic scatter."""
    own = 0.5 + grades * rng.beta(4, 1.5, items)
    edges = np.r_[-np.inf, np.arange(1, grades) + 0.5, np.inf]
    scale = deviation * np.sqrt(3) / np.pi
    with np.errstate(over="ignore"):
        return np.diff(1 / (1 + np.exp(-(edges - own[:, None]) / scale)), axis=1)


def _binomial(grades: int, deviation: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """Grades count successes with a chance of the item's own; no deviation is declared."""
    p = rng.beta(deviation, deviation, items)[:, None]
    k = np.arange(grades)
    ways = np.array([comb(grades - 1, one) for one in k])
    return ways * p**k * (1 - p) ** (grades - 1 - k)


def _pairs(grades: int, deviation: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """A share of items on which people split between two neighbours; on the rest they agree."""
    first = rng.integers(0, grades - 1, items)
    share = np.where(rng.random(items) < deviation, rng.random(items), rng.integers(0, 2, items))
    eye = np.eye(grades)
    return share[:, None] * eye[first] + (1 - share)[:, None] * eye[first + 1]


def _apart(grades: int, deviation: float, items: int, rng: np.random.Generator) -> np.ndarray:
    """Dirichlet: people who differ may differ by any number of grades."""
    return rng.dirichlet(np.full(grades, deviation / grades), items)


#: How people's grades scatter, by the words that the table has after a number.
SCATTER = {
    "around an item's own": _even,
    "around, by a factor of its own on each item": _varied,
    "around items near the top, logistic": _high,
    "in a binomial's Beta": _binomial,
    "of items split between two neighbours": _pairs,
    "in all, Dirichlet": _apart,
}
#: Of judges that read an item's mean with noise.
NOISE = (0.25, 0.8)


@dataclass(frozen=True)
class Cell:
    """Items and raters; how the shares of all people spread over items."""

    items: int
    raters: int
    #: Sum of the parameters of the Dirichlet distribution that items' shares come from.
    spread: float = 0.0
    options: int = 2
    #: Instead: two shares at one half plus and minus this.
    apart: float | None = None
    #: Mean share of the first option, where that is not as large as the others'.
    mean: float | None = None
    #: Instead: grades, of which people choose those around an item's own with this deviation.
    around: float | None = None
    #: Of grades: how they scatter, one of `SCATTER`.
    scatter: str = "around an item's own"
    #: Of grades: judges err as often on every item, or read an item's mean with noise, so that
    #: they err where people are divided.
    reads: bool = False
    #: Of grades: whether the audit is told their order.
    ordered: bool = True

    @property
    def words(self) -> str:
        if self.around is not None:
            shares = f"{self.around:g} {self.scatter}{', read with noise' if self.reads else ''}"
        elif self.apart is not None:
            shares = f"{0.5 - self.apart:g} and {0.5 + self.apart:g}"
        else:
            first = "" if self.mean is None else f", {self.mean:g} of the first"
            shares = f"Dirichlet, {self.spread:g} in all{first}"
        return f"{self.items} | {self.options} | {self.raters} | {shares}"

    @property
    def task(self) -> Task:
        if self.around is not None:
            scale = "ordinal" if self.ordered else "nominal"
            return Task(scale=scale, options=tuple("1234567"[: self.options]))
        options = tuple("ABCDEF"[: self.options])
        return Task(scale="nominal", options=options, positive="A")

    @property
    def positive(self) -> tuple[int, ...]:
        """Of grades the upper half, as an audit takes them."""
        first = 0 if self.around is None else (self.options + 1) // 2
        return tuple(range(first, self.options)) if first else (0,)

    def shares(self, items: int, rng: np.random.Generator) -> np.ndarray:
        if self.around is not None:
            return SCATTER[self.scatter](self.options, self.around, items, rng)
        if self.apart is not None:
            first = 0.5 + self.apart * rng.choice([-1.0, 1.0], items)
            return np.stack([first, 1 - first], axis=1)
        first = 1 / self.options if self.mean is None else self.mean
        rest = np.full(self.options - 1, (1 - first) / (self.options - 1))
        return rng.dirichlet(self.spread * np.r_[first, rest], items)

    def judges(self, shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Verdicts (J, U, K) that are the majority's at the rates of `ACCURACIES`."""
        if self.reads:
            mean = shares @ np.arange(self.options)
            noise = rng.normal(0, 1, (len(NOISE), len(shares))) * np.array(NOISE)[:, None]
            read = np.clip(np.rint(mean + noise), 0, self.options - 1)
            return np.eye(self.options)[read.astype(int)]
        wrong = rng.random((len(ACCURACIES), len(shares))) >= np.array(ACCURACIES)[:, None]
        shift = wrong * rng.integers(1, self.options, wrong.shape)
        if self.around is not None:  # a grade off, or two
            step = wrong * rng.choice([-2, -1, 1, 2], wrong.shape, p=[0.1, 0.4, 0.4, 0.1])
            return np.eye(self.options)[np.clip(shares.argmax(-1) + step, 0, self.options - 1)]
        return np.eye(self.options)[(shares.argmax(-1) + shift) % self.options]

    def sides(self, human: np.ndarray, judge: np.ndarray) -> Sides:
        number, task = len(human), self.task
        counted = Distributions(
            options=task.options,
            sets=task.sets,
            items=tuple(map(str, range(number))),
            cluster=np.arange(number),
            n_clusters=number,
            judges=tuple(map(str, ACCURACIES)),
            human_forced=human,
            human_sets=np.zeros((number, len(task.sets))),
            judge_forced=judge,
            judge_sets=np.zeros((len(judge), number, len(task.sets))),
            groups={},
            exclusions=(),
            rows=0,
        )
        return both_sides(counted, task, options=self.positive)

    def study(self, rng: np.random.Generator) -> Sides:
        shares = self.shares(self.items, rng)
        human = rng.multinomial(self.raters, shares).astype(float)
        return self.sides(human, self.judges(shares, rng))

    def truth(self, every: tuple[Definition, ...]) -> np.ndarray:
        rng = np.random.default_rng(1)
        shares = self.shares(200_000, rng)
        whole = self.sides(shares, self.judges(shares, rng))
        return bounds(whole, every, Draws(resamples=1, panels=0, seed=0)).value


CELLS = (
    Cell(100, 2, 40.0),
    Cell(60, 3, 15.0, options=5),
    Cell(150, 3, 2.0),
    Cell(150, 3, apart=0.15),
    Cell(150, 2, 20.0, mean=0.4),
    Cell(150, 3, 0.4),
    Cell(150, 2, 6.0, options=3),
    Cell(100, 3, 40.0),
    Cell(100, 2, apart=0.05),
    Cell(200, 3, 10.0),
    Cell(150, 3, 5.0, mean=0.7),
    Cell(150, 3, 0.6, options=3),
)
#: Written down when the method stood, and measured once.
LAST = (
    Cell(120, 2, 12.0),
    Cell(80, 3, 25.0, options=4),
    Cell(200, 2, apart=0.1),
    Cell(100, 3, 3.0, mean=0.35),
    Cell(250, 3, apart=0.2),
    Cell(60, 2, 1.0),
    Cell(120, 3, 0.8, options=6),
    Cell(150, 2, 0.8, options=4),
    Cell(100, 5, 1.0, options=5),
)


#: Grades, two, three and five raters.
GRADES = (
    Cell(100, 2, options=5, around=1.0),
    Cell(150, 3, options=5, around=0.7),
    Cell(100, 5, options=5, around=1.5),
    Cell(200, 5, options=4, around=0.5),
    Cell(60, 3, options=3, around=0.8),
    Cell(200, 2, options=4, around=0.4),
    Cell(150, 3, options=5, around=0.6, reads=True),
    Cell(150, 3, options=5, around=0.6, scatter="around, by a factor of its own on each item"),
    Cell(150, 3, options=4, around=0.4, scatter="of items split between two neighbours"),
)
#: Written down before the prior of grades was measured on them.
GRADES_LAST = (
    Cell(120, 3, options=5, around=0.9),
    Cell(150, 2, options=4, around=0.6, reads=True),
    Cell(200, 3, options=7, around=0.8, scatter="around, by a factor of its own on each item"),
    Cell(100, 4, options=5, around=0.7, scatter="around items near the top, logistic"),
    Cell(150, 3, options=5, around=0.5, scatter="in a binomial's Beta"),
    Cell(150, 3, options=5, around=1.0, scatter="in a binomial's Beta", reads=True),
    Cell(200, 2, options=5, around=0.3, scatter="of items split between two neighbours"),
    Cell(80, 5, options=3, around=0.6, scatter="of items split between two neighbours"),
    Cell(150, 3, options=4, around=1.0, scatter="in all, Dirichlet"),
    Cell(100, 10, options=5, around=0.7),
    Cell(60, 3, options=5, around=0.6, scatter="around items near the top, logistic", reads=True),
    Cell(300, 3, options=4, around=0.5),
)


def definitions(positive: tuple[int, ...] = (0,)) -> tuple[Definition, ...]:
    every = (*table_1(), *downstream(positive, "A", (0.5,), (("s", "s"),)))
    return tuple(one for one in every if (one.name, one.aggregation) in NAMES)


@dataclass(frozen=True)
class Covered:
    """Share of studies whose interval holds the truth, and its mean length, (D, J)."""

    share: np.ndarray
    length: np.ndarray
    #: Share of studies in which people were taken to split evenly.
    split: float


def covered(cell: Cell, studies: int, *, panels: int = PANELS, seed: int = 0) -> Covered:
    every = definitions(cell.positive)
    truth = cell.truth(every)
    rng = np.random.default_rng(seed)
    inside, length, split = [], [], []
    for number in range(studies):
        found = bounds(cell.study(rng), every, Draws(RESAMPLES, panels=panels, seed=number))
        inside.append((found.low <= truth + 1e-9) & (truth <= found.high + 1e-9))
        length.append(found.high - found.low)
        split.append(found.unknown[0])
    return Covered(np.mean(inside, axis=0), np.nanmean(length, axis=0), float(np.mean(split)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--cells", type=int, nargs="*")
    parser.add_argument("--last", action="store_true", help="settings that were not looked at")
    parser.add_argument("--grades", action="store_true", help="grades instead of options")
    parser.add_argument("--unordered", action="store_true", help="grades taken for options")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.grades:
        grades = GRADES_LAST if given.last else GRADES
        cells = tuple(replace(cell, ordered=not given.unordered) for cell in grades)
    else:
        cells = LAST if given.last else CELLS
    heads = [f"{name} {pair}" for name, pair in NAMES]
    print(
        f"| items | options | raters | shares of all people | said | {' | '.join(heads)} | "
        "length of hit_rate | of consistency |"
    )
    print("|" + " --- |" * (len(heads) + 7))
    for number in range(len(cells)) if given.cells is None else given.cells:
        found = covered(cells[number], given.studies, seed=given.seed)
        least = " | ".join(f"{value:.3f}" for value in found.share.min(-1))
        hits, consistent = found.length[[0, 2]].mean(-1)
        print(
            f"| {cells[number].words} | {found.split:.0%} | {least} | {hits:.2f} | "
            f"{consistent:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
