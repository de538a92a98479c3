"""A document's results as CSV: one row per result, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.reference_words import renders
from goldassay.sources.spreadsheet import csv_text

__all__ = ["render_csv"]


@renders
def render_csv(document: Mapping[str, Any]) -> str:
    """All results; an undefined one has no value and the reason in `undefined`."""
    rows = document["results"]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    return csv_text(columns, [[_cell(row.get(name)) for name in columns] for row in rows])


def _cell(value: Any) -> Any:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {item}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return value
