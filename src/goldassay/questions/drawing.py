"""Labels that were drawn by a judge's verdict: what each stands for, and what is said of it.

What is counted among labelled units alone (how a judge agrees, how often it is right where people
say yes) is that of the items people were given, not of all that the judge rated: with all flagged
items and few of the others labelled, an excellent judge seems poor (verification bias: Begg and
Greenes 1983). Where the draw is declared, a labelled unit counts for as many as its verdict has.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import Units
from goldassay.counts.units import CARRIED
from goldassay.ratings.drawing import Drawn, Stratum, drawn_by, likeliest, shares_said
from goldassay.ratings.table import Ratings
from goldassay.ratings.task import Task
from goldassay.words import listed, named

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

__all__ = [
    "by_verdict",
    "declared_draw",
    "draw_said",
    "draw_warnings",
    "weighed_by_draw",
    "weighed_within",
]


def declared_draw(units: Units) -> Drawn | None:
    """How labels were drawn, where the task says by verdict, and people rated more of some: by the
    judge whose verdicts tell most of which units people rated (`ratings/drawing.py`)."""
    if units.task.calibration != "by_verdict":
        return None
    criteria, codes = _criteria(units)
    rated = _rated(units)
    drawn = [
        Drawn.of(judge, _counted(criteria, codes, _code(units, judge), units.n, rated))
        for judge in units.judge_names
    ]
    found = likeliest(drawn)
    return found if found is not None and found.is_uneven else None


def by_verdict(ratings: Ratings) -> Drawn | None:
    """The same of a table whose units are not counted."""
    drawn = drawn_by(ratings) if ratings.task.calibration == "by_verdict" else None
    return drawn if drawn is not None and drawn.is_uneven else None


def weighed_by_draw(units: Units, drawn: Drawn | None) -> Units:
    """The units, those that people rated with the weight of their verdict."""
    if drawn is None or not drawn.weights:
        return units
    return replace(units, weight=units.weight * _stood_for(units, drawn))


def _stood_for(units: Units, drawn: Drawn) -> Floats:
    """For how many units one of each pattern stands: 1 where people did not rate it."""
    criteria, codes = _criteria(units)
    code, rated = _code(units, drawn.judge), _rated(units)
    found = np.ones(len(units.n))
    for (name, one), much in drawn.weights.items():
        found[rated & (code == one) & (codes == criteria.index(name))] = much
    return found


def weighed_within(units: Units, drawn: Drawn | None, judge: str) -> Units:
    """The units, those that people rated with the weight of their draw among those of one verdict
    of this judge: as labels drawn at random within its verdicts would be.

    Nothing changes for the judge by whose verdict they were drawn. For another one, the labels of
    its verdict are of items that the first one flagged, more than there are among all of them.
    """
    if drawn is None or not drawn.weights or judge == drawn.judge:
        return units
    weight = _stood_for(units, drawn)
    rated, code = _rated(units), _code(units, judge)
    kept = {*CARRIED, *units.task.strata}  # whatever else was asked for
    keys = np.stack([*(one.codes for name, one in units.by.items() if name in kept), code])
    kind = np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1)
    times = np.where(rated, units.n, 0)
    mean = np.bincount(kind, weight * times) / np.maximum(np.bincount(kind, times), 1)
    own = np.where(rated & (code >= 0), weight / np.where(mean[kind] > 0, mean[kind], 1.0), 1.0)
    return replace(units, weight=units.weight * own)


def _criteria(units: Units) -> tuple[tuple[str, ...], Ints]:
    """The criteria, and which each pattern is of; one without a name where there are none."""
    if (found := units.by.get("criterion")) is not None:
        return found.labels, found.codes
    return ("",), np.zeros(len(units.n), np.int64)


def _rated(units: Units) -> Mask:
    found: Mask = units.human.sum(axis=1) > 0
    return found


def _code(units: Units, judge: str) -> Ints:
    """A judge's verdict of each pattern, the least of its repeats; -1 where there is none."""
    verdict = units.verdict[:, units.columns_of(judge)]
    none = np.iinfo(np.int64).max
    least: Ints = np.where(verdict >= 0, verdict, none).min(axis=1, initial=none)
    return np.where(least == none, -1, least)


def _counted(
    criteria: tuple[str, ...], codes: Ints, code: Ints, n: Ints, rated: Mask
) -> dict[Stratum, tuple[int, int]]:
    """Units of each criterion and verdict, and how many of them people rated."""
    keys = np.unique(np.stack([codes, code])[:, code >= 0], axis=1).T.tolist()
    found = {}
    for criterion, verdict in keys:
        here = (codes == criterion) & (code == verdict)
        found[criteria[criterion], verdict] = int(n[here].sum()), int(n[here & rated].sum())
    return found


def draw_said(
    task: Task, drawn: Drawn | None, *, used: bool = True, within: bool = False
) -> tuple[str, ...]:
    """Where a draw by verdict is declared: that labels stand for their verdict, or do not; `within`
    the verdicts of other judges (`weighed_within`)."""
    if drawn is None or not drawn.weights:
        return ()
    by = (
        f"Labels were drawn by the verdict of {named(drawn.judge)} (people rated "
        f"{shares_said(drawn, task)})"
    )
    if within:
        return (f"{by}: for other judges each counts by that draw.",)
    if not used:
        return (f"{by}; here each counts once: what is found is of items chosen so, not of all.",)
    return (f"{by}: each counts for as many items as its verdict has.",)


def draw_warnings(task: Task, drawn: Drawn | None) -> tuple[str, ...]:
    """Verdicts of which people rated nothing: nothing is known of them."""
    if drawn is None or not drawn.missed:
        return ()
    verdicts = [*map(named, task.options), "abstained", "invalid", "failed"]
    codes = sorted({code for _, code in drawn.missed})
    said = listed([verdicts[code] for code in codes], "or")
    return (
        f"people rated none of the {sum(drawn.missed.values()):,} items on which the verdict of "
        f"{named(drawn.judge)} is {said}: how often it is right there is unknown, and what follows "
        "is of the others alone",
    )
