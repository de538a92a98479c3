"""What a judge costs: the frontier of quality against price, and against time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from goldassay.frozen import dataclass
from goldassay.questions.select.candidates import Candidates

__all__ = ["Frontier", "frontier", "frontiers"]


@dataclass(frozen=True, slots=True)
class Frontier:
    """Candidates by quality and by what a verdict costs, or how long it takes, on average."""

    #: The column that holds the price: "cost" or "latency".
    column: str
    names: tuple[str, ...]
    quality: tuple[float, ...]
    prices: tuple[float, ...]
    #: The candidates on the frontier, by rising price.
    kept: tuple[int, ...]


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


def frontiers(
    candidates: Candidates, values: NDArray[np.float64], spending: Mapping[str, Mapping[str, float]]
) -> tuple[Frontier, ...]:
    """Quality against each column of `spending`, for the candidates whose price is known.

    A panel pays all its members' `cost`, and waits for the slowest (`latency`).
    """
    out = []
    for column, by_judge in spending.items():
        together = sum if column == "cost" else max
        known = [
            (name, float(value), float(together([by_judge[m] for m in members])))
            for name, members, value in zip(
                candidates.names, candidates.members, values, strict=True
            )
            if np.isfinite(value) and all(member in by_judge for member in members)
        ]
        if known:
            names, quality, prices = zip(*known, strict=True)
            out.append(Frontier(column, names, quality, prices, tuple(frontier(quality, prices))))
    return tuple(out)
