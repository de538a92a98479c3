"""A document as Markdown that reads well as plain text and survives hostile labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from goldassay.reference_words import renders
from goldassay.rendering.blocks import (
    PRINTED,
    Block,
    Bullets,
    Cell,
    Command,
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
from goldassay.rendering.charts.canvas import alternative
from goldassay.rendering.model import story
from goldassay.words import NAMED, visible

__all__ = ["escaped", "prose", "render_brief", "render_markdown"]

# Everything that CommonMark or GitHub gives a meaning inside a line, links without brackets too.
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$!&@])")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|javascript|data|file|www)([:.])")
# What opens a list or a rule at the start of a line; a negative number does not.
_OPENING = re.compile(r"^(\s*\d*)([-+](?=\s|$)|-(?=-)|=(?=[=\s]|$)|(?<=\d)[.)](?=\s|$))")


@renders
def render_markdown(document: Mapping[str, Any]) -> str:
    """The whole story, tables behind the pictures included."""
    told = story(document)
    return _written(told, [line for section in told.sections for line in _section(section)])


@renders
def render_brief(document: Mapping[str, Any]) -> str:
    """The first of the story: the answers, gates and summaries, without pictures and details."""
    told = story(document)
    shown = [
        replace(
            section,
            blocks=tuple(b for b in section.blocks if not isinstance(b, Picture | Panels)),
            details=(),
        )
        for section in told.sections
        if not section.folded
    ]
    return _written(told, [line for one in shown if one.blocks for line in _section(one)])


def _written(told: Story, sections: Sequence[str]) -> str:
    """The title, the first screen and the sections."""
    lines = [f"# {prose(told.title)}", "", *([prose(told.subtitle), ""] * bool(told.subtitle))]
    for card in told.cards:
        shown = " ".join(filter(None, (card.number, card.aside)))
        seen = "" if shown else alternative(card.chart or {})  # what a picture alone would say
        said = "; ".join(filter(None, (shown, *card.said, seen)))
        lines.append(f"- **{prose(card.title)}:** {prose(said)}")
    lines += [""] * bool(told.cards)
    for title, sentences in (
        ("In short", told.verdict),
        ("You may write", [one.text for one in told.may]),
        ("Do not write", [one.text for one in told.may_not]),
    ):
        if sentences:
            lines += [f"## {title}", "", *(f"- {prose(one)}" for one in sentences), ""]
    return "\n".join([*lines, *sections]).rstrip("\n") + "\n"


def escaped(text: object) -> str:
    """Text that Markdown shows as it is: no markup, no link, no HTML.

    >>> escaped("a|b <script> [x](http://y)")
    'a\\\\|b \\\\<script\\\\> \\\\[x\\\\](http\\\\://y)'
    """
    return _escaped(visible("" if text is None else text))


def _escaped(text: str) -> str:
    shown = _MARKUP.sub(r"\\\1", text)
    return _OPENING.sub(r"\1\\\2", _LINK.sub(r"\1\\\2", shown))


def prose(text: object) -> str:
    """A sentence, the names in it as code.

    >>> prose("`a*b` is *strict*")
    '`a*b` is \\\\*strict\\\\*'
    """
    parts = NAMED.split(visible("" if text is None else text))
    return "".join(f"`{one}`" if k % 2 else _escaped(one) for k, one in enumerate(parts))


def _section(section: Section) -> list[str]:
    lines = [f"## {prose(section.title)}", ""]
    for block in (*section.blocks, *section.details):
        if told := _block(block):
            lines += [*told, ""]
    return lines


def _block(block: Block) -> list[str]:
    match block:
        case Prose(sentences, _):
            return [" ".join(prose(sentence) for sentence in sentences)]
        case Bullets(items, kind, _):
            mark = "**Beware:** " if kind == "warnings" else ""
            return [f"- {mark}{prose(item)}" for item in items]
        case Picture(chart, grid, _):
            title = prose(chart.get("title") or "")
            return [f"### {title}", "", prose(alternative(chart)), "", *_table(grid)]
        case Panels(pictures, _):
            return [line for one in pictures for line in (*_block(one), "")]
        case Grid():
            heading = [f"### {prose(block.title or block.folded)}", ""]
            return [*(heading if block.title or block.folded else []), *_table(block)]
        case Command(line, _):
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", line)), default=0))
            return ["Print it again:", "", fence, visible(line), fence]
        case Heading(text, _):
            return [f"### {prose(text)}"]
        case How(_, name, facts, shared):
            last = [one for one in facts if one[0] == PRINTED]
            every = (*(one for one in facts if one not in last), *shared, *last)
            told = [f"  - {word}: {prose(text)}" for word, text in every]
            return [f"- **{escaped(name)}**", *told]
        case Made():  # told of each number above
            return []


def _table(grid: Grid) -> list[str]:
    if not grid.columns:
        return []
    numeric = [any(row[k].numeric for row in grid.rows) for k in range(len(grid.columns))]
    rule = " | ".join("---:" if right else ":---" for right in numeric)
    lines = [f"| {' | '.join(escaped(column) for column in grid.columns)} |", f"| {rule} |"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in grid.rows]
    return lines + [line for note in grid.notes for line in ("", prose(note))]


def _cell(cell: Cell) -> str:
    aside = cell.aside if cell.aside.startswith("[") else f"({cell.aside})"
    return escaped(cell.text) + (f" {escaped(aside)}" if cell.aside else "")
