"""The part of an answer that may hold a verdict: no thinking, no fence, no quotation."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["COVER", "UnreadableError", "covered", "opened", "quotations"]

COVER = "\ufffc"
#: The shortest stretch that counts as a quotation of the item's text.
QUOTED = 16


class UnreadableError(Exception):
    """The answer has no one verdict; the message is the reason."""


def quotations(text: str, sources: Sequence[str]) -> list[tuple[int, int]]:
    """Stretches of at least `QUOTED` characters of `text` that stand word for word in a source."""
    if len(text) < QUOTED or not sources:
        return []
    spans: list[tuple[int, int]] = []
    at = 0
    while at + QUOTED <= len(text):
        piece = text[at : at + QUOTED]
        length = QUOTED if any(piece in source for source in sources) and piece.strip() else 0
        if not length:
            at += 1
            continue
        while at + length < len(text) and any(
            text[at : at + length + 1] in source for source in sources
        ):
            length += 1
        spans.append((at, at + length))
        at += length
    return spans


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
