"""From where to where numbers go: by the cells, and by what a column's name says of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from goldassay.ratings.vocabulary import number

__all__ = ["apart", "named_range", "ranges"]

#: "Score (1-10)", "quality [0 to 4]", "fluency_1_5", "Score on a 1-5 scale". A lone end ("out of
#: 5") does not say whether the other is 0 or 1.
_ENDS = re.compile(
    r"[(\[]\s*(\d{1,3})\s*(?:-|–|—|\.\.|to)\s*(\d{1,3})\b[^)\]]*[)\]]"
    r"|_(\d)_(?:to_)?(\d{1,2})$"
    r"|\b(\d{1,2})\s*(?:-|–|to)\s*(\d{1,3})\s+scale\b",
    re.IGNORECASE,
)


def named_range(name: str) -> tuple[float, float] | None:
    """The ends of the scale that a name tells.

    >>> named_range("QA Score (1-10)"), named_range("quality [0 to 4]"), named_range("fluency_1_5")
    ((1.0, 10.0), (0.0, 4.0), (1.0, 5.0))
    >>> named_range("human"), named_range("Q3 (2024-05)")
    (None, None)
    """
    match = _ENDS.search(name)
    if not match:
        return None
    low, high = (float(one) for one in match.groups() if one is not None)
    return (low, high) if low <= 1 < high else None


def ranges(labels: Mapping[str, Iterable[str]]) -> dict[str, tuple[float, float]]:
    """The smallest and the largest number of each rater that gave one."""
    found = {}
    for rater, given in labels.items():
        values = [v for label in given if (v := number(label)) is not None]
        if values:
            found[rater] = (min(values), max(values))
    return found


def apart(found: Mapping[str, tuple[float, float]]) -> bool:
    """Whether raters seem to use scales of different lengths."""
    tops = [high for _, high in found.values()]
    return max(tops) > 1.9 * max(min(tops), 1e-9)
