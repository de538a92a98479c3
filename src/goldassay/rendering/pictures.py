"""Pictures of a question: its charts in words, long ones shortened, and those that its tables and
results allow (confusion matrices, coverage). Behind each stands the table of its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from goldassay.glossary import said
from goldassay.reference_words import worded
from goldassay.rendering.blocks import Cell, Grid, Panels, Picture
from goldassay.rendering.charts.canvas import Chart
from goldassay.rendering.charts.kind import ENDS
from goldassay.rendering.charts.scale import span
from goldassay.rendering.charts.svg import drawn_values, numbers
from goldassay.words import column_texts, counted, named, percent, value_text

__all__ = ["MAX_ROWS", "cell", "chart_grid", "families", "grid", "pictures"]

Document = Mapping[str, Any]

#: A page is for reading; longer tables end with a line that says how many rows the JSON has more.
MAX_ROWS = 300
#: Of a longer table so many rows stand open; of a longer chart so many dots.
LONG_TABLE, OPEN_ROWS = 20, 10
LONG_CHART, OPEN_DOTS = 12, 10
#: Rows and columns of a matrix, distributions, and pictures of a family that are drawn.
MOST_CELLS, MOST_HEAPS, MOST_PANELS = 20, 12, 6
BEHIND = "The numbers behind this picture"
_LABELS = ("label", "group", "x_label", "y_label", "x_labels", "y_labels")
#: Rates of verdicts by what they are, in the order of the picture.
_COVERED = ("coverage", "abstention_rate", "invalid_rate", "failed_rate")


def pictures(
    part: Document, rows: Sequence[Document], judges: Sequence[str] = ()
) -> tuple[list[Picture], set[str]]:
    """The question's charts, then confusion matrices in the judges' order, and coverage.

    Also the names of the tables that are drawn, and stand behind their pictures.
    """
    verb = str(part.get("verb"))
    charts = _ranged([_in_words(chart, verb) for chart in part.get("charts", ())])
    found = [Picture(_cut(chart), chart_grid(chart), _shortened(chart)) for chart in charts]
    drawn = set()
    place = {f"confusion: {judge}": at for at, judge in enumerate(judges)}
    tables = (part.get("tables") or {}).items()
    for name, table in sorted(tables, key=lambda one: place.get(one[0], len(place))):
        if name.startswith("confusion: ") and (chart := _confusion(table)):
            found.append(Picture(chart, grid({**table, "title": ""}, folded=BEHIND)))
            drawn.add(name)
    # What `agree` calls coverage; `audit` has a metric of that name.
    if verb == "agree" and (chart := _coverage(rows)):
        found.append(Picture(chart, chart_grid(chart), _shortened(chart)))
    return found, drawn


def families(found: Sequence[Picture]) -> list[Picture | Panels]:
    """Pictures of one kind and axes that follow one another are small multiples."""
    grouped: list[list[Picture]] = []
    for one in found:
        if grouped and _family(one.chart) == _family(grouped[-1][0].chart):
            grouped[-1].append(one)
        else:
            grouped.append([one])
    return [
        Panels(tuple(same[:MOST_PANELS]), len(same) - MOST_PANELS) if len(same) > 1 else same[0]
        for same in grouped
    ]


def _family(chart: Chart) -> tuple[object, ...]:
    """What charts of one family have in common: all but the judge that their title names."""
    kind, title = chart.get("kind"), str(chart.get("title") or "")
    about = title.partition(":")[0].partition(" (")[0]
    return kind, about, chart.get("x_label"), chart.get("y_label")


def _ranged(charts: Sequence[Chart]) -> list[Chart]:
    """Charts of one family with one range, so that they compare by eye."""
    members: dict[tuple[object, ...], list[Chart]] = {}
    for chart in charts:
        members.setdefault(_family(chart), []).append(chart)
    ranged = []
    for chart in charts:
        same = members[_family(chart)]
        drawn = [x for one in same for x in drawn_values(one)] if len(same) > 1 else []
        ranged.append({**chart, "limits": span(drawn)} if drawn else chart)
    return ranged


def _cut(chart: Chart) -> Chart:
    """A matrix or distributions to look at: the first of many, with a note on how many there are.

    The table behind the picture has them all.
    """
    if chart.get("kind") == "distribution" and len(chart["series"]) > MOST_HEAPS:
        note = f"The first {MOST_HEAPS} of {len(chart['series'])} are drawn."
        return _noted({**chart, "series": chart["series"][:MOST_HEAPS]}, note)
    down, across = len(chart.get("y_labels", ())), len(chart.get("x_labels", ()))
    if chart.get("kind") != "heat_map" or max(down, across) <= MOST_CELLS:
        return chart
    cut = {
        **chart,
        "x_labels": chart["x_labels"][:MOST_CELLS],
        "y_labels": chart["y_labels"][:MOST_CELLS],
        "values": [row[:MOST_CELLS] for row in chart["values"][:MOST_CELLS]],
    }
    if chart.get("texts"):
        cut["texts"] = [row[:MOST_CELLS] for row in chart["texts"][:MOST_CELLS]]
    sides = [
        f"{min(many, MOST_CELLS)} of {counted(many, what)}"
        for many, what in ((down, "row"), (across, "column"))
    ]
    return _noted(cut, f"The first {' and '.join(sides)} are drawn.")


def _noted(chart: Chart, note: str) -> Chart:
    return {**chart, "alt": f"{chart.get('alt') or ''} {note}".strip()}


def _confusion(table: Document) -> Chart | None:
    """A confusion matrix as a heat map: shade by the share of what people called so."""
    columns, rows = list(table.get("columns", ())), list(table.get("rows", ()))
    if len(columns) < 4 or len(rows) != len(columns) - 1 or columns[-1] != "total":
        return None
    counts = [[float(x or 0) for x in row[1:-1]] for row in rows[:-1]]
    totals = [sum(row) for row in counts]
    shares = [[x / t if t else None for x in row] for row, t in zip(counts, totals, strict=True)]
    title = str(table.get("title") or "Confusion matrix")
    right = sum(counts[k][k] for k in range(len(counts)))
    parted = any(x != round(x) for row in counts for x in row)
    people = worded("people: ").removesuffix(": ")
    return {
        "kind": "heat_map",
        "title": title,
        "x_label": "the judge says",
        "y_label": worded("people say"),
        "x_labels": [str(name).removeprefix("judge: ") for name in columns[1:-1]],
        "y_labels": [str(row[0]).removeprefix(f"{people}: ") for row in rows[:-1]],
        "values": shares,
        "center": None,
        "format": ".0%",
        "texts": [[_count(x) for x in row] for row in counts],
        "alt": worded("Numbers of items; the shade is the share of what people say. ")
        + f"On the diagonal they agree: {' of '.join(_count(x) for x in (right, sum(totals)))}."
        + (" Parts of an item are means over repeated verdicts." if parted else ""),
    }


def _count(x: float) -> str:
    return f"{x:,.0f}" if x == round(x) else f"{x:,.1f}"


def _coverage(rows: Sequence[Document]) -> Chart | None:
    """How often each judge gives a verdict, abstains, or gives no valid answer."""
    plain = [
        row
        for row in rows
        if row["name"] in _COVERED
        and row.get("judge")
        and row.get("value") is not None
        and row.get("level") in (None, "micro")
        and not row.get("criterion")
    ]
    covered = [row for row in plain if row["name"] == "coverage" and row["value"] < 1]
    if not covered:
        return None
    worst = min(covered, key=lambda row: row["value"])
    judges = {row["judge"] for row in covered}
    others = [row for row in plain if row["name"] != "coverage" and row["value"] > 0]
    shown = covered + sorted(
        (row for row in others if row["judge"] in judges),
        key=lambda row: _COVERED.index(row["name"]),
    )
    return {
        "kind": "dot_interval",
        "title": "Coverage, abstentions and invalid verdicts",
        "x_label": "share of items",
        "rows": [
            {
                "label": str(row["judge"]),
                "group": said(row["name"], "agree"),
                **{end: row.get(end) for end in ENDS},
            }
            for row in shown
        ],
        "references": [],
        "rate": True,
        "alt": f"Judges that do not give a verdict on every item; {named(worst['judge'])} does "
        f"on {percent(worst['value'])} of them.",
    }


def _shortened(chart: Chart) -> Chart | None:
    """The first dots of a long chart (or the highest, where it has no order), group by group."""
    rows = list(chart.get("rows", ()))
    if chart.get("kind") not in ("dot_interval", "moves") or len(rows) <= LONG_CHART:
        return None
    groups: dict[Any, list[Document]] = {}
    for row in rows:
        groups.setdefault(row.get("group"), []).append(row)
    blocks = list(groups.values()) if len(groups) * 3 <= len(rows) and _in_blocks(rows) else [rows]
    most = max(OPEN_DOTS // len(blocks), 4)
    kept: list[Document] = []
    ordered = True
    for block in blocks:
        values = [row["value"] for row in block if row.get("value") is not None]
        in_order = chart["kind"] == "moves" or _rising(values) or _rising(values[::-1])
        ordered &= in_order
        kept += (block if in_order else sorted(block, key=_highest_first))[:most]
    which = "first" if ordered else "highest"
    of = f" of each of {len(blocks)} groups" if len(blocks) > 1 else ""
    note = f"The {which} {most}{of} are shown here, {len(rows) - len(kept):,} more below."
    return _noted({**chart, "rows": kept}, note)


def _rising(values: Sequence[float]) -> bool:
    return all(a <= b for a, b in pairwise(values))


def _highest_first(row: Document) -> float:
    return -row["value"] if row.get("value") is not None else float("inf")


def _in_blocks(rows: Sequence[Document]) -> bool:
    groups = [str(row.get("group")) for row in rows]
    return 1 + sum(a != b for a, b in pairwise(groups)) == len(set(groups))


def _kinds(columns: Sequence[str]) -> list[str]:
    """The names that tell how columns are written: ends of an interval as what they are ends of."""
    found: list[str] = []
    for name in columns:
        found.append(found[-1] if name in ("low", "high") and found else name)
    return found


def grid(table: Document, folded: str = "") -> Grid:
    rows = table.get("rows", ())
    notes = list(table.get("notes", ()))
    if len(rows) > MAX_ROWS:
        notes.append(f"{len(rows) - MAX_ROWS:,} more rows are in the JSON document.")
    every = tuple(map(str, table.get("columns", ())))
    columns = every[: MOST_CELLS + 1]
    if len(columns) < len(every):
        notes.append(f"{len(every) - len(columns):,} more columns are in the JSON document.")
    shown = [
        [
            cell(value, None if isinstance(value, str) else text)
            for text, value in zip(column_texts(values, name), values, strict=True)
        ]
        for name, values in zip(_kinds(columns), zip(*rows[:MAX_ROWS], strict=True), strict=False)
    ]
    cells = tuple(zip(*shown, strict=True))
    title = str(table.get("title") or "")
    head = OPEN_ROWS if len(rows) > LONG_TABLE and not folded else None
    return Grid(title, columns, cells, tuple(notes), folded, head)


def cell(value: Any, text: str | None = None) -> Cell:
    """The cell of a value, written as this text where it is given."""
    if text is None:
        text = said(value) if isinstance(value, str) else value_text(value)
    number = float(value) if _is_number(value) else None
    return Cell(text, numeric=number is not None, value=number)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _in_words(value: Any, verb: str, key: str = "") -> Any:
    """A chart with the names of results in its labels as people say them."""
    if isinstance(value, Mapping):
        return {k: _in_words(v, verb, k) for k, v in value.items()}
    if isinstance(value, str):
        return said(value, verb) if key in _LABELS else value
    if isinstance(value, list | tuple) and key in (*_LABELS, "rows", "series", "points", "curves"):
        return [_in_words(one, verb, key) for one in value]
    return value


def chart_grid(chart: Chart) -> Grid:
    """The table behind a picture: every number that it draws."""
    columns, rows = numbers(chart)
    return grid({"title": "", "columns": columns, "rows": rows}, folded=BEHIND)
