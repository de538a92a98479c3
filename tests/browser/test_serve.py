"""`goldassay serve` in a real Chromium: labelling by keys, losing nothing, watching, exploring."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import chromium
import pytest
import sample_documents
from serving import Server, served
from studies import BINARY, PAIRS, SETS, StudyFiles, write_study

from goldassay.cli import command_line as run
from goldassay.cli.serve import _read_by, _reporter
from goldassay.web.server import handed_over
from goldassay.web.study import Study

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("serve"),  # one browser for all
    pytest.mark.skipif(chromium.chromium_path() is None, reason="Chromium is not installed"),
]
pytest.importorskip("playwright")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as running:
        yield running


@contextmanager
def serving(files: StudyFiles, **options: Any) -> Iterator[Server]:
    with served(files.ratings, files.task, files.items, **options) as server:
        yield server


@contextmanager
def visiting(browser: Any, server: Server, **settings: Any) -> Iterator[chromium.Watched]:
    """A page behind the token; at the end it must have no complaint and no foreign request."""
    context = browser.new_context(**settings)
    seen = chromium.watched(context, allow=server.base)
    seen.page.goto(server.link)
    seen.page.wait_for_url(f"{server.base}/")
    yield seen
    assert seen.complaints == []
    assert seen.requests == []
    assert seen.dialogs == []
    context.close()


def current(files: StudyFiles) -> list[tuple[str, str, str | None, str]]:
    with sqlite3.connect(files.labels) as connection:
        return connection.execute(
            "SELECT rater, item, value, status FROM current_labels ORDER BY label"
        ).fetchall()


def item(page: Any) -> str:
    return str(page.locator("h1 bdi").inner_text())


def press(page: Any, key: str) -> None:
    """Press a key that commits, and wait for the page that follows."""
    with page.expect_navigation():
        page.keyboard.press(key)


def labelled(server: Server, rater: str, choices: str) -> None:
    """Labels given as the page gives them, where how one labels in it is not what is looked at."""
    for choice in choices:
        page = server.get(f"/label?rater={rater}").text
        unit = page.split('name="unit" value="')[1].split('"')[0]
        fields = {"rater": rater, "unit": unit, "choice": choice}
        assert server.post("/label", fields).status == 303


def test_the_file_that_is_handed_to_a_browser_leads_in(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=3)
    with serving(files) as server, handed_over(server.link) as address:
        page = browser.new_context().new_page()
        page.goto(address)
        page.wait_for_url(f"{server.base}/")
        assert page.locator("h1").inner_text() == "Who is labelling?"
        page.context.close()


def test_twenty_items_by_keys_alone_with_a_reload_an_undo_and_a_comment(
    browser: Any, tmp_path: Path
) -> None:
    files = write_study(tmp_path, n=20)
    with serving(files) as server, visiting(browser, server) as seen:
        page = seen.page
        page.keyboard.type("anna")  # the field has the focus
        press(page, "Enter")
        said: dict[str, str] = {}
        for number in range(20):
            here = item(page)
            assert here not in said
            key = "120"[number % 3]
            if number == 5:
                page.keyboard.press("c")
                page.keyboard.type("2 of 10, not sure")
                page.reload()  # the comment is kept by the page, the labels by the server
                assert item(page) == here
                page.keyboard.press("Escape")
            if number == 9:
                press(page, "1")
                press(page, "u")
                assert item(page) == here
            if number == 12:
                press(page, "s")  # skip: it comes back at the end
                assert item(page) != here
                page.go_back()
            press(page, key)
            said[here] = {"1": "MET", "2": "UNMET", "0": "CANNOT_ASSESS"}[key]
        assert page.locator("h1").inner_text() == "Nothing left to label"
        assert page.locator("#progress").inner_text() == "20 of 20 labelled"
    assert {name: value for _, name, value, _ in current(files)} == said
    with sqlite3.connect(files.labels) as store:
        comments = store.execute(
            "SELECT comment FROM current_labels WHERE comment <> ''"
        ).fetchall()
        assert comments == [("2 of 10, not sure",)]
        undone = "SELECT count(*) FROM labels WHERE status = 'undone'"
        assert store.execute(undone).fetchone() == (1,)
        assert store.execute("SELECT count(*) FROM labels WHERE seconds > 0").fetchone()[0] >= 20


def test_a_double_press_is_one_label(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=4)
    with serving(files) as server, visiting(browser, server) as seen:
        seen.page.goto(f"{server.base}/label?rater=anna")
        here = item(seen.page)
        with seen.page.expect_navigation():
            seen.page.evaluate(
                "for (const key of '1112') document.dispatchEvent("
                "new KeyboardEvent('keydown', { key, bubbles: true }))"
            )
        assert item(seen.page) != here
    assert current(files) == [("anna", here, "MET", "rated")]


def test_blind_until_the_batch_is_done(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=4)
    with serving(files, batch=2) as server, visiting(browser, server) as seen:
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        key = page.locator("#label input[name=unit]").get_attribute("value")
        assert "judge-0" not in page.content()
        assert "weighed" not in page.content()
        assert "s1" not in page.locator("main").inner_text()
        for path in (f"/explore/{key}?rater=anna", f"/text/{key}?verdict=0&rater=anna"):
            assert server.get(path).status == 403
        assert "verdicts of 4 units are kept from you" in server.get("/explore?rater=anna").text
        press(page, "1")
        # Not beside the next item: the batch is not done, for the rater and for anybody.
        assert "judge" not in page.locator("main").inner_text()
        for who in ("?rater=anna", ""):
            assert server.get(f"/explore/{key}{who}").status == 403
            assert server.get(f"/text/{key}?verdict=0&{who[1:]}").status == 403
            listed = server.get(f"/explore{who}").text
            assert "judge-0</bdi>" not in listed
            assert "weighed" not in listed
        press(page, "1")
        assert page.locator("h1").inner_text() == "Batch 1 is done"
        assert "judge-0" in page.locator("table").inner_text()
        assert server.get(f"/explore/{key}?rater=anna").status == 200
        assert server.get(f"/explore/{key}").status == 200
        press(page, "Enter")
        assert page.locator("#progress").inner_text() == "2 of 4 labelled"
        assert "0 of 2 in this batch" in page.locator(".pace").inner_text()
        assert "judge" not in page.locator("main").inner_text()


def test_never_shown_when_so_declared(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=4)
    with serving(files, never_show=True) as server, visiting(browser, server) as seen:
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        key = page.locator("#label input[name=unit]").get_attribute("value")
        press(page, "1")
        assert "Saved" in page.locator("#saved").inner_text()
        assert "judge" not in page.locator("main").inner_text()
        for path in ("/explore", f"/explore/{key}", f"/text/{key}?verdict=0"):
            assert server.get(path).status == 403


def test_two_raters_at_once(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=12)
    with (
        serving(files, per_item=1) as server,
        visiting(browser, server) as one,
        visiting(browser, server) as other,
    ):
        one.page.goto(f"{server.base}/label?rater=anna")
        other.page.goto(f"{server.base}/label?rater=ben")
        seen: list[str] = []
        for _ in range(6):
            for page in (one.page, other.page):
                seen.append(item(page))
            assert seen[-1] != seen[-2]
            press(one.page, "1")
            press(other.page, "2")
        assert len(set(seen)) == 12
    labels = current(files)
    assert sorted({rater for rater, *_ in labels}) == ["anna", "ben"]
    assert {(rater, value) for rater, _, value, _ in labels} == {("anna", "MET"), ("ben", "UNMET")}


def test_response_sets(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, task=SETS, n=4)
    with serving(files) as server, visiting(browser, server) as seen:
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        page.keyboard.press("1")
        page.keyboard.press("2")
        press(page, "Enter")  # Safe + Unsafe is admissible
        page.keyboard.press("1")
        page.keyboard.press("3")
        page.keyboard.press("3")  # taken away again
        press(page, "Enter")
        page.keyboard.press("2")
        page.keyboard.press("3")  # Unsafe + Unclear is not
        page.keyboard.press("Enter")
        page.locator("#notice").wait_for(state="visible")
        assert "not one that the task admits" in page.locator("#notice").inner_text()
        page.keyboard.press("3")
        press(page, "Enter")
        press(page, "0")
        assert page.locator("h1").inner_text() == "Nothing left to label"
        seen.complaints.clear()  # Chromium notes the refused label (422) on its console
    assert [value for _, _, value, _ in current(files)] == ["Safe|Unsafe", "Safe", "Unsafe", None]
    assert [status for *_, status in current(files)][-1] == "abstained"


def test_pairs_are_chosen_by_side(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, task=PAIRS, n=12)
    expected = {}
    with serving(files) as server, visiting(browser, server) as seen:
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        for _ in range(12):
            left = page.locator(".sides .text").first.inner_text()
            expected[item(page)] = "B" if left.startswith("Another answer") else "A"
            press(page, "1")  # the left one
    assert {name: value for _, name, value, _ in current(files)} == expected
    assert set(expected.values()) == {"A", "B"}
    with sqlite3.connect(files.labels) as store:
        orders = dict(store.execute('SELECT value, "order" FROM current_labels'))
    assert orders == {"A": "system_first", "B": "opponent_first"}


def test_killed_in_the_middle_and_started_again(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=10)
    kept = str(tmp_path / "token")
    named = [
        str(files.ratings),
        "--task",
        str(files.task),
        "--items",
        str(files.items),
        "--token-file",
        kept,
    ]
    server = Server(named).start()
    try:
        context = browser.new_context()
        seen = chromium.watched(context, allow=server.base)
        page = seen.page
        page.goto(server.link)
        page.wait_for_url(f"{server.base}/")
        page.goto(f"{server.base}/label?rater=anna")
        for _ in range(4):
            press(page, "1")
        here = item(page)
        server.kill()
        assert len(current(files)) == 4  # nothing that was labelled is lost
        page.keyboard.press("2")
        page.locator("#notice").wait_for(state="visible")
        assert "Not saved yet" in page.locator("#notice").inner_text()
        with page.expect_navigation():
            server.start()  # on the same port, with the same token
        assert item(page) != here
        assert len(current(files)) == 5
        assert current(files)[-1] == ("anna", here, "UNMET", "rated")
        for _ in range(5):
            press(page, "1")
        assert page.locator("h1").inner_text() == "Nothing left to label"
        context.close()
    finally:
        server.kill()
    assert Path(kept).stat().st_mode & 0o077 == 0


def test_a_new_token_is_told_to_the_old_page(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=3)
    server = Server([str(files.ratings), "--task", str(files.task)]).start()
    try:
        context = browser.new_context()
        seen = chromium.watched(context, allow=server.base)
        seen.page.goto(server.link)
        seen.page.wait_for_url(f"{server.base}/")
        seen.page.goto(f"{server.base}/label?rater=anna")
        server.kill()
        server.start()
        seen.page.keyboard.press("1")
        seen.page.locator("#notice").wait_for(state="visible")
        assert "Open the link" in seen.page.locator("#notice").inner_text()
        assert current(files) == []
        context.close()
    finally:
        server.kill()


def test_the_interval_narrows_while_one_watches(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=40)
    with serving(files, target=0.3) as server, visiting(browser, server) as watcher:
        watcher.page.goto(f"{server.base}/watch")
        assert watcher.page.locator(".chart").count() == 0
        lengths = []
        for number in range(3):
            labelled(server, "anna", "01010101" if number % 2 == 0 else "10101010")
            done = watcher.page.locator("#labelled .figure", has_text=f"{8 * number + 8} of 40")
            done.wait_for()  # without anybody touching the page
            words = watcher.page.locator("#length .figure").inner_text()
            lengths.append(float(words.split()[0]))
        assert lengths[0] > lengths[1] > lengths[2]
        assert watcher.page.locator(".chart svg").first.is_visible()
        assert "labels left" in watcher.page.locator("#left").inner_text()
        assert "decided beforehand" in watcher.page.locator("main").inner_text()


def test_a_disagreement_is_explored(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=10)
    with serving(files) as server, visiting(browser, server) as seen:
        page = seen.page
        labelled(server, "anna", "0" * 10)
        page.goto(f"{server.base}/explore?rater=anna")
        page.select_option("select[name=relation]", "differ")
        page.select_option("select[name=judge]", "1")  # judge-1, with how many cases it has
        page.click("text=Show")
        page.wait_for_url("**relation=differ**")
        marks = page.locator(".case .differs").all_inner_texts()
        assert marks
        assert set(marks) == {"differs"}
        assert page.locator(".case .same").count() == 0
        page.locator(".case a").first.click()
        page.wait_for_url("**/explore/*")
        assert "I weighed it. [[UNMET]]" in page.locator(".raw").last.inner_text()
        assert "anna" in page.locator("table").inner_text()
        page.click("text=Change my label")
        page.wait_for_url("**/label?**")
        assert "Your label now: MET" in page.locator(".panel").inner_text()
        press(page, "2")
    assert sorted(value or "" for _, _, value, _ in current(files)) == ["MET"] * 9 + ["UNMET"]


def test_the_report_of_the_moment(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # commands name files, not folders
    files = write_study(tmp_path, n=30)
    study = Study(ratings=str(files.ratings))
    reporter = _reporter(study, str(files.task), 1)
    command = shlex.join((*_read_by(study), "--task", str(files.task)))
    with (
        serving(files, reporter=reporter, command=command) as server,
        visiting(browser, server) as seen,
    ):
        page = seen.page
        labelled(server, "anna", "01" * 6)
        page.goto(f"{server.base}/report?rater=anna")
        assert page.locator("h1").inner_text() == "The report is being made"
        assert page.locator("#making progress").get_attribute("max") == "9"
        page.locator(".verdict").wait_for()  # the page looks again by itself
        assert "judge-0" in page.locator("main").inner_text()
        assert page.locator("svg").first.is_visible()
        assert page.locator("nav a[aria-current=page]").first.inner_text() == "Report"
        assert not page.locator("#newer").is_visible()
        commands = page.locator(".about li", has_text="command:").all_text_contents()
        page.goto(f"{server.base}/watch?rater=anna")
        page.locator("#estimate summary").click()
        watched = page.locator("#estimate li", has_text="command:").inner_text()
        assert page.locator("#estimate li", has_text="handled:").is_visible()
        for one in {*commands, watched}:  # each reads the labels that were given here
            program, *words = shlex.split(one.removeprefix("command: "))
            assert program == "goldassay"
            assert study.store.name in {Path(word).name for word in words}
            assert run(words) == 0, one
        page.goto(f"{server.base}/report?rater=anna")
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        with visiting(browser, server) as other:
            other.page.goto(f"{server.base}/label?rater=anna")
            press(other.page, "1")
        page.locator("#newer").wait_for()


def test_it_works_without_script(browser: Any, tmp_path: Path) -> None:
    files = write_study(tmp_path, n=2)
    with serving(files) as server, visiting(browser, server, java_script_enabled=False) as seen:
        page = seen.page
        page.fill("input[name=rater]", "anna")
        page.click("text=Start labelling")
        page.click("button:has-text('UNMET')")
        page.fill("textarea", "plain")
        page.click("button:has-text('Cannot assess')")
        assert page.locator("h1").inner_text() == "Nothing left to label"
        page.click("text=Undo last")
        page.click("button:has-text('UNMET')")
    assert [status for *_, status in current(files)] == ["rated", "rated"]


PATHS = (
    "/",
    "/label?rater=anna",
    "/mine?rater=anna",
    "/watch?rater=anna",
    "/explore",
    "/explore?rater=anna&view=table",
    "/resolve?rater=anna",
)


#: Each page is opened in the first of them.
LOOKS = [
    pytest.param(((1280, "light"), (375, "dark")), id="two"),
    pytest.param(
        ((375, "light"), (768, "light"), (768, "dark"), (1280, "dark")),
        marks=pytest.mark.slow,
        id="four",
    ),
]


@pytest.mark.parametrize("looks", LOOKS)
def test_no_barrier_and_nothing_wider_than_the_window(
    browser: Any, tmp_path: Path, looks: tuple[tuple[int, str], ...]
) -> None:
    pytest.importorskip("axe_playwright_python")
    script = chromium.axe_script()
    files = write_study(tmp_path, n=6, task=BINARY)

    def told(*_: Any) -> dict[str, Any]:
        return sample_documents.report()

    with (
        serving(files, guide="Read *twice*.", reporter=told, batch=2) as server,
        visiting(browser, server, bypass_csp=True) as seen,
    ):
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        for rater, keys in (("anna", "1111"), ("ben", "2222")):
            page.goto(f"{server.base}/label?rater={rater}")
            for number, key in enumerate(keys):
                press(page, key)
                if number % 2:
                    press(page, "Enter")
        key = server.get("/explore").text.split('href="/explore/')[1].split('"')[0]
        more = (f"/explore/{key}", f"/resolve/{key}?rater=anna", "/nothing", "/report")
        for path in (*PATHS, *more):
            look(page, *looks[0])
            page.goto(server.base + path)
            if path == "/report":
                page.locator(".verdict").wait_for()
            for width, scheme in looks:
                look(page, width, scheme)
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (path, scheme)
                assert chromium.barriers(page, script) == {}, (path, width, scheme)
        seen.complaints[:] = [line for line in seen.complaints if "404" not in line]


def look(page: Any, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
