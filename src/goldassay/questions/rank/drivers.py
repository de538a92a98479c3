"""What drives ranking quality over many judges: factors, and the judges' traits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from goldassay.questions.rank.anova import Anova, TukeyPair, anova, tukey_hsd
from goldassay.questions.rank.judged import Judged
from goldassay.results import Estimate, Gathered, Table

__all__ = ["add_drivers", "factor_table", "trait_correlations", "tukey_table"]


def add_drivers(
    out: Gathered,
    judged: Sequence[Judged],
    described: Mapping[str, Mapping[str, str]],
    confidence_level: float,
) -> None:
    """Analysis of variance and trait correlations, where there are judges enough."""
    records = [
        (described[one.name]["model"], described[one.name]["realization"], by, value)
        for one in judged
        if {"model", "realization"} <= set(described.get(one.name, {}))
        for by in one.aggregated
        if (value := one.value("kendall_tau", by)) is not None
    ]
    if len(records) >= 8:
        _add_factors(out, records, confidence_level)
    traits = {name: [one.value(name) for one in judged] for name in ("decisiveness", "bias_delta")}
    by = next(iter(judged[0].aggregated))
    taus = [one.value("kendall_tau", by) for one in judged]
    columns = [
        row
        for row in zip(taus, traits["decisiveness"], traits["bias_delta"], strict=True)
        if None not in row
    ]
    if len(columns) >= 5:
        tau, shape, delta = np.array(columns, np.float64).T
        for (one, two), value in trait_correlations(tau, shape, delta).items():
            out.add(
                Estimate("trait_correlation", value, None, 0, 0, {"judges": len(columns)}),
                aggregation=by,
                traits=f"{one}, {two}",
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


def _add_factors(
    out: Gathered, records: Sequence[tuple[str, str, str, float]], confidence_level: float
) -> None:
    columns = list(zip(*records, strict=True))
    factors = dict(zip(("model", "realization", "aggregation"), columns[:3], strict=True))
    factors = {name: levels for name, levels in factors.items() if len(set(levels)) > 1}
    interactions = [
        pair
        for pair in ("model:realization", "realization:aggregation")
        if set(pair.split(":")) <= set(factors)
    ]
    table = anova(columns[3], factors, interactions=interactions)
    while table is None and interactions:
        interactions.pop()
        table = anova(columns[3], factors, interactions=interactions)
    if table is None:
        return
    out.tables["factors"] = factor_table(table)
    if "realization" in factors:
        groups: dict[str, list[float]] = {}
        for realization, tau in zip(columns[1], columns[3], strict=True):
            groups.setdefault(realization, []).append(tau)
        pairs = tukey_hsd(
            groups,
            confidence_level=confidence_level,
            mean_square_error=table.mean_square_error,
            error_degrees=table.error_degrees,
        )
        if pairs:
            out.tables["realizations"] = tukey_table(pairs)


def factor_table(table: Anova) -> Table:
    rows = tuple(
        (e.term, e.degrees, e.f, "< 0.001" if e.p < 0.001 else f"{e.p:.3f}", e.partial_eta_squared)
        for e in table.effects
    )
    return Table(
        "What drives agreement with people's ranking",
        ("factor", "degrees", "F", "p", "partial eta squared"),
        rows,
        (
            f"Analysis of variance of Kendall's tau over {table.n} pipelines, type "
            f"{table.sums_of_squares}, {table.error_degrees} degrees of freedom for the error. The "
            "pipelines share prompts and gold, so p-values are a guide, not a test.",
        ),
    )


def tukey_table(pairs: Sequence[TukeyPair]) -> Table:
    rows = tuple(
        (
            f"{p.one} - {p.two}",
            f"{p.difference:+.3f} ({p.low:+.3f}, {p.high:+.3f})",
            "< 0.001" if p.p < 0.001 else f"{p.p:.3f}",
        )
        for p in pairs
    )
    return Table(
        "Realizations compared (Tukey's honestly significant differences)",
        ("realizations", "difference in tau", "p"),
        rows,
    )
