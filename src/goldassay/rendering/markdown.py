"""A document as Markdown that reads well as plain text and survives hostile labels."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
)
from goldassay.rendering.charts.canvas import alternative
from goldassay.rendering.model import story
from goldassay.words import visible

__all__ = ["escaped", "render_markdown"]

# Everything that CommonMark or GitHub gives a meaning inside a line, links without brackets too.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$!&@])")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|javascript|data|file|www)([:.])")
# What opens a list or a rule at the start of a line; a negative number does not.
_OPENING = re.compile(r"^(\s*\d*)([-+](?=\s|$)|-(?=-)|=(?=[=\s]|$)|(?<=\d)[.)](?=\s|$))")


def render_markdown(document: Mapping[str, Any]) -> str:
    """The whole story, tables behind the pictures included."""
    told = story(document)
    lines = [f"# {prose(told.title)}", "", *([escaped(told.subtitle), ""] * bool(told.subtitle))]
    for card in told.cards:
        shown = " ".join(filter(None, (card.number, card.aside)))
        said = "; ".join(filter(None, (shown, *card.said, alternative(card.chart or {}))))
        lines.append(f"- **{prose(card.title)}:** {prose(said)}")
    lines += [""] * bool(told.cards)
    for title, sentences in (
        ("In short", told.verdict),
        ("You may write", [one for one, _ in told.may]),
        ("Do not write", [one for one, _ in told.may_not]),
    ):
        if sentences:
            lines += [f"## {title}", "", *(f"- {prose(one)}" for one in sentences), ""]
    for section in told.sections:
        lines += _section(section)
    return "\n".join(lines).rstrip("\n") + "\n"


def escaped(text: object) -> str:
    """Text that Markdown shows as it is: no markup, no link, no HTML.

    >>> escaped("a|b <script> [x](http://y)")
    'a\\\\|b \\\\<script\\\\> \\\\[x\\\\](http\\\\://y)'
    """
    shown = _MARKUP.sub(r"\\\1", visible("" if text is None else text))
    return _OPENING.sub(r"\1\\\2", _LINK.sub(r"\1\\\2", shown))


def prose(text: object) -> str:
    """A sentence: names between backticks as code, everything else escaped.

    >>> prose("`a_b` is *better*")
    '`a_b` is \\*better\\*'
    """
    parts = visible("" if text is None else text).split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    return "".join(_code(one) if k % 2 else escaped(one) for k, one in enumerate(parts))


def _code(name: str) -> str:
    """A name as a code span, which a cell of a table must not end."""
    return f"`{name}`" if not set(name) & set("|<>&\\") else escaped(name)


def _section(section: Section) -> list[str]:
    lines = [f"## {escaped(section.title)}", ""]
    for block in (*section.blocks, *section.details):
        lines += [*_block(block), ""]
    return lines


def _block(block: Block) -> list[str]:
    match block:
        case Prose(sentences, _):
            return [" ".join(prose(sentence) for sentence in sentences)]
        case Bullets(items, kind, _):
            mark = "**Beware:** " if kind == "warnings" else ""
            return [f"- {mark}{prose(item)}" for item in items]
        case Picture(chart, grid, _):
            title = escaped(chart.get("title") or "")
            return [f"### {title}", "", escaped(alternative(chart)), "", *_table(grid)]
        case More(_, pictures):
            return [line for one in pictures for line in (*_block(one), "")]
        case Grid():
            heading = [f"### {escaped(block.title or block.folded)}", ""]
            return [*(heading if block.title or block.folded else []), *_table(block)]
        case Command(line, _):
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", line)), default=0))
            return ["Print it again:", "", fence, visible(line), fence]
        case Heading(text, _):
            return [f"### {escaped(text)}"]
        case How(_, name, facts):
            told = [f"  - {word}: {escaped(text)}" for word, text in facts]
            return [f"- **{escaped(name)}**", *told]


def _table(grid: Grid) -> list[str]:
    if not grid.columns:
        return []
    numeric = [any(row[k].numeric for row in grid.rows) for k in range(len(grid.columns))]
    rule = " | ".join("---:" if right else ":---" for right in numeric)
    lines = [f"| {' | '.join(escaped(column) for column in grid.columns)} |", f"| {rule} |"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in grid.rows]
    return lines + [line for note in grid.notes for line in ("", escaped(note))]


def _cell(cell: Cell) -> str:
    return escaped(cell.text) + (f" ({escaped(cell.aside)})" if cell.aside else "")
