"""Results as the facts of sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.results import Estimate, Result, Undefined

__all__ = ["Named", "by_name", "facts_of", "further"]

Named = Mapping[str, Result]


def by_name(results: Sequence[Result]) -> dict[str, Result]:
    return {result.name: result for result in results}


def ends_of(result: Result) -> tuple[float | None, float | None]:
    return (result.interval.low, result.interval.high) if result.interval else (None, None)


def facts_of(result: Estimate, **more: Any) -> dict[str, Any]:
    """The result that a sentence is about, and what else it says."""
    low, high = ends_of(result)
    facts = {"name": result.name, "value": result.value, "low": low, "high": high}
    return {**facts, "n_items": result.n_items, **more}


def further(result: Result) -> dict[str, Any]:
    """A further result of a sentence, under its own name."""
    low, high = ends_of(result)
    name = result.name
    if isinstance(result, Undefined):
        return {name: None, f"{name}_undefined": result.reason}
    return {name: result.value, f"{name}_low": low, f"{name}_high": high}
