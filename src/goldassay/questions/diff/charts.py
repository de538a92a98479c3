"""The changes, drawn."""

from __future__ import annotations

from goldassay.charts import Chart, Dot, DotInterval, Reference
from goldassay.questions.diff.study import DiffStudy
from goldassay.questions.diff.tables import in_order
from goldassay.results import Estimate

__all__ = ["charts"]

#: A picture of more changes than these is no picture.
MOST_DRAWN = 12


def charts(found: DiffStudy) -> tuple[Chart, ...]:
    """A dot for each change; an interval across zero cannot be told from none."""
    dots = []
    for change in in_order(found):
        if isinstance(change.result, Estimate):
            label = f"{change.name} {change.about}".strip()
            interval = change.result.interval
            ends = (interval.low, interval.high) if interval else (None, None)
            dots.append(Dot(label, change.result.value, *ends))
    return (
        DotInterval(
            title="Changes",
            x_label="new minus old",
            rows=tuple(dots[:MOST_DRAWN]),
            references=(Reference(0.0, "no change"),),
            alt="Each dot is a change; an interval across the line cannot be told from none.",
        ),
    )
