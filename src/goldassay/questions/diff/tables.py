"""Old and new side by side."""

from __future__ import annotations

from typing import Any

from goldassay.questions.diff.study import Change, DiffStudy
from goldassay.results import Estimate, Table

__all__ = ["in_order", "tables"]

_ORDER = {"fell": 0, "rose": 1}


def tables(found: DiffStudy) -> dict[str, Table]:
    """The changes, what fell first; what was declared otherwise; what was left out."""
    made = {}
    if found.declarations:
        rows = tuple((one.key, str(one.old), str(one.new)) for one in found.declarations)
        made["declarations"] = Table("Declared differently", ("key", "old", "new"), rows)
    if found.exclusions:
        left = tuple((one.key, one.old, one.new) for one in found.exclusions)
        made["exclusions"] = Table("Rows left out", ("reason", "old", "new"), left)
    columns = ("number", "about", "old", "new", "change", "low", "high", "in words")
    lines = tuple(_line(change) for change in in_order(found))
    return made | {"changes": Table("Old and new", columns, lines)}


def in_order(found: DiffStudy) -> list[Change]:
    """The changes, those that fell first, then those that rose."""
    return sorted(found.changes, key=lambda change: _ORDER.get(change.direction, 2))


def _line(change: Change) -> tuple[Any, ...]:
    result = change.result
    value = result.value if isinstance(result, Estimate) else None
    interval = result.interval if isinstance(result, Estimate) else None
    return (
        change.name,
        change.about,
        change.old.get("value"),
        change.new.get("value"),
        value,
        interval.low if interval else None,
        interval.high if interval else None,
        change.direction,
    )
