"""Agreement item by item, to set beside agreement on the ranking of systems.

A judge may rank systems well although it errs on many items (errors that fall on all systems alike
cancel), and badly although it errs on few (errors that fall on one system do not).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.inference.clusters import (
    cautious_design_effect_of_share,
    design_effect_of_share,
    few_cluster_factor,
)
from goldassay.inference.proportions import binomial
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.contest import APART, Contest
from goldassay.questions.rank.record import Judged, value_of
from goldassay.questions.rank.resampling import Draw
from goldassay.results import Interval, Result

__all__ = ["Explained", "ItemAgreement", "ItemLevel", "explained_by_items", "item_level"]

Floats = NDArray[np.float64]

#: Clusters with errors that it takes to believe the design effect they show as much as the largest
#: possible one; chosen by simulated coverage among 1, 2 and 4, each of which covered.
DOUBT = 1.0


@dataclass(frozen=True, slots=True)
class ItemAgreement:
    """Share of people's preferences between two answers that the judge shares, by cluster.

    `agreed[c] / compared[c]`; a tie of the judge agrees by half. Ties of people do not count.
    """

    agreed: Floats
    compared: Floats

    @property
    def value(self) -> float | None:
        total = self.compared.sum()
        return float(self.agreed.sum() / total) if total else None

    def interval(self, draw: Draw) -> Interval:
        """The hedged binomial interval of as many independent comparisons as clusters are worth.

        The design effect is the estimated one with Student's t for few clusters, or a cautious one
        if that is larger: resamples of prompts that hold few errors, all of some prompts, miss
        that others would hold more. Where all are right, or none, a cluster counts once.
        """
        level, held = draw.confidence_level, self.compared > 0
        hits, sizes = self.agreed[held], self.compared[held]
        once = np.ones(len(sizes), np.int64)
        effect = float(design_effect_of_share(hits, sizes, once))
        if self.value not in (0.0, 1.0):
            effect *= few_cluster_factor(max(draw.worth, 2.0), level) ** 2
        cautious = float(cautious_design_effect_of_share(hits, sizes, once, doubt=DOUBT))
        scale = max(effect, cautious) if len(sizes) > 1 else float(sizes.sum())
        low, high = binomial(hits.sum() / scale, sizes.sum() / scale, confidence_level=level)
        method = f"hedged binomial of {len(sizes)} clusters, cautious design effect"
        return Interval(float(low), float(high), level, method)


@dataclass(frozen=True, slots=True)
class ItemLevel:
    """A judge, and the share of people's preferences on single items that it shares."""

    judge: Judged
    accuracy: Result


@dataclass(frozen=True, slots=True)
class Explained:
    """How much of the variance of tau item accuracy explains, alone and with bias delta."""

    n_judges: int
    by_items: float
    with_bias: float


def item_level(contest: Contest, judges: Sequence[Judged], draw: Draw) -> tuple[ItemLevel, ...]:
    """Item accuracy of every judge; empty where people rated none of the judges' items."""
    why = APART if contest.apart else "people prefer neither of two answers that the judge rated"
    found = ((one, contest.agreement(index)) for index, one in enumerate(judges))
    return tuple(
        ItemLevel(one, _accuracy(ItemAgreement(*shares), draw, why))
        for one, shares in found
        if shares is not None
    )


def _accuracy(agreement: ItemAgreement, draw: Draw, why: str) -> Result:
    value = agreement.value
    if value is None:
        return draw.undefined("item_accuracy", why)
    interval = agreement.interval(draw)
    declared = {"compared": int(agreement.compared.sum())}
    return draw.estimate("item_accuracy", value, interval, declared)


def explained_by_items(levels: Sequence[ItemLevel], by: Aggregation) -> Explained | None:
    """How much of the judges' tau item accuracy explains, and what bias delta adds.

    R squared of least squares over the judges; None with fewer than five, or no variation.
    """
    every = (
        (value_of(one.judge.tau(by)), value_of(one.accuracy), value_of(one.judge.bias_delta))
        for one in levels
    )
    rows = [row for row in every if None not in row]
    if len(rows) < 5:
        return None
    tau, item, delta = np.array(rows, np.float64).T
    if min(np.ptp(tau), np.ptp(item), np.ptp(delta)) == 0:
        return None

    def explained(*columns: Floats) -> float:
        design = np.column_stack([np.ones(len(tau)), *columns])
        fitted = design @ np.linalg.lstsq(design, tau, rcond=None)[0]
        return float(1 - ((tau - fitted) ** 2).sum() / ((tau - tau.mean()) ** 2).sum())

    return Explained(len(rows), explained(item), explained(item, delta))
