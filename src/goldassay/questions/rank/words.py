"""Rankings in words."""

from __future__ import annotations

__all__ = ["ordinal", "place"]


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..., 11th.

    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22, 113)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th']
    """
    ending = (
        "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number}{ending}"


def place(low: int, high: int) -> str:
    """A rank interval: "3rd" or "3rd to 6th"."""
    return ordinal(low) if low == high else f"{ordinal(low)} to {ordinal(high)}"
