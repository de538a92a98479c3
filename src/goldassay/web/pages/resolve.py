"""Adjudication: what people said where they differ, side by side, and what was resolved.

A resolution stands beside the labels and never over them: it is a row of kind `reference`, with
who resolved, when and why. Judges' verdicts are not shown here.
"""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.rendering.markup import Child, Markup, cut, el, joined, name
from goldassay.web.answers import MAX_COMMENT
from goldassay.web.cases import Given, Unit
from goldassay.web.desk import Desk
from goldassay.web.pages.form import fields_of, shown_as
from goldassay.web.pages.layout import Frame, address, page, pager, table
from goldassay.web.pages.panes import panes
from goldassay.web.pages.said import by_people, said, seen
from goldassay.web.resolutions import disputes
from goldassay.words import counted, named

__all__ = ["dispute_page", "resolve_page"]

PER_PAGE = 50


def resolve_page(desk: Desk, *, rater: str = "", resolved: bool = False, number: int = 1) -> Markup:
    """The units on which people differ, those that are open or those that are resolved."""
    found = disputes(desk, rater)
    done = [one for one in found if desk.resolution(one[0].key) is not None]
    waiting = [one for one in found if desk.resolution(one[0].key) is None]
    shown = done if resolved else waiting
    pages = max(1, -(-len(shown) // PER_PAGE))
    number = min(max(number, 1), pages)
    here = shown[(number - 1) * PER_PAGE : number * PER_PAGE]
    rows = [_row(desk, unit, given, rater) for unit, given in here]
    columns = ("item", "people say", *(("resolved", "by", "why") if resolved else ("flagged by",)))
    show = "resolved" if resolved else ""
    body = (
        el("h1", None, "Where people differ"),
        el("p", {"class": "quiet"}, _how(desk)),
        el(
            "nav",
            {"class": "choose", "aria-label": "Which"},
            _tab(f"open ({len(waiting):,})", "", rater, show),
            _tab(f"resolved ({len(done):,})", "resolved", rater, show),
        ),
        None if rater else el("p", {"class": "note"}, "Choose who you are to resolve: ", _who()),
        table(columns, rows) if rows else el("p", {"class": "card absent"}, "There is none."),
        pager("/resolve", {"rater": rater, "show": show}, number, pages),
    )
    return page("Resolve", body, Frame(tab="resolve", rater=rater, shape="medium"))


def _who() -> Markup:
    return el("a", {"href": "/"}, "names")


def _how(desk: Desk) -> str:
    used = desk.task.reference == "adjudicated"
    rule = "the task says so" if used else 'the task must say reference = "adjudicated"'
    return (
        "A resolution is kept beside the labels, as a row of kind reference, and changes none of "
        "them; how far people agree is always of their own labels. Estimates use resolutions "
        f"where {rule}."
    )


def _tab(word: str, show: str, rater: str, now: str) -> Markup:
    link = address("/resolve", rater=rater, show=show)
    return el("a", {"href": link, "aria-current": show == now and "true"}, word)


def _row(desk: Desk, unit: Unit, given: Sequence[Given], rater: str) -> Sequence[Child]:
    title = (name(unit.item), _aside(unit))
    link = address(f"/resolve/{unit.key}", rater=rater)
    words: list[Child] = []
    for one in given:
        words += [", " if words else None, name(one.rater, 40), " ", said(one, desk.task)]
    head = el("span", {"class": "case"}, el("a", {"href": link}, title) if rater else title)
    found = desk.resolution(unit.key)
    if found is not None:
        by = (name(found.rater, 40), el("span", {"class": "quiet"}, f" {_when(found)}"))
        why = el("span", {"dir": "auto"}, cut(found.comment, 200))
        return (head, words, said(found, desk.task), by, why)
    return (head, words, ", ".join(cut(who, 40) for who in desk.flagged_by(unit.key)))


def _when(one: Given) -> str:
    return one.time[:16].replace("T", " ")


def _aside(unit: Unit) -> Markup | None:
    return el("span", {"class": "quiet"}, " · ", name(unit.criterion)) if unit.criterion else None


def dispute_page(desk: Desk, unit: Unit, *, rater: str, problem: str | None = None) -> Markup:
    """One unit: its texts, everybody's labels and comments, and the form that resolves."""
    people = by_people(desk, unit, rater)
    found = desk.resolution(unit.key)
    standing = None
    if found is not None:
        standing = el(
            "p",
            {"class": "note", "id": "resolved"},
            "Resolved: ",
            seen(desk, unit, rater, found),
            f", by {named(found.rater)}, {_when(found)}. ",
            el("span", {"dir": "auto"}, cut(found.comment, MAX_COMMENT)),
        )
    flagged = desk.flagged_by(unit.key)
    panel = el(
        "aside",
        {"class": "panel card", "aria-label": "The resolution"},
        el("h2", None, "People"),
        people,
        el("p", {"class": "quiet"}, f"{counted(len(flagged), 'person', 'people')} flagged it.")
        if flagged
        else None,
        el(
            "div",
            {"id": "notice", "role": "status", "class": "note bad", "hidden": not problem},
            problem,
        ),
        standing,
        el("h2", None, "Resolve"),
        el(
            "form",
            {
                "method": "post",
                "action": "/resolve",
                "id": "label",
                "data-unit": f"{unit.key}-resolved",
                "data-save": desk.several or desk.task.scale == "continuous",
                "autocomplete": "off",
            },
            el("input", {"type": "hidden", "name": "rater", "value": rater}),
            el("input", {"type": "hidden", "name": "unit", "value": unit.key}),
            shown_as(desk, unit, rater),
            el("p", {"class": "hint"}, "Say why in the comment, then choose."),
            fields_of(desk, unit, rater, found),
        ),
        el(
            "p",
            None,
            el(
                "a",
                {"href": address("/resolve", rater=rater), "data-key": "escape"},
                "All that differ ",
                el("kbd", None, "Esc"),
            ),
        ),
    )
    heading = el("h1", {"class": "quiet"}, joined("Item ", name(unit.item), _aside(unit)))
    item = el("div", {"class": "item"}, heading, panes(desk, unit, rater))
    body = el("div", {"class": "desk"}, item, panel)
    return page("Resolve", body, Frame(tab="resolve", rater=rater, shape="whole"))
