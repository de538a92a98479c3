"""What a judge was asked about is what the calls of its store say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_runs import judge, run

import goldassay as ga


@pytest.mark.parametrize(("asked", "n_items"), [({}, 4), ({"asked": "all"}, 8)])
def test_coverage_is_of_what_a_judge_was_asked(
    asked: dict[str, Any], n_items: int, tmp_path: Path
) -> None:
    """A judge ran over 4 of 8 labelled items: its coverage is of these 4, unless the task says."""
    (tmp_path / "mine.py").write_text("def f(item):\n    return '1'\n")
    run(tmp_path, judge(tmp_path, callable="mine.py:f"), 4)
    rows = ["item,rater,kind,value,system", *(f"q{n},kim,human,1,s" for n in range(8))]
    (tmp_path / "labels.csv").write_text("\n".join(rows) + "\n")
    files = [str(tmp_path / name) for name in ("labels.csv", "r.db")]
    task = {"scale": "binary", "options": ["1", "0"], "positive": "1", **asked}
    found = ga.agree(files, task, resamples=100)["coverage", "j"]
    assert (found.n_items, found.value) == (n_items, 4 / n_items)
