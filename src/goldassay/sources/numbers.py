"""How a number is written in a cell, and which of them are too large to be a rating."""

from __future__ import annotations

import re

__all__ = ["NUMBER", "is_written_number", "number"]

#: A finite number of at most about 1e199: what is larger is a slip, and its square overflows.
NUMBER = r"^\s*[+-]?(\d{1,100}(?:\.\d*)?|\.\d+)([eE](\+?\d{1,2}|-\d{1,3}))?\s*$"
_NUMBER = re.compile(NUMBER)
_WRITTEN = re.compile(r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$")


def number(text: str) -> float | None:
    """The finite number that a text writes; None where it writes none, or one that is too large.

    >>> number(" 4.50 "), number("four"), number("1e999"), number("9" * 400)
    (4.5, None, None, None)
    """
    return float(text) if _NUMBER.match(text) else None


def is_written_number(text: str) -> bool:
    """Whether a text is digits and no word, however large.

    >>> is_written_number("1e999"), is_written_number("n/a")
    (True, False)
    """
    return _WRITTEN.match(text) is not None
