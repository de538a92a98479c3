"""An item's verdict by a weighted sum of its criteria with a threshold.

The weights of the criteria that are met, over all weights above 0 of the criteria that count, held
against the bound of `item_rule`; a weight below 0 is a criterion that an item should not meet (Rao
and Callison-Burch 2026, section 5.1). A criterion that is neither met nor unmet (abstained,
invalid) may go either way: where the item's verdict hangs on that, it is that class.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from goldassay.counts import Units
from goldassay.formulas.agreement import ratio
from goldassay.frozen import dataclass
from goldassay.ratings.cut import Cut
from goldassay.ratings.scale import SCALES
from goldassay.ratings.task import Task

__all__ = ["WeightedSum", "criterion_weights", "item_rule_words", "rule_of", "weighted_sum"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Sums that differ by less are the same.
DIGITS = 9
#: From so many different sums of one item on, they are told apart to the third digit only.
MANY, COARSE = 2_000, 3


@dataclass(frozen=True)
class WeightedSum:
    """The rule: which option is met, and from which share of the weights on an item is."""

    positive: int
    cut: Cut

    def passes(self, share: Floats) -> Bools:
        """Which shares of the weights pass; NaN does not."""
        return np.array([self.cut.holds(round(one, DIGITS)) for one in share.tolist()], dtype=bool)


def criterion_weights(units: Units) -> Floats | None:
    """The declared weight of each pattern's criterion [P], 1 where none is declared.

    None where the task has no weighted rule, or the table one criterion.
    """
    found = units.by.get("criterion")
    if units.task.item_rule in (None, "all") or found is None:
        return None
    weights = np.array([units.task.criterion_weights.get(label, 1.0) for label in found.labels])
    return np.asarray(weights[found.codes])


def rule_of(task: Task, positive: int) -> WeightedSum | None:
    """The weighted rule that a task declares, if it declares one."""
    cut = None if task.item_rule is None else Cut.of(task.item_rule)
    return None if cut is None else WeightedSum(positive, cut)


def item_rule_words(task: Task) -> str:
    """How criteria become an item's verdict, in words."""
    cut = None if task.item_rule is None else Cut.of(task.item_rule)
    if cut is None and task.item_rule == "all":
        return f"{task.positive} when every criterion is"
    if cut is None:
        return SCALES[task.scale].item_rule
    weighted = "weighted " if task.criterion_weights else ""
    return f"{task.positive} when the {weighted}share of criteria met is {cut.yes}"


def weighted_sum(
    rule: WeightedSum, shares: Floats, weights: Floats, item: Ints, items: int
) -> Floats:
    """One side's verdict of each item [I, L] from its criteria's shares [P, L] and weights [P].

    A row sums to 1; one of zeros is an item none of whose criteria has a weight above 0. Criteria
    in shares (several people, repeats) are taken to fall independently.
    """
    out = np.zeros((items, shares.shape[1]))
    whole = np.bincount(item, weights=np.maximum(weights, 0.0), minlength=items)
    met = shares[:, rule.positive] * weights
    open_ = shares.sum(1) - shares[:, :2].sum(1)
    fewest = np.bincount(item, weights=met + open_ * np.minimum(weights, 0), minlength=items)
    most = np.bincount(item, weights=met + open_ * np.maximum(weights, 0), minlength=items)
    low, high = (rule.passes(ratio(one, whole)) for one in (fewest, most))
    last_open = np.zeros(items, np.int64)  # an invalid criterion goes before an abstained one
    for k in range(2, shares.shape[1]):
        last_open[item[shares[:, k] > 0]] = k
    out[low & high, rule.positive] = 1.0
    out[~low & ~high, 1 - rule.positive] = 1.0
    for unsure in np.flatnonzero(low != high):
        out[unsure, last_open[unsure]] = 1.0
    between = ((shares > 1e-12) & (shares < 1 - 1e-12)).any(1)
    divided = np.zeros(items, bool)
    divided[item[between]] = True
    order = np.argsort(item, kind="stable")
    ends = np.searchsorted(item[order], [np.flatnonzero(divided), np.flatnonzero(divided) + 1])
    for one, start, end in zip(np.flatnonzero(divided), *ends, strict=True):
        mine = order[start:end]
        out[one] = _divided(rule, shares[mine], weights[mine], float(whole[one]))
    out[whole <= 0] = 0.0
    return out


def _divided(rule: WeightedSum, shares: Floats, weights: Floats, whole: float) -> Floats:
    """The verdict of an item whose criteria are in shares: each way they may fall, by its chance.

    A state is what the criteria so far sum to at least and at most, and the class that is open.
    """
    states: dict[tuple[float, float, int], float] = {(0.0, 0.0, 0): 1.0}
    for share, weight in zip(shares, weights.tolist(), strict=True):
        digits = DIGITS if len(states) < MANY else COARSE
        further: dict[tuple[float, float, int], float] = {}
        for (low, high, left), chance in states.items():
            for at in np.flatnonzero(share).tolist():
                if at == rule.positive:
                    ends = low + weight, high + weight
                elif at < 2:
                    ends = low, high
                else:
                    ends = low + min(weight, 0.0), high + max(weight, 0.0)
                key = round(ends[0], digits), round(ends[1], digits), max(left, at if at > 1 else 0)
                further[key] = further.get(key, 0.0) + chance * float(share[at])
        states = further
    out = np.zeros(shares.shape[1])
    for (low, high, left), chance in states.items():
        fewest, most = rule.passes(np.array([low, high]) / (whole or np.nan))
        out[left if fewest != most else rule.positive if fewest else 1 - rule.positive] += chance
    return out
