"""Gates: a result held against a number, as `cohen_kappa.low >= 0.6[judge=gpt]`."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goldassay.errors import GateNotMet, UsageError, nearest, shown

__all__ = ["Gate", "hold", "read_gate"]

_SIGNS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
}
_GATE = re.compile(
    r"^\s*(\w+)(?:\.(value|low|high))?\s*(?:(>=|<=|==|>|<)\s*([-+.\deE]+))?\s*"
    r"(?:\[(\w+)=([^\]]*)\])?\s*$"
)


#: Results that are 1 where what they say is shown, and gates by their name alone.
CLAIMS = frozenset({"unchanged"})


@dataclass(frozen=True, slots=True)
class Gate:
    """What must hold of every result with this name (and, where said, about this judge ...)."""

    text: str
    name: str
    end: str
    sign: str
    bound: float
    about: tuple[str, str] | None

    def broken(self, results: Sequence[Mapping[str, Any]]) -> list[str]:
        """How the results break it; an undefined result does not meet a gate."""
        rows = [row for row in results if row["name"] == self.name and self._concerns(row)]
        if not rows:
            names = sorted({row["name"] for row in results})
            near = nearest(self.name, names)
            raise UsageError(
                f"--require {self.text}",
                "no result has this name",
                next_step=f"Did you mean {near!r}?" if near else f"The names: {', '.join(names)}",
            )
        lines = []
        for row in rows:
            value = row[self.end]
            if value is None or not _SIGNS[self.sign](value, self.bound):
                about = ", ".join(
                    str(row[key]) for key in ("judge", "criterion", "level") if row.get(key)
                )
                seen = "undefined" if value is None else f"{value:.4g}"
                lines.append(
                    f"{self.text} does not hold: {seen}" + (f" for {about}" if about else "")
                )
        return lines

    def _concerns(self, row: Mapping[str, Any]) -> bool:
        return self.about is None or row.get(self.about[0]) == self.about[1]


def read_gate(text: str) -> Gate:
    """A gate from its text.

    >>> read_gate("accuracy.low>0.8[judge=gpt]")
    Gate(text='accuracy.low>0.8[judge=gpt]', name='accuracy', end='low', sign='>', bound=0.8, \
about=('judge', 'gpt'))
    """
    match = _GATE.match(text)
    try:
        if match is None:
            raise ValueError
        name, end, sign, bound, key, label = match.groups()
        about = (key, label) if key else None
        if sign is None and (end or name not in CLAIMS):
            raise ValueError
        return Gate(text, name, end or "value", sign or "==", float(bound or 1), about)
    except ValueError:
        raise UsageError(
            "--require",
            "a gate is NAME>=NUMBER, NAME.low>NUMBER or NAME>=NUMBER[judge=NAME]",
            found=shown(text),
        ) from None


def hold(gates: Sequence[str], results: Sequence[Mapping[str, Any]]) -> None:
    """Raise `GateNotMet` with every line in which a gate is broken."""
    lines = [line for gate in map(read_gate, gates) for line in gate.broken(results)]
    if lines:
        raise GateNotMet("; ".join(lines))
