"""What panels of judges say of every item, as a ratings table that other questions can read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from goldassay.counts import Units
from goldassay.errors import UsageError, shown
from goldassay.questions.agree.judges import Reading
from goldassay.questions.agree.juries import panel_verdicts
from goldassay.ratings.table import Ratings
from goldassay.results import Sentence
from goldassay.sources.spreadsheet import ROWS, rows_text
from goldassay.sources.writing import write_atomically
from goldassay.words import counted, listed, named

__all__ = ["check_panel_file", "panel_columns", "write_panels"]


def check_panel_file(path: str, ratings: Ratings) -> None:
    """Refuse what no panel can be written of, or to, before anything is computed."""
    if Path(path).suffix.lower() not in ROWS:
        raise UsageError("--panel-out", f"is a file {' or '.join(ROWS)}", found=shown(path))
    if ratings.task.scale == "continuous":
        raise UsageError("--panel-out", "is of verdicts, and these are scores")
    if len(ratings.judges) < 2:
        raise UsageError(
            "--panel-out", "needs two judges or more", found=f"{len(ratings.judges)} judge"
        )


def panel_columns(ratings: Ratings) -> list[str]:
    """What names a unit in the table, and the cluster that it belongs to."""
    return list(dict.fromkeys([*ratings.unit, ratings.cluster]))


def write_panels(path: str, units: Units, columns: Sequence[str], reading: Reading) -> Sentence:
    """Write a rating of every panel on every unit that a judge decided, and say so.

    `units` are counted by `columns`, so that each pattern is a unit. A panel that does not decide
    abstains: by the task's own word for that, and with status `abstained`. As a rater it is called
    a jury, so that the panels of a table that has it are told from it.
    """
    labels = {name: np.array(units.by[name].labels, dtype=object) for name in columns}
    named_by = [labels[name][units.by[name].codes] for name in columns]
    abstained = units.task.abstain[0] if units.task.abstain else ""
    found = panel_verdicts(units, reading)
    panels = {name.replace("panel", "jury"): verdict for name, verdict in found.items()}
    rows, decided = [], 0
    for panel, verdict in panels.items():
        for place in np.flatnonzero((verdict >= 0) & (units.n > 0)):
            code = int(verdict[place])
            rated = code < len(units.options)
            decided += rated
            value = units.options[code] if rated else abstained
            unit = [column[place] for column in named_by]
            rows.append((*unit, panel, "judge", value, "rated" if rated else "abstained"))
    header = (*columns, "rater", "kind", "value", "status")
    write_atomically(path, rows_text(Path(path).suffix.lower(), header, rows))
    text = (
        f"The verdicts of {listed([named(one) for one in panels])} "
        f"({counted(len(rows), 'rating')}, of which {decided:,} decide) are in "
        f"{named(Path(path).name)}."
    )
    facts = {"panels": list(panels), "ratings": len(rows), "decided": decided}
    return Sentence("agree.panel_file", text, facts={**facts, "file": Path(path).name})
