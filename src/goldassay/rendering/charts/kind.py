"""A kind of chart, as one record: how it is drawn, and the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from goldassay.frozen import dataclass
from goldassay.rendering.charts.canvas import Canvas, Chart
from goldassay.rendering.markup import Markup

__all__ = ["ENDS", "Kind", "Numbers"]

#: The columns and the rows of the table behind a picture.
Numbers = tuple[tuple[str, ...], list[list[Any]]]

#: A value and the ends of its interval.
ENDS = ("value", "low", "high")
#: A chart of more rows is too long for a telephone.
MOST_ROWS = 400


def _few_rows(chart: Chart) -> bool:
    return len(chart.get("rows", ())) <= MOST_ROWS


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of chart. A new one is a record of `goldassay.charts`, and one of these beside the
    function that draws it."""

    #: The `kind` of the chart's record.
    name: str
    draw: Callable[[Chart, Canvas], Markup]
    #: Every number that is drawn, for those who do not see the picture.
    numbers: Callable[[Chart], Numbers]
    #: Whether it is drawn again for telephones; what is too big for them scrolls instead.
    fits_narrow: Callable[[Chart], bool] = _few_rows
