"""The item's texts in panes that fill the window and scroll by keys."""

from __future__ import annotations

from goldassay.rendering.markup import Markup, cut, el, joined
from goldassay.web.cases import Unit
from goldassay.web.content import TEXT_LIMIT, content
from goldassay.web.desk import Desk
from goldassay.web.pages.layout import address

__all__ = ["panes", "whole_text"]


def panes(desk: Desk, unit: Unit, rater: str) -> Markup:
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
    sides: Markup | None = None
    pair: set[str] = set()
    if (found := desk.shown(rater, unit)) is not None:
        shown = [
            _pane(desk, word, one.text, unit, numbered[one.field])
            for word, one in (("Left", found.left), ("Right", found.right))
        ]
        pair = {found.left.field, found.right.field}
        sides = el("div", {"class": "sides", "data-pair": True}, shown)
    rest = [
        _pane(desk, field.replace("_", " ").capitalize(), value, unit, numbered[field])
        for field, value in fields.items()
        if field not in pair
    ]
    return joined(rest, sides)


def _pane(desk: Desk, title: str, value: str, unit: Unit, number: int) -> Markup:
    where = address(f"/text/{unit.key}", field=str(number))
    heading = el("h2", {"dir": "auto"}, cut(title, 120))
    return el("section", {"class": "pane"}, heading, whole_text(desk, value, where))


def whole_text(desk: Desk, value: str, where: str) -> Markup:
    """A text as people see it; `where` has it raw and whole."""
    if not value:
        return el("p", {"class": "absent"}, "(empty)")
    more: Markup | None = None
    if len(value) > TEXT_LIMIT:
        link = el("a", {"href": where, "target": "_blank"}, "read the whole text")
        more = el("p", {"class": "more"}, f"… {len(value) - TEXT_LIMIT:,} more characters: ", link)
    shown = el(
        "div",
        {"class": "text md", "dir": "auto", "tabindex": "0", "data-raw": where},
        content(value, desk.pictures),
    )
    return joined(shown, more)
