"""Trials of allocations on simulated data, all replications at once.

`label_in_batches` is goldassay's own: labels drawn from the judged pool by verdict, asked for again
after every batch. `separate_set` is the paper's: Algorithm 1 on a calibration set from which true
negatives and positives can be drawn at will.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.plan.allocation import PILOT, algorithm_1_splits, next_labels
from goldassay.questions.plan.precision import JudgeRates

__all__ = ["Labelled", "Separate", "label_in_batches", "separate_set"]

Whole = NDArray[np.int64]


class Labelled(NamedTuple):
    """Pools after labelling, by verdict (negative, positive): arrays [replications, 2]."""

    items: Whole
    labelled: Whole
    positives: Whole


def label_in_batches(
    rates: JudgeRates,
    *,
    items: int,
    labels: int,
    batch: int = 20,
    replications: int,
    rng: np.random.Generator,
) -> Labelled:
    """Draw pools of judged items, and label each in batches, asking `next_labels` before each."""
    truly_positive = rng.binomial(items, rates.prevalence, replications)
    hits = rng.binomial(truly_positive, rates.sensitivity)
    called = hits + rng.binomial(items - truly_positive, 1 - rates.specificity)
    pool = np.stack([items - called, called], axis=-1)
    true = np.stack([truly_positive - hits, hits], axis=-1)
    labelled, positives = np.zeros_like(pool), np.zeros_like(pool)
    for spent in range(0, labels, batch):
        more = next_labels(pool, labelled, positives, min(batch, labels - spent), pilot=PILOT)
        left = true - positives
        positives = positives + rng.hypergeometric(left, pool - labelled - left, more)
        labelled = labelled + more
    return Labelled(pool, labelled, positives)


class Separate(NamedTuple):
    """Verdicts (negative, positive) of a test set, and a labelled set beside it."""

    test: Whole  # [replications, 2]
    calibration: Whole  # [replications, 2, 2]: rows true label, columns verdict


def separate_set(
    rates: JudgeRates,
    *,
    items: int,
    labels: int,
    pilot: int = 10,
    replications: int,
    rng: np.random.Generator,
) -> Separate:
    """Draw a test set and a calibration set split by Algorithm 1, its pilot included."""
    called = rng.binomial(items, rates.verdict_rate, replications)
    right = np.array([rates.specificity, rates.sensitivity])
    first = rng.binomial(pilot, right, (replications, 2))
    splits = algorithm_1_splits(
        labels,
        called / items,
        specificity=first[:, 0] / pilot,
        sensitivity=first[:, 1] / pilot,
        pilot=pilot,
    )
    hits = first + rng.binomial(splits - pilot, right)
    wrong = splits - hits
    calibration = np.stack(
        [np.stack([hits[:, 0], wrong[:, 0]], -1), np.stack([wrong[:, 1], hits[:, 1]], -1)], axis=1
    )
    return Separate(np.stack([items - called, called], axis=-1), calibration)
