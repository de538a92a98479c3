"""What is left to `--slow` is a long run of the table; what is named a short form is there."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "long_runs.py"))


def test_each_short_form_is_a_test() -> None:
    heavy = runpy.run_path(str(ROOT / "tests" / "conftest.py"))["HEAVY"]
    for folder, names in heavy.items():
        text = "".join(path.read_text("utf-8") for path in (ROOT / "tests" / folder).glob("*.py"))
        there = {one.name for one in ast.walk(ast.parse(text)) if isinstance(one, ast.FunctionDef)}
        assert names <= there, folder


def test_heavy_folders_are_those_of_the_table(script: dict[str, Any]) -> None:
    heavy = runpy.run_path(str(ROOT / "tests" / "conftest.py"))["HEAVY"]
    assert set(heavy) == set(script["HEAVY"])
    assert set(heavy) <= script["commands"]().keys()


def test_a_slow_test_is_in_a_long_run(script: dict[str, Any]) -> None:
    parts = [name.removeprefix("slow ") for name in script["commands"]() if name[:5] == "slow "]
    for path in (ROOT / "tests").rglob("test_*.py"):
        where = str(path.relative_to(ROOT))
        if path.parent.name in (*script["HEAVY"], *script["ELSEWHERE"], "architecture"):
            continue
        if re.search(r"mark\.slow|seldom\(", path.read_text("utf-8")):
            assert any(where == part or where.startswith(f"{part}/") for part in parts), where


def test_an_old_and_a_failed_run_are_told(script: dict[str, Any]) -> None:
    rows = script["listed"]({})
    for row in rows.values():
        row.commits = row.commits or "1"
    assert [*script["faults"](rows)] == []
    rows["site"].figure = "FAILED: 3 broken links"
    del rows["spark"]  # it is listed when the next one runs
    now = int(rows["model"].commits)
    rows["model"].commits = str(now - script["OLDEST"] - 1)
    old = f"model: {script['OLDEST'] + 1} commits old"
    assert sorted(script["faults"](rows)) == [old, "site: FAILED: 3 broken links"]


def test_a_run_is_written_and_read(
    script: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = script["Run"]("spark", "12 passed", "80", "2026-01-31", "abc1234", "2144")
    monkeypatch.setitem(script["write"].__globals__, "TABLE", tmp_path / "long_runs.md")
    script["write"]({"spark": one})
    assert script["read"]() == {"spark": one}
