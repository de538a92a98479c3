"""An SVG under construction: few kinds of marks, every text escaped, no style of its own.

Colours come from the page's style sheet through classes (`c0` to `c5`), so that light, dark and
print need no second drawing, and a page may forbid inline styles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.rendering.charts.names import Name
from goldassay.rendering.charts.scale import Scale
from goldassay.rendering.markup import Markup, el
from goldassay.words import bare, clipped, text_width, visible

__all__ = ["COLOURS", "Canvas", "Chart", "alternative", "spread"]

Chart = Mapping[str, Any]
#: Pixels: (x, y), and (x, y, width, height).
Point = tuple[float, float]
Box = tuple[float, float, float, float]

#: Colours that the style sheet names; marks differ in shape too, for those who see no colour.
COLOURS = 6


class Canvas:
    """Marks in pixels. `narrow` is a telephone's width: smaller type, labels above the marks."""

    def __init__(self, width: float, kind: str = "", sheet: Markup | None = None) -> None:
        self.width = width
        self.narrow = width < 480
        self.size = 12.0 if self.narrow else 13.0
        self._kind = kind
        self._parts: list[Markup] = [] if sheet is None else [sheet]

    def finish(self, height: float, alt: str) -> Markup:
        """The whole drawing, with the sentence that says what is seen."""
        frame = {
            "class": self._kind or None,
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_n(self.width)} {_n(height)}",
            "width": _n(self.width),
            "height": _n(height),
            "role": "img",
            "aria-label": bare(visible(alt, 1_000)),
            "font-size": _n(self.size),
        }
        return el("svg", frame, self._parts)

    def text(
        self,
        at: Point,
        text: object,
        kind: str = "",
        *,
        anchor: str = "start",
        room: float = 400,
        turn: float = 0,
    ) -> None:
        """Text clipped to `room` pixels, or a name that fits; the whole is in its tooltip."""
        if isinstance(text, Name):
            whole, shown = text.whole, text.shown
        else:
            whole, shown = visible(text, 400), clipped(text, room, self.size)
        x, y = _n(at[0]), _n(at[1])
        attributes = {
            "x": x,
            "y": y,
            "class": kind or None,
            "text-anchor": anchor if anchor != "start" else None,
            "transform": f"rotate({_n(turn)} {x} {y})" if turn else None,
        }
        tip = _title(whole) if shown != whole else None
        self._parts.append(el("text", attributes, tip, shown))

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        ends = {"x1": _n(x1), "y1": _n(y1), "x2": _n(x2), "y2": _n(y2)}
        self._parts.append(el("line", {"class": kind, **ends}))

    def rect(self, box: Box, kind: str, *, opacity: float | None = None, title: str = "") -> None:
        x, y, width, height = map(_n, box)
        shade = None if opacity is None else _n(opacity, 2)
        way = f"M{x} {y}h{width}v{height}h-{width}z"  # a grid has hundreds: shorter than <rect>
        attributes = {"class": kind, "d": way, "fill-opacity": shade}
        self._parts.append(el("path", attributes, _title(title)))

    def path(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        kind: str,
        *,
        closed: bool = False,
        title: str = "",
    ) -> None:
        if not xs:
            return
        steps = "L".join(f"{_n(x)} {_n(y)}" for x, y in zip(xs, ys, strict=True))
        way = f"M{steps}{'Z' if closed else ''}"
        self._parts.append(el("path", {"class": kind, "d": way}, _title(title)))

    def mark(self, x: float, y: float, colour: int, title: str = "", radius: float = 4.5) -> None:
        """A dot whose shape goes with its colour."""
        r = radius
        shape = colour % COLOURS
        kind = f"mark c{shape}"
        if shape == 0:
            place = {"cx": _n(x), "cy": _n(y), "r": _n(r)}
            self._parts.append(el("circle", {"class": kind, **place}, _title(title)))
        elif shape == 1:
            s = 0.88 * r
            self.rect((x - s, y - s, 2 * s, 2 * s), kind, title=title)
        else:
            corners = _SHAPES[shape]
            xs = [x + r * dx for dx, _ in corners]
            ys = [y + r * dy for _, dy in corners]
            self.path(xs, ys, kind, closed=True, title=title)

    def ring(self, x: float, y: float, title: str = "", radius: float = 5) -> None:
        """An open dot: a number before it was corrected."""
        place = {"cx": _n(x), "cy": _n(y), "r": _n(radius)}
        self._parts.append(el("circle", {"class": "ring", **place}, _title(title)))

    def here(self, x: float, y: float) -> None:
        """A ring around a place on a map."""
        place = {"cx": _n(x), "cy": _n(y), "r": "8"}
        self._parts.append(el("circle", {"class": "here", **place}))

    def cloud(self, points: Sequence[tuple[float, float]], colour: int) -> None:
        """Very many dots as one faint mark: darker where they are many, and few bytes."""
        dots = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in points)
        self._parts.append(el("path", {"class": f"cloud c{colour % COLOURS}", "d": dots}))

    def x_axis(self, scale: Scale, y: float, label: str, *, top: float, grid: bool = True) -> float:
        """Ticks and label below `y`, grid lines up to `top`; returns the lowest pixel used."""
        count = _enough(scale, int((scale.end - scale.start) / (58 if self.narrow else 64)))
        for tick in scale.ticks(count):
            x = scale(tick)
            if grid:
                self.line(x, top, x, y, "grid")
            text = scale.tick_text(tick, count)
            half = text_width(text, self.size) * 0.6  # the reader's face may be wider
            centre = min(max(x, half), self.width - half)
            self.text((centre, y + self.size + 4), text, "tick", anchor="middle")
        self.line(scale.start, y, scale.end, y, "axis")
        bottom = y + self.size + 8
        if label:
            bottom += self.size + 4
            middle = (scale.start + scale.end) / 2
            self.text(
                (middle, bottom),
                label,
                "label",
                anchor="middle",
                room=2 * min(middle, self.width - middle),
            )
        return bottom + 6

    def y_axis(self, scale: Scale, x: float, label: str, *, right: float) -> None:
        """Ticks left of `x`, grid lines to `right`, the label above the axis, read level."""
        count = _enough(scale, int(abs(scale.end - scale.start) / 48))
        for tick in scale.ticks(count):
            y = scale(tick)
            self.line(x, y, right, y, "grid")
            self.text(
                (x - 6, y + self.size * 0.35), scale.tick_text(tick, count), "tick", anchor="end"
            )
        if label:
            self.text((0, self.size), label, "label", room=self.width)

    def y_axis_width(self, scale: Scale) -> float:
        count = _enough(scale, int(abs(scale.end - scale.start) / 48))
        texts = (scale.tick_text(tick, count) for tick in scale.ticks(count))
        return max((text_width(text, self.size) for text in texts), default=20.0) + 10

    def reference_rows(self, references: Sequence[Chart], scale: Scale) -> int:
        """How many rows of labels the references need above the plot."""
        return max((row + 1 for _, _, row in self._places(references, scale)), default=0)

    def references(
        self,
        references: Sequence[Chart],
        scale: Scale,
        *,
        first: float,
        bottom: float,
        around: Sequence[tuple[float, float, float]] = (),
    ) -> None:
        """Dashed upright lines at values to compare with, each named above the plot.

        `around` are texts (left, right, height of their feet) that a line does not strike through.
        """
        for reference, x, row in self._places(references, scale):
            y = first + row * (self.size + 3)
            at, start = scale(reference["value"]), y + 4
            for left, right, foot in around:
                if left - 2 <= at <= right + 2 and foot > start:
                    self.line(at, start, at, max(start, foot - self.size), "reference")
                    start = foot + self.size * 0.35
            self.line(at, start, at, bottom, "reference")
            self.text((x, y), reference.get("label", ""), "muted", anchor="middle", room=self.width)

    def _places(self, references: Sequence[Chart], scale: Scale) -> list[tuple[Chart, float, int]]:
        """Where each label is centred and in which row, so that none covers another."""
        ends: list[float] = []
        places = []
        known = [one for one in references if one.get("value") is not None]
        for one in sorted(known, key=lambda one: float(one["value"])):
            room = text_width(visible(one.get("label", ""), 120), self.size)
            half = min(room, self.width) / 2 + 2
            x = min(max(scale(one["value"]), half), self.width - half)
            row = next((r for r, end in enumerate(ends) if x - half > end), len(ends))
            ends[row : row + 1] = [x + half]
            places.append((one, x, row))
        return places


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the wanted ones, at least `gap` apart where the room allows, in order."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    placed: list[float] = []
    for i in order:
        floor = placed[-1] + gap if placed else low
        placed.append(max(wanted[i], floor))
    ceiling = high
    for k in reversed(range(len(placed))):
        placed[k] = min(placed[k], ceiling)
        ceiling = placed[k] - gap
    result = [0.0] * len(wanted)
    for k, i in enumerate(order):
        result[i] = placed[k]
    return result


_SHAPES = {
    2: ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    3: ((0, -1.2), (1.15, 0.85), (-1.15, 0.85)),
    4: ((0, 1.2), (1.15, -0.85), (-1.15, -0.85)),
    5: (
        (-1.1, -0.45),
        (-0.45, -0.45),
        (-0.45, -1.1),
        (0.45, -1.1),
        (0.45, -0.45),
        (1.1, -0.45),
        (1.1, 0.45),
        (0.45, 0.45),
        (0.45, 1.1),
        (-0.45, 1.1),
        (-0.45, 0.45),
        (-1.1, 0.45),
    ),
}


def alternative(chart: Chart) -> str:
    """The sentence that stands for the picture where it cannot be seen."""
    return str(chart.get("alt") or chart.get("title") or "a chart")


def _enough(scale: Scale, count: int) -> int:
    """As many ticks as asked for, or more where that would give fewer than two."""
    asked = max(count, 2)
    return next((n for n in range(asked, asked + 4) if len(scale.ticks(n)) > 1), asked)


def _title(text: str) -> Markup | None:
    return el("title", None, text) if text else None


def _n(value: float, digits: int = 1) -> str:
    """A coordinate in few characters."""
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
