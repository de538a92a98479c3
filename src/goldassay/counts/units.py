"""Units: the distinct patterns of people's ratings and judges' verdicts, with multiplicities.

A unit is what one rater rates once; `counting` makes its patterns from ratings. From patterns come
the confusion counts of every judge, the agreement between judges and the panels of judges, all
jointly resampled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from goldassay.errors import RatingsError
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cluster_sums, distinct_clusters
from goldassay.ratings.drawing import DRAWN
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = [
    "CARRIED",
    "SETS",
    "By",
    "Confusion",
    "Units",
    "column_shares",
    "confusion",
    "in_order",
    "only_divided",
    "pairing_exclusions",
    "reference_weights",
    "that_weigh",
    "unit_word",
    "verdict_shares",
]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def unit_word(scale: str, *, criteria: int, systems: int) -> str:
    """What one rater rates once, in a word, by how many criteria and systems a table has.

    An item is rated by each of its criteria (a decision), or each system's output for it is, or
    two outputs against one another (a comparison); else the item itself.

    >>> unit_word("binary", criteria=1, systems=5), unit_word("pairwise", criteria=0, systems=5)
    ('output', 'comparison')
    """
    if criteria > 1:
        return "decision"
    if systems > 1:
        return "comparison" if scale == "pairwise" else "output"
    return "item"


#: Columns that a unit carries along whenever the table has them.
CARRIED = ("criterion", "system", "split", "stratum", DRAWN)


#: Why ratings that name several options are left out where verdicts are counted.
SETS = "a response set (several options), used by audit only"


@dataclass(frozen=True)
class By:
    """A column of the units: its labels, and the label of each pattern."""

    labels: tuple[str, ...]
    codes: Ints


@dataclass(frozen=True)
class Units:
    """Patterns of units; the fields are described in `docs/architecture.md`."""

    options: tuple[str, ...]
    judges: tuple[str, ...]
    samples: tuple[str, ...]
    orders: tuple[str, ...]
    cluster: Ints
    n_clusters: int
    single: bool
    by: Mapping[str, By]
    human: Ints
    verdict: Ints
    n: Ints
    weight: Floats
    exclusions: tuple[Exclusion, ...]
    rows: int
    task: Task
    #: What was resolved where people differ, as a code of `verdict`; None where nothing was.
    resolved: Ints | None = None
    #: How many clusters have the units of each [C], which `n` counts in all of them (`alike.py`),
    #: and, by the number that it had, which of them each cluster is like (-1 where it has no unit);
    #: None where each cluster stands for itself.
    alike: Ints | None = None
    kinds: Ints | None = None
    #: Judges that were asked about the units of their rows alone; others about all labelled ones.
    by_rows: frozenset[str] = frozenset()
    #: For how many units one of each pattern stands that people rated [P], where they rated more of
    #: some than of others; None where each label counts for itself.
    stands_for: Floats | None = None
    #: Judge -> how many units in all both it and people rated, of which one names several options
    #: and the unit has no pair of single ones: none of these counts.
    several: Mapping[str, int] = field(default_factory=dict)
    #: What was found of these very units, by name: `replace` begins with none.
    found: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def word(self) -> str:
        """What a unit is called."""
        number = {name: len(one.labels) for name, one in self.by.items()}
        criteria, systems = number.get("criterion", 0), number.get("system", 0)
        return unit_word(self.task.scale, criteria=criteria, systems=systems)

    @property
    def judge_names(self) -> tuple[str, ...]:
        """The judges, each once, sorted."""
        return tuple(sorted(set(self.judges)))

    def columns_of(self, judge: str) -> list[int]:
        """The verdict columns of a judge: one, or one for each repeat."""
        return [index for index, name in enumerate(self.judges) if name == judge]

    @property
    def only_ties(self) -> tuple[str, ...]:
        """Judges that never say which of two is better."""
        if self.task.tie is None:
            return ()
        size, at = len(self.options), self.options.index(self.task.tie)
        found = []
        for judge in self.judge_names:
            verdicts = self.verdict[:, self.columns_of(judge)]
            decided = verdicts[(verdicts >= 0) & (verdicts < size)]
            if decided.size and (decided == at).all():
                found.append(judge)
        return tuple(found)

    @property
    def labelled(self) -> npt.NDArray[np.bool_]:
        """The patterns [P] that people rated, or that were resolved; all, where none was."""
        found = self.human[:, : len(self.options) + 1].any(axis=1)
        if self.resolved is not None:
            found = found | (self.resolved >= 0)
        return np.asarray(found | ~found.any())

    def asked_of(self, judge: str) -> npt.NDArray[np.bool_]:
        """The patterns [P] that a judge was asked about: it has a verdict, of whatever status and
        in any repeat; and every labelled one, unless its rows say what it was asked."""
        given = (self.verdict[:, self.columns_of(judge)] >= 0).any(axis=1)
        return np.asarray(given if judge in self.by_rows else given | self.labelled)

    def to_rate(self, judge: str) -> npt.NDArray[np.bool_]:
        """The labelled patterns [P] that a judge was asked about: what its coverage is of."""
        return np.asarray(self.asked_of(judge) & self.labelled)

    def where(self, mask: npt.NDArray[np.bool_] | Ints) -> Units:
        """The patterns of a part of the units (a criterion, a system, a split)."""
        by = {name: By(one.labels, one.codes[mask]) for name, one in self.by.items()}
        return replace(
            self,
            cluster=self.cluster[mask],
            by=by,
            human=self.human[mask],
            verdict=self.verdict[mask],
            n=self.n[mask],
            weight=self.weight[mask],
            resolved=None if self.resolved is None else self.resolved[mask],
            stands_for=None if self.stands_for is None else self.stands_for[mask],
        )

    def only(self, column: str, label: str) -> Units:
        """The units with this label in a `by` column."""
        one = self.by[column]
        return self.where(one.codes == one.labels.index(label))

    @property
    def plain(self) -> Units:
        """The same units, kept apart only by what every question keeps apart.

        Sums over their patterns are the same to the last bit, whatever else was asked for.
        """
        kept = {*CARRIED, *self.task.strata}
        return self.kept_apart_by([name for name in self.by if name in kept])

    def kept_apart_by(self, names: Sequence[str]) -> Units:
        """The same units, kept apart by some of the columns only, as if no other was asked for."""
        by = {name: self.by[name] for name in names}
        if len(by) == len(self.by) or not len(self.n):
            return replace(self, by=by)
        keys = [self.cluster, *(one.codes for one in by.values()), *self.human.T, *self.verdict.T]
        keys.append(self.weight.view(np.int64))
        keys += [] if self.resolved is None else [self.resolved]
        order, new = in_order(keys)
        first = np.flatnonzero(new)
        found = replace(self, by=by).where(order[first])
        return replace(found, n=np.add.reduceat(self.n[order], first))


def that_weigh(units: Units) -> Units:
    """The units whose weight is above 0: one that weighs nothing is no evidence of anything, and
    must not make an interval shorter. Its rows are left out, and said to be."""
    if (units.weight > 0).all():
        return units
    if not (units.weight > 0).any():
        raise RatingsError(
            "column weight",
            f"must be above 0 for some {units.word}",
            found=f"0 for {'the only one' if units.n.sum() == 1 else f'all {units.n.sum():,}'}",
            next_step="Leave the column out where all count alike",
        )
    left, kept = units.where(units.weight <= 0), units.where(units.weight > 0)
    votes = left.human.sum(1) + (left.verdict >= 0).sum(1)
    numbers = np.unique(kept.cluster, return_inverse=True)
    return replace(
        kept,
        cluster=kept.cluster if kept.single else numbers[1].reshape(-1),
        n_clusters=int(kept.n.sum()) if kept.single else len(numbers[0]),
        exclusions=(*units.exclusions, Exclusion("of weight 0", int((votes * left.n).sum()))),
    )


def in_order(keys: Sequence[npt.NDArray[Any]]) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """The order of patterns by their keys, and which of them, so ordered, differ from the last."""
    order = np.lexsort(keys[::-1])
    new = np.zeros(len(order), bool)
    new[:1] = True
    for key in keys:
        new[1:] |= np.diff(key[order]) != 0
    return order, new


@dataclass(frozen=True)
class Confusion:
    """Reference against verdict, with a leading axis of clusters.

    `counts[c, r, v]`: rows are the K options of the reference and then abstained; columns the K
    options of the verdict and then abstained, invalid, failed. `multiplicity[c]` clusters have
    this very array.
    """

    options: tuple[str, ...]
    counts: Floats
    multiplicity: Ints
    n_items: int

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def total(self) -> Floats:
        """The counts summed over clusters."""
        result: Floats = np.tensordot(self.multiplicity, self.counts, axes=1)
        return result

    @property
    def square(self) -> Floats:
        """Summed counts of declared options only, K x K."""
        size = len(self.options)
        return self.total[:size, :size]


class Voted(Protocol):
    """What people said of units [P, K + 3], and what was resolved where they differ."""

    @property
    def task(self) -> Task: ...
    @property
    def options(self) -> tuple[str, ...]: ...
    @property
    def human(self) -> Ints: ...
    @property
    def resolved(self) -> Ints | None: ...


def only_divided(units: Voted) -> bool:
    """Whether people rated units and are divided on all of these, so that none has a label."""
    _, _, state = reference_weights(units)
    return bool((state == 2).any() and not (state == 0).any())


def reference_weights(units: Voted, *, abstained: bool = False) -> tuple[Floats, Floats, Ints]:
    """The reference of each pattern from people's ratings, by the task's rule.

    With `reference = "adjudicated"` it is what was resolved, and the majority where nothing was.

    Returns `weights[P, K + 1]` (a row sums to the number of references a unit counts for: 1, the
    number of people for `each`, or 0), `people[P]` (how many ratings stand behind it) and
    `state[P]` (0 a reference, 1 nobody rated, 2 a tied vote that was excluded). With `abstained`
    people's abstentions are the last class; otherwise they do not count. A median or mean grade
    between two options is shared out between them, in proportion to its nearness.
    """
    if not isinstance(units, Units):
        return _reference_weights(units, abstained=abstained)
    name = f"reference weights, {'with' if abstained else 'without'} abstentions"
    if name not in units.found:  # the same for every judge
        made = _reference_weights(units, abstained=abstained)
        for one in made:
            one.flags.writeable = False
        units.found[name] = made
    found: tuple[Floats, Floats, Ints] = units.found[name]
    return found


def _reference_weights(units: Voted, *, abstained: bool) -> tuple[Floats, Floats, Ints]:
    task, size = units.task, len(units.options)
    votes = units.human[:, : size + 1].astype(float)
    if not abstained:
        votes[:, size] = 0.0
    people = votes.sum(axis=1)
    state = np.where(people == 0, 1, 0).astype(np.int64)
    if task.reference == "each":
        return votes, people, state
    if task.reference in ("soft", "response_set"):
        return votes / np.maximum(people, 1.0)[:, None], people, state
    if task.reference in ("median", "mean"):
        return _graded(votes, size, task.reference), people, state
    best = votes.max(axis=1, keepdims=True)
    winners = (votes == best) & (best > 0)
    tied = winners.sum(axis=1) > 1
    if task.reference_ties == "exclude":
        state[tied] = 2
        winners[tied] = False
    # A level vote that is not left out is a part of a reference for each option that leads.
    weights = winners / np.maximum(winners.sum(axis=1), 1)[:, None]
    if units.resolved is not None:  # a resolution stands over the votes, whatever they are
        known = np.flatnonzero(units.resolved >= 0)
        given = units.resolved[known]
        counts = given < size + abstained
        weights[known] = 0.0
        weights[known[counts], given[counts]] = 1.0
        state[known] = np.where(counts, 0, 2)
        people[known] = np.maximum(people[known], 1.0)
    return weights, people, state


def _graded(votes: Floats, size: int, rule: str) -> Floats:
    """The median or mean grade [P, K + 1] of votes [P, K + 1]; abstained where most did."""
    grades, at = votes[:, :size], np.arange(size)
    number = grades.sum(1)
    if rule == "mean":
        place = grades @ at / np.maximum(number, 1.0)
    else:
        up_to = np.cumsum(grades, 1)
        middle = [(up_to < half[:, None] - 1e-9).sum(1) for half in (number / 2, number / 2 + 0.5)]
        place = np.where(number % 2 == 0, np.minimum(sum(middle), 2 * size - 2) / 2, middle[0])
    low = np.clip(np.floor(place).astype(np.int64), 0, size - 1)
    share, rows = place - low, np.arange(len(votes))
    weights = np.zeros_like(votes)
    weights[rows, low] = 1 - share
    weights[rows, np.minimum(low + 1, size - 1)] += share
    weights[number == 0] = 0.0
    silent = votes[:, size] > number
    weights[silent] = np.eye(size + 1)[size]
    return weights


def verdict_shares(units: Units, judge: str) -> Floats:
    """How a judge's verdicts of a unit spread over options and states, [P, K + 3]; sums to 1 or 0.

    Repeats share the unit's weight.
    """
    return column_shares(units.verdict[:, units.columns_of(judge)], len(units.options))


def column_shares(verdict: Ints, size: int) -> Floats:
    """Shares [P, size + 3] of the codes in verdict columns [P, S]; -1 does not count."""
    shares = np.zeros((len(verdict), size + 3))
    present = verdict >= 0
    share = 1.0 / np.maximum(present.sum(axis=1), 1)
    for column in range(verdict.shape[1]):
        rows = np.flatnonzero(present[:, column])
        shares[rows, verdict[rows, column]] += share[rows]  # each row once
    return shares


def confusion(units: Units, judge: str, *, abstained: bool = False) -> Confusion:
    """The confusion counts of a judge against the reference, a cluster axis in front.

    Each unit counts once however often the judge was sampled: repeats share its weight.
    """
    reference, _, _ = reference_weights(units, abstained=abstained)
    pattern = verdict_shares(units, judge) * units.weight[:, None]
    used = reference.any(axis=1) & pattern.any(axis=1)
    reference, pattern, n = reference[used], pattern[used], units.n[used]
    cluster = None if units.single else np.unique(units.cluster[used], return_inverse=True)[1]
    # One class of the reference after the other: there may be millions of patterns.
    rows = [cluster_sums(weight[:, None] * pattern, n, cluster) for weight in reference.T]
    counts = np.stack([sums for sums, _ in rows], axis=1)
    return Confusion(units.options, *distinct_clusters(counts, rows[0][1]), int(n.sum()))


def pairing_exclusions(units: Units) -> tuple[Exclusion, ...]:
    """Rows that pairing judges with people leaves out, by reason, in the task's modes.

    Rows in = rows used + rows excluded: a judge's row is used when its verdict counts and its unit
    has a reference; a person's row when it counts and any judge's verdict of the unit does.
    """
    task, size = units.task, len(units.options)
    classes = task.abstentions == "class"
    _, _, state = reference_weights(units, abstained=classes)
    failed = {size: "abstained", size + 1: "invalid", size + 2: "failed"}
    lost = {size + 2}
    lost |= {size} if task.abstentions == "exclude" else set()
    lost |= {size + 1} if task.invalids == "exclude" else set()
    reasons: dict[str, dict[str, int]] = {}

    def count(reason: str, who: str, rows: int) -> None:
        if rows:
            per = reasons.setdefault(reason, {})
            per[who] = per.get(who, 0) + rows

    usable = np.zeros(len(units.n), bool)
    for column, judge in enumerate(units.judges):
        verdict = units.verdict[:, column]
        counts = (verdict >= 0) & ~np.isin(verdict, list(lost))
        usable |= counts
        for code in sorted(lost):
            count(f"judge's rating {failed[code]}", judge, int(units.n[verdict == code].sum()))
        count("no human reference", judge, int(units.n[counts & (state == 1)].sum()))
        count("people tied", judge, int(units.n[counts & (state == 2)].sum()))
    people = units.human * units.n[:, None]
    unused = [size + 1, size + 2] + ([] if classes else [size])
    for code in sorted(unused):
        count(f"person's rating {failed[code]}", "people", int(people[:, code].sum()))
    voted = people[:, : size + classes].sum(axis=1)
    count("no verdict of a judge", "people", int(voted[~usable].sum()))
    count("people tied", "people", int(voted[usable & (state == 2)].sum()))
    return tuple(
        Exclusion(reason, sum(per.values()), {"rater": dict(sorted(per.items()))})
        for reason, per in reasons.items()
    )
