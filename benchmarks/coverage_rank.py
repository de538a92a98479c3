"""Coverage of what `goldassay rank` says of orders: tau, decisiveness, rank ranges, differences.

    python benchmarks/coverage_rank.py                prints the tables of docs/theory/figures.md
    python benchmarks/coverage_rank.py --runs 200     a smaller run
    python benchmarks/coverage_rank.py tau ranges     only these
    python benchmarks/coverage_rank.py price --last   what the hull of tau's intervals costs
    python benchmarks/coverage_rank.py --fresh        the settings that no method was tuned on
    python benchmarks/coverage_rank.py --last         those of the picture, after the last change

A run draws systems' true scores by people and by a judge (evenly spread, normal, with heavy tails,
in two clumps, with one far away), prompts of unequal ease that all systems share, and answers with
noise; the truth is what unlimited prompts would show. The intervals are those that the verb makes,
with the resampling noise by its formula in place of resamples. A cell passes when its coverage plus
two Monte Carlo errors reaches .93.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from strips import Row, picture

from goldassay.formulas.comparisons import pairs_of
from goldassay.formulas.orders import kendall_tau, mean_scores
from goldassay.inference.bootstrap import multiplicities
from goldassay.inference.order_model import Ends, OrderModel, Seen, normal_scores, order_intervals
from goldassay.questions.rank.behaviour import BOUNDS, decisiveness
from goldassay.questions.rank.contest import Contest
from goldassay.questions.rank.study import Options, study
from goldassay.questions.rank.uncertainty import differences
from goldassay.ratings.task import Task
from goldassay.results import Estimate

Floats = NDArray[np.float64]
LEVEL = 0.95
PASS = 0.93
RESAMPLES = 400


@dataclass(frozen=True)
class Setting:
    """Prompts, systems, spread of true scores (noise of an answer: 1), and how sides relate.

    `relation`: same, bent (same order, other gaps), reversed, liked (the judge puts people's last
    system first), or the correlation of the true scores.
    """

    prompts: int
    systems: int
    spread: float
    shape: str
    relation: str
    given: bool = False
    noise: str = "normal"

    def __str__(self) -> str:
        gold = ", order given" if self.given else ""
        noise = f", {self.noise}" if self.noise != "normal" else ""
        return (
            f"{self.prompts} prompts, {self.systems} systems, {self.shape} {self.spread:g}, "
            f"{self.relation}{gold}{noise}"
        )


SIZES = ((12, 3), (8, 10), (20, 5), (50, 10), (50, 40), (200, 10), (200, 20), (1000, 12))
RELATIONS = (
    ("even", "same"),
    ("normal", "bent"),
    ("normal", "0.8"),
    ("normal", "0"),
    ("even", "liked"),
    ("clumps", "0.8"),
    ("outlier", "0.8"),
    ("heavy", "0.5"),
    ("normal", "reversed"),
)
EVERY = (
    *(
        Setting(prompts, systems, spread, shape, relation)
        for prompts, systems in SIZES
        for spread in (0.05, 0.2, 0.6)
        for shape, relation in RELATIONS
    ),
    *(
        Setting(prompts, systems, spread, "normal", relation, given, noise)
        for prompts, systems in ((50, 10), (200, 20))
        for spread in (0.1, 0.4)
        for relation in ("same", "0.8", "liked")
        for given, noise in (
            (True, "normal"),
            (True, "binary"),
            (False, "unequal"),
            (False, "binary"),
        )
    ),
)
#: The settings that methods were compared on: one in seven of all combinations, in turn.
GRID = EVERY[::7]
#: Settings that were written down with the grid and measured after the method was frozen.
FRESH = tuple(
    Setting(prompts, systems, spread, shape, relation, given, noise)
    for prompts, systems in ((10, 6), (35, 15), (100, 4), (120, 30), (400, 12))
    for spread, shape, relation, given, noise in (
        (0.05, "uniform", "0.9", False, "normal"),
        (0.5, "uniform", "0.9", False, "binary"),
        (0.2, "three", "0.6", False, "normal"),
        (0.15, "normal", "two liked", False, "unequal"),
        (0.25, "skewed", "same", True, "normal"),
        (0.25, "skewed", "0.3", False, "grades"),
        (0.08, "even", "bent", False, "grades"),
        (0.3, "heavy", "-0.5", True, "binary"),
    )
)
#: After one of these (two liked systems) had fallen short and the model was centred at the median,
#: others again.
AGAIN = tuple(
    Setting(prompts, systems, spread, shape, relation, given, noise)
    for prompts, systems in ((60, 8), (250, 16), (600, 25))
    for spread, shape, relation, given, noise in (
        (0.12, "skewed", "two liked", False, "normal"),
        (0.3, "uniform", "bent liked", False, "grades"),
        (0.4, "heavy", "0.7", False, "unequal"),
        (0.2, "three", "liked", True, "binary"),
    )
)

#: Settings that were written down when the method stood, and measured once: those of the picture.
LAST = tuple(
    Setting(prompts, systems, spread, shape, relation, given, noise)
    for prompts, systems in ((15, 9), (45, 22), (80, 7), (300, 14))
    for spread, shape, relation, given, noise in (
        (0.07, "uniform", "0.95", False, "grades"),
        (0.35, "clumps", "bent", False, "normal"),
        (0.18, "outlier", "0.4", True, "unequal"),
        (0.5, "skewed", "liked", False, "binary"),
        (0.25, "three", "-0.2", False, "normal"),
    )
)

#: And after the last of these had fallen short and clumps were told apart from 2.5 standard errors.
LAST += (
    Setting(500, 12, 0.2, "three", "-0.3"),
    Setting(200, 18, 0.3, "clumps", "0.1"),
    Setting(400, 16, 0.3, "three", "0.3"),
)


def effects(shape: str, systems: int, rng: np.random.Generator) -> Floats:
    """True scores of the systems with mean 0 and spread 1."""
    if shape == "even":
        values = np.linspace(-1, 1, systems)
    elif shape == "uniform":
        values = rng.random(systems)
    elif shape == "skewed":
        values = rng.exponential(size=systems)
    elif shape == "heavy":
        values = rng.standard_t(2, systems)
    elif shape in ("clumps", "three"):
        number = 2 if shape == "clumps" else 3
        values = 2.0 * (np.arange(systems) % number) + 0.1 * rng.normal(size=systems)
    elif shape == "outlier":
        values = 0.1 * rng.normal(size=systems) + 3.0 * (np.arange(systems) == 0)
    else:
        values = rng.normal(size=systems)
    return rng.permutation(_standard(values))


def _standard(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std())


def truths(setting: Setting, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The systems' true scores by the judge and by people."""
    people = effects(setting.shape, setting.systems, rng)
    judge = people.copy()
    if setting.relation == "bent":
        judge = np.exp(1.5 * people)
    elif setting.relation == "bent liked":
        judge = np.exp(1.5 * people)
        judge[np.argmin(people)] = judge.max() + 1
    elif setting.relation == "reversed":
        judge = -people
    elif setting.relation.endswith("liked"):
        number = 2 if setting.relation.startswith("two") else 1
        judge[np.argsort(people)[:number]] = people.max() + 1 + 0.1 * np.arange(number)
    elif setting.relation != "same":
        rho = float(setting.relation)
        other = effects(setting.shape, setting.systems, rng)
        judge = rho * people + np.sqrt(1 - rho**2) * other
    return setting.spread * _standard(judge), setting.spread * people


def answers(
    setting: Setting, judge: Floats, people: Floats, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Scores [prompts, systems] of both sides; half of an answer's noise is shared by them."""
    size = setting.prompts, setting.systems
    ease, shared = rng.normal(size=(setting.prompts, 1)), rng.normal(size=size)
    loud = np.exp(0.4 * rng.normal(size=setting.systems)) if setting.noise == "unequal" else 1.0
    sides = []
    for mean in (judge, people):
        scores = mean + ease + loud * (shared + rng.normal(size=size)) * np.sqrt(0.5)
        if setting.noise == "binary":
            scores = (scores > 0).astype(np.float64)
        elif setting.noise == "grades":
            scores = np.clip(np.rint(1.5 * scores + 3), 1, 5)
        sides.append(scores)
    return sides[0], sides[1]


def seen_in(judge: Floats, people: Floats, given: Floats | None = None) -> Seen:
    """What the scores [prompts, systems] show, with the noise by its formula."""
    sides = [one - one.mean(axis=1, keepdims=True) for one in (judge, people)]
    off = [one - one.mean(axis=0) for one in sides]
    if given is not None:
        off[1] = np.zeros_like(off[1])
    prompts = len(judge)
    noise = np.stack([(off[i] * off[j]).sum(axis=0) for i, j in ((0, 0), (1, 1), (0, 1))])
    order = people.mean(axis=0) if given is None else normal_scores(given)
    return Seen(judge.mean(axis=0), order, noise / (prompts - 1) / prompts, prompts)


@dataclass
class Tally:
    """How often intervals held the truth, and how long they were."""

    name: str
    setting: str
    hits: int = 0
    runs: int = 0
    length: float = 0.0

    def add(self, held: bool, length: float) -> None:
        self.hits += held
        self.runs += 1
        self.length += length

    @property
    def coverage(self) -> float:
        return self.hits / max(self.runs, 1)

    @property
    def passes(self) -> bool:
        error = np.sqrt(self.coverage * (1 - self.coverage) / max(self.runs, 1))
        return bool(self.coverage + 2 * error >= PASS)

    def row(self) -> str:
        mark = "" if self.passes else " (short)"
        return f"| {self.setting} | {self.coverage:.3f}{mark} | {self.length / self.runs:.2f} |"


def taus(judge: Floats, people: Floats) -> dict[str, Floats]:
    return {"tau": kendall_tau(judge, people)}


def tau(setting: Setting, runs: int, seed: int) -> list[Tally]:
    """Kendall's tau of the judge's and people's order."""
    return _held(setting, {str(setting): _hull}, runs, seed)


def price(setting: Setting, runs: int, seed: int) -> list[Tally]:
    """What the hull costs: tau by the model of all systems alone beside it, on the same draws."""
    methods = {f"{setting} (hull)": _hull, f"{setting} (one model)": _one_model}
    return _held(setting, methods, runs, seed)


def _hull(seen: Seen) -> Ends:
    return order_intervals(seen, taus, confidence_levels=[LEVEL])[0]["tau"]


def _one_model(seen: Seen) -> Ends:
    return OrderModel(seen).ends(taus, LEVEL)["tau"]


def _held(
    setting: Setting, methods: Mapping[str, Callable[[Seen], Ends]], runs: int, seed: int
) -> list[Tally]:
    """How often intervals of tau by each method hold the truth; they hold what was seen."""
    tallies = [Tally("tau", name) for name in methods]
    rng = np.random.default_rng(seed)
    for _ in range(runs):
        judge, people = truths(setting, rng)
        truth = float(kendall_tau(judge, people))
        scores = answers(setting, judge, people, rng)
        seen = seen_in(*scores, people if setting.given else None)
        value = float(kendall_tau(seen.judge, seen.people))
        for tally, ends in zip(tallies, methods.values(), strict=True):
            low, high = ends(seen)
            low, high = np.nanmin([low, value]), np.nanmax([high, value])
            tally.add(low - 1e-9 <= truth <= high + 1e-9, high - low)
    return tallies


def ranges(setting: Setting, runs: int, seed: int) -> list[Tally]:
    """Places of all systems at once, and all differences between them at once."""
    tallies = [Tally(name, f"{setting} ({name})") for name in ("places", "differences")]
    rng = np.random.default_rng(seed)
    for _ in range(runs):
        judge, people = truths(setting, rng)
        if setting.shape == "equal":
            judge = np.zeros(setting.systems)
        scores, _ = answers(setting, judge, people, rng)
        if setting.noise == "binary":  # ease and noise have variance 1 each
            judge = ndtr(judge / np.sqrt(2))
        ones = np.ones(setting.prompts, np.int64)
        weights = np.concatenate(list(multiplicities(ones, RESAMPLES, rng)))
        found = differences(
            mean_scores(scores, np.ones((1, setting.prompts)))[0],
            mean_scores(scores, weights),
            confidence_level=LEVEL,
            n_clusters=setting.prompts,
        )
        first, last = found.places
        above = (judge[:, None] > judge[None, :]).sum(axis=0)
        below = (judge[:, None] < judge[None, :]).sum(axis=0)
        # Of equal systems every place among them is true.
        held = (first <= 1 + above) & (last >= setting.systems - below)
        tallies[0].add(bool(held.all()), float((last - first).mean()))
        gaps = judge[:, None] - judge[None, :]
        near = np.abs(found.gap - gaps) <= found.half + 1e-12
        tallies[1].add(bool(near.all()), float(np.median(found.half[np.isfinite(found.half)])))
    return tallies


def shapes(setting: Setting, runs: int, seed: int) -> list[Tally]:
    """Decisiveness: the shape of the curve from people's win rates to the judge's."""
    tally = Tally("decisiveness", f"{setting} (decisiveness)")
    rng = np.random.default_rng(seed)
    pairs = pairs_of(setting.systems)
    options = Options(aggregations=("mean",), resamples=RESAMPLES)
    for _ in range(runs):
        judge, people = truths(setting, rng)
        # The ease of a prompt cancels between two systems; the noise of each answer is 1.
        gaps = [one[pairs.first] - one[pairs.second] for one in (judge, people)]
        truth = decisiveness(*(ndtr(gap / np.sqrt(2)) for gap in gaps))
        scores = answers(setting, judge, people, rng)
        n = setting.prompts
        names = tuple(map(str, range(setting.systems)))
        contest = Contest(("judge",), names, np.arange(n), n, n, scores[0][None], scores[1][None])
        shape = study(contest, Task(scale="continuous"), options=options).judges[0].decisiveness
        if truth is None or not isinstance(shape, Estimate) or shape.interval is None:
            continue
        # An open end is where the search ends.
        low, high = np.log(np.clip([shape.interval.low, shape.interval.high], *BOUNDS))
        tally.add(bool(low - 1e-9 <= np.log(truth) <= high + 1e-9), high - low)
    return [tally]


PARTS: dict[str, Callable[[Setting, int, int], list[Tally]]] = {
    "tau": tau,
    "price": price,
    "ranges": ranges,
    "decisiveness": shapes,
}
#: What is measured only where it is named: the settings of tau once more.
NAMED = {"price"}
#: Other settings than those of tau, by part.
OWN = {
    "ranges": tuple(
        Setting(prompts, systems, spread, shape, "same", noise=noise)
        for prompts, systems in ((8, 8), (20, 20), (40, 30), (200, 20))
        for spread, shape, noise in ((0.1, "equal", "normal"), (0.3, "normal", "binary"))
    ),
    "decisiveness": tuple(
        Setting(prompts, systems, spread, "normal", relation)
        for prompts, systems, spread in ((100, 4, 0.05), (100, 8, 0.3), (50, 12, 0.6))
        for relation in ("same", "0.8")
    ),
}


#: The same after the method stood.
OWN_LAST = {
    "ranges": tuple(
        Setting(prompts, systems, spread, shape, "same", noise=noise)
        for prompts, systems in ((12, 6), (30, 15), (100, 40))
        for spread, shape, noise in ((0.1, "equal", "unequal"), (0.2, "skewed", "normal"))
    ),
    # Of six others (uniform, "0.9" or "liked") one had fallen short with .89, before the basic
    # interval was in the hull.
    "decisiveness": tuple(
        Setting(prompts, systems, spread, shape, relation)
        for prompts, systems, spread, shape, relation in (
            (90, 7, 0.2, "skewed", "liked"),
            (200, 12, 0.3, "heavy", "0.7"),
            (70, 9, 0.5, "normal", "liked"),
            (120, 5, 0.12, "even", "bent"),
        )
    ),
}


@dataclass(frozen=True)
class Chosen:
    """The settings of tau, and those of the other parts."""

    settings: Sequence[Setting]
    own: Mapping[str, Sequence[Setting]]


def measured(names: Sequence[str], chosen: Chosen, runs: int, seed: int) -> Iterator[Tally]:
    for name in names:
        for setting in chosen.own.get(name, chosen.settings):
            yield from PARTS[name](setting, runs, seed)


#: A strip of the picture for each of what is counted.
STRIPS = {
    "tau": "Kendall's tau with people's order",
    "places": "ranks of all systems at once",
    "differences": "all differences at once",
    "decisiveness": "decisiveness",
}


def drawn(tallies: Sequence[Tally], path: str) -> None:
    rows = [
        Row(label, [one.coverage for one in tallies if one.name == name])
        for name, label in STRIPS.items()
    ]
    picture(path, "Orders of systems: coverage of 95 % intervals", rows, least=0.8)


def printed(path: str) -> Iterator[Tally]:
    """What was counted, from rows that were printed."""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("| "):
            setting, coverage, _ = (cell.strip() for cell in line.strip("|").split("|"))
            name = next((one for one in STRIPS if setting.endswith(f"({one})")), "tau")
            share = float(coverage.split()[0])
            yield Tally(name, setting, round(share * 1000), 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--last", action="store_true")
    parser.add_argument("--picture", help="an SVG file to draw")
    parser.add_argument("--rows", nargs="*", help="files with rows printed before, to draw only")
    parser.add_argument("--sample", type=int, help="so many settings of the grid, at random")
    options = parser.parse_args()
    if options.rows:
        drawn([one for path in options.rows for one in printed(path)], options.picture)
        return
    settings = [*FRESH, *AGAIN] if options.fresh else list(LAST if options.last else GRID)
    if options.sample:
        order = np.random.default_rng(options.seed).permutation(len(settings))
        settings = [settings[i] for i in order[: options.sample]]
    start = time.time()
    chosen, tallies = Chosen(settings, OWN_LAST if options.last else OWN), []
    for one in measured(
        options.parts or [name for name in PARTS if name not in NAMED],
        chosen,
        options.runs,
        options.seed,
    ):
        print(one.row(), flush=True)
        tallies.append(one)
    if options.picture:
        drawn(tallies, options.picture)
    print(f"{time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
