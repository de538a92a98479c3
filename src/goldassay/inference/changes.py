"""The interval of a change between two versions of a judge on the same items.

Everything is a function of the joint counts reference x old verdict x new verdict, a cluster axis
in front. A change D of any smooth coefficient is linear in them near what was seen, so that its
variance is that of the clusters' influences. Small samples show too few changes: one pseudo-item
that only the old version gets right and one that only the new does are added first, as Bonett and
Price (2012) do for a rate, whose interval this is for the accuracy of independent items.

With clusters a pseudo-item weighs delta items. That is the design effect of the change, drawn
towards the size of a cluster where changes come from so few clusters that nobody can tell:
delta = deff^(1 - k) size^k with k = 1/2 / (1/2 + E), E the effective number of clusters behind the
changed items. Each cluster's influence is divided by the root of what it leaves to the others, and
Student's t has Satterthwaite's degrees of freedom for shares h of the variance:
1/df = sum h^2 + (sum h^2/(1 - h))^2 - sum h^4/(1 - h)^2, which is C - 1 for C equal clusters.

Where changes go one way, a sample with few of them also shows too little of their spread: their
variance grows with their number. With changes that come to Q if all went one way and to w Q as they
went (|w| <= 1), the end beyond them is the x with (x - D)^2 = t^2 (V + |w| V/Q |x - D|), the
score test's for a share of rare events where w is 1, and nothing moves where they cancel out. The
other end moves in by two thirds of what the same equation says there.

`docs/intervals.md` holds the measured coverage and length.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.cluster_spread import SizeDoubt, doubt_by_size, reaches_by_size
from goldassay.inference.clusters import effective_clusters, student_quantile
from goldassay.inference.proportions import normal_quantile

__all__ = ["ChangeLimits", "Joint", "Statistic", "change", "change_limits"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
#: A coefficient of tables [..., K, K].
Statistic = Callable[[Floats], Floats]

#: Clusters with changed items that it takes to believe the design effect they show as much as the
#: largest possible one; chosen by simulated coverage.
DOUBT = 0.5
#: The largest share of the variance that one cluster is taken to have.
LARGEST_SHARE = 0.95
#: Step of the numerical derivative, in items.
STEP = 1e-4
#: The largest t that also moves the end beyond one-sided changes; chosen by simulated coverage.
LARGEST_T = 3.0
#: The share by which the other end moves in, of what the same equation says; chosen likewise.
MOVED_IN = 2 / 3
#: Changes are one-sided when at most this share goes the other way, and come by clusters from this
#: design effect on: then no interval that was tried covers what it claims.
ONE_SIDED, BY_CLUSTERS = 0.1, 1.2


@dataclass(frozen=True)
class Joint:
    """`counts[c, r, o, n]`: clusters of c with reference r, old verdict o and new verdict n.

    The last class of o and n is "no option" (abstained, invalid, failed); `multiplicity[c]`
    clusters have these counts; `clustered` when a cluster may hold several units.
    """

    counts: Floats
    multiplicity: Ints
    n_items: int
    clustered: bool

    @property
    def n_clusters(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def total(self) -> Floats:
        found: Floats = np.tensordot(self.multiplicity.astype(float), self.counts, axes=1)
        return found

    @property
    def lone(self) -> bool:
        """Every cluster is one item, and all weigh alike."""
        sizes = self.counts.sum((1, 2, 3))
        return not self.clustered and bool(np.allclose(sizes, sizes[:1]))


@dataclass(frozen=True)
class ChangeLimits:
    """Both ends of a change, and whether the changed items are a kind that they may not cover."""

    low: float
    high: float
    method: str
    #: Nearly all changed items changed the same way, and they come by clusters.
    doubtful: bool = False
    #: Whether clusters of such sizes may hide that large ones change otherwise.
    by_size: SizeDoubt | None = None


def change(statistic: Statistic, joint: Floats) -> Floats:
    """The statistic of the new table minus that of the old; each on the items it covers."""
    size = joint.shape[-3]
    old = joint.sum(axis=-1)[..., :size]
    new = joint.sum(axis=-2)[..., :size]
    return statistic(new) - statistic(old)


def change_limits(joint: Joint, statistic: Statistic, *, confidence_level: float) -> ChangeLimits:
    """The interval of a change; one cluster alone gives none (do not ask)."""
    changed = _ChangedCells.of(joint.total)
    if joint.lone:
        scale = joint.total / joint.total.sum() * joint.n_items  # equal weights are no more items
        moved = _Influence.at(joint, statistic, scale + changed.pseudo)
        variance = float((scale * moved.cells**2).sum()) + changed.variance(moved.cells)
        half = float(normal_quantile((1 + confidence_level) / 2) * np.sqrt(variance))
        ends = _ends(statistic, joint.total, scale + changed.pseudo, half, half)
        return ChangeLimits(*ends, "paired, adjusted Wald (Bonett and Price)")
    delta, effect, one_sided = _weight_of_pseudo_items(joint, statistic, changed)
    smooth = joint.total + delta * changed.pseudo
    moved = _Influence.at(joint, statistic, smooth)
    variance = moved.over_clusters + delta**2 * changed.variance(moved.cells)
    reach = student_quantile(max(moved.degrees, 1.0), (1 + confidence_level) / 2)
    below, above = changed.sides(smooth * moved.cells)
    one_way = abs(above - below) / (above + below) ** 2 if above + below > 0 else 0.0
    near, far = _score_ends(variance * one_way, variance, reach)
    down, up = (near, far) if above > below else (far, near)
    moves, sizes = np.tensordot(joint.counts, moved.cells, axes=3), joint.counts.sum((1, 2, 3))
    lower, upper = reaches_by_size(moves, sizes, joint.multiplicity.astype(float), reach)
    ends = _ends(statistic, joint.total, smooth, lower * down, upper * up)
    method = f"paired, adjusted cluster t, {moved.degrees:.3g} degrees of freedom"
    by_size = doubt_by_size(sizes, joint.multiplicity, moves)
    return ChangeLimits(*ends, method, one_sided and effect > BY_CLUSTERS, by_size)


def _score_ends(growth: float, variance: float, reach: float) -> tuple[float, float]:
    """How far the ends lie from the change towards 0 and beyond it, where its variance grows so.

    The near one moves in by `MOVED_IN` of what the equation says: few go one way by chance.
    """
    t, usual = min(reach, LARGEST_T), reach * float(np.sqrt(variance))
    middle, half = t**2 * growth / 2, reach * float(np.sqrt(variance + (t * growth) ** 2 / 4))
    return usual - MOVED_IN * max(usual - half + middle, 0.0), middle + half


def _ends(
    statistic: Statistic, total: Floats, smooth: Floats, down: float, up: float
) -> tuple[float, float]:
    value, centre = float(change(statistic, total)), float(change(statistic, smooth))
    return min(centre - down, value), max(centre + up, value)


@dataclass(frozen=True)
class _ChangedCells:
    """Where one version alone is right: cells [K, K + 1, K + 1]."""

    only_old: Floats
    only_new: Floats

    @classmethod
    def of(cls, total: Floats) -> _ChangedCells:
        """Of the references that occur: pseudo-items make no class that nobody has.

        Of one alone they are of all: what is beyond chance cannot change among items of one class.
        """
        size = len(total)
        reference, old, new = np.ogrid[:size, : size + 1, : size + 1]
        occurs = total.sum((1, 2)) > 0
        occurs |= occurs.sum() < 2
        options = (old < size) & (new < size) & occurs[:, None, None]
        only_old = options & (old == reference) & (new != reference)
        only_new = options & (new == reference) & (old != reference)
        return cls(only_old.astype(float), only_new.astype(float))

    @property
    def pseudo(self) -> Floats:
        """One item of each kind, spread evenly."""
        found: Floats = self.only_old / self.only_old.sum() + self.only_new / self.only_new.sum()
        return found

    def sides(self, moves: Floats) -> tuple[float, float]:
        """How far moves by cell come down and up where one version alone is right."""
        alone = moves * (self.only_old + self.only_new)
        return -float(np.minimum(alone, 0).sum()), float(np.maximum(alone, 0).sum())

    def variance(self, influence: Floats) -> float:
        """What the pseudo-items add to the variance."""
        return float((self.pseudo * influence**2).sum())


@dataclass(frozen=True)
class _Influence:
    """How the change moves with an item of each cell, and with clusters."""

    cells: Floats
    over_clusters: float
    alone: float
    degrees: float

    @classmethod
    def at(cls, joint: Joint, statistic: Statistic, smooth: Floats) -> _Influence:
        """Derivatives at a smoothed table, centred so that equal items would move nothing.

        The share of a cluster in the variance is what its items would have if those with the same
        reference varied alike: where the few changes fell is chance.
        """
        steps = STEP * np.eye(smooth.size).reshape(-1, *smooth.shape)
        slope = (change(statistic, smooth + steps) - change(statistic, smooth - steps)) / (2 * STEP)
        cells = slope.reshape(smooth.shape)
        cells = cells - float((smooth * cells).sum() / smooth.sum())
        by_reference = (smooth * cells**2).sum((1, 2)) / np.maximum(smooth.sum((1, 2)), 1e-300)
        sizes, times = joint.counts.sum((2, 3)), joint.multiplicity
        shares = sizes @ by_reference
        shares = np.minimum(shares / max(float(times @ shares), 1e-300), LARGEST_SHARE)
        moved = np.tensordot(joint.counts, cells, axes=3)
        left = 1 - shares
        inverse = (
            times @ shares**2 + (times @ (shares**2 / left)) ** 2 - times @ (shares**4 / left**2)
        )
        return cls(
            cells,
            float(times @ (moved**2 / left)),
            float((joint.total * cells**2).sum()),
            1 / max(float(inverse), 1e-12),
        )


def _weight_of_pseudo_items(
    joint: Joint, statistic: Statistic, changed: _ChangedCells
) -> tuple[float, float, bool]:
    """How many items a pseudo-item weighs, the design effect, and whether changes are one-sided."""
    either = changed.only_old + changed.only_new
    effective = float(
        effective_clusters((joint.counts * either).sum((1, 2, 3)), joint.multiplicity)
    )
    largest = max(float(joint.total.sum()) / joint.n_clusters, 1.0)
    moved = _Influence.at(joint, statistic, joint.total + changed.pseudo)
    effect = largest
    if effective > 0 and moved.alone > 0:
        effect = float(np.clip(moved.over_clusters / moved.alone, 1.0, largest))
    doubt = DOUBT / (DOUBT + effective)
    sides = [float((joint.total * side).sum()) for side in (changed.only_old, changed.only_new)]
    one_sided = sum(sides) > 0 and min(sides) <= ONE_SIDED * sum(sides)
    return effect ** (1 - doubt) * largest**doubt, effect, one_sided
