"""Are the judges of a panel interchangeable? How often each gives an option, side by side.

Fleiss' kappa and alpha take raters to be exchangeable: chance is of their mean rates. Conger's
kappa takes each at its own (Rao and Callison-Burch 2026, section 7.1: they coincide when all judges
share their rates). Which pair differs most, by which option, is told with an interval that holds
for all pairs and options together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.frozen import dataclass
from goldassay.inference.clusters import cluster_sums, distinct_clusters
from goldassay.inference.comparison import MOST_APART, compare, joint_draws, same_verdicts, widening
from goldassay.inference.draw import Draw
from goldassay.results import Estimate, Interval

__all__ = ["UnlikeJudges", "unlike_judges"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class UnlikeJudges:
    """Two judges whose rates of one option differ most surely, and by how much."""

    option: str
    often: str
    seldom: str
    often_rate: float
    seldom_rate: float
    difference: Estimate

    @property
    def told(self) -> bool:
        """Whether it can be told that they differ."""
        ends = self.difference.interval
        return ends is not None and ends.low > 0


def unlike_judges(
    units: Units, codes: Ints, names: Sequence[str], labels: Sequence[str], draw: Draw
) -> UnlikeJudges | None:
    """The judges, and the class, whose rates differ most surely on the items that all decide.

    `codes` [P, J] are of the classes `labels`. None where no item is decided by all.
    """
    complete = (codes >= 0).all(1) & (units.n > 0)
    n_items = int(units.n[complete].sum())
    if not n_items:
        return None
    said = np.eye(len(labels))[codes[complete]][:, :, None, :]  # one "reference" for all items
    cluster = None if units.single else units.cluster[complete]
    counts, times = cluster_sums(said, units.n[complete], cluster, units.alike)
    used = times > 0
    apart = MOST_APART if units.alike is None else 1  # those alike are together already
    counts, times = distinct_clusters(counts[used], times[used], apart_up_to=apart)
    shares = joint_draws(
        lambda t: t[:, :, 0] / t[:, :, 0].sum(-1, keepdims=True),
        counts,
        times,
        draws=draw.draws,
        seed=draw.seed,
    )
    rates = np.tensordot(times, counts, axes=1)[:, 0] / n_items
    level, n_clusters = draw.confidence_level, int(times.sum())
    # As for the share of verdicts of the first option.
    widen = widening(lambda t: t[..., 0, 0] / t.sum((-1, -2)), counts, times, level)
    alone = 1 if len(labels) == 2 else len(labels)  # of two options one tells both
    found, same = [], same_verdicts(counts)
    for at in range(alone):
        joint = compare(
            rates[:, at],
            shares[:, :, at],
            confidence_level=1 - (1 - level) / alone,
            widen=widen,
            same=same,
        )
        # The diagonal is 0: where no two can be told apart the largest difference stands instead.
        surest = joint.low if joint.low.max() > 0 else joint.difference
        one, two = divmod(int(surest.argmax()), len(names))
        found.append((float(joint.low[one, two]), at, one, two, joint))
    low, at, one, two, joint = max(found, key=lambda each: each[:2])
    how = f"joint over all pairs of {len(names)} judges and {len(labels)} options"
    interval = Interval(low, float(joint.high[one, two]), level, how)
    difference = Estimate(
        "rate_difference_of_judges",
        float(joint.difference[one, two]),
        interval if n_clusters > 1 else None,
        n_items,
        n_clusters,
        {"items": "decided by all judges"},
    )
    return UnlikeJudges(
        labels[at], names[one], names[two], float(rates[one, at]), float(rates[two, at]), difference
    )
