"""What every page has: the head, the bar with the pages, and who is labelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from goldassay.frozen import dataclass
from goldassay.rendering.markup import Child, Markup, document, el

__all__ = ["TABS", "Frame", "address", "message_page", "page", "pager", "table"]

TABS = (
    ("label", "Label"),
    ("watch", "Watch"),
    ("explore", "Explore"),
    ("resolve", "Resolve"),
    ("report", "Report"),
)


def address(path: str, **query: str | None) -> str:
    """A path of ours with its query; empty values are left out.

    >>> address("/label", rater="a b", unit=None)
    '/label?rater=a+b'
    """
    given = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(given)}" if given else path


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the content of a page."""

    #: Which of the pages it is, and who reads it.
    tab: str = ""
    rater: str = ""
    #: How wide it is (narrow, medium, wide, or the whole window), and its style sheet.
    shape: str = ""
    style: str = "goldassay.css"
    #: The version of the labels that it shows, for a page that follows them.
    live: str = ""
    #: The seconds after which the page asks for itself once more.
    again: int = 0


def page(title: str, main: Child, frame: Frame) -> Markup:
    """A whole page."""
    rater = frame.rater
    tabs = [
        el(
            "a",
            {
                "href": address(f"/{name}", rater=rater),
                "aria-current": name == frame.tab and "page",
            },
            word,
        )
        for name, word in TABS
    ]
    who: Child = None
    if rater:
        who = el(
            "span",
            {"class": "who"},
            "rater ",
            el("b", {"dir": "auto"}, rater),
            " · ",
            el("a", {"href": "/"}, "change"),
        )
    head = (
        el("meta", {"charset": "utf-8"}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "color-scheme", "content": "light dark"}),
        el("title", None, f"{title} · goldassay"),
        el("link", {"rel": "icon", "href": "/static/icon.svg", "type": "image/svg+xml"}),
        el("link", {"rel": "stylesheet", "href": f"/static/{frame.style}"}),
        el("link", {"rel": "stylesheet", "href": "/static/top.css"}),
        el("script", {"src": "/static/goldassay.js", "defer": True}),
    )
    bar = el(
        "header",
        {"class": "top"},
        el(
            "a",
            {"class": "mark-of-goldassay", "href": "/"},
            el("span", {"aria-hidden": "true"}, "◆ "),
            "goldassay",
        ),
        el("nav", {"aria-label": "Pages"}, tabs),
        who,
    )
    body = (
        el("a", {"class": "skip-link", "href": "#main"}, "Skip to the page"),
        bar,
        el(
            "main",
            {
                "id": "main",
                "class": frame.shape or None,
                "data-live": frame.live or None,
                "data-again": frame.again or None,
            },
            main,
        ),
    )
    return document(el("head", None, head), el("body", None, body))


def pager(path: str, query: Mapping[str, str], number: int, pages: int) -> Markup | None:
    """The way to the pages before and after, by keys too."""
    if pages == 1:
        return None

    def to(other: int, word: str, key: str) -> Markup | None:
        link = address(path, **{**query, "page": str(other)})
        mark = el("kbd", None, key)
        return el("a", {"href": link, "data-key": key}, word, mark) if 1 <= other <= pages else None

    return el(
        "nav",
        {"class": "pager", "aria-label": "More"},
        to(number - 1, "← before ", "p"),
        el("span", {"class": "quiet"}, f"page {number:,} of {pages:,}"),
        to(number + 1, "after → ", "n"),
    )


def message_page(title: str, *sentences: str) -> Markup:
    """A page that only says something."""
    said = [el("p", None, sentence) for sentence in sentences]
    body = el("div", {"class": "card"}, el("h1", None, title), said)
    return page(title, body, Frame(shape="narrow"))


def table(columns: Sequence[str], rows: Sequence[Sequence[Child]], *, numbers: int = 99) -> Markup:
    """A table; from column `numbers` on, cells stand to the right."""
    head = [
        el("th", {"scope": "col", "class": i >= numbers and "n"}, name)
        for i, name in enumerate(columns)
    ]
    body = [
        el(
            "tr",
            None,
            [el("td", {"class": i >= numbers and "n"}, cell) for i, cell in enumerate(row)],
        )
        for row in rows
    ]
    return el(
        "div",
        {"class": "scroll", "tabindex": "0"},
        el("table", None, el("thead", None, el("tr", None, head)), el("tbody", None, body)),
    )
