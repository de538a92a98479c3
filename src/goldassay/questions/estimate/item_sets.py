"""The sets of options of every item without a label (`sets`), for each judge of a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import (
    PairedScores,
    Units,
    column_shares,
    count_scored,
    count_units,
    reference_weights,
    scored_columns,
    that_weigh,
)
from goldassay.errors import UsageError, shown
from goldassay.frozen import dataclass
from goldassay.questions.estimate.sets import Labels, SetRule, by_probability, by_verdict
from goldassay.questions.estimate.study import checked_judges
from goldassay.ratings.table import Ratings
from goldassay.results import Estimate, Result, Row, Undefined
from goldassay.sources.spreadsheet import ROWS, rows_text
from goldassay.sources.writing import write_atomically

__all__ = ["ItemSets", "JudgeSets", "checked_sets", "item_sets", "write_sets"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Designs under which the labelled items are like the others, within a verdict at least.
ALIKE = (None, "random", "by_verdict")


@dataclass(frozen=True)
class JudgeSets:
    """A judge's sets, or why there are none."""

    judge: str
    options: tuple[str, ...]
    error: float
    #: Whether they rest on its probabilities, or on its verdicts alone.
    scored: bool = False
    #: The units they are of, as places in `ItemSets.units`; their verdicts, and options in the set.
    place: Ints | None = None
    verdict: Ints | None = None
    score: Array | None = None
    sets: Bools | None = None
    learned: int = 0
    calibrated: int = 0
    #: What a cluster is, where it holds several labels.
    cluster: str | None = None
    #: Whether these are items without a label, or all, since every one has one.
    unlabelled: bool = True
    reason: str = ""

    @property
    def n_items(self) -> int:
        return 0 if self.sets is None else len(self.sets)

    @property
    def results(self) -> tuple[Result, ...]:
        if self.sets is None:
            return (Undefined("mean_set_size", self.reason, 0),)
        sizes, declared = self.sets.sum(1), {"error": self.error, "labels": self.calibrated}
        return (
            Estimate("mean_set_size", float(sizes.mean()), None, self.n_items, 0, declared),
            Estimate(
                "single_option_share", float((sizes == 1).mean()), None, self.n_items, 0, declared
            ),
        )

    @property
    def endless(self) -> bool:
        """Whether the labels are too few for any set but that of all options."""
        return self.sets is not None and bool(self.sets.all())

    @property
    def labels_needed(self) -> int:
        """The fewest calibrating labels (clusters) with which a set can leave an option out."""
        return math.ceil(1 / self.error - 1e-9) - 1


@dataclass(frozen=True)
class ItemSets:
    """All judges' sets, and the units that they are of."""

    units: Units
    columns: tuple[str, ...]
    judges: tuple[JudgeSets, ...]

    def rows(self) -> Iterator[Row]:
        for one in self.judges:
            for result in one.results:
                yield Row(result, {"judge": one.judge})


def checked_sets(error: float | None, path: str | None, ratings: Ratings | None) -> None:
    """Refuse an error that is none, a file of another form, and ratings that have no options."""
    if error is None and path is None:
        return
    if error is None:
        raise UsageError("--sets-out", "needs the error: --set-error 0.1")
    if not 0 < error < 1:
        raise UsageError("--set-error", "lies between 0 and 1", found=shown(error))
    if ratings is None or ratings.task.scale == "continuous":
        raise UsageError("--set-error", "is of items with options, in a table of ratings")
    if path is not None and Path(path).suffix.lower() not in ROWS:
        raise UsageError("--sets-out", f"is a file {' or '.join(ROWS)}", found=shown(path))


def item_sets(ratings: Ratings, error: float, *, judges: Sequence[str] = (), seed: int) -> ItemSets:
    """The sets of every judge, with this error."""
    columns = tuple(dict.fromkeys([*ratings.unit, ratings.cluster]))
    units = that_weigh(count_units(ratings, by=columns))
    checked_judges(units, judges)
    scores = count_scored(ratings)
    found = tuple(
        _judge(units, judge, error, _scores(units, scores, ratings.unit, judge), seed)
        for judge in judges or units.judge_names
    )
    return ItemSets(units, columns, found)


def _scores(
    units: Units, scores: PairedScores | None, names: Sequence[str], judge: str
) -> Array | None:
    """The judge's probability of the positive option [P]; None where it gives none to speak of."""
    if scores is None or judge not in scores.judges:
        return None
    at = scored_columns(units, scores, names)
    if at is None:
        return None
    own = scores.judge[scores.judges.index(judge)]
    found = np.where(at >= 0, own[at], np.nan)
    known = found[np.isfinite(found)]
    return found if len(known) and known.min() >= 0 and known.max() <= 1 else None


def _judge(units: Units, judge: str, error: float, score: Array | None, seed: int) -> JudgeSets:
    options, design = units.options, units.task.calibration
    if design not in ALIKE:
        reason = f"labels drawn {design} are not like those of the other items"
        return JudgeSets(judge, options, error, reason=reason)
    size = len(options)
    shares = column_shares(units.verdict[:, units.columns_of(judge)], size)
    verdict, judged = shares.argmax(1), shares.any(1) & (units.n > 0)
    if score is not None and np.isfinite(score[judged]).all():
        judged &= np.isfinite(score)
    else:
        score = None
    votes = reference_weights(units)[0][:, :size]
    best = votes.max(1)
    labelled = judged & (best > 0) & ((votes == best[:, None]).sum(1) == 1)
    if not labelled.any():
        return JudgeSets(judge, options, error, reason="no item has both a label and a verdict")
    asked = judged & ~labelled if (judged & ~labelled).any() else judged
    cluster = np.arange(len(verdict)) if units.single else units.cluster
    weight = np.ones(size + 3)
    if design == "by_verdict":
        pool, known = (np.bincount(verdict[of], minlength=size + 3) for of in (judged, labelled))
        weight = np.where(known > 0, pool / np.maximum(known, 1), 1.0)
    labels = Labels(votes.argmax(1)[labelled], verdict[labelled], cluster[labelled], weight)
    rule: SetRule | None
    if score is not None:
        positive = options.index(units.task.positive or options[0])
        rule = by_probability(labels, score[labelled], score[asked], positive=positive, error=error)
    else:
        rule = by_verdict(labels, verdict[asked], size, error=error, seed=seed)
    if rule is None:
        return JudgeSets(judge, options, error, reason="one labelled cluster cannot be halved")
    return JudgeSets(
        judge,
        options,
        error,
        scored=score is not None,
        place=np.flatnonzero(asked),
        verdict=verdict[asked],
        score=None if score is None else score[asked],
        sets=rule.sets(verdict[asked]),
        learned=rule.learned,
        calibrated=rule.calibrated,
        cluster=None if units.single else units.task.cluster,
        unlabelled=bool((judged & ~labelled).any()),
    )


def write_sets(path: str, found: ItemSets) -> None:
    """A line for each judge and item: what names it, the set's options, and how many they are."""
    units, separator = found.units, found.units.task.separator
    labels = [np.array(units.by[name].labels, dtype=object) for name in found.columns]
    header, rows = (*found.columns, "judge", "set", "size"), []
    for one in found.judges:
        if one.sets is None or one.place is None:
            continue
        for place, kept in zip(one.place.tolist(), one.sets, strict=True):
            unit = [
                of[units.by[name].codes[place]]
                for of, name in zip(labels, found.columns, strict=True)
            ]
            options = [one.options[k] for k in np.flatnonzero(kept)]
            rows.append((*unit, one.judge, separator.join(options), len(options)))
    write_atomically(path, rows_text(Path(path).suffix.lower(), header, rows))
