"""Units of a table of ratings as the cells of one judge, and what is left out on the way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units, reference_weights
from goldassay.frozen import dataclass
from goldassay.inference.cells import MOST_OPTIONS
from goldassay.inference.clusters import distinct_clusters
from goldassay.questions.drawing import declared_draw, weighed_within
from goldassay.questions.estimate.sample import Sample
from goldassay.results import Exclusion

__all__ = [
    "Patterns",
    "complete_sample",
    "estimate_exclusions",
    "options_in_order",
    "patterns_of",
    "rated_by_people",
    "sample_of",
    "undecided_by",
    "whole_sample",
    "with_silent",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


def options_in_order(units: Units) -> tuple[int, ...]:
    """The options' order in cells: negative before positive where there are two, else declared.

    Of two options the positive is the declared one, or the first.
    """
    if len(units.options) == 2:
        positive = units.options.index(units.task.positive or units.options[0])
        return (1 - positive, positive)
    return tuple(range(len(units.options)))


@dataclass(frozen=True)
class Patterns:
    """What a judge said of units, one row for each of P patterns of equal ones.

    `n[p]` units weigh `weight[p]` each. `references[p]` are shares of the K options, or 1 in the
    last place for a unit without a label; `shares[p]` those of the V verdicts that count. Units
    that are `used` have a verdict and a place among the labelled items or in the test.
    """

    options: tuple[str, ...]
    verdicts: tuple[str, ...]
    groups: tuple[str, ...]
    group: Ints
    n: Ints
    weight: Array
    #: None where every unit is its own cluster.
    cluster: Ints | None
    references: Array
    shares: Array
    used: Mask
    apart: bool
    test_labels: Array
    without_verdict: Mapping[str, float]
    weight_without_verdict: float
    labels_without_verdict: Array
    #: Whether a person rated it, with a label or, divided or abstaining, without one.
    rated: Mask

    @property
    def joint(self) -> Array:
        """What one unit of each pattern adds to the cells [P, K + 1, V]."""
        weighed = self.references * self.weight[:, None]
        return np.asarray(weighed[:, :, None] * self.shares[:, None, :])

    def sample(self) -> Sample:
        """Cells summed by cluster, equal clusters merged."""
        many = len(self.options) > MOST_OPTIONS and self.cluster is None and self.used.any()
        found = self._merged() if many else self
        return found.grouped(found.groups, [(found.group, found.joint)])

    def _merged(self) -> Patterns:
        """The patterns in use of lone units, equal ones as one: cells of many options are large."""
        columns = [self.group[:, None], self.weight[:, None], self.references, self.shares]
        rows = np.concatenate(columns, 1, dtype=np.float64)[self.used]
        rows, n = distinct_clusters(rows, self.n[self.used])
        ends = np.cumsum([column.shape[1] for column in columns])[:-1]
        group, weight, references, shares = np.split(rows, ends, axis=1)
        return replace(
            self,
            group=group[:, 0].astype(np.int64),
            n=n,
            weight=weight[:, 0],
            references=references,
            shares=shares,
            used=np.ones(len(n), bool),
            rated=np.asarray(references[:, -1] == 0),
        )

    def grouped(self, groups: Sequence[str], entries: Sequence[tuple[Ints, Array]]) -> Sample:
        """The cells of other groups: each entry has the group and the cells of every pattern.

        With several entries a unit counts in several groups, as a battle does for both sides. A
        unit whose group is -1 is in none.
        """
        n_items = sum(int(self.n[self.used & (group >= 0)].sum()) for group, _ in entries)
        clustered, multiplicity = self._by_cluster(len(groups), entries)
        # One unit per cluster and every unit one whole item in one cell.
        whole = all(bool(((joint == 0) | (joint == 1))[self.used].all()) for _, joint in entries)
        return Sample(
            options=self.options,
            verdicts=self.verdicts,
            groups=tuple(groups),
            cells=clustered,
            multiplicity=multiplicity,
            n_items=n_items,
            independent=whole and int(multiplicity.sum()) == n_items,
            apart=self.apart,
            test_labels=self.test_labels,
            without_verdict=self.without_verdict,
            missing=self._missing(n_items),
            labels_without_verdict=self.labels_without_verdict,
            items=self._items(len(groups), [group for group, _ in entries]),
        )

    def _items(self, groups: int, entries: Sequence[Ints]) -> Ints:
        """Units of each group without a label and with one [G, 2], whatever they weigh."""
        found = np.zeros((groups, 2), np.int64)
        labelled = self.references[:, -1] <= 0
        for group in entries:
            inside = self.used & (group >= 0)
            np.add.at(found, (group[inside], labelled[inside].astype(int)), self.n[inside])
        return found

    def _missing(self, n_items: int) -> float:
        """The weight of what has no verdict, in the scale in which the others weigh one each."""
        weight = float((self.n * self.weight)[self.used].sum())
        if weight <= 0:
            return sum(self.without_verdict.values())
        return self.weight_without_verdict * n_items / weight

    def _by_cluster(self, groups: int, entries: Sequence[tuple[Ints, Array]]) -> tuple[Array, Ints]:
        shape = entries[0][1].shape[1:]
        if not self.used.any():
            return np.zeros((1, groups, *shape)), np.ones(1, np.int64)
        used = np.flatnonzero(self.used)
        group, joint = entries[0]
        if (
            self.cluster is None
            and groups == len(entries) == 1
            and (self.used & (group == 0)).all()
        ):
            return distinct_clusters(joint[:, None], self.n)  # each its own cluster
        if self.cluster is None:
            row, times, rows = np.arange(len(used)), np.ones(len(used)), len(used)
            multiplicity = self.n[used]
        else:
            row = np.unique(self.cluster[used], return_inverse=True)[1].reshape(-1)
            times, rows = self.n[used].astype(float), int(row.max()) + 1
            multiplicity = np.ones(rows, np.int64)
        cells = np.zeros((math.prod(shape), rows * groups))
        for group, joint in entries:
            inside = group[used] >= 0
            place = (row * groups + group[used])[inside]
            for cell, column in enumerate(joint[used].reshape(len(used), -1).T):
                if column.any():
                    cells[cell] += np.bincount(place, (column * times)[inside], rows * groups)
        found = cells.reshape(-1, rows, groups).transpose(1, 2, 0).reshape(rows, groups, *shape)
        return distinct_clusters(np.ascontiguousarray(found), multiplicity)


def sample_of(units: Units, judge: str, *, by: Sequence[str] = ()) -> Sample:
    """The cells of a judge, in the task's modes for abstained and invalid verdicts.

    `by` names columns of the units whose values (joined by " · ") are the groups.
    """
    return patterns_of(units, judge, by=by).sample()


def complete_sample(
    units: Units, judge: str, *, by: Sequence[str] = (), each: bool = False
) -> Sample | None:
    """The cells of every labelled unit, where all units are labelled (`with_silent`); else None.

    `each`: all of a group, which may be complete where another one is not.
    """
    found = patterns_of(units, judge, by=by)
    part = found.group if each else np.zeros(len(units.n), np.int64)
    whole = with_silent(found, units, judge, part)
    return None if whole is None else replace(whole.sample(), silent=True)


def whole_sample(units: Units, judge: str) -> Sample | None:
    """The cells of every unit that the judge was asked about: those on which it gave no verdict
    that counts are one more verdict, so that a rate is that of all of them.

    None where there are no such units, or no label tells of them.
    """
    found = patterns_of(units, judge)
    silent = undecided_by(units, judge, found)
    if not found.references[silent, :-1].any():
        return None
    return replace(_with_verdict_none(found, silent).sample(), silent=True)


def undecided_by(units: Units, judge: str, found: Patterns) -> Mask:
    """The units that the judge was asked about without a verdict that counts."""
    return np.asarray(units.asked_of(judge) & ~found.used & found.references.any(axis=1))


def _with_verdict_none(found: Patterns, silent: Mask) -> Patterns:
    return replace(
        found,
        verdicts=(*found.verdicts, "none"),
        shares=np.concatenate([found.shares, silent[:, None].astype(float)], axis=1),
        used=found.used | silent,
        without_verdict={},
        weight_without_verdict=0.0,
        labels_without_verdict=np.zeros_like(found.labels_without_verdict),
    )


def with_silent(found: Patterns, units: Units, judge: str, part: Ints) -> Patterns | None:
    """Every labelled unit of complete parts, also where the judge is silent: one more verdict.

    `part` [P] says of what each pattern is a part. One is complete where every unit that the judge,
    or no judge, was asked about has a label: what another judge alone saw is no part of it. None
    where no part is complete, or the judge decides all that is.
    """
    here = _asked_about(units, judge)
    labelled = found.references[:, :-1].any(axis=1)
    lacking = np.unique(part[here & ~labelled])
    silent = here & labelled & ~found.used & ~np.isin(part, lacking)
    if found.apart or not silent.any():
        return None
    return _with_verdict_none(found, silent)


def _asked_about(units: Units, judge: str) -> Mask:
    """The units that this judge, or no judge at all, was asked about."""
    return np.asarray(units.asked_of(judge) | ~(units.verdict >= 0).any(axis=1))


def patterns_of(units: Units, judge: str, *, by: Sequence[str] = ()) -> Patterns:
    """`sample_of` before units are summed. Labels that were drawn by another judge's verdict count
    by that draw."""
    weighed = weighed_within(units, declared_draw(units), judge)
    known: tuple[str, Patterns, Mask] | None = units.found.get("patterns")
    if known is None or known[0] != judge:  # one judge is asked about several times in a row
        units.found["patterns"] = known = (judge, *_patterns(weighed, judge))
    _, found, judged = known
    groups, group = _groups(weighed, by, judged)
    return replace(found, groups=groups, group=group)


def _patterns(units: Units, judge: str) -> tuple[Patterns, Mask]:
    """The patterns in one group, and which of them are judged."""
    order = options_in_order(units)
    size = len(order)
    labels, labelled, testing, apart = _roles(units)
    labels = labels[:, list(order)]
    verdicts, names, lost = _verdicts(units, judge, order)

    counted = verdicts.any(axis=1)
    judged = labelled | testing
    without = {
        reason: float((share * units.n)[judged].sum())
        for reason, share in lost.items()
        if (share * units.n)[judged].sum() > 0
    }
    missing = np.sum([*lost.values()], axis=0) * units.n * units.weight
    references = np.zeros((len(units.n), size + 1))
    references[labelled, :size] = labels[labelled]
    references[testing, size] = 1.0
    groups, group = _groups(units, (), judged)
    labelled_away = labelled & ~counted
    found = Patterns(
        options=tuple(units.options[index] for index in order),
        verdicts=names,
        groups=groups,
        group=group,
        n=units.n,
        weight=units.weight,
        cluster=None if units.single else units.cluster,
        references=references,
        shares=verdicts,
        used=counted & judged,
        apart=apart,
        test_labels=(labels * units.n[:, None])[testing & labels.any(axis=1)].sum(axis=0),
        without_verdict=without,
        weight_without_verdict=float(missing[judged].sum()),
        labels_without_verdict=(labels * units.n[:, None])[labelled_away].sum(axis=0),
        rated=rated_by_people(units),
    )
    return found, judged


def rated_by_people(units: Units) -> Mask:
    """The units that a person rated, abstained on or was asked for in vain."""
    return np.asarray(units.human.any(axis=1))


def _groups(units: Units, by: Sequence[str], judged: Mask) -> tuple[tuple[str, ...], Ints]:
    """The groups that judged items fall into, sorted, and the group of each pattern."""
    if not by or not len(units.n):
        return ("all",), np.zeros(len(units.n), np.int64)
    codes = np.stack([units.by[name].codes for name in by], axis=1)
    kind = codes[:, 0]
    for column in codes.T[1:]:  # patterns with the same values are of a kind
        kind = np.unique(kind, return_inverse=True)[1].reshape(-1) * (column.max() + 1) + column
    _, first, kind = np.unique(kind, return_index=True, return_inverse=True)
    kind = kind.reshape(-1)
    labels = [units.by[name].labels for name in by]
    names = [
        " · ".join(label[code] for label, code in zip(labels, row, strict=True))
        for row in codes[first].tolist()
    ]
    groups = sorted({names[one] for one in np.unique(kind[judged])}) or ["all"]
    index = {name: position for position, name in enumerate(groups)}
    return tuple(groups), np.array([index.get(name, 0) for name in names], dtype=np.int64)[kind]


def _roles(units: Units) -> tuple[Array, Mask, Mask, bool]:
    """Reference weights [P, K], which patterns are labelled, which are test, and a split or not.

    Without a split column, the labelled items are the calibration items. With one, the test items
    stay unlabelled for the estimate even where somebody labelled them.
    """
    size = len(units.options)
    weights, _, state = reference_weights(units)
    labels = weights[:, :size]
    sums = labels.sum(axis=1, keepdims=True)
    labels = np.divide(labels, sums, out=np.zeros_like(labels), where=sums > 0)
    has_label = state == 0
    split = units.by.get("split")
    if split is None or "calibration" not in split.labels:
        # A tied vote gives no reference: the item stays in the pool, unlabelled.
        return labels, has_label, ~has_label, False
    names = np.array(split.labels)[split.codes]
    labelled = (names == "calibration") & has_label
    testing = (names == "test") | ((names != "calibration") & ~has_label)
    labelled |= (names != "calibration") & (names != "test") & has_label
    return labels, labelled, testing, True


def _verdicts(
    units: Units, judge: str, order: tuple[int, ...]
) -> tuple[Array, tuple[str, ...], dict[str, Array]]:
    """Shares [P, V] of a unit's verdicts that count, their names, and why the units without such a
    verdict have none."""
    task, size = units.task, len(order)
    columns = units.columns_of(judge)
    codes = units.verdict[:, columns]
    states = np.zeros((len(units.n), size + 3))
    for column in range(len(columns)):
        rows = np.flatnonzero(codes[:, column] >= 0)
        states[rows, codes[rows, column]] += 1.0  # each row once
    present = states.sum(axis=1, keepdims=True)
    states = np.divide(states, present, out=np.zeros_like(states), where=present > 0)
    if task.abstentions == "recode" and task.recode_to is not None:
        states[:, units.options.index(task.recode_to)] += states[:, size]
        states[:, size] = 0.0
    kept, names = [*order], [units.options[index] for index in order]
    if task.abstentions == "class" and states[:, size].any():
        kept, names = [*kept, size], [*names, "abstained"]
    # A verdict cannot be counted wrong where nobody knows the label: it is a class of its own.
    if task.invalids != "exclude" and states[:, size + 1].any():
        kept, names = [*kept, size + 1], [*names, "invalid"]
    reasons = {"abstained": size, "invalid": size + 1, "failed": size + 2}
    lost = {reason: states[:, code] for reason, code in reasons.items() if code not in kept}
    lost["not judged"] = (present[:, 0] == 0).astype(float)
    chosen = states[:, kept]
    whole = chosen.sum(axis=1, keepdims=True)
    return (
        np.divide(chosen, whole, out=np.zeros_like(chosen), where=whole > 0),
        tuple(names),
        _of_undecided(lost, whole[:, 0] <= 0),
    )


def _of_undecided(lost: Mapping[str, Array], undecided: Mask) -> dict[str, Array]:
    """Why each undecided unit has no verdict that counts: 1 for the commonest reason of its
    answers [P], the first of equal ones. One that a repeat decides is lost for none."""
    main = np.argmax([*lost.values()], axis=0)
    return {why: (undecided & (main == at)).astype(float) for at, why in enumerate(lost)}


def estimate_exclusions(
    units: Units,
    judges: Sequence[str] = (),
    *,
    lent: bool = False,
    complete_by: Sequence[str] | None = None,
) -> tuple[Exclusion, ...]:
    """Rows that a corrected rate leaves out, by reason: rows in = rows used + rows excluded.

    A judge's row is used when its verdict counts and its item is labelled or in the test; a
    person's row when it makes the label of an item on which some judge's verdict counts. Of other
    judges than the asked ones none is, and of people none where a passport's labels are `lent`.
    Every label makes a rate where all items are labelled, on a criterion or of a group of the
    columns `complete_by`; None: only those of items that are decided.
    """
    task, size = units.task, len(units.options)
    _, labelled, testing, apart = _roles(units)
    _, _, state = reference_weights(units)
    lost = {size + 2: "failed"}
    if task.abstentions == "exclude":
        lost[size] = "abstained"
    if task.invalids == "exclude":
        lost[size + 1] = "invalid"
    reasons: dict[str, dict[str, int]] = {}

    def count(reason: str, who: str, rows: int) -> None:
        if rows:
            per = reasons.setdefault(reason, {})
            per[who] = per.get(who, 0) + rows

    judged = np.zeros(len(units.n), bool)
    for column, judge in enumerate(units.judges):
        verdict = units.verdict[:, column]
        if judges and judge not in judges:
            count("verdict of a judge not asked about", judge, int(units.n[verdict >= 0].sum()))
            continue
        counts = (verdict >= 0) & ~np.isin(verdict, list(lost))
        judged |= counts
        for code, word in sorted(lost.items()):
            count(f"judge's rating {word}", judge, int(units.n[verdict == code].sum()))
        idle = counts & ~labelled & ~testing
        count("calibration item without a label", judge, int(units.n[idle].sum()))
    if complete_by is not None and not apart and task.calibration != "by_label":
        columns = [name for name in ("criterion", *complete_by) if name in units.by]
        _, part = _groups(units, columns, labelled | testing)
        for judge in judges or units.judge_names:
            here = _asked_about(units, judge)
            judged |= here & ~np.isin(part, part[here & ~labelled])
    people = units.human * units.n[:, None]
    if lent:
        count("label beside the passport's", "people", int(people.sum()))
        people = np.zeros_like(people)
    for code, word in ((size, "abstained"), (size + 1, "invalid"), (size + 2, "failed")):
        count(f"person's rating {word}", "people", int(people[:, code].sum()))
    votes = people[:, :size].sum(axis=1)
    count("people tied", "people", int(votes[state == 2].sum()))
    count("label of a test item", "people", int(votes[testing & (state == 0)].sum()))
    count("no verdict of a judge", "people", int(votes[labelled & ~judged].sum()))
    return tuple(
        Exclusion(reason, sum(per.values()), {"rater": dict(sorted(per.items()))})
        for reason, per in reasons.items()
    )
