"""Reading a judge's answer: what the format says, or `invalid` with the reason; never a guess.

An answer may open with thinking, stand in a code fence, be emphasised, and go on with prose after
the verdict. Two different verdicts, none, a number off the scale, a cut-off answer: `invalid`.
Stretches that repeat the item's own text are covered before reading (`text.py`), so that a verdict
planted in an item is not read when the judge quotes it.

Change `PARSER` when a reading changes; `goldassay reparse` then reads stored responses again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from goldassay.judges.reading import bracketed, one_verdict, short
from goldassay.judges.realizations.record import Realization, Words
from goldassay.judges.realizations.registry import REALIZATIONS
from goldassay.judges.text import COVER, LONGEST, UnreadableError, covered, opened
from goldassay.judges.verdicts import Answer, Format, Verdict

__all__ = ["PARSER", "read_answer"]

PARSER = 2


def read_answer(form: Format, answer: Answer) -> dict[str, Verdict]:
    """The verdict of every criterion that the call was to answer."""
    try:
        return _read(REALIZATIONS[form.realization], form, answer)
    except UnreadableError as problem:
        reason = str(problem)
        if answer.finish == "length":
            reason = f"cut off at the token limit; {reason}"
        return dict.fromkeys(form.criteria, Verdict("invalid", reason=reason))


def _read(built_in: Realization, form: Format, answer: Answer) -> dict[str, Verdict]:
    if answer.refusal or answer.finish in ("content_filter", "refusal"):
        return dict.fromkeys(form.criteria, Verdict(form.refusals, reason="the judge refused"))
    if form.probabilities and built_in.read_probabilities:
        return dict.fromkeys(form.criteria, built_in.read_probabilities(answer))
    if len(answer.text or "") > LONGEST:
        raise UnreadableError(f"longer than {LONGEST:,} characters")
    text = opened(covered(answer.text or "", answer.quoted))
    if not text.strip(COVER).strip():
        if opened(answer.text or "").strip():
            raise UnreadableError("nothing but a quotation of the item's text")
        raise UnreadableError("empty answer")
    words = built_in.words(form)
    try:
        if form.together:
            return _together(built_in, form, words, text)
        verdict = _single(built_in, form, words, text, cut=answer.finish == "length")
    except UnreadableError as problem:
        if _REFUSAL.match(text):
            return dict.fromkeys(form.criteria, Verdict(form.refusals, reason="the judge refused"))
        if COVER in text:
            raise UnreadableError(f"{problem} outside a quotation of the item's text") from None
        raise
    return dict.fromkeys(form.criteria, verdict)


_REFUSAL = re.compile(
    r"\W*(?:I['’]?\s?a?m (?:very |so |really )?sorry\b|Sorry,|I apologi[sz]e\b|"
    r"I (?:can['’]?t|cannot|can not|won['’]?t|will not|am (?:not able|unable) to|['’]m (?:not able|"
    r"unable) to)\s(?:\w+\s){0,2}?(?:assist|help|comply|provide|rate|judge|evaluate|answer|fulfil|"
    r"continue|engage|do)|I['’]m (?:not able|unable) to\b|As an AI\b)",
    re.IGNORECASE,
)


def _single(built_in: Realization, form: Format, words: Words, text: str, *, cut: bool) -> Verdict:
    found = [built_in.read_value(form, words, value) for value in _json_verdicts(text)]
    if not found:
        return built_in.read(form, words, text, cut)
    found += [built_in.read_word(form, words, inner) for inner in bracketed(text)]
    return one_verdict(found)


# --- JSON


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise UnreadableError("a JSON object that names a verdict twice")
    return dict(pairs)


def _no_constant(name: str) -> Any:
    raise UnreadableError(f"{name} is not a verdict")


#: Judges write line breaks and tabs into strings as they are.
_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant, strict=False)


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects that stand in a text, outermost ones."""
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            found.append(value)
        at = text.find("{", end)
    return found


def _json_verdicts(text: str) -> list[Any]:
    """The values under "verdict" in the answer's JSON objects."""
    if '"verdict"' not in text:
        return []
    return [value["verdict"] for value in _objects(text) if "verdict" in value]


def _together(built_in: Realization, form: Format, words: Words, text: str) -> dict[str, Verdict]:
    """One verdict per criterion, from one JSON object or from lines `name: WORD`."""
    objects = [one for one in _objects(text) if set(one) & set(form.criteria)]
    stated: Mapping[str, list[Any]]
    if objects:
        stated = {name: [one[name] for one in objects if name in one] for name in form.criteria}
    else:
        stated = {name: _lines(name, text) for name in form.criteria}
        if not any(stated.values()):
            raise UnreadableError(f"no criterion's verdict: {short(text)}")
    out: dict[str, Verdict] = {}
    for name, values in stated.items():
        try:
            if not values:
                raise UnreadableError("no verdict for this criterion")
            out[name] = one_verdict([built_in.read_value(form, words, value) for value in values])
        except UnreadableError as problem:
            out[name] = Verdict("invalid", reason=str(problem))
    return out


def _lines(name: str, text: str) -> list[str]:
    pattern = re.compile(
        rf"^[\s*_\-\d.)]*{re.escape(name)}[\s*_]*[:=][\s*_]*(.+?)[\s*_.]*$",
        re.MULTILINE | re.IGNORECASE,
    )
    return [match.strip("[]`\"' ") for match in pattern.findall(text)]
