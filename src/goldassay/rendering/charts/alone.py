"""A chart that stands alone: an SVG with its own colours, for a file or a notebook."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

__all__ = ["standing_alone"]


def standing_alone(svg: str) -> str:
    """The drawing with its name space and the part of the style sheet that it needs."""
    head, mark, rest = svg.partition(">")
    space = "" if "xmlns=" in head else ' xmlns="http://www.w3.org/2000/svg"'
    return f"{head}{space}{mark}<style>{_style()}</style>{rest}"


@cache
def _style() -> str:
    """The colours and the rules of marks, of the style sheet of pages."""
    text = files("goldassay.rendering").joinpath("style.css").read_text(encoding="utf-8")
    colours = re.search(r":root\s*\{[^}]*\}", text)
    marks = re.findall(r"^(?:svg|\.c\d|\.[a-z-]+)[^{\n]*\{[^}\n]*\}$", text, flags=re.M)
    return "\n".join([colours.group() if colours else "", *marks])
