"""Charts of dots: a row for each value, on its interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from goldassay.rendering.charts.canvas import COLOURS, Canvas, Chart, alternative
from goldassay.rendering.charts.kind import ENDS, Kind, Numbers
from goldassay.rendering.charts.names import Name, fitted
from goldassay.rendering.charts.scale import Scale, span
from goldassay.rendering.markup import Markup
from goldassay.words import decimal, interval_text, percent, points, text_width, visible

__all__ = ["KINDS"]

#: A row: its height, what is drawn (None: a heading), its number and its name.
Mark = tuple[float, Chart | None, str, str | Name]


def _dot_interval(chart: Chart, canvas: Canvas) -> Markup:
    rows = _by_group(list(chart.get("rows", ())))
    references = list(chart.get("references", ()))
    known = [row.get(key) for row in rows for key in ("value", "low", "high")]
    low, high = chart.get("limits") or span([*known, *(r.get("value") for r in references)])
    groups = _ordered(row.get("group") for row in rows)
    headed = len(groups) > 1 and _contiguous([row.get("group") for row in rows])
    size, width = canvas.size, canvas.width

    whole = all(v is None or float(v).is_integer() for v in known)
    whole = whole and max((v for v in known if v is not None), default=0) > 1  # no coefficients
    rate, in_points = bool(chart.get("rate")), bool(chart.get("points"))
    texts = [
        _points_text(row) if in_points else _interval_text(row, whole=whole, rate=rate)
        for row in rows
    ]
    labels = [_row_label(row, headed) for row in rows]
    value_room = max((text_width(text, size) for text in texts), default=80)
    if canvas.narrow:
        left, right, step = 6.0, width - 8, size * 3.0
        names = fitted(labels, width - value_room - 10, size)
    else:
        label_room = max((text_width(label, size) for label in labels), default=60)
        left = min(max(label_room + 14, 60), 0.4 * width)
        right, step = width - value_room - 24, max(size * 1.75, 22)
        names = fitted(labels, left - 12, size)
    scale = Scale(low, high, left, right, percent=rate, points=in_points, whole=whole)

    top = 8.0 + (size + 3) * canvas.reference_rows(references, scale)
    twice = len(rows) > 30  # a long chart has its ticks at both ends
    y = top + step * 0.6 + (size + 6 if twice else 0)
    marks: list[Mark] = []
    heading: Any = object()
    for row, text, name in zip(rows, texts, names, strict=True):
        if headed and row.get("group") != heading:
            heading = row.get("group")
            y += step * (0.35 if marks else 0)
            marks.append((y, None, "", visible(heading, 120)))
            y += step
        marks.append((y, row, text, name))
        y += step
    bottom = y - step * 0.35
    axis_end = canvas.x_axis(scale, bottom, str(chart.get("x_label") or ""), top=top)
    if twice:
        canvas.x_axis(scale, top, "", top=top, grid=False)
    around = [place for mark in marks for place in _texts(mark, canvas)]
    canvas.references(references, scale, first=size + 2, bottom=bottom, around=around)
    if (tied := int(chart.get("tied") or 0)) > 1:
        upto = [y for y, one, _, _ in marks if one is not None][min(tied, len(rows)) - 1]
        canvas.rect((0, top, width, upto + step / 2 - top), "tied")

    for y, one, text, label in marks:
        if one is None:
            canvas.text((0, y + size * 0.35), label, "strong", room=width)
            continue
        group = groups.index(one.get("group")) if one.get("group") in groups else 0
        centre = y + size * 0.75 if canvas.narrow else y
        if canvas.narrow:
            canvas.text((0, y), label)
            canvas.text((width, y), text, "value", anchor="end")
        else:
            canvas.text((left - 10, y + size * 0.35), label, anchor="end")
            canvas.text((width, y + size * 0.35), text, "value", anchor="end")
        tip = f"{visible(one.get('label', ''), 200)}: {text}"
        _interval(canvas, one, scale, y=centre, group=group, tip=tip)
    return canvas.finish(axis_end, alternative(chart))


def _texts(mark: Mark, canvas: Canvas) -> Iterable[tuple[float, float, float]]:
    """Where the texts of a row stand in the plot itself: left, right, foot."""
    y, row, text, name = mark
    if not canvas.narrow:
        return
    size, width = canvas.size, canvas.width
    yield 0.0, text_width(name if isinstance(name, str) else name.shown, size), y
    if row is not None:
        yield width - text_width(text, size), width, y


def _interval(canvas: Canvas, row: Chart, scale: Scale, *, y: float, group: int, tip: str) -> None:
    """A dot on its interval; an unbounded end runs to the axis' end and points outwards."""
    value, low, high = row.get("value"), row.get("low"), row.get("high")
    colour = f"bar c{group % COLOURS}"
    if value is None and low is None and high is None:
        canvas.text(
            ((scale.start + scale.end) / 2, y + 4),
            row.get("undefined") or "",
            "muted",
            anchor="middle",
            room=scale.end - scale.start,
        )
        return
    if low is not None or high is not None:
        start = scale.start if low is None else scale(low)
        end = scale.end if high is None else scale(high)
        canvas.path([start, end], [y, y], colour, title=tip)
        for x, bound, way in ((start, low, 1), (end, high, -1)):
            if bound is None:
                canvas.path([x + 6 * way, x, x + 6 * way], [y - 4, y, y + 4], colour)
    if value is not None:
        canvas.mark(scale(value), y, group, tip)


def _row_label(row: Chart, headed: bool) -> str:
    group = row.get("group")
    label = visible(row.get("label", ""), 200)
    named = not group or str(group) in str(row.get("label"))
    return label if headed or named else f"{label} · {group}"


def _points_text(row: Chart) -> str:
    """A difference of rates; one that is not known has no ends either."""
    value, low, high = (None if row.get(k) is None else float(row[k]) for k in ENDS)
    if value is None:
        return "undefined"
    return points(value, None if low is None and high is None else (low, high))


def _interval_text(row: Chart, *, whole: bool, rate: bool) -> str:
    value, low, high = (None if row.get(k) is None else float(row[k]) for k in ENDS)
    if value is None and low is None and high is None:
        return "undefined"
    if whole:
        said = "" if value is None else f"{value:,.0f}"
        ends = [("-∞", "∞")[k] if x is None else f"{x:,.0f}" for k, x in enumerate((low, high))]
        return said if low is None and high is None else f"{said} [{', '.join(ends)}]".strip()
    written = percent if rate else decimal
    said = "" if value is None else written(value, (low, high))
    if low is None and high is None:
        return said
    return f"{said} [{interval_text(low, high, rate=rate)}]".strip()


def _by_group(rows: list[Chart]) -> list[Chart]:
    """Rows whose labels come again in each group are read group by group."""
    groups = _ordered(row.get("group") for row in rows)
    labels = [row.get("label") for row in rows]
    if len(groups) < 2 or len(set(labels)) * 2 > len(labels):
        return rows
    return sorted(rows, key=lambda row: groups.index(row.get("group")))


def _ordered(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def _contiguous(values: Sequence[Any]) -> bool:
    changes = sum(a != b for a, b in pairwise(values))
    return bool(1 + changes == len(set(values)))


def _numbers(chart: Chart) -> Numbers:
    rows = list(chart.get("rows", ()))
    grouped = any(row.get("group") for row in rows)
    value = str(chart.get("x_label") or "value")
    columns = ("", *(("group",) if grouped else ()), value, "low", "high")
    return columns, [
        [r.get("label"), *([r.get("group")] if grouped else []), *(r.get(end) for end in ENDS)]
        for r in rows
    ]


KINDS = (Kind("dot_interval", _dot_interval, _numbers),)
