"""A rating in words: as it is stored, and as the rater saw it."""

from __future__ import annotations

from goldassay.errors import UsageError
from goldassay.ratings.task import Task
from goldassay.rendering.markup import Markup, cut, el, name
from goldassay.web.answers import MAX_COMMENT
from goldassay.web.cases import Given, Unit, Verdict
from goldassay.web.desk import Desk
from goldassay.web.pages.layout import table

__all__ = ["by_people", "option_words", "said", "seen"]

_STATUSES = {"abstained": "cannot assess", "invalid": "an unreadable answer", "failed": "no answer"}


def said(given: Given | Verdict, task: Task) -> Markup:
    """A rating in words."""
    if given.status == "rated":
        value = given.value
        if task.separator in value and value not in task.options:
            value = " + ".join(value.split(task.separator))
        return el("b", {"dir": "auto"}, cut(value, 200))
    return el("i", None, _STATUSES.get(given.status, cut(given.status, 40)))


def option_words(desk: Desk, unit: Unit, rater: str) -> list[tuple[int, str]]:
    """The options as they are shown: (index in the task, words). Pairs are named by their side."""
    task = desk.task
    words = list(enumerate(task.options))
    if task.scale != "pairwise":
        return words
    found = desk.shown(rater, unit)
    if found is None:
        raise UsageError("this pair", "has no two answers that could be shown")
    shown = [
        (found.left.option, "The left one is better"),
        (found.right.option, "The right one is better"),
    ]
    return shown + [(index, option) for index, option in words if option == task.tie]


def seen(desk: Desk, unit: Unit, rater: str, given: Given | Verdict) -> Markup:
    """A rating in the words of the page that this rater sees: of a pair by the side."""
    if desk.shown(rater, unit) is not None and given.status == "rated":
        options, parted = desk.task.options, given.value.split(desk.task.separator)
        parts = [given.value] if given.value in options else parted
        sides = {
            options[index]: words.removeprefix("The ").removesuffix(" one is better")
            for index, words in option_words(desk, unit, rater)
        }
        if all(part in sides for part in parts):
            words = " + ".join(sides[part] for part in parts)
            return el("b", {"dir": "auto"}, cut(words, 200))
    return said(given, desk.task)


def by_people(desk: Desk, unit: Unit, rater: str) -> Markup | None:
    """Everybody's label of a unit with its comment, or None where nobody gave one."""
    shown = desk.told_apart()
    rows = [
        (
            name(shown.get(one.rater, one.rater)),
            seen(desk, unit, rater, one),
            el("span", {"dir": "auto"}, cut(one.comment, MAX_COMMENT)),
        )
        for one in desk.people(unit)
    ]
    return table(("rater", "label", "comment"), rows) if rows else None
