"""Which system is better: every difference of true rates, its verdict, and what would tell more.

Systems are compared on the same prompts. For each judge the true rate (mean, win rate) of every
system is that of `estimate`; a difference of two has the limits of `inference/contrasts.py`, and
all differences of a judge hold at once. With slices, the differences within all of them are one
family more, and so is what each has over the difference of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.inference.contrasts import Contrasts, Family, Recovered, family_of, pairs_of
from goldassay.questions.compare.estimates import Estimates, Joint, Kinds, stacked
from goldassay.questions.compare.needed import Needed, Spent, Spread, labels_needed
from goldassay.questions.estimate.subject import Subject
from goldassay.results import Estimate, Interval, Result, Row, Undefined

__all__ = [
    "Asked",
    "CompareStudy",
    "JudgeComparison",
    "Measure",
    "Pair",
    "SlicePair",
    "Systems",
    "Verdict",
    "compared",
    "verdict_of",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

Verdict = Literal["better", "no worse", "worse", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Measure:
    """What is compared: the name of a system's result, in words, and whether it is a rate."""

    name: str
    words: str
    rate: bool


RATE = Measure("prevalence", "true rate", True)
MEAN = Measure("mean_score", "true mean score", False)
WINS = Measure("win_rate", "true win rate", True)


@dataclass(frozen=True, slots=True)
class Asked:
    """The level, how much worse is no worse, the system that others are held against, the seed."""

    confidence_level: float = 0.95
    margin: float | None = None
    baseline: str | None = None
    seed: int = 1


@dataclass(frozen=True)
class Pair:
    """One system less another (`system` less `opponent`)."""

    system: str
    opponent: str
    difference: Result
    judge: Result
    labels: Result
    p_value: float | None
    #: That it is worse by the margin or more, one-sided.
    p_no_worse: float | None
    verdict: Verdict
    needed: Needed | None = None

    @property
    def turned(self) -> bool:
        """The judge's own difference has the other sign than the true one surely has."""
        gap, own = self.difference, self.judge
        if not isinstance(gap, Estimate) or not isinstance(own, Estimate) or gap.interval is None:
            return False
        return (gap.interval.low > 0 > own.value) or (gap.interval.high < 0 < own.value)

    @property
    def sign_differs(self) -> bool:
        """The corrected difference and the judge's own point in different directions."""
        gap, own = self.difference, self.judge
        if not isinstance(gap, Estimate) or not isinstance(own, Estimate):
            return False
        return gap.value * own.value < 0


@dataclass(frozen=True)
class SlicePair:
    """A pair within one slice, and what its difference has over that of the whole."""

    slice: str
    pair: Pair
    beyond: Result
    p_beyond: float | None

    @property
    def differs(self) -> bool:
        return self.beyond.interval is not None and 0 not in self.beyond.interval


@dataclass(frozen=True)
class Systems:
    """The systems of a study, and of its slices.

    `whole` has one estimate for each system, `sliced` those of all systems in the first slice,
    then in the second, over the same clusters. `joint` and `joint_sliced` give limits of
    differences where these are not recovered from the estimates' own (shared labels).
    """

    measure: Measure
    systems: tuple[str, ...]
    whole: Kinds
    #: Each system's result as `estimate` has it.
    results: tuple[Result, ...]
    method: str
    assumption: str
    joint: Joint | None = None
    column: str | None = None
    slices: tuple[str, ...] = ()
    sliced: Kinds | None = None
    joint_sliced: Joint | None = None
    #: Labels are those of all systems together.
    shared: bool = False
    n_clusters: int = 0
    #: Where further labels are best spent.
    spent: Spent | None = None


@dataclass(frozen=True)
class JudgeComparison:
    """All differences that one judge and people's labels tell, the most certain first."""

    subject: Subject
    systems: Systems
    asked: Asked
    pairs: tuple[Pair, ...]
    slices: tuple[SlicePair, ...]
    #: How many differences hold at once; of slices likewise.
    family: int
    slice_family: int

    @property
    def measure(self) -> Measure:
        return self.systems.measure

    @property
    def order(self) -> list[int]:
        """Systems by their true rate, highest first; those without one last."""
        value = np.nan_to_num(self.systems.whole.corrected.value, nan=-np.inf)
        return [int(i) for i in np.argsort(-value, kind="stable")]

    @property
    def leaders(self) -> tuple[str, ...]:
        """The first system and those that cannot be told from it."""
        names, value = self.systems.systems, self.systems.whole.corrected.value
        first = self.order[0]
        if math.isnan(value[first]):
            return ()
        below = {
            (pair.opponent if pair.system == names[first] else pair.system)
            for pair in self.pairs
            if names[first] in (pair.system, pair.opponent) and _apart(pair)
        }
        known = [names[i] for i in self.order if not math.isnan(value[i])]
        return tuple(name for name in known if name not in below)

    @property
    def certainty(self) -> float:
        """The length of the mean interval: a judge whose differences are known best comes first."""
        lengths = [_length(pair.difference) for pair in self.pairs]
        return float(np.mean(lengths)) if lengths else math.inf

    def rows(self) -> list[Row]:
        about = self.subject.named
        found = [
            Row(result, {**about, "system": system})
            for system, result in zip(self.systems.systems, self.systems.results, strict=True)
        ]
        for pair in self.pairs:
            found += _pair_rows(pair, about)
        for one in self.slices:
            where = {**about, str(self.systems.column): one.slice}
            found += _pair_rows(one.pair, where)
            both = {"system": one.pair.system, "opponent": one.pair.opponent}
            found.append(Row(one.beyond, {**where, **both}))
        return found


@dataclass(frozen=True)
class CompareStudy:
    """What every judge says, the one whose differences are known best first."""

    judges: tuple[JudgeComparison, ...]
    asked: Asked
    design: str | None
    #: What is compared, as "prompt" or "item": what the pairs share.
    paired_by: str

    def rows(self) -> tuple[Row, ...]:
        return tuple(row for one in self.judges for row in one.rows())

    def comparisons(self) -> list[dict[str, Any]]:
        """Every difference with its p-value and verdict, as plain records."""
        return [
            {
                **one.subject.named,
                **({str(one.systems.column): name} if name else {}),
                "system": pair.system,
                "opponent": pair.opponent,
                "verdict": pair.verdict,
                "p_value": pair.p_value,
                "p_no_worse": pair.p_no_worse,
                "needed": pair.needed.to_json() if pair.needed else None,
            }
            for one in self.judges
            for name, pair in (
                *((None, pair) for pair in one.pairs),
                *((part.slice, part.pair) for part in one.slices),
            )
        ]


def _pair_rows(pair: Pair, about: Mapping[str, str]) -> list[Row]:
    both = {**about, "system": pair.system, "opponent": pair.opponent}
    return [Row(one, both) for one in (pair.difference, pair.judge, pair.labels)]


def _apart(pair: Pair) -> bool:
    return pair.difference.interval is not None and 0 not in pair.difference.interval


def _length(result: Result) -> float:
    known = isinstance(result, Estimate) and result.interval is not None
    return result.interval.length if known and result.interval is not None else math.inf


def verdict_of(low: float, high: float, margin: float | None) -> Verdict:
    """What an interval of `system` less `opponent` says.

    Better above 0; no worse above the margin's lower side, though it may lie below 0; worse below
    0.
    """
    if low > 0:
        return "better"
    if margin is not None and low > -margin:
        return "no worse"
    return "worse" if high < 0 else "cannot tell"


def compared(subject: Subject, systems: Systems, asked: Asked) -> JudgeComparison:
    """All differences of one judge, and those of its slices."""
    both = _both(systems, asked)
    pairs, family = _pairs(systems, asked, systems.whole, both, systems.joint)
    slices: list[SlicePair] = []
    slice_family = 0
    if systems.sliced is not None:
        slices, slice_family = _slices(systems, asked, both)
    return JudgeComparison(
        subject, systems, asked, tuple(pairs), tuple(slices), family.size, slice_family
    )


def _both(systems: Systems, asked: Asked) -> list[tuple[int, int]]:
    """The pairs (system, opponent): each with the baseline, or the later name less the earlier."""
    if asked.baseline is None:
        return [(b, a) for a, b in combinations(range(len(systems.systems)), 2)]
    base = systems.systems.index(asked.baseline)
    return [(s, base) for s in range(len(systems.systems)) if s != base]


def _pairs(
    systems: Systems,
    asked: Asked,
    kinds: Kinds,
    both: Sequence[tuple[int, int]],
    joint: Joint | None,
) -> tuple[list[Pair], Family]:
    """A pair for each of `both`, indices of estimates; all hold at once."""
    value = kinds.corrected.value
    defined = [k for k, (a, b) in enumerate(both) if not math.isnan(value[a] - value[b])]
    index = np.array([both[k] for k in defined], np.int64).reshape(-1, 2)
    contrasts = pairs_of(index[:, 0], index[:, 1])
    together = kinds.corrected.recovered
    family = _family(contrasts, together, asked)
    critical, level = family.critical(asked.confidence_level), family.level(asked.confidence_level)
    source: Joint = together if joint is None else joint
    low, high = source.contrast_limits(contrasts, level)
    above, below = source.distances(contrasts, exact_at=critical)
    margin = asked.margin
    no_worse = (
        source.distances(contrasts, -margin, exact_at=critical)[0] if margin is not None else None
    )
    beside = [
        _beside(one, both, name, level, systems, asked)
        for one, name in (
            (kinds.judge, "difference_naive"),
            (kinds.labels, "difference_labels_only"),
        )
    ]
    found = []
    place = {k: position for position, k in enumerate(defined)}
    for k, (a, b) in enumerate(both):
        names = _name(systems, a), _name(systems, b)
        items = round(min(kinds.items[a], kinds.items[b]))
        if k not in place:
            reason = _missing(systems, kinds, a, b)
            gap: Result = Undefined("difference", reason, items)
            found.append(Pair(*names, gap, beside[0][k], beside[1][k], None, None, "cannot tell"))
            continue
        at = place[k]
        gap_value = float(value[a] - value[b])
        ends = min(float(low[at]), gap_value), max(float(high[at]), gap_value)
        verdict = verdict_of(*ends, margin)
        p = family.tail(max(float(above[at]), float(below[at])))
        p_no_worse = None if no_worse is None else family.tail(float(no_worse[at])) / 2
        declared: dict[str, Any] = {"p_value": p, "verdict": verdict, "simultaneous": family.size}
        if margin is not None:
            declared |= {"margin": margin, "p_no_worse": p_no_worse}
        gap = Estimate(
            "difference",
            gap_value,
            Interval(*ends, asked.confidence_level, systems.method),
            items,
            systems.n_clusters,
            declared=declared,
            assumptions=(systems.assumption,),
        )
        needed = None
        if verdict == "cannot tell":
            needed = labels_needed(
                kinds.corrected,
                (a, b),
                gap_value,
                Spread(
                    float(contrasts.variance(together.covariance(level))[at]),
                    float(kinds.items[a]),
                    float(kinds.labelled[a] + kinds.labelled[b]) / 2,
                    critical,
                ),
                margin,
            )
        found.append(Pair(*names, gap, beside[0][k], beside[1][k], p, p_no_worse, verdict, needed))
    return found, family


def _name(systems: Systems, index: int) -> str:
    return systems.systems[index % len(systems.systems)]


def _family(contrasts: Contrasts, together: Recovered, asked: Asked) -> Family:
    if not len(contrasts):
        return Family(1, None)
    return family_of(contrasts, together.covariance(asked.confidence_level), seed=asked.seed)


def _missing(systems: Systems, kinds: Kinds, a: int, b: int) -> str:
    """Why there is no difference: which system lacks what."""
    value = kinds.corrected.value
    lacking = [i for i in (a, b) if math.isnan(value[i])]
    names = " and ".join(_name(systems, i) for i in lacking)
    labels = min(int(kinds.labelled[i]) for i in lacking)
    if labels < 2:
        return f"{names}: {labels} labelled items; label at least 2, better 30, of each system"
    return f"{names}: the labels do not tell the true rate here"


def _beside(
    estimates: Estimates | None,
    both: Sequence[tuple[int, int]],
    name: str,
    level: float,
    systems: Systems,
    asked: Asked,
) -> list[Result]:
    """Differences of another kind of estimate, with the level of the family's."""
    if estimates is None:
        reason = "labels that were not drawn at random from the pool say nothing by themselves"
        return [Undefined(name, reason) for _ in both]
    index = np.array(both, np.int64).reshape(-1, 2)
    contrasts = pairs_of(index[:, 0], index[:, 1])
    low, high = estimates.recovered.contrast_limits(contrasts, level)
    found: list[Result] = []
    for k, (a, b) in enumerate(both):
        value = float(estimates.value[a] - estimates.value[b])
        if math.isnan(value):
            found.append(Undefined(name, "a system has no such rating"))
            continue
        ends = min(float(low[k]), value), max(float(high[k]), value)
        interval = Interval(*ends, asked.confidence_level, "paired by prompt, simultaneous")
        found.append(Estimate(name, value, interval, n_clusters=systems.n_clusters))
    return found


def _slices(
    systems: Systems, asked: Asked, both: Sequence[tuple[int, int]]
) -> tuple[list[SlicePair], int]:
    """Pairs within slices, one family; and their differences from the whole, one family more."""
    assert systems.sliced is not None
    size, sliced = len(systems.systems), systems.sliced
    inside = [(t * size + a, t * size + b) for t in range(len(systems.slices)) for a, b in both]
    pairs, family = _pairs(systems, asked, sliced, inside, systems.joint_sliced)
    together = stacked([systems.whole.corrected, sliced.corrected])
    beyond = [(size + a, size + b, a % size, b % size) for a, b in inside]
    index = np.array(beyond, np.int64).reshape(-1, 4)
    weight = np.broadcast_to(np.array([1.0, -1.0, -1.0, 1.0]), index.shape)
    known = ~np.isnan(together.value[index].sum(1))
    contrasts = Contrasts(index[known], weight[known])
    recovered = together.recovered
    apart = _family(contrasts, recovered, asked)
    level, critical = apart.level(asked.confidence_level), apart.critical(asked.confidence_level)
    low, high = recovered.contrast_limits(contrasts, level)
    above, below = recovered.distances(contrasts, exact_at=critical)
    place = {int(k): at for at, k in enumerate(np.flatnonzero(known))}
    found = []
    for k, pair in enumerate(pairs):
        name = systems.slices[k // len(both)]
        if k not in place:
            reason = "the difference is not known in this slice, or in the whole"
            beyond_result: Result = Undefined("difference_from_whole", reason)
            found.append(SlicePair(name, pair, beyond_result, None))
            continue
        at = place[k]
        value = float(contrasts.of(np.nan_to_num(together.value))[at])
        p = apart.tail(max(float(above[at]), float(below[at])))
        beyond_result = Estimate(
            "difference_from_whole",
            value,
            Interval(
                min(float(low[at]), value),
                max(float(high[at]), value),
                asked.confidence_level,
                "MOVER with covariance, simultaneous",
            ),
            pair.difference.n_items,
            systems.n_clusters,
            declared={"p_value": p, "simultaneous": apart.size},
        )
        found.append(SlicePair(name, pair, beyond_result, p))
    return found, family.size
