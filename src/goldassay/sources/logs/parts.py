"""What a log is read into: ratings, the texts that were rated, what was left out, and notes."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

__all__ = [
    "LeftOut",
    "Note",
    "Part",
    "Rating",
    "Reading",
    "Text",
    "as_list",
    "as_number",
    "as_table",
    "as_tables",
    "as_text",
    "digest",
    "failed",
    "field_of",
    "invalid",
    "passed",
    "reading",
]

Status = Literal["rated", "abstained", "invalid", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One rating, in the columns of the ratings table.

    `attempt` tells apart several outputs of one system for one item (epochs, repeats, runs): they
    are different things to rate, and become items of their own. `asked` tells apart what logs name
    alike, as the first question of two tasks. `rater` is None where the log does not say who rated.
    """

    item: str
    rater: str | None
    kind: Literal["human", "judge"] = "judge"
    value: str | None = None
    status: Status = "rated"
    reason: str | None = None
    criterion: str | None = None
    system: str | None = None
    opponent: str | None = None
    asked: str = ""
    attempt: str = ""
    prompt: str | None = None
    order: str | None = None
    elicitation: str | None = None
    score: float | None = None
    #: llm, code, human or api, as far as the log says.
    rater_type: str | None = None
    raw: str | None = None
    time: str | None = None
    cost: float | None = None
    latency: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What was rated: the texts of one item and system."""

    item: str
    system: str | None = None
    opponent: str | None = None
    asked: str = ""
    attempt: str = ""
    prompt: str | None = None
    input: str | None = None
    output: str | None = None
    output_b: str | None = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Records of the log that give no rating, and why."""

    reason: str
    records: int = 1


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that a reader of the table must know."""

    sentence: str


Part = Rating | Text | LeftOut | Note


class Reading(NamedTuple):
    """What a recorded value says: the label, its status, and the reason when it is none."""

    value: str | None
    status: Status
    reason: str | None = None


def reading(value: Any) -> Reading:
    """A recorded value as a label; what is no label is invalid, never 0.

    >>> reading(1.0), reading(True).value, reading(float("nan")).status
    (Reading(value='1', status='rated', reason=None), 'true', 'invalid')
    """
    if value is None or value == "":
        return invalid("no value")
    if isinstance(value, bool):
        return Reading("true" if value else "false", "rated")
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            return invalid(f"the value is {value}")
        whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
        return Reading(str(int(value) if whole else value), "rated")
    if isinstance(value, str):
        return Reading(value, "rated")
    return invalid(f"the value is a {'list' if isinstance(value, list) else 'table'}")


def passed(value: Any) -> Reading:
    """A recorded success as pass or fail."""
    if isinstance(value, bool):
        return Reading("pass" if value else "fail", "rated")
    return invalid("neither passed nor failed")


def invalid(reason: str) -> Reading:
    return Reading(None, "invalid", reason)


def failed(reason: str) -> Reading:
    return Reading(None, "failed", reason)


def as_number(value: Any) -> float | None:
    """A finite number, or None. Texts of numbers count (cells of a CSV file)."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_table(value: Any) -> dict[str, Any]:
    """A JSON object; anything else is an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """A JSON list; anything else is an empty one."""
    return value if isinstance(value, list) else []


def as_tables(value: Any) -> list[dict[str, Any]]:
    """The objects of a JSON list."""
    return [one for one in as_list(value) if isinstance(one, dict)]


def field_of(record: Mapping[str, Any], name: str) -> Any:
    """A field by its name in camel case, or by the same name in snake case."""
    snake = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)
    return record.get(name, record.get(snake))


def as_text(value: Any) -> str | None:
    """A field as text: chat messages line by line, other JSON as JSON, nothing as None."""
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float):
        return reading(value).value
    if isinstance(value, list) and value and all(map(_is_message, value)):
        return "\n\n".join(f"{one.get('role')}: {_content(one['content'])}" for one in value)
    return json.dumps(value, ensure_ascii=False)


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value and "content" in value


def _content(content: Any) -> str:
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def digest(text: str) -> str:
    """A short name for an output: equal texts are one output, rated several times."""
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
