"""Charts of moves: from a judge's own rate to the corrected one, with its interval."""

from __future__ import annotations

from goldassay.rendering.charts.canvas import Canvas, Chart, alternative
from goldassay.rendering.charts.kind import Kind, Numbers
from goldassay.rendering.charts.names import fitted
from goldassay.rendering.charts.scale import Scale, span
from goldassay.rendering.markup import Markup
from goldassay.words import interval_text, percent, text_width, visible

__all__ = ["KINDS"]

#: Pixels of a row, of the arrow's head, and of the half height of the interval aside.
STEP, HEAD, ASIDE = 27.0, 5.0, 6.0


def _moves(chart: Chart, canvas: Canvas) -> Markup:
    rows = list(chart.get("rows", ()))
    size, width = canvas.size, canvas.width
    texts = [_text(row) for row in rows]
    labelled = any(row.get("label") for row in rows)
    value_room = max((text_width(text, size) for text in texts), default=0)
    if canvas.narrow:
        left, right, step = 6.0, width - 8, size * 3.4
        room = width - value_room - 10
    else:
        room = max((text_width(visible(row["label"], 80), size) for row in rows), default=0)
        left = min(room + 16, 0.35 * width) if labelled else 8.0
        right, step, room = width - value_room - 20, STEP, left - 12
    names = fitted([row["label"] for row in rows], room, size)
    low, high = chart.get("limits") or span(x for row in rows for x in _drawn(row))
    if len(rows) == 1 or high - low > 0.35:  # one rate is read against nothing and everything
        low, high = min(low, 0.0), max(high, 1.0)
    scale = Scale(low, high, left, right, percent=True)
    first = _legend(chart, canvas)
    bottom = first + step * len(rows)
    end = canvas.x_axis(scale, bottom, str(chart.get("x_label") or ""), top=first)
    for index, (row, text, name) in enumerate(zip(rows, texts, names, strict=True)):
        y = first + step * (index + 0.5)
        if canvas.narrow:
            canvas.text((0, y - 6), name)
            canvas.text((width, y - 6), text, "value", anchor="end")
            y += 7
        else:
            canvas.text((left - 10, y + size * 0.35), name, anchor="end")
            canvas.text((width, y + size * 0.35), text, "value", anchor="end")
        _move(row, canvas, scale, y, f"{visible(row['label'], 120)} {text}".strip())
    return canvas.finish(end, alternative(chart))


def _drawn(row: Chart) -> list[float | None]:
    """Every number that a row draws."""
    return [row.get("start"), row["value"], row["low"], row["high"], *(row.get("aside") or ())]


def _move(row: Chart, canvas: Canvas, scale: Scale, y: float, tip: str) -> None:
    """The first number as a ring, an arrow, the second as a dot on its interval."""
    if aside := row.get("aside"):
        for end in aside:
            canvas.line(scale(end), y - ASIDE, scale(end), y + ASIDE, "axis")
    start, at = row.get("start"), scale(row["value"])
    if start is not None:
        begin = scale(start)
        way = 1 if at > begin else -1
        if abs(at - begin) > 14:
            tip_x = at - way * 8
            canvas.line(begin, y, tip_x, y, "arrow")
            back = tip_x - way * HEAD
            canvas.path([back, tip_x, back], [y - HEAD, y, y + HEAD], "arrow")
        canvas.ring(begin, y, f"{tip}; before: {percent(start)}")
    if row["low"] is not None and row["high"] is not None:
        canvas.path([scale(row["low"]), scale(row["high"])], [y, y], "bar wide c0", title=tip)
    canvas.mark(at, y, 0, tip, radius=6)


def _legend(chart: Chart, canvas: Canvas) -> float:
    """What ring, dot and upright lines are; returns where the rows begin."""
    before, after, aside = chart.get("names") or ("", "", "")
    has_aside = aside and any(row.get("aside") for row in chart.get("rows", ()))
    shown = [(before, "ring"), (after, "mark"), *([(aside, "aside")] if has_aside else [])]
    x, y = 4.0, 12.0
    for text, kind in shown:
        if not text:
            continue
        if x + 22 + text_width(text, canvas.size) > canvas.width:
            x, y = 4.0, y + canvas.size + 8
        if kind == "ring":
            canvas.ring(x + 6, y)
        elif kind == "mark":
            canvas.mark(x + 6, y, 0, radius=6)
        else:
            canvas.line(x + 6, y - ASIDE, x + 6, y + ASIDE, "axis")
        canvas.text((x + 18, y + canvas.size * 0.35), text, "muted", room=canvas.width - x - 20)
        x += 18 + text_width(text, canvas.size) + 18
    return y + 12.0


def _text(row: Chart) -> str:
    ends = (row.get("low"), row.get("high"))
    after = percent(row["value"], ends)
    return after if None in ends else f"{after} [{interval_text(*ends, rate=True)}]"


def _numbers(chart: Chart) -> Numbers:
    before, after, _ = chart.get("names") or ("before", "after", "")
    columns = ("", before or "before", after or "after", "low", "high")
    keys = ("label", "start", "value", "low", "high")
    return columns, [[row.get(key) for key in keys] for row in chart.get("rows", ())]


KINDS = (Kind("moves", _moves, _numbers),)
