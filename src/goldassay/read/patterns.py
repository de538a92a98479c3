"""Names with `*`, `?` and `{name}`: what they fit, and what they keep.

Levels of a name (the keys on the way to a value) are joined by `LEVEL`; no part of a pattern fits
across one, but a dot in it fits one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

__all__ = [
    "KINDS",
    "LEVEL",
    "ROLES",
    "captured",
    "fits",
    "fixed",
    "is_pattern",
    "joined",
    "matched",
]

KINDS = ("human", "judge", "reference")
ROLES = ("item", "rater", "criterion", "system", "opponent")
#: Between the levels of a name.
LEVEL = "\0"
_PART = re.compile(r"(\{\w+\}|[*?.])")
_WILD = re.compile(r"[*?]|\{\w+\}")

Captured = Mapping[str, tuple[str, ...]]


def is_pattern(text: str) -> bool:
    """Whether a text fits more than itself."""
    return bool(_WILD.search(text))


def fixed(text: str) -> str:
    """The text of a pattern that is not wild.

    >>> fixed("ann{rater}_*")
    'ann_'
    """
    return _WILD.sub("", text)


@cache
def _compiled(text: str) -> re.Pattern[str]:
    out, times = "", dict[str, int]()
    for part in _PART.split(text):
        if len(part) > 1 and _WILD.fullmatch(part):
            name = part[1:-1]
            times[name] = times.get(name, 0) + 1
            out += f"(?P<{name}__{times[name]}>[^\0]+?)"
        else:
            out += {"*": "[^\0]*", "?": "[^\0]", ".": "[.\0]"}.get(part) or re.escape(part)
    return re.compile(out + r"\Z", re.DOTALL)


def captured(text: str, pattern: str) -> Captured | None:
    """What the `{name}`s of a pattern keep of a text; None where it does not fit. One that is
    written twice keeps two parts, and `{human}` and `{judge}` keep raters.

    >>> captured("ann1_fluency", "ann{rater}_{criterion}")
    {'rater': ('1',), 'criterion': ('fluency',)}
    >>> captured("q1", "a*") is None
    True
    """
    match = _compiled(pattern).match(text)
    if match is None:
        return None
    kept: dict[str, tuple[str, ...]] = {}
    for group, part in match.groupdict().items():
        name = group.rpartition("__")[0]
        name = "rater" if name in KINDS else name
        kept[name] = (*kept.get(name, ()), part)
    return kept


def fits(text: str, pattern: str) -> bool:
    """Whether a text is what a pattern says."""
    return _compiled(pattern).match(text) is not None


def matched(texts: Iterable[str], pattern: str) -> dict[str, Captured]:
    """The texts that a pattern fits, with what it keeps of each."""
    found = ((text, captured(text, pattern)) for text in texts)
    return {text: kept for text, kept in found if kept is not None}


def joined(parts: Iterable[str]) -> str:
    """The parts that a name written twice keeps, as one text."""
    return "-".join(parts)
