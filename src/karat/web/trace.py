"""The estimate as labels arrive: what it would have been after each of the first units labelled.

A binary task with a judge gives the true rate behind the judge's rate; any other task gives how
often judge and people say the same. Both come from small counts, for all moments at once.

The interval is valid for a number of labels that was fixed beforehand. Stopping at the moment when
it looks good makes it too short; the page says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karat.coefficients import cohen_kappa
from karat.task import Task
from karat.web.compare import relation
from karat.web.desk import Desk

__all__ = ["Pair", "Trace", "pairs", "trace"]

MOMENTS = 40
#: Below this many labelled units an interval says nothing worth a look.
FEWEST = 2

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Trace:
    """The estimate at several moments; the last is now. `labels` counts labelled units."""

    name: str
    judge: str
    labels: tuple[int, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    method: str
    confidence_level: float

    @property
    def length(self) -> float:
        return self.high[-1] - self.low[-1]


def trace(desk: Desk, judge: str, *, moments: int = MOMENTS) -> Trace | None:
    """How the estimate for a judge came to be, or None when there is nothing to estimate from."""
    task = desk.task
    units = _labelled_in_order(desk)
    outcomes = []
    for key in units:
        verdicts = [one for one in desk.cases.verdicts.get(key, ()) if one.judge == judge]
        stand, _ = relation(verdicts, desk.people(desk.cases.units[key]), task)
        if stand in ("same", "differ"):
            outcomes.append(stand == "same")
    if len(outcomes) < FEWEST:
        return None
    at = _moments(len(outcomes), moments)
    same = np.cumsum(outcomes)[at - 1]
    low, high = _wilson(same, at, task.confidence_level)
    return _made("agreement", judge, at, same / at, low, high, "Wilson", task)


def _labelled_in_order(desk: Desk) -> list[str]:
    """Units with a person's rating: the table's own first, then in the order of their labels."""
    first = {unit.key: None for unit, _ in desk.labels()}
    return [*(key for key in desk.cases.people if key not in first), *first]


def _moments(last: int, moments: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(min(FEWEST, last), last, moments).round().astype(np.int64))


def _wilson(successes: Any, trials: Any, confidence_level: float) -> tuple[Array, Array]:
    """Wilson's score interval of a proportion (1927)."""
    from scipy.special import ndtri

    z = float(ndtri((1 + confidence_level) / 2))
    centre = (successes + z * z / 2) / (trials + z * z)
    spread = successes * (trials - successes) / trials + z * z / 4
    half = z * np.sqrt(spread) / (trials + z * z)
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def _made(
    name: str, judge: str, at: Any, value: Array, low: Array, high: Array, method: str, task: Task
) -> Trace:
    return Trace(
        name, judge, tuple(at.tolist()), tuple(value.tolist()), tuple(low.tolist()),
        tuple(high.tolist()), method, task.confidence_level,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two people: units that both rated, how many alike, and kappa (None when undefined)."""

    first: str
    second: str
    common: int
    same: int
    kappa: float | None


def pairs(desk: Desk, *, most: int = 50) -> list[Pair]:
    """Agreement of every two people on the units that both rated, most in common first."""
    options = {option: index for index, option in enumerate(desk.task.options)}
    said: dict[str, dict[str, str]] = {}
    for key, unit in desk.cases.units.items():
        for one in desk.people(unit):
            if one.status == "rated":
                said.setdefault(one.rater, {})[f"{key} {one.elicitation}"] = one.value
    names = sorted(said)
    found = []
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            common = said[first].keys() & said[second].keys()
            if not common:
                continue
            counts = np.zeros((max(len(options), 1),) * 2)
            same = 0
            for key in common:
                left, right = said[first][key], said[second][key]
                same += left == right
                if left in options and right in options:
                    counts[options[left], options[right]] += 1
            kappa = float(cohen_kappa(counts)) if counts.sum() == len(common) else np.nan
            found.append(Pair(first, second, len(common), same, None if np.isnan(kappa) else kappa))
    return sorted(found, key=lambda pair: -pair.common)[:most]
