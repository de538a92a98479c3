"""Records of a comparison: systems, pairs of them, slices, and all of it by judge.

Systems are compared on the same prompts. For each judge the true rate (mean, win rate) of every
system is that of `estimate`; a difference of two has the limits of `inference/contrasts.py`, and
all differences of a judge hold at once. With slices, the differences within all of them are one
family more, and so is what each has over the difference of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import TieRule
from goldassay.frozen import dataclass
from goldassay.questions.compare.best_judge import BestJudge
from goldassay.questions.compare.estimates import Kinds
from goldassay.questions.compare.needed import Needed, Spent
from goldassay.questions.estimate.label_use import LabelUse, Lengths
from goldassay.questions.estimate.shift import ShiftTest
from goldassay.questions.estimate.subject import Subject
from goldassay.questions.estimate.together import Estimates
from goldassay.results import Estimate, Result, Row

__all__ = [
    "MEAN",
    "RATE",
    "WINS",
    "Asked",
    "CompareStudy",
    "JudgeComparison",
    "Measure",
    "Pair",
    "SlicePair",
    "Systems",
    "Verdict",
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
    #: The smallest level at which the interval lies above a loss of the margin.
    p_no_worse: float | None
    verdict: Verdict
    needed: Needed | None = None

    @property
    def apart(self) -> bool:
        """Whether its interval excludes 0."""
        return self.difference.interval is not None and 0 not in self.difference.interval

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
    then in the second, over the same clusters. `if_shared` are the rates as labels of all systems
    would correct them, where their own do.
    """

    measure: Measure
    systems: tuple[str, ...]
    whole: Kinds
    #: Each system's result as `estimate` has it.
    results: tuple[Result, ...]
    method: str
    assumption: str
    #: Whose labels correct each system, of two options.
    use: LabelUse | None = None
    if_shared: Estimates | None = None
    column: str | None = None
    slices: tuple[str, ...] = ()
    sliced: Kinds | None = None
    #: Every item of every system is labelled: nothing is corrected.
    complete: bool = False
    #: What a tie is for win rates, where there are any.
    ties: TieRule | None = None
    n_clusters: int = 0
    #: Two systems whose win rates rest on different opponents.
    uneven: tuple[str, str] | None = None
    #: Where further labels are best spent.
    spent: Spent | None = None
    #: Outputs of each system that the judge was asked about, and those without a verdict of it;
    #: none are listed where all items are labelled, or every one has a verdict.
    asked: tuple[int, ...] = ()
    undecided: tuple[int, ...] = ()
    #: The judge scores on another scale than people: only the signs of its differences compare.
    other_scale: bool = False
    #: Whether labelled and other items of a system get the same verdicts, where that is tested.
    shifts: Mapping[str, ShiftTest] = field(default_factory=dict)

    @property
    def shared(self) -> bool:
        """Whether labels of all systems correct each."""
        return self.use is not None and self.use.shared

    @property
    def uncorrected(self) -> bool:
        """Whether every system that has a number has a label of each of its items."""
        labelled, items = self.whole.labelled, self.whole.items
        return self.complete or (
            not self.shared and bool(((labelled <= 0) | (labelled >= items)).all())
        )

    @property
    def estimator(self) -> str | None:
        """The estimator of rates of two options, by name."""
        return None if self.use is None else self.use.estimator.name


@dataclass(frozen=True, slots=True)
class UnlikeOthers:
    """A judge whose verdicts refute that the labelled items of a system are like the others."""

    judge: str
    system: str
    option: str
    shift: ShiftTest


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
    #: What labels of all systems would make of the intervals, where own ones are used.
    lengths: Lengths | None = None
    #: Who says surest that the labels were not drawn at random, though declared so.
    unlike_others: UnlikeOthers | None = None

    @property
    def criterion(self) -> str:
        """Its criterion in words."""
        return self.subject.criterion or "no criterion"

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
            if names[first] in (pair.system, pair.opponent) and pair.apart
        }
        known = [names[i] for i in self.order if not math.isnan(value[i])]
        return tuple(name for name in known if name not in below)

    @property
    def certainty(self) -> tuple[int, float, int]:
        """How many differences are unknown, and the mean length of the intervals of the others.

        A judge whose differences are known best comes first; of equal ones (every item is labelled)
        the one with the fewest pairs the wrong way round.
        """
        lengths = [_length(pair.difference) for pair in self.pairs]
        known = [length for length in lengths if math.isfinite(length)]
        length = round(float(np.mean(known)), 12) if known else math.inf
        turned = sum(pair.turned or pair.sign_differs for pair in self.pairs)
        return len(lengths) - len(known), length, turned

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
    """What every judge says: the best of them first, then by how well differences are known."""

    judges: tuple[JudgeComparison, ...]
    asked: Asked
    design: str | None
    #: What is compared, as "prompt" or "item": what the pairs share.
    paired_by: str
    #: The judge that agrees best with people, which comes first; None of one judge.
    best: BestJudge | None = None
    #: Units that no person rated (None where that is not known), and those that people rated and
    #: left without a label.
    unrated: int | None = None
    without_label: int = 0

    @property
    def chosen(self) -> BestJudge | None:
        """Why the first judge is the first, where it is the best of several."""
        first = self.judges[0].subject.judge
        return self.best if self.best is not None and self.best.judge == first else None

    @property
    def leading(self) -> tuple[JudgeComparison, ...]:
        """Of each criterion, in the order of their names, the judge that comes first."""
        first: dict[str, JudgeComparison] = {}
        for one in self.judges:
            first.setdefault(one.subject.criterion or "", one)
        return tuple(first[criterion] for criterion in sorted(first))

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
