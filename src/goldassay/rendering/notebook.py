"""A document in a notebook's cell: the answer, the main picture and the summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.reference_words import renders
from goldassay.rendering.charts.alone import standing_alone
from goldassay.rendering.markup import Markup, el, inline
from goldassay.rendering.summary import Seen, summary_of
from goldassay.rendering.text import SENTENCES, held
from goldassay.words import visible

__all__ = ["notebook_html"]

#: What a cell shows of a longer table.
ROWS = 12


@renders
def notebook_html(document: Mapping[str, Any]) -> Markup:
    """What a reader wants to see first; everything else is in the document."""
    answer = [
        el("p", {"style": "margin:.3em 0;max-width:46em"}, inline(visible(one)))
        for one in document["answer"][:SENTENCES]
    ]
    parts = document.get("parts") or [document]
    charts = [chart for part in parts for chart in part["charts"]]
    seen = summary_of(document, ROWS)
    return el(
        "div",
        {"class": "goldassay"},
        answer,
        standing_alone(charts[0]) if charts else None,
        _table(seen) if seen else None,
        el("p", {"style": "opacity:.7;font-size:.9em"}, held(document)),
    )


def _table(seen: Seen) -> Markup:
    head = el("tr", None, [el("th", None, name) for name in (seen.about, *seen.heads)])
    body = [
        el("tr", None, [el("td", None, text) for text in (label, *cells)])
        for label, *cells in zip(seen.labels, *seen.columns, strict=True)
    ]
    more = el("caption", None, f"and {seen.more:,} more") if seen.more else None
    return el("table", None, more, el("thead", None, head), el("tbody", None, body))
