"""The site, built, finished and looked through: the gallery's reports rendered from their results,
every page, what Markdown cannot say of its pictures and figures, then every link of the pages.

    python scripts/site.py [--clean]

Warnings are errors, and so are a link within the site that leads nowhere and anything that a page
would load from elsewhere: `site/` makes no request to the outside, and may be served from any
folder.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import gallery  # noqa: E402

from goldassay.rendering.columns import together  # noqa: E402

#: What is loaded when a page is opened; other addresses are followed by a reader.
LOADS = {"script", "img", "iframe", "source", "video", "audio", "embed", "object"}
#: Kinds of `<link>` that load.
LINKS = {"stylesheet", "icon", "preload", "modulepreload", "manifest", "preconnect", "dns-prefetch"}


@dataclass
class Page(HTMLParser):
    """What a page names: the places in it, what it links to, what it loads."""

    places: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places.update(given[name] for name in ("id", "name") if name in given)
        address = given.get("src") or given.get("href") or given.get("data")
        if not address:
            return
        loaded = tag in LOADS or (tag == "link" and LINKS & set(given.get("rel", "").split()))
        (self.loads if loaded else self.links).append(address)


def read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def faults(site: Path) -> list[str]:
    """Links that lead nowhere, and what comes from elsewhere, page by page."""
    pages = {path.resolve(): read(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for address in [*page.loads, *page.links]:
            parts = urlsplit(address)
            if parts.scheme in ("data", "mailto", "javascript", "blob"):
                continue
            if parts.scheme or parts.netloc:
                if address in page.loads:
                    found.append(f"{path.relative_to(site.resolve())} loads {address}")
                continue
            wanted = unquote(parts.path)
            near = site / wanted[1:] if wanted.startswith("/") else path.parent / wanted
            there = near.resolve() if wanted else path
            there = there / "index.html" if there.is_dir() else there
            known = pages.get(there)
            place = unquote(parts.fragment)
            if not there.exists() or (known and place and place not in known.places):
                found.append(f"{path.relative_to(site.resolve())}: {address} leads nowhere")
    return found


#: Code as it is typed, scripts and styles: nothing in them is prose.
VERBATIM = re.compile(r"(<(pre|code|script|style)\b.*?</\2>)", re.S)
#: A cell of a table, and from how many characters on it holds a sentence.
CELL, SENTENCE = re.compile(r"<td>(.*?)</td>", re.S), 32
#: A picture of a page in its light colours.
LIGHT = re.compile(r'<img ([^>]*)src="([^"#]+)-light\.png"([^>]*)>')


def finished(text: str, there: Path) -> str:
    """A page whose figures stay together on a line, and whose pictures turn dark with it.

    Of a picture NAME-light.png both are in the page where NAME-dark.png lies beside it; the style
    sheet shows one of them.
    """

    def both(picture: re.Match[str]) -> str:
        before, name, after = picture.groups()
        if not (there / unquote(f"{name}-dark.png")).exists():
            return picture[0]
        return "".join(
            f'<img {before}src="{name}-{scheme}.png#only-{scheme}"{after}>'
            for scheme in ("light", "dark")
        )

    roomy = CELL.sub(_roomy, text)
    return "".join(
        part if verbatim else together(LIGHT.sub(both, part)) for part, verbatim in _parted(roomy)
    )


def _roomy(cell: re.Match[str]) -> str:
    """A cell that holds a sentence is not squeezed to a word a line on a phone."""
    told = re.sub(r"<[^>]+>", "", cell[1])
    return f'<td class="w">{cell[1]}</td>' if len(told) > SENTENCE else cell[0]


def _parted(text: str) -> Iterator[tuple[str, bool]]:
    """The page in parts, and whether each is verbatim."""
    at = 0
    for found in VERBATIM.finditer(text):
        yield text[at : found.start()], False
        yield found[0], True
        at = found.end()
    yield text[at:], False


def finish(site: Path) -> None:
    """Every page that was made from Markdown; the gallery's reports are finished already."""
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if 'name="generator"' in text:
            path.write_text(finished(text, path.parent), encoding="utf-8")


def main(options: list[str]) -> int:
    gallery.render(gallery.GALLERY)
    words = [sys.executable, "-m", "zensical", "build", "--strict", *options]
    built = subprocess.run(words, cwd=ROOT, check=False).returncode
    if built == 0:
        finish(ROOT / "site")
    wrong = faults(ROOT / "site") if built == 0 else []
    print("\n".join(wrong) or "Every link within the site leads somewhere.")
    return built or int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
