"""A person's answer in a form that was sent: checked, or an error that says what is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from goldassay.errors import UsageError, shown
from goldassay.frozen import dataclass
from goldassay.ratings.task import Task
from goldassay.store import Label
from goldassay.web.cases import Unit

__all__ = ["MAX_COMMENT", "Answer", "field_name", "made_label", "read_answer", "read_comment"]

MAX_COMMENT = 4_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

Fields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer, checked: a value of the task, or an abstention."""

    value: str | None
    status: str = "rated"
    comment: str = ""


def made_label(
    unit: Unit,
    answer: Answer,
    about: Mapping[str, str],
    *,
    rater: str,
    asked: tuple[str, str, str],
    seconds: float | None,
) -> Label:
    """An answer as it is stored, with what the table says of its unit.

    `asked` is how it was asked for (the elicitation), in which order the sides of a pair stood, and
    which fields they were.
    """
    elicitation, order, sides = asked
    return Label(
        item=unit.item,
        rater=rater,
        value=answer.value,
        status=answer.status,
        criterion=unit.criterion,
        system=unit.system,
        opponent=unit.opponent,
        elicitation=elicitation,
        order=order,
        sides=sides,
        comment=answer.comment,
        prompt=about.get("prompt", ""),
        cluster=about.get("cluster", ""),
        stratum=about.get("stratum", ""),
        split=about.get("split", ""),
        weight=about.get("weight", ""),
        seconds=None if seconds is None else round(seconds, 3),
    )


def field_name(word: str, place: int) -> str:
    """The name of a field of the criterion at a place of the page.

    >>> field_name("choice", 0), field_name("choice", 2)
    ('choice', 'choice-2')
    """
    return f"{word}-{place}" if place else word


def read_comment(fields: Fields, place: int = 0) -> str:
    comment = (fields.get(field_name("comment", place)) or ("",))[0].strip().replace("\r\n", "\n")
    if len(comment) > MAX_COMMENT:
        raise UsageError("a comment", f"has at most {MAX_COMMENT:,} characters")
    return comment


def read_answer(
    task: Task, elicitation: str, fields: Fields, *, place: int = 0, about: str = "a label"
) -> Answer:
    """The answer in a submitted form, or an error that tells the person what is missing."""
    comment = read_comment(fields, place)
    given = fields.get(field_name("choice", place), ())
    if fields.get(field_name("abstain", place)) or "abstain" in given:
        return Answer(task.abstain[0] if task.abstain else None, "abstained", comment)
    if task.scale == "continuous":
        number = (fields.get(field_name("number", place)) or ("",))[0]
        return Answer(_number(number, about), comment=comment)
    chosen = sorted({_option(task, word) for word in given})
    if not chosen:
        raise UsageError(about, "needs an answer", next_step="Choose one, or press 0")
    options = tuple(task.options[index] for index in chosen)
    if elicitation != "response_set":
        if len(options) != 1:
            raise UsageError(about, "is one answer", found=str(len(options)))
    elif task.response_sets and options not in task.response_sets:
        raise UsageError(
            "this combination of answers",
            "is not one that the task admits",
            found=" + ".join(options),
        )
    return Answer(task.separator.join(options), comment=comment)


def _option(task: Task, word: str) -> int:
    if not word.isascii() or not word.isdigit() or int(word[:6]) >= len(task.options):
        raise UsageError("a label", "names one of the options", found=shown(word))
    return int(word[:6])


def _number(word: str, about: str) -> str:
    word = word.strip()
    if len(word) > 40 or not _NUMBER.fullmatch(word) or not math.isfinite(float(word)):
        name = "a rating" if about == "a label" else about
        raise UsageError(name, "is a finite number", found=shown(word))
    return word
