"""Both sides of an audit from counts: people and judges as rating vectors.

Where response sets were asked they are used as they are; elsewhere they are recovered through F',
estimated from raters who gave both kinds of rating, or assumed (beta = 0: nothing is hidden).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Distributions, ElicitationPairs
from goldassay.errors import RatingsError, TaskError, UsageError
from goldassay.formulas.distributions import Decide, decision_rule
from goldassay.formulas.rating_model import estimate_reverse, membership, singletons
from goldassay.formulas.rating_vectors import Reading, Side, normalised, side
from goldassay.frozen import dataclass
from goldassay.inference.comparable import shared_items as shared_of
from goldassay.ratings.task import Task

__all__ = ["Alike", "Sides", "both_sides", "declare_sets", "shared_items", "silences"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Up to so many items each is drawn by itself, alike or not.
FEW = 500


@dataclass(frozen=True, slots=True)
class Alike:
    """Places (P,) of the items that stand for all, and the kind of cluster that each makes.

    Clusters of a kind are equal; `kind` (C,) is that of every cluster.
    """

    items: Ints
    made: Ints
    kind: Ints

    @property
    def times(self) -> Ints:
        """How many clusters are of each kind."""
        return np.bincount(self.kind)


@dataclass(frozen=True)
class Sides:
    """People and judges as rating vectors, with where the response sets came from."""

    task: Task
    counted: Distributions
    reading: Reading
    judge: Side
    human: Side
    #: F' of people, (S, K), for items where they were not asked for response sets.
    reverse: Array
    #: F' of each judge, (J, S, K).
    judge_reverse: Array
    human_sets: str
    judge_sets: tuple[str, ...]

    @cached_property
    def raters(self) -> Array:
        """Ratings by people per item: forced choices, or response sets where only they exist."""
        forced = self.counted.human_forced.sum(-1)
        return np.asarray(np.where(forced > 0, forced, self.counted.human_sets.sum(-1)))

    @cached_property
    def samples(self) -> Array:
        """Answers of each judge per item (median), (J,); 0 for one that gave probabilities."""
        out = []
        for kinds in zip(self.counted.judge_forced, self.counted.judge_sets, strict=True):
            totals = np.maximum(*(counts.sum(-1) for counts in kinds))
            whole = all(np.array_equal(counts, np.round(counts)) for counts in kinds)
            out.append(float(np.median(totals[totals > 0])) if whole else 0.0)
        return np.array(out)

    @cached_property
    def alike(self) -> Alike:
        """Items that are the same to people and to every judge, merged.

        Items of larger clusters stay apart: alike or not, they are drawn with others. So do those
        of a small table, where merging saves nothing.
        """
        counted, units = self.counted, np.arange(len(self.counted.items))
        if len(units) <= FEW or not np.array_equal(counted.cluster, units):
            return Alike(units, counted.cluster, np.arange(counted.n_clusters))
        parts = [counted.human_forced, counted.human_sets]
        parts += [*counted.judge_forced, *counted.judge_sets]
        rows = np.ascontiguousarray(np.concatenate(parts, axis=1))
        keys = rows.view(np.dtype((np.void, rows.strides[0]))).reshape(-1)
        _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
        return Alike(first, np.arange(len(first)), kind.reshape(-1))

    @property
    def rated(self) -> Sides:
        """The items that people rated, of all clusters: what they might have said is of no other.

        A cluster without one stays, empty: it is drawn as the others are.
        """
        # Kept apart: what holds itself is freed late, with hundreds of megabytes of vectors.
        return self if (self.raters > 0).all() else self._rated

    @cached_property
    def _rated(self) -> Sides:
        kept = np.flatnonzero(self.raters > 0).astype(np.int64)
        return replace(
            self,
            counted=_of_items(self.counted, kept),
            judge=self.judge.at(kept),
            human=self.human.at(kept),
        )

    @cached_property
    def once(self) -> Ints:
        """Every cluster counts once, (C,)."""
        return np.ones(self.counted.n_clusters, np.int64)

    @property
    def decide(self) -> Decide:
        """How shares become decisions."""
        return decision_rule(self.task.reference_ties)

    @property
    def lambda_(self) -> Array:
        return self.reading.lambda_

    @property
    def forced_asked(self) -> bool:
        return bool(self.counted.human_forced.sum() > 0)

    @property
    def sets_asked(self) -> bool:
        return bool(self.counted.human_sets.sum() > 0)


def both_sides(
    counted: Distributions,
    task: Task,
    *,
    pairs: ElicitationPairs | None = None,
    threshold: float = 0.5,
    options: tuple[int, ...] = (),
) -> Sides:
    """Both sides of the audit from counts; refuses what no audit can use.

    `options` are the places of those that decisions count.
    """
    _check(counted, task, threshold)
    lambda_ = membership(counted.options, counted.sets)
    reading = Reading(lambda_, threshold, task.reference_ties, options)
    assumed = singletons(counted.options, counted.sets)
    has_pairs = pairs is not None and pairs.human.sum() > 0
    reverse = estimate_reverse(pairs.human, assumed)[0] if pairs and has_pairs else assumed
    human = side(normalised(counted.human_forced), normalised(counted.human_sets), reverse, reading)
    joints = np.zeros((len(counted.judges), *lambda_.shape))
    if pairs is not None:  # which also has the judges without a single rated verdict
        joints = pairs.judge[[pairs.judges.index(name) for name in counted.judges]]
    judge_reverse = np.stack([estimate_reverse(joint, assumed)[0] for joint in joints])
    judge = side(
        normalised(counted.judge_forced), normalised(counted.judge_sets), judge_reverse, reading
    )
    sources = tuple(
        _source(forced, sets_, int(joint.sum()))
        for forced, sets_, joint in zip(
            counted.judge_forced, counted.judge_sets, joints, strict=True
        )
    )
    people = _source(
        counted.human_forced, counted.human_sets, int(pairs.human.sum()) if pairs else 0
    )
    return Sides(task, counted, reading, judge, human, reverse, judge_reverse, people, sources)


def shared_items(counted: Distributions) -> Distributions | None:
    """The items that every judge rated, on which judges are compared; None if people rated none.

    A judge that is silent where it would err must not come out first for that: nor are they
    compared where one leaves out what people label so.
    """
    rated = (counted.judge_forced.sum(-1) > 0) | (counted.judge_sets.sum(-1) > 0)
    people = (counted.human_forced.sum(-1) > 0) | (counted.human_sets.sum(-1) > 0)
    shared, some = rated.all(0), rated.any(0)
    if np.array_equal(shared, some):
        return counted
    if not (shared & people).any() or silences(counted):
        return None
    labels, cluster = np.unique(counted.cluster[shared], return_inverse=True)
    return replace(
        _of_items(counted, np.flatnonzero(shared).astype(np.int64)),
        cluster=cluster.reshape(-1).astype(np.int64),
        n_clusters=len(labels),
    )


def widest_first(counted: Distributions) -> Distributions:
    """The judges by how many items they decide that people rated, then by name: of level ones the
    first is told of."""
    rated = (counted.judge_forced.sum(-1) > 0) | (counted.judge_sets.sum(-1) > 0)
    people = (counted.human_forced.sum(-1) > 0) | (counted.human_sets.sum(-1) > 0)
    order = np.argsort(-(rated & people).sum(-1), kind="stable")
    if np.array_equal(order, np.arange(len(order))):
        return counted
    return replace(
        counted,
        judges=tuple(counted.judges[j] for j in order),
        judge_forced=counted.judge_forced[order],
        judge_sets=counted.judge_sets[order],
    )


def silences(counted: Distributions) -> tuple[str, ...]:
    """Judges that decide far less of one of people's labels than of another."""
    rated = (counted.judge_forced.sum(-1) > 0) | (counted.judge_sets.sum(-1) > 0)
    people = counted.human_forced
    each = np.ones(len(people), np.int64)
    lacks = shared_of(rated & (people.sum(-1) > 0), each, people).lacks
    return tuple(counted.judges[j] for j in sorted(lacks))


def _of_items(counted: Distributions, kept: Ints) -> Distributions:
    """The counts of some of the items, in the clusters of before."""
    return replace(
        counted,
        items=tuple(counted.items[place] for place in kept),
        cluster=counted.cluster[kept],
        human_forced=counted.human_forced[kept],
        human_sets=counted.human_sets[kept],
        judge_forced=counted.judge_forced[:, kept],
        judge_sets=counted.judge_sets[:, kept],
        groups={name: (one[kept], two[kept]) for name, (one, two) in counted.groups.items()},
    )


def _check(counted: Distributions, task: Task, threshold: float) -> None:
    if not 0 < threshold <= 1:
        raise UsageError(
            "the threshold of a response set", "lies above 0 and at most at 1", found=f"{threshold}"
        )
    if not counted.judges:
        raise RatingsError(
            "the table",
            "has no judge's rating that counts",
            next_step="An audit compares judges' verdicts with people's",
        )
    if counted.human_forced.sum() + counted.human_sets.sum() == 0:
        raise RatingsError(
            "the table",
            "has no rating by people, or none that counts",
            next_step="An audit compares judges' verdicts with people's",
        )
    people = (counted.human_forced.sum(-1) > 0) | (counted.human_sets.sum(-1) > 0)
    judges = (counted.judge_forced.sum(-1) > 0) | (counted.judge_sets.sum(-1) > 0)
    for name, rated in zip(counted.judges, judges, strict=True):
        if not (people & rated).any():
            raise RatingsError(
                f"the judge {name!r}",
                "shares no rated item with people",
                next_step="Check that both use the same item names",
            )


def _source(forced: Array, sets: Array, pairs: int) -> str:
    """Where the response sets of a side come from, for the declarations of every result."""
    asked, rated = sets.sum(-1) > 0, (sets.sum(-1) > 0) | (forced.sum(-1) > 0)
    if asked.sum() == rated.sum():
        return "observed"
    how = f"F' estimated from {pairs} pairs" if pairs else "assumed, beta = 0"
    if not asked.any():
        return how
    return f"observed for {int(asked.sum())} of {int(rated.sum())} items, else {how}"


def declare_sets(task: Task) -> None:
    """Refuse, before any row is read, a scale without options or without countable sets."""
    if task.scale == "continuous":
        raise TaskError(
            "task, scale",
            "an audit needs options; a continuous scale has none",
            next_step='Declare a cut, as cut = ">= 3", or use goldassay agree',
        )
    _ = task.sets
