"""Trials of the sequential allocation on simulated pools, all replications at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from karat.planning.allocation import PILOT, next_labels
from karat.planning.precision import JudgeRates

__all__ = ["Labelled", "label_in_batches"]

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
    pilot: int = PILOT,
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
        more = next_labels(pool, labelled, positives, min(batch, labels - spent), pilot=pilot)
        left = true - positives
        positives = positives + rng.hypergeometric(left, pool - labelled - left, more)
        labelled = labelled + more
    return Labelled(pool, labelled, positives)
