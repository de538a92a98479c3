"""Which judge's verdicts are corrected first: the one that `select` would name.

Every judge's corrected difference is right whatever it errs; that of the best judge needs the least
correcting. Judges of options are put in order by balanced accuracy on the items that all of them
decide, as `select` does it, judges of scores by Pearson's correlation, as `agree` does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from goldassay.counts import PairedScores, Units, declared_modes, resolved_tables, verdict_shares
from goldassay.counts.units import unit_word
from goldassay.formulas.agreement import balanced_accuracy
from goldassay.formulas.correlation import pearson
from goldassay.frozen import dataclass
from goldassay.glossary import SHARED
from goldassay.inference.comparable import Shared, shared_items
from goldassay.questions.drawing import declared_draw, weighed_by_draw
from goldassay.words import counted

__all__ = ["BestJudge", "best_of_options", "best_of_scores"]


@dataclass(frozen=True, slots=True)
class BestJudge:
    """The judge that is highest by a number, on the items that all compared ones decide."""

    judge: str
    metric: str
    value: float
    n_items: int
    #: Judges that are compared by it.
    of: int
    #: Whether each compared judge decides these items alone.
    all_alike: bool = True
    #: Others that are just as high.
    level: int = 0
    #: What is decided once.
    unit: str = "item"

    @property
    def name(self) -> str:
        """What the number is called: of the shared items it is not the judge's own."""
        return self.metric if self.all_alike else self.metric + SHARED

    @property
    def why(self) -> str:
        """Why it comes first, in words."""
        number = {"balanced_accuracy": "balanced accuracy", "pearson": "correlation with people"}
        if self.of == 1:
            return f"the only judge that can be compared by {number[self.metric]}"
        every = "both" if self.of == 2 else f"all {self.of:,}"
        items = counted(self.n_items, self.unit)
        decide = "score" if self.metric == "pearson" else "decide"
        on = "" if self.all_alike else f" on the {items} that {every} {decide}"
        has = f"one of {self.level + 1:,} with" if self.level else "which has"
        return f"{has} the highest {number[self.metric]} of {self.of:,} judges{on}"


def best_of_options(units: Units, names: Sequence[str]) -> BestJudge | None:
    """The judge of the highest balanced accuracy; level ones by how much they decide, by name."""
    modes = declared_modes(units.task)
    units = weighed_by_draw(units, declared_draw(units))
    tables = [resolved_tables(units, verdict_shares(units, name), modes) for name in names]
    decided = np.stack([one.decided for one in tables])
    shared = shared_items(decided, units.n, tables[0].people)
    values = [
        float(balanced_accuracy(one.only(shared.units).total)) if kept else math.nan
        for one, kept in zip(tables, shared.compared, strict=True)
    ]
    own = (decided @ units.n).tolist()
    best = _highest(names, values, own, "balanced_accuracy", shared)
    return best and replace(best, unit=units.word)


def best_of_scores(scores: PairedScores, names: Sequence[str]) -> BestJudge | None:
    """The judge whose scores correlate most with people's."""
    rows = [scores.judges.index(name) for name in names]
    decided = np.isfinite(scores.judge[rows]) & np.isfinite(scores.people)
    shared = shared_items(decided, np.ones(decided.shape[1], np.int64))
    people = scores.people[shared.units]
    values = [
        float(pearson(people, scores.judge[row][shared.units])) if kept else math.nan
        for row, kept in zip(rows, shared.compared, strict=True)
    ]
    best = _highest(names, values, decided.sum(1).tolist(), "pearson", shared)
    criteria, systems = (
        len(scores.by[name].labels) if name in scores.by else 0 for name in ("criterion", "system")
    )
    unit = unit_word("continuous", criteria=criteria, systems=systems)
    return best and replace(best, unit=unit)


def _highest(
    names: Sequence[str], values: Sequence[float], own: Sequence[int], metric: str, shared: Shared
) -> BestJudge | None:
    known = [place for place, value in enumerate(values) if math.isfinite(value)]
    if len(names) < 2 or not known:
        return None
    best = min(known, key=lambda place: (-round(values[place], 12), -own[place], place))
    level = sum(round(values[place], 12) == round(values[best], 12) for place in known) - 1
    return BestJudge(
        names[best], metric, values[best], shared.n_items, len(known), shared.all_alike, level
    )
