"""The documentation in a real Chromium, where it has been built (`python scripts/site.py`).

Nothing is fetched from elsewhere, nothing complains, no picture is blank, and no page is wider than
a phone.
"""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest

SITE = Path(__file__).resolve().parents[2] / "site"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium.chromium_path() is None, reason="Chromium is not installed"),
    pytest.mark.skipif(not SITE.exists(), reason="python scripts/site.py has not built the site"),
]
pytest.importorskip("playwright")

#: A page of every kind: the front, one that is executed, wide tables, drawings, pictures, a report.
PAGES = (
    "",
    "start/tutorial/",
    "start/which/",
    "compare/",
    "architecture/",
    "theory/figures/",
    "reference/passport/",
    "gallery/",
    "gallery/evouna.html",
)
#: The first is the one in which a page is opened.
LOOKS, HEIGHT = ((390, "light"), (390, "dark"), (1440, "light")), 844
#: How much wider than the window the page is, and pictures without a picture.
SEEN = """() => [document.documentElement.scrollWidth - innerWidth,
    [...document.images].filter((x) => x.complete && !x.naturalWidth).map((x) => x.src)]"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as running:
        yield running


def test_pages_as_they_open(browser: Any, address: str) -> None:
    """Each page is opened on a phone, and looked at as the window and the light change."""
    (width, scheme), *_ = LOOKS
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
    for page in PAGES:
        seen = chromium.watched(context, allow=address)
        assert seen.page.goto(address + page).status == 200, page
        for width, scheme in LOOKS:
            seen.page.set_viewport_size({"width": width, "height": HEIGHT})
            seen.page.emulate_media(color_scheme=scheme)
            wider, blank = seen.page.evaluate(SEEN)
            assert (seen.requests, seen.complaints, blank) == ([], [], []), (page, width, scheme)
            assert wider <= 0, f"{page} is {wider} px wider than the window of {width}, {scheme}"
        seen.page.close()
    context.close()


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_pictures_follow_the_page(browser: Any, address: str, scheme: str, other: str) -> None:
    context = browser.new_context(color_scheme=scheme)
    for name in ("gallery/", "report/", "serve/"):
        page = context.new_page()
        page.goto(address + name)
        assert page.locator(f'article img[src*="-{scheme}.png"]').first.is_visible(), name
        assert not page.locator(f'article img[src*="-{other}.png"]').first.is_visible(), name
        page.close()
    context.close()


def test_an_address_that_leads_nowhere_says_where_to_go(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(address + "404.html")
    links = page.locator("article a[href]").evaluate_all("all => all.map(one => one.href)")
    assert {address, f"{address}start/tutorial/", f"{address}reference/command/"} <= set(links)


def test_only_sentences_have_a_button_that_copies(browser: Any, address: str) -> None:
    """What opens beside "how?" is a list too, and gets none."""
    page = browser.new_page()
    page.goto(f"{address}gallery/evouna.html")
    assert page.locator(".may .about li").count() > 0
    assert page.locator(".may .about button").count() == 0
    sentences = page.locator(".may > ul > li")
    assert sentences.count() == page.locator(".may > ul > li > button").count() > 0
