"""HTML and SVG from Python: everything is escaped unless it was made here.

`el` builds one element. A child that is plain text is escaped and its invisible characters are
made visible; only `Markup`, which nothing but this module makes, passes as it is. Attribute names
and tags come from the code, never from data. HTML that was made elsewhere from data, as Markdown
is, comes in through `cleaned` alone: what is not on its short lists is gone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

from goldassay.words import NAMED, spelled

__all__ = [
    "Child",
    "Markup",
    "block",
    "cleaned",
    "cut",
    "document",
    "el",
    "inline",
    "joined",
    "name",
    "text",
]

#: Elements without an end, and shapes of SVG, which end at once where they hold nothing.
_VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
_SHAPES = frozenset({"circle", "line", "path", "rect"})
#: Most of what a page says needs no escaping: numbers, classes, plain words.
_ordinary = re.compile(r"[A-Za-z0-9 .,:;#()/%+-]*").fullmatch
#: What HTML made from data may hold: words, lists, tables, code, our own pictures, mathematics.
_CLEAN_TAGS = """
p br hr strong em s code pre blockquote ul ol li table thead tbody tr th td span div img
math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover
mmultiscripts mprescripts mtable mtr mtd mstyle mpadded mphantom menclose
"""
#: Attributes by element; no address but that of our own pictures, no length, no style.
_CLEAN_ATTRIBUTES: dict[str, set[str]] = {
    "p": {"class"},
    "span": {"class"},
    "div": {"class"},
    "code": {"class"},
    "ol": {"start"},
    "img": {"src", "alt", "loading"},
    "math": {"display"},
    "mi": {"mathvariant"},
    "mo": {"stretchy", "fence", "form", "separator", "largeop", "movablelimits"},
    "mtable": {"columnalign"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mover": {"accent"},
    "munder": {"accentunder"},
    "menclose": {"notation"},
}
_CLEAN_CLASS = re.compile(r"md-[a-z0-9-]{1,24}").fullmatch
#: Where our own pictures are served.
_PICTURES = "/image?"
Child = str | int | None | Iterable["Child"]
Attributes = Mapping[str, str | int | bool | None]


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: object) -> Markup:
    """Anything as escaped text.

    >>> text("<b>&")
    '&lt;b&gt;&amp;'
    """
    return value if isinstance(value, Markup) else Markup(_escaped(str(value)))


def _escaped(value: str) -> str:
    return value if _ordinary(value) else html.escape(spelled(value))


def joined(*children: Child) -> Markup:
    """Children of an element, nested or not, one after another; None is nothing."""
    parts: list[str] = []
    _gather(children, parts)
    return Markup("".join(parts))


def _gather(child: Child, parts: list[str]) -> None:
    if isinstance(child, Markup):
        parts.append(child)
    elif isinstance(child, str) or isinstance(child, int):  # noqa: SIM101 - a union is slower
        parts.append(text(child))
    elif child is not None:
        for one in child:
            _gather(one, parts)


def el(tag: str, attributes: Attributes | None = None, *children: Child) -> Markup:
    """One element. An attribute that is None or False is left out; True stands alone.

    >>> el("a", {"href": "/?q=\\"", "hidden": None}, "1 < 2", el("br"))
    '<a href="/?q=&quot;">1 &lt; 2<br></a>'
    >>> el("rect", {"x": 1}), el("rect", {"x": 1}, el("title", None, "&"))
    ('<rect x="1"/>', '<rect x="1"><title>&amp;</title></rect>')
    """
    words = [tag]
    for name, value in (attributes or {}).items():
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            words.append(f'{name}="{_escaped(str(value))}"')
    opening, content = " ".join(words), _content(tag, children)
    if tag in _VOID:
        return Markup(f"<{opening}>")
    if tag in _SHAPES and not content:
        return Markup(f"<{opening}/>")
    return Markup(f"<{opening}>{content}</{tag}>")


def inline(value: object) -> Markup:
    """Prose whose names, which stand between backticks (`words.named`), are in code face.

    >>> inline("`<gpt>` says `yes` & stops")
    '<code>&lt;gpt&gt;</code> says <code>yes</code> &amp; stops'
    """
    prose = str(value)
    if "`" not in prose:
        return text(prose)
    parts = NAMED.split(prose)
    return joined(el("code", None, one) if k % 2 else one for k, one in enumerate(parts))


def _content(tag: str, children: tuple[Child, ...]) -> str:
    if tag not in ("style", "script"):
        return joined(children)
    # A browser reads a style sheet or a script as it stands, up to the first end tag.
    sheet = "".join(str(child) for child in children)
    if "</" in sheet or "<!--" in sheet:
        raise ValueError(f"a {tag} holds no end tag")
    return sheet


def cleaned(html_of_data: str) -> Markup:
    """HTML made from data, down to what is listed here: nothing runs, nothing is fetched from
    elsewhere, nothing has a style of its own. Needs the extra `serve`."""
    import nh3

    def kept(tag: str, attribute: str, value: str) -> str | None:
        if attribute == "class":
            return " ".join(w for w in value.split() if _CLEAN_CLASS(w)) or None
        if attribute == "src":
            return value if value.startswith(_PICTURES) else None
        if attribute == "start":
            return value if value.isascii() and value.isdigit() and len(value) < 7 else None
        return value[:400]

    return Markup(
        nh3.clean(
            html_of_data,
            tags=set(_CLEAN_TAGS.split()),
            attributes=_CLEAN_ATTRIBUTES,
            attribute_filter=kept,
            url_schemes=set(),
            link_rel=None,
            strip_comments=True,
        )
    )


def document(*children: Child) -> Markup:
    """A whole page, in English."""
    return Markup(f"<!doctype html>\n{el('html', {'lang': 'en'}, *children)}")


def block(value: str, *, limit: int, rest: str | None = None) -> Markup:
    """A text of any size as it was written, cut at `limit` characters with a link to the rest."""
    if not value:
        return el("p", {"class": "absent"}, "(empty)")
    more: Markup | None = None
    if len(value) > limit:
        note = f"{len(value) - limit:,} more characters"
        link = el("a", {"href": rest, "target": "_blank"}, "read the whole text") if rest else None
        more = el("p", {"class": "more"}, f"… {note}", ": " if link else None, link)
    shown = el("div", {"class": "text", "dir": "auto", "tabindex": "0"}, value[:limit])
    return joined(shown, more)


def cut(value: str, limit: int) -> str:
    """The text, or its beginning and how long it is.

    >>> cut("abcdef", 3)
    'abc… (6 characters)'
    """
    return value if len(value) <= limit else f"{value[:limit]}… ({len(value):,} characters)"


def name(value: str, limit: int = 120) -> Markup:
    """A name, whatever its length and direction, that leaves the text around it alone."""
    return el("bdi", None, cut(value, limit))
