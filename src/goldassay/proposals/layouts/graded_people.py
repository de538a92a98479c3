"""Judges that say yes or no beside people who give grades: from which grade on is it a yes?

Read together, a judge's 1 would be the lowest grade of all. Where another judge gives grades too,
the verdicts are left out and asked about; else the cut is asked for, and one is drafted.
"""

from __future__ import annotations

import math
from dataclasses import replace

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import ABSTAIN, INVALID, number, positive_of

__all__ = ["cut_grades"]


def cut_grades(table: Table, shape: Shape, draft: Draft) -> None:
    """Cut people's grades, where every judge says yes or no; leave out judges that do, where
    another gives grades."""
    people = [n for n, cell in shape.cells.items() if cell.get("kind") == "human"]
    judges = [n for n, cell in shape.cells.items() if cell.get("kind") == "judge"]
    ends = [_ends(table, name) for name in people]
    verdicts = [name for name in judges if _says_yes_or_no(table, name)]
    if not people or not verdicts or None in ends or len(people) + len(judges) < len(shape.cells):
        return
    if len(verdicts) < len(judges):
        shape.cells = {n: cell for n, cell in shape.cells.items() if n not in verdicts}
        shape.used = [one for one in shape.used if one.rater not in verdicts]
        ask_of_others(verdicts, draft)
        return
    low = min(one[0] for one in ends if one)
    high = max(one[1] for one in ends if one)
    likely = low + math.ceil(0.6 * (high - low))
    other = likely - 1 if likely - 1 > low else likely + 1
    for name in people:
        shape.cells[name]["cut"] = f">= {likely}"
    theirs = [one for one in shape.used if one.rater in verdicts]
    shape.used = [
        replace(one, labels=theirs[0].labels) if one.rater in people else one for one in shape.used
    ]
    if all("cut" in draft.declared.cells(table.source).get(name, ()) for name in people):
        return
    give = "gives" if len(people) == 1 else "give"
    say = "says" if len(verdicts) == 1 else "say"
    draft.lack(
        f"From which grade on do people say yes? {some(verdicts)} {say} yes or no, and "
        f"{some(people)} {give} {low} to {high}",
        *(
            {"cells": {table.own(name): {"cut": f">= {cut}"} for name in people}}
            for cut in (likely, other)
        ),
    )
    draft.assume(
        Weight.POSITIVE,
        f"a grade of at least {likely} in {some(people)} is the option that is counted (cut in "
        "[cells]; another cut, another label)",
    )


def _ends(table: Table, name: str) -> tuple[int, int] | None:
    """The lowest and the highest of three whole grades or more, of which one is above 1."""
    values = [number(one) for one in sorted(table.folds(name) - ABSTAIN - INVALID)]
    whole = [int(v) for v in values if v is not None and v % 1 == 0]
    graded = 2 < len(whole) == len(values) and max(whole) > 1 and min(whole) >= 0
    return (min(whole), max(whole)) if graded else None


def _says_yes_or_no(table: Table, name: str) -> bool:
    labels = sorted(table.folds(name) - ABSTAIN - INVALID)
    return len(labels) == 2 and positive_of(*labels) is not None
