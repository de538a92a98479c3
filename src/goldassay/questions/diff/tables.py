"""Old and new side by side."""

from __future__ import annotations

from typing import Any

from goldassay.glossary import words
from goldassay.passport import FIELDS
from goldassay.questions.diff.study import SUBJECT, Change, DiffStudy
from goldassay.results import Estimate, Line, Summary, Table
from goldassay.words import figure

__all__ = ["in_order", "summary", "tables"]

_ORDER = {"fell": 0, "rose": 1}
#: Changes that a line of the summary shows, and lines.
MOST_COLUMNS, MOST_LINES = 3, 50
#: The numbers that a line shows, in this order, as far as both documents have them.
FIRST = (
    "accuracy",
    "balanced_accuracy",
    "cohen_kappa",
    "krippendorff_alpha",
    "spearman",
    "prevalence",
    "mean_score",
    "kendall_tau",
)


def summary(found: DiffStudy) -> Summary | None:
    """A line for each judge (criterion, system, level): its central changes, the best first."""
    lines: dict[str, dict[str, Change]] = {}
    for change in found.changes:
        special = [
            key
            for key in change.result_about
            if key not in SUBJECT and change.new.get(key) is not None
        ]
        if not special and change.name in FIRST:
            lines.setdefault(_label(change), {}).setdefault(change.name, change)
    found_names = dict.fromkeys(name for line in lines.values() for name in line)
    names = [*(name for name in FIRST if name in found_names)][:MOST_COLUMNS]
    if not names:
        return None
    # A line that has none of the numbers shown (a system's rate beside a judge's agreement) is one
    # of the table of all changes.
    lines = {about: line for about, line in lines.items() if set(names) & set(line)}

    def value(line: dict[str, Change]) -> float:
        change = line.get(names[0])
        known = change is not None and isinstance(change.result, Estimate)
        return change.result.value if known else -9.0  # type: ignore[union-attr]

    ordered = sorted(lines.items(), key=lambda one: -value(one[1]))
    return Summary(
        "judge",
        tuple(f"{name}_change" for name in names),
        tuple(
            Line(about, tuple(line[name].result if name in line else None for name in names))
            for about, line in ordered[:MOST_LINES]
        ),
    )


def _label(change: Change) -> str:
    """Whom a line is about; the level only where it is not the usual one."""
    row = change.new
    parts = [row.get(key) for key in ("judge", "criterion", "system")]
    parts.append(row.get("level") if row.get("level") != "micro" else None)
    return " · ".join(str(part) for part in parts if part)


def tables(found: DiffStudy) -> dict[str, Table]:
    """The changes, what fell first; what was declared otherwise; what was left out."""
    made = {}
    if found.identities:
        made["identities"] = _identities(found)
    if found.bound:
        held = tuple((d.key, _text(d.old), _text(d.new)) for d in found.bound)
        made["bound"] = Table("What the passports are bound to", ("what", "old", "new"), held)
    if found.declarations:
        rows = tuple((one.key, str(one.old), str(one.new)) for one in found.declarations)
        made["declarations"] = Table("Declared differently", ("key", "old", "new"), rows)
    if found.exclusions:
        left = tuple((one.key, one.old, one.new) for one in found.exclusions)
        made["exclusions"] = Table("Rows left out", ("reason", "old", "new"), left)
    columns = ("number", "about", "old", "new", "change", "what happened")
    lines = tuple(_line(change) for change in in_order(found))
    return made | {"changes": Table("Old and new", columns, lines)}


def _identities(found: DiffStudy) -> Table:
    """Who each judge was and is, field by field, where either document says it."""
    rows = [
        (one.judge, name, one.was[name] or "unknown", one.now[name] or "unknown")
        for one in found.identities
        for name in FIELDS
        if one.was[name] or one.now[name]
    ]
    return Table("Who the judge was and is", ("judge", "field", "old", "new"), tuple(rows))


def _text(value: object) -> object:
    return "not declared" if value is None else value


def in_order(found: DiffStudy) -> list[Change]:
    """The changes, those that fell first, then those that rose."""
    return sorted(found.changes, key=lambda change: _ORDER.get(change.direction, 2))


def _line(change: Change) -> tuple[Any, ...]:
    result = change.result
    return (
        words(change.name),
        change.about,
        change.old.get("value"),
        change.new.get("value"),
        figure(result, rate=False) if isinstance(result, Estimate) else None,
        change.direction,
    )
