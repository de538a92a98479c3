"""The judged pool by stratum: how many items there are, and what their labels say so far.

A stratum is a verdict of the judge (abstained or invalid ones too where the task makes them a
class of their own), within the task's declared strata if it has any.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units, Unlabelled, reference_weights, verdict_shares
from goldassay.questions.plan.allocation import next_labels
from goldassay.questions.plan.precision import JudgeRates, stratum_length
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = ["Pool", "chosen_units", "plan_exclusions", "pool_of"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Pool:
    """Strata [H] of a judge's pool; `verdict[h]` and `by[h]` name stratum h."""

    verdict: tuple[str, ...]
    by: tuple[tuple[str, ...], ...]
    items: Ints
    labelled: Ints
    positives: Array
    called_positive: NDArray[np.bool_]

    @property
    def names(self) -> tuple[str, ...]:
        pairs = zip(self.verdict, self.by, strict=True)
        return tuple(" · ".join((verdict, *by)) for verdict, by in pairs)

    @property
    def weights(self) -> Array:
        share: Array = self.items / self.items.sum()
        return share

    @property
    def shares(self) -> Array:
        """Share of positive items by stratum, one success and one failure for two strata added.

        A stratum without labels is at 1/2, the share that asks for the most of them.
        """
        share: Array = (self.positives + 0.5) / (self.labelled + 1)
        return share

    @property
    def rates(self) -> JudgeRates:
        """The true rate and the judge's error rates as the labels so far suggest them."""
        positive = self.weights * self.shares
        negative = self.weights * (1 - self.shares)
        prevalence = float(positive.sum())
        called = self.called_positive
        return JudgeRates(
            prevalence,
            float(positive[called].sum() / prevalence),
            float(negative[~called].sum() / (1 - prevalence)),
        )

    def more(self, labels: int) -> Ints:
        """How the next `labels` labels should fall on the strata."""
        return next_labels(self.items, self.labelled, self.positives, labels)

    def length_after(self, labels: int, *, confidence_level: float) -> float:
        """Length to expect of the stratified interval after `labels` more labels."""
        labelled = self.labelled + (self.more(labels) if labels else 0)
        length = stratum_length(
            self.weights,
            labelled,
            labelled * self.shares,
            items=int(self.items.sum()),
            confidence_level=confidence_level,
        )
        return float(length)


def pool_of(units: Units, judge: str) -> Pool:
    """Count a judge's pool by stratum; verdicts that do not count are not in it."""
    task = units.task
    classes = _classes(task)
    shares = _folded(verdict_shares(units, judge), task)
    code = shares.argmax(axis=1)
    columns = [units.by[name] for name in task.strata]
    reference, _, _ = reference_weights(units)
    positive = task.options.index(task.positive) if task.positive is not None else 0
    weight = reference.sum(axis=1)
    share = np.divide(reference[:, positive], weight, out=np.zeros(len(weight)), where=weight > 0)
    rows = np.flatnonzero(shares.any(axis=1))
    keys = np.column_stack([*(column.codes for column in columns), code])[rows]
    distinct, stratum = np.unique(keys, axis=0, return_inverse=True)
    stratum = stratum.reshape(-1)
    n = units.n[rows].astype(float)
    has_label = weight[rows] > 0

    def total(amount: Array) -> Array:
        return np.bincount(stratum, weights=amount, minlength=len(distinct)).astype(float)

    verdicts = tuple(classes[int(key[-1])] for key in distinct)
    return Pool(
        verdicts,
        tuple(
            tuple(column.labels[int(k)] for column, k in zip(columns, key[:-1], strict=True))
            for key in distinct
        ),
        np.rint(total(n)).astype(np.int64),
        np.rint(total(n * has_label)).astype(np.int64),
        total(n * has_label * share[rows]),
        np.array([verdict == task.options[positive] for verdict in verdicts], dtype=bool),
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
    pool: Pool, unlabelled: Unlabelled, labels: int, task: Task, *, seed: int
) -> list[tuple[str, ...]]:
    """The next units to label, in a random order that depends on nothing but seed and unit.

    Within a stratum units are taken by the hash of seed and unit: a random sample, the same
    whatever the order of the rows and the engine, and the same units still come first after some
    of them are labelled.
    """
    one_hot = np.eye(len(task.options) + 3)[unlabelled.code]
    folded = _folded(one_hot, task)
    classes = _classes(task)
    place = {
        (verdict, by): h for h, (verdict, by) in enumerate(zip(pool.verdict, pool.by, strict=True))
    }
    wanted = pool.more(labels)
    queues: list[list[tuple[bytes, tuple[str, ...]]]] = [[] for _ in pool.verdict]
    for row, unit in enumerate(unlabelled.units):
        if not folded[row].any():
            continue
        stratum = place.get((classes[int(folded[row].argmax())], unlabelled.strata[row]))
        if stratum is not None:
            queues[stratum].append((_key(seed, unit), unit))
    taken = [one for h, queue in enumerate(queues) for one in sorted(queue)[: int(wanted[h])]]
    return [unit for _, unit in sorted(taken)]


def _key(seed: int, unit: tuple[str, ...]) -> bytes:
    text = "\x1f".join((str(seed), *unit))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
