"""The list of a rater's own labels: search, jump, what is flagged."""

from __future__ import annotations

from collections.abc import Sequence

from goldassay.rendering.markup import Child, Markup, cut, el, name
from goldassay.web.cases import Given, Unit
from goldassay.web.desk import Desk
from goldassay.web.pages.layout import Frame, address, page, pager, table
from goldassay.web.pages.said import seen
from goldassay.words import counted

__all__ = ["mine_page"]

PER_PAGE = 100


def mine_page(
    desk: Desk, rater: str, *, search: str = "", flagged: bool = False, number: int = 1
) -> Markup:
    """My labels, the latest first; `search` looks in names, answers, comments and texts."""
    flags = desk.flagged(rater)
    found: list[tuple[Unit, Given | None]] = list(desk.own_labels(rater))
    if flagged:
        units = (desk.unit(key) for key in reversed(flags))
        found = [(unit, desk.own_label(rater, unit)) for unit in units if unit]
    if search:
        found = [(unit, one) for unit, one in found if _holds(desk, unit, one, search.casefold())]
    pages = max(1, -(-len(found) // PER_PAGE))
    number = min(max(number, 1), pages)
    rows = [
        _row(desk, unit, one, rater, unit.key in flags)
        for unit, one in found[(number - 1) * PER_PAGE : number * PER_PAGE]
    ]
    show = "flagged" if flagged else None
    body = (
        el("h1", None, "My labels"),
        _search(rater, search, show),
        el(
            "nav",
            {"class": "choose", "aria-label": "Which labels"},
            _tab("all", None, rater, show),
            _tab(f"flagged ({len(flags):,})", "flagged", rater, show),
        ),
        el("p", {"class": "quiet", "id": "found"}, counted(len(found), "label")),
        table(("item", "my label", "comment", "flag", "when"), rows)
        if rows
        else el("p", {"class": "card absent"}, "There is none."),
        pager("/mine", {"rater": rater, "q": search, "show": show or ""}, number, pages),
        el(
            "p",
            None,
            el(
                "a",
                {"href": address("/label", rater=rater), "data-key": "escape"},
                "Back to labelling ",
                el("kbd", None, "Esc"),
            ),
        ),
    )
    return page("My labels", body, Frame(tab="label", rater=rater, shape="medium"))


def _holds(desk: Desk, unit: Unit, one: Given | None, search: str) -> bool:
    said = (one.value, one.comment) if one else ()
    words = (unit.item, unit.criterion, *said, *desk.texts(unit).values())
    return any(search in word.casefold() for word in words)


def _search(rater: str, search: str, show: str | None) -> Markup:
    field = el(
        "input", {"type": "search", "name": "q", "value": search, "maxlength": 200, "data-key": "/"}
    )
    return el(
        "form",
        {"method": "get", "action": "/mine", "class": "filters"},
        el("input", {"type": "hidden", "name": "rater", "value": rater}),
        el("input", {"type": "hidden", "name": "show", "value": show}) if show else None,
        el("label", None, "Search ", el("kbd", None, "/"), field),
        el("button", {"class": "button"}, "Find"),
    )


def _tab(word: str, show: str | None, rater: str, now: str | None) -> Markup:
    link = address("/mine", rater=rater, show=show)
    return el("a", {"href": link, "aria-current": show == now and "true"}, word)


def _row(desk: Desk, unit: Unit, one: Given | None, rater: str, flagged: bool) -> Sequence[Child]:
    link = el("a", {"href": address("/label", rater=rater, unit=unit.key)}, name(unit.item))
    criterion = el("span", {"class": "quiet"}, " · ", name(unit.criterion))
    return (
        el("span", {"class": "case"}, link, criterion if unit.criterion else None),
        seen(desk, unit, rater, one) if one else el("i", None, "not labelled"),
        el("span", {"dir": "auto"}, cut(one.comment, 200)) if one else "",
        "flagged" if flagged else "",
        el("span", {"class": "quiet when"}, one.time[:16].replace("T", " ")) if one else "",
    )
