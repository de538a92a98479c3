"""The judged pool by stratum: how many items there are, and what their labels say so far.

A stratum is a verdict of the judge that counts (abstained or invalid ones too where the task makes
them a class of their own), within the task's declared strata if it has any: the very units that
`estimate` counts.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units, Unlabelled, reference_weights, verdict_shares
from goldassay.frozen import dataclass
from goldassay.questions.estimate.counting import Patterns, patterns_of
from goldassay.questions.plan.allocation import next_labels
from goldassay.questions.plan.precision import JudgeRates, Pilot
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = ["Pool", "chosen_units", "plan_exclusions", "pool_of", "strata_of", "two_options"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Pool:
    """Strata [H] of a judge's pool; stratum h is of `verdict[h]`, within `by[h]` ("" if none).

    `column[h]` and `group[h]` are its places among the verdicts and groups of estimate's cells.
    """

    verdict: tuple[str, ...]
    by: tuple[str, ...]
    column: Ints
    group: Ints
    items: Ints
    labelled: Ints
    positives: Array
    called_positive: NDArray[np.bool_]
    #: Items that people rated without a label: they were divided, or abstained.
    unsettled: int = 0
    #: Items without a verdict that counts: no part of the pool.
    undecided: int = 0
    #: The option whose rate is wanted, and the other.
    positive: str = ""
    negative: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        pairs = zip(self.verdict, self.by, strict=True)
        return tuple(" · ".join(filter(None, pair)) for pair in pairs)

    @property
    def left(self) -> int:
        """Items without a label."""
        return int((self.items - self.labelled).sum())

    @property
    def weights(self) -> Array:
        share: Array = self.items / self.items.sum()
        return share

    @property
    def shares(self) -> Array:
        """Share of positive items by stratum, half a success and half a failure added.

        A stratum without labels is at 1/2, the share that asks for the most of them.
        """
        share: Array = (self.positives + 0.5) / (self.labelled + 1)
        return share

    @property
    def rates(self) -> JudgeRates:
        """The true rate and the judge's error rates as the labels so far suggest them."""
        positive, negative = self.items * self.shares, self.items * (1 - self.shares)
        called = self.called_positive
        return JudgeRates.from_cells(
            *(float(of[which].sum()) for of in (positive, negative) for which in (called, ~called))
        )

    @property
    def pilot(self) -> Pilot | None:
        """The labels as a set beside the other items; None where a class has none, or the judge
        says neither yes nor no."""
        called = self.called_positive
        negatives = self.labelled - self.positives
        classes = round(float(self.positives.sum())), round(float(negatives.sum()))
        if min(classes) <= 0 or {*self.verdict} - {self.positive} != {self.negative}:
            return None
        rest = self.items - self.labelled
        return Pilot(
            (int(rest[called].sum()), int(rest.sum())),
            (round(float(self.positives[called].sum())), classes[0]),
            (round(float(negatives[~called].sum())), classes[1]),
        )

    def more(self, labels: int) -> Ints:
        """How the next `labels` labels, drawn by verdict, should fall on the strata."""
        return next_labels(self.items, self.labelled, self.positives, labels)


def two_options(units: Units, judge: str) -> Patterns:
    """A judge's units as `estimate` counts them, labels as not positive and positive."""
    task = units.task
    if len(units.options) == 2:
        return patterns_of(units, judge, by=task.strata)
    patterns = patterns_of(units, judge)
    positive = units.options.index(task.positive) if task.positive is not None else 0
    known = patterns.references[:, :-1]
    rest = known.sum(1) - known[:, positive]
    return replace(
        patterns,
        options=(f"not {units.options[positive]}", units.options[positive]),
        references=np.stack([rest, known[:, positive], patterns.references[:, -1]], axis=1),
    )


def strata_of(patterns: Patterns) -> tuple[Array, Ints]:
    """The distinct (group, verdict) of the used units [H, 2], and the stratum of each of them."""
    rows = patterns.used
    keys = np.column_stack([patterns.group[rows], patterns.shares[rows].argmax(axis=1)])
    distinct, stratum = np.unique(keys, axis=0, return_inverse=True)
    return distinct, stratum.reshape(-1)


def pool_of(patterns: Patterns) -> Pool:
    """The used units by stratum."""
    distinct, stratum = strata_of(patterns)
    n, references = patterns.n[patterns.used].astype(float), patterns.references[patterns.used]
    positive = patterns.options[1]

    def total(amount: Array) -> Array:
        return np.bincount(stratum, weights=amount, minlength=len(distinct)).astype(float)

    group, column = distinct[:, 0].astype(np.int64), distinct[:, 1].astype(np.int64)
    verdict = tuple(patterns.verdicts[int(v)] for v in column)
    several = len(patterns.groups) > 1 or patterns.groups != ("all",)
    unsettled = patterns.rated[patterns.used] & (references[:, -1] > 0)
    return Pool(
        verdict=verdict,
        by=tuple(patterns.groups[int(g)] if several else "" for g in group),
        column=column,
        group=group,
        items=np.rint(total(n)).astype(np.int64),
        labelled=np.rint(total(n * (references[:, -1] == 0))).astype(np.int64),
        positives=total(n * references[:, 1]),
        called_positive=np.array([one == positive for one in verdict], dtype=bool),
        unsettled=0 if patterns.apart else int(n[unsettled].sum()),
        undecided=int(patterns.n[~patterns.used].sum()),
        positive=positive,
        negative=patterns.options[0],
    )


def plan_exclusions(units: Units, judge: str) -> tuple[Exclusion, ...]:
    """Rows that planning for a judge leaves out, by reason; unlabelled items are not left out."""
    task, size = units.task, len(units.options)
    reasons: dict[str, int] = {}

    def count(reason: str, rows: float) -> None:
        if rows:
            reasons[reason] = reasons.get(reason, 0) + round(rows)

    states = ("abstained", "invalid", "failed")
    left_out = {size + 2}
    left_out |= {size} if task.abstentions == "exclude" else set()
    left_out |= {size + 1} if task.invalids == "exclude" else set()
    for column in units.columns_of(judge):
        for code in sorted(left_out):
            rows = units.n[units.verdict[:, column] == code].sum()
            count(f"judge's rating {states[code - size]}", rows)
    _, _, state = reference_weights(units)
    people = units.human * units.n[:, None]
    for offset, name in enumerate(states):
        count(f"person's rating {name}", people[:, size + offset].sum())
    counted = _folded(verdict_shares(units, judge), task).any(axis=1)
    voted = people[:, :size].sum(axis=1)
    count(f"no verdict of {judge} that counts", voted[~counted].sum())
    count("people tied", voted[counted & (state == 2)].sum())
    others = [c for c, name in enumerate(units.judges) if name != judge]
    unused = task.scale != "binary"  # other judges' verdicts serve the golden set only
    rows_of_others = sum(int(units.n[units.verdict[:, c] >= 0].sum()) for c in others)
    count("another judge", rows_of_others if unused else 0)
    return tuple(Exclusion(reason, rows) for reason, rows in reasons.items())


def _classes(task: Task) -> tuple[str, ...]:
    """The verdicts that have a stratum: the options, then abstained and invalid if they count."""
    kept: tuple[str, ...] = ("abstained",) if task.abstentions == "class" else ()
    kept += ("invalid",) if task.invalids != "exclude" else ()
    return task.options + kept


def _folded(shares: Array, task: Task) -> Array:
    """Verdict shares [P, K + 3] on the classes; what is left out has none."""
    size = len(task.options)
    folded = np.zeros((len(shares), len(_classes(task))))
    folded[:, :size] = shares[:, :size]
    if task.abstentions == "recode" and task.recode_to is not None:
        folded[:, task.options.index(task.recode_to)] += shares[:, size]
    elif task.abstentions == "class":
        folded[:, size] = shares[:, size]
    if task.invalids != "exclude":
        folded[:, -1] = shares[:, size + 1]
    return folded


def chosen_units(
    pool: Pool, unlabelled: Unlabelled, falls: Ints | int, task: Task, *, seed: int
) -> list[tuple[str, ...]]:
    """The next units to label, in a random order that depends on nothing but seed and unit.

    `falls` says how many of each stratum, or how many of the pool at random. Units are taken by
    the hash of seed and unit: a random sample, the same whatever the order of the rows and the
    engine, and the same units still come first after some of them are labelled.
    """
    one_hot = np.eye(len(task.options) + 3)[unlabelled.code]
    folded = _folded(one_hot, task)
    classes = _classes(task)
    place = {pair: h for h, pair in enumerate(zip(pool.verdict, pool.by, strict=True))}
    queues: list[list[tuple[bytes, tuple[str, ...]]]] = [[] for _ in pool.verdict]
    for row, unit in enumerate(unlabelled.units):
        if not folded[row].any():
            continue
        verdict = classes[int(folded[row].argmax())]
        by = " · ".join(unlabelled.strata[row]) if any(pool.by) else ""
        stratum = place.get((verdict, by))
        if stratum is not None:
            queues[stratum].append((_key(seed, unit), unit))
    if isinstance(falls, int):
        everything = sorted(one for queue in queues for one in queue)
        return [unit for _, unit in everything[:falls]]
    taken = [one for h, queue in enumerate(queues) for one in sorted(queue)[: int(falls[h])]]
    return [unit for _, unit in sorted(taken)]


def _key(seed: int, unit: tuple[str, ...]) -> bytes:
    text = "\x1f".join((str(seed), *unit))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
