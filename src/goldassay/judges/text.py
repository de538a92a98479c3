"""The part of an answer that may hold a verdict: no thinking, no fence, no quotation."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["COVER", "LONGEST", "UnreadableError", "covered", "opened", "quotations"]

COVER = "\ufffc"
#: The shortest stretch that counts as a quotation of the item's text.
QUOTED = 16
#: The longest answer that is read, in characters: some 50,000 tokens.
LONGEST = 200_000


class UnreadableError(Exception):
    """The answer has no one verdict; the message is the reason."""


def quotations(text: str, sources: Sequence[str]) -> list[tuple[int, int]]:
    """Stretches of at least `QUOTED` characters of `text` that stand word for word in a source."""
    if not QUOTED <= len(text) <= LONGEST:
        return []
    starts = {source[i : i + QUOTED] for source in sources for i in range(len(source) - QUOTED + 1)}
    spans: list[tuple[int, int]] = []
    at = 0
    while starts and at + QUOTED <= len(text):
        piece = text[at : at + QUOTED]
        if piece not in starts or not piece.strip():
            at += 1
            continue
        length = _longest(text, at, sources)
        spans.append((at, at + length))
        at += length
    return spans


def _longest(text: str, at: int, sources: Sequence[str]) -> int:
    """How far a quotation goes that begins at `at`: doubled while it holds, then halved."""
    most = len(text) - at
    low, high = QUOTED, min(2 * QUOTED, most)
    while high < most and _stands(text[at : at + high], sources):
        low, high = high, min(2 * high, most)
    if _stands(text[at : at + high], sources):
        return high
    while high - low > 1:  # `low` characters stand in a source, `high` do not
        middle = (low + high) // 2
        if _stands(text[at : at + middle], sources):
            low = middle
        else:
            high = middle
    return low


def _stands(piece: str, sources: Sequence[str]) -> bool:
    return any(piece in source for source in sources)


def covered(text: str, quoted: Sequence[tuple[int, int]]) -> str:
    """The text with its quotations covered, so that no verdict is read in them."""
    for start, end in quoted:
        text = text[:start] + COVER * (end - start) + text[end:]
    return text


_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
_END_THINKING = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_CHANNELS = re.compile(r"^.*<\|channel\|>final<\|message\|>", re.DOTALL)
_FENCE = re.compile(r"^```[\w-]*[ \t]*\n(.*?)\n?```$", re.DOTALL)


def opened(text: str) -> str:
    """The answer without thinking, and without a code fence that holds all of it."""
    text = _THINKING.sub("", _CHANNELS.sub("", text))
    text = _END_THINKING.sub("", text)  # a template may swallow the opening tag
    if _OPEN_THINKING.search(text) or text.lstrip().startswith("<|channel|>analysis"):
        raise UnreadableError("the answer ends while thinking")
    text = re.sub(r"<\|(?:im_end|eot_id|end|return|endoftext)\|>\s*$", "", text).strip()
    fence = _FENCE.match(text)
    return fence.group(1).strip() if fence else text
