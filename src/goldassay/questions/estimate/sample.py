"""What one judge said of labelled and unlabelled items, as counts with a cluster axis.

Rows of the cells are the K reference options and then "not labelled", columns the verdicts that
count (the options, and abstained or invalid where the task makes them a class of their own).
`counting` makes them from a table of ratings.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.clusters import distinct_clusters
from goldassay.questions.cluster_sizes import warnings_of_rates
from goldassay.questions.estimate.linear import Designs, Functional, designs

__all__ = ["PICKED", "ClusterDesign", "Sample", "all_labelled", "designs_of", "summed_cells"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What stands at a rate where labels drawn by label are not marked as a set of their own.
PICKED = (
    "labels were drawn by label, and this is the rate of the items without one: if the labelled "
    "ones were picked from among the same items, the rate of all is another; mark a set from "
    'elsewhere as split = "calibration"'
)


@dataclass(frozen=True, slots=True)
class ClusterDesign:
    """What clusters do to an estimate (`linear.Designs`, of one study)."""

    effect: float
    effective: float
    cautious: float = 1.0
    carriers: float = math.inf
    #: How many times as far ends lie where large clusters are of another kind.
    down: float = 1.0
    up: float = 1.0

    @property
    def hangs_on_few(self) -> bool:
        """Whether what varies comes from one or two of many clusters."""
        return bool(self._study.hang_on_few[0])

    def inflation(self, confidence_level: float) -> float:
        """What to divide counts by; NaN where it is unknown."""
        if math.isinf(self.effective):
            return max(self.effect, 1.0)
        return float(self._study.inflations(confidence_level)[0])

    def moved(self, value: float, low: float, high: float) -> tuple[float, float]:
        """Ends of a rate as far out as sizes tell."""
        ends = self._study.moved(*(np.array([one]) for one in (value, low, high)))
        return float(ends[0][0]), float(ends[1][0])

    @property
    def _study(self) -> Designs:
        return Designs(*(np.array([part]) for part in astuple(self)))


@dataclass(frozen=True)
class Sample:
    """Cells of one judge, `cells[c, g, r, v]`, and how many clusters have them.

    g is a group of items (a system, a stratum; one group when none was asked for), r the reference
    or K for not labelled, v the verdict.
    """

    options: tuple[str, ...]
    verdicts: tuple[str, ...]
    groups: tuple[str, ...]
    cells: Array
    multiplicity: Ints
    n_items: int
    #: Every cluster is one item that counts once: the binomial needs no correction.
    independent: bool
    #: The labelled items are marked as a calibration split, apart from the test items.
    apart: bool
    #: Test items that have a label all the same: labels by option.
    test_labels: Array
    #: Items in the pool whose verdict does not count, by reason.
    without_verdict: Mapping[str, float]
    #: Labels [K] of labelled items whose verdict does not count.
    labels_without_verdict: Array
    #: What the items whose verdict does not count weigh together, beside those of `total`.
    missing: float = 0.0
    #: The last verdict is none: items on which the judge is silent count, but not for its own rate.
    silent: bool = False
    #: Items of each group without a label and with one [G, 2], whatever they weigh; None where
    #: the cells themselves count them.
    items: Ints | None = None

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def of_decided(self) -> dict[str, float]:
        """What a number of these cells declares where other items have no verdict: how many."""
        return {"without_verdict": sum(self.without_verdict.values())} if self.missing > 0 else {}

    @property
    def clustered(self) -> bool:
        """Whether clusters have a size; what lone items weigh is none."""
        return not self.independent and self.n_items > self.n_clusters

    @property
    def size_warnings(self) -> tuple[str, ...]:
        """What stands at a number of these clusters; lone items of unequal weight are none."""
        if not self.clustered:
            return ()
        given, left = self.cells[:, :, :-1].sum((1, 2, 3)), self.cells[:, :, -1].sum((1, 2))
        sides = [given, left] if self.apart else [given + left]  # labelled ones are others
        return warnings_of_rates(sides, self.multiplicity)

    def warnings(self, declared: str | None) -> tuple[str, ...]:
        """What stands at a rate of these cells, whose labels were drawn as declared."""
        picked = declared == "by_label" and not self.apart and self.test.sum() > 0
        return (*self.size_warnings, *((PICKED,) if picked else ()))

    @cached_property
    def total(self) -> Array:
        """Summed cells [G, K + 1, V]; weights are scaled so that the sum is the number of items."""
        total = np.tensordot(self.multiplicity.astype(float), self.cells, axes=1)
        total *= self.n_items / max(total.sum(), 1e-300)
        total.flags.writeable = False  # kept, and the same for everybody
        return cast(Array, total)

    @cached_property
    def _weight(self) -> float:
        """What all cells weigh, before they are scaled."""
        return float(self.multiplicity @ self.cells.sum((1, 2, 3)))

    def all_labelled(self, row: int) -> Sample:
        """The same items, had every labelled one this label."""
        return replace(self, cells=all_labelled(self.cells, row))

    @property
    def test(self) -> Array:
        """Verdicts of the items without a label [V], all groups together."""
        return cast(Array, self.total[:, -1].sum(0))

    @property
    def calibration(self) -> Array:
        """Labelled items [K, V], all groups together."""
        return cast(Array, self.total[:, :-1].sum(0))

    @property
    def n_labelled(self) -> float:
        """What the labelled items weigh, of all that weigh one each on average."""
        return float(self.calibration.sum())

    @property
    def counted(self) -> Array:
        """Items of each group without a label and with one [G, 2], each counted once."""
        if self.items is not None:
            return self.items.astype(np.float64)
        return np.stack([self.total[:, -1].sum(-1), self.total[:, :-1].sum((-1, -2))], 1)

    @property
    def n_labels(self) -> int:
        """How many items have a label."""
        return round(float(self.counted[:, 1].sum()))

    @property
    def n_labelled_in_all(self) -> float:
        """Labelled items that the judge saw, those without a verdict that counts too."""
        seen = sum(n for why, n in self.without_verdict.items() if why != "not judged")
        return self.n_labels + min(float(self.labels_without_verdict.sum()), seen)

    @property
    def lone_items(self) -> tuple[Array, Ints]:
        """Independent items in the same cells, as many of them as there are items."""
        total = self.total
        used = total.reshape(-1) > 0
        eye = np.eye(total.size).reshape(-1, *total.shape)[used]
        weight = total.reshape(-1)[used]
        return eye, cast(Ints, weight * (self.n_items / weight.sum()))

    @property
    def _kinds(self) -> Ints:
        """Which of `lone_items` vary alike: those of a group and verdict, labelled or not.

        Where the few positives fell is chance; the labelled items among which they fell is not.
        """
        total = self.total
        group, row, verdict = np.indices(total.shape)
        kind = 2 * (group * total.shape[-1] + verdict) + (row < total.shape[1] - 1)
        return cast(Ints, kind.reshape(-1)[total.reshape(-1) > 0])

    def inflation(self, functional: Functional, *, confidence_level: float) -> float:
        """What to divide counts by for an estimate `functional(cells[..., G, K + 1, V])`."""
        return self.design(functional).inflation(confidence_level)

    def design(self, functional: Functional) -> ClusterDesign:
        """What clusters do to an estimate, at any level of confidence."""
        if self.independent or not self.cells.any():
            return ClusterDesign(1.0, math.inf)
        lone, weight = self.lone_items
        found = designs(
            (self.cells[None], self.multiplicity),
            (lone, weight[None]),
            functional,
            kinds=self._kinds,
        )
        own = ClusterDesign(*(float(part[0]) for part in found))
        return own if self.clustered else replace(own, down=1.0, up=1.0)

    @property
    def summed(self) -> Sample:
        """All groups as one."""
        items = None if self.items is None else self.items.sum(0, keepdims=True)
        cells = self.cells.sum(1, keepdims=True)
        return replace(self, groups=("all",), cells=cells, items=items)

    @cached_property
    def _parts(self) -> dict[tuple[tuple[int, ...], bool], Sample]:
        """The parts that were asked for: every estimator asks for the same ones."""
        return {}

    def part(self, groups: Sequence[int], *, rest: bool = False) -> Sample:
        """Some groups alone, equal clusters merged; `rest` keeps all others as one more group."""
        key = tuple(groups), rest
        if key not in self._parts:
            self._parts[key] = self._part(groups, rest=rest)
        return self._parts[key]

    def _part(self, groups: Sequence[int], *, rest: bool) -> Sample:
        cells = self.cells[:, list(groups)]
        names = tuple(self.groups[g] for g in groups)
        if rest:
            others = self.cells.sum(1, keepdims=True) - cells.sum(1, keepdims=True)
            cells, names = np.concatenate([cells, others], 1), (*names, "")
        items = None if self.items is None else self.items[list(groups)]
        if rest and items is not None:
            assert self.items is not None
            items = np.concatenate([items, (self.items.sum(0) - items.sum(0))[None]])
        held = cells.any((1, 2, 3))
        share = float(self.multiplicity @ cells.sum((1, 2, 3)))
        merged = distinct_clusters(cells[held], self.multiplicity[held])
        size = round(self.n_items * share / max(self._weight, 1e-300))
        # Each cluster has one whole item here: of one system a prompt has one answer.
        most, sums = merged[0].max((1, 2, 3), initial=0), merged[0].sum((1, 2, 3))
        alone = bool((most == 1).all() and (sums == 1).all())
        return replace(
            self,
            groups=names,
            cells=merged[0],
            multiplicity=merged[1],
            n_items=max(size, 1),
            items=items,
            independent=self.independent or alone,
        )


def all_labelled(cells: Array, row: int) -> Array:
    """Cells [..., K + 1, V], had every labelled item this label."""
    found = cells.copy()
    found[..., :-1, :] = 0.0
    found[..., row, :] = cells[..., :-1, :].sum(-2)
    return found


def summed_cells(cells: Array, n_items: int | Array, times: Ints | None = None) -> Array:
    """`Sample.total` of R studies at once, cells [R, C, G, K + 1, V], cluster c so many times.

    All have as many items, or each [R] its own number.
    """
    total = cells.sum(1) if times is None else np.einsum("c,rcgkv->rgkv", times, cells)
    weight = np.maximum(total.sum((1, 2, 3)), 1e-300)
    found: Array = total * (np.broadcast_to(n_items, len(total)) / weight)[:, None, None, None]
    return found


def designs_of(
    cells: Array, n_items: int | Array, functional: Functional, times: Ints | None = None
) -> Designs:
    """`Sample.design` of R studies at once (`summed_cells`)."""
    weight = summed_cells(cells, n_items, times)
    shape = weight.shape[1:]
    group, row, verdict = np.indices(shape)
    kind = 2 * (group * shape[-1] + verdict) + (row < shape[1] - 1)
    items = np.eye(kind.size).reshape(-1, *shape)
    each = np.ones(cells.shape[1], np.int64) if times is None else times
    lone = (items, weight.reshape(len(weight), -1))
    return designs((cells, each), lone, functional, kinds=kind.reshape(-1))
