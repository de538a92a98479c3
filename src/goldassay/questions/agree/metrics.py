"""The metrics of one judge against a reference: what each is, on which scale, and its interval.

`METRICS` is the one list; the verb, the documentation and the invariance tests all read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goldassay.formulas import agreement as c
from goldassay.formulas import correlation as r
from goldassay.formulas.reliability import krippendorff_alpha
from goldassay.inference.posterior import HedgedDraws, hedged_interval, hedged_tail
from goldassay.inference.proportions import binomial_interval
from goldassay.inference.significance import mcnemar
from goldassay.results import Estimate, Interval, Result, Undefined

__all__ = ["METRICS", "Metric", "Setting", "counts_shown", "degenerate", "estimate", "metrics_for"]

Floats = npt.NDArray[np.float64]

_ONE_CLASS = "people and judge use one and the same option only"
_CONSTANT = "people or judge use a single option"


@dataclass(frozen=True)
class Setting:
    """What a table means: how many of its classes are options, and the declarations."""

    scale: str
    size: int
    positive: int | None
    weights: Floats
    weights_name: str


@dataclass(frozen=True)
class Metric:
    """A number computed from a table, with what it needs and how its interval is made."""

    name: str
    says: str
    compute: Callable[[Floats, Setting], Floats]
    scales: tuple[str, ...] = ("binary", "nominal", "ordinal", "pairwise")
    #: (successes, trials) when the metric is a share of one margin of whole decisions.
    share: Callable[[Floats, Setting], tuple[Floats, Floats]] | None = None
    #: Grows with agreement, so that the hedge knows which way is which.
    towards_agreement: bool = True
    undefined: str = "0/0"

    @property
    def needs_two_options(self) -> bool:
        """Whether it says nothing (is undefined, or 0 by construction) when a side is constant."""
        return self.undefined in (_ONE_CLASS, _CONSTANT)


def _positive(setting: Setting) -> int:
    return 0 if setting.positive is None else setting.positive


def _of(name: str) -> Callable[[Floats, Setting], Floats]:
    function = getattr(c, name)
    return lambda t, s: np.asarray(function(t, positive=_positive(s)))


def _row(t: Floats, s: Setting) -> Floats:
    return np.asarray(t[..., _positive(s), :].sum(-1))


def _column(t: Floats, s: Setting) -> Floats:
    return np.asarray(t[..., :, _positive(s)].sum(-1))


def _hit(t: Floats, s: Setting) -> Floats:
    return np.asarray(t[..., _positive(s), _positive(s)])


def _all(t: Floats) -> Floats:
    return np.asarray(t.sum((-1, -2)))


def _options(t: Floats, s: Setting) -> Floats:
    return t[..., : s.size, : s.size]


def _macro_f1(t: Floats, s: Setting) -> Floats:
    # An "invalid" class has no reference and is no option: it lowers recalls, it has no F1.
    hits = np.diagonal(t, axis1=-2, axis2=-1)[..., : s.size]
    both = (t.sum(-1) + t.sum(-2))[..., : s.size]
    scores = c.ratio(2 * hits, both)
    defined = np.isfinite(scores)
    return c.ratio(np.where(defined, scores, 0).sum(-1), defined.sum(-1))


def _ranked(function: Callable[[Floats], Floats]) -> Callable[[Floats, Setting], Floats]:
    return lambda t, s: function(_options(t, s))


def _alpha(t: Floats, s: Setting) -> Floats:
    table = _options(t, s)
    return krippendorff_alpha(table + np.swapaxes(table, -1, -2), "ordinal")


_NO_POSITIVE = "no item's reference is positive"
_BINARY = ("binary",)
_ORDINAL = ("ordinal",)

_LIST = (
    Metric(
        "accuracy",
        "share of items on which judge and reference agree (p_o)",
        lambda t, s: c.accuracy(t),
        share=lambda t, s: (np.trace(t, axis1=-2, axis2=-1), _all(t)),
        undefined="no item has both a verdict and a reference",
    ),
    Metric(
        "chance_agreement",
        "agreement expected of two independent raters with these margins (p_e), the floor",
        lambda t, s: c.chance_agreement(t),
        towards_agreement=False,
    ),
    Metric(
        "balanced_accuracy",
        "mean recall over the options that occur in the reference",
        lambda t, s: c.balanced_accuracy(t),
        undefined="the reference has fewer than two options",
    ),
    Metric(
        "youden_j",
        "Youden's J = sensitivity + specificity - 1 (macro-averaged beyond two options)",
        lambda t, s: c.youden_j(t),
        undefined="the reference has fewer than two options",
    ),
    Metric(
        "sensitivity",
        "share of positive items that the judge calls positive",
        _of("sensitivity"),
        _BINARY,
        lambda t, s: (_hit(t, s), _row(t, s)),
        undefined=_NO_POSITIVE,
    ),
    Metric(
        "specificity",
        "share of negative items that the judge calls negative",
        _of("specificity"),
        _BINARY,
        lambda t, s: (_all(t) - _row(t, s) - _column(t, s) + _hit(t, s), _all(t) - _row(t, s)),
        undefined="no item's reference is negative",
    ),
    Metric(
        "precision",
        "share of positive verdicts that are right",
        _of("precision"),
        _BINARY,
        lambda t, s: (_hit(t, s), _column(t, s)),
        undefined="the judge never says positive",
    ),
    Metric(
        "recall",
        "sensitivity under its other name",
        _of("recall"),
        _BINARY,
        lambda t, s: (_hit(t, s), _row(t, s)),
        undefined=_NO_POSITIVE,
    ),
    Metric(
        "negative_predictive_value",
        "share of negative verdicts that are right",
        _of("negative_predictive_value"),
        _BINARY,
        lambda t, s: (_all(t) - _row(t, s) - _column(t, s) + _hit(t, s), _all(t) - _column(t, s)),
        undefined="the judge never says negative",
    ),
    Metric(
        "f1",
        "harmonic mean of precision and recall of the positive option",
        _of("f1"),
        _BINARY,
        undefined="neither people nor judge say positive",
    ),
    Metric("macro_f1", "unweighted mean of the options' F1", _macro_f1),
    Metric(
        "cohen_kappa",
        "agreement beyond chance, chance from each side's own rates",
        lambda t, s: c.cohen_kappa(t),
        undefined=_ONE_CLASS,
    ),
    Metric(
        "weighted_kappa",
        "Cohen's kappa with the declared weights",
        lambda t, s: c.cohen_kappa(t, s.weights),
        undefined=_ONE_CLASS,
    ),
    Metric(
        "phi",
        "association = MCC = Pearson = Spearman = tau-b on binary data",
        lambda t, s: c.phi(t),
        _BINARY,
        undefined=_CONSTANT,
    ),
    Metric(
        "mcc",
        "multi-class Matthews correlation (Gorodkin); none of the rank correlations",
        lambda t, s: c.phi(t),
        ("nominal", "ordinal", "pairwise"),
        undefined=_CONSTANT,
    ),
    Metric(
        "kappa_phi_gap",
        "|phi| - |kappa|: what drifted rates cost kappa",
        lambda t, s: c.kappa_phi_gap(t),
        _BINARY,
        undefined=_CONSTANT,
        towards_agreement=False,
    ),
    Metric(
        "scott_pi",
        "agreement beyond chance, chance from the pooled rates",
        lambda t, s: c.scott_pi(t),
        undefined=_ONE_CLASS,
    ),
    Metric(
        "gwet_ac1",
        "agreement beyond chance that rare classes do not upset",
        lambda t, s: c.gwet_ac(t),
    ),
    Metric(
        "krippendorff_alpha",
        "Krippendorff's alpha, ordinal, of judge and reference",
        _alpha,
        _ORDINAL,
        undefined=_ONE_CLASS,
    ),
    Metric(
        "spearman",
        "rank correlation of the options' order",
        _ranked(r.spearman_of_table),
        _ORDINAL,
        undefined=_CONSTANT,
    ),
    Metric(
        "kendall_tau_b",
        "Kendall's tau-b of the options' order",
        _ranked(r.kendall_tau_b_of_table),
        _ORDINAL,
        undefined=_CONSTANT,
    ),
    Metric(
        "pearson",
        "correlation of the options' positions 1, 2, ...",
        _ranked(r.pearson_of_table),
        _ORDINAL,
        undefined=_CONSTANT,
    ),
    Metric(
        "prevalence",
        "share of items that people call positive",
        _of("prevalence"),
        _BINARY,
        lambda t, s: (_row(t, s), _all(t)),
        towards_agreement=False,
    ),
    Metric(
        "verdict_rate",
        "share of items that the judge calls positive",
        _of("verdict_rate"),
        _BINARY,
        lambda t, s: (_column(t, s), _all(t)),
        towards_agreement=False,
    ),
    Metric(
        "positive_rate_difference",
        "the judge's positive rate less people's",
        lambda t, s: c.ratio(_column(t, s) - _row(t, s), _all(t)),
        _BINARY,
        towards_agreement=False,
    ),
    Metric(
        "log_odds_strictness",
        "where they differ, log-odds that the judge is the stricter",
        _of("log_odds_strictness"),
        _BINARY,
        towards_agreement=False,
        undefined="judge and people never differ",
    ),
)

METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _LIST}


def metrics_for(setting: Setting) -> list[Metric]:
    """The metrics of a scale. A binary task with a third class is read as nominal."""
    nominal = setting.scale == "binary" and setting.positive is None
    scale = "nominal" if nominal else setting.scale
    if setting.scale == "pairwise" and setting.positive is not None and setting.size == 2:
        scale = "binary"  # ties resolved: the two sides are a binary outcome
    plain = setting.weights_name == "unweighted"
    return [
        metric
        for metric in _LIST
        if scale in metric.scales and not (metric.name == "weighted_kappa" and plain)
    ]


def estimate(
    metric: Metric,
    table: Floats,
    setting: Setting,
    drawn: HedgedDraws,
    *,
    n_items: int,
    confidence_level: float,
    declared: Mapping[str, object],
) -> Result:
    """A metric of one table with its interval, or why there is none."""
    value = float(metric.compute(table, setting))
    if np.isnan(value):
        return Undefined(metric.name, f"{metric.undefined} ({counts_shown(table)})", n_items)
    interval = _interval(metric, table, setting, drawn, value, confidence_level)
    extra: dict[str, object] = {}
    if metric.name == "weighted_kappa":
        extra["weights"] = setting.weights_name
    if metric.name == "positive_rate_difference" and drawn.whole and not drawn.clustered:
        p_value = mcnemar(table)
        extra["mcnemar_p"] = None if np.isnan(p_value) else p_value
    warnings = [] if interval else ["no interval: too few clusters"]
    if metric.undefined == _ONE_CLASS and bool(degenerate(table)):
        warnings.append("one side uses a single option, so this is 0 whatever the other does")
    return Estimate(
        metric.name,
        value,
        interval,
        n_items,
        drawn.n_clusters,
        {**declared, **extra},
        (),
        tuple(warnings),
    )


def degenerate(tables: Floats) -> npt.NDArray[np.bool_]:
    """People or judge use one option only; kappa is then 0 by construction, or undefined."""
    used = [(tables.sum(axis) > 0).sum(-1) for axis in (-1, -2)]
    return np.asarray(np.minimum(*used) < 2)


def _interval(
    metric: Metric, table: Floats, setting: Setting, drawn: HedgedDraws, value: float, level: float
) -> Interval | None:
    if metric.share is not None and drawn.whole and not drawn.clustered:
        successes, trials = (float(x) for x in metric.share(table, setting))
        return binomial_interval(successes, trials, confidence_level=level)
    if metric.towards_agreement:
        return hedged_interval(
            lambda t: metric.compute(t, setting), drawn, value, confidence_level=level
        )
    if drawn.clustered and drawn.n_clusters < 2:
        return None
    # No end is the agreeing one: each end is the further of the two priors'.
    tail = hedged_tail(drawn, level)
    both = [metric.compute(t, setting) for t in (drawn.lower, drawn.upper)]
    both = [values[np.isfinite(values)] for values in both]
    if min(len(values) for values in both) < len(drawn.lower) // 2:
        return None
    low = min(value, *(float(np.quantile(values, tail)) for values in both))
    high = max(value, *(float(np.quantile(values, 1 - tail)) for values in both))
    if metric.name == "kappa_phi_gap":
        # Drawn gaps are above 0 even when the true one is not: 0 stays possible while the two
        # positive rates may be equal, which is when there is no gap.
        drift = METRICS["positive_rate_difference"]
        drifted = _interval(
            drift, table, setting, drawn, float(drift.compute(table, setting)), level
        )
        low = 0.0 if drifted is None or 0.0 in drifted else max(low, 0.0)
    return Interval(low, high, level, drawn.method)


def counts_shown(table: Floats) -> str:
    """The counts behind an undefined coefficient, as rows of the table."""
    if table.shape[-1] > 4:
        return f"{float(table.sum()):g} items"
    return "; ".join(" ".join(f"{cell:g}" for cell in row) for row in table)
