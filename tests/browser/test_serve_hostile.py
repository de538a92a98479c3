"""Every payload in every field of every page: nothing runs, nothing leaves, nothing breaks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chromium
import pytest
import sample_documents
from payloads import PAYLOADS
from serving import Server, served_site

from goldassay.ratings.task import Task
from goldassay.rendering.html import fragment
from goldassay.store import Label, add_label, open_store
from goldassay.web.cases import Cases, Given, Texts, Unit, Verdict
from goldassay.web.desk import Desk, Settings
from goldassay.web.live import Live, Made
from goldassay.web.site import Site

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("serve hostile"),  # one browser for all
    pytest.mark.skipif(chromium.chromium_path() is None, reason="Chromium is not installed"),
]
pytest.importorskip("playwright")

#: Payloads short enough for a page with hundreds of them; the long ones have a test of their own.
SHORT = [payload for payload in PAYLOADS if len(payload) < 5_000]
LONG = [payload for payload in PAYLOADS if len(payload) >= 5_000]


class Told(Live):
    """A report that is there already."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.told = document

    def report(self, desk: Desk) -> Made:
        return Made(desk.version(), fragment(self.told))

    def making(self) -> None:
        return None


def hostile_site(folder: Path, payloads: list[str]) -> Site:
    """A study in which unit u has payload u + f in its field f: each payload in each field once."""
    size = len(payloads)

    def at(unit: int, field: int) -> str:
        return payloads[(unit + field) % size]

    options = tuple(dict.fromkeys(p for p in payloads if p.strip() and "|" not in p))[:60]
    task = Task(scale="nominal", options=options)
    units, verdicts, people = {}, {}, {}
    rows, criteria = {}, {}
    store = open_store(folder / "labels.db", create=True, any_thread=True)
    for u in range(size):
        # Names come from files in UTF-8, which hold no lone surrogates; texts are tried with them.
        names = [_storable(at(u, field)) for field in range(4)]
        unit = Unit(f"{u} {names[0]}", *names[1:])
        units[unit.key] = unit
        verdicts[unit.key] = (
            Verdict(at(u, 4), options[u % len(options)], "rated", at(u, 5), at(u, 6), at(u, 7)),
            Verdict("judge", at(u, 8), at(u, 9), "", "", at(u, 10)),
        )
        people[unit.key] = (Given(at(u, 11), at(u, 12), "rated", comment=at(u, 13)),)
        rows[unit.item, unit.system, unit.opponent] = {
            "item": unit.item,
            "input": at(u, 14),
            "output": at(u, 15),
            "output_b": at(u, 16),
            at(u, 17): at(u, 18),
        }
        criteria[unit.item] = {unit.criterion: at(u, 19)}
        add_label(
            store,
            Label(
                item=unit.item,
                criterion=unit.criterion,
                system=unit.system,
                opponent=unit.opponent,
                rater=_storable(at(u, 20)),
                value=_storable(at(u, 21)),
                comment=_storable(at(u, 22)),
            ),
        )
    settings = Settings(question=payloads[3 % size], guide="\n".join(payloads[:30]))
    desk = Desk(
        task, Cases(units, verdicts, people), store, texts=Texts(rows, criteria), settings=settings
    )
    document = sample_documents.report()
    document["answer"] = payloads[:100]
    return Site(desk, Told(document))


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return hostile_site(tmp_path_factory.mktemp("hostile"), SHORT)


@pytest.fixture(scope="module")
def server(site: Site) -> Iterator[Server]:
    with served_site(site) as running:
        yield running


FOREIGN = """() => {
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    if (['SCRIPT', 'IMG', 'IFRAME', 'OBJECT', 'EMBED', 'LINK', 'BASE', 'META', 'STYLE', 'VIDEO',
         'AUDIO', 'TEMPLATE', 'FOREIGNOBJECT', 'ANNOTATION-XML', 'MARQUEE', 'TITLE',
        ].includes(element.tagName.toUpperCase())
        && !(element.tagName === 'title' && element.closest('svg')))
      found.push(element.outerHTML.slice(0, 200));
    for (const { name, value } of element.attributes)
      if (name.startsWith('on') || name === 'style'
          || /^\\s*(javascript|data|vbscript):/i.test(value)
          && ['href', 'src', 'action', 'formaction'].includes(name))
        found.push(`${name}=${value.slice(0, 200)}`);
  }
  return found.slice(0, 5);
}"""


def all_paths(site: Site) -> list[str]:
    """Every page; of each unit the one where it is labelled or the one where it is explored."""
    keys = list(site.desk.cases.units)
    pages = -(-len(keys) // 25)
    return [
        "/",
        "/watch",
        "/report",
        "/nothing",
        "/mine?rater=anna",
        "/resolve?rater=anna",
        *(f"/explore?view=table&page={number + 1}" for number in range(-(-pages // 4))),
        *(f"/explore?page={number + 1}" for number in range(pages)),
        *(f"/label?rater=anna&unit={key}" for key in keys[1::2]),
        *(f"/explore/{key}" for key in keys[::2]),
        *(f"/resolve/{key}?rater=anna" for key in keys[::20]),
    ]


#: What is the same on hundreds of these pages: the lists to choose from, each with every payload.
CHOICES = re.compile(r"<select .*?</select>|<div class=\"choices\">.*?</div>", re.DOTALL)


def each_choice_once(bodies: Sequence[str]) -> str:
    """The bodies in a row, without lists that stand in an earlier one to the letter."""
    seen: set[str] = set()

    def first(found: re.Match[str]) -> str:
        new = found[0] not in seen
        seen.add(found[0])
        return found[0] if new else ""

    return "".join(CHOICES.sub(first, body) for body in bodies)


def test_escaping_alone_holds(browser: Any, server: Server, site: Site, tmp_path: Path) -> None:
    """The bodies of all pages in one document without any policy: escaping is the only wall."""
    bodies = []
    for path in all_paths(site):
        answer = server.get(path)
        expected = 403 if path.startswith("/resolve/") else 200
        assert answer.status in (expected, 404), path
        body = re.search(r"<body>(.*)</body>", answer.text, re.DOTALL)
        assert body is not None
        bodies.append(body[1])
    assert len(bodies) > 300
    file = tmp_path / "all.html"
    file.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><body>"
        + each_choice_once(bodies),
        encoding="utf-8",
    )
    context = browser.new_context()
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    chromium.settled(seen.page)
    assert not seen.ran()
    assert seen.requests == []
    assert seen.dialogs == []
    assert seen.page.evaluate(FOREIGN) == []
    assert seen.page.locator("main").count() == len(bodies)  # none was closed early
    context.close()


#: What stands in a text and not in its box: placed elsewhere, a style of its own, a live link.
OUTSIDE = """() => [...document.querySelectorAll('.text')].flatMap((box) => {
  const contained = getComputedStyle(box).contain;
  const out = contained.includes('content') || contained.includes('paint') ? [] : [contained];
  for (const one of box.querySelectorAll('*')) {
    const placed = getComputedStyle(one).position;
    if (placed !== 'static' || one.hasAttribute('style') || one.closest('a')) {
      out.push(one.outerHTML.slice(0, 200));
    }
  }
  return out;
}).slice(0, 5)"""


def visit(seen: chromium.Watched, url: str) -> None:
    seen.page.goto(url)
    assert seen.page.evaluate(FOREIGN) == []
    assert seen.page.evaluate(OUTSIDE) == []
    assert seen.page.locator("main").count() == 1
    assert not seen.ran()
    # Long words and wide texts scroll in their own boxes.
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1280, url


def quiet(seen: chromium.Watched, paths: Sequence[str] = ()) -> None:
    """Nothing left and nothing complained, but of pages that are not there or refused."""
    assert seen.requests == []
    assert seen.dialogs == []
    heard = [line for line in seen.complaints if "404" not in line]
    assert all("403" in line for line in heard), heard
    # Who resolves is named by the task: to anna each such page is refused.
    assert len(heard) == sum(path.startswith("/resolve/") for path in paths)


def test_the_pages_as_served(browser: Any, server: Server, site: Site) -> None:
    context = browser.new_context()
    seen = chromium.watched(context, allow=server.base)
    seen.page.goto(server.link)
    seen.page.wait_for_url(f"{server.base}/")
    paths = all_paths(site)
    chosen = [*paths[:8], *paths[20::60], paths[-1]]
    assert chosen[-1].startswith("/resolve/")
    for path in chosen:
        visit(seen, server.base + path)
    seen.page.goto(f"{server.base}/label?rater=anna")
    for key in "12":
        with seen.page.expect_navigation():
            seen.page.keyboard.press(key)
    seen.page.keyboard.press("c")
    seen.page.keyboard.type("<img src=x onerror=alert(1)>")
    quiet(seen, chosen)
    context.close()


@pytest.mark.slow
def test_every_payload_as_served(browser: Any, server: Server, site: Site) -> None:
    """Each on one of the two pages that show it."""
    context = browser.new_context()
    seen = chromium.watched(context, allow=server.base)
    seen.page.goto(server.link)
    seen.page.wait_for_url(f"{server.base}/")
    paths = all_paths(site)
    assert len(paths) > 300
    for path in paths:
        visit(seen, server.base + path)
    quiet(seen, paths)
    context.close()


def test_very_long_texts(browser: Any, tmp_path: Path) -> None:
    """A megabyte in every field: the pages stay small, the whole text is one link away."""
    assert any(len(payload) >= 1_000_000 for payload in LONG)
    site = hostile_site(tmp_path, LONG)
    context = browser.new_context()
    with served_site(site) as server:
        seen = chromium.watched(context, allow=server.base)
        seen.page.goto(server.link)
        seen.page.wait_for_url(f"{server.base}/")
        key = next(iter(site.desk.cases.units))
        for path in ("/", "/watch", "/explore", f"/explore/{key}", f"/label?rater=anna&unit={key}"):
            visit(seen, server.base + path)
            assert len(server.get(path).body) < 400_000, path
        whole = server.get(f"/text/{key}?field=0")
        assert len(whole.text) >= 5_000
        assert whole.headers["content-type"].startswith("text/plain")
        assert "sandbox" in whole.headers["content-security-policy"]
        quiet(seen)
    context.close()


def test_exports_are_data(server: Server) -> None:
    for name in ("labels.csv", "labels.jsonl", "label-studio.json"):
        answer = server.get(f"/export/{name}")
        assert answer.status == 200
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert "sandbox" in answer.headers["content-security-policy"]
        assert "html" not in answer.headers["content-type"]


def test_the_policy_is_a_second_wall(browser: Any, server: Server) -> None:
    """Were escaping ever to fail, the policy refuses to run or fetch what got in."""
    context = browser.new_context()
    seen = chromium.watched(context, allow=server.base)

    def broken(route: Any) -> None:
        answer = route.fetch()
        page = answer.text().replace(
            "</main>",
            "<script>window.__goldassay_ran=1</script><img src=x "
            "onerror='window.__goldassay_ran=1'>"
            "<img src=http://goldassay-leak.invalid/x><iframe "
            "src=//goldassay-leak.invalid></iframe>"
            "</main>",
        )
        route.fulfill(response=answer, body=page)

    seen.page.goto(server.link)
    seen.page.wait_for_url(f"{server.base}/")
    seen.page.route(f"{server.base}/watch", broken)
    seen.page.goto(f"{server.base}/watch")
    refused = "Content Security Policy"
    chromium.until(seen.page, lambda: any(refused in line for line in seen.complaints))
    chromium.settled(seen.page)
    assert not seen.ran()
    assert not any("goldassay-leak" in url for url in seen.requests)
    # Nor can a script of ours turn a string into markup.
    with pytest.raises(Exception, match="TrustedHTML"):
        seen.page.evaluate("document.body.innerHTML = '<b>x</b>'")
    context.close()
