"""What a judge costs: the frontier of quality against price, and against time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldassay.questions.select.candidates import Candidates
from goldassay.results import Gathered, Table

__all__ = ["add_frontier", "frontier"]


def frontier(values: Sequence[float], prices: Sequence[float]) -> list[int]:
    """The candidates that no cheaper or equally cheap one matches, by rising price.

    >>> frontier([0.8, 0.9, 0.7, 0.9], [1.0, 5.0, 2.0, 6.0])
    [0, 1]
    """
    order = sorted(range(len(values)), key=lambda i: (prices[i], -values[i], i))
    best, kept = float("-inf"), []
    for index in order:
        if values[index] > best:
            best = values[index]
            kept.append(index)
    return kept


def add_frontier(
    findings: Gathered,
    candidates: Candidates,
    values: NDArray[np.float64],
    criterion: str,
    spending: Mapping[str, Mapping[str, float]],
) -> None:
    """Quality against `cost` (a panel pays all) and `latency` (it waits for the slowest)."""
    for column, by_judge in spending.items():
        together = sum if column == "cost" else max
        known = [
            (name, float(value), float(together([by_judge[m] for m in members])))
            for name, members, value in zip(
                candidates.names, candidates.members, values, strict=True
            )
            if np.isfinite(value) and all(member in by_judge for member in members)
        ]
        if not known:
            continue
        names, quality, prices = (list(part) for part in zip(*known, strict=True))
        kept = frontier(quality, prices)
        rows: list[tuple[Any, ...]] = [
            (names[i], prices[i], quality[i], "yes" if i in kept else "no")
            for i in sorted(range(len(names)), key=lambda i: prices[i])
        ]
        words = criterion.replace("_", " ")
        findings.tables[f"frontier_{column}"] = Table(
            f"{words.capitalize()} against mean {column} of a verdict",
            ("judge", column, criterion, "on the frontier"),
            tuple(rows),
        )
        findings.charts.append(
            {
                "kind": "scatter",
                "title": f"{words.capitalize()} against {column}",
                "x_label": f"mean {column} of a verdict",
                "y_label": words,
                "points": [{"label": n, "x": p, "y": q} for n, q, p in known],
                "curves": [
                    {
                        "label": "frontier",
                        "x": [prices[i] for i in kept],
                        "y": [quality[i] for i in kept],
                    }
                ],
                "diagonal": False,
                "quadrants": False,
                "alt": f"On the frontier, by rising {column}: {', '.join(names[i] for i in kept)}.",
            }
        )
        if column == "cost" and len(kept) > 1:
            cheap, dear = kept[0], kept[-1]
            if prices[cheap] > 0:
                findings.answer.append(
                    f"{names[dear]} costs {prices[dear] / prices[cheap]:.3g} times as much as "
                    f"{names[cheap]} for {quality[dear] - quality[cheap]:.3f} more {words}."
                )
