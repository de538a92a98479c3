"""The pictures of `goldassay serve` in docs/images: a real browser, light and dark.

    python scripts/serve_screenshots.py [FOLDER]

needs the extras `serve` and `pdf`, and Chromium. The labels of the example study are made here, by
two raters of whom one slips now and then: they are pictures, not data.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]

import chromium  # noqa: E402
from serving import served  # noqa: E402

from goldassay.cli.serve import _reporter  # noqa: E402

STUDY = ROOT / "examples" / "labelling"
BAD = {"t03", "t05", "t07", "t12", "t14", "t19", "t23", "t27"}
#: The site shows the one that fits the reader's colours.
LOOKS = [(1280, "light"), (1280, "dark")]


def enter(page: Any, link: str) -> None:
    page.goto(link)
    page.wait_for_url("**/")  # the token goes into a cookie and out of the address


def label(page: Any, base: str, rater: str, units: int, slips: float) -> None:
    rng = random.Random(rater)
    page.goto(f"{base}/label?rater={rater}")
    for _ in range(units):
        bad = page.locator("h1 bdi").inner_text() in BAD
        with page.expect_navigation():
            page.keyboard.press("2" if bad != (rng.random() < slips) else "1")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for name in ("ratings.csv", "items.jsonl", "task.toml"):
            shutil.copy(STUDY / name, work)
        ratings, task = Path(work) / "ratings.csv", Path(work) / "task.toml"
        options: dict[str, Any] = {
            "question": "Does the answer resolve the question?",
            "target": 0.3,
            "reporter": _reporter(["ratings.csv"], "task.toml", 1),
        }
        with (
            served(ratings, task, Path(work) / "items.jsonl", **options) as server,
            chromium.browser() as browser,
        ):
            page = browser.new_page()
            enter(page, server.link)
            label(page, server.base, "anna", 30, 0.0)  # all, so that she may explore
            label(page, server.base, "ben", 18, 0.1)
            with page.expect_navigation():
                page.keyboard.press("1")
            saved = page.url
            page.goto(f"{server.base}/report")
            page.locator(".verdict").wait_for(timeout=180_000)
            cases = f"{server.base}/explore?relation=differ&rater=anna"
            page.goto(cases)
            case = page.locator(".case a").first.get_attribute("href")
            page.goto(f"{server.base}/resolve?rater=anna")
            dispute = page.locator(".case a").first.get_attribute("href")
            shots = [
                ("label", saved),
                ("resolve", f"{server.base}{dispute}"),
                ("watch", f"{server.base}/watch?rater=anna"),
                ("explore", cases),
                ("case", f"{server.base}{case}"),
                ("report", f"{server.base}/report?rater=anna"),
            ]
            for name, url in shots:
                for width, scheme in LOOKS:
                    shoot(browser, server.link, url, width, scheme, folder / f"serve-{name}")
        rubric(Path(work), folder)


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
"""
ANSWER = """The **Aria** takes an `E14` bulb of at most 40 W.

| Lamp | Socket | At most |
| --- | --- | --- |
| Aria | E14 | 40 W |
| Nova | E27 | 60 W |

```python
def watts(volts, amps):
    return volts * amps
```

Over a time $T$ it uses $$E = \\int_0^T U(t)\\, I(t)\\, dt$$
"""


def rubric(work: Path, folder: Path) -> None:
    """A rubric of two criteria, a conversation, and an answer in Markdown."""
    said = [
        {"role": "user", "content": "Which bulb fits my desk lamp?"},
        {"role": "assistant", "content": "Which one is it: *Aria* or *Nova*?"},
        {"role": "user", "content": "Aria"},
    ]
    items = [{"item": f"lamp {k}", "conversation": said, "output": ANSWER} for k in range(1, 9)]
    lines = [f"{one['item']},large-judge,judge,3,{name}" for one in items
             for name in ("correct", "clear")]  # fmt: skip
    files = [work / name for name in ("r.csv", "r.toml", "r.jsonl")]
    files[0].write_text("\n".join(["item,rater,kind,value,criterion", *lines]) + "\n")
    files[1].write_text(RUBRIC)
    files[2].write_text("".join(json.dumps(one) + "\n" for one in items))
    with served(*files) as server, chromium.browser() as browser:
        for width, scheme in LOOKS:
            where = f"{server.base}/label?rater=anna"
            shoot(browser, server.link, where, width, scheme, folder / "serve-rubric")


def shoot(browser: Any, link: str, url: str, width: int, scheme: str, name: Path) -> None:
    size = {"width": width, "height": 800}
    context = browser.new_context(color_scheme=scheme, viewport=size)
    page = context.new_page()
    enter(page, link)
    page.goto(url)
    path = name.with_name(f"{name.name}-{width}-{scheme}.png")
    page.screenshot(path=path)
    context.close()
    try:
        from PIL import Image
    except ImportError:
        return
    with Image.open(path) as image:  # a third of the bytes, and no difference to see
        small = image.convert("RGB").quantize(128)
    small.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
