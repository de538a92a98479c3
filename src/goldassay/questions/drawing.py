"""Labels that were drawn by a judge's verdict: what each stands for, and what is said of it.

What is counted among labelled units alone (how a judge agrees, how often it is right where people
say yes) is that of the items people were given, not of all that the judge rated: with all flagged
items and few of the others labelled, an excellent judge seems poor (verification bias: Begg and
Greenes 1983). Where the draw is declared, a labelled unit counts for as many as its verdict has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goldassay.counts import By, Units
from goldassay.counts.units import CARRIED
from goldassay.ratings.drawing import (
    DRAWN,
    NONE,
    Drawn,
    Stratum,
    check_drawn_by,
    drawn_by,
    likeliest,
    parts_said,
    shares_by,
    shares_said,
    units_in_cluster,
    verdict_words,
)
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
    "strata_of",
    "strata_said",
    "weighed_by_draw",
    "weighed_within",
]


def declared_draw(units: Units) -> Drawn | None:
    """How labels were drawn, where the task says by verdict, and people rated more of some: by the
    judges whose verdicts tell most of which units people rated (`ratings/drawing.py`), those that
    the task names, or those whose verdicts a column holds because they are not asked about."""
    if units.task.calibration != "by_verdict":
        return None
    if "drawn" not in units.found:
        units.found["drawn"] = _draw(units)
    found: Drawn | None = units.found["drawn"]
    return found if found is not None and found.is_uneven else None


def _draw(units: Units) -> Drawn | None:
    task, judges = units.task, units.judge_names
    if DRAWN in units.by:
        return Drawn.of(_counted(units, _codes(units, ())), judges=task.drawn_by)
    check_drawn_by(task, judges)
    named_ = task.drawn_by
    sides: list[tuple[str, ...]] = []
    if len(named_) < 2:
        sides = [(one,) for one in named_ or judges]
    together = named_ or judges
    sides += [tuple(together)] if len(together) > 1 else []
    return likeliest(Drawn.of(_counted(units, _codes(units, one)), judges=one) for one in sides)


def by_verdict(ratings: Ratings) -> Drawn | None:
    """The same of a table whose units are not counted."""
    drawn = drawn_by(ratings) if ratings.task.calibration == "by_verdict" else None
    return drawn if drawn is not None and drawn.is_uneven else None


def weighed_by_draw(units: Units, drawn: Drawn | None) -> Units:
    """The units with their stratum, and for how many of it one stands that people rated."""
    if drawn is None or not drawn.weights:
        return replace(units, by={name: one for name, one in units.by.items() if name != DRAWN})
    codes = _codes(units, drawn.judges)
    labels, place = np.unique(codes, return_inverse=True)
    carried = By(tuple(map(str, labels.tolist())), place.reshape(-1).astype(np.int64))
    by = {**units.by, DRAWN: carried}
    return replace(units, by=by, stands_for=_stood_for(units, drawn))


def _stood_for(units: Units, drawn: Drawn) -> Floats:
    """For how many units one of each pattern stands: 1 where people did not rate it."""
    criteria, codes = _criteria(units)
    code, rated = _codes(units, drawn.judges), _rated(units)
    found = np.ones(len(units.n))
    for (name, one), much in drawn.weights.items():
        found[rated & (code == one) & (codes == criteria.index(name))] = much
    return found


def strata_of(units: Units, judge: str) -> Ints | None:
    """The stratum [P] within which units were drawn, -1 for none; None where that is the verdict of
    this judge, or labels count alike."""
    drawn = declared_draw(units)
    if drawn is None or not drawn.weights or drawn.judges == (judge,):
        return None
    return _codes(units, drawn.judges)


def weighed_within(units: Units, drawn: Drawn | None, judge: str) -> Units:
    """The units, those that people rated with the weight of their draw among those of one verdict
    of this judge: as labels drawn at random within its verdicts would be.

    Nothing changes for the judge by whose verdict they were drawn. For another one, the labels of
    its verdict are of items that the first one flagged, more than there are among all of them.
    """
    if drawn is None or not drawn.weights or drawn.judges == (judge,):
        return units
    weight = _stood_for(units, drawn)
    rated, code = _rated(units), _code(units, judge)
    kept = {*CARRIED, *units.task.strata} - {DRAWN}  # whatever else was asked for
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


def _codes(units: Units, judges: Sequence[str]) -> Ints:
    """The stratum of each pattern: a judge's verdict, the least of its repeats, or the verdict that
    several share, K + 3 where they differ; -1 where there is none, or of several one alone."""
    if (held := units.by.get(DRAWN)) is not None:
        return np.array([int(label or NONE) for label in held.labels], np.int64)[held.codes]
    if len(judges) == 1:
        return _code(units, judges[0])
    every = np.stack([_code(units, judge) for judge in judges])
    known = every >= 0
    low = np.where(known, every, np.iinfo(np.int64).max).min(0)
    code = np.where(low == every.max(0), low, len(units.options) + 3)
    return np.where(known.sum(0) > 1, code, NONE)


def _code(units: Units, judge: str) -> Ints:
    """A judge's verdict of each pattern, the least of its repeats; -1 where there is none."""
    verdict = units.verdict[:, units.columns_of(judge)]
    none = np.iinfo(np.int64).max
    least: Ints = np.where(verdict >= 0, verdict, none).min(axis=1, initial=none)
    return np.where(least == none, NONE, least)


def _counted(units: Units, code: Ints) -> dict[Stratum, tuple[int, int]]:
    """Units of each criterion and verdict, and how many of them people rated."""
    criteria, codes = _criteria(units)
    width = len(units.options) + 4
    here, place = code >= 0, codes * width + code
    sums = [
        np.bincount(place[mask], units.n[mask], len(criteria) * width)
        for mask in (here, here & _rated(units))
    ]
    return {
        (criteria[at // width], int(at % width)): (int(sums[0][at]), int(sums[1][at]))
        for at in np.flatnonzero(sums[0]).tolist()
    }


#: What labels that were drawn by verdict are to a question: stand for the items of their stratum,
#: do so within the verdicts of other judges (`weighed_within`), count once, or as `report` says.
Use = Literal["items", "within", "once", "watched", "report"]
_USES: Mapping[Use, str] = {
    "items": ": each counts for as many items as {its}.",
    "within": ": for other judges each counts by that draw.",
    "once": "; here each counts once: what is found is of items chosen so, not of all.",
    "watched": "; here each counts for the items with its verdict of the judge that is watched.",
    "report": ": agreement, selection and rates count each for as many items as {its}, `rank`, "
    "`audit` and `replace` count each once.",
}
_SCORES = (
    "What is said of scores (areas, thresholds, calibration) counts each label once: it is of the "
    "labelled items, not of all."
)


def draw_said(
    task: Task, drawn: Drawn | None, use: Use = "items", *, scores: bool = False
) -> tuple[str, ...]:
    """Where a draw by verdict is declared: that labels stand for their verdict, or do not; and that
    what is found of `scores` does not weigh them."""
    if drawn is None or not drawn.weights:
        return ()
    by = f"Labels were drawn by {drawn.who} (people rated {shares_said(drawn, task)})"
    its = "its verdict has" if len(drawn.judges) == 1 else "there are like it"
    return (f"{by}{_USES[use].format(its=its)}", *([_SCORES] if scores else []))


def strata_said(ratings: Ratings) -> tuple[str, ...]:
    """Where labels were drawn at random within strata, and more of some: that each counts once, as
    it does for questions that are not asked within them."""
    task = ratings.task
    if task.calibration != "random" or not task.strata or not (ratings.judges and ratings.humans):
        return ()
    shares = shares_by(ratings, task.strata)
    if not shares.is_unlike_random(units_in_cluster(ratings)):
        return ()
    columns = " and ".join(named(one) for one in task.strata)
    return (
        f"Labels were drawn within {columns} (people rated {parts_said(shares)}); here each counts "
        "once: what is found is of items chosen so, not of all.",
    )


def draw_warnings(task: Task, drawn: Drawn | None) -> tuple[str, ...]:
    """Verdicts of which people rated nothing: nothing is known of them."""
    if drawn is None or not drawn.missed:
        return ()
    rest = "how often it is right there is unknown, and what follows is of the others alone"
    number = f"people rated none of the {sum(drawn.missed.values()):,} items on which"
    codes = sorted({int(code) for _, code in drawn.missed})
    if len(drawn.judges) > 1:
        words = verdict_words(task, several=True)
        said = listed([words[code] for code in codes], "or")
        return (f"{number} {drawn.names} say the same ({said}): {rest}",)
    verdicts = [*map(named, task.options), "abstained", "invalid", "failed"]
    said = listed([verdicts[code] for code in codes], "or")
    return (f"{number} {drawn.who} is {said}: {rest}",)
