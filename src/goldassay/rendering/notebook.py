"""A document in a notebook's cell: the answer, the main picture and the main table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.rendering.charts.alone import standing_alone
from goldassay.rendering.markup import Markup, el
from goldassay.words import value_text, visible

__all__ = ["notebook_html"]

#: What a cell shows of a longer answer and of a longer table.
SENTENCES, ROWS = 3, 12


def notebook_html(document: Mapping[str, Any]) -> Markup:
    """What a reader wants to see first; everything else is in the document."""
    answer = [
        el("p", {"style": "margin:.3em 0;max-width:46em"}, visible(one))
        for one in document["answer"][:SENTENCES]
    ]
    parts = document.get("parts") or [document]
    charts = [chart for part in parts for chart in part["charts"]]
    tables = [table for part in parts for table in part["tables"].values()]
    return el(
        "div",
        {"class": "goldassay"},
        answer,
        standing_alone(charts[0]) if charts else None,
        _table(tables[0]) if tables else None,
        el("p", {"style": "opacity:.7;font-size:.9em"}, _rest(document)),
    )


def _table(table: Mapping[str, Any]) -> Markup:
    rows: Sequence[Sequence[Any]] = table["rows"]
    head = el("tr", None, [el("th", None, visible(name)) for name in table["columns"]])
    body = [
        el("tr", None, [el("td", None, value_text(cell)) for cell in row]) for row in rows[:ROWS]
    ]
    more = f" (the first {ROWS} of {len(rows):,} rows)" if len(rows) > ROWS else ""
    caption = el("caption", None, visible(table["title"]), more)
    return el("table", None, caption, el("thead", None, head), el("tbody", None, body))


def _rest(document: Mapping[str, Any]) -> str:
    sentences = max(len(document["answer"]) - SENTENCES, 0)
    counted = (
        (sentences, "more sentences"),
        (len(document["results"]), "results"),
        (len(document.get("parts", ())), "questions"),
        (len(document["tables"]), "tables"),
        (len(document["charts"]), "pictures"),
    )
    told = ", ".join(f"{number:,} {what}" for number, what in counted if number)
    return f"goldassay {document['verb']}: {told}; .to_frame(), .charts, .save('page.html')"
