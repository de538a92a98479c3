"""Orders in which labels may stand: those that they say themselves, and known ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from goldassay.ratings.vocabulary import ORDERS

__all__ = ["orders_of"]

#: Labels that say their own place: "1 - poor", "(2) fair", "level 3", "★★☆".
_PLACE = re.compile(r"^[(\[]?(\d+)[)\]]?\s*[-–—:.=)\]]\s*\S|^(?:level|grade|tier|class|l)\s*(\d+)$")
_STARS = re.compile(r"^([★⭐]+)\ufe0f?☆*$")
#: Grades of schools; without an F, letters may be the choices of a question.
_LETTERS = ("f", "d", "c", "b", "a")


def _place(label: str) -> int | None:
    """Where in an order a label says that it stands."""
    if match := _PLACE.match(label):
        return int(match.group(1) or match.group(2))
    match = _STARS.match(label)
    return len(match.group(1)) if match else None


def orders_of(options: Sequence[str]) -> Iterator[Sequence[str]]:
    """The orders in which these options may stand, the surest first."""
    places = {one: _place(one) for one in options}
    if None not in places.values() and len({*places.values()}) == len(options):
        yield sorted(options, key=lambda one: places[one] or 0)
    yield from ORDERS
    if "f" in options:
        yield _LETTERS
