"""Verdicts beside grades: from which grade on is it a yes?

Read together, a judge's 1 would be the lowest of people's grades. Where judges say yes or no and
another judge gives grades as people do, the verdicts are left out and asked about; else the cut of
those who give grades is asked for, and one is drafted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from goldassay.proposals.draft import Draft, Weight
from goldassay.proposals.layouts.raters_and_criteria import ask_of_others
from goldassay.proposals.shape import Shape, Table, some
from goldassay.ratings.vocabulary import ABSTAIN, INVALID, number, positive_of
from goldassay.words import named

__all__ = ["cut_grades"]


def cut_grades(table: Table, shape: Shape, draft: Draft) -> None:
    """Cut people's grades, where every judge says yes or no; leave out judges that do, where
    another gives grades. Cut judges' grades, where all people say yes or no."""
    people = [n for n, cell in shape.cells.items() if cell.get("kind") == "human"]
    judges = [n for n, cell in shape.cells.items() if cell.get("kind") == "judge"]
    verdicts = [name for name in judges if _says_yes_or_no(table, name)]
    if not people or not judges or len(people) + len(judges) < len(shape.cells):
        return
    if all(_says_yes_or_no(table, name) for name in people) and not verdicts:
        _cut(table, shape, draft, (judges, people))
    elif verdicts and all(_ends(table, name) for name in people):
        if len(verdicts) == len(judges):
            _cut(table, shape, draft, (people, verdicts))
            return
        grades = {label for name in people for label in table.folds(name)}
        verdicts = [n for n in verdicts if not table.folds(n) <= grades]  # 0 and 1 may be grades
        shape.cells = {n: cell for n, cell in shape.cells.items() if n not in verdicts}
        shape.used = [one for one in shape.used if one.rater not in verdicts]
        ask_of_others(verdicts, draft)


def _cut(
    table: Table, shape: Shape, draft: Draft, found: tuple[Sequence[str], Sequence[str]]
) -> None:
    """Ask from which grade on those who give grades say yes, as the others do in words."""
    graded, verdicts = found
    ends = [one for name in graded if (one := _ends(table, name))]
    if len(ends) < len(graded):
        return
    low, high = min(one[0] for one in ends), max(one[1] for one in ends)
    told = _threshold(table)
    likely = low + math.ceil(0.6 * (high - low)) if told is None else told[1]
    other = likely - 1 if likely - 1 > low else likely + 1
    for name in graded:
        shape.cells[name]["cut"] = f">= {likely}"
    theirs = [one for one in shape.used if one.rater in verdicts]
    shape.used = [
        replace(one, labels=theirs[0].labels) if one.rater in graded else one for one in shape.used
    ]
    if told is not None and low < likely <= high:
        draft.assume(
            Weight.POSITIVE,
            f"a grade of at least {likely} in {some(graded)} is the option that is counted, as "
            f"{named(told[0])} says (cut in [cells])",
        )
        return
    if all("cut" in draft.declared.cells(table.source).get(name, ()) for name in graded):
        return
    give = "gives" if len(graded) == 1 else "give"
    say = "says" if len(verdicts) == 1 else "say"
    human = shape.cells[graded[0]]["kind"] == "human"
    draft.lack(
        f"From which grade on {'do people' if human else 'does a judge'} say yes? "
        f"{some(verdicts)} {say} yes or no, and {some(graded)} {give} {low} to {high}",
        *(
            {"cells": {table.own(name): {"cut": f">= {cut}"} for name in graded}}
            for cut in (likely, other)
        ),
    )
    draft.assume(
        Weight.POSITIVE,
        f"a grade of at least {likely} in {some(graded)} is the option that is counted (cut in "
        "[cells]; another cut, another label)",
    )


#: Names of columns that say from which score on it is a yes.
_THRESHOLDS = ("threshold", "pass_threshold", "score_threshold", "cutoff", "cut_off", "pass_mark")


def _threshold(table: Table) -> tuple[str, int] | None:
    """A column that says the same whole number of every row, from which on it is a yes."""
    for name in table.called(_THRESHOLDS):
        labels = list(table.columns[name].labels)
        value = number(labels[0]) if len(labels) == 1 else None
        if value is not None and value % 1 == 0:
            return name, int(value)
    return None


def _ends(table: Table, name: str) -> tuple[int, int] | None:
    """The lowest and the highest of three whole grades or more, of which one is above 1."""
    values = [number(one) for one in sorted(table.folds(name) - ABSTAIN - INVALID)]
    whole = [int(v) for v in values if v is not None and v % 1 == 0]
    graded = 2 < len(whole) == len(values) and max(whole) > 1 and min(whole) >= 0
    return (min(whole), max(whole)) if graded else None


def _says_yes_or_no(table: Table, name: str) -> bool:
    labels = sorted(table.folds(name) - ABSTAIN - INVALID)
    return len(labels) == 2 and positive_of(*labels) is not None
