"""Charts of cells and bins: heat maps and distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from goldassay.frozen import dataclass
from goldassay.rendering.charts.canvas import Canvas, Chart, alternative
from goldassay.rendering.charts.kind import Kind, Numbers
from goldassay.rendering.charts.names import fitted
from goldassay.rendering.charts.scale import Scale, span
from goldassay.rendering.markup import Markup
from goldassay.words import decimal, number, percent, text_width, visible

__all__ = ["KINDS"]

#: How far from the centre the shades of ratios reach.
TENFOLD = 10.0
#: A heat map of more columns is too wide for a telephone.
_MOST_COLUMNS = 6


def _heat_map(chart: Chart, canvas: Canvas) -> Markup:
    columns, names = list(chart.get("x_labels", ())), list(chart.get("y_labels", ()))
    values = [list(row) for row in chart.get("values", ())]
    spec = str(chart.get("format") or ".2f")
    mirrored = _mirrored(chart)
    shades = _shades(chart, values)
    shares = [[_cell_text(v, spec) for v in row] for row in values]
    texts = [[visible(one, 24) for one in row] for row in chart.get("texts", ())] or shares
    size = canvas.size
    widest = max((text_width(text, size) for row in texts for text in row), default=20) + 10
    left = max((text_width(visible(name, 60), size) for name in names), default=40)
    left = min(left, (0.34 if canvas.narrow else 0.3) * canvas.width) + 10
    count = max(len(columns), 1)
    fitting = (canvas.width - left - 2) / count
    written = widest <= max(fitting, 26) and count <= 24
    cell = min(max(fitting, widest if written else 13), 120)
    canvas.width = max(canvas.width, left + cell * count + 2)
    tall = 30.0 if written else max(min(cell, 24), 15)

    longest = max((text_width(visible(name, 200), size) for name in columns), default=0)
    turned = longest > cell - 6
    head = min(longest, 150) + 8 if turned else size + 8
    heads = fitted(columns, 150 if turned else cell, size)
    sides_of_rows = fitted(names, left - 8, size)
    top = size + 10 + head
    y_label, x_label = chart.get("y_label"), chart.get("x_label")
    sides = [f"{visible(one, 80)} {way}" for one, way in ((y_label, "↓"), (x_label, "→")) if one]
    if sides:
        canvas.text((0, size), "   ".join(sides), "label", room=canvas.width)
    for j, head_name in enumerate(heads):
        x = left + (j + 0.5) * cell
        if turned:
            canvas.text((x + size * 0.35, top - 5), head_name, "tick", turn=-90)
        else:
            canvas.text((x, top - 6), head_name, "tick", anchor="middle")
    for i, row in enumerate(values):
        y = top + i * tall
        name = names[i] if i < len(names) else ""
        if i < len(names):
            level = y + tall / 2 + size * 0.35
            canvas.text((left - 8, level), sides_of_rows[i], "tick", anchor="end")
        for j, value in enumerate(row):
            if mirrored and j < i:
                continue
            column = columns[j] if j < len(columns) else ""
            said = texts[i][j] if texts is shares else f"{texts[i][j]} ({shares[i][j]})"
            tip = f"{visible(name, 60)}, {visible(column, 60)}: {said or 'none'}"
            kind, shade = shades(value)
            box = (left + j * cell, y, cell - 1, tall - 1)
            canvas.rect(box, kind, opacity=shade, title=tip)
            if written and texts[i][j]:
                canvas.text(
                    (left + (j + 0.5) * cell, y + tall / 2 + size * 0.35),
                    texts[i][j],
                    "cell",
                    anchor="middle",
                    room=cell,
                )
    bottom = top + len(values) * tall + 10
    if here := chart.get("here"):
        x, y = left + cell * (here["x"] + 0.5), top + tall * (here["y"] + 0.5)
        canvas.here(x, y)
        canvas.here(left + 160, bottom + 5)
        canvas.text((left + 174, bottom + 5 + size * 0.35), here["label"], "muted")
    _shade_key(canvas, left, bottom, shades=shades, spec=spec)
    return canvas.finish(bottom + 16 + size, alternative(chart))


def _cells(chart: Chart) -> Numbers:
    columns = (str(chart.get("y_label") or ""), *map(str, chart.get("x_labels", ())))
    rows = enumerate(zip(chart.get("y_labels", ()), chart.get("values", ()), strict=False))
    hidden = _mirrored(chart)
    return columns, [
        [name, *(None if hidden and j < i else value for j, value in enumerate(row))]
        for i, (name, row) in rows
    ]


def _mirrored(chart: Chart) -> bool:
    """Whether one half says what the other says: it is left out."""
    names, values = list(chart.get("y_labels", ())), list(chart.get("values", ()))
    same = names == list(chart.get("x_labels", ())) and all(len(r) == len(values) for r in values)
    return same and all(values[i][j] == values[j][i] for i in range(len(values)) for j in range(i))


def _few_columns(chart: Chart) -> bool:
    return len(chart.get("x_labels", ())) <= _MOST_COLUMNS


@dataclass(frozen=True, slots=True)
class _Shades:
    """The class and opacity of a value: away from the centre in two hues, or upwards in one.

    Of ratios the logarithm is shaded, so that twice and half are as dark, and one large ratio does
    not leave the others pale.
    """

    low: float
    high: float
    centre: float | None
    ratio: bool

    def __call__(self, value: float | None) -> tuple[str, float | None]:
        if value is None:
            return "none", None
        at, low, high = (self.warped(x) for x in (value, self.low, self.high))
        if self.centre is None:
            kind, share = "up", (at - low) / ((high - low) or 1.0)
        else:
            centre = self.warped(self.centre)
            kind, share = ("up" if at >= centre else "down"), abs(at - centre)
            share /= _reach(at - centre, high - centre, centre - low)
        return kind, 0.04 + 0.72 * min(max(share, 0.0), 1.0)

    def warped(self, value: float) -> float:
        return math.log(max(value, 1e-9)) if self.ratio else value

    def between(self, share: float) -> float:
        """The value that lies this far from the lowest to the highest."""
        low, high = self.warped(self.low), self.warped(self.high)
        at = low + (high - low) * share
        return math.exp(at) if self.ratio else at


def _shades(chart: Chart, values: Sequence[Sequence[float | None]]) -> _Shades:
    known = [v for row in values for v in row if v is not None and abs(v) < 1e100]
    low, high = min(known, default=0.0), max(known, default=1.0)
    centre, ratio = chart.get("center"), bool(chart.get("ratio"))
    if ratio and centre:  # beyond tenfold all is equally dark
        low, high = max(low, centre / TENFOLD), min(high, centre * TENFOLD)
    return _Shades(low, high, centre, ratio)


def _reach(side: float, above: float, below: float) -> float:
    """How far the darkest cell lies: the same on both sides unless one would drown the other."""
    above, below = max(above, 0.0), max(below, 0.0)
    both = max(above, below) or 1.0
    if min(above, below) > 0.2 * both:
        return both
    return (above if side >= 0 else below) or both


def _shade_key(canvas: Canvas, x: float, y: float, *, shades: _Shades, spec: str) -> None:
    """What the shades mean, from the lowest to the highest value."""
    steps = 9
    for k in range(steps):
        kind, shade = shades(shades.between(k / (steps - 1)))
        canvas.rect((x + 14 * k, y, 14, 10), kind, opacity=shade)
    base = y + 12 + canvas.size
    lowest, highest = (_cell_text(end, spec) for end in (shades.low, shades.high))
    canvas.text((x, base), lowest, "tick")
    canvas.text((x + 14 * steps, base), highest, "tick", anchor="end")
    centre = shades.centre
    if centre is not None and shades.low < centre < shades.high:
        low, high = shades.warped(shades.low), shades.warped(shades.high)
        share = (shades.warped(centre) - low) / (high - low)
        at, text = x + 14 * steps * share, _cell_text(centre, spec)
        room = (text_width(text, canvas.size) + text_width(lowest, canvas.size)) / 2 + 8
        canvas.line(at, y - 2, at, y + 12, "axis")
        if room < 14 * steps * share and room < 14 * steps * (1 - share):
            canvas.text((at, base), text, "tick", anchor="middle")


def _cell_text(value: float | None, spec: str) -> str:
    if value is None:
        return ""
    if spec.endswith("%"):
        return percent(value)
    return number(value, 2) if spec == ".1f" or abs(value) >= 1e9 else decimal(value)


def _distribution(chart: Chart, canvas: Canvas) -> Markup:
    series = [one for one in chart.get("series", ()) if len(one.get("edges", ())) >= 2]
    size, width = canvas.size, canvas.width
    low, high = span((edge for one in series for edge in one["edges"]), tight=True)
    labels = [visible(one.get("label", ""), 120) for one in series]
    room = max((text_width(label, size) for label in labels), default=0) + 12
    left = 4.0 if canvas.narrow or not any(labels) else min(room, 0.34 * width)
    names = fitted(labels, width - 12 if canvas.narrow else left - 12, size)
    row = (66.0 if canvas.narrow else 52.0) if len(series) > 1 else 150.0
    scale = Scale(low, high, left, width - 8)
    densities = [_density(one) for one in series]
    peak = max((max(d, default=0.0) for d in densities), default=0.0) or 1.0

    bottom = 8 + row * len(series)
    end = canvas.x_axis(scale, bottom, str(chart.get("x_label") or ""), top=8)
    for i, (one, density) in enumerate(zip(series, densities, strict=True)):
        base = 8 + row * (i + 1) - 1
        if canvas.narrow:
            canvas.text((left, base - row + size + 2), names[i])
        else:
            canvas.text((left - 10, base - 8), names[i], anchor="end")
        tallest = row - (size + 12 if canvas.narrow else 8)
        # One hue for all: each row is named, and overlapping colours would say nothing more.
        for k, (a, b) in enumerate(pairwise(one["edges"])):
            high_px = tallest * density[k] / peak
            tip = f"{labels[i]}, {number(a)} to {number(b)}: {number(one['counts'][k])}"
            if high_px > 0.05:
                canvas.rect(
                    (scale(a), base - high_px, max(scale(b) - scale(a) - 0.6, 0.6), high_px),
                    "bin c0",
                    title=tip,
                )
        canvas.line(scale.start, base, scale.end, base, "grid")
    return canvas.finish(end, alternative(chart))


def _density(one: Chart) -> list[float]:
    """Counts per unit of x as a share of the series, so that series of any size compare."""
    total = sum(one["counts"]) or 1.0
    widths = [max(b - a, 1e-12) for a, b in pairwise(one["edges"])]
    return [count / total / width for count, width in zip(one["counts"], widths, strict=False)]


def _bins(chart: Chart) -> Numbers:
    columns = ("", str(chart.get("x_label") or "from"), "to", "count")
    return columns, [
        [one.get("label"), one["edges"][k], one["edges"][k + 1], count]
        for one in chart.get("series", ())
        for k, count in enumerate(one.get("counts", ()))
        if count  # a bin that is not listed holds nothing
    ]


KINDS = (
    Kind("heat_map", _heat_map, _cells, fits_narrow=_few_columns),
    Kind("distribution", _distribution, _bins),
)
