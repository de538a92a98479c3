"""Results as the facts of sentences, the same in every question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.results import Estimate, Result, Undefined

__all__ = ["Named", "by_name", "facts_of", "further", "named_facts", "numbers_of", "value_and_ends"]

Named = Mapping[str, Result]


def by_name(results: Sequence[Result]) -> dict[str, Result]:
    return {result.name: result for result in results}


def numbers_of(result: Result) -> tuple[float | None, float | None, float | None]:
    """A result's value and the ends of its interval; None for what it has not."""
    value = result.value if isinstance(result, Estimate) else None
    ends = result.interval
    return (value, ends.low, ends.high) if ends else (value, None, None)


def value_and_ends(result: Result) -> dict[str, float | None]:
    return dict(zip(("value", "low", "high"), numbers_of(result), strict=True))


def named_facts(result: Result) -> dict[str, Any]:
    return {"name": result.name, **value_and_ends(result)}


def facts_of(result: Result, **more: Any) -> dict[str, Any]:
    """The result that a sentence is about, or why there is none, and what else it says."""
    facts = {**named_facts(result), "n_items": result.n_items}
    if isinstance(result, Undefined):
        facts["undefined"] = result.reason
    return {**facts, **more}


def further(result: Result) -> dict[str, Any]:
    """A further result of a sentence, under its own name."""
    name = result.name
    if isinstance(result, Undefined):
        return {name: None, f"{name}_undefined": result.reason}
    keys = (name, f"{name}_low", f"{name}_high")
    return dict(zip(keys, numbers_of(result), strict=True))
