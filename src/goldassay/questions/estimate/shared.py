"""Systems that share their labels: one judge's errors, a true rate for each system.

A judge that errs alike on every system has the same sensitivity q and false-positive rate f
everywhere, and a system of which it calls p positive has the rate (p - f) / (q - f) (Rogan and
Gladen 1978). The labelled share within a verdict is not shared: P(label | verdict) depends on the
system's own rate, and differs wherever true rates do.

Their rates hang on the same q and f, and so do the limits of their differences, by the influence
that every labelled cluster has on both (`systems`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.agreement import ratio
from goldassay.questions.estimate.design import Drawing
from goldassay.questions.estimate.estimators import Counts

__all__ = ["SHARED_ASSUMES", "shared_counts"]

Array = NDArray[np.float64]

SHARED_ASSUMES = (
    "the judge errs alike on every system: P(verdict | label) is the same in all, the rates may "
    "differ; labels of all systems are used for each"
)


def shared_counts(cells: Array, drawn: Drawing) -> Counts:
    """Verdicts of each group, and the labels of all, from cells [..., G, K + 1, V].

    Labelled items of a pool are part of what the judge said of it. Labels that may have been drawn
    within verdicts tell its errors only when each verdict weighs what it does in the pool; rows
    then hold the number of labels that the weighted shares are worth.
    """
    own, calibration = cells[..., -1, :], cells[..., :-1, :]
    verdicts = own + calibration.sum(-2) if drawn.from_pool else own
    labels = calibration.sum(-3)
    if drawn.maybe_by_verdict:
        labels = _weighted(labels, verdicts.sum(-2))
    everything = np.broadcast_to(labels[..., None, :, :], calibration.shape)
    # The verdicts hold the group's labelled items; those of all belong to no group's pool.
    return Counts(verdicts, everything)


def _weighted(labels: Array, pool: Array) -> Array:
    """Labels [..., K, V] as if drawn at random from a pool [..., V] of verdicts.

    With weights w a row's share x of positive verdicts has the variance
    x (1 - x) ((1 - x) w_1 + x w_other) / S, S the weighted row: so many labels it is worth.
    """
    weight = ratio(pool, labels.sum(-2))
    weight = np.where(np.isnan(weight), 0.0, weight)[..., None, :]
    weighted = labels * weight
    total = weighted.sum(-1)
    share = ratio(weighted[..., 1], total)
    others = ratio(
        (weighted * weight).sum(-1) - weighted[..., 1] * weight[..., 1], total - weighted[..., 1]
    )
    others = np.where(np.isnan(others), weight[..., 0], others)
    worth = ratio(total, (1 - share) * weight[..., 1] + share * others)
    return np.nan_to_num(weighted * ratio(worth, total)[..., None])
