"""Pieces of reading that several realizations share: brackets, labels, words, two verdicts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goldassay.judges.text import COVER, UnreadableError
from goldassay.judges.verdicts import Verdict

__all__ = [
    "BRACKETS",
    "EDGES",
    "LABEL",
    "fold",
    "folded",
    "known_word",
    "one_verdict",
    "opening",
    "short",
]

BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
#: What may stand around a verdict that is a whole line.
EDGES = " \t\r\n*_`\"'“”‘’.!,;:()[]#>-"
LABEL = re.compile(
    r"^[\s*_#>-]*(?:(?:my|the|final|overall)\s+)*(?:rating|score|verdict|answer|judge?ment|choice)"
    r"(?:\s*\((?:0\s*[-–]\s*100|yes/no)\))?[\s*_]*(?:[:=]|\bis\b:?)[\s*_]*",
    re.IGNORECASE,
)


def fold(text: str) -> str:
    """A word as it is compared: no blanks, underscores or hyphens, and no case."""
    return re.sub(r"[\s_-]+", "", text).casefold()


def folded(words: Mapping[str, Verdict]) -> dict[str, Verdict]:
    return {fold(word): verdict for word, verdict in words.items()}


def short(text: str, limit: int = 60) -> str:
    """A piece of an answer for a message: one line, quoted, bounded."""
    text = " ".join(text.replace(COVER, "").split())
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def opening(text: str) -> str:
    """The text without a label ("Rating:") and signs of emphasis before its first word."""
    return LABEL.sub("", text, count=1).lstrip("*_`\"'“‘([ \t\n")


def known_word(words: Mapping[str, Verdict], text: str) -> Verdict:
    """The verdict that one word states."""
    verdict = folded(words).get(fold(text))
    if verdict is None:
        raise UnreadableError(f"no verdict of this judge: {short(text)}")
    return verdict


def one_verdict(found: Sequence[Verdict]) -> Verdict:
    """The verdict that all of them state."""
    distinct = {(verdict.status, verdict.value) for verdict in found}
    if len(distinct) > 1:
        values = " and ".join(sorted(str(value) for _, value in distinct))
        raise UnreadableError(f"two verdicts ({values})")
    return found[0]
