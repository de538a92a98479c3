"""What drives ranking quality over many judges: factors, and the judges' traits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.anova import Anova, TukeyPair, anova, tukey_hsd
from goldassay.questions.rank.record import Judged, value_of
from goldassay.results import Estimate, Result

__all__ = ["Drivers", "Trait", "drivers", "trait_correlations", "trait_values"]

Floats = NDArray[np.float64]

#: Fewest pipelines for an analysis of variance, and fewest judges for correlations of their traits.
MIN_PIPELINES, MIN_JUDGES = 8, 5
#: Traits whose correlation over the judges Gera et al. (2025) give: section 6.3 and Appendix E.
TRAITS = (
    ("kendall_tau", "decisiveness"),
    ("kendall_tau", "bias_delta"),
    ("decisiveness", "bias_delta"),
    ("kendall_tau", "win_rate_accuracy"),
    ("kendall_tau", "win_rate_mse"),
)


@dataclass(frozen=True, slots=True)
class Trait:
    """The correlation of two traits over the judges."""

    traits: tuple[str, str]
    correlation: Estimate


@dataclass(frozen=True, slots=True)
class Drivers:
    """What tau depends on: the factors of a pipeline, its realization, the judge's traits."""

    factors: Anova | None = None
    realizations: tuple[TukeyPair, ...] = ()
    traits: tuple[Trait, ...] = ()


def drivers(
    judges: Sequence[Judged],
    described: Mapping[str, Mapping[str, str]],
    by: Aggregation,
    *,
    confidence_level: float,
) -> Drivers:
    """Analysis of variance and trait correlations, where there are judges enough.

    `described` gives the model and the realization of judges; a pipeline is a judge with an
    aggregation. Traits are correlated with tau by the aggregation `by`.
    """
    traits = _traits(judges, by)
    pipelines = [
        (described[one.name]["model"], described[one.name]["realization"], way, tau)
        for one in judges
        if {"model", "realization"} <= set(described.get(one.name, {}))
        for way in one.aggregated
        if (tau := value_of(one.tau(way))) is not None
    ]
    if len(pipelines) < MIN_PIPELINES:
        return Drivers(traits=traits)
    models, realizations, ways, taus = zip(*pipelines, strict=True)
    factors = {"model": models, "realization": realizations, "aggregation": ways}
    factors = {name: levels for name, levels in factors.items() if len(set(levels)) > 1}
    table = _analysis(taus, factors)
    if table is None or "realization" not in factors:
        return Drivers(table, (), traits)
    groups: dict[str, list[float]] = {}
    for realization, tau in zip(realizations, taus, strict=True):
        groups.setdefault(realization, []).append(tau)
    pairs = tukey_hsd(
        groups,
        confidence_level=confidence_level,
        mean_square_error=table.mean_square_error,
        error_degrees=table.error_degrees,
    )
    return Drivers(table, tuple(pairs), traits)


def _analysis(taus: Sequence[float], factors: Mapping[str, Sequence[str]]) -> Anova | None:
    """The analysis of variance with as many of the interactions as leave an error."""
    interactions = [
        pair
        for pair in ("model:realization", "realization:aggregation")
        if set(pair.split(":")) <= set(factors)
    ]
    table = anova(taus, factors, interactions=interactions)
    while table is None and interactions:
        interactions.pop()
        table = anova(taus, factors, interactions=interactions)
    return table


def _traits(judges: Sequence[Judged], by: Aggregation) -> tuple[Trait, ...]:
    return tuple(
        Trait(traits, Estimate("trait_correlation", value, declared={"judges": number}))
        for traits, (value, number) in trait_correlations(trait_values(judges, by)).items()
    )


def trait_values(judges: Sequence[Judged], by: Aggregation) -> dict[str, Floats]:
    """Tau, decisiveness, bias delta, win-rate accuracy and error of judges; NaN for none."""
    found: dict[str, list[Result | None]] = {"kendall_tau": [one.tau(by) for one in judges]}
    for name in ("decisiveness", "bias_delta", "win_rate_accuracy", "win_rate_mse"):
        found[name] = [getattr(one.behaviour, name, None) for one in judges]
    return {
        name: np.array([np.nan if (value := value_of(one)) is None else value for one in results])
        for name, results in found.items()
    }


def trait_correlations(traits: Mapping[str, Floats]) -> dict[tuple[str, str], tuple[float, int]]:
    """Pearson's correlations over the judges that have both traits, and how many these are.

    Of tau, decisiveness and bias delta (section 6.3), and of tau with the accuracy and the mean
    squared error of win rates (Appendix E), where the traits are known of enough judges.
    """
    found = {}
    for pair in TRAITS:
        if not set(pair) <= set(traits):
            continue
        one, other = traits[pair[0]], traits[pair[1]]
        both = ~(np.isnan(one) | np.isnan(other))
        one, other = one[both], other[both]
        if len(one) >= MIN_JUDGES and np.ptp(one) > 0 and np.ptp(other) > 0:
            found[pair] = (float(np.corrcoef(one, other)[0, 1]), len(one))
    return found
