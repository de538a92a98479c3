"""A result as the facts of a sentence."""

from __future__ import annotations

from typing import Any

from goldassay.results import Estimate, Result, Undefined

__all__ = ["facts_of"]


def facts_of(result: Result) -> dict[str, Any]:
    """What a sentence says of a result: its name, value, ends and items, or why it has none."""
    interval = result.interval
    return {
        "name": result.name,
        "value": result.value if isinstance(result, Estimate) else None,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "n_items": result.n_items,
        "undefined": result.reason if isinstance(result, Undefined) else None,
    }
