"""The pictures of a ranking, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.formulas.comparisons import Pairs
from goldassay.questions.rank.behaviour import beta_curve
from goldassay.questions.rank.stability import Curve

__all__ = [
    "Scores",
    "bias_map",
    "correlation_map",
    "decisiveness_map",
    "rank_chart",
    "score_distribution",
    "stability_chart",
    "tau_chart",
    "win_rate_scatter",
]

Floats = NDArray[np.float64]
Chart = dict[str, Any]

#: A judge and all of its scores.
Scores = tuple[str, Floats]

BINS = 25


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def rank_chart(
    judge: str, aggregation: str, systems: Sequence[str], rank: Floats, low: Floats, high: Floats
) -> Chart:
    order = [int(i) for i in np.argsort(rank, kind="stable") if np.isfinite(rank[i])]
    rows = [
        {"label": systems[i], "value": float(rank[i]), "low": float(low[i]), "high": float(high[i])}
        for i in order
    ]
    return {
        "kind": "dot_interval",
        "title": f"Ranks of the systems by {judge} ({aggregation})",
        "x_label": "rank (1 is best)",
        "rows": rows,
        "references": [],
        "alt": f"Rank and rank interval of {len(rows)} systems; "
        f"{rows[0]['label']} comes first, {rows[-1]['label']} last."
        if rows
        else "No ranks.",
    }


def tau_chart(
    rows: Sequence[tuple[str, str | None, float, float | None, float | None]], aggregation: str
) -> Chart:
    """Tau by judge, realization by realization where known (Figure 4)."""
    groups = list(dict.fromkeys(group for _, group, *_ in rows))
    if len(groups) > 1:
        rows = sorted(rows, key=lambda row: groups.index(row[1]))
    body: list[Chart] = [
        {"label": judge, "value": value, "low": low, "high": high}
        | ({"group": group or "other judges"} if any(groups) else {})
        for judge, group, value, low, high in rows
    ]
    best: Chart | None = max(body, key=lambda row: float(row["value"]), default=None)
    return {
        "kind": "dot_interval",
        "title": f"Agreement with people's ranking ({aggregation})",
        "x_label": "Kendall's tau",
        "rows": body,
        "references": [{"value": 0.0, "label": "no agreement"}],
        "alt": f"Kendall's tau of {len(body)} judges with intervals"
        + (f"; {best['label']} has the highest, {best['value']:.2f}." if best else "."),
    }


def win_rate_scatter(
    judge: str,
    pairs: Pairs,
    systems: Sequence[str],
    rates: Floats,
    gold: Floats,
    shape: float | None,
    *,
    most: int,
) -> Chart:
    """Judge's against gold's win rates, pairs both ways, and the beta curve (Figures 5, 6, 11)."""
    known = np.flatnonzero(~(np.isnan(rates) | np.isnan(gold)))
    shown = known[:: max(1, -(-2 * len(known) // most))]
    points = []
    for p in shown:
        a, b = systems[pairs.first[p]], systems[pairs.second[p]]
        points.append({"label": f"{a} over {b}", "x": float(gold[p]), "y": float(rates[p])})
        points.append({"label": f"{b} over {a}", "x": 1 - float(gold[p]), "y": 1 - float(rates[p])})
    at = np.linspace(0, 1, 101)
    curves = []
    if shape is not None:
        curve = beta_curve(at, shape)
        label = f"decisiveness {shape:.2f}"
        curves.append({"label": label, "x": at.tolist(), "y": curve.tolist()})
    left = len(known) - len(shown)
    return {
        "kind": "scatter",
        "title": f"Win rates of pairs of systems: {judge} against people",
        "x_label": "people's win rate",
        "y_label": "judge's win rate",
        "points": points,
        "curves": curves,
        "diagonal": True,
        "quadrants": True,
        "alt": f"{len(known)} pairs of systems, each both ways"
        + (f" ({left} pairs not drawn)" if left else "")
        + (f"; the fitted beta curve has decisiveness {shape:.2f}." if shape else "."),
    }


def decisiveness_map(shapes: Mapping[tuple[str, str], float]) -> Chart:
    """Decisiveness by model and realization (Figure 6b)."""
    models = list(dict.fromkeys(model for model, _ in shapes))
    realizations = sorted({realization for _, realization in shapes})
    values = [[shapes.get((model, how)) for how in realizations] for model in models]
    top = max(shapes, key=lambda cell: shapes[cell])
    return {
        "kind": "heat_map",
        "title": "Decisiveness by model and realization",
        "x_label": "realization",
        "y_label": "model",
        "x_labels": realizations,
        "y_labels": models,
        "values": values,
        "center": None,
        "format": ".2f",
        "alt": f"Decisiveness of {len(shapes)} judges; 1 is as decisive as people. The highest is "
        f"{shapes[top]:.2f}, {top[0]} with {top[1]}.",
    }


def bias_map(
    judges: Sequence[str], systems: Sequence[str], bias: Floats, known: Sequence[int], words: str
) -> Chart:
    """Bias of judges towards systems (Figures 7, 10)."""
    values = [[_number(bias[j, s]) for s in known] for j in range(len(judges))]
    flat = np.where(np.isnan(bias[:, known]), 0, bias[:, known])
    at = np.unravel_index(int(np.abs(flat).argmax()), flat.shape)
    judge, system = judges[int(at[0])], systems[known[int(at[1])]]
    return {
        "kind": "heat_map",
        "title": f"Bias towards systems, {words}",
        "x_label": "system",
        "y_label": "judge",
        "x_labels": [systems[s] for s in known],
        "y_labels": list(judges),
        "values": values,
        "center": 0,
        "format": ".2f",
        "alt": f"Bias of {len(judges)} judges towards {len(known)} systems; the largest is "
        f"{flat[at]:+.2f}, {judge} towards {system}.",
    }


def correlation_map(names: Sequence[str], taus: Floats, aggregation: str) -> Chart:
    """Kendall's tau between the rankings of judges, people first (Figure 9)."""
    values = [[_number(v) for v in row] for row in taus]
    return {
        "kind": "heat_map",
        "title": f"Agreement between rankings (tau, {aggregation})",
        "x_label": "",
        "y_label": "",
        "x_labels": list(names),
        "y_labels": list(names),
        "values": values,
        "center": 0,
        "format": ".2f",
        "alt": f"Kendall's tau between the rankings of {len(names)} raters.",
    }


def score_distribution(series: Sequence[Scores], realization: str) -> Chart:
    """Histograms of the judges' scores (Figure 12)."""
    body = []
    for name, values in series:
        levels = np.unique(values)
        if 2 <= len(levels) <= 12:  # a bar for each score that the judge gives
            half = min(np.diff(levels).min() / 2, np.ptp(levels) / (2 * BINS))
            edges = np.unique(np.concatenate([levels - half, levels + half]))
        else:
            edges = np.histogram_bin_edges(values, bins=BINS)
        counts, edges = np.histogram(values, edges)
        body.append({"label": name, "edges": edges.tolist(), "counts": counts.tolist()})
    title = "Scores that the judges give" + (f" ({realization})" if realization else "")
    return {
        "kind": "distribution",
        "title": title,
        "x_label": "score",
        "series": body,
        "alt": f"Distribution of the scores of {len(body)} judge{'s' if len(body) > 1 else ''}.",
    }


def stability_chart(judge: str, curves: Sequence[tuple[str, Curve]], unit: str) -> Chart:
    series = [
        {
            "label": label,
            "x": list(curve.sizes),
            "y": list(curve.mean),
            "low": list(curve.low),
            "high": list(curve.high),
        }
        for label, curve in curves
    ]
    last = curves[0][1]
    return {
        "kind": "line",
        "title": f"How stable is the ranking by {judge}?",
        "x_label": unit,
        "y_label": "Kendall's tau",
        "series": series,
        "references": [],
        "alt": f"Tau against the number of {unit}; two sets of {last.sizes[-1]} agree with "
        f"tau {last.mean[-1]:.2f}."
        if last.sizes
        else "No curve.",
    }
