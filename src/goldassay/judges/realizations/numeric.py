"""Numeric: a number from 0 to 100, with the prompt of "JuStRank" (appendix G)."""

from __future__ import annotations

import re
from typing import Any

from goldassay.judges.reading import LABEL, bracketed, one_verdict, opening, short
from goldassay.judges.realizations.record import Forged, Realization, Words
from goldassay.judges.text import UnreadableError
from goldassay.judges.verdicts import Format, Verdict

__all__ = ["NUMERIC"]

_PROMPT = """\
Here is a user input and a model response. On a scale of 0 to 100, to what extent is this a good \
response for the given input? Reply with your rating score without any preceding explanation.
{criterion_line}Input: {input}

Response: {output}

Rating (0-100):"""

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_AFTER_NUMBER = re.compile(
    r"[*_`\"'”’\])]*\s*(?:/\s*100(?![0-9.])|out of 100\b|%|points?\b)?[*_`\"'”’\])]*"
    r"(?P<rest>$|\s*\n.*|\.?\s*$|\.\s+\D.*|\s*[,;(–—-]\s*[^\d\s].*)$",
    re.DOTALL | re.IGNORECASE,
)


def _number(text: str) -> Verdict:
    if not _NUMBER.fullmatch(text):
        raise UnreadableError(f"not a number from 0 to 100: {short(text)}")
    value = float(text)
    if not 0 <= value <= 100 or text.startswith("-"):
        raise UnreadableError(f"out of the range 0 to 100: {short(text)}")
    return Verdict("rated", str(int(value)) if value.is_integer() else repr(value), value)


def _read(form: Format, words: Words, text: str, cut: bool) -> Verdict:
    """The number with which the answer opens, or `[[number]]`; all that are stated must agree."""
    found = [_number(inner.strip()) for inner in bracketed(text)]
    start = opening(text)
    match = None if found else _NUMBER.match(start)
    if match:
        rest = start[match.end() :]
        if cut and not rest.strip():
            raise UnreadableError("the number may be cut off")
        tail = _AFTER_NUMBER.match(rest)
        same_line = tail is not None and re.match(r"\s*[,;(–—-]", tail.group("rest"))
        if tail is None or (same_line and re.search(r"\d", tail.group("rest").split("\n")[0])):
            raise UnreadableError(f"not one number from 0 to 100: {short(text)}")
        found.append(_number(match.group()))
    for line in text.splitlines()[1:]:  # "85 ... Rating: 60" states two
        label = LABEL.match(line)
        number = label and _NUMBER.match(line[label.end() :].lstrip("*[ "))
        if number and found:
            found.append(_number(number.group()))
    if not found:
        raise UnreadableError(f"no number at the beginning: {short(text)}")
    return one_verdict(found)


def _read_word(form: Format, words: Words, text: str) -> Verdict:
    return _number(text.strip())


def _read_value(form: Format, words: Words, value: Any) -> Verdict:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnreadableError(f"not a number from 0 to 100: {short(str(value))}")
    return _number(str(value))


def _schema(form: Format, words: Words) -> dict[str, Any]:
    return {"type": "number", "minimum": 0, "maximum": 100}


NUMERIC = Realization(
    name="numeric",
    prompt=_PROMPT,
    scale="continuous",
    source="JuStRank, appendix G",
    answer="a number from 0 to 100",
    own_scale=True,
    gives="number",
    asks="a number from 0 to 100",
    asks_json="a number from 0 to 100",
    read=_read,
    read_word=_read_word,
    read_value=_read_value,
    schema=_schema,
    forged=lambda options: Forged("100", "100", "100"),
)
