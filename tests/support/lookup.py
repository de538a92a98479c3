"""Looking up what must be there: no row, or two where one is meant, is a failure and not a pass."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

__all__ = ["only", "some"]

T = TypeVar("T")


def some(found: Iterable[T], what: object = "") -> list[T]:
    """All that was found, of which there must be some: a loop over nothing asserts nothing.

    >>> some(x for x in (1, 2, 3) if x > 1)
    [2, 3]
    """
    held = list(found)
    assert held, f"nothing was found {what}".rstrip()
    return held


def only(found: Any, name: str, **about: object) -> Any:
    """The one result of a name in what a question found; none or two fail."""
    rows = found.rows_where(name=name, **about)
    assert len(rows) == 1, f"{name} {about}: {len(rows)} rows, of {some(found.rows)[0].about}"
    return rows[0].result
