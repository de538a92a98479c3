"""Charts drawn from their data: dots with intervals, lines with bands, scatters with curves, heat
maps and distributions. `draw` chooses among the kinds of `dots.py`, `plane.py` and `grid.py`.

A chart is a mapping as `docs/architecture.md` describes. Labels stand beside what they name, every
mark has a tooltip, and a value that is missing is said to be so, never drawn at 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from goldassay.rendering.charts import dots, grid, moves, plane
from goldassay.rendering.charts.canvas import Canvas, Chart
from goldassay.rendering.charts.kind import Kind, Numbers
from goldassay.rendering.markup import Markup

__all__ = ["KINDS", "NARROW", "WIDE", "draw", "drawn_values", "fits_narrow", "numbers"]

WIDE, NARROW = 760, 340

#: A kind is listed where it is drawn, and nowhere else.
KINDS: Mapping[str, Kind] = {
    kind.name: kind for module in (dots, moves, plane, grid) for kind in module.KINDS
}


def draw(
    chart: Chart, *, width: float = WIDE, kind: str = "", sheet: Markup | None = None
) -> Markup:
    """The chart as one `<svg>` element of the class `kind`, `width` pixels wide (a heat map may be
    wider); `sheet` is a style sheet of its own."""
    known = _kind(chart)
    if known is None:
        raise ValueError(f"a chart is one of {', '.join(KINDS)}, not {chart.get('kind')!r}")
    return known.draw(chart, Canvas(width, kind, sheet))


def fits_narrow(chart: Chart) -> bool:
    """Whether to draw it again for telephones."""
    known = _kind(chart)
    return known is not None and known.fits_narrow(chart)


def numbers(chart: Chart) -> Numbers:
    """The columns and rows of the table behind the picture; none for an unknown kind."""
    known = _kind(chart)
    return ((), []) if known is None else known.numbers(chart)


def drawn_values(chart: Chart) -> list[float | None]:
    """The numbers along the axis that charts of one family share; none where there is none."""
    match chart.get("kind"):
        case "dot_interval" | "moves":
            keys = ("start", "value", "low", "high")
            found = [row.get(key) for row in chart["rows"] for key in keys]
        case "line":
            found = [
                y for one in chart["series"] for k in ("y", "low", "high") for y in one.get(k) or ()
            ]
        case _:
            return []
    level = [one for one in chart.get("references", ()) if one.get("axis") != "x"]
    return [*found, *(one.get("value") for one in level)]


def _kind(chart: Chart) -> Kind | None:
    return KINDS.get(str(chart.get("kind")))
