"""A document as one self-contained HTML page: no script, no request, light and dark, printable.

The page carries a Content-Security-Policy that allows nothing but its own style sheet, by digest;
whatever a hostile label holds, nothing runs and nothing is fetched.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
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
from goldassay.rendering.charts.svg import NARROW, draw, fits_narrow
from goldassay.rendering.model import story
from goldassay.words import visible

__all__ = ["content_security_policy", "fragment", "render_html", "style"]


@cache
def style() -> str:
    """The style sheet of every page."""
    return files("goldassay.rendering").joinpath("style.css").read_text(encoding="utf-8")


def content_security_policy() -> str:
    """Nothing but the page's own style sheet, known by its digest."""
    digest = base64.b64encode(hashlib.sha256(style().encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def render_html(document: Mapping[str, Any]) -> str:
    """The whole page."""
    told = story(document)
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{content_security_policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{_t(told.title)} – goldassay</title>\n"
        f"<style>{style()}</style></head>\n<body>\n"
        '<a class="skip" href="#main">Skip to the report</a>\n'
        f"<header>{_head(told)}</header>\n"
        f'<main id="main">\n{_body(told)}</main>\n'
        "<footer><p>Made by goldassay. Every number on this page is in its JSON document, and "
        "every "
        "interval is named with its method above.</p></footer>\n</body></html>\n"
    )


def fragment(document: Mapping[str, Any]) -> str:
    """The report without its frame, for a page that has the style sheet already."""
    told = story(document)
    return f"{_head(told)}\n{_body(told)}"


def _head(told: Story) -> str:
    subtitle = f'<p class="soft">{_t(told.subtitle)}</p>' if told.subtitle else ""
    return f'<p class="brand">goldassay</p><h1>{_t(told.title)}</h1>{subtitle}'


def _body(told: Story) -> str:
    parts = []
    if told.verdict:
        sentences = "".join(f"<p>{_t(one)}{_how(anchor)}</p>" for one, anchor in told.verdict)
        parts.append(
            '<section class="verdict" aria-labelledby="verdict"><h2 id="verdict">In short</h2>'
            f"{sentences}</section>\n"
        )
    if told.may or told.may_not:
        may = _claims("may", "You may say", told.may)
        parts.append(
            f'<div class="claims">{may}{_claims("not", "You may not say", told.may_not)}</div>\n'
        )
    if len(told.sections) > 2:
        links = "".join(f'<li><a href="#{s.anchor}">{_t(s.title)}</a></li>' for s in told.sections)
        parts.append(f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n')
    parts += [_section(section) for section in told.sections]
    return "".join(parts)


def _how(anchor: str) -> str:
    """A small link from a sentence to how its number was made."""
    return f' <a class="why" href="#{anchor}">how?</a>' if anchor else ""


def _claims(kind: str, title: str, claims: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<li>{_t(claim)}{_how(anchor)}</li>" for claim, anchor in claims)
    if not items:
        return ""
    name = f"claims-{kind}"
    return (
        f'<section class="{kind}" aria-labelledby="{name}"><h2 id="{name}">{title}</h2>'
        f"<ul>{items}</ul></section>"
    )


def _section(section: Section) -> str:
    blocks = [_block(block) for block in section.blocks]
    name = f"{section.anchor}-title"
    return (
        f'<section id="{section.anchor}" aria-labelledby="{name}">'
        f'<h2 id="{name}">{_t(section.title)}</h2>\n{"".join(blocks)}</section>\n'
    )


def _block(block: Block) -> str:
    match block:
        case Prose(sentences, kind):
            text = "".join(f"<p>{_t(sentence)}</p>" for sentence in sentences)
            return f'<div class="{kind}">{text}</div>\n'
        case Bullets(items, kind, folded):
            listed = "".join(f"<li>{_t(item)}</li>" for item in items)
            text = f'<div class="{kind}"><ul>{listed}</ul></div>'
            return f"{_fold(folded, text)}\n" if folded else f"{text}\n"
        case Picture():
            return _picture(block)
        case More(summary, pictures):
            drawn = "".join(_picture(one) for one in pictures)
            return f"{_fold(summary, drawn)}\n"
        case Grid():
            return _folded(block)
        case Command(line, anchor):
            how = f' (<a href="#{anchor}">how each number was made</a>)' if anchor else ""
            return f'<p class="note">Print it again{how}:</p><pre><code>{_t(line)}</code></pre>\n'
        case Heading(text, anchor):
            name = f' id="{anchor}"' if anchor else ""
            return f"<h3{name}>{_t(text)}</h3>\n"
        case How(anchor, name, facts):
            # The target is inside, so that following a link to it opens the fold.
            told = "".join(f"<li><b>{_t(word)}:</b> {_t(text)}</li>" for word, text in facts)
            inner = f'<ul id="{anchor}">{told or "<li>As named.</li>"}</ul>'
            return f'<details class="how"><summary>{_t(name)}</summary>{inner}</details>\n'


def _picture(picture: Picture) -> str:
    """A chart, or the beginning of a long one and the whole on demand; the numbers behind it."""
    chart, first = picture.chart, picture.short or picture.chart
    title = f"<figcaption>{_t(chart.get('title'))}</figcaption>" if chart.get("title") else ""
    note = f'<p class="note">{_t(alternative(first))}</p>' if chart.get("alt") else ""
    whole = ""
    if picture.short is not None:
        whole = _fold(f"The whole picture, {len(chart.get('rows', ())):,} rows", _drawing(chart))
    return f"<figure>{title}{_drawing(first)}{note}{whole}{_folded(picture.grid)}</figure>\n"


def _drawing(chart: Chart) -> str:
    """A chart for wide screens, and again for telephones where it fits."""
    wide = draw(chart)
    if not fits_narrow(chart):
        return _scrolling(wide, str(chart.get("title") or "chart"))
    narrow = draw(chart, width=NARROW)
    drawn = wide.replace("<svg ", '<svg class="desk" ', 1)
    return drawn + narrow.replace("<svg ", '<svg class="phone" ', 1)


def _fold(summary: str, content: str) -> str:
    return f"<details><summary>{_t(summary)}</summary>{content}</details>"


def _folded(grid: Grid) -> str:
    table = _table(grid)
    return f"{_fold(grid.folded, table)}\n" if grid.folded else table


def _table(grid: Grid) -> str:
    numeric = [
        any(row[k].numeric for row in grid.rows if k < len(row)) for k in range(len(grid.columns))
    ]
    # Not a <caption>: that would be as wide as the table and scroll away with it.
    caption = f'<p class="caption">{_t(grid.title)}</p>' if grid.title else ""
    name = grid.title or grid.folded or "table"
    anchors = grid.anchors or ("",) * len(grid.columns)
    head = "".join(
        f'<th scope="col"{_right(numeric[k])}>{_linked(column, anchors[k])}</th>'
        if column
        else "<td></td>"
        for k, column in enumerate(grid.columns)
    )
    rows = [
        f"<tr>{''.join(_cell(cell, k, numeric) for k, cell in enumerate(row))}</tr>"
        for row in grid.rows
    ]

    def table(lines: list[str], called: str) -> str:
        body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
        return _scrolling(f'<table aria-label="{_t(called)}">{body}</table>', called)

    notes = "".join(f'<p class="note">{_t(note)}</p>' for note in grid.notes)
    shown = table(rows[: grid.head], name)
    if grid.head is not None and len(rows) > grid.head:
        rest = rows[grid.head :]
        shown += _fold(f"{len(rest):,} more rows", table(rest, f"{name}, more rows"))
    return f"{caption}{shown}{notes}\n"


def _linked(text: str, anchor: str) -> str:
    return f'<a href="#{anchor}">{_t(text)}</a>' if anchor else _t(text)


def _cell(cell: Cell, column: int, numeric: list[bool]) -> str:
    text = _linked(cell.text, cell.anchor)
    if cell.aside:
        text += f' <span class="interval">{_t(cell.aside)}</span>'
    if column == 0:
        long = ' class="w"' if len(cell.text) > 40 else ""
        return f'<th scope="row"{long}>{text}</th>'
    if column < len(numeric) and numeric[column]:
        return f'<td class="n">{text}</td>'
    return f'<td class="w">{text}</td>' if len(cell.text) > 32 else f"<td>{text}</td>"


def _right(numeric: bool) -> str:
    return ' class="n"' if numeric else ""


def _scrolling(content: str, name: str) -> str:
    """Content that may be wider than the screen scrolls by itself, with the keyboard too."""
    return f'<div class="scroll" role="group" tabindex="0" aria-label="{_t(name)}">{content}</div>'


def _t(text: object) -> str:
    # A percent sign does not part from its number at the end of a line.
    return _PERCENT.sub("\u00a0%", escape(visible("" if text is None else text)))


_PERCENT = re.compile(r"(?<=\d) %")
