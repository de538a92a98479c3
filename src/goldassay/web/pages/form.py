"""What a rater answers: one criterion or several on a page, by keys alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goldassay.ratings.task import Task
from goldassay.rendering.markup import Child, Markup, cut, el
from goldassay.web.answers import MAX_COMMENT, field_name
from goldassay.web.cases import Given, Unit
from goldassay.web.desk import Desk
from goldassay.web.pages.said import option_words

__all__ = ["OPTION_KEYS", "fields_of", "form", "shown_as"]

#: Keys of the options in order; c, d, f, h, l, r, s and u do other things.
OPTION_KEYS = "123456789abegijkmnopqtvwxyz"


def form(desk: Desk, units: Sequence[Unit], rater: str, given: Mapping[str, Given]) -> Markup:
    """The form of a page; `given` holds what the rater has said of the units, to begin with."""
    alone = len(units) == 1
    # One answer of one criterion is saved by the key that chooses it.
    saves = not alone or desk.several or desk.task.scale == "continuous"
    return el(
        "form",
        {
            "method": "post",
            "action": "/label",
            "id": "label",
            "data-unit": units[0].key,
            "data-save": saves,
            "autocomplete": "off",
        },
        el("input", {"type": "hidden", "name": "rater", "value": rater}),
        [el("input", {"type": "hidden", "name": "unit", "value": unit.key}) for unit in units],
        shown_as(desk, units[0], rater),
        [
            fields_of(desk, unit, rater, given.get(unit.key), None if alone else place)
            for place, unit in enumerate(units)
        ],
        None if alone else _save(),
    )


def shown_as(desk: Desk, unit: Unit, rater: str) -> Markup | None:
    """Which two answers the page of a pair shows, and where: a choice is of these."""
    found = desk.shown(rater, unit)
    if found is None:
        return None
    return el("input", {"type": "hidden", "name": "shown", "value": found.mark})


def fields_of(
    desk: Desk, unit: Unit, rater: str, own: Given | None, place: int | None = None
) -> Markup:
    """The choices and the comment of one criterion; `place` is its place among several."""
    several = place is not None
    at = place or 0
    if desk.task.scale == "continuous":
        choices = _number_field(own, at, save=not several)
    elif desk.several:
        choices = _boxes(desk, unit, rater, own, at, save=not several)
    else:
        choices = _choices(desk, unit, rater, own, place)
    legend = el("legend", {"dir": "auto"}, cut(desk.question(unit), 4_000))
    abstain = None if several and _radios(desk) else _abstain(own, place)
    return el(
        "fieldset",
        {"class": "criterion" if several else None, "data-unit-key": unit.key},
        legend,
        choices,
        abstain,
        _comment(own, place),
    )


def _radios(desk: Desk) -> bool:
    return not desk.several and desk.task.scale != "continuous"


def _abstain(own: Given | None, place: int | None) -> Markup:
    words = (el("kbd", None, "0"), el("span", None, "Cannot assess"))
    if place is not None:
        box: dict[str, str | bool] = {
            "type": "checkbox",
            "name": field_name("abstain", place),
            "value": "1",
            "data-key": "0",
            "checked": own is not None and own.status == "abstained",
        }
        return el("label", {"class": "choice abstain"}, el("input", box), words)
    button = {
        "class": "choice abstain now" if own and own.status == "abstained" else "choice abstain",
        "name": "abstain",
        "value": "1",
        "data-key": "0",
        "formnovalidate": True,
    }
    return el("button", button, words)


def _comment(own: Given | None, place: int | None) -> Markup:
    words = own.comment if own else ""
    box = el(
        "textarea",
        {
            "name": field_name("comment", place or 0),
            "maxlength": MAX_COMMENT,
            "data-key": "c",
            "rows": "2",
            "aria-label": "Comment",
        },
        words,
    )
    head = ("Comment ", el("kbd", None, "c"))
    if place is None:
        return el("label", {"class": "field comment"}, head, box)
    return el("details", {"class": "comment", "open": bool(words)}, el("summary", None, head), box)


def _choices(desk: Desk, unit: Unit, rater: str, own: Given | None, place: int | None) -> Markup:
    """One of the options: a button that saves, or one of several criteria's circles."""
    words = option_words(desk, unit, rater)
    chosen = own.value if own and own.status == "rated" else None
    keys = [*_keys(desk.task), "0"]
    offered: list[tuple[str, str, str, bool]] = [
        (str(i), word, _told(desk.task, option), option == chosen)
        for i, word in words
        for option in (desk.task.options[i],)
    ]
    if place is None:
        buttons = [
            el(
                "button",
                {
                    "class": "choice now" if now else "choice",
                    "name": "choice",
                    "value": value,
                    "data-key": key or None,
                },
                _option(key, word, told),
            )
            for key, (value, word, told, now) in zip(keys, offered, strict=False)
        ]
        return el("div", {"class": "choices"}, buttons)
    kind = "choices told" if desk.task.option_texts else "choices"
    gave_up = own is not None and own.status == "abstained"
    circles = [
        el(
            "label",
            {"class": "choice"},
            el(
                "input",
                {
                    "type": "radio",
                    "name": field_name("choice", place),
                    "value": value,
                    "data-key": key or None,
                    "checked": now,
                },
            ),
            _option(key, word, told),
        )
        for key, (value, word, told, now) in zip(
            keys, [*offered, ("abstain", "Cannot assess", "", gave_up)], strict=True
        )
    ]
    return el("div", {"class": kind}, circles)


def _option(key: str, word: str, told: str) -> list[Child]:
    if told and word == key:  # an anchor of a scale: its number is on the key already
        word, told = told, ""
    text = el("small", {"dir": "auto"}, cut(told, 1_000)) if told else None
    return [
        el("kbd", None, key) if key else None,
        el("span", {"dir": "auto"}, cut(word, 1_000), text),
    ]


def _told(task: Task, option: str) -> str:
    """What the task says of an option; of a side of a pair it would name it otherwise."""
    named = task.scale == "pairwise" and option != task.tie
    return "" if named else task.option_texts.get(option, "")


def _boxes(
    desk: Desk, unit: Unit, rater: str, own: Given | None, place: int, *, save: bool
) -> Markup:
    task = desk.task
    chosen = set(own.value.split(task.separator)) if own and own.status == "rated" else set()
    boxes = [
        el(
            "label",
            {"class": "choice"},
            el(
                "input",
                {
                    "type": "checkbox",
                    "name": field_name("choice", place),
                    "value": index,
                    "data-key": key or None,
                    "checked": task.options[index] in chosen,
                },
            ),
            _option(key, word, _told(task, task.options[index])),
        )
        for key, (index, word) in zip(_keys(task), option_words(desk, unit, rater), strict=False)
    ]
    hint = "Choose every answer that a careful reader could give."
    if task.response_sets:
        words = {task.options[index]: word for index, word in option_words(desk, unit, rater)}
        sets = "; ".join(" + ".join(words[o] for o in one) for one in task.response_sets[:20])
        hint += f" Admissible: {cut(sets, 2_000)}."
    told = el("p", {"class": "hint"}, hint) if not place else None
    return el("div", {"class": "choices"}, told, boxes, _save() if save else None)


def _number_field(own: Given | None, place: int, *, save: bool) -> Markup:
    now = own.value if own and own.status == "rated" else None
    number = el(
        "input",
        {
            "type": "number",
            "name": field_name("number", place),
            "step": "any",
            "data-key": "n",
            "required": save,
            "autofocus": not place,
            "aria-label": "Your rating",
            "value": now,
        },
    )
    return el("div", {"class": "choices"}, number, _save() if save else None)


def _save() -> Markup:
    return el(
        "button",
        {"class": "choice primary", "data-commit": True},
        "Save ",
        el("kbd", None, "Enter"),
    )


def _keys(task: Task) -> list[str]:
    """A key for each option, as long as there are keys."""
    return [OPTION_KEYS[i : i + 1] for i in range(len(task.options))]
