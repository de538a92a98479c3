"""Bold, dim and colour: on a terminal that wants them, and nowhere else."""

from __future__ import annotations

from goldassay.frozen import dataclass
from goldassay.words import NAMED

__all__ = ["PLAIN", "Ink"]


@dataclass(frozen=True, slots=True)
class Ink:
    """How words are set apart: by escape sequences, or by the backticks they already have.

    >>> Ink(True).bold("yes"), Ink().bold("yes"), Ink().names("`gpt` is strict")
    ('\\x1b[1myes\\x1b[0m', 'yes', '`gpt` is strict')
    """

    colour: bool = False

    def bold(self, text: str) -> str:
        return self._set("1", text)

    def dim(self, text: str) -> str:
        return self._set("2", text)

    def red(self, text: str) -> str:
        return self._set("31", text)

    def green(self, text: str) -> str:
        return self._set("32", text)

    def names(self, text: str, *, bold: bool = False) -> str:
        """Prose whose names are set apart, and perhaps all of it in bold."""
        if not self.colour:
            return text
        on = "\x1b[1m" if bold else ""
        coloured = NAMED.sub(lambda name: f"\x1b[36m{name.group(1)}\x1b[39m", text)
        return f"{on}{coloured}\x1b[0m" if bold else coloured

    def _set(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


PLAIN = Ink()
