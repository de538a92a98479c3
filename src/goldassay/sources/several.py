"""Cells that hold several members between separators, as lists (`[file] several`).

`annotations` with `1,0,1` and `several = { annotations = "," }` is the list of the three, whose
members are columns as those of any list are: `annotations.1`, `annotations.2`, `annotations.3`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.errors import SourceError, listed
from goldassay.sources.engine import named, quoted

__all__ = ["with_lists"]


def with_lists(relation: Any, several: Mapping[str, str], place: str) -> Any:
    """The table with the named columns as JSON lists of texts."""
    lacking = [name for name in several if name not in relation.columns]
    if lacking:
        raise SourceError(
            place,
            f"[file] several: must have the columns {listed(lacking)}; it has "
            f"{listed(list(relation.columns)[:8])}",
        )
    cells = [
        f"CAST(to_json(list_transform(string_split({named(name)}, {quoted(several[name])}), "
        f"lambda one: trim(one))) AS VARCHAR) AS {named(name)}"
        if name in several
        else named(name)
        for name in relation.columns
    ]
    return relation.project(", ".join(cells))
