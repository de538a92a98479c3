"""Studies drawn at random, through the public functions, with the rows that a user has.

    python benchmarks/probe_verbs.py VERB [--settings N] [--runs N] [--again N] [--seed S]

VERB is agree, estimate, compare, replace or certify. A setting draws how many items, in how many
clusters of which sizes, how many options and how rare the rarest is, how good and how silent the
judge is, what an abstention counts as, how many people rated and what they left out, which weights
items have, and how the labelled ones were drawn. The truth of each number is what the same function
says of some 12,000 items of that kind which people rated all of. What looks low is run again, and
printed with the share of samples that had a warning at the number and how the others covered.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from coverage_verbs import Flags, Floats, Ints, Rng, Rows, level, rated, together
from scipy.special import expit

import goldassay
from goldassay.results import Estimate, Result

MANY = 12_000

#: Numbers with an interval that speak of these very items, or of how the study was made.
NOT_OF_ALL = {"chance_agreement", "coverage", "prevalence_of_pool", "winning_rate"}
#: Beginnings of the names of what other estimators say, which are shown for comparison.
OTHERS = ("prevalence_", "mean_score_", "difference_")


@dataclass(frozen=True)
class World:
    """Items, a judge and people."""

    items: int
    clusters: int
    sizes: str
    shares: tuple[float, ...]
    alike: float
    hard: float
    right: float
    tilt: float
    silent: float
    people: int
    careful: float
    missing: float
    speechless: float
    abstentions: str
    reference: str
    weights: float
    calibration: str
    labels: int

    @classmethod
    def drawn(cls, rng: Rng, verb: str) -> World:
        clusters = int(rng.choice((0, 0, 8, 14, 25, 60)))
        items = int(np.exp(rng.uniform(np.log(30), np.log(400))))
        options = int(rng.choice((2, 2, 3, 4)))
        rare = np.exp(rng.uniform(np.log(0.03), np.log(0.4)))
        rest = rng.dirichlet(np.full(options - 1, 3.0)) * (1 - rare)
        people = int(rng.choice((1, 2, 3, 5))) if verb != "replace" else int(rng.integers(2, 6))
        draws = {
            "agree": ("", "", "random", "by_verdict"),
            "estimate": ("random", "by_verdict", "by_label", "separate"),
            "compare": ("random", "by_verdict"),
            "certify": ("random", "by_verdict"),
            "replace": ("",),
        }[verb]
        silent = float(rng.choice((0, 0.05, 0.2)))
        return cls(
            items=max(items, 4 * clusters),
            clusters=clusters,
            sizes=str(rng.choice(("equal", "Poisson", "geometric"))),
            shares=(float(rare), *map(float, rest)),
            alike=float(rng.choice((0, 0.4, 1.0))) if clusters else 0.0,
            hard=float(rng.choice((0, 0.7, 1.5))),
            right=float(rng.uniform(0.5, 3.5)),
            tilt=float(rng.normal(0, 0.6)),
            silent=silent,
            people=people,
            careful=float(rng.uniform(1.5, 4)),
            missing=float(rng.choice((0, 0.3))) if people > 1 else 0.0,
            speechless=float(rng.choice((0, 0.05))) if people == 1 and verb != "estimate" else 0.0,
            abstentions=str(rng.choice(("exclude", "recode", "class"))) if silent else "exclude",
            reference=str(rng.choice(("majority", "each"))) if people > 1 else "majority",
            weights=float(rng.choice((0, 0, 0.4, 0.8))),
            calibration=str(rng.choice(draws)),
            labels=int(np.exp(rng.uniform(np.log(30), np.log(200)))),
        )

    def many(self) -> World:
        """As many items as tell the truth."""
        times = max(1, MANY // self.items)
        return replace(self, items=self.items * times, clusters=self.clusters * times)

    @property
    def words(self) -> list[str]:
        return ["yes", "no"] if len(self.shares) == 2 else list("abcd"[: len(self.shares)])

    def task(self) -> dict[str, Any]:
        binary = len(self.shares) == 2
        told: dict[str, Any] = {"scale": "binary" if binary else "nominal", "options": self.words}
        told |= {"positive": "yes"} if binary else {}
        told |= {"abstain": [""], "abstentions": self.abstentions, "reference": self.reference}
        told |= {"recode_to": self.words[-1]} if self.abstentions == "recode" else {}
        told |= {"calibration": self.calibration} if self.calibration else {}
        return told | ({"cluster": "cluster"} if self.clusters else {})


@dataclass(frozen=True)
class Drawn:
    """Items one by one."""

    cluster: Ints
    true: Ints
    said: Ints
    people: Ints
    there: Flags
    weight: Floats


def clusters_of(one: World, rng: Rng) -> Ints:
    if not one.clusters:
        return np.arange(one.items)
    mean = one.items / one.clusters
    if one.sizes == "equal":
        size = np.full(one.clusters, round(mean))
    elif one.sizes == "Poisson":
        size = 1 + rng.poisson(mean - 1, one.clusters)
    else:
        size = rng.geometric(1 / mean, one.clusters)
    return np.repeat(np.arange(one.clusters), size)


def chosen(rng: Rng, weight: Floats) -> Ints:
    """One of the last axis, in proportion to its weight."""
    ends = weight.cumsum(-1)
    return np.asarray((rng.random((*ends.shape[:-1], 1)) * ends[..., -1:] > ends).sum(-1))


def noisy(rng: Rng, true: Ints, right: Floats, options: int) -> Ints:
    other = (true + rng.integers(1, options, true.shape)) % options
    return np.where(rng.random(true.shape) < right, true, other)


def drawn(one: World, rng: Rng) -> Drawn:
    cluster, options = clusters_of(one, rng), len(one.shares)
    n = len(cluster)
    held = np.log(one.shares) + np.stack([level(rng, cluster, one.alike) for _ in one.shares], 1)
    true = chosen(rng, np.exp(held))
    hard = one.hard * (0.7 * rng.standard_normal(n) + level(rng, cluster, 0.7))
    said = noisy(rng, true, expit(one.right + one.tilt * (true == 0) - hard), options)
    if one.silent:
        quiet = expit(np.log(one.silent / (1 - one.silent)) + 0.7 * hard + 0.5 * (true == 0))
        said = np.where(rng.random(n) < quiet, -1, said)
    each = np.linspace(-0.4, 0.4, one.people)[:, None] if one.people > 1 else np.zeros((1, 1))
    told = np.broadcast_to(true, (one.people, n))
    people = noisy(rng, told, expit(one.careful + each - 0.5 * hard), options)
    people = np.where(rng.random(people.shape) < one.speechless, -1, people)
    there = rng.random(people.shape) >= one.missing
    weight = np.exp(one.weights * (rng.standard_normal(n) + 0.3 * hard)).round(6)
    return Drawn(cluster, true, said, people, there, weight)


def labelled(one: World, found: Drawn, rng: Rng) -> Flags:
    """Which items people rate."""
    n = len(found.true)
    mix = rng.permutation(n)
    known = np.zeros(n, bool)
    if not one.calibration:
        return ~known
    if one.calibration in ("random", "separate"):
        known[mix[: one.labels]] = True
        return known
    kind = found.said if one.calibration == "by_verdict" else found.true
    kinds = np.unique(kind)
    for value in kinds:
        known[mix[kind[mix] == value][: max(5, one.labels // len(kinds))]] = True
    return known


def rows_of(one: World, found: Drawn, known: Flags, first: int = 0, **more: str) -> Rows:
    told = np.append(np.asarray(one.words), "")
    n = len(found.true)
    where = {"item": np.arange(n) + first, "cluster": found.cluster + first}
    where |= {name: np.full(n, value) for name, value in more.items()}
    if one.weights:
        where["weight"] = found.weight
    if one.calibration == "separate":
        where["split"] = np.where(known, "calibration", "test")
    parts = [rated("j", "judge", told[found.said], **where)]
    for k, given in enumerate(found.people):
        at = known & found.there[k]
        parts.append(
            rated(f"p{k}", "human", told[given[at]], **{c: v[at] for c, v in where.items()})
        )
    return together(*parts)


Key = tuple[str, ...]


def numbers(found: goldassay.Findings) -> dict[Key, Result]:
    shown: dict[Key, Result] = {}
    for row in found.rows:
        about = {of: value for of, value in row.about.items() if of != "judge"}
        name = row.result.name
        if (
            name not in NOT_OF_ALL
            and not name.startswith(OTHERS)
            and about.get("verb") not in ("audit", "select")
        ):
            key = (name, *(f"{n}={v}" for n, v in sorted(about.items())))
            shown.setdefault(key, row.result)
    return shown


def agreed(one: World, rng: Rng, *, truth: bool = False) -> goldassay.Findings:
    found = drawn(one, rng)
    known = np.ones(len(found.true), bool) if truth else labelled(one, found, rng)
    task = one.task()
    if truth:
        task.pop("calibration", None)
    return goldassay.agree(rows_of(replace(one, calibration=""), found, known), task, resamples=600)


def estimated(one: World, rng: Rng, *, truth: bool = False) -> goldassay.Findings:
    """Labels elsewhere are of other items, of which the options are as common as one another."""
    found = drawn(one, rng)
    if truth:
        known = np.ones(len(found.true), bool)
        task = one.task() | {"calibration": "random"}
        return goldassay.estimate(rows_of(replace(one, calibration=""), found, known), task)
    if one.calibration not in ("separate", "by_label"):
        return goldassay.estimate(rows_of(one, found, labelled(one, found, rng)), one.task())
    even = replace(one, shares=tuple(1 / len(one.shares) for _ in one.shares), items=one.labels)
    even = replace(even, clusters=max(6, one.clusters // 2) if one.clusters else 0)
    even = replace(even, items=max(even.items, 3 * even.clusters))
    apart = drawn(even, rng)
    split = replace(one, calibration="separate")
    rows = together(
        rows_of(split, found, np.zeros(len(found.true), bool)),
        rows_of(split, apart, np.ones(len(apart.true), bool), first=10**6),
    )
    return goldassay.estimate(rows, one.task())


def compared(one: World, rng: Rng, *, truth: bool = False) -> goldassay.Findings:
    """Three systems on the same prompts, of which people label unlike numbers."""
    parts = []
    for s, (lean, share) in enumerate(((0.0, 1.0), (0.4, 0.5), (-0.4, 0.25))):
        shares = np.asarray(one.shares) * np.exp(lean * (np.arange(len(one.shares)) == 0))
        own = replace(one, shares=tuple(shares / shares.sum()), sizes="equal")
        own = replace(own, labels=max(12, round(own.labels * share)))
        found = drawn(own, rng)
        known = np.ones(len(found.true), bool) if truth else labelled(own, found, rng)
        part = rows_of(replace(own, calibration=""), found, known, system=f"s{s}")
        part["prompt"] = part["item"]
        parts.append({**part, "item": [f"{s}-{item}" for item in part["item"]]})
    task = one.task() | ({"calibration": "random"} if truth else {})
    return goldassay.compare(together(*parts), task)


def instead(one: World, rng: Rng, *, truth: bool = False) -> goldassay.Findings:
    found = drawn(one, rng)
    return goldassay.replace(rows_of(one, found, labelled(one, found, rng)), one.task())


def certified(one: World, rng: Rng, *, truth: bool = False) -> goldassay.Findings:
    found = drawn(one, rng)
    known = np.ones(len(found.true), bool) if truth else labelled(one, found, rng)
    task = one.task() | ({"calibration": "random"} if truth else {})
    rows = rows_of(replace(one, calibration=""), found, known)
    return goldassay.certify(rows, task, resamples=600, date="2026-01-31")


VERBS: Mapping[str, Callable[..., goldassay.Findings]] = {
    "agree": agreed,
    "estimate": estimated,
    "compare": compared,
    "replace": instead,
    "certify": certified,
}


@dataclass
class Tally:
    held: int = 0
    runs: int = 0
    above: int = 0
    none: int = 0
    warned: int = 0
    silent_held: int = 0
    length: float = 0.0

    def add(self, result: Result, truth: float) -> None:
        interval = result.interval if isinstance(result, Estimate) else None
        if interval is None:
            self.none += 1
            return
        held = interval.low - 1e-9 <= truth <= interval.high + 1e-9
        warned = isinstance(result, Estimate) and bool(result.warnings)
        self.runs, self.held = self.runs + 1, self.held + held
        self.above += truth > interval.high + 1e-9
        self.warned, self.silent_held = (
            self.warned + warned,
            self.silent_held + (held and not warned),
        )
        self.length += interval.high - interval.low

    def share(self, extra: float = 2.0) -> float:
        return self.held / self.runs + extra * np.sqrt(0.05 * 0.95 / self.runs)

    @property
    def short(self) -> bool:
        return self.runs >= 30 and self.share() < 0.93

    def told(self) -> str:
        silent = self.runs - self.warned
        quiet = f"{self.silent_held / silent:.3f} of {silent}" if silent else "-"
        return (
            f"{self.held / self.runs:.3f} of {self.runs} (none {self.none}, truth above"
            f" {self.above}), warned {self.warned / self.runs:.2f}, without {quiet},"
            f" length {self.length / self.runs:.3f}"
        )


def measured(
    one: World, verb: str, truth: Mapping[Key, float], runs: int, seed: int
) -> dict[Key, Tally]:
    rng, tallies = np.random.default_rng(seed), dict[Key, Tally]()
    for _ in range(runs):
        try:
            found = VERBS[verb](one, rng)
        except goldassay.errors.GoldassayError as refused:
            tallies.setdefault(("refused", str(refused)[:90]), Tally()).none += 1
            continue
        for key, result in numbers(found).items():
            if key in truth:
                tallies.setdefault(key, Tally()).add(result, truth[key])
    return tallies


def probe(asked: argparse.Namespace) -> Iterator[str]:
    rng = np.random.default_rng(asked.seed)
    coverages: dict[str, list[float]] = {}
    for k in range(asked.settings):
        one = World.drawn(rng, asked.verb)
        if k < asked.skip:
            continue
        try:
            whole = VERBS[asked.verb](one.many(), np.random.default_rng(k), truth=True)
        except goldassay.errors.GoldassayError as refused:
            yield f"{k} refused: {str(refused)[:200]}"
            continue
        truth = {
            key: result.value
            for key, result in numbers(whole).items()
            if isinstance(result, Estimate)
        }
        tallies = measured(one, asked.verb, truth, asked.runs, 1000 * k + asked.seed)
        for key, tally in tallies.items():
            if key[0] == "refused" and tally.none > asked.runs / 10:
                yield f"{k} refused {tally.none} times: {key[1]}"
        low = [key for key, tally in tallies.items() if tally.short]
        if low and asked.again:
            again = measured(one, asked.verb, truth, asked.again, 1000 * k + asked.seed + 7)
            tallies |= {key: again[key] for key in low if key in again}
        low = [key for key in low if tallies[key].short]
        if low:
            yield f"{k} {asdict(one)}"
        for key in low:
            yield f"    {' '.join(key)}: truth {truth[key]:.3f}, {tallies[key].told()}"
        for key, tally in tallies.items():
            if tally.runs >= 30:
                coverages.setdefault(key[0], []).append(tally.held / tally.runs)
    yield "| Interval | Number | Lowest | Mean |"
    yield "| --- | --- | --- | --- |"
    for name, found in coverages.items():
        yield f"| `{name}` | {len(found)} | {min(found):.3f} | {np.mean(found):.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verb", choices=list(VERBS))
    parser.add_argument("--settings", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0, help="so many settings are drawn only")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--again", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked, start = parser.parse_args(), time.process_time()
    for line in probe(asked):
        print(line, flush=True)
    print(f"{time.process_time() - start:.0f} s")


if __name__ == "__main__":
    main()
