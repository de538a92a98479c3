"""The report page: what `goldassay report` writes to a file, from the labels of the moment."""

from __future__ import annotations

from goldassay.rendering.markup import Markup, el
from goldassay.web.live import Made
from goldassay.web.pages.layout import Frame, page

__all__ = ["report_page"]


def report_page(made: Made | None, *, version: str, rater: str = "") -> Markup:
    """The report if it is ready; `version` is that of the labels now."""
    if made is None:
        return _card(
            "The report is being made",
            "It takes some seconds; this page looks again.",
            rater=rater,
            again=2,
        )
    if made.report is None:
        return _card("There is no report yet", made.problem, rater=rater)
    old = made.version != version
    words = "There are new labels: show the report that is made from them"
    newer = el(
        "p",
        {"id": "newer", "role": "status", "hidden": not old},
        el("a", {"href": "", "data-key": "r"}, words),
    )
    body = (newer, made.report)
    return page(
        "Report", body, Frame(tab="report", rater=rater, style="report.css", live=made.version)
    )


def _card(title: str, words: str, *, rater: str, again: int = 0) -> Markup:
    look = el("p", None, el("a", {"href": ""}, "Look again"))
    body = el("div", {"class": "card"}, el("h1", None, title), el("p", None, words), look)
    return page("Report", body, Frame(tab="report", rater=rater, shape="narrow", again=again))
