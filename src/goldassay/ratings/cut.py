"""A cut: which numbers count, as ">= 3"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

from goldassay.frozen import dataclass

__all__ = ["Cut"]

_CUT = re.compile(r"^\s*(>=|<=|>|<|≥|≤)\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*$")
_OPPOSITE = {">=": "<", ">": "<=", "<=": ">", "<": ">="}
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class Cut:
    """The numbers on one side of a bound.

    >>> cut = Cut.of(">= 3")
    >>> cut.yes, cut.no, cut.holds(3.0)
    ('>= 3', '< 3', True)
    """

    sign: str
    bound: float

    @classmethod
    def of(cls, text: str) -> Cut | None:
        """The cut that a text says, if it says one."""
        match = _CUT.match(text)
        if match is None:
            return None
        return cls(match.group(1).replace("≥", ">=").replace("≤", "<="), float(match.group(2)))

    def holds(self, number: float) -> bool:
        return _COMPARED[self.sign](number, self.bound)

    @property
    def yes(self) -> str:
        """What is counted, in words."""
        return f"{self.sign} {self.bound:g}"

    @property
    def no(self) -> str:
        """What is not."""
        return f"{_OPPOSITE[self.sign]} {self.bound:g}"
