"""The forms in which a document is written, by a file's suffix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from goldassay.errors import UsageError, shown

__all__ = ["FORMATS", "Format", "rendered"]


@dataclass(frozen=True, slots=True)
class Format:
    """A form of a document: the suffixes that name it, and the function that makes it."""

    suffixes: tuple[str, ...]
    module: str
    function: str

    def render(self, document: Mapping[str, Any]) -> str | bytes:
        made: str | bytes = getattr(import_module(self.module), self.function)(document)
        return made


FORMATS = (
    Format((".json",), "goldassay.results", "dumps"),
    Format((".csv",), "goldassay.rendering.csv", "render_csv"),
    Format((".md",), "goldassay.rendering.markdown", "render_markdown"),
    Format((".html", ".htm"), "goldassay.rendering.html", "render_html"),
    Format((".pdf",), "goldassay.rendering.pdf", "render_pdf"),
    Format((".txt", ".text"), "goldassay.rendering.text", "render_text"),
)


def rendered(document: Mapping[str, Any], suffix: str, *, place: str = "--out") -> str | bytes:
    """The document in the form that a file's suffix names."""
    for one in FORMATS:
        if suffix.lower() in one.suffixes:
            return one.render(document)
    raise UsageError(
        place,
        "is written as .json, .csv, .md, .html, .pdf or .txt",
        found=shown(suffix or "no suffix"),
    )
