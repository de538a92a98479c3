"""Charts on an x-y plane: lines with bands, and scatters with curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from goldassay.rendering.charts.canvas import COLOURS, Canvas, Chart, alternative, spread
from goldassay.rendering.charts.kind import Kind, Numbers
from goldassay.rendering.charts.names import Name, fitted
from goldassay.rendering.charts.scale import Scale, span
from goldassay.rendering.markup import Markup
from goldassay.words import number, percent, text_width, visible

__all__ = ["KINDS"]

#: More marks than this on one drawing are thinned or left unlabelled; the table has them all.
_MANY_SERIES, _MANY_POINTS, _DENSE, _LONGEST_PATH = 10, 40, 500, 400
#: Of many lines so many stand out; the others are grey.
_OUTSTANDING = 5
#: Places along the diagonal that labels keep away from.
_DIAGONAL = 40
#: Places between two points of a line that labels keep away from.
_BETWEEN = 12
#: About so many points of a line are in the table behind it.
_ROWS_BEHIND = 12
Box = tuple[float, float, float, float]


def _line(chart: Chart, canvas: Canvas) -> Markup:
    series = [_thinned(one) for one in chart.get("series", ())]
    references = list(chart.get("references", ()))
    log = chart.get("x_scale") == "log"
    xs = [x for one in series for x in one["x"]]
    xs += [r.get("value") for r in references if r.get("axis") == "x"]
    ys = [y for one in series for key in ("y", "low", "high") for y in one.get(key) or ()]
    ys += [r.get("value") for r in references if r.get("axis") != "x"]

    named = _named(series)
    labels = [visible(one.get("label", ""), 120) for one in series]
    size, width = canvas.size, canvas.width
    beside = not canvas.narrow and len(series) > 1
    grey = len(series) - named
    rest = f"{grey} more, grey"
    beside_it = [*labels[:named], *([rest] if grey else [])]
    room = max((text_width(label, size) for label in beside_it), default=0) + 14
    room = min(room, 0.32 * width)
    top = size * 2 + 8 + (0 if beside else _key(canvas, labels[:named], size * 2 + 10, grey))
    vertical = [r for r in references if r.get("axis") == "x"]
    height = 220 if canvas.narrow else 230
    y_low, y_high = chart.get("limits") or span(ys)
    rates = chart.get("rates") or ""
    level = Scale(y_low, y_high, height, 0, percent="y" in rates, whole=_are_whole(ys))
    axis_room = canvas.y_axis_width(level)
    x_low, x_high = span(xs, log=log, tight=True)
    right = width - (room if beside else 10)
    whole = not log and _are_whole(xs)
    x_scale = Scale(x_low, x_high, axis_room, right, log, percent="x" in rates, whole=whole)
    rows = canvas.reference_rows(vertical, x_scale)
    top += rows * (size + 3)
    y_scale = replace(level, start=top + height, end=top + 4)

    canvas.y_axis(y_scale, axis_room, str(chart.get("y_label") or ""), right=x_scale.end)
    end = canvas.x_axis(x_scale, top + height, str(chart.get("x_label") or ""), top=top)
    if diagonal := chart.get("diagonal"):
        _equal(canvas, x_scale, y_scale, str(diagonal))
    first = top - rows * (size + 3) + size - 4
    canvas.references(vertical, x_scale, first=first, bottom=top + height)
    for reference in references:
        if reference.get("axis") != "x" and reference.get("value") is not None:
            _level(canvas, reference, series, (x_scale, y_scale))

    for i, one in enumerate(series[:named]):
        if one.get("low") and one.get("high"):
            ends = [
                (x, a, b)
                for x, a, b in zip(one["x"], one["low"], one["high"], strict=False)
                if None not in (x, a, b)
            ]
            band_x = [x_scale(x) for x, _, _ in ends]
            band = [y_scale(a) for _, a, _ in ends] + [y_scale(b) for _, _, b in reversed(ends)]
            canvas.path(band_x + band_x[::-1], band, f"band c{i % COLOURS}", closed=True)
    for i, one in reversed(list(enumerate(series))[named:]):
        _polyline(canvas, one, (x_scale, y_scale), index=i, label=labels[i], grey=True)
    last = [
        _polyline(canvas, one, (x_scale, y_scale), index=i, label=labels[i])
        for i, one in enumerate(series[:named])
    ]
    if beside:
        names: list[Name | str] = [*fitted(labels[:named], room - 10, size)]
        kinds = [f"name c{i % COLOURS}" for i in range(named)]
        if grey:
            names, kinds, last = [*names, rest], [*kinds, "muted"], [*last, end]
        for name, kind, y in zip(
            names, kinds, spread(last, size + 3, top + 4, top + height), strict=True
        ):
            canvas.text((x_scale.end + 8, y + size * 0.35), name, kind, room=room - 10)
    return canvas.finish(end, alternative(chart))


def _named(series: Sequence[Chart]) -> int:
    """How many of the lines stand out and are named: all, or of many the first few."""
    return len(series) if len(series) <= _MANY_SERIES else _OUTSTANDING


def _are_whole(values: Iterable[float | None]) -> bool:
    known = [v for v in values if v is not None]
    return bool(known) and all(float(v).is_integer() for v in known) and max(known) > 1


def _equal(canvas: Canvas, x_scale: Scale, y_scale: Scale, label: str) -> None:
    """The line of equal x and y, named at its upper end."""
    low, high = max(x_scale.low, y_scale.low), min(x_scale.high, y_scale.high)
    canvas.line(x_scale(low), y_scale(low), x_scale(high), y_scale(high), "reference")
    at = low + 0.97 * (high - low)
    canvas.text((x_scale(at) - 14, y_scale(at) + 4), label, "muted", anchor="end")


def _level(
    canvas: Canvas, reference: Chart, series: Sequence[Chart], axes: tuple[Scale, Scale]
) -> None:
    """A dashed level line, named where the fewest lines pass."""
    x_scale, y_scale = axes
    y, size = y_scale(reference["value"]), canvas.size
    canvas.line(x_scale.start, y, x_scale.end, y, "reference")
    label = visible(reference.get("label", ""), 120)
    room = min(text_width(label, size), x_scale.end - x_scale.start - 12)
    below, above = y + size + 7, y - size - 5
    passed = [place for one in series for place in _along(one, axes) if above <= place[1] <= below]

    def crossed(place: tuple[float, float]) -> int:
        x, base = place
        inside = (x - 4 <= p <= x + room + 4 and base - size <= q <= base + 4 for p, q in passed)
        return sum(inside)

    sides = (x_scale.end - room - 4, x_scale.start + 6, (x_scale.start + x_scale.end - room) / 2)
    places = [(x, base) for base in (y - 5, y + size + 3) for x in sides]
    within = [one for one in places if y_scale.end <= one[1] - size and one[1] <= y_scale.start]
    canvas.text(min(within or places, key=crossed), label, "muted", room=room + 4)


def _along(one: Chart, axes: tuple[Scale, Scale]) -> Iterator[tuple[float, float]]:
    """Pixels along a series as it is drawn, at its points and at some places between them."""
    x_scale, y_scale = axes
    known = [p for p in zip(one["x"], one["y"], strict=False) if None not in p]
    for (x, y), (a, b) in pairwise((x_scale(x), y_scale(y)) for x, y in known):
        for k in range(_BETWEEN + 1):
            share = k / _BETWEEN
            yield x + (a - x) * share, y + (b - y) * share


def _polyline(
    canvas: Canvas,
    one: Chart,
    axes: tuple[Scale, Scale],
    *,
    index: int,
    label: str,
    grey: bool = False,
) -> float:
    """A series, broken where values are missing, with a tooltip at each of a few points."""
    x_scale, y_scale = axes
    points = list(zip(one["x"], one["y"], strict=False))
    kind = "line rest" if grey else f"line c{index % COLOURS}"
    kind += f" dash{index // COLOURS}" if not grey and 0 < index // COLOURS < 3 else ""
    run: list[tuple[float, float]] = []
    last = y_scale.start
    for x, y in [*points, (None, None)]:
        if x is None or y is None:
            if run:
                canvas.path([p for p, _ in run], [q for _, q in run], kind, title=label)
                last = run[-1][1]
            run = []
        else:
            run.append((x_scale(x), y_scale(y)))
    known = [(x, y) for x, y in points if x is not None and y is not None]
    if len(known) <= 25 and not grey:
        for x, y in known:
            tip = f"{label}: {number(x)}, {number(y)}" if label else f"{number(x)}, {number(y)}"
            canvas.mark(x_scale(x), y_scale(y), index, tip, 2.8)
    return last


def _key(canvas: Canvas, labels: Sequence[str], y: float, grey: int = 0) -> float:
    """Names above the plot where there is no room beside it; returns the height used."""
    named = [label for label in labels if label][:_MANY_SERIES]
    if len(named) < 2:
        return 0.0
    shown = fitted(named, canvas.width - 18, canvas.size)
    x, row, step = 0.0, 0, canvas.size + 7
    for i, label in enumerate(shown):
        room = text_width(label.shown, canvas.size)
        if x and x + room + 18 > canvas.width:
            x, row = 0.0, row + 1
        middle = y + row * step
        canvas.mark(x + 6, middle - canvas.size * 0.32, i)
        canvas.text((x + 16, middle), label, f"name c{i % COLOURS}")
        x += room + 34
    if grey or len(labels) > _MANY_SERIES:
        row += 1
        rest = f"{grey} more, grey" if grey else f"and {len(labels) - _MANY_SERIES} more"
        canvas.text((0, y + row * step), rest, "muted")
    return (row + 1) * step


def _scatter(chart: Chart, canvas: Canvas) -> Markup:
    points = [
        p for p in chart.get("points", ()) if p.get("x") is not None and p.get("y") is not None
    ]
    curves = [_thinned(one) for one in chart.get("curves", ())]
    size, width = canvas.size, canvas.width
    xs = [p["x"] for p in points] + [x for one in curves for x in one["x"]]
    ys = [p["y"] for p in points] + [y for one in curves for y in one["y"]]
    if chart.get("quadrants"):
        xs, ys = [*xs, 0.5, 1], [*ys, 0, 1]
    (x_low, x_high), (y_low, y_high) = span(xs), span(ys)
    if chart.get("diagonal") and not chart.get("quadrants"):
        x_low = y_low = min(x_low, y_low)
        x_high = y_high = max(x_high, y_high)

    groups = list(dict.fromkeys(p.get("group") for p in points))
    top = size * 2 + 8
    outstanding, grouped = _named(curves), len(groups) > 1
    keyed = len(curves) > 2 and not grouped  # more curves than can be named where they run
    if keyed:
        names = [visible(one.get("label", ""), 120) for one in curves[:outstanding]]
        top += _key(canvas, names, top + 4, len(curves) - outstanding)
    else:
        top += _key(canvas, [visible(g, 80) for g in groups if g is not None], top + 4)
    height = width * 0.86 if canvas.narrow else 320
    rates = chart.get("rates") or ""
    level = Scale(y_low, y_high, height, 0, percent="y" in rates)
    axis_room = canvas.y_axis_width(level)
    right = width - 10 if canvas.narrow else min(axis_room + 520, width - 10)
    x_scale = Scale(x_low, x_high, axis_room, right, percent="x" in rates)
    y_scale = replace(level, start=top + height, end=top + 4)
    canvas.y_axis(y_scale, axis_room, str(chart.get("y_label") or ""), right=right)
    end = canvas.x_axis(x_scale, top + height, str(chart.get("x_label") or ""), top=top)
    if chart.get("quadrants"):
        canvas.line(x_scale(0.5), y_scale.start, x_scale(0.5), y_scale.end, "reference")
        canvas.line(x_scale.start, y_scale(0.5), x_scale.end, y_scale(0.5), "reference")
    if chart.get("diagonal"):
        low, high = max(x_low, y_low), min(x_high, y_high)
        canvas.line(x_scale(low), y_scale(low), x_scale(high), y_scale(high), "reference")

    plot = (axis_room, top, width, top + height)
    boxes: list[Box] = []
    if chart.get("diagonal"):  # no label is written across it
        for k in range(_DIAGONAL + 1):
            x = y = low + (high - low) * k / _DIAGONAL
            boxes.append((x_scale(x) - 3, y_scale(y) - 3, x_scale(x) + 3, y_scale(y) + 3))
    for p in points:
        x, y = x_scale(p["x"]), y_scale(p["y"])
        boxes.append((x - 5, y - 5, x + 5, y + 5))
    dense = len(points) > _DENSE
    if dense:  # a cloud shows where most are; curves are drawn over it
        for k, group in enumerate(groups):
            mine = [(x_scale(p["x"]), y_scale(p["y"])) for p in points if p.get("group") == group]
            canvas.cloud(mine, k)
    for i, one in reversed(list(enumerate(curves))):
        colour = i + (len(groups) if grouped else 0)
        _polyline(
            canvas,
            one,
            (x_scale, y_scale),
            index=colour,
            label=visible(one.get("label", ""), 120),
            grey=i >= outstanding,
        )
    crowded = len(points) > _MANY_POINTS
    for p in () if dense else points:
        group = groups.index(p.get("group"))
        x, y = x_scale(p["x"]), y_scale(p["y"])
        at = ", ".join(percent(p[way]) if way in rates else number(p[way]) for way in ("x", "y"))
        tip = f"{visible(p.get('label', ''), 200)}: {at}"
        canvas.mark(x, y, group, tip, 3.0 if crowded else 4.5)
    if not crowded:
        for p in points:
            if p.get("label"):
                place = [(x_scale(p["x"]), y_scale(p["y"]))]
                _place_label(canvas, place, p["label"], "tick", boxes=boxes, within=plot)
    for i, one in enumerate(() if keyed else curves):
        if one.get("label") and (known := list(_along(one, (x_scale, y_scale)))):
            anchors = [known[k] for k in (len(known) // 2, -1, 0, 3 * len(known) // 4)]
            kind = f"name c{(i + (len(groups) if grouped else 0)) % COLOURS}"
            _place_label(canvas, anchors, one["label"], kind, boxes=boxes, within=plot)
    return canvas.finish(end, alternative(chart))


def _place_label(
    canvas: Canvas,
    anchors: Iterable[tuple[float, float]],
    label: object,
    kind: str,
    *,
    boxes: list[Box],
    within: Box,
) -> None:
    """The label at the first place around its mark where it covers nothing; else tooltip only."""
    size = canvas.size
    name = fitted([label], 240.0, size)[0]
    room = text_width(name.shown, size)
    for x, y in anchors:
        for dx, dy, anchor in _AROUND:
            start = x + dx - (room if anchor == "end" else room / 2 if anchor == "middle" else 0)
            base = y + dy * size
            box = (start, base - size * 0.8, start + room, base + size * 0.2)
            inside = within[0] <= box[0] and box[2] <= within[2]
            inside = inside and within[1] <= box[1] and box[3] <= within[3]
            if inside and not any(_overlap(box, other) for other in boxes):
                boxes.append(box)
                canvas.text((x + dx, base), name, kind, anchor=anchor)
                return


_AROUND = (
    (8, 0.35, "start"),
    (-8, 0.35, "end"),
    (0, -0.7, "middle"),
    (0, 1.45, "middle"),
    (7, -0.5, "start"),
    (-7, -0.5, "end"),
    (7, 1.2, "start"),
    (-7, 1.2, "end"),
)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _thinned(one: Chart) -> dict[str, Any]:
    """A series with at most a few hundred points, evenly picked, the last one kept."""
    count = len(one.get("x", ()))
    step = math.ceil(count / _LONGEST_PATH)
    kept = dict(one)
    for key in ("x", "y", "low", "high"):
        values = list(one.get(key) or ())
        if step > 1 and values:
            values = [*values[:-1:step], values[-1]]
        kept[key] = values
    return kept


def _numbers(chart: Chart) -> Numbers:
    columns = ["", str(chart.get("x_label") or "x"), str(chart.get("y_label") or "y")]
    rows = [[p.get("label"), p.get("x"), p.get("y")] for p in chart.get("points", ())]
    lines = [*chart.get("series", ()), *chart.get("curves", ())]
    banded = any(one.get("low") for one in lines)
    for one in lines:
        ends = [one[k] for k in ("low", "high") if banded and one.get(k)]
        step = max(1, len(one.get("x", ())) // _ROWS_BEHIND)
        points = list(zip(one.get("x", ()), one.get("y", ()), *ends, strict=False))
        rows += [[one.get("label"), *values] for values in points[::step]]
    return (*columns, *(("low", "high") if banded else ())), rows


KINDS = (Kind("line", _line, _numbers), Kind("scatter", _scatter, _numbers))
