"""Raters, labels and overlap of a table."""

from __future__ import annotations

from goldassay.questions.check.study import STATES, CheckStudy
from goldassay.results import Line, Summary, Table
from goldassay.words import counted, percent

__all__ = ["summary", "tables"]

#: A table of more raters is cut, and says so.
MOST_RATERS = 60


def summary(found: CheckStudy) -> Summary:
    """Every question: can the table answer it now, and what one thing would unlock it. What several
    need is said once."""
    every = {one.unlock for one in found.questions}
    if len(every) == 1 and not any(one.now for one in found.questions):
        return Summary("question", ("now", "needs"), (Line("every one", ("no", every.pop())),))
    first: dict[str, str] = {}
    lines = []
    for one in found.questions:
        if one.now:
            lines.append(Line(one.verb, ("yes", f"more with {one.more}" if one.more else None)))
            continue
        verb = first.setdefault(one.unlock, one.verb)
        needs = one.unlock if verb == one.verb else f"what {verb} needs"
        lines.append(Line(one.verb, ("no", needs)))
    return Summary("question", ("now", "needs"), tuple(lines))


def tables(found: CheckStudy) -> dict[str, Table]:
    """Who rated what how often."""
    made = {"raters": _raters(found)}
    if found.labels is not None:
        rows = tuple((one.label, one.by_people, one.by_judges) for one in found.labels)
        made["options"] = Table("Labels", ("label", "by people", "by judges"), rows)
    if found.overlaps is not None:
        made["overlap"] = _overlap(found)
    return made


def _raters(found: CheckStudy) -> Table:
    rows = [
        (one.rater, one.kind, one.rows, *one.states, percent(one.abstains)) for one in found.raters
    ]
    more = len(rows) - MOST_RATERS
    notes = (f"and {more} more raters",) if more > 0 else ()
    columns = ("rater", "kind", "rows", *STATES, "abstains")
    return Table("Raters", columns, tuple(rows[:MOST_RATERS]), notes)


def _overlap(found: CheckStudy) -> Table:
    labelled, most, divided = found.labelled
    unit = found.unit
    note = (
        f"People rated {labelled:,} of {counted(found.units, found.unit)}, at most "
        f"{counted(most, 'rating')} each; {counted(divided, found.unit)} divide them."
    )
    columns = ("judge", "repeats", f"{unit}s rated", f"{unit}s missing", f"{unit}s with people")
    rows = tuple(
        (one.judge, one.repeats, one.rated, one.missing, one.with_people)
        for one in found.overlaps or ()
    )
    return Table("Overlap", columns, rows, (note,))
