"""What drives ranking quality over many judges: factors, and the judges' traits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goldassay.questions.rank.aggregation import Aggregation
from goldassay.questions.rank.anova import Anova, TukeyPair, anova, tukey_hsd
from goldassay.questions.rank.judged import Judged, value_of
from goldassay.results import Estimate

__all__ = ["Drivers", "Trait", "drivers", "trait_correlations"]

#: Fewest pipelines for an analysis of variance, and fewest judges for correlations of their traits.
MIN_PIPELINES, MIN_JUDGES = 8, 5


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
    every = (
        (value_of(one.tau(by)), value_of(one.decisiveness), value_of(one.bias_delta))
        for one in judges
    )
    rows = [row for row in every if None not in row]
    if len(rows) < MIN_JUDGES:
        return ()
    columns = np.array(rows, np.float64).T
    return tuple(
        Trait(traits, Estimate("trait_correlation", value, declared={"judges": len(rows)}))
        for traits, value in trait_correlations(*columns).items()
    )


def trait_correlations(
    tau: np.ndarray, shape: np.ndarray, delta: np.ndarray
) -> dict[tuple[str, str], float]:
    """Pearson's correlations over judges of tau, decisiveness and bias delta."""
    names = ("kendall_tau", "decisiveness", "bias_delta")
    columns = (tau, shape, delta)
    return {
        (names[i], names[j]): float(np.corrcoef(columns[i], columns[j])[0, 1])
        for i in range(3)
        for j in range(i + 1, 3)
        if np.ptp(columns[i]) > 0 and np.ptp(columns[j]) > 0
    }
