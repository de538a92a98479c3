"""Labelling in a real Chromium: content, criteria, panes, undo, lists, resolutions, Explore."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
from serving import Server, served

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("labelling"),  # one browser for all
    pytest.mark.skipif(chromium.chromium_path() is None, reason="Chromium is not installed"),
]
pytest.importorskip("playwright")

RUBRIC = """
scale = "ordinal"

[options.1]
text = "wrong or beside the point"
[options.2]
text = "partly right"
[options.3]
text = "right and complete"

[criteria.correct]
text = "Is what it says true?"
[criteria.clear]
text = "Would a customer understand it?"
[criteria.kind]
text = "Is the tone friendly?"
"""
PAIRS = 'scale = "pairwise"\noptions = ["A", "B", "tie"]\ntie = "tie"\n'
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8"
    "cf500f0003860180a7e2d2f80000000049454e44ae426082"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium.browser() as running:
        yield running


def entered(browser: Any, server: Server, **settings: Any) -> chromium.Watched:
    context = browser.new_context(**settings)
    seen = chromium.watched(context, allow=server.base)
    seen.page.goto(server.link)
    seen.page.wait_for_url(f"{server.base}/")
    return seen


def press(page: Any, key: str) -> None:
    with page.expect_navigation():
        page.keyboard.press(key)


def until(page: Any, condition: str) -> None:
    """Wait for what happens (the page's policy lets no string become a script of its own)."""
    chromium.until(page, lambda: page.evaluate(condition))


def written(folder: Path, task: str, items: list[dict[str, Any]], ratings: list[str]) -> list[Path]:
    paths = [folder / name for name in ("ratings.csv", "task.toml", "items.jsonl")]
    paths[0].write_text("\n".join(["item,rater,kind,value,criterion", *ratings]) + "\n")
    paths[1].write_text(task)
    paths[2].write_text("".join(json.dumps(item) + "\n" for item in items))
    return paths


def labels(folder: Path, columns: str = "criterion, value, comment") -> list[tuple[Any, ...]]:
    with sqlite3.connect(folder / "ratings.labels.db") as store:
        return store.execute(f"SELECT {columns} FROM current_labels ORDER BY label").fetchall()


def test_a_rubric_on_one_page_with_its_content(browser: Any, tmp_path: Path) -> None:
    """Markdown, code, mathematics, turns and a picture; three criteria by one key each; undo."""
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "lamp.png").write_bytes(PNG)
    said = [
        {"role": "user", "content": "Which **lamp**?"},
        {"role": "assistant", "content": "This"},
    ]
    output = "## Answer\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx  =  1\n```\n\n$\\frac{a}{b}$"
    items = [
        {"item": f"q{k}", "messages": said, "output": output, "photo": "lamp.png"} for k in range(3)
    ]
    criteria = ("clear", "correct", "kind")
    rows = [f"q{k},gpt,judge,2,{one}" for k in range(3) for one in criteria]
    files = written(tmp_path, RUBRIC, items, rows)
    from goldassay.web.content import Pictures

    shown = {"order": "given", "pictures": Pictures.of(str(tmp_path / "pictures"))}
    with served(*files, **shown) as server:
        seen = entered(browser, server)
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        assert page.locator(".turn").count() == 2
        assert page.locator(".turn-user strong").inner_text() == "lamp"
        assert page.locator(".md td").first.inner_text() == "1"
        face = page.locator(".md pre code").evaluate("one => getComputedStyle(one).fontFamily")
        assert "mono" in face.lower()
        assert page.locator("math mfrac").count() == 1
        width = page.locator(".md img").evaluate("one => one.decode().then(() => one.naturalWidth)")
        assert width == 1
        # In the task's order, with its words; the keys go to one criterion after the other.
        legends = page.locator("legend").all_inner_texts()
        assert [words.split(":")[0] for words in legends] == ["correct", "clear", "kind"]
        assert "right and complete" in page.locator("fieldset").first.inner_text()
        assert page.locator("fieldset.active").get_attribute("data-unit-key") == page.locator(
            "fieldset"
        ).first.get_attribute("data-unit-key")
        page.keyboard.press("3")
        page.keyboard.press("c")
        page.keyboard.type("cryptic")
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        page.locator("#notice").wait_for(state="visible")
        assert "`kind`: needs an answer" in page.locator("#notice").inner_text()
        seen.complaints.clear()  # Chromium notes the refused label (422) on its console
        page.reload()  # what was chosen outlives it
        assert page.locator("input:checked").count() == 2
        page.keyboard.press("0")
        press(page, "Enter")
        assert labels(tmp_path) == [
            ("correct", "3", ""),
            ("clear", "1", "cryptic"),
            ("kind", None, ""),
        ]
        assert "correct 3, clear 1, kind cannot assess" in page.locator("#saved").inner_text()
        # Undo takes back the page, and gives the choices and the comment back.
        press(page, "u")
        assert labels(tmp_path) == []
        back = page.locator("#taken-back").inner_text()
        assert "Taken back: correct 3, clear 1" in back
        assert "your comment are still here" in back
        assert page.locator("input:checked").count() == 3
        assert page.locator("textarea[name=comment-1]").input_value() == "cryptic"
        page.keyboard.press("ArrowUp")
        page.keyboard.press("2")
        press(page, "Enter")
        assert len(labels(tmp_path)) == 3
        assert "2" in [value for _, value, _ in labels(tmp_path)]
        # Raw and rendered again.
        page.keyboard.press("r")
        page.locator(".pane .is-raw").nth(2).wait_for()
        assert "## Answer" in page.locator(".pane .text").nth(1).inner_text()
        page.keyboard.press("r")
        until(page, "document.querySelectorAll('.is-raw').length === 0")
        assert seen.complaints == []
        assert seen.requests == []
        page.context.close()


def test_long_pairs_are_read_by_keys_and_what_differs_is_shown(
    browser: Any, tmp_path: Path
) -> None:
    lines = [f"Line {k} of the answer.\n\n" for k in range(120)]
    other = [*lines[:60], "A line that only one has.\n\n", *lines[60:90]]
    items = [{"item": f"p{k}", "input": "Which?", "output": "".join(lines),
              "output_b": "".join(other)} for k in range(2)]  # fmt: skip
    files = written(tmp_path, PAIRS, items, ["p0,gpt,judge,A,", "p1,gpt,judge,B,"])
    with served(*files, order="given") as server:
        seen = entered(browser, server, viewport={"width": 1280, "height": 720})
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        at = "() => [...document.querySelectorAll('.sides .text')].map((one) => one.scrollTop)"
        fits = "document.documentElement.scrollHeight <= window.innerHeight"
        assert page.evaluate(fits)  # the panes fill the window, and it does not scroll itself
        assert page.evaluate(at) == [0, 0]
        page.keyboard.press("Space")
        until(page, f"({at})().every((top) => top > 100)")
        first = page.evaluate(at)
        page.keyboard.press("PageDown")
        until(page, f"({at})()[0] > {first[0]} + 50 && ({at})()[1] > {first[1]} + 50")
        page.keyboard.press("Shift+Space")
        page.keyboard.press("Shift+Space")
        until(page, f"({at})().every((top) => top === 0)")
        page.keyboard.press("d")
        words = page.evaluate(
            "[...CSS.highlights.get('differs')].map((range) => range.toString()).join(' ')"
        )
        assert "only one has" in words
        assert "Line 59" not in words
        page.keyboard.press("d")
        assert page.evaluate("CSS.highlights.has('differs')") is False
        left = page.locator(".sides .text").first.inner_text()
        press(page, "1")
        assert "is left" in page.locator("#saved").inner_text()  # not the option's own name
        chosen = "B" if "only one has" in left else "A"
        assert labels(tmp_path, "value") == [(chosen,)]
        press(page, "u")
        assert "Taken back: left" in page.locator("#taken-back").inner_text()
        assert "left" in page.locator(".choice.now").inner_text()
        assert seen.complaints == []
        page.context.close()


def test_my_labels_flags_and_resolutions(browser: Any, tmp_path: Path) -> None:
    task = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'
    task += 'reference = "adjudicated"\n'
    items = [{"item": f"q{k}", "input": f"About topic{k}", "output": "Yes."} for k in range(3)]
    files = written(tmp_path, task, items, [f"q{k},gpt,judge,MET," for k in range(3)])
    with served(*files, order="given") as server:
        seen = entered(browser, server)
        page = seen.page
        for rater, keys in (("anna", "112"), ("ben", "121")):
            page.goto(f"{server.base}/label?rater={rater}")
            for number, key in enumerate(keys):
                if (rater, number) == ("anna", 1):
                    press(page, "f")
                    assert "Flagged" in page.locator(".steps").inner_text()
                    # Nobody resolves what they have yet to label.
                    unit = page.locator("#label input[name=unit]").get_attribute("value")
                    assert server.get(f"/resolve/{unit}?rater=anna").status == 403
                press(page, key)
        page.goto(f"{server.base}/label?rater=anna")
        press(page, "l")
        assert page.locator("#found").inner_text() == "3 labels"
        page.keyboard.press("/")
        page.keyboard.type("TOPIC2")
        press(page, "Enter")
        assert page.locator("tbody tr").count() == 1
        assert page.locator("tbody bdi").first.inner_text() == "q2"
        page.goto(f"{server.base}/mine?rater=anna&show=flagged")
        page.locator("tbody a").click()
        page.wait_for_url("**/label?**")
        assert page.locator("h1 bdi").inner_text() == "q1"
        # Two of three differ.
        page.goto(f"{server.base}/resolve?rater=anna")
        assert "open (2)" in page.locator(".choose").inner_text()
        assert "anna" in page.locator("tbody tr").first.inner_text()
        page.locator("tbody a").first.click()
        page.wait_for_url("**/resolve/*")
        assert "gpt" not in page.locator("main").inner_text()
        page.keyboard.press("2")
        page.locator("#notice").wait_for(state="visible")
        assert "says why" in page.locator("#notice").inner_text()
        seen.complaints.clear()
        page.keyboard.press("c")
        page.keyboard.type("the answer names no date")
        page.keyboard.press("Escape")
        press(page, "2")
        page.goto(f"{server.base}/resolve?rater=anna&show=resolved")
        row = page.locator("tbody tr").inner_text()
        assert "the answer names no date" in row
        assert seen.complaints == []
        page.context.close()
    found = labels(tmp_path, "item, rater, kind, value")
    assert [one for one in found if one[2] == "reference"] == [("q1", "anna", "reference", "UNMET")]
    assert len([one for one in found if one[2] == "human"]) == 6  # none was changed


def test_choices_stay_in_sight_on_a_phone(browser: Any, tmp_path: Path) -> None:
    task = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'
    items = [{"item": f"q{k}", "input": "Why?", "output": "Because. " * 900} for k in range(2)]
    files = written(tmp_path, task, items, [f"q{k},gpt,judge,MET," for k in range(2)])
    with served(*files) as server:
        seen = entered(browser, server, viewport={"width": 375, "height": 700}, has_touch=True)
        page = seen.page
        page.goto(f"{server.base}/label?rater=anna")
        for _ in range(2):
            box = page.locator("button.choice").nth(1).bounding_box()
            assert box is not None
            assert 0 <= box["y"] <= 700 - box["height"]
            page.mouse.wheel(0, 900)
            until(page, "window.scrollY > 100")
        assert page.evaluate("document.documentElement.scrollWidth") <= 375
        page.context.close()


def test_explore_finds_counts_and_lists(browser: Any, tmp_path: Path) -> None:
    task = 'scale = "binary"\noptions = ["MET", "UNMET"]\npositive = "MET"\n'
    items = [{"item": f"q{k}", "input": f"About topic{k}?", "output": "Yes."} for k in range(6)]
    judged = ["MET", "UNMET"]
    rows = [f"q{k},{one},judge,{judged[(k + n) % 2]}," for k in range(6)
            for n, one in enumerate(("big", "small"))]  # fmt: skip
    rows += [f"q{k},old,human,MET," for k in range(5)]
    files = written(tmp_path, task, items, rows)
    with served(*files) as server:
        seen = entered(browser, server)
        page = seen.page
        page.goto(f"{server.base}/explore")
        options = page.locator("select[name=relation] option").all_inner_texts()
        # Each of the five labelled units differs from one judge and agrees with the other.
        assert "judge and people differ (5)" in options
        assert "verdicts hidden until it is labelled (1)" in options
        assert "big (5)" in page.locator("select[name=judge]").inner_text()
        page.keyboard.press("/")
        page.keyboard.type("TOPIC3")
        press(page, "Enter")
        assert page.locator(".case h2").all_inner_texts() == ["q3"]
        page.goto(f"{server.base}/explore")
        press(page, "t")
        assert page.locator("tbody tr").count() == 5
        page.keyboard.press("j")
        page.keyboard.press("j")
        press(page, "o")
        assert page.locator("h1 bdi").inner_text() == "q1"
        press(page, "Escape")
        page.goto(f"{server.base}/explore?relation=waiting")
        assert page.locator(".case h2").all_inner_texts() == ["q5"]
        assert "big" not in page.locator(".cases").inner_text()
        assert seen.complaints == []
        page.context.close()
