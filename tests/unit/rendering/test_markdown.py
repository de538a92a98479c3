"""Markdown that a real parser reads as text: no link, no image, no HTML, whatever the labels;
and what it reads is what was written, table by table and sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import sample_documents
from markdown_it import MarkdownIt
from markdown_it.token import Token
from payloads import PAYLOADS

import goldassay as ga
from goldassay.rendering.blocks import Bullets, Grid, Panels, Picture, Prose
from goldassay.rendering.markdown import escaped, render_markdown
from goldassay.rendering.model import story

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
LIVE = {"link_open", "image", "html_inline", "html_block", "code_inline"}


def tokens(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


@pytest.mark.parametrize("number", range(0, len(PAYLOADS), 20))
def test_every_payload_stays_text(number: int) -> None:
    for payload in PAYLOADS[number : number + 20]:
        for text in (
            escaped(payload),
            f"- {escaped(payload)}",
            f"| a |\n| - |\n| {escaped(payload)} |",
        ):
            kinds = {token.type for token in tokens(text)}
            assert not kinds & LIVE, payload
            assert not kinds & {"heading_open", "hr", "fence", "blockquote_open"}, payload


def test_a_report_keeps_its_tables_whole() -> None:
    text = render_markdown(sample_documents.report())
    kinds = [token.type for token in tokens(text)]
    assert kinds.count("table_open") >= 14
    assert not set(kinds) & (LIVE - {"code_inline"})  # names are code
    hostile: dict[str, Any] = sample_documents.report()
    hostile["parts"][0]["tables"]["counts"]["rows"] = [[p, 1, 2] for p in PAYLOADS if len(p) < 999]
    rows = sum(token.type == "tr_open" for token in tokens(render_markdown(hostile)))
    assert rows > len([p for p in PAYLOADS if len(p) < 999])


def test_numbers_are_not_escaped() -> None:
    assert escaped("0.84") == "0.84"
    assert escaped("-0.05") == "-0.05"
    assert escaped("- item") == "\\- item"
    assert escaped("1. first") == "1\\. first"


# --- what was written is read back ----------------------------------------------------------------

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
ASKED = {
    "report": lambda: ga.report(GOLDEN / "ratings.csv", GOLDEN / "task.toml", resamples=60),
    "sample": sample_documents.report,
}
Table = list[tuple[list[str], list[str]]]


def told(inline: Token) -> str:
    """The text of a line; a name that is code is in backticks."""
    parts = inline.children or ()
    return "".join(
        f"`{one.content}`" if one.type == "code_inline" else one.content for one in parts
    )


def tables(text: str) -> list[Table]:
    """Each table: of each line its cells and how they are aligned."""
    found: list[Table] = []
    aligned: list[str] = []
    for token in PARSER.parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append(([], []))
        elif token.type in ("th_open", "td_open"):
            aligned = [str(token.attrGet("style")).removeprefix("text-align:")]
        elif token.type == "inline" and aligned:
            cells, sides = found[-1][-1]
            cells.append(told(token))
            sides += aligned
            aligned = []
    return found


def grids(document: Mapping[str, Any]) -> Iterator[Grid]:
    """Each table of a document's story, those behind its pictures too, in its order."""
    for section in story(document).sections:
        for block in (*section.blocks, *section.details):
            pictures = block.pictures if isinstance(block, Panels) else (block,)
            for one in pictures:
                if isinstance(one, Picture):
                    yield one.grid
                elif isinstance(one, Grid):
                    yield one


def shown(cell: Any) -> str:
    aside = cell.aside if cell.aside.startswith("[") else f"({cell.aside})"
    return f"{cell.text} {aside}".strip() if cell.aside else cell.text


@pytest.mark.parametrize("name", ASKED)
def test_what_is_written_is_read_back(name: str) -> None:
    made = ASKED[name]()
    document = made if isinstance(made, dict) else made.document()
    text = render_markdown(document)
    wanted = [grid for grid in grids(document) if grid.columns]
    found = tables(text)
    assert len(found) == len(wanted) > 5
    for grid, (head, *body) in zip(wanted, found, strict=True):
        assert [one.strip() for one in head[0]] == [one.strip() for one in grid.columns]
        cells = [[shown(cell).strip() for cell in row] for row in grid.rows]
        assert [row for row, _ in body] == cells
        for k, side in enumerate(head[1]):
            assert (side == "right") == any(row[k].numeric for row in grid.rows), grid.columns[k]
    lines = "\n".join(told(one) for one in PARSER.parse(text) if one.type == "inline")
    said = story(document)
    sentences = [*said.verdict, *(one.text for one in (*said.may, *said.may_not))]
    sentences += [one for card in said.cards for one in (card.number, *card.said)]
    for section in said.sections:
        for block in (*section.blocks, *section.details):
            sentences += block.sentences if isinstance(block, Prose) else ()
            sentences += block.items if isinstance(block, Bullets) else ()
    assert len(sentences) > 20
    assert [one for one in sentences if one not in lines] == []
