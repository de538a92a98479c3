"""Where people split evenly, two raters cannot tell the majority, and the intervals know."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "coverage_splits.py"


@pytest.mark.slow
def test_even_splits_are_said_and_held() -> None:
    spec = importlib.util.spec_from_file_location("coverage_splits", PATH)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script  # dataclasses look their module up
    spec.loader.exec_module(script)
    even = script.covered(script.Cell(100, 2, 40.0), 8, panels=4)
    assert even.split >= 0.5
    assert even.share.mean() >= 0.9
    agreed = script.covered(script.Cell(100, 3, 0.4), 8, panels=4)
    assert agreed.split == 0
    assert agreed.length[0].max() < 0.5  # and not needlessly long
