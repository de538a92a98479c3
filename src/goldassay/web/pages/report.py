"""The report page: what `goldassay report` writes to a file, from the labels of the moment."""

from __future__ import annotations

from goldassay.questions.report.ask import QUESTIONS
from goldassay.rendering.markup import Markup, el
from goldassay.verbs import heading
from goldassay.web.live import Made
from goldassay.web.pages.layout import Frame, page

__all__ = ["report_page"]


def report_page(
    made: Made | None, *, version: str, making: tuple[str, float] | None = None, rater: str = ""
) -> Markup:
    """The report if it is ready; `version` is that of the labels now, `making` what is made."""
    if made is None:
        return _making(*(making or ("", 0.0)), rater)
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


def _making(verb: str, seconds: float, rater: str) -> Markup:
    """How far the making has come; the page looks again by itself."""
    verbs = list(QUESTIONS)
    at = verbs.index(verb) if verb in verbs else 0
    said = f"Question {at + 1} of {len(verbs)}: {heading(verb)}" if verb else "Reading the ratings"
    body = el(
        "div",
        {"class": "card", "id": "making"},
        el("h1", None, "The report is being made"),
        el("p", {"id": "stage", "role": "status"}, said),
        el("progress", {"max": len(verbs), "value": at, "aria-labelledby": "stage"}),
        el("p", {"class": "quiet"}, f"{seconds:.0f} s so far; this page looks again."),
        el("p", None, el("a", {"href": ""}, "Look again")),
    )
    return page("Report", body, Frame(tab="report", rater=rater, shape="narrow", again=1))


def _card(title: str, words: str, *, rater: str, again: int = 0) -> Markup:
    look = el("p", None, el("a", {"href": ""}, "Look again"))
    body = el("div", {"class": "card"}, el("h1", None, title), el("p", None, words), look)
    return page("Report", body, Frame(tab="report", rater=rater, shape="narrow", again=again))
