"""Which options an item may have in truth: sets that hold people's label with a declared error.

Split conformal prediction: of every option it is measured how unlike the judge's verdict (or score)
it is, on labelled items, and an item's set has the options that are no more unlike than all but a
share `error` of labels were. Whatever the judge, the sets of items that are exchangeable with the
labelled ones hold their label at least 1 - error of the time, over all such items and labels drawn;
not for each option or topic by itself.

A probability of the judge is taken as it is, and all labels calibrate. Of a bare verdict it has to
be learned how often each option goes with it: on one half of the labelled clusters, at random, and
the other half calibrates. Clusters weigh alike and a new one is one more of them; where labels were
drawn by verdict, each verdict weighs as much as in the pool.

References: Vovk, Gammerman and Shafer (2005); Sadinle, Lei and Wasserman (2019), "Least ambiguous
set-valued classifiers with bounded error levels"; Lee, Barber and Willett (2023), "Distribution-
free inference with hierarchical data", for clusters; Tibshirani and others (2019) for weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass

__all__ = ["Labels", "SetRule", "by_probability", "by_verdict", "threshold"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Spread over the options of a verdict before its labels are counted.
PRIOR = 1.0


@dataclass(frozen=True)
class Labels:
    """Labelled items: option and verdict of each as codes, its cluster, and its weight."""

    label: Ints
    verdict: Ints
    cluster: Ints
    #: How many items of the pool each stands for, by its verdict [V]; 1 where drawn at random.
    weight_of: Array

    def where(self, kept: Bools) -> Labels:
        return Labels(self.label[kept], self.verdict[kept], self.cluster[kept], self.weight_of)

    @property
    def weights(self) -> Array:
        """What each item weighs [N]: its verdict's weight, shared out within its cluster."""
        _, code = np.unique(self.cluster, return_inverse=True)
        size = np.bincount(code.reshape(-1))[code.reshape(-1)]
        return np.asarray(self.weight_of[self.verdict] / size)


@dataclass(frozen=True)
class SetRule:
    """How unlike each option is to each item [N, K], and from where on it is not in the set [V]."""

    unlike: Array
    bound: Array
    #: Labelled items that taught how verdicts and options go together, and that calibrated.
    learned: int
    calibrated: int

    def sets(self, verdict: Ints) -> Bools:
        """The options of each item's set [N, K]; the likeliest is always one of them."""
        found = self.unlike <= self.bound[verdict][:, None] + 1e-12
        found[np.arange(len(found)), self.unlike.argmin(1)] = True
        return np.asarray(found)


def threshold(unlike: Array, weights: Array, own: float, error: float) -> float:
    """The least value that all but `error` of the weight is no greater than; endless if none is.

    `own` is the weight of the item itself, which may be more unlike than any that was seen.
    """
    order = np.argsort(unlike, kind="stable")
    reached = np.cumsum(weights[order])
    enough = np.flatnonzero(reached >= (1 - error) * (weights.sum() + own) - 1e-9)
    return float(unlike[order[enough[0]]]) if len(enough) else np.inf


def _bounds(unlike: Array, labels: Labels, error: float) -> Array:
    """The threshold for an item of each verdict [V]."""
    own = unlike[np.arange(len(unlike)), labels.label]
    known: dict[float, float] = {}
    for weight in labels.weight_of.tolist():
        if weight not in known:
            known[weight] = threshold(own, labels.weights, weight, error)
    return np.array([known[weight] for weight in labels.weight_of.tolist()])


def by_probability(
    labels: Labels, own: Array, probability: Array, *, positive: int, error: float
) -> SetRule:
    """Sets from the judge's probability of the positive of two options.

    `own` are the probabilities of the labelled items, `probability` those of the items asked for.
    """

    def unlike(p: Array) -> Array:
        found = np.stack([p, p], 1)
        found[:, positive] = 1 - p
        return found

    bound = _bounds(unlike(own), labels, error)
    return SetRule(unlike(probability), bound, 0, len(labels.label))


def by_verdict(
    labels: Labels, verdict: Ints, options: int, *, error: float, seed: int
) -> SetRule | None:
    """Sets from the verdict, with how often each option goes with it learned on one half.

    None where a half has no cluster.
    """
    clusters = np.unique(labels.cluster)
    chosen = np.random.default_rng(seed).permutation(len(clusters))[: len(clusters) // 2]
    learn = np.isin(labels.cluster, clusters[chosen])
    if not learn.any() or learn.all():
        return None
    taught, rest = labels.where(learn), labels.where(~learn)
    counts = np.zeros((len(labels.weight_of), options))
    np.add.at(counts, (taught.verdict, taught.label), 1.0)
    overall = counts.sum(0) + PRIOR / options
    counts += PRIOR * overall / overall.sum()  # a verdict that was not seen has the share of all
    unlike = 1 - counts / counts.sum(1, keepdims=True)
    bound = _bounds(unlike[rest.verdict], rest, error)
    return SetRule(unlike[verdict], bound, int(learn.sum()), int((~learn).sum()))
