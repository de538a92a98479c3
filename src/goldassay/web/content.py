"""Texts as people see them: Markdown, mathematics, conversations, pictures of one folder.

Texts come from models and are hostile. Markdown is read without HTML in it; what comes out goes
through `rendering.markup.cleaned`, whose lists hold no link, no style and no picture but ours.
Addresses are written out, never followed. Mathematics becomes MathML on the server, and stands as
it was written, in a monospace face, where it cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlencode

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from goldassay.errors import UsageError
from goldassay.frozen import dataclass
from goldassay.rendering.markup import Markup, cleaned, cut, el, joined
from goldassay.words import spelled

__all__ = ["NO_PICTURES", "TEXT_LIMIT", "Pictures", "Turn", "content", "turns"]

#: Characters of a text that a page shows; the rest is one link away.
TEXT_LIMIT = 20_000
#: Longest formula that is read, how many characters of formulas in one text, lines of one.
FORMULA, FORMULAS, LINES = 1_000, 8_000, 40
MOST_TURNS = 200
#: Raster formats by how a file begins, and the names that such files have.
RASTER = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"RIFF": "image/webp",
}
SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".webp"})
LARGEST_PICTURE = 20_000_000


@dataclass(frozen=True, slots=True)
class Pictures:
    """The one folder that pictures may come from; without it there are none."""

    folder: Path | None = None

    @classmethod
    def of(cls, folder: str | None) -> Pictures:
        if folder is None:
            return cls()
        path = Path(folder)
        if not path.is_dir():
            raise UsageError("--images", "must be a folder with pictures", found=folder)
        return cls(path.resolve())

    def find(self, name: str) -> Path | None:
        """The file of that name in the folder, if it is a picture; never one beyond the folder."""
        if self.folder is None or not name or len(name) > 400 or "\0" in name or "\\" in name:
            return None
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts or parts.suffix.lower() not in SUFFIXES:
            return None
        try:
            path = (self.folder / parts).resolve()
            within = path.is_relative_to(self.folder) and path.is_file()
        except OSError:
            return None
        return path if within else None

    def read(self, name: str) -> tuple[bytes, str] | None:
        """The picture and its media type, by what it holds and not by its name."""
        path = self.find(name)
        if path is None or path.stat().st_size > LARGEST_PICTURE:
            return None
        body = path.read_bytes()
        kind = next((kind for head, kind in RASTER.items() if body.startswith(head)), None)
        if kind is None or (kind == "image/webp" and body[8:12] != b"WEBP"):
            return None
        return body, kind


NO_PICTURES = Pictures()


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side of a conversation said."""

    role: str
    text: str


def turns(value: str) -> tuple[Turn, ...]:
    """The turns of a conversation in JSON, as chat interfaces log it; none for any other text.

    >>> turns('[{"role": "user", "content": "Hi"}]')
    (Turn(role='user', text='Hi'),)
    >>> turns("[1, 2]"), turns("[sic] no")
    ((), ())
    """
    if not value.startswith(("[", "{")) or len(value) > 1_000_000:
        return ()
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return ()
    if isinstance(found, dict):
        found = found.get("messages") or found.get("conversation")
    if not isinstance(found, list) or not found:
        return ()
    read = [_turn(one) for one in found[:MOST_TURNS]]
    return tuple(one for one in read if one) if all(read) else ()


def _turn(one: Any) -> Turn | None:
    if not isinstance(one, Mapping):
        return None
    role = one.get("role", one.get("from", one.get("speaker")))
    said = one.get("content", one.get("value", one.get("text")))
    if isinstance(said, Sequence) and not isinstance(said, str):
        said = "\n\n".join(_part(part) for part in said)
    if said is None and one.get("tool_calls"):
        said = json.dumps(one["tool_calls"], ensure_ascii=False, indent=1)
    return Turn(role, said) if isinstance(role, str) and isinstance(said, str) else None


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    return json.dumps(part, ensure_ascii=False)


def content(value: str, pictures: Pictures = NO_PICTURES, *, limit: int = TEXT_LIMIT) -> Markup:
    """A text as people see it, its first `limit` characters."""
    if (name := value.strip()) and pictures.find(name):
        return el("p", None, el("img", {"src": _picture(name), "alt": name, "loading": "lazy"}))
    said = turns(value)
    if not said:
        return _markdown(value[:limit], pictures)
    shown, left = [], limit
    for one in said:
        if left <= 0:
            break
        shown.append(
            el(
                "div",
                {"class": "turn turn-user" if one.role in ("user", "human") else "turn"},
                el("p", {"class": "role", "dir": "auto"}, cut(one.role, 60)),
                el("div", {"class": "md", "dir": "auto"}, _markdown(one.text[:left], pictures)),
            )
        )
        left -= len(one.text)
    return joined(shown)


@lru_cache(maxsize=256)
def _markdown(value: str, pictures: Pictures) -> Markup:
    source = spelled(value)
    try:
        # nh3 holds no lone surrogates; `spelled` has written them out already.
        return cleaned(_reader(pictures).render(source, {}))
    except (RecursionError, IndexError, ValueError):  # a text that no reader of Markdown can take
        return el("p", {"class": "md-plain"}, source)


def _picture(name: str) -> str:
    return f"/image?{urlencode({'name': name})}"


@lru_cache(maxsize=4)
def _reader(pictures: Pictures) -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20})
    reader.enable(["table", "strikethrough"])
    reader.disable(["html_block", "html_inline"])
    reader.inline.ruler.before("escape", "math", _inline_math)
    reader.block.ruler.before(
        "fence", "math", _block_math, {"alt": ["paragraph", "blockquote", "list"]}
    )

    def tamed(state: StateCore) -> None:
        for token in state.tokens:
            if token.type.startswith("heading_"):  # a text's headings are not the page's
                if token.nesting == 1:
                    token.attrJoin("class", f"md-h md-{token.tag}")
                token.tag = "p"
            if token.children:
                token.children = _tamed(token.children, pictures)

    reader.core.ruler.push("tamed", tamed)
    reader.add_render_rule("math", _drawn_math)
    return reader


def _tamed(tokens: Sequence[Token], pictures: Pictures) -> list[Token]:
    """Links as words with their address, pictures of the folder, any other as words."""
    kept: list[Token] = []
    addresses: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            addresses.append(str(token.attrGet("href") or ""))
            token.tag, token.attrs = "span", {"class": "md-link"}
        elif token.type == "link_close":
            token.tag = "span"
            address = addresses.pop() if addresses else ""
            said = kept[-1].content if kept and kept[-1].type == "text" else ""
            if address and address != said:
                kept.append(_words(f" ({address})"))
        elif token.type == "image":
            address = unquote(str(token.attrGet("src") or ""))
            if pictures.find(address) is None:
                kept.append(_words(f"[picture: {token.content} ({address})]"))
                continue
            token.attrs = {"src": _picture(address), "alt": "", "loading": "lazy"}
        kept.append(token)
    return kept


def _words(words: str) -> Token:
    token = Token("text", "", 0)
    token.content = words
    return token


def _inline_math(state: StateInline, silent: bool) -> bool:
    r"""`$x$`, `$$x$$`, `\\(x\\)` and `\\[x\\]`; a price is no formula."""
    source, start = state.src, state.pos
    opened = next((o for o in _DELIMITERS if source.startswith(o, start)), None)
    if opened is None:
        return False
    begin = start + len(opened)
    end = source.find(_DELIMITERS[opened], begin, min(state.posMax, begin + FORMULA + 2))
    latex = source[begin:end] if end > begin else ""
    after = source[end + 1 : end + 2]
    if not latex.strip() or (
        opened == "$" and (latex[0].isspace() or latex[-1].isspace() or after.isdigit())
    ):
        return False
    if not silent:
        token = state.push("math", "", 0)
        token.content, token.info = latex, "block" if opened in ("$$", "\\[") else "inline"
    state.pos = end + len(_DELIMITERS[opened])
    return True


_DELIMITERS = {"$$": "$$", "$": "$", "\\(": "\\)", "\\[": "\\]"}


def _block_math(state: StateBlock, first: int, last: int, silent: bool) -> bool:
    """A formula that begins and ends a line, over several lines."""

    def line(number: int) -> str:
        return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()

    opened = next((o for o in ("$$", "\\[") if line(first).startswith(o)), None)
    if opened is None or line(first)[2:].find(_DELIMITERS[opened]) >= 0:
        return False  # on one line it is read with the words around it
    near = range(first + 1, min(last, first + LINES))
    end = next((n for n in near if line(n).endswith(_DELIMITERS[opened])), None)
    if end is None:
        return False
    latex = "\n".join([line(first)[2:], *(line(n) for n in range(first + 1, end)), line(end)[:-2]])
    if len(latex) > FORMULA or not latex.strip():
        return False
    if not silent:
        token = state.push("math", "", 0)
        token.content, token.info, token.map = latex.strip(), "block", [first, end + 1]
        state.line = end + 1
    return True


def _drawn_math(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any
) -> str:
    """MathML, or the formula as it was written."""
    latex, display = tokens[at].content, tokens[at].info
    env["formulas"] = env.get("formulas", FORMULAS) - len(latex)
    if env["formulas"] >= 0:
        try:
            return str(convert(latex, display=display))
        except Exception:  # whatever a reader of LaTeX raises at a text that is none
            pass
    return el("code", {"class": "md-math"}, latex)
