"""Definitions of performance: metrics on rating vectors, per item, and which pairs admit them.

Table 1 of Guerdan et al. (2025). A metric takes the judge's and the people's rating vectors,
`(..., K)`, and gives one number per item, `(...)`, NaN where it does not exist for that item and
infinity where a logarithm needs a probability that is 0. The chance-corrected coefficients are not
means over items: they are functions of the table of hard ratings (`TABLE_METRICS`).

Logarithms are natural. KL divergence and cross-entropy run from people to judge; `reverse_` runs
from judge to people. Jensen-Shannon is the divergence, not its root. Squared error and binary
cross-entropy are sums over the options, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldassay.formulas.agreement import cohen_kappa, ratio, scott_pi
from goldassay.formulas.rating_vectors import ROUNDING
from goldassay.frozen import dataclass

__all__ = [
    "Decide",
    "Definition",
    "binary_cross_entropy",
    "coverage",
    "cross_entropy",
    "decision",
    "decision_consistency",
    "downstream",
    "estimation_bias",
    "hit_rate",
    "jensen_shannon",
    "kl_divergence",
    "krippendorff_alpha",
    "mean_squared_error",
    "precision",
    "predictive_efficiency",
    "recall",
    "table_1",
]

Array = NDArray[np.float64]
PerItem = Callable[[Array, Array], Array]
Better = Literal["higher", "lower", "zero"]


class Decide(Protocol):
    """From rating vectors, an option and a threshold to decisions."""

    def __call__(self, vector: Array, option: int, threshold: float) -> Array: ...


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of performance p = (judge's aggregation, people's aggregation, metric)."""

    name: str
    judge: str
    human: str
    better: Better
    #: Per item, or None for a coefficient of the table of hard ratings.
    per_item: PerItem | None = None
    of_table: Callable[[Array], Array] | None = None
    declared: Mapping[str, str | float] | None = None
    #: The options whose share alone `per_item` is given, (..., 1); None: the whole vector.
    counted: tuple[int, ...] | None = None

    @property
    def aggregation(self) -> str:
        return f"{self.judge}/{self.human}"

    @property
    def label(self) -> str:
        suffix = "".join(f" {value}" for value in (self.declared or {}).values())
        return f"{self.name} {self.aggregation}{suffix}"

    def support(self, options: int) -> tuple[float, float]:
        """The least and the largest value that the definition can take."""
        if self.of_table:
            return -1.0, 1.0
        if self.name == "mean_squared_error":
            both_choose_one = {self.judge, self.human} <= {"h", "s"}
            return 0.0, 2.0 if both_choose_one else float(options)
        if self.name == "predictive_efficiency":
            return 0.0, float(options)
        return BOUNDED.get(self.name, (0.0, np.inf))

    def score(self, values: Array) -> Array:
        """The values turned so that higher is better."""
        if self.better == "higher":
            return values
        return -values if self.better == "lower" else -np.abs(values)


BOUNDED: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("estimation_bias", "win_rate_bias"), (-1.0, 1.0)),
    **dict.fromkeys(
        ("hit_rate", "coverage", "recall", "precision", "decision_consistency"), (0.0, 1.0)
    ),
    "jensen_shannon": (0.0, float(np.log(2))),
}


# --- one item ---------------------------------------------------------------------------------


def _product(one: Array, two: Array) -> Array:
    """Sum over the options of the product; `einsum` is several times faster than `sum` here."""
    return np.asarray(np.einsum("...k,...k->...", one, two))


def _total(vector: Array) -> Array:
    return np.asarray(np.einsum("...k->...", vector))


def hit_rate(judge: Array, human: Array) -> Array:
    """1 where the two hard ratings are the same option."""
    return _product(judge, human)


def coverage(judge: Array, human: Array) -> Array:
    """1 where the judge's option (or set) shares an option with the people's."""
    shared = _product(judge, human)
    return np.where(np.isnan(shared), np.nan, shared > 0)


def predictive_efficiency(judge: Array, human: Array) -> Array:
    """Number of options in the judge's set."""
    return _total(judge)


def recall(judge: Array, human: Array) -> Array:
    """Share of the people's options that the judge has; no number for an empty set of theirs."""
    return ratio(_product(judge, human), _total(human))


def precision(judge: Array, human: Array) -> Array:
    """Share of the judge's options that the people have; no number for an empty judge's set."""
    return ratio(_product(judge, human), _total(judge))


def mean_squared_error(judge: Array, human: Array) -> Array:
    """Sum over options of the squared difference."""
    apart = judge - human
    return _product(apart, apart)


def smoothed(distribution: ArrayLike, smoothing: float, size: int | None = None) -> Array:
    """(1 - s) p + s / K: a share s of ratings drawn evenly from the K options."""
    values = np.asarray(distribution, dtype=np.float64)
    return (1 - smoothing) * values + smoothing / (size or values.shape[-1])


def _minus_log_product(weight: Array, probability: Array) -> Array:
    """-weight log(probability); 0 where the weight is 0, infinite where only p is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.asarray(weight * np.log(probability))
        np.negative(found, out=found)
        counts = weight > 0
        if not counts.all():
            np.copyto(found, weight * 0.0, where=~counts)
        return found


def _entropy(shares: Array) -> Array:
    if bool(((shares == 0) | (shares == 1)).all()):  # one option on every item
        return np.zeros(shares.shape[:-1])
    return _total(_minus_log_product(shares, shares))


def cross_entropy(judge: Array, human: Array, *, smoothing: float = 0.0) -> Array:
    """-sum_k h_k log j_k."""
    h, j = smoothed(human, smoothing), smoothed(judge, smoothing)
    return _total(_minus_log_product(h, j))


def kl_divergence(judge: Array, human: Array, *, smoothing: float = 0.0) -> Array:
    """KL(human || judge) = sum_k h_k log(h_k / j_k)."""
    h, j = smoothed(human, smoothing), smoothed(judge, smoothing)
    value = _total(_minus_log_product(h, j) - _minus_log_product(h, h))
    return np.asarray(np.maximum(value, 0.0))


def jensen_shannon(judge: Array, human: Array) -> Array:
    """Mean KL divergence of both from their mean; between 0 and ln 2, always finite."""
    if bool(((judge == 0) | (judge == 1)).all()):  # one option on every item
        from goldassay.formulas.compiled import entr

        # The other options are halved in the mean: what is left is of people's share of this one.
        same = _product(judge, human)
        found = entr((1 + same) / 2) - entr(same) / 2 + (1 - same) * (np.log(2) / 2)
        return np.asarray(np.clip(found, 0.0, np.log(2)))
    entropy = [_entropy(shares) for shares in ((judge + human) / 2, judge, human)]
    return np.asarray(np.clip(entropy[0] - (entropy[1] + entropy[2]) / 2, 0.0, np.log(2)))


def binary_cross_entropy(judge: Array, human: Array, *, smoothing: float = 0.0) -> Array:
    """-sum_k [h_k log j_k + (1 - h_k) log(1 - j_k)], each option its own yes or no."""
    j = smoothed(judge, smoothing, size=2)
    return _total(_minus_log_product(human, j) + _minus_log_product(1 - human, 1 - j))


def _reverse(metric: PerItem) -> PerItem:
    return lambda judge, human: metric(human, judge)


def positive(vector: Array, option: int, threshold: float) -> Array:
    """s_k^tau: 1 where at least `threshold` of the raters choose (or accept) the option."""
    share = vector[..., option]
    return np.where(np.isnan(share), np.nan, share >= threshold - ROUNDING)


def decision(vector: Array, option: int, threshold: float) -> Array:
    """s_k^tau, but that a level vote at a threshold of one half is half a decision.

    The paper's counts it as positive whichever option is asked about, so that a judge with two
    different answers to an item says both. Declared as `reference_ties = "half"`.
    """
    found = positive(vector, option, threshold)
    if abs(threshold - 0.5) < ROUNDING:
        found[np.abs(vector[..., option] - threshold) < ROUNDING] = 0.5
    return found


def decision_rule(ties: str) -> Decide:
    """How shares become decisions: the paper's s_k^tau, or with level votes by half."""
    return decision if ties == "half" else positive


def decision_consistency(
    judge: Array, human: Array, *, option: int, threshold: float, decide: Decide = positive
) -> Array:
    """C: 1 where judge and people put the item on the same side of the threshold."""
    return 1 - np.abs(decide(judge, option, threshold) - decide(human, option, threshold))


def estimation_bias(
    judge: Array, human: Array, *, option: int, threshold: float, decide: Decide = positive
) -> Array:
    """B: judge's minus people's categorization; its mean is the bias of the judge's prevalence."""
    return decide(judge, option, threshold) - decide(human, option, threshold)


def win_rate_bias(judge: Array, human: Array, *, option: int, tie: int | None) -> Array:
    """Judge's minus people's win rate of the first system, ties counted as half a win."""
    worth = np.zeros(judge.shape[-1])
    worth[option] = 1.0
    if tie is not None:
        worth[tie] = 0.5
    return np.asarray(((judge - human) * worth).sum(-1))


# --- all items --------------------------------------------------------------------------------


def krippendorff_alpha(tables: Array) -> Array:
    """Nominal alpha of two raters without gaps: pi with the pairs drawn without replacement."""
    units = tables.sum((-1, -2))
    pi = scott_pi(tables)
    return pi + (1 - pi) * ratio(0.5, units)


#: With one judge and one human rating per item, Fleiss' kappa is Scott's pi.
TABLE_METRICS: Mapping[str, Callable[[Array], Array]] = {
    "cohen_kappa": cohen_kappa,
    "fleiss_kappa": scott_pi,
    "krippendorff_alpha": krippendorff_alpha,
    "scott_pi": scott_pi,
}


def table_1(*, smoothing: float = 0.0) -> tuple[Definition, ...]:
    """Every metric of table 1 with every pair of aggregations that admits it."""
    out = [Definition("hit_rate", "h", "h", "higher", hit_rate)]
    out += [Definition(n, "h", "h", "higher", of_table=f) for n, f in TABLE_METRICS.items()]
    kl = partial(kl_divergence, smoothing=smoothing)
    entropy = partial(cross_entropy, smoothing=smoothing)
    out += [
        Definition("kl_divergence", "s", "s", "lower", kl),
        Definition("reverse_kl_divergence", "s", "s", "lower", _reverse(kl)),
        Definition("cross_entropy", "s", "s", "lower", entropy),
        Definition("reverse_cross_entropy", "s", "s", "lower", _reverse(entropy)),
        Definition("jensen_shannon", "s", "s", "lower", jensen_shannon),
    ]
    hard = ("h", "hrs")
    for name, metric in (("coverage", coverage), ("recall", recall), ("precision", precision)):
        out += [Definition(name, j, h, "higher", metric) for h in hard for j in hard]
    out.append(Definition("predictive_efficiency", "hrs", "-", "lower", predictive_efficiency))
    every = ("h", "s", "hrs", "srs")
    bce = partial(binary_cross_entropy, smoothing=smoothing)
    pairs = [(j, h) for h in hard for j in every] + [("srs", "srs")]
    out += [Definition("binary_cross_entropy", j, h, "lower", bce) for j, h in pairs]
    squared = mean_squared_error
    out += [Definition("mean_squared_error", j, h, "lower", squared) for h in every for j in every]
    return tuple(out)


def downstream(
    counted: tuple[int, ...],
    name: str,
    thresholds: tuple[float, ...],
    pairs: tuple[tuple[str, str], ...],
    *,
    decide: Decide = positive,
) -> tuple[Definition, ...]:
    """Decision consistency (content filters) and estimation bias (prevalence), section 2.2.2.

    An item counts where at least the threshold of the raters chooses one of the options `counted`.
    """
    out = []
    for threshold in thresholds:
        declared: dict[str, str | float] = {"option": name, "threshold": threshold}
        consistency = partial(decision_consistency, option=0, threshold=threshold, decide=decide)
        bias = partial(estimation_bias, option=0, threshold=threshold, decide=decide)
        for j, h in pairs:
            out += [
                Definition(
                    "decision_consistency", j, h, "higher", consistency, None, declared, counted
                ),
                Definition("estimation_bias", j, h, "zero", bias, None, declared, counted),
            ]
    return tuple(out)
