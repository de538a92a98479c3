"""Names in drawings: shortened in the middle where they are long, and never two of them alike."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.frozen import dataclass
from goldassay.rendering.columns import shortened
from goldassay.words import clipped, text_width, visible

__all__ = ["Name", "fitted"]

#: Characters of a name that are looked at, and the fewest that a shortened one keeps.
LONGEST, FEWEST = 200, 4


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is drawn, and whole for its tooltip."""

    shown: str
    whole: str


def fitted(names: Sequence[object], room: float, size: float) -> list[Name]:
    """Names that take at most `room` pixels at font size `size`, as different as they were."""
    whole = [visible(name, LONGEST) for name in names]
    return [Name(*pair) for pair in zip(_shown(whole, room, size), whole, strict=True)]


def _shown(whole: Sequence[str], room: float, size: float) -> Sequence[str]:
    if all(text_width(name, size) <= room for name in whole):
        return whole
    longest = max(len(name) for name in whole)
    for cells in range(min(longest, int(room / (0.38 * size))), FEWEST - 1, -1):
        short = shortened(whole, cells)
        if short and all(text_width(name, size) <= room for name in short):
            return short
    return [clipped(name, room, size) for name in whole]
