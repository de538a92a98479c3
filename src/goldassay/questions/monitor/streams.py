"""What each judge's rows come to in each batch: live verdicts, anchors, verdicts with labels."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from goldassay.counts.stream import JUDGE, StreamRows, among, references, repeated
from goldassay.errors import RatingsError, shown
from goldassay.frozen import dataclass
from goldassay.inference.sequential import contrast_effect, spread_between_batches
from goldassay.questions.monitor.scores import Measure
from goldassay.ratings.task import Task
from goldassay.results import Exclusion

__all__ = ["Anchors", "Counted", "Name", "Streams", "check_anchors", "not_counted", "streams_of"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: What may change: the judge's verdicts of live items, its verdicts of anchors, its errors where
#: people labelled, and what people say of live items.
Name = Literal["verdicts", "anchors", "errors", "labels"]


#: Batches from which it is known what a judge says of an anchor.
BEGINNING = 5


@dataclass(frozen=True)
class Counted:
    """Hits and trials by batch [T] of one rate, and by how much clusters widen its change.

    What batches vary by beyond chance and clusters (`between`) widens it as well.
    """

    result: str
    option: str | None
    hits: Floats
    trials: Floats
    effect: float = 1.0

    @cached_property
    def between(self) -> float:
        return spread_between_batches(self.hits / self.effect, self.trials / self.effect)

    def effective(self) -> tuple[Floats, Floats]:
        """Hits and trials as if they were independent."""
        effect = self.effect * self.between
        return self.hits / effect, self.trials / effect

    def split(self, at: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """Effective hits and trials before and after so many batches."""
        hits, trials = self.effective()
        before = float(hits[:at].sum()), float(trials[:at].sum())
        return before, (float(hits[at:].sum()), float(trials[at:].sum()))


@dataclass(frozen=True)
class Anchors:
    """Verdicts of fixed items [I, T]: hits and trials of each in each batch."""

    hits: Ints
    trials: Ints

    @property
    def steady(self) -> Anchors:
        """Those judged in every batch in which any was; none where these are fewer than two.

        A rate over anchors moves by itself when other anchors are judged: only of these is it a
        rate of the same items throughout.
        """
        judged = self.trials[:, self.trials.any(0)] > 0
        always = judged.all(1) & (judged.all(1).sum() >= 2)
        return Anchors(self.hits[always], self.trials[always])

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def turned(self) -> tuple[Ints, Ints]:
        """Verdicts by batch [T] against what their anchor began with, of how many later ones.

        It began with what most of its first `BEGINNING` batches say. A judge that grows careless
        turns verdicts both ways, and its rate may stay.
        """
        later = np.cumsum(self.trials > 0, 1) > BEGINNING
        begun = np.where(later, 0, 2 * self.hits - self.trials).sum(1, keepdims=True) > 0
        against = np.where(begun, self.trials - self.hits, self.hits)
        return np.where(later, against, 0).sum(0), np.where(later, self.trials, 0).sum(0)


@dataclass(frozen=True)
class Streams:
    """Everything about one judge and criterion, by batch."""

    judge: str
    criterion: str | None
    batches: tuple[str, ...]
    verdicts: tuple[Counted, ...]
    anchors: tuple[Anchors, ...]
    errors: tuple[Counted, ...]
    labels: tuple[Counted, ...]
    #: Rows that count, by what they are.
    n_live: int
    n_anchors: int
    n_labels: int


def streams_of(
    rows: StreamRows, task: Task, measures: tuple[Measure, ...], *, anchors: str
) -> tuple[Streams, ...]:
    """The streams of every judge and criterion, in the order of their names."""
    labelled = references(rows, task)
    found = []
    for judge in np.unique(rows.rater[rows.kind == JUDGE]):
        mine = (rows.kind == JUDGE) & (rows.rater == judge)
        fixed = _anchors(rows, mine, anchors)
        for criterion in np.unique(rows.criterion[mine]):
            here = mine & (rows.criterion == criterion)
            one = _streams(rows, (here & ~fixed, here & fixed), labelled, task, measures)
            name = rows.criteria[criterion] or None
            found.append(Streams(rows.raters[judge], name, rows.batches, *one))
    return tuple(found)


def not_counted(
    new: StreamRows, rows: StreamRows, measures: tuple[Measure, ...]
) -> tuple[Exclusion, ...]:
    """Of new rows, those that do not count, by reason: without an answer, or a label of nothing."""
    score = measures[0].score
    size = len(score) - 4
    people = new.kind != JUDGE
    alone = np.zeros(len(new), bool)
    if people.any():
        judged = np.unique(rows.unit[rows.kind == JUDGE])
        alone[people] = ~among(new.unit[people], judged)
    reasons = {"no verdict of a judge": alone}
    for offset, state in enumerate(("abstained", "invalid", "failed")):
        here = (new.code == size + offset) & ~alone
        uncounted = np.isnan(score[size + offset])
        reasons[f"judge's rating {state}"] = here & ~people & uncounted
        reasons[f"person's rating {state}"] = here & people & (uncounted | (offset > 0))
    reasons["not one option"] = (new.code < 0) & ~alone
    found = []
    for reason, here in reasons.items():
        counts = np.bincount(new.rater[here], minlength=len(new.raters))
        by = {new.raters[code]: int(counts[code]) for code in np.flatnonzero(counts)}
        found += [Exclusion(reason, sum(by.values()), {"rater": by})] if by else []
    return tuple(found)


def _anchors(rows: StreamRows, mine: Bools, anchors: str) -> Bools:
    """Which of a judge's rows are of anchors: as declared, or of units in several batches."""
    fixed = np.zeros(len(rows), bool)
    if anchors == "none":
        return fixed
    if anchors:
        return np.asarray(mine & rows.anchor)
    units = rows.unit if mine.all() else rows.unit[mine]  # a copy of millions is not small
    at = np.flatnonzero(among(rows.unit, repeated(units)) & mine)
    if not len(at):
        return fixed
    order = at[np.argsort(rows.unit[at], kind="stable")]
    unit, batch = rows.unit[order], rows.batch[order]
    starts = np.flatnonzero(np.r_[True, unit[1:] != unit[:-1]])
    several = np.minimum.reduceat(batch, starts) != np.maximum.reduceat(batch, starts)
    sizes = np.diff(np.r_[starts, len(order)])
    fixed[order[np.repeat(several, sizes)]] = True
    return fixed


def check_anchors(rows: StreamRows, *, place: str) -> None:
    """Declared anchors stay what they are: marked in every batch, and none comes later."""
    marked = np.unique(rows.unit[rows.anchor])
    if not len(marked):
        return
    both = np.intersect1d(rows.unit[~rows.anchor & (rows.kind == JUDGE)], marked)
    if len(both):
        raise RatingsError(
            place,
            "an anchor must be marked as one in every batch",
            found=f"{len(both):,} that are not",
            next_step="Mark all rows of an anchor, or give items that are no anchors other names",
        )
    fixed = np.flatnonzero(rows.anchor & (rows.kind == JUDGE))
    for judge in np.unique(rows.rater[fixed]):
        mine = fixed[rows.rater[fixed] == judge]
        first = int(rows.batch[mine].min())
        begun = rows.unit[mine[rows.batch[mine] == first]]
        later = mine[~np.isin(rows.unit[mine], begun)]
        if len(later):
            raise RatingsError(
                place,
                "anchors must be the same items from the first batch on",
                found=f"{len(np.unique(rows.unit[later])):,} that first come after batch "
                f"{shown(rows.batches[first])}, for {shown(rows.raters[judge])}",
                next_step="Keep the anchors of the first batch, or begin anew with the new ones",
            )


_Parts = tuple[
    tuple[Counted, ...],
    tuple[Anchors, ...],
    tuple[Counted, ...],
    tuple[Counted, ...],
    int,
    int,
    int,
]


def _streams(
    rows: StreamRows,
    parts: tuple[Bools, Bools],
    labelled: tuple[npt.NDArray[np.uint64], Floats],
    task: Task,
    measures: tuple[Measure, ...],
) -> _Parts:
    size = len(rows.batches)
    live, fixed = (np.flatnonzero(one) for one in parts)
    verdicts = []
    by_code = _by_code(rows, live, len(measures[0].score))
    clusters = rows.cluster if len(live) == len(rows) else rows.cluster[live]
    alone = not len(repeated(clusters))
    for one in measures:
        used = ~np.isnan(one.score)
        hits, trials = by_code[:, used] @ one.score[used], by_code[:, used].sum(1) * 1.0
        effect = 1.0
        if not alone:
            scored = _Scored.of(rows, live, one.score[rows.code[live]])
            effect = scored.counted("rate", one.option, size).effect
        verdicts.append(Counted("rate", one.option, hits, trials, effect))
    known, place = _with_label(rows.unit[live], labelled[0])
    seen, reference = live[known], labelled[1][place[known]]
    errors, labels = [], []
    if len(seen):
        weight = _design_weights(rows, live, seen, task)
        codes = rows.code[seen]
        if task.scale == "binary" and task.positive is not None:
            said = measures[0].score[codes]
            people = _expected(reference, measures[0].score)
            positive = _Scored.of(rows, seen, said, people * weight)
            negative = _Scored.of(rows, seen, 1 - said, (1 - people) * weight)
            errors.append(positive.counted("sensitivity", None, size))
            errors.append(negative.counted("specificity", None, size))
        else:
            same = np.where(codes < reference.shape[1], _share_of(reference, codes), np.nan)
            errors.append(_Scored.of(rows, seen, same, weight).counted("agreement", None, size))
        for one in measures:
            people = _expected(reference, one.score)
            labels.append(
                _Scored.of(rows, seen, people, weight).counted("labelled_rate", one.option, size)
            )
    anchors = tuple(_fixed(rows, fixed, one.score, size) for one in measures) if len(fixed) else ()
    n_anchors = len(np.unique(rows.unit[fixed]))
    counts = len(live), n_anchors, len(seen)
    return tuple(verdicts), anchors, tuple(errors), tuple(labels), *counts


def _by_code(rows: StreamRows, at: Ints, width: int) -> Ints:
    """How often each code occurs in each batch [T, codes]; the last is for no code."""
    cell = rows.batch[at] * np.int32(width) + rows.code[at] % width
    return np.bincount(cell, minlength=len(rows.batches) * width).reshape(-1, width)


def _share_of(reference: Floats, codes: npt.NDArray[np.int8]) -> Floats:
    at = np.minimum(codes, reference.shape[1] - 1)
    return np.asarray(reference[np.arange(len(codes)), at])


def _expected(reference: Floats, score: Floats) -> Floats:
    """The score that the reference's shares of options [N, K + 1] come to; NaN: none counts."""
    used = np.where(np.isnan(score[: reference.shape[1]]), 0.0, score[: reference.shape[1]])
    counts = reference @ (~np.isnan(score[: reference.shape[1]])).astype(np.float64)
    return np.asarray(np.where(counts > 0, reference @ used / np.maximum(counts, 1e-9), np.nan))


def _with_label(unit: npt.NDArray[np.uint64], known: npt.NDArray[np.uint64]) -> tuple[Bools, Ints]:
    if not len(known):
        return np.zeros(len(unit), bool), np.zeros(len(unit), np.int64)
    place = np.minimum(np.searchsorted(known, unit), len(known) - 1)
    return np.asarray(known[place] == unit), place


def _design_weights(rows: StreamRows, live: Ints, seen: Ints, task: Task) -> Floats:
    """Labels drawn by the verdict count as what they stand for: verdicts like theirs, per label."""
    if task.calibration != "by_verdict":
        return np.ones(len(seen))
    codes = len(task.options) + 4
    key = rows.batch.astype(np.int64) * codes + rows.code
    size = len(rows.batches) * codes
    pool, drawn = (np.bincount(key[one], minlength=size) for one in (live, seen))
    weight = (pool / np.maximum(drawn, 1))[key[seen]]
    return np.asarray(weight / weight.mean())


@dataclass(frozen=True)
class _Scored:
    """Scores of rows that count, with weights, their batches and clusters."""

    score: Floats
    weight: Floats
    batch: Ints
    cluster: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, rows: StreamRows, at: Ints, score: Floats, weight: Floats | None = None) -> _Scored:
        weights = np.ones(len(at)) if weight is None else weight
        kept = ~np.isnan(score) & ~np.isnan(weights) & (np.nan_to_num(weights) > 0)
        at = at[kept]
        return cls(score[kept], weights[kept], rows.batch[at].astype(np.int64), rows.cluster[at])

    def counted(self, result: str, option: str | None, size: int) -> Counted:
        trials = np.bincount(self.batch, self.weight, size).astype(np.float64)
        hits = np.bincount(self.batch, self.weight * self.score, size).astype(np.float64)
        total, squares = float(self.weight.sum()), float((self.weight**2).sum())
        unequal = len(self.weight) * squares / total**2 if total > 0 else 1.0
        effect = max(unequal, 1.0) * self._cluster_effect(size)
        return Counted(result, option, hits, trials, effect)

    def _cluster_effect(self, size: int) -> float:
        """1 where every row is a cluster of its own."""
        _, code, count = np.unique(self.cluster, return_inverse=True, return_counts=True)
        if not len(count) or count.max() == 1:
            return 1.0
        cell, place = np.unique(code.reshape(-1) * size + self.batch, return_inverse=True)
        at = place.reshape(-1)
        trials = np.bincount(at, self.weight).astype(np.float64)
        hits = np.bincount(at, self.weight * self.score).astype(np.float64)
        return contrast_effect(hits, trials, cell % size, cell // size)


def _fixed(rows: StreamRows, at: Ints, score: Floats, size: int) -> Anchors:
    """Whole hits of anchors: a grade counts from the middle of the scale up."""
    said = score[rows.code[at]]
    at, said = at[~np.isnan(said)], said[~np.isnan(said)]
    items, item = np.unique(rows.unit[at], return_inverse=True)
    cell = item.reshape(-1) * size + rows.batch[at]
    shape = len(items), size
    trials = np.bincount(cell, minlength=len(items) * size).reshape(shape)
    hits = np.bincount(cell[said > 0.5], minlength=len(items) * size).reshape(shape)
    return Anchors(hits.astype(np.int64), trials.astype(np.int64))
