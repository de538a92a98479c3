"""A document as one self-contained HTML page: no request, light and dark, printable.

The page carries a Content-Security-Policy that allows nothing but its own style sheet and its own
script, by their digests; whatever a hostile label holds, nothing else runs and nothing is fetched.
Without the script the page is complete: it sorts, finds, copies and reads out, and adds nothing.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from goldassay.frozen import dataclass
from goldassay.reference_words import renders
from goldassay.rendering.blocks import (
    Bar,
    Block,
    Bullets,
    Card,
    Cell,
    Claim,
    Command,
    Facts,
    Grid,
    Heading,
    How,
    Made,
    Panels,
    Picture,
    Prose,
    Section,
    Story,
)
from goldassay.rendering.charts.canvas import Chart, alternative
from goldassay.rendering.charts.svg import NARROW, WIDE, draw, fits_narrow
from goldassay.rendering.columns import together
from goldassay.rendering.markup import Child, Markup, el, inline, joined
from goldassay.rendering.markup import document as whole_page
from goldassay.rendering.model import story
from goldassay.rendering.style import script, style
from goldassay.words import bare, counted, visible

__all__ = ["content_security_policy", "fragment", "render_html"]


def content_security_policy(script: str = "") -> str:
    """Nothing but the page's own style sheet, and its script if it has one, by their digests."""
    allowed = f"style-src '{_digest(style())}'"
    if script:
        allowed += f"; script-src '{_digest(script)}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@renders
def render_html(document: Mapping[str, Any]) -> str:
    """The whole page."""
    told = story(document)
    policy = {"http-equiv": "Content-Security-Policy", "content": content_security_policy(script())}
    view = {"name": "viewport", "content": "width=device-width, initial-scale=1"}
    made = "Made by goldassay. Every number is in the JSON document too, with how it was made."
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
                    el("title", None, bare(visible(told.title)), " – goldassay"),
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
                    el(
                        "div",
                        {"class": "sides"},
                        _rail(told),
                        el("main", {"id": "main"}, "\n", _body(told)),
                    ),
                    el("footer", None, el("p", None, made)),
                    el("script", None, script()),
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
    read = el("span", {"class": "soft"}, _said(told.subtitle)) if told.subtitle else None
    brand = el("p", {"class": "brand"}, "goldassay", " " if read else None, read)
    parts = [brand, el("h1", None, _said(told.title))]
    if told.provisional:
        place = "beware" if any(one.anchor == "beware" for one in told.sections) else ""
        assumed = _linked("what was assumed", place)
        parts.append(el("p", {"class": "provisional"}, "Provisional: see ", assumed))
    return parts


def _rail(told: Story) -> Markup | None:
    """The questions, each with its answer in a line, beside the page."""
    questions = [one for one in told.sections if not one.folded]
    if len(questions) < 3:
        return None
    links = [
        el(
            "li",
            None,
            el("a", {"href": f"#{one.anchor}"}, _said(one.title)),
            el("p", None, _said(one.lead)) if one.lead else None,
        )
        for one in questions
    ]
    more = el("li", None, el("a", {"href": "#appendix"}, "Appendix"))
    return el("nav", {"class": "rail", "aria-label": "Questions"}, el("ul", None, links, more))


def _body(told: Story) -> Markup:
    parts = []
    if told.cards:
        cards = [_card(card) for card in told.cards]
        parts.append(el("div", {"class": "cards"}, cards))
    if told.verdict:
        sentences = [el("p", None, _said(one)) for one in told.verdict]
        parts.append(el("div", {"class": "verdict"}, sentences))
    if told.may or told.may_not:
        may = _claims("may", "You may write", told.may)
        may_not = _claims("not", "Do not write", told.may_not)
        parts.append(el("div", {"class": "claims"}, may, may_not))
    notes: list[Child] = []
    if told.beware:
        first = next((one.anchor for one in told.sections if not one.folded), "main")
        link = el("a", {"href": f"#{first}"}, "told under each question")
        notes += [f"{told.beware}, ", link, ". "]
    if told.undeclared:
        notes.append(_said(told.undeclared))
    if notes:
        parts.append(el("p", {"class": "note under"}, notes))
    questions = [_section(section, told.title) for section in told.sections if not section.folded]
    appendix = [_section(section, told.title) for section in told.sections if section.folded]
    rest = None
    if appendix:
        rest = el("section", {"id": "appendix"}, el("h2", None, "Appendix"), appendix)
    return joined(_lines(*parts), questions, rest)


#: The width of a picture on the first screen, in pixels.
CARD = 500


def _card(card: Card) -> Markup:
    """One large number with its picture, beside what it is."""
    title = el("h2", None, _linked(card.title, card.anchor))
    number = joined(
        el("span", {"class": "big"}, _said(card.number)) if card.number else None,
        " " if card.number else None,
        el("span", {"class": "interval"}, _said(card.aside)) if card.aside else None,
    )
    large = el("div", {"class": "number"}, _opening(number, card.how)) if card.number else None
    said = [el("p", {"class": "soft"}, _said(one)) for one in card.said]
    picture = el("div", {"class": "drawn"}, _drawing(card.chart, CARD)) if card.chart else None
    kind = "card" if card.number else "card wide"
    return el("section", {"class": kind}, el("div", None, title, large, said), picture)


def _opening(number: Child, facts: Facts) -> Child:
    """A number that opens to say how it was made."""
    if not facts:
        return number
    summary = el("summary", {"title": "how?"}, number)
    return el("details", {"class": "number"}, summary, el("ul", {"class": "about"}, _facts(facts)))


def _claims(kind: str, title: str, claims: Sequence[Claim]) -> Markup | None:
    if not claims:
        return None
    items = [el("li", None, el("span", None, _said(one.text)), " ", _why(one)) for one in claims]
    name = f"claims-{kind}"
    heading = el("h2", {"id": name}, title)
    return el("section", {"class": kind, "aria-labelledby": name}, heading, el("ul", None, items))


def _why(claim: Claim) -> Child:
    """How a sentence's number was made, beside it; or the way to the question it rests on."""
    if claim.how:
        return el("span", {"class": "why"}, _opening("how?", claim.how))
    if claim.anchor:
        return el("a", {"class": "why", "href": f"#{claim.anchor}"}, "how?")
    return None


def _section(section: Section, title: str) -> Markup:
    """A section of a page; where the page itself has its title, it is heard and not seen again."""
    blocks = _lines(*(_block(block) for block in section.blocks))
    more = None
    if section.details:
        inner = _lines(*(_block(block) for block in section.details))
        more = el("details", {"class": "more"}, el("summary", None, "Details"), inner)
    if section.folded:
        summary = el("summary", None, _said(section.title))
        return _lines(el("details", {"id": section.anchor, "class": "fold"}, summary, blocks, more))
    name = f"{section.anchor}-title"
    frame = {"id": section.anchor, "aria-labelledby": name}
    same = "unseen" if section.title == title else None
    heading = el("h2", {"id": name, "class": same}, _said(section.title))
    return _lines(el("section", frame, heading, "\n", blocks, more))


def _block(block: Block) -> Markup:
    match block:
        case Prose(sentences, kind):
            return el("div", {"class": kind}, [el("p", None, _said(one)) for one in sentences])
        case Bullets(items, kind, folded):
            listed = el("ul", None, [el("li", None, _said(item)) for item in items])
            shown = el("div", {"class": kind}, listed)
            return _fold(folded, shown) if folded else shown
        case Picture():
            return _picture(block)
        case Panels():
            return _panels(block)
        case Grid():
            return _folded(block)
        case Command(line, anchor):
            how = (" (", el("a", {"href": f"#{anchor}"}, "how each number was made"), ")")
            again = el("p", {"class": "note"}, "Print it again", how if anchor else None, ":")
            return joined(again, el("pre", None, el("code", None, _said(line))))
        case Heading(text, anchor):
            return el("h3", {"id": anchor or None}, _said(text))
        case How(anchor, name, facts, _, ways):
            made = [el("li", None, el("b", None, "Made:"), " ", _ways(ways))] if ways else []
            return _how(anchor, name, [*_facts(facts), *made])
        case Made(title, ways):
            # Dozens of long texts: a list of lines keeps a page small.
            told = [el("li", {"id": anchor}, _run(facts)) for anchor, facts in ways]
            return joined(el("h3", None, _said(title)), el("ol", {"class": "ways"}, told))


def _facts(facts: Facts) -> list[Markup]:
    return [el("li", None, el("b", None, f"{word}:"), " ", _said(text)) for word, text in facts]


def _run(facts: Facts) -> Markup:
    """Facts in one line."""
    return joined(
        ("; " if k else None, el("b", None, word), " ", _said(text))
        for k, (word, text) in enumerate(facts)
    )


def _how(anchor: str, name: str, told: Sequence[Markup]) -> Markup:
    """A fold with how a number was made; the target is inside, so that a link to it opens it."""
    inner = el("ul", {"id": anchor}, told or el("li", None, "As named."))
    return el("details", {"class": "how"}, el("summary", None, _said(name)), inner)


def _way_name(anchor: str) -> str:
    return anchor.replace("-", " ")


#: Links to ways that stand under a table; its numbers lead to more.
MOST_WAYS = 6


def _ways(anchors: Sequence[str]) -> Markup:
    """Links to the ways in which numbers were made."""
    links = [el("a", {"href": f"#{one}"}, _way_name(one)) for one in anchors[:MOST_WAYS]]
    more = f" and {len(anchors) - MOST_WAYS} more" if len(anchors) > MOST_WAYS else None
    return joined([joined(", " if k else None, link) for k, link in enumerate(links)], more)


def _picture(picture: Picture) -> Markup:
    """A chart, or the beginning of a long one and the whole on demand; the numbers behind it."""
    chart, first = picture.chart, picture.short or picture.chart
    title, rows = chart.get("title"), len(chart.get("rows", ()))
    return el(
        "figure",
        None,
        el("figcaption", None, _said(title)) if title else None,
        _drawing(first),
        el("p", {"class": "note"}, _said(alternative(first))) if chart.get("alt") else None,
        _fold(f"The whole picture, {rows:,} rows", _drawing(chart)) if picture.short else None,
        _lines(_folded(picture.grid)),
    )


def _panels(panels: Panels) -> Markup:
    """Small multiples, each as wide as a telephone, on common axes."""
    more = f"{counted(panels.more, 'picture')} more are not drawn; the tables have their numbers."
    shown = [
        el(
            "figure",
            None,
            el("figcaption", None, _said(one.chart.get("title") or "")),
            draw(one.chart, width=NARROW),
            _lines(_folded(one.grid)),
        )
        for one in panels.pictures
    ]
    note = el("p", {"class": "note"}, more) if panels.more > 0 else None
    return joined(el("div", {"class": "panels"}, shown), note)


def _drawing(chart: Chart, width: float = WIDE) -> Markup:
    """A chart for wide screens, and again for telephones where it fits."""
    if not fits_narrow(chart):
        return _scrolling(draw(chart), str(chart.get("title") or "chart"))
    both = (draw(chart, width=width, kind="desk"), draw(chart, width=NARROW, kind="phone"))
    return joined(both)


def _fold(summary: str, content: Child, kind: str | None = None) -> Markup:
    return el("details", {"class": kind}, el("summary", None, _said(summary)), content)


def _folded(grid: Grid) -> Markup:
    table = _table(grid)
    return _fold(grid.folded, _lines(table)) if grid.folded else table


def _table(grid: Grid) -> Markup:
    numeric = [
        any(row[k].numeric for row in grid.rows if k < len(row)) for k in range(len(grid.columns))
    ]
    name = grid.title or grid.folded or "table"
    anchors = grid.anchors or ("",) * len(grid.columns)
    ways = _placed(grid)
    opens = any(cell.how for row in grid.rows for cell in row)  # only counts have no fold there
    head = [
        el(
            "th" if column else "td",
            {"scope": "col", "class": right and "n", "data-way": ways.columns[k]}
            if column
            else {"data-way": ways.columns[k]},
            _linked(column, anchor),
        )
        for k, (column, anchor, right) in enumerate(
            zip(grid.columns, anchors, numeric, strict=True)
        )
    ]
    named = any(row and row[0].name for row in grid.rows)
    rows = [
        el(
            "tr",
            {
                "class": sum(grid.tied) > 1 and grid.tied[index] and "tied",
                "data-name": row[0].text if row and row[0].name else None,
                "data-way": ways.rows[index],
            },
            [_cell(cell, k, numeric, ways.cells.get((index, k))) for k, cell in enumerate(row)],
        )
        for index, row in enumerate(grid.rows)
    ]

    def table(lines: Sequence[Markup], called: str) -> Markup:
        body = (el("thead", None, el("tr", None, head)), el("tbody", None, lines))
        frame = {"aria-label": bare(visible(called)), "data-summary": named or None}
        frame["data-way"] = ways.table
        return _scrolling(el("table", frame, body), called)

    rest = rows[grid.head :] if grid.head is not None else []
    more = f"{name}, more rows"
    return joined(
        # Not a <caption>: that would be as wide as the table and scroll away with it.
        el("p", {"class": "caption"}, _said(grid.title)) if grid.title else None,
        table(rows[: grid.head], name),
        _fold(f"{len(rest):,} more rows", table(rest, more), "rest") if rest else None,
        el("p", {"class": "note"}, "how? ", _ways(ways.all)) if ways.all and not opens else None,
        [el("p", {"class": "note"}, _said(note)) for note in grid.notes],
    )


@dataclass(frozen=True)
class _Placed:
    """Where a table says the way of its numbers: a cell's own, else its column's, its row's, or
    the table's. Most have one of all, and a page of many judges stays small."""

    table: str | None
    columns: Sequence[str | None]
    rows: Sequence[str | None]
    cells: Mapping[tuple[int, int], str]
    all: Sequence[str]


def _placed(grid: Grid) -> _Placed:
    cells = {
        (r, k): cell.way.removeprefix("way-")
        for r, row in enumerate(grid.rows)
        for k, cell in enumerate(row)
        if cell.way
    }
    count = Counter(cells.values())
    usual = count.most_common(1)[0][0] if count else None
    every = [f"way-{way}" for way in count]

    def of_line(axis: int, at: int) -> str | None:
        found = {way for place, way in cells.items() if place[axis] == at}
        return found.pop() if len(found) == 1 else None

    if len(count) < 2:
        nothing = [None] * len(grid.columns), [None] * len(grid.rows)
        return _Placed(usual, *nothing, {}, every)
    columns = [of_line(1, k) for k in range(len(grid.columns))]
    cells = {place: way for place, way in cells.items() if columns[place[1]] is None}
    rows = [of_line(0, r) for r in range(len(grid.rows))]
    rest = {(r, k): way for (r, k), way in cells.items() if rows[r] is None and way != usual}
    rows = [None if way == usual else way for way in rows]
    return _Placed(usual, columns, rows, rest, every)


def _linked(text: str, anchor: str) -> Child:
    return el("a", {"href": f"#{anchor}"}, _said(text)) if anchor else _said(text)


def _cell(cell: Cell, column: int, numeric: Sequence[bool], way: str | None) -> Markup:
    shown: list[Child] = [_linked(cell.text, cell.anchor)]
    if cell.name:
        shown = [el("code", None, el("bdi", None, visible(cell.text)))]
    if cell.aside:
        # Thousands of them: a short element keeps a page of many judges below a megabyte.
        shown += [" ", el("i", None, _said(cell.aside))]
    content = [_opening(shown, cell.how), _bar(cell.bar) if cell.bar else None]
    if column == 0:
        return el("th", {"scope": "row", "class": len(cell.text) > 40 and "w"}, content)
    kind = "n" if column < len(numeric) and numeric[column] else len(cell.text) > 32 and "w"
    return el("td", {"class": kind, "data-way": way}, content)


#: The width and height of an interval drawn in a cell, in pixels.
BAR = (120, 12)


def _bar(bar: Bar) -> Markup:
    """An interval in a cell; the number beside it says the same, so that it is not read aloud."""
    width, height = BAR
    low, value, high = (round(4 + (width - 8) * x, 1) for x in (bar.low, bar.value, bar.high))
    frame: dict[str, str | int | bool | None] = {
        "class": "strip",
        "width": width,
        "height": height,
        "viewBox": f"0 0 {width} {height}",
        "aria-hidden": "true",
    }
    middle = str(height / 2)
    parts = [
        el("line", {"class": "grid", "x1": "4", "x2": str(width - 4), "y1": middle, "y2": middle}),
        el("path", {"class": "bar c0", "d": f"M{low} {middle}H{high}"}),
        el("circle", {"class": "mark c0", "cx": str(value), "cy": middle, "r": "4"}),
    ]
    return el("svg", frame, parts)


def _scrolling(content: Markup, name: str) -> Markup:
    """Content that may be wider than the screen scrolls by itself, with the keyboard too."""
    frame = {"class": "scroll", "role": "group", "tabindex": "0", "aria-label": bare(visible(name))}
    return el("div", frame, content)


def _lines(*parts: Markup) -> Markup:
    """Each part on a line of its own, so that the page's source can be read and compared."""
    return joined((part, "\n") for part in parts)


def _said(text: object) -> Markup:
    """A text of the document on one line, its length bounded, its names in a code face."""
    return inline(together(visible("" if text is None else text)))
