"""A drafted task: what was assumed, what is asked, and what only a person can say."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import field
from enum import IntEnum
from itertools import takewhile
from typing import Any

from goldassay.errors import RatingsError
from goldassay.frozen import dataclass
from goldassay.proposals.declared import NOTHING, Declared, merged
from goldassay.sources.opening import read_bytes
from goldassay.sources.toml import dotted, lines_to_add

__all__ = ["Answer", "Draft", "Missing", "OpenQuestionError", "Weight"]

#: Part of a task; else an option of the command, or what to do with the table, in words.
Answer = str | Mapping[str, Any]


class OpenQuestionError(RatingsError):
    """What only a person can say of a table."""

    #: The answers that are options of the command, in the order in which they are told.
    options: tuple[str, ...] = ()

    def as_command(self, words: Sequence[str]) -> str:
        """The message with the first answer as the whole command that gives it, where `words` is
        the command that asked; what comes by a pipe cannot be asked again."""
        if not self.options or "-" in words:
            return str(self)
        first, *rest = self.options
        kept = [one for one in words if not one.startswith("--task=")]
        if "--task" in kept:  # its words are in the answer
            at = kept.index("--task")
            del kept[at : at + 2]
        text = str(self).replace(f"Add {first}", f"Run goldassay {shlex.join(kept)} {first}", 1)
        return text.replace(f"{first} or {rest[0]}", f"{first} or with {rest[0]}") if rest else text


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
    """What cannot be guessed: the question, and the two likeliest answers.

    >>> str(Missing("Which column names the item?", ({"columns": {"item": "id"}},)))
    'Which column names the item? columns.item = "id"'
    """

    question: str
    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        return f"{self.question} {' or '.join(map(_written, self.answers))}"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question whose answer changes the reading, and is not waited for."""

    text: str
    #: What to declare if it is so.
    answer: Mapping[str, Any] | None
    #: Columns of which it says that they are not read.
    left_out: tuple[str, ...]

    def __str__(self) -> str:
        return self.text if self.answer is None else f"{self.text}: {_written(self.answer)}"


@dataclass
class Draft:
    """A task put together piece by piece, with the doubts to put before a person."""

    task: dict[str, Any] = field(default_factory=dict)
    _assumed: list[tuple[Weight, str]] = field(default_factory=list)
    #: Readings that are possible but unlikely, and were not taken.
    _asked: list[_Asked] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)
    #: What a task says already.
    declared: Declared = NOTHING
    #: Folded words for "no rating" that are options here.
    options_too: frozenset[str] = frozenset()

    def copied(self) -> Draft:
        """A draft that begins where this one stands, and changes nothing of it."""
        return deepcopy(self)

    def assume(self, weight: Weight, text: str) -> None:
        self._assumed.append((weight, text))

    def take_back(self, text: str) -> None:
        """Forget an assumption that another took the place of."""
        self._assumed = [(weight, said) for weight, said in self._assumed if said != text]

    def forget_since(self, before: Draft, *weights: Weight) -> None:
        """Forget what was assumed of these weights, and asked, since a draft was as `before`."""
        self._asked = [one for one in self._asked if one in before._asked]
        self._assumed = [
            one for one in self._assumed if one in before._assumed or one[0] not in weights
        ]

    def ask(
        self,
        question: str,
        answer: Mapping[str, Any] | None = None,
        *,
        left_out: Iterable[str] = (),
    ) -> None:
        """Put a question; `answer` is what to declare if it is so, and `left_out` are columns of
        which it says that they are not read."""
        asked = _Asked(question, answer, tuple(left_out))
        if asked not in self._asked:
            self._asked.append(asked)

    @property
    def questions(self) -> list[str]:
        """Readings that are possible but unlikely, and were not taken."""
        return list(map(str, self._asked))

    @property
    def offered(self) -> list[Mapping[str, Any]]:
        """Parts of a task that questions offer, should it be as they ask."""
        return [one.answer for one in self._asked if one.answer is not None]

    def settle(self, taken: Iterable[str]) -> None:
        """Forget questions about columns left out that have a place after all."""
        placed = set(taken)
        self._asked = [
            one for one in self._asked if not one.left_out or not placed.issuperset(one.left_out)
        ]

    def lack(self, question: str, *answers: Answer) -> None:
        self.missing.append(Missing(question, answers))

    def rename(
        self, names: Mapping[str, str], part: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    ) -> None:
        """Put other names of columns into what was said, and by `part` into parts of a task."""
        pattern = re.compile("|".join(re.escape(f"`{name}`") for name in names))

        def renamed(text: str) -> str:
            return pattern.sub(lambda match: f"`{names[match[0][1:-1]]}`", text)

        self._assumed = [(weight, renamed(text)) for weight, text in self._assumed]
        self._asked = [
            _Asked(renamed(one.text), one.answer and part(one.answer), one.left_out)
            for one in self._asked
        ]
        self.missing = [
            Missing(
                renamed(one.question),
                tuple(said if isinstance(said, str) else part(said) for said in one.answers),
            )
            for one in self.missing
        ]

    @property
    def assumed(self) -> tuple[str, ...]:
        """One line for each guess, those that change conclusions first."""
        ordered = sorted(self._assumed, key=lambda one: one[0])
        return tuple(text for _, text in ordered)

    def refusal(self, place: str) -> OpenQuestionError:
        """What only a person can say, as an error; each answer can be pasted as it is."""
        first = self.missing[0]
        more = f" (and {len(self.missing) - 1} more)" if len(self.missing) > 1 else ""
        question = first.question.rstrip("? .")
        said = " or ".join(map(self._pasted, first.answers))
        if not self.declared.in_file:  # what is pasted is added, and what is done is said
            said = re.sub(r"(?:^|(?<= or ))(?=--)", "add ", said, count=1)
        error = OpenQuestionError(
            place,
            f"this cannot be guessed{more}: {question[:1].lower()}{question[1:]}",
            next_step=f"{said[:1].upper()}{said[1:]}; --write-task task.toml drafts the rest",
        )
        pasted = map(self._pasted, first.answers)
        error.options = tuple(takewhile(lambda one: one.startswith("--"), pasted))
        return error

    def _pasted(self, answer: Answer) -> str:
        """An answer with what was declared before it, as an option of the command; lines of the
        task's file where there is one."""
        if isinstance(answer, str):
            return answer
        if self.declared.in_file:
            return " and ".join(self._lines_of_file(answer))
        whole = _written(merged(self.declared.task, answer))
        return f"--task {shlex.quote(whole)}"

    def _lines_of_file(self, answer: Mapping[str, Any]) -> Iterator[str]:
        """Where in the task's file an answer stands, and its lines there."""
        place = self.declared.place
        text = read_bytes(place, "task file").decode("utf-8-sig", "replace")
        for table, lines in lines_to_add(text, answer).items():
            first = "line" if len(lines) == 1 else "lines"
            where = f"under [{table}] in {place}" if table else f"as the first {first} of {place}"
            yield f"write {where}: {' and below it '.join(lines)}"

    def to_toml(self) -> str:
        """TOML with the assumptions and questions as comments, and the open lines marked.

        Where a line is open, the others hang on it: they are comments too, guessed anew when it is
        answered.
        """
        lines = [
            "# Drafted by goldassay from the table. Read every line: it says what numbers mean."
        ]
        lines += [f"# assumed: {_one_line(line)}" for line in self.assumed]
        lines += [f"# ? {_one_line(question)}" for question in self.questions]
        for one in self.missing:
            lines.append(f"# OPEN: {_one_line(one.question)} Take the # off one, or do as it says:")
            for answer in one.answers:
                told = [_one_line(answer)] if isinstance(answer, str) else dotted(answer)
                lines += [
                    f"#   {line}" if isinstance(answer, str) else f"# {line}" for line in told
                ]
        if self.missing:
            lines += ["# What was guessed so far hangs on the answer:"]
            lines += [f"#   {line}" for line in dotted(self.task)]
            lines += ["", *dotted(self.declared.task)] if self.declared else []
            return "\n".join(lines) + "\n"
        lines.append("")
        tables: list[str] = []
        for key, value in self.task.items():
            if isinstance(value, Mapping):
                tables += _table(key, value)
            else:
                lines.append(f"{key} = {_value(value)}")
        return "\n".join(lines + tables) + "\n"


def _written(answer: Answer) -> str:
    return answer if isinstance(answer, str) else ", ".join(dotted(answer))


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
