"""The style sheets (colours, marks of charts, the page around them) and the page's script."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["chart_style", "script", "sheet", "style"]


@cache
def sheet(name: str) -> str:
    """One style sheet of this folder."""
    return files(__name__).joinpath(f"{name}.css").read_text(encoding="utf-8")


@cache
def style() -> str:
    """The style sheet of every page."""
    return "".join(map(sheet, ("colours", "marks", "page")))


@cache
def script() -> str:
    """The page's only script, without what is there for those who change it."""
    text = files(__name__).joinpath("page.js").read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


@cache
def chart_style(scope: str) -> str:
    """Colours and marks for charts inside `scope` alone, in a page that is not ours.

    >>> chart_style(".ours").splitlines()[0]
    '.ours {'
    """
    colours = sheet("colours").replace(":root", scope)
    return colours + re.sub(
        r"([^{}]+)(\{[^{}]*\})", lambda rule: _scoped(rule[1], scope) + rule[2], sheet("marks")
    )


def _scoped(selectors: str, scope: str) -> str:
    """Selectors that reach no further than the scope, which is the drawing itself."""
    told = [one.strip() for one in selectors.split(",")]
    return "\n" + ", ".join(
        f"{scope}{one.removeprefix('svg')}" if one.startswith("svg") else f"{scope} {one}"
        for one in told
    )
