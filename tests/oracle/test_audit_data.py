"""The audit's examples on published ratings, against figures that are known of them."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from published_ratings import dices_350, shared_data

from goldassay.cli import command_line as run

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def audited(name: str, folder: str, tmp_path: Path, *more: str) -> dict:  # type: ignore[type-arg]
    data = shared_data() / folder
    if not data.is_dir():
        pytest.skip(f"{folder} is not among the published ratings here")
    table, out = tmp_path / "ratings.csv", tmp_path / "audit.json"
    runpy.run_path(str(EXAMPLES / name / "convert.py"))["convert"](data, table)
    task = str(EXAMPLES / name / "task.toml")
    quick = ("--resamples", "100", "--panel-draws", "2")
    code = run(["audit", str(table), "--task", task, "--out", str(out), *quick, *more])
    assert code == 0
    return json.loads(out.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def value(document: dict, name: str, aggregation: str, judge: str) -> float:  # type: ignore[type-arg]
    (row,) = (
        one
        for one in document["results"]
        if (one["name"], one["aggregation"], one["judge"]) == (name, aggregation, judge)
    )
    return float(row["value"])


def test_pandalm(tmp_path: Path) -> None:
    found = audited("audit_pandalm", "pandalm", tmp_path)
    # accuracy on valid verdicts against the majority of three people, as published
    assert value(found, "hit_rate", "h/h", "gpt-3.5-turbo") == pytest.approx(0.716, abs=5e-4)
    assert value(found, "hit_rate", "h/h", "pandalm-7b") == pytest.approx(0.668, abs=5e-4)
    assert sum(one["rows"] for one in found["exclusions"]) == 25  # "garbage"
    assert any(one["name"] == "win_rate_bias" for one in found["results"])


def test_dices(tmp_path: Path) -> None:
    counts, expert = dices_350()
    shares = counts / counts.sum(-1, keepdims=True)
    assert shares.max(-1).mean() == pytest.approx(0.689, abs=5e-4)
    found = audited("audit_dices", "dices_judgebench", tmp_path)
    by_hand = ((expert - shares) ** 2).sum(-1).mean()
    assert value(found, "mean_squared_error", "s/s", "expert") == pytest.approx(by_hand)
    alike = ((shares[:, 1] >= 0.5) == (expert[:, 1] == 1)).mean()
    assert value(found, "decision_consistency", "s/s", "expert") == pytest.approx(alike)


def test_llm_rubric(tmp_path: Path) -> None:
    found = audited("audit_llm_rubric", "llm_rubric", tmp_path)
    judge = "gpt-3.5-turbo"
    assert 0 < value(found, "jensen_shannon", "s/s", judge) < np.log(2)
    row = next(one for one in found["results"] if one["name"] == "kl_divergence")
    assert row["n_clusters"] >= 225  # dialogues, not ratings, are resampled
    assert any(one["reason"] == "abstained" for one in found["exclusions"])
    assert not any("gave one answer" in warning for warning in found["warnings"])
