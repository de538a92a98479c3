"""The reader's screen: how wide it is, whether it takes colour, and what its last lines say."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import TextIO

from goldassay.rendering.columns import width_of
from goldassay.rendering.ink import Ink

__all__ = ["command_lines", "ink_for", "screen_width"]

NARROWEST, WIDEST = 40, 160


def screen_width() -> int:
    """Cells of a line: the terminal's, those that COLUMNS says, or 100 in a pipe."""
    return max(NARROWEST, min(shutil.get_terminal_size((100, 24)).columns, WIDEST))


def ink_for(stream: TextIO | None = None) -> Ink:
    """Colour on a terminal that has it and whose reader has not said NO_COLOR."""
    stream = sys.stdout if stream is None else stream
    old_console = sys.platform == "win32" and "WT_SESSION" not in os.environ
    refused = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb" or old_console
    return Ink(not refused and stream is not None and stream.isatty())


def command_lines(words: Sequence[str], width: int) -> list[str]:
    """A command line, continued over lines as a shell reads it.

    >>> command_lines(["goldassay", "agree", "ratings.csv"], 18)
    ['goldassay agree \\\\', '  ratings.csv']
    """
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(longer) <= width - 2 or not lines[-1]:
            lines[-1] = longer
        else:
            lines[-1] += " \\"
            lines.append(f"  {word}")
    return lines
