"""Names that a number or a letter at their end tells apart: `ann1`, `Rater A`, `score_2`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from goldassay.ratings.vocabulary import plain_name

__all__ = ["differ_in_number", "numbered_name", "numbered_series"]

_NUMBERED = re.compile(
    r"(.+?)[\s_\-.]+(\d+)|(.*[^\W\d_])(\d+)|(\d+)|(.*?[^\W_])[\s_\-.]+([A-Za-z])"
)


def numbered_name(name: str) -> tuple[str, str]:
    """What is numbered, in small letters, and the number or letter; "" where the name has none.

    >>> numbered_name("ann1"), numbered_name("Rater A"), numbered_name("gpt4_2")
    (('ann', '1'), ('rater', 'a'), ('gpt4', '2'))
    >>> numbered_name("fluency"), numbered_name("3")
    (('fluency', ''), ('', '3'))
    """
    text = name.strip().strip("()").casefold()
    match = _NUMBERED.fullmatch(text)
    if match is None:
        return plain_name(text), ""
    found = [one for one in match.groups() if one is not None]
    return ("", found[0]) if len(found) == 1 else (plain_name(found[0]), found[1])


def numbered_series(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """What is numbered -> number -> name, of the names that end in a number or a letter."""
    series: dict[str, dict[str, str]] = {}
    for name in names:
        stem, number = numbered_name(name)
        if number:
            series.setdefault(stem, {})[number] = name
    return series


def differ_in_number(names: Sequence[str]) -> bool:
    """Whether names are one with a number or a letter each.

    >>> differ_in_number(["ann_1", "ann_2"]), differ_in_number(["ann", "ann_2"])
    (True, False)
    """
    series = numbered_series(names)
    return len(series) == 1 and len(next(iter(series.values()))) == len(names)
