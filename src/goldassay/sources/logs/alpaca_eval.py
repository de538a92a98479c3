"""AlpacaEval's annotations: `annotations.json`, and AlpacaFarm's human cross-annotations.

Read as written by alpaca_eval 0.6 (`instruction`, `output_1`, `output_2`, `generator_1`,
`generator_2`, `annotator`, `preference` from 1 to 2). "first" means that output_1 is preferred; a
preference between the two is decided at 1.5 and kept as the score, the probability that the first
wins. No preference is an invalid rating, which AlpacaEval leaves out. An item is an instruction,
named by a digest of its text; people have an `annotator_index`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from goldassay.sources.logs.parts import (
    LeftOut,
    Part,
    Rating,
    Reading,
    Text,
    as_number,
    as_text,
    digest,
    invalid,
    reading,
    tags,
)
from goldassay.sources.logs.reading import LogFile

__all__ = ["ratings", "recognises"]

#: Preferences this near the middle are ties (AlpacaEval's is 1.5; 0 in its first versions).
TIE = 1e-9


def recognises(log: LogFile) -> bool:
    return {"instruction", "output_1", "output_2", "preference"} <= set(log.first)


#: Annotators that are people, by their names.
_PERSON = re.compile(
    r"(?i)(?:humans?|experts?|crowd\w*|(?:m?turk)?workers?|turkers?|authors?)(?![a-z])"
)


def ratings(log: LogFile) -> Iterator[Part]:
    for one in log.records():
        if isinstance(one, LeftOut):
            yield one
        elif not isinstance(one.get("instruction"), str):
            yield LeftOut("an annotation without an instruction")
        else:
            yield from _of_annotation(one)


def _of_annotation(one: Mapping[str, Any]) -> Iterator[Part]:
    first, second = as_text(one.get("output_1")), as_text(one.get("output_2"))
    asked = "\n\n".join(filter(None, (as_text(one.get("instruction")), as_text(one.get("input")))))
    about: dict[str, Any] = {
        # Files of different judges hold the instructions in different orders, and no number.
        "item": digest(asked),
        "system": as_text(one.get("generator_1")) or "output_1",
        "opponent": as_text(one.get("generator_2")) or "output_2",
        "attempt": digest(f"{first}\0{second}"),
    }
    yield Text(**about, input=asked, output=first, output_b=second)
    person = as_text(one.get("annotator_index"))
    named = as_text(one.get("annotator"))
    human = bool(person) or _PERSON.match(named or "") is not None
    read, score = _preference(as_number(one.get("preference")))
    raw = one.get("raw_completion", one.get("preference_raw_completion"))
    yield Rating(
        **about,
        rater=f"annotator {person}" if person else named,
        kind="human" if human else "judge",
        rater_type="human" if human else "llm",
        **read._asdict(),
        score=score,
        raw=as_text(raw),
        cost=_seconds(one, "price_per_example"),
        latency=_seconds(one, "time_per_example"),
        tags=tags({n: v for n, v in one.items() if n not in _OWN and n[:11] != "preference_"}),
    )


#: What an annotation says of itself; every other short field is told beside it (`dataset`).
_OWN = frozenset(
    [
        *("instruction", "input", "output_1", "output_2", "generator_1", "generator_2"),
        *("annotator", "annotator_index", "preference", "raw_completion", "price_per_example"),
        *("time_per_example", "is_switched_outputs", "referenced_models"),
    ]
)


def _preference(preference: float | None) -> tuple[Reading, float | None]:
    if preference is None or not (preference == 0 or 1 <= preference <= 2):
        return invalid(f"the preference is {preference}"), None
    if preference == 0 or abs(preference - 1.5) <= TIE:
        return reading("tie"), 0.5
    return reading("first" if preference < 1.5 else "second"), 2 - preference


def _seconds(one: Mapping[str, Any], name: str) -> float | None:
    return as_number(one.get(name, one.get(f"preference_{name}")))
