"""Every definition of performance as results: values with intervals, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldassay.formulas.distributions import Definition
from goldassay.frozen import dataclass
from goldassay.questions.audit.bounds import Bounds
from goldassay.questions.audit.definitions import LOGARITHMS
from goldassay.questions.audit.rank_consistency import best_judge
from goldassay.questions.audit.sides import Sides
from goldassay.results import Estimate, Interval, Result, Undefined
from goldassay.words import counted

__all__ = ["ALL_ALIKE", "Performance", "performances"]

#: What stands at a logarithm that is the same on every item.
ALL_ALIKE = (
    "no interval: every item has the same value, which says nothing of how far others stray, and "
    "there is no largest value; jensen_shannon and mean_squared_error have one"
)


@dataclass(frozen=True, slots=True)
class Performance:
    """One definition: its result for every judge, in their order, and the judge it selects."""

    definition: Definition
    results: tuple[Result, ...]
    #: None where there is one judge, where it is undefined for one, or where all score alike.
    selects: str | None


def performances(
    sides: Sides, definitions: Sequence[Definition], found: Bounds, smoothing: float | None
) -> tuple[Performance, ...]:
    """The results of all definitions from their values and bounds, (D, J)."""
    return tuple(
        Performance(
            one,
            tuple(
                _result(sides, one, found, (d, j), _declared(sides, one, j, smoothing))
                for j in range(len(sides.counted.judges))
            ),
            _selected(sides.counted.judges, one, found.value[d]),
        )
        for d, one in enumerate(definitions)
    )


def _selected(judges: Sequence[str], one: Definition, values: np.ndarray) -> str | None:
    score = one.score(values)
    best = int(best_judge(score))
    return judges[best] if best >= 0 and np.ptp(score) > 1e-12 else None


def _declared(
    sides: Sides, one: Definition, judge: int, smoothing: float | None
) -> dict[str, object]:
    """What the numbers rest on beside the ratings."""
    samples = sides.samples[judge]
    out: dict[str, object] = {
        **(one.declared or {}),
        "raters_per_item": _spread(sides),
        "samples_per_item": f"{samples:g}" if samples else "probabilities",
    }
    if "hrs" in (one.judge, one.human):
        out["set_threshold"] = sides.reading.threshold
    if "h" in (one.judge, one.human):
        out["tied_modes"] = sides.task.reference_ties
    if one.name in LOGARITHMS:
        out["smoothing"] = smoothing
    return out


def _spread(sides: Sides) -> str:
    raters = sides.raters[sides.raters > 0]
    if raters.min() == raters.max():
        return f"{raters.min():g}"
    return f"{np.median(raters):g} ({raters.min():g} to {raters.max():g})"


def _result(
    sides: Sides, one: Definition, found: Bounds, at: tuple[int, int], declared: dict[str, object]
) -> Result:
    """The result of a definition for a judge, the cell `at` (definition, judge)."""
    value, items = float(found.value[at]), round(float(found.found.items[at]))
    infinite = int(found.found.infinite[at])
    if infinite:
        reason = (
            f"a probability of 0 in a logarithm on {counted(infinite, sides.counted.unit)}; give "
            "--smoothing 0.01 to mix in 1 % of even ratings"
        )
        return Undefined(one.name, reason, items)
    if np.isnan(value):
        return Undefined(one.name, _why(sides, one, items), items)
    low, high = float(found.low[at]), float(found.high[at])
    interval, warnings = None, tuple[str, ...]()
    if np.isfinite(low) and np.isfinite(high) and items > 1:
        interval = Interval(low, high, sides.task.confidence_level, found.method)
    elif np.isposinf(high) and items > 1:
        warnings = (ALL_ALIKE,)
    population = float(found.population[at])
    if np.isfinite(population):
        declared = {**declared, "population_value": population if found.identified else None}
    assumed = _assumptions(sides, one, at[1])
    clusters = sides.counted.n_clusters
    return Estimate(one.name, value, interval, items, clusters, declared, assumed, warnings)


def _why(sides: Sides, one: Definition, items: int) -> str:
    if items == 0:
        if "h" in (one.judge, one.human) and sides.task.reference_ties == "exclude":
            return f"no item has a {one.judge} rating of the judge and a {one.human} one of people"
        return "no item has both ratings that it needs (single choices were not asked on one side)"
    return "judge and people use one and the same option only (0/0)"


def _assumptions(sides: Sides, one: Definition, judge: int) -> tuple[str, ...]:
    out = []
    if one.human in ("hrs", "srs"):
        out.append(f"people's response sets: {sides.human_sets}")
    if one.judge in ("hrs", "srs"):
        out.append(f"the judge's response sets: {sides.judge_sets[judge]}")
    if sides.samples[judge] == 1:
        out.append("the judge would answer alike if asked again: it was sampled once")
    return tuple(out)
