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
    "bracketed",
    "fold",
    "folded",
    "known_word",
    "one_verdict",
    "opening",
    "short",
]

BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
#: What denies the verdict that comes next on its line: `not [[MET]]`, `don't think it is [[MET]]`.
_DENIAL = re.compile(
    r"(?:(?<!\bor )\b(?:not|never|nor|neither|cannot|rather than|instead of|nicht|keine?|niet|ikke)"
    r"|n['’]t)"
    r"(?:[ \t]+(?:a|an|the|it|this|that|is|be|been|to|as|yet|even|really|quite|exactly|fully"
    r"|entirely|necessarily|think|believe|say|call|rate|rated|judged|considered|deserve|merit|verdict|answer"
    r"|response|rating|ein|eine|het))*[ \t]*[*_`\"'“(]*$",
    re.IGNORECASE,
)
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


def bracketed(text: str) -> list[str]:
    """The words in `[[ ]]` that a text states. One that denies any of them has no verdict.

    >>> bracketed("Met or not: [[MET]]")
    ['MET']
    """
    found = list(BRACKETS.finditer(text))
    if any(_DENIAL.search(_line_before(text, one.start())) for one in found):
        raise UnreadableError(f"a verdict that is denied: {short(text)}")
    return [one[1] for one in found]


def _line_before(text: str, end: int) -> str:
    return text[max(0, end - 200) : end].rpartition("\n")[2]


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
