"""What a log is read into: ratings, rated texts, who the judges are, what was left out, notes."""

from __future__ import annotations

import ast
import hashlib
import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any, Literal, NamedTuple

from goldassay.frozen import dataclass

__all__ = [
    "Judge",
    "LeftOut",
    "Note",
    "Part",
    "Rating",
    "Reading",
    "Text",
    "as_json",
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
    "tags",
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
    #: Further columns, for `--by`: what the log says about the item or the run.
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Who a judge is, as far as the log says; what it does not say is unknown.

    `prompt`, `rubric` and `parameters` may be texts of any length: of long ones the table has a
    digest.
    """

    rater: str
    model: str | None = None
    version: str | None = None
    prompt: str | None = None
    rubric: str | None = None
    parameters: str | None = None
    parser: str | None = None
    realization: str | None = None
    source: str | None = None


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


Part = Rating | Text | Judge | LeftOut | Note


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


def as_json(value: Any) -> Any:
    """A table or list in a cell of a CSV file, written as JSON or as Python prints it;
    else the cell itself.

    >>> as_json('{"a": null}'), as_json("{'a': None}"), as_json("{a"), as_json(3)
    ({'a': None}, {'a': None}, '{a', 3)
    """
    if isinstance(value, str) and value[:1] in ("{", "["):
        for parse in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                return parse(value)
    return value


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


#: A longer text is no tag: nobody counts by it.
LONGEST_TAG = 80


def tags(*records: Any, **named: Any) -> dict[str, str]:
    """Short fields of a log's metadata as columns; tables inside tables and long texts are none.

    A record may be the JSON of one (a cell of a CSV file); a list of short texts is one tag.

    >>> tags({"topic": "law", "tags": ["b", "a"], "deep": {"x": 1}}, '{"level": 2}', epoch=1)
    {'topic': 'law', 'tags': 'a|b', 'level': '2', 'epoch': '1'}
    """
    found: dict[str, str] = {}
    for record in (*map(as_json, records), named):
        for name, value in as_table(record).items():
            several = isinstance(value, list) and all(isinstance(one, str) for one in value)
            read = reading("|".join(sorted(value)) if several else value)
            if name and read.value and len(read.value) <= LONGEST_TAG >= len(str(name)):
                found.setdefault(str(name), read.value)
    return found


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value and "content" in value


def _content(content: Any) -> str:
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def digest(text: str) -> str:
    """A short name for an output: equal texts are one output, rated several times."""
    return hashlib.blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
