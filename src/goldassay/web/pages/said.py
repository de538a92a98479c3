"""A rating in words: as it is stored, and as the rater saw it."""

from __future__ import annotations

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
    first, second = (index for index, option in words if option != task.tie)
    sides = (second, first) if desk.opponent_first(rater, unit) else (first, second)
    shown = [(sides[0], "The left one is better"), (sides[1], "The right one is better")]
    return shown + [(index, option) for index, option in words if option == task.tie]


def seen(desk: Desk, unit: Unit, rater: str, given: Given) -> Markup:
    """A rater's own label in the words that they chose from: a pair's by its side."""
    if desk.task.scale == "pairwise" and given.status == "rated":
        for index, words in option_words(desk, unit, rater):
            if desk.task.options[index] == given.value:
                side = words.removeprefix("The ").removesuffix(" one is better")
                return el("b", {"dir": "auto"}, cut(side, 200))
    return said(given, desk.task)


def by_people(desk: Desk, unit: Unit) -> Markup | None:
    """Everybody's label of a unit with its comment, or None where nobody gave one."""
    shown = desk.told_apart()
    rows = [
        (
            name(shown.get(one.rater, one.rater)),
            said(one, desk.task),
            el("span", {"dir": "auto"}, cut(one.comment, MAX_COMMENT)),
        )
        for one in desk.people(unit)
    ]
    return table(("rater", "label", "comment"), rows) if rows else None
