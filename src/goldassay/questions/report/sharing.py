"""What a report that is passed on holds about people and items, and a report that holds less."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from goldassay.findings import Findings
from goldassay.ratings.table import Ratings

__all__ = ["holds", "without_items"]

#: Columns of tables that name or quote a single item.
OF_ITEMS = frozenset({"item", "prompt", "text", "input", "output", "comment", "reason"})


def without_items(found: Findings) -> Findings:
    """The report without anything about single items: `diff` cannot pair it with another."""
    parts = [
        {**part, "tables": {k: t for k, t in part["tables"].items() if not _of_items(t)}}
        for part in found.more["parts"]
    ]
    return replace(found, more={**found.more, "parts": parts, "units": None})


def holds(found: Findings, ratings: Ratings, pseudonyms: bool) -> list[str]:
    """What is in a report, for whoever passes it on."""
    number = len(ratings.humans)
    people = "1 person" if number == 1 else f"{number:,} people"
    by_name = f"{people} under pseudonyms" if pseudonyms else f"The names of {people}"
    said = [f"{by_name}, as raters." if number else "No rater that is a person."]
    shown = [table for part in found.more["parts"] for table in part["tables"].values()]
    if any(_of_items(table) for table in shown):
        said.append("Names or texts of items, in tables.")
    else:
        said.append("No name and no text of an item.")
    if found.more["units"] is not None:
        said.append(
            "In the JSON document, one character for each verdict under a digest of the item's "
            "name, so that goldassay diff can pair two reports."
        )
    return [*said, "Names of files, without their folders."]


def _of_items(table: Mapping[str, Any]) -> bool:
    return not OF_ITEMS.isdisjoint(table["columns"])
