"""The pictures of the report in docs/images: python scripts/report_screenshots.py [FOLDER]

Needs Chromium and Playwright. The study is simulated, with a fixed seed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from goldassay.cli import command_line as run
from goldassay.lab.simulate import Judge, Raters, Study, simulate

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

STUDY = Study(
    prompts=150,
    systems={"alder": 0.8, "birch": 0.7, "cedar": 0.55, "dogwood": 0.45},
    judges={
        "large": Judge(sensitivity=0.93, specificity=0.88, abstain=0.02),
        "medium": Judge(sensitivity=0.9, specificity=0.8),
        "small": Judge(sensitivity=0.88, specificity=0.62, invalid=0.03),
    },
    raters=Raters(per_unit=3),
    labelled=0.4,
    indeterminate=0.1,
)
#: Picture: width, height, scheme, the element at its top.
PICTURES = {
    "report-1280-light": (1280, 900, "light", "header"),
    "report-1280-dark": (1280, 900, "dark", "header"),
    "report-375-light": (375, 812, "light", "header"),
    "report-375-dark": (375, 812, "dark", "header"),
}


def shrink(picture: Path) -> None:
    """Fewer colours, a quarter of the bytes; as drawn where Pillow is not installed."""
    try:
        from PIL import Image
    except ImportError:
        return
    Image.open(picture).convert("RGB").quantize(160).save(picture, optimize=True)


def main(folder: str) -> None:
    import chromium

    with tempfile.TemporaryDirectory() as place:
        made = simulate(STUDY, seed=11)
        ratings, task, page = (
            Path(place) / name for name in ("ratings.csv", "task.toml", "r.html")
        )
        ratings.write_text(made.to_csv(), encoding="utf-8")
        task.write_text(made.task.to_toml(), encoding="utf-8")
        assert run(["report", str(ratings), "--task", str(task), "--out", str(page)]) == 0
        with chromium.browser() as browser:
            for name, (width, height, scheme, top) in PICTURES.items():
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme
                )
                opened = context.new_page()
                opened.goto(page.as_uri())
                opened.locator(top).first.evaluate("element => element.scrollIntoView()")
                picture = Path(folder) / f"{name}.png"
                opened.screenshot(path=str(picture))
                shrink(picture)
                context.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "docs" / "images"))
