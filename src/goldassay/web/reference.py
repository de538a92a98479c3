"""What several answers come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

__all__ = ["mode"]


def mode(values: Iterable[str]) -> str | None:
    """The commonest value, or None when there is none or several share the first place.

    >>> mode(["a", "b", "a"]), mode(["a", "b"]), mode([])
    ('a', None, None)
    """
    given = tuple(values)
    if len(given) < 2:  # most units have one rating, and there may be many units
        return given[0] if given else None
    counts = Counter(given).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]
