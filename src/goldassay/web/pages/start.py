"""The first page: who is labelling?"""

from __future__ import annotations

from goldassay.rendering.markup import Child, Markup, el
from goldassay.web.desk import Desk
from goldassay.web.pages.layout import Frame, address, page
from goldassay.web.raters import MAX_NAME

__all__ = ["start_page"]


def start_page(desk: Desk, *, problem: str | None = None, name: str = "") -> Markup:
    """Names to choose from, a field for a new one, and what there is to label."""
    total, judges = len(desk.order), len(desk.cases.judges)
    shown = desk.told_apart()
    known: list[Child] = [
        el(
            "li",
            None,
            el(
                "a",
                {"class": "button", "href": address("/label", rater=rater)},
                el("b", {"dir": "auto"}, shown.get(rater, rater)),
                el("span", {"class": "quiet"}, f"{done:,} of {total:,}"),
            ),
        )
        for rater, done in desk.raters().items()
        if desk.may_label(rater)
    ]
    new = None
    if not desk.settings.raters:
        new = el(
            "form",
            {"method": "get", "action": "/label"},
            el(
                "label",
                {"class": "field"},
                "A new name" if known else "Your name",
                el(
                    "input",
                    {
                        "type": "text",
                        "name": "rater",
                        "maxlength": MAX_NAME,
                        "required": True,
                        "autofocus": not known,
                        "autocomplete": "off",
                        "value": name,
                    },
                ),
            ),
            el(
                "div",
                {"class": "row"},
                el("button", {"class": "button primary"}, "Start labelling"),
            ),
        )
    blind = (
        "What the judges said is never shown."
        if desk.settings.never_show
        else "What the judges said is shown when a batch is done, and not before."
    )
    body = el(
        "div",
        {"class": "card"},
        el("h1", None, "Who is labelling?"),
        el(
            "p",
            {"class": "quiet"},
            f"{total:,} {'unit' if total == 1 else 'units'} to label"
            + (f", {judges} {'judge' if judges == 1 else 'judges'}. {blind}" if judges else "."),
        ),
        el("p", {"class": "note bad", "role": "alert"}, problem) if problem else None,
        el("ul", {"class": "raters"}, known) if known else None,
        new,
    )
    return page("Start", body, Frame(shape="narrow"))
