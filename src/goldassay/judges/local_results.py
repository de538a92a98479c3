"""Reading what a judge gave that is no chat model: a function, a command, a table, a reward model.

Each gives, for an item, a number, a word, or `{"value", "score", "status", "reason"}`. A word must
be one of the judge's options; a number is a score. Anything else is invalid, as for a model.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

from goldassay.judges.realizations.registry import REALIZATIONS
from goldassay.judges.verdicts import Format, Verdict

__all__ = ["read_result"]


def read_result(form: Format, result: Any) -> dict[str, Verdict]:
    """The verdicts in what a judge gave: one for all criteria, or one by criterion."""
    if form.together and isinstance(result, dict) and set(result) & set(form.criteria):
        return {
            name: _verdict(form, result[name])
            if name in result
            else Verdict("invalid", reason="no verdict for this criterion")
            for name in form.criteria
        }
    return dict.fromkeys(form.criteria, _verdict(form, result))


def _verdict(form: Format, result: Any) -> Verdict:
    if not isinstance(result, dict):
        result = {"value": result}
    status = result.get("status", "rated")
    reason = result.get("reason")
    reason = None if reason is None else str(reason)
    if status in ("abstained", "invalid", "failed"):
        return Verdict(status, reason=reason)
    if status != "rated":
        return Verdict("invalid", reason=f"no such status: {str(status)[:60]!r}")
    value, score = result.get("value"), result.get("score")
    if value is None and score is None:
        return Verdict("abstained", reason=reason or "no value")
    gives = REALIZATIONS[form.realization].gives
    if gives == "number":
        return _real(score if score is not None else value, reason)
    if score is not None and not _finite(score):
        return Verdict("invalid", reason=f"not a finite number: {str(score)[:60]!r}")
    if isinstance(value, bool) and len(form.options) == 2:
        value = form.options[0] if value else form.options[1]
    if str(value).casefold() in {word.casefold() for word in form.abstain}:
        return Verdict("abstained", reason=str(value))
    words = {word.casefold(): word for word in form.options}
    parts = str(value).split("|") if gives == "options" else [str(value)]
    known = [words.get(part.strip().casefold()) for part in parts]
    if None in known or len(set(known)) != len(known):
        return Verdict("invalid", reason=f"no option of this judge: {str(value)[:60]!r}")
    chosen = "|".join(option for option in form.options if option in known)
    return Verdict("rated", chosen, None if score is None else float(score), reason)


def _finite(value: Any) -> bool:
    """Whether a value is a number that a rating can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:  # an integer of hundreds of digits
        return False


def _real(value: Any, reason: str | None) -> Verdict:
    if isinstance(value, str) and value.isascii():
        with suppress(ValueError):
            value = float(value)
    if not _finite(value):
        return Verdict("invalid", reason=f"not a finite number: {str(value)[:60]!r}")
    number = float(value)
    return Verdict(
        "rated", str(int(number)) if number.is_integer() else repr(number), number, reason
    )
