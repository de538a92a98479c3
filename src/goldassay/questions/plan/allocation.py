"""How to share labels out: by true label (Algorithm 1), by verdict, and as labels arrive.

A true label is unknown before it is given, so items cannot be drawn by it; a verdict is known for
every judged item, so items can be drawn by that. `next_labels` therefore works on verdict strata
(or any strata known beforehand), and is meant to be asked again after every batch.

Reference for `algorithm_1`: Lee et al., "How to Correctly Report LLM-as-a-Judge Evaluations",
proposition 5.2 and appendix A.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Split", "algorithm_1", "algorithm_1_splits", "next_labels"]

Array = NDArray[np.float64]

#: Labels that every stratum gets, where it has the items, before its spread is trusted.
PILOT = 5


class Split(NamedTuple):
    """Labels on truly negative and truly positive items, and what had to be said about them."""

    negatives: int
    positives: int
    notes: tuple[str, ...] = ()


def algorithm_1(
    labels: int, verdict_rate: float, *, specificity: float, sensitivity: float, pilot: int = 10
) -> Split:
    """The paper's Algorithm 1: a pilot of `pilot` per label, then the split of proposition 5.2.

    `specificity` and `sensitivity` are the shares that the pilot found. The paper's formula
    divides by `verdict_rate` and needs 2 x pilot <= labels; where these fail, the limit of its
    formula and the largest possible pilot are used, and a note says so.

    >>> algorithm_1(200, 0.4, specificity=0.7, sensitivity=0.9)
    Split(negatives=136, positives=64, notes=())
    """
    if labels < 2:
        raise ValueError(f"a split needs at least 2 labels, not {labels}")
    notes: tuple[str, ...] = ()
    if 2 * pilot > labels:
        notes += (f"a pilot of {pilot} per label does not fit in {labels}: {labels // 2} used",)
        pilot = labels // 2
    if verdict_rate in (0, 1):
        notes += (
            f"the judge calls {'no' if verdict_rate == 0 else 'every'} item positive: all labels "
            "but the pilot go to the label that its verdicts suggest",
        )
    share = float(_algorithm_1_share(verdict_rate, specificity, sensitivity, pilot))
    positives = min(max(round(labels * share), pilot), labels - pilot)
    return Split(labels - positives, positives, notes)


def algorithm_1_splits(
    labels: int, verdict_rates: Array, *, specificity: Array, sensitivity: Array, pilot: int
) -> NDArray[np.int64]:
    """`algorithm_1` for arrays, [..., 2] labels on negatives and positives; 2 pilot <= labels."""
    share = _algorithm_1_share(verdict_rates, specificity, sensitivity, pilot)
    positives = np.clip(np.rint(labels * share), pilot, labels - pilot).astype(np.int64)
    return np.stack([labels - positives, positives], axis=-1)


def _algorithm_1_share(
    verdict_rate: ArrayLike, specificity: ArrayLike, sensitivity: ArrayLike, pilot: int
) -> Array:
    """The share of labels on positives, from the pilot's shares of right verdicts."""
    q0 = (np.asarray(specificity) * pilot + 1) / (pilot + 2)
    q1 = (np.asarray(sensitivity) * pilot + 1) / (pilot + 2)
    error_ratio = (1 - q0) / (1 - q1)  # kappa-hat
    p = np.asarray(verdict_rate, dtype=float)
    # 1 / (1 + (1 / p - 1) sqrt(kappa)) without its division by p
    share: Array = p / (p + (1 - p) * np.sqrt(error_ratio))
    return share


def next_labels(
    items: ArrayLike, labelled: ArrayLike, positives: ArrayLike, batch: int, *, pilot: int = PILOT
) -> NDArray[np.int64]:
    """How many of the next `batch` labels each stratum should get, given the labels so far.

    The labels in all (old and new) come as near as they can to Neyman's shares, w_h s_h, which
    minimise the variance of the stratified estimate. A label once given cannot be taken back and
    a stratum cannot give more labels than it has items, so the shares are raised from below until
    the batch is spent. s_h comes from the labels so far with one success and one failure added, so
    that a stratum where all agree still counts; every stratum first gets its pilot.

    items, labelled, positives: [..., H]; returns [..., H] whole numbers that sum to `batch`, or
    to what is left where there are fewer unlabelled items.
    """
    size = np.asarray(items, dtype=float)
    m, x = np.asarray(labelled, dtype=float), np.asarray(positives, dtype=float)
    size, m, x = np.broadcast_arrays(size, m, x)
    share = (x + 1) / (m + 2)
    pull = size * np.sqrt(share * (1 - share))
    floor = np.minimum(np.maximum(m, pilot), size)
    total = np.minimum(m.sum(-1) + batch, size.sum(-1))
    floor = np.where((floor.sum(-1) > total)[..., None], m, floor)  # no room for the whole pilot
    wanted = _filled(pull, floor, size, total)
    return _whole(wanted - m, (total - m.sum(-1)), size - m)


def _filled(pull: Array, floor: Array, ceiling: Array, total: Array) -> Array:
    """The h -> clip(level * pull_h, floor_h, ceiling_h) whose sum is `total`, by bisection."""
    low = np.zeros(total.shape)
    high = (ceiling / np.maximum(pull, 1e-300)).max(-1)
    for _ in range(60):
        level = (low + high) / 2
        full = np.clip(level[..., None] * pull, floor, ceiling).sum(-1) >= total
        high = np.where(full, level, high)
        low = np.where(full, low, level)
    filled: Array = np.clip(high[..., None] * pull, floor, ceiling)
    return filled


def _whole(wanted: Array, total: Array, room: Array) -> NDArray[np.int64]:
    """Whole numbers near `wanted` that sum to `total`: largest remainders, within `room`."""
    down = np.minimum(np.floor(np.maximum(wanted, 0) + 1e-9), room)
    missing = np.rint(total - down.sum(-1))
    remainder = np.where(down < room, wanted - down, -np.inf)
    order = np.argsort(np.argsort(-remainder, axis=-1, kind="stable"), axis=-1, kind="stable")
    extra = (order < missing[..., None]) & (down < room)
    out: NDArray[np.int64] = (down + extra).astype(np.int64)
    return out
