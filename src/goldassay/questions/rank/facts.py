"""Estimates as the facts of sentences."""

from __future__ import annotations

from typing import Any

from goldassay.results import Estimate

__all__ = ["ends_of", "estimate_facts"]


def estimate_facts(estimate: Estimate) -> dict[str, Any]:
    """An estimate's name, value and ends."""
    interval = estimate.interval
    return {
        "name": estimate.name,
        "value": estimate.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
    }


def ends_of(estimate: Estimate) -> list[float | None]:
    """An estimate's value and ends."""
    ends = estimate.interval
    return [estimate.value, ends.low if ends else None, ends.high if ends else None]
