"""Lapses: raters who give another answer than the one they hold (the paper's matrix E).

A person who is asked the same question twice and answers differently has lapsed at least once. With
lapses at one rate, independent of each other and of the item, to other options in a declared
proportion, E is known up to that rate, and the share of equal pairs of answers by one person,

    P(same) = sum_o p*_o sum_v E_vo^2,   p* = E^-1 p,   p the shares of all answers,

gives it. That is the identified case: repeats, and a declared leaning (none, or all lapses towards
the counted options, or away from them). Without repeats, several raters bound the rate: were all
that they differ by lapses, the agreement of two people would stand in the place of P(same); the
rate is at most what that gives, and may be 0.

Known the rate, people's stable shares of an item are E^-1 times the observed ones (theorem 3.3;
what falls outside 0 to 1 is cut), and every definition is computed again on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Repeats
from goldassay.formulas.distributions import Definition
from goldassay.formulas.rating_model import lapses
from goldassay.formulas.rating_vectors import Side, normalised, side
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cautious_design_effect_of_share
from goldassay.inference.proportions import binomial
from goldassay.questions.audit.sensitivity import Judged, Sweep, sweep
from goldassay.questions.audit.sides import Sides
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["LEANINGS", "Lapses", "error_rate", "rater_error", "stable_people", "study_lapses"]

Array = NDArray[np.float64]

#: Rates that are swept, as far as people's agreement leaves room for them; more is no rating.
RATES = (0.0, 0.05, 0.1, 0.2, 0.3)
#: 0: to every other option alike; 1, -1: always towards, always away from, the counted options.
LEANINGS = (0.0, 1.0, -1.0)
#: Leanings between which the rate is bounded.
GRID = np.linspace(-1, 1, 9)
STEPS = 1000
#: A matrix of lapses with a smaller determinant cannot be turned back.
LEAST = 1e-6


def error_rate(
    same: float, shares: Array, options: tuple[int, ...] = (0,), leaning: float = 0.0
) -> float | None:
    """The rate of lapses that makes two answers of one person equal with probability `same`.

    None where no rate does: answers as unequal as if given by chance.
    """
    found, reached = _solved(same, shares, options, leaning)
    return found if reached else None


def _solved(
    same: float, shares: Array, options: tuple[int, ...], leaning: float
) -> tuple[float, bool]:
    """The rate, and whether `same` was reached; else the last rate that such shares can have."""
    members = np.eye(len(shares))
    # Without a leaning, beyond (K - 1) / K a lapse would tell the truth.
    most = (len(shares) - 1) / len(shares) if leaning == 0 else 1.0
    rates = np.linspace(0, most, STEPS, endpoint=False)
    # E is linear in the rate; the first rate that cannot be, and all beyond, are left out.
    error = members + rates[:, None, None] * (lapses(members, 1.0, leaning, options) - members)
    error = error[: _leading(np.asarray(np.linalg.det(error) >= LEAST))]
    stable = np.linalg.solve(error, shares[:, None])[..., 0]
    kept = slice(_leading(np.all(stable >= -1e-9, axis=-1)))
    gaps = ((stable * (error**2).sum(1)).sum(-1) - same)[kept].tolist()
    below = np.flatnonzero(np.array(gaps) <= 0)
    if not len(below):
        return float(rates[len(gaps) - 1]), False
    at = int(below[0])
    if at == 0:
        return 0.0, True
    before, after = gaps[at - 1], gaps[at]
    return float(rates[at - 1] + (rates[at] - rates[at - 1]) * before / (before - after)), True


def _leading(true: NDArray[np.bool_]) -> int:
    """How many are true before the first that is not."""
    return len(true) if true.all() else int(np.argmin(true))


def rater_error(
    repeats: Repeats | None, counts: Array, options: tuple[int, ...], level: float
) -> Result:
    """The rate of lapses of people: estimated from repeats, or bounded by several raters.

    `counts` (U, K) are people's forced choices. The interval of the estimate is that of the share
    of equal repeats, with their clusters' design effect; bounds over every leaning are declared.
    """
    total = counts.sum()
    items = int((counts.sum(-1) > 0).sum())
    if total == 0:
        return Undefined("rater_error", "people made no single choice", items)
    shares = counts.sum(0) / total
    if repeats is not None:
        same, (low, high) = _share(repeats.alike, repeats.pairs, level)
        value = error_rate(same, shares, options)
        if value is None:
            reason = "people's repeats are as unequal as if given by chance"
            return Undefined("rater_error", reason, items)
        ends = [error_rate(one, shares, options) for one in (high, low)]
        over = [error_rate(same, shares, options, float(one)) for one in GRID]
        known = [one for one in over if one is not None]
        interval = Interval(
            ends[0] or 0.0,
            ends[1] if ends[1] is not None else 1.0,
            level,
            "share of equal repeats, hedged, with the clusters' design effect",
        )
        declared = {
            "repeats": int(repeats.pairs.sum()),
            "leaning": 0,
            "least_over_leanings": min(known),
            "most_over_leanings": max(known),
        }
        assumed = (
            "lapses are independent of each other and of the item, and go to every other option "
            "alike; what a rater holds does not change between repeats",
        )
        return Estimate("rater_error", value, interval, items, 0, declared, assumed)
    n = counts.sum(-1)
    pairs, alike = n * (n - 1) / 2, (counts * (counts - 1) / 2).sum(-1)
    if not (pairs > 0).any():
        return Undefined("rater_error", "nobody was asked twice, and no item has two raters", items)
    _, (low, _) = _share(alike, pairs, level)
    most = max(_solved(low, shares, options, float(one))[0] for one in GRID)
    return Undefined(
        "rater_error",
        "nobody was asked twice: how much of what raters differ by is lapses cannot be told",
        items,
        Interval(0.0, most, level, "bound: all that two raters differ by would be lapses"),
    )


def _share(alike: Array, pairs: Array, level: float) -> tuple[float, tuple[float, float]]:
    """A share of pairs by cluster, and its interval."""
    some = pairs > 0
    hits, sizes = alike[some], pairs[some]
    effect = float(cautious_design_effect_of_share(hits, sizes, np.ones(len(hits), np.int64)))
    effect = max(1.0, effect) if np.isfinite(effect) else 1.0
    n = sizes.sum() / effect
    share = float(hits.sum() / sizes.sum())
    low, high = binomial(share * n, n, confidence_level=level)
    return share, (float(low), float(high))


def stable_people(sides: Sides, rate: float, leaning: float) -> Side:
    """People without their lapses: E^-1 of the observed shares, cut to 0 to 1.

    Of the items that stand for all (`Sides.alike`).
    """
    counted, options, items = sides.counted, sides.reading.counted or (0,), sides.alike.items

    def stable(counts: Array, members: Array) -> Array:
        error = lapses(members, rate, leaning, options)
        return normalised((normalised(counts) @ np.linalg.inv(error).T).clip(0))

    return side(
        stable(counted.human_forced[items], np.eye(len(counted.options))),
        stable(counted.human_sets[items], sides.lambda_),
        sides.reverse,
        sides.reading,
    )


@dataclass(frozen=True, slots=True)
class Lapses:
    """The rate of people's lapses, and who would be selected without them."""

    rate: Result
    declared: bool
    #: By leaning: the definitions and the downstream target at every rate swept.
    sweeps: Mapping[float, Sweep]

    @property
    def contested(self) -> bool:
        """Whether there is a best judge to begin with, and another that is not as good."""
        found = list(self.sweeps.values())
        known = bool(found) and found[0].winner[0] >= 0
        return known and not all(bool(one.level.all()) for one in found)

    @property
    def flips(self) -> Iterator[tuple[float, float, int]]:
        """Leaning, rate and judge wherever another judge becomes the best."""
        for leaning, found in self.sweeps.items():
            for rate, winner in zip(found.steps, found.winner, strict=True):
                if winner >= 0 and winner != found.winner[0]:
                    yield leaning, rate, int(winner)


def study_lapses(
    sides: Sides,
    shared: Sides | None,
    definitions: Sequence[Definition],
    target: Definition,
    repeats: Repeats | None,
    declared: float | None,
) -> Lapses:
    """What lapses are, and what they do to the choice of a judge, on the items that all share."""
    counts = sides.counted.human_forced
    options, level = sides.reading.counted or (0,), sides.task.confidence_level
    if declared is not None:
        rate: Result = Estimate("rater_error", declared, None, len(counts), 0, {"declared": True})
    else:
        rate = rater_error(repeats, counts, options, level)
    steps = _steps(rate)
    sweeps = {}
    if shared is not None and len(sides.counted.judges) > 1 and len(steps) > 1:
        alike = shared.alike
        judged = Judged(shared.judge.at(alike.items), alike.made, alike.times)
        for leaning in LEANINGS:
            people = (stable_people(shared, rate, leaning) for rate in steps)
            sweeps[leaning] = sweep(steps, people, judged, definitions, target)
    return Lapses(rate, declared is not None, sweeps)


def _steps(rate: Result) -> tuple[float, ...]:
    """The rates to sweep: those that the data leave open, and the one that is known."""
    most = rate.interval.high if rate.interval else None
    known = {rate.value} if isinstance(rate, Estimate) else set()
    if known and not most:
        return tuple(sorted({0.0, *known}))
    top = RATES[-1] if most is None else most
    inside = {one for one in RATES if one <= top} | ({round(top, 3)} if top < RATES[-1] else set())
    return tuple(sorted({0.0, *known, *inside}))
