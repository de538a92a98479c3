"""Markdown that a real parser reads as text: no link, no image, no HTML, whatever the labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import sample_documents
from markdown_it import MarkdownIt
from markdown_it.token import Token
from payloads import PAYLOADS

from goldassay.rendering.markdown import escaped, render_markdown

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
