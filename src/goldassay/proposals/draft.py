"""A drafted task: what was assumed, what is asked, and what only a person can say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from goldassay.errors import RatingsError

__all__ = ["Draft", "Missing", "Weight"]


class Weight(IntEnum):
    """How much hangs on an assumption; those that change conclusions most come first."""

    DRAWN = 0
    WHO = 1
    POSITIVE = 2
    MEANING = 3
    OPTIONS = 4
    COLUMNS = 5
    UNITS = 6


@dataclass(frozen=True, slots=True)
class Missing:
    """What cannot be guessed: the question, and the two likeliest answers as lines of a task."""

    question: str
    answers: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.question} {' or '.join(self.answers)}"


@dataclass
class Draft:
    """A task put together piece by piece, with the doubts to put before a person."""

    task: dict[str, Any] = field(default_factory=dict)
    _assumed: list[tuple[Weight, str]] = field(default_factory=list)
    #: Readings that are possible but unlikely, and were not taken.
    questions: list[str] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)

    def assume(self, weight: Weight, text: str) -> None:
        self._assumed.append((weight, text))

    def take_back(self, text: str) -> None:
        """Forget an assumption that another took the place of."""
        self._assumed = [(weight, said) for weight, said in self._assumed if said != text]

    def ask(self, question: str) -> None:
        self.questions.append(question)

    def lack(self, question: str, *answers: str) -> None:
        self.missing.append(Missing(question, answers))

    def rename(self, names: Mapping[str, str]) -> None:
        """Put other names into what was said."""
        pattern = re.compile("|".join(map(re.escape, names)))

        def renamed(text: str) -> str:
            return pattern.sub(lambda match: names[match[0]], text)

        self._assumed = [(weight, renamed(text)) for weight, text in self._assumed]
        self.questions = [renamed(text) for text in self.questions]
        self.missing = [Missing(renamed(one.question), one.answers) for one in self.missing]

    @property
    def assumed(self) -> tuple[str, ...]:
        """One line for each guess, those that change conclusions first."""
        ordered = sorted(self._assumed, key=lambda one: one[0])
        return tuple(text for _, text in ordered)

    def refusal(self, place: str) -> RatingsError:
        """What only a person can say, as an error."""
        first = self.missing[0]
        more = f" (and {len(self.missing) - 1} more)" if len(self.missing) > 1 else ""
        question = first.question.rstrip("? .")
        if first.answers and first.answers[0].startswith("--"):  # an option, and no line of a task
            step = f"Add {' or '.join(first.answers)}"
        elif first.answers and "=" not in first.answers[0]:  # something to do with the table
            said = " or ".join(first.answers)
            step = f"{said[:1].upper()}{said[1:]}"
        else:
            step = f"Write into a task file: {' or '.join(first.answers)}"
        return RatingsError(
            place,
            f"this cannot be guessed{more}: {question[:1].lower()}{question[1:]}",
            next_step=f"{step}; --write-task task.toml drafts the rest",
        )

    def to_toml(self) -> str:
        """TOML with the assumptions and questions as comments, and the open lines marked."""
        lines = [
            "# Drafted by goldassay from the table. Read every line: it says what numbers mean."
        ]
        lines += [f"# assumed: {_one_line(line)}" for line in self.assumed]
        lines += [f"# ? {_one_line(question)}" for question in self.questions]
        for one in self.missing:
            lines.append(f"# OPEN: {_one_line(one.question)} Write one of:")
            lines += [f"#   {_one_line(answer)}" for answer in one.answers]
        lines.append("")
        tables: list[str] = []
        for key, value in self.task.items():
            if isinstance(value, Mapping):
                tables += _table(key, value)
            else:
                lines.append(f"{key} = {_value(value)}")
        return "\n".join(lines + tables) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _value(value: Any) -> str:
    """A value of TOML: JSON's own writing, which is the same for texts, numbers and lists."""
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    plain = key.replace("_", "").replace("-", "")
    return key if plain.isascii() and plain.isalnum() else _value(key)


def _table(key: str, value: Mapping[str, Any]) -> list[str]:
    """A table and the tables in it."""
    plain = {k: v for k, v in value.items() if not isinstance(v, Mapping)}
    lines = ["", f"[{key}]"] if plain or not value else []
    lines += [f"{_key(k)} = {_value(v)}" for k, v in plain.items()]
    for inner, content in value.items():
        if isinstance(content, Mapping):
            cells = ", ".join(f"{_key(k)} = {_value(v)}" for k, v in content.items())
            lines += [] if lines else ["", f"[{key}]"]
            lines.append(f"{_key(inner)} = {{ {cells} }}")
    return lines
