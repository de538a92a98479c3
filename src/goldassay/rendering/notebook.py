"""A document in a notebook's cell: the answer, the main picture and the main table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldassay.rendering.html import fragment

__all__ = ["notebook_html"]


def notebook_html(document: Mapping[str, Any]) -> str:
    """What a reader wants to see first; everything else is in the document."""
    tables = dict(list(document["tables"].items())[:1])
    first = {
        "verb": document["verb"],
        "answer": document["answer"][:3],
        "charts": document["charts"][:1],
        "tables": tables,
    }
    return fragment(first)
