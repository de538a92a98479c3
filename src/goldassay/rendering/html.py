"""A document as one self-contained HTML page: no script, no request, light and dark, printable.

The page carries a Content-Security-Policy that allows nothing but its own style sheet, by digest;
whatever a hostile label holds, nothing runs and nothing is fetched.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.rendering.blocks import (
    Block,
    Bullets,
    Cell,
    Command,
    Grid,
    Heading,
    How,
    More,
    Picture,
    Prose,
    Section,
    Story,
)
from goldassay.rendering.charts.canvas import Chart, alternative
from goldassay.rendering.charts.svg import NARROW, WIDE, draw, fits_narrow
from goldassay.rendering.markup import Child, Markup, el, inline, joined
from goldassay.rendering.markup import document as whole_page
from goldassay.rendering.model import story
from goldassay.rendering.style import style
from goldassay.words import bare, visible

__all__ = ["content_security_policy", "fragment", "render_html"]


def content_security_policy() -> str:
    """Nothing but the page's own style sheet, known by its digest."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def render_html(document: Mapping[str, Any]) -> str:
    """The whole page."""
    told = story(document)
    policy = {"http-equiv": "Content-Security-Policy", "content": content_security_policy()}
    view = {"name": "viewport", "content": "width=device-width, initial-scale=1"}
    made = (
        "Made by goldassay. Every number on this page is in its JSON document, and every interval "
        "is named with its method above."
    )
    return joined(
        whole_page(
            el(
                "head",
                None,
                _lines(
                    el("meta", {"charset": "utf-8"}),
                    el("meta", policy),
                    el("meta", view),
                    el("meta", {"name": "referrer", "content": "no-referrer"}),
                    el("title", None, bare(_said(told.title)), " – goldassay"),
                ),
                el("style", None, style()),
            ),
            "\n",
            el(
                "body",
                None,
                "\n",
                _lines(
                    el("a", {"class": "skip", "href": "#main"}, "Skip to the report"),
                    el("header", None, _head(told)),
                    el("main", {"id": "main"}, "\n", _body(told)),
                    el("footer", None, el("p", None, made)),
                ),
            ),
        ),
        "\n",
    )


def fragment(document: Mapping[str, Any]) -> Markup:
    """The report without its frame, for a page that has the style sheet already."""
    told = story(document)
    return joined(_head(told), "\n", _body(told))


def _head(told: Story) -> list[Markup]:
    parts = [el("p", {"class": "brand"}, "goldassay"), el("h1", None, _prose(told.title))]
    if told.subtitle:
        parts.append(el("p", {"class": "soft"}, _prose(told.subtitle)))
    return parts


def _body(told: Story) -> Markup:
    parts = []
    if told.verdict:
        sentences = [el("p", None, _sourced(one, anchor)) for one, anchor in told.verdict]
        parts.append(_named_section("verdict", "verdict", "In short", sentences))
    if told.may or told.may_not:
        may = _claims("may", "You may say", told.may)
        may_not = _claims("not", "You may not say", told.may_not)
        parts.append(el("div", {"class": "claims"}, may, may_not))
    if len(told.sections) > 2:
        links = [el("li", None, _linked(one.title, one.anchor)) for one in told.sections]
        parts.append(el("nav", {"aria-label": "Contents"}, el("ul", None, links)))
    return joined(_lines(*parts), [_section(section) for section in told.sections])


def _sourced(sentence: str, anchor: str) -> list[Child]:
    """A sentence, and a small link to how its number was made."""
    if not anchor:
        return [_prose(sentence)]
    return [_prose(sentence), " ", el("a", {"class": "why", "href": f"#{anchor}"}, "how?")]


def _claims(kind: str, title: str, claims: Sequence[tuple[str, str]]) -> Markup | None:
    items = [el("li", None, _sourced(claim, anchor)) for claim, anchor in claims]
    return _named_section(kind, f"claims-{kind}", title, el("ul", None, items)) if items else None


def _named_section(kind: str, name: str, title: str, content: Child) -> Markup:
    heading = el("h2", {"id": name}, title)
    return el("section", {"class": kind, "aria-labelledby": name}, heading, content)


def _section(section: Section) -> Markup:
    name = f"{section.anchor}-title"
    frame = {"id": section.anchor, "aria-labelledby": name}
    heading = el("h2", {"id": name}, _prose(section.title))
    blocks = _lines(*(_block(block) for block in section.blocks))
    return _lines(el("section", frame, heading, "\n", blocks))


def _block(block: Block) -> Markup:
    match block:
        case Prose(sentences, kind):
            return el("div", {"class": kind}, [el("p", None, _prose(one)) for one in sentences])
        case Bullets(items, kind, folded):
            listed = el("ul", None, [el("li", None, _prose(item)) for item in items])
            shown = el("div", {"class": kind}, listed)
            return _fold(folded, shown) if folded else shown
        case Picture():
            return _picture(block)
        case More(summary, pictures):
            return _fold(summary, _lines(*(_picture(one) for one in pictures)))
        case Grid():
            return _folded(block)
        case Command(line, anchor):
            how = (" (", el("a", {"href": f"#{anchor}"}, "how each number was made"), ")")
            again = el("p", {"class": "note"}, "Print it again", how if anchor else None, ":")
            return joined(again, el("pre", None, el("code", None, _said(line))))
        case Heading(text, anchor):
            return el("h3", {"id": anchor or None}, _prose(text))
        case How(anchor, name, facts):
            told = [
                el("li", None, el("b", None, _said(word), ":"), " ", _prose(text))
                for word, text in facts
            ]
            # The target is inside, so that following a link to it opens the fold.
            inner = el("ul", {"id": anchor}, told or el("li", None, "As named."))
            return el("details", {"class": "how"}, el("summary", None, _said(name)), inner)


def _picture(picture: Picture) -> Markup:
    """A chart, or the beginning of a long one and the whole on demand; the numbers behind it."""
    chart, first = picture.chart, picture.short or picture.chart
    title, rows = chart.get("title"), len(chart.get("rows", ()))
    return el(
        "figure",
        None,
        el("figcaption", None, _prose(title)) if title else None,
        _drawing(first),
        el("p", {"class": "note"}, _prose(alternative(first))) if chart.get("alt") else None,
        _fold(f"The whole picture, {rows:,} rows", _drawing(chart)) if picture.short else None,
        _lines(_folded(picture.grid)),
    )


def _drawing(chart: Chart) -> Markup:
    """A chart for wide screens, and again for telephones where it fits."""
    if not fits_narrow(chart):
        return _scrolling(draw(chart), str(chart.get("title") or "chart"))
    both = (draw(chart, width=WIDE, kind="desk"), draw(chart, width=NARROW, kind="phone"))
    return joined(both)


def _fold(summary: str, content: Child) -> Markup:
    return el("details", None, el("summary", None, _prose(summary)), content)


def _folded(grid: Grid) -> Markup:
    table = _table(grid)
    return _fold(grid.folded, _lines(table)) if grid.folded else table


def _table(grid: Grid) -> Markup:
    numeric = [
        any(row[k].numeric for row in grid.rows if k < len(row)) for k in range(len(grid.columns))
    ]
    name = grid.title or grid.folded or "table"
    anchors = grid.anchors or ("",) * len(grid.columns)
    head = [
        el("th", {"scope": "col", "class": right and "n"}, _linked(column, anchor))
        if column
        else el("td")
        for column, anchor, right in zip(grid.columns, anchors, numeric, strict=True)
    ]
    rows = [
        el("tr", None, [_cell(cell, k, numeric) for k, cell in enumerate(row)]) for row in grid.rows
    ]

    def table(lines: Sequence[Markup], called: str) -> Markup:
        body = (el("thead", None, el("tr", None, head)), el("tbody", None, lines))
        return _scrolling(el("table", {"aria-label": bare(_said(called))}, body), called)

    rest = rows[grid.head :] if grid.head is not None else []
    more = f"{name}, more rows"
    return joined(
        # Not a <caption>: that would be as wide as the table and scroll away with it.
        el("p", {"class": "caption"}, _prose(grid.title)) if grid.title else None,
        table(rows[: grid.head], name),
        _fold(f"{len(rest):,} more rows", table(rest, more)) if rest else None,
        [el("p", {"class": "note"}, _prose(note)) for note in grid.notes],
    )


def _linked(text: str, anchor: str) -> Child:
    return el("a", {"href": f"#{anchor}"}, _said(text)) if anchor else _said(text)


def _cell(cell: Cell, column: int, numeric: Sequence[bool]) -> Markup:
    content: list[Child] = [_linked(cell.text, cell.anchor)]
    if cell.aside:
        content += [" ", el("span", {"class": "interval"}, _said(cell.aside))]
    if column == 0:
        return el("th", {"scope": "row", "class": len(cell.text) > 40 and "w"}, content)
    if column < len(numeric) and numeric[column]:
        return el("td", {"class": "n"}, content)
    return el("td", {"class": len(cell.text) > 32 and "w"}, content)


def _scrolling(content: Markup, name: str) -> Markup:
    """Content that may be wider than the screen scrolls by itself, with the keyboard too."""
    frame = {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": bare(_said(name))}
    return el("div", frame, content)


def _lines(*parts: Markup) -> Markup:
    """Each part on a line of its own, so that the page's source can be read and compared."""
    return joined((part, "\n") for part in parts)


def _said(text: object) -> str:
    """A text of the document on one line, its length bounded."""
    # A percent sign does not part from its number at the end of a line.
    return _PERCENT.sub("\u00a0%", visible("" if text is None else text))


def _prose(text: object) -> Markup:
    """A sentence, its names in code face."""
    return inline(_said(text))


_PERCENT = re.compile(r"(?<=\d) %")
