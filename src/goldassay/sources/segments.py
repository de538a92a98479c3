"""Scores of segments and of systems as the shared tasks on translation metrics publish them.

A line is a system and its score; in a `.seg.score` the n-th line of a system is about the n-th
segment, in a `.sys.score` each system has one line, and is what is rated.
"""

from __future__ import annotations

from typing import Any

from goldassay.sources.engine import named, queried

__all__ = ["segments", "systems"]


def segments(relation: Any) -> Any:
    """System, segment and score, in the order of the lines."""
    system, score = map(named, relation.columns)
    number = f"CAST(row_number() OVER (PARTITION BY {system} ORDER BY line_number) AS VARCHAR)"
    return queried(
        relation,
        lambda rows: (
            f"SELECT {system} AS system, {number} AS segment_id, {score} AS score "
            f"FROM (SELECT *, row_number() OVER () AS line_number FROM {rows}) ORDER BY line_number"
        ),
    )


def systems(relation: Any) -> Any:
    """The system as the item, and its score."""
    system, score = map(named, relation.columns)
    return relation.project(f"{system} AS item, {score} AS score")
