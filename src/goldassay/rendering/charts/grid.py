"""Charts of cells and bins: heat maps and distributions."""

from __future__ import annotations

from itertools import pairwise

from goldassay.rendering.charts.canvas import Canvas, Chart, alternative
from goldassay.rendering.charts.kind import Kind, Numbers
from goldassay.rendering.charts.scale import Scale, span
from goldassay.rendering.markup import Markup
from goldassay.words import number, percent, text_width, visible

__all__ = ["KINDS"]

#: A heat map of more columns is too wide for a telephone.
_MOST_COLUMNS = 6


def _heat_map(chart: Chart, canvas: Canvas) -> Markup:
    columns, names = list(chart.get("x_labels", ())), list(chart.get("y_labels", ()))
    values = [list(row) for row in chart.get("values", ())]
    spec, centre = str(chart.get("format") or ".2f"), chart.get("center")
    known = [v for row in values for v in row if v is not None and abs(v) < 1e100]
    low, high = min(known, default=0.0), max(known, default=1.0)
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

    longest = max((text_width(visible(name, 60), size) for name in columns), default=0)
    turned = longest > cell - 6
    head = min(longest, 150) + 8 if turned else size + 8
    top = size + 10 + head
    y_label, x_label = chart.get("y_label"), chart.get("x_label")
    sides = [f"{visible(one, 80)} {way}" for one, way in ((y_label, "↓"), (x_label, "→")) if one]
    if sides:
        canvas.text((0, size), "   ".join(sides), "label", room=canvas.width)
    for j, name in enumerate(columns):
        x = left + (j + 0.5) * cell
        if turned:
            canvas.text((x + size * 0.35, top - 5), name, "tick", room=150, turn=-90)
        else:
            canvas.text((x, top - 6), name, "tick", anchor="middle", room=cell)
    for i, row in enumerate(values):
        y = top + i * tall
        name = names[i] if i < len(names) else ""
        canvas.text(
            (left - 8, y + tall / 2 + size * 0.35), name, "tick", anchor="end", room=left - 8
        )
        for j, value in enumerate(row):
            column = columns[j] if j < len(columns) else ""
            said = texts[i][j] if texts is shares else f"{texts[i][j]} ({shares[i][j]})"
            tip = f"{visible(name, 60)}, {visible(column, 60)}: {said or 'none'}"
            kind, shade = _shade(value, low, high, centre)
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
    _shade_key(canvas, left, bottom, ends=(low, high), centre=centre, spec=spec)
    return canvas.finish(bottom + 16 + size, alternative(chart))


def _cells(chart: Chart) -> Numbers:
    columns = (str(chart.get("y_label") or ""), *map(str, chart.get("x_labels", ())))
    rows = zip(chart.get("y_labels", ()), chart.get("values", ()), strict=False)
    return columns, [[name, *row] for name, row in rows]


def _few_columns(chart: Chart) -> bool:
    return len(chart.get("x_labels", ())) <= _MOST_COLUMNS


def _shade(
    value: float | None, low: float, high: float, centre: float | None
) -> tuple[str, float | None]:
    """The class and opacity of a cell: away from the centre in two hues, or upwards in one."""
    if value is None:
        return "none", None
    if centre is None:
        kind, share = "up", (value - low) / ((high - low) or 1.0)
    else:
        kind, share = ("up" if value >= centre else "down"), abs(value - centre)
        share /= _reach(value - centre, high - centre, centre - low)
    return kind, 0.04 + 0.72 * min(max(share, 0.0), 1.0)


def _reach(side: float, above: float, below: float) -> float:
    """How far the darkest cell lies: the same on both sides unless one would drown the other."""
    above, below = max(above, 0.0), max(below, 0.0)
    both = max(above, below) or 1.0
    if min(above, below) > 0.2 * both:
        return both
    return (above if side >= 0 else below) or both


def _shade_key(
    canvas: Canvas,
    x: float,
    y: float,
    *,
    ends: tuple[float, float],
    centre: float | None,
    spec: str,
) -> None:
    """What the shades mean, from the lowest to the highest value."""
    low, high = ends
    steps = 9
    for k in range(steps):
        value = low + (high - low) * k / (steps - 1)
        kind, shade = _shade(value, low, high, centre)
        canvas.rect((x + 14 * k, y, 14, 10), kind, opacity=shade)
    canvas.text((x, y + 12 + canvas.size), _cell_text(low, spec), "tick")
    canvas.text(
        (x + 14 * steps, y + 12 + canvas.size), _cell_text(high, spec), "tick", anchor="end"
    )


def _cell_text(value: float | None, spec: str) -> str:
    if value is None:
        return ""
    if abs(value) >= 1e9:
        return f"{value:.3g}"
    if spec.endswith("%"):
        return percent(value)
    try:
        return format(value, spec)
    except (ValueError, TypeError):
        return number(value, 2)


def _distribution(chart: Chart, canvas: Canvas) -> Markup:
    series = [one for one in chart.get("series", ()) if len(one.get("edges", ())) >= 2]
    size, width = canvas.size, canvas.width
    low, high = span((edge for one in series for edge in one["edges"]), tight=True)
    labels = [visible(one.get("label", ""), 120) for one in series]
    room = max((text_width(label, size) for label in labels), default=0) + 12
    left = 4.0 if canvas.narrow or not any(labels) else min(room, 0.34 * width)
    row = (66.0 if canvas.narrow else 52.0) if len(series) > 1 else 150.0
    scale = Scale(low, high, left, width - 8)
    densities = [_density(one) for one in series]
    peak = max((max(d, default=0.0) for d in densities), default=0.0) or 1.0

    bottom = 8 + row * len(series)
    end = canvas.x_axis(scale, bottom, str(chart.get("x_label") or ""), top=8)
    for i, (one, density) in enumerate(zip(series, densities, strict=True)):
        base = 8 + row * (i + 1) - 1
        if canvas.narrow:
            canvas.text((left, base - row + size + 2), labels[i], room=width - 12)
        else:
            canvas.text((left - 10, base - 8), labels[i], anchor="end", room=left - 12)
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
    ]


KINDS = (
    Kind("heat_map", _heat_map, _cells, fits_narrow=_few_columns),
    Kind("distribution", _distribution, _bins),
)
