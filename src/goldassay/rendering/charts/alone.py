"""A chart that stands alone: an SVG with its own colours, for a file or a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.rendering.charts.svg import draw
from goldassay.rendering.markup import Markup, el
from goldassay.rendering.style import chart_style

__all__ = ["SCOPE", "standing_alone"]

#: The class of a drawing in a page that is not ours: its rules reach nothing else there.
SCOPE = "goldassay-chart"


def standing_alone(chart: Mapping[str, Any]) -> Markup:
    """The drawing with the part of the style sheet that it needs."""
    sheet = el("style", None, chart_style(f".{SCOPE}"))
    return draw(chart, kind=SCOPE, sheet=sheet)
