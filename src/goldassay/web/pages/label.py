"""The label page: one unit at a time, by keys alone, blind to the judges.

The page of an unlabelled unit holds no verdict at all, neither visible nor hidden; nor the names of
the systems, which would tell a person what to expect.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.ratings.task import Task
from goldassay.rendering.markup import Child, Markup, block, cut, el, joined, name
from goldassay.web.cases import Given, Unit, Verdict
from goldassay.web.desk import MAX_COMMENT, Desk, Progress
from goldassay.web.pages.layout import Frame, address, page

__all__ = ["OPTION_KEYS", "TEXT_LIMIT", "done_page", "label_page", "said", "texts"]

#: Keys of the options in order; c, h, s and u are taken by comment, help, skip and undo.
OPTION_KEYS = "123456789abdefgijklmnopqrtvwxyz"
TEXT_LIMIT = 20_000


def label_page(
    desk: Desk, unit: Unit, *, rater: str, before: Unit | None = None, problem: str | None = None
) -> Markup:
    """The page on which `rater` labels `unit`; `before` is the unit labelled just now."""
    own = desk.own_label(rater, unit)
    panel = el(
        "aside",
        {"class": "panel card", "aria-label": "Your label"},
        _progress(desk.progress(rater)),
        el(
            "div",
            {"id": "notice", "role": "status", "class": "note bad", "hidden": not problem},
            problem,
        ),
        el(
            "p",
            {"class": "note"},
            "Your label now: ",
            said(own, desk.task),
            ". A new one replaces it.",
        )
        if own
        else None,
        _form(desk, unit, rater, own),
        _steps(unit, rater),
        _reveal(desk, before, rater) if before else None,
        _help(desk),
    )
    item = el("div", {"class": "item"}, _heading(unit), texts(desk, unit, rater))
    return page("Label", el("div", {"class": "desk"}, item, panel), Frame(tab="label", rater=rater))


def done_page(desk: Desk, *, rater: str, before: Unit | None = None) -> Markup:
    """Nothing is left for this rater."""
    progress = desk.progress(rater)
    waiting = progress.total - progress.done
    rest = (
        f"The other {waiting:,} have enough labels, or somebody is labelling them now."
        if waiting
        else "You labelled every one."
    )
    card = el(
        "div",
        {"class": "card"},
        el("h1", None, "Nothing left to label"),
        _progress(progress),
        el("div", {"id": "notice", "role": "status", "class": "note bad", "hidden": True}),
        _reveal(desk, before, rater) if before else None,
        el("p", None, rest),
        el(
            "p",
            None,
            "Every label is saved. ",
            el("a", {"href": address("/watch", rater=rater)}, "See the estimate"),
            " or ",
            el("a", {"href": address("/explore", rater=rater)}, "read where judges differ"),
            ".",
        ),
        el("div", {"class": "row"}, _undo(rater)),
    )
    return page("Done", card, Frame(tab="label", rater=rater, shape="narrow"))


def _progress(progress: Progress) -> Markup:
    words = f"{progress.done:,} of {progress.total:,} labelled"
    return el(
        "div",
        {"class": "progress"},
        el("span", {"id": "progress"}, words),
        el(
            "progress",
            {"max": max(progress.total, 1), "value": progress.done, "aria-labelledby": "progress"},
        ),
    )


def _heading(unit: Unit) -> Markup:
    return el("h1", {"class": "quiet"}, "Item ", name(unit.item))


def texts(desk: Desk, unit: Unit, rater: str) -> Markup:
    """The item's texts; the two answers of a pair stand side by side, in this rater's order."""
    fields = desk.texts(unit)
    if not fields:
        return el(
            "p",
            {"class": "absent"},
            "No text is known for this item. Give the texts with --items FILE.",
        )
    # Fields are named by their number in addresses: their names are data, and may be anything.
    numbered = {field: number for number, field in enumerate(fields)}
    pair = [field for field in ("output", "output_b") if field in fields]
    sides: Markup | None = None
    if len(pair) == 2:
        if desk.opponent_first(rater, unit):
            pair.reverse()
        shown = [
            _text_section(word, fields[field], unit, numbered[field])
            for word, field in zip(("Left", "Right"), pair, strict=True)
        ]
        sides = el("div", {"class": "sides"}, shown)
    else:
        pair = []
    rest = [
        _text_section(field.replace("_", " ").capitalize(), value, unit, numbered[field])
        for field, value in fields.items()
        if field not in pair
    ]
    return joined(rest, sides)


def _text_section(title: str, value: str, unit: Unit, number: int) -> Markup:
    whole = address(f"/text/{unit.key}", field=str(number))
    heading = el("h2", {"dir": "auto"}, cut(title, 120))
    return el("section", None, heading, block(value, limit=TEXT_LIMIT, rest=whole))


def _form(desk: Desk, unit: Unit, rater: str, own: Given | None) -> Markup:
    ask = desk.question(unit)
    fields = [
        el("input", {"type": "hidden", "name": "rater", "value": rater}),
        el("input", {"type": "hidden", "name": "unit", "value": unit.key}),
    ]
    if desk.task.scale == "continuous":
        choices = _number_field(own)
    elif desk.several:
        choices = _boxes(desk, own)
    else:
        choices = _buttons(desk, unit, rater, own)
    abstain = el(
        "button",
        {
            "class": "choice abstain",
            "name": "abstain",
            "value": "1",
            "data-key": "0",
            "formnovalidate": True,
        },
        el("kbd", None, "0"),
        el("span", None, "Cannot assess"),
    )
    comment = el(
        "label",
        {"class": "field"},
        "Comment ",
        el("kbd", None, "c"),
        el(
            "textarea",
            {"name": "comment", "maxlength": MAX_COMMENT, "data-key": "c", "rows": "2"},
            own.comment if own else "",
        ),
    )
    saves = desk.several or desk.task.scale == "continuous"
    return el(
        "form",
        {
            "method": "post",
            "action": "/label",
            "id": "label",
            "data-unit": unit.key,
            "data-save": saves,
            "autocomplete": "off",
        },
        fields,
        el("fieldset", None, el("legend", {"dir": "auto"}, cut(ask, 4_000)), choices, abstain),
        comment,
    )


def _buttons(desk: Desk, unit: Unit, rater: str, own: Given | None) -> Markup:
    words = option_words(desk, unit, rater)
    chosen = own.value if own and own.status == "rated" else None
    buttons = [
        el(
            "button",
            {
                "class": "choice now" if chosen == desk.task.options[index] else "choice",
                "name": "choice",
                "value": index,
                "data-key": key or None,
            },
            el("kbd", None, key) if key else None,
            el("span", {"dir": "auto"}, cut(word, 1_000)),
        )
        for key, (index, word) in zip(_keys(desk.task), words, strict=True)
    ]
    return el("div", {"class": "choices"}, buttons)


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


def _boxes(desk: Desk, own: Given | None) -> Markup:
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
                    "name": "choice",
                    "value": index,
                    "data-key": key or None,
                    "checked": option in chosen,
                },
            ),
            el("kbd", None, key) if key else None,
            el("span", {"dir": "auto"}, cut(option, 1_000)),
        )
        for index, (key, option) in enumerate(zip(_keys(task), task.options, strict=True))
    ]
    hint = "Choose every answer that a careful reader could give."
    if task.response_sets:
        sets = "; ".join(" + ".join(one) for one in task.response_sets[:20])
        hint += f" Admissible: {cut(sets, 2_000)}."
    return el("div", {"class": "choices"}, el("p", {"class": "hint"}, hint), boxes, _save())


def _number_field(own: Given | None) -> Markup:
    now = own.value if own and own.status == "rated" else None
    number = el(
        "input",
        {
            "type": "number",
            "name": "number",
            "step": "any",
            "data-key": "n",
            "required": True,
            "autofocus": True,
            "aria-label": "Your rating",
            "value": now,
        },
    )
    return el("div", {"class": "choices"}, number, _save())


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


def _steps(unit: Unit, rater: str) -> Markup:
    skip = el(
        "a",
        {
            "class": "button",
            "href": address("/label", rater=rater, after=unit.key),
            "data-key": "s",
        },
        el("kbd", None, "s"),
        "Skip",
    )
    return el("div", {"class": "row"}, _undo(rater), skip)


def _undo(rater: str) -> Markup:
    return el(
        "form",
        {"method": "post", "action": "/undo"},
        el("input", {"type": "hidden", "name": "rater", "value": rater}),
        el("button", {"class": "button", "data-key": "u"}, el("kbd", None, "u"), "Undo last"),
    )


def _help(desk: Desk) -> Markup:
    keys: list[tuple[str, str]] = [
        ("1 2 3 …", "add or take away an answer" if desk.several else "choose"),
        ("Enter", "save, where several answers can be chosen"),
        ("0", "cannot assess"),
        ("c", "write a comment; Esc leaves it"),
        ("u", "take back your last label"),
        ("s", "skip for now"),
        ("h", "open or close this list"),
    ]
    if not desk.several and desk.task.scale != "continuous":
        del keys[1]
    rows: Sequence[Child] = [
        (el("dt", None, el("kbd", None, key)), el("dd", None, words)) for key, words in keys
    ]
    guide: Markup | None = None
    if desk.guide:
        words = el("div", {"class": "text small", "tabindex": "0"}, cut(desk.guide, 50_000))
        guide = el("details", {"open": True}, el("summary", None, "Guide"), words)
    listed = el("summary", None, "Keys ", el("kbd", None, "h")), el("dl", {"class": "keys"}, rows)
    return joined(guide, el("details", {"data-key": "h"}, listed))


def said(given: Given | Verdict, task: Task) -> Markup:
    """A rating in words."""
    if given.status == "rated":
        value = given.value
        if task.separator in value and value not in task.options:
            value = " + ".join(value.split(task.separator))
        return el("b", {"dir": "auto"}, cut(value, 200))
    words = {"abstained": "cannot assess", "invalid": "an unreadable answer", "failed": "no answer"}
    return el("i", None, words.get(given.status, cut(given.status, 40)))


def _reveal(desk: Desk, before: Unit, rater: str) -> Markup | None:
    """What was saved just now, and what the judges said, if they may be seen."""
    own = desk.own_label(rater, before)
    if own is None:
        return None
    lines: list[Child] = []
    if not desk.never_show:
        for verdict in desk.verdicts(before):
            same = verdict.status == own.status == "rated" and verdict.value == own.value
            mark = el(
                "span", {"class": "same" if same else "differs"}, "same" if same else "differs"
            )
            lines.append(
                el("li", None, name(verdict.judge), " said ", said(verdict, desk.task), " · ", mark)
            )
    change = el("a", {"href": address("/label", rater=rater, unit=before.key)}, "change")
    return el(
        "div",
        {"class": "note", "id": "saved"},
        "Saved: ",
        name(before.item),
        " is ",
        said(own, desk.task),
        " · ",
        change,
        el("ul", None, lines) if lines else None,
    )
