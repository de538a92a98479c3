"""The forms in which a document is written, by a file's suffix."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from goldassay.errors import UsageError, shown
from goldassay.frozen import dataclass

__all__ = ["FORMATS", "Format", "format_of", "rendered"]


@dataclass(frozen=True, slots=True)
class Format:
    """A form of a document: the suffixes that name it, and the function that makes it."""

    suffixes: tuple[str, ...]
    module: str
    function: str
    #: Where a form shows the first screen: module and function of the one with everything.
    full: tuple[str, str] | None = None

    def render(self, document: Mapping[str, Any], *, full: bool = False) -> str | bytes:
        module, function = self.full if full and self.full else (self.module, self.function)
        made: str | bytes = getattr(import_module(module), function)(document)
        return made


FORMATS = (
    Format((".json",), "goldassay.results", "dumps"),
    Format((".csv",), "goldassay.rendering.csv", "render_csv"),
    Format((".md",), "goldassay.rendering.markdown", "render_markdown"),
    Format((".html", ".htm"), "goldassay.rendering.html", "render_html"),
    Format((".pdf",), "goldassay.rendering.pdf", "render_pdf"),
    Format(
        (".txt", ".text"),
        "goldassay.rendering.text",
        "render_text",
        full=("goldassay.rendering.full_text", "render_full"),
    ),
    # What CI services read: the gates alone.
    Format((".xml",), "goldassay.rendering.junit", "render_junit"),
    Format((".sarif",), "goldassay.rendering.sarif", "render_sarif"),
)


def rendered(
    document: Mapping[str, Any], suffix: str, *, place: str = "--out", full: bool = False
) -> str | bytes:
    """The document in the form that a file's suffix names; of text all of it, if `full`."""
    return format_of(suffix, place=place).render(document, full=full)


def format_of(suffix: str, *, place: str = "--out") -> Format:
    """The form that a suffix names, or an error that lists them."""
    for one in FORMATS:
        if suffix.lower() in one.suffixes:
            return one
    raise UsageError(
        place,
        "is written as .json, .csv, .md, .html, .pdf or .txt; its gates as .xml or .sarif",
        found=shown(suffix or "no suffix"),
    )
